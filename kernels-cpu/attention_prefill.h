// attention_prefill.h -- attention of consecutive tokens of one sequence, whose keys and values
// are in the cache already.
//
// Bound by   multiply-adds (judge by FLOP/s).
// Order      Tiles of keys outside, groups of query rows (tokens of one head) inside: a tile of
//            keys and values is read from memory once for all heads of the kv head and all
//            tokens of the call. Sums stand in `out` until the last tile; pages that a group
//            does not see are skipped.
// Numerics   attention_tile.h. Where a value that not every row of a group sees is not finite,
//            the call takes its rows one by one, so that it shows only where it is seen.

#pragma once

#include "attention_amx.h"

#define PREFILL_QUERY_WORDS 8192 // packed queries: 32 KiB
#define PREFILL_GROUPS 32
#define PREFILL_TOKENS 32 // tokens that share a walk over the keys

// Whether all of these 8-bit floats, a multiple of 16, are finite.
static bool bytes_finite(const u8 *at, u64 bytes) {
  i8x16 found = 0;
  for (u64 i = 0; i < bytes; i += 16) found |= (i8x16)((*(const u8x16_at *)(at + i) & 0x7f) == 0x7f);
  return !__builtin_reduce_or(found);
}

// Whether all values of the pages of positions `first` to `last` are finite.
static bool values_finite(const kv_head_view *kv, i32 first, i32 last) {
  const u64 bytes = (u64)TY_PAGE * kv->head_dim * element_bytes(kv->type);
  const u32 half = kv->type == TY_F16 ? 0x7c007c00 : 0x7f807f80;
  const u32 exponent = kv->type == TY_F32 ? 0x7f800000 : half;
  for (i32 page = first / TY_PAGE; page <= last / TY_PAGE; ++page) {
    const u8 *at = kv->values + (u64)(u32)kv->table[page] * kv->block_bytes;
    if (kv->type == TY_CACHE_E4M3) {
      if (!bytes_finite(at, bytes)) return false;
      continue;
    }
    u32x16 found = 0;
    for (u64 i = 0; i < bytes; i += 64) { // 16 positions of an even number of columns
      const u32x16 top = load_u32x16(at + i) & exponent;
      if (kv->type == TY_F32) {
        found |= (u32x16)(top == exponent);
      } else {
        found |= (u32x16)((top & 0xffff) == (exponent & 0xffff));
        found |= (u32x16)(top >> 16 == exponent >> 16);
      }
    }
    if (__builtin_reduce_or(found)) return false;
  }
  return true;
}

// Whether groups of several rows are right for `n` tokens from `position`. Codes are always
// finite, and of quantized values a row takes no scale that it does not see.
static bool rows_may_share(const kv_head_view *kv, i32 position, u32 n) {
  if (is_quantized(kv->type)) return true;
  const i32 last = position + (i32)n - 1;
  if (n > 1 && !values_finite(kv, position + 1, last)) return false;
  const i32 low = first_visible(kv->window, position), high = first_visible(kv->window, last);
  return low == high || values_finite(kv, low, high - 1);
}

// Makes a group of `rows` tokens of one head, the first at `position`.
TY_INLINE void prefill_group(const kv_head_view *kv, const ty_attention *a, query_group *g, u32 rows,
                             i32 position, const f32 *q, u32 q_stride, u32 *words, f32 *out,
                             u32 out_stride) {
  g->rows = rows;
  g->step = 1;
  g->position = position;
  g->q = words;
  g->acc = out;
  g->acc_stride = out_stride;
  begin_group(g);
  for (u32 r = 0; r < rows; ++r) {
    pack_query(kv->type, kv->head_dim, q + (u64)r * q_stride, a->scale, words, rows, r);
  }
}

