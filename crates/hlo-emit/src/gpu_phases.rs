//! Modules whose functions are phase programs on a GPU: a dispatch for each launch of a kernel.
//!
//! The kernels are code objects that stand in the module as they are. IREE records a function's
//! dispatches once, when the module is loaded, because all that they are given is known then:
//! grids and phases are constants, weights and programs the module's own, and every argument is
//! declared as one that each call names anew (`Indirect`). The declaration matters: without it
//! IREE 3.13 records every call again.

use std::fmt::Write;

use crate::module::{Emitted, PARAMETER_SCOPE};
use crate::phases::{Hex, WEIGHT_FILE, plain_arguments};
use crate::types::quoted;

/// A module of phase programs for one kind of GPU and driver.
#[derive(Clone, Debug)]
pub struct GpuPhaseModule<'a> {
    /// The module's name.
    pub name: &'a str,
    /// The form of executables.
    pub form: GpuForm<'a>,
    /// The code objects, or PTX, that functions use.
    pub files: Vec<KernelFile<'a>>,
    /// Bytes of the weight file.
    pub weight_bytes: u64,
    /// Bytes of the scratch memory that all kernels share.
    pub shared_bytes: u64,
    /// Blocks of the cache.
    pub blocks: usize,
    /// Bytes of one of them.
    pub block_bytes: u64,
    /// The functions.
    pub functions: Vec<GpuPhaseFunction<'a>>,
}

/// The form of executables that a driver takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuForm<'a> {
    /// The driver `amdgpu`'s, named by the chip (`gfx1151`).
    Amdgpu(&'a str),
    /// The driver `hip`'s container.
    Hip,
    /// The driver `cuda`'s container, of PTX.
    Cuda,
}

/// A code object and the kernels of it that are used.
#[derive(Clone, Debug)]
pub struct KernelFile<'a> {
    /// A name of its own, of letters, digits and underscores.
    pub name: &'a str,
    /// Its path.
    pub path: &'a str,
    /// Each kernel's name and the threads of its workgroups.
    pub kernels: Vec<(&'a str, u32)>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct GpuPhaseFunction<'a> {
    /// Its name in the module.
    pub name: &'a str,
    /// The phase program.
    pub program: &'a [u8],
    /// The launches, in order. Each waits for the one before.
    pub launches: Vec<GpuLaunch<'a>>,
    /// Sequences times tokens.
    pub cells: usize,
    /// Sequences.
    pub batch: usize,
    /// Entries of a row of the block tables.
    pub pages: usize,
    /// Rows of logits.
    pub rows: usize,
    /// f32s of a row of logits.
    pub vocabulary: usize,
    /// Whether a row's temperature follows the list of sampled rows.
    pub temperatures: bool,
}

/// One launch of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuLaunch<'a> {
    /// The kernel, one of the module's files.
    pub kernel: &'a str,
    /// Workgroups.
    pub grid: [u32; 3],
    /// Which phase of the program it computes.
    pub phase: u32,
}

/// What follows weights and program in a kernel's arguments, and is written.
const WRITTEN: [&str; 3] = ["shared", "cache", "logits"];

/// Writes the module.
///
/// A function takes `tokens`, `positions`, `lengths`, `slots`, `tables`, `sampled` and the three
/// that are [written](WRITTEN), which it updates in place and returns in that order. Scratch is an
/// argument too, not the module's own: one buffer then serves all functions, and a call is one
/// operation of the queue where an allocation and its end would be two more.
///
/// # Panics
///
/// Panics if a launch names a kernel that no file has.
pub fn emit_gpu_phases(module: &GpuPhaseModule<'_>) -> Emitted {
    let mut text = String::new();
    write_module(&mut text, module).expect("writing to a string cannot fail");
    let name = module.name;
    let functions = module.functions.iter().map(|function| format!("{name}.{}", function.name));
    Emitted { text, functions: functions.collect() }
}

