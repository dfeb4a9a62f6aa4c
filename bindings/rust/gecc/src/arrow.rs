//! Columns by Arrow's C data interface, which pyarrow, DuckDB, Polars and the crates `arrow` and `arrow2` speak.
//!
//! ```
//! use gecc::{arrow, Context, Curve, Rows};
//!
//! let context = Context::new()?;
//! let public = gecc::ec::public_key(Curve::P256, &[[7u8; 32], [0; 32]]).run(&context)?;
//! let array = arrow::export(&public.out, &public.status)?; // "w:65", of which row 1 is null
//!
//! let status = gecc::ec::validate(Curve::P256, arrow::rows(&array)?).run(&context)?;
//! assert_eq!(status.iter().collect::<Vec<_>>(), [gecc::Status::Ok, gecc::Status::Null]);
//! # Ok::<(), gecc::Error>(())
//! ```

use crate::column::{Column, Statuses};
use crate::rows::Rows;
use crate::{raw, Error, Result, Status};

pub use crate::raw::{Array, ArrowArray, ArrowSchema};

/// The rows of an array of fixed-width binary, binary, large binary or uint8, where they lie. A row that is null has the
/// status [`Status::Null`] and no results of `run` and `submit`; all else that takes rows refuses it. Error: an array of
/// another type, or one that has a dictionary.
pub fn rows(array: &Array) -> Result<Rows<'_>> {
    let found = raw::binary(array).ok_or_else(|| {
        let text = "an array is not of fixed-width binary, binary, large binary or uint8, or has a dictionary";
        Error::argument(text.to_string())
    })?;
    let rows = match found.width {
        Some(width) => Rows::strided(found.bytes, width, width, found.count)?,
        None => {
            let width = |pair: &[u64]| pair[1].checked_sub(pair[0]).and_then(|width| u32::try_from(width).ok());
            let widths: Option<Vec<u32>> = found.offsets.windows(2).map(width).collect();
            let widths = widths
                .ok_or_else(|| Error::argument("an array's offsets go back, or a row has 2^32 bytes".to_string()))?;
            Rows::ragged(found.bytes, found.offsets[..found.count].to_vec(), widths)?
        }
    };
    Ok(rows.without(found.nulls))
}

/// Results as an array, of fixed-width binary, or of binary where rows differ in width; rows that are not `Ok` are null.
/// Error: they have another number of rows than the statuses.
pub fn export(column: &Column, status: &Statuses) -> Result<Array> {
    if column.len() != status.len() {
        return Err(Error::argument(format!("{} rows, where there are {} statuses", column.len(), status.len())));
    }
    let mut valid = vec![0; (column.len() + 7) / 8];
    for (row, _) in status.iter().enumerate().filter(|(_, status)| *status == Status::Ok) {
        valid[row / 8] |= 1 << (row % 8);
    }
    let nulls = status.iter().filter(|status| *status != Status::Ok).count();
    if column.widths.is_none() {
        let format = format!("w:{}", column.stride);
        return Ok(raw::export(format, column.len(), nulls, [valid, column.data.clone(), Vec::new()], 2));
    }
    let (mut offsets, mut bytes) = (0i64.to_ne_bytes().to_vec(), Vec::new());
    for row in column.iter() {
        bytes.extend_from_slice(row);
        offsets.extend_from_slice(&(bytes.len() as i64).to_ne_bytes());
    }
    Ok(raw::export("Z".to_string(), column.len(), nulls, [valid, offsets, bytes], 3))
}

/// Statuses as an array of uint8.
pub fn export_statuses(status: &Statuses) -> Array {
    raw::export("C".to_string(), status.len(), 0, [Vec::new(), status.as_bytes().to_vec(), Vec::new()], 2)
}
