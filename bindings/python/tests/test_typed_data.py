"""Typed data of Ethereum (EIP-712) through the tool, beside eth-account: random documents and changed ones."""

import json
import os
import random
import subprocess
import sys

import pytest
from conftest import SEED

from gecc import _program

LIMIT = sys.getrecursionlimit()
messages = pytest.importorskip("eth_account.messages")
from eth_utils import keccak  # noqa: E402

sys.setrecursionlimit(LIMIT)  # py_ecc raises it so far that other tests' deep JSON overflows the stack

pytestmark = pytest.mark.skipif(not os.path.exists(_program.TOOL), reason="the wheel was built without the tool")

N = int(os.environ.get("GECC_TYPED_DATA") or 1500)
ATOMS = ["bool", "address", "string", "bytes", *(f"bytes{n}" for n in (1, 4, 20, 31, 32)),
         *(f"{sign}int{bits}" for sign in ("u", "") for bits in (8, 16, 64, 128, 248, 256))]  # fmt: skip
DOMAIN = [("name", "string"), ("version", "string"), ("chainId", "uint256"), ("verifyingContract", "address"), ("salt", "bytes32")]
JUNK = [None, True, False, 0, 1, -1, 1.5, 2**255, 2**256, -(2**255) - 1, 1e30, "", "0x", "0x1", "0xZZ", "-1", "-0x1", "1e3", " 1", "1_0", "01", "+1", "\u0663",
        "abc", [], {}, [1], {"a": 1}, "0x" + "00" * 32, "0X01", "uint256", "Person", "Person[", "Person[0]", "uint", "int", "uint7", "bytes33", "bytes0",
        "string[]", "0x" + "11" * 20, "11" * 20, "0x" + "aB" * 20, "\ud800", "fixed", "a b", "a,b", "x(y)", "null", "false"]  # fmt: skip

#: What gecc refuses and eth-account takes, and why.
STRICTER = {
    "more than a `name` and a `type`": "eth-account looks at no other members of a field's definition",
    "another number of elements": "eth-account does not count elements",
    "that its struct's type has not": "eth-account looks at no other members: what they say is not signed",
    "a field twice": "eth-account signs the one value twice",
    "neither atomic nor in `types`": "eth-account takes `uint`, `int`, which the standard excludes, and any name where an array is empty or a struct null",
    "an array type that is none": "eth-account looks at the first and the last bracket alone",
    "besides types": "eth-account looks at no other members",
    "no `name` or no `type`": "of the types of a domain eth-account looks at the names alone",
    "is missing": "eth-account takes a missing struct, string or bytes for 32 zeros",
    "even number of": "eth-account takes other strings for their UTF-8, addresses without 0x, and odd digits",
    "no object, as a struct is": "eth-account takes an empty domain or message of another kind",
    "no EIP712Domain": "the standard requires it; without it wallets differ in what they sign",
    "not all of": "eth-account derives the primary type where it is not named",
    "none of the standard's": "eth-account does not look at the types of a domain's fields",
    "neither true nor false": "eth-account takes anything for a bool",
    "no string, as its type needs": "eth-account takes numbers for their bytes, and null for 32 zeros",
    "no integer in decimal": "eth-account takes what Python's int does: blanks, underscores, other scripts' digits",
    "neither a number nor": "eth-account takes true for 1",
    "other than ASCII": "a name has to be an identifier",
    "another number than": "eth-account fills up with zeros",
    "no hexadecimal digit": "eth-account takes it for text",
    "like an atomic": "eth-account takes the struct",
    "a struct in `types` is no array": "eth-account does not look at structs that nothing refers to",
    "is no object of `name` and `type`": "the same",
    "a string that cannot be read": "half of a surrogate pair, in what eth-account does not look at",
}
#: What eth-account refuses and gecc takes, by the start of what it says, and why.
LOOSER = {
    "The provided `primaryType`": "eth-account wants a struct that is the only one nothing refers to",
    "Unable to determine primary": "the same",
}


