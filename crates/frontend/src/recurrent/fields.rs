//! Which fields describe recurrent layers, and which layers are of which kind.

use super::{Gating, Mamba2Mixer, dt_limit, taps};
use crate::config::Fields;
use crate::error::Error;

/// What the fields of a Mamba 2 mixer are called in models that have other layers too.
#[derive(Clone, Copy, Debug)]
pub struct MixerFields {
    /// Heads.
    pub heads: &'static str,
    /// Width of each; where it is absent or `auto`, what `inner` makes it.
    pub head_dim: &'static str,
    /// Groups.
    pub groups: &'static str,
    /// Elements of a state.
    pub depth: &'static str,
    /// Tokens of the convolution.
    pub taps: &'static str,
    /// How many times wider than the residual stream all heads together are.
    pub expand: &'static str,
    /// Whether the convolution has a bias.
    pub conv_bias: &'static str,
    /// Whether the projections have.
    pub bias: &'static str,
}

/// The names that most hybrid models share.
impl Default for MixerFields {
    fn default() -> Self {
        Self {
            heads: "mamba_n_heads",
            head_dim: "mamba_d_head",
            groups: "mamba_n_groups",
            depth: "mamba_d_state",
            taps: "mamba_d_conv",
            expand: "mamba_expand",
            conv_bias: "mamba_conv_bias",
            bias: "mamba_proj_bias",
        }
    }
}

impl MixerFields {
    /// Reads the mixer. All heads together are `inner` wide, or `expand` times `hidden` where that
    /// is `None`; the head's width must agree.
    pub fn read(
        &self,
        fields: &Fields<'_>,
        hidden: usize,
        inner: Option<usize>,
        gating: Gating,
    ) -> Result<Mamba2Mixer, Error> {
        let heads = fields.size(self.heads, 1 << 12)?;
        let groups = fields.optional_size(self.groups, heads)?.unwrap_or(1);
        if !heads.is_multiple_of(groups) {
            let expected = format!("a divisor of {}, {heads}", self.heads);
            return Err(fields.wrong(self.groups, &expected));
        }
        let expand = fields.optional_size(self.expand, 1 << 10)?.unwrap_or(2);
        let inner = inner.unwrap_or(expand * hidden);
        Ok(Mamba2Mixer {
            heads,
            head_dim: self.head_dim(fields, heads, inner)?,
            groups,
            depth: fields.size(self.depth, 1 << 14)?,
            taps: taps(fields, self.taps)?,
            conv_bias: fields.flag(self.conv_bias, true)?,
            bias: [fields.flag(self.bias, false)?; 2],
            dt_limit: dt_limit(fields)?,
            gating,
            scales: [1.0; 5],
        })
    }

    fn head_dim(&self, fields: &Fields<'_>, heads: usize, inner: usize) -> Result<usize, Error> {
        let auto = fields.get(self.head_dim).is_none_or(|value| value == "auto");
        let head_dim = match auto {
            true => inner / heads,
            false => fields.size(self.head_dim, 1 << 14)?,
        };
        if heads * head_dim == inner && head_dim > 0 {
            return Ok(head_dim);
        }
        let expected = format!("{inner} in all {heads} heads of {}", self.heads);
        Err(fields.wrong(self.head_dim, &expected))
    }
}

/// Whether each layer has attention: without `layer_types`, every `full_attention_interval`th.
pub fn attends(fields: &Fields<'_>, layers: usize) -> Result<Vec<bool>, Error> {
    let interval = fields.optional_size("full_attention_interval", 1 << 12)?.unwrap_or(4);
    let known = [("full_attention", true), ("linear_attention", false)];
    let of = |layer: usize| (layer + 1).is_multiple_of(interval);
    let said = kinds(fields, "layer_types", layers, &known)?;
    Ok(said.unwrap_or_else(|| (0..layers).map(of).collect()))
}

/// The kind of each layer, from a list of their names; `None` where the field is absent.
pub fn kinds<T: Copy>(
    fields: &Fields<'_>,
    name: &str,
    layers: usize,
    known: &[(&str, T)],
) -> Result<Option<Vec<T>>, Error> {
    let Some(names) = fields.texts(name)? else { return Ok(None) };
    if names.len() != layers {
        let expected = format!("{layers} entries, as num_hidden_layers says");
        return Err(fields.wrong_as(name, format!("a list of {}", names.len()), &expected));
    }
    let kind = |found: &&str| match known.iter().find(|(name, _)| name == found) {
        Some((_, kind)) => Ok(*kind),
        None => {
            let all: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            Err(fields.wrong_as(name, format!("{found:?}"), &all.join(" or ")))
        }
    };
    names.iter().map(kind).collect::<Result<_, _>>().map(Some)
}
