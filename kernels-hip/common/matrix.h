// matrix.h -- 16 x 16 products of matrix registers (WMMA), which gfx11 and gfx12 lay out in two ways.
//
// Maths      d[m][n] = c[m][n] + sum over k below 16 of a[m][k] * b[n][k], of f16 or of bf16
// Operands   A lane has the row (of a) or column (of b) `lane % 16`. On gfx11 all its 16 elements, so that
//            both halves of a wave hold the same; on gfx12 eight of them, from 8 * (lane / 16) on.
// Sums       A lane has column n = lane % 16 of eight rows: 2 i + lane / 16 on gfx11, 8 (lane / 16) + i on
//            gfx12
// Numerics   f32 sums of exact products. Their order, and how a sum is cut off, are the chip's: gfx11 adds
//            two products at a time on a grid of 2^-24 of the largest term, and takes subnormal bf16 numbers
//            and subnormal sums for zero. An error of 2^-24 of the sum of the terms' sizes for each of the 16
//            products bounds both that and a chain of fused operations.

#pragma once

#include "maths.h"

typedef short i16x8 __attribute__((ext_vector_type(8)));
typedef short i16x16 __attribute__((ext_vector_type(16)));
typedef u32 u32x8 __attribute__((ext_vector_type(8)));

#if defined(__GFX12__)
#define TY_OPERAND_WORDS 4
#else
#define TY_OPERAND_WORDS 8
#endif

// This lane's part of an operand, two elements a word.
typedef u32 matrix_operand __attribute__((ext_vector_type(TY_OPERAND_WORDS)));

// From all 16 elements of the lane's row.
TY_DEVICE matrix_operand operand_from(const u32 (&words)[8]) {
  matrix_operand o;
#if defined(__GFX12__)
  const bool upper = lane_id() >= 16;
  for (u32 i = 0; i < 4; ++i) {
    const u32 first = words[i], last = words[4 + i];
    o[i] = upper ? last : first;
  }
#else
  for (u32 i = 0; i < 8; ++i) o[i] = words[i];
#endif
  return o;
}

// From memory where the first and the last eight elements of a row are `pitch` bytes apart.
template <typename T> TY_DEVICE matrix_operand operand_at(T at, u32 pitch) {
#if defined(__GFX12__)
  return *(decltype(at))(at + lane_id() / 16 * (pitch / 16));
#else
  const u32x4 low = *at, high = *(at + pitch / 16);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

template <u32 kind> TY_DEVICE f32x8 matrix_multiply(matrix_operand a, matrix_operand b, f32x8 c) {
#if defined(__GFX12__)
  if (kind == TY_BF16) {
    return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(__builtin_bit_cast(i16x8, a), __builtin_bit_cast(i16x8, b), c);
  }
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(__builtin_bit_cast(f16x8, a), __builtin_bit_cast(f16x8, b), c);
#else
  if (kind == TY_BF16) {
    return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(__builtin_bit_cast(i16x16, a), __builtin_bit_cast(i16x16, b), c);
  }
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(__builtin_bit_cast(f16x16, a), __builtin_bit_cast(f16x16, b), c);
#endif
}

// The row of this lane's sum `i`.
TY_DEVICE u32 row_of_sum(u32 i) {
#if defined(__GFX12__)
  return lane_id() / 16 * 8 + i;
#else
  return 2 * i + lane_id() / 16;
#endif
}

// Where a number of row `row` stands among 16, so that those of a lane's eight sums are side by side
// from 8 * (lane / 16) on.
TY_DEVICE u32 place_of_row(u32 row) {
#if defined(__GFX12__)
  return row;
#else
  return row % 2 * 8 + row / 2;
#endif
}
