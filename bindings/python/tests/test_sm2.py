"""SM2 encryption and key exchange: nonces and widths that nobody gives."""

import os

import pytest

import gecc

PRIVATE, TEXTS = b"\1" + os.urandom(31), [b"a" * width for width in (3, 5, 100, 33, 1000)]


def public(private):
    return gecc.ec.public_key("SM2", private).out[0].tobytes()


@pytest.mark.parametrize("options", [{}, {"der": True}, {"c1c2c3": True}, {"point_format": "compressed"}, {"point_format": "raw"}])
def test_there_and_back(options):
    made = gecc.sm2.encrypt(public(PRIVATE), TEXTS, **options)
    again = gecc.sm2.encrypt(public(PRIVATE), TEXTS, **options)
    assert all(bytes(made.ciphertext[row]) != bytes(again.ciphertext[row]) for row in range(len(TEXTS)))
    found = gecc.sm2.decrypt(PRIVATE, made.ciphertext, **options)
    assert [bytes(found.plaintext[row]) for row in range(len(TEXTS))] == TEXTS


def test_a_nonce_that_is_given():
    nonce = b"\2" + os.urandom(31)
    made = [gecc.sm2.encrypt(public(PRIVATE), TEXTS[2], nonce=nonce) for _ in range(2)]
    assert bytes(made[0].ciphertext[0]) == bytes(made[1].ciphertext[0])


def test_a_text_that_does_not_fit():
    found = gecc.sm2.encrypt(public(PRIVATE), TEXTS, output_bytes=97 + 100)
    assert [gecc.Status(status).name for status in found.status] == ["OK"] * 4 + ["MALFORMED_WIDTH"]


def test_both_sides_of_an_exchange():
    peer, own_once, peer_once = (bytes([first]) + os.urandom(31) for first in (2, 3, 4))
    a = gecc.sm2.exchange(PRIVATE, own_once, public(peer), public(peer_once), id=b"a", peer_id=b"b", output_bytes=48)
    b = gecc.sm2.exchange(peer, peer_once, public(PRIVATE), public(own_once), id=b"b", peer_id=b"a", output_bytes=48, responder=True)
    assert bytes(a.key[0]) == bytes(b.key[0]) and len(bytes(a.key[0])) == 48
    assert bytes(a.confirmation[0]) == bytes(b.peer_confirmation[0])
    assert bytes(b.confirmation[0]) == bytes(a.peer_confirmation[0])
    with pytest.raises(TypeError, match="output_bytes"):
        gecc.sm2.exchange(PRIVATE, own_once, public(peer), public(peer_once))
