"""An operand of an instruction, as a Python expression over a block's variables.

Registers are the variables r4 and u4 (uniform), unsigned integers of 32 bits; predicates p0 and q0 (uniform), 0 or 1.
"""

import re

WORD = 0xFFFFFFFF
REGISTER = re.compile(r"([-~!]?)(UR|R|UP|P)(\d+|Z|T)(\.64)?$")
NUMBER = re.compile(r"-?0x[0-9a-f]+$|-?\d+$")
CONSTANT = re.compile(r"([-~]?)c\[0x([0-9a-f]+)\]\[(.*)\]$")
MEMORY = re.compile(r"(?:desc\[UR\d+\])?\[(.*)\]$")
PREFIX = {"R": "r", "UR": "u", "P": "p", "UP": "q"}


class Unknown(Exception):
    """Something of the instruction set that is not known here."""


class Operand:
    def __init__(self, text):
        self.text = text
        self.sign = ""
        self.kind = None
        if match := REGISTER.match(text):
            self.sign, prefix, index, _ = match.groups()
            self.kind = PREFIX[prefix]
            self.index = None if index in ("Z", "T") else int(index)
        elif NUMBER.match(text):
            self.kind = "number"
            self.index = int(text, 0) & WORD
        elif match := CONSTANT.match(text):
            self.kind = "c"
            self.sign, bank, self.address = match.groups()
            self.index = int(bank, 16)

    @property
    def is_predicate(self):
        return self.kind in ("p", "q")


def register(kind, index):
    return "0" if index is None else f"{kind}{index}"


def signed(expression, sign, bits=32):
    """The operand -x or ~x. -0 is 2^bits, as in an adder that adds ~x and 1: the carry comes out right."""
    if sign == "-":
        return f"({1 << bits} - {expression})"
    if sign == "~":
        return f"({expression} ^ {(1 << bits) - 1})"
    if sign:
        raise Unknown(f"{sign} of {bits} bits")
    return expression


def address(text, bits):
    """The sum in brackets, modulo 2^bits."""
    terms = []
    for term in text.split("+"):
        match = re.match(r"(UR|R)(\d+|Z)(\.64)?$", term)
        if NUMBER.match(term):
            terms.append(str(int(term, 0)))
        elif not match:
            raise Unknown(f"address {text}")
        elif match[2] != "Z":
            kind, index = PREFIX[match[1]], int(match[2])
            terms.append(f"{kind}{index} + ({kind}{index + 1} << 32)" if match[3] else f"{kind}{index}")
    return f"({' + '.join(terms) or '0'}) & {(1 << bits) - 1}"


def word(text):
    """A 32-bit value."""
    operand = Operand(text)
    if operand.kind in ("r", "u"):
        return signed(register(operand.kind, operand.index), operand.sign)
    if operand.kind == "number":
        return str(operand.index)
    if operand.kind == "c":
        return signed(f"T.constant({operand.index}, {address(operand.address, 32)}, 4)", operand.sign)
    raise Unknown(f"operand {text}")


def pair(text):
    """A 64-bit value, in a register and the next one."""
    operand = Operand(text)
    if operand.kind in ("r", "u"):
        if operand.index is None:
            return "0"
        return signed(f"({operand.kind}{operand.index} | {operand.kind}{operand.index + 1} << 32)", operand.sign, 64)
    if operand.kind == "number" and operand.index < 1 << 31:
        return str(operand.index)
    if operand.kind == "c":
        return signed(f"T.constant({operand.index}, {address(operand.address, 32)}, 8)", operand.sign, 64)
    raise Unknown(f"operand {text} of 64 bits")


def predicate(text):
    """0 or 1."""
    operand = Operand(text)
    if not operand.is_predicate:
        raise Unknown(f"predicate {text}")
    value = "1" if operand.index is None else f"{operand.kind}{operand.index}"
    return f"({value} ^ 1)" if operand.sign == "!" else value


def target(text):
    """What a result is assigned to."""
    operand = Operand(text)
    if operand.kind not in PREFIX.values() or operand.sign:
        raise Unknown(f"result {text}")
    return "_" if operand.index is None else f"{operand.kind}{operand.index}"


def target_words(text, count):
    """The registers that a result of `count` words is assigned to, least significant first."""
    operand = Operand(text)
    if operand.kind not in ("r", "u"):
        raise Unknown(f"result {text}")
    return ["_" if operand.index is None else f"{operand.kind}{operand.index + i}" for i in range(count)]
