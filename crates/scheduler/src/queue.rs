//! Sequences that have not begun, and whose turn it is.
//!
//! Clients are served in turn by what they have been given: the next sequence is the oldest of
//! the client that has had the fewest tokens, prompt and answer together, since it has been here.
//! A client that comes begins with what the least served one has had, so that nobody saves turns
//! up by staying away (the counters of "Fairness in Serving Large Language Models", OSDI 2024,
//! with every token worth the same).

use std::collections::{BTreeMap, VecDeque};

use crate::sequence::{ClientId, SeqId, Sequence};

/// The queue of new sequences.
#[derive(Debug, Default)]
pub(crate) struct FairQueue {
    clients: BTreeMap<ClientId, Client>,
    /// Whose turn it is, once that was asked. It stays until the turn is taken: a sequence that
    /// waits for room is not overtaken by smaller ones.
    turn: Option<ClientId>,
}

#[derive(Debug, Default)]
struct Client {
    waiting: VecDeque<Sequence>,
    /// Sequences of the client anywhere in the scheduler, those in `waiting` included.
    alive: usize,
    served: u64,
}

impl FairQueue {
    /// Puts a new sequence behind the others of its client.
    pub(crate) fn push(&mut self, seq: Sequence) {
        let least = self.clients.values().map(|client| client.served).min().unwrap_or(0);
        let new = Client { served: least, ..Client::default() };
        let client = self.clients.entry(seq.client).or_insert(new);
        client.alive += 1 + seq.forks.len();
        client.waiting.push_back(seq);
    }

    /// Takes the sequence whose turn it is.
    pub(crate) fn pop(&mut self) -> Option<Sequence> {
        let client = self.turn.take().or_else(|| self.next_client())?;
        self.clients.get_mut(&client).expect("it has its turn").waiting.pop_front()
    }

    /// Gives back what [`pop`](Self::pop) gave: it keeps its turn.
    pub(crate) fn unpop(&mut self, seq: Sequence) {
        self.turn = Some(seq.client);
        self.of(seq.client).waiting.push_front(seq);
    }

    /// Takes a sequence out, wherever it stands.
    pub(crate) fn remove(&mut self, id: SeqId) -> Option<Sequence> {
        let (client, place) = self.find(id)?;
        let seq = self.of(client).waiting.remove(place).expect("it was just found");
        if self.of(client).waiting.is_empty() && self.turn == Some(client) {
            self.turn = None;
        }
        Some(seq)
    }

    /// Puts `seq` where the sequence `id` stands, and gives that one.
    pub(crate) fn replace(&mut self, id: SeqId, seq: Sequence) -> Option<Sequence> {
        let (client, place) = self.find(id)?;
        Some(std::mem::replace(&mut self.of(client).waiting[place], seq))
    }

    /// A client has been given so many tokens.
    pub(crate) fn note_served(&mut self, client: ClientId, tokens: usize) {
        self.of(client).served += tokens as u64;
    }

    /// A sequence of the client has left the scheduler.
    pub(crate) fn note_left(&mut self, client: ClientId) {
        let entry = self.of(client);
        entry.alive -= 1;
        if entry.alive == 0 {
            self.clients.remove(&client);
        }
    }

    /// All that wait, client by client.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Sequence> + Clone {
        self.clients.values().flat_map(|client| &client.waiting)
    }

    /// The same, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Sequence> {
        self.clients.values_mut().flat_map(|client| &mut client.waiting)
    }

    /// The least served client with a sequence here; of equal ones that of the oldest sequence.
    fn next_client(&self) -> Option<ClientId> {
        let rank = |client: &Client| Some((client.served, client.waiting.front()?.id));
        let ranked = self.clients.iter().filter_map(|(id, client)| Some((rank(client)?, *id)));
        ranked.min().map(|(_, client)| client)
    }

    fn find(&self, id: SeqId) -> Option<(ClientId, usize)> {
        self.clients.iter().find_map(|(client, Client { waiting, .. })| {
            Some((*client, waiting.iter().position(|seq| seq.id == id)?))
        })
    }

    fn of(&mut self, client: ClientId) -> &mut Client {
        self.clients.get_mut(&client).expect("a client is known while a sequence of it is alive")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(queue: &mut FairQueue, id: u64, client: u64) {
        queue.push(Sequence::new(SeqId(id), vec![1], 9).of(ClientId(client)));
    }

    /// Takes the next, and gives its client so many tokens.
    fn serve(queue: &mut FairQueue, tokens: usize) -> Option<u64> {
        let seq = queue.pop()?;
        queue.note_served(seq.client, tokens);
        Some(seq.id.0)
    }

    #[test]
    fn a_crowd_does_not_hold_up_one() {
        let mut queue = FairQueue::default();
        (0..4).for_each(|id| push(&mut queue, id, 1));
        push(&mut queue, 10, 2);
        push(&mut queue, 11, 2);
        let order: Vec<_> = std::iter::from_fn(|| serve(&mut queue, 5)).collect();
        assert_eq!(order, [0, 10, 1, 11, 2, 3]);
    }

    #[test]
    fn who_takes_more_waits_longer_and_who_comes_later_saves_nothing_up() {
        let mut queue = FairQueue::default();
        (0..3).for_each(|id| push(&mut queue, id, 1));
        assert_eq!(serve(&mut queue, 100), Some(0));
        (10..13).for_each(|id| push(&mut queue, id, 2));
        assert_eq!(serve(&mut queue, 30), Some(1), "the other began with 100 too");
        let order: Vec<_> = std::iter::from_fn(|| serve(&mut queue, 30)).collect();
        assert_eq!(order, [10, 2, 11, 12]);
    }

    #[test]
    fn a_turn_is_kept_until_it_is_taken_or_left() {
        let mut queue = FairQueue::default();
        push(&mut queue, 0, 1);
        push(&mut queue, 1, 2);
        let seq = queue.pop().expect("there are two");
        queue.unpop(seq);
        queue.note_served(ClientId(1), 1000);
        assert_eq!(queue.pop().map(|seq| seq.id.0), Some(0));
        push(&mut queue, 2, 2);
        let seq = queue.pop().expect("there are two");
        queue.unpop(seq);
        assert!(queue.remove(SeqId(1)).is_some() && queue.remove(SeqId(1)).is_none());
        assert!(queue.remove(SeqId(2)).is_some());
        assert!(queue.pop().is_none());
    }

    #[test]
    fn clients_without_sequences_are_forgotten() {
        let mut queue = FairQueue::default();
        for id in 0..100 {
            push(&mut queue, id, id);
            let seq = queue.pop().expect("one is there");
            queue.note_left(seq.client);
        }
        assert!(queue.clients.is_empty());
    }
}
