// recurrence.hip -- recurrent layers: a causal convolution, and Mamba 2's scan or the gated delta rule,
// each with the update of its state in the sequence's slot. (Mamba's scan: selective.hip; the RG-LRU:
// rg_lru.hip; RWKV-7's scan: dplr.hip.)
//
// Maths      kernels-cpu/state_conv.h and kernels-cpu/state_scan.h; the layout of slots is
//            kernels-cpu/state.h's
// Launch     convolution: grid = (channels / 256, sequences), a work-item is a channel. Scan: grid =
//            (heads * columns / 64, sequences); a work-item has one column of every fourth row of S, in
//            registers from the first token to the last. ty_recur has one decay a head, ty_recur_rows one
//            for each row of S, which as many work-items compute for all. Rows of a decode that
//            follow one another in one text are all the first one's workgroups'
// Bound by   bytes of the state, read once and written once a step, or after each row of a decode; and
//            latency of a prompt's tokens, which follow one another
// Numerics   f32. Sums over S go down the rows of a quarter, then over quarters; taps from the oldest.
//            A sequence whose first token is at position 0 finds zeros, whatever its slot holds.

#include "common/recurrent.h"

// Columns of S in one workgroup, quarters of its rows, and rows at most: SCAN_COLUMNS and SCAN_DEPTH of
// crates/phase-program.
#define SCAN_COLUMNS 64u
#define SCAN_QUARTERS (TY_THREADS / SCAN_COLUMNS)
#define SCAN_DEPTH 256u

TY_KERNEL(ty_convolve) {
  TY_LDS static f32 lds[PROLOGUE_FLOATS];
  TY_LDS static f32 room[TY_WAVES];
  const phase_ref phase = phase_of(step);
  const conv_ref conv = conv_of(step, phase->kernel);
  const token_run run = run_of(step, group_y(), conv->entries);
  if (run.count == 0) return;
  const row_group group = {step, (TY_LOCAL f32 *)lds, (TY_LOCAL f32 *)room, run.first, group_x() == 0};
  rows_run(group, phase);
  const u32 channel = group_x() * TY_THREADS + thread_id();
  if (channel >= conv->channels) return;
  const operand_rows x = {group, conv->x, (u64)conv->x_stride * 4};
  const u32 pitch = padded_row(conv->channels), taps = conv->taps, before = taps - 1;
  const TY_GLOBAL f32 *weight = global_at<const f32>(address_of(step, conv->weight)) + (u64)channel * taps;
  const f32 bias = conv->has_bias ? global_at<const f32>(address_of(step, conv->bias))[channel] : 0.0f;
  const u32 each = run.apart ? 1 : run.count;
  bool fresh = run.fresh;
  u64 from = state_in(step, conv, run.slot);
  for (u32 first = run.first; first < run.first + run.count; first += each) {
    const TY_GLOBAL f32 *old = global_at<const f32>(from) + channel;
    const u64 out = address_of(step, conv->out) + ((u64)first * conv->out_stride + channel) * 4;
    for (u32 t = 0; t < each; ++t) {
      f32 y = bias;
      for (u32 j = 0; j < taps; ++j) {
        const bool new_row = t + j >= before;
        const f32 v = new_row ? x.get(first + t + j - before, channel) : fresh ? 0.0f : old[(t + j) * pitch];
        y = fma(weight[j], v, y);
      }
      global_at<f32>(out)[(u64)t * conv->out_stride] = conv->silu ? y / (1.0f + exponential(-y)) : y;
    }
    from = state_after(step, conv, run, first);
    TY_GLOBAL f32 *kept = global_at<f32>(from) + channel;
    // Old rows move up before they are written over.
    for (u32 j = 0; j < before; ++j) {
      const u32 row = each + j;
      const f32 v = row >= before ? x.get(first + row - before, channel) : fresh ? 0.0f : old[row * pitch];
      kept[j * pitch] = v;
    }
    fresh = false;
  }
}

// LDS of a scan.
struct scan_room {
  f32 k[SCAN_DEPTH], q[SCAN_DEPTH];
  f32 decays[SCAN_DEPTH]; // of rows with one each
  f32 sums[SCAN_QUARTERS][SCAN_COLUMNS];
};

// 1 / sqrt(sum of squares + epsilon) of `count` numbers, in every wave for itself.
TY_DEVICE f32 inverse_length(const TY_LOCAL f32 *x, u32 count, f32 epsilon) {
  f32 sum = 0;
  for (u32 i = lane_id(); i < count; i += TY_WAVE) sum = fma(x[i], x[i], sum);
  return inverse_root(wave_sum(sum) + epsilon);
}

// The sums of a column's quarters, in all of them.
TY_DEVICE f32 quarters_sum(TY_LOCAL scan_room *room, f32 sum) {
  const u32 quarter = thread_id() / SCAN_COLUMNS, column = thread_id() % SCAN_COLUMNS;
  barrier();
  room->sums[quarter][column] = sum;
  barrier();
  f32 all = 0;
  for (u32 i = 0; i < SCAN_QUARTERS; ++i) all += room->sums[i][column];
  return all;
}

