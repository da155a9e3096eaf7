//! This machine, as far as compiled code cares.

use std::collections::BTreeSet;

use crate::manifest::Target;

/// What this machine's CPU can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostTarget {
    /// The instruction set (`x86_64`, `aarch64`).
    pub arch: String,
    /// The highest level of x86-64 it has (`x86-64-v3`); none on other machines.
    pub level: Option<String>,
    /// The features it has, by LLVM's names.
    pub features: BTreeSet<String>,
}

/// The features of each level of x86-64, each with those of the levels before.
const LEVELS: [(&str, &[&str]); 3] = [
    ("x86-64-v2", &["cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"]),
    ("x86-64-v3", &["avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"]),
    ("x86-64-v4", &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]),
];

impl HostTarget {
    /// Asks this machine.
    pub fn detect() -> Self {
        Self::new(std::env::consts::ARCH, detected_features())
    }

    /// A machine with these features; the level follows from them.
    pub fn new(arch: &str, features: BTreeSet<String>) -> Self {
        let reached = || {
            let whole = LEVELS
                .iter()
                .take_while(|(_, needed)| needed.iter().all(|name| features.contains(*name)));
            whole.last().map_or("x86-64", |(level, _)| *level).to_owned()
        };
        let level = (arch == "x86_64").then(reached);
        Self { arch: arch.to_owned(), level, features }
    }

    /// The features a level of x86-64 promises; `None` for a name that is no level.
    pub fn features_of_level(level: &str) -> Option<Vec<&'static str>> {
        if level == "x86-64" {
            return Some(Vec::new());
        }
        let at = LEVELS.iter().position(|(name, _)| *name == level)?;
        Some(LEVELS[..=at].iter().flat_map(|(_, features)| features.iter().copied()).collect())
    }

    /// What a target needs and this machine lacks; empty when it runs here.
    pub fn missing_for(&self, target: &Target) -> Vec<String> {
        if target.arch != self.arch {
            let kind = if target.is_gpu() { "GPU" } else { "machine" };
            return vec![format!("a {} {kind}", target.arch)];
        }
        let wanted = target.cpu_features.iter().map(|feature| feature.trim_start_matches('+'));
        wanted.filter(|feature| !self.features.contains(*feature)).map(str::to_owned).collect()
    }
}

impl std::fmt::Display for HostTarget {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "cpu:{}", self.level.as_deref().unwrap_or(&self.arch))
    }
}

/// Looks up features that code may be compiled for. The macro takes only literals,
/// and Rust names two of them differently from LLVM.
#[cfg(target_arch = "x86_64")]
fn detected_features() -> BTreeSet<String> {
    macro_rules! found {
        ($($rust:tt => $llvm:literal),* $(,)?) => {
            [$(($llvm, std::is_x86_feature_detected!($rust))),*]
        };
    }
    let found = found! {
        "sse3" => "sse3", "ssse3" => "ssse3", "sse4.1" => "sse4.1", "sse4.2" => "sse4.2",
        "popcnt" => "popcnt", "cmpxchg16b" => "cx16", "avx" => "avx", "avx2" => "avx2",
        "bmi1" => "bmi", "bmi2" => "bmi2", "f16c" => "f16c", "fma" => "fma", "lzcnt" => "lzcnt",
        "movbe" => "movbe", "xsave" => "xsave", "aes" => "aes", "pclmulqdq" => "pclmul", "adx" => "adx",
        "avx512f" => "avx512f", "avx512bw" => "avx512bw", "avx512cd" => "avx512cd",
        "avx512dq" => "avx512dq", "avx512vl" => "avx512vl", "avx512vnni" => "avx512vnni",
        "avx512bf16" => "avx512bf16", "avx512fp16" => "avx512fp16", "avx512ifma" => "avx512ifma",
        "avx512vbmi" => "avx512vbmi", "avx512vbmi2" => "avx512vbmi2",
        "avx512bitalg" => "avx512bitalg", "avx512vpopcntdq" => "avx512vpopcntdq",
        "avxvnni" => "avxvnni", "avxvnniint8" => "avxvnniint8", "avxifma" => "avxifma",
        "avxneconvert" => "avxneconvert", "gfni" => "gfni", "vaes" => "vaes", "vpclmulqdq" => "vpclmulqdq",
        "sha" => "sha", "fxsr" => "fxsr", "rdrand" => "rdrnd", "rdseed" => "rdseed",
        "xsavec" => "xsavec", "xsaveopt" => "xsaveopt", "xsaves" => "xsaves",
    };
    let mut features: BTreeSet<String> =
        found.iter().filter(|(_, has)| *has).map(|(name, _)| (*name).to_owned()).collect();
    // Not to be asked for on stable Rust, and in every x86-64 CPU since SSE4.2.
    if features.contains("sse4.2") {
        features.insert("sahf".to_owned());
    }
    features
}

#[cfg(target_arch = "aarch64")]
fn detected_features() -> BTreeSet<String> {
    macro_rules! found {
        ($($rust:tt => $llvm:literal),* $(,)?) => {
            [$(($llvm, std::arch::is_aarch64_feature_detected!($rust))),*]
        };
    }
    let found = found! {
        "neon" => "neon", "fp16" => "fullfp16", "dotprod" => "dotprod", "i8mm" => "i8mm",
        "bf16" => "bf16", "sve" => "sve", "sve2" => "sve2", "lse" => "lse", "crc" => "crc",
    };
    found.iter().filter(|(_, has)| *has).map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn detected_features() -> BTreeSet<String> {
    BTreeSet::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(features: &[&str]) -> HostTarget {
        HostTarget::new("x86_64", features.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn a_level_needs_every_feature_of_it_and_those_before() {
        let all = |level| HostTarget::features_of_level(level).expect("a level");
        assert_eq!(with(&[]).level.as_deref(), Some("x86-64"));
        for level in ["x86-64-v2", "x86-64-v3", "x86-64-v4"] {
            assert_eq!(with(&all(level)).level.as_deref(), Some(level));
        }
        let without_fma: Vec<&str> =
            all("x86-64-v4").into_iter().filter(|name| *name != "fma").collect();
        assert_eq!(with(&without_fma).level.as_deref(), Some("x86-64-v2"));
        assert_eq!(HostTarget::features_of_level("x86-64-v9"), None);
    }

    #[test]
    fn other_machines_have_no_x86_level() {
        assert_eq!(HostTarget::new("aarch64", BTreeSet::new()).to_string(), "cpu:aarch64");
        assert_eq!(with(&[]).to_string(), "cpu:x86-64");
    }

    #[test]
    fn this_machine_has_a_name() {
        assert!(HostTarget::detect().to_string().starts_with("cpu:"));
    }
}
