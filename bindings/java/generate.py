#!/usr/bin/env python3
"""Writes what the Java binding has from bindings/abi/gecc.json: run it after tools/generate_abi.py and commit what it
changes; scripts/check-generated compares.

usage: generate.py [ROOT]       (of the tree, by default that of this file)

In src/org/gecc, beside files that people write: enums (Curve, Hash, Status, ...), Config and KeysConfig, Operations,
which is the table of operations, and a class of typed functions for each family of operations.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "abi"))
from description import Description, camel  # noqa: E402

DO_NOT_EDIT = "// Made by bindings/java/generate.py from bindings/abi/gecc.json: do not edit.\npackage org.gecc;\n"

#: Enums of C, what Java calls them, the prefix of their values, the library's texts (a constant of Native), whether it
#: finds them by name, and whether a later library may give more values.
ENUMS = [
    ("gecc_curve", "Curve", "GECC_", "CURVE", True, False, "An elliptic curve."),
    ("gecc_hash", "Hash", "GECC_", "HASH", True, False, "A hash."),
    ("gecc_point_format", "PointFormat", "GECC_POINT_", "POINT_FORMAT", True, False, "How points are written."),
    ("gecc_flag", "Flag", "GECC_", "FLAG", True, False, "A flag of an operation; the methods of typed calls are the same."),
    ("gecc_result", "ErrorKind", "GECC_ERROR_", "RESULT", False, True, "Why a call was not done."),
    ("gecc_item", "Status", "GECC_ITEM_", "ITEM", False, True, "What came of one row."),
]  # fmt: skip

#: Structs that say how something is opened, and their classes; their numbers are in the order of the fields.
CONFIGS = [
    ("gecc_config", "Config", "How a context is opened; what is not said is as gecc chooses."),
    ("gecc_keys_config", "KeysConfig", "How keys are prepared; what is not said is as gecc chooses."),
]

#: Families whose class is not called as they are; operations without a family are in Gecc.
FAMILIES = {"": ("Gecc", "Typed functions of operations without a family.")}
#: Keywords that are names of operations.
RESERVED = {"double"}


def method(name):
    name = camel(name)
    name = name[0].lower() + name[1:]
    return f"{name}_" if name in RESERVED else name


def doc(text, indent=""):
    """As a comment of javadoc, in which nothing is a mark."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    lines = text.split("\n")
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"


def sentence(text):
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")


