//! What models.mlir's functions are given, and how exact they must be.

use super::{Bound, Fill, Function};

pub fn functions() -> Vec<Function> {
    let text = include_str!("models.mlir");
    let starts = text.match_indices("func.func @").map(|found| found.0);
    starts
        .map(|start| whole_function(&text[start..]))
        .map(|text| expect(Function::new(text)))
        .collect()
}

/// A function ends with the first brace that begins a line.
fn whole_function(text: &str) -> &str {
    let end = text.find("\n}").expect("a function ends with a brace at a line's beginning");
    &text[..end + 2]
}

fn expect(function: Function) -> Function {
    let rows = Fill::Whole(0, 3199);
    match function.name.as_str() {
        // Rounded to f16 from f32 results that differ a little.
        "softmax" | "root_mean_square_norm" | "silu_times" => function.within(Bound::Steps(1)),
        "layer_norm" | "convolution" | "eight_bit_product" | "four_bit_product" | "gelu" => {
            function.within(Bound::OfLargest(2e-6))
        }
        // A frequency that is one step larger turns the query by 1e-5 at this position.
        "rotated_attention" => function.fill(3, Fill::Whole(77, 77)).within(Bound::OfLargest(2e-5)),
        "causal_convolution" => function.within(Bound::OfLargest(1e-3)),
        "gather_rows" => function.fill(1, rows),
        "gather_eight_bit_rows" => function.fill(2, rows),
        "scatter_rows" => {
            function.fill(1, Fill::Values(&[1.0, 2.0, 3.0, 4.0, 60.0, 15.0, 0.0, 0.0]))
        }
        "scatter_sums" => {
            function.fill(1, Fill::Values(&[31.0, 2.0, 3.0, 5.0, 7.0, 11.0, 0.0, 8.0]))
        }
        "power_of_two_scales" => function.fill(1, Fill::Whole(100, 150)),
        "largest_index" | "top_k" | "sort" => function,
        other => panic!("models.mlir has `{other}`, but models.rs says nothing about it"),
    }
}
