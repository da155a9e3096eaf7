// rows.h -- operations on one row of f32s: everything between products and attentions.
//
// Math       as program.h says of each TY_ROW_ kind
// Bound by   the first-level cache: rows are a few KiB, and one operation reads what the one
//            before it wrote
// Numerics   f32. Means and sums in 16 lanes, folded in a fixed order. Angles: position times
//            frequency in f32, as transformers computes it, then cosine and sine in f64,
//            rounded once. RMS norm divides by a correctly rounded square root.

#pragma once

#include "attention.h"
#include "experts.h"
#include "linear.h"
#include "simd.h"

typedef struct {
  u64 base[TY_SPACES];
  const ty_attention *attentions;
  ty_format formats; // the bits of a format that this step's kernels may see
  const ty_route *routes;
  u32 n_tokens;
  bool alone; // rows of a product are packed alone, behind the place of all (program.h, TY_ROW_PACK)
} ty_rows_context;

static u8 *ty_at(const ty_rows_context *context, ty_ref ref) {
  return (u8 *)(context->base[ref >> 56] + (ref & 0x00ffffffffffffffu));
}

static const i32 *ty_inputs(const ty_rows_context *context, u32 space) {
  return (const i32 *)context->base[space];
}

static f32 *ty_row_at(const ty_rows_context *context, ty_row row, u32 r) {
  return (f32 *)(ty_at(context, row.ref) + row.stride * r);
}

// dst = f(x), and dst = f(x, y), over `width` f32s.
#define TY_MAP1(expression)                                    \
  do {                                                         \
    u32 i = 0;                                                 \
    for (; i + 16 <= width; i += 16) {                         \
      const f32x16 x = load_f32x16(a + i);                     \
      store_f32x16(dst + i, expression);                       \
    }                                                          \
    if (i < width) {                                           \
      const f32x16 x = load_first_f32(a + i, width - i);       \
      store_first_f32(dst + i, expression, width - i);         \
    }                                                          \
  } while (0)

#define TY_MAP2(expression)                                                       \
  do {                                                                            \
    u32 i = 0;                                                                    \
    for (; i + 16 <= width; i += 16) {                                            \
      const f32x16 x = load_f32x16(a + i), y = load_f32x16(b + i);                \
      store_f32x16(dst + i, expression);                                          \
    }                                                                             \
    if (i < width) {                                                              \
      const f32x16 x = load_first_f32(a + i, width - i);                          \
      const f32x16 y = load_first_f32(b + i, width - i);                          \
      store_first_f32(dst + i, expression, width - i);                            \
    }                                                                             \
  } while (0)

// As the operations of these names are defined: NaN where either is.
TY_INLINE f32x16 maximum16(f32x16 a, f32x16 b) { return ((a > b) | (a != a)) ? a : b; }
TY_INLINE f32x16 minimum16(f32x16 a, f32x16 b) { return ((a < b) | (a != a)) ? a : b; }

// 1 / sqrt(v), each step correctly rounded.
static f32 inverse_root(f32 v) { return 1.0f / __builtin_sqrtf(v); }

// The mean of a segment.
static f32 row_mean(const f32 *x, u32 segment) {
  f32x16 sums = 0;
  u32 i = 0;
  for (; i + 16 <= segment; i += 16) sums += load_f32x16(x + i);
  sums += load_first_f32(x + i, segment - i);
  return sum_lanes(sums) / (f32)segment;
}

// A row without the means of its segments.
static void row_centre(f32 *dst, const f32 *a, u32 width, u32 segment) {
  for (u32 begin = 0; begin < width; begin += segment) {
    const f32 mean = row_mean(a + begin, segment);
    for (u32 i = begin; i < begin + segment; i += 16) {
      const u32 n = begin + segment - i < 16 ? begin + segment - i : 16;
      store_first_f32(dst + i, load_first_f32(a + i, n) - mean, n);
    }
  }
}

static void row_norm(f32 *dst, const f32 *a, const f32 *w, u32 width, u32 segment, f32 epsilon, f32 offset) {
  for (u32 begin = 0; begin < width; begin += segment) {
    const f32 *x = a + begin;
    f32 *y = dst + begin;
    f32x16 sums = 0;
    u32 i = 0;
    for (; i + 16 <= segment; i += 16) {
      const f32x16 v = load_f32x16(x + i);
      sums = fma16(v, v, sums);
    }
    const u32 rest = segment - i;
    const f32x16 last = load_first_f32(x + i, rest);
    sums = fma16(last, last, sums);
    const f32 inverse = inverse_root(sum_lanes(sums) / (f32)segment + epsilon);
    for (i = 0; i + 16 <= segment; i += 16)
      store_f32x16(y + i, load_f32x16(x + i) * inverse * (load_f32x16(w + i) + offset));
    store_first_f32(y + i, last * inverse * (load_first_f32(w + i, rest) + offset), rest);
  }
}

