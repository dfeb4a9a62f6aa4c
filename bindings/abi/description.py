"""The description gecc.json, as the generators of bindings/rust, bindings/go and bindings/java read it."""

import json
import re


def camel(name):
    return "".join(part.capitalize() for part in re.split(r"[_. ]", name))


class Description:
    def __init__(self, root):
        self.abi = json.loads((root / "bindings/abi/gecc.json").read_text(encoding="utf-8"))
        self.enums = {enum["name"]: enum for enum in self.abi["enums"]}
        self.flags = {value["name"]: value for value in self.enums["gecc_flag"]["values"]}
        self.operations = self.abi["operations"]

    @staticmethod
    def is_secret(column):
        return column["secrecy"] == "GECC_SECRET"

    @staticmethod
    def takes_keys(operation):
        return any(column["kind"] == "GECC_KIND_KEY_NUMBER" for column in operation["inputs"])

    @staticmethod
    def takes_nonce_hash(operation):
        return any(column["kind"] == "GECC_KIND_ENTROPY" for column in operation["inputs"])

    @staticmethod
    def gives_points(operation):
        """Does it write points, or has it ciphertexts, of which a point is part?"""
        kinds = [column["kind"] for column in operation["outputs"]]
        return "GECC_KIND_POINT" in kinds or "GECC_KIND_CIPHERTEXT" in kinds + [c["kind"] for c in operation["inputs"]]

    @staticmethod
    def takes_output_bytes(operation):
        """Does its caller say how wide the rows of an output are?"""
        kinds = ("GECC_KIND_CIPHERTEXT", "GECC_KIND_PLAINTEXT", "GECC_KIND_DERIVED_KEY")
        return any(column["kind"] in kinds for column in operation["outputs"])

    def selects(self, operation):
        """What a call names besides columns: Curve, Hash, Modulus, Keys or Nothing."""
        if self.takes_keys(operation):
            return "Keys"
        if operation["selector"] == "GECC_SELECT_CURVE" and len(operation["curves"]) == 1:
            return "Nothing"
        return camel(operation["selector"].removeprefix("GECC_SELECT_").lower())
