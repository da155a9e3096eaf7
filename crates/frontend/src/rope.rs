//! Rotary position embeddings in every published form.
//!
//! The form is read from `rope_parameters` (transformers 5, with `rope_theta` inside) or
//! `rope_scaling` and a top-level `rope_theta` (transformers 4), its name from `rope_type`
//! or `type`. Reference: `transformers/modeling_rope_utils.py`. Forms that depend on a
//! constant only are folded into the inverse frequencies; the others stay in the
//! [`RopeTable`]. A form or a field that is not known here is refused by name.

use std::f64::consts::PI;

use tyto_graph::{RopeScaling, RopeTable};

use crate::config::{Fields, Sizes};
use crate::error::Error;

/// Most positions in a field, as positions are i32.
const MOST_POSITIONS: usize = 1 << 30;

/// What a model lays down for its rotary embedding.
#[derive(Clone, Copy, Debug)]
pub struct RopeRules {
    /// The architecture, for errors.
    pub architecture: &'static str,
    /// Width of a head.
    pub head_dim: usize,
    /// `max_position_embeddings`.
    pub positions: usize,
    /// `rope_theta` where no field says it.
    pub theta: f64,
    /// `original_max_position_embeddings` where it does not stand beside the object.
    pub original: Option<usize>,
    /// Whether `partial_rotary_factor` below 1 leaves part of a head alone.
    pub partial: bool,
    /// `partial_rotary_factor` where no field says it.
    pub factor: f64,
    /// Fields inside the object that the model reads itself.
    pub own: &'static [&'static str],
    /// Whether the table may be in sections for the axes of an image (`mrope_section`): a text has
    /// the same position on all of them.
    pub sections: bool,
    /// Whether LongRoPE's object says what multiplies cosines and sines of short and of long texts
    /// (`short_mscale`, `long_mscale`), which must be the same.
    pub amplitudes: bool,
    /// Whether `su` and `yarn` are old names of LongRoPE and only it is known (Phi-3).
    pub long_only: bool,
}

impl RopeRules {
    /// Whole heads, a base of 10000 where none is said.
    pub fn plain(architecture: &'static str, sizes: &Sizes) -> Self {
        Self {
            architecture,
            head_dim: sizes.head_dim,
            positions: sizes.positions,
            theta: 10_000.0,
            original: None,
            partial: false,
            factor: 1.0,
            own: &[],
            sections: false,
            amplitudes: false,
            long_only: false,
        }
    }

    /// With `rotary_dim` of a head turned, where a field says it: transformers 5 has the part that it is.
    pub fn with_rotary_dim(self, fields: &Fields<'_>) -> Result<Self, Error> {
        let turned = fields.optional_size("rotary_dim", self.head_dim)?.unwrap_or(self.head_dim);
        Ok(Self { partial: true, factor: turned as f64 / self.head_dim as f64, ..self })
    }
}

/// Reads the one rotary embedding of a model.
pub fn read(fields: &Fields<'_>, rules: RopeRules) -> Result<RopeTable, Error> {
    let theta = fields.optional_positive("rope_theta")?;
    let partial = fields.optional_positive("partial_rotary_factor")?;
    let original = fields.optional_size("original_max_position_embeddings", MOST_POSITIONS)?;
    let outer = Outer { theta, partial, original: original.or(rules.original) };
    let object = object(fields)?;
    Form { object: object.as_ref(), fields, outer, rules }.table()
}

/// As [`read`], of a model whose embedding is scaled where no field says how: such files are refused.
pub fn read_said(fields: &Fields<'_>, rules: RopeRules) -> Result<RopeTable, Error> {
    match object(fields)? {
        Some(_) => read(fields, rules),
        None => Err(fields.missing("rope_parameters", "a description of the rotary embedding")),
    }
}

