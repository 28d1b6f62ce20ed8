"""How the lanes of a gang reach memory: an access is planned once, here; what it becomes, is called and costs follows.

    in[n]             Broadcast      one scalar serves all lanes
    in[i]             Consecutive    one vector
    in[2 * i + 1]     Strided        the vectors of a window, shuffled
    in[max(i - 1, 0)] Near           what lies between the first and the last lane's, permuted
    tile[y][p[x]]     FromRow        the whole row, permuted, if that has all that is asked for; else as below or above
    in[(i + 1) % n]   IfEven         as one of those above in nearly all gangs; the gang looks whether it is one of them
    in[y * w + x]     InRuns         a vector for each row of a tile, or of a narrow block, in nearly all gangs
    in[p[i]]          Gathered       a gather or a scatter; of words around the scalars if these are small
    out[p[i]] = c     LaneByLane     a store of scalars that nothing scatters

`plan` is for sixteen lanes: wider gangs do as much again for every sixteen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, assert_never

from . import costs
from .costs import Form
from .target import LANES, Target

Verb = Literal["load", "store"]
VERBS: tuple[Verb, ...] = ("load", "store")


@dataclass(frozen=True)
class Spread:
    """How the addresses of a gang's lanes lie to each other.

    `stride`: lane l's lies l times as many bytes after lane 0's; None: they lie anywhere. The rest is as in
    `simd.address.Address`; `scale`, `rise` and `likely` are about addresses that lie anywhere, and `wide` says that
    these have 64 bits each, rather than 32 bits from a common base. `row`: these lie at the beginning of so many bytes,
    all of which may be read if one of them is. `run`: how many lanes lie side by side in a row of the block, most
    often: what is likely is so within such runs.
    """

    stride: int | None
    wide: bool = False
    interleave: int = 0
    record_size: int = 0
    record_offset: int = 0
    scale: int = 1
    rise: tuple[int, int] | None = None
    likely: int | None = None
    row: int = 0
    run: int = LANES


@dataclass(frozen=True)
class Broadcast:
    """One scalar at the common address."""


@dataclass(frozen=True)
class Consecutive:
    """One vector from the first lane's address on."""


@dataclass(frozen=True)
class Strided:
    """The vectors of a window, from the first lane's units to the last lane's, and shuffles of the units in it.

    A unit is what the shuffles move, of `size` bytes. The window begins `offset` bytes after the first lane's address.
    Lane l's units are number `l * step` and those that follow, or `(15 - l) * -step` if `step` is negative; `unit` of
    each lane's `abs(step)` units is the one that is accessed, `shift` bits into it. With `whole`, all of a lane's units
    are one record of the program's: all may be read.
    """

    offset: int
    size: int
    step: int
    unit: int = 0
    shift: int = 0
    whole: bool = False


@dataclass(frozen=True)
class Near:
    """One vector or two, and a permutation."""

    vectors: int


@dataclass(frozen=True)
class FromRow:
    """One vector or two with all `count` elements, and a permutation; `other` in a gang that asks for one beyond."""

    count: int
    other: Near | IfEven | InRuns | Gathered


@dataclass(frozen=True)
class IfEven:
    """`usual` in a gang whose lanes are `stride` bytes apart, else `other`."""

    stride: int
    usual: Broadcast | Consecutive | Strided
    other: Gathered | LaneByLane


@dataclass(frozen=True)
class InRuns:
    """A vector for each run of `lanes` lanes in a gang in which all runs are consecutive, else `other`."""

    lanes: int
    other: Gathered | LaneByLane

    @property
    def count(self) -> int:
        return LANES // self.lanes


@dataclass(frozen=True)
class Gathered:
    """A gather or a scatter. `words`: of the 32 bits round each scalar, which is smaller."""

    wide: bool
    words: bool = False


@dataclass(frozen=True)
class LaneByLane:
    """A loop over the lanes that are on."""


Access: TypeAlias = Broadcast | Consecutive | Strided | Near | FromRow | IfEven | InRuns | Gathered | LaneByLane


