//! Which architectures there are, and what each was proven with: the table behind `tyto arch` and
//! `docs/models.md`. A test measures the proofs and keeps `proofs.json` as it finds them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::models;

/// The proofs, as the test wrote them.
const PROOFS: &str = include_str!("proofs.json");

/// An architecture, and what shows that it is right.
#[derive(Clone, Debug, Serialize)]
pub struct Architecture {
    /// The name in errors and in proofs.
    pub name: &'static str,
    /// The kind of its layers: the folder of its file.
    pub group: &'static str,
    /// Names in `architectures` of `config.json`.
    pub architectures: &'static [&'static str],
    /// Names in `model_type` of `config.json`.
    pub model_types: &'static [&'static str],
    /// What it was proven with.
    pub proof: Proof,
}

/// What an architecture was compared with. A fixture is a folder of `tests/oracle`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// Fixtures of plain numbers: tiny seeded models with logits of an independent implementation.
    pub fixtures: Vec<String>,
    /// The largest difference of a logit over the largest logit of its row, among these fixtures, in
    /// f32 by the interpreter.
    pub error: f32,
    /// Fixtures in the block formats of mlx-lm, compressed-tensors and others.
    pub quantized: Vec<String>,
    /// Fixtures that are compiled for a CPU and compared.
    pub cpu: Vec<String>,
    /// Fixtures that are compiled for gfx1151 and compared on the emulator.
    pub gfx1151: Vec<String>,
    /// The fields of `config.json` that its reader asks for; a dot leads into an object.
    pub fields: Vec<String>,
}

/// All architectures, by group and name.
pub fn architectures() -> Vec<Architecture> {
    let mut proofs = proofs();
    let mut all = Vec::new();
    for (group, rows) in models::GROUPS {
        all.extend(rows.iter().map(|row| Architecture {
            name: row.name,
            group,
            // Encoders have no head of their own.
            architectures: if row.architectures.is_empty() { row.bare } else { row.architectures },
            model_types: row.model_types,
            proof: proofs.remove(row.name).unwrap_or_default(),
        }));
    }
    all
}

/// What `proofs.json` says, by the name of the architecture.
pub fn proofs() -> BTreeMap<String, Proof> {
    serde_json::from_str(PROOFS).expect("a test wrote proofs.json")
}
