"""What the parts of the generator share: the classes of a program, what can be named, and the text so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from ..choices import Choices

if TYPE_CHECKING:
    from .topics import Topic

T = TypeVar("T")

PRELUDE = """\
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>
struct Trace {
    unsigned hash, next;
};
__device__ Trace traces[256];
__device__ Trace &trace() {
    return traces[blockIdx.x * blockDim.x + threadIdx.x];
}
__device__ void note(unsigned what) {
    Trace &t = trace();
    t.hash = t.hash * 31u + what;
}
__device__ unsigned fresh() {
    return ++trace().next;
}
"""


@dataclass
class Class:
    """A class of the program. `name` is what names it, with the arguments if it is made of a template.

    `users`: which special members are the user's own and leave a note. `forms`: expressions that use an object, as
    (type of the result, text with `{x}` for the object, `{s}` for a number, `{p}` for a number without side effects,
    `{v}` for a variable of the class). A result of type "unsigned" is a number; "C &" is a place in or of the object,
    which is gone when a temporary object is. `makers`: other ways to make an object, with `{o}` for any object.
    """

    name: str
    bases: list[Class] = field(default_factory=list)
    members: list[tuple[Class, str]] = field(default_factory=list)
    aggregate: bool = False
    default: bool = True
    copies: bool = True
    virtual: bool = False
    destroys_virtually: bool = False
    users: set[str] = field(default_factory=set)
    forms: list[tuple[str, str]] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)  # expressions that change the variable `{x}` and return it
    to: list[str] = field(default_factory=list)  # classes that it converts to
    makers: list[str] = field(default_factory=list)
    pairs: bool = False  # has a constructor of two numbers
    list_of: int = 0  # how many elements `items` has


@dataclass(frozen=True)
class Variable:
    text: str
    of: Class
    const: bool = False
    calls: bool = False  # naming it has side effects


@dataclass(frozen=True)
class Function:
    """A function of the program. `parameters`: (class or None for a number, "", "&", "const &" or "&&")."""

    name: str
    result: Class | None
    parameters: tuple[tuple[Class | None, str], ...]
    reference: bool = False


@dataclass
class Scope:
    """What can be named at some point of a function. Inner scopes are copies."""

    variables: list[Variable] = field(default_factory=list)
    numbers: list[str] = field(default_factory=lambda: ["k"])  # which nothing changes
    result: Class | None = None
    in_kernel: bool = False
    loops: int = 0
    breaks: bool = False
    label: str = ""

    def inner(self, *, loop: bool = False, switch: bool = False) -> Scope:
        return Scope(
            list(self.variables),
            list(self.numbers),
            self.result,
            self.in_kernel,
            self.loops + loop,
            self.breaks or loop or switch,
            self.label,
        )


class Writer:
    """The program as far as it is written."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.lines: list[str] = []
        self.indent = 0
        self.names = 0
        self.classes: list[Class] = []
        self.functions: list[Function] = []
        self.topics: list[Topic] = []
        self.overloads: list[str] = []  # sets of functions that take one argument of any type
        self.statements_left = choices.between(4, 16)

    def chance(self, percent: int) -> bool:
        return self.choices.chance(percent)

    def pick(self, options: Sequence[T]) -> T:
        return self.choices.pick(options)

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

    def number(self) -> int:
        """Return a number that no other event of the program has, mostly."""
        self.names += 1
        return 100 * self.names

    def class_named(self, name: str) -> Class | None:
        return next((c for c in self.classes if c.name == name), None)
