//! A model run by its phase programs, in this process.

pub mod quantized;

use std::collections::HashMap;
use std::sync::Arc;

use tyto_checkpoint::Checkpoint;
use tyto_frontend::testing::{Pool, Work};
use tyto_frontend::{LoadedModel, StepShape, TraceOptions};
use tyto_kernel_cases::models;
use tyto_native_cpu::Variant;
use tyto_native_cpu::linked::{Aligned, Step, fill_scratch, run};
use tyto_native_team::Team;
use tyto_phase_program::{Program, StepSizes, plan};

/// What scratch and recycled blocks hold: a NaN in every format, so that reading it shows.
const GARBAGE: u8 = 0xff;

/// A model, its weights and its cache for the kernels of one variant.
pub struct Native<'m> {
    model: &'m LoadedModel,
    checkpoint: &'m Checkpoint,
    options: TraceOptions,
    variant: Variant,
    workers: usize,
    amx: bool,
    weights: Option<(Aligned, HashMap<Arc<str>, u64>)>,
    programs: Vec<(StepShape, Planned)>,
    cache: Option<Aligned>,
}

struct Planned {
    program: Program,
    bytes: Aligned,
    vocabulary: usize,
}

impl<'m> Native<'m> {
    pub fn new(
        model: &'m LoadedModel,
        checkpoint: &'m Checkpoint,
        options: TraceOptions,
        variant: Variant,
        workers: usize,
    ) -> Self {
        let (weights, programs, cache) = (None, Vec::new(), None);
        let amx = false;
        Self { model, checkpoint, options, variant, workers, amx, weights, programs, cache }
    }

    /// The same, with matrix registers where the machine has them.
    pub fn with_amx(self) -> Self {
        Self { amx: true, ..self }
    }

    /// Runs one step of `work` and gives the logits of each of its positions.
    pub fn run(&mut self, pool: &mut Pool, shape: &StepShape, work: &[Work]) -> Vec<Vec<f32>> {
        let index = self.planned(shape);
        let Planned { program, bytes, vocabulary } = &self.programs[index].1;
        let inputs = pool.inputs(shape, work);
        let wanted: usize = work.iter().map(|work| work.count).sum();
        let pages = shape.context / self.options.block_size;
        let arguments = models::arguments(&inputs, program, pages, wanted);
        let mut cache = self.cache.take().unwrap_or_else(|| {
            let blocks = self.options.max_blocks + models::slot_blocks(program);
            let mut cache = Aligned::zeros(blocks * program.block_bytes as usize);
            cache.bytes_mut().fill(GARBAGE);
            cache
        });
        let mut logits = vec![f32::NAN; shape.rows * vocabulary];
        let make = if self.amx { Team::new } else { Team::without_amx };
        let mut team = make(self.workers, program.shared_bytes, program.private_bytes)
            .expect("memory and threads");
        fill_scratch(&mut team, GARBAGE);
        let mut step = Step {
            weights: &self.weights.as_ref().expect("planned").0,
            program: bytes,
            tokens: &arguments.tokens,
            positions: &arguments.positions,
            lengths: &arguments.lengths,
            slots: &arguments.slots,
            tables: &arguments.tables,
            sampled: &arguments.sampled,
            cache: &mut cache,
            logits: &mut logits,
        };
        // SAFETY: the program is the planner's, the team has what it asks for, and the pool
        // gives arguments in range.
        unsafe { run(self.variant, &mut team, &mut step) };
        self.cache = Some(cache);
        logits.chunks(*vocabulary).take(wanted).map(<[f32]>::to_vec).collect()
    }

    /// The program of a shape, planned at its first use.
    fn planned(&mut self, shape: &StepShape) -> usize {
        if let Some(index) = self.programs.iter().position(|(known, _)| known == shape) {
            return index;
        }
        let traced = self.model.trace("step", shape, &self.options).expect("the model traces");
        let (_, places) = self.weights.get_or_insert_with(|| {
            let (bytes, places) = models::weight_file(self.checkpoint, &traced.weights);
            (Aligned::copy_of(&bytes), places)
        });
        let sizes = StepSizes { batch: shape.batch, tokens: shape.tokens, rows: shape.rows };
        let program = plan(&traced.graph, sizes, places).expect("every op is native");
        if std::env::var_os("TYTO_SHOW_PROGRAMS").is_some() {
            println!("{program}");
        }
        let bytes = Aligned::copy_of(&program.bytes);
        let vocabulary = self.model.facts().vocab_size;
        self.programs.push((*shape, Planned { program, bytes, vocabulary }));
        self.programs.len() - 1
    }
}
