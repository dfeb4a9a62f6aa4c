"""One thread of a kernel: the only one of its block and of its grid.

The trace is what somebody could see who watches instruction fetches, memory accesses and what other lanes get: the
blocks in their order, the address of each access, and the operands of what lanes exchange. It is a list of integers, a
block's address or pc 2^64 + value.
"""

from .translate import block

GLOBAL = 0x0000_0500_0000_0000
CONSTANTS = 0x0000_7F38_0000_0000  # bank 3
PARAMETERS = 0x0000_7F39_0000_0000
SHARED = 0x0000_7F3A_0000_0000  # 2^24 bytes, and after them the thread's own
LOCAL = SHARED + (1 << 24)
LOCAL_BYTES = 1 << 16
SHARED_BYTES = 1 << 15


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
        for offset in range(0, 24, 4):  # a block's threads and the grid's blocks, in three dimensions
            bank[offset : offset + 4] = (1).to_bytes(4, "little")
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
        self.trace.append(pc << 64 | value)

    def constant(self, bank, at, size):
        if at % size or bank not in self.banks or at + size > len(self.banks[bank]):
            raise Fault(f"c[{bank:#x}][{at:#x}]")
        return int.from_bytes(self.banks[bank][at : at + size], "little")

    def special(self, name):
        values = {"SR_TID.X": 0, "SR_CTAID.X": 0, "SR_LANEID": 0, "SR_CgaCtaId": 0, "SR_SWINHI": SHARED >> 32}
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
        self.trace.append(pc << 64 | at)
        memory, at = self.place(pc, at, size)
        return self.load(pc, memory, at, size)

    def store_generic(self, pc, at, size, value):
        self.trace.append(pc << 64 | at)
        memory, at = self.place(pc, at, size)
        self.store(pc, memory, at, size, value)

    def load_local(self, pc, at, size):
        self.trace.append(pc << 64 | at)
        return self.load(pc, self.locals, at, size)

    def store_local(self, pc, at, size, value):
        self.trace.append(pc << 64 | at)
        self.store(pc, self.locals, at, size, value)

    def load_shared(self, pc, at, size):
        self.trace.append(pc << 64 | at)
        return self.load(pc, self.shared, at, size)

    def store_shared(self, pc, at, size, value):
        self.trace.append(pc << 64 | at)
        self.store(pc, self.shared, at, size, value)

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
