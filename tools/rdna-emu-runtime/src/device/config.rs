//! The device's configuration, from environment variables.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

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

/// What `TYTO_EMU_FAULT` is.
const FAULTS: &str = "a list of launch:N:KIND (reject, async, hang or lost), alloc:N:oom and lock:N:refuse with commas between";

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
        let variables = Variables(&get);
        let mut config = Config::default();
        config.read_device(&variables)?;
        read_options(&mut config.options, &variables)?;
        config.read_launches(&variables)?;
        Ok(config)
    }

    /// Which chip it is, and its memory.
    fn read_device(&mut self, variables: &Variables<'_>) -> Result<(), ConfigError> {
        let chip = |value: &str| CHIPS.contains(&value).then(|| value.to_owned());
        let chips = "gfx1100 to gfx1103 or gfx1150 to gfx1152";
        variables.set(&mut self.gfx, "TYTO_EMU_GFX", chips, chip)?;
        let units = |value: &str| number(value, 1..=1024);
        let expected = "a number from 1 to 1024";
        variables.set(&mut self.compute_units, "TYTO_EMU_CUS", expected, units)?;
        let expected = "a number of bytes, which may end with K, M or G,";
        variables.set(&mut self.vram_bytes, "TYTO_EMU_VRAM", expected, bytes)?;
        variables.set(&mut self.gtt_bytes, "TYTO_EMU_GTT", expected, bytes)
    }

    /// What launches do, and what is told of them.
    fn read_launches(&mut self, variables: &Variables<'_>) -> Result<(), ConfigError> {
        let faults = |value: &str| value.split(',').map(Fault::parse).collect();
        variables.set(&mut self.faults, "TYTO_EMU_FAULT", FAULTS, faults)?;
        let milliseconds = |value: &str| value.parse().ok().map(Some);
        let expected = "a number of milliseconds";
        variables.set(&mut self.watchdog, "TYTO_EMU_WATCHDOG", expected, milliseconds)?;
        let file = |value: &str| Some(Some(PathBuf::from(value)));
        variables.set(&mut self.report, "TYTO_EMU_REPORT", "a file", file)?;
        let blits = |value: &str| one_of(value, ["fast", "run"], [Blits::Fast, Blits::Run]);
        variables.set(&mut self.blits, "TYTO_EMU_BLITS", "fast or run", blits)?;
        let register = |value: &str| one_of(value, ["register", "descriptor"], [true, false]);
        let expected = "register or descriptor";
        variables.set(&mut self.lds_from_register, "TYTO_EMU_PM4_LDS", expected, register)?;
        let aborts = |value: &str| one_of(value, ["fail", "abort"], [false, true]);
        variables.set(&mut self.aborts_on_fault, "TYTO_EMU_ON_FAULT", "fail or abort", aborts)?;
        let expected = "run, skip or only:NAME,NAME";
        variables.set(&mut self.kernels, "TYTO_EMU_KERNELS", expected, Kernels::parse)?;
        let expected = "off, errors, calls or packets";
        variables.set(&mut self.log, "TYTO_EMU_LOG", expected, Level::parse)
    }
}

/// How kernels run.
fn read_options(options: &mut Options, variables: &Variables<'_>) -> Result<(), ConfigError> {
    let expected = "in-order, reversed, interleaved or random:SEED";
    variables.set(&mut options.schedule, "TYTO_EMU_SCHEDULE", expected, schedule)?;
    let all = [Races::Off, Races::Shared, Races::All];
    let races = |value: &str| one_of(value, ["off", "lds", "all"], all);
    variables.set(&mut options.races, "TYTO_EMU_RACES", "off, lds or all", races)?;
    let checks = |value: &str| one_of(value, ["off", "written"], [false, true]);
    variables.set(&mut options.checks_written, "TYTO_EMU_CHECKS", "off or written", checks)?;
    let both = [Numerics::Ieee, Numerics::Gfx11];
    let numerics = |value: &str| one_of(value, ["ieee", "gfx11"], both);
    variables.set(&mut options.numerics, "TYTO_EMU_NUMERICS", "ieee or gfx11", numerics)?;
    let threads = |value: &str| number(value, 1..=256);
    variables.set(&mut options.threads, "TYTO_EMU_THREADS", "a number from 1 to 256", threads)?;
    let details = |value: &str| one_of(value, ["off", "on"], [false, true]);
    variables.set(&mut options.details, "TYTO_EMU_DETAILS", "off or on", details)
}

/// Where variables come from.
struct Variables<'a>(&'a dyn Fn(&str) -> Option<String>);

impl Variables<'_> {
    /// Sets `field` to what `parse` makes of a variable's value, if it has one; `None` of it is an error.
    fn set<T>(
        &self,
        field: &mut T,
        variable: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<(), ConfigError> {
        let Some(value) = (self.0)(variable).filter(|value| !value.is_empty()) else {
            return Ok(());
        };
        match parse(&value) {
            Some(parsed) => *field = parsed,
            None => {
                let (variable, expected) = (variable.to_owned(), expected.to_owned());
                return Err(ConfigError { variable, value, expected });
            }
        }
        Ok(())
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

/// What stands for one of these names.
fn one_of<T: Copy, const N: usize>(value: &str, names: [&str; N], all: [T; N]) -> Option<T> {
    names.iter().position(|name| *name == value).map(|index| all[index])
}

fn number<T: FromStr + PartialOrd>(value: &str, range: RangeInclusive<T>) -> Option<T> {
    value.parse().ok().filter(|number| range.contains(number))
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

    fn set(variable: &str, value: &str) -> Config {
        with(variable, value).expect("it is one of the values that are documented")
    }

    #[test]
    fn variables_set_what_they_name() {
        assert_eq!(set("TYTO_EMU_VRAM", "3G").vram_bytes, 3 << 30);
        assert_eq!(set("TYTO_EMU_GTT", "100").gtt_bytes, 100);
        let schedule = set("TYTO_EMU_SCHEDULE", "random:7").options.schedule;
        assert_eq!(schedule, Schedule::Random(7));
        assert_eq!(set("TYTO_EMU_RACES", "lds").options.races, Races::Shared);
        assert_eq!(set("TYTO_EMU_BLITS", "run").blits, Blits::Run);
        assert_eq!(set("TYTO_EMU_BLITS", "").blits, Blits::Fast);
        let kernels = |value| set("TYTO_EMU_KERNELS", value).kernels;
        assert!(kernels("run").has("a") && !kernels("skip").has("a"));
        assert!(kernels("only:a,b").has("b") && !kernels("only:a,b").has("ab"));
        let faults = set("TYTO_EMU_FAULT", "launch:7:hang,alloc:3:oom").faults;
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
            let error = with(variable, value).expect_err(value);
            assert_eq!((error.variable.as_str(), error.value.as_str()), (variable, value));
        }
    }

    #[test]
    fn a_misspelt_variable_is_refused_with_the_names_that_there_are() {
        let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let error = check_names(names(&["HOME", "TYTO_EMU_FAULTS"]).into_iter());
        let error = error.expect_err("there is no such variable");
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
            Config::from_variables(look).expect("no variable is the default");
            assert!(seen.get(), "{name}");
        }
    }
}
