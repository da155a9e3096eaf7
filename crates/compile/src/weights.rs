//! The weight file: every matrix in the layout of the target's kernels, written once.

use tyto_artifact::{Artifact, ArtifactWriter, WeightFile};
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
