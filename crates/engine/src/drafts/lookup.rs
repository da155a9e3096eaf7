//! Guesses from the text itself: code, lists and quotations repeat.
//!
//! If the text's last tokens stood in it before, what followed there may follow here.

use std::collections::HashMap;

use tyto_scheduler::SeqId;

use super::{Asked, Drafter, Proposal};

/// Tokens that must have stood in the text before. One would be chance.
const NEEDLE: usize = 3;

/// Looks texts up in themselves.
#[derive(Debug, Default)]
pub(crate) struct Lookup {
    texts: HashMap<SeqId, Ends>,
}

/// Where each run of tokens of a text last ended, not counting the text's own end.
#[derive(Debug, Default)]
struct Ends {
    ends: HashMap<[u32; NEEDLE], usize>,
    /// Tokens of the text whose ends are known.
    known: usize,
}

impl Drafter for Lookup {
    fn reach(&mut self, id: SeqId, text: &[u32]) -> usize {
        let found = self.texts.entry(id).or_default().find(text);
        found.map_or(0, |start| text.len() - start)
    }

    fn propose(&mut self, asked: &[Asked<'_>]) -> Vec<Proposal> {
        let guess = |Asked { id, text, most, .. }: &Asked<'_>| {
            let found = self.texts.entry(*id).or_default().find(text);
            let after = found.map_or(&[][..], |start| &text[start..]);
            let tokens = after[..after.len().min(*most)].to_vec();
            Proposal { tokens, drawn_from: Vec::new() }
        };
        asked.iter().map(guess).collect()
    }

    fn forget(&mut self, id: SeqId) {
        self.texts.remove(&id);
    }
}

impl Ends {
    /// What may come next begins there.
    fn find(&mut self, text: &[u32]) -> Option<usize> {
        for end in self.known.max(NEEDLE)..text.len() {
            let needle = text[..end].last_chunk::<NEEDLE>().expect("as many tokens or more");
            self.ends.insert(*needle, end);
        }
        self.known = text.len();
        self.ends.get(text.last_chunk::<NEEDLE>()?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: the last place before the end where the last tokens stood.
    fn slow_twin(text: &[u32], length: usize) -> Vec<u32> {
        let Some(needle) = text.last_chunk::<NEEDLE>() else { return Vec::new() };
        let before = &text[..text.len() - 1];
        let found = before.windows(NEEDLE).rposition(|window| window == needle);
        found.map_or(Vec::new(), |at| text[at + NEEDLE..].iter().copied().take(length).collect())
    }

    fn guess(lookup: &mut Lookup, id: u64, text: &[u32], most: usize) -> Vec<u32> {
        let id = SeqId(id);
        let reach = lookup.reach(id, text);
        let params = &crate::params::SamplingParams::greedy();
        let way = crate::sampling::Way { params, numbers: None };
        let proposed = lookup.propose(&[Asked { id, text, way, most }]).remove(0).tokens;
        assert_eq!(proposed.len(), reach.min(most));
        proposed
    }

    #[test]
    fn guesses_are_what_followed_the_last_time() {
        let mut state = 1;
        let mut found = 0;
        let mut lookup = Lookup::default();
        for round in 0..300 {
            let mut text = Vec::new();
            for turn in 0..40 {
                state = crate::testing::mix(state);
                text.push((state % (2 + round % 3)) as u32);
                // It may be asked after every token, or after some.
                if round % 2 == 0 || turn % 5 == 0 {
                    let guess = guess(&mut lookup, round, &text, 3);
                    assert_eq!(guess, slow_twin(&text, 3), "{text:?}");
                    found += usize::from(!guess.is_empty());
                }
            }
        }
        assert!(found > 1_000);
        lookup.forget(SeqId(0));
        assert_eq!(guess(&mut lookup, 0, &[1, 2, 3, 4, 1, 2, 3], 8), [4, 1, 2, 3]);
        assert!(guess(&mut lookup, 1_000, &[1, 2], 8).is_empty());
    }
}
