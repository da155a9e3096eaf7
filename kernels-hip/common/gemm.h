// gemm.h -- y = x w^T for many rows, on matrix registers.
//
// Maths      y[r][n] = sum_k w[n][k] * x[r][k], x as pack.h left it
// Launch     grid = (rows / 16 `tiles`, n / columns of a workgroup, heads): workgroups with the same weights are
//            neighbours, so that these come from memory once. A wave has 16 outputs and all rows of the
//            workgroup; it decodes a piece of weights once, in its registers, for 16 `tiles` rows. With
//            `split` 2 two waves share 16 outputs, each every second 32 columns: for few rows, where there
//            are more workgroups then. Activations go through LDS, 64 columns at a time, of which one part
//            is loaded while another is multiplied.
// Bound by   matrix operations from about 100 rows on, below by bytes of the weights
// Numerics   w = scale * value + bias: values are exact f16, their products with x go to an f32 sum of one
//            group (of 32 columns where groups are longer), which the scale multiplies: weights are not
//            rounded. So y differs from the exact product of x as it was packed by at most
//            (k + 8) 2^-23 of the sum of the terms' sizes (matrix.h), a bias counted as a term; x was
//            rounded by pack.h. A row depends on no other.
// After      Nothing: who reads y of a prompt packs its rows anyway, in a launch that can do the rest.

#pragma once

#include "halves.h"
#include "matrix.h"
#include "pack.h"

// Columns of x that are in LDS at a time.
#define TY_PART 64u

// Rows of a product.
struct gemm_rows {
  u64 x, y;        // of row 0
  u32 x_stride;    // bytes
  u32 first, count;
  u64 assignments; // of row 0, where x is the rows of tokens, `used` of which are one token's; else 0
  u32 used;

  // Where x of row r of the workgroup is; 0 beyond the last.
  TY_METHOD u64 x_of(u32 r) const {
    if (r >= count) return 0;
    u32 row = first + r;
    if (assignments) row = (u32)global_at<const i32>(assignments)[row] / used;
    return x + (u64)row * x_stride;
  }
};

// LDS: x as pieces of eight elements, [piece of a row][row], and sums, [16 columns][place of row].
template <u32 tiles, u32 split> struct gemm_room {
  static constexpr u32 rows = 16 * tiles;
  u32x4 x[2][TY_PART / 8][rows + 1];
  f32 sums[2][TY_PART / 16][rows];
  f32 partial[split == 1 ? 1 : TY_WAVES / split][tiles][8][TY_WAVE];
};

// A work-item's share of 64 columns of x, between global memory and LDS.
template <u32 tiles, bool blocks> struct gemm_share {
  static constexpr u32 rows = 16 * tiles, count = tiles < 2 ? 1 : tiles / 2;
  u64 at[count], sums_at;
  u32x4 pieces[count];
  f32x4 sums;

  TY_METHOD void begin(const gemm_rows &from, u32 k) {
    for (u32 i = 0; i < count; ++i) {
      const u32 piece = i * TY_THREADS + thread_id();
      const u64 row = piece < rows * 8 ? from.x_of(piece / 8) : 0;
      at[i] = row ? row + piece % 8 * 16 : 0;
    }
    const u64 row = blocks && thread_id() < rows ? from.x_of(thread_id()) : 0;
    sums_at = row ? row + packed_sums_at(k) : 0;
  }

  TY_METHOD void load(u32 column, u32 k) {
    const bool inside = column + thread_id() % 8 * 8 < k;
    for (u32 i = 0; i < count; ++i) {
      pieces[i] = 0;
      if (at[i] && inside) pieces[i] = *global_at<const u32x4>(at[i] + column * 2);
    }
    if (!blocks) return;
    sums = 0;
    if (sums_at && column < k) sums = *global_at<const f32x4>(sums_at + column / 4);
  }

  // `pairs`: sums are of 32 columns.
  template <typename room_type> TY_METHOD void store(TY_LOCAL room_type *room, u32 buffer, bool pairs) const {
    const u32 t = thread_id();
    for (u32 i = 0; i < count; ++i) {
      const u32 piece = i * TY_THREADS + t;
      if (piece < rows * 8) room->x[buffer][t % 8][piece / 8] = pieces[i];
    }
    if (!blocks || t >= rows) return;
    const u32 place = t / 16 * 16 + place_of_row(t % 16);
    for (u32 i = 0; i < 4; ++i) {
      room->sums[buffer][i][place] = pairs && i % 2 == 0 ? sums[i] + sums[i + 1 - i % 2] : sums[i];
    }
  }
};

