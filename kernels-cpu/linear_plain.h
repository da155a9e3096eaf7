// linear_plain.h -- y = x w^T for weights of f32, f16 and bf16.
//
// Math       y[r][n] = sum_k w[n][k] * x[r][k], x rounded to the weight's type, sums in f32
// Used by    every product whose weight is not quantized, the head included.
// Bound by   few rows: bytes of w, each read once for all rows (judge by GB/s);
//            many rows: multiply-adds (judge by FLOP/s).
//
// Few rows   One tile (16 outputs are the lanes) at a time, up to PLAIN_FEW rows of x against
//            each vector of weights. Even and odd steps have sums of their own, which hides
//            the latency of the addition.
// Many rows  PLAIN_TILES tiles by PLAIN_ROWS rows of sums stay in registers while the columns
//            of one panel pass. Weights that need a conversion are converted once a panel,
//            into a buffer that stays in the cache over all rows.
//
// Numerics   A row's sum has one order for every number of rows up to TY_FEW, and another
//            beyond it; neither depends on the split into chunks.

#pragma once

#include "linear_pack.h"

#if TY_WIDE_REGISTERS == 2
#define PLAIN_FEW 8
#define PLAIN_ROWS 8
#define PLAIN_TILES 2
#elif TY_WIDE_REGISTERS == 1
#define PLAIN_FEW 4
#define PLAIN_ROWS 4
#define PLAIN_TILES 1
#else
#define PLAIN_FEW 1
#define PLAIN_ROWS 2
#define PLAIN_TILES 1
#endif

#define PLAIN_PANEL_COLUMNS 256 // columns of a converted panel: 32 KiB of f32
#define PLAIN_COLUMNS 512      // columns of a panel that is read in place

// ---- few rows -------------------------------------------------------------------------

// Two columns of a tile as f32.
typedef struct {
  f32x16 even, odd;
} column_pair;

TY_INLINE column_pair load_columns(const u32 kind, const u8 *at) {
  if (kind == TY_F32) return (column_pair){load_f32x16(at), load_f32x16(at + 64)};
  if (kind == TY_F16) {
    return (column_pair){f32_from_f16(load_u16x16(at)), f32_from_f16(load_u16x16(at + 32))};
  }
  const u32x16 pair = load_u32x16(at);
  return (column_pair){f32_of16(pair << 16), f32_of16(pair & 0xffff0000)};
}

// Rows `x` to `x + rows` of one tile: columns by f32 products.
TY_INLINE void plain_few_f32(const u32 kind, const u32 rows, const u8 *w, const u32 *x, u32 width,
                             u32 k, f32x16 *sums) {
  const u32 pair_bytes = kind == TY_F32 ? 128 : 64;
  f32x16 even[PLAIN_FEW], odd[PLAIN_FEW];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) even[r] = odd[r] = 0.0f;
  u32 c = 0;
  for (; c + 2 <= k; c += 2, w += pair_bytes, x += 2 * width) {
    const column_pair pair = load_columns(kind, w);
    TY_UNROLL for (u32 i = 0; i < pair_bytes; i += 64) fetch_weights(w + i);
    TY_UNROLL for (u32 r = 0; r < rows; ++r) {
      even[r] = fma16(pair.even, f32_of(x[r]), even[r]);
      odd[r] = fma16(pair.odd, f32_of(x[width + r]), odd[r]);
    }
  }
  if (c < k) { // bf16 comes in pairs
    const f32x16 last = kind == TY_F32 ? load_f32x16(w) : f32_from_f16(load_u16x16(w));
    TY_UNROLL for (u32 r = 0; r < rows; ++r) even[r] = fma16(last, f32_of(x[r]), even[r]);
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) sums[r] = even[r] + odd[r];
}

