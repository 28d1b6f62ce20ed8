"""Kernels beside those of a program, for some of their launches.

**Known as:** multiversioning, kernel variants.

A rewrite adds a kernel `K'` to the module, and a `Companion` that says which kernel it goes with and for what. What the
runtime is to know of it is in the descriptor of that kernel (`s2s_companion` in `runtime/include/s2s.h`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeGuard, TypeVar

MOST_COORDINATES = 16  # as many as an order of threads can distinguish

RowAxis = Literal["x", "y"]  # along which gangs lie
IN_STEP: dict[RowAxis, str] = {"x": "rows", "y": "columns"}  # what a block has of them


@dataclass(frozen=True, slots=True)
class Role:
    """What a companion is for. `kind`: its number in `s2s_companion_kind`; None if the runtime knows nothing of it."""

    kind: ClassVar[int | None] = None

    @property
    def number(self) -> int:
        """What else the runtime is to know."""
        return 0


@dataclass(frozen=True, slots=True)
class SingleThread(Role):
    """It does the same for blocks of one thread, and better (`transform/single_thread_blocks`)."""

    kind = 1


@dataclass(frozen=True, slots=True)
class StoresCoordinates(Role):
    """It stores what each thread searches for: so many numbers (`transform/traversals/query_order`)."""

    kind = 2
    count: int

    @property
    def number(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True)
class RunsInOrder(Role):
    """It runs the threads that a list names, in place of those of the launch; beside one that stores coordinates."""

    kind = 3


@dataclass(frozen=True, slots=True)
class InstallsRopes(Role):
    """It installs ropes in the tree of a traversal (`transform/traversals/static_ropes`)."""

    kind = 4


@dataclass(frozen=True, slots=True)
class FollowsRopes(Role):
    """It does the same by the ropes of `traversal`; beside one that installs them."""

    kind = 5
    traversal: str


@dataclass(frozen=True, slots=True)
class ForNearQueries(Role):
    """It does the same for threads that search for about the same as those beside them (`two_forms`)."""


@dataclass(frozen=True, slots=True)
class ForFarQueries(Role):
    """It does the same for other threads than these."""


@dataclass(frozen=True, slots=True)
class RunsInStep(Role):
    """It runs rows of a block in step where gangs lie along x; columns along y (`transform/thread_coarsening`).

    Each of its threads does the work of `rows` threads with neighbouring `threadIdx.y`, its own and those after it; of
    columns, with neighbouring `threadIdx.x`. `carried`: how many scalars each of them carries between iterations of a
    loop. `side`: of the square blocks that it runs, if the kernel has barriers.
    """

    along: RowAxis
    rows: int
    carried: int
    side: int | None = None


R = TypeVar("R", bound=Role)


@dataclass(frozen=True, slots=True)
class Companion(Generic[R]):
    """`kernel` has a `role` in launches of kernel `of`."""

    kernel: str
    of: str
    role: R


AnyCompanion = Companion[Any]
Rows = tuple[Companion[RunsInStep], ...]  # of one kernel and one axis; the most rows first


def with_role(companions: tuple[AnyCompanion, ...], role: type[R]) -> list[Companion[R]]:
    """Return the companions that have such a role."""

    def has_it(companion: AnyCompanion) -> TypeGuard[Companion[R]]:
        return isinstance(companion.role, role)

    return [companion for companion in companions if has_it(companion)]
