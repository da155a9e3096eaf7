// linear_floats.h -- y = x w^T for weights in blocks whose codes are 8-bit floats (TY_E4M3).
//
// Math       y[r][n] = row_scale[n] * sum over groups g of scale[n][g] * sum over g of value[n][k] x[r][k]
// Used by    every product with a weight in 8-bit floats.
// Bound by   few rows: unpacking of w, each code once for all rows (judge by GB/s); many rows:
//            multiply-adds (judge by FLOP/s).
//
// Few rows   Two columns of 8 rows are the lanes, as a dword of codes has columns c and c + 2 in
//            its even bytes, c + 1 and c + 3 in the odd ones: the bits of both are put in place for
//            an f16 at once, and the f16s become f32. x is in pairs of the same columns
//            (linear_pack.h), and the two sums of an output are added at the end.
// Many rows  With dot products of bf16 pairs, codes of a panel become pairs of bf16, which hold
//            them exactly, and x is rounded to bf16. Without, they become f32 weights, scales and
//            all, and the products are those of plain weights.
//
// Numerics   Codes are exact, scales are applied in f32. A row's sum has one order for every number
//            of rows up to TY_FEW, and another beyond it; neither depends on the split into chunks.

#pragma once

#include "linear_blocks_many.h"
#include "linear_plain.h"

#if TY_WIDE_REGISTERS == 2
#define FLOATS_FEW 4
#elif TY_WIDE_REGISTERS == 1
#define FLOATS_FEW 2
#else
#define FLOATS_FEW 1
#endif

// ---- codes ----------------------------------------------------------------------------

// Lane 2i: a column of row i; lane 2i + 1: another. `hi` has rows 8 to 15.
typedef struct {
  f32x16 lo, hi;
} row_pairs;

// 2^-8 of the values of the even (columns c and c + 2) or odd bytes of a step.
TY_INLINE row_pairs floats_of(u32x16 codes, const bool odd) {
  typedef u16 u16x32 __attribute__((ext_vector_type(32)));
  const u32x16 halves = odd ? (codes & 0x80008000) | (codes >> 1 & 0x3f803f80)
                            : (codes << 8 & 0x80008000) | (codes << 7 & 0x3f803f80);
  const u16x32 h = __builtin_bit_cast(u16x32, halves);
  return (row_pairs){f32_from_f16(h.lo), f32_from_f16(h.hi)};
}

// The numbers of 16 rows, each twice.
TY_INLINE row_pairs twice(f32x16 v) {
  return (row_pairs){
      __builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
      __builtin_shufflevector(v, v, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15),
  };
}

