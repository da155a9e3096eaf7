"""Further tables of cases, by group. Each group has its own index in tests/oracle."""

import cases_dense

GROUPS = {"dense": cases_dense.CASES}
