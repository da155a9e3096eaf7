// attention_decode.h -- attention of one token: the heads of one kv head share each key and
// value, and one split of the context is a call.
//
// Bound by   bytes of keys and values (judge by GB/s).
// Numerics   attention_tile.h. A split with nothing visible is (-inf, 0, zeros).

#pragma once

#include "attention_groups.h"

// f32s of packed queries a call holds on its stack: 32 KiB.
#define DECODE_QUERY_WORDS 8192

static page_run pages_of(const ty_attention *attention, const u8 *cache, const ty_attention_part *part) {
  page_run run = {.kv = view_of(attention, cache, part->table, part->kv_head)};
  const u32 first = (u32)first_visible(run.kv.window, part->position) / TY_PAGE;
  const u32 pages = (u32)part->position / TY_PAGE + 1 - first;
  run.begin = first + pages * part->split / part->splits;
  run.end = first + pages * (part->split + 1) / part->splits;
  return run;
}

// Pages lie in blocks far apart, where the hardware foresees nothing.
static void ty_attention_fetch(const ty_attention *attention, const u8 *cache, const ty_attention_part *part) {
  const page_run run = pages_of(attention, cache, part);
  const u64 bytes = head_bytes(run.kv.type, run.kv.head_dim);
  for (u32 page = run.begin; page < run.end && page < run.begin + TILE_PAGES; ++page) {
    const u64 block = (u64)(u32)run.kv.table[page] * run.kv.block_bytes;
    for (u64 i = 0; i < bytes; i += 64) fetch(run.kv.keys + block + i);
    for (u64 i = 0; i < bytes; i += 64) fetch(run.kv.values + block + i);
  }
}

static void ty_attention_decode(const ty_attention *attention, const u8 *cache, const ty_attention_part *part,
                                const ty_attention_part *next, const f32 *q, f32 *partials) {
  const u32 dim = attention->head_dim, heads = attention->heads / attention->kv_heads;
  const page_run run = pages_of(attention, cache, part), ahead = next ? pages_of(attention, cache, next) : run;
  const kv_head_view kv = run.kv;
  const u64 stride = ty_partial_stride(dim), head_stride = TY_MAX_SPLITS * stride, split = part->split;

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
      g->position = part->position;
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
    attend(&kv, groups, count, run.begin, run.end, next && h == heads ? &ahead : 0);
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
