// kernels_test.c -- every kernel against a plain twin in f64, on random and adversarial shapes.
// Build it for any variant, with or without sanitizers, and run it: it answers 0 if all is well.
//
//   clang -O2 -std=gnu2x -march=x86-64-v4 -ffp-contract=off kernels_test.c -lm

#include "check.h"
#include "linear_test.h"
#include "attention_test.h"
#include "experts_test.h"
#include "state_test.h"

static void test_halves(void) {
  for (u32 h = 0; h < 65536; h += 16) {
    const u16x16 in = __builtin_convertvector(ty_lane + h, u16x16);
    const f32x16 f16 = f32_from_f16(in), bf16 = f32_from_bf16(in);
    const u16x16 f16_again = f16_from_f32(f16), bf16_again = bf16_from_f32(bf16);
    for (u32 i = 0; i < 16; ++i) {
      const f64 a = value_of_half(h + i, 10), b = value_of_half(h + i, 7);
      CHECK(isnan(a) ? isnan(f16[i]) : f16[i] == a, "f16 %x is %g", h + i, (f64)f16[i]);
      CHECK(isnan(b) ? isnan(bf16[i]) : bf16[i] == b, "bf16 %x is %g", h + i, (f64)bf16[i]);
      CHECK(isnan(a) ? isnan(value_of_half(f16_again[i], 10)) : f16_again[i] == h + i, "f16 %x", h + i);
      CHECK(isnan(b) ? isnan(value_of_half(bf16_again[i], 7)) : bf16_again[i] == h + i, "bf16 %x", h + i);
    }
  }
  for (u32 i = 0; i < 400000; ++i) {
    u32 bits = random_bits();
    if (i % 4 == 0) bits &= 0xfffff000; // ties
    if (i % 8 == 1) bits = (bits & 0x80001fff) | (0x33000000 + random_below(0x14800000)) / 8192 * 8192;
    const f32 v = f32_of(bits);
    const u32 a = f16_from_f32((f32x16)v)[3], b = bf16_from_f32((f32x16)v)[5];
    const bool nan = isnan(v);
    CHECK(nan ? isnan(value_of_half(a, 10)) : a == half_of_value(v, 10), "f16 of %a: %x", (f64)v, a);
    CHECK(nan ? isnan(value_of_half(b, 7)) : b == half_of_value(v, 7), "bf16 of %a: %x", (f64)v, b);
  }
}

static void test_functions(void) {
  for (u32 i = 0; i < 400000; ++i) {
    const f32 v = i % 2 ? random_unit() * 110 : random_unit() * 2;
    const f64 e = exp((f64)v), got = exp1(v), t = tanh16((f32x16)v)[1];
    if (e > 3.4028235e38) {
      CHECK(isinf(got), "exp %a is %a", (f64)v, got);
    } else {
      const f64 step = e < 0x1p-126 ? 0x1p-148 : 0; // of subnormal results
      CHECK(fabs(got - e) <= 3e-7 * e + step, "exp %a is %a, not %a", (f64)v, got, e);
    }
    CHECK(fabs(t - tanh((f64)v)) <= 4 * 0x1p-24, "tanh %a is %a", (f64)v, t);
  }
  const f32 infinity = INFINITY;
  CHECK(exp1(-infinity) == 0 && exp1(infinity) == infinity && isnan(exp1(NAN)), "exp of the special values");
  CHECK(exp1(0) == 1 && exp1(-0.0f) == 1 && exp1(-3e38f) == 0, "exp of zero");
  const f32x16 t = tanh16((f32x16){infinity, -infinity, NAN});
  CHECK(t[0] == 1 && t[1] == -1 && isnan(t[2]), "tanh of the special values");
}

int main(void) {
  test_halves();
  test_functions();
  test_linear();
  test_attention();
  test_experts();
  test_state();
  printf("%llu checks, %d failures\n", (unsigned long long)checks, failures);
  return failures != 0;
}
