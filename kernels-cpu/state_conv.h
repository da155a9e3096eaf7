// state_conv.h -- a causal convolution of each channel by itself, and SiLU of what it gives.
//
// Math       y[t][c] = bias[c] + sum over j < W of weight[c][j] * x[t - (W - 1) + j][c], where rows
//            before the step's first are those of the state; then y * logistic(y) with `silu`.
// Layout     x f32 [tokens, x_stride], weight f32 [C][W], bias f32 [C], state f32 [W - 1][C padded].
// Numerics   f32; taps are added from the oldest on, to the bias.
// Bound by   reading x once and writing y once: W is about 4.

#pragma once

#include "state.h"

// y * logistic(y).
TY_INLINE f32x16 silu16(f32x16 y) { return y / (1.0f + exp16(-y)); }

// Row t of a sequence, counted from the step's first token; negative ones are in the state.
typedef struct {
  const f32 *x;
  const f32 *state;
  u32 x_stride, state_stride, kept;
  bool fresh;
} conv_rows;

TY_INLINE f32x16 conv_row(const conv_rows *rows, i32 t, u32 channel, u32 left) {
  if (t >= 0) return load_up_to(rows->x + (u64)t * rows->x_stride + channel, left);
  if (rows->fresh) return 0.0f;
  return load_f32x16(rows->state + (u64)(t + (i32)rows->kept) * rows->state_stride + channel);
}

// Sixteen channels, of which `left` are real.
static void conv_channels(const ty_conv *conv, const conv_rows *rows, u32 count, const f32 *weight,
                          const f32 *bias, f32 *state, f32 *out, u32 channel, u32 left) {
  f32x16 taps[TY_CONV_TAPS];
  const u32 n = conv->taps, lanes = left < 16 ? left : 16;
  for (u32 j = 0; j < n; ++j) {
    taps[j] = 0.0f;
    for (u32 lane = 0; lane < lanes; ++lane) taps[j][lane] = weight[(u64)(channel + lane) * n + j];
  }
  const f32x16 begin = bias ? load_up_to(bias + channel, left) : (f32x16)0.0f;
  for (u32 t = 0; t < count; ++t) {
    f32x16 y = begin;
    for (u32 j = 0; j < n; ++j) {
      y = fma16(taps[j], conv_row(rows, (i32)(t + j) - (i32)rows->kept, channel, left), y);
    }
    store_first_f32(out + (u64)t * conv->out_stride + channel, conv->silu ? silu16(y) : y, left);
  }
  // In one slot old rows move up before they are written over.
  for (u32 j = 0; j < rows->kept; ++j) {
    const f32x16 kept = conv_row(rows, (i32)(count + j) - (i32)rows->kept, channel, left);
    store_f32x16(state + (u64)j * rows->state_stride + channel, kept);
  }
}

static void ty_conv_chunk(const ty_conv *conv, ty_run run, u8 *cache, const f32 *weight, const f32 *bias,
                          const f32 *x, f32 *out, u32 chunk) {
  f32 *state = (f32 *)(cache + (u64)run.slot * conv->slot_bytes + conv->state);
  const conv_rows rows = {
      .x = x + (u64)run.first * conv->x_stride,
      .state = (const f32 *)(cache + (u64)run.from * conv->slot_bytes + conv->state),
      .x_stride = conv->x_stride,
      .state_stride = padded_row(conv->channels),
      .kept = conv->taps - 1,
      .fresh = run.fresh,
  };
  out += (u64)run.first * conv->out_stride;
  const u32 begin = chunk * TY_CONV_CHANNELS, most = begin + TY_CONV_CHANNELS;
  const u32 end = most < conv->channels ? most : conv->channels;
  for (u32 channel = begin; channel < end; channel += 16) {
    conv_channels(conv, &rows, run.count, weight, bias, state, out, channel, conv->channels - channel);
  }
}
