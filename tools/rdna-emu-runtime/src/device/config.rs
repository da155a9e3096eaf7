//! The device's configuration, from environment variables.

use std::path::PathBuf;

use tyto_rdna_emu::{Numerics, Options, Races, Schedule};

use super::faults::Fault;
use super::log::Level;

/// A variable whose value cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable}={value}: {expected} is expected")]
pub struct ConfigError {
    /// The variable.
    pub variable: String,
    /// Its value.
    pub value: String,
    /// What it should be.
    pub expected: String,
}

/// What all variables of the emulator begin with.
const PREFIX: &str = "TYTO_EMU_";

/// All of them. The last is the tests' own.
const VARIABLES: [&str; 19] = [
    "TYTO_EMU_GFX",
    "TYTO_EMU_CUS",
    "TYTO_EMU_VRAM",
    "TYTO_EMU_GTT",
    "TYTO_EMU_SCHEDULE",
    "TYTO_EMU_RACES",
    "TYTO_EMU_CHECKS",
    "TYTO_EMU_NUMERICS",
    "TYTO_EMU_THREADS",
    "TYTO_EMU_DETAILS",
    "TYTO_EMU_FAULT",
    "TYTO_EMU_WATCHDOG",
    "TYTO_EMU_REPORT",
    "TYTO_EMU_BLITS",
    "TYTO_EMU_PM4_LDS",
    "TYTO_EMU_ON_FAULT",
    "TYTO_EMU_KERNELS",
    "TYTO_EMU_LOG",
    "TYTO_EMU_SWEEP",
];

/// How copies and fills are run that a driver does by kernels of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blits {
    /// By the host, with the same result.
    Fast,
    /// As the kernels that they are.
    Run,
}

/// How a device is.
#[derive(Debug, Clone)]
pub struct Config {
    /// The chip: `TYTO_EMU_GFX`.
    pub gfx: String,
    /// Compute units: `TYTO_EMU_CUS`.
    pub compute_units: u32,
    /// Memory of its own: `TYTO_EMU_VRAM`, in bytes.
    pub vram_bytes: u64,
    /// The host's memory that it may use: `TYTO_EMU_GTT`, in bytes.
    pub gtt_bytes: u64,
    /// How kernels run: `TYTO_EMU_SCHEDULE`, `TYTO_EMU_RACES`, `TYTO_EMU_CHECKS`, `TYTO_EMU_NUMERICS`,
    /// `TYTO_EMU_THREADS` and `TYTO_EMU_DETAILS`.
    pub options: Options,
    /// The faults to inject: `TYTO_EMU_FAULT`.
    pub faults: Vec<Fault>,
    /// After how many milliseconds a hung launch is given up and its device with it: `TYTO_EMU_WATCHDOG`.
    pub watchdog: Option<u64>,
    /// Where the report goes: `TYTO_EMU_REPORT`.
    pub report: Option<PathBuf>,
    /// How blits run: `TYTO_EMU_BLITS`.
    pub blits: Blits,
    /// Whether launches by commands have the LDS that their registers give, and none without: `TYTO_EMU_PM4_LDS`.
    pub lds_from_register: bool,
    /// Whether a kernel's fault ends the process, as ROCm does for many: `TYTO_EMU_ON_FAULT`. Only in HIP's face.
    pub aborts_on_fault: bool,
    /// Which kernels are run; others are over at once and leave memory as it is: `TYTO_EMU_KERNELS`.
    pub kernels: Kernels,
    /// What is told: `TYTO_EMU_LOG`.
    pub log: Level,
}

/// Kernels that are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kernels {
    /// All.
    All,
    /// Those of these names.
    Only(Vec<String>),
}

impl Kernels {
    /// Whether a kernel is one of them.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.iter().any(|one| one == name),
        }
    }

    fn parse(value: &str) -> Option<Self> {
        match (value, value.strip_prefix("only:")) {
            ("run", _) => Some(Self::All),
            ("skip", _) => Some(Self::Only(Vec::new())),
            (_, names) => {
                names.map(|names| Self::Only(names.split(',').map(str::to_owned).collect()))
            }
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            gfx: "gfx1151".to_owned(),
            compute_units: 40,
            vram_bytes: 4 << 30,
            gtt_bytes: 12 << 30,
            options: Options { threads: threads(), ..Options::default() },
            faults: Vec::new(),
            watchdog: None,
            report: None,
            blits: Blits::Fast,
            aborts_on_fault: false,
            lds_from_register: true,
            kernels: Kernels::All,
            log: Level::Errors,
        }
    }
}

/// A thread for each core that there is, up to eight.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(8)
}

/// The chips whose code the emulator runs.
const CHIPS: [&str; 7] =
    ["gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152"];

