//! Dimensions and shapes.

use std::fmt;
use std::sync::Arc;

/// One extent of a tensor.
///
/// A named dimension is known only when the program runs; its bound is known now, so that
/// memory can be planned. Two named dimensions are equal when their names are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// A size known while tracing.
    Fixed(usize),
    /// A size known at run time, at most `max`.
    Named {
        /// The name that the caller binds, such as `blocks`.
        name: Arc<str>,
        /// The largest size that may be bound.
        max: usize,
    },
}

impl Dim {
    /// A named dimension of at most `max`.
    pub fn named(name: &str, max: usize) -> Self {
        Self::Named { name: name.into(), max }
    }

    /// The size, if it is known now.
    pub fn fixed(&self) -> Option<usize> {
        match self {
            Self::Fixed(size) => Some(*size),
            Self::Named { .. } => None,
        }
    }

    /// The size, or the bound of a named dimension.
    pub fn bound(&self) -> usize {
        match self {
            Self::Fixed(size) => *size,
            Self::Named { max, .. } => *max,
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(size) => write!(f, "{size}"),
            Self::Named { name, max } => write!(f, "{name}<={max}"),
        }
    }
}

impl From<usize> for Dim {
    fn from(size: usize) -> Self {
        Self::Fixed(size)
    }
}

/// The extents of a tensor, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Shape(Vec<Dim>);

impl Shape {
    /// A shape of the given dimensions.
    pub fn new(dims: impl IntoIterator<Item = impl Into<Dim>>) -> Self {
        Self(dims.into_iter().map(Into::into).collect())
    }

    /// The dimensions, outermost first.
    pub fn dims(&self) -> &[Dim] {
        &self.0
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// All sizes, or `None` if one is named.
    pub fn fixed(&self) -> Option<Vec<usize>> {
        self.0.iter().map(Dim::fixed).collect()
    }

    /// The number of elements, counting named dimensions at their bound; `None` on overflow.
    pub fn elements_bound(&self) -> Option<usize> {
        self.0.iter().try_fold(1usize, |total, dim| total.checked_mul(dim.bound()))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (index, dim) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{dim}")?;
        }
        f.write_str("]")
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(sizes: [usize; N]) -> Self {
        Self::new(sizes)
    }
}

impl From<Vec<usize>> for Shape {
    fn from(sizes: Vec<usize>) -> Self {
        Self::new(sizes)
    }
}

impl From<&[usize]> for Shape {
    fn from(sizes: &[usize]) -> Self {
        Self::new(sizes.iter().copied())
    }
}
