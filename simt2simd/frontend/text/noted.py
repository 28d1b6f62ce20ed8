"""A dict that notes which of its keys were read and written: what a file that is included depends on and changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

V = TypeVar("V")


@dataclass
class Notes:
    """Keys that were read and written since some moment. `own`: written before they were read, if they were."""

    reads: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)

    def read_before(self) -> set[str]:
        """Return the keys whose value at the first moment was read."""
        return self.reads - self.own

    def then(self, reads: set[str], writes: set[str]) -> None:
        """Add what was read from here and written after these notes began."""
        self.reads |= reads
        self.own |= writes - self.reads
        self.writes |= writes


class Noted(dict[str, V], Generic[V]):
    """A dict whose `notes` have the keys of all reads and writes; those that no entry has are read too."""

    def __init__(self, values: dict[str, V] | None = None) -> None:
        super().__init__(values or {})
        self.notes = Notes()

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            self.notes.reads.add(key)
        return super().__contains__(key)

    def __getitem__(self, key: str) -> V:
        self.notes.reads.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None, /) -> Any:
        self.notes.reads.add(key)
        return super().get(key, default)

    def among(self, words: set[str]) -> set[str]:
        """Return those of `words` that are keys."""
        self.notes.reads |= words
        return words & self.keys()

    def __setitem__(self, key: str, value: V) -> None:
        self._write(key)
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        self._write(key)
        super().__delitem__(key)

    def pop(self, key: str, default: Any = None, /) -> Any:
        self._write(key)
        return super().pop(key, default)

    def _write(self, key: str) -> None:
        notes = self.notes
        notes.writes.add(key)
        if key not in notes.reads:
            notes.own.add(key)

    def replay(self, reads: set[str], changes: dict[str, V | None]) -> None:
        """Make `changes` (None: the key goes), which had read what `reads` names."""
        self.notes.then(reads, set(changes))
        for key, value in changes.items():
            if value is None:
                super().pop(key, None)
            else:
                super().__setitem__(key, value)
