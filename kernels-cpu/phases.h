// phases.h -- what a step is to its workers, and how each kind of phase is divided and run.
//
// Chunks     rows: rows_a_chunk rows each, or 16 or 32 where there are many; linear: the kernel's
//            own (linear.h); prefill: a tile of queries of one key-value head; decode: one split of one
//            token's context for one key-value head, or a whole token (decode_takes_rows); route: one;
//            experts: parts of all experts' products (experts.h); conv and scan: some channels or columns of
//            one sequence (state.h), none in the chunks of a row that follows the one before: that row's
//            chunks do both. Their number depends on the step alone, so all workers agree.

#pragma once

#include "attention.h"
#include "experts.h"
#include "joined.h"
#include "linear.h"
#include "rows.h"
#include "state.h"

#define TY_AHEAD_MOST (128 * 1024) // bytes of weights that a worker asks for before it begins a product

// Of one phase; zeroed by the worker that begins the step.
typedef struct {
  _Atomic(u32) next; // the first chunk that nobody has claimed
  _Atomic(u32) done; // chunks that are computed
  _Atomic(u32) next_row;  // of a divided prologue: the first row that nobody has claimed
  _Atomic(u32) done_rows; // and rows that are computed
  u32 pad[12];            // one cache line a phase: others spin on it
} ty_counter;

typedef struct {
  ty_job job; // first, so that a job's address is its step's
  ty_team *team;
  const ty_program *program;
  const ty_phase *phases;
  const ty_row_op *ops;
  const ty_linear *linears;
  const ty_attention *attentions;
  const ty_route *routes;
  const ty_experts *experts;
  const ty_conv *convs;
  const ty_scan *scans;
  ty_counter *counters;
  u64 base[TY_SPACES];
  ty_format formats; // the bits of a format that kernels may see
  u32 n_tokens;  // cells before the padding
  u32 n_sampled; // rows whose logits are wanted
  bool shares;   // tokens of a decode that follow one another in one sequence are among the rows
} ty_step;

// A worker: the step's spaces with its own private scratch.
typedef struct {
  const ty_step *step;
  ty_rows_context rows;
} ty_worker;

static void step_begin(ty_step *step, ty_team *team, const ty_program *program) {
  const u8 *bytes = (const u8 *)program;
  step->team = team;
  step->program = program;
  step->phases = (const ty_phase *)(bytes + program->phases);
  step->ops = (const ty_row_op *)(bytes + program->ops);
  step->linears = (const ty_linear *)(bytes + program->linears);
  step->attentions = (const ty_attention *)(bytes + program->attentions);
  step->routes = (const ty_route *)(bytes + program->routes);
  step->experts = (const ty_experts *)(bytes + program->experts);
  step->convs = (const ty_conv *)(bytes + program->convs);
  step->scans = (const ty_scan *)(bytes + program->scans);
  step->base[TY_SHARED] = (u64)team->shared;
  step->base[TY_PRIVATE] = (u64)team->private_;
  step->counters = (ty_counter *)team->shared;
  step->formats = team->amx ? ~0u : ~TY_MATRIX;
  for (u32 p = 0; p < program->n_phases; p++) {
    __c11_atomic_store(&step->counters[p].next, 0, __ATOMIC_RELAXED);
    __c11_atomic_store(&step->counters[p].done, 0, __ATOMIC_RELAXED);
    __c11_atomic_store(&step->counters[p].next_row, 0, __ATOMIC_RELAXED);
    __c11_atomic_store(&step->counters[p].done_rows, 0, __ATOMIC_RELAXED);
  }
  step->job.sequence = ++team->sequence;
}

static const i32 *step_inputs(const ty_step *step, u32 space) { return (const i32 *)step->base[space]; }

// Entries of a row of the tables; 0 where no kernel reads them.
static u32 step_entries(const ty_step *step) {
  const ty_program *program = step->program;
  if (program->n_attentions) return step->attentions[0].pages;
  if (program->n_convs) return step->convs[0].entries;
  return program->n_scans ? step->scans[0].entries : 0;
}

