"""One thread of a kernel, the first of its grid, which is one warp. The other lanes do the same with the same rows, so one
is run for all; lanes.py is for what they have of their own.

The trace is what somebody could see who watches instruction fetches, memory accesses and what other lanes get: the
blocks in their order, the address of each access, and the operands of what lanes exchange. It is a list of integers, a
block's address or pc 2^64 + value.
"""

from .lanes import LANES, Lanes, joined, shuffled, values_of
from .translate import block

GLOBAL = 0x0000_0500_0000_0000
CONSTANTS = 0x0000_7F38_0000_0000  # bank 3
PARAMETERS = 0x0000_7F39_0000_0000
SHARED = 0x0000_7F3A_0000_0000  # 2^24 bytes, and after them the thread's own
LOCAL = SHARED + (1 << 24)
LOCAL_BYTES = 1 << 16
SHARED_BYTES = 48 << 10


class Fault(Exception):
    """Something that no kernel may do."""


class Code:
    """A kernel's instructions, and the functions that its blocks became so far."""

    def __init__(self, cubin, kernel, listing):
        self.cubin = cubin
        self.kernel = kernel
        self.listing = listing
        self.leaders = set(listing.labels.values())
        self.blocks = {}
        self.banks = {0: b"", 3: cubin.section(".nv.constant3"), 2: cubin.section(f".nv.constant2.{kernel}")}

    def block(self, pc):
        if pc not in self.blocks:
            self.blocks[pc] = block(self.listing, pc, self.leaders)
        return self.blocks[pc][0]

    def executed(self, trace):
        """How many instructions."""
        return sum(self.blocks[entry][1] for entry in trace if entry in self.blocks)


