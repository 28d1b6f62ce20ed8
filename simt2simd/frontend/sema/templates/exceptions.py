"""Checking which expressions may throw ([expr.unary.noexcept], [except.spec]): device code asks, and never throws."""

from __future__ import annotations

from collections.abc import Iterable

from ....lang.ctype import Array, Struct
from ....source import Span
from ....tree.nodes import BuiltinCall, Call, Expr, Place, Stmt, Variable, VarRef
from ....tree.walk import walk
from ...parse.words import Node
from ..class_info import ClassInfo
from ..context import Part
from ..qualified import Qualified
from ..scopes import FunctionName, Scope


class Exceptions(Part):
    """The checker's part for exception specifications.

    Functions of our own headers throw nothing. A call by a pointer may throw if the pointer's type does not say
    `noexcept`. A virtual call may throw if the function that is named may ([expr.unary.noexcept], [except.spec]/4: what
    overrides it promises no less).
    """

    def never_throws(self, node: Node) -> bool:
        """Answer `noexcept(node)`."""
        called = len(self.s.functions.called)
        try:
            with self.s.expr.operators.unevaluated():
                return self._is_safe([self.s.expr.term(node)])
        finally:
            self.s.functions.forget_unevaluated(called)

    def constructs(self, target: Qualified, given: list[Qualified], span: Span) -> bool:
        """Whether `T(declval<Args>()...)` never throws, which is known to be possible."""
        ctype = target.type
        while isinstance(ctype, Array):
            ctype = ctype.element
        if not isinstance(ctype, Struct) and not given:
            return True
        args = [self.s.templates.objects.probe(one, span) for one in given]
        called = len(self.s.functions.called)
        try:
            with self.s.templates.deduction.attempt(), self.s.expr.operators.unevaluated():
                if isinstance(ctype, Struct) and not target.reference:
                    place = VarRef(span, ctype, Variable("probe", ctype, span, "local"))
                    made: Iterable[Expr | Place | Stmt] = self.s.classes.construction.construct(place, args, span)
                else:
                    made = [self.s.calls.arguments.passed(args[0], target, "in a conversion")]
                return self._is_safe(made)
        finally:
            self.s.functions.forget_unevaluated(called)
        return False

    def assigns(self, target: Qualified, source: Qualified, span: Span) -> bool:
        """Whether `declval<T>() = declval<U>()` never throws, which is known to be possible."""
        called = len(self.s.functions.called)
        objects = self.s.templates.objects
        try:
            with self.s.templates.deduction.attempt(), self.s.expr.operators.unevaluated():
                left, right = objects.probe(target, span), objects.probe(source, span)
                if not isinstance(target.type, Struct):
                    value = Qualified(target.type)
                    return self._is_safe([self.s.calls.arguments.passed(right, value, "in an assignment")])
                assert isinstance(left.term, Place)
                made = self.s.classes.operators.assign_to_object(left.term, right, left.node, span)
                return self._is_safe([made])
        finally:
            self.s.functions.forget_unevaluated(called)
        return False

    def destroys(self, target: Qualified) -> bool:
        """Whether the destructor of a type never throws: unless it, or that of a part, says so ([except.spec]/8)."""
        ctype = target.type
        while isinstance(ctype, Array):
            ctype = ctype.element
        info = self.s.classes.construction.info(ctype) if not target.reference else None
        if info is None:
            return True
        if info.destructor is not None and (info.destructor.noexcept or "=default" not in info.destructor.words):
            return self._destructor_is_noexcept(info.destructor, info)
        return all(self.destroys(Qualified(part)) for _, part in self.s.classes.construction.parts_of(info))

    def _destructor_is_noexcept(self, function: FunctionName, info: ClassInfo) -> bool:
        if isinstance(function.noexcept, bool) and not function.noexcept:  # it has the implicit specification
            return all(self.destroys(Qualified(part)) for _, part in self.s.classes.construction.parts_of(info))
        return self.is_noexcept(function)

    def is_noexcept(self, function: FunctionName) -> bool:
        """Whether a function has an exception specification that does not throw."""
        if isinstance(function.noexcept, bool):
            implied = function.name.startswith("~") or "=default" in function.words
            return function.noexcept or implied or function.span.source.library
        with self.s.scopes.instead(function.scopes or (self.s.scopes.file_scope,)):
            named = self.s.statements.functions.named_parameters(function.params, function.packs, function.span)
            with self.s.scopes.inside(Scope(named)):
                condition = self.s.constexpr.constant_condition(function.noexcept, "an exception specification")
        function.never_throws = condition
        return condition

    def _is_safe(self, made: Iterable[Expr | Place | Stmt]) -> bool:
        """Whether nothing that is called throws. What the compiler makes throws if what it calls does."""
        todo = list(made)
        seen: set[str] = set()
        for root in todo:
            for node in walk(root):
                if isinstance(node, BuiltinCall) and node.builtin.op == "malloc":
                    return False
                if not isinstance(node, Call) or node.function in seen:
                    continue
                seen.add(node.function)
                deleted = self.s.calls.indirect.virtual_deletes.get(node.function)
                named = self.s.calls.indirect.virtual_calls.get(node.function)
                named = deleted.destructor if deleted is not None else named
                if named is not None:
                    if not self.is_noexcept(named):
                        return False
                    continue
                pointed = self.s.calls.indirect.pointer_calls.get(node.function)
                if pointed is not None:
                    if not pointed.noexcept:
                        return False
                    continue
                known, body = self.s.functions.used.get(node.function), self.s.functions.checked.get(node.function)
                if body is not None and (known is None or known.node is None):
                    todo.append(body.body)
                elif known is None or not self.is_noexcept(known):
                    return False
        return True
