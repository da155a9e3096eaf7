//! The weight file: every matrix in the layout of the target's kernels, written once.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_artifact::{Artifact, ArtifactWriter, TENSOR_ALIGNMENT, WEIGHTS_ALIGNMENT, WeightFile};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::{Materialized, WeightUse, materialize_measured};
use tyto_graph::Layout;

use crate::Error;
use crate::fingerprint::Fingerprint;
use crate::options::Progress;
use crate::quantized::{self, QuantizedTensor};

/// The path of the file that holds `weights` of the source with this fingerprint.
pub(crate) fn path(source: &str, weights: &[WeightUse]) -> String {
    let mut print = Fingerprint::default();
    print.add("source", source.as_bytes());
    for weight in weights {
        print.add("weight", format!("{weight:?}").as_bytes());
    }
    format!("weights/{}.bin", print.name())
}

/// Where [`write`] will put each weight, and the length of the file.
pub(crate) fn places(weights: &[WeightUse]) -> (HashMap<Arc<str>, u64>, u64) {
    let mut places = HashMap::new();
    let mut end = 0u64;
    for weight in weights {
        let begin = end.next_multiple_of(TENSOR_ALIGNMENT);
        places.insert(weight.name.clone(), begin);
        end = begin + weight.bytes() as u64;
    }
    (places, end.next_multiple_of(WEIGHTS_ALIGNMENT))
}

/// A weight file that was written.
pub(crate) struct Written {
    pub(crate) file: WeightFile,
    /// Whether it was taken over.
    pub(crate) reused: bool,
    /// What was quantized in it, now or when it was first written.
    pub(crate) quantized: Vec<QuantizedTensor>,
}

/// Takes the file over from `previous`, or writes it.
pub(crate) fn write(
    writer: &mut ArtifactWriter,
    checkpoint: &Checkpoint,
    path: &str,
    weights: &[WeightUse],
    previous: Option<&Artifact>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Written, Error> {
    if let Some(old) = previous
        && let Some(file) = old.manifest().weight_file(path)
        && let Some(quantized) = reuse_errors(writer, path, weights, old)?
    {
        writer.reuse(path, old)?;
        return Ok(Written { file: file.clone(), reused: true, quantized });
    }
    let total: u64 = weights.iter().map(|weight| weight.bytes() as u64).sum();
    let mut file = writer.weights(path, total)?;
    let (mut done, mut quantized) = (0, Vec::new());
    for weight in weights {
        progress(Progress::Weights { done, total });
        let Materialized { bytes, losses } = materialize_measured(checkpoint, weight)?;
        quantized.extend(losses.into_iter().map(QuantizedTensor::from));
        let layout = layout_name(weight.layout);
        file.tensor(&weight.name, weight.dtype.name(), &weight.shape, &layout, &bytes)?;
        done += bytes.len() as u64;
    }
    progress(Progress::Weights { done, total });
    let file = file.finish()?;
    if !quantized.is_empty() {
        writer.write(&quantized::path(path), &quantized::to_bytes(&quantized))?;
    }
    Ok(Written { file, reused: false, quantized })
}

/// Takes over what is known of the errors in a weight file; `None` where they must be measured
/// again.
fn reuse_errors(
    writer: &mut ArtifactWriter,
    weights_path: &str,
    weights: &[WeightUse],
    old: &Artifact,
) -> Result<Option<Vec<QuantizedTensor>>, Error> {
    if !weights.iter().flat_map(|weight| &weight.parts).any(|part| part.quantize.is_some()) {
        return Ok(Some(Vec::new()));
    }
    let path = quantized::path(weights_path);
    if !old.manifest().files.contains_key(&path) {
        return Ok(None);
    }
    let known = quantized::from_bytes(&old.read(&path)?);
    if known.is_some() {
        writer.reuse(&path, old)?;
    }
    Ok(known)
}

fn layout_name(layout: Layout) -> String {
    match layout {
        Layout::RowMajor => "plain".to_owned(),
        tiled => tiled.to_string(),
    }
}
