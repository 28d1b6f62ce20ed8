"""Checking operators that a program defines for its classes and enumerations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import INT, Struct
from ....source import Span
from ....tree.effects import only_reads
from ....tree.nodes import Assign, Comma, Constant, Deref, Expr, Load, Place, Temporary
from ....tree.rewrite import after, copied
from ....tree.value_category import as_xvalue, is_xvalue
from ...parse.words import Node
from ..argument import Argument
from ..calls.overloads import MOST_CANDIDATES, Candidate
from ..context import Part
from ..scopes import FunctionName, Functions, TemplateName

_ONLY_MEMBERS = ("->", "[]", "=", "()")
_ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")


class Operators(Part):
    """The checker's part for operators of classes."""

    def overloaded(self, op: str, operands: list[Expr | Place], nodes: list[Node], span: Span) -> Expr | Place | None:
        """Return the call of the program's own operator, if these operands have one."""
        args = [Argument(node, term) for node, term in zip(nodes, operands, strict=True)]
        found = self.apply_operator(op, args, span)
        return None if found is None else self.s.expr.as_term(found)

    def apply_operator(self, op: str, args: list[Argument], span: Span) -> Expr | Place | None:
        """Return the call of the program's operator that fits best, else what a pair of short floats has for it.

        None: there is none, or the best is an assignment that the compiler makes.
        """
        found = self._call_of_operator(op, args, span)
        return self.s.half.pair_operator(op, args, span) if found is None else found

    def _call_of_operator(self, op: str, args: list[Argument], span: Span) -> Expr | Place | None:
        if op.startswith("p"):  # `x++` has an implicit argument
            op = op[1:]
            args = [*args, Argument(args[0].node, Constant(span, INT, 0))]
        name = f"operator{op}"
        object = self._object(args[0])
        found = self._methods_called(name, object, args[1:])
        if op not in _ONLY_MEMBERS:
            found += self._others(name, args)
        if not found:
            return None
        builtin = self.s.classes.builtin_candidates.candidate(op, args)
        best = self.s.calls.overloads.preferred([*found, builtin] if builtin is not None else found)
        if best == [builtin]:
            return None
        if len(best) > 1:
            spelled = " and ".join(f"'{arg.term.type}'" for arg in args if arg.term is not None)
            self.fail(span, f"the operator '{op}' is ambiguous for {spelled}", help="cast an operand")
        function = best[0].function
        assert isinstance(function, FunctionName)
        if op == "=" and "=default" in function.words:
            return None
        if function.is_method:
            return self.s.calls.call_method(function, object, args[1:], span, right_first=op in _ASSIGNMENTS)
        return self.s.calls.call_method(function, None, args, span, right_first=op in _ASSIGNMENTS)

    def refuse_operator(self, op: str, operands: list[Expr | Place], nodes: list[Node], span: Span) -> NoReturn:
        """Say why no operator takes these operands, one of which is an object of a class."""
        args = [Argument(node, term) for node, term in zip(nodes, operands, strict=True)]
        name, object = f"operator{op}", self._object(args[0])
        member = (
            self.s.classes.members.find_member(object.type, name)
            if object is not None and isinstance(object.type, Struct)
            else None
        )
        methods = member[1].candidates if member is not None and isinstance(member[1], Functions) else []
        others = [] if op in _ONLY_MEMBERS else self._functions_named(name, args)
        reasons = [(one, self.s.calls.overloads.why_not(one, args[1:], None, object)) for one in methods]
        reasons += [(one, self.s.calls.overloads.why_not(one, args, None, None)) for one in others]
        notes = [
            Note(one.span, f"candidate: '{self.s.calls.overloads.signature(one)}'{reason and f': {reason}'}")
            for one, reason in reasons[:MOST_CANDIDATES]
        ]
        if op == "[]" and not notes:
            self.fail(span, f"only an array or a pointer can be indexed, not '{self.s.calls.overloads.spell(args[0])}'")
        spelled = " and ".join(f"'{self.s.calls.overloads.spell(arg)}'" for arg in args)
        self.fail(span, f"invalid operands of '{op}': {spelled}", *notes)

    def _object(self, arg: Argument) -> Place | None:
        if arg.term is None or not isinstance(arg.term.type, Struct):
            return None
        term = self.s.expr.behind(arg.term, arg.node)
        return term if isinstance(term, Place) else Temporary(term.span, term.type, term)

    def _methods_called(self, name: str, object: Place | None, args: Sequence[Argument]) -> list[Candidate]:
        if object is None or not isinstance(object.type, Struct):
            return []
        found = self.s.classes.members.find_member(object.type, name)
        if found is None or not isinstance(found[1], Functions):
            if name != "operator=":
                self.s.classes.members.require_unambiguous(object.type, name, args[0].span if args else object.span)
            return []
        usable = list(found[1].candidates)
        if name != "operator=":
            usable = [c for c in usable if "=default" not in getattr(c, "words", ())]
        elif found[0] is not object.type:  # the class's own, which the compiler makes, hides it ([over.ass]/8)
            return []
        return self.s.calls.overloads.viable(usable, args, None, object)

    def _others(self, name: str, args: list[Argument]) -> list[Candidate]:
        return self.s.calls.overloads.viable(self._functions_named(name, args), args, None)

    def _functions_named(self, name: str, args: list[Argument]) -> list[FunctionName | TemplateName]:
        """Return the functions that are no methods and that these operands can mean by the name of an operator."""
        entry = next((e for r in self.s.scopes.regions() if not r.is_class and (e := r.find(name))), None)
        functions = entry if isinstance(entry, Functions) else None
        return [c for c in self.s.expr.by_arguments.candidates(functions, name, args) if c.owner is None]

    def class_assignment(self, node: c_ast.Assignment, target: Place) -> Expr | Place | None:
        """Check an assignment to an object of a class, if that has an operator for it."""
        span = node.coord
        if node.op != "=" or not isinstance(target.type, Struct):
            right = self.s.calls.arguments.argument_of(node.rvalue)
            found = (
                self.apply_operator(node.op, [Argument(node.lvalue, target), right], span) if node.op != "=" else None
            )
            if found is None and isinstance(target.type, Struct):
                self.fail(
                    span,
                    f"'{target.type}' has no operator '{node.op}' that takes '{self.s.calls.overloads.spell(right)}'",
                )
            return found
        return self.assign_to_object(target, self.s.calls.arguments.argument_of(node.rvalue), node.lvalue, span)

    def assign_to_object(self, target: Place, right: Argument, left: Node, span: Span) -> Expr | Place:
        """Return `target = right` for an object of a class."""
        struct = target.type
        assert isinstance(struct, Struct)
        same = right.term is not None and self.s.classes.construction.is_kind_of(right.term.type, struct)
        info = self.s.structs.classes.get(struct)
        if not same or (info is not None and self.s.classes.construction.copy_assignment(info) is not None):
            found = self.apply_operator("=", [Argument(left, target), right], span)
            if found is not None:
                return found
        self.s.expr.writable(left, "assign to", target)
        rvalue = right.term is None or not right.is_lvalue
        self.s.classes.implicit.require_assignment(struct, span, moved=rvalue)
        if self.s.classes.prvalues.by_address(struct):
            return self._assigned(target, right, span, same=same)
        if same and isinstance(right.term, Place) and not isinstance(right.term, Temporary):
            if not self.s.classes.construction.copies_trivially(struct, "assign"):
                return self._assigned(target, right, span, same=same)
            return self.s.classes.implicit.assign_object(
                target, self.s.classes.members.as_base(right.term, struct, span), span
            )
        value = self.s.calls.arguments.converted(right, struct, "in an assignment")
        if self.s.classes.construction.copies_trivially(struct, "assign"):
            return Assign(span, struct, target, value)
        stored, store = self.s.calls.arguments.kept(value, struct, span)
        assigned = self.s.classes.implicit.assign_object(target, as_xvalue(stored), span)
        return Comma(span, assigned.type, store, assigned)

    def _assigned(self, target: Place, right: Argument, span: Span, *, same: bool) -> Place:
        """Return `target` after the compiler's own assignment of `right`."""
        struct = target.type
        assert isinstance(struct, Struct)
        prvalues, pointers = self.s.classes.prvalues, self.s.expr.pointers
        steps: list[Expr] = []
        address = pointers.address(target, span)
        if same and isinstance(right.term, Place):
            source = self.s.classes.members.as_base(prvalues.as_place(right.term), struct, span)
        else:
            value = prvalues.own(self.s.calls.arguments.converted(right, struct, "in an assignment"))
            source = prvalues.materialised(value)
        if not only_reads(address):
            self.s.classes.temporaries.made_in_turn(address)
            origin = pointers.address(source, span)
            if not only_reads(origin):  # the right operand is evaluated first ([expr.ass]/1)
                kept, store = self.s.calls.arguments.kept(origin, origin.type, span)
                steps.append(store)
                source = Deref(span, source.type, Load(span, origin.type, kept), xvalue=is_xvalue(source))
            kept, store = self.s.calls.arguments.kept(address, address.type, span)
            steps.append(store)
            address = Load(span, address.type, kept)
            target = Deref(span, struct, copied(address))
        steps.append(self.s.classes.implicit.assign_object(target, source, span))
        return Deref(span, struct, after(steps, copied(address)))