// Whether row r of a decode is the token behind that of the row before it: its table has, at that row's
// position, the block which that row writes, and nobody has a block that another writes. Models
// without attention have such blocks too, though nothing is in them.
static bool row_follows(const ty_step *step, u32 r) {
  if (r == 0) return false;
  const i32 *positions = step_inputs(step, TY_POSITIONS), before = positions[r - 1];
  if (positions[r] != before + 1) return false;
  const i32 *table = step_inputs(step, TY_TABLES) + (u64)r * step_entries(step);
  return table[(u32)before / TY_PAGE] == step_inputs(step, TY_SLOTS)[2 * (r - 1)];
}

static bool step_shares(const ty_step *step) {
  if (step->program->tokens != 1 || step_entries(step) == 0) return false;
  for (u32 r = 1; r < step->n_tokens; r++) {
    if (row_follows(step, r)) return true;
  }
  return false;
}

// Finds the real cells: padding is at the end.
static void step_count(ty_step *step, const i32 *positions, const i32 *sampled) {
  const u32 cells = step->program->batch * step->program->tokens;
  step->n_tokens = cells;
  while (step->n_tokens && positions[step->n_tokens - 1] < 0) step->n_tokens--;
  step->n_sampled = 0;
  while (step->n_sampled < step->program->rows && sampled[step->n_sampled] >= 0) step->n_sampled++;
  step->shares = step_shares(step);
}

// From here on the worker's scratch is that of worker `index`.
static void worker_scratch(ty_worker *worker, u32 index) {
  const ty_step *step = worker->step;
  worker->rows.base[TY_PRIVATE] = step->base[TY_PRIVATE] + (u64)index * step->team->private_bytes;
}

static ty_worker worker_of(const ty_step *step, u32 index) {
  ty_worker worker = {.step = step, .rows = {.attentions = step->attentions, .routes = step->routes}};
  worker.rows.formats = step->formats;
  worker.rows.n_tokens = step->n_tokens;
  for (u32 space = 0; space < TY_SPACES; space++) worker.rows.base[space] = step->base[space];
  worker_scratch(&worker, index);
  return worker;
}

static u32 phase_rows(const ty_step *step, const ty_phase *phase) {
  if (phase->over >= 2) return step->n_tokens * step->routes[phase->over - 2].used;
  return phase->over ? step->n_sampled : step->n_tokens;
}

// The product of a phase, with the format that this machine serves.
static ty_linear step_linear(const ty_step *step, const ty_phase *phase) {
  ty_linear linear = step->linears[phase->kernel];
  linear.format &= step->formats;
  return linear;
}

// Rows of a chunk of row operations. Sixteen fill a page of the cache and a band of packed rows, so
// that no two workers write one cache line; fewer chunks are fewer claims.
static u32 rows_of_chunk(const ty_step *step, const ty_phase *phase, u32 rows) {
  const u32 share = rows / (4 * step->team->n_workers), most = share >= 32 ? 32 : share >= 16 ? 16 : 0;
  return most > phase->rows_a_chunk ? most : phase->rows_a_chunk;
}

// Whether a prompt's kernels may use matrix registers.
static bool step_matrix(const ty_step *step) { return step->formats & TY_MATRIX; }

// Whether a product does the phase of row operations behind it at once.
static bool step_joins(const ty_step *step, const ty_phase *phase) {
  return TY_HAS_AMX && phase->joined && step_matrix(step);
}

// The chunks of such a product: as those of one with as many outputs as the result has.
static u32 joined_chunks(const ty_step *step, const ty_phase *phase, u32 rows) {
  const ty_phase *other = &step->phases[phase->joined - 1];
  ty_linear narrow = step_linear(step, phase);
  narrow.n = step->ops[other->first_op + other->n_ops - 1].width;
  return ty_linear_chunks(&narrow, rows, step->team->n_workers);
}

// Runs of tokens of recurrent layers' phases: a prompt, or one token each.
static u32 step_runs(const ty_step *step) { return step->program->tokens == 1 ? step->n_tokens : 1; }

