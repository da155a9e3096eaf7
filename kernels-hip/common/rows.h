// rows.h -- operations on one row of f32s: everything between products and attentions.
//
// Maths      as program.h says of each TY_ROW_ kind
// Launch     a workgroup runs all operations of its phase for one row, one after the other
// Bound by   latency: rows are a few KiB. Private rows are in LDS.
// Numerics   f32. A norm of one segment sums over the workgroup, norms of many segments sum each over
//            a wave; always the same for the same operation, so that a row does not depend on others.

#pragma once

#include "codes.h"
#include "pack.h"
#include "wave.h"
#include "weights.h"

// f32s of private rows in products and attentions, and in launches of rows alone: PROLOGUE_BYTES and
// ROW_BYTES of crates/phase-program/src/plan/gpu.rs.
#define PROLOGUE_FLOATS (8 * 1024)
#ifndef ROW_FLOATS
#define ROW_FLOATS (12 * 1024)
#endif

// An operand: f32s in LDS or in global memory.
struct operand {
  u64 address;
  TY_LOCAL f32 *local;

  TY_METHOD f32 get(u32 i) const { return local ? local[i] : global_at<f32>(address)[i]; }
  TY_METHOD void put(u32 i, f32 v) const {
    if (local) {
      local[i] = v;
    } else {
      global_at<f32>(address)[i] = v;
    }
  }
};

// A workgroup that runs row operations.
struct row_group {
  const ty_step &step;
  TY_LOCAL f32 *lds;  // private rows
  TY_LOCAL f32 *room; // TY_WAVES f32s
  u32 row;
  bool stores; // whether it writes what is kept for later phases

  TY_METHOD operand at(ty_ref ref, u64 stride) const {
    operand o = {0, 0};
    if (is_private(ref)) {
      o.local = lds + offset_of(ref) / 4;
    } else {
      o.address = address_of(step, ref) + stride * row;
    }
    return o;
  }
};

TY_DEVICE f32 segment_scale(f32 sum, u32 segment, f32 epsilon) {
  return inverse_root(sum / (f32)segment + epsilon);
}

// Segments of at most this many f32s are normed by a wave each, where there are several.
#define WAVE_SEGMENT 512u

TY_DEVICE void row_norm(const row_group &g, row_op_ref op, operand dst, operand a, operand w) {
  const u32 width = op->width, segment = op->p0;
  const f32 epsilon = op->imm0, offset = op->imm1;
  const bool centred = op->p1 != 0;
  if (segment < width && segment <= WAVE_SEGMENT) {
    for (u32 begin = wave_id() * segment; begin < width; begin += TY_WAVES * segment) {
      f32 mean = 0, sum = 0;
      if (centred) {
        for (u32 i = lane_id(); i < segment; i += TY_WAVE) mean += a.get(begin + i);
        mean = wave_sum(mean) / (f32)segment;
      }
      for (u32 i = lane_id(); i < segment; i += TY_WAVE) {
        const f32 x = a.get(begin + i) - mean;
        sum = fma(x, x, sum);
      }
      const f32 scale = segment_scale(wave_sum(sum), segment, epsilon);
      for (u32 i = lane_id(); i < segment; i += TY_WAVE)
        dst.put(begin + i, (a.get(begin + i) - mean) * scale * (w.get(i) + offset));
    }
    return;
  }
  for (u32 begin = 0; begin < width; begin += segment) {
    f32 mean = 0, sum = 0;
    if (centred) {
      for (u32 i = thread_id(); i < segment; i += TY_THREADS) mean += a.get(begin + i);
      mean = group_sum(mean, g.room) / (f32)segment;
    }
    for (u32 i = thread_id(); i < segment; i += TY_THREADS) {
      const f32 x = a.get(begin + i) - mean;
      sum = fma(x, x, sum);
    }
    const f32 scale = segment_scale(group_sum(sum, g.room), segment, epsilon);
    for (u32 i = thread_id(); i < segment; i += TY_THREADS)
      dst.put(begin + i, (a.get(begin + i) - mean) * scale * (w.get(i) + offset));
  }
}

