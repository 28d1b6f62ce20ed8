"""Included files that were preprocessed before: what came of them is kept, with everything that it depended on.

That is for files that one program includes again and again, and in a store for those that many programs include.

What a file becomes depends on its text and on that of the files that it includes, on the macros that they ask for, on
which files were included already, and on which files there are. All of these are noted while a file is preprocessed
(`noted`). Where all are as they were, its text, the macros that it defines and the rest follow at once.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pcpp.preprocessor import Macro

from ...source import Expansion, Source, Span
from .noted import Notes
from .output import Mark
from .places import Places
from .pp_tokens import PpToken
from .preprocessed import Origin

_MOST_VARIANTS = 4  # of a file: those that were kept last


class Store(Protocol):
    """Bytes by key, which only the user can change, and only this version of the compiler has put there."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes) -> None: ...


@dataclass(eq=False)
class Record:
    """What one included file, and those that it includes in turn, have read and changed so far."""

    path: str
    macros_before: dict[str, Macro]
    once_before: dict[str, str | None]
    folders: tuple[str, ...]  # of the files that include this one
    can_open: bool
    counter: int
    made: int
    faults: int
    mark: Mark
    macros: Notes = field(default_factory=Notes)
    once: Notes = field(default_factory=Notes)
    files: dict[str, str | None] = field(default_factory=dict)  # path: the name in messages; None: not there
    exists: dict[str, bool] = field(default_factory=dict)
    library: list[str] = field(default_factory=list)
    uses_folders: bool = False
    deepest: int = 0
    characters: int = 0

    def add(self, inner: Record) -> None:
        """Add what a file has done that this one includes, except for macros and marks of files."""
        self.files |= inner.files
        self.exists |= inner.exists
        self.library += inner.library
        self.characters += inner.characters
        self.deepest = max(self.deepest, inner.deepest + 1)


@dataclass(frozen=True)
class Conditions:
    """What must be as it was. `macros` and `texts` are digests of those of `names` and `files`."""

    names: tuple[str, ...]
    macros: bytes
    once: tuple[tuple[str, bool], ...]
    files: tuple[tuple[str, str | None], ...]
    texts: bytes
    exists: tuple[tuple[str, bool], ...]
    folders: tuple[str, ...] | None
    counter: int | None
    can_open: bool
    deepest: int


@dataclass(frozen=True)
class Outcome:
    """What came of a file. `origins`: for each token the numbers of its file and expansion, line, column, length."""

    text: str
    starts: array[int]
    sources: tuple[str, ...]
    expansions: tuple[tuple[str, str, int, int, int], ...]
    origins: tuple[array[int], ...]
    macros: dict[str, tuple[Any, ...] | None]
    once: tuple[str, ...]
    library: tuple[str, ...]
    at: tuple[str, int]
    counted: int
    can_open: bool
    made: int


@dataclass(frozen=True)
class Found:
    """What came of a file before, and the texts of the files that have a part in it; None for those not there."""

    path: str
    conditions: Conditions
    outcome: Outcome
    sources: dict[str, Source | None]

    def record(self) -> Record:
        """Return what a file that includes this one has to know of it."""
        characters = sum(len(source.text) for source in self.sources.values() if source is not None)
        return Record(
            self.path, {}, {}, (), False, 0, 0, 0, Mark(0, 0, 0),
            files=dict(self.conditions.files), exists=dict(self.conditions.exists),
            library=list(self.outcome.library), deepest=self.conditions.deepest, characters=characters,
        )  # fmt: skip


class IncludeCache:
    """What is kept of the files that compilations with the same `options` include.

    Without a `store`, that is only what this one includes more than once.
    """

    def __init__(self, store: Store | None, options: object, places: Places) -> None:
        self._store = store
        self._options = options
        self._places = places
        self._again: dict[str, list[tuple[Conditions, Outcome]]] = {}

    def find(self, record: Record) -> Found | None:
        """Return what came of the file of `record`, which has just begun, in the same circumstances."""
        for conditions, outcome in self._again.get(record.path, ()):
            sources = self._sources_if_met(conditions, record)
            if sources is not None:
                return Found(record.path, conditions, outcome, sources)
        for conditions, held in self._variants(record.path):
            sources = self._sources_if_met(conditions, record)
            if sources is not None:
                outcome = pickle.loads(zlib.decompress(held))
                return Found(record.path, conditions, outcome, sources)
        return None

    @property
    def has_store(self) -> bool:
        return self._store is not None

    def keep(self, record: Record, outcome: Outcome, *, later: bool, again: bool) -> None:
        """Keep what came of the file of `record`, which has just ended.

        `later`: in the store; `again`: for this compilation.
        """
        conditions = self._conditions(record, outcome)
        if again:
            known = self._again.setdefault(record.path, [])
            known.insert(0, (conditions, outcome))
            del known[_MOST_VARIANTS:]
        if later and self._store is not None:
            variants = [(conditions, zlib.compress(pickle.dumps(outcome), 1)), *self._variants(record.path)]
            self._store.put(self._key(record.path), pickle.dumps(variants[:_MOST_VARIANTS]))

    def _conditions(self, record: Record, outcome: Outcome) -> Conditions:
        counted = outcome.counted > 0
        names = tuple(sorted(record.macros.read_before()))
        before = record.once_before
        return Conditions(
            names,
            _digest(fingerprint(record.macros_before.get(name)) for name in names),
            tuple((path, path in before) for path in sorted(record.once.read_before())),
            tuple(record.files.items()),
            _digest(_of_text(self._places.read(path)) for path in record.files),
            tuple(record.exists.items()),
            record.folders if record.uses_folders else None,
            record.counter if counted else None,
            record.can_open,
            record.deepest,
        )

    def _variants(self, path: str) -> list[tuple[Conditions, bytes]]:
        held = None if self._store is None else self._store.get(self._key(path))
        if held is None:
            return []
        try:
            found = pickle.loads(held)
        except Exception:  # pickle raises whatever the bytes make it stumble over
            return []
        return found if isinstance(found, list) and all(map(_is_variant, found)) else []

    def _key(self, path: str) -> str:
        return hashlib.sha256(repr((path, self._options)).encode(errors="surrogateescape")).hexdigest()

    def _sources_if_met(self, wanted: Conditions, now: Record) -> dict[str, Source | None] | None:
        """Return all files that have a part in what is kept; None if something is not as it was."""
        same = (
            wanted.can_open == now.can_open
            and wanted.counter in (None, now.counter)
            and wanted.folders in (None, now.folders)
            and all((path in now.once_before) == there for path, there in wanted.once)
            and wanted.macros == _digest(fingerprint(now.macros_before.get(name)) for name in wanted.names)
            and all(os.path.isfile(path) == there for path, there in wanted.exists)
        )
        if not same:
            return None
        sources = {path: self._places.read(path) for path, _ in wanted.files}
        if any(
            (source and source.name) != wanted_name
            for source, (_, wanted_name) in zip(sources.values(), wanted.files, strict=True)
        ):
            return None
        return sources if _digest(map(_of_text, sources.values())) == wanted.texts else None


