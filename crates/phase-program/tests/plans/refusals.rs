//! Graphs without a program: the reason names the op.

use tyto_graph::{
    AttentionAttrs, Binary, BlockCode, BlockForm, BlockLayout, BlockScale, DType, Layout, Op,
    RopeScaling, TensorType, Unary,
};
use tyto_phase_program::{Program, Unsupported, format_of};

use crate::decoder::{Decoder, HEADS, HIDDEN, Options, planned};

fn options() -> Options {
    Options::new(2, 1, 2)
}

fn whole(options: &Options) -> Result<Program, Unsupported> {
    planned(&Decoder::whole(options), options)
}

fn check(result: Result<Program, Unsupported>, op: &str, reason: &str) {
    let why = result.expect_err(reason);
    assert_eq!(why.op, op, "{why}");
    assert!(why.reason.contains(reason), "{why}: expected {reason:?}");
    assert!(why.to_string().contains(&why.value), "{why} names the value");
}

#[test]
fn frequencies_that_change_with_every_length() {
    let scaling = RopeScaling::DynamicNtk { base: 1e4, factor: 2.0, boundary: 24 };
    check(whole(&Options { scaling, ..options() }), "rope_angles", "dynamic NTK");
}

#[test]
fn blocks_of_other_than_sixteen_positions() {
    check(whole(&Options { block_size: 8, ..options() }), "paged_attention", "16 positions");
}

#[test]
fn caches_of_unknown_elements() {
    let options = Options { cache: DType::F8E4M3, ..options() };
    check(whole(&options), "paged_attention", "element type");
}

#[test]
fn windows_and_caps_that_mean_nothing() {
    let with = |window, soft_cap| {
        whole(&Options {
            attrs: AttentionAttrs {
                scale: 1.0,
                window,
                soft_cap,
                alibi: None,
                chunk: None,
                kv: None,
            },
            ..options()
        })
    };
    check(with(Some(0), None), "paged_attention", "window");
    check(with(None, Some(0.0)), "paged_attention", "soft cap");
    check(with(None, Some(f32::NAN)), "paged_attention", "soft cap");
    assert!(with(Some(usize::MAX), Some(30.0)).is_ok());
}

#[test]
fn several_sequences_of_several_tokens() {
    check(whole(&Options::new(2, 3, 2)), "paged_attention", "several sequences");
}

#[test]
fn layouts_without_a_kernel() {
    for (layout, weight) in [
        (Layout::RowMajor, DType::F32),
        (Layout::Tiled { n: 8, k: 1 }, DType::F32),
        (Layout::Tiled { n: 16, k: 2 }, DType::F16),
        (Layout::Tiled { n: 16, k: 1 }, DType::F8E5M2),
    ] {
        let options = Options { layout, weight, ..options() };
        check(whole(&options), "linear", &layout.to_string());
    }
    for (code, group, scale) in [
        (BlockCode::Unsigned(7), 32, BlockScale::F16),
        (BlockCode::Unsigned(4), 256, BlockScale::F16),
        (BlockCode::Unsigned(4), 32, BlockScale::F32),
        (BlockCode::E2M1, 32, BlockScale::E8M0),
    ] {
        let blocks = BlockLayout { code, group, scale, form: BlockForm::Bias, row_scale: false };
        assert!(format_of(Layout::Blocks(blocks), DType::U8).is_err(), "{blocks}");
    }
}

#[test]
fn functions_without_a_kernel() {
    for unary in [Unary::Log, Unary::Sine, Unary::Cosine] {
        let mut decoder = Decoder::new(&options());
        let x = decoder.embedded();
        let y = decoder.add(Op::Unary(unary), &[x]);
        check(decoder.planned(y), unary.name(), "this function");
    }
    let mut decoder = Decoder::new(&options());
    let x = decoder.embedded();
    let y = decoder.binary(Binary::Power, x, x);
    check(decoder.planned(y), "power", "this function");
}

#[test]
fn vectors_that_are_not_as_wide_as_rows() {
    let cells = 2;
    // The same vector for each head, and one number for all columns.
    for (shape, axes, size) in
        [(vec![cells, HEADS, 16], vec![2], 16), (vec![cells, HIDDEN], vec![1], 1)]
    {
        let mut decoder = Decoder::new(&options());
        let x = decoder.embedded();
        let x = decoder.add(Op::Reshape(shape.clone()), &[x]);
        let vector = decoder.weight("v", DType::F32, &[size]);
        let vector = decoder.add(Op::Broadcast { shape, axes }, &[vector]);
        let y = decoder.binary(Binary::Add, x, vector);
        check(decoder.planned(y), "broadcast_in_dim", "a vector to all rows");
    }
}

#[test]
fn norms_across_rows() {
    let mut decoder = Decoder::new(&options());
    let x = decoder.embedded();
    let x = decoder.columns(x, 0, 1);
    let x = decoder.add(Op::Reshape(vec![2]), &[x]);
    let weight = decoder.weight("w", DType::F32, &[2]);
    let y = decoder.add(Op::RmsNorm { epsilon: 1e-5, offset: 0.0 }, &[x, weight]);
    check(decoder.planned(y), "rms_norm", "across rows");
}

