// dplr.hip -- RWKV-7's scan, whose state is multiplied with a diagonal plus a matrix of rank one, with the
// update of the state in the sequence's slot.
//
// Maths      TY_DPLR of kernels-cpu/state_scan.h; the layout of slots is kernels-cpu/state.h's
// Launch     grid = (heads * columns / 64, sequences). Four neighbouring work-items share a column of S: each has
//            every fourth four of its rows in registers from the first token to the last. The operands of some
//            tokens are in LDS at once, each token's brought there by a wave. Rows of a decode that follow one
//            another in one text are all the first one's workgroups'
// Bound by   a prompt: latency of its tokens, which follow one another; no barrier is among those that are in LDS
//            at once, since what a column sums over is in one wave. A token: bytes of the state
// Numerics   f32. Sums over S go down every fourth of a work-item's rows, then over the four sums of these, then
//            over work-items. A sequence whose first token is at position 0 finds zeros, whatever its slot
//            holds.

#include "common/recurrent.h"

// Columns of a workgroup, work-items of a column, and rows at most: SCAN_COLUMNS and SCAN_DEPTH of
// crates/phase-program.
#define DPLR_COLUMNS 64u
#define DPLR_ITEMS (TY_THREADS / DPLR_COLUMNS)
#define DPLR_DEPTH 256u

// Rows that are computed together, with zeros behind the last, and fours of them that a work-item has.
#define DPLR_BAND 64u
#define DPLR_FOURS (DPLR_BAND / DPLR_ITEMS / 4)

// Numbers of an operand in LDS, and tokens there at most, each of which has a wave that brings it.
#define DPLR_STAGED 512u
#define DPLR_TOKENS TY_WAVES

enum { DPLR_DECAY, DPLR_A, DPLR_B, DPLR_K, DPLR_Q, DPLR_OPERANDS };

// LDS of the scan: of each operand tokens one after the other, their rows padded with zeros.
struct dplr_room {
  f32 rows[DPLR_OPERANDS][DPLR_STAGED];
  f32 v[DPLR_TOKENS][DPLR_COLUMNS];
  f32 met[DPLR_TOKENS]; // sum of u * q * k
};

// What a workgroup has of a head.
struct dplr_part {
  u32 head, column; // the first of its columns
  u32 padded;       // rows, a multiple of DPLR_BAND
};

// Brings the operands of token `t` of the step to place `i` of the room, by one wave.
TY_DEVICE void stage(const row_group &group, scan_ref scan, const dplr_part part, u32 t, u32 i, TY_LOCAL dplr_room *room) {
  const operand_rows k_rows = {group, scan->k, (u64)scan->k_stride * 4}, q_rows = {group, scan->q, (u64)scan->q_stride * 4};
  const operand_rows decays = {group, scan->dt, (u64)scan->dt_stride * 4}, ab = {group, scan->gate, (u64)scan->gate_stride * 4};
  const operand_rows v_rows = {group, scan->v, (u64)scan->v_stride * 4};
  const u32 depth = scan->depth, width = scan->width, of_head = part.head * depth;
  const TY_GLOBAL f32 *u = global_at<const f32>(address_of(group.step, scan->d)) + of_head;
  const u32 own = i * part.padded;
  f32 met = 0;
  for (u32 n = lane_id(); n < part.padded; n += TY_WAVE) {
    // Zeros beyond the depth: no row needs a mask then.
    const bool real = n < depth;
    const u32 at = of_head + n;
    const f32 k = real ? k_rows.get(t, at) : 0.0f, q = real ? q_rows.get(t, at) : 0.0f;
    room->rows[DPLR_DECAY][own + n] = real ? decays.get(t, at) : 0.0f;
    room->rows[DPLR_A][own + n] = real ? ab.get(t, at) : 0.0f;
    room->rows[DPLR_B][own + n] = real ? ab.get(t, scan->heads * depth + at) : 0.0f;
    room->rows[DPLR_K][own + n] = k, room->rows[DPLR_Q][own + n] = q;
    met = fma(real ? u[n] * q : 0.0f, k, met);
  }
  met = wave_sum(met);
  if (lane_id() == 0) room->met[i] = met;
  for (u32 c = lane_id(); c < DPLR_COLUMNS; c += TY_WAVE) {
    const u32 column = part.column + c;
    room->v[i][c] = column < width ? v_rows.get(t, part.head * width + column) : 0.0f;
  }
}

// Of an operand's rows from `at` on, four that are this work-item's: the `j`th.
TY_DEVICE f32x4 four_of(const TY_LOCAL dplr_room *room, u32 operand, u32 at, u32 j) {
  const u32 item = thread_id() % DPLR_ITEMS;
  return *(const TY_LOCAL f32x4 *)(room->rows[operand] + at + (j * DPLR_ITEMS + item) * 4);
}

TY_DEVICE f32x4 fma4(f32x4 a, f32x4 b, f32x4 c) { return __builtin_elementwise_fma(a, b, c); }

