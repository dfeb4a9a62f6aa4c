//! Columns of a call: where each row starts, and how many bytes it has.

use std::borrow::Cow;
use std::sync::Arc;

use crate::column::{Column, SecretColumn, Wiped};
use crate::{raw, Error, Result};

/// What owns a column's bytes.
pub(crate) trait Owner: Send + Sync {
    fn bytes(&self) -> &[u8];
}

impl Owner for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

impl<const N: usize> Owner for Vec<[u8; N]> {
    fn bytes(&self) -> &[u8] {
        raw::flat(self)
    }
}

impl Owner for Wiped {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Owner for Column {
    fn bytes(&self) -> &[u8] {
        &self.data
    }
}

impl Owner for SecretColumn {
    fn bytes(&self) -> &[u8] {
        &self.expose().data
    }
}

#[derive(Clone)]
enum Bytes<'a> {
    None,
    Borrowed(&'a [u8]),
    Owned(Arc<dyn Owner>),
}

/// An input column. All rows lie within its bytes: what makes one checks that.
///
/// From `&[[u8; N]]`, `&Vec<[u8; N]>` or `&[[u8; N]; M]` it borrows; from a `Vec<[u8; N]>` or an `Arc` of it, or of a [`Column`]
/// or a [`SecretColumn`], it owns, as jobs need it; rows that lie anywhere, `&[&[u8]]`, are copied, and the copy
/// is wiped.
#[derive(Clone)]
pub struct Rows<'a> {
    bytes: Bytes<'a>,
    pub(crate) stride: usize,
    pub(crate) width: usize,
    /// None: any number, one value for all.
    pub(crate) count: Option<usize>,
    pub(crate) uneven: Option<Arc<Uneven<'a>>>,
}

/// Of rows that are not alike their widths, their offsets, and which have no value.
#[derive(Clone, Default)]
pub(crate) struct Uneven<'a> {
    pub(crate) widths: Option<Cow<'a, [u32]>>,
    pub(crate) offsets: Option<Cow<'a, [u64]>>,
    pub(crate) nulls: Vec<usize>,
}

impl<'a> Rows<'a> {
    pub(crate) const NONE: Rows<'static> = Rows { bytes: Bytes::None, stride: 0, width: 0, count: None, uneven: None };

