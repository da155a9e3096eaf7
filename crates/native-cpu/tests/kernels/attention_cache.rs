//! Where the cache of CPUs has its elements and codes: `kernels-cpu/attention.h`.

use tyto_graph::{DType, KvCode};
use tyto_kernel_cases::attention::{BLOCK, Group, Places};

/// The layout of CPUs.
pub struct Cpu;

impl Places for Cpu {
    fn element(
        &self,
        dtype: DType,
        values: bool,
        dim: usize,
        column: usize,
        offset: usize,
    ) -> usize {
        match (dtype, values) {
            (DType::BF16, false) => (column / 2 * BLOCK + offset) * 2 + column % 2,
            (DType::BF16, true) => (offset / 2 * dim + column) * 2 + offset % 2,
            (_, false) => column * BLOCK + offset,
            (_, true) => offset * dim + column,
        }
    }

    fn codes(&self, group: &Group<'_>) -> Vec<(usize, u8)> {
        let Group { code, values, dim, index, offset, codes } = *group;
        let first = index * KvCode::GROUP;
        let word = |column: usize, of_word: usize| (column / of_word * BLOCK + offset) * 4;
        match (code, values) {
            (KvCode::Q8_0, false) => (codes.iter().enumerate())
                .map(|(i, code)| (word(first + i, 4) + (first + i) % 4, code ^ 0x80))
                .collect(),
            (KvCode::Q8_0, true) => (codes.iter().enumerate())
                .map(|(i, code)| (offset * dim + first + i, *code))
                .collect(),
            (KvCode::Q4_0, false) => (0..16)
                .map(|i| {
                    let (j, b) = (i / 4, i % 4);
                    let code = |column: usize| match column {
                        0..16 => codes[column] & 15,
                        _ => codes[column - 16] >> 4,
                    };
                    let byte = code(8 * j + b) | code(8 * j + 4 + b) << 4;
                    (word(first + 8 * j, 8) + b, byte)
                })
                .collect(),
            (KvCode::Q4_0, true) => (codes.iter().enumerate())
                .map(|(i, code)| ((offset * dim + first) / 2 + i, code ^ 0x88))
                .collect(),
            (KvCode::E4M3, _) => unreachable!("its bytes are elements"),
        }
    }
}
