// experts_gemm.hip -- products of a prompt's routed rows: common/experts_gemm.h.
// archs: gfx

#include "common/experts_gemm.h"

TY_EXPERTS_GEMM(f16, TY_F16)
TY_EXPERTS_GEMM(bf16, TY_BF16)
TY_EXPERTS_GEMM(blocks, TY_BLOCKS)
