// gemm.hip -- products of many rows: common/gemm.h.
// archs: gfx

#include "common/gemm.h"

TY_GEMM(f16, TY_F16)
TY_GEMM(bf16, TY_BF16)
TY_GEMM(blocks, TY_BLOCKS)