#if TY_HAS_BF16_DOT
// The same by dot products of bf16 pairs.
TY_INLINE void plain_few_bf16(const u32 rows, const u8 *w, const u32 *x, u32 width, u32 k,
                              f32x16 *sums) {
  f32x16 even[PLAIN_FEW], odd[PLAIN_FEW];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) even[r] = odd[r] = 0.0f;
  u32 c = 0;
  for (; c + 4 <= k; c += 4, w += 128, x += 2 * width) {
    const u32x16 w0 = load_u32x16(w), w1 = load_u32x16(w + 64);
    fetch_weights(w);
    fetch_weights(w + 64);
    TY_UNROLL for (u32 r = 0; r < rows; ++r) {
      even[r] = dot_bf16(even[r], w0, x[r]);
      odd[r] = dot_bf16(odd[r], w1, x[width + r]);
    }
  }
  if (c < k) {
    const u32x16 w0 = load_u32x16(w);
    TY_UNROLL for (u32 r = 0; r < rows; ++r) even[r] = dot_bf16(even[r], w0, x[r]);
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) sums[r] = even[r] + odd[r];
}
#endif

typedef struct {
  const u8 *weights;
  u64 tile_bytes;
  u32 n, k, y_stride;
  f32 *y;
} plain_product;

// Tiles `begin` to `end`, `rows` rows from `first`. Inlined for each number of rows.
TY_INLINE void plain_few_tiles(const u32 kind, const u32 rows, const plain_product *p,
                               packed_group x, u32 first, u32 begin, u32 end) {
  for (u32 t = begin; t < end; ++t) {
    const u8 *w = p->weights + t * p->tile_bytes;
    f32x16 sums[PLAIN_FEW];
#if TY_HAS_BF16_DOT
    if (kind == TY_BF16) {
      plain_few_bf16(rows, w, x.words + first, x.width, p->k, sums);
    } else
#endif
      plain_few_f32(kind, rows, w, x.words + first, x.width, p->k, sums);
    const u32 left = p->n - t * 16;
    TY_UNROLL for (u32 r = 0; r < rows; ++r) {
      store_first_f32(p->y + (u64)(first + r) * p->y_stride + t * 16, sums[r], left);
    }
  }
}

// `rows` rows (at most TY_FEW). One tile after the other, so that weights come from memory once.
TY_INLINE void plain_few(const u32 kind, const plain_product *p, packed_group x, u32 rows,
                         u32 begin, u32 end) {
#define CASE(B) \
  case B: plain_few_tiles(kind, B, p, x, 0, begin, end); return;
  switch (rows) {
    CASE(1)
#if PLAIN_FEW >= 2
    CASE(2)
#endif
#if PLAIN_FEW >= 8
    CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#endif
  }
#undef CASE
  for (u32 t = begin; t < end; ++t) {
    u32 r = 0;
    for (; r + PLAIN_FEW <= rows; r += PLAIN_FEW) {
      plain_few_tiles(kind, PLAIN_FEW, p, x, r, t, t + 1);
    }
    for (; r + 2 <= rows && PLAIN_FEW > 2; r += 2) plain_few_tiles(kind, 2, p, x, r, t, t + 1);
    for (; r < rows; ++r) plain_few_tiles(kind, 1, p, x, r, t, t + 1);
  }
}

// ---- many rows ------------------------------------------------------------------------

// The weights of up to PLAIN_TILES tiles as the inner loop reads them: vector `step` of tile t
// is at at[t] + step * stride bytes.
typedef struct {
  const u8 *at[PLAIN_TILES];
  u32 stride;
  u32 steps;
} plain_panel;

