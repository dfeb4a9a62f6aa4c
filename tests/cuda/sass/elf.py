"""What a cubin, a 64-bit ELF file, holds besides instructions; and cubins in fat binaries."""

import struct
from pathlib import Path

PARAMETERS = 0x0A  # EIATTR_PARAM_CBANK of .nv.info.<kernel>: where the parameters are in bank 0
SIZED = 4  # the format of attributes that have a length
MAGIC = b"\x7fELF"
FAT_BINARY = 0xBA55ED50
FAT_ELF = 2  # the kind of a fat binary's part that is a cubin


def extract(path, architecture, folder):
    """The cubin of a fat binary for sm_<architecture>, as a file in the folder."""
    fat = Path(path).read_bytes()
    magic, _, at, size = struct.unpack_from("<IHHQ", fat)
    if magic != FAT_BINARY:
        raise ValueError(f"{path} is not a fat binary")
    end = at + size
    while at < end:
        kind, _, header, size, number = struct.unpack_from("<HHIQ12xI", fat, at)
        if kind == FAT_ELF and number == architecture:
            content = fat[at + header : at + header + size]
            if content[:4] != MAGIC:
                raise ValueError(f"{path} is compressed: build with -DGECC_CUDA_COMPRESSION=none")
            cubin = Path(folder, Path(path).stem + ".cubin")
            cubin.write_bytes(content)
            return cubin
        at += header + size
    raise ValueError(f"{path} has nothing for sm_{architecture}")


class Cubin:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = file.read()
        if self.bytes[:5] != MAGIC + b"\2":
            raise ValueError(f"{path} is not a cubin")
        offset, size, count, names = struct.unpack_from("<Q10xHHH", self.bytes, 40)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, offset + i * size) for i in range(count)]
        self._order = [(self._text(headers[names], h[0]), h) for h in headers]
        self._sections = dict(self._order)

    def _text(self, strings, at):
        start = strings[4] + at
        return self.bytes[start : self.bytes.index(b"\0", start)].decode()

    def section(self, name):
        """Its bytes; none where there is no such section."""
        header = self._sections.get(name)
        return self.bytes[header[4] : header[4] + header[5]] if header else b""

    def symbol(self, wanted):
        """The bytes that an object has at first."""
        strings = self._sections[".strtab"]
        for name, _, _, index, value, size in struct.iter_unpack("<IBBHQQ", self.section(".symtab")):
            if size and self._text(strings, name) == wanted:
                return self.section(self._order[index][0])[value : value + size]
        raise ValueError(f"{self.path} has no {wanted}")

    def parameters(self, kernel):
        """Offset and size of a kernel's parameters in constant bank 0."""
        info, at = self.section(f".nv.info.{kernel}"), 0
        while at < len(info):
            form, attribute, size = struct.unpack_from("<BBH", info, at)
            at += 4
            if form == SIZED:
                if attribute == PARAMETERS:
                    return struct.unpack_from("<4xHH", info, at)
                at += size
        raise ValueError(f"{self.path}: no parameters of {kernel}")
