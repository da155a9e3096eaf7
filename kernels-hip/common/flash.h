// flash.h -- attention of 16 queries of one head at a time through matrix registers: an online softmax
// (Milakov and Gimelshein, 2018; FlashAttention, Dao et al., 2022) over pages of the cache, two by two.
//
// Maths      scores^T = keys q^T, out^T = values^T weights^T. A lane is a query in all of it, so that its
//            maximum, its sum and its factors are its own, and only what is of its other half (lane + 16)
//            is exchanged: sums of rows 2 i + lane / 16 become an operand's columns by that alone.
// Layout     keys [D/8][16][8] have a position's row for a lane, values [D][16] a column's: both are read
//            by pieces of 16 bytes as they are. Queries are in LDS as keys are in a page.
// Numerics   common/attend.h; sums of products as common/matrix.h has them.
// Not seen   Where not all queries see all of two pages, scores are masked. Values there count with
//            weights of zero, so those that no query sees are cleared, and infinities and NaNs too: they
//            make NaN of the results of the queries that see them, at the end.

#pragma once

#include "cache.h"
#include "matrix.h"
#include "wave.h"

// Queries of a wave, and pages of a step.
#define TY_TILE 16u
#define TY_STEP 2u

// Heads of up to 16 times this many elements have a loop for pages that all queries see.
#define FLASH_LOOPS 8u

template <u32 chunks> struct flash_room {
  u32x4 q[TY_WAVES][2 * chunks][TY_TILE]; // scaled queries: eight columns each
};

// The queries of a wave. In this lane: one of them.
struct flash_tile {
  i32 position, first; // of this lane's query, and the first that it sees; no query: -1 and 0
  i32 earliest, latest; // query of the tile
  i32 begin;            // the first position that one of them sees
  i32 all_see;          // the first position that all of them see, if none is beyond `earliest`
};

// Whether this lane's query sees a position.
TY_DEVICE bool sees(const flash_tile &t, i32 position) { return position >= t.first && position <= t.position; }

// Two numbers rounded to 16 bits.
template <u32 format> TY_DEVICE u32 pair_of(f32 low, f32 high) {
  if (format == TY_F16) return to_f16(low) | (u32)to_f16(high) << 16;
  return to_bf16(low) | (u32)to_bf16(high) << 16;
}

// Rows that are sums' as an operand's elements, which are in the order of rows.
template <u32 format> TY_DEVICE matrix_operand operand_of_sums(const f32x8 &sums) {
  u32 pairs[4];
  for (u32 i = 0; i < 4; ++i) pairs[i] = pair_of<format>(sums[2 * i], sums[2 * i + 1]);
  matrix_operand operand;
#if defined(__GFX12__)
  for (u32 i = 0; i < 4; ++i) operand[i] = pairs[i];
#else
  const bool upper = lane_id() >= 16;
  for (u32 i = 0; i < 4; ++i) {
    const u32 other = __builtin_amdgcn_permlanex16(pairs[i], pairs[i], 0x76543210u, 0xfedcba98u, false, false);
    const u32 even = upper ? other : pairs[i], odd = upper ? pairs[i] : other;
    operand[2 * i] = __builtin_amdgcn_perm(odd, even, 0x05040100u);
    operand[2 * i + 1] = __builtin_amdgcn_perm(odd, even, 0x07060302u);
  }
#endif
  return operand;
}

// Behind products of chunk `c`: operands of two chunks are loaded together, and not more, which would take
// too many registers.
TY_DEVICE void together(u32 c, f32x8 &a, f32x8 &b) {
  if (c % 2 == 0) return;
  asm volatile("" : "+v"(a), "+v"(b));
  __builtin_amdgcn_sched_barrier(0);
}

// A column of a page's values for each lane.
TY_DEVICE matrix_operand values_at(u64 values, u32 chunk) {
  const u32 column = chunk * 16 + lane_id() % 16;
  return operand_at(global_at<const u32x4>(values + column * (TY_PAGE * 2)), 16);
}

