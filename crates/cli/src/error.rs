//! How a command ends when it does not succeed, and what the shell learns of it.

use std::io;

/// A command that did not succeed. The variant decides the exit code.
#[derive(Debug)]
pub enum Error {
    /// The user can mend it: a wrong path, option or model. Exit code 2.
    User(anyhow::Error),
    /// Ours, or the machine's, to mend. Exit code 1.
    Ours(anyhow::Error),
    /// Ctrl-C. Exit code 130, as shells have it.
    Interrupted,
    /// Whoever read the output went away (`tyto inspect MODEL | head`). Not a failure.
    OutputClosed,
}

impl Error {
    /// A mistake of the user's, in words.
    pub fn user(message: impl std::fmt::Display) -> Self {
        Self::User(anyhow::anyhow!("{message}"))
    }

    /// A mistake of the user's that another crate found.
    pub fn user_from(error: impl Into<anyhow::Error>) -> Self {
        Self::User(error.into())
    }

    /// A failure of ours that another crate found.
    pub fn ours(error: impl Into<anyhow::Error>) -> Self {
        Self::Ours(error.into())
    }

    /// What happened, for somebody who is not at this terminal.
    pub fn text(&self) -> String {
        match self {
            Self::User(error) | Self::Ours(error) => one_text(error),
            Self::Interrupted => "it was interrupted".to_owned(),
            Self::OutputClosed => "the output was closed".to_owned(),
        }
    }

    /// Says what happened on standard error and gives the code to exit with.
    pub fn report(&self) -> u8 {
        match self {
            Self::User(error) => report(error, 2),
            Self::Ours(error) => report(error, 1),
            Self::Interrupted => 130,
            Self::OutputClosed => 0,
        }
    }
}

/// Writing the output is all the I/O that commands do themselves.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Ours(anyhow::Error::new(error).context("writing the output")),
        }
    }
}

fn report(error: &anyhow::Error, code: u8) -> u8 {
    let style = clap::builder::styling::AnsiColor::Red.on_default().bold();
    // anstream leaves the colour out where NO_COLOR or a pipe asks for it.
    anstream::eprintln!("{style}error:{style:#} {}", one_text(error));
    code
}

/// The chain of causes, without those that the text before them already says.
fn one_text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let error = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(matches!(error, Error::OutputClosed));
    }

    #[test]
    fn causes_are_not_said_twice() {
        let cause = io::Error::other("no space");
        let error = anyhow::Error::new(cause).context("writing model.tyto: no space");
        assert_eq!(one_text(&error), "writing model.tyto: no space");
        let error = anyhow::Error::new(io::Error::other("no space")).context("writing model.tyto");
        assert_eq!(one_text(&error), "writing model.tyto: no space");
    }
}
