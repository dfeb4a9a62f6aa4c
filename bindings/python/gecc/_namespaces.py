"""Operations as attributes: `ecdsa.verify`, with `.submit` and `.prepare`, made from the description."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any, Callable

from ._description import Operation, rule_flag, with_own_names
from ._signature import documentation, function_name, namespaces, source

_SPACES = namespaces()
_makers: dict[str, Callable] = {}


def _maker(operation: Operation) -> Callable:
    """make(call) of _signature.source, compiled once."""
    if operation.name not in _makers:
        scope: dict[str, Any] = {"rule_flag": rule_flag}
        exec(compile(source(operation), f"<gecc.{operation.name}>", "exec"), scope)
        _makers[operation.name] = scope["make"]
    return _makers[operation.name]


def _taking_other_names(operation: Operation, function: Callable) -> Callable:
    """The function, whose arguments may have their other names, too."""
    @functools.wraps(function)
    def called(*arguments: Any, **named: Any) -> Any:
        return function(*arguments, **(with_own_names(operation, named) if named else named))

    return called


def function_of(operation: Operation, call: Callable, submit: Callable, prepare: Callable) -> Callable:
    """The operation's function. call, submit and prepare: as a context's _call, _submit and _prepare."""
    function = _taking_other_names(operation, _maker(operation)(lambda *arguments: call(operation, *arguments)))
    function.submit = _taking_other_names(operation, _maker(operation)(lambda *arguments: submit(operation, *arguments)))
    if operation.takes_selector:
        function.prepare = lambda selected, rows: prepare(operation, selected, rows)
    else:
        function.prepare = lambda rows: prepare(operation, None, rows)
    for made, name in ((function, function_name(operation)), (function.submit, "submit"), (function.prepare, "prepare")):
        made.__module__, made.__name__ = "gecc", name
        made.__qualname__ = operation.name if made is function else f"{operation.name}.{name}"
    function.__doc__ = documentation(operation)
    function.submit.__doc__ = "The same, at once: gives a gecc.Job, a future that can be awaited.\n\n" + function.__doc__
    function.prepare.__doc__ = "Have made, once, what a call of so many rows would have made first, and wait for it."
    return function


class Operations(SimpleNamespace):
    """Operations of one kind."""

    def __repr__(self) -> str:
        return f"<gecc operations: {', '.join(vars(self))}>"


def attribute(name: str, make: Callable[[Operation], Callable]) -> Any:
    """What `name` is, an operation or a namespace of them."""
    found = _SPACES[name]
    if isinstance(found, Operation):
        return make(found)
    return Operations(**{inner: make(operation) for inner, operation in found.items()})


class Namespaces:
    """What has every operation as an attribute."""

    def _function(self, operation: Operation) -> Callable:
        # The functions of a context keep it open: bound methods of self.
        return function_of(operation, self._call, self._submit, self._prepare)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        if name not in _SPACES:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        found = attribute(name, self._function)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_SPACES})
