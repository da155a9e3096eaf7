// matvec.h -- y = x w^T for up to eight rows, which share one pass over the weights.
//
// Maths      y[r][n] = sum_k w[n][k] * x[r][k]; for f16 and bf16 weights x is rounded to their type
// Launch     grid = groups of ty_phase, rows / 8, heads; each workgroup takes tiles of 16 outputs in turn.
//            The eight waves divide a tile's columns: wave w takes steps w, w + 8, and so on. Heads are
//            one but for products of each head with its own matrix (x_head of ty_linear).
// Bound by   bytes of the weights, each read once for eight rows, 16 bytes a lane and load
// Numerics   Codes decode exactly; x is f32 as it is. Products are fused into f32 sums of a group of
//            columns, which its scale multiplies. Lanes and waves are added in a fixed order: a row's
//            bits depend neither on the other rows nor on the number of workgroups.
//
// A lane's piece of a step is 16 bytes of codes: for blocks four rows of `columns` columns (one u32
// of codes a row), for f16 and bf16 eight columns of one row, for f32 four rows of one column.

#pragma once

#include "after.h"
#include "halves.h"
#include "rows.h"

#define TY_FEW_ROWS 8u

// Rows of weights and columns of one lane's piece, and what a wave takes in one step.
template <u32 kind, u32 code> struct piece_of {
  static constexpr u32 bits = kind != TY_BLOCKS ? 0 : code <= 8 ? code : code == TY_E4M3 ? 8 : 4;
  static constexpr bool plain16 = kind == TY_F16 || kind == TY_BF16;
  // Of blocks: as many as a u32 of the widest plane has.
  static constexpr u32 columns = kind == TY_F32 ? 1 : plain16 ? 8 : bits == 8 ? 4 : bits <= 3 ? 16 : 8;
  static constexpr u32 rows = plain16 ? 1 : 4;
  static constexpr u32 step_columns = TY_WAVE * columns * rows / 16;
};

// Where this lane's piece of a step is.
struct piece_place {
  u32 row;    // the first of its rows in the tile
  u32 column; // its first column in the step
};

template <u32 kind, u32 code> TY_DEVICE piece_place place_of_lane() {
  typedef piece_of<kind, code> P;
  const u32 lane = lane_id();
  piece_place p;
  p.row = P::rows == 1 ? lane % 16 : lane % 4 * 4;
  p.column = P::rows == 1 ? lane / 16 * P::columns : lane / 4 * P::columns;
  return p;
}

// Values of a piece: w[row][column] without scales.
template <u32 kind, u32 code> struct piece_values {
  f32 w[piece_of<kind, code>::rows][piece_of<kind, code>::columns];
};

TY_DEVICE u32x4 load_words(u64 address) { return *global_at<const u32x4>(address); }

// The codes of a piece of a run: of row r, columns 4q to 4q + 3 of the piece, a byte each. `run` is
// the run's address, `place` inside the run.
template <u32 code> struct piece_codes {
  static constexpr u32 bits = piece_of<TY_BLOCKS, code>::bits;
  u32x4 low, high;
  u32 column;

  TY_METHOD void load(u64 run, piece_place place) {
    const u32 c = place.column, row = place.row * 4;
    column = c;
    high = 0;
    if (bits == 8) low = load_words(run + c / 4 * 64 + row);
    if (bits >= 4 && bits < 8) low = load_words(run + c / 8 * 64 + row);
    if (bits < 4) low = load_words(run + c / 16 * 64 + row);
    if (bits == 5) high = load_words(run + 256 + row);
    if (bits == 6) high = load_words(run + 256 + c / 16 * 64 + row);
    if (bits == 3) high = load_words(run + 128 + row);
  }

  TY_METHOD u32 four(u32 r, u32 q) const {
    const u32 quad = column / 4 + q; // of the run
    if (bits == 8) return low[r];
    u32 codes = bits >= 4 ? low[r] >> (4 * q) & 0x0f0f0f0f : low[r] >> (2 * q) & 0x03030303;
    if (bits == 6) codes |= (high[r] >> (quad % 4 * 2) & 0x03030303) << 4;
    if (bits == 5) codes |= (high[r] >> quad & 0x01010101) << 4;
    if (bits == 3) codes |= (high[r] >> quad & 0x01010101) << 2;
    return codes;
  }
};

// Rows of x: where row r begins, in LDS or in global memory. Rows beyond the last are the last one.
struct x_rows {
  u64 address;
  TY_LOCAL f32 *local;
  u32 stride, last;

  TY_METHOD u64 place(u32 r, u32 column) const {
    return address + ((u64)(r < last ? r : last) * stride + column) * 4;
  }

