//! Random matrices in every layout that the kernels read, with their values decoded here.

use tyto_graph::interpreter::Tensor;
use tyto_graph::{BlockForm, BlockLayout, DType, Layout};

use crate::random::Random;

/// Every layout of weights with the element type of its stored form.
pub fn layouts() -> Vec<(Layout, DType)> {
    let mut layouts = vec![
        (Layout::Tiled { n: 16, k: 1 }, DType::F32),
        (Layout::Tiled { n: 16, k: 1 }, DType::F16),
        (Layout::Tiled { n: 16, k: 2 }, DType::BF16),
    ];
    for bits in [4, 8] {
        for group in [32, 64, 128] {
            for scale in [DType::F16, DType::BF16] {
                for form in [BlockForm::Bias, BlockForm::Middle] {
                    let blocks = BlockLayout { bits, group, scale, form };
                    layouts.push((Layout::Blocks(blocks), DType::U8));
                }
            }
        }
    }
    layouts
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
        let bytes = shape[2];
        let mut stored: Vec<u8> = vec![0; shape.iter().product()];
        for row in 0..self.rows {
            for group in 0..shape[1] {
                let tile = (row / BlockLayout::ROWS * shape[1] + group) * bytes;
                let tile = &mut stored[tile..tile + bytes];
                self.fill_block(blocks, tile, row, group, random);
            }
        }
        let stored = stored.into_iter().map(i64::from);
        self.stored = Tensor::integers(DType::U8, shape, stored).expect("sizes fit");
    }

    fn fill_block(
        &mut self,
        blocks: BlockLayout,
        tile: &mut [u8],
        row: usize,
        group: usize,
        random: &mut Random,
    ) {
        let lane = row % BlockLayout::ROWS;
        let scale = match random.below(16) {
            0 => 0.0,
            1 => random.unit() * 1e-6,
            2 if blocks.scale == DType::BF16 => random.unit() * 1e-39,
            _ => random.unit() * 0.05,
        };
        let (scale, half) = rounded(blocks.scale, scale);
        tile[blocks.scale_at(lane)].copy_from_slice(&half);
        let (bias, half) = rounded(blocks.scale, random.unit() * 0.3);
        let bias = blocks.bias_at(lane).map_or(0.0, |at| {
            tile[at].copy_from_slice(&half);
            bias
        });
        let extreme = random.below(8);
        for column in 0..blocks.columns() {
            let largest = 0xffu8 >> (8 - blocks.bits);
            let code = match extreme {
                0 => largest,
                1 => 0,
                _ => random.below(usize::from(largest) + 1) as u8,
            };
            let (byte, shift) = blocks.code_at(lane, column);
            tile[byte] |= code << shift;
            let at = row * self.columns + group * blocks.columns() + column;
            self.values[at] = blocks.value(code, scale, bias);
            self.sizes[at] = blocks.value(code, scale, 0.0).abs() + bias.abs();
        }
    }
}

/// A number rounded to f16 or bf16, and its bytes.
fn rounded(dtype: DType, value: f32) -> (f32, [u8; 2]) {
    let tensor = Tensor::floats(dtype, [1], [value]).expect("one number");
    let bytes = tensor.to_bytes().try_into().expect("two bytes");
    (tensor.as_floats().expect("floats")[0], bytes)
}
