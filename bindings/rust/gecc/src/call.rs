//! A call of any operation, which the typed functions are made of.

use std::sync::atomic::AtomicPtr;

use crate::column::{Column, SecretColumn, Statuses};
use crate::context::{Context, Keys};
use crate::job::Job;
use crate::operations::{MOST_INPUTS, MOST_OUTPUTS, OPERATIONS};
use crate::rows::{Out, Rows};
use crate::{raw, Curve, Error, Flag, Hash, PointFormat, Result, Status};

/// What chooses among the programs of an operation.
#[derive(Clone, Debug)]
pub(crate) enum Selected {
    Nothing,
    Curve(Curve),
    Hash(Hash),
    Modulus(Vec<u8>),
    Keys(Keys),
}

/// A column of an operation.
pub(crate) struct ColumnInfo {
    pub(crate) name: &'static str,
    pub(crate) optional: bool,
    pub(crate) secret: bool,
}

/// An operation, and where the library has its description, once it was asked.
pub(crate) struct Info {
    pub(crate) name: &'static str,
    pub(crate) c_name: &'static str,
    pub(crate) inputs: &'static [ColumnInfo],
    pub(crate) outputs: &'static [ColumnInfo],
    pub(crate) found: AtomicPtr<raw::Operation>,
}

impl Info {
    pub(crate) const fn new(
        name: &'static str,
        c_name: &'static str,
        inputs: &'static [ColumnInfo],
        outputs: &'static [ColumnInfo],
    ) -> Info {
        let found = AtomicPtr::new(std::ptr::null_mut());
        Info { name, c_name, inputs, outputs, found }
    }
}

/// A call of an operation by its name, for programs that learn at run time what to call; typed functions, as
/// [`ecdsa::verify`](crate::ecdsa::verify), say the same in types.
///
/// ```
/// use gecc::{Call, Context, Curve};
///
/// let context = Context::new()?;
/// let call = Call::named("ec.validate")?.curve(Curve::P256).column("point", &[[4u8; 65]])?;
/// let (columns, status) = call.run_named(&context)?;
/// assert!(columns.is_empty() && status.get(0).is_malformed());
/// # Ok::<(), gecc::Error>(())
/// ```
#[derive(Clone)]
pub struct Call<'a> {
    pub(crate) info: &'static Info,
    pub(crate) selected: Selected,
    pub(crate) inputs: [Rows<'a>; MOST_INPUTS],
    pub(crate) flags: u32,
    pub(crate) nonce_hash: u32,
    pub(crate) point_format: u32,
    pub(crate) output_bytes: usize,
}

impl<'a> Call<'a> {
    #[inline]
    pub(crate) fn of(info: &'static Info, selected: Selected) -> Call<'a> {
        Call { info, selected, inputs: [Rows::NONE; MOST_INPUTS], flags: 0, nonce_hash: 0, point_format: 0, output_bytes: 0 }
    }

    #[inline]
    pub(crate) fn with(mut self, index: usize, rows: Rows<'a>) -> Self {
        self.inputs[index] = rows;
        self
    }

    /// A call of `"ecdsa.verify"`, say. Error: no operation is called so.
    pub fn named(name: &str) -> Result<Call<'a>> {
        match OPERATIONS.iter().find(|info| info.name == name) {
            Some(info) => Ok(Call::of(info, Selected::Nothing)),
            None => Err(Error::argument(format!("operation: none is called {:?}", name))),
        }
    }

    /// The curve, where the operation has several.
    pub fn curve(mut self, curve: Curve) -> Self {
        self.selected = Selected::Curve(curve);
        self
    }

    /// The hash, of `digest`.
    pub fn hash(mut self, hash: Hash) -> Self {
        self.selected = Selected::Hash(hash);
        self
    }

    /// What arithmetic is modulo: big-endian.
    pub fn modulus(mut self, modulus: &[u8]) -> Self {
        self.selected = Selected::Modulus(modulus.to_vec());
        self
    }

    /// The keys whose numbers are in a column.
    pub fn keys(mut self, keys: &Keys) -> Self {
        self.selected = Selected::Keys(keys.clone());
        self
    }

    /// An input column. Error: the operation has none of that name.
    pub fn column(self, name: &str, rows: impl Into<Rows<'a>>) -> Result<Self> {
        match self.info.inputs.iter().position(|column| column.name == name) {
            Some(index) => Ok(self.with(index, rows.into())),
            None => Err(Error::argument(format!("{}: {} has no such column", name, self.info.name))),
        }
    }

    /// Set a flag. One that means nothing to the operation makes the call an error.
    pub fn flag(mut self, flag: Flag) -> Self {
        self.flags |= flag.value();
        self
    }

    /// The hash of which HMAC makes nonces.
    pub fn nonce_hash(mut self, hash: Hash) -> Self {
        self.nonce_hash = hash.value();
        self
    }

    /// How points are written.
    pub fn point_format(mut self, format: PointFormat) -> Self {
        self.point_format = format.value();
        self
    }

