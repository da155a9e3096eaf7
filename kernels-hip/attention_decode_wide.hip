// attention_decode_wide.hip -- the same with heads of up to 576 elements, as latent attention has them: a row
// of 512 and a rotary key of 64, which all heads share (common/decode.h).
//
// Launch     As there: with one head of keys a workgroup goes through a split once for four query heads,
//            from the second time on in the cache.
// Bound by   bytes of keys and values; registers for 18 sums a lane and head, and 62 KiB of LDS, leave two
//            workgroups to a work-group processor

#define TY_DIM 576u

#include "common/decode.h"

TY_DECODE(decode_wide_f32, TY_F32)
TY_DECODE(decode_wide_f16, TY_F16)
TY_DECODE(decode_wide_bf16, TY_BF16)
TY_DECODE(decode_wide_q8_0, TY_CACHE_Q8_0)
TY_DECODE(decode_wide_q4_0, TY_CACHE_Q4_0)
TY_DECODE(decode_wide_e4m3, TY_CACHE_E4M3)
