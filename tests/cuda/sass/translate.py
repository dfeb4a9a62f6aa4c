"""Blocks of instructions to Python functions. What is not known here is refused (operands.Unknown), never guessed.

There is no document of the instruction set with all of this; a case whose results come out right is the proof
that what it ran means what is written here.
"""

import re
import struct

from . import arithmetic, lanes
from .operands import WORD, Operand, Unknown, address, pair, predicate, target, target_words, word, MEMORY

HANDLERS = {}


def handles(names, *modifiers):
    """A handler of instructions, with all the modifiers that they may have."""

    def register(function):
        for name in names.split():
            HANDLERS[name] = (function, frozenset(" ".join(modifiers).split()))
        return function

    return register


def split(i, sources):
    """Result, predicates that are results, sources, predicates that are sources."""
    at = 1
    while at < len(i.operands) and Operand(i.operands[at]).is_predicate:
        at += 1
    if at + sources > len(i.operands):
        raise Unknown(i.text)
    return i.operands[0], i.operands[1:at], i.operands[at : at + sources], i.operands[at + sources :]


def carries(predicates):
    return "".join(f" + {predicate(p)}" for p in predicates)


def add(i, terms):
    """A sum of 32-bit terms: carries in and out; two predicates count the carries out."""
    result, out, _, carry_in = split(i, terms)
    sources = i.operands[1 + len(out) : 1 + len(out) + terms]
    return result, out, f"{' + '.join(word(s) for s in sources)}{carries(carry_in)}"


def low(result, out, total):
    """result = total mod 2^32; what is above it goes to predicates."""
    if not out:
        return [f"{target(result)} = ({total}) & {WORD}"]
    lines = [f"t = {total}", f"{target(result)} = t & {WORD}", "t >>= 32"]
    if len(out) > 2:
        raise Unknown("carries")
    return lines + [f"{target(p)} = t > {at}" for at, p in enumerate(out)]


@handles("IADD3 UIADD3", "X")
def iadd3(i):
    return low(*add(i, 3))


@handles("VIADD")
def viadd(i):
    return low(*add(i, 2))


@handles("MOV UMOV", "U32")
def mov(i):
    return [f"{target(i.operands[0])} = {word(i.operands[1])} & {WORD}"]


@handles("R2UR")
def r2ur(i):
    if len(i.operands) != 2:
        raise Unknown(i.text)
    return mov(i)


def integer(text, is_signed):
    """A factor: 32 bits, which may be taken as signed."""
    value = word(text)
    if Operand(text).sign and Operand(text).kind != "number":
        raise Unknown(f"factor {text}")
    return f"(({value} ^ {1 << 31}) - {1 << 31})" if is_signed else value


@handles("IMAD UIMAD", "MOV IADD SHL U32 X WIDE HI")
def imad(i):
    result, out, (a, b, c), carry_in = split(i, 3)
    if bool(carry_in) != ("X" in i.modifiers):
        raise Unknown(i.text)
    if not i.modifiers & {"WIDE", "HI"}:
        if out:
            raise Unknown(i.text)
        return low(result, out, f"{word(a)} * {word(b)} + {word(c)}{carries(carry_in)}")
    is_signed = "U32" not in i.modifiers
    if is_signed and (out or carry_in):
        raise Unknown(i.text)
    lines = [f"t = {integer(a, is_signed)} * {integer(b, is_signed)} + {pair(c)}{carries(carry_in)}"]
    if "HI" in i.modifiers:
        lines.append(f"{target(result)} = t >> 32 & {WORD}")
    else:
        first, second = target_words(result, 2)
        lines += [f"{first} = t & {WORD}", f"{second} = t >> 32 & {WORD}"]
    return lines + [f"{target(p)} = t >> 64" for p in out]


@handles("LEA ULEA", "HI X SX32")
def lea(i):
    """a 2^s + b, or the same with the upper half of (c : a) 2^s."""
    if "HI" not in i.modifiers:
        result, out, (a, b, shift), carry_in = split(i, 3)
        if bool(carry_in) != ("X" in i.modifiers):
            raise Unknown(i.text)
        return low(result, out, f"({word(a)} << {word(shift)} & {WORD}) + {word(b)}{carries(carry_in)}")
    extends = "SX32" in i.modifiers
    result, out, sources, carry_in = split(i, 3 if extends else 4)
    a, b, *c = sources[:-1]
    above = f"(({word(a)} >> 31) * {WORD})" if extends else word(c[0])
    upper = f"(({above} << 32 | {word(a)}) << {word(sources[-1])} >> 32 & {WORD})"
    return low(result, out, f"{upper} + {word(b)}{carries(carry_in)}")


