// linear_blocks_many.h -- linear_blocks.h's products of many rows.

#pragma once

#include "linear_blocks.h"

#define PANEL_STEPS (BLOCKS_PANEL_COLUMNS / 4)
#define PANEL_GROUPS (BLOCKS_PANEL_COLUMNS / 16)

typedef struct {
  u32x16 codes[PANEL_STEPS][BLOCKS_TILES]; // four columns a lane
  f32x16 scales[PANEL_GROUPS][BLOCKS_TILES];
  f32x16 biases[PANEL_GROUPS][BLOCKS_TILES];
} block_panel;

// Unpacks units `begin` to `end` of tile `t` of the panel's, which begins at `tile`.
TY_INLINE void blocks_unpack(const u32 code, const block_product *p, const u8 *tile, u32 begin, u32 end,
                             u32 t, block_panel *panel) {
  const ty_format format = p->format;
  const u32 groups = unit_groups(format), runs = unit_columns(format) / 32;
  const u32 bytes = unit_bytes(format), header = header_bytes(format);
  const u8 *w = tile + row_scale_bytes(format) + (u64)begin * bytes;
  for (u32 u = 0, step = 0; u < end - begin; ++u, w += bytes) {
    f32x16 scales[16], biases[16];
    unit_scales(format, SCALE_ANY, groups, w, scales, biases);
    for (u32 g = 0; g < groups; ++g) {
      panel->scales[u * groups + g][t] = scales[g];
      if (format_biased(format)) panel->biases[u * groups + g][t] = biases[g];
    }
    for (u32 i = 0; i < runs; ++i, step += 8) {
      const u8 *run = w + header + i * run_bytes(code);
      TY_UNROLL for (u32 j = 0; j < 8; ++j) panel->codes[step + j][t] = codes_at(code, run, j);
    }
  }
}

// Sums of BLOCKS_ROWS rows over a part of a run, which begins at step `step` of the panel.
TY_INLINE void blocks_many_part(const u32 code, const u32 parts, const block_panel *panel, u64 step,
                                const u32 *words, const i32 *starts, f32x16 (*sums)[BLOCKS_TILES]) {
  const u32 wide = words_of_four(code), count = 8 / parts;
  part_sum d[BLOCKS_ROWS][BLOCKS_TILES];
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) d[r][t] = (part_sum){(i32x16)starts[r], 0};
  }
  TY_UNROLL for (u32 j = 0; j < count; ++j) {
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
      const u32x16 codes = panel->codes[step + j][t];
      TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
        part_add(code, j, &d[r][t], codes, words + j * wide * TY_GROUP + r, TY_GROUP);
      }
    }
  }
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) sums[r][t] = part_end(code, count, &d[r][t]);
  }
}

// Runs `begin` to `end` of a row's columns, of which a panel holds those from run `origin`.
typedef struct {
  u32 begin, end;
} run_span;

// Adds a group of at least 32 columns: of the panel its group `group`.
TY_INLINE void blocks_many_group(const u32 code, const block_panel *panel,
                                 const packed_group *x, u32 lane, run_span runs, u32 origin, u32 group,
                                 f32x16 (*sums)[BLOCKS_TILES]) {
  const u32 wide = words_of_four(code);
  f32x16 total[BLOCKS_ROWS][BLOCKS_TILES];
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) total[r][t] = 0.0f;
  }
  for (u64 run = runs.begin; run < runs.end; ++run) {
    const f32 *scales = x->scales + run * TY_GROUP + lane;
    f32x16 d[BLOCKS_ROWS][BLOCKS_TILES];
    blocks_many_part(code, 1, panel, (run - origin) * 8, x->words + run * 8 * wide * TY_GROUP + lane,
                     x->starts + run * TY_GROUP + lane, d);
    TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
      const f32x16 s = scales[r];
      TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) total[r][t] = fma16(d[r][t], s, total[r][t]);
    }
  }
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
      sums[r][t] = fma16(total[r][t], panel->scales[group][t], sums[r][t]);
    }
  }
}

// Adds a run of two groups of 16.
TY_INLINE void blocks_many_sixteens(const u32 code, const block_panel *panel,
                                    const packed_group *x, u32 lane, u64 run, u32 origin,
                                    f32x16 (*sums)[BLOCKS_TILES]) {
  const u32 wide = words_of_four(code);
  const u64 step = (run - origin) * 8, group = (run - origin) * 2;
  f32x16 total[BLOCKS_ROWS][BLOCKS_TILES];
  TY_UNROLL for (u32 i = 0; i < 2; ++i) {
    f32x16 d[BLOCKS_ROWS][BLOCKS_TILES];
    blocks_many_part(code, 2, panel, step + i * 4,
                     x->words + (run * 8 + i * 4) * wide * TY_GROUP + lane,
                     x->starts + (run * 2 + i) * TY_GROUP + lane, d);
    TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
      TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
        const f32x16 scale = panel->scales[group + i][t];
        total[r][t] = i == 0 ? d[r][t] * scale : fma16(d[r][t], scale, total[r][t]);
      }
    }
  }
  const f32 *scales = x->scales + run * TY_GROUP + lane;
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    const f32x16 s = scales[r];
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) sums[r][t] = fma16(total[r][t], s, sums[r][t]);
  }
}