// `apart`: rows of S have decays of their own, which only the delta rule has.
template <bool apart> TY_DEVICE void recur(const ty_step &step) {
  TY_LDS static f32 lds[PROLOGUE_FLOATS];
  TY_LDS static f32 waves[TY_WAVES];
  TY_LDS static scan_room room_;
  TY_LOCAL scan_room *room = (TY_LOCAL scan_room *)&room_;
  const phase_ref phase = phase_of(step);
  const scan_ref scan = scan_of(step, phase->kernel);
  const token_run run = run_of(step, group_y(), scan->entries);
  if (run.count == 0) return;
  const row_group group = {step, (TY_LOCAL f32 *)lds, (TY_LOCAL f32 *)waves, run.first, group_x() == 0};
  rows_run(group, phase);
  const u32 parts = (scan->width + SCAN_COLUMNS - 1) / SCAN_COLUMNS, head = group_x() / parts;
  const u32 column = group_x() % parts * SCAN_COLUMNS + thread_id() % SCAN_COLUMNS;
  // All lanes of a wave have the same rows.
  const u32 quarter = uniform(thread_id() / SCAN_COLUMNS), depth = scan->depth, width = scan->width;
  const bool real = column < width, delta = apart || scan->rule == TY_DELTA;
  const u32 of_group = head * scan->groups / scan->heads * depth, pitch = padded_row(width);
  const u64 begin = (u64)head * depth * pitch + column;
  const TY_GLOBAL f32 *old = global_at<const f32>(state_in(step, scan, run.slot)) + begin;
  f32 s[SCAN_DEPTH / SCAN_QUARTERS];
#pragma unroll
  for (u32 i = 0; i < SCAN_DEPTH / SCAN_QUARTERS; ++i) {
    s[i] = 0.0f;
    if (i * SCAN_QUARTERS >= depth || run.fresh) continue;
    const u32 n = i * SCAN_QUARTERS + quarter;
    if (real && n < depth) s[i] = old[n * pitch];
  }
  const f32 rate = -exponential(global_at<const f32>(address_of(step, scan->a_log))[head]);
  const f32 d = delta ? 0.0f : global_at<const f32>(address_of(step, scan->d))[head];
  for (u32 t = run.first; t < run.first + run.count; ++t) {
    const scan_ref now = read_again(scan);
    const operand_rows v_rows = {group, now->v, (u64)now->v_stride * 4}, k_rows = {group, now->k, (u64)now->k_stride * 4};
    const operand_rows q_rows = {group, now->q, (u64)now->q_stride * 4}, dt_rows = {group, now->dt, (u64)now->dt_stride * 4};
    const operand_rows gates = {group, now->gate, (u64)now->gate_stride * 4};
    // Zeros beyond the depth: no row needs a mask then.
    const u32 own = thread_id();
    room->k[own] = own < depth ? k_rows.get(t, of_group + own) : 0.0f;
    room->q[own] = own < depth ? q_rows.get(t, of_group + own) : 0.0f;
    const TY_GLOBAL f32 *bias = global_at<const f32>(address_of(step, now->dt_bias));
    f32 decay = 1.0f, step_size = 0.0f;
    if constexpr (apart) {
      const u32 row = head * depth + own;
      room->decays[own] = own < depth ? exponential(rate * softplus(dt_rows.get(t, row) + bias[row])) : 0.0f;
    } else {
      step_size = softplus(dt_rows.get(t, head) + bias[head]);
      if (!delta) {
        step_size = step_size < now->least ? now->least : step_size;
        step_size = step_size > now->most ? now->most : step_size;
      }
      decay = exponential(rate * step_size);
    }
    barrier();
    const f32 v = real ? v_rows.get(t, head * width + column) : 0.0f;
    f32 k_scale = 1.0f, q_scale = 1.0f, w = step_size * v;
    if (delta) {
      k_scale = inverse_length(room->k, depth, now->least);
      q_scale = inverse_length(room->q, depth, now->least) * now->most;
      f32 seen = 0;
#pragma unroll
      for (u32 i = 0; i < SCAN_DEPTH / SCAN_QUARTERS; ++i) {
        if (i * SCAN_QUARTERS >= now->depth) break;
        const u32 n = i * SCAN_QUARTERS + quarter;
        // Here, where the rows are read for the first time; below `decay` is 1 then.
        if constexpr (apart) s[i] *= room->decays[n];
        seen = fma(s[i], room->k[n], seen);
      }
      seen = quarters_sum(room, seen);
      w = now->strength * logistic(gates.get(t, head)) * fma(seen, -decay * k_scale, v);
    }
    f32 sum = 0;
    // Read again here too: sixty-four comparisons would be kept otherwise.
    const u32 rows = read_again(now)->depth;
#pragma unroll
    for (u32 i = 0; i < SCAN_DEPTH / SCAN_QUARTERS; ++i) {
      if (i * SCAN_QUARTERS >= rows) break;
      const u32 n = i * SCAN_QUARTERS + quarter;
      s[i] = fma(w, k_scale * room->k[n], s[i] * decay);
      sum = fma(s[i], room->q[n], sum);
    }
    sum = quarters_sum(room, sum);
    if (real && quarter == 0) {
      TY_GLOBAL f32 *out = global_at<f32>(address_of(step, now->out)) + (u64)t * now->out_stride;
      out[head * width + column] = fma(v, d, q_scale * sum);
    }
    if (!run.stays(t)) continue;
    const scan_ref last = read_again(now);
    const u32 most = last->depth, next = padded_row(last->width);
    const u64 place = (u64)(head * most + quarter) * next + column;
    TY_GLOBAL f32 *state = global_at<f32>(state_after(step, last, run, t)) + place;
    // Counted from the quarter's first row: the numbers of rows would be kept over the tokens otherwise.
    const i32 left = (i32)most - (i32)quarter;
#pragma unroll
    for (u32 i = 0; i < SCAN_DEPTH / SCAN_QUARTERS; ++i) {
      if (i * SCAN_QUARTERS >= most) break;
      if (real && (i32)(i * SCAN_QUARTERS) < left) state[i * SCAN_QUARTERS * next] = s[i];
    }
  }
}

TY_KERNEL(ty_recur) { recur<false>(step); }
TY_KERNEL(ty_recur_rows) { recur<true>(step); }
