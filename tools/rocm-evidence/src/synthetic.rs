//! Checkpoints that have every tensor of a published one but no data: files of zeros that take no
//! room. What a kernel reads and runs does not depend on the values, but for the choice of experts,
//! and the emulated memory is filled with random numbers (`emulated.rs`).

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

/// Columns under one scale of MLX's affine form.
const GROUP: usize = 64;

/// The tensors of a checkpoint, by name: type and shape.
#[derive(Debug, Default)]
pub struct Tensors {
    entries: Vec<(String, &'static str, Vec<usize>)>,
}

impl Tensors {
    /// A tensor of one of safetensors' types.
    pub fn put(&mut self, name: impl Into<String>, dtype: &'static str, shape: &[usize]) {
        self.entries.push((name.into(), dtype, shape.to_vec()));
    }

    /// A vector of bf16.
    pub fn vector(&mut self, name: impl Into<String>, length: usize) {
        self.put(name, "BF16", &[length]);
    }

    /// A matrix `[.., rows, columns]` of bf16, at `name.weight`.
    pub fn plain(&mut self, name: &str, shape: &[usize]) {
        self.put(format!("{name}.weight"), "BF16", shape);
    }

    /// The same as MLX quantizes it: codes of `bits`, and a scale and a bias for each group of 64.
    pub fn affine(&mut self, name: &str, shape: &[usize], bits: usize) {
        let (columns, rows) = shape.split_last().expect("a matrix");
        let of = |columns: usize| [rows, &[columns]].concat();
        self.put(format!("{name}.weight"), "U32", &of(columns * bits / 32));
        for part in ["scales", "biases"] {
            self.put(format!("{name}.{part}"), "BF16", &of(columns / GROUP));
        }
    }

    /// The same as gpt-oss stores experts: codes of 4 bits, and a scale for each group of 32.
    pub fn mxfp4(&mut self, name: &str, shape: &[usize]) {
        let (columns, rows) = shape.split_last().expect("a matrix");
        self.put(format!("{name}_blocks"), "U8", &[rows, &[columns / 32, 16]].concat());
        self.put(format!("{name}_scales"), "U8", &[rows, &[columns / 32]].concat());
    }

    /// Writes `config.json` and a `model.safetensors` of zeros to `folder`.
    pub fn write(&self, folder: &Path, config: &Value) -> Result<()> {
        let path = folder.join("config.json");
        fs::write(&path, config.to_string()).with_context(|| path.display().to_string())?;
        let (mut header, mut end) = (Map::new(), 0);
        for (name, dtype, shape) in &self.entries {
            let begin = end;
            end += shape.iter().product::<usize>() * width(dtype);
            let entry = json!({"dtype": dtype, "shape": shape, "data_offsets": [begin, end]});
            header.insert(name.clone(), entry);
        }
        let mut header = Value::from(header).to_string();
        header.extend(std::iter::repeat_n(' ', header.len().next_multiple_of(8) - header.len()));
        let path = folder.join("model.safetensors");
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(&(header.len() as u64).to_le_bytes())?;
            file.write_all(header.as_bytes())?;
            file.set_len((8 + header.len() + end) as u64)
        };
        write().with_context(|| path.display().to_string())
    }
}

fn width(dtype: &str) -> usize {
    match dtype {
        "U8" => 1,
        "BF16" => 2,
        _ => 4,
    }
}
