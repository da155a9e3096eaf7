//! The arithmetic against a small model that is emulated as a whole.

use tyto_rdna_emu::Counts;
use tyto_rocm_evidence::emulated::{self, Extent};
use tyto_rocm_evidence::shapes::{self, Shape};
use tyto_rocm_evidence::{kernels, measure, needs, report, step};

const CONTEXT: usize = 32;

fn tiny() -> Shape {
    shapes::all().into_iter().find(|shape| shape.name == "tiny").expect("a small model")
}

fn close(found: f64, expected: f64, within: f64, what: &str) {
    let difference = (found - expected).abs() / expected;
    assert!(difference < within, "{what}: {found}, but emulated as a whole {expected}");
}

#[test]
fn a_token_by_arithmetic_is_a_token_emulated() {
    let shape = tiny();
    let (token, launches) = measure::token(&shape, CONTEXT, 1).expect("it runs");
    let sizes = [shape.run * shape.runs, shape.vocabulary];
    let whole = step::plan(&shape, sizes, [1, CONTEXT]).expect("it is planned");
    let needs = needs::of_token(&whole.graph, CONTEXT);
    let done = emulated::run(&whole, Extent::Whole, 1).expect("it runs");
    let mut counts = Counts::default();
    done.iter().for_each(|done| counts += done.counts);
    assert_eq!(token.launches, done.len() as f64);
    assert_eq!((token.weights, token.cache), (needs.weights + needs.head, needs.cache));
    close(token.unique_read, counts.unique_read_bytes as f64, 1e-3, "bytes read once");
    // The first of several layers keeps the angles of rotation, 128 bytes, for the others; by the
    // arithmetic each further one does.
    close(token.unique_written, counts.unique_written_bytes as f64, 1e-2, "bytes written once");
    close(token.read, counts.read_bytes as f64, 1e-3, "bytes of all loads");
    close(token.instructions, counts.total() as f64, 1e-3, "instructions");
    assert!(token.unique_read >= token.weights + token.cache, "kernels read what they need");
    assert_eq!(launches.len() as f64, token.launches - 3.0 * token.layer_launches);
}

/// As docs/rocm-evidence.md has them.
#[test]
fn no_model_has_more_launches_a_layer_than_its_bar() {
    let of =
        |shape: &Shape| measure::planned_layer_launches(shape, CONTEXT).expect("it is planned");
    let shapes = shapes::all();
    for shape in &shapes {
        assert!(of(shape) <= shape.launches as f64, "{}: {}", shape.name, of(shape));
    }
    let launches = shapes.iter().map(|shape| (shape.name, (100.0 * of(shape)).round() as u32));
    let expected = [
        ("llama-3.1-8b", 600),
        ("qwen3-30b-a3b", 900),
        ("gpt-oss-20b", 1000),
        ("mamba2-2.7b", 500),
        ("qwen3-next-80b-a3b", 1125),
        // A mixer 5, an MLP 2, attention 4.
        ("nemotron-h-8b", 354),
        ("tiny", 600),
    ];
    assert_eq!(launches.collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_needed_is_what_the_sizes_say() {
    let shape = tiny();
    let step = step::plan(&shape, [2, 4096], [1, CONTEXT]).expect("it is planned");
    let needs = needs::of_token(&step.graph, CONTEXT);
    // 4 bits, and 16 of scale and 16 of bias for 64 columns.
    let matrix = |rows: usize, columns: usize| (rows * columns) as f64 * 4.5 / 8.0;
    assert_eq!(needs.head, matrix(4096, 128));
    let layer = matrix(128 + 64 + 64, 128)
        + matrix(128, 128)
        + matrix(2 * 256, 128)
        + matrix(128, 256)
        + (2 * 128 * 4) as f64;
    assert_eq!(needs.weights, 2.0 * layer + matrix(1, 128) + (128 * 4) as f64);
    assert_eq!(needs.cache, (2 * 2 * CONTEXT * 64 * 2) as f64);
    let seen: u64 = (1..=32).sum();
    assert_eq!(needs::attentions(&step.graph, 32), vec![2 * seen * 4 * 32; 2]);
}

#[test]
fn a_part_of_a_launch_stands_for_the_whole() {
    let step = step::plan(&tiny(), [1, 5120], [32, 32]).expect("it is planned");
    let [part, whole] = [Extent::Sampled, Extent::Whole]
        .map(|extent| emulated::run(&step, extent, 1).expect("it runs"));
    assert!(part.iter().any(|done| done.scale > 1.0), "something was left out");
    for (part, whole) in part.iter().zip(&whole) {
        let found = part.counts.total() as f64 * part.scale;
        let expected = whole.counts.total() as f64;
        assert!(
            (found - expected).abs() <= 0.02 * expected,
            "{}: {found}, {expected}",
            part.kernel
        );
    }
}

#[test]
fn both_forms_have_the_same_figures() {
    let shape = tiny();
    let (token, _) = measure::token(&shape, CONTEXT, 1).expect("it runs");
    let prompts = vec![measure::prompt(&shape, 32, 1).expect("it runs")];
    assert!(prompts[0].in_matrix <= prompts[0].multiply_adds && prompts[0].multiply_adds > 0.0);
    let models = [report::Model { shape, token, prompts }];
    let kernels = kernels::all();
    let (text, json) =
        (report::text(&models, &kernels, CONTEXT), report::json(&models, &kernels, CONTEXT));
    assert_eq!(json["models"][0]["launches"], token.launches);
    assert_eq!(json["kernels"].as_array().map(Vec::len), Some(kernels.len()));
    for row in &kernels {
        assert!(row.waves() >= 1 && row.kernel.spills == 0, "{}", row.kernel.name);
        assert!(text.contains(&row.kernel.name));
    }
    assert!(text.contains("PROJECTION, not a measurement"));
}
