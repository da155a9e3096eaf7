// attention_amx.h -- attention_prefill.h's task in the matrix registers of AMX, over caches of f16
// and bf16.
//
// Math       attention_tile.h. A register holds 16 tokens of one head, 16 positions or 16 columns.
//            An f16 is the sum of two bf16, its high and its low part: a product of two f16 is the
//            three of parts that count, high x high + low x high + high x low.
// Bound by   exponentials, 16 lanes at a time, then the matrix unit (judge by FLOP/s).
// Order      Tiles of AMX_KEYS positions outside, from a multiple of it, groups of 16 tokens of a
//            head inside: keys and values become right operands once for all heads and tokens of
//            a call.
// Numerics   Scaled queries are rounded to the cache's type; weights p to bf16 for a cache of
//            bf16, and to two bf16 for one of f16. l sums p before that. Of a product of f16 less
//            than 2^-15 is left out. A row's bits do not depend on the other rows of a call: what
//            it does not see adds zeros. Positions that no row sees are cleared; where one that is
//            seen is not finite, the call is left to attention_tile.h.

#pragma once

#include "attention_amx_operands.h"

#if TY_HAS_AMX

// ---- groups of tokens -----------------------------------------------------------------

// Sixteen consecutive tokens of one head, of which `rows` exist, from `position`.
typedef struct {
  f32x16 m, l;
  const u8 *q[2]; // high and low parts: [head_dim / 32][16][32] bf16
  f32 *acc;       // [16][head_dim]
  f32 *out;       // of its first token
  f32 sink;
  i32 position;
  u32 rows;
} amx_group;

// q times scale, rounded to the cache's type, to left operands. What does not exist is zero.
TY_INLINE void amx_query(const u32 type, u32 dim, const f32 *q, u32 q_stride, f32 scale, u32 rows, u8 *high,
                         u8 *low) {
  for (u32 c = 0; c < dim; c += AMX_RUN) {
    for (u32 r = 0; r < 16; ++r, high += 64, low += 64) {
      f32x16 v[2] = {0.0f, 0.0f};
      if (r < rows) {
        const f32 *from = q + (u64)r * q_stride + c;
        v[0] = round_to(type, load_f32x16(from) * scale);
        v[1] = round_to(type, load_f32x16(from + 16) * scale);
      }
      TY_UNROLL for (u32 i = 0; i < 2; ++i) {
        store_u16x16(high + i * 32, __builtin_convertvector(bits_of16(v[i]) >> 16, u16x16));
        if (type == TY_BF16) continue;
        store_u16x16(low + i * 32, __builtin_convertvector(bits_of16(lower_part(v[i])) >> 16, u16x16));
      }
    }
  }
}

// Scores of four pages from `page`, or of two: to scores [16][AMX_KEYS].
TY_AMX_INLINE void amx_scores(const bool parts, const amx_group *g, const amx_operands *operands, u32 dim,
                              u32 page, const bool four, f32 *scores) {
  const u64 bytes = (u64)dim * TY_PAGE * 2, at = page * bytes;
  _tile_zero(0);
  _tile_zero(1);
  if (four) {
    _tile_zero(2);
    _tile_zero(3);
  }
#define AMX_SCORE(sum, i)                                                    \
  do {                                                                       \
    _tile_loadd(6, operands->keys[0] + at + (i) * bytes + run * AMX_BLOCK, 64);   \
    _tile_dpbf16ps(sum, 4, 6);                                               \
    if (parts) {                                                             \
      _tile_dpbf16ps(sum, 5, 6);                                             \
      _tile_loadd(7, operands->keys[1] + at + (i) * bytes + run * AMX_BLOCK, 64); \
      _tile_dpbf16ps(sum, 4, 7);                                             \
    }                                                                        \
  } while (0)
  for (u32 run = 0; run < dim / AMX_RUN; ++run) {
    _tile_loadd(4, g->q[0] + run * AMX_BLOCK, 64);
    if (parts) _tile_loadd(5, g->q[1] + run * AMX_BLOCK, 64);
    AMX_SCORE(0, 0);
    AMX_SCORE(1, 1);
    if (four) {
      AMX_SCORE(2, 2);
      AMX_SCORE(3, 3);
    }
  }
#undef AMX_SCORE
  scores += page * TY_PAGE;
  _tile_stored(0, scores, AMX_KEYS * 4);
  _tile_stored(1, scores + 16, AMX_KEYS * 4);
  if (four) {
    _tile_stored(2, scores + 32, AMX_KEYS * 4);
    _tile_stored(3, scores + 48, AMX_KEYS * 4);
  }
}