// A column's sum, in each of its work-items, from four of theirs.
TY_DEVICE f32 column_sum(f32x4 sums) {
  f32 sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  sum += row_exchange<1>(sum);
  return sum + row_exchange<2>(sum);
}

TY_KERNEL(ty_dplr) {
  TY_LDS static f32 lds[PROLOGUE_FLOATS];
  TY_LDS static f32 waves[TY_WAVES];
  TY_LDS static dplr_room room_;
  TY_LOCAL dplr_room *room = (TY_LOCAL dplr_room *)&room_;
  const phase_ref phase = phase_of(step);
  const scan_ref scan = scan_of(step, phase->kernel);
  const token_run run = run_of(step, group_y(), scan->entries);
  if (run.count == 0) return;
  const row_group group = {step, (TY_LOCAL f32 *)lds, (TY_LOCAL f32 *)waves, run.first, group_x() == 0};
  rows_run(group, phase);
  const u32 parts = (scan->width + DPLR_COLUMNS - 1) / DPLR_COLUMNS, depth = scan->depth, width = scan->width;
  const u32 padded = (depth + DPLR_BAND - 1) / DPLR_BAND * DPLR_BAND;
  const dplr_part part = {group_x() / parts, group_x() % parts * DPLR_COLUMNS, padded};
  const u32 item = thread_id() % DPLR_ITEMS, place = thread_id() / DPLR_ITEMS, column = part.column + place;
  // Beyond the last column zeros are computed with and nothing is stored: whole waves exchange sums.
  const bool real = column < width;
  const u32 pitch = padded_row(width);
  const u64 begin = (u64)part.head * depth * pitch + column;
  const TY_GLOBAL f32 *old = global_at<const f32>(state_in(step, scan, run.slot)) + begin;
  f32x4 s[DPLR_DEPTH / DPLR_ITEMS / 4];
#pragma unroll
  for (u32 i = 0; i < DPLR_DEPTH / DPLR_ITEMS; ++i) {
    s[i / 4][i % 4] = 0.0f;
    const u32 n = (i / 4 * DPLR_ITEMS + item) * 4 + i % 4;
    if (real && n < depth && !run.fresh) s[i / 4][i % 4] = old[n * pitch];
  }
  const u32 fit = DPLR_STAGED / padded, most = fit < DPLR_TOKENS ? fit : DPLR_TOKENS, end = run.first + run.count;
  for (u32 first = run.first; first < end; first += most) {
    const u32 count = end - first < most ? end - first : most, wave = wave_id();
    barrier();
    if (wave < count) stage(group, read_again(scan), part, first + wave, wave, room);
    barrier();
    for (u32 i = 0; i < count; ++i) {
      const scan_ref now = read_again(scan);
      const u32 rows = now->depth;
      const f32 v = room->v[i][place];
      f32x4 sums = 0.0f;
#pragma unroll
      for (u32 band = 0; band < DPLR_DEPTH; band += DPLR_BAND) {
        if (band >= rows) continue;
#pragma unroll
        for (u32 j = 0; j < DPLR_FOURS; ++j) {
          sums = fma4(s[band / DPLR_ITEMS / 4 + j], four_of(room, DPLR_A, i * padded + band, j), sums);
        }
      }
      const f32 seen = -column_sum(sums);
      sums = 0.0f;
#pragma unroll
      for (u32 band = 0; band < DPLR_DEPTH; band += DPLR_BAND) {
        if (band >= rows) continue;
#pragma unroll
        for (u32 j = 0; j < DPLR_FOURS; ++j) {
          const u32 at = i * padded + band;
          f32x4 &own = s[band / DPLR_ITEMS / 4 + j];
          own = fma4(seen, four_of(room, DPLR_B, at, j), own * four_of(room, DPLR_DECAY, at, j));
          own = fma4(v, four_of(room, DPLR_K, at, j), own);
          sums = fma4(own, four_of(room, DPLR_Q, at, j), sums);
        }
      }
      const f32 sum = column_sum(sums);
      if (real && item == 0) {
        TY_GLOBAL f32 *out = global_at<f32>(address_of(step, now->out)) + (u64)(first + i) * now->out_stride;
        out[part.head * width + column] = sum;
        out[(now->heads + part.head) * width + column] = room->met[i] * v;
      }
      if (!run.stays(first + i)) continue;
      const scan_ref last = read_again(now);
      const u32 kept = last->depth, next = padded_row(last->width);
      const u64 at = (u64)part.head * kept * next + column;
      TY_GLOBAL f32 *state = global_at<f32>(state_after(step, last, run, first + i)) + at;
#pragma unroll
      for (u32 j = 0; j < DPLR_DEPTH / DPLR_ITEMS; ++j) {
        const u32 n = (j / 4 * DPLR_ITEMS + item) * 4 + j % 4;
        if (real && n < kept) state[n * next] = s[j / 4][j % 4];
      }
    }
  }
}
