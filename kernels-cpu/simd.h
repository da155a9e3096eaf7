// simd.h -- the vectors these kernels are written with: sixteen lanes of 32 bits, whatever the
// width of a register. Clang splits a vector where registers are narrower, so one source
// serves every variant; intrinsics stand only where the compiler cannot find the instruction.
//
// Numerics  `fma16` rounds once where the instruction set has a fused multiply-add and twice
//           elsewhere: variants agree to rounding, not to the bit. Conversions to f16 and bf16
//           round to nearest even, keep NaN a NaN and overflow to infinity. `exp16` has a
//           relative error below 3e-7 where its result is a normal number; exp(-inf) = 0,
//           exp(+inf) = inf, exp(NaN) = NaN.
// Requires  The default floating-point environment: round to nearest, no flush to zero. The
//           bf16 dot product flushes subnormals by its own definition.

#pragma once

#include "program.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define TY_INLINE static inline __attribute__((always_inline, unused))
#ifndef TY_UNROLL // with sanitizers, loops stay loops: unrolled, the compiler takes many minutes
#define TY_UNROLL _Pragma("clang loop unroll(full)")
#endif

typedef f32 f32x16 __attribute__((ext_vector_type(16)));
typedef i32 i32x16 __attribute__((ext_vector_type(16)));
typedef u32 u32x16 __attribute__((ext_vector_type(16)));
typedef u16 u16x16 __attribute__((ext_vector_type(16)));
typedef int16_t i16x32 __attribute__((ext_vector_type(32)));
typedef _Float16 f16x16 __attribute__((ext_vector_type(16)));
typedef f32 f32x8 __attribute__((ext_vector_type(8)));
typedef f32 f32x4 __attribute__((ext_vector_type(4)));
typedef i8 i8x16 __attribute__((ext_vector_type(16)));
typedef u8 u8x16 __attribute__((ext_vector_type(16)));

// The same in memory, at any address and beside any other type.
typedef f32x16 f32x16_at __attribute__((aligned(1), may_alias));
typedef u32x16 u32x16_at __attribute__((aligned(1), may_alias));
typedef u16x16 u16x16_at __attribute__((aligned(1), may_alias));
typedef i8x16 i8x16_at __attribute__((aligned(1), may_alias));
typedef u8x16 u8x16_at __attribute__((aligned(1), may_alias));
typedef u32 u32_at __attribute__((aligned(1), may_alias));
typedef u16 u16_at __attribute__((aligned(1), may_alias));
typedef f32 f32_at __attribute__((aligned(1), may_alias));

// ---- instruction sets -----------------------------------------------------------------

#if defined(__AVX512BF16__)
#define TY_HAS_BF16_DOT 1 // dot products of bf16 pairs
#else
#define TY_HAS_BF16_DOT 0
#endif

#if defined(__AVX512VNNI__)
#define TY_HAS_BYTE_DOT 1 // dot products of four bytes, u8 by i8, exact
#else
#define TY_HAS_BYTE_DOT 0
#endif

#if defined(__AVX2__)
#define TY_HAS_BYTE_PAIRS 1 // dot products of two bytes, u8 by i8, saturating at 16 bits
#else
#define TY_HAS_BYTE_PAIRS 0
#endif

// Matrix registers, where the team says that the machine has them (program.h, ty_team.amx).
#if defined(__x86_64__) && defined(__AVX512VNNI__)
#define TY_HAS_AMX 1
#else
#define TY_HAS_AMX 0
#endif

#if defined(__FMA__) || defined(__aarch64__)
#define TY_HAS_FMA 1
#else
#define TY_HAS_FMA 0
#endif

// How many rows and vectors of accumulators the registers hold.
#if defined(__AVX512F__)
#define TY_WIDE_REGISTERS 2 // 32 of 64 bytes
#elif defined(__AVX2__) || defined(__aarch64__)
#define TY_WIDE_REGISTERS 1 // 512 bytes in all
#else
#define TY_WIDE_REGISTERS 0
#endif

// ---- loads and stores -----------------------------------------------------------------

