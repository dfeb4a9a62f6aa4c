"""What instructions do with words that are known, as integers of Python, and with those that stand for every input
(`words.py`). A vector is one word, since its lanes are alike, or a tuple of integers."""

from machine import words
from machine.words import Word, add_scaled, constant

RUN = [None]  # the run that is under way
UNDEFINED = None  # a lane that is not written yet
SPLITS = set()  # of functions and those that they call: what these give is looked at apart for 0 and for more
MASK = {w: (1 << w) - 1 for w in range(1, 129)}


class Violation(Exception):
    """A precondition that does not hold for every input."""


class Part:
    """A word of which only the low bits are known, those of another word: what is shifted was negative, or not."""

    def __init__(self, word, bits):
        self.word, self.bits = word, bits


class Cast:
    """A vector as one of other lanes, of which nothing but a blend is known."""

    def __init__(self, shape, value):
        self.shape, self.value = shape, value


class Double:
    """A double whose value is an integer, that of a word."""

    def __init__(self, word):
        self.word = word


def signed(x, bits):
    return x - (x >> bits - 1 << bits)


def lift(x, bits):
    return constant(signed(x, bits)) if type(x) is int else x


def lower(word, bits):
    """The integer where only one is possible."""
    if word.low == word.high and word.any_of is None and word.pair is None:
        if any(word.poly):
            RUN[0].learn_equal(add_scaled(word.poly, {(): 1}, -word.low), True)
        return word.low & MASK[bits]
    return word


def unsigned(x, bits):
    return constant(x) if type(x) is int else RUN[0].read(x, bits, False)


def with_sign(x, bits):
    return constant(signed(x, bits)) if type(x) is int else RUN[0].read(x, bits, True)


def uncast(x, bits, to):
    if x not in (0, MASK[bits]):
        raise words.Undecided("arithmetic in lanes of another width")
    return MASK[to] if x else 0


def lanes(function):
    """For tuples lane by lane."""
    def wrapped(bits, a, b):
        if type(a) is Cast or type(b) is Cast:
            if function.__name__ not in ("and_", "or_", "xor_"):
                raise words.Undecided("arithmetic in lanes of another width")
            shape = a.shape if type(a) is Cast else b.shape
            a, b = (x.value if type(x) is Cast else uncast(x, bits, shape[1]) for x in (a, b))
            return Cast(shape, function(shape[1], a, b))
        if type(a) is tuple or type(b) is tuple:
            n = len(a) if type(a) is tuple else len(b)
            a = a if type(a) is tuple else (a,) * n
            b = b if type(b) is tuple else (b,) * n
            r = tuple(function(bits, x, y) for x, y in zip(a, b))
            return r[0] if all(same(x, r[0]) for x in r) else r
        return function(bits, a, b)
    return wrapped


@lanes
def add_(bits, a, b):
    if type(a) is int and type(b) is int:
        return a + b & MASK[bits]
    a, b = lift(a, bits), lift(b, bits)
    return lower(Word(add_scaled(a.poly, b.poly, 1), a.low + b.low, a.high + b.high), bits)


@lanes
def sub_(bits, a, b):
    if type(a) is int and type(b) is int:
        return a - b & MASK[bits]
    a, b = lift(a, bits), lift(b, bits)
    return lower(Word(add_scaled(a.poly, b.poly, -1), a.low - b.high, a.high - b.low), bits)


def product(a, b):
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Word(words.multiply(a.poly, b.poly), min(ends), max(ends))


@lanes
def mul_(bits, a, b):
    if type(a) is int and type(b) is int:
        return a * b & MASK[bits]
    return wrapped_product(bits, lift(a, bits), lift(b, bits))


def wrapped_product(bits, a, b):
    r = product(a, b)
    if r.low < -(1 << bits - 1) or r.high >> bits: # wraps around, as multiplications and shifts may
        r = RUN[0].low_bits(r, bits)
    return lower(r, bits)


@lanes
def shl_(bits, a, n):
    return a << n & MASK[bits] if type(a) is int else wrapped_product(bits, a, constant(1 << n))


@lanes
def lshr_(bits, a, n):
    if type(a) is int:
        return a >> n
    try:
        return lower(RUN[0].floor(unsigned(a, bits), n), bits)
    except words.Undecided:
        return Part(RUN[0].floor(with_sign(a, bits), n), bits - n)


