//! Decoded instructions to what is run.

mod accesses;
mod scalars;

use super::dot::Element;
use super::operation::{Destination, Float, Inst, Mix, Op, Product};
use super::source::{Kind, Source};
use super::{alu, compare, wide};
use crate::counters::Class;
use crate::decode::{Format, Instruction, OperandKind};

/// Makes an instruction ready that begins at word `at` of the program.
pub fn lower(instruction: &Instruction, at: usize) -> Inst {
    let name = instruction.name();
    let mut inst = operands(instruction, &name);
    inst.words = instruction.size / 4;
    let unsuffixed = name.strip_prefix("v_dual_").or(name.strip_prefix("v_")).unwrap_or("");
    if !unsuffixed.is_empty() {
        (inst.operands, inst.result) = floats(unsuffixed);
    }
    inst.op = match instruction.format {
        Format::Sop1 | Format::Sop2 | Format::Sopc | Format::Sopk | Format::Sopp => {
            scalars::scalar_op(instruction, &name[2..], at, &mut inst)
        }
        Format::Smem => scalars::scalar_load(&name),
        Format::Ds => accesses::shared(instruction, &name[3..], &mut inst),
        Format::Mubuf | Format::Flat | Format::Global | Format::Scratch => {
            accesses::memory(instruction, &mut inst)
        }
        Format::Vopd => vopd(instruction, unsuffixed, at, &mut inst),
        Format::Vopc => comparison(instruction, &name),
        _ => vector(instruction, unsuffixed, &mut inst),
    };
    check_output(&mut inst, instruction, unsuffixed);
    inst.class = Class::of(&inst.op);
    inst
}

/// Destinations and sources, without an operation.
fn operands(instruction: &Instruction, name: &str) -> Inst {
    let mut inst = Inst {
        op: Op::Nothing,
        class: Class::Control,
        destination: None,
        scalar_destination: None,
        sources: [Source::NONE; 4],
        dpp: instruction.dpp,
        modifiers: instruction.modifiers,
        result: None,
        operands: None,
        words: 0,
        vectors: last_vector(instruction),
        pair_stride: 0,
    };
    let mut next = 0;
    for operand in &instruction.operands {
        match (operand.is_destination(), operand.kind) {
            (true, OperandKind::Vgpr(register)) => {
                inst.destination = Some(Destination {
                    register: register.into(),
                    bits: operand.bits,
                    high: operand.high,
                });
            }
            (true, OperandKind::Scalar(code)) => {
                inst.scalar_destination = Some((code.into(), operand.bits));
            }
            _ => {
                inst.sources[next] = Source::new(operand, name);
                next += 1;
            }
        }
    }
    inst
}

/// One more than the last vector register that an instruction names.
fn last_vector(instruction: &Instruction) -> usize {
    let own = instruction.operands.iter().map(|operand| match operand.kind {
        OperandKind::Vgpr(first) => usize::from(first) + usize::from(operand.bits.div_ceil(32)),
        _ => 0,
    });
    own.chain(instruction.second.iter().map(|second| last_vector(second))).max().unwrap_or(0)
}

/// The types of an instruction's float operands and of its float result, by its name.
fn floats(name: &str) -> (Option<Float>, Option<Float>) {
    let float = |kind: &str| match kind {
        "f16" => Some(Float::Half),
        "f32" => Some(Float::Single),
        "f64" => Some(Float::Double),
        _ => None,
    };
    let last = float(name.rsplit('_').next().unwrap_or(""));
    if let Some(rest) = name.strip_prefix("cvt_") {
        let rest = rest.strip_prefix("nearest_").or(rest.strip_prefix("floor_")).unwrap_or(rest);
        return (last, float(rest.split('_').next().unwrap_or("")));
    }
    let has_no_result =
        ["cmp", "frexp_exp", "pack_", "dot", "wmma", "fma_mix", "pk_", "div_scale", "cndmask"];
    if has_no_result.iter().any(|prefix| name.starts_with(prefix)) {
        return (last.filter(|_| name.starts_with("frexp")), None);
    }
    (last, last)
}