def plan(spread: Spread, size: int, verb: Verb, target: Target) -> Access:
    """Return the best way to access scalars of `size` bytes."""
    if spread.stride == 0:
        return Broadcast()
    if spread.stride == size:
        return Consecutive()
    window = strided(spread, size, verb) if target.mask_registers else None
    if window is not None:
        return window
    if verb == "load" and target.permutes and _is_in_row(spread, size):
        other = plan(replace(spread, row=0), size, verb, target)
        assert isinstance(other, Near | IfEven | InRuns | Gathered)
        return FromRow(spread.row // size, other)
    if verb == "load" and target.mask_registers and target.compresses and target.permutes and _is_near(spread, size):
        assert spread.rise is not None
        return Near(1 if max(map(abs, spread.rise)) <= size else 2)
    return _if_even(spread, size, verb, target) or _anywhere(spread, size, verb)


def strided(spread: Spread, size: int, verb: Verb) -> Strided | None:
    """Return how a window serves scalars of `size` bytes; None if something else is better or needed."""
    stride = spread.stride
    if not stride or spread.interleave:
        return None
    whole = record(spread, 8 if size == 8 else 4) if verb == "load" else None
    if whole is not None:
        return whole
    most = costs.MOST_VECTORS_READ if verb == "load" else costs.MOST_VECTORS_WRITTEN
    if stride % size or abs(stride) // size > most.get(size, 0):
        return None
    return Strided(min(stride, 0) * (LANES - 1), size, stride // size)


def record(spread: Spread, word: int) -> Strided | None:
    """Return the window of the whole records, in units of `word` bytes, that the scalars are parts of; None if too big.

    The lanes' records lie side by side, and serve the accesses of their other scalars too.
    """
    stride = spread.stride
    if not stride or spread.interleave or abs(stride) != spread.record_size or stride % word:
        return None
    if abs(stride) > costs.MOST_RECORD_BYTES:
        return None
    unit, rest = divmod(spread.record_offset, word)
    begin = min(stride, 0) * (LANES - 1) - spread.record_offset
    return Strided(begin, word, stride // word, unit, 8 * rest, whole=True)


def _is_near(spread: Spread, size: int) -> bool:
    """Whether all the lanes' elements lie within two vectors: from the first lane's on, or from the last lane's."""
    if spread.stride is not None or spread.rise is None or spread.interleave or spread.scale != size or size > 4:
        return False
    least, most = spread.rise
    return 0 <= least <= most <= 2 * size or 0 >= most >= least >= -2 * size


def _is_in_row(spread: Spread, size: int) -> bool:
    """Whether the row in which the elements lie fits two registers, whose lanes a permutation picks from."""
    if spread.stride is not None or spread.wide or spread.interleave or spread.scale != size or size != 4:
        return False
    return 0 < spread.row <= 2 * LANES * size


def _if_even(spread: Spread, size: int, verb: Verb, target: Target) -> IfEven | InRuns | None:
    """Return how lanes that are likely evenly spaced are accessed, if that is better than to access them anywhere."""
    stride = spread.likely
    if stride is None or spread.stride is not None or spread.wide or stride % spread.scale or not target.compresses:
        return None
    if spread.run < LANES:
        in_runs = InRuns(spread.run, _anywhere(spread, size, verb))
        return in_runs if stride == size and _pays(in_runs, size, verb, target) else None
    usual = plan(even(spread, stride), size, verb, target)
    if isinstance(usual, Consecutive | Strided) or (isinstance(usual, Broadcast) and verb == "load"):
        return IfEven(stride, usual, _anywhere(spread, size, verb))
    return None


def _pays(in_runs: InRuns, size: int, verb: Verb, target: Target) -> bool:
    """Whether a vector for each run costs less than a gather or a scatter."""
    usual, other = (form(way, size, verb, target).cost_ns for way in (in_runs, in_runs.other))
    return usual < other


def even(spread: Spread, stride: int) -> Spread:
    """Return what is left of `spread` in a gang whose lanes are `stride` bytes apart."""
    return replace(spread, stride=stride, scale=1, rise=None, likely=None)


def _anywhere(spread: Spread, size: int, verb: Verb) -> Gathered | LaneByLane:
    if size < 4 and verb == "store":
        return LaneByLane()
    return Gathered(spread.wide, words=size < 4)


# ------------------------------------------------------------------------------------------- words and costs


def form(access: Access, size: int, verb: Verb, target: Target) -> Form:
    """Return what an access is in words, and what it costs."""
    storing = verb == "store"
    match access:
        case Broadcast():
            cost = costs.SCALAR_STORE_NS if storing else costs.SCALAR_LOAD_NS
            return Form(f"scalar {verb}", cost, f"scalar {verb}", "uniform")
        case Consecutive():
            cost = costs.VECTOR_NS * max(1, size * LANES // 64)
            return Form(f"vector {verb}", cost, f"vector {verb}", "consecutive")
        case Strided():
            vectors = abs(access.step)
            plural = "s" if vectors > 1 else ""
            cost = costs.VECTOR_OF_WINDOW_NS * vectors
            return Form(f"{vectors} vector {verb}{plural} and shuffles", cost, kind="strided")
        case Near():
            return Form("vector load and permutation", costs.NEAR_NS, kind="strided")
        case FromRow():
            other = form(access.other, size, verb, target)
            other = replace(other, cost_ns=other.cost_ns + costs.TEST_NS)
            return Form("vector load of a row and permutation", costs.NEAR_NS, kind="strided", uneven=other)
        case IfEven():
            usual, other = (form(way, size, verb, target) for way in (access.usual, access.other))
            when = {0: "the same in all lanes", size: "consecutive"}.get(access.stride, "evenly spaced")
            text, cost = f"{usual.text} if {when}, else {other.text}", usual.cost_ns + costs.TEST_NS
            return Form(text, cost, kind=usual.kind, uneven=replace(other, cost_ns=other.cost_ns + costs.TEST_NS))
        case InRuns():
            other = form(access.other, size, verb, target)
            text, cost = f"{access.count} vector {verb}s if rows are consecutive", costs.RUN_NS * access.count
            uneven = replace(other, cost_ns=other.cost_ns + costs.TEST_NS)
            return Form(f"{text}, else {other.text}", cost + costs.TEST_NS, kind="consecutive", uneven=uneven)
        case LaneByLane():
            return Form("scatter, lane by lane", costs.LANE_BY_LANE_NS, kind="scatter")
        case Gathered():
            return _gathered(access, size, storing, target)
        case _:
            assert_never(access)


def _gathered(access: Gathered, size: int, storing: bool, target: Target) -> Form:
    name: Literal["scatter", "gather"] = "scatter" if storing else "gather"
    if not target.gathers:
        return Form(f"{name}, lane by lane", costs.LANE_BY_LANE_NS, kind=name)
    in_halves = size == 8 or access.wide
    text = f"{name}{' of two halves' if in_halves else ''}, {'64-bit addresses' if access.wide else '32-bit offsets'}"
    text += ", of the words around the scalars" if access.words else ""
    cost = costs.SCATTER_NS if storing else costs.GATHER_NS
    cost += costs.SECOND_HALF_NS * in_halves + costs.TAKE_FROM_WORD_NS * access.words
    return Form(text, cost, kind=name)
