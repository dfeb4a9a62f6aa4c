"""Tables as text and as Markdown."""


def rate(value):
    """A rate with a unit that leaves three or four digits."""
    for unit, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("K", 1e3)):
        if value >= scale:
            return f"{value / scale:.4g} {unit}"
    return f"{value:.4g}"


def cell(value):
    if value is None or value == "":
        return "-"
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


class Table:
    """`rows`: lists of cells, the first of which names the row. `notes` are sentences below it, `values` numbers to draw."""

    def __init__(self, name, title, columns, rows=None, notes=()):
        self.name, self.title, self.columns = name, title, list(columns)
        self.rows, self.notes, self.values = list(rows or []), list(notes), []

    def add(self, *row):
        self.rows.append(list(row))

    def text(self):
        lines = [self.columns, *([cell(value) for value in row] for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        body = ["  ".join([f"{line[0]:<{widths[0]}}", *map("{:>{}}".format, line[1:], widths[1:])]) for line in lines]
        return "\n".join([f"{self.name}: {self.title}", *body, *(f"  {note}" for note in self.notes), ""])

    def markdown(self):
        head = ["| " + " | ".join(self.columns) + " |", "|---" + "|---:" * (len(self.columns) - 1) + "|"]
        body = ["| " + " | ".join(cell(value) for value in row) + " |" for row in self.rows]
        notes = ["", *(f"* {note}" for note in self.notes)] if self.notes else []
        return "\n".join([f"### {self.name}: {self.title}", "", *head, *body, *notes, ""])


def between_markers(text, name, inside):
    """The text with `inside` between the markers of that name, which are comments of Markdown; None: it has none."""
    start, end = f"<!-- {name} -->\n", "<!-- end -->\n"
    before, found, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    return f"{before}{start}\n{inside}\n{end}{after}" if found and closed else None
