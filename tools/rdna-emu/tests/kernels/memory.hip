// Loads and stores of every width, with and without alignment, in global memory, LDS and buffers.
#include "kernel.h"

typedef u32 u32x3 __attribute__((ext_vector_type(3)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef u32 u32x2 __attribute__((ext_vector_type(2)));

// Each lane copies 16 bytes from `from`, `shift` bytes further on, in pieces of every width, where `mask` says so.
KERNEL(64) widths(const unsigned char* from, unsigned char* to, int shift, u32 mask) {
  int lane = BLOCK * 64 + TID;
  if (!(mask >> (lane & 31) & 1)) return;
  const unsigned char* in = from + 16 * lane + shift;
  unsigned char* out = to + 80 * lane + shift;
  for (int i = 0; i < 3; ++i) out[i] = in[i];
  *(short*)(out + 4) = *(const signed char*)(in + 5);
  *(unsigned short*)(out + 6) = *(const unsigned short*)(in + 6);
  *(int*)(out + 8) = *(const short*)(in + 8);
  *(u32*)(out + 12) = *(const u32*)(in + 12);
  *(u32x2*)(out + 16) = *(const u32x2*)(in + 8);
  u32x3 three = {*(const u32*)in, *(const u32*)(in + 4), *(const u32*)(in + 8)};
  __builtin_memcpy(out + 24, &three, 12);
  *(u32x4*)(out + 48) = *(const u32x4*)in;
}

// The same through LDS: each lane writes its own, and reads its neighbour's.
KERNEL(64) through_lds(const u32* from, u32* to) {
  SHARED u32 words[64 * 7];
  SHARED unsigned char bytes[64];
  SHARED unsigned short halves[64];
  int lane = TID, other = TID ^ 1;
  for (int i = 0; i < 7; ++i) words[7 * lane + i] = from[7 * lane + i];
  bytes[lane] = from[lane];
  halves[lane] = from[lane];
  barrier();
  u32 sum = (u32)(signed char)bytes[other] + ((u32)halves[other] << 8);
  for (int i = 0; i < 7; ++i) sum = sum * 31 + words[7 * other + i];
  to[lane] = sum;
}
