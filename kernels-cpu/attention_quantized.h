// attention_quantized.h -- attention_tile.h's kernel over quantized keys and values.
//
// Bound by   decode: bytes of keys and values (judge by GB/s), of which there are few, so nearly
//            as much by the codes' conversion to f32; prefill: multiply-adds.
//
// Scores     As over floats, by runs of 32 columns: products of bytes sum up exactly in i32, and
//            a run's sum is scaled by the key's and the query's scale in f32.
// Values     A run of 32 columns at a time: weights times the values' scales stand row by row,
//            0 where a row does not see, and multiply codes.
//
// Numerics   Weights are not rounded. Whatever stands in a place that a row does not see, scales
//            of NaN included, does not reach it: its weight is 0 there and codes are finite.

#pragma once

#include "attention_tile.h"

// ---- scores ---------------------------------------------------------------------------

// Adds four columns: unsigned codes in the bytes of each lane, x as pack_query_codes left it.
TY_INLINE i32x16 dot_codes(i32x16 sum, u32x16 codes, const u32 *x, u32 rows) {
#if TY_HAS_BYTE_DOT
  return (void)rows, dot_bytes(sum, codes, x[0]);
#else
  sum += dot_words(codes & 0x00ff00ff, (u32x16)x[0]);
  return sum + dot_words(codes >> 8 & 0x00ff00ff, (u32x16)x[rows]);
#endif
}

// Pages that a call takes, so that sums of both kinds stay in registers.
TY_INLINE u32 code_pages(const u32 rows) {
  const u32 wide = vectors_a_row(rows);
  return rows > 4 ? 1 : rows > 2 && wide > 1 ? wide / 2 : wide;
}

