// linear_pack.h -- activations in the form that the products read.
//
// Packed form. Rows stand in groups of `width` rows: more than TY_FEW of them in groups of 8, the
// last one padded with zero rows; fewer in one group, for blocks in groups of as many as the
// kernels take at once, the last one with those that are left. A group is a list of steps, and a
// step holds one 32-bit word of each row, side by side:
//
//   plain formats   [steps][width] f32, a step a column, x rounded to the weight's type; or,
//                   for TY_BF16 with bf16 dot products, [k/2][width] pairs of bf16
//   blocks of bytes words   [k/4][width] four i8 each; without an instruction that multiplies
//                           bytes exactly, [k/4][2][width]: i16 pairs of columns 0 and 2, 1 and 3
//                   scales  [k/32][width] f32: the largest |x| of 32 columns over 127; half of
//                           that for TY_E2M1
//                   starts  [k/part][width] i32: what the sum of code * x over a part starts from;
//                           a part is 32 columns, and 16 with groups of 16
//                   sums    [k/group][width] f32: the sum of the quantized x, times its bias
//   TY_E4M3         few rows: one row a group, [k/4][4] f32, columns 0, 2, 1 and 3; many rows:
//                   [k][width] f32 or, with bf16 dot products, [k/4][2][width] pairs of bf16, columns
//                   0 and 2, then 1 and 3
//
// Numerics  i8 values are rounded to nearest even and lie in -127..127. A start is minus the sum
//           of x times what bytes have more than codes, exact. A run whose largest |x| is below
//           2^-100 counts as zero; a run with an infinity or NaN gets the scale NaN and makes
//           every output NaN.

#pragma once

#include "linear_format.h"

#define TY_FEW 8   // rows up to which the weights are read once for all of them
#define TY_GROUP 8 // rows of a group beyond

// Rows that few rows of blocks are taken at once, at most.
#if TY_WIDE_REGISTERS
#define BLOCKS_FEW 4
#else
#define BLOCKS_FEW 1
#endif

// Few rows ask for weights this many bytes early: the hardware alone does not keep enough
// lines under way, least of all where a line takes many instructions or ends a page. Into the
// second cache: the first has too few places for lines that are on their way.
#define TY_WEIGHTS_AHEAD 8192
TY_INLINE void fetch_weights(const u8 *at) { __builtin_prefetch(at + TY_WEIGHTS_AHEAD, 0, 1); }

// ---- matrix registers -----------------------------------------------------------------

#define AMX_RUN 32 // columns of one multiplication

// Whether a product goes through the matrix registers (linear_amx.h).
TY_INLINE bool amx_serves(ty_format format, u32 k) {
  const u32 kind = format_kind(format);
  const bool known = kind == TY_BF16 || kind == TY_BLOCKS;
  return TY_HAS_AMX && (format & TY_MATRIX) && known && k % AMX_RUN == 0;
}

static void amx_pack(u32 k, u32 rows, u32 row, const f32 *x, u8 *packed);

// ---- the packed form ------------------------------------------------------------------

// How many steps of a run the 16-bit sums of pairs of products hold, of bytes with this code:
// 0 where not even one, and products are of 16-bit numbers instead.
TY_INLINE u32 steps_of_pairs(const u32 code) {
  return code <= 4 ? 8 : code == 5 || code == TY_E2M1 ? 4 : code == 6 ? 2 : 0;
}

// Words of one row for four columns of blocks.
TY_INLINE u32 words_of_four(const u32 code) {
#if TY_HAS_BYTE_DOT
  return (void)code, 1;
#elif TY_HAS_BYTE_PAIRS
  return steps_of_pairs(code) ? 1 : 2;
#else
  return (void)code, 2;
#endif
}

// Columns under one start.
TY_INLINE u32 part_columns(ty_format format) { return format_group(format) < 32 ? 16 : 32; }

// Words of one row of `rows` in all.
TY_INLINE u64 packed_words(ty_format format, u32 k, u32 rows) {
  if (format_floats(format)) return TY_HAS_BF16_DOT && rows > TY_FEW ? k / 2 : k;
  switch (format_kind(format)) {
  case TY_BF16: return TY_HAS_BF16_DOT ? k / 2 : k;
  case TY_BLOCKS:
    return (u64)k / 4 * words_of_four(format_code(format)) + k / 32 + k / part_columns(format) +
           k / format_group(format);
  default: return k;
  }
}

typedef struct {
  u32 width;         // rows side by side
  const u32 *words;
  const f32 *scales; // blocks of bytes only, as the rest
  const i32 *starts;
  const f32 *sums;
} packed_group;

// Rows of a group that is full.
TY_INLINE u32 group_rows(ty_format format, u32 rows) {
  if (rows > TY_FEW) return TY_GROUP;
  if (format_kind(format) != TY_BLOCKS) return rows;
  return format_floats(format) ? 1 : BLOCKS_FEW;
}

