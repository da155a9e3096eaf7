//! A limit of `multipleOf`, the one keyword whose cost llguidance does not count.
//!
//! A number that is a multiple of M is read by a machine with a state for each remainder, and all of
//! them are visited when the grammar is compiled. Two multiples that hold for one value become their
//! least common multiple, which is computed in 32 bits.

use serde_json::{Deserializer, Value};

use super::GrammarError;
use super::source::GrammarSource;

/// The largest multiple, and the largest least common multiple of a schema's. The product of two of
/// them has 32 bits.
const LARGEST: u64 = 50_000;
/// The most decimal places of one.
const MOST_PLACES: u32 = 6;
/// The keywords by which two schemas may hold for one value.
const JOINING: [&str; 4] = ["allOf", "anyOf", "oneOf", "$ref"];

/// Checks every schema of a grammar, those within Lark too.
pub(super) fn check(source: &GrammarSource) -> Result<(), GrammarError> {
    match source {
        GrammarSource::JsonSchema(schema) => check_schema(schema),
        GrammarSource::Lark(text) => {
            let schemas = text.split("%json").skip(1);
            // What is no JSON is the compiler's to refuse.
            let parsed = |text| Deserializer::from_str(text).into_iter::<Value>().next();
            schemas.filter_map(parsed).flatten().try_for_each(|schema| check_schema(&schema))
        }
        _ => Ok(()),
    }
}

fn check_schema(schema: &Value) -> Result<(), GrammarError> {
    let mut found = Found::default();
    found.visit(schema)?;
    let places = found.multiples.iter().map(|multiple| multiple.places).max().unwrap_or(0);
    let scaled = |multiple: &Multiple| multiple.digits * 10u64.pow(places - multiple.places);
    let joined = found.multiples.iter().try_fold(1, |joined, multiple| {
        let all = lcm(joined, scaled(multiple).max(1));
        (all <= LARGEST).then_some(all)
    });
    match joined {
        None if found.is_joining => Err(GrammarError::new(format!(
            "the schema's `multipleOf` together are too fine: their least common multiple may be \
             {LARGEST} at most"
        ))),
        _ => Ok(()),
    }
}

#[derive(Default)]
struct Found {
    multiples: Vec<Multiple>,
    is_joining: bool,
}

/// `digits` / 10^`places`.
struct Multiple {
    digits: u64,
    places: u32,
}

impl Found {
    fn visit(&mut self, value: &Value) -> Result<(), GrammarError> {
        match value {
            Value::Object(fields) => {
                for (name, inner) in fields {
                    self.is_joining |= JOINING.contains(&name.as_str());
                    match inner.as_f64().filter(|_| name == "multipleOf") {
                        Some(number) => self.multiples.push(Multiple::read(number)?),
                        None => self.visit(inner)?,
                    }
                }
                Ok(())
            }
            Value::Array(items) => items.iter().try_for_each(|item| self.visit(item)),
            _ => Ok(()),
        }
    }
}

impl Multiple {
    fn read(number: f64) -> Result<Self, GrammarError> {
        let (mut digits, mut places) = (number, 0);
        while digits.fract() != 0.0 && places <= MOST_PLACES {
            digits *= 10.0;
            places += 1;
        }
        if places > MOST_PLACES || !(0.0..=LARGEST as f64).contains(&digits) {
            return Err(GrammarError::new(format!(
                "`multipleOf` is {number}; it may have {MOST_PLACES} decimal places, and be \
                 {LARGEST} at most without its point"
            )));
        }
        Ok(Self { digits: digits as u64, places })
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
