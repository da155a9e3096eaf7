//! Rows that products take, and what the kernels make of them before they multiply.

use tyto_graph::interpreter::Tensor;
use tyto_graph::{DType, Layout};
use tyto_native_cpu::Variant;

use crate::matrix::takes_floats;
use crate::random::Random;

/// Columns under one scale.
const RUN: usize = 32;

/// Runs whose largest number is below this count as zero (`linear_pack.h`).
const NOTHING: f32 = f32::from_bits((127 - 100) << 23);

/// Random rows of different sizes; one in six is zero, some have outliers, a run of nothing or
/// numbers that are subnormal.
pub fn activations(rows: usize, columns: usize, random: &mut Random) -> Vec<f32> {
    let mut values = Vec::new();
    for _ in 0..rows {
        let size = (random.below(12) as f32 - 6.0).exp2();
        let mut row: Vec<f32> = (0..columns)
            .map(|_| match random.below(100) {
                0 => random.normal() * 500.0 * size,
                1 => random.unit() * 1e-39,
                2 => 0.0,
                _ => random.normal() * size,
            })
            .collect();
        match random.below(6) {
            0 => row.fill(0.0),
            1 => row.iter_mut().take(RUN).for_each(|value| *value *= 1e-36),
            _ => {}
        }
        values.extend(row);
    }
    values
}

/// What a product of a row among `rows` with weights of this layout sees of it: numbers rounded to
/// the weight's type; with blocks of 8-bit floats all of it or, with an instruction for that and many
/// rows, bf16; with other blocks int8 numbers with a scale for every 32 columns.
pub fn seen(
    layout: Layout,
    dtype: DType,
    (rows, variant): (usize, Variant),
    row: &[f32],
) -> Vec<f32> {
    if takes_floats(layout) {
        let dtype = match layout {
            Layout::Blocks(_) if rows > 8 && variant == Variant::V4Extended => DType::BF16,
            Layout::Blocks(_) => DType::F32,
            _ => dtype,
        };
        let tensor = Tensor::floats(dtype, [row.len()], row.iter().copied()).expect("sizes fit");
        return tensor.as_floats().expect("floats").to_vec();
    }
    row.chunks(RUN)
        .flat_map(|run| {
            let largest = run.iter().fold(0f32, |most, value| most.max(value.abs()));
            let (inverse, scale) =
                if largest < NOTHING { (0.0, 0.0) } else { (127.0 / largest, largest / 127.0) };
            run.iter().map(move |value| (value * inverse).round_ties_even() * scale)
        })
        .collect()
}

/// How far quantized numbers may be from the row's: half a step, and the rounding of the step;
/// all of a run that counts as zero.
pub fn steps(row: &[f32]) -> Vec<f32> {
    row.chunks(RUN)
        .flat_map(|run| {
            let largest = run.iter().fold(0f32, |most, value| most.max(value.abs()));
            let step = if largest < NOTHING { largest } else { largest / 127.0 * 0.5001 };
            std::iter::repeat_n(step, run.len())
        })
        .collect()
}
