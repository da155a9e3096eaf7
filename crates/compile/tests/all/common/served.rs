//! Fixtures behind a whole engine: answers to prompts much longer than one step.

use std::sync::Arc;

use tyto_artifact::Artifact;
use tyto_compile::{CompileOptions, Kernels, compile};
use tyto_engine::iree::LoadOptions;
use tyto_engine::{Engine, EngineConfig, Event, GenerateRequest, SamplingParams, TokenInfo};
use tyto_text::TextModel;

use super::{fixtures, model_directory, step};

/// Positions compiled for.
pub const CONTEXT: usize = 256;

/// Tokens of a prompt in one step.
const CHUNK: usize = 96;

/// A fixture compiled for long texts, with what else the caller asks for.
pub fn compiled(
    case: &str,
    ask: impl FnOnce(&mut CompileOptions),
) -> (tempfile::TempDir, Artifact) {
    let source = model_directory(case, "config.json");
    // Fixtures of published weights have no tokenizer of their own, and as many ids as this one.
    for name in ["tokenizer.json", "tokenizer_config.json"] {
        if !source.path().join(name).exists() {
            let of_llama = fixtures().join("llama").join(name);
            std::fs::copy(of_llama, source.path().join(name)).expect("a copy");
        }
    }
    let mut options = CompileOptions::new(source.path(), source.path().join("out.tyto"));
    options.context = Some(CONTEXT);
    options.kernels = Kernels::Require;
    options.sizes = Some((vec![4], vec![CHUNK]));
    ask(&mut options);
    let report = compile(&options, &mut |_| {}).expect("compiles");
    let artifact = Artifact::open(&report.artifact).expect("opens");
    (source, artifact)
}

/// An engine on it, with or without a memory of prompts, which guesses where that pays.
pub fn engine(artifact: &Artifact, prefix_cache: bool) -> Engine {
    engine_of(artifact, EngineConfig { prefix_cache, ..EngineConfig::new("test") })
}

/// An engine on it.
pub fn engine_of(artifact: &Artifact, config: EngineConfig) -> Engine {
    let text = TextModel::load(&artifact.tokenizer_directory()).expect("a tokenizer");
    let artifact = artifact.clone();
    let load = move || {
        let options = LoadOptions { threads: Some(2), ..LoadOptions::default() };
        Ok(step::load(&artifact, &options).expect("code for this machine runs on it"))
    };
    Engine::start(config, Arc::new(text), load).expect("starts")
}

/// Tokens with their log probabilities, and how many tokens of the prompt were in the cache.
pub fn ask(engine: &Engine, prompt: &[u32]) -> (Vec<TokenInfo>, u32) {
    ask_for(engine, prompt, 20, &[])
}

/// The same of an answer of so many tokens, all of which are among `ids`, if there are any.
pub fn ask_for(engine: &Engine, prompt: &[u32], tokens: u32, ids: &[u32]) -> (Vec<TokenInfo>, u32) {
    let logit_bias = ids.iter().map(|id| (*id, 100.0)).collect();
    let request = GenerateRequest {
        sampling: SamplingParams { logit_bias, ..SamplingParams::greedy() },
        max_tokens: Some(tokens),
        ignore_eos: true,
        logprobs: Some(3),
        ..GenerateRequest::new(prompt.to_vec())
    };
    let mut generation = engine.submit(request).expect("it is good");
    let mut answer = Vec::new();
    loop {
        match generation.blocking_next() {
            Some(Event::Tokens { tokens, .. }) => answer.extend(tokens),
            Some(Event::Finished { usage, .. }) => return (answer, usage.cached_tokens),
            other => panic!("no end: {other:?}"),
        }
    }
}

/// Ids of a text, which `salt` makes another.
pub fn prompt(salt: u32, length: u32) -> Vec<u32> {
    (0..length).map(|at| (at * 37 + at / 7 * salt + salt) % 125 + 3).collect()
}
