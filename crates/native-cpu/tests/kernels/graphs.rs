//! Random graphs of many operations: what the planner stores, computes twice, moves to the
//! sampled rows and lays over what is gone.

use std::collections::HashMap;

use tyto_kernel_cases::graphs;

use crate::random::Random;
use crate::runner::{Arguments, Case, machines, same_bits};

/// A random graph, and how many of its rows of results are wanted.
fn random_case(random: &mut Random) -> (Case, Arguments, usize) {
    let (sketch, arguments, wanted) = graphs::random_case(random);
    (Case::of(sketch), arguments, wanted)
}

#[test]
fn random_graphs() {
    let mut random = Random::new(61);
    for turn in 0..250 {
        let (case, mut arguments, wanted) = random_case(&mut random);
        let (expected, _) = case.interpreted(&arguments, HashMap::new());
        arguments.sampled[wanted..].fill(-1);
        let wanted = wanted * case.width();
        let largest = expected.iter().fold(1f32, |most, value| most.max(value.abs()));
        for machine in machines(turn) {
            let found = case.run_plain(machine, &arguments);
            for (index, (found, expected)) in found.iter().zip(&expected).take(wanted).enumerate() {
                assert!(
                    (found - expected).abs() <= 3e-5 * largest,
                    "graph {turn} {machine:?}: result {index} is {found}, not {expected}\n{}",
                    case.program
                );
            }
            let rest = &found[wanted..];
            assert!(
                rest.iter().all(|value| value.is_nan()),
                "graph {turn}: a row nobody asked for"
            );
        }
    }
}

#[test]
fn bits_do_not_depend_on_workers() {
    let mut random = Random::new(62);
    for turn in 0..20 {
        let (case, arguments, _) = random_case(&mut random);
        for (variant, _) in machines(turn) {
            crate::linear::check_workers(&case, &arguments, variant, &format!("graph {turn}"));
        }
    }
}

/// Scratch may hold anything: the results of a program are the same bits.
#[test]
fn what_scratch_held_does_not_show() {
    let mut random = Random::new(63);
    for turn in 0..20 {
        let (case, arguments, wanted) = random_case(&mut random);
        for machine in machines(turn) {
            let poisoned = case.run_plain(machine, &arguments);
            let clean = case.run_in(machine, &arguments, 0);
            let wanted = wanted * case.width();
            assert!(same_bits(&poisoned[..wanted], &clean[..wanted]), "graph {turn} {machine:?}");
        }
    }
}
