//! Scalar instructions.

use super::unknown;
use crate::decode::{Instruction, OperandKind};
use crate::machine::operation::{Condition, Inst, Op};
use crate::machine::scalar;
use crate::machine::source::{Kind, Source};

pub(super) fn scalar_op(instruction: &Instruction, name: &str, at: usize, inst: &mut Inst) -> Op {
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

pub(super) fn scalar_load(name: &str) -> Op {
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
