//! All that is unsafe: calls of C, and bytes seen as arrays.
//!
//! C reads rows that [`Rows`] has checked to lie within its bytes, and writes outputs for which [`Call`] has checked that there
//! is room for `count` rows of the greatest width. What is borrowed outlives a call that returns when it is done; what a job
//! reads and writes belongs to [`Pending`], which is not freed while the job runs.

use std::ffi::{CStr, CString};
use std::mem::{size_of, ManuallyDrop};
use std::os::raw::{c_char, c_void};
use std::ptr::{self, NonNull};
use std::sync::atomic::{compiler_fence, Ordering};
use std::sync::Arc;

use gecc_sys::*;

use crate::call::{Call, Done, Info, Selected};
use crate::column::{Column, Statuses};
use crate::context::{Backend, Config, KeysConfig};
use crate::ledger::Senders;
use crate::operations::{MOST_INPUTS, MOST_OUTPUTS};
use crate::rows::{Out, Rows};
use crate::{Curve, Error, ErrorKind, Result};

#[rustfmt::skip]
mod names;
pub(crate) use names::*;

pub(crate) type Operation = gecc_operation;

// Bytes.

/// Arrays as the bytes that they are.
pub(crate) fn flat<const N: usize>(rows: &[[u8; N]]) -> &[u8] {
    // SAFETY: arrays of bytes follow each other without padding, and a slice has at most isize::MAX bytes.
    unsafe { std::slice::from_raw_parts(rows.as_ptr().cast(), rows.len() * N) }
}

pub(crate) fn flat_mut<const N: usize>(rows: &mut [[u8; N]]) -> &mut [u8] {
    // SAFETY: as above; any bytes are an array.
    unsafe { std::slice::from_raw_parts_mut(rows.as_mut_ptr().cast(), rows.len() * N) }
}

/// Bytes as arrays; what is left at the end is not seen.
pub(crate) fn arrays<const N: usize>(bytes: &[u8]) -> &[[u8; N]] {
    // SAFETY: as many arrays as there are whole ones; they need no alignment.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / N) }
}

/// Zeros, which the compiler does not leave out.
pub(crate) fn wipe(bytes: &mut [u8]) {
    for byte in bytes.iter_mut() {
        // SAFETY: a place of the slice.
        unsafe { ptr::write_volatile(byte, 0) };
    }
    compiler_fence(Ordering::SeqCst);
}

// Texts and names.

/// A text of the library, which is static and in English; "" for NULL.
fn text(address: *const c_char) -> &'static str {
    if address.is_null() {
        return "";
    }
    // SAFETY: a text that lives as long as the library.
    unsafe { CStr::from_ptr(address) }.to_str().unwrap_or("")
}

/// The characters of an array up to its first zero.
fn characters(array: &[c_char]) -> String {
    array.iter().take_while(|&&letter| letter != 0).map(|&letter| letter as u8 as char).collect()
}

/// A name as C takes it; none where a zero is within it.
fn c_name(name: &str) -> Option<CString> {
    CString::new(name).ok()
}

pub(crate) fn pointformat_text(value: u32) -> &'static str {
    ["uncompressed", "compressed", "raw"].iter().copied().find(|name| pointformat_named(name) == value).unwrap_or("")
}

/// An error with the words that this thread's last call left.
fn check(result: gecc_result) -> Result<()> {
    if result == GECC_OK {
        return Ok(());
    }
    // SAFETY: valid until this thread's next call that fails.
    let words = unsafe { CStr::from_ptr(gecc_error_text()) };
    Err(Error { kind: ErrorKind::of(result), text: words.to_string_lossy().into_owned() })
}

// Contexts and keys.

#[derive(Debug)]
pub(crate) struct ContextHandle(NonNull<gecc_context>);

// SAFETY: "Any number of threads may use one context at once", and it belongs to no thread.
unsafe impl Send for ContextHandle {}
unsafe impl Sync for ContextHandle {}

