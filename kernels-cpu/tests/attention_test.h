// attention_test.h -- append, decode and prefill against a softmax in f64. Blocks of the cache
// stand in random order; whatever was not appended is NaN.

#pragma once

#include "../attention_decode.h"
#include "../attention_prefill.h"
#include "check.h"

typedef struct {
  ty_attention a;
  u32 length;     // positions appended
  u8 *cache;
  i32 *table;
  f32 *q, *k, *v; // [length, heads or kv_heads, head_dim]
  f32 *sinks;     // [heads], or null
} context;

static context make_context(u32 type, u32 heads, u32 kv_heads, u32 dim, u32 length, i32 window, f32 cap) {
  context c = {.length = length};
  const u32 part = kv_heads * (u32)head_bytes(type, dim), pages = (length + 15) / 16;
  c.a = (ty_attention){.heads = heads, .kv_heads = kv_heads, .head_dim = dim, .block_size = 16,
                       .kv_format = type, .window = window, .soft_cap = cap, .pages = pages};
  c.a.scale = 1.0f / sqrtf((f32)dim);
  c.a.keys = 64;
  c.a.values = c.a.keys + part + 64;
  c.a.block_bytes = c.a.values + part;
  c.cache = allocate((pages + 2) * c.a.block_bytes);
  memset(c.cache, 0xff, (pages + 2) * c.a.block_bytes);
  c.table = allocate(pages * 4);
  for (u32 i = 0; i < pages; ++i) c.table[i] = (i32)i + 2;
  for (u32 i = pages; i-- > 1;) {
    const u32 j = random_below(i + 1);
    const i32 swap = c.table[i];
    c.table[i] = c.table[j], c.table[j] = swap;
  }
  c.q = allocate((u64)length * heads * dim * 4);
  c.k = allocate((u64)length * kv_heads * dim * 4);
  c.v = allocate((u64)length * kv_heads * dim * 4);
  for (u64 i = 0; i < (u64)length * heads * dim; ++i) c.q[i] = random_normal() * 2;
  for (u64 i = 0; i < (u64)length * kv_heads * dim; ++i) {
    c.k[i] = random_normal();
    c.v[i] = random_normal();
  }
  return c;
}

// Sinks around `middle`: far above the scores they dominate; -inf is none.
static void add_sinks(context *c, f32 middle) {
  c->sinks = allocate(c->a.heads * 4);
  for (u32 h = 0; h < c->a.heads; ++h) c->sinks[h] = h % 3 == 2 ? -INFINITY : middle + random_normal();
}

static void append_all(context *c) {
  const u32 dim = c->a.head_dim, heads = c->a.kv_heads;
  for (u32 p = 0; p < c->length; ++p) {
    for (u32 h = 0; h < heads; ++h) {
      const u64 at = ((u64)p * heads + h) * dim;
      const i32 slot[2] = {c->table[p / 16], (i32)p % 16};
      ty_attention_append(&c->a, c->cache, slot, h, c->k + at, c->v + at);
    }
  }
}

static void free_context(context *c) {
  free(c->sinks), free(c->v), free(c->k), free(c->q), free(c->table), free(c->cache);
}

// The value of an 8-bit float, by its definition.
static f64 value_of_e4m3_byte(u32 byte) {
  const int exponent = (int)(byte >> 3 & 15), fraction = (int)(byte & 7);
  const f64 size = exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);
  return (byte & 0x7f) == 0x7f ? NAN : byte & 0x80 ? -size : size;
}

// The 8-bit float that is nearest, by its definition.
static f64 nearest_e4m3(f32 v) {
  if (!isfinite(v)) return NAN;
  const f64 unit = ldexp(1, (v == 0 ? -6 : fmax(ilogbf(v), -6)) - 3);
  return copysign(fmin(fabs(rint(v / unit) * unit), 448), v);
}

// v as a cache that is not quantized holds it.
static f64 stored(u32 type, f32 v) { return type == TY_CACHE_E4M3 ? nearest_e4m3(v) : rounded(type, v); }

