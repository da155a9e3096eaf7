//! Reference-counted IREE objects as owners.

use std::ptr::NonNull;

use tyto_iree_runtime_sys as sys;

/// Declares an owner of one reference; clones retain, drops release.
macro_rules! owner {
    ($name:ident, $raw:ident, $retain:ident, $release:ident) => {
        #[derive(Debug)]
        pub(crate) struct $name(NonNull<sys::$raw>);

        impl $name {
            /// Takes over one reference.
            pub(crate) fn from_raw(raw: *mut sys::$raw) -> $name {
                $name(NonNull::new(raw).expect("IREE returns an object with an OK status"))
            }

            /// The object, borrowed.
            pub(crate) fn raw(&self) -> *mut sys::$raw {
                self.0.as_ptr()
            }
        }

        impl Clone for $name {
            fn clone(&self) -> $name {
                // SAFETY: we hold a reference, so the object is live.
                unsafe { sys::$retain(self.raw()) };
                $name(self.0)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: releases exactly the reference that this owner holds.
                unsafe { sys::$release(self.raw()) };
            }
        }

        // SAFETY: IREE's reference counts are atomic, and the objects declared here are
        // thread-safe or only used under the runtime's lock (contexts, see access.rs).
        unsafe impl Send for $name {}
        // SAFETY: as above.
        unsafe impl Sync for $name {}
    };
}

owner!(Instance, iree_vm_instance_t, iree_vm_instance_retain, iree_vm_instance_release);
owner!(Context, iree_vm_context_t, iree_vm_context_retain, iree_vm_context_release);
owner!(Module, iree_vm_module_t, iree_vm_module_retain, iree_vm_module_release);
owner!(List, iree_vm_list_t, iree_vm_list_retain, iree_vm_list_release);
owner!(HalDriver, iree_hal_driver_t, iree_hal_driver_retain, iree_hal_driver_release);
owner!(Device, iree_hal_device_t, iree_hal_device_retain, iree_hal_device_release);
owner!(
    DeviceGroup,
    iree_hal_device_group_t,
    iree_hal_device_group_retain,
    iree_hal_device_group_release
);
owner!(
    FrontierTracker,
    iree_async_frontier_tracker_t,
    iree_async_frontier_tracker_retain,
    iree_async_frontier_tracker_release
);
owner!(
    ProactorPool,
    iree_async_proactor_pool_t,
    iree_async_proactor_pool_retain,
    iree_async_proactor_pool_release
);
owner!(Semaphore, iree_hal_semaphore_t, iree_hal_semaphore_retain, iree_hal_semaphore_release);
owner!(HalFence, iree_hal_fence_t, iree_hal_fence_retain, iree_hal_fence_release);
owner!(HalBuffer, iree_hal_buffer_t, iree_hal_buffer_retain, iree_hal_buffer_release);
owner!(
    BufferView,
    iree_hal_buffer_view_t,
    iree_hal_buffer_view_retain,
    iree_hal_buffer_view_release
);
owner!(FileHandle, iree_io_file_handle_t, iree_io_file_handle_retain, iree_io_file_handle_release);
owner!(
    ParameterIndex,
    iree_io_parameter_index_t,
    iree_io_parameter_index_retain,
    iree_io_parameter_index_release
);
owner!(
    ParameterProvider,
    iree_io_parameter_provider_t,
    iree_io_parameter_provider_retain,
    iree_io_parameter_provider_release
);
owner!(Executor, iree_task_executor_t, iree_task_executor_retain, iree_task_executor_release);
owner!(
    Loader,
    iree_hal_executable_loader_t,
    iree_hal_executable_loader_retain,
    iree_hal_executable_loader_release
);
owner!(
    PluginManager,
    iree_hal_executable_plugin_manager_t,
    iree_hal_executable_plugin_manager_retain,
    iree_hal_executable_plugin_manager_release
);
owner!(Allocator, iree_hal_allocator_t, iree_hal_allocator_retain, iree_hal_allocator_release);
