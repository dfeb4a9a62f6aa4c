"""Typed data of Ethereum (EIP-712): the standard's example, and what is no such document. bindings/python/tests compare others
with eth-account.

Test: fast
"""

import copy
import json
import unittest

from support import SECP256K1, ToolTest

DOMAIN = [("name", "string"), ("version", "string"), ("chainId", "uint256"), ("verifyingContract", "address"), ("salt", "bytes32")]


def fields(*pairs):
    return [{"name": name, "type": type_} for name, type_ in pairs]


# The example of the standard, with its digest and its signature.
MAIL = {
    "types": {
        "EIP712Domain": fields(*DOMAIN[:4]),
        "Person": fields(("name", "string"), ("wallet", "address")),
        "Mail": fields(("from", "Person"), ("to", "Person"), ("contents", "string")),
    },
    "primaryType": "Mail",
    "domain": {"name": "Ether Mail", "version": "1", "chainId": 1, "verifyingContract": "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
    "message": {
        "from": {"name": "Cow", "wallet": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
        "to": {"name": "Bob", "wallet": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},
        "contents": "Hello, Bob!",
    },
}
DIGEST = "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"
SIGNATURE = "4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562"
COW = MAIL["message"]["from"]["wallet"]
PRIVATE = "c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4"  # keccak256("cow")


def one(type_, value, **types):
    """A document of one field, `x`."""
    return {"types": {"EIP712Domain": [], "Top": fields(("x", type_)), **types}, "primaryType": "Top", "domain": {}, "message": {"x": value}}


class TypedData(ToolTest):
    def digests(self, documents, status=0):
        return self.json_rows("digest", [{"typed_data": document} for document in documents], status=status)

    def test_mail(self):
        """In each spelling, of each command."""
        public = SECP256K1.encode(SECP256K1.mul(int(PRIVATE, 16)))
        for document in (MAIL, json.dumps(MAIL), json.dumps(MAIL, indent=2)):
            self.assertEqual([row["digest"] for row in self.digests([document])], [DIGEST])
            row = {"typed_data": document, "sig": SIGNATURE + "1c", "address": COW, "digest": DIGEST}
            (found,) = self.json_rows("recover", [row], "--address")
            self.assertEqual((found["status"], found["address"]), ("ok", COW))
            (found,) = self.json_rows("verify", [{"typed_data": document, "sig": SIGNATURE, "pub": public}], "--curve", "secp256k1")
            self.assertEqual(found["status"], "valid")
            (found,) = self.json_rows("sign", [{"typed_data": document, "priv": PRIVATE}], "--curve", "secp256k1")
            self.assertEqual((found["sig"], found["recid"]), (SIGNATURE, 1))
        (row,) = self.csv_rows("digest", ["typed_data", "note"], [(json.dumps(MAIL), 'a,"b"')])
        self.assertEqual((row["digest"], row["note"]), (DIGEST, 'a,"b"'))
        (row,) = self.json_rows("verify", [{"typed_data": {**MAIL, "message": {**MAIL["message"], "contents": "Hello, Bob?"}}, "sig": SIGNATURE, "pub": public}],
                                "--curve", "secp256k1", status=1)  # fmt: skip
        self.assertEqual(row["status"], "invalid")

    def test_same(self):
        """What is spelled in another way is signed all the same; what is another number, order or field is not."""
        swapped = copy.deepcopy(MAIL)
        swapped["types"]["EIP712Domain"].reverse()
        other = [row["digest"] for row in self.digests([swapped, {**MAIL, "types": dict(reversed(MAIL["types"].items()))}])]
        self.assertNotEqual(other[0], DIGEST)
        self.assertEqual(other[1], DIGEST)
        large = 2**256 - 1
        for values in ((large, str(large), hex(large), "00" + str(large)), (0, "0", "0x0", "0x" + "0" * 80, "-0"), (2**53 + 1, hex(2**53 + 1))):
            self.assertEqual(len({row["digest"] for row in self.digests([one("uint256", value) for value in values])}), 1, values)
        digests = [row["digest"] for row in self.digests([one("uint256", value) for value in (2**53, 2**53 + 1, large - 1, large, 10**40, 10**40 + 1)])]
        self.assertEqual(len(set(digests)), len(digests))

    def test_malformed(self):
        def without(name):
            return {key: value for key, value in MAIL.items() if key != name}

        def types(**more):
            return {**MAIL, "types": {**MAIL["types"], **more}}

        chain, deep = None, 1
        for _ in range(70):
            chain, deep = {"next": chain}, [deep]
        node = {"types": {"EIP712Domain": [], "Node": fields(("next", "Node"))}, "primaryType": "Node", "domain": {}, "message": chain}
        text = json.dumps(MAIL)
        cases = [
            (without(name), "not all of") for name in MAIL
        ] + [
            ({**MAIL, "extra": 1}, "besides types"), (types(EIP712Domain=fields(("x", "string"))), "none of the standard's"), (types(EIP712Domain=fields(("chainId", "uint64"))), "none of the standard's"),
            ({**MAIL, "primaryType": "Male"}, "primaryType is not"), ({**MAIL, "primaryType": 1}, "no string"), ({**MAIL, "primaryType": "EIP712Domain"}, "of which there is no message"),
            ({**MAIL, "types": {"Mail": []}}, "no EIP712Domain"), ({**MAIL, "domain": {"name": "x"}}, "missing"), ({**MAIL, "domain": {**MAIL["domain"], "salt": "0x" + 64 * "0"}}, "type has not"),
            ({**MAIL, "message": {**MAIL["message"], "cc": 1}}, "type has not"), ({**MAIL, "message": None}, "no object"), ({**MAIL, "types": []}, "no object"),
            (types(uint8=[]), "like an atomic"), (types(bytes77=[]), "like an atomic"), (types(**{"a b": []}), "has blanks"), (types(**{"": []}), "has blanks"), (types(**{"A(uint8 x)B": []}), "has blanks"),
            (types(X={}), "no array of fields"), (types(X=[1]), "no object of"), (types(X=[{"name": "x"}]), "no `name` or no `type`"), (types(X=[{"name": "x", "type": "bool", "y": ""}]), "has more than"),
            (types(X=fields(("x", "bool"), ("x", "bool"))), "a field twice"), (types(X=fields(("x y", "bool"))), "has blanks"), (types(X=129 * fields(("x", "bool"))), "more than 128 fields"),
            (types(**{f"T{n}": [] for n in range(128)}), "more than 128 types"), (types(X=fields(("x" * 65536, "bool"))), "longer than"), (node, "deeper than 64"),
            (text.replace('"contents": "', '"contents": "", "contents": "'), "a member twice"), (text.replace('"primaryType"', '"primaryType": "Mail", "primaryType"'), "a member twice"),
            (text.replace('"Mail": [', '"Mail": [], "Mail": ['), "a type twice"), (text.replace('"Mail": [', '"Mail": [], "M\\u0061il": ['), "a type twice"), (text[:-1], "not a JSON object"), ("[]", "not a JSON object"),
            (text.replace("Hello", "\\ud800"), "a string that cannot be read"), ({}, "not all of"), (1, "a number where"), ([], "neither a string nor null"), (True, "neither a string nor null"),
        ]  # fmt: skip
        cases += [(one(type_, 1), "neither atomic nor") for type_ in ("uint", "int", "uint7", "uint264", "uint08", "bytes0", "bytes33", "byte", "Mail", "", "fixed", "function", " bool", "[2]")]
        cases += [(one(type_, [1]), "an array type that is none") for type_ in ("uint8[", "uint8[0]", "uint8[01]", "uint8[-1]", "uint8[]x", "uint8[1", "uint8[ ]")]
        cases += [(one("uint8" + 9 * "[]", deep), "8 dimensions"), (one("uint8[2]", [1]), "another number of elements"), (one("uint8[2]", [1, 2, 3]), "another number of elements"), (one("uint8[]", 1), "no array")]  # fmt: skip
        cases += [(one(type_, value), "out of its type's range") for type_, values in {"uint8": (256, -1, "0x100", str(2**300)), "int8": (128, -129, "0x80", "-129"), "uint256": (2**256, -1), "int256": (2**255, -(2**255) - 1)}.items()
                  for value in values]  # fmt: skip
        cases += [(one("int64", value), "no integer") for value in (1.0, 1.5, 1e3, "", "-", "0x", "-0x1", "1e3", "+1", " 1", "1_0", "0b1", "0X1", "\u0661")]
        cases += [(one("int64", value), "neither a number nor") for value in (None, True, [], {})]
        cases += [(one("bool", value), "neither true nor") for value in (None, 1, 0, "true", "", [])]
        cases += [(one(type_, value), "no string, as its type needs") for type_ in ("string", "bytes", "bytes4", "address") for value in (None, 1, True, {})]
        cases += [(one(type_, value), "even number of") for type_ in ("bytes", "bytes4", "address") for value in ("", "ab", "0x1", "0X12")]
        cases += [(one("bytes4", value), "another number than") for value in ("0x", "0x123456", "0x1234567890")] + [(one("address", "0x" + 42 * "1"), "not 20 bytes"), (one("bytes", "0xzz"), "no hexadecimal digit")]
        rows = self.digests([document for document, _ in cases], status=1)
        for (document, words), row in zip(cases, rows, strict=True):
            self.assertEqual(row["status"], "malformed", document)
            self.assertIn(words, row["reason"], document)

    def test_beside(self):
        """What contradicts it, or would not be looked at."""
        public = SECP256K1.encode(SECP256K1.mul(int(PRIVATE, 16)))
        row = {"typed_data": MAIL, "sig": SIGNATURE, "pub": public}
        for more, options, words in (
            ({"msg": "00"}, [], "a message of its own"), ({"msg_text": "x"}, [], "a message of its own"), ({"digest": "00" * 32}, [], "not the hash"), ({}, ["--hash", "sha256"], "hashed with keccak256"),
            ({"hash": "sha256"}, [], "hashed with keccak256"), ({}, ["--scheme", "bip340"], "a hash"),
        ):  # fmt: skip
            (found,) = self.json_rows("verify", [{**row, **more}], "--curve", "secp256k1", *options, status=1)
            self.assertEqual(found["status"], "malformed", (more, options))
            self.assertIn(words, found["reason"])
        for curve in ("P-256", "SM2"):
            (found,) = self.json_rows("digest", [row], "--curve", curve, status=1)
            self.assertIn("signed on secp256k1", found["reason"])
        (found,) = self.json_rows("recover", [{**row, "sig": SIGNATURE + "1c"}], "--address", "--personal-message", status=1)
        self.assertIn("--personal-message", found["reason"])
        (found,) = self.json_rows("digest", [MAIL], status=1)
        self.assertIn("is the value of one member `typed_data`", found["reason"])
        for name, message in (("msg", "00"), ("msg_text", "\0")):
            found = self.csv_rows("digest", ["typed_data", name], [(json.dumps(MAIL), ""), ("", message), ("", ""), (json.dumps(MAIL), message)], "--hash", "keccak256", status=1)
            self.assertEqual([row["status"] for row in found], ["ok", "ok", "malformed", "malformed"])
            self.assertEqual([row["digest"] for row in found[:2]], [row["digest"] for row in self.json_rows("digest", [{"typed_data": MAIL}, {name: message}], "--hash", "keccak256")])
            self.assertIn("columns are missing", found[2]["reason"])
            self.assertIn("a message of its own", found[3]["reason"])
        mixed = [{"typed_data": MAIL}, {"msg": "00"}, {"typed_data": MAIL}]
        self.assertEqual([row["status"] for row in self.json_rows("digest", mixed)], ["ok"] * 3)


if __name__ == "__main__":
    unittest.main()
