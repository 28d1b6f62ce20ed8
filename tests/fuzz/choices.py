"""Where the generator's choices come from: a fast random generator, or Hypothesis, which can make a program smaller.

A choice is a whole number from 0 up. The generator asks for nothing else, so that the list of numbers that a fast
run recorded is also what Hypothesis starts from. 0 is the simplest choice everywhere: Hypothesis tends to it.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Choices(ABC):
    """What the generator draws from."""

    @abstractmethod
    def upto(self, most: int) -> int:
        """Return a number from 0 to `most`."""

    def part(self, make: Callable[[], T]) -> T:
        """Return `make()`, whose choices belong together: a smaller program may do without all of them."""
        return make()

    def several(self, least: int, most: int, make: Callable[[], object]) -> None:
        """Call `make` from `least` to `most` times; each call is a part that can be missing."""

        def once(at: int) -> bool:
            if at >= least and self.upto(most - at) == 0:
                return False
            make()
            return True

        for at in range(most):
            if not self.part(functools.partial(once, at)):
                break

    def between(self, least: int, most: int) -> int:
        return least + self.upto(most - least)

    def pick(self, options: Sequence[T]) -> T:
        return options[self.upto(len(options) - 1)]

    def chance(self, percent: int) -> bool:
        return self.upto(99) >= 100 - percent

    def weighted(self, options: Sequence[tuple[int, T]]) -> T:
        at = self.upto(sum(weight for weight, _ in options) - 1)
        for weight, option in options:
            at -= weight
            if at < 0:
                return option
        raise AssertionError("a number beyond the sum of the weights")


class RandomChoices(Choices):
    """Choices of a seeded generator; `made` has them."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.made: list[int] = []

    def upto(self, most: int) -> int:
        if most == 0:
            return 0
        self.made.append(int(self.random.random() * (most + 1)))
        return self.made[-1]


class HypothesisChoices(Choices):
    """Choices of Hypothesis; `draw` is what a composite strategy is given."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw

    def upto(self, most: int) -> int:
        return int(self.draw(_numbers(most))) if most else 0

    def part(self, make: Callable[[], T]) -> T:
        result: T = self.draw(st.builds(make))
        return result


@functools.cache
def _numbers(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)
