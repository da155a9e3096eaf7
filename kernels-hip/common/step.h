// step.h -- what all kernels share: HIP's words without HIP's headers, the arguments of a step,
// and where operands are.
//
// A step is a phase program (kernels-cpu/program.h) whose phases are launched one after the other.
// Every kernel takes the same arguments; `phase` says which phase it runs. A workgroup has eight
// waves. Private scratch (TY_PRIVATE) is the workgroup's LDS, everything else is global memory.

#pragma once

#include "../../kernels-cpu/program.h"

typedef _Float16 f16;
typedef f16 f16x2 __attribute__((ext_vector_type(2)));
typedef f16 f16x8 __attribute__((ext_vector_type(8)));
typedef f16 f16x16 __attribute__((ext_vector_type(16)));
typedef f32 f32x2 __attribute__((ext_vector_type(2)));
typedef f32 f32x4 __attribute__((ext_vector_type(4)));
typedef f32 f32x8 __attribute__((ext_vector_type(8)));
typedef u16 u16x4 __attribute__((ext_vector_type(4)));
typedef u16 u16x8 __attribute__((ext_vector_type(8)));
typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));

#define TY_DEVICE static inline __attribute__((device)) __attribute__((always_inline))
#define TY_METHOD inline __attribute__((device)) __attribute__((always_inline))
#define TY_LDS __attribute__((shared))

#ifdef __NVPTX__
#include "cuda.h"
#else
#define TY_SCALAR "s"
#define TY_VECTOR "v"
#endif

// Memory by its address space, so that the compiler needs no flat accesses: global, LDS, and
// global memory that no kernel of a step writes and that is read by scalar loads.
#define TY_GLOBAL __attribute__((address_space(1)))
#define TY_LOCAL __attribute__((address_space(3)))
#ifndef TY_CONSTANT
#define TY_CONSTANT __attribute__((address_space(4)))
#endif

#define TY_THREADS 256u
#define TY_WAVE 32u
#define TY_WAVES (TY_THREADS / TY_WAVE)

// The arguments of a step: addresses in the order of a launch's bindings, then the phase. They are
// read where they are needed: all of them would take a fifth of the scalar registers.
#ifndef TY_KERNEL
struct ty_arguments {
  const TY_CONSTANT u64 *at;

  TY_METHOD u64 argument(u32 index) const { return at[index]; }
  TY_METHOD u32 phase() const { return *(const TY_CONSTANT u32 *)(at + 11); }
};
#endif

struct ty_step : ty_arguments {
  TY_METHOD u64 weights() const { return argument(0); }
  TY_METHOD u64 program() const { return argument(1); }
  TY_METHOD const TY_CONSTANT i32 *input_of(u32 space) const {
    return (const TY_CONSTANT i32 *)argument(space - 2);
  }
  TY_METHOD u64 cache() const { return argument(9); }
};

// Declares a kernel with these arguments as `step`.
#ifndef TY_KERNEL
#define TY_KERNEL(name)                                                                           \
  TY_DEVICE void name##_body(const ty_step &step);                                                \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(256, 256))) void  \
  name(const u8 *, const u8 *, const i32 *, const i32 *, const i32 *, const i32 *, const i32 *,   \
       const i32 *, u8 *, u8 *, f32 *, u32) {                                                     \
    const ty_step step = {{(const TY_CONSTANT u64 *)__builtin_amdgcn_kernarg_segment_ptr()}};     \
    name##_body(step);                                                                            \
  }                                                                                               \
  TY_DEVICE void name##_body(const ty_step &step)
#endif

TY_DEVICE u32 thread_id() { return __builtin_amdgcn_workitem_id_x(); }
TY_DEVICE u32 group_x() { return __builtin_amdgcn_workgroup_id_x(); }
TY_DEVICE u32 group_y() { return __builtin_amdgcn_workgroup_id_y(); }
TY_DEVICE u32 group_z() { return __builtin_amdgcn_workgroup_id_z(); }
TY_DEVICE u32 lane_id() { return thread_id() % TY_WAVE; }

// The wave's number in its workgroup, known to be the same in all lanes.
TY_DEVICE u32 wave_id() { return __builtin_amdgcn_readfirstlane(thread_id() / TY_WAVE); }

TY_DEVICE u32 uniform(u32 v) { return __builtin_amdgcn_readfirstlane(v); }

