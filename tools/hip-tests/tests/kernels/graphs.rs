//! The CPU's random graphs, mixtures of experts and row operations.

use std::collections::HashMap;

use tyto_graph::{DType, Layout};
use tyto_kernel_cases::experts::{Form, Sizes, heads_in, layer, random_form, random_sizes};
use tyto_kernel_cases::graphs::random_case;
use tyto_kernel_cases::rows::{self, RowCase};

use crate::random::Random;
use crate::runner::{Arguments, Case, options};

/// The first `wanted` rows are the interpreter's, to a part of the largest number there is.
fn check(case: &Case, arguments: &Arguments, wanted: usize, turn: usize) {
    let (expected, _) = case.interpreted(arguments, HashMap::new());
    let mut arguments = arguments.clone();
    arguments.sampled[wanted..].fill(-1);
    let largest = expected.iter().fold(1f32, |most, value| most.max(value.abs()));
    let found = case.run_plain(&options(turn), &arguments);
    let wanted = wanted * case.width();
    for (index, (found, expected)) in found.iter().zip(&expected).take(wanted).enumerate() {
        assert!(
            (found - expected).abs() <= 3e-5 * largest,
            "case {turn}: result {index} is {found}, not {expected}\n{}",
            case.program
        );
    }
}

#[test]
fn random_graphs() {
    let mut random = Random::new(61);
    for turn in 0..40 {
        let (sketch, arguments, wanted) = random_case(&mut random);
        check(&Case::of(sketch), &arguments, wanted, turn);
    }
}

#[test]
fn random_mixtures() {
    let mut random = Random::new(71);
    for turn in 0..30 {
        let (sizes, form) = (random_sizes(&mut random), random_form(&mut random));
        let (sketch, arguments) = layer(&mut random, sizes, form);
        let wanted = arguments.sampled.len();
        check(&Case::of(sketch), &arguments, wanted, turn);
    }
}

/// Biases by expert are added, and gates applied, before a product of routed rows is stored.
#[test]
fn biases_of_experts_take_no_launch() {
    let mut random = Random::new(72);
    for (turn, cells) in [1, 3, 1, 9].into_iter().enumerate() {
        let sizes = Sizes { cells, decodes: true, experts: 5, used: 2, width: 32, hidden: 24 };
        let form = Form { bias: true, joined: true, apart: turn % 2 == 0, ..Form::default() };
        let (sketch, arguments) = layer(&mut random, sizes, form);
        let case = Case::of(sketch);
        let program = case.program.to_string();
        let products = program.lines().filter(|line| line.contains("] experts "));
        let products: Vec<&str> = products.collect();
        let joined = |line: &&str| line.contains(" then [") && line.contains("expert binary");
        assert!(products.len() == 2 && products.iter().all(joined), "{program}");
        assert_eq!(program.matches("routed [").count(), 2, "{program}");
        check(&case, &arguments, cells, turn);
    }
}

/// A matrix for each head: one launch for all, of one row, of few and of many.
#[test]
fn products_of_heads() {
    let mut random = Random::new(79);
    let mut turn = 0;
    for (k, dtype) in [(1, DType::F32), (8, DType::F16), (8, DType::BF16)] {
        for cells in [1, 2, 7, 8, 20, 41] {
            let stored = (Layout::Tiled { n: 16, k }, dtype);
            let (sketch, arguments) = heads_in(stored, &mut random, cells, turn % 2 == 0);
            let case = Case::of(sketch);
            let name = match (dtype, turn % 2, cells) {
                (DType::F32, ..) | (_, 0, _) | (.., 0..=8) => "ty_matvec",
                _ => "ty_gemm",
            };
            let products = case.program.launches.iter().filter(|at| at.kernel.starts_with(name));
            assert_eq!(products.count(), 1, "{dtype}, {cells} rows:\n{}", case.program);
            check(&case, &arguments, cells, turn);
            turn += 1;
        }
    }
}

/// One of `part` cases of a kind.
fn check_rows(cases: Vec<RowCase>, part: usize) {
    let mut seen = 0;
    for (index, RowCase { sketch, arguments, tolerance, what, .. }) in cases.into_iter().enumerate()
    {
        if !(index + index / part).is_multiple_of(part) {
            continue;
        }
        seen += 1;
        let case = Case::of(sketch);
        let (expected, _) = case.interpreted(&arguments, HashMap::new());
        let found = case.run_plain(&options(2 * index), &arguments);
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let (row, column) = (index / case.width(), index % case.width());
            assert!(
                tolerance.holds(*found, *expected),
                "{what}: row {row} column {column} is {found}, not {expected}"
            );
        }
    }
    assert!(seen > 0);
}

#[test]
fn functions_of_one_operand() {
    check_rows(rows::functions_of_one_operand(), 1);
}

#[test]
fn functions_of_two_operands() {
    check_rows(rows::functions_of_two_operands(), 5);
}

#[test]
fn norms_of_rows_and_of_heads() {
    check_rows(rows::norms_of_rows_and_of_heads(), 1);
}

#[test]
fn rotary_embeddings_near_and_far() {
    check_rows(rows::rotary_embeddings_near_and_far(), 1);
}
