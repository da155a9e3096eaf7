// experts.h -- mixtures of experts: the choice of each token's experts, the order of rows by
// expert, and the products of each expert's rows with its own matrix.
//
// Routed rows  A token has a row for each of its experts. They stand expert after expert, and of
//              one expert in the order of tokens, so that each expert's rows are one product.
// Table        What routes them, i32s: begins [experts + 1], the first row of each expert;
//              units [experts], its first place among packed rows; then for each routed row
//              assignments, token * used + which; places, the row of each assignment; owners,
//              the row's expert.
// Packed       An expert's rows are packed as one product (linear.h) from its unit on: as many
//              units as rows where they are few, else as rows padded to whole groups.
// Bound by     the weights of the experts that have rows, each read once; choosing and sorting
//              are one chunk, some microseconds for a prompt's tokens.
// Numerics     Equal scores: the lower index first. A NaN counts as +inf. Nothing depends on the
//              number of workers.

#pragma once

#include "linear_chunks.h"

typedef struct {
  i32 *begins, *units, *assignments, *places, *owners;
} route_table;

TY_INLINE route_table table_of(const ty_route *route, u8 *at) {
  route_table t;
  t.begins = (i32 *)at;
  t.units = t.begins + route->experts + 1;
  t.assignments = t.units + route->experts;
  t.places = t.assignments + route->rows;
  t.owners = t.places + route->rows;
  return t;
}

// Bytes of a unit: a packed row, at a multiple of 64.
TY_INLINE u64 routed_row_bytes(u32 k) { return ty_linear_alone_bytes(k); }

// Units of an expert with `rows` rows.
TY_INLINE u32 routed_units(u32 rows) {
  return rows <= TY_FEW ? rows : (rows + TY_GROUP - 1) / TY_GROUP * TY_GROUP;
}

// ---- the choice -----------------------------------------------------------------------

// The largest score after `last` at `last_id`, in the order of falling scores and, where they
// are equal, of rising indices.
static u32 next_best(const f32 *scores, u32 n, f32 last, i32 last_id, f32 *score) {
  const i32 none = 0x7fffffff;
  f32x16 best = -__builtin_inff();
  i32x16 ids = none;
  for (u32 i = 0; i < n; i += 16) {
    const i32x16 id = (i32x16)(ty_lane + i);
    f32x16 v = load_up_to(scores + i, n - i);
    v = v != v ? (f32x16)__builtin_inff() : v;
    i32x16 better = (v < last) | ((v == last) & (id > last_id));
    better &= (id < (i32)n) & ((v > best) | (ids == none));
    best = better ? v : best;
    ids = better ? id : ids;
  }
  u32 lane = 0;
  for (u32 l = 1; l < 16; ++l) {
    if (ids[l] == none) continue;
    const int better = best[l] > best[lane] || (best[l] == best[lane] && ids[l] < ids[lane]);
    if (ids[lane] == none || better) lane = l;
  }
  *score = best[lane];
  return (u32)ids[lane];
}

// The `used` largest of n scores.
static void choose(const f32 *scores, u32 n, u32 used, i32 *ids) {
  f32 score = __builtin_inff();
  i32 id = -1;
  for (u32 i = 0; i < used; ++i) {
    id = (i32)next_best(scores, n, score, id, &score);
    ids[i] = id;
  }
}

// The sum of the `best` largest of n scores; what is no number counts as +inf.
static f32 best_sum(const f32 *scores, u32 n, u32 best) {
  f32 score = __builtin_inff(), sum = 0;
  i32 id = -1;
  for (u32 i = 0; i < best; ++i) {
    id = (i32)next_best(scores, n, score, id, &score);
    sum += score;
  }
  return sum != sum ? __builtin_inff() : sum;
}

// The groups with the largest sums, as bits.
static u64 best_groups(const ty_route *route, const f32 *scores, u32 size) {
  f32 sums[64];
  for (u32 g = 0; g < route->groups; ++g) sums[g] = best_sum(scores + (u64)g * size, size, route->best);
  u64 kept = 0;
  for (u32 i = 0; i < route->kept; ++i) {
    u32 best = 64;
    for (u32 g = 0; g < route->groups; ++g) {
      if (!(kept >> g & 1) && (best == 64 || sums[g] > sums[best])) best = g;
    }
    kept |= (u64)1 << best;
  }
  return kept;
}

