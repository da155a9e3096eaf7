//! The 16-bit fields of program control, as text.

use crate::decode::{Format, Instruction};

/// A field by its slot's letter.
pub fn field(instruction: &Instruction, letter: char, value: u16) -> String {
    match letter {
        'i' => format!("{value:#x}"),
        'n' => number(value),
        'b' => value.to_string(),
        'e' if value == 0 => String::new(),
        'e' => value.to_string(),
        'h' => hardware_register(value),
        'w' => waits(value),
        'p' => dependency_counters(value),
        'y' => delay(value),
        _ if instruction.format == Format::Sop1 => message(value),
        _ => message(value),
    }
}

/// LLVM writes what fits an inline constant as a decimal number.
fn number(value: u16) -> String {
    if value <= 64 { value.to_string() } else { format!("{value:#x}") }
}

fn hardware_register(value: u16) -> String {
    let (id, offset, size) = (value & 63, value >> 6 & 31, (value >> 11) + 1);
    let name = match id {
        1 => "HW_REG_MODE",
        2 => "HW_REG_STATUS",
        3 => "HW_REG_TRAPSTS",
        5 => "HW_REG_GPR_ALLOC",
        6 => "HW_REG_LDS_ALLOC",
        7 => "HW_REG_IB_STS",
        15 => "HW_REG_SH_MEM_BASES",
        18 => "HW_REG_PERF_SNAPSHOT_PC_LO",
        19 => "HW_REG_PERF_SNAPSHOT_PC_HI",
        20 => "HW_REG_FLAT_SCR_LO",
        21 => "HW_REG_FLAT_SCR_HI",
        23 => "HW_REG_HW_ID1",
        24 => "HW_REG_HW_ID2",
        27 => "HW_REG_PERF_SNAPSHOT_DATA",
        29 => "HW_REG_SHADER_CYCLES",
        _ => "",
    };
    let name = if name.is_empty() { id.to_string() } else { name.to_owned() };
    match (offset, size) {
        (0, 32) => format!("hwreg({name})"),
        _ => format!("hwreg({name}, {offset}, {size})"),
    }
}

/// The counters that s_waitcnt waits for; those at their largest are no wait, and left out unless all are.
fn waits(value: u16) -> String {
    let counters =
        [("vmcnt", value >> 10, 63), ("expcnt", value & 7, 7), ("lgkmcnt", value >> 4 & 63, 63)];
    shown(&counters)
}

fn shown(counters: &[(&str, u16, u16)]) -> String {
    let show_all = counters.iter().all(|&(_, value, largest)| value == largest);
    let parts: Vec<String> = counters
        .iter()
        .filter(|&&(_, value, largest)| show_all || value != largest)
        .map(|(name, value, _)| format!("{name}({value})"))
        .collect();
    parts.join(" ")
}

fn dependency_counters(value: u16) -> String {
    if value & 0x60 != 0 {
        return format!("{value:#x}");
    }
    shown(&[
        ("depctr_hold_cnt", value >> 7 & 1, 1),
        ("depctr_sa_sdst", value & 1, 1),
        ("depctr_va_vdst", value >> 12, 15),
        ("depctr_va_sdst", value >> 9 & 7, 7),
        ("depctr_va_ssrc", value >> 8 & 1, 1),
        ("depctr_va_vcc", value >> 1 & 1, 1),
        ("depctr_vm_vsrc", value >> 2 & 7, 7),
    ])
}

fn delay(value: u16) -> String {
    let names = [
        "",
        "VALU_DEP_1",
        "VALU_DEP_2",
        "VALU_DEP_3",
        "VALU_DEP_4",
        "TRANS32_DEP_1",
        "TRANS32_DEP_2",
        "TRANS32_DEP_3",
        "FMA_ACCUM_CYCLE_1",
        "SALU_CYCLE_1",
        "SALU_CYCLE_2",
        "SALU_CYCLE_3",
    ];
    let skips = ["", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];
    let fields = [
        ("instid0", names[usize::from(value & 15)]),
        ("instskip", skips[usize::from(value >> 4 & 7)]),
        ("instid1", names[usize::from(value >> 7 & 15)]),
    ];
    let parts: Vec<String> = fields
        .iter()
        .filter(|(_, name)| !name.is_empty())
        .map(|(field, name)| format!("{field}({name})"))
        .collect();
    if parts.is_empty() { "0".to_owned() } else { parts.join(" | ") }
}

fn message(value: u16) -> String {
    let name = match value {
        1 => "MSG_INTERRUPT",
        2 => "MSG_HS_TESSFACTOR",
        3 => "MSG_DEALLOC_VGPRS",
        5 => "MSG_STALL_WAVE_GEN",
        6 => "MSG_HALT_WAVES",
        9 => "MSG_GS_ALLOC_REQ",
        128 => "MSG_RTN_GET_DOORBELL",
        129 => "MSG_RTN_GET_DDID",
        130 => "MSG_RTN_GET_TMA",
        131 => "MSG_RTN_GET_REALTIME",
        132 => "MSG_RTN_SAVE_WAVE",
        133 => "MSG_RTN_GET_TBA",
        134 => "MSG_RTN_GET_TBA_TO_PC",
        _ => return format!("sendmsg({value}, 0, 0)"),
    };
    format!("sendmsg({name})")
}
