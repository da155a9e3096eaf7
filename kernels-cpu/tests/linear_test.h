// linear_test.h -- products against sums in f64 over weights that are written here from the
// layouts' description.

#pragma once

#include "../linear_chunks.h"
#include "../linear_row.h"
#include "blocks_test.h"
#include "check.h"

static u64 weight_bytes(ty_format f, u32 n, u32 k) {
  const u64 tiles = (n + 15) / 16;
  if (is_blocks(f)) return tiles * band_bytes(f, k);
  return tiles * 16 * k * (f == TY_F32 ? 4 : 2);
}

// A matrix of n rows.
typedef struct {
  u8 *stored;
  f64 *values; // [n][k]
  f64 *sizes;  // of what a value is summed from, without signs
  f32 *exact;  // values as f32 operations make them
} weights;

// Random weights.
static weights make_weights(ty_format f, u32 n, u32 k) {
  const u64 padded = (u64)(n + 15) / 16 * 16 * k;
  weights w = {allocate(weight_bytes(f, n, k)), allocate(padded * 8), allocate(padded * 8),
               allocate(padded * 4)};
  memset(w.stored, 0, weight_bytes(f, n, k));
  for (u32 r = 0; r < n && is_blocks(f); r += 16) {
    const u64 at = (u64)r * k;
    const band_values values = {w.values + at, w.sizes + at, w.exact + at, k};
    fill_band(f, w.stored + r / 16 * band_bytes(f, k), &values);
  }
  for (u32 r = 0; r < n && !is_blocks(f); ++r) {
    const u32 tile = r / 16, lane = r % 16;
    for (u32 c = 0; c < k; ++c) {
      f32 v = random_normal();
      if (random_below(50) == 0) v *= 1e-6f; // a subnormal of f16
      const u64 at = ((u64)tile * k + c) * 16 + lane;
      const u64 pair = (((u64)tile * (k / 2) + c / 2) * 16 + lane) * 2 + c % 2;
      if (f == TY_F32) memcpy(w.stored + at * 4, &v, 4);
      if (f == TY_F16) put_half(w.stored + at * 2, half_of_value(v, 10));
      if (f == TY_BF16) put_half(w.stored + pair * 2, half_of_value(v, 7));
      const u64 index = (u64)r * k + c;
      w.values[index] = rounded(f, v);
      w.sizes[index] = fabs(w.values[index]);
      w.exact[index] = (f32)w.values[index];
    }
  }
  return w;
}

static void free_weights(weights w) { free(w.stored), free(w.values), free(w.sizes), free(w.exact); }