#[test]
fn angles_that_are_more_than_angles() {
    let mut decoder = Decoder::new(&options());
    let angles = decoder.angles();
    let y = decoder.add(Op::Unary(Unary::Negate), &[angles]);
    check(decoder.planned(y), "rope_angles", "other than a rotation");

    let mut decoder = Decoder::new(&options());
    let (x, angles) = (decoder.embedded(), decoder.angles());
    let angles = decoder.add(Op::Unary(Unary::Negate), &[angles]);
    let x = decoder.add(Op::Reshape(vec![2, HEADS, 16]), &[x]);
    let y = decoder.add(Op::Rope, &[x, angles]);
    check(decoder.planned(y), "negate", "angles that are computed");
}

#[test]
fn updates_and_results_that_no_phase_makes() {
    let mut decoder = Decoder::new(&options());
    let x = decoder.embedded();
    let state = decoder.state("keys.0");
    let new = decoder.columns(x, 0, 16);
    let new = decoder.add(Op::Reshape(vec![2, 1, 16]), &[new]);
    decoder.append(state, new);
    check(decoder.planned(x), "put", "no attention reads");

    let mut decoder = Decoder::new(&options());
    let x = decoder.embedded();
    let y = decoder.linear("w", x, 40);
    decoder.graph.add_output("hidden", x);
    check(decoder.planned(y), "linear", "a second result");
}

#[test]
fn tables_that_are_computed() {
    let mut decoder = Decoder::new(&options());
    let x = decoder.embedded();
    let ty = TensorType::new(DType::F32, [2, HIDDEN]);
    let op = Op::Constant(tyto_graph::Literal::Splat { value: 1.0, ty });
    let constant = decoder.add(op, &[]);
    let table = decoder.binary(Binary::Add, constant, constant);
    let op = Op::Embedding { layout: Layout::RowMajor, rows: 2 };
    let other = decoder.add(op, &[table, decoder.tokens]);
    let y = decoder.binary(Binary::Add, x, other);
    check(decoder.planned(y), "add", "must be a weight");
}

#[test]
fn sinks_that_are_no_vector_of_the_weight_file() {
    let step = |sinks: fn(&mut Decoder) -> tyto_graph::ValueId| {
        let mut decoder = Decoder::new(&options());
        let x = decoder.embedded();
        let heads = decoder.add(Op::Reshape(vec![2, HEADS, 16]), &[x]);
        let (keys, values) = (decoder.state("keys.0"), decoder.state("values.0"));
        let new = decoder.columns(x, 0, 16);
        let new = decoder.add(Op::Reshape(vec![2, 1, 16]), &[new]);
        let (keys, values) = (decoder.append(keys, new), decoder.append(values, new));
        let sinks = sinks(&mut decoder);
        let (tables, positions) = (decoder.tables, decoder.positions);
        let attention = Op::PagedAttention(decoder.options.attrs);
        let y = decoder.add(attention, &[heads, keys, values, tables, positions, sinks]);
        let y = decoder.add(Op::Reshape(vec![2, HIDDEN]), &[y]);
        decoder.planned(y)
    };
    let stored = |decoder: &mut Decoder| decoder.weight("sinks", DType::F32, &[HEADS]);
    step(stored).expect("a vector of the weight file");
    let negated = |decoder: &mut Decoder| {
        let sinks = decoder.weight("sinks", DType::F32, &[HEADS]);
        decoder.add(Op::Unary(Unary::Negate), &[sinks])
    };
    check(step(negated), "negate", "must be a weight");
}

/// A mixture of experts over the embeddings, four of which are scored.
fn mixture(
    experts: usize,
    ids: impl FnOnce(&mut Decoder, tyto_graph::ValueId) -> tyto_graph::ValueId,
) -> Result<Program, Unsupported> {
    let options = options();
    let mut decoder = Decoder::new(&options);
    let x = decoder.embedded();
    let scores = decoder.linear("router", x, 4);
    let ids = ids(&mut decoder, scores);
    let layout = options.layout;
    let shape = layout.stacked_shape(experts, HIDDEN, HIDDEN).expect("columns fit");
    let weight = decoder.weight("experts", DType::F32, &shape);
    let op = Op::ExpertLinear { layout, experts, rows: HIDDEN };
    let y = decoder.add(op, &[x, weight, ids]);
    let weights = decoder.add(Op::TakeAlong, &[scores, ids]);
    let sum = decoder.add(Op::WeightedSum, &[y, weights]);
    decoder.graph.add_output("logits", sum);
    planned(&decoder.graph, &options)
}

#[test]
fn experts_that_no_top_k_chooses() {
    let chosen =
        |decoder: &mut Decoder, scores| decoder.add(Op::TopK { k: 2, groups: None }, &[scores]);
    let program = mixture(4, chosen).expect("native").to_string();
    assert!(program.contains("route 2 of 4") && program.contains("experts experts"), "{program}");
    check(mixture(3, chosen), "expert_linear", "other experts");
    let given = |decoder: &mut Decoder, _| {
        let ty = TensorType::new(DType::I32, [decoder.cells(), 2]);
        decoder.add(Op::Iota { ty, axis: 1 }, &[])
    };
    check(mixture(4, given), "expert_linear", "no top_k");
}
