// Made by bindings/rust/generate.py from bindings/abi/gecc.json: do not edit.

use gecc::{Column, Context, Curve, Flag, Hash, Keys, PointFormat, Result, Rows, Statuses};

pub const OPERATIONS: [&str; 47] = [
    "ec.validate",
    "ec.convert",
    "ec.add",
    "ec.double",
    "ec.public_key",
    "ec.mul_base",
    "ec.mul",
    "ec.mul_add",
    "ec.mul_add_keys",
    "ec.msm",
    "ecdsa.sign",
    "ecdsa.sign_with_dangerous_nonce",
    "ecdsa.verify",
    "ecdsa.verify_keys",
    "ecdsa.recover",
    "ecdh",
    "sm2.digest",
    "sm2.sign",
    "sm2.sign_with_dangerous_nonce",
    "sm2.verify",
    "sm2.verify_keys",
    "sm2.encrypt",
    "sm2.decrypt",
    "sm2.exchange",
    "schnorr.public_key",
    "schnorr.sign",
    "schnorr.verify",
    "schnorr.verify_keys",
    "schnorr.tweak_public_key",
    "schnorr.tweak_private_key",
    "ethereum.address",
    "ethereum.recover",
    "ethereum.recover_columns",
    "ethereum.recover_message",
    "ed25519.public_key",
    "ed25519.sign",
    "ed25519.verify",
    "ed25519.verify_keys",
    "x25519_public_key",
    "x25519",
    "mod.add",
    "mod.sub",
    "mod.mul",
    "mod.square",
    "mod.inverse",
    "mod.power",
    "digest",
];

/// What a call is made of.
pub struct Parts<'a> {
    pub curve: Option<Curve>,
    pub hash: Option<Hash>,
    pub modulus: &'a [u8],
    pub keys: Option<&'a Keys>,
    pub flags: &'a [Flag],
    pub nonce_hash: Option<Hash>,
    pub point_format: Option<PointFormat>,
    pub output_bytes: Option<usize>,
}