fn write_module(out: &mut String, module: &GpuPhaseModule<'_>) -> std::fmt::Result {
    let (backend, form, abi) = match module.form {
        GpuForm::Amdgpu(chip) => ("rocm", chip, ", {abi = \"amdgpu\"}"),
        GpuForm::Hip => ("rocm", "rocm-hsaco-fb", ""),
        GpuForm::Cuda => ("cuda", "cuda-nvptx-fb", ""),
    };
    writeln!(out, "#target = #hal.executable.target<\"{backend}\", \"{form}\"{abi}>")?;
    let own = vec!["#hal.pipeline.binding<storage_buffer, ReadOnly>"; 2];
    let read = vec!["#hal.pipeline.binding<storage_buffer, \"ReadOnly|Indirect\">"; 6];
    let written = vec!["#hal.pipeline.binding<storage_buffer, Indirect>"; WRITTEN.len()];
    let bindings = [own, read, written].concat().join(", ");
    writeln!(
        out,
        "#layout = #hal.pipeline.layout<constants = 1, bindings = [{bindings}], flags = Indirect>"
    )?;
    writeln!(out, "module @{} {{", module.name)?;
    let weights = format!("tensor<{}xi8>", module.weight_bytes);
    writeln!(
        out,
        "  util.global private @weights = \
         #flow.parameter.named<\"{PARAMETER_SCOPE}\"::\"{WEIGHT_FILE}\"> : {weights}"
    )?;
    for file in &module.files {
        write_kernels(out, file)?;
    }
    for function in &module.functions {
        write_function(out, module, function, &weights)?;
    }
    writeln!(out, "}}")
}

/// An executable: a code object and its kernels. Grids come from the dispatches.
fn write_kernels(out: &mut String, file: &KernelFile<'_>) -> std::fmt::Result {
    writeln!(
        out,
        "  hal.executable.source private @kernels.{} <objects = <{{#target = \
         [#hal.executable.object<{{path = {}}}>]}}>> {{",
        file.name,
        quoted(file.path)
    )?;
    for (ordinal, (kernel, threads)) in file.kernels.iter().enumerate() {
        writeln!(
            out,
            "    hal.executable.export public @{kernel} ordinal({ordinal}) layout(#layout) \
             count(%device: !hal.device, %x: index, %y: index, %z: index) -> (index, index, index) {{\n\
             \x20     hal.return %x, %y, %z : index, index, index\n    }} \
             <{{workgroup_size = [{threads} : index, 1 : index, 1 : index], subgroup_size = 32 : index}}>"
        )?;
    }
    writeln!(out, "  }}")
}

fn write_function(
    out: &mut String,
    module: &GpuPhaseModule<'_>,
    function: &GpuPhaseFunction<'_>,
    weights: &str,
) -> std::fmt::Result {
    let GpuPhaseFunction { name, program, cells, batch, pages, rows, vocabulary, .. } = function;
    let sampled = rows * (1 + usize::from(function.temperatures));
    let program_type = format!("tensor<{}xi8>", program.len());
    let plain = plain_arguments(*cells, *batch, *pages, sampled);
    let types = [
        format!("tensor<{}xi8>", module.shared_bytes),
        format!("tensor<{}x{}xi8>", module.blocks, module.block_bytes),
        format!("tensor<{rows}x{vocabulary}xf32>"),
    ];
    let mut arguments: Vec<String> =
        plain.iter().map(|(name, ty)| format!("%{name}: {ty}")).collect();
    for (index, (name, ty)) in WRITTEN.iter().zip(&types).enumerate() {
        arguments.push(format!("%{name}: {ty} {{iree.abi.output = {index} : index}}"));
    }
    let results = types.join(", ");
    writeln!(
        out,
        "  util.global private @program.{name} = dense<\"0x{}\"> : {program_type}",
        Hex(program)
    )?;
    writeln!(out, "  func.func @{name}({}) -> ({results}) {{", arguments.join(", "))?;
    writeln!(out, "    %weights = util.global.load @weights : {weights}")?;
    writeln!(out, "    %program = util.global.load @program.{name} : {program_type}")?;
    let read: String = plain.iter().map(|(name, _)| format!(", %{name}")).collect();
    let read_types: String = plain.iter().map(|(_, ty)| format!(", {ty}")).collect();
    let mut written = WRITTEN.map(|name| format!("%{name}")).join(", ");
    for (index, launch) in function.launches.iter().enumerate() {
        let GpuLaunch { kernel, grid: [x, y, z], phase } = launch;
        let file = module.file_of(kernel);
        for (axis, workgroups) in [("x", x), ("y", y), ("z", z)] {
            writeln!(out, "    %{axis}{index} = arith.constant {workgroups} : index")?;
        }
        writeln!(out, "    %phase{index} = arith.constant {phase} : i32")?;
        writeln!(
            out,
            "    %step{index}:{} = flow.dispatch @kernels.{file}::@{kernel}[%x{index}, %y{index}, %z{index}]\
             (%phase{index}, %weights, %program{read}, {written}) : (i32, {weights}, \
             {program_type}{read_types}, {results}) -> ({written})",
            WRITTEN.len()
        )?;
        written = [0, 1, 2].map(|result| format!("%step{index}#{result}")).join(", ");
    }
    writeln!(out, "    return {written} : {results}\n  }}")
}

