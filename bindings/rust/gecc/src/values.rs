// Made by bindings/rust/generate.py from bindings/abi/gecc.json: do not edit.

//! The library's enums.

use crate::raw;
use std::fmt;

/// An elliptic curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Curve {
    /// secp256k1
    Secp256k1,
    /// P-256
    P256,
    /// P-384
    P384,
    /// SM2
    Sm2,
    /// P-521
    P521,
    /// brainpoolP256r1
    BrainpoolP256r1,
    /// brainpoolP384r1
    BrainpoolP384r1,
    /// brainpoolP512r1
    BrainpoolP512r1,
    /// Curve25519
    Curve25519,
}

impl Curve {
    /// All that this version knows.
    pub const ALL: [Curve; 9] = [
        Curve::Secp256k1,
        Curve::P256,
        Curve::P384,
        Curve::Sm2,
        Curve::P521,
        Curve::BrainpoolP256r1,
        Curve::BrainpoolP384r1,
        Curve::BrainpoolP512r1,
        Curve::Curve25519,
    ];

    /// The library's number for it.
    pub fn value(self) -> u32 {
        match self {
            Curve::Secp256k1 => 1,
            Curve::P256 => 2,
            Curve::P384 => 3,
            Curve::Sm2 => 4,
            Curve::P521 => 5,
            Curve::BrainpoolP256r1 => 6,
            Curve::BrainpoolP384r1 => 7,
            Curve::BrainpoolP512r1 => 8,
            Curve::Curve25519 => 16,
        }
    }

    pub(crate) fn of(value: u32) -> Option<Curve> {
        Self::ALL.iter().copied().find(|each| each.value() == value)
    }
}

impl std::str::FromStr for Curve {
    type Err = crate::Error;

    /// By any of its names that the library knows, in either case of letters.
    fn from_str(name: &str) -> crate::Result<Self> {
        Self::of(raw::curve_named(name)).ok_or_else(|| crate::Error::argument(format!("curve: none is called {:?}", name)))
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(raw::curve_text(self.value()))
    }
}

/// A hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hash {
    /// Sha256
    Sha256,
    /// Sha384
    Sha384,
    /// Sha512
    Sha512,
    /// Sm3
    Sm3,
    /// Keccak256
    Keccak256,
}

impl Hash {
    /// All that this version knows.
    pub const ALL: [Hash; 5] = [
        Hash::Sha256,
        Hash::Sha384,
        Hash::Sha512,
        Hash::Sm3,
        Hash::Keccak256,
    ];

    /// The library's number for it.
    pub fn value(self) -> u32 {
        match self {
            Hash::Sha256 => 1,
            Hash::Sha384 => 2,
            Hash::Sha512 => 3,
            Hash::Sm3 => 4,
            Hash::Keccak256 => 5,
        }
    }

    pub(crate) fn of(value: u32) -> Option<Hash> {
        Self::ALL.iter().copied().find(|each| each.value() == value)
    }
}

impl std::str::FromStr for Hash {
    type Err = crate::Error;

    /// By any of its names that the library knows, in either case of letters.
    fn from_str(name: &str) -> crate::Result<Self> {
        Self::of(raw::hash_named(name)).ok_or_else(|| crate::Error::argument(format!("hash: none is called {:?}", name)))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(raw::hash_text(self.value()))
    }
}

/// How points are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PointFormat {
    /// 04 || x || y, 1 + 2L bytes
    Uncompressed,
    /// 02 or 03 || x, 1 + L bytes
    Compressed,
    /// x || y, 2L bytes
    Raw,
}

impl PointFormat {
    /// All that this version knows.
    pub const ALL: [PointFormat; 3] = [
        PointFormat::Uncompressed,
        PointFormat::Compressed,
        PointFormat::Raw,
    ];

    /// The library's number for it.
    pub fn value(self) -> u32 {
        match self {
            PointFormat::Uncompressed => 0,
            PointFormat::Compressed => 1,
            PointFormat::Raw => 2,
        }
    }

    pub(crate) fn of(value: u32) -> Option<PointFormat> {
        Self::ALL.iter().copied().find(|each| each.value() == value)
    }
}

