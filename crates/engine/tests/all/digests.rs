//! Answers chosen from digests of rows of logits are those chosen from the rows.

use crate::common::{Answer, ask, assert_all_free, collect, limits, prompt, seeded, start};
use crate::constraint::OneOf;
use tyto_engine::testing::TableExecutor;
use tyto_engine::{Constraint, Engine, GenerateRequest, SamplingParams, Task};

/// Requests that a digest does for, and others.
fn requests() -> Vec<GenerateRequest> {
    let of = |sampling: SamplingParams| GenerateRequest {
        max_tokens: Some(20),
        ignore_eos: true,
        sampling,
        ..prompt("the text before")
    };
    let mut requests: Vec<GenerateRequest> = [
        SamplingParams::greedy(),
        seeded(1),
        SamplingParams { temperature: 0.6, ..seeded(2) },
        SamplingParams { top_k: Some(20), ..seeded(3) },
        SamplingParams { top_p: 0.9, ..seeded(4) },
        SamplingParams { min_p: 0.1, top_p: 0.8, temperature: 1.3, ..seeded(5) },
        SamplingParams { typical_p: 0.6, ..seeded(6) },
        SamplingParams { presence_penalty: 0.5, ..seeded(7) },
        SamplingParams { logit_bias: vec![(7, 3.0)], ..SamplingParams::greedy() },
    ]
    .map(of)
    .into();
    let with_logprobs = requests.clone().into_iter();
    requests.extend(with_logprobs.map(|one| GenerateRequest { logprobs: Some(3), ..one }));
    requests.push(GenerateRequest { min_tokens: 10, ignore_eos: false, ..of(seeded(8)) });
    requests
}

/// One at a time, and then all at once.
fn answers(engine: &Engine) -> Vec<Answer> {
    let mut answers: Vec<Answer> = requests().iter().map(|request| ask(engine, request)).collect();
    let submit = |request: GenerateRequest| engine.submit(request).expect("it is good");
    let together: Vec<_> = requests().into_iter().map(submit).collect();
    answers.extend(together.into_iter().map(collect));
    let constraint: Box<dyn Constraint> = Box::new(OneOf::new(&["one two", "one ten"], false));
    let request = GenerateRequest { sampling: seeded(9), ..prompt("x") };
    let task = Task { request, constraint: Some(constraint) };
    answers.push(collect(engine.submit(task).expect("it is good")));
    assert_all_free(engine);
    answers
}

#[test]
fn digests_change_what_is_read_and_nothing_of_the_answers() {
    let model = || TableExecutor::history_hash(limits(), 5);
    let (rows, _) = start(model());
    let expected = answers(&rows);
    let (digests, _) = start(model().with_digests());
    let found = answers(&digests);
    for (n, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found.content(), expected.content(), "answer {n}");
    }
    let (rows, digests) = (rows.stats(), digests.stats());
    assert_eq!((rows.digest_choices, digests.generated_tokens), (0, rows.generated_tokens));
    assert_eq!(digests.digest_choices + digests.row_choices, rows.row_choices);
    assert!(digests.digest_choices > digests.row_choices, "{digests:?}");
    assert!(digests.row_choices > 50, "some need whole rows: {digests:?}");
}
