//! Whole modules: globals for the weights, one function for each graph.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use melior::Context;
use melior::dialect::DialectHandle;
use melior::ir::attribute::StringAttribute;
use melior::ir::operation::{OperationLike, OperationMutLike};
use melior::ir::{Block, BlockLike, Location, Module, Region, RegionLike, Value};
use tyto_graph::{Graph, Layout, Op, Output, Shape, TensorType, decompose};

use crate::Error;
use crate::emitter::{Emitter, NewOp, block_arguments, build, refused, ty};
use crate::lower;
use crate::types::{quoted, tensor};

/// The scope under which every weight is looked up when the program is loaded.
pub const PARAMETER_SCOPE: &str = "model";

/// A module in MLIR's text form, which any later LLVM reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The module.
    pub text: String,
    /// Full names of the functions, in the order of the graphs.
    pub functions: Vec<String>,
}

/// What differs between kinds of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For CPUs: the caller chooses the number of the cache's blocks.
    Cpu,
    /// For GPUs. All sizes are known, nothing waits in the middle and nothing is copied, so that
    /// IREE records a step once, in one command buffer of dispatches, and replays it.
    Gpu {
        /// Blocks of the cache: the extent of every named dimension.
        blocks: usize,
    },
}

/// Composite ops that this crate lowers itself, without their decomposition.
pub fn lowers_natively(op: &Op) -> bool {
    matches!(
        op,
        Op::Linear { layout: Layout::Tiled { .. }, .. }
            | Op::Embedding { layout: Layout::Tiled { .. }, .. }
    )
}

/// Writes `graphs` as the functions of one module called `name`. Composite ops are
/// decomposed first, but for those of [`lowers_natively`].
pub fn emit(name: &str, graphs: &[Graph]) -> Result<Emitted, Error> {
    emit_as(Form::Cpu, name, graphs)
}

/// As [`emit`], in another form.
pub fn emit_as(form: Form, name: &str, graphs: &[Graph]) -> Result<Emitted, Error> {
    let context = new_context();
    let diagnostics = Rc::new(RefCell::new(String::new()));
    let sink = Rc::clone(&diagnostics);
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        let mut text = sink.borrow_mut();
        text.push_str(&diagnostic.to_string());
        text.push('\n');
        true
    });
    let result = emit_module(&context, form, name, graphs).map_err(|error| match error {
        Error::Mlir { what, diagnostics: text } => {
            let text = format!("{text}\n{}", diagnostics.borrow()).trim().to_owned();
            Error::Mlir { what, diagnostics: text }
        }
        other => other,
    });
    context.detach_diagnostic_handler(handler);
    result
}

fn new_context() -> Context {
    let context = Context::new();
    // By their handles: to find dialects by name, MLIR would have all of them linked (`unlinked.rs`).
    for dialect in [
        DialectHandle::func(),
        DialectHandle::arith(),
        DialectHandle::linalg(),
        DialectHandle::tensor(),
    ] {
        dialect.load_dialect(&context);
    }
    context.set_allow_unregistered_dialects(true);
    context
}

fn emit_module(
    context: &Context,
    form: Form,
    name: &str,
    graphs: &[Graph],
) -> Result<Emitted, Error> {
    let graphs: Vec<Graph> = (graphs.iter())
        .map(|graph| {
            let lowered = decompose(graph, lowers_natively)?;
            lowered.verify_decomposed(lowers_natively)?;
            Ok(match form {
                Form::Cpu => lowered,
                Form::Gpu { blocks } => with_blocks(lowered, blocks),
            })
        })
        .collect::<Result<_, Error>>()?;

    let mut module = Module::new(Location::unknown(context));
    module.as_operation_mut().set_attribute("sym_name", StringAttribute::new(context, name).into());
    for (weight, ty) in all_weights(&graphs)? {
        global(context, &module, &weight, &ty)?;
    }
    for graph in &graphs {
        function(context, &module, form, graph)?;
    }
    if !module.as_operation().verify() {
        return Err(refused("the module", ""));
    }
    Ok(Emitted {
        text: module.as_operation().to_string(),
        functions: graphs.iter().map(|graph| format!("{name}.{}", graph.name)).collect(),
    })
}

/// The graph with every named dimension of this size: the cache's, which no op's own type holds.
fn with_blocks(mut graph: Graph, blocks: usize) -> Graph {
    let types = graph.nodes.iter_mut().map(|node| &mut node.ty);
    for ty in types.chain(graph.inputs.iter_mut().map(|input| &mut input.ty)) {
        ty.shape = Shape::new(ty.shape.dims().iter().map(|dim| dim.fixed().unwrap_or(blocks)));
    }
    graph
}

