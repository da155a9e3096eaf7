// linear_chunks.h -- how a product is cut into chunks, and the entry of a chunk.
//
// Few rows   A chunk is a run of tiles. It reads 100 KiB of weights or more: enough to outweigh a
//            claim and the first lines, which nobody asked for early; few enough that a slow
//            worker holds up little.
// Many rows  A chunk is a run of panels (pairs of tiles), mostly one, and where panels do not
//            suffice for all workers, a run of rows as well.

#pragma once

#include "linear_amx.h"
#include "linear_blocks.h"
#include "linear_plain.h"

#define CHUNK_BYTES (128 * 1024)  // few rows: weights that a chunk reads, at least
#define CHUNK_WORK (4 * 1000000) // many rows: multiplications and additions of a chunk, at least
#define CHUNK_ROWS 64            // many rows: rows of a chunk, about at least
#define CHUNK_AMX_ROWS 128       // the same in matrix registers, whose weights are unpacked once a chunk
#define CHUNKS_OF_WORKER 16      // at most

TY_INLINE u32 linear_tiles(const ty_linear *linear) { return (linear->n + 15) / 16; }
TY_INLINE u32 linear_panels(const ty_linear *linear) { return (linear->n + 31) / 32; }

TY_INLINE u64 clamped(u64 value, u64 low, u64 high) {
  return value < low ? low : value > high ? high : value;
}

static u32 chunks_of_few(const ty_linear *linear, u32 workers) {
  const u32 tiles = linear_tiles(linear);
  const u64 bytes = tiles * tile_bytes(linear->format, linear->k);
  const u64 own = clamped(bytes / workers / CHUNK_BYTES, 1, CHUNKS_OF_WORKER);
  return (u32)clamped(own * workers, 1, tiles);
}

static u32 chunks_of_many(const ty_linear *linear, u32 rows, u32 workers) {
  const u32 panels = linear_panels(linear);
  if (workers == 1) return 1;
  if (panels >= workers * 4) {
    const u64 work = (u64)rows * linear->k * 64, least = clamped(CHUNK_WORK / (work + 1), 1, panels);
    return (u32)clamped(panels / least, workers * 2, workers * CHUNKS_OF_WORKER);
  }
  const u32 least = amx_serves(linear->format, linear->k) ? CHUNK_AMX_ROWS : CHUNK_ROWS;
  const u32 parts = (workers * 4 + panels - 1) / panels, most = (rows + least - 1) / least;
  return panels * (parts < most ? parts : most);
}

static u32 ty_linear_chunks(const ty_linear *linear, u32 rows, u32 workers) {
  if (linear->n == 0) return 1;
  if (workers == 0) workers = 1;
  const bool few = rows <= TY_FEW && !amx_serves(linear->format, linear->k);
  return few ? chunks_of_few(linear, workers) : chunks_of_many(linear, rows, workers);
}

// Part `index` of `parts` of 0 to `total`.
typedef struct {
  u32 begin, end;
} part;

TY_INLINE part part_of(u32 total, u32 index, u32 parts) {
  return (part){(u32)((u64)total * index / parts), (u32)((u64)total * (index + 1) / parts)};
}

// ---- one function a format ------------------------------------------------------------
//
// Not inlined: each has panels of its own on the stack.

typedef struct {
  const ty_linear *linear;
  const u8 *weights, *packed;
  u32 rows;
  f32 *y;
} product_call;

TY_INLINE plain_product plain_of(const product_call *c) {
  const ty_linear *l = c->linear;
  return (plain_product){c->weights, tile_bytes(l->format, l->k), l->n, l->k, l->y_stride, c->y};
}

TY_INLINE block_product blocks_of(const product_call *c) {
  const ty_linear *l = c->linear;
  const u64 bytes = tile_bytes(l->format, l->k);
  return (block_product){c->weights, bytes, l->format, l->n, l->k, l->y_stride, c->y};
}

