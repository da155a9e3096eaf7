//! Compiled code gives what the graph's interpreter gives, op by op, with exactly the options
//! that the product compiles with: those of decoding and those of prefill.

mod attention;
mod case;
mod composites;
mod device;
mod known_faults;
mod primitives;

use case::Case;
use device::Device;
use tyto_artifact::EntryKind;

/// All cases under the options of both kinds of step.
fn check_all(cases: &[Case]) {
    let expected: Vec<_> = cases.iter().map(Case::expected).collect();
    let mut failures = Vec::new();
    for kind in [EntryKind::Decode, EntryKind::Prefill] {
        let device = Device::new(cases, kind);
        for (case, expected) in cases.iter().zip(&expected) {
            let distance = device.distance(case, expected);
            println!("{kind:?}: {}: {distance:.1e}", case.graph.name);
            if !case.accepts(distance) {
                failures.push(format!("{kind:?}: {}: {distance:.1e}", case.graph.name));
            }
        }
    }
    assert!(failures.is_empty(), "differ from the interpreter: {failures:#?}");
}

#[test]
fn primitives_match() {
    check_all(&primitives::cases());
}

#[test]
fn composites_match() {
    check_all(&composites::cases());
}

#[test]
fn attention_matches() {
    let cases: Vec<Case> = attention::shapes().iter().map(attention::case).collect();
    check_all(&cases);
}

/// A wrong result must be seen as one: the same op with other inputs is far off.
#[test]
fn the_comparison_sees_a_difference() {
    let cases = [attention::case(&attention::SMOLLM2)];
    let mut expected = cases[0].expected();
    let device = Device::new(&cases, EntryKind::Decode);
    assert!(cases[0].accepts(device.distance(&cases[0], &expected)));
    let mut values = expected[0].as_floats().expect("floats").to_vec();
    values.rotate_left(1);
    let (dtype, shape) = (expected[0].dtype(), expected[0].shape().to_vec());
    expected[0] = tyto_graph::interpreter::Tensor::floats(dtype, shape, values).expect("fits");
    assert!(!cases[0].accepts(device.distance(&cases[0], &expected)));
}