  TY_METHOD f32x4 four(u32 r, u32 column) const {
    if (local) return *(TY_LOCAL f32x4 *)(local + column);
    return *global_at<const f32x4>(place(r, column));
  }
  TY_METHOD f32 one(u32 r, u32 column) const {
    return local ? local[column] : *global_at<const f32>(place(r, column));
  }
};

// `prologue`: whether they may be what this workgroup's prologue left in LDS.
template <bool prologue>
TY_DEVICE x_rows x_rows_of(const ty_step &step, linear_ref linear, TY_LOCAL f32 *lds, u32 first_row, u32 count) {
  x_rows x = {0, 0, linear->x_stride, count - 1};
  if (prologue && is_private(linear->packed)) {
    x.local = lds + offset_of(linear->packed) / 4;
  } else {
    x.address = address_of(step, linear->packed) + (u64)first_row * linear->x_stride * 4;
  }
  return x;
}

template <u32 kind> TY_DEVICE f32 seen_by(f32 x) {
  if (kind == TY_F16) return (f32)(f16)x;
  if (kind == TY_BF16) return from_bf16(to_bf16(x));
  return x;
}

// x of row r at a piece's columns, as the weights' type has it.
template <u32 kind, u32 columns> TY_DEVICE void load_x(const x_rows &x, u32 r, u32 column, f32 (&v)[columns]) {
  if (columns == 1) {
    v[0] = seen_by<kind>(x.one(r, column));
    return;
  }
  for (u32 c = 0; c < columns; c += 4) {
    const f32x4 four = x.four(r, column + c);
    for (u32 i = 0; i < 4; ++i) v[(c + i) % columns] = seen_by<kind>(four[i]);
  }
}

// Adds one step's piece to the sums of `n` rows of x.
template <u32 kind, u32 code, u32 n>
TY_DEVICE void add_plain(u64 tile, u32 k, piece_place place, u32 at, const x_rows &x, f32 (&sums)[n][4]) {
  constexpr u32 columns = piece_of<kind, code>::columns;
  const u32 column = at + place.column;
  if (column >= k) return;
  f32 w[columns];
  if (kind == TY_F32) {
    const f32x4 four = *global_at<const f32x4>(tile + ((u64)column * 16 + place.row) * 4);
    for (u32 r = 0; r < n; ++r) {
      const f32 v = x.one(r, column);
      for (u32 i = 0; i < 4; ++i) sums[r][i] = fma(four[i], v, sums[r][i]);
    }
    return;
  }
  const u16x8 eight = *global_at<const u16x8>(tile + ((u64)(column / 8) * 128 + place.row * 8) * 2);
  for (u32 i = 0; i < columns; ++i) w[i % columns] = kind == TY_F16 ? from_f16(eight[i % 8]) : from_bf16(eight[i % 8]);
  // Sums are registers, which nothing indexes.
#pragma unroll
  for (u32 r = 0; r < n; ++r) {
    f32 v[columns];
    load_x<kind, columns>(x, r, column, v);
    for (u32 i = 0; i < columns; ++i) sums[r][0] = fma(w[i], v[i], sums[r][0]);
  }
}

// Scales and biases of a piece's four rows, as w = scale * (value + shift) + bias.
struct piece_terms {
  f32x4 scale, shift, bias;
};

// Four stored scales from number `index` on, a multiple of 4.
TY_DEVICE f32x4 four_scales(u32 kind, u64 at, u32 index) {
  f32x4 v = 1.0f;
  switch (kind) {
  case TY_SCALE_F32: return *global_at<const f32x4>(at + 4 * index);
  case TY_SCALE_F16:
  case TY_SCALE_BF16: {
    const u16x4 bits = *global_at<const u16x4>(at + 2 * index);
    for (u32 i = 0; i < 4; ++i) v[i] = kind == TY_SCALE_F16 ? from_f16(bits[i]) : from_bf16(bits[i]);
    return v;
  }
  case TY_SCALE_E8M0:
  case TY_SCALE_E4M3: {
    const u32 bytes = *global_at<const u32>(at + index);
    for (u32 i = 0; i < 4; ++i) {
      const u32 byte = bytes >> (8 * i) & 0xff;
      v[i] = kind == TY_SCALE_E8M0 ? value_of_e8m0(byte) : value_of_e4m3(byte);
    }
    return v;
  }
  default: return v;
  }
}

// Four bytes as numbers.
TY_DEVICE f32x4 four_bytes(u32 bytes, u32 mask, u32 shift) {
  f32x4 v;
  for (u32 i = 0; i < 4; ++i) v[i] = (f32)(bytes >> (8 * i + shift) & mask);
  return v;
}

TY_DEVICE f32x4 four_signed(u32 bytes) {
  f32x4 v;
  for (u32 i = 0; i < 4; ++i) v[i] = (f32)((i32)(bytes << (24 - 8 * i)) >> 24);
  return v;
}

