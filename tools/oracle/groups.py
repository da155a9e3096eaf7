"""Further tables of cases, by group. Each group has its own index in tests/oracle."""

import cases_classic
import cases_dense
import cases_latent
import cases_mixture
import cases_recurrent

GROUPS = {
    "classic": cases_classic.CASES,
    "dense": cases_dense.CASES,
    "latent": cases_latent.CASES,
    "mixture": cases_mixture.CASES,
    "recurrent": cases_recurrent.CASES,
}
