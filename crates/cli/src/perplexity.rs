//! `tyto perplexity`: how well a model foretells a text.

use std::io::{self, Write};

use serde::Serialize;
use tyto_engine::Windows;

use crate::args::{EngineArgs, PerplexityArgs, SpeculateChoice};
use crate::error::Error;
use crate::model::{self, Needs};
use crate::progress::Display;

/// What was found.
#[derive(Debug, Serialize)]
struct Report {
    model: String,
    target: String,
    execution: &'static str,
    window: u32,
    /// Tokens that were scored.
    tokens: u64,
    perplexity: f64,
    standard_error: f64,
}

/// Windows that the cache should hold; a step takes as many at once as it has rows.
const WINDOWS_AT_ONCE: u32 = 8;

/// Runs the command.
pub fn run(args: &PerplexityArgs) -> Result<(), Error> {
    check_no_guesses(&args.engine)?;
    let file = args.file.display();
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Error::user(format!("{file}: {error}; expected a text in UTF-8")))?;
    let needs = Needs { sequences: Some(WINDOWS_AT_ONCE), writes_text: true, ..Needs::default() };
    let mut opened = model::open_executor(&args.engine, needs)?;
    let tokens = opened.text.encode(&text, true).map_err(Error::user_from)?;
    check_window(args, opened.executor.limits().context_length, tokens.len())?;
    // What the tokenizer begins a text with, every window begins with.
    let first = opened.text.bos_id().filter(|bos| tokens.first() == Some(bos));
    let windows = Windows { length: args.window as usize, first };
    let mut display = Display::new(args.json);
    let mut progress = |done: usize, total: usize| {
        display.update("windows", &format!("{done} of {total}"), done as u64, total as u64);
    };
    let executor = opened.executor.as_mut();
    let found =
        tyto_engine::perplexity(executor, &tokens, windows, &mut progress).map_err(Error::ours)?;
    display.finish();
    let report = Report {
        model: opened.artifact.manifest().model.name.clone(),
        target: opened.target,
        execution: opened.execution,
        window: args.window,
        tokens: found.tokens,
        perplexity: found.value(),
        standard_error: found.error(),
    };
    print(&report, args.json)?;
    Ok(())
}

/// Who asks for guesses is told that there are none. `--speculate never` asks for what is done anyway.
fn check_no_guesses(args: &EngineArgs) -> Result<(), Error> {
    let asked = match (&args.draft, args.speculate) {
        (Some(draft), _) => format!("--draft {}", draft.display()),
        (None, Some(SpeculateChoice::Paid)) => "--speculate paid".to_owned(),
        (None, Some(SpeculateChoice::Always)) => "--speculate always".to_owned(),
        (None, Some(SpeculateChoice::Never) | None) => return Ok(()),
    };
    let reason = "no token is guessed where a text is scored; leave it out";
    Err(Error::user(format!("{asked}: {reason}")))
}

/// What the user can mend is told before anything is computed.
fn check_window(args: &PerplexityArgs, context: usize, tokens: usize) -> Result<(), Error> {
    let window = args.window as usize;
    if window > context {
        let message = format!(
            "--window is {window}; expected at most {context}, the context that {} was compiled for",
            args.engine.model.display()
        );
        return Err(Error::user(message));
    }
    if tokens < window {
        let message = format!(
            "{}: found {tokens} tokens; expected at least {window}, one window: take a longer text \
             or a smaller --window",
            args.file.display()
        );
        return Err(Error::user(message));
    }
    Ok(())
}

fn print(report: &Report, json: bool) -> io::Result<()> {
    let mut output = anstream::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut output, report)?;
        return writeln!(output);
    }
    let Report { model, target, execution, window, tokens, perplexity, standard_error } = report;
    writeln!(output, "{model}, {target} ({execution})")?;
    writeln!(output, "perplexity {perplexity:.4} ± {standard_error:.4}")?;
    writeln!(output, "{tokens} tokens scored, the second halves of windows of {window}")
}