impl std::str::FromStr for PointFormat {
    type Err = crate::Error;

    /// By any of its names that the library knows, in either case of letters.
    fn from_str(name: &str) -> crate::Result<Self> {
        Self::of(raw::pointformat_named(name)).ok_or_else(|| crate::Error::argument(format!("pointformat: none is called {:?}", name)))
    }
}

impl fmt::Display for PointFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(raw::pointformat_text(self.value()))
    }
}

/// A flag of an operation; the methods of typed calls are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Flag {
    /// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row
    Der,
    /// refuse s greater than half the order; of signatures made, make it low
    LowS,
    /// leave s of signatures made on secp256k1 as it falls, instead of low
    AnyS,
    /// the scalars are public: faster, and timing depends on them
    PublicScalars,
    /// verify each signature in full before it is given
    VerifySignatures,
    /// numbers, in and out, are little-endian
    LittleEndian,
    /// a byte that says what was hashed follows each signature
    SighashByte,
    /// Ed25519ph: messages are hashed before they are signed
    Prehash,
    /// accept Ed25519 keys as ref10, OpenSSL and Go do: y need not be below p
    AcceptRef10,
    /// refuse Ed25519 keys and R of small order, as libsodium does
    AcceptStrict,
    /// accept what ZIP 215 does: keys and R in any encoding, times 8
    AcceptZip215,
    /// SM2 ciphertexts have their hash last, as before 2012, instead of in the middle
    C1c2c3,
    /// SM2 key exchange: this side is the one that answers
    Responder,
}

impl Flag {
    /// All that this version knows.
    pub const ALL: [Flag; 13] = [
        Flag::Der,
        Flag::LowS,
        Flag::AnyS,
        Flag::PublicScalars,
        Flag::VerifySignatures,
        Flag::LittleEndian,
        Flag::SighashByte,
        Flag::Prehash,
        Flag::AcceptRef10,
        Flag::AcceptStrict,
        Flag::AcceptZip215,
        Flag::C1c2c3,
        Flag::Responder,
    ];

    /// The library's number for it.
    pub fn value(self) -> u32 {
        match self {
            Flag::Der => 1,
            Flag::LowS => 2,
            Flag::AnyS => 4,
            Flag::PublicScalars => 8,
            Flag::VerifySignatures => 16,
            Flag::LittleEndian => 32,
            Flag::SighashByte => 64,
            Flag::Prehash => 128,
            Flag::AcceptRef10 => 256,
            Flag::AcceptStrict => 512,
            Flag::AcceptZip215 => 1024,
            Flag::C1c2c3 => 2048,
            Flag::Responder => 4096,
        }
    }

    pub(crate) fn of(value: u32) -> Option<Flag> {
        Self::ALL.iter().copied().find(|each| each.value() == value)
    }
}

impl std::str::FromStr for Flag {
    type Err = crate::Error;

    /// By any of its names that the library knows, in either case of letters.
    fn from_str(name: &str) -> crate::Result<Self> {
        Self::of(raw::flag_named(name)).ok_or_else(|| crate::Error::argument(format!("flag: none is called {:?}", name)))
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(raw::flag_text(self.value()))
    }
}

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// an argument is NULL, out of range or inconsistent
    Argument,
    /// not enough memory
    Memory,
    /// a thread could not be started
    Thread,
    /// the backend asked for is not available
    NoBackend,
    /// this backend does not offer this operation
    Unsupported,
    /// the device failed; rows marked as not processed have no result
    Device,
    /// a result failed its check; rows marked as not processed have no result
    Fault,
    /// cancelled; rows marked as not processed have no result
    Cancelled,
    /// the queue is full
    Busy,
    /// A value that a later version of the library gives.
    Other(u32),
}

impl ErrorKind {
    /// All that this version knows.
    pub const ALL: [ErrorKind; 9] = [
        ErrorKind::Argument,
        ErrorKind::Memory,
        ErrorKind::Thread,
        ErrorKind::NoBackend,
        ErrorKind::Unsupported,
        ErrorKind::Device,
        ErrorKind::Fault,
        ErrorKind::Cancelled,
        ErrorKind::Busy,
    ];

