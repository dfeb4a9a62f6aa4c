// Made by bindings/rust/generate.py from bindings/abi/gecc.json: do not edit.
pub const GECC_CURVE_END: u32 = 9;
pub const GECC_CURVE_BYTES_MOST: u32 = 66;
pub const GECC_VERSION_MAJOR: u32 = 0;
pub const GECC_VERSION_MINOR: u32 = 3;
pub const GECC_VERSION_PATCH: u32 = 0;
pub const GECC_ADDRESS_BYTES: u32 = 20;
pub const GECC_SM2_DEFAULT_ID: &str = "1234567812345678";

/// gecc_result
pub type gecc_result = c_uint;
/// done
pub const GECC_OK: gecc_result = 0;
/// an argument is NULL, out of range or inconsistent
pub const GECC_ERROR_ARGUMENT: gecc_result = 1;
/// not enough memory
pub const GECC_ERROR_MEMORY: gecc_result = 2;
/// a thread could not be started
pub const GECC_ERROR_THREAD: gecc_result = 3;
/// the backend asked for is not available
pub const GECC_ERROR_NO_BACKEND: gecc_result = 4;
/// this backend does not offer this operation
pub const GECC_ERROR_UNSUPPORTED: gecc_result = 5;
/// the device failed; rows marked as not processed have no result
pub const GECC_ERROR_DEVICE: gecc_result = 6;
/// the job is still running
pub const GECC_PENDING: gecc_result = 7;
/// a result failed its check; rows marked as not processed have no result
pub const GECC_ERROR_FAULT: gecc_result = 8;
/// cancelled; rows marked as not processed have no result
pub const GECC_ERROR_CANCELLED: gecc_result = 9;
/// the queue is full
pub const GECC_ERROR_BUSY: gecc_result = 10;

/// gecc_item
pub type gecc_item = c_uint;
/// not processed
pub const GECC_ITEM_NOT_PROCESSED: gecc_item = 0;
/// valid, or computed
pub const GECC_ITEM_OK: gecc_item = 1;
/// well formed, but does not verify or has no result
pub const GECC_ITEM_INVALID: gecc_item = 2;
/// the result is the point at infinity, which has no encoding of fixed width
pub const GECC_ITEM_INFINITY: gecc_item = 3;
/// a row has a width that its column cannot have
pub const GECC_ITEM_MALFORMED_WIDTH: gecc_item = 16;
/// a point's encoding starts with the wrong byte
pub const GECC_ITEM_MALFORMED_POINT_ENCODING: gecc_item = 17;
/// a coordinate is not less than the field's prime
pub const GECC_ITEM_MALFORMED_POINT_RANGE: gecc_item = 18;
/// a point is not on the curve
pub const GECC_ITEM_MALFORMED_POINT_OFF_CURVE: gecc_item = 19;
/// a private key or nonce is not between 1 and the order less 1 (key of SM2: less 2)
pub const GECC_ITEM_MALFORMED_SCALAR: gecc_item = 20;
/// a signature is not strict DER, or its sighash byte is 0
pub const GECC_ITEM_MALFORMED_SIGNATURE_ENCODING: gecc_item = 21;
/// r or s is out of range
pub const GECC_ITEM_MALFORMED_SIGNATURE_RANGE: gecc_item = 22;
/// s is greater than half the order, and low s was asked for
pub const GECC_ITEM_MALFORMED_HIGH_S: gecc_item = 23;
/// a recovery id is not 0, 1, 2 or 3, or Ethereum has no such v
pub const GECC_ITEM_MALFORMED_RECOVERY_ID: gecc_item = 24;
/// a transaction is not well formed
pub const GECC_ITEM_MALFORMED_TRANSACTION: gecc_item = 25;
/// there is no key of that number
pub const GECC_ITEM_MALFORMED_KEY_NUMBER: gecc_item = 26;
/// a row names no curve or hash of the operation, or not the call's
pub const GECC_ITEM_MALFORMED_SELECTOR: gecc_item = 27;
/// a text is not in hexadecimal, or in the encoding that was said
pub const GECC_ITEM_MALFORMED_TEXT: gecc_item = 28;
/// a ciphertext is not strict DER
pub const GECC_ITEM_MALFORMED_CIPHERTEXT: gecc_item = 29;
/// the row has no value
pub const GECC_ITEM_NULL: gecc_item = 255;

/// The curves of gecc/curves.h. On GECC_CURVE25519 are Ed25519 and X25519 and nothing else.
pub type gecc_curve = c_uint;
/// secp256k1
pub const GECC_SECP256K1: gecc_curve = 1;
/// P-256
pub const GECC_P256: gecc_curve = 2;
/// P-384
pub const GECC_P384: gecc_curve = 3;
/// SM2
pub const GECC_SM2: gecc_curve = 4;
/// P-521
pub const GECC_P521: gecc_curve = 5;
/// brainpoolP256r1
pub const GECC_BRAINPOOL_P256R1: gecc_curve = 6;
/// brainpoolP384r1
pub const GECC_BRAINPOOL_P384R1: gecc_curve = 7;
/// brainpoolP512r1
pub const GECC_BRAINPOOL_P512R1: gecc_curve = 8;
/// Curve25519
pub const GECC_CURVE25519: gecc_curve = 16;

/// The hashes of gecc/hashes.h.
pub type gecc_hash = c_uint;
/// for nonces: the hash that gecc/curves.h names, the SHA-2 of as many bits, or more
pub const GECC_HASH_DEFAULT: gecc_hash = 0;
/// GECC_SHA256
pub const GECC_SHA256: gecc_hash = 1;
/// GECC_SHA384
pub const GECC_SHA384: gecc_hash = 2;
/// GECC_SHA512
pub const GECC_SHA512: gecc_hash = 3;
/// GECC_SM3
pub const GECC_SM3: gecc_hash = 4;
/// GECC_KECCAK256
pub const GECC_KECCAK256: gecc_hash = 5;

/// How points are written. How they are read follows from a row's width: 1 + L compressed, 2L raw x || y,
/// 1 + 2L uncompressed. Hybrid encodings and the point at infinity (one byte 00) are MALFORMED_POINT_ENCODING.
pub type gecc_point_format = c_uint;
/// 04 || x || y, 1 + 2L bytes
pub const GECC_POINT_UNCOMPRESSED: gecc_point_format = 0;
/// 02 or 03 || x, 1 + L bytes
pub const GECC_POINT_COMPRESSED: gecc_point_format = 1;
/// x || y, 2L bytes
pub const GECC_POINT_RAW: gecc_point_format = 2;

/// gecc_flag
pub type gecc_flag = c_uint;
/// signatures and ciphertexts, in and out, are strict DER instead of their parts in a row
pub const GECC_DER: gecc_flag = 1;
/// refuse s greater than half the order; of signatures made, make it low
pub const GECC_LOW_S: gecc_flag = 2;
/// leave s of signatures made on secp256k1 as it falls, instead of low
pub const GECC_ANY_S: gecc_flag = 4;
/// the scalars are public: faster, and timing depends on them
pub const GECC_PUBLIC_SCALARS: gecc_flag = 8;
/// verify each signature in full before it is given
pub const GECC_VERIFY_SIGNATURES: gecc_flag = 16;
/// numbers, in and out, are little-endian
pub const GECC_LITTLE_ENDIAN: gecc_flag = 32;
/// a byte that says what was hashed follows each signature
pub const GECC_SIGHASH_BYTE: gecc_flag = 64;
/// Ed25519ph: messages are hashed before they are signed
pub const GECC_PREHASH: gecc_flag = 128;
/// accept Ed25519 keys as ref10, OpenSSL and Go do: y need not be below p
pub const GECC_ACCEPT_REF10: gecc_flag = 256;
/// refuse Ed25519 keys and R of small order, as libsodium does
pub const GECC_ACCEPT_STRICT: gecc_flag = 512;
/// accept what ZIP 215 does: keys and R in any encoding, times 8
pub const GECC_ACCEPT_ZIP215: gecc_flag = 1024;
/// SM2 ciphertexts have their hash last, as before 2012, instead of in the middle
pub const GECC_C1C2C3: gecc_flag = 2048;
/// SM2 key exchange: this side is the one that answers
pub const GECC_RESPONDER: gecc_flag = 4096;

