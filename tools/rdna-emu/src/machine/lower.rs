//! Decoded instructions to what is run.

use super::atomic::Update;
use super::dot::Element;
use super::operation::{Condition, Destination, Float, Inst, Mix, Op, Product, Space, Transfer};
use super::source::{Kind, Source};
use super::{alu, compare, scalar, wide};
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
            scalar_op(instruction, &name[2..], at, &mut inst)
        }
        Format::Smem => scalar_load(&name),
        Format::Ds => shared(instruction, &name[3..], &mut inst),
        Format::Mubuf | Format::Flat | Format::Global | Format::Scratch => {
            memory(instruction, &mut inst)
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

fn scalar_op(instruction: &Instruction, name: &str, at: usize, inst: &mut Inst) -> Op {
    let constant = |index: usize| match instruction.operands.get(index).map(|o| o.kind) {
        Some(OperandKind::Field(_, value)) => value,
        _ => 0,
    };
    let after = at + instruction.size / 4;
    let target = |value: u16| after.wrapping_add_signed(isize::from(value as i16));
    let condition = match name {
        "branch" => Some(Condition::Always),
        "cbranch_scc0" => Some(Condition::Scc(false)),
        "cbranch_scc1" => Some(Condition::Scc(true)),
        "cbranch_vccz" => Some(Condition::VccZero(true)),
        "cbranch_vccnz" => Some(Condition::VccZero(false)),
        "cbranch_execz" => Some(Condition::ExecZero(true)),
        "cbranch_execnz" => Some(Condition::ExecZero(false)),
        _ => None,
    };
    if let Some(condition) = condition {
        return Op::Branch(condition, target(constant(0)));
    }
    match name {
        "nop"
        | "delay_alu"
        | "waitcnt"
        | "clause"
        | "set_inst_prefetch_distance"
        | "setprio"
        | "waitcnt_vscnt"
        | "waitcnt_vmcnt"
        | "waitcnt_expcnt"
        | "waitcnt_lgkmcnt"
        | "icache_inv"
        | "waitcnt_depctr"
        | "wait_idle"
        | "wakeup" => Op::Nothing,
        "sendmsg" if constant(0) == 3 => Op::Nothing,
        "sleep" => Op::Yield,
        "endpgm" => Op::End,
        "barrier" => Op::Barrier,
        "getpc_b64" => Op::GetPc,
        "setpc_b64" => Op::SetPc,
        "swappc_b64" => Op::SwapPc,
        "round_mode" | "denorm_mode" => {
            inst.sources[0].kind = Kind::Constant(u64::from(constant(0)) & 15);
            Op::SetMode(if name == "round_mode" { 0 } else { 4 }, 4)
        }
        "getreg_b32" if constant(1) & 63 == 1 => {
            inst.sources[0].kind = Kind::Constant(u64::from(constant(1) >> 11) + 1);
            Op::GetMode(u32::from(constant(1) >> 6 & 31))
        }
        "setreg_b32" | "setreg_imm32_b32" if constant(0) & 63 == 1 => {
            inst.sources[0] = inst.sources[1];
            Op::SetMode(u32::from(constant(0) >> 6 & 31), u32::from(constant(0) >> 11) + 1)
        }
        _ => scalar_arithmetic(name, inst),
    }
}

fn scalar_arithmetic(name: &str, inst: &mut Inst) -> Op {
    let kind = name.strip_suffix("_b32").or(name.strip_suffix("_b64"));
    if let Some(op) = kind.and_then(exec_op) {
        return op;
    }
    if let Some(test) = name.strip_prefix("cmp_") {
        return scalar::test(test).map_or_else(unknown, Op::ScalarTest);
    }
    if let Some(test) = name.strip_prefix("cmpk_") {
        if name.ends_with("_i32") {
            extend_constant(&mut inst.sources[1]);
        }
        return scalar::test(test).map_or_else(unknown, Op::ScalarTest);
    }
    let bit: Option<scalar::Test> = match name {
        "bitcmp0_b32" => Some(|a, b| a >> (b & 31) & 1 == 0),
        "bitcmp1_b32" => Some(|a, b| a >> (b & 31) & 1 == 1),
        "bitcmp0_b64" => Some(|a, b| a >> (b & 63) & 1 == 0),
        "bitcmp1_b64" => Some(|a, b| a >> (b & 63) & 1 == 1),
        _ => None,
    };
    if let Some(test) = bit {
        return Op::ScalarTest(test);
    }
    // In place: the old destination is a source too.
    let in_place = match name {
        "addk_i32" | "mulk_i32" | "bitset0_b32" | "bitset1_b32" | "bitset0_b64" | "bitset1_b64"
        | "cmov_b32" | "cmov_b64" | "cmovk_i32" => Some(1),
        "fmac_f32" | "fmac_f16" => Some(2),
        _ => None,
    };
    if let (Some(index), Some((code, bits))) = (in_place, inst.scalar_destination) {
        inst.sources[index] = Source { kind: Kind::Scalar(code), bits, ..Source::NONE };
    }
    if name.ends_with("k_i32") {
        extend_constant(&mut inst.sources[0]);
    }
    scalar::operation(name).map_or_else(unknown, Op::Scalar)
}

/// A 16-bit constant that is a signed number.
fn extend_constant(source: &mut Source) {
    if let Kind::Constant(value) = &mut source.kind {
        *value = u64::from(i32::from(*value as u16 as i16) as u32);
    }
}

/// Operations on EXEC: of the source and the old EXEC.
fn exec_op(name: &str) -> Option<Op> {
    let (name, keeps) = match name.strip_suffix("_saveexec") {
        Some(name) => (name, true),
        None => (name.strip_suffix("_wrexec")?, false),
    };
    Some(match name {
        "and" => Op::Exec(|source, exec| source & exec, keeps),
        "or" => Op::Exec(|source, exec| source | exec, keeps),
        "xor" => Op::Exec(|source, exec| source ^ exec, keeps),
        "nand" => Op::Exec(|source, exec| !(source & exec), keeps),
        "nor" => Op::Exec(|source, exec| !(source | exec), keeps),
        "xnor" => Op::Exec(|source, exec| !(source ^ exec), keeps),
        "and_not0" => Op::Exec(|source, exec| !source & exec, keeps),
        "or_not0" => Op::Exec(|source, exec| !source | exec, keeps),
        "and_not1" => Op::Exec(|source, exec| source & !exec, keeps),
        "or_not1" => Op::Exec(|source, exec| source | !exec, keeps),
        _ => return None,
    })
}

fn scalar_load(name: &str) -> Op {
    let (kind, is_buffer) = match name.strip_prefix("s_buffer_load_b") {
        Some(bits) => (bits, true),
        None => (name.strip_prefix("s_load_b").unwrap_or(""), false),
    };
    match kind.parse::<usize>() {
        Ok(bits) => Op::ScalarLoad(bits / 32, is_buffer),
        Err(_) if name.ends_with("_inv") => Op::Nothing,
        Err(_) => unknown(),
    }
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

fn shared(instruction: &Instruction, name: &str, inst: &mut Inst) -> Op {
    match name {
        _ if instruction.modifiers.gds => Op::Unknown("GDS is not modelled".to_owned()),
        "bpermute_b32" => Op::Shuffle(false),
        "permute_b32" => Op::Shuffle(true),
        "swizzle_b32" => Op::Swizzle,
        "nop" => Op::Nothing,
        _ => match transfer(name, inst.destination.is_some()) {
            Some(Transfer::Atomic { .. }) if name.contains("2addr") => unknown(),
            Some(transfer) => {
                inst.pair_stride = match (name.contains("2addr"), name.contains("stride64")) {
                    (false, _) => 0,
                    (true, false) => 1,
                    (true, true) => 64,
                };
                Op::Memory(Space::Shared, transfer)
            }
            None => unknown(),
        },
    }
}

fn memory(instruction: &Instruction, inst: &mut Inst) -> Op {
    let (space, name) = match instruction.format {
        Format::Global => (Space::Global, instruction.row.name),
        Format::Scratch => (Space::Scratch, instruction.row.name),
        Format::Flat => (Space::Flat, instruction.row.name),
        _ => (Space::Buffer, instruction.row.name.strip_prefix("buffer_").unwrap_or("")),
    };
    if name.ends_with("_inv") {
        return Op::Nothing;
    }
    if instruction.modifiers.tfe || name.contains("format") || name.contains("addtid") {
        return unknown();
    }
    if space == Space::Buffer {
        // The data comes first in the text, but last here.
        if let OperandKind::Vgpr(register) = instruction.operands[0].kind
            && inst.destination.is_none()
        {
            inst.sources.rotate_left(1);
            inst.sources[3].kind = Kind::Vector(register.into());
        }
        if let Some(destination) = inst.destination {
            inst.sources[3] = Source { bits: 32, ..old(destination) };
        }
    }
    match transfer(name, inst.destination.is_some()) {
        Some(transfer) => Op::Memory(space, transfer),
        None => unknown(),
    }
}

/// A transfer by its name: `load_d16_hi_b16`, `store_2addr_b64`, `atomic_add_u32`, `add_rtn_u32`.
fn transfer(name: &str, returns: bool) -> Option<Transfer> {
    let words: Vec<&str> = name.split('_').collect();
    let has = |word: &str| words.contains(&word);
    let kind = words.iter().rev().find(|word| {
        let digits = word.trim_start_matches(['u', 'i', 'b']);
        digits.len() < word.len() && digits.parse::<usize>().is_ok()
    });
    let bytes = |kind: &str| kind[1..].parse::<usize>().map(|bits| bits / 8);
    match words[0] {
        "load" => Some(Transfer::Load {
            bytes: bytes(kind?).ok()?,
            signed: kind?.starts_with('i'),
            half: has("d16").then(|| has("hi")),
        }),
        "store" => Some(Transfer::Store { bytes: bytes(kind?).ok()?, high: has("hi") }),
        _ => {
            let name = name.strip_prefix("atomic_").unwrap_or(name);
            let (update, bytes) = Update::parse(name)?;
            Some(Transfer::Atomic { update, bytes, returns })
        }
    }
}
