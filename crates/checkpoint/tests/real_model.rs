//! SmolLM2 from its GGUF against the same model converted by transformers. The files are fetched by
//! the set-up, too large to commit: without `TYTO_SMOLLM2_GGUF` (a file) and `TYTO_SMOLLM2_F32` (a
//! directory) these tests say so and check nothing.

use std::path::PathBuf;

use tyto_checkpoint::{Access, Checkpoint, DType};

fn path(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        println!("skipped: {variable} is not set");
    }
    path
}

#[test]
fn every_tensor_equals_transformers_bit_for_bit() {
    let (Some(gguf), Some(directory)) = (path("TYTO_SMOLLM2_GGUF"), path("TYTO_SMOLLM2_F32"))
    else {
        return;
    };
    let ours = Checkpoint::open(&gguf).expect("a valid GGUF");
    let theirs = Checkpoint::open_with(&directory, Access::Read).expect("a valid directory");
    let mut names: Vec<_> = ours.names().collect();
    let mut expected: Vec<_> = theirs.names().collect();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected);
    for name in names {
        let reference = theirs.tensor(name).expect("listed");
        let tensor = ours.expect_tensor(name, reference.shape).expect("same shape");
        let mut bytes = vec![0; reference.stored_len()];
        tensor.write_as(DType::F32, &mut bytes).expect("floats");
        assert!(bytes == reference.bytes().expect("as stored"), "{name} differs");
    }
}

#[test]
fn the_synthesized_configuration_equals_transformers() {
    let (Some(gguf), Some(directory)) = (path("TYTO_SMOLLM2_GGUF"), path("TYTO_SMOLLM2_F32"))
    else {
        return;
    };
    let ours = Checkpoint::open(&gguf).expect("a valid GGUF");
    let theirs = Checkpoint::open(&directory).expect("a valid directory");
    for key in [
        "architectures",
        "model_type",
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "max_position_embeddings",
        "vocab_size",
        "tie_word_embeddings",
        "attention_bias",
        "mlp_bias",
        "hidden_act",
        "bos_token_id",
        "eos_token_id",
        "pad_token_id",
    ] {
        assert_eq!(ours.config().get(key), theirs.config().get(key), "{key}");
    }
    assert_eq!(ours.config()["rope_parameters"]["rope_theta"], 100_000.0);
    let eps = |c: &Checkpoint| c.config()["rms_norm_eps"].as_f64().expect("a number") as f32;
    assert_eq!(eps(&ours).to_bits(), eps(&theirs).to_bits());
}
