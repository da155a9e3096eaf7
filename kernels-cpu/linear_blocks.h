// linear_blocks.h -- y = x w^T for weights in blocks: unsigned codes of 4 or 8 bits, a scale and
// perhaps a bias for every group of 32, 64 or 128 columns.
//
// Math       y[r][n] = sum over groups g of scale[n][g] * sum over runs i of g (
//                        s[r][i] * (start[r][i] + sum over 32 columns of code[n][k] * q[r][k]))
//                      + bias[n][g] * sum over g of s[r] q[r]
//            where q and s are the quantized activations and their scales (linear_pack.h).
// Used by    every product with a quantized weight.
// Bound by   few rows: bytes of w, each read once for all rows (judge by GB/s); many rows:
//            multiply-adds of bytes (judge by op/s), with the f32 sums of every run beside them.
//
// Few rows   One tile at a time; the lanes are 16 outputs, a dword of a lane four columns.
//            Words are unpacked once for up to BLOCKS_FEW rows.
// Many rows  The codes of a panel of BLOCKS_TILES tiles are unpacked once to bytes and stay in
//            the cache over all rows; BLOCKS_ROWS rows of integer sums stay in registers.
//
// Numerics   Sums of 32 columns are exact in i32. f32 operations of one output stand in the
//            order above, the same for any number of rows and any split: a row has one result.
//            Without an exact product of bytes, 4-bit codes take sums of two products in 16
//            bits (a run's sum fits) and 8-bit codes products of 16-bit numbers: both exact.

#pragma once

#include "linear_pack.h"

#if TY_WIDE_REGISTERS == 2
#define BLOCKS_FEW 4
#define BLOCKS_ROWS 4
#define BLOCKS_TILES 2
#elif TY_WIDE_REGISTERS == 1
#define BLOCKS_FEW 4
#define BLOCKS_ROWS 4
#define BLOCKS_TILES 1
#else
#define BLOCKS_FEW 1
#define BLOCKS_ROWS 2
#define BLOCKS_TILES 1
#endif

#define BLOCKS_PANEL_COLUMNS 768 // columns of an unpacked panel, at most: 24 KiB of codes

// ---- sums of one run ------------------------------------------------------------------

// A run's sum before it is finished: with pairs of bytes these are 16-bit sums.
TY_INLINE i32x16 run_begin(const u32 bits, i32 start) {
  if (!TY_HAS_BYTE_DOT && words_of_four(bits) == 1) return 0;
  return start;
}

// Adds four columns: codes in the bytes of each lane, x as packed.
TY_INLINE i32x16 run_add(const u32 bits, i32x16 sum, u32x16 codes, const u32 *x, u32 width) {
#if TY_HAS_BYTE_DOT
  return (void)bits, (void)width, dot_bytes(sum, codes, x[0]);
#else
#if TY_HAS_BYTE_PAIRS
  if (words_of_four(bits) == 1) {
    const i16x32 pairs = dot_byte_pairs(codes, (u32x16)x[0]);
    return __builtin_bit_cast(i32x16, __builtin_bit_cast(i16x32, sum) + pairs);
  }
#endif
  sum += dot_words(codes & 0x00ff00ff, (u32x16)x[0]);
  return (void)bits, sum + dot_words(codes >> 8 & 0x00ff00ff, (u32x16)x[width]);
#endif
}

TY_INLINE f32x16 run_end(const u32 bits, i32x16 sum, i32 start) {
  if (!TY_HAS_BYTE_DOT && words_of_four(bits) == 1) {
    sum = dot_words((u32x16)sum, 0x00010001) + start;
  }
  return __builtin_convertvector(sum, f32x16);
}

// ---- few rows -------------------------------------------------------------------------

typedef struct {
  const u8 *weights;
  u64 tile_bytes;
  ty_format format;
  u32 n, k, y_stride;
  f32 *y;
} block_product;

