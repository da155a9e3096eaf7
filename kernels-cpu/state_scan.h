// state_scan.h -- Mamba 2's scan, Mamba's, the RG-LRU, the gated delta rule and RWKV-7's, token by token.
//
// Math       For each head, with S [depth N][width P], step = log(1 + exp(dt + dt_bias)) and
//            decay = exp(-exp(a_log) * step):
//
//            TY_SSM    step clamped to [least, most] before it makes the decay
//                      S = decay * S + k (step * v)^T;  out = S^T q + d * v
//            TY_DELTA  k' = k / sqrt(sum(k^2) + least), q' = most * q / sqrt(sum(q^2) + least)
//                      e = strength * logistic(gate) * (v - S^T (decay * k'))
//                      S = decay * S + k' e^T;  out = S^T q'
//                      with one decay, or with one for each row of S, as `decays` says
//            TY_SELECTIVE  a step for each column p and a decay for each element,
//                      exp(-exp(a_log[p][n]) * step[p]); the rest as TY_SSM, without limits
//            TY_RG_LRU     N = 1, and a rate = 8 log(1 + exp(a_log)) * logistic(dt) for each column;
//                      S = exp(-rate) * S + sqrt(1 - exp(-2 rate)) * logistic(gate) * v;  out = S
//                      with 1 for the root of a sequence's first token
//
//            TY_DPLR   S = diag(decay) S - b (S^T a)^T + k v^T, with the S before it in S^T a;
//                      out = S^T q, and behind all heads' rows of that (sum of u * q * k) * v
//
//            (x, b, c of the scan are v, k, q here. k and q are those of group h * groups / heads.)
// Layout     rows of v, k, q, dt, gate and out a token apart by their strides; S as state.h says.
// Numerics   f32; sums over N from the first on, norms in lanes of 16. step and decay have a
//            relative error of a few 1e-7.
// Bound by   for one token S, read and written once; for many S too, which stays in the first
//            cache: N times TY_SCAN_COLUMNS numbers. Each token goes over it once (the scan) or
//            twice (the delta rule and TY_DPLR, which must read before they know what to write).

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
  store_f32x16(gates->step, scan->rule == TY_SSM ? step : scan->strength / (1.0f + exp16(-gate)));
}

// The decays of a head's rows at one token.
static void row_decays(const ty_scan *scan, const ty_scan_operands *at, u32 head, u64 token, f32 *decays) {
  const f32 *dt = at->dt + token * scan->dt_stride + (u64)head * scan->depth;
  const f32 *bias = at->dt_bias + (u64)head * scan->depth, rate = -exp1(at->a_log[head]);
  for (u32 n = 0; n < scan->depth; n += 16) {
    const u32 left = scan->depth - n;
    const f32x16 step = softplus16(load_up_to(dt + n, left) + load_up_to(bias + n, left));
    store_f32x16(decays + n, exp16(rate * step));
  }
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

// Columns of one head's S: their place, where they are before the next token (elsewhere for the first
// token of a run that goes on from another slot), how many rows of them, and how many are real.
typedef struct {
  f32 *s;
  const f32 *from;
  u32 stride, depth, left;
} scan_columns;

// What a state's rows lose at a token: all the same, or each its own.
typedef struct {
  f32 all;
  const f32 *rows; // null where all lose the same
} scan_decay;

// acc = S^T x, over `vectors` vectors of columns; with decays of their own, of the decayed rows.
TY_INLINE void scan_read(const scan_columns *c, const u32 vectors, const f32 *x, const f32 *decays, f32x16 *acc) {
  TY_UNROLL for (u32 i = 0; i < vectors; ++i) acc[i] = 0.0f;
  for (u32 n = 0; n < c->depth; ++n) {
    const f32 *row = c->from + (u64)n * c->stride;
    const f32 by = decays ? decays[n] * x[n] : x[n];
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) acc[i] = fma16(load_f32x16(row + 16 * i), by, acc[i]);
  }
}

