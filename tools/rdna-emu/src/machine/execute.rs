//! One instruction of one wave.

use super::access::Context;
use super::compare::Comparison;
use super::division::{divide_back, divide_scale, multiply_add};
use super::env::{Env, LANES, Lanes, flush16, flush32};
use super::float::{Round, f32_from_half, to_f32, to_half};
use super::lanes::{count_below, lane_and_scalar, permute_row, shuffle, swap, swizzle};
use super::operation::{Condition, Float, Inst, Op};
use super::products::{dot_product, matrix, mixed, packed};
use super::source::Source;
use super::trouble::Trouble;
use super::wave::{EXEC, State, VCC, Wave, dpp_lanes};
use super::{alu, scalar, wide};

/// Runs the instruction at `wave.next`, and moves on.
pub fn step(wave: &mut Wave, inst: &Inst, context: &mut Context<'_>) -> Result<(), Trouble> {
    wave.executed += 1;
    wave.counts[inst.class as usize] += 1;
    let here = wave.next;
    wave.next += inst.words;
    match &inst.op {
        Op::Vector(operation) => {
            let (values, mask) = vector(wave, inst, *operation);
            write(wave, inst, &values, mask);
        }
        Op::Nothing | Op::Yield => {}
        Op::End => wave.state = State::Done,
        Op::Barrier => wave.state = State::AtBarrier,
        Op::Branch(condition, target) => {
            if holds(wave, *condition) {
                wave.next = *target;
            }
        }
        Op::GetPc | Op::SetPc | Op::SwapPc => jump(wave, inst, context)?,
        Op::GetMode(low) => {
            let width = wave.scalar_source(&inst.sources[0]);
            let bits = u64::from(wave.env.mode) >> low & ((1 << width) - 1);
            set_scalar(wave, inst, bits);
        }
        Op::SetMode(low, width) => {
            let mask = ((((1u64 << width) - 1) << low) & 0xff) as u8;
            let bits = (wave.scalar_source(&inst.sources[0]) << low) as u8;
            wave.env.mode = wave.env.mode & !mask | bits & mask;
        }
        Op::Scalar(operation) => scalar_arithmetic(wave, inst, *operation),
        Op::ScalarTest(test) => {
            let [a, b] = [0, 1].map(|index| wave.scalar_source(&inst.sources[index]));
            wave.scc = test(a, b);
        }
        Op::Exec(operation, keeps) => {
            let bits = inst.sources[0].bits;
            let (source, exec) = (wave.scalar_source(&inst.sources[0]), wave.scalar(EXEC, bits));
            let mask = if bits == 64 { !0 } else { 0xffff_ffff };
            let new = operation(source, exec) & mask;
            set_scalar(wave, inst, if *keeps { exec } else { new });
            wave.set_scalar(EXEC, bits, new);
            wave.scc = new != 0;
        }
        Op::ScalarLoad(count, is_buffer) => context.scalar_load(wave, inst, *count, *is_buffer)?,
        Op::Memory(space, transfer) => {
            context.transfer(wave, inst, here, *space, *transfer)?;
        }
        _ => lanes(wave, inst)?,
    }
    Ok(())
}

/// What works on lanes and touches no memory.
fn lanes(wave: &mut Wave, inst: &Inst) -> Result<(), Trouble> {
    match &inst.op {
        Op::Wide(operation) => wide_arithmetic(wave, inst, *operation)?,
        Op::Compare(comparison, writes_exec) => compare(wave, inst, *comparison, *writes_exec),
        Op::Select => {
            let (values, mask) = select(wave, inst);
            write(wave, inst, &values, mask);
        }
        Op::Carry { subtracts, reversed, takes } => {
            carry(wave, inst, *subtracts, *reversed, *takes);
        }
        Op::DivideScale(limits) => divide_scale(wave, inst, limits),
        Op::DivideBack(limits) => divide_back(wave, inst, limits),
        Op::ReadFirst | Op::ReadLane | Op::WriteLane => lane_and_scalar(wave, inst),
        Op::PermuteRow(other) => permute_row(wave, inst, *other),
        Op::CountBelow(is_high) => count_below(wave, inst, *is_high),
        Op::MultiplyAdd(is_signed) => multiply_add(wave, inst, *is_signed),
        Op::Packed(operation) => packed(wave, inst, *operation),
        Op::Mix(mix) => mixed(wave, inst, *mix),
        Op::Dot(product) => {
            let (values, mask) = dot_product(wave, inst, *product);
            write(wave, inst, &values, mask);
        }
        Op::Matrix(product) => matrix(wave, inst, *product),
        Op::Swap => swap(wave, inst),
        Op::Dual(first, second) => {
            let values = [first, second].map(|half| match &half.op {
                Op::Vector(operation) => Ok(vector(wave, half, *operation)),
                Op::Select => Ok(select(wave, half)),
                Op::Dot(product) => Ok(dot_product(wave, half, *product)),
                Op::Unknown(reason) => Err(Trouble::unknown(reason)),
                _ => Err(Trouble::unknown("half of a dual instruction is not implemented")),
            });
            for (half, result) in [first, second].into_iter().zip(values) {
                let (values, mask) = result?;
                write(wave, half, &values, mask);
            }
        }
        Op::Shuffle(pushes) => shuffle(wave, inst, *pushes),
        Op::Swizzle => swizzle(wave, inst),
        Op::Unknown(reason) => return Err(Trouble::unknown(reason)),
        _ => return Err(Trouble::unknown("it is not implemented")),
    }
    Ok(())
}

