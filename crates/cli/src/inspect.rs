//! `tyto inspect`: what is inside an artifact, and the memory that it needs.

use std::io::{self, Write};

use serde_json::json;
use tyto_artifact::{
    Artifact, EntryKind, HostTarget, KernelChoice, Manifest, MemoryNeeded, Pooled, Pooling, Target,
};
use tyto_engine::iree::DEFAULT_SNAPSHOTS;

use crate::args::InspectArgs;
use crate::error::Error;
use crate::model;
use crate::table::line;
use crate::units::{bytes, count};

/// The GPU whose code our tests run (`tyto-kernel-spec` says the same, which serving does not need).
const PROVEN_GPU: &str = "gfx1151";

/// Runs the command.
pub fn run(args: &InspectArgs) -> Result<(), Error> {
    let artifact = Artifact::open(&args.model).map_err(Error::user_from)?;
    if args.verify {
        model::verify(&artifact, args.json)?;
    }
    let mut output = anstream::stdout().lock();
    if args.json {
        print_json(&artifact, args.verify, &mut output)?;
    } else {
        print(&artifact, args.verify, &mut output)?;
    }
    Ok(())
}

fn print(artifact: &Artifact, verified: bool, output: &mut impl Write) -> io::Result<()> {
    let manifest = artifact.manifest();
    print_model(manifest, output)?;
    let size = manifest.files.values().map(|file| file.bytes).sum();
    let state = if verified { "every hash is right" } else { "not verified; --verify reads them" };
    line(output, "files", &format!("{}, {}; {state}", manifest.files.len(), bytes(size)))?;
    let host = HostTarget::detect();
    for target in &manifest.targets {
        print_target(target, &host, output)?;
    }
    let mut gpus = manifest.targets.iter().filter(|target| target.is_gpu()).peekable();
    match artifact.select_target(&host) {
        Ok(target) => print_memory(artifact, target, output)?,
        Err(_) if gpus.peek().is_some() => {}
        Err(refusal) => line(output, "memory", &format!("unknown: {refusal}"))?,
    }
    gpus.try_for_each(|target| print_gpu_memory(artifact, target, output))
}

fn print_model(manifest: &Manifest, output: &mut impl Write) -> io::Result<()> {
    let model = &manifest.model;
    let parameters = count(model.parameter_count);
    let architecture = &model.architecture;
    let (layers, name) = (model.layers, &model.name);
    line(
        output,
        "model",
        &format!("{name}: {architecture}, {parameters} parameters, {layers} layers"),
    )?;
    let (context, vocabulary) = (model.context_length, model.vocab_size);
    line(output, "context", &format!("{context} tokens; {vocabulary} in the vocabulary"))?;
    if let Some(pooled) = &model.pooled {
        let Pooled { kind, pooling, width, normalize, .. } = pooled;
        let pooling = match pooling {
            Pooling::Last => "the last token's",
            Pooling::Mean => "the mean of all",
            Pooling::First => "the first token's",
        };
        let length = if *normalize { ", divided by its length" } else { "" };
        line(output, "kind", &format!("{}: {pooling}, {width} numbers{length}", kind.name()))?;
    }
    let cache = match model.kv.is_empty() {
        true => String::new(),
        false => format!(", cache {}", model.kv_dtype),
    };
    line(output, "types", &format!("plain weights {}{cache}", model.dtype))?;
    line(output, "source", &model.source_files.join(", "))?;
    let compiler = &manifest.compiler;
    let versions = format!("IREE {}, LLVM {}", compiler.iree, compiler.llvm);
    line(output, "made by", &format!("tyto {}, {versions}", manifest.tyto_version))
}

