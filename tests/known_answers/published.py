"""The published cases of the package cryptography-vectors (PyPI, 50.0.2), in the form that README.md describes: CAVP's ECDSA
signatures, public keys and key pairs (FIPS 186-2, 186-3), RFC 6979 A.2, ECDH (SP 800-56A), compressed points."""

import base64
import hashlib
import importlib.util
import re
import sys
from pathlib import Path

from curves import P256, P384, SECP256K1

PACKAGES = Path(__file__).resolve().parents[2] / "build/python"  # where scripts/setup installs what comes from PyPI
CURVES = {"P-256": P256, "P-384": P384, "K-256": SECP256K1, "SECP256R1": P256, "SECP256K1": SECP256K1}
HASHES = {name: "sha" + name[4:] for name in ("SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512")}
FILES = ("ECDSA/FIPS_186-2", "ECDSA/FIPS_186-3", "ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt", "ECDSA/SECP256K1/SigGen.txt",
         "ECDH", "EC/compressed_points.txt")  # fmt: skip


class Missing(Exception):
    """Its only argument: why there are no published cases."""


def folder():
    """Where the package has its files."""
    sys.path.insert(0, str(PACKAGES))
    try:
        spec = importlib.util.find_spec("cryptography_vectors")
    finally:
        sys.path.pop(0)
    if not spec:
        raise Missing("no cryptography-vectors, which scripts/setup --test installs from PyPI")
    path = Path(spec.origin).parent / "asymmetric"
    for name in FILES:
        if not (path / name).exists():
            raise Missing(f"cryptography-vectors without {name}; scripts/setup --test installs one that has it")
    return path


def records(path):
    """(section, fields) of a file of CAVP's: [section], then records of NAME = VALUE with empty lines between."""
    section, fields = "", {}
    for line in [*path.read_text(encoding="utf-8", errors="replace").splitlines(), ""]:
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            section, fields = line[1:-1], {}
        elif " = " in line and not line.startswith("#"):
            name, value = line.split(" = ", 1)
            fields[name] = value
        elif not line and fields:
            yield section, fields
            fields = {}


def curve_and_hash(section, otherwise="SHA-1"):
    """Of a section "P-256,SHA-1"; FIPS 186-2 names no hash and means SHA-1."""
    curve, _, name = section.partition(",")
    return CURVES.get(curve), HASHES[name or otherwise]


def number(curve, text):
    """Hexadecimal of the curve's length; longer numbers keep their length, so that they are refused."""
    digits = text.lstrip("0").lower()
    return digits.zfill(max(2 * curve.length, len(digits) + len(digits) % 2))


def point(curve, fields, prefix="Q"):
    return "04" + number(curve, fields[prefix + "x"]) + number(curve, fields[prefix + "y"])


def digest(hash_name, fields):
    return hashlib.new(hash_name, bytes.fromhex(fields["Msg"])).hexdigest()


def passed(fields):
    return fields["Result"].startswith("P")


def signatures(path):
    """Signatures to verify; with the private key and the nonce, to make."""
    for section, fields in records(path):
        curve, hash_name = curve_and_hash(section)
        if not curve or "R" not in fields:
            continue
        signed = number(curve, fields["R"]) + number(curve, fields["S"])
        case = {"curve": curve.name, "digest": digest(hash_name, fields), "sig": signed, "enc": "raw"}
        valid = "Result" not in fields or passed(fields)
        yield {
            "op": "ecdsa_verify",
            **case,
            "pub": point(curve, fields),
            "valid": valid,
            "tag": fields.get("Result", "made"),
        }
        if "k" in fields:
            secrets = {"priv": number(curve, fields["d"]), "nonce": number(curve, fields["k"])}
            yield {"op": "ecdsa_sign_nonce", **case, **secrets, "valid": True, "tag": "with a nonce"}


def public_keys(path):
    for section, fields in records(path):
        curve = CURVES.get(section)
        if curve and "Qx" in fields:
            valid, tag = passed(fields), fields["Result"]
            yield {"op": "pubkey", "curve": curve.name, "enc": point(curve, fields), "valid": valid, "tag": tag}


