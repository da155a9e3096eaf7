// Elementwise work, control flow, scratch and integers.
#include "kernel.h"

KERNEL(64) vector_add(const float* a, const float* b, float* c, int n) {
  int i = BLOCK * 64 + TID;
  if (i < n) c[i] = a[i] + b[i];
}

// Stores one element behind the end: a planted fault.
KERNEL(64) off_by_one(const float* a, float* c, int n) {
  int i = BLOCK * 64 + TID;
  if (i <= n) c[i] = a[i < n ? i : 0];
}

// Indexes a local array by data, so that it lies in scratch.
KERNEL(64) histogram_in_scratch(const u32* values, u32* most_common, int per_lane) {
  u32 counts[64] = {};
  const u32* mine = values + (BLOCK * 64 + TID) * per_lane;
  for (int i = 0; i < per_lane; ++i) counts[mine[i] & 63] += 1 + (mine[i] >> 31);
  u32 best = 0;
  for (u32 i = 1; i < 64; ++i)
    if (counts[i] > counts[best]) best = i;
  most_common[BLOCK * 64 + TID] = best | counts[best] << 8;
}

// 64-bit and bit arithmetic, division by a variable, and a loop whose length differs between lanes.
KERNEL(64) integers(const u32* a, const u32* b, u64* out) {
  int i = BLOCK * 64 + TID;
  u32 x = a[i], y = b[i];
  u64 r = (u64)x * y + (((u64)y << 32 | x) >> (x & 63));
  r += x / (y | 1) + (u64)(int)((int)x % (int)(y | 1));
  r ^= __builtin_popcount(x) + 100 * __builtin_clz(y | 1) + 10000 * __builtin_ctz(x | 0x80000000u);
  r -= (u64)((long long)(int)x * (int)y) >> 7;
  for (u32 steps = x & 15; steps; --steps) r = r * 6364136223846793005ull + steps;
  out[i] = r;
}

KERNEL(64) divide(const float* a, const float* b, float* quotient, double* wide) {
  int i = BLOCK * 64 + TID;
  quotient[i] = a[i] / b[i];
  wide[i] = (double)a[i] / (double)b[i] + (double)(a[i] * 3.0f);
}

// Where a work-item is, in three dimensions, and what it knows of the grid: from the packet and from hidden arguments.
KERNEL(24) places(u32* out, int width, int height) {
  int x = __builtin_amdgcn_workgroup_id_x() * 4 + __builtin_amdgcn_workitem_id_x();
  int y = __builtin_amdgcn_workgroup_id_y() * 3 + __builtin_amdgcn_workitem_id_y();
  int z = __builtin_amdgcn_workgroup_id_z() * 2 + __builtin_amdgcn_workitem_id_z();
  const u32* packet = (const u32*)__builtin_amdgcn_dispatch_ptr();
  const unsigned short* hidden = (const unsigned short*)__builtin_amdgcn_implicitarg_ptr();
  u32 counts = ((const u32*)hidden)[0] | ((const u32*)hidden)[1] << 4 | ((const u32*)hidden)[2] << 8;
  u32 sizes = hidden[6] | hidden[7] << 4 | hidden[8] << 8;
  u32* mine = out + ((z * height + y) * width + x) * 4;
  mine[0] = x | y << 8 | z << 16;
  mine[1] = packet[3] | packet[4] << 8 | packet[5] << 16;
  mine[2] = counts;
  mine[3] = sizes;
}

// An instruction that is not modelled: a planted fault.
KERNEL(32) traps(u32* out) {
  if (TID > 3) asm volatile("s_trap 2");
  out[TID] = 1;
}
