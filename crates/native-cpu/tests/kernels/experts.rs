//! Mixtures of experts: random layers against the interpreter, routes of every kind, and rows that
//! are to the bit what a product with their expert's matrix alone gives.

use std::collections::HashMap;

use tyto_kernel_cases::experts::{
    Form, Routed, Sizes, heads, layer, random_form, random_sizes, routes,
};
use tyto_kernel_cases::sketch::Sketch;
use tyto_native_cpu::linked::Aligned;
use tyto_native_team::Team;
use tyto_phase_program::Program;

use crate::activations::activations;
use crate::linear::{check_workers, columns_of, product};
use crate::matrix::{Matrix, layouts, takes_floats};
use crate::random::Random;
use crate::runner::{Arguments, Case, GARBAGE, machines, same_bits};

fn planned((sketch, arguments): (Sketch, Arguments)) -> (Case, Arguments) {
    (Case::of(sketch), arguments)
}

#[test]
fn random_mixtures() {
    let mut random = Random::new(71);
    for turn in 0..120 {
        let (sizes, form) = (random_sizes(&mut random), random_form(&mut random));
        let (case, arguments) = planned(layer(&mut random, sizes, form));
        let (expected, _) = case.interpreted(&arguments, HashMap::new());
        let largest = expected.iter().fold(1f32, |most, value| most.max(value.abs()));
        for machine in machines(turn) {
            let found = case.run_plain(machine, &arguments);
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert!(
                    (found - expected).abs() <= 3e-5 * largest,
                    "mixture {turn} {machine:?} {sizes:?} {form:?}: result {index} is {found}, \
                     not {expected}\n{}",
                    case.program
                );
            }
        }
    }
}

/// A matrix for each head, and heads joined and cut.
#[test]
fn heads_have_matrices_of_their_own() {
    let mut random = Random::new(76);
    for turn in 0..40 {
        let cells = random.pick(&[1, 2, 8, 9, 20]);
        let (case, arguments) = planned(heads(&mut random, cells, turn % 2 == 0));
        let (expected, _) = case.interpreted(&arguments, HashMap::new());
        for machine in machines(turn) {
            let found = case.run_plain(machine, &arguments);
            assert_eq!(found.len(), expected.len());
            let pairs = found.iter().zip(&expected);
            let most = pairs.fold(0f32, |most, (a, b)| most.max((a - b).abs()));
            assert!(most <= 1e-4, "heads {turn} of {cells} {machine:?}: {most}\n{}", case.program);
        }
    }
}

#[test]
fn bits_do_not_depend_on_workers_or_on_what_scratch_held() {
    let mut random = Random::new(72);
    for turn in 0..16 {
        let (sizes, form) = (random_sizes(&mut random), random_form(&mut random));
        let (case, arguments) = planned(layer(&mut random, sizes, form));
        for machine in machines(turn) {
            check_workers(&case, &arguments, machine.0, &format!("mixture {turn}"));
            let poisoned = case.run_plain(machine, &arguments);
            let clean = case.run_in(machine, &arguments, 0);
            assert!(same_bits(&poisoned, &clean), "mixture {turn} {machine:?}");
        }
    }
}

/// Fewer tokens than the program was planned for: the same rows as planned for those alone.
#[test]
fn padding_changes_nothing() {
    let mut random = Random::new(73);
    for (cells, real) in [(4, 1), (8, 3), (20, 9), (67, 12)] {
        let sizes = Sizes { cells, decodes: false, experts: 6, used: 2, width: 20, hidden: 24 };
        let (case, whole) = planned(layer(&mut random, sizes, Form::default()));
        let mut part = whole.clone();
        part.positions[real..].fill(-1);
        part.sampled =
            (0..cells as i32).map(|row| if row < real as i32 { row } else { -1 }).collect();
        let mut all = whole.clone();
        all.sampled = (0..cells as i32).collect();
        let (expected, _) = case.interpreted(&all, HashMap::new());
        let wanted = real * case.width();
        for machine in machines(cells) {
            let found = case.run_plain(machine, &part);
            let pairs = found.iter().zip(&expected).take(wanted);
            let most = pairs.fold(0f32, |most, (a, b)| most.max((a - b).abs()));
            assert!(most <= 3e-5 * 4.0, "{real} of {cells} {machine:?}: {most}");
        }
    }
}

/// The same bits, but that the sum which hands a row out makes 0 of -0.
fn same_numbers(one: &[f32], other: &[f32]) -> bool {
    let positive = |values: &[f32]| values.iter().map(|value| value + 0.0).collect::<Vec<f32>>();
    same_bits(&positive(one), &positive(other))
}

