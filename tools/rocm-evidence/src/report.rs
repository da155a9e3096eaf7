//! The tables, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::kernels::Row;
use crate::measure::{Prompt, Token};
use crate::shapes::Shape;

/// Unique bytes for each byte of weights, cache and states.
const MOST_READ: f64 = 1.05;

/// The least part of a prompt's multiply-adds in matrix instructions.
const LEAST_MATRIX: f64 = 0.95;

/// Strix Halo's measured memory bandwidth in bytes a second, and its matrix rate in FLOP/s.
const BANDWIDTH: f64 = 212e9;
const MATRIX_RATE: f64 = 59e12;

/// A model's figures.
pub struct Model {
    /// Which.
    pub shape: Shape,
    /// One token.
    pub token: Token,
    /// Prompts.
    pub prompts: Vec<Prompt>,
}

impl Model {
    /// Unique bytes read for each byte that must be.
    pub fn read_ratio(&self) -> f64 {
        self.token.unique_read / (self.token.weights + self.token.cache)
    }

    fn json(&self) -> Value {
        let Token { weights, cache, unique_read, unique_written, read, instructions, .. } =
            self.token;
        let prompt = |prompt: &Prompt| {
            json!({
                "tokens": prompt.tokens, "multiply_adds": prompt.multiply_adds,
                "in_wmma": prompt.in_matrix, "part": prompt.part(), "bar": LEAST_MATRIX,
                "launches": prompt.launches,
                "met": prompt.part() >= LEAST_MATRIX,
                "projected_seconds_at_best": seconds(prompt),
            })
        };
        json!({
            "model": self.shape.name, "source": self.shape.source,
            "emulated_layers": crate::measure::emulated_layers(&self.shape),
            "layers": self.shape.layers(),
            "weights_bytes": weights, "cache_bytes": cache,
            "unique_read_bytes": unique_read, "unique_written_bytes": unique_written,
            "read_bytes": read, "wave_instructions": instructions,
            "read_ratio": self.read_ratio(), "read_bar": MOST_READ,
            "read_met": self.read_ratio() <= MOST_READ,
            "launches": self.token.launches, "peer_launches": self.shape.peer,
            "layer_launches": self.token.layer_launches, "layer_bar": self.shape.launches,
            "layer_met": self.meets_launches(),
            "projected_tokens_per_second_at_best": BANDWIDTH / unique_read,
            "prompts": self.prompts.iter().map(prompt).collect::<Vec<_>>(),
        })
    }

    fn meets_launches(&self) -> bool {
        self.token.layer_launches <= self.shape.launches as f64
    }
}

/// The shortest time of a prompt, were all its multiply-adds done at the matrix rate.
fn seconds(prompt: &Prompt) -> f64 {
    2.0 * prompt.multiply_adds / MATRIX_RATE
}

/// Everything as JSON.
pub fn json(models: &[Model], kernels: &[Row], context: usize) -> Value {
    json!({
        "device": crate::emulated::ARCH, "context": context,
        "projection": {"bytes_per_second": BANDWIDTH, "flops": MATRIX_RATE,
            "note": "a projection from counts, not a measurement"},
        "models": models.iter().map(Model::json).collect::<Vec<_>>(),
        "kernels": kernels.iter().map(Row::json).collect::<Vec<_>>(),
    })
}

/// Everything as tables in Markdown.
pub fn text(models: &[Model], kernels: &[Row], context: usize) -> String {
    let mut text = String::new();
    let parts = [decode(models, context), launches(models), prompts(models), projection(models)];
    for part in parts {
        let _ = writeln!(text, "{part}");
    }
    text.push_str(&resources(kernels));
    text
}

fn table(title: &str, header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let cells = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let mut text = format!("{title}\n\n{}", line(header.to_vec()));
    text.push_str(&line(rules.iter().map(String::as_str).collect()));
    rows.iter().for_each(|row| text.push_str(&line(row.iter().map(String::as_str).collect())));
    text
}

