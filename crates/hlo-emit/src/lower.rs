//! One primitive at a time: each function is named as the StableHLO op that it writes.

use melior::ir::Value;
use tyto_graph::{Binary, DType, Graph, Literal, Node, Op, Reduction, TensorType};

use crate::Error;
use crate::emitter::Emitter;
use crate::tiled;
use crate::types::{array, list, quoted, sized, splat, tensor, vector};

/// Lowers one node, whose operands are lowered already, and gives its value.
pub(crate) fn node<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    graph: &Graph,
    node: &Node,
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let types: Vec<&TensorType> = node.operands.iter().map(|operand| graph.ty(*operand)).collect();
    let result = tensor(&node.ty);
    let plain = |attributes: &[(&str, String)]| {
        emitter.value(&format!("stablehlo.{}", node.op.name()), operands, attributes, &result)
    };
    match &node.op {
        Op::Input { .. } => Err(unsupported(graph, node, "inputs are arguments")),
        Op::Weight { name, .. } => {
            let global = format!("@{}", quoted(name));
            emitter.value("util.global.load", &[], &[("global", global)], &result)
        }
        Op::Constant(Literal::Splat { value, ty }) => plain(&[("value", splat(*value, ty))]),
        Op::Constant(Literal::Vector(values)) => plain(&[("value", vector(values))]),
        Op::Iota { axis, .. } => plain(&[("iota_dimension", format!("{axis} : i64"))]),
        Op::Unary(_) | Op::Select | Op::OptimizationBarrier => plain(&[]),
        Op::Binary(Binary::And | Binary::Or) if node.ty.dtype != DType::Bool => {
            Err(unsupported(graph, node, "bitwise ops on numbers"))
        }
        Op::Binary(_) => plain(&[]),
        Op::Compare(comparison) => {
            let direction = format!("#stablehlo<comparison_direction {}>", comparison.name());
            plain(&[("comparison_direction", direction)])
        }
        Op::Convert(_) => convert(emitter, types[0], &node.ty, operands[0]),
        Op::Bitcast(_) => bitcast(emitter, types[0], &node.ty, operands[0]),
        Op::Reshape(_) => plain(&[]),
        Op::FlattenRows => {
            // StableHLO's reshape needs a fixed result, and the first extent may be known only
            // at run time.
            let rest: Vec<usize> = (1..types[0].shape.rank()).collect();
            let groups = [("reassociation", format!("[[0], [{}]]", list(&rest)))];
            emitter.value("tensor.collapse_shape", operands, &groups, &result)
        }
        Op::Reverse { axis } => plain(&[("dimensions", array(&[*axis]))]),
        Op::Transpose(permutation) => plain(&[("permutation", array(permutation))]),
        Op::Broadcast { axes, .. } => plain(&[("broadcast_dimensions", array(axes))]),
        Op::Slice { start, limit } => plain(&[
            ("start_indices", array(start)),
            ("limit_indices", array(limit)),
            ("strides", array(&vec![1; start.len()])),
        ]),
        Op::Concat { axis } => plain(&[("dimension", format!("{axis} : i64"))]),
        Op::Take => gather(emitter, &types, operands, &result),
        Op::Put => scatter(emitter, &types, operands, &result),
        Op::Reduce { reduction, axis } => {
            reduce(emitter, *reduction, *axis, types[0], operands, &result)
        }
        Op::Dot { batch, contract } => {
            plain(&[("dot_dimension_numbers", dot_numbers(batch, contract))])
        }
        Op::Linear { layout, rows } => match tiled::Tile::of(*layout) {
            Some(tile) => tiled::linear(emitter, tile, *rows, &types, operands),
            None => Err(unsupported(graph, node, "not decomposed")),
        },
        Op::Embedding { layout, .. } => match tiled::Tile::of(*layout) {
            Some(tile) => tiled::embedding(emitter, tile, &types, operands),
            None => Err(unsupported(graph, node, "not decomposed")),
        },
        _ => Err(unsupported(graph, node, "not decomposed")),
    }
}

/// Whether a concatenation puts slices of extent 1 side by side.
pub(crate) fn is_stack(graph: &Graph, node: &Node, axis: usize) -> bool {
    let extent = |operand| graph.ty(operand).shape.dims()[axis].fixed();
    node.operands.iter().all(|operand| extent(*operand) == Some(1))
}

/// A concatenation of slices of extent 1 as a choice by index, which fuses with what makes them.
pub(crate) fn stack<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    node: &Node,
    axis: usize,
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let whole = tensor(&node.ty);
    let index_type = TensorType { dtype: DType::I32, shape: node.ty.shape.clone() };
    let mask_type = tensor(&TensorType { dtype: DType::Bool, ..index_type.clone() });
    let axes: Vec<usize> = (0..node.ty.shape.rank()).collect();
    let spread = |operand: Value<'c, 'a>| {
        let attributes = [("broadcast_dimensions", array(&axes))];
        emitter.value("stablehlo.broadcast_in_dim", &[operand], &attributes, &whole)
    };
    let iota = [("iota_dimension", format!("{axis} : i64"))];
    let place = emitter.value("stablehlo.iota", &[], &iota, &tensor(&index_type))?;
    let mut chosen = spread(operands[0])?;
    for (index, operand) in operands.iter().enumerate().skip(1) {
        let value = [("value", splat(index as f64, &index_type))];
        let here = emitter.value("stablehlo.constant", &[], &value, &tensor(&index_type))?;
        let equal = [("comparison_direction", "#stablehlo<comparison_direction EQ>".to_owned())];
        let mask = emitter.value("stablehlo.compare", &[place, here], &equal, &mask_type)?;
        let slice = spread(*operand)?;
        chosen = emitter.value("stablehlo.select", &[mask, slice, chosen], &[], &whole)?;
    }
    Ok(chosen)
}

