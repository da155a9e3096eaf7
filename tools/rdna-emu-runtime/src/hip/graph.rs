//! Graphs of work, and executables made of them.
//!
//! An executable's nodes run one after the other in an order that its dependencies allow. Where they leave a choice,
//! the configured schedule makes it, so that a missing dependency shows.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use tyto_rdna_emu::Schedule;

use super::error::Error;
use super::event::Event;
use super::kernel::Launch;
use super::memory::Fill;
use super::runtime::Runtime;
use super::table::Handle;
use super::task::{HostCall, Task};
use crate::device::lock;

/// What a node does.
#[derive(Debug, Clone)]
pub enum Work {
    Nothing,
    Launch(Arc<Launch>),
    /// Copies of rows to memory of the device: destination, source, bytes.
    Copies(Vec<(u64, u64, usize)>),
    Fills(Vec<Fill>),
    Host(HostCall),
    Record(Arc<Event>),
}

impl Work {
    fn kind(&self) -> std::mem::Discriminant<Self> {
        std::mem::discriminant(self)
    }
}

/// A graph that is being built.
#[derive(Debug, Default)]
pub struct Graph {
    steps: Mutex<Vec<Step>>,
}

#[derive(Debug, Clone)]
struct Step {
    work: Work,
    /// The steps before it.
    after: Vec<usize>,
}

/// A node of a graph, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub graph: Handle,
    pub number: usize,
}

/// A graph that is ready to run.
#[derive(Debug)]
pub struct Executable {
    graph: Handle,
    steps: Mutex<Vec<Step>>,
}

impl Graph {
    /// Adds a step. Returns its number.
    pub fn add(&self, work: Work, after: Vec<usize>) -> usize {
        let mut steps = lock(&self.steps);
        steps.push(Step { work, after });
        steps.len() - 1
    }

    /// Makes a step wait for another.
    pub fn depend(&self, before: usize, after: usize) -> Result<(), Error> {
        let mut steps = lock(&self.steps);
        if before >= steps.len() || after >= steps.len() || before == after {
            return Err(Error::InvalidValue);
        }
        steps[after].after.push(before);
        Ok(())
    }

    /// An executable of the graph as it is now.
    pub fn instantiate(&self, graph: Handle) -> Result<Executable, Error> {
        let steps = lock(&self.steps).clone();
        order(&steps, Schedule::InOrder)?;
        Ok(Executable { graph, steps: Mutex::new(steps) })
    }
}

impl Executable {
    /// Gives a step another launch or fill of the same kind.
    pub fn set(&self, node: &Node, work: Work) -> Result<(), Error> {
        let mut steps = lock(&self.steps);
        let step = steps.get_mut(node.number).filter(|_| node.graph == self.graph);
        let step = step.filter(|step| step.work.kind() == work.kind());
        step.ok_or(Error::InvalidValue)?.work = work;
        Ok(())
    }

    /// Takes over what a graph of the same shape does. Fails with the number of the first step that differs in kind.
    pub fn update(&self, graph: &Graph) -> Result<(), Option<usize>> {
        let (mut mine, others) = (lock(&self.steps), lock(&graph.steps));
        if mine.len() != others.len() {
            return Err(None);
        }
        let mut pairs = mine.iter().zip(others.iter());
        let differs = |(a, b): (&Step, &Step)| a.work.kind() != b.work.kind() || a.after != b.after;
        match pairs.position(differs) {
            Some(number) => Err(Some(number)),
            None => {
                mine.clone_from(&others);
                Ok(())
            }
        }
    }

    /// Puts the graph's work into a stream. Nothing is put there when a launch is refused.
    ///
    /// # Safety
    /// The sources of copies are the device's, or readable memory of the host.
    pub unsafe fn launch(&self, runtime: &Runtime, stream: Handle) -> Result<(), Error> {
        runtime.check()?;
        let steps = lock(&self.steps).clone();
        let mut actions = Vec::new();
        for number in order(&steps, runtime.device.config.options.schedule)? {
            // SAFETY: the caller promises it.
            unsafe { actions_of(runtime, &steps[number].work, &mut actions)? };
        }
        let launches =
            actions.iter().filter(|action| matches!(action, Action::Run(Task::Launch(..))));
        let calls = &runtime.device.calls;
        calls.add("graphs", "kernels", launches.count() as u64);
        calls.count("graphs", "launches");
        runtime.with_stream(stream, |stream| {
            for action in actions {
                match action {
                    Action::Run(task) => {
                        stream.push(task);
                    }
                    Action::Record(event) => event.record(stream),
                }
            }
        })
    }
}

