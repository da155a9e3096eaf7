//! What is measured in one test.

use std::fmt;

use serde::Serialize;
use tyto_artifact::EntryKind;

use crate::args::BenchArgs;
use crate::error::Error;

/// What is measured in one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Test {
    /// Reading a prompt.
    Prompt {
        /// Its length.
        tokens: u32,
    },
    /// Writing.
    Generate {
        /// Tokens that are written in each text.
        tokens: u32,
        /// Tokens that each text has before.
        depth: u32,
        /// Texts that are written at the same time.
        at_once: u32,
    },
}

/// The tests asked for, each of which must fit into the context.
pub fn of(args: &BenchArgs, context: usize) -> Result<Vec<Test>, Error> {
    let prompts = args.prompt_tokens.iter().map(|&tokens| Test::Prompt { tokens });
    let written = args.generate_tokens.iter().flat_map(|&tokens| {
        let of_depth = move |&depth: &u32| {
            let of_number = move |&at_once: &u32| Test::Generate { tokens, depth, at_once };
            args.at_once.iter().map(of_number)
        };
        args.depth.iter().flat_map(of_depth)
    });
    let tests: Vec<Test> = prompts.chain(written).filter(|test| test.tokens() > 0).collect();
    if tests.is_empty() {
        let message = "there is nothing to measure: --prompt-tokens and --generate-tokens are 0";
        return Err(Error::user(message));
    }
    for test in &tests {
        let needed = test.prompt() as usize + test.answer() as usize;
        if needed > context {
            return Err(Error::user(format!(
                "{test} takes {needed} tokens, but the context has {context}: say less for {}",
                test.options()
            )));
        }
    }
    Ok(tests)
}

impl Test {
    /// The calls that are measured.
    pub fn calls(self) -> EntryKind {
        match self {
            Self::Prompt { .. } => EntryKind::Prefill,
            Self::Generate { .. } => EntryKind::Decode,
        }
    }

    /// Tokens that are counted, in each text.
    pub fn tokens(self) -> u32 {
        match self {
            Self::Prompt { tokens } | Self::Generate { tokens, .. } => tokens,
        }
    }

    /// Texts that run at the same time.
    pub fn at_once(self) -> u32 {
        match self {
            Self::Prompt { .. } => 1,
            Self::Generate { at_once, .. } => at_once,
        }
    }

    /// Tokens of each prompt.
    pub fn prompt(self) -> u32 {
        match self {
            Self::Prompt { tokens } => tokens,
            Self::Generate { depth, .. } => depth.max(1),
        }
    }

    /// Tokens to ask for: the first comes out of reading the prompt and counts as that.
    pub fn answer(self) -> u32 {
        match self {
            Self::Prompt { .. } => 1,
            Self::Generate { tokens, .. } => tokens.saturating_add(1),
        }
    }

    fn options(self) -> &'static str {
        match self {
            Self::Prompt { .. } => "--prompt-tokens",
            Self::Generate { .. } => "--generate-tokens or --depth",
        }
    }
}

/// `pp512`, `tg128`, `tg128@1800` after 1800 tokens, `tg128x4` for four texts at once.
impl fmt::Display for Test {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Prompt { tokens } => write!(out, "pp{tokens}"),
            Self::Generate { tokens, depth, at_once } => {
                write!(out, "tg{tokens}")?;
                if depth > 0 {
                    write!(out, "@{depth}")?;
                }
                if at_once > 1 {
                    write!(out, "x{at_once}")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn names(options: &[&str], context: usize) -> Result<Vec<String>, Error> {
        let line = ["tyto", "bench", "m.tyto"].iter().chain(options);
        match crate::Cli::try_parse_from(line).expect("a valid line").command {
            crate::Command::Bench(args) => {
                Ok(of(&args, context)?.iter().map(Test::to_string).collect())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_length_has_every_depth_and_number() {
        let found = names(&["-p", "8,16", "-n", "4"], 64).expect("they fit");
        assert_eq!(found, ["pp8", "pp16", "tg4"]);
        let options = ["-p", "0", "-n", "4", "-d", "0,30", "--at-once", "1,3"];
        assert_eq!(names(&options, 64).expect("they fit"), ["tg4", "tg4x3", "tg4@30", "tg4@30x3"]);
    }

    #[test]
    fn tests_must_fit_into_the_context() {
        assert!(names(&["-p", "63", "-n", "62"], 64).is_ok());
        for (bad, named) in [
            (&["-p", "64", "-n", "4"][..], "pp64 takes 65 tokens"),
            (&["-p", "4", "-n", "63"], "tg63 takes 65 tokens"),
            (&["-p", "4", "-n", "4", "-d", "60"], "tg4@60 takes 65 tokens"),
            (&["-p", "4", "-n", "4294967295"], "the context has 64"),
            (&["-p", "0", "-n", "0"], "nothing to measure"),
        ] {
            match names(bad, 64) {
                Err(Error::User(error)) => assert!(error.to_string().contains(named), "{error}"),
                other => panic!("{bad:?}: {other:?}"),
            }
        }
    }
}
