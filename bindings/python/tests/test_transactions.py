"""Senders of Ethereum's transactions against the oracle of tests/known_answers, eth-account and eth-keys, and those of the folder
that GECC_VECTORS names."""

import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from conftest import SEED
from ledger import ledger

import gecc
from gecc import Status, transactions
from gecc.transactions import Reason

VECTORS = os.environ.get("GECC_VECTORS")
needs_vectors = pytest.mark.skipif(not VECTORS, reason="GECC_VECTORS is not set")


@pytest.fixture(scope="module")
def cases():
    found = []
    ledger(SEED, found.append)
    return [case for case in found if "chain" not in case]


def raw_of(cases):
    return [bytes.fromhex(case["raw"]) for case in cases]


def check(cases, found, any_s=False):
    for i, case in enumerate(cases):
        what = (case["tag"], case["src"])
        status, sender = found.status[i], found.sender[i].tobytes().hex()
        if not case["valid"]:
            assert status == Status.MALFORMED_TRANSACTION, what
            assert not found.hash[i].any() and not found.sender[i].any(), what
            if "reason" in case:
                assert (found.reason[i], found.position[i]) == (Reason[case["reason"]], case["position"]), what
            continue
        assert (found.hash[i].tobytes().hex(), found.type[i], found.reason[i]) == (case["hash"], case["type"], 0), what
        if "status" in case:
            assert status == Status[case["status"]] and not found.sender[i].any(), what
        elif case.get("high_s") and not any_s:
            assert status == Status.MALFORMED_HIGH_S and not found.sender[i].any(), what
        else:
            assert (status, sender) == (Status.OK, case["sender"]), what


def test_senders(cases):
    raws = raw_of(cases)
    check(cases, transactions.senders(raws))
    check(cases, transactions.senders(raws, any_s=True), any_s=True)
    check(cases, transactions.senders(pa.array(raws, pa.binary())))
    check(cases, transactions.senders(pa.chunked_array([raws[:100], raws[100:]], pa.large_binary())))
    with gecc.Context("cpu", threads=1) as context:
        report = gecc.Report()
        check(cases, transactions.senders(raws, context=context, report=report))
        assert report.backend == "cpu" and report.seconds > 0


def test_one_and_none(cases):
    case = next(case for case in cases if case["valid"] and "status" not in case and not case["high_s"])
    raw = bytes.fromhex(case["raw"])
    assert transactions.senders(raw).sender[0].tobytes().hex() == case["sender"]
    array = np.frombuffer(raw, np.uint8).reshape(1, -1).repeat(3, axis=0)
    assert (transactions.senders(array).status == Status.OK).all()
    assert transactions.senders([]).sender.shape == (0, 20)
    assert transactions.authorities([]).offsets.tolist() == [0]
    assert transactions.text_of(Reason.CHAIN) == "it is for another chain"


def test_nulls(cases):
    four = next(case for case in cases if case.get("type") == 4 and "authorizations" in case and "status" not in case)
    raw = bytes.fromhex(four["raw"])
    found = transactions.senders(pa.array([raw, None, raw], pa.binary()))
    assert found.status.tolist()[1] == Status.NULL and not found.hash[1].any()
    assert found.hash[0].tobytes() == found.hash[2].tobytes() == bytes.fromhex(four["hash"])
    n = len(four["authorizations"])
    assert transactions.authorities([raw, None, raw]).offsets.tolist() == [0, n, n, 2 * n]


def test_authorities(cases):
    for given in (raw_of(cases), pa.chunked_array([raw_of(cases)[:200], raw_of(cases)[200:]], pa.binary())):
        found = transactions.authorities(given)
        for i, case in enumerate(cases):
            rows = range(found.offsets[i], found.offsets[i + 1])
            signers = [each["signer"] for each in case.get("authorizations", [])]
            assert [found.authority[k].tobytes().hex() if found.status[k] == Status.OK else None for k in rows] == signers, case["tag"]


def test_chains(cases):
    case = next(case for case in cases if case["tag"] == "type 2, chain 1337" or case.get("type") == 1 and "status" not in case)
    raw = bytes.fromhex(case["raw"])
    found = transactions.senders([raw], chain_id=2**64 - 1)
    assert found.status[0] == Status.MALFORMED_TRANSACTION and found.reason[0] == Reason.CHAIN
    with pytest.raises(ValueError, match="chain_id"):
        transactions.senders([raw], chain_id=0)


