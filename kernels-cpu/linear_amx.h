// linear_amx.h -- y = x w^T for the many rows of a prompt, in the matrix registers of AMX.
//
// Math       y[r][n] = sum over k of bf16(x[r][k]) * bf16(w[n][k]), sums in f32. Weights are
//            decoded in f32 and rounded once to bf16; bf16 weights are read in place.
// Used by    products whose format has TY_MATRIX: those of a prompt, of bf16 and of blocks, where
//            the team says that the machine has AMX. Decode keeps the other paths, so what a
//            sequence computes does not depend on how many are decoded beside it.
// Layout     packed activations [rows/16][k/32][16][32] bf16: a block of 1 KiB is one register of
//            left operands. The weights of AMX_RUNS runs of 32 columns of two tiles are unpacked
//            to registers of right operands, [run][tile][16][16][2] bf16, and serve all rows.
// Bound by   the matrix unit: 16 x 16 x 32 multiply-adds in 16 cycles, with two left and two
//            right operands in registers for four products.
// Numerics   tdpbf16ps adds pairs of products without rounding between, flushes subnormals and
//            rounds to nearest even. Any chunking of rows or outputs gives the same bits.

#pragma once

#include "linear_floats.h"

#define AMX_RUNS 16         // runs of an unpacked panel: 32 KiB, which stay in the first cache
#define AMX_BLOCK 1024      // bytes of a register
#define AMX_ROWS 16         // rows of a register

#if TY_HAS_AMX

#define TY_AMX __attribute__((target("amx-tile,amx-bf16,avx512bf16")))
#define TY_AMX_INLINE TY_AMX TY_INLINE

// ---- packing --------------------------------------------------------------------------

TY_AMX static void amx_pack(u32 k, u32 row, const f32 *x, u8 *packed) {
  u8 *to = packed + (u64)(row / AMX_ROWS) * (k / AMX_RUN) * AMX_BLOCK + row % AMX_ROWS * 64;
  for (u32 c = 0; c < k; c += AMX_RUN, to += AMX_BLOCK) {
    const __m512 low = (__m512)load_f32x16(x + c), high = (__m512)load_f32x16(x + c + 16);
    store_u32x16(to, (u32x16)_mm512_cvtne2ps_pbh(high, low));
  }
}

// ---- weights --------------------------------------------------------------------------

// Two columns of 16 rows as pairs.
TY_AMX_INLINE void amx_pair(f32x16 even, f32x16 odd, u8 *to) {
  static const u16 order[32] __attribute__((aligned(64))) = {
      0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
      8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  const __m512i both = (__m512i)_mm512_cvtne2ps_pbh((__m512)odd, (__m512)even);
  store_u32x16(to, (u32x16)_mm512_permutexvar_epi16(*(const __m512i *)order, both));
}

// What makes weights of the bytes of linear_codes.h: numbers of groups, and of the 16 rows.
typedef struct {
  f32x16 scale[16], offset[16], row;
  bool row_scaled;
} amx_numbers;

TY_AMX_INLINE f32x16 amx_weight(f32x16 value, const amx_numbers *n, u32 group) {
  const f32x16 weight = fma16(value, n->scale[group], n->offset[group]);
  return n->row_scaled ? weight * n->row : weight;
}

// The four codes of each lane, decoded, as two pairs. `middle` is what bytes have more than codes;
// bytes less it have a sign, but where it is 0.
TY_AMX_INLINE void amx_four(u32x16 codes, u32 middle, const amx_numbers *n, u32 group, u8 *to) {
  typedef u8 u8x64 __attribute__((ext_vector_type(64)));
  f32x16 column[4];
  if (middle) {
    codes = __builtin_bit_cast(u32x16, __builtin_bit_cast(u8x64, codes) - (u8x64)(u8)middle);
  }
  TY_UNROLL for (u32 b = 0; b < 4; ++b) {
    const i32x16 byte = middle ? (i32x16)(codes << (24 - 8 * b)) >> 24 : (i32x16)(codes >> 8 * b & 0xff);
    column[b] = amx_weight(__builtin_convertvector(byte, f32x16), n, group);
  }
  amx_pair(column[0], column[1], to);
  amx_pair(column[2], column[3], to + 64);
}

// The same of 8-bit floats.
TY_AMX_INLINE void amx_four_floats(u32x16 codes, const amx_numbers *n, u32 group, u8 *to) {
  const row_pairs even = floats_of(codes, false), odd = floats_of(codes, true);
  amx_pair(amx_weight(even_lanes(even), n, group), amx_weight(even_lanes(odd), n, group), to);
  amx_pair(amx_weight(odd_lanes(even), n, group), amx_weight(odd_lanes(odd), n, group), to + 64);
}

TY_AMX_INLINE void amx_unit(const u32 code, ty_format format, const u8 *unit, amx_numbers *numbers) {
  // The powers of two that bytes and scales are read without, or have too much.
  f32 power = code == TY_E4M3 ? 0x1p8f : code == TY_E2M1 ? 0.5f : 1.0f;
  if (format_scale(format) == TY_SCALE_E4M3) power *= 0x1p8f;
  any_scales(format, unit, numbers->scale, numbers->offset);
  for (u32 g = 0; g < unit_groups(format); ++g) {
    numbers->scale[g] *= power;
    if (!format_biased(format)) numbers->offset[g] = 0.0f;
  }
}

// Unpacks runs `begin` to `end` of a tile, `step` bytes apart.
TY_AMX_INLINE void amx_unpack(const u32 code, ty_format format, const u8 *tile, u32 begin, u32 end,
                              u8 *to, u32 step) {
  const u32 runs = unit_columns(format) / AMX_RUN, group = format_group(format);
  const u32 middle = (u32)format_middle(format);
  const u8 *units = tile + row_scale_bytes(format);
  // No initializer: of so large a structure it is a call of memset, which objects do not have.
  amx_numbers numbers;
  numbers.row_scaled = format_row_scaled(format);
  if (numbers.row_scaled) numbers.row = load_f32x16(tile);
  for (u32 run = begin; run < end; ++run, to += step) {
    const u8 *w = units + (u64)(run / runs) * unit_bytes(format);
    if (run == begin || run % runs == 0) amx_unit(code, format, w, &numbers);
    w += header_bytes(format) + run % runs * run_bytes(code);
    TY_UNROLL for (u32 j = 0; j < 8; ++j) {
      const u32 g = (run % runs * AMX_RUN + 4 * j) / group;
      if (code == TY_E4M3) {
        amx_four_floats(codes_at(code, w, j), &numbers, g, to + j * 128);
      } else {
        amx_four(codes_at(code, w, j), middle, &numbers, g, to + j * 128);
      }
    }
  }
}

// One function a code: `step` bytes are between the registers of two runs.
#define AMX_UNPACK_OF(name, code)                                                               \
  TY_AMX static __attribute__((noinline)) void amx_unpack_##name(                               \
      ty_format format, const u8 *tile, u32 begin, u32 end, u8 *to, u32 step) {                 \
    amx_unpack(code, format, tile, begin, end, to, step);                                       \
  }

