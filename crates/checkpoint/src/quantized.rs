//! Quantized matrices whose codes, scales and zeros are tensors of their own: where each code and
//! number lies, and what they make.
//!
//! Every method takes the matrix's `[rows, columns]`; matrices of one shape under each other are
//! one matrix here.

use std::ops::Range;

use crate::codes::{BlockForm, BlockFormat, CodeType, Codes, ScaleType};
use crate::dtype::StoredType;
use crate::{floats, packed};

/// What belongs to a quantized matrix apart from its codes: `T` is a place in the checkpoint's files,
/// or the bytes there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantized<T> {
    /// What a code is.
    pub(crate) code: CodeType,
    /// Where the codes lie in their tensor.
    pub(crate) order: CodeOrder,
    /// `None` where every scale is 1.
    pub(crate) scales: Option<Grid<T>>,
    /// What moves codes before or after they are scaled.
    pub(crate) offset: Offset<T>,
    /// What multiplies whole rows.
    pub(crate) factor: Option<Factor<T>>,
    /// The group of each column, I32, where groups are not runs of columns.
    pub(crate) index: Option<T>,
}

/// Where codes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeOrder {
    /// A row's codes are one string of bits, the lowest of each byte first.
    Rows,
    /// Signed bytes, row after row: 128 less than the code.
    Signed,
    /// GPTQ: words `[columns × bits / 32, rows]`; a row's words are one string of bits.
    Columns,
    /// AWQ: words `[columns, rows / 8]` of eight codes of 4 bits in the order [`awq_shift`].
    Interleaved,
    /// BitNet: bytes `[rows / 4, columns]` of four codes of 2 bits, the lowest of the first quarter of
    /// rows; 1 less than the code.
    Quarters,
}

/// The scales of runs of columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid<T> {
    pub(crate) numbers: T,
    /// A floating-point type.
    pub(crate) dtype: StoredType,
    /// Rows under one scale.
    pub(crate) rows: usize,
    /// Columns under one scale.
    pub(crate) columns: usize,
    /// Stored as `[groups, rows]`.
    pub(crate) transposed: bool,
}

/// What moves codes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Offset<T> {
    /// Nothing.
    None,
    /// `2^(bits - 1)` is subtracted from codes.
    Middle,
    /// Added after scaling; stored as the scales are.
    Bias(T),
    /// Subtracted from codes.
    Zero(Zeros<T>),
}

/// A whole number for each scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zeros<T> {
    pub(crate) numbers: T,
    pub(crate) order: ZeroOrder,
    /// Bits of a zero, as of a code.
    pub(crate) bits: u8,
    /// What is added to the stored number, modulo `2^bits`.
    pub(crate) added: u8,
}

/// Where zeros lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ZeroOrder {
    /// Words `[groups, rows × bits / 32]`; those of a group are one string of bits.
    Groups,
    /// AWQ: words `[groups, rows / 8]` in the order [`awq_shift`].
    Interleaved,
    /// Words `[rows × bits / 32, groups]`; those of a group are one string of bits.
    Rows,
    /// Bytes `[rows, groups]`.
    Bytes,
}

/// One number for some rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factor<T> {
    pub(crate) numbers: T,
    /// A floating-point type.
    pub(crate) dtype: StoredType,
    /// Rows under one number.
    pub(crate) rows: usize,
    /// Rows are divided by the number: multiplied by its inverse in f32.
    pub(crate) divides: bool,
}