fn holds(wave: &Wave, condition: Condition) -> bool {
    match condition {
        Condition::Always => true,
        Condition::Scc(value) => wave.scc == value,
        Condition::VccZero(value) => (wave.scalars[VCC] == 0) == value,
        Condition::ExecZero(value) => (wave.exec() == 0) == value,
    }
}

fn jump(wave: &mut Wave, inst: &Inst, context: &Context<'_>) -> Result<(), Trouble> {
    let next = context.address_of(wave.next);
    if !matches!(inst.op, Op::GetPc) {
        wave.next = context.word_at(wave.scalar_source(&inst.sources[0]))?;
    }
    if !matches!(inst.op, Op::SetPc) {
        set_scalar(wave, inst, next);
    }
    Ok(())
}

pub fn set_scalar(wave: &mut Wave, inst: &Inst, value: u64) {
    if let Some((code, bits)) = inst.scalar_destination {
        wave.set_scalar(code, bits, value);
    }
}

fn scalar_arithmetic(wave: &mut Wave, inst: &Inst, operation: scalar::Operation) {
    let sources = [0, 1, 2].map(|index| wave.scalar_source(&inst.sources[index]));
    let (value, scc) = operation(scalar::Input { sources, scc: wave.scc, env: &wave.env });
    set_scalar(wave, inst, value);
    if let Some(scc) = scc {
        wave.scc = scc;
    }
}

/// Writes a vector result.
pub fn write(wave: &mut Wave, inst: &Inst, values: &Lanes, mask: u32) {
    if let Some(destination) = inst.destination {
        let bits = destination.bits;
        wave.write(destination.register, bits, destination.high, values, mask);
    }
}

/// A source in all lanes; the first as DPP moves it. Returns the lanes that may write.
pub fn first_source(wave: &Wave, inst: &Inst, buffer: &mut Lanes) -> u32 {
    let source = &inst.sources[0];
    let Some(dpp) = &inst.dpp else {
        let mut own = [0; LANES];
        *buffer = *wave.short(source, &mut own);
        return wave.exec();
    };
    let (writes, from) = dpp_lanes(dpp, wave.exec());
    let plain = Source { negate: false, absolute: false, ..*source };
    let mut own = [0; LANES];
    let values = wave.short(&plain, &mut own);
    *buffer = std::array::from_fn(|lane| from[lane].map_or(0, |from| values[from]));
    source.sign(buffer);
    writes & wave.exec()
}

/// An operation in each lane: the results, and the lanes that write.
fn vector(wave: &Wave, inst: &Inst, operation: alu::Operation) -> (Lanes, u32) {
    let mut out = [0; LANES];
    let keeps = wave.env.keeps32() == (true, true) && wave.env.keeps16() == (true, true);
    let mut buffers = [[0; LANES]; 3];
    let [first, second, third] = &mut buffers;
    let mut mask = wave.exec();
    if inst.dpp.is_none() && keeps {
        let sources = [
            wave.short(&inst.sources[0], first),
            wave.short(&inst.sources[1], second),
            wave.short(&inst.sources[2], third),
        ];
        operation(&wave.env, sources, &mut out);
    } else {
        mask = first_source(wave, inst, first);
        let mut own = [0; LANES];
        *second = *wave.short(&inst.sources[1], &mut own);
        *third = *wave.short(&inst.sources[2], &mut own);
        flush_operands(&wave.env, inst, [first, second, third]);
        operation(&wave.env, [first, second, third], &mut out);
        flush_result(&wave.env, inst.result, &mut out);
    }
    if inst.modifiers.clamp || inst.modifiers.omod != 0 {
        output_modifiers(&wave.env, inst, &mut out);
    }
    (out, mask)
}

/// Subnormal operands become zero where MODE says so.
fn flush_operands(env: &Env, inst: &Inst, sources: [&mut Lanes; 3]) {
    for (index, lanes) in sources.into_iter().enumerate() {
        match inst.operands {
            Some(Float::Single) if !env.keeps32().1 && inst.sources[index].bits == 32 => {
                lanes.iter_mut().for_each(|bits| *bits = flush32(*bits));
            }
            Some(Float::Half) if !env.keeps16().1 && inst.sources[index].bits == 16 => {
                lanes.iter_mut().for_each(|bits| *bits = flush16(*bits));
            }
            _ => {}
        }
    }
}

pub fn flush_result(env: &Env, result: Option<Float>, out: &mut Lanes) {
    match result {
        Some(Float::Single) if !env.keeps32().0 => {
            out.iter_mut().for_each(|bits| *bits = flush32(*bits));
        }
        Some(Float::Half) if !env.keeps16().0 => {
            out.iter_mut().for_each(|bits| *bits = flush16(*bits));
        }
        _ => {}
    }
}

