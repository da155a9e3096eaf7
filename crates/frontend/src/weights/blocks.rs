//! Codes and scales, the checkpoint's or ours, in tiles of 16 rows.

use rayon::prelude::*;
use tyto_checkpoint::{BlockForm as StoredForm, BlockFormat, CodeType, Codes, ScaleType, Tensor};
use tyto_graph::{BlockForm, BlockLayout, DType};

use super::{Part, WeightUse};
use crate::error::Error;
use crate::quantize::{self, Errors, Loss, Quantization};

/// The layout that keeps a stored format, if there is one.
pub fn block_layout(format: BlockFormat) -> Option<BlockLayout> {
    let CodeType::Unsigned(bits @ (4 | 8)) = format.code else { return None };
    let scale = match format.scale {
        ScaleType::F16 => DType::F16,
        ScaleType::Bf16 => DType::BF16,
        _ => return None,
    };
    let form = match format.form {
        StoredForm::Bias => BlockForm::Bias,
        StoredForm::Middle => BlockForm::Middle,
        _ => return None,
    };
    Some(BlockLayout { bits, group: format.group, scale, form })
}

/// Writes a part's rows, from the first row of a tile; `out` is zero and holds whole tiles. Gives
/// what was lost where the part was quantized.
pub(super) fn write(
    weight: &WeightUse,
    tensor: Tensor<'_>,
    layout: BlockLayout,
    part: &Part,
    out: &mut [u8],
) -> Result<Option<Loss>, Error> {
    let made = match part.quantize {
        Some(format) => Some(format.layout()),
        None => tensor.block_format().and_then(block_layout),
    };
    if weight.dtype != DType::U8 || made != Some(layout) {
        return Err(Error::Weight {
            weight: weight.name.to_string(),
            found: format!(
                "{} of {layout} from {:?}, stored as {}",
                weight.dtype, part.tensor, tensor.dtype
            ),
            expected: match part.quantize {
                Some(format) => format!("bytes of {format}"),
                None => "bytes of the blocks that the checkpoint has".into(),
            },
        });
    }
    let rows = part.rows.clone().unwrap_or(0..part.shape[0]);
    let band = part.shape[1] / layout.columns() * layout.tile_bytes();
    let bands = out.par_chunks_mut(band.max(1)).enumerate().map(|(index, tiles)| {
        let first = rows.start + index * BlockLayout::ROWS;
        let rows = first..rows.end.min(first + BlockLayout::ROWS);
        let (codes, errors) = match part.quantize {
            Some(format) => quantize::rows(format, &tensor, rows)?,
            None => (tensor.codes(rows)?, Errors::default()),
        };
        write_band(layout, &codes, tiles);
        Ok(errors)
    });
    // Added in order, so that equal inputs give equal reports.
    let bands: Vec<Errors> = bands.collect::<Result<_, Error>>()?;
    let errors = bands.into_iter().fold(Errors::default(), Errors::add);
    Ok(part.quantize.map(|format: Quantization| errors.loss(&tensor, format)))
}

/// The tiles of up to 16 rows; rows that are not there keep their scales of zero.
fn write_band(layout: BlockLayout, codes: &Codes, tiles: &mut [u8]) {
    let group = layout.columns();
    let groups = codes.columns / group;
    for (at, columns) in codes.codes.chunks_exact(group).enumerate() {
        let row = at / groups;
        let tile = &mut tiles[at % groups * layout.tile_bytes()..][..layout.tile_bytes()];
        tile[layout.scale_at(row)].copy_from_slice(&codes.scales[2 * at..][..2]);
        if let (Some(place), Some(biases)) = (layout.bias_at(row), &codes.biases) {
            tile[place].copy_from_slice(&biases[2 * at..][..2]);
        }
        for (column, code) in columns.iter().enumerate() {
            let (byte, shift) = layout.code_at(row, column);
            tile[byte] |= code << shift;
        }
    }
}
