"""What selects among the programs of an operation, for the rows of a table: one curve or hash for all, or a column of names."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import pyarrow as pa

from ._constants import HASHES, Status
from ._description import Operation, curve_named, hash_named, parameters_of
from ._errors import names_shown, shown


def is_text(kind: pa.DataType) -> bool:
    """Whether values of this type are strings."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == _string_view


#: pyarrow has it from version 16 on.
_string_view = pa.string_view() if hasattr(pa, "string_view") else None


class Selectors:
    """What the rows of tables of one schema are selected by. `columns` is told what was taken from it.

    A column of names is used where `columns` says which, and a column of text that is called `curve` in any case; one that is
    called `hash` only where no hash is given, for digests are called so, too. What a row and the call say both has to agree.
    """

    def __init__(self, operation: Operation, schema: pa.Schema, columns: dict[str, Any], **given: Any) -> None:
        if operation.selector == "keys":
            raise ValueError(f"operation: {operation.name} takes a gecc.Keys, which a table's rows cannot be given")
        self._operation = operation
        #: That of all rows; None: the rows say it.
        self.given = _given(operation, given)
        self._column = self._find(schema, columns)
        if self.given is None and self._column is None and operation.takes_selector:
            raise TypeError(f"{operation.selector}: {operation.name} needs one" + (
                f", or a column of names, as in columns={{{operation.selector!r}: 'name'}}" if self._has_names() else ""))
        alone = None if operation.takes_selector else operation.curves[0]
        #: All that rows can be selected by.
        self.all: tuple[Any, ...] = (self.given,) if self._column is None or self.given is not None or alone else self._choices()

    @property
    def are_by_row(self) -> bool:
        """Whether rows may be selected by different names."""
        return self._column is not None

    def _has_names(self) -> bool:
        return self._operation.selector in ("curve", "hash")

    def _choices(self) -> tuple[str, ...]:
        return self._operation.curves if self._operation.selector == "curve" else tuple(HASHES)

    def _find(self, schema: pa.Schema, columns: dict[str, Any]) -> Optional[str]:
        """The name of the column of names."""
        selector = self._operation.selector
        if not self._has_names():
            return None
        if selector not in columns:
            found = schema.names.count(selector) == 1 and is_text(schema.field(selector).type)
            is_taken = selector in columns.values()
            return selector if found and not is_taken and (selector == "curve" or self.given is None) else None
        name = columns.pop(selector)
        if not isinstance(name, str) or schema.names.count(name) != 1:
            raise ValueError(f"columns: no one column is called {shown(name)}, which {selector} is to be read from: there are "
                             f"{names_shown(schema.names)}")
        if not is_text(schema.field(name).type):
            raise TypeError(f"columns: {name} is of type {schema.field(name).type}, where names of a {selector} are text")
        return name

    def groups(self, data: Union[pa.Table, pa.RecordBatch]) -> tuple[list[tuple[Any, Optional[np.ndarray]]], np.ndarray]:
        """(what selects, numbers of rows) for each call, None: all rows; and a status for each row that is in none, 0 for others."""
        if self._column is None or data.num_rows == 0:
            return [(self.all[0], None)], np.zeros(0, np.uint8)
        places, names = _encoded(data.column(data.schema.get_field_index(self._column)))
        choices = [self._choice(name) for name in names]
        wanted = sorted({choice for choice in choices if isinstance(choice, str)})
        # Of each row, the number of what selects it, or the status that it has instead, below zero.
        numbers = np.array([wanted.index(choice) if isinstance(choice, str) else -int(choice) for choice in choices], np.int64)
        found = numbers[places]
        if len(wanted) == 1 and (found >= 0).all():
            return [(self._selected(wanted[0]), None)], np.zeros(0, np.uint8)
        groups = [(self._selected(name), np.flatnonzero(found == number)) for number, name in enumerate(wanted)]
        return [group for group in groups if len(group[1])], np.where(found < 0, -found, 0).astype(np.uint8)

    def _selected(self, name: str) -> Optional[str]:
        return name if self._operation.takes_selector else None

    def _choice(self, name: Optional[str]) -> Union[str, Status]:
        """What a row with this name is selected by, or its status."""
        alone = None if self._operation.takes_selector else self._operation.curves[0]
        said = self.given or alone
        if name is None:
            return said or Status.NULL
        found = (curve_named if self._operation.selector == "curve" else hash_named)(name)
        if found not in self._choices() or (said and found != said):
            return Status.MALFORMED_SELECTOR
        return str(found)


def _given(operation: Operation, given: dict[str, Any]) -> Any:
    """What the call says for all rows."""
    for name, value in given.items():
        if value is not None and (name != operation.selector or not operation.takes_selector):
            if name == "curve" and curve_named(value) in operation.curves:
                continue
            raise ValueError(f"{name}: means nothing to {operation.name}")
    selected = given[operation.selector]
    if selected is None or not operation.takes_selector:
        return None
    parameters_of(operation, selected)
    return curve_named(selected) if operation.selector == "curve" else hash_named(selected) if operation.selector == "hash" else selected


def _encoded(column: Any) -> tuple[np.ndarray, list[Optional[str]]]:
    """(numbers, names): of each row, the number of its name."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if pa.types.is_dictionary(column.type):
        chunks = [chunk.dictionary_decode() for chunk in chunks]
    chunks = [chunk.cast(pa.large_string()) for chunk in chunks]
    encoded = pa.concat_arrays(chunks or [pa.array([], pa.large_string())]).dictionary_encode()
    names = encoded.dictionary.to_pylist()
    return encoded.indices.fill_null(len(names)).to_numpy(zero_copy_only=False), [*names, None]