impl<T> Quantized<T> {
    /// The same of what `to` gives for each part.
    pub(crate) fn map<'a, U>(&'a self, to: impl Fn(&'a T) -> U) -> Quantized<U> {
        let scales = self.scales.as_ref().map(|grid| Grid {
            numbers: to(&grid.numbers),
            dtype: grid.dtype,
            rows: grid.rows,
            columns: grid.columns,
            transposed: grid.transposed,
        });
        let offset = match &self.offset {
            Offset::None => Offset::None,
            Offset::Middle => Offset::Middle,
            Offset::Bias(numbers) => Offset::Bias(to(numbers)),
            Offset::Zero(zeros) => Offset::Zero(Zeros {
                numbers: to(&zeros.numbers),
                order: zeros.order,
                bits: zeros.bits,
                added: zeros.added,
            }),
        };
        let factor = self.factor.as_ref().map(|factor| Factor {
            numbers: to(&factor.numbers),
            dtype: factor.dtype,
            rows: factor.rows,
            divides: factor.divides,
        });
        let index = self.index.as_ref().map(to);
        Quantized { code: self.code, order: self.order, scales, offset, factor, index }
    }
}

impl<'a> Quantized<&'a [u8]> {
    /// The size of all parts.
    pub(crate) fn bytes(&self) -> usize {
        let offset = match self.offset {
            Offset::None | Offset::Middle => 0,
            Offset::Bias(numbers) | Offset::Zero(Zeros { numbers, .. }) => numbers.len(),
        };
        let scales = self.scales.map_or(0, |grid| grid.numbers.len());
        let factor = self.factor.map_or(0, |factor| factor.numbers.len());
        scales + offset + factor + self.index.map_or(0, <[u8]>::len)
    }

    /// What the codes of a matrix with so many columns are, where they are handed out: groups are
    /// runs of columns, and cut into the largest that kernels have.
    pub(crate) fn block_format(&self, columns: usize) -> Option<BlockFormat> {
        if self.index.is_some() || !columns.is_multiple_of(32) {
            return None;
        }
        let scale = match self.scales.map(|grid| grid.dtype) {
            None => ScaleType::One,
            Some(StoredType::F16) => ScaleType::F16,
            Some(StoredType::Bf16) => ScaleType::Bf16,
            Some(StoredType::F32) => ScaleType::F32,
            Some(StoredType::F8E8M0) => ScaleType::E8M0,
            Some(StoredType::F8E4M3) => ScaleType::E4M3,
            Some(_) => return None,
        };
        let form = match self.offset {
            Offset::None => BlockForm::Plain,
            Offset::Middle => BlockForm::Middle,
            Offset::Bias(_) if scale == ScaleType::F32 => return None,
            Offset::Bias(_) => BlockForm::Bias,
            Offset::Zero(_) => BlockForm::Zero,
        };
        let group = match self.scales {
            None => 32,
            Some(grid) => [128, 64, 32, 16].into_iter().find(|&group| {
                let whole = grid.columns >= columns || grid.columns.is_multiple_of(group);
                columns.is_multiple_of(group) && whole
            })? as u16,
        };
        let row_scale = self.factor.is_some();
        Some(BlockFormat { code: self.code, group, scale, form, row_scale })
    }

    /// Adds a row to `to`, which has this matrix's [`Quantized::block_format`].
    pub(crate) fn push_row(&self, codes: &[u8], shape: [usize; 2], row: usize, to: &mut Codes) {
        let columns = shape[1];
        let begin = to.codes.len();
        to.codes.resize(begin + columns, 0);
        self.read_codes(codes, shape, row, 0, &mut to.codes[begin..]);
        for column in (0..columns).step_by(to.format.group.into()) {
            if let Some(grid) = &self.scales {
                let (at, size) =
                    (grid.at(shape, row, column / grid.columns), grid.dtype.block_bytes());
                let number = |numbers: &'a [u8]| &numbers[at * size..][..size];
                to.scales.extend(number(grid.numbers));
                if let (Offset::Bias(biases), Some(to)) = (self.offset, &mut to.biases) {
                    to.extend(number(biases));
                }
            }
            if let (Offset::Zero(zeros), Some(to)) = (self.offset, &mut to.zeros) {
                let [group, groups] = self.group(shape, column);
                to.push(zeros.of(shape[0], row, group, groups));
            }
        }
        if let (Some(factor), Some(to)) = (&self.factor, &mut to.row_scales) {
            to.push(factor.of(row));
        }
    }

