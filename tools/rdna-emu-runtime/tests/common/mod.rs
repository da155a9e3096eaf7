//! What the tests share: code objects, compiled when a test runs.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::process::Command;

/// Compiles kernels to a code object for gfx1151. Panics, and says what to install, when clang-22 is missing.
pub fn compile(text: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (source, object) = (folder.path().join("kernels.hip"), folder.path().join("kernels.co"));
    std::fs::write(&source, text).expect("the temporary folder can be written");
    let output = Command::new("clang-22")
        .args(["-x", "hip", "--offload-arch=gfx1151", "--offload-device-only", "-nogpulib"])
        .args(["-nogpuinc", "--no-gpu-bundle-output", "-O3", "-std=c++17", "-Werror"])
        .arg(&source)
        .arg("-o")
        .arg(&object)
        .output()
        .unwrap_or_else(|error| {
            panic!("cannot run clang-22: {error}. tools/setup installs it (package clang-22)")
        });
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "clang-22: {errors}");
    std::fs::read(&object).expect("clang-22 wrote the code object")
}

/// Kernels of the tests.
pub const KERNELS: &str = r#"
#define KERNEL extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 64))) void
#define PLACE ((int)(__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x()))

__attribute__((device)) int scale = 3;

KERNEL scaled(const int* in, int* out) { out[PLACE] = in[PLACE] * scale; }

KERNEL add_one(int* data) { data[PLACE] += 1; }

KERNEL twice(int* data) { data[PLACE] *= 2; }

KERNEL reversed(int* data) {
  __attribute__((shared)) static int words[64];
  int lane = __builtin_amdgcn_workitem_id_x();
  words[lane] = data[PLACE];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
  data[PLACE] = words[63 - lane];
}

KERNEL wild(int* data) { data[PLACE + (1 << 28)] = 1; }
"#;