// Sums of `rows` rows over the 32 columns of run `run`, whose codes begin at `codes`.
TY_INLINE void blocks_few_run(const u32 bits, const u32 rows, const u8 *codes, const packed_group *x,
                              u32 first, u32 run, f32x16 *sums) {
  const u32 width = x->width, wide = words_of_four(bits);
  const u32 *words = x->words + (u64)run * 8 * wide * width + first;
  const i32 *starts = x->starts + (u64)run * width + first;
  TY_UNROLL for (u32 i = 0; i < bits; ++i) fetch_weights(codes + i * 64);
  i32x16 d[BLOCKS_FEW];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) d[r] = run_begin(bits, starts[r]);
  if (TY_HAS_BYTE_DOT && bits == 4 && rows <= 2) {
    // High nibbles in place are 16 times their code: one shift of the sum for four of codes.
    i32x16 high[BLOCKS_FEW];
    TY_UNROLL for (u32 r = 0; r < rows; ++r) high[r] = 0;
    TY_UNROLL for (u32 j = 0; j < 8; j += 2) {
      const u32x16 eight = load_u32x16(codes + j / 2 * 64);
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        d[r] = run_add(bits, d[r], eight & 0x0f0f0f0f, words + (u64)j * width + r, width);
        high[r] = run_add(bits, high[r], eight & 0xf0f0f0f0, words + (u64)(j + 1) * width + r, width);
      }
    }
    TY_UNROLL for (u32 r = 0; r < rows; ++r) d[r] += high[r] >> 4;
  } else {
    TY_UNROLL for (u32 j = 0; j < 8; ++j) {
      u32x16 four = load_u32x16(codes + (bits == 4 ? j / 2 : j) * 64);
      if (bits == 4) four = (j % 2 ? four >> 4 : four) & 0x0f0f0f0f;
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        d[r] = run_add(bits, d[r], four, words + (u64)j * wide * width + r, width);
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) sums[r] = run_end(bits, d[r], starts[r]);
}

TY_INLINE void blocks_few_tile(const u32 bits, const u32 rows, const block_product *p, const u8 *w,
                               const packed_group *x, u32 first, f32x16 *y) {
  const u32 flags = format_flags(p->format), runs = format_group(p->format) / 32;
  const u32 header = block_header_bytes(p->format), width = x->width;
  TY_UNROLL for (u32 r = 0; r < rows; ++r) y[r] = 0.0f;
  for (u32 g = 0, run = 0; g < p->k / 32 / runs; ++g) {
    const f32x16 scale = load_scales(w, flags);
    const u8 *codes = w + header;
    f32x16 total[BLOCKS_FEW];
    TY_UNROLL for (u32 r = 0; r < rows; ++r) total[r] = 0.0f;
    for (u32 i = 0; i < runs; ++i, ++run, codes += bits * 64) {
      f32x16 d[BLOCKS_FEW];
      blocks_few_run(bits, rows, codes, x, first, run, d);
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        total[r] = fma16(d[r], x->scales[(u64)run * width + first + r], total[r]);
      }
    }
    TY_UNROLL for (u32 r = 0; r < rows; ++r) y[r] = fma16(total[r], scale, y[r]);
    if (flags & TY_BIAS) {
      const f32x16 bias = load_scales(w + 32, flags);
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        y[r] = fma16(bias, x->sums[(u64)g * width + first + r], y[r]);
      }
    }
    w = codes;
  }
}

// Rows `first` to `first + rows` of tile `t`.
TY_INLINE void blocks_few_rows(const u32 bits, const u32 rows, const block_product *p,
                               const packed_group *x, u32 first, u32 t) {
  f32x16 y[BLOCKS_FEW];
  blocks_few_tile(bits, rows, p, p->weights + t * p->tile_bytes, x, first, y);
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    store_first_f32(p->y + (u64)(first + r) * p->y_stride + t * 16, y[r], p->n - t * 16);
  }
}

// All of the `rows` rows there are, at most BLOCKS_FEW: words of a step lie `rows` apart.
TY_INLINE void blocks_few_whole(const u32 bits, const u32 rows, const block_product *p,
                                packed_group x, u32 begin, u32 end) {
  x.width = rows;
  for (u32 t = begin; t < end; ++t) blocks_few_rows(bits, rows, p, &x, 0, t);
}

