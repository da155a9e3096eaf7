//! Codes and scales, the checkpoint's or ours, in bands of 16 rows.

use rayon::prelude::*;
use tyto_checkpoint::{BlockForm as StoredForm, BlockFormat, CodeType, Codes, ScaleType, Tensor};
use tyto_graph::{BitPlace, BlockCode, BlockForm, BlockLayout, BlockScale, DType};

use super::rows::source_row;
use super::{Halves, Part, Reading, WeightUse};
use crate::error::Error;
use crate::quantize::{self, Errors, Loss, Quantization};

/// The layout that keeps a stored format, if there is one.
pub fn block_layout(format: BlockFormat) -> Option<BlockLayout> {
    let layout = BlockLayout {
        code: match format.code {
            CodeType::Unsigned(bits) => BlockCode::Unsigned(bits),
            CodeType::E2M1 => BlockCode::E2M1,
            CodeType::Iq4 => BlockCode::Iq4,
            CodeType::E4M3 => BlockCode::E4M3,
        },
        group: format.group,
        scale: match format.scale {
            ScaleType::F16 => BlockScale::F16,
            ScaleType::Bf16 => BlockScale::Bf16,
            ScaleType::F32 => BlockScale::F32,
            ScaleType::E8M0 => BlockScale::E8M0,
            ScaleType::E4M3 => BlockScale::E4M3,
            ScaleType::One => BlockScale::One,
            ScaleType::Super => BlockScale::Super,
        },
        form: match format.form {
            StoredForm::Plain => BlockForm::Plain,
            StoredForm::Middle => BlockForm::Middle,
            StoredForm::Bias => BlockForm::Bias,
            StoredForm::Zero => BlockForm::Zero,
            StoredForm::Minimum => BlockForm::Minimum,
        },
        row_scale: format.row_scale,
    };
    layout.is_known().then_some(layout)
}

/// Writes a part's rows, from the first row of a band; `out` is zero and holds whole bands. Gives
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
    let Part { reading: Reading { transposed, halves, every, pairs, .. }, .. } = *part;
    let in_order = halves == Halves::None && every.is_none() && pairs.is_none();
    if transposed || halves == Halves::Columns {
        return Err(Error::Weight {
            weight: weight.name.to_string(),
            found: format!("{:?}, whose columns are to be rearranged", part.tensor),
            expected: "blocks whose columns stand as the model uses them".into(),
        });
    }
    let rows = part.row_range();
    let band = layout.band_bytes(part.columns());
    let run = run_of(layout);
    let bands = out.par_chunks_mut(band.max(1)).enumerate().map(|(index, band)| {
        let first = rows.start + index * BlockLayout::ROWS;
        let rows = first..rows.end.min(first + BlockLayout::ROWS);
        let (codes, errors) = match part.quantize {
            Some(format) if in_order => quantize::rows(format, &tensor, rows)?,
            Some(format) => moved_quantized(format, &tensor, part, index * BlockLayout::ROWS)?,
            None if in_order => (tensor.codes(rows)?, Errors::default()),
            None => (moved_rows(&tensor, part, index * BlockLayout::ROWS)?, Errors::default()),
        };
        write_band(layout, &run, &codes, band).map_err(|found| Error::Weight {
            weight: weight.name.to_string(),
            found: format!("a scale or minimum of {found} in {:?}", part.tensor),
            expected: format!("at most 15 in {layout}"),
        })?;
        Ok(errors)
    });
    // Added in order, so that equal inputs give equal reports.
    let bands: Vec<Errors> = bands.collect::<Result<_, Error>>()?;
    let errors = bands.into_iter().fold(Errors::default(), Errors::add);
    Ok(part.quantize.map(|format: Quantization| errors.loss(&tensor, format)))
}

/// The rows of a part from its row `first` on, at most a band of them, each from where it stands
/// in the tensor.
fn moved_rows(tensor: &Tensor<'_>, part: &Part, first: usize) -> Result<Codes, Error> {
    let end = part.row_count().min(first + BlockLayout::ROWS);
    let mut all: Option<Codes> = None;
    for row in first..end {
        let row = source_row(part, row);
        let next = tensor.codes(row..row + 1)?;
        match &mut all {
            None => all = Some(next),
            Some(all) => append(all, next),
        }
    }
    Ok(match all {
        Some(codes) => codes,
        None => tensor.codes(0..0)?,
    })
}

/// The same rows, quantized.
fn moved_quantized(
    format: Quantization,
    tensor: &Tensor<'_>,
    part: &Part,
    first: usize,
) -> Result<(Codes, Errors), Error> {
    let end = part.row_count().min(first + BlockLayout::ROWS);
    let (mut all, mut errors) = quantize::rows(format, tensor, 0..0)?;
    for row in first..end {
        let row = source_row(part, row);
        let (next, lost) = quantize::rows(format, tensor, row..row + 1)?;
        // No rows have no columns.
        all.columns = next.columns;
        append(&mut all, next);
        errors = errors.add(lost);
    }
    Ok((all, errors))
}

