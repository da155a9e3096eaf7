// linear_blocks.h -- y = x w^T for weights in blocks whose codes are multiplied as bytes: all but
// 8-bit floats.
//
// Math       y[r][n] = sum over groups g of scale[n][g] * sum over runs i of g (
//                        s[r][i] * (start[r][i] + sum over 32 columns of code[n][k] * q[r][k]))
//                      + bias[n][g] * sum over g of s[r] q[r]
//            where q and s are the quantized activations and their scales (linear_pack.h), scale
//            and bias those of linear_scales.h. With groups of 16 a run has two:
//                      y[r][n] = sum over runs i of s[r][i] * (scale[n][2i] * (the first 16 columns)
//                        + scale[n][2i + 1] * (the others)) + the two biases as above
//            At the end y is `finished`: multiplied by the row's scale, where rows have one.
// Used by    every product with a quantized weight.
// Bound by   few rows: bytes of w, each read once for all rows (judge by GB/s); many rows:
//            multiply-adds of bytes (judge by op/s), with the f32 sums of every run beside them.
//
// Few rows   One tile at a time; the lanes are 16 outputs, a dword of a lane four columns.
//            Words are unpacked once for up to BLOCKS_FEW rows.
// Many rows  The codes of a panel of BLOCKS_TILES tiles are unpacked once to bytes and stay in
//            the cache over all rows; BLOCKS_ROWS rows of integer sums stay in registers.
// Constants  After inlining `code` (of ty_format), `parts` (sums of a run: 2 with groups of 16,
//            else 1) and, for few rows, `scale` (TY_SCALE_*, or SCALE_*) are constants.
//
// Numerics   Sums of 32 columns are exact in i32. f32 operations of one output stand in the
//            order above, the same for any number of rows and any split: a row has one result.
//            Without an exact product of bytes, codes up to 6 bits take sums of two products in 16
//            bits, as many as fit, and larger ones products of 16-bit numbers: both exact.

#pragma once

#include "linear_codes.h"
#include "linear_pack.h"
#include "linear_scales.h"

#if TY_WIDE_REGISTERS == 2
#define BLOCKS_ROWS 4
#define BLOCKS_TILES 2
#elif TY_WIDE_REGISTERS == 1
#define BLOCKS_ROWS 4
#define BLOCKS_TILES 1
#else
#define BLOCKS_ROWS 2
#define BLOCKS_TILES 1
#endif

#define BLOCKS_PANEL_COLUMNS 768 // columns of an unpacked panel, at most: 24 KiB of codes

typedef struct {
  const u8 *weights;
  u64 tile_bytes;
  ty_format format;
  u32 n, k, y_stride;
  f32 *y;
} block_product;

// ---- sums of a part of a run ----------------------------------------------------------

// With pairs of bytes, 16-bit sums of a few steps stand beside the sum.
typedef struct {
  i32x16 sum, pairs;
} part_sum;

// Adds the four columns of step `j` of a part: codes in the bytes of each lane, x as packed.
TY_INLINE void part_add(const u32 code, const u32 j, part_sum *s, u32x16 codes, const u32 *x,
                        u32 width) {
#if TY_HAS_BYTE_DOT
  s->sum = dot_bytes(s->sum, codes, x[0]);
  (void)code, (void)j, (void)width;
#else
#if TY_HAS_BYTE_PAIRS
  const u32 steps = steps_of_pairs(code);
  if (steps) {
    const i16x32 pairs = dot_byte_pairs(codes, (u32x16)x[0]);
    s->pairs = j % steps == 0 ? __builtin_bit_cast(i32x16, pairs)
                              : __builtin_bit_cast(i32x16, __builtin_bit_cast(i16x32, s->pairs) + pairs);
    if (j % steps == steps - 1) {
      s->sum += dot_words((u32x16)s->pairs, 0x00010001);
      s->pairs = 0;
    }
    return;
  }
#endif
  (void)code, (void)j;
  s->sum += dot_words(codes & 0x00ff00ff, (u32x16)x[0]);
  s->sum += dot_words(codes >> 8 & 0x00ff00ff, (u32x16)x[width]);
#endif
}

