// attention_decode.h -- attention of one token: the heads of one kv head share each key and
// value, and one split of the context is a call.
//
// Bound by   bytes of keys and values (judge by GB/s).
// Numerics   attention_tile.h. A split with nothing visible is (-inf, 0, zeros).

#pragma once

#include "attention_groups.h"

// f32s of packed queries a call holds on its stack: 32 KiB.
#define DECODE_QUERY_WORDS 8192

// Asks for the keys and values of pages `begin` to `end`: they lie in blocks far apart, where the
// hardware foresees nothing.
static void fetch_pages(const kv_head_view *kv, u32 begin, u32 end) {
  const u64 bytes = head_bytes(kv->type, kv->head_dim);
  for (u32 part = 0; part < 2; ++part) {
    for (u32 page = begin; page < end; ++page) {
      const u8 *at = (part ? kv->values : kv->keys) + (u64)(u32)kv->table[page] * kv->block_bytes;
      for (u64 i = 0; i < bytes; i += 64) fetch(at + i);
    }
  }
}

static void ty_attention_decode(const ty_attention *attention, const u8 *cache, const i32 *table,
                                i32 position, const f32 *q, u32 kv_head, u32 split, u32 splits,
                                f32 *partials) {
  const u32 dim = attention->head_dim, heads = attention->heads / attention->kv_heads;
  const kv_head_view kv = view_of(attention, cache, table, kv_head);
  const u32 first = (u32)first_visible(kv.window, position) / TY_PAGE;
  const u32 pages = (u32)position / TY_PAGE + 1 - first;
  const u32 begin = first + pages * split / splits, end = first + pages * (split + 1) / splits;
  const u64 stride = ty_partial_stride(dim), head_stride = TY_MAX_SPLITS * stride;

  fetch_pages(&kv, begin, end - begin < TILE_PAGES ? end : begin + TILE_PAGES);
  u32 words[DECODE_QUERY_WORDS] __attribute__((aligned(64)));
  query_group groups[8];
  for (u32 h = 0; h < heads;) {
    u32 count = 0, used = 0;
    const u32 first_head = h;
    while (h < heads && count < 8) {
      const u32 rows = rows_of_group(heads - h);
      if (used + rows * dim > DECODE_QUERY_WORDS) break;
      query_group *g = &groups[count++];
      g->rows = rows;
      g->step = 0;
      g->position = position;
      g->q = words + used;
      g->acc = partials + h * head_stride + split * stride + 16;
      g->acc_stride = head_stride;
      begin_group(g);
      for (u32 r = 0; r < rows; ++r, ++h) {
        pack_query(kv.type, dim, q + (u64)h * dim, attention->scale, words + used, rows, r);
        f32 *acc = g->acc + r * head_stride;
        for (u32 c = 0; c < stride - 16; c += 16) store_f32x16(acc + c, 0.0f);
      }
      used += rows * dim;
    }
    attend(&kv, groups, count, begin, end);
    u32 done = first_head;
    for (u32 i = 0; i < count; ++i) {
      for (u32 r = 0; r < groups[i].rows; ++r, ++done) {
        f32 *partial = partials + done * head_stride + split * stride;
        partial[0] = groups[i].m[r];
        partial[1] = groups[i].l[r];
      }
    }
  }
}
