//! A stream whose other end must go on reading.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// A stream on which a write that waits for too long fails. A client that stops reading would keep
/// its answer, and what the engine still adds to it, for ever.
pub struct Unstalled<S> {
    stream: S,
    longest: Duration,
    /// Ready when the write that waits has waited for long enough.
    end: Pin<Box<Sleep>>,
    is_waiting: bool,
}

impl<S> Unstalled<S> {
    /// Lets a write wait for as long as `longest`.
    pub fn new(stream: S, longest: Duration) -> Self {
        let end = Box::pin(tokio::time::sleep(longest));
        Self { stream, longest, end, is_waiting: false }
    }

    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.is_waiting = false;
            return poll;
        }
        if !self.is_waiting {
            self.is_waiting = true;
            self.end.as_mut().reset(Instant::now() + self.longest);
        }
        ready!(self.end.as_mut().poll(context));
        let message = "the client has stopped reading";
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, message)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Unstalled<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Unstalled<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.watch(context, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, poll)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(context, poll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn a_write_that_nobody_takes_fails_and_one_that_is_taken_does_not() {
        let (near, mut far) = tokio::io::duplex(8);
        let mut near = Unstalled::new(near, Duration::from_millis(1));
        let error = near.write_all(&[0; 64]).await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let mut patient = Unstalled::new(near.stream, Duration::from_secs(3600));
        let written = async { patient.write_all(&[1; 64]).await.expect("it is read") };
        let mut buffer = [0; 72];
        let read = async { far.read_exact(&mut buffer).await.expect("it is written") };
        tokio::join!(written, read);
        assert_eq!(buffer[8..], [1; 64]);
    }
}
