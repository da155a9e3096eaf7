// wave.h -- sums and maxima over the lanes of a wave and over the waves of a workgroup, in a fixed
// order: equal inputs give equal bits.

#pragma once

#include "step.h"

// The value of the lane whose number differs in the bits of `mask`, 1 to 15.
template <u32 mask> TY_DEVICE f32 row_exchange(f32 v) {
  const int bits = __builtin_bit_cast(int, v);
  return __builtin_bit_cast(f32, __builtin_amdgcn_update_dpp(0, bits, 0x160 | mask, 0xf, 0xf, true));
}

// The value of the lane sixteen further, around.
TY_DEVICE f32 half_exchange(f32 v) {
  const u32 bits = __builtin_bit_cast(u32, v);
  const u32 other = __builtin_amdgcn_permlanex16(bits, bits, 0x76543210u, 0xfedcba98u, false, false);
  return __builtin_bit_cast(f32, other);
}

TY_DEVICE f32 max_of(f32 a, f32 b) { return a > b ? a : b; }

TY_DEVICE f32 wave_sum(f32 v) {
  v += row_exchange<1>(v);
  v += row_exchange<2>(v);
  v += row_exchange<4>(v);
  v += row_exchange<8>(v);
  return v + half_exchange(v);
}

TY_DEVICE f32 wave_max(f32 v) {
  v = max_of(v, row_exchange<1>(v));
  v = max_of(v, row_exchange<2>(v));
  v = max_of(v, row_exchange<4>(v));
  v = max_of(v, row_exchange<8>(v));
  return max_of(v, half_exchange(v));
}

// The same over a workgroup, in all its lanes. `room` has TY_WAVES f32s; a barrier is before its use
// and after.
template <bool largest> TY_DEVICE f32 group_fold(f32 v, TY_LOCAL f32 *room) {
  v = largest ? wave_max(v) : wave_sum(v);
  barrier();
  if (lane_id() == 0) room[wave_id()] = v;
  barrier();
  f32 folded = room[0];
  for (u32 w = 1; w < TY_WAVES; ++w) folded = largest ? max_of(folded, room[w]) : folded + room[w];
  return folded;
}

TY_DEVICE f32 group_sum(f32 v, TY_LOCAL f32 *room) { return group_fold<false>(v, room); }
TY_DEVICE f32 group_max(f32 v, TY_LOCAL f32 *room) { return group_fold<true>(v, room); }
