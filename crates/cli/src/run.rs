//! `tyto run`: a chat in the terminal, or the answer to one prompt.

use std::io::{IsTerminal, Read, Write};
use std::path::PathBuf;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use tokio::runtime::Runtime;
use tyto_engine::Usage;
use tyto_server::SamplingChoice;

use crate::args::RunArgs;
use crate::conversation::{Conversation, Ending};
use crate::error::Error;
use crate::machine::peak_memory;
use crate::model::{self, Needs};
use crate::units::bytes;

const HELP: &str = "\
/help   this
/reset  forget the conversation
/quit   end; so does Ctrl-D
Ctrl-C stops an answer. A line that ends with \\ goes on in the next one.";

/// Runs the command.
pub fn run(args: &RunArgs) -> Result<(), Error> {
    let prompt = one_prompt(args)?;
    let needs = Needs { sequences: Some(1), writes_text: true, ..Needs::default() };
    let opened = model::open(&args.engine, needs)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(Error::ours)?;
    let greedy = SamplingChoice { temperature: Some(0.0), ..SamplingChoice::default() };
    let choice = SamplingChoice::from(&args.sampling)
        .or(SamplingChoice::from(opened.text.generation_defaults()))
        .or(greedy);
    let mut sampling = choice.resolve();
    sampling.seed = args.seed;
    let conversation = Conversation::new(
        opened.engine,
        opened.text,
        args.system.clone(),
        sampling,
        args.max_tokens,
    );
    let mut session = Session { conversation, runtime, quiet: args.quiet };
    match prompt {
        Some(prompt) => session.answer_one(&prompt),
        None => session.chat(),
    }
}

/// The prompt of `--prompt`, or all of a standard input that is not a terminal.
fn one_prompt(args: &RunArgs) -> Result<Option<String>, Error> {
    let mut stdin = std::io::stdin().lock();
    let prompt = match &args.prompt {
        Some(prompt) => prompt.clone(),
        None if stdin.is_terminal() => return Ok(None),
        None => {
            let mut text = String::new();
            stdin
                .read_to_string(&mut text)
                .map_err(|error| Error::user(format!("standard input is no text: {error}")))?;
            text
        }
    };
    match prompt.trim().is_empty() {
        true => Err(Error::user("the prompt is empty")),
        false => Ok(Some(prompt)),
    }
}

struct Session {
    conversation: Conversation,
    runtime: Runtime,
    quiet: bool,
}

impl Session {
    fn answer_one(&mut self, prompt: &str) -> Result<(), Error> {
        match self.answer(prompt)? {
            Ending::Complete { .. } => Ok(()),
            Ending::Interrupted => Err(Error::Interrupted),
        }
    }

    /// Reads prompts until the user ends it. What goes wrong with one answer is said, and the
    /// chat goes on.
    fn chat(&mut self) -> Result<(), Error> {
        let mut editor = DefaultEditor::new().map_err(Error::ours)?;
        let history = history_file();
        if let Some(file) = &history {
            // The first chat has no history.
            let _ = editor.load_history(file);
        }
        anstream::eprintln!("/help shows what you can type; Ctrl-D ends");
        if !self.conversation.is_chat() {
            anstream::eprintln!(
                "this model has no chat template: it continues each text by itself"
            );
        }
        let ended = loop {
            match read_prompt(&mut editor) {
                Ok(Input::Prompt(prompt)) => match self.answer(&prompt) {
                    Ok(_) => {}
                    Err(Error::OutputClosed) => break Err(Error::OutputClosed),
                    Err(error) => {
                        error.report();
                    }
                },
                Ok(Input::Help) => anstream::eprintln!("{HELP}"),
                Ok(Input::Reset) => self.conversation.reset(),
                Ok(Input::Unknown(command)) => {
                    anstream::eprintln!("{command} is no command; /help shows them")
                }
                Ok(Input::Nothing) => {}
                Ok(Input::Quit) | Err(ReadlineError::Eof) => break Ok(()),
                Err(ReadlineError::Interrupted) => break Err(Error::Interrupted),
                Err(error) => break Err(Error::ours(error)),
            }
        };
        if let Some(file) = &history {
            let saved = editor.save_history(file);
            saved.unwrap_or_else(|error| tracing::warn!(%error, "the history was not saved"));
        }
        ended
    }

