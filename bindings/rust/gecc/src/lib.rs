//! Elliptic-curve cryptography in bulk: one call checks, makes or recovers as many signatures as its columns have rows,
//! and every row gets a verdict of its own; a bad one touches no other. What runs, portable C, BMI2 and ADX, AVX-512 IFMA
//! or an NVIDIA GPU, is chosen where the program runs.
//!
//! ```
//! use gecc::{Context, Curve, Status};
//!
//! let context = Context::new()?;
//! let keys = vec![[7u8; 32], [9u8; 32]];
//! let digests = [[1u8; 32], [2u8; 32]];
//! let public = gecc::ec::public_key(Curve::P256, &keys).run(&context)?;
//! let signed = gecc::ecdsa::sign(Curve::P256, &keys, &digests).run(&context)?;
//!
//! let mut signatures = signed.signature.arrays::<64>()?.to_vec();
//! signatures[1][5] ^= 1;
//! let status = gecc::ecdsa::verify(Curve::P256, &public.out, &digests, &signatures).low_s().run(&context)?;
//! assert_eq!(status.get(0), Status::Ok);
//! assert_ne!(status.get(1), Status::Ok);
//! # Ok::<(), gecc::Error>(())
//! ```
//!
//! * A typed function for each operation is in the module of its family: [`ecdsa`], [`ed25519`], [`schnorr`], [`sm2`],
//!   [`ec`], [`ethereum`], [`modular`], and [`ecdh`], [`x25519`], [`digest`]. It makes a call, whose methods are the flags and
//!   the columns that may be left out; `run`, `run_into` or `submit` has it done.
//! * Columns are [`Rows`]: `&[[u8; N]]`, one value for all rows, strided bytes, rows of different widths, Arrow's.
//! * A call that cannot be done is an [`Error`]; what came of a row is a [`Status`]. Memory that was not written reads as
//!   [`Status::NotProcessed`].
//! * Results that are secret come in a [`SecretColumn`], which wipes them; so do copies that the crate makes of rows.
//! * [`Job`]s run beside the thread and are futures; they own their rows, so that no memory goes while they run.
//! * [`ledger`] recovers the senders of Ethereum's transactions.
//!
//! Operations are documented in gecc's headers, whose texts the crate `gecc-sys` has, function by function.
#![deny(unsafe_code)]
#![warn(missing_docs)]
#![allow(clippy::doc_lazy_continuation)]

pub mod arrow;
mod call;
mod column;
mod context;
mod job;
pub mod ledger;
#[rustfmt::skip]
mod operations;
#[allow(unsafe_code)]
mod raw;
mod rows;
#[rustfmt::skip]
mod values;

pub use call::Call;
pub use column::{Column, SecretColumn, Statuses};
pub use context::{Backend, Config, Context, Keys, KeysConfig};
pub use job::Job;
pub use operations::*;
pub use rows::{Out, Rows};
pub use values::{Curve, ErrorKind, EthereumReason, Flag, Hash, PointFormat, Status};

/// Why a call was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// What is wrong, in words that name the argument; never with contents of a row.
    pub text: String,
}

impl Error {
    pub(crate) fn argument(text: String) -> Error {
        Error { kind: ErrorKind::Argument, text }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", if self.text.is_empty() { self.kind.to_string() } else { self.text.clone() })
    }
}

impl std::error::Error for Error {}

/// What came of a call.
pub type Result<T> = std::result::Result<T, Error>;
