"""Tables of the paper on products by rows of halves (Zheng et al. 2014): its own numbers, its algorithms here, and ours."""

from paper import here, per_clock, share
from tables import Table, rate

PRODUCTS = {"product": 64, "multiply": 64, "product_square": 36, "square": 36}  # whole, of 32 by 32 bits
ROWS = {"multiplication": "product", "modular multiplication": "multiply", "square": "product_square",
        "modular square": "square"}  # fmt: skip
HALF = "product_half_rows"  # 256 by 128 bits
OURS = {"multiply": "multiply_sm2", "square": "square_sm2"}  # in Montgomery form
CURVE = {"simple, rows": "upmul_simple_rows", "simple, our arithmetic": "upmul_simple_ours", "ours, secret scalars": "upmul_secret",
         "ours, public scalars": "upmul_public"}  # fmt: skip
POWER = 13  # of rows for each scheduler


def lines(machine):
    names = [f"{kernel}_{way}" for kernel in ROWS.values() for way in ("schoolbook", "rows", "whole")] + [HALF]
    return machine.named("halves", "--names", ",".join([*names, *OURS.values()]))


def products(paper, machine):
    """Table 1: products and squares of 256 bits, alone and modulo SM2's prime."""
    seen = lines(machine)
    table = Table("Table 1", "products and squares of 256 bits a second, in registers", [
        "", "traditional, there", "proposed, there", "proposed / traditional, there", "proposed, scaled here",
        "traditional, here", "proposed, here", "proposed / traditional, here", "ours", "ours / proposed", "ours / scaled",
        "share of the multiplier, there", "proposed, here", "ours",
    ])  # fmt: skip
    limit = paper.figure("Table 2", "Zheng", "Int Mul").value / 2
    for row, kernel in ROWS.items():
        there = {way: paper.figure("Table 1", row, way) for way in ("traditional", "proposed")}
        schoolbook, rows, whole = (seen[f"{kernel}_{way}"] for way in ("schoolbook", "rows", "whole"))
        ours = seen[OURS[kernel]] if kernel in OURS else whole
        scaled = here(there["proposed"], machine, rows["mhz"])
        table.add(
            row, *(rate(figure.value) for figure in there.values()), there["proposed"].value / there["traditional"].value,
            rate(scaled), rate(schoolbook["rate"]), rate(rows["rate"]), rows["rate"] / schoolbook["rate"],
            rate(ours["rate"]), ours["rate"] / rows["rate"], ours["rate"] / scaled,
            f"{100 * there['proposed'].value * PRODUCTS[kernel] / limit:.0f} %",
            *(f"{share(line['rate'], PRODUCTS[kernel], machine, line['mhz']):.0f} %" for line in (rows, ours)),
        )  # fmt: skip
    table.notes = [
        "Traditional: whole products, each with an addition of its own. Proposed: by algorithms 1 and 2. Both modular with the "
        "reduction of Solinas, in plain representation.",
        "Ours: whole products in two carry chains, modular with Montgomery's reduction by additions; with that of Solinas "
        f"{rate(seen['multiply_whole']['rate'])} products and {rate(seen['square_whole']['rate'])} squares.",
        "Products alone: the next is that of the lower xor the upper half, eight instructions more.",
        f"256 by 128 bits, by algorithm 1: {rate(seen[HALF]['rate'])} products, {seen[HALF]['rate'] / seen['product_rows']['rate']:.2f} "
        "times those of 256 by 256; the next is that of the lower 256 bits xor the upper ones.",
    ]
    return table


def additions(paper, machine):
    """Figure 3: how many additions hide behind 128 multiplications."""
    ratios = {0: "", 16: "_with_quarter_iadd3_x", 32: "_with_half_iadd3_x", 64: "_with_iadd3_x", 128: "_with_two_iadd3_x",
              256: "_with_four_iadd3_x"}  # fmt: skip
    seen = machine.issue()
    alone = seen["imad_wide_x", 8]["cycles_a"]
    table = Table("Figure 3", "64 whole products, which are 128 multiplications there, with so many additions", [
        "additions", "cycles of a scheduler", "to none",
    ])  # fmt: skip
    for count, suffix in ratios.items():
        cycles = seen[f"imad_wide_x{suffix}", 8]["cycles_a"]
        table.add(str(count), 64 * cycles, cycles / alone)
    table.notes = [
        "Eight warps on each scheduler; all carry. The paper draws a line that is flat up to 128 additions and rises from "
        "there, and gives no numbers."
    ]
    return table


def points(machine):
    """Multiplications of a point, by their names in CURVE."""
    size, names = ("--per-scheduler", f"{POWER}-{POWER}"), list(CURVE.values())
    seen = machine.named("points", "--names", ",".join(names[:2]), *size)
    return seen | machine.named("ours", "--names", ",".join(names[2:]), *size)