/// gecc_ethereum_reason
pub type gecc_ethereum_reason = c_uint;
/// it is well formed
pub const GECC_ETHEREUM_PARSED: gecc_ethereum_reason = 0;
/// it is empty
pub const GECC_ETHEREUM_EMPTY: gecc_ethereum_reason = 1;
/// there is no such type of transaction
pub const GECC_ETHEREUM_TYPE: gecc_ethereum_reason = 2;
/// an item goes on beyond the end
pub const GECC_ETHEREUM_TOO_SHORT: gecc_ethereum_reason = 3;
/// a list ends where an item is missing
pub const GECC_ETHEREUM_TOO_FEW: gecc_ethereum_reason = 4;
/// bytes follow where the last item has ended
pub const GECC_ETHEREUM_TOO_MANY: gecc_ethereum_reason = 5;
/// a length is not written in the shortest way
pub const GECC_ETHEREUM_LENGTH: gecc_ethereum_reason = 6;
/// a string stands where a list has to
pub const GECC_ETHEREUM_NO_LIST: gecc_ethereum_reason = 7;
/// a list stands where a string has to
pub const GECC_ETHEREUM_NO_STRING: gecc_ethereum_reason = 8;
/// a number begins with a byte of zero
pub const GECC_ETHEREUM_ZEROS: gecc_ethereum_reason = 9;
/// a number is too large
pub const GECC_ETHEREUM_NUMBER: gecc_ethereum_reason = 10;
/// an address, hash, blob, commitment or proof has another width
pub const GECC_ETHEREUM_WIDTH: gecc_ethereum_reason = 11;
/// blobs, commitments and proofs do not go together
pub const GECC_ETHEREUM_SIDECAR: gecc_ethereum_reason = 12;
/// it is for another chain
pub const GECC_ETHEREUM_CHAIN: gecc_ethereum_reason = 13;

/// Whether timing and memory have to keep something to themselves.
pub type gecc_secrecy = c_uint;
/// GECC_PUBLIC
pub const GECC_PUBLIC: gecc_secrecy = 0;
/// GECC_SECRET
pub const GECC_SECRET: gecc_secrecy = 1;
/// secret unless GECC_PUBLIC_SCALARS is set
pub const GECC_SECRET_BY_FLAG: gecc_secrecy = 2;

/// gecc_kind
pub type gecc_kind = c_uint;
/// a point, as input in any encoding
pub const GECC_KIND_POINT: gecc_kind = 1;
/// a number between 1 and the order less 1 (SM2: less 2)
pub const GECC_KIND_PRIVATE_KEY: gecc_kind = 2;
/// a number between 1 and the order less 1
pub const GECC_KIND_NONCE: gecc_kind = 3;
/// any number, taken modulo the order
pub const GECC_KIND_SCALAR: gecc_kind = 4;
/// a digest as ECDSA takes it
pub const GECC_KIND_DIGEST: gecc_kind = 5;
/// SM2's e
pub const GECC_KIND_SM2_DIGEST: gecc_kind = 6;
/// what the hash gives
pub const GECC_KIND_HASH: gecc_kind = 7;
/// r || s, or strict DER with GECC_DER
pub const GECC_KIND_SIGNATURE: gecc_kind = 8;
/// 0, 1, 2 or 3
pub const GECC_KIND_RECOVERY_ID: gecc_kind = 9;
/// random bytes
pub const GECC_KIND_ENTROPY: gecc_kind = 10;
/// a coordinate of a point
pub const GECC_KIND_SHARED_SECRET: gecc_kind = 11;
/// a number as wide as the modulus
pub const GECC_KIND_RESIDUE: gecc_kind = 12;
/// a number, in all rows of one width
pub const GECC_KIND_EXPONENT: gecc_kind = 13;
/// a signer's name
pub const GECC_KIND_SM2_ID: gecc_kind = 14;
/// any bytes
pub const GECC_KIND_MESSAGE: gecc_kind = 15;
/// the x of a point with an even y (BIP-340)
pub const GECC_KIND_X_ONLY_POINT: gecc_kind = 16;
/// x of R || s
pub const GECC_KIND_BIP340_SIGNATURE: gecc_kind = 17;
/// random bytes (BIP-340)
pub const GECC_KIND_AUXILIARY: gecc_kind = 18;
/// 32 bytes, or none (BIP-341)
pub const GECC_KIND_MERKLE_ROOT: gecc_kind = 19;
/// 0: even, or 1: odd
pub const GECC_KIND_PARITY: gecc_kind = 20;
/// a digest as Ethereum signs it
pub const GECC_KIND_DIGEST32: gecc_kind = 21;
/// r || s || v, v of 1 to 32 bytes
pub const GECC_KIND_ETHEREUM_SIGNATURE: gecc_kind = 22;
/// a big-endian number below 2^256
pub const GECC_KIND_ETHEREUM_NUMBER: gecc_kind = 23;
/// an Ethereum address
pub const GECC_KIND_ADDRESS: gecc_kind = 24;
/// the number of a key of gecc_keys, its lowest byte first
pub const GECC_KIND_KEY_NUMBER: gecc_kind = 25;
/// any number, taken modulo the order
pub const GECC_KIND_PUBLIC_SCALAR: gecc_kind = 26;
/// any 32 bytes, from which a private key is made
pub const GECC_KIND_SEED: gecc_kind = 27;
/// y and the parity of x (RFC 8032)
pub const GECC_KIND_ED25519_PUBLIC_KEY: gecc_kind = 28;
/// R || S
pub const GECC_KIND_ED25519_SIGNATURE: gecc_kind = 29;
/// up to 255 bytes that a signature is bound to
pub const GECC_KIND_CONTEXT: gecc_kind = 30;
/// any 32 bytes, of which some bits are set
pub const GECC_KIND_X25519_PRIVATE_KEY: gecc_kind = 31;
/// a u coordinate, any 32 bytes (RFC 7748)
pub const GECC_KIND_X25519_PUBLIC_KEY: gecc_kind = 32;
/// numbers as wide as the order, one behind the other
pub const GECC_KIND_SCALARS: gecc_kind = 33;
/// points of one width, one behind the other
pub const GECC_KIND_POINTS: gecc_kind = 34;
/// C1, C3 and C2 of SM2, or a SEQUENCE of them with GECC_DER
pub const GECC_KIND_CIPHERTEXT: gecc_kind = 35;
/// one byte or more, to be encrypted or decrypted
pub const GECC_KIND_PLAINTEXT: gecc_kind = 36;
/// as many bytes as are asked for
pub const GECC_KIND_DERIVED_KEY: gecc_kind = 37;
/// a hash that shows that both sides have one key
pub const GECC_KIND_CONFIRMATION: gecc_kind = 38;

/// What chooses among the programs of an operation.
pub type gecc_selector = c_uint;
/// gecc_parameters.curve
pub const GECC_SELECT_CURVE: gecc_selector = 1;
/// gecc_parameters.modulus
pub const GECC_SELECT_MODULUS: gecc_selector = 2;
/// gecc_parameters.hash
pub const GECC_SELECT_HASH: gecc_selector = 3;

/// Of the library alone.
#[repr(C)]
pub struct gecc_context {
    _private: [u8; 0],
}

/// Of the library alone.
#[repr(C)]
pub struct gecc_job {
    _private: [u8; 0],
}

/// Of the library alone.
#[repr(C)]
pub struct gecc_keys {
    _private: [u8; 0],
}

/// Of the library alone.
#[repr(C)]
pub struct gecc_queue {
    _private: [u8; 0],
}

/// A request is done: called once, on a thread of the queue, which computes nothing until it returns. It may submit (a
/// full queue, or one where others wait, is GECC_ERROR_BUSY then, even with waits_for_room), cancel, and call
/// gecc_queue_run, whose rows that thread then runs itself; it may not drain or close the queue, nor wait for another
/// request. Outputs, statuses and all that the request's thread wrote before it submitted can be seen here.
pub type gecc_queue_done = Option<unsafe extern "C" fn(argument: *mut c_void, result: gecc_result)>;

/// What arithmetic is modulo: see gecc/mod.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_modulus {
    /// \[bytes\], big-endian
    pub value: *const u8,
    pub bytes: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_modulus>() == 16 && align_of::<gecc_modulus>() == 8);