// The largest score of each row, capped; those that a row does not see become -inf.
TY_INLINE f32x16 amx_largest(const kv_head_view *kv, const amx_group *g, i32 begin, u32 keys, f32 *scores) {
  f32 most[16] __attribute__((aligned(64)));
  const bool capped = kv->soft_cap > 0.0f;
  for (u32 r = 0; r < 16; ++r, scores += AMX_KEYS) {
    const i32 position = g->position + (i32)r;
    const i32 low = first_visible(kv->window, position) - begin, high = position + 1 - begin;
    const bool masked = low > 0 || high < (i32)keys;
    f32x16 largest = -__builtin_inff();
    for (u32 k = 0; k < keys; k += 16) {
      f32x16 s = load_f32x16(scores + k);
      if (__builtin_expect(capped | masked, 0)) {
        if (capped) s = tanh16(s / kv->soft_cap) * kv->soft_cap;
        const i32x16 at = (i32x16)ty_lane + (i32)k;
        s = ((at >= low) & (at < high)) ? s : -__builtin_inff();
        store_f32x16(scores + k, s);
      }
      largest = max16(s, largest);
    }
    most[r] = max_lanes(largest);
  }
  return load_f32x16(most);
}

#define AMX_LOG2_E 1.44269504f

// e^v / e^b, where `base` is -b times AMX_LOG2_E and v at most b: 2^t by a polynomial of degree 5 on the
// fraction of t (minimax, relative error below 2e-7; that of t adds its size times 2^-24).
TY_AMX_INLINE f32x16 amx_exp(f32x16 v, f32 base) {
  const f32x16 t = fma16(v, AMX_LOG2_E, base);
  const f32x16 f = (f32x16)_mm512_reduce_ps((__m512)t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  f32x16 p = 1.8775766948e-3f;
  p = fma16(p, f, 8.9893406257e-3f);
  p = fma16(p, f, 5.5826317519e-2f);
  p = fma16(p, f, 2.4015361071e-1f);
  p = fma16(p, f, 6.9315308332e-1f);
  p = fma16(p, f, 9.9999994040e-1f);
  return (f32x16)_mm512_scalef_ps((__m512)p, (__m512)t);
}

// The weights of 32 scores as left operands.
TY_AMX_INLINE void amx_weights(const bool parts, f32x16 first, f32x16 second, u8 *high, u8 *low) {
  if (!parts) {
    store_u32x16(high, (u32x16)_mm512_cvtne2ps_pbh((__m512)second, (__m512)first));
    return;
  }
  static const u16 odd[32] __attribute__((aligned(64))) = {
      1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
      33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
  const __m512i halves = _mm512_permutex2var_epi16((__m512i)first, *(const __m512i *)odd, (__m512i)second);
  store_u32x16(high, (u32x16)halves);
  const __m512 f = (__m512)lower_part(first), s = (__m512)lower_part(second);
  store_u32x16(low, (u32x16)_mm512_cvtne2ps_pbh(s, f));
}

// Weights of `keys` scores (a multiple of 32) to [keys / 32][16][32]; updates m and l, and answers
// what acc is to be multiplied with.
TY_AMX_INLINE f32x16 amx_soften(const bool parts, const kv_head_view *kv, amx_group *g, i32 begin, u32 keys,
                                f32 *scores, u8 *high, u8 *low) {
  const f32x16 here = amx_largest(kv, g, begin, keys, scores), m = max16(here, g->m);
  const f32x16 base = m == -__builtin_inff() ? 0.0f : m;
  f32 bases[16] __attribute__((aligned(64))), sums[16] __attribute__((aligned(64)));
  store_f32x16(bases, base * -AMX_LOG2_E);
  for (u32 r = 0; r < 16; ++r, scores += AMX_KEYS, high += 64, low += 64) {
    f32x16 sum = 0.0f;
    for (u32 k = 0; k < keys; k += 32) {
      const f32x16 first = amx_exp(load_f32x16(scores + k), bases[r]);
      const f32x16 second = amx_exp(load_f32x16(scores + k + 16), bases[r]);
      sum += first + second;
      amx_weights(parts, first, second, high + k * 32, low + k * 32);
    }
    sums[r] = sum_lanes(sum);
  }
  const f32x16 shrink = g->m == m ? (f32x16)1.0f : exp16(g->m - base);
  g->m = m;
  g->l = g->l * shrink + load_f32x16(sums);
  return shrink;
}

// Columns `c` to `c + 16 * tiles` of acc = acc * shrink + p v over `runs` runs of 32 positions.
TY_AMX_INLINE void amx_columns(const bool parts, const u32 tiles, const amx_group *g,
                               const amx_operands *operands, u32 dim, u32 c, u32 runs, const u8 *high,
                               const u8 *low, const f32 *shrink) {
  f32 sums[16 * 64] __attribute__((aligned(64)));
  _tile_zero(0);
  _tile_zero(1);
  if (tiles == 4) {
    _tile_zero(2);
    _tile_zero(3);
  }
#define AMX_VALUE(sum, i)                                                \
  do {                                                                   \
    _tile_loadd(6, operands->values[0] + at + (i) * AMX_BLOCK, 64);      \
    _tile_dpbf16ps(sum, 4, 6);                                           \
    if (parts) {                                                         \
      _tile_dpbf16ps(sum, 5, 6);                                         \
      _tile_loadd(7, operands->values[1] + at + (i) * AMX_BLOCK, 64);    \
      _tile_dpbf16ps(sum, 4, 7);                                         \
    }                                                                    \
  } while (0)
  for (u32 run = 0; run < runs; ++run) {
    const u64 at = (u64)run * dim * 64 + c * 64;
    _tile_loadd(4, high + run * AMX_BLOCK, 64);
    if (parts) _tile_loadd(5, low + run * AMX_BLOCK, 64);
    AMX_VALUE(0, 0);
    AMX_VALUE(1, 1);
    if (tiles == 4) {
      AMX_VALUE(2, 2);
      AMX_VALUE(3, 3);
    }
  }
#undef AMX_VALUE
  const u32 width = tiles * 16;
  _tile_stored(0, sums, width * 4);
  _tile_stored(1, sums + 16, width * 4);
  if (tiles == 4) {
    _tile_stored(2, sums + 32, width * 4);
    _tile_stored(3, sums + 48, width * 4);
  }
  f32 *acc = g->acc + c;
  for (u32 r = 0; r < 16; ++r, acc += dim) {
    TY_UNROLL for (u32 i = 0; i < width; i += 16) {
      store_f32x16(acc + i, fma16(load_f32x16(acc + i), shrink[r], load_f32x16(sums + r * width + i)));
    }
  }
}

TY_AMX_INLINE void amx_values(const bool parts, const amx_group *g, const amx_operands *operands, u32 dim,
                              u32 runs, const u8 *high, const u8 *low, f32x16 shrink) {
  f32 factors[16] __attribute__((aligned(64)));
  store_f32x16(factors, shrink);
  u32 c = 0;
  for (; c + 64 <= dim; c += 64) amx_columns(parts, 4, g, operands, dim, c, runs, high, low, factors);
  if (c < dim) amx_columns(parts, 2, g, operands, dim, c, runs, high, low, factors);
}

// One group against the pages `first` to `end` of a tile that begins with page `first`.
TY_AMX_INLINE void amx_attend(const bool parts, const kv_head_view *kv, amx_group *g,
                              const amx_operands *operands, u32 first, u32 end) {
  const u32 last = (u32)(g->position + (i32)g->rows - 1) / TY_PAGE + 1;
  const u32 low = (u32)first_visible(kv->window, g->position) / TY_PAGE;
  if (last <= first || low >= end) return;
  const u32 pages = ((last < end ? last : end) - first + 1) / 2 * 2, keys = pages * TY_PAGE;
  f32 scores[16 * AMX_KEYS] __attribute__((aligned(64)));
  u8 weights[2][16 * AMX_KEYS * 2] __attribute__((aligned(64)));
  u32 page = 0;
  for (; page + 4 <= pages; page += 4) amx_scores(parts, g, operands, kv->head_dim, page, true, scores);
  if (page < pages) amx_scores(parts, g, operands, kv->head_dim, page, false, scores);
  const i32 begin = (i32)(first * TY_PAGE);
  const f32x16 shrink = amx_soften(parts, kv, g, begin, keys, scores, weights[0], weights[1]);
  amx_values(parts, g, operands, kv->head_dim, pages / 2, weights[0], weights[1], shrink);
}

TY_AMX static __attribute__((noinline)) void amx_attend_f16(const kv_head_view *kv, amx_group *g,
                                                            const amx_operands *operands, u32 first, u32 end) {
  amx_attend(true, kv, g, operands, first, end);
}

TY_AMX static __attribute__((noinline)) void amx_attend_bf16(const kv_head_view *kv, amx_group *g,
                                                             const amx_operands *operands, u32 first, u32 end) {
  amx_attend(false, kv, g, operands, first, end);
}

// Divides by the sum of weights, as finish_group.
TY_INLINE void amx_finish(const amx_group *g, u32 dim, u32 out_stride) {
  const f32x16 largest = g->m > g->sink ? g->m : g->sink;
  const f32x16 base = largest == -__builtin_inff() ? 0.0f : largest;
  const f32x16 weight = exp16(g->m - base), total = g->l * weight + exp16(g->sink - base);
  f32 inverse[16] __attribute__((aligned(64)));
  store_f32x16(inverse, weight / total);
  for (u32 r = 0; r < g->rows; ++r) {
    for (u32 c = 0; c < dim; c += 16) {
      store_f32x16(g->out + (u64)r * out_stride + c, load_f32x16(g->acc + r * dim + c) * inverse[r]);
    }
  }
}

// ---- a call ---------------------------------------------------------------------------

// Groups of one call: tokens by 16, then heads.
typedef struct {
  u8 queries[AMX_QUERY_BYTES];
  f32 acc[AMX_QUERY_BYTES / 4];
  amx_group groups[AMX_QUERY_GROUPS];
  u32 count;
} amx_call;

// How many groups of a call fit its memory.
TY_INLINE u32 amx_most_groups(u32 dim) {
  const u32 room = AMX_QUERY_BYTES / (dim * 16 * 4);
  return room < AMX_QUERY_GROUPS ? room : AMX_QUERY_GROUPS;
}

// All groups of a call against all that they see. False where something of that is not finite.
static bool amx_walk(const kv_head_view *kv, amx_call *call, amx_operands *operands, seen_span seen) {
  const u32 end = (u32)(seen.high - 1) / TY_PAGE + 1;
  for (u32 page = (u32)seen.low / AMX_KEYS * AMX_PAGES; page < end; page += AMX_PAGES) {
    const u32 next = end - page < AMX_PAGES ? end : page + AMX_PAGES;
    const bool bf16 = kv->type == TY_BF16;
    const bool finite = bf16 ? amx_take_bf16(kv, page, next - page, seen, operands)
                             : amx_take_f16(kv, page, next - page, seen, operands);
    if (!finite) return false;
    for (u32 g = 0; g < call->count; ++g) {
      if (bf16) {
        amx_attend_bf16(kv, &call->groups[g], operands, page, next);
      } else {
        amx_attend_f16(kv, &call->groups[g], operands, page, next);
      }
    }
  }
  return true;
}

// Group `index` of a call of `n` tokens: 16 tokens of a head.
static void amx_group_begin(const ty_attention *a, const f32 *sinks, i32 position, u32 n, const f32 *q,
                            u32 q_stride, f32 *out, u32 out_stride, u32 index, amx_call *call) {
  const u32 dim = a->head_dim, groups = (n + 15) / 16, head = index / groups, token = index % groups * 16;
  const u64 bytes = (u64)dim * 16 * 2;
  u8 *high = call->queries + 2 * call->count * bytes, *low = high + bytes;
  f32 *acc = call->acc + (u64)call->count * dim * 16;
  const u32 rows = n - token < 16 ? n - token : 16;
  const f32 *from = q + (u64)token * q_stride + head * dim;
  if (a->kv_format == TY_BF16) {
    amx_query(TY_BF16, dim, from, q_stride, a->scale, rows, high, low);
  } else {
    amx_query(TY_F16, dim, from, q_stride, a->scale, rows, high, low);
  }
  for (u32 i = 0; i < dim * 16; i += 16) store_f32x16(acc + i, 0.0f);
  call->groups[call->count++] = (amx_group){
      .m = -__builtin_inff(),
      .l = 0.0f,
      .q = {high, low},
      .acc = acc,
      .out = out + (u64)token * out_stride + head * dim,
      .sink = sinks ? sinks[head] : -__builtin_inff(),
      .position = position + (i32)token,
      .rows = rows,
  };
}

// As ty_attention_prefill, for at most AMX_TOKENS tokens. False where something that is seen is not
// finite: then `out` is not yet right.
TY_AMX static __attribute__((noinline)) bool amx_prefill(const ty_attention *a, const f32 *sinks,
                                                         const kv_head_view *kv, i32 position, u32 n,
                                                         const f32 *q, u32 q_stride, f32 *out,
                                                         u32 out_stride) {
  amx_operands operands __attribute__((aligned(64)));
  amx_call call __attribute__((aligned(64)));
  const u32 all = a->heads / a->kv_heads * ((n + 15) / 16), most = amx_most_groups(a->head_dim);
  const seen_span seen = {first_visible(kv->window, position), position + (i32)n};
  bool finite = true;
  amx_configure();
  for (u32 index = 0; finite && index < all;) {
    const u32 end = all - index < most ? all : index + most;
    call.count = 0;
    for (; index < end; ++index) {
      amx_group_begin(a, sinks, position, n, q, q_stride, out, out_stride, index, &call);
    }
    finite = amx_walk(kv, &call, &operands, seen);
    for (u32 g = 0; g < call.count; ++g) amx_finish(&call.groups[g], a->head_dim, out_stride);
  }
  _tile_release();
  return finite;
}

#else

static bool amx_prefill(const ty_attention *a, const f32 *sinks, const kv_head_view *kv, i32 position,
                        u32 n, const f32 *q, u32 q_stride, f32 *out, u32 out_stride) {
  (void)a, (void)sinks, (void)kv, (void)position, (void)n, (void)q, (void)q_stride, (void)out;
  (void)out_stride;
  return false;
}

#endif
