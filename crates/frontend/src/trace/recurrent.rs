//! The states of recurrent layers, and the ops that read and update them.

use tyto_graph::{
    ConvAttrs, DType, DeltaAttrs, Dim, InputKind, Op, RecurrentResult, Shape, SsmAttrs, TensorType,
    ValueId,
};

use super::{Step, Tensor, Trace};
use crate::memory::RecurrentLayer;

/// Most sequences that have a state at one time.
const MOST_SLOTS: usize = 1 << 16;

/// The last versions of the states that a layer has: index of the input, and the value.
pub(super) struct States {
    conv: [Option<(usize, ValueId)>; 3],
    state: Option<(usize, ValueId)>,
}

impl States {
    /// Inputs and what became of them.
    pub(super) fn updates(&self) -> impl Iterator<Item = (usize, ValueId)> {
        self.conv.into_iter().chain([self.state]).flatten()
    }
}

/// The parameters that a recurrence has for each head.
#[derive(Clone, Copy)]
pub struct HeadParameters<'t> {
    /// Logarithm of the rate at which a state decays, `A_log`.
    pub a_log: Tensor<'t>,
    /// Added to the length of a time step before its softplus.
    pub dt_bias: Tensor<'t>,
}

/// The recurrent state of one layer.
#[derive(Clone, Copy)]
pub struct Recurrence<'t> {
    step: Step<'t>,
    states: Tensor<'t>,
    layer: usize,
    /// Which of the layer's convolutions is meant.
    conv: usize,
}

impl<'t> Step<'t> {
    /// The recurrent state of a layer; of one that has none, what is made of it is poisoned.
    #[track_caller]
    pub fn recurrence(&self, layer: usize) -> Recurrence<'t> {
        let trace = self.slots.trace;
        let known = trace.state.borrow().states.get(layer).is_some_and(Option::is_some);
        let states = self.states.filter(|_| known);
        let states = states.unwrap_or_else(|| trace.fail(format!("layer {layer} has no state")));
        Recurrence { step: *self, states, layer, conv: 0 }
    }
}

impl<'t> Recurrence<'t> {
    /// The same with another of the layer's convolutions meant; at first the first is.
    pub fn nth(self, conv: usize) -> Self {
        Self { conv, ..self }
    }

    /// A causal convolution of each column of `x`, `[tokens, channels]`, with its weights, and
    /// `y × logistic(y)` of what that gives.
    #[track_caller]
    pub fn conv(self, x: Tensor<'t>, weight: Tensor<'t>, bias: Option<Tensor<'t>>) -> Tensor<'t> {
        self.convolve(x, weight, bias, true)
    }

    /// As [`conv`](Self::conv), of what the convolution gives itself.
    #[track_caller]
    pub fn plain_conv(
        self,
        x: Tensor<'t>,
        weight: Tensor<'t>,
        bias: Option<Tensor<'t>>,
    ) -> Tensor<'t> {
        self.convolve(x, weight, bias, false)
    }

