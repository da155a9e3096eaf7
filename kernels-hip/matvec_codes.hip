// matvec_codes.hip -- products of few rows with blocks of integers: common/matvec.h.

#include "common/matvec.h"

TY_MATVEC(u2, TY_BLOCKS, 2)
TY_MATVEC(u3, TY_BLOCKS, 3)
TY_MATVEC(u4, TY_BLOCKS, 4)
TY_MATVEC(u5, TY_BLOCKS, 5)
TY_MATVEC(u6, TY_BLOCKS, 6)
TY_MATVEC(u8, TY_BLOCKS, 8)
