"""The package's functions: every operation, on a context that is opened when it is first needed."""

from __future__ import annotations

from ._context import default_context
from ._description import OPERATIONS, Operation
from ._namespaces import attribute, function_of
from ._signature import namespaces

Curve = Hash = PointFormat = OperationName = str


def _function(operation: Operation):
    return function_of(operation, lambda *arguments: default_context()._call(*arguments),
                       lambda *arguments: default_context()._submit(*arguments),
                       lambda *arguments: default_context()._prepare(*arguments))


__all__ = list(namespaces())
globals().update({name: attribute(name, _function) for name in __all__})
