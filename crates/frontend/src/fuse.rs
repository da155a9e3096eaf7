//! Siblings become one: matrices that multiply the same operand are put one below the other,
//! multiplied once, and the result is sliced. The weights' names are made from the parts'
//! names alone, so all steps of a model agree on them.

use std::collections::HashMap;
use std::sync::Arc;

use tyto_graph::{BlockLayout, Graph, Layout, Node, Op, Output, TensorType, ValueId};

use crate::error::Error;
use crate::trace::Traced;
use crate::weights::WeightUse;

/// Joins every group of [`Op::Linear`]s of one operand whose weights have one layout and one
/// element type and which nothing else reads. The rows of all but one fill whole tiles: behind that
/// one, the last, nothing begins.
pub fn siblings(traced: Traced) -> Result<Traced, Error> {
    let groups = groups(&traced);
    if groups.is_empty() {
        return Ok(traced);
    }
    let member: HashMap<ValueId, usize> = (groups.iter().enumerate())
        .flat_map(|(index, group)| group.members.iter().map(move |linear| (*linear, index)))
        .collect();
    let joined_weights: HashMap<ValueId, usize> = (member.iter())
        .map(|(linear, group)| (traced.graph.node(*linear).operands[1], *group))
        .collect();

    let mut rebuild = Rebuild::new(&traced.graph);
    let mut joined: Vec<Option<ValueId>> = vec![None; groups.len()];
    for (index, node) in traced.graph.nodes.iter().enumerate() {
        let old = ValueId(index as u32);
        if joined_weights.contains_key(&old) {
            continue;
        }
        let Some(group) = member.get(&old) else {
            rebuild.copy(old, node);
            continue;
        };
        let whole = match joined[*group] {
            Some(whole) => whole,
            None => rebuild.join(&groups[*group], node.operands[0]),
        };
        joined[*group] = Some(whole);
        rebuild.slice(old, node, whole, &groups[*group]);
    }
    let graph = rebuild.finish(&traced.graph);
    graph.verify()?;
    let weights = ordered(&graph, traced.weights, groups);
    Ok(Traced { graph, weights })
}

/// Linears of one operand, in the order of their rows in the weight that they share.
struct Group {
    members: Vec<ValueId>,
    /// Of each.
    rows: Vec<usize>,
    weight: WeightUse,
}

fn groups(traced: &Traced) -> Vec<Group> {
    let graph = &traced.graph;
    let mut readers: HashMap<ValueId, usize> = HashMap::new();
    for operand in graph.nodes.iter().flat_map(|node| &node.operands) {
        *readers.entry(*operand).or_default() += 1;
    }
    let uses: HashMap<&str, &WeightUse> =
        traced.weights.iter().map(|weight| (&*weight.name, weight)).collect();
    let mut candidates: Vec<(ValueId, &WeightUse)> = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let Op::Linear { .. } = node.op else { continue };
        let Op::Weight { name, .. } = &graph.node(node.operands[1]).op else { continue };
        let weight = uses[&**name];
        if readers[&node.operands[1]] == 1 {
            candidates.push((ValueId(index as u32), weight));
        }
    }
    let mut groups: Vec<Vec<(ValueId, &WeightUse)>> = Vec::new();
    for candidate in candidates {
        let fits = |group: &&mut Vec<(ValueId, &WeightUse)>| {
            let (other, weight) = group[0];
            graph.node(other).operands[0] == graph.node(candidate.0).operands[0]
                && weight.layout == candidate.1.layout
                && weight.dtype == candidate.1.dtype
                && (fills_tiles(candidate.1) || group.iter().all(|(_, part)| fills_tiles(part)))
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(candidate),
            None => groups.push(vec![candidate]),
        }
    }
    groups.into_iter().filter(|group| group.len() > 1).map(join).collect()
}

/// Whether the next part can begin where this one ends.
fn fills_tiles(weight: &WeightUse) -> bool {
    match weight.layout {
        Layout::RowMajor => true,
        Layout::Tiled { n, .. } => weight.shape[0].is_multiple_of(n),
        Layout::Blocks(_) => weight.shape[0].is_multiple_of(BlockLayout::ROWS),
    }
}

