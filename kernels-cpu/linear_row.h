// linear_row.h -- one row of a table, decoded exactly.
//
// Numerics   f32 operations in the order of program.h's forms, each rounded once: what the graph's
//            interpreter has.

#pragma once

#include "linear_scales.h"

// The code of column `c` of the run at `run`, of row `lane`.
static u32 code_of(u32 bits, const u8 *run, u32 lane, u32 c) {
  const u8 *row = run + lane * 4;
  switch (bits) {
  case 1: return row[c % 4] >> (c / 4) & 1;
  case 2: return row[c / 16 * 64 + c % 4] >> (c % 16 / 4 * 2) & 3;
  case 3: return code_of(2, run, lane, c) | code_of(1, run + 128, lane, c) << 2;
  case 4: return row[c / 8 * 64 + c % 4] >> (c % 8 / 4 * 4) & 15;
  case 5: return code_of(4, run, lane, c) | code_of(1, run + 256, lane, c) << 4;
  case 6: return code_of(4, run, lane, c) | code_of(2, run + 256, lane, c) << 4;
  default: return row[c / 4 * 64 + c % 4];
  }
}

// The value of a byte that is an 8-bit float.
TY_INLINE f32 value_of_e4m3(u8 byte) { return f32_from_f16(f16_from_e4m3((u8x16)byte))[0] * 0x1p8f; }

// The value of a code, less the middle of TY_MIDDLE.
static f32 value_of_code(ty_format format, u32 code) {
  static const i8 twice_e2m1[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
  static const i8 iq4[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  switch (format_code(format)) {
  case TY_E2M1: return code == 8 ? -0.0f : (f32)twice_e2m1[code] * 0.5f;
  case TY_IQ4: return (f32)iq4[code];
  case TY_E4M3: return value_of_e4m3((u8)code);
  default: return (f32)((i32)code - format_middle(format));
  }
}

// The columns of a unit, of row `lane`.
static void row_of_unit(ty_format format, const u8 *unit, u32 lane, f32 *x) {
  const u32 code = format_code(format), form = format_form(format), group = format_group(format);
  const u32 groups = unit_groups(format);
  const u8 *codes = unit + header_bytes(format), *zeros = unit + groups * 16 * scale_bytes(format);
  f32x16 scales[16], biases[16];
  unit_scales(format, SCALE_ANY, groups, unit, scales, biases);
  for (u32 c = 0; c < unit_columns(format); ++c) {
    const u32 g = c / group;
    const u8 *run = codes + c / 32 * run_bytes(code);
    f32 value = value_of_code(format, code_of(code_bits(code), run, lane, c % 32));
    if (form == TY_ZERO) value -= (f32)zeros[g * 16 + lane];
    x[c] = value * scales[g][lane];
    if (format_scale(format) == TY_SCALE_E4M3) x[c] *= 0x1p8f;
    if (form == TY_BIAS || form == TY_LEAST) x[c] += biases[g][lane];
  }
}

static void row_of_blocks(ty_format format, u32 k, const u8 *tile, u32 lane, f32 *x) {
  const u8 *unit = tile + row_scale_bytes(format);
  for (u32 c = 0; c < k; c += unit_columns(format), unit += unit_bytes(format)) {
    row_of_unit(format, unit, lane, x + c);
  }
  if (!format_row_scaled(format)) return;
  const f32 scale = ((const f32_at *)tile)[lane];
  for (u32 c = 0; c < k; ++c) x[c] *= scale;
}

static void ty_linear_row(ty_format format, u32 k, const u8 *weights, u32 id, f32 *x) {
  const u8 *tile = weights + id / 16 * tile_bytes(format, k);
  const u32 lane = id % 16;
  if (format_kind(format) == TY_BLOCKS) {
    row_of_blocks(format, k, tile, lane, x);
    return;
  }
  for (u32 c = 0; c < k; ++c) {
    switch (format_kind(format)) {
    case TY_F32: x[c] = ((const f32_at *)tile)[(u64)c * 16 + lane]; break;
    case TY_F16:
      x[c] = f32_from_f16((u16x16)((const u16_at *)tile)[(u64)c * 16 + lane])[0];
      break;
    default:
      x[c] = f32_of((u32)((const u16_at *)tile)[(u64)(c / 2) * 32 + lane * 2 + c % 2] << 16);
    }
  }
}
