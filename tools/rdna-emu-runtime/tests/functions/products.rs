//! Matrix products in all types, dense and odd sizes, of one row and of many.

use super::{Bound, Function};

/// Rows, length of the sums, columns.
const SIZES: [[usize; 3]; 5] =
    [[1, 1024, 1024], [7, 512, 1000], [64, 256, 512], [256, 256, 256], [17, 33, 65]];

/// The type of the factors and of the result, and the bound. Factors are exact in f32, so that only the order of sums
/// differs, in f32, or also the accumulator, where it is narrow.
const TYPES: [(&str, &str, Bound); 6] = [
    ("f16", "f32", Bound::OfLargest(2e-6)),
    ("bf16", "f32", Bound::OfLargest(2e-6)),
    ("f32", "f32", Bound::OfLargest(2e-6)),
    ("i8", "i32", Bound::Exact),
    ("f16", "f16", Bound::OfLargest(1e-2)),
    // The sum itself is kept in bf16, which has 8 bits.
    ("bf16", "bf16", Bound::OfLargest(0.1)),
];

pub fn functions() -> Vec<Function> {
    let mut all = Vec::new();
    for [rows, length, columns] in SIZES {
        for (factor, result, bound) in TYPES {
            all.push(product(rows, length, columns, factor, result).within(bound));
        }
    }
    all.push(row_major([128, 256, 512], "f16", "f32").within(Bound::OfLargest(2e-6)));
    all.push(row_major([33, 77, 50], "f16", "f32").within(Bound::OfLargest(2e-6)));
    all.push(row_major([128, 256, 512], "f32", "f32").within(Bound::OfLargest(2e-6)));
    all.push(batched().within(Bound::OfLargest(2e-6)));
    all.push(any_rows().within(Bound::OfLargest(2e-6)));
    all.push(by_vector().within(Bound::OfLargest(2e-6)));
    all
}

/// a [rows, length] times b [columns, length], transposed.
fn product(rows: usize, length: usize, columns: usize, factor: &str, result: &str) -> Function {
    let a = format!("tensor<{rows}x{length}x{factor}>");
    let b = format!("tensor<{columns}x{length}x{factor}>");
    let c = format!("tensor<{rows}x{columns}x{result}>");
    Function::new(&format!(
        "func.func @product_{rows}_{length}_{columns}_{factor}_{result}(%a: {a}, %b: {b}) -> {c} {{
          %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : ({a}, {b}) -> {c}
          return %0 : {c}
        }}"
    ))
}

/// a [rows, length] times b [length, columns].
fn row_major([rows, length, columns]: [usize; 3], factor: &str, result: &str) -> Function {
    let a = format!("tensor<{rows}x{length}x{factor}>");
    let b = format!("tensor<{length}x{columns}x{factor}>");
    let c = format!("tensor<{rows}x{columns}x{result}>");
    Function::new(&format!(
        "func.func @row_major_{rows}_{length}_{columns}_{factor}(%a: {a}, %b: {b}) -> {c} {{
          %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({a}, {b}) -> {c}
          return %0 : {c}
        }}"
    ))
}

fn batched() -> Function {
    Function::new(
        "func.func @batched(%a: tensor<8x64x128xf16>, %b: tensor<8x64x128xf16>) -> tensor<8x64x64xf32> {
          %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x64x128xf16>, tensor<8x64x128xf16>) -> tensor<8x64x64xf32>
          return %0 : tensor<8x64x64xf32>
        }",
    )
}

fn any_rows() -> Function {
    Function::new(
        "func.func @any_rows(%a: tensor<?x256xf16>, %b: tensor<512x256xf16>) -> tensor<?x512xf32> {
          %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<?x256xf16>, tensor<512x256xf16>) -> tensor<?x512xf32>
          return %0 : tensor<?x512xf32>
        }",
    )
}

fn by_vector() -> Function {
    Function::new(
        "func.func @by_vector(%a: tensor<1024x1024xf32>, %x: tensor<1024xf32>) -> tensor<1024xf32> {
          %0 = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
          return %0 : tensor<1024xf32>
        }",
    )
}
