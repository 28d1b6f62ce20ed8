"""`Sema`: the whole that the rooms hold, records of what is known of a file and the rooms that find it out."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NoReturn

from ...diag import Diagnostic, Note
from ...source import Span
from ..text.top_level import HostOnly
from .current import Current, Here
from .diagnostics import Diagnostics
from .restore import restoring
from .scope_stack import ScopeStack
from .tables import FunctionTable, StructTable, VariableTable

if TYPE_CHECKING:
    from .calls.calls import Calls
    from .classes.classes import Classes
    from .constexpr.constants import Constants
    from .expr.expressions import Expressions
    from .half.half2 import Half
    from .linkage import Linkage
    from .ptx.asm import Assembly
    from .statements.statements import Statements
    from .templates.instantiate import Templates
    from .types.types import Types

CPP17, CPP20 = 201703, 202002


class Sema:
    """What is known of a file while it is checked, and the rooms, each of which holds this whole.

    `rooms.sema` makes one. The rooms are imported for their types only: none imports another, so that no cycle arises.
    """

    types: Types
    statements: Statements
    expr: Expressions
    calls: Calls
    classes: Classes
    templates: Templates
    constexpr: Constants
    ptx: Assembly
    half: Half
    linkage: Linkage  # what is known to other files

    def __init__(self, host_only: Mapping[str, HostOnly]) -> None:
        self.diagnostics = Diagnostics()
        self.scopes = ScopeStack(self.diagnostics, host_only)
        self.current = Current()
        self.here = Here()
        self.structs = StructTable()
        self.functions = FunctionTable()
        self.variables = VariableTable()
        self.cplusplus = CPP17  # the standard, as `__cplusplus` has it

    def at(self, here: Here) -> AbstractContextManager[None]:
        """Check something where `here` holds."""
        return restoring(self, here=here)


class Part:
    """A part of a room: what concerns other parts, it asks of them through `s`, the whole."""

    def __init__(self, s: Sema) -> None:
        self.s = s

    def fail(self, span: Span, message: str, *notes: Note, help: str | None = None) -> NoReturn:
        """Record a fault and leave whatever depends on it."""
        self.s.diagnostics.fail(span, message, *notes, help=help)

    def report(self, diagnostic: Diagnostic) -> None:
        """Record a fault."""
        self.s.diagnostics.report(diagnostic)
