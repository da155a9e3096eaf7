//! Weights in blocks: what every code decodes to under every scale, read from bands that are
//! written here by the layout's text, and what has no decomposition.

use crate::common::{World, apply, f32s, i32s, ty};
use tyto_graph::interpreter::Tensor;
use tyto_graph::{
    BlockCode, BlockForm, BlockLayout, BlockScale, DType, Graph, InputKind, Layout, Op, decompose,
};

/// Rows enough for every byte of a scale to come up.
const ROWS: usize = 48;

/// A matrix of counted codes and scales: its bands, and its values by the definition.
struct Matrix {
    bands: Tensor,
    values: Vec<f32>,
    columns: usize,
}

/// The numbers of one group of a row.
#[derive(Clone, Copy, Default)]
struct Group {
    scale: f64,
    offset: f64,
}

/// Bands that are written byte by byte, in the order of the layout's text.
struct Writer<'w> {
    world: &'w mut World,
    layout: BlockLayout,
    /// Counts all scales, so that each byte comes up.
    turn: u8,
    bytes: Vec<u8>,
    /// Of this unit: for each group the 16 rows.
    groups: Vec<[Group; 16]>,
    /// Of this unit: for each column the 16 rows.
    codes: Vec<[u8; 16]>,
}

impl Writer<'_> {
    fn half(&mut self) -> f64 {
        let number = Tensor::floats(DType::F16, [1], [self.world.float()]).expect("one number");
        self.bytes.extend(number.to_bytes());
        number.as_floats().expect("floats")[0].into()
    }

    /// A scale or bias of the layout's type.
    fn number(&mut self) -> f64 {
        self.turn = self.turn.wrapping_add(1);
        let wide = match self.layout.scale {
            BlockScale::F16 => return self.half(),
            BlockScale::Bf16 => DType::BF16,
            BlockScale::F32 => DType::F32,
            BlockScale::E8M0 => {
                let byte = self.turn.min(254);
                self.bytes.push(byte);
                return f64::from_bits((u64::from(byte) + 1023 - 127) << 52);
            }
            BlockScale::E4M3 => {
                let byte = if self.turn & 0x7f == 0x7f { 0 } else { self.turn };
                self.bytes.push(byte);
                return e4m3(byte);
            }
            BlockScale::One => return 1.0,
            BlockScale::Super => unreachable!("its header is another"),
        };
        let number = Tensor::floats(wide, [1], [self.world.float()]).expect("one number");
        self.bytes.extend(number.to_bytes());
        number.as_floats().expect("floats")[0].into()
    }

    fn header(&mut self) {
        for group in 0..self.groups.len() {
            for row in 0..16 {
                self.groups[group][row].scale = self.number();
            }
        }
        for group in 0..self.groups.len() {
            for row in 0..16 {
                self.groups[group][row].offset = match self.layout.form {
                    BlockForm::Bias => self.number(),
                    BlockForm::Zero => {
                        self.bytes.push(self.world.next() as u8);
                        f64::from(self.bytes[self.bytes.len() - 1])
                    }
                    _ => 0.0,
                };
            }
        }
    }

    fn super_header(&mut self) {
        let minimum = self.layout.form == BlockForm::Minimum;
        let scales: Vec<f64> = (0..16).map(|_| self.half()).collect();
        let minima: Vec<f64> = (0..16).map(|_| if minimum { self.half() } else { 0.0 }).collect();
        let shared = minimum && self.layout.code == BlockCode::Unsigned(2);
        let mut later = Vec::new();
        for group in 0..self.groups.len() {
            for row in 0..16 {
                self.turn = self.turn.wrapping_add(1);
                let (byte, other) = (self.turn, self.world.next() as u8);
                self.bytes.push(byte);
                let (sub, least) = match shared {
                    true => (f64::from(byte & 15), byte >> 4),
                    false => (f64::from(byte as i8), other),
                };
                later.push(other);
                self.groups[group][row] =
                    Group { scale: scales[row] * sub, offset: minima[row] * f64::from(least) };
            }
        }
        if minimum && !shared {
            self.bytes.extend(later);
        }
    }

    /// A plane of `bits` bits of the codes, from bit `low`, for the 32 columns from `first`.
    fn plane(&mut self, first: usize, low: u8, bits: u8) {
        let at = |column: usize, row: usize| {
            u32::from(self.codes[first + column][row] >> low & (0xff >> (8 - bits)))
        };
        let mut words = Vec::new();
        for word in 0..usize::from(bits) {
            for row in 0..16 {
                let bytes = (0..4).map(|b| match bits {
                    8 => at(4 * word + b, row),
                    4 => at(8 * word + b, row) | at(8 * word + 4 + b, row) << 4,
                    2 => (0..4).map(|p| at(16 * word + 4 * p + b, row) << (2 * p)).sum(),
                    _ => (0..8).map(|p| at(4 * p + b, row) << p).sum(),
                });
                words.extend(bytes.map(|byte| byte as u8));
            }
        }
        self.bytes.extend(words);
    }

    fn run(&mut self, first: usize) {
        match self.layout.code {
            BlockCode::Unsigned(3) => {
                self.plane(first, 0, 2);
                self.plane(first, 2, 1);
            }
            BlockCode::Unsigned(5) => {
                self.plane(first, 0, 4);
                self.plane(first, 4, 1);
            }
            BlockCode::Unsigned(6) => {
                self.plane(first, 0, 4);
                self.plane(first, 4, 2);
            }
            code => self.plane(first, 0, code.bits()),
        }
    }
}