// The weights of one lane's row in 32 columns.
struct gemm_weights {
  matrix_operand halves[2];
  group_terms terms[2]; // of blocks
};

// The codes of 32 columns as halves. `shifts` are for the first and the last 16.
template <u32 code> TY_DEVICE void load_codes(u64 codes, const f16 (&shifts)[2], gemm_weights &w) {
  run_words<code> words;
  words.load(codes, lane_id() % 16);
  for (u32 s = 0; s < 2; ++s) {
    u32 pairs[8];
    for (u32 q = 0; q < 4; ++q) four_halves<code>(words.four(4 * s + q), shifts[s], pairs[2 * q], pairs[2 * q + 1]);
    w.halves[s] = operand_from(pairs);
  }
}

// Run `run` (32 columns) of a tile of blocks. One branch for many matrix operations: a kernel for each
// code would be no faster, and take nine times as long to compile.
TY_DEVICE void load_blocks(ty_format format, u64 tile, u32 run, gemm_weights &w) {
  const u32 row = lane_id() % 16, log_group = format >> 16 & 15, code = format_code(format);
  const u32 log_unit = format_scale(format) == TY_SCALE_SUPER ? 8 : log_group < 5 ? 5 : log_group;
  const u32 inside = run & ((1u << (log_unit - 5)) - 1);
  const u64 unit = tile + row_scale_bytes(format) + (u64)(run >> (log_unit - 5)) * unit_bytes(format);
  const u64 codes = unit + header_bytes(format) + inside * run_bytes(code);
  w.terms[0] = terms_at(format, unit, inside * 32 >> log_group, row);
  w.terms[1] = w.terms[0];
  if (log_group < 5) w.terms[1] = terms_at(format, unit, inside * 2 + 1, row);
  const f16 shifts[2] = {shift_of(format, -w.terms[0].bias), shift_of(format, -w.terms[1].bias)};
  switch (code) {
  case 2: load_codes<2>(codes, shifts, w); break;
  case 3: load_codes<3>(codes, shifts, w); break;
  case 4: load_codes<4>(codes, shifts, w); break;
  case 5: load_codes<5>(codes, shifts, w); break;
  case 6: load_codes<6>(codes, shifts, w); break;
  case TY_E2M1: load_codes<TY_E2M1>(codes, shifts, w); break;
  case TY_IQ4: load_codes<TY_IQ4>(codes, shifts, w); break;
  case TY_E4M3: load_codes<TY_E4M3>(codes, shifts, w); break;
  default: load_codes<8>(codes, shifts, w);
  }
}

// The eight rows' x of a lane at 16 columns, for one tile of rows.
template <typename room_type> TY_DEVICE matrix_operand load_x(const TY_LOCAL room_type *room, u32 buffer, u32 step, u32 tile) {
  const TY_LOCAL u32x4 *at = &room->x[buffer][2 * step][tile * 16 + lane_id() % 16];
  return operand_at(at, sizeof(room->x[0][0]));
}

template <typename room_type>
TY_DEVICE void add_scaled(const TY_LOCAL room_type *room, u32 buffer, u32 step, u32 tile, f32x8 product, group_terms terms,
                          bool biased, f32x8 &sum) {
  for (u32 i = 0; i < 8; ++i) sum[i] = fma(terms.scale, product[i], sum[i]);
  if (!biased) return;
  const f32x8 x = *(const TY_LOCAL f32x8 *)&room->sums[buffer][step][tile * 16 + lane_id() / 16 * 8];
  for (u32 i = 0; i < 8; ++i) sum[i] = fma(terms.bias, x[i], sum[i]);
}

