//! What there is to know of devices beside the CPU.

use std::ptr::null_mut;

use tyto_iree_runtime_sys as sys;

#[cfg(any(feature = "amdgpu", feature = "hip"))]
use crate::RuntimeOptions;
use crate::handle::HalDriver;
use crate::status::{check, host_allocator, text, view};
use crate::{Driver, Error, Runtime, StatusCode, devices};

/// Kinds of AMD GPUs that the driver `amdgpu` is asked for, one by one: it does not say which it is.
const KINDS: [&str; 11] = [
    "gfx942", "gfx950", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151",
    "gfx1152", "gfx1200", "gfx1201",
];

/// The line of HIP's description that names the kind of a GPU.
const HIP_KIND: &str = "- gpu-arch-name: ";

/// The line of CUDA's description that names the kind of a GPU, as a number with one decimal.
const CUDA_KIND: &str = "- gpu-compute-capability: ";

/// The line of HIP's description that has all of a GPU's memory, in MiB.
const HIP_MEMORY: &str = "- memory-total-global-memory-size: ";

/// Kinds of memory that a device may have.
const MOST_HEAPS: usize = 16;

/// The driver `amdgpu`.
#[cfg(feature = "amdgpu")]
pub(crate) fn amdgpu_driver(options: &RuntimeOptions) -> Result<HalDriver, Error> {
    let library = library(options);
    let mut raw = null_mut();
    // SAFETY: the view's text outlives the call; the pointer is to a local.
    let status = unsafe {
        sys::tyto_amdgpu_driver_create(view(&library), options.pm4, host_allocator(), &mut raw)
    };
    check(status, || "opening driver amdgpu".to_owned()).map_err(|e| opening("amdgpu", e))?;
    Ok(HalDriver::from_raw(raw))
}

/// The driver `hip`.
#[cfg(feature = "hip")]
pub(crate) fn hip_driver(options: &RuntimeOptions) -> Result<HalDriver, Error> {
    let library = library(options);
    if library.is_empty() {
        // IREE's own way, which looks at the environment.
        return devices::registered_driver("hip");
    }
    let mut raw = null_mut();
    // SAFETY: as above.
    let status = unsafe { sys::tyto_hip_driver_create(view(&library), host_allocator(), &mut raw) };
    check(status, || "opening driver hip".to_owned()).map_err(|e| opening("hip", e))?;
    Ok(HalDriver::from_raw(raw))
}

/// IREE's long list of the places where it looked for a driver's library, in one sentence that
/// names the remedy. Other failures stay as they are.
pub(crate) fn opening(driver: &str, failure: Error) -> Error {
    let Error::Status { code, .. } = &failure else { return failure };
    match (driver, code) {
        ("amdgpu", StatusCode::NotFound) => Error::DriverLibrary {
            driver: "amdgpu",
            library: "libhsa-runtime64.so.1",
            of: "AMD's ROCm",
            variable: "IREE_HAL_AMDGPU_LIBHSA_PATH",
            place: "its directory",
        },
        ("hip", StatusCode::Unavailable | StatusCode::NotFound) => Error::DriverLibrary {
            driver: "hip",
            library: "libamdhip64.so",
            of: "AMD's ROCm",
            variable: "IREE_HIP_DYLIB_PATH",
            place: "file: and its path",
        },
        ("cuda", StatusCode::Unavailable | StatusCode::NotFound) => Error::DriverLibrary {
            driver: "cuda",
            library: "libcuda.so.1",
            of: "NVIDIA's driver",
            variable: "LD_LIBRARY_PATH",
            place: "its directory",
        },
        _ => failure,
    }
}

#[cfg(any(feature = "amdgpu", feature = "hip"))]
fn library(options: &RuntimeOptions) -> String {
    options.library.as_deref().unwrap_or(std::path::Path::new("")).display().to_string()
}

/// The devices of a driver, by their makers' names; the first is the one that
/// [`Runtime::new`] opens. Fails where the driver's library is missing.
pub fn device_names(driver: Driver) -> Result<Vec<String>, Error> {
    let driver = devices::registered_driver(driver.name())?;
    let infos = Infos::of(&driver)?;
    Ok(infos.slice().iter().map(|info| text(info.name)).collect())
}

