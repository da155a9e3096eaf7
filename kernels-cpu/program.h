// program.h -- what a phase program is: the binary interface between the planner
// (crates/phase-program), the engine's helper threads (crates/native-team) and these kernels.
//
// A phase program is one step of a model as a list of phases over memory that the caller
// owns. Workers run it together: a phase is split into chunks, a worker claims the next chunk
// by an atomic increment, and a phase begins when all chunks of the one before are done. A
// worker waits only for chunks that running workers hold, so any number of workers, one
// included, ends the program. Results do not depend on their number.
//
// crates/phase-program/src/abi.rs and crates/native-team/src/layout.rs hold the same structures
// in Rust; a test of crates/native-cpu compares sizes and offsets by abi.h.

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef int8_t i8;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef uint64_t u64;
typedef float f32;
typedef double f64;

// Changes whenever a structure or the meaning of a field does.
#define TY_ABI_VERSION 6

// ---- addresses ------------------------------------------------------------------------

// A place in memory: the space in the top byte, bytes from its begin in the rest.
typedef u64 ty_ref;

enum {
  TY_WEIGHTS = 0,   // the artifact's weight file, mapped
  TY_PROGRAM = 1,   // the program itself: its constants
  TY_SHARED = 2,    // scratch that all workers see
  TY_PRIVATE = 3,   // scratch of one worker
  TY_TOKENS = 4,    // i32 [cells]
  TY_POSITIONS = 5, // i32 [cells], -1 in padding
  TY_LENGTHS = 6,   // i32 [cells]
  TY_SLOTS = 7,     // i32 [cells, 2]: block and offset
  TY_TABLES = 8,    // i32 [batch, pages]; with recurrent layers a row has one more entry, the
                    // sequence's slot (state.h), or the slot that a row of a decode which follows the
                    // one before leaves its state in
  TY_SAMPLED = 9,   // i32 [rows], -1 where no logits are wanted; with digests of rows [2, rows], then the
                    // bits of each row's temperature as f32: 0 for no digest, below 0 for one without sums
  TY_CACHE = 10,    // u8 [blocks, block_bytes]; the first of them are the slots of recurrent layers
  TY_LOGITS = 11,   // f32 [rows, vocabulary]; with digests a row ends with its own (digest.hip)
  TY_SPACES = 12,
};

// ---- operands of kernels --------------------------------------------------------------

// How the weights of a product stand in memory: `kind` in bits 0..8; for TY_BLOCKS the code in
// 8..12 (the bits of an unsigned integer, or TY_E2M1, TY_IQ4, TY_E4M3), the scale in 12..16, log2
// of the group (4 to 7) in 16..20, the form in 20..24, and in bit 24 whether rows have an f32 scale
// of their own. linear.h describes the layouts.
typedef u32 ty_format;

enum { TY_F32 = 0, TY_F16 = 1, TY_BF16 = 2, TY_BLOCKS = 3 };

enum { TY_E2M1 = 9, TY_IQ4 = 10, TY_E4M3 = 11 };

enum {
  TY_SCALE_F16 = 0,
  TY_SCALE_BF16 = 1,
  TY_SCALE_F32 = 2,
  TY_SCALE_E8M0 = 3,  // 2^(b - 127)
  TY_SCALE_E4M3 = 4,
  TY_SCALE_ONE = 5,   // none stored
  TY_SCALE_SUPER = 6, // an f16 for 256 columns times an i8 for each group
};

enum {
  TY_PLAIN = 0,   // w = scale * value
  TY_MIDDLE = 1,  // w = scale * (code - 2^(bits - 1))
  TY_BIAS = 2,    // w = scale * code + bias
  TY_ZERO = 3,    // w = scale * (code - zero)
  TY_LEAST = 4,   // w = scale * code - dmin * minimum; TY_SCALE_SUPER only
};

// In a format: the product is of a prompt and may go through matrix registers (linear_amx.h).
// Kernels see it only where the team has them.
#define TY_MATRIX 0x80000000u

