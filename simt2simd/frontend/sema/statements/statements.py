"""Checking statements: bodies of functions, from pycparser nodes to `Block`s of the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pycparser import c_ast

from ....diag import CompileError
from ....lang.consolidation import Consolidation
from ....lang.ctype import INT, VOID
from ....source import NOWHERE, Span
from ....tree.effects import has_effects, only_reads
from ....tree.nodes import (
    Assign,
    Block,
    Braces,
    Break,
    Call,
    Comma,
    Constant,
    Continue,
    Convert,
    Declare,
    Deref,
    Evaluate,
    Expr,
    If,
    Jump,
    Load,
    Member,
    Place,
    Stmt,
    Temporary,
    Variable,
    VarRef,
)
from ....tree.rewrite import copied, renamed
from ...parse import cxx
from ...parse.asm_statement import AsmStatement
from ...parse.gotos import without_gotos
from ...parse.words import BlockExpression, Faulty, Node
from ..classes.prvalues import joined
from ..context import Part
from ..expr.expressions import root_of
from ..scopes import Reported, Scope
from ..types.records import name_span

if TYPE_CHECKING:
    from .bindings import Bindings
    from .bodies import Bodies
    from .declarations import Declarations
    from .functions import FunctionDeclarations
    from .loops import Loops
    from .pragmas import Pragmas
    from .ranges import Ranges
    from .returns import Returns
    from .switches import Switches
    from .unmarked import UnmarkedFunctions
    from .variables import Variables


class Statements(Part):
    """The checker's part for statements."""

    loops: Loops
    switches: Switches
    returns: Returns
    declarations: Declarations
    bindings: Bindings
    ranges: Ranges
    functions: FunctionDeclarations
    bodies: Bodies
    pragmas: Pragmas
    variables: Variables
    unmarked: UnmarkedFunctions

    def structured(self, items: list[Node], span: Span) -> list[Node]:
        """Return the statements of a function's body with loops and blocks for its `goto`s."""
        try:
            return without_gotos(c_ast.Compound(items, span)).block_items or []
        except CompileError as error:
            self.s.diagnostics.faults += error.diagnostics
            raise Reported from error

    def function_text(self, name: str) -> str | None:
        """Return what a name such as `__func__` holds."""
        if not self.s.current.bodies:
            return None
        function = self.s.current.body.function
        if name != "__PRETTY_FUNCTION__":
            return function.name
        params = ", ".join(str(parameter.qualified) for parameter in function.params)
        return f"{function.result} {function.shown or function.name}({params}){' const' * function.const}"

    # ------------------------------------------------------------------------------------------ blocks

    def block(self, node: Node | None, span: Span) -> Block:
        """Check the statement `node` as a block with a scope of its own, with or without braces."""
        if node is None:
            return Block(span, ())
        items = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
        with self.s.scopes.inside(Scope()):
            return self.block_of(items, node.coord)

    def block_of(self, items: list[Node], span: Span) -> Block:
        """Check `items` in the current scope, and destroy at their end the objects that they declare."""
        statements = self.statements(items)
        if not (statements and isinstance(statements[-1], Jump)):
            statements += self.destroyed(self.s.scopes.stack[-1:], span)
        return Block(span, tuple(statements))

    def destroyed(self, scopes: Sequence[Scope], span: Span) -> list[Stmt]:
        """Return what destroys the objects of these scopes, the last first."""
        result: list[Stmt] = []
        for scope in reversed(scopes):
            result += self.s.classes.temporaries.destroyed_objects(
                [VarRef(span, variable.type, variable) for variable in scope.cleanups]
            )
        return result

    def with_hidden(self, check: Callable[[], list[Stmt]]) -> list[Stmt]:
        """Return statements with the declarations of the hidden variables that they need before them."""
        with self.s.current.gathering():
            found = check()
            ends = self.end_of_statement()
            return [*self.s.current.hidden, *found, *ends]

    def statements(self, items: list[Node]) -> list[Stmt]:
        result: list[Stmt] = []
        unroll: int | None = None
        any_order: c_ast.Pragma | None = None
        consolidation: Consolidation | None = None
        with self.s.current.gathering():
            for item in items:
                if isinstance(item, c_ast.Pragma):
                    any_order = item if self.pragmas.is_any_order(item) else any_order
                    consolidation = self.pragmas.require_one(consolidation, self.pragmas.consolidation(item))
                    unroll = self.pragmas.pragma(item)
                    continue
                try:
                    found = self.statement(item, unroll)
                except Reported:
                    found = []
                found += self.end_of_statement()
                if any_order is not None:
                    found = self.pragmas.in_any_order(any_order, found)
                if consolidation is not None:
                    found = self.pragmas.consolidated(consolidation, found)
                unroll, any_order, consolidation = None, None, None
                result += self.s.current.hidden
                self.s.current.hidden = []
                result += found
            self.pragmas.refuse_left_over(consolidation)
        return result

    def end_of_statement(self) -> list[Stmt]:
        """Return what destroys the temporary objects of a statement."""
        places, self.s.current.temporaries = self.s.current.temporaries, []
        return self.s.classes.temporaries.destroyed_objects(places)

    def tested(self, check: Callable[[], Expr]) -> tuple[list[Stmt], Expr]:
        """Check what a statement tests; return its value, and before it what destroys the objects that it made."""
        with self.s.current.own_temporaries():
            value = sound(self.attempt(check))
            places = self.s.current.temporaries
        if not places:
            return [], value
        kept = self.s.expr.objects.hidden_variable(value.type, value.span)
        first = Evaluate(value.span, Assign(value.span, value.type, kept, value))
        return [first, *self.s.classes.temporaries.destroyed_objects(places)], Load(
            value.span, value.type, copied(kept)
        )

    # -------------------------------------------------------------------------------------- statements

    def statement(self, node: Node, unroll: int | None = None) -> list[Stmt]:
        """Check one statement; a declaration may become several, an empty statement none."""
        span = node.coord
        match node:
            case c_ast.Compound():
                return [self.block(node, span)]
            case c_ast.Decl() | c_ast.DeclList():
                return self.declarations.declaration(node)
            case c_ast.Typedef():
                self.declarations.typedef(node)
                return []
            case cxx.If():
                return self.if_statement(node)
            case cxx.RangeFor():
                return self.ranges.range_for(node, unroll)
            case cxx.StructuredBinding():
                return self.declarations.declaration(node)
            case cxx.UsingDeclaration():
                self.s.expr.names.using_declaration(node)
                return []
            case cxx.UsingDirective():
                self.s.expr.names.using_directive(node)
                return []
            case cxx.UsingEnum():
                self.s.expr.names.using_enum(node)
                return []
            case cxx.NamespaceAlias():
                self.s.expr.names.namespace_alias(node)
                return []
            case c_ast.If():
                before, cond = self.tested(lambda: self.s.expr.conversions.to_bool(self.s.expr.value(node.cond)))
                then, other = self.block(node.iftrue, span), self.block(node.iffalse, span)
                return [*before, If(span, cond, then, other)]
            case c_ast.While() | c_ast.DoWhile():
                return self.loops.while_loop(node, unroll)
            case c_ast.For():
                return [self.loops.for_loop(node, unroll)]
            case c_ast.Switch():
                return self.switches.switch(node)
            case c_ast.Break():
                if not self.s.current.body.breaks:
                    self.fail(span, "'break' outside a loop or switch")
                return [*self.destroyed(self.s.scopes.stack[self.s.current.body.breaks[-1] :], span), Break(span)]
            case c_ast.Continue():
                if not self.s.current.body.continues:
                    self.fail(span, "'continue' outside a loop")
                return [*self.destroyed(self.s.scopes.stack[self.s.current.body.continues[-1] :], span), Continue(span)]
            case c_ast.Return():
                return self.returns.return_statement(node)
            case c_ast.EmptyStatement() | c_ast.AttributeDeclaration():
                return []
            case c_ast.AttributedStatement():
                return self.statement(node.stmt, unroll)
            case c_ast.StaticAssert():
                self.static_assert(node)
                return []
            case AsmStatement():
                return [self.s.ptx.asm(node)]
            case Faulty():
                for name in node.names:
                    if self.s.scopes.lookup(name) is None:
                        self.s.scopes.make_unusable(name, span)
                return []
            case c_ast.Goto() | c_ast.Label():
                self.fail(span, "a block that is an expression can hold no 'goto' and no label")
            case c_ast.Case() | c_ast.Default():
                if not self.s.current.body.switches:
                    self.fail(span, f"'{type(node).__name__.lower()}' outside a switch")
                self.fail(span, "a block that is an expression can hold no label of a switch around it")
            case c_ast.Pragma():
                return []
            case BlockExpression():
                return [self.block(node.block, span)]
            case _:
                return [Evaluate(span, self.discarded(node))]

    def discarded(self, node: Node) -> Expr:
        """Check an expression whose value is discarded: an object is left where it is."""
        self.s.current.unwanted = node
        return self.left_where_it_is(self.s.expr.term(node))

    def left_where_it_is(self, term: Expr | Place) -> Expr:
        """Return what a term does whose value is not used ([expr.context])."""
        prvalues = self.s.classes.prvalues
        if not isinstance(term, Place):
            return prvalues.discarded(term)
        if isinstance(whole := root_of(term), Temporary):
            return prvalues.discarded(whole.value)
        if isinstance(term, Deref) and isinstance(term.pointer, Call):
            return term.pointer
        bits = isinstance(term, Member) and term.bits is not None
        if not prvalues.by_address(term.type) and (bits or not has_effects(term)):
            return self.s.expr.load(term)
        effects = self.s.expr.pointers.address(term, term.span)
        while isinstance(effects, Comma) and only_reads(effects.right):
            effects = effects.left
        return joined([] if only_reads(effects) else [effects], term.span)

    def block_value(self, node: BlockExpression) -> Expr:
        """Check `({ ... })` where its value is used: its variables are declared before the current statement."""
        span = node.coord
        if len(self.s.scopes.stack) == 1:
            self.fail(span, "a block is an expression only inside a function")
        found = len(self.s.diagnostics.faults)
        statements = self.block(node.block, span).statements
        if len(self.s.diagnostics.faults) > found:
            raise Reported
        steps: list[Expr] = []
        writable: dict[Variable, Variable] = {}
        for statement in statements:
            match statement:
                case Declare(variable=variable):
                    writable[variable] = replace(variable, const=False)  # its initialiser becomes an assignment
                    self.s.current.hidden.append(Declare(statement.span, writable[variable], None))
                    steps += self.first_values(statement)
                case Evaluate(expr=expr):
                    steps.append(expr)
                case _:
                    what = "a block that is an expression can hold only declarations and expressions"
                    self.fail(statement.span, what, help="write a `__device__` function")
        if not steps or not isinstance(statements[-1], Evaluate):
            steps.append(Convert(span, VOID, Constant(span, INT, 0), explicit=True))
        first, *others = (renamed(step, writable) for step in steps)
        result: Expr = first
        for step in others:
            result = Comma(span, step.type, result, step)
        return result

    def first_values(self, node: Declare) -> list[Expr]:
        """Return what a declaration's initialiser does, as assignments."""
        place = VarRef(node.span, node.variable.type, node.variable)
        match node.initial:
            case None:
                return []
            case Braces(items=items):
                return self.s.expr.objects.stores(place, list(items), node.span)
            case value:
                return [Assign(node.span, place.type, place, value)]

    def attempt(self, check: Callable[[], Expr]) -> Expr | None:
        """Check an expression of a statement whose other parts must be checked even if it is faulty."""
        try:
            return check()
        except Reported:
            return None

    def if_statement(self, node: cxx.If) -> list[Stmt]:
        """Check an `if` with an initialiser, a declaration as its condition, or `constexpr`."""
        span = node.coord
        with self.s.scopes.inside(Scope()):
            before: list[Stmt] = []
            if node.init is not None:
                before = self.with_hidden(partial(self.statement, node.init))
            if node.constexpr:
                chosen = self.s.constexpr.constant_condition(node.cond, "the condition of 'if constexpr'")
                kept = node.iftrue if chosen else node.iffalse
                found: list[Stmt] = [self.block(kept, span)] if kept is not None else []
            else:
                declared, cond = self.condition(node.cond)
                before += declared
                then, other = self.block(node.iftrue, span), self.block(node.iffalse, span)
                found = [If(span, cond, then, other)]
            found = [*before, *found, *self.destroyed(self.s.scopes.stack[-1:], span)]
        return found if len(found) == 1 and not before else [Block(span, tuple(found))]

    def condition(self, node: Node) -> tuple[list[Stmt], Expr]:
        """Check a condition, which may be a declaration; return the declaration and the test."""
        if isinstance(node, cxx.StructuredBinding):
            self.fail(node.coord, "a structured binding cannot be a condition")
        if not isinstance(node, c_ast.Decl | c_ast.DeclList):
            return self.tested(lambda: self.s.expr.conversions.to_bool(self.s.expr.value(node)))
        decl = node.decls[0] if isinstance(node, c_ast.DeclList) else node
        declared = self.with_hidden(lambda: self.declarations.declaration(decl))
        test = c_ast.ID(decl.name or "", name_span(decl))
        return declared, sound(self.attempt(lambda: self.s.expr.conversions.to_bool(self.s.expr.value(test))))

    def evaluate(self, node: Node) -> Evaluate:
        return Evaluate(node.coord, self.discarded(node))

    def static_assert(self, node: c_ast.StaticAssert) -> None:
        """Fail if the condition of a `static_assert` does not hold."""
        if not self.s.constexpr.constant_condition(node.cond, "the condition of 'static_assert'"):
            text = f": {node.message.value}" if node.message is not None else ""
            self.fail(node.cond.coord, f"static assertion failed{text}")


def sound(expr: Expr | None) -> Expr:
    """Return `expr`; a placeholder if it is faulty, in which case no module is ever made of it."""
    return Constant(NOWHERE, INT, 0) if expr is None else expr
