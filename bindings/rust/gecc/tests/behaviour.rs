//! Shapes of columns, jobs, threads, memory, and what must not be expressible.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll, Wake};
use std::thread;

use gecc::{
    arrow, ledger, Call, Config, Context, Curve, ErrorKind, Hash, Keys, KeysConfig, Out, Rows, SecretColumn, Status,
};

fn context() -> Context {
    let mut config = Config::default();
    config.backend = Some("cpu".into());
    config.threads = 2;
    Context::open(&config).unwrap()
}

fn signed(context: &Context, n: usize) -> (Vec<[u8; 65]>, Vec<[u8; 32]>, Vec<[u8; 64]>) {
    let keys: Vec<[u8; 32]> = (0..n).map(|i| [(i % 250) as u8 + 1; 32]).collect();
    let digests: Vec<[u8; 32]> = (0..n).map(|i| [(i % 256) as u8; 32]).collect();
    let public = gecc::ec::public_key(Curve::P256, &keys).run(context).unwrap().out.arrays::<65>().unwrap().to_vec();
    let signature = gecc::ecdsa::sign(Curve::P256, &keys, &digests).run(context).unwrap().signature;
    (public, digests, signature.arrays::<64>().unwrap().to_vec())
}

#[test]
fn shapes_of_columns_give_the_same() {
    let context = context();
    let (public, digests, mut signatures) = signed(&context, 10);
    signatures[3][40] ^= 1;
    let expected = gecc::ecdsa::verify(Curve::P256, &public, &digests, &signatures).run(&context).unwrap();
    assert_eq!(expected.iter().filter(|&status| status == Status::Ok).count(), 9);

    let records: Vec<u8> = (0..10).flat_map(|i| [&signatures[i][..], &[0; 7], &digests[i][..]].concat()).collect();
    let strided = |start: usize, width| Rows::strided(&records[start..], width, 103, 10).unwrap();
    let slices: Vec<&[u8]> = public.iter().map(|row| &row[..]).collect();
    let status = gecc::ecdsa::verify(Curve::P256, &slices[..], strided(71, 32), strided(0, 64)).run(&context).unwrap();
    assert_eq!(status, expected);

    let one = gecc::ecdsa::verify(Curve::P256, Rows::same(&public[0]), Rows::same(&digests[0]), &signatures)
        .run(&context)
        .unwrap();
    assert_eq!((one.len(), one.get(0), one.get(1)), (10, Status::Ok, Status::Invalid));
    let (public, digests) = (Arc::new(public), Arc::new(digests));
    let owned = gecc::ecdsa::verify(Curve::P256, public, digests, Rows::owned(signatures.concat(), 64).unwrap());
    assert_eq!(owned.submit(&context).unwrap().wait().unwrap(), expected);
}

#[test]
fn rows_that_do_not_lie_in_their_bytes_are_errors() {
    let bytes = [0u8; 100];
    assert!(Rows::packed(&bytes, 33).is_err() && Rows::packed(&bytes, 0).is_err());
    assert!(Rows::strided(&bytes, 32, 34, 3).is_ok() && Rows::strided(&bytes, 33, 34, 3).is_err());
    assert!(Rows::strided(&bytes, 1, usize::MAX, 3).is_err() && Rows::strided(&bytes, 1, 0, 1000).is_ok());
    assert!(Rows::ragged(&bytes, vec![0, 90], vec![100, 10]).is_ok());
    assert!(Rows::ragged(&bytes, vec![0, 91], vec![100, 10]).is_err());
    assert!(Rows::ragged(&bytes, vec![u64::MAX], vec![1]).is_err() && Rows::ragged(&bytes, vec![0], vec![]).is_err());
    assert!(SecretColumn::packed(vec![1; 33], 32).is_err() && SecretColumn::packed(vec![], 0).is_err());
}

