"""Curve25519 over Python's integers: points (x, y) of its twisted Edwards form, -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032, 5.1), and
X25519 (RFC 7748, 5). What is added up in many steps is (X, Y, Z, T) meanwhile: x = X / Z, y = Y / Z and x y = T / Z."""

from functools import lru_cache

P = 2**255 - 19
N = 2**252 + 27742317777372353535851937790883648493  # the order of G
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1
G = (15112221349535400772501151409588531511454012693041857206046113283949847762202,
     46316835694926478169428394003475163141307993866256225615783033603165251855960)  # fmt: skip
NEUTRAL = (0, 1)
WINDOW = 8  # bits of a scalar that one addition of multiply_base deals with


def contains(point):
    x, y = point
    return (y * y - x * x - 1 - D * x * x * y * y) % P == 0


def negate(point):
    return -point[0] % P, point[1]


def extend(point):
    x, y = point
    return x, y, 1, x * y % P


def add_extended(first, second):
    """RFC 8032, 5.1.4: of any two points, equal ones too."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = first, second
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def from_extended(point):
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return x * inverse % P, y * inverse % P


def add(first, second):
    return from_extended(add_extended(extend(first), extend(second)))


@lru_cache(maxsize=4096)
def multiply(k, point):
    """k point, for k from 0 up."""
    total, point = extend(NEUTRAL), extend(point)
    for bit in bin(k)[2:]:
        total = add_extended(total, total)
        if bit == "1":
            total = add_extended(total, point)
    return from_extended(total)


@lru_cache(maxsize=1)
def table():
    """table()[i][j] = j 2^(WINDOW i) G."""
    rows, power = [], extend(G)
    for _ in range(0, N.bit_length(), WINDOW):
        row = [extend(NEUTRAL)]
        for _ in range(1, 1 << WINDOW):
            row.append(add_extended(row[-1], power))
        rows.append(row)
        power = add_extended(row[-1], power)
    return rows


@lru_cache(maxsize=4096)
def multiply_base(k):
    """k G."""
    total, k = extend(NEUTRAL), k % N
    for row in table():
        total = add_extended(total, row[k & (1 << WINDOW) - 1])
        k >>= WINDOW
    return from_extended(total)


def has_small_order(point):
    return multiply(8, point) == NEUTRAL


def lift(y, odd):
    """The point with this y and parity of x, or None (RFC 8032, 5.1.3). That of x = 0 does not matter."""
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    if (v * x * x + u) % P == 0:
        x = x * ROOT % P
    if (v * x * x - u) % P:
        return None
    return (-x % P if x % 2 != odd else x), y % P


def encode(point):
    """RFC 8032, 5.1.2."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def small_points():
    """The eight points of order 1, 2, 4 and 8."""
    y = 2
    while not (point := lift(y, 0)) or multiply(4, generator := multiply(N, point)) == NEUTRAL:
        y += 1
    return [multiply(i, generator) for i in range(8)]


def clamp(data):
    """RFC 7748, 5: decodeScalar25519."""
    return int.from_bytes(data, "little") & (1 << 254) - 8 | 1 << 254


def ladder(k, u):
    """The u coordinate of k times a point with the coordinate u; 0 for the point at infinity (RFC 7748, 5)."""
    x2, z2, x3, z3 = 1, 0, u, 1
    for bit in range(254, -1, -1):
        swap = k >> bit & 1
        if swap:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
        if swap:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return x2 * pow(z2, P - 2, P) % P
