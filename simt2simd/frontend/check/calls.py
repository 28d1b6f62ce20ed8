"""Checking calls: device functions, and CUDA's built-ins with their C++ overloads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from pycparser import c_ast

from ...diag import Note
from ...lang.builtins import BUILTINS, UNSUPPORTED_FUNCTIONS, Builtin
from ...lang.ctype import (
    DOUBLE,
    FLOAT,
    ULONG,
    Array,
    BitField,
    CType,
    Pointer,
    Scalar,
    Struct,
    is_arithmetic,
    is_integer,
)
from ...lang.overload import Ambiguous, resolve
from ...source import Span
from ...tree.effects import is_local
from ...tree.nodes import AddressOf, BuiltinCall, Call, Constant, Decay, Expr, Load
from ..words import Node
from . import short_floats
from .conversions import root_variable
from .expressions import Expressions
from .fold import fold
from .scopes import FunctionName, Parameter, Reported, Scope, TypeName, VariableName, did_you_mean

_CONSTANTS = {
    "__builtin_inff": (FLOAT, math.inf), "__builtin_huge_valf": (FLOAT, math.inf),
    "__builtin_inf": (DOUBLE, math.inf), "__builtin_huge_val": (DOUBLE, math.inf),
    "__builtin_nanf": (FLOAT, math.nan), "nanf": (FLOAT, math.nan),
    "__builtin_nan": (DOUBLE, math.nan), "nan": (DOUBLE, math.nan),
}  # fmt: skip


class Calls(Expressions):
    """The checker's part for calls."""

    def call(self, node: c_ast.FuncCall) -> Expr:
        if not isinstance(node.name, c_ast.ID):
            self.fail(node.name.coord, "only a function can be called, by its name")
        name, span = node.name.name, node.name.coord
        arguments: list[Node] = node.args.exprs if node.args is not None else []
        entry = self.lookup(name)
        if isinstance(entry, FunctionName):
            return self.call_function(node, entry, arguments)
        if isinstance(entry, VariableName):
            note = Note(entry.span, f"'{name}' is declared here")
            self.fail(span, f"'{name}' is a variable, not a function", note)
        if isinstance(entry, TypeName):
            self.fail(span, f"'{name}' is a type, not a function")
        if entry is not None:
            self.name(node.name)  # says what is wrong with it
            self.fail(span, f"'{name}' is not a function")
        if name in ("offsetof", "__builtin_offsetof"):
            return Constant(node.coord, ULONG, self.offset_of(arguments[1], self.qualified(arguments[0]).type)[0])
        if name in _CONSTANTS:
            ctype, value = _CONSTANTS[name]
            return Constant(node.coord, ctype, value)
        if name in BUILTINS:
            return self.call_builtin(node, name, arguments)
        if name in short_floats.NAMES:
            return self.call_short_float(node, name, arguments)
        self.check_arguments(arguments)
        if name in self.elsewhere:
            note = Note(self.elsewhere[name], f"'{name}' is declared here")
            self.fail(span, f"'{name}' is called before its declaration", note, help="declare it above")
        self.explain_unusable(name, span)
        names = [*self.visible_names(), *BUILTINS, *UNSUPPORTED_FUNCTIONS]
        self.fail(span, f"function '{name}' is not declared", help=did_you_mean(name, names))

    def offset_of(self, designator: Node, whole: CType) -> tuple[int, CType]:
        """Return where in `whole` the member lies that `a.b[2]` names, in bytes, and its type."""
        match designator:
            case c_ast.ID():
                offset, inside, name = 0, whole, designator
            case c_ast.StructRef():
                offset, inside = self.offset_of(designator.name, whole)
                name = designator.field
            case c_ast.ArrayRef():
                offset, inside = self.offset_of(designator.name, whole)
                if not isinstance(inside, Array):
                    self.fail(designator.coord, f"'{inside}' is not an array")
                index = self.constant_integer(designator.subscript, "an index in 'offsetof'")
                return offset + index * inside.element.size, inside.element
            case _:
                self.fail(designator.coord, "'offsetof' needs a member")
        self.require_complete(inside, name.coord)
        path = inside.path(name.name) if isinstance(inside, Struct) else ()
        if not path:
            self.fail(name.coord, f"'{inside}' has no member '{name.name}'")
        if isinstance(path[-1], BitField):
            self.fail(name.coord, f"bit-field '{name.name}' has no address")
        return offset + sum(part.offset for part in path), path[-1].type

    def check_arguments(self, arguments: Sequence[Node]) -> None:
        """Check arguments of a call that cannot be resolved, so that their own faults are reported too."""
        for argument in arguments:
            if isinstance(argument, c_ast.Constant):
                continue
            try:
                self.value(argument)
            except Reported:
                continue

    def call_function(self, node: c_ast.FuncCall, function: FunctionName, arguments: list[Node]) -> Expr:
        name, span = function.name, node.coord
        declared = Note(function.span, f"'{name}' is declared here")
        if function.kind == "kernel":
            help = f"launch it from the host with '{name}<<<grid, block>>>(...)', or make it a `__device__` function"
            self.fail(span, f"kernel '{name}' cannot be called as a function", declared, help=help)
        required = sum(parameter.default is None for parameter in function.params)
        given, expected = len(arguments), len(function.params)
        if not required <= given <= expected:
            self.check_arguments(arguments)
            few = "few" if given < required else "many"
            wanted = f"{expected}" if required == expected else f"{required} to {expected}"
            self.fail(span, f"too {few} arguments to '{name}': {given} given, {wanted} expected", declared)
        values = self.every([partial(self.argument, a, i, function, declared) for i, a in enumerate(arguments)])
        values += [self.default_argument(parameter) for parameter in function.params[given:]]
        self.called.setdefault(name, span)
        return Call(span, function.result, name, tuple(values))

    def argument(self, node: Node, index: int, function: FunctionName, declared: Note) -> Expr:
        parameter = function.params[index]
        note = Note(parameter.span, f"parameter '{parameter.name}' is declared here") if parameter.name else declared
        context = f"in argument {index + 1} of '{function.name}'"
        return self.implicit(self.value(node), parameter.type, context, note, span=node.coord)

    def default_argument(self, parameter: Parameter) -> Expr:
        """Evaluate a default argument: in the scope of the file, as C++ does."""
        assert parameter.default is not None
        scopes, self.scopes = self.scopes, [self.scopes[0], Scope()]
        try:
            value = self.value(parameter.default)
            return self.implicit(value, parameter.type, f"in the default of '{parameter.name}'")
        finally:
            self.scopes = scopes

    # --------------------------------------------------------------------------------------- built-ins

    def call_builtin(self, node: c_ast.FuncCall, name: str, arguments: list[Node]) -> Expr:
        values = self.each(*arguments)
        if name == "dim3" and len(values) <= 3:
            return self.dim3(values, node.coord)
        types = [value.type for value in values]
        rows = BUILTINS[name]
        if len(values) not in {len(row.params) for row in rows}:
            expected = " or ".join(map(str, sorted({len(row.params) for row in rows})))
            few = "few" if len(values) < len(rows[0].params) else "many"
            self.fail(node.coord, f"too {few} arguments to '{name}': {len(values)} given, {expected} expected")
        if rows[0].atomic:
            self.check_atomic_target(name, values[0], arguments[0])
        try:
            row = resolve(name, types)
        except Ambiguous as ambiguous:
            self.refuse_ambiguous(node.coord, name, types, ambiguous.rows)
        if row is None:
            self.refuse_builtin_arguments(node, name, values, arguments)
        args = tuple(
            self.implicit(value, param, f"in argument {index + 1} of '{name}'")
            for index, (value, param) in enumerate(zip(values, row.params, strict=True))
        )
        return self.fold_builtin(BuiltinCall(node.coord, row.result, row, args))

    def call_short_float(self, node: c_ast.FuncCall, name: str, arguments: list[Node]) -> Expr:
        """Check a call of a function on `__half` or `__nv_bfloat16`."""
        values = self.each(*arguments)
        expected = short_floats.operands(name)
        if len(values) != expected:
            few = "few" if len(values) < expected else "many"
            self.fail(node.coord, f"too {few} arguments to '{name}': {len(values)} given, {expected} expected")
        for number, value in enumerate(values, start=1):
            if not is_arithmetic(value.type):
                self.fail(value.span, f"argument {number} of '{name}' must be a number, not '{value.type}'")
        return short_floats.call(name, values, node.coord)

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
        if root is not None and is_local(root.variable):
            variable = root.variable
            message = f"'{name}' needs an address in global or shared memory: each thread has its own '{variable.name}'"
            note = Note(variable.span, f"'{variable.name}' is declared here")
            self.fail(argument.coord, message, note, help="update it as an ordinary variable, or make it `__shared__`")

    def fold_builtin(self, call: BuiltinCall) -> Expr:
        """Compute a bit cast of a constant, so that CUDART_INF_F is one. (Not for NaN: Python may lose its bits.)"""
        import struct

        codes = {
            "float": "f",
            "double": "d",
            "int": "i",
            "unsigned int": "I",
            "long long": "q",
            "unsigned long long": "Q",
        }
        match call:
            case BuiltinCall(builtin=Builtin(op="bitcast"), args=(Constant(type=Scalar() as source, value=value),)):
                assert isinstance(call.type, Scalar)
                if isinstance(value, float) and math.isnan(value):
                    return call
                result = struct.unpack("<" + codes[call.type.name], struct.pack("<" + codes[source.name], value))[0]
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
