// state_test.h -- convolutions and recurrences of random shapes against their definitions in f64,
// in memory that ends where their operands do.

#pragma once

#include "check.h"

#include "../state_conv.h"
#include "../state_scan.h"

// A block of its own for `count` numbers, so that a sanitizer sees what is read beyond it.
static f32 *numbers(u32 count) {
  f32 *p = malloc(count * sizeof *p + !count);
  if (!p) abort();
  for (u32 i = 0; i < count; ++i) p[i] = random_normal();
  return p;
}

static f32 *copy_of(const f32 *from, u32 count) {
  f32 *p = numbers(count);
  memcpy(p, from, count * sizeof *p);
  return p;
}

static void check_near(const char *what, f32 found, f64 expected, f64 size) {
  CHECK(fabs(found - expected) <= 2e-5 * (size + 1), "%s is %g, not %g", what, (f64)found, expected);
}

static void test_softplus(void) {
  for (u32 i = 0; i < 100000; ++i) {
    const f32 v = random_unit() * (i % 2 ? 100 : 2);
    const f64 expected = log1p(exp((f64)v)), found = softplus16((f32x16)v)[i % 16];
    CHECK(fabs(found - expected) <= 1e-6 * expected + 1e-37, "softplus %g is %g, not %g", (f64)v, found, expected);
  }
  const f32x16 s = softplus16((f32x16){INFINITY, -INFINITY, NAN});
  CHECK(s[0] == INFINITY && s[1] == 0 && isnan(s[2]), "softplus of the special values");
}

static void test_complement(void) {
  for (u32 i = 0; i < 100000; ++i) {
    const f32 u = fabsf(random_unit()) * (i % 3 == 0 ? 40 : i % 3 == 1 ? 1 : 1e-4f);
    const f64 expected = -expm1(-(f64)u), found = complement16((f32x16)u)[i % 16];
    CHECK(fabs(found - expected) <= 5e-7 * expected, "1 - e^-%g is %g, not %g", (f64)u, found, expected);
  }
  const f32x16 s = complement16((f32x16){0, INFINITY, NAN});
  CHECK(s[0] == 0 && s[1] == 1 && isnan(s[2]), "1 - e^-u of the special values");
}

static void test_conv(u32 channels, u32 taps, u32 tokens, bool fresh, bool silu) {
  const u32 kept = taps - 1, padded = padded_row(channels);
  ty_conv conv = {.channels = channels, .taps = taps, .silu = silu, .has_bias = tokens % 2};
  conv.slot_bytes = (u64)kept * padded * 4;
  conv.x_stride = conv.out_stride = channels;
  f32 *weight = numbers(channels * taps), *bias = numbers(channels), *x = numbers(tokens * channels);
  f32 *out = numbers(tokens * channels), *cache = numbers(2 * kept * padded), *state = cache + kept * padded;
  const u32 from = random_below(2);
  for (u32 i = 0; (fresh || from == 0) && i < kept * padded; ++i) state[i] = NAN;
  f32 *before = copy_of(cache + from * kept * padded, kept * padded);
  // Rows from the oldest of the state on.
  f64 *rows = malloc((kept + tokens) * channels * sizeof *rows);
  for (u32 t = 0; t < kept + tokens; ++t) {
    for (u32 c = 0; c < channels; ++c) {
      const f64 old = fresh || t >= kept ? 0 : before[t * padded + c];
      rows[t * channels + c] = t < kept ? old : x[(t - kept) * channels + c];
    }
  }
  const ty_run run = {.first = 0, .count = tokens, .from = from, .slot = 1, .fresh = fresh};
  for (u32 chunk = 0; chunk < ty_conv_chunks(&conv); ++chunk) {
    ty_conv_chunk(&conv, run, (u8 *)cache, weight, conv.has_bias ? bias : 0, x, out, chunk);
  }
  CHECK(from || memcmp(before, cache, kept * padded * 4) == 0, "the slot that was gone on from");
  for (u32 c = 0; c < channels; ++c) {
    for (u32 t = 0; t < tokens; ++t) {
      f64 y = conv.has_bias ? bias[c] : 0;
      for (u32 j = 0; j < taps; ++j) y += (f64)weight[c * taps + j] * rows[(t + j) * channels + c];
      check_near("convolution", out[t * channels + c], silu ? y / (1 + exp(-y)) : y, fabs(y));
    }
    for (u32 j = 0; j < kept; ++j) {
      CHECK(state[j * padded + c] == (f32)rows[(tokens + j) * channels + c], "row %u of a state", j);
    }
  }
  free(weight), free(bias), free(x), free(out), free(cache), free(rows), free(before);
}

