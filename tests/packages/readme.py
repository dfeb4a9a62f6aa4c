#!/usr/bin/env python3
"""README's examples, as README has them, against the gecc that is installed: each must give what is known to be right.

usage: readme.py tool|c|python

What is expected comes from elsewhere than from gecc: RFC 6979 (A.2.5), RFC 7515 (A.3), EIP-155, a block of Bitcoin, the curves'
equations. A command in README that this file has no rows and no answer for is an error, as is one that README no longer has.
Needs Python alone; `c` needs cc, pkg-config and libgecc's development files, `python` the package gecc.
"""

import ast
import base64
import csv
import ctypes
import importlib.util
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DATA = ROOT / "examples" / "data"

# RFC 6979, A.2.5: P-256.
PRIVATE_KEY = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
PUBLIC_KEY = ("0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
              "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
SAMPLE = "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf"
TEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
SAMPLE_SIGNATURE = ("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
TEST_SIGNATURE = ("f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                  "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083")

# RFC 7515, A.3: a token by ES256, and its key.
TOKEN = ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
         "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
TOKEN_KEY = ("047fcdce2770f6c45d4183cbee6fdb4b7b580733357be9ef13bacf6e3c7bd15445"
             "c7f144cd1bbd9b7e872cdfedb9eeb9f4b3695d6ea90b24ad8a4623288588e5ad")

# EIP-155's example: a transaction, and who signed it, with private key 0x4646...46.
TRANSACTION = bytes.fromhex(
    "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003"
    "e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83")
SENDER = "9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f"

# y^2 = x^3 + a x + b modulo p, with its base point: FIPS 186-4 and GM/T 0003.5. a = -3 on both.
CURVES = {
    "P-256": (0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF,
              0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
              0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5),
    "SM2": (0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF,
            0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
            0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0),
}


def add(curve, first, second):
    """Of affine points, neither of which is infinity or the other's negative."""
    p = CURVES[curve][0]
    (x1, y1), (x2, y2) = first, second
    slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, p) if first == second else (y2 - y1) * pow(x2 - x1, -1, p)
    x = (slope * slope - x1 - x2) % p
    return x, (slope * (x1 - x) - y1) % p


def multiple(curve, scalar):
    """scalar * G, uncompressed, in hexadecimal."""
    result, power = None, CURVES[curve][1:]
    while scalar:
        if scalar & 1:
            result = power if result is None else add(curve, result, power)
        power = add(curve, power, power)
        scalar >>= 1
    return "04%064x%064x" % result


def der(signature):
    """r || s in hexadecimal, as DER."""
    def integer(digits):
        data = bytes.fromhex(digits).lstrip(b"\0")
        data = b"\0" * (data[0] >> 7) + data
        return bytes([2, len(data)]) + data

    body = integer(signature[:64]) + integer(signature[64:])
    return (bytes([0x30, len(body)]) + body).hex()


def pem(point):
    """RFC 5480's SubjectPublicKeyInfo of a point on P-256."""
    head = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
    text = base64.encodebytes(head + bytes.fromhex(point)).decode()
    return f"-----BEGIN PUBLIC KEY-----\n{text}-----END PUBLIC KEY-----\n"


def zstd(data):
    """One frame of RFC 8878 with one raw block."""
    return (bytes.fromhex("28b52ffda0") + len(data).to_bytes(4, "little")
            + (len(data) << 3 | 1).to_bytes(3, "little") + data)


def rlp(item):
    """Of bytes and lists of what is encoded already."""
    body = item if isinstance(item, bytes) else b"".join(item)
    if isinstance(item, bytes) and len(body) == 1 and body[0] < 0x80:
        return body
    base = 0x80 if isinstance(item, bytes) else 0xC0
    if len(body) < 56:
        return bytes([base + len(body)]) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return bytes([base + 55 + len(length)]) + length + body


def block(transactions):
    """A block of before London: a header of 15 fields, transactions, no uncles."""
    widths = [32, 32, 20, 32, 32, 32, 256]
    header = [bytes([7]) * width for width in widths] + [b"\1", b"\x0f", b"\x7f\xff", b"\x52\x08", b"\x5f\xff\xff\xff", b"gecc",
                                                         bytes(32), bytes(8)]
    return rlp([rlp([rlp(field) for field in header]), rlp(list(transactions)), rlp([])])


def write_csv(name, *rows):
    with open(name, "w", newline="", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def write_lines(name, *rows):
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")


def csv_rows(text):
    return list(csv.DictReader(text.splitlines()))


def json_rows(text):
    return [json.loads(line) for line in text.splitlines()]


def same(what, found, expected):
    if found != expected:
        raise AssertionError(f"{what}: {found!r}, where {expected!r} is right")


def statuses(rows):
    return [row["status"] for row in rows]


# Each: what the command reads is written, and a function is returned that judges its exit status and output.

def keygen():
    def judge(code, _):
        same("exit status", code, 0)
        rows = csv_rows(Path("keys.csv").read_text(encoding="ascii"))
        private = [row["priv"] for row in rows]
        same("different keys", len(set(private)), 1000)
        for row in rows[::100]:
            same("a public key", row["pub"], multiple("P-256", int(row["priv"], 16)))
        same("the file's mode", stat.S_IMODE(os.stat("keys.csv").st_mode), 0o600)

    return judge


def verify_block():
    Path("signatures.csv").write_bytes((DATA / "bitcoin-block-413567-part.csv").read_bytes())

    def judge(code, _):
        rows = csv_rows(Path("verdicts.csv").read_text(encoding="ascii"))
        same("exit status", code, 1)
        same("rows", len(rows), 305)
        same("verdicts", statuses(rows), [row["expected"] for row in rows])

    return judge


def verify_only():
    write_csv("rows.csv", ["number", "pub", "hash", "signature"], [1, PUBLIC_KEY, SAMPLE, SAMPLE_SIGNATURE],
              [2, PUBLIC_KEY, SAMPLE, TEST_SIGNATURE], [3, PUBLIC_KEY, TEST, TEST_SIGNATURE],
              [4, PUBLIC_KEY, TEST, "00" * 64], [5, "04" + "07" * 64, TEST, TEST_SIGNATURE])

    def judge(code, _):
        rows = csv_rows(Path("bad.csv").read_text(encoding="ascii"))
        same("exit status", code, 1)
        same("rows", [(row["number"], row["status"]) for row in rows], [("2", "invalid"), ("4", "malformed"), ("5", "malformed")])

    return judge


def sign():
    write_lines("keys-and-digests.jsonl", {"priv": PRIVATE_KEY, "digest": SAMPLE}, {"priv": PRIVATE_KEY, "digest": TEST})

    def judge(code, output):
        same("exit status", code, 0)
        same("signatures", [row["sig"] for row in json_rows(output)], [der(SAMPLE_SIGNATURE), der(TEST_SIGNATURE)])

    return judge


def multiply():
    scalars = [1, 2, 3, 0xFEDCBA9876543210 << 180, 2**255 + 12345]
    write_csv("scalars.csv", ["scalar"], *[["%064x" % scalar] for scalar in scalars])

    def judge(code, output):
        same("exit status", code, 0)
        same("points", [row["point"] for row in csv_rows(output)], [multiple("SM2", scalar) for scalar in scalars])

    return judge


def verify_compressed():
    Path("key.pem").write_text(pem(PUBLIC_KEY), encoding="ascii")
    write_lines("rows.jsonl", {"digest": SAMPLE, "sig": SAMPLE_SIGNATURE}, {"digest": SAMPLE, "sig": TEST_SIGNATURE})
    Path("rows.jsonl.zst").write_bytes(zstd(Path("rows.jsonl").read_bytes()))

    def judge(code, output):
        same("exit status", code, 1)
        same("verdicts", statuses(json_rows(output)), ["valid", "invalid"])

    return judge


def verify_tokens():
    Path("issuer.pem").write_text(pem(TOKEN_KEY), encoding="ascii")
    Path("tokens.txt").write_text(f"{TOKEN}\n{TOKEN.replace('OiJqb2Ui', 'OiJldmUi')}\n", encoding="ascii")

    def judge(code, output):
        same("exit status", code, 1)
        same("verdicts", statuses(json_rows(output)), ["valid", "invalid"])

    return judge


def senders():
    Path("blocks.rlp").write_bytes(block([TRANSACTION]) + block([]) + block([TRANSACTION, TRANSACTION]))

    def judge(code, output):
        same("exit status", code, 0)
        rows = csv_rows(output)
        same("senders", [row["sender"].lower().removeprefix("0x") for row in rows], [SENDER] * 3)

    return judge


def inputs():
    Path("bitcoin-transactions.jsonl").write_bytes((DATA / "bitcoin-transactions.jsonl").read_bytes())

    def judge(code, output):
        found = statuses(json_rows(output))
        same("exit status", code, 1)
        # In the last transaction an amount was changed, which two of its three signatures cover (BIP-143, BIP-341).
        same("verdicts", found[-3:], ["invalid", "valid", "invalid"])
        same("the other verdicts", set(found[:-3]), {"valid"})
        same("rows", len(found), 33)

    return judge


def program_help():
    def judge(code, output):
        same("exit status", code, 0)
        for name in ("verify", "sign", "recover", "senders", "inputs"):
            assert re.search(rf"^  {name}$", output, re.MULTILINE), f"--help does not name {name}"

    return judge


COMMANDS = {
    "gecc keygen --curve P-256 --count 1000 -o keys.csv": keygen,
    "gecc verify --curve secp256k1 signatures.csv > verdicts.csv": verify_block,
    "gecc verify --curve P-256 --map digest=hash,sig=signature --only invalid,malformed -o bad.csv rows.csv": verify_only,
    "gecc sign --curve P-256 --sig-format der < keys-and-digests.jsonl": sign,
    "gecc mul --curve SM2 --public < scalars.csv": multiply,
    "gecc verify --pub-file key.pem rows.jsonl.zst": verify_compressed,
    "gecc verify --jwt --pub-file issuer.pem tokens.txt": verify_tokens,
    "gecc senders blocks.rlp": senders,
    "gecc inputs --verify < bitcoin-transactions.jsonl": inputs,
    "gecc --help": program_help,
}


def readme_commands():
    for line in re.findall(r"^    \$ (gecc .*)$", README, re.MULTILINE):
        yield " ".join(re.sub(r"\s#\s.*", "", line).split())


def has_libcrypto():
    """OpenSSL 3's, which reads keys in PEM and DER: Debian 11 has none."""
    try:
        return bool(ctypes.CDLL("libcrypto.so.3"))
    except OSError:
        return False


def check_tool():
    found = list(readme_commands())
    same("README's commands that have no answer here", [command for command in found if command not in COMMANDS], [])
    same("answers to commands that README has not", [command for command in COMMANDS if command not in found], [])
    for command in found:
        if "--pub-file" in command and not has_libcrypto():
            print(f"not run, there is no libcrypto.so.3: {command}")
            continue
        judge = COMMANDS[command]()
        done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            judge(done.returncode, done.stdout)
        except (AssertionError, OSError, KeyError, ValueError, IndexError) as error:
            sys.exit(f"readme: {command}: {type(error).__name__}: {error}\n{done.stderr}")
        print(f"as expected: {command}")


def fenced(language):
    """README's block of a language."""
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return text


def check_c():
    """The example is compiled as README says it."""
    (command,) = re.findall(r"^    (cc examples/verify\.c .*)$", README, re.MULTILINE)
    same("examples/verify.c", fenced("c") in (ROOT / "examples" / "verify.c").read_text(encoding="ascii"), True)
    Path("examples").mkdir()
    Path("examples/verify.c").write_text(fenced("c"), encoding="ascii")
    Path("examples/rows.h").write_bytes((ROOT / "examples" / "rows.h").read_bytes())
    subprocess.run(["sh", "-c", command], check=True)
    output = subprocess.run(["./verify"], check=True, stdout=subprocess.PIPE, text=True).stdout
    same("output", output, "row 0: valid, or computed\nrow 1: valid, or computed\n"
                           "row 2: well formed, but does not verify or has no result\n")
    print(f"as expected: {command}")


def python_needs(code):
    """The packages, besides gecc and NumPy, that a line of README needs."""
    if code.startswith("connection.") or "gecc.duckdb" in code:
        return ["pyarrow", "duckdb"]
    return ["pyarrow"] if "gecc.parquet" in code else []


def check_python():
    """Lines in order, with columns of RFC 6979. Those that need packages which are not there are said not to run."""
    import gecc
    import numpy

    print("gecc", gecc.__version__, gecc.__file__)
    rows = [(SAMPLE, SAMPLE_SIGNATURE), (TEST, TEST_SIGNATURE), (SAMPLE, TEST_SIGNATURE)]
    verdicts = [gecc.Status.OK, gecc.Status.OK, gecc.Status.INVALID]
    names = {"public_key": bytes.fromhex(PUBLIC_KEY), "private_key": bytes.fromhex(PRIVATE_KEY),
             "digest": [bytes.fromhex(digest) for digest, _ in rows],
             "signature": [bytes.fromhex(signature) for _, signature in rows]}
    there = {name for name in ("pyarrow", "duckdb") if importlib.util.find_spec(name)}
    if "pyarrow" in there:
        import pyarrow.parquet

        table = {name: names[name] for name in ("digest", "signature")}
        pyarrow.parquet.write_table(pyarrow.table({"public_key": [names["public_key"]] * 3, **table}), "signatures.parquet")
    if "duckdb" in there:
        import duckdb

        names["connection"] = duckdb.connect()

    def recovered(_):
        key = gecc.ec.public_key("secp256k1", names["private_key"]).out[0].tobytes()
        found, status = gecc.ecdsa.recover("secp256k1", names["digest"], names["signature"], names["recovery_id"])
        return list(names["status"]), list(status), {bytes(row) for row in numpy.asarray(found)} == {key}

    answers = {
        "import gecc": None, "import gecc.parquet": None, "import gecc.duckdb": None, "gecc.duckdb.register(": None,
        "status = gecc.ecdsa.verify(": (lambda _: list(names["status"]), verdicts),
        "signature, recovery_id, status = gecc.ecdsa.sign(": (recovered, ([gecc.Status.OK] * 3, [gecc.Status.OK] * 3, True)),
        "gecc.parquet.run(": (lambda _: pyarrow.parquet.read_table("verdicts.parquet")["status"].to_pylist(), verdicts),
        "connection.sql(": (lambda relation: relation.fetchall(), [(True,), (True,), (False,)]),
    }
    for line in filter(None, fenced("python").splitlines()):
        code = re.sub(r"\s{2,}#\s.*", "", line)
        (start,) = [start for start in answers if code == start or start.endswith("(") and code.startswith(start)] or [None]
        if start is None:
            sys.exit(f"readme: nothing is known of what is right for {code!r}")
        answer = answers.pop(start)
        if lacking := set(python_needs(code)) - there:
            print(f"not run, there is no {' and no '.join(sorted(lacking))}: {code}")
            continue
        statement = ast.parse(code).body[0]
        result = eval(code, names) if isinstance(statement, ast.Expr) else exec(code, names)
        if answer:
            same(code, answer[0](result), answer[1])
        print(f"as expected: {code}")
    same("answers to lines that README has not", list(answers), [])


def main():
    checks = {"tool": check_tool, "c": check_c, "python": check_python}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        checks[sys.argv[1]]()
        os.chdir("/")


if __name__ == "__main__":
    main()
