"""Values that differ between the lanes of a warp.

The thread that is run stands for all lanes: they have the same rows, so almost every value is one integer. Where the
number of the lane comes in, a value is a Lanes, and becomes an integer again where all lanes agree.
"""

import operator

LANES = 32
STEP_ROWS, STEP_COLUMNS, STEP_BYTES = 16, 8, 32  # of a product of matrices


class Diverges(Exception):
    """Lanes would go different ways."""


class Lanes:
    __slots__ = ("of",)

    def __init__(self, of):
        self.of = of

    def __bool__(self):
        raise Diverges()

    __hash__ = None


def joined(values):
    """Of a list with a value for each lane."""
    first = values[0]
    return first if all(value == first for value in values) else Lanes(values)


def values_of(value):
    """A list with a value for each lane."""
    return value.of if type(value) is Lanes else [value] * LANES  # pylint: disable=unidiomatic-typecheck


def each(function, *arguments):
    """The function of all arguments, lane by lane if they differ."""
    if any(type(a) is Lanes for a in arguments):  # pylint: disable=unidiomatic-typecheck
        return joined([function(*lane) for lane in zip(*map(values_of, arguments))])
    return function(*arguments)


def select(chosen, a, b):
    return each(lambda p, x, y: x if p else y, chosen, a, b)


def add_operator(name, function):
    setattr(Lanes, f"__{name}__", lambda self, other: each(function, self, other))
    setattr(Lanes, f"__r{name}__", lambda self, other: each(function, other, self))


for _name in "add sub mul lshift rshift and or xor".split():
    add_operator(_name, getattr(operator, f"__{_name}__"))
for _name in "eq ne lt le gt ge".split():
    setattr(Lanes, f"__{_name}__", lambda self, other, f=getattr(operator, _name): each(f, self, other))


def byte(word, at):
    return word >> 8 * at & 0xFF


def multiply_matrices(a, b, c):
    """c + a b for unsigned bytes, a with 16 rows of 32, b with 8 columns of 32: the pieces of mma.m16n8k32, four registers
    of a lane, two and four."""
    a, b, c = ([values_of(register) for register in registers] for registers in (a, b, c))
    columns = [[0] * STEP_BYTES for _ in range(STEP_COLUMNS)]
    for lane in range(LANES):
        for at in range(8):
            columns[lane // 4][at // 4 * 16 + lane % 4 * 4 + at % 4] = byte(b[at // 4][lane], at % 4)
    sums = [[0] * STEP_COLUMNS for _ in range(STEP_ROWS)]
    for register, words in enumerate(a):
        for lane, word in enumerate(words):
            row = sums[lane // 4 + register % 2 * 8]
            for at in range(4) if word else ():
                k, factor = register // 2 * 16 + lane % 4 * 4 + at, byte(word, at)
                for n in range(STEP_COLUMNS) if factor else ():
                    row[n] += factor * columns[n][k]
    results = []
    for register in range(4):
        found = [sums[lane // 4 + register // 2 * 8][lane % 4 * 2 + register % 2] for lane in range(LANES)]
        results.append(joined([x + y & 0xFFFFFFFF for x, y in zip(found, c[register])]))
    return results


def shuffled(values, lanes):
    """What each lane gets that asks for the value of another."""
    values = values_of(values)
    return joined([values[lane] for lane in values_of(lanes)])
