//! The operations, with their constraints.
//!
//! A constraint has a label, such as `linear_c2`; [`crate::InferError`] and the tests cite
//! it. Primitive ops follow StableHLO's of the same name (its `docs/spec.md`).

use std::sync::Arc;

use crate::dtype::{DType, Layout};
use crate::graph::TensorType;
use crate::kv::KvCode;
use crate::recurrent::{ConvAttrs, DeltaAttrs, RecurrentResult, SsmAttrs};

/// What a node computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    // ---- sources -------------------------------------------------------------------
    /// The argument with this index in [`crate::Graph::inputs`].
    Input {
        /// Index into the inputs.
        index: usize,
    },
    /// A parameter of the model, bound by name when the program is loaded.
    /// (weight_c1) Sizes are fixed.
    Weight {
        /// The checkpoint's name for it.
        name: Arc<str>,
        /// Its stored type; for a tiled layout the shape is the tiles'.
        ty: TensorType,
    },
    /// A constant. (constant_c1) Sizes are fixed.
    Constant(Literal),
    /// `0, 1, 2, …` along `axis`. (iota_c1) `axis < rank`; sizes are fixed;
    /// not of Bool.
    Iota {
        /// The result's type.
        ty: TensorType,
        /// The axis that counts.
        axis: usize,
    },

    // ---- element-wise --------------------------------------------------------------
    /// One operand. (unary_c1) A float operand, except [`Unary::Not`], which takes Bool.
    Unary(Unary),
    /// Two operands of (binary_c1) one type; (binary_c2) And and Or take Bool, the rest not.
    Binary(Binary),
    /// Two operands of (compare_c1) one type, to Bool.
    Compare(Comparison),
    /// `select(condition, then, else)`: (select_c1) Bool of the shape of the others,
    /// (select_c2) which have one type.
    Select,
    /// To another element type, rounding to nearest even; from floats to integers towards zero.
    Convert(DType),
    /// The same bits as elements of another type. One as wide keeps the shape; a narrower one adds an
    /// axis of the parts of each element, lowest first, which a wider one takes away.
    /// (bitcast_c1) Not of Bool, (bitcast_c2) to a wider type from a last axis of its parts.
    Bitcast(DType),

    // ---- shape ---------------------------------------------------------------------
    /// The same elements in another shape. (reshape_c1) Equal element counts, all fixed.
    Reshape(Vec<usize>),
    /// `[N, …] -> [N, row]`: each row as one vector. (flatten_rows_c1) Rank at least 2, all
    /// axes but the first fixed.
    FlattenRows,
    /// Axis `i` of the result is axis `permutation[i]` of the operand.
    /// (transpose_c1) A permutation of the axes.
    Transpose(Vec<usize>),
    /// The order along one axis turned round. (reverse_c1) An axis in range.
    Reverse {
        /// The axis.
        axis: usize,
    },
    /// Operand axis `i` becomes axis `axes[i]` of `shape`. (broadcast_c1) One axis for each
    /// operand axis, increasing; (broadcast_c2) sizes equal, or 1 in the operand.
    Broadcast {
        /// Sizes of the result.
        shape: Vec<usize>,
        /// Where each operand axis goes.
        axes: Vec<usize>,
    },
    /// `[start, limit)` of each axis, step 1. (slice_c1) Within the operand.
    Slice {
        /// First index of each axis.
        start: Vec<usize>,
        /// One past the last index of each axis.
        limit: Vec<usize>,
    },
    /// Operands joined along `axis`. (concat_c1) Equal types but for that axis.
    Concat {
        /// The axis.
        axis: usize,
    },

    /// The operand itself, computed as a whole before anything reads it: compilers do not
    /// fuse across it.
    OptimizationBarrier,

    // ---- indexed -------------------------------------------------------------------
    /// `take(operand [N, …], indices i32 [I…]) -> [I…, …]`. (take_c1) i32 indices,
    /// (take_c2) an operand of rank at least 1. The caller keeps indices in range.
    Take,
    /// `put(operand [A, B, …], indices i32 [U, 2], updates [U, …]) -> [A, B, …]`: replaces
    /// row `(a, b)` for each index pair. (put_c1) `[U, 2]` i32, (put_c2) updates `[U, …]`
    /// of the operand's element type. Where two updates meet in one row, one of them wins.
    Put,
    /// Folds `axis`, which is dropped. (reduce_c1) A float operand, (reduce_c2) axis in range.
    Reduce {
        /// How to fold.
        reduction: Reduction,
        /// The axis.
        axis: usize,
    },
    /// Contracts axes of two operands into f32 whatever their types:
    /// `[batch…, lhs free…, rhs free…]`. (dot_c1) Both float and of one type, (dot_c2) equal
    /// counts and sizes of batch and of contracted axes, (dot_c3) no axis named twice.
    Dot {
        /// Batch axes of the left and the right operand.
        batch: (Vec<usize>, Vec<usize>),
        /// Contracted axes of the left and the right operand.
        contract: (Vec<usize>, Vec<usize>),
    },

    // ---- composite -----------------------------------------------------------------
    /// `linear(x f32 [T, K], w) -> f32 [T, N]`: `y = x wᵀ`, with `x` rounded to the weight's
    /// element type and sums in f32. (linear_c1) `x` is f32 of rank 2, (linear_c2) `w` is a
    /// matrix of floats stored in `layout` whose columns are K, (linear_c3) `rows` fits it.
    ///
    /// Where `layout` is of blocks, the elements of `w` are bytes, its values are what the
    /// blocks decode to in f32, and `x` is not rounded. (linear_c4) The blocks are of a known
    /// kind ([`crate::BlockLayout::is_known`]).
    Linear {
        /// How the weight stands in memory.
        layout: Layout,
        /// N, which a padded layout does not show.
        rows: usize,
    },
    /// `embedding(w, ids i32 [T]) -> f32 [T, K]`. (embedding_c1) As linear_c2 for `w`,
    /// (embedding_c2) i32 ids of rank 1, (embedding_c3) as linear_c4 for blocks. The caller
    /// keeps ids in `0..rows`.
    Embedding {
        /// How the table stands in memory.
        layout: Layout,
        /// Rows of the table.
        rows: usize,
    },
    /// `rms_norm(x f32 […, K], w float [K]) -> f32 […, K]`:
    /// `x / sqrt(mean(x²) + epsilon) * (w + offset)` (Zhang and Sennrich, 2019).
    /// (rms_norm_c1) f32 operand of fixed sizes and rank at least 1, (rms_norm_c2) `w` has the size of the last axis.
    RmsNorm {
        /// Added to the mean square.
        epsilon: f32,
        /// Added to the weight: 1 in Gemma, else 0.
        offset: f32,
    },
    /// `layer_norm(x f32 […, K], w float [K]) -> f32 […, K]`:
    /// `(x - mean(x)) / sqrt(mean((x - mean(x))²) + epsilon) * (w + offset)` (Ba, Kiros and Hinton,
    /// 2016). A bias is an addition of its own. (layer_norm_c1), (layer_norm_c2) as rms_norm_c1 and
    /// rms_norm_c2.
    LayerNorm {
        /// Added to the variance.
        epsilon: f32,
        /// Added to the weight: 1 in Nemotron, else 0.
        offset: f32,
    },
    /// `rope_angles(positions i32 [T] [, lengths i32 [T]]) -> f32 [2, T, R]`: cosines and
    /// sines of `positions × inverse frequency`, times the table's amplitude. `lengths`
    /// is there exactly when the table depends on the sequence's length (rope_angles_c1);
    /// both are i32 of rank 1 (rope_angles_c2). The scaled table has R frequencies too, and
    /// a boundary of at least 1; dynamic NTK has R of at least 2 (rope_angles_c3).
    RopeAngles(RopeTable),
    /// `rope(x f32 [T, H, D], angles f32 [2, T, R]) -> f32 [T, H, D]`: rotates pairs
    /// `(i, i + R)` of the first `2R` of D, keeps the rest (the half-split form that
    /// transformers' `rotate_half` computes). (rope_c1) types as said, (rope_c2) `2R <= D`.
    Rope,
    /// `softmax(scores f32 […, C], mask Bool of the same shape)` over the last axis. A row
    /// with no true mask gives zeros; one whose shown scores are all -inf has overflowed and
    /// gives NaN, as the plain softmax does, so that the fault shows. (softmax_c1) f32 of fixed sizes and rank at least 1,
    /// (softmax_c2) a mask of Bool and that shape.
    MaskedSoftmax,
    /// `paged_attention(q f32 [B·T, H, D], keys [blocks, S, G, D], values, tables i32 [B, P],
    /// positions i32 [B·T] [, sinks f32 [H]]) -> f32 [B·T, H, D]` over the paged cache, causal by position: a
    /// query sees keys at positions `<= its own`, with a window `> its own - window`, and with a
    /// chunk `>= its own - its own % chunk`. A negative position sees nothing and gives zeros. Position `p` of row `b` is in block
    /// `tables[b, p / S]` at offset `p % S`. (attention_c1) Shapes as said, (attention_c2)
    /// G divides H, (attention_c3) equal cache types, (attention_c4) B divides the queries,
    /// (attention_c5) sinks of f32 \[H\].
    ///
    /// With `attrs.kv` the caches are bytes `[blocks, S, G, bytes of D]` that
    /// [`Op::QuantizeKv`] made (attention_c6). Scaled queries are then rounded to codes of 8 bits
    /// with a scale for every 32 columns, over 8-bit floats not at all; weights are f32.
    ///
    /// A head's sink is one more score, of no key: it adds exp(sink) to the softmax's sum and no
    /// value to the result (gpt-oss). It is neither scaled nor capped; -inf is no sink.
    ///
    /// Scaled queries and the softmax's results are rounded to the cache's element type; sums
    /// are f32. The caller keeps positions below `P·S`, blocks of the tables in range, and
    /// the cache finite: what is hidden may still be read, with weight 0.
    PagedAttention(AttentionAttrs),
    /// `quantize_kv(x f32 [U, G, D]) -> u8 [U, G, bytes]`: keys or values as a quantized cache
    /// holds them ([`KvCode`]). (quantize_kv_c1) f32 of rank 3, (quantize_kv_c2) D of whole
    /// groups. Rounding is ggml's, or to the nearest 8-bit float; a group with something that is not
    /// finite is NaN.
    QuantizeKv(KvCode),

    // ---- mixtures of experts -------------------------------------------------------
    /// `top_k(scores f32 [T, E]) -> i32 [T, k]`: the indices of the k largest of each row, largest
    /// first; of equal ones the lower index first, as `torch.topk` has it on a CPU. A NaN counts
    /// as +inf. (top_k_c1) f32 of rank 2, (top_k_c2) `1 <= k <= E`.
    ///
    /// With `groups`, only scores of the best groups can be chosen: of `groups.count` runs of E /
    /// count scores the `groups.kept` whose `groups.best` largest have the largest sums, of equal
    /// sums the lower group first (DeepSeek V2 and V3). (top_k_c3) `count` divides E, `kept` is at
    /// most `count`, `best` at most E / count, none is 0, and k scores are left.
    TopK {
        /// How many.
        k: usize,
        /// Which groups they may come from; `None` for all.
        groups: Option<Groups>,
    },
    /// `take_along(x f32 [T, E], ids i32 [T, k]) -> f32 [T, k]`: of each row the elements that its
    /// ids name. (take_along_c1) f32 of rank 2, (take_along_c2) i32 ids of rank 2 and as many rows.
    /// The caller keeps ids below E.
    TakeAlong,
    /// `expert_linear(x, w, ids i32 [T, k]) -> f32 [T, k, N]`: row `(t, j)` is multiplied by the
    /// matrix of expert `ids[t, j]` as [`Op::Linear`] says. `x` is f32 `[T, K]`, one row for all
    /// experts of a token, or `[T, k, K]`, a row for each (expert_linear_c1). `w` holds a matrix
    /// for each expert, one below the other, each padded to whole tiles of rows:
    /// [`Layout::stacked_shape`]; (expert_linear_c2), (expert_linear_c3), (expert_linear_c4) as
    /// linear_c2, linear_c3 and linear_c4. (expert_linear_c5) i32 ids of rank 2, as many rows as
    /// `x`. The caller keeps ids below the number of experts, and no
    /// two of one row equal.
    ExpertLinear {
        /// How the weight stands in memory.
        layout: Layout,
        /// Matrices in it.
        experts: usize,
        /// N, which a padded layout does not show.
        rows: usize,
    },
    /// `head_linear(x f32 [T, H, K], w) -> f32 [T, H, N]`: row `(t, h)` is multiplied by matrix h as
    /// [`Op::Linear`] says. `w` holds H matrices as [`Op::ExpertLinear`]'s. (head_linear_c1) `x` is f32
    /// of rank 3, (head_linear_c2), (head_linear_c3), (head_linear_c4) as linear_c2, linear_c3 and
    /// linear_c4.
    HeadLinear {
        /// How the weight stands in memory.
        layout: Layout,
        /// N, which a padded layout does not show.
        rows: usize,
    },
    /// `weighted_sum(x f32 [T, k, N], weights f32 [T, k]) -> f32 [T, N]`: the sum over k of
    /// weight times row. (weighted_sum_c1) f32 of rank 3, (weighted_sum_c2) f32 weights of its
    /// first two sizes.
    WeightedSum,

    // ---- recurrences ---------------------------------------------------------------
    //
    // They go through the B·T tokens of a step row by row: token t of row b is operand row
    // `b·T + t`, and belongs to the sequence whose state is `state[states[b]]`. A row's tokens are
    // at consecutive positions. A token at position 0 finds a state of zeros, whatever is stored,
    // NaN included; one at a negative position leaves the state alone and gives zeros. The caller
    // keeps the states of rows in range that have a token, and no two of them equal. States are
    // f32, rounded after every token, so that it does not matter how a sequence is cut into
    // steps. Rows of `state` that no row of the step names stay as they are. There is no
    // decomposition: only kernels go through tokens one after the other.
    //
    /// `causal_conv(x f32 [B·T, C], weight f32 [C, W], state f32 [slots, W - 1, C], states i32 [B],
    /// positions i32 [B·T] [, bias f32 [C]])`: a convolution of each channel with its own W
    /// weights over the last W tokens, `y[t, c] = bias[c] + sum over j < W of weight[c, j] ×
    /// x[t - (W - 1) + j, c]`, then SiLU with `silu`. A slot's rows are the last W - 1 rows of `x`,
    /// oldest first. Gives `y` f32 `[B·T, C]`, or the state. (causal_conv_c1) `x` is f32 of rank 2,
    /// (causal_conv_c2) a weight f32 `[C, W]` of at least 2 columns, (causal_conv_c3) a state of
    /// that shape, (causal_conv_c4) `states` and `positions` as said, (causal_conv_c5) a bias f32
    /// `[C]` or none.
    CausalConv(ConvAttrs),
    /// `ssm_scan(x f32 [B·T, H, P], dt f32 [B·T, H], b f32 [B·T, G, N], c, a_log f32 [H],
    /// dt_bias f32 [H], d f32 [H], state f32 [slots, H, N, P], states i32 [B], positions i32
    /// [B·T])`: Mamba 2's recurrence (Dao and Gu, 2024). For head h of group `g = h·G / H`:
    ///
    /// ```text
    /// step       = clamp(log(1 + exp(dt[h] + dt_bias[h])), dt_limit)
    /// S[n, p]    = exp(-exp(a_log[h]) × step) × S[n, p] + b[g, n] × step × x[h, p]
    /// y[h, p]    = sum over n of c[g, n] × S[n, p], plus d[h] × x[h, p]
    /// ```
    ///
    /// Gives `y`, of `x`'s type, or the state. P is its innermost axis, unlike transformers': sums
    /// over n then need nothing from other lanes. (ssm_scan_c1) `x` is f32 of rank 3, (ssm_scan_c2)
    /// `dt`, `a_log`, `dt_bias` and `d` as said, (ssm_scan_c3) `b` and `c` as said, where G divides
    /// H and N is not 0, (ssm_scan_c4) a state of that shape, (ssm_scan_c5) `states` and `positions` as said,
    /// (ssm_scan_c6) limits from 0 up, the second no smaller than the first.
    SsmScan(SsmAttrs),
    /// `selective_scan(x f32 [B·T, C], dt f32 [B·T, C], b f32 [B·T, N], c f32 [B·T, N], a_log f32
    /// [C, N], dt_bias f32 [C], d f32 [C], state f32 [slots, 1, N, C], states i32 [B], positions i32
    /// [B·T])`: Mamba's recurrence (Gu and Dao, 2023), where every channel has a time step and every
    /// element of a state a rate of its own:
    ///
    /// ```text
    /// step[c]    = log(1 + exp(dt[c] + dt_bias[c]))
    /// S[n, c]    = exp(-exp(a_log[c, n]) × step[c]) × S[n, c] + b[n] × step[c] × x[c]
    /// y[c]       = sum over n of c[n] × S[n, c], plus d[c] × x[c]
    /// ```
    ///
    /// Gives `y`, of `x`'s type, or the state. (selective_scan_c1) `x` and `dt` are f32 of rank 2 and
    /// one type, (selective_scan_c2) `b` and `c` as said, where N is not 0, (selective_scan_c3) `a_log`,
    /// `dt_bias` and `d` as said, (selective_scan_c4) a state of that shape, (selective_scan_c5)
    /// `states` and `positions` as said.
    SelectiveScan(RecurrentResult),
    /// `rg_lru(x f32 [B·T, C], a f32 [B·T, C], b f32 [B·T, C], lambda f32 [C], state f32 [slots, 1, 1,
    /// C], states i32 [B], positions i32 [B·T])`: the real-gated linear recurrent unit (De et al.,
    /// 2024), in which every channel keeps one number:
    ///
    /// ```text
    /// rate[c]    = 8 × log(1 + exp(lambda[c])) × logistic(a[c])
    /// S[c]       = exp(-rate[c]) × S[c] + sqrt(1 - exp(-2 × rate[c])) × logistic(b[c]) × x[c]
    /// y[c]       = S[c]
    /// ```
    ///
    /// At position 0 the root is 1: there is nothing before that a state could have kept. Gives `y`,
    /// of `x`'s type, or the state. (rg_lru_c1) `x`, `a` and `b` are f32 of rank 2 and one type,
    /// (rg_lru_c2) `lambda` as said, (rg_lru_c3) a state of that shape, (rg_lru_c4) `states` and
    /// `positions` as said.
    RgLru(RecurrentResult),
    /// `delta_rule(q f32 [B·T, G, N], k, v f32 [B·T, H, P], a f32 [B·T, H], b f32 [B·T, H],
    /// a_log f32 [H], dt_bias f32 [H], state f32 [slots, H, N, P], states i32 [B], positions i32
    /// [B·T])`: the gated delta rule (Yang, Kautz and Hatamizadeh, 2024) as Qwen 3 Next has it, and
    /// Kimi's delta attention (Kimi Team, 2025), where `a` is `[B·T, H, N]` and `dt_bias` `[H, N]`, so
    /// that every row of a state has a decay of its own. For head h of group `g = h·G / H`, where
    /// without those n has no place behind `a` and `dt_bias`:
    ///
    /// ```text
    /// q', k'     = scale × q[g] / sqrt(sum(q[g]²) + epsilon), k[g] / sqrt(sum(k[g]²) + epsilon)
    /// S[n, p]    = exp(-exp(a_log[h]) × log(1 + exp(a[h, n] + dt_bias[h, n]))) × S[n, p]
    /// e[p]       = strength × logistic(b[h]) × (v[h, p] - sum over n of k'[n] × S[n, p])
    /// S[n, p]    = S[n, p] + k'[n] × e[p]
    /// y[h, p]    = sum over n of q'[n] × S[n, p]
    /// ```
    ///
    /// Gives `y`, of `v`'s type, or the state. (delta_rule_c1) `q` and `k` are f32 of rank 3 and one
    /// type, (delta_rule_c2) `v` as said, where G divides H and N is not 0, (delta_rule_c3) `a`, `b`, `a_log` and
    /// `dt_bias` as said, (delta_rule_c4) a state of that shape, (delta_rule_c5) `states` and
    /// `positions` as said.
    DeltaRule(DeltaAttrs),
    /// `dplr_scan(q f32 [B·T, H, N], w, k, ab f32 [B·T, 2, H, N], v f32 [B·T, H, P], u f32 [H, N], state
    /// f32 [slots, H, N, P], states i32 [B], positions i32 [B·T])`: a state that is multiplied with a
    /// diagonal plus a matrix of rank one, RWKV-7's recurrence (Peng et al., 2025). For head h, with a
    /// and b the halves of `ab`:
    ///
    /// ```text
    /// x[p]       = sum over n of a[h, n] × S[n, p]
    /// S[n, p]    = w[h, n] × S[n, p] - b[h, n] × x[p] + k[h, n] × v[h, p]
    /// y[0, h, p] = sum over n of q[h, n] × S[n, p]
    /// y[1, h, p] = v[h, p] × sum over n of u[h, n] × q[h, n] × k[h, n]
    /// ```
    ///
    /// Gives `y` f32 `[B·T, 2, H, P]`, or the state. (dplr_scan_c1) `q`, `w` and `k` are f32 of rank 3 and
    /// one type, where N is not 0, (dplr_scan_c2) `ab` as said, (dplr_scan_c3) `v` as said, (dplr_scan_c4)
    /// `u` as said, (dplr_scan_c5) a state of that shape, (dplr_scan_c6) `states` and `positions` as said.
    DplrScan(RecurrentResult),
}

