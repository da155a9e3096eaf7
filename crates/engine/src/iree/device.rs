//! Which of an artifact's targets runs, and on which device.

use std::path::Path;

use tyto_artifact::{Artifact, Error as ArtifactError, HostTarget, Target};
use tyto_iree_rt::{Driver, Runtime, RuntimeOptions};

/// The device that a model runs on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Device {
    /// A GPU that the artifact has code for, else the CPU.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// An AMD GPU, through HSA queues.
    Amdgpu,
    /// An AMD GPU, through the HIP runtime.
    Hip,
    /// An NVIDIA GPU, experimental.
    Cuda,
}

/// A target and what runs it.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) target: Target,
    /// The GPU, opened; a CPU's device is opened by the thread that uses it.
    pub(crate) runtime: Option<Runtime>,
    /// Why this one, where that is a question.
    pub(crate) why: Option<String>,
}

/// Why no target of the artifact runs.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// It has nothing for this processor.
    Cpu(ArtifactError),
    /// The GPU that was asked for is not there, or is of another kind.
    Gpu(String),
}

/// GPU drivers, the preferred one first, and the cargo feature that brings each.
const GPU_DRIVERS: [(&str, &str); 3] = [("amdgpu", "amd"), ("hip", "amd"), (CUDA, "cuda")];

/// The driver of NVIDIA GPUs. It is experimental, so what else an artifact has code for goes first.
const CUDA: &str = "cuda";

/// What was asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// A target by name.
    pub(crate) target: Option<&'a str>,
    pub(crate) device: Device,
    pub(crate) gpu: GpuOptions<'a>,
}

/// How a GPU is opened; as in [`RuntimeOptions`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct GpuOptions<'a> {
    pub(crate) pm4: bool,
    pub(crate) library: Option<&'a Path>,
    pub(crate) max_inflight: Option<u64>,
}

impl Device {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Amdgpu => "amdgpu",
            Self::Hip => "hip",
            Self::Cuda => CUDA,
        }
    }

    /// The driver of a GPU.
    fn gpu_driver(self) -> Option<&'static str> {
        match self {
            Self::Auto | Self::Cpu => None,
            Self::Amdgpu | Self::Hip | Self::Cuda => Some(self.name()),
        }
    }
}

/// Chooses, and opens the GPU where it is one.
pub(crate) fn choose(artifact: &Artifact, wanted: Wanted<'_>) -> Result<Chosen, Refusal> {
    let host = HostTarget::detect();
    let on_cpu = |target: &Target, why| Chosen { target: target.clone(), runtime: None, why };
    if let Some(name) = wanted.target {
        let all = &artifact.manifest().targets;
        if all.iter().any(|target| target.is_gpu() && target.arch == name) {
            return of_kind(artifact, name, wanted).map_err(Refusal::Gpu);
        }
        let of_gpu = all.iter().find(|t| t.name == name && t.is_gpu());
        let Some(target) = of_gpu else {
            if let Some(driver) = wanted.device.gpu_driver() {
                return Err(Refusal::Gpu(format!(
                    "--device {driver} does not run target {name:?}"
                )));
            }
            return artifact.target(name, &host).map(|t| on_cpu(t, None)).map_err(Refusal::Cpu);
        };
        if !matches!(wanted.device, Device::Auto) && wanted.device.name() != target.driver {
            let device = wanted.device.name();
            return Err(Refusal::Gpu(format!("--device {device} does not run target {name:?}")));
        }
        return open_gpu(artifact, &target.driver, Some(name), wanted.gpu).map_err(Refusal::Gpu);
    }
    match wanted.device {
        Device::Cpu => artifact.select_target(&host).map(|t| on_cpu(t, None)).map_err(Refusal::Cpu),
        Device::Amdgpu | Device::Hip | Device::Cuda => {
            open_gpu(artifact, wanted.device.name(), None, wanted.gpu).map_err(Refusal::Gpu)
        }
        Device::Auto => automatic(artifact, &host, wanted.gpu),
    }
}

/// A GPU by its kind alone, as `--target gfx1151` names it: through the driver that was asked for,
/// else the first that works.
fn of_kind(artifact: &Artifact, kind: &str, wanted: Wanted<'_>) -> Result<Chosen, String> {
    let device = wanted.device;
    if device == Device::Cpu {
        return Err(format!("--device cpu does not run target {kind:?}"));
    }
    let asked = |driver: &str| device.gpu_driver().is_none_or(|asked| asked == driver);
    let has = |driver: &str| {
        let all = &artifact.manifest().targets;
        all.iter().find(|target| target.arch == kind && target.driver == driver)
    };
    let mut reasons = Vec::new();
    for driver in drivers().filter(|driver| asked(driver)) {
        let Some(target) = has(driver) else {
            reasons.push(format!("{driver}: nothing of {kind} is compiled for this driver"));
            continue;
        };
        match open_gpu(artifact, driver, Some(&target.name), wanted.gpu) {
            Ok(chosen) => return Ok(chosen),
            Err(reason) => reasons.push(reason),
        }
    }
    Err(reasons.join("; "))
}

