//! Which compiled entry point serves which part of a step: pure arithmetic.

use tyto_artifact::{EntryKind, EntryPoint, ModelFacts};

/// The entry points of a target, ordered so that the first that fits is the cheapest.
#[derive(Debug, Clone)]
pub(crate) struct Buckets {
    /// Indices into the target's entries, by context, then batch.
    decode: Vec<(usize, EntryPoint)>,
    /// Indices into the target's entries, by context, then tokens.
    prefill: Vec<(usize, EntryPoint)>,
    /// Whether a text is computed in one call.
    whole: bool,
}

impl Buckets {
    pub(crate) fn new(entries: &[EntryPoint]) -> Self {
        let of_kind = |kind: EntryKind| {
            let mut found: Vec<(usize, EntryPoint)> = (entries.iter().cloned().enumerate())
                .filter(|(_, entry)| entry.kind == kind)
                .collect();
            found.sort_by_key(|(_, entry)| (entry.context, entry.batch, entry.tokens));
            found
        };
        let (decode, prefill) = (of_kind(EntryKind::Decode), of_kind(EntryKind::Prefill));
        Self { decode, prefill, whole: false }
    }

    /// The same of the model's artifact, whose texts may have to be computed in one call.
    pub(crate) fn of_model(entries: &[EntryPoint], model: &ModelFacts) -> Self {
        let whole = model.pooled.as_ref().is_some_and(|pooled| pooled.whole);
        Self { whole, ..Self::new(entries) }
    }

    /// The most sequences that one decode call takes; 0 where there is none.
    pub(crate) fn max_batch(&self) -> usize {
        self.decode.iter().map(|(_, entry)| entry.batch).max().unwrap_or(0)
    }

    /// The most tokens that one prefill call takes; 0 where there is none.
    pub(crate) fn max_chunk(&self) -> usize {
        self.prefill.iter().map(|(_, entry)| entry.tokens).max().unwrap_or(0)
    }

    /// The positions that every bucket of the kinds that there are reaches.
    pub(crate) fn max_context(&self) -> usize {
        let reach = |entries: &[(usize, EntryPoint)]| {
            entries.iter().map(|(_, entry)| entry.context).max().unwrap_or(0)
        };
        match self.decode.is_empty() {
            true => reach(&self.prefill),
            false => reach(&self.decode).min(reach(&self.prefill)),
        }
    }

    /// The decode entry for `rows` sequences whose longest has `context` positions.
    pub(crate) fn decode(&self, rows: usize, context: usize) -> Option<usize> {
        let fits = |entry: &EntryPoint| entry.batch >= rows && entry.context >= context;
        self.decode.iter().find(|(_, entry)| fits(entry)).map(|(index, _)| *index)
    }

    /// The prefill entry for the next part of `tokens` tokens that start at position `first`,
    /// and how many of them it takes.
    ///
    /// A bucket that would be more than half padding gives way to the largest one that is
    /// full; the rest is another call, unless a text is computed in one.
    pub(crate) fn prefill(&self, tokens: usize, first: usize) -> Option<(usize, usize)> {
        let sizes = || self.prefill.iter().map(|(_, entry)| entry.tokens);
        let holds_all = sizes().filter(|size| *size >= tokens && *size < 2 * tokens).min();
        let full = || sizes().filter(|size| *size <= tokens).max();
        let size = match self.whole {
            true => sizes().filter(|size| *size >= tokens).min()?,
            false => holds_all.or_else(full).or_else(|| sizes().min())?,
        };
        let taken = size.min(tokens);
        let fits = |entry: &EntryPoint| entry.tokens == size && entry.context >= first + taken;
        let (index, _) = self.prefill.iter().find(|(_, entry)| fits(entry))?;
        Some((*index, taken))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: EntryKind, batch: usize, tokens: usize, context: usize) -> EntryPoint {
        let function = format!("{kind:?}.{batch}.{tokens}.{context}");
        EntryPoint { function, kind, batch, tokens, context, rows: batch }
    }

    fn buckets() -> (Vec<EntryPoint>, Buckets) {
        let mut entries = Vec::new();
        for context in [2048, 512] {
            for batch in [8, 1, 4, 2] {
                entries.push(entry(EntryKind::Decode, batch, 1, context));
            }
            for tokens in [512, 32, 128] {
                entries.push(entry(EntryKind::Prefill, 1, tokens, context));
            }
        }
        let buckets = Buckets::new(&entries);
        (entries, buckets)
    }

    #[test]
    fn decode_takes_the_smallest_context_then_the_smallest_batch() {
        let (entries, buckets) = buckets();
        let check = |rows, context, batch, bucket| {
            let found = &entries[buckets.decode(rows, context).expect("fits")];
            assert_eq!((found.batch, found.context), (batch, bucket), "{rows} rows, {context}");
        };
        check(1, 1, 1, 512);
        check(3, 512, 4, 512);
        check(5, 513, 8, 2048);
        assert_eq!(buckets.decode(9, 1), None);
        assert_eq!(buckets.decode(1, 2049), None);
        assert_eq!(
            (buckets.max_batch(), buckets.max_chunk(), buckets.max_context()),
            (8, 512, 2048)
        );
    }

    #[test]
    fn prefill_wastes_less_than_half_of_a_bucket_that_is_not_the_smallest() {
        let (entries, buckets) = buckets();
        let check = |tokens, first, size, taken, context| {
            let (index, found) = buckets.prefill(tokens, first).expect("fits");
            let entry = &entries[index];
            assert_eq!(
                (entry.tokens, found, entry.context),
                (size, taken, context),
                "{tokens}@{first}"
            );
        };
        check(512, 0, 512, 512, 512);
        check(300, 0, 512, 300, 512);
        check(200, 0, 128, 128, 512);
        check(37, 0, 32, 32, 512);
        check(5, 32, 32, 5, 512);
        check(5, 508, 32, 5, 2048);
        check(512, 1, 512, 512, 2048);
        assert_eq!(buckets.prefill(1, 2048), None);
        let whole = Buckets { whole: true, ..buckets };
        let (index, taken) = whole.prefill(37, 0).expect("fits");
        assert_eq!((entries[index].tokens, taken), (128, 37));
        assert_eq!(whole.prefill(513, 0), None);
    }

    #[test]
    fn every_prompt_is_taken_whole_and_in_order() {
        let (_, buckets) = buckets();
        for tokens in 1..=512 {
            let (mut left, mut first, mut calls) = (tokens, 0, 0);
            while left > 0 {
                let (_, taken) = buckets.prefill(left, first).expect("fits");
                assert!(taken >= 1 && taken <= left);
                (left, first, calls) = (left - taken, first + taken, calls + 1);
            }
            assert!(calls <= 8, "{tokens} tokens take {calls} calls");
        }
    }
}
