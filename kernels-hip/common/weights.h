// weights.h -- what a ty_format says, and single weights decoded exactly.
//
// Layouts    blocks: as kernels-cpu/linear.h has them, so that one file serves CPUs and GPUs;
//            TY_F16 and TY_BF16: [n/16][k/8][16][8], so that a lane reads eight columns of its row;
//            TY_F32: [n/16][k][16].
// Numerics   f32 operations in the order of program.h's forms, each rounded once.

#pragma once

#include "maths.h"

TY_DEVICE u32 format_kind(ty_format format) { return format & 0xff; }
TY_DEVICE u32 format_code(ty_format format) { return format >> 8 & 15; }
TY_DEVICE u32 format_scale(ty_format format) { return format >> 12 & 15; }
TY_DEVICE u32 format_group(ty_format format) { return 1u << (format >> 16 & 15); }
TY_DEVICE u32 format_form(ty_format format) { return format >> 20 & 15; }
TY_DEVICE bool format_row_scaled(ty_format format) { return format >> 24 & 1; }

// Stored bits of a code.
TY_DEVICE u32 code_bits(u32 code) { return code <= 8 ? code : code == TY_E4M3 ? 8 : 4; }

TY_DEVICE u32 unit_columns(ty_format format) {
  const u32 group = format_group(format);
  return format_scale(format) == TY_SCALE_SUPER ? 256 : group < 32 ? 32 : group;
}

TY_DEVICE u32 unit_groups(ty_format format) { return unit_columns(format) / format_group(format); }

TY_DEVICE u32 scale_bytes(ty_format format) {
  switch (format_scale(format)) {
  case TY_SCALE_F32: return 4;
  case TY_SCALE_F16:
  case TY_SCALE_BF16: return 2;
  case TY_SCALE_ONE: return 0;
  default: return 1;
  }
}

// Whether a group's scale and minimum share a byte.
TY_DEVICE bool format_halves(ty_format format) {
  return format_form(format) == TY_LEAST && format_code(format) == 2;
}

// Bytes of a unit before its codes.
TY_DEVICE u32 header_bytes(ty_format format) {
  const u32 form = format_form(format), size = scale_bytes(format), groups = unit_groups(format) * 16;
  if (format_scale(format) == TY_SCALE_SUPER) {
    return form == TY_LEAST ? 64 + groups * (format_halves(format) ? 1 : 2) : 32 + groups;
  }
  return groups * (form == TY_BIAS ? 2 * size : form == TY_ZERO ? size + 1 : size);
}

// Bytes of the codes of 32 columns.
TY_DEVICE u32 run_bytes(u32 code) { return code_bits(code) * 64; }

TY_DEVICE u32 unit_bytes(ty_format format) {
  return header_bytes(format) + unit_columns(format) / 32 * run_bytes(format_code(format));
}

TY_DEVICE u32 row_scale_bytes(ty_format format) { return format_row_scaled(format) ? 64 : 0; }

// Bytes of the 16 rows of a tile, over all k columns.
TY_DEVICE u64 tile_bytes(ty_format format, u32 k) {
  switch (format_kind(format)) {
  case TY_F32: return (u64)k * 64;
  case TY_BLOCKS: return row_scale_bytes(format) + (u64)(k / unit_columns(format)) * unit_bytes(format);
  default: return (u64)k * 32;
  }
}

// Bytes of a matrix of whole tiles, behind which that of the next head is.
TY_DEVICE u64 matrix_bytes(ty_format format, u32 n, u32 k) { return n / 16 * tile_bytes(format, k); }

// ---- single weights -------------------------------------------------------------------

template <typename T> TY_DEVICE T weight_load(u64 address) { return *global_at<const T>(address); }

// An 8-bit float of 4 bits of exponent and 3 of fraction; NaN codes do not occur.
TY_DEVICE f32 value_of_e2m1(u32 code) {
  const u32 twice = (0xc8643210u >> (code % 8 * 4)) & 15;
  const f32 size = (f32)twice * 0.5f;
  return code & 8 ? -size : size;
}

TY_DEVICE f32 value_of_iq4(u32 code) {
  // llama.cpp's kvalues_iq4nl, plus 128.
  const u32 low = code < 4 ? 0x3f2d1801u : 0x766a5d4fu, high = code < 12 ? 0xa6998d81u : 0xf1d9c5b5u;
  const u32 word = code < 8 ? low : high;
  return (f32)(i32)((word >> (code % 4 * 8)) & 0xff) - 128.0f;
}

// The stored code of column `c` below 32 of a run, of row `lane` of its tile.
TY_DEVICE u32 plane_of(u32 bits, u64 run, u32 lane, u32 c) {
  const u64 row = run + lane * 4;
  switch (bits) {
  case 1: return weight_load<u8>(row + c % 4) >> (c / 4) & 1;
  case 2: return weight_load<u8>(row + c / 16 * 64 + c % 4) >> (c % 16 / 4 * 2) & 3;
  case 4: return weight_load<u8>(row + c / 8 * 64 + c % 4) >> (c % 8 / 4 * 4) & 15;
  default: return weight_load<u8>(row + c / 4 * 64 + c % 4);
  }
}