// Run `index`, of rows of the tables that have `entries`. Where it `follows`, it goes on from what the
// run before has left.
static ty_run step_run(const ty_step *step, u32 index, u32 entries, bool follows) {
  const u32 tokens = step->program->tokens;
  const i32 *slot = step_inputs(step, TY_TABLES) + (u64)index * entries + entries - 1;
  ty_run run = {.first = index, .count = tokens == 1 ? 1 : step->n_tokens, .slot = (u32)*slot};
  run.from = follows ? (u32)*(slot - entries) : run.slot;
  run.fresh = step_inputs(step, TY_POSITIONS)[run.first] == 0;
  return run;
}

// Runs of one sequence from `first` on, one behind the other; none where `first` follows another.
static u32 step_chain(const ty_step *step, u32 first) {
  if (!step->shares) return 1;
  if (row_follows(step, first)) return 0;
  u32 runs = 1;
  while (first + runs < step->n_tokens && row_follows(step, first + runs)) runs++;
  return runs;
}

// Parts of a decode's attention: a head of keys and values and a split each.
static u32 decode_parts(const ty_step *step, const ty_attention *attention) {
  const i32 *positions = step_inputs(step, TY_POSITIONS);
  u32 splits = 0;
  for (u32 r = 0; r < step->n_tokens; r++) splits += ty_attention_splits(attention, positions[r]);
  return attention->kv_heads * splits;
}

// Whether all rows of a decode are appended before any is read: those of one sequence see one another.
static bool decode_appends_first(const ty_step *step, const ty_phase *phase) {
  return phase->kind == TY_PHASE_DECODE && step->shares;
}

// Whether a chunk of decode is a whole row with its prologue: where the rows suffice for all workers,
// and none is longer than a split.
static bool decode_takes_rows(const ty_step *step, const ty_phase *phase) {
  if (phase->kind != TY_PHASE_DECODE || step->shares || step->n_tokens < step->team->n_workers) return false;
  const ty_attention *attention = &step->attentions[phase->kernel];
  return decode_parts(step, attention) == attention->kv_heads * step->n_tokens;
}

static u32 phase_chunks(const ty_step *step, const ty_phase *phase) {
  const u32 rows = phase_rows(step, phase);
  if (rows == 0) return 0;
  switch (phase->kind) {
    case TY_PHASE_ROWS:
      if (step_joins(step, phase)) return 0;
      return (rows + rows_of_chunk(step, phase, rows) - 1) / rows_of_chunk(step, phase, rows);
    case TY_PHASE_LINEAR: {
      if (step_joins(step, phase)) return joined_chunks(step, phase, rows);
      const ty_linear linear = step_linear(step, phase);
      return ty_linear_chunks(&linear, rows, step->team->n_workers);
    }
    case TY_PHASE_PREFILL: {
      const ty_attention *attention = &step->attentions[phase->kernel];
      const u32 tokens = ty_attention_tokens(attention, step_matrix(step));
      return attention->kv_heads * ((rows + tokens - 1) / tokens);
    }
    case TY_PHASE_ROUTE:
      return 1;
    case TY_PHASE_EXPERTS: {
      const ty_experts *experts = &step->experts[phase->kernel];
      return ty_experts_chunks(experts, &step->routes[experts->route], rows, step->team->n_workers);
    }
    case TY_PHASE_CONV:
      return step_runs(step) * ty_conv_chunks(&step->convs[phase->kernel]);
    case TY_PHASE_SCAN:
      return step_runs(step) * ty_scan_chunks(&step->scans[phase->kernel]);
    default:
      if (decode_takes_rows(step, phase)) return rows;
      return decode_parts(step, &step->attentions[phase->kernel]);
  }
}

// Whether the prologue's rows are divided among the workers of a phase.
static bool prologue_divides(const ty_step *step, const ty_phase *phase) {
  if (phase->kind == TY_PHASE_ROWS || decode_takes_rows(step, phase)) return false;
  if (phase->n_ops == 0 && !decode_appends_first(step, phase)) return false;
  return step->team->n_workers > 1 && phase_rows(step, phase) > 1;
}

