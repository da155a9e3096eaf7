// digest.hip -- what a host needs of a row of logits to choose a token, so that it reads little of the row.
//
// Maths      of each chunk of 64 logits the highest, and with a temperature the sum of
//            e^((logit - highest of the row) / temperature); of the row the id of its highest logit (of equal
//            ones the lowest) and whether all are finite. Rows and places: crates/artifact/src/digest.rs
// Launch     ty_digest, then ty_weigh: grid = (parts of 1024 logits, rows); 16 work-items have a chunk
// Bound by   bytes of the row, read once by each launch
// Numerics   The host's, bit for bit: crates/engine/src/logits/passes.rs. exp is its polynomial; a chunk's sum is
//            16 sums of whole sixteens, added up in their order, then what is left, in its order.
//            A chunk with NaN or an infinity has the highest logit NaN.

#include "common/wave.h"

#define CHUNK 64u
#define LANES 16u
#define CHUNKS (TY_THREADS / LANES)

// f32s to which parts of a row are aligned.
#define LINE 32u

struct digest_row {
  TY_GLOBAL f32 *values, *head, *maxima, *sums;
  u32 width, chunks;
  f32 temperature;
};

TY_DEVICE u32 whole_lines(u32 floats) { return (floats + LINE - 1) / LINE * LINE; }

// Row group_y(), with temperature 0 where nobody wants its digest.
TY_DEVICE digest_row row_of(const ty_step &step) {
  const phase_ref phase = phase_of(step);
  const u32 index = group_y(), width = phase->kernel, chunks = (width + CHUNK - 1) / CHUNK;
  const u32 head = whole_lines(width), maxima = head + LINE, sums = maxima + whole_lines(chunks);
  const u64 pitch = sums + whole_lines(chunks);
  digest_row row;
  row.values = global_at<f32>(address_of(step, (u64)TY_LOGITS << 56)) + pitch * index;
  row.head = row.values + head;
  row.maxima = row.values + maxima;
  row.sums = row.values + sums;
  row.width = width;
  row.chunks = chunks;
  row.temperature = 0.0f;
  if (is_real(step, phase, index)) {
    const i32 bits = input(step, TY_SAMPLED, program_of(step)->rows + index);
    row.temperature = __builtin_bit_cast(f32, bits);
  }
  return row;
}

TY_DEVICE bool is_finite(f32 v) { return (__builtin_bit_cast(u32, v) & 0x7f800000u) != 0x7f800000u; }

// The largest of the 16 lanes that have a chunk, in all of them.
TY_DEVICE f32 chunk_max(f32 v) {
  v = max_of(v, row_exchange<1>(v));
  v = max_of(v, row_exchange<2>(v));
  v = max_of(v, row_exchange<4>(v));
  return max_of(v, row_exchange<8>(v));
}

TY_KERNEL(ty_digest) {
  const digest_row row = row_of(step);
  if (row.temperature == 0.0f) return;
  const u32 chunk = group_x() * CHUNKS + thread_id() / LANES, lane = thread_id() % LANES;
  f32 most = -__builtin_inff(), bad = 0.0f;
  for (u32 i = 0; i < CHUNK; i += LANES) {
    const u32 at = chunk * CHUNK + i + lane;
    const f32 v = at < row.width ? row.values[at] : row.values[0];
    bad = is_finite(v) ? bad : 1.0f;
    most = at < row.width ? max_of(v, most) : most;
  }
  most = chunk_max(most);
  bad = chunk_max(bad);
  if (lane == 0 && chunk < row.chunks) row.maxima[chunk] = bad > 0.0f ? __builtin_nanf("") : most;
}