typedef struct {
  ty_format format;
  u32 n;          // outputs: rows of the weight, before padding to 16
  u32 k;          // inputs: columns of the weight
  u32 y_stride;   // f32s between two rows of y
  ty_ref weights; // tiles; 64-byte aligned
  ty_ref packed;  // activations as ty_linear_pack left them; 64-byte aligned
  ty_ref y;       // f32 [rows, y_stride]
  u32 x_stride;   // GPUs: `packed` is f32 [rows, x_stride] as it is, or for matrix registers rows as
                  // TY_ROW_PACK left them, that many f32s apart; CPUs: 0
  u32 x_head;     // GPUs: a product for each head, one launch: head h has the h-th matrix of n rows, a
                  // multiple of 16, reads x that many f32s further and writes y at h * n; CPUs: 0
} ty_linear;

// How keys and values stand in the cache: TY_F32, TY_F16, TY_BF16, as 8-bit floats without a scale
// (E4M3), or in groups of 32 elements of a head with an f16 scale each, as GGUF's formats of these
// names (attention.h).
enum { TY_CACHE_Q8_0 = 8, TY_CACHE_Q4_0 = 9, TY_CACHE_E4M3 = 10 };

typedef struct {
  u32 heads;       // query heads, a multiple of kv_heads
  u32 kv_heads;
  u32 head_dim;    // even; a multiple of 32 in quantized caches
  u32 block_size;  // positions in a block: 16
  u32 kv_format;   // TY_F32, TY_F16, TY_BF16 or one of TY_CACHE_
  i32 window;      // keys that a query sees, itself included; 0 for all before it
  f32 scale;       // multiplies scores
  f32 soft_cap;    // cap * tanh(score / cap); 0 for none
  u64 block_bytes; // bytes between two blocks of the cache
  u64 keys;        // bytes from a block's begin to this layer's keys
  u64 values;      // the same for its values
  ty_ref q;        // f32 [tokens, q_stride]: heads side by side
  ty_ref k;        // f32 [tokens, kv_stride]: new keys; decode only
  ty_ref v;        // f32 [tokens, v_stride]: new values; decode only
  ty_ref out;      // prefill: f32 [tokens, heads * head_dim]; decode: partials (attention.h)
  ty_ref sinks;    // f32 [heads]: one more score a head, without a key; where has_sinks
  u32 q_stride;
  u32 k_stride;
  u32 v_stride;
  u32 pages;       // entries of a row of the tables
  u32 has_sinks;
  u32 zero;
} ty_attention;

// The choice of experts: `used` of them for each token, those with the largest scores. A token's
// rows for its experts are routed rows, of which there are `used` a token (experts.h).
typedef struct {
  u32 experts;
  u32 used;
  u32 rows;          // routed rows, at most
  u32 scores_stride; // f32s between two rows of scores
  u32 groups;        // runs of experts / groups experts; 0: all are looked at
  u32 kept;          // the best of them, at most 64, which alone are looked at
  u32 best;          // how many of a group's largest scores are added up to find those
  u32 zero;
  ty_ref scores;     // f32 [tokens, scores_stride]
  ty_ref ids;        // i32 [tokens, used]: the choice, best first
  ty_ref table;      // i32 [2 * experts + 1 + 3 * rows] (experts.h)
} ty_route;

// y = x w^T for routed rows, each with the matrix of its expert.
typedef struct {
  ty_linear linear; // of the first expert; `packed` is for all of them (experts.h)
  u64 expert_bytes; // from one expert's matrix to the next
  u32 route;        // index of its ty_route
  u32 of_tokens;    // 1: an expert's rows are those of its tokens, so that one token is packed once
} ty_experts;

