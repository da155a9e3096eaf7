//! The weight file: every matrix in the layout of the target's kernels, written once.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_artifact::{Artifact, ArtifactWriter, TENSOR_ALIGNMENT, WEIGHTS_ALIGNMENT, WeightFile};
use tyto_checkpoint::Checkpoint;
use tyto_frontend::{WeightUse, materialize};
use tyto_graph::Layout;

use crate::Error;
use crate::fingerprint::Fingerprint;
use crate::options::Progress;

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

/// Takes the file over from `previous`, or writes it.
pub(crate) fn write(
    writer: &mut ArtifactWriter,
    checkpoint: &Checkpoint,
    path: &str,
    weights: &[WeightUse],
    previous: Option<&Artifact>,
    progress: &mut dyn FnMut(Progress),
) -> Result<(WeightFile, bool), Error> {
    if let Some(old) = previous
        && let Some(file) = old.manifest().weight_file(path)
    {
        writer.reuse(path, old)?;
        return Ok((file.clone(), true));
    }
    let total: u64 = weights.iter().map(|weight| weight.bytes() as u64).sum();
    let mut file = writer.weights(path, total)?;
    let mut done = 0;
    for weight in weights {
        progress(Progress::Weights { done, total });
        let bytes = materialize(checkpoint, weight)?;
        let layout = layout_name(weight.layout);
        file.tensor(&weight.name, weight.dtype.name(), &weight.shape, &layout, &bytes)?;
        done += bytes.len() as u64;
    }
    progress(Progress::Weights { done, total });
    Ok((file.finish()?, false))
}

fn layout_name(layout: Layout) -> String {
    match layout {
        Layout::RowMajor => "plain".to_owned(),
        tiled => tiled.to_string(),
    }
}
