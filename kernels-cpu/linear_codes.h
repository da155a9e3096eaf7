// linear_codes.h -- codes of a run (32 columns of 16 rows) as bytes that are multiplied.
//
// Step j of a run is its columns 4j to 4j + 3, one u32x16: byte b of lane r is column 4j + b of row r.
// Bytes are unsigned. What they have more than the code's value goes off the product's sum
// (format_middle):
//
//   integers   the code itself
//   TY_E2M1    2 * value + 12, 0 to 24; activations' scales are halved for it (linear_pack.h)
//   TY_IQ4     value + 128, 1 to 241

#pragma once

#include "linear_format.h"

// Bytes of a table of 16, and the same four times.
#define TABLE_OF(A, B, C, D) {A, B, C, D, A, B, C, D, A, B, C, D, A, B, C, D}

// 2 * {0, 0.5, 1, 1.5, 2, 3, 4, 6} + 12, and the same of the negatives.
static const u32x16 ty_table_e2m1 = TABLE_OF(0x0f0e0d0c, 0x18141210, 0x090a0b0c, 0x00040608);
// llama.cpp's kvalues_iq4nl + 128.
static const u32x16 ty_table_iq4 = TABLE_OF(0x3f2d1801, 0x766a5d4f, 0xa6998d81, 0xf1d9c5b5);

// The table's bytes for the low halves of the bytes of `codes`; high halves are anything.
TY_INLINE u32x16 look_up(u32x16 table, u32x16 codes) {
#if defined(__AVX512VBMI__)
  return (u32x16)_mm512_permutexvar_epi8((__m512i)codes, (__m512i)table);
#else
  codes &= 0x0f0f0f0f;
#if defined(__AVX512BW__)
  return (u32x16)_mm512_shuffle_epi8((__m512i)table, (__m512i)codes);
#elif defined(__AVX2__)
  typedef u32 u32x8 __attribute__((ext_vector_type(8)));
  const u32x8 t = table.lo, lo = codes.lo, hi = codes.hi;
  u32x16 r;
  r.lo = (u32x8)_mm256_shuffle_epi8((__m256i)t, (__m256i)lo);
  r.hi = (u32x8)_mm256_shuffle_epi8((__m256i)t, (__m256i)hi);
  return r;
#else
  typedef u8 u8x64 __attribute__((ext_vector_type(64)));
  const u8x64 t = __builtin_bit_cast(u8x64, table);
  u8x64 r = __builtin_bit_cast(u8x64, codes);
  for (u32 i = 0; i < 64; ++i) r[i] = t[r[i]];
  return __builtin_bit_cast(u32x16, r);
#endif
#endif
}

// Step j of the plane of 4 bits at `run`: high halves of bytes are anything.
TY_INLINE u32x16 nibbles_at(const u8 *run, const u32 j) {
  const u32x16 eight = load_u32x16(run + j / 2 * 64);
  return j % 2 ? eight >> 4 : eight;
}

// Bits `bits` of the codes of step j, from the plane of 2 or 1 bits at `plane`, at bit `to`.
TY_INLINE u32x16 high_bits(const u32 bits, const u8 *plane, const u32 j, const u32 to) {
  const u32 mask = (bits == 2 ? 0x03030303u : 0x01010101u) << to;
  const u32 from = bits == 2 ? j % 4 * 2 : j;
  const u32x16 word = load_u32x16(plane + (bits == 2 ? j / 4 * 64 : 0));
  return (from < to ? word << (to - from) : word >> (from - to)) & mask;
}

// Step j of the run whose codes begin at `run`. After inlining, `code` and `j` are constants.
TY_INLINE u32x16 codes_at(const u32 code, const u8 *run, const u32 j) {
  switch (code) {
  case 2: return high_bits(2, run, j, 0);
  case 3: return high_bits(2, run, j, 0) | high_bits(1, run + 128, j, 2);
  case 4: return nibbles_at(run, j) & 0x0f0f0f0f;
  case 5: return (nibbles_at(run, j) & 0x0f0f0f0f) | high_bits(1, run + 256, j, 4);
  case 6: return (nibbles_at(run, j) & 0x0f0f0f0f) | high_bits(2, run + 256, j, 4);
  case TY_E2M1: return look_up(ty_table_e2m1, nibbles_at(run, j));
  case TY_IQ4: return look_up(ty_table_iq4, nibbles_at(run, j));
  default: return load_u32x16(run + j * 64);
  }
}