// One head of one token, by the definition; s is [depth][width].
static void scan_by_definition(const ty_scan *scan, const ty_scan_operands *at, u32 t, u32 head, f64 *s, f64 *y) {
  const u32 depth = scan->depth, width = scan->width, group = head * scan->groups / scan->heads;
  const f32 *k = at->k + t * scan->k_stride + group * depth, *q = at->q + t * scan->q_stride + group * depth;
  const f32 *v = at->v + t * scan->v_stride + head * width;
  const bool delta = scan->rule == TY_DELTA;
  f64 step = log1p(exp((f64)at->dt[t * scan->dt_stride + head] + at->dt_bias[head])), kk = 0, qq = 0;
  if (!delta) step = fmin(fmax(step, scan->least), scan->most);
  const f64 decay = exp(-exp((f64)at->a_log[head]) * step);
  for (u32 n = 0; n < depth; ++n) kk += (f64)k[n] * k[n], qq += (f64)q[n] * q[n];
  const f64 k_scale = delta ? 1 / sqrt(kk + scan->least) : 1, q_scale = delta ? scan->most / sqrt(qq + scan->least) : 1;
  const f64 beta = delta ? scan->strength / (1 + exp(-(f64)at->gate[t * scan->gate_stride + head])) : step;
  for (u32 p = 0; p < width; ++p) {
    f64 known = 0, sum = 0;
    for (u32 n = 0; delta && n < depth; ++n) known += decay * s[n * width + p] * k[n] * k_scale;
    for (u32 n = 0; n < depth; ++n) {
      s[n * width + p] = decay * s[n * width + p] + k[n] * k_scale * beta * (v[p] - known);
      sum += s[n * width + p] * q[n] * q_scale;
    }
    y[p] = sum + (delta ? 0 : (f64)at->d[head] * v[p]);
  }
}

static void test_scan(u32 rule, u32 groups, u32 each, u32 depth, u32 width, u32 tokens, bool fresh) {
  const u32 heads = groups * each, stride = padded_row(width);
  const u64 size = (u64)heads * depth * stride;
  ty_scan scan = {.rule = rule, .heads = heads, .groups = groups, .depth = depth, .width = width};
  scan.least = rule == TY_DELTA ? 1e-3f : 0.1f;
  scan.most = rule == TY_DELTA ? 0.7f : 1.5f;
  scan.strength = 1.5f, scan.decays = 1;
  scan.slot_bytes = size * 4;
  scan.v_stride = scan.out_stride = heads * width;
  scan.k_stride = scan.q_stride = groups * depth;
  scan.dt_stride = scan.gate_stride = heads;
  f32 *v = numbers(tokens * heads * width), *k = numbers(tokens * groups * depth), *q = numbers(tokens * groups * depth);
  f32 *dt = numbers(tokens * heads), *gate = numbers(tokens * heads), *a_log = numbers(heads);
  f32 *dt_bias = numbers(heads), *d = numbers(heads), *out = numbers(tokens * heads * width);
  f32 *cache = numbers(2 * (u32)size), *state = cache + size;
  const u32 from = random_below(2);
  for (u64 i = 0; (fresh || from == 0) && i < size; ++i) state[i] = NAN;
  f32 *before = copy_of(cache + from * size, (u32)size);
  f64 *s = calloc(heads * depth * width, sizeof *s), *y = malloc(width * sizeof *y);
  for (u32 row = 0; !fresh && row < heads * depth; ++row) {
    for (u32 p = 0; p < width; ++p) s[row * width + p] = before[row * stride + p];
  }
  const ty_scan_operands at = {.v = v, .k = k, .q = q, .dt = dt, .gate = gate, .a_log = a_log,
                               .dt_bias = dt_bias, .d = rule == TY_DELTA ? 0 : d, .out = out};
  const ty_run run = {.first = 0, .count = tokens, .from = from, .slot = 1, .fresh = fresh};
  for (u32 chunk = 0; chunk < ty_scan_chunks(&scan); ++chunk) ty_scan_chunk(&scan, run, (u8 *)cache, &at, chunk);
  CHECK(from || memcmp(before, cache, size * 4) == 0, "the slot that was gone on from");
  const f64 most = sqrt(depth) * 8;
  for (u32 head = 0; head < heads; ++head) {
    f64 *own = s + head * depth * width;
    for (u32 t = 0; t < tokens; ++t) {
      scan_by_definition(&scan, &at, t, head, own, y);
      for (u32 p = 0; p < width; ++p) check_near("a scan", out[(t * heads + head) * width + p], y[p], most);
    }
    for (u32 n = 0; n < depth; ++n) {
      for (u32 p = 0; p < width; ++p) {
        check_near("a state", state[(head * depth + n) * stride + p], own[n * width + p], most);
      }
    }
  }
  free(v), free(k), free(q), free(dt), free(gate), free(a_log), free(dt_bias), free(d), free(out);
  free(cache), free(s), free(y), free(before);
}

