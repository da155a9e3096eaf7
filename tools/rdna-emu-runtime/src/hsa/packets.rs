//! Packets of a queue (AQL): what their 64 bytes say. What is reserved must be zero.

use super::signals::Condition;
use super::types::Status;

/// Why a packet cannot be run, or what went wrong in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What the queue's creator is told.
    pub status: Status,
    /// What the person is told.
    pub message: String,
}

impl Failure {
    /// A packet that is not as it should be.
    pub fn malformed(message: impl Into<String>) -> Self {
        Failure { status: Status::INVALID_PACKET_FORMAT, message: message.into() }
    }
}

/// A launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// Work-items of a workgroup.
    pub workgroup: [u32; 3],
    /// Work-items in all.
    pub work_items: [u32; 3],
    /// Scratch of a lane in bytes.
    pub private_bytes: u32,
    /// LDS of a workgroup in bytes.
    pub group_bytes: u32,
    /// The address of the kernel's descriptor.
    pub kernel: u64,
    /// The address of the arguments.
    pub kernarg: u64,
}

/// What a packet is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Runs a kernel.
    Dispatch(Launch),
    /// Waits until all signals are 0.
    BarrierAnd([u64; 5]),
    /// Waits until one signal is 0.
    BarrierOr([u64; 5]),
    /// Waits until the masked value of a signal meets a condition.
    BarrierValue {
        /// The signal.
        signal: u64,
        /// What it is compared with.
        value: i64,
        /// The bits that count.
        mask: i64,
        /// How.
        condition: Condition,
    },
    /// Runs commands of the command processor: an INDIRECT_BUFFER command.
    Commands([u32; 4]),
}

/// A packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    /// What it is.
    pub body: Body,
    /// Whether it waits for all packets before it.
    pub waits: bool,
    /// Whether it has a fence, at its beginning or end.
    pub has_fence: bool,
    /// The signal that it decrements at its end, or 0.
    pub completion: u64,
}

/// Whether a packet with that first word is a launch that need not wait for those before it.
pub fn is_free_launch(first: u32) -> bool {
    first & 0xff == 2 && first >> 8 & 1 == 0
}

/// Reads a packet.
pub fn parse(words: &[u32; 16]) -> Result<Packet, Failure> {
    let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    let header = words[0] & 0xffff;
    if header >> 13 != 0 {
        return Err(Failure::malformed(format!("header {header:#06x} has reserved bits")));
    }
    let body = match header & 0xff {
        0 => vendor(words)?,
        2 => Body::Dispatch(dispatch(words)?),
        3 => Body::BarrierAnd(barrier(words)?),
        5 => Body::BarrierOr(barrier(words)?),
        4 => return Err(Failure::malformed("agent dispatch packets are not offered")),
        kind => return Err(Failure::malformed(format!("packets have no type {kind}"))),
    };
    Ok(Packet {
        body,
        waits: header >> 8 & 1 == 1,
        has_fence: header >> 9 != 0,
        completion: long(14),
    })
}

fn reserved(words: &[u32], what: &str) -> Result<(), Failure> {
    match words.iter().find(|word| **word != 0) {
        None => Ok(()),
        Some(word) => {
            Err(Failure::malformed(format!("{what} has {word:#x} where zero is reserved")))
        }
    }
}

fn dispatch(words: &[u32; 16]) -> Result<Launch, Failure> {
    let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    let setup = words[0] >> 16;
    let dimensions = setup as usize & 3;
    if setup >> 2 != 0 || dimensions == 0 {
        return Err(Failure::malformed(format!("setup {setup:#x} is not 1 to 3 dimensions")));
    }
    reserved(&[words[2] >> 16, words[12], words[13]], "a kernel dispatch packet")?;
    let launch = Launch {
        workgroup: [words[1] & 0xffff, words[1] >> 16, words[2] & 0xffff],
        work_items: [words[3], words[4], words[5]],
        private_bytes: words[6],
        group_bytes: words[7],
        kernel: long(8),
        kernarg: long(10),
    };
    for axis in 0..3 {
        let (group, items) = (launch.workgroup[axis], launch.work_items[axis]);
        if group == 0 || items == 0 || axis >= dimensions && (group, items) != (1, 1) {
            return Err(Failure::malformed(format!(
                "{items} work-items in groups of {group} in dimension {axis} of {dimensions}"
            )));
        }
    }
    Ok(launch)
}

