"""Logs of did:plc: each operation is signed by a rotation key of the one before it, on secp256k1 or P-256, with a low s by rule;
all of a curve in one call. Logs that begin with the older form `create` get no DID. Needs cbor2 and, to make logs, cryptography."""

import base64
import functools
import hashlib

import cbor2
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

import gecc

CURVES = {b"\xe7\x01": "secp256k1", b"\x80\x24": "P-256"}
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
cbor = functools.partial(cbor2.dumps, canonical=True)  # as DAG-CBOR: shorter names first


def decode_key(text):
    digits = text[9:] if text[:9] == "did:key:z" and len(text) == 57 else "0"  # 0 is no digit
    data = functools.reduce(lambda value, digit: 58 * value + BASE58.index(digit), digits, 0).to_bytes(35, "big")  # two bytes that name the curve, and 33
    return CURVES[data[:2]], data[2:]


def hashed(operation, head=b""):
    return base64.b32encode(head + hashlib.sha256(cbor(operation)).digest()).decode().rstrip("=").lower()


def cid(operation):
    return operation and "b" + hashed(operation, b"\x01\x71\x12\x20")


def rows_of(log):  # the (curve, key, message, signature) of which one has to be valid, for each operation
    rows, keys, before = [], None, None
    for operation in log:
        own, kinds = operation.get("rotationKeys", []), ("plc_operation", "plc_tombstone")[: 2 if before else 1]
        signature = base64.urlsafe_b64decode(operation["sig"] + "==")
        text = base64.urlsafe_b64encode(signature).decode().rstrip("=")  # another text of it would make another DID
        if operation["prev"] != cid(before) or (before and not keys) or operation["type"] not in kinds or operation["sig"] != text:
            raise ValueError("its operations are no chain")
        message = cbor({name: value for name, value in operation.items() if name != "sig"})
        rows.append({(*decode_key(key), message, signature) for key in keys or own})
        keys, before = own, operation
    return rows or [set()]


def verify(logs):  # the DID of each log; an empty text: it has none
    parsed, valid = [], set()
    for log in logs:
        try:
            parsed.append(rows_of(log))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, cbor2.CBORError):
            parsed.append([set()])
    for curve in CURVES.values():
        rows = [row for operations in parsed for operation in operations for row in operation if row[0] == curve]
        if rows:
            _, keys, messages, signatures = (list(column) for column in zip(*rows))
            status = gecc.ecdsa.verify(curve, keys, gecc.digest("sha256", messages).digest, signatures, low_s=True)
            valid |= {row for row, one in zip(rows, status) if one == gecc.Status.OK}
    return ["did:plc:" + hashed(log[0])[:24] if all(operation & valid for operation in operations) else "" for log, operations in zip(logs, parsed)]


def sign(private, before, low=True, **members):
    operation, s = {"type": "plc_operation", "prev": cid(before), **members}, None
    while s is None or (s < 1 << 255) != low:
        r, s = utils.decode_dss_signature(private.sign(cbor(operation), ec.ECDSA(hashes.SHA256())))
    return {**operation, "sig": base64.urlsafe_b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode().rstrip("=")}


if __name__ == "__main__":
    k1, p256 = ec.generate_private_key(ec.SECP256K1()), ec.generate_private_key(ec.SECP256R1())
    form = serialization.Encoding.X962, serialization.PublicFormat.CompressedPoint
    numbers = [int.from_bytes(prefix + key.public_key().public_bytes(*form), "big") for prefix, key in zip(CURVES, (k1, p256))]
    keys = ["did:key:z" + "".join(BASE58[number // 58**i % 58] for i in reversed(range(48))) for number in numbers]
    first = sign(k1, None, rotationKeys=keys)
    second = {signer: sign(signer, first, rotationKeys=keys[1:]) for signer in (k1, p256)}
    logs = [[first, second[signer], sign(p256, second[signer], type="plc_tombstone")] for signer in (k1, p256)]
    others = [[first, sign(k1, first, low=False, rotationKeys=keys)], [first, second[k1], sign(k1, second[k1], rotationKeys=keys)]]
    assert verify(logs + others) == 2 * ["did:plc:" + hashed(first)[:24]] + 2 * [""]
    print("two logs valid; a high s and another key are not")
