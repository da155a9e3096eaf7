//! What a manifest must be to be believed, beyond its form.

use std::path::Path;

use crate::error::Error;
use crate::manifest::{FileEntry, Manifest, Phases, SCHEMA_VERSION, Target, WeightFile};
use crate::paths;
use crate::reader::MANIFEST;
use crate::weights::TENSOR_ALIGNMENT;

/// Blocks of a phase program's cache begin at multiples of this.
const BLOCK_ALIGNMENT: u64 = 64;

/// Most bytes that recurrent layers may keep of a sequence.
const MOST_SLOT_BYTES: u64 = 1 << 40;

/// Checks what the manifest says against itself; the disk is not looked at.
pub(crate) fn check_manifest(artifact: &Path, manifest: &Manifest) -> Result<(), Error> {
    let check = ManifestCheck { artifact, manifest };
    check.field(
        "schema_version",
        manifest.schema_version == SCHEMA_VERSION,
        manifest.schema_version,
        &SCHEMA_VERSION.to_string(),
    )?;
    for name in manifest.files.keys() {
        paths::resolve(artifact, name)?;
    }
    let model = &manifest.model;
    check.field("model.vocab_size", model.vocab_size > 0, model.vocab_size, "at least 1")?;
    check.field(
        "model.context_length",
        model.context_length > 0,
        model.context_length,
        "at least 1",
    )?;
    check.field("model.block_size", model.block_size > 0, model.block_size, "at least 1")?;
    let known = "f32, f16, bf16, f8e4m3, f8e5m2, i8, q8_0 or q4_0";
    let group = model.kv_group();
    check.field("model.kv_dtype", group.is_some(), &model.kv_dtype, known)?;
    let (group, _) = group.expect("the type was just checked");
    for layer in &model.kv {
        let sane = layer.heads < 1 << 24 && layer.head_dim < 1 << 24;
        check.field("model.kv", sane, format!("{layer:?}"), "heads and head_dim below 16777216")?;
        let whole = layer.head_dim % group == 0;
        let expected = format!("a head_dim of whole groups of {group}, for {}", model.kv_dtype);
        check.field("model.kv", whole, format!("{layer:?}"), &expected)?;
    }
    manifest.weights.iter().try_for_each(|file| check.weight_file(file))?;
    manifest.targets.iter().try_for_each(|target| check.target(target))
}

struct ManifestCheck<'a> {
    artifact: &'a Path,
    manifest: &'a Manifest,
}

impl ManifestCheck<'_> {
    fn field(
        &self,
        field: &str,
        holds: bool,
        found: impl ToString,
        expected: &str,
    ) -> Result<(), Error> {
        if holds {
            return Ok(());
        }
        Err(Error::BadField {
            path: self.artifact.join(MANIFEST),
            field: field.to_owned(),
            found: found.to_string(),
            expected: expected.to_owned(),
        })
    }

    fn listed(&self, field: &str, name: &str) -> Result<&FileEntry, Error> {
        let entry = self.manifest.files.get(name);
        self.field(field, entry.is_some(), name, "a file listed in files")?;
        Ok(entry.expect("the entry was just found"))
    }

    fn target(&self, target: &Target) -> Result<(), Error> {
        let field = |name: &str| format!("targets[{}].{name}", target.name);
        let same_name =
            self.manifest.targets.iter().filter(|other| other.name == target.name).count();
        self.field(&field("name"), same_name == 1, &target.name, "names that differ")?;
        for module in &target.modules {
            self.listed(&field("modules"), module)?;
        }
        let weights = self.manifest.weight_file(&target.weights);
        self.field(
            &field("weights"),
            weights.is_some(),
            &target.weights,
            "a file listed in weights",
        )?;
        if let Some(blocks) = target.cache_blocks {
            self.field(&field("cache_blocks"), blocks >= 2, blocks, "at least 2")?;
        }
        target.phases.as_ref().map_or(Ok(()), |phases| self.phases(target, phases))
    }

    /// A block of the cache holds at least the keys and values that the model has; programs
    /// may pad it, and address it in whole cache lines.
    fn phases(&self, target: &Target, phases: &Phases) -> Result<(), Error> {
        let field = |name: &str| format!("targets[{}].phases.{name}", target.name);
        let least = (self.manifest.model.kv_block_bytes())
            .expect("the cache's type is checked before the targets");
        let (found, alignment) = (phases.block_bytes, BLOCK_ALIGNMENT);
        let holds = found >= least && found % alignment == 0;
        let expected = format!("a multiple of {alignment}, at least {least}");
        self.field(&field("block_bytes"), holds, found, &expected)?;
        let slot = phases.slot_bytes;
        let holds =
            slot.is_multiple_of(alignment) && slot <= MOST_SLOT_BYTES && (slot == 0 || found > 0);
        let expected = format!("a multiple of {alignment}, at most {MOST_SLOT_BYTES}");
        self.field(&field("slot_bytes"), holds, slot, &expected)
    }

    fn weight_file(&self, file: &WeightFile) -> Result<(), Error> {
        let entry = self.listed("weights.path", &file.path)?;
        let mut end = 0;
        for tensor in &file.tensors {
            let field = |name: &str| format!("weights[{}].{}.{name}", file.path, tensor.name);
            let aligned = tensor.offset % TENSOR_ALIGNMENT == 0;
            self.field(&field("offset"), aligned, tensor.offset, "a multiple of 64")?;
            self.field(
                &field("offset"),
                tensor.offset >= end,
                tensor.offset,
                "an offset after the tensor before",
            )?;
            let tensor_end =
                tensor.offset.checked_add(tensor.bytes).filter(|end| *end <= entry.bytes);
            let room = format!("an end within the file's {} bytes", entry.bytes);
            self.field(&field("bytes"), tensor_end.is_some(), tensor.bytes, &room)?;
            end = tensor_end.expect("the end was just checked");
        }
        Ok(())
    }
}