    /// `count` rows of `width` bytes, `stride` apart. Error: they do not lie within `bytes`.
    ///
    /// ```
    /// let records = [0u8; 3 * 100]; // of 100 bytes, with a digest from byte 40 on
    /// let digests = gecc::Rows::strided(&records[40..], 32, 100, 3)?;
    /// assert!(gecc::Rows::strided(&records[80..], 32, 100, 3).is_err());
    /// # Ok::<(), gecc::Error>(())
    /// ```
    pub fn strided(bytes: &'a [u8], width: usize, stride: usize, count: usize) -> Result<Rows<'a>> {
        Self::even(Bytes::Borrowed(bytes), bytes.len(), width, stride, count)
    }

    /// Rows of `width` bytes that follow each other. Error: the bytes are no multiple of it.
    pub fn packed(bytes: &'a [u8], width: usize) -> Result<Rows<'a>> {
        Self::even(Bytes::Borrowed(bytes), bytes.len(), width, width, packed_count(bytes.len(), width)?)
    }

    /// One value for all rows.
    pub fn same(bytes: &'a [u8]) -> Rows<'a> {
        Rows { bytes: Bytes::Borrowed(bytes), width: bytes.len(), ..Rows::NONE }
    }

    /// Rows of different widths: row i is the `widths[i]` bytes from `offsets[i]` on. Error: one does not lie within `bytes`.
    pub fn ragged(
        bytes: &'a [u8],
        offsets: impl Into<Cow<'a, [u64]>>,
        widths: impl Into<Cow<'a, [u32]>>,
    ) -> Result<Rows<'a>> {
        Self::uneven(Bytes::Borrowed(bytes), bytes.len(), offsets.into(), widths.into())
    }

    /// The same rows, owned. Error: as [`Rows::packed`].
    pub fn owned(bytes: Vec<u8>, width: usize) -> Result<Rows<'static>> {
        let (length, count) = (bytes.len(), packed_count(bytes.len(), width)?);
        Rows::even(Bytes::Owned(Arc::new(bytes)), length, width, width, count)
    }

    fn even(bytes: Bytes<'a>, length: usize, width: usize, stride: usize, count: usize) -> Result<Rows<'a>> {
        let end = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(width));
        if end.map_or(true, |end| end > length) {
            let text =
                format!("{} rows of {} bytes, {} apart, do not lie within {} bytes", count, width, stride, length);
            return Err(Error::argument(text));
        }
        Ok(Rows { bytes, stride, width, count: Some(count), ..Rows::NONE })
    }

    fn uneven(bytes: Bytes<'a>, length: usize, offsets: Cow<'a, [u64]>, widths: Cow<'a, [u32]>) -> Result<Rows<'a>> {
        if offsets.len() != widths.len() {
            return Err(Error::argument(format!("{} offsets, where there are {} widths", offsets.len(), widths.len())));
        }
        for (row, (&offset, &width)) in offsets.iter().zip(widths.iter()).enumerate() {
            if offset.checked_add(width.into()).map_or(true, |end| end > length as u64) {
                return Err(Error::argument(format!("row {} does not lie within {} bytes", row, length)));
            }
        }
        let count = Some(offsets.len());
        let uneven = Uneven { offsets: Some(offsets), widths: Some(widths), nulls: Vec::new() };
        Ok(Rows { bytes, count, uneven: Some(Arc::new(uneven)), ..Rows::NONE })
    }

    /// Rows that lie anywhere, copied.
    fn gathered<T: AsRef<[u8]>>(rows: &[T]) -> Rows<'static> {
        let mut bytes = Wiped(Vec::with_capacity(rows.iter().map(|row| row.as_ref().len()).sum()));
        let (mut offsets, mut widths) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for row in rows.iter().map(AsRef::as_ref) {
            offsets.push(bytes.0.len() as u64);
            widths.push(u32::try_from(row.len()).expect("a row has fewer than 2^32 bytes"));
            bytes.0.extend_from_slice(row);
        }
        let length = bytes.0.len();
        Rows::uneven(Bytes::Owned(Arc::new(bytes)), length, offsets.into(), widths.into())
            .expect("they were just laid out")
    }

    /// The same, of which some have no value: their status is [`Status::Null`](crate::Status::Null), their results zeros.
    pub(crate) fn without(mut self, nulls: Vec<usize>) -> Self {
        if !nulls.is_empty() {
            let uneven = self.uneven.take().map_or(Uneven::default(), |uneven| (*uneven).clone());
            self.uneven = Some(Arc::new(Uneven { nulls, ..uneven }));
        }
        self
    }

    pub(crate) fn nulls(&self) -> &[usize] {
        self.uneven.as_ref().map_or(&[], |uneven| &uneven.nulls)
    }

    /// Error: a row has no value, where there is no status to say so.
    pub(crate) fn have_values(&self, column: &str) -> Result<()> {
        match self.nulls().first() {
            Some(row) => Err(Error::argument(format!("{}: row {} has no value, which is not taken here", column, row))),
            None => Ok(()),
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        matches!(self.bytes, Bytes::None)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::None => &[],
            Bytes::Borrowed(bytes) => bytes,
            Bytes::Owned(owner) => owner.bytes(),
        }
    }
}

fn packed_count(length: usize, width: usize) -> Result<usize> {
    match length.checked_rem(width) {
        Some(0) => Ok(length / width),
        _ => Err(Error::argument(format!("{} bytes are no rows of {} bytes", length, width))),
    }
}

impl std::fmt::Debug for Rows<'_> {
    /// Of what shape they are: rows may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shape = (self.count, self.width, self.stride, self.uneven.is_some());
        write!(f, "Rows {{ count: {:?}, width: {}, stride: {}, uneven: {} }}", shape.0, shape.1, shape.2, shape.3)
    }
}

impl<'a, const N: usize> From<&'a [[u8; N]]> for Rows<'a> {
    #[inline]
    fn from(rows: &'a [[u8; N]]) -> Self {
        let bytes = Bytes::Borrowed(raw::flat(rows));
        Rows { bytes, stride: N, width: N, count: Some(rows.len()), ..Rows::NONE }
    }
}

impl<'a, const N: usize> From<&'a Vec<[u8; N]>> for Rows<'a> {
    fn from(rows: &'a Vec<[u8; N]>) -> Self {
        rows.as_slice().into()
    }
}

