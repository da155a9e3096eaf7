//! Every pair of number types.
//!
//! What a float beyond a whole type's range becomes is not defined, so inputs stay inside of both.

use super::{Fill, Function};

const FLOATS: [&str; 3] = ["f16", "bf16", "f32"];
const WHOLE: [&str; 5] = ["i8", "i32", "i64", "ui8", "ui32"];

pub fn functions() -> Vec<Function> {
    let mut all = Vec::new();
    for from in FLOATS {
        for to in FLOATS.iter().filter(|to| **to != from) {
            all.push(convert(from, to).fill(0, Fill::Normal(20.0)));
        }
        for to in WHOLE {
            let lowest = if to.starts_with('u') { 0.0 } else { -127.0 };
            all.push(convert(from, to).fill(0, Fill::Even(lowest, 127.0)));
        }
    }
    for from in WHOLE {
        for to in ["f16", "f32"] {
            all.push(convert(from, to));
        }
        // On the CPU this needs a function of a compiler's library that older ones lack (`__truncsfbf2`).
        all.push(convert(from, "bf16").defined(|whole| whole));
        for to in WHOLE.iter().filter(|to| **to != from) {
            all.push(convert(from, to));
        }
    }
    all
}

fn convert(from: &str, to: &str) -> Function {
    let (input, output) = (format!("tensor<1000x{from}>"), format!("tensor<1000x{to}>"));
    Function::new(&format!(
        "func.func @convert_{from}_{to}(%x: {input}) -> {output} {{
          %0 = stablehlo.convert %x : ({input}) -> {output}
          return %0 : {output}
        }}"
    ))
}
