//! GPUs by the names that LLVM has for them.

/// A kind of GPU: those of AMD, and of NVIDIA the least that code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are LLVM's and say all there is")]
pub enum GpuArch {
    Gfx942,
    Gfx950,
    Gfx1100,
    Gfx1101,
    Gfx1102,
    Gfx1103,
    Gfx1150,
    Gfx1151,
    Gfx1152,
    Gfx1200,
    Gfx1201,
    Sm80,
    Sm89,
}

/// The driver that runs code on a GPU. Each has its own form of executables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GpuDriver {
    /// HSA queues, written by the host itself.
    Amdgpu,
    /// The HIP runtime.
    Hip,
    /// NVIDIA's driver library.
    Cuda,
}

/// How much is known of code for a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Its code runs in the tests, on an emulator.
    Emulated,
    /// It was run on a GPU by hand; the tests only compile it.
    Experimental,
    /// Its code compiles; of some kinds a test runs a model on an emulator, nothing has run on a GPU.
    Unproven,
}

impl GpuArch {
    /// Every kind that code is compiled for. IREE 3.13 does not know sm_90.
    pub const ALL: [Self; 13] = [
        Self::Gfx942,
        Self::Gfx950,
        Self::Gfx1100,
        Self::Gfx1101,
        Self::Gfx1102,
        Self::Gfx1103,
        Self::Gfx1150,
        Self::Gfx1151,
        Self::Gfx1152,
        Self::Gfx1200,
        Self::Gfx1201,
        Self::Sm80,
        Self::Sm89,
    ];

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|arch| arch.name() == name)
    }

    /// LLVM's name.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// What is known of its code.
    pub fn proof(self) -> Proof {
        match self {
            Self::Gfx1151 => Proof::Emulated,
            Self::Sm80 | Self::Sm89 => Proof::Experimental,
            _ => Proof::Unproven,
        }
    }

    /// The drivers that run its code, the preferred one first.
    pub fn drivers(self) -> &'static [GpuDriver] {
        match self {
            Self::Sm80 | Self::Sm89 => &[GpuDriver::Cuda],
            _ => &[GpuDriver::Amdgpu, GpuDriver::Hip],
        }
    }

    /// Its own name, and those of its targets by driver: `gfx1151`, `gfx1151:amdgpu`, `gfx1151:hip`.
    /// A kind with one driver is a target by its own name.
    pub(crate) fn names(self) -> (&'static str, &'static str, &'static str) {
        macro_rules! names {
            ($name:literal) => {
                ($name, concat!($name, ":amdgpu"), concat!($name, ":hip"))
            };
        }
        match self {
            Self::Gfx942 => names!("gfx942"),
            Self::Gfx950 => names!("gfx950"),
            Self::Gfx1100 => names!("gfx1100"),
            Self::Gfx1101 => names!("gfx1101"),
            Self::Gfx1102 => names!("gfx1102"),
            Self::Gfx1103 => names!("gfx1103"),
            Self::Gfx1150 => names!("gfx1150"),
            Self::Gfx1151 => names!("gfx1151"),
            Self::Gfx1152 => names!("gfx1152"),
            Self::Gfx1200 => names!("gfx1200"),
            Self::Gfx1201 => names!("gfx1201"),
            Self::Sm80 => ("sm_80", "sm_80", "sm_80"),
            Self::Sm89 => ("sm_89", "sm_89", "sm_89"),
        }
    }
}

impl GpuDriver {
    /// Its name in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amdgpu => "amdgpu",
            Self::Hip => "hip",
            Self::Cuda => "cuda",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_and_only_what_runs_in_tests_is_proven() {
        for arch in GpuArch::ALL {
            assert_eq!(GpuArch::parse(arch.name()), Some(arch));
            let emulated = arch.proof() == Proof::Emulated;
            assert_eq!(emulated, arch == GpuArch::Gfx1151, "{}", arch.name());
            let nvidia = arch.drivers() == [GpuDriver::Cuda];
            assert_eq!(nvidia, arch.proof() == Proof::Experimental, "{}", arch.name());
        }
        assert_eq!(GpuArch::parse("gfx1151:hip"), None);
    }
}
