"""SD-JWT (RFC 9901) through the tool, beside the package sd-jwt: presentations that it makes, and changed ones."""

import base64
import hashlib
import json
import os
import random
import subprocess

import pytest
from conftest import SEED

from gecc import _program

pytest.importorskip("sd_jwt")
from jwcrypto.jwk import JWK  # noqa: E402
from jwcrypto.jws import JWS  # noqa: E402
from sd_jwt.common import SDObj  # noqa: E402
from sd_jwt.holder import SDJWTHolder  # noqa: E402
from sd_jwt.issuer import SDJWTIssuer  # noqa: E402
from sd_jwt.verifier import SDJWTVerifier  # noqa: E402

pytestmark = pytest.mark.skipif(not os.path.exists(_program.TOOL), reason="the wheel was built without the tool")

N = int(os.environ.get("GECC_SD_JWT") or 400)
ISSUER, HOLDER = (JWK.generate(kty="EC", crv="P-256", kid=kid) for kid in ("issuer", "holder"))

#: What gecc refuses and sd-jwt takes, and why.
STRICTER = {
    "not two or three parts": "RFC 9901, 7.1, 3.c; sd-jwt does not look at disclosures that it has no digest of",
    "salt or name is no string": "4.2.1, the same",
    "without a digest, or twice": "7.1, 5; sd-jwt ignores it",
    "a digest twice": "7.1, 4; sd-jwt does not count those of arrays",
    "_sd is no array": "7.1, 3.c; sd-jwt goes over it all the same",
    "a digest that is no string": "4.2.4.1, the same",
    "a claim named ...": "4.2.4.2; sd-jwt leaves it where it is",
    "a claim named _sd_alg": "it would be a claim, which sd-jwt drops",
    "names its claim _sd or ...": "7.1, 3.c; sd-jwt takes it",
    "not the 64 bytes of": "RFC 7515, 2: sd-jwt passes over other characters and padding",
    "not base64url": "the same",
    "is not JSON": "sd-jwt takes NaN",
    "its key": "RFC 7517, 4: `use`, `key_ops` and `alg`",
    "whose kid is no text": "RFC 7517, 4.5; it is not looked at there",
    "iat, aud, nonce and sd_hash": "4.3; sd-jwt does not look at iat",
    "a name twice": "parsers differ in which they take",
    "no cnf with a jwk": "sd-jwt takes the claim of the token alone",
}  # fmt: skip


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sign(key, payload, **header):
    token = JWS(json.dumps(payload))
    token.add_signature(key, alg="ES256", protected=json.dumps({"alg": "ES256", **header}))
    return token.serialize(compact=True)


def bind(text):
    return text + sign(HOLDER, {"nonce": "n", "aud": "a", "iat": 1, "sd_hash": base64url(hashlib.sha256(text.encode()).digest())}, typ="kb+jwt")


def value(pick, depth=0):
    if depth > 3 or pick.random() < 0.3:
        return pick.choice(["x", "\u00e9\n", 1, -5, 2.5, True, None, 10**20])
    if pick.random() < 0.4:
        values = [value(pick, depth + 1) for _ in range(pick.randrange(4))]
        return [SDObj(one) if pick.random() < 0.5 and not isinstance(one, (dict, list)) else one for one in values]
    return {SDObj(name) if pick.random() < 0.5 else name: value(pick, depth + 1) for name in pick.sample(["a", "b", "c", "given", "\u00e9"], pick.randrange(5))}


def presentation(pick):
    claims = {SDObj(name) if pick.random() < 0.6 else name: value(pick) for name in pick.sample(["sub", "name", "address", "list", "age"], pick.randrange(1, 5))}
    bound = pick.random() < 0.6
    issued = SDJWTIssuer({**claims, "iss": "me"}, ISSUER, HOLDER if bound else None, add_decoy_claims=pick.random() < 0.3)
    holder = SDJWTHolder(issued.sd_jwt_issuance)
    holder.create_presentation(pick.choice((True, {})), *(("n", "a", HOLDER) if bound else ()))
    return holder.sd_jwt_presentation


