// joined.h -- a product of a prompt together with the element-wise operations on its outputs and the
// packing of what they give, in the matrix registers of AMX: a gate and what it gates never go
// through memory.
//
// Math       linear_amx.h, then the row operations of the phase behind the product (program.h,
//            ty_phase.joined), then linear_pack.h's form for the product behind that.
// Order      A strip is 32 columns of the result. The operations read some spans of the product's
//            columns, each as wide as the result: a strip takes the panel of each span, a group of
//            bands after the other, so that sums are still in the first cache when they are used.
// Blocks     A band of a panel is a block of 1024 sums (amx_sums). Operations are element-wise, so
//            they run on blocks as on rows of that width.
// Numerics   The same operations on the same sums as in two phases: the same bits.

#pragma once

#include "linear_chunks.h"
#include "rows.h"

#define JOINED_OPS 8   // before the packing, at most
#define JOINED_SPANS 2 // of the product's columns
#define JOINED_BLOCK (AMX_BAND * 32)

#if TY_HAS_AMX

// What a strip does: operand `i` of operation `o` is the block of operation operands[o][i], or where
// that is negative of span -1 - operands[o][i].
typedef struct {
  const ty_row_op *ops;
  u32 n_ops;
  i32 operands[JOINED_OPS][2];
  u32 begins[JOINED_SPANS]; // columns of the product
  u32 spans;
} joined_plan;

// Where the operand at `ref` of operation `o` comes from.
TY_INLINE i32 joined_operand(joined_plan *plan, u32 o, ty_ref ref, ty_ref y) {
  for (u32 i = o; i > 0; --i) {
    if (plan->ops[i - 1].dst.ref == ref) return (i32)(i - 1);
  }
  const u32 begin = (u32)(ref - y) / 4;
  u32 span = 0;
  while (span < plan->spans && plan->begins[span] != begin) ++span;
  if (span == plan->spans) plan->begins[plan->spans++] = begin;
  return -1 - (i32)span;
}

// The planner joins only what this makes sense of (crates/phase-program/src/joined.rs).
static joined_plan joined_plan_of(const ty_row_op *ops, u32 n_ops, ty_ref y) {
  joined_plan plan;
  plan.ops = ops;
  plan.n_ops = n_ops;
  plan.spans = 0;
  for (u32 o = 0; o < n_ops && o < JOINED_OPS; ++o) {
    plan.operands[o][0] = joined_operand(&plan, o, ops[o].a.ref, y);
    plan.operands[o][1] = plan.operands[o][0];
    if (ops[o].kind == TY_ROW_BINARY) plan.operands[o][1] = joined_operand(&plan, o, ops[o].b.ref, y);
  }
  return plan;
}

// The operations of one band; the last one's block.
static const f32 *joined_block(const joined_plan *plan, const f32 *const *sums, f32 (*blocks)[JOINED_BLOCK]) {
  for (u32 o = 0; o < plan->n_ops; ++o) {
    const ty_row_op *op = &plan->ops[o];
    const i32 *from = plan->operands[o];
    const f32 *a = from[0] < 0 ? sums[-1 - from[0]] : blocks[from[0]];
    const f32 *b = from[1] < 0 ? sums[-1 - from[1]] : blocks[from[1]];
    switch (op->kind) {
    case TY_ROW_UNARY: row_unary(op->p0, blocks[o], a, JOINED_BLOCK); break;
    case TY_ROW_BINARY: row_binary(op->p0, blocks[o], a, b, JOINED_BLOCK); break;
    case TY_ROW_SCALAR: row_scalar(op->p0, (int)op->p1, blocks[o], a, op->imm0, JOINED_BLOCK); break;
    default: row_copy(blocks[o], a, JOINED_BLOCK);
    }
  }
  return blocks[plan->n_ops - 1];
}

// A block to `registers` registers of left operands.
TY_AMX_INLINE void joined_pack(const f32 *block, u32 registers, u8 *to) {
  for (u32 i = 0; i < registers; ++i, block += 512) {
    for (u32 r = 0; r < AMX_ROWS; ++r, to += 64) {
      const __m512 low = (__m512)load_f32x16(block + r * 16), high = (__m512)load_f32x16(block + 256 + r * 16);
      store_u32x16(to, (u32x16)_mm512_cvtne2ps_pbh(high, low));
    }
  }
}

typedef struct {
  const ty_linear *linear;
  const u8 *weights, *packed;
  const joined_plan *plan;
  u8 *out;   // packed
  u32 width; // of the result
  u32 rows;
} joined_call;

// Rows `first` to `last`, at most AMX_SPAN, of strip `strip`.
TY_AMX static __attribute__((noinline)) void joined_span(const joined_call *c, u32 first, u32 last, u32 strip) {
  const ty_linear *linear = c->linear;
  const u32 runs = linear->k / AMX_RUN, spans = c->plan->spans;
  u8 unpacked[JOINED_SPANS][2 * AMX_RUNS * AMX_BLOCK] __attribute__((aligned(64)));
  amx_sums sums[JOINED_SPANS][AMX_SPAN / AMX_BAND] __attribute__((aligned(64)));
  f32 blocks[JOINED_OPS][JOINED_BLOCK] __attribute__((aligned(64)));
  for (u32 run = 0; run < runs; run += AMX_RUNS) {
    amx_panel panels[JOINED_SPANS];
    for (u32 s = 0; s < spans; ++s) {
      const u32 tile = c->plan->begins[s] / 16 + strip * 2;
      panels[s] = amx_panel_of(linear, c->weights, tile, 2, run, unpacked[s]);
    }
    for (u32 group = first; group < last; group += AMX_GROUP * AMX_BAND) {
      const u32 end = last - group < AMX_GROUP * AMX_BAND ? last : group + AMX_GROUP * AMX_BAND;
      const u32 index = (group - first) / AMX_BAND;
      for (u32 s = 0; s < spans; ++s) {
        amx_bands(linear, &panels[s], c->packed, c->rows, group, end, &sums[s][index], 0, 0);
      }
      if (run + panels[0].runs < runs) continue;
      for (u32 r = group, i = index; r < end; r += AMX_BAND, ++i) {
        const f32 *own[JOINED_SPANS] = {sums[0][i][0], sums[1][i][0]};
        const f32 *block = joined_block(c->plan, own, blocks);
        const amx_band band = amx_band_of(c->width, c->rows, r);
        joined_pack(block, band.step / AMX_BLOCK, c->out + band.at + (u64)strip * band.step);
      }
    }
  }
}

TY_AMX static void joined_chunk(const joined_call *call, u32 chunk, u32 chunks) {
  ty_linear narrow = *call->linear;
  narrow.n = call->width;
  const many_chunk own = many_chunk_of(&narrow, call->rows, chunk, chunks);
  amx_configure();
  for (u32 from = own.rows.begin; from < own.rows.end; from += AMX_SPAN) {
    const u32 to = own.rows.end - from < AMX_SPAN ? own.rows.end : from + AMX_SPAN;
    for (u32 strip = own.panels.begin; strip < own.panels.end; ++strip) joined_span(call, from, to, strip);
  }
  _tile_release();
}

#endif