#[test]
fn every_row_is_what_its_matrix_alone_gives() {
    let mut random = Random::new(74);
    let (experts, used) = (5, 2);
    for (turn, (layout, dtype)) in layouts().into_iter().enumerate() {
        let columns = columns_of(layout, &mut random);
        let n = [17, 40, 16, 66][turn % 4];
        let matrices: Vec<Matrix> = (0..experts)
            .map(|_| Matrix::random((layout, dtype), n, columns, &mut random))
            .collect();
        // Floats are added up in another order beyond eight rows.
        let blocks = !takes_floats(layout);
        let cells = [1, 4, 8, if blocks { 13 } else { 7 }, if blocks { 60 } else { 6 }];
        let cells = cells[turn % cells.len()];
        let x = activations(cells, columns, &mut random);
        for (index, routed) in routes(cells, experts, used, &mut random).iter().enumerate() {
            let choice = (turn + index) % used;
            let (case, arguments) = planned(routed.case(&x, &matrices, turn % 2 == 0, choice));
            for machine in machines(turn) {
                let found = case.run_plain(machine, &arguments);
                for (token, expert) in routed.chosen(choice).into_iter().enumerate() {
                    let x = &x[token * columns..][..columns];
                    let (case, arguments) = product(x, 1, &matrices[expert], true);
                    let alone = case.run_plain(machine, &arguments);
                    assert!(
                        same_numbers(&alone, &found[token * n..][..n]),
                        "{layout} {machine:?} route {index} of {cells}: token {token}, expert {expert}"
                    );
                }
            }
        }
    }
}

/// A NaN among the scores counts as the largest, and shows in the weights alone.
#[test]
fn not_numbers_among_scores_choose_and_show() {
    let mut random = Random::new(75);
    let (layout, dtype) = layouts()[0];
    let matrices: Vec<Matrix> =
        (0..20).map(|_| Matrix::random((layout, dtype), 16, 8, &mut random)).collect();
    let x = activations(3, 8, &mut random);
    let mut scores = random.normals(3 * 20);
    (scores[7], scores[20 + 19], scores[20 + 3]) = (f32::NAN, f32::INFINITY, -f32::NAN);
    scores[40..].fill(f32::NEG_INFINITY);
    let routed = Routed { experts: 20, used: 2, scores };
    for (choice, expected) in [(0, [Some(7), Some(3), Some(0)]), (1, [None, Some(19), Some(1)])] {
        let (case, arguments) = planned(routed.case(&x, &matrices, true, choice));
        let (interpreted, _) = case.interpreted(&arguments, HashMap::new());
        for machine in machines(choice) {
            let found = case.run_plain(machine, &arguments);
            let pairs = found.iter().zip(&interpreted);
            assert!(
                pairs.clone().all(|(a, b)| (a - b).abs() <= 1e-5),
                "{machine:?} as interpreted"
            );
            for (token, expert) in expected.into_iter().enumerate() {
                let Some(expert) = expert else { continue };
                let (case, arguments) = product(&x[token * 8..][..8], 1, &matrices[expert], true);
                let alone = case.run_plain(machine, &arguments);
                assert!(
                    same_numbers(&alone, &found[token * 16..][..16]),
                    "token {token} {machine:?}"
                );
            }
        }
    }
}

/// Six routed rows of five experts: all matrices are read, each once.
#[test]
fn a_profile_says_what_experts_read_and_computed() {
    let sizes = Sizes { cells: 3, decodes: true, experts: 5, used: 2, width: 20, hidden: 24 };
    let (case, arguments) = planned(layer(&mut Random::new(75), sizes, Form::default()));
    let Program { shared_bytes, private_bytes, .. } = case.program;
    for (variant, workers) in machines(0) {
        let mut team = Team::new(workers, shared_bytes, private_bytes).expect("memory and threads");
        let profile = team.profile(100);
        case.run_by(&mut team, variant, &arguments, &mut Aligned::zeros(64), GARBAGE);
        let phases = profile.last().into_iter().filter(|phase| phase.kind >= 4);
        let found: Vec<_> =
            phases.map(|p| (p.kind, p.n, p.k, p.rows, p.bytes, p.operations)).collect();
        let [into, back] = [(20, 24), (24, 20)].map(|(n, k)| {
            let matrix = u64::from(n).next_multiple_of(16) * u64::from(k) * 4;
            (5, n, k, 6, 5 * matrix, 2 * 6 * u64::from(n * k))
        });
        assert_eq!(found, [(4, 0, 0, 3, 0, 0), into, into, back], "{variant:?}");
    }
}
