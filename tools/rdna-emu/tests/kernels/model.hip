// Kernels like those of a language model: weights of four bits, staged matrix products, norms, rotation into a paged
// cache, a recurrent state, the largest of many.
#include "kernel.h"

typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef f16 f16x8 __attribute__((ext_vector_type(8)));

template <int CONTROL>
DEVICE float add_dpp(float v) {
  return v + __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(
                                           0, __builtin_bit_cast(int, v), CONTROL, 0xf, 0xf, true));
}

DEVICE float other_row(float v) {
  int x = __builtin_bit_cast(int, v);
  return __builtin_bit_cast(float, (int)__builtin_amdgcn_permlanex16(x, x, 0x76543210, 0xfedcba98, 0, 0));
}

// Three ways to a wave's sum: exclusive or of lanes, mirrors, and bpermute.
template <int WAY>
DEVICE float wave_sum(float v) {
  if (WAY == 0) {
    v = add_dpp<0x161>(v), v = add_dpp<0x162>(v), v = add_dpp<0x164>(v), v = add_dpp<0x168>(v);
    return v + other_row(v);
  }
  if (WAY == 1) {
    v = add_dpp<0xb1>(v), v = add_dpp<0x4e>(v), v = add_dpp<0x141>(v), v = add_dpp<0x140>(v);
    return v + other_row(v);
  }
  for (int step = 16; step; step >>= 1) {
    int there = __builtin_amdgcn_ds_bpermute((lane_id() ^ step) * 4, __builtin_bit_cast(int, v));
    v += __builtin_bit_cast(float, there);
  }
  return v;
}

// A planted fault: the second step mirrors where it should exchange pairs, so that it adds what was added.
DEVICE float wave_sum_of_wrong_control(float v) {
  v = add_dpp<0xb1>(v), v = add_dpp<0xb1>(v), v = add_dpp<0x141>(v), v = add_dpp<0x140>(v);
  return v + other_row(v);
}

// Two E2M1 numbers, in bits 0 to 3 and 16 to 19, as halves that are 2^14 too small.
DEVICE f16x2 two_halves(u32 pair) {
  return __builtin_bit_cast(f16x2, (pair & 0x00070007u) << 9 | (pair & 0x00080008u) << 12);
}

// A row of MXFP4 weights (blocks of 32: 16 bytes and an E8M0 scale) times a vector, a wave a row. Elements i and i + 4
// of eight lie in one pair.
template <float (*SUM)(float)>
DEVICE void matvec(const u32x4* weights, const unsigned char* scales, const f16* x, float* y, int rows, int blocks) {
  int row = BLOCK * 8 + (TID >> 5);
  if (row >= rows) return;
  float sum = 0;
  for (int block = lane_id(); block < blocks; block += 32) {
    u32x4 codes = weights[row * blocks + block];
    float scale = __builtin_bit_cast(float, (u32)scales[row * blocks + block] << 23) * 16384.0f;
    float part = 0;
    for (int word = 0; word < 4; ++word) {
      f16x8 eight = *(const f16x8*)(x + block * 32 + word * 8);
      for (int pair = 0; pair < 4; ++pair) {
        f16x2 factors = {eight[pair], eight[pair + 4]};
        part = __builtin_amdgcn_fdot2(two_halves(codes[word] >> (4 * pair)), factors, part, false);
      }
    }
    sum = __builtin_fmaf(part, scale, sum);
  }
  sum = SUM(sum);
  if (lane_id() == 0) y[row] = sum;
}

#define MATVEC(name, sum)                                                                                  \
  KERNEL(256) name(const u32x4* w, const unsigned char* s, const f16* x, float* y, int rows, int blocks) { \
    matvec<sum>(w, s, x, y, rows, blocks);                                                                 \
  }
MATVEC(matvec_by_xor, wave_sum<0>)
MATVEC(matvec_by_mirrors, wave_sum<1>)
MATVEC(matvec_by_bpermute, wave_sum<2>)
MATVEC(matvec_of_wrong_control, wave_sum_of_wrong_control)