/// Reads one of several rotary embeddings: from `rope_parameters`'s object of this name, or
/// where there are none from `theta_field` and, if `scaled`, `rope_scaling`.
pub fn read_for(
    fields: &Fields<'_>,
    layer_type: &str,
    theta_field: &str,
    scaled: bool,
    rules: RopeRules,
) -> Result<RopeTable, Error> {
    let theta = fields.optional_positive(theta_field)?;
    let outer = Outer { theta, partial: None, original: None };
    let scaling = fields.object("rope_scaling")?.filter(|object| !object.is_empty());
    let Some(nested) = fields.object("rope_parameters")? else {
        let object = scaling.filter(|_| scaled);
        return Form { object: object.as_ref(), fields, outer, rules }.table();
    };
    if scaling.is_some() {
        return Err(fields.wrong("rope_scaling", "nothing beside rope_parameters"));
    }
    let object = nested.object(layer_type)?;
    let table = Form { object: object.as_ref(), fields, outer, rules }.table()?;
    for other in ["full_attention", "sliding_attention"] {
        nested.get(other);
    }
    nested.refuse_unread(rules.architecture)?;
    Ok(table)
}

/// The embedding that turns `width` values of a head, an even number, without any scaling.
pub fn plain(width: usize, theta: f64) -> RopeTable {
    let pair = |pair: usize| theta.powf(-((2 * pair) as f64) / width as f64);
    fixed((0..width / 2).map(pair).collect(), 1.0)
}

/// The object that describes the embedding, if there is one.
fn object<'a>(fields: &Fields<'a>) -> Result<Option<Fields<'a>>, Error> {
    let scaling = fields.object("rope_scaling")?.filter(|object| !object.is_empty());
    let parameters = fields.object("rope_parameters")?.filter(|object| !object.is_empty());
    match (scaling, parameters) {
        (Some(scaling), Some(parameters)) if !scaling.agrees(&parameters) => {
            Err(fields.wrong("rope_scaling", "the same as rope_parameters, or only one of them"))
        }
        (scaling, parameters) => Ok(parameters.or(scaling)),
    }
}

/// Fields beside the object; those inside it come first.
#[derive(Clone, Copy)]
struct Outer {
    theta: Option<f64>,
    partial: Option<f64>,
    original: Option<usize>,
}

/// One description of a rotary embedding.
struct Form<'a, 'f> {
    object: Option<&'f Fields<'a>>,
    fields: &'f Fields<'a>,
    outer: Outer,
    rules: RopeRules,
}

/// The frequencies before scaling, and the base they come from.
struct Plain {
    theta: f64,
    width: usize,
    frequencies: Vec<f64>,
}

impl Plain {
    /// The frequencies of a base that is `alpha` times as long at the last pair.
    fn stretched(&self, alpha: f64) -> Vec<f64> {
        let width = self.width as f64;
        let base = self.theta * alpha.powf(width / (width - 2.0));
        (0..self.width / 2).map(|pair| base.powf(-((2 * pair) as f64) / width)).collect()
    }
}

impl Form<'_, '_> {
    fn table(&self) -> Result<RopeTable, Error> {
        let kind = self.kind()?;
        let Some(object) = self.object else {
            return Ok(fixed(self.plain()?.frequencies, 1.0));
        };
        let table = match kind {
            "proportional" => Ok(fixed(self.proportional(object)?, 1.0)),
            _ => self.of_kind(object, kind),
        }?;
        let all = table.inverse_frequencies.iter().chain(std::iter::once(&table.amplitude));
        if !all.into_iter().all(|value| value.is_finite()) {
            let found = "numbers that give infinite frequencies".to_owned();
            return Err(object.wrong_as("factor", found, "finite frequencies"));
        }
        // Writers leave it beside forms that do not use it; `read` has checked its type.
        object.get("original_max_position_embeddings");
        for name in self.rules.own {
            object.get(name);
        }
        if self.rules.sections {
            object.get("mrope_section");
            object.get("mrope_interleaved");
        }
        object.refuse_unread(self.rules.architecture)?;
        Ok(table)
    }