class Thread:
    def __init__(self, code, argument, global_memory):
        """argument: the kernel's parameter; global_memory: a bytearray, at the address GLOBAL."""
        self.code = code
        self.R = [0] * 256
        self.U = [0] * 64
        self.P = [0] * 7
        self.Q = [0] * 7
        self.trace = []
        self.globals = global_memory
        self.locals = bytearray(LOCAL_BYTES)
        self.lane_locals = {}  # words there that differ between lanes
        self.shared = bytearray(SHARED_BYTES)
        self.banks = {number: bytes(bank) for number, bank in code.banks.items()}
        self.banks[0] = self.driver_constants(argument)
        self.windows = [
            (GLOBAL, self.globals),
            (LOCAL, self.locals),
            (SHARED, self.shared),
            (CONSTANTS, self.banks[3]),
            (PARAMETERS, argument),
        ]

    def driver_constants(self, argument):
        """Constant bank 0: what a driver puts there for sm_90, and the parameter."""
        at, size = self.code.cubin.parameters(self.code.kernel)
        if size != len(argument):
            raise Fault(f"{self.code.kernel} takes {size} bytes, not {len(argument)}")
        bank = bytearray(at + size)
        for at_dimension, size in enumerate((LANES, 1, 1, 1, 1, 1)):  # a block's threads and the grid's blocks
            bank[4 * at_dimension : 4 * at_dimension + 4] = size.to_bytes(4, "little")
        bank[0x28:0x2C] = LOCAL_BYTES.to_bytes(4, "little")  # the stack's end
        for offset, base in ((0x20, LOCAL), (0xD0, CONSTANTS), (0x198, PARAMETERS)):
            bank[offset : offset + 8] = base.to_bytes(8, "little")
        bank[at:] = argument
        return bytes(bank)

    def run(self):
        pc, blocks, code, trace = 0, self.code.blocks, self.code, self.trace
        while pc >= 0:
            trace.append(pc)
            entry = blocks.get(pc)
            pc = (entry[0] if entry else code.block(pc))(self)

    def note(self, pc, value):
        if isinstance(value, Lanes):
            self.trace.extend(pc << 64 | x for x in value.of)
        else:
            self.trace.append(pc << 64 | value)

    @staticmethod
    def alike(value):
        if isinstance(value, Lanes):
            raise Fault("lanes differ")
        return value

    @staticmethod
    def shuffle(value, lane, limits):
        """By number: the lane's own, or one of a part of the warp; limits: the part's size and the last lane."""
        if limits != LANES - 1 or any(x >= LANES for x in values_of(lane)):
            raise Fault(f"a shuffle within {limits:#x}")
        return shuffled(value, lane)

    def constant(self, bank, at, size):
        if isinstance(at, Lanes) or at % size or bank not in self.banks or at + size > len(self.banks[bank]):
            raise Fault(f"c[{bank:#x}][{at:#x}]")
        return int.from_bytes(self.banks[bank][at : at + size], "little")

    def special(self, name):
        values = {"SR_TID.X": 0, "SR_CTAID.X": 0, "SR_CgaCtaId": 0, "SR_SWINHI": SHARED >> 32}
        values["SR_LANEID"] = Lanes(list(range(LANES)))
        if name not in values:
            raise Fault(f"{name} is not known")
        return values[name]

    @staticmethod
    def at_most(shift, bits):
        if shift > bits:
            raise Fault(f"a shift by {shift}")
        return shift

    def place(self, pc, at, size):
        """The memory that a generic address is in, and the offset there."""
        for start, memory in self.windows:
            if start <= at < start + len(memory):
                return memory, at - start
        raise Fault(f"{self.code.listing.instructions[pc].text}: {size} bytes at {at:#x}")

    def load_generic(self, pc, at, size):
        if isinstance(at, Lanes):
            return joined([self.load_generic(pc, x, size) for x in at.of])
        self.trace.append(pc << 64 | at)
        memory, at = self.place(pc, at, size)
        return self.load(pc, memory, at, size)

    def store_generic(self, pc, at, size, value):
        self.trace.append(pc << 64 | self.alike(at))
        memory, at = self.place(pc, at, size)
        self.store(pc, memory, at, size, self.alike(value))

    def load_local(self, pc, at, size):
        self.trace.append(pc << 64 | at)
        words = range(at & ~3, at + size, 4)
        if not any(word in self.lane_locals for word in words):
            return self.load(pc, self.locals, at, size)
        lanes = self.lane_locals
        return sum((lanes[x] if x in lanes else self.load(pc, self.locals, x, 4)) << 8 * (x - at) for x in words)

    def store_local(self, pc, at, size, value):
        self.trace.append(pc << 64 | at)
        for word in range(at & ~3, at + size, 4):
            self.lane_locals.pop(word, None)
        if isinstance(value, Lanes):
            if size % 4:
                raise Fault("a part of a word that differs between lanes")
            self.lane_locals.update({at + 4 * i: value >> 32 * i & 0xFFFFFFFF for i in range(size // 4)})
        else:
            self.store(pc, self.locals, at, size, value)

    def load_shared(self, pc, at, size):
        self.note(pc, at)
        if isinstance(at, Lanes):
            return joined([self.load(pc, self.shared, x, size) for x in at.of])
        return self.load(pc, self.shared, at, size)

    def store_shared(self, pc, at, size, value):
        self.note(pc, at)
        if isinstance(at, Lanes):
            for x, y in zip(at.of, values_of(value)):
                self.store(pc, self.shared, x, size, y)
        else:
            self.store(pc, self.shared, at, size, self.alike(value))

    def load(self, pc, memory, at, size):
        end = at + size
        if at & (size - 1) or end > len(memory):
            raise Fault(f"{self.code.listing.instructions[pc].text}: {size} bytes at offset {at:#x}")
        return int.from_bytes(memory[at:end], "little")

    def store(self, pc, memory, at, size, value):
        end = at + size
        if at & (size - 1) or end > len(memory):
            raise Fault(f"{self.code.listing.instructions[pc].text}: {size} bytes at offset {at:#x}")
        memory[at:end] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
