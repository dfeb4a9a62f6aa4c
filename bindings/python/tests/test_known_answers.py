"""Every operation against the oracle of tests/known_answers, on one curve: the library's own tests have all of them."""

import collections

import numpy as np
import pytest
from cases import Cases
from conftest import SEED
from curves import SECP256K1
from generate import generate
from schemes import OPERATIONS as ORACLE

import gecc

#: Names of cases by the library's names of operations. Columns have the same order in both.
ORACLE_NAMES = {operation.name: op for op, operation in ORACLE.items()}

KNOWN = [operation.name for operation in gecc.OPERATIONS.values()]


def group_of(case):
    """What all cases of a batch have in common: options, which columns there are, and the width of an exponent."""
    operation = ORACLE[case["op"]]
    options = tuple(sorted((name, case[name]) for name in operation.options if name in case))
    columns = tuple(name for name in operation.columns if name in case)
    return case["curve"] if "curve" in case else None, options, columns, len(case.get("exponent", ""))


@pytest.fixture(scope="module")
def groups():
    found = collections.defaultdict(lambda: collections.defaultdict(list))

    def put(case):
        found[case["op"]][group_of(case)].append(case)

    generate(SEED, put, curves=("SM2", "Curve25519"))
    Cases(SEED, SECP256K1, put).schnorr()
    Cases(SEED, SECP256K1, put).ethereum()
    return found


def options_of(case):
    """The options of a case as the package has them."""
    found = {name: case[name] for name in ("low_s", "any_s", "sighash_byte", "prehash") if name in case}
    if "accept" in case:
        found[f"accept_{case['accept']}"] = True
    if case.get("enc") == "der":
        found["der"] = True
    if case.get("hmac", "default") != "default":
        found["nonce_hash"] = case["hmac"]
    if "format" in case:
        found["point_format"] = case["format"]
    if case.get("sm2_format", "c1c3c2") != "c1c3c2":
        found[case["sm2_format"]] = True
    found.update({name: case[name] for name in ("responder", "output_bytes") if name in case})
    return found


def selected_of(operation, case):
    if not operation.takes_selector:
        return []
    if operation.selector in ("curve", "keys"):
        return [case["curve"]]
    return [case["hash"]] if operation.selector == "hash" else [bytes.fromhex(case["modulus"])]


def test_every_operation_has_cases():
    assert set(ORACLE_NAMES) == {plain_name(gecc.OPERATIONS[name]) for name in KNOWN}


def plain_name(operation):
    """That of the operation which takes points where this one takes numbers of keys."""
    return operation.name[: -len("_keys")] if operation.selector == "keys" else operation.name


def is_for_points_alone(operation, case, key):
    """A point of the wrong width for the operation, which a key may have."""
    return len(case[key]) // 2 in (33, 64, 65) if operation.curves == ("secp256k1",) else False


@pytest.mark.parametrize("name", KNOWN)
def test_operation(name, groups):
    operation = gecc.OPERATIONS[name]
    function = gecc
    for part in name.split("."):
        function = getattr(function, part)
    oracle = ORACLE[ORACLE_NAMES[plain_name(operation)]]
    for group in groups[ORACLE_NAMES[plain_name(operation)]].values():
        if operation.selector == "keys":
            key = next(theirs for column, theirs in zip(operation.inputs, oracle.columns) if column.kind == "key number")
            group = [each for each in group if not is_for_points_alone(operation, each, key)]
        case = group[0]
        columns = {column.name: [bytes.fromhex(each[theirs]) for each in group]
                   for column, theirs in zip(operation.inputs, oracle.columns) if theirs in case}
        options = options_of(case)
        if "low_s" not in operation.flags:
            options.pop("low_s", None)
        if not operation.takes_nonce_hash:
            options.pop("nonce_hash", None)
        selected = selected_of(operation, case)
        if operation.selector == "keys":
            selected = [gecc.Keys(*selected, columns["key"], window=4)]
            columns["key"] = np.arange(len(group))
            options = {option: value for option, value in options.items() if option != "public_scalars"}
        result = function(*selected, **columns, **options)
        status = result.status if operation.outputs else result
        assert [gecc.Status(value).name for value in status] == [each["status"] for each in group]
        if not operation.outputs:
            continue
        for i, each in enumerate(group):
            value = bytes(result[0][i])
            assert value == bytes.fromhex(each[oracle.result]) if each["status"] == "OK" else not any(value)
            if "recid" in each and name != "ecdsa.recover" and each["status"] == "OK":
                assert result.recovery_id[i] == each["recid"]
            if "parity" in each:
                assert result.parity[i] == each["parity"]
