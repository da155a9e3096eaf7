// linear_pack.h -- activations in the form that the products read, and the geometry of tiles.
//
// Packed form. Rows stand in groups of `width` rows: one group of all rows where there are at
// most TY_FEW of them, else groups of 8, the last one padded with zero rows. A group is a list
// of steps, and a step holds one 32-bit word of each row, side by side:
//
//   plain formats   [steps][width] f32, a step a column, x rounded to the weight's type; or,
//                   for TY_BF16 with bf16 dot products, [k/2][width] pairs of bf16
//   TY_BLOCKS       words   [k/4][width] four i8 each; without an instruction that multiplies
//                           bytes exactly, [k/4][2][width]: i16 pairs of columns 0 and 2, 1 and 3
//                   scales  [k/32][width] f32: the largest |x| of 32 columns over 127
//                   starts  [k/32][width] i32: what a run's sum of code * x starts from
//                   sums    [k/group][width] f32: the sum of the quantized x, times its bias
//
// Numerics  i8 values are rounded to nearest even and lie in -127..127. For TY_MIDDLE a start
//           is -2^(bits-1) * sum(x), exact. A run whose largest |x| is below 2^-100 counts as
//           zero; a run with an infinity or NaN gets the scale NaN and makes every output NaN.

#pragma once

#include "linear.h"
#include "simd.h"

#define TY_FEW 8   // rows up to which the weights are read once for all of them
#define TY_GROUP 8 // rows of a group beyond

// Few rows ask for weights this many bytes early: the hardware alone does not keep enough
// lines under way, least of all where a line takes many instructions or ends a page. Into the
// second cache: the first has too few places for lines that are on their way.
#define TY_WEIGHTS_AHEAD 8192
TY_INLINE void fetch_weights(const u8 *at) { __builtin_prefetch(at + TY_WEIGHTS_AHEAD, 0, 1); }

// ---- formats --------------------------------------------------------------------------

TY_INLINE u32 format_kind(ty_format format) { return format & 0xff; }
TY_INLINE u32 format_bits(ty_format format) { return format >> 8 & 0xff; }
TY_INLINE u32 format_group(ty_format format) { return 1u << (format >> 16 & 0xff); }
TY_INLINE u32 format_flags(ty_format format) { return format >> 24; }

// Bytes of one group of a tile of blocks, and of the scales and biases at its begin.
TY_INLINE u32 block_header_bytes(ty_format format) {
  return format_flags(format) & TY_BIAS ? 64 : 32;
}
TY_INLINE u32 block_bytes(ty_format format) {
  return block_header_bytes(format) + format_group(format) * format_bits(format) * 2;
}

// Bytes of the 16 rows of a tile, over all k columns.
TY_INLINE u64 tile_bytes(ty_format format, u32 k) {
  switch (format_kind(format)) {
  case TY_F32: return (u64)k * 64;
  case TY_BLOCKS: return (u64)(k / format_group(format)) * block_bytes(format);
  default: return (u64)k * 32;
  }
}

// 16 scales or biases as f32.
TY_INLINE f32x16 load_scales(const u8 *at, u32 flags) {
  const u16x16 h = load_u16x16(at);
  return flags & TY_SCALE_BF16 ? f32_from_bf16(h) : f32_from_f16(h);
}

// ---- matrix registers -----------------------------------------------------------------

#define AMX_RUN 32 // columns of one multiplication

// Whether a product goes through the matrix registers (linear_amx.h).
TY_INLINE bool amx_serves(ty_format format, u32 k) {
  const u32 kind = format_kind(format);
  const bool known = kind == TY_BF16 || kind == TY_BLOCKS;
  return TY_HAS_AMX && (format & TY_MATRIX) && known && k % AMX_RUN == 0;
}

static void amx_pack(u32 k, u32 row, const f32 *x, u8 *packed);

// ---- the packed form ------------------------------------------------------------------

// Words of one row for four columns of blocks.
TY_INLINE u32 words_of_four(const u32 bits) {
#if TY_HAS_BYTE_DOT
  return (void)bits, 1;
#elif TY_HAS_BYTE_PAIRS
  return bits == 4 ? 1 : 2; // pairs of products with 8-bit codes may not fit 16 bits
#else
  return (void)bits, 2;
#endif
}

// Words of one row in all.
TY_INLINE u64 packed_words(ty_format format, u32 k) {
  switch (format_kind(format)) {
  case TY_BF16: return TY_HAS_BF16_DOT ? k / 2 : k;
  case TY_BLOCKS:
    return (u64)k / 4 * words_of_four(format_bits(format)) + k / 32 * 2 + k / format_group(format);
  default: return k;
  }
}

typedef struct {
  u32 width;         // rows side by side
  const u32 *words;
  const f32 *scales; // blocks only, as the rest
  const i32 *starts;
  const f32 *sums;
} packed_group;

TY_INLINE u32 packed_width(u32 rows) { return rows <= TY_FEW ? rows : TY_GROUP; }

