#!/usr/bin/env python3
"""Describe the binary interface of the library: bindings/abi/gecc.json, from which bindings are made, and
cmake/gecc.map, the versions of its symbols. bindings/abi/README.md says what the description has.

usage: generate_abi.py [ROOT]       (of the tree, by default that of this file)

Names, types and comments are read from include/gecc, in the form that scripts/format gives the headers. Sizes, offsets
and values are those of a compiler, $CC or cc, for a machine of 64 bits; operations and texts are those of the library's
own tables.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

# A comment and the function that it stands before, up to the semicolon.
FUNCTION = re.compile(r"(?P<comment>/\*(?:(?!\*/).)*\*/\n)?^GECC_(?P<mark>API|CALL) (?P<code>[^;{]*;)", re.S | re.M)
DECLARED = re.compile(r"(?P<type>.*?)(?P<name>\w+)(?:\[(?P<count>\d+)\])?$", re.S)
TYPE = re.compile(
    r"(?P<comment>/\*(?:(?!\*/).)*\*/\n)?^typedef (?P<what>struct|enum) (?P<name>\w+) \{\n(?P<body>.*?)^\}", re.S | re.M
)
CALLBACK = re.compile(
    r"(?P<comment>/\*(?:(?!\*/).)*\*/\n)?^typedef (?P<result>\w+) \(\*(?P<name>\w+)\)\((?P<parameters>[^)]*)\);", re.S | re.M
)
HANDLE = re.compile(r"^typedef struct (\w+) \1;", re.M)
MEMBER = re.compile(r"(?P<code>[^;/]+);[ \t]*(?:/\*(?P<comment>.*?)\*/)?", re.S)
ENUMERATOR = re.compile(r"(\w+) = [^,\n]+?,?[ \t]*/\*(.*?)\*/", re.S)
CONSTANT = re.compile(r'^#define (GECC_\w+) (\d+|"[^"]*")$', re.M)

# Prints a line for each fact, its parts parted by tabs.
PROBE = """
#include <gecc/gecc.h>
#include <stdio.h>
#include "scheme/operation.h"

#define STRUCT(type) printf("struct\\t" #type "\\t%zu\\t%zu\\n", sizeof(type), _Alignof(type));
#define FIELD(type, field) printf("field\\t" #type "." #field "\\t%zu\\t%zu\\t%zu\\n", offsetof(type, field), \\
                                  sizeof(((type *)0)->field), _Alignof(__typeof__(((type *)0)->field)));
#define VALUE(name) printf("value\\t" #name "\\t%lld\\n", (long long)(name));
#define TEXT(name, value, text) printf("text\\t" #name "\\t\\t%s\\n", text);
#define KIND(name, value, secrecy, title, text) printf("text\\t" #name "\\t%s\\t%s\\n", title, text);
#define FLAG(name, bit, title, text) printf("text\\t" #name "\\t%s\\t%s\\n", title, text);
#define OTHER(name, file) printf("other name\\t" #name "\\t" #file "\\n");
#define CURVE(name, value, identifier, title, ...) printf("text\\t" #name "\\t%s\\t\\n", title);

static void column(const char *what, const gecc_column *c) {
    for (; c->name != NULL; c++)
        printf("%s\\t%s\\t%s\\t%d\\t%d\\t%d\\n", what, c->name, c->text, (int)c->kind, (int)c->secrecy, c->is_optional);
}