impl Default for gecc_modulus {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        unsafe { zeroed() }
    }
}

/// An input column: where row i starts and how many bytes it has.
/// Row i starts at data + offsets\[i\] if offsets is given, else at data + i * stride; stride 0 repeats one row for all.
/// It has widths\[i\] bytes if widths is given (then width is ignored), else width bytes. No alignment is needed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_rows {
    pub data: *const c_void,
    pub stride: usize,
    pub width: usize,
    /// \[count\] or NULL
    pub widths: *const u32,
    /// \[count\] or NULL
    pub offsets: *const u64,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_rows>() == 40 && align_of::<gecc_rows>() == 8);

impl Default for gecc_rows {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        unsafe { zeroed() }
    }
}

/// An output column: row i starts at data + i * stride; stride must be at least the row's greatest width. widths\[i\]
/// receives the row's width, 0 for a row without a result; it may be NULL where all rows have one width, which is
/// everywhere but for signatures in DER, ciphertexts and plaintexts. What the greatest width of ciphertexts, plaintexts
/// and derived keys is, the caller says: gecc_options.output_bytes. Up to it a row is written, with zeros after its end,
/// but never further. Where that is 0, it is the whole stride: rows that lie in a struct, with other members after them,
/// need it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_out {
    pub data: *mut c_void,
    pub stride: usize,
    /// \[count\] or NULL
    pub widths: *mut u32,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_out>() == 24 && align_of::<gecc_out>() == 8);

impl Default for gecc_out {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        unsafe { zeroed() }
    }
}

/// Where a call ran and how long it took.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_report {
    /// sizeof(gecc_report)
    pub size: usize,
    /// "cpu", "cuda"
    pub backend: [c_char; 16],
    /// "portable-adx, 2 threads", "ifma, 8 threads", a GPU's name, "8 x " and the name of each
    pub detail: [c_char; 48],
    /// why this backend: "asked for", "only one available", ...
    pub reason: [c_char; 96],
    /// from submission to the last result
    pub seconds: f64,
    /// of these, the time of a GPU's kernels, as it measured; 0: there is none
    pub kernel_seconds: f64,
    /// that came back often enough within the call to have tables made for the call,
    pub prepared_keys: usize,
    /// and how many rows ran with tables, kept ones too: see gecc/keys.h
    pub prepared_rows: usize,
    /// how many rows each GPU computed, by its number: "0: 4194304, 1: 4194304"; "" where none did
    pub devices: [c_char; 192],
    /// that have tables which are kept from call to call: gecc_config's key_cache_bytes
    pub kept_keys: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_report>() == 400 && align_of::<gecc_report>() == 8);

impl Default for gecc_report {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// gecc_options
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_options {
    /// sizeof(gecc_options)
    pub size: usize,
    /// gecc_flag, or'ed
    pub flags: u32,
    /// sign: the hash of RFC 6979's HMAC, one of GECC_NONCE_HASH_LIST
    pub nonce_hash: gecc_hash,
    /// how points are written
    pub point_format: gecc_point_format,
    /// filled when the call (or the job) is done; NULL: not wanted
    pub report: *mut gecc_report,
    /// not NULL: return at once and give a job to gecc_wait for; then every argument, the options' memory excepted, must live until the job is done
    pub job: *mut *mut gecc_job,
    /// a CUstream (cudaStream_t): columns in device memory are read when the work that is in the stream at the call is done; NULL: the default stream. Other backends ignore it
    pub stream: *mut c_void,
    /// of outputs that no standard gives a width: how many bytes each derived key has, and how many a ciphertext or plaintext has at most, whose row is MALFORMED_WIDTH if it would have more. 0: the column's stride, which is then written to its end, over any other data there. An argument error where the operation has no such output, and if it is more than UINT32_MAX
    pub output_bytes: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_options>() == 56 && align_of::<gecc_options>() == 8);

impl Default for gecc_options {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// gecc_config
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_config {
    /// sizeof(gecc_config)
    pub size: usize,
    /// "auto" (or NULL), "cpu", "cuda". "auto": the CPU and, where there is one, the GPU; each call takes what is faster for it, as earlier calls showed, and the CPU does what the GPU fails to do; or what the environment variable GECC_BACKEND names
    pub backend: *const c_char,
    /// of the CPU, and that copy rows for a GPU (16 at most); 0: one for each processor
    pub threads: c_uint,
    /// the GPUs that share jobs, by their numbers among those that CUDA_VISIBLE_DEVICES leaves: "0", or "0,2", or "all" (or NULL). By number all have to be there and are opened by gecc_open; of "all", one is, the others when rows pay for them. A number given twice is two GPUs to gecc
    pub device: *const c_char,
    /// the most that tables of multiples of G take of the GPU's memory, all curves and all contexts of this process together; 0: a quarter of it
    pub device_table_bytes: usize,
    /// the most that tables of keys that repeat within a call take, with what finds such keys; 0: a quarter of a GiB, on a GPU a quarter of what is free, and 20 bytes a row of the host's; 1: none
    pub key_table_bytes: usize,
    /// the most pinned memory that rows pass through on their way to and from each GPU, but for single rows that need more, and 512 KiB at least; 0: 1 GiB
    pub staging_bytes: usize,
    /// the most that tables of public keys take which are kept from call to call, of each place that has a copy; 0: none are kept. A key gets one when it has come in 64 rows with good signatures, as long as there is room, of which each curve takes half of what is left. Not for submitted jobs, rows in a GPU's memory and little-endian rows
    pub key_cache_bytes: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_config>() == 64 && align_of::<gecc_config>() == 8);

impl Default for gecc_config {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// gecc_backend_info
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_backend_info {
    /// sizeof(gecc_backend_info)
    pub size: usize,
    /// "cpu", "cuda"
    pub name: [c_char; 16],
    /// "portable-adx", "portable-c", "ifma", a GPU's name
    pub device: [c_char; 64],
    /// 1: can be used; 0: `reason` says why not
    pub available: c_int,
    /// 1: this context uses it
    pub chosen: c_int,
    /// of the CPU backend, else 0
    pub threads: c_uint,
    pub reason: [c_char; 132],
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_backend_info>() == 232 && align_of::<gecc_backend_info>() == 8);

impl Default for gecc_backend_info {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// gecc_device_info
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_device_info {
    /// sizeof(gecc_device_info)
    pub size: usize,
    /// what gecc_config.device calls it
    pub number: c_uint,
    /// 1: can be used; 0: `reason` says why not
    pub available: c_int,
    /// 1: jobs of the context may run on it
    pub chosen: c_int,
    /// 1: the context has opened it, and it works
    pub open: c_int,
    /// "NVIDIA H200"
    pub name: [c_char; 64],
    /// "GPU-0f1c..."; of a part of a GPU (MIG), its own
    pub uuid: [c_char; 48],
    /// "sm_90"
    pub architecture: [c_char; 16],
    /// where it is: "0000:1b:00.0"
    pub bus: [c_char; 32],
    /// of the host's memory that it is near; -1: unknown, or there is one alone
    pub numa_node: c_int,
    pub multiprocessors: c_uint,
    /// bytes
    pub memory: u64,
    /// why it cannot be used, or does not work any more; "" otherwise
    pub reason: [c_char; 132],
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_device_info>() == 336 && align_of::<gecc_device_info>() == 8);

impl Default for gecc_device_info {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// gecc_ethereum_options
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_ethereum_options {
    /// sizeof(gecc_ethereum_options)
    pub size: usize,
    /// GECC_ANY_S: transactions may have any s, as Frontier's had; authorizations never may. Others but GECC_LOW_S, which says what holds without it, are GECC_ERROR_ARGUMENT
    pub flags: u32,
    /// refuse transactions for other chains; 0: take all. Those from before EIP-155 are for any
    pub chain_id: u64,
    /// filled when the call is done: where it recovered, and how long all of it took; NULL: not wanted
    pub report: *mut gecc_report,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_ethereum_options>() == 32 && align_of::<gecc_ethereum_options>() == 8);

impl Default for gecc_ethereum_options {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// How keys are prepared. By default tables take at most a quarter of a GiB, on "cuda" a quarter of the GPU's free
/// memory. On "auto" the CPU has tables, of which gecc_keys_info tells, and a GPU gets its own, of the same
/// configuration and in its own memory, when calls on the set first run there.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_keys_config {
    /// sizeof(gecc_keys_config)
    pub size: usize,
    /// that are expected of each key, over the life of the set; 0: some hundred
    pub rows: usize,
    /// bytes that tables may take; 0: the default. Where it is not enough windows are narrower
    pub memory: usize,
    /// bits of a window, 4 to 16; 0: as many as take the least time for those rows
    pub window: c_uint,
    /// keys that there is to be room for; 0, or fewer than are given: for no others
    pub capacity: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_keys_config>() == 40 && align_of::<gecc_keys_config>() == 8);

impl Default for gecc_keys_config {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// What was prepared.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_keys_info {
    /// sizeof(gecc_keys_info)
    pub size: usize,
    pub curve: gecc_curve,
    /// keys, refused ones among them
    pub count: usize,
    /// bytes of tables, those of keys that may be added included
    pub memory: usize,
    /// bits of a window
    pub window: c_uint,
    /// keys that there is room for
    pub capacity: usize,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_keys_info>() == 48 && align_of::<gecc_keys_info>() == 8);

impl Default for gecc_keys_info {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// gecc_column
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_column {
    /// as the argument of the typed function is called: "public_key"
    pub name: *const c_char,
    /// what it is to the operation: "the signer's public key"
    pub text: *const c_char,
    pub kind: gecc_kind,
    pub secrecy: gecc_secrecy,
    pub is_output: c_int,
    /// may be left out
    pub is_optional: c_int,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_column>() == 32 && align_of::<gecc_column>() == 8);

impl Default for gecc_column {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        unsafe { zeroed() }
    }
}

/// options-\>point_format means something where an output is a point or a column a ciphertext, options-\>nonce_hash where
/// there is an input of entropy, options-\>output_bytes where an output is a ciphertext, a plaintext or a derived key;
/// elsewhere output_bytes is an argument error.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_operation {
    /// "ecdsa.verify": the typed function is gecc_ecdsa_verify
    pub name: *const c_char,
    /// what it does to a row: "checks an ECDSA signature"
    pub text: *const c_char,
    pub selector: gecc_selector,
    /// bit c is set where it works on gecc_curve c; 0: it has no curve
    pub curves: u32,
    /// the gecc_flag that mean something to it, or'ed
    pub flags: u32,
    /// of its inputs together
    pub secrecy: gecc_secrecy,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_operation>() == 32 && align_of::<gecc_operation>() == 8);

impl Default for gecc_operation {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        unsafe { zeroed() }
    }
}

/// What an operation works with besides its columns; it reads the one that its selector names.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_parameters {
    /// sizeof(gecc_parameters)
    pub size: usize,
    /// may be 0 where the operation works on one curve alone
    pub curve: gecc_curve,
    /// not GECC_HASH_DEFAULT
    pub hash: gecc_hash,
    /// read before the call returns
    pub modulus: gecc_modulus,
    /// for operations on numbers of keys, of the same context; curve may be 0 then: gecc/keys.h
    pub keys: *mut gecc_keys,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_parameters>() == 40 && align_of::<gecc_parameters>() == 8);

impl Default for gecc_parameters {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// Which widths the rows of a column can have: width\[0 .. count - 1\], and where count is 0 any from least to most.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_widths {
    pub least: usize,
    pub most: usize,
    pub count: usize,
    pub width: [usize; 4],
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_widths>() == 56 && align_of::<gecc_widths>() == 8);

impl Default for gecc_widths {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        unsafe { zeroed() }
    }
}

/// gecc_queue_config
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_queue_config {
    /// sizeof(gecc_queue_config)
    pub size: usize,
    /// the most rows that are submitted and not done (or done and not taken, see gecc_queue_take); 0: 65,536. A request of no rows counts as one
    pub rows: usize,
    /// the most memory that their copies and outputs take; 0: 64 MiB
    pub bytes: usize,
    /// microseconds that a row waits for others while a thread has nothing to do; 0: 200
    pub max_wait_us: u32,
    /// of the queue, which run jobs; 0: as many as the context's CPU backend has
    pub threads: c_uint,
    /// 1: who submits to a full queue waits until there is room, and others behind that thread, in order; 0: it is GECC_ERROR_BUSY
    pub waits_for_room: c_int,
    /// has to be 0
    pub reserved: c_int,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_queue_config>() == 40 && align_of::<gecc_queue_config>() == 8);

impl Default for gecc_queue_config {
    /// Zeros; `size` is that of the struct.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        let zeros: Self = unsafe { zeroed() };
        Self { size: size_of::<Self>(), ..zeros }
    }
}

