"""When names are declared: what a template names is found where it is defined, not where it is used ([temp.res])."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TypeVar

from .restore import restoring

V = TypeVar("V")


class Clock:
    """Counts the declarations of namespaces. What is declared at time 0 is always known."""

    def __init__(self) -> None:
        self.now = 0
        self._stopped = False

    def tick(self) -> int:
        """Return the time of one more declaration."""
        if not self._stopped:
            self.now += 1
        return self.now

    def stopped(self) -> AbstractContextManager[None]:
        """Declare what is always known: names of the library, which are declared when they are first looked up."""
        return restoring(self, now=0, _stopped=True)


class DeclaredNames(dict[str, V]):
    """The names of a namespace. `since` says when each was first declared."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self.since: dict[str, int] = {}

    def __setitem__(self, name: str, entry: V) -> None:
        if name not in self.since:
            self.since[name] = self._clock.tick()
        super().__setitem__(name, entry)
