//! Answers that must follow a grammar.

use crate::common::{Answer, ask, assert_all_free, collect, limits, prompt, seeded, start};
use tyto_engine::testing::{END, TableExecutor, certain, mix};
use tyto_engine::{
    Constraint, ConstraintError, Engine, FinishReason, GenerateRequest, SamplingParams, Task,
    TokenMask,
};

/// Follows one of its texts. Where all that are left agree, their tokens are forced.
pub struct OneOf {
    texts: Vec<Vec<u8>>,
    at: usize,
    forces: bool,
}

impl OneOf {
    pub fn new(texts: &[&str], forces: bool) -> Self {
        let texts = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        Self { texts, at: 0, forces }
    }
}

impl Constraint for OneOf {
    fn mask(&mut self, allowed: &mut TokenMask) -> Result<(), ConstraintError> {
        allowed.forbid_all();
        self.texts
            .iter()
            .filter_map(|text| text.get(self.at))
            .for_each(|&id| allowed.allow(id.into()));
        Ok(())
    }

    fn accept(&mut self, id: u32) -> Result<(), ConstraintError> {
        self.texts.retain(|text| text.get(self.at).is_some_and(|&byte| u32::from(byte) == id));
        self.at += 1;
        match self.texts.is_empty() {
            true => Err(ConstraintError::new(format!("{id} follows no rule"))),
            false => Ok(()),
        }
    }

    fn forced(&mut self) -> Option<Vec<u32>> {
        let mut forced = Vec::new();
        while let Some(&next) = self.texts[0].get(self.at + forced.len()) {
            if !self.texts.iter().all(|text| text.get(self.at + forced.len()) == Some(&next)) {
                break;
            }
            forced.push(u32::from(next));
        }
        (self.forces && !forced.is_empty()).then_some(forced)
    }

    fn is_done(&self) -> bool {
        self.texts.iter().any(|text| text.len() == self.at)
    }
}

const TEXTS: [&str; 3] = ["the cat sat", "the dog ran away", "the dog ran home"];

fn constrained(engine: &Engine, request: GenerateRequest, forces: bool) -> Answer {
    let constraint: Box<dyn Constraint> = Box::new(OneOf::new(&TEXTS, forces));
    let task = Task { request, constraint: Some(constraint) };
    collect(engine.submit(task).expect("it is good"))
}

#[test]
fn answers_follow_the_grammar_and_end_with_it() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let (engine, control) = start(TableExecutor::history_hash(limits(), seed));
        let request = GenerateRequest { sampling: seeded(seed), ..prompt("say") };
        let plain = constrained(&engine, request.clone(), false);
        let steps = control.steps().len();
        let jumped = constrained(&engine, request, true);
        for answer in [&plain, &jumped] {
            assert!(TEXTS.contains(&answer.text().as_str()), "{:?}", answer.text());
            assert_eq!(answer.reason(), FinishReason::Stop);
            assert_eq!(answer.tokens.len(), answer.text().len());
        }
        // "the " is given, then one choice, or two: no step for what is forced.
        let jumps = control.steps().len() - steps;
        assert_eq!(
            (steps, jumps),
            (plain.text().len(), if jumped.text().contains("cat") { 2 } else { 3 })
        );
        seen.extend([plain.text(), jumped.text()]);
        assert_all_free(&engine);
    }
    assert_eq!(seen.len(), 3, "every text comes");
}

#[test]
fn greedy_answers_are_the_same_with_and_without_jumps() {
    for seed in 0..20 {
        // Depends on the tokens only, not on which of them a step computed together.
        let model = move |text: &[u32]| {
            let hash = text.iter().fold(seed, |hash, &token| mix(hash ^ u64::from(token)));
            (0..257).map(|id| (mix(hash.wrapping_add(id)) % 8000) as f32 / 1000.0).collect()
        };
        let (engine, _) = start(TableExecutor::new(limits(), model));
        let plain = constrained(&engine, prompt("say"), false);
        assert_eq!(constrained(&engine, prompt("say"), true).content(), plain.content());
        // Log probabilities are the model's, so every token asks it.
        let request = GenerateRequest { logprobs: Some(1), ..prompt("say") };
        let answer = constrained(&engine, request, true);
        assert_eq!(answer.text(), plain.text());
        assert!(answer.tokens.iter().all(|token| token.logprob.is_some()));
    }
}

#[test]
fn limits_and_stops_hold_among_forced_tokens() {
    let (engine, _) = start(TableExecutor::history_hash(limits(), 1));
    for most in 1..8 {
        let answer =
            constrained(&engine, GenerateRequest { max_tokens: Some(most), ..prompt("a") }, true);
        assert_eq!((answer.tokens.len(), answer.reason()), (most as usize, FinishReason::Length));
    }
    let stops = GenerateRequest { stop_strings: vec!["e ".into()], ..prompt("a") };
    let answer = constrained(&engine, stops, true);
    assert_eq!((answer.text().as_str(), answer.reason()), ("th", FinishReason::Stop));
    let stops = GenerateRequest { stop_ids: vec![u32::from(b'e')], ..prompt("a") };
    assert_eq!(constrained(&engine, stops, true).text(), "th");
    assert_all_free(&engine);
}

#[test]
fn a_grammar_that_allows_nothing_fails_its_request_only() {
    let (engine, _) = start(TableExecutor::new(limits(), |_| certain(257, END)));
    let neighbour = GenerateRequest { ignore_eos: true, max_tokens: Some(9), ..prompt("a") };
    let expected = ask(&engine, &neighbour);
    let generation = engine.submit(neighbour).expect("it is good");
    // The grammar asks for what min_tokens forbids.
    let nothing = Task {
        request: GenerateRequest {
            stop_ids: vec![u32::from(b't')],
            min_tokens: 2,
            sampling: SamplingParams::greedy(),
            ..prompt("b")
        },
        constraint: Some(Box::new(OneOf::new(&TEXTS, false))),
    };
    let failed = collect(engine.submit(nothing).expect("it is good"));
    assert!(failed.failure().contains("no token may come next"), "{}", failed.failure());
    assert_eq!(collect(generation).content(), expected.content());
    assert!(engine.healthy());
    assert_all_free(&engine);
}

/// Forces a token that the model does not have.
struct Beyond;

impl Constraint for Beyond {
    fn mask(&mut self, _: &mut TokenMask) -> Result<(), ConstraintError> {
        Ok(())
    }

    fn accept(&mut self, _: u32) -> Result<(), ConstraintError> {
        Ok(())
    }

    fn forced(&mut self) -> Option<Vec<u32>> {
        Some(vec![1, 257])
    }

    fn is_done(&self) -> bool {
        false
    }
}

#[test]
fn a_token_that_does_not_exist_is_not_taken() {
    let (engine, _) = start(TableExecutor::history_hash(limits(), 1));
    let task = Task { request: prompt("a"), constraint: Some(Box::new(Beyond)) };
    let failed = collect(engine.submit(task).expect("it is good"));
    assert!(failed.failure().contains("forces token 257"), "{}", failed.failure());
    assert!(engine.healthy());
    assert_all_free(&engine);
}
