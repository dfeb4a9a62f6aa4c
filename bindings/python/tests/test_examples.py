"""The examples in Python, each of at most 80 lines, against the package that is installed."""

import runpy
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = {"cose_sign1": ("cbor2", "valid"), "did_plc": ("cbor2", "valid"), "dnssec_zone": ("dns", "signatures valid")}


def test_all():
    assert {path.stem for path in (ROOT / "examples" / "python").glob("*.py")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    parser, words = EXAMPLES[name]
    pytest.importorskip(parser)
    path = ROOT / "examples" / "python" / f"{name}.py"
    assert len(path.read_text().splitlines()) <= 80
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout


def read(name):
    pytest.importorskip(EXAMPLES[name][0])
    return runpy.run_path(str(ROOT / "examples" / "python" / f"{name}.py"), run_name="__main__")


def test_cose_hostile():
    """Messages of other forms get their verdict, and leave the others theirs."""
    made = read("cose_sign1")
    cbor2 = pytest.importorskip("cbor2")
    keys, private, good = made["keys"], made["private"][-7], made["example"]
    headers = {"another algorithm": [cbor2.dumps({1: one}) for one in ([1], {}, -7.0, True)],
               "malformed": [bytes.fromhex(one) for one in ("a1012600", "a201260126", "a20138220126", "a1f526", "a1f93c0026", "a1", "01", "80")]}  # fmt: skip
    for verdict, protected in headers.items():
        changed = [made["make"](-7, b"-7", private, b"payload", one) for one in protected]
        assert made["verify"]([good, *changed, good], keys) == ["valid", *[verdict] * len(changed), "valid"]
    protected, unprotected, payload, _ = cbor2.loads(good).value
    changed = [cbor2.dumps(cbor2.CBORTag(18, [protected, unprotected, payload, one])) for one in (5, "x" * 64, 2**511, None)] + [good + b"x", 100000 * b"\x81"]
    assert made["verify"]([good, *changed, good], keys) == ["valid", *["malformed"] * len(changed), "valid"]


def test_did_hostile():
    """One genesis has one DID, and a log of another form has none."""
    made = read("did_plc")
    first, second, k1, keys, sign = (made[name] for name in ("first", "second", "k1", "keys", "sign"))
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    last = alphabet[alphabet.index(first["sig"][-1]) ^ 1]  # bits that stand for no byte
    logs = [[{**first, "prev": ""}], [second[k1]], [first, first], [], [{**first, "sig": second[k1]["sig"]}], ["x"], None]
    logs += [[{**first, "sig": text}] for text in (first["sig"][:-1] + last, first["sig"] + "==", first["sig"] + " ", 5, "\u00e9", "AAAA")]
    logs += [[sign(k1, None, rotationKeys=keys, type=name)] for name in ("plc_tombstone", "what", "create")]
    logs += [[sign(k1, None, rotationKeys=["did:web:" + keys[0][8:]])], [{**first, "x": 1e400}], [{**first, "x": "\ud800"}]]
    logs += [[{**first, "rotationKeys": ["did:key:z" + text]}] for text in (48 * "z", 50 * "z", 10**7 * "z")]
    assert made["verify"]([[first], *logs, [first]]) == [f"did:plc:{made['hashed'](first)[:24]}", *[""] * len(logs), f"did:plc:{made['hashed'](first)[:24]}"]
