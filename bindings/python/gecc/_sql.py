"""Statements of SQL for DuckDB: the macros that people call, which give a function of Python its columns as it takes them."""

from __future__ import annotations

from typing import Any, Iterator

from ._constants import HASHES
from ._description import CONTENTS, NAMES, Column, Operation, has_rules, parameters_of
from ._signature import optional, required

_INTEGERS = "('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'UHUGEINT')"


def is_one_byte(operation: Operation, column: Column) -> bool:
    """Whether rows of a column have one byte, whatever is selected: numbers, which SQL has integers for."""
    samples: dict[str, Any] = {"curve": operation.curves and operation.curves[0], "hash": next(iter(HASHES)), "modulus": 3}
    return operation.widths(column, parameters_of(operation, samples[operation.selector])).listed == (1,)


def type_of(operation: Operation, column: Column, number: str = "UTINYINT") -> str:
    """The type of a column's values, which is `number` for those of one byte."""
    return number if is_one_byte(operation, column) else "BLOB"


def _is_text(name: str) -> str:
    return f"(typeof({name}) = 'VARCHAR' OR starts_with(typeof({name}), 'ENUM'))"


def _refusal(column: Column, wanted: str) -> str:
    return f"""error('{column.name}: ' || typeof("{column.name}") || ', where {wanted} is wanted')"""


def _value(operation: Operation, column: Column) -> str:
    """The argument of a column as the function takes it. Types are known when a query is planned, and one branch is left then."""
    name = f'"{column.name}"'
    is_null = f"typeof({name}) = '\"NULL\"'"
    if is_one_byte(operation, column):
        # Text is cast where it is digits alone: a cast rounds.
        number = f"TRY_CAST({name} AS BIGINT)"
        digits = f"CASE WHEN regexp_full_match({name}::VARCHAR, '[0-9]{{1,9}}') THEN {number} WHEN {name} IS NOT NULL THEN -1 END"
        integer = f"CASE WHEN {name} IS NOT NULL THEN coalesce({number}, -1) END"
        return (f"CASE WHEN typeof({name}) IN {_INTEGERS} OR {is_null} THEN {integer} WHEN {_is_text(name)} THEN {digits} "
                f"ELSE {_refusal(column, 'an integer')} END")
    blob = f"CASE WHEN typeof({name}) = 'BLOB' OR {is_null} THEN TRY_CAST({name} AS BLOB)"
    text = f"WHEN {_is_text(name)} THEN encode({name}::VARCHAR)"
    if column.kind in CONTENTS:
        wanted = f"BLOB, which encode({column.name}) makes of text and unhex({column.name}) of hexadecimal digits,"
        return f"{blob} ELSE {_refusal(column, wanted)} END"
    if column.kind == "Ethereum number":
        digits = f"CASE WHEN starts_with({name}::VARCHAR, '-') THEN '-' WHEN {name} IS NOT NULL THEN '0x' || hex({name}) END"
        return (f"{blob} {text} WHEN typeof({name}) IN {_INTEGERS} THEN encode({digits}) "
                f"ELSE {_refusal(column, 'BLOB, an integer or VARCHAR in hexadecimal')} END")
    return f"{blob} {text} ELSE {_refusal(column, 'BLOB or VARCHAR in hexadecimal')} END"


def _text_mark(operation: Operation, column: Column) -> Iterator[str]:
    """What tells the function that values are text which stands for bytes."""
    if is_one_byte(operation, column) or column.kind in (*CONTENTS, *NAMES):
        return
    name = f'"{column.name}"'
    numbers = f" OR typeof({name}) IN {_INTEGERS}" if column.kind == "Ethereum number" else ""
    yield f"CASE WHEN {_is_text(name)}{numbers} THEN '{column.name}:text' END"


def _literal_mark(name: str) -> str:
    """What tells the function that the same is selected for all rows. The alias of a literal is that as it is written."""
    alias = f'alias("{name}")'
    return f"CASE WHEN starts_with({alias}, '''') OR {alias} = 'NULL' THEN 'literal' END"


def macros(operation: Operation, name: str, inner: str, token: str) -> Iterator[str]:
    """Statements that define the two functions of an operation. inner: the name of that of Python, whose first argument has all
    that is not a column; token: what it knows its callers by."""
    values = [operation.selector] if operation.takes_selector else []
    texts = ["nonce_hash"] * operation.takes_nonce_hash + ["point_format"] * operation.takes_point_format
    texts += ["accept"] * has_rules(operation)
    may_be_given = [column.name for column in optional(operation)]
    parameters = [f'"{parameter}"' for parameter in (*values, *(column.name for column in required(operation)))]
    counts = ["output_bytes"] * operation.takes_output_bytes
    parameters += [f'"{parameter}" := NULL' for parameter in (*may_be_given, *texts, *counts)]
    parameters += [f'"{flag}" := false' for flag in operation.flags]
    call = [f"'token={token}'" if token else "''"]
    call += [f"""'{value}=' || hex("{value}")""" for value in (*values, *texts)]
    call += [f"""'{value}=' || CAST("{value}" AS UINTEGER)""" for value in counts]
    call += [_literal_mark(value) for value in values]
    call += [f"""CASE WHEN "{flag}" THEN '{flag}' END""" for flag in operation.flags]
    call += [f"""CASE WHEN "{given}" IS NOT NULL THEN '{given}' END""" for given in may_be_given]
    call += [mark for column in operation.inputs for mark in _text_mark(operation, column)]
    arguments = "".join(f", {_value(operation, column)}" for column in operation.inputs)
    called = f"{inner}(concat_ws(' ', {', '.join(call)}){arguments})"
    # The list has the function called once, whatever the optimizer does.
    result = f"list_transform([{called}], lambda row: CASE WHEN row.error IS NULL THEN row.result ELSE error(row.error) END)[1]"
    for macro, value in ((name, result), (f"{name}_status", f"struct_extract({called}, 'status')")):
        yield f"CREATE OR REPLACE TEMP MACRO {macro}({', '.join(parameters)}) AS {value}"
