"""Further tables of cases, by group. Each group has its own index in tests/oracle."""

import cases_classic
import cases_dense
import cases_latent
import cases_mixture

GROUPS = {
    "classic": cases_classic.CASES,
    "dense": cases_dense.CASES,
    "latent": cases_latent.CASES,
    "mixture": cases_mixture.CASES,
}
