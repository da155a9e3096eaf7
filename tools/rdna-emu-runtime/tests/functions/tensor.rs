//! Types of tensors as their text says them, and numbers for them.

use half::{bf16, f16};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a tensor's elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    F16,
    Bf16,
    F32,
    /// A truth value: one byte.
    I1,
    I8,
    I32,
    I64,
    U8,
    U32,
    U64,
}

impl Element {
    const ALL: [(&'static str, Element, usize); 10] = [
        ("f16", Element::F16, 2),
        ("bf16", Element::Bf16, 2),
        ("f32", Element::F32, 4),
        ("i1", Element::I1, 1),
        ("i8", Element::I8, 1),
        ("i32", Element::I32, 4),
        ("i64", Element::I64, 8),
        ("ui8", Element::U8, 1),
        ("ui32", Element::U32, 4),
        ("ui64", Element::U64, 8),
    ];

    /// The element of that name.
    pub fn named(name: &str) -> Self {
        let row = Self::ALL.iter().find(|row| row.0 == name);
        row.unwrap_or_else(|| panic!("no element type `{name}`")).1
    }

    /// Its name in MLIR.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its size in bytes.
    pub fn size(self) -> usize {
        self.row().2
    }

    pub fn is_float(self) -> bool {
        matches!(self, Element::F16 | Element::Bf16 | Element::F32)
    }

    fn row(self) -> &'static (&'static str, Element, usize) {
        Self::ALL.iter().find(|row| row.1 == self).expect("all elements are listed")
    }

    /// A number as this type's bytes: floats to the nearest, whole numbers wrapped.
    pub fn encode(self, value: f64) -> Vec<u8> {
        match self {
            Element::F16 => f16::from_f64(value).to_le_bytes().to_vec(),
            Element::Bf16 => bf16::from_f64(value).to_le_bytes().to_vec(),
            Element::F32 => (value as f32).to_le_bytes().to_vec(),
            _ => (value as i64).to_le_bytes()[..self.size()].to_vec(),
        }
    }

    /// The number that such bytes are.
    pub fn decode(self, bytes: &[u8]) -> f64 {
        let bits = self.bits(bytes);
        match self {
            Element::F16 => f16::from_bits(bits as u16).to_f64(),
            Element::Bf16 => bf16::from_bits(bits as u16).to_f64(),
            Element::F32 => f32::from_bits(bits as u32).into(),
            Element::I8 => f64::from(bits as i8),
            Element::I32 => f64::from(bits as i32),
            Element::I64 => bits as i64 as f64,
            Element::I1 | Element::U8 | Element::U32 | Element::U64 => bits as f64,
        }
    }

    /// A float's place among all floats of its type, so that neighbours differ by 1.
    pub fn rank(self, bytes: &[u8]) -> i64 {
        let bits = self.bits(bytes) as i64;
        let sign = 1 << (8 * self.size() - 1);
        if bits & sign == 0 { bits } else { sign - bits }
    }

    fn bits(self, bytes: &[u8]) -> u64 {
        bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    }
}

/// The size that functions of any size are called with.
const ANY_SIZE: usize = 17;

/// A tensor's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    pub shape: Vec<usize>,
    pub element: Element,
}

impl Tensor {
    /// Reads `4x5xf16`; a `?` is a size of our choice.
    pub fn parse(text: &str) -> Self {
        let mut parts: Vec<&str> = text.split('x').collect();
        let element = Element::named(parts.pop().expect("a split has a last part"));
        let size = |part: &&str| match *part {
            "?" => ANY_SIZE,
            part => part.parse().unwrap_or_else(|_| panic!("size `{part}` of tensor<{text}>")),
        };
        Tensor { shape: parts.iter().map(size).collect(), element }
    }

    /// `4x5xf16`, sizes filled in.
    pub fn text(&self) -> String {
        let sizes = self.shape.iter().map(|size| format!("{size}x"));
        sizes.collect::<String>() + self.element.name()
    }

    /// The number of its elements.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// How an input's numbers are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fill {
    /// Around 0, normally distributed, with that deviation.
    Normal(f64),
    /// Between the two, evenly.
    Even(f64, f64),
    /// Whole numbers between the two, both included.
    Whole(i64, i64),
    /// These, repeated.
    Values(&'static [f64]),
}

impl Fill {
    /// What inputs of a type are when nothing else is asked for.
    pub fn usual(element: Element) -> Self {
        match element {
            Element::F16 | Element::Bf16 | Element::F32 => Fill::Normal(1.0),
            Element::I1 => Fill::Whole(0, 1),
            Element::U8 => Fill::Whole(0, 255),
            Element::I8 => Fill::Whole(-128, 127),
            _ => Fill::Whole(1, 99),
        }
    }

    /// A tensor's bytes. The same seed gives the same.
    pub fn bytes(self, tensor: &Tensor, seed: u64) -> Vec<u8> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        (0..tensor.count())
            .flat_map(|at| tensor.element.encode(self.value(at, &mut random)))
            .collect()
    }

    fn value(self, at: usize, random: &mut ChaCha8Rng) -> f64 {
        match self {
            Fill::Normal(deviation) => {
                // Box and Muller.
                let (radius, turn) = (1.0 - random.random::<f64>(), random.random::<f64>());
                deviation * (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * turn).cos()
            }
            Fill::Even(low, high) => random.random_range(low..high),
            Fill::Whole(low, high) => random.random_range(low..=high) as f64,
            Fill::Values(values) => values[at % values.len()],
        }
    }
}