static f32x16 logistic16(f32x16 x) { return 1.0f / (1.0f + exp16(-x)); }

static void row_unary(u32 function, f32 *dst, const f32 *a, u32 width) {
  switch (function) {
    case TY_NEGATE: TY_MAP1(-x); break;
    case TY_EXP: TY_MAP1(exp16(x)); break;
    case TY_LOGISTIC: TY_MAP1(logistic16(x)); break;
    case TY_TANH: TY_MAP1(tanh16(x)); break;
    case TY_ERF: TY_MAP1(erf16(x)); break;
    case TY_SQRT: for (u32 i = 0; i < width; i++) dst[i] = __builtin_sqrtf(a[i]); break;
    case TY_RSQRT: for (u32 i = 0; i < width; i++) dst[i] = inverse_root(a[i]); break;
  }
}

static void row_binary(u32 function, f32 *dst, const f32 *a, const f32 *b, u32 width) {
  switch (function) {
    case TY_ADD: TY_MAP2(x + y); break;
    case TY_SUBTRACT: TY_MAP2(x - y); break;
    case TY_MULTIPLY: TY_MAP2(x * y); break;
    case TY_DIVIDE: TY_MAP2(x / y); break;
    case TY_MAXIMUM: TY_MAP2(maximum16(x, y)); break;
    case TY_MINIMUM: TY_MAP2(minimum16(x, y)); break;
  }
}

static void row_scalar(u32 function, int reversed, f32 *dst, const f32 *a, f32 value, u32 width) {
  const f32x16 y = value;
  switch (function) {
    case TY_ADD: TY_MAP1(x + y); break;
    case TY_SUBTRACT: if (reversed) TY_MAP1(y - x); else TY_MAP1(x - y); break;
    case TY_MULTIPLY: TY_MAP1(x * y); break;
    case TY_DIVIDE: if (reversed) TY_MAP1(y / x); else TY_MAP1(x / y); break;
    case TY_MAXIMUM: TY_MAP1(maximum16(x, y)); break;
    case TY_MINIMUM: TY_MAP1(minimum16(x, y)); break;
  }
}

static void row_copy(f32 *dst, const f32 *a, u32 width) { TY_MAP1(x); }

// Cosine and sine of x >= 0 in f64: x - n pi/2 with pi/2 in two parts, then Taylor series,
// whose first left-out term is below 2^-40 on [-pi/4, pi/4].
static void cos_sin(f64 x, f32 *cosine, f32 *sine) {
  const long long quarters = (long long)(x * 0.63661977236758134308 + 0.5);
  const f64 n = (f64)quarters;
  const f64 r = (x - n * 1.57079632679489655800) - n * 6.12323399573676603587e-17;
  const f64 s = r * r;
  const f64 sin = r * (1 + s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880 + s * (-1.0 / 39916800))))));
  const f64 cos = 1 + s * (-0.5 + s * (1.0 / 24 + s * (-1.0 / 720 + s * (1.0 / 40320 + s * (-1.0 / 3628800 + s * (1.0 / 479001600))))));
  const i32 quarter = (i32)(quarters & 3);
  const f64 c = quarter & 1 ? sin : cos, d = quarter & 1 ? cos : sin;
  *cosine = (f32)(quarter == 1 || quarter == 2 ? -c : c);
  *sine = (f32)(quarter >= 2 ? -d : d);
}

static void row_angles(f32 *dst, u32 width, i32 position, const f32 *frequencies, f32 amplitude) {
  for (u32 i = 0; i < width; i++) {
    f32 cosine, sine;
    cos_sin((f64)((f32)position * frequencies[i]), &cosine, &sine);
    dst[i] = cosine * amplitude;
    dst[width + i] = sine * amplitude;
  }
}

// Pairs (i, i + half) of each segment, the half-split form of transformers' rotate_half.
static void row_rope(f32 *out, const f32 *in, u32 total, u32 segment, u32 half, const f32 *angles) {
  for (u32 begin = 0; begin < total; begin += segment) {
    const f32 *x = in + begin;
    f32 *y = out + begin;
    for (u32 i = 0; i < half; i += 16) {
      const u32 n = half - i < 16 ? half - i : 16;
      const f32x16 c = load_first_f32(angles + i, n), s = load_first_f32(angles + half + i, n);
      const f32x16 low = load_first_f32(x + i, n), high = load_first_f32(x + half + i, n);
      store_first_f32(y + i, low * c - high * s, n);
      store_first_f32(y + half + i, high * c + low * s, n);
    }
    if (2 * half < segment && x != y) row_copy(y + 2 * half, x + 2 * half, segment - 2 * half);
  }
}

