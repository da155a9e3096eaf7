// attention_prefill_wide.hip -- the same with heads of up to 576 elements: common/prefill.h.

#define TY_DIM 576u

#include "common/prefill.h"

TY_PREFILL(prefill_wide_f32, TY_F32)
TY_PREFILL(prefill_wide_f16, TY_F16)
TY_PREFILL(prefill_wide_bf16, TY_BF16)
TY_PREFILL(prefill_wide_q8_0, TY_CACHE_Q8_0)
TY_PREFILL(prefill_wide_q4_0, TY_CACHE_Q4_0)
TY_PREFILL(prefill_wide_e4m3, TY_CACHE_E4M3)
