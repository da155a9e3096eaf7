// Opening AMD drivers with options that IREE takes as C structures, or not by the names of files.
#ifndef TYTO_AMD_DRIVERS_H
#define TYTO_AMD_DRIVERS_H

#include "iree/base/api.h"
#include "iree/hal/api.h"

// Creates the driver "amdgpu".
//
// `library`: the directory of libhsa-runtime64.so.1. Empty: the one that the variable
// IREE_HAL_AMDGPU_LIBHSA_PATH names, else the places of the system's loader.
// `pm4`: command buffers that can be are kept on the device as PM4 programs; others, and all of
// them without it, are replayed as AQL packets. Upstream has not proven PM4 on gfx11.5.
iree_status_t tyto_amdgpu_driver_create(iree_string_view_t library, bool pm4,
                                        iree_allocator_t host_allocator,
                                        iree_hal_driver_t **out_driver);

// Creates the driver "hip", with libamdhip64.so of the directory `library`.
iree_status_t tyto_hip_driver_create(iree_string_view_t library, iree_allocator_t host_allocator,
                                     iree_hal_driver_t **out_driver);

#endif