/// A constant: one value everywhere, or all of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `value` in every element; converted to the element type.
    Splat {
        /// The value; integers below 2^53 are exact.
        value: f64,
        /// The result's type; sizes are fixed.
        ty: TensorType,
    },
    /// A vector of f32.
    Vector(Vec<f32>),
}

/// Element-wise functions of one operand. [`Unary::Erf`], which StableHLO does not have, is a
/// composite op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are StableHLO's")]
pub enum Unary {
    Negate,
    Exponential,
    Log,
    Logistic,
    Tanh,
    Sine,
    Cosine,
    Sqrt,
    Rsqrt,
    Erf,
    Abs,
    Floor,
    RoundNearestEven,
    RoundNearestAfz,
    Not,
}

/// Element-wise functions of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are StableHLO's")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    Power,
    And,
    Or,
}

/// Orders of two operands. With a NaN every one but `Ne` is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are StableHLO's")]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// How [`Op::Reduce`] folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// The sum, in f32 whatever the operand.
    Sum,
    /// The largest; -inf of nothing.
    Max,
}

/// Inverse frequencies of a rotary embedding and what they depend on.
#[derive(Clone, Debug, PartialEq)]
pub struct RopeTable {
    /// One for each rotated pair: R of them.
    pub inverse_frequencies: Vec<f32>,
    /// Multiplies cosines and sines ("attention factor" in YaRN and LongRoPE).
    pub amplitude: f32,
    /// How the table changes with the length of the sequence.
    pub scaling: RopeScaling,
}

