//! Where buffers come from.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memmap2::MmapMut;
use tyto_iree_runtime_sys as sys;

use crate::access::LastUse;
use crate::handle::HalBuffer;
use crate::runtime::RuntimeInner;
use crate::status::check;
use crate::{Buffer, Element, ElementType, Error, Runtime};

/// From this size on, zeroed memory is taken from the system page by page as it is used.
const LAZY_ZEROS_FROM_BYTES: usize = 1 << 20;

/// From this size on, huge pages are worth asking for: they are 2 MiB on most machines.
#[cfg(target_os = "linux")]
const HUGE_FROM_BYTES: usize = 4 << 20;

impl Runtime {
    /// A buffer of zeros. On the CPU a large one costs memory only as it is touched.
    pub fn zeros(&self, shape: &[usize], element_type: ElementType) -> Result<Buffer, Error> {
        let bytes = byte_length(shape, element_type)?;
        if self.driver().is_cpu() && bytes >= LAZY_ZEROS_FROM_BYTES {
            let hal = self.0.import_zeros(bytes)?;
            return Buffer::shaped(self.0.clone(), &hal, shape, element_type);
        }
        let buffer = self.allocate(shape, element_type, bytes, DEVICE)?;
        buffer.zero(0, bytes)?;
        Ok(buffer)
    }

    /// A buffer of zeros in memory that host and device both reach, for what one writes and the
    /// other reads a little at a time.
    ///
    /// Host access waits only for the last call that the buffer, or a result in the same
    /// memory, was passed to: so the host can prepare a call while another runs.
    pub fn shared_zeros(
        &self,
        shape: &[usize],
        element_type: ElementType,
    ) -> Result<Buffer, Error> {
        let bytes = byte_length(shape, element_type)?;
        let mut buffer = self.allocate(shape, element_type, bytes, SHARED)?;
        buffer.zero(0, bytes)?;
        buffer.last_use = Some(LastUse::default());
        Ok(buffer)
    }

    /// A buffer with these bytes; `bytes` is exactly as long as the shape needs. Does not wait
    /// for what is running.
    pub fn upload(
        &self,
        shape: &[usize],
        element_type: ElementType,
        bytes: &[u8],
    ) -> Result<Buffer, Error> {
        let expected = byte_length(shape, element_type)?;
        if bytes.len() != expected {
            let (shape, found) = (shape.to_vec(), bytes.len());
            return Err(Error::ByteLength {
                element_type: element_type.name(),
                shape,
                expected,
                found,
            });
        }
        let buffer = self.allocate(shape, element_type, expected, DEVICE)?;
        buffer.copy_in(0, bytes)?;
        Ok(buffer)
    }

    /// A buffer with these elements.
    pub fn upload_slice<T: Element>(
        &self,
        shape: &[usize],
        elements: &[T],
    ) -> Result<Buffer, Error> {
        self.upload(shape, T::TYPE, bytemuck::cast_slice(elements))
    }

    /// Memory with undefined contents; callers in this file fill it.
    fn allocate(
        &self,
        shape: &[usize],
        element_type: ElementType,
        bytes: usize,
        memory: MemoryType,
    ) -> Result<Buffer, Error> {
        let mut raw = null_mut();
        let parameters = match self.driver().name() {
            "cuda" | "hip" => exact_parameters(memory),
            _ => buffer_parameters(memory),
        };
        // SAFETY: the allocator is live; the pointer is to a local.
        let status = unsafe {
            sys::iree_hal_allocator_allocate_buffer(self.0.allocator(), parameters, bytes, &mut raw)
        };
        check(status, || {
            format!("allocating {bytes} bytes for {shape:?} {}", element_type.name())
        })?;
        Buffer::shaped(self.0.clone(), &HalBuffer::from_raw(raw), shape, element_type)
    }
}

impl RuntimeInner {
    /// A buffer over fresh pages of the system, which are zero and appear when touched.
    fn import_zeros(&self, bytes: usize) -> Result<HalBuffer, Error> {
        let mut lent = Lent::new(bytes, &self.zero_pages)?;
        let pages = &raw mut lent.pages[..];
        let parameters = buffer_parameters(DEVICE);
        // SAFETY: our allocator is live, and the pages stay where they are as long as what lends them.
        unsafe {
            import(self.allocator(), parameters, pages, lent, || {
                format!("allocating {bytes} bytes of zeros")
            })
        }
    }
}

