//! Typed, shaped memory of a device.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use tyto_iree_runtime_sys as sys;

use crate::access::{Borrow, LastUse};
use crate::handle::{BufferView, HalBuffer};
use crate::program::ProgramInner;
use crate::runtime::RuntimeInner;
use crate::status::{check, host_allocator};
use crate::{Element, ElementType, Error, Runtime};

/// A dense, row-major array on a device. Clones share the memory, as do results that a program
/// computed in place; [`Buffer::allocation_id`] tells.
///
/// Host access (reading, writing, mapping) waits until everything started on the runtime is
/// done. It can fail with the failure of a program that no fence has reported. Host access to
/// [shared memory](crate::Runtime::shared_zeros) waits only for the last call that it was passed to.
#[derive(Debug, Clone)]
pub struct Buffer {
    view: BufferView,
    element_type: ElementType,
    pub(crate) runtime: Arc<RuntimeInner>,
    /// Programs in whose code the memory may lie (constants are used where they are).
    pub(crate) origins: Origins,
    /// Of shared memory: the end of the last call that it was passed to.
    pub(crate) last_use: Option<LastUse>,
}

pub(crate) type Origins = Option<Arc<[Arc<ProgramInner>]>>;

impl Buffer {
    /// Extent of each dimension, outermost first.
    pub fn shape(&self) -> &[usize] {
        // SAFETY: the view is live as long as `self` and never reshaped.
        unsafe {
            let rank = sys::iree_hal_buffer_view_shape_rank(self.view.raw());
            if rank == 0 {
                return &[];
            }
            std::slice::from_raw_parts(sys::iree_hal_buffer_view_shape_dims(self.view.raw()), rank)
        }
    }

    /// The type of its elements.
    pub fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// Its size in bytes.
    pub fn byte_length(&self) -> usize {
        // SAFETY: the view is live.
        unsafe { sys::iree_hal_buffer_view_byte_length(self.view.raw()) }
    }

    /// Identity of the memory: equal for two live buffers exactly if they lie in the same
    /// allocation. An identity can come again after its allocation has gone.
    pub fn allocation_id(&self) -> usize {
        // SAFETY: the view is live and retains its buffer.
        unsafe { sys::iree_hal_buffer_allocated_buffer(self.hal()) as usize }
    }

    /// The same memory for programs on the same GPU [opened anew](Runtime::reopened).
    pub fn on(&self, reopened: &Runtime) -> Buffer {
        self.runtime.keep_for_ever();
        Buffer {
            view: self.view.clone(),
            element_type: self.element_type,
            runtime: reopened.0.clone(),
            origins: self.origins.clone(),
            last_use: self.last_use.as_ref().map(|_| LastUse::default()),
        }
    }

    /// All elements, copied. A `u8` reads any 8-bit type.
    pub fn read<T: Element>(&self) -> Result<Vec<T>, Error> {
        self.expect_type::<T>()?;
        let mut elements = vec![T::zeroed(); self.byte_length() / size_of::<T>()];
        self.read_bytes(0, bytemuck::cast_slice_mut(&mut elements))?;
        Ok(elements)
    }

    /// Copies bytes from `offset` on into `target`.
    pub fn read_bytes(&self, offset: usize, target: &mut [u8]) -> Result<(), Error> {
        self.expect_inside(offset, target.len())?;
        let _access = self.borrow(false)?;
        let (data, length) = (target.as_mut_ptr().cast::<c_void>(), target.len());
        // SAFETY: the range is inside the buffer, nothing is running, and `target` is ours.
        let status = unsafe {
            if self.is_mappable() {
                sys::iree_hal_buffer_map_read(self.hal(), offset, data, length)
            } else {
                let (device, forever) = (self.runtime.device.raw(), sys::iree_infinite_timeout());
                let from = offset;
                sys::iree_hal_device_transfer_d2h(
                    device,
                    self.hal(),
                    from,
                    data,
                    length,
                    0,
                    forever,
                )
            }
        };
        check(status, || format!("reading {length} bytes of a buffer"))
    }

    /// Overwrites bytes from `offset` on.
    pub fn write_bytes(&self, offset: usize, source: &[u8]) -> Result<(), Error> {
        self.expect_inside(offset, source.len())?;
        let _access = self.borrow(true)?;
        self.copy_in(offset, source)
    }