// Of a part of `count` steps.
TY_INLINE f32x16 part_end(const u32 code, const u32 count, const part_sum *s) {
  i32x16 sum = s->sum;
  // Steps that have not filled a 16-bit sum.
  if (!TY_HAS_BYTE_DOT && TY_HAS_BYTE_PAIRS && steps_of_pairs(code) > count) {
    sum += dot_words((u32x16)s->pairs, 0x00010001);
  }
  return __builtin_convertvector(sum, f32x16);
}

// ---- few rows -------------------------------------------------------------------------

// Sums over the parts of run `run`, whose codes begin at `codes`, of the `rows` rows of x.
TY_INLINE void blocks_few_run(const u32 code, const u32 parts, const u32 rows, const u8 *codes,
                              const packed_group *x, u32 run, f32x16 (*sums)[2]) {
  const u32 wide = words_of_four(code), count = 8 / parts;
  const u32 *words = x->words + (u64)run * 8 * wide * rows;
  const i32 *starts = x->starts + (u64)run * parts * rows;
  if (TY_HAS_BYTE_DOT && code == 4 && parts == 1 && rows <= 2) {
    // High nibbles in place are 16 times their code: one shift of the sum for four of codes.
    part_sum low[BLOCKS_FEW], high[BLOCKS_FEW];
    TY_UNROLL for (u32 r = 0; r < rows; ++r) low[r].sum = starts[r], high[r].sum = 0;
    TY_UNROLL for (u32 j = 0; j < 8; j += 2) {
      const u32x16 eight = load_u32x16(codes + j / 2 * 64);
      fetch_weights(codes + j / 2 * 64);
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        part_add(code, j, &low[r], eight & 0x0f0f0f0f, words + j * rows + r, rows);
        part_add(code, j, &high[r], eight & 0xf0f0f0f0, words + (j + 1) * rows + r, rows);
      }
    }
    TY_UNROLL for (u32 r = 0; r < rows; ++r) {
      sums[r][0] = __builtin_convertvector(low[r].sum + (high[r].sum >> 4), f32x16);
    }
    return;
  }
  TY_UNROLL for (u32 i = 0; i < parts; ++i) {
    part_sum d[BLOCKS_FEW];
    TY_UNROLL for (u32 r = 0; r < rows; ++r) d[r] = (part_sum){(i32x16)starts[i * rows + r], 0};
    TY_UNROLL for (u32 j = 0; j < count; ++j) {
      const u32 step = i * count + j;
      const u32x16 four = codes_at(code, codes, step);
      // One line a step, as long as the run has lines.
      if (step * 64 < run_bytes(code)) fetch_weights(codes + step * 64);
      const u32 *at = words + step * wide * rows;
      TY_UNROLL for (u32 r = 0; r < rows; ++r) part_add(code, j, &d[r], four, at + r, rows);
    }
    TY_UNROLL for (u32 r = 0; r < rows; ++r) sums[r][i] = part_end(code, count, &d[r]);
  }
}

// Adds group `group` of a row's, of `runs` runs whose codes begin at `codes`.
TY_INLINE void blocks_few_group(const u32 code, const u32 rows, const u8 *codes, u32 runs,
                                const packed_group *x, u32 group, f32x16 scale, f32x16 *y) {
  f32x16 total[BLOCKS_FEW];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) total[r] = 0.0f;
  for (u32 run = group * runs; run < (group + 1) * runs; ++run, codes += run_bytes(code)) {
    f32x16 d[BLOCKS_FEW][2];
    blocks_few_run(code, 1, rows, codes, x, run, d);
    TY_UNROLL for (u32 r = 0; r < rows; ++r) {
      total[r] = fma16(d[r][0], x->scales[(u64)run * rows + r], total[r]);
    }
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) y[r] = fma16(total[r], scale, y[r]);
}

// Adds run `run`, which is two groups of 16.
TY_INLINE void blocks_few_sixteens(const u32 code, const u32 rows, const u8 *codes,
                                   const packed_group *x, u32 run, const f32x16 *scales, f32x16 *y) {
  f32x16 d[BLOCKS_FEW][2];
  blocks_few_run(code, 2, rows, codes, x, run, d);
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    const f32x16 total = fma16(d[r][1], scales[1], d[r][0] * scales[0]);
    y[r] = fma16(total, x->scales[(u64)run * rows + r], y[r]);
  }
}