// Element `column` of x as a quantized cache holds it: ggml's rounding, in plain C.
static f64 quantized(u32 type, const f32 *x, u32 column) {
  f32 most = 0, first = 0;
  for (u32 i = column / 32 * 32; i < column / 32 * 32 + 32; ++i) {
    if (!isfinite(x[i])) return NAN;
    if (fabsf(x[i]) > most) most = fabsf(x[i]), first = x[i];
  }
  const f32 d = type == TY_CACHE_Q8_0 ? most / 127 : first / -8;
  const f32 scaled = x[column] * (d == 0 ? 0 : 1 / d);
  const f64 scale = value_of_half(half_of_value(d, 10), 10);
  if (type == TY_CACHE_Q8_0) return scale * roundf(scaled);
  return scale * (fmin(15, floor((f64)(f32)(scaled + 8.5f))) - 8);
}

// The same of a quantized cache.
static f64 cached_code(const context *c, const u8 *at, bool value, u32 s, u32 head, u32 column) {
  const u32 dim = c->a.head_dim, group = column / 32;
  const bool bytes = c->a.kv_format == TY_CACHE_Q8_0;
  at += (u64)head * dim / 32 * 16 * (bytes ? 34 : 18);
  const f64 scale = known_value_of_half(((const u16 *)at)[group * 16 + s], 10);
  const u8 *codes = at + dim / 32 * 16 * 2;
  if (bytes) return scale * (value ? (i8)codes[s * dim + column] : codes[(column / 4 * 16 + s) * 4 + column % 4] - 128);
  if (value) {
    const u32 byte = codes[(s * (dim / 32) + group) * 16 + column % 16];
    return scale * ((i32)((column % 32 < 16 ? byte & 15 : byte >> 4) ^ 8) - 8);
  }
  const u32 byte = codes[(column / 8 * 16 + s) * 4 + column % 4];
  return scale * ((i32)(column % 8 < 4 ? byte & 15 : byte >> 4) - 8);
}

// An element of the cache, found by the description of the layout.
static f64 cached(const context *c, bool value, u32 position, u32 head, u32 column) {
  const u32 type = c->a.kv_format, dim = c->a.head_dim, s = position % 16;
  const u8 *block = c->cache + (u64)c->table[position / 16] * c->a.block_bytes;
  const u8 *at = block + (value ? c->a.values : c->a.keys);
  if (is_quantized(type)) return cached_code(c, at, value, s, head, column);
  u64 index = value ? (head * 16 + s) * dim + column : (head * dim + column) * 16 + s;
  if (type == TY_BF16) {
    index = value ? ((head * 8 + s / 2) * dim + column) * 2 + s % 2
                  : ((head * (dim / 2) + column / 2) * 16 + s) * 2 + column % 2;
  }
  if (type == TY_F32) return ((const f32 *)at)[index];
  if (type == TY_CACHE_E4M3) return value_of_e4m3_byte(at[index]);
  return known_value_of_half(((const u16 *)at)[index], fraction_of(type));
}

static void check_cache(const context *c) {
  const u32 dim = c->a.head_dim, heads = c->a.kv_heads;
  for (u32 i = 0; i < 200; ++i) {
    const u32 p = random_below(c->length), h = random_below(heads), d = random_below(dim);
    const u64 at = ((u64)p * heads + h) * dim + d;
    const f64 k = cached(c, false, p, h, d), v = cached(c, true, p, h, d);
    const u32 type = c->a.kv_format;
    const f64 key = is_quantized(type) ? quantized(type, c->k + at - d, d) : stored(type, c->k[at]);
    const f64 of_v = is_quantized(type) ? quantized(type, c->v + at - d, d) : stored(type, c->v[at]);
    CHECK(k == key, "key %g of %g", k, (f64)c->k[at]);
    CHECK(isnan(of_v) ? isnan(v) : v == of_v, "value %g of %g", v, (f64)c->v[at]);
  }
}

