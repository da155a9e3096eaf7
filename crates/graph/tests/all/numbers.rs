//! The number formats of the interpreter's tensors.

use crate::common::{World, floats, integers};
use tyto_graph::DType;
use tyto_graph::interpreter::Tensor;

#[test]
fn floats_round_to_nearest_even() {
    let cases = [
        // Ties of bf16 around 1: 1 + 1/256 goes down to even, 1 + 3/256 up.
        (DType::BF16, 1.0 + 1.0 / 256.0, 1.0),
        (DType::BF16, 1.0 + 3.0 / 256.0, 1.0 + 4.0 / 256.0),
        (DType::BF16, f32::MAX, f32::INFINITY),
        (DType::F16, 1.0 + 1.0 / 2048.0, 1.0),
        (DType::F16, 65519.0, 65504.0),
        (DType::F16, 65520.0, f32::INFINITY),
        // Half the smallest subnormal is a tie with 0; a little more is not.
        (DType::F16, 2f32.powi(-25), 0.0),
        (DType::F16, 2f32.powi(-25) * 1.0001, 2f32.powi(-24)),
        (DType::F8E4M3, 464.0, 448.0),
        (DType::F8E4M3, 2f32.powi(-10), 0.0),
        (DType::F8E4M3, 1.0625, 1.0),
        (DType::F8E5M2, 61439.0, 57344.0),
        (DType::F8E5M2, 61440.0, f32::INFINITY),
    ];
    for (dtype, value, expected) in cases {
        assert_eq!(floats(dtype, &[value]).as_floats(), Some(&[expected][..]), "{dtype} {value}");
        assert_eq!(floats(dtype, &[-value]).as_floats(), Some(&[-expected][..]), "{dtype}");
    }
    for beyond in [465.0, f32::INFINITY, f32::NAN] {
        assert!(floats(DType::F8E4M3, &[beyond]).as_floats().is_some_and(|v| v[0].is_nan()));
    }
}

/// Every code of every narrow type survives its value, and `half` agrees on random values.
#[test]
fn codes_are_exact() {
    for dtype in [DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2] {
        let codes = 1u32 << (8 * dtype.bytes());
        let bytes: Vec<u8> = (0..codes)
            .flat_map(|code| code.to_le_bytes().into_iter().take(dtype.bytes()))
            .collect();
        let tensor = Tensor::from_bytes(dtype, [codes as usize], &bytes).expect("all codes");
        let values = tensor.as_floats().expect("floats");
        let again = floats(dtype, values);
        assert_eq!(again.as_floats().map(<[f32]>::len), Some(values.len()));
        for (code, (value, width)) in values.iter().zip(bytes.chunks(dtype.bytes())).enumerate() {
            if !value.is_nan() {
                assert_eq!(floats(dtype, &[*value]).to_bytes(), width, "{dtype} {code:#x}");
            }
        }
    }
    let mut world = World::new(1);
    for _ in 0..10_000 {
        let value = f32::from_bits(world.next() as u32);
        if !value.is_nan() {
            let bf16 = half::bf16::from_f32(value).to_f32();
            assert_eq!(floats(DType::BF16, &[value]).as_floats(), Some(&[bf16][..]), "{value:e}");
            let f16 = half::f16::from_f32(value).to_f32();
            assert_eq!(floats(DType::F16, &[value]).as_floats(), Some(&[f16][..]), "{value:e}");
        }
    }
}

#[test]
fn eight_bit_floats_have_their_published_values() {
    let decode = |dtype, code| {
        Tensor::from_bytes(dtype, [1], &[code]).expect("one code").as_floats().expect("floats")[0]
    };
    let e4m3 =
        [(0x01, 2f32.powi(-9)), (0x08, 2f32.powi(-6)), (0x38, 1.0), (0x7e, 448.0), (0xb8, -1.0)];
    for (code, value) in e4m3 {
        assert_eq!(decode(DType::F8E4M3, code), value, "{code:#x}");
    }
    let e5m2 = [(0x01, 2f32.powi(-16)), (0x3c, 1.0), (0x7b, 57344.0), (0x7c, f32::INFINITY)];
    for (code, value) in e5m2 {
        assert_eq!(decode(DType::F8E5M2, code), value, "{code:#x}");
    }
    assert!(decode(DType::F8E4M3, 0x7f).is_nan() && decode(DType::F8E5M2, 0x7d).is_nan());
}

#[test]
fn bytes_of_every_type_come_back() {
    let cases = [
        integers(DType::I64, &[i64::MIN, -1, i64::MAX]),
        integers(DType::I32, &[-1, 7, 1 << 31]),
        integers(DType::I8, &[-128, 127]),
        integers(DType::U8, &[0, 255]),
        integers(DType::Bool, &[0, 1]),
        floats(DType::F32, &[-0.0, 1.5e-40, f32::INFINITY]),
    ];
    for tensor in cases {
        let again = Tensor::from_bytes(tensor.dtype(), tensor.shape(), &tensor.to_bytes());
        assert_eq!(again, Ok(tensor));
    }
    let error = Tensor::from_bytes(DType::F32, [2], &[0; 9]).expect_err("nine bytes");
    assert_eq!(error.to_string(), "a tensor f32[2] holds 2 values, found 3");
    let error = Tensor::floats(DType::I8, [1], [0.5]).expect_err("floats");
    assert_eq!(error.to_string(), "floats were given for a tensor of i8");
    let error = Tensor::integers(DType::F16, [1], [1]).expect_err("integers");
    assert_eq!(error.to_string(), "integers were given for a tensor of f16");
}
