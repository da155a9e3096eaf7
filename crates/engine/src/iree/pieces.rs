//! A step of phase programs as calls: which entry point computes which rows, and whose logits.

use std::ops::Range;

use tyto_artifact::EntryPoint;
use tyto_iree_rt::{Argument, Buffer, Runtime};

use super::buckets::Buckets;
use super::call::{Arguments, CacheShape, Part};
use super::load::{beyond, failed};
use crate::executor::{ExecutorError, ExecutorLimits, StepRow};

/// A row of a step with what one call takes of it.
pub(super) struct Piece<'a> {
    /// Which row of the step.
    pub(super) row: usize,
    pub(super) part: Part<'a>,
    /// Which of the part's tokens the logits are wanted of.
    pub(super) wanted: Range<usize>,
    /// The temperature of the digests that would do, as in [`StepRow`].
    pub(super) digest: Option<f32>,
}

/// Rows of logits that a call gives for a row of the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) row: usize,
    pub(super) count: usize,
    /// As in [`StepRow`].
    pub(super) digest: Option<f32>,
}

/// One call.
pub(super) struct Call<'a> {
    /// Which of the target's entry points.
    pub(super) entry: usize,
    pub(super) pieces: Vec<Piece<'a>>,
}

/// The calls of a step, in order: those of each prompt's row, then tokens of answers in groups. An
/// answer's guesses are rows of a call as its token is, and in the same call.
pub(super) fn calls<'a>(
    rows: &[StepRow<'a>],
    buckets: &Buckets,
    limits: &ExecutorLimits,
) -> Result<Vec<Call<'a>>, ExecutorError> {
    let mut calls = Vec::new();
    let mut single = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        match row.by_itself {
            true => single.push((index, row)),
            false => prompt(index, row, buckets, &mut calls)?,
        }
    }
    let mut left = &single[..];
    while !left.is_empty() {
        let (group, rest) = left.split_at(group_length(left, limits));
        let pieces: Vec<Piece<'a>> =
            group.iter().flat_map(|(index, row)| single_tokens(*index, row)).collect();
        let reach = pieces.iter().map(|piece| piece.part.reach()).max().unwrap_or(0);
        let entry = buckets.decode(pieces.len(), reach).ok_or_else(|| beyond(reach))?;
        calls.push(Call { entry, pieces });
        left = rest;
    }
    Ok(calls)
}

/// Refuses rows of models with recurrent layers that have no slot for each guess: a wrong one would stay in
/// its text's state.
pub(super) fn check_states(rows: &[StepRow<'_>], cache: CacheShape) -> Result<(), ExecutorError> {
    let wrong = |row: &&StepRow<'_>| row.draft_slots.len() != row.drafts;
    match rows.iter().find(wrong).filter(|_| cache.slot_blocks > 0) {
        None => Ok(()),
        Some(StepRow { drafts, draft_slots, .. }) => Err(ExecutorError::new(format!(
            "{drafts} guesses with slots {draft_slots:?} for the states after them, expected a slot \
             each"
        ))),
    }
}

/// How many of these rows one call takes. Where one has guesses, the call has no more tokens than come
/// out as they do alone.
fn group_length(rows: &[(usize, &StepRow<'_>)], limits: &ExecutorLimits) -> usize {
    let (mut tokens, mut drafts) = (0, 0);
    let fits = |(_, row): &&(usize, &StepRow<'_>)| {
        tokens += row.tokens.len();
        drafts += row.drafts;
        tokens <= if drafts > 0 { 1 + limits.max_drafts } else { limits.max_rows }
    };
    rows.iter().take_while(fits).count().max(1)
}

/// Tokens of an answer, each a row of a call.
fn single_tokens<'a>(index: usize, row: &StepRow<'a>) -> impl Iterator<Item = Piece<'a>> {
    let row = *row;
    (0..row.tokens.len()).map(move |token| Piece {
        row: index,
        part: Part::of(&row, token, 1),
        wanted: row.wanted_in(token, 1),
        digest: row.digest,
    })
}

/// The calls that one row with several tokens needs.
fn prompt<'a>(
    index: usize,
    row: &StepRow<'a>,
    buckets: &Buckets,
    calls: &mut Vec<Call<'a>>,
) -> Result<(), ExecutorError> {
    let mut done = 0;
    while done < row.tokens.len() {
        let (left, first) = (row.tokens.len() - done, row.first_position + done);
        let chosen = buckets.prefill(left, first);
        let (entry, taken) = chosen.ok_or_else(|| beyond(first + left))?;
        let part = Part::of(row, done, taken);
        let wanted = row.wanted_in(done, taken);
        done += taken;
        calls.push(Call {
            entry,
            pieces: vec![Piece { row: index, part, wanted, digest: row.digest }],
        });
    }
    Ok(())
}

