// attention_tile.h -- the one kernel of attention: a few query rows against a tile of keys.
// Decode calls it with the heads of one token, prefill with consecutive tokens of one head.
//
// Math       s = q k^T, capped and masked; m' = max(m, max s); p = exp(s - m');
//            l' = l exp(m - m') + sum p; acc' = acc exp(m - m') + p v
// Bound by   decode: bytes of keys and values (judge by GB/s); prefill: multiply-adds (judge
//            by FLOP/s).
//
// Scores     The lanes are 16 positions of a page. `rows` by some pages of sums stay in
//            registers while the pairs of columns of the keys pass.
// Values     The lanes are 16 columns. `rows` by some vectors of sums stay in registers while
//            the pairs of positions pass; weights p stand row by row, two positions a pair.
//
// Numerics   Scaled queries and p are rounded to the cache's type (not to one of 8 bits), l sums p
//            before that, sums are f32. Pairs of positions that no row sees are not touched, the unseen half of
//            a pair is cleared. A position that one row sees and another does not has p = 0
//            for the latter, so its values must be finite where rows differ (the caller's
//            duty). A row that sees nothing keeps m = -inf, l = 0 and acc = 0.

#pragma once

#include "attention_cache.h"

#define TILE_PAGES 8
#define TILE_KEYS (TILE_PAGES * TY_PAGE)

// Rows that a group may have, and the vectors of sums that registers hold.
#if TY_WIDE_REGISTERS == 2
#define ATTENTION_ROWS 8
#define ATTENTION_SUMS 16
#elif TY_WIDE_REGISTERS == 1
#define ATTENTION_ROWS 4
#define ATTENTION_SUMS 4
#else
#define ATTENTION_ROWS 2
#define ATTENTION_SUMS 2
#endif

// Vectors a row, 1, 2 or 4.
TY_INLINE u32 vectors_a_row(const u32 rows) {
  return ATTENTION_SUMS / rows >= 4 ? 4 : ATTENTION_SUMS / rows >= 2 ? 2 : 1;
}

// A group of query rows and their state. Row r stands at position + r * step.
typedef struct {
  u32 rows;       // 1 to ATTENTION_ROWS
  u32 step;       // 0: one token's heads; 1: one head's tokens
  i32 position;
  const u32 *q;   // scaled and rounded: [rows][head_dim / 2][words of a pair]; over quantized
                  // keys as pack_query_codes leaves it
  f32 *acc;       // f32 [rows, acc_stride]: written by the first tile, updated by others
  u64 acc_stride;
  bool fresh;     // nothing is in acc yet
  f32 m[ATTENTION_ROWS];
  f32 l[ATTENTION_ROWS];
} query_group;

// ---- pairs ----------------------------------------------------------------------------

TY_INLINE bool packs_pairs(const u32 type) { return type == TY_BF16 && TY_HAS_BF16_DOT; }
TY_INLINE u32 words_of_pair(const u32 type) { return packs_pairs(type) ? 1 : 2; }

// Two vectors of f32, or for packed pairs one vector of pairs, in `even`.
typedef struct {
  f32x16 even, odd;
} vector_pair;

// bf16 pairs stand interleaved; of other types the second vector is `distance` bytes further.
TY_INLINE vector_pair load_pair(const u32 type, const u8 *at, u64 distance, u32 count) {
  if (type == TY_F32) return (vector_pair){load_up_to(at, count), load_up_to(at + distance, count)};
  if (type == TY_F16) {
    const u16x16 a = count >= 16 ? load_u16x16(at) : load_first_u16(at, count);
    const u16x16 b = count >= 16 ? load_u16x16(at + distance) : load_first_u16(at + distance, count);
    return (vector_pair){f32_from_f16(a), f32_from_f16(b)};
  }
  if (type == TY_CACHE_E4M3) {
    const u8x16 a = count >= 16 ? *(const u8x16_at *)at : load_first_u8(at, count);
    const u8x16 b = count >= 16 ? *(const u8x16_at *)(at + distance) : load_first_u8(at + distance, count);
    return (vector_pair){f32_from_e4m3(a), f32_from_e4m3(b)};
  }
  const u32x16 raw = count >= 16 ? load_u32x16(at) : load_first_u32(at, count);
  if (packs_pairs(type)) return (vector_pair){f32_of16(raw), 0.0f};
  return (vector_pair){f32_of16(raw << 16), f32_of16(raw & 0xffff0000)};
}

