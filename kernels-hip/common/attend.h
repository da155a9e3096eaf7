// attend.h -- attention over pages of the cache for some rows that share keys and values: an online
// softmax (Milakov and Gimelshein, 2018) in f32. Rows are heads of one query, or one head of queries at
// consecutive positions: row h is at `pace` * h positions further, and pace 0 or 1.
//
// Launch     a workgroup; its waves take pages in turn. A lane is a position of a page (two lanes a
//            position, which share the columns) while scores are computed, and a column while values
//            are added.
// Bound by   bytes of keys and values
// Numerics   Scaled queries and the softmax's weights are rounded to the cache's element type, of 16 bits; over
//            quantized keys, queries are rounded to codes, weights are f32; over 8-bit floats both are f32. Sums
//            are f32, in an order that depends on the position alone. Positions that are not visible are not
//            read as numbers: a NaN in a recycled block does not show.

#pragma once

#include "codes.h"

// Rows at once, and elements of a head at most: files of wide heads have defined more.
#define TY_HEADS 4u
#ifndef TY_DIM
#define TY_DIM 256u
#endif

// Columns of a head that a work-item merges.
#define TY_MERGED ((TY_DIM + TY_THREADS - 1) / TY_THREADS)

// LDS of an attention.
struct attend_room {
  f32 q[TY_HEADS][TY_DIM];             // scaled queries
  f32 weights[TY_WAVES][TY_HEADS][16]; // of a wave's page
  f32 merged[TY_WAVES][TY_DIM + 2];    // of one head: acc, m, l of each wave
};

// What a wave has seen: of each head the largest score, the sum of weights and the weighted values
// of this lane's columns.
struct seen_values {
  f32 m[TY_HEADS], l[TY_HEADS], acc[TY_HEADS][TY_DIM / TY_WAVE];
};

struct attend_view {
  attention_ref attention;
  u64 cache; // keys of this head in block 0; values are `values` bytes further
  u64 values;
  i32 position; // of the first row

  // Whether row h sees a position.
  TY_METHOD bool sees(u32 h, u32 position_of_key) const {
    const i32 own = position + (i32)h, window = attention->window;
    const i32 key = (i32)position_of_key;
    return key <= own && (window <= 0 || key > own - window);
  }
};

// A scaled query of head `h` for the room's column, in all lanes of a wave 32 columns side by side.
template <u32 format> TY_DEVICE f32 rounded_for_scores(f32 v) {
  return is_quantized(format) ? rounded_query(v) : rounded_to(format, v);
}

// Sums over the columns of this lane's position, half of them in each of its two lanes.
template <u32 format>
TY_DEVICE void plain_scores(u32 dim, u64 keys, const TY_LOCAL attend_room *room, f32 (&scores)[TY_HEADS]) {
  const u32 offset = lane_id() % 16, half = lane_id() / 16, chunk = key_chunk(dim);
  if (chunk == 8) {
    const u64 size = element_bytes(format);
    for (u32 column = half * 8; column < dim; column += 16) {
      f32 key[8];
      eight_cached<format>(keys + (column / 8 * TY_PAGE + offset) * 8 * size, key);
      for (u32 h = 0; h < TY_HEADS; ++h) {
        for (u32 c = 0; c < 8; ++c) scores[h] = fma(room->q[h][column + c], key[c], scores[h]);
      }
    }
    return;
  }
  for (u32 column = half * chunk; column < dim; column += 2 * chunk) {
    for (u32 c = 0; c < chunk; ++c) {
      const f32 key = cached<format>(keys, key_index(chunk, column + c, offset));
      for (u32 h = 0; h < TY_HEADS; ++h) scores[h] = fma(room->q[h][column + c], key, scores[h]);
    }
  }
}

// The same over codes: of a run of 32 columns a lane has 16.
template <u32 format>
TY_DEVICE void code_scores(u32 dim, u64 keys, const TY_LOCAL attend_room *room, f32 (&scores)[TY_HEADS]) {
  const u32 offset = lane_id() % 16, half = lane_id() / 16;
  const u64 codes = keys + scales_bytes(dim);
  for (u32 run = 0; run < dim / TY_CACHE_RUN; ++run) {
    const u32 piece = format == TY_CACHE_Q8_0 ? 2 * run + half : run, column = run * TY_CACHE_RUN + half * 16;
    f32 key[16];
    sixteen_codes<format>(*global_at<const u32x4>(codes + (piece * TY_PAGE + offset) * 16), half, key);
    const f32 scale = from_f16(global_at<const u16>(keys)[run * TY_PAGE + offset]);
    for (u32 h = 0; h < TY_HEADS; ++h) {
      f32 sum = 0;
      for (u32 c = 0; c < 16; ++c) sum = fma(room->q[h][column + c], key[c], sum);
      scores[h] = fma(sum, scale, scores[h]);
    }
  }
}