/// What is put into a stream.
enum Action {
    Run(Task),
    Record(Arc<Event>),
}

/// # Safety
/// As for [`Executable::launch`].
unsafe fn actions_of(
    runtime: &Runtime,
    work: &Work,
    actions: &mut Vec<Action>,
) -> Result<(), Error> {
    match work {
        Work::Nothing => {}
        Work::Launch(launch) => {
            let fault = runtime.next_fault(launch)?;
            actions.push(Action::Run(Task::Launch(Arc::clone(launch), fault)));
        }
        Work::Copies(rows) => {
            for &(destination, source, size) in rows {
                // SAFETY: the caller promises it.
                let task = unsafe { runtime.copy_task(destination, source, size)? };
                actions.push(Action::Run(task));
            }
        }
        Work::Fills(fills) => {
            for fill in fills {
                actions.push(Action::Run(runtime.fill_task(fill)?));
            }
        }
        Work::Host(call) => actions.push(Action::Run(Task::Host(*call))),
        Work::Record(event) => actions.push(Action::Record(Arc::clone(event))),
    }
    Ok(())
}

/// The steps' numbers in an order that they allow. Fails when they wait for each other in a circle.
fn order(steps: &[Step], schedule: Schedule) -> Result<Vec<usize>, Error> {
    let mut random = match schedule {
        Schedule::Random(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        _ => 0,
    };
    let mut done = vec![false; steps.len()];
    let mut order = Vec::with_capacity(steps.len());
    while order.len() < steps.len() {
        let is_ready = |number: &usize| {
            !done[*number] && steps[*number].after.iter().all(|&before| done[before])
        };
        let ready: Vec<usize> = (0..steps.len()).filter(is_ready).collect();
        let next = match schedule {
            Schedule::InOrder | Schedule::Interleaved => ready.first(),
            Schedule::Reversed => ready.last(),
            Schedule::Random(_) => {
                // A small linear generator (Knuth's): only variety is wanted.
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // Its upper bits are the better ones.
                ready.get(((random >> 33) as usize * ready.len()) >> 31)
            }
        };
        let next = *next.ok_or(Error::InvalidValue)?;
        done[next] = true;
        order.push(next);
    }
    Ok(order)
}

/// A function of the host with what it is given.
pub fn host_call(
    function: Option<extern "C" fn(*mut c_void)>,
    data: *mut c_void,
) -> Result<HostCall, Error> {
    Ok(HostCall { function: function.ok_or(Error::InvalidValue)?, data: data as usize })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(after: &[&[usize]]) -> Vec<Step> {
        after.iter().map(|after| Step { work: Work::Nothing, after: after.to_vec() }).collect()
    }

    #[test]
    fn schedules_choose_among_the_orders_that_are_allowed() {
        let diamond = steps(&[&[], &[0], &[0], &[1, 2]]);
        assert_eq!(order(&diamond, Schedule::InOrder), Ok(vec![0, 1, 2, 3]));
        assert_eq!(order(&diamond, Schedule::Reversed), Ok(vec![0, 2, 1, 3]));
        let both: std::collections::BTreeSet<_> =
            (0..20).map(|seed| order(&diamond, Schedule::Random(seed)).unwrap()).collect();
        assert_eq!(both.len(), 2, "seeds give both orders");
        assert_eq!(order(&steps(&[&[1], &[0]]), Schedule::InOrder), Err(Error::InvalidValue));
    }

    #[test]
    fn an_update_needs_the_same_shape() {
        let graph = Graph::default();
        let first = graph.add(Work::Nothing, vec![]);
        graph.add(Work::Fills(vec![]), vec![first]);
        let executable = graph.instantiate(Handle(7)).unwrap();
        assert_eq!(executable.update(&graph), Ok(()));
        let other = Graph::default();
        other.add(Work::Nothing, vec![]);
        assert_eq!(executable.update(&other), Err(None));
        other.add(Work::Nothing, vec![0]);
        assert_eq!(executable.update(&other), Err(Some(1)));
        let node = Node { graph: Handle(7), number: 1 };
        assert_eq!(executable.set(&node, Work::Fills(vec![])), Ok(()));
        assert_eq!(executable.set(&node, Work::Nothing), Err(Error::InvalidValue));
        let foreign = Node { graph: Handle(8), number: 1 };
        assert_eq!(executable.set(&foreign, Work::Fills(vec![])), Err(Error::InvalidValue));
        assert_eq!(graph.depend(1, 1), Err(Error::InvalidValue));
    }
}