// All ones where positions `from` to `to` of a page stand in values_at's operand.
TY_DEVICE matrix_operand mask_of(u32 from, u32 to) {
  matrix_operand mask;
  for (u32 i = 0; i < TY_OPERAND_WORDS; ++i) {
    const u32 p = 2 * i + (TY_OPERAND_WORDS == 4 ? lane_id() / 16 * 8 : 0);
    mask[i] = (p >= from && p < to ? 0xffffu : 0u) | (p + 1 >= from && p + 1 < to ? 0xffff0000u : 0u);
  }
  return mask;
}

// Values under the mask, zero where they are an infinity or a NaN; `beyond` has the sign bits of these.
template <u32 format> TY_DEVICE matrix_operand finite_of(matrix_operand v, u32 &beyond) {
  const u32 exponent = format == TY_F16 ? 0x7c007c00u : 0x7f807f80u;
  const u32 lowest = format == TY_F16 ? 0x04000400u : 0x00800080u;
  for (u32 i = 0; i < TY_OPERAND_WORDS; ++i) {
    const u32 signs = ((v[i] & exponent) + lowest) & 0x80008000u;
    beyond |= signs;
    v[i] &= ~((signs >> 15) * 0xffffu);
  }
  return v;
}

// Adds a page whose every value all queries see.
template <u32 format, u32 chunks>
TY_DEVICE void add_page(u64 values, matrix_operand weights, f32x8 (&acc)[chunks]) {
  for (u32 c = 0; c < chunks; ++c) {
    acc[c] = matrix_multiply<format>(values_at(values, c), weights, acc[c]);
    together(c, acc[c - c % 2], acc[c]);
  }
}

// Adds the finite values of a page under the mask; weights are zero where a query does not see.
template <u32 format, u32 chunks>
TY_DEVICE void add_page_partly(u64 values, matrix_operand mask, matrix_operand weights, f32x8 (&acc)[chunks], u32 &beyond) {
  for (u32 c = 0; c < chunks; ++c) {
    acc[c] = matrix_multiply<format>(finite_of<format>(values_at(values, c) & mask, beyond), weights, acc[c]);
    together(c, acc[c - c % 2], acc[c]);
  }
}

// NaN to the results of columns in which a query sees an infinity or a NaN of this page.
template <u32 format, u32 chunks>
TY_DEVICE void mark_page(const flash_tile &t, u64 values, i32 first, TY_GLOBAL f32 *out) {
#pragma unroll 1
  for (u32 p = 0; p < TY_PAGE; ++p) {
    const bool seen = sees(t, first + (i32)p);
#pragma unroll 1
    for (u32 column = lane_id() / 16; column < 16 * chunks; column += 2) {
      const f32 value = cached<format>(values, value_index(column, p));
      if (seen && value - value != 0.0f) out[column] = __builtin_nanf("");
    }
  }
}

// This wave's tile of queries from `query` on; whether it has any.
TY_DEVICE bool tile_of(const ty_step &step, attention_ref attention, u32 query, u32 tokens, flash_tile &t) {
  const u32 own = query + lane_id() % TY_TILE;
  t.position = own < tokens ? step.input_of(TY_POSITIONS)[own] : -1;
  const u32 real = __builtin_amdgcn_ballot_w32(t.position >= 0) & 0xffffu;
  if (real == 0) return false;
  // Tokens are consecutive, padding is behind them.
  t.earliest = __builtin_amdgcn_readfirstlane(t.position);
  t.latest = t.earliest + __builtin_popcount(real) - 1;
  t.first = (i32)first_visible(attention->window, t.position);
  t.begin = (i32)first_visible(attention->window, t.earliest);
  t.all_see = (i32)first_visible(attention->window, t.latest);
  return true;
}

// The scaled queries of `head` to this wave's room.
template <u32 format, u32 chunks>
TY_DEVICE void store_queries(const ty_step &step, attention_ref attention, const flash_tile &t, u32 query, u32 head,
                             TY_LOCAL flash_room<chunks> *room) {
  const u32 lane = lane_id() % TY_TILE;
  const u64 row = address_of(step, attention->q) + ((u64)(query + lane) * attention->q_stride + head * (16 * chunks)) * 4;
  const f32 scale = attention->scale;
#pragma unroll 1
  for (u32 piece = lane_id() / 16; piece < 2 * chunks; piece += 2) {
    u32x4 packed = {0, 0, 0, 0};
    if (t.position >= 0) {
      const f32x4 low = *global_at<const f32x4>(row + piece * 32), high = *global_at<const f32x4>(row + piece * 32 + 16);
      packed[0] = pair_of<format>(low[0] * scale, low[1] * scale);
      packed[1] = pair_of<format>(low[2] * scale, low[3] * scale);
      packed[2] = pair_of<format>(high[0] * scale, high[1] * scale);
      packed[3] = pair_of<format>(high[2] * scale, high[3] * scale);
    }
    room->q[wave_id()][piece][lane] = packed;
  }
  // The room is this wave's own: its LDS accesses are in order.
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront");
}