static void test_rg_lru(u32 width, u32 tokens, bool fresh) {
  const u32 stride = padded_row(width);
  ty_scan scan = {.rule = TY_RG_LRU, .heads = 1, .groups = 1, .depth = 1, .width = width, .decays = 1};
  scan.slot_bytes = stride * 4;
  scan.v_stride = scan.out_stride = scan.dt_stride = scan.gate_stride = width;
  f32 *v = numbers(tokens * width), *dt = numbers(tokens * width), *gate = numbers(tokens * width);
  f32 *lambda = numbers(width), *out = numbers(tokens * width), *cache = numbers(2 * stride), *state = cache + stride;
  f64 *s = calloc(width, sizeof *s);
  const u32 from = random_below(2);
  for (u32 p = 0; p < width; ++p) {
    // From states that last for thousands of tokens to those that last for none.
    lambda[p] = 6 * lambda[p] - 5;
    if (fresh || from == 0) state[p] = NAN;
    if (!fresh) s[p] = cache[from * stride + p];
  }
  const ty_scan_operands at = {.v = v, .dt = dt, .gate = gate, .a_log = lambda, .out = out};
  const ty_run run = {.first = 0, .count = tokens, .from = from, .slot = 1, .fresh = fresh};
  for (u32 chunk = 0; chunk < ty_scan_chunks(&scan); ++chunk) ty_scan_chunk(&scan, run, (u8 *)cache, &at, chunk);
  for (u32 t = 0; t < tokens; ++t) {
    for (u32 p = 0; p < width; ++p) {
      const f64 rate = 8 * log1p(exp((f64)lambda[p])) / (1 + exp(-(f64)dt[t * width + p]));
      const f64 root = fresh && t == 0 ? 1 : sqrt(-expm1(-2 * rate)), in = v[t * width + p] / (1 + exp(-(f64)gate[t * width + p]));
      s[p] = exp(-rate) * s[p] + root * in;
      check_near("an RG-LRU", out[t * width + p], s[p], 0);
    }
  }
  for (u32 p = 0; p < width; ++p) check_near("its state", state[p], s[p], 0);
  free(v), free(dt), free(gate), free(lambda), free(out), free(cache), free(s);
}

