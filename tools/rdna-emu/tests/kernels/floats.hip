// Floats of 16, 32 and 64 bits.
#include "kernel.h"

KERNEL(64) halves(const f16* a, const f16* b, f16* out) {
  int i = BLOCK * 64 + TID;
  f16 x = a[i], y = b[i];
  f16 r = x * y + x;
  r = __builtin_elementwise_max(r, (f16)(y - x)) - __builtin_elementwise_min(x, y);
  r = r + (f16)((float)x * 0.25f) + (f16)(short)(int)y;
  r = x > y ? r : -r;
  f16x2 p = {x, y}, q = {y, (f16)1.5f};
  p = p * q + p;
  p = __builtin_elementwise_max(p, q);
  out[i] = r + p[0] - p[1] + __builtin_elementwise_floor(x) + __builtin_fabsf16(y);
}

// Independent chains, which the compiler joins into dual instructions.
KERNEL(64) chains(const float* in, float* out, int steps) {
  float v[8];
  for (int i = 0; i < 8; ++i) v[i] = in[TID * 8 + i];
  for (int s = 0; s < steps; ++s)
    for (int i = 0; i < 8; ++i) v[i] = __builtin_fmaf(v[i], 0.5f + i, v[(i + 3) & 7] * 0.125f - 1.0f);
  for (int i = 0; i < 8; ++i) out[TID * 8 + i] = v[i];
}

KERNEL(64) functions(const float* in, float* out) {
  int i = BLOCK * 64 + TID;
  float x = in[i];
  out[i * 8 + 0] = __builtin_amdgcn_exp2f(x);
  out[i * 8 + 1] = __builtin_amdgcn_logf(__builtin_fabsf(x));
  out[i * 8 + 2] = __builtin_amdgcn_rsqf(__builtin_fabsf(x));
  out[i * 8 + 3] = __builtin_amdgcn_rcpf(x);
  out[i * 8 + 4] = __builtin_amdgcn_sinf(x);
  out[i * 8 + 5] = __builtin_amdgcn_fractf(x);
  out[i * 8 + 6] = __builtin_rintf(x) + __builtin_floorf(x) * 2 + __builtin_truncf(x) * 4;
  out[i * 8 + 7] = __builtin_amdgcn_ldexpf(__builtin_amdgcn_fmed3f(x, 1.0f, -1.0f), (int)x & 7);
}

// What a wave computes once: gfx1151 has scalar floats.
KERNEL(32) uniform(float a, float b, int n, float* out) {
  float r = a * b + (float)n;
  int k = (int)(r * 0.5f);
  if (r < a) r = __builtin_floorf(r) + (float)(f16)a;
  out[TID] = r + (float)k;
}
