"""Makes nodes for the passes: `build.assign(x, build.binary(build.read(x), "+", one))` is `x = x + 1;`.

The nodes of a builder are at one place of the program's text. Each call makes new nodes, around the operands given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..lang.builtins import Builtin, ThreadVariable
from ..lang.ctype import BOOL, INT, UINT, VOID, Array, CType, Field, Pointer
from ..source import Span
from .nodes import (
    COMPARISONS,
    Assign,
    Binary,
    BinaryOp,
    Block,
    BuiltinCall,
    Call,
    CompoundAssign,
    Conditional,
    Constant,
    Convert,
    Decay,
    Declare,
    Evaluate,
    Expr,
    Function,
    If,
    Index,
    Load,
    Logical,
    Loop,
    Member,
    Place,
    PointerAdd,
    Stmt,
    ThreadIndex,
    Unary,
    Variable,
    VarRef,
)


@dataclass(frozen=True)
class Build:
    """A builder for one place of the text."""

    span: Span

    # ------------------------------------------------------------------------------------------ values

    def number(self, ctype: CType, value: int | float | bool) -> Constant:
        return Constant(self.span, ctype, value)

    def place(self, variable: Variable) -> VarRef:
        return VarRef(self.span, variable.type, variable)

    def member(self, whole: Place, part: Field) -> Member:
        """`whole.part`"""
        return Member(self.span, part.type, whole, part.name, part.offset)

    def element(self, array: Place, ctype: CType, index: Expr) -> Index:
        """`array[index]`, of type `ctype`"""
        return Index(self.span, ctype, Decay(self.span, Pointer(ctype), array), index)

    def read(self, variable: Variable) -> Load:
        return Load(self.span, variable.type, self.place(variable))

    def first_element(self, array: Variable) -> Decay:
        """`array`, as the address of its first element"""
        assert isinstance(array.type, Array)
        return Decay(self.span, Pointer(array.type.element), self.place(array))

    def thread_index(self, axis: int = 0, name: ThreadVariable = "threadIdx") -> ThreadIndex:
        return ThreadIndex(self.span, UINT, name, axis)

    def convert(self, ctype: CType, value: Expr) -> Expr:
        """`value` itself if it has that type already"""
        return value if value.type == ctype else Convert(self.span, ctype, value)

    def binary(self, left: Expr, op: BinaryOp, right: Expr) -> Binary:
        """`left op right`: arithmetic or a comparison, of operands of one type"""
        return Binary(self.span, BOOL if op in COMPARISONS else left.type, op, left, right)

    def both(self, first: Expr, *more: Expr) -> Expr:
        """`first && ...`"""
        for cond in more:
            first = Logical(self.span, BOOL, "&&", first, cond)
        return first

    def negate(self, cond: Expr) -> Unary:
        return Unary(self.span, BOOL, "!", cond)

    def choose(self, cond: Expr, then: Expr, other: Expr) -> Conditional:
        """`cond ? then : other`"""
        return Conditional(self.span, then.type, cond, then, other)

    def call(self, function: Function, *args: Expr) -> Call:
        return Call(self.span, function.result, function.name, args)

    def call_builtin(self, builtin: Builtin, *args: Expr) -> BuiltinCall:
        return BuiltinCall(self.span, builtin.result, builtin, args)

    def plus(self, variable: Variable, value: Expr) -> CompoundAssign:
        """`variable += value`"""
        return CompoundAssign(self.span, variable.type, self.place(variable), "+", value, variable.type)

    # -------------------------------------------------------------------------------------- statements

    def declare(self, variable: Variable, initial: Expr | None = None) -> Declare:
        return Declare(self.span, variable, initial)

    def evaluate(self, value: Expr) -> Evaluate:
        return Evaluate(self.span, value)

    def prefetch(self, array: Expr, index: Expr) -> Evaluate:
        """Ask for the line of `array[index]` of the first lane, before it is read."""
        address = PointerAdd(self.span, array.type, array, index)
        asked = Builtin("__prefetch", "prefetch", (address.type,), VOID, pure=False)
        return self.evaluate(self.call_builtin(asked, address))

    def assign(self, to: Variable | Place, value: Expr) -> Evaluate:
        """`to = value;`"""
        place = self.place(to) if isinstance(to, Variable) else to
        return self.evaluate(Assign(self.span, place.type, place, value))

    def block(self, *statements: Stmt) -> Block:
        return Block(self.span, statements)

    def when(self, cond: Expr, then: Iterable[Stmt], other: Iterable[Stmt] = ()) -> If:
        """`if (cond) { then } else { other }`"""
        return If(self.span, cond, self.block(*then), self.block(*other))

    def count(self, variable: Variable, end: int, body: Iterable[Stmt]) -> Loop:
        """`for (int variable = 0; variable < end; variable += 1) { body }`"""
        below = self.binary(self.read(variable), "<", self.number(INT, end))
        start, step = self.declare(variable, self.number(INT, 0)), self.plus(variable, self.number(INT, 1))
        return Loop(self.span, (start,), below, (step,), self.block(*body))
