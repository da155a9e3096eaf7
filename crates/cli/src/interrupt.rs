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
/// compute on their own thread; lasts as long as the process.
#[cfg(feature = "compile")]
pub fn watch(first: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let mut signals = {
        let _context = runtime.enter();
        Signals::listen()?
    };
    let main = move || {
        runtime.block_on(async {
            signals.next().await;
            first();
            signals.next().await;
            std::process::exit(130);
        });
    };
    std::thread::Builder::new().name("tyto-interrupt".to_owned()).spawn(main).map(drop)
}