// Adds the term of group `group` of a row's.
TY_INLINE void blocks_few_bias(const u32 rows, const packed_group *x, u32 group, f32x16 bias, f32x16 *y) {
  TY_UNROLL for (u32 r = 0; r < rows; ++r) y[r] = fma16(bias, x->sums[(u64)group * rows + r], y[r]);
}

// Units of one group whose scale is f16 or bf16.
TY_INLINE void blocks_few_halves(const u32 code, const u32 rows, const block_product *p, const u8 *w,
                                 const packed_group *x, f32x16 *y) {
  const ty_format format = p->format;
  const u32 runs = format_group(format) / 32, header = header_bytes(format);
  const bool bf16 = format_scale(format) == TY_SCALE_BF16, biased = format_biased(format);
  const bool zero = format_form(format) == TY_ZERO;
  for (u32 g = 0; g < p->k / 32 / runs; ++g) {
    const f32x16 scale = half_at(bf16, w);
    blocks_few_group(code, rows, w + header, runs, x, g, scale, y);
    if (biased) blocks_few_bias(rows, x, g, zero ? zero_bias(scale, w + 32) : half_at(bf16, w + 32), y);
    w += header + runs * run_bytes(code);
  }
}

// Units of any scales.
TY_INLINE void blocks_few_units(const u32 code, const u32 parts, const u32 scale, const u32 rows,
                                const block_product *p, const u8 *w, const packed_group *x, f32x16 *y) {
  const ty_format format = p->format;
  // A kernel that knows its scales has units of one group, or of two groups of 16.
  const u32 groups = scale == SCALE_ANY ? unit_groups(format) : parts;
  const u32 runs = parts == 2 ? 1 : format_group(format) / 32; // of one or two groups
  const u32 header = header_bytes(format), columns = unit_columns(format);
  for (u32 c = 0, group = 0; c < p->k; c += columns) {
    f32x16 scales[16], biases[16];
    unit_scales(format, scale, groups, w, scales, biases);
    w += header;
    for (u32 g = 0; g < groups; g += parts, group += parts, w += runs * run_bytes(code)) {
      if (parts == 2) {
        blocks_few_sixteens(code, rows, w, x, group / 2, &scales[g], y);
      } else {
        blocks_few_group(code, rows, w, runs, x, group, scales[g], y);
      }
      if (!format_biased(format)) continue;
      TY_UNROLL for (u32 i = 0; i < parts; ++i) blocks_few_bias(rows, x, group + i, biases[g + i], y);
    }
  }
}

// The `rows` rows of x, which begin with row `first`, and tile `t`.
TY_INLINE void blocks_few_rows(const u32 code, const u32 parts, const u32 scale, const u32 rows,
                               const block_product *p, const packed_group *x, u32 first, u32 t) {
  const u8 *tile = p->weights + t * p->tile_bytes, *w = tile + row_scale_bytes(p->format);
  f32x16 y[BLOCKS_FEW];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) y[r] = 0.0f;
  if (scale == SCALE_HALF) {
    blocks_few_halves(code, rows, p, w, x, y);
  } else {
    blocks_few_units(code, parts, scale, rows, p, w, x, y);
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    store_first_f32(p->y + (u64)(first + r) * p->y_stride + t * 16, finished(p->format, tile, y[r]),
                    p->n - t * 16);
  }
}

// `rows` rows (at most TY_FEW), tiles `begin` to `end`: a tile for all rows, so that weights come
// from memory once.
TY_INLINE void blocks_few(const u32 code, const u32 parts, const u32 scale, const block_product *p,
                          const u8 *packed, u32 rows, u32 begin, u32 end) {
  for (u32 t = begin; t < end; ++t) {
    for (u32 r = 0; r < rows; r += BLOCKS_FEW) {
      const packed_group x = packed_at(p->format, p->k, rows, packed, r / BLOCKS_FEW);
      switch (x.width) {
      case 1: blocks_few_rows(code, parts, scale, 1, p, &x, r, t); break;
#if BLOCKS_FEW >= 4
      case 2: blocks_few_rows(code, parts, scale, 2, p, &x, r, t); break;
      case 3: blocks_few_rows(code, parts, scale, 3, p, &x, r, t); break;
      default: blocks_few_rows(code, parts, scale, 4, p, &x, r, t);
#endif
      }
    }
  }
}