def test_refusals():
    with pytest.raises(TypeError, match="transactions"):
        transactions.senders(5)
    with pytest.raises(ValueError, match="block: at byte 0"):
        transactions.block_transactions(b"\x80")


@pytest.mark.parametrize("kind", ["legacy", "before EIP-155", 1, 2, 3, 4])
def test_eth_account(kind):
    """What another library signs."""
    account = pytest.importorskip("eth_account").Account
    random = np.random.default_rng(SEED)
    raws, wanted, hashes = [], [], []
    for _ in range(20):
        key = account.from_key(random.bytes(32))
        fields = {"nonce": int(random.integers(1 << 40)), "gas": 21000, "value": int(random.integers(1 << 60)),
                  "to": "0x" + random.bytes(20).hex(), "data": random.bytes(int(random.integers(400)))}  # fmt: skip
        fields["to"] = pytest.importorskip("eth_utils").to_checksum_address(fields["to"])
        if kind == "legacy":
            fields |= {"gasPrice": 7, "chainId": 1}
        elif kind == "before EIP-155":
            fields |= {"gasPrice": 7}
        else:
            fields |= {"type": kind, "chainId": 5, "accessList": []}
            fields |= {"gasPrice": 9} if kind == 1 else {"maxFeePerGas": 9, "maxPriorityFeePerGas": 2}
        if kind == 3:
            fields |= {"maxFeePerBlobGas": 1, "blobVersionedHashes": [b"\1" + random.bytes(31)]}
        if kind == 4:
            signed = key.sign_authorization({"chainId": 5, "address": fields["to"], "nonce": 3})
            fields |= {"authorizationList": [signed]}
        try:
            made = key.sign_transaction(fields)
        except (TypeError, ValueError) as reason:
            pytest.skip(f"eth-account does not sign it: {reason}")
        raws.append(bytes(made.raw_transaction))
        hashes.append(bytes(made.hash))
        wanted.append(key.address.lower()[2:])
    found = transactions.senders(raws)
    assert (found.status == Status.OK).all()
    assert [row.tobytes() for row in found.hash] == hashes
    assert [row.tobytes().hex() for row in found.sender] == wanted
    if kind == 4:
        assert [row.tobytes().hex() for row in transactions.authorities(raws).authority] == wanted


def test_eth_keys():
    """Keys, addresses and signatures of another library."""
    keys = pytest.importorskip("eth_keys").keys
    random = np.random.default_rng(SEED)
    private = [keys.PrivateKey(random.bytes(32)) for _ in range(50)]
    digests = np.frombuffer(random.bytes(50 * 32), np.uint8).reshape(50, 32)
    addresses = [key.public_key.to_canonical_address() for key in private]
    signed = [key.sign_msg_hash(digest.tobytes()) for key, digest in zip(private, digests)]
    found, status = gecc.ethereum.recover(digests, [each.to_bytes() for each in signed], low_s=True)
    assert (status == Status.OK).all() and [row.tobytes() for row in found] == addresses
    found, status = gecc.ethereum.address([key.public_key.to_bytes() for key in private])
    assert (status == Status.OK).all() and [row.tobytes() for row in found] == addresses
    r, s, v = ([getattr(each, name).to_bytes(width, "big") for each in signed] for name, width in (("r", 32), ("s", 32), ("v", 1)))
    found, status = gecc.ethereum.recover_columns(digests, r, s, v)
    assert (status == Status.OK).all() and [row.tobytes() for row in found] == addresses


@needs_vectors
def test_real_transactions():
    with open(Path(VECTORS, "eth_sender.jsonl"), encoding="utf-8") as file:
        cases = list(map(json.loads, file))
    check(cases, transactions.senders(raw_of(cases), any_s=True), any_s=True)


@needs_vectors
def test_blocks():
    with open(Path(VECTORS, "eth_block.jsonl"), encoding="utf-8") as file:
        for block in map(json.loads, file):
            raws = transactions.block_transactions(bytes.fromhex(block["rlp"]))
            found = transactions.senders(raws)
            assert [row.tobytes().hex() for row in found.sender] == block["senders"]
            assert [row.tobytes().hex() for row in found.hash] == block["hashes"]
