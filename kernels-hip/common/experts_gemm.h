// experts_gemm.h -- products of a prompt's routed rows, on matrix registers.
//
// Launch     grid = (tiles of 32 rows of one expert, n / 128): a workgroup finds its expert in the route's
//            table. An expert with few rows wastes the rest of 16; a second 16 without rows is skipped.
//            Rows of a token are packed once and gathered by the table's assignments.
// Bound by   bytes of the weights of the experts that are used, each read once for 32 rows
// Numerics   common/gemm.h

#pragma once

#include "gemm.h"

#define TY_EXPERT_TILES 2u

// Rows of one expert.
struct expert_rows {
  u32 owner, first, count;
};

// The rows of tile `tile`, expert after expert; none beyond the last.
TY_DEVICE expert_rows rows_of_tile(const route_table &table, u32 experts, u32 tile) {
  constexpr u32 rows = 16 * TY_EXPERT_TILES;
  const u32 lane = lane_id();
  expert_rows found = {0, 0, 0};
  u32 before = 0; // tiles of earlier experts
  for (u32 begin = 0; begin < experts && found.count == 0; begin += TY_WAVE) {
    const u32 e = begin + lane;
    const u32 first = e < experts ? (u32)table.begins[e] : 0, end = e < experts ? (u32)table.begins[e + 1] : 0;
    const u32 own = (end - first + rows - 1) / rows;
    u32 up_to = own; // tiles of the lanes up to this one
    for (u32 d = 1; d < TY_WAVE; d *= 2) {
      const u32 other = (u32)__builtin_amdgcn_ds_bpermute((int)((lane - d) * 4), (int)up_to);
      up_to += lane >= d ? other : 0;
    }
    const u32 number = tile - (before + up_to - own);
    const u32 mask = __builtin_amdgcn_ballot_w32(number < own);
    if (mask) {
      const u32 at = (u32)__builtin_ctz(mask);
      found.owner = begin + at;
      found.first = (u32)__builtin_amdgcn_readlane((int)(first + number * rows), (int)at);
      const u32 left = (u32)__builtin_amdgcn_readlane((int)end, (int)at) - found.first;
      found.count = left < rows ? left : rows;
    }
    before += (u32)__builtin_amdgcn_readlane((int)up_to, TY_WAVE - 1);
  }
  return found;
}

template <u32 kind> TY_DEVICE void experts_gemm(const ty_step &step, TY_LOCAL gemm_room<TY_EXPERT_TILES, 1> *room) {
  const experts_ref experts = experts_of(step, phase_of(step)->kernel);
  const linear_ref linear = &experts->linear;
  const route_ref route = route_of(step, experts->route);
  const route_table table = table_of(step, route);
  const expert_rows own = rows_of_tile(table, route->experts, group_x());
  if (own.count == 0) return;
  gemm_rows rows = {address_of(step, linear->packed), address_of(step, linear->y), linear->x_stride * 4, 0, 0, 0, 1};
  rows.first = own.first;
  rows.count = own.count;
  if (experts->of_tokens) {
    rows.assignments = (u64)table.assignments;
    rows.used = route->used;
  }
  const u64 weights = address_of(step, linear->weights) + own.owner * experts->expert_bytes;
  gemm<kind, TY_EXPERT_TILES, 1, true>(linear, weights, rows, group_y() * TY_WAVES, room);
}

#define TY_EXPERTS_GEMM(name, kind)                                                           \
  TY_KERNEL(ty_experts_gemm_##name) {                                                         \
    TY_LDS static gemm_room<TY_EXPERT_TILES, 1> room;                                         \
    experts_gemm<kind>(step, (TY_LOCAL gemm_room<TY_EXPERT_TILES, 1> *)&room);          \
  }