// A causal convolution of a recurrent layer (state_conv.h).
typedef struct {
  u32 channels;
  u32 taps;       // tokens that it sees: 2 to 16
  u32 silu;       // 1: y * logistic(y) of what it gives
  u32 has_bias;
  u64 slot_bytes; // from one sequence's slot to the next
  u64 state;      // bytes from a slot's begin to this layer's rows
  ty_ref weight;  // f32 [channels, taps]
  ty_ref bias;    // f32 [channels]; where has_bias
  ty_ref x;       // f32 [tokens, x_stride]
  ty_ref out;     // f32 [tokens, out_stride]
  u32 x_stride;
  u32 out_stride;
  u32 entries;    // of a row of the tables; the last is the slot
  u32 zero;
} ty_conv;

enum { TY_SSM = 0, TY_DELTA = 1, TY_SELECTIVE = 2, TY_RG_LRU = 3, TY_DPLR = 4 };

// The recurrence of a recurrent layer (state_scan.h).
typedef struct {
  u32 rule;       // TY_SSM, TY_DELTA, TY_DPLR, or TY_SELECTIVE or TY_RG_LRU, which have one head
  u32 heads;      // a multiple of groups
  u32 groups;
  u32 depth;      // elements of k and q
  u32 width;      // elements of v
  f32 least;      // TY_SSM: limits of a time step; TY_DELTA: added to squared lengths,
  f32 most;       // and what queries are multiplied with
  f32 strength;   // TY_DELTA: multiplies the logistic of the gate
  u64 slot_bytes;
  u64 state;      // bytes from a slot's begin to this layer's S
  ty_ref v;       // f32 [tokens, v_stride]: heads side by side
  ty_ref k;       // f32 [tokens, k_stride]: groups side by side; not TY_RG_LRU
  ty_ref q;       // the same
  ty_ref dt;      // f32 [tokens, dt_stride]: before bias and softplus, `decays` numbers a head;
                  // TY_SELECTIVE: one for each element of v; TY_RG_LRU: the same, before a logistic;
                  // TY_DPLR: the decays themselves
  ty_ref gate;    // the same, before the logistic; TY_DELTA and TY_RG_LRU only. TY_DPLR: a, then b, each as k
  ty_ref a_log;   // f32 [heads]; TY_SELECTIVE: [width, depth]; TY_RG_LRU: its lambda, [width]; not TY_DPLR
  ty_ref dt_bias; // f32 [heads, decays]; TY_SELECTIVE: [width]; not TY_RG_LRU and TY_DPLR
  ty_ref d;       // f32 [heads]; TY_SELECTIVE: [width]; TY_DPLR: u, [heads, depth]; not TY_DELTA and TY_RG_LRU
  ty_ref out;     // f32 [tokens, out_stride]: as v; TY_DPLR: twice
  u32 v_stride;
  u32 k_stride;
  u32 q_stride;
  u32 dt_stride;
  u32 gate_stride;
  u32 out_stride;
  u32 entries;    // of a row of the tables; the last is the slot
  u32 decays;     // of a head: 1, or with one for each row of S: depth
} ty_scan;

// ---- row operations -------------------------------------------------------------------

// Every row operation works on one row r of its operands: at `ref + r * stride` bytes. A
// stride of 0 is one row for all (a weight, or a worker's temporary).
typedef struct {
  ty_ref ref;
  u64 stride;
} ty_row;