    fn answer(&mut self, prompt: &str) -> Result<Ending, Error> {
        let mut output = std::io::stdout().lock();
        let asked = self.conversation.ask(prompt, &mut output);
        let ending = self.runtime.block_on(asked)?;
        writeln!(output)?;
        if let (Ending::Complete { usage, cut }, false) = (ending, self.quiet) {
            let style = clap::builder::styling::Style::new().dimmed();
            anstream::eprintln!("{style}{}{style:#}", figures(&usage, cut, peak_memory()));
        }
        Ok(ending)
    }
}

/// What a line of input asks for.
#[derive(Debug, PartialEq, Eq)]
enum Input {
    Prompt(String),
    Help,
    Reset,
    Quit,
    Unknown(String),
    Nothing,
}

impl Input {
    fn parse(text: &str) -> Self {
        match text.trim() {
            "" => Self::Nothing,
            "/help" => Self::Help,
            "/reset" => Self::Reset,
            "/quit" | "/exit" => Self::Quit,
            // A path is a prompt like any other; a single word after a slash is a mistake.
            command if command.starts_with('/') && !command[1..].contains([' ', '/', '\n']) => {
                Self::Unknown(command.to_owned())
            }
            prompt => Self::Prompt(prompt.to_owned()),
        }
    }
}

fn read_prompt(editor: &mut DefaultEditor) -> Result<Input, ReadlineError> {
    let mut text = String::new();
    loop {
        let line = editor.readline(if text.is_empty() { "> " } else { ". " })?;
        match line.strip_suffix('\\') {
            Some(beginning) => {
                text.push_str(beginning);
                text.push('\n');
            }
            None => {
                text.push_str(&line);
                break;
            }
        }
    }
    if !text.trim().is_empty() {
        editor.add_history_entry(&text)?;
    }
    Ok(Input::parse(&text))
}

/// Where the chat's history is kept; its directory is made.
fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).or_else(|| {
        std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"))
    })?;
    let directory = state.join("tyto");
    std::fs::create_dir_all(&directory).ok()?;
    Some(directory.join("history"))
}

/// The figures of one answer, on one line.
fn figures(usage: &Usage, cut: bool, memory: Option<u64>) -> String {
    let rate = |tokens: u32, seconds: f64| {
        if seconds > 0.0 {
            format!(" at {:.1} tok/s", f64::from(tokens) / seconds)
        } else {
            String::new()
        }
    };
    let (prompt, answer) = (usage.prompt_tokens, usage.completion_tokens);
    let prefill = rate(prompt, usage.prefill_seconds);
    // The first token is the prefill's.
    let decode = rate(answer.saturating_sub(1), usage.decode_seconds);
    let first = 1e3 * usage.time_to_first_token;
    let memory = memory.map_or_else(String::new, |peak| format!(" · peak memory {}", bytes(peak)));
    let cut = if cut { " · cut at the limit" } else { "" };
    format!(
        "prefill {prompt} tokens{prefill} · decode {answer} tokens{decode} · first token after {first:.0} ms{memory}{cut}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_prompts() {
        let prompt = |text: &str| Input::Prompt(text.to_owned());
        for (text, expected) in [
            ("  ", Input::Nothing),
            ("/help", Input::Help),
            (" /reset ", Input::Reset),
            ("/quit", Input::Quit),
            ("/exit", Input::Quit),
            ("/hlep", Input::Unknown("/hlep".to_owned())),
            ("/etc/passwd", prompt("/etc/passwd")),
            ("/ is a slash", prompt("/ is a slash")),
            ("hello\nthere", prompt("hello\nthere")),
        ] {
            assert_eq!(Input::parse(text), expected);
        }
    }

    #[test]
    fn figures_say_how_fast_and_how_large() {
        let usage = Usage {
            prompt_tokens: 100,
            completion_tokens: 21,
            time_to_first_token: 0.5,
            prefill_seconds: 0.4,
            decode_seconds: 2.0,
            ..Usage::default()
        };
        assert_eq!(
            figures(&usage, true, Some(512 << 20)),
            "prefill 100 tokens at 250.0 tok/s · decode 21 tokens at 10.0 tok/s · \
             first token after 500 ms · peak memory 512 MiB · cut at the limit"
        );
        let none = figures(&Usage::default(), false, None);
        assert_eq!(none, "prefill 0 tokens · decode 0 tokens · first token after 0 ms");
    }
}