TY_DEVICE piece_terms super_terms_of(ty_format format, u64 unit, u32 group, u32 row) {
  piece_terms t = {1.0f, 0.0f, 0.0f};
  const u32 at = group * 16 + row, groups = unit_groups(format);
  const f32x4 d = four_scales(TY_SCALE_F16, unit, row);
  if (format_form(format) != TY_LEAST) {
    t.scale = d * four_signed(*global_at<const u32>(unit + 32 + at));
    return t;
  }
  const f32x4 least = four_scales(TY_SCALE_F16, unit + 32, row);
  const u32 first = *global_at<const u32>(unit + 64 + at);
  if (format_halves(format)) {
    t.scale = d * four_bytes(first, 15, 0);
    t.bias = -(least * four_bytes(first, 15, 4));
    return t;
  }
  t.scale = d * four_signed(first);
  t.bias = -(least * four_bytes(*global_at<const u32>(unit + 64 + groups * 16 + at), 255, 0));
  return t;
}

// As terms_at has them, of four rows.
TY_DEVICE piece_terms piece_terms_of(ty_format format, u64 unit, u32 group, u32 row) {
  const u32 form = format_form(format), kind = format_scale(format), at = group * 16 + row;
  piece_terms t = {1.0f, 0.0f, 0.0f};
  if (kind == TY_SCALE_SUPER) {
    t = super_terms_of(format, unit, group, row);
  } else {
    t.scale = four_scales(kind, unit, at);
    const u64 behind = unit + unit_groups(format) * 16 * scale_bytes(format);
    if (form == TY_BIAS) t.bias = four_scales(kind, behind, at);
    if (form == TY_ZERO) t.shift = -four_bytes(*global_at<const u32>(behind + at), 255, 0);
  }
  if (form == TY_MIDDLE) t.shift = -(f32)(1u << (format_code(format) - 1));
  return t;
}

template <u32 code, u32 n>
TY_DEVICE void add_blocks(ty_format format, u64 tile, u32 k, piece_place place, u32 at, const x_rows &x,
                          f32 (&sums)[n][4]) {
  constexpr u32 columns = piece_of<TY_BLOCKS, code>::columns;
  const u32 column = at + place.column;
  if (column >= k) return;
  const u32 of_unit = unit_columns(format), inside = column % of_unit;
  const u64 unit = tile + row_scale_bytes(format) + (u64)(column / of_unit) * unit_bytes(format);
  const u64 run = unit + header_bytes(format) + inside / 32 * run_bytes(code);
  const piece_terms terms = piece_terms_of(format, unit, inside / format_group(format), place.row);
  piece_codes<code> codes;
  codes.load(run, {place.row, inside % 32});
  // Pairs of weights as f16, exact; their products with f32s take no conversion.
  f16x2 w[4][columns / 2];
  for (u32 i = 0; i < 4; ++i) {
    const f16 shift = code == TY_IQ4 ? (f16)-1152.0f : (f16)(terms.shift[i] - 1024.0f);
    for (u32 q = 0; q < columns / 4; ++q) {
      u32 low, high;
      four_halves<code>(codes.four(i, q), shift, low, high);
      w[i][2 * q] = __builtin_bit_cast(f16x2, low);
      w[i][2 * q + 1] = __builtin_bit_cast(f16x2, high);
    }
  }
  for (u32 r = 0; r < n; ++r) {
    f32 v[columns], whole = 0;
    load_x<TY_BLOCKS, columns>(x, r, column, v);
    for (u32 c = 0; c < columns; ++c) whole += v[c];
    for (u32 i = 0; i < 4; ++i) {
      f32 sum = 0;
      for (u32 c = 0; c < columns; ++c) sum = fma((f32)w[i][c / 2][c % 2], v[c], sum);
      sums[r][i] = fma(terms.bias[i], whole, fma(terms.scale[i], sum, sums[r][i]));
    }
  }
}

// The lanes that have the same rows, added up.
template <u32 rows> TY_DEVICE f32 lanes_sum(f32 v) {
  if (rows == 4) {
    v += row_exchange<4>(v);
    v += row_exchange<8>(v);
  }
  return v + half_exchange(v);
}

// LDS of a product.
template <u32 n> struct product_room {
  f32 partial[TY_WAVES][n][16];
  f32 values[AFTER_VALUES][n * 16];
};