// All waves arrive, and see what the others wrote to LDS and to global memory.
TY_DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// ---- places ---------------------------------------------------------------------------

TY_DEVICE bool is_private(ty_ref ref) { return ref >> 56 == TY_PRIVATE; }
TY_DEVICE u64 offset_of(ty_ref ref) { return ref & 0x00ffffffffffffffull; }

// The address of a place in global memory.
TY_DEVICE u64 address_of(const ty_step &step, ty_ref ref) {
  const u32 space = (u32)(ref >> 56);
  u32 argument = space; // TY_WEIGHTS, TY_PROGRAM
  if (space == TY_SHARED) argument = 8;
  if (space >= TY_TOKENS) argument = space < TY_CACHE ? space - 2 : space - 1;
  return step.argument(argument) + offset_of(ref);
}

template <typename T> TY_DEVICE TY_GLOBAL T *global_at(u64 address) { return (TY_GLOBAL T *)address; }

// Step inputs are the same for the whole step, and indices into them the same for a workgroup.
TY_DEVICE i32 input(const ty_step &step, u32 space, u32 index) { return step.input_of(space)[index]; }

// ---- the program ----------------------------------------------------------------------

typedef const TY_CONSTANT ty_program *program_ref;
typedef const TY_CONSTANT ty_phase *phase_ref;
typedef const TY_CONSTANT ty_row_op *row_op_ref;
typedef const TY_CONSTANT ty_linear *linear_ref;
typedef const TY_CONSTANT ty_attention *attention_ref;
typedef const TY_CONSTANT ty_route *route_ref;
typedef const TY_CONSTANT ty_experts *experts_ref;
typedef const TY_CONSTANT ty_conv *conv_ref;
typedef const TY_CONSTANT ty_scan *scan_ref;

TY_DEVICE program_ref program_of(const ty_step &step) { return (program_ref)step.program(); }

// Item `index` of a list that begins `at` bytes from the program's begin.
template <typename T> TY_DEVICE T item(const ty_step &step, u64 at, u32 index) {
  return (T)(step.program() + at) + index;
}

TY_DEVICE phase_ref phase_of(const ty_step &step) {
  return item<phase_ref>(step, program_of(step)->phases, step.phase());
}
TY_DEVICE row_op_ref op_of(const ty_step &step, u32 index) {
  return item<row_op_ref>(step, program_of(step)->ops, index);
}
TY_DEVICE linear_ref linear_of(const ty_step &step, u32 index) {
  return item<linear_ref>(step, program_of(step)->linears, index);
}
TY_DEVICE attention_ref attention_of(const ty_step &step, u32 index) {
  return item<attention_ref>(step, program_of(step)->attentions, index);
}
TY_DEVICE route_ref route_of(const ty_step &step, u32 index) {
  return item<route_ref>(step, program_of(step)->routes, index);
}
TY_DEVICE experts_ref experts_of(const ty_step &step, u32 index) {
  return item<experts_ref>(step, program_of(step)->experts, index);
}

TY_DEVICE conv_ref conv_of(const ty_step &step, u32 index) {
  return item<conv_ref>(step, program_of(step)->convs, index);
}
TY_DEVICE scan_ref scan_of(const ty_step &step, u32 index) {
  return item<scan_ref>(step, program_of(step)->scans, index);
}

// The table of a route (kernels-cpu/experts.h).
struct route_table {
  TY_GLOBAL i32 *begins, *units, *assignments, *places, *owners;
};

TY_DEVICE route_table table_of(const ty_step &step, route_ref route) {
  route_table t;
  t.begins = global_at<i32>(address_of(step, route->table));
  t.units = t.begins + route->experts + 1;
  t.assignments = t.units + route->experts;
  t.places = t.assignments + route->rows;
  t.owners = t.places + route->rows;
  return t;
}

// Whether row `r` of a phase is no padding.
TY_DEVICE bool is_real(const ty_step &step, phase_ref phase, u32 r) {
  if (phase->over == 0) return input(step, TY_POSITIONS, r) >= 0;
  if (phase->over == 1) return input(step, TY_SAMPLED, r) >= 0;
  const route_ref route = route_of(step, phase->over - 2);
  return (i32)r < table_of(step, route).begins[route->experts];
}
