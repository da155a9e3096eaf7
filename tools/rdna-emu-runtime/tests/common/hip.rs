//! The library as a driver loads it, and a process of its own for each test.

#![allow(non_snake_case, reason = "HIP has chosen")]
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::ffi::{CString, c_char, c_void};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// HIP's codes.
pub const INVALID_VALUE: i32 = 1;
pub const OUT_OF_MEMORY: i32 = 2;
pub const NO_DEVICE: i32 = 100;
pub const INVALID_DEVICE: i32 = 101;
pub const NO_BINARY_FOR_GPU: i32 = 209;
pub const INVALID_HANDLE: i32 = 400;
pub const NOT_FOUND: i32 = 500;
pub const NOT_READY: i32 = 600;
pub const ILLEGAL_ADDRESS: i32 = 700;
pub const LAUNCH_OUT_OF_RESOURCES: i32 = 701;
pub const LAUNCH_TIME_OUT: i32 = 702;
pub const NOT_SUPPORTED: i32 = 801;
pub const UPDATE_FAILURE: i32 = 910;

/// The library, beside this test.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a file");
    let path = test.with_file_name("libtyto_rdna_emu_runtime.so");
    assert!(path.is_file(), "{} is missing: cargo builds it with the tests", path.display());
    path
}

/// The variable by which a test knows that it is alone.
const ALONE: &str = "TYTO_TEST_ALONE";

/// Runs a test's body in a process of its own, which has a device of its own, configured by those variables. `name` is
/// the test's.
pub fn alone(name: &str, environment: &[(&str, &str)], body: impl FnOnce(&Hip)) {
    if std::env::var(ALONE).is_ok_and(|alone| alone == name) {
        return body(&Hip::load());
    }
    let output = Command::new(std::env::current_exe().expect("a running test has a file"))
        .args([name, "--exact", "--nocapture"])
        .env(ALONE, name)
        .envs(environment.iter().copied())
        .output()
        .expect("the test runs again");
    let [out, error] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{name}: {}\n{out}\n{error}", output.status);
    assert!(out.contains("1 passed"), "there is no test `{name}`: {out}");
}

/// A handle.
pub type Handle = usize;

/// `hipKernelNodeParams`.
#[repr(C)]
pub struct KernelNode {
    pub block: [u32; 3],
    pub extra: *const *const c_void,
    pub function: Handle,
    pub grid: [u32; 3],
    pub parameters: *const *const c_void,
    pub dynamic_lds: u32,
}

/// `hipMemsetParams`.
#[repr(C)]
pub struct Memset {
    pub destination: u64,
    pub element_size: u32,
    pub height: usize,
    pub pitch: usize,
    pub value: u32,
    pub width: usize,
}

/// The loaded library.
pub struct Hip {
    library: *mut c_void,
}

macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        impl Hip {
            $(#[allow(clippy::too_many_arguments, reason = "HIP has chosen")]
            pub fn $name(&self $(, $argument: $type)*) -> i32 {
                let symbol = self.symbol(stringify!($name)).expect(stringify!($name));
                // SAFETY: the function has these parameters in HIP.
                let function: extern "C" fn($($type),*) -> i32 = unsafe { std::mem::transmute(symbol) };
                function($($argument),*)
            })*
        }
    };
}

type Out<T> = *mut T;
type HostFunction = Option<extern "C" fn(*mut c_void)>;