// e^x for x from negative infinity to 0: exp_of_negative of crates/engine/src/logits/passes.rs, operation by operation.
TY_DEVICE f32 exp_of_negative(f32 x) {
  const f32 bounded = x > -87.0f ? x : -87.0f;
  const f32 rounded = bounded * 1.44269504088896341f + 12582912.0f, k = rounded - 12582912.0f;
  const f32 r = (bounded - k * (355.0f / 512.0f)) - k * -2.1219444e-4f;
  f32 p = 1.0f / 5040.0f;
  p = p * r + 1.0f / 720.0f;
  p = p * r + 1.0f / 120.0f;
  p = p * r + 1.0f / 24.0f;
  p = p * r + 1.0f / 6.0f;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const u32 power = (__builtin_bit_cast(u32, rounded) << 23) + (127u << 23);
  return x > -87.0f ? p * __builtin_bit_cast(f32, power) : 0.0f;
}

// The row's highest logit, in all lanes; NaN where one is not finite.
TY_DEVICE f32 highest_of(const digest_row &row, TY_LOCAL f32 *room) {
  f32 most = -__builtin_inff(), bad = 0.0f;
  for (u32 c = thread_id(); c < row.chunks; c += TY_THREADS) {
    const f32 v = row.maxima[c];
    bad = v != v ? 1.0f : bad;
    most = max_of(v, most);
  }
  most = group_max(most, room);
  bad = group_max(bad, room);
  return bad > 0.0f ? __builtin_nanf("") : most;
}

// The lowest of the numbers of all lanes. They are whole and below 2^24.
TY_DEVICE u32 group_first(u32 index, TY_LOCAL f32 *room) { return (u32)-group_max(-(f32)index, room); }

TY_DEVICE void store_head(const digest_row &row, f32 highest, TY_LOCAL f32 *room) {
  u32 chunk = row.chunks;
  for (u32 c = thread_id(); c < row.chunks; c += TY_THREADS) chunk = row.maxima[c] == highest && c < chunk ? c : chunk;
  chunk = group_first(chunk, room);
  const u32 own = chunk * CHUNK + thread_id();
  const bool is_it = thread_id() < CHUNK && own < row.width && row.values[own] == highest;
  const u32 id = chunk * CHUNK + group_first(is_it ? thread_id() : CHUNK, room);
  if (thread_id() > 0) return;
  row.head[0] = __builtin_bit_cast(f32, id);
  row.head[1] = row.values[id];
  row.head[2] = 1.0f;
}

// LDS of sums: of each chunk its lanes' sums, and the weights behind the last whole sixteen.
struct sums_room {
  f32 lanes[CHUNKS][LANES], rest[CHUNKS][LANES];
};

TY_DEVICE void store_sums(const digest_row &row, f32 highest, TY_LOCAL sums_room *room) {
  const u32 own = thread_id() / LANES, lane = thread_id() % LANES, chunk = group_x() * CHUNKS + own;
  const u32 begin = chunk * CHUNK, left = begin < row.width ? row.width - begin : 0;
  const u32 count = left < CHUNK ? left : CHUNK, whole = count / LANES * LANES;
  f32 sum = 0.0f, rest = 0.0f;
  for (u32 i = lane; i < whole; i += LANES) sum += exp_of_negative((row.values[begin + i] - highest) / row.temperature);
  if (whole + lane < count) rest = exp_of_negative((row.values[begin + whole + lane] - highest) / row.temperature);
  room->lanes[own][lane] = sum;
  room->rest[own][lane] = rest;
  barrier();
  if (lane > 0 || chunk >= row.chunks) return;
  f32 all = 0.0f;
  for (u32 i = 0; i < LANES; ++i) all += room->lanes[own][i];
  for (u32 i = 0; i < count - whole; ++i) all += room->rest[own][i];
  row.sums[chunk] = all;
}

TY_KERNEL(ty_weigh) {
  TY_LDS static f32 waves[TY_WAVES];
  TY_LDS static sums_room room;
  const digest_row row = row_of(step);
  if (row.temperature == 0.0f) return;
  const f32 highest = highest_of(row, (TY_LOCAL f32 *)waves);
  if (highest != highest) {
    if (group_x() == 0 && thread_id() == 0) row.head[2] = 0.0f;
    return;
  }
  if (group_x() == 0) store_head(row, highest, (TY_LOCAL f32 *)waves);
  if (row.temperature > 0.0f) store_sums(row, highest, (TY_LOCAL sums_room *)&room);
}