class Documents:
    def __init__(self, randomness):
        self.random = randomness

    def types(self):
        pick, types = self.random, {}
        names = pick.sample(["Mail", "Person", "Asset", "Order", "Z", "a", "B_1", "$x"], pick.randrange(1, 5))
        for i, name in enumerate(names):
            types[name] = []
            for j in range(pick.randrange(0 if i else 1, 5)):
                later = names[i + 1 :]
                what = pick.random()
                kind = pick.choice(later) if later and what < 0.35 else name + "[]" if what < 0.42 else name if what < 0.46 else pick.choice(ATOMS)
                kind += "".join(pick.choice(("[]", "[]", "[2]", "[1]", "[3]")) for _ in range(pick.choice((0, 0, 0, 1, 1, 2))))
                types[name].append({"name": f"f{j}" + pick.choice(("", "Name", "_")), "type": kind})
        for i, name in enumerate(names[1:]):
            if not any(field["type"].split("[")[0] == name for other in names[: i + 1] for field in types[other]):
                types[names[0]].append({"name": f"g{i}", "type": name})
        return types, names[0]

    def value(self, types, kind, depth=0):
        pick = self.random
        if kind.endswith("]"):
            kind, _, count = kind[:-1].rpartition("[")
            return [self.value(types, kind, depth + 1) for _ in range(int(count) if count else pick.randrange(4) if depth < 5 else 0)]
        if kind in types:
            members = [(field["name"], self.value(types, field["type"], depth + 1)) for field in types[kind]] if depth <= 5 else None
            return dict(pick.sample(members, len(members))) if members is not None and (not depth or pick.random() > 0.1) else None
        if kind == "bool":
            return pick.random() < 0.5
        if kind == "string":
            return "".join(pick.choice(["a", " ", "\u00e9", "\n", '"', "\\", "\U0001f600", "\0"]) for _ in range(pick.randrange(12)))
        if kind == "address" or kind.startswith("bytes"):
            return "0x" + pick.randbytes(20 if kind == "address" else int(kind[5:] or pick.choice((0, 1, 32, 150)))).hex()
        bits, signed = int(kind.lstrip("uint")), kind[0] == "i"
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        value = pick.choice((low, high, 0, 1, pick.randrange(low, high + 1), pick.randrange(low, high + 1)))
        return value if pick.random() < 0.5 else str(value) if value < 0 or pick.random() < 0.5 else hex(value)

    def document(self):
        types, primary = self.types()
        domain = [field for field in DOMAIN if self.random.random() < 0.6]
        return {"types": {"EIP712Domain": [{"name": name, "type": kind} for name, kind in domain], **types}, "primaryType": primary,
                "domain": {name: self.value(types, kind, 1) for name, kind in domain}, "message": self.value(types, primary)}  # fmt: skip


def paths(value, path=()):
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from paths(value[key], (*path, key))


def at(document, path):
    for key in path:
        document = document[key]
    return document


def mutate(pick, document):
    places = [path for path in paths(document) if path]
    *above, key = pick.choice(places)
    parent, how = at(document, above), pick.randrange(7)
    if how == 0:
        parent.pop(key)
    elif how == 1:
        parent[key] = pick.choice(JUNK)
    elif how == 2:
        parent[key] = json.loads(json.dumps(at(document, pick.choice(places))))
    elif how == 3 and isinstance(parent, dict):
        parent[pick.choice(["x", "name", "a b", "f0", "EIP712Domain", "uint256"])] = pick.choice(JUNK)
    elif how == 4 and isinstance(parent, dict):
        parent[pick.choice(["x", "Other", key + "x"])] = parent.pop(key)
    elif how == 5 and isinstance(parent, list):
        parent.append(json.loads(json.dumps(parent[key])))
    elif isinstance(parent[key], str):
        text, i = parent[key], pick.randrange(len(parent[key]) + 1)
        parent[key] = pick.choice((text[:i] + text[i + 1 :], text[:i] + pick.choice("0x1a\u00e9 -[]") + text[i:], text.upper(), text[2:]))


def expected(text):
    """(digest, None) or (None, why not)."""
    try:
        message = messages.encode_typed_data(full_message=json.loads(text))
    except Exception as error:  # noqa: BLE001 - of any kind, for what it does not expect
        return None, f"{type(error).__name__}: {error}"
    return keccak(b"\x19" + message.version + message.header + message.body).hex(), None


def test_eth_account():
    pick = random.Random(SEED)
    documents, texts = Documents(pick), []
    for n in range(N):
        document = documents.document()
        for _ in range(n % 4 and pick.choice((1, 1, 2))):
            mutate(pick, document)
        text = json.dumps(document)
        texts.append(json.dumps(json.loads(text), ensure_ascii=False) if n % 3 == 0 and "\\ud8" not in text else text)
    lines = [json.dumps({"typed_data": text}) if n % 2 else f'{{"typed_data":{text}}}' for n, text in enumerate(texts)]
    done = subprocess.run([_program.TOOL, "digest", "--format", "jsonl"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    same = 0
    for text, row in zip(texts, rows, strict=True):
        digest, refusal = expected(text)
        if "digest" not in row and digest:
            assert any(words in row["reason"] for words in STRICTER), (text, row["reason"])
        elif "digest" in row and refusal:
            assert any(words in refusal for words in LOOSER), (text, refusal)
        elif digest:
            assert row["digest"] == digest, text
            same += 1
    assert same > N / 4