int main(void) {
    @FACTS@
    GECC_RESULT_LIST(TEXT) GECC_ITEM_LIST(TEXT) GECC_ETHEREUM_REASON_LIST(TEXT)
    GECC_COLUMN_NAME_LIST(OTHER)
    GECC_KIND_LIST(KIND) GECC_FLAG_LIST(FLAG) GECC_CURVE_LIST(CURVE) GECC_EDWARDS_CURVE_LIST(CURVE)
    for (unsigned i = 0; i < OPERATION_COUNT; i++) {
        const gecc_operation *o = &gecc_operation_table[i].described;
        printf("operation\\t%s\\t%s\\t%d\\t%u\\t%u\\t%d\\n", o->name, o->text, (int)o->selector, (unsigned)o->curves,
               (unsigned)o->flags, (int)o->secrecy);
        column("input", gecc_operation_table[i].in);
        column("output", gecc_operation_table[i].out);
    }
    return 0;
}
"""


def words(comment):
    """The lines of a comment without its marks; lists stay indented."""
    inside = (comment or "").strip().removeprefix("/*").removesuffix("*/")
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in inside.split("\n")]
    return "\n".join(line.strip() if not line.startswith("  ") else line for line in lines).strip("\n")


def sentence(comment):
    """A comment beside a declaration, on one line."""
    return " ".join((comment or "").split())


def declared(code):
    """The name, type and number of items of a parameter or a field."""
    match = DECLARED.match(code.strip())
    found = {"name": match["name"], "type": re.sub(r"\s*(\*+)$", r" \1", " ".join(match["type"].split()))}
    return {**found, "count": int(match["count"])} if match["count"] else found


class Headers:
    """What include/gecc declares, in the order of gecc.h."""

    def __init__(self, folder):
        names = re.findall(r"#include <gecc/(\w+)\.h>", (folder / "gecc.h").read_text(encoding="utf-8"))
        self.texts = {name: (folder / f"{name}.h").read_text(encoding="utf-8") for name in ["curves", *names]}
        every = "\n".join(self.texts.values())
        self.handles = HANDLE.findall(every)
        self.constants = dict(CONSTANT.findall(every))
        self.types = [(header, match) for header, text in self.texts.items() for match in TYPE.finditer(text)]

    def version(self, *parts):
        """By default without the patch: that of functions, which come with no patch."""
        return ".".join(self.constants[f"GECC_VERSION_{part}"] for part in parts or ("MAJOR", "MINOR"))

    def sections(self):
        """What headers that declare functions say of themselves."""
        for name, text in self.texts.items():
            if FUNCTION.search(text):
                yield {"name": name, "text": words(re.search(r"/\*.*?\*/", text, re.S)[0])}

    def functions(self):
        for header, text in self.texts.items():
            for match in FUNCTION.finditer(text):
                result, name, parameters = re.fullmatch(r"(.*?)(\w+)\((.*)\);", match["code"], re.S).groups()
                yield {
                    "name": name,
                    "header": header,
                    "result": re.sub(r"\s*(\*+)$", r" \1", result.strip()),
                    "must_use": match["mark"] == "CALL",
                    "parameters": [declared(code) for code in parameters.split(",") if code != "void"],
                    "declaration": re.sub(r"\n\s+", "\n    ", match["code"]),
                    "text": words(match["comment"]),
                }

    def callbacks(self):
        for header, text in self.texts.items():
            for match in CALLBACK.finditer(text):
                yield {
                    "name": match["name"],
                    "header": header,
                    "result": match["result"],
                    "parameters": [declared(code) for code in match["parameters"].split(",")],
                    "text": words(match["comment"]),
                }

    def structs(self):
        for header, match in self.types:
            if match["what"] == "struct":
                fields = []
                for member in MEMBER.finditer(match["body"]):
                    first, *others = member["code"].split(",")
                    first = {**declared(first), "text": sentence(member["comment"])}
                    fields += [first, *({**first, "name": other.strip()} for other in others)]
                yield {"name": match["name"], "header": header, "text": words(match["comment"]), "fields": fields}

    def enums(self, preprocessed):
        """Enumerators are those that the preprocessor leaves, since most come from X-lists."""
        for header, match in self.types:
            if match["what"] == "enum":
                name = match["name"]
                body = re.search(rf"typedef enum {name} {{(.*?)}} {name};", preprocessed, re.S)[1]
                texts = {key: sentence(text) for key, text in ENUMERATOR.findall(match["body"])}
                values = [{"name": key, "text": texts.get(key, "")} for key in re.findall(r"(\w+)\s*=", body)]
                yield {"name": name, "header": header, "text": words(match["comment"]), "values": values}


def compiler(root, *arguments, source=None):
    """What the compiler prints."""
    folders = ["-I", root / "include", "-I", root / "src"]
    command = [*shlex.split(os.environ.get("CC", "cc")), "-std=c11", *folders, *arguments]
    return subprocess.run(command, input=source, stdout=subprocess.PIPE, text=True, check=True).stdout


def probe(root, structs, enums, constants):
    """Facts that a compiled program prints, by what they are about."""
    facts = [f"VALUE({value['name']})" for enum in enums for value in enum["values"]]
    for struct in structs:
        facts.append(f"STRUCT({struct['name']})")
        facts += [f"FIELD({struct['name']}, {field['name']})" for field in struct["fields"]]
    facts += [f"VALUE({name})" for name, text in constants.items() if text.isdigit()]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "probe")
        source = PROBE.replace("@FACTS@", "\n    ".join(facts))
        compiler(root, "-o", program, "-xc", "-", root / "src" / "scheme" / "operation.c", source=source)
        lines = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [line.split("\t") for line in lines]


def lay_out(struct, facts, is_made):
    """Give a struct and its fields their places; between two fields there is no more than alignment asks for, so none
    was missed. is_made: by the library alone, so that it may grow as one that has a size may."""
    fields = struct.pop("fields")
    struct["size"], struct["alignment"] = facts["struct", struct["name"]]
    struct["may_grow"] = fields[0]["name"] == "size" or is_made
    end = 0
    for field in fields:
        text = field.pop("text")
        field["offset"], field["size"], alignment = facts["field", f"{struct['name']}.{field['name']}"]
        aligned = -(-end // alignment) * alignment
        assert field["offset"] == aligned, f"{struct['name']}: a field before {field['name']} was not read"
        end = field["offset"] + field["size"]
        if text:
            field["text"] = text
    struct["fields"] = fields
    aligned = -(-end // struct["alignment"]) * struct["alignment"]
    assert struct["size"] == aligned, f"{struct['name']}: a last field was not read"


def operations_of(lines, enums):
    """The library's operations, with names for numbers."""
    names = {enum["name"]: {value["value"]: value["name"] for value in enum["values"]} for enum in enums}
    found = []
    for what, name, text, *numbers in lines:
        numbers = [int(number) for number in numbers] if what in ("operation", "input", "output") else []
        if what == "operation":
            selector, curves, flags, secrecy = numbers
            found.append({
                "name": name,
                "function": "gecc_" + name.replace(".", "_"),
                "text": text,
                "selector": names["gecc_selector"][selector],
                "secrecy": names["gecc_secrecy"][secrecy],
                "curves": [curve for value, curve in names["gecc_curve"].items() if curves >> value & 1],
                "flags": [flag for value, flag in names["gecc_flag"].items() if flags & value],
                "inputs": [],
                "outputs": [],
            })
        elif what in ("input", "output"):
            kind, secrecy, optional = numbers
            found[-1][what + "s"].append({
                "name": name,
                "kind": names["gecc_kind"][kind],
                "secrecy": names["gecc_secrecy"][secrecy],
                "is_optional": bool(optional),
                "text": text,
            })
    return found


