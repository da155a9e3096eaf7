//! What goes wrong: it reaches the requests it touched, and no others.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use crate::common::{End, ask, assert_all_free, collect, limits, prompt, start};
use tyto_engine::testing::{TableExecutor, byte_text_model};
use tyto_engine::{
    Engine, EngineConfig, Error, Executor, ExecutorError, ExecutorLimits, FinishReason,
    GenerateRequest, ShutdownReport, StepLogits, StepRow, SubmitError,
};

fn three_tokens() -> GenerateRequest {
    GenerateRequest { max_tokens: Some(3), ignore_eos: true, ..prompt("abc") }
}

#[test]
fn a_fault_fails_the_requests_in_the_step_only() {
    let limits = ExecutorLimits { max_rows: 2, ..limits() };
    let (engine, control) = start(TableExecutor::history_hash(limits, 1));
    let expected = ask(&engine, &three_tokens());
    control.hold();
    let before = control.steps().len();
    // The first runs alone in the held step; the others wait.
    let generations: Vec<_> =
        (0..4).map(|_| engine.submit(three_tokens()).expect("it is good")).collect();
    control.fail_next(ExecutorError::new("the device said no"));
    control.wait_for_steps(before + 1);
    control.release();
    let answers: Vec<_> = generations.into_iter().map(collect).collect();
    let in_step = control.steps()[before].rows.len();
    for (n, answer) in answers.iter().enumerate() {
        if n < in_step {
            assert_eq!(answer.failure(), "the device said no");
        } else {
            assert_eq!(answer.content(), expected.content());
        }
    }
    assert!(engine.healthy(), "one fault is not the end");
    assert_all_free(&engine);
    assert_eq!(engine.stats().failed, in_step as u64);
}

#[test]
fn faults_in_a_row_make_the_engine_unhealthy() {
    let (engine, control) = start(TableExecutor::history_hash(limits(), 1));
    let fail = |times| {
        for _ in 0..times {
            control.fail_next(ExecutorError::new("no"));
            ask(&engine, &three_tokens()).failure();
        }
    };
    fail(2);
    assert_eq!(ask(&engine, &three_tokens()).reason(), FinishReason::Length);
    fail(2);
    assert!(engine.healthy(), "they were not in a row");
    fail(1);
    assert!(!engine.healthy());
    ask(&engine, &three_tokens());
    assert!(!engine.healthy(), "nobody trusts it again");
}

#[test]
fn a_fatal_fault_makes_the_engine_unhealthy_at_once() {
    let (engine, control) = start(TableExecutor::history_hash(limits(), 1));
    control.fail_next(ExecutorError::fatal("the device is gone"));
    assert_eq!(ask(&engine, &three_tokens()).failure(), "the device is gone");
    assert!(!engine.healthy());
}

#[test]
fn logits_that_are_not_finite_fail_their_request_e3_e8() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        // Only texts that begin with `!` are damaged.
        let executor = TableExecutor::new(limits(), move |text| {
            let mut logits = vec![0.0; limits().vocab_size];
            logits[usize::from(b'a')] = 9.0;
            if text[0] == u32::from(b'!') && text.len() == 4 {
                logits[7] = value;
            }
            logits
        });
        let (engine, _) = start(executor);
        let request = |text| GenerateRequest { max_tokens: Some(5), ..prompt(text) };
        let damaged = engine.submit(request("!!")).expect("it is good");
        let whole = engine.submit(request("??")).expect("it is good");
        let damaged = collect(damaged);
        assert!(damaged.failure().contains("token 7"), "{}", damaged.failure());
        assert_eq!(damaged.text(), "aa", "what came before stands, and no token 0 after it");
        assert_eq!(collect(whole).text(), "aaaaa");
        assert!(engine.healthy(), "the model's numbers are not the executor's fault");
        assert_all_free(&engine);
    }
}

/// Gives logits to the rows it was made with, whatever the step wants.
struct Fixed(Vec<usize>);

impl Executor for Fixed {
    fn limits(&self) -> ExecutorLimits {
        ExecutorLimits { max_chunk: 2, ..limits() }
    }

    fn step(&mut self, _: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        self.0.iter().for_each(|row| logits.row_mut(*row).fill(0.0));
        Ok(())
    }

    fn clean(&mut self, _: &[u32]) -> Result<(), ExecutorError> {
        Ok(())
    }
}