/// An output modifier of an operation that has no such result is not known.
fn check_output(inst: &mut Inst, instruction: &Instruction, name: &str) {
    let handled = matches!(
        inst.op,
        Op::Packed(_)
            | Op::Mix(_)
            | Op::Dot(_)
            | Op::Matrix(_)
            | Op::Carry { .. }
            | Op::Compare(..)
    );
    let modifiers = &instruction.modifiers;
    if !(modifiers.clamp || modifiers.omod != 0) || inst.result.is_some() || handled {
        return;
    }
    match alu::saturating(name) {
        Some(operation) if modifiers.omod == 0 => inst.op = Op::Vector(operation),
        _ => inst.op = Op::Unknown("its output modifier is not modelled".to_owned()),
    }
}

fn unknown() -> Op {
    Op::Unknown("it is not implemented".to_owned())
}

fn comparison(instruction: &Instruction, name: &str) -> Op {
    let (rest, writes_exec) = match name.strip_prefix("v_cmpx_") {
        Some(rest) => (rest, true),
        None => (name.strip_prefix("v_cmp_").unwrap_or(""), false),
    };
    if instruction.modifiers.clamp {
        return Op::Unknown("a clamped comparison is not modelled".to_owned());
    }
    compare::comparison(rest).map_or_else(unknown, |test| Op::Compare(test, writes_exec))
}

fn vector(instruction: &Instruction, name: &str, inst: &mut Inst) -> Op {
    if instruction.format == Format::Vop3p {
        return packed(instruction, name, inst);
    }
    if let Some(destination) = inst.destination
        && (name.contains("fmac") || name == "dot2acc_f32_f16" || name == "pk_fmac_f16")
    {
        inst.sources[2] = old(destination);
    }
    match name {
        "nop" => Op::Nothing,
        "cndmask_b32" | "cndmask_b16" => Op::Select,
        "readfirstlane_b32" => Op::ReadFirst,
        "readlane_b32" => Op::ReadLane,
        "writelane_b32" => Op::WriteLane,
        "permlane16_b32" => Op::PermuteRow(false),
        "permlanex16_b32" => Op::PermuteRow(true),
        "mbcnt_lo_u32_b32" => Op::CountBelow(false),
        "mbcnt_hi_u32_b32" => Op::CountBelow(true),
        "mad_u64_u32" => Op::MultiplyAdd(false),
        "mad_i64_i32" => Op::MultiplyAdd(true),
        "div_scale_f32" => Op::DivideScale(wide::LIMITS32),
        "div_scale_f64" => Op::DivideScale(wide::LIMITS64),
        "div_fmas_f32" => Op::DivideBack(wide::LIMITS32),
        "div_fmas_f64" => Op::DivideBack(wide::LIMITS64),
        "swap_b32" | "swap_b16" => Op::Swap,
        "dot2acc_f32_f16" => Op::Dot(Product::Float { element: Element::Half, short_sum: false }),
        "dot2_f16_f16" => Op::Dot(Product::Float { element: Element::Half, short_sum: true }),
        "dot2_bf16_bf16" => Op::Dot(Product::Float { element: Element::Brain, short_sum: true }),
        _ => carry(name)
            .or_else(|| alu::operation(name).map(Op::Vector))
            .or_else(|| wide::operation(name).map(Op::Wide))
            .unwrap_or_else(unknown),
    }
}

/// The register that an instruction in place adds to.
fn old(destination: Destination) -> Source {
    Source {
        kind: Kind::Vector(destination.register),
        bits: destination.bits,
        high: destination.high,
        ..Source::NONE
    }
}

fn carry(name: &str) -> Option<Op> {
    let (name, takes) = match name.strip_suffix("_co_ci_u32") {
        Some(name) => (name, true),
        None => (name.strip_suffix("_co_u32")?, false),
    };
    let (subtracts, reversed) = match name {
        "add" => (false, false),
        "sub" => (true, false),
        "subrev" => (true, true),
        _ => return None,
    };
    Some(Op::Carry { subtracts, reversed, takes })
}