// One query and head in f64: out [dim]; answers the size of what was summed.
static void reference(const context *c, u32 position, u32 head, f64 *out, f64 *size) {
  const u32 dim = c->a.head_dim, kv = head / (c->a.heads / c->a.kv_heads), type = c->a.kv_format;
  const u32 low = c->a.window > 0 && position >= (u32)c->a.window ? position - (u32)c->a.window + 1 : 0;
  const f32 *q = c->q + ((u64)position * c->a.heads + head) * dim;
  f64 *p = allocate((position + 1) * 8), *scaled = allocate(dim * 8), most = -INFINITY, total = 0;
  for (u32 d = 0; d < dim; ++d) scaled[d] = rounded(type == TY_CACHE_E4M3 ? TY_F32 : type, q[d] * c->a.scale);
  for (u32 g = 0; is_quantized(type) && g < dim; g += 32) {
    f32 largest = 0;
    for (u32 d = g; d < g + 32; ++d) largest = fmaxf(largest, fabsf(q[d] * c->a.scale));
    for (u32 d = g; d < g + 32; ++d) {
      const f32 x = q[d] * c->a.scale, unit = 127 / largest;
      scaled[d] = (f64)(largest / 127) * nearbyintf(x * unit);
    }
  }
  for (u32 i = low; i <= position; ++i) {
    p[i] = 0;
    for (u32 d = 0; d < dim; ++d) p[i] += scaled[d] * cached(c, false, i, kv, d);
    if (c->a.soft_cap > 0) p[i] = c->a.soft_cap * tanh(p[i] / c->a.soft_cap);
    most = fmax(most, p[i]);
  }
  if (c->sinks) most = fmax(most, c->sinks[head]), total = exp(c->sinks[head] - most);
  for (u32 i = low; i <= position; ++i) total += p[i] = exp(p[i] - most);
  for (u32 d = 0; d < dim; ++d) out[d] = size[d] = 0;
  for (u32 i = low; i <= position; ++i) {
    for (u32 d = 0; d < dim; ++d) {
      out[d] += p[i] / total * cached(c, true, i, kv, d);
      size[d] += p[i] / total * fabs(cached(c, true, i, kv, d));
    }
  }
  free(scaled), free(p);
}

// One token's heads against the reference.
static void check_token(const context *c, u32 position, const f32 *out, const char *what) {
  const u32 dim = c->a.head_dim, type = c->a.kv_format;
  const f64 unit = type == TY_F32 || type > TY_BF16 ? 1e-5 : type == TY_F16 ? 0x1p-10 : 0x1p-8; // weights are rounded
  f64 *expected = allocate(dim * 8), *size = allocate(dim * 8);
  for (u32 h = 0; h < c->a.heads; ++h) {
    reference(c, position, h, expected, size);
    for (u32 d = 0; d < dim; ++d) {
      const f64 got = out[h * dim + d];
      const bool ok = isnan(expected[d]) ? isnan(got) : fabs(got - expected[d]) <= unit * size[d] + 1e-12;
      CHECK(ok, "%s: type %u heads %u/%u dim %u window %d cap %g at %u head %u column %u: %.9g, not %.9g",
            what, type, c->a.heads, c->a.kv_heads, dim, c->a.window, (f64)c->a.soft_cap, position, h, d,
            got, expected[d]);
    }
  }
  free(size), free(expected);
}