AMX_UNPACK_OF(u2, 2)
AMX_UNPACK_OF(u3, 3)
AMX_UNPACK_OF(u4, 4)
AMX_UNPACK_OF(u5, 5)
AMX_UNPACK_OF(u6, 6)
AMX_UNPACK_OF(u8, 8)
AMX_UNPACK_OF(e2m1, TY_E2M1)
AMX_UNPACK_OF(iq4, TY_IQ4)
AMX_UNPACK_OF(e4m3, TY_E4M3)

static void amx_unpack_of(ty_format format, const u8 *tile, u32 begin, u32 end, u8 *to, u32 step) {
  switch (format_code(format)) {
  case 2: amx_unpack_u2(format, tile, begin, end, to, step); break;
  case 3: amx_unpack_u3(format, tile, begin, end, to, step); break;
  case 4: amx_unpack_u4(format, tile, begin, end, to, step); break;
  case 5: amx_unpack_u5(format, tile, begin, end, to, step); break;
  case 6: amx_unpack_u6(format, tile, begin, end, to, step); break;
  case 8: amx_unpack_u8(format, tile, begin, end, to, step); break;
  case TY_E2M1: amx_unpack_e2m1(format, tile, begin, end, to, step); break;
  case TY_IQ4: amx_unpack_iq4(format, tile, begin, end, to, step); break;
  default: amx_unpack_e4m3(format, tile, begin, end, to, step);
  }
}

// ---- the product ----------------------------------------------------------------------

typedef struct {
  const u8 *packed;
  f32 *y;
  u32 n, k, y_stride;
} amx_product;

// The right operands of a panel: run i of tile t is at at[t] + i * step.
typedef struct {
  const u8 *at[2];
  u64 step;
  u32 begin, runs; // the first run, and how many
} amx_panel;

// A register of sums from and to y, of which `rows` rows and `columns` columns exist.
#define AMX_SUMS_LOAD(tile, y, stride, rows, columns)                                      \
  do {                                                                                     \
    if ((rows) >= 16 && (columns) >= 16) {                                                 \
      _tile_loadd(tile, y, (stride) * 4);                                                  \
    } else {                                                                               \
      f32 part[256] __attribute__((aligned(64)));                                          \
      for (u32 i = 0; i < 16; ++i) {                                                       \
        const u32 count = i < (rows) ? (columns) : 0;                                      \
        store_f32x16(part + i * 16, load_up_to((y) + (u64)i * (stride), count));           \
      }                                                                                    \
      _tile_loadd(tile, part, 64);                                                         \
    }                                                                                      \
  } while (0)

#define AMX_SUMS_STORE(tile, y, stride, rows, columns)                                     \
  do {                                                                                     \
    if ((rows) >= 16 && (columns) >= 16) {                                                 \
      _tile_stored(tile, y, (stride) * 4);                                                 \
    } else {                                                                               \
      f32 part[256] __attribute__((aligned(64)));                                          \
      _tile_stored(tile, part, 64);                                                        \
      for (u32 i = 0; i < (rows) && i < 16; ++i) {                                         \
        store_first_f32((y) + (u64)i * (stride), load_f32x16(part + i * 16), columns);     \
      }                                                                                    \
    }                                                                                      \
  } while (0)

