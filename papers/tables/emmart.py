"""Tables of the paper on Maxwell's multiplier (Emmart et al. 2016): its own numbers, its algorithms here, and ours."""

from machine import WARP
from paper import here, per_clock, share
from tables import Table, rate

BITS = (128, 256, 384, 512)
WAYS = {"780Ti row oriented": "_rows", "980Ti row oriented": "_rows", "980Ti Two-Pass": "_two_pass"}
OPERATIONS = {"multiply": "Table II", "square": "Table III"}
THREADS = (128, 256, 512, 768, 896, 1024)


def kernel(operation, way, bits):
    return f"{operation}_any{way}" + ("" if bits == 256 else f"_{bits}")


def lines(machine):
    names = [kernel(o, way, bits) for o in OPERATIONS for way in ("_rows", "_two_pass", "") for bits in BITS]
    return machine.named("halves", "--names", ",".join(names))


def code(operation, way, bits):
    """image:kernel, as Machine.opcodes has it. The library's own way at 128 bits is in the image of the others."""
    image = "multiply" if way == "" and bits > 128 else "halves"
    return f"{image}_{bits}:{operation}_any{way}"


def products(operation, bits):
    """Of 32 by 32 bits, by rows, the reduction's included."""
    limbs = bits // 32
    return (limbs * limbs if operation == "multiply" else limbs * (limbs + 1) / 2) + limbs * limbs + limbs / 2


def rates(operation):
    """A table of rates."""

    def make(paper, machine):
        seen, name = lines(machine), OPERATIONS[operation]
        table = Table(name, f"{operation} and reduce a second, any odd modulus", [
            "way, bits", "there", "threads a block, there", "scaled here", "its way here", "ours", "ours / its way",
            "ours / scaled", "share of the multiplier, ours",
        ])  # fmt: skip
        for row, way in WAYS.items():
            for bits in BITS:
                figure = paper.figure(name, row, str(bits))
                line, ours = (seen[kernel(operation, w, bits)] for w in (way, ""))
                scaled = here(figure, machine, line["mhz"])
                table.add(
                    f"{row}, {bits}", rate(figure.value), paper.figure(name, row, f"{bits} threads").number, rate(scaled),
                    rate(line["rate"]), rate(ours["rate"]), ours["rate"] / line["rate"], ours["rate"] / scaled,
                    f"{share(ours['rate'], products(operation, bits), machine, ours['mhz']):.0f} %",
                )  # fmt: skip
        table.notes = ["Here a block has 128 threads; table `threads` has other numbers. GPUs since 2017 have no 16-bit "
                       "multiplier.", *paper.notes(name)[:1]]  # fmt: skip
        return table

    make.__doc__ = f"{OPERATIONS[operation]}: {operation} and reduce"
    return make


def normalised(paper, machine):
    """Table V: by multiprocessors and MHz."""
    seen, names = lines(machine), {"row oriented": "_rows", "Two-Pass": "_two_pass", "ours": ""}
    table = Table("Table V", "operations a second by multiprocessors and MHz", ["", *(f"{bits} bits" for bits in BITS)])
    for row in paper.rows("Table V"):
        table.add(row, *(paper.figure("Table V", row, str(bits)).number for bits in BITS))
    for operation in OPERATIONS:
        for name, way in names.items():
            found = [seen[kernel(operation, way, bits)] for bits in BITS]
            cells = [f"{per_clock(line['rate'], machine.multiprocessors, line['mhz']):,.0f}" for line in found]
            table.add(f"{operation}, here, {name}", *cells)
    return table


def issued(paper, machine):
    """Table IV: instructions a clock. Takes nvdisasm."""
    names = {"row oriented": "_rows", "Two-Pass": "_two_pass", "ours": ""}
    seen = lines(machine)
    counts = machine.opcodes(*(f"halves_{b}" for b in BITS), *(f"multiply_{b}" for b in BITS if b > 128))
    table = Table("Table IV", "instructions a multiprocessor and clock, of 4", ["", *(f"{bits} bits" for bits in BITS)])
    for row in paper.rows("Table IV"):
        table.add(f"{row}, 980Ti, Two-Pass", *(paper.figure("Table IV", row, str(bits)).number for bits in BITS))
    for operation in OPERATIONS:
        for name, way in names.items():
            cells = []
            for bits in BITS:
                line, count = seen[kernel(operation, way, bits)], counts[code(operation, way, bits)]
                rate_of_clock = per_clock(line["rate"], machine.multiprocessors, line["mhz"]) / 1e6
                cells.append(f"{rate_of_clock * count['total'] / WARP:.2f} ({count['total']})")
            table.add(f"{operation}, here, {name}", *cells)
    table.notes = [
        "Here: operations a clock times the instructions of the loop around one, counted in machine code, which are in "
        "parentheses. A whole product of 32 by 32 bits takes a scheduler four clocks, other instructions one or two.",
    ]
    return table


def blocks(paper, machine):
    """Threads: the Two-Pass algorithms by threads of a block."""
    seen = machine.named("threads")
    table = Table("Threads", "Two-Pass operations a second, any odd modulus, by threads of a block", [
        "operation, bits", *map(str, THREADS), "best", "best / 128", "there",
    ])  # fmt: skip
    for operation, name in OPERATIONS.items():
        for bits in BITS:
            found = {threads: seen[f"{operation}_any_two_pass_{bits}_{threads}"] for threads in THREADS}
            best = max(THREADS, key=lambda threads: found[threads]["rate"])
            cells = [f"{rate(line['rate'])} ({line['registers']}, {line['resident']})" for line in found.values()]
            ratio = found[best]["rate"] / found[128]["rate"]
            there = paper.figure(name, "980Ti Two-Pass", f"{bits} threads").number
            table.add(f"{operation}, {bits}", *cells, best, ratio, there)
    table.notes = [
        "In parentheses: registers of a thread, which are limited to 65,536 for a block, and blocks that a multiprocessor has at "
        "once. Whole waves of blocks. There: what the paper took on the 980Ti, whose multiprocessors have as many registers.",
    ]
    return table


TABLES = {"II": rates("multiply"), "III": rates("square"), "IV": issued, "V": normalised, "threads": blocks}
FIGURES, CURVES = {}, {}
