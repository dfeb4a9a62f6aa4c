"""Cases of points, their sums and multiples."""

import itertools

from maker import FORMS, Maker
from numbers_of import endomorphism
from schemes import private_keys_end


class Points(Maker):
    """Encodings, sums, multiples, shared secrets."""

    def point_encodings(self):
        for tag, data, status in self.malformed_points():
            self.case("pubkey", tag, status, enc=data)
            self.case("convert", tag, status, enc=data, format=self.form())
        for point in self.strangers:
            for read, wrote in itertools.product(FORMS, FORMS):
                self.case("convert", f"{read} to {wrote}", "OK", enc=self.encode(point, read), format=wrote)
        for _ in range(60):
            self.case("pubkey", "a point", "OK", enc=self.encode(self.curve.point_of(self.scalar())))

    def sums(self):
        curve = self.curve
        g = curve.point_of(1)
        points = [g, curve.point_of(2), curve.negate(g), curve.point_of((curve.n + 1) // 2), *self.strangers]
        points += [curve.point_of(self.special_or_random() % curve.n or 1) for _ in range(30)]
        if not curve.a:
            beta, _ = endomorphism(curve)
            points += [(beta * x % curve.p, y) for x, y in points[:10]]
            points += [(beta * beta * x % curve.p, -y % curve.p) for x, y in points[:10]]
        for point in points:
            self.case("double", "a point", "OK", a=self.encode(point), format=self.form())
            self.case("add", "equal", "OK", a=self.encode(point), b=self.encode(point), format=self.form())
            opposite = self.encode(curve.negate(point))
            self.case("add", "opposite", "INFINITY", a=self.encode(point), b=opposite, format=self.form())
            double = curve.add(point, point)
            self.case("add", "P + 2 P", a=self.encode(point), b=self.encode(double), format=self.form())
            self.case("add", "2 P - P", a=self.encode(double), b=opposite, format=self.form())
            if not curve.a:
                other = (beta * point[0] % curve.p, point[1])
                self.case("add", "equal y", "OK", a=self.encode(point), b=self.encode(other), format=self.form())
                other = (other[0], -point[1] % curve.p)
                self.case("add", "opposite y", "OK", a=self.encode(point), b=self.encode(other), format=self.form())
        for _ in range(250):
            a, b = self.random.choice(points), self.random.choice(points)
            self.case("add", "two points", a=self.encode(a), b=self.encode(b), format=self.form())
        for _ in range(60):
            tag, data = self.some_malformed_point()
            self.case("double", tag, a=data, format=self.form())
            self.case("add", f"a: {tag}", a=data, b=self.encode(g), format=self.form())
            self.case("add", f"b: {tag}", a=self.encode(g), b=data, format=self.form())
            other, more = self.some_malformed_point()
            self.case("add", f"a: {tag}; b: {other}", a=data, b=more, format=self.form())

    def multiples(self):
        curve, length = self.curve, self.curve.length
        for tag, k in self.scalars(500):
            self.case("mul_base", tag, "OK" if k % curve.n else "INFINITY", k=self.number(k), format=self.form())
        points = [curve.point_of(d) for d in (1, 2, 3, curve.n - 1, (curve.n + 1) // 2, *self.keys)]
        points += [curve.point_of(value) for value in self.sample(self.eigenvalues, 10) if value]
        for tag, k in self.scalars(400):
            point, status = self.random.choice(points), "OK" if k % curve.n else "INFINITY"
            self.case("mul_point", tag, status, k=self.number(k), p=self.encode(point), format=self.form())
        for point in self.strangers:
            for k in (self.special(), self.scalar(), curve.n, curve.n - 1, curve.n + 2):
                self.case("mul_point", "an extreme x", k=self.number(k), p=self.encode(point), format=self.form())
        for tag, k in self.scalars(60):
            status = None if 0 < k < private_keys_end(curve) else "MALFORMED_SCALAR"
            self.case("public_key", tag, status, priv=self.number(k), format=self.form())
        for data in self.wrong_widths(self.number(self.scalar()), (0, 1, length // 2, length - 1, length + 1, 2 * length)):
            point = self.encode(points[0])
            self.case("mul_base", f"{len(data)} bytes", "MALFORMED_WIDTH", k=data, format=self.form())
            self.case("public_key", f"{len(data)} bytes", "MALFORMED_WIDTH", priv=data, format=self.form())
            self.case("mul_point", f"{len(data)} bytes", "MALFORMED_WIDTH", k=data, p=point, format=self.form())
            self.case("mul_point", f"k: {len(data)} bytes; a malformed point", "MALFORMED_WIDTH",
                      k=data, p=self.some_malformed_point()[1], format=self.form())  # fmt: skip
            for u, v in ((data, self.number(1)), (self.number(1), data), (data, data[1:])):
                self.case("mul_add", "a wrong width", "MALFORMED_WIDTH", u=u, v=v, p=point, format=self.form())
        for _ in range(100):
            tag, data = self.some_malformed_point()
            k = self.number(self.one_of(0, curve.n, self.scalar()))
            self.case("mul_point", tag, k=k, p=data, format=self.form())
            self.case("mul_add", tag, u=self.number(self.special()), v=k, p=data, format=self.form())

    def sums_of_multiples(self):
        curve, n = self.curve, self.curve.n

        def put(tag, u, v, d, expect=None):
            point = self.encode(curve.point_of(d))
            self.case("mul_add", tag, expect, u=self.number(u), v=self.number(v), p=point, format=self.form())

        for u, v in itertools.product(self.sample(self.edges, 12) + [0, n], repeat=2):
            d = self.random.choice(self.keys + [1, n - 1, 2])
            put("edges", u, v, d, "INFINITY" if (u + v * d) % n == 0 else "OK")
        for _ in range(60):
            d, v = self.special_or_random() % n or 1, self.special_or_random()
            put("u G = -v P", -v * d % n, v, d, "INFINITY")
            put("u G = v P", v * d % n, v, d, None if v % n == 0 else "OK")
            put("u G = -v P + G", (1 - v * d) % n, v, d, "OK")
            put("u G = 2 v P", 2 * v * d % n, v, d)
            put("u G = -2 v P", -2 * v * d % n, v, d)
        for d in (1, n - 1, 2, n - 2, (n + 1) // 2):
            for _ in range(20):
                put(f"P = {d:x} G", self.special(), self.special(), d)
        for _ in range(250):
            put("special scalars", self.special(), self.special_or_random(), self.random.choice(self.keys))
        for point in self.strangers:
            self.case("mul_add", "an extreme x", u=self.number(self.special()), v=self.number(self.special()),
                      p=self.encode(point), format=self.form())  # fmt: skip

    def sums_of_many_multiples(self):
        curve, n = self.curve, self.curve.n

        def put(tag, terms, expect=None, read="raw"):
            k, p = b"".join(self.number(k) for k, _ in terms), b"".join(self.encode(point, read) for _, point in terms)
            self.case("msm", tag, expect, k=k, p=p, format=self.form())

        points = [curve.point_of(d) for d in (1, 2, n - 1, *self.keys[:8])] + self.strangers[:4]
        put("no terms", [], "INFINITY")
        for count in (1, 2, 3, 17, 70):
            for read in FORMS:
                put("terms", [(self.special_or_random(), self.random.choice(points)) for _ in range(count)], None, read)
        for count in (2, 16, 66):
            k, point = self.scalar(), self.random.choice(points)
            put("one term again and again", [(k, point)] * count)
            put("opposite points", [(k, point), (k, curve.negate(point))] * (count // 2), "INFINITY")
            put("opposite scalars", [(k, point), (n - k, point)] * (count // 2), "INFINITY")
            put("scalars 0 and n", [(0, point), (n, points[0])] * (count // 2), "INFINITY")
        for _ in range(20):
            tag, data = self.some_malformed_point()
            k = b"".join(self.number(self.scalar()) for _ in range(3))
            self.case("msm", tag, k=k, p=self.encode(points[0], "raw") + data + self.encode(points[1], "raw"), format=self.form())
            self.case("msm", f"{tag}, alone", k=self.number(self.scalar()), p=data, format=self.form())
        self.case("msm", "a point without a scalar", "MALFORMED_WIDTH", k=b"", p=self.encode(points[0]), format=self.form())

    def shared_secrets(self):
        curve, n, length = self.curve, self.curve.n, self.curve.length
        end = private_keys_end(curve)
        for tag, k in self.scalars(150):
            expect = "OK" if 0 < k < end else "MALFORMED_SCALAR"
            self.case("ecdh", tag, expect, priv=self.number(k), pub=self.encode(self.key()[1]))
        for tag, data, _ in self.malformed_points():
            if self.random.randrange(2):
                self.case("ecdh", tag, priv=self.number(self.one_of(1, end - 1, self.scalar())), pub=data)
        for d in (1, n - 1, 2, n - 2):
            for k in (1, n - 2, n - 1, pow(d, -1, n), -pow(d, -1, n) % n, self.scalar()):
                expect = "OK" if k < end else "MALFORMED_SCALAR"
                self.case("ecdh", "few multiples of G", expect, priv=self.number(k), pub=self.encode(curve.point_of(d)))
        for point in self.strangers:
            for k in (1, end - 1, self.scalar()):
                self.case("ecdh", "an extreme x", "OK", priv=self.number(k), pub=self.encode(point))
        for k in (0, n, n + 1, (1 << 8 * length) - 1):
            tag, data = self.some_malformed_point()
            self.case("ecdh", f"a private key out of range; {tag}", "MALFORMED_SCALAR", priv=self.number(k), pub=data)
        for data in self.wrong_widths(self.number(self.scalar()), (0, 1, length - 1, length + 1, 2 * length)):
            self.case("ecdh", f"priv: {len(data)} bytes", "MALFORMED_WIDTH", priv=data, pub=self.encode(self.key()[1]))
