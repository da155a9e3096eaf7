//! Targets by name.

use std::fmt;

/// A machine that code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// `cpu`: the features of the machine that compiles.
    CpuHost,
    /// `cpu:x86-64-v3`: AVX2, FMA, F16C.
    CpuX86V3,
    /// `cpu:x86-64-v4`: AVX-512 F, BW, CD, DQ, VL.
    CpuX86V4,
}

/// A target name that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown target {found:?}; expected one of {}", names().join(", "))]
pub struct TargetError {
    /// What was asked for.
    pub found: String,
}

impl Target {
    /// Every target.
    pub const ALL: [Target; 3] = [Self::CpuHost, Self::CpuX86V3, Self::CpuX86V4];

    /// The target with this name.
    pub fn parse(name: &str) -> Result<Self, TargetError> {
        let found = Self::ALL.into_iter().find(|target| target.name() == name);
        found.ok_or_else(|| TargetError { found: name.to_owned() })
    }

    /// Its name on the command line and in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::CpuHost => "cpu",
            Self::CpuX86V3 => "cpu:x86-64-v3",
            Self::CpuX86V4 => "cpu:x86-64-v4",
        }
    }

    /// LLVM's name for the processor.
    pub fn processor(self) -> &'static str {
        match self {
            Self::CpuHost => "host",
            Self::CpuX86V3 => "x86-64-v3",
            Self::CpuX86V4 => "x86-64-v4",
        }
    }

    /// The driver that runs its code.
    pub fn driver(self) -> &'static str {
        "local-task"
    }

    /// Whether its code may use AVX-512 F: the compiling machine's for [`Target::CpuHost`].
    pub fn has_avx512(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::CpuHost => std::is_x86_feature_detected!("avx512f"),
            #[cfg(not(target_arch = "x86_64"))]
            Self::CpuHost => false,
            Self::CpuX86V3 => false,
            Self::CpuX86V4 => true,
        }
    }

    /// The instruction set: the compiling machine's for [`Target::CpuHost`].
    pub fn arch(self) -> &'static str {
        match self {
            Self::CpuHost => std::env::consts::ARCH,
            Self::CpuX86V3 | Self::CpuX86V4 => "x86_64",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn names() -> Vec<&'static str> {
    Target::ALL.iter().map(|target| target.name()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for target in Target::ALL {
            assert_eq!(Target::parse(target.name()), Ok(target));
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let message = Target::parse("gfx9999").expect_err("unknown").to_string();
        assert!(message.contains("gfx9999") && message.contains("cpu:x86-64-v3"), "{message}");
    }
}