def key_pairs(path):
    curve = None
    for section, fields in records(path):
        name = section.split(",")[0]
        curve = CURVES.get(name) if re.fullmatch(r"[PKB]-\d+", name) else curve
        if curve and "d" in fields and "Qx" in fields:
            private, public = number(curve, fields["d"]), point(curve, fields)
            yield {"op": "public_key", "curve": curve.name, "priv": private, "p": public, "valid": True, "tag": "a key pair"}


def shared_secrets(path):
    """Where the other side's key or all is right or wrong; other records are about our own keys and about what follows."""
    for section, fields in records(path):
        curve = {"EC": P256, "ED": P384}.get(section.split(" - ")[0])
        if not curve or "Z" not in fields or not re.match(r"P|F \([12] ", fields["Result"]):
            continue
        case = {"curve": curve.name, "priv": number(curve, fields["dsIUT"]), "pub": point(curve, fields, "QsCAVS")}
        yield {"op": "ecdh", **case, "x": number(curve, fields["Z"]), "valid": passed(fields), "tag": fields["Result"]}


def compressed_points(path):
    for _, fields in records(path):
        if "POINT" in fields:
            curve = CURVES[fields["CURVE"]]
            uncompressed = point(curve, {"Qx": fields["X"], "Qy": fields["Y"]})
            yield {
                "op": "convert",
                "curve": curve.name,
                "enc": fields["POINT"],
                "p": uncompressed,
                "valid": True,
                "tag": "compressed",
            }


def deterministic_signatures(path):
    """RFC 6979, A.2.5 and A.2.6, as OpenSSL writes them: keys in PEM, then records with signatures in DER."""
    text = path.read_text(encoding="utf-8")
    keys = {}
    for name, kind, body in re.findall(
        r"^(?:Private|Public)Key=(\S+)\n-----BEGIN (\w+) KEY-----\n([^-]*)", text, re.MULTILINE
    ):
        curve = CURVES.get(name[:5])
        if curve:
            der = base64.b64decode(body)
            start = (
                der.index(bytes([2, 1, 1, 4, curve.length])) + 5 if kind == "PRIVATE" else len(der) - 2 * curve.length - 1
            )
            keys[name] = curve, der[start : start + curve.length if kind == "PRIVATE" else None].hex()
    for _, fields in records(path):
        if fields.get("Key") not in keys:
            continue
        curve, key = keys[fields["Key"]]
        hash_name = fields.get("DigestSign", fields.get("DigestVerify")).lower()
        message = fields["Input"].strip('"').encode()
        case = {
            "curve": curve.name,
            "digest": hashlib.new(hash_name, message).hexdigest(),
            "sig": fields["Output"].lower(),
            "enc": "der",
        }
        if "DigestVerify" in fields:
            yield {
                "op": "ecdsa_verify",
                **case,
                "pub": key,
                "valid": "Result" not in fields,
                "tag": f"{hash_name}, {message.decode()}",
            }
        elif hash_name in ("sha256", "sha384", "sha512"):
            tag = f"{hash_name}, {message.decode()}"
            yield {"op": "ecdsa_sign_rfc6979", **case, "priv": key, "hmac": hash_name, "valid": True, "tag": tag}


READERS = {
    "SigGen.txt": signatures, "SigGen.rsp": signatures, "SigVer.rsp": signatures, "PKV.rsp": public_keys,
    "KeyPair.rsp": key_pairs, "compressed_points.txt": compressed_points, "evppkey_ecdsa_rfc6979.txt": deterministic_signatures,
}  # fmt: skip


def published(path):
    """All cases of the files below a folder that folder() gave."""
    for top in FILES:
        files = sorted((path / top).iterdir()) if (path / top).is_dir() else [path / top]
        for file in files:
            reader = shared_secrets if file.suffix == ".fax" else READERS.get(file.name)
            for case in reader(file) if reader else ():
                yield case | {"src": str(file.relative_to(path))}