/// Adds the rows of other codes of the same tensor.
fn append(all: &mut Codes, next: Codes) {
    fn extend<T>(all: &mut Option<Vec<T>>, next: Option<Vec<T>>) {
        if let (Some(all), Some(next)) = (all, next) {
            all.extend(next);
        }
    }
    all.rows += next.rows;
    all.codes.extend(next.codes);
    all.scales.extend(next.scales);
    extend(&mut all.biases, next.biases);
    extend(&mut all.zeros, next.zeros);
    extend(&mut all.supers, next.supers);
    extend(&mut all.minima, next.minima);
    extend(&mut all.row_scales, next.row_scales);
}

/// Where a column's code lies in a run of 32 columns: bytes from the place of the run's first code,
/// which are the same for all rows and runs.
type Run = [(BitPlace, Option<BitPlace>); 32];

fn run_of(layout: BlockLayout) -> Run {
    let (begin, _) = layout.code_at(0, 0);
    let relative = |place: BitPlace| BitPlace { byte: place.byte - begin.byte, ..place };
    std::array::from_fn(|column| {
        let (low, high) = layout.code_at(0, column);
        (relative(low), high.map(relative))
    })
}

/// The band of up to 16 rows; rows that are not there stay zero. The error is a number that the
/// layout has no room for.
fn write_band(layout: BlockLayout, run: &Run, codes: &Codes, band: &mut [u8]) -> Result<(), u8> {
    for row in 0..codes.rows {
        if let Some(place) = layout.row_scale_at(row) {
            let scales = codes.row_scales.as_ref().expect("the format has row scales");
            band[place].copy_from_slice(&scales[row].to_le_bytes());
        }
        write_supers(layout, codes, row, band);
        for first in (0..codes.columns).step_by(layout.columns()) {
            write_group(layout, codes, row, first, band)?;
        }
        let codes = &codes.codes[row * codes.columns..][..codes.columns];
        for (index, codes) in codes.chunks_exact(32).enumerate() {
            let begin = layout.code_at(row, index * 32).0.byte;
            for (code, (low, high)) in codes.iter().zip(run) {
                band[begin + low.byte] |= (code & (0xff >> (8 - low.bits))) << low.shift;
                if let Some(high) = high {
                    band[begin + high.byte] |= code >> low.bits << high.shift;
                }
            }
        }
    }
    Ok(())
}

/// The numbers for 256 columns each.
fn write_supers(layout: BlockLayout, codes: &Codes, row: usize, band: &mut [u8]) {
    let Some(supers) = &codes.supers else { return };
    let units = codes.columns / layout.unit();
    for (unit, [scale, minimum]) in supers[row * units..][..units].iter().enumerate() {
        let column = unit * layout.unit();
        let places = [layout.super_at(row, column), layout.super_minimum_at(row, column)];
        for (place, half) in places.into_iter().zip([scale, minimum]) {
            if let Some(place) = place {
                band[place].copy_from_slice(&half.to_le_bytes());
            }
        }
    }
}

/// The numbers of the group that begins at column `first`.
fn write_group(
    layout: BlockLayout,
    codes: &Codes,
    row: usize,
    first: usize,
    band: &mut [u8],
) -> Result<(), u8> {
    let (size, at) = (layout.scale.bytes(), (row * codes.columns + first) / layout.columns());
    let scale = &codes.scales[at * size..][..size];
    if let Some(place) = layout.scale_at(row, first) {
        band[place].copy_from_slice(scale);
    }
    if let Some(place) = layout.bias_at(row, first) {
        let biases = codes.biases.as_ref().expect("the form has biases");
        band[place].copy_from_slice(&biases[at * size..][..size]);
    }
    if let Some(byte) = layout.zero_at(row, first) {
        band[byte] = codes.zeros.as_ref().expect("the form has zeros")[at];
    }
    if let Some(place) = layout.sub_scale_at(row, first) {
        put(place, scale[0], band)?;
    }
    if let Some(place) = layout.minimum_at(row, first) {
        put(place, codes.minima.as_ref().expect("the form has minima")[at], band)?;
    }
    Ok(())
}