// Whether a divided prologue packs rows alone, for every worker to gather: then no two workers write
// one cache line, and the product reads rows side by side.
static bool prologue_gathers(const ty_step *step, const ty_phase *phase) {
  if (phase->kind != TY_PHASE_LINEAR || !prologue_divides(step, phase)) return false;
  const ty_linear linear = step_linear(step, phase);
  return !amx_serves(linear.format, linear.k);
}

// Key and value of row r and one head, to the cache.
static void decode_append(const ty_worker *worker, const ty_attention *attention, u32 r, u32 kv_head) {
  const ty_step *step = worker->step;
  const u32 d = attention->head_dim;
  const f32 *k = (const f32 *)ty_at(&worker->rows, attention->k) + (u64)r * attention->k_stride;
  const f32 *v = (const f32 *)ty_at(&worker->rows, attention->v) + (u64)r * attention->v_stride;
  ty_attention_append(attention, (u8 *)step->base[TY_CACHE], step_inputs(step, TY_SLOTS) + 2 * r, kv_head,
                      k + kv_head * d, v + kv_head * d);
}

// Rows `first` to `end` of a prologue, and their append where it has to come first.
static void prologue_rows(const ty_worker *worker, const ty_phase *phase, u32 first, u32 end, int stores,
                          ty_ahead *ahead) {
  const ty_step *step = worker->step;
  ty_rows_run(&worker->rows, step->ops + phase->first_op, phase->n_ops, first, end, phase_rows(step, phase), stores,
              ahead);
  if (!decode_appends_first(step, phase)) return;
  const ty_attention *attention = &step->attentions[phase->kernel];
  for (u32 r = first; r < end; r++) {
    for (u32 head = 0; head < attention->kv_heads; head++) decode_append(worker, attention, r, head);
  }
}

// A prologue that is not divided: all rows, for this worker alone.
static void prologue_alone(const ty_worker *worker, const ty_phase *phase, int first, ty_ahead *ahead) {
  if (phase->kind == TY_PHASE_ROWS || decode_takes_rows(worker->step, phase)) return;
  prologue_rows(worker, phase, 0, phase_rows(worker->step, phase), first, ahead);
}

// The rows of a divided prologue that this worker gets. They stand in one scratch for all, whose
// owner has no other use for it as long as the phase has chunks that are not done. Answers how many
// rows there are: the phase's chunks begin when all of them are done.
static u32 prologue_share(const ty_worker *worker, const ty_phase *phase, ty_counter *counter, ty_ahead *ahead) {
  const ty_step *step = worker->step;
  const u32 rows = phase_rows(step, phase), workers = step->team->n_workers, share = (rows + workers - 1) / workers;
  while (__c11_atomic_load(&counter->next_row, __ATOMIC_RELAXED) < rows) {
    const u32 first = __c11_atomic_fetch_add(&counter->next_row, share, __ATOMIC_RELAXED);
    if (first >= rows) break;
    const u32 end = first + share < rows ? first + share : rows;
    prologue_rows(worker, phase, first, end, 1, ahead);
    __c11_atomic_fetch_add(&counter->done_rows, end - first, __ATOMIC_RELEASE);
  }
  return rows;
}

// The operands of a product whose rows have been packed alone, from the scratch of worker 0 to that of
// worker `index`, which is this one.
static void prologue_gather(ty_worker *worker, u32 index, const ty_phase *phase) {
  const ty_linear linear = step_linear(worker->step, phase);
  const u8 *alone = ty_packed_alone(linear.k, ty_at(&worker->rows, linear.packed));
  worker_scratch(worker, index);
  ty_linear_gather(linear.format, linear.k, phase_rows(worker->step, phase), alone, ty_linear_alone_bytes(linear.k),
                   ty_at(&worker->rows, linear.packed));
}

// A part of a decode's attention, of one row.
typedef struct {
  u32 row;
  ty_attention_part part;
} decode_part;

