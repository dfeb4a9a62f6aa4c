"""The argument of a kernel (src/backend/cuda/kernels/launch.h) and the memory that it speaks of."""

import ctypes
import re
import struct
from dataclasses import dataclass
from pathlib import Path

from .lanes import LANES
from .thread import GLOBAL

SOURCE = Path(__file__).resolve().parents[3] / "src"
ABI = int(re.search(r"LAUNCH_ABI = (\d+)", (SOURCE / "backend/cuda/kernels/launch.h").read_text("utf-8"))[1])
POINT_UNCOMPRESSED = 0
HASHES = {"sha256": 1, "sha384": 2, "sha512": 3, "sm3": 4}
OK = 1
SCHEME = SOURCE / "scheme"
JOB_INPUTS, JOB_OUTPUTS = map(
    int, re.search(r"JOB_INPUTS = (\d+), JOB_OUTPUTS = (\d+)", (SCHEME / "job.h").read_text("utf-8")).groups()
)


@dataclass
class Operation:
    """An entry of operations.def, of one line or more, and its place in enum operation."""

    number: int
    text: str

    def __post_init__(self):
        words = re.match(r'OPERATION\(\w+,\s*(\w+),\s*"[\w.]+",\s*(\w+),\s*(\w+),', self.text)
        self.function, self.family, self.secrets = words.groups()


def operations():
    """Of the table, by the names of the functions."""
    text = (SCHEME / "operations.def").read_text("utf-8")
    entries = re.findall(r"^OPERATION\(.*?(?=^OPERATION\(|\Z)", text, re.M | re.S)
    return {entry.function: entry for entry in map(Operation, range(len(entries)), entries)}


OPERATIONS = operations()


def flag(name):
    """The value of a gecc_flag."""
    text = (SOURCE.parent / "include/gecc/context.h").read_text("utf-8")
    return 1 << int(re.search(rf"X\({name}, (\d+),", text)[1])



class Rows(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_uint64),
        ("stride", ctypes.c_uint64),
        ("width", ctypes.c_uint64),
        ("widths", ctypes.c_uint64),
        ("offsets", ctypes.c_uint64),
    ]


class Out(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint64), ("stride", ctypes.c_uint64), ("widths", ctypes.c_uint64)]


class KeySet(ctypes.Structure):
    """batch/key_set.h: all zeros, for a job that has no keys."""

    _fields_ = [
        ("rows", ctypes.c_uint64),
        ("status", ctypes.c_uint64),
        ("count", ctypes.c_uint32),
        ("width", ctypes.c_uint32),
        ("windows", ctypes.c_uint32),
        ("have", ctypes.c_uint32),
    ]


class Job(ctypes.Structure):
    _fields_ = [
        ("operation", ctypes.c_uint32),
        ("curve", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("hash", ctypes.c_uint32),
        ("point_format", ctypes.c_uint32),
        ("on_device", ctypes.c_uint32),
        ("inputs", Rows * JOB_INPUTS),
        ("outputs", Out * JOB_OUTPUTS),
        ("status", Out),
        ("count", ctypes.c_uint64),
        ("modulus", ctypes.c_uint8 * 64),
        ("modulus_bytes", ctypes.c_uint64),
        ("output_bytes", ctypes.c_uint64),
        ("out_width", ctypes.c_uint64 * JOB_OUTPUTS),
        ("plain_outputs", ctypes.c_uint32),
        ("stream", ctypes.c_uint64),
        ("keys", KeySet),
        ("rows_are_grouped", ctypes.c_bool),
        ("cancelled", ctypes.c_uint64),
    ]


class Launch(ctypes.Structure):
    _fields_ = [
        ("job", Job),
        ("first", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("workspace", ctypes.c_uint64),
        ("workspace_bytes", ctypes.c_uint64),
        ("tables", ctypes.c_uint64),
        ("faults", ctypes.c_uint64),
    ]


class Info:
    """What an image says of itself: gecc_info, a struct launch_info."""

    def __init__(self, cubin):
        abi, job_bytes, _, _, self.row_bytes, self.chunk_bytes = struct.unpack_from("<4I2Q", cubin.symbol("gecc_info"))
        if abi != ABI or job_bytes != ctypes.sizeof(Job):
            raise ValueError(f"{cubin.path}: another struct launch than that of {__name__}")


class Memory:
    """Global memory, which grows; addresses are multiples of 256."""

    def __init__(self):
        self.bytes = bytearray()

    def put(self, content):
        at = -(-len(self.bytes) // 256) * 256
        self.bytes += bytes(at - len(self.bytes)) + content
        return GLOBAL + at

    def get(self, at, size):
        return bytes(self.bytes[at - GLOBAL : at - GLOBAL + size])


class Launched:
    """A launch of a warp over rows of which the first lane has those that are given; those of other lanes are zeros.
    columns: for each input the rows, of one width; None: no such column. second: whether there is a second output, of a byte a
    row."""

    def __init__(self, info, columns, out_width, tables=b"", second=True, **fields):
        self.memory = Memory()
        self.argument = launch = Launch()
        self.own = range(0, LANES * max(len(column) for column in columns if column), LANES)
        self.count = self.own[-1] + 1
        self.out_width = out_width
        job = launch.job
        for name, value in fields.items():
            setattr(job, name, value)
        for column, rows in zip(columns, job.inputs):
            if column:
                rows.stride = rows.width = len(column[0])
                rows.data = self.memory.put(bytes((LANES - 1) * rows.width).join(column))
        job.outputs[0].data = self.memory.put(bytes(out_width * self.count))
        job.outputs[0].stride = job.out_width[0] = out_width
        if second:
            job.outputs[1].data = self.memory.put(bytes(self.count))
            job.outputs[1].stride = job.out_width[1] = 1
        job.status.data = self.memory.put(bytes(self.count))
        job.status.stride = 1
        job.count = launch.count = self.count
        launch.workspace_bytes = info.row_bytes * self.count + info.chunk_bytes
        launch.workspace = self.memory.put(bytes(launch.workspace_bytes))
        launch.tables = self.memory.put(tables)
        launch.faults = self.memory.put(bytes(4))

    def set_modulus(self, modulus, width):
        self.argument.job.modulus[64 - width :] = modulus.to_bytes(width, "big")
        self.argument.job.modulus_bytes = width

    def results(self):
        """Of each row: status, output, and the byte of the second column."""
        job, width = self.argument.job, self.out_width
        statuses = self.memory.get(job.status.data, self.count)
        rows = self.memory.get(job.outputs[0].data, width * self.count)
        ids = self.memory.get(job.outputs[1].data, self.count) if job.outputs[1].data else bytes(self.count)
        return [(statuses[i], rows[i * width : (i + 1) * width], ids[i]) for i in self.own]