// The group `index`.
TY_INLINE packed_group packed_at(ty_format format, u32 k, u32 rows, const u8 *packed, u32 index) {
  const u32 full = group_rows(format, rows), left = rows - index * full;
  packed_group g = {.width = rows <= TY_FEW && left < full ? left : full};
  g.words = (const u32 *)packed + index * full * packed_words(format, k, rows);
  if (format_kind(format) == TY_BLOCKS && !format_floats(format)) {
    const u64 words = (u64)k / 4 * words_of_four(format_code(format)) * g.width;
    g.scales = (const f32 *)(g.words + words);
    g.starts = (const i32 *)(g.scales + (u64)(k / 32) * g.width);
    g.sums = (const f32 *)(g.starts + (u64)(k / part_columns(format)) * g.width);
  }
  return g;
}

// ---- packing --------------------------------------------------------------------------

TY_INLINE void pack_plain(const u32 kind, u32 k, const f32 *x, u32 *words, u32 width) {
  for (u32 c = 0; c < k; c += 16) {
    const u32 count = k - c < 16 ? k - c : 16;
    const f32x16 v = load_up_to(x + c, count);
    if (kind == TY_BF16 && TY_HAS_BF16_DOT) {
      if (width == 1 && count == 16) {
        store_u16x16(words + c / 2, bf16_from_f32(v));
        continue;
      }
      const u32x16 b = bf16_bits(v);
      for (u32 i = 0; i < count / 2; ++i) {
        words[(u64)(c / 2 + i) * width] = b[2 * i] | b[2 * i + 1] << 16;
      }
    } else {
      const u32x16 b = bits_of16(round_to(kind, v));
      if (width == 1 && count == 16) {
        store_u32x16(words + c, b);
        continue;
      }
      for (u32 i = 0; i < count; ++i) words[(u64)(c + i) * width] = b[i];
    }
  }
}

// One row whose columns go to places `width` words apart.
typedef struct {
  u32 width;
  u32 wide; // words of four columns
  u32 *words;
  f32 *scales;
  i32 *starts;
  f32 *sums;
} block_row;

// Sixteen quantized columns.
TY_INLINE void pack_sixteen(i32x16 q, u32 *words, const block_row *row) {
  typedef u32 u32x4 __attribute__((ext_vector_type(4)));
  if (row->wide == 1) {
    const u32x4 four = __builtin_bit_cast(u32x4, __builtin_convertvector(q, i8x16));
    TY_UNROLL for (u32 i = 0; i < 4; ++i) words[(u64)i * row->width] = four[i];
  } else {
    TY_UNROLL for (u32 i = 0; i < 4; ++i) {
      words[(u64)(2 * i) * row->width] = ((u32)q[4 * i] & 0xffff) | (u32)q[4 * i + 2] << 16;
      words[(u64)(2 * i + 1) * row->width] = ((u32)q[4 * i + 1] & 0xffff) | (u32)q[4 * i + 3] << 16;
    }
  }
}

// Run `run` of a row: words, scale and starts; adds to the sums of its parts.
TY_INLINE void pack_run(const block_row *row, const u32 parts, u32 run, const f32 *x, i32 middle,
                        f32 half, f32 *sums) {
  f32x16 v[2] = {load_f32x16(x), load_f32x16(x + 16)};
  i32x16 q[2];
  const f32 scale = quantize_run(v, q);
  TY_UNROLL for (u32 i = 0; i < 2; ++i) {
    pack_sixteen(q[i], row->words + (u64)(2 * run + i) * 4 * row->wide * row->width, row);
  }
  row->scales[(u64)run * row->width] = scale * half;
  if (parts == 1) q[0] += q[1];
  TY_UNROLL for (u32 i = 0; i < parts; ++i) {
    const i32 sum = __builtin_reduce_add(q[i]);
    row->starts[(u64)(parts * run + i) * row->width] = -middle * sum;
    const f32 term = scale * (f32)sum; // rounded before it is added: the same with and without FMA
    sums[i] += term;
  }
}

TY_INLINE void pack_blocks(ty_format format, u32 k, const f32 *x, const block_row *row) {
  const i32 middle = format_middle(format);
  const f32 half = format_code(format) == TY_E2M1 ? 0.5f : 1.0f;
  if (format_group(format) < 32) {
    for (u32 r = 0; r < k / 32; ++r) {
      f32 sums[2] = {0.0f, 0.0f};
      pack_run(row, 2, r, x + (u64)r * 32, middle, half, sums);
      TY_UNROLL for (u32 i = 0; i < 2; ++i) row->sums[(u64)(2 * r + i) * row->width] = sums[i];
    }
    return;
  }
  const u32 runs = format_group(format) / 32;
  for (u32 g = 0; g < k / 32 / runs; ++g) {
    f32 sum = 0.0f;
    for (u32 r = g * runs; r < (g + 1) * runs; ++r) {
      pack_run(row, 1, r, x + (u64)r * 32, middle, half, &sum);
    }
    row->sums[(u64)g * row->width] = sum;
  }
}