impl ContextHandle {
    pub(crate) fn open(config: &Config) -> Result<ContextHandle> {
        let named = |name: &Option<String>| match name {
            Some(name) => CString::new(name.as_str())
                .map(Some)
                .map_err(|_| Error::argument("config: a name has a zero".to_string())),
            None => Ok(None),
        };
        let address = |name: &Option<CString>| name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        let (backend, device) = (named(&config.backend)?, named(&config.device)?);
        let c_config = gecc_config {
            backend: address(&backend),
            threads: config.threads,
            device: address(&device),
            device_table_bytes: config.device_table_bytes,
            key_table_bytes: config.key_table_bytes,
            staging_bytes: config.staging_bytes,
            key_cache_bytes: config.key_cache_bytes,
            ..Default::default()
        };
        let mut context = ptr::null_mut();
        // SAFETY: the configuration and its names live until it returns.
        check(unsafe { gecc_open(&mut context, &c_config) })?;
        Ok(ContextHandle(NonNull::new(context).expect("an open context")))
    }
}

impl Drop for ContextHandle {
    fn drop(&mut self) {
        // SAFETY: keys and jobs have shares of it, so that there are none any more.
        unsafe { gecc_close(self.0.as_ptr()) }
    }
}

pub(crate) fn backends(context: &ContextHandle) -> Vec<Backend> {
    let mut found = Vec::new();
    loop {
        let mut info = gecc_backend_info::default();
        // SAFETY: info has its size.
        if found.len() >= unsafe { gecc_backends(context.0.as_ptr(), found.len(), &mut info) } {
            return found;
        }
        found.push(Backend {
            name: characters(&info.name),
            device: characters(&info.device),
            available: info.available != 0,
            chosen: info.chosen != 0,
            threads: info.threads,
            reason: characters(&info.reason),
        });
    }
}

#[derive(Debug)]
pub(crate) struct KeysHandle {
    keys: NonNull<gecc_keys>,
    _context: Arc<ContextHandle>,
}

// SAFETY: "any number of threads may use it at once".
unsafe impl Send for KeysHandle {}
unsafe impl Sync for KeysHandle {}

impl KeysHandle {
    pub(crate) fn open(
        context: Arc<ContextHandle>,
        curve: Curve,
        rows: &Rows<'_>,
        config: &KeysConfig,
    ) -> Result<(KeysHandle, Vec<u8>)> {
        let c_config = gecc_keys_config {
            rows: config.rows,
            memory: config.memory,
            window: config.window,
            capacity: config.capacity,
            ..Default::default()
        };
        let count = rows.count.unwrap_or(1);
        let mut status = vec![0; count];
        let (out, rows) = (statuses(&mut status), c_rows(rows));
        let mut keys = ptr::null_mut();
        // SAFETY: rows lie in their bytes, there are as many statuses, and both are read before it returns.
        check(unsafe {
            gecc_keys_open_by_address(context.0.as_ptr(), &mut keys, curve.value(), &out, &rows, count, &c_config)
        })?;
        Ok((KeysHandle { keys: NonNull::new(keys).expect("a set of keys"), _context: context }, status))
    }

    pub(crate) fn add(&self, rows: &Rows<'_>) -> Result<(usize, Vec<u8>)> {
        let count = rows.count.unwrap_or(1);
        let mut status = vec![0; count];
        let (out, rows) = (statuses(&mut status), c_rows(rows));
        let mut first = 0;
        // SAFETY: as above.
        check(unsafe { gecc_keys_add_by_address(self.keys.as_ptr(), &out, &rows, count, &mut first) })?;
        Ok((first, status))
    }
}

impl Drop for KeysHandle {
    fn drop(&mut self) {
        // SAFETY: calls and jobs on it have shares of it; the context is open.
        unsafe { gecc_keys_close(self.keys.as_ptr()) }
    }
}

// Calls.

fn c_rows(rows: &Rows<'_>) -> gecc_rows {
    let uneven = rows.uneven.as_deref();
    gecc_rows {
        data: if rows.is_none() { ptr::null() } else { rows.bytes().as_ptr().cast() },
        stride: rows.stride,
        width: rows.width,
        widths: uneven.and_then(|it| it.widths.as_ref()).map_or(ptr::null(), |widths| widths.as_ptr()),
        offsets: uneven.and_then(|it| it.offsets.as_ref()).map_or(ptr::null(), |offsets| offsets.as_ptr()),
    }
}

