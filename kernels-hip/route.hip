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
// the same in all lanes.
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
    f32 score = __builtin_inff();
    i32 id = -1;
    for (u32 i = 0; i < used; ++i) {
      id = next_best(global_at<const f32>(far), near, experts, &score, id);
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
