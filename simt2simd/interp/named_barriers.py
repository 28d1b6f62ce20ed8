"""Named barriers of a block: which threads have arrived, and which may continue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ..lang.builtins import ARRIVES, OF_TILES, OF_WARPS, WARP_SIZE

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A thread at a named barrier: the call's site, and the arguments that it brings."""

    site: int
    number: int
    count: int
    action: int
    vote: int

    @property
    def barrier(self) -> tuple[int, int]:
        return self.action & OF_TILES, self.number

    @property
    def waits(self) -> bool:
        return not self.action & ARRIVES


@dataclass(frozen=True, slots=True)
class Awaited:
    """A thread that waits until the 64-bit number at an address is another one than `number`."""

    site: int
    address: int
    number: int


@dataclass(frozen=True, slots=True)
class ChildrenAwaited:
    """A thread that waits for the children of its block."""

    site: int


@dataclass
class _Barrier(Generic[T]):
    """`arrived`: how often each thread has come since the barrier opened."""

    count: int = 0
    of_warps: bool = False
    arrived: Counter[T] = field(default_factory=Counter)
    votes: int = 0


@dataclass
class Meetings(Generic[T]):
    """`waiting`: the threads that wait, and what they wait for. `warps`: all threads of the block, warp by warp."""

    warps: list[tuple[T, ...]]
    waiting: dict[T, Meeting | Awaited] = field(default_factory=dict)
    _barriers: dict[tuple[int, int], _Barrier[T]] = field(default_factory=dict)

    def arrive(self, thread: T, meeting: Meeting) -> None:
        barrier = self._barriers.setdefault(meeting.barrier, _Barrier())
        barrier.count, barrier.of_warps = meeting.count, bool(meeting.action & OF_WARPS)
        barrier.arrived[thread] += 1
        barrier.votes += meeting.vote != 0
        if meeting.waits:
            self.waiting[thread] = meeting

    def opened(self, elsewhere: Collection[T]) -> dict[T, int]:
        """Open the barriers that enough threads have reached; return these threads, each with the number of votes.

        `elsewhere`: the threads that wait for something else. The others have ended.
        """
        goes_on: dict[T, int] = {}
        living = sum(any(t in elsewhere or t in self.waiting for t in warp) for warp in self.warps)
        for name, barrier in list(self._barriers.items()):
            if self._threads(barrier) >= (barrier.count or living * WARP_SIZE):
                goes_on |= dict.fromkeys(self._at(name), barrier.votes)
                del self._barriers[name]
        for thread in goes_on:
            del self.waiting[thread]
        return goes_on

    def awoken(self, read: Callable[[Awaited], bytes]) -> dict[T, None]:
        """Return the threads that continue because the number has changed; `read` gives its bytes."""
        awaiting = [(thread, one) for thread, one in self.waiting.items() if isinstance(one, Awaited)]
        goes_on = {thread: None for thread, one in awaiting if int.from_bytes(read(one), "little") != one.number}
        for thread in goes_on:
            del self.waiting[thread]
        return goes_on

    def _at(self, name: tuple[int, int]) -> list[T]:
        return [t for t, one in self.waiting.items() if isinstance(one, Meeting) and one.barrier == name]

    def _threads(self, barrier: _Barrier[T]) -> int:
        """Return how many threads have come; a warp of which all threads are here counts as 32."""
        total = 0
        for warp in self.warps:
            times = [barrier.arrived[thread] for thread in warp]
            whole = barrier.of_warps or min(times) > 0
            total += max(times) * WARP_SIZE if whole else sum(times)
        return total
