// attention_prefill.hip -- attention of one sequence's tokens, whose keys and values are in the cache.
//
// Launch     grid = (tokens / QUERIES, heads)
// Bound by   bytes of keys and values, which every query reads again
// Numerics   common/attend.h

#include "common/attend.h"

#define QUERIES 64u

template <u32 format> TY_DEVICE void prefill(const ty_step &step, TY_LOCAL attend_room *room) {
  const phase_ref phase = phase_of(step);
  const attention_ref attention = attention_of(step, phase->kernel);
  const u32 head = group_y(), dim = attention->head_dim;
  const u32 kv_head = head / (attention->heads / attention->kv_heads);
  const u64 sinks = attention->has_sinks ? address_of(step, attention->sinks) : 0;
  for (u32 query = group_x() * QUERIES; query < (group_x() + 1) * QUERIES && query < phase->rows_a_chunk; ++query) {
    const i32 position = input(step, TY_POSITIONS, query);
    if (position < 0) return;
    const u64 q = address_of(step, attention->q) + (u64)query * attention->q_stride * 4;
    for (u32 i = thread_id(); i < TY_HEADS * dim; i += TY_THREADS) {
      const u32 column = i % dim;
      const f32 v = i < dim ? global_at<const f32>(q)[head * dim + column] * attention->scale : 0.0f;
      room->q[i / dim][column] = rounded_to(format, v);
    }
    barrier();
    const attend_view view = view_of(step, attention, kv_head, 1, position);
    seen_values seen;
    attend<format>(step, view, 0, view.first / TY_PAGE, (u32)position / TY_PAGE + 1, room, seen);
    merge(view, 0, room, seen);
    const u32 t = thread_id();
    if (t < dim) {
      f32 m = room->merged[0][TY_DIM], l = room->merged[0][TY_DIM + 1], value = room->merged[0][t];
      if (sinks) {
        const f32 sink = global_at<const f32>(sinks)[head], most = max_of(sink, m);
        const f32 factor = exponential(m - most);
        l = fma(l, factor, exponential(sink - most));
        value *= factor;
      }
      TY_GLOBAL f32 *out = global_at<f32>(address_of(step, attention->out));
      const u64 stride = (attention->heads * dim + 15) / 16 * 16;
      out[query * stride + head * dim + t] = value / l;
    }
    barrier();
  }
}

#define TY_PREFILL(name, format)                             \
  TY_KERNEL(ty_prefill_##name) {                             \
    TY_LDS static attend_room room;                          \
    prefill<format>(step, (TY_LOCAL attend_room *)&room);    \
  }

TY_PREFILL(f32, TY_F32)
TY_PREFILL(f16, TY_F16)
TY_PREFILL(bf16, TY_BF16)
