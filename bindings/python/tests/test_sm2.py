"""SM2 encryption and key exchange: nonces and widths that nobody gives."""

import os

import numpy as np
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


@pytest.mark.parametrize("call", [gecc.sm2.encrypt, lambda *arguments: gecc.sm2.encrypt.submit(*arguments).result(),
                                  lambda *arguments: gecc.Context().sm2.encrypt(*arguments), "queue"])  # fmt: skip
def test_texts_of_a_byte(call):
    texts = [bytes([row % 256]) for row in range(3000)]
    if call == "queue":
        with gecc.Queue() as queue:
            made = queue.sm2.encrypt(public(PRIVATE), texts)
    else:
        made = call(public(PRIVATE), texts)
    assert (made.status == gecc.Status.OK).all()
    found = gecc.sm2.decrypt(PRIVATE, made.ciphertext)
    assert [bytes(found.plaintext[row]) for row in range(len(texts))] == texts


def test_what_is_null_stays_so():
    pa = pytest.importorskip("pyarrow")
    made = gecc.sm2.encrypt(public(PRIVATE), pa.array([b"x", None] * 1000))
    assert made.status.tolist() == [gecc.Status.OK, gecc.Status.NULL] * 1000


def test_texts_of_a_byte_in_place():
    """The text of a row that is INVALID is gone, so nothing is encrypted again."""
    texts = np.zeros((3000, 128), np.uint8)
    widths = np.ones(3000, np.uint32)
    texts[:, 0] = 7
    out = (gecc.Rows(texts, np.zeros(3000, np.uint32)), np.zeros(3000, np.uint8))
    made = gecc.sm2.encrypt(public(PRIVATE), gecc.Rows(texts, widths), out=out, output_bytes=128)
    found = gecc.sm2.decrypt(PRIVATE, made.ciphertext)
    ok = made.status == gecc.Status.OK
    assert set(made.status.tolist()) == {gecc.Status.OK, gecc.Status.INVALID}
    assert {bytes(found.plaintext[row]) for row in np.flatnonzero(ok)} == {b"\7"}


@pytest.mark.parametrize("little_endian", [False, True])
@pytest.mark.parametrize("bad", [b"\xff" * 4 + b"\x11" * 28, b"\x11" * 28 + b"\xff" * 4, bytes(32)])
def test_nonces_that_are_not_below_the_order(monkeypatch, little_endian, bad):
    drawn = [b"\2" * 32, bad]
    key = public(PRIVATE) if not little_endian else gecc.ec.public_key("SM2", PRIVATE, little_endian=True).out[0].tobytes()
    monkeypatch.setattr(gecc._call.os, "urandom", lambda count: drawn.pop())
    assert gecc.sm2.encrypt(key, b"a text of some bytes", little_endian=little_endian).status.tolist() == [gecc.Status.OK]
    assert not drawn


def test_drawn_nonces_are_wiped():
    call = gecc._context.default_context()._make(gecc.OPERATIONS["sm2.encrypt"], None, (public(PRIVATE), None, b"text"), 0,
                                                 None, None, None, None, None, None)  # fmt: skip
    assert call.nonces.any()
    call.redraw(lambda arguments: None)
    assert not call.nonces.any()


def test_the_room_of_out():
    texts = [b"0123456789", b"abc"]
    made = gecc.sm2.encrypt(public(PRIVATE), texts)
    for room, expected in ((10, texts), (5, [b"", b"abc"])):
        out = (gecc.Rows(np.zeros((2, room), np.uint8), np.zeros(2, np.uint32)), np.zeros(2, np.uint8))
        found = gecc.sm2.decrypt(PRIVATE, made.ciphertext, out=out)
        assert [bytes(found.plaintext[row]) for row in range(2)] == expected


def test_help_says_where_nonces_come_from():
    (line,) = [line for line in gecc.sm2.encrypt.__doc__.splitlines() if line.strip().startswith("nonce:")]
    assert "os.urandom" in line
