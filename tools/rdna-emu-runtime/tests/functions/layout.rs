//! Moving elements, and sums along an axis.

use super::{Bound, Function};

pub fn functions() -> Vec<Function> {
    let mut all = Vec::new();
    for element in ["f16", "f32", "i8", "i32", "i1"] {
        all.extend([transpose(element), concatenate(element), slice(element)]);
    }
    for row in REDUCTIONS {
        all.push(reduction(row));
    }
    all.extend(OTHERS.into_iter().map(Function::new));
    let rest = [row_sums_of_any_size(), running_sum()];
    all.extend(rest.map(|function| function.within(Bound::OfLargest(1e-6))));
    // The CPU adds one number after the other, and rounds as often.
    all.push(whole_sum().within(Bound::OfLargest(3e-5)));
    all
}

fn transpose(element: &str) -> Function {
    Function::new(&format!(
        "func.func @transpose_{element}(%x: tensor<65x129x{element}>) -> tensor<129x65x{element}> {{
          %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<65x129x{element}>) -> tensor<129x65x{element}>
          return %0 : tensor<129x65x{element}>
        }}"
    ))
}

fn concatenate(element: &str) -> Function {
    let types = [5, 7, 12].map(|rows| format!("tensor<{rows}x129x{element}>"));
    let [x, y, out] = &types;
    Function::new(&format!(
        "func.func @concatenate_{element}(%x: {x}, %y: {y}) -> {out} {{
          %0 = stablehlo.concatenate %x, %y, dim = 0 : ({x}, {y}) -> {out}
          return %0 : {out}
        }}"
    ))
}

fn slice(element: &str) -> Function {
    Function::new(&format!(
        "func.func @slice_{element}(%x: tensor<33x100x{element}>) -> tensor<11x25x{element}> {{
          %0 = stablehlo.slice %x [0:33:3, 2:100:4] : (tensor<33x100x{element}>) -> tensor<11x25x{element}>
          return %0 : tensor<11x25x{element}>
        }}"
    ))
}

/// An operation, the type, where it begins, and the bound.
type Reduction = (&'static str, &'static str, &'static str, Bound);

const REDUCTIONS: [Reduction; 9] = [
    ("add", "f32", "0.0", Bound::OfLargest(1e-6)),
    ("multiply", "f32", "1.0", Bound::OfLargest(1e-5)),
    ("minimum", "f32", "0.0", Bound::Exact),
    ("maximum", "f16", "0.0", Bound::Exact),
    ("maximum", "bf16", "0.0", Bound::Exact),
    ("add", "i32", "0", Bound::Exact),
    ("or", "i32", "0", Bound::Exact),
    ("and", "i1", "true", Bound::Exact),
    ("maximum", "i64", "0", Bound::Exact),
];

fn reduction((operation, element, zero, bound): Reduction) -> Function {
    let function = Function::new(&format!(
        "func.func @reduce_{operation}_{element}(%x: tensor<33x777x{element}>) -> tensor<33x{element}> {{
          %z = stablehlo.constant dense<{zero}> : tensor<{element}>
          %0 = stablehlo.reduce(%x init: %z) applies stablehlo.{operation} across dimensions = [1] : (tensor<33x777x{element}>, tensor<{element}>) -> tensor<33x{element}>
          return %0 : tensor<33x{element}>
        }}"
    ));
    // Products of many numbers stay finite when each is near 1.
    let near_one = super::Fill::Even(0.9, 1.1);
    let function = if operation == "multiply" { function.fill(0, near_one) } else { function };
    function.within(bound)
}

fn row_sums_of_any_size() -> Function {
    Function::new(
        "func.func @row_sums_of_any_size(%x: tensor<?x?xf32>) -> tensor<?xf32> {
          %0 = stablehlo.exponential %x : tensor<?x?xf32>
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
          return %1 : tensor<?xf32>
        }",
    )
}

fn whole_sum() -> Function {
    Function::new(
        "func.func @whole_sum(%x: tensor<100000xf32>) -> tensor<f32> {
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<100000xf32>, tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }",
    )
    .fill(0, super::Fill::Even(0.0, 1.0))
}

fn running_sum() -> Function {
    Function::new(
        r#"func.func @running_sum(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %0 = "stablehlo.reduce_window"(%x, %z) ({
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %c = stablehlo.add %a, %b : tensor<f32>
              stablehlo.return %c : tensor<f32>
          }) {window_dimensions = array<i64: 1, 128>, padding = dense<[[0, 0], [127, 0]]> : tensor<2x2xi64>} : (tensor<64x128xf32>, tensor<f32>) -> tensor<64x128xf32>
          return %0 : tensor<64x128xf32>
        }"#,
    )
}

const OTHERS: [&str; 3] = [
    "func.func @pad(%x: tensor<33x65xf16>) -> tensor<37x131xf16> {
          %z = stablehlo.constant dense<0.0> : tensor<f16>
          %0 = stablehlo.pad %x, %z, low = [1, 2], high = [3, 0], interior = [0, 1] : (tensor<33x65xf16>, tensor<f16>) -> tensor<37x131xf16>
          return %0 : tensor<37x131xf16>
        }",
    "func.func @update_slice(%x: tensor<128x64xf16>, %u: tensor<1x64xf16>, %i: tensor<i32>) -> tensor<128x64xf16> {
          %c0 = stablehlo.constant dense<0> : tensor<i32>
          %0 = stablehlo.dynamic_update_slice %x, %u, %i, %c0 : (tensor<128x64xf16>, tensor<1x64xf16>, tensor<i32>, tensor<i32>) -> tensor<128x64xf16>
          return %0 : tensor<128x64xf16>
        }",
    "func.func @slice_at(%x: tensor<128x64xf32>, %i: tensor<i32>) -> tensor<7x64xf32> {
          %c0 = stablehlo.constant dense<0> : tensor<i32>
          %0 = stablehlo.dynamic_slice %x, %i, %c0, sizes = [7, 64] : (tensor<128x64xf32>, tensor<i32>, tensor<i32>) -> tensor<7x64xf32>
          return %0 : tensor<7x64xf32>
        }",
];
