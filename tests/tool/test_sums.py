"""gecc mul --sum: sums of scalar * point, beside integers, and beside what gecc mul and gecc add make of the same rows.

Test: fast; 60 s
"""

import csv
import io
import json
import os
import unittest

from support import P256, SECP256K1, TOOL, ToolTest, generator, oracle_curve

NAMES = ["secp256k1", "P-256", "P-384", "SM2", "P-521", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"]
FORMS = ["uncompressed", "compressed", "raw"]
COLUMNS = ["g", "scalar", "point", "curve"]


def encode(curve, point, form="uncompressed"):
    if point is None:
        return "00"
    x, y = (value.to_bytes((curve.p.bit_length() + 7) // 8, "big").hex() for value in point)
    return {"uncompressed": "04" + x + y, "compressed": f"{2 + (point[1] & 1):02x}" + x, "raw": x + y}[form]


class Points:
    """A few multiples d G of which d is known, so that a sum of terms is one multiple of G."""

    def __init__(self, name, randomness, count=12):
        self.curve = oracle_curve(name)
        scalars = [1, 2, self.curve.n - 1] + [randomness.randrange(1, self.curve.n) for _ in range(count)]
        self.known = [(d, self.curve.multiply_base(d)) for d in scalars]
        self.bytes = (self.curve.n.bit_length() + 7) // 8

    def term(self, randomness, form):
        """(scalar's text, point's text, their product's multiple of G)."""
        d, point = randomness.choice(self.known)
        n = self.curve.n
        k = randomness.choice([0, 1, n - 1, n, randomness.randrange(n), randomness.randrange(n), (1 << 8 * self.bytes) - 1])
        return f"{k:0{2 * self.bytes}x}", encode(self.curve, point, form), k * d

    def sum(self, multiple, form="uncompressed"):
        return encode(self.curve, self.curve.multiply_base(multiple % self.curve.n) if multiple % self.curve.n else None, form)


def expected(rows, group_by, first_line):
    """What the tool has to write of rows (name or None, multiple or None, curve or None, reason): dictionaries of name,
    terms, line and reason of the first bad term, multiple, curve."""
    sums, waiting = [], None
    for line, (name, multiple, curve, reason) in enumerate(rows, first_line):
        name = name if group_by else ""
        flaw = (line, reason) if reason else None
        if name is None:
            if sums:
                waiting = waiting or flaw
                sums[-1]["flaw"] = sums[-1]["flaw"] or flaw
            else:
                sums.append({"name": "", "terms": 0, "flaw": flaw, "multiple": 0, "curve": None, "nameless": True})
            sums[-1]["terms"] += 1
            continue
        if sums and sums[-1].pop("nameless", False):
            sums[-1]["name"] = name
        elif not sums or sums[-1]["name"] != name:
            sums.append({"name": name, "terms": 0, "flaw": waiting, "multiple": 0, "curve": None})
        waiting, last = None, sums[-1]
        last["terms"] += 1
        if not flaw and last["curve"] not in (None, curve):
            flaw = (line, "curve: a term on another curve than those before it")
        last["flaw"] = last["flaw"] or flaw
        last["curve"] = last["curve"] or (None if reason else curve)
        last["multiple"] += multiple or 0
    return sums


class Sums(ToolTest):
    def write(self, rows, columns=COLUMNS):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        return text.getvalue()

    def sums(self, text, *arguments, status=0):
        done = self.run_tool("mul", "--sum", "--public", "-q", "--format", "csv", *arguments, stdin=text, status=status)
        return list(csv.DictReader(io.StringIO(done.stdout.decode())))

    def test_every_curve(self):
        """Groups of 0 to 40 terms in each encoding, over the ends of batches, in both formats and all encodings of points."""
        for name in NAMES:
            randomness = generator("sums of " + name)
            points, rows, sums = Points(name, randomness), [], []
            for g in range(12):
                total, count = 0, randomness.choice([1, 2, 3, 40])
                for _ in range(count):
                    scalar, point, multiple = points.term(randomness, randomness.choice(FORMS))
                    rows.append([f"group {g}, {name}", scalar, point, name])
                    total += multiple
                if g % 4 == 0:  # a sum that is infinity
                    rows.append([rows[-1][0], f"{-total % points.curve.n:0{2 * points.bytes}x}",
                                 encode(points.curve, points.known[0][1]), name])  # fmt: skip
                    total, count = 0, count + 1
                sums.append((rows[-1][0], count, total))
            for form, batch in zip(FORMS, (1, 7, 1000)):
                arguments = ["--group-by", "g", "--point-format", form, "--batch", batch]
                wanted = [(group, str(count), "ok", points.sum(total, form), name) for group, count, total in sums]
                found = self.sums(self.write(rows), *arguments)
                self.assertEqual([(s["g"], s["terms"], s["status"], s["point"], s["curve"]) for s in found], wanted)
                objects = "".join(json.dumps(dict(zip(COLUMNS, row))) + "\n" for row in rows)
                done = self.run_tool("mul", "--sum", "--public", *arguments, stdin=objects, status=0)
                found = [json.loads(line) for line in done.stdout.splitlines()]
                self.assertEqual([(s["g"], str(s["terms"]), s["status"], s["point"], s["curve"]) for s in found], wanted)
            whole = self.sums(self.write(rows), "--batch", 5)
            self.assertEqual([(s["point"], s["terms"]) for s in whole], [(points.sum(sum(s[2] for s in sums)), str(len(rows)))])

    def test_equals_mul_and_add(self):
        randomness = generator("sums by mul and add")
        points = Points("P-256", randomness)
        terms = [points.term(randomness, "uncompressed")[:2] for _ in range(64)]
        products = self.csv_rows("mul", ["scalar", "point"], terms, "--curve", "P-256", "--public")
        products = [row["point"] for row in products if row["point"] != "00"]  # which `add` does not take
        while len(products) > 1:
            pairs = list(zip(products[::2], products[1::2]))
            added = self.csv_rows("add", ["a", "b"], pairs, "--curve", "P-256")
            products = [r["point"] for r in added if r["point"] != "00"] + products[2 * len(pairs) :]
        found = self.sums(self.write(terms, ["scalar", "point"]), "--curve", "P-256", "--batch", 9)
        self.assertEqual([found[0]["point"], found[0]["terms"]], [*products, "64"])

    def broken_rows(self, randomness, curves, count):
        """Rows with planted mistakes: fields of CSV, and what `expected` has to know of each."""
        rows, facts, group = [], [], 0
        for _ in range(count):
            group += randomness.randrange(6) == 0
            points = randomness.choices(curves, [40, 1])[0]
            name, curve = f"g{group}", points.curve.name
            scalar, point, multiple = points.term(randomness, randomness.choice(FORMS))
            fault = randomness.choice([None] * 20 + ["fields", "off", "digit", "width", "scalar", "curve"])
            row, reason = {
                None: ([name, scalar, point, curve], None),
                "fields": ([name, scalar], "fewer fields than the header has"),
                "off": ([name, scalar, "04" + "11" * 64, curve], "a point is not on the curve"),
                "digit": ([name, scalar, point[:-1] + "x", curve], "point: a character that is not a hexadecimal digit"),
                "width": ([name, scalar, point[:-4], curve], "a row has a width that its column cannot have"),
                "scalar": ([name, "11" * 33, point, curve], "scalar: "),
                "curve": ([name, scalar, point, "P-257"], "curve: none of "),
            }[fault]
            rows.append(row)
            facts.append((None if fault == "fields" else name, None if fault else multiple, None if fault else curve, reason))
        return rows, facts

    def test_broken_input(self):
        """What is malformed makes its sum so, and no other; lines without a name those on both sides."""
        for seed in range(12):
            randomness = generator(f"broken sums {seed}")
            curves = [Points("P-256", randomness), Points("secp256k1", randomness)]
            rows, facts = self.broken_rows(randomness, curves, 150)
            by_name = {points.curve.name: points for points in curves}
            for group_by in (["--group-by", "g"], []):
                wanted = expected(facts, group_by, 2)
                found = self.sums(self.write(rows), *group_by, "--batch", randomness.choice([1, 3, 10, 1000]),
                                  status=any(s["flaw"] for s in wanted))  # fmt: skip
                self.assertEqual(len(found), len(wanted))
                for s, w in zip(found, wanted):
                    self.assertEqual((s.get("g", ""), int(s["terms"])), (w["name"], w["terms"]))
                    if w["flaw"]:
                        line, reason = w["flaw"]
                        self.assertEqual((s["status"], s["line"], s["point"]), ("malformed", str(line), ""), s)
                        self.assertIn(reason, s["reason"])
                    else:
                        wanted_point = by_name[w["curve"]].sum(w["multiple"])
                        self.assertEqual((s["status"], s["line"], s["reason"], s["point"]), ("ok", "", "", wanted_point))

    def test_json_names(self):
        point = P256.encode(P256.g)
        lines = [{"g": 17, "scalar": "02", "point": point}, {"g": "17", "scalar": "03", "point": point},
                 {"g": 'a"\u00e9,', "scalar": "01", "point": point}, {"g": "", "scalar": "01", "point": point},
                 {"g": "n", "scalar": 2, "point": point}, {"g": "o", "scalar": "01", "point": point},
                 {"g": None, "scalar": "01", "point": point}, {"g": ["p"], "scalar": "01", "point": point},
                 {"g": "q", "scalar": "01", "point": point}, {"g": "r", "scalar": "01", "point": point}]  # fmt: skip
        text = "".join(json.dumps(line) + "\n" for line in lines)
        arguments = ["--sum", "--public", "--curve", "P-256", "--group-by", "g"]
        for format, decode in (("jsonl", lambda out: [json.loads(line) for line in out.splitlines()]),
                               ("csv", lambda out: list(csv.DictReader(io.StringIO(out))))):  # fmt: skip
            done = self.run_tool("mul", *arguments, "--output-format", format, stdin=text, status=1)
            found = [(s["g"], s["status"], int(s["terms"])) for s in decode(done.stdout.decode())]
            self.assertEqual(found, [("17", "ok", 2), ('a"\u00e9,', "ok", 1), ("", "ok", 1), ("n", "malformed", 1),
                                     ("o", "malformed", 3), ("q", "malformed", 1), ("r", "ok", 1)])  # fmt: skip

    def test_raw(self):
        randomness = generator("raw sums")
        terms = [Points("P-256", randomness).term(randomness, "raw") for _ in range(30)]
        data = bytes.fromhex("".join(scalar + point for scalar, point, _ in terms))
        total = sum(multiple for _, _, multiple in terms)
        arguments = ["mul", "--sum", "--public", "--format", "raw", "--curve", "P-256", "--batch", 7]
        for form in FORMS:
            done = self.run_tool(*arguments, "--point-format", form, stdin=data, status=0)
            self.assertEqual(done.stdout.hex(), "01" + encode(P256, P256.mul(total % P256.n), form))
        done = self.run_tool(*arguments, stdin=data + bytes(96), status=1)
        self.assertEqual((len(done.stdout), done.stdout[0] >= 16, any(done.stdout[1:])), (66, True, False))
        done = self.run_tool(*arguments, "--group-by", "g", stdin=data, status=2)
        self.assertIn(b"--group-by", done.stderr)

    def test_names_that_come_back(self):
        """Rows of a sum follow each other; else the run fails, and a file gets no name."""
        row = ["01", P256.encode(P256.g), "P-256"]
        for names in ("aba", "abca", "ab" + "b" * 100 + "a"):
            text = self.write([[name, *row] for name in names])
            for batch in (1, 2, 1000):
                arguments = ["--sum", "--public", "--group-by", "g", "--batch", batch]
                done = self.run_tool("mul", *arguments, "-o", self.folder / "sums.csv", stdin=text, status=2)
                self.assertIn(f"line {len(names) + 1}: its `g` is that of a sum that is written already", done.stderr.decode())
                self.assertFalse((self.folder / "sums.csv").exists())

    def test_numbers_of_rows(self):
        point = P256.encode(P256.g)
        text, none = self.write([["a", "01", point, "P-256"]] * 3), self.write([])
        self.assertEqual(len(self.sums(text, "--expect-rows", 3)), 1)
        self.assertEqual(self.sums(text, "--expect-rows", 1, status=2), [])
        self.assertEqual(self.sums(none, status=2), [])
        self.assertEqual([(s["status"], s["point"], s["terms"]) for s in self.sums(none, "--allow-empty")], [("ok", "00", "0")])
        self.assertEqual(self.sums(none, "--allow-empty", "--group-by", "g"), [])
        two = text + "b,01,00,P-256\n"
        self.assertEqual([s["g"] for s in self.sums(two, "--group-by", "g", "--only", "malformed", status=1)], ["b"])
        self.assertEqual([s["g"] for s in self.sums(two, "--group-by", "g", "--only", "ok", status=1)], ["a"])
        broken = text + 'b,01,"' + point  # a quotation mark that is never closed: nobody knows what the last sum is of
        self.assertEqual(self.sums(broken, status=2), [])

    def test_what_is_refused(self):
        text = self.write([["a", "01", SECP256K1.encode(SECP256K1.g), "secp256k1"]])
        for arguments, reason in (
            (["--sum"], "--public"),
            (["--group-by", "g"], "--sum"),
            (["--sum", "--public", "--group-by", "point"], "column of the terms"),
            (["--sum", "--public", "--group-by", "k"], "column of the terms"),
            (["--sum", "--public", "--group-by", "status"], "name of a result"),
            (["--sum", "--public", "--group-by", "h"], "`h`"),
            (["--sum", "--public", "--backend", "cuda"], "GPUs have no program for sums"),
            (["--sum", "--public", "--curve", "Curve25519"], "Curve25519"),
        ):
            done = self.run_tool("mul", *arguments, stdin=text, status=2)
            self.assertIn(reason, done.stderr.decode(), arguments)
            self.assertEqual(done.stdout, b"")
        done = self.sums(text.replace("secp256k1", "Curve25519"), status=1)
        self.assertIn("Curve25519", done[0]["reason"])

    def most_bytes(self, arguments, path):
        with open(os.devnull, "wb") as nowhere:
            command = [TOOL, "mul", "--sum", "--public", "-q", "--batch", "1024", *arguments, path]
            process = os.posix_spawn(TOOL, command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)])
            _, status, usage = os.wait4(process, 0)
        self.assertEqual(status, 0)
        return usage.ru_maxrss << 10

    def test_memory(self):
        """Neither many sums nor a long one take more memory than few: but for fingerprints of names, of 16 bytes each."""
        randomness = generator("many sums")
        points = [P256.encode(P256.mul(k), "raw") for k in range(1, 20)]
        bodies = [f"{randomness.getrandbits(256):064x},{randomness.choice(points)}" for _ in range(1000)]
        path, sizes = str(self.folder / "terms.csv"), {}
        for count in (10_000, 300_000):
            with open(path, "w") as file:
                file.write("g,scalar,point\n")
                file.writelines(f"{i // 10},{bodies[i % 1000]}\n" for i in range(count))
            sizes[count] = [self.most_bytes(["--curve", "P-256", *group_by], path) for group_by in ([], ["--group-by", "g"])]
        few, many = sizes.values()
        self.assertLess(many[0] - few[0], 16 << 20)
        self.assertLess(many[1] - few[1], 48 << 20)


if __name__ == "__main__":
    unittest.main()