def _is_variant(held: object) -> bool:
    match held:
        case (Conditions(), bytes()):
            return True
        case _:
            return False


def _digest(parts: Iterable[str]) -> bytes:
    made = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogateescape")
        made.update(b"%d:%b" % (len(data), data))
    return made.digest()


def _of_text(source: Source | None) -> str:
    return "" if source is None else "=" + source.text


# -------------------------------------------------------------------------------------------------- macros


def fingerprint(macro: Macro | None) -> str:
    """Return what distinguishes a macro from all others that a use of it could meet; "" for none."""
    if macro is None:
        return ""
    known: str | None = macro.__dict__.get("fingerprint")
    if known is None:
        first = macro.value[0].lexpos if macro.value else 0
        tokens = [(part.type, part.value, part.source, part.lineno, part.lexpos - first) for part in macro.value]
        known = macro.fingerprint = repr((macro.arglist, macro.variadic, macro.place, tokens))
    return known


class KeptMacro(Macro):
    """A macro whose tokens are made when they are first asked for."""

    def __init__(self, fields: dict[str, Any], tokens: tuple[Any, ...]) -> None:
        self.__dict__.update(fields)
        self._tokens = tokens

    def __getattr__(self, name: str) -> Any:
        if name != "value":
            raise AttributeError(name)
        self.value = [_token(self.name, *fields) for fields in self._tokens]
        return self.value


def _token(macro: str, kind: str, value: str, file: str, line: int, place: int) -> PpToken:
    token = PpToken()
    token.macro, token.type, token.value = macro, kind, value
    token.source, token.lineno, token.lexpos = file, line, place
    return token


def encoded_macro(macro: Macro | None) -> tuple[Any, ...] | None:
    if macro is None:
        return None
    fields = {key: value for key, value in macro.__dict__.items() if key not in _MADE_LATER}
    if isinstance(macro, KeptMacro):
        return fields, macro._tokens
    return fields, tuple((part.type, part.value, part.source, part.lineno, part.lexpos) for part in macro.value)


_MADE_LATER = frozenset(("value", "_tokens", "fingerprint"))


def decoded_macros(encoded: dict[str, tuple[Any, ...] | None]) -> dict[str, Macro | None]:
    return {name: None if fields is None else KeptMacro(*fields) for name, fields in encoded.items()}


# ------------------------------------------------------------------------------------------------- origins


def encoded_origins(
    origins: Sequence[Origin], places: Places
) -> tuple[tuple[str, ...], tuple[tuple[str, str, int, int, int], ...], tuple[array[int], ...]]:
    """Return the paths of the files of `origins`, their expansions, and columns of numbers, see `Outcome`."""
    files: dict[str, int] = {}
    expansions: dict[tuple[str, str, int, int, int], int] = {}
    numbers: dict[int, int] = {id(None): 0}  # by the id of an expansion
    columns = tuple(array("i") for _ in range(5))
    of_file, line, column, length, of_expansion = columns
    for origin in origins:
        of_file.append(files.setdefault(places.path_of(origin.source), len(files)))
        line.append(origin.line)
        column.append(origin.column)
        length.append(origin.length)
        expansion = origin.expansion
        if id(expansion) not in numbers:
            assert expansion is not None
            span = expansion.span
            key = expansion.macro, places.path_of(span.source), span.line, span.column, span.length
            numbers[id(expansion)] = expansions.setdefault(key, len(expansions) + 1)
        of_expansion.append(numbers[id(expansion)])
    return tuple(files), tuple(expansions), columns


def decoded_origins(outcome: Outcome, places: Places) -> list[Origin]:
    sources = [places.sources[path] for path in outcome.sources]
    expansions: list[Expansion | None] = [None]
    for macro, path, line, column, length in outcome.expansions:
        expansions.append(Expansion(macro, Span(places.sources[path], line, column, length)))
    of_file, lines, columns, lengths, of_expansion = outcome.origins
    from_file, from_expansion = map(sources.__getitem__, of_file), map(expansions.__getitem__, of_expansion)
    return list(map(Origin, from_file, lines, columns, lengths, from_expansion))
