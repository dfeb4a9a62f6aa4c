"""Tables and figures of the gECC paper: its own numbers, its algorithms here, and ours."""

import itertools
import re
import sys

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
    table = Table("Table 2", "cycles of a scheduler an instruction", [
        "instructions", "dependent, A100", "dependent, here", "independent, A100", "independent, here: a warp", "8 warps",
    ])  # fmt: skip
    for row, stream in streams.items():
        dependent, independent = (paper.figure("Table 2", row, c).number for c in ("dependent", "independent"))
        lone, full = seen[stream, 0]["cycles_a"], seen[stream, 8]["cycles_a"]
        table.add(row, dependent, seen[f"{stream}_dependent", 0]["cycles_a"], independent, lone, full)
    for row, stream in pairs.items():
        paired = 2 * paper.figure("Table 2", row, "interval").number
        table.add(f"{row}, both", None, None, paired, seen[stream, 0]["cycles_a"], seen[stream, 8]["cycles_a"])
    for row, stream in {"IMAD": "imad", "IMAD.HI": "imad_hi", "LOP3": "lop3"}.items():
        dependent, lone, full = (seen[key]["cycles_a"] for key in ((f"{stream}_dependent", 0), (stream, 0), (stream, 8)))
        table.add(row, None, dependent, None, lone, full)
    ratios = {"0": "", "1/4": "_with_quarter_iadd3_x", "1/2": "_with_half_iadd3_x", "1": "_with_iadd3_x",
              "2": "_with_two_iadd3_x", "4": "_with_four_iadd3_x"}  # fmt: skip
    for ratio, suffix in ratios.items():
        stream = f"imad_wide_x{suffix}"
        lone, full = (seen[stream, warps]["cycles_a"] for warps in (0, 8))
        table.add(f"IMAD.WIDE.X and {ratio} IADD3.X", None, None, None, lone, full)
    table.notes = [
        f"W, whole products a multiprocessor and clock: {machine.multiplier():.2f}.",
        "Two instructions with a +, and those with so many IADD3.X: cycles of the first with its share of the second.",
        "A warp: the only one on the GPU. 8 warps: on each scheduler, with all multiprocessors at work.",
        "X: with a carry, and all of a warp are one chain. So a single warp waits for the carry, 'independent' or not, and 8 "
        "warps show what the pipes take.",
    ]
    return table


def machine_code(paper, machine):
    """Table 3: instructions of a modular multiplication. Takes nvdisasm."""
    columns = ["total", "DFMA", "DADD", "IMAD", "IADD3", "SHFL"]
    table = Table("Table 3", "machine instructions of a modular multiplication, 256 bits", ["", *columns, "of IMAD, wide"])
    for row in paper.rows("Table 3"):
        figures = [paper.figure("Table 3", row, column) for column in columns]
        table.add(f"{row} (paper)", *(figure and figure.number for figure in figures), None)
    counts = machine.opcodes()
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
        table.add(name, *(counts[kernel].get(column, 0) for column in columns), counts[kernel]["IMAD.WIDE"])
    table.notes = ["Loops around one operation; their own two or three instructions included.", *paper.notes("Table 3")]
    return table


