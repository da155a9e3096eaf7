"""Further tables of cases, by group. Each group has its own index in tests/oracle."""

import cases_classic
import cases_dense

GROUPS = {"classic": cases_classic.CASES, "dense": cases_dense.CASES}
