// attention_amx_operands.h -- keys and values of the cache as right operands of attention_amx.h.
//
// Math       An f16 is the sum of two bf16, its high and its low part, exactly; a bf16 is its own.
// Layout     A tile of AMX_KEYS positions: amx_operands.
// Numerics   Positions that no row of the call sees are zero. The caller learns whether all others are
//            finite.

#pragma once

#include "attention_groups.h"
#include "linear_amx.h"

#define AMX_KEYS 128 // positions of a tile of keys
#define AMX_PAGES (AMX_KEYS / TY_PAGE)
#define AMX_TOKENS 64 // tokens of a call, at most
#define AMX_HEAD 256 // columns of a head, at most
#define AMX_QUERY_GROUPS 16 // groups of tokens at once, at most
#define AMX_QUERY_BYTES (64 * 1024)

// Whether prompts go through the matrix registers of a machine that has them.
TY_INLINE bool amx_attends(const ty_attention *a) {
  const bool halves = a->kv_format == TY_F16 || a->kv_format == TY_BF16;
  return TY_HAS_AMX && halves && a->head_dim % AMX_RUN == 0 && a->head_dim <= AMX_HEAD;
}

#if TY_HAS_AMX

// ---- operands -------------------------------------------------------------------------

// The numbers of two vectors as pairs, of which a bf16 is the upper half.
TY_INLINE u32x16 upper_pairs(f32x16 even, f32x16 odd) {
  return bits_of16(even) >> 16 | (bits_of16(odd) & 0xffff0000);
}

// What the upper half of an f32 leaves of it.
TY_INLINE f32x16 lower_part(f32x16 v) { return v - f32_of16(bits_of16(v) & 0xffff0000); }

// Pairs of f16 to high and low parts, which are exact.
TY_INLINE void store_parts(f32x16 even, f32x16 odd, u8 *high, u8 *low) {
  store_u32x16(high, upper_pairs(even, odd));
  store_u32x16(low, upper_pairs(lower_part(even), lower_part(odd)));
}

// Right operands of a tile of keys: of keys [pages][head_dim / 32][16 pairs of columns][16 positions],
// of values [pages / 2][head_dim / 16][16 pairs of positions][16 columns].
typedef struct {
  u8 keys[2][AMX_KEYS * AMX_HEAD * 2]; // high, low
  u8 values[2][AMX_KEYS * AMX_HEAD * 2];
} amx_operands;

// Positions of a page that some row of the call sees.
typedef struct {
  u32 begin, end;
} page_span;

// A sum of 0 * v: NaN where one v is not finite.
TY_INLINE f32x16 add_unsound(f32x16 sum, f32x16 v) { return fma16(v, 0.0f, sum); }

// The keys of page `page` of a tile; the lanes are positions.
TY_INLINE f32x16 amx_page_keys(const u32 type, u32 dim, const u8 *keys, page_span span, u32 page,
                                   amx_operands *to, f32x16 unsound) {
  const u64 at = (u64)page * dim * TY_PAGE * 2;
  const u32x16 seen = (u32x16)((ty_lane >= span.begin) & (ty_lane < span.end));
  for (u32 pair = 0; pair < dim / 2; ++pair, keys += 64) {
    u8 *high = to->keys[0] + at + pair * 64;
    if (type == TY_BF16) {
      const u32x16 both = load_u32x16(keys) & seen;
      store_u32x16(high, both);
      unsound = add_unsound(unsound, f32_of16(both << 16));
      unsound = add_unsound(unsound, f32_of16(both & 0xffff0000));
      continue;
    }
    const f32x16 even = f32_of16(bits_of16(f32_from_f16(load_u16x16(keys))) & seen);
    const f32x16 odd = f32_of16(bits_of16(f32_from_f16(load_u16x16(keys + 32))) & seen);
    store_parts(even, odd, high, to->keys[1] + at + pair * 64);
    unsound = add_unsound(add_unsound(unsound, even), odd);
  }
  return unsound;
}

// The values of page `page` of a tile; the lanes are columns.
TY_INLINE f32x16 amx_page_values(const u32 type, u32 dim, const u8 *values, page_span span, u32 page,
                                     amx_operands *to, f32x16 unsound) {
  const u64 at = (u64)(page / 2) * dim * 64 + page % 2 * 512;
  for (u32 pair = 0; pair < TY_PAGE / 2; ++pair) {
    const u32 first = 2 * pair, second = first + 1;
    const u32 keep_first = first >= span.begin && first < span.end ? ~0u : 0;
    const u32 keep_second = second >= span.begin && second < span.end ? ~0u : 0;
    for (u32 c = 0; c < dim; c += 16) {
      u8 *high = to->values[0] + at + c * 64 + pair * 64;
      if (type == TY_BF16) {
        const u32 mask = (keep_first & 0xffff) | (keep_second & 0xffff0000);
        const u32x16 both = load_u32x16(values + ((u64)pair * dim + c) * 4) & mask;
        store_u32x16(high, both);
        unsound = add_unsound(unsound, f32_of16(both << 16));
        unsound = add_unsound(unsound, f32_of16(both & 0xffff0000));
        continue;
      }
      const u8 *from = values + ((u64)first * dim + c) * 2;
      const f32x16 even = f32_of16(bits_of16(f32_from_f16(load_u16x16(from))) & keep_first);
      const f32x16 odd = f32_of16(bits_of16(f32_from_f16(load_u16x16(from + dim * 2))) & keep_second);
      store_parts(even, odd, high, to->values[1] + at + c * 64 + pair * 64);
      unsound = add_unsound(add_unsound(unsound, even), odd);
    }
  }
  return unsound;
}

// What a call sees: positions `low` to `high`.
typedef struct {
  i32 low, high;
} seen_span;

// Operands of the `pages` pages from `first`, an even number of which are written. Whether all that
// is seen is finite.
TY_INLINE bool amx_take(const u32 type, const kv_head_view *kv, u32 first, u32 pages, seen_span seen,
                            amx_operands *to) {
  f32x16 unsound = 0.0f;
  for (u32 page = 0; page < (pages + 1) / 2 * 2; ++page) {
    const i32 begin = (i32)((first + page) * TY_PAGE), low = seen.low - begin, high = seen.high - begin;
    page_span span = {low < 0 ? 0 : (u32)low, high < 0 ? 0 : high > TY_PAGE ? TY_PAGE : (u32)high};
    // Beyond the last page there is none: the last one again, of which nothing is seen.
    const u64 block = (u64)(u32)kv->table[first + (page < pages ? page : pages - 1)] * kv->block_bytes;
    unsound = amx_page_keys(type, kv->head_dim, kv->keys + block, span, page, to, unsound);
    unsound = amx_page_values(type, kv->head_dim, kv->values + block, span, page, to, unsound);
  }
  return sum_lanes(unsound) == 0.0f;
}

static __attribute__((noinline)) bool amx_take_f16(const kv_head_view *kv, u32 first, u32 pages,
                                                   seen_span seen, amx_operands *to) {
  return amx_take(TY_F16, kv, first, pages, seen, to);
}

static __attribute__((noinline)) bool amx_take_bf16(const kv_head_view *kv, u32 first, u32 pages,
                                                    seen_span seen, amx_operands *to) {
  return amx_take(TY_BF16, kv, first, pages, seen, to);
}

#endif