fn join(mut group: Vec<(ValueId, &WeightUse)>) -> Group {
    // Stable: the others stay in graph order.
    group.sort_by_key(|(_, weight)| !fills_tiles(weight));
    let first = group[0].1;
    let rows: Vec<usize> = group.iter().map(|(_, weight)| weight.shape[0]).collect();
    let names: Vec<&str> = group.iter().map(|(_, weight)| &*weight.name).collect();
    let weight = WeightUse {
        name: joined_name(&names),
        shape: vec![rows.iter().sum(), first.shape[1]],
        dtype: first.dtype,
        layout: first.layout,
        parts: group.iter().flat_map(|(_, weight)| weight.parts.clone()).collect(),
    };
    Group { members: group.into_iter().map(|(linear, _)| linear).collect(), rows, weight }
}

/// `a.q.weight` and `a.k.weight` are `a.q+k.weight`.
fn joined_name(names: &[&str]) -> Arc<str> {
    let split = |name: &&str| -> Option<(String, String, String)> {
        let (stem, end) = name.rsplit_once('.')?;
        let (place, own) = stem.rsplit_once('.')?;
        Some((place.to_owned(), own.to_owned(), end.to_owned()))
    };
    let parts: Option<Vec<_>> = names.iter().map(split).collect();
    match parts {
        Some(parts) if parts.iter().all(|p| p.0 == parts[0].0 && p.2 == parts[0].2) => {
            let own: Vec<&str> = parts.iter().map(|part| &*part.1).collect();
            format!("{}.{}.{}", parts[0].0, own.join("+"), parts[0].2).into()
        }
        _ => names.join("+").into(),
    }
}

/// A graph being copied with changes.
struct Rebuild {
    graph: Graph,
    new: Vec<Option<ValueId>>,
}

impl Rebuild {
    fn new(old: &Graph) -> Self {
        let mut graph = Graph::new(old.name.clone());
        graph.inputs = old.inputs.clone();
        Self { graph, new: vec![None; old.nodes.len()] }
    }

    fn copy(&mut self, old: ValueId, node: &Node) {
        let operands = node.operands.iter().map(|operand| self.at(*operand)).collect();
        let new = self.push(Node { operands, ..node.clone() });
        if let Op::Input { index } = node.op {
            self.graph.inputs[index].value = new;
        }
        self.new[old.index()] = Some(new);
    }

    /// The joined weight and the product with the shared operand.
    fn join(&mut self, group: &Group, x: ValueId) -> ValueId {
        let WeightUse { name, shape, dtype, layout, .. } = &group.weight;
        let stored = layout.stored_shape(shape[0], shape[1]).expect("parts divide into tiles");
        let ty = TensorType::new(*dtype, stored);
        let op = Op::Weight { name: name.clone(), ty };
        let weight = self.graph.add(op, &[]).expect("a weight has no rules");
        let op = Op::Linear { layout: *layout, rows: shape[0] };
        self.graph.add(op, &[self.at(x), weight]).expect("the parts fitted the operand")
    }

    /// The columns of `whole` that this member gave.
    fn slice(&mut self, old: ValueId, node: &Node, whole: ValueId, group: &Group) {
        let before = group.members.iter().take_while(|member| **member != old).count();
        let start: usize = group.rows[..before].iter().sum();
        let end = start + group.rows[before];
        let tokens = node.ty.shape.dims()[0].bound();
        let op = Op::Slice { start: vec![0, start], limit: vec![tokens, end] };
        let slice = self.graph.add(op, &[whole]).expect("parts lie inside the whole");
        self.new[old.index()] = Some(slice);
    }

    fn finish(mut self, old: &Graph) -> Graph {
        for output in &old.outputs {
            let output = match output {
                Output::Plain { name, value } => {
                    Output::Plain { name: name.clone(), value: self.at(*value) }
                }
                Output::Updated { input, value } => {
                    Output::Updated { input: *input, value: self.at(*value) }
                }
            };
            self.graph.outputs.push(output);
        }
        self.graph
    }

    fn at(&self, old: ValueId) -> ValueId {
        self.new[old.index()].expect("operands come before their users")
    }

    fn push(&mut self, node: Node) -> ValueId {
        let value = ValueId(self.graph.nodes.len() as u32);
        self.graph.nodes.push(node);
        value
    }
}

/// The weights of the new graph, by first use.
fn ordered(graph: &Graph, weights: Vec<WeightUse>, groups: Vec<Group>) -> Vec<WeightUse> {
    let joined = groups.into_iter().map(|group| group.weight);
    let mut by_name: HashMap<Arc<str>, WeightUse> =
        weights.into_iter().chain(joined).map(|weight| (weight.name.clone(), weight)).collect();
    let names = graph.weights();
    names.iter().filter_map(|(name, _)| by_name.remove(name)).collect()
}
