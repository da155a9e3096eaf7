//! Digests of rows of logits, bit for bit what the engine finds out for itself.

use std::collections::HashMap;

use tyto_artifact::RowDigest;
use tyto_engine::testing::digested;
use tyto_graph::{DType, Graph, Layout, Op, TensorType};
use tyto_kernel_cases::random::Random;
use tyto_kernel_cases::sketch::Named;
use tyto_phase_program::{GpuOptions, Launch, StepSizes, plan_for_gpu};
use tyto_rdna_emu::{Code, Grid, Memory, Options, Schedule, Value, launch};

use crate::objects::object_of;
use crate::runner;

/// No row of it has been written.
const GARBAGE: f32 = -7.25e11;

/// A step that ends with digests of rows of `width` logits, which a product gives.
struct Case {
    places: RowDigest,
    rows: usize,
    program: Vec<u8>,
    launches: Vec<Launch>,
}

impl Case {
    fn new(rows: usize, width: usize) -> Self {
        let sizes = StepSizes { batch: rows, tokens: 1, rows };
        let mut graph = Graph::new("digest");
        let named = Named::new(&mut graph, sizes, 1);
        let weight = |name: &str, shape: Vec<usize>| Op::Weight {
            name: name.into(),
            ty: TensorType::new(DType::F32, shape),
        };
        let table = graph.add(weight("x", vec![4, 16]), &[]).expect("a weight");
        let op = Op::Embedding { layout: Layout::RowMajor, rows: 4 };
        let x = graph.add(op, &[table, named.tokens]).expect("a table");
        let layout = Layout::Tiled { n: 16, k: 1 };
        let stored = layout.stored_shape(width, 16).expect("plain tiles");
        let w = graph.add(weight("w", stored), &[]).expect("a weight");
        let y = graph.add(Op::Linear { layout, rows: width }, &[x, w]).expect("a product");
        graph.add_output("logits", y);
        let weights = HashMap::from([("x".into(), 0), ("w".into(), 256)]);
        let places = RowDigest::of(width);
        let digests = GpuOptions { digest_pitch: Some(places.pitch), ..GpuOptions::default() };
        let program = plan_for_gpu(&graph, sizes, &weights, digests);
        let program = program.expect("every op is native");
        let kernels: Vec<&str> = program.launches.iter().map(|one| &*one.kernel).collect();
        let (product, digest) = kernels.split_at(kernels.len() - 2);
        assert!(product.last().is_some_and(|last| last.starts_with("ty_matvec")), "{kernels:?}");
        assert_eq!(digest, ["ty_digest", "ty_weigh"]);
        let launches = program.launches[kernels.len() - 2..].to_vec();
        Self { places, rows, program: program.bytes, launches }
    }

    /// The rows as the two launches leave them. `temperatures`: of each row, `None` for padding.
    fn run(
        &self,
        logits: &[Vec<f32>],
        temperatures: &[Option<f32>],
        options: &Options,
    ) -> Vec<Vec<f32>> {
        let memory = Memory::new();
        let bytes = |values: &[i32]| -> Vec<u8> {
            values.iter().flat_map(|value| value.to_le_bytes()).collect()
        };
        let sampled = temperatures.iter().enumerate();
        let sampled = sampled.map(|(row, one)| one.map_or(-1, |_| row as i32));
        let of_rows = temperatures.iter().map(|one| one.unwrap_or(0.0).to_bits() as i32);
        let sampled: Vec<i32> = sampled.chain(of_rows).collect();
        let nothing = bytes(&vec![0; 2 * self.rows]);
        let mut values =
            vec![memory.allocate("weights", 64), memory.allocate_from("program", &self.program)];
        for name in ["tokens", "positions", "lengths", "slots", "tables"] {
            values.push(memory.allocate_from(name, &nothing));
        }
        values.push(memory.allocate_from("sampled", &bytes(&sampled)));
        let (shared, cache) = (memory.allocate("shared", 4096), memory.allocate("cache", 64));
        let mut rows = vec![GARBAGE; self.rows * self.places.pitch];
        for (row, logits) in rows.chunks_mut(self.places.pitch).zip(logits) {
            row[..logits.len()].copy_from_slice(logits);
        }
        let rows: Vec<u8> = rows.iter().flat_map(|value| value.to_le_bytes()).collect();
        let at = memory.allocate_from("logits", &rows);
        values.extend([shared, cache, at]);
        for step in &self.launches {
            let code = Code::load(object_of(&step.kernel), &memory).expect("clang writes objects");
            let grid = Grid {
                work_items: [step.grid[0] * step.threads, step.grid[1], step.grid[2]],
                workgroup: [step.threads, 1, 1],
                dynamic_lds: 0,
            };
            let mut all: Vec<Value> = values.iter().copied().map(Value::from).collect();
            all.push(Value::from(step.phase));
            let ran = launch(&memory, &code, &step.kernel, grid, &all, options);
            ran.unwrap_or_else(|fault| panic!("{}: {fault}", step.kernel));
        }
        let mut found = vec![0; rows.len()];
        memory.read(at, &mut found).expect("as long as it was");
        let found: Vec<f32> = (found.chunks_exact(4))
            .map(|b| f32::from_le_bytes(b.try_into().expect("four")))
            .collect();
        found.chunks(self.places.pitch).map(<[f32]>::to_vec).collect()
    }

