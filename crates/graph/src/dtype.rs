//! Element types and weight layouts.

use std::fmt;

use crate::blocks::BlockLayout;

/// The type of one element as it stands in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary16.
    F16,
    /// bfloat16.
    BF16,
    /// OCP 8-bit float, 4 exponent and 3 mantissa bits, finite (no infinities).
    F8E4M3,
    /// OCP 8-bit float, 5 exponent and 2 mantissa bits.
    F8E5M2,
    /// Signed 64-bit integer.
    I64,
    /// Signed 32-bit integer.
    I32,
    /// Signed 8-bit integer.
    I8,
    /// Unsigned 8-bit integer.
    U8,
    /// One byte, 0 or 1.
    Bool,
}

impl DType {
    /// Bytes of one element.
    pub fn bytes(self) -> usize {
        match self {
            Self::I64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::F16 | Self::BF16 => 2,
            Self::F8E4M3 | Self::F8E5M2 | Self::I8 | Self::U8 | Self::Bool => 1,
        }
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F16 | Self::BF16 | Self::F8E4M3 | Self::F8E5M2)
    }

    /// The name used in print-outs and manifests; MLIR's where MLIR has one.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::F8E4M3 => "f8E4M3FN",
            Self::F8E5M2 => "f8E5M2",
            Self::I64 => "i64",
            Self::I32 => "i32",
            Self::I8 => "i8",
            Self::U8 => "ui8",
            Self::Bool => "i1",
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a matrix of weights `[rows, columns]` stands in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layout {
    /// Row after row, as checkpoints have it: `[rows, columns]`.
    RowMajor,
    /// Tiles for a matrix-multiply kernel: `[rows / n, columns / k, n, k]`, the rows padded
    /// with zeros to a multiple of `n`.
    Tiled {
        /// Rows of a tile.
        n: usize,
        /// Columns of a tile.
        k: usize,
    },
    /// Codes under shared scales, in bands of 16 rows: bytes `[rows / 16, bytes of a band]`,
    /// the rows padded to whole bands with bytes of 0.
    Blocks(BlockLayout),
}

impl Layout {
    /// The stored shape of a `[rows, columns]` matrix, or `None` where the columns do not
    /// divide into tiles or units, the tiles are empty or there are no such blocks.
    pub fn stored_shape(self, rows: usize, columns: usize) -> Option<Vec<usize>> {
        match self {
            Self::RowMajor => Some(vec![rows, columns]),
            Self::Tiled { n, k } if n > 0 && k > 0 && columns.is_multiple_of(k) => {
                Some(vec![rows.div_ceil(n), columns / k, n, k])
            }
            Self::Blocks(blocks) if blocks.is_known() && columns.is_multiple_of(blocks.unit()) => {
                Some(vec![rows.div_ceil(BlockLayout::ROWS), blocks.band_bytes(columns)])
            }
            Self::Tiled { .. } | Self::Blocks(_) => None,
        }
    }

    /// Rows of a tile: where the next matrix of a stack may begin.
    pub fn tile_rows(self) -> usize {
        match self {
            Self::RowMajor => 1,
            Self::Tiled { n, .. } => n.max(1),
            Self::Blocks(_) => BlockLayout::ROWS,
        }
    }

    /// The stored shape of `count` matrices `[rows, columns]`, one below the other, each padded
    /// to whole tiles; `None` as for [`Layout::stored_shape`], or where the rows are too many to
    /// count.
    pub fn stacked_shape(self, count: usize, rows: usize, columns: usize) -> Option<Vec<usize>> {
        let padded = rows.checked_next_multiple_of(self.tile_rows())?;
        self.stored_shape(count.checked_mul(padded)?, columns)
    }

    /// The columns of a matrix of this stored shape, or `None` where no matrix has it.
    pub(crate) fn columns(self, stored: &[usize]) -> Option<usize> {
        match (self, stored) {
            (Self::RowMajor, [_, columns]) => Some(*columns),
            (Self::Tiled { .. }, [_, tiles, _, k]) => tiles.checked_mul(*k),
            (Self::Blocks(blocks), [_, bytes]) => blocks.columns_of_band(*bytes),
            _ => None,
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RowMajor => f.write_str("row-major"),
            Self::Tiled { n, k } => write!(f, "tiled {n}x{k}"),
            Self::Blocks(blocks) => blocks.fmt(f),
        }
    }
}
