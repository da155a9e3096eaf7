//! Handles: numbers that C sees as pointers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::error::Error;
use crate::device::lock;

/// A handle as C passes it: a number of a pointer's size, which is passed alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Handle(pub usize);

impl Handle {
    /// No handle.
    pub const NULL: Handle = Handle(0);

    /// Whether it is none.
    pub fn is_null(self) -> bool {
        self.0 == 0
    }
}

/// Things of one kind by their handles.
#[derive(Debug)]
pub struct Table<T> {
    /// The upper bits of this kind's handles: an address that no process has, so that following one is a fault.
    kind: u64,
    entries: Mutex<Entries<T>>,
}

#[derive(Debug)]
struct Entries<T> {
    next: u64,
    things: BTreeMap<u64, Arc<T>>,
}

impl<T> Table<T> {
    /// A table of a kind of its own.
    pub fn new(kind: u64) -> Self {
        let entries = Entries { next: 1, things: BTreeMap::new() };
        Table { kind: (0x4e00 | kind) << 48, entries: Mutex::new(entries) }
    }

    /// Adds a thing. Handles are not used again.
    pub fn insert(&self, thing: Arc<T>) -> Handle {
        let mut entries = lock(&self.entries);
        let number = self.kind | entries.next << 4;
        entries.next += 1;
        entries.things.insert(number, thing);
        Handle(number as usize)
    }

    /// The thing of a handle.
    pub fn get(&self, handle: Handle) -> Result<Arc<T>, Error> {
        let entries = lock(&self.entries);
        entries.things.get(&(handle.0 as u64)).map(Arc::clone).ok_or(Error::InvalidHandle)
    }

    /// Takes a thing away.
    pub fn remove(&self, handle: Handle) -> Result<Arc<T>, Error> {
        lock(&self.entries).things.remove(&(handle.0 as u64)).ok_or(Error::InvalidHandle)
    }

    /// Takes all that match away.
    pub fn remove_all(&self, matches: impl Fn(&T) -> bool) {
        lock(&self.entries).things.retain(|_, thing| !matches(thing));
    }

    /// All things, oldest first.
    pub fn all(&self) -> Vec<Arc<T>> {
        lock(&self.entries).things.values().map(Arc::clone).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_of_one_kind_and_ends() {
        let (numbers, letters) = (Table::new(1), Table::new(2));
        let one = numbers.insert(Arc::new(1));
        let a = letters.insert(Arc::new('a'));
        assert_eq!((*numbers.get(one).unwrap(), *letters.get(a).unwrap()), (1, 'a'));
        assert_eq!(letters.get(one), Err(Error::InvalidHandle));
        numbers.remove(one).unwrap();
        assert_eq!(numbers.get(one), Err(Error::InvalidHandle));
        assert_ne!(numbers.insert(Arc::new(2)), one);
        assert_eq!(numbers.get(Handle::NULL), Err(Error::InvalidHandle));
    }
}
