//! Which fields a configuration's reader asks for, for the table of architectures.

use std::cell::RefCell;
use std::collections::BTreeSet;

thread_local! {
    static ASKED: RefCell<Option<BTreeSet<String>>> = const { RefCell::new(None) };
}

/// Notes a field, if somebody listens.
pub(super) fn note(prefix: &str, name: &str) {
    ASKED.with_borrow_mut(|asked| {
        if let Some(asked) = asked {
            asked.insert(format!("{prefix}{name}"));
        }
    });
}

/// What `read` gives, and the fields that it asked for in this thread, present or not.
pub fn recorded<T>(read: impl FnOnce() -> T) -> (T, BTreeSet<String>) {
    ASKED.with_borrow_mut(|asked| *asked = Some(BTreeSet::new()));
    let result = read();
    (result, ASKED.with_borrow_mut(Option::take).unwrap_or_default())
}