// Scores of this lane's position in a page, of all heads.
template <u32 format>
TY_DEVICE void page_scores(const attend_view &v, u64 keys, const TY_LOCAL attend_room *room, f32 (&scores)[TY_HEADS]) {
  for (u32 h = 0; h < TY_HEADS; ++h) scores[h] = 0;
  if constexpr (is_quantized(format)) {
    code_scores<format>(v.attention->head_dim, keys, room, scores);
  } else {
    plain_scores<format>(v.attention->head_dim, keys, room, scores);
  }
  for (u32 h = 0; h < TY_HEADS; ++h) scores[h] += half_exchange(scores[h]);
}

// A page's values of a column, which is the lane's of group `group` of 32.
template <u32 format> TY_DEVICE void page_column(u64 values, u32 dim, u32 group, f32 (&v)[16]) {
  const u32 column = group * 32 + lane_id();
  if constexpr (is_quantized(format)) {
    const u32 index = format == TY_CACHE_Q8_0 ? column : group * 16 + lane_id() % 16;
    sixteen_codes<format>(*global_at<const u32x4>(values + scales_bytes(dim) + index * 16), lane_id() / 16, v);
    f32 scales[2][8];
    for (u32 i = 0; i < 2; ++i) eight_cached<TY_F16>(values + group * (TY_PAGE * 2) + i * 16, scales[i]);
    for (u32 p = 0; p < TY_PAGE; ++p) v[p] *= scales[p / 8][p % 8];
  } else {
    f32 parts[2][8];
    const u64 size = element_bytes(format);
    for (u32 i = 0; i < 2; ++i) eight_cached<format>(values + (column * TY_PAGE + 8 * i) * size, parts[i]);
    for (u32 p = 0; p < TY_PAGE; ++p) v[p] = parts[p / 8][p % 8];
  }
}

// Adds a page's values of the columns of groups `begin` to `end`, weighted; `first` is the page's first
// position.
template <u32 format, u32 pace, u32 begin, u32 end>
TY_DEVICE void columns_values(const attend_view &v, u64 values, const TY_LOCAL attend_room *room, u32 first, seen_values &seen) {
  const u32 dim = v.attention->head_dim, wave = wave_id();
#pragma unroll
  for (u32 i = begin; i < end; ++i) {
    u32 own = i * TY_WAVE + lane_id();
    // Opaque, so that it is compared anew: the comparisons of wide heads are too many to be kept.
    if (TY_DIM > 256) asm volatile("" : "+" TY_VECTOR(own));
    if (own >= dim) continue;
    f32 column[16], sums[TY_HEADS] = {};
    page_column<format>(values, dim, i, column);
    for (u32 p = 0; p < TY_PAGE; ++p) {
      // Opaque, so that what is seen is compared anew: four rows' comparisons are too many to be kept.
      u32 page = first;
      if (pace) asm volatile("" : "+" TY_VECTOR(page));
      for (u32 h = 0; h < TY_HEADS; ++h) {
        const f32 value = v.sees(pace * h, page + p) ? column[p] : 0.0f;
        sums[h] = fma(room->weights[wave][h][p], value, sums[h]);
      }
    }
    for (u32 h = 0; h < TY_HEADS; ++h) seen.acc[h][i] += sums[h];
  }
}

// The same of all columns: of wide heads in two loops, since the compiler unrolls no longer ones.
template <u32 format, u32 pace>
TY_DEVICE void page_values(const attend_view &v, u64 values, const TY_LOCAL attend_room *room, u32 first, seen_values &seen) {
  constexpr u32 groups = TY_DIM / TY_WAVE, part = TY_DIM > 256 ? groups / 2 : groups;
  columns_values<format, pace, 0, part>(v, values, room, first, seen);
  if constexpr (part < groups) columns_values<format, pace, part, groups>(v, values, room, first, seen);
}