// NaN where a score is, and where all are -inf.
TY_DEVICE void row_softmax(const row_group &g, u32 width, operand dst, operand a) {
  f32 most = -__builtin_inff(), sum = 0;
  for (u32 i = thread_id(); i < width; i += TY_THREADS) most = max_of(a.get(i), most);
  most = group_max(most, g.room);
  for (u32 i = thread_id(); i < width; i += TY_THREADS) sum += exponential(a.get(i) - most);
  sum = group_sum(sum, g.room);
  for (u32 i = thread_id(); i < width; i += TY_THREADS) dst.put(i, exponential(a.get(i) - most) / sum);
}

TY_DEVICE void row_embed(const row_group &g, row_op_ref op, operand dst, u64 table) {
  const i32 position = input(g.step, TY_POSITIONS, g.row), token = input(g.step, TY_TOKENS, g.row);
  const u32 id = (u32)(!(op->p1 & 2) ? token : position > 0 ? position : 0), width = op->width;
  const ty_format format = op->format;
  const u32 size = format == TY_F32 ? 4 : 2;
  const u64 row = table + (u64)id * width * size, tile = table + id / 16 * tile_bytes(format, width);
  for (u32 i = thread_id(); i < width; i += TY_THREADS) {
    f32 v;
    if (!(op->p1 & 1)) {
      v = weight_at(format, tile, id % 16, i);
    } else if (format == TY_F32) {
      v = weight_load<f32>(row + 4 * i);
    } else {
      const u16 bits = weight_load<u16>(row + 2 * i);
      v = format == TY_F16 ? from_f16(bits) : from_bf16(bits);
    }
    dst.put(i, v);
  }
}

TY_DEVICE void row_angles(const row_group &g, row_op_ref op, operand dst, operand a, operand b) {
  const bool beyond = op->p0 && input(g.step, TY_LENGTHS, g.row) > (i32)op->p0;
  const f32 position = (f32)input(g.step, TY_POSITIONS, g.row), amplitude = op->imm0;
  const operand frequencies = {beyond ? b.address : a.address, beyond ? b.local : a.local};
  for (u32 i = thread_id(); i < op->width; i += TY_THREADS) {
    f32 cosine, sine;
    cosine_sine((f64)(position * frequencies.get(i)), &cosine, &sine);
    dst.put(i, cosine * amplitude);
    dst.put(op->width + i, sine * amplitude);
  }
}

// Pairs (i, i + half) of each segment, the half-split form of transformers' rotate_half.
TY_DEVICE void row_rope(row_op_ref op, operand dst, operand a, operand angles) {
  const u32 segment = op->p0, half = op->p1;
  for (u32 i = thread_id(); i < op->width; i += TY_THREADS) {
    const u32 column = i % segment, begin = i - column;
    if (column < half) {
      const f32 c = angles.get(column), s = angles.get(half + column);
      const f32 low = a.get(i), high = a.get(i + half);
      dst.put(begin + column, low * c - high * s);
      dst.put(begin + half + column, high * c + low * s);
    } else if (column >= 2 * half) {
      dst.put(i, a.get(i));
    }
  }
}