// Sums of this lane's query over two pages: the largest score so far, weights' sum (of this half), and
// weighted values of all columns.
template <u32 chunks> struct flash_sums {
  f32 m, l;
  u32 beyond; // of finite_of
  f32x8 acc[chunks];
};

// Scores to weights; what was seen before to the new largest score. `inner`: all queries see all of it.
template <u32 chunks, bool inner>
TY_DEVICE void step_weights(const flash_tile &t, f32 cap, i32 first, f32x8 (&scores)[TY_STEP], flash_sums<chunks> &s) {
  if (cap > 0) {
#pragma unroll
    for (u32 j = 0; j < TY_STEP; ++j) {
#pragma unroll
      for (u32 i = 0; i < 8; ++i) scores[j][i] = cap * hyperbolic_tangent(scores[j][i] / cap);
    }
  }
  if (!inner) {
    for (u32 j = 0; j < TY_STEP; ++j) {
      for (u32 i = 0; i < 8; ++i) {
        const bool seen = sees(t, first + (i32)(j * TY_PAGE + row_of_sum(i)));
        scores[j][i] = seen ? scores[j][i] : -__builtin_inff();
      }
    }
  }
  // A NaN is in no maximum, but shows in its weight.
  f32 most = s.m;
  for (u32 j = 0; j < TY_STEP; ++j) {
    for (u32 i = 0; i < 8; ++i) most = __builtin_fmaxf(most, scores[j][i]);
  }
  most = __builtin_fmaxf(most, half_exchange(most));
  const f32 base = most == -__builtin_inff() ? 0.0f : most;
  const f32 before = exponential(s.m - base);
  s.m = most;
  s.l *= before;
  if (__builtin_amdgcn_ballot_w32(before != 1.0f)) {
    for (u32 c = 0; c < chunks; ++c) s.acc[c] *= before;
  }
  for (u32 j = 0; j < TY_STEP; ++j) {
    for (u32 i = 0; i < 8; ++i) {
      scores[j][i] = exponential(scores[j][i] - base);
      s.l += scores[j][i];
    }
  }
}

// Where this lane's results go.
template <u32 chunks>
TY_DEVICE TY_GLOBAL f32 *results_at(const ty_step &step, attention_ref attention, u32 query, u32 head) {
  const u64 stride = attention->heads * (16 * chunks);
  const u64 row = (query + lane_id() % TY_TILE) * stride + head * (16 * chunks);
  return global_at<f32>(address_of(step, attention->out)) + row;
}

// The results, each divided by its sum, with the sink's part of that.
template <u32 chunks>
TY_DEVICE void store_results(const ty_step &step, attention_ref attention, u32 head, flash_sums<chunks> &s, TY_GLOBAL f32 *out) {
  f32 l = s.l + half_exchange(s.l), factor = 1.0f;
  if (attention->has_sinks) {
    const f32 sink = global_at<const f32>(address_of(step, attention->sinks))[head];
    const f32 most = max_of(sink, s.m);
    factor = exponential(s.m - most);
    l = fma(l, factor, exponential(sink - most));
  }
  const f32 inverse = factor / l;
  for (u32 c = 0; c < chunks; ++c) {
    for (u32 i = 0; i < 8; ++i) out[c * 16 + row_of_sum(i)] = s.acc[c][i] * inverse;
  }
}

// The cache as a head of a tile sees it.
struct flash_cache {
  u64 keys, to_values, block_bytes;
  u32 end; // pages

  // The keys of a page. Behind the last stands none: it is given again, and nobody sees it.
  TY_METHOD u64 page(const ty_step &step, u32 page) const {
    return keys + (u64)(u32)input(step, TY_TABLES, page < end ? page : end - 1) * block_bytes;
  }
};