// Parts count through tokens, then heads, then splits.
static decode_part decode_part_of(const ty_step *step, const ty_attention *attention, u32 index) {
  const i32 *positions = step_inputs(step, TY_POSITIONS);
  u32 r = 0, splits = ty_attention_splits(attention, positions[0]);
  while (index >= splits * attention->kv_heads) {
    index -= splits * attention->kv_heads;
    splits = ty_attention_splits(attention, positions[++r]);
  }
  const i32 *table = step_inputs(step, TY_TABLES) + (u64)r * attention->pages;
  return (decode_part){r, {table, positions[r], index / splits, index % splits, splits}};
}

// What a chunk of a product of few rows, or of decode, begins with: weights, or keys and values. A
// worker asks for weights while it waits for others and computes the prologue, when memory has
// nothing else to do; for keys and values at once.
static ty_ahead phase_ahead(const ty_worker *worker, const ty_phase *phase, u32 chunk, u32 chunks) {
  const ty_step *step = worker->step;
  if (phase->kind == TY_PHASE_DECODE) {
    const ty_attention *attention = &step->attentions[phase->kernel];
    const u32 parts = decode_takes_rows(step, phase) ? attention->kv_heads : 1;
    const decode_part part = decode_part_of(step, attention, chunk * parts);
    ty_attention_fetch(attention, (const u8 *)step->base[TY_CACHE], &part.part);
  }
  if (phase->kind != TY_PHASE_LINEAR || phase_rows(step, phase) > TY_FEW || step_joins(step, phase)) {
    return (ty_ahead){0, 0};
  }
  const ty_linear *linear = &step->linears[phase->kernel];
  const u64 bytes = tile_bytes(linear->format, linear->k);
  const part own = part_of(linear_tiles(linear), chunk, chunks);
  const u8 *at = ty_at(&worker->rows, linear->weights) + own.begin * bytes;
  const u64 all = (own.end - own.begin) * bytes;
  return (ty_ahead){at, at + (all < TY_AHEAD_MOST ? all : TY_AHEAD_MOST)};
}

// A product with the row operations behind it, the last of which packs what they give.
static void joined_linear_chunk(const ty_worker *worker, const ty_phase *phase, u32 chunk, u32 chunks) {
#if TY_HAS_AMX
  const ty_step *step = worker->step;
  const ty_phase *other = &step->phases[phase->joined - 1];
  const ty_row_op *ops = step->ops + other->first_op, *pack = ops + other->n_ops - 1;
  const ty_linear linear = step_linear(step, phase);
  const joined_plan plan = joined_plan_of(ops, other->n_ops - 1, linear.y);
  const joined_call call = {
      .linear = &linear,
      .weights = ty_at(&worker->rows, linear.weights),
      .packed = ty_at(&worker->rows, linear.packed),
      .plan = &plan,
      .out = ty_at(&worker->rows, pack->dst.ref),
      .width = pack->width,
      .rows = phase_rows(step, phase),
  };
  joined_chunk(&call, chunk, chunks);
#else
  (void)worker, (void)phase, (void)chunk, (void)chunks;
#endif
}

static void linear_chunk(const ty_worker *worker, const ty_phase *phase, u32 chunk, u32 chunks) {
  const ty_linear linear = step_linear(worker->step, phase);
  ty_linear_chunk(&linear, ty_at(&worker->rows, linear.weights), ty_at(&worker->rows, linear.packed),
                  phase_rows(worker->step, phase), (f32 *)ty_at(&worker->rows, linear.y), chunk, chunks);
}

static void route_chunk(const ty_worker *worker, const ty_phase *phase) {
  const ty_route *route = &worker->step->routes[phase->kernel];
  ty_route_tokens(route, (const f32 *)ty_at(&worker->rows, route->scores), worker->step->n_tokens,
                  (i32 *)ty_at(&worker->rows, route->ids), ty_at(&worker->rows, route->table));
}