TY_DEVICE u32 code_of(u32 bits, u64 run, u32 lane, u32 c) {
  switch (bits) {
  case 3: return plane_of(2, run, lane, c) | plane_of(1, run + 128, lane, c) << 2;
  case 5: return plane_of(4, run, lane, c) | plane_of(1, run + 256, lane, c) << 4;
  case 6: return plane_of(4, run, lane, c) | plane_of(2, run + 256, lane, c) << 4;
  default: return plane_of(bits, run, lane, c);
  }
}

TY_DEVICE f32 value_of_code(ty_format format, u32 code) {
  switch (format_code(format)) {
  case TY_E2M1: return value_of_e2m1(code);
  case TY_IQ4: return value_of_iq4(code);
  case TY_E4M3: return value_of_e4m3(code);
  default: return (f32)(i32)code - (format_form(format) == TY_MIDDLE ? (f32)(1u << (format_code(format) - 1)) : 0.0f);
  }
}

// 2^(e - 127); 0 is the one subnormal.
TY_DEVICE f32 value_of_e8m0(u32 e) { return __builtin_bit_cast(f32, e == 0 ? 0x00400000u : e << 23); }

// A stored scale, of `kind`, number `index` of those at `at`.
TY_DEVICE f32 scale_at(u32 kind, u64 at, u32 index) {
  switch (kind) {
  case TY_SCALE_F16: return from_f16(weight_load<u16>(at + 2 * index));
  case TY_SCALE_BF16: return from_bf16(weight_load<u16>(at + 2 * index));
  case TY_SCALE_F32: return weight_load<f32>(at + 4 * index);
  case TY_SCALE_E8M0: return value_of_e8m0(weight_load<u8>(at + index));
  case TY_SCALE_E4M3: return value_of_e4m3(weight_load<u8>(at + index));
  default: return 1.0f;
  }
}

// What one group of a row multiplies its codes by, and what it adds: w = scale * code + bias.
struct group_terms {
  f32 scale, bias;
};

// Of group `g` of the unit at `unit`, of row `lane`. For TY_ZERO the bias is -zero, to be added to
// the code.
TY_DEVICE group_terms terms_at(ty_format format, u64 unit, u32 g, u32 lane) {
  const u32 form = format_form(format), kind = format_scale(format), groups = unit_groups(format);
  const u32 at = g * 16 + lane;
  group_terms t = {1.0f, 0.0f};
  if (kind == TY_SCALE_SUPER) {
    const f32 d = from_f16(weight_load<u16>(unit + 2 * lane));
    if (form != TY_LEAST) {
      t.scale = d * (f32)weight_load<i8>(unit + 32 + at);
      return t;
    }
    const f32 least = from_f16(weight_load<u16>(unit + 32 + 2 * lane));
    const u32 first = weight_load<u8>(unit + 64 + at);
    const u32 sub = format_halves(format) ? first & 15 : first;
    const u32 minimum = format_halves(format) ? first >> 4 : weight_load<u8>(unit + 64 + groups * 16 + at);
    t.scale = d * (format_halves(format) ? (f32)sub : (f32)(i8)sub);
    t.bias = -(least * (f32)minimum);
    return t;
  }
  t.scale = scale_at(kind, unit, at);
  const u64 behind = unit + groups * 16 * scale_bytes(format);
  if (form == TY_BIAS) t.bias = scale_at(kind, behind, at);
  if (form == TY_ZERO) t.bias = -(f32)weight_load<u8>(behind + at);
  return t;
}

// Column `c` of row `lane` of the tile at `tile`.
TY_DEVICE f32 weight_at(ty_format format, u64 tile, u32 lane, u32 c) {
  switch (format_kind(format)) {
  case TY_F32: return weight_load<f32>(tile + ((u64)c * 16 + lane) * 4);
  case TY_F16: return from_f16(weight_load<u16>(tile + ((u64)(c / 8) * 128 + lane * 8 + c % 8) * 2));
  case TY_BF16: return from_bf16(weight_load<u16>(tile + ((u64)(c / 8) * 128 + lane * 8 + c % 8) * 2));
  default: break;
  }
  const u32 columns = unit_columns(format), inside = c % columns, form = format_form(format);
  const u64 unit = tile + row_scale_bytes(format) + (u64)(c / columns) * unit_bytes(format);
  const u64 run = unit + header_bytes(format) + inside / 32 * run_bytes(format_code(format));
  const u32 code = code_of(code_bits(format_code(format)), run, lane, inside % 32);
  const group_terms terms = terms_at(format, unit, inside / format_group(format), lane);
  f32 value = value_of_code(format, code);
  if (form == TY_ZERO) value += terms.bias;
  value *= terms.scale;
  if (form == TY_BIAS || form == TY_LEAST) value += terms.bias;
  if (format_row_scaled(format)) value *= weight_load<f32>(tile + 4 * lane);
  return value;
}