static void check_decode(const context *c, u32 position, u32 splits) {
  const u32 dim = c->a.head_dim, group = c->a.heads / c->a.kv_heads, stride = ty_partial_stride(dim);
  f32 *partials = allocate((u64)c->a.heads * TY_MAX_SPLITS * stride * 4);
  f32 *out = allocate(((u64)c->a.heads * dim + 1) * 4);
  memset(partials, 0xff, (u64)c->a.heads * TY_MAX_SPLITS * stride * 4);
  out[c->a.heads * dim] = 123;
  for (u32 h = 0; h < c->a.kv_heads; ++h) {
    for (u32 s = 0; s < splits; ++s) {
      const ty_attention_part part = {c->table, (i32)position, h, s, splits};
      const ty_attention_part next = {c->table, (i32)random_below(c->length), h, 0, 1};
      if (random_below(2)) ty_attention_fetch(&c->a, c->cache, &part);
      ty_attention_decode(&c->a, c->cache, &part, random_below(2) ? &next : 0,
                          c->q + ((u64)position * c->a.heads + h * group) * dim,
                          partials + (u64)h * group * TY_MAX_SPLITS * stride);
    }
  }
  ty_attention_combine(&c->a, c->sinks, partials, splits, out);
  CHECK(out[c->a.heads * dim] == 123, "combine wrote beyond the heads");
  check_token(c, position, out, "decode");
  free(out), free(partials);
}

static void check_prefill(const context *c, u32 position, u32 n) {
  const u32 width = c->a.heads * c->a.head_dim;
  f32 *out = allocate((u64)n * (width + 5) * 4);
  memset(out, 0xff, (u64)n * (width + 5) * 4);
  for (u32 h = 0; h < c->a.kv_heads; ++h) {
    ty_attention_prefill(&c->a, false, c->sinks, c->cache, c->table, (i32)position, n,
                         c->q + (u64)position * width, width, h, out, width + 5);
  }
  for (u32 t = 0; t < n; ++t) check_token(c, position + t, out + (u64)t * (width + 5), "prefill");
  free(out);
}

static void check_context(context c, bool broken) {
  const u32 length = c.length, kv_heads = c.a.kv_heads, dim = c.a.head_dim;
  if (broken) c.v[random_below(length * kv_heads * dim)] = NAN;
  append_all(&c);
  check_cache(&c);
  const u32 last = length - 1, middle = random_below(length);
  check_decode(&c, last, ty_attention_splits(&c.a, (i32)last));
  check_decode(&c, middle, ty_attention_splits(&c.a, (i32)middle));
  check_decode(&c, middle, 1 + random_below(TY_MAX_SPLITS));
  check_decode(&c, 0, 1);
  const u32 n = length < 45 ? length : 45, from = random_below(length - n + 1);
  check_prefill(&c, length - n, n);
  check_prefill(&c, from, n);
  check_prefill(&c, from, 1);
  free_context(&c);
}

static void test_context(u32 type, u32 heads, u32 kv_heads, u32 dim, u32 length, i32 window, f32 cap,
                         bool broken) {
  check_context(make_context(type, heads, kv_heads, dim, length, window, cap), broken);
}

static void test_sinks(u32 type, u32 heads, u32 kv_heads, u32 dim, u32 length, i32 window, f32 cap,
                       f32 middle) {
  context c = make_context(type, heads, kv_heads, dim, length, window, cap);
  add_sinks(&c, middle);
  check_context(c, false);
}

static void test_quantized(u32 type) {
  static const u32 dims[] = {64, 96, 128, 256, 32}, groups[] = {1, 2, 3, 4, 5, 7, 8, 9};
  static const u32 lengths[] = {1, 2, 15, 16, 17, 32, 33, 130, 147};
  static const i32 windows[] = {0, 1, 5, 16, 31, 100, 1000};
  for (u32 i = 0; i < 56; ++i) {
    const u32 kv_heads = 1 + random_below(2);
    test_context(type, kv_heads * groups[i % 8], kv_heads, dims[i % 5], lengths[i % 9], windows[i * 5 % 7],
                 i % 5 == 2 ? 3.0f : 0.0f, i % 6 == 5);
  }
  test_context(type, 9, 3, 64, 700, 0, 0.0f, false);
  test_context(type, 5, 1, 512, 40, 0, 0.0f, false);
  test_sinks(type, 8, 2, 64, 300, 40, 5.0f, 3);
}

