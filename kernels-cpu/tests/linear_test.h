// linear_test.h -- products against sums in f64 over weights that are written here from the
// layouts' description.

#pragma once

#include "../linear_chunks.h"
#include "check.h"

static ty_format blocks_format(u32 bits, u32 log_group, u32 flags) {
  return TY_BLOCKS | bits << 8 | log_group << 16 | flags << 24;
}

static bool is_blocks(ty_format f) { return (f & 0xff) == TY_BLOCKS; }

static void put_half(u8 *at, u32 index, u32 h) { memcpy(at + 2 * index, &(u16){(u16)h}, 2); }

// Fills one block's column of 16 rows with scales, biases and codes; w is [16][k].
static void fill_block(ty_format f, u8 *at, u32 row, f64 *w) {
  const u32 bits = f >> 8 & 0xff, group = 1u << (f >> 16 & 0xff), flags = f >> 24;
  const int fraction = flags & TY_SCALE_BF16 ? 7 : 10;
  const bool zero = random_below(13) == 0, most = random_below(7) == 0;
  const u32 scale = zero ? 0 : half_of_value(random_unit() * 0.02, fraction);
  const u32 bias = half_of_value(random_unit() * 0.1, fraction);
  put_half(at, row, scale);
  if (flags & TY_BIAS) put_half(at + 32, row, bias);
  u8 *codes = at + (flags & TY_BIAS ? 64 : 32);
  for (u32 c = 0; c < group; ++c) {
    const u32 code = most ? (1u << bits) - 1 : random_below(1u << bits);
    if (bits == 4) {
      u8 *byte = codes + c / 8 * 64 + row * 4 + c % 4;
      *byte = (u8)(c % 8 < 4 ? (*byte & 0xf0) | code : (*byte & 0x0f) | code << 4);
    } else {
      codes[c / 4 * 64 + row * 4 + c % 4] = (u8)code;
    }
    const f64 shifted = flags & TY_MIDDLE ? (f64)code - (1 << (bits - 1)) : code;
    w[c] = value_of_half(scale, fraction) * shifted +
           (flags & TY_BIAS ? value_of_half(bias, fraction) : 0);
  }
}

static u64 weight_bytes(ty_format f, u32 n, u32 k) {
  const u64 tiles = (n + 15) / 16;
  if (!is_blocks(f)) return tiles * 16 * k * (f == TY_F32 ? 4 : 2);
  const u32 bits = f >> 8 & 0xff, group = 1u << (f >> 16 & 0xff);
  return tiles * (k / group) * (32 + (f >> 24 & TY_BIAS ? 32 : 0) + group * bits * 2);
}

// Random weights of n rows: the stored form, and w f64 [n][k].
static void fill_weights(ty_format f, u32 n, u32 k, u8 *stored, f64 *w) {
  memset(stored, 0, weight_bytes(f, n, k));
  for (u32 r = 0; r < n; ++r) {
    const u32 tile = r / 16, lane = r % 16;
    if (is_blocks(f)) {
      const u32 group = 1u << (f >> 16 & 0xff);
      const u64 block = weight_bytes(f, 16, group);
      for (u32 g = 0; g < k / group; ++g) {
        fill_block(f, stored + ((u64)tile * (k / group) + g) * block, lane, w + (u64)r * k + g * group);
      }
      continue;
    }
    for (u32 c = 0; c < k; ++c) {
      f32 v = random_normal();
      if (random_below(50) == 0) v *= 1e-6f; // a subnormal of f16
      const u64 at = ((u64)tile * k + c) * 16 + lane;
      const u64 pair = (((u64)tile * (k / 2) + c / 2) * 16 + lane) * 2 + c % 2;
      if (f == TY_F32) memcpy(stored + at * 4, &v, 4);
      if (f == TY_F16) put_half(stored, (u32)at, half_of_value(v, 10));
      if (f == TY_BF16) put_half(stored, (u32)pair, half_of_value(v, 7));
      w[(u64)r * k + c] = rounded(f, v);
    }
  }
}

