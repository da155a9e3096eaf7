//! One operation on each element.

use super::{Bound, Fill, Function};

const FLOATS: [&str; 3] = ["f16", "bf16", "f32"];
const COUNT: usize = 1000;

pub fn functions() -> Vec<Function> {
    let mut all = Vec::new();
    for element in FLOATS {
        all.extend(UNARY.iter().map(|row| unary(row, element)));
        all.extend(BINARY.iter().map(|row| binary(row, element)));
    }
    for element in ["i8", "i32", "i64", "ui8", "ui32"] {
        all.extend(WHOLE.iter().map(|row| whole(row, element)));
    }
    all.extend([bit_counts(), chosen_and_clamped(), random_bits()]);
    all
}

/// An operation, where its inputs lie, and the most steps that f32 results differ by. Narrow types are computed in f32
/// and rounded, by both, so that they differ by one step at most.
type Row = (&'static str, Fill, i64);

/// Steps that stand for a part of the largest result: near a zero of the function steps say nothing.
const AROUND_ZERO: i64 = -1;

const ANYWHERE: Fill = Fill::Normal(1.0);
const POSITIVE: Fill = Fill::Even(0.01, 9.0);

const UNARY: [Row; 16] = [
    ("exponential", ANYWHERE, 3),
    ("exponential_minus_one", ANYWHERE, 8),
    ("log", POSITIVE, 4),
    ("log_plus_one", POSITIVE, 4),
    ("logistic", ANYWHERE, 4),
    ("tanh", ANYWHERE, 8),
    ("sine", ANYWHERE, AROUND_ZERO),
    ("cosine", ANYWHERE, AROUND_ZERO),
    ("sqrt", POSITIVE, 1),
    ("rsqrt", POSITIVE, 2),
    ("abs", ANYWHERE, 0),
    ("negate", ANYWHERE, 0),
    ("sign", ANYWHERE, 0),
    ("floor", Fill::Normal(20.0), 0),
    ("ceil", Fill::Normal(20.0), 0),
    ("round_nearest_even", Fill::Normal(20.0), 0),
];

const BINARY: [Row; 9] = [
    ("add", ANYWHERE, 0),
    ("subtract", ANYWHERE, 0),
    ("multiply", ANYWHERE, 0),
    ("divide", ANYWHERE, 1),
    ("maximum", ANYWHERE, 0),
    ("minimum", ANYWHERE, 0),
    ("power", POSITIVE, 16),
    ("remainder", ANYWHERE, 0),
    // Both are the same polynomial, but the CPU's division within it is exact.
    ("atan2", ANYWHERE, 48),
];

/// Whole numbers; the second is never 0, and small enough to shift by.
const WHOLE: [(&str, Fill); 9] = [
    ("add", Fill::Whole(1, 99)),
    ("subtract", Fill::Whole(1, 99)),
    ("multiply", Fill::Whole(1, 99)),
    ("divide", Fill::Whole(1, 99)),
    ("remainder", Fill::Whole(1, 99)),
    ("maximum", Fill::Whole(1, 99)),
    ("and", Fill::Whole(1, 99)),
    ("shift_left", Fill::Whole(1, 7)),
    ("shift_right_logical", Fill::Whole(1, 7)),
];

fn bound(operation: &str, element: &str, steps: i64) -> Bound {
    match steps {
        0 => Bound::Exact,
        AROUND_ZERO if element == "f32" => Bound::OfLargest(2.5e-7),
        // Its steps are rounded to bf16 one by one, with another order of operations.
        _ if (operation, element) == ("logistic", "bf16") => Bound::Steps(3),
        // One of them rounds the logarithm to f16 in between.
        _ if (operation, element) == ("power", "f16") => Bound::Steps(8),
        steps if element == "f32" => Bound::Steps(steps),
        _ => Bound::Steps(1),
    }
}

fn unary(&(operation, fill, steps): &Row, element: &str) -> Function {
    let tensor = format!("tensor<{COUNT}x{element}>");
    Function::new(&format!(
        "func.func @{operation}_{element}(%x: {tensor}) -> {tensor} {{
          %0 = stablehlo.{operation} %x : {tensor}
          return %0 : {tensor}
        }}"
    ))
    .fill(0, fill)
    .within(bound(operation, element, steps))
}

fn binary(&(operation, fill, steps): &Row, element: &str) -> Function {
    let second = if operation == "power" { ANYWHERE } else { fill };
    pair(operation, element).fill(0, fill).fill(1, second).within(bound(operation, element, steps))
}

fn whole(&(operation, second): &(&str, Fill), element: &str) -> Function {
    pair(operation, element).fill(1, second)
}

fn pair(operation: &str, element: &str) -> Function {
    let tensor = format!("tensor<{COUNT}x{element}>");
    Function::new(&format!(
        "func.func @{operation}_{element}(%x: {tensor}, %y: {tensor}) -> {tensor} {{
          %0 = stablehlo.{operation} %x, %y : {tensor}
          return %0 : {tensor}
        }}"
    ))
}

fn bit_counts() -> Function {
    Function::new(
        "func.func @bit_counts(%x: tensor<100xi32>) -> (tensor<100xi32>, tensor<100xi32>) {
          %0 = stablehlo.popcnt %x : tensor<100xi32>
          %1 = stablehlo.count_leading_zeros %x : tensor<100xi32>
          return %0, %1 : tensor<100xi32>, tensor<100xi32>
        }",
    )
    .fill(0, Fill::Whole(-1 << 31, (1 << 31) - 1))
}

fn chosen_and_clamped() -> Function {
    Function::new(
        "func.func @chosen_and_clamped(%x: tensor<1000xf32>, %y: tensor<1000xf32>, %p: tensor<1000xi1>) -> (tensor<1000xf32>, tensor<1000xi1>) {
          %low = stablehlo.constant dense<-0.5> : tensor<f32>
          %high = stablehlo.constant dense<0.75> : tensor<f32>
          %0 = stablehlo.select %p, %x, %y : tensor<1000xi1>, tensor<1000xf32>
          %1 = stablehlo.clamp %low, %0, %high : (tensor<f32>, tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
          %2 = stablehlo.compare LT, %x, %y : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xi1>
          return %1, %2 : tensor<1000xf32>, tensor<1000xi1>
        }",
    )
}

fn random_bits() -> Function {
    Function::new(
        "func.func @random_bits(%seed: tensor<2xui64>) -> (tensor<2xui64>, tensor<1000xui32>) {
          %state, %bits = stablehlo.rng_bit_generator %seed, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1000xui32>)
          return %state, %bits : tensor<2xui64>, tensor<1000xui32>
        }",
    )
}
