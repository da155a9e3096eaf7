//! How far a long command is: a bar on a terminal, plain lines anywhere else.

use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};

/// Shows progress on standard error.
pub struct Display(Kind);

enum Kind {
    Bar(ProgressBar),
    /// The last stage and the last tenth of it that were written.
    Lines(String, u64),
    Silent,
}

impl Display {
    /// A bar or lines, as standard error asks for it; nothing if `silent`.
    pub fn new(silent: bool) -> Self {
        if silent {
            return Self(Kind::Silent);
        }
        if !std::io::stderr().is_terminal() {
            return Self(Kind::Lines(String::new(), 0));
        }
        let style = ProgressStyle::with_template("{elapsed:>5} {bar:24.cyan} {msg}");
        let bar = ProgressBar::new(0);
        bar.set_style(style.expect("the template is valid"));
        Self(Kind::Bar(bar))
    }

    /// Something that stays to be read.
    #[cfg(feature = "compile")]
    pub fn note(&self, text: &str) {
        match &self.0 {
            Kind::Bar(bar) => bar.suspend(|| write_line(text)),
            Kind::Lines(..) => write_line(text),
            Kind::Silent => {}
        }
    }

    /// `done` of `total` of a stage. Lines are written when the stage changes and at each
    /// tenth of it.
    pub fn update(&mut self, stage: &str, detail: &str, done: u64, total: u64) {
        let message = format!("{stage} {detail}");
        match &mut self.0 {
            Kind::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
                bar.set_message(message);
            }
            Kind::Lines(last_stage, last_tenth) => {
                let tenth = done.saturating_mul(10).checked_div(total).unwrap_or(0);
                if last_stage != stage || *last_tenth != tenth {
                    write_line(message.trim_end());
                    (*last_stage, *last_tenth) = (stage.to_owned(), tenth);
                }
            }
            Kind::Silent => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Kind::Bar(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Progress that nobody can read is no reason to stop.
fn write_line(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
