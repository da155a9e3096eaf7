// program.c -- runs a phase program: the one translation unit that all kernels are in.
//
// Bound by   what the kernels are bound by; besides, two atomic increments a chunk, one wait a phase,
//            and a prologue: of one row every worker computes it for itself, of more they divide it
//            and wait once more.
// Launch     tyto_program_<variant>, called once a step by the thread that owns the step.
//            Helpers of the team (crates/native-team) come in through ty_job.run.
//            tyto_abi_<variant> is for a test only.
// Ends       for any number of workers that really run: a worker waits only for chunks that
//            others have claimed and are computing.

#include "program.h"

#include "simd.h"

#include "linear.h"
#include "linear_pack.h"
#include "linear_plain.h"
#include "linear_blocks.h"
#include "linear_floats.h"
#include "linear_chunks.h"
#include "linear_row.h"

#include "attention.h"
#include "attention_cache.h"
#include "attention_decode.h"
#include "attention_prefill.h"

#include "experts.h"
#include "state.h"
#include "state_conv.h"
#include "state_scan.h"
#include "rows.h"
#include "joined.h"
#include "phases.h"
#include "profile.h"

#include "abi.h"

// Spins before another thread is let run: a phase is over in microseconds unless a worker was
// taken off its processor.
#define TY_SPINS 512

static void wait_a_moment(const ty_team *team, u32 *spins) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  if (++*spins >= TY_SPINS) {
    *spins = 0;
    team->yield();
  }
}

// Waits until all `chunks` chunks of a phase are done, and asks for what is `ahead` meanwhile.
static void wait_for(const ty_team *team, _Atomic(u32) *done, u32 chunks, ty_ahead *ahead) {
  u32 spins = 0;
  while (__c11_atomic_load(done, __ATOMIC_ACQUIRE) < chunks) {
    fetch_ahead(ahead, 4);
    wait_a_moment(team, &spins);
  }
}

// What comes before the first of a worker's chunks of a phase. `first`: it is the phase's first.
static void prologue(ty_worker *worker, u32 index, const ty_phase *phase, ty_counter *counter, int first,
                     ty_ahead *ahead) {
  const ty_step *step = worker->step;
  const bool divides = prologue_divides(step, phase);
  worker_scratch(worker, divides ? 0 : index);
  worker->rows.alone = prologue_gathers(step, phase);
  if (!divides) {
    prologue_alone(worker, phase, first, ahead);
    return;
  }
  const u32 rows = prologue_share(worker, phase, counter, ahead);
  wait_for(step->team, &counter->done_rows, rows, ahead);
  if (worker->rows.alone) prologue_gather(worker, index, phase);
}

// One worker's way through the program.
static void run_worker(ty_job *begun, u32 index) {
  ty_step *step = (ty_step *)begun;
  ty_worker worker = worker_of(step, index);
  ty_profile *profile = step->team->profile;
  u32 before = 0;        // the last phase that has chunks
  u32 before_chunks = 0; // and how many
  for (u32 p = 0; p < step->program->n_phases; p++) {
    const ty_phase *phase = &step->phases[p];
    const u32 chunks = phase_chunks(step, phase);
    if (chunks == 0) continue;
    ty_counter *counter = &step->counters[p];
    u32 begun_here = 0;
    for (;;) {
      const u32 chunk = __c11_atomic_fetch_add(&counter->next, 1, __ATOMIC_RELAXED);
      if (chunk >= chunks) break;
      if (!begun_here) {
        ty_ahead ahead = phase_ahead(&worker, phase, chunk, chunks);
        if (before_chunks) wait_for(step->team, &step->counters[before].done, before_chunks, &ahead);
        prologue(&worker, index, phase, counter, chunk == 0, &ahead);
        begun_here = 1;
      }
      phase_chunk(&worker, phase, chunk, chunks);
      const u32 done = __c11_atomic_fetch_add(&counter->done, 1, __ATOMIC_RELEASE) + 1;
      if (profile && done == chunks) profile_end(profile, p);
    }
    before = p;
    before_chunks = chunks;
  }
  ty_ahead nothing = {0, 0};
  if (index == 0 && before_chunks) wait_for(step->team, &step->counters[before].done, before_chunks, &nothing);
}

#define TY_NAME2(prefix, variant) prefix##_##variant
#define TY_NAME1(prefix, variant) TY_NAME2(prefix, variant)

// The numbers of abi.h.
__attribute__((visibility("hidden"))) u32 TY_NAME1(tyto_abi, TY_VARIANT)(u32 *out, u32 room) {
  return abi_numbers(out, room);
}

// One step. Every pointer is the begin of its space (program.h); `team` points to the address
// of the engine's ty_team, which nobody else uses before this returns.
__attribute__((visibility("hidden"))) void TY_NAME1(tyto_program, TY_VARIANT)(
    const u8 *weights, const u8 *program, const i32 *tokens, const i32 *positions,
    const i32 *lengths, const i32 *slots, const i32 *tables, const i32 *sampled,
    ty_team *const *team_address, u8 *cache, f32 *logits) {
  ty_team *team = *team_address;
  const ty_program *header = (const ty_program *)program;
  if (team->shared_bytes < header->shared_bytes || team->private_bytes < header->private_bytes) {
    team->status = TY_NO_ROOM;
    return;
  }
  ty_step step;
  step_begin(&step, team, header);
  step.job.run = run_worker;
  step.base[TY_WEIGHTS] = (u64)weights;
  step.base[TY_PROGRAM] = (u64)program;
  step.base[TY_TOKENS] = (u64)tokens;
  step.base[TY_POSITIONS] = (u64)positions;
  step.base[TY_LENGTHS] = (u64)lengths;
  step.base[TY_SLOTS] = (u64)slots;
  step.base[TY_TABLES] = (u64)tables;
  step.base[TY_SAMPLED] = (u64)sampled;
  step.base[TY_CACHE] = (u64)cache;
  step.base[TY_LOGITS] = (u64)logits;
  step_count(&step, positions, sampled);
  if (team->profile) profile_begin(&step, team->profile);

  __c11_atomic_store(&team->job, &step.job, __ATOMIC_SEQ_CST);
  run_worker(&step.job, 0);
  __c11_atomic_store(&team->job, (ty_job *)0, __ATOMIC_SEQ_CST);
  u32 spins = 0;
  while (__c11_atomic_load(&team->active, __ATOMIC_SEQ_CST)) wait_a_moment(team, &spins);
}
