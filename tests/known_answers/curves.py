"""The curves over Python's integers. A point is (x, y); the point at infinity is None. What is added up in many steps is
(X, Y, Z) meanwhile, Jacobian coordinates with x = X / Z^2 and y = Y / Z^3: the one division is at the end."""

WINDOW = 8  # bits of a scalar that one addition of multiply_base deals with


class Curve:
    """y^2 = x^3 + a x + b modulo p, p = 3 mod 4; g generates all of it, of prime order n."""

    def __init__(self, name, p, a, b, n, g):
        self.name, self.p, self.a, self.b, self.n, self.g = name, p, a, b, n, g
        self.length = (p.bit_length() + 7) // 8
        self.table = None
        self.forget()

    def forget(self):
        """The multiples of g that were computed, by scalar, and the scalars of points that point_of() gave."""
        self.multiples, self.logarithms = {}, {}

    def contains(self, point):
        x, y = point
        return (y * y - (x * x + self.a) * x - self.b) % self.p == 0

    def negate(self, point):
        return point and (point[0], -point[1] % self.p)

    def add(self, first, second):
        """SEC 1, 2.2.1."""
        if first is None or second is None:
            return first or second
        (x1, y1), (x2, y2), p = first, second, self.p
        if x1 == x2:
            if (y1 + y2) % p == 0:
                return None
            slope = (3 * x1 * x1 + self.a) * pow(2 * y1, -1, p)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, p)
        x = (slope * slope - x1 - x2) % p
        return x, (slope * (x1 - x) - y1) % p

    def double_jacobian(self, point):
        """Twice a Jacobian point whose y is not 0: there is none of order two."""
        x, y, z = point
        p, square, depth = self.p, y * y % self.p, z * z % self.p
        middle, slope = 4 * x * square % p, (3 * x * x + self.a * depth * depth) % p
        out = (slope * slope - 2 * middle) % p
        return out, (slope * (middle - out) - 8 * square * square) % p, 2 * y * z % p

    def add_to_jacobian(self, first, second):
        """A Jacobian point and (x, y); either may be None."""
        if first is None or second is None:
            return first or second and (*second, 1)
        (x, y, z), p = first, self.p
        square = z * z % p
        across, up = (second[0] * square - x) % p, (second[1] * square * z - y) % p
        if across == 0:
            return None if up else self.double_jacobian(first)
        square = across * across % p
        cube, middle = square * across % p, x * square % p
        out = (up * up - cube - 2 * middle) % p
        return out, (up * (middle - out) - y * cube) % p, z * across % p

    def from_jacobian(self, point):
        if point is None:
            return None
        x, y, z = point
        inverse = pow(z, -1, self.p)
        square = inverse * inverse % self.p
        return x * square % self.p, y * square * inverse % self.p

    def double_and_add(self, k, point):
        total = None
        for bit in bin(k)[2:]:
            total = total and self.double_jacobian(total)
            if bit == "1":
                total = self.add_to_jacobian(total, point)
        return self.from_jacobian(total)

    def make_table(self):
        """table[i][j] = j 2^(WINDOW i) g."""
        self.table, power = [], self.g
        for _ in range(0, self.n.bit_length(), WINDOW):
            row = [None]
            for _ in range(1, 1 << WINDOW):
                row.append(self.add(row[-1], power))
            self.table.append(row)
            power = self.add(row[-1], power)

    def multiply_base(self, k):
        """k g, an addition for each WINDOW bits; one that was asked for before is remembered."""
        k %= self.n
        if k not in self.multiples:
            if self.table is None:
                self.make_table()
            total, left = None, k
            for row in self.table:
                total = self.add_to_jacobian(total, row[left & (1 << WINDOW) - 1])
                left >>= WINDOW
            self.multiples[k] = self.from_jacobian(total)
        return self.multiples[k]

    def point_of(self, k):
        """k g, whose logarithm, and that of -k g, multiply() then knows."""
        point = self.multiply_base(k)
        if point is not None:
            self.logarithms[point] = k % self.n
            self.logarithms[self.negate(point)] = -k % self.n
        return point

    def multiply(self, k, point):
        """k point; of a point that point_of() gave, as a multiple of g, which is quick."""
        if point in self.logarithms:
            return self.multiply_base(k * self.logarithms[point])
        return self.double_and_add(k % self.n, point)

    def combine(self, u, v, point):
        """u g + v point."""
        if point in self.logarithms:
            return self.multiply_base(u + v * self.logarithms[point])
        return self.add(self.multiply_base(u), self.multiply(v, point))

    def lift(self, x, odd):
        """The point with this x and parity of y, or None (SEC 1, 2.3.4)."""
        y = pow((x * x + self.a) * x + self.b, (self.p + 1) // 4, self.p)
        if not self.contains((x, y)):
            return None
        return x, y if y % 2 == odd else -y % self.p

    def number(self, value):
        return value.to_bytes(self.length, "big")

    def encode(self, point, form="uncompressed"):
        """SEC 1, 2.3.3; raw: x || y."""
        x, y = map(self.number, point)
        return {"uncompressed": b"\4" + x + y, "compressed": bytes([2 + (point[1] & 1)]) + x, "raw": x + y}[form]


# SEC 2 (version 2.0), 2.4.1.
SECP256K1 = Curve(
    "secp256k1", 2**256 - 2**32 - 977, 0, 7,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
    (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
     0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8),
)  # fmt: skip
# SP 800-186, 3.2.1.3 and 3.2.1.4 (FIPS 186-4, D.1.2.3 and D.1.2.4).
P256 = Curve(
    "P-256", 2**256 - 2**224 + 2**192 + 2**96 - 1, -3,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5),
)  # fmt: skip
P384 = Curve(
    "P-384", 2**384 - 2**128 - 2**96 + 2**32 - 1, -3,
    0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
    (0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
     0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F),
)  # fmt: skip
# GB/T 32918.5-2017 (GM/T 0003.5-2012).
SM2 = Curve(
    "SM2", 2**256 - 2**224 - 2**96 + 2**64 - 1, -3,
    0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93,
    0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123,
    (0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
     0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0),
)  # fmt: skip
# SP 800-186, 3.2.1.5 (FIPS 186-4, D.1.2.5).
P521 = Curve(
    "P-521", 2**521 - 1, -3,
    0x0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
    0x01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409,
    (0x00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DBAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66,
     0x011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E662C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650),
)  # fmt: skip
# RFC 5639, 3.4, 3.6 and 3.7.
BRAINPOOL_P256R1 = Curve(
    "brainpoolP256r1",
    0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377,
    0x7D5A0975FC2C3057EEF67530417AFFE7FB8055C126DC5C6CE94A4B44F330B5D9,
    0x26DC5C6CE94A4B44F330B5D9BBD77CBF958416295CF7E1CE6BCCDC18FF8C07B6,
    0xA9FB57DBA1EEA9BC3E660A909D838D718C397AA3B561A6F7901E0E82974856A7,
    (0x8BD2AEB9CB7E57CB2C4B482FFC81B7AFB9DE27E1E3BD23C23A4453BD9ACE3262,
     0x547EF835C3DAC4FD97F8461A14611DC9C27745132DED8E545C1D54C72F046997),
)  # fmt: skip
BRAINPOOL_P384R1 = Curve(
    "brainpoolP384r1",
    0x8CB91E82A3386D280F5D6F7E50E641DF152F7109ED5456B412B1DA197FB71123ACD3A729901D1A71874700133107EC53,
    0x7BC382C63D8C150C3C72080ACE05AFA0C2BEA28E4FB22787139165EFBA91F90F8AA5814A503AD4EB04A8C7DD22CE2826,
    0x04A8C7DD22CE28268B39B55416F0447C2FB77DE107DCD2A62E880EA53EEB62D57CB4390295DBC9943AB78696FA504C11,
    0x8CB91E82A3386D280F5D6F7E50E641DF152F7109ED5456B31F166E6CAC0425A7CF3AB6AF6B7FC3103B883202E9046565,
    (0x1D1C64F068CF45FFA2A63A81B7C13F6B8847A3E77EF14FE3DB7FCAFE0CBD10E8E826E03436D646AAEF87B2E247D4AF1E,
     0x8ABE1D7520F9C2A45CB1EB8E95CFD55262B70B29FEEC5864E19C054FF99129280E4646217791811142820341263C5315),
)  # fmt: skip
BRAINPOOL_P512R1 = Curve(
    "brainpoolP512r1",
    0xAADD9DB8DBE9C48B3FD4E6AE33C9FC07CB308DB3B3C9D20ED6639CCA703308717D4D9B009BC66842AECDA12AE6A380E62881FF2F2D82C68528AA6056583A48F3,
    0x7830A3318B603B89E2327145AC234CC594CBDD8D3DF91610A83441CAEA9863BC2DED5D5AA8253AA10A2EF1C98B9AC8B57F1117A72BF2C7B9E7C1AC4D77FC94CA,
    0x3DF91610A83441CAEA9863BC2DED5D5AA8253AA10A2EF1C98B9AC8B57F1117A72BF2C7B9E7C1AC4D77FC94CADC083E67984050B75EBAE5DD2809BD638016F723,
    0xAADD9DB8DBE9C48B3FD4E6AE33C9FC07CB308DB3B3C9D20ED6639CCA70330870553E5C414CA92619418661197FAC10471DB1D381085DDADDB58796829CA90069,
    (0x81AEE4BDD82ED9645A21322E9C4C6A9385ED9F70B5D916C1B43B62EEF4D0098EFF3B1F78E2D0D48D50D1687B93B97D5F7C6D5047406A5E688B352209BCB9F822,
     0x7DDE385D566332ECC0EABFA9CF7822FDF209F70024A57B1AA000C55B881F8111B2DCDE494A5F485E5BCA4BD88A2763AED1CA2B2FA8F0540678CD1E0F3AD80892),
)  # fmt: skip
ALL = SECP256K1, P256, P384, SM2, P521, BRAINPOOL_P256R1, BRAINPOOL_P384R1, BRAINPOOL_P512R1
CURVES = {curve.name: curve for curve in ALL}