// Divides by the sum of weights, which `sink` is one of unless it is -inf.
TY_INLINE void finish_group(const query_group *g, u32 dim, f32 sink) {
  for (u32 r = 0; r < g->rows; ++r) {
    const f32 largest = sink > g->m[r] ? sink : g->m[r];
    const f32 base = largest == -__builtin_inff() ? 0.0f : largest;
    const f32 weight = exp1(g->m[r] - base), total = g->l[r] * weight + exp1(sink - base);
    const f32 inverse = weight / total; // of 0 where scores overflowed: NaN (attention_cache.h)
    f32 *out = g->acc + r * g->acc_stride;
    for (u32 c = 0; c < dim; c += 16) {
      store_first_f32(out + c, load_up_to(out + c, dim - c) * inverse, dim - c);
    }
  }
}

// As ty_attention_prefill, for at most PREFILL_TOKENS tokens.
static void prefill_tile(const ty_attention *a, const f32 *sinks, const kv_head_view *kv, i32 position,
                         u32 n, const f32 *q, u32 q_stride, f32 *out, u32 out_stride) {
  const u32 dim = a->head_dim, heads = a->heads / a->kv_heads;
  const u32 first = (u32)first_visible(kv->window, position) / TY_PAGE;
  const u32 end = ((u32)position + n - 1) / TY_PAGE + 1;
  const u32 most = rows_may_share(kv, position, n) ? ATTENTION_ROWS : 1;
  u32 words[PREFILL_QUERY_WORDS] __attribute__((aligned(64)));
  query_group groups[PREFILL_GROUPS];
  f32 sink_of[PREFILL_GROUPS];
  for (u32 head = 0, token = 0; head < heads;) {
    u32 count = 0, used = 0;
    while (head < heads && count < PREFILL_GROUPS) {
      const u32 left = n - token < most ? n - token : most, rows = rows_of_group(left);
      if (used + rows * dim > PREFILL_QUERY_WORDS) break;
      const f32 *from = q + (u64)token * q_stride + head * dim;
      f32 *to = out + (u64)token * out_stride + head * dim;
      sink_of[count] = sinks ? sinks[head] : -__builtin_inff();
      prefill_group(kv, a, &groups[count++], rows, position + (i32)token, from, q_stride, words + used,
                    to, out_stride);
      used += rows * dim;
      token += rows;
      if (token == n) {
        token = 0;
        ++head;
      }
    }
    attend(kv, groups, count, first, end, 0);
    for (u32 g = 0; g < count; ++g) finish_group(&groups[g], dim, sink_of[g]);
  }
}

// Tokens that a call takes at once.
static u32 ty_attention_tokens(const ty_attention *attention, bool matrix) {
  return matrix && amx_attends(attention) ? AMX_TOKENS : PREFILL_TOKENS;
}

static void ty_attention_prefill(const ty_attention *attention, bool matrix, const f32 *sinks, const u8 *cache,
                                 const i32 *table, i32 position, u32 n, const f32 *q, u32 q_stride,
                                 u32 kv_head, f32 *out, u32 out_stride) {
  const kv_head_view kv = view_of(attention, cache, table, kv_head);
  const u32 heads = attention->heads / attention->kv_heads;
  const u64 head = (u64)kv_head * heads * attention->head_dim;
  const f32 *own = sinks ? sinks + kv_head * heads : sinks;
  const u32 most = ty_attention_tokens(attention, matrix);
  q += head;
  out += head;
  for (u32 t = 0; t < n; t += most) {
    const u32 count = n - t < most ? n - t : most;
    const bool done = most == AMX_TOKENS &&
                      amx_prefill(attention, own, &kv, position + (i32)t, count, q + (u64)t * q_stride,
                                  q_stride, out + (u64)t * out_stride, out_stride);
    for (u32 i = t; !done && i < t + count; i += PREFILL_TOKENS) {
      const u32 some = t + count - i < PREFILL_TOKENS ? t + count - i : PREFILL_TOKENS;
      prefill_tile(attention, own, &kv, position + (i32)i, some, q + (u64)i * q_stride, q_stride,
                   out + (u64)i * out_stride, out_stride);
    }
  }
}
