// state.h -- recurrent layers: what they keep of a sequence, and the interface of the kernels that
// read and update it in place. The bodies are in state_*.h.
//
// The cache begins with slots of `slot_bytes` each; its blocks are behind them, and block numbers
// count from the cache's begin all the same. The last entry of a sequence's row of the tables is
// its slot. A slot holds for each layer, in f32 and with rows padded to 16:
//
//   ty_conv   the last taps - 1 rows of x, oldest first: [taps - 1][channels]
//   ty_scan   heads one after the other, each S: [depth][width]
//
// so that what is summed over is never in the lanes of one register. A sequence whose first token
// of the step is at position 0 finds zeros, whatever its slot holds, NaN included.
//
// Tokens of a step are those of one sequence in prefill, and of one sequence each in decode, but
// for rows that follow the one before (row_follows in phases.h): guesses. Such a row goes on from
// the state that the row before has left in its slot and leaves its own in another, so that the
// state after each token is there when it is known which guesses were right. Every chunk goes
// through its sequence's tokens in order; channels and columns of S are divided among chunks in
// the same way whatever the number of workers.

#pragma once

#include "simd.h"

// The tokens of one sequence of a step.
typedef struct {
  u32 first;  // its row
  u32 count;
  u32 from;   // the slot with the state before them
  u32 slot;   // the slot for the state after them; mostly the same
  bool fresh; // whether the first of them is at position 0
} ty_run;

#define TY_CONV_CHANNELS 256 // of a chunk
#define TY_CONV_TAPS 16      // at most
#define TY_SCAN_COLUMNS 64   // of a chunk
#define TY_SCAN_TOKENS 16    // whose gates are computed at once
#define TY_SCAN_ROWS 256     // of a state whose rows have decays of their own, at most

// Chunks of one sequence.
static u32 ty_conv_chunks(const ty_conv *conv) {
  return (conv->channels + TY_CONV_CHANNELS - 1) / TY_CONV_CHANNELS;
}

static u32 ty_scan_chunks(const ty_scan *scan) {
  return scan->heads * ((scan->width + TY_SCAN_COLUMNS - 1) / TY_SCAN_COLUMNS);
}

// A row of a state, of `width` numbers.
static inline u32 padded_row(u32 width) { return (width + 15) / 16 * 16; }

// Chunk `chunk` of one sequence: `x` and `out` are the rows of the step's first token.
static void ty_conv_chunk(const ty_conv *conv, ty_run run, u8 *cache, const f32 *weight, const f32 *bias,
                          const f32 *x, f32 *out, u32 chunk);

// The operands of a scan at the step's first token; those that its rule does not have are null.
typedef struct {
  const f32 *v, *k, *q, *dt, *gate;
  const f32 *a_log, *dt_bias, *d;
  f32 *out;
} ty_scan_operands;

static void ty_scan_chunk(const ty_scan *scan, ty_run run, u8 *cache, const ty_scan_operands *at, u32 chunk);
