// linear_scales.h -- scales and added terms of the groups of a unit, 16 rows as f32x16.
//
// Every form is scale * c + bias for the group, where c is the code less its middle: a zero point
// is a bias of -scale * zero, exact but for f32 scales; a minimum one of -dmin * minimum, exact.
//
// Numerics   TY_SCALE_E4M3 and the codes TY_E4M3 are read as f16, 2^-8 of their values; `finished`
//            makes up for it once an output. Both are exact.

#pragma once

#include "linear_format.h"

// What kernels know of scales before they see a format, beside one TY_SCALE_*.
#define SCALE_ANY 16  // nothing: it is looked up once a unit
#define SCALE_HALF 17 // they are f16 or bf16, and a unit has one

TY_INLINE f32x16 f32_from_u8(u8x16 v) {
  return __builtin_convertvector(__builtin_convertvector(v, i32x16), f32x16);
}
TY_INLINE f32x16 f32_from_i8(i8x16 v) {
  return __builtin_convertvector(__builtin_convertvector(v, i32x16), f32x16);
}

// The 16 scales of group g of a unit whose scales begin at `at`.
TY_INLINE f32x16 scale_at(const u32 scale, const u8 *at, u32 g) {
  switch (scale) {
  case TY_SCALE_F16: return f32_from_f16(load_u16x16(at + g * 32));
  case TY_SCALE_BF16: return f32_from_bf16(load_u16x16(at + g * 32));
  case TY_SCALE_F32: return load_f32x16(at + g * 64);
  case TY_SCALE_E8M0: {
    const u32x16 bits = __builtin_convertvector(*(const u8x16_at *)(at + g * 16), u32x16) << 23;
    return f32_of16(bits == 0 ? (u32x16)0x00400000 : bits); // 2^-127 is subnormal
  }
  case TY_SCALE_E4M3: return f32_from_f16(f16_from_e4m3(*(const u8x16_at *)(at + g * 16)));
  default: return 1.0f;
  }
}

// 16 scales or biases that are bf16 or f16.
TY_INLINE f32x16 half_at(bool bf16, const u8 *at) {
  const u16x16 h = load_u16x16(at);
  return bf16 ? f32_from_bf16(h) : f32_from_f16(h);
}

// What 16 zero points at `at` add.
TY_INLINE f32x16 zero_bias(f32x16 scale, const u8 *at) {
  return -scale * f32_from_u8(*(const u8x16_at *)at);
}

// Of all units but TY_SCALE_SUPER's. `scale` is a constant after inlining.
TY_INLINE void own_scales(ty_format format, const u32 scale, const u32 groups, const u8 *header,
                          f32x16 *scales, f32x16 *biases) {
  const u8 *after = header + groups * 16 * scale_bytes(format);
  for (u32 g = 0; g < groups; ++g) {
    scales[g] = scale_at(scale, header, g);
    if (format_form(format) == TY_BIAS) biases[g] = scale_at(scale, after, g);
    if (format_form(format) == TY_ZERO) {
      biases[g] = zero_bias(scales[g], after + g * 16);
    }
  }
}

TY_INLINE void super_scales(ty_format format, const u8 *header, f32x16 *scales, f32x16 *biases) {
  const u32 groups = unit_groups(format);
  const f32x16 d = f32_from_f16(load_u16x16(header));
  if (format_form(format) != TY_LEAST) {
    for (u32 g = 0; g < groups; ++g) {
      scales[g] = d * f32_from_i8(*(const i8x16_at *)(header + 32 + g * 16));
    }
    return;
  }
  const f32x16 least = -f32_from_f16(load_u16x16(header + 32));
  const u8 *subs = header + 64, *minima = subs + groups * 16;
  for (u32 g = 0; g < groups; ++g) {
    if (format_halves(format)) {
      const u8x16 both = *(const u8x16_at *)(subs + g * 16);
      scales[g] = d * f32_from_u8(both & 15);
      biases[g] = least * f32_from_u8(both >> 4);
    } else {
      scales[g] = d * f32_from_i8(*(const i8x16_at *)(subs + g * 16));
      biases[g] = least * f32_from_u8(*(const u8x16_at *)(minima + g * 16));
    }
  }
}

// Whatever the scales. Not inlined: it is in every kernel.
static __attribute__((noinline)) void any_scales(ty_format format, const u8 *header, f32x16 *scales,
                                                 f32x16 *biases) {
  const u32 groups = unit_groups(format);
  switch (format_scale(format)) {
  case TY_SCALE_F16: own_scales(format, TY_SCALE_F16, groups, header, scales, biases); break;
  case TY_SCALE_BF16: own_scales(format, TY_SCALE_BF16, groups, header, scales, biases); break;
  case TY_SCALE_F32: own_scales(format, TY_SCALE_F32, groups, header, scales, biases); break;
  case TY_SCALE_E8M0: own_scales(format, TY_SCALE_E8M0, groups, header, scales, biases); break;
  case TY_SCALE_E4M3: own_scales(format, TY_SCALE_E4M3, groups, header, scales, biases); break;
  case TY_SCALE_ONE: own_scales(format, TY_SCALE_ONE, groups, header, scales, biases); break;
  default: super_scales(format, header, scales, biases);
  }
}

// Scales and, where the form has them, biases of the groups of a unit, of which there are at
// most 16. `scale` is a TY_SCALE_* or SCALE_ANY.
TY_INLINE void unit_scales(ty_format format, const u32 scale, const u32 groups, const u8 *header,
                           f32x16 *scales, f32x16 *biases) {
  if (scale == SCALE_ANY) {
    any_scales(format, header, scales, biases);
  } else {
    own_scales(format, scale, groups, header, scales, biases);
  }
}

// What makes the sums of a tile's rows its outputs: the scale of each row, and the powers of two
// that 8-bit floats were read without.
TY_INLINE f32x16 finished(ty_format format, const u8 *tile, f32x16 sums) {
  if (format_scale(format) == TY_SCALE_E4M3) sums *= 0x1p8f;
  if (format_code(format) == TY_E4M3) sums *= 0x1p8f;
  return format_row_scaled(format) ? sums * load_f32x16(tile) : sums;
}