// The activations that the contract lets a product see: rounded, or quantized by runs of 32.
static void seen_activations(ty_format f, u32 k, const f32 *x, f64 *seen) {
  for (u32 c = 0; c < k; ++c) seen[c] = is_blocks(f) ? 0 : rounded(f & 0xff, x[c]);
  if (!is_blocks(f)) return;
  for (u32 run = 0; run < k; run += 32) {
    f32 largest = 0;
    for (u32 c = run; c < run + 32; ++c) largest = fmaxf(largest, fabsf(x[c]));
    if (largest < 0x1p-100f) continue;
    const f32 inverse = 127.0f / largest, scale = largest / 127.0f;
    for (u32 c = run; c < run + 32; ++c) seen[c] = (f64)nearbyintf(x[c] * inverse) * scale;
  }
}

static void fill_activations(u32 k, f32 *x) {
  const f32 size = ldexpf(1, (int)random_below(12) - 6);
  for (u32 c = 0; c < k; ++c) {
    x[c] = random_normal() * size;
    if (random_below(40) == 0) x[c] *= 30; // an outlier
    if (random_below(40) == 0) x[c] = 0;
    if (random_below(200) == 0) x[c] = 1e-40f * (f32)random_below(100);
  }
  if (random_below(4) == 0) memset(x, 0, (k < 32 ? k : 32) * 4);
}

typedef struct {
  ty_linear linear;
  u32 rows;
  u8 *weights, *packed;
  f32 *x, *y;
} product;

static void multiply(const product *p, u32 rows, const f32 *x, f32 *y, u32 chunks) {
  const ty_linear *l = &p->linear;
  memset(p->packed, 0xff, ty_linear_packed_bytes(l->k, rows));
  for (u32 r = 0; r < rows; ++r) ty_linear_pack(l->format, l->k, rows, r, x + (u64)r * l->k, p->packed);
  for (u32 c = chunks; c-- > 0;) ty_linear_chunk(l, p->weights, p->packed, rows, y, c, chunks);
}

// Every split and, where promised, every number of rows gives the bits of `p->y`.
static void check_splits(const product *p) {
  const ty_linear *l = &p->linear;
  const u64 bytes = (u64)p->rows * l->y_stride * 4;
  f32 *other = allocate(bytes);
  const u32 counts[] = {2, 7, ty_linear_chunks(l, p->rows, 1), ty_linear_chunks(l, p->rows, 2),
                        ty_linear_chunks(l, p->rows, 32)};
  for (u32 i = 0; i < 5; ++i) {
    memset(other, 0xcd, bytes);
    multiply(p, p->rows, p->x, other, counts[i]);
    CHECK(counts[i] >= 1 && !memcmp(other, p->y, bytes), "format %x n %u k %u rows %u: %u chunks differ",
          l->format, l->n, l->k, p->rows, counts[i]);
  }
  if (is_blocks(l->format) || p->rows <= TY_FEW) {
    const u32 row = random_below(p->rows);
    multiply(p, 1, p->x + (u64)row * l->k, other, 1);
    CHECK(!memcmp(other, p->y + (u64)row * l->y_stride, l->n * 4u), "format %x n %u k %u: one row differs",
          l->format, l->n, l->k);
  }
  free(other);
}

// An infinity or NaN in one row makes that row's outputs not finite, and no other's.
static void check_not_finite(const product *p) {
  const ty_linear *l = &p->linear;
  const u32 bad = random_below(p->rows);
  const u64 bytes = (u64)p->rows * l->y_stride * 4;
  f32 *other = allocate(bytes);
  memset(other, 0xcd, bytes);
  p->x[(u64)bad * l->k + random_below(l->k)] = random_below(2) ? NAN : INFINITY;
  multiply(p, p->rows, p->x, other, 1);
  for (u32 r = 0; r < p->rows; ++r) {
    const f32 *a = other + (u64)r * l->y_stride, *b = p->y + (u64)r * l->y_stride;
    if (r != bad) {
      CHECK(!memcmp(a, b, l->n * 4u), "format %x: a NaN of row %u shows in row %u", l->format, bad, r);
      continue;
    }
    for (u32 i = 0; i < l->n; ++i) {
      CHECK(!isfinite(a[i]), "format %x n %u k %u rows %u: %g of a row with NaN", l->format, l->n, l->k,
            p->rows, (f64)a[i]);
    }
  }
  free(other);
}

