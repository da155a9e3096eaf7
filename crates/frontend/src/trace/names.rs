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
        let dot = if self.path.is_empty() { "" } else { "." };
        Self { trace: self.trace, path: format!("{}{dot}{name}", self.path) }
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
        let quantize = match layout {
            Layout::Blocks(_) => self.kept_blocks().and_then(|blocks| blocks.quantize),
            _ => None,
        };
        let part = Part { tensor: name.clone(), shape: shape.clone(), rows: None, quantize };
        let mut state = self.trace.state.borrow_mut();
        state.weights.push(WeightUse { name: shared, shape, dtype, layout, parts: vec![part] });
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
