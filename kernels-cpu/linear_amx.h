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

#define AMX_RUNS 48         // runs of an unpacked panel, at most: 96 KiB in the second cache
#define AMX_SLICE 10        // runs that a group of bands takes at once, at most: 20 KiB in the first
#define AMX_GROUP 4         // bands of a group
#define AMX_BLOCK 1024      // bytes of a register
#define AMX_ROWS 16         // rows of a register
#define AMX_BAND 32         // rows of two registers
#define AMX_SPAN 512        // rows whose sums stand together between two panels of columns

#if TY_HAS_AMX

#define TY_AMX __attribute__((target("amx-tile,amx-bf16,avx512bf16")))
#define TY_AMX_INLINE TY_AMX TY_INLINE

// ---- packing --------------------------------------------------------------------------

// Where a band of rows begins, and how far apart its registers of two runs are.
typedef struct {
  u64 at;
  u32 step;
} amx_band;

TY_INLINE amx_band amx_band_of(u32 k, u32 rows, u32 row) {
  const u32 first = row / AMX_BAND * AMX_BAND;
  return (amx_band){(u64)first * k * 2, rows - first > AMX_ROWS ? 2 * AMX_BLOCK : AMX_BLOCK};
}

TY_AMX static void amx_pack(u32 k, u32 rows, u32 row, const f32 *x, u8 *packed) {
  const amx_band band = amx_band_of(k, rows, row);
  u8 *to = packed + band.at + row % AMX_BAND / AMX_ROWS * AMX_BLOCK + row % AMX_ROWS * 64;
  for (u32 c = 0; c < k; c += AMX_RUN, to += band.step) {
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

// Weights of the eight columns of a dword of 4-bit codes, whose values `table` has, as four pairs.
TY_AMX_INLINE void amx_eight(u32x16 codes, f32x16 table, const amx_numbers *n, u32 group, u8 *to) {
  f32x16 column[8];
  TY_UNROLL for (u32 i = 0; i < 8; ++i) { // a lane's index is its lowest four bits
    const __m512i index = (__m512i)(codes >> 4 * i);
    column[i] = amx_weight((f32x16)_mm512_permutexvar_ps(index, (__m512)table), n, group);
  }
  amx_pair(column[0], column[2], to);
  amx_pair(column[4], column[6], to + 64);
  amx_pair(column[1], column[3], to + 128);
  amx_pair(column[5], column[7], to + 192);
}

// What the 16 codes of a 4-bit format stand for, as linear_codes.h has their bytes.
TY_AMX_INLINE f32x16 amx_table(const u32 code, u32 middle) {
  i32x16 bytes = (i32x16)ty_lane;
  if (code != 4) {
    const u32x16 table = code == TY_E2M1 ? ty_table_e2m1 : ty_table_iq4;
    const __m128i low = _mm512_castsi512_si128((__m512i)table);
    bytes = (i32x16)_mm512_cvtepu8_epi32(low);
  }
  return __builtin_convertvector(bytes - (i32)middle, f32x16);
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
  const bool nibbles = code == 4 || code == TY_E2M1 || code == TY_IQ4;
  const f32x16 table = nibbles ? amx_table(code, middle) : (f32x16)0.0f;
  for (u32 run = begin; run < end; ++run, to += step) {
    const u8 *w = units + (u64)(run / runs) * unit_bytes(format);
    if (run == begin || run % runs == 0) amx_unit(code, format, w, &numbers);
    w += header_bytes(format) + run % runs * run_bytes(code);
    TY_UNROLL for (u32 j = 0; j < 8; ++j) {
      const u32 g = (run % runs * AMX_RUN + 4 * j) / group;
      if (nibbles) {
        if (j % 2 == 0) amx_eight(load_u32x16(w + j * 32), table, &numbers, g, to + j * 128);
      } else if (code == TY_E4M3) {
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

// The right operands of a panel: run i of tile t is at at[t] + i * step. Without a second tile both
// are the first.
typedef struct {
  const u8 *at[2];
  u64 step;
  u32 begin, runs; // the first run, and how many
} amx_panel;

// Sums of a band and a panel: registers of its upper and lower rows by its tiles.
typedef f32 amx_sums[4][AMX_ROWS * 16];

// Adds runs `begin` to `end` of the panel to the sums of a band of two registers of rows, whose left
// operands of run 0 of the panel begin at `a`. A run's operands are asked for during the one before.
TY_AMX_INLINE void amx_runs_of_two(const amx_panel *panel, u32 begin, u32 end, const u8 *a) {
  const u8 *b0 = panel->at[0] + begin * panel->step, *b1 = panel->at[1] + begin * panel->step;
  a += (u64)begin * 2 * AMX_BLOCK;
  _tile_loadd(6, b0, 64);
  _tile_loadd(4, a, 64);
  _tile_loadd(5, a + AMX_BLOCK, 64);
  for (u32 run = begin + 1; run < end; ++run) {
    _tile_loadd(7, b1, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(2, 5, 6);
    a += 2 * AMX_BLOCK;
    b0 += panel->step;
    b1 += panel->step;
    _tile_dpbf16ps(1, 4, 7);
    _tile_loadd(6, b0, 64);
    _tile_loadd(4, a, 64);
    _tile_dpbf16ps(3, 5, 7);
    _tile_loadd(5, a + AMX_BLOCK, 64);
  }
  _tile_loadd(7, b1, 64);
  _tile_dpbf16ps(0, 4, 6);
  _tile_dpbf16ps(2, 5, 6);
  _tile_dpbf16ps(1, 4, 7);
  _tile_dpbf16ps(3, 5, 7);
}

// The same of a band of one register of rows.
TY_AMX_INLINE void amx_runs_of_one(const amx_panel *panel, u32 begin, u32 end, const u8 *a) {
  const u8 *b0 = panel->at[0] + begin * panel->step, *b1 = panel->at[1] + begin * panel->step;
  a += (u64)begin * AMX_BLOCK;
  for (u32 run = begin; run < end; ++run) {
    _tile_loadd(4, a, 64);
    _tile_loadd(6, b0, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, b1, 64);
    _tile_dpbf16ps(1, 4, 7);
    a += AMX_BLOCK;
    b0 += panel->step;
    b1 += panel->step;
  }
}

// Where a band's registers of sums go.
typedef struct {
  f32 *at[4];
  u64 stride; // bytes from a row to the next
} amx_target;

// Runs `begin` to `end` of a panel by the band whose left operands of the panel's first run begin at
// `a`. Sums begin at zero with the first run of all.
TY_AMX static __attribute__((noinline)) void amx_block(const amx_panel *panel, u32 begin, u32 end,
                                                       const u8 *a, u32 step, amx_sums sums,
                                                       const amx_target *to) {
  if (panel->begin + begin == 0) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  } else {
    _tile_loadd(0, sums[0], 64);
    _tile_loadd(1, sums[1], 64);
    _tile_loadd(2, sums[2], 64);
    _tile_loadd(3, sums[3], 64);
  }
  if (step == AMX_BLOCK) {
    amx_runs_of_one(panel, begin, end, a);
  } else {
    amx_runs_of_two(panel, begin, end, a);
  }
  _tile_stored(0, to->at[0], to->stride);
  _tile_stored(1, to->at[1], to->stride);
  _tile_stored(2, to->at[2], to->stride);
  _tile_stored(3, to->at[3], to->stride);
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

// The right operands of runs `run` to `run + runs` of a panel of `tiles` tiles from `tile`.
TY_AMX_INLINE amx_panel amx_panel_of(const ty_linear *linear, const u8 *weights, u32 tile, u32 tiles,
                                     u32 run, u8 *unpacked) {
  const u32 all = linear->k / AMX_RUN, left = all - run;
  const u64 size = tile_bytes(linear->format, linear->k);
  amx_panel panel = {.step = 2 * AMX_BLOCK, .begin = run, .runs = left < AMX_RUNS ? left : AMX_RUNS};
  for (u32 t = 0; t < tiles; ++t) {
    const u8 *w = weights + (tile + t) * size;
    if (format_kind(linear->format) == TY_BF16) {
      panel.at[t] = w + (u64)run * AMX_BLOCK;
      panel.step = AMX_BLOCK;
    } else {
      u8 *to = unpacked + t * AMX_BLOCK;
      panel.at[t] = to;
      amx_unpack_of(linear->format, w, run, run + panel.runs, to, 2 * AMX_BLOCK);
    }
  }
  if (tiles < 2) panel.at[1] = panel.at[0];
  return panel;
}

// Sums of a band to `rows` rows of y, of which `columns` columns exist (1 to 32).
TY_INLINE void amx_store(const amx_sums sums, u32 rows, u32 columns, f32 *y, u64 stride) {
  for (u32 r = 0; r < rows; ++r, y += stride) {
    const f32 *from = sums[r / AMX_ROWS * 2] + r % AMX_ROWS * 16;
    store_first_f32(y, load_f32x16(from), columns);
    if (columns > 16) store_first_f32(y + 16, load_f32x16(from + AMX_ROWS * 16), columns - 16);
  }
}

// A panel by the bands of rows `first` to `last` of `rows`, at most AMX_GROUP, a slice of runs after
// the other: the slice and the sums stay in the first cache. Where `y` is given (row `first`, `stride`
// f32s a row), the last slice's sums of whole bands go there, others always to `sums`.
TY_AMX_INLINE void amx_bands(const ty_linear *linear, const amx_panel *panel, const u8 *packed, u32 rows,
                             u32 first, u32 last, amx_sums *sums, f32 *y, u64 stride) {
  const u32 slices = (panel->runs + AMX_SLICE - 1) / AMX_SLICE;
  for (u32 slice = 0; slice < slices; ++slice) {
    const u32 begin = panel->runs * slice / slices, end = panel->runs * (slice + 1) / slices;
    for (u32 r = first; r < last; r += AMX_BAND) {
      const amx_band band = amx_band_of(linear->k, rows, r);
      const u8 *a = packed + band.at + (u64)panel->begin * band.step;
      f32(*own)[AMX_ROWS * 16] = sums[(r - first) / AMX_BAND];
      amx_target to = {{own[0], own[1], own[2], own[3]}, 64};
      if (y && slice + 1 == slices && last - r >= AMX_BAND) {
        f32 *at = y + (u64)(r - first) * stride, *below = at + AMX_ROWS * stride;
        to = (amx_target){{at, at + 16, below, below + 16}, stride * 4};
      }
      amx_block(panel, begin, end, a, band.step, own, &to);
    }
  }
}

// Rows `first` to `last` (from a band's begin, at most AMX_SPAN) of `rows`, outputs of `tiles` tiles
// from `tile`.
TY_AMX static __attribute__((noinline)) void amx_span(const ty_linear *linear, const u8 *weights,
                                                      const u8 *packed, f32 *y, u32 rows, u32 first,
                                                      u32 last, u32 tile, u32 tiles) {
  const u32 runs = linear->k / AMX_RUN, columns = linear->n - tile * 16;
  u8 unpacked[2 * AMX_RUNS * AMX_BLOCK] __attribute__((aligned(64)));
  amx_sums sums[AMX_SPAN / AMX_BAND] __attribute__((aligned(64)));
  for (u32 run = 0; run < runs; run += AMX_RUNS) {
    const amx_panel panel = amx_panel_of(linear, weights, tile, tiles, run, unpacked);
    for (u32 group = first; group < last; group += AMX_GROUP * AMX_BAND) {
      const u32 end = last - group < AMX_GROUP * AMX_BAND ? last : group + AMX_GROUP * AMX_BAND;
      amx_sums *own = &sums[(group - first) / AMX_BAND];
      const bool done = run + panel.runs == runs;
      f32 *at = y + (u64)group * linear->y_stride + tile * 16;
      amx_bands(linear, &panel, packed, rows, group, end, own, done && columns >= 32 ? at : 0, linear->y_stride);
      for (u32 r = group; done && r < end; r += AMX_BAND, ++own, at += AMX_BAND * linear->y_stride) {
        const u32 some = end - r < AMX_BAND ? end - r : AMX_BAND;
        if (some < AMX_BAND || columns < 32) amx_store(*own, some, columns, at, linear->y_stride);
      }
    }
  }
}

// Rows `first` to `last` of `rows`, outputs of tiles `begin` to `end`.
TY_AMX static void amx_many(const ty_linear *linear, const u8 *weights, const u8 *packed, f32 *y,
                            u32 rows, u32 first, u32 last, u32 begin, u32 end) {
  amx_configure();
  for (u32 from = first; from < last; from += AMX_SPAN) {
    const u32 to = last - from < AMX_SPAN ? last : from + AMX_SPAN;
    for (u32 tile = begin; tile < end; tile += 2) {
      amx_span(linear, weights, packed, y, rows, from, to, tile, end - tile < 2 ? 1 : 2);
    }
  }
  _tile_release();
}

#else

static void amx_pack(u32 k, u32 rows, u32 row, const f32 *x, u8 *packed) {
  (void)k, (void)rows, (void)row, (void)x, (void)packed;
}
static void amx_many(const ty_linear *linear, const u8 *weights, const u8 *packed, f32 *y, u32 rows,
                     u32 first, u32 last, u32 begin, u32 end) {
  (void)linear, (void)weights, (void)packed, (void)y, (void)rows, (void)first, (void)last, (void)begin, (void)end;
}

#endif
