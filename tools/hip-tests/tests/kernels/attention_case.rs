//! One attention, planned for a GPU.

use tyto_graph::interpreter::Tensor;
use tyto_graph::{DType, KvCode};
use tyto_kernel_cases::attention::{AttentionStep, BLOCK, Group, Places};
use tyto_rdna_emu::Options;

use crate::runner::Case;

/// The layout of GPUs: `kernels-hip/common/cache.h`.
pub struct Gpu;

impl Places for Gpu {
    fn element(&self, _: DType, values: bool, dim: usize, column: usize, offset: usize) -> usize {
        let chunk = [8, 4, 2].into_iter().find(|chunk| dim.is_multiple_of(*chunk)).expect("even");
        match values {
            true => column * BLOCK + offset,
            false => (column / chunk * BLOCK + offset) * chunk + column % chunk,
        }
    }

    fn codes(&self, group: &Group<'_>) -> Vec<(usize, u8)> {
        let Group { code, values, index, offset, codes, .. } = *group;
        let first = index * codes.len();
        let place = |i: usize| match (code, values) {
            (_, true) => (first + i) * BLOCK + offset,
            (KvCode::Q8_0 | KvCode::Q4_0, false) => {
                ((first + i) / BLOCK * BLOCK + offset) * BLOCK + i % BLOCK
            }
            (KvCode::E4M3, false) => unreachable!("its bytes are elements"),
        };
        codes.iter().enumerate().map(|(i, code)| (place(i), *code)).collect()
    }
}

/// A step and its program.
pub struct AttentionCase {
    pub step: AttentionStep,
    case: Case,
}

impl AttentionCase {
    pub fn of(step: AttentionStep) -> Self {
        let case = Case::of(step.sketch());
        Self { step, case }
    }

    /// The cache as the kernels have it before the step.
    pub fn cache(&self) -> Vec<u8> {
        self.step.cache(&Gpu, self.case.program.block_bytes)
    }

    /// Results by the kernels.
    pub fn run(&self, options: &Options, cache: &mut [u8]) -> Vec<f32> {
        self.case.run(options, &self.step.arguments, cache)
    }

    /// The cache after the step is what the interpreter has, but for the padding's block.
    pub fn check_cache(&self, cache: &[u8], expected: &[Tensor; 2], what: &str) {
        self.step.check_cache(&Gpu, cache, expected, what);
    }

    /// The kernels of the step.
    pub fn kernels(&self) -> Vec<&str> {
        self.case.program.launches.iter().map(|launch| &*launch.kernel).collect()
    }
}
