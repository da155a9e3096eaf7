//! What most decoders read alike: sizes, and which layers have a window.

use serde_json::{Map, Value};

use super::{Fields, range, shortened};
use crate::error::Error;

/// The sizes that every decoder has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Width of the residual stream.
    pub hidden: usize,
    /// Width inside the MLP.
    pub intermediate: usize,
    /// Number of blocks.
    pub layers: usize,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads.
    pub kv_heads: usize,
    /// Width of a head.
    pub head_dim: usize,
    /// Rows of the embedding.
    pub vocabulary: usize,
    /// Positions that the model was made for.
    pub positions: usize,
}

/// What a size is where the configuration does not say it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SizeDefaults {
    /// `head_dim`; `None` is `hidden_size / num_attention_heads`.
    pub head_dim: Option<usize>,
    /// Whether an absent `num_key_value_heads` means one for each query head.
    pub kv_heads: bool,
}

impl Sizes {
    /// Reads the sizes and checks that they fit each other.
    pub fn read(fields: &Fields<'_>, defaults: SizeDefaults) -> Result<Self, Error> {
        let layers = fields.size("num_hidden_layers", 1 << 12)?;
        Self::of(fields, defaults, layers, intermediate(fields)?)
    }

    /// The same of a model whose layers are counted elsewhere.
    pub fn of_layers(
        fields: &Fields<'_>,
        defaults: SizeDefaults,
        layers: usize,
    ) -> Result<Self, Error> {
        Self::of(fields, defaults, layers, intermediate(fields)?)
    }

    /// As [`read`](Self::read), of a model that reads the widths of its MLPs itself.
    pub fn read_but_width(
        fields: &Fields<'_>,
        defaults: SizeDefaults,
        intermediate: usize,
    ) -> Result<Self, Error> {
        let layers = fields.size("num_hidden_layers", 1 << 12)?;
        Self::of(fields, defaults, layers, intermediate)
    }

    /// As [`read`](Self::read), of a model made for this many positions where its configuration does
    /// not say it.
    pub fn read_with_positions(
        fields: &Fields<'_>,
        defaults: SizeDefaults,
        positions: usize,
    ) -> Result<Self, Error> {
        let layers = fields.size("num_hidden_layers", 1 << 12)?;
        let positions = match fields.stands("max_position_embeddings") {
            true => most_positions(fields)?,
            false => positions,
        };
        Self::made_for(fields, defaults, [layers, intermediate(fields)?, positions])
    }

    fn of(
        fields: &Fields<'_>,
        defaults: SizeDefaults,
        layers: usize,
        intermediate: usize,
    ) -> Result<Self, Error> {
        Self::made_for(fields, defaults, [layers, intermediate, most_positions(fields)?])
    }

    fn made_for(
        fields: &Fields<'_>,
        defaults: SizeDefaults,
        [layers, intermediate, positions]: [usize; 3],
    ) -> Result<Self, Error> {
        let hidden = fields.size("hidden_size", 1 << 20)?;
        let heads = fields.size("num_attention_heads", 1 << 12)?;
        Ok(Self {
            hidden,
            intermediate,
            layers,
            heads,
            kv_heads: kv_heads(fields, heads, defaults.kv_heads)?,
            head_dim: head_dim(fields, hidden, heads, defaults.head_dim)?,
            vocabulary: fields.size("vocab_size", 1 << 24)?,
            positions,
        })
    }
}

/// Positions are i32, and a step counts a few past the last.
fn most_positions(fields: &Fields<'_>) -> Result<usize, Error> {
    fields.size("max_position_embeddings", 1 << 30)
}

/// `intermediate_size`; where every layer has experts their width may stand alone.
fn intermediate(fields: &Fields<'_>) -> Result<usize, Error> {
    let name = "intermediate_size";
    match fields.stands(name) {
        false if fields.stands("moe_intermediate_size") => {
            fields.size("moe_intermediate_size", 1 << 22)
        }
        _ => fields.size(name, 1 << 22),
    }
}

fn kv_heads(fields: &Fields<'_>, heads: usize, default: bool) -> Result<usize, Error> {
    let name = "num_key_value_heads";
    if !default && !fields.stands(name) {
        return Err(fields.missing(name, &range(heads)));
    }
    let kv_heads = fields.optional_size(name, heads)?.unwrap_or(heads);
    if heads.is_multiple_of(kv_heads) {
        return Ok(kv_heads);
    }
    Err(fields.wrong(name, &format!("a divisor of num_attention_heads, {heads}")))
}