def table(lut, inputs, ones):
    """The Boolean function with this table of 2^n bits, the last input being the lowest bit of its index."""
    if not inputs:
        return str(ones) if lut else "0"
    *others, last = inputs
    half = [sum((lut >> (2 * k + bit) & 1) << k for k in range(1 << len(others))) for bit in (0, 1)]
    everything = (1 << (1 << len(others))) - 1
    zero, one = (table(h, others, ones) for h in half)
    if half[0] == half[1]:
        return zero
    if half[0] == half[1] ^ everything:
        return f"({last} ^ {zero})"
    if half[0] == 0:
        return f"({last} & {one})"
    if half[1] == everything:
        return f"({last} | {zero})"
    return f"({zero} ^ ({last} & ({zero} ^ {one})))"


@handles("LOP3 ULOP3", "LUT")
def lop3(i):
    operands = list(i.operands)
    out = [operands.pop(0)] if Operand(operands[0]).is_predicate else []
    result, a, b, c, lut, otherwise = operands
    lines = [f"t = {table(int(lut, 0), [word(a), word(b), word(c)], WORD)}", f"{target(result)} = t"]
    return lines + [f"{target(p)} = (t != 0) | {predicate(otherwise)}" for p in out]


@handles("PLOP3 UPLOP3", "LUT")
def plop3(i):
    first, second, *inputs, lut, other = i.operands
    values = [predicate(p) for p in inputs]
    results = [(first, lut), (second, other)]
    return [f"t, s = {', '.join(table(int(t, 0), values, 1) for _, t in results)}"] + [
        f"{target(p)} = {name}" for (p, _), name in zip(results, "ts")
    ]


@handles("SHF USHF", "L R W HI U32 S32 U64 S64")
def shf(i):
    """(c : a) shifted by b: its lower or upper half."""
    result, a, b, c = i.operands
    value = f"({word(c)} << 32 | {word(a)})"
    if i.modifiers & {"S32", "S64"}:
        value = f"(({value} ^ {1 << 63}) - {1 << 63})"
    bits = 63 if i.modifiers & {"U64", "S64"} else 31
    if "W" in i.modifiers:
        lines = [f"s = {word(b)} & {bits}"]
    elif bits == 31:
        lines = [f"s = lanes.each(min, {word(b)}, 32)"]
    else:
        lines = [f"s = T.at_most({word(b)}, 63)"]
    lines.append(f"t = {value} {'<<' if 'L' in i.modifiers else '>>'} s")
    return lines + [f"{target(result)} = t{' >> 32' if 'HI' in i.modifiers else ''} & {WORD}"]


@handles("SEL USEL")
def sel(i):
    result, a, b, p = i.operands
    return [f"{target(result)} = lanes.select({predicate(p)}, {word(a)}, {word(b)}) & {WORD}"]


@handles("VIMNMX", "U32")
def vimnmx(i):
    """The lesser where p, else the greater."""
    result, a, b, p = i.operands
    flip = 0 if "U32" in i.modifiers else 1 << 31
    a, b = f"({word(a)} & {WORD} ^ {flip})", f"({word(b)} & {WORD} ^ {flip})"
    lesser, greater = (f"lanes.each({name}, {a}, {b})" for name in ("min", "max"))
    return [f"{target(result)} = lanes.select({predicate(p)}, {lesser}, {greater}) ^ {flip}"]


@handles("PRMT UPRMT")
def prmt(i):
    result, a, selector, b = i.operands
    return [f"{target(result)} = lanes.each(arithmetic.permute, {word(a)}, {word(selector)}, {word(b)})"]