// `rows` rows (at most TY_FEW), tiles `begin` to `end`.
TY_INLINE void blocks_few(const u32 bits, const block_product *p, packed_group x, u32 rows, u32 begin,
                          u32 end) {
  switch (rows) {
  case 1: blocks_few_whole(bits, 1, p, x, begin, end); return;
#if BLOCKS_FEW >= 2
  case 2: blocks_few_whole(bits, 2, p, x, begin, end); return;
#endif
#if BLOCKS_FEW >= 4
  case 3: blocks_few_whole(bits, 3, p, x, begin, end); return;
  case 4: blocks_few_whole(bits, 4, p, x, begin, end); return;
#endif
  default: break;
  }
  for (u32 t = begin; t < end; ++t) {
    u32 r = 0;
    for (; r + BLOCKS_FEW <= rows; r += BLOCKS_FEW) blocks_few_rows(bits, BLOCKS_FEW, p, &x, r, t);
    for (; r + 2 <= rows && BLOCKS_FEW > 2; r += 2) blocks_few_rows(bits, 2, p, &x, r, t);
    for (; r < rows; ++r) blocks_few_rows(bits, 1, p, &x, r, t);
  }
}

// ---- many rows ------------------------------------------------------------------------

#define PANEL_STEPS (BLOCKS_PANEL_COLUMNS / 4)
#define PANEL_GROUPS (BLOCKS_PANEL_COLUMNS / 32)

typedef struct {
  u32x16 codes[PANEL_STEPS][BLOCKS_TILES]; // four columns a lane
  f32x16 scales[PANEL_GROUPS][BLOCKS_TILES];
  f32x16 biases[PANEL_GROUPS][BLOCKS_TILES];
} block_panel;

// Unpacks groups `begin` to `end` of a tile.
TY_INLINE void blocks_unpack(const u32 bits, const block_product *p, const u8 *tile, u32 begin,
                             u32 end, u32 t, block_panel *panel) {
  const u32 flags = format_flags(p->format), group = format_group(p->format);
  const u32 bytes = block_bytes(p->format), header = block_header_bytes(p->format);
  for (u32 g = begin, step = 0; g < end; ++g) {
    const u8 *w = tile + (u64)g * bytes;
    panel->scales[g - begin][t] = load_scales(w, flags);
    if (flags & TY_BIAS) panel->biases[g - begin][t] = load_scales(w + 32, flags);
    w += header;
    for (u32 i = 0; i < group / 8; ++i, step += 2) {
      const u32x16 first = load_u32x16(w + (bits == 4 ? i * 64 : i * 128));
      const u32x16 second = bits == 4 ? first >> 4 : load_u32x16(w + i * 128 + 64);
      panel->codes[step][t] = bits == 4 ? first & 0x0f0f0f0f : first;
      panel->codes[step + 1][t] = bits == 4 ? second & 0x0f0f0f0f : second;
    }
  }
}

// Sums of BLOCKS_ROWS rows over the 32 columns of run `run` of the panel.
TY_INLINE void blocks_many_run(const u32 bits, const u32 tiles, const block_panel *panel, u64 step,
                               const u32 *words, const i32 *starts, f32x16 (*sums)[BLOCKS_TILES]) {
  const u32 wide = words_of_four(bits);
  i32x16 d[BLOCKS_ROWS][BLOCKS_TILES];
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) d[r][t] = run_begin(bits, starts[r]);
  }
  TY_UNROLL for (u32 j = 0; j < 8; ++j) {
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
      const u32x16 codes = panel->codes[step + j][t];
      TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
        d[r][t] = run_add(bits, d[r][t], codes, words + j * wide * TY_GROUP + r, TY_GROUP);
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) sums[r][t] = run_end(bits, d[r][t], starts[r]);
  }
}