/// The forms of scaling that depend on the sequence's length. All others are folded into
/// the inverse frequencies while tracing.
#[derive(Clone, Debug, PartialEq)]
pub enum RopeScaling {
    /// The table is the same at every length.
    Fixed,
    /// LongRoPE: beyond `boundary` tokens the `long` frequencies replace the others.
    LongBeyond {
        /// `original_max_position_embeddings`.
        boundary: usize,
        /// The inverse frequencies beyond it.
        long: Vec<f32>,
    },
    /// Dynamic NTK: beyond `boundary` tokens the base grows with the length,
    /// `base × (factor × length / boundary − (factor − 1))^(2R / (2R − 2))`.
    DynamicNtk {
        /// `rope_theta`.
        base: f64,
        /// `factor`.
        factor: f64,
        /// `original_max_position_embeddings`, or `max_position_embeddings`.
        boundary: usize,
    },
}

impl RopeTable {
    /// Whether the table needs the sequence's length.
    pub fn needs_length(&self) -> bool {
        self.scaling != RopeScaling::Fixed
    }
}

/// Groups of experts, of which [`Op::TopK`] looks at the best alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Groups {
    /// How many there are.
    pub count: usize,
    /// How many are looked at.
    pub kept: usize,
    /// How many of a group's largest scores are added up to compare it with others.
    pub best: usize,
}