// Adds one panel to the sums of PLAIN_ROWS rows; `fresh`: the first panel of a row.
TY_INLINE void plain_many_rows(const bool pairs, const u32 tiles, const plain_panel *panel,
                               const u32 *x, bool fresh, f32 *y, u64 y_stride, u32 rows, u32 left) {
  f32x16 sums[PLAIN_ROWS][PLAIN_TILES];
  TY_UNROLL for (u32 r = 0; r < PLAIN_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
      const u32 count = r < rows ? left - t * 16 : 0;
      const f32 *at = y + r * y_stride + t * 16;
      sums[r][t] = fresh ? (f32x16)0.0f : load_up_to(at, count);
    }
  }
  const u8 *w[PLAIN_TILES];
  TY_UNROLL for (u32 t = 0; t < tiles; ++t) w[t] = panel->at[t];
  for (u32 s = 0; s < panel->steps; ++s, x += TY_GROUP) {
    u32x16 weights[PLAIN_TILES];
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
      weights[t] = load_u32x16(w[t]);
      w[t] += panel->stride;
    }
    TY_UNROLL for (u32 r = 0; r < PLAIN_ROWS; ++r) {
      const u32x16 one = x[r]; // for all tiles: one load
      TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
#if TY_HAS_BF16_DOT
        if (pairs) {
          sums[r][t] = dot_bf16(sums[r][t], weights[t], one);
          continue;
        }
#endif
        sums[r][t] = fma16(f32_of16(weights[t]), f32_of16(one), sums[r][t]);
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < PLAIN_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
      if (r < rows) {
        store_first_f32(y + r * y_stride + t * 16, sums[r][t], left - t * 16);
      }
    }
  }
  (void)pairs;
}

// Converts columns `begin` to `end` of a tile to f32: [column][PLAIN_TILES][16].
TY_INLINE void plain_convert(const u32 kind, const u8 *tile, u32 begin, u32 end, f32 *panel) {
  u32 c = begin;
  for (; c + 2 <= end; c += 2, panel += 2 * PLAIN_TILES * 16) {
    const column_pair pair = load_columns(kind, tile + (u64)c * 32);
    store_f32x16(panel, pair.even);
    store_f32x16(panel + PLAIN_TILES * 16, pair.odd);
  }
  if (c < end) store_f32x16(panel, f32_from_f16(load_u16x16(tile + (u64)c * 32)));
}

// Rows `first` to `last` (groups of TY_GROUP), outputs of the `tiles` tiles from `tile`.
TY_INLINE void plain_many_panel(const u32 kind, const u32 tiles, const plain_product *p,
                                const u8 *packed, u32 first, u32 last, u32 tile) {
  const bool pairs = kind == TY_BF16 && TY_HAS_BF16_DOT;
  const bool in_place = kind == TY_F32 || pairs;
  const u32 columns = in_place ? PLAIN_COLUMNS : PLAIN_PANEL_COLUMNS;
  f32 converted[PLAIN_PANEL_COLUMNS * PLAIN_TILES * 16] __attribute__((aligned(64)));
  const u32 words = pairs ? p->k / 2 : p->k; // of a row
  for (u32 c = 0; c < p->k; c += columns) {
    const u32 end = p->k - c < columns ? p->k : c + columns;
    plain_panel panel = {.steps = pairs ? (end - c) / 2 : end - c};
    panel.stride = in_place ? 64 : PLAIN_TILES * 64;
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
      const u8 *w = p->weights + (tile + t) * p->tile_bytes;
      if (in_place) {
        panel.at[t] = w + (u64)(pairs ? c / 2 : c) * 64;
      } else {
        plain_convert(kind, w, c, end, converted + t * 16);
        panel.at[t] = (const u8 *)(converted + t * 16);
      }
    }
    for (u32 r = first; r < last; r += PLAIN_ROWS) {
      const u32 *x = (const u32 *)packed + (u64)(r / TY_GROUP) * words * TY_GROUP +
                     (u64)(pairs ? c / 2 : c) * TY_GROUP + r % TY_GROUP;
      plain_many_rows(pairs, tiles, &panel, x, c == 0, p->y + (u64)r * p->y_stride + tile * 16,
                      p->y_stride, last - r, p->n - tile * 16);
    }
  }
}

TY_INLINE void plain_many(const u32 kind, const plain_product *p, const u8 *packed, u32 first,
                          u32 last, u32 begin, u32 end) {
  u32 t = begin;
  for (; t + PLAIN_TILES <= end; t += PLAIN_TILES) {
    plain_many_panel(kind, PLAIN_TILES, p, packed, first, last, t);
  }
  for (; t < end; ++t) plain_many_panel(kind, 1, p, packed, first, last, t);
}
