#!/usr/bin/env python3
"""Writes what the crates have from bindings/abi/gecc.json: run it after tools/generate_abi.py and commit what it changes;
scripts/check-generated compares.

usage: generate.py [ROOT]       (of the tree, by default that of this file)

gecc-sys/src/abi.rs        types, constants and functions of C
gecc-sys/tests/layout.rs   where the fields of structs are
gecc/src/values.rs         enums: curves, hashes, statuses, ...
gecc/src/raw/names.rs      what the library calls their values
gecc/src/operations.rs     a typed call for each operation
gecc/tests/typed/mod.rs    the typed call of an operation by its name, for cases that are read from files
*/Cargo.toml               the version
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "abi"))
import description
from description import camel

DO_NOT_EDIT = "// Made by bindings/rust/generate.py from bindings/abi/gecc.json: do not edit.\n"

SCALARS = {
    "void": "c_void", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "double": "f64", "size_t": "usize",
    "uint8_t": "u8", "uint32_t": "u32", "uint64_t": "u64",
}  # fmt: skip

#: Enums of C, what Rust calls them, the prefix of their values, and how the library gives names for values.
ENUMS = [
    ("gecc_curve", "Curve", "GECC_", "An elliptic curve."),
    ("gecc_hash", "Hash", "GECC_", "A hash."),
    ("gecc_point_format", "PointFormat", "GECC_POINT_", "How points are written."),
    ("gecc_flag", "Flag", "GECC_", "A flag of an operation; the methods of typed calls are the same."),
    ("gecc_result", "ErrorKind", "GECC_ERROR_", "Why a call failed."),
    ("gecc_item", "Status", "GECC_ITEM_", "What came of one row."),
    ("gecc_ethereum_reason", "EthereumReason", "GECC_ETHEREUM_", "What is wrong with a row that is no transaction."),
]
#: Enums that a later library may have more values of, in memory that it writes.
OPEN = {"Status": "u8", "EthereumReason": "u8", "ErrorKind": "u32"}

#: Keywords.
RESERVED = {"type", "in"}


def doc(text, indent=""):
    """As documentation, in which brackets and stars are no marks."""
    text = re.sub(r"([\[\]<>])", r"\\\1", text)
    return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in text.split("\n"))


def rust_type(code):
    """A type of C in Rust."""
    if code.endswith("*"):
        target = code[:-1].strip()
        is_const = target.startswith("const ")
        return f"*{'const' if is_const else 'mut'} {rust_type(target[6:] if is_const else target)}"
    return SCALARS.get(code.strip(), code.strip())


def argument(name):
    return f"{name}_" if name in RESERVED else name


class Description(description.Description):
    # gecc-sys

    def abi_rs(self):
        yield DO_NOT_EDIT
        for name, value in self.abi["constants"].items():
            yield f"pub const {name}: u32 = {value};\n" if isinstance(value, int) else f"pub const {name}: &str = {json.dumps(value)};\n"
        for enum in self.abi["enums"]:
            yield "\n" + doc(enum["text"] or enum["name"])
            yield f"pub type {enum['name']} = c_uint;\n"
            for value in enum["values"]:
                yield doc(value.get("text") or value.get("title") or value["name"])
                yield f"pub const {value['name']}: {enum['name']} = {value['value']};\n"
        for handle in self.abi["handles"]:
            yield f"\n/// Of the library alone.\n#[repr(C)]\npub struct {handle} {{\n    _private: [u8; 0],\n}}\n"
        for callback in self.abi["callbacks"]:
            parameters = ", ".join(f"{argument(p['name'])}: {rust_type(p['type'])}" for p in callback["parameters"])
            result = "" if callback["result"] == "void" else f" -> {rust_type(callback['result'])}"
            yield "\n" + doc(callback["text"]) + f"pub type {callback['name']} = Option<unsafe extern \"C\" fn({parameters}){result}>;\n"
        for struct in self.abi["structs"]:
            yield from self.struct(struct)
        yield '\nextern "C" {\n'
        for function in self.abi["functions"]:
            parameters = ", ".join(f"{argument(p['name'])}: {rust_type(p['type'])}" for p in function["parameters"])
            result = "" if function["result"] == "void" else f" -> {rust_type(function['result'])}"
            yield doc(function["text"] or function["name"], "    ")
            yield f"    pub fn {function['name']}({parameters}){result};\n"
        yield "}\n"

    @staticmethod
    def struct(struct):
        name = struct["name"]
        yield "\n" + doc(struct["text"] or name) + f"#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{\n"
        for field in struct["fields"]:
            kind = rust_type(field["type"])
            yield doc(field["text"], "    ") if "text" in field else ""
            yield f"    pub {argument(field['name'])}: {'[%s; %d]' % (kind, field['count']) if 'count' in field else kind},\n"
        yield "}\n"
        yield "\n#[cfg(target_pointer_width = \"64\")]\n"
        yield f"const _: () = assert!(size_of::<{name}>() == {struct['size']} && align_of::<{name}>() == {struct['alignment']});\n"
        size = "size: size_of::<Self>(), " if struct["fields"][0]["name"] == "size" else ""
        yield f"\nimpl Default for {name} {{\n    /// Zeros{'; `size` is that of the struct' if size else ''}.\n    fn default() -> Self {{\n"
        yield "        // SAFETY: numbers, and addresses that may be null.\n"
        yield f"        let zeros: Self = unsafe {{ zeroed() }};\n        Self {{ {size}..zeros }}\n" if size else "        unsafe { zeroed() }\n"
        yield "    }\n}\n"

    def layout_rs(self):
        yield DO_NOT_EDIT
        yield "use gecc_sys::*;\nuse std::mem::MaybeUninit;\nuse std::ptr::addr_of;\n"
        yield '\n#[test]\n#[cfg(target_pointer_width = "64")]\nfn fields_are_where_the_description_says() {\n'
        for struct in self.abi["structs"]:
            yield f"    let it = MaybeUninit::<{struct['name']}>::zeroed();\n    let start = it.as_ptr();\n"
            for field in struct["fields"]:
                place = f"unsafe {{ addr_of!((*start).{argument(field['name'])}) as usize }} - start as usize"
                yield f'    assert_eq!({place}, {field["offset"]}, "{struct["name"]}.{field["name"]}");\n'
        yield "}\n"

    # gecc

    def values_rs(self):
        yield DO_NOT_EDIT
        yield "\n//! The library's enums.\n\nuse crate::raw;\nuse std::fmt;\n"
        for c_name, name, prefix, text in ENUMS:
            values = [value for value in self.enums[c_name]["values"] if value["name"].startswith(prefix)]
            values = [value for value in values if value["name"] != "GECC_HASH_DEFAULT"]
            yield from self.enum(name, prefix, text, values)

    @staticmethod
    def enum(name, prefix, text, values):
        names = [(camel(value["name"].removeprefix(prefix).lower()), value) for value in values]
        other = OPEN.get(name)
        yield "\n" + doc(text) + "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n#[non_exhaustive]\n"
        yield f"pub enum {name} {{\n"
        for rust, value in names:
            yield doc(value.get("text") or value.get("title") or rust, "    ") + f"    {rust},\n"
        if other:
            yield f"    /// A value that a later version of the library gives.\n    Other({other}),\n"
        yield "}\n\n" + f"impl {name} {{\n"
        yield f"    /// All that this version knows.\n    pub const ALL: [{name}; {len(names)}] = [\n"
        yield "".join(f"        {name}::{rust},\n" for rust, _ in names) + "    ];\n\n"
        yield f"    /// The library's number for it.\n    pub fn value(self) -> {other or 'u32'} {{\n        match self {{\n"
        yield "".join(f"            {name}::{rust} => {value['value']},\n" for rust, value in names)
        yield f"            {name}::Other(value) => value,\n" if other else ""
        yield "        }\n    }\n\n"
        if other:
            yield f"    /// What the library's number means.\n    pub fn of(value: {other}) -> {name} {{\n        match value {{\n"
            yield "".join(f"            {value['value']} => {name}::{rust},\n" for rust, value in names)
            yield f"            other => {name}::Other(other),\n        }}\n    }}\n"
        else:
            yield f"    pub(crate) fn of(value: u32) -> Option<{name}> {{\n        Self::ALL.iter().copied().find(|each| each.value() == value)\n    }}\n"
        yield "}\n"
        if other is None:
            yield f"\nimpl std::str::FromStr for {name} {{\n    type Err = crate::Error;\n\n"
            yield "    /// By any of its names that the library knows, in either case of letters.\n"
            yield "    fn from_str(name: &str) -> crate::Result<Self> {\n"
            yield f"        Self::of(raw::{name.lower()}_named(name)).ok_or_else(|| crate::Error::argument(format!(\"{name.lower()}: none is called {{:?}}\", name)))\n    }}\n}}\n"
        yield f"\nimpl fmt::Display for {name} {{\n    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{\n"
        yield f"        f.write_str(raw::{name.lower()}_text(self.value()))\n    }}\n}}\n"

    def names_rs(self):
        yield DO_NOT_EDIT
        yield "\n//! The library's names and texts for values.\n\nuse super::*;\n"
        for c_name, name, _, _ in ENUMS:
            noun = c_name.removeprefix("gecc_")
            functions = {function["name"]: function for function in self.abi["functions"]}
            said = functions.get(f"gecc_{noun}_name" if name not in OPEN else f"gecc_{noun}_text")
            if said:
                yield f"\npub(crate) fn {name.lower()}_text(value: {OPEN.get(name, 'u32')}) -> &'static str {{\n"
                yield f"    // SAFETY: takes any number.\n    text(unsafe {{ {said['name']}(value) }})\n}}\n"
            if name not in OPEN:
                yield f"\npub(crate) fn {name.lower()}_named(name: &str) -> u32 {{\n    // SAFETY: the name ends with zero.\n"
                yield f"    c_name(name).map_or(u32::MAX, |name| unsafe {{ gecc_{noun}_named(name.as_ptr()) }} as u32)\n}}\n"

    def operations_rs(self):
        yield DO_NOT_EDIT
        yield "\n//! A typed call for each operation.\n"
        yield "\nuse crate::call::{Call, ColumnInfo, Info, Selected};\nuse crate::{Column, Context, Curve, Flag, Hash, Job, Keys, Out, PointFormat, Result, Rows, SecretColumn, Statuses};\n"
        yield f"\npub(crate) const MOST_INPUTS: usize = {max(len(o['inputs']) for o in self.operations)};\n"
        yield f"pub(crate) const MOST_OUTPUTS: usize = {max(len(o['outputs']) for o in self.operations)};\n"
        yield f"\n/// The operations, as the library describes them.\npub(crate) static OPERATIONS: [Info; {len(self.operations)}] = [\n"
        for operation in self.operations:
            yield self.info(operation)
        yield "];\n"
        modules = {}
        for index, operation in enumerate(self.operations):
            family, _, verb = operation["name"].rpartition(".")
            modules.setdefault(family, []).append((index, verb, operation))
        for family, members in modules.items():
            if family:
                yield f"\n/// Operations `{family}`.\npub mod {argument(family) if family != 'mod' else 'modular'} {{\n    use super::*;\n"
            for index, verb, operation in members:
                yield from self.typed(index, verb, operation)
            if family:
                yield "}\n"

    def info(self, operation):
        def columns(way):
            items = (
                f'ColumnInfo {{ name: "{c["name"]}", optional: {str(c["is_optional"]).lower()}, '
                f"secret: {str(self.is_secret(c)).lower()} }}"
                for c in operation[way]
            )
            return f"&[{', '.join(items)}]"

        return (
            f'    Info::new("{operation["name"]}", "{operation["name"]}\\0", '
            f"{columns('inputs')}, {columns('outputs')}),\n"
        )

    def typed(self, index, verb, operation):
        """The function that makes the call, the call, and what it gives."""
        name = camel(verb)
        selected = {
            "Keys": ("keys: &Keys", "Selected::Keys(keys.clone())"),
            "Curve": ("curve: Curve", "Selected::Curve(curve)"),
            "Hash": ("hash: Hash", "Selected::Hash(hash)"),
            "Modulus": ("modulus: &[u8]", "Selected::Modulus(modulus.to_vec())"),
            "Nothing": ("", "Selected::Nothing"),
        }[self.selects(operation)]
        needed = [(i, c) for i, c in enumerate(operation["inputs"]) if not c["is_optional"]]
        optional = [(i, c) for i, c in enumerate(operation["inputs"]) if c["is_optional"]]
        parameters = [selected[0]] * bool(selected[0]) + [f"{argument(c['name'])}: impl Into<Rows<'a>>" for _, c in needed]
        told = "".join(f"/// * `{argument(c['name'])}`: {c['text']}.{' Secret.' if c['secrecy'] != 'GECC_PUBLIC' else ''}\n" for _, c in needed)
        text = f"`{operation['name']}`: {operation['text']}."
        yield "\n" + doc(text) + "///\n" + told
        yield f"pub fn {verb}<'a>({', '.join(parameters)}) -> {name}<'a> {{\n"
        inputs = "".join(f".with({i}, {argument(c['name'])}.into())" for i, c in needed)
        yield f"    {name}(Call::of(&OPERATIONS[{index}], {selected[1]}){inputs})\n}}\n"
        yield f"\n/// A call of [`{verb}`]: {operation['text']}.\n#[must_use = \"nothing runs before `run`, `run_into` or `submit`\"]\npub struct {name}<'a>(pub(crate) Call<'a>);\n"
        yield f"\nimpl<'a> {name}<'a> {{\n"
        for i, c in optional:
            yield doc(f"{c['text']}.{' Secret.' if c['secrecy'] != 'GECC_PUBLIC' else ''}", "    ")
            yield f"    pub fn {argument(c['name'])}(self, rows: impl Into<Rows<'a>>) -> Self {{\n        {name}(self.0.with({i}, rows.into()))\n    }}\n\n"
        for flag in operation["flags"]:
            value = self.flags[flag]
            yield doc(value["text"] + ".", "    ")
            yield f"    pub fn {value['title']}(self) -> Self {{\n        {name}(self.0.flag(Flag::{camel(flag.removeprefix('GECC_').lower())}))\n    }}\n\n"
        if self.takes_nonce_hash(operation):
            yield f"    /// The hash of which HMAC makes nonces (RFC 6979).\n    pub fn nonce_hash(self, hash: Hash) -> Self {{\n        {name}(self.0.nonce_hash(hash))\n    }}\n\n"
        if self.gives_points(operation):
            yield f"    /// How points are written.\n    pub fn point_format(self, format: PointFormat) -> Self {{\n        {name}(self.0.point_format(format))\n    }}\n\n"
        if self.takes_output_bytes(operation):
            yield f"    /// How many bytes each derived key has, or a ciphertext or plaintext at most: has to be said but for `run_into`.\n    pub fn output_bytes(self, bytes: usize) -> Self {{\n        {name}(self.0.output_bytes(bytes))\n    }}\n\n"
        outputs, given = operation["outputs"], f"{name}Output" if operation["outputs"] else "Statuses"
        yield f"    /// Run it, for as many rows as its columns have.\n    pub fn run(self, context: &Context) -> Result<{given}> {{\n        self.0.run(context).map({self.finish(name, outputs)})\n    }}\n\n"
        into = "".join(f"{argument(c['name'])}: impl Into<Out<'o>>, " for c in outputs)
        outs = ", ".join(f"{argument(c['name'])}.into()" for c in outputs)
        lifetime = "<'o>" if outputs else ""
        yield f"    /// Run it into the caller's memory: one byte a row of `status`, what [`Status::value`](crate::Status::value) gives.\n    pub fn run_into{lifetime}(self, context: &Context, {into}status: &mut [u8]) -> Result<()> {{\n        self.0.run_into(context, [{outs}], status)\n    }}\n"
        yield "}\n"
        yield f"\nimpl {name}<'static> {{\n    /// Have it run while this thread goes on; the job owns its rows.\n    pub fn submit(self, context: &Context) -> Result<Job<{given}>> {{\n        self.0.submit(context, {self.finish(name, outputs)})\n    }}\n}}\n"
        if outputs:
            yield f"\n/// What [`{name}`] gives.\n#[derive(Debug)]\npub struct {name}Output {{\n"
            for c in outputs:
                kind = "SecretColumn" if self.is_secret(c) else "Column"
                yield doc(f"{c['text']}.", "    ") + f"    pub {argument(c['name'])}: {kind},\n"
            yield "    /// What came of each row.\n    pub status: Statuses,\n}\n"

    def finish(self, name, outputs):
        if not outputs:
            return "|mut done| done.status()"
        fields = ", ".join(f"{argument(c['name'])}: done.{'secret' if self.is_secret(c) else 'column'}({i})" for i, c in enumerate(outputs))
        return f"|mut done| {name}Output {{ {fields}, status: done.status() }}"

    def typed_rs(self):
        """In tests: the typed call by the operation's name, with its columns by theirs."""
        yield DO_NOT_EDIT
        yield "\nuse gecc::{Column, Context, Curve, Flag, Hash, Keys, PointFormat, Result, Rows, Statuses};\n"
        names = "".join(f'    "{operation["name"]}",\n' for operation in self.operations)
        yield f"\npub const OPERATIONS: [&str; {len(self.operations)}] = [\n{names}];\n"
        yield "\n/// What a call is made of.\npub struct Parts<'a> {\n    pub curve: Option<Curve>,\n    pub hash: Option<Hash>,\n    pub modulus: &'a [u8],\n    pub keys: Option<&'a Keys>,\n    pub flags: &'a [Flag],\n    pub nonce_hash: Option<Hash>,\n    pub point_format: Option<PointFormat>,\n    pub output_bytes: Option<usize>,\n}\n"
        yield "\n/// The columns and the statuses that the typed call gives; None: it cannot be said in types.\n#[allow(unused_mut)]\n"
        yield "pub fn run<'a>(context: &Context, operation: &str, parts: &Parts<'a>, column: impl Fn(&str) -> Option<Rows<'a>>) -> Option<Result<(Vec<Column>, Statuses)>> {\n"
        yield "    match operation {\n"
        for operation in self.operations:
            family, _, verb = operation["name"].rpartition(".")
            path = f"gecc::{'modular' if family == 'mod' else family}::{verb}" if family else f"gecc::{verb}"
            selected = {"Keys": ["parts.keys?"], "Curve": ["parts.curve?"], "Hash": ["parts.hash?"], "Modulus": ["parts.modulus"], "Nothing": []}[self.selects(operation)]
            needed = [f'column("{c["name"]}")?' for c in operation["inputs"] if not c["is_optional"]]
            yield f'        "{operation["name"]}" => {{\n            let mut call = {path}({", ".join(selected + needed)});\n'
            for c in operation["inputs"]:
                if c["is_optional"]:
                    yield f'            if let Some(rows) = column("{c["name"]}") {{\n                call = call.{argument(c["name"])}(rows);\n            }}\n'
            arms = "".join(
                f"                    Flag::{camel(flag.removeprefix('GECC_').lower())} => call.{self.flags[flag]['title']}(),\n"
                for flag in operation["flags"]
            )
            if arms:
                yield f"            for flag in parts.flags {{\n                call = match flag {{\n{arms}"
                yield "                    _ => return None,\n                };\n            }\n"
            else:
                yield "            if !parts.flags.is_empty() {\n                return None;\n            }\n"
            for option, has in (("nonce_hash", self.takes_nonce_hash), ("point_format", self.gives_points), ("output_bytes", self.takes_output_bytes)):
                if has(operation):
                    yield f"            if let Some(it) = parts.{option} {{\n                call = call.{option}(it);\n            }}\n"
                else:
                    yield f"            if parts.{option}.is_some() {{\n                return None;\n            }}\n"
            outputs = ", ".join(f"done.{argument(c['name'])}{'.expose().clone()' if self.is_secret(c) else ''}" for c in operation["outputs"])
            result = f"(vec![{outputs}], done.status)" if operation["outputs"] else "(vec![], done)"
            yield f"            Some(call.run(context).map(|done| {result}))\n        }}\n"
        yield "        _ => None,\n    }\n}\n"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
    folder, description = root / "bindings/rust", Description(root)
    for path, lines in (
        ("gecc-sys/src/abi.rs", description.abi_rs()),
        ("gecc-sys/tests/layout.rs", description.layout_rs()),
        ("gecc/src/values.rs", description.values_rs()),
        ("gecc/src/raw/names.rs", description.names_rs()),
        ("gecc/src/operations.rs", description.operations_rs()),
        ("gecc/tests/typed/mod.rs", description.typed_rs()),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("".join(lines), encoding="utf-8")
    for path in folder.glob("*/Cargo.toml"):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r'^(version = |gecc-sys = \{ version = )"[^"]*"', rf'\1"{description.abi["version"]}"', text, flags=re.M)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