def multiplication(paper, machine):
    """Figure 12."""
    seen = machine.named("multiply")
    table = Table("Figure 12", "modular multiplications a second in registers, 256 bits", [
        "", "to CGBN-1, A100", "to SOS, A100", "here", "to SOS, here", "per SM and MHz", "share of the multiplier",
    ])  # fmt: skip
    sos = {"multiply": seen["multiply_any_apart"]["rate"], "square": seen["square_any_apart"]["rate"]}
    rows = {
        "CGBN-4": None, "CGBN-1": None, "SOS": "multiply_any_apart", "gECC": "multiply_sm2_pairs",
        "ours, any odd modulus": "multiply_any", "ours, SM2's prime": "multiply_sm2",
        "squares: SOS": "square_any_apart", "squares: gECC": "square_sm2_pairs",
        "squares: ours, any odd modulus": "square_any", "squares: ours, SM2's prime": "square_sm2",
    }  # fmt: skip
    for row, kernel in rows.items():
        figure = paper.figure("Figure 12", row, "A100")
        quoted = figure and figure.number
        to_sos = figure and figure.value / paper.figure("Figure 12", "SOS", "A100").value
        if kernel is None:
            table.add(row, quoted, to_sos, None, None, None, None)
            continue
        line, operation = seen[kernel], kernel.split("_")[0]
        products = PRODUCTS[operation] + (REDUCTION if "any" in kernel else 0)
        table.add(
            row, quoted, to_sos, rate(line["rate"]), line["rate"] / sos[operation],
            f"{per_clock(line['rate'], machine.multiprocessors, line['mhz']):,.0f}",
            f"{share(line['rate'], products, machine, line['mhz']):.0f} %",
        )  # fmt: skip
    table.notes = [
        "SOS: any odd modulus, the product and then its reduction. gECC: SM2's prime, by equation 5.",
        "Squares are to the square by SOS. CGBN is quoted, not run.",
        *paper.notes("Figure 12"),
    ]
    return table


def widths(paper, machine):
    """4.1.3."""
    seen = machine.named("multiply")
    columns = {"256 bits": "", "384": "_384", "512": "_512"}
    table = Table("4.1.3", "modular multiplications a second in registers, any odd modulus", ["", *columns])
    rows = {
        "SOS": "multiply_any_apart", "ours": "multiply_any",
        "squares: SOS": "square_any_apart", "squares: ours": "square_any",
    }  # fmt: skip
    for row, kernel in rows.items():
        table.add(row, *(rate(seen[kernel + suffix]["rate"]) for suffix in columns.values()))
    table.notes = ["The paper measures 256 bits alone: figure 12."]
    return table


# Of the paper's ways: multiplications of 8 by 8 limbs, and squares, for a bit and a row.
BITS = 256
COSTS = {"FPMUL": (5, 1), "UPMUL": (11, 3)}


def products(column):
    """Products of 32 by 32 bits that the paper's way takes for a multiplication of a point."""
    multiplications, squares = COSTS[column]
    return BITS * (multiplications * PRODUCTS["multiply"] + squares * PRODUCTS["square"])


def powers(machine):
    """Logarithms of the rows for a scheduler: the paper's 11 to 16, or one."""
    return (12, 12) if machine.quick else (11, 16)


def usual(machine):
    """The size of what is measured at one size: 2^14 rows for a scheduler, where the paper's rates no longer grow."""
    return "12" if machine.quick else "14"


def at_usual(machine, what, names):
    return machine.named(what, "--names", ",".join(names), "--per-scheduler", usual(machine))


SIGN = {
    "RapidEC": "sign_rapid", "RapidEC+OM": "sign_rapid_om", "RapidEC+OM+BI": "sign_rapid_om_bi", "gECC": "sign_gecc",
    "gECC without L2 persistence": "sign_gecc_without_l2",
}  # fmt: skip
VERIFY = {
    "RapidEC": "verify_rapid", "RapidEC+OM": "verify_rapid_om", "RapidEC+OM+BF": "verify_rapid_om_bf",
    "gECC": "verify_gecc", "gECC without L2 persistence": "verify_gecc_without_l2",
}  # fmt: skip


def schemes(machine):
    return at_usual(machine, "points", [*SIGN.values(), *VERIFY.values()])


def ours_at_usual(machine):
    return at_usual(machine, "ours", ["sign_nonce", "verify", "add"])


def signatures(paper, machine):
    """Table 4."""
    theirs = schemes(machine)
    ours = ours_at_usual(machine)
    table = Table("Table 4", "SM2 signatures a second, nonces given", [
        "", "A100", "A100, per SM and MHz", "scaled here", "its way here", "ours", "ours / its way", "ours / scaled",
    ])  # fmt: skip
    for column, best, kernels in (("sign", "sign_nonce", SIGN), ("verify", "verify", VERIFY)):
        for row in ("RapidEC", "gECC", "gECC without L2 persistence"):
            figure, line = paper.figure("Table 4", row.split(" ")[0], column), theirs[kernels[row]]
            scaled, rate_ours = here(figure, machine, line["mhz"]), ours[best]["rate"]
            table.add(
                f"{row}, {column}", figure.number, f"{figure.value / figure.clock:.1f}", rate(scaled), rate(line["rate"]),
                rate(rate_ours), rate_ours / line["rate"], rate_ours / scaled,
            )  # fmt: skip
    table.notes = [
        f"2^{usual(machine)} rows for each scheduler. RapidEC here: its formulas by one thread a row, arithmetic modulo any odd "
        "number.",
        PERSISTENCE,
        "Ours: secret keys and nonces in constant time; it checks each signature's equation before it is written.",
        *paper.notes("Table 4"),
    ]
    return table