static void row_embed(const ty_row_op *op, const u8 *table, u32 id, f32 *dst) {
  const u32 width = op->width;
  if (!(op->p1 & 1)) {
    ty_linear_row(op->format, width, table, id, dst);
    return;
  }
  const u8 *row = table + (u64)id * width * (op->format == TY_F32 ? 4 : 2);
  if (op->format == TY_F32) {
    row_copy(dst, (const f32 *)row, width);
    return;
  }
  const int bf16 = op->format == TY_BF16;
  for (u32 i = 0; i < width; i += 16) {
    const u32 n = width - i < 16 ? width - i : 16;
    const u16x16 values = n == 16 ? load_u16x16(row + 2 * i) : load_first_u16(row + 2 * i, n);
    store_first_f32(dst + i, bf16 ? f32_from_bf16(values) : f32_from_f16(values), n);
  }
}

static void row_append(const ty_rows_context *context, const ty_row_op *op, u32 r) {
  const ty_attention *attention = &context->attentions[op->p0];
  const f32 *k = ty_row_at(context, op->a, r), *v = ty_row_at(context, op->b, r);
  for (u32 head = 0; head < attention->kv_heads; head++)
    ty_attention_append(attention, (u8 *)context->base[TY_CACHE], ty_inputs(context, TY_SLOTS) + 2 * r, head,
                        k + head * attention->head_dim, v + head * attention->head_dim);
}

// The sinks of an attention's heads; null where it has none.
static const f32 *ty_sinks(const ty_rows_context *context, const ty_attention *attention) {
  return attention->has_sinks ? (const f32 *)ty_at(context, attention->sinks) : (const f32 *)0;
}

static void row_combine(const ty_rows_context *context, const ty_row_op *op, f32 *dst, u32 r) {
  const ty_attention *attention = &context->attentions[op->p0];
  const u64 a_row = (u64)attention->heads * TY_MAX_SPLITS * ty_partial_stride(attention->head_dim);
  const f32 *partials = (const f32 *)ty_at(context, attention->out) + r * a_row;
  ty_attention_combine(attention, ty_sinks(context, attention), partials, ty_attention_splits(attention, ty_inputs(context, TY_POSITIONS)[r]), dst);
}

// Lanes at and beyond `count` become `other`.
TY_INLINE f32x16 first_lanes(f32x16 v, u32 count, f32 other) {
  return ty_lane < count ? v : (f32x16)other;
}

// NaN where a score is, and where all are -inf.
static void row_softmax(f32 *dst, const f32 *a, u32 width) {
  f32x16 largest = -__builtin_inff(), sums = 0;
  for (u32 i = 0; i < width; i += 16) {
    largest = max16(first_lanes(load_up_to(a + i, width - i), width - i, -__builtin_inff()), largest);
  }
  const f32 most = max_lanes(largest);
  for (u32 i = 0; i < width; i += 16) {
    const f32x16 e = exp16(load_up_to(a + i, width - i) - most);
    store_first_f32(dst + i, e, width - i);
    sums += first_lanes(e, width - i, 0.0f);
  }
  const f32 sum = sum_lanes(sums);
  for (u32 i = 0; i < width; i += 16) store_first_f32(dst + i, load_up_to(dst + i, width - i) / sum, width - i);
}

static void row_take_along(const ty_rows_context *context, const ty_row_op *op, const f32 *a, f32 *dst, u32 r) {
  const u32 token = op->p0 ? (u32)ty_inputs(context, TY_SAMPLED)[r] : r;
  const i32 *ids = (const i32 *)ty_row_at(context, op->b, token);
  for (u32 i = 0; i < op->width; i++) dst[i] = a[ids[i]];
}

static route_table route_of(const ty_rows_context *context, u32 index) {
  const ty_route *route = &context->routes[index];
  return table_of(route, ty_at(context, route->table));
}

// Where rows that are packed alone begin.
static u8 *ty_packed_alone(u32 k, u8 *packed) { return packed + (ty_linear_packed_bytes(k, 8) + 63) / 64 * 64; }

// The packed form of a row; of a routed one, beside the other rows of its expert.
static void row_pack(const ty_rows_context *context, const ty_row_op *op, u8 *packed, u32 r, u32 rows) {
  const ty_format format = op->format & context->formats;
  if (context->alone) {
    ty_linear_pack(format, op->width, 1, 0, ty_row_at(context, op->a, r),
                   ty_packed_alone(op->width, packed) + r * ty_linear_alone_bytes(op->width));
    return;
  }
  if (op->p0 == 0) {
    ty_linear_pack(format, op->width, rows, r, ty_row_at(context, op->a, r), packed);
    return;
  }
  if (op->p1 && context->n_tokens == 1) {
    // Each of its experts has this one row.
    if (r == 0) ty_linear_pack(format, op->width, 1, 0, ty_row_at(context, op->a, 0), packed);
    return;
  }
  const route_table t = route_of(context, op->p0 - 1);
  const packed_place place = packed_place_of(t, op->width, packed, r);
  const u32 row = op->p1 ? (u32)t.assignments[r] / context->routes[op->p0 - 1].used : r;
  ty_linear_pack(format, op->width, place.rows, place.row, ty_row_at(context, op->a, row), place.packed);
}