@lanes
def ashr_(bits, a, n):
    if type(a) is int:
        return signed(a, bits) >> n & MASK[bits]
    return lower(RUN[0].floor(with_sign(a, bits), n), bits)


def low_bits(bits, a, n):
    return a & MASK[n] if type(a) is int else lower(RUN[0].low_bits(a, n), bits) if n < bits else a


@lanes
def and_(bits, a, b):
    if type(a) is int and type(b) is int:
        return a & b
    if type(a) is int:
        a, b = b, a
    if a is b:
        return a
    if type(b) is int and b == 1:
        return low_bits(bits, a, 1)
    for x, y in ((a, b), (b, a)):
        if type(x) is Word and x.low >= -1 and x.high <= 0:
            return 0 if RUN[0].is_zero(x) else y
    if type(b) is not int:
        raise words.Undecided("`and` of two words that are not known")
    if b == MASK[bits]:
        return a
    if b == 0:
        return 0
    start = (b & -b).bit_length() - 1
    end = b.bit_length()
    if b != MASK[end] >> start << start:
        raise words.Undecided(f"`and` with {b:#x}")
    result = low_bits(bits, a, end)
    return sub_(bits, result, low_bits(bits, result, start)) if start else result


def opaque(bits, **parts):
    s = RUN[0].symbol("any", 0, MASK[bits])
    return Word({(s,): 1}, 0, MASK[bits], **parts)


@lanes
def or_(bits, a, b):
    if type(a) is int and type(b) is int:
        return a | b
    if 0 in (a, b):
        return b if a == 0 else a
    a, b = lift(a, bits), lift(b, bits)
    if not add_scaled(a.poly, b.poly, 1): # x | -x: the top bit says whether x is not 0
        if RUN[0].is_zero(a if a.any_of else b if b.any_of else unsigned(a, bits)):
            return 0
        r = opaque(bits)
        r.low = 1 << bits - 1
        return r
    a, b = unsigned(a, bits), unsigned(b, bits)
    if a.high == b.high == 1 and a.any_of is None and b.any_of is None:
        return lower(b, bits) if RUN[0].is_zero(a) else 1
    for x, y in ((a, b), (b, a)):
        if x.any_of is None and y.any_of is None and all(c % (1 << y.high.bit_length()) == 0 for c in x.poly.values()):
            return add_(bits, x, y)
    return opaque(bits, any_of=(a.any_of or [a]) + (b.any_of or [b]))


@lanes
def xor_(bits, a, b):
    if type(a) is int and type(b) is int:
        return a ^ b
    if type(a) is int:
        a, b = b, a
    if b == 0:
        return a
    if b == MASK[bits]:
        return sub_(bits, b, a)
    for x, y in ((a, b), (b, a)):
        if type(x) is Word and x.pair:
            for i in (0, 1):
                if all(c % (1 << bits) == 0 for c in add_scaled(x.pair[i].poly, lift(y, bits).poly, -1).values()):
                    return lower(x.pair[1 - i], bits)
    return opaque(bits, pair=(unsigned(a, bits), unsigned(b, bits)))


def sdiv_(bits, a, b):
    a, b = signed(a, bits), signed(b, bits)
    return int(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)) & MASK[bits]


def srem_(bits, a, b):
    return a - sdiv_(bits, a, b) * b & MASK[bits]


def udiv_(bits, a, b):
    return a // b


def urem_(bits, a, b):
    return a % b


def zext_(bits, to, a):
    if type(a) is tuple:
        return a
    return a if type(a) is int else unsigned(a, bits)


def sext_(bits, to, a):
    if type(a) is tuple:
        return tuple(sext_(bits, to, x) for x in a)
    return signed(a, bits) & MASK[to] if type(a) is int else with_sign(a, bits)


def trunc_(bits, to, a):
    if type(a) is tuple:
        return tuple(x & MASK[to] for x in a)
    if type(a) is Part:
        if to > a.bits:
            raise words.Undecided("bits above those of a negative number are read")
        return lower(a.word, to)
    if type(a) is int:
        return a & MASK[to]
    return a if 0 <= a.low and a.high < 1 << to or -1 <= a.low and a.high <= 0 else low_bits(128, a, to)


