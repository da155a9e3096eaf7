//! What atomic operations make of a value in memory.

use super::float::{max32, max64, min32, min64};

/// An atomic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the instructions")]
pub enum Update {
    Add,
    Sub,
    ReverseSub,
    SubClamped,
    MinSigned,
    MinUnsigned,
    MaxSigned,
    MaxUnsigned,
    And,
    Or,
    Xor,
    Increment,
    Decrement,
    Swap,
    CompareSwap,
    AddFloat,
    MinFloat,
    MaxFloat,
}

impl Update {
    /// By the name behind `atomic_` or `ds_`, like `add_u32` or `cmpswap_b64`: the operation, and its bytes.
    pub fn parse(name: &str) -> Option<(Update, usize)> {
        let (name, kind) = name.rsplit_once('_')?;
        let name = name.strip_suffix("_rtn").unwrap_or(name);
        let bytes = if kind.ends_with("64") { 8 } else { 4 };
        let is_float = kind.starts_with('f');
        let is_signed = kind.starts_with('i');
        let update = match name {
            "add" if is_float => Update::AddFloat,
            "add" => Update::Add,
            "sub" => Update::Sub,
            "rsub" => Update::ReverseSub,
            "csub" => Update::SubClamped,
            "min" if is_float => Update::MinFloat,
            "max" if is_float => Update::MaxFloat,
            "min" if is_signed => Update::MinSigned,
            "max" if is_signed => Update::MaxSigned,
            "min" => Update::MinUnsigned,
            "max" => Update::MaxUnsigned,
            "and" => Update::And,
            "or" => Update::Or,
            "xor" => Update::Xor,
            "inc" => Update::Increment,
            "dec" => Update::Decrement,
            "swap" | "storexchg" => Update::Swap,
            "cmpswap" | "cmpstore" if !is_float => Update::CompareSwap,
            _ => return None,
        };
        Some((update, bytes))
    }

    /// The new value of 4 or 8 bytes. `compare` is only used by [`Update::CompareSwap`].
    pub fn apply(self, old: u64, data: u64, compare: u64, bytes: usize) -> u64 {
        let mask = if bytes == 8 { !0 } else { 0xffff_ffff };
        let signed = |value: u64| {
            if bytes == 8 { value as i64 } else { i64::from(value as u32 as i32) }
        };
        let floats = |single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64| {
            if bytes == 8 {
                double(f64::from_bits(old), f64::from_bits(data)).to_bits()
            } else {
                let (old, data) = (f32::from_bits(old as u32), f32::from_bits(data as u32));
                single(old, data).to_bits().into()
            }
        };
        let new = match self {
            Update::Add => old.wrapping_add(data),
            Update::Sub => old.wrapping_sub(data),
            Update::ReverseSub => data.wrapping_sub(old),
            Update::SubClamped => old.saturating_sub(data),
            Update::MinSigned => signed(old).min(signed(data)) as u64,
            Update::MaxSigned => signed(old).max(signed(data)) as u64,
            Update::MinUnsigned => old.min(data),
            Update::MaxUnsigned => old.max(data),
            Update::And => old & data,
            Update::Or => old | data,
            Update::Xor => old ^ data,
            Update::Increment => {
                if old >= data {
                    0
                } else {
                    old + 1
                }
            }
            Update::Decrement => {
                if old == 0 || old > data {
                    data
                } else {
                    old - 1
                }
            }
            Update::Swap => data,
            Update::CompareSwap => {
                if old == compare {
                    data
                } else {
                    old
                }
            }
            Update::AddFloat => floats(|a, b| a + b, |a, b| a + b),
            Update::MinFloat => floats(min32, min64),
            Update::MaxFloat => floats(max32, max64),
        };
        new & mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_results() {
        for (name, old, data, expected) in [
            ("add_u32", 0xffff_ffff, 2, 1),
            ("min_i32", 0xffff_fffe, 1, 0xffff_fffe),
            ("min_u32", 0xffff_fffe, 1, 1),
            ("max_rtn_u64", 5, 7, 7),
            ("inc_u32", 7, 7, 0),
            ("dec_u32", 0, 7, 7),
            ("csub_u32", 3, 7, 0),
            (
                "add_f32",
                1.5f32.to_bits().into(),
                2.25f32.to_bits().into(),
                3.75f32.to_bits().into(),
            ),
        ] {
            let (update, bytes) = Update::parse(name).unwrap();
            assert_eq!(update.apply(old, data, 0, bytes), expected, "{name}");
        }
        assert_eq!(Update::CompareSwap.apply(4, 9, 4, 4), 9);
        assert_eq!(Update::CompareSwap.apply(5, 9, 4, 4), 5);
        assert_eq!(Update::parse("mskor_b32"), None);
    }
}