// Two pages from `page` on. `inner`: all queries see all of them.
template <u32 format, u32 chunks, bool inner>
TY_DEVICE void flash_step(const ty_step &step, const flash_tile &t, const flash_cache &cache, u32 page, f32 cap,
                          const TY_LOCAL flash_room<chunks> *room, flash_sums<chunks> &s) {
  const u32 lane = lane_id() % TY_TILE, wave = wave_id();
  const i32 first = (i32)(page * TY_PAGE);
  u64 keys[TY_STEP];
  f32x8 scores[TY_STEP] = {};
  for (u32 j = 0; j < TY_STEP; ++j) keys[j] = cache.page(step, page + j);
  for (u32 c = 0; c < chunks; ++c) {
    const matrix_operand q = operand_at(&room->q[wave][2 * c][lane], 256);
    for (u32 j = 0; j < TY_STEP; ++j) {
      const u64 at = keys[j] + (c * 32 + lane) * 16;
      scores[j] = matrix_multiply<format>(operand_at(global_at<const u32x4>(at), 256), q, scores[j]);
    }
    together(c, scores[0], scores[1]);
  }
  step_weights<chunks, inner>(t, cap, first, scores, s);
  // A loop, for which the next page's scores move up: both pages at once would take too many registers.
#pragma unroll 1
  for (u32 j = 0; j < TY_STEP; ++j) {
    const matrix_operand weights = operand_of_sums<format>(scores[0]);
    const u64 values = keys[0] + cache.to_values;
    const i32 own = first + (i32)(j * TY_PAGE);
    scores[0] = scores[1];
    keys[0] = keys[1];
    if (inner) {
      add_page<format>(values, weights, s.acc);
      continue;
    }
    const i32 from = t.begin > own ? t.begin - own : 0, left = t.latest + 1 - own;
    const matrix_operand mask = mask_of((u32)from, left < 0 ? 0 : left < (i32)TY_PAGE ? (u32)left : TY_PAGE);
    add_page_partly<format>(values, mask, weights, s.acc, s.beyond);
  }
}

// Tile `query` of `head` by this wave.
template <u32 format, u32 chunks>
TY_DEVICE void flash(const ty_step &step, attention_ref attention, u32 query, u32 tokens, u32 kv_head, u32 head,
                     TY_LOCAL flash_room<chunks> *room) {
  flash_tile t;
  if (!tile_of(step, attention, query, tokens, t)) return;
  store_queries<format>(step, attention, t, query, head, room);
  const u64 begin = head_at(step, attention, format, false, 0, kv_head);
  const u64 to_values = head_at(step, attention, format, true, 0, kv_head) - begin;
  const flash_cache cache = {begin, to_values, attention->block_bytes, (u32)t.latest / TY_PAGE + 1};
  const f32 cap = attention->soft_cap;
  flash_sums<chunks> s = {-__builtin_inff(), 0.0f, 0, {}};
  // Pages before what all queries see, those that all see, and the last. Loops of their own, since sums that
  // meet behind two ways would be in registers twice; large heads have registers for one loop alone.
  u32 page = (u32)t.begin / TY_PAGE;
  if (chunks <= FLASH_LOOPS) {
#pragma unroll 1
    for (; page < cache.end && (i32)(page * TY_PAGE) < t.all_see; page += TY_STEP) {
      flash_step<format, chunks, false>(step, t, cache, page, cap, room, s);
    }
#pragma unroll 1
    for (; (i32)((page + TY_STEP) * TY_PAGE) - 1 <= t.earliest; page += TY_STEP) {
      flash_step<format, chunks, true>(step, t, cache, page, cap, room, s);
    }
  }
#pragma unroll 1
  for (; page < cache.end; page += TY_STEP) flash_step<format, chunks, false>(step, t, cache, page, cap, room, s);
  TY_GLOBAL f32 *out = results_at<chunks>(step, attention, query, head);
  if (t.position >= 0) store_results(step, attention, head, s, out);
  if (__builtin_amdgcn_ballot_w32(s.beyond != 0) == 0) return;
#pragma unroll 1
  for (page = (u32)t.begin / TY_PAGE; page < cache.end; ++page) {
    mark_page<format, chunks>(t, cache.page(step, page) + to_values, (i32)(page * TY_PAGE), out);
  }
}