// TY_DPLR, of which every token multiplies the state with a matrix.
static void test_dplr(u32 heads, u32 depth, u32 width, u32 tokens, bool fresh) {
  const u32 stride = padded_row(width), rows = heads * depth, columns = heads * width;
  const u64 size = (u64)rows * stride;
  ty_scan scan = {.rule = TY_DPLR, .heads = heads, .groups = heads, .depth = depth, .width = width, .decays = depth};
  scan.slot_bytes = size * 4;
  scan.v_stride = columns, scan.out_stride = 2 * columns;
  scan.k_stride = scan.q_stride = scan.dt_stride = rows, scan.gate_stride = 2 * rows;
  f32 *v = numbers(tokens * columns), *k = numbers(tokens * rows), *q = numbers(tokens * rows);
  f32 *decays = numbers(tokens * rows), *ab = numbers(2 * tokens * rows), *u = numbers(rows);
  f32 *out = numbers(2 * tokens * columns), *cache = numbers(2 * (u32)size), *state = cache + size;
  for (u32 i = 0; i < tokens * rows; ++i) decays[i] = 0.5f + 0.5f * random_unit();
  // Lengths below 1 and no larger product of them: states stay small.
  for (u32 i = 0; i < 2 * tokens * rows; ++i) ab[i] *= 0.5f / sqrtf((f32)depth);
  const u32 from = random_below(2);
  for (u64 i = 0; (fresh || from == 0) && i < size; ++i) state[i] = NAN;
  f32 *before = copy_of(cache + from * size, (u32)size);
  f64 *s = calloc(rows * width, sizeof *s), *seen = calloc(width, sizeof *seen);
  for (u32 row = 0; !fresh && row < rows; ++row) {
    for (u32 p = 0; p < width; ++p) s[row * width + p] = before[row * stride + p];
  }
  const ty_scan_operands at = {.v = v, .k = k, .q = q, .dt = decays, .gate = ab, .d = u, .out = out};
  const ty_run run = {.first = 0, .count = tokens, .from = from, .slot = 1, .fresh = fresh};
  for (u32 chunk = 0; chunk < ty_scan_chunks(&scan); ++chunk) ty_scan_chunk(&scan, run, (u8 *)cache, &at, chunk);
  CHECK(from || memcmp(before, cache, size * 4) == 0, "the slot that was gone on from");
  const f64 most = sqrt(depth) * 8;
  for (u32 t = 0; t < tokens; ++t) {
    for (u32 head = 0; head < heads; ++head) {
      f64 *own = s + head * depth * width, met = 0;
      const u32 first = t * rows + head * depth;
      const f32 *a = ab + 2 * t * rows + head * depth, *b = a + rows;
      for (u32 n = 0; n < depth; ++n) met += (f64)u[head * depth + n] * q[first + n] * k[first + n];
      for (u32 p = 0; p < width; ++p) {
        const f64 value = v[t * columns + head * width + p];
        f64 y = 0;
        seen[p] = 0;
        for (u32 n = 0; n < depth; ++n) seen[p] += (f64)a[n] * own[n * width + p];
        for (u32 n = 0; n < depth; ++n) {
          f64 *at_n = own + n * width + p;
          *at_n = decays[first + n] * *at_n - b[n] * seen[p] + k[first + n] * value;
          y += q[first + n] * *at_n;
        }
        const f32 *found = out + 2 * t * columns + head * width + p;
        check_near("a scan", found[0], y, most);
        check_near("what a token reads of itself", found[columns], met * value, most);
      }
    }
  }
  for (u32 row = 0; row < rows; ++row) {
    for (u32 p = 0; p < width; ++p) check_near("a state", state[row * stride + p], s[row * width + p], most);
  }
  free(v), free(k), free(q), free(decays), free(ab), free(u), free(out);
  free(cache), free(s), free(seen), free(before);
}

static void test_state(void) {
  test_softplus();
  test_complement();
  for (u32 i = 0; i < 60; ++i) {
    const u32 channels = 1 + random_below(i % 3 ? 40 : 600), taps = 2 + random_below(15);
    test_conv(channels, taps, 1 + random_below(20), random_below(2), random_below(2));
    const u32 depth = 1 + random_below(40), width = 1 + random_below(i % 3 ? 40 : 150);
    test_rg_lru(1 + random_below(i % 3 ? 40 : 150), 1 + random_below(20), random_below(2));
    test_dplr(1 + random_below(4), depth, width, 1 + random_below(20), random_below(2));
    test_scan(i % 2, 1 + random_below(3), 1 + random_below(2), depth, width, 1 + random_below(20), random_below(2));
  }
}
