"""What instructions compute that Python has no operator for. A float is the 32 bits of one."""

import struct


def float_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def float_value(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def float_above(number):
    """The least float that is at least the integer."""
    shift = max(number.bit_length() - 24, 0)
    return float_bits(float(-(-number >> shift) << shift))


def float_truncated(bits, width):
    """To an unsigned integer, the nearest where it is out of range."""
    value = float_value(bits)
    if value != value:
        return 0 if width == 32 else 1 << 63
    if value in (float("inf"), float("-inf")):
        return (1 << width) - 1 if value > 0 else 0
    return min(max(int(value), 0), (1 << width) - 1)


def float_reciprocal(bits):
    """1 / x. The GPU's may be off by one in its last place, which no code that it is meant for may depend on."""
    value = float_value(bits)
    return float_bits(1 / value) if value else bits | 0x7F800000


def permute(a, selector, b):
    """Each nibble of the selector names one of the eight bytes b : a; its upper bit asks for that byte's sign alone."""
    source, result = b << 32 | a, 0
    for at in range(4):
        nibble = selector >> 4 * at & 15
        byte = source >> 8 * (nibble & 7) & 0xFF
        if nibble & 8:
            byte = 0xFF * (byte >> 7)
        result |= byte << 8 * at
    return result