const NO_ROWS: gecc_rows =
    gecc_rows { data: ptr::null(), stride: 0, width: 0, widths: ptr::null(), offsets: ptr::null() };
const NO_OUT: gecc_out = gecc_out { data: ptr::null_mut(), stride: 0, widths: ptr::null_mut() };

fn c_out(out: Out<'_>) -> gecc_out {
    gecc_out {
        data: out.data.map_or(ptr::null_mut(), |data| data.as_mut_ptr().cast()),
        stride: out.stride,
        widths: out.widths.map_or(ptr::null_mut(), |widths| widths.as_mut_ptr()),
    }
}

fn statuses(status: &mut [u8]) -> gecc_out {
    c_out(Out::strided(status, 1))
}

/// Where the library describes the operation; NULL: it has none of that name.
fn operation(info: &Info) -> *const Operation {
    let found = info.found.load(Ordering::Relaxed);
    if !found.is_null() {
        return found;
    }
    // SAFETY: the name ends with zero.
    let found = unsafe { gecc_operation_find(info.c_name.as_ptr().cast()) };
    info.found.store(found as *mut Operation, Ordering::Relaxed);
    found
}

fn parameters(call: &Call<'_>) -> gecc_parameters {
    let mut made = gecc_parameters {
        size: size_of::<gecc_parameters>(),
        curve: 0,
        hash: 0,
        modulus: gecc_modulus { value: ptr::null(), bytes: 0 },
        keys: ptr::null_mut(),
    };
    match &call.selected {
        Selected::Nothing => (),
        Selected::Curve(curve) => made.curve = curve.value(),
        Selected::Hash(hash) => made.hash = hash.value(),
        Selected::Modulus(modulus) => made.modulus = gecc_modulus { value: modulus.as_ptr(), bytes: modulus.len() },
        Selected::Keys(keys) => made.keys = keys.handle.keys.as_ptr(),
    }
    made
}

fn options(call: &Call<'_>) -> gecc_options {
    gecc_options {
        size: size_of::<gecc_options>(),
        flags: call.flags,
        nonce_hash: call.nonce_hash,
        point_format: call.point_format,
        report: ptr::null_mut(),
        job: ptr::null_mut(),
        stream: ptr::null_mut(),
        output_bytes: call.output_bytes,
    }
}

/// The least and the greatest width of an output's rows; zeros where an argument is wrong, which the call says then.
pub(crate) fn output_widths(call: &Call<'_>, index: usize) -> (usize, usize) {
    let mut widths = gecc_widths { least: 0, most: 0, count: 0, width: [0; 4] };
    let operation = operation(call.info);
    // SAFETY: constant descriptions, and structs that live until it returns.
    unsafe {
        let column = gecc_operation_output(operation, index);
        gecc_column_widths_by_address(operation, column, &parameters(call), &options(call), &mut widths);
    }
    (widths.least, widths.most)
}

fn inputs(call: &Call<'_>) -> [gecc_rows; MOST_INPUTS] {
    let mut made = [NO_ROWS; MOST_INPUTS];
    for (to, from) in made.iter_mut().zip(&call.inputs) {
        *to = c_rows(from);
    }
    made
}

fn outputs<'o>(outs: impl Iterator<Item = Out<'o>>) -> [gecc_out; MOST_OUTPUTS] {
    let mut made = [NO_OUT; MOST_OUTPUTS];
    for (to, from) in made.iter_mut().zip(outs) {
        *to = c_out(from);
    }
    made
}

/// Run the call on `count` rows, as many as its columns have and as the statuses and outputs have room for.
pub(crate) fn run<'o>(
    call: &Call<'_>,
    context: &ContextHandle,
    outs: impl Iterator<Item = Out<'o>>,
    status: &mut [u8],
    count: usize,
) -> Result<()> {
    assert_eq!(status.len(), count);
    // SAFETY: the module's; without a job it returns when all is done.
    unsafe { start(call, context, &inputs(call), &outputs(outs), &statuses(status), count, ptr::null_mut()) }
}