fn head_dim(
    fields: &Fields<'_>,
    hidden: usize,
    heads: usize,
    default: Option<usize>,
) -> Result<usize, Error> {
    let said = fields.optional_size("head_dim", 1 << 14)?.or(default);
    if said.is_none() && !hidden.is_multiple_of(heads) {
        let expected = format!("a divisor of hidden_size, {hidden}, or a head_dim");
        return Err(fields.wrong("num_attention_heads", &expected));
    }
    let head_dim = said.unwrap_or(hidden / heads);
    if head_dim.is_multiple_of(2) {
        return Ok(head_dim);
    }
    let found = format!("{head_dim}");
    Err(fields.wrong_as("head_dim", found, "an even size, as rotary embeddings turn pairs"))
}

/// `sliding_window`: as transformers has it, `default` where the field is absent and none
/// where it is null.
pub fn window(fields: &Fields<'_>, default: usize) -> Result<Option<usize>, Error> {
    let name = "sliding_window";
    if !fields.stands(name) {
        return Ok(Some(default));
    }
    fields.optional_size(name, 1 << 30)
}

/// The window of each layer: from `layer_types`, or where that is absent from `slides`.
pub fn layer_windows(
    fields: &Fields<'_>,
    layers: usize,
    window: Option<usize>,
    slides: impl Fn(usize) -> bool,
) -> Result<Vec<Option<usize>>, Error> {
    let name = "layer_types";
    let Some(types) = fields.texts(name)? else {
        return Ok((0..layers).map(|layer| window.filter(|_| slides(layer))).collect());
    };
    if types.len() != layers {
        let expected = format!("{layers} entries, as num_hidden_layers says");
        return Err(fields.wrong_as(name, format!("a list of {}", types.len()), &expected));
    }
    let of = |name_of: &&str| match (*name_of, window) {
        ("full_attention", _) => Ok(None),
        ("sliding_attention", Some(window)) => Ok(Some(window)),
        ("sliding_attention", None) => {
            Err(fields.wrong_as(name, (*name_of).into(), "full_attention: there is no window"))
        }
        _ => {
            let expected = "full_attention or sliding_attention";
            Err(fields.wrong_as(name, format!("{name_of:?}"), expected))
        }
    };
    types.iter().map(of).collect()
}

/// As [`layer_windows`], with a `sliding_window` of 4096 where none is said. A window of null is
/// refused: with it the layers' kinds would be lost, which decide more than the window.
pub fn layers_of_two_kinds(
    fields: &Fields<'_>,
    layers: usize,
    slides: impl Fn(usize) -> bool,
) -> Result<Vec<Option<usize>>, Error> {
    let window = window(fields, 4096)?;
    let windows = layer_windows(fields, layers, window, slides)?;
    match window {
        None => Err(fields.wrong("sliding_window", "a size of at least 1")),
        Some(_) => Ok(windows),
    }
}

/// How many layers behind the last a file holds that predict further tokens, which nothing here reads:
/// `num_nextn_predict_layers`, in other files `num_mtp_layers`.
pub fn further_layers(fields: &Fields<'_>) -> Result<usize, Error> {
    let said = fields.optional_count("num_nextn_predict_layers", 1 << 12)?;
    let other = fields.optional_count("num_mtp_layers", 1 << 12)?;
    Ok(said.or(other).unwrap_or(0))
}

/// The fields that give tensors their shapes, as the configuration has them: what a person
/// needs to see beside a wrong shape.
pub fn sizes_text(config: &Map<String, Value>) -> String {
    const NAMES: [&str; 8] = [
        "hidden_size",
        "intermediate_size",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "vocab_size",
        "attention_bias",
        "tie_word_embeddings",
    ];
    let say = |name: &&str| match config.get(*name) {
        Some(value) => format!("{name} = {}", shortened(value)),
        None => format!("{name} absent"),
    };
    NAMES.iter().map(say).collect::<Vec<_>>().join(", ")
}

/// The window of each layer: none unless `use_sliding_window`; without `layer_types` the
/// layers from `max_window_layers` on have it.
pub fn late_windows(fields: &Fields<'_>, layers: usize) -> Result<Vec<Option<usize>>, Error> {
    let window = window(fields, 4096)?;
    let on = fields.flag("use_sliding_window", false)?;
    let first = fields.optional_count("max_window_layers", 1 << 30)?.unwrap_or(28);
    layer_windows(fields, layers, window.filter(|_| on), |layer| layer >= first)
}