/// The weights of all graphs, by name; each has one type.
fn all_weights(graphs: &[Graph]) -> Result<BTreeMap<Arc<str>, TensorType>, Error> {
    let mut all: BTreeMap<Arc<str>, TensorType> = BTreeMap::new();
    for graph in graphs {
        for (name, ty) in graph.weights() {
            match all.get(&name) {
                Some(first) if *first != ty => {
                    return Err(Error::WeightTypes {
                        name: name.to_string(),
                        first: first.to_string(),
                        second: ty.to_string(),
                        graph: graph.name.clone(),
                    });
                }
                Some(_) => {}
                None => drop(all.insert(name, ty)),
            }
        }
    }
    Ok(all)
}

fn global<'c>(
    context: &'c Context,
    module: &Module<'c>,
    name: &str,
    ty: &TensorType,
) -> Result<(), Error> {
    let key = quoted(name);
    let ty = tensor(ty);
    let value = format!("#flow.parameter.named<\"{PARAMETER_SCOPE}\"::{key}> : {ty}");
    let attributes = [
        ("sym_name", key),
        ("sym_visibility", "\"private\"".to_owned()),
        ("type", ty),
        ("initial_value", value),
    ];
    let new = NewOp {
        name: "util.global",
        operands: &[],
        attributes: &attributes,
        results: &[],
        regions: Vec::new(),
    };
    module.body().append_operation(build(context, new)?);
    Ok(())
}

fn function<'c>(
    context: &'c Context,
    module: &Module<'c>,
    form: Form,
    graph: &Graph,
) -> Result<(), Error> {
    let inputs: Vec<String> = graph.inputs.iter().map(|input| tensor(&input.ty)).collect();
    let results: Vec<String> =
        graph.outputs.iter().map(|output| tensor(graph.ty(output.value()))).collect();
    let location = Location::unknown(context);
    let types = inputs.iter().map(|text| ty(context, text)).collect::<Result<Vec<_>, _>>()?;
    let block = Block::new(&types.into_iter().map(|ty| (ty, location)).collect::<Vec<_>>());
    body(context, form, graph, &block)?;
    let region = Region::new();
    region.append_block(block);

    let signature = format!("({}) -> ({})", inputs.join(", "), results.join(", "));
    let attributes = [
        ("sym_name", quoted(&graph.name)),
        ("function_type", signature),
        ("arg_attrs", argument_attributes(graph)),
    ];
    let new = NewOp {
        name: "func.func",
        operands: &[],
        attributes: &attributes,
        results: &[],
        regions: vec![region],
    };
    module.body().append_operation(build(context, new)?);
    Ok(())
}

/// `iree.abi.output` names the result that shares the argument's storage.
fn argument_attributes(graph: &Graph) -> String {
    let of_input = |index: usize| {
        let result = graph
            .outputs
            .iter()
            .position(|output| matches!(output, Output::Updated { input, .. } if *input == index));
        match result {
            Some(result) => format!("{{iree.abi.output = {result} : index}}"),
            None => "{}".to_owned(),
        }
    };
    format!("[{}]", (0..graph.inputs.len()).map(of_input).collect::<Vec<_>>().join(", "))
}

fn body<'c>(
    context: &'c Context,
    form: Form,
    graph: &Graph,
    block: &Block<'c>,
) -> Result<(), Error> {
    let emitter = Emitter { context, block };
    let arguments = block_arguments(block, graph.inputs.len())?;
    let mut values: Vec<Value<'c, '_>> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let operands: Vec<_> = node.operands.iter().map(|id| values[id.index()]).collect();
        let value = match (&node.op, form) {
            (Op::Input { index }, _) => arguments[*index],
            // IREE makes a wait of the host of each barrier, and often a copy of a concatenation.
            (Op::OptimizationBarrier, Form::Gpu { .. }) => operands[0],
            (Op::Concat { axis }, Form::Gpu { .. }) if lower::is_stack(graph, node, *axis) => {
                lower::stack(&emitter, node, *axis, &operands)?
            }
            _ => lower::node(&emitter, graph, node, &operands)?,
        };
        values.push(value);
    }
    let returned: Vec<_> =
        graph.outputs.iter().map(|output| values[output.value().index()]).collect();
    let new = NewOp {
        name: "func.return",
        operands: &returned,
        attributes: &[],
        results: &[],
        regions: Vec::new(),
    };
    block.append_operation(build(context, new)?);
    Ok(())
}