    /// The library's number for it.
    pub fn value(self) -> u32 {
        match self {
            ErrorKind::Argument => 1,
            ErrorKind::Memory => 2,
            ErrorKind::Thread => 3,
            ErrorKind::NoBackend => 4,
            ErrorKind::Unsupported => 5,
            ErrorKind::Device => 6,
            ErrorKind::Fault => 8,
            ErrorKind::Cancelled => 9,
            ErrorKind::Busy => 10,
            ErrorKind::Other(value) => value,
        }
    }

    /// What the library's number means.
    pub fn of(value: u32) -> ErrorKind {
        match value {
            1 => ErrorKind::Argument,
            2 => ErrorKind::Memory,
            3 => ErrorKind::Thread,
            4 => ErrorKind::NoBackend,
            5 => ErrorKind::Unsupported,
            6 => ErrorKind::Device,
            8 => ErrorKind::Fault,
            9 => ErrorKind::Cancelled,
            10 => ErrorKind::Busy,
            other => ErrorKind::Other(other),
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(raw::errorkind_text(self.value()))
    }
}

/// What came of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// not processed
    NotProcessed,
    /// valid, or computed
    Ok,
    /// well formed, but does not verify or has no result
    Invalid,
    /// the result is the point at infinity, which has no encoding of fixed width
    Infinity,
    /// a row has a width that its column cannot have
    MalformedWidth,
    /// a point's encoding starts with the wrong byte
    MalformedPointEncoding,
    /// a coordinate is not less than the field's prime
    MalformedPointRange,
    /// a point is not on the curve
    MalformedPointOffCurve,
    /// a private key or nonce is not between 1 and the order less 1 (key of SM2: less 2)
    MalformedScalar,
    /// a signature is not strict DER, or its sighash byte is 0
    MalformedSignatureEncoding,
    /// r or s is out of range
    MalformedSignatureRange,
    /// s is greater than half the order, and low s was asked for
    MalformedHighS,
    /// a recovery id is not 0, 1, 2 or 3, or Ethereum has no such v
    MalformedRecoveryId,
    /// a transaction is not well formed
    MalformedTransaction,
    /// there is no key of that number
    MalformedKeyNumber,
    /// a row names no curve or hash of the operation, or not the call's
    MalformedSelector,
    /// a text is not in hexadecimal, or in the encoding that was said
    MalformedText,
    /// a ciphertext is not strict DER
    MalformedCiphertext,
    /// the row has no value
    Null,
    /// A value that a later version of the library gives.
    Other(u8),
}

impl Status {
    /// All that this version knows.
    pub const ALL: [Status; 19] = [
        Status::NotProcessed,
        Status::Ok,
        Status::Invalid,
        Status::Infinity,
        Status::MalformedWidth,
        Status::MalformedPointEncoding,
        Status::MalformedPointRange,
        Status::MalformedPointOffCurve,
        Status::MalformedScalar,
        Status::MalformedSignatureEncoding,
        Status::MalformedSignatureRange,
        Status::MalformedHighS,
        Status::MalformedRecoveryId,
        Status::MalformedTransaction,
        Status::MalformedKeyNumber,
        Status::MalformedSelector,
        Status::MalformedText,
        Status::MalformedCiphertext,
        Status::Null,
    ];

    /// The library's number for it.
    pub fn value(self) -> u8 {
        match self {
            Status::NotProcessed => 0,
            Status::Ok => 1,
            Status::Invalid => 2,
            Status::Infinity => 3,
            Status::MalformedWidth => 16,
            Status::MalformedPointEncoding => 17,
            Status::MalformedPointRange => 18,
            Status::MalformedPointOffCurve => 19,
            Status::MalformedScalar => 20,
            Status::MalformedSignatureEncoding => 21,
            Status::MalformedSignatureRange => 22,
            Status::MalformedHighS => 23,
            Status::MalformedRecoveryId => 24,
            Status::MalformedTransaction => 25,
            Status::MalformedKeyNumber => 26,
            Status::MalformedSelector => 27,
            Status::MalformedText => 28,
            Status::MalformedCiphertext => 29,
            Status::Null => 255,
            Status::Other(value) => value,
        }
    }

