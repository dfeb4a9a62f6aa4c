"""The figures that a paper prints: a file of facts, with notes on what contradicts itself."""

import csv
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Figure:
    """One number of a paper; `clock` is multiprocessors times MHz of the GPU that it was measured on, None: not said."""

    def __init__(self, record):
        self.value, self.unit, self.gpu, self.note = float(record["value"]), record["unit"], record["gpu"], record["note"]
        self.products = float(record["products"]) if record["products"] else None
        self.clock = int(record["sms"]) * int(record["mhz"]) if record["sms"] and record["mhz"] else None

    @property
    def number(self):
        return int(self.value) if self.value == int(self.value) else self.value


class Paper:
    def __init__(self, name):
        with open(HERE / f"{name}.csv", encoding="utf-8", newline="") as file:
            self.records = list(csv.DictReader(file))

    def rows(self, table):
        return list(dict.fromkeys(r["row"] for r in self.records if r["table"] == table))

    def figure(self, table, row, column):
        """None: the paper has none."""
        for record in self.records:
            if (record["table"], record["row"], record["column"]) == (table, row, column):
                return Figure(record)
        return None

    def notes(self, table):
        """Of a table, each once."""
        found = dict.fromkeys((r["row"], r["note"]) for r in self.records if r["table"] == table and r["note"])
        return [f"{row}: {note}." for row, note in found]


def here(figure, machine, mhz):
    """What a rate comes to by this GPU's multiprocessors and the clock that was seen. None: not to be said."""
    if figure is None or figure.clock is None:
        return None
    return figure.value * machine.multiprocessors * mhz / figure.clock


def per_clock(rate, multiprocessors, mhz):
    """A rate per multiprocessor and MHz."""
    return rate / (multiprocessors * mhz)


def share(rate, products, machine, mhz):
    """How much of the multiplier a rate of operations with so many products takes, in per cent."""
    return 100 * rate * products / (machine.multiplier() * machine.multiprocessors * mhz * 1e6)
