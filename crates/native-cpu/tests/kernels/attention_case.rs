//! One attention, planned for this machine.

use std::ops::{Deref, DerefMut};

use tyto_graph::interpreter::Tensor;
use tyto_kernel_cases::attention::AttentionStep;
pub use tyto_kernel_cases::attention::{Attention, Span, TYPES, types};
use tyto_native_cpu::Variant;
use tyto_native_cpu::linked::Aligned;
use tyto_phase_program::StepSizes;

use crate::attention_cache::Cpu;
use crate::random::Random;
use crate::runner::Case;

/// What computed a result, the result, and the cache after the step.
pub type Run = (String, Vec<f32>, Aligned);

/// One step of one attention over a pool of blocks, and its program.
pub struct AttentionCase {
    step: AttentionStep,
    case: Case,
}

impl Deref for AttentionCase {
    type Target = AttentionStep;

    fn deref(&self) -> &AttentionStep {
        &self.step
    }
}

impl DerefMut for AttentionCase {
    fn deref_mut(&mut self) -> &mut AttentionStep {
        &mut self.step
    }
}

impl AttentionCase {
    /// As [`AttentionStep::new`].
    pub fn new(
        attention: Attention,
        sizes: StepSizes,
        spans: &[Span],
        random: &mut Random,
    ) -> Self {
        Self::of(AttentionStep::new(attention, sizes, spans, random))
    }

    fn of(step: AttentionStep) -> Self {
        let case = Case::of(step.sketch());
        Self { step, case }
    }

    /// The cache as the kernels have it before the step.
    pub fn cache(&self) -> Aligned {
        Aligned::copy_of(&self.step.cache(&Cpu, self.case.program.block_bytes))
    }

    /// Results by the kernels.
    pub fn run(&self, machine: (Variant, usize), cache: &mut Aligned) -> Vec<f32> {
        self.case.run(machine, &self.arguments, cache)
    }

    /// By each of `machines` and, where this machine has matrix registers, by the variants that
    /// know them.
    pub fn runs(&self, machines: impl Iterator<Item = (Variant, usize)>) -> Vec<Run> {
        let registers = [(Variant::V4Vnni, 2), (Variant::V4Extended, 3)];
        let plain = machines.map(|machine| (machine, false));
        let ways = plain.chain(registers.map(|machine| (machine, true)));
        ways.filter_map(|(machine, registers)| {
            let mut cache = self.cache();
            let found = if registers {
                self.case.run_with_amx(machine, &self.arguments, &mut cache)?
            } else {
                self.run(machine, &mut cache)
            };
            Some((format!("{machine:?}, matrix registers {registers}"), found, cache))
        })
        .collect()
    }

    /// The planned step.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// The cache after the step is what the interpreter has, but for the padding's block.
    pub fn check_cache(&self, cache: &Aligned, expected: &[Tensor; 2], what: &str) {
        self.step.check_cache(&Cpu, cache.bytes(), expected, what);
    }

    /// Makes the query, key and value of a token NaN.
    pub fn with_nan_token(self, cell: usize) -> Self {
        Self::of(self.step.with_nan_token(cell))
    }

    /// Makes all numbers of a token's query, key and value these.
    pub fn with_token(self, cell: usize, values: [f32; 3]) -> Self {
        Self::of(self.step.with_token(cell, values))
    }
}
