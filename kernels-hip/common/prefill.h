// prefill.h -- attention of one sequence's tokens, whose keys and values are in the cache, four
// queries of a head at a time: for what attention_flash.hip does not take.
//
// Launch     grid = (tokens / QUERIES, heads)
// Bound by   bytes of keys and values, which every four queries read again
// Numerics   common/attend.h

#pragma once

#include "attend.h"

#define QUERIES 64u

// A query's result, which is in room->merged, with the sink's part of its sum.
TY_DEVICE void store_row(const ty_step &step, attention_ref attention, u32 query, u32 head, const TY_LOCAL attend_room *room) {
  // Opaque, so that what is read here does not wait in scalar registers for all queries, of which wide heads
  // have none left; narrow ones keep their vector registers so.
  if (TY_DIM > 256) asm("" : "+" TY_SCALAR(attention));
  const u32 dim = attention->head_dim;
  f32 m = room->merged[0][TY_DIM], l = room->merged[0][TY_DIM + 1], factor = 1.0f;
  if (attention->has_sinks) {
    const f32 sink = global_at<const f32>(address_of(step, attention->sinks))[head], most = max_of(sink, m);
    factor = exponential(m - most);
    l = fma(l, factor, exponential(sink - most));
  }
  TY_GLOBAL f32 *out = global_at<f32>(address_of(step, attention->out));
  const u64 stride = (attention->heads * dim + 15) / 16 * 16;
  for (u32 t = thread_id(); t < dim; t += TY_THREADS) {
    out[query * stride + head * dim + t] = room->merged[0][t] * factor / l;
  }
}

template <u32 format> TY_DEVICE void prefill(const ty_step &step, TY_LOCAL attend_room *room) {
  const phase_ref phase = phase_of(step);
  const attention_ref attention = attention_of(step, phase->kernel);
  const u32 head = group_y(), dim = attention->head_dim, tokens = phase->rows_a_chunk;
  const u32 kv_head = head / (attention->heads / attention->kv_heads);
  const u64 q = address_of(step, attention->q);
  for (u32 query = group_x() * QUERIES; query < (group_x() + 1) * QUERIES && query < tokens; query += TY_HEADS) {
    const i32 position = input(step, TY_POSITIONS, query);
    // Padding is behind the tokens, whose positions are consecutive.
    if (position < 0) return;
    u32 rows = 1;
    while (rows < TY_HEADS && query + rows < tokens && input(step, TY_POSITIONS, query + rows) >= 0) ++rows;
    for (u32 i = thread_id(); i < TY_HEADS * TY_DIM; i += TY_THREADS) {
      const u32 row = i / TY_DIM, column = i % TY_DIM;
      const u64 at = q + ((u64)(query + row) * attention->q_stride + head * dim + column) * 4;
      const f32 v = row < rows && column < dim ? *global_at<const f32>(at) * attention->scale : 0.0f;
      room->q[row][column] = rounded_for_scores<format>(v);
    }
    barrier();
    const attend_view view = view_of<format>(step, attention, kv_head, position);
    const u32 last = (u32)position + rows - 1;
    seen_values seen;
    attend<format, 1>(step, view, 0, first_visible(attention->window, position) / TY_PAGE, last / TY_PAGE + 1, room, seen);
    for (u32 row = 0; row < rows; ++row) {
      merge(view, row, room, seen);
      store_row(step, attention, query + row, head, room);
      barrier();
    }
  }
}

#define TY_PREFILL(name, format)                             \
  TY_KERNEL(ty_##name) {                                     \
    TY_LDS static attend_room room;                          \
    prefill<format>(step, (TY_LOCAL attend_room *)&room);    \
  }