impl<'a, const N: usize, const M: usize> From<&'a [[u8; N]; M]> for Rows<'a> {
    fn from(rows: &'a [[u8; N]; M]) -> Self {
        rows.as_slice().into()
    }
}

impl<const N: usize> From<Arc<Vec<[u8; N]>>> for Rows<'static> {
    fn from(rows: Arc<Vec<[u8; N]>>) -> Self {
        let count = Some(rows.len());
        Rows { bytes: Bytes::Owned(rows), stride: N, width: N, count, ..Rows::NONE }
    }
}

impl<const N: usize> From<Vec<[u8; N]>> for Rows<'static> {
    fn from(rows: Vec<[u8; N]>) -> Self {
        Arc::new(rows).into()
    }
}

impl<'a> From<&'a [&'a [u8]]> for Rows<'a> {
    fn from(rows: &'a [&'a [u8]]) -> Self {
        Rows::gathered(rows)
    }
}

impl<'a> From<&'a Vec<Vec<u8>>> for Rows<'a> {
    fn from(rows: &'a Vec<Vec<u8>>) -> Self {
        Rows::gathered(rows)
    }
}

impl<'a> Rows<'a> {
    /// The rows of a column whose bytes these are.
    fn of_column(column: &'a Column, bytes: Bytes<'a>) -> Rows<'a> {
        let uneven = column
            .widths
            .as_deref()
            .map(|widths| Arc::new(Uneven { widths: Some(widths.into()), ..Uneven::default() }));
        Rows { bytes, stride: column.stride, width: column.stride, count: Some(column.len()), uneven }
    }

    /// The same, of which nothing is borrowed any more.
    fn of_owner(column: &Column, owner: Arc<dyn Owner>) -> Rows<'static> {
        let uneven =
            column.widths.clone().map(|widths| Arc::new(Uneven { widths: Some(widths.into()), ..Uneven::default() }));
        let (stride, count) = (column.stride, Some(column.len()));
        Rows { bytes: Bytes::Owned(owner), stride, width: stride, count, uneven }
    }
}

impl<'a> From<&'a Column> for Rows<'a> {
    fn from(column: &'a Column) -> Self {
        Rows::of_column(column, Bytes::Borrowed(&column.data))
    }
}

impl From<Arc<Column>> for Rows<'static> {
    fn from(column: Arc<Column>) -> Self {
        Rows::of_owner(&column, column.clone())
    }
}

impl<'a> From<&'a SecretColumn> for Rows<'a> {
    fn from(column: &'a SecretColumn) -> Self {
        column.expose().into()
    }
}

impl From<Arc<SecretColumn>> for Rows<'static> {
    fn from(column: Arc<SecretColumn>) -> Self {
        Rows::of_owner(column.expose(), column.clone())
    }
}

/// An output column in the caller's memory.
#[derive(Debug)]
pub struct Out<'a> {
    pub(crate) data: Option<&'a mut [u8]>,
    pub(crate) stride: usize,
    pub(crate) widths: Option<&'a mut [u32]>,
}

impl<'a> Out<'a> {
    /// A column that is left out.
    pub fn none() -> Out<'a> {
        Out { data: None, stride: 0, widths: None }
    }

    /// Rows that are `stride` bytes apart, which is at least the greatest width that a row can have.
    pub fn strided(bytes: &'a mut [u8], stride: usize) -> Out<'a> {
        Out { data: Some(bytes), stride, widths: None }
    }

    /// `widths[i]` gets the width of row i, which has to be there for signatures in DER.
    pub fn with_widths(mut self, widths: &'a mut [u32]) -> Out<'a> {
        self.widths = Some(widths);
        self
    }
}

impl<'a, const N: usize> From<&'a mut [[u8; N]]> for Out<'a> {
    fn from(rows: &'a mut [[u8; N]]) -> Self {
        Out::strided(raw::flat_mut(rows), N)
    }
}

impl<'a, const N: usize> From<&'a mut Vec<[u8; N]>> for Out<'a> {
    fn from(rows: &'a mut Vec<[u8; N]>) -> Self {
        rows.as_mut_slice().into()
    }
}

impl<'a, const N: usize, const M: usize> From<&'a mut [[u8; N]; M]> for Out<'a> {
    fn from(rows: &'a mut [[u8; N]; M]) -> Self {
        rows.as_mut_slice().into()
    }
}
