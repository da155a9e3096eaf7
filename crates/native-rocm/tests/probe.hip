// Kernels for tests of everything between a code object and a step's logits: they only move numbers.
typedef unsigned char u8;
typedef int i32;
typedef unsigned u32;
typedef float f32;

#define KERNEL(name, threads)                                                                           \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(threads, threads))) void \
  name(const u8 *weights, const u8 *program, const i32 *tokens, const i32 *positions, const i32 *lengths, \
       const i32 *slots, const i32 *tables, const i32 *sampled, u8 *shared, u8 *cache, f32 *logits, u32 phase)

#define UNUSED(argument) (void)(argument)

// shared[i] = tokens[i] + program[phase] + weights[i], for 32 numbers.
KERNEL(ty_probe_sum, 32) {
  u32 i = __builtin_amdgcn_workitem_id_x();
  ((i32 *)shared)[i] = tokens[i] + ((const i32 *)program)[phase] + ((const i32 *)weights)[i];
  UNUSED(positions), UNUSED(lengths), UNUSED(slots), UNUSED(tables), UNUSED(sampled), UNUSED(cache), UNUSED(logits);
}

// logits[64 g + i] = shared[31 - i % 32] + phase + what the cache has there, to which 1 is added; the numbers
// go through memory that the workgroup shares.
KERNEL(ty_probe_reverse, 64) {
  static __attribute__((shared)) i32 line[64];
  u32 i = __builtin_amdgcn_workitem_id_x(), at = 64 * __builtin_amdgcn_workgroup_id_x() + i;
  line[i] = ((i32 *)shared)[i % 32];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  i32 *counts = (i32 *)cache;
  logits[at] = (f32)(line[31 - i % 32] + (i32)phase + counts[at]);
  counts[at] += 1;
  UNUSED(weights), UNUSED(program), UNUSED(tokens), UNUSED(positions), UNUSED(lengths), UNUSED(slots), UNUSED(tables), UNUSED(sampled);
}
