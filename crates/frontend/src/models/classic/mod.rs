//! Decoders with layer norms in place of RMS norms, and with what came with them: MLPs without a
//! gate, biases, blocks whose halves run side by side, learned positions, linear biases of scores.

use crate::registry::{Row, row};

pub mod bloom;
pub mod codegen;
pub mod cohere;
pub mod cohere2;
pub mod falcon;
pub mod gpt2;
pub mod gpt_bigcode;
pub mod gpt_neo;
pub mod gpt_neox;
pub mod gptj;
pub mod jais2;
pub mod mpt;
pub mod nemotron;
pub mod olmo;
pub mod opt;
pub mod persimmon;
pub mod phi;
pub mod stablelm;
pub mod starcoder2;

/// The architectures of this group.
pub(crate) const ROWS: &[Row] = &[
    row::<bloom::Bloom>(),
    row::<codegen::CodeGen>(),
    row::<cohere::Cohere>(),
    row::<cohere2::Cohere2>(),
    row::<falcon::Falcon>(),
    row::<gpt2::Gpt2>(),
    row::<gpt_bigcode::GptBigCode>(),
    row::<gpt_neo::GptNeo>(),
    row::<gpt_neox::GptNeox>(),
    row::<gptj::GptJ>(),
    row::<jais2::Jais2>(),
    row::<mpt::Mpt>(),
    row::<nemotron::Nemotron>(),
    row::<olmo::Olmo>(),
    row::<opt::Opt>(),
    row::<persimmon::Persimmon>(),
    row::<phi::Phi>(),
    row::<stablelm::StableLm>(),
    row::<starcoder2::Starcoder2>(),
];
