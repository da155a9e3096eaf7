// after.h -- operations on a product's outputs before they are stored, such as the gate of SwiGLU.
//
// Maths      ty_phase.first_after of kernels-cpu/program.h: value i < n_spans is columns of the
//            product, the values behind them are element-wise operations on earlier values, or the
//            row of a routed row's expert in a table
// Launch     inside a product's workgroup: every work-item has one output element, whose values are
//            its own words of LDS, so that no barrier is needed
// Numerics   as rows.h has the same operations

#pragma once

#include "maths.h"

// Values of an output element: AFTER_VALUES and AFTER_SPANS of crates/phase-program/src/plan/after.rs.
#define AFTER_VALUES 16
#define AFTER_SPANS 2

TY_DEVICE bool has_after(phase_ref phase) { return phase->n_after > 0; }

// Spans of the product's columns that the outputs are made of; 1 where there is nothing after.
TY_DEVICE u32 span_count(const ty_step &step, phase_ref phase) {
  u32 spans = 0;
  while (spans < phase->n_after && op_of(step, phase->first_after + spans)->kind == TY_ROW_COPY) ++spans;
  return spans ? spans : 1;
}

// The product's first column of a span.
TY_DEVICE u32 span_begin(const ty_step &step, phase_ref phase, u32 span) {
  return has_after(phase) ? op_of(step, phase->first_after + span)->p0 : 0;
}

// The last value. values[i * pitch] is value i of this element; those of the spans are there. The element
// is `column` of the outputs, its row's expert `owner`.
TY_DEVICE f32 after_run(const ty_step &step, phase_ref phase, TY_LOCAL f32 *values, u32 pitch, u32 owner, u32 column) {
  f32 v = values[0];
  for (u32 i = span_count(step, phase); i < phase->n_after; ++i) {
    const row_op_ref op = op_of(step, phase->first_after + i);
    if (op->kind == TY_ROW_EXPERT) {
      v = global_at<const f32>(address_of(step, op->a.ref) + op->a.stride * owner)[column];
    } else {
      const f32 a = values[(u32)op->a.ref * pitch], b = values[(u32)op->b.ref * pitch];
      switch (op->kind) {
      case TY_ROW_UNARY: v = unary(op->p0, a); break;
      case TY_ROW_BINARY: v = binary(op->p0, a, b); break;
      default: v = op->p1 ? binary(op->p0, op->imm0, a) : binary(op->p0, a, op->imm0);
      }
    }
    values[i * pitch] = v;
  }
  return v;
}