functions! {
    hipInit(flags: u32);
    hipGetDeviceCount(count: Out<i32>);
    hipDeviceGet(device: Out<i32>, number: i32);
    hipDeviceGetAttribute(value: Out<i32>, attribute: u32, device: i32);
    hipDeviceGetName(name: Out<u8>, size: i32, device: i32);
    hipDevicePrimaryCtxRetain(context: Out<Handle>, device: i32);
    hipDevicePrimaryCtxRelease(device: i32);
    hipDeviceReset();
    hipDeviceSynchronize();
    hipCtxPushCurrent(context: Handle);
    hipCtxPopCurrent(context: Out<Handle>);
    hipCtxGetCurrent(context: Out<Handle>);
    hipGetDeviceProperties(properties: Out<u8>, device: i32);
    hipGetDevicePropertiesR0600(properties: Out<u8>, device: i32);
    hipGetLastError();
    hipMalloc(address: Out<u64>, size: usize);
    hipHostMalloc(address: Out<u64>, size: usize, flags: u32);
    hipFree(address: u64);
    hipHostFree(address: u64);
    hipHostRegister(address: u64, size: usize, flags: u32);
    hipHostUnregister(address: u64);
    hipHostGetDevicePointer(device: Out<u64>, address: u64, flags: u32);
    hipMemGetInfo(free: Out<usize>, total: Out<usize>);
    hipMemcpy(destination: u64, source: u64, size: usize, kind: u32);
    hipMemcpyAsync(destination: u64, source: u64, size: usize, kind: u32, stream: Handle);
    hipMemsetD16Async(destination: u64, value: u16, count: usize, stream: Handle);
    hipMemsetD32Async(destination: u64, value: i32, count: usize, stream: Handle);
    hipMallocFromPoolAsync(address: Out<u64>, size: usize, pool: Handle, stream: Handle);
    hipFreeAsync(address: u64, stream: Handle);
    hipMemPoolCreate(pool: Out<Handle>, properties: *const u8);
    hipMemPoolDestroy(pool: Handle);
    hipMemPoolGetAttribute(pool: Handle, attribute: u32, value: Out<u64>);
    hipModuleLoadDataEx(module: Out<Handle>, image: *const u8, count: u32, options: Out<u8>, values: Out<u8>);
    hipModuleUnload(module: Handle);
    hipModuleGetFunction(function: Out<Handle>, module: Handle, name: *const c_char);
    hipModuleGetGlobal(address: Out<u64>, size: Out<usize>, module: Handle, name: *const c_char);
    hipModuleLaunchKernel(
        function: Handle, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, lds: u32, stream: Handle,
        parameters: *const *const c_void, extra: *const *const c_void
    );
    hipFuncGetAttribute(value: Out<i32>, attribute: u32, function: Handle);
    hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks: Out<i32>, function: Handle, size: i32, lds: usize);
    hipModuleOccupancyMaxPotentialBlockSize(grid: Out<i32>, block: Out<i32>, function: Handle, lds: usize, limit: i32);
    hipStreamCreateWithFlags(stream: Out<Handle>, flags: u32);
    hipStreamDestroy(stream: Handle);
    hipStreamSynchronize(stream: Handle);
    hipStreamQuery(stream: Handle);
    hipStreamWaitEvent(stream: Handle, event: Handle, flags: u32);
    hipLaunchHostFunc(stream: Handle, function: HostFunction, data: *mut c_void);
    hipEventCreateWithFlags(event: Out<Handle>, flags: u32);
    hipEventDestroy(event: Handle);
    hipEventRecord(event: Handle, stream: Handle);
    hipEventQuery(event: Handle);
    hipEventSynchronize(event: Handle);
    hipEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle);
    hipGraphCreate(graph: Out<Handle>, flags: u32);
    hipGraphDestroy(graph: Handle);
    hipGraphAddKernelNode(node: Out<Handle>, graph: Handle, before: *const Handle, count: usize, kernel: *const KernelNode);
    hipGraphAddMemsetNode(node: Out<Handle>, graph: Handle, before: *const Handle, count: usize, fill: *const Memset);
    hipGraphAddEmptyNode(node: Out<Handle>, graph: Handle, before: *const Handle, count: usize);
    hipGraphAddEventRecordNode(node: Out<Handle>, graph: Handle, before: *const Handle, count: usize, event: Handle);
    hipGraphInstantiate(executable: Out<Handle>, graph: Handle, node: Out<Handle>, log: Out<u8>, size: usize);
    hipGraphExecKernelNodeSetParams(executable: Handle, node: Handle, kernel: *const KernelNode);
    hipGraphExecUpdate(executable: Handle, graph: Handle, node: Out<Handle>, result: Out<u32>);
    hipGraphLaunch(executable: Handle, stream: Handle);
    hipGraphExecDestroy(executable: Handle);
    hipStreamBeginCapture(stream: Handle, mode: u32);
}

impl Hip {
    fn load() -> Self {
        let path = CString::new(library().to_str().expect("the path is text")).unwrap();
        // SAFETY: the library's constructors touch nothing of this process.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        assert!(!library.is_null(), "{} cannot be loaded", path.to_string_lossy());
        Hip { library }
    }

    /// An exported function, if it is there.
    pub fn symbol(&self, name: &str) -> Option<*mut c_void> {
        let name = CString::new(name).unwrap();
        // SAFETY: the library stays loaded.
        let symbol = unsafe { libc::dlsym(self.library, name.as_ptr()) };
        (!symbol.is_null()).then_some(symbol)
    }

    /// A code object's kernel.
    pub fn kernel(&self, object: &[u8], name: &std::ffi::CStr) -> Handle {
        let (mut module, mut function) = (0, 0);
        let null = std::ptr::null_mut();
        assert_eq!(self.hipModuleLoadDataEx(&mut module, object.as_ptr(), 0, null, null), 0);
        assert_eq!(self.hipModuleGetFunction(&mut function, module, name.as_ptr()), 0);
        function
    }

    /// A buffer of the device with those numbers.
    pub fn buffer(&self, values: &[i32]) -> u64 {
        let mut address = 0;
        assert_eq!(self.hipMalloc(&mut address, size_of_val(values)), 0);
        assert_eq!(self.hipMemcpy(address, values.as_ptr() as u64, size_of_val(values), 1), 0);
        address
    }

    /// The numbers of a buffer, after the null stream's work.
    pub fn read(&self, address: u64, count: usize) -> Vec<i32> {
        let mut values = vec![0; count];
        let size = size_of_val(&values[..]);
        assert_eq!(self.hipMemcpy(values.as_mut_ptr() as u64, address, size, 2), 0);
        values
    }

    pub fn stream(&self) -> Handle {
        let mut stream = 0;
        assert_eq!(self.hipStreamCreateWithFlags(&mut stream, 1), 0);
        stream
    }

    pub fn event(&self) -> Handle {
        let mut event = 0;
        assert_eq!(self.hipEventCreateWithFlags(&mut event, 2), 0);
        event
    }

    /// Runs a kernel of one argument over 64 work-items.
    pub fn launch(&self, function: Handle, address: u64, stream: Handle) -> i32 {
        let argument: *const c_void = (&raw const address).cast();
        let null = std::ptr::null();
        self.hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, &argument, null)
    }
}

/// A stream waits in this function of the host until the test lets it go on.
extern "C" fn gate(opened: *mut c_void) {
    // SAFETY: the tests pass a gate that lives to their ends.
    let opened = unsafe { &*opened.cast::<AtomicBool>() };
    while !opened.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
}

/// Makes a stream wait for the gate.
pub fn close(hip: &Hip, stream: Handle, gate_of: &AtomicBool) {
    let data = std::ptr::from_ref(gate_of).cast_mut().cast();
    assert_eq!(hip.hipLaunchHostFunc(stream, Some(gate), data), 0);
}
