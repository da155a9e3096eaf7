// maths.h -- functions of one f32, and conversions.
//
// Numerics   exp: within 2 units in the last place; logistic and tanh: within 4 (tanh: of 1 where
//            |x| is small). Angles as kernels-cpu/rows.h has them: f64, rounded once.

#pragma once

#include "step.h"

TY_DEVICE f32 fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }

// 2^t for t = n + f: the hardware's function of f alone, since t itself would be rounded.
TY_DEVICE f32 exponential(f32 x) {
  const f32 t = x * 1.44269504f;
  const f32 n = __builtin_rintf(t);
  const f32 f = fma(x, 1.92596303e-8f, fma(x, 1.44269502f, -n));
  const f32 r = __builtin_amdgcn_exp2f(f);
  // What is not finite goes by the plain way: infinity less infinity has no fraction.
  const bool ordinary = x > -200.0f && x < 200.0f;
  return ordinary ? __builtin_amdgcn_ldexpf(r, (int)n) : __builtin_amdgcn_exp2f(t);
}

TY_DEVICE f32 logistic(f32 x) { return 1.0f / (1.0f + exponential(-x)); }

TY_DEVICE f32 hyperbolic_tangent(f32 x) {
  const f32 size = __builtin_fabsf(x);
  const f32 small = fma(x * x * x, -0.333333333f, x);
  const f32 whole = 1.0f - 2.0f / (exponential(2.0f * size) + 1.0f);
  return size < 0.01f ? small : __builtin_copysignf(whole, x);
}

TY_DEVICE f32 square_root(f32 x) { return __builtin_sqrtf(x); }

// 1 / sqrt(v), each step correctly rounded.
TY_DEVICE f32 inverse_root(f32 v) { return 1.0f / square_root(v); }

// Cosine and sine of x >= 0 below 2^25: x - n pi/2 with pi/2 in two parts, then Taylor series.
TY_DEVICE void cosine_sine(f64 x, f32 *cosine, f32 *sine) {
  const f64 n = __builtin_rint(x * 0.63661977236758134308);
  const f64 r = (x - n * 1.57079632679489655800) - n * 6.12323399573676603587e-17;
  const f64 s = r * r;
  const f64 sin = r * (1 + s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880 + s * (-1.0 / 39916800))))));
  const f64 cos = 1 + s * (-0.5 + s * (1.0 / 24 + s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800 + s * (1.0 / 479001600))))));
  const i32 quarter = (i32)n & 3;
  const f64 c = quarter & 1 ? sin : cos, d = quarter & 1 ? cos : sin;
  *cosine = (f32)(quarter == 1 || quarter == 2 ? -c : c);
  *sine = (f32)(quarter >= 2 ? -d : d);
}

TY_DEVICE f32 from_bf16(u32 bits) { return __builtin_bit_cast(f32, bits << 16); }
TY_DEVICE f32 from_f16(u16 bits) { return (f32)__builtin_bit_cast(f16, bits); }
TY_DEVICE u16 to_f16(f32 v) { return __builtin_bit_cast(u16, (f16)v); }

// To nearest, ties to even; a NaN stays one.
TY_DEVICE u16 to_bf16(f32 v) {
  const u32 bits = __builtin_bit_cast(u32, v);
  if (v != v) return (u16)(bits >> 16 | 0x40);
  return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// An 8-bit float of four bits of exponent as it stands in weights, which have no NaN.
TY_DEVICE f32 value_of_e4m3(u32 byte) {
  // Its bits below an f16's sign give value / 2^8, subnormals included.
  const u16 bits = (u16)((byte & 0x80) << 8 | (byte & 0x7f) << 7);
  return (f32)__builtin_bit_cast(f16, bits) * 256.0f;
}

// The same with the NaN.
TY_DEVICE f32 from_e4m3(u32 byte) { return (byte & 0x7f) == 0x7f ? __builtin_nanf("") : value_of_e4m3(byte); }

// To nearest, ties to even; beyond 448 that, and NaN where v is not finite.
TY_DEVICE u8 to_e4m3(f32 v) {
  const u32 bits = __builtin_bit_cast(u32, v), sign = bits >> 24 & 0x80, size = bits & 0x7fffffff;
  if (size >= 0x7f800000) return 0x7f;
  if (size >= 0x43e00000) return (u8)(sign | 0x7e);
  // Below 2^-6 numbers are 2^-9 apart, as the f32s from 2^14 on are.
  const f32 shifted = __builtin_fabsf(v) + 0x1p14f;
  const u32 small = __builtin_bit_cast(u32, shifted) - 0x46800000, rounded = size + 0x7ffff + (size >> 20 & 1);
  return (u8)(sign | (size < 0x3c800000 ? small : (rounded >> 20) - (120 << 3)));
}

// Abramowitz and Stegun 7.1.26, with an absolute error below 4e-7, and below 1/2 the Taylor series, where
// that would be a difference of numbers near 1.
TY_DEVICE f32 error_function(f32 x) {
  const f32 size = __builtin_fabsf(x), t = 1.0f / fma(size, 0.3275911f, 1.0f);
  f32 p = fma(1.061405429f, t, -1.453152027f);
  p = fma(p, t, 1.421413741f);
  p = fma(p, t, -0.284496736f);
  p = fma(p, t, 0.254829592f);
  const f32 large = __builtin_copysignf(1.0f - p * t * exponential(-x * x), x), s = x * x;
  f32 q = fma(-1.0f / 1320, s, 1.0f / 216);
  q = fma(q, s, -1.0f / 42);
  q = fma(q, s, 0.1f);
  q = fma(q, s, -1.0f / 3);
  q = fma(q, s, 1.0f) * x * 1.128379167f;
  return size < 0.5f ? q : large;
}

TY_DEVICE f32 unary(u32 function, f32 x) {
  switch (function) {
  case TY_NEGATE: return -x;
  case TY_EXP: return exponential(x);
  case TY_LOGISTIC: return logistic(x);
  case TY_TANH: return hyperbolic_tangent(x);
  case TY_ERF: return error_function(x);
  case TY_SQRT: return square_root(x);
  default: return inverse_root(x);
  }
}

// NaN where either operand of a maximum or minimum is.
TY_DEVICE f32 binary(u32 function, f32 a, f32 b) {
  switch (function) {
  case TY_ADD: return a + b;
  case TY_SUBTRACT: return a - b;
  case TY_MULTIPLY: return a * b;
  case TY_DIVIDE: return a / b;
  case TY_MAXIMUM: return a > b || a != a ? a : b;
  default: return a < b || a != a ? a : b;
  }
}