fn put(place: BitPlace, value: u8, band: &mut [u8]) -> Result<(), u8> {
    if value > 0xff >> (8 - place.bits) {
        return Err(value);
    }
    band[place.byte] |= value << place.shift;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The format that a layout keeps.
    fn format_of(layout: BlockLayout) -> BlockFormat {
        BlockFormat {
            code: match layout.code {
                BlockCode::Unsigned(bits) => CodeType::Unsigned(bits),
                BlockCode::E2M1 => CodeType::E2M1,
                BlockCode::Iq4 => CodeType::Iq4,
                BlockCode::E4M3 => CodeType::E4M3,
            },
            group: layout.group,
            scale: match layout.scale {
                BlockScale::F16 => ScaleType::F16,
                BlockScale::Bf16 => ScaleType::Bf16,
                BlockScale::F32 => ScaleType::F32,
                BlockScale::E8M0 => ScaleType::E8M0,
                BlockScale::E4M3 => ScaleType::E4M3,
                BlockScale::One => ScaleType::One,
                BlockScale::Super => ScaleType::Super,
            },
            form: match layout.form {
                BlockForm::Plain => StoredForm::Plain,
                BlockForm::Middle => StoredForm::Middle,
                BlockForm::Bias => StoredForm::Bias,
                BlockForm::Zero => StoredForm::Zero,
                BlockForm::Minimum => StoredForm::Minimum,
            },
            row_scale: layout.row_scale,
        }
    }

    /// Whether scales and minima have 4 bits.
    fn is_narrow(layout: BlockLayout) -> bool {
        layout.code == BlockCode::Unsigned(2) && layout.form == BlockForm::Minimum
    }

    /// Codes of `rows` rows, all bytes counted up: no number is like its neighbours.
    fn counted(layout: BlockLayout, rows: usize, columns: usize) -> Codes {
        let groups = rows * columns / layout.columns();
        let bytes =
            |step: u8, most: u8| (0..).map(move |at: usize| (at as u8).wrapping_mul(step) & most);
        let numbers = |step: u8| -> Vec<u8> {
            // Exponents stay below those of NaN and infinity.
            bytes(step, if is_narrow(layout) { 0x0f } else { 0x3f })
                .take(groups * layout.scale.bytes())
                .collect()
        };
        let most =
            if layout.code == BlockCode::E4M3 { 0x77 } else { 0xff >> (8 - layout.code.bits()) };
        let halves =
            (0..rows * columns / 256).map(|at| [0x2c00 + at as u16, 0x3000 + 3 * at as u16]);
        let form = |wanted: BlockForm| (layout.form == wanted).then_some(());
        Codes {
            format: format_of(layout),
            rows,
            columns,
            codes: bytes(37, most).take(rows * columns).collect(),
            scales: numbers(11),
            biases: form(BlockForm::Bias).map(|()| numbers(29)),
            zeros: form(BlockForm::Zero).map(|()| bytes(7, 0xff).take(groups).collect()),
            supers: (layout.scale == BlockScale::Super).then(|| halves.collect()),
            minima: form(BlockForm::Minimum).map(|()| {
                bytes(3, if is_narrow(layout) { 15 } else { 0xff }).take(groups).collect()
            }),
            row_scales: layout.row_scale.then(|| (0..rows).map(|row| 1.5 + row as f32).collect()),
        }
    }

    /// The value of a column by what the codes say of it.
    fn value_of(layout: BlockLayout, codes: &Codes, row: usize, column: usize) -> f32 {
        let at = row * codes.columns + column;
        let (group, unit) = (at / layout.columns(), at / 256);
        let half = |index: usize| {
            let supers = codes.supers.as_ref().expect("super scales");
            half::f16::from_bits(supers[unit][index]).to_f32()
        };
        let stored = |all: &[u8]| {
            let size = layout.scale.bytes();
            layout.scale.value(&all[group * size..][..size])
        };
        let scale = match &codes.supers {
            Some(_) => half(0) * stored(&codes.scales),
            None => stored(&codes.scales),
        };
        let offset = match layout.form {
            BlockForm::Bias => stored(codes.biases.as_ref().expect("biases")),
            BlockForm::Zero => codes.zeros.as_ref().expect("zeros")[group].into(),
            BlockForm::Minimum => {
                half(1) * f32::from(codes.minima.as_ref().expect("minima")[group])
            }
            BlockForm::Plain | BlockForm::Middle => 0.0,
        };
        let value = layout.value(codes.codes[at], scale, offset);
        codes.row_scales.as_ref().map_or(value, |scales| scales[row] * value)
    }

    #[test]
    fn bands_hold_every_code_and_scale_of_every_format() {
        for layout in BlockLayout::all() {
            assert_eq!(block_layout(format_of(layout)), Some(layout));
            let (rows, columns) = (5, 256);
            let codes = counted(layout, rows, columns);
            let mut band = vec![0; layout.band_bytes(columns)];
            write_band(layout, &run_of(layout), &codes, &mut band).expect("there is room");
            for row in 0..BlockLayout::ROWS {
                let found = layout.decode_row(|at| band[at], row, columns);
                if row >= rows {
                    let codes = (0..columns).map(|column| layout.code_at(row, column).0);
                    assert!(
                        codes.into_iter().all(|place| place.get(|at| band[at]) == 0),
                        "{layout}"
                    );
                    continue;
                }
                for (column, found) in found.into_iter().enumerate() {
                    let expected = value_of(layout, &codes, row, column);
                    let context = format!("{layout} row {row} column {column}");
                    assert_eq!(
                        found.to_bits(),
                        expected.to_bits(),
                        "{context}: {found} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn numbers_without_room_are_refused() {
        let narrow = BlockLayout::all().find(|layout| is_narrow(*layout)).expect("Q2_K is one");
        let mut codes = counted(narrow, 1, 256);
        codes.minima.as_mut().expect("minima")[3] = 16;
        let mut band = vec![0; narrow.band_bytes(256)];
        assert_eq!(write_band(narrow, &run_of(narrow), &codes, &mut band), Err(16));
    }
}