TY_INLINE f32x16 even_lanes(row_pairs p) {
  return __builtin_shufflevector(p.lo, p.hi, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
TY_INLINE f32x16 odd_lanes(row_pairs p) {
  return __builtin_shufflevector(p.lo, p.hi, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

// ---- few rows -------------------------------------------------------------------------

// A pair of columns of x in every pair of lanes.
TY_INLINE f32x16 pair_of(const u32 *x) {
  typedef u64 u64_at __attribute__((aligned(4), may_alias));
  typedef u64 u64x8 __attribute__((ext_vector_type(8)));
  return __builtin_bit_cast(f32x16, (u64x8)(*(const u64_at *)x));
}

// Adds `steps` steps of codes to the sums of `rows` rows, which are k apart.
TY_INLINE void floats_few_steps(const u32 rows, const u8 *codes, u32 steps, const u32 *x, u32 k,
                                row_pairs *total) {
  for (u32 j = 0; j < steps; ++j, codes += 64) {
    const u32x16 four = load_u32x16(codes);
    fetch_weights(codes);
    TY_UNROLL for (u32 i = 0; i < 2; ++i, x += 2) {
      const row_pairs w = floats_of(four, i);
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        const f32x16 pair = pair_of(x + (u64)r * k);
        total[r].lo = fma16(w.lo, pair, total[r].lo);
        total[r].hi = fma16(w.hi, pair, total[r].hi);
      }
    }
  }
}

// Rows `first` to `first + rows` of tile `t`.
TY_INLINE void floats_few_rows(const u32 rows, const block_product *p, const u8 *packed, u32 first, u32 t) {
  const ty_format format = p->format;
  const u32 groups = unit_groups(format), steps = format_group(format) / 4;
  const u8 *tile = p->weights + t * p->tile_bytes, *w = tile + row_scale_bytes(format);
  const u32 *x = (const u32 *)packed + (u64)first * p->k;
  row_pairs y[FLOATS_FEW];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) y[r] = (row_pairs){0.0f, 0.0f};
  for (u32 u = 0; u < p->k / unit_columns(format); ++u) {
    f32x16 scales[2], none[2];
    unit_scales(format, SCALE_ANY, groups, w, scales, none);
    w += header_bytes(format);
    for (u32 g = 0; g < groups; ++g, w += steps * 64, x += steps * 4) {
      row_pairs total[FLOATS_FEW];
      TY_UNROLL for (u32 r = 0; r < rows; ++r) total[r] = (row_pairs){0.0f, 0.0f};
      floats_few_steps(rows, w, steps, x, p->k, total);
      const row_pairs scale = twice(scales[g]);
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        y[r].lo = fma16(total[r].lo, scale.lo, y[r].lo);
        y[r].hi = fma16(total[r].hi, scale.hi, y[r].hi);
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    const f32x16 sums = finished(format, tile, even_lanes(y[r]) + odd_lanes(y[r]));
    store_first_f32(p->y + (u64)(first + r) * p->y_stride + t * 16, sums, p->n - t * 16);
  }
}

// `rows` rows (at most TY_FEW), tiles `begin` to `end`.
TY_INLINE void floats_few(const block_product *p, const u8 *packed, u32 rows, u32 begin, u32 end) {
  for (u32 t = begin; t < end; ++t) {
    u32 r = 0;
    for (; r + FLOATS_FEW <= rows; r += FLOATS_FEW) floats_few_rows(FLOATS_FEW, p, packed, r, t);
    for (; r + 2 <= rows && FLOATS_FEW > 2; r += 2) floats_few_rows(2, p, packed, r, t);
    for (; r < rows; ++r) floats_few_rows(1, p, packed, r, t);
  }
}

// ---- many rows, in f32 ----------------------------------------------------------------

// The weights of units `begin` to `end` of a tile: [column][PLAIN_TILES][16].
TY_INLINE void floats_convert(const block_product *p, const u8 *tile, u32 begin, u32 end, f32 *panel) {
  const ty_format format = p->format;
  const u32 groups = unit_groups(format), columns = format_group(format);
  const u8 *w = tile + row_scale_bytes(format) + (u64)begin * unit_bytes(format);
  for (u32 u = begin; u < end; ++u) {
    f32x16 scales[2], none[2];
    unit_scales(format, SCALE_ANY, groups, w, scales, none);
    w += header_bytes(format);
    for (u32 c = 0; c < groups * columns; c += 4, w += 64, panel += 4 * PLAIN_TILES * 16) {
      const f32x16 scale = scales[c / columns];
      const row_pairs even = floats_of(load_u32x16(w), false), odd = floats_of(load_u32x16(w), true);
      const f32x16 values[4] = {even_lanes(even), even_lanes(odd), odd_lanes(even), odd_lanes(odd)};
      TY_UNROLL for (u32 i = 0; i < 4; ++i) {
        store_f32x16(panel + i * PLAIN_TILES * 16, finished(format, tile, values[i] * scale));
      }
    }
  }
}

// Rows `first` to `last`, outputs of the `tiles` tiles from `tile`.
TY_INLINE void floats_many_f32(const u32 tiles, const block_product *p, const u8 *packed, u32 first,
                               u32 last, u32 tile) {
  f32 converted[PLAIN_PANEL_COLUMNS * PLAIN_TILES * 16] __attribute__((aligned(64)));
  const u32 unit = unit_columns(p->format);
  for (u32 c = 0; c < p->k; c += PLAIN_PANEL_COLUMNS) {
    const u32 end = p->k - c < PLAIN_PANEL_COLUMNS ? p->k : c + PLAIN_PANEL_COLUMNS;
    plain_panel panel = {.steps = end - c, .stride = PLAIN_TILES * 64};
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
      floats_convert(p, p->weights + (tile + t) * p->tile_bytes, c / unit, end / unit, converted + t * 16);
      panel.at[t] = (const u8 *)(converted + t * 16);
    }
    for (u32 r = first; r < last; r += PLAIN_ROWS) {
      const u32 *x = (const u32 *)packed + ((u64)(r / TY_GROUP) * p->k + c) * TY_GROUP + r % TY_GROUP;
      plain_many_rows(false, tiles, &panel, x, c == 0, p->y + (u64)r * p->y_stride + tile * 16,
                      p->y_stride, last - r, p->n - tile * 16);
    }
  }
}

// ---- many rows, by dot products of bf16 -----------------------------------------------

#if TY_HAS_BF16_DOT
typedef struct {
  u32x16 pairs[BLOCKS_PANEL_COLUMNS / 2][BLOCKS_TILES]; // columns 0 and 2, then 1 and 3, of every four
  f32x16 scales[PANEL_GROUPS][BLOCKS_TILES];
} float_panel;

// The pairs of `p` as bf16, which they are without rounding.
TY_INLINE u32x16 bf16_pairs(row_pairs p) {
  return (u32x16)_mm512_cvtne2ps_pbh((__m512)p.hi, (__m512)p.lo);
}

// Unpacks units `begin` to `end` of tile `t` of the panel's, which begins at `tile`.
TY_INLINE void floats_unpack(const block_product *p, const u8 *tile, u32 begin, u32 end, u32 t,
                             float_panel *panel) {
  const ty_format format = p->format;
  const u32 groups = unit_groups(format), steps = unit_columns(format) / 4;
  const u8 *w = tile + row_scale_bytes(format) + (u64)begin * unit_bytes(format);
  for (u32 u = 0, pair = 0; u < end - begin; ++u) {
    f32x16 scales[2], none[2];
    unit_scales(format, SCALE_ANY, groups, w, scales, none);
    for (u32 g = 0; g < groups; ++g) panel->scales[u * groups + g][t] = scales[g];
    w += header_bytes(format);
    for (u32 j = 0; j < steps; ++j, w += 64, pair += 2) {
      panel->pairs[pair][t] = bf16_pairs(floats_of(load_u32x16(w), false));
      panel->pairs[pair + 1][t] = bf16_pairs(floats_of(load_u32x16(w), true));
    }
  }
}

// Adds `groups` groups of `pairs` pairs of columns to the sums of BLOCKS_ROWS rows.
TY_INLINE void floats_many_sums(const float_panel *panel, const u32 *x, u32 groups,
                                u32 pairs, f32x16 (*sums)[BLOCKS_TILES]) {
  for (u32 g = 0, at = 0; g < groups; ++g) {
    f32x16 total[BLOCKS_ROWS][BLOCKS_TILES];
    TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
      TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) total[r][t] = 0.0f;
    }
    for (u32 i = 0; i < pairs; ++i, ++at, x += TY_GROUP) {
      TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
        const u32x16 one = x[r];
        TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
          total[r][t] = dot_bf16(total[r][t], panel->pairs[at][t], one);
        }
      }
    }
    TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
      TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
        sums[r][t] = fma16(total[r][t], panel->scales[g][t], sums[r][t]);
      }
    }
  }
}