// The `used` largest scores of the best groups.
static void choose_in_groups(const ty_route *route, const f32 *scores, i32 *ids) {
  const u32 size = route->experts / route->groups;
  const u64 kept = best_groups(route, scores, size);
  f32 last = __builtin_inff();
  i32 last_id = -1;
  for (u32 i = 0; i < route->used; ++i) {
    f32 best = 0;
    i32 id = -1;
    for (u32 g = 0; g < route->groups; ++g) {
      if (!(kept >> g & 1)) continue;
      const i32 begin = (i32)(g * size);
      f32 score;
      const i32 own = (i32)next_best(scores + begin, size, last, last_id - begin, &score);
      // A group that is all chosen has none.
      if (own >= (i32)size || (id >= 0 && score <= best)) continue;
      best = score;
      id = begin + own;
    }
    ids[i] = id;
    last = best;
    last_id = id;
  }
}

// ---- the order ------------------------------------------------------------------------

// Sorts the assignments of `rows` routed rows by expert, in their own order within one.
static void sort_by_expert(const ty_route *route, const i32 *ids, u32 rows, route_table t) {
  const u32 experts = route->experts;
  for (u32 e = 0; e <= experts; ++e) t.begins[e] = 0;
  for (u32 a = 0; a < rows; ++a) t.begins[ids[a] + 1] += 1;
  for (u32 e = 0; e < experts; ++e) {
    t.begins[e + 1] += t.begins[e];
    t.units[e] = t.begins[e]; // for now: the next row of the expert
  }
  for (u32 a = 0; a < rows; ++a) {
    const i32 place = t.units[ids[a]]++;
    t.assignments[place] = (i32)a;
    t.places[a] = place;
    t.owners[place] = ids[a];
  }
  i32 unit = 0;
  for (u32 e = 0; e < experts; ++e) {
    t.units[e] = unit;
    unit += (i32)routed_units((u32)(t.begins[e + 1] - t.begins[e]));
  }
}

// The one chunk of a route: the experts of `tokens` tokens.
static void ty_route_tokens(const ty_route *route, const f32 *scores, u32 tokens, i32 *ids, u8 *table) {
  for (u32 t = 0; t < tokens; ++t) {
    const f32 *own = scores + (u64)t * route->scores_stride;
    if (route->groups) {
      choose_in_groups(route, own, ids + (u64)t * route->used);
    } else {
      choose(own, route->experts, route->used, ids + (u64)t * route->used);
    }
  }
  sort_by_expert(route, ids, tokens * route->used, table_of(route, table));
}

// ---- the products ---------------------------------------------------------------------

// Chunks of the products of `rows` routed rows: of the step's sizes alone, since workers ask
// before the table is there. A chunk is a part of all products' own chunks.
static u32 ty_experts_chunks(const ty_experts *experts, const ty_route *route, u32 rows, u32 workers) {
  if (workers <= 1) return 1;
  const u32 active = rows < route->experts ? rows : route->experts;
  return (u32)clamped(active * experts->expert_bytes / CHUNK_BYTES, workers, workers * CHUNKS_OF_WORKER);
}

// Where a routed row's packed form is, its product's number of rows, and which of them it is.
typedef struct {
  u8 *packed;
  u32 rows, row;
} packed_place;

TY_INLINE packed_place packed_place_of(route_table t, u32 k, u8 *packed, u32 r) {
  const i32 owner = t.owners[r];
  packed_place p = {packed + (u64)t.units[owner] * routed_row_bytes(k), 0, r - (u32)t.begins[owner]};
  p.rows = (u32)(t.begins[owner + 1] - t.begins[owner]);
  return p;
}

// Chunk `chunk` of `chunks`. `same`: all rows are packed once, as the only row of each product.
static void ty_experts_chunk(const ty_experts *experts, route_table t, u32 n_experts, const u8 *weights,
                             const u8 *packed, f32 *y, int same, u32 workers, u32 chunk, u32 chunks) {
  const ty_linear *linear = &experts->linear;
  u32 total = 0;
  for (u32 e = 0; e < n_experts; ++e) {
    const u32 rows = (u32)(t.begins[e + 1] - t.begins[e]);
    if (rows) total += ty_linear_chunks(linear, rows, workers);
  }
  const part own = part_of(total, chunk, chunks);
  u32 first = 0;
  for (u32 e = 0; e < n_experts && first < own.end; ++e) {
    const u32 rows = (u32)(t.begins[e + 1] - t.begins[e]);
    if (rows == 0) continue;
    const u32 count = ty_linear_chunks(linear, rows, workers);
    const u32 begin = own.begin > first ? own.begin - first : 0;
    const u32 end = own.end - first < count ? own.end - first : count;
    const u8 *of_expert = packed + (same ? 0 : (u64)t.units[e] * routed_row_bytes(linear->k));
    for (u32 c = begin; c < end; ++c) {
      ty_linear_chunk(linear, weights + e * experts->expert_bytes, of_expert, rows,
                      y + (u64)t.begins[e] * linear->y_stride, c, count);
    }
    first += count;
  }
}
