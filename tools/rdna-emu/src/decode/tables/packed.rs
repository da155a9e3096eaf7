//! Packed arithmetic, dot products and matrix products (VOP3P), and the two halves of VOPD.

use super::{Row, row};

/// Packed, dot and WMMA.
pub static VOP3P: &[Row] = &[
    row(0x00, "v_pk_mad_i16", "d32 s32 s32 s32", "Npc"),
    row(0x01, "v_pk_mul_lo_u16", "d32 s32 s32", "Npc"),
    row(0x02, "v_pk_add_i16", "d32 s32 s32", "Npc"),
    row(0x03, "v_pk_sub_i16", "d32 s32 s32", "Npc"),
    row(0x04, "v_pk_lshlrev_b16", "d32 s32 s32", "Npc"),
    row(0x05, "v_pk_lshrrev_b16", "d32 s32 s32", "Npc"),
    row(0x06, "v_pk_ashrrev_i16", "d32 s32 s32", "Npc"),
    row(0x07, "v_pk_max_i16", "d32 s32 s32", "Npc"),
    row(0x08, "v_pk_min_i16", "d32 s32 s32", "Npc"),
    row(0x09, "v_pk_mad_u16", "d32 s32 s32 s32", "Npc"),
    row(0x0a, "v_pk_add_u16", "d32 s32 s32", "Npc"),
    row(0x0b, "v_pk_sub_u16", "d32 s32 s32", "Npc"),
    row(0x0c, "v_pk_max_u16", "d32 s32 s32", "Npc"),
    row(0x0d, "v_pk_min_u16", "d32 s32 s32", "Npc"),
    row(0x0e, "v_pk_fma_f16", "d32 s32 s32 s32", "Npc"),
    row(0x0f, "v_pk_add_f16", "d32 s32 s32", "Npc"),
    row(0x10, "v_pk_mul_f16", "d32 s32 s32", "Npc"),
    row(0x11, "v_pk_min_f16", "d32 s32 s32", "Npc"),
    row(0x12, "v_pk_max_f16", "d32 s32 s32", "Npc"),
    row(0x13, "v_dot2_f32_f16", "d32 s32 s32 s32", "NpcD"),
    row(0x16, "v_dot4_i32_iu8", "d32 s32 s32 s32", "Nc"),
    row(0x17, "v_dot4_u32_u8", "d32 s32 s32 s32", "Nc"),
    row(0x18, "v_dot8_i32_iu4", "d32 s32 s32 s32", "Nc"),
    row(0x19, "v_dot8_u32_u4", "d32 s32 s32 s32", "Nc"),
    row(0x1a, "v_dot2_f32_bf16", "d32 s32 s32 s32", "NpcD"),
    row(0x20, "v_fma_mix_f32", "d32 h32 h32 h32", "mcD"),
    row(0x21, "v_fma_mixlo_f16", "d32 h32 h32 h32", "mc"),
    row(0x22, "v_fma_mixhi_f16", "d32 h32 h32 h32", "mc"),
    row(0x40, "v_wmma_f32_16x16x16_f16", "d256 v256 v256 a256", "N"),
    row(0x41, "v_wmma_f32_16x16x16_bf16", "d256 v256 v256 a256", "N"),
    row(0x42, "v_wmma_f16_16x16x16_f16", "d256 v256 v256 a256", "Np"),
    row(0x43, "v_wmma_bf16_16x16x16_bf16", "d256 v256 v256 a256", "Np"),
    row(0x44, "v_wmma_i32_16x16x16_iu8", "d256 v128 v128 a256", "Nc"),
    row(0x45, "v_wmma_i32_16x16x16_iu4", "d256 v64 v64 a256", "Nc"),
];

/// The first half of a dual instruction: the operations that both halves have.
pub static VOPD_X: &[Row] = DUAL.split_at(14).0;

/// The second half.
pub static VOPD_Y: &[Row] = DUAL;

const DUAL: &[Row] = &[
    row(0x00, "v_dual_fmac_f32", "d32 s32 v32", ""),
    row(0x01, "v_dual_fmaak_f32", "d32 s32 v32 k32", ""),
    row(0x02, "v_dual_fmamk_f32", "d32 s32 k32 v32", ""),
    row(0x03, "v_dual_mul_f32", "d32 s32 v32", ""),
    row(0x04, "v_dual_add_f32", "d32 s32 v32", ""),
    row(0x05, "v_dual_sub_f32", "d32 s32 v32", ""),
    row(0x06, "v_dual_subrev_f32", "d32 s32 v32", ""),
    row(0x07, "v_dual_mul_dx9_zero_f32", "d32 s32 v32", ""),
    row(0x08, "v_dual_mov_b32", "d32 s32", ""),
    row(0x09, "v_dual_cndmask_b32", "d32 s32 v32", ""),
    row(0x0a, "v_dual_max_f32", "d32 s32 v32", ""),
    row(0x0b, "v_dual_min_f32", "d32 s32 v32", ""),
    row(0x0c, "v_dual_dot2acc_f32_f16", "d32 s32 v32", ""),
    row(0x0d, "v_dual_dot2acc_f32_bf16", "d32 s32 v32", ""),
    row(0x10, "v_dual_add_nc_u32", "d32 s32 v32", ""),
    row(0x11, "v_dual_lshlrev_b32", "d32 s32 v32", ""),
    row(0x12, "v_dual_and_b32", "d32 s32 v32", ""),
];