enum {
  TY_ROW_EMBED = 0,   // dst[width] = row tokens[r] of the table a of `format`; p0 = table's rows;
                      // p1 & 1: the table is plain and stands row by row, not in tiles;
                      // p1 & 2: row positions[r] instead, 0 where that is negative
  TY_ROW_TAKE = 1,    // dst = a[sampled[r]]
  TY_ROW_NORM = 2,    // RMS norm of segments of p0 f32s: a / sqrt(mean(a^2) + imm0) * (b + imm1);
                      // p1 = 1: layer norm, the same of a - mean(a)
  TY_ROW_UNARY = 3,   // p0 = function
  TY_ROW_BINARY = 4,  // p0 = function
  TY_ROW_SCALAR = 5,  // dst = a (p0) imm0; p1 = 1: dst = imm0 (p0) a
  TY_ROW_COPY = 6,    // dst = a
  TY_ROW_ANGLES = 7,  // dst[2 * width]: cosines, then sines, of position * table a (f32 [width])
                      // times imm0; p0 = boundary: with lengths[r] > p0 > 0, table b instead
  TY_ROW_ROPE = 8,    // dst = a, segments of p0 f32s, the first 2 * p1 of each rotated by the angles b
  TY_ROW_PACK = 9,    // a -> packed activations of `format` (linear.h); dst is their begin, all rows.
                      // Of a prologue of several rows, as many rows packed alone have room behind it.
                      // p0 > 0: r is a routed row of the route with index p0 - 1 (experts.h), and
                      // with p1 = 1 a has the rows of tokens. GPUs: one row to dst
                      // (kernels-hip/common/pack.h)
  TY_ROW_APPEND = 10, // keys a and values b -> cache at slots[r]; p0 = index of an attention
  TY_ROW_COMBINE = 11, // dst = partials of the attention with index p0, combined (attention.h)
  TY_ROW_TAKE_ALONG = 12, // dst[i] = a[b[i]], b i32; p0 = 1: r is a sampled row, b of its token
  TY_ROW_SOFTMAX = 13,    // dst = softmax of a
  TY_ROW_EXPERT = 14,     // r is a routed row: dst = row `its expert` of a; p0 = index of the route
  TY_ROW_WEIGHTED = 15,   // dst = sum over i below p0 of b[i] * x_i. p1 = 0: x_i are side by side in
                          // a; else p1 - 1 is the index of a route, and x_i the routed rows of a
                          // token in a: of r, or with format = 1 of the sampled row r
};

enum { TY_NEGATE, TY_EXP, TY_LOG, TY_LOGISTIC, TY_TANH, TY_SINE, TY_COSINE, TY_SQRT, TY_RSQRT, TY_ERF };
enum { TY_ADD, TY_SUBTRACT, TY_MULTIPLY, TY_DIVIDE, TY_MAXIMUM, TY_MINIMUM };

typedef struct {
  u32 kind;
  u32 width; // f32s in a row of dst
  ty_row dst;
  ty_row a;
  ty_row b;
  u32 p0;
  u32 p1;
  f32 imm0;
  f32 imm1;
  ty_format format;
  u32 store; // decode: 1 where only one worker runs it (a value that later phases read)
} ty_row_op;

// ---- phases ---------------------------------------------------------------------------

enum {
  TY_PHASE_ROWS = 0,      // the row operations, over rows; a chunk is some rows
  TY_PHASE_LINEAR = 1,    // y = x w^T
  TY_PHASE_PREFILL = 2,   // attention of one sequence's tokens
  TY_PHASE_DECODE = 3,    // append and attention of one token a sequence
  TY_PHASE_ROUTE = 4,     // the choice of experts; one chunk
  TY_PHASE_EXPERTS = 5,   // y = x w^T for routed rows
  TY_PHASE_CONV = 6,      // a causal convolution, and the update of its state
  TY_PHASE_SCAN = 7,      // a recurrence, and the update of its state
  TY_PHASE_DIGEST = 8,    // GPUs: the highest logit of each chunk of a row
  TY_PHASE_WEIGH = 9,     // GPUs: the sums of its chunks, and its highest logit
};

