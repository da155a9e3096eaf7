// experts_test.h -- the choice of experts and the table of routed rows, against their definitions.

#pragma once

#include "check.h"

#include "../experts.h"

// Whether score a at i comes before score b at j: larger, or equal and of the lower index.
static bool comes_before(f32 a, u32 i, f32 b, u32 j) {
  a = isnan(a) ? INFINITY : a;
  b = isnan(b) ? INFINITY : b;
  return a > b || (a == b && i < j);
}

static f32 random_score(void) {
  switch (random_below(12)) {
  case 0: return INFINITY;
  case 1: return -INFINITY;
  case 2: return random_below(2) ? NAN : -NAN;
  case 3: return -0.0f;
  default: return (f32)random_below(9) - 4.0f; // many are equal
  }
}

static void check_choice(const f32 *scores, u32 n, u32 used, const i32 *ids) {
  for (u32 i = 0; i < used; ++i) {
    const u32 id = (u32)ids[i];
    u32 before = 0;
    for (u32 other = 0; other < n; ++other) before += comes_before(scores[other], other, scores[id], id);
    CHECK(id < n && before == i, "choice %u of %u is %u, behind %u", i, n, id, before);
  }
}

static void check_table(const ty_route *route, const i32 *ids, u32 rows, route_table t) {
  u32 units = 0, seen = 0;
  for (u32 e = 0; e < route->experts; ++e) {
    const u32 begin = (u32)t.begins[e], end = (u32)t.begins[e + 1];
    CHECK((u32)t.units[e] == units, "expert %u begins at unit %d, not %u", e, t.units[e], units);
    units += routed_units(end - begin);
    for (u32 r = begin; r < end; ++r, ++seen) {
      const u32 assignment = (u32)t.assignments[r];
      CHECK(assignment < rows && ids[assignment] == (i32)e && t.owners[r] == (i32)e, "row %u", r);
      CHECK(t.places[assignment] == (i32)r, "the place of assignment %u", assignment);
      CHECK(r == begin || assignment > (u32)t.assignments[r - 1], "row %u is out of order", r);
    }
  }
  CHECK(seen == rows, "%u rows of %u", seen, rows);
  // What the planner sets aside (crates/phase-program/src/abi.rs).
  const u32 padded = rows / 9 < route->experts ? rows / 9 : route->experts;
  CHECK(units <= rows + 7 * padded, "%u units of %u rows", units, rows);
}

static void test_experts(void) {
  for (u32 turn = 0; turn < 3000; ++turn) {
    ty_route route = {.experts = 1 + random_below(70)};
    route.used = 1 + random_below(route.experts < 9 ? route.experts : 9);
    const u32 tokens = random_below(40);
    route.rows = tokens * route.used + random_below(5);
    route.scores_stride = route.experts + random_below(3);
    f32 *scores = allocate((u64)(tokens + 1) * route.scores_stride * sizeof *scores);
    for (u32 i = 0; i < tokens * route.scores_stride; ++i) scores[i] = random_score();
    i32 *ids = allocate((u64)(route.rows + 1) * sizeof *ids);
    u8 *table = allocate(4 * (2 * (u64)route.experts + 1 + 3 * (u64)route.rows));
    ty_route_tokens(&route, scores, tokens, ids, table);
    for (u32 t = 0; t < tokens; ++t)
      check_choice(scores + t * route.scores_stride, route.experts, route.used, ids + t * route.used);
    check_table(&route, ids, tokens * route.used, table_of(&route, table));
    free(scores);
    free(ids);
    free(table);
  }
}
