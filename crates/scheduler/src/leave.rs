//! How sequences leave the scheduler, from wherever they are.

use crate::plan::Finished;
use crate::sequence::{Finish, SeqId, Sequence};
use crate::step::Scheduler;

impl Scheduler {
    /// Takes a sequence out, in any stage.  Its blocks are free on return, unless the
    /// step under way reads them: then `commit` frees them and reports it as
    /// [`Finish::Cancelled`].  Returns false if there is no such sequence.
    pub fn cancel(&mut self, id: SeqId) -> bool {
        if let Some(seq) = self.running.iter_mut().find(|seq| seq.id == id && seq.in_step) {
            seq.finish = Some(Finish::Cancelled);
            return true;
        }
        let Some(seq) = self.take_out(id) else { return false };
        self.let_go(seq);
        true
    }

    /// Lets those go that ended with a step.
    pub(crate) fn retire(&mut self) -> Vec<Finished> {
        let (gone, running): (Vec<_>, Vec<_>) =
            self.running.drain(..).partition(|seq| seq.finish.is_some());
        self.running = running;
        let mut finished = Vec::with_capacity(gone.len());
        for seq in gone {
            finished.extend(seq.finish.map(|finish| Finished { seq: seq.id, finish }));
            self.let_go(seq);
        }
        finished
    }

    /// Takes a sequence that is in no step out of its list.
    fn take_out(&mut self, id: SeqId) -> Option<Sequence> {
        if let Some(idx) = self.running.iter().position(|seq| seq.id == id) {
            return Some(self.running.remove(idx));
        }
        if let Some(idx) = self.urgent.iter().position(|seq| seq.id == id) {
            return self.urgent.remove(idx);
        }
        self.take_out_fork(id).or_else(|| self.take_out_new(id))
    }

    fn take_out_fork(&mut self, id: SeqId) -> Option<Sequence> {
        let leaders = self.urgent.iter_mut().chain(self.new.iter_mut()).chain(&mut self.running);
        leaders
            .flat_map(|seq| {
                let place = seq.forks.iter().position(|fork| fork.id == id)?;
                Some(seq.forks.remove(place))
            })
            .next()
    }

    /// One that waits for its turn leaves its place to those that wait for its prompt.
    fn take_out_new(&mut self, id: SeqId) -> Option<Sequence> {
        let leads = |seq: &&mut Sequence| seq.id == id && !seq.forks.is_empty();
        let heir = self.new.iter_mut().find(leads).map(first_fork);
        match heir {
            Some(heir) => self.new.replace(id, heir),
            None => self.new.remove(id),
        }
    }

    /// The end of a sequence that is in no list any more.
    fn let_go(&mut self, mut seq: Sequence) {
        self.pool.release(&mut seq);
        self.new.note_left(seq.client);
        if !seq.forks.is_empty() {
            let heir = first_fork(&mut seq);
            self.hurry(heir);
        }
    }
}

/// The first of those that wait for the prompt of `seq`, which leads the others now.
fn first_fork(seq: &mut Sequence) -> Sequence {
    let mut forks = std::mem::take(&mut seq.forks);
    let first = forks.remove(0);
    Sequence { forks, ..first }
}
