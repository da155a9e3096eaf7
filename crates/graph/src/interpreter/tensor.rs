//! Values of an evaluation.

use std::sync::Arc;

use super::error::Error;
use super::rounding::{decode, encode, round};
use crate::dtype::DType;
use crate::graph::TensorType;

/// A dense tensor, row after row. Clones share their storage.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    dtype: DType,
    shape: Vec<usize>,
    data: Data,
}

/// The elements. Every float type is a subset of f32, every integer type of i64.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    Float(Arc<Vec<f32>>),
    Integer(Arc<Vec<i64>>),
}

impl Tensor {
    /// A tensor of a float type; the values are rounded to it.
    ///
    /// Errors: another number of values than `shape` holds; `dtype` is not a float type.
    pub fn floats(
        dtype: DType,
        shape: impl Into<Vec<usize>>,
        values: impl IntoIterator<Item = f32>,
    ) -> Result<Self, Error> {
        if !dtype.is_float() {
            return Err(Error::Values { dtype: dtype.name(), values: "floats" });
        }
        let values = values.into_iter().map(|value| round(dtype, value.into())).collect();
        Self::checked(dtype, shape.into(), Data::Float(Arc::new(values)))
    }

    /// A tensor of an integer type or Bool; the values wrap to it.
    ///
    /// Errors: another number of values than `shape` holds; `dtype` is a float type.
    pub fn integers(
        dtype: DType,
        shape: impl Into<Vec<usize>>,
        values: impl IntoIterator<Item = i64>,
    ) -> Result<Self, Error> {
        if dtype.is_float() {
            return Err(Error::Values { dtype: dtype.name(), values: "integers" });
        }
        let values = values.into_iter().map(|value| wrap(dtype, value)).collect();
        Self::checked(dtype, shape.into(), Data::Integer(Arc::new(values)))
    }

    /// A tensor of zeros.
    pub fn zeros(dtype: DType, shape: impl Into<Vec<usize>>) -> Self {
        let shape = shape.into();
        let count = shape.iter().product();
        let data = if dtype.is_float() {
            Data::Float(Arc::new(vec![0.0; count]))
        } else {
            Data::Integer(Arc::new(vec![0; count]))
        };
        Self { dtype, shape, data }
    }

    /// A tensor from its little-endian bytes, as checkpoints have them.
    ///
    /// Errors: another number of bytes than `shape` holds.
    pub fn from_bytes(
        dtype: DType,
        shape: impl Into<Vec<usize>>,
        bytes: &[u8],
    ) -> Result<Self, Error> {
        let elements = bytes.chunks_exact(dtype.bytes());
        let whole = elements.remainder().is_empty();
        let data = if dtype.is_float() {
            Data::Float(Arc::new(elements.map(|element| float(dtype, element)).collect()))
        } else {
            Data::Integer(Arc::new(elements.map(|element| integer(dtype, element)).collect()))
        };
        let tensor = Self::checked(dtype, shape.into(), data)?;
        let expected = tensor.data.len();
        let found = bytes.len() / dtype.bytes() + 1;
        let ty = tensor.ty().to_string();
        if whole { Ok(tensor) } else { Err(Error::Length { ty, expected, found }) }
    }

    /// The little-endian bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let width = self.dtype.bytes();
        match &self.data {
            Data::Float(values) if self.dtype == DType::F32 => {
                values.iter().flat_map(|value| value.to_le_bytes()).collect()
            }
            Data::Float(values) => (values.iter())
                .flat_map(|value| encode(self.dtype, *value).to_le_bytes().into_iter().take(width))
                .collect(),
            Data::Integer(values) => values
                .iter()
                .flat_map(|value| value.to_le_bytes().into_iter().take(width))
                .collect(),
        }
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Extents, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Element type and extents.
    pub fn ty(&self) -> TensorType {
        TensorType::new(self.dtype, &self.shape[..])
    }

    /// The elements, if the type is a float type.
    pub fn as_floats(&self) -> Option<&[f32]> {
        match &self.data {
            Data::Float(values) => Some(values),
            Data::Integer(_) => None,
        }
    }

    /// The elements, if the type is an integer type or Bool.
    pub fn as_integers(&self) -> Option<&[i64]> {
        match &self.data {
            Data::Integer(values) => Some(values),
            Data::Float(_) => None,
        }
    }

    fn checked(dtype: DType, shape: Vec<usize>, data: Data) -> Result<Self, Error> {
        let (expected, found) = (shape.iter().product(), data.len());
        let tensor = Self { dtype, shape, data };
        if expected == found {
            Ok(tensor)
        } else {
            Err(Error::Length { ty: tensor.ty().to_string(), expected, found })
        }
    }
}