    /// Decodes elements from `first` on, in the order of rows.
    pub(crate) fn decode(&self, codes: &[u8], shape: [usize; 2], first: usize, out: &mut [f32]) {
        let columns = shape[1];
        let mut done = 0;
        while done < out.len() {
            let (row, column) = ((first + done) / columns, (first + done) % columns);
            let length = (columns - column).min(out.len() - done);
            self.decode_row(codes, shape, row, column, &mut out[done..done + length]);
            done += length;
        }
    }

    /// Decodes part of a row, from column `first` on.
    fn decode_row(
        &self,
        codes: &[u8],
        shape: [usize; 2],
        row: usize,
        first: usize,
        out: &mut [f32],
    ) {
        // Columns whose group is said one by one are read one by one.
        let run = if self.index.is_some() { 1 } else { self.run(shape) };
        let factor = self.factor.map(|factor| factor.of(row));
        let mut buffer = [0u8; 128];
        let mut done = 0;
        while done < out.len() {
            let column = first + done;
            let length = (run - column % run).min(out.len() - done).min(buffer.len());
            let (out, codes_read) = (&mut out[done..done + length], &mut buffer[..length]);
            self.read_codes(codes, shape, row, column, codes_read);
            self.decode_run(shape, row, column, codes_read, out);
            if let Some(factor) = factor {
                out.iter_mut().for_each(|value| *value *= factor);
            }
            done += length;
        }
    }

    /// Decodes codes of one group.
    fn decode_run(
        &self,
        shape: [usize; 2],
        row: usize,
        column: usize,
        codes: &[u8],
        out: &mut [f32],
    ) {
        let [group, groups] = self.group(shape, column);
        let number = |grid: Grid<&[u8]>, numbers: &[u8]| {
            let (at, size) = (grid.at(shape, row, group), grid.dtype.block_bytes());
            floats::one(grid.dtype, &numbers[at * size..][..size])
        };
        let scale = self.scales.map_or(1.0, |grid| number(grid, grid.numbers));
        match (self.offset, self.code) {
            (Offset::None, CodeType::E2M1) => fill(out, codes, |code| scale * floats::e2m1(code)),
            (Offset::None, CodeType::E4M3) => fill(out, codes, |code| scale * floats::e4m3(code)),
            (Offset::None, _) => fill(out, codes, |code| scale * f32::from(code)),
            (Offset::Middle, code) => {
                let middle = f32::from(1u8 << (code.bits() - 1));
                fill(out, codes, |code| scale * (f32::from(code) - middle));
            }
            (Offset::Bias(biases), _) => {
                let bias = self.scales.map_or(0.0, |grid| number(grid, biases));
                fill(out, codes, |code| scale * f32::from(code) + bias);
            }
            (Offset::Zero(zeros), _) => {
                let zero = f32::from(zeros.of(shape[0], row, group, groups));
                fill(out, codes, |code| scale * (f32::from(code) - zero));
            }
        }
    }

    /// Columns under one scale.
    fn run(&self, shape: [usize; 2]) -> usize {
        self.scales.map_or(shape[1], |grid| grid.columns)
    }

    /// The group of a column, and how many groups a row has.
    fn group(&self, shape: [usize; 2], column: usize) -> [usize; 2] {
        let run = self.run(shape);
        let group = match self.index {
            None => column / run,
            Some(index) => {
                let bytes = &index[column * 4..][..4];
                u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
            }
        };
        [group, shape[1].div_ceil(run)]
    }