def released(root):
    """{"0.2": the functions of the list that release left}, oldest first."""
    lists = sorted(
        (root / "bindings" / "abi").glob("*.*.*.txt"), key=lambda path: [int(part) for part in path.stem.split(".")]
    )
    functions = re.compile(r"^function (\w+): ", re.M)
    return {path.stem.rpartition(".")[0]: functions.findall(path.read_text(encoding="utf-8")) for path in lists}


def read(headers, preprocessed):
    """Functions, structs and enums; as many as the compiler sees."""
    functions, structs, enums = list(headers.functions()), list(headers.structs()), list(headers.enums(preprocessed))
    for what, count in (
        ('visibility("default")', len(functions)),
        ("typedef struct gecc_", len(structs) + len(headers.handles)),
        ("typedef enum gecc_", len(enums)),
    ):
        assert preprocessed.count(what) == count, f"include/gecc: not all of `{what}` were read"
    return functions, structs, enums


def complete(functions, structs, enums, lines):
    """Add the facts that the compiled program printed."""
    numbers = [line for line in lines if line[0] in ("struct", "field", "value")]
    facts = {(what, name): [int(part) for part in rest] for what, name, *rest in numbers}
    texts = {name: rest for what, name, *rest in lines if what == "text"}
    made = {function["result"] for function in functions}
    for struct in structs:
        lay_out(struct, facts, is_made=f"const {struct['name']} *" in made)
    for enum in enums:
        for value in enum["values"]:
            title, text = texts.get(value["name"], ("", value.pop("text")))
            value["value"] = facts["value", value["name"]][0]
            value.update({key: found for key, found in (("title", title), ("text", text)) if found})


