"""The paper's figures, drawn as it draws them: bars of what each technique adds, rates by batch size; there and here."""

import textwrap

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "gecc", "font.family": "sans-serif", "font.size": 8})
from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter  # noqa: E402

PAPER, HERE, OURS = "#b4652f", "#2b5c8a", "#333333"
WAYS = ("#b4652f", "#2b5c8a", "#5f9e4d", "#8a5ba8")


def finish(figure, axes, title, path):
    axes.set_title(title, fontsize=9, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)


def bars(table, names, there, here, unit, path):
    """Two bars a row, of the paper's ratio and of the one here; a row without one has a single bar."""
    figure, axes = pyplot.subplots(figsize=(1 + len(names), 3))
    for series, offset, colour, label in ((there, -0.2, PAPER, "paper"), (here, 0.2, HERE, "here")):
        known = [(i + offset, value) for i, value in enumerate(series) if value is not None]
        axes.bar([x for x, _ in known], [value for _, value in known], 0.38, color=colour, label=label)
        for x, value in known:
            axes.annotate(f"{value:.2f}", (x, value), ha="center", va="bottom", fontsize=7)
    axes.set_xticks(range(len(names)), [textwrap.fill(name, 13, break_on_hyphens=False) for name in names], fontsize=7)
    axes.set_ylabel(unit)
    finish(figure, axes, f"{table.name}: {table.title}", path)


def curves(table, column, path):
    """Rates by batch size: a colour for each way, dashed where they are the paper's."""
    figure, axes = pyplot.subplots(figsize=(4.6, 3))
    rows = [row for row in table.values if row["column"] == column]
    for colour, way in zip(WAYS, dict.fromkeys(row["way"] for row in rows)):
        own = [row for row in rows if row["way"] == way]
        powers = [row["power"] for row in own]
        axes.plot(powers, [row["here"] / 1e6 for row in own], marker="o", markersize=4, color=colour, label=f"{way}, here")
        if own[0]["there"] is not None:
            there = [row["there"] / 1e6 for row in own]
            axes.plot(powers, there, marker="x", linestyle="--", color=colour, label=f"{way}, A100")
    ours = {row["power"]: row["ours"] / 1e6 for row in rows}
    axes.plot(list(ours), list(ours.values()), marker="s", markersize=4, color=OURS, label="ours, secret, here")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"$2^{{{x:.0f}}}$"))
    axes.set_xlabel("rows for a scheduler")
    axes.set_ylabel("million a second")
    finish(figure, axes, f"{table.name}: {column}", path)


def draw(module, tables, folder):
    """Every figure that the paper's module names in FIGURES and CURVES and whose table was made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (there, here, unit) in module.FIGURES.items():
        if table := tables.get(name):
            series = [[row[at] for row in table.rows] for at in (0, there, here)]
            bars(table, *series, unit, folder / f"{name}.svg")
    for name, columns in module.CURVES.items():
        if table := tables.get(name):
            for column in columns:
                curves(table, column, folder / f"table{name}-{column}.svg")