fn packed(instruction: &Instruction, name: &str, inst: &mut Inst) -> Op {
    let float = |element, short_sum| Product::Float { element, short_sum };
    let integer = |width, may_be_signed| Product::Integer { width, may_be_signed };
    if name.starts_with("fma_mix") {
        // An inline float is an f16 where op_sel_hi says that the operand is one.
        for (index, operand) in instruction.operands[1..].iter().enumerate() {
            if let OperandKind::Inline(code @ 240..) = operand.kind
                && instruction.modifiers.op_sel_hi >> index & 1 == 1
            {
                inst.sources[index].kind = Kind::Constant(super::source::inline(code, 16));
            }
        }
    }
    match name {
        "fma_mix_f32" => Op::Mix(Mix::Full),
        "fma_mixlo_f16" => Op::Mix(Mix::Low),
        "fma_mixhi_f16" => Op::Mix(Mix::High),
        "dot2_f32_f16" => Op::Dot(float(Element::Half, false)),
        "dot2_f32_bf16" => Op::Dot(float(Element::Brain, false)),
        "dot4_i32_iu8" => Op::Dot(integer(8, true)),
        "dot4_u32_u8" => Op::Dot(integer(8, false)),
        "dot8_i32_iu4" => Op::Dot(integer(4, true)),
        "dot8_u32_u4" => Op::Dot(integer(4, false)),
        "wmma_f32_16x16x16_f16" => Op::Matrix(float(Element::Half, false)),
        "wmma_f32_16x16x16_bf16" => Op::Matrix(float(Element::Brain, false)),
        "wmma_f16_16x16x16_f16" => Op::Matrix(float(Element::Half, true)),
        "wmma_bf16_16x16x16_bf16" => Op::Matrix(float(Element::Brain, true)),
        "wmma_i32_16x16x16_iu8" => Op::Matrix(integer(8, true)),
        "wmma_i32_16x16x16_iu4" => Op::Matrix(integer(4, true)),
        _ => packed_halves(instruction, name, inst),
    }
}

/// Two halves at a time: the operation of 16 bits of the same name.
fn packed_halves(instruction: &Instruction, name: &str, inst: &mut Inst) -> Op {
    let short = name.strip_prefix("pk_").unwrap_or("");
    let plain = match short {
        "add_i16" | "add_u16" | "sub_i16" | "sub_u16" => short.replacen('_', "_nc_", 1),
        _ => short.to_owned(),
    };
    let is_float = short.ends_with("_f16");
    if is_float {
        // An inline float is one f16, in the lower half.
        for (source, operand) in inst.sources.iter_mut().zip(&instruction.operands[1..]) {
            if let OperandKind::Inline(code @ 240..) = operand.kind {
                source.kind = Kind::Constant(super::source::inline(code, 16));
            }
        }
        inst.operands = Some(Float::Half);
    }
    let operation = match instruction.modifiers.clamp && !is_float {
        true => alu::saturating(&plain),
        false => alu::operation(&plain),
    };
    operation.map_or_else(unknown, Op::Packed)
}

fn vopd(instruction: &Instruction, name: &str, at: usize, inst: &mut Inst) -> Op {
    let half = |name: &str, inst: &mut Inst| match name {
        "cndmask_b32" => {
            inst.sources[2].kind = Kind::Scalar(super::wave::VCC);
            Op::Select
        }
        "dot2acc_f32_f16" | "dot2acc_f32_bf16" => {
            inst.sources[2] = old(inst.destination.expect("VOPD has a destination"));
            let is_brain = name.ends_with("bf16");
            let element = if is_brain { Element::Brain } else { Element::Half };
            Op::Dot(Product::Float { element, short_sum: false })
        }
        _ => {
            if name == "fmac_f32" {
                inst.sources[2] = old(inst.destination.expect("VOPD has a destination"));
            }
            alu::operation(name).map_or_else(unknown, Op::Vector)
        }
    };
    let op = half(name, inst);
    match &instruction.second {
        None => op,
        Some(second) => {
            let first = Inst { op, ..inst.clone() };
            Op::Dual(Box::new(first), Box::new(lower(second, at)))
        }
    }
}