def paths(node, path=()):
    yield path
    for key in node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        yield from paths(node[key], (*path, key))


def at(node, path):
    for key in path:
        node = node[key]
    return node


def change_payload(pick, token, disclosures):
    payload = json.loads(decode(token.split(".")[1]))
    places = [path for path in paths(payload) if path]
    *above, key = pick.choice(places)
    parent, how = at(payload, above), pick.randrange(5)
    digest = base64url(hashlib.sha256(pick.choice(disclosures or ["x"]).encode()).digest())
    if how == 0:
        parent.pop(key)
    elif how == 1:
        parent[key] = pick.choice([None, 1, "x", [], {}, ["x"], {"...": "x"}, {"_sd": []}, {"...": 1}, "sha-512"])
    elif how == 2 and isinstance(parent, dict):
        parent[pick.choice(["_sd", "...", "_sd_alg", "name", "cnf"])] = pick.choice([[], "x", ["y"], [digest], {"jwk": HOLDER.export_public(as_dict=True)}])
    elif how == 3:
        parent[key] = json.loads(json.dumps(at(payload, pick.choice(places))))
    elif isinstance(parent, list):
        parent.append(pick.choice([parent[key], digest, {"...": digest}]))
    return sign(ISSUER, payload)


def mutate(pick, text):
    token, *disclosures, binding = text.split("~")
    how = pick.randrange(9)
    if how == 0 and disclosures:
        disclosures.pop(pick.randrange(len(disclosures)))
    elif how == 1:
        disclosures.append(pick.choice([*disclosures, *(base64url(json.dumps(one).encode()) for one in (["s", "n", 1], ["s", 1], [1], ["s", "_sd", []], "x", ["s", "x", 1, 2], [1, "x", 2]))]))
    elif how == 2:
        pick.shuffle(disclosures)
    elif how in (3, 4):
        places = [token, *disclosures, binding]
        which = pick.randrange(len(places))
        spot = pick.randrange(len(places[which]) + 1)
        places[which] = places[which][:spot] + pick.choice("AbC9.=_") + places[which][spot + 1 :]
        token, *disclosures, binding = places
    elif how > 4:
        token = change_payload(pick, token, disclosures)
    unbound = "~".join([token, *disclosures, ""])
    return bind(unbound) if binding and how > 4 and pick.random() < 0.8 else unbound + binding


def expected(text):
    """(claims, None) or (None, why not)."""
    try:
        bound = ("a", "n") if not text.endswith("~") else ()
        return SDJWTVerifier(text, lambda *_: ISSUER, *bound).get_verified_payload(), None
    except Exception as error:  # noqa: BLE001 - of any kind, for what it does not expect
        return None, f"{type(error).__name__}: {error}"


def test_sd_jwt(tmp_path):
    pick = random.Random(SEED)
    made = [presentation(pick) for _ in range(N // 8)]
    texts = [text if n % 4 == 0 else mutate(pick, text) for n, text in enumerate(pick.choice(made) for _ in range(N))]
    keys = tmp_path / "keys.json"
    keys.write_text(ISSUER.export_public())
    same = 0
    for bound, options in ((False, []), (True, ["--nonce", "n", "--audience", "a"])):
        rows = [text for text in texts if text.endswith("~") != bound]
        done = subprocess.run([_program.TOOL, "verify", "--sd-jwt", "--keys", keys, "--output-format", "jsonl", *options], input="\n".join(rows) + "\n",
                              capture_output=True, text=True, check=False)  # fmt: skip
        for text, row in zip(rows, map(json.loads, done.stdout.splitlines()), strict=True):
            claims, refusal = expected(text)
            if row["status"] == "valid":
                assert refusal is None and json.loads(row["claims"]) == claims, (text, refusal)
                same += 1
            elif refusal is None:
                assert any(words in row.get("reason", "") for words in STRICTER), (row.get("reason"), text)
    assert same > N / 3
