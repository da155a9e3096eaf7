//! Every case in every order of waves: `TYTO_EMU_SWEEP=ieee` and `TYTO_EMU_SWEEP=gfx11`, one for each way
//! of rounding what the hardware only estimates. Without it each case runs in one order, and all of
//! them take part in turn.

use std::sync::LazyLock;

use tyto_rdna_emu::{Numerics, Schedule};

/// Random orders beside one of each kind.
const SEEDS: [u64; 4] = [3, 4, 5, 6];

static ASKED: LazyLock<Option<Numerics>> = LazyLock::new(|| {
    let asked = std::env::var("TYTO_EMU_SWEEP").unwrap_or_default();
    match &*asked {
        "" => None,
        "ieee" => Some(Numerics::Ieee),
        "gfx11" => Some(Numerics::Gfx11),
        other => panic!("TYTO_EMU_SWEEP is {other:?}; expected ieee or gfx11"),
    }
});

/// How a sweep rounds.
pub fn numerics() -> Option<Numerics> {
    *ASKED
}

/// The orders of a sweep; none without one.
pub fn schedules() -> impl Iterator<Item = Schedule> {
    let orders = Schedule::SAMPLE.into_iter().chain(SEEDS.map(Schedule::Random));
    orders.filter(|_| ASKED.is_some())
}
