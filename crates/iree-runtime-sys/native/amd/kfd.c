// IREE's way to the kernel's compute driver, with one addition: where /dev/kfd does not open and
// the loaded HSA library is Tyto's emulator, there is no kernel driver to ask, and the device is
// opened without. IREE asks it for clocks only, when profiling, which then fails.
//
// Compiled in the place of IREE's own kfd.c, which it contains all but the opening of.
#define iree_hal_amdgpu_kfd_open tyto_replaced_kfd_open
#include "iree/hal/drivers/amdgpu/util/kfd.c"
#undef iree_hal_amdgpu_kfd_open

#include <dlfcn.h>
#include <stdlib.h>

// The symbol by which the emulator's library says what it is.
#define TYTO_EMULATOR_SYMBOL "tyto_rdna_emulator"

// For emulators that have no such symbol.
#define TYTO_EMULATOR_VARIABLE "TYTO_EMU_KFD"

static int tyto_is_emulated(void) {
  const char *said = getenv(TYTO_EMULATOR_VARIABLE);
  if (said && strcmp(said, "1") == 0) return 1;
  // Not loaded, only found if it is loaded: the driver has done that before.
  void *library = dlopen("libhsa-runtime64.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return 0;
  const int emulated = dlsym(library, TYTO_EMULATOR_SYMBOL) != NULL;
  dlclose(library);
  return emulated;
}

iree_status_t iree_hal_amdgpu_kfd_open(int *out_fd) {
  *out_fd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
  const int reason = errno;
  if (*out_fd >= 0 || tyto_is_emulated()) return iree_ok_status();
  return iree_make_status(
      IREE_STATUS_UNAVAILABLE,
      "no /dev/kfd: %s; either the kernel's amdgpu driver is not loaded, or this user may not open "
      "the device (it belongs to the group render)",
      strerror(reason));
}
