//! Modules whose functions are one dispatch each: a phase program, run by kernels of ours.
//!
//! The kernels come as a relocatable object that IREE's linker puts into the executable. IREE's
//! own dialects carry them (`hal.executable.source` and `flow.dispatch`); they are not part of
//! LLVM, so this is text, which IREE's compiler verifies.

use std::fmt::Write;

use crate::module::{Emitted, PARAMETER_SCOPE};
use crate::types::quoted;

/// The name under which a phase program's module asks for the whole weight file.
pub const WEIGHT_FILE: &str = "weights";

/// A module of phase programs over one set of kernels.
#[derive(Clone, Debug)]
pub struct PhaseModule<'a> {
    /// The module's name.
    pub name: &'a str,
    /// IREE's name for the executable format, such as `embedded-elf-x86_64`.
    pub format: &'a str,
    /// The kernels' entry point.
    pub symbol: &'a str,
    /// The path of the object that defines it. (An object inside the text is not linked: IREE
    /// 3.13 writes it out incomplete.)
    pub object: &'a str,
    /// Bytes of the weight file.
    pub weight_bytes: u64,
    /// Bytes of one block of the cache.
    pub block_bytes: u64,
    /// The functions.
    pub functions: Vec<PhaseFunction<'a>>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct PhaseFunction<'a> {
    /// Its name in the module.
    pub name: &'a str,
    /// The phase program.
    pub program: &'a [u8],
    /// Sequences times tokens.
    pub cells: usize,
    /// Sequences.
    pub batch: usize,
    /// Entries of a row of the block tables.
    pub pages: usize,
    /// Rows of logits.
    pub rows: usize,
    /// Logits of a row.
    pub vocabulary: usize,
}

/// What the kernels' entry point is given, in order, and whether it is written: `program.h`.
const BINDINGS: [(&str, bool); 11] = [
    ("weights", false),
    ("program", false),
    ("tokens", false),
    ("positions", false),
    ("lengths", false),
    ("slots", false),
    ("tables", false),
    ("sampled", false),
    ("team", false),
    ("cache", true),
    ("logits", true),
];

/// Writes the module.
///
/// A function takes `tokens` to `logits` of the list above in that order (weights and program
/// are the module's own), updates `cache` and `logits` in place and returns them.
pub fn emit_phases(module: &PhaseModule<'_>) -> Emitted {
    let mut text = String::new();
    write_module(&mut text, module).expect("writing to a string cannot fail");
    let name = module.name;
    let functions = module.functions.iter().map(|function| format!("{name}.{}", function.name));
    Emitted { text, functions: functions.collect() }
}

fn write_module(out: &mut String, module: &PhaseModule<'_>) -> std::fmt::Result {
    let bindings = BINDINGS.map(|(_, written)| match written {
        true => "#hal.pipeline.binding<storage_buffer>",
        false => "#hal.pipeline.binding<storage_buffer, ReadOnly>",
    });
    writeln!(out, "#target = #hal.executable.target<\"llvm-cpu\", \"{}\">", module.format)?;
    writeln!(out, "#layout = #hal.pipeline.layout<bindings = [{}]>", bindings.join(", "))?;
    writeln!(out, "module @{} {{", module.name)?;
    let weights = format!("tensor<{}xi8>", module.weight_bytes);
    writeln!(
        out,
        "  util.global private @weights = \
         #flow.parameter.named<\"{PARAMETER_SCOPE}\"::\"{WEIGHT_FILE}\"> : {weights}"
    )?;
    write_kernels(out, module)?;
    for function in &module.functions {
        write_function(out, module, function, &weights)?;
    }
    writeln!(out, "}}")
}

/// The executable: one workgroup, which calls the kernels with the address of each binding.
fn write_kernels(out: &mut String, module: &PhaseModule<'_>) -> std::fmt::Result {
    let symbol = module.symbol;
    // Only addresses are passed, so the bindings' extents do not matter here.
    let pointers = vec!["memref<1xi8>"; BINDINGS.len()].join(", ");
    writeln!(
        out,
        "  hal.executable.source private @kernels <objects = <{{#target = \
         [#hal.executable.object<{{path = {}}}>]}}>> {{",
        quoted(module.object)
    )?;
    writeln!(
        out,
        "    hal.executable.export public @step ordinal(0) layout(#layout) \
         count(%device: !hal.device) -> (index, index, index) {{\n\
         \x20     %one = arith.constant 1 : index\n\
         \x20     hal.return %one, %one, %one : index, index, index\n    }}"
    )?;
    writeln!(out, "    builtin.module {{")?;
    writeln!(
        out,
        "      func.func private @{symbol}({pointers}) attributes {{hal.import.static, llvm.bareptr = true}}"
    )?;
    writeln!(out, "      func.func @step() {{\n        %zero = arith.constant 0 : index")?;
    for (index, (name, _)) in BINDINGS.iter().enumerate() {
        writeln!(
            out,
            "        %{name} = hal.interface.binding.subspan layout(#layout) binding({index}) \
             alignment(64) offset(%zero) : memref<1xi8>"
        )?;
    }
    let names = BINDINGS.map(|(name, _)| format!("%{name}")).join(", ");
    writeln!(out, "        func.call @{symbol}({names}) : ({pointers}) -> ()")?;
    writeln!(out, "        return\n      }}\n    }}\n  }}")
}

