// profile.h -- what a step's profile says of each phase before it runs (program.h: ty_profile).
//
// Bytes       a product reads each of its weights once; a mixture the weights of as many experts
//             as there are routed rows, if there are so many; attention the keys and values that
//             its queries see, a prompt's once for all of its queries.
//             A scan's are the states of its sequences, read and written.
// Operations  two for each weight and row, four for each element of a key that a query head sees.

#pragma once

#include "phases.h"

static void profile_product(ty_phase_time *time, const ty_linear *linear, u64 matrices) {
  time->format = linear->format;
  time->n = linear->n;
  time->k = linear->k;
  time->bytes = matrices * ((linear->n + 15) / 16) * tile_bytes(linear->format, linear->k);
  time->operations = 2ull * linear->n * linear->k * time->rows;
}

static void profile_attention(const ty_step *step, ty_phase_time *time, const ty_attention *attention) {
  const i32 *positions = step_inputs(step, TY_POSITIONS);
  const bool prompt = time->kind == TY_PHASE_PREFILL;
  u64 seen = 0, read = 0;
  for (u32 r = 0; r < time->rows; ++r) {
    const i32 first = first_visible(attention->window, positions[r]);
    seen += (u64)(positions[r] + 1 - first);
    read += prompt && r > 0 ? 1 : (u64)(positions[r] + 1 - first);
  }
  time->format = attention->kv_format;
  time->n = attention->heads;
  time->k = attention->head_dim;
  time->bytes = 2 * read * attention->kv_heads * head_bytes(attention->kv_format, attention->head_dim) / TY_PAGE;
  time->operations = 4 * seen * attention->heads * attention->head_dim;
}

// A scan reads and writes the states of its sequences, and multiplies them with each token twice
// (the scan) or three times (the delta rule), besides the decay.
static void profile_scan(const ty_step *step, ty_phase_time *time, const ty_scan *scan) {
  const u64 of_one = (u64)scan->heads * scan->depth * scan->width;
  time->n = scan->heads;
  time->k = scan->width;
  time->bytes = 8 * step_runs(step) * of_one;
  time->operations = (scan->rule == TY_DELTA ? 7 : 5) * of_one * time->rows;
}

// Everything but the times, of the step that is about to begin.
static void profile_begin(const ty_step *step, ty_profile *profile) {
  const u32 phases = step->program->n_phases;
  profile->count = phases < profile->room ? phases : profile->room;
  for (u32 p = 0; p < profile->count; ++p) {
    const ty_phase *phase = &step->phases[p];
    ty_phase_time *time = &profile->phases[p];
    *time = (ty_phase_time){.kind = phase->kind, .rows = phase_rows(step, phase)};
    switch (phase->kind) {
      case TY_PHASE_LINEAR: {
        const ty_linear linear = step_linear(step, phase);
        profile_product(time, &linear, 1);
        break;
      }
      case TY_PHASE_EXPERTS: {
        const ty_experts *experts = &step->experts[phase->kernel];
        const u64 most = step->routes[experts->route].experts;
        profile_product(time, &experts->linear, time->rows < most ? time->rows : most);
        break;
      }
      case TY_PHASE_PREFILL:
      case TY_PHASE_DECODE:
        profile_attention(step, time, &step->attentions[phase->kernel]);
        break;
      case TY_PHASE_SCAN:
        profile_scan(step, time, &step->scans[phase->kernel]);
        break;
    }
  }
  profile->begin = profile->clock();
}

// Phase `p` is done.
static void profile_end(ty_profile *profile, u32 p) {
  if (p < profile->count) profile->phases[p].end = profile->clock();
}