// As score_pages.
TY_INLINE void score_codes(const u32 type, const u32 rows, const u32 pages, const u8 *const *keys,
                           const u8 *const *next, const u32 *q, u32 dim, f32 *scores) {
  const u32 bits = cache_bits(type), step = CODE_WORDS * rows;
  f32x16 sums[ATTENTION_ROWS][4];
  TY_UNROLL for (u32 p = 0; p < pages; ++p) {
    TY_UNROLL for (u32 r = 0; r < rows; ++r) sums[r][p] = 0.0f;
  }
  for (u32 g = 0; g < dim / TY_CACHE_RUN; ++g, q += RUN_WORDS * rows) {
    const f32 *scale = (const f32 *)(q + 8 * step);
    const i32 *start = (const i32 *)(scale + rows);
    const u64 codes = scales_bytes(dim) + (u64)g * bits * 64;
    i32x16 d[ATTENTION_ROWS][4];
    TY_UNROLL for (u32 p = 0; p < pages; ++p) {
      TY_UNROLL for (u32 r = 0; r < rows; ++r) d[r][p] = start[r];
    }
    TY_UNROLL for (u32 j = 0; j < bits; ++j) {
      TY_UNROLL for (u32 p = 0; p < pages; ++p) {
        const u32x16 word = load_u32x16(keys[p] + codes + j * 64);
        fetch(next[p] + codes + j * 64);
        TY_UNROLL for (u32 r = 0; r < rows; ++r) {
          if (type == TY_CACHE_Q8_0) {
            d[r][p] = dot_codes(d[r][p], word, q + j * step + r, rows);
          } else {
            d[r][p] = dot_codes(d[r][p], word & 0x0f0f0f0f, q + 2 * j * step + r, rows);
            d[r][p] = dot_codes(d[r][p], word >> 4 & 0x0f0f0f0f, q + (2 * j + 1) * step + r, rows);
          }
        }
      }
    }
    TY_UNROLL for (u32 p = 0; p < pages; ++p) {
      const f32x16 of_keys = f32_from_f16(load_u16x16(keys[p] + g * TY_PAGE * 2));
      TY_UNROLL for (u32 r = 0; r < rows; ++r) {
        sums[r][p] = fma16(__builtin_convertvector(d[r][p], f32x16), of_keys * scale[r], sums[r][p]);
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    TY_UNROLL for (u32 p = 0; p < pages; ++p) {
      store_f32x16(scores + r * TILE_KEYS + p * TY_PAGE, sums[r][p]);
    }
  }
}

// ---- values ---------------------------------------------------------------------------

// The values of a tile of codes: positions `from` to `to` of `pages`.
typedef struct {
  const u8 *const *pages;
  const u8 *const *next;
  u32 from, to;
} code_span;

// Row r's weights p times the scales of run `run`; 0 where the row does not see.
TY_INLINE void scale_weights(const kv_head_view *kv, const query_group *g, u32 r, const u8 *const *values,
                            const seen_pages *seen, u32 run, const f32 *p, f32 *scaled) {
  const i32 position = g->position + (i32)(r * g->step);
  const i32 low = first_visible(kv->window, position) - seen->begin, high = position + 1 - seen->begin;
  for (u32 i = 0; i < seen->pages; ++i) {
    const f32x16 scale = f32_from_f16(load_u16x16(values[i] + run * TY_PAGE * 2));
    const i32x16 at = (i32x16)ty_lane + (i32)(i * TY_PAGE);
    const f32x16 product = load_f32x16(p + i * TY_PAGE) * scale;
    store_f32x16(scaled + i * TY_PAGE, ((at >= low) & (at < high)) ? product : 0.0f);
  }
}

// Sixteen codes of values as f32; of Q4_0 the low or the high halves.
TY_INLINE f32x16 load_codes(const u32 type, const u8 *at, const u32 half) {
  if (type == TY_CACHE_Q8_0) {
    const i8x16 codes = *(const i8x16_at *)(at + 16 * half);
    return __builtin_convertvector(__builtin_convertvector(codes, i32x16), f32x16);
  }
  const i32x16 both = __builtin_convertvector(*(const i8x16_at *)at, i32x16);
  const i32x16 codes = (half ? both : both << 28 >> 24) >> 4;
  return __builtin_convertvector(codes, f32x16);
}

// Columns of run `run`, `vectors` vectors of them from the half `first`: acc = acc * shrink + w v.
TY_INLINE void add_codes(const u32 type, const u32 rows, const u32 vectors, const u32 first,
                         const code_span *span, u32 dim, u32 run, const f32 *weights,
                         const f32 *shrink, query_group *g) {
  const u64 stride = (u64)dim * cache_bits(type) / 8;
  const u64 skip = scales_bytes(dim) + run * TY_CACHE_RUN * cache_bits(type) / 8;
  const u32 c = run * TY_CACHE_RUN + first * 16;
  f32x16 sums[ATTENTION_ROWS][2];
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    TY_UNROLL for (u32 v = 0; v < vectors; ++v) {
      const f32 *at = g->acc + r * g->acc_stride + c + v * 16;
      sums[r][v] = g->fresh ? (f32x16)0.0f : load_f32x16(at) * shrink[r];
    }
  }
  for (u32 k = span->from; k < span->to;) {
    const u32 page_end = (k / TY_PAGE + 1) * TY_PAGE, end = page_end < span->to ? page_end : span->to;
    const u8 *at = span->pages[k / TY_PAGE] + skip + k % TY_PAGE * stride;
    const u8 *next = span->next[k / TY_PAGE] + skip + k % TY_PAGE * stride;
    for (; k < end; ++k, at += stride, next += stride) {
      fetch(next);
      TY_UNROLL for (u32 v = 0; v < vectors; ++v) {
        const f32x16 codes = load_codes(type, at, first + v);
        TY_UNROLL for (u32 r = 0; r < rows; ++r) {
          sums[r][v] = fma16(codes, weights[r * TILE_KEYS + k], sums[r][v]);
        }
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < rows; ++r) {
    TY_UNROLL for (u32 v = 0; v < vectors; ++v) {
      store_f32x16(g->acc + r * g->acc_stride + c + v * 16, sums[r][v]);
    }
  }
}

// ---- a tile ---------------------------------------------------------------------------

// One group against the pages of a tile that it sees.
TY_INLINE void attend_codes(const u32 type, const u32 rows, const kv_head_view *kv,
                            const key_tile *tile, query_group *g) {
  const seen_pages seen = seen_of(kv, tile, g, rows);
  if (seen.pages == 0) return;

  f32 scores[ATTENTION_ROWS * TILE_KEYS] __attribute__((aligned(64)));
  f32 scaled[ATTENTION_ROWS * TILE_KEYS] __attribute__((aligned(64)));
  const u32 dim = kv->head_dim, wide = code_pages(rows);
  const u8 *const *keys = tile->keys + seen.skip, *const *next = tile->next_keys + seen.skip;
  u32 p = 0;
  for (; p + wide <= seen.pages; p += wide) {
    score_codes(type, rows, wide, keys + p, next + p, g->q, dim, scores + p * TY_PAGE);
  }
  for (; p < seen.pages; ++p) {
    score_codes(type, rows, 1, keys + p, next + p, g->q, dim, scores + p * TY_PAGE);
  }

  f32 shrink[ATTENTION_ROWS];
  for (u32 r = 0; r < rows; ++r) {
    shrink[r] = soften_row(type, kv, g, r, scores + r * TILE_KEYS, seen.begin, seen.pages * TY_PAGE);
  }

  const u8 *const *values = tile->values + seen.skip;
  const code_span span = {values, tile->next_values + seen.skip, seen.from, seen.to};
  for (u32 run = 0; run < dim / TY_CACHE_RUN; ++run) {
    for (u32 r = 0; r < rows; ++r) {
      scale_weights(kv, g, r, values, &seen, run, scores + r * TILE_KEYS, scaled + r * TILE_KEYS);
    }
#if TY_WIDE_REGISTERS == 2
    add_codes(type, rows, 2, 0, &span, dim, run, scaled, shrink, g);
#else
    add_codes(type, rows, 1, 0, &span, dim, run, scaled, shrink, g);
    add_codes(type, rows, 1, 1, &span, dim, run, scaled, shrink, g);
#endif
  }
  g->fresh = false;
}
