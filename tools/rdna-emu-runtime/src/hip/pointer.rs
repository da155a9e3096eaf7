//! Pointers as C's callers pass them.
//!
//! They have the representation of pointers, and only an exported function's caller makes them. Its contract, which each
//! export states, is that a pointer is null or valid for what HIP's documentation says; null is always checked here.

use std::ffi::{CStr, c_char, c_void};

use super::error::Error;

/// Where a call writes one value.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Writes the value.
    pub fn set(self, value: T) -> Result<(), Error> {
        if self.0.is_null() {
            return Err(Error::InvalidValue);
        }
        // SAFETY: not null, so the caller promises that it takes a value. It may be unaligned.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// The same place, for a value of another type.
    pub fn cast<U>(self) -> Out<U> {
        Out(self.0.cast())
    }

    /// Whether there is nowhere to write.
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Fails early where there is nowhere to write.
    pub fn check(self) -> Result<(), Error> {
        if self.is_null() { Err(Error::InvalidValue) } else { Ok(()) }
    }
}

impl Out<u8> {
    /// Writes bytes from there on.
    pub fn fill(self, bytes: &[u8]) -> Result<(), Error> {
        self.check()?;
        // SAFETY: not null, so the caller promises room for what the call writes, which is these bytes.
        unsafe { self.0.copy_from(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }
}

/// Where a call reads one value, or several.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct In<T>(*const T);

impl<T: Copy> In<T> {
    /// Nothing to read.
    pub const NULL: In<T> = In(std::ptr::null());

    /// What a structure of the caller's points to.
    pub fn at_address(address: *const T) -> Self {
        In(address)
    }

    /// The value.
    pub fn get(self) -> Result<T, Error> {
        self.at(0)
    }

    /// The value with that index.
    pub fn at(self, index: usize) -> Result<T, Error> {
        if self.0.is_null() {
            return Err(Error::InvalidValue);
        }
        // SAFETY: not null, so the caller promises as many values as the call reads. They may be unaligned.
        Ok(unsafe { self.0.add(index).read_unaligned() })
    }

    /// That many values; none need be there for 0.
    pub fn several(self, count: usize) -> Result<Vec<T>, Error> {
        (0..count).map(|index| self.at(index)).collect()
    }

    /// The same place, as that of another type.
    pub fn cast<U>(self) -> In<U> {
        In(self.0.cast())
    }

    /// Whether there is nothing to read.
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }
}

/// A string.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    /// The string.
    pub fn get(self) -> Result<String, Error> {
        if self.0.is_null() {
            return Err(Error::InvalidValue);
        }
        // SAFETY: not null, so the caller promises a string that ends with a zero byte.
        let text = unsafe { CStr::from_ptr(self.0) };
        text.to_str().map(str::to_owned).map_err(|_| Error::InvalidValue)
    }
}

/// The host's bytes at an address, copied.
///
/// # Safety
/// They are readable.
pub unsafe fn host_bytes(address: *const c_void, count: usize) -> Vec<u8> {
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: the caller promises it; bytes need no alignment.
    unsafe { std::slice::from_raw_parts(address.cast(), count) }.to_vec()
}
