//! A code object, memory and buffers: what a test of kernels needs.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tyto_rdna_emu::{
    Code, Grid, LaunchError, Memory, Options, Races, Report, Schedule, Value, launch,
};

/// A compiled file of kernels, and memory.
pub struct Bench {
    pub memory: Memory,
    pub code: Code,
}

impl Bench {
    /// Compiles a file for gfx1151 and loads it.
    pub fn new(file: &str) -> Self {
        Self::load(&super::compile(file, "gfx1151"))
    }

    /// Loads a code object.
    pub fn load(object: &[u8]) -> Self {
        let memory = Memory::new();
        let code = Code::load(object, &memory).expect("clang writes code objects");
        Bench { memory, code }
    }

    /// A buffer with those numbers.
    pub fn buffer<T: Number>(&mut self, name: &str, values: &[T]) -> u64 {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_bytes()).collect();
        self.memory.allocate_from(name, &bytes)
    }

    /// The first numbers of a buffer.
    pub fn read<T: Number>(&self, address: u64, count: usize) -> Vec<T> {
        let bytes = self.memory.read_vec(address, count * size_of::<T>());
        bytes
            .expect("the buffer is that long")
            .chunks_exact(size_of::<T>())
            .map(T::from_bytes)
            .collect()
    }

    /// Runs a kernel over workgroups in one dimension.
    pub fn run(
        &mut self,
        kernel: &str,
        grid: Grid,
        values: &[Value],
        options: &Options,
    ) -> Result<Report, LaunchError> {
        launch(&self.memory, &self.code, kernel, grid, values, options)
    }
}

/// A number that buffers hold.
pub trait Number: Copy {
    fn to_bytes(self) -> Vec<u8>;
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($($number:ty),*) => {
        $(impl Number for $number {
            fn to_bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                <$number>::from_le_bytes(bytes.try_into().expect("as long as the number"))
            }
        })*
    };
}
number!(u8, i8, u16, u32, i32, u64, f32, f64);

/// Numbers from a fixed seed.
pub fn random<T>(seed: u64, count: usize, mut make: impl FnMut(&mut ChaCha8Rng) -> T) -> Vec<T> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| make(&mut random)).collect()
}

/// Floats between -2 and 2.
pub fn floats(seed: u64, count: usize) -> Vec<f32> {
    random(seed, count, |r| r.random_range(-2.0..2.0))
}

/// Every schedule, with the detectors on.
pub fn strict() -> impl Iterator<Item = Options> {
    Schedule::SAMPLE.into_iter().map(|schedule| Options {
        schedule,
        races: Races::All,
        checks_written: true,
        instruction_limit: 1_000_000,
        ..Options::default()
    })
}

/// Runs a kernel in every schedule; each time the results must be the same. Returns them.
pub fn results<T: Number + PartialEq + std::fmt::Debug>(
    bench: &mut Bench,
    kernel: &str,
    grid: Grid,
    before: &[Value],
    out_count: usize,
    after: &[Value],
) -> Vec<T> {
    let mut first: Option<Vec<T>> = None;
    for options in strict() {
        let out = bench.memory.allocate("out", out_count * size_of::<T>());
        let mut values = before.to_vec();
        values.push(out.into());
        values.extend_from_slice(after);
        bench.run(kernel, grid, &values, &options).unwrap_or_else(|error| panic!("{error}"));
        let found = bench.read::<T>(out, out_count);
        let first = first.get_or_insert_with(|| found.clone());
        assert_eq!(*first, found, "{kernel} in {:?}", options.schedule);
    }
    first.expect("there are schedules")
}

/// Fails where a result is further from what is expected than `bound` allows, relative to 1 or the value.
pub fn assert_close(found: &[f32], expected: &[f32], bound: f32) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let limit = bound * expected.abs().max(1.0);
        let is_close = (found - expected).abs() <= limit || found.is_nan() && expected.is_nan();
        assert!(is_close, "{index}: {found:e}, not {expected:e}");
    }
}