    #[track_caller]
    fn convolve(
        self,
        x: Tensor<'t>,
        weight: Tensor<'t>,
        bias: Option<Tensor<'t>>,
        silu: bool,
    ) -> Tensor<'t> {
        let op = |result| Op::CausalConv(ConvAttrs { result, silu });
        self.both(
            op,
            |states| states.conv.get_mut(self.conv)?.as_mut(),
            |state| {
                let mut operands = vec![x, weight, state, self.states, self.step.positions];
                operands.extend(bias);
                operands
            },
        )
    }

    /// Mamba 2's recurrence of heads `x`, `[tokens, heads, width]`, with their raw time steps `dt`,
    /// and what goes in and comes out, `b` and `c`, `[tokens, groups, depth]`.
    #[track_caller]
    pub fn ssm(
        self,
        [x, dt, b, c]: [Tensor<'t>; 4],
        heads: HeadParameters<'t>,
        d: Tensor<'t>,
        dt_limit: [f32; 2],
    ) -> Tensor<'t> {
        let HeadParameters { a_log, dt_bias } = heads;
        let op = |result| Op::SsmScan(SsmAttrs { result, dt_limit });
        self.heads(op, &[x, dt, b, c, a_log, dt_bias, d])
    }

    /// A linear attention of queries, keys and values, `[tokens, heads, width]`, whose heads forget at
    /// constant rates, of which `logs` has the logarithms: at each token a state is multiplied with
    /// exp(-rate) before the product of key and value is added.
    #[track_caller]
    pub fn fading(self, [q, k, v]: [Tensor<'t>; 3], logs: Vec<f32>) -> Tensor<'t> {
        let heads = logs.len();
        let (zeros, a_log) = (v.vector(vec![0.0; heads]), v.vector(logs));
        // The limits make 1 of every step, whatever its raw length is.
        let dt = v.merge_heads().columns(0..heads);
        let parameters = HeadParameters { a_log, dt_bias: zeros };
        self.ssm([v, dt, k, q], parameters, zeros, [1.0; 2])
    }

    /// Mamba's recurrence of `x`, `[tokens, channels]`, with its raw time steps `dt`, and what goes
    /// in and comes out, `b` and `c`, `[tokens, depth]`.
    #[track_caller]
    pub fn selective(self, rows: [Tensor<'t>; 4], parameters: [Tensor<'t>; 3]) -> Tensor<'t> {
        self.heads(Op::SelectiveScan, &[&rows[..], &parameters[..]].concat())
    }

    /// The real-gated linear recurrent unit of `x`, with the raw gates `a` of what stays and `b` of
    /// what comes in, all `[tokens, channels]`.
    #[track_caller]
    pub fn rg_lru(self, [x, a, b]: [Tensor<'t>; 3], lambda: Tensor<'t>) -> Tensor<'t> {
        self.heads(Op::RgLru, &[x, a, b, lambda])
    }

    /// The gated delta rule of queries and keys, `[tokens, groups, depth]`, values, `[tokens, heads,
    /// width]`, and the raw gates `a` of what stays and `b` of what is written, `[tokens, heads]`;
    /// `a` may be `[tokens, heads, depth]`. Of what is written there is `strength` times the logistic.
    #[track_caller]
    pub fn delta(
        self,
        [q, k, v]: [Tensor<'t>; 3],
        [a, b]: [Tensor<'t>; 2],
        heads: HeadParameters<'t>,
        [epsilon, strength]: [f32; 2],
    ) -> Tensor<'t> {
        let HeadParameters { a_log, dt_bias } = heads;
        let scale = 1.0 / (q.size(2) as f32).sqrt();
        let op = |result| Op::DeltaRule(DeltaAttrs { result, epsilon, scale, strength });
        self.heads(op, &[q, k, v, a, b, a_log, dt_bias])
    }

    /// The row of the token before each of `x`, `[tokens, channels]`, zeros before the first.
    #[track_caller]
    pub fn previous(self, x: Tensor<'t>) -> Tensor<'t> {
        let channels = x.size(1);
        let weight = x.vector([1.0, 0.0].repeat(channels));
        self.plain_conv(x, weight.with(Op::Reshape(vec![channels, 2]), &[]), None)
    }

    /// A recurrence whose state is multiplied with a diagonal plus a matrix of rank one
    /// ([`Op::DplrScan`]): queries, decays and keys, `[tokens, heads, depth]`; what is read, and where it is
    /// taken away, of the same shape; values, `[tokens, heads, width]`. Gives what queries read, and what
    /// they read of their own token's key by the weights `u`, `[heads, depth]`: each `[tokens, heads × width]`.
    #[track_caller]
    pub fn dplr(
        self,
        [q, w, k]: [Tensor<'t>; 3],
        erased: [Tensor<'t>; 2],
        v: Tensor<'t>,
        u: Tensor<'t>,
    ) -> [Tensor<'t>; 2] {
        let [tokens, heads, depth] = [0, 1, 2].map(|axis| q.size(axis));
        let all = heads * v.size(2);
        let [a, b] = erased.map(|x| x.with(Op::Reshape(vec![tokens, 1, heads * depth]), &[]));
        let ab = a.with(Op::Concat { axis: 2 }, &[b]);
        let ab = ab.with(Op::Reshape(vec![tokens, 2, heads, depth]), &[]);
        let both = self.heads(Op::DplrScan, &[q, w, k, ab, v, u]);
        let both = both.with(Op::Reshape(vec![tokens, 2 * all]), &[]);
        [both.columns(0..all), both.columns(all..2 * all)]
    }

    #[track_caller]
    fn heads(self, op: impl Fn(RecurrentResult) -> Op, operands: &[Tensor<'t>]) -> Tensor<'t> {
        self.both(
            op,
            |states| states.state.as_mut(),
            |state| [operands, &[state, self.states, self.step.positions]].concat(),
        )
    }

    /// Both results of an op: the new state takes the place of the old one. A layer without that
    /// state gets an error.
    #[track_caller]
    fn both(
        self,
        op: impl Fn(RecurrentResult) -> Op,
        of: impl Fn(&mut States) -> Option<&mut (usize, ValueId)>,
        operands: impl FnOnce(Tensor<'t>) -> Vec<Tensor<'t>>,
    ) -> Tensor<'t> {
        let trace = self.step.slots.trace;
        if self.states.value.is_none() {
            return trace.poison();
        }
        let with = |change: &mut dyn FnMut(&mut ValueId)| {
            let mut state = trace.state.borrow_mut();
            let states = state.states.get_mut(self.layer).and_then(Option::as_mut);
            if let Some((_, value)) = states.and_then(&of) {
                change(value);
            }
        };
        let mut old = None;
        with(&mut |value| old = Some(*value));
        let Some(old) = old else {
            return trace.fail(format!("layer {} has no state of this kind", self.layer));
        };
        let operands = operands(trace.tensor(old));
        let output = trace.add(op(RecurrentResult::Output), &operands);
        if output.value.is_some() {
            let new = trace.add(op(RecurrentResult::State), &operands).value;
            with(&mut |value| *value = new.unwrap_or(old));
        }
        output
    }
}

impl Trace {
    /// Declares the states of a layer.
    pub(super) fn state_inputs(&self, layer: usize, recurrent: &RecurrentLayer) -> States {
        let input = |name: String, slot: &[usize]| {
            let slots = std::iter::once(Dim::named("slots", MOST_SLOTS));
            let shape = Shape::new(slots.chain(slot.iter().map(|size| Dim::Fixed(*size))));
            let graph = &mut self.state.borrow_mut().graph;
            let value =
                graph.add_input(&name, TensorType::new(DType::F32, shape), InputKind::State);
            (graph.inputs.len() - 1, value)
        };
        States {
            conv: std::array::from_fn(|at| {
                let name =
                    if at == 0 { format!("conv.{layer}") } else { format!("conv.{layer}.{at}") };
                recurrent.conv[at].map(|sizes| input(name, &sizes))
            }),
            state: recurrent.state.map(|sizes| input(format!("state.{layer}"), &sizes)),
        }
    }
}