// Adds 32 columns, from 16 * `step` of the buffer on. `count`: rows; tiles without any are skipped where
// `skips`.
template <u32 tiles, bool skips, typename room_type>
TY_DEVICE void add_run(ty_format format, u64 tile, u32 run, const TY_LOCAL room_type *room, u32 buffer, u32 step, u32 count,
                       f32x8 (&sums)[tiles]) {
  gemm_weights w;
  load_blocks(format, tile, run, w);
  const u32 form = format_form(format);
  const bool biased = form == TY_BIAS || form == TY_LEAST, short_groups = format_group(format) < 32;
  // Sums are registers, which nothing indexes.
#pragma unroll
  for (u32 m = 0; m < tiles; ++m) {
    if (skips && m * 16 >= count) break;
    f32x8 product = matrix_multiply<TY_F16>(load_x(room, buffer, step, m), w.halves[0], 0);
    if (short_groups) {
      add_scaled(room, buffer, step, m, product, w.terms[0], biased, sums[m]);
      product = 0;
    }
    product = matrix_multiply<TY_F16>(load_x(room, buffer, step + 1, m), w.halves[1], product);
    add_scaled(room, buffer, step + (short_groups ? 1 : 0), m, product, w.terms[1], biased, sums[m]);
  }
}

// The same of 16 columns of 16-bit weights.
template <u32 kind, u32 tiles, bool skips, typename room_type>
TY_DEVICE void add_plain_step(u64 tile, u32 column, const TY_LOCAL room_type *room, u32 buffer, u32 step, u32 count,
                              f32x8 (&sums)[tiles]) {
  const TY_GLOBAL u32x4 *at = global_at<const u32x4>(tile + column * 32 + lane_id() % 16 * 16);
  const matrix_operand w = operand_at(at, 256);
  // Sums are registers, which nothing indexes.
#pragma unroll
  for (u32 m = 0; m < tiles; ++m) {
    if (skips && m * 16 >= count) break;
    sums[m] = matrix_multiply<kind>(load_x(room, buffer, step, m), w, sums[m]);
  }
}

// Sums of `split` waves, to the first of them.
template <u32 tiles, u32 split>
TY_DEVICE void add_waves(TY_LOCAL gemm_room<tiles, split> *room, f32x8 (&sums)[tiles]) {
  const u32 pair = wave_id() / split, lane = lane_id();
  if (wave_id() % split) {
    for (u32 m = 0; m < tiles; ++m) {
      for (u32 i = 0; i < 8; ++i) room->partial[pair][m][i][lane] = sums[m][i];
    }
  }
  barrier();
  if (wave_id() % split) return;
  for (u32 m = 0; m < tiles; ++m) {
    for (u32 i = 0; i < 8; ++i) sums[m][i] += room->partial[pair][m][i][lane];
  }
}

template <u32 kind, u32 tiles>
TY_DEVICE void store_sums(linear_ref linear, u64 tile, const gemm_rows &rows, u32 output, const f32x8 (&sums)[tiles]) {
  if (output >= linear->n) return;
  const bool scaled = kind == TY_BLOCKS && format_row_scaled(linear->format);
  const f32 of_weights = scaled ? *global_at<const f32>(tile + lane_id() % 16 * 4) : 1.0f;
  for (u32 m = 0; m < tiles; ++m) {
    for (u32 i = 0; i < 8; ++i) {
      const u32 r = m * 16 + row_of_sum(i);
      if (r >= rows.count) continue;
      f32 v = sums[m][i];
      if (kind == TY_BLOCKS) v *= *global_at<const f32>(rows.x_of(r) + packed_scale_at(linear->k));
      global_at<f32>(rows.y)[(u64)(rows.first + r) * linear->y_stride + output] = v * of_weights;
    }
  }
}

