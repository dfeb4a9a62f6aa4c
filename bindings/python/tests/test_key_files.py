"""gecc.keys.load beside pyca/cryptography, which makes the files."""

import base64
import json
import os

import pytest

import gecc
from gecc import _program

pytest.importorskip("cryptography")
from cryptography.hazmat.primitives import serialization as forms  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa  # noqa: E402

pytestmark = pytest.mark.skipif(not os.path.exists(_program.TOOL), reason="the wheel was built without the tool")

CURVES = {"P-256": ec.SECP256R1, "P-384": ec.SECP384R1, "P-521": ec.SECP521R1, "secp256k1": ec.SECP256K1, "brainpoolP256r1": ec.BrainpoolP256R1}


@pytest.fixture
def made():
    """{curve: (private key, its public key as gecc has it)}"""
    keys = {curve: ec.generate_private_key(of()) for curve, of in CURVES.items()}
    points = {curve: key.public_key().public_bytes(forms.Encoding.X962, forms.PublicFormat.UncompressedPoint) for curve, key in keys.items()}
    edwards = ed25519.Ed25519PrivateKey.generate()
    raw = edwards.public_key().public_bytes(forms.Encoding.Raw, forms.PublicFormat.Raw)
    return {**{curve: (key, points[curve]) for curve, key in keys.items()}, "Curve25519": (edwards, raw)}


def test_pem(made, tmp_path):
    file = tmp_path / "keys.pem"
    file.write_bytes(b"".join(key.public_key().public_bytes(forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo) for key, _ in made.values()))
    found = gecc.keys.load(file)
    assert [(key.curve, key.public_key) for key in found] == [(curve, public) for curve, (_, public) in made.items()]
    assert [key.name for key in found if key.curve == "brainpoolP256r1"] == [None]
    assert all(key.kid is None and key.name == key.thumbprint and key.reason is None for key in found)


def test_verify(made, tmp_path):
    """Keys go into operations as they are."""
    file = tmp_path / "authorized_keys"
    key = made["P-256"][0]
    file.write_bytes(key.public_key().public_bytes(forms.Encoding.OpenSSH, forms.PublicFormat.OpenSSH) + b" me@here\n")
    (found,) = gecc.keys.load(str(file))
    private = key.private_numbers().private_value.to_bytes(32, "big")
    signature, _, _ = gecc.ecdsa.sign("P-256", private, b"\1" * 32)
    assert list(gecc.ecdsa.verify(found.curve, found.public_key, b"\1" * 32, signature)) == [gecc.Status.OK]


def test_private_and_others(made, tmp_path):
    file = tmp_path / "jwks.json"
    key = made["Curve25519"][0]
    secret = key.private_bytes(forms.Encoding.Raw, forms.PrivateFormat.Raw, forms.NoEncryption())
    text = {name: base64.urlsafe_b64encode(value).decode().rstrip("=") for name, value in (("x", made["Curve25519"][1]), ("d", secret))}
    number = rsa.generate_private_key(65537, 1024).public_key().public_numbers().n.to_bytes(128, "big")
    other = {"kty": "RSA", "kid": "r", "e": "AQAB", "n": base64.urlsafe_b64encode(number).decode().rstrip("=")}
    file.write_text(json.dumps({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "one", **text}, other]}))
    file.chmod(0o600)
    first, second = gecc.keys.load(file)
    assert (first.name, first.scheme, first.public_key, first.reason) == ("one", "ed25519", made["Curve25519"][1], None)
    assert (second.name, second.curve, second.public_key) == ("r", None, b"") and second.reason
    assert secret.hex() not in repr(first) and text["d"] not in repr(first)


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        gecc.keys.load(tmp_path / "none")
    for text in ("", "{}", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"):
        (tmp_path / "bad").write_text(text)
        with pytest.raises(ValueError, match="bad: "):
            gecc.keys.load(tmp_path / "bad")