TECHNIQUES = {
    "+OM": "OM: the paper's modular arithmetic, where RapidEC has reduction modulo any odd number.",
    "+BI": "BI: inversions shared by a batch.",
    "+BF": "BF: k G by batches of affine additions.",
    "-MO": "-MO: without memory management: each point's numbers together, and nothing kept in the L2 cache.",
    "-KF": "-KF: without kernel fusion: passes for denominators, inverses and sums.",
}
PERSISTENCE = (
    "L2 persistence: the products of Montgomery's trick go to the part of the L2 cache that is set aside, as far as it goes, "
    "and the rest of them stream through."
)


def breakdown(name, column, kernels, measure):
    """A figure of what each technique adds: ratios to its first row, there and here."""

    def make(paper, machine):
        lines, rows = measure(machine), paper.rows(name)
        table = Table(name, make.__doc__.splitlines()[0].split(": ", 1)[1],
                      ["", "A100", "A100, to the first", "here", "here, to the first"])  # fmt: skip
        first, base = paper.figure(name, rows[0], column).value, lines[kernels[rows[0]]]["rate"]
        for row, kernel in kernels.items():
            figure, line = paper.figure(name, row, column), lines[kernel]
            there = figure and figure.unit == "1/s" and figure.number or None
            table.add(row, there, figure and figure.value / first, rate(line["rate"]), line["rate"] / base)
        used = " ".join(rows)
        table.notes = [text for sign, text in TECHNIQUES.items() if sign in used] + [PERSISTENCE] + paper.notes(name)
        return table

    return make


def multiplication_ways(task):
    return {
        "RapidEC+OM": f"{task}_rapid_om", "gECC-MO-KF": f"{task}_gecc_mo_kf", "gECC-MO": f"{task}_gecc_mo",
        "gECC": f"{task}_gecc", "RapidEC": f"{task}_rapid",
        "gECC, what is not kept as normal memory": f"{task}_gecc_rest_normal",
        "gECC without L2 persistence": f"{task}_gecc_without_l2",
        "the same, our arithmetic": f"{task}_gecc_our_arithmetic",
    }  # fmt: skip


def multiplication_lines(task):
    return lambda machine: at_usual(machine, "points", multiplication_ways(task).values())


figure_9 = breakdown("Figure 9", "ratio", SIGN, schemes)
figure_9.__doc__ = "Figure 9: what each technique adds to signing"
figure_10 = breakdown("Figure 10", "ratio", VERIFY, schemes)
figure_10.__doc__ = "Figure 10: what each technique adds to verification"
figure_11a = breakdown("Figure 11(a)", "FPMUL", multiplication_ways("fpmul"), multiplication_lines("fpmul"))
figure_11a.__doc__ = "Figure 11(a): what each technique adds to k G"
figure_11b = breakdown("Figure 11(b)", "UPMUL", multiplication_ways("upmul"), multiplication_lines("upmul"))
figure_11b.__doc__ = "Figure 11(b): what each technique adds to k P"