/// A request that is done and had no gecc_queue_done.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gecc_completion {
    /// as it was submitted
    pub argument: *mut c_void,
    pub result: gecc_result,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<gecc_completion>() == 16 && align_of::<gecc_completion>() == 8);

impl Default for gecc_completion {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, and addresses that may be null.
        unsafe { zeroed() }
    }
}

extern "C" {
    /// The version of the library that runs, "0.3.0"; the macros are those of the headers that a program was compiled with.
    /// A program that was compiled against 0.2 runs with every later 0.x that has the same SONAME: structs whose first field
    /// is their size may grow at their end.
    pub fn gecc_version() -> *const c_char;
    /// The same as a number, GECC_VERSION_NUMBER of the library that runs.
    pub fn gecc_version_number() -> u32;
    /// Static texts in English; never NULL.
    pub fn gecc_result_text(result: gecc_result) -> *const c_char;
    /// gecc_item_text
    pub fn gecc_item_text(item: u8) -> *const c_char;
    /// Why the last call of this thread that failed did so, in words that name the argument: "digest: rows of 19 bytes,
    /// where a digest has 20 to 64". "" if none has failed. Valid until the thread's next call that fails; never holds what
    /// a row holds.
    pub fn gecc_error_text() -> *const c_char;
    /// L: bytes of a field element, a scalar. 0 for a value that is no curve.
    pub fn gecc_curve_bytes(curve: gecc_curve) -> usize;
    /// The name people write: "secp256k1", "P-256", "brainpoolP256r1". NULL for a value that is no curve.
    pub fn gecc_curve_name(curve: gecc_curve) -> *const c_char;
    /// The curve of that name, which may also be one that OpenSSL, SEC 2, ANSI X9.62 or JOSE has for it ("prime256v1"), or
    /// its object identifier ("1.2.840.10045.3.1.7"); letters are alike in either case. 0: no curve has it, or it is
    /// NULL.
    pub fn gecc_curve_named(name: *const c_char) -> gecc_curve;
    /// Bytes of a digest; 0 for GECC_HASH_DEFAULT and for a value that is no hash.
    pub fn gecc_hash_bytes(hash: gecc_hash) -> usize;
    /// The name people write: "SHA-256", "Keccak-256". NULL for GECC_HASH_DEFAULT and for a value that is no hash.
    pub fn gecc_hash_name(hash: gecc_hash) -> *const c_char;
    /// The hash of that name, with or without the hyphen; letters are alike in either case. GECC_HASH_DEFAULT: no hash has
    /// it, or it is NULL.
    pub fn gecc_hash_named(name: *const c_char) -> gecc_hash;
    /// gecc_point_bytes
    pub fn gecc_point_bytes(curve: gecc_curve, format: gecc_point_format) -> usize;
    /// The greatest width of a DER signature on the curve: 72 where L is 32.
    pub fn gecc_der_bytes(curve: gecc_curve) -> usize;
    /// Open a context. config NULL: GECC_CONFIG_INIT. Any number of threads may use one context at once, except that
    /// gecc_close must be the last call and waits for the jobs under way. The environment variable
    /// GECC_CPU=ifma|ifma-256|avx512|portable|portable-adx|portable-aarch64|portable-c chooses the CPU code, the fastest by
    /// default; one that this build or this processor lacks is an error (GECC_ERROR_NO_BACKEND). So is a GECC_BACKEND that
    /// is not auto, cpu or cuda, or not available, where config leaves the choice to the library. A thread that calls
    /// operations needs a stack of 160 KiB; where it has fewer than 144 KiB left, they return GECC_ERROR_MEMORY. Jobs
    /// (gecc_options.job) take little of it.
    pub fn gecc_open(context: *mut *mut gecc_context, config: *const gecc_config) -> gecc_result;
    /// gecc_close
    pub fn gecc_close(context: *mut gecc_context);
    /// The backends this library knows, available or not: fill info, whose size is set, for index 0 .. count - 1; the
    /// function returns count.
    pub fn gecc_backends(context: *const gecc_context, index: usize, info: *mut gecc_backend_info) -> usize;
    /// The GPUs of this machine that CUDA_VISIBLE_DEVICES leaves, usable or not: fill info, whose size is set, for index 0
    /// .. count - 1; the function returns count. context: whose choice it is that `chosen` and `open` tell; NULL: nobody's.
    /// A context that has not opened a GPU yet has chosen none.
    pub fn gecc_devices(context: *const gecc_context, index: usize, info: *mut gecc_device_info) -> usize;
    /// Memory for rows: pinned where the context has a GPU, so that rows move at the speed of the bus; else as malloc gives
    /// it. 64-byte aligned, not cleared. Freed by gecc_memory_free before gecc_close; freeing NULL does nothing.
    pub fn gecc_memory_allocate(context: *mut gecc_context, memory: *mut *mut c_void, bytes: usize) -> gecc_result;
    /// gecc_memory_free
    pub fn gecc_memory_free(context: *mut gecc_context, memory: *mut c_void);
    /// Wait for a job and free it; returns the result of its call. Once for each job, before gecc_close.
    pub fn gecc_wait(job: *mut gecc_job) -> gecc_result;
    /// As gecc_poll, but wait for the job's end before, for no longer than so many microseconds. gecc_wait has to follow
    /// all the same, and does not wait then.
    pub fn gecc_wait_for(job: *mut gecc_job, microseconds: u64) -> gecc_result;
    /// GECC_PENDING while the job runs, else its result; does not free it.
    pub fn gecc_poll(job: *const gecc_job) -> gecc_result;
    /// Have the job end early: chunks of rows that are being computed are finished, some hundred rows each, and no others
    /// begun. If there were others, the job's result is GECC_ERROR_CANCELLED, and their statuses read
    /// GECC_ITEM_NOT_PROCESSED. Any thread may call it before gecc_wait is called, which frees the job: no gecc_wait may
    /// begin until gecc_cancel has returned. A thread whose job others may cancel waits with gecc_wait_for. The job has to
    /// be waited for all the same, and its arguments have to live until then.
    pub fn gecc_cancel(job: *mut gecc_job);
    /// digest = hash(message), gecc_hash_bytes(hash) bytes a row. Messages of any width (usually rows with widths and
    /// offsets). Every row reads OK. Timing depends on the widths alone.
    pub fn gecc_digest(context: *mut gecc_context, hash: gecc_hash, digest: gecc_out, status: gecc_out, message: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Is each row the encoding of a point on the curve? OK or MALFORMED_*. Public data.
    pub fn gecc_ec_validate(context: *mut gecc_context, curve: gecc_curve, status: gecc_out, point: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = point, written in options-\>point_format: compresses, decompresses, adds or takes away the prefix. Public
    /// data.
    pub fn gecc_ec_convert(context: *mut gecc_context, curve: gecc_curve, out: gecc_out, status: gecc_out, point: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = a + b. INFINITY where b = -a. Public data.
    pub fn gecc_ec_add(context: *mut gecc_context, curve: gecc_curve, out: gecc_out, status: gecc_out, a: gecc_rows, b: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = 2 * point. Public data.
    pub fn gecc_ec_double(context: *mut gecc_context, curve: gecc_curve, out: gecc_out, status: gecc_out, point: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = private_key * G. private_key: L bytes, 1 \<= private_key \< n, on SM2 \< n - 1 (GM/T 0003), else MALFORMED_SCALAR.
    /// Secret, constant time.
    pub fn gecc_ec_public_key(context: *mut gecc_context, curve: gecc_curve, out: gecc_out, status: gecc_out, private_key: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = k * G. k: L bytes, any value, taken modulo n; INFINITY where that is 0.
    /// k is secret (constant time) unless GECC_PUBLIC_SCALARS is set.
    pub fn gecc_ec_mul_base(context: *mut gecc_context, curve: gecc_curve, out: gecc_out, status: gecc_out, k: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = k * point. k as above; the point is public.
    pub fn gecc_ec_mul(context: *mut gecc_context, curve: gecc_curve, out: gecc_out, status: gecc_out, k: gecc_rows, point: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = the sum of k_i * P_i over a group of terms (multi-scalar multiplication). A row is a group. Its row of k has
    /// the scalars, L bytes each, one behind the other; its row of point has as many points, one behind the other, all in
    /// one encoding, which the width of the row tells. Groups may differ in how many terms they have; the sum of none is
    /// infinity. Scalars may have any value, and are taken modulo n.
    ///
    /// All is public: the time that it takes depends on scalars and points. INFINITY where the sum is that. A group has the
    /// status of its first term that is refused, and gecc_ec_validate says of each point what is wrong with it; it reads
    /// MALFORMED_WIDTH where its row of k is not a number of scalars, or that of point not as many points. No group depends
    /// on another one, nor on how many threads there are: those share the terms of a group.
    ///
    /// A thread takes up to 16 MB of memory for it on a curve of 256 bits, on wider ones up to 40, until the context is
    /// closed. GPUs have no program for it: "cuda" returns GECC_ERROR_UNSUPPORTED; "auto" leaves it to the CPU, and returns
    /// GECC_ERROR_UNSUPPORTED where a column lies in a GPU's memory. Where no thread for the background can be had,
    /// as in a child of fork, a call with options.job returns when the job is done.
    pub fn gecc_ec_msm(context: *mut gecc_context, curve: gecc_curve, out: gecc_out, status: gecc_out, k: gecc_rows, point: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = u * G + v * point. u and v as k above.
    pub fn gecc_ec_mul_add(context: *mut gecc_context, curve: gecc_curve, out: gecc_out, status: gecc_out, u: gecc_rows, v: gecc_rows, point: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = u * G + v * key, for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h). u and v
    /// are public.
    pub fn gecc_ec_mul_add_keys(context: *mut gecc_context, keys: *mut gecc_keys, out: gecc_out, status: gecc_out, u: gecc_rows, v: gecc_rows, key: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Diffie-Hellman (SP 800-56A, 5.7.1.2; SEC 1, 3.3.1): shared = the x coordinate of private_key * peer, L bytes, not
    /// hashed. private_key: as for gecc_ec_public_key. peer: a public point, validated.
    pub fn gecc_ecdh(context: *mut gecc_context, curve: gecc_curve, shared: gecc_out, status: gecc_out, private_key: gecc_rows, peer: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Sign with the deterministic nonces of RFC 6979 (options-\>nonce_hash). private_key: as for gecc_ec_public_key.
    /// entropy: 32 bytes a row of extra input to the nonce (RFC 6979, 3.6), secret; gecc_rows_none(): none. recovery_id: one
    /// byte a row, 0..3: bit 0 the parity of R's y (after low s), bit 1 whether R's x was not less than n; gecc_out_none():
    /// not wanted. Each signature is checked (R on the curve, the signing equation) before it is published; one that fails
    /// the check reads GECC_ITEM_NOT_PROCESSED and the call returns GECC_ERROR_FAULT. s is low on secp256k1 unless
    /// GECC_ANY_S is set, elsewhere if GECC_LOW_S is set.
    pub fn gecc_ecdsa_sign(context: *mut gecc_context, curve: gecc_curve, signature: gecc_out, recovery_id: gecc_out, status: gecc_out, private_key: gecc_rows, digest: gecc_rows, entropy: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Sign with the caller's nonces. DANGEROUS: a nonce that repeats, or a few known bits of it, reveals the private key.
    /// For known-answer tests and protocols that prescribe the nonce. nonce: L bytes, 1 \<= nonce \< n, secret.
    /// INVALID where r or s would be 0.
    pub fn gecc_ecdsa_sign_with_dangerous_nonce(context: *mut gecc_context, curve: gecc_curve, signature: gecc_out, recovery_id: gecc_out, status: gecc_out, private_key: gecc_rows, digest: gecc_rows, nonce: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// OK (valid), INVALID, or MALFORMED_* for each row. High s is accepted unless GECC_LOW_S is set. Public data.
    pub fn gecc_ecdsa_verify(context: *mut gecc_context, curve: gecc_curve, status: gecc_out, public_key: gecc_rows, digest: gecc_rows, signature: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// The same for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h).
    pub fn gecc_ecdsa_verify_keys(context: *mut gecc_context, keys: *mut gecc_keys, status: gecc_out, key: gecc_rows, digest: gecc_rows, signature: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// The public key under which the signature is valid, written in options-\>point_format. recovery_id: one byte a row,
    /// 0..3. INVALID where no such key exists (SEC 1, 4.1.6). Public data.
    pub fn gecc_ecdsa_recover(context: *mut gecc_context, curve: gecc_curve, public_key: gecc_out, status: gecc_out, digest: gecc_rows, signature: gecc_rows, recovery_id: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// public_key = that of the seed. Secret, constant time.
    pub fn gecc_ed25519_public_key(context: *mut gecc_context, public_key: gecc_out, status: gecc_out, seed: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// signature = that of the message by the seed, whose public key is computed as well. ctx may be left out. Seeds are
    /// secret, messages and contexts public; constant time. On a CPU each signature is checked before it is given; with
    /// GECC_VERIFY_SIGNATURES each is verified in full, on a GPU too. One that fails reads NOT_PROCESSED, and the call
    /// returns GECC_ERROR_FAULT.
    pub fn gecc_ed25519_sign(context: *mut gecc_context, signature: gecc_out, status: gecc_out, seed: gecc_rows, message: gecc_rows, ctx: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Does the signature hold for message and public key? OK, INVALID or MALFORMED_*. ctx may be left out. Public data.
    pub fn gecc_ed25519_verify(context: *mut gecc_context, status: gecc_out, public_key: gecc_rows, message: gecc_rows, signature: gecc_rows, ctx: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// The same for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h). Which keys are refused,
    /// the rule of this call decides, and not the statuses that they had when they were prepared.
    pub fn gecc_ed25519_verify_keys(context: *mut gecc_context, keys: *mut gecc_keys, status: gecc_out, key: gecc_rows, message: gecc_rows, signature: gecc_rows, ctx: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// address = that of the public key, a point in any encoding.
    pub fn gecc_ethereum_address(context: *mut gecc_context, address: gecc_out, status: gecc_out, public_key: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// address = that of the key that made the signature of the digest, of 32 bytes. INVALID where there is none.
    pub fn gecc_ethereum_recover(context: *mut gecc_context, address: gecc_out, status: gecc_out, digest: gecc_rows, signature: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// The same of signatures whose r, s and v are columns.
    pub fn gecc_ethereum_recover_columns(context: *mut gecc_context, address: gecc_out, status: gecc_out, digest: gecc_rows, r: gecc_rows, s: gecc_rows, v: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// The same of signatures of the Keccak-256 of a message: the bytes of a transaction that are signed, of EIP-191's or
    /// EIP-712's data, which begin with 0x19, or any others. Messages may be empty, and of 2^32 - 1 bytes.
    pub fn gecc_ethereum_recover_message(context: *mut gecc_context, address: gecc_out, status: gecc_out, message: gecc_rows, signature: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// A static text in English; never NULL.
    pub fn gecc_ethereum_reason_text(reason: u8) -> *const c_char;
    /// Who sent each transaction. sender: 20 bytes. Optional are hash, 32 bytes: the transaction's; type, a byte; reason, a
    /// byte: a gecc_ethereum_reason; position, a uint32_t. status: OK, MALFORMED_TRANSACTION, or what gecc_ethereum_recover
    /// says of the signature: MALFORMED_HIGH_S unless the options have GECC_ANY_S (EIP-2). A transaction that is well formed
    /// has its hash whatever is said of its signature; a row without a result has zeros. All memory is the host's. Threads
    /// of this process read the rows while the context's backend hashes and recovers those before; a row has fewer than 2^32
    /// bytes. Takes 160 MB of memory at most for up to 1,048,576 rows, 640 MB for 4,194,304 and more, and eight times the
    /// width of a row that is wider than 16 MB. Rows that change meanwhile are read as this or that, or refused; others are
    /// not harmed. Returns when all is done.
    pub fn gecc_ethereum_senders(context: *mut gecc_context, sender: gecc_out, hash: gecc_out, type_: gecc_out, reason: gecc_out, position: gecc_out, status: gecc_out, transactions: gecc_rows, count: usize, options: *const gecc_ethereum_options) -> gecc_result;
    /// Who signed the authorizations of transactions of type 0x04; others have none, and so have rows that are no
    /// transactions. offsets\[count + 1\]: the authorities of row i are rows offsets\[i\] .. offsets\[i + 1\] - 1 of authority, 20
    /// bytes, and status: OK, or why an authorization has no authority, which the protocol then skips. `capacity` rows have
    /// room; where that is fewer than offsets\[count\], the call returns GECC_ERROR_ARGUMENT, with the offsets written. With
    /// authority and status gecc_out_none() and capacity 0 it counts, no more. Takes 8 bytes of memory a row, and 150 for
    /// each of up to 262,144 authorizations.
    pub fn gecc_ethereum_authorities(context: *mut gecc_context, offsets: *mut u64, authority: gecc_out, status: gecc_out, capacity: usize, transactions: gecc_rows, count: usize, options: *const gecc_ethereum_options) -> gecc_result;
    /// Where a block has its transactions: block\[bytes\] is its RLP, \[header, transactions, uncles, ...\]. Transaction i, a
    /// list, or a string that begins with its type, is the widths\[i\] bytes from offsets\[i\] on, a row as above. *count: how
    /// many there are; of offsets and widths, both \[capacity\], the first are written. NULL for both, and 0: only count.
    /// GECC_ERROR_ARGUMENT: it is not a block; *count is 0, and gecc_error_text says at which byte. Transactions are only
    /// told apart, not looked into.
    pub fn gecc_ethereum_block_transactions(offsets: *mut u64, widths: *mut u32, capacity: usize, count: *mut usize, block: *const c_void, bytes: usize) -> gecc_result;
    /// Check keys and make their tables: key i has number i. public_keys: points as anywhere; or on secp256k1 rows of 32
    /// bytes, the x of keys with an even y (BIP-340); on Curve25519 Ed25519's. They are read before the call returns.
    /// status: one byte a row, OK or why the key was refused, of Ed25519 by the rule without a flag: whether a row's key is
    /// refused, the rule of the call that verifies decides (gecc/ed25519.h). Both in host memory. config NULL:
    /// GECC_KEYS_CONFIG_INIT. GECC_ERROR_MEMORY where not even the narrowest windows fit. Public data. The set belongs to
    /// the context; any number of threads may use it at once. *keys is NULL unless the call succeeds. A call that is refused
    /// has set all statuses to NOT_PROCESSED, unless there are 2^32 keys or more.
    pub fn gecc_keys_open(context: *mut gecc_context, keys: *mut *mut gecc_keys, curve: gecc_curve, status: gecc_out, public_keys: gecc_rows, count: usize, config: *const gecc_keys_config) -> gecc_result;
    /// More keys, which get the next numbers; *first, unless it is NULL, is that of the first of them. All as at
    /// gecc_keys_open, but that config.capacity said how many there is room for; more are GECC_ERROR_ARGUMENT. Other threads
    /// may use the set and add to it meanwhile: to calls that began before this one returned, the new numbers may be of no
    /// key. Where the call fails no key was added.
    pub fn gecc_keys_add(keys: *mut gecc_keys, status: gecc_out, public_keys: gecc_rows, count: usize, first: *mut usize) -> gecc_result;
    /// No call may use the set any more. Before gecc_close; closing NULL does nothing.
    pub fn gecc_keys_close(keys: *mut gecc_keys);
    /// Fill info, whose size is set.
    pub fn gecc_keys_describe(keys: *const gecc_keys, info: *mut gecc_keys_info);
    /// The gecc_flag of that short name, "low_s", as gecc_flag_name gives it. 0: no flag has it.
    pub fn gecc_flag_named(name: *const c_char) -> u32;
    /// The kind of that short name, "private key", as gecc_kind_name gives it. 0: no kind has it.
    pub fn gecc_kind_named(name: *const c_char) -> gecc_kind;
    /// The name of a status: that of its gecc_item without GECC_ITEM_, "OK", "MALFORMED_POINT_RANGE". NULL for a value that
    /// is none.
    pub fn gecc_item_name(item: u8) -> *const c_char;
    /// The gecc_item of that name; -1: no status has it.
    pub fn gecc_item_named(name: *const c_char) -> c_int;
    /// The name of a result: its gecc_result without GECC_, "OK", "ERROR_ARGUMENT", "PENDING". NULL for a value that is
    /// none.
    pub fn gecc_result_name(result: gecc_result) -> *const c_char;
    /// The gecc_result of that name; -1: no result has it.
    pub fn gecc_result_named(name: *const c_char) -> c_int;
    /// The gecc_point_format of that name, "uncompressed", "compressed" or "raw"; -1: no format has it.
    pub fn gecc_point_format_named(name: *const c_char) -> c_int;
    /// gecc_run.
    pub fn gecc_run_by_address(context: *mut gecc_context, operation: *const gecc_operation, parameters: *const gecc_parameters, outputs: *const gecc_out, status: *const gecc_out, inputs: *const gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// gecc_column_widths, whose result *widths receives; where widths is NULL nothing happens.
    pub fn gecc_column_widths_by_address(operation: *const gecc_operation, column: *const gecc_column, parameters: *const gecc_parameters, options: *const gecc_options, widths: *mut gecc_widths);
    /// gecc_keys_open.
    pub fn gecc_keys_open_by_address(context: *mut gecc_context, keys: *mut *mut gecc_keys, curve: gecc_curve, status: *const gecc_out, public_keys: *const gecc_rows, count: usize, config: *const gecc_keys_config) -> gecc_result;
    /// gecc_keys_add.
    pub fn gecc_keys_add_by_address(keys: *mut gecc_keys, status: *const gecc_out, public_keys: *const gecc_rows, count: usize, first: *mut usize) -> gecc_result;
    /// out = a + b mod m.
    pub fn gecc_mod_add(context: *mut gecc_context, modulus: gecc_modulus, out: gecc_out, status: gecc_out, a: gecc_rows, b: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = a - b mod m.
    pub fn gecc_mod_sub(context: *mut gecc_context, modulus: gecc_modulus, out: gecc_out, status: gecc_out, a: gecc_rows, b: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = a * b mod m.
    pub fn gecc_mod_mul(context: *mut gecc_context, modulus: gecc_modulus, out: gecc_out, status: gecc_out, a: gecc_rows, b: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = a^2 mod m.
    pub fn gecc_mod_square(context: *mut gecc_context, modulus: gecc_modulus, out: gecc_out, status: gecc_out, a: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = a^-1 mod m; INVALID where a and m have a common factor (a = 0 included). Timing tells whether the batch has
    /// such a row, as its status does.
    pub fn gecc_mod_inverse(context: *mut gecc_context, modulus: gecc_modulus, out: gecc_out, status: gecc_out, a: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// out = a^exponent mod m, 0^0 = 1. exponent: 1 to 64 bytes a row, all rows of one width, secret.
    pub fn gecc_mod_power(context: *mut gecc_context, modulus: gecc_modulus, out: gecc_out, status: gecc_out, a: gecc_rows, exponent: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// The short name of a kind, "private key", and a row's description; "unknown" for a value that is none.
    pub fn gecc_kind_name(kind: gecc_kind) -> *const c_char;
    /// gecc_kind_text
    pub fn gecc_kind_text(kind: gecc_kind) -> *const c_char;
    /// The short name of a gecc_flag, "low_s", and its effect; NULL for a value that is none.
    pub fn gecc_flag_name(flag: u32) -> *const c_char;
    /// gecc_flag_text
    pub fn gecc_flag_text(flag: u32) -> *const c_char;
    /// Operation 0, 1, ...; NULL past the last.
    pub fn gecc_operations(index: usize) -> *const gecc_operation;
    /// The operation of that name, NULL: none.
    pub fn gecc_operation_find(name: *const c_char) -> *const gecc_operation;
    /// Its columns 0, 1, ... in the order of gecc_run's arrays; NULL past the last, and for an operation that is NULL.
    pub fn gecc_operation_input(operation: *const gecc_operation, index: usize) -> *const gecc_column;
    /// gecc_operation_output
    pub fn gecc_operation_output(operation: *const gecc_operation, index: usize) -> *const gecc_column;
    /// The widths of an operation's column for these parameters and options (NULL: the defaults). Of an output `most` is
    /// what a row needs; PTRDIFF_MAX where options-\>output_bytes has to say it. All zeros where an argument is wrong.
    pub fn gecc_column_widths(operation: *const gecc_operation, column: *const gecc_column, parameters: *const gecc_parameters, options: *const gecc_options) -> gecc_widths;
    /// Run the operation. outputs and inputs: one for each column that gecc_operation_output and _input count, those left
    /// out included; they may be NULL where there are none. The rest as in gecc/context.h.
    pub fn gecc_run(context: *mut gecc_context, operation: *const gecc_operation, parameters: *const gecc_parameters, outputs: *const gecc_out, status: gecc_out, inputs: *const gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Have made what a call of `count` rows would have made first, and wait for it: tables of multiples of G for that many
    /// rows, and with "auto" the GPU if such a call would go there. A later call then takes what it takes and no more. Rows
    /// that were prepared for count as asked for.
    pub fn gecc_prepare(context: *mut gecc_context, operation: *const gecc_operation, parameters: *const gecc_parameters, count: usize, options: *const gecc_options) -> gecc_result;
    /// Open a queue on a context, which has to outlive it. config NULL: GECC_QUEUE_CONFIG_INIT. *queue is NULL unless the
    /// call succeeds. Any number of threads may use it at once.
    pub fn gecc_queue_open(context: *mut gecc_context, queue: *mut *mut gecc_queue, config: *const gecc_queue_config) -> gecc_result;
    /// Take no more requests, which are GECC_ERROR_CANCELLED from now on, and wait until those submitted are done. Any
    /// thread may call it.
    pub fn gecc_queue_drain(queue: *mut gecc_queue);
    /// The same, then free the queue, with completions that were not taken. Last of all, when no other thread can call
    /// functions of the queue any more; threads that wait in gecc_queue_run or for room are waited for. Closing NULL does
    /// nothing.
    pub fn gecc_queue_close(queue: *mut gecc_queue);
    /// gecc_run by the queue: submit the rows and wait until they are done. Where nothing is queued and a thread of the
    /// queue is idle, the calling thread runs them instead, without a copy.
    pub fn gecc_queue_run(queue: *mut gecc_queue, operation: *const gecc_operation, parameters: *const gecc_parameters, outputs: *const gecc_out, status: gecc_out, inputs: *const gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Submit rows and return. done: called when they are done; NULL: gecc_queue_take gives `argument` then. *number, unless
    /// it is NULL, is a number for gecc_queue_cancel, set before the request can be done. What gecc_run would refuse is
    /// refused here, and GECC_ERROR_ARGUMENT is also a request that an empty queue has no room for. A request that is
    /// refused, or GECC_ERROR_BUSY, is not submitted: it is never done.
    pub fn gecc_queue_submit(queue: *mut gecc_queue, operation: *const gecc_operation, parameters: *const gecc_parameters, outputs: *const gecc_out, status: gecc_out, inputs: *const gecc_rows, count: usize, options: *const gecc_options, done: gecc_queue_done, argument: *mut c_void, number: *mut u64) -> gecc_result;
    /// Cancel a request that no job has taken: it is done soon, with GECC_ERROR_CANCELLED and statuses NOT_PROCESSED, and
    /// its copies are wiped before the call returns. 1: it is cancelled; 0: it is not in the queue (any more). Numbers are
    /// never used twice.
    pub fn gecc_queue_cancel(queue: *mut gecc_queue, number: u64) -> c_int;
    /// Take up to `most` requests that are done and had no gecc_queue_done, in the order in which they were done; where
    /// there are none, wait for one for so many microseconds. Returns how many; 0 at once where the queue is drained, or
    /// `most` is 0.
    pub fn gecc_queue_take(queue: *mut gecc_queue, taken: *mut gecc_completion, most: usize, microseconds: u64) -> usize;
    /// public_key = x of private_key * G, 32 bytes. private_key: 32 bytes, 1 \<= private_key \< n; secret, constant time.
    pub fn gecc_schnorr_public_key(context: *mut gecc_context, public_key: gecc_out, status: gecc_out, private_key: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Sign messages as BIP-340 says. private_key: as above. auxiliary: 32 random bytes a row, secret; gecc_rows_none():
    /// zeros, and signatures that the key and the message determine. Each signature is checked (P and R on the curve, and s
    /// = k + e d but on a GPU) before it is published, with GECC_VERIFY_SIGNATURES verified in full; one that fails the
    /// check reads GECC_ITEM_NOT_PROCESSED and the call returns GECC_ERROR_FAULT. INVALID where the nonce would be 0, which
    /// nobody has seen.
    pub fn gecc_schnorr_sign(context: *mut gecc_context, signature: gecc_out, status: gecc_out, private_key: gecc_rows, message: gecc_rows, auxiliary: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// OK (valid), INVALID or MALFORMED_* for each row. A sighash byte of 0 is MALFORMED_SIGNATURE_ENCODING. Public data.
    pub fn gecc_schnorr_verify(context: *mut gecc_context, status: gecc_out, public_key: gecc_rows, message: gecc_rows, signature: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// The same for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h). One that was prepared
    /// from a whole point stands for that with an even y, as its x does.
    pub fn gecc_schnorr_verify_keys(context: *mut gecc_context, keys: *mut gecc_keys, status: gecc_out, key: gecc_rows, message: gecc_rows, signature: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// tweaked = x of Q = P + t G, 32 bytes; parity: one byte a row, 0 or 1, that of Q's y; gecc_out_none(): not wanted.
    /// t = hash_TapTweak(public_key || merkle_root). merkle_root: 32 bytes a row, or none in a row without scripts;
    /// gecc_rows_none(): none in any. INFINITY where Q is that, INVALID where t is not less than n. Public data.
    pub fn gecc_schnorr_tweak_public_key(context: *mut gecc_context, tweaked: gecc_out, parity: gecc_out, status: gecc_out, public_key: gecc_rows, merkle_root: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// tweaked = the private key of that Q, 32 bytes: private_key or n - private_key, whichever makes P's y even, plus t,
    /// mod n. INVALID where it is 0 or t is not less than n. Secret, constant time.
    pub fn gecc_schnorr_tweak_private_key(context: *mut gecc_context, tweaked: gecc_out, status: gecc_out, private_key: gecc_rows, merkle_root: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// e = SM3(ZA || message), 32 bytes; ZA = SM3(bits of id || id || a || b || G || public_key).
    /// id: 0 to 8191 bytes a row; gecc_rows_none(): GECC_SM2_DEFAULT_ID for all. message: any width. Public data.
    pub fn gecc_sm2_digest(context: *mut gecc_context, e: gecc_out, status: gecc_out, public_key: gecc_rows, id: gecc_rows, message: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Sign e with deterministic nonces (RFC 6979, options-\>nonce_hash). private_key: 32 bytes, 1 \<= private_key \< n - 1;
    /// secret, constant time. entropy, and the checks before a signature is published, are as in gecc_ecdsa_sign.
    pub fn gecc_sm2_sign(context: *mut gecc_context, signature: gecc_out, status: gecc_out, private_key: gecc_rows, e: gecc_rows, entropy: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Sign with the caller's nonces. DANGEROUS: see gecc_ecdsa_sign_with_dangerous_nonce. INVALID where r = 0, r + k = n or
    /// s = 0.
    pub fn gecc_sm2_sign_with_dangerous_nonce(context: *mut gecc_context, signature: gecc_out, status: gecc_out, private_key: gecc_rows, e: gecc_rows, nonce: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// OK (valid), INVALID (r + s = n included) or MALFORMED_* for each row. Public data.
    pub fn gecc_sm2_verify(context: *mut gecc_context, status: gecc_out, public_key: gecc_rows, e: gecc_rows, signature: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// The same for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h).
    pub fn gecc_sm2_verify_keys(context: *mut gecc_context, keys: *mut gecc_keys, status: gecc_out, key: gecc_rows, e: gecc_rows, signature: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Encryption. A ciphertext is C1 || C3 || C2, with GECC_C1C2C3 C1 || C2 || C3, with GECC_DER the SEQUENCE { INTEGER x,
    /// INTEGER y, OCTET STRING C3, OCTET STRING C2 } of GB/T 35276, strict DER. C1 = k G, a point as options-\>point_format
    /// says, 65 bytes if that says nothing; C3 = SM3(x2 || plaintext || y2), 32 bytes; C2 = plaintext ^ t, t = KDF(x2 || y2)
    /// by SM3; (x2, y2) = k public_key = private_key C1. So a ciphertext has 97 bytes more than its plaintext, 65 where C1
    /// is compressed, 96 where it is raw, in DER at most 116.
    ///
    /// How wide the outputs' rows are follows from the inputs', row by row: widths has to be there, and the room for a row
    /// is options-\>output_bytes, or the column's stride. All the room is written, zeros after a row's end; so where rows are
    /// members of a struct, and the stride goes over the others, output_bytes has to be said.
    ///
    /// nonce: k, 32 bytes, 1 \<= k \< n, secret, at random for each row: it must never repeat, nor be known. Two rows of one
    /// key and one nonce give away the exclusive or of their plaintexts, and a nonce that followed from key and plaintext
    /// would show which rows are alike; so gecc, which has no generator of random numbers, makes none, and the caller has
    /// them from the system's (getrandom). plaintext: 1 byte or more; secret. INVALID: t is all zeros, as it is once in
    /// 2^(8 w) rows whose plaintexts have w bytes; such a row needs another nonce. The time depends on the widths of
    /// plaintexts, and on nothing else of nonces and plaintexts.
    pub fn gecc_sm2_encrypt(context: *mut gecc_context, ciphertext: gecc_out, status: gecc_out, public_key: gecc_rows, nonce: gecc_rows, plaintext: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// private_key: as in gecc_sm2_sign; secret, constant time. INVALID where C3 is not the plaintext's, or t all zeros;
    /// a C1 that is no point of the curve is refused as points are, MALFORMED_WIDTH a row of fewer than C1, C3 and one
    /// byte. Nothing of a plaintext that is refused is left in its row.
    pub fn gecc_sm2_decrypt(context: *mut gecc_context, plaintext: gecc_out, status: gecc_out, private_key: gecc_rows, ciphertext: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// Key exchange, one side of it: the initiator's, or with GECC_RESPONDER the responder's. Both sides get the same key.
    ///   key = KDF(x of U || y of U || Z of the initiator || Z of the responder), of options-\>output_bytes bytes;
    ///   U = t (peer_public_key + x' peer_ephemeral_point), t = private_key + x'' ephemeral_key; x' and x'' are the low 127
    ///   bits of the ephemeral points' x, and 2^127; Z as in gecc_sm2_digest.
    /// ephemeral_key: 32 bytes, 1 to n - 1, random, for this exchange alone; gecc_ec_public_key makes the point of it that
    /// the peer gets. private_key and ephemeral_key are secret, constant time. id and peer_id: as in gecc_sm2_digest.
    /// confirmation: the hash that this side sends (S_A of the initiator, S_B of the responder), and peer_confirmation the
    /// one that it must have been sent, to be compared before the key is used, in constant time: until the peer has sent it,
    /// peer_confirmation is secret, since a stranger who knows it can answer in the peer's place.
    /// 32 bytes, either may be left out.
    /// INVALID where U would be infinity.
    pub fn gecc_sm2_exchange(context: *mut gecc_context, key: gecc_out, confirmation: gecc_out, peer_confirmation: gecc_out, status: gecc_out, private_key: gecc_rows, ephemeral_key: gecc_rows, id: gecc_rows, peer_public_key: gecc_rows, peer_ephemeral_point: gecc_rows, peer_id: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// public_key = X25519(private_key, 9). Secret, constant time.
    pub fn gecc_x25519_public_key(context: *mut gecc_context, public_key: gecc_out, status: gecc_out, private_key: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
    /// shared = X25519(private_key, peer), not hashed. INVALID where that is zero, whatever the private key: peers of small
    /// order. Private keys are secret, constant time; peers are public.
    pub fn gecc_x25519(context: *mut gecc_context, shared: gecc_out, status: gecc_out, private_key: gecc_rows, peer: gecc_rows, count: usize, options: *const gecc_options) -> gecc_result;
}
