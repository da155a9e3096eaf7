//! Random matrices in every layout that the kernels read, with their values decoded here.

use tyto_graph::interpreter::Tensor;
use tyto_graph::{BlockCode, BlockForm, BlockLayout, BlockScale, DType, Layout};

use crate::blocks::{published, stored_code, stored_scale};
use crate::random::Random;

/// Plain layouts and those of published formats, with the element type of the stored form.
pub fn layouts() -> Vec<(Layout, DType)> {
    let plain = [
        (Layout::Tiled { n: 16, k: 1 }, DType::F32),
        (Layout::Tiled { n: 16, k: 1 }, DType::F16),
        (Layout::Tiled { n: 16, k: 2 }, DType::BF16),
    ];
    let blocks = published().into_iter().map(|blocks| (Layout::Blocks(blocks), DType::U8));
    plain.into_iter().chain(blocks).collect()
}

/// A matrix of `rows` by `columns`.
pub struct Matrix {
    pub layout: Layout,
    pub stored: Tensor,
    /// The values, row by row.
    pub values: Vec<f32>,
    /// For each value the size of what it is summed from: in blocks a bias may cancel the code.
    pub sizes: Vec<f32>,
    pub rows: usize,
    pub columns: usize,
}

impl Matrix {
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..][..self.columns]
    }

    pub fn row_sizes(&self, row: usize) -> &[f32] {
        &self.sizes[row * self.columns..][..self.columns]
    }

    /// Random weights, among them zeros, subnormal numbers and the largest codes.
    pub fn random(
        (layout, dtype): (Layout, DType),
        rows: usize,
        columns: usize,
        random: &mut Random,
    ) -> Self {
        let shape = layout.stored_shape(rows, columns).expect("columns divide into tiles");
        let mut matrix = Self {
            layout,
            stored: Tensor::zeros(dtype, &shape[..]),
            values: vec![0.0; rows * columns],
            sizes: vec![0.0; rows * columns],
            rows,
            columns,
        };
        match layout {
            Layout::Blocks(blocks) => matrix.fill_blocks(blocks, &shape, random),
            Layout::Tiled { n, k } => matrix.fill_tiles(dtype, n, k, &shape, random),
            Layout::RowMajor => matrix.fill_tiles(dtype, 1, columns, &shape, random),
        }
        matrix
    }

    fn fill_tiles(
        &mut self,
        dtype: DType,
        n: usize,
        k: usize,
        shape: &[usize],
        random: &mut Random,
    ) {
        let columns = self.columns;
        let mut stored = vec![0.0; shape.iter().product()];
        let places: Vec<usize> = (0..self.rows * columns)
            .map(|index| {
                let (row, column) = (index / columns, index % columns);
                ((row / n * (columns / k) + column / k) * n + row % n) * k + column % k
            })
            .collect();
        for place in &places {
            stored[*place] = match random.below(40) {
                0 => 0.0,
                1 => random.unit() * 1e-6,  // subnormal in f16
                2 => random.unit() * 1e-39, // subnormal in f32 and bf16
                _ => random.normal(),
            };
        }
        self.stored = Tensor::floats(dtype, shape, stored).expect("sizes fit");
        let rounded = self.stored.as_floats().expect("floats");
        self.values = places.iter().map(|place| rounded[*place]).collect();
        self.sizes = self.values.iter().map(|value| value.abs()).collect();
    }

    fn fill_blocks(&mut self, blocks: BlockLayout, shape: &[usize], random: &mut Random) {
        let mut stored: Vec<u8> = vec![0; shape.iter().product()];
        for row in 0..self.rows {
            let band = &mut stored[row / BlockLayout::ROWS * shape[1]..][..shape[1]];
            let lane = row % BlockLayout::ROWS;
            let row_scale = blocks.row_scale_at(lane).map(|at| {
                let scale = random.unit() * 3.0;
                band[at].copy_from_slice(&scale.to_le_bytes());
                scale
            });
            for group in 0..self.columns / blocks.columns() {
                self.fill_group(blocks, band, row, group, row_scale, random);
            }
        }
        let stored = stored.into_iter().map(i64::from);
        self.stored = Tensor::integers(DType::U8, shape, stored).expect("sizes fit");
    }

    fn fill_group(
        &mut self,
        blocks: BlockLayout,
        band: &mut [u8],
        row: usize,
        group: usize,
        row_scale: Option<f32>,
        random: &mut Random,
    ) {
        let (lane, first) = (row % BlockLayout::ROWS, group * blocks.columns());
        let scale = fill_scale(blocks, band, lane, first, random);
        let offset = fill_offset(blocks, band, lane, first, random);
        let extreme = random.below(8);
        for column in first..first + blocks.columns() {
            let code = stored_code(blocks.code, extreme, random);
            let (low, high) = blocks.code_at(lane, column);
            band[low.byte] |= (code & (0xff >> (8 - low.bits))) << low.shift;
            if let Some(high) = high {
                band[high.byte] |= code >> low.bits << high.shift;
            }
            let at = row * self.columns + column;
            let value = blocks.value(code, scale, offset);
            let middle = match blocks.form {
                BlockForm::Middle => f32::from(1u8 << (blocks.code.bits() - 1)),
                BlockForm::Zero => offset,
                _ => 0.0,
            };
            let added =
                matches!(blocks.form, BlockForm::Bias | BlockForm::Minimum).then_some(offset);
            let terms = blocks.code.value(code).abs() + middle;
            let size = scale.abs() * terms + added.unwrap_or(0.0).abs();
            self.values[at] = row_scale.map_or(value, |row_scale| row_scale * value);
            self.sizes[at] = row_scale.map_or(size, |row_scale| row_scale.abs() * size);
        }
    }
}