static void experts_chunk(const ty_worker *worker, const ty_phase *phase, u32 chunk, u32 chunks) {
  const ty_step *step = worker->step;
  ty_experts experts = step->experts[phase->kernel];
  experts.linear.format &= step->formats;
  const ty_route *route = &step->routes[experts.route];
  const ty_linear *linear = &experts.linear;
  ty_experts_chunk(&experts, table_of(route, ty_at(&worker->rows, route->table)), route->experts,
                   ty_at(&worker->rows, linear->weights), ty_at(&worker->rows, linear->packed),
                   (f32 *)ty_at(&worker->rows, linear->y), experts.of_tokens && step->n_tokens == 1,
                   step->team->n_workers, chunk, chunks);
}

static void prefill_chunk(const ty_worker *worker, const ty_phase *phase, u32 chunk) {
  const ty_step *step = worker->step;
  const ty_attention *attention = &step->attentions[phase->kernel];
  const bool matrix = step_matrix(step);
  const u32 most = ty_attention_tokens(attention, matrix), tiles = (step->n_tokens + most - 1) / most;
  // The last tiles see the most keys: first they come, so that none is left over alone.
  const u32 kv_head = chunk % attention->kv_heads, tile = tiles - 1 - chunk / attention->kv_heads;
  const u32 first = tile * most, left = step->n_tokens - first, n = left < most ? left : most;
  // The planner's rows are padded to 16.
  const u32 out_stride = (attention->heads * attention->head_dim + 15) / 16 * 16;
  const f32 *q = (const f32 *)ty_at(&worker->rows, attention->q) + (u64)first * attention->q_stride;
  f32 *out = (f32 *)ty_at(&worker->rows, attention->out) + (u64)first * out_stride;
  ty_attention_prefill(attention, matrix, ty_sinks(&worker->rows, attention), (const u8 *)step->base[TY_CACHE], step_inputs(step, TY_TABLES),
                       step_inputs(step, TY_POSITIONS)[first], n, q, attention->q_stride, kv_head, out,
                       out_stride);
}

// The last split holds the newest position, so it appends before it reads, unless all rows were appended
// before. Keys and values of `next` are asked for meanwhile, unless there is no such part.
static void decode_part_run(const ty_worker *worker, const ty_attention *attention, u32 index, u32 next) {
  const ty_step *step = worker->step;
  const decode_part own = decode_part_of(step, attention, index);
  const u32 r = own.row, kv_head = own.part.kv_head, d = attention->head_dim;
  const u8 *cache = (const u8 *)step->base[TY_CACHE];
  if (own.part.split == own.part.splits - 1 && !step->shares) decode_append(worker, attention, r, kv_head);
  const u32 group = attention->heads / attention->kv_heads;
  const f32 *q = (const f32 *)ty_at(&worker->rows, attention->q) + (u64)r * attention->q_stride;
  f32 *partials = (f32 *)ty_at(&worker->rows, attention->out);
  const u64 a_head = (u64)TY_MAX_SPLITS * ty_partial_stride(d);
  const bool more = next < decode_parts(step, attention);
  const decode_part ahead = decode_part_of(step, attention, more ? next : index);
  ty_attention_decode(attention, cache, &own.part, more ? &ahead.part : 0, q + kv_head * group * d,
                      partials + ((u64)r * attention->heads + kv_head * group) * a_head);
}

// Chunks count through runs, then channels.
static void conv_chunk(const ty_worker *worker, const ty_phase *phase, u32 chunk) {
  const ty_step *step = worker->step;
  const ty_conv *conv = &step->convs[phase->kernel];
  const u32 each = ty_conv_chunks(conv);
  const u32 first = chunk / each, runs = step_chain(step, first);
  const f32 *bias = conv->has_bias ? (const f32 *)ty_at(&worker->rows, conv->bias) : (const f32 *)0;
  for (u32 i = 0; i < runs; i++) {
    ty_conv_chunk(conv, step_run(step, first + i, conv->entries, i > 0), (u8 *)step->base[TY_CACHE],
                  (const f32 *)ty_at(&worker->rows, conv->weight), bias,
                  (const f32 *)ty_at(&worker->rows, conv->x), (f32 *)ty_at(&worker->rows, conv->out),
                  chunk % each);
  }
}