fn write_function(
    out: &mut String,
    module: &PhaseModule<'_>,
    function: &PhaseFunction<'_>,
    weights: &str,
) -> std::fmt::Result {
    let PhaseFunction { name, program, cells, batch, pages, rows, vocabulary } = function;
    let program_type = format!("tensor<{}xi8>", program.len());
    let cache = format!("tensor<?x{}xi8>", module.block_bytes);
    let logits = format!("tensor<{rows}x{vocabulary}xf32>");
    let mut inputs = plain_arguments(*cells, *batch, *pages, *rows).to_vec();
    inputs.push(("team", "tensor<1xi64>".to_owned()));
    let arguments = inputs.iter().map(|(name, ty)| format!("%{name}: {ty}")).collect::<Vec<_>>();
    let types = inputs.iter().map(|(_, ty)| ty.as_str()).collect::<Vec<_>>().join(", ");
    writeln!(
        out,
        "  util.global private @program.{name} = dense<\"0x{}\"> : {program_type}",
        Hex(program)
    )?;
    writeln!(
        out,
        "  func.func @{name}({}, %cache: {cache} {{iree.abi.output = 0 : index}}, \
         %logits: {logits} {{iree.abi.output = 1 : index}}) -> ({cache}, {logits}) {{",
        arguments.join(", ")
    )?;
    writeln!(out, "    %weights = util.global.load @weights : {weights}")?;
    writeln!(out, "    %program = util.global.load @program.{name} : {program_type}")?;
    writeln!(out, "    %zero = arith.constant 0 : index")?;
    writeln!(out, "    %blocks = tensor.dim %cache, %zero : {cache}")?;
    writeln!(
        out,
        "    %results:2 = flow.dispatch @kernels::@step(%weights, %program, {}, %cache, %logits) : \
         ({weights}, {program_type}, {types}, {cache}{{%blocks}}, {logits}) -> (%cache{{%blocks}}, %logits)",
        inputs.iter().map(|(name, _)| format!("%{name}")).collect::<Vec<_>>().join(", ")
    )?;
    writeln!(out, "    return %results#0, %results#1 : {cache}, {logits}\n  }}")
}

/// The arguments that say what a step computes, with their types.
pub(crate) fn plain_arguments(
    cells: usize,
    batch: usize,
    pages: usize,
    rows: usize,
) -> [(&'static str, String); 6] {
    [
        ("tokens", format!("tensor<{cells}xi32>")),
        ("positions", format!("tensor<{cells}xi32>")),
        ("lengths", format!("tensor<{cells}xi32>")),
        ("slots", format!("tensor<{cells}x2xi32>")),
        ("tables", format!("tensor<{batch}x{pages}xi32>")),
        ("sampled", format!("tensor<{rows}xi32>")),
    ]
}

/// Bytes in hexadecimal.
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl std::fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let mut digits = [0u8; 128];
        for bytes in self.0.chunks(digits.len() / 2) {
            for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
                pair[0] = DIGITS[usize::from(byte >> 4)];
                pair[1] = DIGITS[usize::from(byte & 15)];
            }
            let used = std::str::from_utf8(&digits[..2 * bytes.len()]);
            f.write_str(used.expect("hexadecimal digits are ASCII"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_pairs_of_digits() {
        assert_eq!(Hex(&[0, 0x1f, 0xa0, 255]).to_string(), "001FA0FF");
        assert_eq!(Hex(&[7; 100]).to_string(), "07".repeat(100));
    }

    #[test]
    fn a_function_takes_everything_but_the_modules_own() {
        let function = PhaseFunction {
            name: "context16",
            program: &[1, 2],
            cells: 8,
            batch: 8,
            pages: 1,
            rows: 8,
            vocabulary: 5,
        };
        let module = PhaseModule {
            name: "decode8",
            format: "embedded-elf-x86_64",
            symbol: "tyto_program_v4",
            object: "kernels.o",
            weight_bytes: 64,
            block_bytes: 128,
            functions: vec![function],
        };
        let emitted = emit_phases(&module);
        assert_eq!(emitted.functions, ["decode8.context16"]);
        let signature = "func.func @context16(%tokens: tensor<8xi32>, %positions: tensor<8xi32>, \
                         %lengths: tensor<8xi32>, %slots: tensor<8x2xi32>, %tables: tensor<8x1xi32>, \
                         %sampled: tensor<8xi32>, %team: tensor<1xi64>, %cache: tensor<?x128xi8>";
        assert!(emitted.text.contains(signature), "{}", emitted.text);
        assert!(emitted.text.contains("dense<\"0x0102\"> : tensor<2xi8>"), "{}", emitted.text);
    }
}
