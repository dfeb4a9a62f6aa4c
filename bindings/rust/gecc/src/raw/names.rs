// Made by bindings/rust/generate.py from bindings/abi/gecc.json: do not edit.

//! The library's names and texts for values.

use super::*;

pub(crate) fn curve_text(value: u32) -> &'static str {
    // SAFETY: takes any number.
    text(unsafe { gecc_curve_name(value) })
}

pub(crate) fn curve_named(name: &str) -> u32 {
    // SAFETY: the name ends with zero.
    c_name(name).map_or(u32::MAX, |name| unsafe { gecc_curve_named(name.as_ptr()) } as u32)
}

pub(crate) fn hash_text(value: u32) -> &'static str {
    // SAFETY: takes any number.
    text(unsafe { gecc_hash_name(value) })
}

pub(crate) fn hash_named(name: &str) -> u32 {
    // SAFETY: the name ends with zero.
    c_name(name).map_or(u32::MAX, |name| unsafe { gecc_hash_named(name.as_ptr()) } as u32)
}

pub(crate) fn pointformat_named(name: &str) -> u32 {
    // SAFETY: the name ends with zero.
    c_name(name).map_or(u32::MAX, |name| unsafe { gecc_point_format_named(name.as_ptr()) } as u32)
}

pub(crate) fn flag_text(value: u32) -> &'static str {
    // SAFETY: takes any number.
    text(unsafe { gecc_flag_name(value) })
}

pub(crate) fn flag_named(name: &str) -> u32 {
    // SAFETY: the name ends with zero.
    c_name(name).map_or(u32::MAX, |name| unsafe { gecc_flag_named(name.as_ptr()) } as u32)
}

pub(crate) fn errorkind_text(value: u32) -> &'static str {
    // SAFETY: takes any number.
    text(unsafe { gecc_result_text(value) })
}

pub(crate) fn status_text(value: u8) -> &'static str {
    // SAFETY: takes any number.
    text(unsafe { gecc_item_text(value) })
}

pub(crate) fn ethereumreason_text(value: u8) -> &'static str {
    // SAFETY: takes any number.
    text(unsafe { gecc_ethereum_reason_text(value) })
}
