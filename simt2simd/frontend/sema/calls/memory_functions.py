"""Checking calls of functions that say how memory is accessed, or something about an address or a condition.

__ldg(p), __ldcs(p)        *p                      caches here choose for themselves
__ldcv(p)                  *(volatile T *)p
__stcg(p, x)               *p = x
__stwt(p, x)               *(volatile T *)p = x
__builtin_expect(x, 1)     (long)x
__builtin_assume(x > 0)    nothing
__builtin_addressof(x)     &x                      whatever operator & x has
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ....lang.builtins import ADDRESS_FUNCTIONS, BUILTINS
from ....lang.compiler_calls import UNREACHABLE
from ....lang.ctype import BOOL, INT, LONG, UINT, ULONG, VOID, Pointer
from ....source import Span
from ....tree.build import Build
from ....tree.nodes import Assign, BuiltinCall, Constant, Convert, Deref, Expr
from ...parse.words import Node
from ..context import Part

_LOADS = frozenset(("__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu"))
_STORES = frozenset(("__stwb", "__stcg", "__stcs"))
_TO_NUMBER = frozenset(f"__cvta_generic_to_{space}" for space in ("global", "local", "constant"))
_TO_POINTER = frozenset(f"__cvta_{space}_to_generic" for space in ("global", "local", "constant"))

HEAP_ALIGNMENT = 16  # of what `malloc` gives (`runtime/device/heap.c`)

# What NVIDIA's headers declare and the compiler provides: `void *(size_t bytes, size_t alignment)`.
ALIGNED_MALLOC = "__cuda_syscall_aligned_malloc"

# By name, how many arguments there are: at least, and at most.
MEMORY_FUNCTIONS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(_LOADS | {"__ldcv"}, (1, 1)),
    **dict.fromkeys(_STORES | {"__stwt"}, (2, 2)),
    **dict.fromkeys(_TO_NUMBER | _TO_POINTER | ADDRESS_FUNCTIONS.keys(), (1, 1)),
    "__builtin_assume": (1, 1),
    "__assume": (1, 1),
    "__builtin_addressof": (1, 1),
    "__builtin_assume_aligned": (2, 3),
    "__builtin_expect": (2, 2),
    "__builtin_expect_with_probability": (3, 3),
    "__builtin_unreachable": (0, 0),
    "__isGridConstant": (1, 1),
    ALIGNED_MALLOC: (2, 2),
}


class MemoryFunctions(Part):
    """The checker's part for these functions."""

    def memory_function(self, node: c_ast.FuncCall, name: str, arguments: Sequence[Node]) -> Expr:
        span, given = node.coord, len(arguments)
        least, most = MEMORY_FUNCTIONS[name]
        if not least <= given <= most:
            few = "few" if given < least else "many"
            expected = f"{least}" if least == most else f"{least} to {most}"
            self.fail(span, f"too {few} arguments to '{name}': {given} given, {expected} expected")
        if name == "__builtin_unreachable":
            return BuiltinCall(span, VOID, UNREACHABLE, ())
        if name == "__builtin_addressof":
            return self.s.expr.pointers.address_of_object(arguments[0], span)
        values = self.s.expr.each(*arguments)
        first = values[0]
        if name == ALIGNED_MALLOC:
            return self.aligned_malloc(first, values[1], span)
        if name in ("__builtin_assume", "__assume"):
            self.s.expr.conversions.to_bool(first)
            return Convert(span, VOID, Constant(span, INT, 0), explicit=True)
        if name.startswith("__builtin_expect"):
            return self.s.expr.conversions.implicit(first, LONG, f"in argument 1 of '{name}'")
        if name in _TO_POINTER:
            number = self.s.expr.conversions.implicit(first, ULONG, f"in argument 1 of '{name}'")
            return Convert(span, Pointer(VOID), number, explicit=True)
        if name == "__cvta_shared_to_generic":
            number = self.s.expr.conversions.implicit(first, ULONG, f"in argument 1 of '{name}'")
            return BuiltinCall(span, Pointer(VOID), ADDRESS_FUNCTIONS[name], (number,))
        if not isinstance(first.type, Pointer):
            self.fail(arguments[0].coord, f"'{name}' takes a pointer, not '{first.type}'")
        if name == "__isGridConstant":
            if self.s.functions.may_have_grid_constants:
                self.fail(span, "'__isGridConstant' is possible only where no parameter is '__grid_constant__'")
            return self.s.expr.load(self.s.expr.operators.in_turn(first, Constant(span, BOOL, False), span))
        if name in ADDRESS_FUNCTIONS:
            return self.address_function(name, first, first.type, span)
        if name == "__builtin_assume_aligned":
            return Convert(span, Pointer(VOID), first, explicit=True)
        if name in _TO_NUMBER:
            return Convert(span, ULONG, first, explicit=True)
        return self.access(name, first, first.type, values[1:], span)

    def aligned_malloc(self, size: Expr, alignment: Expr, span: Span) -> Expr:
        """Return a null pointer for an alignment that `malloc` does not give: [c.malloc] allows that."""
        convert, (row,) = self.s.expr.conversions.implicit, BUILTINS["malloc"]
        asked = convert(alignment, ULONG, f"in argument 2 of '{ALIGNED_MALLOC}'")
        most = Constant(span, ULONG, HEAP_ALIGNMENT)
        bytes_ = convert(size, ULONG, f"in argument 1 of '{ALIGNED_MALLOC}'")
        found = BuiltinCall(span, row.result, row, (bytes_,))
        build = Build(span)
        return build.choose(build.binary(asked, "<=", most), found, Convert(span, row.result, Constant(span, INT, 0)))

    def address_function(self, name: str, pointer: Expr, ctype: Pointer, span: Span) -> Expr:
        row = ADDRESS_FUNCTIONS[name]
        (wanted,) = row.params
        plain = pointer if ctype == wanted else Convert(span, wanted, pointer, explicit=True)
        call = BuiltinCall(span, row.result, row, (plain,))
        return call if row.op == "to_shared" else Convert(span, UINT, call)

    def access(self, name: str, pointer: Expr, ctype: Pointer, values: Sequence[Expr], span: Span) -> Expr:
        """Return the load or store that a function is."""
        volatile = ctype.volatile or name in ("__ldcv", "__stwt")
        target = Pointer(ctype.target, ctype.const, volatile)
        where = pointer if target == ctype else Convert(span, target, pointer)
        place = Deref(span, ctype.target, where)
        if not values:
            return self.s.expr.load(place)
        if ctype.const:
            self.fail(span, f"'{name}' writes there: the data must not be const")
        value = self.s.expr.conversions.implicit(values[0], ctype.target, f"in argument 2 of '{name}'")
        return Convert(span, VOID, Assign(span, ctype.target, place, value), explicit=True)
