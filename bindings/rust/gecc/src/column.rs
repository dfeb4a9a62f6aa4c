//! What calls give: columns of rows, and their statuses.

use crate::{raw, Error, Result, Status};

/// Bytes that are wiped when they go.
pub(crate) struct Wiped(pub(crate) Vec<u8>);

impl Drop for Wiped {
    fn drop(&mut self) {
        raw::wipe(&mut self.0);
    }
}

/// A column of results: row i starts at i times its stride. A row without a result is zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    pub(crate) data: Vec<u8>,
    pub(crate) stride: usize,
    pub(crate) widths: Option<Vec<u32>>,
    pub(crate) count: usize,
}

impl Column {
    pub(crate) fn new(count: usize, most: usize, has_widths: bool) -> Result<Column> {
        let bytes = count.checked_mul(most).filter(|&bytes| bytes <= isize::MAX as usize);
        let bytes = bytes.ok_or_else(|| Error::argument(format!("{} rows of {} bytes are too many", count, most)))?;
        let widths = if has_widths { Some(vec![0; count]) } else { None };
        Ok(Column { data: vec![0; bytes], stride: most, widths, count })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Row `index`; in its own width, which is 0 without a result, where rows differ in it. Panics past the last.
    pub fn row(&self, index: usize) -> &[u8] {
        assert!(index < self.count, "row {} of {}", index, self.count);
        let width = self.widths.as_ref().map_or(self.stride, |widths| widths[index] as usize);
        &self.data[index * self.stride..][..width]
    }

    /// All rows, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> + '_ {
        (0..self.count).map(move |index| self.row(index))
    }

    /// The rows as arrays. Error: they have another width, or several.
    pub fn arrays<const N: usize>(&self) -> Result<&[[u8; N]]> {
        if N == 0 || self.stride != N || self.widths.is_some() {
            return Err(Error::argument(format!("rows of up to {} bytes are no arrays of {}", self.stride, N)));
        }
        Ok(raw::arrays(&self.data))
    }

    pub(crate) fn clear(&mut self, index: usize) {
        self.data[index * self.stride..][..self.stride].fill(0);
        if let Some(widths) = &mut self.widths {
            widths[index] = 0;
        }
    }
}

/// A column of secrets: wiped when it goes, and not printed.
pub struct SecretColumn(Column);

impl SecretColumn {
    /// Rows of `width` bytes, taken over. Error: the bytes are no multiple of it; they are wiped.
    pub fn packed(bytes: Vec<u8>, width: usize) -> Result<SecretColumn> {
        let count = bytes.len().checked_div(width).unwrap_or(0);
        let fits = count.checked_mul(width) == Some(bytes.len()) && width > 0;
        let (length, column) = (bytes.len(), Column { data: bytes, stride: width, widths: None, count });
        let secret = SecretColumn(column);
        if fits {
            Ok(secret)
        } else {
            Err(Error::argument(format!("{} bytes are no rows of {} bytes", length, width)))
        }
    }

    pub(crate) fn of(column: Column) -> SecretColumn {
        SecretColumn(column)
    }

    /// The secrets. What is copied from there is the caller's to wipe.
    pub fn expose(&self) -> &Column {
        &self.0
    }
}

impl Drop for SecretColumn {
    fn drop(&mut self) {
        raw::wipe(&mut self.0.data);
    }
}

impl std::fmt::Debug for SecretColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretColumn {{ {} rows }}", self.0.count)
    }
}

/// What came of each row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses(pub(crate) Vec<u8>);

impl Statuses {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The status of row `index`. Panics past the last.
    pub fn get(&self, index: usize) -> Status {
        Status::of(self.0[index])
    }

    /// All statuses, in the order of rows.
    pub fn iter(&self) -> impl Iterator<Item = Status> + '_ {
        self.0.iter().copied().map(Status::of)
    }

    /// Whether every row is valid, or computed. False where there is no row: nothing was checked.
    pub fn all_ok(&self) -> bool {
        let ok = Status::Ok.value();
        !self.0.is_empty() && self.0.iter().fold(0, |others, status| others | (status ^ ok)) == 0
    }

    /// One byte a row, what [`Status::value`] gives.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Status {
    /// Whether the row was refused: it is not well formed.
    pub fn is_malformed(self) -> bool {
        self.value() >= Status::MalformedWidth.value()
    }
}

impl Column {
    /// Itself, for a call to write to; an empty one is left out.
    pub(crate) fn out(&mut self) -> crate::Out<'_> {
        match self.stride {
            0 => crate::Out::none(),
            _ => crate::Out { data: Some(&mut self.data), stride: self.stride, widths: self.widths.as_deref_mut() },
        }
    }
}