// S = decay * S + (scale * k) w^T, and acc = S^T q of the new one.
TY_INLINE void scan_write(const scan_columns *c, const u32 vectors, const scan_decay decay, const f32 *k, f32 scale,
                          const f32x16 *w, const f32 *q, f32x16 *acc) {
  TY_UNROLL for (u32 i = 0; i < vectors; ++i) acc[i] = 0.0f;
  for (u32 n = 0; n < c->depth; ++n) {
    const f32 *before = c->from + (u64)n * c->stride;
    f32 *row = c->s + (u64)n * c->stride;
    const f32 in = scale * k[n], kept = decay.rows ? decay.rows[n] : decay.all;
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) {
      const f32x16 s = fma16(w[i], in, load_f32x16(before + 16 * i) * kept);
      store_f32x16(row + 16 * i, s);
      acc[i] = fma16(s, q[n], acc[i]);
    }
  }
}

// One token of one head.
TY_INLINE void scan_token(const ty_scan *scan, const scan_columns *c, const u32 vectors, const scan_decay decay,
                          f32 step, f32 d, const f32 *v_at, const f32 *k, const f32 *q, f32 *out) {
  f32x16 v[TY_SCAN_COLUMNS / 16], w[TY_SCAN_COLUMNS / 16], acc[TY_SCAN_COLUMNS / 16];
  TY_UNROLL for (u32 i = 0; i < vectors; ++i) v[i] = load_up_to(v_at + 16 * i, c->left - 16 * i);
  f32 k_scale = 1.0f, q_scale = 1.0f;
  if (scan->rule == TY_DELTA) {
    k_scale = inverse_length(k, c->depth, scan->least);
    q_scale = inverse_length(q, c->depth, scan->least) * scan->most;
    scan_read(c, vectors, k, decay.rows, acc);
    const f32 seen = decay.rows ? -k_scale : -decay.all * k_scale;
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) w[i] = step * fma16(acc[i], seen, v[i]);
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
                           scan_columns c, const u32 vectors, const bool apart) {
  f32 decays[TY_SCAN_ROWS];
  const u64 group = (u64)(head * scan->groups / scan->heads) * scan->depth;
  const u64 own = (u64)head * scan->width + column;
  const f32 d = at->d ? at->d[head] : 0.0f;
  for (u32 begin = 0; begin < run.count; begin += TY_SCAN_TOKENS) {
    const u32 left = run.count - begin, count = left < TY_SCAN_TOKENS ? left : TY_SCAN_TOKENS;
    scan_gates gates;
    gates_of(scan, at, head, run.first + begin, count, &gates);
    for (u32 i = 0; i < count; ++i) {
      const u64 t = run.first + begin + i;
      if (apart) row_decays(scan, at, head, t, decays);
      const scan_decay decay = {gates.decay[i], apart ? decays : (const f32 *)0};
      scan_token(scan, &c, vectors, decay, gates.step[i], d, at->v + t * scan->v_stride + own,
                 at->k + t * scan->k_stride + group, at->q + t * scan->q_stride + group,
                 at->out + t * scan->out_stride + own);
      c.from = c.s;
    }
  }
}

// Sixteen columns of a selective scan, of which `left` are real.
static void selective_columns(const ty_scan *scan, ty_run run, const ty_scan_operands *at, u32 column,
                              scan_columns c) {
  f32x16 rates[TY_SCAN_ROWS];
  const u32 depth = c.depth, left = c.left, lanes = left < 16 ? left : 16;
  for (u32 n = 0; n < depth; ++n) {
    f32x16 log = 0.0f;
    for (u32 lane = 0; lane < lanes; ++lane) log[lane] = at->a_log[(u64)(column + lane) * depth + n];
    rates[n] = -exp16(log);
  }
  const f32x16 bias = load_up_to(at->dt_bias + column, left), d = load_up_to(at->d + column, left);
  for (u64 t = run.first; t < (u64)run.first + run.count; ++t) {
    const f32 *k = at->k + t * scan->k_stride, *q = at->q + t * scan->q_stride;
    const f32x16 v = load_up_to(at->v + t * scan->v_stride + column, left);
    const f32x16 step = softplus16(load_up_to(at->dt + t * scan->dt_stride + column, left) + bias);
    const f32x16 in = step * v;
    f32x16 acc = 0.0f;
    for (u32 n = 0; n < depth; ++n) {
      const u64 row = (u64)n * c.stride;
      const f32x16 s = fma16(in, k[n], load_f32x16(c.from + row) * exp16(rates[n] * step));
      store_f32x16(c.s + row, s);
      acc = fma16(s, q[n], acc);
    }
    store_first_f32(at->out + t * scan->out_stride + column, fma16(v, d, acc), left);
    c.from = c.s;
  }
}

