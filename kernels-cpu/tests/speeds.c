// speeds.c -- how fast products of few rows are with nothing around them: what decoding one sequence and
// several can reach on a machine (docs/decisions/cpu-floors.md).
//
//   ./tools/kernel-speeds [THREADS]
//
// A line a format, number of rows, number of threads and place of the weights: bytes of weights read
// and multiply-adds a second, the best of many passes. In the second cache every thread has a matrix
// of its own; in the third all threads together read 60 MB of matrices, as a step does.

#define TY_VARIANT speeds
#include "../program.c"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { OUTPUTS = 960, INPUTS = 576, PASSES = 60, AGAIN = 40, MOST_THREADS = 64 };
#define STREAM_BYTES (60u << 20)

typedef struct {
  ty_linear linear;
  u32 rows;
  const u8 *weights; // of the first matrix
  u64 bytes;         // of a matrix
  u32 from, to, step; // matrices of this thread
  u32 times;          // that it goes through them in a pass
  const u8 *packed;
  f32 *y;
  f64 best; // seconds of a pass through its matrices
  pthread_barrier_t *begin;
} worker;

static f64 seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (f64)now.tv_sec + (f64)now.tv_nsec * 1e-9;
}

static void *must(void *memory) {
  if (memory) return memory;
  fprintf(stderr, "speeds: no memory\n");
  exit(1);
}

static void *room(u64 bytes) { return must(aligned_alloc(64, (bytes + 63) / 64 * 64)); }

static void *run(void *argument) {
  worker *w = argument;
  for (u32 pass = 0; pass < PASSES; ++pass) {
    pthread_barrier_wait(w->begin);
    const f64 begin = seconds();
    for (u32 i = 0; i < w->times; ++i) {
      for (u32 m = w->from; m < w->to; m += w->step) {
        ty_linear_chunk(&w->linear, w->weights + m * w->bytes, w->packed, w->rows, w->y, 0, 1);
      }
    }
    const f64 took = (seconds() - begin) / w->times;
    if (took < w->best) w->best = took;
  }
  return 0;
}

// Codes are random, scales f16s of about the same size.
static u8 *random_weights(ty_format format, u64 bytes) {
  u8 *weights = room(bytes + TY_WEIGHTS_AHEAD * 2);
  for (u64 i = 0; i < bytes; ++i) weights[i] = (u8)rand();
  for (u64 unit = 0; unit < bytes; unit += unit_bytes(format)) {
    for (u32 r = 0; r < 16; ++r) ((u16 *)(weights + unit))[r] = (u16)(0x2c00 + rand() % 512);
  }
  return weights;
}

// Threads read `matrices` matrices together, or each its own where there is one.
static void measure(u32 bits, ty_format format, const u8 *weights, u64 bytes, u32 matrices, u32 rows, u32 threads) {
  static worker workers[MOST_THREADS];
  pthread_t ids[MOST_THREADS];
  pthread_barrier_t begin;
  pthread_barrier_init(&begin, 0, threads);
  const bool stream = matrices > 1;
  f32 *x = room(sizeof(f32) * rows * INPUTS);
  for (u32 i = 0; i < rows * INPUTS; ++i) x[i] = (f32)(rand() % 2001 - 1000) / 500.0f;
  for (u32 t = 0; t < threads; ++t) {
    u8 *packed = room(ty_linear_packed_bytes(INPUTS, rows));
    for (u32 r = 0; r < rows; ++r) ty_linear_pack(format, INPUTS, rows, r, x + r * INPUTS, packed);
    const ty_linear linear = {.format = format, .n = OUTPUTS, .k = INPUTS, .y_stride = OUTPUTS};
    workers[t] = (worker){linear, rows, weights, bytes, stream ? t : 0, matrices, stream ? threads : 1,
                          stream ? 1 : AGAIN, packed, room(sizeof(f32) * rows * OUTPUTS), 1e9, &begin};
    if (!stream) workers[t].weights = random_weights(format, bytes);
    if (pthread_create(&ids[t], 0, run, &workers[t])) must(0);
  }
  f64 longest = 0;
  for (u32 t = 0; t < threads; ++t) {
    pthread_join(ids[t], 0);
    if (workers[t].best > longest) longest = workers[t].best;
    if (!stream) free((void *)workers[t].weights);
    free((void *)workers[t].packed);
    free(workers[t].y);
  }
  free(x);
  const f64 read = (f64)bytes * (stream ? matrices : threads), products = read / (f64)bytes * OUTPUTS * INPUTS * rows;
  printf("%u bits, %u rows, %2u threads, %s cache: %6.1f GB/s %7.1f G multiply-adds/s\n", bits, rows, threads,
         stream ? "third " : "second", read / longest / 1e9, products / longest / 1e9);
}

int main(int count, char **arguments) {
  const int most = count > 1 ? atoi(arguments[1]) : 2;
  if (most < 1 || most > MOST_THREADS) {
    fprintf(stderr, "speeds: found %s threads, expected 1 to %d\n", arguments[1], MOST_THREADS);
    return 2;
  }
  for (u32 bits = 4; bits <= 8; bits += 4) {
    const ty_format format = TY_BLOCKS | bits << 8 | TY_SCALE_F16 << 12 | 5 << 16 | TY_MIDDLE << 20;
    const u64 bytes = OUTPUTS / 16 * tile_bytes(format, INPUTS);
    const u32 matrices = (u32)(STREAM_BYTES / bytes);
    u8 *weights = random_weights(format, bytes * matrices);
    for (u32 rows = 1; rows <= 8; rows *= 2) {
      measure(bits, format, weights, bytes, 1, rows, 1);
      measure(bits, format, weights, bytes, matrices, rows, 1);
      if (most == 1) continue;
      measure(bits, format, weights, bytes, 1, rows, (u32)most);
      measure(bits, format, weights, bytes, matrices, rows, (u32)most);
    }
    free(weights);
  }
  return 0;
}
