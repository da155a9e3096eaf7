//! The command line: every option once, with its help. `clap` makes completions from it, too.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::units::parse_bytes;

/// Compile language models and run them on this machine.
#[derive(Debug, Parser)]
#[command(name = "tyto", version, propagate_version = true, styles = STYLES, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Say more on standard error; twice for everything. TYTO_LOG sets it in detail.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

const STYLES: clap::builder::Styles = {
    use clap::builder::styling::{AnsiColor, Styles};
    Styles::styled()
        .header(AnsiColor::Green.on_default().bold())
        .usage(AnsiColor::Green.on_default().bold())
        .literal(AnsiColor::Cyan.on_default().bold())
        .placeholder(AnsiColor::Cyan.on_default())
};

const EXAMPLES: &str = "\
Examples:
  tyto compile models/SmolLM2 -o smollm2.tyto   compile a model directory
  tyto run smollm2.tyto                         chat with it
  tyto serve smollm2.tyto --port 8080           serve it to OpenAI clients
  tyto bench smollm2.tyto                       measure it
  tyto run Qwen/Qwen3-0.6B                      load, compile and chat with a hub's model
  tyto doctor                                   see what this machine can do";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile a model directory or a .gguf file to an artifact.
    Compile(CompileArgs),
    /// Chat with a model in the terminal, or answer one prompt.
    Run(RunArgs),
    /// Serve a model over HTTP, with OpenAI's API.
    Serve(ServeArgs),
    /// Measure how fast a model reads prompts and writes text.
    Bench(BenchArgs),
    /// Measure how well a model foretells a text (perplexity), to compare formats and quantizations.
    Perplexity(PerplexityArgs),
    /// Load a model from a hub.
    Pull(PullArgs),
    /// Show the models that were loaded, and what was compiled of them.
    List(ListArgs),
    /// Remove models that were loaded, with what was compiled of them.
    Rm(RemoveArgs),
    /// Show what is inside an artifact and the memory that it needs.
    Inspect(InspectArgs),
    /// List the architectures that can be compiled, and what each was proven with.
    Arch(ArchArgs),
    /// Show what this machine can do and what is missing.
    Doctor(DoctorArgs),
    /// Check that a GPU computes what the processor computes; write a report.
    Verify(VerifyArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
}

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
    /// Type of the key-value cache; without it, that of the weights. Of q8_0 and f8 a position takes
    /// about half the memory of f16, of q4_0 about a quarter; answers change a little.
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
    /// 8 bits and a scale for every 32 elements of a head; Tyto's own kernels only.
    #[value(name = "q8_0")]
    Q8_0,
    /// 4 bits and a scale for every 32 elements of a head; Tyto's own kernels only.
    #[value(name = "q4_0")]
    Q4_0,
    /// 8-bit floats (E4M3) without a scale; Tyto's own kernels only.
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

