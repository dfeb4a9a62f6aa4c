"""Certificates and lists of revoked ones made field by field, for the tests of chains. All signatures are of P-256."""

import base64
import functools
import hashlib

from support import P256, der
from test_x509 import pem_of, tlv

ECDSA_SHA256 = tlv(0x30, tlv(6, bytes.fromhex("2a8648ce3d040302")))
NONCE = 0x1D  # the keys are nobody's
NOW = 1_700_000_000  # 2023-11-14T22:13:20Z
R = P256.mul(NONCE)[0] % P256.n


def integer(value):
    return tlv(2, value.to_bytes((value + (value < 0)).bit_length() // 8 + 1, "big", signed=True))


def name(*common, tag=12):
    return tlv(0x30, *(tlv(0x31, tlv(0x30, tlv(6, b"\x55\4\3"), tlv(tag, text.encode()))) for text in common))


def utc(text):
    return tlv(23, text.encode())


@functools.cache
def spki(key):
    point = bytes.fromhex(P256.encode(P256.mul(key)))
    return tlv(0x30, tlv(0x30, tlv(6, bytes.fromhex("2a8648ce3d0201")), tlv(6, bytes.fromhex("2a8648ce3d030107"))), tlv(3, b"\0", point))


@functools.cache
def key_id(key):
    return hashlib.sha1(spki(key)).digest()


def signed(tbs, key):
    e = int.from_bytes(hashlib.sha256(tbs).digest(), "big")
    return tlv(0x30, tbs, ECDSA_SHA256, tlv(3, b"\0", der(R, pow(NONCE, -1, P256.n) * (e + R * key) % P256.n)))


def extension(number, value, critical=False):
    return tlv(0x30, tlv(6, bytes([0x55, 0x1D, number])), tlv(1, b"\xff") if critical else b"", tlv(4, value))


def issuer_key(identifier=None, issuer=None, serial=None):
    """The contents of an authority key identifier."""
    return tlv(0x30, tlv(0x80, identifier) if identifier is not None else b"",
               tlv(0xA1, tlv(0xA4, issuer)) if issuer else b"", tlv(0x82, integer(serial)[2:]) if serial is not None else b"")  # fmt: skip


def certificate(subject, key, issuer, issuer_number, serial=1, *, ca=None, path=None, usage=None, ids=True, aki=None, dates=("200101000000Z", "300101000000Z"),
                version=2, more=(), bare=False):  # fmt: skip
    """subject, issuer: text or a Name in DER; key, issuer_number: private keys. ca None: no basicConstraints. usage: bits from keyCertSign, 4, and
    cRLSign, 2. aki: DER instead of the issuer's key identifier."""
    subject, issuer = (text if isinstance(text, bytes) else name(text) for text in (subject, issuer))
    extensions = [*more]
    if ca is not None:
        extensions.append(extension(19, tlv(0x30, tlv(1, b"\xff") if ca else b"", integer(path) if path is not None else b""), True))
    if usage is not None:
        extensions.append(extension(15, tlv(3, bytes([1, usage])), True))
    if ids:
        extensions += [extension(14, tlv(4, key_id(key))), extension(35, aki or issuer_key(key_id(issuer_number)))]
    return signed(tlv(0x30, tlv(0xA0, integer(version)) if version else b"", integer(serial), ECDSA_SHA256, issuer, tlv(0x30, *map(utc, dates)), subject,
                      spki(key), tlv(0xA3, tlv(0x30, *extensions)) if extensions and not bare else b""), issuer_number)  # fmt: skip


def root(subject, key, **options):
    return certificate(subject, key, subject, key, **{"ca": True, **options})


def revocations(issuer, key, serials, *, dates=("230101000000Z", "240101000000Z"), more=(), entry=(), ids=True):
    entries = [tlv(0x30, integer(serial), utc("220101000000Z"), tlv(0x30, *entry) if entry else b"") for serial in serials]
    extensions = [*more, *([extension(35, issuer_key(key_id(key)))] if ids else []), extension(20, integer(1))]
    return signed(tlv(0x30, integer(1), ECDSA_SHA256, name(issuer), *map(utc, dates), tlv(0x30, *entries) if entries else b"",
                      tlv(0xA0, tlv(0x30, *extensions))), key)  # fmt: skip


def pems(*ders, label="CERTIFICATE"):
    return b"".join(pem_of(der, label) for der in ders)


def fingerprint(data):
    return hashlib.sha256(data).hexdigest()


def base64_of(data):
    return base64.b64encode(data).decode()