// The activations that the contract lets a product see: rounded, or quantized by runs of 32.
static void seen_activations(ty_format f, u32 rows, u32 k, const f32 *x, f64 *seen) {
  const bool floats = is_blocks(f) && (f >> 8 & 15) == TY_E4M3;
  const u32 type = floats ? (TY_HAS_BF16_DOT && rows > TY_FEW ? TY_BF16 : TY_F32) : f & 0xff;
  for (u32 c = 0; c < k; ++c) seen[c] = is_blocks(f) && !floats ? 0 : rounded(type, x[c]);
  if (!is_blocks(f) || floats) return;
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

// Rows that are packed alone and gathered stand as those that are packed together.
static void check_gather(const product *p) {
  const ty_linear *l = &p->linear;
  if (p->rows > TY_FEW) return;
  const u64 step = ty_linear_alone_bytes(l->k), bytes = (u64)p->rows * l->y_stride * 4;
  u8 *alone = allocate(p->rows * step);
  f32 *other = allocate(bytes);
  memset(alone, 0xff, p->rows * step), memset(other, 0xcd, bytes);
  for (u32 r = 0; r < p->rows; ++r) {
    ty_linear_pack(l->format, l->k, 1, 0, p->x + (u64)r * l->k, alone + r * step);
  }
  memset(p->packed, 0xff, ty_linear_packed_bytes(l->k, p->rows));
  ty_linear_gather(l->format, l->k, p->rows, alone, step, p->packed);
  ty_linear_chunk(l, p->weights, p->packed, p->rows, other, 0, 1);
  CHECK(!memcmp(other, p->y, bytes), "format %x n %u k %u rows %u: gathered rows differ", l->format, l->n,
        l->k, p->rows);
  free(alone), free(other);
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
  const bool floats = !is_blocks(l->format) || (l->format >> 8 & 15) == TY_E4M3;
  if (!floats || p->rows <= TY_FEW) {
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
  p.packed = allocate(ty_linear_packed_bytes(k, rows));
  p.x = allocate((u64)rows * k * 4);
  p.y = allocate(y_bytes);
  f64 *seen = allocate(k * 8u);
  const weights w = make_weights(f, n, k);
  p.weights = w.stored;
  for (u32 r = 0; r < rows; ++r) fill_activations(k, p.x + (u64)r * k);
  memset(p.y, 0xcd, y_bytes);
  multiply(&p, rows, p.x, p.y, 1);
  for (u32 r = 0; r < rows; ++r) {
    const f32 *y = p.y + (u64)r * (n + 3);
    seen_activations(f, rows, k, p.x + (u64)r * k, seen);
    for (u32 i = 0; i < n; ++i) {
      f64 sum = 0, size = 0;
      for (u32 c = 0; c < k; ++c) {
        sum += w.values[(u64)i * k + c] * seen[c];
        size += w.sizes[(u64)i * k + c] * fabs(seen[c]);
      }
      CHECK(fabs(y[i] - sum) <= 1e-6 * size + 1e-30, "format %x n %u k %u rows %u at %u, %u: %.9g, not %.9g",
            f, n, k, rows, r, i, (f64)y[i], sum);
    }
    CHECK(!memcmp(y + n, "\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd", 12), "wrote beyond row %u", r);
  }
  const u32 id = random_below(n);
  f32 *row = allocate(k * 4u);
  ty_linear_row(f, k, p.weights, id, row);
  for (u32 c = 0; c < k; ++c) {
    CHECK(row[c] == w.exact[(u64)id * k + c], "format %x row %u column %u: %.9g, not %.9g", f, id, c,
          (f64)row[c], (f64)w.exact[(u64)id * k + c]);
  }
  check_splits(&p);
  check_gather(&p);
  check_not_finite(&p);
  free(row), free(seen), free(p.y), free(p.x), free(p.packed), free_weights(w);
}

// Every format of blocks, each with some sizes; published ones (blocks_test.h) with all numbers of rows.
static void test_blocks(void) {
  static const u32 rows[] = {1, 2, 3, 4, 5, 8, 9, 17, 64}, all_n[] = {1, 17, 33, 70};
  u32 turn = 0;
  for (ty_format f = TY_BLOCKS; f < 1u << 25; f += 1 << 8) {
    if (!is_known(f)) continue;
    const u32 unit = columns_of_unit(f);
    test_product(f, all_n[turn % 4], unit * (1 + turn % 3), rows[turn % 9]);
    ++turn;
  }
  for (u32 i = 0; i < sizeof published / sizeof *published; ++i) {
    for (u32 j = 0; j < 9; ++j) {
      const u32 unit = columns_of_unit(published[i]), n = all_n[(i + j) % 4];
      test_product(published[i], n, unit * (1 + random_below(unit < 256 ? 6 : 2)), rows[j]);
    }
    test_product(published[i], 40, columns_of_unit(published[i]) < 256 ? 1408 : 1536, i % 2 ? 5 : 41);
  }
  CHECK(turn > 600, "%u formats", turn);
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
    }
  }
  // More than one panel of columns, and rows enough to be split.
  test_product(TY_F32, 40, 1500, 9);
  test_product(TY_BF16, 40, 2100, 150);
  test_product(TY_F16, 40, 601, 150);
  test_blocks();
}
