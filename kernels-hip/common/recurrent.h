// recurrent.h -- what kernels of recurrent layers share: the tokens of a sequence and its slots, rows of
// operands, the softplus of time steps.

#pragma once

#include "rows.h"

// The tokens of one sequence of a step: of a prompt, which are gone through at once, or the rows of a decode
// that follow one another in one text, each of which leaves the state after it in the slot of its own
// row of the tables (kernels-cpu/state.h). All of them are one workgroup's, with its heads or channels.
struct token_run {
  u32 first, count;
  u32 slot;   // with the state before them
  bool fresh; // whether the first of them is at position 0
  bool apart; // whether each of them is a row of the tables

  // Whether the state after token t stays, in the slot of that row.
  TY_METHOD bool stays(u32 t) const { return apart || t + 1 == first + count; }
  TY_METHOD u32 row_of(u32 t) const { return apart ? t : first; }
};

TY_DEVICE u32 slot_of(const ty_step &step, u32 row, u32 entries) {
  return (u32)input(step, TY_TABLES, (row + 1) * entries - 1);
}

// Whether row r of a decode is the token behind that of the row before it, as row_follows of
// kernels-cpu/phases.h has it. Padding stands behind all rows.
TY_DEVICE bool row_follows(const ty_step &step, u32 r, u32 entries) {
  if (r == 0) return false;
  const i32 before = input(step, TY_POSITIONS, r - 1);
  if (before < 0 || input(step, TY_POSITIONS, r) != before + 1) return false;
  return input(step, TY_TABLES, r * entries + (u32)before / TY_PAGE) == input(step, TY_SLOTS, 2 * (r - 1));
}

// The run of row `index` of the tables, whose rows have `entries`; none where the row follows another.
TY_DEVICE token_run run_of(const ty_step &step, u32 index, u32 entries) {
  const program_ref program = program_of(step);
  const u32 tokens = program->tokens;
  token_run run = {index * tokens, 0, 0, false, tokens == 1};
  if (run.apart) {
    if (input(step, TY_POSITIONS, index) < 0 || row_follows(step, index, entries)) return run;
    const u32 rows = program->batch;
    do ++run.count;
    while (index + run.count < rows && row_follows(step, index + run.count, entries));
  } else {
    while (run.count < tokens && input(step, TY_POSITIONS, run.first + run.count) >= 0) ++run.count;
    if (run.count == 0) return run;
  }
  run.slot = slot_of(step, index, entries);
  run.fresh = input(step, TY_POSITIONS, run.first) == 0;
  return run;
}

// Where the state of a layer, a convolution's or a scan's, is in a slot.
template <typename T> TY_DEVICE u64 state_in(const ty_step &step, T layer, u32 slot) {
  return step.cache() + (u64)slot * layer->slot_bytes + layer->state;
}

// The same of the slot in which the state after token t of a run stays.
template <typename T> TY_DEVICE u64 state_after(const ty_step &step, T layer, const token_run &run, u32 t) {
  return state_in(step, layer, slot_of(step, run.row_of(t), layer->entries));
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
