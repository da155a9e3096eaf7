//! Weights in blocks: what every code decodes to, read from tiles that are written here by the
//! layout's text, and what has no decomposition.

mod common;

use common::{World, apply, f32s, i32s, ty};
use tyto_graph::interpreter::Tensor;
use tyto_graph::{BlockForm, BlockLayout, DType, Graph, InputKind, Layout, Op, decompose};

/// All layouts that exist.
fn layouts() -> Vec<BlockLayout> {
    let mut all = Vec::new();
    for bits in [4, 8] {
        for group in [32, 64, 128] {
            for scale in [DType::F16, DType::BF16] {
                for form in [BlockForm::Bias, BlockForm::Middle] {
                    all.push(BlockLayout { bits, group, scale, form });
                }
            }
        }
    }
    all
}

/// A matrix of random codes and scales: its tiles, and its values by the definition.
struct Matrix {
    tiles: Tensor,
    values: Vec<f64>,
}

fn matrix(world: &mut World, blocks: BlockLayout, rows: usize, columns: usize) -> Matrix {
    let shape = Layout::Blocks(blocks).stored_shape(rows, columns).expect("columns divide");
    let group = usize::from(blocks.group);
    // The padding is not zero: nothing may depend on it.
    let count = shape.iter().product();
    let mut bytes: Vec<u8> = (0..count).map(|_| world.next() as u8).collect();
    let mut values = vec![0.0; rows * columns];
    for row in 0..rows {
        for first in (0..columns).step_by(group) {
            let begin = (row / 16 * shape[1] + first / group) * shape[2];
            let tile = &mut bytes[begin..begin + shape[2]];
            let lane = row % 16;
            let scale = half_of(world, blocks.scale, &mut tile[lane * 2..]);
            let bias = (blocks.form == BlockForm::Bias)
                .then(|| half_of(world, blocks.scale, &mut tile[32 + lane * 2..]));
            let codes = if bias.is_some() { 64 } else { 32 };
            let middle = f64::from(1u32 << (blocks.bits - 1));
            for column in 0..group {
                let code = world.below(1 << blocks.bits) as u8;
                put(&mut tile[codes..], blocks.bits, lane, column, code);
                values[row * columns + first + column] = match bias {
                    Some(bias) => scale * f64::from(code) + bias,
                    None => scale * (f64::from(code) - middle),
                };
            }
        }
    }
    let tiles = bytes.into_iter().map(i64::from);
    Matrix { tiles: Tensor::integers(DType::U8, shape, tiles).expect("as many bytes"), values }
}

/// Writes a random number in [-2, 2) and gives what was written.
fn half_of(world: &mut World, scale: DType, to: &mut [u8]) -> f64 {
    let number = Tensor::floats(scale, [1], [world.float()]).expect("one number");
    to[..2].copy_from_slice(&number.to_bytes());
    number.as_floats().expect("floats")[0].into()
}

/// The text of the layout, literally: byte `b` of word `j` of row `lane`.
fn put(codes: &mut [u8], bits: u8, lane: usize, column: usize, code: u8) {
    let byte_of = |word: usize, byte: usize| word * 64 + lane * 4 + byte;
    if bits == 8 {
        codes[byte_of(column / 4, column % 4)] = code;
        return;
    }
    let (word, within) = (column / 8, column % 8);
    let byte = &mut codes[byte_of(word, within % 4)];
    *byte = if within < 4 { *byte & 0xf0 | code } else { *byte & 0x0f | code << 4 };
}

#[test]
fn tables_of_blocks_are_read_as_their_text_says() {
    for (seed, blocks) in layouts().into_iter().enumerate() {
        let mut world = World::new(seed as u64);
        let (rows, columns) = (1 + world.below(40), usize::from(blocks.group) * 3);
        let matrix = matrix(&mut world, blocks, rows, columns);
        let op = Op::Embedding { layout: Layout::Blocks(blocks), rows };
        let ids: Vec<i64> = (0..rows as i64).rev().collect();
        let found = apply(op, &[matrix.tiles, i32s(&[rows], &ids)]).expect("evaluates");
        let expected = matrix.values.chunks_exact(columns).rev().flatten();
        let equal = found.as_floats().expect("floats").iter().zip(expected);
        for (found, expected) in equal {
            assert_eq!(found.to_bits(), (*expected as f32).to_bits(), "{blocks}");
        }
    }
}

#[test]
fn products_with_blocks_do_not_round_x() {
    for (seed, blocks) in layouts().into_iter().enumerate() {
        let mut world = World::new(100 + seed as u64);
        let (rows, columns) = (1 + world.below(40), usize::from(blocks.group) * 2);
        let matrix = matrix(&mut world, blocks, rows, columns);
        let x: Vec<f32> = (0..2 * columns).map(|_| world.float()).collect();
        let op = Op::Linear { layout: Layout::Blocks(blocks), rows };
        let y = apply(op, &[f32s(&[2, columns], &x), matrix.tiles]).expect("evaluates");
        let mut expected = Vec::new();
        for x in x.chunks_exact(columns) {
            for w in matrix.values.chunks_exact(columns) {
                let products = x.iter().zip(w).map(|(x, w)| f64::from(*x) * f64::from(*w as f32));
                expected.push(products.sum::<f64>() as f32);
            }
        }
        assert_eq!(y.as_floats(), Some(&expected[..]), "{blocks}");
    }
}

#[test]
fn a_graph_of_blocks_prints_its_layout_and_has_no_decomposition() {
    let blocks = layouts()[0];
    let layout = Layout::Blocks(blocks);
    let mut graph = Graph::new("step");
    let x = graph.add_input("x", ty("f32[2, 64]"), InputKind::Plain);
    let weight = Op::Weight { name: "head.weight".into(), ty: ty("ui8[1, 2, 320]") };
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
