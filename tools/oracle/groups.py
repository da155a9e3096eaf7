"""Further tables of cases, by group. Each group has its own index in tests/oracle."""

GROUPS = {}