/// For the evaluation of nodes, whose types the verifier has seen.
impl Tensor {
    /// Results of any precision, rounded to `dtype`.
    pub(super) fn rounded(
        dtype: DType,
        shape: &[usize],
        values: impl IntoIterator<Item = f64>,
    ) -> Self {
        let values = values.into_iter().map(|value| round(dtype, value)).collect();
        Self::of(dtype, shape, Data::Float(Arc::new(values)))
    }

    /// Results of integers or truth values, wrapped to `dtype`.
    pub(super) fn wrapped(
        dtype: DType,
        shape: &[usize],
        values: impl IntoIterator<Item = i64>,
    ) -> Self {
        let values = values.into_iter().map(|value| wrap(dtype, value)).collect();
        Self::of(dtype, shape, Data::Integer(Arc::new(values)))
    }

    /// The same elements in another shape.
    pub(super) fn reshaped(mut self, shape: &[usize]) -> Self {
        self.shape = shape.to_vec();
        self.checked_len()
    }

    /// The same bits as elements of another type.
    pub(super) fn bitcast(&self, dtype: DType) -> Self {
        let (from, to) = (self.dtype.bytes(), dtype.bytes());
        let mut shape = self.shape.clone();
        if from > to {
            shape.push(from / to);
        } else if from < to {
            shape.pop();
        }
        Self::from_bytes(dtype, shape, &self.to_bytes()).expect("bitcast_c2: whole elements")
    }

    /// Elements of this tensor by index, in another shape.
    pub(super) fn picked(&self, shape: &[usize], indices: impl Iterator<Item = usize>) -> Self {
        let data = match &self.data {
            Data::Float(values) => Data::Float(Arc::new(indices.map(|i| values[i]).collect())),
            Data::Integer(values) => Data::Integer(Arc::new(indices.map(|i| values[i]).collect())),
        };
        Self::of(self.dtype, shape, data)
    }

    /// Copies `source`'s elements `from` to this tensor's elements at `to`.
    pub(super) fn overwrite(&mut self, to: usize, source: &Self, from: std::ops::Range<usize>) {
        let to = to..to + from.len();
        match (&mut self.data, &source.data) {
            (Data::Float(into), Data::Float(values)) => {
                Arc::make_mut(into)[to].copy_from_slice(&values[from]);
            }
            (Data::Integer(into), Data::Integer(values)) => {
                Arc::make_mut(into)[to].copy_from_slice(&values[from]);
            }
            _ => unreachable!("put_c2: operand and updates have one element type"),
        }
    }

    pub(super) fn data(&self) -> &Data {
        &self.data
    }

    /// The elements of a float tensor.
    pub(super) fn f(&self) -> &[f32] {
        self.as_floats().expect("the shape rules ask for a float type here")
    }

    /// The elements of an integer or Bool tensor.
    pub(super) fn i(&self) -> &[i64] {
        self.as_integers().expect("the shape rules ask for an integer type here")
    }

    /// The extents of a tensor that the shape rules give rank `N`.
    pub(super) fn extents<const N: usize>(&self) -> [usize; N] {
        self.shape[..].try_into().expect("the shape rules fix the rank here")
    }

    fn of(dtype: DType, shape: &[usize], data: Data) -> Self {
        Self { dtype, shape: shape.to_vec(), data }.checked_len()
    }

    fn checked_len(self) -> Self {
        assert_eq!(self.shape.iter().product::<usize>(), self.data.len(), "as many as the shape");
        self
    }
}

impl Data {
    fn len(&self) -> usize {
        match self {
            Self::Float(values) => values.len(),
            Self::Integer(values) => values.len(),
        }
    }
}

/// `value` modulo the size of `dtype`, an integer type; not zero, in Bool.
fn wrap(dtype: DType, value: i64) -> i64 {
    match dtype {
        DType::I32 => i64::from(value as i32),
        DType::I8 => i64::from(value as i8),
        DType::U8 => i64::from(value as u8),
        DType::Bool => i64::from(value != 0),
        _ => value,
    }
}

fn float(dtype: DType, bytes: &[u8]) -> f32 {
    match *bytes {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        [a, b] => decode(dtype, u16::from_le_bytes([a, b])),
        _ => decode(dtype, bytes[0].into()),
    }
}

fn integer(dtype: DType, bytes: &[u8]) -> i64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    wrap(dtype, i64::from_le_bytes(wide))
}
