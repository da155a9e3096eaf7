// experts.h -- products of routed rows with the matrices of their experts, row by row.
//
// Launch     grid = (groups of ty_phase, routed rows). Rows of one expert read its weights from the
//            cache after the first; prompts have kernels of their own.
// Bound by   bytes of the weights of the experts that are used
// Numerics   common/matvec.h

#pragma once

#include "matvec.h"

template <u32 kind, u32 code> TY_DEVICE void experts_row(const ty_step &step, TY_LOCAL product_room<1> *room) {
  const phase_ref phase = phase_of(step);
  const experts_ref experts = experts_of(step, phase->kernel);
  const linear_ref linear = &experts->linear;
  const u32 row = group_y();
  const route_ref route = route_of(step, experts->route);
  const route_table table = table_of(step, route);
  if ((i32)row >= table.begins[route->experts]) return;
  const u32 owner = uniform((u32)table.owners[row]);
  const u32 x_row = experts->of_tokens ? uniform((u32)table.assignments[row]) / route->used : row;
  product_rows rows;
  rows.x = x_rows_of<false>(step, linear, 0, x_row, 1);
  rows.y = address_of(step, linear->y) + (u64)row * linear->y_stride * 4;
  rows.count = 1;
  rows.owner = owner;
  const u64 weights = address_of(step, linear->weights) + owner * experts->expert_bytes;
  product<kind, code, 1>(step, phase, linear, weights, rows, room);
}

#define TY_EXPERTS(name, kind, code)                                    \
  TY_KERNEL(ty_experts_##name) {                                        \
    TY_LDS static product_room<1> room;                                 \
    experts_row<kind, code>(step, (TY_LOCAL product_room<1> *)&room);   \
  }
