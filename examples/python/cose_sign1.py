"""COSE_Sign1 messages (RFC 9052), each under the key that its `kid` names, all of an algorithm in one call; of messages that are
encoded as cbor2 does, so that nothing is twice or behind them. Needs cbor2 and, to make messages, cryptography."""

import cbor2
import numpy as np
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

import gecc

# alg: (curve, hash); EdDSA signs messages as they are.
ALGORITHMS = {-7: ("P-256", "sha256"), -35: ("P-384", "sha384"), -36: ("P-521", "sha512"), -47: ("secp256k1", "sha256"), -8: ("Curve25519", None)}
ALG, CRIT, KID, TAG = 1, 2, 4, 18


def parse(message, keys):
    """(alg, public key, what is signed, signature), or why there is none. keys: {kid: (alg, public key)}."""
    try:
        tag = cbor2.loads(message)
        protected, unprotected, payload, signature = tag.value if tag.tag == TAG else None
        header = cbor2.loads(protected) if protected else {}
        signed = cbor2.dumps(["Signature1", protected, b"", payload])
        alg, kid = header.get(ALG), header.get(KID, unprotected.get(KID))
        is_whole = cbor2.dumps(tag) == message and (not protected or cbor2.dumps(header) == protected)
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, cbor2.CBORError):
        return "malformed"
    if not is_whole or not isinstance(signature, bytes) or {type(label) for label in (*header, *unprotected)} - {int, str}:
        return "malformed"
    if header.keys() & unprotected.keys() or CRIT in header or CRIT in unprotected or not isinstance(payload, bytes):
        return "a label twice, a critical one, or no payload"
    if type(alg) is not int or alg not in ALGORITHMS:
        return "another algorithm"
    if not isinstance(kid, bytes) or kid not in keys:
        return "no key"
    return (alg, keys[kid][1], signed, signature) if keys[kid][0] == alg else "its key is for another algorithm"


def verify(messages, keys):
    """A verdict each: "valid", "invalid", or why it was not checked."""
    parsed = [parse(message, keys) for message in messages]
    verdicts = np.array([row if isinstance(row, str) else "" for row in parsed], dtype=object)
    for alg, (curve, hash_name) in ALGORITHMS.items():
        rows = [i for i, row in enumerate(parsed) if not isinstance(row, str) and row[0] == alg]
        if rows:
            _, public, signed, signature = (list(column) for column in zip(*(parsed[i] for i in rows)))
            signed = gecc.digest(hash_name, signed).digest if hash_name else signed
            status = gecc.ecdsa.verify(curve, public, signed, signature) if hash_name else gecc.ed25519.verify(public, signed, signature)
            verdicts[rows] = ["valid" if one == gecc.Status.OK else "invalid" for one in status]
    return list(verdicts)


def make(alg, kid, private, payload, protected=None):
    protected = protected or cbor2.dumps({ALG: alg})
    signed = cbor2.dumps(["Signature1", protected, b"", payload])
    if alg == -8:
        signature = private.sign(signed)
    else:
        numbers = utils.decode_dss_signature(private.sign(signed, ec.ECDSA(getattr(hashes, ALGORITHMS[alg][1].upper())())))
        signature = b"".join(number.to_bytes((private.key_size + 7) // 8, "big") for number in numbers)
    return cbor2.dumps(cbor2.CBORTag(TAG, [protected, {KID: kid}, payload, signature]))


def public_bytes(key):
    if isinstance(key, ed25519.Ed25519PublicKey):
        return key.public_bytes_raw()
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


if __name__ == "__main__":
    curves = {-7: ec.SECP256R1, -35: ec.SECP384R1, -36: ec.SECP521R1, -47: ec.SECP256K1}
    private = {alg: ed25519.Ed25519PrivateKey.generate() if alg == -8 else ec.generate_private_key(curves[alg]()) for alg in ALGORITHMS}
    keys = {b"%d" % alg: (alg, public_bytes(private[alg].public_key())) for alg in ALGORITHMS}
    messages = [make(alg, b"%d" % alg, private[alg], b"payload %d" % n) for n in range(20) for alg in ALGORITHMS]
    assert verify(messages, keys) == ["valid"] * 100
    assert verify([message.replace(b"payload", b"Payload") for message in messages], keys) == ["invalid"] * 100
    example = bytes.fromhex("d28443a10126a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34cc6b23d58fef5c083106c4d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36")  # RFC 9052, C.2.1  # fmt: skip
    keys[b"11"] = -7, bytes.fromhex("04bac5b11cad8f99f9c72b05cf4b9e26d244dc189f745228255a219a86d6a09eff20138bf82dc1b6d562be0fa54ab7804a3a64b6d72ccfed6b6fb6ed28bbfc117e")  # fmt: skip
    others = [make(-7, b"12", private[-7], b""), make(-7, b"-47", private[-7], b""), example[:-1], cbor2.dumps(1)]
    assert verify([example, *others], keys) == ["valid", "no key", "its key is for another algorithm", "malformed", "malformed"]
    print("100 messages valid, 100 changed ones invalid, RFC 9052's valid")
