"""The context of the expression or the statement that is being checked."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from ...source import Span
from ...tree.nodes import Declare, Expr, Place, Variable, VarRef
from ..parse.words import Node
from .function_context import FunctionContext
from .qualified import Qualified
from .restore import restoring


@dataclass(frozen=True, slots=True)
class Here:
    """What holds for all that is checked inside something: `Sema.at` sets it for that long."""

    being_made: Place | None = None  # the object whose members' own initialisers are checked
    listed: Place | None = None  # the object that the current braced list is the value of
    inferred: Qualified | None = None  # what `auto` denotes in the current type
    launched: Span | None = None  # the call that is the launch of a kernel
    standard_only: bool = False  # while a user-defined conversion is looked for, which takes no second one


@dataclass(eq=False)
class Current:
    """What the current bodies have gathered so far, for the statements that are being checked."""

    bodies: list[FunctionContext] = field(default_factory=list)  # of the functions being checked, innermost last
    hidden: list[Declare] = field(default_factory=list)  # variables that the current statement needs before it
    read: set[Expr] = field(default_factory=set)  # values that are prvalues by a cast or `+`
    hidden_objects: set[Variable] = field(default_factory=set)  # the hidden variables that hold objects of classes
    temporaries: list[VarRef] = field(default_factory=list)  # objects that are destroyed at the statement's end
    evaluated: dict[Node, Expr | Place] = field(default_factory=dict)  # checked for their types, and used again
    declared: dict[Variable, Node] = field(default_factory=dict)  # the declarations of local variables
    unevaluated: bool = False  # within an operand of `sizeof` and the like
    unwanted: Node | None = None  # a call whose value is discarded
    inferred_before: Qualified | None = None  # what `auto` is in the declarators before the current one

    def gathering(self) -> AbstractContextManager[None]:
        """Gather for other statements than those around."""
        return restoring(self, hidden=[], temporaries=[])

    def own_temporaries(self) -> AbstractContextManager[None]:
        """Separate the objects that an expression makes from those of the statement around."""
        return restoring(self, temporaries=[])

    @property
    def body(self) -> FunctionContext:
        """The body that is being checked."""
        return self.bodies[-1]
