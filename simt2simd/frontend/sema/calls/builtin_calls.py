"""Checking calls of CUDA's built-in functions, with their C++ overloads."""

from __future__ import annotations

import math
from typing import NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.builtins import BUILTINS, Builtin
from ....lang.ctype import CType, Pointer, Scalar, is_arithmetic, is_integer, is_short_float
from ....lang.numbers import decoded, encoded
from ....lang.overload import Ambiguous, resolve
from ....source import Span
from ....tree.effects import is_local
from ....tree.nodes import AddressOf, BuiltinCall, Constant, Decay, Expr, Load
from ...parse.words import Node
from ..argument import Argument
from ..constexpr.fold import fold
from ..context import Part
from ..expr.conversions import root_variable
from ..half import half as short_floats


class BuiltinCalls(Part):
    """The checker's part for calls of built-in functions."""

    def call_builtin(self, node: c_ast.FuncCall, name: str, arguments: list[Node]) -> Expr:
        values = [
            self.s.classes.conversions.to_number(self.bind_value(arg))
            for arg in self.s.calls.arguments.arguments(arguments)
        ]
        if name in short_floats.NAMES and any(is_short_float(value.type) for value in values):
            return self.s.half.call_short_float(node, name, values)
        if name == "dim3" and len(values) <= 3:
            return self.s.expr.conversions.dim3(values, node.coord)
        types = [value.type for value in values]
        rows = BUILTINS[name]
        if len(values) not in {len(row.params) for row in rows}:
            expected = " or ".join(map(str, sorted({len(row.params) for row in rows})))
            few = "few" if len(values) < len(rows[0].params) else "many"
            self.fail(node.coord, f"too {few} arguments to '{name}': {len(values)} given, {expected} expected")
        if rows[0].atomic:
            if (added := self.s.half.add_to_parts(node, name, values)) is not None:
                return added
            self.check_atomic_target(name, values[0], arguments[0])
        try:
            row = resolve(name, types)
        except Ambiguous as ambiguous:
            self.refuse_ambiguous(node.coord, name, types, ambiguous.rows)
        if row is None:
            self.refuse_builtin_arguments(node, name, values, arguments)
        args = tuple(
            self.s.expr.conversions.implicit(value, param, f"in argument {index + 1} of '{name}'")
            for index, (value, param) in enumerate(zip(values, row.params, strict=True))
        )
        return self.fold_builtin(BuiltinCall(node.coord, row.result, row, args))

    def bind_value(self, arg: Argument) -> Expr:
        """Return the value of an argument of a built-in function."""
        if arg.term is None:
            self.fail(arg.span, "a value is needed here")
        return self.s.expr.load(arg.term)

    def refuse_ambiguous(self, span: Span, name: str, types: list[CType], rows: list[Builtin]) -> NoReturn:
        given = ", ".join(map(str, types))
        choices = " and ".join(f"'{name}({', '.join(map(str, row.params))})'" for row in rows[:2])
        self.fail(span, f"the call '{name}({given})' is ambiguous: {choices} fit equally", help="cast an argument")

    def refuse_builtin_arguments(
        self, node: c_ast.FuncCall, name: str, values: list[Expr], arguments: list[Node]
    ) -> NoReturn:
        """Report the argument that no overload of a built-in takes."""
        for index, (value, argument) in enumerate(zip(values, arguments, strict=True)):
            if all(
                _hopeless(value.type, row.params[index]) for row in BUILTINS[name] if len(row.params) == len(values)
            ):
                wanted = BUILTINS[name][0].params[index]
                self.fail(
                    argument.coord, f"cannot convert '{value.type}' to '{wanted}' in argument {index + 1} of '{name}'"
                )
        given = ", ".join(str(value.type) for value in values)
        choices = ", ".join(f"({', '.join(map(str, row.params))})" for row in BUILTINS[name])
        self.fail(node.coord, f"no version of '{name}' takes ({given}): there is {choices}")

    def check_atomic_target(self, name: str, target: Expr, argument: Node) -> None:
        """Check the first argument of an atomic function: where the value lies that all threads share."""
        choices = [row.params[0] for row in BUILTINS[name]]
        if target.type not in choices:
            *others, last = (f"'{choice}'" for choice in choices)
            known = f"{', '.join(others)} or {last}" if others else last
            if not isinstance(target.type, Pointer):
                help = "pass its address, with '&'" if isinstance(target, Load) else None
            elif target.type.const:
                help = f"'{name}' writes there: the data must not be const"
            elif target.type.volatile and Pointer(target.type.target) in choices:
                help = f"write the cast: '({Pointer(target.type.target)})'"
            else:
                help = _atomic_substitute(name, target.type.target, choices)
            self.fail(argument.coord, f"'{name}' takes {known}, not '{target.type}'", help=help)
        root = root_variable(target.place) if isinstance(target, AddressOf | Decay) else None
        if root is not None and root.variable.storage == "constant":
            note = Note(root.variable.span, f"'{root.variable.name}' is declared here")
            message = f"'{name}' cannot change '{root.variable.name}': a kernel cannot change a `__constant__` variable"
            self.fail(argument.coord, message, note, help="make it `__device__`")
        if root is not None and is_local(root.variable):
            variable = root.variable
            message = f"'{name}' needs an address in global or shared memory: each thread has its own '{variable.name}'"
            note = Note(variable.span, f"'{variable.name}' is declared here")
            self.fail(argument.coord, message, note, help="update it as an ordinary variable, or make it `__shared__`")

    def fold_builtin(self, call: BuiltinCall) -> Expr:
        """Compute a bit cast of a constant, so that CUDART_INF_F is one. (Not for NaN: Python may lose its bits.)"""
        match call:
            case BuiltinCall(builtin=Builtin(op="bitcast"), args=(Constant(type=Scalar() as source, value=value),)):
                assert isinstance(call.type, Scalar)
                if isinstance(value, float) and math.isnan(value):
                    return call
                result = decoded(encoded(value, source), call.type)
                is_nan = isinstance(result, float) and math.isnan(result)
                return call if is_nan else fold(Constant(call.span, call.type, result))
            case _:
                return call


def _atomic_substitute(name: str, target: CType, choices: list[CType]) -> str | None:
    """Return what to write where an atomic function does not know the type of its target."""
    if not is_arithmetic(target):
        return None
    same_bits = (choice for choice in choices if isinstance(choice, Pointer) and is_integer(choice.target))
    alike = next((choice for choice in same_bits if choice.target.size == target.size), None)
    if is_integer(target) and alike is not None:
        return f"write the cast: '({alike})'"
    if target.size < 4:
        return "use an 'int', or 'atomicCAS' on the 32-bit word around it"
    return "compare and swap its bits in a loop with 'atomicCAS'"


def _hopeless(given: CType, wanted: CType) -> bool:
    return given != wanted and not (is_arithmetic(given) and is_arithmetic(wanted))