    /// The codes of a row from column `first` on.
    fn read_codes(
        &self,
        codes: &[u8],
        shape: [usize; 2],
        row: usize,
        first: usize,
        out: &mut [u8],
    ) {
        let [rows, columns] = shape;
        let bits = self.code.bits();
        match self.order {
            CodeOrder::Rows | CodeOrder::Signed => {
                let row_bytes = columns * usize::from(bits) / 8;
                let codes = &codes[row * row_bytes..][..row_bytes];
                if self.order == CodeOrder::Signed {
                    let signed = codes[first..].iter();
                    out.iter_mut().zip(signed).for_each(|(out, code)| *out = code ^ 0x80);
                } else {
                    let at = |index| packed::code(codes, bits, first + index);
                    out.iter_mut().enumerate().for_each(|(index, out)| *out = at(index));
                }
            }
            CodeOrder::Columns => {
                for (index, out) in out.iter_mut().enumerate() {
                    let word = |word| word_at(codes, word * rows + row);
                    *out = bits_of(word, bits, first + index);
                }
            }
            CodeOrder::Quarters => {
                let quarter = (rows / 4).max(1);
                let codes = &codes[row % quarter * columns + first..];
                let code = |byte: u8| (byte >> (2 * (row / quarter)) & 3).wrapping_add(1) & 3;
                out.iter_mut().zip(codes).for_each(|(out, byte)| *out = code(*byte));
            }
            CodeOrder::Interleaved => {
                for (index, out) in out.iter_mut().enumerate() {
                    let word = word_at(codes, (first + index) * (rows / 8) + row / 8);
                    *out = (word >> awq_shift(row) & 15) as u8;
                }
            }
        }
    }
}

impl<T> Grid<T> {
    /// The number of a group's scale.
    fn at(&self, [rows, columns]: [usize; 2], row: usize, group: usize) -> usize {
        if self.transposed {
            group * rows + row
        } else {
            row / self.rows * columns.div_ceil(self.columns) + group
        }
    }
}

impl Zeros<&[u8]> {
    /// The zero of a group in a matrix of so many rows and groups.
    fn of(&self, rows: usize, row: usize, group: usize, groups: usize) -> u8 {
        let words = (rows * usize::from(self.bits)).div_ceil(32);
        let stored = match self.order {
            ZeroOrder::Groups => {
                let word = |word| word_at(self.numbers, group * words + word);
                bits_of(word, self.bits, row)
            }
            ZeroOrder::Rows => {
                let word = |word| word_at(self.numbers, word * groups + group);
                bits_of(word, self.bits, row)
            }
            ZeroOrder::Interleaved => {
                let word = word_at(self.numbers, group * (rows / 8) + row / 8);
                (word >> awq_shift(row) & 15) as u8
            }
            ZeroOrder::Bytes => self.numbers[row * groups + group],
        };
        stored.wrapping_add(self.added) & (0xff >> (8 - self.bits))
    }
}

impl Factor<&[u8]> {
    /// The factor of a row.
    fn of(&self, row: usize) -> f32 {
        let size = self.dtype.block_bytes();
        let number = floats::one(self.dtype, &self.numbers[row / self.rows * size..][..size]);
        if self.divides { 1.0 / number } else { number }
    }
}

/// The bits of the code of `row` in AWQ's words: codes 0 to 7 are the nibbles 0, 4, 1, 5, 2, 6, 3, 7,
/// the lowest first.
fn awq_shift(row: usize) -> usize {
    let code = row % 8;
    4 * (code / 2 + code % 2 * 4)
}

/// Code `at` of a string of codes in words of 32 bits, the lowest first.
fn bits_of(word: impl Fn(usize) -> u32, bits: u8, at: usize) -> u8 {
    let bit = at * usize::from(bits);
    let Range { start, end } = bit..bit + usize::from(bits);
    let mut window = u64::from(word(start / 32));
    if end.div_ceil(32) > start / 32 + 1 {
        window |= u64::from(word(start / 32 + 1)) << 32;
    }
    (window >> (start % 32)) as u8 & (0xff >> (8 - bits))
}

fn word_at(bytes: &[u8], word: usize) -> u32 {
    let bytes = &bytes[word * 4..][..4];
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn fill(out: &mut [f32], codes: &[u8], value: impl Fn(u8) -> f32) {
    for (out, code) in out.iter_mut().zip(codes) {
        *out = value(*code);
    }
}