def point_multiplication(paper, machine):
    """Table 5."""
    ways = {"RapidEC": "rapid_om", "gECC": "gecc", "gECC without L2 persistence": "gecc_without_l2"}
    names = [f"{task}_{way}" for task in ("fpmul", "upmul") for way in ways.values()]
    best = ("fpmul_secret", "fpmul_public", "upmul_secret", "upmul_public")
    least, most = powers(machine)
    ours = machine.sized("ours", "--names", ",".join(best), "--per-scheduler", f"{least}-{most}")
    theirs, known = {}, []
    for power in range(least, most + 1):  # the slowest last: what is measured until then makes a table
        try:
            theirs |= machine.sized("points", "--names", ",".join(names), "--per-scheduler", f"{power}-{power}")
        except Trouble as trouble:
            if not known:
                raise
            print(f"table 5 ends at 2^{known[-1]}: {trouble}", file=sys.stderr)
            break
        known.append(power)
    table = Table("Table 5", "multiplications of points a second, SM2", [
        "rows for a scheduler", "A100", "A100, per SM and MHz", "scaled here", "its way here", "share of the multiplier",
        "ours, secret", "ours, public", "ours, secret / its way", "/ scaled",
    ])  # fmt: skip
    for column, way, power in itertools.product(("FPMUL", "UPMUL"), ways, known):
        figure = paper.figure("Table 5", f"{way.split(' ')[0]} 2^{power}", column)
        line = theirs[f"{column.lower()}_{ways[way]}", power]
        scaled = here(figure, machine, line["mhz"])
        secret, public = (ours[f"{column.lower()}_{secrecy}", power]["rate"] for secrecy in ("secret", "public"))
        table.values.append({
            "way": way, "column": column, "power": power, "there": figure.value if way in ("RapidEC", "gECC") else None,
            "here": line["rate"], "ours": secret,
        })  # fmt: skip
        used = share(line["rate"], products(column), machine, line["mhz"]) if way != "RapidEC" else None
        table.add(
            f"{way}, {column}, 2^{power}", figure.number, f"{figure.value / figure.clock:.1f}", rate(scaled),
            rate(line["rate"]), used and f"{used:.0f} %", rate(secret), rate(public), secret / line["rate"],
            secret / scaled,
        )  # fmt: skip
    table.notes = [
        "FPMUL: k G. UPMUL: k P. RapidEC's way here is RapidEC+OM: its formulas by the paper's arithmetic.",
        "Ours, secret: in constant time, by addresses too; public: scalars that may show in the time.",
        PERSISTENCE,
        *paper.notes("Table 5"),
    ]
    return table


def additions(paper, machine):
    """3.3."""
    names = {
        "section 3.3, products kept in L2": "add_gecc", "what is not kept as normal memory": "add_gecc_rest_normal",
        "without L2 persistence": "add_gecc_without_l2",
    }  # fmt: skip
    theirs, ours = at_usual(machine, "points", names.values()), ours_at_usual(machine)["add"]["rate"]
    table = Table("3.3", "sums of two points a second, rows in and out", ["", "here", "/ ours"])
    for text, name in names.items():
        table.add(text, rate(theirs[name]["rate"]), theirs[name]["rate"] / ours)
    table.add("ours", rate(ours), 1.0)
    table.notes = [
        "Section 3.3 here has our arithmetic, branches where points are equal, opposite or infinity, and keeps a product a sum "
        "between its two passes. Ours selects, and has passes of its own that read points of any encoding and write them.",
        PERSISTENCE,
    ]
    return table


def application(paper, machine):
    """5.5."""
    figures = {row: paper.figure("5.5", row, "transactions") for row in ("FISCO-BCOS", "FISCO-BCOS with gECC")}
    signed = paper.figure("5.5", "FISCO-BCOS", "share of signatures").value
    before, after = (figures[row].value for row in figures)
    verify = ours_at_usual(machine)["verify"]["rate"]
    block, taken = 10_000, 1 - signed
    seconds_before = block / before
    table = Table("5.5", "a blockchain whose signatures take a part of its time", ["", "transactions a second", "speedup"])
    table.add("FISCO-BCOS (paper)", int(before), None)
    table.add("with gECC (paper)", int(after), after / before)
    table.add("bound: signatures take no time", round(before / taken), 1 / taken)
    seconds = taken * seconds_before + block / verify
    table.add("bound: verified by this GPU with ours", round(block / seconds), seconds_before / seconds)
    table.notes = [
        f"Amdahl: 1 / (1 - s + s / a) for the share s = {signed} of signatures. Ours verifies a block of {block:,} in "
        f"{1e3 * block / verify:.2f} ms at the rate of a full GPU. No cluster was run.",
    ]
    return table


