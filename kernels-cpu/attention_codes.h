// attention_codes.h -- quantized caches: where scales and codes of a head stand, how 32 elements
// become codes, and the append of one position.
//
// Layout    attention.h.
// Numerics  As ggml's quantize_row_q8_0_ref and quantize_row_q4_0_ref. Q8_0: d is the largest |x|
//           over 127, a code x / d rounded half away from zero. Q4_0: d is the x of largest |x|
//           (the first of equals) over -8, a code x / d + 8.5 without its fraction, at most 15.
//           d is stored as f16, codes are of d before that. A group with an infinity or a NaN
//           has the scale NaN and codes of zero: all of it is NaN. A d that is subnormal in f32
//           counts as zero when codes are chosen; as f16 it is zero.

#pragma once

#include "attention.h"
#include "simd.h"

#define TY_PAGE 16     // positions of a page, the block_size of every cache
#define TY_CACHE_RUN 32 // columns that share a scale

TY_INLINE bool is_quantized(u32 type) { return type == TY_CACHE_Q8_0 || type == TY_CACHE_Q4_0; }
TY_INLINE u32 cache_bits(u32 type) { return type == TY_CACHE_Q8_0 ? 8 : 4; }

// What a stored code of zero is: codes of keys are unsigned.
TY_INLINE i32 code_middle(u32 type) { return type == TY_CACHE_Q8_0 ? 128 : 8; }

// Bytes of a head's scales, and of these with the codes after them, in a block.
TY_INLINE u64 scales_bytes(u32 dim) { return (u64)dim / TY_CACHE_RUN * TY_PAGE * 2; }
TY_INLINE u64 codes_bytes(u32 type, u32 dim) {
  return scales_bytes(dim) + (u64)dim * TY_PAGE * cache_bits(type) / 8;
}

// ---- quantization ---------------------------------------------------------------------

// A scale and its codes, in Q8_0 signed, in Q4_0 from 0 to 15.
typedef struct {
  u16 scale;
  i8 codes[TY_CACHE_RUN];
} code_run;

// To the nearest integer, halves away from zero.
TY_INLINE i32x16 round_half_away(f32x16 v) {
  const i32x16 whole = __builtin_convertvector(v, i32x16);
  const f32x16 rest = v - __builtin_convertvector(whole, f32x16); // exact
  // Comparisons are -1 where they hold.
  return whole - (i32x16)(rest >= 0.5f) + (i32x16)(rest <= -0.5f);
}

// Without a fraction, at most 15; v >= 0.
TY_INLINE i32x16 floor_to_four_bits(f32x16 v) {
  const i32x16 code = __builtin_convertvector(v, i32x16);
  return code > 15 ? (i32x16)15 : code;
}

static code_run quantize_cached(u32 type, const f32 *x) {
  f32x16 v[2] = {load_f32x16(x), load_f32x16(x + 16)};
  const u32 most = largest_bits(v);
  f32 d = f32_of(0x7fc00000);
  if (most >= 0x7f800000) {
    v[0] = v[1] = 0.0f;
  } else if (type == TY_CACHE_Q8_0) {
    d = f32_of(most) / 127.0f;
  } else {
    u32 first = 0;
    while ((bits_of(x[first]) & 0x7fffffff) != most) ++first;
    d = x[first] / -8.0f;
  }
  const bool normal = d >= 0x1p-126f || d <= -0x1p-126f;
  const f32 inverse = normal ? 1.0f / d : 0.0f;
  code_run run = {.scale = f16_from_f32((f32x16)d)[0]};
  TY_UNROLL for (u32 i = 0; i < 2; ++i) {
    const f32x16 scaled = v[i] * inverse; // a statement of its own: never fused with the sum
    const i32x16 codes = type == TY_CACHE_Q8_0 ? round_half_away(scaled) : floor_to_four_bits(scaled + 8.5f);
    *(i8x16_at *)(run.codes + 16 * i) = __builtin_convertvector(codes, i8x16);
  }
  return run;
}