// The outputs of this workgroup: those of tiles from `first_tile` on, for all of `rows`.
template <u32 kind, u32 tiles, u32 split, bool skips>
TY_DEVICE void gemm(linear_ref linear, u64 weights, const gemm_rows &rows, u32 first_tile, TY_LOCAL gemm_room<tiles, split> *room) {
  const ty_format format = linear->format & ~TY_MATRIX;
  const u32 k = linear->k, part = wave_id() % split, number = first_tile + wave_id() / split;
  const bool works = number * 16 < linear->n, pairs = format_group(format) >= 32;
  const u64 tile = weights + number * tile_bytes(format, k);
  f32x8 sums[tiles] = {};
  gemm_share<tiles, kind == TY_BLOCKS> share;
  share.begin(rows, k);
  share.load(0, k);
  share.store(room, 0, pairs);
  barrier();
  for (u32 column = 0, buffer = 0; column < k; column += TY_PART, buffer ^= 1) {
    share.load(column + TY_PART, k);
    if (kind == TY_BLOCKS) {
      for (u32 at = part * 32; works && at < TY_PART && column + at < k; at += split * 32) {
        add_run<tiles, skips>(format, tile, (column + at) / 32, room, buffer, at / 16, rows.count, sums);
      }
    } else {
      for (u32 at = part * 16; works && at < TY_PART && column + at < k; at += split * 16) {
        add_plain_step<kind, tiles, skips>(tile, column + at, room, buffer, at / 16, rows.count, sums);
      }
    }
    // Nobody reads the other buffer: all have been behind the barrier since.
    share.store(room, buffer ^ 1, pairs);
    barrier();
  }
  if (split > 1) add_waves<tiles, split>(room, sums);
  if (works && part == 0) store_sums<kind, tiles>(linear, tile, rows, number * 16 + lane_id() % 16, sums);
}

// Real rows among `most` from `first` on: padding is at the end.
TY_DEVICE u32 count_rows(const ty_step &step, phase_ref phase, u32 first, u32 most) {
  const u32 all = phase->rows_a_chunk;
  u32 count = 0;
  for (u32 begin = 0; begin < most; begin += TY_WAVE) {
    const u32 r = first + begin + lane_id();
    const bool real = begin + lane_id() < most && r < all && is_real(step, phase, r);
    count += (u32)__builtin_popcount(__builtin_amdgcn_ballot_w32(real));
  }
  return count;
}

template <u32 kind, u32 tiles, u32 split>
TY_DEVICE void gemm_phase(const ty_step &step, TY_LOCAL gemm_room<tiles, split> *room) {
  const phase_ref phase = phase_of(step);
  const linear_ref linear = linear_of(step, phase->kernel);
  gemm_rows rows = {address_of(step, linear->packed), address_of(step, linear->y), linear->x_stride * 4, 0, 0, 0, 1};
  rows.first = group_x() * tiles * 16;
  rows.count = count_rows(step, phase, rows.first, tiles * 16);
  if (rows.count == 0) return;
  const u32 head = group_z();
  rows.x += (u64)head * linear->x_head * 4;
  rows.y += (u64)head * linear->n * 4;
  const u64 weights = address_of(step, linear->weights) + matrix_bytes(linear->format, linear->n, linear->k) * head;
  gemm<kind, tiles, split, false>(linear, weights, rows, group_y() * (TY_WAVES / split), room);
}

// Two kernels of a kind of weights: for up to 32 rows a workgroup, and for up to 64.
#define TY_GEMM(name, kind)                                                                \
  TY_KERNEL(ty_gemm32_##name) {                                                            \
    TY_LDS static gemm_room<2, 2> room;                                                    \
    gemm_phase<kind, 2, 2>(step, (TY_LOCAL gemm_room<2, 2> *)&room);                 \
  }                                                                                        \
  TY_KERNEL(ty_gemm64_##name) {                                                            \
    TY_LDS static gemm_room<4, 1> room;                                                    \
    gemm_phase<kind, 4, 1>(step, (TY_LOCAL gemm_room<4, 1> *)&room);                 \
  }