impl Config {
    /// By the process' environment.
    /// A variable that begins as they do and is none of them is refused: a fault that is misspelt
    /// would test nothing.
    pub fn from_environment() -> Result<Self, ConfigError> {
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        check_names(names)?;
        Self::from_variables(|name| {
            std::env::var_os(name).map(|v| v.to_string_lossy().into_owned())
        })
    }

    /// By variables; those that are absent or empty leave the default.
    pub fn from_variables(get: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let mut config = Config::default();
        let options = &mut config.options;
        let get = |name: &'static str| get(name).filter(|value| !value.is_empty());
        let apply = |variable: &'static str,
                     expected: &'static str,
                     set: &mut dyn FnMut(&str) -> Option<()>| {
            match get(variable) {
                Some(value) => set(&value).ok_or_else(|| ConfigError {
                    variable: variable.to_owned(),
                    value,
                    expected: expected.to_owned(),
                }),
                None => Ok(()),
            }
        };
        apply("TYTO_EMU_GFX", "gfx1100 to gfx1103 or gfx1150 to gfx1152", &mut |value| {
            config.gfx = CHIPS.iter().find(|chip| **chip == value)?.to_string();
            Some(())
        })?;
        apply("TYTO_EMU_CUS", "a number from 1 to 1024", &mut |value| {
            config.compute_units = value.parse().ok().filter(|count| (1..=1024).contains(count))?;
            Some(())
        })?;
        let bytes = "a number of bytes, which may end with K, M or G,";
        apply("TYTO_EMU_VRAM", bytes, &mut |value| {
            self::bytes(value).map(|n| config.vram_bytes = n)
        })?;
        apply("TYTO_EMU_GTT", bytes, &mut |value| {
            self::bytes(value).map(|n| config.gtt_bytes = n)
        })?;
        apply(
            "TYTO_EMU_SCHEDULE",
            "in-order, reversed, interleaved or random:SEED",
            &mut |value| schedule(value).map(|schedule| options.schedule = schedule),
        )?;
        apply("TYTO_EMU_RACES", "off, lds or all", &mut |value| {
            options.races = match value {
                "off" => Races::Off,
                "lds" => Races::Shared,
                "all" => Races::All,
                _ => return None,
            };
            Some(())
        })?;
        apply("TYTO_EMU_CHECKS", "off or written", &mut |value| {
            options.checks_written = one_of(value, "off", "written")?;
            Some(())
        })?;
        apply("TYTO_EMU_NUMERICS", "ieee or gfx11", &mut |value| {
            let is_gfx11 = one_of(value, "ieee", "gfx11")?;
            options.numerics = if is_gfx11 { Numerics::Gfx11 } else { Numerics::Ieee };
            Some(())
        })?;
        apply("TYTO_EMU_THREADS", "a number from 1 to 256", &mut |value| {
            options.threads = value.parse().ok().filter(|count| (1..=256).contains(count))?;
            Some(())
        })?;
        apply("TYTO_EMU_DETAILS", "off or on", &mut |value| {
            options.details = one_of(value, "off", "on")?;
            Some(())
        })?;
        apply(
            "TYTO_EMU_FAULT",
            "a list of launch:N:KIND (reject, async, hang or lost), alloc:N:oom and lock:N:refuse with commas between",
            &mut |value| {
                config.faults = value.split(',').map(Fault::parse).collect::<Option<_>>()?;
                Some(())
            },
        )?;
        apply("TYTO_EMU_WATCHDOG", "a number of milliseconds", &mut |value| {
            config.watchdog = Some(value.parse().ok()?);
            Some(())
        })?;
        apply("TYTO_EMU_REPORT", "a file", &mut |value| {
            config.report = Some(PathBuf::from(value));
            Some(())
        })?;
        apply("TYTO_EMU_BLITS", "fast or run", &mut |value| {
            config.blits = if one_of(value, "fast", "run")? { Blits::Run } else { Blits::Fast };
            Some(())
        })?;
        apply("TYTO_EMU_PM4_LDS", "register or descriptor", &mut |value| {
            config.lds_from_register = !one_of(value, "register", "descriptor")?;
            Some(())
        })?;
        apply("TYTO_EMU_ON_FAULT", "fail or abort", &mut |value| {
            config.aborts_on_fault = one_of(value, "fail", "abort")?;
            Some(())
        })?;
        apply("TYTO_EMU_KERNELS", "run, skip or only:NAME,NAME", &mut |value| {
            config.kernels = Kernels::parse(value)?;
            Some(())
        })?;
        apply("TYTO_EMU_LOG", "off, errors, calls or packets", &mut |value| {
            config.log = Level::parse(value)?;
            Some(())
        })?;
        Ok(config)
    }
}

/// Refuses names that begin as the emulator's variables do and are none.
fn check_names(names: impl Iterator<Item = String>) -> Result<(), ConfigError> {
    let unknown = |name: &String| name.starts_with(PREFIX) && !VARIABLES.contains(&name.as_str());
    match names.filter(unknown).min() {
        None => Ok(()),
        Some(variable) => Err(ConfigError {
            variable,
            value: "…".to_owned(),
            expected: format!("one of {}", VARIABLES.join(", ")),
        }),
    }
}