fn print_target(target: &Target, host: &HostTarget, output: &mut impl Write) -> io::Result<()> {
    let missing = host.missing_for(target);
    let runs = match missing.is_empty() {
        _ if target.is_gpu() => {
            format!("{}, driver {}; {}", target.arch, target.driver, proof(target))
        }
        true => "runs here".to_owned(),
        false => format!("does not run here: needs {}", missing.join(", ")),
    };
    line(output, "target", &format!("{}: {runs}", target.name))?;
    for (kind, name) in [(EntryKind::Decode, "decode"), (EntryKind::Prefill, "prefill")] {
        let mut sizes: Vec<usize> = target
            .entries
            .iter()
            .filter(|entry| entry.kind == kind)
            .map(|entry| if kind == EntryKind::Decode { entry.batch } else { entry.tokens })
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        if sizes.is_empty() {
            continue; // A model that writes no text has no calls for single tokens.
        }
        let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
        let unit = if kind == EntryKind::Decode { "texts" } else { "tokens" };
        line(output, "", &format!("{name} of {} {unit} in one call", sizes.join(", ")))?;
    }
    if target.driver == "amdgpu" {
        let (ready, all) = (target.pm4_entries.len(), target.entries.len());
        let text =
            format!("--pm4 keeps recorded steps of {ready} of its {all} entry points on the GPU");
        line(output, "", &text)?;
    }
    if let Some(blocks) = target.cache_blocks {
        line(output, "", &format!("its cache has exactly {blocks} blocks"))?;
    }
    if let Some(phases) = &target.phases {
        let (shared, own) = (bytes(phases.shared_bytes), bytes(phases.private_bytes));
        let scratch = format!("scratch {shared}, and {own} for each thread");
        line(output, "", &format!("phase programs, version {}; {scratch}", phases.abi_version))?;
        if phases.slot_bytes > 0 {
            let state = bytes(phases.slot_bytes);
            let text = format!(
                "recurrent: {state} of state a text, and for each of `--snapshots` that is kept"
            );
            line(output, "", &text)?;
        }
    }
    merged(&target.choices).iter().try_for_each(|text| line(output, "", text))
}

/// What is known of a GPU's code.
fn proof(target: &Target) -> &'static str {
    match target.arch.as_str() {
        _ if target.driver == "cuda" => {
            "experimental: run on one NVIDIA GPU by hand, compiled by our tests"
        }
        PROVEN_GPU => "run by our tests on an emulator, never on the device itself",
        _ => "unproven: never run on the device, and by few tests or none on an emulator",
    }
}

/// One line for each op, format and body, whatever the shapes.
fn merged(choices: &[KernelChoice]) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for KernelChoice { op, format, body, reason, count, .. } in choices {
        let body = format!("{body:?}").to_lowercase();
        let text = format!("{op} {format}: {body}, {reason}");
        match counts.iter_mut().find(|(known, _)| *known == text) {
            Some((_, total)) => *total += count,
            None => counts.push((text, *count)),
        }
    }
    counts.into_iter().map(|(text, count)| format!("{count} × {text}")).collect()
}

fn print_memory(artifact: &Artifact, target: &Target, output: &mut impl Write) -> io::Result<()> {
    let model = &artifact.manifest().model;
    let MemoryNeeded { weights_bytes, kv_bytes, snapshot_bytes, .. } = memory(artifact, target);
    let kv_bytes = kv_bytes.saturating_add(snapshot_bytes);
    if kv_bytes == 0 {
        let weights = bytes(weights_bytes);
        line(output, "memory", &format!("{weights} of weights, mapped"))?;
        return line(output, "", "the model keeps nothing of its texts, so it has no cache");
    }
    let cached = (model.default_blocks.saturating_sub(1)) * model.block_size;
    let (weights, cache) = (bytes(weights_bytes), bytes(kv_bytes));
    let total = bytes(weights_bytes.saturating_add(kv_bytes));
    line(
        output,
        "memory",
        &format!("{total}: {weights} of weights, mapped, and {cache} of cache"),
    )?;
    line(output, "", &format!("the cache holds {cached} tokens; `serve --cache SIZE` changes it"))
}

/// What a GPU's memory has to hold; the cache's size is compiled in.
fn print_gpu_memory(
    artifact: &Artifact,
    target: &Target,
    output: &mut impl Write,
) -> io::Result<()> {
    let need = memory(artifact, target);
    let cache = need.kv_bytes.saturating_add(need.snapshot_bytes);
    let [total, weights, workspace] =
        [need.total_bytes(), need.weights_bytes, need.workspace_bytes].map(bytes);
    let cache =
        if cache == 0 { "no cache".to_owned() } else { format!("{} of cache", bytes(cache)) };
    let text = format!(
        "{total} on {}: {weights} of weights, {cache}, {workspace} of workspace",
        target.name
    );
    line(output, "memory", &text)
}