def bitcast(shape, to, a):
    """Between vectors of equal lanes and masks of their bits; from a word to one."""
    if shape == to:
        return a
    if type(a) is int and shape[1] == 1:
        return MASK[shape[0]] if a else 0
    if type(a) is int and to[1] == 1:
        if a not in (0, MASK[to[0]]):
            return tuple(a >> i & 1 for i in range(to[0]))
        return 1 if a else 0
    if type(a) is Cast:
        return a.value if a.shape == to else Cast(a.shape, a.value)
    if to[1] == "double" and shape[1] == 64:
        return double_of(a)
    if shape[1] == "double" and to[1] == 64:
        return bits_of(a)
    if type(a) is int and shape[1] != "double" and a in (0, MASK[shape[1]]):
        return MASK[to[1]] if a else 0
    return Cast(shape, a)


def unequal(a, b, bits):
    """A word that is 0 where a and b are equal modulo 2^bits."""
    r = a if not b.poly else Word(add_scaled(a.poly, b.poly, -1), a.low - b.high, a.high - b.low)
    return r if -(1 << bits) < r.low and r.high < 1 << bits else unequal(unsigned(a, bits), unsigned(b, bits), bits)


def compare(predicate, bits, a, b):
    if type(a) is tuple or type(b) is tuple:
        n = len(a) if type(a) is tuple else len(b)
        a = a if type(a) is tuple else (a,) * n
        b = b if type(b) is tuple else (b,) * n
        return tuple(compare(predicate, bits, x, y) for x, y in zip(a, b))
    if predicate in ("eq", "ne"):
        if type(a) is int and type(b) is int:
            equal = a == b
        else:
            equal = RUN[0].is_zero(unequal(lift(a, bits), lift(b, bits), bits))
        return int(equal == (predicate == "eq"))
    read = with_sign if predicate[0] == "s" else unsigned
    a, b = read(a, bits), read(b, bits)
    if predicate[1:] in ("gt", "le"):
        a, b = b, a
    less = RUN[0].is_negative(Word(add_scaled(a.poly, b.poly, -1), a.low - b.high, a.high - b.low))
    return int(less == (predicate[1:] in ("lt", "gt")))


def split(x):
    if type(x) is Word and not RUN[0].is_negative(with_sign(x, 64)):
        RUN[0].is_zero(x)
        return lower(x, 64)
    return x


def chosen(condition, a, b):
    if type(condition) is tuple:
        raise words.Undecided("lanes that are selected one by one")
    return a if condition else b


def same(a, b):
    return a is b or (type(a) is int and type(b) is int and a == b)


def inserted(vector, element, index, n):
    parts = list(vector) if type(vector) is tuple else [vector] * n
    parts[index] = element
    return element if all(same(p, element) for p in parts) else tuple(parts)


def extracted(vector, index):
    return vector[index] if type(vector) is tuple else vector


def shuffled(a, b, places, n):
    if type(a) is not tuple and places == 0:
        return a
    parts = [(a[p] if p < n else b[p - n]) if type(a) is tuple else a
             for p in (places if type(places) is tuple else (places,) * n)]
    return parts[0] if all(same(p, parts[0]) for p in parts) else tuple(parts)


# Memory: an address is a dictionary of cells, (size, value) each, and an offset.

def moved(address, by):
    return (address[0], address[1] + by)


def load(address, size):
    have, value = address[0][address[1]]
    if have != size:
        raise Violation(f"{size} bytes are read where {have} were written")
    return value


def store(address, size, value):
    cells, at = address
    if at not in cells or cells[at][0] != size:
        for other in range(at - 63, at + size):
            if other in cells and other + cells[other][0] > at:
                if cells[other][1] != 0:
                    raise Violation("a part of what is in memory is written")
                del cells[other]
    cells[at] = (size, value)


def copied(address, size):
    cells, at = address
    return ({o - at: c for o, c in cells.items() if at <= o < at + size}, 0)


def same_pointer(a, b, predicate):
    equal = a is b or (a is not None and b is not None and a[0] is b[0] and a[1] == b[1])
    return int(equal == (predicate == "eq"))


def c_abort():
    raise Violation("a VERIFY fails")


# Doubles that are integers.

def double_constant(text):
    import struct
    value = struct.unpack(">d", bytes.fromhex(text[2:]))[0] if text.startswith("0x") else float(text)
    if value != int(value):
        raise words.Undecided(f"the double {value}")
    return Double(constant(int(value)))