// One head's new key and value to their place in the cache, whose format is `format`.
TY_DEVICE void append(const ty_step &step, attention_ref attention, u32 format, u32 row, u32 kv_head, operand k, operand v) {
  const u32 block = (u32)input(step, TY_SLOTS, 2 * row), offset = (u32)input(step, TY_SLOTS, 2 * row + 1);
  const u64 keys = head_at(step, attention, format, false, block, kv_head);
  const u64 values = head_at(step, attention, format, true, block, kv_head);
  const u32 dim = attention->head_dim;
  if (is_quantized(format)) {
    for (u32 run = wave_id(); run < dim / TY_CACHE_RUN; run += TY_WAVES) {
      const u32 column = kv_head * dim + run * TY_CACHE_RUN + lane_id();
      const f32 numbers[2] = {k.get(column), v.get(column)};
#pragma unroll 1
      for (u32 part = 0; part < 2; ++part) {
        const f32 number = part ? numbers[1] : numbers[0];
        store_run(format, dim, part ? values : keys, part == 1, run, offset, number);
      }
    }
    return;
  }
  for (u32 i = thread_id(); i < dim; i += TY_THREADS) {
    store_cached(format, keys, key_index(key_chunk(dim), i, offset), k.get(kv_head * dim + i));
    store_cached(format, values, value_index(i, offset), v.get(kv_head * dim + i));
  }
}

// All heads of one query from their splits' partials [heads][TY_MAX_SPLITS][partial_stride].
TY_DEVICE void row_combine(const row_group &g, row_op_ref op, operand dst) {
  const attention_ref attention = attention_of(g.step, op->p0);
  const u32 dim = attention->head_dim, stride = partial_stride(dim), a_head = TY_MAX_SPLITS * stride;
  const u32 splits = splits_of(attention->window, input(g.step, TY_POSITIONS, g.row));
  const u64 partials = address_of(g.step, attention->out) + (u64)g.row * attention->heads * a_head * 4;
  const u64 sinks = attention->has_sinks ? address_of(g.step, attention->sinks) : 0;
  for (u32 i = thread_id(); i < attention->heads * dim; i += TY_THREADS) {
    const u32 head = i / dim, column = i % dim;
    const TY_GLOBAL f32 *p = global_at<f32>(partials) + (u64)head * a_head;
    f32 most = sinks ? global_at<const f32>(sinks)[head] : -__builtin_inff();
    for (u32 s = 0; s < splits; ++s) most = max_of(p[s * stride], most);
    f32 sum = sinks ? exponential(global_at<const f32>(sinks)[head] - most) : 0.0f, value = 0;
    for (u32 s = 0; s < splits; ++s) {
      const f32 m = p[s * stride], l = p[s * stride + 1];
      // A split whose scores have all overflowed: l = 0. Where all splits are such, the result is NaN.
      if (l == 0.0f) continue;
      const f32 weight = exponential(m - most);
      sum = fma(l, weight, sum);
      value = fma(p[s * stride + 16 + column], weight, value);
    }
    dst.put(i, value / sum);
  }
}

TY_DEVICE void row_weighted(const row_group &g, row_op_ref op, operand dst, operand a, operand weights) {
  const u32 token = op->format ? (u32)input(g.step, TY_SAMPLED, g.row) : g.row;
  const u32 used = op->p0, width = op->width;
  if (!op->p1) {
    for (u32 i = thread_id(); i < width; i += TY_THREADS) {
      f32 sum = 0;
      for (u32 j = 0; j < used; ++j) sum = fma(a.get(j * width + i), weights.get(j), sum);
      dst.put(i, sum);
    }
    return;
  }
  const route_table t = table_of(g.step, route_of(g.step, op->p1 - 1));
  const u64 rows = address_of(g.step, op->a.ref), stride = op->a.stride;
  for (u32 i = thread_id(); i < width; i += TY_THREADS) {
    f32 sum = 0;
    for (u32 j = 0; j < used; ++j) {
      const u64 x = rows + stride * (u32)t.places[(u64)token * used + j];
      sum = fma(global_at<f32>(x)[i], weights.get(j), sum);
    }
    dst.put(i, sum);
  }
}

TY_DEVICE void row_take_along(const row_group &g, row_op_ref op, operand dst, operand a) {
  const u32 token = op->p0 ? (u32)input(g.step, TY_SAMPLED, g.row) : g.row;
  const u64 ids = address_of(g.step, op->b.ref) + op->b.stride * token;
  for (u32 i = thread_id(); i < op->width; i += TY_THREADS) dst.put(i, a.get((u32)global_at<i32>(ids)[i]));
}