// Adds the term of group `group` of the panel, which is group `of_row` of a row.
TY_INLINE void blocks_many_bias(const block_panel *panel, const packed_group *x,
                                u32 lane, u32 group, u64 of_row, f32x16 (*sums)[BLOCKS_TILES]) {
  const f32 *sums_of_x = x->sums + of_row * TY_GROUP + lane;
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    const f32x16 sum = sums_of_x[r];
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
      sums[r][t] = fma16(panel->biases[group][t], sum, sums[r][t]);
    }
  }
}

// Adds the runs of `runs`, all that the panel holds, to the sums of BLOCKS_ROWS rows, whose lanes
// begin at `lane`.
TY_INLINE void blocks_many_sums(const u32 code, const u32 parts, const block_product *p,
                                const block_panel *panel, const packed_group *x, u32 lane, run_span runs,
                                f32x16 (*sums)[BLOCKS_TILES]) {
  const bool biased = format_biased(p->format);
  if (parts == 2) {
    for (u32 run = runs.begin; run < runs.end; ++run) {
      blocks_many_sixteens(code, panel, x, lane, run, runs.begin, sums);
      for (u32 i = 0; i < 2 && biased; ++i) {
        blocks_many_bias(panel, x, lane, (run - runs.begin) * 2 + i, (u64)run * 2 + i, sums);
      }
    }
    return;
  }
  const u32 of_group = format_group(p->format) / 32;
  for (u32 run = runs.begin, g = 0; run < runs.end; run += of_group, ++g) {
    const run_span group = {run, run + of_group};
    blocks_many_group(code, panel, x, lane, group, runs.begin, g, sums);
    if (biased) blocks_many_bias(panel, x, lane, g, run / of_group, sums);
  }
}

// The sums of BLOCKS_ROWS rows so far: rows beyond `rows` and outputs beyond `left` are not there.
TY_INLINE void blocks_many_load(const f32 *y, u32 y_stride, u32 rows, u32 left, bool fresh,
                                f32x16 (*sums)[BLOCKS_TILES]) {
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
      const u32 count = r < rows && t * 16 < left ? left - t * 16 : 0;
      sums[r][t] = fresh ? (f32x16)0.0f : load_up_to(y + (u64)r * y_stride + t * 16, count);
    }
  }
}

TY_INLINE void blocks_many_store(f32 *y, u32 y_stride, u32 rows, u32 left,
                                 f32x16 (*sums)[BLOCKS_TILES]) {
  TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) {
    TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
      if (r < rows && t * 16 < left) {
        store_first_f32(y + (u64)r * y_stride + t * 16, sums[r][t], left - t * 16);
      }
    }
  }
}

// Tile `t` of the tiles of a panel, the first of which is at `w`. Behind a matrix's last tile, a
// panel holds that tile again: its sums go nowhere.
TY_INLINE const u8 *panel_tile(const block_product *p, const u8 *w, u32 t, u32 tiles) {
  return t < tiles ? w + t * p->tile_bytes : w;
}

TY_INLINE void blocks_many_finish(const block_product *p, const u8 *w, u32 tiles,
                                  f32x16 (*sums)[BLOCKS_TILES]) {
  TY_UNROLL for (u32 t = 0; t < BLOCKS_TILES; ++t) {
    const u8 *tile = panel_tile(p, w, t, tiles);
    TY_UNROLL for (u32 r = 0; r < BLOCKS_ROWS; ++r) sums[r][t] = finished(p->format, tile, sums[r][t]);
  }
}

// Rows `first` to `last`, outputs of the tiles from `tile`, of which `tiles` are left.
TY_INLINE void blocks_many_panel(const u32 code, const u32 parts, const block_product *p,
                                 const u8 *packed, u32 rows, u32 first, u32 last, u32 tile, u32 tiles) {
  const u32 columns = unit_columns(p->format), units = p->k / columns, runs = columns / 32;
  const u8 *w = p->weights + tile * p->tile_bytes;
  // Panels of about the same size: each costs one more pass over y.
  const u32 panels = (p->k + BLOCKS_PANEL_COLUMNS - 1) / BLOCKS_PANEL_COLUMNS;
  const u32 step = (units + panels - 1) / panels, left = p->n - tile * 16;
  block_panel panel;
  for (u32 u = 0; u < units; u += step) {
    const u32 end = units - u < step ? units : u + step;
    for (u32 t = 0; t < BLOCKS_TILES; ++t) {
      blocks_unpack(code, p, panel_tile(p, w, t, tiles), u, end, t, &panel);
    }
    for (u32 r = first; r < last; r += BLOCKS_ROWS) {
      const packed_group x = packed_at(p->format, p->k, rows, packed, r / TY_GROUP);
      f32 *y = p->y + (u64)r * p->y_stride + tile * 16;
      f32x16 sums[BLOCKS_ROWS][BLOCKS_TILES];
      blocks_many_load(y, p->y_stride, last - r, left, u == 0, sums);
      blocks_many_sums(code, parts, p, &panel, &x, r % TY_GROUP, (run_span){u * runs, end * runs}, sums);
      if (end == units) blocks_many_finish(p, w, tiles, sums);
      blocks_many_store(y, p->y_stride, last - r, left, sums);
    }
  }
}

TY_INLINE void blocks_many(const u32 code, const u32 parts, const block_product *p, const u8 *packed,
                           u32 rows, u32 first, u32 last, u32 begin, u32 end) {
  for (u32 t = begin; t < end; t += BLOCKS_TILES) {
    blocks_many_panel(code, parts, p, packed, rows, first, last, t, end - t);
  }
}