/// Run it, or have it run as a job.
///
/// # Safety
///
/// The columns have `count` rows, and live until all is done.
unsafe fn start(
    call: &Call<'_>,
    context: &ContextHandle,
    inputs: &[gecc_rows; MOST_INPUTS],
    outputs: &[gecc_out; MOST_OUTPUTS],
    status: &gecc_out,
    count: usize,
    job: *mut *mut gecc_job,
) -> Result<()> {
    let (parameters, options) = (parameters(call), gecc_options { job, ..options(call) });
    let is_plain = call.flags | call.nonce_hash | call.point_format == 0 && call.output_bytes == 0 && job.is_null();
    let options: *const gecc_options = if is_plain { ptr::null() } else { &options };
    let (operation, context) = (operation(call.info), context.0.as_ptr());
    let (inputs, outputs) = (inputs.as_ptr(), outputs.as_ptr());
    check(gecc_run_by_address(context, operation, &parameters, outputs, status, inputs, count, options))
}

// Ledgers.

pub(crate) fn block_transactions(block: &[u8]) -> Result<(Vec<u64>, Vec<u32>)> {
    let (mut count, bytes) = (0, block.len());
    // SAFETY: counts, and writes nothing else; then there is room for as many as it has counted.
    unsafe {
        let address = block.as_ptr().cast();
        check(gecc_ethereum_block_transactions(ptr::null_mut(), ptr::null_mut(), 0, &mut count, address, bytes))?;
        let (mut offsets, mut widths) = (vec![0; count], vec![0; count]);
        let (to, wide) = (offsets.as_mut_ptr(), widths.as_mut_ptr());
        check(gecc_ethereum_block_transactions(to, wide, count, &mut count, address, bytes))?;
        Ok((offsets, widths))
    }
}

pub(crate) fn senders(context: &ContextHandle, rows: &Rows<'_>, chain_id: u64, any_s: bool) -> Result<Senders> {
    let count = rows.count.unwrap_or(1);
    let mut found = Senders {
        sender: vec![[0; 20]; count],
        hash: vec![[0; 32]; count],
        transaction_type: vec![0; count],
        reason: vec![0; count],
        position: vec![0; count],
        status: Statuses(vec![0; count]),
    };
    let flags = if any_s { GECC_ANY_S } else { 0 };
    let options = gecc_ethereum_options { flags, chain_id, ..Default::default() };
    let position = gecc_out { data: found.position.as_mut_ptr().cast(), stride: size_of::<u32>(), ..NO_OUT };
    // SAFETY: every output has room for as many rows as there are.
    check(unsafe {
        gecc_ethereum_senders(
            context.0.as_ptr(),
            c_out(Out::from(&mut found.sender)),
            c_out(Out::from(&mut found.hash)),
            statuses(&mut found.transaction_type),
            statuses(&mut found.reason),
            position,
            statuses(&mut found.status.0),
            c_rows(rows),
            count,
            &options,
        )
    })?;
    Ok(found)
}

// Jobs.

/// What a job reads and writes.
struct Work {
    call: Call<'static>,
    done: ManuallyDrop<Done>,
    inputs: [gecc_rows; MOST_INPUTS],
    outputs: [gecc_out; MOST_OUTPUTS],
    status: gecc_out,
    _context: Arc<ContextHandle>,
}

/// A job, with all that it uses; waited for where it is dropped.
pub(crate) struct Pending {
    job: *mut gecc_job,
    work: *mut Work,
}

// SAFETY: the job is anybody's to wait for, and what it uses is Send.
unsafe impl Send for Pending {}
unsafe impl Sync for Pending {}

impl Pending {
    pub(crate) fn submit(
        call: Call<'static>,
        context: Arc<ContextHandle>,
        done: Done,
        count: usize,
    ) -> Result<Pending> {
        let work = Box::into_raw(Box::new(Work {
            inputs: [NO_ROWS; MOST_INPUTS],
            outputs: [NO_OUT; MOST_OUTPUTS],
            status: NO_OUT,
            call,
            done: ManuallyDrop::new(done),
            _context: context,
        }));
        let mut pending = Pending { job: ptr::null_mut(), work };
        // SAFETY: nobody else has an address of it before the job starts, and addresses of rows do not change: they are
        // those of memory that `work` owns.
        let work = unsafe { &mut *work };
        work.inputs = inputs(&work.call);
        work.outputs = outputs(work.done.columns.iter_mut().map(Column::out));
        work.status = statuses(&mut work.done.status.0);
        // SAFETY: the module's; all of it lives in `work` until the job was waited for.
        unsafe {
            start(&work.call, &work._context, &work.inputs, &work.outputs, &work.status, count, &mut pending.job)?
        };
        Ok(pending)
    }

