//! What ran on the emulator as files, for tools/cuda-check, which runs it on another GPU.
//!
//! With `TYTO_EXPORT_CASES` every step that a test runs is written to a folder of its own there.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use tyto_phase_program::{GpuOptions, Program, StepSizes, plan_for_gpu};

use crate::linear::{gpu_layouts, product_graph};
use crate::runner::Arguments;

/// Writes one step, where that was asked for: `caches` are those before and after it.
pub fn case(
    program: &Program,
    weights: &[u8],
    arguments: &Arguments,
    caches: [&[u8]; 2],
    logits: &[f32],
) {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let Some(folder) = std::env::var_os("TYTO_EXPORT_CASES") else { return };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let test = std::thread::current().name().unwrap_or("case").replace("::", "-");
    let folder = Path::new(&folder).join(format!("{test}-{number}"));
    write_program(&folder, program, logits.len());
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect(name);
    write("weights", weights);
    for name in ["tokens", "positions", "lengths", "slots", "tables", "sampled"] {
        let integers = arguments.of(name).iter().flat_map(|value| value.to_le_bytes());
        write(name, &integers.collect::<Vec<u8>>());
    }
    write("cache", caches[0]);
    write("cache.after", caches[1]);
    write("logits", &logits.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
}

/// The program's bytes, and its launches as lines: kernel, grid, threads, phase; the first line has
/// the bytes of scratch and the number of logits.
fn write_program(folder: &Path, program: &Program, logits: usize) {
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("program"), &program.bytes).expect("program");
    let mut lines = format!("{} {logits}\n", program.shared_bytes);
    for launch in &program.launches {
        let [x, y, z] = launch.grid;
        lines += &format!("{} {x} {y} {z} {} {}\n", launch.kernel, launch.threads, launch.phase);
    }
    std::fs::write(folder.join("launches"), lines).expect("launches");
}

/// Products of large shapes, for measuring: the weights' bytes are up to who measures.
#[test]
fn large_products() {
    let Some(folder) = std::env::var_os("TYTO_EXPORT_CASES") else { return };
    for (layout, dtype) in gpu_layouts() {
        for (n, k) in [(14336, 4096), (4096, 14336)] {
            let (graph, bytes) = product_graph(layout, dtype, n, k);
            let sizes = StepSizes { batch: 1, tokens: 1, rows: 1 };
            let places = [("w".into(), 0), ("x".into(), bytes as u64)].into();
            // As AMD GPUs launch it, and as NVIDIA's do.
            for (of, matrices) in [("amd", true), ("nvidia", false)] {
                let options = GpuOptions { matrices, ..GpuOptions::default() };
                let program = plan_for_gpu(&graph, sizes, &places, options).expect("a product");
                let name = format!("large-{n}x{k}-{layout}-{dtype}-{of}")
                    .replace([' ', ',', ':', '{', '}', '(', ')'], "_");
                let folder = Path::new(&folder).join(name);
                write_program(&folder, &program, n);
                std::fs::write(folder.join("bytes"), format!("{bytes} {k}")).expect("bytes");
            }
        }
    }
}
