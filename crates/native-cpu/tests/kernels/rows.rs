//! Row operations one by one: odd widths, few and many rows, special values.

use std::collections::HashMap;

use tyto_kernel_cases::rows::{self, RowCase};

use crate::runner::{Case, machines};

fn check(cases: Vec<RowCase>) {
    for RowCase { sketch, arguments, tolerance, turn, what } in cases {
        let case = Case::of(sketch);
        let (expected, _) = case.interpreted(&arguments, HashMap::new());
        for machine in machines(turn) {
            let found = case.run_plain(machine, &arguments);
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let (row, column) = (index / case.width(), index % case.width());
                assert!(
                    tolerance.holds(*found, *expected),
                    "{what}, {machine:?}: row {row} column {column} is {found}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn functions_of_one_operand() {
    check(rows::functions_of_one_operand());
}

#[test]
fn functions_of_two_operands() {
    check(rows::functions_of_two_operands());
}

#[test]
fn norms_of_rows_and_of_heads() {
    check(rows::norms_of_rows_and_of_heads());
}

#[test]
fn rotary_embeddings_near_and_far() {
    check(rows::rotary_embeddings_near_and_far());
}