/// Options of everything that runs a model.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// An artifact, a directory whose name ends in .tyto; or a model directory, a .gguf file, or a
    /// hub's model as OWNER/NAME, which is compiled for this processor when it is used first.
    #[arg(value_name = "MODEL", help_heading = None)]
    pub model: PathBuf,
    /// Longest text in tokens, of a model that is compiled on first use.
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    pub ctx: Option<u32>,
    /// Ask no hub for models, as with HF_HUB_OFFLINE=1.
    #[arg(long)]
    pub offline: bool,
    /// Read every file of the artifact, and of a draft, and compare it with its hash before the model is
    /// loaded.
    #[arg(long)]
    pub verify: bool,
    /// Which of the artifact's targets to run; without it, the best for this machine.
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// Where to run it. `auto` takes an AMD GPU that the artifact has code for, else the processor, and
    /// an NVIDIA GPU only where the artifact has code for nothing else.
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,
    /// On the device amdgpu: keep recorded steps on the GPU (PM4), where code and GPU allow it.
    /// Experimental.
    #[arg(long)]
    pub pm4: bool,
    /// Worker threads; without it, one for each physical core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Memory for the key-value cache, as 512MiB or 4GiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, conflicts_with = "sequences")]
    pub cache: Option<u64>,
    /// Texts of full length that the cache holds; more, shorter ones run at the same time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub sequences: Option<u32>,
    /// An artifact of a smaller model with the same tokenizer, which guesses what comes next; several
    /// guesses are checked in one step. Without it, what the text repeats is guessed.
    #[arg(long, value_name = "OUT.tyto")]
    pub draft: Option<PathBuf>,
    /// Whether to guess ahead of the model, and check several tokens in one step: `never`, `paid` where
    /// that is faster, or `always`. No answer changes by it. Without it `paid`; `bench` guesses only
    /// where it is told to, or has a draft.
    #[arg(long, value_enum, value_name = "WHEN")]
    pub speculate: Option<SpeculateChoice>,
    /// Copies of the states of recurrent layers that are kept, so that a prompt is continued where one
    /// like it was; 0 keeps none. Without it, 8. Other models need none.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4096))]
    pub snapshots: Option<u32>,
    /// Seconds that a step may take before the device is taken for hung and the process ends; 0 waits
    /// for ever. Without it, 60 on a GPU and no limit on the processor.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub step_timeout: Option<Duration>,
    /// The same of loading the model; without it, 60 and one for every 64 MiB of weights on a GPU.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub load_timeout: Option<Duration>,
    /// MiB of weights that are on their way to a GPU at a time, as far as whole tensors allow.
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub max_inflight_mb: u32,
    /// Where a GPU reads weights: `copied` into memory of its own, or `mapped`, in the pages of the file,
    /// where kernels of ours run and the driver takes these; a processor always does that.
    /// Experimental.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = WeightsChoice::Copied)]
    pub weights: WeightsChoice,
    /// Most of a GPU's memory that the model may take, as 512MiB or 4GiB; more is refused.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub memory_limit: Option<u64>,
    /// The machine that is looked at.
    #[command(flatten)]
    pub system: SystemArgs,
}

/// The machine that is looked at.
#[derive(Debug, Clone, Args)]
pub struct SystemArgs {
    /// The directory below which the kernel's files (sys, proc, dev) are read; for tests.
    #[arg(long, value_name = "DIR", default_value = "/", hide = true)]
    pub system_root: PathBuf,
}

/// Devices that models run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// A GPU that the artifact has code for, else the processor; says which and why.
    Auto,
    /// The processor.
    Cpu,
    /// An AMD GPU, through HSA queues.
    Amdgpu,
    /// An AMD GPU, through the HIP runtime.
    Hip,
    /// An NVIDIA GPU; experimental.
    Cuda,
}

/// Where a GPU reads weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WeightsChoice {
    /// In memory of its own.
    Copied,
    /// Where their file is mapped.
    Mapped,
}

/// When to guess ahead of the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum SpeculateChoice {
    /// Never.
    Never,
    /// Where tokens come faster with guesses, by what steps take and how many guesses are right.
    #[default]
    Paid,
    /// Wherever there is something to guess, whatever it costs.
    Always,
}

/// Sampling values; what is left out comes from the model.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sampling")]
pub struct SamplingArgs {
    /// 0 takes the most likely token; higher is more varied.
    #[arg(long, value_name = "T", value_parser = number::<0, 2>)]
    pub temperature: Option<f32>,
    /// Only the K most likely tokens; 0 keeps all.
    #[arg(long, value_name = "K")]
    pub top_k: Option<u32>,
    /// Only the most likely tokens that make up this share.
    #[arg(long, value_name = "P", value_parser = number::<0, 1>)]
    pub top_p: Option<f32>,
    /// Only tokens at least this fraction as likely as the most likely one.
    #[arg(long, value_name = "P", value_parser = number::<0, 1>)]
    pub min_p: Option<f32>,
    /// Above 1 makes tokens that were seen before less likely.
    #[arg(long, value_name = "R", value_parser = number::<0, 10>)]
    pub repetition_penalty: Option<f32>,
}

/// Options of `tyto run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto run smollm2.tyto
  tyto run smollm2.tyto --prompt \"What is the capital of France?\"
  git diff | tyto run smollm2.tyto --system \"Summarise this change in one sentence.\"")]
pub struct RunArgs {
    /// The model and how to run it.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Answer this and end, instead of a chat.
    #[arg(short, long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// Instructions that come before the conversation.
    #[arg(long, value_name = "TEXT")]
    pub system: Option<String>,
    /// Longest answer in tokens.
    #[arg(short = 'n', long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// The same seed gives the same answer.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Do not print figures after an answer.
    #[arg(short, long)]
    pub quiet: bool,
    /// How to choose each token.
    #[command(flatten)]
    pub sampling: SamplingArgs,
}