/// Whether the value is the second of two.
fn one_of(value: &str, first: &str, second: &str) -> Option<bool> {
    match value {
        _ if value == first => Some(false),
        _ if value == second => Some(true),
        _ => None,
    }
}

fn bytes(value: &str) -> Option<u64> {
    let (digits, shift) = match value.as_bytes().last()? {
        b'K' => (&value[..value.len() - 1], 10),
        b'M' => (&value[..value.len() - 1], 20),
        b'G' => (&value[..value.len() - 1], 30),
        _ => (value, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

fn schedule(value: &str) -> Option<Schedule> {
    match value {
        "in-order" => Some(Schedule::InOrder),
        "reversed" => Some(Schedule::Reversed),
        "interleaved" => Some(Schedule::Interleaved),
        _ => Some(Schedule::Random(value.strip_prefix("random:")?.parse().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::faults::{FaultKind, LaunchFault};

    fn with(variable: &str, value: &str) -> Result<Config, ConfigError> {
        Config::from_variables(|name| (name == variable).then(|| value.to_owned()))
    }

    #[test]
    fn variables_set_what_they_name() {
        assert_eq!(with("TYTO_EMU_VRAM", "3G").unwrap().vram_bytes, 3 << 30);
        assert_eq!(with("TYTO_EMU_GTT", "100").unwrap().gtt_bytes, 100);
        let schedule = with("TYTO_EMU_SCHEDULE", "random:7").unwrap().options.schedule;
        assert_eq!(schedule, Schedule::Random(7));
        assert_eq!(with("TYTO_EMU_RACES", "lds").unwrap().options.races, Races::Shared);
        assert_eq!(with("TYTO_EMU_BLITS", "run").unwrap().blits, Blits::Run);
        assert_eq!(with("TYTO_EMU_BLITS", "").unwrap().blits, Blits::Fast);
        let kernels = |value| with("TYTO_EMU_KERNELS", value).unwrap().kernels;
        assert!(kernels("run").has("a") && !kernels("skip").has("a"));
        assert!(kernels("only:a,b").has("b") && !kernels("only:a,b").has("ab"));
        let faults = with("TYTO_EMU_FAULT", "launch:7:hang,alloc:3:oom").unwrap().faults;
        assert_eq!(faults[0], Fault { number: 7, kind: FaultKind::Launch(LaunchFault::Hang) });
        assert_eq!(faults[1], Fault { number: 3, kind: FaultKind::OutOfMemory });
    }

    #[test]
    fn a_wrong_value_names_its_variable() {
        for (variable, value) in [
            ("TYTO_EMU_GFX", "gfx942"),
            ("TYTO_EMU_CUS", "0"),
            ("TYTO_EMU_VRAM", "99999999999G"),
            ("TYTO_EMU_GTT", "much"),
            ("TYTO_EMU_SCHEDULE", "random"),
            ("TYTO_EMU_RACES", "yes"),
            ("TYTO_EMU_CHECKS", "on"),
            ("TYTO_EMU_NUMERICS", "f64"),
            ("TYTO_EMU_THREADS", "-1"),
            ("TYTO_EMU_DETAILS", "1"),
            ("TYTO_EMU_FAULT", "launch:0:hang"),
            ("TYTO_EMU_FAULT", "alloc:1:hang"),
            ("TYTO_EMU_WATCHDOG", "soon"),
            ("TYTO_EMU_BLITS", "slow"),
            ("TYTO_EMU_ON_FAULT", "retry"),
            ("TYTO_EMU_PM4_LDS", "none"),
            ("TYTO_EMU_KERNELS", "none"),
            ("TYTO_EMU_LOG", "9"),
        ] {
            let error = with(variable, value).unwrap_err();
            assert_eq!((error.variable.as_str(), error.value.as_str()), (variable, value));
        }
    }

    #[test]
    fn a_misspelt_variable_is_refused_with_the_names_that_there_are() {
        let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let error = check_names(names(&["HOME", "TYTO_EMU_FAULTS"]).into_iter()).unwrap_err();
        assert_eq!(error.variable, "TYTO_EMU_FAULTS");
        assert!(error.to_string().contains("TYTO_EMU_FAULT,"), "{error}");
        assert_eq!(check_names(names(&VARIABLES).into_iter()), Ok(()));
        // Every variable of the list is one that is read.
        for name in VARIABLES.into_iter().filter(|name| *name != "TYTO_EMU_SWEEP") {
            let seen = std::cell::Cell::new(false);
            let look = |asked: &str| {
                seen.set(seen.get() || asked == name);
                None
            };
            Config::from_variables(look).unwrap();
            assert!(seen.get(), "{name}");
        }
    }
}