// Clears the first or the second of a pair unless it is kept.
TY_INLINE vector_pair keep_of_pair(const u32 type, vector_pair p, bool even, bool odd) {
  if (packs_pairs(type)) {
    const u32 mask = (even ? 0x0000ffffu : 0) | (odd ? 0xffff0000u : 0);
    return (vector_pair){f32_of16(bits_of16(p.even) & mask), 0.0f};
  }
  return (vector_pair){even ? p.even : (f32x16)0.0f, odd ? p.odd : (f32x16)0.0f};
}

// sum + even * x[0] + odd * x[1]
TY_INLINE f32x16 add_pair(const u32 type, f32x16 sum, vector_pair p, const u32 *x) {
#if TY_HAS_BF16_DOT
  if (packs_pairs(type)) return dot_bf16(sum, bits_of16(p.even), x[0]);
#endif
  (void)type;
  return fma16(p.odd, f32_of(x[1]), fma16(p.even, f32_of(x[0]), sum));
}

// Row `row` of a group of `rows` rows: q times scale, rounded, to words.
TY_INLINE void pack_query(u32 type, u32 dim, const f32 *q, f32 scale, u32 *words, u32 rows, u32 row) {
  if (is_quantized(type)) {
    pack_query_codes(type, dim, q, scale, words, rows, row);
    return;
  }
  words += (u64)row * (dim / 2) * words_of_pair(type);
  for (u32 c = 0; c < dim; c += 16) {
    const u32 count = dim - c < 16 ? dim - c : 16;
    const f32x16 v = load_up_to(q + c, count) * scale;
    if (packs_pairs(type)) {
      const u32x16 b = bf16_bits(v);
      for (u32 i = 0; i < count; i += 2) words[(c + i) / 2] = b[i] | b[i + 1] << 16;
    } else {
      store_first_f32((f32 *)words + c, round_to(type, v), count);
    }
  }
}

// ---- scores ---------------------------------------------------------------------------

