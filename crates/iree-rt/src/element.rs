//! Element types of buffers.

use half::{bf16, f16};
use tyto_iree_runtime_sys as sys;

macro_rules! element_types {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $bits:literal, $raw:ident;)*) => {
        /// The type of a buffer's elements.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ElementType {
            $($(#[$doc])* $name,)*
        }

        impl ElementType {
            /// Every type.
            pub const ALL: &'static [ElementType] = &[$(ElementType::$name),*];

            /// Short name, as in StableHLO where StableHLO has it.
            pub fn name(self) -> &'static str {
                match self { $(ElementType::$name => $text),* }
            }

            /// Bits of one element.
            pub fn bits(self) -> usize {
                match self { $(ElementType::$name => $bits),* }
            }

            pub(crate) fn raw(self) -> sys::iree_hal_element_type_t {
                let raw = match self { $(ElementType::$name => sys::$raw),* };
                raw as sys::iree_hal_element_type_t
            }
        }
    };
}

element_types! {
    /// IEEE binary32.
    F32, "f32", 32, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_FLOAT_32;
    /// IEEE binary64.
    F64, "f64", 64, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_FLOAT_64;
    /// IEEE binary16.
    F16, "f16", 16, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_FLOAT_16;
    /// The upper half of a binary32.
    Bf16, "bf16", 16, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_BFLOAT_16;
    /// Float with 5 exponent bits.
    F8E5M2, "f8E5M2", 8, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2;
    /// Float with 4 exponent bits, finite.
    F8E4M3Fn, "f8E4M3FN", 8, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FN;
    /// Power-of-two scale.
    F8E8M0Fnu, "f8E8M0FNU", 8, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_FLOAT_8_E8M0_FNU;
    /// Signless 8 bits, as StableHLO's i8.
    I8, "i8", 8, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_INT_8;
    /// Unsigned 8 bits.
    U8, "u8", 8, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_UINT_8;
    /// Signless 16 bits.
    I16, "i16", 16, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_INT_16;
    /// Unsigned 16 bits.
    U16, "u16", 16, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_UINT_16;
    /// Signless 32 bits.
    I32, "i32", 32, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_INT_32;
    /// Unsigned 32 bits.
    U32, "u32", 32, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_UINT_32;
    /// Signless 64 bits.
    I64, "i64", 64, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_INT_64;
    /// Unsigned 64 bits.
    U64, "u64", 64, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_UINT_64;
    /// One byte, 0 or 1.
    Bool, "i1", 8, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_BOOL_8;
    /// Two elements in a byte.
    I4, "i4", 4, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_INT_4;
    /// Bytes of a format that the program knows (packed blocks).
    Opaque8, "opaque8", 8, iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_OPAQUE_8;
}

impl ElementType {
    pub(crate) fn from_raw(raw: sys::iree_hal_element_type_t) -> Option<ElementType> {
        // IREE has a signed spelling beside the signless one; to a buffer they are the same.
        let signed = [
            (sys::iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_SINT_8, ElementType::I8),
            (sys::iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_SINT_16, ElementType::I16),
            (sys::iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_SINT_32, ElementType::I32),
            (sys::iree_hal_element_types_t_IREE_HAL_ELEMENT_TYPE_SINT_64, ElementType::I64),
        ];
        let signed = signed.into_iter().find(|(s, _)| *s == raw).map(|(_, t)| t);
        ElementType::ALL.iter().copied().find(|t| t.raw() == raw).or(signed)
    }

    /// Bytes of a dense buffer of this shape; `None` where that is not a whole number of bytes
    /// or overflows.
    pub fn byte_length(self, shape: &[usize]) -> Option<usize> {
        let bits = shape.iter().try_fold(self.bits(), |n, d| n.checked_mul(*d))?;
        bits.is_multiple_of(8).then_some(bits / 8)
    }
}

/// A Rust type that is a buffer's element, bit for bit.
pub trait Element: bytemuck::Pod {
    /// Its element type.
    const TYPE: ElementType;
}

macro_rules! elements {
    ($($rust:ty => $name:ident),*) => {
        $(impl Element for $rust { const TYPE: ElementType = ElementType::$name; })*
    };
}
elements!(
    f32 => F32, f64 => F64, f16 => F16, bf16 => Bf16, i8 => I8, u8 => U8, i16 => I16,
    u16 => U16, i32 => I32, u32 => U32, i64 => I64, u64 => U64
);
