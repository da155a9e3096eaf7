//! `rope_parameters` from GGUF metadata and factor tensors.

use serde_json::{Map, Value, json};

use super::config::Fields;
use crate::error::Error;

/// The parameters of the (global) rotary embedding, in transformers 5's form.
pub(super) fn parameters(
    fields: &Fields<'_>,
    head_dim: u64,
    context: u64,
) -> Result<Map<String, Value>, Error> {
    let theta = fields.optional_float("rope.freq_base")?.unwrap_or(10_000.0);
    let mut rope = Map::from_iter([("rope_theta".into(), json!(theta))]);
    let rotary = fields.optional_size("rope.dimension_count")?.unwrap_or(head_dim);
    if rotary != head_dim {
        if fields.architecture.gguf != "phi3" || rotary > head_dim {
            let expected = format!("{head_dim}, the head dimension");
            return Err(fields.wrong("rope.dimension_count", &rotary.to_string(), &expected));
        }
        rope.insert("partial_rotary_factor".into(), json!(rotary as f64 / head_dim as f64));
    }
    scaling(fields, &mut rope, context, rotary)?;
    Ok(rope)
}

fn scaling(
    fields: &Fields<'_>,
    rope: &mut Map<String, Value>,
    context: u64,
    rotary: u64,
) -> Result<(), Error> {
    let kind = fields.optional_string("rope.scaling.type")?;
    let factor = match fields.optional_float("rope.scaling.factor")? {
        Some(factor) => Some(factor),
        // The oldest files have only this key, for linear scaling.
        None => fields.optional_float("rope.scale_linear")?,
    };
    let original = fields.optional_size("rope.scaling.original_context_length")?;
    let attention = fields.optional_float("rope.scaling.attn_factor")?;
    let long = fields.factors("rope_factors_long.weight")?;
    let short = fields.factors("rope_factors_short.weight")?;
    let mut set = |key: &str, value: Value| rope.insert(key.into(), value);
    if let (Some(long), Some(short)) = (long, short) {
        check_count(fields, "rope_factors_long.weight", &long, rotary)?;
        check_count(fields, "rope_factors_short.weight", &short, rotary)?;
        set("rope_type", json!("longrope"));
        set("long_factor", json!(long));
        set("short_factor", json!(short));
        set("original_max_position_embeddings", json!(original.unwrap_or(context)));
        if let Some(attention) = attention {
            set("attention_factor", json!(attention));
        }
        return Ok(());
    }
    if let Some(factors) = fields.factors("rope_freqs.weight")? {
        check_count(fields, "rope_freqs.weight", &factors, rotary)?;
        frequency_factors(rope, factors, context, rotary);
        return Ok(());
    }
    match (kind, factor.filter(|&factor| factor != 1.0)) {
        (None | Some("none"), None) => {
            set("rope_type", json!("default"));
        }
        (None | Some("linear"), factor) => {
            set("rope_type", json!(if factor.is_some() { "linear" } else { "default" }));
            if let Some(factor) = factor {
                set("factor", json!(factor));
            }
        }
        (Some("yarn"), Some(factor)) => {
            set("rope_type", json!("yarn"));
            set("factor", json!(factor));
            set("original_max_position_embeddings", json!(original.unwrap_or(context)));
            // llama.cpp multiplies this onto the default; transformers replaces the default.
            if let Some(attention) = attention {
                set("attention_factor", json!(attention * (0.1 * factor.ln() + 1.0)));
            }
            for (key, field) in [("beta_fast", "yarn_beta_fast"), ("beta_slow", "yarn_beta_slow")] {
                if let Some(value) = fields.optional_float(&format!("rope.scaling.{field}"))? {
                    set(key, json!(value));
                }
            }
        }
        (Some(other), _) => {
            let expected = "none, linear, yarn with a factor, or longrope with its factor tensors";
            return Err(fields.wrong("rope.scaling.type", &format!("{other:?}"), expected));
        }
    }
    Ok(())
}

/// Frequencies divided one by one: llama 3's scaling where the numbers are that, otherwise the same
/// division spelled as a longrope whose two lists are equal.
fn frequency_factors(rope: &mut Map<String, Value>, factors: Vec<f64>, context: u64, rotary: u64) {
    const ORIGINAL: f64 = 8192.0;
    let theta = rope["rope_theta"].as_f64().expect("set by the caller");
    let factor = factors.iter().copied().fold(1.0, f64::max);
    let (low, high) = (1.0, 4.0);
    let expected = |pair: usize| {
        let wavelength = std::f64::consts::TAU * theta.powf(2.0 * pair as f64 / rotary as f64);
        let smooth = ((ORIGINAL / wavelength - low) / (high - low)).clamp(0.0, 1.0);
        1.0 / ((1.0 - smooth) / factor + smooth)
    };
    let is_llama3 =
        factors.iter().enumerate().all(|(pair, &f)| (f / expected(pair) - 1.0).abs() < 1e-4);
    let mut set = |key: &str, value: Value| rope.insert(key.into(), value);
    if is_llama3 {
        set("rope_type", json!("llama3"));
        set("factor", json!(factor));
        set("low_freq_factor", json!(low));
        set("high_freq_factor", json!(high));
        set("original_max_position_embeddings", json!(8192));
    } else {
        set("rope_type", json!("longrope"));
        set("long_factor", json!(factors));
        set("short_factor", json!(factors));
        set("attention_factor", json!(1.0));
        set("original_max_position_embeddings", json!(context));
    }
}

fn check_count(
    fields: &Fields<'_>,
    tensor: &str,
    factors: &[f64],
    rotary: u64,
) -> Result<(), Error> {
    let valid = factors.iter().all(|factor| factor.is_finite() && *factor > 0.0);
    if factors.len() as u64 == rotary / 2 && valid {
        return Ok(());
    }
    Err(Error::TensorBytes {
        file: fields.file.to_path_buf(),
        tensor: tensor.into(),
        found: format!(
            "{} factors{}",
            factors.len(),
            if valid { "" } else { ", not all positive" }
        ),
        expected: format!("{} positive numbers, one for each rotated pair", rotary / 2),
    })
}
