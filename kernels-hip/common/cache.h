// cache.h -- how keys and values stand in the paged cache, for GPUs.
//
// A block holds, for each layer, 16 positions (S) of G heads of D elements, even:
//
//   keys   [G][D/8][S][8]  a lane is a position and reads eight columns at once; where 8 does not
//                          divide D, [G][D/4][S][4] or [G][D/2][S][2]
//   values [G][D][S]       a lane is a column and reads all positions of the block
//
// of TY_F32, TY_F16, TY_BF16 or TY_CACHE_E4M3. Quantized caches have an f16 scale for every 32 elements of a head at one
// position; a head's keys, and its values, are scales f16 [D/32][S], then codes in bytes:
//
//   TY_CACHE_Q8_0  keys [D/16][S][16], values [D][S]: signed codes
//   TY_CACHE_Q4_0  keys [D/32][S][16], values [D/32][16][S]: of byte i of a group the low half is column
//                  i of its 32, the high half column 16 + i, each a code plus 8
//
// so that a lane reads 16 bytes of one position's columns, or of one column's positions, and a byte has one
// writer. Which codes: kernels-cpu/attention_codes.h. Position p of a sequence is in block tables[p / S]
// at offset p % S.

#pragma once

#include "maths.h"

#define TY_PAGE 16u

// The most splits of a context, and the f32s of one partial (m, l, 14 unused, acc[D]): as in
// kernels-cpu/attention.h.
#define TY_MAX_SPLITS 16u
TY_DEVICE u32 partial_stride(u32 head_dim) { return 16 + (head_dim + 15) / 16 * 16; }

// Pages of a split at least: below, combining costs more than it spares.
#define TY_SPLIT_PAGES 8u

TY_DEVICE u32 first_visible(i32 window, i32 position) {
  return window > 0 && position >= window ? (u32)(position - window + 1) : 0;
}

// Splits of the context of a query at `position`: of the position alone, so that a result depends
// on nothing else.
TY_DEVICE u32 splits_of(i32 window, i32 position) {
  if (position < 0) return 1;
  const u32 pages = (u32)position / TY_PAGE + 1 - first_visible(window, position) / TY_PAGE;
  const u32 splits = (pages + TY_SPLIT_PAGES - 1) / TY_SPLIT_PAGES;
  return splits < TY_MAX_SPLITS ? splits : TY_MAX_SPLITS;
}

// Which element of a head's keys, or of its values, a column of an offset is.
TY_DEVICE u32 key_chunk(u32 dim) { return dim % 8 == 0 ? 8 : dim % 4 == 0 ? 4 : 2; }
TY_DEVICE u32 key_index(u32 chunk, u32 column, u32 offset) {
  return (column / chunk * TY_PAGE + offset) * chunk + column % chunk;
}
TY_DEVICE u32 value_index(u32 column, u32 offset) { return column * TY_PAGE + offset; }

// Bytes of an element, of caches that are not quantized.
TY_DEVICE constexpr u32 element_bytes(u32 format) { return format == TY_F32 ? 4 : format == TY_CACHE_E4M3 ? 1 : 2; }

// An element of the cache.
template <u32 format> TY_DEVICE f32 cached(u64 base, u32 index) {
  if (format == TY_F32) return global_at<const f32>(base)[index];
  if (format == TY_CACHE_E4M3) return from_e4m3(global_at<const u8>(base)[index]);
  const u16 bits = global_at<const u16>(base)[index];
  return format == TY_F16 ? from_f16(bits) : from_bf16(bits);
}

TY_DEVICE void store_cached(u32 format, u64 base, u32 index, f32 v) {
  switch (format) {
  case TY_F32: global_at<f32>(base)[index] = v; break;
  case TY_F16: global_at<u16>(base)[index] = to_f16(v); break;
  case TY_CACHE_E4M3: global_at<u8>(base)[index] = to_e4m3(v); break;
  default: global_at<u16>(base)[index] = to_bf16(v);
  }
}

// What a query or a weight is beside the cache's elements: rounded to their type where that has 16 bits.
TY_DEVICE f32 rounded_to(u32 format, f32 v) {
  switch (format) {
  case TY_F16: return (f32)(f16)v;
  case TY_BF16: return from_bf16(to_bf16(v));
  default: return v;
  }
}

// Eight elements side by side.
template <u32 format> TY_DEVICE void eight_cached(u64 at, f32 (&v)[8]) {
  if (format == TY_F32) {
    const f32x4 low = *global_at<const f32x4>(at), high = *global_at<const f32x4>(at + 16);
    for (u32 i = 0; i < 8; ++i) v[i] = i < 4 ? low[i] : high[i - 4];
  } else if (format == TY_CACHE_E4M3) {
    const u32x2 bytes = *global_at<const u32x2>(at);
    for (u32 i = 0; i < 8; ++i) v[i] = from_e4m3(bytes[i / 4] >> (8 * (i % 4)) & 0xff);
  } else {
    const u16x8 bits = *global_at<const u16x8>(at);
    for (u32 i = 0; i < 8; ++i) v[i] = format == TY_F16 ? from_f16(bits[i]) : from_bf16(bits[i]);
  }
}

// Columns that share a scale in quantized caches.
#define TY_CACHE_RUN 32u

TY_DEVICE constexpr bool is_quantized(u32 format) { return format == TY_CACHE_Q8_0 || format == TY_CACHE_Q4_0; }

// Bytes of a head's scales in a block, and of all its keys or values.
TY_DEVICE u32 scales_bytes(u32 dim) { return dim / TY_CACHE_RUN * TY_PAGE * 2; }
TY_DEVICE u32 head_bytes(u32 format, u32 dim) {
  switch (format) {
  case TY_CACHE_Q8_0: return scales_bytes(dim) + dim * TY_PAGE;
  case TY_CACHE_Q4_0: return scales_bytes(dim) + dim * TY_PAGE / 2;
  default: return dim * TY_PAGE * element_bytes(format);
  }
}

// Where the keys, or the values, of head `kv_head` in a block begin, in a cache whose format is `format`.
TY_DEVICE u64 head_at(const ty_step &step, attention_ref attention, u32 format, bool values, u32 block, u32 kv_head) {
  const u64 part = values ? attention->values : attention->keys;
  const u32 head = kv_head * head_bytes(format, attention->head_dim);
  return step.cache() + (u64)block * attention->block_bytes + part + head;
}