// `rows` rows (1 to 32) from `first` by the panel's outputs, of which `columns` exist (1 to 32).
TY_AMX static __attribute__((noinline)) void amx_block(const amx_product *p, const amx_panel *panel,
                                                       u32 first, u32 rows, u32 tile) {
  const u64 band = (u64)(p->k / AMX_RUN) * AMX_BLOCK;
  const u8 *a0 = p->packed + first / AMX_ROWS * band + (u64)panel->begin * AMX_BLOCK;
  const bool low = rows > 16, right = panel->at[1];
  const u8 *a1 = low ? a0 + band : a0;
  const u8 *b0 = panel->at[0], *b1 = right ? panel->at[1] : b0;
  f32 *y = p->y + (u64)first * p->y_stride + tile * 16;
  const u32 columns = p->n - tile * 16, more = columns > 16 ? columns - 16 : 0;
  const u64 stride = p->y_stride;
  f32 *below = y + 16 * stride;
  const u32 rest = low ? rows - 16 : 0;
  if (panel->begin == 0) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  } else {
    AMX_SUMS_LOAD(0, y, stride, rows, columns);
    if (right) AMX_SUMS_LOAD(1, y + 16, stride, rows, more);
    if (low) AMX_SUMS_LOAD(2, below, stride, rest, columns);
    if (low && right) AMX_SUMS_LOAD(3, below + 16, stride, rest, more);
  }
  for (u32 i = 0; i < panel->runs; ++i) {
    _tile_loadd(6, b0, 64);
    _tile_loadd(4, a0, 64);
    _tile_dpbf16ps(0, 4, 6);
    if (low) {
      _tile_loadd(5, a1, 64);
      _tile_dpbf16ps(2, 5, 6);
    }
    if (right) {
      _tile_loadd(7, b1, 64);
      _tile_dpbf16ps(1, 4, 7);
      if (low) _tile_dpbf16ps(3, 5, 7);
    }
    a0 += AMX_BLOCK;
    a1 += AMX_BLOCK;
    b0 += panel->step;
    b1 += panel->step;
  }
  AMX_SUMS_STORE(0, y, stride, rows, columns);
  if (right) AMX_SUMS_STORE(1, y + 16, stride, rows, more);
  if (low) AMX_SUMS_STORE(2, below, stride, rest, columns);
  if (low && right) AMX_SUMS_STORE(3, below + 16, stride, rest, more);
}

// Every register is 16 rows of 64 bytes.
TY_AMX_INLINE void amx_configure(void) {
  struct {
    u8 palette, start_row, reserved[14];
    u16 row_bytes[16];
    u8 rows[16];
  } config = {.palette = 1};
  for (u32 i = 0; i < 8; ++i) {
    config.row_bytes[i] = 64;
    config.rows[i] = 16;
  }
  _tile_loadconfig(&config);
}

// Rows `first` to `last`, outputs of tiles `begin` to `end`.
TY_AMX static __attribute__((noinline)) void amx_many(const ty_linear *linear, const u8 *weights,
                                                      const u8 *packed, f32 *y, u32 first, u32 last,
                                                      u32 begin, u32 end) {
  const ty_format format = linear->format;
  const u64 tile_size = tile_bytes(format, linear->k);
  const amx_product p = {packed, y, linear->n, linear->k, linear->y_stride};
  const u32 runs = linear->k / AMX_RUN;
  u8 unpacked[2 * AMX_RUNS * AMX_BLOCK] __attribute__((aligned(64)));
  amx_configure();
  for (u32 tile = begin; tile < end; tile += 2) {
    const u32 tiles = end - tile < 2 ? 1 : 2;
    for (u32 run = 0; run < runs; run += AMX_RUNS) {
      amx_panel panel = {.step = 2 * AMX_BLOCK, .begin = run};
      panel.runs = runs - run < AMX_RUNS ? runs - run : AMX_RUNS;
      for (u32 t = 0; t < tiles; ++t) {
        const u8 *w = weights + (tile + t) * tile_size;
        panel.at[t] = unpacked + t * AMX_BLOCK;
        u8 *to = unpacked + t * AMX_BLOCK;
        if (format_kind(format) == TY_BF16) {
          panel.at[t] = w + (u64)run * AMX_BLOCK;
          panel.step = AMX_BLOCK;
        } else {
          amx_unpack_of(format, w, run, run + panel.runs, to, 2 * AMX_BLOCK);
        }
      }
      for (u32 r = first; r < last; r += 32) {
        amx_block(&p, &panel, r, last - r < 32 ? last - r : 32, tile);
      }
    }
  }
  _tile_release();
}

#else

static void amx_pack(u32 k, u32 row, const f32 *x, u8 *packed) {
  (void)k, (void)row, (void)x, (void)packed;
}
static void amx_many(const ty_linear *linear, const u8 *weights, const u8 *packed, f32 *y, u32 first,
                     u32 last, u32 begin, u32 end) {
  (void)linear, (void)weights, (void)packed, (void)y, (void)first, (void)last, (void)begin, (void)end;
}

#endif