TY_INLINE f32x16 load_f32x16(const void *at) { return *(const f32x16_at *)at; }
TY_INLINE u32x16 load_u32x16(const void *at) { return *(const u32x16_at *)at; }
TY_INLINE u16x16 load_u16x16(const void *at) { return *(const u16x16_at *)at; }
TY_INLINE void store_f32x16(void *at, f32x16 v) { *(f32x16_at *)at = v; }
TY_INLINE void store_u32x16(void *at, u32x16 v) { *(u32x16_at *)at = v; }
TY_INLINE void store_u16x16(void *at, u16x16 v) { *(u16x16_at *)at = v; }

// Asks for the cache line at `at`, into the second cache: the first has too few places for lines
// that are on their way. Any address is allowed.
TY_INLINE void fetch(const void *at) { __builtin_prefetch(at, 0, 2); }

TY_INLINE u32 bits_of(f32 v) { return __builtin_bit_cast(u32, v); }
TY_INLINE f32 f32_of(u32 v) { return __builtin_bit_cast(f32, v); }
TY_INLINE u32x16 bits_of16(f32x16 v) { return __builtin_bit_cast(u32x16, v); }
TY_INLINE f32x16 f32_of16(u32x16 v) { return __builtin_bit_cast(f32x16, v); }

static const u32x16 ty_lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// The first `count` lanes (0 to 16); the others are zero, and nothing is read for them.
TY_INLINE u32x16 load_first_u32(const void *at, u32 count) {
#if defined(__AVX512F__)
  return (u32x16)_mm512_maskz_loadu_epi32((__mmask16)((1u << count) - 1), at);
#else
  u32x16 v = 0;
  for (u32 i = 0; i < count && i < 16; ++i) v[i] = ((const u32_at *)at)[i];
  return v;
#endif
}

TY_INLINE u8x16 load_first_u8(const void *at, u32 count) {
  u8x16 v = 0;
  for (u32 i = 0; i < count && i < 16; ++i) v[i] = ((const u8 *)at)[i];
  return v;
}

TY_INLINE u16x16 load_first_u16(const void *at, u32 count) {
  u16x16 v = 0;
  for (u32 i = 0; i < count && i < 16; ++i) v[i] = ((const u16_at *)at)[i];
  return v;
}

TY_INLINE f32x16 load_first_f32(const void *at, u32 count) {
  return f32_of16(load_first_u32(at, count));
}

// The first `count` f32s, at most 16.
TY_INLINE f32x16 load_up_to(const void *at, u32 count) {
  return count >= 16 ? load_f32x16(at) : load_first_f32(at, count);
}

// Stores the first `count` f32s, at most 16.
TY_INLINE void store_first_f32(void *at, f32x16 v, u32 count) {
  if (count >= 16) {
    store_f32x16(at, v);
    return;
  }
#if defined(__AVX512F__)
  _mm512_mask_storeu_ps(at, (__mmask16)((1u << count) - 1), (__m512)v);
#else
  for (u32 i = 0; i < count; ++i) ((f32_at *)at)[i] = v[i];
#endif
}

// ---- arithmetic -----------------------------------------------------------------------

TY_INLINE f32x16 fma16(f32x16 a, f32x16 b, f32x16 c) {
#if TY_HAS_FMA
  return __builtin_elementwise_fma(a, b, c);
#else
  return a * b + c;
#endif
}

// Where either is NaN, b.
TY_INLINE f32x16 max16(f32x16 a, f32x16 b) { return a > b ? a : b; }

TY_INLINE f32 sum_lanes(f32x16 v) {
  const f32x8 a = v.lo + v.hi;
  const f32x4 b = a.lo + a.hi;
  return (b.x + b.z) + (b.y + b.w);
}

// The largest lane; NaN lanes may be passed over.
TY_INLINE f32 max_lanes(f32x16 v) {
  const f32x8 a = v.lo > v.hi ? v.lo : v.hi;
  const f32x4 b = a.lo > a.hi ? a.lo : a.hi;
  const f32 x = b.x > b.z ? b.x : b.z, y = b.y > b.w ? b.y : b.w;
  return x > y ? x : y;
}

// To the nearest integer, ties to even; |v| < 2^22.
TY_INLINE i32x16 round_i32x16(f32x16 v) {
  const f32 magic = 0x1.8p23f;
  return (i32x16)(bits_of16(v + magic) - bits_of(magic));
}

// ---- f16 and bf16 ---------------------------------------------------------------------