/// Writes a scale for the group at column `first`; the f16 of 256 columns with their first group.
fn fill_scale(
    blocks: BlockLayout,
    band: &mut [u8],
    row: usize,
    first: usize,
    random: &mut Random,
) -> f32 {
    let Some(place) = blocks.sub_scale_at(row, first) else {
        let stored = stored_scale(blocks.scale, 0.05, random);
        if let Some(at) = blocks.scale_at(row, first) {
            band[at].copy_from_slice(&stored);
        }
        return blocks.scale.value(&stored);
    };
    let at = blocks.super_at(row, first).expect("sub-scales have a scale");
    if first.is_multiple_of(blocks.unit()) {
        band[at.clone()].copy_from_slice(&stored_scale(BlockScale::F16, 0.002, random));
    }
    let sub = random.below(256) as u8 & (0xff >> (8 - place.bits));
    band[place.byte] |= sub << place.shift;
    BlockScale::F16.value(&band[at]) * f32::from(sub as i8)
}

/// Writes a bias, a zero point or a minimum, where the form has one.
fn fill_offset(
    blocks: BlockLayout,
    band: &mut [u8],
    row: usize,
    first: usize,
    random: &mut Random,
) -> f32 {
    if let Some(at) = blocks.bias_at(row, first) {
        let stored = stored_scale(blocks.scale, 0.3, random);
        band[at].copy_from_slice(&stored);
        return blocks.scale.value(&stored);
    }
    if let Some(byte) = blocks.zero_at(row, first) {
        band[byte] = random.below(1 << blocks.code.bits()) as u8;
        return band[byte].into();
    }
    let Some(place) = blocks.minimum_at(row, first) else { return 0.0 };
    let at = blocks.super_minimum_at(row, first).expect("minima have a scale");
    if first.is_multiple_of(blocks.unit()) {
        band[at.clone()].copy_from_slice(&stored_scale(BlockScale::F16, 0.01, random));
    }
    let minimum = random.below(256) as u8 & (0xff >> (8 - place.bits));
    band[place.byte] |= minimum << place.shift;
    BlockScale::F16.value(&band[at]) * f32::from(minimum)
}

/// Whether products with this layout take activations as numbers, else as int8 in runs of 32.
pub fn takes_floats(layout: Layout) -> bool {
    !matches!(layout, Layout::Blocks(blocks) if blocks.code != BlockCode::E4M3)
}