// Chunks count through runs, then heads, then columns.
static void scan_chunk(const ty_worker *worker, const ty_phase *phase, u32 chunk) {
  const ty_step *step = worker->step;
  const ty_scan *scan = &step->scans[phase->kernel];
  const u32 each = ty_scan_chunks(scan);
  const bool no_d = scan->rule == TY_DELTA || scan->rule == TY_RG_LRU;
  const bool gated = no_d || scan->rule == TY_DPLR;
  const ty_scan_operands at = {
      .v = (const f32 *)ty_at(&worker->rows, scan->v),
      .k = (const f32 *)ty_at(&worker->rows, scan->k),
      .q = (const f32 *)ty_at(&worker->rows, scan->q),
      .dt = (const f32 *)ty_at(&worker->rows, scan->dt),
      .gate = gated ? (const f32 *)ty_at(&worker->rows, scan->gate) : (const f32 *)0,
      .a_log = (const f32 *)ty_at(&worker->rows, scan->a_log),
      .dt_bias = (const f32 *)ty_at(&worker->rows, scan->dt_bias),
      .d = no_d ? (const f32 *)0 : (const f32 *)ty_at(&worker->rows, scan->d),
      .out = (f32 *)ty_at(&worker->rows, scan->out),
  };
  const u32 first = chunk / each, runs = step_chain(step, first);
  for (u32 i = 0; i < runs; i++) {
    ty_scan_chunk(scan, step_run(step, first + i, scan->entries, i > 0), (u8 *)step->base[TY_CACHE], &at,
                  chunk % each);
  }
}

// Which chunk this worker gets next, others decide; mostly it is as many further as there are workers.
static void decode_chunk(const ty_worker *worker, const ty_phase *phase, u32 chunk) {
  const ty_step *step = worker->step;
  const ty_attention *attention = &step->attentions[phase->kernel];
  const u32 further = chunk + step->team->n_workers, heads = attention->kv_heads;
  if (!decode_takes_rows(step, phase)) {
    decode_part_run(worker, attention, chunk, further);
    return;
  }
  ty_ahead nothing = {0, 0};
  ty_rows_run(&worker->rows, step->ops + phase->first_op, phase->n_ops, chunk, chunk + 1, step->n_tokens, 1, &nothing);
  for (u32 head = 0; head < heads; head++) {
    const u32 index = chunk * heads + head;
    decode_part_run(worker, attention, index, head + 1 < heads ? index + 1 : further * heads);
  }
}

static void phase_chunk(const ty_worker *worker, const ty_phase *phase, u32 chunk, u32 chunks) {
  switch (phase->kind) {
    case TY_PHASE_ROWS: {
      const u32 rows = phase_rows(worker->step, phase), some = rows_of_chunk(worker->step, phase, rows);
      const u32 first = chunk * some, end = first + some < rows ? first + some : rows;
      ty_ahead nothing = {0, 0};
      ty_rows_run(&worker->rows, worker->step->ops + phase->first_op, phase->n_ops, first, end, rows, 1, &nothing);
      break;
    }
    case TY_PHASE_LINEAR:
      if (step_joins(worker->step, phase)) {
        joined_linear_chunk(worker, phase, chunk, chunks);
      } else {
        linear_chunk(worker, phase, chunk, chunks);
      }
      break;
    case TY_PHASE_PREFILL:
      prefill_chunk(worker, phase, chunk);
      break;
    case TY_PHASE_ROUTE:
      route_chunk(worker, phase);
      break;
    case TY_PHASE_EXPERTS:
      experts_chunk(worker, phase, chunk, chunks);
      break;
    case TY_PHASE_CONV:
      conv_chunk(worker, phase, chunk);
      break;
    case TY_PHASE_SCAN:
      scan_chunk(worker, phase, chunk);
      break;
    default:
      decode_chunk(worker, phase, chunk);
  }
}