// Columns of a sequence that begins.
static void scan_clear(const scan_columns *c, u32 vectors) {
  for (u32 n = 0; n < c->depth; ++n) {
    for (u32 i = 0; i < vectors; ++i) store_f32x16(c->s + (u64)n * c->stride + 16 * i, 0.0f);
  }
}

// 1 - e^-u for u >= 0: near 0 as a series, which loses nothing where e^-u is nearly 1.
static f32x16 complement16(f32x16 u) {
  f32x16 p = 1.0f - u * (1.0f / 8);
  p = 1.0f - u * (1.0f / 7) * p;
  p = 1.0f - u * (1.0f / 6) * p;
  p = 1.0f - u * (1.0f / 5) * p;
  p = 1.0f - u * (1.0f / 4) * p;
  p = 1.0f - u * (1.0f / 3) * p;
  p = 1.0f - u * (1.0f / 2) * p;
  return u < 0.5f ? u * p : 1.0f - exp16(-u);
}

// Sixteen columns of an RG-LRU, of which `left` are real.
static void rg_lru_columns(const ty_scan *scan, ty_run run, const ty_scan_operands *at, u32 column, scan_columns c) {
  const u32 left = c.left;
  const f32x16 most = 8.0f * softplus16(load_up_to(at->a_log + column, left));
  f32x16 s = load_f32x16(c.from);
  for (u32 i = 0; i < run.count; ++i) {
    const u64 t = (u64)run.first + i;
    const f32x16 rate = most / (1.0f + exp16(-load_up_to(at->dt + t * scan->dt_stride + column, left)));
    const f32x16 gate = 1.0f + exp16(-load_up_to(at->gate + t * scan->gate_stride + column, left));
    const f32x16 square = complement16(2.0f * rate);
    f32x16 root = 1.0f;
    for (u32 lane = 0; lane < 16 && !(run.fresh && i == 0); ++lane) root[lane] = __builtin_sqrtf(square[lane]);
    s = fma16(exp16(-rate), s, root * load_up_to(at->v + t * scan->v_stride + column, left) / gate);
    store_first_f32(at->out + t * scan->out_stride + column, s, left);
  }
  store_f32x16(c.s, s);
}

// The sum of u * q * k.
static f32 sum_of_products(const f32 *u, const f32 *q, const f32 *k, u32 count) {
  f32x16 sum = 0.0f;
  for (u32 i = 0; i < count; i += 16) {
    const u32 left = count - i;
    sum = fma16(load_up_to(u + i, left) * load_up_to(q + i, left), load_up_to(k + i, left), sum);
  }
  return sum_lanes(sum);
}

// What TY_DPLR reads of a head at one token: each `depth` numbers.
typedef struct {
  const f32 *decays, *a, *b, *k, *q;
} dplr_rows;

// S = diag(decays) S - b seen^T + k v^T, and acc = S^T q of the new one.
TY_INLINE void dplr_write(const scan_columns *c, const u32 vectors, const dplr_rows *rows, const f32x16 *seen,
                          const f32x16 *v, f32x16 *acc) {
  TY_UNROLL for (u32 i = 0; i < vectors; ++i) acc[i] = 0.0f;
  for (u32 n = 0; n < c->depth; ++n) {
    const f32 *before = c->from + (u64)n * c->stride;
    f32 *row = c->s + (u64)n * c->stride;
    const f32 kept = rows->decays[n], back = -rows->b[n], in = rows->k[n], out = rows->q[n];
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) {
      const f32x16 s = fma16(v[i], in, fma16(seen[i], back, load_f32x16(before + 16 * i) * kept));
      store_f32x16(row + 16 * i, s);
      acc[i] = fma16(s, out, acc[i]);
    }
  }
}