// A phase's row operations run before its kernel: in TY_PHASE_ROWS they are all there is; in
// the others they are the prologue, which is cheaper than a phase of its own where rows are few.
// Every worker that claims a chunk runs it for one row, into its private scratch; several rows are
// divided among those workers, in the scratch of worker 0.
typedef struct {
  u32 kind;
  u32 over;         // rows are 0: tokens; 1: sampled rows; 2 + i: the routed rows of route i
  u32 first_op;
  u32 n_ops;
  u32 kernel;       // index of its ty_linear, ty_attention, ty_route, ty_experts, ty_conv or ty_scan;
                    // TY_PHASE_DIGEST and TY_PHASE_WEIGH: logits of a row
  u32 rows_a_chunk; // TY_PHASE_ROWS; on GPUs the rows of the phase at most
  u32 joined;       // of a product and of the phase of row operations behind it: 1 + the index of the
                    // other, where matrix registers do both at once (joined.h); 0 for none
  u32 first_after;  // GPUs: operations on a product's outputs before they are stored. The first ones are
  u32 n_after;      // TY_ROW_COPY: value i is the product's columns from p0 on; the operations behind
                    // them are element-wise, and a.ref and b.ref are the indices of earlier values, or,
                    // of routed rows, TY_ROW_EXPERT: the expert's row of the table a. The last value
                    // goes to y.
  u32 groups;       // GPUs: workgroups along x that share the product's tiles
} ty_phase;

typedef struct {
  u32 magic;        // "TYPP"
  u32 abi_version;
  u32 batch;        // sequences
  u32 tokens;       // tokens of a sequence: 1 in decode
  u32 rows;         // rows of logits
  u32 zero;
  u32 n_phases;
  u32 n_ops;
  u32 n_linears;
  u32 n_attentions;
  u32 n_routes;
  u32 n_experts;
  u32 n_convs;
  u32 n_scans;
  u64 phases;       // bytes from the program's begin
  u64 ops;
  u64 linears;
  u64 attentions;
  u64 routes;
  u64 experts;
  u64 convs;
  u64 scans;
  u64 shared_bytes;  // scratch that the program needs, of all workers together
  u64 private_bytes; // and of each
} ty_program;

#define TY_MAGIC 0x50505954u

// ---- workers --------------------------------------------------------------------------

// A step that workers may join. Lives on the stack of the worker that began it.
typedef struct ty_job ty_job;
struct ty_job {
  void (*run)(ty_job *job, u32 worker);
  u64 sequence; // differs between one job and the next of a team
};

// Where the time of a step goes, of a team that has one. The worker that computes a phase's last
// chunk notes when that was; everything else is written before the step begins.
typedef struct {
  u32 kind;         // TY_PHASE_
  ty_format format; // of weights, or of the cache; 0 of row operations
  u32 n, k;         // of a product; of an attention its heads and their width
  u32 rows;
  u32 zero;
  u64 bytes;        // of weights, or of keys and values, that are read
  u64 operations;   // multiplications and additions of the kernel
  u64 end;          // nanoseconds by the clock; 0 where there was nothing to do
} ty_phase_time;

typedef struct {
  u64 (*clock)(void); // nanoseconds since some moment
  u64 begin;          // of the last step
  u32 room;           // in phases
  u32 count;          // phases of the last step, at most `room`
  ty_phase_time *phases;
} ty_profile;

// What went wrong in a team's steps; programs set it and never clear it.
enum {
  TY_FINE = 0,
  TY_NO_ROOM = 1, // a step was not begun: its program's header asks for more scratch than there is
};

// What the engine gives a program: scratch and helpers. Owned by the engine, one a device;
// its address is the program's `team` argument.
typedef struct {
  _Atomic(ty_job *) job;  // published by the worker that begins a step, null between steps
  _Atomic(u32) active;    // helpers inside a job
  u32 n_workers;          // the beginner included; at least 1
  u8 *shared;             // 64-byte aligned
  u64 shared_bytes;
  u8 *private_;           // n_workers parts of private_bytes, 64-byte aligned
  u64 private_bytes;
  void (*yield)(void);    // lets another thread run
  u64 sequence;           // of the last job
  u64 amx;                // 1 where this process may use the matrix registers of AMX
  ty_profile *profile;    // null where nobody asks
  u32 status;             // TY_FINE or TY_NO_ROOM
  u32 zero;
} __attribute__((aligned(64))) ty_team;
