//! Grammars and limits of reasoning as the engine's constraints.

use tyto_engine::{Constraint, ConstraintError, TokenMask};
use tyto_text::TextModel;
use tyto_text::answer::ReasoningTags;
use tyto_text::grammar::GrammarMatcher;

/// What an answer must follow. Every answer of a request gets a constraint of its own.
#[derive(Debug, Clone, Default)]
pub struct ConstraintPlan {
    /// The grammar of the answer proper.
    pub grammar: Option<GrammarMatcher>,
    /// The reasoning before it.
    pub reasoning: Option<ReasoningPlan>,
}

/// Reasoning that comes before the answer.
#[derive(Debug, Clone)]
pub struct ReasoningPlan {
    /// The token that opens it, if the prompt has not.
    pub open: Option<u32>,
    /// The tokens that close it.
    pub close: Vec<u32>,
    /// The most tokens that it may have.
    pub budget: Option<u32>,
}

impl ReasoningPlan {
    /// For a prompt that has opened the reasoning, or not.
    pub fn new(
        model: &TextModel,
        tags: ReasoningTags,
        opened: bool,
        budget: Option<u32>,
    ) -> Option<Self> {
        let id = |text: &str| model.token_id(text).map(|id| vec![id]);
        let encoded = || model.encode(tags.close, false).ok().filter(|ids| !ids.is_empty());
        let close = id(tags.close).or_else(encoded)?;
        let open = if opened { None } else { Some(model.token_id(tags.open)?) };
        Some(Self { open, close, budget })
    }
}

impl ConstraintPlan {
    /// A constraint at the start of an answer, if there is anything to keep.
    pub fn start(&self) -> Option<Box<dyn Constraint>> {
        let grammar = self.grammar.clone().map(Grammar);
        let limited = self.reasoning.as_ref().is_some_and(|plan| plan.budget.is_some());
        match &self.reasoning {
            Some(plan) if grammar.is_some() || limited => {
                Some(Box::new(AfterReasoning::new(plan.clone(), grammar)))
            }
            _ => grammar.map(|grammar| Box::new(grammar) as Box<dyn Constraint>),
        }
    }
}

struct Grammar(GrammarMatcher);

impl Constraint for Grammar {
    fn mask(&mut self, allowed: &mut TokenMask) -> Result<(), ConstraintError> {
        let mask = self.0.mask().map_err(|error| ConstraintError::new(error.to_string()))?;
        allowed.copy_from_words(mask.words());
        Ok(())
    }

    fn accept(&mut self, id: u32) -> Result<(), ConstraintError> {
        self.0.accept(id).map_err(|error| ConstraintError::new(error.to_string()))
    }

    fn forced(&mut self) -> Option<Vec<u32>> {
        Some(self.0.forced()).filter(|ids| !ids.is_empty())
    }

    fn is_done(&self) -> bool {
        self.0.is_complete()
    }
}

/// Leaves reasoning free, within its budget, and keeps what comes after it to a grammar.
struct AfterReasoning {
    plan: ReasoningPlan,
    grammar: Option<Grammar>,
    state: State,
    /// The last tokens of the reasoning that are the first of `plan.close`.
    closing: usize,
    spent: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The first token decides whether there is reasoning.
    Start,
    Reasoning,
    Answer,
}

impl AfterReasoning {
    fn new(plan: ReasoningPlan, grammar: Option<Grammar>) -> Self {
        let state = if plan.open.is_some() { State::Start } else { State::Reasoning };
        Self { plan, grammar, state, closing: 0, spent: 0 }
    }

    fn is_spent(&self) -> bool {
        self.plan.budget.is_some_and(|budget| self.spent >= budget)
    }

    fn note_thought(&mut self, id: u32) {
        self.spent += 1;
        let close = &self.plan.close;
        let goes_on = close[self.closing] == id;
        self.closing = if goes_on { self.closing + 1 } else { usize::from(close[0] == id) };
        if self.closing == close.len() {
            self.state = State::Answer;
        }
    }
}

impl Constraint for AfterReasoning {
    fn mask(&mut self, allowed: &mut TokenMask) -> Result<(), ConstraintError> {
        match (self.state, &mut self.grammar) {
            (State::Reasoning, _) => {
                if self.is_spent() {
                    allowed.forbid_all();
                    allowed.allow(self.plan.close[self.closing]);
                }
                Ok(())
            }
            (State::Start, grammar) => {
                if let Some(grammar) = grammar {
                    grammar.mask(allowed)?;
                }
                self.plan.open.into_iter().for_each(|id| allowed.allow(id));
                Ok(())
            }
            (State::Answer, Some(grammar)) => grammar.mask(allowed),
            (State::Answer, None) => Ok(()),
        }
    }

    fn accept(&mut self, id: u32) -> Result<(), ConstraintError> {
        match self.state {
            State::Start if self.plan.open == Some(id) => self.state = State::Reasoning,
            State::Reasoning => self.note_thought(id),
            State::Start | State::Answer => {
                self.state = State::Answer;
                if let Some(grammar) = &mut self.grammar {
                    grammar.accept(id)?;
                }
            }
        }
        Ok(())
    }

    fn forced(&mut self) -> Option<Vec<u32>> {
        match self.state {
            State::Answer => self.grammar.as_mut()?.forced(),
            State::Reasoning if self.is_spent() => Some(self.plan.close[self.closing..].to_vec()),
            State::Start | State::Reasoning => None,
        }
    }

    fn is_done(&self) -> bool {
        self.state == State::Answer && self.grammar.as_ref().is_some_and(Constraint::is_done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(open: Option<u32>, budget: Option<u32>) -> AfterReasoning {
        AfterReasoning::new(ReasoningPlan { open, close: vec![7, 8], budget }, None)
    }

    fn allowed(constraint: &mut AfterReasoning) -> Vec<u32> {
        let mut mask = TokenMask::all(10);
        constraint.mask(&mut mask).expect("a mask");
        (0..10).filter(|&id| mask.is_allowed(id)).collect()
    }

    #[test]
    fn reasoning_within_its_budget_is_free_and_then_closed() {
        let mut gate = gate(None, Some(3));
        for id in [1, 7, 2] {
            assert_eq!((allowed(&mut gate).len(), gate.forced()), (10, None));
            gate.accept(id).expect("free");
        }
        assert_eq!((allowed(&mut gate), gate.forced()), (vec![7], Some(vec![7, 8])));
        gate.accept(7).expect("the close");
        assert_eq!(allowed(&mut gate), [8]);
        gate.accept(8).expect("the close");
        assert_eq!(allowed(&mut gate).len(), 10);
        assert!(gate.state == State::Answer && !gate.is_done());
    }

    #[test]
    fn a_model_that_closes_by_itself_is_left_alone() {
        let mut gate = gate(None, Some(3));
        for id in [7, 7, 8, 1, 1, 1] {
            assert_eq!(allowed(&mut gate).len(), 10);
            gate.accept(id).expect("free");
        }
        assert!(gate.state == State::Answer);
    }

    #[test]
    fn without_an_opening_token_there_is_no_reasoning() {
        let mut gate = gate(Some(5), Some(0));
        gate.accept(1).expect("free");
        assert_eq!(allowed(&mut gate).len(), 10);
        let mut gate = self::gate(Some(5), Some(0));
        gate.accept(5).expect("the opening");
        assert_eq!(allowed(&mut gate), [7]);
    }
}