def break_even(paper, machine):
    """3.1."""
    lines = {(l["name"], l["batch"]): l for l in machine.run("padd")}
    table = Table("3.1", "additions of points a second, by rows of a thread that share an inversion", [
        "rows of a thread", "affine", "Jacobian", "affine / Jacobian",
    ])  # fmt: skip
    batches = sorted({batch for _, batch in lines})
    pays = "none of these"
    for batch in reversed(batches):
        affine, jacobian = (lines[name, batch]["rate"] for name in ("affine", "jacobian"))
        table.rows.insert(0, [str(batch), rate(affine), rate(jacobian), affine / jacobian])
        pays = batch if affine > jacobian else pays
    figure = paper.figure("3.1", "batch affine PADD", "pays from")
    table.notes = [
        f"By counting operations the paper has affine additions pay from {figure.number} rows on; here from {pays}.",
    ]
    return table


def inversions(paper, machine):
    """2.2."""
    least, most = ("8", "12") if machine.quick else ("8", "14")
    lines = machine.sized("inverse", "--per-scheduler", f"{least}-{most}")
    names = {
        "each_by_fermat": "each row, Fermat", "each_by_steps": "each row, division steps",
        "of_threads": "shared by a thread's rows", "of_blocks": "and by a block's warps", "of_schedulers": "and by a scheduler's warps",
        "one_a_scheduler": "one thread a scheduler (GAS)",
    }  # fmt: skip
    sizes = sorted({power for _, power in lines})
    columns = ["rows for a scheduler", *(f"2^{power}" for power in sizes)]
    table = Table("2.2", "inversions a second modulo SM2's prime", columns)
    for name, text in names.items():
        table.add(text, *(rate(lines[name, power]["rate"]) for power in sizes))
    arithmetic, last = machine.named("multiply"), sizes[-1]
    product, addition = arithmetic["multiply_sm2"]["rate"], arithmetic["add_sm2"]["rate"]
    ratio = lines["each_by_steps", last]["rate"] / lines["each_by_fermat", last]["rate"]
    figure = paper.figure("2.2", "Euclid beside Fermat", "ratio")

    def cost(name):
        return paper.figure("2.2", name, "cost").value

    table.notes = [
        f"Division steps beside Fermat's theorem: {ratio:.2f} times as many; the paper has {figure.number} for Euclid.",
        f"One inversion takes what {product / lines['each_by_steps', last]['rate']:.0f} products take; the paper has "
        f"{cost('modinv') / cost('modmul'):.0f}. A product takes what {addition / product:.1f} additions take; the paper has "
        f"{cost('modmul'):.0f}.",
        "Shared: Montgomery's trick, over a thread's rows, which is section 3.2's data-parallel way; then over the warps of a "
        "block or a scheduler, in shared memory, where 32 lanes invert side by side; GAS multiplies these, too, and one inverts.",
    ]
    return table


TABLES = {
    "1": operations,
    "2": issue,
    "3": machine_code,
    "fig12": multiplication,
    "4.1.3": widths,
    "fig11a": figure_11a,
    "fig11b": figure_11b,
    "4": signatures,
    "fig9": figure_9,
    "fig10": figure_10,
    "5.5": application,
    "2.2": inversions,
    "3.1": break_even,
    "3.3": additions,
    "5": point_multiplication,
}

# Tables of sources and machine code alone, with the images that are counted.
WITHOUT_GPU = {"1": [], "3": ["multiply", "multiply_256"]}

# What is drawn: of a table's columns the paper's ratio, the one here, and what both are to; and rates by batch size.
FIGURES = {
    "fig9": (2, 4, "signatures a second, to the first"),
    "fig10": (2, 4, "verifications a second, to the first"),
    "fig11a": (2, 4, "k G a second, to the first"),
    "fig11b": (2, 4, "k P a second, to the first"),
    "fig12": (2, 4, "multiplications a second, to SOS"),
}
CURVES = {"5": ("FPMUL", "UPMUL")}
