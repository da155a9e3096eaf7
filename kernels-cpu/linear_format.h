// linear_format.h -- what a ty_format says, and the geometry of tiles.

#pragma once

#include "linear.h"
#include "simd.h"

TY_INLINE u32 format_kind(ty_format format) { return format & 0xff; }
TY_INLINE u32 format_code(ty_format format) { return format >> 8 & 15; }
TY_INLINE u32 format_scale(ty_format format) { return format >> 12 & 15; }
TY_INLINE u32 format_group(ty_format format) { return 1u << (format >> 16 & 15); }
TY_INLINE u32 format_form(ty_format format) { return format >> 20 & 15; }
TY_INLINE bool format_row_scaled(ty_format format) { return format >> 24 & 1; }

// Whether groups have a term that is added: a bias, or what stands for one.
TY_INLINE bool format_biased(ty_format format) { return format_form(format) >= TY_BIAS; }

// Whether codes are multiplied as floats, else as bytes.
TY_INLINE bool format_floats(ty_format format) {
  return format_kind(format) == TY_BLOCKS && format_code(format) == TY_E4M3;
}

// Stored bits of a code.
TY_INLINE u32 code_bits(const u32 code) { return code <= 8 ? code : code == TY_E4M3 ? 8 : 4; }

// What the bytes that are multiplied have more than the code's value (linear_codes.h).
TY_INLINE i32 format_middle(ty_format format) {
  const u32 code = format_code(format);
  if (code == TY_E2M1) return 12;
  if (code == TY_IQ4) return 128;
  return format_form(format) == TY_MIDDLE ? 1 << (code - 1) : 0;
}

// ---- units ----------------------------------------------------------------------------

TY_INLINE u32 unit_columns(ty_format format) {
  const u32 group = format_group(format);
  return format_scale(format) == TY_SCALE_SUPER ? 256 : group < 32 ? 32 : group;
}

TY_INLINE u32 unit_groups(ty_format format) { return unit_columns(format) / format_group(format); }

// Bytes of a stored scale; of a group's part of it for TY_SCALE_SUPER.
TY_INLINE u32 scale_bytes(ty_format format) {
  switch (format_scale(format)) {
  case TY_SCALE_F32: return 4;
  case TY_SCALE_F16:
  case TY_SCALE_BF16: return 2;
  case TY_SCALE_ONE: return 0;
  default: return 1;
  }
}

// Whether a group's scale and minimum share a byte.
TY_INLINE bool format_halves(ty_format format) {
  return format_form(format) == TY_LEAST && format_code(format) == 2;
}

// Bytes of a unit before its codes.
TY_INLINE u32 header_bytes(ty_format format) {
  const u32 form = format_form(format), size = scale_bytes(format), groups = unit_groups(format) * 16;
  if (format_scale(format) == TY_SCALE_SUPER) {
    return form == TY_LEAST ? 64 + groups * (format_halves(format) ? 1 : 2) : 32 + groups;
  }
  return groups * (form == TY_BIAS ? 2 * size : form == TY_ZERO ? size + 1 : size);
}

// Bytes of the codes of 32 columns.
TY_INLINE u32 run_bytes(const u32 code) { return code_bits(code) * 64; }

TY_INLINE u32 unit_bytes(ty_format format) {
  return header_bytes(format) + unit_columns(format) / 32 * run_bytes(format_code(format));
}

// Bytes of a tile before its first unit.
TY_INLINE u32 row_scale_bytes(ty_format format) { return format_row_scaled(format) ? 64 : 0; }

// Bytes of the 16 rows of a tile, over all k columns.
TY_INLINE u64 tile_bytes(ty_format format, u32 k) {
  switch (format_kind(format)) {
  case TY_F32: return (u64)k * 64;
  case TY_BLOCKS: return row_scale_bytes(format) + (u64)(k / unit_columns(format)) * unit_bytes(format);
  default: return (u64)k * 32;
  }
}
