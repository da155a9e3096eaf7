// recurrent.h -- what kernels of recurrent layers share: the tokens of a sequence, rows of operands, the
// softplus of time steps.

#pragma once

#include "rows.h"

// The tokens of one sequence of a step.
struct token_run {
  u32 first, count, slot;
  bool fresh;
};

// The run of sequence `index`, whose row of the tables has `entries`.
TY_DEVICE token_run run_of(const ty_step &step, u32 index, u32 entries) {
  const program_ref program = program_of(step);
  const u32 tokens = program->tokens;
  token_run run = {index * tokens, 0, 0, false};
  while (run.count < tokens && input(step, TY_POSITIONS, run.first + run.count) >= 0) ++run.count;
  if (run.count == 0) return run;
  run.slot = (u32)input(step, TY_TABLES, (index + 1) * entries - 1);
  run.fresh = input(step, TY_POSITIONS, run.first) == 0;
  return run;
}

TY_DEVICE u32 padded_row(u32 width) { return (width + 15) / 16 * 16; }

// An operand's rows: row r of those of the step.
struct operand_rows {
  const row_group &group;
  ty_ref ref;
  u64 stride;

  TY_METHOD f32 get(u32 row, u32 i) const {
    if (is_private(ref)) return group.lds[offset_of(ref) / 4 + i];
    return global_at<const f32>(address_of(group.step, ref) + stride * row)[i];
  }
};

// log(1 + e^v): what is added to max(v, 0) is log(1 + u), u in (0, 1], as 2 atanh(u / (2 + u)).
TY_DEVICE f32 softplus(f32 v) {
  const f32 positive = v > 0.0f ? v : 0.0f;
  const f32 u = exponential(v > 0.0f ? -v : v), s = u / (2.0f + u), s2 = s * s;
  f32 p = 2.0f / 15.0f;
  p = fma(p, s2, 2.0f / 13.0f);
  p = fma(p, s2, 2.0f / 11.0f);
  p = fma(p, s2, 2.0f / 9.0f);
  p = fma(p, s2, 2.0f / 7.0f);
  p = fma(p, s2, 2.0f / 5.0f);
  p = fma(p, s2, 2.0f / 3.0f);
  p = fma(p, s2, 2.0f);
  return fma(p, s, positive);
}

// The same descriptor, whose fields are read where they are needed: kept over the tokens, they would
// take more scalar registers than there are.
TY_DEVICE scan_ref read_again(scan_ref scan) {
  u64 at = (u64)scan;
  asm volatile("" : "+" TY_SCALAR(at));
  return (scan_ref)at;
}