    pub(crate) fn is_done(&self) -> bool {
        // SAFETY: a job that was not waited for.
        self.job.is_null() || unsafe { gecc_poll(self.job) } != GECC_PENDING
    }

    fn end(&mut self) -> Result<()> {
        match std::mem::replace(&mut self.job, ptr::null_mut()) {
            job if job.is_null() => Ok(()),
            // SAFETY: it is waited for once.
            job => check(unsafe { gecc_wait(job) }),
        }
    }

    pub(crate) fn wait(mut self) -> Result<Done> {
        self.end()?;
        // SAFETY: no job uses it any more, and `drop` finds no second one.
        let mut work = unsafe { Box::from_raw(std::mem::replace(&mut self.work, ptr::null_mut())) };
        // SAFETY: taken once, from a box that goes.
        let mut done = unsafe { ManuallyDrop::take(&mut work.done) };
        done.clear_nulls(&work.call.inputs);
        Ok(done)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let _ = self.end(); // nobody is left to tell
        if !self.work.is_null() {
            // SAFETY: no job uses it any more; `wait` has not taken it.
            let mut work = unsafe { Box::from_raw(self.work) };
            unsafe { ManuallyDrop::drop(&mut work.done) };
        }
    }
}

// Arrow's C data interface.

/// `struct ArrowSchema` of Arrow's C data interface, released when it goes.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray` of Arrow's C data interface, released when it goes.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

// SAFETY: "The producer must ensure that the release callback is thread-safe"; nobody else writes what they point to.
unsafe impl Send for ArrowSchema {}
unsafe impl Sync for ArrowSchema {}
unsafe impl Send for ArrowArray {}
unsafe impl Sync for ArrowArray {}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the producer's, once.
            unsafe { release(self) }
        }
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the producer's, once.
            unsafe { release(self) }
        }
    }
}

impl ArrowSchema {
    /// One that nobody has filled.
    pub fn empty() -> ArrowSchema {
        // SAFETY: null addresses, and no function.
        unsafe { std::mem::zeroed() }
    }
}

impl ArrowArray {
    /// One that nobody has filled.
    pub fn empty() -> ArrowArray {
        // SAFETY: null addresses, and no function.
        unsafe { std::mem::zeroed() }
    }
}

/// An array, and the schema that says what it holds.
#[derive(Debug)]
pub struct Array {
    array: ArrowArray,
    schema: ArrowSchema,
}

impl Array {
    /// Take over what another library has made: the structs at the addresses are marked as released.
    ///
    /// # Safety
    ///
    /// The addresses are of structs that are nobody else's. They are released or keep the interface's rules, and the schema
    /// is the array's.
    pub unsafe fn from_c(array: *mut ArrowArray, schema: *mut ArrowSchema) -> Array {
        Array { array: ptr::replace(array, ArrowArray::empty()), schema: ptr::replace(schema, ArrowSchema::empty()) }
    }

    /// The structs, for another library to take over.
    pub fn into_c(self) -> (ArrowArray, ArrowSchema) {
        (self.array, self.schema)
    }
}

/// What an array of bytes holds: a buffer, and where each row is in it.
pub(crate) struct Binary<'a> {
    pub(crate) bytes: &'a [u8],
    /// Of rows of fixed width.
    pub(crate) width: Option<usize>,
    /// Of others.
    pub(crate) offsets: Vec<u64>,
    pub(crate) nulls: Vec<usize>,
    pub(crate) count: usize,
}