/// A result held in 0 to 1.
pub fn clamp(env: &Env, value: f64) -> f64 {
    match value.is_nan() {
        true if env.dx10_clamp => 0.0,
        true => value,
        false => value.clamp(0.0, 1.0),
    }
}

fn output(env: &Env, inst: &Inst, value: f64) -> f64 {
    let scaled = value * [1.0, 2.0, 4.0, 0.5][usize::from(inst.modifiers.omod)];
    if inst.modifiers.clamp { clamp(env, scaled) } else { scaled }
}

fn output_modifiers(env: &Env, inst: &Inst, out: &mut Lanes) {
    for bits in out {
        *bits = match inst.result {
            Some(Float::Half) => {
                to_half(output(env, inst, f32_from_half(*bits).into()), env.round16())
            }
            Some(Float::Single) => {
                let value = output(env, inst, f32::from_bits(*bits).into());
                to_f32(value, env.round32()).to_bits()
            }
            // An integer's clamp is an operation of its own.
            _ => *bits,
        };
    }
}

fn wide_arithmetic(
    wave: &mut Wave,
    inst: &Inst,
    operation: wide::Operation,
) -> Result<(), Trouble> {
    if inst.operands == Some(Float::Double) && wave.env.round16() != Round::Nearest {
        return Err(Trouble::unknown("f64 is only modelled with rounding to the nearest"));
    }
    let sources = [0, 1, 2].map(|index| wave.wide(&inst.sources[index]));
    let mut out = [0; LANES];
    operation(&wave.env, [&sources[0], &sources[1], &sources[2]], &mut out);
    if inst.modifiers.clamp || inst.modifiers.omod != 0 {
        for bits in &mut out {
            *bits = match inst.result {
                Some(Float::Double) => output(&wave.env, inst, f64::from_bits(*bits)).to_bits(),
                Some(Float::Single) => {
                    let value = output(&wave.env, inst, f32::from_bits(*bits as u32).into());
                    to_f32(value, wave.env.round32()).to_bits().into()
                }
                _ => return Err(Trouble::unknown("its output modifier is not modelled")),
            };
        }
    }
    if let Some(destination) = inst.destination {
        wave.write_wide(destination.register, destination.bits, &out, wave.exec());
    }
    Ok(())
}

fn compare(wave: &mut Wave, inst: &Inst, comparison: Comparison, writes_exec: bool) {
    let exec = wave.exec();
    let mask = match comparison {
        Comparison::Short(test) => {
            let mut buffers = [[0; LANES]; 3];
            let [first, second, third] = &mut buffers;
            let writes = first_source(wave, inst, first);
            let mut own = [0; LANES];
            *second = *wave.short(&inst.sources[1], &mut own);
            flush_operands(&wave.env, inst, [first, second, third]);
            test(first, second) & writes
        }
        Comparison::Wide(test) => {
            test(&wave.wide(&inst.sources[0]), &wave.wide(&inst.sources[1])) & exec
        }
    };
    if writes_exec {
        wave.set_scalar(EXEC, 32, mask.into());
    } else {
        set_scalar(wave, inst, mask.into());
    }
}

fn select(wave: &Wave, inst: &Inst) -> (Lanes, u32) {
    let mut buffers = [[0; LANES]; 2];
    let [first, second] = &mut buffers;
    let writes = first_source(wave, inst, first);
    let mut own = [0; LANES];
    *second = *wave.short(&inst.sources[1], &mut own);
    let chosen = wave.scalar_source(&inst.sources[2]) as u32;
    // DPP concerns the first source: where it is not read, its lane is no matter.
    let writes = if inst.dpp.is_some() { writes | chosen & wave.exec() } else { writes };
    let out = std::array::from_fn(
        |lane| {
            if chosen >> lane & 1 == 1 { second[lane] } else { first[lane] }
        },
    );
    (out, writes)
}

fn carry(wave: &mut Wave, inst: &Inst, subtracts: bool, reversed: bool, takes: bool) {
    let mut first = [0; LANES];
    let writes = first_source(wave, inst, &mut first);
    let mut own = [0; LANES];
    let second = *wave.short(&inst.sources[1], &mut own);
    let carries = if takes { wave.scalar_source(&inst.sources[2]) as u32 } else { 0 };
    let (mut out, mut mask) = ([0; LANES], 0u32);
    for lane in 0..LANES {
        let (a, b) = (i64::from(first[lane]), i64::from(second[lane]));
        let (a, b) = if reversed { (b, a) } else { (a, b) };
        let carry = i64::from(carries >> lane & 1);
        let result = if subtracts { a - b - carry } else { a + b + carry };
        let overflows = !(0..=0xffff_ffff).contains(&result);
        out[lane] = match (inst.modifiers.clamp, overflows) {
            (true, true) if subtracts => 0,
            (true, true) => !0,
            _ => result as u32,
        };
        mask |= u32::from(overflows) << lane;
    }
    write(wave, inst, &out, writes);
    set_scalar(wave, inst, u64::from(mask & writes));
}