/// Options of `tyto serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto serve smollm2.tyto
  tyto serve smollm2.tyto --host 0.0.0.0 --port 8000 --api-key \"$KEY\"
  tyto serve small.tyto large.tyto --models-memory 8GiB --models-idle 600
  tyto serve smollm2.tyto --tls-cert cert.pem --tls-key key.pem
  curl http://127.0.0.1:8080/v1/chat/completions -H 'Content-Type: application/json' \\
    -d '{\"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}'")]
pub struct ServeArgs {
    /// The model and how to run it.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// More models. With several, each is loaded when a request names it.
    #[arg(value_name = "MODEL")]
    pub more: Vec<PathBuf>,
    /// Memory that loaded models may take together: those that were not used for longest are
    /// unloaded for others.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub models_memory: Option<u64>,
    /// Unload a model that nobody has used for so many seconds.
    #[arg(long, value_name = "SECONDS")]
    pub models_idle: Option<u64>,
    /// The address to listen on; 0.0.0.0 is every network this machine is on.
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub host: std::net::IpAddr,
    /// The port; 0 takes a free one and prints it.
    #[arg(short, long, value_name = "PORT", default_value_t = 8080)]
    pub port: u16,
    /// Listen on this Unix socket and on no port.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["host", "port"])]
    pub unix_socket: Option<PathBuf>,
    /// The model's name in the API; without it, the artifact's. With several models, give it for
    /// each, in their order.
    #[arg(long = "name", value_name = "NAME")]
    pub names: Vec<String>,
    /// Speak TLS with this certificate, and those that vouch for it, in PEM. Read again at SIGHUP.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key, in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Ask clients for this key; may be given several times.
    #[arg(
        long = "api-key",
        value_name = "KEY",
        env = "TYTO_API_KEY",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub api_keys: Vec<String>,
    /// A web origin that may use the server, or `*`; may be given several times.
    #[arg(long = "cors-origin", value_name = "ORIGIN")]
    pub cors_origins: Vec<String>,
    /// Largest request body.
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = parse_bytes)]
    pub max_body: u64,
    /// Requests that may wait; more are refused with 429.
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub queue: u32,
    /// Seconds that running answers may take when the server is stopped.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub grace: u64,
    /// Seconds that a server whose GPU is lost goes on to say so (503) before it ends with an error.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub after_loss: Duration,
    /// How log lines are written.
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// Send a trace of every request to the OpenTelemetry collector at this address (OTLP, JSON over
    /// HTTP), as http://127.0.0.1:4318. Without it, the variables OTEL_EXPORTER_OTLP_* decide.
    #[arg(long, value_name = "URL")]
    pub otlp_endpoint: Option<String>,
    /// For requests that do not say it themselves.
    #[command(flatten)]
    pub sampling: SamplingArgs,
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Options of `tyto perplexity`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto perplexity smollm2.tyto --file book.txt
  tyto perplexity smollm2.tyto --file book.txt --window 1024 --json")]