// The group `index`.
TY_INLINE packed_group packed_at(ty_format format, u32 k, u32 rows, const u8 *packed, u32 index) {
  packed_group g = {.width = packed_width(rows)};
  g.words = (const u32 *)packed + index * packed_words(format, k) * g.width;
  if (format_kind(format) == TY_BLOCKS) {
    const u64 words = (u64)k / 4 * words_of_four(format_bits(format)) * g.width;
    g.scales = (const f32 *)(g.words + words);
    g.starts = (const i32 *)(g.scales + (u64)(k / 32) * g.width);
    g.sums = (const f32 *)(g.starts + (u64)(k / 32) * g.width);
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
  typedef i8 i8x16 __attribute__((ext_vector_type(16)));
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

// Quantizes the 32 columns of run `run`; answers the sum of the quantized values.
TY_INLINE f32 pack_run(const block_row *row, u32 run, const f32 *x, i32 middle) {
  f32x16 v[2] = {load_f32x16(x), load_f32x16(x + 16)};
  const u32x16 a = bits_of16(v[0]) & 0x7fffffff, b = bits_of16(v[1]) & 0x7fffffff;
  // As integers, since NaN then is larger than any number.
  const u32 most = __builtin_reduce_max(__builtin_elementwise_max(a, b));
  f32 largest = f32_of(most), inverse = 0.0f;
  if (most >= 0x7f800000) {
    largest = f32_of(0x7fc00000);
    v[0] = v[1] = 0.0f;
  } else if (largest < 0x1p-100f) {
    largest = 0.0f;
  } else {
    inverse = 127.0f / largest;
  }
  const f32 scale = largest / 127.0f;
  i32x16 q[2] = {round_i32x16(v[0] * inverse), round_i32x16(v[1] * inverse)};
  const i32 sum = __builtin_reduce_add(q[0] + q[1]);
  TY_UNROLL for (u32 i = 0; i < 2; ++i) {
    pack_sixteen(q[i], row->words + (u64)(2 * run + i) * 4 * row->wide * row->width, row);
  }
  row->scales[(u64)run * row->width] = scale;
  row->starts[(u64)run * row->width] = -middle * sum;
  return scale * (f32)sum;
}

TY_INLINE void pack_blocks(ty_format format, u32 k, const f32 *x, const block_row *row) {
  const u32 runs = format_group(format) / 32;
  const i32 middle = format_flags(format) & TY_MIDDLE ? 1 << (format_bits(format) - 1) : 0;
  for (u32 g = 0; g < k / 32 / runs; ++g) {
    f32 sum = 0.0f;
    for (u32 r = g * runs; r < (g + 1) * runs; ++r) sum += pack_run(row, r, x + (u64)r * 32, middle);
    row->sums[(u64)g * row->width] = sum;
  }
}

// Zeros for the rows that pad the last group, so that nothing reads what was never written.
static void pack_padding(ty_format format, u32 k, u32 rows, u8 *packed) {
  const u64 words = packed_words(format, k);
  u32_at *group = (u32_at *)packed + rows / TY_GROUP * words * TY_GROUP;
  for (u64 i = 0; i < words; ++i) {
    for (u32 r = rows % TY_GROUP; r < TY_GROUP; ++r) group[i * TY_GROUP + r] = 0;
  }
}

static void ty_linear_pack(ty_format format, u32 k, u32 rows, u32 row, const f32 *x, u8 *packed) {
  if (amx_serves(format, k)) {
    amx_pack(k, row, x, packed);
    return;
  }
  const u32 width = packed_width(rows), lane = row % width;
  const packed_group g = packed_at(format, k, rows, packed, row / width);
  u32 *words = (u32 *)g.words + lane;
  switch (format_kind(format)) {
  case TY_F32: pack_plain(TY_F32, k, x, words, width); break;
  case TY_F16: pack_plain(TY_F16, k, x, words, width); break;
  case TY_BF16: pack_plain(TY_BF16, k, x, words, width); break;
  default: {
    const block_row at = {width, words_of_four(format_bits(format)), words, (f32 *)g.scales + lane,
                          (i32 *)g.starts + lane, (f32 *)g.sums + lane};
    pack_blocks(format, k, x, &at);
  }
  }
  if (rows > TY_FEW && row == rows - 1 && rows % TY_GROUP) pack_padding(format, k, rows, packed);
}

// ---- one row of a table ---------------------------------------------------------------

static void row_of_blocks(ty_format format, u32 k, const u8 *tile, u32 lane, f32 *x) {
  const u32 bits = format_bits(format), group = format_group(format), flags = format_flags(format);
  const u32 header = block_header_bytes(format);
  const i32 middle = flags & TY_MIDDLE ? 1 << (bits - 1) : 0;
  for (u32 g = 0; g < k / group; ++g, tile += block_bytes(format)) {
    const f32 scale = load_scales(tile, flags)[lane];
    const f32 bias = flags & TY_BIAS ? load_scales(tile + 32, flags)[lane] : 0.0f;
    for (u32 c = 0; c < group; ++c) {
      u32 code;
      if (bits == 4) {
        const u32 byte = tile[header + c / 8 * 64 + lane * 4 + c % 4];
        code = c % 8 < 4 ? byte & 15 : byte >> 4;
      } else {
        code = tile[header + c / 4 * 64 + lane * 4 + c % 4];
      }
      x[g * group + c] = scale * (f32)((i32)code - middle) + bias;
    }
  }
}

static void ty_linear_row(ty_format format, u32 k, const u8 *weights, u32 id, f32 *x) {
  const u8 *tile = weights + id / 16 * tile_bytes(format, k);
  const u32 lane = id % 16;
  if (format_kind(format) == TY_BLOCKS) {
    row_of_blocks(format, k, tile, lane, x);
    return;
  }
  for (u32 c = 0; c < k; ++c) {
    switch (format_kind(format)) {
    case TY_F32: x[c] = ((const f32_at *)tile)[(u64)c * 16 + lane]; break;
    case TY_F16:
      x[c] = f32_from_f16((u16x16)((const u16_at *)tile)[(u64)c * 16 + lane])[0];
      break;
    default:
      x[c] = f32_of((u32)((const u16_at *)tile)[(u64)(c / 2) * 32 + lane * 2 + c % 2] << 16);
    }
  }
}