/// What a binary array has; None: it is none, or breaks the interface's rules as far as they can be seen.
pub(crate) fn binary(array: &Array) -> Option<Binary<'_>> {
    let Array { array, schema } = array;
    let is_released = array.release.is_none() || schema.release.is_none();
    let has_dictionary = !array.dictionary.is_null() || !schema.dictionary.is_null();
    if is_released || has_dictionary || schema.format.is_null() || array.buffers.is_null() {
        return None;
    }
    // SAFETY: a released struct was excluded; for others the interface has a format that ends with zero, and buffers of as
    // many elements as offset + length, which whoever called `Array::from_c` vouches for.
    unsafe {
        let format = CStr::from_ptr(schema.format).to_str().ok()?;
        let (count, offset) = (usize::try_from(array.length).ok()?, usize::try_from(array.offset).ok()?);
        let offset = if count == 0 { 0 } else { offset };
        let end = offset.checked_add(count)?;
        let buffers = std::slice::from_raw_parts(array.buffers, usize::try_from(array.n_buffers).ok()?);
        let validity = *buffers.first()? as *const u8;
        let is_null = |row: usize| !validity.is_null() && *validity.add(row / 8) >> (row % 8) & 1 == 0;
        let nulls = (0..count).filter(|row| is_null(offset + row)).collect();
        let slice = |address: *const c_void, length: usize| match length {
            0 => Some(&[][..]),
            _ if address.is_null() || length > isize::MAX as usize => None,
            _ => Some(std::slice::from_raw_parts(address as *const u8, length)),
        };
        if let Some(width) =
            format.strip_prefix("w:").and_then(|width| width.parse().ok()).or((format == "C").then(|| 1))
        {
            let bytes = &slice(*buffers.get(1)?, end.checked_mul(width)?)?[offset * width..];
            return Some(Binary { bytes, width: Some(width), offsets: Vec::new(), nulls, count });
        }
        let (starts, bytes) = (*buffers.get(1)?, *buffers.get(2)?);
        let start: fn(*const c_void, usize) -> Option<u64> = match format {
            "z" => |starts, row| u64::try_from((starts as *const i32).add(row).read_unaligned()).ok(),
            "Z" => |starts, row| u64::try_from((starts as *const i64).add(row).read_unaligned()).ok(),
            _ => return None,
        };
        let offsets: Vec<u64> = match count {
            0 => vec![0],
            _ if starts.is_null() => return None,
            _ => (offset..=end).map(|row| start(starts, row)).collect::<Option<_>>()?,
        };
        let bytes = slice(bytes, usize::try_from(*offsets.last()?).ok()?)?;
        Some(Binary { bytes, width: None, offsets, nulls, count })
    }
}

/// What keeps the memory of an array that was made here: its buffers, and their addresses.
struct Kept {
    _buffers: [Vec<u8>; 3],
    addresses: [*const c_void; 3],
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    drop(Box::from_raw((*array).private_data as *mut Kept));
    (*array).release = None;
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    drop(CString::from_raw((*schema).private_data as *mut c_char));
    (*schema).release = None;
}

/// An array of `count` rows, with the first `used` buffers; buffers[0] tells which rows are valid, and is empty where all are.
pub(crate) fn export(format: String, count: usize, nulls: usize, buffers: [Vec<u8>; 3], used: i64) -> Array {
    let address = |buffer: &Vec<u8>| if buffer.is_empty() { ptr::null() } else { buffer.as_ptr().cast() };
    let addresses = [address(&buffers[0]), address(&buffers[1]), address(&buffers[2])];
    let kept = Box::into_raw(Box::new(Kept { _buffers: buffers, addresses }));
    let (mut array, mut schema) = (ArrowArray::empty(), ArrowSchema::empty());
    array.length = count as i64;
    array.null_count = nulls as i64;
    array.n_buffers = used;
    // SAFETY: of the box, which `release` frees.
    array.buffers = unsafe { (*kept).addresses.as_mut_ptr() };
    array.private_data = kept.cast();
    array.release = Some(release_array);
    schema.format = CString::new(format).expect("a format has no zero").into_raw();
    schema.private_data = schema.format as *mut c_void;
    schema.flags = 2; // nullable
    schema.release = Some(release_schema);
    Array { array, schema }
}
