"""When names are declared: what a template names is found where it is defined, not where it is used ([temp.res])."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

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


class NamesWithLater(DeclaredNames[V]):
    """The names of a namespace of our own headers, some of which are declared when they are first looked up."""

    def __init__(self, names: DeclaredNames[V]) -> None:
        super().__init__(names._clock)
        self.update(names)
        self.since = names.since
        self._later: dict[str, Callable[[], None]] = {}

    def later(self, name: str, declare: Callable[[], None]) -> None:
        """Have `declare` declare a name when it is looked up."""
        self._look_up(name)  # what has declared it before does so first
        self._later[name] = declare

    def _look_up(self, name: object) -> None:
        if name in self._later and isinstance(name, str):
            self._later.pop(name)()

    def __contains__(self, name: object) -> bool:
        self._look_up(name)
        return super().__contains__(name)

    def __getitem__(self, name: str) -> V:
        self._look_up(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None, /) -> Any:
        self._look_up(name)
        return super().get(name, default)
