//! What a step is given, and the cache that it updates.

use tyto_graph::{AttentionAttrs, KvType, Op, RopeTable};

use super::Tensor;
use crate::purpose::Head;

/// What a step is given.
#[derive(Clone, Copy)]
pub struct Step<'t> {
    /// Ids, i32 `[batch × tokens]`.
    pub tokens: Tensor<'t>,
    /// Positions, i32 `[batch × tokens]`; negative in padding.
    pub positions: Tensor<'t>,
    /// Length of each row's sequence, where a rotary table depends on it.
    pub lengths: Option<Tensor<'t>>,
    /// The rows whose logits are wanted, i32 `[rows]`.
    pub sampled: Tensor<'t>,
    /// What comes of these rows.
    pub head: Head,
    /// The slot of each row's recurrent states, i32 `[batch]`, where a layer has one.
    pub(super) states: Option<Tensor<'t>>,
    pub(super) slots: Tensor<'t>,
    pub(super) tables: Tensor<'t>,
}

/// The paged cache of one layer.
#[derive(Clone, Copy)]
pub struct KvCache<'t> {
    step: Step<'t>,
    layer: usize,
}

impl<'t> Step<'t> {
    /// The paged cache of a layer.
    ///
    /// # Panics
    /// If the model's outline says that the layer has none.
    pub fn kv_cache(&self, layer: usize) -> KvCache<'t> {
        let known = self.slots.trace.state.borrow().caches.get(layer).is_some_and(Option::is_some);
        assert!(known, "the outline gives layer {layer} a cache");
        KvCache { step: *self, layer }
    }

    /// Cosines and sines of a rotary table at the step's positions.
    #[track_caller]
    pub fn angles(&self, table: &RopeTable) -> Tensor<'t> {
        let op = Op::RopeAngles(table.clone());
        match self.lengths.filter(|_| table.needs_length()) {
            Some(lengths) => self.positions.trace.add(op, &[self.positions, lengths]),
            None => self.positions.trace.add(op, &[self.positions]),
        }
    }
}

impl<'t> KvCache<'t> {
    /// Writes this step's keys and values, `[tokens, heads, head_dim]`, in place.
    #[track_caller]
    pub fn append(self, keys: Tensor<'t>, values: Tensor<'t>) -> Self {
        let trace = self.step.slots.trace;
        let [old_keys, old_values] = self.versions();
        let stored = |new: Tensor<'t>| match trace.options.kv_type {
            KvType::Float(dtype) => new.convert(dtype),
            KvType::Code(code) => trace.add(Op::QuantizeKv(code), &[new]),
        };
        let new_keys = trace.add(Op::Put, &[old_keys, self.step.slots, stored(keys)]);
        let new_values = trace.add(Op::Put, &[old_values, self.step.slots, stored(values)]);
        let mut state = trace.state.borrow_mut();
        let cache = state.caches[self.layer].as_mut().expect("kv_cache has checked it");
        cache.keys.1 = new_keys.value.unwrap_or(cache.keys.1);
        cache.values.1 = new_values.value.unwrap_or(cache.values.1);
        drop(state);
        self
    }

    /// Attention of `q`, `[tokens, heads, head_dim]`, to everything cached that it may see.
    #[track_caller]
    pub fn attend(self, q: Tensor<'t>, attrs: AttentionAttrs) -> Tensor<'t> {
        let [keys, values] = self.versions();
        let operands = [q, keys, values, self.step.tables, self.step.positions];
        q.trace.add(self.attention(attrs), &operands)
    }

    /// As [`attend`](Self::attend), with a sink for each head: `sinks`, f32 `[heads]`, join the
    /// scores before the softmax and drop out after it.
    #[track_caller]
    pub fn attend_with_sinks(
        self,
        q: Tensor<'t>,
        attrs: AttentionAttrs,
        sinks: Tensor<'t>,
    ) -> Tensor<'t> {
        let [keys, values] = self.versions();
        let operands = [q, keys, values, self.step.tables, self.step.positions, sinks];
        q.trace.add(self.attention(attrs), &operands)
    }

    /// What models ask for, over a cache of the trace's type.
    fn attention(&self, attrs: AttentionAttrs) -> Op {
        let kv = self.step.slots.trace.options.kv_type.code();
        Op::PagedAttention(AttentionAttrs { kv, ..attrs })
    }

    fn versions(&self) -> [Tensor<'t>; 2] {
        let trace = self.step.slots.trace;
        let state = trace.state.borrow();
        let cache = state.caches[self.layer].as_ref().expect("kv_cache has checked it");
        [trace.tensor(cache.keys.1), trace.tensor(cache.values.1)]
    }
}
