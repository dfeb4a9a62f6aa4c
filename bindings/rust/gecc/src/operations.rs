// Made by bindings/rust/generate.py from bindings/abi/gecc.json: do not edit.

//! A typed call for each operation.

use crate::call::{Call, ColumnInfo, Info, Selected};
use crate::{Column, Context, Curve, Flag, Hash, Job, Keys, Out, PointFormat, Result, Rows, SecretColumn, Statuses};

pub(crate) const MOST_INPUTS: usize = 6;
pub(crate) const MOST_OUTPUTS: usize = 3;

/// The operations, as the library describes them.
pub(crate) static OPERATIONS: [Info; 47] = [
    Info::new("ec.validate", "ec.validate\0", &[ColumnInfo { name: "point", optional: false, secret: false }], &[]),
    Info::new("ec.convert", "ec.convert\0", &[ColumnInfo { name: "point", optional: false, secret: false }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ec.add", "ec.add\0", &[ColumnInfo { name: "a", optional: false, secret: false }, ColumnInfo { name: "b", optional: false, secret: false }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ec.double", "ec.double\0", &[ColumnInfo { name: "point", optional: false, secret: false }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ec.public_key", "ec.public_key\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ec.mul_base", "ec.mul_base\0", &[ColumnInfo { name: "k", optional: false, secret: false }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ec.mul", "ec.mul\0", &[ColumnInfo { name: "k", optional: false, secret: false }, ColumnInfo { name: "point", optional: false, secret: false }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ec.mul_add", "ec.mul_add\0", &[ColumnInfo { name: "u", optional: false, secret: false }, ColumnInfo { name: "v", optional: false, secret: false }, ColumnInfo { name: "point", optional: false, secret: false }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ec.mul_add_keys", "ec.mul_add_keys\0", &[ColumnInfo { name: "u", optional: false, secret: false }, ColumnInfo { name: "v", optional: false, secret: false }, ColumnInfo { name: "key", optional: false, secret: false }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ec.msm", "ec.msm\0", &[ColumnInfo { name: "k", optional: false, secret: false }, ColumnInfo { name: "point", optional: false, secret: false }], &[ColumnInfo { name: "out", optional: false, secret: false }]),
    Info::new("ecdsa.sign", "ecdsa.sign\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "digest", optional: false, secret: false }, ColumnInfo { name: "entropy", optional: true, secret: true }], &[ColumnInfo { name: "signature", optional: false, secret: false }, ColumnInfo { name: "recovery_id", optional: true, secret: false }]),
    Info::new("ecdsa.sign_with_dangerous_nonce", "ecdsa.sign_with_dangerous_nonce\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "digest", optional: false, secret: false }, ColumnInfo { name: "nonce", optional: false, secret: true }], &[ColumnInfo { name: "signature", optional: false, secret: false }, ColumnInfo { name: "recovery_id", optional: true, secret: false }]),
    Info::new("ecdsa.verify", "ecdsa.verify\0", &[ColumnInfo { name: "public_key", optional: false, secret: false }, ColumnInfo { name: "digest", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }], &[]),
    Info::new("ecdsa.verify_keys", "ecdsa.verify_keys\0", &[ColumnInfo { name: "key", optional: false, secret: false }, ColumnInfo { name: "digest", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }], &[]),
    Info::new("ecdsa.recover", "ecdsa.recover\0", &[ColumnInfo { name: "digest", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }, ColumnInfo { name: "recovery_id", optional: false, secret: false }], &[ColumnInfo { name: "public_key", optional: false, secret: false }]),
    Info::new("ecdh", "ecdh\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "peer", optional: false, secret: false }], &[ColumnInfo { name: "shared", optional: false, secret: true }]),
    Info::new("sm2.digest", "sm2.digest\0", &[ColumnInfo { name: "public_key", optional: false, secret: false }, ColumnInfo { name: "id", optional: true, secret: false }, ColumnInfo { name: "message", optional: false, secret: false }], &[ColumnInfo { name: "e", optional: false, secret: false }]),
    Info::new("sm2.sign", "sm2.sign\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "e", optional: false, secret: false }, ColumnInfo { name: "entropy", optional: true, secret: true }], &[ColumnInfo { name: "signature", optional: false, secret: false }]),
    Info::new("sm2.sign_with_dangerous_nonce", "sm2.sign_with_dangerous_nonce\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "e", optional: false, secret: false }, ColumnInfo { name: "nonce", optional: false, secret: true }], &[ColumnInfo { name: "signature", optional: false, secret: false }]),
    Info::new("sm2.verify", "sm2.verify\0", &[ColumnInfo { name: "public_key", optional: false, secret: false }, ColumnInfo { name: "e", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }], &[]),
    Info::new("sm2.verify_keys", "sm2.verify_keys\0", &[ColumnInfo { name: "key", optional: false, secret: false }, ColumnInfo { name: "e", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }], &[]),
    Info::new("sm2.encrypt", "sm2.encrypt\0", &[ColumnInfo { name: "public_key", optional: false, secret: false }, ColumnInfo { name: "nonce", optional: false, secret: true }, ColumnInfo { name: "plaintext", optional: false, secret: true }], &[ColumnInfo { name: "ciphertext", optional: false, secret: false }]),
    Info::new("sm2.decrypt", "sm2.decrypt\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "ciphertext", optional: false, secret: false }], &[ColumnInfo { name: "plaintext", optional: false, secret: true }]),
    Info::new("sm2.exchange", "sm2.exchange\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "ephemeral_key", optional: false, secret: true }, ColumnInfo { name: "id", optional: true, secret: false }, ColumnInfo { name: "peer_public_key", optional: false, secret: false }, ColumnInfo { name: "peer_ephemeral_point", optional: false, secret: false }, ColumnInfo { name: "peer_id", optional: true, secret: false }], &[ColumnInfo { name: "key", optional: false, secret: true }, ColumnInfo { name: "confirmation", optional: true, secret: false }, ColumnInfo { name: "peer_confirmation", optional: true, secret: false }]),
    Info::new("schnorr.public_key", "schnorr.public_key\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }], &[ColumnInfo { name: "public_key", optional: false, secret: false }]),
    Info::new("schnorr.sign", "schnorr.sign\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "message", optional: false, secret: false }, ColumnInfo { name: "auxiliary", optional: true, secret: true }], &[ColumnInfo { name: "signature", optional: false, secret: false }]),
    Info::new("schnorr.verify", "schnorr.verify\0", &[ColumnInfo { name: "public_key", optional: false, secret: false }, ColumnInfo { name: "message", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }], &[]),
    Info::new("schnorr.verify_keys", "schnorr.verify_keys\0", &[ColumnInfo { name: "key", optional: false, secret: false }, ColumnInfo { name: "message", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }], &[]),
    Info::new("schnorr.tweak_public_key", "schnorr.tweak_public_key\0", &[ColumnInfo { name: "public_key", optional: false, secret: false }, ColumnInfo { name: "merkle_root", optional: true, secret: false }], &[ColumnInfo { name: "tweaked", optional: false, secret: false }, ColumnInfo { name: "parity", optional: true, secret: false }]),
    Info::new("schnorr.tweak_private_key", "schnorr.tweak_private_key\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "merkle_root", optional: true, secret: false }], &[ColumnInfo { name: "tweaked", optional: false, secret: true }]),
    Info::new("ethereum.address", "ethereum.address\0", &[ColumnInfo { name: "public_key", optional: false, secret: false }], &[ColumnInfo { name: "address", optional: false, secret: false }]),
    Info::new("ethereum.recover", "ethereum.recover\0", &[ColumnInfo { name: "digest", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }], &[ColumnInfo { name: "address", optional: false, secret: false }]),
    Info::new("ethereum.recover_columns", "ethereum.recover_columns\0", &[ColumnInfo { name: "digest", optional: false, secret: false }, ColumnInfo { name: "r", optional: false, secret: false }, ColumnInfo { name: "s", optional: false, secret: false }, ColumnInfo { name: "v", optional: false, secret: false }], &[ColumnInfo { name: "address", optional: false, secret: false }]),
    Info::new("ethereum.recover_message", "ethereum.recover_message\0", &[ColumnInfo { name: "message", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }], &[ColumnInfo { name: "address", optional: false, secret: false }]),
    Info::new("ed25519.public_key", "ed25519.public_key\0", &[ColumnInfo { name: "seed", optional: false, secret: true }], &[ColumnInfo { name: "public_key", optional: false, secret: false }]),
    Info::new("ed25519.sign", "ed25519.sign\0", &[ColumnInfo { name: "seed", optional: false, secret: true }, ColumnInfo { name: "message", optional: false, secret: false }, ColumnInfo { name: "ctx", optional: true, secret: false }], &[ColumnInfo { name: "signature", optional: false, secret: false }]),
    Info::new("ed25519.verify", "ed25519.verify\0", &[ColumnInfo { name: "public_key", optional: false, secret: false }, ColumnInfo { name: "message", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }, ColumnInfo { name: "ctx", optional: true, secret: false }], &[]),
    Info::new("ed25519.verify_keys", "ed25519.verify_keys\0", &[ColumnInfo { name: "key", optional: false, secret: false }, ColumnInfo { name: "message", optional: false, secret: false }, ColumnInfo { name: "signature", optional: false, secret: false }, ColumnInfo { name: "ctx", optional: true, secret: false }], &[]),
    Info::new("x25519_public_key", "x25519_public_key\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }], &[ColumnInfo { name: "public_key", optional: false, secret: false }]),
    Info::new("x25519", "x25519\0", &[ColumnInfo { name: "private_key", optional: false, secret: true }, ColumnInfo { name: "peer", optional: false, secret: false }], &[ColumnInfo { name: "shared", optional: false, secret: true }]),
    Info::new("mod.add", "mod.add\0", &[ColumnInfo { name: "a", optional: false, secret: true }, ColumnInfo { name: "b", optional: false, secret: true }], &[ColumnInfo { name: "out", optional: false, secret: true }]),
    Info::new("mod.sub", "mod.sub\0", &[ColumnInfo { name: "a", optional: false, secret: true }, ColumnInfo { name: "b", optional: false, secret: true }], &[ColumnInfo { name: "out", optional: false, secret: true }]),
    Info::new("mod.mul", "mod.mul\0", &[ColumnInfo { name: "a", optional: false, secret: true }, ColumnInfo { name: "b", optional: false, secret: true }], &[ColumnInfo { name: "out", optional: false, secret: true }]),
    Info::new("mod.square", "mod.square\0", &[ColumnInfo { name: "a", optional: false, secret: true }], &[ColumnInfo { name: "out", optional: false, secret: true }]),
    Info::new("mod.inverse", "mod.inverse\0", &[ColumnInfo { name: "a", optional: false, secret: true }], &[ColumnInfo { name: "out", optional: false, secret: true }]),
    Info::new("mod.power", "mod.power\0", &[ColumnInfo { name: "a", optional: false, secret: true }, ColumnInfo { name: "exponent", optional: false, secret: true }], &[ColumnInfo { name: "out", optional: false, secret: true }]),
    Info::new("digest", "digest\0", &[ColumnInfo { name: "message", optional: false, secret: false }], &[ColumnInfo { name: "digest", optional: false, secret: false }]),
];

/// Operations `ec`.
pub mod ec {
    use super::*;

/// `ec.validate`: checks that a row encodes a point of the curve.
///
/// * `point`: the encoding to check.
pub fn validate<'a>(curve: Curve, point: impl Into<Rows<'a>>) -> Validate<'a> {
    Validate(Call::of(&OPERATIONS[0], Selected::Curve(curve)).with(0, point.into()))
}

/// A call of [`validate`]: checks that a row encodes a point of the curve.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Validate<'a>(pub(crate) Call<'a>);

impl<'a> Validate<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Validate(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl Validate<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}

/// `ec.convert`: writes a point in another encoding.
///
/// * `point`: a point in any encoding.
pub fn convert<'a>(curve: Curve, point: impl Into<Rows<'a>>) -> Convert<'a> {
    Convert(Call::of(&OPERATIONS[1], Selected::Curve(curve)).with(0, point.into()))
}

/// A call of [`convert`]: writes a point in another encoding.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Convert<'a>(pub(crate) Call<'a>);

impl<'a> Convert<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Convert(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        Convert(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<ConvertOutput> {
        self.0.run(context).map(|mut done| ConvertOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Convert<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<ConvertOutput>> {
        self.0.submit(context, |mut done| ConvertOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`Convert`] gives.
#[derive(Debug)]
pub struct ConvertOutput {
    /// the same point in the format asked for.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ec.add`: adds two points.
///
/// * `a`: a point.
/// * `b`: a point.
pub fn add<'a>(curve: Curve, a: impl Into<Rows<'a>>, b: impl Into<Rows<'a>>) -> Add<'a> {
    Add(Call::of(&OPERATIONS[2], Selected::Curve(curve)).with(0, a.into()).with(1, b.into()))
}

/// A call of [`add`]: adds two points.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Add<'a>(pub(crate) Call<'a>);

impl<'a> Add<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Add(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        Add(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<AddOutput> {
        self.0.run(context).map(|mut done| AddOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Add<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<AddOutput>> {
        self.0.submit(context, |mut done| AddOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`Add`] gives.
#[derive(Debug)]
pub struct AddOutput {
    /// a + b.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ec.double`: doubles a point.
///
/// * `point`: a point.
pub fn double<'a>(curve: Curve, point: impl Into<Rows<'a>>) -> Double<'a> {
    Double(Call::of(&OPERATIONS[3], Selected::Curve(curve)).with(0, point.into()))
}

/// A call of [`double`]: doubles a point.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Double<'a>(pub(crate) Call<'a>);

impl<'a> Double<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Double(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        Double(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<DoubleOutput> {
        self.0.run(context).map(|mut done| DoubleOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Double<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<DoubleOutput>> {
        self.0.submit(context, |mut done| DoubleOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`Double`] gives.
#[derive(Debug)]
pub struct DoubleOutput {
    /// 2 * point.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ec.public_key`: computes the public key of a private key.
///
/// * `private_key`: the private key. Secret.
pub fn public_key<'a>(curve: Curve, private_key: impl Into<Rows<'a>>) -> PublicKey<'a> {
    PublicKey(Call::of(&OPERATIONS[4], Selected::Curve(curve)).with(0, private_key.into()))
}

/// A call of [`public_key`]: computes the public key of a private key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct PublicKey<'a>(pub(crate) Call<'a>);

impl<'a> PublicKey<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        PublicKey(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        PublicKey(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<PublicKeyOutput> {
        self.0.run(context).map(|mut done| PublicKeyOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl PublicKey<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<PublicKeyOutput>> {
        self.0.submit(context, |mut done| PublicKeyOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`PublicKey`] gives.
#[derive(Debug)]
pub struct PublicKeyOutput {
    /// private_key * G.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ec.mul_base`: multiplies the generator by a scalar.
///
/// * `k`: the scalar. Secret.
pub fn mul_base<'a>(curve: Curve, k: impl Into<Rows<'a>>) -> MulBase<'a> {
    MulBase(Call::of(&OPERATIONS[5], Selected::Curve(curve)).with(0, k.into()))
}

/// A call of [`mul_base`]: multiplies the generator by a scalar.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct MulBase<'a>(pub(crate) Call<'a>);

impl<'a> MulBase<'a> {
    /// the scalars are public: faster, and timing depends on them.
    pub fn public_scalars(self) -> Self {
        MulBase(self.0.flag(Flag::PublicScalars))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        MulBase(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        MulBase(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<MulBaseOutput> {
        self.0.run(context).map(|mut done| MulBaseOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl MulBase<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<MulBaseOutput>> {
        self.0.submit(context, |mut done| MulBaseOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`MulBase`] gives.
#[derive(Debug)]
pub struct MulBaseOutput {
    /// k * G.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ec.mul`: multiplies a point by a scalar.
///
/// * `k`: the scalar. Secret.
/// * `point`: the point.
pub fn mul<'a>(curve: Curve, k: impl Into<Rows<'a>>, point: impl Into<Rows<'a>>) -> Mul<'a> {
    Mul(Call::of(&OPERATIONS[6], Selected::Curve(curve)).with(0, k.into()).with(1, point.into()))
}

/// A call of [`mul`]: multiplies a point by a scalar.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Mul<'a>(pub(crate) Call<'a>);

impl<'a> Mul<'a> {
    /// the scalars are public: faster, and timing depends on them.
    pub fn public_scalars(self) -> Self {
        Mul(self.0.flag(Flag::PublicScalars))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Mul(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        Mul(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<MulOutput> {
        self.0.run(context).map(|mut done| MulOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Mul<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<MulOutput>> {
        self.0.submit(context, |mut done| MulOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`Mul`] gives.
#[derive(Debug)]
pub struct MulOutput {
    /// k * point.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ec.mul_add`: adds a multiple of the generator and one of a point.
///
/// * `u`: the scalar of G. Secret.
/// * `v`: the scalar of the point. Secret.
/// * `point`: the point.
pub fn mul_add<'a>(curve: Curve, u: impl Into<Rows<'a>>, v: impl Into<Rows<'a>>, point: impl Into<Rows<'a>>) -> MulAdd<'a> {
    MulAdd(Call::of(&OPERATIONS[7], Selected::Curve(curve)).with(0, u.into()).with(1, v.into()).with(2, point.into()))
}

/// A call of [`mul_add`]: adds a multiple of the generator and one of a point.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct MulAdd<'a>(pub(crate) Call<'a>);

impl<'a> MulAdd<'a> {
    /// the scalars are public: faster, and timing depends on them.
    pub fn public_scalars(self) -> Self {
        MulAdd(self.0.flag(Flag::PublicScalars))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        MulAdd(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        MulAdd(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<MulAddOutput> {
        self.0.run(context).map(|mut done| MulAddOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl MulAdd<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<MulAddOutput>> {
        self.0.submit(context, |mut done| MulAddOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`MulAdd`] gives.
#[derive(Debug)]
pub struct MulAddOutput {
    /// u * G + v * point.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ec.mul_add_keys`: adds a multiple of the generator and one of a prepared key.
///
/// * `u`: the scalar of G.
/// * `v`: the scalar of the key.
/// * `key`: the key.
pub fn mul_add_keys<'a>(keys: &Keys, u: impl Into<Rows<'a>>, v: impl Into<Rows<'a>>, key: impl Into<Rows<'a>>) -> MulAddKeys<'a> {
    MulAddKeys(Call::of(&OPERATIONS[8], Selected::Keys(keys.clone())).with(0, u.into()).with(1, v.into()).with(2, key.into()))
}

/// A call of [`mul_add_keys`]: adds a multiple of the generator and one of a prepared key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct MulAddKeys<'a>(pub(crate) Call<'a>);

impl<'a> MulAddKeys<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        MulAddKeys(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        MulAddKeys(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<MulAddKeysOutput> {
        self.0.run(context).map(|mut done| MulAddKeysOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl MulAddKeys<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<MulAddKeysOutput>> {
        self.0.submit(context, |mut done| MulAddKeysOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`MulAddKeys`] gives.
#[derive(Debug)]
pub struct MulAddKeysOutput {
    /// u * G + v * key.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ec.msm`: sums multiples of points (multi-scalar multiplication).
///
/// * `k`: the scalars of a group.
/// * `point`: the points of a group, one for each scalar.
pub fn msm<'a>(curve: Curve, k: impl Into<Rows<'a>>, point: impl Into<Rows<'a>>) -> Msm<'a> {
    Msm(Call::of(&OPERATIONS[9], Selected::Curve(curve)).with(0, k.into()).with(1, point.into()))
}

/// A call of [`msm`]: sums multiples of points (multi-scalar multiplication).
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Msm<'a>(pub(crate) Call<'a>);

impl<'a> Msm<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Msm(self.0.flag(Flag::LittleEndian))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        Msm(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<MsmOutput> {
        self.0.run(context).map(|mut done| MsmOutput { out: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Msm<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<MsmOutput>> {
        self.0.submit(context, |mut done| MsmOutput { out: done.column(0), status: done.status() })
    }
}

/// What [`Msm`] gives.
#[derive(Debug)]
pub struct MsmOutput {
    /// the sum of k\[i\] * point\[i\] over the group.
    pub out: Column,
    /// What came of each row.
    pub status: Statuses,
}
}

/// Operations `ecdsa`.
pub mod ecdsa {
    use super::*;

/// `ecdsa.sign`: signs a digest with ECDSA and a deterministic nonce.
///
/// * `private_key`: the private key. Secret.
/// * `digest`: what is signed.
pub fn sign<'a>(curve: Curve, private_key: impl Into<Rows<'a>>, digest: impl Into<Rows<'a>>) -> Sign<'a> {
    Sign(Call::of(&OPERATIONS[10], Selected::Curve(curve)).with(0, private_key.into()).with(1, digest.into()))
}

/// A call of [`sign`]: signs a digest with ECDSA and a deterministic nonce.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Sign<'a>(pub(crate) Call<'a>);

impl<'a> Sign<'a> {
    /// more input to the nonce. Secret.
    pub fn entropy(self, rows: impl Into<Rows<'a>>) -> Self {
        Sign(self.0.with(2, rows.into()))
    }

    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        Sign(self.0.flag(Flag::Der))
    }

    /// refuse s greater than half the order; of signatures made, make it low.
    pub fn low_s(self) -> Self {
        Sign(self.0.flag(Flag::LowS))
    }

    /// leave s of signatures made on secp256k1 as it falls, instead of low.
    pub fn any_s(self) -> Self {
        Sign(self.0.flag(Flag::AnyS))
    }

    /// verify each signature in full before it is given.
    pub fn verify_signatures(self) -> Self {
        Sign(self.0.flag(Flag::VerifySignatures))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Sign(self.0.flag(Flag::LittleEndian))
    }

    /// The hash of which HMAC makes nonces (RFC 6979).
    pub fn nonce_hash(self, hash: Hash) -> Self {
        Sign(self.0.nonce_hash(hash))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<SignOutput> {
        self.0.run(context).map(|mut done| SignOutput { signature: done.column(0), recovery_id: done.column(1), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, signature: impl Into<Out<'o>>, recovery_id: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [signature.into(), recovery_id.into()], status)
    }
}

impl Sign<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<SignOutput>> {
        self.0.submit(context, |mut done| SignOutput { signature: done.column(0), recovery_id: done.column(1), status: done.status() })
    }
}

/// What [`Sign`] gives.
#[derive(Debug)]
pub struct SignOutput {
    /// the signature.
    pub signature: Column,
    /// which R it was.
    pub recovery_id: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ecdsa.sign_with_dangerous_nonce`: signs a digest with ECDSA and the caller's nonce.
///
/// * `private_key`: the private key. Secret.
/// * `digest`: what is signed.
/// * `nonce`: the nonce, which must never repeat. Secret.
pub fn sign_with_dangerous_nonce<'a>(curve: Curve, private_key: impl Into<Rows<'a>>, digest: impl Into<Rows<'a>>, nonce: impl Into<Rows<'a>>) -> SignWithDangerousNonce<'a> {
    SignWithDangerousNonce(Call::of(&OPERATIONS[11], Selected::Curve(curve)).with(0, private_key.into()).with(1, digest.into()).with(2, nonce.into()))
}

/// A call of [`sign_with_dangerous_nonce`]: signs a digest with ECDSA and the caller's nonce.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct SignWithDangerousNonce<'a>(pub(crate) Call<'a>);

impl<'a> SignWithDangerousNonce<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        SignWithDangerousNonce(self.0.flag(Flag::Der))
    }

    /// refuse s greater than half the order; of signatures made, make it low.
    pub fn low_s(self) -> Self {
        SignWithDangerousNonce(self.0.flag(Flag::LowS))
    }

    /// leave s of signatures made on secp256k1 as it falls, instead of low.
    pub fn any_s(self) -> Self {
        SignWithDangerousNonce(self.0.flag(Flag::AnyS))
    }

    /// verify each signature in full before it is given.
    pub fn verify_signatures(self) -> Self {
        SignWithDangerousNonce(self.0.flag(Flag::VerifySignatures))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        SignWithDangerousNonce(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<SignWithDangerousNonceOutput> {
        self.0.run(context).map(|mut done| SignWithDangerousNonceOutput { signature: done.column(0), recovery_id: done.column(1), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, signature: impl Into<Out<'o>>, recovery_id: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [signature.into(), recovery_id.into()], status)
    }
}

impl SignWithDangerousNonce<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<SignWithDangerousNonceOutput>> {
        self.0.submit(context, |mut done| SignWithDangerousNonceOutput { signature: done.column(0), recovery_id: done.column(1), status: done.status() })
    }
}

/// What [`SignWithDangerousNonce`] gives.
#[derive(Debug)]
pub struct SignWithDangerousNonceOutput {
    /// the signature.
    pub signature: Column,
    /// which R it was.
    pub recovery_id: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ecdsa.verify`: checks an ECDSA signature.
///
/// * `public_key`: the signer's public key.
/// * `digest`: what was signed.
/// * `signature`: the signature.
pub fn verify<'a>(curve: Curve, public_key: impl Into<Rows<'a>>, digest: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> Verify<'a> {
    Verify(Call::of(&OPERATIONS[12], Selected::Curve(curve)).with(0, public_key.into()).with(1, digest.into()).with(2, signature.into()))
}

/// A call of [`verify`]: checks an ECDSA signature.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Verify<'a>(pub(crate) Call<'a>);

impl<'a> Verify<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        Verify(self.0.flag(Flag::Der))
    }

    /// refuse s greater than half the order; of signatures made, make it low.
    pub fn low_s(self) -> Self {
        Verify(self.0.flag(Flag::LowS))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Verify(self.0.flag(Flag::LittleEndian))
    }

    /// a byte that says what was hashed follows each signature.
    pub fn sighash_byte(self) -> Self {
        Verify(self.0.flag(Flag::SighashByte))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl Verify<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}

/// `ecdsa.verify_keys`: checks an ECDSA signature of a prepared key.
///
/// * `key`: the signer's public key.
/// * `digest`: what was signed.
/// * `signature`: the signature.
pub fn verify_keys<'a>(keys: &Keys, key: impl Into<Rows<'a>>, digest: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> VerifyKeys<'a> {
    VerifyKeys(Call::of(&OPERATIONS[13], Selected::Keys(keys.clone())).with(0, key.into()).with(1, digest.into()).with(2, signature.into()))
}

/// A call of [`verify_keys`]: checks an ECDSA signature of a prepared key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct VerifyKeys<'a>(pub(crate) Call<'a>);

impl<'a> VerifyKeys<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        VerifyKeys(self.0.flag(Flag::Der))
    }

    /// refuse s greater than half the order; of signatures made, make it low.
    pub fn low_s(self) -> Self {
        VerifyKeys(self.0.flag(Flag::LowS))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        VerifyKeys(self.0.flag(Flag::LittleEndian))
    }

    /// a byte that says what was hashed follows each signature.
    pub fn sighash_byte(self) -> Self {
        VerifyKeys(self.0.flag(Flag::SighashByte))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl VerifyKeys<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}

/// `ecdsa.recover`: finds the public key that made an ECDSA signature.
///
/// * `digest`: what was signed.
/// * `signature`: the signature.
/// * `recovery_id`: which R it was.
pub fn recover<'a>(curve: Curve, digest: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>, recovery_id: impl Into<Rows<'a>>) -> Recover<'a> {
    Recover(Call::of(&OPERATIONS[14], Selected::Curve(curve)).with(0, digest.into()).with(1, signature.into()).with(2, recovery_id.into()))
}

/// A call of [`recover`]: finds the public key that made an ECDSA signature.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Recover<'a>(pub(crate) Call<'a>);

impl<'a> Recover<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        Recover(self.0.flag(Flag::Der))
    }

    /// refuse s greater than half the order; of signatures made, make it low.
    pub fn low_s(self) -> Self {
        Recover(self.0.flag(Flag::LowS))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Recover(self.0.flag(Flag::LittleEndian))
    }

    /// a byte that says what was hashed follows each signature.
    pub fn sighash_byte(self) -> Self {
        Recover(self.0.flag(Flag::SighashByte))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        Recover(self.0.point_format(format))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<RecoverOutput> {
        self.0.run(context).map(|mut done| RecoverOutput { public_key: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, public_key: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [public_key.into()], status)
    }
}

impl Recover<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<RecoverOutput>> {
        self.0.submit(context, |mut done| RecoverOutput { public_key: done.column(0), status: done.status() })
    }
}

/// What [`Recover`] gives.
#[derive(Debug)]
pub struct RecoverOutput {
    /// the signer's public key.
    pub public_key: Column,
    /// What came of each row.
    pub status: Statuses,
}
}

/// `ecdh`: computes a shared secret.
///
/// * `private_key`: one side's private key. Secret.
/// * `peer`: the other side's public key.
pub fn ecdh<'a>(curve: Curve, private_key: impl Into<Rows<'a>>, peer: impl Into<Rows<'a>>) -> Ecdh<'a> {
    Ecdh(Call::of(&OPERATIONS[15], Selected::Curve(curve)).with(0, private_key.into()).with(1, peer.into()))
}

/// A call of [`ecdh`]: computes a shared secret.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Ecdh<'a>(pub(crate) Call<'a>);

impl<'a> Ecdh<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Ecdh(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<EcdhOutput> {
        self.0.run(context).map(|mut done| EcdhOutput { shared: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, shared: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [shared.into()], status)
    }
}

impl Ecdh<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<EcdhOutput>> {
        self.0.submit(context, |mut done| EcdhOutput { shared: done.secret(0), status: done.status() })
    }
}

/// What [`Ecdh`] gives.
#[derive(Debug)]
pub struct EcdhOutput {
    /// x of private_key * peer.
    pub shared: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}

/// `x25519_public_key`: computes the X25519 public key of a private key.
///
/// * `private_key`: the private key. Secret.
pub fn x25519_public_key<'a>(private_key: impl Into<Rows<'a>>) -> X25519PublicKey<'a> {
    X25519PublicKey(Call::of(&OPERATIONS[38], Selected::Nothing).with(0, private_key.into()))
}

/// A call of [`x25519_public_key`]: computes the X25519 public key of a private key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct X25519PublicKey<'a>(pub(crate) Call<'a>);

impl<'a> X25519PublicKey<'a> {
    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<X25519PublicKeyOutput> {
        self.0.run(context).map(|mut done| X25519PublicKeyOutput { public_key: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, public_key: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [public_key.into()], status)
    }
}

impl X25519PublicKey<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<X25519PublicKeyOutput>> {
        self.0.submit(context, |mut done| X25519PublicKeyOutput { public_key: done.column(0), status: done.status() })
    }
}

/// What [`X25519PublicKey`] gives.
#[derive(Debug)]
pub struct X25519PublicKeyOutput {
    /// the public key.
    pub public_key: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `x25519`: computes a shared secret with X25519.
///
/// * `private_key`: one side's private key. Secret.
/// * `peer`: the other side's public key.
pub fn x25519<'a>(private_key: impl Into<Rows<'a>>, peer: impl Into<Rows<'a>>) -> X25519<'a> {
    X25519(Call::of(&OPERATIONS[39], Selected::Nothing).with(0, private_key.into()).with(1, peer.into()))
}

/// A call of [`x25519`]: computes a shared secret with X25519.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct X25519<'a>(pub(crate) Call<'a>);

impl<'a> X25519<'a> {
    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<X25519Output> {
        self.0.run(context).map(|mut done| X25519Output { shared: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, shared: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [shared.into()], status)
    }
}

impl X25519<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<X25519Output>> {
        self.0.submit(context, |mut done| X25519Output { shared: done.secret(0), status: done.status() })
    }
}

/// What [`X25519`] gives.
#[derive(Debug)]
pub struct X25519Output {
    /// u of private_key * peer.
    pub shared: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}

/// `digest`: hashes a message.
///
/// * `message`: the message.
pub fn digest<'a>(hash: Hash, message: impl Into<Rows<'a>>) -> Digest<'a> {
    Digest(Call::of(&OPERATIONS[46], Selected::Hash(hash)).with(0, message.into()))
}

/// A call of [`digest`]: hashes a message.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Digest<'a>(pub(crate) Call<'a>);

impl<'a> Digest<'a> {
    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<DigestOutput> {
        self.0.run(context).map(|mut done| DigestOutput { digest: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, digest: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [digest.into()], status)
    }
}

impl Digest<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<DigestOutput>> {
        self.0.submit(context, |mut done| DigestOutput { digest: done.column(0), status: done.status() })
    }
}

/// What [`Digest`] gives.
#[derive(Debug)]
pub struct DigestOutput {
    /// its hash.
    pub digest: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// Operations `sm2`.
pub mod sm2 {
    use super::*;

/// `sm2.digest`: computes the digest that SM2 signs.
///
/// * `public_key`: the signer's public key.
/// * `message`: the message.
pub fn digest<'a>(public_key: impl Into<Rows<'a>>, message: impl Into<Rows<'a>>) -> Digest<'a> {
    Digest(Call::of(&OPERATIONS[16], Selected::Nothing).with(0, public_key.into()).with(2, message.into()))
}

/// A call of [`digest`]: computes the digest that SM2 signs.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Digest<'a>(pub(crate) Call<'a>);

impl<'a> Digest<'a> {
    /// the signer's id.
    pub fn id(self, rows: impl Into<Rows<'a>>) -> Self {
        Digest(self.0.with(1, rows.into()))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Digest(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<DigestOutput> {
        self.0.run(context).map(|mut done| DigestOutput { e: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, e: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [e.into()], status)
    }
}

impl Digest<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<DigestOutput>> {
        self.0.submit(context, |mut done| DigestOutput { e: done.column(0), status: done.status() })
    }
}

/// What [`Digest`] gives.
#[derive(Debug)]
pub struct DigestOutput {
    /// what SM2 signs.
    pub e: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `sm2.sign`: signs a digest with SM2 and a deterministic nonce.
///
/// * `private_key`: the private key. Secret.
/// * `e`: what is signed.
pub fn sign<'a>(private_key: impl Into<Rows<'a>>, e: impl Into<Rows<'a>>) -> Sign<'a> {
    Sign(Call::of(&OPERATIONS[17], Selected::Nothing).with(0, private_key.into()).with(1, e.into()))
}

/// A call of [`sign`]: signs a digest with SM2 and a deterministic nonce.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Sign<'a>(pub(crate) Call<'a>);

impl<'a> Sign<'a> {
    /// more input to the nonce. Secret.
    pub fn entropy(self, rows: impl Into<Rows<'a>>) -> Self {
        Sign(self.0.with(2, rows.into()))
    }

    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        Sign(self.0.flag(Flag::Der))
    }

    /// verify each signature in full before it is given.
    pub fn verify_signatures(self) -> Self {
        Sign(self.0.flag(Flag::VerifySignatures))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Sign(self.0.flag(Flag::LittleEndian))
    }

    /// The hash of which HMAC makes nonces (RFC 6979).
    pub fn nonce_hash(self, hash: Hash) -> Self {
        Sign(self.0.nonce_hash(hash))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<SignOutput> {
        self.0.run(context).map(|mut done| SignOutput { signature: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, signature: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [signature.into()], status)
    }
}

impl Sign<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<SignOutput>> {
        self.0.submit(context, |mut done| SignOutput { signature: done.column(0), status: done.status() })
    }
}

/// What [`Sign`] gives.
#[derive(Debug)]
pub struct SignOutput {
    /// the signature.
    pub signature: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `sm2.sign_with_dangerous_nonce`: signs a digest with SM2 and the caller's nonce.
///
/// * `private_key`: the private key. Secret.
/// * `e`: what is signed.
/// * `nonce`: the nonce, which must never repeat. Secret.
pub fn sign_with_dangerous_nonce<'a>(private_key: impl Into<Rows<'a>>, e: impl Into<Rows<'a>>, nonce: impl Into<Rows<'a>>) -> SignWithDangerousNonce<'a> {
    SignWithDangerousNonce(Call::of(&OPERATIONS[18], Selected::Nothing).with(0, private_key.into()).with(1, e.into()).with(2, nonce.into()))
}

/// A call of [`sign_with_dangerous_nonce`]: signs a digest with SM2 and the caller's nonce.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct SignWithDangerousNonce<'a>(pub(crate) Call<'a>);

impl<'a> SignWithDangerousNonce<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        SignWithDangerousNonce(self.0.flag(Flag::Der))
    }

    /// verify each signature in full before it is given.
    pub fn verify_signatures(self) -> Self {
        SignWithDangerousNonce(self.0.flag(Flag::VerifySignatures))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        SignWithDangerousNonce(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<SignWithDangerousNonceOutput> {
        self.0.run(context).map(|mut done| SignWithDangerousNonceOutput { signature: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, signature: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [signature.into()], status)
    }
}

impl SignWithDangerousNonce<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<SignWithDangerousNonceOutput>> {
        self.0.submit(context, |mut done| SignWithDangerousNonceOutput { signature: done.column(0), status: done.status() })
    }
}

/// What [`SignWithDangerousNonce`] gives.
#[derive(Debug)]
pub struct SignWithDangerousNonceOutput {
    /// the signature.
    pub signature: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `sm2.verify`: checks an SM2 signature.
///
/// * `public_key`: the signer's public key.
/// * `e`: what was signed.
/// * `signature`: the signature.
pub fn verify<'a>(public_key: impl Into<Rows<'a>>, e: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> Verify<'a> {
    Verify(Call::of(&OPERATIONS[19], Selected::Nothing).with(0, public_key.into()).with(1, e.into()).with(2, signature.into()))
}

/// A call of [`verify`]: checks an SM2 signature.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Verify<'a>(pub(crate) Call<'a>);

impl<'a> Verify<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        Verify(self.0.flag(Flag::Der))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Verify(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl Verify<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}

/// `sm2.verify_keys`: checks an SM2 signature of a prepared key.
///
/// * `key`: the signer's public key.
/// * `e`: what was signed.
/// * `signature`: the signature.
pub fn verify_keys<'a>(keys: &Keys, key: impl Into<Rows<'a>>, e: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> VerifyKeys<'a> {
    VerifyKeys(Call::of(&OPERATIONS[20], Selected::Keys(keys.clone())).with(0, key.into()).with(1, e.into()).with(2, signature.into()))
}

/// A call of [`verify_keys`]: checks an SM2 signature of a prepared key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct VerifyKeys<'a>(pub(crate) Call<'a>);

impl<'a> VerifyKeys<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        VerifyKeys(self.0.flag(Flag::Der))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        VerifyKeys(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl VerifyKeys<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}

/// `sm2.encrypt`: encrypts with SM2.
///
/// * `public_key`: the receiver's public key.
/// * `nonce`: random, and never used again. Secret.
/// * `plaintext`: what is encrypted. Secret.
pub fn encrypt<'a>(public_key: impl Into<Rows<'a>>, nonce: impl Into<Rows<'a>>, plaintext: impl Into<Rows<'a>>) -> Encrypt<'a> {
    Encrypt(Call::of(&OPERATIONS[21], Selected::Nothing).with(0, public_key.into()).with(1, nonce.into()).with(2, plaintext.into()))
}

/// A call of [`encrypt`]: encrypts with SM2.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Encrypt<'a>(pub(crate) Call<'a>);

impl<'a> Encrypt<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        Encrypt(self.0.flag(Flag::Der))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Encrypt(self.0.flag(Flag::LittleEndian))
    }

    /// SM2 ciphertexts have their hash last, as before 2012, instead of in the middle.
    pub fn c1c2c3(self) -> Self {
        Encrypt(self.0.flag(Flag::C1c2c3))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        Encrypt(self.0.point_format(format))
    }

    /// How many bytes each derived key has, or a ciphertext or plaintext at most: has to be said but for `run_into`.
    pub fn output_bytes(self, bytes: usize) -> Self {
        Encrypt(self.0.output_bytes(bytes))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<EncryptOutput> {
        self.0.run(context).map(|mut done| EncryptOutput { ciphertext: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, ciphertext: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [ciphertext.into()], status)
    }
}

impl Encrypt<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<EncryptOutput>> {
        self.0.submit(context, |mut done| EncryptOutput { ciphertext: done.column(0), status: done.status() })
    }
}

/// What [`Encrypt`] gives.
#[derive(Debug)]
pub struct EncryptOutput {
    /// the ciphertext.
    pub ciphertext: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `sm2.decrypt`: decrypts with SM2.
///
/// * `private_key`: the receiver's private key. Secret.
/// * `ciphertext`: the ciphertext.
pub fn decrypt<'a>(private_key: impl Into<Rows<'a>>, ciphertext: impl Into<Rows<'a>>) -> Decrypt<'a> {
    Decrypt(Call::of(&OPERATIONS[22], Selected::Nothing).with(0, private_key.into()).with(1, ciphertext.into()))
}

/// A call of [`decrypt`]: decrypts with SM2.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Decrypt<'a>(pub(crate) Call<'a>);

impl<'a> Decrypt<'a> {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row.
    pub fn der(self) -> Self {
        Decrypt(self.0.flag(Flag::Der))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Decrypt(self.0.flag(Flag::LittleEndian))
    }

    /// SM2 ciphertexts have their hash last, as before 2012, instead of in the middle.
    pub fn c1c2c3(self) -> Self {
        Decrypt(self.0.flag(Flag::C1c2c3))
    }

    /// How points are written.
    pub fn point_format(self, format: PointFormat) -> Self {
        Decrypt(self.0.point_format(format))
    }

    /// How many bytes each derived key has, or a ciphertext or plaintext at most: has to be said but for `run_into`.
    pub fn output_bytes(self, bytes: usize) -> Self {
        Decrypt(self.0.output_bytes(bytes))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<DecryptOutput> {
        self.0.run(context).map(|mut done| DecryptOutput { plaintext: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, plaintext: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [plaintext.into()], status)
    }
}

impl Decrypt<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<DecryptOutput>> {
        self.0.submit(context, |mut done| DecryptOutput { plaintext: done.secret(0), status: done.status() })
    }
}

/// What [`Decrypt`] gives.
#[derive(Debug)]
pub struct DecryptOutput {
    /// what was encrypted.
    pub plaintext: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}

/// `sm2.exchange`: agrees on a key with SM2.
///
/// * `private_key`: this side's private key. Secret.
/// * `ephemeral_key`: this side's private key for this exchange. Secret.
/// * `peer_public_key`: the other side's public key.
/// * `peer_ephemeral_point`: the other side's public key for this exchange.
pub fn exchange<'a>(private_key: impl Into<Rows<'a>>, ephemeral_key: impl Into<Rows<'a>>, peer_public_key: impl Into<Rows<'a>>, peer_ephemeral_point: impl Into<Rows<'a>>) -> Exchange<'a> {
    Exchange(Call::of(&OPERATIONS[23], Selected::Nothing).with(0, private_key.into()).with(1, ephemeral_key.into()).with(3, peer_public_key.into()).with(4, peer_ephemeral_point.into()))
}

/// A call of [`exchange`]: agrees on a key with SM2.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Exchange<'a>(pub(crate) Call<'a>);

impl<'a> Exchange<'a> {
    /// this side's id.
    pub fn id(self, rows: impl Into<Rows<'a>>) -> Self {
        Exchange(self.0.with(2, rows.into()))
    }

    /// the other side's id.
    pub fn peer_id(self, rows: impl Into<Rows<'a>>) -> Self {
        Exchange(self.0.with(5, rows.into()))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Exchange(self.0.flag(Flag::LittleEndian))
    }

    /// SM2 key exchange: this side is the one that answers.
    pub fn responder(self) -> Self {
        Exchange(self.0.flag(Flag::Responder))
    }

    /// How many bytes each derived key has, or a ciphertext or plaintext at most: has to be said but for `run_into`.
    pub fn output_bytes(self, bytes: usize) -> Self {
        Exchange(self.0.output_bytes(bytes))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<ExchangeOutput> {
        self.0.run(context).map(|mut done| ExchangeOutput { key: done.secret(0), confirmation: done.column(1), peer_confirmation: done.column(2), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, key: impl Into<Out<'o>>, confirmation: impl Into<Out<'o>>, peer_confirmation: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [key.into(), confirmation.into(), peer_confirmation.into()], status)
    }
}

impl Exchange<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<ExchangeOutput>> {
        self.0.submit(context, |mut done| ExchangeOutput { key: done.secret(0), confirmation: done.column(1), peer_confirmation: done.column(2), status: done.status() })
    }
}

/// What [`Exchange`] gives.
#[derive(Debug)]
pub struct ExchangeOutput {
    /// the key.
    pub key: SecretColumn,
    /// what this side sends.
    pub confirmation: Column,
    /// what the other side has to send.
    pub peer_confirmation: Column,
    /// What came of each row.
    pub status: Statuses,
}
}

/// Operations `schnorr`.
pub mod schnorr {
    use super::*;

/// `schnorr.public_key`: computes the x-only public key of a private key.
///
/// * `private_key`: the private key. Secret.
pub fn public_key<'a>(private_key: impl Into<Rows<'a>>) -> PublicKey<'a> {
    PublicKey(Call::of(&OPERATIONS[24], Selected::Nothing).with(0, private_key.into()))
}

/// A call of [`public_key`]: computes the x-only public key of a private key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct PublicKey<'a>(pub(crate) Call<'a>);

impl<'a> PublicKey<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        PublicKey(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<PublicKeyOutput> {
        self.0.run(context).map(|mut done| PublicKeyOutput { public_key: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, public_key: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [public_key.into()], status)
    }
}

impl PublicKey<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<PublicKeyOutput>> {
        self.0.submit(context, |mut done| PublicKeyOutput { public_key: done.column(0), status: done.status() })
    }
}

/// What [`PublicKey`] gives.
#[derive(Debug)]
pub struct PublicKeyOutput {
    /// x of private_key * G.
    pub public_key: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `schnorr.sign`: signs a message with BIP-340's Schnorr signature.
///
/// * `private_key`: the private key. Secret.
/// * `message`: what is signed.
pub fn sign<'a>(private_key: impl Into<Rows<'a>>, message: impl Into<Rows<'a>>) -> Sign<'a> {
    Sign(Call::of(&OPERATIONS[25], Selected::Nothing).with(0, private_key.into()).with(1, message.into()))
}

/// A call of [`sign`]: signs a message with BIP-340's Schnorr signature.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Sign<'a>(pub(crate) Call<'a>);

impl<'a> Sign<'a> {
    /// more input to the nonce. Secret.
    pub fn auxiliary(self, rows: impl Into<Rows<'a>>) -> Self {
        Sign(self.0.with(2, rows.into()))
    }

    /// verify each signature in full before it is given.
    pub fn verify_signatures(self) -> Self {
        Sign(self.0.flag(Flag::VerifySignatures))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Sign(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<SignOutput> {
        self.0.run(context).map(|mut done| SignOutput { signature: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, signature: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [signature.into()], status)
    }
}

impl Sign<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<SignOutput>> {
        self.0.submit(context, |mut done| SignOutput { signature: done.column(0), status: done.status() })
    }
}

/// What [`Sign`] gives.
#[derive(Debug)]
pub struct SignOutput {
    /// the signature.
    pub signature: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `schnorr.verify`: checks a Schnorr signature of BIP-340.
///
/// * `public_key`: the signer's public key.
/// * `message`: what was signed.
/// * `signature`: the signature.
pub fn verify<'a>(public_key: impl Into<Rows<'a>>, message: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> Verify<'a> {
    Verify(Call::of(&OPERATIONS[26], Selected::Nothing).with(0, public_key.into()).with(1, message.into()).with(2, signature.into()))
}

/// A call of [`verify`]: checks a Schnorr signature of BIP-340.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Verify<'a>(pub(crate) Call<'a>);

impl<'a> Verify<'a> {
    /// a byte that says what was hashed follows each signature.
    pub fn sighash_byte(self) -> Self {
        Verify(self.0.flag(Flag::SighashByte))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl Verify<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}

/// `schnorr.verify_keys`: checks a Schnorr signature of a prepared key.
///
/// * `key`: the signer's public key.
/// * `message`: what was signed.
/// * `signature`: the signature.
pub fn verify_keys<'a>(keys: &Keys, key: impl Into<Rows<'a>>, message: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> VerifyKeys<'a> {
    VerifyKeys(Call::of(&OPERATIONS[27], Selected::Keys(keys.clone())).with(0, key.into()).with(1, message.into()).with(2, signature.into()))
}

/// A call of [`verify_keys`]: checks a Schnorr signature of a prepared key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct VerifyKeys<'a>(pub(crate) Call<'a>);

impl<'a> VerifyKeys<'a> {
    /// a byte that says what was hashed follows each signature.
    pub fn sighash_byte(self) -> Self {
        VerifyKeys(self.0.flag(Flag::SighashByte))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl VerifyKeys<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}

/// `schnorr.tweak_public_key`: computes Taproot's output key from an internal key (BIP-341).
///
/// * `public_key`: the internal key.
pub fn tweak_public_key<'a>(public_key: impl Into<Rows<'a>>) -> TweakPublicKey<'a> {
    TweakPublicKey(Call::of(&OPERATIONS[28], Selected::Nothing).with(0, public_key.into()))
}

/// A call of [`tweak_public_key`]: computes Taproot's output key from an internal key (BIP-341).
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct TweakPublicKey<'a>(pub(crate) Call<'a>);

impl<'a> TweakPublicKey<'a> {
    /// what else it commits to.
    pub fn merkle_root(self, rows: impl Into<Rows<'a>>) -> Self {
        TweakPublicKey(self.0.with(1, rows.into()))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<TweakPublicKeyOutput> {
        self.0.run(context).map(|mut done| TweakPublicKeyOutput { tweaked: done.column(0), parity: done.column(1), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, tweaked: impl Into<Out<'o>>, parity: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [tweaked.into(), parity.into()], status)
    }
}

impl TweakPublicKey<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<TweakPublicKeyOutput>> {
        self.0.submit(context, |mut done| TweakPublicKeyOutput { tweaked: done.column(0), parity: done.column(1), status: done.status() })
    }
}

/// What [`TweakPublicKey`] gives.
#[derive(Debug)]
pub struct TweakPublicKeyOutput {
    /// the output key.
    pub tweaked: Column,
    /// the parity of its y.
    pub parity: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `schnorr.tweak_private_key`: computes the private key of Taproot's output key (BIP-341).
///
/// * `private_key`: the private key of the internal key. Secret.
pub fn tweak_private_key<'a>(private_key: impl Into<Rows<'a>>) -> TweakPrivateKey<'a> {
    TweakPrivateKey(Call::of(&OPERATIONS[29], Selected::Nothing).with(0, private_key.into()))
}

/// A call of [`tweak_private_key`]: computes the private key of Taproot's output key (BIP-341).
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct TweakPrivateKey<'a>(pub(crate) Call<'a>);

impl<'a> TweakPrivateKey<'a> {
    /// what else the output key commits to.
    pub fn merkle_root(self, rows: impl Into<Rows<'a>>) -> Self {
        TweakPrivateKey(self.0.with(1, rows.into()))
    }

    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        TweakPrivateKey(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<TweakPrivateKeyOutput> {
        self.0.run(context).map(|mut done| TweakPrivateKeyOutput { tweaked: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, tweaked: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [tweaked.into()], status)
    }
}

impl TweakPrivateKey<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<TweakPrivateKeyOutput>> {
        self.0.submit(context, |mut done| TweakPrivateKeyOutput { tweaked: done.secret(0), status: done.status() })
    }
}

/// What [`TweakPrivateKey`] gives.
#[derive(Debug)]
pub struct TweakPrivateKeyOutput {
    /// the private key of the output key.
    pub tweaked: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}
}

/// Operations `ethereum`.
pub mod ethereum {
    use super::*;

/// `ethereum.address`: computes the Ethereum address of a public key.
///
/// * `public_key`: the public key.
pub fn address<'a>(public_key: impl Into<Rows<'a>>) -> Address<'a> {
    Address(Call::of(&OPERATIONS[30], Selected::Nothing).with(0, public_key.into()))
}

/// A call of [`address`]: computes the Ethereum address of a public key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Address<'a>(pub(crate) Call<'a>);

impl<'a> Address<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Address(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<AddressOutput> {
        self.0.run(context).map(|mut done| AddressOutput { address: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, address: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [address.into()], status)
    }
}

impl Address<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<AddressOutput>> {
        self.0.submit(context, |mut done| AddressOutput { address: done.column(0), status: done.status() })
    }
}

/// What [`Address`] gives.
#[derive(Debug)]
pub struct AddressOutput {
    /// its address.
    pub address: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ethereum.recover`: finds the Ethereum address that made a signature.
///
/// * `digest`: what was signed.
/// * `signature`: the signature.
pub fn recover<'a>(digest: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> Recover<'a> {
    Recover(Call::of(&OPERATIONS[31], Selected::Nothing).with(0, digest.into()).with(1, signature.into()))
}

/// A call of [`recover`]: finds the Ethereum address that made a signature.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Recover<'a>(pub(crate) Call<'a>);

impl<'a> Recover<'a> {
    /// refuse s greater than half the order; of signatures made, make it low.
    pub fn low_s(self) -> Self {
        Recover(self.0.flag(Flag::LowS))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<RecoverOutput> {
        self.0.run(context).map(|mut done| RecoverOutput { address: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, address: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [address.into()], status)
    }
}

impl Recover<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<RecoverOutput>> {
        self.0.submit(context, |mut done| RecoverOutput { address: done.column(0), status: done.status() })
    }
}

/// What [`Recover`] gives.
#[derive(Debug)]
pub struct RecoverOutput {
    /// the signer's address.
    pub address: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ethereum.recover_columns`: finds the Ethereum address that made a signature of r, s and v.
///
/// * `digest`: what was signed.
/// * `r`: the signature's r.
/// * `s`: the signature's s.
/// * `v`: the signature's v.
pub fn recover_columns<'a>(digest: impl Into<Rows<'a>>, r: impl Into<Rows<'a>>, s: impl Into<Rows<'a>>, v: impl Into<Rows<'a>>) -> RecoverColumns<'a> {
    RecoverColumns(Call::of(&OPERATIONS[32], Selected::Nothing).with(0, digest.into()).with(1, r.into()).with(2, s.into()).with(3, v.into()))
}

/// A call of [`recover_columns`]: finds the Ethereum address that made a signature of r, s and v.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct RecoverColumns<'a>(pub(crate) Call<'a>);

impl<'a> RecoverColumns<'a> {
    /// refuse s greater than half the order; of signatures made, make it low.
    pub fn low_s(self) -> Self {
        RecoverColumns(self.0.flag(Flag::LowS))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<RecoverColumnsOutput> {
        self.0.run(context).map(|mut done| RecoverColumnsOutput { address: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, address: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [address.into()], status)
    }
}

impl RecoverColumns<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<RecoverColumnsOutput>> {
        self.0.submit(context, |mut done| RecoverColumnsOutput { address: done.column(0), status: done.status() })
    }
}

/// What [`RecoverColumns`] gives.
#[derive(Debug)]
pub struct RecoverColumnsOutput {
    /// the signer's address.
    pub address: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ethereum.recover_message`: finds the Ethereum address that made a signature of the Keccak-256 of a message.
///
/// * `message`: what was signed.
/// * `signature`: the signature.
pub fn recover_message<'a>(message: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> RecoverMessage<'a> {
    RecoverMessage(Call::of(&OPERATIONS[33], Selected::Nothing).with(0, message.into()).with(1, signature.into()))
}

/// A call of [`recover_message`]: finds the Ethereum address that made a signature of the Keccak-256 of a message.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct RecoverMessage<'a>(pub(crate) Call<'a>);

impl<'a> RecoverMessage<'a> {
    /// refuse s greater than half the order; of signatures made, make it low.
    pub fn low_s(self) -> Self {
        RecoverMessage(self.0.flag(Flag::LowS))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<RecoverMessageOutput> {
        self.0.run(context).map(|mut done| RecoverMessageOutput { address: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, address: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [address.into()], status)
    }
}

impl RecoverMessage<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<RecoverMessageOutput>> {
        self.0.submit(context, |mut done| RecoverMessageOutput { address: done.column(0), status: done.status() })
    }
}

/// What [`RecoverMessage`] gives.
#[derive(Debug)]
pub struct RecoverMessageOutput {
    /// the signer's address.
    pub address: Column,
    /// What came of each row.
    pub status: Statuses,
}
}

/// Operations `ed25519`.
pub mod ed25519 {
    use super::*;

/// `ed25519.public_key`: computes the Ed25519 public key of a seed.
///
/// * `seed`: the seed. Secret.
pub fn public_key<'a>(seed: impl Into<Rows<'a>>) -> PublicKey<'a> {
    PublicKey(Call::of(&OPERATIONS[34], Selected::Nothing).with(0, seed.into()))
}

/// A call of [`public_key`]: computes the Ed25519 public key of a seed.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct PublicKey<'a>(pub(crate) Call<'a>);

impl<'a> PublicKey<'a> {
    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<PublicKeyOutput> {
        self.0.run(context).map(|mut done| PublicKeyOutput { public_key: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, public_key: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [public_key.into()], status)
    }
}

impl PublicKey<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<PublicKeyOutput>> {
        self.0.submit(context, |mut done| PublicKeyOutput { public_key: done.column(0), status: done.status() })
    }
}

/// What [`PublicKey`] gives.
#[derive(Debug)]
pub struct PublicKeyOutput {
    /// the public key.
    pub public_key: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ed25519.sign`: signs a message with Ed25519.
///
/// * `seed`: the seed. Secret.
/// * `message`: what is signed.
pub fn sign<'a>(seed: impl Into<Rows<'a>>, message: impl Into<Rows<'a>>) -> Sign<'a> {
    Sign(Call::of(&OPERATIONS[35], Selected::Nothing).with(0, seed.into()).with(1, message.into()))
}

/// A call of [`sign`]: signs a message with Ed25519.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Sign<'a>(pub(crate) Call<'a>);

impl<'a> Sign<'a> {
    /// what else it is bound to.
    pub fn ctx(self, rows: impl Into<Rows<'a>>) -> Self {
        Sign(self.0.with(2, rows.into()))
    }

    /// verify each signature in full before it is given.
    pub fn verify_signatures(self) -> Self {
        Sign(self.0.flag(Flag::VerifySignatures))
    }

    /// Ed25519ph: messages are hashed before they are signed.
    pub fn prehash(self) -> Self {
        Sign(self.0.flag(Flag::Prehash))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<SignOutput> {
        self.0.run(context).map(|mut done| SignOutput { signature: done.column(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, signature: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [signature.into()], status)
    }
}

impl Sign<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<SignOutput>> {
        self.0.submit(context, |mut done| SignOutput { signature: done.column(0), status: done.status() })
    }
}

/// What [`Sign`] gives.
#[derive(Debug)]
pub struct SignOutput {
    /// the signature.
    pub signature: Column,
    /// What came of each row.
    pub status: Statuses,
}

/// `ed25519.verify`: checks an Ed25519 signature.
///
/// * `public_key`: the signer's public key.
/// * `message`: what was signed.
/// * `signature`: the signature.
pub fn verify<'a>(public_key: impl Into<Rows<'a>>, message: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> Verify<'a> {
    Verify(Call::of(&OPERATIONS[36], Selected::Nothing).with(0, public_key.into()).with(1, message.into()).with(2, signature.into()))
}

/// A call of [`verify`]: checks an Ed25519 signature.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Verify<'a>(pub(crate) Call<'a>);

impl<'a> Verify<'a> {
    /// what else it is bound to.
    pub fn ctx(self, rows: impl Into<Rows<'a>>) -> Self {
        Verify(self.0.with(3, rows.into()))
    }

    /// Ed25519ph: messages are hashed before they are signed.
    pub fn prehash(self) -> Self {
        Verify(self.0.flag(Flag::Prehash))
    }

    /// accept Ed25519 keys as ref10, OpenSSL and Go do: y need not be below p.
    pub fn accept_ref10(self) -> Self {
        Verify(self.0.flag(Flag::AcceptRef10))
    }

    /// refuse Ed25519 keys and R of small order, as libsodium does.
    pub fn accept_strict(self) -> Self {
        Verify(self.0.flag(Flag::AcceptStrict))
    }

    /// accept what ZIP 215 does: keys and R in any encoding, times 8.
    pub fn accept_zip215(self) -> Self {
        Verify(self.0.flag(Flag::AcceptZip215))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl Verify<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}

/// `ed25519.verify_keys`: checks an Ed25519 signature of a prepared key.
///
/// * `key`: the signer's public key.
/// * `message`: what was signed.
/// * `signature`: the signature.
pub fn verify_keys<'a>(keys: &Keys, key: impl Into<Rows<'a>>, message: impl Into<Rows<'a>>, signature: impl Into<Rows<'a>>) -> VerifyKeys<'a> {
    VerifyKeys(Call::of(&OPERATIONS[37], Selected::Keys(keys.clone())).with(0, key.into()).with(1, message.into()).with(2, signature.into()))
}

/// A call of [`verify_keys`]: checks an Ed25519 signature of a prepared key.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct VerifyKeys<'a>(pub(crate) Call<'a>);

impl<'a> VerifyKeys<'a> {
    /// what else it is bound to.
    pub fn ctx(self, rows: impl Into<Rows<'a>>) -> Self {
        VerifyKeys(self.0.with(3, rows.into()))
    }

    /// Ed25519ph: messages are hashed before they are signed.
    pub fn prehash(self) -> Self {
        VerifyKeys(self.0.flag(Flag::Prehash))
    }

    /// accept Ed25519 keys as ref10, OpenSSL and Go do: y need not be below p.
    pub fn accept_ref10(self) -> Self {
        VerifyKeys(self.0.flag(Flag::AcceptRef10))
    }

    /// refuse Ed25519 keys and R of small order, as libsodium does.
    pub fn accept_strict(self) -> Self {
        VerifyKeys(self.0.flag(Flag::AcceptStrict))
    }

    /// accept what ZIP 215 does: keys and R in any encoding, times 8.
    pub fn accept_zip215(self) -> Self {
        VerifyKeys(self.0.flag(Flag::AcceptZip215))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<Statuses> {
        self.0.run(context).map(|mut done| done.status())
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into(self, context: &Context, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [], status)
    }
}

impl VerifyKeys<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<Statuses>> {
        self.0.submit(context, |mut done| done.status())
    }
}
}

/// Operations `mod`.
pub mod modular {
    use super::*;

/// `mod.add`: adds modulo an odd number.
///
/// * `a`: a number. Secret.
/// * `b`: a number. Secret.
pub fn add<'a>(modulus: &[u8], a: impl Into<Rows<'a>>, b: impl Into<Rows<'a>>) -> Add<'a> {
    Add(Call::of(&OPERATIONS[40], Selected::Modulus(modulus.to_vec())).with(0, a.into()).with(1, b.into()))
}

/// A call of [`add`]: adds modulo an odd number.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Add<'a>(pub(crate) Call<'a>);

impl<'a> Add<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Add(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<AddOutput> {
        self.0.run(context).map(|mut done| AddOutput { out: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Add<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<AddOutput>> {
        self.0.submit(context, |mut done| AddOutput { out: done.secret(0), status: done.status() })
    }
}

/// What [`Add`] gives.
#[derive(Debug)]
pub struct AddOutput {
    /// a + b.
    pub out: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}

/// `mod.sub`: subtracts modulo an odd number.
///
/// * `a`: a number. Secret.
/// * `b`: a number. Secret.
pub fn sub<'a>(modulus: &[u8], a: impl Into<Rows<'a>>, b: impl Into<Rows<'a>>) -> Sub<'a> {
    Sub(Call::of(&OPERATIONS[41], Selected::Modulus(modulus.to_vec())).with(0, a.into()).with(1, b.into()))
}

/// A call of [`sub`]: subtracts modulo an odd number.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Sub<'a>(pub(crate) Call<'a>);

impl<'a> Sub<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Sub(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<SubOutput> {
        self.0.run(context).map(|mut done| SubOutput { out: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Sub<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<SubOutput>> {
        self.0.submit(context, |mut done| SubOutput { out: done.secret(0), status: done.status() })
    }
}

/// What [`Sub`] gives.
#[derive(Debug)]
pub struct SubOutput {
    /// a - b.
    pub out: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}

/// `mod.mul`: multiplies modulo an odd number.
///
/// * `a`: a number. Secret.
/// * `b`: a number. Secret.
pub fn mul<'a>(modulus: &[u8], a: impl Into<Rows<'a>>, b: impl Into<Rows<'a>>) -> Mul<'a> {
    Mul(Call::of(&OPERATIONS[42], Selected::Modulus(modulus.to_vec())).with(0, a.into()).with(1, b.into()))
}

/// A call of [`mul`]: multiplies modulo an odd number.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Mul<'a>(pub(crate) Call<'a>);

impl<'a> Mul<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Mul(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<MulOutput> {
        self.0.run(context).map(|mut done| MulOutput { out: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Mul<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<MulOutput>> {
        self.0.submit(context, |mut done| MulOutput { out: done.secret(0), status: done.status() })
    }
}

/// What [`Mul`] gives.
#[derive(Debug)]
pub struct MulOutput {
    /// a * b.
    pub out: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}

/// `mod.square`: squares modulo an odd number.
///
/// * `a`: a number. Secret.
pub fn square<'a>(modulus: &[u8], a: impl Into<Rows<'a>>) -> Square<'a> {
    Square(Call::of(&OPERATIONS[43], Selected::Modulus(modulus.to_vec())).with(0, a.into()))
}

/// A call of [`square`]: squares modulo an odd number.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Square<'a>(pub(crate) Call<'a>);

impl<'a> Square<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Square(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<SquareOutput> {
        self.0.run(context).map(|mut done| SquareOutput { out: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Square<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<SquareOutput>> {
        self.0.submit(context, |mut done| SquareOutput { out: done.secret(0), status: done.status() })
    }
}

/// What [`Square`] gives.
#[derive(Debug)]
pub struct SquareOutput {
    /// a^2.
    pub out: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}

/// `mod.inverse`: inverts modulo an odd number.
///
/// * `a`: a number. Secret.
pub fn inverse<'a>(modulus: &[u8], a: impl Into<Rows<'a>>) -> Inverse<'a> {
    Inverse(Call::of(&OPERATIONS[44], Selected::Modulus(modulus.to_vec())).with(0, a.into()))
}

/// A call of [`inverse`]: inverts modulo an odd number.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Inverse<'a>(pub(crate) Call<'a>);

impl<'a> Inverse<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Inverse(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<InverseOutput> {
        self.0.run(context).map(|mut done| InverseOutput { out: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Inverse<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<InverseOutput>> {
        self.0.submit(context, |mut done| InverseOutput { out: done.secret(0), status: done.status() })
    }
}

/// What [`Inverse`] gives.
#[derive(Debug)]
pub struct InverseOutput {
    /// a^-1.
    pub out: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}

/// `mod.power`: raises to a power modulo an odd number.
///
/// * `a`: a number. Secret.
/// * `exponent`: the exponent. Secret.
pub fn power<'a>(modulus: &[u8], a: impl Into<Rows<'a>>, exponent: impl Into<Rows<'a>>) -> Power<'a> {
    Power(Call::of(&OPERATIONS[45], Selected::Modulus(modulus.to_vec())).with(0, a.into()).with(1, exponent.into()))
}

/// A call of [`power`]: raises to a power modulo an odd number.
#[must_use = "nothing runs before `run`, `run_into` or `submit`"]
pub struct Power<'a>(pub(crate) Call<'a>);

impl<'a> Power<'a> {
    /// numbers, in and out, are little-endian.
    pub fn little_endian(self) -> Self {
        Power(self.0.flag(Flag::LittleEndian))
    }

    /// Run it, for as many rows as its columns have.
    pub fn run(self, context: &Context) -> Result<PowerOutput> {
        self.0.run(context).map(|mut done| PowerOutput { out: done.secret(0), status: done.status() })
    }

    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.
    pub fn run_into<'o>(self, context: &Context, out: impl Into<Out<'o>>, status: &mut [u8]) -> Result<()> {
        self.0.run_into(context, [out.into()], status)
    }
}

impl Power<'static> {
    /// Have it run while this thread goes on; the job owns its rows.
    pub fn submit(self, context: &Context) -> Result<Job<PowerOutput>> {
        self.0.submit(context, |mut done| PowerOutput { out: done.secret(0), status: done.status() })
    }
}

/// What [`Power`] gives.
#[derive(Debug)]
pub struct PowerOutput {
    /// a^exponent.
    pub out: SecretColumn,
    /// What came of each row.
    pub status: Statuses,
}
}
