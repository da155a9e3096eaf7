//! The checkpoint's names, and the weights at them.

use std::sync::Arc;

use tyto_graph::{DType, Layout, Op, TensorType, ValueId};

use super::{Tensor, Trace};
use crate::stored::TensorBlocks;
use crate::weights::{Part, WeightUse};

/// A place in the checkpoint's tree of names.
#[derive(Clone)]
pub struct Weights<'t> {
    pub(super) trace: &'t Trace,
    pub(super) path: String,
}

impl<'t> Weights<'t> {
    /// The place below this one.
    pub fn at(&self, name: &str) -> Self {
        if self.path.is_empty() {
            return Self { trace: self.trace, path: self.trace.moves.resolve(name).into_owned() };
        }
        Self { trace: self.trace, path: format!("{}.{name}", self.path) }
    }

    /// The place of a list's element.
    pub fn index(&self, index: usize) -> Self {
        self.at(&index.to_string())
    }

    /// The vector of `size` at this place, as f32.
    #[track_caller]
    pub fn vector(&self, size: usize) -> Tensor<'t> {
        self.weight(vec![size], DType::F32, Layout::RowMajor)
    }

    /// The one number at this place, which the checkpoint has without axes, as f32 `[1]`.
    #[track_caller]
    pub fn number(&self) -> Tensor<'t> {
        let part = Part::whole(self.resolved(), Vec::new());
        self.made_of(vec![part], vec![1], DType::F32, Layout::RowMajor)
    }

    /// The matrix `[rows, columns]` at this place, and its layout.
    #[track_caller]
    pub fn matrix(&self, rows: usize, columns: usize) -> (Tensor<'t>, Layout) {
        if let Some(blocks) = self.kept_blocks() {
            let layout = Layout::Blocks(blocks.layout);
            return (self.weight(vec![rows, columns], DType::U8, layout), layout);
        }
        let options = &self.trace.options;
        let layout = (options.layout)(rows, columns, options.weight_dtype);
        (self.weight(vec![rows, columns], options.weight_dtype, layout), layout)
    }

    /// As [`Weights::matrix`], for a table whose rows are looked up: row after row, unless
    /// it is a matrix as well or keeps its blocks.
    #[track_caller]
    pub fn table(&self, rows: usize, columns: usize) -> (Tensor<'t>, Layout) {
        let resolved = self.resolved();
        let shared = self.trace.aliases.iter().any(|alias| alias.target == resolved);
        if shared || self.kept_blocks().is_some() {
            return self.matrix(rows, columns);
        }
        let dtype = self.trace.options.weight_dtype;
        (self.weight(vec![rows, columns], dtype, Layout::RowMajor), Layout::RowMajor)
    }

    /// Whether the checkpoint has a tensor of this name.
    pub fn stands(&self) -> bool {
        self.trace.names.contains_key(&self.path)
    }

    /// Whether the checkpoint has this tensor in another form than plain numbers.
    pub fn in_blocks(&self) -> bool {
        self.trace.names.get(&self.path) == Some(&false)
    }

    /// The checkpoint's name of this place.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether matrices that multiply one operand are to become one, where the first of them has
    /// this many rows of these parts.
    pub fn joins(&self, parts: &[Part], rows: usize, columns: usize) -> bool {
        let tile = self.format_of(parts, rows, columns).map(|(_, layout)| layout.tile_rows());
        self.trace.options.fuse_siblings && tile.is_ok_and(|tile| rows.is_multiple_of(tile))
    }

    /// The stack of `count` matrices `[rows, columns]` under this name, made of `parts`: each
    /// matrix begins a tile. Also gives its layout.
    #[track_caller]
    pub fn stack(
        &self,
        [count, rows, columns]: [usize; 3],
        parts: Vec<Part>,
    ) -> (Tensor<'t>, Layout) {
        let (dtype, layout) = match self.format_of(&parts, rows, columns) {
            Ok(format) => format,
            Err(why) => return (self.trace.fail(why), Layout::RowMajor),
        };
        let padded = rows.next_multiple_of(layout.tile_rows());
        let parts = parts.into_iter().map(|part| self.quantized(part, dtype)).collect();
        (self.made_of(parts, vec![count * padded, columns], dtype, layout), layout)
    }

    /// The matrix `[rows, columns]` under this name, made of a part of a tensor. Also gives its
    /// layout.
    #[track_caller]
    pub fn part(&self, rows: usize, columns: usize, part: Part) -> (Tensor<'t>, Layout) {
        let (dtype, layout) = match self.format_of(std::slice::from_ref(&part), rows, columns) {
            Ok(format) => format,
            Err(why) => return (self.trace.fail(why), Layout::RowMajor),
        };
        let part = self.quantized(part, dtype);
        (self.made_of(vec![part], vec![rows, columns], dtype, layout), layout)
    }

    /// The part with what puts it into blocks, where the weight stands in them.
    fn quantized(&self, part: Part, dtype: DType) -> Part {
        let blocks = self.trace.blocks.get(&part.tensor).filter(|_| dtype == DType::U8);
        Part { quantize: blocks.and_then(|blocks| blocks.quantize), ..part }
    }

    /// The vector of `size` under this name, made of `parts`, as f32.
    #[track_caller]
    pub fn vector_of(&self, size: usize, parts: Vec<Part>) -> Tensor<'t> {
        self.made_of(parts, vec![size], DType::F32, Layout::RowMajor)
    }

    /// The table `[rows, columns]` of f32 under this name, made of `parts`.
    #[track_caller]
    pub fn vectors(&self, rows: usize, columns: usize, parts: Vec<Part>) -> Tensor<'t> {
        self.made_of(parts, vec![rows, columns], DType::F32, Layout::RowMajor)
    }

    /// Element type and layout of a matrix of these parts.
    fn format_of(
        &self,
        parts: &[Part],
        rows: usize,
        columns: usize,
    ) -> Result<(DType, Layout), String> {
        let options = &self.trace.options;
        // Blocks lie along rows: what stands transposed cannot keep them.
        let blocks = |part: &Part| match part.reading.transposed {
            true => None,
            false => self.trace.blocks.get(&part.tensor).map(|kept| kept.layout),
        };
        let first = parts.first().and_then(blocks).filter(|_| options.keep_blocks);
        let Some(layout) = first else {
            let dtype = options.weight_dtype;
            return Ok((dtype, (options.layout)(rows, columns, dtype)));
        };
        match parts.iter().find(|part| blocks(part) != Some(layout)) {
            None => Ok((DType::U8, Layout::Blocks(layout))),
            Some(other) => Err(format!(
                "{:?} stands in {layout}, {:?} does not; expected one format of all experts",
                parts[0].tensor, other.tensor
            )),
        }
    }

    /// A constant as the element type of matrices holds it.
    pub fn rounded(&self, value: f64) -> f64 {
        match self.trace.options.weight_dtype {
            DType::BF16 => half::bf16::from_f64(value).to_f64(),
            DType::F16 => half::f16::from_f64(value).to_f64(),
            _ => f64::from(value as f32),
        }
    }

    /// The blocks that the tensor has or gets, where they are to be kept.
    fn kept_blocks(&self) -> Option<TensorBlocks> {
        let blocks = self.trace.blocks.get(&self.resolved());
        blocks.filter(|_| self.trace.options.keep_blocks).copied()
    }

    /// The name that the checkpoint has for this place.
    fn resolved(&self) -> String {
        let alias = self.trace.aliases.iter().find(|alias| alias.name == self.path);
        alias.map_or_else(|| self.path.clone(), |alias| alias.target.clone())
    }

    #[track_caller]
    fn weight(&self, shape: Vec<usize>, dtype: DType, layout: Layout) -> Tensor<'t> {
        let quantize = match layout {
            Layout::Blocks(_) => self.kept_blocks().and_then(|blocks| blocks.quantize),
            _ => None,
        };
        let part = Part { quantize, ..Part::whole(self.resolved(), shape.clone()) };
        self.made_of(vec![part], shape, dtype, layout)
    }

    /// The weight under this name, from its parts.
    #[track_caller]
    fn made_of(
        &self,
        parts: Vec<Part>,
        shape: Vec<usize>,
        dtype: DType,
        layout: Layout,
    ) -> Tensor<'t> {
        let name = self.resolved();
        let known = self.trace.state.borrow().values.get(&name).copied();
        if let Some(value) = known {
            return self.known(&name, value, &shape);
        }
        let stored = match shape[..] {
            [rows, columns] => layout.stored_shape(rows, columns),
            _ => Some(shape.clone()),
        };
        let Some(stored) = stored else {
            return self.trace.fail(format!("{name:?}: {shape:?} does not fit {layout}"));
        };
        let shared: Arc<str> = name.as_str().into();
        let ty = TensorType::new(dtype, stored);
        let tensor = self.trace.add(Op::Weight { name: shared.clone(), ty }, &[]);
        let mut state = self.trace.state.borrow_mut();
        state.weights.push(WeightUse { name: shared, shape, dtype, layout, parts });
        state.values.extend(tensor.value.map(|value| (name, value)));
        tensor
    }

    /// A weight that has been used before, which must have had the same shape.
    #[track_caller]
    fn known(&self, name: &str, value: ValueId, shape: &[usize]) -> Tensor<'t> {
        let state = self.trace.state.borrow();
        let before = state.weights.iter().find(|weight| *weight.name == *name);
        let before = before.map(|weight| weight.shape.clone()).unwrap_or_default();
        drop(state);
        if before == shape {
            return self.trace.tensor(value);
        }
        self.trace.fail(format!("{name:?} is {shape:?} here and {before:?} before"))
    }
}
