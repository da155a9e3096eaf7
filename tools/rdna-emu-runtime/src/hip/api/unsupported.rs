//! Functions that others have and this library has not: each says so, and its caller is told its name.

use crate::hip::error::Error;

macro_rules! unsupported {
    ($($name:ident)*) => {
        exports! {$(
            /// Is not offered.
            fn $name(runtime) {
                Err(Error::NotSupported)
            }
        )*}
    };
}

unsupported! {
    hipArrayCreate
    hipDeviceGetGraphMemAttribute
    hipExtLaunchKernel
    hipExtModuleLaunchKernel
    hipExtStreamCreateWithCUMask
    hipGraphAddChildGraphNode
    hipGraphAddMemAllocNode
    hipGraphAddMemFreeNode
    hipIpcGetMemHandle
    hipIpcOpenMemHandle
    hipLaunchCooperativeKernel
    hipMallocPitch
    hipMemAddressReserve
    hipMemCreate
    hipMemMap
    hipMemSetAccess
    hipMemcpy2DAsync
    hipMemcpyPeerAsync
    hipModuleLaunchCooperativeKernel
    hipStreamBeginCapture
    hipStreamEndCapture
    hipStreamWaitValue32
    hipStreamWaitValue64
    hipStreamWriteValue32
    hipStreamWriteValue64
}