fn decode(models: &[Model], context: usize) -> String {
    let title = format!("Bytes of one token in decode, at a context of {context} tokens");
    let header = [
        "model",
        "weights MB",
        "cache MB",
        "read once MB",
        "ratio",
        "bar 1.05",
        "written MB",
        "all loads MB",
        "wave instructions",
    ];
    let row = |model: &Model| {
        let token = &model.token;
        vec![
            model.shape.name.to_owned(),
            megabytes(token.weights),
            megabytes(token.cache),
            megabytes(token.unique_read),
            format!("{:.3}", model.read_ratio()),
            met(model.read_ratio() <= MOST_READ),
            megabytes(token.unique_written),
            megabytes(token.read),
            format!("{:.1} million", token.instructions / 1e6),
        ]
    };
    table(&title, &header, models.iter().map(row))
}

fn launches(models: &[Model]) -> String {
    let title = "Launches of one token in decode (MLxcel's as it publishes them for gfx1151)";
    let header = ["model", "layers", "a layer", "bar", "", "a token", "MLxcel"];
    let row = |model: &Model| {
        vec![
            model.shape.name.to_owned(),
            model.shape.layers().to_string(),
            format!("{:.2}", model.token.layer_launches),
            model.shape.launches.to_string(),
            met(model.meets_launches()),
            format!("{:.0}", model.token.launches),
            model.shape.peer.to_owned(),
        ]
    };
    table(title, &header, models.iter().map(row))
}

fn prompts(models: &[Model]) -> String {
    let title = "Multiply-adds of a prompt in matrix instructions (WMMA)";
    let header = ["model", "tokens", "multiply-adds", "in WMMA", "bar 95 %", "launches"];
    let rows = models.iter().flat_map(|model| {
        model.prompts.iter().map(|prompt| {
            vec![
                model.shape.name.to_owned(),
                prompt.tokens.to_string(),
                format!("{:.1} G", prompt.multiply_adds / 1e9),
                format!("{:.1} %", 100.0 * prompt.part()),
                met(prompt.part() >= LEAST_MATRIX),
                format!("{:.0}", prompt.launches),
            ]
        })
    });
    table(title, &header, rows)
}

fn projection(models: &[Model]) -> String {
    let title = "PROJECTION, not a measurement: the best that 212 GB/s and 59 TFLOP/s allow \
                 (tokens/s were memory always busy; a prompt's time were all its multiply-adds at \
                 the matrix rate)";
    let header = ["model", "decode tokens/s at most", "prompt at least"];
    let row = |model: &Model| {
        let prompt =
            |prompt: &Prompt| format!("{} tokens: {:.0} ms", prompt.tokens, 1e3 * seconds(prompt));
        vec![
            model.shape.name.to_owned(),
            format!("{:.1}", BANDWIDTH / model.token.unique_read),
            model.prompts.iter().map(prompt).collect::<Vec<_>>().join(", "),
        ]
    };
    table(title, &header, models.iter().map(row))
}

fn resources(kernels: &[Row]) -> String {
    let title = format!(
        "Kernels for {}: registers, LDS, and waves that a SIMD holds",
        crate::emulated::ARCH
    );
    let header =
        ["kernel", "VGPRs", "SGPRs", "spills", "scratch", "LDS", "waves", "by VGPRs", "by LDS"];
    let row = |row: &Row| {
        let kernel = &row.kernel;
        let mut cells = vec![kernel.name.clone()];
        let numbers = [
            kernel.vgprs,
            kernel.sgprs,
            kernel.spills,
            kernel.scratch_bytes,
            kernel.shared_bytes,
            row.waves(),
            row.by_registers,
            row.by_shared,
        ];
        cells.extend(numbers.iter().map(u32::to_string));
        cells
    };
    table(&title, &header, kernels.iter().map(row))
}

fn megabytes(bytes: f64) -> String {
    format!("{:.1}", bytes / 1e6)
}

fn met(met: bool) -> String {
    if met { "met" } else { "MISSED" }.to_owned()
}