def describe(root):
    headers = Headers(root / "include" / "gecc")
    preprocessed = compiler(root, "-E", "-P", "-xc", "-", source="#include <gecc/gecc.h>\n")
    functions, structs, enums = read(headers, preprocessed)
    lines = probe(root, structs, enums, headers.constants)
    complete(functions, structs, enums, lines)

    releases, first = released(root), {}
    for version, names in reversed(releases.items()):
        first.update(dict.fromkeys(names, version))
    version = headers.version()
    for function in functions:
        function["since"] = first.get(function["name"], version)
        if version in releases and function["name"] not in first:
            sys.exit(f"{function['name']}: comes with a new version in include/gecc/context.h; bindings/abi keeps what {version} had")
    return {
        "comment": "The binary interface of gecc, on machines of 64 bits: README.md. Made by tools/generate_abi.py.",
        "version": headers.version("MAJOR", "MINOR", "PATCH"),
        "headers": list(headers.sections()),
        "constants": {name: json.loads(text) for name, text in headers.constants.items()},
        "column_names": {name: rest[0] for what, name, *rest in lines if what == "other name"},
        "handles": headers.handles,
        "callbacks": list(headers.callbacks()),
        "enums": enums,
        "structs": structs,
        "functions": functions,
        "operations": operations_of(lines, enums),
    }


def symbol_map(root):
    """A version script for the linker: functions by the release that they came with."""
    lines = ["# The versions of the library's symbols. Made by tools/generate_abi.py from bindings/abi: do not edit."]
    headers, before, seen, releases = Headers(root / "include" / "gecc"), "", set(), released(root)
    releases.setdefault(headers.version(), [function["name"] for function in headers.functions()])
    for version, names in releases.items():
        new = sorted(set(names) - seen)
        seen.update(new)
        if new:
            others = [] if before else ["local:", "    *;"]
            lines += [f"GECC_{version} {{", "global:", *(f"    {name};" for name in new), *others, f"}}{before};"]
            before = f" GECC_{version}"
    return "\n".join(lines) + "\n"


def dump(value, indent=""):
    """JSON with a line for each thing that has parts without parts of their own."""
    line = json.dumps(value, ensure_ascii=False)
    parts = list(value.values()) if isinstance(value, dict) else value
    if len(indent) + len(line) <= 120 or isinstance(value, (str, int)) or (
        isinstance(value, dict) and not any(isinstance(part, (dict, list)) for part in parts)
    ):
        return line
    inner = indent + " "
    if isinstance(value, dict):
        pairs = [f"{inner}{json.dumps(key)}: {dump(part, inner)}" for key, part in value.items()]
        return "{\n" + ",\n".join(pairs) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + dump(part, inner) for part in parts) + f"\n{indent}]"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    (root / "bindings" / "abi" / "gecc.json").write_text(dump(describe(root)) + "\n", encoding="utf-8")
    (root / "cmake" / "gecc.map").write_text(symbol_map(root), encoding="utf-8")


if __name__ == "__main__":
    main()
