//! What the tests share: LLVM's tools, found on the path.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod bench;

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs one of LLVM's tools to its end. Panics, and says what to install, when it is missing.
pub fn llvm_tool(tool: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("cannot run {tool}: {error}. tools/setup installs it (packages llvm-22 and clang-22)")
        });
    let mut stdin = child.stdin.take().expect("the pipe was asked for");
    let input = input.to_vec();
    // The tool may fill its output before it has read all of its input.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("a started tool ends");
    writer.join().expect("the writer does not panic").expect("the tool reads its input");
    output
}

/// One instruction as LLVM decodes it: its text with single spaces, and its length in bytes.
pub type Decoded = (String, usize);

/// What llvm-mc makes of the first instruction of each group of words.
pub fn llvm_mc(groups: &[Vec<u32>], cpu: &str) -> Vec<Option<Decoded>> {
    // An instruction that no group contains ends each group in the output.
    const MARK: &str = "s_nop 0xabcd";
    let mut input = String::new();
    for group in groups {
        let bytes: Vec<String> = group
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .map(|byte| format!("{byte:#04x}"))
            .collect();
        input += &format!("[{}]\n[0xcd,0xab,0x80,0xbf]\n", bytes.join(","));
    }
    let cpu = format!("--mcpu={cpu}");
    let arguments = ["--disassemble", "--triple=amdgcn-amd-amdhsa", &cpu, "--show-encoding"];
    // Its exit status only says that some words are no instructions. That it came to the end, the marks say.
    let output = llvm_tool("llvm-mc-22", &arguments, input.as_bytes());
    let output = String::from_utf8(output.stdout).expect("llvm-mc writes text");
    let mut decoded = Vec::with_capacity(groups.len());
    let mut first = None;
    for line in output.lines() {
        if line.contains(MARK) {
            decoded.push(first.take());
        } else if let Some((text, encoding)) = line.split_once("; encoding: [") {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            first.get_or_insert((text, encoding.split(',').count()));
        }
    }
    assert_eq!(decoded.len(), groups.len(), "llvm-mc's output has one mark for each group");
    decoded
}

/// The files of kernels that the tests compile, in tests/kernels.
pub const KERNEL_FILES: [&str; 6] = ["basic", "floats", "lanes", "matrix", "memory", "model"];

/// Compiles a file of kernels to a code object.
pub fn compile(file: &str, cpu: &str) -> Vec<u8> {
    compile_with(file, cpu, &[])
}

/// The same with more options.
pub fn compile_with(file: &str, cpu: &str, options: &[&str]) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    compile_path(&folder.join(format!("{file}.hip")), cpu, options)
}

/// Compiles kernels that a test has written, which may include kernel.h.
pub fn compile_text(text: &str, cpu: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("generated.hip");
    std::fs::write(&path, text).expect("the temporary folder can be written");
    compile_path(&path, cpu, &[])
}

fn compile_path(source: &std::path::Path, cpu: &str, options: &[&str]) -> Vec<u8> {
    let out = tempfile::tempdir().expect("a temporary folder can be made");
    let object = out.path().join("kernels.co");
    let arch = format!("--offload-arch={cpu}");
    let arguments = [
        "-x",
        "hip",
        &arch,
        "--offload-device-only",
        "-nogpulib",
        "-nogpuinc",
        "--no-gpu-bundle-output",
        "-O3",
        "-std=c++17",
        "-Werror",
        concat!("-I", env!("CARGO_MANIFEST_DIR"), "/tests/kernels"),
        source.to_str().expect("the source's path is text"),
        "-o",
        object.to_str().expect("the temporary folder's path is text"),
    ];
    let arguments = [&arguments[..], options].concat();
    let output = llvm_tool("clang-22", &arguments, b"");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "clang-22 {}: {errors}", source.display());
    std::fs::read(&object).expect("clang-22 wrote the code object")
}

/// The instructions of a code object as llvm-objdump reads them: text with single spaces, and words.
pub fn llvm_objdump(object: &[u8], cpu: &str) -> Vec<(String, Vec<u32>)> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("kernels.co");
    std::fs::write(&path, object).expect("the temporary folder can be written");
    let cpu = format!("--mcpu={cpu}");
    let path = path.to_str().expect("the temporary folder's path is text");
    let output = llvm_tool("llvm-objdump-22", &["-d", &cpu, path], b"");
    assert!(output.status.success(), "llvm-objdump-22 -d {path} fails");
    let text = String::from_utf8(output.stdout).expect("llvm-objdump writes text");
    let instruction = |line: &str| {
        let (text, place) = line.strip_prefix('\t')?.split_once("//")?;
        let words = place.split_once(':')?.1.split('<').next()?;
        let words = words.split_whitespace().map(|word| u32::from_str_radix(word, 16).ok());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some((text, words.collect::<Option<Vec<u32>>>()?))
    };
    text.lines().filter_map(instruction).collect()
}