impl GpuPhaseModule<'_> {
    /// The file that has a kernel.
    fn file_of(&self, kernel: &str) -> &str {
        let has = |file: &&KernelFile<'_>| file.kernels.iter().any(|(name, _)| *name == kernel);
        self.files.iter().find(has).expect("every launched kernel is in a file").name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(form: GpuForm<'_>) -> GpuPhaseModule<'_> {
        let launch = |kernel, phase| GpuLaunch { kernel, grid: [4, 2, 1], phase };
        GpuPhaseModule {
            name: "step",
            form,
            files: vec![KernelFile {
                name: "rows",
                path: "rows.hsaco",
                kernels: vec![("ty_one", 32), ("ty_two", 256)],
            }],
            weight_bytes: 64,
            shared_bytes: 4096,
            blocks: 17,
            block_bytes: 128,
            functions: vec![GpuPhaseFunction {
                name: "decode1",
                program: &[1, 2],
                launches: vec![launch("ty_one", 0), launch("ty_two", 3)],
                cells: 1,
                batch: 1,
                pages: 4,
                rows: 1,
                vocabulary: 5,
                temperatures: true,
            }],
        }
    }

    #[test]
    fn every_launch_is_a_dispatch_over_what_the_one_before_has_written() {
        let emitted = emit_gpu_phases(&module(GpuForm::Amdgpu("gfx1151")));
        assert_eq!(emitted.functions, ["step.decode1"]);
        for part in [
            "#hal.executable.target<\"rocm\", \"gfx1151\", {abi = \"amdgpu\"}>",
            "@ty_two ordinal(1) layout(#layout)",
            "workgroup_size = [256 : index, 1 : index, 1 : index]",
            "%sampled: tensor<2xi32>, %shared: tensor<4096xi8> {iree.abi.output = 0 : index}, %cache: tensor<17x128xi8> \
             {iree.abi.output = 1 : index}, %logits: tensor<1x5xf32> {iree.abi.output = 2 : index})",
            "%step0:3 = flow.dispatch @kernels.rows::@ty_one[%x0, %y0, %z0](%phase0, %weights, %program, \
             %tokens, %positions, %lengths, %slots, %tables, %sampled, %shared, %cache, %logits)",
            "-> (%step0#0, %step0#1, %step0#2)",
            "%phase1 = arith.constant 3 : i32",
            "return %step1#0, %step1#1, %step1#2 :",
        ] {
            assert!(emitted.text.contains(part), "{part:?} is not in:\n{}", emitted.text);
        }
    }

    #[test]
    fn drivers_differ_in_the_form_of_executables_only() {
        let texts = [GpuForm::Amdgpu("gfx1151"), GpuForm::Hip, GpuForm::Cuda];
        let [amdgpu, hip, cuda] = texts.map(|form| emit_gpu_phases(&module(form)).text);
        let rest = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_owned());
        assert_eq!(rest(&amdgpu), rest(&hip));
        assert_eq!(rest(&amdgpu), rest(&cuda));
        assert!(
            cuda.starts_with("#target = #hal.executable.target<\"cuda\", \"cuda-nvptx-fb\">\n")
        );
        assert!(hip.starts_with("#target = #hal.executable.target<\"rocm\", \"rocm-hsaco-fb\">\n"));
    }
}
