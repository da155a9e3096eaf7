//! One file an architecture, grouped by what its layers are. A model file imports the tracing API
//! and shared layers only, or the model whose variant it is; its row stands in its group's `ROWS`.

use crate::registry::Row;

pub mod classic;
pub mod dense;
pub mod encoder;
pub mod latent;
pub mod mixture;
pub mod recurrent;

/// Every architecture, by group.
pub(crate) const GROUPS: &[(&str, &[Row])] = &[
    ("classic", classic::ROWS),
    ("dense", dense::ROWS),
    ("encoder", encoder::ROWS),
    ("latent", latent::ROWS),
    ("mixture", mixture::ROWS),
    ("recurrent", recurrent::ROWS),
];
