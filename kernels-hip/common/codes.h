// codes.h -- quantized caches: 32 elements of a head at one position as a scale and codes, a lane each.
//
// Layout    common/cache.h
// Numerics  kernels-cpu/attention_codes.h: as ggml's quantize_row_q8_0_ref and quantize_row_q4_0_ref. A run
//           with an infinity or a NaN has the scale NaN and codes of zero. Products and sums are
//           statements of their own, so that they are never fused.

#pragma once

#include "cache.h"
#include "wave.h"

// The largest of unsigned numbers over the wave.
TY_DEVICE u32 wave_max_bits(u32 v) {
  u32 other = __builtin_bit_cast(u32, row_exchange<1>(__builtin_bit_cast(f32, v)));
  v = other > v ? other : v;
  other = __builtin_bit_cast(u32, row_exchange<2>(__builtin_bit_cast(f32, v)));
  v = other > v ? other : v;
  other = __builtin_bit_cast(u32, row_exchange<4>(__builtin_bit_cast(f32, v)));
  v = other > v ? other : v;
  other = __builtin_bit_cast(u32, row_exchange<8>(__builtin_bit_cast(f32, v)));
  v = other > v ? other : v;
  other = __builtin_bit_cast(u32, half_exchange(__builtin_bit_cast(f32, v)));
  return uniform(other > v ? other : v);
}

#define BITS_OF_INFINITY 0x7f800000u

TY_DEVICE u32 bits_of_size(f32 v) { return __builtin_bit_cast(u32, v) & 0x7fffffffu; }

// The scale of a run and this lane's code: Q8_0 signed, Q4_0 from 0 to 15.
struct lane_code {
  u16 scale;
  i32 code;
};

TY_DEVICE lane_code code_of(u32 format, f32 v) {
  const u32 most = wave_max_bits(bits_of_size(v));
  f32 d = __builtin_nanf("");
  if (most >= BITS_OF_INFINITY) {
    v = 0.0f;
  } else if (format == TY_CACHE_Q8_0) {
    d = __builtin_bit_cast(f32, most) / 127.0f;
  } else {
    // The first of those with the largest magnitude.
    const u32 first = __builtin_ctz(__builtin_amdgcn_ballot_w32(bits_of_size(v) == most));
    d = __builtin_bit_cast(f32, __builtin_amdgcn_readlane(__builtin_bit_cast(i32, v), first)) / -8.0f;
  }
  const bool normal = d >= 0x1p-126f || d <= -0x1p-126f;
  const f32 inverse = normal ? 1.0f / d : 0.0f;
  const f32 scaled = v * inverse;
  lane_code result = {to_f16(d), 0};
  if (format == TY_CACHE_Q8_0) {
    const i32 whole = (i32)scaled;
    const f32 rest = scaled - (f32)whole;
    result.code = whole + (rest >= 0.5f ? 1 : 0) - (rest <= -0.5f ? 1 : 0);
  } else {
    const f32 shifted = scaled + 8.5f;
    result.code = shifted >= 15.0f ? 15 : (i32)shifted;
  }
  return result;
}

// Run `run` of a head at one position to its place: `head` is where its keys, or its values, begin.
TY_DEVICE void store_run(u32 format, u32 dim, u64 head, bool values, u32 run, u32 offset, f32 v) {
  const lane_code own = code_of(format, v);
  const u32 lane = lane_id();
  const u64 codes = head + scales_bytes(dim);
  if (lane == 0) global_at<u16>(head)[run * TY_PAGE + offset] = own.scale;
  u32 byte = (u32)own.code, bytes = TY_CACHE_RUN;
  if (format == TY_CACHE_Q4_0) {
    byte |= __builtin_bit_cast(u32, half_exchange(__builtin_bit_cast(f32, own.code))) << 4;
    bytes = TY_CACHE_RUN / 2;
  }
  const u32 index = run * bytes + lane;
  const u32 place = values ? index * TY_PAGE + offset : (index / 16 * TY_PAGE + offset) * 16 + index % 16;
  if (lane < bytes) global_at<u8>(codes)[place] = (u8)byte;
}

// What queries are beside quantized keys: codes of -127 to 127, rounded to nearest even, with a scale for
// 32 columns, a lane each. Runs without a magnitude of at least 2^-100 are zero; those with an infinity or
// a NaN are NaN.
TY_DEVICE f32 rounded_query(f32 v) {
  const u32 most = wave_max_bits(bits_of_size(v));
  const f32 largest = __builtin_bit_cast(f32, most);
  if (most >= BITS_OF_INFINITY) return __builtin_nanf("");
  if (largest < 0x1p-100f) return 0.0f;
  const f32 inverse = 127.0f / largest, scale = largest / 127.0f;
  const f32 scaled = v * inverse;
  return scale * __builtin_rintf(scaled);
}

// Sixteen codes of a lane as numbers, from 16 bytes; of Q4_0 those in the half `half` of each byte.
template <u32 format> TY_DEVICE void sixteen_codes(u32x4 bytes, u32 half, f32 (&v)[16]) {
  for (u32 i = 0; i < 16; ++i) {
    const u32 word = bytes[i / 4];
    if (format == TY_CACHE_Q8_0) {
      v[i] = (f32)(i8)(word >> (i % 4 * 8));
    } else {
      v[i] = (f32)(i32)(word >> (i % 4 * 8 + half * 4) & 15u) - 8.0f;
    }
  }
}
