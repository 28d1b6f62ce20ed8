"""What the threads of a warp do together, and which of them are together.

The threads of a warp run one at a time, each to its next warp function. Those whose *position* is the first in the
order of the program text are then together: `(4, 7, 2)` is number 4 of the function's nodes, a loop in its iteration 7,
and in it number 2. So threads that diverge in an `if` or leave a loop early meet again after it, as lanes of a gang do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from ..lang.builtins import WARP_SIZE, Builtin
from ..lang.ctype import VOID, CType, Scalar, is_float
from ..lang.numbers import encoded
from ..tree import nodes as tree
from ..tree.walk import children
from .ops import wrap

Position = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread at a warp function: the call's site and position, and the arguments that it brings."""

    site: int
    position: Position
    builtin: Builtin
    args: Sequence[Any]

    @property
    def named(self) -> int:
        """The lanes that take part, by their bits; all if the function does not say."""
        return self.args[0] if self.builtin.names_lanes else (1 << WARP_SIZE) - 1

    @property
    def kind(self) -> tuple[str, CType]:
        """The instruction: a function, and what it takes."""
        operands = self.builtin.params[self.builtin.names_lanes :]
        return self.builtin.op, operands[0] if operands else VOID

    @property
    def operands(self) -> Sequence[Any]:
        return self.args[1:] if self.builtin.names_lanes else self.args


def positions(body: tree.Node) -> dict[tree.Node, int]:
    """Number the loops, calls and warp functions of a function in the order in which they run."""
    found: dict[tree.Node, int] = {}

    def number(node: tree.Node) -> None:
        inner = children(node)
        if isinstance(node, tree.Loop):
            found[node] = len(found)
            test: list[tree.Node] = [] if node.cond is None else [node.cond]
            turn: list[tree.Node] = [node.body, *node.step]
            inner = [*node.init, *(test + turn if node.test_first else turn + test)]
        for below in inner:
            number(below)
        if isinstance(node, tree.Call) or (isinstance(node, tree.BuiltinCall) and node.builtin.of_warp):
            found[node] = len(found)

    number(body)
    return found


def together(lanes: Mapping[int, Waiting]) -> dict[int, Waiting]:
    """Return the lanes that are first in the order of the program."""
    first = min(waiting.position for waiting in lanes.values())
    return {lane: waiting for lane, waiting in lanes.items() if waiting.position == first}


def meeting(lanes: Mapping[int, Waiting]) -> dict[int, Waiting]:
    """Return the lanes that are first, and those named that wait for them at other calls of the same function."""
    here = together(lanes)
    while True:
        named = {lane for waiting in here.values() if waiting.builtin.gathers_lanes for lane in _lanes(waiting.named)}
        kinds = {waiting.kind for waiting in here.values()}
        more = {lane for lane in named & lanes.keys() - here.keys() if lanes[lane].kind in kinds}
        if not more:
            return here
        here |= {lane: lanes[lane] for lane in more}


def _lanes(bits: int) -> list[int]:
    return [lane for lane in range(WARP_SIZE) if bits >> lane & 1]


def outcome(lanes: Mapping[int, Waiting]) -> dict[int, Any]:
    """Return what a warp function gives to each of the lanes that are together."""
    builtin = next(iter(lanes.values())).builtin
    return {lane: _FUNCTIONS[builtin.op](_Here(builtin, lane, lanes)) for lane in lanes}


@dataclass(frozen=True, slots=True)
class _Here:
    """A warp function as one lane sees it."""

    builtin: Builtin
    lane: int
    lanes: Mapping[int, Waiting]

    @property
    def own(self) -> Sequence[Any]:
        return self.lanes[self.lane].operands

    @property
    def named(self) -> dict[int, Any]:
        """The first operand of each lane that this one names."""
        names = self.lanes[self.lane].named
        return {lane: waiting.operands[0] for lane, waiting in self.lanes.items() if names >> lane & 1}

    def value_of(self, lane: int) -> Any:
        """The value of another lane; of a lane that is not here, which CUDA leaves open, 0."""
        return self.lanes[lane].operands[0] if lane in self.lanes else type(self.own[0])(0)


def _bits(lanes: Iterable[int]) -> int:
    return sum(1 << lane for lane in lanes)


# ------------------------------------------------------------------------------------------- shuffles

# Each takes the lane, the five bits of the operand, the first lane of its segment and the last: where the value is.
_SOURCE: dict[str, Callable[[int, int, int, int], int]] = {
    "idx": lambda lane, by, first, last: first | (by & (last - first)),
    "up": lambda lane, by, first, last: lane - by if lane - by >= first else lane,
    "down": lambda lane, by, first, last: lane + by if lane + by <= last else lane,
    "xor": lambda lane, by, first, last: lane ^ by if lane ^ by <= last else lane,
}


def _shuffle(here: _Here) -> Any:
    _, by, *width = here.own
    segment = WARP_SIZE - (width[0] if width else WARP_SIZE) & WARP_SIZE - 1
    first = here.lane & segment
    last = first | (WARP_SIZE - 1 & ~segment)
    kind = here.builtin.op.removeprefix("warp_shfl_")
    return here.value_of(_SOURCE[kind](here.lane, by & WARP_SIZE - 1, first, last))


# ------------------------------------------------------------------------------------------- votes


def _ballot(here: _Here) -> int:
    return _bits(lane for lane, value in here.named.items() if value)


def _match_any(here: _Here) -> int:
    key = _pattern(here.own[0], here.builtin.params[1])
    return _bits(lane for lane, value in here.named.items() if _pattern(value, here.builtin.params[1]) == key)


def _match_all(here: _Here) -> tuple[int, int]:
    alike = len({_pattern(value, here.builtin.params[1]) for value in here.named.values()}) == 1
    return (_bits(here.named), 1) if alike else (0, 0)


def _pattern(value: Any, ctype: CType) -> int:
    """The bits of a value, by which it is compared."""
    if not is_float(ctype):
        return int(value)
    assert isinstance(ctype, Scalar)
    return int.from_bytes(encoded(value, ctype), "little")


# ------------------------------------------------------------------------------------------- reductions


def _reduction(operation: Callable[[int, int], int]) -> Callable[[_Here], int]:
    def run(here: _Here) -> int:
        ctype = here.builtin.result
        assert isinstance(ctype, Scalar)
        return wrap(reduce(operation, here.named.values()), ctype.bits, ctype.signed)

    return run


_FUNCTIONS: dict[str, Callable[[_Here], Any]] = {
    **{f"warp_shfl_{kind}": _shuffle for kind in _SOURCE},
    "warp_all": lambda here: int(all(here.named.values())),
    "warp_any": lambda here: int(any(here.named.values())),
    "warp_uni": lambda here: int(len({bool(value) for value in here.named.values()}) == 1),
    "warp_ballot": _ballot,
    "warp_activemask": lambda here: _bits(here.lanes),
    "warp_match_any": _match_any,
    "warp_match_all": _match_all,
    "warp_reduce_add": _reduction(lambda left, right: left + right),
    "warp_reduce_min": _reduction(min),
    "warp_reduce_max": _reduction(max),
    "warp_reduce_and": _reduction(lambda left, right: left & right),
    "warp_reduce_or": _reduction(lambda left, right: left | right),
    "warp_reduce_xor": _reduction(lambda left, right: left ^ right),
    "warp_sync": lambda here: None,
}
