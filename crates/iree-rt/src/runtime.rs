//! A device and what belongs to it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tyto_iree_runtime_sys as sys;

use crate::access::{Access, Waiting};
use crate::devices;
#[cfg(any(feature = "amdgpu", feature = "hip"))]
use crate::gpu;
use crate::handle::{Device, DeviceGroup, FrontierTracker, HalDriver, Instance, ProactorPool};
use crate::memory::ZeroPages;
use crate::status::check;
use crate::{ElementType, Error};

/// What runs the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Driver {
    /// The CPU, with worker threads.
    #[default]
    CpuThreads,
    /// The CPU, in the calling thread only.
    CpuInline,
    /// AMD GPUs through HIP.
    #[cfg(feature = "hip")]
    Hip,
    /// AMD GPUs through HSA queues.
    #[cfg(feature = "amdgpu")]
    Amdgpu,
    /// NVIDIA GPUs.
    #[cfg(feature = "cuda")]
    Cuda,
    /// GPUs through Vulkan.
    #[cfg(feature = "vulkan")]
    Vulkan,
}

impl Driver {
    /// Every driver of this build.
    pub const ALL: &'static [Driver] = &[
        Driver::CpuThreads,
        Driver::CpuInline,
        #[cfg(feature = "hip")]
        Driver::Hip,
        #[cfg(feature = "amdgpu")]
        Driver::Amdgpu,
        #[cfg(feature = "cuda")]
        Driver::Cuda,
        #[cfg(feature = "vulkan")]
        Driver::Vulkan,
    ];

    /// The driver that artifacts call `name`, if this build has it.
    pub fn named(name: &str) -> Option<Driver> {
        Self::ALL.iter().copied().find(|driver| driver.name() == name)
    }

    /// Its name in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Driver::CpuThreads => "local-task",
            Driver::CpuInline => "local-sync",
            #[cfg(feature = "hip")]
            Driver::Hip => "hip",
            #[cfg(feature = "amdgpu")]
            Driver::Amdgpu => "amdgpu",
            #[cfg(feature = "cuda")]
            Driver::Cuda => "cuda",
            #[cfg(feature = "vulkan")]
            Driver::Vulkan => "vulkan",
        }
    }

    /// Whether device memory is host memory.
    pub(crate) fn is_cpu(self) -> bool {
        matches!(self, Driver::CpuThreads | Driver::CpuInline)
    }
}

/// How to make a [`Runtime`].
#[derive(Debug, Clone, Default)]
pub struct RuntimeOptions {
    /// What runs the programs.
    pub driver: Driver,
    /// Worker threads of [`Driver::CpuThreads`], at least 1; `None` is one for each of
    /// the [usable cores](crate::usable_cores). Other drivers ignore it.
    pub threads: Option<usize>,
    /// Of the driver `amdgpu`: keep what has been recorded on the device as a program of its
    /// command processor (PM4), where code and device allow it; otherwise it is sent packet by
    /// packet each time. Other drivers ignore it.
    pub pm4: bool,
    /// Bytes of parameters that may be on their way to a GPU at a time while programs are loaded, as
    /// far as whole parameters allow; `None` for IREE's own bound of operations.
    pub max_inflight: Option<u64>,
    /// The directory of the library of a GPU driver (`libhsa-runtime64.so.1`, `libamdhip64.so`);
    /// `None` leaves it to `IREE_HAL_AMDGPU_LIBHSA_PATH`, `IREE_HIP_DYLIB_PATH` and the system.
    pub library: Option<PathBuf>,
}

/// A device, ready to allocate and run. Clones share it; it goes with the last clone, buffer,
/// program or fence.
#[derive(Debug, Clone)]
pub struct Runtime(pub(crate) Arc<RuntimeInner>);

/// Fields drop from top to bottom: the users of a thing before the thing.
#[derive(Debug)]
pub(crate) struct RuntimeInner {
    pub(crate) driver: Driver,
    options: RuntimeOptions,
    pub(crate) access: Access,
    pub(crate) zero_pages: Arc<ZeroPages>,
    pub(crate) group: DeviceGroup,
    _tracker: FrontierTracker,
    pub(crate) device: Device,
    pub(crate) hal_driver: HalDriver,
    _pool: ProactorPool,
    pub(crate) instance: Instance,
}