// All tokens of a sequence under TY_DPLR, for columns from `column` on.
TY_INLINE void dplr_tokens(const ty_scan *scan, ty_run run, const ty_scan_operands *at, u32 head, u32 column,
                           scan_columns c, const u32 vectors) {
  f32x16 v[TY_SCAN_COLUMNS / 16], seen[TY_SCAN_COLUMNS / 16], acc[TY_SCAN_COLUMNS / 16];
  const u64 first = (u64)head * scan->depth, all = (u64)scan->heads * scan->depth;
  const u64 own = (u64)head * scan->width + column, further = (u64)scan->heads * scan->width;
  for (u64 t = run.first; t < (u64)run.first + run.count; ++t) {
    const f32 *a = at->gate + t * scan->gate_stride + first, *v_at = at->v + t * scan->v_stride + own;
    const dplr_rows rows = {at->dt + t * scan->dt_stride + first, a, a + all,
                            at->k + t * scan->k_stride + first, at->q + t * scan->q_stride + first};
    f32 *out = at->out + t * scan->out_stride + own;
    const f32 met = sum_of_products(at->d + first, rows.q, rows.k, scan->depth);
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) v[i] = load_up_to(v_at + 16 * i, c.left - 16 * i);
    scan_read(&c, vectors, rows.a, 0, seen);
    dplr_write(&c, vectors, &rows, seen, v, acc);
    TY_UNROLL for (u32 i = 0; i < vectors; ++i) {
      store_first_f32(out + 16 * i, acc[i], c.left - 16 * i);
      store_first_f32(out + further + 16 * i, met * v[i], c.left - 16 * i);
    }
    c.from = c.s;
  }
}

static void ty_scan_chunk(const ty_scan *scan, ty_run run, u8 *cache, const ty_scan_operands *at, u32 chunk) {
  const u32 parts = (scan->width + TY_SCAN_COLUMNS - 1) / TY_SCAN_COLUMNS;
  const u32 head = chunk / parts, column = chunk % parts * TY_SCAN_COLUMNS, stride = padded_row(scan->width);
  const u64 begin = (u64)head * scan->depth * stride + column;
  f32 *state = (f32 *)(cache + (u64)run.slot * scan->slot_bytes + scan->state) + begin;
  const f32 *before = (const f32 *)(cache + (u64)run.from * scan->slot_bytes + scan->state) + begin;
  const u32 real = scan->width - column, left = real < TY_SCAN_COLUMNS ? real : TY_SCAN_COLUMNS;
  const scan_columns c = {state, run.fresh ? state : before, stride, scan->depth, left};
  const u32 vectors = (left + 15) / 16;
  if (run.fresh) scan_clear(&c, vectors);
  if (scan->rule == TY_SELECTIVE) {
    for (u32 i = 0; i < vectors; ++i) {
      const scan_columns one = {c.s + 16 * i, c.from + 16 * i, stride, c.depth, left - 16 * i};
      selective_columns(scan, run, at, column + 16 * i, one);
    }
    return;
  }
  if (scan->rule == TY_RG_LRU) {
    for (u32 i = 0; i < vectors; ++i) {
      const scan_columns one = {c.s + 16 * i, c.from + 16 * i, stride, c.depth, left - 16 * i};
      rg_lru_columns(scan, run, at, column + 16 * i, one);
    }
    return;
  }
  if (scan->rule == TY_DPLR) {
    switch (vectors) {
      case 1: dplr_tokens(scan, run, at, head, column, c, 1); return;
      case 2: dplr_tokens(scan, run, at, head, column, c, 2); return;
      case 3: dplr_tokens(scan, run, at, head, column, c, 3); return;
      default: dplr_tokens(scan, run, at, head, column, c, 4); return;
    }
  }
  if (scan->decays > 1) {
    for (u32 i = 0; i < vectors; ++i) {
      const scan_columns one = {c.s + 16 * i, c.from + 16 * i, stride, c.depth, left - 16 * i};
      scan_tokens(scan, run, at, head, column + 16 * i, one, 1, true);
    }
    return;
  }
  switch (vectors) {
    case 1: scan_tokens(scan, run, at, head, column, c, 1, false); break;
    case 2: scan_tokens(scan, run, at, head, column, c, 2, false); break;
    case 3: scan_tokens(scan, run, at, head, column, c, 3, false); break;
    default: scan_tokens(scan, run, at, head, column, c, 4, false);
  }
}