    /// What the library's number means.
    pub fn of(value: u8) -> Status {
        match value {
            0 => Status::NotProcessed,
            1 => Status::Ok,
            2 => Status::Invalid,
            3 => Status::Infinity,
            16 => Status::MalformedWidth,
            17 => Status::MalformedPointEncoding,
            18 => Status::MalformedPointRange,
            19 => Status::MalformedPointOffCurve,
            20 => Status::MalformedScalar,
            21 => Status::MalformedSignatureEncoding,
            22 => Status::MalformedSignatureRange,
            23 => Status::MalformedHighS,
            24 => Status::MalformedRecoveryId,
            25 => Status::MalformedTransaction,
            26 => Status::MalformedKeyNumber,
            27 => Status::MalformedSelector,
            28 => Status::MalformedText,
            29 => Status::MalformedCiphertext,
            255 => Status::Null,
            other => Status::Other(other),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(raw::status_text(self.value()))
    }
}

/// What is wrong with a row that is no transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EthereumReason {
    /// it is well formed
    Parsed,
    /// it is empty
    Empty,
    /// there is no such type of transaction
    Type,
    /// an item goes on beyond the end
    TooShort,
    /// a list ends where an item is missing
    TooFew,
    /// bytes follow where the last item has ended
    TooMany,
    /// a length is not written in the shortest way
    Length,
    /// a string stands where a list has to
    NoList,
    /// a list stands where a string has to
    NoString,
    /// a number begins with a byte of zero
    Zeros,
    /// a number is too large
    Number,
    /// an address, hash, blob, commitment or proof has another width
    Width,
    /// blobs, commitments and proofs do not go together
    Sidecar,
    /// it is for another chain
    Chain,
    /// A value that a later version of the library gives.
    Other(u8),
}

impl EthereumReason {
    /// All that this version knows.
    pub const ALL: [EthereumReason; 14] = [
        EthereumReason::Parsed,
        EthereumReason::Empty,
        EthereumReason::Type,
        EthereumReason::TooShort,
        EthereumReason::TooFew,
        EthereumReason::TooMany,
        EthereumReason::Length,
        EthereumReason::NoList,
        EthereumReason::NoString,
        EthereumReason::Zeros,
        EthereumReason::Number,
        EthereumReason::Width,
        EthereumReason::Sidecar,
        EthereumReason::Chain,
    ];

    /// The library's number for it.
    pub fn value(self) -> u8 {
        match self {
            EthereumReason::Parsed => 0,
            EthereumReason::Empty => 1,
            EthereumReason::Type => 2,
            EthereumReason::TooShort => 3,
            EthereumReason::TooFew => 4,
            EthereumReason::TooMany => 5,
            EthereumReason::Length => 6,
            EthereumReason::NoList => 7,
            EthereumReason::NoString => 8,
            EthereumReason::Zeros => 9,
            EthereumReason::Number => 10,
            EthereumReason::Width => 11,
            EthereumReason::Sidecar => 12,
            EthereumReason::Chain => 13,
            EthereumReason::Other(value) => value,
        }
    }

    /// What the library's number means.
    pub fn of(value: u8) -> EthereumReason {
        match value {
            0 => EthereumReason::Parsed,
            1 => EthereumReason::Empty,
            2 => EthereumReason::Type,
            3 => EthereumReason::TooShort,
            4 => EthereumReason::TooFew,
            5 => EthereumReason::TooMany,
            6 => EthereumReason::Length,
            7 => EthereumReason::NoList,
            8 => EthereumReason::NoString,
            9 => EthereumReason::Zeros,
            10 => EthereumReason::Number,
            11 => EthereumReason::Width,
            12 => EthereumReason::Sidecar,
            13 => EthereumReason::Chain,
            other => EthereumReason::Other(other),
        }
    }
}

impl fmt::Display for EthereumReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(raw::ethereumreason_text(self.value()))
    }
}