// Rows `first` to `last`, outputs of the tiles from `tile`, of which `tiles` are left.
TY_INLINE void floats_many_bf16(u32 tiles, const block_product *p, const u8 *packed, u32 first,
                                u32 last, u32 tile) {
  const u32 columns = unit_columns(p->format), units = p->k / columns, group = format_group(p->format);
  const u8 *w = p->weights + tile * p->tile_bytes;
  const u32 step = BLOCKS_PANEL_COLUMNS / columns, left = p->n - tile * 16;
  float_panel panel;
  for (u32 u = 0; u < units; u += step) {
    const u32 end = units - u < step ? units : u + step;
    for (u32 t = 0; t < BLOCKS_TILES; ++t) {
      floats_unpack(p, panel_tile(p, w, t, tiles), u, end, t, &panel);
    }
    for (u32 r = first; r < last; r += BLOCKS_ROWS) {
      const u64 words = (u64)(r / TY_GROUP) * (p->k / 2) + u * columns / 2;
      const u32 *x = (const u32 *)packed + words * TY_GROUP + r % TY_GROUP;
      f32 *y = p->y + (u64)r * p->y_stride + tile * 16;
      f32x16 sums[BLOCKS_ROWS][BLOCKS_TILES];
      blocks_many_load(y, p->y_stride, last - r, left, u == 0, sums);
      floats_many_sums(&panel, x, (end - u) * columns / group, group / 2, sums);
      if (end == units) blocks_many_finish(p, w, tiles, sums);
      blocks_many_store(y, p->y_stride, last - r, left, sums);
    }
  }
}
#endif

TY_INLINE void floats_many(const block_product *p, const u8 *packed, u32 first, u32 last, u32 begin,
                           u32 end) {
  u32 t = begin;
#if TY_HAS_BF16_DOT
  for (; t < end; t += BLOCKS_TILES) floats_many_bf16(end - t, p, packed, first, last, t);
#else
  for (; t + PLAIN_TILES <= end; t += PLAIN_TILES) {
    floats_many_f32(PLAIN_TILES, p, packed, first, last, t);
  }
  for (; t < end; ++t) floats_many_f32(1, p, packed, first, last, t);
#endif
}