    /// Overwrites elements from the element `first` on. A `u8` writes any 8-bit type.
    pub fn write<T: Element>(&self, first: usize, elements: &[T]) -> Result<(), Error> {
        self.expect_type::<T>()?;
        let offset = first.saturating_mul(size_of::<T>());
        self.write_bytes(offset, bytemuck::cast_slice(elements))
    }

    /// Overwrites everything with zero bytes.
    pub fn fill_zero(&self) -> Result<(), Error> {
        let _access = self.borrow(true)?;
        self.zero(0, self.byte_length())
    }

    /// Overwrites `length` bytes from `offset` on with zeros, on the device.
    pub fn fill_zero_bytes(&self, offset: usize, length: usize) -> Result<(), Error> {
        self.expect_inside(offset, length)?;
        let _access = self.borrow(true)?;
        self.zero(offset, length)
    }

    /// Overwrites `length` bytes from `offset` on with those of `source` from `from` on, on the device.
    /// The two are different allocations.
    pub fn copy_from(
        &self,
        offset: usize,
        source: &Buffer,
        from: usize,
        length: usize,
    ) -> Result<(), Error> {
        self.expect_inside(offset, length)?;
        source.expect_inside(from, length)?;
        let _read = source.borrow(false)?;
        let _write = self.borrow(true)?;
        if !self.is_mappable() || !source.is_mappable() {
            let access = &self.runtime.access;
            return access.copy((source.hal(), from), (self.hal(), offset), length);
        }
        // SAFETY: both ranges are inside their buffers, which nothing else uses.
        let status = unsafe {
            sys::iree_hal_buffer_map_copy(source.hal(), from, self.hal(), offset, length)
        };
        check(status, || format!("copying {length} bytes between buffers"))
    }

    /// Overwrites everything with zero bytes by the device's queue, also where the host reaches the
    /// memory itself: a device that does this still works.
    pub fn fill_zero_by_queue(&self) -> Result<(), Error> {
        let _access = self.borrow(true)?;
        self.runtime.access.fill_zero(self.hal(), 0, self.byte_length())
    }

    /// Lends the memory itself to a closure, with no copy. Calls on the runtime are refused
    /// until it returns. Only where device memory is host memory.
    pub fn map<R>(&self, look: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
        let _access = self.borrow(false)?;
        let mapping =
            self.mapping(sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_READ)?;
        Ok(look(mapping.bytes()))
    }

    /// As [`Buffer::map`], for writing; no one else can map the allocation meanwhile.
    pub fn map_mut<R>(&self, change: impl FnOnce(&mut [u8]) -> R) -> Result<R, Error> {
        let _access = self.borrow(true)?;
        let access = sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_READ
            | sys::iree_hal_memory_access_bits_t_IREE_HAL_MEMORY_ACCESS_WRITE;
        let mut mapping = self.mapping(access)?;
        Ok(change(mapping.bytes_mut()))
    }

    /// A buffer over a view that a program returned.
    pub(crate) fn from_view(
        view: BufferView,
        runtime: Arc<RuntimeInner>,
        origins: Origins,
    ) -> Result<Buffer, Error> {
        // SAFETY: the view is live.
        let raw = unsafe { sys::iree_hal_buffer_view_element_type(view.raw()) };
        let element_type = ElementType::from_raw(raw).ok_or(Error::UnknownElementType { raw })?;
        Ok(Buffer { view, element_type, runtime, origins, last_use: None })
    }

    pub(crate) fn view(&self) -> &BufferView {
        &self.view
    }

    pub(crate) fn shaped(
        runtime: Arc<RuntimeInner>,
        hal: &HalBuffer,
        shape: &[usize],
        element_type: ElementType,
    ) -> Result<Buffer, Error> {
        let mut raw = null_mut();
        let dense = sys::iree_hal_encoding_types_t_IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR;
        // SAFETY: the buffer is live and is retained by the view.
        let status = unsafe {
            sys::iree_hal_buffer_view_create(
                hal.raw(),
                shape.len(),
                shape.as_ptr(),
                element_type.raw(),
                dense as sys::iree_hal_encoding_type_t,
                host_allocator(),
                &mut raw,
            )
        };
        check(status, || format!("shaping a buffer as {shape:?}"))?;
        let view = BufferView::from_raw(raw);
        Ok(Buffer { view, element_type, runtime, origins: None, last_use: None })
    }

