// Matrix and dot products.
#include "kernel.h"

// One wave multiplies 16 rows of a [16, k] by 16 rows of b [16, k]: c = a b^T, as [16, 16].
KERNEL(32) wmma_f16(const f16* a, const f16* b, float* c, int k) {
  int row = TID & 15;
  f32x8 sum = {};
  for (int at = 0; at < k; at += 16)
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(*(const f16x16*)(a + row * k + at),
                                                     *(const f16x16*)(b + row * k + at), sum);
  for (int i = 0; i < 8; ++i) c[(2 * i + (TID >> 4)) * 16 + row] = sum[i];
}

KERNEL(32) wmma_bf16(const short* a, const short* b, float* c, int k) {
  int row = TID & 15;
  f32x8 sum = {};
  for (int at = 0; at < k; at += 16)
    sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(*(const i16x16*)(a + row * k + at),
                                                      *(const i16x16*)(b + row * k + at), sum);
  for (int i = 0; i < 8; ++i) c[(2 * i + (TID >> 4)) * 16 + row] = sum[i];
}

// Signed a, unsigned b.
KERNEL(32) wmma_iu8(const char* a, const char* b, int* c, int k) {
  int row = TID & 15;
  i32x8 sum = {};
  for (int at = 0; at < k; at += 16)
    sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, *(const i32x4*)(a + row * k + at), false,
                                                     *(const i32x4*)(b + row * k + at), sum, false);
  for (int i = 0; i < 8; ++i) c[(2 * i + (TID >> 4)) * 16 + row] = sum[i];
}

// Two elements a byte; unsigned a, signed b.
KERNEL(32) wmma_iu4(const char* a, const char* b, int* c, int k) {
  int row = TID & 15;
  i32x8 sum = {};
  for (int at = 0; at < k / 2; at += 8)
    sum = __builtin_amdgcn_wmma_i32_16x16x16_iu4_w32(false, *(const i32x2*)(a + row * k / 2 + at), true,
                                                     *(const i32x2*)(b + row * k / 2 + at), sum, false);
  for (int i = 0; i < 8; ++i) c[(2 * i + (TID >> 4)) * 16 + row] = sum[i];
}

// f16 sums, in the upper halves of the accumulator.
KERNEL(32) wmma_f16_sum(const f16* a, const f16* b, f16* c, int k) {
  int row = TID & 15;
  f16x16 sum = {};
  for (int at = 0; at < k; at += 16)
    sum = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(*(const f16x16*)(a + row * k + at),
                                                     *(const f16x16*)(b + row * k + at), sum, true);
  for (int i = 0; i < 8; ++i) c[(2 * i + (TID >> 4)) * 16 + row] = sum[2 * i + 1];
}

KERNEL(64) dots(const int* a, const int* b, const int* c, int* out, const float* f, float* out_f) {
  int i = BLOCK * 64 + TID;
  int sum = __builtin_amdgcn_sudot4(true, a[i], true, b[i], c[i], false);
  sum += __builtin_amdgcn_sudot4(false, a[i], true, b[i], 0, false);
  sum += __builtin_amdgcn_sudot8(true, a[i], false, b[i], 0, false);
  out[i] = sum + (int)__builtin_amdgcn_udot4(a[i], b[i], 0, false);
  f16x2 x = {(f16)f[i], (f16)f[i + 64]}, y = {(f16)f[i + 128], (f16)f[i + 192]};
  out_f[i] = __builtin_amdgcn_fdot2(x, y, f[i + 256], false);
}
