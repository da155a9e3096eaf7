//! What quantizing did to each tensor: measured when weights are written, kept in a file beside
//! them for compilations that take them over.

use serde::{Deserialize, Serialize};
use tyto_artifact::{Choice, KernelChoice};
use tyto_frontend::{Kept, Loss, Quantization};

/// What `--quantize` did.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizeReport {
    /// The format that was asked for.
    pub format: Quantization,
    /// Every quantized tensor, as they lie in the weight file.
    pub tensors: Vec<QuantizedTensor>,
    /// The matrices that stay as they are.
    pub kept: Vec<Kept>,
}

/// A tensor that was quantized, and what it lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuantizedTensor {
    /// The checkpoint's name.
    pub tensor: String,
    /// The format in the checkpoint.
    pub stored: String,
    /// The format now.
    pub format: String,
    /// `‖q − w‖ / ‖w‖` over all elements.
    pub relative_error: f32,
    /// The largest `|q − w|` of an element.
    pub largest_error: f32,
}

impl From<Loss> for QuantizedTensor {
    fn from(loss: Loss) -> Self {
        let Loss { tensor, stored, format, relative_error, largest_error } = loss;
        let (format, relative_error) = (format.name().to_owned(), relative_error as f32);
        Self { tensor, stored, format, relative_error, largest_error }
    }
}

/// Those of the largest relative error first; equal ones stay in order.
pub fn by_error(tensors: &[QuantizedTensor]) -> Vec<&QuantizedTensor> {
    let mut sorted: Vec<&QuantizedTensor> = tensors.iter().collect();
    sorted.sort_by(|a, b| b.relative_error.total_cmp(&a.relative_error));
    sorted
}

/// One line for each format and what it was made from.
pub(crate) fn choices(tensors: &[QuantizedTensor]) -> Vec<KernelChoice> {
    let mut kinds: Vec<(&str, &str)> = Vec::new();
    for QuantizedTensor { stored, format, .. } in tensors {
        if !kinds.contains(&(stored, format)) {
            kinds.push((stored, format));
        }
    }
    let choice = |(stored, format): (&str, &str)| {
        let those = tensors.iter().filter(|one| one.stored == stored && one.format == format);
        let those: Vec<QuantizedTensor> = those.cloned().collect();
        let sorted = by_error(&those);
        let (worst, median) = (sorted[0], sorted[sorted.len() / 2]);
        KernelChoice {
            op: "weight".to_owned(),
            format: stored.to_owned(),
            shape: format.to_owned(),
            count: those.len(),
            body: Choice::Converted,
            reason: format!(
                "quantized to {format}: relative error {:.4} (worst {:.4}, {})",
                median.relative_error, worst.relative_error, worst.tensor
            ),
        }
    };
    kinds.into_iter().map(choice).collect()
}

/// The path of the report that belongs to a weight file.
pub(crate) fn path(weights: &str) -> String {
    format!("{}.errors.json", weights.trim_end_matches(".bin"))
}

pub(crate) fn to_bytes(tensors: &[QuantizedTensor]) -> Vec<u8> {
    serde_json::to_vec_pretty(tensors).expect("names and numbers")
}

/// `None` where another version wrote something else.
pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Vec<QuantizedTensor>> {
    serde_json::from_slice(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(name: &str, format: &str, relative_error: f32) -> QuantizedTensor {
        QuantizedTensor {
            tensor: name.to_owned(),
            stored: "F16".to_owned(),
            format: format.to_owned(),
            relative_error,
            largest_error: 0.25,
        }
    }

    #[test]
    fn each_format_has_a_line_with_its_median_and_its_worst() {
        let tensors = [
            tensor("head", "q8_0", 0.004),
            tensor("a", "q4_0", 0.05),
            tensor("b", "q4_0", 0.061),
            tensor("c", "q4_0", 0.043),
        ];
        let lines: Vec<(usize, String)> =
            choices(&tensors).into_iter().map(|choice| (choice.count, choice.reason)).collect();
        let eight = "quantized to q8_0: relative error 0.0040 (worst 0.0040, head)".to_owned();
        let four = "quantized to q4_0: relative error 0.0500 (worst 0.0610, b)".to_owned();
        assert_eq!(lines, [(1, eight), (3, four)]);
    }

    #[test]
    fn a_report_comes_back_as_it_was() {
        // Not every f64 comes back from serde_json's quick reader; every f32 does.
        let errors = (1..10_000).map(|at| 1.0 / at as f32).chain([0.0, f32::MIN_POSITIVE]);
        let tensors: Vec<_> = errors.map(|error| tensor("a", "q4_0", error)).collect();
        assert_eq!(from_bytes(&to_bytes(&tensors)), Some(tensors));
        assert_eq!(from_bytes(b"{}"), None);
        assert_eq!(path("weights/0ab.bin"), "weights/0ab.errors.json");
    }
}
