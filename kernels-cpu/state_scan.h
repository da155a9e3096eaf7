// state_scan.h -- Mamba 2's scan and the gated delta rule, token by token.
//
// Math       For each head, with S [depth N][width P], step = log(1 + exp(dt + dt_bias)) and
//            decay = exp(-exp(a_log) * step):
//
//            TY_SSM    step clamped to [least, most] before it makes the decay
//                      S = decay * S + k (step * v)^T;  out = S^T q + d * v
//            TY_DELTA  k' = k / sqrt(sum(k^2) + least), q' = most * q / sqrt(sum(q^2) + least)
//                      e = logistic(gate) * (v - decay * S^T k')
//                      S = decay * S + k' e^T;  out = S^T q'
//
//            (x, b, c of the scan are v, k, q here. k and q are those of group h * groups / heads.)
// Layout     rows of v, k, q, dt, gate and out a token apart by their strides; S as state.h says.
// Numerics   f32; sums over N from the first on, norms in lanes of 16. step and decay have a
//            relative error of a few 1e-7.
// Bound by   for one token S, read and written once; for many S too, which stays in the first
//            cache: N times TY_SCAN_COLUMNS numbers. Each token goes over it once (the scan) or
//            twice (the delta rule, which must read before it knows what to write).

#pragma once

#include "state.h"

// log(1 + e^v): what is added to max(v, 0) is log(1 + u), u in (0, 1], as 2 atanh(u / (2 + u)).
static f32x16 softplus16(f32x16 v) {
  const f32x16 positive = v > 0.0f ? v : (f32x16)0.0f;
  const f32x16 u = exp16(v > 0.0f ? -v : v), s = u / (2.0f + u), s2 = s * s;
  f32x16 p = 2.0f / 15.0f;
  p = fma16(p, s2, 2.0f / 13.0f);
  p = fma16(p, s2, 2.0f / 11.0f);
  p = fma16(p, s2, 2.0f / 9.0f);
  p = fma16(p, s2, 2.0f / 7.0f);
  p = fma16(p, s2, 2.0f / 5.0f);
  p = fma16(p, s2, 2.0f / 3.0f);
  p = fma16(p, s2, 2.0f);
  // NaN fails the comparison, and is in p.
  return fma16(p, s, positive);
}

// What a head has of each of some tokens.
typedef struct {
  f32 decay[TY_SCAN_TOKENS];
  f32 step[TY_SCAN_TOKENS]; // TY_DELTA: how much of the error is written
} scan_gates;

// Tokens `first` to `first + count` of a head, at most TY_SCAN_TOKENS.
static void gates_of(const ty_scan *scan, const ty_scan_operands *at, u32 head, u32 first, u32 count,
                     scan_gates *gates) {
  f32x16 dt = 0.0f, gate = 0.0f;
  for (u32 t = 0; t < count; ++t) {
    dt[t] = at->dt[(u64)(first + t) * scan->dt_stride + head];
    if (scan->rule == TY_DELTA) gate[t] = at->gate[(u64)(first + t) * scan->gate_stride + head];
  }
  f32x16 step = softplus16(dt + at->dt_bias[head]);
  if (scan->rule == TY_SSM) {
    step = step < scan->least ? (f32x16)scan->least : step;
    step = step > scan->most ? (f32x16)scan->most : step;
  }
  store_f32x16(gates->decay, exp16(-exp1(at->a_log[head]) * step));
  store_f32x16(gates->step, scan->rule == TY_SSM ? step : 1.0f / (1.0f + exp16(-gate)));
}

// 1 / sqrt(sum of squares + epsilon) of `count` numbers.
static f32 inverse_length(const f32 *x, u32 count, f32 epsilon) {
  f32x16 sum = 0.0f;
  for (u32 i = 0; i < count; i += 16) {
    const f32x16 v = load_up_to(x + i, count - i);
    sum = fma16(v, v, sum);
  }
  return 1.0f / __builtin_sqrtf(sum_lanes(sum) + epsilon);
}

// Columns of one head's S: their place, how many vectors of them, and how many are real.
typedef struct {
  f32 *s;
  u32 stride, depth, left;
} scan_columns;

// acc = decay-less S^T x, over `vectors` vectors of columns.
TY_INLINE void scan_read(const scan_columns *c, const u32 vectors, const f32 *x, f32x16 *acc) {
  TY_UNROLL for (u32 i = 0; i < vectors; ++i) acc[i] = 0.0f;
  for (u32 n = 0; n < c->depth; ++n) {
    const f32 *row = c->s + (u64)n * c->stride;
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) acc[i] = fma16(load_f32x16(row + 16 * i), x[n], acc[i]);
  }
}