#[test]
fn outputs_without_room_are_errors() {
    let context = context();
    let keys = [[1u8; 32]; 3];
    let mut status = [7u8; 3];
    let call = || gecc::ec::public_key(Curve::P256, &keys);
    let mut room = [[0u8; 65]; 3];
    call().run_into(&context, &mut room, &mut status).unwrap();
    assert!(status == [1; 3] && room[2][0] == 4);
    for (short, statuses) in [(&mut [[0u8; 65]; 2][..], 3), (&mut [[0u8; 65]; 3][..], 2)] {
        let error = call().run_into(&context, short, &mut status[..statuses]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Argument);
    }
    assert!(call().run_into(&context, &mut [[0u8; 64]; 3], &mut status).is_err());
    assert!(call().run_into(&context, Out::strided(&mut [0; 195], 1), &mut status).is_err());
    assert!(call().run_into(&context, Out::none(), &mut status).is_err());
    let sign = gecc::ecdsa::sign(Curve::P256, &keys, &keys).der();
    let (mut der, mut widths) = ([0u8; 72 * 3], [0u32; 2]);
    let out = Out::strided(&mut der, 72).with_widths(&mut widths);
    assert!(sign.run_into(&context, out, Out::none(), &mut status).is_err());
    assert!(gecc::ec::public_key(Curve::P256, Rows::strided(&[], 32, 32, 0).unwrap())
        .run(&context)
        .unwrap()
        .status
        .is_empty());
}