#[test]
fn an_executor_that_breaks_its_contract_is_at_fault() {
    // Three tokens in chunks of two: the first step wants no logits, the second does.
    for (answer, fault) in [(vec![], "although they were wanted"), (vec![0], "nobody wanted")] {
        let config = EngineConfig { tokens_per_step: Some(2), ..EngineConfig::new("test") };
        let engine = Engine::start(config, byte_text_model(), || Ok(Box::new(Fixed(answer))));
        let engine = engine.expect("it starts");
        let message = ask(&engine, &three_tokens()).failure().to_owned();
        assert!(message.starts_with("the executor ") && message.contains(fault), "{message}");
    }
}

/// Always has something left to prepare, and tells when it has prepared.
struct Preparing(TableExecutor, Sender<()>);

impl Executor for Preparing {
    fn limits(&self) -> ExecutorLimits {
        self.0.limits()
    }

    fn step(&mut self, rows: &[StepRow<'_>], logits: &mut StepLogits) -> Result<(), ExecutorError> {
        self.0.step(rows, logits)
    }

    fn clean(&mut self, blocks: &[u32]) -> Result<(), ExecutorError> {
        self.0.clean(blocks)
    }

    fn prepare(&mut self) -> bool {
        self.1.send(()).is_ok()
    }
}

#[test]
fn who_comes_while_the_executor_prepares_is_answered() {
    let (sender, prepared) = channel();
    let executor = Preparing(TableExecutor::table(limits(), |token| token), sender);
    let config = EngineConfig::new("test");
    let engine = Engine::start(config, byte_text_model(), || Ok(Box::new(executor)));
    let engine = engine.expect("it starts");
    for _ in 0..3 {
        prepared.recv().expect("nobody asks for anything");
        assert_eq!(ask(&engine, &three_tokens()).text(), "ccc");
    }
    drop(prepared);
    assert_eq!(ask(&engine, &three_tokens()).text(), "ccc");
}

#[test]
fn an_executor_that_cannot_be_built_is_the_error_of_start() {
    let start = |factory: fn() -> Result<Box<dyn Executor>, ExecutorError>| {
        Engine::start(EngineConfig::new("test"), byte_text_model(), factory)
            .expect_err("there is no executor")
    };
    let error = start(|| Err(ExecutorError::new("no such artifact")));
    assert!(error.to_string().contains("no such artifact"), "{error}");
    assert!(matches!(start(|| panic!("a bug")), Error::Died));
}

#[test]
fn limits_that_no_step_can_have_are_refused_by_name() {
    let good = limits();
    let table = [
        ("vocab_size", ExecutorLimits { vocab_size: 0, ..good }),
        ("context_length", ExecutorLimits { context_length: 1, ..good }),
        ("block_size", ExecutorLimits { block_size: 0, ..good }),
        ("n_blocks", ExecutorLimits { n_blocks: 1, ..good }),
        ("max_rows", ExecutorLimits { max_rows: 0, ..good }),
        ("max_chunk", ExecutorLimits { max_chunk: 0, ..good }),
    ];
    for (name, limits) in table {
        let executor = TableExecutor::table(limits, |_| 0);
        let error =
            Engine::start(EngineConfig::new("test"), byte_text_model(), || Ok(Box::new(executor)));
        match error {
            Err(Error::Limit { field, .. }) => assert_eq!(field, name),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_step_without_tokens_is_refused() {
    let config = EngineConfig { tokens_per_step: Some(0), ..EngineConfig::new("test") };
    let executor = TableExecutor::table(limits(), |_| 0);
    let started = Engine::start(config, byte_text_model(), || Ok(Box::new(executor)));
    assert!(matches!(started, Err(Error::Config { field: "tokens_per_step", .. })));
}

#[test]
fn a_panic_in_a_step_ends_the_answers_and_is_seen() {
    let executor = TableExecutor::new(limits(), |_| panic!("a bug in the model"));
    let (engine, _) = start(executor);
    let answer = ask(&engine, &three_tokens());
    assert_eq!(answer.end, End::Vanished);
    // The thread is gone when the shutdown returns.
    engine.shutdown(Duration::ZERO);
    assert!(!engine.healthy());
    assert_eq!(engine.submit(three_tokens()).expect_err("gone"), SubmitError::Stopped);
}

#[test]
fn a_shutdown_lets_answers_finish() {
    let (engine, control) = start(TableExecutor::history_hash(limits(), 1));
    control.hold();
    let generations: Vec<_> =
        (0..6).map(|_| engine.submit(three_tokens()).expect("it is good")).collect();
    control.wait_for_steps(1);
    control.release();
    let report = engine.shutdown(Duration::from_secs(3600));
    for generation in generations {
        collect(generation).reason();
    }
    assert_eq!(report.cut, 0);
    assert_eq!(engine.submit(three_tokens()).expect_err("stopped"), SubmitError::Stopped);
    assert_eq!(engine.shutdown(Duration::ZERO), ShutdownReport::default());
    assert!(!engine.healthy());
}

#[test]
fn a_shutdown_without_grace_cuts_answers() {
    let (engine, control) = start(TableExecutor::table(limits(), |token| (token + 1) % 256));
    control.hold_from(5);
    let generation = engine.submit(prompt("a")).expect("it is good");
    control.wait_for_steps(6);
    let stopper = engine.clone();
    let stopper = std::thread::spawn(move || stopper.shutdown(Duration::ZERO));
    // Requests are refused from when the shutdown is on its way.
    while engine.submit(three_tokens()).is_ok() {
        std::thread::yield_now();
    }
    control.release();
    let answer = collect(generation);
    assert_eq!((answer.text().as_str(), answer.reason()), ("bcdefg", FinishReason::Cancelled));
    assert_eq!(stopper.join().expect("no panic"), ShutdownReport { finished: 0, cut: 1 });
    assert_all_free(&engine);
}

#[test]
fn an_answer_outlives_the_last_handle() {
    let (engine, control) = start(TableExecutor::history_hash(limits(), 1));
    control.hold();
    let generation = engine.submit(three_tokens()).expect("it is good");
    drop(engine);
    control.release();
    assert_eq!(collect(generation).reason(), FinishReason::Length);
}

/// As `engine.lost()` for one who may wait.
fn wait_until_lost(engine: &Engine) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(engine.lost())
}

#[test]
fn a_lost_device_ends_all_requests_and_the_engine() {
    let limits = ExecutorLimits { max_rows: 2, ..limits() };
    let (engine, control) = start(TableExecutor::history_hash(limits, 1));
    ask(&engine, &three_tokens());
    assert_eq!(engine.loss(), None);
    control.hold();
    let before = control.steps().len();
    // The first runs alone in the held step; the others wait.
    let generations: Vec<_> =
        (0..4).map(|_| engine.submit(three_tokens()).expect("it is good")).collect();
    control.fail_next(ExecutorError::lost("the device is gone"));
    control.wait_for_steps(before + 1);
    control.release();
    for answer in generations.into_iter().map(collect) {
        assert_eq!(answer.failure(), "the device is gone");
    }
    assert_eq!(wait_until_lost(&engine), "the device is gone");
    assert!(!engine.healthy() && tyto_engine::device_is_lost());
    let refused = engine.submit(three_tokens()).expect_err("nobody would answer");
    assert_eq!(refused, SubmitError::Stopped);
    assert_eq!(engine.shutdown(Duration::MAX), ShutdownReport::default());
}

#[test]
fn a_step_that_hangs_fails_its_requests_though_its_thread_is_stuck() {
    let executor = TableExecutor::history_hash(limits(), 1);
    let control = executor.control();
    let config =
        EngineConfig { step_timeout: Some(Duration::from_millis(20)), ..EngineConfig::new("test") };
    let engine = Engine::start(config, byte_text_model(), move || Ok(Box::new(executor)));
    let engine = engine.expect("it starts");
    control.hold();
    let stuck = engine.submit(three_tokens()).expect("it is good");
    let message = collect(stuck).failure().to_owned();
    assert!(message.contains("0.02 s (--step-timeout)"), "{message}");
    assert_eq!(wait_until_lost(&engine), message);
    assert_eq!(engine.submit(three_tokens()).expect_err("refused"), SubmitError::Stopped);
    assert_eq!(engine.shutdown(Duration::MAX), ShutdownReport::default(), "nobody is waited for");
    control.release();
}

#[test]
fn a_model_that_does_not_load_in_time_is_an_error() {
    let (_keep, never) = std::sync::mpsc::channel::<()>();
    let config =
        EngineConfig { load_timeout: Some(Duration::from_millis(20)), ..EngineConfig::new("test") };
    let factory = move || {
        let _ = never.recv();
        Err(ExecutorError::new("not reached while the test runs"))
    };
    let error = Engine::start(config, byte_text_model(), factory).expect_err("it hangs");
    assert!(matches!(error, Error::LoadHangs { .. }), "{error}");
}