def double_of(a):
    if a in (0, MASK[64]):
        return Double(constant(0)) if a == 0 else Cast((4, 64), a)
    word = unsigned(a, 64)
    exponent = word.low >> 52
    if exponent != word.high >> 52 or not 1075 <= exponent < 2047:
        return Cast((4, 64), a)
    scale = 1 << exponent - 1075
    value = add_scaled(word.poly, {(): 1}, (1 << 52) - (exponent << 52))
    value = {m: c * scale for m, c in value.items()}
    ends = [(x - (exponent << 52) + (1 << 52)) * scale for x in (word.low, word.high)]
    return Double(Word(value, *ends))


def exponent_of(word):
    """e for a value in [2^e, 2^(e + 1)), e >= 52."""
    if word.low <= 0 or word.low.bit_length() != word.high.bit_length():
        RUN[0].bound(word)
    e = word.low.bit_length() - 1
    if word.low <= 0 or e != word.high.bit_length() - 1 or e < 52:
        raise words.Undecided(f"a double from {word.low:#x} to {word.high:#x}")
    return e


def bits_of(a):
    word = a.word
    e = exponent_of(word)
    unit = 1 << e - 52
    if any(c % unit for c in word.poly.values()):
        raise words.Undecided("bits below a double's are read")
    poly = add_scaled({m: c // unit for m, c in word.poly.items()}, {(): 1}, (e + 1022) << 52)
    return lower(Word(poly, (word.low // unit) + (e + 1022 << 52), (word.high // unit) + (e + 1022 << 52)), 64)


def fsub_(bits, a, b):
    a, b = a.word, b.word
    r = Word(add_scaled(a.poly, b.poly, -1), a.low - b.high, a.high - b.low)
    unit = 1 << min(((c & -c).bit_length() - 1 for c in r.poly.values()), default=0)
    if max(abs(r.low), abs(r.high)) > unit << 53:
        raise words.Undecided("a difference of doubles is rounded")
    return Double(r)


def multiply_add(a, b, c):
    r = product(a.word, b.word)
    r = Word(add_scaled(r.poly, c.word.poly, 1), r.low + c.word.low, r.high + c.word.high)
    e = exponent_of(r)
    r = RUN[0].floor(r, e - 52)
    return Double(Word({m: c << e - 52 for m, c in r.poly.items()}, r.low << e - 52, r.high << e - 52))


# Instructions that C has no operator for.

def half_product(high):
    def madd(total, a, b):
        if type(a) is int and type(b) is int:
            p = (a & MASK[52]) * (b & MASK[52])
            p = p >> 52 if high else p & MASK[52]
        else:
            p = product(lift(low_bits(64, a, 52), 64), lift(low_bits(64, b, 52), 64))
            p = RUN[0].floor(p, 52) if high else RUN[0].low_bits(p, 52)
        return add_(64, total, lower(p, 64) if type(p) is Word else p)
    return madd


MADD = {"l": half_product(False), "h": half_product(True)}


def intrinsic(name, *arguments):
    if name.startswith("llvm.memcpy") or name.startswith("llvm.memmove"):
        target, source, size = arguments[:3]
        for offset, cell in copied(source, size)[0].items():
            target[0][target[1] + offset] = cell
    elif name.startswith("llvm.memset"):
        target, value, size = arguments[:3]
        assert value == 0
        for offset in range(0, size, 8):
            target[0][target[1] + offset] = (8, 0)
    elif "vpmadd52" in name:
        return MADD[name.split("vpmadd52")[1][0]](*arguments[:3])
    elif "pblendvb" in name:
        no, yes, condition = arguments
        if type(condition) is not int:
            raise words.Undecided("lanes that are selected one by one")
        return yes if condition else no
    elif "movmsk.pd" in name:
        if type(arguments[0]) is Cast and arguments[0].value == MASK[64]:
            return 15
        if type(arguments[0]) is Double and arguments[0].word.low == arguments[0].word.high == 0:
            return 0
        raise words.Undecided("bits of lanes that are not known")
    elif "vfmadd.pd" in name and arguments[3] == 11: # towards zero, no exceptions
        return multiply_add(*arguments[:3])
    elif name.startswith("llvm.lifetime"):
        return None
    else:
        raise words.Undecided(f"the instruction {name}")


def assembly(template, constraints, *arguments):
    if template == "":
        outputs = constraints.count("=")
        return arguments[0] if outputs == 1 else arguments[:outputs]
    if "vpmadd52" in template:
        return MADD[template.split("vpmadd52")[1][0]](arguments[2], arguments[0], arguments[1])
    raise words.Undecided(f"the assembly {template}")
