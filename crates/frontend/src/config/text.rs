//! Text models inside models that also see or hear.

use serde_json::Value;

use super::Fields;
use crate::error::Error;

/// What a file says of images and sounds, and which ids stand for them.
const SENSES: [&str; 26] = [
    "vision_config",
    "audio_config",
    "image_token_id",
    "image_token_index",
    "video_token_id",
    "audio_token_id",
    "vision_token_id",
    "vision_start_token_id",
    "vision_end_token_id",
    "vision_soft_tokens_per_image",
    "audio_soft_tokens_per_image",
    "mm_tokens_per_image",
    "multimodal_projector_bias",
    "projector_hidden_act",
    "spatial_merge_size",
    "vision_feature_layer",
    "boi_token_id",
    "boi_token_index",
    "eoi_token_id",
    "eoi_token_index",
    "boa_token_id",
    "eoa_token_id",
    "eoa_token_index",
    "vision_feature_select_strategy",
    "image_seq_length",
    "use_image_token",
];

/// What `read` makes of the fields of the text model: of `text_config` where the file has one, which is
/// then read to its end, else of all. `read` is also given whether the head is the embedding where those
/// fields are silent; `tied`: where the file is.
pub fn of_text<T>(
    fields: &Fields<'_>,
    architecture: &'static str,
    tied: bool,
    read: impl FnOnce(&Fields<'_>, bool) -> Result<T, Error>,
) -> Result<T, Error> {
    of_text_with(fields, architecture, tied, &[], read)
}

/// As [`of_text`]; the numbers of `defaults` hold where `text_config` is silent.
pub fn of_text_with<T>(
    fields: &Fields<'_>,
    architecture: &'static str,
    tied: bool,
    defaults: &[(&str, f64)],
    read: impl FnOnce(&Fields<'_>, bool) -> Result<T, Error>,
) -> Result<T, Error> {
    let text = fields.part("text_config")?;
    if text.is_some() || fields.stands("vision_config") {
        for name in SENSES {
            fields.get(name);
        }
    }
    let Some(text) = text else { return read(fields, tied) };
    let mut map = text.map.clone();
    for (name, number) in defaults {
        if !map.contains_key(*name) {
            map.insert((*name).to_owned(), plain_number(*number));
        }
    }
    let text = Fields { map: &map, ..text };
    let config = read(&text, fields.flag("tie_word_embeddings", tied)?)?;
    text.refuse_unread(architecture)?;
    Ok(config)
}

/// A size as JSON's whole number, anything else as it is.
fn plain_number(number: f64) -> Value {
    match number.fract() == 0.0 {
        true => Value::from(number as u64),
        false => Value::from(number),
    }
}
