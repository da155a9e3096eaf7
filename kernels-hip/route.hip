// route.hip -- the choice of each token's experts, and the order of rows by expert.
//
// Maths      ty_route of kernels-cpu/program.h; the table is kernels-cpu/experts.h's, but for `units`,
//            which only CPUs read
// Launch     one workgroup: a wave chooses for a token at a time; then one wave counts and places
// Bound by   latency; scores and tables are a few KiB
// Numerics   Equal scores: the lower index first. A NaN counts as +inf. Rows of an expert are in the
//            order of tokens.

#include "common/rows.h"

// Experts that counts are kept for in LDS.
#define EXPERTS_MOST 2048

// The largest score after `last` at `last_id`, in the order of falling scores and rising indices;
// the same in all lanes. 0x7fffffff: there is none.
TY_DEVICE i32 next_best(const TY_GLOBAL f32 *far, const TY_LOCAL f32 *near, u32 n, f32 *last, i32 last_id) {
  f32 best = -__builtin_inff();
  i32 id = 0x7fffffff;
  for (u32 i = lane_id(); i < n; i += TY_WAVE) {
    f32 v = near ? near[i] : far[i];
    v = v != v ? __builtin_inff() : v;
    const bool after = v < *last || (v == *last && (i32)i > last_id);
    if (after && (id == 0x7fffffff || v > best)) {
      best = v;
      id = (i32)i;
    }
  }
  for (u32 distance = 1; distance < TY_WAVE; distance *= 2) {
    const u32 other = (lane_id() ^ distance) * 4;
    const f32 v = __builtin_bit_cast(f32, __builtin_amdgcn_ds_bpermute((int)other, __builtin_bit_cast(int, best)));
    const i32 i = __builtin_amdgcn_ds_bpermute((int)other, id);
    const bool better = i != 0x7fffffff && (id == 0x7fffffff || v > best || (v == best && i < id));
    best = better ? v : best;
    id = better ? i : id;
  }
  *last = best;
  return id;
}

// Scores of one token: far away or near.
struct score_row {
  const TY_GLOBAL f32 *far;
  const TY_LOCAL f32 *near;
};

// The same among n of them from `begin` on, counted from there.
TY_DEVICE i32 next_from(const score_row &scores, u32 begin, u32 n, f32 *last, i32 last_id) {
  const TY_LOCAL f32 *near = scores.near ? scores.near + begin : scores.near;
  return next_best(scores.far + begin, near, n, last, last_id);
}

// The sum of the `best` largest of n scores; what is no number counts as +inf.
TY_DEVICE f32 best_sum(const score_row &scores, u32 begin, u32 n, u32 best) {
  f32 score = __builtin_inff(), sum = 0;
  i32 id = -1;
  for (u32 i = 0; i < best; ++i) {
    id = next_from(scores, begin, n, &score, id);
    sum += score;
  }
  return sum != sum ? __builtin_inff() : sum;
}

// The groups with the largest sums, as bits: those that come before group g are counted.
TY_DEVICE u64 best_groups(route_ref route, const score_row &scores, u32 size) {
  u64 kept = 0;
  for (u32 g = 0; g < route->groups; ++g) {
    const f32 own = best_sum(scores, g * size, size, route->best);
    u32 before = 0;
    for (u32 other = 0; other < route->groups; ++other) {
      const f32 sum = best_sum(scores, other * size, size, route->best);
      before += sum > own || (sum == own && other < g);
    }
    if (before < route->kept) kept |= (u64)1 << g;
  }
  return kept;
}

// The largest score after `last` at `last_id` in the groups of `kept`.
TY_DEVICE i32 next_in_groups(route_ref route, const score_row &scores, u64 kept, f32 *last, i32 last_id) {
  const u32 size = route->experts / route->groups;
  f32 best = 0;
  i32 id = -1;
  for (u32 g = 0; g < route->groups; ++g) {
    if (!(kept >> g & 1)) continue;
    f32 score = *last;
    const i32 own = next_from(scores, g * size, size, &score, last_id - (i32)(g * size));
    if (own == 0x7fffffff || (id >= 0 && score <= best)) continue;
    best = score;
    id = (i32)(g * size) + own;
  }
  *last = best;
  return id;
}

TY_KERNEL(ty_choose) {
  TY_LDS static f32 lds_[PROLOGUE_FLOATS];
  TY_LDS static f32 room[TY_WAVES];
  TY_LDS static i32 counts_[EXPERTS_MOST + 1];
  TY_LOCAL f32 *lds = (TY_LOCAL f32 *)lds_;
  TY_LOCAL i32 *counts = (TY_LOCAL i32 *)counts_;
  const phase_ref phase = phase_of(step);
  const route_ref route = route_of(step, phase->kernel);
  const u32 experts = route->experts, used = route->used, all = phase->rows_a_chunk;
  const row_group group = {step, lds, (TY_LOCAL f32 *)room, 0, true};
  u32 tokens = 0;
  while (tokens < all && input(step, TY_POSITIONS, tokens) >= 0) ++tokens;
  if (tokens > 0) rows_run(group, phase);
  const bool local = is_private(route->scores);
  TY_GLOBAL i32 *ids = global_at<i32>(address_of(step, route->ids));
  for (u32 t = wave_id(); t < tokens; t += TY_WAVES) {
    const u64 far = local ? 0 : address_of(step, route->scores) + (u64)t * route->scores_stride * 4;
    const TY_LOCAL f32 *near = local ? lds + offset_of(route->scores) / 4 : (TY_LOCAL f32 *)0;
    const score_row scores = {global_at<const f32>(far), near};
    const u64 kept = route->groups ? best_groups(route, scores, experts / route->groups) : 0;
    f32 score = __builtin_inff();
    i32 id = -1;
    for (u32 i = 0; i < used; ++i) {
      id = kept ? next_in_groups(route, scores, kept, &score, id) : next_from(scores, 0, experts, &score, id);
      if (lane_id() == 0) ids[(u64)t * used + i] = id;
    }
  }
  const route_table table = table_of(step, route);
  for (u32 e = thread_id(); e <= experts; e += TY_THREADS) counts[e] = 0;
  barrier();
  // Few assignments: one lane counts them in their order.
  if (thread_id() == 0) {
    for (u32 a = 0; a < tokens * used; ++a) counts[ids[a] + 1] += 1;
    for (u32 e = 0; e < experts; ++e) counts[e + 1] += counts[e];
  }
  barrier();
  for (u32 e = thread_id(); e <= experts; e += TY_THREADS) table.begins[e] = counts[e];
  barrier();
  if (thread_id() == 0) {
    for (u32 a = 0; a < tokens * used; ++a) {
      const i32 owner = ids[a], place = counts[owner]++;
      table.assignments[place] = (i32)a;
      table.places[a] = place;
      table.owners[place] = owner;
    }
  }
}