static void test_product(ty_format f, u32 n, u32 k, u32 rows) {
  product p = {.linear = {.format = f, .n = n, .k = k, .y_stride = n + 3}, .rows = rows};
  const u64 y_bytes = (u64)rows * (n + 3) * 4;
  p.weights = allocate(weight_bytes(f, n, k));
  p.packed = allocate(ty_linear_packed_bytes(k, rows));
  p.x = allocate((u64)rows * k * 4);
  p.y = allocate(y_bytes);
  f64 *w = allocate((u64)n * k * 8), *seen = allocate(k * 8u);
  fill_weights(f, n, k, p.weights, w);
  for (u32 r = 0; r < rows; ++r) fill_activations(k, p.x + (u64)r * k);
  memset(p.y, 0xcd, y_bytes);
  multiply(&p, rows, p.x, p.y, 1);
  for (u32 r = 0; r < rows; ++r) {
    const f32 *y = p.y + (u64)r * (n + 3);
    seen_activations(f, k, p.x + (u64)r * k, seen);
    for (u32 i = 0; i < n; ++i) {
      f64 sum = 0, size = 0;
      for (u32 c = 0; c < k; ++c) {
        sum += w[(u64)i * k + c] * seen[c];
        size += fabs(w[(u64)i * k + c] * seen[c]);
      }
      // A bias may cancel against the codes: both are below 0.02 * 255 and 0.1.
      if (is_blocks(f)) for (u32 c = 0; c < k; ++c) size += 2 * fabs(seen[c]);
      CHECK(fabs(y[i] - sum) <= 1e-6 * size + 1e-30, "format %x n %u k %u rows %u at %u, %u: %.9g, not %.9g",
            f, n, k, rows, r, i, (f64)y[i], sum);
    }
    CHECK(!memcmp(y + n, "\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd", 12), "wrote beyond row %u", r);
  }
  const u32 id = random_below(n);
  f32 *row = allocate(k * 4u);
  ty_linear_row(f, k, p.weights, id, row);
  for (u32 c = 0; c < k; ++c) {
    CHECK(row[c] == (f32)w[(u64)id * k + c], "format %x row %u column %u: %.9g, not %.9g", f, id, c,
          (f64)row[c], w[(u64)id * k + c]);
  }
  check_splits(&p);
  check_not_finite(&p);
  free(row), free(seen), free(w), free(p.y), free(p.x), free(p.packed), free(p.weights);
}

static void test_linear(void) {
  static const u32 all_rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 23};
  static const u32 all_n[] = {1, 16, 17, 33, 70}, plain_k[] = {1, 2, 7, 16, 66, 255, 600};
  for (u32 i = 0; i < sizeof all_rows / 4; ++i) {
    for (u32 j = 0; j < 5; ++j) {
      const u32 rows = all_rows[i], n = all_n[j];
      for (u32 c = (i + j) % 2; c < 7; c += 2) {
        test_product(TY_F32, n, plain_k[c], rows);
        test_product(TY_F16, n, plain_k[c], rows);
        test_product(TY_BF16, n, (plain_k[c] + 1) / 2 * 2, rows);
      }
      for (u32 bits = 4; bits <= 8; bits += 4) {
        for (u32 log = 5; log <= 7; ++log) {
          const u32 k = (1u << log) * (1 + random_below(6)) + (i == 3 ? 640 : 0);
          const u32 flags[] = {0, TY_BIAS, TY_MIDDLE}, bf16 = random_below(2) ? TY_SCALE_BF16 : 0;
          for (u32 m = 0; m < 3; ++m) test_product(blocks_format(bits, log, flags[m] | bf16), n, k, rows);
        }
      }
    }
  }
  // More than one panel of columns, and rows enough to be split.
  test_product(TY_F32, 40, 1500, 9);
  test_product(TY_BF16, 40, 2100, 150);
  test_product(TY_F16, 40, 601, 150);
  test_product(blocks_format(4, 6, TY_BIAS), 40, 1600, 150);
  test_product(blocks_format(8, 5, TY_MIDDLE), 300, 1056, 9);
}
