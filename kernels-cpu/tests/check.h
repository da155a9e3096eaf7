// check.h -- what the tests of kernels share: random numbers, independent conversions, and the
// count of failures.

#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../program.h"

static int failures;
static u64 checks;

// Reports at most a few failures of a run; answers `ok`.
#define CHECK(ok, ...)                          \
  do {                                          \
    ++checks;                                   \
    if (!(ok) && ++failures <= 20) {            \
      printf("%s:%d: ", __FILE__, __LINE__);    \
      printf(__VA_ARGS__);                      \
      printf("\n");                             \
    }                                           \
  } while (0)

static u64 random_state = 0x9e3779b97f4a7c15u;

static u32 random_bits(void) { // xorshift*
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (u32)(random_state * 0x2545f4914f6cdd1du >> 32);
}

static u32 random_below(u32 n) { return random_bits() % n; }
static f32 random_unit(void) { return (f32)(random_bits() >> 8) * 0x1p-23f - 1.0f; } // -1 to 1
static f32 random_normal(void) { return random_unit() + random_unit() + random_unit(); }

static void *allocate(u64 bytes) {
  void *p = aligned_alloc(64, (bytes + 127) / 64 * 64);
  if (!p) abort();
  return p;
}

// The value of a 16-bit float with `fraction` bits of fraction.
static f64 value_of_half(u32 h, int fraction) {
  const int exponent_bits = 15 - fraction, bias = (1 << (exponent_bits - 1)) - 1;
  const int e = h >> fraction & ((1 << exponent_bits) - 1), m = h & ((1 << fraction) - 1);
  f64 v;
  if (e == (1 << exponent_bits) - 1) {
    v = m ? (f64)NAN : (f64)INFINITY;
  } else {
    v = ldexp(e ? m + (1 << fraction) : m, (e ? e : 1) - bias - fraction);
  }
  return h & 0x8000 ? -v : v;
}

// The same from a table, for the many reads of a cache.
static f64 known_value_of_half(u32 h, int fraction) {
  static f64 tables[2][65536];
  static bool filled;
  for (u32 i = 0; !filled && i < 65536; ++i) {
    tables[0][i] = value_of_half(i, 7);
    tables[1][i] = value_of_half(i, 10);
  }
  filled = true;
  return tables[fraction == 10][h];
}

// v rounded to nearest even with `fraction` bits of fraction, by arithmetic in f64.
static u32 half_of_value(f64 v, int fraction) {
  const int bias = (1 << (14 - fraction)) - 1, infinity = (0x7fff >> fraction) << fraction;
  const u32 sign = signbit(v) ? 0x8000 : 0;
  if (isnan(v)) return infinity | 1 << (fraction - 1);
  if (isinf(v)) return sign | infinity;
  if (v == 0) return sign;
  int e = ilogb(v);
  if (e < 1 - bias) e = 1 - bias;
  const f64 steps = nearbyint(ldexp(fabs(v), fraction - e)); // exact, then ties to even
  const i32 h = (i32)steps + ((e + bias - 1) << fraction);
  return sign | (u32)(h > infinity ? infinity : h);
}

static int fraction_of(u32 type) { return type == TY_F16 ? 10 : 7; }

// v rounded to the element type, as a number.
static f64 rounded(u32 type, f32 v) {
  if (type == TY_F32) return v;
  return value_of_half(half_of_value(v, fraction_of(type)), fraction_of(type));
}
