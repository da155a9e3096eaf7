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
//   TY_BLOCKS, codes of 4 bits   [n/16][k/group]{ scale[16], bias[16] if TY_BIAS, [group/8][16]u32 }
//             byte b of dword j, row r: low nibble column 8j + b, high nibble column 8j + 4 + b
//   TY_BLOCKS, codes of 8 bits   the same with [group/4][16]u32: byte b is column 4j + b
//
// Scales and biases are f16, or bf16 with TY_SCALE_BF16. Codes are unsigned.
//
// Activations are packed once for all chunks of a product. Their form is the kernel's own (it
// depends on the format, on the instruction set and on the number of rows); at most
// ty_linear_packed_bytes of it. Blocks take activations as int8 with one f32 scale for every
// 32 columns; the plain formats round them to the weight's element type.

#pragma once

#include "program.h"

// Bytes that hold the packed form of `rows` rows in every variant; the planner computes the same.
static inline u64 ty_linear_packed_bytes(u32 k, u32 rows) {
  const u64 padded = (rows + 7) / 8 * 8;
  return padded * ((u64)k * 4 + (k + 31) / 32 * 8 + 64);
}

// Row `row` of `rows`, x f32 [k], to packed form.
static void ty_linear_pack(ty_format format, u32 k, u32 rows, u32 row, const f32 *x, u8 *packed);

// Chunks of the product of `rows` rows among `workers` workers: at least 1.
static u32 ty_linear_chunks(const ty_linear *linear, u32 rows, u32 workers);

// Computes chunk `chunk` of `chunks`. Any split gives the same bits.
static void ty_linear_chunk(const ty_linear *linear, const u8 *weights, const u8 *packed, u32 rows,
                            f32 *y, u32 chunk, u32 chunks);

// Row `id` of the table `weights` of `n` rows, decoded exactly: x f32 [k].
static void ty_linear_row(ty_format format, u32 k, const u8 *weights, u32 id, f32 *x);
