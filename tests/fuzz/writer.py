"""What all parts of the generator share: types, what can be named at some point of a program, and its text so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from .choices import Choices

T = TypeVar("T")

LIMIT = 4095  # of an int variable
INT_MAX = (1 << 31) - 1


@dataclass(frozen=True)
class Type:
    """A C type. `limit`: how large the values of a signed one are kept, so that no operation overflows."""

    name: str
    kind: str  # "signed", "unsigned" or "real"
    bits: int
    limit: int = 0


INT = Type("int", "signed", 32, LIMIT)
UNSIGNED = Type("unsigned", "unsigned", 32)
LONG = Type("long long", "signed", 64, 1 << 20)
WIDE = Type("unsigned long long", "unsigned", 64)
FLOAT, DOUBLE = Type("float", "real", 32), Type("double", "real", 64)
NARROW = (
    Type("unsigned char", "unsigned", 8),
    Type("signed char", "signed", 8, 128),
    Type("short", "signed", 16, 1 << 15),
    Type("unsigned short", "unsigned", 16),
    Type("bool", "unsigned", 1),
    Type("char", "signed", 8, 128),
)


@dataclass(frozen=True)
class Place:
    """Something that can be read, and written if `writable`.

    Places of one `group` may be the same object. `varying`: threads see different values from the start.
    """

    text: str
    type: Type
    group: str
    writable: bool = True
    varying: bool = False


@dataclass(frozen=True)
class Function:
    """A device function `name(depth, d, a, b)`; `pointer` is the type behind a further parameter that it writes to."""

    name: str
    pointer: Type | None = None


@dataclass
class Scope:
    """What can be named at some point of a function. Inner scopes are copies."""

    places: list[Place] = field(default_factory=list)
    arrays: dict[str, tuple[Type, int]] = field(default_factory=dict)  # a thread's own: element type, length - 1
    structs: dict[str, str] = field(default_factory=dict)  # variables: the name of the type
    uniform: list[str] = field(default_factory=list)  # small ints that are equal in the whole block
    loops: int = 0  # how many loops of this function lie around
    in_switch: bool = False
    mask: str = "0xffffffffu"  # in code of warps: lanes that are here, or have ended

    def inner(self, *, loop: bool = False, switch: bool = False) -> Scope:
        return Scope(
            list(self.places),
            dict(self.arrays),
            dict(self.structs),
            list(self.uniform),
            self.loops + loop,
            switch or (self.in_switch and not loop),
            self.mask,
        )

    def counter(self, name: str) -> None:
        """Let `name` be read: an int that is never assigned to."""
        self.places.append(Place(name, INT, name, writable=False))


@dataclass(frozen=True)
class Features:
    """What a program is about. Few things at once: each then meets the others often, and programs stay small."""

    effects: bool = False  # in the middle of expressions
    arrays: bool = False
    pointers: bool = False
    structs: bool = False
    narrow: bool = False
    wide: bool = False
    reals: bool = False
    switches: bool = False
    loops: bool = False
    leaves: bool = False  # break, continue, return
    calls: bool = False
    recursion: bool = False
    walks: bool = False  # recursion over a tree
    atomics: bool = False
    locks: bool = False
    sweeps: bool = False  # grid-stride loops
    barriers: bool = False
    warps: bool = False
    aliases: bool = False
    tiles: bool = False  # arrays of two dimensions in shared memory
    keeps: bool = False  # places in memory that are written while what they held is still used


class Writer:
    """The program as far as it is written, and what holds where its next piece will stand."""

    def __init__(self, choices: Choices, features: Features) -> None:
        self.choices = choices
        self.features = features
        self.lines: list[str] = []
        self.indent = 0
        self.names = 0
        self.statements_left = choices.between(6, 20)
        self.functions: list[Function] = []
        self.warp_functions: list[str] = []  # called with a mask, by all lanes of it
        self.may_leave = True  # threads of the kernel may end early
        self.structs: dict[str, list[tuple[Type, str, int]]] = {}  # members: type, name, length of an array or 0
        self.function: Function | None = None  # the one that is being written; None for the kernel
        self.recursive = False  # it may call itself
        self.index_forms: list[str] = []  # in the kernel: indices that are valid for every input array
        self.thread_numbers: list[str] = ["0"]  # in the kernel: small ints that differ between threads
        self.gang_conditions: list[str] = []  # in the kernel: conditions that hold for no thread of many gangs
        self.inputs: list[tuple[str, Type]] = []  # in the kernel: arrays to read
        self.counters: list[tuple[str, Type, str]] = []  # in the kernel: arrays of 8 for one atomic operation each
        self.lock_operator = "+="
        self.struct_values: list[str] = []  # in the kernel: values of type S0 to copy
        self.maker = False  # there is `S0 make(int a)`
        self.struct_function = False  # there is `mix(S0 s, S0 *t, int a)`
        self.ticking = False  # there is a function `tick`, which changes an element of `out`
        self.tree_parameter = ""  # the declaration of the tree that `visit` walks over
        self.sweep_rows = False  # grid-stride loops go over rows of `row_length` elements
        self.row_length = "count"
        self.data_type = INT  # of what they write
        self.kept_type, self.kept_form = INT, ""  # in the kernel: of the places of `keeping`
        self.leave = "return;"  # how a thread of the function ends
        self.tile_side = 16  # rows and columns of the tiles
        self.fits_tiles = False  # blocks are no larger than a tile
        self.only_tiles = False  # threads meet at plain barriers, and share nothing but tiles
        self.flat = False  # expressions name only constants, variables and what all threads share
        self.aliases: dict[str, str] = {}  # groups that were joined: the one that stands for both
        self.reserved: set[str] = set()  # groups that the present expression may not read
        self.free: list[Place] = []  # places that the present expression may change, once each

    # What the generator draws.

    def chance(self, percent: int) -> bool:
        return self.choices.chance(percent)

    def pick(self, options: Sequence[T]) -> T:
        return self.choices.pick(options)

    # The text.

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def braces(self, head: str = "", tail: str = "") -> Iterator[None]:
        self.line(f"{head} {{".lstrip())
        self.indent += 1
        yield
        self.indent -= 1
        self.line(f"}}{tail}")

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    # What an expression may name. Operands have no order, so what one of them changes, the others leave alone.

    def group(self, place: Place) -> str:
        name = place.group
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def join(self, *groups: str) -> str:
        """Let these groups be one from now on: a pointer may lead to any of them. Return its name."""
        roots = [self.group(Place("", INT, group)) for group in groups]
        for root in roots:
            if root != roots[0]:
                self.aliases[root] = roots[0]
        return roots[0]

    def readable(self, scope: Scope, matches: Callable[[Type], bool]) -> list[Place]:
        return [
            place
            for place in scope.places
            if matches(place.type) and self.group(place) not in self.reserved and not (self.flat and place.varying)
        ]

    def writable(self, scope: Scope, matches: Callable[[Type], bool] = lambda _: True) -> list[Place]:
        return [p for p in scope.places if p.writable and matches(p.type) and self.group(p) not in self.reserved]

    @contextmanager
    def expression(self, scope: Scope, target: Place | None = None) -> Iterator[None]:
        """A full expression begins, which assigns to `target`; some places are set aside for effects in its middle."""
        reserved, free = self.reserved, self.free
        self.reserved, self.free = set(reserved), []
        if target is not None:
            self.reserved.add(self.group(target))
        if self.features.effects and self.chance(50):
            for _ in range(self.choices.between(1, 3)):
                candidates = self.writable(scope, lambda t: t.kind != "real")
                if candidates:
                    place = self.pick(candidates)
                    self.free.append(place)
                    self.reserved.add(self.group(place))
        if target is not None and self.group(target) not in reserved:
            self.reserved.discard(self.group(target))  # to be read, not to be changed
        yield
        self.reserved, self.free = reserved, free

    @contextmanager
    def released(self, place: Place) -> Iterator[None]:
        """What is written here runs after the change of `place`."""
        group = self.group(place)
        self.reserved.discard(group)
        yield
        self.reserved.add(group)