TY_INLINE f32x16 f32_from_f16(u16x16 h) {
#if defined(__F16C__) || defined(__aarch64__)
  return __builtin_convertvector(__builtin_bit_cast(f16x16, h), f32x16);
#else
  const u32x16 u = __builtin_convertvector(h, u32x16);
  const u32x16 magnitude = (u & 0x7fff) << 13;
  // 2^112 rebiases the exponent, and makes the subnormals of f16 normal.
  const u32x16 scaled = bits_of16(f32_of16(magnitude) * 0x1p112f);
  const u32x16 special = magnitude | 0x7f800000;
  return f32_of16((magnitude >= (0x7c00u << 13) ? special : scaled) | (u & 0x8000) << 16);
#endif
}

TY_INLINE u16x16 f16_from_f32(f32x16 v) {
#if defined(__F16C__) || defined(__aarch64__)
  return __builtin_bit_cast(u16x16, __builtin_convertvector(v, f16x16));
#else
  const u32x16 u = bits_of16(v), a = u & 0x7fffffff;
  const u32x16 normal = (a + 0xc8000fff + ((a >> 13) & 1)) >> 13;
  // Adding 0.5 rounds to a multiple of 2^-24, the step of f16's subnormals.
  const u32x16 subnormal = bits_of16(f32_of16(a) + 0.5f) - bits_of(0.5f);
  const u32x16 special = a > 0x7f800000 ? (u32x16)(0x7e00 | (a >> 13 & 0x3ff)) : (u32x16)0x7c00;
  u32x16 r = a < 0x38800000 ? subnormal : normal;
  r = a >= 0x477ff000 ? special : r;
  return __builtin_convertvector(r | (u >> 16 & 0x8000), u16x16);
#endif
}

// A bf16 is the high half of an f32. The result stands in the low half of each lane.
TY_INLINE u32x16 bf16_bits(f32x16 v) {
  const u32x16 u = bits_of16(v);
  const u32x16 rounded = (u + 0x7fff + ((u >> 16) & 1)) >> 16;
  return (u & 0x7fffffff) > 0x7f800000 ? (u >> 16 | 0x40) : rounded;
}

TY_INLINE u16x16 bf16_from_f32(f32x16 v) { return __builtin_convertvector(bf16_bits(v), u16x16); }
TY_INLINE f32x16 f32_from_bf16(u16x16 h) {
  return f32_of16(__builtin_convertvector(h, u32x16) << 16);
}

// v rounded to the element type TY_F32, TY_F16 or TY_BF16, as f32.
TY_INLINE f32x16 round_to(const u32 type, f32x16 v) {
  if (type == TY_F16) return f32_from_f16(f16_from_f32(v));
  if (type == TY_BF16) return f32_of16(bf16_bits(v) << 16);
  return v;
}

// 8-bit floats as f16 of 2^-8 of their values.
TY_INLINE u16x16 f16_from_e4m3(u8x16 v) {
  const u16x16 h = __builtin_convertvector(v, u16x16);
  return (h << 7 & 0x3f80) | (h << 8 & 0x8000);
}

// 8-bit floats, NaN included.
TY_INLINE f32x16 f32_from_e4m3(u8x16 v) {
  const f32x16 values = f32_from_f16(f16_from_e4m3(v)) * 0x1p8f;
  const u32x16 sizes = __builtin_convertvector(v, u32x16) & 0x7f;
  return sizes == 0x7f ? (f32x16)__builtin_nanf("") : values;
}

// To nearest, ties to even; beyond 448 that, and NaN of what is not finite.
TY_INLINE u8x16 e4m3_from_f32(f32x16 v) {
  const u32x16 bits = bits_of16(v), sign = bits >> 24 & 0x80, size = bits & 0x7fffffff;
  // Below 2^-6 numbers are 2^-9 apart, as the f32s from 2^14 on are.
  const u32x16 small = bits_of16(f32_of16(size) + 0x1p14f) - 0x46800000;
  const u32x16 normal = ((size + 0x7ffff + (size >> 20 & 1)) >> 20) - (120 << 3);
  u32x16 code = size < 0x3c800000 ? small : normal;
  code = sign | (size >= 0x43e00000 ? (u32x16)0x7e : code);
  return __builtin_convertvector(size >= 0x7f800000 ? (u32x16)0x7f : code, u8x16);
}