    /// Overwrites bytes inside the buffer, which nothing else is using.
    pub(crate) fn copy_in(&self, offset: usize, source: &[u8]) -> Result<(), Error> {
        let (data, length) = (source.as_ptr().cast::<c_void>(), source.len());
        // SAFETY: IREE checks the range; nothing else uses the memory; `source` outlives the copy.
        let status = unsafe {
            if self.is_mappable() {
                sys::iree_hal_buffer_map_write(self.hal(), offset, data, length)
            } else {
                let (device, forever) = (self.runtime.device.raw(), sys::iree_infinite_timeout());
                let to = offset;
                sys::iree_hal_device_transfer_h2d(device, data, self.hal(), to, length, 0, forever)
            }
        };
        check(status, || format!("writing {length} bytes of a buffer"))
    }

    /// Overwrites bytes inside the buffer with zeros; nothing else is using it.
    pub(crate) fn zero(&self, offset: usize, length: usize) -> Result<(), Error> {
        if !self.is_mappable() {
            return self.runtime.access.fill_zero(self.hal(), offset, length);
        }
        // SAFETY: nothing else uses the memory.
        let status = unsafe { sys::iree_hal_buffer_map_zero(self.hal(), offset, length) };
        check(status, || "zeroing a buffer".to_owned())
    }

    /// The right of the host to the memory.
    fn borrow(&self, write: bool) -> Result<Borrow<'_>, Error> {
        let access = &self.runtime.access;
        match &self.last_use {
            Some(last) => access.borrow_after(last, self.allocation_id(), write),
            None => access.borrow(self.allocation_id(), write),
        }
    }

    fn hal(&self) -> *mut sys::iree_hal_buffer_t {
        // SAFETY: the view is live and retains its buffer.
        unsafe { sys::iree_hal_buffer_view_buffer(self.view.raw()) }
    }

    fn is_mappable(&self) -> bool {
        let scoped = sys::iree_hal_buffer_usage_bits_t_IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED;
        // SAFETY: the buffer is live.
        unsafe { sys::iree_hal_buffer_allowed_usage(self.hal()) & scoped != 0 }
    }

    fn mapping(&self, memory_access: sys::iree_hal_memory_access_bits_t) -> Result<Mapping, Error> {
        let mut raw = sys::iree_hal_buffer_mapping_t::default();
        let scoped = sys::iree_hal_mapping_mode_bits_t_IREE_HAL_MAPPING_MODE_SCOPED;
        // SAFETY: the buffer is live; the mapping is undone when dropped.
        let status = unsafe {
            sys::iree_hal_buffer_map_range(
                self.hal(),
                scoped as sys::iree_hal_mapping_mode_t,
                memory_access as sys::iree_hal_memory_access_t,
                0,
                self.byte_length(),
                &mut raw,
            )
        };
        check(status, || "mapping a buffer on the host".to_owned())?;
        Ok(Mapping(raw))
    }

    fn expect_inside(&self, offset: usize, length: usize) -> Result<(), Error> {
        let buffer_length = self.byte_length();
        if offset.checked_add(length).is_some_and(|end| end <= buffer_length) {
            return Ok(());
        }
        Err(Error::OutsideBuffer { offset, length, buffer_length })
    }

    fn expect_type<T: Element>(&self) -> Result<(), Error> {
        let bytes_of_any = T::TYPE == ElementType::U8 && self.element_type.bits() == 8;
        if T::TYPE == self.element_type || bytes_of_any {
            return Ok(());
        }
        Err(Error::ElementType { expected: T::TYPE.name(), found: self.element_type.name() })
    }
}

/// A scoped host mapping; undone when dropped.
struct Mapping(sys::iree_hal_buffer_mapping_t);

impl Mapping {
    fn bytes(&self) -> &[u8] {
        let span = self.0.contents;
        if span.data_length == 0 {
            return &[];
        }
        // SAFETY: the mapping covers the span until dropped; the table of accesses excludes
        // programs and writers.
        unsafe { std::slice::from_raw_parts(span.data, span.data_length) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let span = self.0.contents;
        if span.data_length == 0 {
            return &mut [];
        }
        // SAFETY: as above, and the table of accesses excludes readers too.
        unsafe { std::slice::from_raw_parts_mut(span.data, span.data_length) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: unmapped exactly once. A failure to unmap host memory leaves nothing to do.
        unsafe {
            let status = sys::iree_hal_buffer_unmap_range(&mut self.0);
            sys::iree_status_free(status);
        }
    }
}
