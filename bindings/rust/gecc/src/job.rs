//! Calls that run while the thread that made them goes on.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{self, Poll, Waker};
use std::thread;

use crate::call::{Call, Done};
use crate::context::Context;
use crate::{raw, Error, ErrorKind, Result};

/// A call under way, and a future of what it gives. It owns its rows, its results and a share of the context: where it is
/// forgotten they stay. Where it is dropped, it is waited for by that thread, or by the one that a poll has started.
///
/// ```
/// use gecc::{Context, Hash};
///
/// let context = Context::new()?;
/// let job = gecc::digest(Hash::Sha256, vec![*b"abc"; 1000]).submit(&context)?;
/// let done = job.wait()?;
/// assert_eq!(done.digest.row(999)[..4], [0xba, 0x78, 0x16, 0xbf]);
/// # Ok::<(), gecc::Error>(())
/// ```
#[must_use = "dropping a job waits for it"]
pub struct Job<T> {
    state: State,
    finish: fn(Done) -> T,
}

enum State {
    Running(raw::Pending),
    /// A thread waits for it, since somebody is to be woken.
    Awaited(Arc<Shared>),
    Over,
}

#[derive(Default)]
struct Shared {
    outcome: Mutex<(Option<Result<Done>>, Option<Waker>)>,
    is_over: Condvar,
}

impl Shared {
    fn finish(&self, result: Result<Done>) {
        let mut outcome = self.outcome.lock().expect("nothing panics while it is held");
        outcome.0 = Some(result);
        self.is_over.notify_all();
        let waker = outcome.1.take();
        drop(outcome); // who is woken may poll at once
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn wait(&self) -> Result<Done> {
        let mut outcome = self.outcome.lock().expect("nothing panics while it is held");
        loop {
            match outcome.0.take() {
                Some(result) => return result,
                None => outcome = self.is_over.wait(outcome).expect("nothing panics while it is held"),
            }
        }
    }
}

impl<T> Job<T> {
    pub(crate) fn submit(call: Call<'static>, context: &Context, finish: fn(Done) -> T) -> Result<Job<T>> {
        let count = call.count()?;
        let room = call.room(count)?;
        let pending = raw::Pending::submit(call, context.handle.clone(), room, count)?;
        Ok(Job { state: State::Running(pending), finish })
    }

    /// Whether it is done, so that [`Job::wait`] returns at once.
    pub fn is_done(&self) -> bool {
        match &self.state {
            State::Running(pending) => pending.is_done(),
            State::Awaited(shared) => shared.outcome.lock().expect("nothing panics while it is held").0.is_some(),
            State::Over => true,
        }
    }

    /// Wait for it.
    pub fn wait(mut self) -> Result<T> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Running(pending) => pending.wait(),
            State::Awaited(shared) => shared.wait(),
            State::Over => Err(taken()),
        }
        .map(self.finish)
    }
}

fn taken() -> Error {
    Error { kind: ErrorKind::Argument, text: "the job's result was taken".to_string() }
}

impl<T> Unpin for Job<T> {}

impl<T> Future for Job<T> {
    type Output = Result<T>;

    /// A first poll that finds it running starts a thread that waits for it.
    fn poll(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Result<T>> {
        let finish = self.finish;
        let shared = match std::mem::replace(&mut self.state, State::Over) {
            State::Running(pending) if pending.is_done() => return Poll::Ready(pending.wait().map(finish)),
            State::Running(pending) => {
                let shared = Arc::new(Shared::default());
                let theirs = shared.clone();
                // Where no thread can be had, the closure is dropped, which waits, and nothing was lost but the result.
                let waiter = thread::Builder::new().name("gecc-job".to_string());
                if waiter.spawn(move || theirs.finish(pending.wait())).is_err() {
                    let text = "a job could not be awaited: no thread could be started".to_string();
                    return Poll::Ready(Err(Error { kind: ErrorKind::Thread, text }));
                }
                shared
            }
            State::Awaited(shared) => shared,
            State::Over => return Poll::Ready(Err(taken())),
        };
        let mut outcome = shared.outcome.lock().expect("nothing panics while it is held");
        if let Some(result) = outcome.0.take() {
            return Poll::Ready(result.map(finish));
        }
        outcome.1 = Some(context.waker().clone());
        drop(outcome);
        self.state = State::Awaited(shared);
        Poll::Pending
    }
}
