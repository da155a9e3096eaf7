//! Directories in published quantized forms, against transformers computing with what they mean.

mod common;

use common::{CONTEXT, F32, Pair, Reference, distance};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::TraceOptions;
use tyto_frontend::testing::{Interpreted, Pool};

const BLOCKS: TraceOptions = TraceOptions { keep_blocks: true, fuse_siblings: true, ..F32 };

/// The bound on logits, relative to the largest of a row.
const TOLERANCE: f32 = 1e-4;

fn logits(pair: &Pair, options: TraceOptions) -> Vec<Vec<f32>> {
    let opened = pair.model();
    let mut runner = Interpreted::new(&opened.model, &opened.checkpoint, options);
    runner.prefill(&mut Pool::new(&options, CONTEXT, 5), &pair.reference().prompt, 16)
}

#[test]
fn every_form_gives_the_logits_of_what_it_means() {
    let pairs = Pair::of("index.published.json");
    assert_eq!(pairs.len(), 10);
    for pair in pairs {
        let expected = pair.reference().logits;
        let kept = logits(&pair, BLOCKS);
        for (found, how) in [(logits(&pair, F32), "converted"), (kept, "kept")] {
            let distance = distance(&found, &expected);
            println!("{}, {how}: {distance:.1e}", pair.name());
            assert!(distance <= TOLERANCE, "{}, {how}: {distance}", pair.name());
        }
    }
}

/// GGUF files in which every matrix stands in another block format.
#[test]
fn every_block_format_of_gguf_gives_the_logits_of_its_values() {
    for case in ["llama_gguf_k", "llama_gguf_small"] {
        let directory = common::fixtures().join(case);
        let checkpoint = Checkpoint::open(&directory.join("model.gguf")).expect("a checkpoint");
        let model = tyto_frontend::open(&checkpoint).expect("a model");
        let reference = Reference::open(&directory.join("reference.safetensors"));
        for options in [F32, BLOCKS] {
            let mut runner = Interpreted::new(&model, &checkpoint, options);
            let pool = &mut Pool::new(&options, CONTEXT, 5);
            let found = runner.prefill(pool, &reference.prompt, 16);
            let distance = distance(&found, &reference.logits);
            println!("{case}, blocks {}: {distance:.1e}", options.keep_blocks);
            assert!(distance <= TOLERANCE, "{case}: {distance}");
        }
    }
}
