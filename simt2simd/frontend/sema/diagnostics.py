"""What is found wrong while a file is checked, and what is reported of it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import NoReturn

from ...diag import Diagnostic, Note
from ...source import Span
from ..parse.words import host_only_use
from .restore import restoring
from .scopes import Ambiguous, Reported, Unusable

_MOST_ASKED = 5  # notes that say which instances of templates a fault is in


class Diagnostics:
    """The faults of a file. During a substitution attempt (SFINAE), `faults` is another list than `visible`."""

    def __init__(self) -> None:
        self.faults: list[Diagnostic] = []
        self.visible = self.faults  # those that are reported
        self._of_program = self.faults
        self.of_both_sides: dict[str, list[Diagnostic]] = {}  # why only the host can have a function, by its key
        self.has_syntax_faults = False
        self.host_faults: list[Diagnostic] = []  # of functions without callers
        self.asked: list[Note] = []  # the instances of templates that are being checked, innermost last

    def fail(self, span: Span, message: str, *notes: Note, help: str | None = None) -> NoReturn:
        """Record a fault and leave whatever depends on it."""
        self.report(Diagnostic(span, message, notes, help))
        raise Reported

    def report(self, diagnostic: Diagnostic) -> None:
        """Record a fault, with notes that say which instances of templates it is in."""
        if self.asked:
            asked = [*reversed(self.asked)]
            if len(asked) > _MOST_ASKED:
                asked = [*asked[: _MOST_ASKED - 1], asked[-1]]  # the last one is where the program's own code asks
            diagnostic = replace(diagnostic, notes=(*diagnostic.notes, *asked))
        self.faults.append(diagnostic)

    def refuse_unusable(self, name: str, span: Span, entry: Unusable) -> NoReturn:
        """Leave what uses a name whose declaration was faulty; the message about that is enough."""
        if isinstance(entry, Ambiguous):
            own = name.rpartition("::")[2]
            notes = tuple(Note(at, f"'{own}' is declared here") for at in entry.spans[:_MOST_ASKED])
            help = "write the namespace or the class that is meant before it"
            self.report(Diagnostic(span, f"'{name}' is ambiguous", notes, help))
            raise Reported
        if entry.why is not None:
            self.report(host_only_use(name, span, entry.why))
        elif not (self.has_syntax_faults or self.visible or self.host_faults):
            note = Note(entry.span, f"'{name}' is declared here")
            self.report(Diagnostic(span, f"'{name}' cannot be used in device code", (note,)))
        raise Reported

    def visibly(self, own: list[Diagnostic] | None = None) -> AbstractContextManager[None]:
        """Report faults even during a substitution attempt: those in the body of an instance are errors.

        With `own`, they are added to that list instead.
        """
        faults = self._of_program if own is None else own
        return restoring(self, faults=faults, visible=faults)
