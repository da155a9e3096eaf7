//! How a quantized KV cache stands in a graph.

use std::fmt;

use crate::dtype::DType;

/// The format of quantized keys and values: a byte for each element, or groups
/// of [`KvCode::GROUP`] elements of a head's vector at one position, each group with an f16 scale.
/// The bytes of a vector are its groups one after the other, each as GGUF's block of the same name:
/// the scale, then the codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KvCode {
    /// Codes of 8 bits, -127 to 127: `scale × code`.
    Q8_0,
    /// Codes of 4 bits, 0 to 15: `scale × (code - 8)`. Byte `i` of a group holds element `i` in
    /// its low half and element `16 + i` in its high half.
    Q4_0,
    /// 8-bit floats without a scale: OCP's E4M3. The nearest one, ties to even; beyond 448 that, and
    /// NaN of what is not finite.
    E4M3,
}

impl KvCode {
    /// Elements that share a scale, of formats that have scales.
    pub const GROUP: usize = 32;

    /// The name in options and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Q8_0 => "q8_0",
            Self::Q4_0 => "q4_0",
            Self::E4M3 => "f8e4m3",
        }
    }

    /// Elements of one group.
    pub fn group(self) -> usize {
        match self {
            Self::Q8_0 | Self::Q4_0 => Self::GROUP,
            Self::E4M3 => 1,
        }
    }

    /// Bytes of one group.
    pub fn group_bytes(self) -> usize {
        match self {
            Self::Q8_0 => 2 + Self::GROUP,
            Self::Q4_0 => 2 + Self::GROUP / 2,
            Self::E4M3 => 1,
        }
    }

    /// Bytes of a vector of `width` elements; `None` unless they are whole groups.
    pub fn row_bytes(self, width: usize) -> Option<usize> {
        let whole = width > 0 && width.is_multiple_of(self.group());
        whole.then(|| width / self.group() * self.group_bytes())
    }
}

impl fmt::Display for KvCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the elements of a KV cache are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KvType {
    /// Floats of this type.
    Float(DType),
    /// Codes, most with scales.
    Code(KvCode),
}

impl KvType {
    /// The name in options and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Float(dtype) => dtype.name(),
            Self::Code(code) => code.name(),
        }
    }

    /// The format, where it is quantized.
    pub fn code(self) -> Option<KvCode> {
        match self {
            Self::Float(_) => None,
            Self::Code(code) => Some(code),
        }
    }
}

impl From<DType> for KvType {
    fn from(dtype: DType) -> Self {
        Self::Float(dtype)
    }
}

impl From<KvCode> for KvType {
    fn from(code: KvCode) -> Self {
        Self::Code(code)
    }
}

impl fmt::Display for KvType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