    /// The table of a form that scales the plain one.
    fn of_kind(&self, object: &Fields<'_>, kind: &str) -> Result<RopeTable, Error> {
        let plain = self.plain()?;
        match kind {
            "default" => Ok(fixed(plain.frequencies, 1.0)),
            "linear" => {
                let factor = object.positive("factor")?;
                Ok(fixed(plain.frequencies.iter().map(|f| f / factor).collect(), 1.0))
            }
            "dynamic" => self.dynamic(object, plain),
            "llama3" => self.llama3(object, plain),
            "yarn" => self.yarn(object, plain),
            "longrope" => self.longrope(object, plain),
            _ => Err(self.unknown(object)),
        }
    }

    /// The first pairs of a head turn as they do where all turn, the others not at all.
    fn proportional(&self, object: &Fields<'_>) -> Result<Vec<f64>, Error> {
        let (theta, head) = (self.theta()?, self.rules.head_dim);
        let factor = object.optional_positive("factor")?.unwrap_or(1.0);
        let name = "partial_rotary_factor";
        let share = object.optional_positive(name)?.unwrap_or(1.0);
        if share > 1.0 {
            return Err(object.wrong(name, "a number above 0, at most 1"));
        }
        let turned = (share * head as f64 / 2.0) as usize;
        let pair = |pair: usize| match pair < turned {
            true => theta.powf(-((2 * pair) as f64) / head as f64) / factor,
            false => 0.0,
        };
        Ok((0..head / 2).map(pair).collect())
    }

    /// The form's name: `rope_type`, or `type` as older files spell it.
    fn kind(&self) -> Result<&str, Error> {
        let Some(object) = self.object else { return Ok("default") };
        let (new, old) = (object.text("rope_type")?, object.text("type")?);
        if let (Some(new), Some(old)) = (new, old)
            && new != old
        {
            return Err(object.wrong("type", &format!("{new:?}, as in rope_type")));
        }
        let kind = new.or(old).unwrap_or("default");
        if self.rules.sections && kind == "mrope" {
            return Ok("default");
        }
        if !self.rules.long_only {
            return Ok(kind);
        }
        match kind {
            "su" | "yarn" => Ok("longrope"),
            "default" | "longrope" => Ok(kind),
            _ => Err(self.unknown(object)),
        }
    }

    fn unknown(&self, object: &Fields<'_>) -> Error {
        let field = if object.stands("rope_type") { "rope_type" } else { "type" };
        let expected = if self.rules.long_only {
            "default or longrope"
        } else {
            "default, linear, dynamic, llama3, yarn, longrope or proportional"
        };
        object.wrong(field, expected)
    }

    fn plain(&self) -> Result<Plain, Error> {
        let (theta, width) = (self.theta()?, self.width()?);
        let pair = |pair: usize| theta.powf(-((2 * pair) as f64) / width as f64);
        Ok(Plain { theta, width, frequencies: (0..width / 2).map(pair).collect() })
    }

    /// The base of the frequencies.
    fn theta(&self) -> Result<f64, Error> {
        let inside = self.object.map(|object| object.optional_positive("rope_theta"));
        Ok(inside.transpose()?.flatten().or(self.outer.theta).unwrap_or(self.rules.theta))
    }

    /// How much of a head is turned.
    fn width(&self) -> Result<usize, Error> {
        let name = "partial_rotary_factor";
        let inside =
            self.object.map(|object| object.optional_positive(name)).transpose()?.flatten();
        let place = if inside.is_some() { self.object.unwrap_or(self.fields) } else { self.fields };
        let factor = inside.or(self.outer.partial).unwrap_or(self.rules.factor);
        if factor > 1.0 || (factor < 1.0 && !self.rules.partial) {
            let most = if self.rules.partial { "a number above 0, at most 1" } else { "1" };
            return Err(place.wrong(name, most));
        }
        let width = (self.rules.head_dim as f64 * factor) as usize;
        if width >= 2 && width.is_multiple_of(2) {
            return Ok(width);
        }
        let expected =
            format!("a factor that turns an even part of head_dim, {}", self.rules.head_dim);
        Err(place.wrong(name, &expected))
    }

