// halves.h -- codes of blocks as f16 numbers, exactly: weights as matrix registers take them.
//
// Maths      value_of_code of weights.h, with the middle or the zero point taken off
// Layout     kernels-cpu/linear.h: of 32 columns a lane reads the words of its own row of the tile, which
//            stand 64 bytes apart; the lanes' words are side by side
// Bound by   ALU: about three instructions for two numbers of 4 bits, and the same for any number of rows
// Numerics   Every code, code - middle and code - zero is a whole number of at most 255, or has four bits
//            of precision: exact in f16, as are all steps between.

#pragma once

#include "weights.h"

TY_DEVICE u32 word_at(u64 address) { return *global_at<const u32>(address); }

// The words of a lane's row in a run of 32 columns: the low bits' plane, then the high bits'.
template <u32 code> struct run_words {
  static constexpr u32 bits = code <= 8 ? code : code == TY_E4M3 ? 8 : 4;
  static constexpr u32 low_words = bits == 8 ? 8 : bits >= 4 ? 4 : 2;
  static constexpr u32 high_words = bits == 6 ? 2 : bits == 5 || bits == 3 ? 1 : 0;
  u32 words[low_words + high_words];

  TY_METHOD void load(u64 run, u32 row) {
    for (u32 i = 0; i < low_words + high_words; ++i) words[i] = word_at(run + i * 64 + row * 4);
  }

  // Codes of columns 4q to 4q + 3, a byte each.
  TY_METHOD u32 four(u32 q) const {
    if (bits == 8) return words[q];
    u32 codes;
    if (bits >= 4) {
      codes = words[q / 2] >> (q % 2 * 4) & 0x0f0f0f0f;
    } else {
      codes = words[q / 4] >> (q % 4 * 2) & 0x03030303;
    }
    const u32 high = high_words == 0 ? 0 : words[low_words + (bits == 6 ? q / 4 : 0) - (high_words == 0 ? 1 : 0)];
    if (bits == 6) codes |= (high >> (q % 4 * 2) & 0x03030303) << 4;
    if (bits == 5) codes |= (high >> q & 0x01010101) << 4;
    if (bits == 3) codes |= (high >> q & 0x01010101) << 2;
    return codes;
  }
};

TY_DEVICE u32 plus(u32 pair, f16 shift) {
  const f16x2 shifts = {shift, shift};
  return __builtin_bit_cast(u32, __builtin_bit_cast(f16x2, pair) + shifts);
}

// Bytes of codes as f16 1024 + code, by their bits, and what is added to that.
TY_DEVICE void whole_halves(u32 codes, f16 shift, u32 &low, u32 &high) {
  low = plus(__builtin_amdgcn_perm(0x64646464u, codes, 0x04010400u), shift);
  high = plus(__builtin_amdgcn_perm(0x64646464u, codes, 0x04030402u), shift);
}

// Two e4m3 bytes in the high bytes of their halves: bits as value_of_e4m3 has them.
TY_DEVICE u32 e4m3_halves(u32 pair) {
  const u32 bits = (pair & 0x7f007f00u) >> 1 | (pair & 0x80008000u);
  const f16x2 factor = {(f16)256.0f, (f16)256.0f};
  return __builtin_bit_cast(u32, __builtin_bit_cast(f16x2, bits) * factor);
}

// Four codes as two pairs of f16. `shift` is added to 1024 + code.
template <u32 code> TY_DEVICE void four_halves(u32 codes, f16 shift, u32 &low, u32 &high) {
  if (code == TY_E4M3) {
    low = e4m3_halves(__builtin_amdgcn_perm(0, codes, 0x010c000cu));
    high = e4m3_halves(__builtin_amdgcn_perm(0, codes, 0x030c020cu));
  } else if (code == TY_E2M1) {
    // The high bytes of the f16s 0 0.5 1 1.5 2 3 4 6, and the sign.
    const u32 sizes = __builtin_amdgcn_perm(0x46444240u, 0x3e3c3800u, codes & 0x07070707u);
    const u32 bytes = sizes | (codes & 0x08080808u) << 4;
    low = __builtin_amdgcn_perm(0, bytes, 0x010c000cu);
    high = __builtin_amdgcn_perm(0, bytes, 0x030c020cu);
  } else if (code == TY_IQ4) {
    // value_of_iq4's table, eight entries at a time.
    const u32 first = __builtin_amdgcn_perm(0x766a5d4fu, 0x3f2d1801u, codes & 0x07070707u);
    const u32 last = __builtin_amdgcn_perm(0xf1d9c5b5u, 0xa6998d81u, codes & 0x07070707u);
    const u32 eighths = codes >> 3 & 0x01010101u, upper = (eighths << 8) - eighths;
    whole_halves((last & upper) | (first & ~upper), shift, low, high);
  } else {
    whole_halves(codes, shift, low, high);
  }
}

// What whole_halves takes for a format whose zero points `zero` are (TY_ZERO), of one lane's row.
TY_DEVICE f16 shift_of(ty_format format, f32 zero) {
  if (format_code(format) == TY_IQ4) return (f16)-1152.0f;
  const u32 form = format_form(format);
  const f32 middle = form == TY_MIDDLE ? (f32)(1u << (format_code(format) - 1)) : 0.0f;
  return (f16)(-1024.0f - (form == TY_ZERO ? zero : middle));
}
