"""The signatures (RRSIG) of a DNS zone's records under the zone's keys, those of an algorithm in one call; RFC 4034, 6. Needs
dnspython and cryptography. usage: python dnssec_zone.py [ORIGIN FILE]; without a file, of a zone that dnspython signs."""

import sys
import time

import dns.dnssec
import dns.name
import dns.rdatatype
import dns.zone
import numpy as np
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

import gecc

ALGORITHMS = {13: ("P-256", "sha256"), 14: ("P-384", "sha384"), 15: ("Curve25519", None)}


def signed_data(name, rdataset, rrsig, origin):
    """RRSIG's fields but the signature, then the records in canonical form and order."""
    owner = name.derelativize(origin).canonicalize()
    if rrsig.labels < len(owner) - 1 - owner.is_wild():  # made from a wildcard
        owner = dns.name.Name((b"*", *owner.labels[-rrsig.labels - 1 :]))
    head = owner.to_wire() + b"".join(value.to_bytes(size, "big") for value, size in ((rdataset.rdtype, 2), (rdataset.rdclass, 2), (rrsig.original_ttl, 4)))
    records = sorted({rdata.to_digestable(origin) for rdata in rdataset})
    return rrsig.to_wire(origin=origin)[:18] + rrsig.signer.derelativize(origin).to_digestable() + b"".join(head + len(record).to_bytes(2, "big") + record for record in records)


def verify(zone, now):
    """[name, type, key tag, verdict] of each signature."""
    keys, rows, columns = {}, [], {alg: [] for alg in ALGORITHMS}
    for rdata in zone.get_rdataset("@", "DNSKEY") or ():
        if rdata.protocol == 3 and rdata.flags & 0x100 and not rdata.flags & 0x80:  # a zone's key, not revoked
            keys.setdefault((dns.dnssec.key_id(rdata), rdata.algorithm), []).append(rdata.key)
    for name, rdataset in ((name, rdataset) for name, node in zone.items() for rdataset in node if rdataset.rdtype == dns.rdatatype.RRSIG):
        covered = zone.get_rdataset(name, rdataset.covers)
        for rrsig in rdataset:
            found = keys.get((rrsig.key_tag, rrsig.algorithm), [])
            why = ("no key" if not found or rrsig.signer.derelativize(zone.origin) != zone.origin else "no records" if covered is None else
                   "not its time" if not rrsig.inception <= now <= rrsig.expiration else "several keys" if len(found) > 1 else
                   "another algorithm" if rrsig.algorithm not in ALGORITHMS else "invalid")  # fmt: skip
            if why == "invalid":
                columns[rrsig.algorithm].append((len(rows), found[0], signed_data(name, covered, rrsig, zone.origin), rrsig.signature))
            rows.append([name, rdataset.covers, rrsig.key_tag, why])
    for alg, (curve, hash_name) in ALGORITHMS.items():
        if columns[alg]:
            at, public, data, signature = (list(column) for column in zip(*columns[alg]))
            signed = gecc.digest(hash_name, data).digest if hash_name else data
            status = gecc.ecdsa.verify(curve, public, signed, signature) if hash_name else gecc.ed25519.verify(public, signed, signature)
            for i in np.array(at)[np.array(status) == gecc.Status.OK]:
                rows[i][3] = "valid"
    return rows


def demo():
    hosts = "".join(f"h{n} A 192.0.2.{n}\nh{n} TXT {n}\n" for n in range(200))
    zone = dns.zone.from_text("@ 300 SOA ns admin 1 2 3 4 5\n@ NS ns\n*.w TXT 'wild' 'card'\nMail MX 10 NS.Example.\n" + hosts, "example.")
    private = [ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP384R1()), ed25519.Ed25519PrivateKey.generate()]
    keys = [(key, dns.dnssec.make_dnskey(key.public_key(), alg)) for key, alg in zip(private, ALGORITHMS)]
    dns.dnssec.sign_zone(zone, keys=keys, lifetime=3600, add_dnskey=True)
    return zone


def main():
    zone = dns.zone.from_file(sys.argv[2], sys.argv[1]) if len(sys.argv) == 3 else demo()
    rows = verify(zone, time.time())
    for name, kind, tag, verdict in rows if len(sys.argv) == 3 else ():
        print(name, dns.rdatatype.to_text(kind), tag, verdict)
    if len(sys.argv) != 3:
        assert len(rows) > 1200 and {row[3] for row in rows} == {"valid"}, rows
        zone.replace_rdataset("h7", dns.rdataset.from_text("IN", "A", 300, "192.0.2.77"))
        assert {(str(row[0]), row[1] == dns.rdatatype.A) for row in verify(zone, time.time()) if row[3] == "invalid"} == {("h7", True)}
        assert {row[3] for row in verify(zone, time.time() + 7200)} == {"not its time"}
        print(f"{len(rows)} signatures valid; those of a changed record are not")
    sys.exit(any(row[3] != "valid" for row in rows))


if __name__ == "__main__":
    main()
