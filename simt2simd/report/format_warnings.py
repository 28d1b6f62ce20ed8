"""Warnings about `printf`: directives and arguments that do not fit each other.

walk.cu:4:12: warning: '%d' prints an int, not 'double'
walk.cu:5:12: warning: '%f' has no argument
walk.cu:6:25: warning: the format does not print this argument
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..diag import Diagnostic
from ..lang.ctype import CType, Pointer, is_float, is_integer
from ..lang.formats import DIRECTIVE
from ..tree.nodes import BuiltinCall, Convert, Decay, Expr, Load, Place, Variable, VarRef

_FLOATS = "fFeEgGaA"
_LONG = ("l", "ll", "j", "z", "t", "q")
_INT_BYTES, _LONG_BYTES = 4, 8


def of_printf(call: BuiltinCall) -> Iterator[Diagnostic]:
    """Warn of the arguments of a call of `printf`, if its format is a string literal."""
    template, *arguments = call.args
    text = _literal(template)
    if text is None:
        return
    given = iter(arguments)
    for directive in DIRECTIVE.finditer(text):
        if directive["kind"] in ("", "%"):
            continue
        stars = [name for name in ("width", "precision") if directive[name] == "*"]
        for wanted in (*("int" for _ in stars), _wanted(directive)):
            argument = next(given, None)
            if argument is None:
                yield Diagnostic(call.span, f"'{directive[0]}' has no argument", severity="warning")
                return
            if not _fits(wanted, argument.type):
                message = f"'{directive[0]}' prints {_ARTICLES[wanted]}, not '{_written(argument).type}'"
                yield Diagnostic(argument.span, message, severity="warning")
    for argument in given:
        yield Diagnostic(argument.span, "the format does not print this argument", severity="warning")


_ARTICLES = {"int": "an int", "long": "a 64-bit integer", "double": "a float or a double", "pointer": "a pointer"}


def _wanted(directive: re.Match[str]) -> str:
    """Return what a directive takes, of the keys of `_ARTICLES`."""
    if directive["kind"] in _FLOATS:
        return "double"
    if directive["kind"] in "spn":
        return "pointer"
    return "long" if directive["length"] in _LONG and directive["kind"] != "c" else "int"


def _fits(wanted: str, ctype: CType) -> bool:
    match wanted:
        case "double":
            return is_float(ctype)
        case "pointer":
            return isinstance(ctype, Pointer)
        case _:
            return is_integer(ctype) and ctype.size == (_LONG_BYTES if wanted == "long" else _INT_BYTES)


def _literal(expr: Expr | Place) -> str | None:
    """Return the string that an address is of; None if that is no literal."""
    while isinstance(expr, Convert | Decay | Load):
        expr = expr.operand if isinstance(expr, Convert) else expr.place
    match expr:
        case VarRef(variable=Variable(literal=True, initial=bytes(data))):
            return data[:-1].decode("latin-1")
        case _:
            return None


def _written(argument: Expr) -> Expr:
    """Return an argument as it was before C's promotions."""
    while isinstance(argument, Convert) and not argument.explicit:
        argument = argument.operand
    return argument
