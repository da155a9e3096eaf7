//! HIP's error codes, with names and texts.

use std::ffi::CStr;

/// Each code, as C sees it, with its name and text.
macro_rules! table {
    ($($variant:ident = $code:literal, $name:literal, $text:literal;)*) => {
        /// Why a call failed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(i32)]
        #[allow(dead_code, reason = "callers may ask for the text of errors that are never returned here")]
        pub enum Error {
            $(
                #[allow(missing_docs, reason = "its text is beside it")]
                $variant = $code,
            )*
        }

        const ALL: &[(Error, &CStr, &CStr)] = &[$((Error::$variant, $name, $text),)*];
    };
}

table! {
    InvalidValue = 1, c"hipErrorInvalidValue", c"invalid argument";
    OutOfMemory = 2, c"hipErrorOutOfMemory", c"out of memory";
    NotInitialized = 3, c"hipErrorNotInitialized", c"initialization error";
    Deinitialized = 4, c"hipErrorDeinitialized", c"driver shutting down";
    InvalidConfiguration = 9, c"hipErrorInvalidConfiguration", c"invalid configuration argument";
    InvalidSymbol = 13, c"hipErrorInvalidSymbol", c"invalid device symbol";
    InvalidDevicePointer = 17, c"hipErrorInvalidDevicePointer", c"invalid device pointer";
    InvalidMemcpyDirection = 21, c"hipErrorInvalidMemcpyDirection", c"invalid copy direction for memcpy";
    InsufficientDriver = 35, c"hipErrorInsufficientDriver", c"driver version is insufficient for runtime version";
    InvalidDeviceFunction = 98, c"hipErrorInvalidDeviceFunction", c"invalid device function";
    NoDevice = 100, c"hipErrorNoDevice", c"no ROCm-capable device is detected";
    InvalidDevice = 101, c"hipErrorInvalidDevice", c"invalid device ordinal";
    InvalidImage = 200, c"hipErrorInvalidImage", c"device kernel image is invalid";
    InvalidContext = 201, c"hipErrorInvalidContext", c"invalid device context";
    NoBinaryForGpu = 209, c"hipErrorNoBinaryForGpu", c"no kernel image is available for execution on the device";
    PeerAccessUnsupported = 217, c"hipErrorPeerAccessUnsupported", c"peer access is not supported between these two devices";
    InvalidKernelFile = 218, c"hipErrorInvalidKernelFile", c"invalid kernel file";
    FileNotFound = 301, c"hipErrorFileNotFound", c"file not found";
    InvalidHandle = 400, c"hipErrorInvalidHandle", c"invalid resource handle";
    IllegalState = 401, c"hipErrorIllegalState", c"the operation cannot be performed in the present state";
    NotFound = 500, c"hipErrorNotFound", c"named symbol not found";
    NotReady = 600, c"hipErrorNotReady", c"device not ready";
    IllegalAddress = 700, c"hipErrorIllegalAddress", c"an illegal memory access was encountered";
    LaunchOutOfResources = 701, c"hipErrorLaunchOutOfResources", c"out of resources";
    LaunchTimeOut = 702, c"hipErrorLaunchTimeOut", c"the launch timed out and was terminated";
    HostMemoryAlreadyRegistered = 712, c"hipErrorHostMemoryAlreadyRegistered", c"part or all of the requested memory range is already mapped";
    HostMemoryNotRegistered = 713, c"hipErrorHostMemoryNotRegistered", c"pointer does not correspond to a registered memory region";
    LaunchFailure = 719, c"hipErrorLaunchFailure", c"unspecified launch failure";
    NotSupported = 801, c"hipErrorNotSupported", c"operation not supported";
    GraphExecUpdateFailure = 910, c"hipErrorGraphExecUpdateFailure", c"the graph update was not performed because it included changes which violated constraints specific to instantiated graph update";
    Unknown = 999, c"hipErrorUnknown", c"unknown error";
}

impl Error {
    /// Its name in C.
    pub fn name(self) -> &'static CStr {
        ALL.iter().find(|row| row.0 == self).map_or(c"hipErrorUnknown", |row| row.1)
    }

    /// The error of a code.
    pub fn of_code(code: i32) -> Option<Self> {
        ALL.iter().find(|row| row.0 as i32 == code).map(|row| row.0)
    }
}

/// A code's name.
pub fn name_of(code: i32) -> &'static CStr {
    match code {
        0 => c"hipSuccess",
        _ => Error::of_code(code).map_or(c"hipErrorUnknown", Error::name),
    }
}

/// A code's text.
pub fn text_of(code: i32) -> &'static CStr {
    match code {
        0 => c"no error",
        _ => ALL.iter().find(|row| row.0 as i32 == code).map_or(c"unknown error", |row| row.2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_their_names() {
        assert_eq!(name_of(0), c"hipSuccess");
        assert_eq!(name_of(600), c"hipErrorNotReady");
        assert_eq!((name_of(12345), text_of(12345)), (c"hipErrorUnknown", c"unknown error"));
        assert_eq!(Error::of_code(801), Some(Error::NotSupported));
        let mut codes: Vec<i32> = ALL.iter().map(|row| row.0 as i32).collect();
        codes.dedup();
        assert!(codes.is_sorted() && codes.len() == ALL.len(), "one row a code, in order");
    }
}
