//! Attention: the append to the cache, and the kernel that reads it.

use tyto_graph::{AttentionAttrs, DType, Node, Op, ValueId};

use super::{Planner, count, gpu};
use crate::abi::{self, PhaseKind, RowKind, Space, partial_stride};
use crate::check;
use crate::error::Unsupported;
use crate::format::cache_format;
use crate::program::{Attention, RowOp, Rows};
use crate::rows::{Cone, Domain};

impl Planner<'_> {
    /// Adds the phases of an attention and of the cache's update that it reads.
    pub(super) fn attention(
        &mut self,
        value: ValueId,
        node: &Node,
        attrs: AttentionAttrs,
    ) -> Result<(), Unsupported> {
        check::attention(&attrs).map_err(|why| self.unsupported(value, why))?;
        let (keys, values) = (self.appended(node.operands[1])?, self.appended(node.operands[2])?);
        self.appended.extend([node.operands[1], node.operands[2]]);
        let mut fixed = self.attention_of(value, node, attrs, keys.state, values.state)?;
        if let Some(sinks) = node.operands.get(5) {
            fixed.sinks = self.sinks(*sinks)?;
            fixed.has_sinks = 1;
        }
        let index = self.attentions.len();
        let [q, k, v] = [node.operands[0], keys.new, values.new];
        let user = [&[value][..], &keys.nodes, &values.nodes].concat();
        if self.sizes.tokens == 1 {
            return self.decode(value, index, fixed, [q, k, v], &user);
        }
        if self.sizes.batch != 1 {
            return Err(self.unsupported(value, "several sequences with several tokens each"));
        }
        self.prefill(value, index, fixed, [q, k, v], &user)
    }

    fn decode(
        &mut self,
        value: ValueId,
        index: usize,
        fixed: abi::Attention,
        operands: [ValueId; 3],
        users: &[ValueId],
    ) -> Result<(), Unsupported> {
        if self.gpu() {
            return self.decode_on_gpu(value, index, fixed, operands, users);
        }
        let prologue = self.prologues();
        let mut cone = Cone::new(self, &operands, users, prologue);
        if !prologue {
            cone.share(&operands);
        }
        let [q, k, v] = operands;
        let [q, k, v] = [
            cone.row(q, Domain::Tokens)?,
            cone.row(k, Domain::Tokens)?,
            cone.row(v, Domain::Tokens)?,
        ];
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        let a_head = abi::MAX_SPLITS as u64 * partial_stride(fixed.head_dim.into()) * 4;
        let out = self.shared(self.sizes.batch as u64 * u64::from(fixed.heads) * a_head);
        self.attentions.push(Attention { fixed, q, k, v, out });
        self.partials.insert(value, index);
        let prologue_ops = if prologue { ops } else { self.rows_phase(Domain::Tokens, ops) };
        self.phase(PhaseKind::Decode, Domain::Tokens, prologue_ops, index);
        Ok(())
    }

    fn prefill(
        &mut self,
        value: ValueId,
        index: usize,
        fixed: abi::Attention,
        operands: [ValueId; 3],
        users: &[ValueId],
    ) -> Result<(), Unsupported> {
        let (q, ops) = self.appending(index, &fixed, operands, users)?;
        let out = self.shared_rows((fixed.heads * fixed.head_dim) as usize, Domain::Tokens);
        self.attentions.push(Attention { fixed, q, k: Rows::NONE, v: Rows::NONE, out: out.place });
        self.stored.insert(value, out);
        self.rows_phase(Domain::Tokens, ops);
        self.phase(PhaseKind::Prefill, Domain::Tokens, Vec::new(), index);
        Ok(())
    }

    /// The rows of queries, and the operations of a phase of rows that make them and append keys and
    /// values, before attention reads them.
    pub(super) fn appending(
        &mut self,
        index: usize,
        fixed: &abi::Attention,
        operands: [ValueId; 3],
        users: &[ValueId],
    ) -> Result<(Rows, Vec<RowOp>), Unsupported> {
        let [q, k, v] = operands;
        let mut cone = Cone::new(self, &operands, users, false);
        cone.share(&[q]);
        let q = cone.row(q, Domain::Tokens)?;
        let (k, v) = (cone.row(k, Domain::Tokens)?, cone.row(v, Domain::Tokens)?);
        let width = fixed.kv_heads * fixed.head_dim;
        let mut append = RowOp::new(RowKind::Append, width, Rows::NONE, k, v);
        append.p[0] = count(index);
        cone.push(append);
        let (ops, private) = cone.finish();
        self.private_bytes = self.private_bytes.max(private);
        Ok((q, ops))
    }

    /// Where the sinks are: a vector of the weight file.
    fn sinks(&self, value: ValueId) -> Result<u64, Unsupported> {
        let (offset, weight) = self.weight(value)?;
        if weight.ty.dtype != DType::F32 {
            return Err(self.unsupported(value, "sinks of other than f32"));
        }
        Ok(Space::Weights.at(offset))
    }

    /// The new rows of a cache and the state that they are put into.
    fn appended(&self, value: ValueId) -> Result<Appended, Unsupported> {
        let node = self.graph.node(value);
        let bad = |reason: &str| Err(self.unsupported(value, reason));
        if node.op != Op::Put {
            return bad("attention reads a cache that this step does not append to");
        }
        let Op::Input { index } = self.graph.node(node.operands[0]).op else {
            return bad("a cache that is updated twice");
        };
        if !self.is_input(node.operands[1], "slots") {
            return bad("rows of the cache that are not the step's slots");
        }
        let mut nodes = vec![value];
        let mut new = node.operands[2];
        if let Op::Convert(_) | Op::QuantizeKv(_) = self.graph.node(new).op {
            nodes.push(new);
            new = self.graph.node(new).operands[0];
        }
        Ok(Appended { state: index, new, nodes })
    }

    fn attention_of(
        &self,
        value: ValueId,
        node: &Node,
        attrs: AttentionAttrs,
        keys: usize,
        values: usize,
    ) -> Result<abi::Attention, Unsupported> {
        let bad = |reason: &str| self.unsupported(value, reason);
        if !self.is_input(node.operands[3], "tables")
            || !self.is_input(node.operands[4], "positions")
        {
            return Err(bad("tables or positions that are not the step's"));
        }
        let cache = &self.graph.inputs[keys].ty;
        let format = cache_format(cache.dtype, attrs.kv);
        let format = format.ok_or_else(|| bad("the cache's element type"))?;
        let sizes: Vec<usize> = cache.shape.dims().iter().map(tyto_graph::Dim::bound).collect();
        let [_, block_size, kv_heads, _] = sizes[..] else {
            return Err(bad("the cache's shape"));
        };
        let [_, _, head_dim] = self.graph.ty(node.operands[0]).shape.dims() else {
            return Err(bad("the queries' shape"));
        };
        let head_dim = head_dim.bound();
        if block_size != 16 {
            return Err(bad("blocks of other than 16 positions"));
        }
        if self.gpu() && head_dim > gpu::HEAD_DIM {
            return Err(bad("heads of more than 576 elements"));
        }
        if head_dim % 2 != 0 || head_dim > 1024 {
            return Err(bad("heads of an odd number of elements, or of more than 1024"));
        }
        let heads = self.width(node.operands[0]) / head_dim;
        let offset =
            |state| self.cache.offset(state).ok_or_else(|| bad("a cache that is no state"));
        let pages = self.table_entries();
        Ok(abi::Attention {
            heads: count(heads),
            kv_heads: count(kv_heads),
            head_dim: count(head_dim),
            block_size: count(block_size),
            kv_format: format,
            // A window that reaches beyond every position is none.
            window: attrs.window.and_then(|window| i32::try_from(window).ok()).unwrap_or(0),
            scale: attrs.scale,
            soft_cap: attrs.soft_cap.unwrap_or(0.0),
            block_bytes: self.cache.block_bytes,
            keys: offset(keys)?,
            values: offset(values)?,
            pages: count(pages),
            ..abi::Attention::default()
        })
    }
}

/// New rows of a cache.
struct Appended {
    /// Index of the state input.
    state: usize,
    /// The rows, before they are rounded to the cache's element type.
    new: ValueId,
    /// The nodes between the rows and the attention.
    nodes: Vec<ValueId>,
}
