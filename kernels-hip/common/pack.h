// pack.h -- a row of activations as matrix registers take it.
//
// Maths      For blocks of weights: x * 2^(15 - e) as f16, where 2^e is above the row's largest finite size
//            and at most twice it, so that nothing overflows and small rows keep all bits; 2^(e - 15) stands
//            behind. For f16 and bf16 weights: x in their type.
// Layout     [k] of 16 bits; then f32s: the sums of each 16 columns, padded with zeros to a multiple of 4;
//            then the scale and 12 unused bytes. PackedRow::bytes of crates/phase-program/src/plan/gpu.rs.
// Launch     a workgroup has one row; k is a multiple of 16
// Numerics   x to nearest, so within 2^-11 of itself (bf16: 2^-8), or within 2^-39 of the row's largest size
//            where it is below 2^-28 of it. Sums are of the rounded numbers, so that codes and their
//            biases cancel as they do without rounding. Not finite stays not finite, in its own column.

#pragma once

#include "maths.h"
#include "wave.h"

TY_DEVICE u32 packed_sums_at(u32 k) { return 2 * k; }
TY_DEVICE u32 packed_scale_at(u32 k) { return 2 * k + (k + 63) / 64 * 16; }

// An exponent e as above; not below -100, where the scale itself would vanish.
TY_DEVICE i32 row_exponent(f32 largest) {
  const i32 e = (i32)(__builtin_bit_cast(u32, largest) >> 23) - 126;
  return e < -100 ? -100 : e;
}

// The sum over the 16 lanes of a row of the wave.
TY_DEVICE f32 sixteen_sum(f32 v) {
  v += row_exchange<1>(v);
  v += row_exchange<2>(v);
  v += row_exchange<4>(v);
  return v + row_exchange<8>(v);
}

// `x.get(i)` is column i; the packed row is at `to`.
template <typename row> TY_DEVICE void pack_row(u32 kind, u32 k, row x, u64 to, TY_LOCAL f32 *room) {
  i32 e = 15;
  if (kind == TY_BLOCKS) {
    f32 largest = 0;
    for (u32 i = thread_id(); i < k; i += TY_THREADS) {
      const f32 size = __builtin_fabsf(x.get(i));
      largest = size < __builtin_inff() ? max_of(size, largest) : largest;
    }
    e = row_exponent(group_max(largest, room));
  }
  TY_GLOBAL f32 *sums = global_at<f32>(to + packed_sums_at(k));
  for (u32 i = thread_id(); i < k; i += TY_THREADS) {
    const f32 v = __builtin_amdgcn_ldexpf(x.get(i), 15 - e);
    const u16 bits = kind == TY_BF16 ? to_bf16(v) : to_f16(v);
    global_at<u16>(to)[i] = bits;
    const f32 sum = sixteen_sum(kind == TY_BF16 ? from_bf16(bits) : from_f16(bits));
    if (i % 16 == 0) sums[i / 16] = sum;
  }
  const u32 t = thread_id(), used = k / 16;
  if (t < packed_scale_at(k) / 4 - k / 2 - used) sums[used + t] = 0;
  if (t < 4) global_at<f32>(to + packed_scale_at(k))[t] = t == 0 ? __builtin_amdgcn_ldexpf(1.0f, e - 15) : 0.0f;
}
