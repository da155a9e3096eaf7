// linear.h -- y = x w^T for every format of weights. The layouts and the interface; the bodies
// are in linear_*.h.
//
// Weights stand in tiles of 16 rows (a row is an output), so that the lanes of one 512-bit
// register are 16 outputs; rows are padded to 16 with zeros. All tiles of a matrix form one
// stream, row tile by row tile:
//
//   TY_F32   [n/16][k][16] f32
//   TY_F16   [n/16][k][16] f16
//   TY_BF16  [n/16][k/2][16][2] bf16: pairs of columns, as vdpbf16ps takes them
//   TY_BLOCKS [n/16]{ row_scale f32[16] if rows have scales, units }
//            A unit is 256 columns for TY_SCALE_SUPER and max(group, 32) for all other scales:
//
//     header of TY_SCALE_SUPER   d f16[16]; dmin f16[16] for TY_LEAST; sub i8[256/group][16];
//                                minimum u8[256/group][16] for TY_LEAST. With codes of 2 bits sub and
//                                minimum are the low and the high half of one byte, both unsigned.
//     header of other scales     scale[unit/group][16]; bias[unit/group][16] of the scale's type
//                                for TY_BIAS; zero u8[unit/group][16] for TY_ZERO
//     codes, for each 32 columns planes of bits, the low bits of a code first; each u32 [bits][16]:
//       8 bits  byte b of dword j, row r: column 4j + b
//       4 bits  byte b of dword j: low nibble column 8j + b, high nibble column 8j + 4 + b
//       2 bits  byte b of dword j, bits 2p and 2p + 1: column 16j + 4p + b
//       1 bit   byte b of the dword, bit p: column 4p + b
//     3 = 2 + 1 bits, 5 = 4 + 1, 6 = 4 + 2. TY_E2M1 and TY_IQ4 have 4 bits, TY_E4M3 has 8.
//
// Activations are packed once for all chunks of a product. Their form is the kernel's own (it
// depends on the format, on the instruction set and on the number of rows); at most
// ty_linear_packed_bytes of it. Blocks take activations as int8 with one f32 scale for every
// 32 columns; TY_E4M3 takes them as f32 or, for many rows and with an instruction for it, as bf16;
// the plain formats round them to the weight's element type.
//
// NaN codes and NaN scales do not occur: readers of files refuse them.

#pragma once

#include "program.h"

// Bytes that hold the packed form of `rows` rows in every variant; the planner computes the same.
static inline u64 ty_linear_packed_bytes(u32 k, u32 rows) {
  const u64 padded = (rows + 7) / 8 * 8;
  return padded * ((u64)k * 4 + (k + 31) / 32 * 8 + 64);
}

// Row `row` of `rows`, x f32 [k], to packed form.
static void ty_linear_pack(ty_format format, u32 k, u32 rows, u32 row, const f32 *x, u8 *packed);

// The same of rows that were packed alone, as the only row of a product each, `step` bytes apart: what
// one worker packed, another brings into form for itself. At most 8 rows, not in matrix registers.
static void ty_linear_gather(ty_format format, u32 k, u32 rows, const u8 *alone, u64 step, u8 *packed);

// Bytes between two such rows.
static inline u64 ty_linear_alone_bytes(u32 k) { return (ty_linear_packed_bytes(k, 8) / 8 + 63) / 64 * 64; }

// Chunks of the product of `rows` rows among `workers` workers: at least 1.
static u32 ty_linear_chunks(const ty_linear *linear, u32 rows, u32 workers);

// Computes chunk `chunk` of `chunks`. Any split gives the same bits.
static void ty_linear_chunk(const ty_linear *linear, const u8 *weights, const u8 *packed, u32 rows,
                            f32 *y, u32 chunk, u32 chunks);

// Row `id` of the table `weights` of `n` rows, decoded exactly: x f32 [k].
static void ty_linear_row(ty_format format, u32 k, const u8 *weights, u32 id, f32 *x);
