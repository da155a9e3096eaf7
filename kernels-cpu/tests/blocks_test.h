// blocks_test.h -- bands of blocks, written from linear.h's description of the layout, byte after
// byte, and what they mean in f64.

#pragma once

#include "../program.h"
#include "check.h"

static bool is_blocks(ty_format f) { return (f & 0xff) == TY_BLOCKS; }

// What a format says.
typedef struct {
  u32 code, bits, scale, group, form;
  bool row_scaled;
} block_words;

static block_words words_of(ty_format f) {
  const u32 code = f >> 8 & 15;
  return (block_words){code, code <= 8 ? code : code == TY_E4M3 ? 8 : 4, f >> 12 & 15,
                       1u << (f >> 16 & 15), f >> 20 & 15, f >> 24 & 1};
}

#define BLOCKS(code, scale, log, form) (TY_BLOCKS | (code) << 8 | (scale) << 12 | (log) << 16 | (form) << 20)

// What checkpoints are stored in.
static const ty_format published[] = {
    BLOCKS(4, TY_SCALE_F16, 5, TY_MIDDLE),  BLOCKS(4, TY_SCALE_F16, 5, TY_BIAS),
    BLOCKS(8, TY_SCALE_F16, 5, TY_MIDDLE),  BLOCKS(5, TY_SCALE_F16, 5, TY_MIDDLE),
    BLOCKS(5, TY_SCALE_F16, 5, TY_BIAS),    BLOCKS(2, TY_SCALE_SUPER, 4, TY_LEAST),
    BLOCKS(3, TY_SCALE_SUPER, 4, TY_MIDDLE), BLOCKS(4, TY_SCALE_SUPER, 5, TY_LEAST),
    BLOCKS(5, TY_SCALE_SUPER, 5, TY_LEAST), BLOCKS(6, TY_SCALE_SUPER, 4, TY_MIDDLE),
    BLOCKS(TY_IQ4, TY_SCALE_F16, 5, TY_PLAIN), BLOCKS(TY_IQ4, TY_SCALE_SUPER, 5, TY_PLAIN),
    BLOCKS(TY_E2M1, TY_SCALE_E8M0, 5, TY_PLAIN), BLOCKS(TY_E2M1, TY_SCALE_E4M3, 4, TY_PLAIN),
    BLOCKS(TY_E2M1, TY_SCALE_E4M3, 4, TY_PLAIN) | 1 << 24, BLOCKS(TY_E4M3, TY_SCALE_E8M0, 5, TY_PLAIN),
    BLOCKS(TY_E4M3, TY_SCALE_F32, 7, TY_PLAIN), BLOCKS(TY_E4M3, TY_SCALE_BF16, 6, TY_PLAIN),
    BLOCKS(TY_E4M3, TY_SCALE_ONE, 5, TY_PLAIN) | 1 << 24, BLOCKS(4, TY_SCALE_F16, 7, TY_ZERO),
    BLOCKS(8, TY_SCALE_BF16, 7, TY_MIDDLE), BLOCKS(4, TY_SCALE_F32, 7, TY_ZERO),
    BLOCKS(2, TY_SCALE_F16, 6, TY_BIAS),    BLOCKS(3, TY_SCALE_BF16, 6, TY_BIAS),
    BLOCKS(4, TY_SCALE_BF16, 6, TY_BIAS),   BLOCKS(5, TY_SCALE_F16, 7, TY_BIAS),
    BLOCKS(6, TY_SCALE_F16, 6, TY_BIAS),    BLOCKS(8, TY_SCALE_F16, 6, TY_BIAS),
    BLOCKS(8, TY_SCALE_ONE, 5, TY_MIDDLE) | 1 << 24,
};

// Whether the layout is defined (BlockLayout::is_known in crates/graph).
static bool is_known(ty_format f) {
  const block_words w = words_of(f);
  const bool integer = w.code >= 2 && w.code <= 8 && w.code != 7;
  const bool own = w.form == TY_PLAIN || w.form == TY_MIDDLE;
  if (!is_blocks(f) || f >> 25 || w.group < 16 || w.group > 128 || w.form > TY_LEAST) return false;
  if (!integer && (w.code < TY_E2M1 || w.code > TY_E4M3)) return false;
  if (integer == (w.form == TY_PLAIN) || (!integer && w.form != TY_PLAIN)) return false;
  switch (w.scale) {
  case TY_SCALE_F16:
  case TY_SCALE_BF16: return w.form != TY_LEAST;
  case TY_SCALE_F32: return own || w.form == TY_ZERO;
  case TY_SCALE_E8M0:
  case TY_SCALE_E4M3: return own;
  case TY_SCALE_ONE: return own && w.group == 32;
  case TY_SCALE_SUPER: return (own || w.form == TY_LEAST) && w.group <= 32 && w.code != TY_E4M3;
  default: return false;
  }
}

