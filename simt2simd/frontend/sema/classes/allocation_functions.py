"""The functions that give and take the memory of `new` and `delete` ([basic.stc.dynamic]).

A class may have its own (`static void *operator new(size_t)`, [class.free]), and a program its own for all types or for
arguments in parentheses, `new (pool) T`. All others are the heap's `malloc` and `free`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ....diag import Note
from ....lang.builtins import BUILTINS
from ....lang.ctype import ULONG, VOID, Array, CType, Pointer, Struct
from ....source import Span
from ....tree.nodes import BuiltinCall, Constant, Expr
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument
from ..context import Part
from ..scopes import FunctionName, Functions

NEW, DELETE = ("operator new", "operator new[]"), ("operator delete", "operator delete[]")
ALLOCATION_FUNCTIONS = frozenset((*NEW, *DELETE))


def heap_memory(size: Expr, span: Span) -> Expr:
    """Return memory of the heap, a pointer to void; null if there is none."""
    row = BUILTINS["malloc"][0]
    return BuiltinCall(span, row.result, row, (size,))


def heap_free(pointer: Expr, span: Span) -> Expr:
    row = BUILTINS["free"][0]
    return BuiltinCall(span, VOID, row, (pointer,))


class AllocationFunctions(Part):
    """The checker's part for them."""

    def has_own(self, target: CType, node: cxx.New) -> bool:
        """Whether the program has a function by this name that `new` may mean."""
        name = NEW[node.count is not None]
        return name in self.s.scopes.file_scope.names or (not node.rooted and self._member(target, name) is not None)

    def is_nothrow(self, placement: Sequence[Node]) -> bool:
        """Whether `(std::nothrow)` is what is after `new`: the heap's memory is meant ([new.delete.single])."""
        if len(placement) != 1:
            return False
        with self.s.expr.operators.unevaluated():
            (arg,) = self.s.calls.arguments.arguments(placement)
        return arg.term is not None and self._is_nothrow(arg.term.type)

    def _is_nothrow(self, ctype: CType) -> bool:
        return isinstance(ctype, Struct) and ctype is self.s.scopes.std.find_tag("nothrow_t")

    def own_new(self, target: CType, size: Expr, node: cxx.New) -> Expr | None:
        """Return the call of the program's function that `new` means, a pointer; None if it means none of these."""
        array = node.count is not None
        span, name = node.coord, NEW[array]
        placement = self.s.calls.arguments.arguments(node.placement)
        args = [Argument(node, size), *placement]
        members = None if node.rooted else self._member(target, name)
        if members is not None:
            chosen = self.s.calls.overloads.choose(name, members.candidates, args, span)
            return self._call(cast("FunctionName", chosen), args, span)
        entry = self.s.scopes.file_scope.names.get(name)
        found = self.s.calls.overloads.viable(entry.candidates, args, None) if isinstance(entry, Functions) else []
        best = self.s.calls.overloads.best(found)
        if len(best) > 1:
            self.fail(span, f"'{name}' is ambiguous", *self.s.calls.overloads.notes_of(best))
        if best:
            return self._call(cast("FunctionName", best[0].function), args, span)
        if len(placement) > 1:
            self.fail(span, f"no '{name}' takes these arguments", help=f"declare 'void *{name}(size_t, ...)' for them")
        return None

    def free(self, target: CType, pointer: Expr, node: cxx.Delete) -> Expr:
        """Return what frees memory, `pointer` to void, at which objects of type `target` were ([expr.delete]/10)."""
        name, span = DELETE[node.array], node.coord
        size = None if node.array or isinstance(target, Array) or target is VOID else Constant(span, ULONG, target.size)
        members = None if node.rooted else self._member(target, name)
        entry = members or self.s.scopes.file_scope.names.get(name)
        if not isinstance(entry, Functions):
            return heap_free(pointer, span)
        alone = [Argument(node, pointer)]
        found = self.s.calls.overloads.viable(entry.candidates, alone, None)
        if found:
            return self._call(cast("FunctionName", found[0].function), alone, span)
        if size is None and members is not None:
            note = Note(entry.span, f"'{name}' is declared here")
            self.fail(span, f"'{name}' with a size is not supported", note, help="declare it with a pointer alone")
        sized = [*alone, Argument(node, size)] if size is not None else alone
        found = self.s.calls.overloads.viable(entry.candidates, sized, None)
        if found:
            return self._call(cast("FunctionName", found[0].function), sized, span)
        if members is not None:
            self.fail(span, f"no '{name}' of '{target}' takes a pointer alone", Note(entry.span, "it is declared here"))
        return heap_free(pointer, span)

    def call(self, name: str, arguments: Sequence[Node], span: Span) -> Expr:
        """Return the call `operator new(8)`: of a function of the program's, or one that is always there."""
        args = self.s.calls.arguments.arguments(arguments)
        entry = self.s.scopes.file_scope.names.get(name)
        own = entry.candidates if isinstance(entry, Functions) else []
        if self.s.calls.overloads.viable(own, args, None):
            chosen = self.s.calls.overloads.choose(name, own, args, span)
            return self._call(cast("FunctionName", chosen), args, span)
        standard = self._standard(name, [self.s.calls.builtins.bind_value(arg) for arg in args], span)
        if standard is None:
            spelled = ", ".join(self.s.calls.overloads.spell(arg) for arg in args)
            self.fail(span, f"no '{name}' takes ({spelled})")
        return standard

    def _standard(self, name: str, terms: list[Expr], span: Span) -> Expr | None:
        """Return the call of a function that every program has ([new.delete])."""
        second = terms[1] if len(terms) == 2 else None
        if second is not None and self._is_nothrow(second.type):
            terms, second = terms[:1], None
        if name in NEW and len(terms) == 1:
            return heap_memory(self._as(terms[0], ULONG), span)
        if name in NEW and second is not None and isinstance(second.type, Pointer):
            return self._in_turn(terms[0], self._as(second, Pointer(VOID)), span)
        if name in DELETE and len(terms) == 1:
            return heap_free(self._as(terms[0], Pointer(VOID)), span)
        if name in DELETE and second is not None and not isinstance(second.type, Pointer):
            return self._in_turn(self._as(second, ULONG), heap_free(self._as(terms[0], Pointer(VOID)), span), span)
        return None

    def _in_turn(self, first: Expr, then: Expr, span: Span) -> Expr:
        return cast("Expr", self.s.expr.operators.in_turn(first, then, span))

    def _as(self, value: Expr, ctype: CType) -> Expr:
        return self.s.expr.conversions.implicit(value, ctype, "in an argument of an allocation function")

    def _member(self, target: CType, name: str) -> Functions | None:
        element = element_of(target)
        found = self.s.classes.members.find_member(element, name) if isinstance(element, Struct) else None
        return found[1] if found is not None and isinstance(found[1], Functions) else None

    def _call(self, function: FunctionName, args: list[Argument], span: Span) -> Expr:
        return cast("Expr", self.s.calls.call_method(function, None, args, span))


def element_of(ctype: CType) -> CType:
    while isinstance(ctype, Array):
        ctype = ctype.element
    return ctype
