#include "drivers.h"

#include "iree/hal/drivers/hip/api.h"

iree_status_t tyto_hip_driver_create(iree_string_view_t library, iree_allocator_t host_allocator,
                                     iree_hal_driver_t **out_driver) {
  iree_hal_hip_driver_options_t options;
  iree_hal_hip_driver_options_initialize(&options);
  options.hip_lib_search_paths = &library;
  options.hip_lib_search_path_count = 1;
  iree_hal_hip_device_params_t parameters;
  iree_hal_hip_device_params_initialize(&parameters);
  return iree_hal_hip_driver_create(iree_make_cstring_view("hip"), &options, &parameters,
                                    host_allocator, out_driver);
}
