//! `Linear` and `Embedding` over tiled weights.
//!
//! A weight `[rows / n, columns / k, n, k]` is what `linalg.mmt4d` takes as its right
//! operand, so the mapped file is used as it is: IREE's own data tiling would pack a copy of
//! each weight into memory when the program is loaded.

use melior::ir::Value;
use tyto_graph::{DType, Layout, TensorType};

use crate::Error;
use crate::emitter::Emitter;
use crate::types::{array, element, sized, splat};

/// Rows and columns of a weight's tile.
#[derive(Clone, Copy)]
pub(crate) struct Tile {
    n: usize,
    k: usize,
}

impl Tile {
    /// The tile of a layout, if it has one.
    pub(crate) fn of(layout: Layout) -> Option<Self> {
        match layout {
            Layout::RowMajor | Layout::Blocks(_) => None,
            Layout::Tiled { n, k } => Some(Self { n, k }),
        }
    }
}

/// Activation rows of a tile: the sizes that IREE's x86 microkernels come in.
fn row_tile(tokens: usize) -> usize {
    [16, 8, 4, 2].into_iter().find(|size| tokens.is_multiple_of(*size)).unwrap_or(1)
}

/// `y = x wᵀ` with f32 sums.
pub(crate) fn linear<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    tile: Tile,
    rows: usize,
    types: &[&TensorType],
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let dtype = types[1].dtype;
    let sizes = types[0].shape.fixed().expect("linear_c1: x has fixed sizes");
    let (tokens, columns) = (sizes[0], sizes[1]);
    let (m, n_tiles) = (row_tile(tokens), rows.div_ceil(tile.n));

    // 1. x, rounded to the weight's type and cut into tiles.
    let x = if dtype == DType::F32 {
        operands[0]
    } else {
        emitter.value("stablehlo.convert", &operands[..1], &[], &sized(&sizes, dtype))?
    };
    let cut = sized(&[tokens / m, m, columns / tile.k, tile.k], dtype);
    let x = emitter.value("stablehlo.reshape", &[x], &[], &cut)?;
    let tiles = sized(&[tokens / m, columns / tile.k, m, tile.k], dtype);
    let swap = [("permutation", array(&[0, 2, 1, 3]))];
    let x = emitter.value("stablehlo.transpose", &[x], &swap, &tiles)?;

    // 2. The product of tiles.
    let y = mmt4d(emitter, x, operands[1], dtype, &[tokens / m, n_tiles, m, tile.n])?;

    // 3. Back to rows, without the padding.
    let rows_first = sized(&[tokens / m, m, n_tiles, tile.n], DType::F32);
    let y = emitter.value("stablehlo.transpose", &[y], &swap, &rows_first)?;
    let padded = n_tiles * tile.n;
    let y = emitter.value("stablehlo.reshape", &[y], &[], &sized(&[tokens, padded], DType::F32))?;
    if padded == rows {
        return Ok(y);
    }
    let bounds = [
        ("start_indices", array(&[0, 0])),
        ("limit_indices", array(&[tokens, rows])),
        ("strides", array(&[1, 1])),
    ];
    emitter.value("stablehlo.slice", &[y], &bounds, &sized(&[tokens, rows], DType::F32))
}

fn mmt4d<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    x: Value<'c, 'a>,
    w: Value<'c, 'a>,
    dtype: DType,
    sizes: &[usize],
) -> Result<Value<'c, 'a>, Error> {
    let ty = TensorType::new(DType::F32, sizes);
    let result = sized(sizes, DType::F32);
    let zeros = emitter.value("stablehlo.constant", &[], &[("value", splat(0.0, &ty))], &result)?;
    let factor = element(dtype);
    let region =
        emitter.scalar_region(&[factor, factor, "f32"], "linalg.yield", |inner, scalars| {
            let fast = [("fastmath", "#arith.fastmath<none>".to_owned())];
            let wide = |value| match dtype {
                DType::F32 => Ok(value),
                _ => inner.value("arith.extf", &[value], &[], "f32"),
            };
            let (left, right) = (wide(scalars[0])?, wide(scalars[1])?);
            let product = inner.value("arith.mulf", &[left, right], &fast, "f32")?;
            inner.value("arith.addf", &[scalars[2], product], &fast, "f32")
        })?;
    let segments = [("operandSegmentSizes", "array<i32: 2, 1>".to_owned())];
    emitter.with_region("linalg.mmt4d", &[x, w, zeros], &segments, &result, vec![region])
}

/// Rows of a tiled table: one gather whose index is the pair (tile, row in the tile).
pub(crate) fn embedding<'c, 'a>(
    emitter: &Emitter<'c, 'a>,
    tile: Tile,
    types: &[&TensorType],
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let (dtype, k) = (types[0].dtype, tile.k);
    let tokens = types[1].shape.fixed().expect("embedding_c2: ids have a fixed size")[0];
    let column_tiles = types[0].shape.dims()[1].bound();

    // 1. (id / n, id % n) for each id; ids are not negative.
    let ids = sized(&[tokens], DType::I32);
    let ty = TensorType::new(DType::I32, [tokens]);
    let size =
        emitter.value("stablehlo.constant", &[], &[("value", splat(tile.n as f64, &ty))], &ids)?;
    let [first, second] = ["stablehlo.divide", "stablehlo.remainder"].map(|name| {
        let part = emitter.value(name, &[operands[1], size], &[], &ids)?;
        emitter.value("stablehlo.reshape", &[part], &[], &sized(&[tokens, 1], DType::I32))
    });
    let axis = [("dimension", "1 : i64".to_owned())];
    let pairs = sized(&[tokens, 2], DType::I32);
    let indices = emitter.value("stablehlo.concatenate", &[first?, second?], &axis, &pairs)?;

    // 2. The row: one element of `n`, all of the two column axes.
    let numbers = "#stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0, 2], \
                   start_index_map = [0, 2], index_vector_dim = 1>";
    let attributes = [
        ("dimension_numbers", numbers.to_owned()),
        ("slice_sizes", array(&[1, column_tiles, 1, k])),
        ("indices_are_sorted", "false".to_owned()),
    ];
    let rows = sized(&[tokens, column_tiles, k], dtype);
    let rows = emitter.value("stablehlo.gather", &[operands[0], indices], &attributes, &rows)?;
    let flat = sized(&[tokens, column_tiles * k], dtype);
    let rows = emitter.value("stablehlo.reshape", &[rows], &[], &flat)?;
    if dtype == DType::F32 {
        return Ok(rows);
    }
    emitter.value(
        "stablehlo.convert",
        &[rows],
        &[],
        &sized(&[tokens, column_tiles * k], DType::F32),
    )
}