/// A buffer over bytes of the host. `keep` is dropped when the last user of the buffer is gone, or at
/// once where the driver refuses the bytes; `action` says for the error what was tried.
///
/// # Safety
///
/// The allocator is live. The bytes stay where they are, and nobody else writes them, until `keep` is
/// dropped; where others read them, no code that gets the buffer writes them.
pub(crate) unsafe fn import<T: Send + 'static>(
    allocator: *mut sys::iree_hal_allocator_t,
    parameters: sys::iree_hal_buffer_params_t,
    bytes: *mut [u8],
    keep: T,
    action: impl FnOnce() -> String,
) -> Result<HalBuffer, Error> {
    let mut external = sys::iree_hal_external_buffer_t {
        type_: sys::iree_hal_external_buffer_type_e_IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION,
        size: bytes.len(),
        ..Default::default()
    };
    external.handle.host_allocation.ptr = bytes.cast();
    let keep = Box::into_raw(Box::new(keep));
    let release =
        sys::iree_hal_buffer_release_callback_t { fn_: Some(release::<T>), user_data: keep.cast() };
    let mut raw = null_mut();
    // SAFETY: as the caller has said, until IREE calls the release function; the pointers are to locals.
    let status = unsafe {
        sys::iree_hal_allocator_import_buffer(
            allocator,
            parameters,
            &mut external,
            release,
            &mut raw,
        )
    };
    if !status.is_null() {
        // SAFETY: on failure IREE does not call the release function, so it is still ours.
        drop(unsafe { Box::from_raw(keep) });
    }
    check(status, action)?;
    Ok(HalBuffer::from_raw(raw))
}

/// Called once, when the last user of an imported buffer is gone.
unsafe extern "C" fn release<T>(user_data: *mut c_void, _buffer: *mut sys::iree_hal_buffer_t) {
    // SAFETY: `user_data` is the box of a `T` that `import` gave up.
    drop(unsafe { Box::from_raw(user_data.cast::<T>()) });
}

/// Bytes of zero pages, which IREE's allocator does not count.
#[derive(Debug, Default)]
pub(crate) struct ZeroPages {
    pub(crate) in_use: AtomicUsize,
    pub(crate) allocated: AtomicUsize,
}

/// Pages on loan to IREE.
struct Lent {
    pages: MmapMut,
    counters: Arc<ZeroPages>,
}

impl Lent {
    fn new(bytes: usize, counters: &Arc<ZeroPages>) -> Result<Lent, Error> {
        let failed = |source| Error::Map { path: "memory".into(), source };
        let pages = MmapMut::map_anon(bytes).map_err(failed)?;
        // A cache of keys and values grows by thousands of small pages a second, each a fault in
        // the middle of a step. Advice: a kernel without huge pages refuses it and nothing is lost.
        #[cfg(target_os = "linux")]
        if bytes >= HUGE_FROM_BYTES {
            let _ = pages.advise(memmap2::Advice::HugePage);
        }
        counters.in_use.fetch_add(bytes, Ordering::Relaxed);
        counters.allocated.fetch_add(bytes, Ordering::Relaxed);
        Ok(Lent { pages, counters: counters.clone() })
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.counters.in_use.fetch_sub(self.pages.len(), Ordering::Relaxed);
    }
}

type MemoryType = sys::iree_hal_memory_type_bits_t;

/// Memory of the device.
const DEVICE: MemoryType = sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL;

/// Memory of the host that the device reaches too.
const SHARED: MemoryType = sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_HOST_LOCAL
    | sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE;

/// The host can map shared memory, and memory of the device where that is possible.
fn buffer_parameters(memory: MemoryType) -> sys::iree_hal_buffer_params_t {
    let mapping = sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_MAPPING;
    let optional = match memory {
        SHARED => 0,
        _ => sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_MAPPING_OPTIONAL,
    };
    let usage =
        sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_DEFAULT | mapping | optional;
    sys::iree_hal_buffer_params_t {
        usage: usage as sys::iree_hal_buffer_usage_t,
        access: sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_ALL
            as sys::iree_hal_memory_access_t,
        type_: memory as sys::iree_hal_memory_type_t,
        ..Default::default()
    }
}

/// The same for IREE's drivers `cuda` and `hip`, which take what might be for what must be. Memory of the
/// device that might be mapped would be managed memory there, whose pages wander, or the host's where the
/// device has no such memory. Memory of the host that is not declared cached would be written past the
/// caches, which makes reading logits slow.
fn exact_parameters(memory: MemoryType) -> sys::iree_hal_buffer_params_t {
    let mut parameters = buffer_parameters(memory);
    match memory {
        SHARED => {
            parameters.type_ |= sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_HOST_CACHED
                as sys::iree_hal_memory_type_t;
        }
        _ => {
            parameters.usage = sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_DEFAULT
                as sys::iree_hal_buffer_usage_t;
        }
    }
    parameters
}

fn byte_length(shape: &[usize], element_type: ElementType) -> Result<usize, Error> {
    element_type
        .byte_length(shape)
        .filter(|bytes| *bytes <= isize::MAX as usize)
        .ok_or_else(|| Error::Shape { element_type: element_type.name(), shape: shape.to_vec() })
}
