//! A module's code, made ready for execution.

use super::lower::lower;
use super::operation::{Inst, Op};
use super::source::Source;
use crate::counters::Class;
use crate::decode::{Instruction, Refusal, decode};
use crate::object::Module;

/// Code. Places in it are words from the beginning of the module's image.
#[derive(Debug)]
pub struct Program {
    /// The address of its first word.
    pub base: u64,
    /// For each word, the instruction that begins there.
    instructions: Vec<Option<Inst>>,
    decoded: Vec<Option<Result<Instruction, Refusal>>>,
}

impl Program {
    /// Decodes the code of a module. What is not understood is an error only when it is run.
    pub fn new(module: &Module) -> Self {
        let words = module.code.end.div_ceil(4);
        let mut program = Program {
            base: module.base,
            instructions: vec![None; words],
            decoded: vec![None; words],
        };
        let mut at = module.code.start / 4;
        let mut entries: Vec<usize> =
            module.kernels.iter().map(|kernel| kernel.entry / 4).collect();
        entries.sort_unstable();
        while at < words {
            let result = decode(&module.image[4 * at..module.code.end], module.target);
            let (inst, length) = match &result {
                Ok(instruction) => (lower(instruction, at), instruction.size / 4),
                Err(refusal) => (refused(refusal), 1),
            };
            program.instructions[at] = Some(inst);
            program.decoded[at] = Some(result);
            // A kernel begins where its descriptor says, whatever lies before it.
            let next = entries.iter().copied().find(|&entry| entry > at);
            at = next.map_or(at + length, |entry| (at + length).min(entry));
        }
        program
    }

    /// How many words there are, from the beginning of the image to the end of the code.
    pub fn words(&self) -> usize {
        self.instructions.len()
    }

    /// The instruction at a word.
    pub fn get(&self, at: usize) -> Option<&Inst> {
        self.instructions.get(at)?.as_ref()
    }

    /// The instructions that cannot be run: their offsets in bytes, their text, and why.
    pub fn unknown(&self) -> Vec<(usize, String, String)> {
        let reason = |inst: &Inst| match &inst.op {
            Op::Unknown(reason) => Some(reason.clone()),
            Op::Dual(first, second) => {
                [first, second].into_iter().find_map(|half| match &half.op {
                    Op::Unknown(reason) => Some(reason.clone()),
                    _ => None,
                })
            }
            _ => None,
        };
        let all = self.instructions.iter().enumerate();
        all.filter_map(|(at, inst)| Some((4 * at, self.text(at), reason(inst.as_ref()?)?)))
            .collect()
    }

    /// The text of the instruction at a word.
    pub fn text(&self, at: usize) -> String {
        match self.decoded.get(at) {
            Some(Some(Ok(instruction))) => instruction.to_string(),
            Some(Some(Err(refusal))) => refusal.to_string(),
            _ => "no instruction begins here".to_owned(),
        }
    }
}

fn refused(refusal: &Refusal) -> Inst {
    Inst {
        op: Op::Unknown(refusal.to_string()),
        class: Class::Control,
        destination: None,
        scalar_destination: None,
        sources: [Source::NONE; 4],
        dpp: None,
        modifiers: Default::default(),
        result: None,
        operands: None,
        words: 1,
        vectors: 0,
        pair_stride: 0,
    }
}
