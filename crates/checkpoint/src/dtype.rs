//! Element types: how files store values ([`StoredType`]) and how programs take them ([`DType`]).

use std::fmt;

use crate::packed::Packed;

/// A floating-point type that tensors are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// IEEE single precision.
    F32,
    /// IEEE half precision.
    F16,
    /// bfloat16.
    Bf16,
}

impl DType {
    /// Bytes of one element.
    pub fn size(self) -> usize {
        match self {
            DType::F32 => 4,
            DType::F16 | DType::Bf16 => 2,
        }
    }
}

macro_rules! stored_types {
    ($($variant:ident $name:literal $elements:literal $bytes:literal $doc:literal,)*) => {
        /// A type as model files store it: plain elements, or blocks of elements that share scales.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum StoredType {
            $(#[doc = $doc] $variant,)*
            /// A quantized matrix: codes in one tensor, their scales in another.
            Packed(Packed),
        }

        impl StoredType {
            /// Every type that stands alone in a tensor, in declaration order.
            pub const ALL: &'static [StoredType] = &[$(StoredType::$variant,)*];

            /// The name that the file formats use; of packed codes that of their mode.
            pub fn name(self) -> &'static str {
                match self {
                    $(StoredType::$variant => $name,)*
                    StoredType::Packed(packed) => packed.mode.name(),
                }
            }

            /// Elements in one indivisible block of the format; 1 of packed codes, whose parts
            /// lie apart.
            pub fn block_elements(self) -> usize {
                match self {
                    $(StoredType::$variant => $elements,)*
                    StoredType::Packed(_) => 1,
                }
            }

            /// Bytes of one block; of packed codes those that a code alone takes.
            pub fn block_bytes(self) -> usize {
                match self {
                    $(StoredType::$variant => $bytes,)*
                    StoredType::Packed(packed) => usize::from(packed.bits).div_ceil(8),
                }
            }
        }
    };
}

stored_types! {
    F64 "F64" 1 8 "IEEE double precision.",
    F32 "F32" 1 4 "IEEE single precision.",
    F16 "F16" 1 2 "IEEE half precision.",
    Bf16 "BF16" 1 2 "bfloat16.",
    F8E4M3 "F8_E4M3" 1 1 "8-bit float, 4 exponent bits, no infinities (OCP `E4M3FN`).",
    F8E5M2 "F8_E5M2" 1 1 "8-bit float, 5 exponent bits.",
    F8E8M0 "F8_E8M0" 1 1 "8-bit power of two, the scale type of the OCP microscaling formats.",
    F6E2M3 "F6_E2M3" 4 3 "6-bit float, 2 exponent bits, four in three bytes.",
    F6E3M2 "F6_E3M2" 4 3 "6-bit float, 3 exponent bits, four in three bytes.",
    F4 "F4" 2 1 "4-bit float (E2M1), two in a byte, the first in the low half.",
    C64 "C64" 1 8 "Complex number of two F32.",
    Bool "BOOL" 1 1 "One byte, zero or one.",
    I8 "I8" 1 1 "Signed 8-bit integer.",
    I16 "I16" 1 2 "Signed 16-bit integer.",
    I32 "I32" 1 4 "Signed 32-bit integer.",
    I64 "I64" 1 8 "Signed 64-bit integer.",
    U8 "U8" 1 1 "Unsigned 8-bit integer.",
    U16 "U16" 1 2 "Unsigned 16-bit integer.",
    U32 "U32" 1 4 "Unsigned 32-bit integer.",
    U64 "U64" 1 8 "Unsigned 64-bit integer.",
    Q4_0 "Q4_0" 32 18 "GGUF: 4-bit codes, one scale.",
    Q4_1 "Q4_1" 32 20 "GGUF: 4-bit codes, scale and minimum.",
    Q5_0 "Q5_0" 32 22 "GGUF: 5-bit codes, one scale.",
    Q5_1 "Q5_1" 32 24 "GGUF: 5-bit codes, scale and minimum.",
    Q8_0 "Q8_0" 32 34 "GGUF: 8-bit codes, one scale.",
    Q2K "Q2_K" 256 84 "GGUF: 2-bit codes, 16 groups with 4-bit scales and minima.",
    Q3K "Q3_K" 256 110 "GGUF: 3-bit codes, 16 groups with 6-bit scales.",
    Q4K "Q4_K" 256 144 "GGUF: 4-bit codes, 8 groups with 6-bit scales and minima.",
    Q5K "Q5_K" 256 176 "GGUF: 5-bit codes, 8 groups with 6-bit scales and minima.",
    Q6K "Q6_K" 256 210 "GGUF: 6-bit codes, 16 groups with 8-bit scales.",
    Iq4Nl "IQ4_NL" 32 18 "GGUF: 4-bit codes into a fixed non-linear table, one scale.",
    Iq4Xs "IQ4_XS" 256 136 "GGUF: 4-bit codes into the same table, 8 groups with 6-bit scales.",
    Mxfp4 "MXFP4" 32 17 "GGUF: 4-bit floats (E2M1), one power-of-two scale.",
}

impl StoredType {
    /// True for types whose values are numbers that [`crate::Tensor::write_as`] can write.
    pub fn is_float(self) -> bool {
        use StoredType::*;
        !matches!(self, C64 | Bool | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
    }

    /// Bytes that `elements` take, or `None` when they do not fill whole blocks or the size overflows.
    pub fn bytes_for(self, elements: u64) -> Option<u64> {
        let block = self.block_elements() as u64;
        if !elements.is_multiple_of(block) {
            return None;
        }
        (elements / block).checked_mul(self.block_bytes() as u64)
    }

    /// The type that a safetensors header calls `name`.
    pub(crate) fn from_safetensors(name: &str) -> Option<StoredType> {
        Self::ALL.iter().copied().find(|t| !t.is_gguf_block() && t.name() == name)
    }

    /// The type with GGUF's number `id`.
    pub(crate) fn from_gguf(id: u32) -> Option<StoredType> {
        use StoredType::*;
        Some(match id {
            0 => F32,
            1 => F16,
            2 => Q4_0,
            3 => Q4_1,
            6 => Q5_0,
            7 => Q5_1,
            8 => Q8_0,
            10 => Q2K,
            11 => Q3K,
            12 => Q4K,
            13 => Q5K,
            14 => Q6K,
            20 => Iq4Nl,
            23 => Iq4Xs,
            24 => I8,
            25 => I16,
            26 => I32,
            27 => I64,
            28 => F64,
            30 => Bf16,
            39 => Mxfp4,
            _ => return None,
        })
    }

    /// True for the block formats that only GGUF knows.
    pub(crate) fn is_gguf_block(self) -> bool {
        self.block_elements() >= 32 && !matches!(self, StoredType::Packed(_))
    }
}

/// The whole format: `Q4_1`, `affine 4-bit group 64`.
impl fmt::Display for StoredType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredType::Packed(packed) => packed.fmt(f),
            plain => f.write_str(plain.name()),
        }
    }
}
