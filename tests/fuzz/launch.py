"""A program as data: its text, its arguments, and the launches to run it with."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

Axes = tuple[int, ...]
Members = tuple[tuple[str, str, int], ...]  # type, name, length of an array or 0


@dataclass(frozen=True)
class Array:
    """An array parameter: `per_thread` elements for each thread of the grid and `more`.

    `content`: "numbers", "small" ones, "zeros", or "tree" (TREE_NODES times key, left, right).
    """

    name: str
    type: str
    per_thread: int = 0
    more: int = 0
    content: str = "numbers"
    members: Members = ()  # of a struct


@dataclass(frozen=True)
class Alias:
    """A pointer parameter into the array of another one, `per_thread` elements per thread and `more` further on."""

    name: str
    type: str
    of: str
    per_thread: int = 0
    more: int = 0


@dataclass(frozen=True)
class Number:
    """An int parameter: `per_thread` for each thread of the grid, by 5, and `more`."""

    name: str
    per_thread: int = 0
    more: int = 0

    def value(self, threads: int) -> int:
        return max(1, self.per_thread * threads // 5 + self.more) if self.per_thread else self.more


@dataclass(frozen=True)
class Record:
    """A parameter that is a struct."""

    name: str
    type: str
    members: Members


Parameter = Array | Alias | Number | Record


@dataclass(frozen=True)
class Launch:
    grid: Axes
    block: Axes

    @property
    def threads(self) -> int:
        return prod(self.grid) * prod(self.block)


@dataclass(frozen=True)
class Program:
    """`small` is also run by the interpreter, `large` is not: that takes long. `seed` is that of the arrays."""

    text: str
    parameters: tuple[Parameter, ...]
    small: Launch
    large: Launch
    seed: int
    synchronises: bool

    @property
    def launches(self) -> tuple[Launch, ...]:
        return self.small, self.large
