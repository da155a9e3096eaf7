//! A GGUF writer, independent of the reader: it can also write files that lie.

/// A metadata value.
#[derive(Clone)]
pub enum Value {
    U32(u32),
    F32(f32),
    Bool(bool),
    Text(String),
    Texts(Vec<String>),
    I32s(Vec<i32>),
    F32s(Vec<f32>),
    /// A type number and the bytes after it.
    Raw(u32, Vec<u8>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::U32(number)
    }
}

impl From<f32> for Value {
    fn from(number: f32) -> Value {
        Value::F32(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Bool(flag)
    }
}

/// A tensor: name, row-major shape, type number, bytes.
pub type Tensor = (String, Vec<usize>, u32, Vec<u8>);

/// A file to be written. Counts and offsets are right unless overridden.
#[derive(Clone)]
pub struct File {
    pub version: u32,
    pub metadata: Vec<(String, Value)>,
    pub tensors: Vec<Tensor>,
    pub tensor_count: Option<u64>,
    pub metadata_count: Option<u64>,
    pub alignment: usize,
    /// Tensor number and the offset to write for it.
    pub offset: Option<(usize, u64)>,
}

impl File {
    pub fn new() -> File {
        File {
            version: 3,
            metadata: Vec::new(),
            tensors: Vec::new(),
            tensor_count: None,
            metadata_count: None,
            alignment: 32,
            offset: None,
        }
    }

    pub fn set(mut self, key: &str, value: impl Into<Value>) -> File {
        self.metadata.push((key.into(), value.into()));
        self
    }

    /// Replaces a key's value.
    pub fn replace(mut self, key: &str, value: impl Into<Value>) -> File {
        self.metadata.retain(|(have, _)| have != key);
        self.set(key, value)
    }

    pub fn without(mut self, key: &str) -> File {
        self.metadata.retain(|(have, _)| have != key);
        self
    }

    pub fn tensor_f32(self, name: &str, shape: &[usize], values: &[f32]) -> File {
        self.tensor(name, shape, 0, values.iter().flat_map(|v| v.to_le_bytes()).collect())
    }

    pub fn tensor(mut self, name: &str, shape: &[usize], kind: u32, bytes: Vec<u8>) -> File {
        self.tensors.push((name.into(), shape.to_vec(), kind, bytes));
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = b"GGUF".to_vec();
        out.extend(self.version.to_le_bytes());
        out.extend(self.tensor_count.unwrap_or(self.tensors.len() as u64).to_le_bytes());
        out.extend(self.metadata_count.unwrap_or(self.metadata.len() as u64).to_le_bytes());
        for (key, value) in &self.metadata {
            text(&mut out, key);
            write_value(&mut out, value);
        }
        let mut data = Vec::new();
        for (number, (name, shape, kind, bytes)) in self.tensors.iter().enumerate() {
            text(&mut out, name);
            out.extend((shape.len() as u32).to_le_bytes());
            shape.iter().rev().for_each(|&n| out.extend((n as u64).to_le_bytes()));
            out.extend(kind.to_le_bytes());
            let lie = self.offset.filter(|(which, _)| *which == number);
            let offset = lie.map_or(data.len() as u64, |(_, offset)| offset);
            out.extend(offset.to_le_bytes());
            data.extend_from_slice(bytes);
            data.resize(data.len().next_multiple_of(self.alignment), 0);
        }
        out.resize(out.len().next_multiple_of(self.alignment), 0);
        out.extend(data);
        out
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

fn write_value(out: &mut Vec<u8>, value: &Value) {
    let array = |out: &mut Vec<u8>, kind: u32, length: usize| {
        out.extend(9u32.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend((length as u64).to_le_bytes());
    };
    match value {
        Value::U32(n) => {
            out.extend(4u32.to_le_bytes());
            out.extend(n.to_le_bytes());
        }
        Value::F32(n) => {
            out.extend(6u32.to_le_bytes());
            out.extend(n.to_le_bytes());
        }
        Value::Bool(b) => {
            out.extend(7u32.to_le_bytes());
            out.push(u8::from(*b));
        }
        Value::Text(string) => {
            out.extend(8u32.to_le_bytes());
            text(out, string);
        }
        Value::Texts(strings) => {
            array(out, 8, strings.len());
            strings.iter().for_each(|string| text(out, string));
        }
        Value::I32s(numbers) => {
            array(out, 5, numbers.len());
            numbers.iter().for_each(|n| out.extend(n.to_le_bytes()));
        }
        Value::F32s(numbers) => {
            array(out, 6, numbers.len());
            numbers.iter().for_each(|n| out.extend(n.to_le_bytes()));
        }
        Value::Raw(kind, bytes) => {
            out.extend(kind.to_le_bytes());
            out.extend(bytes);
        }
    }
}

/// The metadata of a one-layer model: hidden size 8, two heads of 4, one key-value head, 12 tokens.
pub fn tiny(architecture: &str) -> File {
    let key = |field: &str| format!("{architecture}.{field}");
    File::new()
        .set("general.architecture", architecture)
        .set(&key("block_count"), 1)
        .set(&key("embedding_length"), 8)
        .set(&key("feed_forward_length"), 16)
        .set(&key("attention.head_count"), 2)
        .set(&key("attention.head_count_kv"), 1)
        .set(&key("attention.layer_norm_rms_epsilon"), 1e-5f32)
        .set(&key("context_length"), 64)
        .tensor_f32("token_embd.weight", &[12, 8], &counting(96))
}

/// 0, 1, 2, …: every value tells where it came from.
pub fn counting(count: usize) -> Vec<f32> {
    (0..count).map(|at| at as f32).collect()
}
