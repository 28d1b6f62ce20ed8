"""Template arguments that are computed from others: `N == 7 && sizeof(T) > 4`, without a substitution."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....lang.ctype import BOOL, ULONG, VOID, Scalar, Struct, is_integer
from ....source import NOWHERE
from ....tree.nodes import Constant
from ...parse import cxx
from ..qualified import Qualified
from ..scopes import Bindings, TemplateArgument
from .partial_ordering import StandInValue

# Finds a template argument from those of the function template; None where that is not known or not simple.
Evaluate = Callable[[Bindings], TemplateArgument | None]

_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip


def parameter_value(param: cxx.TemplateParameter) -> Evaluate:
    name = param.name_key

    def evaluate(bindings: Bindings) -> TemplateArgument | None:
        value = bindings.get(name)
        return None if isinstance(value, StandInValue | tuple) else value

    return evaluate


def is_enumerator(value: Constant) -> bool:
    return isinstance(value.type, Scalar) and value.type.enum is not None


def _integer(value: TemplateArgument | None) -> int | None:
    """Return the number that an argument is, if it is an integer and of no enumeration."""
    if not isinstance(value, Constant) or not isinstance(value.value, int) or is_enumerator(value):
        return None
    return value.value if is_integer(value.type) or value.type == BOOL else None


def binary_value(op: str, left: Evaluate, right: Evaluate) -> Evaluate | None:
    """Compile a comparison, or `&&` and `||`."""
    compare = _COMPARE.get(op)
    if compare is None and op not in ("&&", "||"):
        return None

    def evaluate(bindings: Bindings) -> TemplateArgument | None:
        first, second = left(bindings), right(bindings)
        one, other = _integer(first), _integer(second)
        if one is None or other is None:
            return None
        assert isinstance(first, Constant) and isinstance(second, Constant)
        if compare is None:
            value = bool(one) and bool(other) if op == "&&" else bool(one) or bool(other)
        elif first.type == second.type or (one >= 0 and other >= 0):  # no conversion changes either
            value = compare(one, other)
        else:
            return None
        return Constant(first.span, BOOL, value)

    return evaluate


def not_value(operand: Evaluate) -> Evaluate:
    def evaluate(bindings: Bindings) -> TemplateArgument | None:
        value = operand(bindings)
        number = _integer(value)
        return Constant(value.span, BOOL, not number) if isinstance(value, Constant) and number is not None else None

    return evaluate


def size_value(operand: Evaluate) -> Evaluate:
    def evaluate(bindings: Bindings) -> TemplateArgument | None:
        value = operand(bindings)
        if not isinstance(value, Qualified) or value.reference or not isinstance(value.type, Scalar | Struct):
            return None
        if value.type == VOID or (isinstance(value.type, Struct) and value.type.fields is None):
            return None
        return Constant(NOWHERE, ULONG, value.type.size)

    return evaluate