static u32 columns_of_unit(ty_format f) {
  const block_words w = words_of(f);
  return w.scale == TY_SCALE_SUPER ? 256 : w.group < 32 ? 32 : w.group;
}

static u64 band_bytes(ty_format f, u32 k) {
  static const u32 sizes[] = {2, 2, 4, 1, 1, 0, 1};
  const block_words w = words_of(f);
  const u32 unit = columns_of_unit(f), numbers = unit / w.group * 16;
  u64 bytes = unit * 16 * w.bits / 8 + numbers * sizes[w.scale];
  if (w.scale == TY_SCALE_SUPER) bytes += w.form == TY_LEAST ? 64 : 32;
  if (w.form == TY_BIAS) bytes += numbers * sizes[w.scale];
  if (w.form == TY_ZERO) bytes += numbers;
  if (w.form == TY_LEAST && w.code != 2) bytes += numbers;
  return (w.row_scaled ? 64 : 0) + k / unit * bytes;
}

static void put_half(u8 *at, u32 h) { memcpy(at, &(u16){(u16)h}, 2); }

// An 8-bit float.
static f64 value_of_byte(u32 b) {
  const int e = b >> 3 & 15, m = b & 7;
  const f64 v = ldexp(e ? m + 8 : m, (e ? e : 1) - 10);
  return b & 0x80 ? -v : v;
}

// Writes a random scale or bias of a layout's type to *at, which it moves on.
static f64 put_number(u32 scale, f64 size, u8 **at) {
  const f64 small = random_below(13) == 0 ? 1e-6 * random_unit() : random_unit() * size;
  const f64 v = random_below(13) == 0 ? 0 : small;
  switch (scale) {
  case TY_SCALE_F16:
  case TY_SCALE_BF16: {
    const int fraction = scale == TY_SCALE_F16 ? 10 : 7;
    const u32 h = half_of_value(v, fraction);
    put_half(*at, h), *at += 2;
    return value_of_half(h, fraction);
  }
  case TY_SCALE_F32: {
    const f32 narrow = random_below(20) ? (f32)v : 1e-39f * random_unit();
    memcpy(*at, &narrow, 4), *at += 4;
    return narrow;
  }
  case TY_SCALE_E8M0: {
    const u32 b = random_below(20) ? 115 + random_below(12) : random_below(3);
    *(*at)++ = (u8)b;
    return ldexp(1, (int)b - 127);
  }
  case TY_SCALE_E4M3: {
    u32 b = random_below(256);
    if ((b & 0x7f) == 0x7f) b = 0;
    *(*at)++ = (u8)b;
    return value_of_byte(b);
  }
  default: return 1;
  }
}

// The values of 16 rows, k numbers apart.
typedef struct {
  f64 *values, *sizes;
  f32 *exact;
  u32 k;
} band_values;

// The numbers of a unit: of each group and row.
typedef struct {
  f64 scale[16][16], offset[16][16];
} unit_numbers;

static void fill_header(block_words w, u32 groups, u8 **at, unit_numbers *n) {
  for (u32 i = 0; i < groups * 16; ++i) n->scale[i / 16][i % 16] = put_number(w.scale, 0.02, at);
  for (u32 i = 0; i < groups * 16; ++i) {
    f64 *offset = &n->offset[i / 16][i % 16];
    *offset = 0;
    if (w.form == TY_BIAS) *offset = put_number(w.scale, 0.1, at);
    if (w.form == TY_ZERO) *offset = *(*at)++ = (u8)random_below(1u << w.bits);
  }
}