// The 16 outputs of the tile at `tile` for `n` rows, to room->values[slot][r * 16 + output].
template <u32 kind, u32 code, u32 n>
TY_DEVICE void tile_product(linear_ref linear, u64 tile, const x_rows &x, TY_LOCAL product_room<n> *room, u32 slot) {
  typedef piece_of<kind, code> P;
  const ty_format format = linear->format;
  const u32 k = linear->k, wave = wave_id();
  const piece_place place = place_of_lane<kind, code>();
  f32 sums[n][4] = {};
  for (u32 at = wave * P::step_columns; at < k; at += TY_WAVES * P::step_columns) {
    if (kind == TY_BLOCKS) {
      add_blocks<kind == TY_BLOCKS ? code : 4, n>(format, tile, k, place, at, x, sums);
    } else {
      add_plain<kind, code, n>(tile, k, place, at, x, sums);
    }
  }
  for (u32 r = 0; r < n; ++r) {
    for (u32 i = 0; i < P::rows; ++i) {
      const f32 sum = lanes_sum<P::rows>(sums[r][i]);
      const bool first = P::rows == 1 ? lane_id() < 16 : lane_id() < 4;
      if (first) room->partial[wave][r][place.row + i] = sum;
    }
  }
  barrier();
  const u32 t = thread_id();
  if (t < n * 16) {
    f32 sum = 0;
    for (u32 w = 0; w < TY_WAVES; ++w) sum += room->partial[w][t / 16][t % 16];
    if (kind == TY_BLOCKS && format_row_scaled(format)) sum *= *global_at<const f32>(tile + t % 16 * 4);
    room->values[slot][t] = sum;
  }
  barrier();
}

// Where rows of a product are, and how many.
struct product_rows {
  x_rows x;
  u64 y; // of the first row
  u32 count;
  u32 owner; // of a routed row: its expert
};

// All tiles of this workgroup.
template <u32 kind, u32 code, u32 n>
TY_DEVICE void product(const ty_step &step, phase_ref phase, linear_ref linear, u64 weights, const product_rows &rows,
                       TY_LOCAL product_room<n> *room) {
  const u32 spans = span_count(step, phase), y_stride = linear->y_stride;
  const u32 outputs = has_after(phase) ? op_of(step, phase->first_after + spans)->width : linear->n;
  const u64 bytes = tile_bytes(linear->format, linear->k);
  for (u32 tile = group_x(); tile * 16 < outputs; tile += phase->groups) {
    for (u32 span = 0; span < spans; ++span) {
      const u32 number = span_begin(step, phase, span) / 16 + tile;
      tile_product<kind, code, n>(linear, weights + number * bytes, rows.x, room, span);
    }
    const u32 t = thread_id(), r = t / 16, output = tile * 16 + t % 16;
    if (t < n * 16 && r < rows.count && output < outputs) {
      TY_LOCAL f32 *values = &room->values[0][t];
      const f32 v = has_after(phase) ? after_run(step, phase, values, n * 16, rows.owner, output) : values[0];
      global_at<f32>(rows.y)[(u64)r * y_stride + output] = v;
    }
    barrier();
  }
}

// How many of the rows from `first` on are real, at most `most`: padding is at the end.
TY_DEVICE u32 real_rows(const ty_step &step, phase_ref phase, u32 first, u32 end) {
  u32 count = 0;
  while (first + count < end && is_real(step, phase, first + count)) ++count;
  return count;
}

// The body of a product of one row, computed by its prologue where it has one, or of eight.
template <u32 kind, u32 code, u32 n>
TY_DEVICE void matvec(const ty_step &step, TY_LOCAL f32 *lds, TY_LOCAL product_room<n> *room) {
  const phase_ref phase = phase_of(step);
  const linear_ref linear = linear_of(step, phase->kernel);
  const u32 first = group_y() * n, all = phase->rows_a_chunk;
  const u32 count = real_rows(step, phase, first, first + n < all ? first + n : all);
  if (count == 0) return;
  if (n == 1) {
    const row_group group = {step, lds, &room->partial[0][0][0], first, group_x() == 0};
    rows_run(group, phase);
  }
  product_rows rows;
  const u32 head = group_z();
  rows.x = x_rows_of<n == 1>(step, linear, lds, first, count);
  rows.x.address += (u64)head * linear->x_head * 4;
  rows.y = address_of(step, linear->y) + ((u64)first * linear->y_stride + head * linear->n) * 4;
  rows.count = count;
  rows.owner = 0;
  const u64 weights = address_of(step, linear->weights) + matrix_bytes(linear->format, linear->n, linear->k) * head;
  product<kind, code, n>(step, phase, linear, weights, rows, room);
}

#define TY_MATVEC(name, kind, code)                                               \
  TY_KERNEL(ty_matvec_##name) {                                                   \
    TY_LDS static f32 lds[PROLOGUE_FLOATS];                                       \
    TY_LDS static product_room<1> room;                                           \
    matvec<kind, code, 1>(step, (TY_LOCAL f32 *)lds, (TY_LOCAL product_room<1> *)&room); \
  }                                                                               \
  TY_KERNEL(ty_matvec8_##name) {                                                  \
    TY_LDS static product_room<TY_FEW_ROWS> room;                                 \
    matvec<kind, code, TY_FEW_ROWS>(step, 0, (TY_LOCAL product_room<TY_FEW_ROWS> *)&room); \
  }
