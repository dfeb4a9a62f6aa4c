"""The paper's figures, drawn as it draws them: bars of what each technique adds, there and here."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

PAPER, HERE = "#b4652f", "#2b5c8a"


def bars(table, row_names, there, here, unit, path):
    """Two bars a row, of the paper's ratio and of ours; a row without one has a single bar."""
    figure, axes = pyplot.subplots(figsize=(1.6 + 1.1 * len(row_names), 3.6))
    for series, offset, colour, label in ((there, -0.2, PAPER, "paper"), (here, 0.2, HERE, "here")):
        known = [(i + offset, value) for i, value in enumerate(series) if value is not None]
        axes.bar([x for x, _ in known], [value for _, value in known], 0.38, color=colour, label=label)
        for x, value in known:
            axes.annotate(f"{value:.2f}", (x, value), ha="center", va="bottom", fontsize=7)
    axes.set_xticks(range(len(row_names)), row_names, rotation=25, ha="right", fontsize=8)
    axes.set_ylabel(unit)
    axes.set_title(f"{table.name}: {table.title}", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)


def lines(table, column, path):
    """Rates by batch size: a line for each way of a table whose rows are `way, column, 2^power`."""
    figure, axes = pyplot.subplots(figsize=(5.2, 3.6))
    ways = {}
    for row in table.values:
        ways.setdefault(row["way"], []).append(row)
    for way, rows in ways.items():
        rows = [row for row in rows if row["column"] == column]
        powers = [row["power"] for row in rows]
        axes.plot(powers, [row["here"] / 1e6 for row in rows], marker="o", label=f"{way}, here")
        axes.plot(powers, [row["there"] / 1e6 for row in rows], marker="x", linestyle="--", label=f"{way}, paper")
    rows = [row for row in table.values if row["column"] == column]
    ours = {row["power"]: row["ours"] for row in rows}
    axes.plot(list(ours), [rate / 1e6 for rate in ours.values()], marker="s", color="#333333", label="ours, secret")
    axes.set_xlabel("rows for a scheduler, 2^")
    axes.set_ylabel(f"{column}, million a second")
    axes.set_yscale("log")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=7)
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)


def draw(module, tables, folder):
    """Every figure that the paper's module names in FIGURES and whose table was made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (there, here, unit) in module.FIGURES.items():
        if table := tables.get(name):
            series = [[row[at] for row in table.rows] for at in (0, there, here)]
            bars(table, *series, unit, folder / f"{name}.svg")
    for name, columns in module.CURVES.items():
        for column in columns:
            if table := tables.get(name):
                lines(table, column, folder / f"table{name}-{column}.svg")