static void row_weighted(const ty_rows_context *context, const ty_row_op *op, const f32 *weights, f32 *dst, u32 r) {
  const u32 token = op->format ? (u32)ty_inputs(context, TY_SAMPLED)[r] : r;
  const i32 *places = op->p1 ? route_of(context, op->p1 - 1).places + (u64)token * op->p0 : (const i32 *)0;
  for (u32 i = 0; i < op->width; i += 16) {
    const u32 n = op->width - i < 16 ? op->width - i : 16;
    f32x16 sum = 0;
    for (u32 j = 0; j < op->p0; j++) {
      const f32 *x = places ? ty_row_at(context, op->a, (u32)places[j])
                            : ty_row_at(context, op->a, r) + (u64)j * op->width;
      sum = fma16(load_up_to(x + i, n), weights[j], sum);
    }
    store_first_f32(dst + i, sum, n);
  }
}

static void row_run(const ty_rows_context *context, const ty_row_op *op, u32 r, u32 rows) {
  f32 *dst = ty_row_at(context, op->dst, r);
  const f32 *a = ty_row_at(context, op->a, r), *b = ty_row_at(context, op->b, r);
  switch (op->kind) {
    case TY_ROW_EMBED: {
      const i32 position = ty_inputs(context, TY_POSITIONS)[r], token = ty_inputs(context, TY_TOKENS)[r];
      row_embed(op, (const u8 *)a, (u32)(!(op->p1 & 2) ? token : position > 0 ? position : 0), dst);
      break;
    }
    case TY_ROW_TAKE:
      row_copy(dst, ty_row_at(context, op->a, (u32)ty_inputs(context, TY_SAMPLED)[r]), op->width);
      break;
    case TY_ROW_NORM:
      if (op->p1) row_centre(dst, a, op->width, op->p0);
      row_norm(dst, op->p1 ? dst : a, b, op->width, op->p0, op->imm0, op->imm1);
      break;
    case TY_ROW_UNARY: row_unary(op->p0, dst, a, op->width); break;
    case TY_ROW_BINARY: row_binary(op->p0, dst, a, b, op->width); break;
    case TY_ROW_SCALAR: row_scalar(op->p0, (int)op->p1, dst, a, op->imm0, op->width); break;
    case TY_ROW_COPY: row_copy(dst, a, op->width); break;
    case TY_ROW_ANGLES: {
      const int beyond = op->p0 && ty_inputs(context, TY_LENGTHS)[r] > (i32)op->p0;
      row_angles(dst, op->width, ty_inputs(context, TY_POSITIONS)[r], beyond ? b : a, op->imm0);
      break;
    }
    case TY_ROW_ROPE: row_rope(dst, a, op->width, op->p0, op->p1, b); break;
    case TY_ROW_PACK: row_pack(context, op, (u8 *)dst, r, rows); break;
    case TY_ROW_APPEND: row_append(context, op, r); break;
    case TY_ROW_COMBINE: row_combine(context, op, dst, r); break;
    case TY_ROW_TAKE_ALONG: row_take_along(context, op, a, dst, r); break;
    case TY_ROW_SOFTMAX: row_softmax(dst, a, op->width); break;
    case TY_ROW_EXPERT:
      row_copy(dst, ty_row_at(context, op->a, (u32)route_of(context, op->p0).owners[r]), op->width);
      break;
    case TY_ROW_WEIGHTED: row_weighted(context, op, b, dst, r); break;
  }
}

// Memory that will be read soon.
typedef struct {
  const u8 *at, *end;
} ty_ahead;

// Asks for the next `lines` lines, into the second cache.
TY_INLINE void fetch_ahead(ty_ahead *ahead, u32 lines) {
  for (; lines && ahead->at < ahead->end; --lines, ahead->at += 64) __builtin_prefetch(ahead->at, 0, 1);
}

// Rows `first..end` of `rows`, each through all operations, those that store for others only
// where `stores` says so. While they compute, memory delivers what is `ahead`: about a line for
// each vector.
static void ty_rows_run(const ty_rows_context *context, const ty_row_op *ops, u32 n_ops, u32 first, u32 end,
                        u32 rows, int stores, ty_ahead *ahead) {
  for (u32 r = first; r < end; r++) {
    for (u32 i = 0; i < n_ops; i++) {
      fetch_ahead(ahead, ops[i].width / 16);
      if (stores || !ops[i].store) row_run(context, &ops[i], r, rows);
    }
  }
}
