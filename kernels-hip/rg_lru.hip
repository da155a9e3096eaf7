// rg_lru.hip -- Griffin's RG-LRU, with the update of its state in the sequence's slot.
//
// Maths      TY_RG_LRU of kernels-cpu/state_scan.h; the layout of slots is kernels-cpu/state.h's
// Launch     grid = (channels / 256, sequences). A work-item is a channel, whose one number of state is in a
//            register from the first token to the last; no barrier is among tokens. Rows of a decode that
//            follow one another in one text are all the first one's workgroups'
// Bound by   bytes: three numbers are read and one is written for each token of a channel. What a token keeps
//            and what it adds do not wait for the state, so those of some tokens are computed together
// Numerics   f32, each token's numbers from its operands alone. A sequence whose first token is at position 0
//            finds zero, whatever its slot holds.

#include "common/recurrent.h"

// Tokens of a channel whose operands are read together.
#define LRU_TOKENS 4u

// 1 - e^-u for u >= 0: near 0 as a series, which loses nothing where e^-u is nearly 1.
TY_DEVICE f32 complement(f32 u) {
  f32 p = 1.0f - u * (1.0f / 8);
  p = 1.0f - u * (1.0f / 7) * p;
  p = 1.0f - u * (1.0f / 6) * p;
  p = 1.0f - u * (1.0f / 5) * p;
  p = 1.0f - u * (1.0f / 4) * p;
  p = 1.0f - u * (1.0f / 3) * p;
  p = 1.0f - u * (1.0f / 2) * p;
  return u < 0.5f ? u * p : 1.0f - exponential(-u);
}

TY_KERNEL(ty_rg_lru) {
  TY_LDS static f32 lds[PROLOGUE_FLOATS];
  TY_LDS static f32 waves[TY_WAVES];
  const phase_ref phase = phase_of(step);
  const scan_ref scan = scan_of(step, phase->kernel);
  const token_run run = run_of(step, group_y(), scan->entries);
  if (run.count == 0) return;
  const row_group group = {step, (TY_LOCAL f32 *)lds, (TY_LOCAL f32 *)waves, run.first, group_x() == 0};
  rows_run(group, phase);
  const u32 channel = group_x() * TY_THREADS + thread_id();
  if (channel >= scan->width) return;
  const f32 most = 8.0f * softplus(global_at<const f32>(address_of(step, scan->a_log))[channel]);
  const u32 end = run.first + run.count;
  f32 s = run.fresh ? 0.0f : global_at<const f32>(state_in(step, scan, run.slot))[channel];
  for (u32 begin = run.first; begin < end; begin += LRU_TOKENS) {
    const scan_ref now = read_again(scan);
    const operand_rows v_rows = {group, now->v, (u64)now->v_stride * 4}, dt_rows = {group, now->dt, (u64)now->dt_stride * 4};
    const operand_rows gates = {group, now->gate, (u64)now->gate_stride * 4};
    f32 kept[LRU_TOKENS], added[LRU_TOKENS];
#pragma unroll
    for (u32 i = 0; i < LRU_TOKENS; ++i) {
      // Behind the last token its numbers are computed again, and not used.
      const u32 t = begin + i < end ? begin + i : end - 1;
      const f32 rate = most / (1.0f + exponential(-dt_rows.get(t, channel)));
      const f32 gate = 1.0f + exponential(-gates.get(t, channel));
      const f32 root = run.fresh && t == run.first ? 1.0f : square_root(complement(2.0f * rate));
      kept[i] = exponential(-rate), added[i] = root * v_rows.get(t, channel) / gate;
    }
    TY_GLOBAL f32 *out = global_at<f32>(address_of(step, now->out)) + channel;
#pragma unroll
    for (u32 i = 0; i < LRU_TOKENS; ++i) {
      if (begin + i >= end) break;
      s = fma(kept[i], s, added[i]);
      out[(u64)(begin + i) * now->out_stride] = s;
      if (run.stays(begin + i)) global_at<f32>(state_after(step, now, run, begin + i))[channel] = s;
    }
  }
}
