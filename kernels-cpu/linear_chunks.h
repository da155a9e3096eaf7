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
#include "linear_blocks_many.h"
#include "linear_blocks_two.h"
#include "linear_floats.h"
#include "linear_plain.h"

#define CHUNK_BYTES (128 * 1024)  // few rows: weights that a chunk reads, at least
#define CHUNK_WORK (4 * 1000000) // many rows: multiplications and additions of a chunk, at least
#define CHUNK_ROWS 64            // many rows: rows of a chunk, about at least
#define CHUNK_AMX_ROWS 128       // the same in matrix registers, whose weights are unpacked once a chunk
#define CHUNK_AMX_BYTES (1 << 20) // left operands of a chunk, at most: panel after panel reads them again
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
  if (amx_serves(linear->format, linear->k) && panels >= workers * 4) {
    const u64 bytes = (u64)rows * linear->k * 2, parts = (bytes + CHUNK_AMX_BYTES - 1) / CHUNK_AMX_BYTES;
    const u32 most = (rows + CHUNK_AMX_ROWS - 1) / CHUNK_AMX_ROWS;
    if (parts > 1 && most > 1) return panels * (u32)(parts < most ? parts : most);
  }
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

// Many rows: what a chunk computes, nothing in chunks beyond a multiple of the panels.
typedef struct {
  part rows, panels;
} many_chunk;

TY_INLINE many_chunk many_chunk_of(const ty_linear *linear, u32 rows, u32 chunk, u32 chunks) {
  const u32 panels = linear_panels(linear), parts = chunks > panels ? chunks / panels : 1;
  const u32 runs = chunks > panels ? panels : chunks;
  if (chunk >= parts * runs) return (many_chunk){{0, 0}, {0, 0}};
  const u32 size = amx_serves(linear->format, linear->k) ? AMX_BAND : TY_GROUP;
  const part group = part_of((rows + size - 1) / size, chunk / runs, parts);
  const part span = {group.begin * size, group.end * size < rows ? group.end * size : rows};
  return (many_chunk){span, part_of(panels, chunk % runs, runs)};
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

// Few rows of blocks whose scales are of one kind, in units of one group (or of two of 16), and of
// all others: a group's scale is then found out once a unit.
#define FEW_OF_BLOCKS(name, code, parts, scale)                                                \
  static __attribute__((noinline)) void few_##name(const product_call *c, part tiles) {        \
    const block_product p = blocks_of(c);                                                      \
    blocks_few(code, parts, scale, &p, c->packed, c->rows, tiles.begin, tiles.end);            \
  }

#define FEW_OF_HALVES(name, code)                                                              \
  static __attribute__((noinline)) void few_##name(const product_call *c, part tiles) {        \
    const block_product p = blocks_of(c);                                                      \
    blocks_few_halved(code, &p, c->packed, c->rows, tiles.begin, tiles.end);                   \
  }

#define MANY_OF_BLOCKS(name, code, parts)                                                      \
  static __attribute__((noinline)) void many_##name(const product_call *c, part span,          \
                                                    part tiles) {                              \
    const block_product p = blocks_of(c);                                                      \
    blocks_many(code, parts, &p, c->packed, c->rows, span.begin, span.end, tiles.begin,        \
                tiles.end);                                                                    \
  }

