//! What HIP's callers pass by address. Source of the layouts: HIP's public documentation and ABI, ROCm 5 and 6.

use std::ffi::c_void;

use super::table::Handle;

/// `dim3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Dim3 {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

impl Dim3 {
    /// Its three numbers.
    pub fn axes(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }
}

/// `hipKernelNodeParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct KernelNodeParams {
    pub block: Dim3,
    pub extra: *const *const c_void,
    pub function: Handle,
    pub grid: Dim3,
    pub parameters: *const *const c_void,
    pub dynamic_lds: u32,
}

/// `hipMemsetParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct MemsetParams {
    pub destination: u64,
    /// 1, 2 or 4.
    pub element_size: u32,
    pub height: usize,
    /// From row to row, in bytes; unused for one row.
    pub pitch: usize,
    pub value: u32,
    /// Elements of a row.
    pub width: usize,
}

/// One side of a copy in `HIP_MEMCPY3D`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CopySide {
    pub x_bytes: usize,
    pub y: usize,
    pub z: usize,
    pub level_of_detail: usize,
    pub memory_type: u32,
    pub host: u64,
    pub device: u64,
    pub array: *const c_void,
    pub pitch: usize,
    pub height: usize,
}

/// `HIP_MEMCPY3D`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Copy3d {
    pub source: CopySide,
    pub destination: CopySide,
    pub width_bytes: usize,
    pub height: usize,
    pub depth: usize,
}

/// `hipPointerAttribute_t` of ROCm 6.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct PointerAttributes {
    /// 1: the host's; 2: the device's.
    pub memory_type: u32,
    pub device: i32,
    pub device_pointer: u64,
    pub host_pointer: u64,
    pub is_managed: i32,
    pub flags: u32,
}

#[cfg(test)]
mod tests {
    use std::mem::{offset_of, size_of};

    use super::*;

    #[test]
    fn layouts_are_those_of_c() {
        assert_eq!(size_of::<KernelNodeParams>(), 64);
        assert_eq!(offset_of!(KernelNodeParams, extra), 16);
        assert_eq!(offset_of!(KernelNodeParams, function), 24);
        assert_eq!(offset_of!(KernelNodeParams, grid), 32);
        assert_eq!(offset_of!(KernelNodeParams, parameters), 48);
        assert_eq!(offset_of!(KernelNodeParams, dynamic_lds), 56);
        assert_eq!(size_of::<MemsetParams>(), 48);
        assert_eq!(offset_of!(MemsetParams, element_size), 8);
        assert_eq!(offset_of!(MemsetParams, height), 16);
        assert_eq!(offset_of!(MemsetParams, value), 32);
        assert_eq!(offset_of!(MemsetParams, width), 40);
        assert_eq!(size_of::<Copy3d>(), 184);
        assert_eq!(offset_of!(CopySide, memory_type), 32);
        assert_eq!(offset_of!(CopySide, host), 40);
        assert_eq!(offset_of!(CopySide, device), 48);
        assert_eq!(offset_of!(Copy3d, destination), 80);
        assert_eq!(offset_of!(Copy3d, width_bytes), 160);
        assert_eq!(size_of::<PointerAttributes>(), 32);
    }
}