impl Runtime {
    /// The kind of GPU, as compilers name it (`gfx1151`); `None` for a CPU, and for kinds that
    /// this crate has no name for.
    pub fn gpu_kind(&self) -> Result<Option<String>, Error> {
        match self.driver().name() {
            "amdgpu" => {
                for kind in KINDS {
                    if self.takes_executables(kind)? {
                        return Ok(Some(kind.to_owned()));
                    }
                }
                Ok(None)
            }
            "hip" => Ok(kind_in(&self.description()?)),
            "cuda" => Ok(cuda_kind_in(&self.description()?)),
            _ => Ok(None),
        }
    }

    /// Bytes of memory that the driver says its GPU has, in use or not: the largest allocation that
    /// `amdgpu` would make, all memory in whole MiB of `hip`. `None` for a CPU, and where the driver
    /// does not say.
    pub fn gpu_memory(&self) -> Result<Option<u64>, Error> {
        match self.driver().name() {
            "amdgpu" => self.largest_device_allocation(),
            "hip" => Ok(memory_in(&self.description()?)),
            _ => Ok(None),
        }
    }

    fn largest_device_allocation(&self) -> Result<Option<u64>, Error> {
        let mut heaps = [sys::iree_hal_allocator_memory_heap_t::default(); MOST_HEAPS];
        let mut count = 0;
        // SAFETY: the allocator is live; the array has the capacity that is passed.
        let status = unsafe {
            sys::iree_hal_allocator_query_memory_heaps(
                self.0.allocator(),
                heaps.len(),
                heaps.as_mut_ptr(),
                &mut count,
            )
        };
        check(status, || "asking the driver for its memory".to_owned())?;
        let local = sys::iree_hal_memory_type_bits_t_IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL
            as sys::iree_hal_memory_type_t;
        let of_device = heaps[..count].iter().filter(|heap| heap.type_ & local == local);
        let largest = of_device.map(|heap| heap.max_allocation_size as u64).max();
        // A driver that knows no bound says so with the largest number.
        Ok(largest.filter(|bytes| (1..u64::MAX).contains(bytes)))
    }

    /// Whether the device runs executables of this form.
    fn takes_executables(&self, form: &str) -> Result<bool, Error> {
        let mut value = 0;
        // SAFETY: the device is live; views are of texts that outlive the call.
        let status = unsafe {
            let (category, key) = (view("hal.executable.format"), view(form));
            sys::iree_hal_device_query_i64(self.0.device.raw(), category, key, &mut value)
        };
        check(status, || format!("asking the device for {form}"))?;
        Ok(value != 0)
    }

    /// The driver's description of its first device; empty without one.
    fn description(&self) -> Result<String, Error> {
        let infos = Infos::of(&self.0.hal_driver)?;
        let Some(first) = infos.slice().first() else { return Ok(String::new()) };
        let mut builder = sys::iree_string_builder_t::default();
        // SAFETY: the builder is initialized before any other use and deinitialized at the end;
        // its text is copied.
        unsafe {
            sys::iree_string_builder_initialize(host_allocator(), &mut builder);
            let driver = self.0.hal_driver.raw();
            let status =
                sys::iree_hal_driver_dump_device_info(driver, first.device_id, &mut builder);
            let described = check(status, || "asking the driver for its device".to_owned());
            let description = text(sys::iree_string_builder_view(&builder));
            sys::iree_string_builder_deinitialize(&mut builder);
            described.map(|()| description)
        }
    }
}

/// The MiB of a line `- memory-total-global-memory-size: 98304 MB`, in bytes.
fn memory_in(description: &str) -> Option<u64> {
    let size = description.lines().find_map(|line| line.trim().strip_prefix(HIP_MEMORY))?;
    let mebibytes: u64 = size.strip_suffix("MB")?.trim().parse().ok()?;
    (mebibytes > 0).then_some(mebibytes << 20)
}