    /// Compares one row: the logits are as they were, and what is said of them is what the engine says.
    fn check(&self, what: &str, found: &[f32], logits: &[f32], temperature: Option<f32>) {
        let RowDigest { width, head, maxima, sums, .. } = self.places;
        let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<u32>>();
        assert_eq!(bits(&found[..width]), bits(logits), "{what}");
        let Some(temperature) = temperature.filter(|temperature| *temperature != 0.0) else {
            assert!(found[width..].iter().all(|value| *value == GARBAGE), "{what}");
            return;
        };
        let expected = digested(logits, temperature);
        assert_eq!(found[head + 2], expected[head + 2], "{what}: whether all are finite");
        if expected[head + 2] == 0.0 {
            return;
        }
        assert_eq!(bits(&found[head..head + 2]), bits(&expected[head..head + 2]), "{what}: head");
        let of = |row: &[f32], part: usize| row[part..part + self.places.chunks()].to_vec();
        // Numbers, not bits: 0 and -0 are one.
        assert_eq!(of(found, maxima), of(&expected, maxima), "{what}: maxima");
        if temperature > 0.0 {
            let [found, expected] = [found, &expected[..]].map(|row| bits(&of(row, sums)));
            assert_eq!(found, expected, "{what}: sums");
        }
    }
}

/// A row of a kind, of many.
fn row(random: &mut Random, kind: usize, width: usize) -> Vec<f32> {
    let mut row: Vec<f32> = random.normals(width).into_iter().map(|v| 6.0 * v).collect();
    let at = random.below(width);
    match kind % 14 {
        0 => row.fill(0.75),
        1 => row.iter_mut().for_each(|v| *v = v.round()),
        2 => row.iter_mut().for_each(|v| *v = if *v > 0.0 { 0.0 } else { -0.0 }),
        3 => row[at] = f32::NEG_INFINITY,
        4 => row[at] = f32::INFINITY,
        5 => row[at] = f32::NAN,
        6 => row[at] = -f32::NAN,
        7 => row.fill(f32::NEG_INFINITY),
        8 => row[at] = f32::MAX,
        9 => row.iter_mut().for_each(|v| *v = if *v > 0.0 { f32::MIN } else { f32::MAX }),
        10 => row.iter_mut().for_each(|v| *v *= 1e-39),
        11 => row.iter_mut().for_each(|v| *v -= 1e6),
        12 => row[width - 1] = 99.0,
        _ => {}
    }
    row
}

/// In every order of waves and both ways of rounding what the hardware only estimates.
#[test]
fn digests_are_what_the_engine_finds_out_itself() {
    let mut random = Random::new(91);
    let temperatures = [1.0, 0.7, -1.0, 1.9, 0.01, 0.0, 1e-30, 3.3];
    let turns = 2 * Schedule::SAMPLE.len();
    for (turn, width) in
        [1, 15, 16, 17, 63, 64, 65, 127, 1000, 1024, 1025, 2064, 4999].into_iter().enumerate()
    {
        let case = Case::new(16, width);
        let rows: Vec<Vec<f32>> = (0..16).map(|kind| row(&mut random, kind, width)).collect();
        let of = |row: usize| (row < 15).then(|| temperatures[(row + turn) % temperatures.len()]);
        let of_rows: Vec<Option<f32>> = (0..16).map(of).collect();
        for order in 0..2 {
            let options = runner::options((2 * turn + order + turn / 3) % turns);
            let found = case.run(&rows, &of_rows, &options);
            for (index, found) in found.iter().enumerate() {
                let what = format!("width {width}, row {index} at {:?}", of_rows[index]);
                case.check(&what, found, &rows[index], of_rows[index]);
            }
        }
    }
}

/// Weights over the whole range of the exponential, and divisions by odd temperatures.
#[test]
fn sums_have_the_engines_bits_over_the_whole_range() {
    let mut random = Random::new(92);
    let case = Case::new(4, 3000);
    for turn in 0..4 {
        let spread = [1.0, 20.0, 60.0, 100.0][turn];
        let rows: Vec<Vec<f32>> = (0..4)
            .map(|_| random.normals(3000).into_iter().map(|v| -(v * spread).abs()).collect())
            .collect();
        let temperatures = [0.37, 0.9, 1.0, 2.7].map(Some);
        let found = case.run(&rows, &temperatures, &runner::options(turn));
        for (index, found) in found.iter().enumerate() {
            case.check(
                &format!("spread {spread}, row {index}"),
                found,
                &rows[index],
                temperatures[index],
            );
        }
    }
}