/// 8-bit float by its definition.
fn e4m3(code: u8) -> f64 {
    let (exponent, mantissa) = (i32::from(code >> 3 & 15), f64::from(code & 7) / 8.0);
    let size = match exponent {
        0 => mantissa * 2f64.powi(-6),
        _ => (1.0 + mantissa) * 2f64.powi(exponent - 7),
    };
    if code & 0x80 == 0 { size } else { -size }
}

fn value_of(layout: BlockLayout, code: u8, Group { scale, offset }: Group) -> f32 {
    const E2M1: [f64; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    const IQ4: [i32; 16] =
        [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
    let number = match layout.code {
        BlockCode::Unsigned(_) => f64::from(code),
        BlockCode::E2M1 if code < 8 => E2M1[usize::from(code)],
        BlockCode::E2M1 => -E2M1[usize::from(code - 8)],
        BlockCode::Iq4 => IQ4[usize::from(code)].into(),
        BlockCode::E4M3 => e4m3(code),
    };
    let middle = f64::from(1u32 << (layout.code.bits() - 1));
    match layout.form {
        BlockForm::Plain => (scale * number) as f32,
        BlockForm::Middle => (scale * (number - middle)) as f32,
        // In f32 the product is rounded before the sum; here all products but those of f32 scales,
        // which these forms do not have, are exact.
        BlockForm::Bias => ((scale * number) as f32) + offset as f32,
        BlockForm::Zero => (scale * (number - offset)) as f32,
        BlockForm::Minimum => ((scale * number) as f32) - offset as f32,
    }
}

fn matrix(world: &mut World, layout: BlockLayout, units: usize) -> Matrix {
    let (unit, columns) = (layout.unit(), layout.unit() * units);
    let mut values = vec![0.0; ROWS * columns];
    let none = (vec![[Group::default(); 16]; unit / layout.columns()], vec![[0; 16]; unit]);
    let mut writer =
        Writer { world, layout, turn: 0, bytes: Vec::new(), groups: none.0, codes: none.1 };
    for band in 0..ROWS / 16 {
        let row_scales: Vec<f32> = (0..16).map(|_| writer.world.float()).collect();
        if layout.row_scale {
            writer.bytes.extend(row_scales.iter().flat_map(|scale| scale.to_le_bytes()));
        }
        for first in (0..columns).step_by(unit) {
            match layout.scale {
                BlockScale::Super => writer.super_header(),
                _ => writer.header(),
            }
            for column in 0..unit {
                for (row, row_scale) in row_scales.iter().enumerate() {
                    // Every code comes up; the NaNs of 8-bit floats have no place in a file.
                    let code =
                        (first + column + row * 37) as u8 & (0xff >> (8 - layout.code.bits()));
                    let nan = layout.code == BlockCode::E4M3 && code & 0x7f == 0x7f;
                    let code = if nan { 0 } else { code };
                    writer.codes[column][row] = code;
                    let group = writer.groups[column / layout.columns()][row];
                    let value = value_of(layout, code, group);
                    values[(band * 16 + row) * columns + first + column] =
                        if layout.row_scale { row_scale * value } else { value };
                }
            }
            (0..unit).step_by(32).for_each(|first| writer.run(first));
        }
    }
    let shape = Layout::Blocks(layout).stored_shape(ROWS, columns).expect("columns divide");
    let bands = writer.bytes.into_iter().map(i64::from);
    Matrix {
        bands: Tensor::integers(DType::U8, shape, bands).expect("as many bytes"),
        values,
        columns,
    }
}

#[test]
fn every_code_decodes_to_its_value_under_every_scale() {
    for (seed, layout) in BlockLayout::all().enumerate() {
        let mut world = World::new(seed as u64);
        let matrix = matrix(&mut world, layout, (256 / layout.unit()).max(2));
        let ids: Vec<i64> = (0..ROWS as i64).rev().collect();
        let op = Op::Embedding { layout: Layout::Blocks(layout), rows: ROWS };
        let rows = apply(op, &[matrix.bands, i32s(&[ROWS], &ids)]).expect("evaluates");
        let found = rows.as_floats().expect("floats").chunks_exact(matrix.columns);
        for (row, (found, id)) in found.zip(ids).enumerate() {
            let expected = &matrix.values[id as usize * matrix.columns..][..matrix.columns];
            let differs = found.iter().zip(expected).position(|(a, b)| a.to_bits() != b.to_bits());
            let pair = differs.map(|at| (at, found[at], expected[at]));
            assert_eq!(pair, None, "{layout} row {row}");
        }
    }
}

#[test]
fn products_with_blocks_do_not_round_x() {
    for (seed, layout) in BlockLayout::all().enumerate().step_by(7) {
        let mut world = World::new(100 + seed as u64);
        let matrix = matrix(&mut world, layout, 1);
        let columns = matrix.columns;
        let x: Vec<f32> = (0..2 * columns).map(|_| world.float()).collect();
        let op = Op::Linear { layout: Layout::Blocks(layout), rows: ROWS };
        let y = apply(op, &[f32s(&[2, columns], &x), matrix.bands]).expect("evaluates");
        let mut expected = Vec::new();
        for x in x.chunks_exact(columns) {
            for w in matrix.values.chunks_exact(columns) {
                let products = x.iter().zip(w).map(|(x, w)| f64::from(*x) * f64::from(*w));
                expected.push(products.sum::<f64>() as f32);
            }
        }
        assert_eq!(y.as_floats(), Some(&expected[..]), "{layout}");
    }
}

#[test]
fn a_graph_of_blocks_prints_its_layout_and_has_no_decomposition() {
    let layout = Layout::Blocks(BlockLayout {
        code: BlockCode::Unsigned(4),
        group: 32,
        scale: BlockScale::F16,
        form: BlockForm::Bias,
        row_scale: false,
    });
    let mut graph = Graph::new("step");
    let x = graph.add_input("x", ty("f32[2, 64]"), InputKind::Plain);
    let weight = Op::Weight { name: "head.weight".into(), ty: ty("ui8[1, 640]") };
    let w = graph.add(weight, &[]).expect("fits");
    let y = graph.add(Op::Linear { layout, rows: 4 }, &[x, w]).expect("fits");
    graph.add_output("y", y);
    let printed = "linear(%0, %1) blocks 4-bit group 32 f16 bias, 4 rows : f32[2, 4]";
    assert!(graph.to_string().contains(printed), "{graph}");

    let error = decompose(&graph, |_| false).expect_err("blocks have none").to_string();
    let expected = "step: weight head.weight is stored as blocks 4-bit group 32 f16 bias, and \
                    linear of that has no decomposition";
    assert!(error.starts_with(expected), "{error}");
    let kept = decompose(&graph, |op| matches!(op, Op::Linear { .. })).expect("kept");
    assert_eq!(kept, graph);
}
