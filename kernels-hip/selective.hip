// selective.hip -- Mamba's selective scan, with the update of its state in the sequence's slot.
//
// Maths      TY_SELECTIVE of kernels-cpu/state_scan.h; the layout of slots is kernels-cpu/state.h's
// Launch     grid = (columns / 64, sequences). Four neighbouring work-items share a column of S: each has
//            every fourth row of it, and of its rates, in registers from the first token to the last. Rows
//            of a decode that follow one another in one text are all the first one's workgroups'
// Bound by   a prompt: latency of its tokens, which follow one another; no barrier is among them, since
//            what a column sums over is in one wave. A token: bytes of the state and of the rates
// Numerics   f32. Sums go down a work-item's rows, then over the four. A sequence whose first token is
//            at position 0 finds zeros, whatever its slot holds.

#include "common/recurrent.h"

// Columns of a workgroup, work-items of a column, and rows at most: SCAN_COLUMNS and SELECT_DEPTH of
// crates/phase-program.
#define SELECT_COLUMNS 64u
#define SELECT_ITEMS (TY_THREADS / SELECT_COLUMNS)
#define SELECT_DEPTH 64u

TY_KERNEL(ty_select) {
  TY_LDS static f32 lds[PROLOGUE_FLOATS];
  TY_LDS static f32 waves[TY_WAVES];
  const phase_ref phase = phase_of(step);
  const scan_ref scan = scan_of(step, phase->kernel);
  const token_run run = run_of(step, group_y(), scan->entries);
  if (run.count == 0) return;
  const row_group group = {step, (TY_LOCAL f32 *)lds, (TY_LOCAL f32 *)waves, run.first, group_x() == 0};
  rows_run(group, phase);
  const u32 item = thread_id() % SELECT_ITEMS, width = scan->width, depth = scan->depth;
  const u32 place = group_x() * SELECT_COLUMNS + thread_id() / SELECT_ITEMS;
  // Beyond the last column its numbers are computed again and not stored: whole waves exchange sums.
  const bool real = place < width;
  const u32 column = real ? place : width - 1, pitch = padded_row(width);
  const TY_GLOBAL f32 *old = global_at<const f32>(state_in(step, scan, run.slot)) + column;
  const TY_GLOBAL f32 *a_log = global_at<const f32>(address_of(step, scan->a_log)) + (u64)column * depth;
  f32 s[SELECT_DEPTH / SELECT_ITEMS], rates[SELECT_DEPTH / SELECT_ITEMS];
#pragma unroll
  for (u32 i = 0; i < SELECT_DEPTH / SELECT_ITEMS; ++i) {
    s[i] = 0.0f, rates[i] = 0.0f;
    const u32 n = i * SELECT_ITEMS + item;
    if (n >= depth) continue;
    rates[i] = -exponential(a_log[n]);
    // Not the last column's: its own work-items may have stored it already.
    if (real && !run.fresh) s[i] = old[n * pitch];
  }
  const f32 bias = global_at<const f32>(address_of(step, scan->dt_bias))[column];
  const f32 d = global_at<const f32>(address_of(step, scan->d))[column];
  for (u32 t = run.first; t < run.first + run.count; ++t) {
    const scan_ref now = read_again(scan);
    const operand_rows v_rows = {group, now->v, (u64)now->v_stride * 4}, k_rows = {group, now->k, (u64)now->k_stride * 4};
    const operand_rows q_rows = {group, now->q, (u64)now->q_stride * 4}, dt_rows = {group, now->dt, (u64)now->dt_stride * 4};
    const f32 v = v_rows.get(t, column), step_size = softplus(dt_rows.get(t, column) + bias);
    const f32 w = step_size * v;
    f32 sum = 0;
    const u32 rows = read_again(now)->depth;
#pragma unroll
    for (u32 i = 0; i < SELECT_DEPTH / SELECT_ITEMS; ++i) {
      if (i * SELECT_ITEMS >= rows) break;
      // Beyond the depth k and q are zero, so that what is summed is.
      const u32 n = i * SELECT_ITEMS + item;
      const f32 k = n < rows ? k_rows.get(t, n) : 0.0f, q = n < rows ? q_rows.get(t, n) : 0.0f;
      s[i] = fma(w, k, s[i] * exponential(rates[i] * step_size));
      sum = fma(s[i], q, sum);
    }
    sum += row_exchange<1>(sum);
    sum += row_exchange<2>(sum);
    if (real && item == 0) {
      TY_GLOBAL f32 *out = global_at<f32>(address_of(step, now->out)) + (u64)t * now->out_stride;
      out[column] = fma(v, d, sum);
    }
    if (!run.stays(t)) continue;
    const scan_ref last = read_again(now);
    TY_GLOBAL f32 *state = global_at<f32>(state_after(step, last, run, t)) + column;
    const u32 most = last->depth, next = padded_row(last->width);
#pragma unroll
    for (u32 i = 0; i < SELECT_DEPTH / SELECT_ITEMS; ++i) {
      const u32 n = i * SELECT_ITEMS + item;
      if (real && n < most) state[n * next] = s[i];
    }
  }
}
