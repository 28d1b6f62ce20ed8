"""Reads of rows, a row for each lane: every few iterations the gang reads 64 bytes of each row, and transposes them.

    if (round % 16 == 0)  if a lane has many elements left, the next 16 of each lane's row -> room, transposed
    element =             room[round % 16], or a gather

This is for CPUs without gathers, which read sixteen elements one by one in every iteration. It looks for the lanes'
rows once in 16 iterations (8 with elements of 64 bits), and then shuffles 6 times for each: a product of a matrix with
a thread for each row takes 0.4 to 0.75 of the time if rows have 16 elements and more, 1.05 if they have five, that of a
sparse matrix 0.6 to 0.95 (EPYC, AMD, Zen 3, 27 November 2026). With gathers both take 0.75 to 1.8 (Xeon, AVX-512). No
lane reads beyond the end of its row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from llvmlite import ir

from ..analysis.row_streams import RowStreams
from ..costs import FEWEST_ITERATIONS_AHEAD, MOST_OWN_ROWS, VECTOR_NS, Form
from ..lang.ctype import Scalar
from ..mapping.access_cost import is_gathered
from ..simd import mask as masks
from ..simd.address import Address, pointer_to
from ..simd.builder import I1, I32, concat, const, slice_lanes
from ..simd.mask import Mask
from ..simd.transposed import RUN_BYTES, elements, read_runs
from ..simd.values import ANY_POINTER, Value, move, scalar_type, vector
from ..target import LANES
from ..tree import nodes as tree
from .frame import Frame

FORM = Form("vector loads of each lane's row and shuffles", 2 * VECTOR_NS, kind="strided")


@dataclass(frozen=True)
class Rows:
    """Reads of rows in a loop: the number of the gang's iteration, and whether the next elements are in the buffer.

    Both reads and their room are the loop's own; code of it that is emitted twice shares them.
    """

    rows: RowStreams
    iteration: ir.AllocaInstr
    ahead: ir.AllocaInstr
    room: ir.AllocaInstr


@dataclass
class State:
    """Of one function: reads by which lanes go along rows, and how many iterations their loops have run."""

    reads: dict[tree.Load, Rows] = field(default_factory=dict)
    iterations: dict[tree.Loop, ir.AllocaInstr] = field(default_factory=dict)


def begin(f: Frame, node: tree.Loop) -> None:
    """Begin to count iterations, before a loop in which lanes go along rows."""
    if f.shapes.instance in f.program.plans.divergent_waits.kept:
        return  # the gang may be split: each piece would count for all
    rows = f.program.plans.row_streams.get(f.shapes.function.name, {}).get(node)
    loads = [] if rows is None else [load for load in rows.loads if is_gathered(f.shapes, f.program.storage, load)]
    if rows is None or not loads:
        return
    number = f.allocate(I32, "round")
    f.b.store(const(I32, 0), number)
    state = f.state(State)
    for load in loads[:MOST_OWN_ROWS]:
        room = f.allocate(ir.ArrayType(ir.IntType(8), RUN_BYTES * f.lanes), "rows")
        room.align = RUN_BYTES
        state.reads[load] = Rows(rows, number, f.allocate(I1, "ahead"), room)
    state.iterations[node] = number


def is_one(f: Frame, node: tree.Load) -> bool:
    """Whether lanes go along rows by this read, in the loop that is lowered."""
    return node in f.state(State).reads


def end_iteration(f: Frame, node: tree.Loop) -> None:
    if (number := f.state(State).iterations.get(node)) is not None:
        f.b.store(f.b.add(f.b.load(number, typ=I32), const(I32, 1)), number)


def read(
    f: Frame, node: tree.Load, mask: Mask, where: Callable[[], Address], ends: Callable[[tree.Expr], Value]
) -> Value:
    """Read an element of each lane's row.

    `where` lowers its address and `ends` an end of the row, where they are needed: in few iterations.
    """
    found, ctype = f.state(State).reads[node], node.type
    assert isinstance(ctype, Scalar)
    b, count = f.b, elements(ctype.size)
    f.note(node, FORM)
    names = ("refill", "fill", "ready", "from.room", "from.memory", "done")
    refill, fill, ready, at_hand, elsewhere, done = (f.block(f"rows.{name}") for name in names)
    place = b.and_(b.load(found.iteration, typ=I32), const(I32, count - 1))
    b.cbranch(b.icmp_unsigned("==", place, const(I32, 0)), refill, ready)

    b.position_at_end(refill)
    at, end = (vector(b, ends(each)) for each in (found.rows.place, found.rows.end))
    left = _left(f, at, end, count, mask)
    many = Mask(b.icmp_unsigned(">=", left, const(left.type, min(FEWEST_ITERATIONS_AHEAD, count))))
    pays = masks.any_on(b, many)
    b.store(pays, found.ahead)
    b.cbranch(pays, fill, ready)

    b.position_at_end(fill)
    starts = vector(b, pointer_to(b, where(), ANY_POINTER))
    for first in range(0, f.lanes, LANES):
        parts = [slice_lanes(b, each, first, LANES) if f.lanes > LANES else each for each in (starts, left)]
        b.call(read_runs(f.program.llvm, ctype.size), [move(b, found.room, RUN_BYTES * first), *parts])
    b.branch(ready)

    b.position_at_end(ready)
    b.cbranch(b.load(found.ahead, typ=I1), at_hand, elsewhere)
    b.position_at_end(at_hand)
    sixteen = ir.VectorType(scalar_type(ctype), LANES)
    offset = b.mul(b.zext(place, ir.IntType(64)), const(ir.IntType(64), LANES * ctype.size))
    rooms = [move(b, move(b, found.room, RUN_BYTES * first), offset) for first in range(0, f.lanes, LANES)]
    held = concat(b, [b.load(room, typ=sixteen, align=RUN_BYTES) for room in rooms])
    after_held = b.block
    b.branch(done)
    b.position_at_end(elsewhere)
    gathered = vector(b, f.memory.load(where(), ctype, mask))
    after_gathered = b.block
    b.branch(done)
    b.position_at_end(done)
    phi = b.phi(held.type)
    phi.add_incoming(held, after_held)
    phi.add_incoming(gathered, after_gathered)
    return Value(ctype, phi)


def _left(f: Frame, place: ir.Value, end: ir.Value, most: int, mask: Mask) -> ir.Value:
    """Return how many elements of its row each lane has yet to read, up to `most`; none if it is off."""
    b = f.b
    left = b.sub(end, place)  # as the loop's test holds, this is a number without a sign
    left = b.select(b.icmp_unsigned("<", left, const(left.type, most)), left, const(left.type, most))
    counts = ir.VectorType(I32, f.lanes)
    left = left if left.type == counts else b.trunc(left, counts)
    return left if mask.all_on else b.select(mask.lanes, left, const(counts, 0))