// Runs of every size of number, ties and signs: codes and scale are ggml's.
static void test_codes(void) {
  for (u32 round = 0; round < 20000; ++round) {
    f32 x[32];
    const f32 size = ldexpf(1, (i32)random_below(54) - 45);
    for (u32 i = 0; i < 32; ++i) {
      x[i] = round % 4 == 0 ? (f32)((i32)random_below(255) - 127) * 0.5f * size : random_normal() * size;
      if (round % 16 == 3 && random_below(3) == 0) x[i] = 0;
    }
    if (round % 4 == 0) x[random_below(32)] = (round % 8 ? -127 : 127) * size;
    for (u32 type = TY_CACHE_Q8_0; type <= TY_CACHE_Q4_0; ++type) {
      const code_run run = quantize_cached(type, x);
      const f64 scale = value_of_half(run.scale, 10);
      for (u32 i = 0; i < 32; ++i) {
        const f64 got = scale * (run.codes[i] - (type == TY_CACHE_Q4_0 ? 8 : 0));
        CHECK(got == quantized(type, x, i), "code %d of %g in type %u", run.codes[i], (f64)x[i], type);
      }
    }
  }
}

// Every byte comes back, and numbers of every size go to the nearest one.
static void test_bytes(void) {
  for (u32 byte = 0; byte < 256; ++byte) {
    const f64 value = value_of_e4m3_byte(byte), got = f32_from_e4m3((u8x16)(u8)byte)[0];
    CHECK(isnan(value) ? isnan(got) : got == value, "byte %u is %g, not %g", byte, got, value);
    const u32 again = e4m3_from_f32((f32x16)(f32)value)[0];
    CHECK(again == (isnan(value) ? 0x7f : byte), "byte %u comes back as %u", byte, again);
  }
  for (u32 round = 0; round < 100000; ++round) {
    f32 v = ldexpf(random_normal(), (i32)random_below(24) - 14);
    // Ties: numbers of five bits.
    if (round % 3 == 0) v = ldexpf((f32)(16 + (i32)random_below(16)), (i32)random_below(20) - 14);
    if (round % 100 == 7) v = round % 200 == 7 ? INFINITY : NAN;
    v = random_below(2) ? v : -v;
    const f64 got = value_of_e4m3_byte(e4m3_from_f32((f32x16)v)[0]), expected = nearest_e4m3(v);
    CHECK(isnan(expected) ? isnan(got) : got == expected, "%g goes to %g, not %g", (f64)v, got, expected);
  }
}

static void test_attention(void) {
  test_codes();
  test_bytes();
  test_quantized(TY_CACHE_Q8_0);
  test_quantized(TY_CACHE_Q4_0);
  static const u32 dims[] = {64, 80, 96, 128, 256, 2, 34}, groups[] = {1, 2, 3, 4, 5, 7, 8, 9};
  static const u32 lengths[] = {1, 2, 15, 16, 17, 32, 33, 130, 147};
  static const i32 windows[] = {0, 1, 5, 16, 31, 100, 1000};
  static const u32 types[] = {TY_F32, TY_F16, TY_BF16, TY_CACHE_E4M3};
  for (u32 t = 0; t < 4; ++t) {
    const u32 type = types[t];
    for (u32 i = 0; i < 56; ++i) {
      const u32 kv_heads = 1 + random_below(2), dim = dims[i % 7];
      const f32 cap = i % 5 == 2 ? 3.0f : 0.0f;
      test_context(type, kv_heads * groups[i % 8], kv_heads, dim, lengths[i % 9], windows[i * 5 % 7], cap,
                   i % 6 == 5);
    }
    test_context(type, 9, 3, 64, 700, 0, 0.0f, false);
    test_context(type, 4, 1, 64, 700, 200, 30.0f, false);
    test_context(type, 5, 1, 512, 40, 0, 0.0f, false);
    static const f32 middles[] = {0, -5, 8, 40, -100};
    for (u32 i = 0; i < 5; ++i) {
      test_sinks(type, 8, 2, 64, 300, 0, 0.0f, middles[i]);
      test_sinks(type, 5, 1, 80, 77, 40, 5.0f, middles[i]);
      test_sinks(type, 2, 2, 34, 3, 0, 0.0f, middles[i]);
    }
  }
}
