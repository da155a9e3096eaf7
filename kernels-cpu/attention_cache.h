// attention_cache.h -- where keys and values stand in the paged cache, the append of one
// position, and the combination of a long context's splits.
//
// Layout    attention.h. A head's keys of one page are head_dim / 2 pairs of columns, its
//           values 8 pairs of positions: pairs are what the bf16 dot product takes, and the
//           other types follow the same walk.
// Numerics  Elements are rounded to nearest even, in the same way in every variant. A combined
//           head is the sum of its partials weighted by exp(m - largest m), over their sum of
//           l. A token sees at least itself, so that sum is 0 only where scores overflowed to
//           -inf; the head then is NaN, and the fault shows.

#pragma once

#include "attention_codes.h"

#define SPLIT_PAGES 8 // pages of a split, about

TY_INLINE u32 element_bytes(u32 type) { return type == TY_F32 ? 4 : type == TY_CACHE_E4M3 ? 1 : 2; }

// Bytes of one head's keys, or values, in a block.
TY_INLINE u64 head_bytes(u32 type, u32 dim) {
  if (is_quantized(type)) return codes_bytes(type, dim);
  return (u64)dim * TY_PAGE * element_bytes(type);
}

// The keys and values of one sequence and head.
typedef struct {
  const u8 *keys;   // of block 0
  const u8 *values;
  const i32 *table;
  u64 block_bytes;
  u32 type;
  u32 head_dim;
  i32 window;
  f32 soft_cap;
} kv_head_view;

TY_INLINE kv_head_view view_of(const ty_attention *a, const u8 *cache, const i32 *table, u32 kv_head) {
  const u64 head = kv_head * head_bytes(a->kv_format, a->head_dim);
  return (kv_head_view){
      .keys = cache + a->keys + head,
      .values = cache + a->values + head,
      .table = table,
      .block_bytes = a->block_bytes,
      .type = a->kv_format,
      .head_dim = a->head_dim,
      .window = a->window,
      .soft_cap = a->soft_cap,
  };
}

// Pages `begin` to `end` of a sequence.
typedef struct {
  kv_head_view kv;
  u32 begin, end;
} page_run;

// The first position that a query at `position` sees.
TY_INLINE i32 first_visible(i32 window, i32 position) {
  return window > 0 && position >= window ? position - window + 1 : 0;
}

static u32 ty_attention_splits(const ty_attention *attention, i32 position) {
  const u32 first = (u32)first_visible(attention->window, position) / TY_PAGE;
  const u32 pages = (u32)position / TY_PAGE + 1 - first;
  const u32 splits = (pages + SPLIT_PAGES / 2) / SPLIT_PAGES;
  return splits < 1 ? 1 : splits > TY_MAX_SPLITS ? TY_MAX_SPLITS : splits;
}

// ---- append ---------------------------------------------------------------------------

static void ty_attention_append(const ty_attention *attention, u8 *cache, const i32 slot[2],
                                u32 kv_head, const f32 *k, const f32 *v) {
  const u32 type = attention->kv_format, dim = attention->head_dim, at = (u32)slot[1];
  const u64 head = kv_head * head_bytes(type, dim);
  u8 *block = cache + (u64)(u32)slot[0] * attention->block_bytes;
  u8 *keys = block + attention->keys + head, *values = block + attention->values + head;
  if (is_quantized(type)) {
    append_codes(type, dim, keys, values, at, k, v);
    return;
  }
  for (u32 c = 0; c < dim; c += 16) {
    const u32 count = dim - c < 16 ? dim - c : 16;
    const f32x16 key = load_up_to(k + c, count), value = load_up_to(v + c, count);
    if (type == TY_F32) {
      for (u32 i = 0; i < count; ++i) ((f32_at *)keys)[(c + i) * TY_PAGE + at] = key[i];
      store_first_f32((f32_at *)values + at * dim + c, value, count);
      continue;
    }
    if (type == TY_CACHE_E4M3) {
      const u8x16 k8 = e4m3_from_f32(key), v8 = e4m3_from_f32(value);
      for (u32 i = 0; i < count; ++i) keys[(c + i) * TY_PAGE + at] = k8[i];
      for (u32 i = 0; i < count; ++i) values[at * dim + c + i] = v8[i];
      continue;
    }
    u16 k16[16] __attribute__((aligned(32))), v16[16] __attribute__((aligned(32)));
    store_u16x16(k16, type == TY_F16 ? f16_from_f32(key) : bf16_from_f32(key));
    store_u16x16(v16, type == TY_F16 ? f16_from_f32(value) : bf16_from_f32(value));
    if (type == TY_F16) {
      for (u32 i = 0; i < count; ++i) ((u16_at *)keys)[(c + i) * TY_PAGE + at] = k16[i];
      for (u32 i = 0; i < count; ++i) ((u16_at *)values)[at * dim + c + i] = v16[i];
    } else {
      for (u32 i = 0; i < count; ++i) {
        const u32 d = c + i;
        ((u16_at *)keys)[(d / 2 * TY_PAGE + at) * 2 + d % 2] = k16[i];
        ((u16_at *)values)[(at / 2 * dim + d) * 2 + at % 2] = v16[i];
      }
    }
  }
}

// ---- combine --------------------------------------------------------------------------

static void ty_attention_combine(const ty_attention *attention, const f32 *sinks, const f32 *partials,
                                 u32 splits, f32 *out) {
  const u32 dim = attention->head_dim, stride = ty_partial_stride(dim);
  for (u32 h = 0; h < attention->heads; ++h, partials += TY_MAX_SPLITS * stride, out += dim) {
    if (splits == 1 && !sinks) { // as below: the only weight is 1
      const f32 inverse = 1.0f / partials[1];
      for (u32 c = 0; c < dim; c += 16) {
        store_first_f32(out + c, load_f32x16(partials + 16 + c) * inverse, dim - c);
      }
      continue;
    }
    f32x16 m = -__builtin_inff(), l = 0.0f;
    for (u32 s = 0; s < splits; ++s) {
      m[s] = partials[s * stride];
      l[s] = partials[s * stride + 1];
    }
    const f32 sink = sinks ? sinks[h] : -__builtin_inff(), most = max_lanes(m);
    const f32 largest = sink > most ? sink : most, base = largest == -__builtin_inff() ? 0.0f : largest;
    const f32x16 weights = exp16(m - base);
    f32 total = sum_lanes(weights * l);
    if (sinks) total += exp1(sink - base);
    const f32 inverse = 1.0f / total;
    for (u32 c = 0; c < dim; c += 16) {
      f32x16 sum = 0.0f;
      for (u32 s = 0; s < splits; ++s) {
        sum = fma16(load_f32x16(partials + s * stride + 16 + c), weights[s], sum);
      }
      store_first_f32(out + c, sum * inverse, dim - c);
    }
  }
}
