//! The table of architectures says what the fixtures show, and `docs/models.md` says the same.
//!
//! `TYTO_BLESS=1 cargo test --release -p tyto-frontend catalog` writes both anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{F32, Pair, distance, embedding_error, fixtures};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::catalog::{self, Architecture, Proof};
use tyto_frontend::config::{HARMLESS, recorded};

/// Where compiled code is compared with fixtures, for a CPU and for a GPU.
const CPU_TESTS: &str = "crates/compile/tests/all";
const GPU_TESTS: &str = "tools/hip-tests/tests/kernels";

#[test]
fn proofs_are_as_measured() {
    let measured = measured();
    for architecture in catalog::architectures() {
        let name = architecture.name;
        assert!(measured.contains_key(name), "{name} has no fixture in tests/oracle");
    }
    if blesses() {
        let text = serde_json::to_string_pretty(&measured).expect("JSON");
        fs::write(workspace("crates/frontend/src/proofs.json"), text + "\n").expect("written");
        return;
    }
    let known = catalog::proofs();
    let names = |proofs: &BTreeMap<String, Proof>| proofs.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&measured), names(&known), "{BLESS}");
    for (name, found) in &measured {
        let known = &known[name];
        // Another processor may round another way.
        assert!(found.error <= 3.0 * known.error + 1e-6, "{name}: {} {BLESS}", found.error);
        let same = Proof { error: known.error, ..found.clone() };
        assert_eq!(&same, known, "{name}: {BLESS}");
    }
}

#[test]
fn the_page_of_models_is_the_table() {
    let (file, page) = (workspace("docs/models.md"), page(&catalog::architectures()));
    if blesses() {
        fs::write(file, page).expect("written");
        return;
    }
    let found = fs::read_to_string(file).expect("docs/models.md");
    assert!(found == page, "docs/models.md is not as the table has it: {BLESS}");
}

const BLESS: &str = "if that is meant, run TYTO_BLESS=1 cargo test --release -p tyto-frontend catalog twice: \
     the page is written from the proofs that were compiled in";

fn blesses() -> bool {
    std::env::var_os("TYTO_BLESS").is_some()
}

fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// What the fixtures and the tests show, by architecture.
fn measured() -> BTreeMap<String, Proof> {
    let all = catalog::architectures();
    let (cpu, gpu) = (texts_below(CPU_TESTS), texts_below(GPU_TESTS));
    let mut proofs: BTreeMap<String, (Proof, BTreeSet<String>)> = BTreeMap::new();
    for pair in Pair::all() {
        let (opened, fields) = recorded(|| pair.model());
        let (proof, asked) =
            proofs.entry(row_of(&all, &opened.model.facts().architecture)).or_default();
        let error = distance(&pair.logits(F32), &pair.reference().logits);
        proof.error = proof.error.max(rounded(error));
        asked.extend(fields);
        push(&mut proof.fixtures, &pair.case);
        let named = |text: &str| text.contains(&format!("\"{}\"", pair.case));
        if named(&cpu) {
            push(&mut proof.cpu, &pair.case);
        }
        if named(&gpu) {
            push(&mut proof.gfx1151, &pair.case);
        }
    }
    for pair in Pair::of("index.embeddings.json") {
        let (_, fields) = recorded(|| embedding_facts(&pair));
        let (proof, asked) = proofs.entry(row_of(&all, &embedding_facts(&pair))).or_default();
        proof.error = proof.error.max(rounded(embedding_error(&pair)));
        asked.extend(fields);
        push(&mut proof.fixtures, &pair.case);
        if cpu.contains(&format!("\"{}\"", pair.case)) {
            push(&mut proof.cpu, &pair.case);
        }
    }
    for pair in in_blocks() {
        let opened = pair.model();
        let entry = proofs.entry(row_of(&all, &opened.model.facts().architecture)).or_default();
        push(&mut entry.0.quantized, &pair.case);
    }
    let filled = |(name, (proof, asked)): (String, (Proof, BTreeSet<String>))| {
        let fields = asked.into_iter().filter(|field| !HARMLESS.contains(&field.as_str()));
        (name, Proof { fields: fields.collect(), ..proof })
    };
    proofs.into_iter().map(filled).collect()
}

/// The architecture of a case of vectors.
fn embedding_facts(pair: &Pair) -> String {
    let checkpoint = Checkpoint::open(&fixtures().join(&pair.case)).expect("a checkpoint");
    let model = tyto_frontend::open(&checkpoint).unwrap_or_else(|error| panic!("{error}"));
    model.facts().architecture.clone()
}

