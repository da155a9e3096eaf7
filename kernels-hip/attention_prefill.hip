// attention_prefill.hip -- attention of one sequence's tokens, with heads of up to 256 elements:
// common/prefill.h.

#include "common/prefill.h"

TY_PREFILL(prefill_f32, TY_F32)
TY_PREFILL(prefill_f16, TY_F16)
TY_PREFILL(prefill_bf16, TY_BF16)
TY_PREFILL(prefill_q8_0, TY_CACHE_Q8_0)
TY_PREFILL(prefill_q4_0, TY_CACHE_Q4_0)
TY_PREFILL(prefill_e4m3, TY_CACHE_E4M3)