// Adds groups `begin` to `end` to the sums of BLOCKS_ROWS rows, whose lanes begin at `lane`.
TY_INLINE void blocks_many_rows(const u32 bits, const u32 tiles, const block_product *p,
                                const block_panel *panel, const packed_group *x, u32 lane, u32 begin,
                                u32 end, f32 *y, u32 rows, u32 left) {
  const u32 runs = format_group(p->format) / 32, wide = words_of_four(bits);
  const bool biased = format_flags(p->format) & TY_BIAS;
  f32x16 sums[BLOCKS_ROWS][BLOCKS_TILES];
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
      const u32 count = r < rows ? left - t * 16 : 0;
      const f32 *at = y + (u64)r * p->y_stride + t * 16;
      sums[r][t] = begin == 0 ? (f32x16)0.0f : load_up_to(at, count);
    }
  }
  for (u32 g = begin; g < end; ++g) {
    f32x16 total[BLOCKS_ROWS][BLOCKS_TILES];
    TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
      TY_UNROLL for (u32 t = 0; t < tiles; ++t) total[r][t] = 0.0f;
    }
    for (u64 run = (u64)g * runs; run < (u64)(g + 1) * runs; ++run) {
      const u32 *words = x->words + run * 8 * wide * TY_GROUP + lane;
      const f32 *scales = x->scales + run * TY_GROUP + lane;
      f32x16 d[BLOCKS_ROWS][BLOCKS_TILES];
      blocks_many_run(bits, tiles, panel, (run - (u64)begin * runs) * 8, words,
                      x->starts + run * TY_GROUP + lane, d);
      TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
        const f32x16 s = scales[r];
        TY_UNROLL for (u32 t = 0; t < tiles; ++t) total[r][t] = fma16(d[r][t], s, total[r][t]);
      }
    }
    const f32 *sums_of_x = x->sums + (u64)g * TY_GROUP + lane;
    TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
      TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
        sums[r][t] = fma16(total[r][t], panel->scales[g - begin][t], sums[r][t]);
        if (biased) {
          const f32x16 sum = sums_of_x[r];
          sums[r][t] = fma16(panel->biases[g - begin][t], sum, sums[r][t]);
        }
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < tiles; ++t) {
      if (r < rows) {
        store_first_f32(y + (u64)r * p->y_stride + t * 16, sums[r][t], left - t * 16);
      }
    }
  }
}

// Rows `first` to `last`, outputs of the `tiles` tiles from `tile`.
TY_INLINE void blocks_many_panel(const u32 bits, const u32 tiles, const block_product *p,
                                 const u8 *packed, u32 rows, u32 first, u32 last, u32 tile) {
  const u32 group = format_group(p->format), groups = p->k / group;
  // Panels of about the same size: each costs one more pass over y.
  const u32 panels = (p->k + BLOCKS_PANEL_COLUMNS - 1) / BLOCKS_PANEL_COLUMNS;
  const u32 step = (groups + panels - 1) / panels;
  block_panel panel;
  for (u32 g = 0; g < groups; g += step) {
    const u32 end = groups - g < step ? groups : g + step;
    for (u32 t = 0; t < tiles; ++t) {
      const u8 *w = p->weights + (tile + t) * p->tile_bytes;
      blocks_unpack(bits, p, w, g, end, t, &panel);
    }
    for (u32 r = first; r < last; r += BLOCKS_ROWS) {
      const packed_group x = packed_at(p->format, p->k, rows, packed, r / TY_GROUP);
      blocks_many_rows(bits, tiles, p, &panel, &x, r % TY_GROUP, g, end,
                       p->y + (u64)r * p->y_stride + tile * 16, last - r, p->n - tile * 16);
    }
  }
}

TY_INLINE void blocks_many(const u32 bits, const block_product *p, const u8 *packed, u32 rows,
                           u32 first, u32 last, u32 begin, u32 end) {
  u32 t = begin;
  for (; t + BLOCKS_TILES <= end; t += BLOCKS_TILES) {
    blocks_many_panel(bits, BLOCKS_TILES, p, packed, rows, first, last, t);
  }
#if BLOCKS_TILES > 1
  for (; t < end; ++t) blocks_many_panel(bits, 1, p, packed, rows, first, last, t);
#endif
}