/// What distinguishes one attention from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttentionAttrs {
    /// Multiplies the scores.
    pub scale: f32,
    /// Keys a query sees, itself included; `None` for all before it.
    pub window: Option<usize>,
    /// `cap × tanh(score / cap)` before the mask (Gemma 2).
    pub soft_cap: Option<f32>,
    /// What scores lose with distance, before the mask; `None` for nothing.
    pub alibi: Option<Alibi>,
    /// Runs of so many positions, beyond whose own a query sees nothing (Llama 4); `None` for one run
    /// of all.
    pub chunk: Option<usize>,
    /// How the cache is quantized; `None` where it holds floats.
    pub kv: Option<KvCode>,
}

/// Attention with linear biases (Press, Smith and Lewis, 2022): to the scaled score of head h and
/// the key at position p, `slope[h] × p` is added. What the paper takes off for the query's own
/// position is the same for all keys of a query, and softmax does not see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alibi {
    /// The exponent of the smallest slope where heads are a power of two: 8.
    pub exponent: f32,
    /// Multiplies the slopes: 1, or `scale` where a model scales the sum of score and bias (Falcon).
    pub factor: f32,
}

impl Alibi {
    /// The slope of each of `heads` heads: `factor × 2^(-exponent × i / n)`. Where heads are a power
    /// of two, n, `i` counts from 1; else it counts the even ones up to the next power of two first, as
    /// the paper's authors have it, and then the odd ones.
    pub fn slopes(&self, heads: usize) -> Vec<f32> {
        let all = heads.next_power_of_two();
        let even = (2..=all).step_by(2).chain((1..=all).step_by(2));
        let order: Vec<usize> = if all == heads { (1..=all).collect() } else { even.collect() };
        let slope = |step: usize| {
            let power = (-self.exponent * step as f32 / all as f32).exp2();
            self.factor * power
        };
        order.into_iter().take(heads).map(slope).collect()
    }
}

