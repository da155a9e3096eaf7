//! A small artifact to break.

use std::path::{Path, PathBuf};

use tyto_artifact::{
    Artifact, ArtifactWriter, CancelFlag, Choice, CompilerVersions, EntryKind, EntryPoint, Error,
    HostTarget, KernelChoice, KvLayer, Manifest, ModelFacts, Phases, Target, WeightFile,
};

pub const MODULE: &str = "code/cpu/model.vmfb";
pub const WEIGHTS: &str = "weights/model.bin";
pub const TOKENIZER: &str = "tokenizer/tokenizer.json";

/// A machine with every feature of x86-64-v3.
pub fn host() -> HostTarget {
    HostTarget::new("x86_64", features("x86-64-v3").into_iter().collect())
}

pub fn features(level: &str) -> Vec<String> {
    HostTarget::features_of_level(level).expect("a level").into_iter().map(str::to_owned).collect()
}

pub fn target(name: &str, cpu_features: Vec<String>) -> Target {
    Target {
        name: name.to_owned(),
        driver: "local-task".to_owned(),
        arch: "x86_64".to_owned(),
        cpu_features,
        modules: vec![MODULE.to_owned()],
        entries: vec![EntryPoint {
            function: "model.decode_1".to_owned(),
            kind: EntryKind::Decode,
            batch: 1,
            tokens: 1,
            context: 128,
            rows: 1,
        }],
        choices: vec![KernelChoice {
            op: "linear".to_owned(),
            format: "f32".to_owned(),
            shape: "4x8".to_owned(),
            count: 2,
            body: Choice::Decomposed,
            reason: "no kernel for f32".to_owned(),
        }],
        compile_flags: vec!["--iree-opt-level=O3".to_owned()],
        weights: WEIGHTS.to_owned(),
        phases: None,
        cache_blocks: None,
        pm4_entries: Vec::new(),
    }
}

pub fn manifest(targets: Vec<Target>, weights: WeightFile) -> Manifest {
    Manifest {
        schema_version: 0,
        tyto_version: String::new(),
        model: ModelFacts {
            name: "tiny".to_owned(),
            architecture: "llama".to_owned(),
            source_files: vec!["model.safetensors".to_owned()],
            parameter_count: 40,
            vocab_size: 16,
            context_length: 128,
            layers: 2,
            dtype: "f32".to_owned(),
            kv: vec![KvLayer { heads: 2, head_dim: 8 }; 2],
            kv_dtype: "f16".to_owned(),
            block_size: 16,
            default_blocks: 8,
            pooled: None,
        },
        targets,
        weights: vec![weights],
        compiler: CompilerVersions::default(),
        inputs: "fingerprint".to_owned(),
        files: Default::default(),
    }
}

/// Writes every file of the small artifact and returns its manifest.
pub fn fill(writer: &mut ArtifactWriter) -> Result<Manifest, Error> {
    writer.write(MODULE, b"compiled code")?;
    writer.write(TOKENIZER, b"{}")?;
    let mut weights = writer.weights(WEIGHTS, 0)?;
    weights.tensor("a", "f32", &[3], "plain", &[1; 12])?;
    weights.begin("b", "f16", &[2, 35], 140, "packed")?;
    weights.write(&[2; 100])?;
    weights.write(&[3; 40])?;
    let weights = weights.finish()?;
    // 2 layers, keys and values, 2 heads of 8 elements of 2 bytes, 16 positions: 2048, and
    // 64 bytes more, as a program may want.
    let phases = Phases {
        abi_version: 1,
        shared_bytes: 70,
        private_bytes: 30,
        block_bytes: 2112,
        slot_bytes: 0,
        shared_rows: 0,
        digests: false,
    };
    let targets = vec![
        target("cpu:x86-64-v2", features("x86-64-v2")),
        Target {
            driver: "local-sync".to_owned(),
            phases: Some(phases),
            ..target("cpu:x86-64-v3", features("x86-64-v3"))
        },
    ];
    Ok(manifest(targets, weights))
}

pub fn write_at(path: &Path) -> Result<Artifact, Error> {
    let mut writer = ArtifactWriter::new(path, CancelFlag::default())?;
    let manifest = fill(&mut writer)?;
    writer.finish(manifest)
}

pub fn small() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("tiny.tyto");
    write_at(&path).expect("the small artifact is written");
    (directory, path)
}

/// Changes the manifest's text and makes its hash right again, as a forger would.
pub fn forge(path: &Path, change: impl FnOnce(String) -> String) {
    let file = path.join("manifest.json");
    let json = change(std::fs::read_to_string(&file).expect("the manifest"));
    std::fs::write(
        path.join("manifest.blake3"),
        format!("{}\n", blake3::hash(json.as_bytes()).to_hex()),
    )
    .expect("the hash is written");
    std::fs::write(file, json).expect("the manifest is written");
}

/// The names in a directory, sorted.
pub fn names_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
