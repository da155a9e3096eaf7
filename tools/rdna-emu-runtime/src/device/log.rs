//! What is told to the person, on the standard error stream.

/// How much is told; each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    Off,
    /// Faults of kernels, packets that cannot be run, calls that are not offered.
    Errors,
    /// Each call of the host.
    Calls,
    /// Each packet and launch too.
    Packets,
}

impl Level {
    /// By its name.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "off" => Level::Off,
            "errors" => Level::Errors,
            "calls" => Level::Calls,
            "packets" => Level::Packets,
            _ => return None,
        })
    }
}

/// Where messages go.
#[derive(Debug)]
pub struct Log {
    level: Level,
}

impl Log {
    /// A log of messages up to that level.
    pub fn new(level: Level) -> Self {
        Log { level }
    }

    /// Tells a message, which is only made when it is wanted.
    pub fn write(&self, level: Level, message: impl FnOnce() -> String) {
        if level <= self.level {
            eprintln!("rdna-emu: {}", message());
        }
    }
}
