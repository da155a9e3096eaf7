// attention_decode.hip -- attention of one token a row, with heads of up to 256 elements:
// common/decode.h.

#include "common/decode.h"

TY_DECODE(decode_f32, TY_F32)
TY_DECODE(decode_f16, TY_F16)
TY_DECODE(decode_bf16, TY_BF16)
TY_DECODE(decode_q8_0, TY_CACHE_Q8_0)
TY_DECODE(decode_q4_0, TY_CACHE_Q4_0)
TY_DECODE(decode_e4m3, TY_CACHE_E4M3)
