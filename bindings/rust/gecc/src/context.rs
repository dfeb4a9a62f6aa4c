//! Contexts, and keys that are prepared.

use std::sync::Arc;

use crate::column::Statuses;
use crate::rows::Rows;
use crate::{raw, Curve, Result};

/// How a context is opened; what `Config::default()` has is what gecc chooses.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// `"auto"`, `"cpu"` or `"cuda"`.
    pub backend: Option<String>,
    /// Of the CPU; 0: one for each processor.
    pub threads: u32,
    /// The GPUs that share jobs, `"0,2"` or `"all"`.
    pub device: Option<String>,
    /// The most that tables of multiples of G take of a GPU's memory; 0: a quarter.
    pub device_table_bytes: usize,
    /// The most that tables of keys that repeat within a call take; 0: the default, 1: none.
    pub key_table_bytes: usize,
    /// The most pinned memory that rows pass through on their way to a GPU; 0: 1 GiB.
    pub staging_bytes: usize,
    /// The most that tables of public keys take which are kept from call to call; 0: none are kept.
    pub key_cache_bytes: usize,
}

/// What calls run in: threads, tables, GPUs. Any number of threads may use one; clones are the same context, which is
/// closed when the last of them is gone, and every job and set of keys with it.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) handle: Arc<raw::ContextHandle>,
}

impl Context {
    /// One as gecc chooses.
    pub fn new() -> Result<Context> {
        Context::open(&Config::default())
    }

    /// One as the caller chooses. Error: a backend is asked for that is not there.
    ///
    /// ```
    /// let mut config = gecc::Config::default();
    /// config.backend = Some("cpu".into());
    /// config.threads = 2;
    /// let context = gecc::Context::open(&config)?;
    /// assert!(context.backends().iter().any(|backend| backend.chosen && backend.name == "cpu"));
    /// # Ok::<(), gecc::Error>(())
    /// ```
    pub fn open(config: &Config) -> Result<Context> {
        Ok(Context { handle: Arc::new(raw::ContextHandle::open(config)?) })
    }

    /// The backends that the library knows, available or not.
    pub fn backends(&self) -> Vec<Backend> {
        raw::backends(&self.handle)
    }
}

/// A place where calls may run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backend {
    /// `"cpu"`, `"cuda"`.
    pub name: String,
    /// `"portable-adx"`, `"portable-c"`, `"ifma"`, a GPU's name.
    pub device: String,
    /// Whether it can be used.
    pub available: bool,
    /// Whether the context uses it.
    pub chosen: bool,
    /// Threads of the CPU.
    pub threads: u32,
    /// Why it cannot be used.
    pub reason: String,
}

/// How keys are prepared; what `KeysConfig::default()` has is what gecc chooses.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct KeysConfig {
    /// Rows that are expected of each key; 0: some hundred.
    pub rows: usize,
    /// Bytes that tables may take; 0: the default.
    pub memory: usize,
    /// Bits of a window, 4 to 16; 0: as many as take the least time.
    pub window: u32,
    /// Keys that there is to be room for; 0: those that are given.
    pub capacity: usize,
}

/// Public keys with tables of their own, which come back: calls name them by number. Clones are the same set.
///
/// ```
/// use gecc::{Context, Curve, Keys, KeysConfig};
///
/// let context = Context::new()?;
/// let private = [[3u8; 32]];
/// let public = gecc::ec::public_key(Curve::P256, &private).run(&context)?.out;
/// let (keys, status) = Keys::new(&context, Curve::P256, &public, &KeysConfig::default())?;
/// assert!(status.all_ok());
///
/// let digests = [[8u8; 32], [9; 32]];
/// let private = [private[0]; 2];
/// let signed = gecc::ecdsa::sign(Curve::P256, &private, &digests).run(&context)?;
/// let numbers = [0u32.to_le_bytes(); 2];
/// assert!(gecc::ecdsa::verify_keys(&keys, &numbers, &digests, &signed.signature).run(&context)?.all_ok());
/// # Ok::<(), gecc::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Keys {
    pub(crate) handle: Arc<raw::KeysHandle>,
}

impl Keys {
    /// Check keys and make their tables: that of row i has number i. The statuses say which were refused, and why.
    pub fn new<'a>(
        context: &Context,
        curve: Curve,
        public_keys: impl Into<Rows<'a>>,
        config: &KeysConfig,
    ) -> Result<(Keys, Statuses)> {
        let public_keys = public_keys.into();
        public_keys.have_values("public_key")?;
        let (handle, status) = raw::KeysHandle::open(context.handle.clone(), curve, &public_keys, config)?;
        Ok((Keys { handle: Arc::new(handle) }, Statuses(status)))
    }

    /// More keys, for which the configuration left room: the number of the first, and the statuses.
    pub fn add<'a>(&self, public_keys: impl Into<Rows<'a>>) -> Result<(usize, Statuses)> {
        let public_keys = public_keys.into();
        public_keys.have_values("public_key")?;
        let (first, status) = self.handle.add(&public_keys)?;
        Ok((first, Statuses(status)))
    }
}