COMPARISONS = {"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}
JOINS = {"AND": "&", "OR": "|", "XOR": "^"}


@handles("ISETP UISETP", "EQ NE LT LE GT GE U32 AND OR XOR EX")
def isetp(i):
    """Two predicates: the comparison, and its negation, each joined to a third. EX: of upper halves, the lower ones
    having been compared already."""
    first, second, a, b, joined, *lower = i.operands
    (comparison,) = i.modifiers & COMPARISONS.keys()
    (join,) = i.modifiers & JOINS.keys()
    flip = "" if "U32" in i.modifiers or comparison in ("EQ", "NE") else f" ^ {1 << 31}"
    lines = [f"t = {word(a)} & {WORD}{flip}", f"s = {word(b)} & {WORD}{flip}"]
    if ("EX" in i.modifiers) != bool(lower):
        raise Unknown(i.text)
    if not lower:
        lines.append(f"t = t {COMPARISONS[comparison]} s")
    elif comparison == "NE":
        lines.append(f"t = (t != s) | {predicate(lower[0])}")
    else:
        strict = {"EQ": "False", "LT": "t < s", "LE": "t < s", "GT": "t > s", "GE": "t > s"}[comparison]
        lines.append(f"t = ({strict}) | ((t == s) & {predicate(lower[0])})")
    lines.append(f"s = {predicate(joined)}")
    lines.append(f"{target(first)} = t {JOINS[join]} s")
    if target(second) != "_":
        lines.append(f"{target(second)} = (t ^ 1) {JOINS[join]} s")
    return lines


@handles("P2R")
def p2r(i):
    """The predicates that the constant names, as bits; the others from the source."""
    result, registers, source, bits = i.operands
    chosen = int(bits, 0)
    if registers != "PR" or chosen > 0x7F:
        raise Unknown(i.text)
    terms = [f"(p{n} << {n})" for n in range(7) if chosen >> n & 1]
    return [f"{target(result)} = {word(source)} & {WORD ^ chosen} | {' | '.join(terms)}"]


@handles("R2P")
def r2p(i):
    registers, source, bits = i.operands
    chosen = int(bits, 0)
    if registers != "PR" or chosen > 0x7F:
        raise Unknown(i.text)
    return [f"p{n} = {word(source)} >> {n} & 1" for n in range(7) if chosen >> n & 1]


@handles("CS2R", "32")
def cs2r(i):
    result, source = i.operands
    if source != "SRZ":
        raise Unknown(i.text)
    return [f"{name} = 0" for name in target_words(result, 1 if "32" in i.modifiers else 2)]


@handles("S2R S2UR")
def s2r(i):
    return [f"{target(i.operands[0])} = T.special({i.operands[1]!r})"]


def half_bits(text):
    """Of a number of 16 bits; what is not a number has all bits set that can be."""
    if text == "+QNAN":
        return 0x7FFF
    return struct.unpack("<H", struct.pack("<e", float(text)))[0]


@handles("HFMA2", "MMA")
def hfma2(i):
    """Only as the compiler loads constants: -0 * 0 + two halves."""
    result, a, b, upper, lower = i.operands
    if (a, b) != ("-RZ", "RZ"):
        raise Unknown(i.text)
    return [f"{target(result)} = {half_bits(upper) << 16 | half_bits(lower)}"]


@handles("I2F", "RP U32 U64")
def i2f(i):
    if "RP" not in i.modifiers or not i.modifiers & {"U32", "U64"}:
        raise Unknown(i.text)
    result, a = i.operands
    value = pair(a) if "U64" in i.modifiers else word(a)
    return [f"{target(result)} = arithmetic.float_above({value})"]


@handles("F2I", "FTZ U32 U64 TRUNC NTZ")
def f2i(i):
    if "TRUNC" not in i.modifiers or not i.modifiers & {"U32", "U64"}:
        raise Unknown(i.text)
    result, a = i.operands
    lines = [f"t = arithmetic.float_truncated({word(a)}, {64 if 'U64' in i.modifiers else 32})"]
    words = target_words(result, 2 if "U64" in i.modifiers else 1)
    return lines + [f"{name} = t >> {32 * at} & {WORD}" for at, name in enumerate(words)]


@handles("MUFU", "RCP")
def mufu(i):
    if "RCP" not in i.modifiers:
        raise Unknown(i.text)
    return [f"{target(i.operands[0])} = arithmetic.float_reciprocal({word(i.operands[1])})"]


SIZES = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}


def size_of(i):
    sizes = [SIZES[m] for m in i.modifiers if m in SIZES]
    if len(sizes) > 1:
        raise Unknown(i.text)
    return sizes[0] if sizes else 4