fn barrier(words: &[u32; 16]) -> Result<[u64; 5], Failure> {
    reserved(&[words[0] >> 16, words[1], words[12], words[13]], "a barrier packet")?;
    let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    Ok([2, 4, 6, 8, 10].map(long))
}

fn vendor(words: &[u32; 16]) -> Result<Body, Failure> {
    let long = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    match words[0] >> 16 & 0xff {
        1 => {
            reserved(&[words[0] >> 24], "a packet of commands")?;
            reserved(&words[6..14], "a packet of commands")?;
            // What remains of the slot behind the command: ten words.
            if words[5] != 10 {
                return Err(Failure::malformed(format!("{} words remain, not 10", words[5])));
            }
            Ok(Body::Commands([words[1], words[2], words[3], words[4]]))
        }
        2 => {
            reserved(&[words[0] >> 24, words[1], words[9]], "a barrier value packet")?;
            reserved(&words[10..14], "a barrier value packet")?;
            let condition = Condition::parse(words[8])
                .map_err(|_| Failure::malformed(format!("{} is no condition", words[8])))?;
            let (value, mask) = (long(4) as i64, long(6) as i64);
            Ok(Body::BarrierValue { signal: long(2), value, mask, condition })
        }
        format => Err(Failure::malformed(format!("vendor packets have no format {format}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispatch_words() -> [u32; 16] {
        let mut words = [0; 16];
        words[0] = 1 << 16 | 0x1502;
        (words[1], words[2]) = (1 << 16 | 32, 1);
        words[3..6].copy_from_slice(&[100, 1, 1]);
        (words[7], words[8], words[10], words[14]) = (512, 0x1000, 0x2000, 0x40);
        words
    }

    #[test]
    fn a_dispatch_is_read() {
        let packet = parse(&dispatch_words()).unwrap();
        assert!(packet.waits && packet.has_fence && packet.completion == 0x40);
        let Body::Dispatch(launch) = packet.body else { panic!("{packet:?}") };
        assert_eq!((launch.workgroup, launch.work_items), ([32, 1, 1], [100, 1, 1]));
        assert_eq!((launch.kernel, launch.kernarg, launch.group_bytes), (0x1000, 0x2000, 512));
        assert!(is_free_launch(0x1402) && !is_free_launch(0x1502) && !is_free_launch(0x1403));
    }

    #[test]
    fn what_is_reserved_or_impossible_is_refused() {
        let changed = |at: usize, word: u32| {
            let mut words = dispatch_words();
            words[at] = word;
            parse(&words)
        };
        // A reserved bit of the header, no dimension, four of them, reserved words, no work-item, a second dimension.
        for (at, word) in [
            (0, 1 << 16 | 0x3502),
            (0, 0x1502),
            (0, 4 << 16 | 0x1502),
            (2, 1 << 16 | 1),
            (12, 1),
            (3, 0),
            (4, 2),
            (0, 0x1504),
            (0, 0x1507),
            (0, 3 << 16 | 0x1500),
        ] {
            let status = changed(at, word).unwrap_err().status;
            assert_eq!(status, Status::INVALID_PACKET_FORMAT, "word {at}: {word:#x}");
        }
    }

    #[test]
    fn barriers_and_commands_are_read() {
        let mut words = [0; 16];
        words[0] = 0x0103;
        words[2] = 0x80;
        words[10] = 0xc0;
        let packet = parse(&words).unwrap();
        assert_eq!(packet.body, Body::BarrierAnd([0x80, 0, 0, 0, 0xc0]));
        let mut words = [0; 16];
        words[..6].copy_from_slice(&[1 << 16 | 0x1500, 0xc002_3f00, 0x100, 0, 8, 10]);
        assert_eq!(parse(&words).unwrap().body, Body::Commands([0xc002_3f00, 0x100, 0, 8]));
        words[5] = 9;
        assert!(parse(&words).is_err());
    }
}