    /// `original_max_position_embeddings`: in the object or beside it, which must agree.
    fn original(&self, object: &Fields<'_>) -> Result<usize, Error> {
        let name = "original_max_position_embeddings";
        let inside = object.optional_size(name, MOST_POSITIONS)?;
        match (inside, self.outer.original) {
            (Some(inside), Some(outside)) if inside != outside => {
                Err(object.wrong(name, &format!("{outside}, as {name} beside it")))
            }
            (inside, outside) => Ok(inside.or(outside).unwrap_or(self.rules.positions)),
        }
    }

    /// `factor`, or how much longer the model's context has become.
    fn stretch(&self, object: &Fields<'_>, original: usize) -> Result<f64, Error> {
        let ratio = self.rules.positions as f64 / original as f64;
        Ok(object.optional_positive("factor")?.unwrap_or(ratio))
    }

    /// Neural-tangent-kernel scaling that grows with the sequence; with an `alpha` the base is
    /// another and nothing grows.
    fn dynamic(&self, object: &Fields<'_>, plain: Plain) -> Result<RopeTable, Error> {
        if let Some(alpha) = object.optional_positive("alpha")? {
            // Written beside it and used by none of its readers.
            for name in ["factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"] {
                object.optional_number(name)?;
            }
            return Ok(fixed(plain.stretched(alpha), 1.0));
        }
        let factor = object.positive("factor")?;
        if plain.width < 4 {
            let expected = format!("another form for {} turned values of a head", plain.width);
            return Err(object.wrong("rope_type", &expected));
        }
        let boundary = self.rules.positions;
        let scaling = RopeScaling::DynamicNtk { base: plain.theta, factor, boundary };
        Ok(RopeTable { scaling, ..fixed(plain.frequencies, 1.0) })
    }

    /// Llama 3.1: long wavelengths divided, short ones kept, a ramp between.
    fn llama3(&self, object: &Fields<'_>, plain: Plain) -> Result<RopeTable, Error> {
        let factor = object.positive("factor")?;
        let low = object.positive("low_freq_factor")?;
        let high = object.positive("high_freq_factor")?;
        if high < low {
            let expected = format!("no less than low_freq_factor, {low}");
            return Err(object.wrong("high_freq_factor", &expected));
        }
        let original = self.original(object)? as f64;
        let scaled = plain.frequencies.into_iter().map(|frequency| {
            // How often the original context goes round.
            let turns = original * frequency / (2.0 * PI);
            // Where both are one, nothing lies between.
            let keep = match high > low {
                true => ((turns - low) / (high - low)).clamp(0.0, 1.0),
                false => f64::from(turns >= low),
            };
            (1.0 - keep) * frequency / factor + keep * frequency
        });
        Ok(fixed(scaled.collect(), 1.0))
    }

    /// YaRN (Peng et al., 2023): a ramp over pairs, and a factor on what attention sees.
    fn yarn(&self, object: &Fields<'_>, plain: Plain) -> Result<RopeTable, Error> {
        let original = self.original(object)?;
        let factor = self.stretch(object, original)?;
        let amplitude = yarn_amplitude(object, factor)?;
        let (low, high) = yarn_range(object, &plain, original)?;
        let scaled = plain.frequencies.iter().enumerate().map(|(pair, frequency)| {
            let divide = ((pair as f64 - low) / (high - low)).clamp(0.0, 1.0);
            frequency / factor * divide + frequency * (1.0 - divide)
        });
        Ok(fixed(scaled.collect(), amplitude))
    }

