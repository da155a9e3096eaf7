// decode.h -- attention of one token a row, and with one row the append of its key and value.
//
// Maths      in steps of one row its key and value go to the cache at slots[r] (several rows may be tokens
//            of one sequence, whose keys the launch before has appended: nobody waits for others here); then
//            for each head softmax(q k^T) v over the visible positions, as partials of splits of the context
//            (common/cache.h)
// Arguments  ty_attention: q, k, v of this step's rows, in LDS where the prologue computes them
// Launch     grid = (TY_MAX_SPLITS, kv_heads, sequences); workgroups beyond a sequence's splits end
// Bound by   bytes of keys and values
// Numerics   common/attend.h. A split is a run of whole pages; partials are combined by TY_ROW_COMBINE.
//            A split whose scores have all overflowed is (-inf, 0, zeros).

#pragma once

#include "attend.h"
#include "rows.h"

template <u32 format> TY_DEVICE void decode(const ty_step &step, TY_LOCAL f32 *lds, TY_LOCAL attend_room *room) {
  const phase_ref phase = phase_of(step);
  attention_ref attention = attention_of(step, phase->kernel);
  const u32 split = group_x(), kv_head = group_y(), row = group_z();
  const i32 position = input(step, TY_POSITIONS, row);
  if (position < 0) return;
  const u32 splits = splits_of(attention->window, position);
  if (split >= splits) return;
  const row_group group = {step, lds, &room->merged[0][0], row, split == 0 && kv_head == 0};
  rows_run(group, phase);
  // Opaque, so that what was read of it before the row operations does not wait in scalar registers.
  asm("" : "+" TY_SCALAR(attention));
  const operand q = group.at(attention->q, (u64)attention->q_stride * 4);
  if (split == splits - 1 && program_of(step)->batch == 1) {
    append(step, attention, format, row, kv_head, group.at(attention->k, (u64)attention->k_stride * 4),
           group.at(attention->v, (u64)attention->v_stride * 4));
    barrier();
  }
  const u32 dim = attention->head_dim, all = attention->heads / attention->kv_heads;
  const u32 first = first_visible(attention->window, position) / TY_PAGE;
  const u32 pages = (u32)position / TY_PAGE + 1 - first;
  const u32 begin = first + pages * split / splits, end = first + pages * (split + 1) / splits;
  const u32 stride = partial_stride(dim);
  for (u32 head = 0; head < all; head += TY_HEADS) {
    const u32 heads = all - head < TY_HEADS ? all - head : TY_HEADS;
    // Whole waves: a run of 32 columns is rounded together.
    const u32 padded = (dim + TY_WAVE - 1) / TY_WAVE * TY_WAVE;
    for (u32 i = thread_id(); i < TY_HEADS * padded; i += TY_THREADS) {
      const u32 h = i / padded, column = i % padded;
      const bool real = h < heads && column < dim;
      const f32 v = real ? q.get((kv_head * all + head + h) * dim + column) * attention->scale : 0.0f;
      room->q[h][column] = rounded_for_scores<format>(v);
    }
    barrier();
    const attend_view view = view_of<format>(step, attention, kv_head, position);
    seen_values seen;
    attend<format, 0>(step, view, row * attention->pages, begin, end, room, seen);
    for (u32 h = 0; h < heads; ++h) {
      merge(view, h, room, seen);
      const u64 of_head = ((u64)row * attention->heads + kv_head * all + head + h) * TY_MAX_SPLITS + split;
      TY_GLOBAL f32 *partial = global_at<f32>(address_of(step, attention->out)) + of_head * stride;
      const u32 first_column = thread_id();
      for (u32 t = first_column; t < dim; t += TY_THREADS) partial[16 + t] = room->merged[0][t];
      if (first_column < 2) partial[first_column] = room->merged[0][TY_DIM + first_column];
      barrier();
    }
  }
}

#define TY_DECODE(name, format)                                              \
  TY_KERNEL(ty_##name) {                                                     \
    TY_LDS static f32 lds[PROLOGUE_FLOATS];                                  \
    TY_LDS static attend_room room;                                          \
    decode<format>(step, (TY_LOCAL f32 *)lds, (TY_LOCAL attend_room *)&room); \
  }