/// The columns and the statuses that the typed call gives; None: it cannot be said in types.
#[allow(unused_mut)]
pub fn run<'a>(context: &Context, operation: &str, parts: &Parts<'a>, column: impl Fn(&str) -> Option<Rows<'a>>) -> Option<Result<(Vec<Column>, Statuses)>> {
    match operation {
        "ec.validate" => {
            let mut call = gecc::ec::validate(parts.curve?, column("point")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "ec.convert" => {
            let mut call = gecc::ec::convert(parts.curve?, column("point")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ec.add" => {
            let mut call = gecc::ec::add(parts.curve?, column("a")?, column("b")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ec.double" => {
            let mut call = gecc::ec::double(parts.curve?, column("point")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ec.public_key" => {
            let mut call = gecc::ec::public_key(parts.curve?, column("private_key")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ec.mul_base" => {
            let mut call = gecc::ec::mul_base(parts.curve?, column("k")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::PublicScalars => call.public_scalars(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ec.mul" => {
            let mut call = gecc::ec::mul(parts.curve?, column("k")?, column("point")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::PublicScalars => call.public_scalars(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ec.mul_add" => {
            let mut call = gecc::ec::mul_add(parts.curve?, column("u")?, column("v")?, column("point")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::PublicScalars => call.public_scalars(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ec.mul_add_keys" => {
            let mut call = gecc::ec::mul_add_keys(parts.keys?, column("u")?, column("v")?, column("key")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ec.msm" => {
            let mut call = gecc::ec::msm(parts.curve?, column("k")?, column("point")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out], done.status)))
        }
        "ecdsa.sign" => {
            let mut call = gecc::ecdsa::sign(parts.curve?, column("private_key")?, column("digest")?);
            if let Some(rows) = column("entropy") {
                call = call.entropy(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LowS => call.low_s(),
                    Flag::AnyS => call.any_s(),
                    Flag::VerifySignatures => call.verify_signatures(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if let Some(it) = parts.nonce_hash {
                call = call.nonce_hash(it);
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.signature, done.recovery_id], done.status)))
        }
        "ecdsa.sign_with_dangerous_nonce" => {
            let mut call = gecc::ecdsa::sign_with_dangerous_nonce(parts.curve?, column("private_key")?, column("digest")?, column("nonce")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LowS => call.low_s(),
                    Flag::AnyS => call.any_s(),
                    Flag::VerifySignatures => call.verify_signatures(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.signature, done.recovery_id], done.status)))
        }
        "ecdsa.verify" => {
            let mut call = gecc::ecdsa::verify(parts.curve?, column("public_key")?, column("digest")?, column("signature")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LowS => call.low_s(),
                    Flag::LittleEndian => call.little_endian(),
                    Flag::SighashByte => call.sighash_byte(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "ecdsa.verify_keys" => {
            let mut call = gecc::ecdsa::verify_keys(parts.keys?, column("key")?, column("digest")?, column("signature")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LowS => call.low_s(),
                    Flag::LittleEndian => call.little_endian(),
                    Flag::SighashByte => call.sighash_byte(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "ecdsa.recover" => {
            let mut call = gecc::ecdsa::recover(parts.curve?, column("digest")?, column("signature")?, column("recovery_id")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LowS => call.low_s(),
                    Flag::LittleEndian => call.little_endian(),
                    Flag::SighashByte => call.sighash_byte(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.public_key], done.status)))
        }
        "ecdh" => {
            let mut call = gecc::ecdh(parts.curve?, column("private_key")?, column("peer")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.shared.expose().clone()], done.status)))
        }
        "sm2.digest" => {
            let mut call = gecc::sm2::digest(column("public_key")?, column("message")?);
            if let Some(rows) = column("id") {
                call = call.id(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.e], done.status)))
        }
        "sm2.sign" => {
            let mut call = gecc::sm2::sign(column("private_key")?, column("e")?);
            if let Some(rows) = column("entropy") {
                call = call.entropy(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::VerifySignatures => call.verify_signatures(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if let Some(it) = parts.nonce_hash {
                call = call.nonce_hash(it);
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.signature], done.status)))
        }
        "sm2.sign_with_dangerous_nonce" => {
            let mut call = gecc::sm2::sign_with_dangerous_nonce(column("private_key")?, column("e")?, column("nonce")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::VerifySignatures => call.verify_signatures(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.signature], done.status)))
        }
        "sm2.verify" => {
            let mut call = gecc::sm2::verify(column("public_key")?, column("e")?, column("signature")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "sm2.verify_keys" => {
            let mut call = gecc::sm2::verify_keys(parts.keys?, column("key")?, column("e")?, column("signature")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "sm2.encrypt" => {
            let mut call = gecc::sm2::encrypt(column("public_key")?, column("nonce")?, column("plaintext")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LittleEndian => call.little_endian(),
                    Flag::C1c2c3 => call.c1c2c3(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if let Some(it) = parts.output_bytes {
                call = call.output_bytes(it);
            }
            Some(call.run(context).map(|done| (vec![done.ciphertext], done.status)))
        }
        "sm2.decrypt" => {
            let mut call = gecc::sm2::decrypt(column("private_key")?, column("ciphertext")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::Der => call.der(),
                    Flag::LittleEndian => call.little_endian(),
                    Flag::C1c2c3 => call.c1c2c3(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if let Some(it) = parts.point_format {
                call = call.point_format(it);
            }
            if let Some(it) = parts.output_bytes {
                call = call.output_bytes(it);
            }
            Some(call.run(context).map(|done| (vec![done.plaintext.expose().clone()], done.status)))
        }
        "sm2.exchange" => {
            let mut call = gecc::sm2::exchange(column("private_key")?, column("ephemeral_key")?, column("peer_public_key")?, column("peer_ephemeral_point")?);
            if let Some(rows) = column("id") {
                call = call.id(rows);
            }
            if let Some(rows) = column("peer_id") {
                call = call.peer_id(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    Flag::Responder => call.responder(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if let Some(it) = parts.output_bytes {
                call = call.output_bytes(it);
            }
            Some(call.run(context).map(|done| (vec![done.key.expose().clone(), done.confirmation, done.peer_confirmation], done.status)))
        }
        "schnorr.public_key" => {
            let mut call = gecc::schnorr::public_key(column("private_key")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.public_key], done.status)))
        }
        "schnorr.sign" => {
            let mut call = gecc::schnorr::sign(column("private_key")?, column("message")?);
            if let Some(rows) = column("auxiliary") {
                call = call.auxiliary(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::VerifySignatures => call.verify_signatures(),
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.signature], done.status)))
        }
        "schnorr.verify" => {
            let mut call = gecc::schnorr::verify(column("public_key")?, column("message")?, column("signature")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::SighashByte => call.sighash_byte(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "schnorr.verify_keys" => {
            let mut call = gecc::schnorr::verify_keys(parts.keys?, column("key")?, column("message")?, column("signature")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::SighashByte => call.sighash_byte(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "schnorr.tweak_public_key" => {
            let mut call = gecc::schnorr::tweak_public_key(column("public_key")?);
            if let Some(rows) = column("merkle_root") {
                call = call.merkle_root(rows);
            }
            if !parts.flags.is_empty() {
                return None;
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.tweaked, done.parity], done.status)))
        }
        "schnorr.tweak_private_key" => {
            let mut call = gecc::schnorr::tweak_private_key(column("private_key")?);
            if let Some(rows) = column("merkle_root") {
                call = call.merkle_root(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.tweaked.expose().clone()], done.status)))
        }
        "ethereum.address" => {
            let mut call = gecc::ethereum::address(column("public_key")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.address], done.status)))
        }
        "ethereum.recover" => {
            let mut call = gecc::ethereum::recover(column("digest")?, column("signature")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LowS => call.low_s(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.address], done.status)))
        }
        "ethereum.recover_columns" => {
            let mut call = gecc::ethereum::recover_columns(column("digest")?, column("r")?, column("s")?, column("v")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LowS => call.low_s(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.address], done.status)))
        }
        "ethereum.recover_message" => {
            let mut call = gecc::ethereum::recover_message(column("message")?, column("signature")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LowS => call.low_s(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.address], done.status)))
        }
        "ed25519.public_key" => {
            let mut call = gecc::ed25519::public_key(column("seed")?);
            if !parts.flags.is_empty() {
                return None;
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.public_key], done.status)))
        }
        "ed25519.sign" => {
            let mut call = gecc::ed25519::sign(column("seed")?, column("message")?);
            if let Some(rows) = column("ctx") {
                call = call.ctx(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::VerifySignatures => call.verify_signatures(),
                    Flag::Prehash => call.prehash(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.signature], done.status)))
        }
        "ed25519.verify" => {
            let mut call = gecc::ed25519::verify(column("public_key")?, column("message")?, column("signature")?);
            if let Some(rows) = column("ctx") {
                call = call.ctx(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::Prehash => call.prehash(),
                    Flag::AcceptRef10 => call.accept_ref10(),
                    Flag::AcceptStrict => call.accept_strict(),
                    Flag::AcceptZip215 => call.accept_zip215(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "ed25519.verify_keys" => {
            let mut call = gecc::ed25519::verify_keys(parts.keys?, column("key")?, column("message")?, column("signature")?);
            if let Some(rows) = column("ctx") {
                call = call.ctx(rows);
            }
            for flag in parts.flags {
                call = match flag {
                    Flag::Prehash => call.prehash(),
                    Flag::AcceptRef10 => call.accept_ref10(),
                    Flag::AcceptStrict => call.accept_strict(),
                    Flag::AcceptZip215 => call.accept_zip215(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![], done)))
        }
        "x25519_public_key" => {
            let mut call = gecc::x25519_public_key(column("private_key")?);
            if !parts.flags.is_empty() {
                return None;
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.public_key], done.status)))
        }
        "x25519" => {
            let mut call = gecc::x25519(column("private_key")?, column("peer")?);
            if !parts.flags.is_empty() {
                return None;
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.shared.expose().clone()], done.status)))
        }
        "mod.add" => {
            let mut call = gecc::modular::add(parts.modulus, column("a")?, column("b")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out.expose().clone()], done.status)))
        }
        "mod.sub" => {
            let mut call = gecc::modular::sub(parts.modulus, column("a")?, column("b")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out.expose().clone()], done.status)))
        }
        "mod.mul" => {
            let mut call = gecc::modular::mul(parts.modulus, column("a")?, column("b")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out.expose().clone()], done.status)))
        }
        "mod.square" => {
            let mut call = gecc::modular::square(parts.modulus, column("a")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out.expose().clone()], done.status)))
        }
        "mod.inverse" => {
            let mut call = gecc::modular::inverse(parts.modulus, column("a")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out.expose().clone()], done.status)))
        }
        "mod.power" => {
            let mut call = gecc::modular::power(parts.modulus, column("a")?, column("exponent")?);
            for flag in parts.flags {
                call = match flag {
                    Flag::LittleEndian => call.little_endian(),
                    _ => return None,
                };
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.out.expose().clone()], done.status)))
        }
        "digest" => {
            let mut call = gecc::digest(parts.hash?, column("message")?);
            if !parts.flags.is_empty() {
                return None;
            }
            if parts.nonce_hash.is_some() {
                return None;
            }
            if parts.point_format.is_some() {
                return None;
            }
            if parts.output_bytes.is_some() {
                return None;
            }
            Some(call.run(context).map(|done| (vec![done.digest], done.status)))
        }
        _ => None,
    }
}
