"""Tables and figures of the gECC paper: its own numbers, its algorithms here, and ours."""

import re

import opcodes
from machine import ROOT, Trouble
from paper import here, per_clock, share
from tables import Table, rate

PRODUCTS = {"multiply": 64, "square": 36}  # of 32 by 32 bits, in 8 by 8 limbs
REDUCTION = 64 + 4  # of any odd modulus: 64, and 8 lower halves


def cost_in(path, pattern):
    """The cost that a comment of the source states, as 8M + 3S; Trouble where it says so no more."""
    found = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.S)
    if not found:
        raise Trouble(f"{path} states no such cost: {pattern}")
    return found[1]


def operations(paper, machine):
    """Table 1."""
    point, batch = "src/curve/point.h", "src/batch/points.h"
    cost = r"(\d+M \+ \d+S)"
    ours = {
        "affine PADD": cost_in(batch, rf"p \+ q, given the product before it.*?{cost}") + ", inversion shared",
        "affine PDBL": cost_in(batch, rf"/\* 2 a for a finite a.*?{cost}") + ", inverse given",
        "Jacobian PADD": cost_in(point, rf"\(madd-2004-hmv\).*?{cost}") + ", affine addend",
        "Jacobian PDBL": cost_in(point, rf"dbl-2001-b\);.*?{cost} \(a = -3\)"),
    }
    table = Table("Table 1", "operations of point formulas", ["formula", "modinv", "modmul", "modadd", "ours"])
    for row in paper.rows("Table 1"):
        columns = ("modinv", "modmul", "modadd")
        table.add(row, *(paper.figure("Table 1", row, column).number for column in columns), ours[row])
    return table


def issue(paper, machine):
    """Table 2: cycles of a scheduler between two instructions of a warp."""
    streams = {"DFMA": "dfma", "DADD": "dadd", "IMAD.WIDE.X": "imad_wide_x", "IADD3.X": "iadd3_x"}
    pairs = {
        "DFMA + IMAD": "imad_wide_x_with_dfma", "DFMA + DADD": "dfma_with_dadd", "IMAD + DADD": "imad_wide_x_with_dadd",
        "IMAD + IADD3": "imad_wide_x_with_iadd3_x", "DFMA + IADD3": "dfma_with_iadd3_x",
        "DADD + IADD3": "dadd_with_iadd3_x",
    }  # fmt: skip
    seen = machine.issue()
    table = Table("Table 2", "cycles an instruction", [
        "instructions", "dependent, A100", "here", "independent, A100", "here, a warp", "here, 8 warps",
    ])  # fmt: skip
    for row, stream in streams.items():
        dependent, independent = (paper.figure("Table 2", row, c).number for c in ("dependent", "independent"))
        lone, full = seen[stream, 0]["cycles_a"], seen[stream, 8]["cycles_a"]
        table.add(row, dependent, seen[f"{stream}_dependent", 0]["cycles_a"], independent, lone, full)
    for row, stream in pairs.items():
        paired = 2 * paper.figure("Table 2", row, "interval").number
        table.add(f"{row}, both", None, None, paired, seen[stream, 0]["cycles_a"], seen[stream, 8]["cycles_a"])
    for row, stream in {"IMAD": "imad", "IMAD.HI": "imad_hi", "LOP3": "lop3"}.items():
        table.add(row, None, seen[f"{stream}_dependent", 0]["cycles_a"], None, seen[stream, 0]["cycles_a"], seen[stream, 8]["cycles_a"])
    ratios = {"0": "", "1/4": "_with_quarter_iadd3_x", "1/2": "_with_half_iadd3_x", "1": "_with_iadd3_x",
              "2": "_with_two_iadd3_x", "4": "_with_four_iadd3_x"}  # fmt: skip
    for ratio, suffix in ratios.items():
        stream = f"imad_wide_x{suffix}"
        table.add(f"IMAD.WIDE.X and {ratio} IADD3.X", None, None, None, seen[stream, 0]["cycles_a"], seen[stream, 8]["cycles_a"])
    table.notes = [
        f"W, whole products a multiprocessor and clock: {machine.multiplier():.2f}.",
        "A warp's instructions, one after another; 8 warps: of each scheduler, with all multiprocessors at work.",
        "All with carries share one chain, so those of a single warp also wait for it; 8 warps show the pipes.",
    ]
    return table


def machine_code(paper, machine):
    """Table 3: instructions of a modular multiplication. Needs nvdisasm, and no GPU."""
    columns = ["total", "DFMA", "DADD", "IMAD", "IADD3", "SHFL"]
    table = Table("Table 3", "machine instructions of a modular multiplication, 256 bits", ["", *columns, "of IMAD, wide"])
    for row in paper.rows("Table 3"):
        figures = [paper.figure("Table 3", row, column) for column in columns]
        table.add(f"{row} (paper)", *(figure and figure.number for figure in figures), None)
    try:
        counts = opcodes.multiplications(machine.folder / "papers" / "multiply.fatbin", machine.device["capability"])
    except (FileNotFoundError, ValueError) as error:
        raise Trouble(f"{table.text()}no machine code of this GPU was counted: {error}") from error
    names = {
        "multiply_any_apart": "SOS, any odd modulus (paper's way, here)",
        "multiply_any": "any odd modulus, ours",
        "multiply_sm2_pairs": "SM2's prime, equation 5 (paper's way, here)",
        "multiply_sm2": "SM2's prime, ours",
        "square_any_apart": "square, SOS",
        "square_any": "square, any odd modulus, ours",
        "square_sm2_pairs": "square, equation 5",
        "square_sm2": "square, SM2's prime, ours",
    }
    for kernel, name in names.items():
        table.add(name, *(counts[kernel][column] for column in columns), counts[kernel]["IMAD.WIDE"])
    table.notes = ["Loops around one operation; their own two or three instructions included.", *paper.notes("Table 3")]
    return table


def multiplication(paper, machine):
    """Figure 12."""
    seen = machine.named("multiply")
    table = Table("Figure 12", "modular multiplications a second in registers, SM2's prime", [
        "", "/ CGBN-1, A100", "rate here", "per SM and MHz", "/ SOS here", "share of the multiplier",
    ])  # fmt: skip
    sos = seen["multiply_any_apart"]["rate"]
    rows = {
        "CGBN-4": None, "CGBN-1": None, "SOS": "multiply_any_apart", "gECC": "multiply_sm2_pairs",
        "ours, any odd modulus": "multiply_any", "ours, SM2's prime": "multiply_sm2",
        "squares: SOS": "square_any_apart", "squares: equation 5": "square_sm2_pairs",
        "squares: ours, any odd modulus": "square_any", "squares: ours, SM2's prime": "square_sm2",
    }  # fmt: skip
    for row, kernel in rows.items():
        figure = paper.figure("Figure 12", row, "A100")
        quoted = figure and figure.number
        if kernel is None:
            table.add(row, quoted, None, None, None, None)
            continue
        line = seen[kernel]
        products = PRODUCTS[kernel.split("_")[0]] + (REDUCTION if "any" in kernel else 0)
        table.add(
            row, quoted, rate(line["rate"]), f"{per_clock(line['rate'], machine.multiprocessors, line['mhz']):,.0f}",
            line["rate"] / sos, f"{share(line['rate'], products, machine, line['mhz']):.0f} %",
        )  # fmt: skip
    table.notes = ["CGBN is quoted, not run.", *paper.notes("Figure 12")]
    return table


TABLES = {"1": operations, "2": issue, "3": machine_code, "fig12": multiplication}
