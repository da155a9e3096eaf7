// matvec_tables.hip -- products of few rows with blocks of small floats and of table entries:
// common/matvec.h.

#include "common/matvec.h"

TY_MATVEC(e2m1, TY_BLOCKS, TY_E2M1)
TY_MATVEC(iq4, TY_BLOCKS, TY_IQ4)
TY_MATVEC(e4m3, TY_BLOCKS, TY_E4M3)