// c [m, n] = a [m, k] b [n, k]^T: four waves of a block have 16 columns each, and share 16 x 16 of a in LDS.
template <bool WAITS>
DEVICE void staged(const f16* a, const f16* b, float* c, int n, int k) {
  SHARED f16 tile[256];
  int lane = lane_id() & 15, row = __builtin_amdgcn_workgroup_id_y() * 16;
  int column = BLOCK * 64 + (TID >> 5) * 16 + lane;
  f32x8 sum = {};
  for (int at = 0; at < k; at += 16) {
    int y = TID >> 3, x = (TID & 7) * 2;
    *(f16x2*)(tile + y * 16 + x) = *(const f16x2*)(a + (row + y) * k + at + x);
    barrier();
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(*(const f16x16*)(tile + lane * 16),
                                                     *(const f16x16*)(b + column * k + at), sum);
    if (WAITS) barrier();
  }
  for (int i = 0; i < 8; ++i) c[(row + 2 * i + (lane_id() >> 4)) * n + column] = sum[i];
}

KERNEL(128) staged_product(const f16* a, const f16* b, float* c, int n, int k) { staged<true>(a, b, c, n, k); }

// A planted race: a wave may overwrite the tile that another still reads.
KERNEL(128) staged_product_race(const f16* a, const f16* b, float* c, int n, int k) { staged<false>(a, b, c, n, k); }

// Adds x to the residual and normalizes the sum, a block a row.
KERNEL(256) residual_norm(float* residual, const float* x, const float* weight, float* out, int size, float epsilon) {
  SHARED float partial[8];
  float squares = 0;
  for (int i = TID; i < size; i += 256) {
    float v = residual[BLOCK * size + i] + x[BLOCK * size + i];
    residual[BLOCK * size + i] = v;
    squares = __builtin_fmaf(v, v, squares);
  }
  squares = wave_sum<1>(squares);
  if (lane_id() == 0) partial[TID >> 5] = squares;
  barrier();
  float total = 0;
  for (int i = 0; i < 8; ++i) total += partial[i];
  float scale = __builtin_amdgcn_rsqf(total / (float)size + epsilon);
  for (int i = TID; i < size; i += 256) out[BLOCK * size + i] = residual[BLOCK * size + i] * scale * weight[i];
}

// Rotates a token's keys to its position and puts them into its page, 16 tokens a page; a block a head of 64.
KERNEL(32) rotate_into_page(const float* key, f16* cache, const u32* pages, const u32* position, int heads, float base_log2) {
  u32 at = *position;
  float turns = __builtin_amdgcn_exp2f(-(float)TID * base_log2 / 32.0f) * (float)at * 0.15915494309f;
  float angle = __builtin_amdgcn_fractf(turns);
  float c = __builtin_amdgcn_cosf(angle), s = __builtin_amdgcn_sinf(angle);
  float a = key[BLOCK * 64 + TID], b = key[BLOCK * 64 + TID + 32];
  f16* there = cache + ((u64)pages[at >> 4] * 16 + (at & 15)) * heads * 64 + BLOCK * 64 + TID;
  there[0] = (f16)(a * c - b * s), there[32] = (f16)(a * s + b * c);
}

// One step of a recurrent state [rows, size]: it decays, takes x b in, and gives its product with c. A wave a row.
KERNEL(128) state_step(float* state, const float* x, const float* decay, const float* b, const float* c, float* out, int size) {
  int row = BLOCK * 4 + (TID >> 5);
  float sum = 0;
  for (int i = lane_id(); i < size; i += 32) {
    float next = __builtin_fmaf(state[row * size + i], decay[row], x[row] * b[i]);
    state[row * size + i] = next;
    sum = __builtin_fmaf(next, c[i], sum);
  }
  sum = wave_sum<0>(sum);
  if (lane_id() == 0) out[row] = sum;
}

// The first of the largest numbers, by the largest key of number and place.
KERNEL(256) largest(const float* x, int count, u32* place) {
  SHARED u64 best;
  if (TID == 0) best = 0;
  barrier();
  u64 mine = 0;
  for (int i = TID; i < count; i += 256) {
    u32 bits = __builtin_bit_cast(u32, x[i]);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    u64 key = (u64)bits << 32 | ~(u32)i;
    mine = key > mine ? key : mine;
  }
  __hip_atomic_fetch_max(&best, mine, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  barrier();
  if (TID == 0) *place = ~(u32)best;
}
