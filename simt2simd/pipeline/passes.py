"""Rows of the list of passes: what a row holds, and whether its pass runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..options import Options, Traverse
from ..tree import legal, show
from ..tree.nodes import Module
from .results import Result
from .state import PipelineState

T = TypeVar("T")


@dataclass(frozen=True)
class Pass(Generic[T]):
    """A row of the list. `why`: what it is for and, after a semicolon, why it has this place.

    `run` makes the `result`, `show` prints it as text. `without` makes it where the pass is switched off; None: that
    cannot be. `under_verify`: it also runs under `--verify`, where code relies on no claim about shapes. `for_gpus`: it
    takes nothing of our gangs for granted, and is part of what `--emit cuda` prints.
    """

    result: Result[T]
    run: Callable[[PipelineState], T]
    why: str
    show: Callable[[PipelineState], str]
    without: Callable[[PipelineState], T] | None = None
    under_verify: bool = True
    for_gpus: bool = False

    @property
    def name(self) -> str:
        """What `--dump-ir`, `--disable` and messages call it."""
        return self.result.name

    def make(self, c: PipelineState) -> T:
        """Return the result of the pass, or what replaces it where the pass is switched off."""
        return self.run(c) if self.without is None or runs(self, c.options) else self.without(c)


@dataclass(frozen=True)
class Choice:
    """What a pass decides on the spot, and may be kept from doing."""

    name: str
    why: str
    under_verify: bool = True


def runs(row: Pass[Any] | Choice, options: Options) -> bool:
    """Return whether an optimisation runs: neither `--disable` nor `--traverse` nor `--verify` leaves it out."""
    left_out = options.disabled | _NOT_FOR.get(options.traverse, frozenset())
    return row.name not in left_out and (row.under_verify or not options.verify)


# What `--traverse` leaves out, as `--disable` does.
_NOT_FOR: Mapping[Traverse, frozenset[str]] = {
    Traverse.RECURSIVE: frozenset({"stack-walks"}),
    Traverse.REFILL: frozenset({"query-order"}),  # whose blocks must all run: a block of `refill` works for others
    Traverse.NONE: frozenset({"merge-calls", "walks", "partial-inlining", "stack-walks"}),
}


def rewriting(
    result: Result[Module],
    rewrite: Callable[[Module], Module],
    why: str,
    *,
    without: Callable[[Module], Module] = lambda module: module,
    for_gpus: bool = False,
) -> Pass[Module]:
    """Return the row of a pass from tree to tree; `without` is the part of it that must run."""
    return making(result, lambda c: rewrite(c.module), why, lambda c: without(c.module), for_gpus=for_gpus)


def making(
    result: Result[Module],
    make: Callable[[PipelineState], Module],
    why: str,
    without: Callable[[PipelineState], Module] | None = None,
    *,
    for_gpus: bool = False,
) -> Pass[Module]:
    """Return the row of a pass that makes a tree of more than a tree, or that cannot be switched off."""

    def checking(make: Callable[[PipelineState], Module]) -> Callable[[PipelineState], Module]:
        return lambda c: checked(c, result.name, make(c))

    fallback = checking(without) if without is not None else None
    return Pass(result, checking(make), why, lambda c: show.show(c[result]), fallback, for_gpus=for_gpus)


def checked(c: PipelineState, name: str, after: Module) -> Module:
    """Return `after`, which the rewrite `name` has made, if it is what a pass may leave behind.

    A tree that is as it was keeps the laws: its nodes cannot change.
    """
    assert not c.module.outlined, "what `outline` notes is keyed by loops: a rewrite after it loses them"
    return after if after is c.module else lawful(c, name, after)


def lawful(c: PipelineState, name: str, module: Module) -> Module:
    """Return what a pass has made; with `--check-ir`, raise `InternalError` if it breaks a law of the tree."""
    if c.options.check_ir and module.external is None:
        legal.check(module, name)
    return module