// Scores to weights, and what was seen before to the new largest score.
template <u32 format, u32 pace>
TY_DEVICE void page_weights(const attend_view &v, TY_LOCAL attend_room *room, u32 first, f32 (&scores)[TY_HEADS],
                            seen_values &seen) {
  const f32 cap = v.attention->soft_cap;
  for (u32 h = 0; h < TY_HEADS; ++h) {
    const bool visible = v.sees(pace * h, first + lane_id() % 16);
    f32 score = scores[h];
    if (cap > 0) score = cap * hyperbolic_tangent(score / cap);
    // A NaN score is the largest, so that it shows.
    score = visible ? score : -__builtin_inff();
    f32 most = wave_max(score);
    most = most > seen.m[h] ? most : seen.m[h];
    const bool any = most > -__builtin_inff();
    const f32 weight = visible && (any || score != score) ? exponential(score - most) : 0.0f;
    const f32 rounded = rounded_to(format, weight);
    const f32 before = any ? exponential(seen.m[h] - most) : 1.0f;
    // Both lanes of a position have its weight.
    seen.l[h] = fma(seen.l[h], before, wave_sum(weight) * 0.5f);
    seen.m[h] = most;
    for (u32 i = 0; i < TY_DIM / TY_WAVE; ++i) seen.acc[h][i] *= before;
    if (lane_id() < 16) room->weights[wave_id()][h][lane_id()] = rounded;
  }
}

// Pages `begin` to `end` of a sequence, whose blocks are `table`'s, by this workgroup's waves.
template <u32 format, u32 pace>
TY_DEVICE void attend(const ty_step &step, const attend_view &v, u32 table, u32 begin, u32 end, TY_LOCAL attend_room *room,
                      seen_values &seen) {
  for (u32 h = 0; h < TY_HEADS; ++h) {
    seen.m[h] = -__builtin_inff();
    seen.l[h] = 0;
    for (u32 i = 0; i < TY_DIM / TY_WAVE; ++i) seen.acc[h][i] = 0;
  }
  for (u32 page = begin + wave_id(); page < end; page += TY_WAVES) {
    const u64 keys = v.cache + (u64)(u32)input(step, TY_TABLES, table + page) * v.attention->block_bytes;
    f32 scores[TY_HEADS];
    page_scores<format>(v, keys, room, scores);
    page_weights<format, pace>(v, room, page * TY_PAGE, scores, seen);
    // The weights are this wave's own: its LDS accesses are in order.
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront");
    page_values<format, pace>(v, keys + v.values, room, page * TY_PAGE, seen);
  }
}

// What all waves have seen of head `h`: acc to room->merged[0][column], m and l behind TY_DIM.
TY_DEVICE void merge(const attend_view &v, u32 h, TY_LOCAL attend_room *room, const seen_values &seen) {
  const u32 dim = v.attention->head_dim, wave = wave_id(), lane = lane_id();
  f32 m = seen.m[0], l = seen.l[0];
  for (u32 i = 1; i < TY_HEADS; ++i) {
    m = i == h ? seen.m[i] : m;
    l = i == h ? seen.l[i] : l;
  }
  for (u32 i = 0; i < TY_DIM / TY_WAVE; ++i) {
    f32 value = seen.acc[0][i];
    for (u32 j = 1; j < TY_HEADS; ++j) value = j == h ? seen.acc[j][i] : value;
    u32 column = i * TY_WAVE + lane;
    // Opaque, so that it is compared anew: the comparisons of wide heads are too many to be kept.
    if (TY_DIM > 256) asm volatile("" : "+" TY_VECTOR(column));
    if (column < dim) room->merged[wave][column] = value;
  }
  if (lane == 0) {
    room->merged[wave][TY_DIM] = m;
    room->merged[wave][TY_DIM + 1] = l;
  }
  barrier();
  f32 most = -__builtin_inff(), sum = 0, value[TY_MERGED] = {};
  for (u32 w = 0; w < TY_WAVES; ++w) most = max_of(room->merged[w][TY_DIM], most);
  const u32 first = thread_id();
  for (u32 w = 0; w < TY_WAVES; ++w) {
    const f32 of_wave = room->merged[w][TY_DIM + 1];
    if (of_wave == 0.0f) continue;
    const f32 factor = exponential(room->merged[w][TY_DIM] - most);
    sum = fma(of_wave, factor, sum);
    for (u32 i = 0; i < TY_MERGED; ++i) {
      const u32 column = i * TY_THREADS + first;
      if (column < dim) value[i] = fma(room->merged[w][column], factor, value[i]);
    }
  }
  barrier();
  for (u32 i = 0; i < TY_MERGED; ++i) {
    const u32 column = i * TY_THREADS + first;
    if (column < dim) room->merged[0][column] = value[i];
  }
  if (first == 0) {
    room->merged[0][TY_DIM] = most;
    room->merged[0][TY_DIM + 1] = sum;
  }
  barrier();
}

template <u32 format>
TY_DEVICE attend_view view_of(const ty_step &step, attention_ref attention, u32 kv_head, i32 position) {
  attend_view v = {attention, head_at(step, attention, format, false, 0, kv_head), 0, position};
  v.values = head_at(step, attention, format, true, 0, kv_head) - v.cache;
  return v;
}
