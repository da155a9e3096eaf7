//! Commands of the command processor (PM4), as drivers write them for launches without a packet each.
//!
//! Strict: a command, a register or a value that is not known stops the queue, with its words. Launches that nothing
//! orders are handed out together, so that they may run in any order.

use tyto_rdna_emu::Memory;

use super::packets::Failure;

/// A launch that commands ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The address of the first instruction.
    pub entry: u64,
    /// Workgroups in x, y and z.
    pub groups: [u32; 3],
    /// Work-items of a workgroup.
    pub threads: [u32; 3],
    /// COMPUTE_PGM_RSRC1, 2 and 3.
    pub resources: [u32; 3],
    /// COMPUTE_TMPRING_SIZE: scratch.
    pub scratch: u32,
    /// The user registers, as many as were written.
    pub user: Vec<u32>,
}

/// How deep buffers of commands may lie in each other.
const DEEPEST: u32 = 4;

const NOP: u32 = 0x10;
const DISPATCH_DIRECT: u32 = 0x15;
const INDIRECT_BUFFER: u32 = 0x3f;
const EVENT_WRITE: u32 = 0x46;
const ACQUIRE_MEM: u32 = 0x58;
const SET_SH_REG: u32 = 0x76;

/// The registers that may be written, by their distance from the first of their kind: first and last.
const KNOWN: [(u32, u32); 7] = [
    // Where the grid begins, and the work-items of a workgroup.
    (0x204, 0x20b),
    // The program's address, the packet's and scratch's.
    (0x20c, 0x211),
    (0x212, 0x213),
    // Limits; scratch.
    (0x215, 0x215),
    (0x218, 0x218),
    // Where the grid goes on.
    (0x21b, 0x21d),
    (0x228, 0x228),
];
/// The user registers.
const USER: (u32, u32) = (0x240, 0x24f);

/// Runs a buffer of commands. `flush` is given the launches between two waits, in order.
pub fn run(
    memory: &Memory,
    jump: &[u32; 4],
    flush: &mut dyn FnMut(Vec<Launch>) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let mut state =
        State { memory, registers: [None; 0x250], pending: Vec::new(), commands: 0, flush };
    state.run(jump, 0)?;
    state.flush()?;
    Ok(state.commands)
}

struct State<'a> {
    memory: &'a Memory,
    /// What was written in this buffer. What others left behind is not relied on.
    registers: [Option<u32>; 0x250],
    pending: Vec<Launch>,
    commands: u64,
    flush: &'a mut dyn FnMut(Vec<Launch>) -> Result<(), Failure>,
}

/// A failure with the command's words.
fn wrong(message: &str, words: &[u32]) -> Failure {
    let words: Vec<String> = words.iter().take(12).map(|word| format!("{word:08x}")).collect();
    Failure::malformed(format!("commands: {message} in {}", words.join(" ")))
}

