//! The spelling of types and attributes.

use tyto_graph::{DType, Dim, TensorType};

/// `tensor<2x3xf32>`; a named dimension is `?`.
pub(crate) fn tensor(ty: &TensorType) -> String {
    let mut text = String::from("tensor<");
    for dim in ty.shape.dims() {
        match dim {
            Dim::Fixed(size) => text.push_str(&format!("{size}x")),
            Dim::Named { .. } => text.push_str("?x"),
        }
    }
    text.push_str(element(ty.dtype));
    text.push('>');
    text
}

/// `tensor<2x3xf32>` from sizes.
pub(crate) fn sized(sizes: &[usize], dtype: DType) -> String {
    tensor(&TensorType::new(dtype, sizes))
}

/// The element type, signless as IREE's parameters need it (`ui8` globals do not legalize).
pub(crate) fn element(dtype: DType) -> &'static str {
    match dtype {
        DType::U8 => "i8",
        other => other.name(),
    }
}

/// `array<i64: 1, 2>`.
pub(crate) fn array(values: &[usize]) -> String {
    if values.is_empty() { "array<i64>".into() } else { format!("array<i64: {}>", list(values)) }
}

/// `1, 2`.
pub(crate) fn list(values: &[usize]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// `"name"` with MLIR's escapes.
pub(crate) fn quoted(name: &str) -> String {
    let mut text = String::from('"');
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => text.push_str(&format!("\\{byte:02X}")),
            0x20..=0x7e => text.push(byte.into()),
            _ => text.push_str(&format!("\\{byte:02X}")),
        }
    }
    text.push('"');
    text
}

/// A splat of `value`: floats by their bits, so that nothing is lost in print.
pub(crate) fn splat(value: f64, ty: &TensorType) -> String {
    let number = match ty.dtype {
        DType::F32 => format!("0x{:08X}", (value as f32).to_bits()),
        DType::Bool => (value != 0.0).to_string(),
        DType::I64 | DType::I32 | DType::I8 => format!("{}", value as i64),
        DType::U8 => format!("{}", value as u8 as i8),
        DType::F16 => format!("0x{:04X}", half::f16::from_f64(value).to_bits()),
        DType::BF16 => format!("0x{:04X}", half::bf16::from_f64(value).to_bits()),
        // Graphs hold only small exact values in these types.
        DType::F8E4M3 | DType::F8E5M2 => format!("{value:?}"),
    };
    format!("dense<{number}> : {}", tensor(ty))
}

/// A vector of f32, by its bits.
pub(crate) fn vector(values: &[f32]) -> String {
    let ty = TensorType::new(DType::F32, [values.len()]);
    if let [value] = values {
        return splat(f64::from(*value), &ty);
    }
    let hex: String = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .map(|byte| format!("{byte:02X}"))
        .collect();
    format!("dense<\"0x{hex}\"> : {}", tensor(&ty))
}
