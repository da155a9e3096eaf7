// matvec_floats.hip -- products of few rows with plain weights: common/matvec.h.

#include "common/matvec.h"

TY_MATVEC(f32, TY_F32, 0)
TY_MATVEC(f16, TY_F16, 0)
TY_MATVEC(bf16, TY_BF16, 0)