fn unsupported(graph: &Graph, node: &Node, reason: &'static str) -> Error {
    Error::Unsupported {
        graph: graph.name.clone(),
        op: node.op.name(),
        ty: node.ty.to_string(),
        reason,
    }
}

fn dot_numbers(batch: &(Vec<usize>, Vec<usize>), contract: &(Vec<usize>, Vec<usize>)) -> String {
    format!(
        "#stablehlo.dot<lhs_batching_dimensions = [{}], rhs_batching_dimensions = [{}], \
         lhs_contracting_dimensions = [{}], rhs_contracting_dimensions = [{}]>",
        list(&batch.0),
        list(&batch.1),
        list(&contract.0),
        list(&contract.1)
    )
}

/// Bytes stand as signless integers, which StableHLO takes for signed ones: as numbers they are
/// `ui8` on the way.
fn convert<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    from: &TensorType,
    to: &TensorType,
    operand: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let cast = |name: &str, value, ty: &str| emitter.value(name, &[value], &[], ty);
    let numbers = |ty: &TensorType| tensor(ty).replace("xi8>", "xui8>");
    let (to_bits, to_number) = ("stablehlo.bitcast_convert", "stablehlo.convert");
    match (from.dtype, to.dtype) {
        (DType::U8, _) => {
            let number = cast(to_bits, operand, &numbers(from))?;
            cast(to_number, number, &tensor(to))
        }
        (_, DType::U8) => {
            let number = cast(to_number, operand, &numbers(to))?;
            cast(to_bits, number, &tensor(to))
        }
        _ => cast(to_number, operand, &tensor(to)),
    }
}

/// The same bits; between types that are written alike there is nothing to do.
fn bitcast<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    from: &TensorType,
    to: &TensorType,
    operand: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    if tensor(from) == tensor(to) {
        return Ok(operand);
    }
    emitter.value("stablehlo.bitcast_convert", &[operand], &[], &tensor(to))
}

/// [`Op::Take`]: rows of the first axis.
fn gather<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    types: &[&TensorType],
    operands: &[Value<'c, 'a>],
    result: &str,
) -> Result<Value<'c, 'a>, Error> {
    let rank = types[1].shape.rank();
    let row: Vec<usize> = types[0].shape.dims()[1..].iter().map(|dim| dim.bound()).collect();
    let offsets: Vec<usize> = (rank..rank + row.len()).collect();
    let sizes: Vec<usize> = std::iter::once(1).chain(row).collect();
    let numbers = format!(
        "#stablehlo.gather<offset_dims = [{}], collapsed_slice_dims = [0], start_index_map = [0], \
         index_vector_dim = {rank}>",
        list(&offsets)
    );
    let attributes = [
        ("dimension_numbers", numbers),
        ("slice_sizes", array(&sizes)),
        ("indices_are_sorted", "false".to_owned()),
    ];
    emitter.value("stablehlo.gather", operands, &attributes, result)
}

/// [`Op::Put`]: replaces rows addressed by pairs. Indices are tensors, never scalars: a
/// scalar would be read back by the host in the middle of the step.
fn scatter<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    types: &[&TensorType],
    operands: &[Value<'c, 'a>],
    result: &str,
) -> Result<Value<'c, 'a>, Error> {
    let window: Vec<usize> = (1..types[2].shape.rank()).collect();
    let numbers = format!(
        "#stablehlo.scatter<update_window_dims = [{}], inserted_window_dims = [0, 1], \
         scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>",
        list(&window)
    );
    let scalar = sized(&[], types[0].dtype);
    let region =
        emitter.scalar_region(&[&scalar, &scalar], "stablehlo.return", |_, arguments| {
            Ok(arguments[1])
        })?;
    let attributes = [
        ("scatter_dimension_numbers", numbers),
        ("indices_are_sorted", "false".to_owned()),
        ("unique_indices", "false".to_owned()),
    ];
    emitter.with_region("stablehlo.scatter", operands, &attributes, result, vec![region])
}

fn reduce<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    reduction: Reduction,
    axis: usize,
    ty: &TensorType,
    operands: &[Value<'c, 'a>],
    result: &str,
) -> Result<Value<'c, 'a>, Error> {
    let (fold, start, dtype) = match reduction {
        Reduction::Sum => ("stablehlo.add", 0.0, DType::F32),
        Reduction::Max => ("stablehlo.maximum", f64::NEG_INFINITY, ty.dtype),
    };
    let mut operand = operands[0];
    if ty.dtype != dtype {
        let wide = tensor(&TensorType { dtype, shape: ty.shape.clone() });
        operand = emitter.value("stablehlo.convert", &[operand], &[], &wide)?;
    }
    let scalar_type = TensorType::new(dtype, Vec::<usize>::new());
    let scalar = tensor(&scalar_type);
    let start = emitter.value(
        "stablehlo.constant",
        &[],
        &[("value", splat(start, &scalar_type))],
        &scalar,
    )?;
    let region =
        emitter.scalar_region(&[&scalar, &scalar], "stablehlo.return", |inner, arguments| {
            inner.value(fold, arguments, &[], &scalar)
        })?;
    let attributes = [("dimensions", array(&[axis]))];
    emitter.with_region("stablehlo.reduce", &[operand, start], &attributes, result, vec![region])
}
