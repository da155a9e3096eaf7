//! GPUs whose names IREE's compiler does not know, though the LLVM inside it does.
//!
//! IREE 3.13 looks a GPU's name up in a table of its own, which lacks gfx1102 and gfx1152. A module that
//! describes its device itself needs no table. The description is the one that IREE has for all of
//! RDNA 3 and 3.5, but for what it knows of single chips: how many compute units they have, and
//! which sizes of products were tuned for them. LLVM is told the chip's own name. Code for a
//! relative under another name would be wrong: LLVM begins kernels of gfx1102 with sixteen scalar
//! registers, because of a fault of that chip, and those of gfx1103 with as many as they need.

use tyto_kernel_spec::{GpuArch, GpuDriver, Target};

/// What follows the name of a GPU in IREE's description of it.
const RDNA3: &str = "features = \"\", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, \
     storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, \
     mma = [<WMMAR3_F32_16x16x16_F16>, <WMMAR3_F16_16x16x16_F16>, <WMMAR3_F32_16x16x16_BF16>, \
     <WMMAR3_BF16_16x16x16_BF16>, <WMMAR3_I32_16x16x16_I8>], subgroup_size_choices = [32, 64], \
     max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, \
     max_workgroup_memory_bytes = 65536, \
     max_workgroup_counts = [2147483647, 2147483647, 2147483647], \
     max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 8192, \
     workgroup_memory_bank_count = 64>";

/// The nearest relative with a name of a GPU that IREE's compiler has no name for.
fn relative(arch: GpuArch) -> Option<GpuArch> {
    match arch {
        GpuArch::Gfx1102 => Some(GpuArch::Gfx1103),
        GpuArch::Gfx1152 => Some(GpuArch::Gfx1150),
        _ => None,
    }
}

/// The name of a GPU among IREE's options. Without one of its own it is a relative's, for what the
/// library does before it sees a module; the module's description is what code is made for.
pub(crate) fn option_name(arch: GpuArch) -> &'static str {
    relative(arch).unwrap_or(arch).name()
}

/// The module, which describes its device where that has no name.
///
/// # Panics
///
/// Panics if the text has no module with a name and without attributes.
pub(crate) fn described(target: Target, text: String) -> String {
    let Target::Gpu(arch, driver) = target else { return text };
    if relative(arch).is_none() {
        return text;
    }
    let begin = text.find("module @").expect("a module has a name");
    let end = begin + text[begin..].find(" {\n").expect("a module has a body");
    assert!(!text[begin..end].contains(" attributes"), "{}", &text[begin..end]);
    let (head, body) = text.split_at(end);
    format!("{head} attributes {{hal.device.targets = [{}]}}{body}", device(arch, driver))
}

/// A device as IREE's compiler describes it.
fn device(arch: GpuArch, driver: GpuDriver) -> String {
    let (chip, driver_name) = (arch.name(), driver.name());
    let form = match driver {
        GpuDriver::Amdgpu => chip,
        GpuDriver::Hip => "rocm-hsaco-fb",
        GpuDriver::Cuda => unreachable!("IREE has names for these"),
    };
    format!(
        "#hal.device.target<\"{driver_name}\", [#hal.executable.target<\"rocm\", \"{form}\", \
         {{abi = \"{driver_name}\", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, \
         iree_codegen.target_info = #iree_gpu.target<arch = \"{chip}\", {RDNA3}>, \
         ukernels = \"none\"}}>]> : !hal.device"
    )
}

#[cfg(test)]
mod tests {
    use tyto_iree_rt::{Compiler, Phase};

    use super::*;
    use crate::modules::flags_of;

    const MODULE: &str = "module @m {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = stablehlo.add %x, %x : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
";

    #[test]
    fn only_what_has_no_name_is_described() {
        let text = |arch, driver| described(Target::Gpu(arch, driver), MODULE.to_owned());
        assert_eq!(text(GpuArch::Gfx1103, GpuDriver::Hip), MODULE);
        assert_eq!(described(Target::CpuHost, MODULE.to_owned()), MODULE);
        let hip = text(GpuArch::Gfx1152, GpuDriver::Hip);
        for part in ["module @m attributes {hal", "\"rocm-hsaco-fb\"", "arch = \"gfx1152\""] {
            assert!(hip.contains(part), "{part:?} is not in {hip}");
        }
        assert!(text(GpuArch::Gfx1102, GpuDriver::Amdgpu).contains("\"rocm\", \"gfx1102\", {abi"));
    }

    /// What IREE writes for the relatives that it knows, up to the facts of one chip.
    #[test]
    fn the_description_is_the_one_of_the_nearest_relatives() {
        let compiler = Compiler::find(None).expect("tools/setup installs it");
        for unnamed in GpuArch::ALL {
            let Some(relative) = relative(unnamed) else { continue };
            let info = |arch: GpuArch| {
                let target = Target::Gpu(arch, GpuDriver::Amdgpu);
                let text = described(target, MODULE.to_owned());
                let program = compiler.lower(text.as_bytes(), &flags_of(target), Phase::Flow);
                let program = program.unwrap_or_else(|error| panic!("{arch:?}: {error}"));
                let begin = program.find("#iree_gpu.target<").expect("a description");
                let end = program[begin..].find("workgroup_memory_bank_count").expect("its end");
                program[begin..begin + end].to_owned()
            };
            let theirs = info(relative).replace(relative.name(), unnamed.name());
            assert_eq!(info(unnamed), theirs);
        }
    }

    /// Through both drivers; where ELF's header has LLVM's number of the chip.
    #[test]
    fn code_is_for_the_chip_itself() {
        let compiler = Compiler::find(None).expect("tools/setup installs it");
        for (arch, number) in [(GpuArch::Gfx1102, 0x47), (GpuArch::Gfx1152, 0x55)] {
            for driver in arch.drivers() {
                let target = Target::Gpu(arch, *driver);
                let text = described(target, MODULE.to_owned());
                let code = compiler.compile(text.as_bytes(), &flags_of(target));
                let code = code.unwrap_or_else(|error| panic!("{target}: {error}"));
                let mut objects = code.windows(8).enumerate();
                let (at, _) = (objects.find(|(_, bytes)| bytes.starts_with(b"\x7fELF")))
                    .expect("a code object");
                assert_eq!(code[at + 48], number, "{target}");
            }
        }
    }

    /// A name that a later IREE knows needs no description any more.
    #[test]
    fn the_compiler_refuses_these_names() {
        let compiler = Compiler::find(None).expect("tools/setup installs it");
        for arch in GpuArch::ALL.into_iter().filter(|arch| relative(*arch).is_some()) {
            let flags = flags_of(Target::Gpu(arch, GpuDriver::Amdgpu)).into_iter();
            let named = |flag: String| flag.replace(option_name(arch), arch.name());
            let flags: Vec<String> = flags.map(named).collect();
            let refused = compiler.compile(MODULE.as_bytes(), &flags).expect_err(arch.name());
            assert!(refused.to_string().contains("Unknown ROCM target"), "{refused}");
        }
    }
}