    /// LongRoPE (Ding et al., 2024): one list of factors up to the original length, another
    /// beyond it.
    fn longrope(&self, object: &Fields<'_>, plain: Plain) -> Result<RopeTable, Error> {
        let original = self.original(object)?;
        if original < 2 {
            let name = "original_max_position_embeddings";
            return Err(object.wrong_as(name, original.to_string(), "a size of at least 2"));
        }
        let pairs = plain.frequencies.len();
        let short = object.positives("short_factor", pairs)?;
        let long = object.positives("long_factor", pairs)?;
        let stretch = self.stretch(object, original)?;
        let said = object.optional_positive("attention_factor")?.or(self.amplitude(object)?);
        let amplitude = said.unwrap_or_else(|| long_amplitude(stretch, original));
        let divide = |factors: &[f64]| -> Vec<f64> {
            plain.frequencies.iter().zip(factors).map(|(f, factor)| f / factor).collect()
        };
        let long = to_f32(divide(&long));
        let scaling = RopeScaling::LongBeyond { boundary: original, long };
        Ok(RopeTable { scaling, ..fixed(divide(&short), amplitude) })
    }
}

impl Form<'_, '_> {
    /// What multiplies cosines and sines where the object says it for short and for long texts.
    fn amplitude(&self, object: &Fields<'_>) -> Result<Option<f64>, Error> {
        if !self.rules.amplitudes {
            return Ok(None);
        }
        let short = object.positive("short_mscale")?;
        match object.positive("long_mscale")? {
            long if long == short => Ok(Some(short)),
            _ => Err(object.wrong("long_mscale", &format!("{short}, as short_mscale"))),
        }
    }
}

/// The default is `0.1 × ln(factor) + 1`; with `mscale` and `mscale_all_dim` the ratio of the
/// two, as transformers has it. An `attention_factor` stands above both.
fn yarn_amplitude(object: &Fields<'_>, factor: f64) -> Result<f64, Error> {
    let said = object.optional_positive("attention_factor")?;
    let mscale = object.optional_number("mscale")?.filter(|scale| *scale != 0.0);
    let all = object.optional_number("mscale_all_dim")?.filter(|scale| *scale != 0.0);
    let of = |scale: f64| if factor <= 1.0 { 1.0 } else { 0.1 * scale * factor.ln() + 1.0 };
    Ok(match (said, mscale, all) {
        (Some(said), _, _) => said,
        (None, Some(mscale), Some(all)) => of(mscale) / of(all),
        _ => of(1.0),
    })
}

/// The first and last pair of YaRN's ramp.
fn yarn_range(object: &Fields<'_>, plain: &Plain, original: usize) -> Result<(f64, f64), Error> {
    let fast = object.optional_number("beta_fast")?.filter(|beta| *beta != 0.0).unwrap_or(32.0);
    let slow = object.optional_number("beta_slow")?.filter(|beta| *beta != 0.0).unwrap_or(1.0);
    if slow <= 0.0 || fast < slow {
        return Err(object.wrong("beta_slow", &format!("above 0, at most beta_fast, {fast}")));
    }
    if plain.theta <= 1.0 {
        return Err(object.wrong_as("rope_theta", plain.theta.to_string(), "a base above 1"));
    }
    let truncate = object.flag("truncate", true)?;
    let width = plain.width as f64;
    let pair =
        |turns: f64| width * (original as f64 / (turns * 2.0 * PI)).ln() / (2.0 * plain.theta.ln());
    let (low, high) = (pair(fast), pair(slow));
    let (low, high) = if truncate { (low.floor(), high.ceil()) } else { (low, high) };
    let (low, high) = (low.max(0.0), high.min(width - 1.0));
    Ok((low, if low == high { high + 0.001 } else { high }))
}

fn long_amplitude(stretch: f64, original: usize) -> f64 {
    if stretch <= 1.0 { 1.0 } else { (1.0 + stretch.ln() / (original as f64).ln()).sqrt() }
}

fn fixed(frequencies: Vec<f64>, amplitude: f64) -> RopeTable {
    RopeTable {
        inverse_frequencies: to_f32(frequencies),
        amplitude: amplitude as f32,
        scaling: RopeScaling::Fixed,
    }
}

fn to_f32(values: Vec<f64>) -> Vec<f32> {
    values.into_iter().map(|value| value as f32).collect()
}