/// Bytes of the buffers that the host has made.
///
/// What a program makes for itself (transients, results, packed weights) comes from pools of
/// the device that keep no count that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Now in use.
    pub bytes_in_use: usize,
    /// All that were ever allocated.
    pub bytes_allocated: usize,
}

impl Runtime {
    /// Opens the driver's default device.
    pub fn new(options: &RuntimeOptions) -> Result<Runtime, Error> {
        let instance = devices::instance()?;
        let driver = options.driver;
        let hal_driver = match (driver, options.threads) {
            (Driver::CpuThreads, threads) => {
                let threads = threads.unwrap_or_else(devices::usable_cores);
                devices::task_driver(driver.name(), threads.max(1))?
            }
            #[cfg(feature = "amdgpu")]
            (Driver::Amdgpu, _) => gpu::amdgpu_driver(options)?,
            #[cfg(feature = "hip")]
            (Driver::Hip, _) => gpu::hip_driver(options)?,
            _ => devices::registered_driver(driver.name())?,
        };
        let pool = devices::proactor_pool()?;
        let device = devices::default_device(&hal_driver, &pool, driver.name())?;
        let (tracker, group) = devices::device_group(&device)?;
        let waiting = if driver.is_cpu() { Waiting::Poll } else { Waiting::Block };
        let access = Access::new(device.clone(), waiting)?;
        Ok(Runtime(Arc::new(RuntimeInner {
            driver,
            options: options.clone(),
            access,
            zero_pages: Arc::default(),
            group,
            _tracker: tracker,
            device,
            hal_driver,
            _pool: pool,
            instance,
        })))
    }

    /// The same device once more, after a failure that this runtime's driver does not get over, beside
    /// it: taking down what has failed may wait for ever, so that what is used
    /// [there](crate::Buffer::on) of this one stays as long as the process. When this returns, the device does nothing any more that this one had begun.
    pub fn reopened(&self) -> Result<Runtime, Error> {
        self.0.keep_for_ever();
        let reopened = Runtime::new(&self.0.options)?;
        // Freeing memory waits for all that a device does through `hip`. Packets of the driver `amdgpu`
        // are begun when those before them have ended, and a queue stops at the one that fails.
        drop(reopened.zeros(&[1], ElementType::I8)?);
        Ok(reopened)
    }

    /// What runs the programs.
    pub fn driver(&self) -> Driver {
        self.0.driver
    }

    /// Bytes of parameters that may be on their way at a time, if that was given.
    pub fn max_inflight(&self) -> Option<u64> {
        self.0.options.max_inflight
    }

    /// Waits until everything started so far is done. Fails with the failure of any of it that
    /// no fence has reported.
    pub fn wait_idle(&self) -> Result<(), Error> {
        self.0.access.quiesce()
    }

    /// The allocator's counters.
    pub fn statistics(&self) -> Statistics {
        let mut raw = sys::iree_hal_allocator_statistics_t::default();
        // SAFETY: the allocator is live; the pointer is to a local.
        unsafe { sys::iree_hal_allocator_query_statistics(self.0.allocator(), &mut raw) };
        let zeros = &self.0.zero_pages;
        let allocated = raw.device_bytes_allocated + raw.host_bytes_allocated;
        let freed = raw.device_bytes_freed + raw.host_bytes_freed;
        Statistics {
            bytes_in_use: allocated.saturating_sub(freed) + zeros.in_use.load(Ordering::Relaxed),
            bytes_allocated: allocated + zeros.allocated.load(Ordering::Relaxed),
        }
    }

    /// Gives memory that nothing uses back to the system.
    pub fn trim(&self) -> Result<(), Error> {
        self.wait_idle()?;
        // SAFETY: the device is live.
        let status = unsafe { sys::iree_hal_device_trim(self.0.device.raw()) };
        check(status, || "giving idle memory back".to_owned())
    }
}

impl RuntimeInner {
    /// Others use what it owns from here on, and do not own it: it is never taken down.
    pub(crate) fn keep_for_ever(self: &Arc<Self>) {
        std::mem::forget(Arc::clone(self));
    }

    /// The device's allocator; valid while `self` is.
    pub(crate) fn allocator(&self) -> *mut sys::iree_hal_allocator_t {
        // SAFETY: the device is live and owns its allocator.
        unsafe { sys::iree_hal_device_allocator(self.device.raw()) }
    }
}

impl Drop for RuntimeInner {
    fn drop(&mut self) {
        // Work in flight uses the device. A failure has no one left to hear it.
        let _ = self.access.quiesce();
    }
}