// Columns 0, 2, 1, 3 of every four.
TY_INLINE void pack_pairs(u32 k, const f32 *x, u32 *words) {
  for (u32 c = 0; c < k; c += 16) {
    const u32x16 b = bits_of16(load_f32x16(x + c));
    store_u32x16(words + c, __builtin_shufflevector(b, b, 0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14,
                                                    13, 15));
  }
}

// The same in bf16, a pair a word.
TY_INLINE void pack_bf16_pairs(u32 k, const f32 *x, u32 *words, u32 width) {
  for (u32 c = 0; c < k; c += 16) {
    const u32x16 b = bf16_bits(load_f32x16(x + c));
    TY_UNROLL for (u32 i = 0; i < 8; ++i) {
      const u32 column = i / 2 * 4 + i % 2;
      words[(u64)(c / 2 + i) * width] = b[column] | b[column + 2] << 16;
    }
  }
}

static void pack_floats(u32 k, u32 rows, const f32 *x, u32 *words, u32 width) {
  if (rows <= TY_FEW) {
    pack_pairs(k, x, words);
  } else if (TY_HAS_BF16_DOT) {
    pack_bf16_pairs(k, x, words, width);
  } else {
    pack_plain(TY_F32, k, x, words, width);
  }
}

// Zeros for the rows that pad the last group, so that nothing reads what was never written.
static void pack_padding(ty_format format, u32 k, u32 rows, u8 *packed) {
  const u64 words = packed_words(format, k, rows);
  u32_at *group = (u32_at *)packed + rows / TY_GROUP * words * TY_GROUP;
  for (u64 i = 0; i < words; ++i) {
    for (u32 r = rows % TY_GROUP; r < TY_GROUP; ++r) group[i * TY_GROUP + r] = 0;
  }
}

static void ty_linear_pack(ty_format format, u32 k, u32 rows, u32 row, const f32 *x, u8 *packed) {
  if (amx_serves(format, k)) {
    amx_pack(k, rows, row, x, packed);
    return;
  }
  const u32 full = group_rows(format, rows), lane = row % full;
  const packed_group g = packed_at(format, k, rows, packed, row / full);
  const u32 width = g.width;
  u32 *words = (u32 *)g.words + lane;
  switch (format_kind(format)) {
  case TY_F32: pack_plain(TY_F32, k, x, words, width); break;
  case TY_F16: pack_plain(TY_F16, k, x, words, width); break;
  case TY_BF16: pack_plain(TY_BF16, k, x, words, width); break;
  default: {
    if (format_floats(format)) {
      pack_floats(k, rows, x, words, width);
      break;
    }
    const block_row at = {width, words_of_four(format_code(format)), words, (f32 *)g.scales + lane,
                          (i32 *)g.starts + lane, (f32 *)g.sums + lane};
    pack_blocks(format, k, x, &at);
  }
  }
  if (rows > TY_FEW && row == rows - 1 && rows % TY_GROUP) pack_padding(format, k, rows, packed);
}

// ---- rows packed alone ----------------------------------------------------------------

// Four rows' words to groups of four.
TY_INLINE void gather_four(const u32 *const *rows, u32 words, u32 *to) {
  typedef u32 u32x4 __attribute__((ext_vector_type(4)));
  typedef u32 u32x8 __attribute__((ext_vector_type(8)));
  typedef u32x4 u32x4_at __attribute__((aligned(4), may_alias));
  u32 i = 0;
  for (; i + 4 <= words; i += 4, to += 16) {
    u32x8 low, high;
    low.lo = *(const u32x4_at *)(rows[0] + i), low.hi = *(const u32x4_at *)(rows[1] + i);
    high.lo = *(const u32x4_at *)(rows[2] + i), high.hi = *(const u32x4_at *)(rows[3] + i);
    store_u32x16(to, __builtin_shufflevector(low, high, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  }
  for (; i < words; ++i) {
    for (u32 r = 0; r < 4; ++r) *to++ = rows[r][i];
  }
}

// A group's arrays stand one after the other, and in each the rows side by side: so do all words.
static void ty_linear_gather(ty_format format, u32 k, u32 rows, const u8 *alone, u64 step, u8 *packed) {
  const u32 words = (u32)packed_words(format, k, rows), full = group_rows(format, rows);
  for (u32 first = 0; first < rows; first += full) {
    const packed_group g = packed_at(format, k, rows, packed, first / full);
    u32 *to = (u32 *)g.words;
    const u32 *from[TY_FEW];
    for (u32 r = 0; r < g.width; ++r) from[r] = (const u32 *)(alone + (first + r) * step);
    if (g.width == 4) {
      gather_four(from, words, to);
      continue;
    }
    for (u32 i = 0; i < words; ++i) {
      for (u32 r = 0; r < g.width; ++r) *to++ = from[r][i];
    }
  }
}
