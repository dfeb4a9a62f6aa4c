//! The C library gecc, elliptic-curve cryptography in bulk: its types, constants and functions as they are. Use the crate
//! `gecc`, which checks what these functions cannot.
//!
//! By default the C is compiled, for the machines that `c/src/units.ini` names and the processor's architecture has: what
//! runs is chosen at run time. Where the environment variable `GECC_MACHINES` is set, `portable` say, these alone. With the feature `system` the library that
//! is installed is linked: in the folder that `GECC_LIB_DIR` names, or where pkg-config says, or where the linker looks.
//! The module for NVIDIA's GPUs, `libgecc_cuda`, is found at run time in both cases, where it is installed.
#![allow(non_camel_case_types, clippy::missing_safety_doc, clippy::doc_lazy_continuation)]

use std::mem::{align_of, size_of, zeroed};
use std::os::raw::{c_char, c_int, c_uint, c_void};

include!("abi.rs");
