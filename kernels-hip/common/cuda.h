// cuda.h -- the kernels on NVIDIA GPUs, for a second look at their algorithms on real hardware: the
// builtins of AMD GPUs in CUDA's words. Experimental: nothing that is installed uses it.
//
// What is not looked at then: DPP and permutations across lanes, WMMA, loads by scalar units, the
// order of memory accesses of AMD GPUs. A wave is a warp; lanes of a warp need not run in step, so a
// fence of a wave is a barrier of the warp. A kernel takes the address of its arguments.

#pragma once

// CUDA's constant memory is another thing than memory that is not written.
#define TY_CONSTANT __attribute__((address_space(1)))
#define TY_SCALAR "l"
#define TY_VECTOR "r"

// Static shared memory ends at 48 KiB, of which a launch of rows needs some beside the rows.
#define ROW_FLOATS (12 * 1024 - 64)

#define TY_KERNEL(name)                                                                        \
  TY_DEVICE void name##_body(const ty_step &step);                                             \
  extern "C" __attribute__((global)) __attribute__((launch_bounds(256))) void name(const u64 *arguments) { \
    const ty_step step = {(const TY_CONSTANT u64 *)arguments};                                 \
    name##_body(step);                                                                         \
  }                                                                                            \
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