/// The pairs whose weights stand in block formats.
fn in_blocks() -> impl Iterator<Item = Pair> {
    ["index.mlx.json", "index.published.json"].into_iter().flat_map(Pair::of)
}

/// Two digits, so that a table reads well.
fn rounded(error: f32) -> f32 {
    format!("{error:.1e}").parse().expect("a number")
}

fn push(list: &mut Vec<String>, case: &str) {
    if list.iter().all(|known| known != case) {
        list.push(case.to_owned());
    }
}

/// The architecture of a `model_type`.
fn row_of(all: &[Architecture], model_type: &str) -> String {
    let row = all.iter().find(|row| row.model_types.contains(&model_type));
    row.unwrap_or_else(|| panic!("{model_type} has no row")).name.to_owned()
}

/// The Rust sources of a folder.
fn texts_below(folder: &str) -> String {
    let entries =
        fs::read_dir(workspace(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a source")).collect()
}

/// `docs/models.md`.
fn page(all: &[Architecture]) -> String {
    let mut page = INTRODUCTION.replace("COUNT", &all.len().to_string());
    let groups: BTreeSet<&str> = all.iter().map(|row| row.group).collect();
    for group in groups {
        let rows: Vec<&Architecture> = all.iter().filter(|row| row.group == group).collect();
        writeln!(page, "\n## {}\n\n{HEAD}", capital(group)).expect("a text");
        rows.iter().for_each(|row| page.push_str(&table_row(row)));
    }
    page.push_str(FIELDS);
    for row in all {
        writeln!(page, "- `{}`: {}", row.name, code(&row.proof.fields)).expect("a text");
    }
    writeln!(page, "\nThese change nothing, whatever their value: {}.", code(HARMLESS))
        .expect("a text");
    page
}

const INTRODUCTION: &str = "\
# Models

Tyto knows COUNT architectures. This page is written by a test from the same table as `tyto arch`; every number in it is
measured when the tests run. Each architecture is one file of `crates/frontend/src/models`, and is proven with tiny seeded
checkpoints (`tests/oracle`), whose logits an independent implementation computed: whole prompts, chunks, token by token, in
batches, and greedily continued. The error is the largest difference of a logit over the largest logit of its row, in f32.
\"CPU\" and \"gfx1151\" name how many of the fixtures are also compiled and compared: for a CPU on the machine itself, for
gfx1151 on the emulator of this project. [adding-a-model.md](adding-a-model.md) says how to add one.
";

const HEAD: &str = "\
| Architecture | `model_type` | `architectures` | Fixtures | Error | In blocks | CPU | gfx1151 |
|---|---|---|---|---|---|---|---|";

const FIELDS: &str = "
## Fields of config.json

Every field of a configuration is one of the architecture's, listed here, or changes nothing, or is refused by name.

";

fn table_row(row: &Architecture) -> String {
    let Proof { fixtures, error, quantized, cpu, gfx1151, .. } = &row.proof;
    format!(
        "| `{}` | {} | {} | {} | {error:.0e} | {} | {} | {} |\n",
        row.name,
        code(row.model_types),
        code(row.architectures),
        fixtures.len(),
        count(quantized),
        count(cpu),
        count(gfx1151),
    )
}

fn count(list: &[String]) -> String {
    if list.is_empty() { String::new() } else { list.len().to_string() }
}

fn code(list: &[impl AsRef<str>]) -> String {
    list.iter().map(|text| format!("`{}`", text.as_ref())).collect::<Vec<_>>().join(", ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[test]
fn the_readme_counts_the_architectures() {
    let text = fs::read_to_string(workspace("README.md")).expect("README.md");
    let count = format!("{} architectures", catalog::architectures().len());
    assert!(text.contains(&count), "README.md does not say {count:?}");
}

/// Models with a head of one number, of which `embeddings.rs` knows.
const SCORED: [&str; 2] = ["rerank_bert", "rerank_qwen3"];

/// Every fixture that has a folder is one that a list names.
#[test]
fn no_fixture_is_left_out() {
    let all = Pair::all().into_iter().chain(in_blocks()).chain(Pair::of("index.embeddings.json"));
    let listed: BTreeSet<String> = all.map(|pair| pair.case).collect();
    for entry in fs::read_dir(fixtures()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let gguf = path.join("model.gguf").exists() || SCORED.contains(&&*name);
        assert!(!path.is_dir() || gguf || listed.contains(&name), "no index lists {name}");
    }
}