/// `gfx1151` of a line `- gpu-arch-name: gfx1151:sramecc-:xnack-`.
fn kind_in(description: &str) -> Option<String> {
    let name = description.lines().find_map(|line| line.trim().strip_prefix(HIP_KIND))?;
    let kind = name.split(':').next().unwrap_or_default().trim();
    (!kind.is_empty()).then(|| kind.to_owned())
}

/// `sm_90` of a line `- gpu-compute-capability: 9.0`.
fn cuda_kind_in(description: &str) -> Option<String> {
    let version = description.lines().find_map(|line| line.trim().strip_prefix(CUDA_KIND))?;
    let (major, minor) = version.trim().split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(major) && is_number(minor)).then(|| format!("sm_{major}{minor}"))
}

/// The list of a driver's devices; freed when dropped.
struct Infos {
    first: *mut sys::iree_hal_device_info_t,
    count: usize,
}

impl Infos {
    fn of(driver: &HalDriver) -> Result<Infos, Error> {
        let mut infos = Infos { first: null_mut(), count: 0 };
        // SAFETY: the driver is live; the pointers are to locals.
        let status = unsafe {
            sys::iree_hal_driver_query_available_devices(
                driver.raw(),
                host_allocator(),
                &mut infos.count,
                &mut infos.first,
            )
        };
        check(status, || "listing devices".to_owned())?;
        Ok(infos)
    }

    fn slice(&self) -> &[sys::iree_hal_device_info_t] {
        if self.first.is_null() {
            return &[];
        }
        // SAFETY: IREE has allocated so many entries, which live until `self` is dropped.
        unsafe { std::slice::from_raw_parts(self.first, self.count) }
    }
}

impl Drop for Infos {
    fn drop(&mut self) {
        // SAFETY: freed once, with the allocator that it came from; null is allowed.
        unsafe { sys::iree_allocator_free(host_allocator(), self.first.cast()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_read_from_hips_description() {
        let description = "\n- amdhip64_dylib_path: /x\n- gpu-arch-name: gfx90a:sramecc+:xnack-\n";
        assert_eq!(kind_in(description).as_deref(), Some("gfx90a"));
        let description = "- memory-total-global-memory-size: 98304 MB\n";
        assert_eq!(memory_in(description), Some(96 << 30));
        assert_eq!(memory_in("- memory-total-global-memory-size: -1 MB\n"), None);
        assert_eq!(kind_in("- gpu-arch-name: \n"), None);
        assert_eq!(kind_in("nothing"), None);
    }

    #[test]
    fn a_kind_is_read_from_cudas_description() {
        let description = "\n- gpu-compute-capability: 9.0\n- driver-max-cuda-version: 13.0";
        assert_eq!(cuda_kind_in(description).as_deref(), Some("sm_90"));
        assert_eq!(cuda_kind_in("- gpu-compute-capability: 8"), None);
        assert_eq!(cuda_kind_in("- gpu-compute-capability: .\n"), None);
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn a_missing_library_of_nvidia_is_one_sentence_that_says_what_to_do() {
        let failure = |code| Error::Status {
            action: "opening driver cuda".to_owned(),
            code,
            message: String::new(),
        };
        for code in [StatusCode::Unavailable, StatusCode::NotFound] {
            let text = opening("cuda", failure(code)).to_string();
            for part in ["the driver cuda needs libcuda.so.1 of NVIDIA's driver", "LD_LIBRARY_PATH"]
            {
                assert!(text.contains(part), "{part:?} is not in {text}");
            }
        }
        let kept = opening("cuda", failure(StatusCode::Internal)).to_string();
        assert!(!kept.contains("libcuda"), "{kept}");
    }

    #[test]
    fn the_cpu_has_devices_and_is_no_gpu() {
        assert!(!device_names(Driver::CpuInline).expect("always there").is_empty());
        let options = crate::RuntimeOptions { driver: Driver::CpuInline, ..Default::default() };
        let runtime = Runtime::new(&options).expect("opens");
        assert_eq!(runtime.gpu_kind().expect("no question"), None);
    }
}