TY_DEVICE void row_copy(u32 width, operand dst, operand a) {
  for (u32 i = thread_id(); i < width; i += TY_THREADS) dst.put(i, a.get(i));
}

// `appends`: in a launch of rows alone; products' prologues have none, and not the registers for it.
template <bool appends> TY_DEVICE void row_run(const row_group &g, row_op_ref op) {
  const operand dst = g.at(op->dst.ref, op->dst.stride), a = g.at(op->a.ref, op->a.stride);
  const operand b = g.at(op->b.ref, op->b.stride);
  const u32 width = op->width;
  switch (op->kind) {
  case TY_ROW_EMBED: row_embed(g, op, dst, address_of(g.step, op->a.ref)); break;
  case TY_ROW_TAKE: {
    const u32 row = (u32)input(g.step, TY_SAMPLED, g.row);
    operand taken = {address_of(g.step, op->a.ref) + op->a.stride * row, 0};
    row_copy(width, dst, taken);
    break;
  }
  case TY_ROW_NORM: row_norm(g, op, dst, a, b); break;
  case TY_ROW_UNARY:
    for (u32 i = thread_id(); i < width; i += TY_THREADS) dst.put(i, unary(op->p0, a.get(i)));
    break;
  case TY_ROW_BINARY:
    for (u32 i = thread_id(); i < width; i += TY_THREADS) dst.put(i, binary(op->p0, a.get(i), b.get(i)));
    break;
  case TY_ROW_SCALAR:
    for (u32 i = thread_id(); i < width; i += TY_THREADS) {
      const f32 x = a.get(i), y = op->imm0;
      dst.put(i, op->p1 ? binary(op->p0, y, x) : binary(op->p0, x, y));
    }
    break;
  case TY_ROW_COPY: row_copy(width, dst, a); break;
  case TY_ROW_ANGLES: row_angles(g, op, dst, a, b); break;
  case TY_ROW_ROPE: row_rope(op, dst, a, b); break;
  case TY_ROW_PACK: pack_row(format_kind(op->format), width, a, dst.address, g.room); break;
  case TY_ROW_APPEND: {
    if constexpr (!appends) break;
    const attention_ref attention = attention_of(g.step, op->p0);
    for (u32 head = 0; head < attention->kv_heads; ++head) {
      // In a vector register, and so what is computed from it: scalar ones do not suffice for all
      // kinds of operations.
      u32 own = head;
      asm("" : "+" TY_VECTOR(own));
      append(g.step, attention, attention->kv_format, g.row, own, a, b);
    }
    break;
  }
  case TY_ROW_COMBINE: row_combine(g, op, dst); break;
  case TY_ROW_TAKE_ALONG: row_take_along(g, op, dst, a); break;
  case TY_ROW_SOFTMAX: row_softmax(g, width, dst, a); break;
  case TY_ROW_EXPERT: {
    const u32 owner = (u32)table_of(g.step, route_of(g.step, op->p0)).owners[g.row];
    operand taken = {address_of(g.step, op->a.ref) + op->a.stride * owner, 0};
    row_copy(width, dst, taken);
    break;
  }
  case TY_ROW_WEIGHTED: row_weighted(g, op, dst, a, b); break;
  }
}

// All operations of a phase for one row. A barrier is behind each, so that the next may read any
// element of what it wrote.
template <bool appends = false> TY_DEVICE void rows_run(const row_group &g, phase_ref phase) {
  for (u32 i = 0; i < phase->n_ops; ++i) {
    const row_op_ref op = op_of(g.step, phase->first_op + i);
    if (op->store && !g.stores) continue;
    row_run<appends>(g, op);
    barrier();
  }
}
