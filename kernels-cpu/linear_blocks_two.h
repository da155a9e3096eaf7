// linear_blocks_two.h -- linear_blocks.h's products of two rows to four, two tiles at once.
//
// Tiles      One of the first half of a run of tiles and one of the second, so that weights come in
//            two streams. The columns of x are read once for both, and twice as many sums hide the
//            latency of a multiplication.
// Used by    blocks of 32 whose scales are f16 or bf16 and which have no bias, where registers hold
//            the sums of two tiles.
// Numerics   linear_blocks.h's, operation by operation.

#pragma once

#include "linear_blocks.h"

#if TY_HAS_BYTE_DOT && TY_WIDE_REGISTERS == 2
#define BLOCKS_TWO 1

// What a run of both tiles is multiplied with: `rows` rows side by side.
typedef struct {
  const u32 *words;
  const i32 *starts;
  const f32 *scales;
} run_of_rows;

// Adds a run of each tile, whose unit is at `unit`, its codes `header` bytes behind, and the other
// tile's `apart` bytes further.
TY_INLINE void blocks_two_run(const u32 code, const u32 rows, bool bf16, u32 header, const u8 *unit, u64 apart,
                              run_of_rows x, f32x16 (*y)[2]) {
  const u8 *codes = unit + header;
  i32x16 d[BLOCKS_FEW][2];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) d[r][0] = d[r][1] = x.starts[r];
  TY_UNROLL for (u32 j = 0; j < 8; ++j) {
    const u32x16 one = codes_at(code, codes, j), other = codes_at(code, codes + apart, j);
    if (j * 64 < run_bytes(code)) {
      fetch_weights(codes + j * 64);
      fetch_weights(codes + apart + j * 64);
    }
    TY_UNROLL for (u32 r = 0; r < rows; ++r) {
      const u32x16 columns = x.words[j * rows + r]; // one load for both
      d[r][0] = dot_bytes(d[r][0], one, columns);
      d[r][1] = dot_bytes(d[r][1], other, columns);
    }
  }
  const f32x16 one = half_at(bf16, unit), other = half_at(bf16, unit + apart);
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    y[r][0] = fma16(fma16(__builtin_convertvector(d[r][0], f32x16), x.scales[r], 0.0f), one, y[r][0]);
    y[r][1] = fma16(fma16(__builtin_convertvector(d[r][1], f32x16), x.scales[r], 0.0f), other, y[r][1]);
  }
}

// The `rows` rows of x, which begin with row `first`, and tiles `t` and `t + further`.
TY_INLINE void blocks_two_rows(const u32 code, const u32 rows, const block_product *p, const packed_group *x,
                               u32 first, u32 t, u32 further) {
  const bool bf16 = format_scale(p->format) == TY_SCALE_BF16;
  const u32 header = header_bytes(p->format);
  const u64 bytes = unit_bytes(p->format), apart = further * p->tile_bytes;
  const u8 *tile = p->weights + t * p->tile_bytes, *unit = tile + row_scale_bytes(p->format);
  run_of_rows own = {x->words, x->starts, x->scales};
  f32x16 y[BLOCKS_FEW][2];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) y[r][0] = y[r][1] = 0.0f;
  for (u32 run = 0; run < p->k / 32; ++run, unit += bytes) {
    blocks_two_run(code, rows, bf16, header, unit, apart, own, y);
    own = (run_of_rows){own.words + 8 * rows, own.starts + rows, own.scales + rows};
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    f32 *to = p->y + (u64)(first + r) * p->y_stride;
    store_first_f32(to + t * 16, finished(p->format, tile, y[r][0]), p->n - t * 16);
    store_first_f32(to + (t + further) * 16, finished(p->format, tile + apart, y[r][1]), p->n - (t + further) * 16);
  }
}

#else
#define BLOCKS_TWO 0
#endif

// As blocks_few, for scales that are f16 or bf16.
TY_INLINE void blocks_few_halved(const u32 code, const block_product *p, const u8 *packed, u32 rows, u32 begin,
                                 u32 end) {
#if BLOCKS_TWO
  const bool fits = format_group(p->format) == 32 && !format_biased(p->format);
  const u32 half = rows > 1 && fits ? (end - begin) / 2 : 0;
  for (u32 i = 0; i < half; ++i) {
    const u32 t = begin + i;
    for (u32 r = 0; r < rows; r += BLOCKS_FEW) {
      const packed_group x = packed_at(p->format, p->k, rows, packed, r / BLOCKS_FEW);
      switch (x.width) {
      case 1:
        blocks_few_rows(code, 1, SCALE_HALF, 1, p, &x, r, t);
        blocks_few_rows(code, 1, SCALE_HALF, 1, p, &x, r, t + half);
        break;
      case 2: blocks_two_rows(code, 2, p, &x, r, t, half); break;
      case 3: blocks_two_rows(code, 3, p, &x, r, t, half); break;
      default: blocks_two_rows(code, 4, p, &x, r, t, half);
      }
    }
  }
  begin += 2 * half;
#endif
  blocks_few(code, 1, SCALE_HALF, p, packed, rows, begin, end);
}