// Scores of `rows` rows with `pages` pages of keys: a page's to scores + r * TILE_KEYS. Lines
// of `next` are fetched meanwhile.
TY_INLINE void score_pages(const u32 type, const u32 rows, const u32 pages, const u8 *const *keys,
                           const u8 *const *next, const u32 *q, u32 pairs, f32 *scores) {
  const u32 words = words_of_pair(type), bytes = 2 * TY_PAGE * element_bytes(type);
  f32x16 sums[ATTENTION_ROWS][4];
  const u8 *at[4];
  TY_UNROLL for (u32 p = 0; p < pages; ++p) {
    at[p] = keys[p];
    TY_UNROLL for (u32 r = 0; r < rows; ++r) sums[r][p] = 0.0f;
  }
  for (u32 d = 0; d < pairs; ++d, q += words) {
    TY_UNROLL for (u32 p = 0; p < pages; ++p) {
      const vector_pair pair = load_pair(type, at[p] + (u64)d * bytes, bytes / 2, 16);
      TY_UNROLL for (u32 i = 0; i < bytes; i += 64) fetch(next[p] + (u64)d * bytes + i);
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        sums[r][p] = add_pair(type, sums[r][p], pair, q + (u64)r * pairs * words);
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    TY_UNROLL for (u32 p = 0; p < pages; ++p) {
      store_f32x16(scores + r * TILE_KEYS + p * TY_PAGE, sums[r][p]);
    }
  }
}

// ---- softmax --------------------------------------------------------------------------

// Sixteen weights, rounded to the cache's type, to a row of words.
TY_INLINE void store_weights(const u32 type, u32 *row, u32 key, f32x16 p) {
#if TY_HAS_BF16_DOT
  if (packs_pairs(type)) {
    const __m256i pairs = (__m256i)_mm512_cvtneps_pbh((__m512)p);
    _mm256_storeu_si256((void *)(row + key / 2), pairs);
    return;
  }
#endif
  store_f32x16(row + key, round_to(type, p));
}

// One row of `keys` scores, the first at position `begin`, to weights in place. Updates m and
// l, and answers what acc is to be multiplied with.
TY_INLINE f32 soften_row(const u32 type, const kv_head_view *kv, query_group *g, u32 r, f32 *scores,
                         i32 begin, u32 keys) {
  const i32 position = g->position + (i32)(r * g->step);
  const i32 low = first_visible(kv->window, position) - begin, high = position + 1 - begin;
  const f32 minus_infinity = -__builtin_inff();
  const bool masked = low > 0 || high < (i32)keys, capped = kv->soft_cap > 0.0f;
  f32x16 most = minus_infinity;
  for (u32 k = 0; k < keys; k += 16) {
    f32x16 s = load_f32x16(scores + k);
    if (capped) s = tanh16(s / kv->soft_cap) * kv->soft_cap;
    if (masked) {
      const i32x16 at = (i32x16)ty_lane + (i32)k;
      s = ((at >= low) & (at < high)) ? s : minus_infinity;
    }
    if (capped | masked) store_f32x16(scores + k, s);
    most = max16(s, most);
  }
  const f32 old = g->m[r], here = max_lanes(most);
  const f32 m = here > old ? here : old, base = m == minus_infinity ? 0.0f : m;
  f32x16 sum = 0.0f;
  for (u32 k = 0; k < keys; k += 16) {
    const f32x16 p = exp16(load_f32x16(scores + k) - base);
    sum += p;
    store_weights(type, (u32 *)scores, k, p);
  }
  const f32 shrink = old == m ? 1.0f : old == minus_infinity ? 0.0f : exp1(old - base);
  g->m[r] = m;
  g->l[r] = g->l[r] * shrink + sum_lanes(sum);
  return shrink;
}

// ---- values ---------------------------------------------------------------------------

// The values of a tile: pairs of positions `begin` to `end`; of the first and the last pair
// one half may be unseen.
typedef struct {
  const u8 *pages[TILE_PAGES];
  const u8 *next[TILE_PAGES];
  u32 begin, end;
  bool skip_first, skip_last;
} value_span;

// `vectors` vectors of columns from column `c`: acc = acc * shrink + p v. `count`: columns of
// the last vector.
TY_INLINE void add_values(const u32 type, const u32 rows, const u32 vectors, const value_span *span,
                          u32 dim, u32 c, u32 count, const u32 *weights, const f32 *shrink,
                          query_group *g) {
  const u32 bytes = element_bytes(type), words = words_of_pair(type);
  // Columns of a bf16 pair are interleaved: twice as far apart, and both positions in one row.
  const u32 column = type == TY_BF16 ? 4 : bytes;
  const u64 pair_bytes = (u64)2 * dim * bytes;
  f32x16 sums[ATTENTION_ROWS][4];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    TY_UNROLL for (u32 v = 0; v < vectors; ++v) {
      const f32 *at = g->acc + r * g->acc_stride + c + v * 16;
      sums[r][v] = g->fresh ? (f32x16)0.0f : load_up_to(at, count) * shrink[r];
    }
  }
  for (u32 i = span->begin; i < span->end;) {
    const u64 skip = (i % 8) * pair_bytes + c * column;
    const u8 *at = span->pages[i / 8] + skip, *next = span->next[i / 8] + skip;
    const u32 page_end = (i / 8 + 1) * 8, end = page_end < span->end ? page_end : span->end;
    for (; i < end; ++i, at += pair_bytes, next += pair_bytes) {
      TY_UNROLL for (u32 v = 0; v < vectors; ++v) {
        if (type == TY_F16) { // a line has two vectors of one position: one of each, of two
          fetch(next + v / 2 * 32 * column + v % 2 * (u64)dim * bytes);
          if (vectors == 1) fetch(next + (u64)dim * bytes);
        } else {
          fetch(next + v * 16 * column);
          if (type != TY_BF16) fetch(next + v * 16 * column + (u64)dim * bytes);
        }
        vector_pair pair = load_pair(type, at + v * 16 * column, (u64)dim * bytes, count);
        if (__builtin_expect((i == span->begin) & span->skip_first, 0)) {
          pair = keep_of_pair(type, pair, false, true);
        }
        if (__builtin_expect((i + 1 == span->end) & span->skip_last, 0)) {
          pair = keep_of_pair(type, pair, !(i == span->begin && span->skip_first), false);
        }
        TY_UNROLL for (u32 r = 0; r < rows; ++r) {
          sums[r][v] = add_pair(type, sums[r][v], pair, weights + r * TILE_KEYS + i * words);
        }
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    TY_UNROLL for (u32 v = 0; v < vectors; ++v) {
      store_first_f32(g->acc + r * g->acc_stride + c + v * 16, sums[r][v], count);
    }
  }
}

// ---- a tile ---------------------------------------------------------------------------

// The pages of a tile, looked up once for all groups. The pages of the next tile are fetched
// while the first group works, since the hardware does not foresee the next page; for the other
// groups `next` is the tile itself.
typedef struct {
  u32 first, end; // pages
  const u8 *keys[TILE_PAGES];
  const u8 *values[TILE_PAGES];
  const u8 *next_keys[TILE_PAGES];
  const u8 *next_values[TILE_PAGES];
} key_tile;

// The pages of a tile that a group sees: `pages` of them after the first `skip`, from position
// `begin`; at least one row sees the positions `from` to `to` after that.
typedef struct {
  u32 skip, pages;
  i32 begin;
  u32 from, to;
} seen_pages;

TY_INLINE seen_pages seen_of(const kv_head_view *kv, const key_tile *tile, const query_group *g,
                             const u32 rows) {
  const i32 last = g->position + (i32)((rows - 1) * g->step);
  const i32 low = first_visible(kv->window, g->position);
  const u32 low_page = (u32)low / TY_PAGE, end_page = (u32)last / TY_PAGE + 1;
  const u32 first = low_page > tile->first ? low_page : tile->first;
  const u32 end = end_page < tile->end ? end_page : tile->end;
  if (first >= end) return (seen_pages){.pages = 0};
  seen_pages seen = {.skip = first - tile->first, .pages = end - first};
  seen.begin = (i32)(first * TY_PAGE);
  const u32 to = (u32)(last + 1 - seen.begin), all = seen.pages * TY_PAGE;
  seen.from = low > seen.begin ? (u32)(low - seen.begin) : 0;
  seen.to = to < all ? to : all;
  return seen;
}

// One group against the pages of a tile that it sees.
TY_INLINE void attend_tile(const u32 type, const u32 rows, const kv_head_view *kv,
                           const key_tile *tile, query_group *g) {
  const seen_pages seen = seen_of(kv, tile, g, rows);
  if (seen.pages == 0) return;

  f32 scores[ATTENTION_ROWS * TILE_KEYS] __attribute__((aligned(64)));
  const u32 pages = seen.pages, dim = kv->head_dim, skip = seen.skip;
  const u32 wide = vectors_a_row(rows);
  const u8 *const *keys = tile->keys + skip, *const *next = tile->next_keys + skip;
  u32 p = 0;
  for (; p + wide <= pages; p += wide) {
    score_pages(type, rows, wide, keys + p, next + p, g->q, dim / 2, scores + p * TY_PAGE);
  }
  for (; p < pages; ++p) {
    score_pages(type, rows, 1, keys + p, next + p, g->q, dim / 2, scores + p * TY_PAGE);
  }

  f32 shrink[ATTENTION_ROWS];
  for (u32 r = 0; r < rows; ++r) {
    shrink[r] = soften_row(type, kv, g, r, scores + r * TILE_KEYS, seen.begin, pages * TY_PAGE);
  }

  value_span span = {.begin = seen.from / 2, .end = (seen.to + 1) / 2};
  span.skip_first = seen.from % 2;
  span.skip_last = seen.to % 2;
  for (u32 i = 0; i < pages; ++i) {
    span.pages[i] = tile->values[skip + i];
    span.next[i] = tile->next_values[skip + i];
  }
  const u32 *weights = (const u32 *)scores;
  u32 c = 0;
  for (; c + wide * 16 <= dim; c += wide * 16) {
    add_values(type, rows, wide, &span, dim, c, 16, weights, shrink, g);
  }
  for (; c + 16 <= dim; c += 16) add_values(type, rows, 1, &span, dim, c, 16, weights, shrink, g);
  if (c < dim) add_values(type, rows, 1, &span, dim, c, dim - c, weights, shrink, g);
  g->fresh = false;
}

TY_INLINE void begin_group(query_group *g) {
  g->fresh = true;
  for (u32 r = 0; r < g->rows; ++r) {
    g->m[r] = -__builtin_inff();
    g->l[r] = 0.0f;
  }
}
