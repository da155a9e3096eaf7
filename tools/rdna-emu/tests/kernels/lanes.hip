// Work across lanes and waves.
#include "kernel.h"

template <int CONTROL>
DEVICE float add_dpp(float v) {
  return v + __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(
                                           0, __builtin_bit_cast(int, v), CONTROL, 0xf, 0xf, true));
}

DEVICE float wave_sum(float v) {
  v = add_dpp<0xb1>(v);
  v = add_dpp<0x4e>(v);
  v = add_dpp<0x141>(v);
  v = add_dpp<0x140>(v);
  int x = __builtin_bit_cast(int, v);
  return v + __builtin_bit_cast(float, (int)__builtin_amdgcn_permlanex16(x, x, 0x76543210, 0xfedcba98, 0, 0));
}

// The sum of each block's 256 elements.
KERNEL(256) block_sum(const float* in, float* out) {
  SHARED float partial[8];
  float v = wave_sum(in[BLOCK * 256 + TID]);
  if ((TID & 31) == 0) partial[TID >> 5] = v;
  barrier();
  if (TID < 32) {
    float total = wave_sum(TID < 8 ? partial[TID] : 0.0f);
    if (TID == 0) out[BLOCK] = total;
  }
}

// The same without the barrier: a planted race.
KERNEL(256) block_sum_race(const float* in, float* out) {
  SHARED volatile float partial[8];
  float v = wave_sum(in[BLOCK * 256 + TID]);
  if ((TID & 31) == 0) partial[TID >> 5] = v;
  if (TID < 32) {
    float total = wave_sum(TID < 8 ? partial[TID] : 0.0f);
    if (TID == 0) out[BLOCK] = total;
  }
}

// Reads LDS that nobody wrote: a planted fault.
KERNEL(64) reads_unwritten(float* out) {
  SHARED volatile float never[64];
  out[TID] = never[TID];
}

// Reaches LDS and global memory through generic pointers.
KERNEL(64) generic_pointers(const int* in, int* out) {
  SHARED int local[64];
  int* volatile there = TID & 1 ? local + TID : out + TID;
  *there = in[TID] * 3;
  barrier();
  int* volatile back = there;
  int v = *back;
  barrier();
  out[TID] = v + 1;
}

// All blocks write one place of global memory: a planted race.
KERNEL(64) global_race(u32* out) {
  if (TID == 0) out[0] = BLOCK;
}

// Shifts, rotations, broadcasts, bpermute, readlane and ballot.
KERNEL(64) shuffles(const int* in, int* out) {
  int v = in[TID];
  int r = __builtin_amdgcn_update_dpp(-1, v, 0x111, 0xf, 0xf, false);           // row_shr:1
  r += 3 * __builtin_amdgcn_update_dpp(-1, v, 0x102, 0xf, 0xf, true);          // row_shl:2
  r += 5 * __builtin_amdgcn_update_dpp(0, v, 0x12f, 0xf, 0xf, true);           // row_ror:15
  r += 7 * __builtin_amdgcn_update_dpp(0, v, 0x157, 0xf, 0xf, true);           // row_share:7
  r += 11 * __builtin_amdgcn_update_dpp(0, v, 0x165, 0xf, 0xf, true);          // row_xmask:5
  r += 13 * __builtin_amdgcn_update_dpp(9, v, 0xe4, 0x5, 0x3, false);          // masked rows and banks
  r += 17 * __builtin_amdgcn_mov_dpp8(v, 0x688fac);                            // reverse of eight
  r += 19 * __builtin_amdgcn_ds_bpermute(((lane_id() * 5) & 31) * 4, v);
  r += 23 * __builtin_amdgcn_ds_permute(((lane_id() * 7) & 31) * 4, v);
  r += 29 * __builtin_amdgcn_readlane(v, 17) + 31 * __builtin_amdgcn_readfirstlane(v);
  r += 37 * __builtin_popcount(__builtin_amdgcn_ballot_w32(v & 1));
  r += 41 * __builtin_amdgcn_ds_swizzle(v, 0x041f);
  out[TID] = r;
}

// Atomics of LDS and of global memory.
KERNEL(128) atomics(const u32* in, u32* counts, u64* largest, float* total, u32* tickets) {
  SHARED u32 local_count;
  SHARED u64 local_largest;
  if (TID == 0) local_count = 0, local_largest = 0;
  barrier();
  u32 v = in[BLOCK * 128 + TID];
  __hip_atomic_fetch_add(&local_count, v & 7, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  u64 key = (u64)v << 32 | (u32)TID;
  __hip_atomic_fetch_max(&local_largest, key, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  barrier();
  if (TID == 0) counts[BLOCK] = local_count, largest[BLOCK] = local_largest;
  __hip_atomic_fetch_add(total, (float)(v & 7), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  u32 ticket = __hip_atomic_fetch_add(tickets, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_or(tickets + 1 + (ticket >> 5), 1u << (ticket & 31), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  u32 expected = v;
  __hip_atomic_compare_exchange_strong(tickets + 64, &expected, v + 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
}

// Reads 16, 8 and 2 bytes in each lane through a descriptor of `bytes` bytes, and stores what was read through another.
KERNEL(32) through_buffers(const void* in, void* out, int bytes, int out_bytes) {
  __amdgpu_buffer_rsrc_t from = __builtin_amdgcn_make_buffer_rsrc((void*)in, 0, bytes, 0x31027000);
  __amdgpu_buffer_rsrc_t to = __builtin_amdgcn_make_buffer_rsrc(out, 0, out_bytes, 0x31027000);
  auto wide = __builtin_amdgcn_raw_buffer_load_b128(from, TID * 8, 0, 0);
  auto pair = __builtin_amdgcn_raw_buffer_load_b64(from, TID * 8, 0, 0);
  u32 half = __builtin_amdgcn_raw_buffer_load_b16(from, TID * 2, 0, 0);
  u32 sum = (wide[0] ^ wide[1] * 3 ^ wide[2] * 5 ^ wide[3] * 7) + pair[0] + pair[1] * 11;
  pair[0] = sum, pair[1] = half;
  __builtin_amdgcn_raw_buffer_store_b64(pair, to, TID * 8, 0, 0);
}

// Loads two pairs of words from LDS over the register with their address.
KERNEL(64) loads_over_address(const u32* in, u32* out) {
  SHARED u32 local[128];
  local[TID * 2] = in[TID * 2], local[TID * 2 + 1] = in[TID * 2 + 1];
  barrier();
  u32 address = (u32)(unsigned long long)(__attribute__((address_space(3))) u32*)local + (TID & 62) * 8;
  u32 a, b, c, d;
  asm volatile(
      "v_mov_b32 v20, %4\n"
      "ds_load_2addr_b64 v[20:23], v20 offset1:1\n"
      "s_waitcnt lgkmcnt(0)\n"
      "v_mov_b32 %0, v20\n"
      "v_mov_b32 %1, v21\n"
      "v_mov_b32 %2, v22\n"
      "v_mov_b32 %3, v23"
      : "=&v"(a), "=&v"(b), "=&v"(c), "=&v"(d) : "v"(address) : "v20", "v21", "v22", "v23", "memory");
  out[TID] = a + 3 * b + 5 * c + 7 * d;
}