static void fill_super(block_words w, u32 groups, u8 **at, unit_numbers *n) {
  f64 d[16], least[16] = {0};
  for (u32 r = 0; r < 16; ++r) d[r] = put_number(TY_SCALE_F16, 0.002, at);
  for (u32 r = 0; r < 16 && w.form == TY_LEAST; ++r) least[r] = put_number(TY_SCALE_F16, 0.01, at);
  u8 *minima = *at + groups * 16;
  for (u32 i = 0; i < groups * 16; ++i) {
    const u32 r = i % 16, sub = random_below(256), minimum = random_below(256);
    *(*at)++ = (u8)sub;
    n->scale[i / 16][r] = d[r] * (sub < 128 ? (f64)sub : (f64)sub - 256);
    n->offset[i / 16][r] = least[r] * minimum;
    if (w.form != TY_LEAST) continue;
    if (w.code == 2) {
      n->scale[i / 16][r] = d[r] * (sub & 15);
      n->offset[i / 16][r] = least[r] * (sub >> 4);
    } else {
      minima[i] = (u8)minimum;
    }
  }
  if (w.form == TY_LEAST && w.code != 2) *at += groups * 16;
}

static f64 number_of_code(block_words w, u32 code) {
  static const f64 e2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  static const f64 iq4[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  switch (w.code) {
  case TY_E2M1: return code < 8 ? e2m1[code] : -e2m1[code - 8];
  case TY_IQ4: return iq4[code];
  case TY_E4M3: return value_of_byte(code);
  default: return code;
  }
}

// A value in f64, the sizes of its terms, and what f32 operations make of it.
static void put_value(block_words w, u32 code, f64 scale, f64 offset, f32 row_scale,
                      const band_values *v, u64 at) {
  f64 number = number_of_code(w, code), added = 0;
  f64 size = fabs(scale * number);
  if (w.form == TY_MIDDLE) number -= 1 << (w.bits - 1), size += fabs(scale) * (1 << (w.bits - 1));
  if (w.form == TY_ZERO) number -= offset, size += fabs(scale * offset);
  if (w.form == TY_BIAS) added = offset;
  if (w.form == TY_LEAST) added = -offset;
  f32 exact = (f32)(scale * number);
  if (added != 0) exact += (f32)added;
  v->values[at] = row_scale * (scale * number + added);
  v->sizes[at] = fabsf(row_scale) * (size + fabs(added));
  v->exact[at] = w.row_scaled ? row_scale * exact : exact;
}

// The codes of 32 columns of 16 rows as planes of bits.
static void put_plane(u32 (*codes)[32], u32 bits, u32 low, u8 **at) {
  for (u32 word = 0; word < bits; ++word) {
    for (u32 r = 0; r < 16; ++r) {
      for (u32 b = 0; b < 4; ++b) {
        u32 byte = 0;
        for (u32 p = 0; p < 8 / bits; ++p) {
          const u32 column = word * (32 / bits) + 4 * p + b;
          byte |= (codes[r][column] >> low & ((1u << bits) - 1)) << (p * bits);
        }
        *(*at)++ = (u8)byte;
      }
    }
  }
}

static void put_run(u32 bits, u32 (*codes)[32], u8 **at) {
  const u32 first = bits == 3 ? 2 : bits == 5 || bits == 6 ? 4 : bits;
  put_plane(codes, first, 0, at);
  if (bits > first) put_plane(codes, bits - first, first, at);
}

// Random codes and scales of 16 rows.
static void fill_band(ty_format f, u8 *at, const band_values *v) {
  const block_words w = words_of(f);
  const u32 unit = columns_of_unit(f), groups = unit / w.group;
  f32 row_scales[16];
  for (u32 r = 0; r < 16; ++r) {
    row_scales[r] = w.row_scaled ? random_unit() * 3 : 1;
    if (w.row_scaled) memcpy(at, &row_scales[r], 4), at += 4;
  }
  unit_numbers n;
  for (u32 first = 0; first < v->k; first += unit) {
    w.scale == TY_SCALE_SUPER ? fill_super(w, groups, &at, &n) : fill_header(w, groups, &at, &n);
    for (u32 run = 0; run < unit; run += 32) {
      u32 codes[16][32];
      const bool most = random_below(7) == 0;
      for (u32 i = 0; i < 512; ++i) {
        const u32 r = i / 32, c = run + i % 32;
        u32 code = most ? (1u << w.bits) - 1 : random_below(1u << w.bits);
        if (w.code == TY_E4M3 && (code & 0x7f) == 0x7f) --code;
        codes[r][i % 32] = code;
        put_value(w, code, n.scale[c / w.group][r], n.offset[c / w.group][r], row_scales[r], v,
                  (u64)r * v->k + first + c);
      }
      put_run(w.bits, codes, &at);
    }
  }
}
