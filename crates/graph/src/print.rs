//! A readable print-out: one line a node.

use std::fmt;

use crate::graph::{Graph, Node, Output};
use crate::op::{Groups, Literal, Op};

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "graph {} {{", self.name)?;
        for (index, node) in self.nodes.iter().enumerate() {
            write!(f, "  %{index} = ")?;
            match node.op {
                Op::Input { index } => {
                    let input = &self.inputs[index];
                    write!(f, "input {:?} {:?}", input.kind, input.name)?;
                }
                _ => write_node(f, node)?,
            }
            writeln!(f, " : {}", node.ty)?;
        }
        for output in &self.outputs {
            match output {
                Output::Plain { name, value } => writeln!(f, "  return {name:?} = {value}")?,
                Output::Updated { input, value } => {
                    writeln!(f, "  return {:?} updated = {value}", self.inputs[*input].name)?;
                }
            }
        }
        writeln!(f, "}}")
    }
}

fn write_node(f: &mut fmt::Formatter<'_>, node: &Node) -> fmt::Result {
    f.write_str(node.op.name())?;
    let operands: Vec<String> = node.operands.iter().map(ToString::to_string).collect();
    write!(f, "({})", operands.join(", "))?;
    match &node.op {
        Op::Weight { name, .. } => write!(f, " {name:?}"),
        Op::Constant(Literal::Splat { value, .. }) => write!(f, " {value:?}"),
        Op::Constant(Literal::Vector(values)) => write!(f, " {values:?}"),
        Op::Bitcast(dtype) => write!(f, " {dtype}"),
        Op::Iota { axis, .. } => write!(f, " axis {axis}"),
        Op::Compare(comparison) => write!(f, " {}", comparison.name()),
        Op::Reverse { axis } => write!(f, " axis {axis}"),
        Op::Transpose(permutation) => write!(f, " {permutation:?}"),
        Op::Broadcast { axes, .. } => write!(f, " axes {axes:?}"),
        Op::Slice { start, limit } => write!(f, " {start:?} to {limit:?}"),
        Op::Concat { axis } => write!(f, " axis {axis}"),
        Op::Reduce { reduction, axis } => write!(f, " {reduction:?} axis {axis}"),
        Op::Dot { batch, contract } => write!(f, " batch {batch:?} contract {contract:?}"),
        Op::Linear { layout, rows } | Op::Embedding { layout, rows } => {
            write!(f, " {layout}, {rows} rows")
        }
        Op::RmsNorm { epsilon, offset } | Op::LayerNorm { epsilon, offset } => {
            write!(f, " epsilon {epsilon:?} offset {offset:?}")
        }
        Op::RopeAngles(table) => write!(f, " {table:?}"),
        Op::TopK { k, groups: None } => write!(f, " {k}"),
        Op::TopK { k, groups: Some(Groups { count, kept, best }) } => {
            write!(f, " {k}, of {kept} of {count} groups by their best {best}")
        }
        Op::ExpertLinear { layout, experts, rows } => {
            write!(f, " {layout}, {experts} experts of {rows} rows")
        }
        Op::HeadLinear { layout, rows } => write!(f, " {layout}, {rows} rows"),
        Op::PagedAttention(attrs) => write!(f, " {attrs:?}"),
        Op::QuantizeKv(code) => write!(f, " {code}"),
        _ => Ok(()),
    }
}
