// cuda.h -- the kernels on NVIDIA GPUs: the builtins of AMD GPUs in CUDA's words, without CUDA's
// headers or library. Experimental: a second look at the kernels' algorithms on real hardware.
//
// What has no words here: WMMA, whose kernels are left out, and DPP and permutations across lanes
// beyond those that are used. A wave is a warp; lanes of a warp need not run in step, so a fence of
// a wave is a barrier of the warp.

#pragma once

// CUDA's constant memory is another thing than memory that is not written.
#define TY_CONSTANT __attribute__((address_space(1)))
#define TY_SCALAR "l"
#define TY_VECTOR "r"

// Static shared memory ends at 48 KiB, of which a launch of rows needs some beside the rows.
#define ROW_FLOATS (12 * 1024 - 64)

// The arguments of a step are parameters, which have no address that an index could be added to.
struct ty_arguments {
  u64 at[11];
  u32 phase_index;

  TY_METHOD u64 argument(u32 index) const {
    u64 found = at[0];
#pragma unroll
    for (u32 i = 1; i < 11; i++) found = index == i ? at[i] : found;
    return found;
  }
  TY_METHOD u32 phase() const { return phase_index; }
};

#define TY_KERNEL(name)                                                                           \
  TY_DEVICE void name##_body(const ty_step &step);                                                \
  extern "C" __attribute__((global)) __attribute__((launch_bounds(256))) void name(               \
      u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u64 i, u64 j, u64 k, u32 phase) {   \
    const ty_step step = {{{a, b, c, d, e, f, g, h, i, j, k}, phase}};                            \
    name##_body(step);                                                                            \
  }                                                                                               \
  TY_DEVICE void name##_body(const ty_step &step)

#define __builtin_amdgcn_workitem_id_x __nvvm_read_ptx_sreg_tid_x
#define __builtin_amdgcn_workgroup_id_x __nvvm_read_ptx_sreg_ctaid_x
#define __builtin_amdgcn_workgroup_id_y __nvvm_read_ptx_sreg_ctaid_y
#define __builtin_amdgcn_workgroup_id_z __nvvm_read_ptx_sreg_ctaid_z
#define __builtin_amdgcn_s_barrier barrier_of_cuda
#define __builtin_amdgcn_fence(order, scope) fence_of_cuda()
#define __builtin_amdgcn_exp2f(x) __nvvm_ex2_approx_f(x)
#define __builtin_amdgcn_perm(high, low, index) __nvvm_prmt(low, high, selectors_of_cuda(index))
#define __builtin_amdgcn_readfirstlane(v) first_of_cuda((u32)(v))
#define __builtin_amdgcn_ds_bpermute(byte, v) __nvvm_shfl_sync_idx_i32(~0u, v, (byte) / 4, 31)
#define __builtin_amdgcn_update_dpp(old, v, control, rows, banks, bound) \
  __nvvm_shfl_sync_bfly_i32(~0u, v, (control) & 15, 31)
#define __builtin_amdgcn_permlanex16(old, v, low, high, fetch, bound) \
  ((u32)__nvvm_shfl_sync_bfly_i32(~0u, (int)(v), 16, 31))
#define __builtin_amdgcn_ballot_w32(v) ((u32)__nvvm_vote_ballot_sync(~0u, v))
#define __builtin_amdgcn_readlane(v, lane) __nvvm_shfl_sync_idx_i32(~0u, v, lane, 31)
#define __builtin_amdgcn_ldexpf power_of_cuda

TY_DEVICE void barrier_of_cuda() { asm volatile("bar.sync 0;" ::: "memory"); }

// Of a wave; between the waves of a workgroup the barrier orders memory by itself.
TY_DEVICE void fence_of_cuda() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

// Of the lanes that are here: in a branch that some have not taken, a shuffle of all would wait for ever.
TY_DEVICE u32 first_of_cuda(u32 v) {
  u32 here;
  asm volatile("activemask.b32 %0;" : "=r"(here));
  return (u32)__nvvm_shfl_sync_idx_i32(here, (int)v, __builtin_ctz(here), 31);
}

// One index a nibble, from one a byte.
TY_DEVICE u32 selectors_of_cuda(u32 index) {
  return (index & 7) | (index >> 4 & 0x70) | (index >> 8 & 0x700) | (index >> 12 & 0x7000);
}

TY_DEVICE f32 power_of_cuda(f32 x, int n) {
  const int half = n / 2, rest = n - half;
  return x * __builtin_bit_cast(f32, (u32)(half + 127) << 23) * __builtin_bit_cast(f32, (u32)(rest + 127) << 23);
}