impl Op {
    /// The name used in print-outs, errors and reports: StableHLO's for primitives.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Input { .. } => "input",
            Self::Weight { .. } => "weight",
            Self::Constant(_) => "constant",
            Self::Iota { .. } => "iota",
            Self::Unary(unary) => unary.name(),
            Self::Binary(binary) => binary.name(),
            Self::Compare(_) => "compare",
            Self::Select => "select",
            Self::Convert(_) => "convert",
            Self::Bitcast(_) => "bitcast_convert",
            Self::Reshape(_) => "reshape",
            Self::Transpose(_) => "transpose",
            Self::Reverse { .. } => "reverse",
            Self::Broadcast { .. } => "broadcast_in_dim",
            Self::Slice { .. } => "slice",
            Self::Concat { .. } => "concatenate",
            Self::FlattenRows => "flatten_rows",
            Self::OptimizationBarrier => "optimization_barrier",
            Self::Take => "take",
            Self::Put => "put",
            Self::Reduce { .. } => "reduce",
            Self::Dot { .. } => "dot_general",
            Self::Linear { .. } => "linear",
            Self::Embedding { .. } => "embedding",
            Self::RmsNorm { .. } => "rms_norm",
            Self::LayerNorm { .. } => "layer_norm",
            Self::RopeAngles(_) => "rope_angles",
            Self::Rope => "rope",
            Self::MaskedSoftmax => "masked_softmax",
            Self::PagedAttention(_) => "paged_attention",
            Self::TopK { .. } => "top_k",
            Self::TakeAlong => "take_along",
            Self::ExpertLinear { .. } => "expert_linear",
            Self::HeadLinear { .. } => "head_linear",
            Self::WeightedSum => "weighted_sum",
            Self::QuantizeKv(_) => "quantize_kv",
            Self::CausalConv(_) => "causal_conv",
            Self::SsmScan(_) => "ssm_scan",
            Self::DeltaRule(_) => "delta_rule",
            Self::SelectiveScan(_) => "selective_scan",
            Self::RgLru(_) => "rg_lru",
            Self::DplrScan(_) => "dplr_scan",
        }
    }

    /// Whether the op has a decomposition into primitives.
    pub fn is_composite(&self) -> bool {
        matches!(
            self,
            Self::Linear { .. }
                | Self::Embedding { .. }
                | Self::RmsNorm { .. }
                | Self::LayerNorm { .. }
                | Self::Unary(Unary::Erf)
                | Self::RopeAngles(_)
                | Self::Rope
                | Self::MaskedSoftmax
                | Self::PagedAttention(_)
                | Self::TopK { .. }
                | Self::TakeAlong
                | Self::ExpertLinear { .. }
                | Self::HeadLinear { .. }
                | Self::WeightedSum
                | Self::QuantizeKv(_)
                | Self::CausalConv(_)
                | Self::SsmScan(_)
                | Self::SelectiveScan(_)
                | Self::DeltaRule(_)
                | Self::RgLru(_)
                | Self::DplrScan(_)
        )
    }
}

impl Unary {
    /// StableHLO's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Negate => "negate",
            Self::Exponential => "exponential",
            Self::Log => "log",
            Self::Logistic => "logistic",
            Self::Tanh => "tanh",
            Self::Sine => "sine",
            Self::Cosine => "cosine",
            Self::Sqrt => "sqrt",
            Self::Rsqrt => "rsqrt",
            Self::Erf => "erf",
            Self::Abs => "abs",
            Self::Floor => "floor",
            Self::RoundNearestEven => "round_nearest_even",
            Self::RoundNearestAfz => "round_nearest_afz",
            Self::Not => "not",
        }
    }
}

impl Binary {
    /// StableHLO's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "subtract",
            Self::Multiply => "multiply",
            Self::Divide => "divide",
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
            Self::Power => "power",
            Self::And => "and",
            Self::Or => "or",
        }
    }
}

impl Comparison {
    /// StableHLO's `comparison_direction`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Eq => "EQ",
            Self::Ne => "NE",
            Self::Lt => "LT",
            Self::Le => "LE",
            Self::Gt => "GT",
            Self::Ge => "GE",
        }
    }
}
