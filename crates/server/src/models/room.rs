//! Which model leaves when another needs its memory: a pure decision.

/// A model as this decision sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupant {
    /// The memory that it takes.
    pub bytes: u64,
    /// Whether it may be told to leave: it is loaded, and stays for nobody's sake.
    pub may_leave: bool,
    /// Whether it has been told to leave, and is still there.
    pub is_leaving: bool,
    /// Requests that use it.
    pub users: usize,
    /// When it was used last; larger is later.
    pub used: u64,
}

/// What to do before a model of so many bytes is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// There is room.
    Load,
    /// Tell this one to leave.
    Dismiss(usize),
    /// Wait until those that leave are gone.
    Wait,
    /// There is no room, and nobody who could make any.
    Never,
}

/// Chooses among models, each with its place. Idle ones leave before those in use, and among these
/// the one that was not used for longest.
pub fn next_step(occupants: &[(usize, Occupant)], needed: u64, limit: Option<u64>) -> Step {
    let Some(limit) = limit else { return Step::Load };
    let sum = |counts: fn(&Occupant) -> bool| {
        let counted = occupants.iter().filter(|(_, occupant)| counts(occupant));
        counted.fold(needed, |sum, (_, occupant)| sum.saturating_add(occupant.bytes))
    };
    if sum(|_| true) <= limit {
        return Step::Load;
    }
    if sum(|occupant| !occupant.is_leaving) <= limit {
        return Step::Wait;
    }
    let candidates = occupants.iter().filter(|(_, occupant)| occupant.may_leave);
    match candidates.min_by_key(|(_, occupant)| (occupant.users > 0, occupant.used)) {
        Some((place, _)) => Step::Dismiss(*place),
        None if occupants.iter().any(|(_, occupant)| occupant.is_leaving) => Step::Wait,
        None => Step::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(bytes: u64, users: usize, used: u64) -> Occupant {
        Occupant { bytes, may_leave: true, is_leaving: false, users, used }
    }

    #[test]
    fn the_one_unused_for_longest_leaves_and_idle_ones_first() {
        let there = [(0, loaded(4, 1, 1)), (1, loaded(4, 0, 3)), (2, loaded(4, 0, 2))];
        assert_eq!(next_step(&there, 4, None), Step::Load);
        assert_eq!(next_step(&there, 4, Some(16)), Step::Load);
        assert_eq!(next_step(&there, 4, Some(15)), Step::Dismiss(2));
        assert_eq!(next_step(&there[..2], 4, Some(4)), Step::Dismiss(1));
        assert_eq!(next_step(&there[..1], 4, Some(4)), Step::Dismiss(0));
        assert_eq!(next_step(&[], 5, Some(4)), Step::Never);
        assert_eq!(next_step(&there, u64::MAX, Some(4)), Step::Dismiss(2));
    }

    #[test]
    fn nobody_is_told_to_leave_for_room_that_is_about_to_be_there() {
        let leaving = Occupant { may_leave: false, is_leaving: true, ..loaded(4, 1, 1) };
        let pinned = Occupant { may_leave: false, ..loaded(4, 0, 1) };
        assert_eq!(next_step(&[(0, leaving), (1, loaded(4, 0, 2))], 4, Some(8)), Step::Wait);
        assert_eq!(next_step(&[(0, leaving), (1, loaded(4, 0, 2))], 8, Some(8)), Step::Dismiss(1));
        assert_eq!(next_step(&[(0, leaving), (1, pinned)], 8, Some(8)), Step::Wait);
        assert_eq!(next_step(&[(1, pinned)], 8, Some(8)), Step::Never);
    }
}