// S = decay * S + (scale * k) w^T, and acc = S^T q of the new one.
TY_INLINE void scan_write(const scan_columns *c, const u32 vectors, f32 decay, const f32 *k, f32 scale,
                          const f32x16 *w, const f32 *q, f32x16 *acc) {
  TY_UNROLL for (u32 i = 0; i < vectors; ++i) acc[i] = 0.0f;
  for (u32 n = 0; n < c->depth; ++n) {
    f32 *row = c->s + (u64)n * c->stride;
    const f32 in = scale * k[n];
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) {
      const f32x16 s = fma16(w[i], in, load_f32x16(row + 16 * i) * decay);
      store_f32x16(row + 16 * i, s);
      acc[i] = fma16(s, q[n], acc[i]);
    }
  }
}

// One token of one head.
TY_INLINE void scan_token(const ty_scan *scan, const scan_columns *c, const u32 vectors, f32 decay, f32 step,
                          f32 d, const f32 *v_at, const f32 *k, const f32 *q, f32 *out) {
  f32x16 v[TY_SCAN_COLUMNS / 16], w[TY_SCAN_COLUMNS / 16], acc[TY_SCAN_COLUMNS / 16];
  TY_UNROLL for (u32 i = 0; i < vectors; ++i) v[i] = load_up_to(v_at + 16 * i, c->left - 16 * i);
  f32 k_scale = 1.0f, q_scale = 1.0f;
  if (scan->rule == TY_DELTA) {
    k_scale = inverse_length(k, c->depth, scan->least);
    q_scale = inverse_length(q, c->depth, scan->least) * scan->most;
    scan_read(c, vectors, k, acc);
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) w[i] = step * fma16(acc[i], -decay * k_scale, v[i]);
  } else {
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) w[i] = step * v[i];
  }
  scan_write(c, vectors, decay, k, k_scale, w, q, acc);
  TY_UNROLL for (u32 i = 0; i < vectors; ++i) {
    store_first_f32(out + 16 * i, fma16(v[i], d, q_scale * acc[i]), c->left - 16 * i);
  }
}

// All tokens of a sequence, for columns from `column` on.
TY_INLINE void scan_tokens(const ty_scan *scan, ty_run run, const ty_scan_operands *at, u32 head, u32 column,
                           const scan_columns *c, const u32 vectors) {
  const u64 group = (u64)(head * scan->groups / scan->heads) * scan->depth;
  const u64 own = (u64)head * scan->width + column;
  const f32 d = at->d ? at->d[head] : 0.0f;
  for (u32 begin = 0; begin < run.count; begin += TY_SCAN_TOKENS) {
    const u32 left = run.count - begin, count = left < TY_SCAN_TOKENS ? left : TY_SCAN_TOKENS;
    scan_gates gates;
    gates_of(scan, at, head, run.first + begin, count, &gates);
    for (u32 i = 0; i < count; ++i) {
      const u64 t = run.first + begin + i;
      scan_token(scan, c, vectors, gates.decay[i], gates.step[i], d, at->v + t * scan->v_stride + own,
                 at->k + t * scan->k_stride + group, at->q + t * scan->q_stride + group,
                 at->out + t * scan->out_stride + own);
    }
  }
}

static void ty_scan_chunk(const ty_scan *scan, ty_run run, u8 *cache, const ty_scan_operands *at, u32 chunk) {
  const u32 parts = (scan->width + TY_SCAN_COLUMNS - 1) / TY_SCAN_COLUMNS;
  const u32 head = chunk / parts, column = chunk % parts * TY_SCAN_COLUMNS, stride = padded_row(scan->width);
  f32 *state = (f32 *)(cache + (u64)run.slot * scan->slot_bytes + scan->state);
  const u32 real = scan->width - column, left = real < TY_SCAN_COLUMNS ? real : TY_SCAN_COLUMNS;
  const scan_columns c = {state + (u64)head * scan->depth * stride + column, stride, scan->depth, left};
  const u32 vectors = (left + 15) / 16;
  if (run.fresh) {
    for (u32 n = 0; n < c.depth; ++n) {
      for (u32 i = 0; i < vectors; ++i) store_f32x16(c.s + (u64)n * stride + 16 * i, 0.0f);
    }
  }
  switch (vectors) {
    case 1: scan_tokens(scan, run, at, head, column, &c, 1); break;
    case 2: scan_tokens(scan, run, at, head, column, &c, 2); break;
    case 3: scan_tokens(scan, run, at, head, column, &c, 3); break;
    default: scan_tokens(scan, run, at, head, column, &c, 4);
  }
}