class Java(Description):
    def enum(self, c_name, name, prefix, of, is_found, is_open, text):
        values = [v for v in self.enums[c_name]["values"] if v["name"].startswith(prefix) and v["name"] != "GECC_HASH_DEFAULT"]
        yield DO_NOT_EDIT + "\n" + doc(text) + f"public enum {name} {{\n"
        for value in values:
            yield doc(sentence(value.get("text") or value.get("title") or value["name"].removeprefix(prefix)), "    ")
            yield f"    {value['name'].removeprefix(prefix)}({value['value']}),\n"
        if is_open:
            yield "    /** What a later version of the library gives. */\n    OTHER(-1),\n"
        yield "    ;\n\n    private final int value;\n\n"
        yield f"    {name}(int value) {{\n        this.value = value;\n    }}\n\n"
        yield "    /** The library's number for it. */\n    public int value() {\n        return value;\n    }\n"
        if of != "POINT_FORMAT":
            said = "The name that people write" if is_found else "What it means, in English"
            yield f"\n    /** {said}. */\n    public String text() {{\n        String text = Native.text(Native.{of}, value);\n        return text == null ? name() : text;\n    }}\n"
        if is_open:
            yield f"\n    private static final {name}[] ALL = values();\n"
            yield f"\n    /** What the library's number means. */\n    public static {name} of(int value) {{\n"
            yield f"        for ({name} each : ALL) {{\n            if (each.value == value) {{\n                return each;\n            }}\n        }}\n        return OTHER;\n    }}\n"
        if name == "Status":
            yield "\n    /** Whether the row was refused: it is not well formed. */\n    public boolean isMalformed() {\n        return value >= MALFORMED_WIDTH.value;\n    }\n"
        if is_found:
            yield "\n    /** By any of its names that the library knows, in either case of letters; refused where none has it. */\n"
            yield f"    public static {name} named(String name) {{\n        int value = Native.named(Native.{of}, Native.utf8(GeccException.notNull(name, \"name\")));\n"
            yield f"        for ({name} each : values()) {{\n            if (each.value == value) {{\n                return each;\n            }}\n        }}\n"
            yield f'        throw GeccException.argument("{c_name.removeprefix("gecc_")}: none is called %s", name);\n    }}\n'
        yield "}\n"

    def config(self, c_name, name, text):
        fields = next(struct for struct in self.abi["structs"] if struct["name"] == c_name)["fields"][1:]
        texts = [field for field in fields if field["type"].endswith("*")]
        numbers = [field for field in fields if field not in texts]
        yield DO_NOT_EDIT + "\n" + doc(text) + f"public final class {name} {{\n"
        yield "".join(f"    String {method(field['name'])};\n" for field in texts)
        yield f"    final long[] numbers = new long[{len(numbers)}];\n"
        for field in fields:
            it = method(field["name"])
            place = f"this.{it}" if field in texts else f"numbers[{numbers.index(field)}]"
            value = it if field in texts else f'GeccException.notNegative({it}, "{it}")'
            yield "\n" + doc(sentence(field["text"]), "    ")
            yield f"    public {name} {it}({'String' if field in texts else 'long'} {it}) {{\n        {place} = {value};\n        return this;\n    }}\n"
        yield "}\n"

    def constant(self, operation):
        return operation["name"].upper().replace(".", "_")

    def table(self):
        yield DO_NOT_EDIT + "\n/** The operations, as the library describes them; a question mark: the input may be left out. */\nfinal class Operations {\n    private Operations() {}\n"
        for operation in self.operations:
            inputs = ", ".join(f'"{c["name"]}{"?" if c["is_optional"] else ""}"' for c in operation["inputs"])
            outputs = "".join(f', "{c["name"]}"' for c in operation["outputs"])
            yield f'\n    static final Operation {self.constant(operation)} =\n            new Operation("{operation["name"]}", new String[] {{{inputs}}}{outputs});\n'
        yield "\n    static final Operation[] ALL = {\n" + "".join(f"        {self.constant(o)},\n" for o in self.operations) + "    };\n}\n"

    def families(self):
        """The name of a class for each family, and what is in its file."""
        members = {}
        for operation in self.operations:
            family, _, verb = operation["name"].rpartition(".")
            members.setdefault(family, []).append((verb, operation))
        for family, operations in members.items():
            name, text = FAMILIES.get(family, (camel(family), f"Typed functions of the operations {family}."))
            imports = any(c["secrecy"] != "GECC_PUBLIC" for _, o in operations for c in o["inputs"])
            body = "".join("".join(self.typed(verb, operation)) for verb, operation in operations)
            note = "\nInputs that are secret are the caller's to wipe, by Rows.wipe." if imports else ""
            yield name, DO_NOT_EDIT + "\n" + doc(text + note) + f"public final class {name} {{\n    private {name}() {{}}\n{body}}}\n"

    def typed(self, verb, operation):
        """The function that makes the call, the call, and what it gives."""
        kind, function = camel(verb), method(verb)
        selected = {
            "Keys": [("keys", "Keys", "the set whose numbers are in the column")],
            "Curve": [("curve", "Curve", "the curve")],
            "Hash": [("hash", "Hash", "the hash")],
            "Modulus": [("modulus", "byte[]", "what arithmetic is modulo, big-endian")],
            "Nothing": [],
        }[self.selects(operation)]
        told = lambda c: c["text"] + ("; secret" if c["secrecy"] != "GECC_PUBLIC" else "")  # noqa: E731
        needed = [(i, c) for i, c in enumerate(operation["inputs"]) if not c["is_optional"]]
        optional = [(i, c) for i, c in enumerate(operation["inputs"]) if c["is_optional"]]
        parameters = [f"{kind_of} {name}" for name, kind_of, _ in selected] + [f"Rows {method(c['name'])}" for _, c in needed]
        texts = [f"@param {name} {text}" for name, _, text in selected] + [f"@param {method(c['name'])} {told(c)}" for _, c in needed]
        comment = doc("\n".join([f"{operation['name']}: {operation['text']}.", "", *texts, "@return the call, which run does"]), "    ")
        yield "\n" + comment.replace("&#64;param", "@param").replace("&#64;return", "@return")
        yield f"    public static {kind} {function}({', '.join(parameters)}) {{\n"
        chosen = "".join(f".{name}({name})" for name, _, _ in selected)
        inputs = "".join(f".with({i}, {method(c['name'])})" for i, c in needed)
        yield f"        return new {kind}(new Call(Operations.{self.constant(operation)}){chosen}{inputs});\n    }}\n"

        given = f"{kind}.Result" if operation["outputs"] else "Statuses"
        yield f"\n    /** A call of {{@link #{function}}}. */\n    public static final class {kind} extends TypedCall<{given}> {{\n"
        yield f"        private {kind}(Call call) {{\n            super(call);\n        }}\n"
        for i, c in optional:
            yield from self.setter(kind, method(c["name"]), "Rows", "rows", f"with({i}, rows)", told(c))
        for flag in operation["flags"]:
            value = self.flags[flag]
            yield from self.setter(kind, method(value["title"]), "", "", f"flag(Flag.{flag.removeprefix('GECC_')})", value["text"])
        if self.takes_nonce_hash(operation):
            yield from self.setter(kind, "nonceHash", "Hash", "hash", "nonceHash(hash)", "the hash of which HMAC makes nonces (RFC 6979)")
        if self.gives_points(operation):
            yield from self.setter(kind, "pointFormat", "PointFormat", "format", "pointFormat(format)", "how points are written")
        if self.takes_output_bytes(operation):
            yield from self.setter(kind, "outputBytes", "int", "bytes", "outputBytes(bytes)", "how many bytes a derived key has, or a ciphertext or plaintext at most; has to be said")
        outs = "".join(f"Out {method(c['name'])}, " for c in operation["outputs"])
        passed = "".join(f", {method(c['name'])}" for c in operation["outputs"])
        yield "\n        /** Run it into the caller's memory: one byte a row of {@code status}, as {@link Status#of} takes it. */\n"
        yield f"        public void runInto(Context context, {outs}byte[] status) {{\n            call.runInto(context, status{passed});\n        }}\n"
        yield f"\n        @Override\n        {given} result(Call.Result result) {{\n            return {'new Result(result)' if operation['outputs'] else 'result.statuses()'};\n        }}\n"
        if operation["outputs"]:
            yield "\n        /** What it gives. */\n        public static final class Result {\n"
            for c in operation["outputs"]:
                yield doc(sentence(told(c)), "            ") + f"            public final Column {method(c['name'])};\n"
            yield "            /** What came of each row. */\n            public final Statuses statuses;\n"
            yield "\n            private Result(Call.Result result) {\n"
            yield "".join(f"                {method(c['name'])} = result.columns().get({i});\n" for i, c in enumerate(operation["outputs"]))
            yield "                statuses = result.statuses();\n            }\n        }\n"
        yield "    }\n"

    @staticmethod
    def setter(kind, name, type_name, parameter, call, text):
        yield "\n" + doc(sentence(text), "        ")
        yield f"        public {kind} {name}({f'{type_name} {parameter}' if parameter else ''}) {{\n            call.{call};\n            return this;\n        }}\n"

    def files(self):
        for enum in ENUMS:
            yield enum[1], "".join(self.enum(*enum))
        for config in CONFIGS:
            yield config[1], "".join(self.config(*config))
        yield "Operations", "".join(self.table())
        yield from self.families()


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[1]).resolve()
    folder = root / "bindings/java/src/org/gecc"
    files = {f"{name}.java": text for name, text in Java(root).files()}
    for path in folder.glob("*.java"):
        if path.name not in files and path.read_text(encoding="utf-8").startswith(DO_NOT_EDIT):
            path.unlink()  # of what is no more
    for name, text in files.items():
        (folder / name).write_text(re.sub(r"[ \t]+$", "", text, flags=re.M), encoding="utf-8")


if __name__ == "__main__":
    main()