TY_INLINE packed_group only_group(const product_call *c) {
  return packed_at(c->linear->format, c->linear->k, c->rows, c->packed, 0);
}

#define PRODUCT_OF_PLAIN(name, kind)                                                           \
  static __attribute__((noinline)) void few_##name(const product_call *c, part tiles) {        \
    const plain_product p = plain_of(c);                                                       \
    plain_few(kind, &p, only_group(c), c->rows, tiles.begin, tiles.end);                       \
  }                                                                                            \
  static __attribute__((noinline)) void many_##name(const product_call *c, part span,          \
                                                    part tiles) {                              \
    const plain_product p = plain_of(c);                                                       \
    plain_many(kind, &p, c->packed, span.begin, span.end, tiles.begin, tiles.end);             \
  }

#define PRODUCT_OF_BLOCKS(name, bits)                                                          \
  static __attribute__((noinline)) void few_##name(const product_call *c, part tiles) {        \
    const block_product p = blocks_of(c);                                                      \
    blocks_few(bits, &p, only_group(c), c->rows, tiles.begin, tiles.end);                      \
  }                                                                                            \
  static __attribute__((noinline)) void many_##name(const product_call *c, part span,          \
                                                    part tiles) {                              \
    const block_product p = blocks_of(c);                                                      \
    blocks_many(bits, &p, c->packed, c->rows, span.begin, span.end, tiles.begin, tiles.end);   \
  }

PRODUCT_OF_PLAIN(f32, TY_F32)
PRODUCT_OF_PLAIN(f16, TY_F16)
PRODUCT_OF_PLAIN(bf16, TY_BF16)
PRODUCT_OF_BLOCKS(blocks4, 4)
PRODUCT_OF_BLOCKS(blocks8, 8)

static void linear_few(const product_call *c, part tiles) {
  const ty_format format = c->linear->format;
  switch (format_kind(format)) {
  case TY_F32: few_f32(c, tiles); break;
  case TY_F16: few_f16(c, tiles); break;
  case TY_BF16: few_bf16(c, tiles); break;
  default: format_bits(format) == 4 ? few_blocks4(c, tiles) : few_blocks8(c, tiles);
  }
}

static void linear_many(const product_call *c, part span, part tiles) {
  const ty_format format = c->linear->format;
  switch (format_kind(format)) {
  case TY_F32: many_f32(c, span, tiles); break;
  case TY_F16: many_f16(c, span, tiles); break;
  case TY_BF16: many_bf16(c, span, tiles); break;
  default:
    format_bits(format) == 4 ? many_blocks4(c, span, tiles) : many_blocks8(c, span, tiles);
  }
}

static void ty_linear_chunk(const ty_linear *linear, const u8 *weights, const u8 *packed, u32 rows,
                            f32 *y, u32 chunk, u32 chunks) {
  const u32 tiles = linear_tiles(linear), panels = linear_panels(linear);
  const product_call call = {linear, weights, packed, rows, y};
  const bool amx = amx_serves(linear->format, linear->k);
  if (rows <= TY_FEW && !amx) {
    linear_few(&call, part_of(tiles, chunk, chunks));
    return;
  }
  // Chunks beyond a multiple of the panels have nothing to do.
  const u32 parts = chunks > panels ? chunks / panels : 1;
  const u32 runs = chunks > panels ? panels : chunks;
  if (chunk >= parts * runs) return;
  const part panel = part_of(panels, chunk % runs, runs);
  const u32 size = amx ? 2 * AMX_ROWS : TY_GROUP;
  const part group = part_of((rows + size - 1) / size, chunk / runs, parts);
  const part span = {group.begin * size, group.end * size < rows ? group.end * size : rows};
  const part own = {panel.begin * 2, panel.end * 2 < tiles ? panel.end * 2 : tiles};
  if (amx) {
    amx_many(linear, weights, packed, y, span.begin, span.end, own.begin, own.end);
  } else {
    linear_many(&call, span, own);
  }
}
