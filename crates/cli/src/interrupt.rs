//! Ctrl-C and the request to end, for commands that end in order.

use tokio::signal::unix::{SignalKind, signal};

/// What asked a command to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// A polite kill, as service managers send it.
    Terminate,
}

/// Listens for both. From [`Signals::listen`] on, neither ends the process by itself any more.
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    /// Begins to listen; needs a tokio runtime.
    pub fn listen() -> std::io::Result<Self> {
        let interrupt = signal(SignalKind::interrupt())?;
        let terminate = signal(SignalKind::terminate())?;
        Ok(Self { interrupt, terminate })
    }

    /// Waits for the next one since listening began.
    pub async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}

/// Calls `first` at the first signal, and ends the process at the second. For commands that
/// compute on their own thread; lasts as long as the process. Call it in the main thread, before
/// others are begun.
///
/// The signals are blocked and waited for, not handled: IREE's compiler starts its linker with
/// C's `system`, which has them ignored meanwhile, and only a blocked signal outlasts that.
#[cfg(feature = "compile")]
pub fn watch(first: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    use nix::sys::signal::{SigSet, Signal, raise};

    let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM].into_iter().collect();
    signals.thread_block()?;
    let main = move || {
        if signals.wait().is_err() {
            return;
        }
        first();
        if let Ok(second) = signals.wait() {
            // By the signal itself, not by `exit`: a compiler at work does not outlive its own
            // destructors. Where it is ignored just now, `exit` has to do.
            let _ = signals.thread_unblock().and_then(|()| raise(second));
            std::process::exit(130);
        }
    };
    std::thread::Builder::new().name("tyto-interrupt".to_owned()).spawn(main).map(drop)
}