def capability_of(machine):
    """Multiplications and additions a multiprocessor and clock, clocks a second, and pairs of the two a second."""
    issue = machine.issue()
    multiplier = 2 * machine.multiplier()
    adder = multiplier / 2 * issue["imad_wide_x", 8]["cycles_a"] / issue["iadd3_x", 8]["cycles_a"]
    clock = machine.multiprocessors * issue["imad_wide_x", 8]["mhz"] * 1e6
    return multiplier, adder, clock, clock / (1 / multiplier + 1 / adder)


def multiplications(paper, machine):
    """Curve: multiplication of a point by a thread (section 4.2)."""
    seen, there = points(machine), paper.figure("Table 2", "Zheng", "Curve")
    mhz = seen[CURVE["simple, rows"]]["mhz"]
    scaled, simple = here(there, machine, mhz), seen[CURVE["simple, rows"]]["rate"]
    zheng = paper.figure("Table 2", "Zheng", "Int Capability").value / capability_of(machine)[-1]
    table = Table("Curve", "k P a second on SM2's curve", [
        "way", "a second", "by equation 2", "per SM and MHz", "to the paper's, scaled here", "to simple, rows",
    ])  # fmt: skip
    normalised = f"{per_clock(there.value, there.clock, 1):.4g}"
    table.add("Zheng, GTX Titan", rate(there.value), rate(there.value), normalised, None, None)
    table.add("the same, scaled here", rate(scaled), None, normalised, 1.0, scaled / simple)
    for name, kernel in CURVE.items():
        value = seen[kernel]["rate"]
        normalised = f"{per_clock(value, machine.multiprocessors, mhz):.4g}"
        table.add(name, rate(value), rate(value * zheng), normalised, value / scaled, value / simple)
    table.notes = [
        f"Scaled by multiprocessors and MHz. 2^{POWER} rows for each scheduler.",
        "Simple: doubles and adds in Jacobian coordinates from the highest bit on, a thread for each row, an inversion for each by "
        "Fermat's theorem; the paper says no more than that it is simple. Rows: the paper's products, squares and the reduction of "
        "Solinas, in plain representation.",
        "Ours: secret scalars take equally long for every value, public ones need not.",
    ]
    return table


def platforms(paper, machine):
    """Table 2: what GPUs can do, and what was made of it."""
    seen = lines(machine)
    columns = ["multiplications", "additions", "Int Mul", "Int Add", "Int Capability", "MulMod", "MulMod scaled", "SqrMod",
               "Curve", "Curve scaled"]  # fmt: skip
    table = Table("Table 2", "integer capability of GPUs, and operations a second", [
        "", "bits", "any modulus", *(column.replace("scaled", "by equation 2") for column in columns), "MulMod, per SM and MHz",
    ])  # fmt: skip
    for row in paper.rows("Table 2"):
        def number(column):
            return paper.figure("Table 2", row, column)

        cells = [number(c) and (rate(number(c).value) if number(c).unit == "1/s" else number(c).number) for c in columns]
        multiplied = number("MulMod")
        normalised = multiplied and f"{per_clock(multiplied.value, multiplied.clock, 1):,.0f}"
        generic = "yes" if number("generic").value else "no"
        table.add(f"{row}, {number('bits').gpu}", number("bits").number, generic, *cells, normalised)
    multiplier, adder, clock, capability = capability_of(machine)
    for name, kernels in {"rows, here": ("multiply_rows", "square_rows"), "ours, here": tuple(OURS.values())}.items():
        mul, sqr = (seen[kernel] for kernel in kernels)
        zheng = paper.figure("Table 2", "Zheng", "Int Capability").value
        table.add(
            name, 256, "no", multiplier, adder, *(rate(value) for value in (multiplier * clock, adder * clock, capability)),
            rate(mul["rate"]), rate(mul["rate"] * zheng / capability), rate(sqr["rate"]), None, None,
            f"{per_clock(mul['rate'], machine.multiprocessors, mul['mhz']):,.0f}",
        )  # fmt: skip
    table.notes = [
        "Multiplications and additions: a multiprocessor and clock; here a whole product counts as two, and additions carry.",
        "Int Capability: pairs of a multiplication and an addition. Equation 2: to the GTX Titan's, to 256 bits, and doubled for "
        "any modulus.",
        "Curve: multiplications of points; those here are in table `curve`.",
        *paper.notes("Table 2"),
    ]
    return table


TABLES = {"1": products, "fig3": additions, "2": platforms, "curve": multiplications}
FIGURES, CURVES = {}, {}
