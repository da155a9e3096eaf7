//! Whether results agree with the reference's.

use super::tensor::{Element, Tensor};
use super::{Bound, Function};

/// IREE's CPU backend rounds to f16 by a function of its own, which makes smaller numbers zero.
const SMALLEST_NORMAL_F16: f64 = 6.103_515_625e-5;

/// Fails with where and by how much results differ most from the reference's, if that is more than the bound allows.
pub fn compare(
    function: &Function,
    reference: &[Vec<u8>],
    found: &[Vec<u8>],
) -> Result<(), String> {
    let pairs = reference.iter().zip(found).zip(&function.outputs).enumerate();
    for (index, ((reference, found), tensor)) in pairs {
        if reference.len() != found.len() {
            return Err(format!(
                "output {index} has {} bytes, not {}",
                found.len(),
                reference.len()
            ));
        }
        if let Some((at, text)) = worst(function.bound, tensor, reference, found) {
            return Err(format!("output {index}, element {at}: {text}"));
        }
    }
    Ok(())
}

/// The element that differs most beyond the bound.
fn worst(bound: Bound, tensor: &Tensor, reference: &[u8], found: &[u8]) -> Option<(usize, String)> {
    let element = tensor.element;
    let pairs = || reference.chunks_exact(element.size()).zip(found.chunks_exact(element.size()));
    let finite = |bytes| Some(element.decode(bytes).abs()).filter(|value| value.is_finite());
    let largest = pairs().filter_map(|pair| finite(pair.0)).fold(0.0, f64::max);
    // How far an element is beyond the bound: above 1.
    let excess = |reference: &[u8], found: &[u8]| {
        let (a, b) = (element.decode(reference), element.decode(found));
        if reference == found || a.is_nan() && b.is_nan() || element.is_float() && a == b {
            return 0.0;
        }
        if element == Element::F16 && a == 0.0 && b.abs() <= SMALLEST_NORMAL_F16 {
            return 0.0;
        }
        match bound {
            _ if !element.is_float() || a.is_nan() || b.is_nan() => f64::INFINITY,
            Bound::Exact => f64::INFINITY,
            Bound::Steps(steps) => {
                (element.rank(reference) - element.rank(found)).unsigned_abs() as f64 / steps as f64
            }
            Bound::OfLargest(part) => (a - b).abs() / (part * largest),
        }
    };
    let (at, (excess, (a, b))) = pairs()
        .map(|(a, b)| (excess(a, b), (element.decode(a), element.decode(b))))
        .enumerate()
        .max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    let count = pairs().filter(|(a, b)| a != b).count();
    (excess > 1.0).then(|| {
        (at, format!("{b:e}, not {a:e}: {excess:.2} times the bound; {count} elements differ"))
    })
}

#[test]
fn bounds_are_held() {
    let check = |bound, element: Element, a: [f64; 2], b: [f64; 2]| {
        let tensor = Tensor { shape: vec![2], element };
        let [a, b] = [a, b].map(|values| values.map(|value| element.encode(value)).concat());
        worst(bound, &tensor, &a, &b).map(|(at, _)| at)
    };
    let near = 1.0 + f64::from(f32::EPSILON);
    assert_eq!(check(Bound::Exact, Element::F32, [1.0, f64::NAN], [1.0, f64::NAN]), None);
    assert_eq!(check(Bound::Exact, Element::F32, [0.0, 1.0], [-0.0, near]), Some(1));
    assert_eq!(check(Bound::Steps(1), Element::F32, [0.0, 1.0], [-0.0, near]), None);
    assert_eq!(check(Bound::Steps(1), Element::F16, [1.0, 2.0], [1.0, 2.004]), Some(1));
    assert_eq!(check(Bound::Exact, Element::F16, [0.0, 1.0], [6e-5, 1.0]), None);
    assert_eq!(check(Bound::Exact, Element::F16, [0.0, 1.0], [7e-5, 1.0]), Some(0));
    assert_eq!(check(Bound::OfLargest(1e-6), Element::F32, [8.0, 1.0], [8.0, near]), None);
    assert_eq!(check(Bound::OfLargest(1e-6), Element::F32, [8.0, 1.0], [f64::NAN, 1.0]), Some(0));
    assert_eq!(check(Bound::OfLargest(1.0), Element::I32, [8.0, 1.0], [8.0, 2.0]), Some(1));
}
