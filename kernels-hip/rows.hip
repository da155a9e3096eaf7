// rows.hip -- a launch of row operations alone.
//
// Maths      common/rows.h
// Launch     grid = rows of the phase; 256 work-items; ROW_FLOATS f32s of LDS
// Bound by   latency and, where rows are many, bytes of the rows
// Numerics   common/rows.h. Rows that are padding are left alone.

#include "common/rows.h"

TY_KERNEL(ty_rows) {
  TY_LDS static f32 lds[ROW_FLOATS];
  TY_LDS static f32 room[TY_WAVES];
  const phase_ref phase = phase_of(step);
  const u32 row = group_x();
  if (!is_real(step, phase, row)) return;
  const row_group group = {step, (TY_LOCAL f32 *)lds, (TY_LOCAL f32 *)room, row, true};
  rows_run<true>(group, phase);
}
