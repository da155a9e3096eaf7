//! Every labelled constraint of `Op` is refused by a test of its name, beside an example of
//! each op that is accepted.

use self::attention::ATTENTION;
use self::recurrent::{CONV, DELTA, DPLR, SSM};
use crate::common::{one_op, ty};
use tyto_graph::{
    Binary, BlockCode, BlockForm, BlockLayout, BlockScale, Layout, Literal, Op, TensorType,
};

/// A test for each label, which refuses an op on operands for that label; and the list of them.
macro_rules! labels {
    ($($label:ident { $($op:expr => $operands:expr;)+ })+) => {
        $(
            #[test]
            fn $label() {
                $(super::refused(stringify!($label), $op, $operands);)+
            }
        )+

        pub(super) const LABELS: &[&str] = &[$(stringify!($label)),+];
    };
}

mod attention;
mod experts;
mod plain;
mod recurrent;
mod weights;

/// The tables hold exactly the labels that the documentation of `Op` has.
#[test]
fn labels_are_those_documented() {
    let documentation = include_str!("../../../src/op.rs");
    let words = documentation.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut documented: Vec<&str> = words
        .filter(|word| {
            word.rsplit_once("_c").is_some_and(|(_, number)| number.parse::<u8>().is_ok())
        })
        .collect();
    documented.sort_unstable();
    documented.dedup();
    let mut tested =
        [attention::LABELS, experts::LABELS, plain::LABELS, recurrent::LABELS, weights::LABELS]
            .concat();
    tested.sort_unstable();
    assert_eq!(tested, documented);
}

#[test]
fn arity() {
    refused("arity", Op::Rope, "f32[4, 2, 6]");
    refused("arity", Op::Binary(Binary::Add), "f32[2], f32[2], f32[2]");
    let six = "f32[4, 6, 8], f16[9, 2, 3, 8], f16[9, 2, 3, 8], i32[2, 5], i32[4], f32[6], f32[6]";
    refused("arity", ATTENTION, six);
    refused("arity", splat("f32[2]"), "f32[2]");
    refused("arity", CONV, "f32[4, 6], f32[6, 4], f32[9, 3, 6], i32[2]");
    refused("arity", SSM, "f32[4, 6, 8]");
    refused("arity", DELTA, "f32[4, 3, 5], f32[4, 3, 5]");
    refused("arity", DPLR, "f32[4, 6, 5], f32[4, 6, 5]");
}

#[test]
fn inputs_are_not_added_as_ops() {
    refused("input", Op::Input { index: 0 }, "");
}

/// Operand types from `"f32[2], i32[2, 2]"`.
fn types(operands: &str) -> Vec<TensorType> {
    let separated = operands.replace("], ", "]; ");
    separated.split("; ").filter(|operand| !operand.is_empty()).map(ty).collect()
}

#[track_caller]
fn refused(label: &str, op: Op, operands: &str) {
    let error = one_op(op.clone(), &types(operands)).expect_err(&format!("{op:?} on {operands}"));
    assert_eq!(error.label, label, "{error}");
    assert_eq!(error.op, op.name());
    assert!(error.to_string().contains(operands), "{error}");
}

#[track_caller]
fn accepted(op: Op, operands: &str, result: &str) {
    let graph = one_op(op, &types(operands)).unwrap_or_else(|error| panic!("{error}"));
    graph.verify().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(graph.nodes.last().map(|node| node.ty.to_string()).as_deref(), Some(result));
}

fn splat(text: &str) -> Op {
    Op::Constant(Literal::Splat { value: 1.0, ty: ty(text) })
}

const TILES: Layout = Layout::Tiled { n: 4, k: 2 };
const BLOCKS: Layout = Layout::Blocks(BlockLayout {
    code: BlockCode::Unsigned(4),
    group: 32,
    scale: BlockScale::F16,
    form: BlockForm::Bias,
    row_scale: false,
});

/// [`BLOCKS`] with something changed.
fn blocks(change: impl Fn(&mut BlockLayout)) -> Layout {
    let Layout::Blocks(mut layout) = BLOCKS else { unreachable!("it is of blocks") };
    change(&mut layout);
    Layout::Blocks(layout)
}