// ---- append ---------------------------------------------------------------------------

// One run of keys: `keys` are its codes of 16 positions.
TY_INLINE void append_key_run(u32 type, const code_run *run, u8 *keys, u32 at) {
  const u32 columns = type == TY_CACHE_Q8_0 ? 4 : 8; // of a word
  for (u32 j = 0; j < TY_CACHE_RUN / columns; ++j) {
    u8 *word = keys + (j * TY_PAGE + at) * 4;
    const i8 *codes = run->codes + j * columns;
    for (u32 b = 0; b < 4; ++b) {
      word[b] = type == TY_CACHE_Q8_0 ? (u8)(codes[b] + 128) : (u8)(codes[b] | codes[4 + b] << 4);
    }
  }
}

// Position `at` of a page of one head.
static void append_codes(u32 type, u32 dim, u8 *keys, u8 *values, u32 at, const f32 *k, const f32 *v) {
  const u32 bits = cache_bits(type);
  for (u32 g = 0; g < dim / TY_CACHE_RUN; ++g) {
    const code_run key = quantize_cached(type, k + g * TY_CACHE_RUN);
    const code_run value = quantize_cached(type, v + g * TY_CACHE_RUN);
    ((u16_at *)keys)[g * TY_PAGE + at] = key.scale;
    ((u16_at *)values)[g * TY_PAGE + at] = value.scale;
    append_key_run(type, &key, keys + scales_bytes(dim) + (u64)g * bits * 64, at);
    u8 *codes = values + scales_bytes(dim) + ((u64)at * dim + g * TY_CACHE_RUN) * bits / 8;
    for (u32 i = 0; i < 4 * bits; ++i) {
      codes[i] = type == TY_CACHE_Q8_0 ? (u8)value.codes[i]
                                       : (u8)((value.codes[i] | value.codes[16 + i] << 4) ^ 0x88);
    }
  }
}

// ---- queries --------------------------------------------------------------------------

// Words of one row for four columns: i8 side by side; without an exact product of bytes, i16 pairs
// of columns 0 and 2, 1 and 3.
#define CODE_WORDS (TY_HAS_BYTE_DOT ? 1 : 2)

// Words of one row for a run: products, the scale (f32), the start of its sums (i32).
#define RUN_WORDS (8 * CODE_WORDS + 2)

// Row `row` of `rows`: q times scale, rounded to i8 with a scale for every 32 columns, to words
// [head_dim / 32][RUN_WORDS][rows]. A sum of code * q starts from -middle * sum q. A run whose
// largest |x| is below 2^-100 counts as zero; one with an infinity or NaN has the scale NaN.
static void pack_query_codes(u32 type, u32 dim, const f32 *q, f32 scale, u32 *words, u32 rows, u32 row) {
  for (u32 g = 0; g < dim / TY_CACHE_RUN; ++g, q += TY_CACHE_RUN, words += RUN_WORDS * rows) {
    f32x16 v[2] = {load_f32x16(q) * scale, load_f32x16(q + 16) * scale};
    i32x16 codes[2];
    const f32 factor = quantize_run(v, codes);
    for (u32 j = 0; j < 8; ++j) {
      u32 c[4];
      for (u32 b = 0; b < 4; ++b) c[b] = (u32)codes[j / 4][j % 4 * 4 + b];
      if (CODE_WORDS == 1) {
        words[j * rows + row] = (c[0] & 0xff) | (c[1] & 0xff) << 8 | (c[2] & 0xff) << 16 | c[3] << 24;
      } else {
        words[2 * j * rows + row] = (c[0] & 0xffff) | c[2] << 16;
        words[(2 * j + 1) * rows + row] = (c[1] & 0xffff) | c[3] << 16;
      }
    }
    const i32 sum = __builtin_reduce_add(codes[0] + codes[1]);
    ((f32 *)words)[8 * CODE_WORDS * rows + row] = factor;
    ((i32 *)words)[(8 * CODE_WORDS + 1) * rows + row] = -code_middle(type) * sum;
  }
}
