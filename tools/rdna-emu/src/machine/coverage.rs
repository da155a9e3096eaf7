//! Which decoded instructions cannot be run: a list that the test below holds complete.

use super::lower::lower;
use super::operation::Op;
use crate::decode::{Target, decode, tables};

/// One instruction of each row, as words; a row needs one of them.
fn words(format: &str, op: u32) -> Vec<[u32; 3]> {
    let vgpr = 256;
    let long = |first: u32, third: u32| {
        [0, vgpr + 9].map(|second| [first | op << 16, (vgpr + 6) | second << 9 | third << 18, 0])
    };
    match format {
        "SOP1" => vec![
            [0xbe80_0000 | 4 << 16 | op << 8 | 12, 0, 0],
            [0xbe80_0000 | op << 8 | 12, 0, 0],
            [0xbe80_0000 | 4 << 16 | op << 8, 0, 0],
        ],
        "SOP2" => vec![[0x8000_0000 | op << 23 | 4 << 16 | 8 << 8 | 12, 0x4000_0000, 0]],
        "SOPC" => vec![[0xbf00_0000 | op << 16 | 8 << 8 | 12, 0, 0]],
        "SOPK" => [4 << 16, 0].map(|register| [0xb000_0001 | op << 23 | register, 1, 0]).to_vec(),
        "SOPP" => vec![[0xbf80_0000 | op << 16 | 3, 0, 0], [0xbf80_0000 | op << 16, 0, 0]],
        "SMEM" => vec![
            [0xf400_0000 | op << 18 | 8 << 6 | 2, 124 << 25, 0],
            [0xf400_0000 | op << 18, 124 << 25, 0],
        ],
        "VOP1" => {
            vec![[0x7e00_0000 | 6 << 17 | op << 9 | 262, 0, 0], [0x7e00_0000 | op << 9, 0, 0]]
        }
        "VOP2" => vec![[op << 25 | 5 << 17 | 6 << 9 | 262, 0x4000_0000, 0]],
        "VOPC" => vec![[0x7c00_0000 | op << 17 | 6 << 9 | 262, 0, 0]],
        "VOP3" => {
            let mut all = Vec::new();
            for third in [0, vgpr + 12, 16] {
                all.extend(long(0xd400_0004, third));
            }
            all.push([0xd400_0004 | op << 16, (vgpr + 6) | 8 << 9 | 16 << 18, 0]);
            all.push([0xd400_0004 | op << 16, (vgpr + 6) | 8 << 9, 0]);
            all.push([0xd400_0004 | op << 16, 6 | 8 << 9, 0]);
            all
        }
        "VOP3P" => {
            let mut all = Vec::new();
            for third in [0, vgpr + 48] {
                all.extend(long(0xcc00_4004, third));
            }
            all
        }
        "VOPD" => vec![
            [0xc800_0000 | 3 << 22 | op << 17 | 6 << 9 | 262, 265 | 20 << 9 | 12 << 24, 1 << 30],
            [0xc800_0000 | 3 << 22 | op << 17 | 6 << 9 | 262, 265 | 12 << 24, 1 << 30],
        ],
        "DS" => {
            let data = [0, 7 << 8, 7 << 8 | 9 << 16];
            data.iter()
                .flat_map(|data| {
                    [0, 5 << 24].map(|result| [0xd800_0000 | op << 18, data | result | 3, 0])
                })
                .collect()
        }
        "MUBUF" => vec![
            [0xe000_0000 | op << 18, 5 | 9 << 8 | 2 << 16 | 1 << 22 | 128 << 24, 0],
            [0xe000_0000 | op << 18, 0, 0],
        ],
        _ => [0, 9 << 8]
            .iter()
            .flat_map(|data| {
                [0, 13 << 24]
                    .map(|result| [0xdc02_0000 | op << 18, 5 | data | result | 124 << 16, 0])
            })
            .chain([
                [0xdc02_0000 | op << 18, 9 << 8 | 124 << 16, 0],
                [0xdc02_0000 | op << 18, 13 << 24 | 124 << 16, 0],
            ])
            .collect(),
    }
}

#[test]
fn what_cannot_be_run_is_listed() {
    let all = [
        ("SOP1", tables::SOP1),
        ("SOP2", tables::SOP2),
        ("SOPC", tables::SOPC),
        ("SOPK", tables::SOPK),
        ("SOPP", tables::SOPP),
        ("SMEM", tables::SMEM),
        ("VOP1", tables::VOP1),
        ("VOP2", tables::VOP2),
        ("VOPC", tables::VOPC),
        ("VOP3", tables::VOP3),
        ("VOP3P", tables::VOP3P),
        ("VOPD", tables::VOPD_Y),
        ("DS", tables::DS),
        ("MUBUF", tables::MUBUF),
        ("FLAT", tables::FLAT),
    ];
    let mut unknown = Vec::new();
    for (format, table) in all {
        for row in table {
            let instruction = words(format, row.opcode.into()).into_iter().find_map(|words| {
                let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                decode(&code, Target::Gfx115x).ok()
            });
            let instruction =
                instruction.unwrap_or_else(|| panic!("{format} {}: no words decode", row.name));
            let inst = lower(&instruction, 0);
            let second = match &inst.op {
                Op::Dual(_, second) => &second.op,
                other => other,
            };
            if matches!(second, Op::Unknown(_)) {
                unknown.push(row.name);
            }
        }
    }
    let expected: Vec<&str> =
        include_str!("not_run.txt").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(unknown, expected, "not_run.txt (right) lists what cannot be run (left)");
}
