"""Tables of the paper on operands in different memories (Giorgi et al. 2009): its own numbers, its algorithms here, and ours."""

from paper import here, per_clock
from tables import Table, rate

BITS = (160, 192, 224, 256, 384)
OPERATIONS = ("add", "multiply")
MEMORIES = ("local", "shared", "register")
NANO, MICRO = 1e9, 1e6


def lines(machine):
    return machine.named("memories")


def memories(paper, machine):
    """Table 1: sums and products in local memory, shared memory and registers."""
    seen = lines(machine)
    table = Table("Table 1", "sums and Montgomery products a second, any odd modulus, by memory of the operands", [
        "operation, memory, bits", "ns, there", "there", "scaled here", "its way here, 64 blocks of 16", "its way here",
        "to registers, there", "to registers, here", "ours, 64 blocks of 16", "ours", "ours / its way", "ours / scaled",
        "ours, per SM and MHz",
    ])  # fmt: skip
    for operation in OPERATIONS:
        for memory in MEMORIES:
            for bits in BITS:
                figure, fastest = (paper.figure("Table 1", str(bits), f"{operation} {m}") for m in (memory, "register"))
                few, full, in_registers = (seen[f"{operation}_{name}"] for name in (
                    f"{memory}_{bits}_few", f"{memory}_{bits}", f"register_{bits}"))  # fmt: skip
                ours_few, ours = (seen[f"{operation}_ours_{bits}{few_or_not}"] for few_or_not in ("_few", ""))
                there = NANO / figure.value
                scaled = there * here(figure, machine, full["mhz"]) / figure.value
                table.add(
                    f"{operation}, {memory}, {bits}", figure.number, rate(there), rate(scaled), rate(few["rate"]),
                    rate(full["rate"]), fastest.value / figure.value, full["rate"] / in_registers["rate"],
                    rate(ours_few["rate"]), rate(ours["rate"]), ours["rate"] / full["rate"], ours["rate"] / scaled,
                    f"{per_clock(ours['rate'], machine.multiprocessors, ours['mhz']):,.0f}",
                )  # fmt: skip
    table.notes = [
        "ns: of all threads together. Scaled: by 16 multiprocessors at 1,500 MHz, whose multipliers take 24 bits.",
        "64 blocks of 16 threads, as there, leave most of this GPU idle; else each multiprocessor has 64 blocks of 64.",
        "In memory: digits of 16 bits, and loops. In registers: words of 32 bits, no loops, carries by comparisons. Ours: limbs "
        "of 32 bits and the carry flag; 160 and 224 bits run in the code for 192 and 256.",
        *paper.notes("Table 1"),
    ]
    return table


def processors(paper, machine):
    """Table 2: the same beside mpFq on a CPU."""
    seen = lines(machine)
    table = Table("Table 2", "sums and products a second beside those of a processor", [
        "operation, bits", "mpFq, Core 2 Duo, there", "best there", "best / mpFq, there", "its way here, best", "ours",
    ])  # fmt: skip
    for operation in OPERATIONS:
        for bits in BITS:
            mpfq = paper.figure("Table 2", str(bits), f"{operation} mpFq").value
            best = min(paper.figure("Table 1", str(bits), f"{operation} {memory}").value for memory in MEMORIES)
            found = max(seen[f"{operation}_{memory}_{bits}"]["rate"] for memory in MEMORIES)
            table.add(
                f"{operation}, {bits}", rate(NANO / mpfq), rate(NANO / best), mpfq / best, rate(found),
                rate(seen[f"{operation}_ours_{bits}"]["rate"]),
            )  # fmt: skip
    table.notes = ["mpFq is quoted, not run.", *paper.notes("Table 2")]
    return table


def formulas(paper, machine):
    """Tables 3 and 4: sums and doublings of points in Jacobian coordinates."""
    seen = machine.named("any_curve")
    table = Table("Tables 3 and 4", "sums and doublings of points a second, any curve, by memory of the numbers", [
        "formula, memory, bits", "us, there", "there", "mpFq, there", "scaled here", "its way here, 64 blocks of 16",
        "its way here", "its way / scaled",
    ])  # fmt: skip
    for formula in ("addition", "doubling"):
        for memory in MEMORIES:
            for bits in BITS:
                figure, mpfq = paper.figure("Table 3", str(bits), f"{formula} {memory}"), paper.figure(
                    "Table 4", str(bits), f"{formula} mpFq")  # fmt: skip
                few, full = (seen[f"{formula}_{memory}_{bits}{few_or_not}"] for few_or_not in ("_few", ""))
                there = figure and MICRO / figure.value
                scaled = figure and there * here(figure, machine, full["mhz"]) / figure.value
                table.add(
                    f"{formula}, {memory}, {bits}", figure and figure.number, figure and rate(there),
                    rate(MICRO / mpfq.value), figure and rate(scaled), rate(few["rate"]), rate(full["rate"]),
                    figure and full["rate"] / scaled,
                )  # fmt: skip
    table.notes = [
        "In registers the paper's compiler had none left from 224 bits on. Its doubling takes 9 products, here 10.",
        "64 blocks of 16 threads, as there, leave most of this GPU idle; else each multiprocessor has 16 blocks of 32.",
    ]
    return table


def multiplications(paper, machine):
    """Table 5: k P from the right."""
    seen = machine.named("any_curve")
    table = Table("Table 5", "multiplications of points a second, any curve, from the right, in shared memory", [
        "bits", "mpFq, there", "there", "there / mpFq", "scaled here", "its way here, 64 blocks of 16", "its way here",
        "its way / scaled",
    ])  # fmt: skip
    for bits in BITS:
        figure, mpfq = (paper.figure("Table 5", str(bits), column) for column in ("GPU", "mpFq"))
        few, full = (seen[f"from_right_{bits}{few_or_not}"] for few_or_not in ("_few", ""))
        scaled = here(figure, machine, full["mhz"])
        table.add(
            str(bits), rate(mpfq.value), rate(figure.value), figure.value / mpfq.value, rate(scaled), rate(few["rate"]),
            rate(full["rate"]), full["rate"] / scaled,
        )  # fmt: skip
    table.notes = ["Scalars are random. What the library takes for its own curves is in docs/performance.md."]
    return table


def forms(paper, machine):
    """3.3: k P by non-adjacent forms."""
    seen = machine.named("any_curve")
    table = Table("3.3", "multiplications of points a second by non-adjacent forms, to those from the right", [
        "bits", "from the right", "w = 2", "w = 2, packed", "w = 3", "w = 3, packed", "w = 3 / w = 2",
    ])  # fmt: skip
    for bits in BITS:
        right, *found = (
            seen[f"{kind}_{bits}"]["rate"] for kind in ("from_right", "form_2", "form_2_packed", "form_3", "form_3_packed")
        )
        table.add(str(bits), rate(right), *(rate(value) for value in found), found[2] / found[0])
    table.notes = ["In shared memory, digits in local memory. The paper has 1.1 for the last column, and no gain by packing."]
    return table


TABLES = {"1": memories, "2": processors, "3": formulas, "5": multiplications, "3.3": forms}
FIGURES, CURVES = {}, {}