def unpack(i, result):
    """The loaded t to registers."""
    size = size_of(i)
    if i.modifiers & {"S8", "S16"}:
        return [f"{target(result)} = t - ((t >> {8 * size - 1}) << {8 * size}) & {WORD}"]
    if size <= 4:
        return [f"{target(result)} = t"]
    words = target_words(result, size // 4)
    return [f"{name} = t >> {32 * at} & {WORD}" for at, name in enumerate(words)]


@handles("LDC ULDC", "64 U8 S8 U16 S16")
def ldc(i):
    """Constant memory: an address that is computed is in the trace."""
    result, source = i.operands
    operand = Operand(source)
    if operand.kind != "c" or operand.sign:
        raise Unknown(source)
    lines = [f"a = {address(operand.address, 32)}"]
    if re.search("R", operand.address):
        lines.append(f"T.note({i.pc}, a)")
    return lines + [f"t = T.constant({operand.index}, a, {size_of(i)})", *unpack(i, result)]


SPACES = {"L": ("local", 32), "S": ("shared", 32), "G": ("generic", 64), "": ("generic", 64)}


def memory(i, text):
    """The space and the address of a load or a store."""
    match = MEMORY.match(text)
    if not match:
        raise Unknown(text)
    space, bits = SPACES[i.name[2:]]
    return space, address(match[1], bits)


CACHES = "E LU CONSTANT EF EL NA STRONG SYS GPU SM"


@handles("LD LDG LDL LDS", "U8 S8 U16 S16 64 128", CACHES)
def load(i):
    result, source = i.operands
    space, at = memory(i, source)
    return [f"t = T.load_{space}({i.pc}, {at}, {size_of(i)})", *unpack(i, result)]


@handles("ST STG STL STS", "U8 S8 U16 S16 64 128", CACHES)
def store(i):
    to, source = i.operands
    space, at = memory(i, to)
    operand = Operand(source)
    size = size_of(i)
    if operand.kind != "r" or operand.sign:
        raise Unknown(source)
    count = 1 if operand.index is None else max(1, size // 4)
    value = " | ".join(f"r{operand.index + n} << {32 * n}" for n in range(count)) if operand.index is not None else "0"
    return [f"T.store_{space}({i.pc}, {at}, {size}, {value})"]


@handles("CCTL", "E PF2")
def cctl(i):
    """A prefetch, whose address is seen as a load's is."""
    match = MEMORY.match(i.operands[0])
    if i.modifiers != {"E", "PF2"} or not match:
        raise Unknown(i.text)
    pair_of = re.sub(r"R\d+", r"\g<0>.64", match[1])
    return [f"T.note({i.pc}, {address(pair_of, 64)})"]


@handles("SHFL", "IDX UP DOWN BFLY")
def shfl(i):
    """Which lane a lane asks for is in the trace, and so is the mask of lanes. Asked for by number among all 32, it is found;
    otherwise the value must be the same in all."""
    found, result, a, lane, limits = i.operands
    lines = [f"T.note({i.pc}, {word(lane)})", f"T.note({i.pc}, {word(limits)})"]
    if "IDX" in i.modifiers:
        lines.append(f"{target(result)} = T.shuffle({word(a)}, {word(lane)}, {word(limits)})")
    else:
        lines.append(f"{target(result)} = T.alike({word(a)})")
    return lines + [f"{target(found)} = 1"]


@handles("IMMA", "16832 U8")
def imma(i):
    """d = a b + c, matrices of bytes, of which each lane has a piece."""
    d, a, b, c = i.operands
    if not (a.endswith(".ROW") and b.endswith(".COL")) or "16832" not in i.modifiers:
        raise Unknown(i.text)
    pieces = []
    for text, count in ((a[:-4], 4), (b[:-4], 2), (c, 4)):
        operand = Operand(text)
        if operand.kind != "r" or operand.sign:
            raise Unknown(i.text)
        names = ["0" if operand.index is None else f"r{operand.index + n}" for n in range(count)]
        pieces.append(f"({', '.join(names)})")
    return [f"t = lanes.multiply_matrices({', '.join(pieces)})"] + [
        f"{name} = t[{at}]" for at, name in enumerate(target_words(d, 4))
    ]


@handles("VOTE VOTEU", "ANY ALL EQ")
def vote(i):
    """Lanes that vote as one. What they vote is in the trace: others see it."""
    at = 0 if Operand(i.operands[0]).is_predicate else 1
    results, (out, voted) = i.operands[:at], i.operands[at:]
    lines = [f"t = T.alike({predicate(voted)})", f"T.note({i.pc}, t)"]
    lines += [f"{target(result)} = t" for result in results]
    return lines + [f"{target(out)} = {'1' if 'EQ' in i.modifiers else 't'}"]


@handles("NOP BSSY BSYNC BREAK WARPSYNC BAR BRA", "ALL SYNC DEFER_BLOCKING DIV")
def nothing(i):
    """To a warp in step, that is: BRA.DIV goes to where lanes that are apart wait for each other. Whether it is executed is
    in the trace, where that depends on a predicate."""
    if i.name in ("WARPSYNC", "BAR") and not i.modifiers & {"ALL", "SYNC"}:
        raise Unknown(i.text)
    if i.name == "BRA" and i.modifiers != {"DIV"}:
        raise Unknown(i.text)
    return [f"T.note({i.pc}, 0)"] if i.guard else []


def branch_target(i, labels):
    match = re.match(r"`\((.*)\)$", i.operands[-1])
    if not match or match[1] not in labels:
        raise Unknown(i.text)
    return labels[match[1]]


def next_address(i, labels):
    """Where an instruction that ends a block goes to, as an expression; None: it does not end a block."""
    if i.name == "EXIT" and not i.modifiers and not i.operands:
        return "-1"
    if i.name == "BRA" and i.modifiers <= {"U"} and len(i.operands) <= 2:
        also = predicate(i.operands[0]) if len(i.operands) == 2 else "1"
        return f"{branch_target(i, labels)} if {also} else {i.pc + 16}"
    if i.name == "CALL" and i.modifiers == {"REL", "NOINC"}:
        return str(branch_target(i, labels))
    if i.name == "RET" and i.modifiers == {"REL", "NODEC"}:
        register, kernel = i.operands[0].split()
        return f"{pair(register)} + {labels[kernel[2:-1]]}"
    return None


def translate_instruction(i):
    if i.name not in HANDLERS:
        raise Unknown(f"instruction {i.text}")
    handler, modifiers = HANDLERS[i.name]
    if not i.modifiers <= modifiers:
        raise Unknown(f"instruction {i.text}")
    try:
        return handler(i)
    except ValueError as error:
        raise Unknown(f"instruction {i.text}: {error}") from error


def guarded(i, lines):
    if not i.guard or not lines:
        return lines
    guard = predicate(("!" if i.negated else "") + i.guard)
    return [f"if {guard}:", *("    " + line for line in lines)]


def block_lines(listing, pc, leaders):
    """The statements of the block at pc; they end with the next block's address in n."""
    lines, length = [], 0
    while True:
        i = listing.instructions.get(pc)
        if i is None:
            raise Unknown(f"no instruction at {pc:#x}")
        length += 1
        following = next_address(i, listing.labels)
        if following is not None:
            otherwise = [f"n = {pc + 16}"] if i.guard else []
            return otherwise + lines + guarded(i, [f"n = {following}"]), length
        lines += guarded(i, translate_instruction(i))
        pc += 16
        if pc in leaders:
            return lines + [f"n = {pc}"], length


def block(listing, pc, leaders):
    """A function of a thread that runs the block at pc and returns the next block's address; and how many instructions
    it has."""
    lines, length = block_lines(listing, pc, leaders)
    text = "\n".join(lines)
    lists = {"r": "R", "u": "U", "p": "P", "q": "Q"}
    names = sorted(set(re.findall(r"\b[rupq]\d+\b", text)))
    written = set(re.findall(r"^ *([rupq]\d+) = ", text, re.M))
    before = [f"{name} = T.{lists[name[0]]}[{name[1:]}]" for name in names]
    after = [f"T.{lists[name[0]]}[{name[1:]}] = {name}" for name in names if name in written]
    body = "\n".join("    " + line for line in [*before, *lines, *after, "return n"])
    scope = {"arithmetic": arithmetic, "lanes": lanes}
    exec(compile(f"def run(T):\n{body}\n", f"block {pc:#x}", "exec"), scope)  # pylint: disable=exec-used
    return scope["run"], length
