"""Checking `return`: the value of a function, which may be an object of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import VOID, Pointer, Struct
from ....tree.nodes import Declare, Evaluate, Expr, Load, Place, Return, Stmt, Variable, VarRef
from ....tree.value_category import as_xvalue
from ...parse import cxx
from ...parse.goto_ranges import all_statements, declared_names
from ...parse.words import Node
from ..argument import Argument
from ..context import CPP20, Part
from ..expr.conversions import same_type
from ..qualified import Qualified
from ..scopes import FunctionName, Scope, VariableName
from .declarations import is_inferred


class Returns(Part):
    """The checker's part for `return`."""

    def return_statement(self, node: c_ast.Return) -> list[Stmt]:
        function, span = self.s.current.body.function, node.coord
        name = function.shown or function.name
        declared = Note(function.span, f"'{name}' is declared here")
        scopes = self.s.scopes.stack[self.s.current.body.base :]
        if node.expr is None:
            if function.result is None:
                function.result = Qualified(VOID)
            if function.result.type is not VOID:
                self.fail(span, f"'{name}' must return a value of type '{function.result}'", declared)
            return [*self.s.statements.destroyed(scopes, span), Return(span, None)]
        value = self.returned(node.expr, function, declared)
        if value is None:
            return [*self.s.statements.destroyed(scopes, span), Return(span, None)]
        if value.type is VOID:
            return [Evaluate(span, value), *self.s.statements.destroyed(scopes, span), Return(span, None)]
        made: list[Stmt] = []
        if self.s.classes.prvalues.by_address(value.type) and self.elided(node.expr) is None:
            place = self.s.current.body.result_place(value.type, span)
            made = [Evaluate(span, self.s.classes.prvalues.initialised(place, value, span))]
        places, self.s.current.temporaries = self.s.current.temporaries, []
        later = self.s.classes.temporaries.destroyed_objects(places)
        later += self.s.statements.destroyed(_without(scopes, self.elided(node.expr)), span)
        if self.s.classes.prvalues.by_address(value.type):
            return [*made, *later, Return(span, None)]
        if not later:
            return [Return(span, value)]
        kept = Variable("result", value.type, span, "local")
        return [Declare(span, kept, value), *later, Return(span, Load(span, kept.type, VarRef(span, kept.type, kept)))]

    def elided(self, node: Node) -> Variable | None:
        """Return the local object that a `return` hands out as it is: it is neither copied nor destroyed.

        For a class that is passed by address that is the one that all `return`s name ([class.copy.elision]).
        """
        entry = self.s.scopes.lookup(node.name) if isinstance(node, c_ast.ID) else None
        result = self.s.current.body.function.result
        if not isinstance(entry, VariableName) or result is None or result.reference:
            return None
        if self.s.classes.prvalues.by_address(entry.variable.type):
            return entry.variable if entry.variable is self.s.current.body.result_object else None
        local = entry.variable.storage == "local" and entry.alias is None and not entry.reference
        return entry.variable if local and entry.variable.type is result.type else None

    def named_result(self, function: FunctionName, node: cxx.Definition) -> str:
        """Return the variable, of the outermost block of a function, that all of its `return`s name; "" if none is."""
        if function.kind == "kernel" or (function.result is not None and function.result.reference):
            return ""
        items = node.body.items() if isinstance(node.body, cxx.Body) else node.body.block_items or []
        names = {each.expr.name if isinstance(each.expr, c_ast.ID) else "" for each in _returns_in(items)}
        declared = _declared_in(items)
        name = next(iter(names)) if len(names) == 1 else ""
        own = [one for one in items if isinstance(one, c_ast.Decl) and one.name == name]
        return name if name and len(own) == 1 == declared.count(name) else ""

    def is_result(self, variable: Variable) -> bool:
        """Whether a variable that is declared is the function's result from its beginning."""
        if not self.s.current.bodies:
            return False
        body = self.s.current.body
        result = body.function.result
        if variable.name != body.named_result or not self.s.classes.prvalues.by_address(variable.type):
            return False
        return variable.type is result.type if result is not None else _deduces_plainly(body.function)

    def returned(self, node: Node, function: FunctionName, declared: Note) -> Expr | None:
        """Return the value of a `return`, converted to the type of the result; that may follow from it."""
        name = function.shown or function.name
        context = f"in the result of '{name}'"
        arg: Argument | None = None
        if function.result is None:
            arg = self.s.calls.arguments.argument_of(node)
            function.result = self.deduced_result(arg, function)
        elif _deduces_result(function):
            arg = self.s.calls.arguments.argument_of(node)
            self._require_same_result(arg, function, function.result)
        result = function.result
        if result.type is VOID:
            value = self.s.statements.discarded(node)
            if value.type is not VOID:
                self.fail(node.coord, f"'{name}' returns nothing: its result type is void", declared)
            return value
        if isinstance(node, c_ast.InitList) and isinstance(result.type, Struct):
            return self.s.expr.objects.braced_object(node, result.type)
        if (variable := self.elided(node)) is not None:
            return Load(node.coord, variable.type, VarRef(node.coord, variable.type, variable))
        arg = arg or self.s.calls.arguments.argument_of(node)
        if self._is_own_object(node) and isinstance(arg.term, Place) and not result.reference:
            arg = replace(arg, term=as_xvalue(arg.term))
        return self.s.calls.arguments.bind(arg, result, context, declared)

    def _is_own_object(self, node: Node) -> bool:
        """Whether `return` names an object of the function itself, which is then moved: no structured binding.

        C++20 adds what a variable `T &&` is bound to ([expr.prim.id.unqual]/4).
        """
        entry = self.s.scopes.lookup(node.name) if isinstance(node, c_ast.ID) else None
        if not isinstance(entry, VariableName) or entry.reference == "&" or entry.binding is not None:
            return False
        if entry.reference and self.s.cplusplus < CPP20:
            return False
        ctype = entry.variable.type
        if entry.reference and isinstance(ctype, Pointer):
            ctype = ctype.target
        return isinstance(ctype, Struct) and entry.variable.storage in ("local", "param")

    def deduced_result(self, arg: Argument, function: FunctionName) -> Qualified:
        """Return what `auto` as the type of a function's result denotes."""
        assert function.node is not None
        signature = function.node.decl.type
        assert isinstance(signature, c_ast.FuncDecl)
        return self.s.templates.functions.deduced_type(signature.type, arg, arg.span)

    def _require_same_result(self, arg: Argument, function: FunctionName, result: Qualified) -> None:
        """Fail if another `return` gave the function's `auto` another type than this one, of `arg`, gives it."""
        other = self.deduced_result(arg, function)
        if same_type(other.type, result.type) and bool(other.reference) == bool(result.reference):
            return
        name = function.shown or function.name
        what = f"'{name}' returns '{other}' here and '{result}' before"
        self.fail(arg.span, what, help="write the type of its result, or cast what it returns")


def _without(scopes: Sequence[Scope], variable: Variable | None) -> list[Scope]:
    return [replace(scope, cleanups=[one for one in scope.cleanups if one is not variable]) for scope in scopes]


def _deduces_plainly(function: FunctionName) -> bool:
    """Whether a function's result is of the type `auto`: never a reference."""
    signature = function.node.decl.type if function.node is not None else None
    kind = signature.type if isinstance(signature, c_ast.FuncDecl) else None
    return isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, c_ast.InferredType)


def _returns_in(items: Iterable[Node]) -> Iterator[c_ast.Return]:
    """Yield the `return`s of a body that hand out a value."""
    for item in items:
        for statement in all_statements(item):
            if isinstance(statement, c_ast.Return) and statement.expr is not None:
                yield statement


def _declared_in(items: Iterable[Node]) -> list[str]:
    """Return the names of the variables that the statements of a body declare."""
    return [name for item in items for statement in all_statements(item) for name in declared_names(statement)]


def _deduces_result(function: FunctionName) -> bool:
    """Whether the type of a function's result is deduced from its body."""
    signature = function.node.decl.type if function.node is not None else None
    return isinstance(signature, c_ast.FuncDecl) and signature.type is not None and is_inferred(signature.type)