    /// How many bytes each derived key has, or a ciphertext or plaintext at most.
    pub fn output_bytes(mut self, bytes: usize) -> Self {
        self.output_bytes = bytes;
        self
    }

    /// Run it: its outputs in their order, secret ones among them, which are not wiped, and the statuses.
    pub fn run_named(&self, context: &Context) -> Result<(Vec<Column>, Statuses)> {
        let mut done = self.run(context)?;
        Ok(((0..self.info.outputs.len()).map(|index| done.column(index)).collect(), done.status()))
    }

    /// How many rows the columns have; one where all are one value for any number.
    pub(crate) fn count(&self) -> Result<usize> {
        let mut counted: Option<(usize, &str)> = None;
        for (rows, column) in self.inputs.iter().zip(self.info.inputs) {
            if rows.is_none() && !column.optional {
                return Err(Error::argument(format!("{} is missing", column.name)));
            }
            match (rows.count, counted) {
                (Some(count), Some((others, name))) if count != others => {
                    let text = format!("{}: {} rows, where {} has {}", column.name, count, name, others);
                    return Err(Error::argument(text));
                }
                (Some(count), None) => counted = Some((count, column.name)),
                _ => (),
            }
        }
        Ok(counted.map_or(1, |(count, _)| count))
    }

    /// Memory for the results of `count` rows.
    pub(crate) fn room(&self, count: usize) -> Result<Done> {
        let mut done = Done { info: self.info, columns: Default::default(), status: Statuses(vec![0; count]) };
        for (index, column) in done.columns.iter_mut().enumerate().take(self.info.outputs.len()) {
            let (least, most) = raw::output_widths(self, index);
            if most == isize::MAX as usize {
                let name = self.info.outputs[index].name;
                return Err(Error::argument(format!("output_bytes: has to say how wide {} may be", name)));
            }
            *column = Column::new(count, most, least != most)?;
        }
        Ok(done)
    }

    pub(crate) fn run(&self, context: &Context) -> Result<Done> {
        let count = self.count()?;
        let mut done = self.room(count)?;
        raw::run(self, &context.handle, done.columns.iter_mut().map(Column::out), &mut done.status.0, count)?;
        done.clear_nulls(&self.inputs);
        Ok(done)
    }

    pub(crate) fn run_into<const K: usize>(
        &self,
        context: &Context,
        outs: [Out<'_>; K],
        status: &mut [u8],
    ) -> Result<()> {
        let count = self.count()?;
        self.inputs.iter().zip(self.info.inputs).try_for_each(|(rows, column)| rows.have_values(column.name))?;
        if status.len() != count {
            return Err(Error::argument(format!("status: room for {} rows, where there are {}", status.len(), count)));
        }
        for (index, (out, column)) in outs.iter().zip(self.info.outputs).enumerate() {
            let (_, most) = raw::output_widths(self, index);
            let most = if most == isize::MAX as usize { out.stride } else { most };
            if most == 0 {
                raw::run(self, &context.handle, std::iter::empty(), &mut [], 0)?; // says which argument is wrong
                return Err(Error::argument(format!("{}: the width of its rows is not known", column.name)));
            }
            let (bytes, widths) =
                (out.data.as_ref().map(|data| data.len()), out.widths.as_ref().map(|widths| widths.len()));
            let end = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(out.stride)?.checked_add(most));
            if bytes.map_or(false, |bytes| end.map_or(true, |end| end > bytes)) || widths.map_or(false, |n| n < count) {
                return Err(Error::argument(format!(
                    "{}: no room for {} rows of up to {} bytes",
                    column.name, count, most
                )));
            }
        }
        raw::run(self, &context.handle, outs.into_iter(), status, count)
    }
}

impl Call<'static> {
    pub(crate) fn submit<T>(self, context: &Context, finish: fn(Done) -> T) -> Result<Job<T>> {
        Job::submit(self, context, finish)
    }
}

/// What a call gave. Secret columns that nobody takes are wiped.
pub(crate) struct Done {
    info: &'static Info,
    pub(crate) columns: [Column; MOST_OUTPUTS],
    pub(crate) status: Statuses,
}

impl Done {
    pub(crate) fn column(&mut self, index: usize) -> Column {
        std::mem::take(&mut self.columns[index])
    }

    pub(crate) fn secret(&mut self, index: usize) -> SecretColumn {
        SecretColumn::of(self.column(index))
    }

    pub(crate) fn status(&mut self) -> Statuses {
        std::mem::take(&mut self.status)
    }

    /// Rows of which a column has no value have no result.
    pub(crate) fn clear_nulls(&mut self, inputs: &[Rows<'_>]) {
        for &row in inputs.iter().flat_map(Rows::nulls) {
            self.status.0[row] = Status::Null.value();
            for column in &mut self.columns[..self.info.outputs.len()] {
                column.clear(row);
            }
        }
    }
}

impl Drop for Done {
    fn drop(&mut self) {
        for (column, info) in self.columns.iter_mut().zip(self.info.outputs) {
            if info.secret {
                raw::wipe(&mut column.data);
            }
        }
    }
}