/// The first GPU driver that works, else the CPU, with all the reasons.
fn automatic(
    artifact: &Artifact,
    host: &HostTarget,
    gpu: GpuOptions<'_>,
) -> Result<Chosen, Refusal> {
    let mut reasons = Vec::new();
    let all = &artifact.manifest().targets;
    let only_cuda = all.iter().all(|target| target.driver == CUDA);
    for driver in drivers().filter(|driver| *driver != CUDA || only_cuda) {
        if !all.iter().any(|target| target.driver == driver) {
            continue;
        }
        match open_gpu(artifact, driver, None, gpu) {
            Ok(chosen) => {
                let mut why = format!("{}: its GPU is here", chosen.target.name);
                reasons.iter().for_each(|reason| why.push_str(&format!("; {reason}")));
                return Ok(Chosen { why: Some(why), ..chosen });
            }
            // The first line says what; the others say where a library was looked for.
            Err(reason) => reasons.push(reason.lines().next().unwrap_or_default().to_owned()),
        }
    }
    match (artifact.select_target(host), reasons.is_empty()) {
        (Ok(target), true) => Ok(Chosen { target: target.clone(), runtime: None, why: None }),
        (Ok(target), false) => {
            let why = format!("{}: no GPU runs it: {}", target.name, reasons.join("; "));
            Ok(Chosen { target: target.clone(), runtime: None, why: Some(why) })
        }
        (Err(refusal), true) => Err(Refusal::Cpu(refusal)),
        (Err(refusal), false) => Err(Refusal::Gpu(format!("{}; {refusal}", reasons.join("; ")))),
    }
}

/// The driver's device, and the target that is for its kind, or the one named.
fn open_gpu(
    artifact: &Artifact,
    driver: &str,
    name: Option<&str>,
    gpu: GpuOptions<'_>,
) -> Result<Chosen, String> {
    let all = &artifact.manifest().targets;
    let of_driver = || all.iter().filter(|target| target.driver == driver);
    let listed = all.iter().map(|target| target.name.as_str()).collect::<Vec<_>>().join(", ");
    if of_driver().next().is_none() {
        return Err(format!(
            "{driver}: compiled for {listed}; nothing of it is for this driver. Compile the model \
             with --target {} or another GPU's name",
            if driver == CUDA { "sm_80" } else { "gfx1151" }
        ));
    }
    let known = Driver::named(driver).ok_or_else(|| {
        let (_, feature) =
            GPU_DRIVERS.into_iter().find(|(name, _)| *name == driver).expect("listed");
        format!(
            "{driver}: this tyto was built without the feature {feature}, which brings this driver"
        )
    })?;
    let runtime = open(known, gpu).map_err(|error| format!("{driver}: {error}"))?;
    let kind = runtime.gpu_kind().map_err(|error| format!("{driver}: {error}"))?;
    let kind = kind.unwrap_or_else(|| "unknown to this tyto".to_owned());
    let fits =
        |target: &&Target| runs(&target.arch, &kind) && name.is_none_or(|n| n == target.name);
    // Of NVIDIA's kinds several may run, the nearest best; of others one does.
    let target = of_driver().filter(fits).max_by_key(|target| capability(&target.arch));
    let target = target.ok_or_else(|| {
        format!(
            "{driver}: compiled for {listed}; this GPU is {kind}{}. Compile the model with \
             --target {}",
            overridden(),
            if driver == CUDA { "sm_80, which newer GPUs run too" } else { &kind }
        )
    })?;
    Ok(Chosen { target: target.clone(), runtime: Some(runtime), why: None })
}

/// The drivers of GPUs by name.
fn drivers() -> impl Iterator<Item = &'static str> {
    GPU_DRIVERS.into_iter().map(|(driver, _)| driver)
}

/// Whether a GPU of a kind runs code for `arch`: AMD's that of its own kind, NVIDIA's, which is PTX
/// that the driver compiles, that of any earlier one too.
fn runs(arch: &str, kind: &str) -> bool {
    match (capability(arch), capability(kind)) {
        (Some(least), Some(own)) => least <= own,
        _ => arch == kind,
    }
}

/// 80 of `sm_80`; `None` of AMD's kinds.
fn capability(arch: &str) -> Option<u32> {
    arch.strip_prefix("sm_")?.parse().ok()
}

/// What makes drivers take a GPU for another kind.
fn overridden() -> String {
    let name = "HSA_OVERRIDE_GFX_VERSION";
    match std::env::var(name) {
        Ok(value) if !value.is_empty() => format!(", because {name}={value} says so: unset it"),
        _ => String::new(),
    }
}

/// The driver's default device.
pub(crate) fn open(driver: Driver, gpu: GpuOptions<'_>) -> Result<Runtime, tyto_iree_rt::Error> {
    let library = gpu.library.map(Path::to_owned);
    let (pm4, max_inflight) = (gpu.pm4, gpu.max_inflight);
    Runtime::new(&RuntimeOptions { driver, pm4, library, max_inflight, ..Default::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ptx_runs_on_later_gpus_and_code_objects_on_their_own() {
        for (arch, kind, expected) in [
            ("sm_80", "sm_80", true),
            ("sm_80", "sm_90", true),
            ("sm_80", "sm_120", true),
            ("sm_89", "sm_80", false),
            ("gfx1151", "gfx1151", true),
            ("gfx1100", "gfx1151", false),
            ("sm_80", "gfx1151", false),
            ("sm_80", "unknown to this tyto", false),
        ] {
            assert_eq!(runs(arch, kind), expected, "{arch} on {kind}");
        }
    }
}