#define PRODUCT_OF_BLOCKS(name, code)                                                          \
  FEW_OF_BLOCKS(name, code, 1, SCALE_ANY)                                                      \
  FEW_OF_BLOCKS(name##_sixteens, code, 2, SCALE_ANY)                                           \
  MANY_OF_BLOCKS(name, code, 1)                                                                \
  MANY_OF_BLOCKS(name##_sixteens, code, 2)

PRODUCT_OF_PLAIN(f32, TY_F32)
PRODUCT_OF_PLAIN(f16, TY_F16)
PRODUCT_OF_PLAIN(bf16, TY_BF16)
PRODUCT_OF_BLOCKS(u2, 2)
PRODUCT_OF_BLOCKS(u3, 3)
PRODUCT_OF_BLOCKS(u4, 4)
PRODUCT_OF_BLOCKS(u5, 5)
PRODUCT_OF_BLOCKS(u6, 6)
PRODUCT_OF_BLOCKS(u8, 8)
PRODUCT_OF_BLOCKS(e2m1, TY_E2M1)
PRODUCT_OF_BLOCKS(iq4, TY_IQ4)
FEW_OF_BLOCKS(u2_half, 2, 1, SCALE_HALF)
FEW_OF_BLOCKS(u3_half, 3, 1, SCALE_HALF)
FEW_OF_HALVES(u4_half, 4)
FEW_OF_HALVES(u5_half, 5)
FEW_OF_BLOCKS(u6_half, 6, 1, SCALE_HALF)
FEW_OF_HALVES(u8_half, 8)
FEW_OF_HALVES(iq4_half, TY_IQ4)
FEW_OF_BLOCKS(mxfp4, TY_E2M1, 1, TY_SCALE_E8M0)
FEW_OF_BLOCKS(nvfp4, TY_E2M1, 2, TY_SCALE_E4M3)

static __attribute__((noinline)) void few_floats(const product_call *c, part tiles) {
  const block_product p = blocks_of(c);
  floats_few(&p, c->packed, c->rows, tiles.begin, tiles.end);
}

static __attribute__((noinline)) void many_floats(const product_call *c, part span, part tiles) {
  const block_product p = blocks_of(c);
  floats_many(&p, c->packed, span.begin, span.end, tiles.begin, tiles.end);
}

// ---- which function -------------------------------------------------------------------

static void few_e2m1_of(const product_call *c, part tiles) {
  const u32 scale = format_scale(c->linear->format);
  if (format_group(c->linear->format) < 32) {
    scale == TY_SCALE_E4M3 ? few_nvfp4(c, tiles) : few_e2m1_sixteens(c, tiles);
  } else {
    scale == TY_SCALE_E8M0 ? few_mxfp4(c, tiles) : few_e2m1(c, tiles);
  }
}

static void few_blocks(const product_call *c, part tiles) {
  const ty_format format = c->linear->format;
  const bool sixteens = format_group(format) < 32;
  const bool half = format_scale(format) == TY_SCALE_F16 || format_scale(format) == TY_SCALE_BF16;
#define CASE(code, name)                                                                       \
  case code:                                                                                   \
    sixteens ? few_##name##_sixteens(c, tiles)                                                 \
    : half   ? few_##name##_half(c, tiles)                                                     \
             : few_##name(c, tiles);                                                           \
    break;
  switch (format_code(format)) {
    CASE(2, u2)
    CASE(3, u3)
    CASE(4, u4)
    CASE(5, u5)
    CASE(6, u6)
    CASE(8, u8)
    CASE(TY_IQ4, iq4)
  case TY_E2M1: few_e2m1_of(c, tiles); break;
  default: few_floats(c, tiles);
  }
#undef CASE
}

static void many_blocks(const product_call *c, part span, part tiles) {
  const bool sixteens = format_group(c->linear->format) < 32;
#define CASE(code, name)                                                                       \
  case code:                                                                                   \
    sixteens ? many_##name##_sixteens(c, span, tiles) : many_##name(c, span, tiles);           \
    break;
  switch (format_code(c->linear->format)) {
    CASE(2, u2)
    CASE(3, u3)
    CASE(4, u4)
    CASE(5, u5)
    CASE(6, u6)
    CASE(8, u8)
    CASE(TY_E2M1, e2m1)
    CASE(TY_IQ4, iq4)
  default: many_floats(c, span, tiles);
  }
#undef CASE
}

static void linear_few(const product_call *c, part tiles) {
  switch (format_kind(c->linear->format)) {
  case TY_F32: few_f32(c, tiles); break;
  case TY_F16: few_f16(c, tiles); break;
  case TY_BF16: few_bf16(c, tiles); break;
  default: few_blocks(c, tiles);
  }
}

static void linear_many(const product_call *c, part span, part tiles) {
  switch (format_kind(c->linear->format)) {
  case TY_F32: many_f32(c, span, tiles); break;
  case TY_F16: many_f16(c, span, tiles); break;
  case TY_BF16: many_bf16(c, span, tiles); break;
  default: many_blocks(c, span, tiles);
  }
}

static void ty_linear_chunk(const ty_linear *linear, const u8 *weights, const u8 *packed, u32 rows,
                            f32 *y, u32 chunk, u32 chunks) {
  const u32 tiles = linear_tiles(linear);
  const product_call call = {linear, weights, packed, rows, y};
  const bool amx = amx_serves(linear->format, linear->k);
  if (rows <= TY_FEW && !amx) {
    linear_few(&call, part_of(tiles, chunk, chunks));
    return;
  }
  const many_chunk own = many_chunk_of(linear, rows, chunk, chunks);
  const part span = own.rows;
  const part of_tiles = {own.panels.begin * 2, own.panels.end * 2 < tiles ? own.panels.end * 2 : tiles};
  if (amx) {
    amx_many(linear, weights, packed, y, rows, span.begin, span.end, of_tiles.begin, of_tiles.end);
  } else {
    linear_many(&call, span, of_tiles);
  }
}
