"""What the statements of a function must know of what is around them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...lang.ctype import CType, Pointer, Struct
from ...source import Span
from ...tree.nodes import Convert, Deref, Expr, Load, Variable, VarRef
from ..parse import cxx
from .scopes import FunctionName, Scope


@dataclass
class FunctionContext:
    """What the statements of a function must know of what is around them.

    `base` is the number of scopes around the function, `breaks` and `continues` the numbers of scopes around each loop
    (and switch) that the current statement is in. `this` holds the address of a method's object. `closures` are the
    classes of lambdas, by where they are. `named_result` is the variable that all `return`s name, `result_object` it as
    it is declared; `result` holds the address where the function makes an object of a class.
    """

    function: FunctionName
    switches: int = 0
    base: int = 0
    this: Variable | None = None
    breaks: list[int] = field(default_factory=list)
    continues: list[int] = field(default_factory=list)
    closures: dict[tuple[cxx.Lambda, tuple[Scope, ...]], Struct] = field(default_factory=dict)
    named_result: str = ""
    result: Variable | None = None
    result_object: Variable | None = None

    def result_address(self, ctype: CType) -> Variable:
        """Return the parameter that holds the address at which the function makes its result."""
        if self.result is None:
            self.result = Variable("result", Pointer(ctype), self.function.span, "param")
        return self.result

    def result_place(self, ctype: CType, span: Span, *, const: bool = False) -> Deref:
        """Return the object that is the function's result. `const`: it cannot be written there."""
        address = self.result_address(ctype)
        pointer: Expr = Load(span, address.type, VarRef(span, address.type, address))
        if const:
            pointer = Convert(span, Pointer(ctype, const=True), pointer)
        return Deref(span, ctype, pointer)

    @contextlib.contextmanager
    def loop(self, scopes: int) -> Iterator[None]:
        """Enter a loop with so many scopes around it."""
        self.breaks.append(scopes)
        self.continues.append(scopes)
        try:
            yield
        finally:
            self.breaks.pop()
            self.continues.pop()

    @contextlib.contextmanager
    def switch(self, scopes: int) -> Iterator[None]:
        """Enter a `switch` with so many scopes around it."""
        self.switches += 1
        self.breaks.append(scopes)
        try:
            yield
        finally:
            self.switches -= 1
            self.breaks.pop()