// acc + low halves * low halves + high halves * high halves, bf16 pairs.
#if TY_HAS_BF16_DOT
TY_INLINE f32x16 dot_bf16(f32x16 acc, u32x16 a, u32x16 b) {
  return (f32x16)_mm512_dpbf16_ps((__m512)acc, (__m512bh)a, (__m512bh)b);
}
#endif

// ---- quantization ---------------------------------------------------------------------

// The bits of the largest |v| of 32 numbers: above those of every number where one is NaN.
TY_INLINE u32 largest_bits(const f32x16 *v) {
  const u32x16 a = bits_of16(v[0]) & 0x7fffffff, b = bits_of16(v[1]) & 0x7fffffff;
  return __builtin_reduce_max(__builtin_elementwise_max(a, b));
}

// 32 numbers as integers from -127 to 127, and what these are to be multiplied with. All are zero
// where the largest is below 2^-100; with an infinity or NaN they are, too, and the factor is NaN.
TY_INLINE f32 quantize_run(f32x16 *v, i32x16 *q) {
  const u32 most = largest_bits(v);
  f32 largest = f32_of(most), inverse = 0.0f;
  if (most >= 0x7f800000) {
    largest = f32_of(0x7fc00000);
    v[0] = v[1] = 0.0f;
  } else if (largest < 0x1p-100f) {
    largest = 0.0f;
  } else {
    inverse = 127.0f / largest;
  }
  q[0] = round_i32x16(v[0] * inverse);
  q[1] = round_i32x16(v[1] * inverse);
  return largest / 127.0f;
}

// ---- bytes ----------------------------------------------------------------------------

// acc + the dot product of the four unsigned bytes of a and the four signed bytes of b.
#if TY_HAS_BYTE_DOT
TY_INLINE i32x16 dot_bytes(i32x16 acc, u32x16 a, u32x16 b) {
  return (i32x16)_mm512_dpbusd_epi32((__m512i)acc, (__m512i)a, (__m512i)b);
}
#endif

// Sixteen-bit sums of two products of bytes each, u8 by i8. Exact while |sum| < 2^15.
#if TY_HAS_BYTE_PAIRS
TY_INLINE i16x32 dot_byte_pairs(u32x16 a, u32x16 b) {
#if defined(__AVX512BW__)
  return (i16x32)_mm512_maddubs_epi16((__m512i)a, (__m512i)b);
#else
  typedef u32 u32x8 __attribute__((ext_vector_type(8)));
  typedef int16_t i16x16 __attribute__((ext_vector_type(16)));
  const u32x8 a0 = a.lo, a1 = a.hi, b0 = b.lo, b1 = b.hi;
  const i16x16 lo = (i16x16)_mm256_maddubs_epi16((__m256i)a0, (__m256i)b0);
  const i16x16 hi = (i16x16)_mm256_maddubs_epi16((__m256i)a1, (__m256i)b1);
  i16x32 r;
  r.lo = lo;
  r.hi = hi;
  return r;
#endif
}
#endif

// Sums of two products of signed 16-bit numbers.
TY_INLINE i32x16 dot_words(u32x16 a, u32x16 b) {
#if defined(__AVX512BW__)
  return (i32x16)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  typedef u32 u32x8 __attribute__((ext_vector_type(8)));
  const u32x8 a0 = a.lo, a1 = a.hi, b0 = b.lo, b1 = b.hi;
  i32x16 r;
  r.lo = (i32 __attribute__((ext_vector_type(8))))_mm256_madd_epi16((__m256i)a0, (__m256i)b0);
  r.hi = (i32 __attribute__((ext_vector_type(8))))_mm256_madd_epi16((__m256i)a1, (__m256i)b1);
  return r;
#elif defined(__SSE2__)
  typedef u32 u32x4 __attribute__((ext_vector_type(4)));
  typedef i32 i32x4 __attribute__((ext_vector_type(4)));
  i32x16 r;
  const u32x4 a0 = a.lo.lo, a1 = a.lo.hi, a2 = a.hi.lo, a3 = a.hi.hi;
  const u32x4 b0 = b.lo.lo, b1 = b.lo.hi, b2 = b.hi.lo, b3 = b.hi.hi;
  r.lo.lo = (i32x4)_mm_madd_epi16((__m128i)a0, (__m128i)b0);
  r.lo.hi = (i32x4)_mm_madd_epi16((__m128i)a1, (__m128i)b1);
  r.hi.lo = (i32x4)_mm_madd_epi16((__m128i)a2, (__m128i)b2);
  r.hi.hi = (i32x4)_mm_madd_epi16((__m128i)a3, (__m128i)b3);
  return r;
#else
  const i32x16 x = (i32x16)a, y = (i32x16)b;
  return (x << 16 >> 16) * (y << 16 >> 16) + (x >> 16) * (y >> 16);
#endif
}

