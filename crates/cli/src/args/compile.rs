//! Options of `tyto compile`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options of `tyto compile`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto compile models/SmolLM2-135M-Instruct -o smollm2.tyto
  tyto compile smollm2.Q4_1.gguf -o smollm2.tyto --ctx 4096
  tyto compile models/SmolLM2 -o smollm2-q4.tyto --quantize q4_0
  tyto compile models/SmolLM2 -o smollm2.tyto --target cpu:x86-64-v3 --target cpu:x86-64-v4
  tyto compile models/SmolLM2 -o smollm2.tyto --target cpu --target gfx1151")]
pub struct CompileArgs {
    /// A model directory (config.json, *.safetensors, tokenizer.json) or a .gguf file.
    #[arg(value_name = "SRC")]
    pub source: PathBuf,
    /// The artifact to write, a directory whose name ends in .tyto.
    #[arg(short, long, value_name = "OUT.tyto")]
    pub output: PathBuf,
    /// What to compile for; may be given several times. `cpu` is this machine's processor, `gfx1151`
    /// an AMD GPU through both of its drivers, `gfx1151:amdgpu` through one of them, `sm_80` and `sm_89`
    /// NVIDIA GPUs from that kind on (experimental), and `auto` the AMD GPU of this machine, or else its
    /// processor.
    #[arg(short, long = "target", value_name = "TARGET", default_value = "cpu")]
    pub targets: Vec<String>,
    /// Longest text (prompt and answer) in tokens; without it, the model's own up to 2048.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    pub ctx: Option<u32>,
    /// Type of the weights; without it, the model's own, and blocks such as Q4_0 as published.
    #[arg(long, value_enum, value_name = "TYPE")]
    pub dtype: Option<FloatType>,
    /// Quantize the matrices that are stored in f32, f16 or bf16, and report what each loses; the
    /// embedding and the head get 8 bits. Matrices in blocks keep them.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "dtype")]
    pub quantize: Option<BlockType>,
    /// Type of the key-value cache; without it, that of the weights, f16 beside blocks. Of q8_0 and f8
    /// a position takes about half the memory of f16, of q4_0 about a quarter; answers change a little.
    #[arg(long, value_enum, value_name = "TYPE")]
    pub kv_dtype: Option<CacheType>,
    /// Whether steps run on Tyto's own kernels.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = KernelUse::Prefer)]
    pub kernels: KernelUse,
    /// Texts of full length that the cache holds on a GPU, whose code is for this size only; 4
    /// without it. On processors `serve` decides.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub sequences: Option<u32>,
    /// The compiler's library or its directory; without it, it is looked for.
    #[arg(long, value_name = "PATH")]
    pub compiler: Option<PathBuf>,
    /// Compile again even what has not changed.
    #[arg(short, long)]
    pub force: bool,
    /// Print a report as JSON instead of progress.
    #[arg(long)]
    pub json: bool,
    /// Texts that one decode call takes: a call is compiled for each size, and the smallest that
    /// fits is used. Larger ones serve more texts at once; each takes time to compile, less with
    /// Tyto's own kernels, which skip what a call leaves empty.
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        requires = "chunks",
        value_parser = clap::value_parser!(u32).range(1..=1024),
        help_heading = "Advanced"
    )]
    pub batches: Vec<u32>,
    /// Tokens of a prompt that one prefill call takes, in the same way.
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        requires = "batches",
        value_parser = clap::value_parser!(u32).range(1..=65536),
        help_heading = "Advanced"
    )]
    pub chunks: Vec<u32>,
}

/// When steps run on Tyto's own kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KernelUse {
    /// Where there is one for everything that the model needs; else the compiler makes all code.
    Prefer,
    /// Always; a model that needs more is refused.
    Require,
    /// Never: the compiler makes all code.
    Never,
}

/// Types of the key-value cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CacheType {
    /// 32 bits.
    F32,
    /// 16 bits.
    F16,
    /// 16 bits with the range of f32.
    Bf16,
    /// 8 bits and a scale for every 32 elements of a head.
    #[value(name = "q8_0")]
    Q8_0,
    /// 4 bits and a scale for every 32 elements of a head.
    #[value(name = "q4_0")]
    Q4_0,
    /// 8-bit floats (E4M3) without a scale.
    #[value(name = "f8", aliases = ["fp8", "fp8_e4m3", "f8e4m3"])]
    F8,
}

/// Types of numbers that models are compiled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FloatType {
    /// 32 bits.
    F32,
    /// 16 bits, finer.
    F16,
    /// 16 bits, wider.
    Bf16,
}

/// Formats that weights are quantized to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BlockType {
    /// GGUF's: 4 bits and a scale for 32 weights.
    #[value(name = "q4_0")]
    Q4_0,
    /// GGUF's: 4 bits, a scale and a minimum for 32 weights.
    #[value(name = "q4_1")]
    Q4_1,
    /// GGUF's: 8 bits and a scale for 32 weights.
    #[value(name = "q8_0")]
    Q8_0,
    /// MLX's: 4 bits, a scale and a bias for 64 weights.
    #[value(name = "affine-4")]
    Affine4,
    /// MLX's: 8 bits, a scale and a bias for 64 weights.
    #[value(name = "affine-8")]
    Affine8,
    /// OCP's: 4-bit floats and a power of two for 32 weights.
    #[value(name = "mxfp4")]
    Mxfp4,
    /// OCP's: 8-bit floats and a power of two for 32 weights.
    #[value(name = "mxfp8")]
    Mxfp8,
    /// NVIDIA's, as MLX makes it: 4-bit floats and an 8-bit float for 16 weights.
    #[value(name = "nvfp4")]
    Nvfp4,
}