impl Call<'_> {
    /// The plain arguments, which ask for the logits that are wanted and no others.
    pub(super) fn arguments(&self, entry: &EntryPoint, cache: CacheShape) -> Arguments {
        let parts: Vec<Part<'_>> = self.pieces.iter().map(|piece| piece.part).collect();
        let cells: Vec<usize> = (self.pieces.iter().enumerate())
            .flat_map(|(row, Piece { wanted, .. })| {
                let begin = row * entry.tokens;
                begin + wanted.start..begin + wanted.end
            })
            .collect();
        let mut arguments = Arguments::new(entry, cache, &parts);
        arguments.sample_only(&cells);
        arguments
    }

    /// Rows of the step and what rows of logits the call gives for each, in its order.
    pub(super) fn wanted(&self) -> impl Iterator<Item = Wanted> + '_ {
        let rows = self.pieces.chunk_by(|a, b| a.row == b.row);
        let wanted = rows.map(|pieces| Wanted {
            row: pieces[0].row,
            count: pieces.iter().map(|piece| piece.wanted.len()).sum(),
            digest: pieces[0].digest,
        });
        wanted.filter(|wanted| wanted.count > 0)
    }

    /// The temperature of each row of logits, in the call's order, as the kernels of digests read it: 0
    /// where the row itself is wanted.
    pub(super) fn temperatures(&self) -> impl Iterator<Item = f32> + '_ {
        let each = |wanted: Wanted| (0..wanted.count).map(move |_| wanted.digest.unwrap_or(0.0));
        self.wanted().flat_map(each)
    }
}

/// The buffers of the plain arguments of one entry point, which calls write anew.
#[derive(Debug)]
pub(super) struct PlainBuffers {
    tokens: Buffer,
    positions: Buffer,
    lengths: Buffer,
    slots: Buffer,
    tables: Buffer,
    sampled: Buffer,
}

/// Their number.
pub(super) const PLAIN_ARGUMENTS: usize = 6;

impl PlainBuffers {
    /// The same memory for a GPU opened anew.
    pub(super) fn on(&self, reopened: &Runtime) -> Self {
        Self {
            tokens: self.tokens.on(reopened),
            positions: self.positions.on(reopened),
            lengths: self.lengths.on(reopened),
            slots: self.slots.on(reopened),
            tables: self.tables.on(reopened),
            sampled: self.sampled.on(reopened),
        }
    }

    /// `zeros` makes a buffer of i32 of a shape. `temperatures`: those of rows of logits follow the list
    /// of sampled cells.
    pub(super) fn new(
        entry: &EntryPoint,
        cache: CacheShape,
        temperatures: bool,
        zeros: impl Fn(&[usize]) -> Result<Buffer, tyto_iree_rt::Error>,
    ) -> Result<Self, ExecutorError> {
        let cells = entry.batch * entry.tokens;
        let integers = |shape: &[usize]| zeros(shape).map_err(failed);
        Ok(Self {
            tokens: integers(&[cells])?,
            positions: integers(&[cells])?,
            lengths: integers(&[cells])?,
            slots: integers(&[cells, 2])?,
            tables: integers(&[entry.batch, cache.table_entries(entry)])?,
            sampled: integers(&[entry.rows * (1 + usize::from(temperatures))])?,
        })
    }

    /// Overwrites all of them.
    pub(super) fn write(&self, arguments: &Arguments) -> Result<(), ExecutorError> {
        let all: [(&Buffer, &[i32]); PLAIN_ARGUMENTS] = [
            (&self.tokens, &arguments.tokens),
            (&self.positions, &arguments.positions),
            (&self.lengths, &arguments.lengths),
            (&self.slots, &arguments.slots),
            (&self.tables, &arguments.tables),
            (&self.sampled, &arguments.sampled),
        ];
        all.into_iter().try_for_each(|(buffer, values)| buffer.write(0, values).map_err(failed))
    }

    /// Overwrites the temperature of every row of logits behind the list of `rows` sampled cells; rows
    /// beyond the last of `temperatures` get 0.
    pub(super) fn write_temperatures(
        &self,
        rows: usize,
        temperatures: impl Iterator<Item = f32>,
    ) -> Result<(), ExecutorError> {
        let bits = temperatures.map(|temperature| temperature.to_bits() as i32);
        let bits: Vec<i32> = bits.chain(std::iter::repeat(0)).take(rows).collect();
        self.sampled.write(rows, &bits).map_err(failed)
    }

    /// In the order of the calling convention.
    pub(super) fn lend(&self) -> [Argument<'_>; PLAIN_ARGUMENTS] {
        let Self { tokens, positions, lengths, slots, tables, sampled } = self;
        [tokens, positions, lengths, slots, tables, sampled].map(Argument::Lend)
    }
}

/// Refuses results that are not the buffers that were to be updated in place: the next call would
/// not see what this one has written.
pub(super) fn check_in_place(
    function: &str,
    results: Vec<tyto_iree_rt::Value>,
    updated: &[&Buffer],
) -> Result<(), ExecutorError> {
    let mut results = results.into_iter().filter_map(tyto_iree_rt::Value::into_buffer);
    let same = updated.iter().all(|buffer| {
        results.next().is_some_and(|result| result.allocation_id() == buffer.allocation_id())
    });
    if same {
        return Ok(());
    }
    Err(ExecutorError::fatal(format!(
        "{function} did not update its arguments in place; compile the model again"
    )))
}

/// Refuses a function of another calling convention.
pub(super) fn check_signature(
    function: &tyto_iree_rt::FunctionInfo,
    arguments: usize,
    results: usize,
) -> Result<(), ExecutorError> {
    if (function.arguments, function.results) == (arguments, results) {
        return Ok(());
    }
    Err(ExecutorError::fatal(format!(
        "{} takes {} arguments and returns {}, expected {arguments} and {results}; compile the \
         model again with this version",
        function.name, function.arguments, function.results
    )))
}
