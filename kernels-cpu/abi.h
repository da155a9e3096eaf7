// abi.h -- what the compiler makes of program.h, as numbers: the test of native-cpu compares
// them with the structures in crates/phase-program/src/abi.rs and crates/native-team/src/layout.rs.
//
// The list, in this order: the constants; then for each structure its size and the offsets of
// its fields, in order of declaration; then the last value of each enumeration that the planner
// writes; then the sizes that planner and kernels compute alike, at some points.

#pragma once

#include "attention.h"
#include "experts.h"
#include "linear.h"
#include "phases.h"

#define TY_AT(type, field) (u32)offsetof(type, field)

// Writes the list to `out`, at most `room` numbers; answers how many there are.
static u32 abi_numbers(u32 *out, u32 room) {
  static const u32 numbers[] = {
      TY_ABI_VERSION, TY_MAGIC, TY_MAX_SPLITS, TY_FEW, TY_SPACES, sizeof(ty_counter),
      sizeof(ty_linear), TY_AT(ty_linear, format), TY_AT(ty_linear, n), TY_AT(ty_linear, k),
      TY_AT(ty_linear, y_stride), TY_AT(ty_linear, weights), TY_AT(ty_linear, packed),
      TY_AT(ty_linear, y), TY_AT(ty_linear, x_stride), TY_AT(ty_linear, x_head),
      sizeof(ty_attention), TY_AT(ty_attention, heads), TY_AT(ty_attention, kv_heads),
      TY_AT(ty_attention, head_dim), TY_AT(ty_attention, block_size),
      TY_AT(ty_attention, kv_format), TY_AT(ty_attention, window), TY_AT(ty_attention, scale),
      TY_AT(ty_attention, soft_cap), TY_AT(ty_attention, block_bytes), TY_AT(ty_attention, keys),
      TY_AT(ty_attention, values), TY_AT(ty_attention, q), TY_AT(ty_attention, k),
      TY_AT(ty_attention, v), TY_AT(ty_attention, out), TY_AT(ty_attention, sinks),
      TY_AT(ty_attention, q_stride),
      TY_AT(ty_attention, k_stride), TY_AT(ty_attention, v_stride), TY_AT(ty_attention, pages),
      TY_AT(ty_attention, has_sinks), TY_AT(ty_attention, zero),
      sizeof(ty_route), TY_AT(ty_route, experts), TY_AT(ty_route, used), TY_AT(ty_route, rows),
      TY_AT(ty_route, scores_stride), TY_AT(ty_route, groups), TY_AT(ty_route, kept),
      TY_AT(ty_route, best), TY_AT(ty_route, zero), TY_AT(ty_route, scores), TY_AT(ty_route, ids),
      TY_AT(ty_route, table),
      sizeof(ty_experts), TY_AT(ty_experts, linear), TY_AT(ty_experts, expert_bytes),
      TY_AT(ty_experts, route), TY_AT(ty_experts, of_tokens),
      sizeof(ty_conv), TY_AT(ty_conv, channels), TY_AT(ty_conv, taps), TY_AT(ty_conv, silu),
      TY_AT(ty_conv, has_bias), TY_AT(ty_conv, slot_bytes), TY_AT(ty_conv, state),
      TY_AT(ty_conv, weight), TY_AT(ty_conv, bias), TY_AT(ty_conv, x), TY_AT(ty_conv, out),
      TY_AT(ty_conv, x_stride), TY_AT(ty_conv, out_stride), TY_AT(ty_conv, entries),
      TY_AT(ty_conv, zero),
      sizeof(ty_scan), TY_AT(ty_scan, rule), TY_AT(ty_scan, heads), TY_AT(ty_scan, groups),
      TY_AT(ty_scan, depth), TY_AT(ty_scan, width), TY_AT(ty_scan, least), TY_AT(ty_scan, most),
      TY_AT(ty_scan, strength), TY_AT(ty_scan, slot_bytes), TY_AT(ty_scan, state), TY_AT(ty_scan, v),
      TY_AT(ty_scan, k), TY_AT(ty_scan, q), TY_AT(ty_scan, dt), TY_AT(ty_scan, gate),
      TY_AT(ty_scan, a_log), TY_AT(ty_scan, dt_bias), TY_AT(ty_scan, d), TY_AT(ty_scan, out),
      TY_AT(ty_scan, v_stride), TY_AT(ty_scan, k_stride), TY_AT(ty_scan, q_stride),
      TY_AT(ty_scan, dt_stride), TY_AT(ty_scan, gate_stride), TY_AT(ty_scan, out_stride),
      TY_AT(ty_scan, entries), TY_AT(ty_scan, decays),
      sizeof(ty_row), TY_AT(ty_row, ref), TY_AT(ty_row, stride),
      sizeof(ty_row_op), TY_AT(ty_row_op, kind), TY_AT(ty_row_op, width), TY_AT(ty_row_op, dst),
      TY_AT(ty_row_op, a), TY_AT(ty_row_op, b), TY_AT(ty_row_op, p0), TY_AT(ty_row_op, p1),
      TY_AT(ty_row_op, imm0), TY_AT(ty_row_op, imm1), TY_AT(ty_row_op, format),
      TY_AT(ty_row_op, store),
      sizeof(ty_phase), TY_AT(ty_phase, kind), TY_AT(ty_phase, over),
      TY_AT(ty_phase, first_op), TY_AT(ty_phase, n_ops), TY_AT(ty_phase, kernel),
      TY_AT(ty_phase, rows_a_chunk), TY_AT(ty_phase, joined), TY_AT(ty_phase, first_after),
      TY_AT(ty_phase, n_after), TY_AT(ty_phase, groups),
      sizeof(ty_program), TY_AT(ty_program, magic), TY_AT(ty_program, abi_version),
      TY_AT(ty_program, batch), TY_AT(ty_program, tokens), TY_AT(ty_program, rows),
      TY_AT(ty_program, zero), TY_AT(ty_program, n_phases), TY_AT(ty_program, n_ops),
      TY_AT(ty_program, n_linears), TY_AT(ty_program, n_attentions), TY_AT(ty_program, n_routes),
      TY_AT(ty_program, n_experts), TY_AT(ty_program, n_convs), TY_AT(ty_program, n_scans),
      TY_AT(ty_program, phases),
      TY_AT(ty_program, ops), TY_AT(ty_program, linears), TY_AT(ty_program, attentions),
      TY_AT(ty_program, routes), TY_AT(ty_program, experts), TY_AT(ty_program, convs),
      TY_AT(ty_program, scans),
      TY_AT(ty_program, shared_bytes), TY_AT(ty_program, private_bytes),
      sizeof(ty_job), TY_AT(ty_job, run), TY_AT(ty_job, sequence),
      sizeof(ty_team), TY_AT(ty_team, job), TY_AT(ty_team, active), TY_AT(ty_team, n_workers),
      TY_AT(ty_team, shared), TY_AT(ty_team, shared_bytes), TY_AT(ty_team, private_),
      TY_AT(ty_team, private_bytes), TY_AT(ty_team, yield), TY_AT(ty_team, sequence),
      TY_AT(ty_team, amx), TY_AT(ty_team, profile), TY_AT(ty_team, status),
      sizeof(ty_phase_time), TY_AT(ty_phase_time, kind), TY_AT(ty_phase_time, format),
      TY_AT(ty_phase_time, n), TY_AT(ty_phase_time, k), TY_AT(ty_phase_time, rows),
      TY_AT(ty_phase_time, bytes), TY_AT(ty_phase_time, operations), TY_AT(ty_phase_time, end),
      sizeof(ty_profile), TY_AT(ty_profile, clock), TY_AT(ty_profile, begin),
      TY_AT(ty_profile, room), TY_AT(ty_profile, count), TY_AT(ty_profile, phases),
      TY_LOGITS, TY_ROW_WEIGHTED, TY_PHASE_WEIGH,
  };
  const u32 sizes[] = {
      (u32)ty_linear_packed_bytes(1, 1),
      (u32)ty_linear_packed_bytes(33, 8),
      (u32)ty_linear_packed_bytes(4097, 9),
      (u32)ty_linear_packed_bytes(1536, 512),
      ty_partial_stride(2),
      ty_partial_stride(80),
      (u32)routed_row_bytes(1),
      (u32)routed_row_bytes(4097),
      routed_units(8),
      routed_units(17),
  };
  const u32 first = sizeof numbers / sizeof *numbers, count = first + sizeof sizes / sizeof *sizes;
  for (u32 i = 0; i < count && i < room; ++i) out[i] = i < first ? numbers[i] : sizes[i - first];
  return count;
}
