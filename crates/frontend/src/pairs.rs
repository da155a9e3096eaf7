//! Projections of queries and keys that are turned in neighbouring pairs: their rows are read in the
//! order of the half-split form.

use tyto_graph::Op;

use crate::trace::{Tensor, Weights};
use crate::weights::{Pairs, Part, Reading};

/// `x wᵀ` of `heads` heads, whose `turned` first rows are of neighbouring pairs, split into heads;
/// plus the vector at `w.bias` where `bias` says that there is one.
#[track_caller]
pub fn heads<'t>(
    x: Tensor<'t>,
    w: &Weights<'t>,
    [heads, head, turned]: [usize; 3],
    bias: bool,
) -> Tensor<'t> {
    let reading = Reading { pairs: Some(Pairs { head, turned }), ..Reading::default() };
    let (rows, columns) = (heads * head, x.size(1));
    let place = w.at("weight");
    let part = Part { reading, ..Part::whole(place.path(), vec![rows, columns]) };
    let (matrix, layout) = place.part(rows, columns, part);
    let y = x.with(Op::Linear { layout, rows }, &[matrix]);
    if !bias {
        return y.split_heads(heads);
    }
    let place = w.at("bias");
    let part = Part { reading, ..Part::whole(place.path(), vec![rows]) };
    y.add_row(place.vector_of(rows, vec![part])).split_heads(heads)
}
