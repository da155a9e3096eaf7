//! The CPU kernels of `kernels-cpu/` as objects, one for each [`Variant`] of an instruction
//! set, ready to be put into compiled programs. The build compiles them with clang.

#[cfg(feature = "linked")]
pub mod linked;

/// Objects by name, as the build made them.
const OBJECTS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/objects.rs"));

/// An instruction set that the kernels are built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// The least that the architecture guarantees.
    Portable,
    /// x86-64-v3: AVX2, FMA, F16C.
    V3,
    /// x86-64-v4: AVX-512 F, BW, CD, DQ, VL.
    V4,
    /// x86-64-v4 with AVX-512 VNNI and VBMI.
    V4Vnni,
    /// x86-64-v4 with AVX-512 VNNI, BF16 and VBMI (Zen 4, Sapphire Rapids).
    V4Extended,
}

impl Variant {
    /// Every variant, the most demanding last.
    pub const ALL: [Variant; 5] =
        [Self::Portable, Self::V3, Self::V4, Self::V4Vnni, Self::V4Extended];

    /// Its name, which is part of its entry point's.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::V3 => "v3",
            Self::V4 => "v4",
            Self::V4Vnni => "v4v",
            Self::V4Extended => "v4x",
        }
    }

    /// The function that a program calls.
    pub fn symbol(self) -> String {
        format!("tyto_program_{}", self.name())
    }

    /// The relocatable object, an ELF file without undefined symbols; `None` where this
    /// architecture has no such variant.
    pub fn object(self) -> Option<&'static [u8]> {
        OBJECTS.iter().find(|(name, _)| *name == self.name()).map(|(_, bytes)| *bytes)
    }

    /// The fastest variant that runs on this machine: the most demanding one, but without the dot
    /// product of bf16 on Intel's processors, which multiply-add f32 at twice its rate.
    pub fn of_host() -> Self {
        let runs = |variant: &&Variant| {
            let slow = **variant == Self::V4Extended && is_intel();
            variant.object().is_some() && variant.runs_here() && !slow
        };
        Self::ALL.iter().rev().find(runs).copied().unwrap_or(Self::Portable)
    }

    /// Whether this machine has the instructions.
    #[cfg(target_arch = "x86_64")]
    pub fn runs_here(self) -> bool {
        use std::is_x86_feature_detected as has;
        let v3 = has!("avx2") && has!("fma") && has!("f16c") && has!("bmi2");
        let v4 = v3 && has!("avx512f") && has!("avx512bw") && has!("avx512cd");
        let v4 = v4 && has!("avx512dq") && has!("avx512vl");
        let v4v = v4 && has!("avx512vnni") && has!("avx512vbmi");
        match self {
            Self::Portable => true,
            Self::V3 => v3,
            Self::V4 => v4,
            Self::V4Vnni => v4v,
            Self::V4Extended => v4v && has!("avx512bf16"),
        }
    }

    /// Whether this machine has the instructions.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn runs_here(self) -> bool {
        self == Self::Portable
    }
}

#[cfg(target_arch = "x86_64")]
fn is_intel() -> bool {
    let vendor = std::arch::x86_64::__cpuid(0);
    [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).as_flattened() == b"GenuineIntel"
}

#[cfg(not(target_arch = "x86_64"))]
fn is_intel() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_is_an_elf_file_that_defines_its_symbol() {
        for variant in Variant::ALL {
            let Some(object) = variant.object() else { continue };
            assert_eq!(&object[..4], b"\x7fELF", "{variant:?}");
            let symbol = variant.symbol();
            assert!(object.windows(symbol.len()).any(|window| window == symbol.as_bytes()));
        }
    }

    #[test]
    fn the_hosts_variant_runs_here() {
        assert!(Variant::of_host().runs_here());
        assert!(Variant::of_host().object().is_some());
    }
}
