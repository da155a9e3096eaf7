//! `--target auto`: what this machine would run a model on.

use tyto_compile::Target;
use tyto_iree_rt::{Driver, Runtime, RuntimeOptions};

/// The word on the command line.
pub(crate) const AUTO: &str = "auto";

/// GPU drivers, the preferred one first.
const DRIVERS: [&str; 2] = ["amdgpu", "hip"];

/// What was found, and how that came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) targets: Vec<Target>,
    /// One sentence for the person who asked.
    pub(crate) why: String,
}

/// Asks each driver for its GPU; the processor where none has one.
pub(crate) fn detect() -> Detected {
    choose(DRIVERS.map(|name| (name, kind(name))))
}

/// The first GPU that has a target, for both of its drivers, else the processor with all reasons.
fn choose(found: [(&str, Result<String, String>); 2]) -> Detected {
    let mut reasons = Vec::new();
    for (driver, kind) in found {
        let targets = kind.and_then(|kind| {
            Target::parse(&kind).map_err(|_| format!("its GPU is {kind}, which has no target"))
        });
        match targets {
            Ok(targets) => {
                let names: Vec<&str> = targets.iter().map(|target| target.name()).collect();
                let why =
                    format!("target auto is {}: the driver {driver} has it", names.join(", "));
                return Detected { targets, why };
            }
            Err(reason) => reasons.push(format!("{driver}: {reason}")),
        }
    }
    let why = format!("target auto is cpu: no GPU was found: {}", reasons.join("; "));
    Detected { targets: vec![Target::CpuHost], why }
}

/// The kind of a driver's GPU, or why there is none.
fn kind(driver: &str) -> Result<String, String> {
    let driver = Driver::named(driver).ok_or("this tyto was built without the feature amd")?;
    let options = RuntimeOptions { driver, ..Default::default() };
    // The first line says what; the others say where a library was looked for.
    let short = |error: tyto_iree_rt::Error| {
        error.to_string().lines().next().unwrap_or_default().to_owned()
    };
    let kind = Runtime::new(&options).and_then(|runtime| runtime.gpu_kind()).map_err(short)?;
    kind.ok_or_else(|| "its GPU is of a kind that this tyto does not know".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: [(&str, Result<String, String>); 2]) -> (Vec<&'static str>, String) {
        let Detected { targets, why } = choose(found);
        (targets.into_iter().map(Target::name).collect(), why)
    }

    #[test]
    fn a_gpu_of_either_driver_is_a_target_for_both() {
        let (targets, why) =
            names([("amdgpu", Err("no library".to_owned())), ("hip", Ok("gfx1151".to_owned()))]);
        assert_eq!(targets, ["gfx1151:amdgpu", "gfx1151:hip"]);
        assert!(why.contains("hip has it"), "{why}");
    }

    #[test]
    fn without_a_gpu_of_a_known_kind_it_is_the_processor_with_all_reasons() {
        let (targets, why) =
            names([("amdgpu", Err("no library".to_owned())), ("hip", Ok("gfx906".to_owned()))]);
        assert_eq!(targets, ["cpu"]);
        for part in ["amdgpu: no library", "hip: its GPU is gfx906"] {
            assert!(why.contains(part), "{part:?} is not in {why}");
        }
    }
}
