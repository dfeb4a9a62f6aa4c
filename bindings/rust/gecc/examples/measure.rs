//! What a call costs over C's, and whether memory stays flat: `cargo run --release --example measure [CALLS]`.
//! One row and 4,096 of `ec.validate` on secp256k1 and of `digest`, on a thread of the CPU, from the same memory; medians of
//! 201 rounds that alternate. Rust's results are in new memory, C's in memory that is there.

use std::time::Instant;

use gecc::{Config, Context, Curve, Hash};
use gecc_sys::*;

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line of memory");
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Nanoseconds a call.
fn time(calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed().as_nanos() as f64 / calls as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap());
    values[values.len() / 2]
}

fn compare(what: &str, rows: usize, mut in_c: impl FnMut(), mut in_rust: impl FnMut()) {
    let (mut c, mut rust) = (Vec::new(), Vec::new());
    for _ in 0..201 {
        c.push(time(1000 / rows + 3, &mut in_c));
        rust.push(time(1000 / rows + 3, &mut in_rust));
    }
    let (c, rust) = (median(c), median(rust));
    println!("{}, {} rows: C {:.0} ns a call, Rust {:.0} ns, {:+.0} ns", what, rows, c, rust, rust - c);
}

fn main() -> gecc::Result<()> {
    let calls = std::env::args().nth(1).map_or(1_000_000, |calls| calls.parse().expect("a number of calls"));
    let mut config = Config::default();
    config.backend = Some("cpu".into());
    config.threads = 1;
    let context = Context::open(&config)?;
    let mut c_context = std::ptr::null_mut();
    let c_config = gecc_config { backend: b"cpu\0".as_ptr().cast(), threads: 1, ..Default::default() };
    assert_eq!(unsafe { gecc_open(&mut c_context, &c_config) }, GECC_OK);

    let public = gecc::ec::public_key(Curve::Secp256k1, &vec![[5u8; 32]; 4096]).run(&context)?.out;
    let messages = vec![[5u8; 32]; 4096];
    for rows in [1, 4096] {
        let (points, texts) = (&public.arrays::<65>()?[..rows], &messages[..rows]);
        let (mut status, mut digest) = (vec![0u8; rows], vec![[0u8; 32]; rows]);
        let out = |data: *mut u8, stride| gecc_out { data: data.cast(), stride, widths: std::ptr::null_mut() };
        let column = |data: *const u8, width| {
            let null = std::ptr::null();
            gecc_rows { data: data.cast(), stride: width, width, widths: null, offsets: null.cast() }
        };
        let (statuses, digests) = (out(status.as_mut_ptr(), 1), out(digest.as_mut_ptr().cast(), 32));
        let (point, message) = (column(points.as_ptr().cast(), 65), column(texts.as_ptr().cast(), 32));
        compare(
            "ec.validate",
            rows,
            || unsafe {
                assert_eq!(
                    gecc_ec_validate(c_context, GECC_SECP256K1, statuses, point, rows, std::ptr::null()),
                    GECC_OK
                );
            },
            || assert!(gecc::ec::validate(Curve::Secp256k1, points).run(&context).unwrap().all_ok()),
        );
        compare(
            "digest",
            rows,
            || unsafe {
                assert_eq!(
                    gecc_digest(c_context, GECC_SHA256, digests, statuses, message, rows, std::ptr::null()),
                    GECC_OK
                );
            },
            || assert!(gecc::digest(Hash::Sha256, texts).run(&context).unwrap().status.all_ok()),
        );
    }

    let keys = [[5u8; 32]];
    let call = || gecc::ec::public_key(Curve::Secp256k1, &keys).run(&context).map(drop);
    (0..1000).try_for_each(|_| call())?;
    let before = resident_kib();
    (0..calls).try_for_each(|_| call())?;
    println!("{} calls of one row: memory from {} to {} KiB", calls, before, resident_kib());
    unsafe { gecc_close(c_context) };
    Ok(())
}
