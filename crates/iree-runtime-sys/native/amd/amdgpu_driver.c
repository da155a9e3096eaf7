#include "drivers.h"

#include "iree/hal/drivers/amdgpu/api.h"

// Bytes of the ring in which the host hands a PM4 program its buffers' addresses. IREE's default is
// no ring, and without one it never selects PM4.
#define PM4_UPLOAD_BYTES (1u << 20)

iree_status_t tyto_amdgpu_driver_create(iree_string_view_t library, bool pm4,
                                        iree_allocator_t host_allocator,
                                        iree_hal_driver_t **out_driver) {
  iree_hal_amdgpu_driver_options_t options;
  iree_hal_amdgpu_driver_options_initialize(&options);
  if (!iree_string_view_is_empty(library)) {
    options.libhsa_search_paths = (iree_string_view_list_t){.count = 1, .values = &library};
  }
  iree_hal_amdgpu_logical_device_options_t *device = &options.default_device_options;
  if (pm4) {
    // Not the mode PM4: it refuses the one-shot buffers of the runtime's own copies.
    device->command_buffer_mode = IREE_HAL_AMDGPU_COMMAND_BUFFER_MODE_AUTO;
    device->enable_experimental_pm4_command_buffers = 1;
    device->host_queues.upload_capacity = PM4_UPLOAD_BYTES;
  }
  return iree_hal_amdgpu_driver_create(iree_make_cstring_view("amdgpu"), &options, host_allocator,
                                       out_driver);
}
