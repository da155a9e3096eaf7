//! Targets by name.

use std::fmt;

use crate::{GpuArch, GpuDriver};

/// A machine that code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// `cpu`: the features of the machine that compiles.
    CpuHost,
    /// `cpu:x86-64-v3`: AVX2, FMA, F16C.
    CpuX86V3,
    /// `cpu:x86-64-v4`: AVX-512 F, BW, CD, DQ, VL.
    CpuX86V4,
    /// `gfx1151:amdgpu` and the like: one kind of GPU through one driver.
    Gpu(GpuArch, GpuDriver),
}

/// A target name that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown target {found:?}; expected one of {}", names().join(", "))]
pub struct TargetError {
    /// What was asked for.
    pub found: String,
}

impl Target {
    /// Every target of a CPU.
    pub const CPUS: [Target; 3] = [Self::CpuHost, Self::CpuX86V3, Self::CpuX86V4];

    /// The targets with this name: `gfx1151` alone stands for the GPU through both drivers, `sm_80` has
    /// one.
    pub fn parse(name: &str) -> Result<Vec<Self>, TargetError> {
        if let Some(arch) = GpuArch::parse(name) {
            return Ok(arch.drivers().iter().map(|driver| Self::Gpu(arch, *driver)).collect());
        }
        let found = Self::all().find(|target| target.name() == name);
        found.map(|target| vec![target]).ok_or_else(|| TargetError { found: name.to_owned() })
    }

    /// Every target.
    pub fn all() -> impl Iterator<Item = Self> {
        let gpus = GpuArch::ALL
            .into_iter()
            .flat_map(|arch| arch.drivers().iter().map(move |driver| Self::Gpu(arch, *driver)));
        Self::CPUS.into_iter().chain(gpus)
    }

    /// Its name on the command line and in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::CpuHost => "cpu",
            Self::CpuX86V3 => "cpu:x86-64-v3",
            Self::CpuX86V4 => "cpu:x86-64-v4",
            Self::Gpu(arch, GpuDriver::Amdgpu) => arch.names().1,
            Self::Gpu(arch, GpuDriver::Hip) => arch.names().2,
            Self::Gpu(arch, GpuDriver::Cuda) => arch.name(),
        }
    }

    /// LLVM's name for the processor.
    pub fn processor(self) -> &'static str {
        match self {
            Self::CpuHost => "host",
            Self::CpuX86V3 => "x86-64-v3",
            Self::CpuX86V4 => "x86-64-v4",
            Self::Gpu(arch, _) => arch.name(),
        }
    }

    /// The driver that runs its compiled code.
    pub fn driver(self) -> &'static str {
        match self {
            Self::Gpu(_, driver) => driver.name(),
            _ => "local-task",
        }
    }

    /// Whether it is a GPU.
    pub fn is_gpu(self) -> bool {
        matches!(self, Self::Gpu(..))
    }

    /// Whether its code may use AVX-512 F: the compiling machine's for [`Target::CpuHost`].
    pub fn has_avx512(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::CpuHost => std::is_x86_feature_detected!("avx512f"),
            #[cfg(not(target_arch = "x86_64"))]
            Self::CpuHost => false,
            Self::CpuX86V3 | Self::Gpu(..) => false,
            Self::CpuX86V4 => true,
        }
    }

    /// The instruction set: the compiling machine's for [`Target::CpuHost`].
    pub fn arch(self) -> &'static str {
        match self {
            Self::CpuHost => std::env::consts::ARCH,
            Self::CpuX86V3 | Self::CpuX86V4 => "x86_64",
            Self::Gpu(arch, _) => arch.name(),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn names() -> Vec<&'static str> {
    let cpus = Target::CPUS.iter().map(|target| target.name());
    cpus.chain(GpuArch::ALL.iter().map(|arch| arch.name())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for target in Target::all() {
            assert_eq!(Target::parse(target.name()), Ok(vec![target]));
        }
    }

    #[test]
    fn a_gpu_without_a_driver_is_both_drivers_the_preferred_first() {
        let both = Target::parse("gfx1151").expect("known");
        let names: Vec<&str> = both.iter().map(|target| target.name()).collect();
        assert_eq!(names, ["gfx1151:amdgpu", "gfx1151:hip"]);
        let facts = both.iter().map(|target| (target.driver(), target.arch(), target.is_gpu()));
        assert!(facts.eq([("amdgpu", "gfx1151", true), ("hip", "gfx1151", true)]));
    }

    #[test]
    fn a_gpu_with_one_driver_is_one_target_by_its_own_name() {
        for name in ["sm_80", "sm_89"] {
            let targets = Target::parse(name).expect("known");
            let facts =
                targets.iter().map(|target| (target.name(), target.driver(), target.arch()));
            assert!(facts.eq([(name, "cuda", name)]));
        }
        for name in ["sm_80:cuda", "sm_90", "sm_75"] {
            assert!(Target::parse(name).is_err(), "{name}");
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let message = Target::parse("gfx9999").expect_err("unknown").to_string();
        for part in ["gfx9999", "cpu:x86-64-v3", "gfx1151", "sm_80"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(Target::parse("gfx1151:cuda").is_err());
    }
}