fn memory(artifact: &Artifact, target: &Target) -> MemoryNeeded {
    let blocks = artifact.manifest().model.default_blocks;
    artifact.memory_needed(target, blocks).with_snapshots(target, DEFAULT_SNAPSHOTS)
}

fn print_json(artifact: &Artifact, verified: bool, output: &mut impl Write) -> io::Result<()> {
    let host = HostTarget::detect();
    let target = artifact.select_target(&host).ok();
    let of = |target: &Target| {
        let memory = memory(artifact, target);
        json!({
            "weights_bytes": memory.weights_bytes,
            "cache_bytes": memory.kv_bytes,
            "snapshot_bytes": memory.snapshot_bytes,
            "workspace_bytes": memory.workspace_bytes,
            "total_bytes": memory.total_bytes(),
        })
    };
    let gpus = artifact.manifest().targets.iter().filter(|target| target.is_gpu());
    let gpus: serde_json::Map<_, _> =
        gpus.map(|target| (target.name.clone(), of(target))).collect();
    let facts = json!({
        "path": artifact.path(),
        "verified": verified,
        "host": host.to_string(),
        "target": target.map(|target| &target.name),
        "memory": target.map(of),
        "gpu_memory": gpus,
        "manifest": artifact.manifest(),
    });
    writeln!(output, "{facts:#}")
}

#[cfg(test)]
mod tests {
    use tyto_artifact::Phases;

    use super::*;

    fn shown(phases: Option<Phases>) -> String {
        shown_target(Target { phases, ..target("cpu", "local-sync", "x86_64") })
    }

    fn target(name: &str, driver: &str, arch: &str) -> Target {
        Target {
            name: name.to_owned(),
            driver: driver.to_owned(),
            arch: arch.to_owned(),
            cpu_features: Vec::new(),
            modules: Vec::new(),
            entries: Vec::new(),
            choices: Vec::new(),
            compile_flags: Vec::new(),
            weights: String::new(),
            phases: None,
            cache_blocks: None,
            pm4_entries: Vec::new(),
        }
    }

    fn shown_target(target: Target) -> String {
        let mut text = Vec::new();
        let host = HostTarget::new("x86_64", Default::default());
        print_target(&target, &host, &mut text).expect("writing to memory");
        anstream::adapter::strip_str(std::str::from_utf8(&text).expect("text")).to_string()
    }

    #[test]
    fn phase_programs_are_named_with_what_they_need() {
        let phases = Phases {
            abi_version: 4,
            shared_bytes: 5 << 20,
            private_bytes: 2048,
            block_bytes: 64,
            slot_bytes: 0,
            shared_rows: 0,
            digests: false,
        };
        let text = shown(Some(phases));
        let expected = "phase programs, version 4; scratch 5.00 MiB, and 2.00 KiB for each thread";
        assert!(text.contains(expected), "{text}");
        assert!(!shown(None).contains("phase"), "plain code is no phase program");
    }

    #[test]
    fn a_gpu_is_named_with_its_driver_and_what_is_known_of_it() {
        let proven = Target { cache_blocks: Some(33), ..target("gfx1151:hip", "hip", "gfx1151") };
        let text = shown_target(proven);
        assert!(text.contains("gfx1151:hip: gfx1151, driver hip; run by our tests"), "{text}");
        assert!(text.contains("exactly 33 blocks"), "{text}");
        for chip in ["gfx942", "gfx950", "gfx1152", "gfx1200"] {
            let text = shown_target(target(&format!("{chip}:amdgpu"), "amdgpu", chip));
            let expected = format!("{chip}:amdgpu: {chip}, driver amdgpu; unproven");
            assert!(text.contains(&expected), "{text}");
        }
        let text = shown_target(target("sm_80", "cuda", "sm_80"));
        assert!(text.contains("sm_80: sm_80, driver cuda; experimental"), "{text}");
    }
}