// ---- functions ------------------------------------------------------------------------

// e^v: 2^n * e^r with |r| <= ln(2) / 2, e^r by a polynomial of degree 7 (Cephes' expf).
TY_INLINE f32x16 exp16(f32x16 v) {
  // Beyond these the result is infinite or zero anyway. NaN fails both comparisons and stays.
  v = v > 89.0f ? (f32x16)89.0f : v;
  v = v < -105.0f ? (f32x16)-105.0f : v;
  const f32 magic = 0x1.8p23f;
  const f32x16 shifted = fma16(v, 1.44269504f, magic);
  const f32x16 whole = shifted - magic;
  // ln 2 in two parts: the first has few bits, so that its product is exact.
  f32x16 r = fma16(whole, -0.693359375f, v);
  r = fma16(whole, 2.12194440e-4f, r);
  f32x16 p = 1.9875691500e-4f;
  p = fma16(p, r, 1.3981999507e-3f);
  p = fma16(p, r, 8.3334519073e-3f);
  p = fma16(p, r, 4.1665795894e-2f);
  p = fma16(p, r, 1.6666665459e-1f);
  p = fma16(p, r, 5.0000001201e-1f);
  p = fma16(p, r * r, r) + 1.0f;
#if defined(__AVX512F__)
  return (f32x16)_mm512_scalef_ps((__m512)p, (__m512)whole);
#else
  // In two steps, since 2^n alone may overflow or be subnormal. Unsigned: n is noise for NaN.
  const u32x16 n = bits_of16(shifted) - bits_of(magic);
  const u32x16 half = (u32x16)((i32x16)n >> 1);
  const u32x16 first = (half + 127) << 23, second = (n - half + 127) << 23;
  return p * f32_of16(first) * f32_of16(second);
#endif
}

TY_INLINE f32 exp1(f32 v) { return exp16((f32x16)v)[0]; }

// The error function of v, with an absolute error below 4e-7: Abramowitz and Stegun 7.1.26, and below
// 1/2 the Taylor series, where that would be a difference of numbers near 1.
TY_INLINE f32x16 erf16(f32x16 v) {
  const u32x16 sign = bits_of16(v) & 0x80000000;
  const f32x16 magnitude = f32_of16(bits_of16(v) ^ sign);
  const f32x16 t = 1.0f / fma16(magnitude, 0.3275911f, (f32x16)1.0f);
  f32x16 p = 1.061405429f;
  p = fma16(p, t, -1.453152027f);
  p = fma16(p, t, 1.421413741f);
  p = fma16(p, t, -0.284496736f);
  p = fma16(p, t, 0.254829592f);
  const f32x16 e = 1.0f - p * t * exp16(-v * v), s = v * v;
  f32x16 q = -1.0f / 1320;
  q = fma16(q, s, 1.0f / 216);
  q = fma16(q, s, -1.0f / 42);
  q = fma16(q, s, 0.1f);
  q = fma16(q, s, -1.0f / 3);
  q = fma16(q, s, (f32x16)1.0f) * v * 1.128379167f;
  return magnitude < 0.5f ? q : f32_of16(bits_of16(e) | sign);
}

// tanh v, with an absolute error of some units of 2^-24.
TY_INLINE f32x16 tanh16(f32x16 v) {
  const u32x16 sign = bits_of16(v) & 0x80000000;
  const f32x16 magnitude = f32_of16(bits_of16(v) ^ sign);
  const f32x16 t = 1.0f - 2.0f / (exp16(magnitude * 2.0f) + 1.0f);
  return f32_of16(bits_of16(t) | sign);
}
