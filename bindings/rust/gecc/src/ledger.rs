//! Ethereum's transactions, from their bytes: who sent each.

use crate::column::Statuses;
use crate::context::Context;
use crate::rows::Rows;
use crate::{raw, EthereumReason, Result};

/// What [`senders`] knows of each transaction. Rows without a result are zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Senders {
    /// The address that it was sent from.
    pub sender: Vec<[u8; 20]>,
    /// Its hash.
    pub hash: Vec<[u8; 32]>,
    /// Its type: 0 to 4.
    pub transaction_type: Vec<u8>,
    pub(crate) reason: Vec<u8>,
    /// At which byte of a row something is wrong.
    pub position: Vec<u32>,
    /// `Ok`, `MalformedTransaction`, or what is wrong with the signature.
    pub status: Statuses,
}

impl Senders {
    /// What is wrong with row `index`, where it is no transaction. Panics past the last.
    pub fn reason(&self, index: usize) -> EthereumReason {
        EthereumReason::of(self.reason[index])
    }
}

/// Where a block has its transactions: their offsets and widths, which [`Rows::ragged`] takes. Error: it is no block.
pub fn block_transactions(block: &[u8]) -> Result<(Vec<u64>, Vec<u32>)> {
    raw::block_transactions(block)
}

/// Who sent each transaction, as nodes give them. `chain_id`: refuse those for other chains; 0: take all.
/// `any_s`: as Frontier's transactions had it.
///
/// ```
/// let context = gecc::Context::new()?;
/// let none = gecc::ledger::senders(&context, &[&[0xc0u8][..]][..], 1, false)?;
/// assert_eq!(none.status.get(0), gecc::Status::MalformedTransaction);
/// assert_eq!(none.reason(0), gecc::EthereumReason::TooFew);
/// # Ok::<(), gecc::Error>(())
/// ```
pub fn senders<'a>(
    context: &Context,
    transactions: impl Into<Rows<'a>>,
    chain_id: u64,
    any_s: bool,
) -> Result<Senders> {
    let transactions = transactions.into();
    transactions.have_values("transactions")?;
    raw::senders(&context.handle, &transactions, chain_id, any_s)
}