/// Two rows of which the memory has room for the first alone: refused, and nothing is written behind the slice.
fn assert_short(run: impl FnOnce(Out<'_>, &mut [u8]) -> gecc::Result<()>, width: usize) {
    let (mut memory, mut status) = ([7u8; 300], [0; 2]);
    let result = run(Out::strided(&mut memory[..width], width), &mut status);
    assert!(memory[width..] == [7; 300][width..], "written behind the slice");
    assert_eq!(result.unwrap_err().kind, ErrorKind::Argument);
}

#[test]
fn calls_that_are_refused_say_nothing_of_the_next() {
    let context = context();
    let (keys, long_keys) = ([[1u8; 32]; 2], [[1u8; 48]; 2]);
    let sign = || gecc::ecdsa::sign(Curve::P384, &long_keys, &keys);
    let refused = || sign().nonce_hash(Hash::Keccak256);
    assert!(refused().run(&context).is_err());
    assert_short(|out, status| sign().run_into(&context, out, Out::none(), status), 96);
    let named = Call::named("ec.public_key").unwrap().hash(Hash::Sha256).column("private_key", &keys).unwrap();
    assert!(named.run_named(&context).is_err());
    assert_short(|out, status| gecc::ec::public_key(Curve::Secp256k1, &keys).run_into(&context, out, status), 65);
    assert_short(|out, status| refused().run_into(&context, out, Out::none(), status), 192);
    let error = refused().run_into(&context, Out::none(), Out::none(), &mut [0; 2]).unwrap_err();
    assert!(error.text.contains("hash"), "{}", error);
}

#[test]
fn refused_calls_leave_nothing_for_later_ones() {
    let (context, keys) = (context(), [[1u8; 32]]);
    let sign = || gecc::ecdsa::sign(Curve::BrainpoolP256r1, &keys, &keys);
    assert!(sign().nonce_hash(Hash::Keccak256).run(&context).unwrap_err().text.contains("nonce_hash"));
    assert!(sign().run(&context).unwrap().status.all_ok());
}

#[test]
fn der_rows_have_widths() {
    let context = context();
    let (public, digests, _) = signed(&context, 40);
    let keys: Vec<[u8; 32]> = (0..40).map(|i| [i as u8 + 1; 32]).collect();
    let made = gecc::ecdsa::sign(Curve::P256, &keys, &digests).der().run(&context).unwrap();
    assert!(made.signature.iter().any(|row| row.len() < 72) && made.signature.arrays::<72>().is_err());
    assert!(gecc::ecdsa::verify(Curve::P256, &public, &digests, &made.signature).der().run(&context).unwrap().all_ok());
    let array = arrow::export(&made.signature, &made.status).unwrap();
    let again = gecc::ecdsa::verify(Curve::P256, &public, &digests, arrow::rows(&array).unwrap()).der();
    assert!(again.run(&context).unwrap().all_ok());
    let array = arrow::export_statuses(&made.status);
    assert!(gecc::digest(Hash::Sm3, arrow::rows(&array).unwrap()).run(&context).unwrap().status.all_ok());
}

/// The structs of Arrow's C data interface, as another library makes them.
#[repr(C)]
struct CArray {
    numbers: [i64; 5], // length, nulls, offset, buffers, children
    buffers: *const *const u8,
    addresses: [usize; 2], // children, dictionary
    release: Option<unsafe extern "C" fn(*mut CArray)>,
    private_data: usize,
}

#[repr(C)]
struct CSchema {
    format: *const u8,
    addresses: [usize; 6], // name, metadata, flags, children: their number and address, dictionary
    release: Option<unsafe extern "C" fn(*mut CSchema)>,
    private_data: usize,
}

unsafe extern "C" fn release_array(array: *mut CArray) {
    (*array).release = None;
}

unsafe extern "C" fn release_schema(schema: *mut CSchema) {
    (*schema).release = None;
}

/// An array from C that is not sliced and lives as long as its buffers.
fn from_c(format: &'static [u8], rows: i64, buffers: &[*const u8], dictionary: usize) -> arrow::Array {
    assert_eq!(format.last(), Some(&0));
    let mut array = CArray {
        numbers: [rows, 0, 0, buffers.len() as i64, 0],
        buffers: buffers.as_ptr(),
        addresses: [0, dictionary],
        release: Some(release_array),
        private_data: 0,
    };
    let addresses = [0, 0, 0, 0, 0, dictionary];
    let mut schema = CSchema { format: format.as_ptr(), addresses, release: Some(release_schema), private_data: 0 };
    // SAFETY: the interface's structs, of which the dictionary alone is none, and nothing reads it.
    unsafe { arrow::Array::from_c(std::ptr::addr_of_mut!(array).cast(), std::ptr::addr_of_mut!(schema).cast()) }
}

#[test]
fn arrays_that_are_no_bytes_are_errors() {
    let (context, null) = (context(), std::ptr::null());
    let (bytes, offsets, valid) = (*b"abcde", [0i32, 3, 5], [1u8]);
    let buffers = [valid.as_ptr(), offsets.as_ptr().cast(), bytes.as_ptr()];
    let array = from_c(b"z\0", 2, &buffers, 0);
    let made = gecc::digest(Hash::Sha256, arrow::rows(&array).unwrap()).run(&context).unwrap();
    assert_eq!(made.digest.row(0)[..4], [0xba, 0x78, 0x16, 0xbf]);
    assert_eq!(made.status.get(1), Status::Null);
    assert!(arrow::rows(&from_c(b"C\0", 5, &[null, bytes.as_ptr()], 0)).is_ok());
    assert!(arrow::rows(&from_c(b"C\0", 5, &[null, bytes.as_ptr()], 8)).is_err(), "indices of a dictionary");
    let long_offsets = [0i64, -1, 1 << 40]; // not to be read: there is no third buffer
    assert!(arrow::rows(&from_c(b"Z\0", 2, &[null, long_offsets.as_ptr().cast()], 0)).is_err());
    assert!(arrow::rows(&from_c(b"Z\0", 0, &[null, null], 0)).is_err(), "too few buffers");
    assert!(arrow::rows(&from_c(b"Z\0", 0, &[null, null, null], 0)).is_ok());
    assert!(arrow::rows(&from_c(b"i\0", 0, &[null, null], 0)).is_err(), "of another type");
    assert!(
        arrow::rows(&from_c(b"w:5\0", 1, &[null], 0)).is_err() && arrow::rows(&from_c(b"w:5\0", 1, &[], 0)).is_err()
    );
    let (mut array, mut schema) = array.into_c();
    // SAFETY: the structs of one array, which was not released.
    let again = unsafe { arrow::Array::from_c(&mut array, &mut schema) };
    assert!(arrow::rows(&again).is_ok());
    // SAFETY: released structs.
    assert!(arrow::rows(&unsafe { arrow::Array::from_c(&mut array, &mut schema) }).is_err());
}

#[test]
fn rows_without_a_value_are_refused_where_they_have_no_status() {
    let context = context();
    let made = gecc::ec::public_key(Curve::P256, &[[1; 32], [0; 32]]).run(&context).unwrap();
    let array = arrow::export(&made.out, &made.status).unwrap();
    let rows = || arrow::rows(&array).unwrap();
    assert_eq!(gecc::ec::validate(Curve::P256, rows()).run(&context).unwrap().get(1), Status::Null);
    let mut config = KeysConfig::default();
    config.capacity = 3;
    let (keys, _) = Keys::new(&context, Curve::P256, &[made.out.arrays::<65>().unwrap()[0]], &config).unwrap();
    for error in [
        gecc::ec::validate(Curve::P256, rows()).run_into(&context, &mut [0; 2]).unwrap_err(),
        Keys::new(&context, Curve::P256, rows(), &config).unwrap_err(),
        keys.add(rows()).unwrap_err(),
        ledger::senders(&context, rows(), 1, false).unwrap_err(),
    ] {
        assert!(error.text.contains("row 1 has no value"), "{}", error);
    }
}

#[test]
fn secrets_are_not_printed_and_come_back_as_rows() {
    let context = context();
    let keys = SecretColumn::packed(vec![0x5a; 64], 32).unwrap();
    assert_eq!(format!("{:?}", keys), "SecretColumn { 2 rows }");
    let public = gecc::ec::public_key(Curve::P256, &keys).run(&context).unwrap().out;
    let shared = gecc::ecdh(Curve::P256, &keys, &public).run(&context).unwrap();
    assert!(shared.status.all_ok() && !format!("{:?}", shared).contains("90"));
    assert!(!format!("{:?}", Rows::from(&keys)).contains("5a") && shared.shared.expose().row(0).len() == 32);
    assert!(gecc::ec::public_key(Curve::P256, Arc::new(keys))
        .submit(&context)
        .unwrap()
        .wait()
        .unwrap()
        .status
        .all_ok());
}

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<T>(mut future: impl Future<Output = T> + Unpin) -> T {
    let waker = Arc::new(Unpark(thread::current())).into();
    loop {
        match Pin::new(&mut future).poll(&mut Task::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

#[test]
fn jobs_are_futures_that_may_be_dropped_or_forgotten() {
    let context = context();
    let (public, digests, signatures) = signed(&context, 3000);
    let (public, digests, signatures) = (Arc::new(public), Arc::new(digests), Arc::new(signatures));
    let submit = || {
        gecc::ecdsa::verify(Curve::P256, public.clone(), digests.clone(), signatures.clone()).submit(&context).unwrap()
    };
    assert!(block_on(submit()).unwrap().all_ok());
    drop(submit());
    std::mem::forget(submit());
    let mut polled = submit();
    let waker = Arc::new(Unpark(thread::current())).into();
    let _ = Pin::new(&mut polled).poll(&mut Task::from_waker(&waker));
    drop(polled);
    let last = submit();
    drop(context);
    while !last.is_done() {
        thread::yield_now();
    }
    assert!(last.wait().unwrap().all_ok());
}

#[test]
fn a_thousand_calls_from_sixteen_threads() {
    let context = context();
    let (public, digests, mut signatures) = signed(&context, 32);
    signatures[7][9] ^= 4;
    let (keys, _) = Keys::new(&context, Curve::P256, &public, &KeysConfig::default()).unwrap();
    let numbers: Vec<[u8; 4]> = (0..32u32).map(u32::to_le_bytes).collect();
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for call in 0..63 {
                    let status = if call % 2 == 0 {
                        gecc::ecdsa::verify(Curve::P256, &public, &digests, &signatures).run(&context)
                    } else {
                        gecc::ecdsa::verify_keys(&keys, &numbers, &digests, &signatures).run(&context)
                    };
                    let status = status.unwrap();
                    assert!(status.iter().enumerate().all(|(i, status)| (status == Status::Ok) == (i != 7)));
                }
            });
        }
    });
}

#[test]
fn keys_of_another_context_are_refused() {
    let (one, other) = (context(), context());
    let (public, digests, signatures) = signed(&one, 1);
    let (keys, _) = Keys::new(&one, Curve::P256, &public, &KeysConfig::default()).unwrap();
    drop(one);
    let error = gecc::ecdsa::verify_keys(&keys, &[[0u8; 4]], &digests, &signatures).run(&other).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Argument, "{}", error);
    assert!(keys.add(&public).is_err(), "no room was left");
}

#[test]
fn an_unknown_backend_is_an_error() {
    let mut config = Config::default();
    config.backend = Some("abacus".into());
    assert!(Context::open(&config).unwrap_err().text.contains("abacus"));
    config.backend = Some("c\0pu".into());
    assert_eq!(Context::open(&config).unwrap_err().kind, ErrorKind::Argument);
    assert!(ledger::block_transactions(b"no block").is_err() && ledger::block_transactions(&[]).is_err());
}
