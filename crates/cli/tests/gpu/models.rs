//! Mixtures, latent attention and recurrent models over HTTP: each compiled for this CPU and for gfx1151, served on
//! both, and asked the same, one text at a time and several in one step. (The llama of the other
//! tests is the dense one.)

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::gpt_oss;
use super::server::{Server, Start};
use super::{checkpoint, ok, tyto};

/// Texts of different lengths, in characters that are one token each or fewer.
const PROMPTS: [&str; 2] = ["hello", "a long day, and a longer night"];

/// Tokens of each answer.
const TOKENS: u32 = 4;

#[test]
fn a_mixture_is_served_as_on_the_cpu() {
    check("qwen3_moe", &checkpoint("qwen3_moe"), &["amdgpu", "hip"]);
}

#[test]
fn a_mixture_with_experts_in_mxfp4_is_served_as_on_the_cpu() {
    let folder = tempfile::tempdir().expect("a folder");
    gpt_oss::write(folder.path(), &checkpoint("gpt_oss"));
    check("gpt_oss", folder.path(), &["amdgpu", "hip"]);
}

#[test]
fn a_state_space_model_is_served_as_on_the_cpu() {
    check("mamba2", &checkpoint("mamba2"), &["amdgpu"]);
}

#[test]
fn a_model_of_delta_nets_and_attention_is_served_as_on_the_cpu() {
    check("qwen3_next", &checkpoint("qwen3_next"), &["amdgpu"]);
}

/// Latent attention, whose heads have matrices of their own, and experts in groups.
#[test]
fn latent_attention_is_served_as_on_the_cpu() {
    check("deepseek_v3", &checkpoint("deepseek_v3"), &["amdgpu"]);
}

/// Recurrences and attention beside each other in every layer.
#[test]
fn a_hybrid_is_served_as_on_the_cpu() {
    check("falcon_h1", &checkpoint("falcon_h1"), &["amdgpu"]);
}

/// Selective scans, attention and experts.
#[test]
fn a_model_of_selective_scans_is_served_as_on_the_cpu() {
    check("jamba", &checkpoint("jamba"), &["amdgpu"]);
}

/// Delta nets whose states' rows have decays of their own, and latent attention.
#[test]
fn decays_by_row_are_served_as_on_the_cpu() {
    check("kimi_linear", &checkpoint("kimi_linear"), &["amdgpu"]);
}

/// An RG-LRU, and attention through a window.
#[test]
fn an_rg_lru_is_served_as_on_the_cpu() {
    check("recurrent_gemma", &checkpoint("recurrent_gemma"), &["amdgpu"]);
}

/// States that lose a matrix of rank one.
#[test]
fn states_that_lose_a_matrix_are_served_as_on_the_cpu() {
    check("rwkv7", &checkpoint("rwkv7"), &["amdgpu"]);
}

/// Compiles and serves, on the CPU and through these drivers.
fn check(name: &str, source: &Path, drivers: &[&str]) {
    let artifact = compiled(name, source, drivers);
    let expected = answers(name, &artifact, "cpu");
    for driver in drivers {
        assert_eq!(answers(name, &artifact, driver), expected, "{name} through {driver}");
    }
}

fn compiled(name: &str, source: &Path, drivers: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gpu-{name}.tyto"));
    let mut command = tyto();
    command.arg("compile").arg(source).arg("-o").arg(&path).args(["--force", "--json"]);
    command.args(["--kernels", "require", "--target", "cpu"]);
    for driver in drivers {
        command.arg("--target").arg(format!("gfx1151:{driver}"));
    }
    command.args(["--ctx", "64", "--sequences", "2", "--batches", "1,2", "--chunks", "8,32"]);
    let report: Value = serde_json::from_str(&ok(&mut command)).expect("JSON");
    assert_eq!(report["architecture"], name);
    path
}

/// The answers to each prompt, which must be the same alone and beside the others.
fn answers(name: &str, artifact: &Path, device: &str) -> Vec<String> {
    let options = ["--sequences", "2"];
    let mut server = Server::start(&Start { artifact, device, options: &options, variables: &[] });
    let alone: Vec<String> =
        PROMPTS.iter().flat_map(|prompt| server.greedy(&[prompt], TOKENS)).collect();
    let before = server.figure("tyto_steps_total");
    let together = server.greedy(&PROMPTS, TOKENS);
    let steps = server.figure("tyto_steps_total") - before;
    // The first tokens come of the prompts' steps, all others of steps that all texts share.
    let least = u64::from(TOKENS) - 1;
    assert!(steps < 2 * least, "{name} on {device}: {steps} steps are not shared");
    assert_eq!(together, alone, "{name} on {device}");
    server.terminate();
    assert_eq!(server.end().0, Some(0), "{name} on {device}");
    alone
}