impl State<'_> {
    fn flush(&mut self) -> Result<(), Failure> {
        match std::mem::take(&mut self.pending) {
            launches if launches.is_empty() => Ok(()),
            launches => (self.flush)(launches),
        }
    }

    fn run(&mut self, words: &[u32], depth: u32) -> Result<(), Failure> {
        let mut rest = words;
        while let Some(&header) = rest.first() {
            // A word of padding: type 2, or a NOP that says it has no body.
            if header >> 30 == 2 || header == 0xffff_1000 {
                rest = &rest[1..];
                continue;
            }
            if header >> 30 != 3 {
                return Err(wrong("this is no command", rest));
            }
            let length = (header >> 16 & 0x3fff) as usize + 2;
            let command =
                rest.get(..length).ok_or_else(|| wrong("the command is cut off", rest))?;
            // Bit 1: for compute; the lowest bit, a predicate, is not used.
            if header & 0xfd != 0 {
                return Err(wrong("the header has unknown bits", command));
            }
            self.command(header >> 8 & 0xff, command, depth)?;
            self.commands += 1;
            rest = &rest[length..];
        }
        Ok(())
    }

    fn command(&mut self, code: u32, command: &[u32], depth: u32) -> Result<(), Failure> {
        match (code, command.len()) {
            (NOP, _) => Ok(()),
            (SET_SH_REG, 3..) => self.set_registers(command),
            (DISPATCH_DIRECT, 5) => self.dispatch(command),
            // CS_PARTIAL_FLUSH: waits for the launches so far.
            (EVENT_WRITE, 2) if command[1] == 0x407 => self.flush(),
            (EVENT_WRITE, _) => Err(wrong("the event is not known", command)),
            // Caches: there are none. It orders nothing by itself.
            (ACQUIRE_MEM, 8) => Ok(()),
            (INDIRECT_BUFFER, 4) => self.jump(command, depth),
            _ => Err(wrong("the command is not known", command)),
        }
    }

    fn jump(&mut self, command: &[u32], depth: u32) -> Result<(), Failure> {
        let address = u64::from(command[1]) | u64::from(command[2] & 0xffff) << 32;
        let words = (command[3] & 0xf_ffff) as usize;
        if address % 4 != 0 || depth >= DEEPEST {
            return Err(wrong("the buffer cannot be followed", command));
        }
        let bytes = self.memory.read_vec(address, 4 * words);
        let bytes = bytes.map_err(|error| wrong(&error.to_string(), command))?;
        let word = |chunk: &[u8]| u32::from_le_bytes(chunk.try_into().expect("chunks of four"));
        let words: Vec<u32> = bytes.chunks_exact(4).map(word).collect();
        self.run(&words, depth + 1)
    }

    fn set_registers(&mut self, command: &[u32]) -> Result<(), Failure> {
        let first = command[1];
        for (register, value) in (first..).zip(&command[2..]) {
            let is_in = |range: &(u32, u32)| (range.0..=range.1).contains(&register);
            if !KNOWN.iter().any(is_in) && !is_in(&USER) {
                return Err(wrong(&format!("register {register:#x} is not known"), command));
            }
            self.registers[register as usize] = Some(*value);
        }
        Ok(())
    }

    fn register(&self, register: u32, command: &[u32]) -> Result<u32, Failure> {
        let value = self.registers[register as usize];
        value.ok_or_else(|| {
            wrong(&format!("register {register:#x} was not written before the launch"), command)
        })
    }

    fn dispatch(&mut self, command: &[u32]) -> Result<(), Failure> {
        // Enabled, from the beginning of the grid, waves of 32; the order of workgroups may be asked for.
        if command[4] & !0x40 != 0x8005 {
            return Err(wrong(
                "the launch is not one of 32 lanes from the grid's beginning",
                command,
            ));
        }
        for register in [0x204, 0x205, 0x206, 0x21b, 0x21c, 0x21d] {
            if self.register(register, command)? != 0 {
                return Err(wrong("the grid does not begin at 0", command));
            }
        }
        let threads = [0x207, 0x208, 0x209].map(|register| self.register(register, command));
        let [x, y, z] = threads;
        let threads = [x?, y?, z?];
        // Above the size of a whole workgroup lies that of a cut off one, which is not asked for.
        if threads.iter().any(|&size| size == 0 || size > 0xffff) || command[1..4].contains(&0) {
            return Err(wrong(&format!("{threads:?} work-items cannot be run"), command));
        }
        let program = [self.register(0x20c, command)?, self.register(0x20d, command)?];
        let user = (USER.0..=USER.1).map_while(|register| self.registers[register as usize]);
        self.pending.push(Launch {
            entry: u64::from(program[0]) << 8 | u64::from(program[1]) << 40,
            groups: [command[1], command[2], command[3]],
            threads,
            resources: [
                self.register(0x212, command)?,
                self.register(0x213, command)?,
                self.register(0x228, command)?,
            ],
            scratch: self.register(0x218, command)?,
            user: user.collect(),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(code: u32, body: &[u32]) -> Vec<u32> {
        let header = 3 << 30 | (body.len() as u32 - 1) << 16 | code << 8;
        [&[header], body].concat()
    }

    /// The registers of a launch of 2 by 1 by 1 workgroups, and the launch.
    fn launch(user: u32) -> Vec<u32> {
        let mut words = command(SET_SH_REG, &[0x20c, 0x1234, 0, 0, 0, 0, 0]);
        words.extend(command(SET_SH_REG, &[0x212, 1, 2]));
        words.extend(command(SET_SH_REG, &[0x228, 3]));
        words.extend(command(SET_SH_REG, &[0x218, 0]));
        words.extend(command(SET_SH_REG, &[0x21b, 0, 0, 0]));
        words.extend(command(SET_SH_REG, &[0x204, 0, 0, 0, 64, 1, 1, 0, 0]));
        words.extend(command(SET_SH_REG, &[0x240, user, 7]));
        words.extend(command(DISPATCH_DIRECT, &[2, 1, 1, 0x8005]));
        words
    }

    /// Runs commands that lie in memory. Returns the launches between waits.
    fn run_words(words: &[u32]) -> Result<Vec<Vec<Launch>>, Failure> {
        let memory = Memory::new();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let at = memory.allocate_from("commands", &bytes);
        let jump = [0xc002_3f00, at as u32, (at >> 32) as u32, words.len() as u32];
        let mut flushed = Vec::new();
        run(&memory, &jump, &mut |launches| {
            flushed.push(launches);
            Ok(())
        })?;
        Ok(flushed)
    }

    #[test]
    fn launches_are_handed_out_between_waits() {
        let mut words = launch(1);
        words.extend(command(ACQUIRE_MEM, &[0, 0, 0, 0, 0, 10, 0x1ff]));
        words.extend(launch(2));
        words.extend(command(EVENT_WRITE, &[0x407]));
        words.push(0xffff_1000);
        words.extend(command(NOP, &[5, 6]));
        words.extend(launch(3));
        let flushed = run_words(&words).unwrap();
        let users: Vec<Vec<u32>> =
            flushed.iter().map(|all| all.iter().map(|launch| launch.user[0]).collect()).collect();
        assert_eq!(users, [vec![1, 2], vec![3]]);
        let first = &flushed[0][0];
        assert_eq!((first.entry, first.groups, first.threads), (0x12_3400, [2, 1, 1], [64, 1, 1]));
        assert_eq!((first.resources, &first.user[..]), ([1, 2, 3], &[1, 7][..]));
    }

    #[test]
    fn random_words_are_refused_and_do_no_harm() {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 4
        };
        let mut refused = 0;
        for _ in 0..2000 {
            let mut words = launch(1);
            for _ in 0..3 {
                let at = random() as usize % words.len();
                words[at] = random();
            }
            refused += usize::from(run_words(&words).is_err());
        }
        assert!(refused > 1000, "{refused} of 2000");
    }

    #[test]
    fn what_is_not_known_is_refused_with_its_words() {
        let incomplete = &launch(1)[8..];
        let cases: [(&str, Vec<u32>); 9] = [
            ("register 0x20a0", command(SET_SH_REG, &[0x20a0, 1])),
            ("register 0x250", command(SET_SH_REG, &[0x24f, 1, 1])),
            ("not known", command(0x37, &[1, 2, 3])),
            ("event", command(EVENT_WRITE, &[0x408])),
            ("no command", vec![0x1234]),
            ("cut off", vec![0xc003_7600, 1]),
            ("0x20c was not written", incomplete.to_vec()),
            ("32 lanes", command(DISPATCH_DIRECT, &[1, 1, 1, 0x8025])),
            ("cannot be followed", command(INDIRECT_BUFFER, &[2, 0, 1])),
        ];
        for (part, words) in cases {
            let message = run_words(&words).unwrap_err().message;
            assert!(message.contains(part), "no {part} in: {message}");
            let word = format!("{:08x}", words[0]);
            assert!(message.contains(&word) || part.starts_with("0x20c"), "{message}");
        }
    }
}