pub struct PerplexityArgs {
    /// The model and how to run it.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The text, in UTF-8.
    #[arg(short, long, value_name = "FILE")]
    pub file: PathBuf,
    /// Tokens of a window: the text is cut into such, and the second half of each is scored.
    #[arg(short, long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(4..))]
    pub window: u32,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto bench`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto bench smollm2.tyto
  tyto bench smollm2.tyto --threads 4 --prompt-tokens 512,2048 --generate-tokens 128 --json
  tyto bench smollm2.tyto -p 0 --depth 0,1800 --at-once 1,4")]
pub struct BenchArgs {
    /// The model and how to run it.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Lengths of prompts to read, in tokens; 0 leaves the test out.
    #[arg(short = 'p', long, value_name = "N,…", value_delimiter = ',', default_value = "512")]
    pub prompt_tokens: Vec<u32>,
    /// Lengths of answers to write, in tokens; 0 leaves the test out.
    #[arg(short = 'n', long, value_name = "N,…", value_delimiter = ',', default_value = "128")]
    pub generate_tokens: Vec<u32>,
    /// Tokens that a text has already when writing is measured.
    #[arg(short = 'd', long, value_name = "N,…", value_delimiter = ',', default_value = "0")]
    pub depth: Vec<u32>,
    /// Texts that are written at the same time; the speed is that of all together.
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "1",
        value_parser = clap::value_parser!(u32).range(1..=1024)
    )]
    pub at_once: Vec<u32>,
    /// How often each test is run; the median counts.
    #[arg(short, long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub repetitions: u32,
    /// Also show where the time goes, by kernel. The tests then take a little longer.
    #[arg(long)]
    pub profile: bool,
    /// Print the results as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto pull`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto pull HuggingFaceTB/SmolLM2-135M-Instruct
  tyto pull Qwen/Qwen3-0.6B@main
  tyto pull bartowski/SmolLM2-135M-Instruct-GGUF:Q4_K_M

HF_ENDPOINT names another hub, HF_TOKEN is the token for models that are not for everyone, and
TYTO_HOME the folder for models.")]
pub struct PullArgs {
    /// OWNER/NAME; then @REVISION, and of a repository of GGUF files which one, as :FILE or :Q4_K_M.
    pub name: String,
    /// Only say whether it is here already.
    #[arg(long)]
    pub offline: bool,
}

/// Options of `tyto list`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto list
  tyto list --json | jq .models")]
pub struct ListArgs {
    /// Print the facts as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto rm`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto rm Qwen/Qwen3-0.6B
  tyto rm bartowski/SmolLM2-135M-Instruct-GGUF:Q4_K_M
  tyto rm --compiled")]
pub struct RemoveArgs {
    /// OWNER/NAME, every revision and file of it; or with @REVISION or :FILE only that.
    #[arg(required_unless_present = "compiled")]
    pub names: Vec<String>,
    /// Remove all that was compiled on first use.
    #[arg(long)]
    pub compiled: bool,
}

/// Options of `tyto inspect`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto inspect smollm2.tyto
  tyto inspect smollm2.tyto --verify
  tyto inspect smollm2.tyto --json | jq .memory")]
pub struct InspectArgs {
    /// The artifact, a directory whose name ends in .tyto.
    #[arg(value_name = "MODEL.tyto")]
    pub model: PathBuf,
    /// Read every file and compare it with its hash.
    #[arg(long)]
    pub verify: bool,
    /// Print the facts as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto arch`.
#[derive(Debug, Args)]
pub struct ArchArgs {
    /// One architecture, by its name, its `model_type` or its name in `architectures`.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Print the table as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The machine that is looked at.
    #[command(flatten)]
    pub system: SystemArgs,
    /// Print the facts as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Options of `tyto verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto verify --device amdgpu
  tyto verify --device hip --report tyto-report     writes tyto-report.txt and tyto-report.json
  tyto verify model.tyto --device amdgpu --drill")]
pub struct VerifyArgs {
    /// An artifact to run; without it, a tiny model is compiled for the GPU.
    #[arg(value_name = "MODEL.tyto")]
    pub model: Option<PathBuf>,
    /// The driver to verify: amdgpu or hip.
    #[arg(long, value_enum, value_name = "DEVICE")]
    pub device: DeviceChoice,
    /// On a real GPU, too, see what faults do: a process ends itself while the GPU computes.
    #[arg(long)]
    pub drill: bool,
    /// Write the report into FILE.txt and FILE.json.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
    /// The machine that is looked at.
    #[command(flatten)]
    pub system: SystemArgs,
}

/// Options of `tyto completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tyto completions bash > /etc/bash_completion.d/tyto
  tyto completions zsh > \"${fpath[1]}/_tyto\"
  tyto completions fish > ~/.config/fish/completions/tyto.fish")]
pub struct CompletionsArgs {
    /// The shell to write for.
    pub shell: Shell,
}

/// A number of seconds, with or without decimals.
fn seconds(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number of seconds, 0 or more".to_owned();
    let number: f64 = text.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number).map_err(|_| expected())
}

/// A number from `LOW` to `HIGH`.
fn number<const LOW: i32, const HIGH: i32>(text: &str) -> Result<f32, String> {
    let expected = || format!("expected a number from {LOW} to {HIGH}");
    let value: f32 = text.parse().map_err(|_| expected())?;
    let fits = (LOW as f32..=HIGH as f32).contains(&value);
    if fits { Ok(value) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers_have_ranges() {
        assert_eq!(number::<0, 2>("0.7"), Ok(0.7));
        for bad in ["-0.1", "2.1", "NaN", "warm"] {
            assert!(number::<0, 2>(bad).is_err(), "{bad}");
        }
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["-1", "NaN", "inf", "soon"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
