// attention_groups.h -- groups of query rows against pages of keys, whatever the cache's format:
// which form of the kernel takes a group, and the walk over tiles of keys.

#pragma once

#include "attention_quantized.h"

#define ATTEND_OF_TYPE(name, attend, type)                                                     \
  static __attribute__((noinline)) void name(const kv_head_view *kv, const key_tile *tile,     \
                                             query_group *g) {                                 \
    switch (g->rows) {                                                                         \
      ATTEND_WIDE(attend, type)                                                                \
    case 2: attend(type, 2, kv, tile, g); break;                                               \
    default: attend(type, 1, kv, tile, g);                                                     \
    }                                                                                          \
  }
#if ATTENTION_ROWS == 8
#define ATTEND_WIDE(attend, type)                    \
  case 8: attend(type, 8, kv, tile, g); break;       \
  case 4: attend(type, 4, kv, tile, g); break;       \
  case 3: attend(type, 3, kv, tile, g); break;
#elif ATTENTION_ROWS == 4
#define ATTEND_WIDE(attend, type)                    \
  case 4: attend(type, 4, kv, tile, g); break;       \
  case 3: attend(type, 3, kv, tile, g); break;
#else
#define ATTEND_WIDE(attend, type)
#endif

ATTEND_OF_TYPE(attend_f32, attend_tile, TY_F32)
ATTEND_OF_TYPE(attend_f16, attend_tile, TY_F16)
ATTEND_OF_TYPE(attend_bf16, attend_tile, TY_BF16)
ATTEND_OF_TYPE(attend_e4m3, attend_tile, TY_CACHE_E4M3)
ATTEND_OF_TYPE(attend_q8_0, attend_codes, TY_CACHE_Q8_0)
ATTEND_OF_TYPE(attend_q4_0, attend_codes, TY_CACHE_Q4_0)

// The number of rows for the next group where `left` rows are left: one that attend_* knows.
TY_INLINE u32 rows_of_group(u32 left) {
  if (left >= ATTENTION_ROWS) return ATTENTION_ROWS;
  return left >= 4 ? 4 : left;
}

// All groups against pages `first` to `end`, a tile at a time, so that a tile comes from memory
// once for all groups. Behind the last tile the first pages of `ahead` are asked for, unless it is
// null.
static void attend(const kv_head_view *kv, query_group *groups, u32 count, u32 first, u32 end,
                   const page_run *ahead) {
  key_tile tile;
  for (u32 page = first; page < end; page += TILE_PAGES) {
    tile.first = page;
    tile.end = end - page < TILE_PAGES ? end : page + TILE_PAGES;
    for (u32 i = 0; i < tile.end - page; ++i) {
      const u32 next = page + i + TILE_PAGES < end ? page + i + TILE_PAGES : page + i;
      const u64 block = (u64)(u32)kv->table[page + i] * kv->block_bytes;
      const u64 next_block = (u64)(u32)kv->table[next] * kv->block_bytes;
      tile.keys[i] = kv->keys + block;
      tile.values[i] = kv->values + block;
      tile.next_keys[i] = kv->keys + next_block;
      tile.next_values[i] = kv->values + next_block;
      if (next != page + i || !ahead || i >= ahead->end - ahead->begin) continue;
      const u64 block_ahead = (u64)(u32)ahead->kv.table[ahead->begin + i] * ahead->kv.block_bytes;
      tile.next_keys[i] = ahead->kv.keys + block_ahead;
      tile.next_values[i] = ahead->kv.values + block_ahead;
    }
    for (u32 g = 0; g < count; ++g) {
      switch (kv->type) {
      case TY_F32: attend_f32(kv, &tile, groups + g); break;
      case TY_F16: attend_f16(kv, &tile, groups + g); break;
      case TY_BF16: attend_bf16(kv, &tile, groups + g); break;
      case TY_CACHE_E4M3: attend_e4m3(kv, &tile, groups + g); break;
      case TY_CACHE_Q8_0: attend_q8_0(kv, &tile, groups + g); break;
      default: attend_q4_0(kv, &tile, groups + g);
      }
      if (g > 0) continue;
      for (u32 i = 0; i < tile.end - page; ++i) {
        tile.next_keys[i] = tile.keys[i];
        tile.next_values[i] = tile.values[i];
      }
    }
  }
}
