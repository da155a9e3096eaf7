// attention.h -- grouped-query attention over the paged cache, read in place, with an online
// softmax (Milakov and Gimelshein, 2018) in f32. The layout of the cache and the interface;
// the bodies are in attention_*.h.
//
// A block holds, for each layer, 16 positions (S) of G heads of D elements:
//
//   TY_F32, TY_F16  keys [G][D][S], values [G][S][D]; so has TY_CACHE_E4M3
//   TY_BF16         keys [G][D/2][S][2], values [G][S/2][D][2]
//
// so that scores of 16 positions are the lanes of one register, and no reduction across lanes
// is needed. Quantized caches have an f16 scale for every 32 elements of a head at one position;
// a head's keys, and its values, are scales f16 [D/32][S], then codes:
//
//   TY_CACHE_Q8_0   keys   [D/4][S] u32: byte b of word j is column 4j + b, its code plus 128
//                   values [S][D] i8 codes
//   TY_CACHE_Q4_0   keys   [D/8][S] u32: of byte b of word j the low half is column 8j + b, the
//                          high half column 8j + 4 + b
//                   values [S][D/32][16]: of byte i of a group the low half is column i of its
//                          32, the high half column 16 + i, as signed halves code - 8
//
// An element is scale * code (Q8_0, codes -127 to 127) or scale * (code - 8) (Q4_0, 0 to 15);
// attention_codes.h says how codes are chosen. Position p of a sequence is in block tables[p / S] at offset p % S. Scaled
// queries and the softmax's weights are rounded to the cache's element type, but to none of 8 bits;
// sums are f32. An f32 goes to the nearest 8-bit float, beyond 448 to that; what is not finite is NaN.
// Over quantized keys, scaled queries are i8 with a scale for every 32 columns, weights stay f32.
// Positions beyond the query's, or before its window, are not read as numbers: whatever a
// recycled block holds there, NaN included, does not show.
//
// Decode splits a long context: a split is a run of whole pages, and its result is a partial
// (m, l, acc[D]) a head: the largest score, the sum of exp(score - m), the weighted values.
// The number of splits depends on the position alone, so results do not depend on workers.
//
// Sinks (f32 [heads], null for none) are one more score a head, neither scaled nor capped: they
// add exp(sink - m) to the sum l, once, where a head is finished: by the combination of its
// splits, or at the end of a prefill's call.

#pragma once

#include "program.h"

#define TY_MAX_SPLITS 16

// f32s of one partial: m, l and acc, padded so that acc is 64-byte aligned.
static inline u32 ty_partial_stride(u32 head_dim) { return 16 + (head_dim + 15) / 16 * 16; }

// Splits of the context of a query at `position` (>= 0): 1 to TY_MAX_SPLITS.
static u32 ty_attention_splits(const ty_attention *attention, i32 position);

// Writes one position's key and value of head `kv_head`, f32 [head_dim] each, to the cache.
static void ty_attention_append(const ty_attention *attention, u8 *cache, const i32 slot[2],
                                u32 kv_head, const f32 *k, const f32 *v);

// A part of a decode: one query position, the heads of `kv_head`, split `split` of `splits`.
typedef struct {
  const i32 *table; // the sequence's
  i32 position;
  u32 kv_head, split, splits;
} ty_attention_part;

// q f32 [heads of it][D], one after the other; partials [heads of it][TY_MAX_SPLITS]
// [ty_partial_stride]. `next` is a part that this worker may compute next, or null: its keys and
// values are asked for meanwhile.
static void ty_attention_decode(const ty_attention *attention, const u8 *cache, const ty_attention_part *part,
                                const ty_attention_part *next, const f32 *q, f32 *partials);

// Asks for the keys and values with which a part begins.
static void ty_attention_fetch(const ty_attention *attention, const u8 *cache, const ty_attention_part *part);

// All heads of one query: partials [heads][TY_MAX_SPLITS][ty_partial_stride] to out f32 [heads * D].
static void ty_attention_combine(const ty_attention *attention, const f32 *sinks, const f32 *partials,
                                 u32 splits, f32 *out);

// Tokens of one sequence at consecutive positions, the heads of `kv_head`: `n` tokens, the
// first at `position`; q and out are their first rows of all heads, strides in f32s. Their keys and values
// are in the cache already. `matrix`: through matrix registers where they serve (attention_amx.h).
static void ty_attention_prefill(const ty_attention *attention, bool matrix, const f32 *sinks, const u8 *cache,
                                 const i32 *table, i32 position, u32 n, const f32 *q, u32 q_stride,
                                 u32 kv_head, f32 *out, u32 out_stride);

// Tokens that one call of ty_attention_prefill takes best.
static u32 ty_attention_tokens(const ty_attention *attention, bool matrix);
