// The functions of NVIDIA's driver library, with two differences from IREE's own file, in whose place
// this one is compiled:
//
// The library is looked for as libcuda.so.1, the name by which drivers install it. libcuda.so is
// there only with what developers install.
//
// A thread can allocate, load and free only when the GPU's context is the thread's current one, and
// IREE makes it that only for the thread that opens the device and for its own worker. Ours open a
// GPU in one thread and use it in another, so the functions that want a context set it first.
#include "iree/hal/drivers/cuda/cuda_dynamic_symbols.h"

#include <stdatomic.h>
#include <string.h>

#include "iree/hal/drivers/cuda/cuda_status_util.h"

// The version of the API that is asked for: that of nvidia/include/cuda.h.
#define API_VERSION 11030

static const char *const library_names[] = {"libcuda.so.1", "libcuda.so"};

// The library's own functions, and the context of the one GPU that a process opens.
static iree_hal_cuda_dynamic_symbols_t own;
static _Atomic(CUcontext) context;
static _Thread_local CUcontext current;

static void bind_thread(void) {
  CUcontext wanted = atomic_load(&context);
  if (wanted == current) return;
  if (own.cuCtxSetCurrent(wanted) == CUDA_SUCCESS) current = wanted;
}

static CUresult retain_context(CUcontext *out, CUdevice device) {
  CUresult result = own.cuDevicePrimaryCtxRetain(out, device);
  if (result == CUDA_SUCCESS) atomic_store(&context, *out);
  return result;
}

// A function that wants a context: its parameters, and their names.
#define BOUND(name, parameters, arguments) \
  static CUresult bound_##name parameters { \
    bind_thread();                          \
    return own.name arguments;              \
  }

BOUND(cuMemAlloc, (CUdeviceptr * at, size_t size), (at, size))
BOUND(cuMemAllocManaged, (CUdeviceptr * at, size_t size, unsigned int flags), (at, size, flags))
BOUND(cuMemFree, (CUdeviceptr at), (at))
BOUND(cuMemFreeAsync, (CUdeviceptr at, CUstream stream), (at, stream))
BOUND(cuMemFreeHost, (void *at), (at))
BOUND(cuMemHostAlloc, (void **at, size_t size, unsigned int flags), (at, size, flags))
BOUND(cuMemHostRegister, (void *at, size_t size, unsigned int flags), (at, size, flags))
BOUND(cuMemHostUnregister, (void *at), (at))
BOUND(cuMemHostGetDevicePointer, (CUdeviceptr * out, void *at, unsigned int flags), (out, at, flags))
BOUND(cuMemAllocFromPoolAsync, (CUdeviceptr * at, size_t size, CUmemoryPool pool, CUstream stream),
      (at, size, pool, stream))
BOUND(cuModuleLoadDataEx,
      (CUmodule * module, const void *image, unsigned int count, CUjit_option *options, void **values),
      (module, image, count, options, values))
BOUND(cuModuleUnload, (CUmodule module), (module))
BOUND(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name),
      (function, module, name))
BOUND(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value),
      (function, attribute, value))
BOUND(cuEventCreate, (CUevent * event, unsigned int flags), (event, flags))
BOUND(cuEventDestroy, (CUevent event), (event))
BOUND(cuEventRecord, (CUevent event, CUstream stream), (event, stream))
BOUND(cuEventSynchronize, (CUevent event), (event))
BOUND(cuStreamSynchronize, (CUstream stream), (stream))

// Puts the functions above in the place of the library's own.
static void bind_all(iree_hal_cuda_dynamic_symbols_t *symbols) {
  symbols->cuDevicePrimaryCtxRetain = retain_context;
#define USE(name) symbols->name = bound_##name
  USE(cuMemAlloc);
  USE(cuMemAllocManaged);
  USE(cuMemFree);
  USE(cuMemFreeAsync);
  USE(cuMemFreeHost);
  USE(cuMemHostAlloc);
  USE(cuMemHostRegister);
  USE(cuMemHostUnregister);
  USE(cuMemHostGetDevicePointer);
  USE(cuMemAllocFromPoolAsync);
  USE(cuModuleLoadDataEx);
  USE(cuModuleUnload);
  USE(cuModuleGetFunction);
  USE(cuFuncSetAttribute);
  USE(cuEventCreate);
  USE(cuEventDestroy);
  USE(cuEventRecord);
  USE(cuEventSynchronize);
  USE(cuStreamSynchronize);
#undef USE
}

static iree_status_t resolve(iree_hal_cuda_dynamic_symbols_t *syms) {
  IREE_RETURN_IF_ERROR(iree_dynamic_library_lookup_symbol(syms->dylib, "cuGetProcAddress",
                                                          (void **)&syms->cuGetProcAddress));
#define IREE_CU_PFN_DECL(name, ...)                                                             \
  IREE_CUDA_RETURN_IF_ERROR(syms,                                                               \
                            cuGetProcAddress(#name, (void **)&syms->name, API_VERSION,          \
                                             CU_GET_PROC_ADDRESS_DEFAULT),                      \
                            "looking up " #name " in NVIDIA's driver library");
#include "iree/hal/drivers/cuda/cuda_dynamic_symbol_table.h"
#undef IREE_CU_PFN_DECL
  return iree_ok_status();
}

iree_status_t iree_hal_cuda_dynamic_symbols_initialize(iree_allocator_t host_allocator,
                                                       iree_hal_cuda_dynamic_symbols_t *out_syms) {
  memset(out_syms, 0, sizeof(*out_syms));
  iree_status_t status = iree_dynamic_library_load_from_files(
      IREE_ARRAYSIZE(library_names), library_names, IREE_DYNAMIC_LIBRARY_FLAG_NONE, host_allocator,
      &out_syms->dylib);
  if (iree_status_is_ok(status)) status = resolve(out_syms);
  if (iree_status_is_ok(status)) {
    own = *out_syms;
    bind_all(out_syms);
  } else {
    iree_hal_cuda_dynamic_symbols_deinitialize(out_syms);
  }
  return status;
}

void iree_hal_cuda_dynamic_symbols_deinitialize(iree_hal_cuda_dynamic_symbols_t *syms) {
  iree_dynamic_library_release(syms->dylib);
  memset(syms, 0, sizeof(*syms));
}
