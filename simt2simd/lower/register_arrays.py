"""Shared arrays whose first elements stay in registers while one gang is alone with them.

    for (s = n / 2; s > 0; s /= 2) {        as soon as only threads of the first gang have something to do:
        if (t < s) a[t] += a[t + s];            held = the first elements of a
        __syncthreads();                        for (; s > 0; s /= 2) if (t < s) held[t] += held[t + s];
    }                                           a = held

In memory, every step of such a loop waits for a store to become readable under a mask or at another place, some twenty
cycles; in registers, it is a permutation. There are two registers: threads write the first, at their own places, and
read in both. A read elsewhere (the index decides, when it runs) puts the first back and goes to memory. Only sixteen
threads take part, `THREADS`; of a wide gang, LLVM drops the rest.
"""

from __future__ import annotations

from collections.abc import Iterator

from llvmlite import ir

from ..analysis.storage import SHARED, root
from ..lang.ctype import INT, UINT, Array, Pointer, Scalar
from ..mapping import first_threads
from ..mapping.first_threads import Values
from ..mapping.fission import Choice, Items, Jump, Once, Plan, Region, Repeat, Selection, regions
from ..simd import mask as masks
from ..simd.address import index
from ..simd.builder import I32, concat, const, slice_lanes, undefined
from ..simd.instructions import instructions
from ..simd.mask import Mask
from ..simd.strided import load_vector, store_vector
from ..simd.values import I32_LANES, Value, move, splat, vector, vector_type
from ..target import LANES
from ..tree import nodes as tree
from ..tree.effects import repeats
from ..tree.nodes import Variable
from ..tree.same import narrow_index
from ..tree.walk import walk
from .frame import Frame

MAX_NODES = 150  # of a loop, which is copied
MAX_ARRAYS = 4
THREADS = LANES  # the most that may have something to do, the first ones of the block
LIKELY = (1, 1000)  # weights: an index out of the registers is an exception


# ----------------------------------------------------------------------------------------- which arrays, where


def find(f: Frame, plan: Plan, loop: Repeat) -> tuple[Variable, ...]:
    """The arrays that registers may hold while the first gang runs the loop alone; none if that would gain nothing."""
    target = f.program.options.target
    if f.claims is not None or not (target.permutes and target.mask_registers):
        return ()
    if not loop.test_first or loop.cond is None:
        return ()
    nodes = list(_nodes((loop,)))
    if len(nodes) > MAX_NODES or any(isinstance(node, tree.Return | tree.Call) for node in nodes):
        return ()
    if not _is_simple(loop.body) or not _is_simple(loop.step) or _changes_a_count(plan, loop):
        return ()
    values = {node.variable: node.initial for node in plan.remade if isinstance(node.initial, tree.Expr)}
    suitable = _by_name_only(f.shapes.function) & _used_well(f, nodes, values)
    return tuple(plan.ordered(suitable)[:MAX_ARRAYS])


def _nodes(items: Items) -> Iterator[tree.Node]:
    for item in items:
        match item:
            case Region():
                yield from item.nodes
            case Once():
                yield from walk(item.statement)
            case Choice():
                yield from walk(item.cond)
                yield from _nodes((*item.then, *item.other))
            case Repeat():
                if item.cond is not None:
                    yield from walk(item.cond)
                yield from _nodes((*item.body, *item.step))


def _is_simple(items: Items) -> bool:
    """Whether no jump leads out of the items."""
    for item in items:
        match item:
            case Jump() | Selection():
                return False
            case Choice():
                if not _is_simple(item.then) or not _is_simple(item.other):
                    return False
            case Repeat():
                if not _is_simple(item.body) or not _is_simple(item.step):
                    return False
    return True


def _changes_a_count(plan: Plan, loop: Repeat) -> bool:
    """Whether the number of threads that a region is for may be another one, or not be there, at the loop's test."""
    changed: set[Variable | None] = set()
    for item in loop.body:
        read: set[Variable | None] = set()
        for region in regions((item,)):
            if region in plan.prefixes and (count := plan.prefixes[region].count) is not None:
                if not repeats(count):
                    return True
                read |= {node.variable for node in walk(count) if isinstance(node, tree.VarRef)}
        for node in _nodes((item,)):
            if isinstance(node, tree.Declare):
                changed.add(node.variable)
            elif isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment):
                changed.add(root(node.place))
        if read & changed:
            return True
    return False


def array_of(place: tree.Place) -> Variable | None:
    """The shared array of 32-bit numbers of which a place is an element, by the array's name."""
    match place:
        case tree.Index(
            type=Scalar(size=4), pointer=tree.Decay(type=Pointer(volatile=False), place=tree.VarRef() as of)
        ):
            return of.variable if of.variable.storage == SHARED else None
    return None


def _by_name_only(function: tree.Function) -> set[Variable]:
    """The shared arrays of which nothing is used but elements, each by the array's name."""
    uses: dict[Variable, int] = {}
    for node in walk(function.body):
        if isinstance(node, tree.VarRef) and isinstance(node.variable.type, Array):
            uses[node.variable] = uses.get(node.variable, 0) + 1
        elif isinstance(node, tree.Index) and (array := array_of(node)) is not None:
            uses[array] = uses.get(array, 0) - 1
    exposed = {root(node.place) for node in walk(function.body) if isinstance(node, tree.AddressOf)}
    return {array for array, others in uses.items() if others == 0 and array not in exposed}


def _used_well(f: Frame, nodes: list[tree.Node], values: Values) -> set[Variable]:
    """The arrays that are written and read, written only by each thread at its own place."""
    written: set[Variable] = set()
    read: set[Variable] = set()
    unfit: set[Variable] = set()
    for node in nodes:
        match node:
            case tree.Assign(place=place) | tree.CompoundAssign(place=place) | tree.Increment(place=place):
                users = written
                fits = isinstance(place, tree.Index) and first_threads.is_thread_index(place.index, values)
            case tree.Load(place=place):
                users, fits = read, isinstance(place, tree.Index) and _is_plain(f, place.index)
            case _:
                continue
        if (array := array_of(place)) is not None:
            users.add(array)
            if not fits:
                unfit.add(array)
    return (written & read) - unfit


def _is_plain(f: Frame, node: tree.Expr) -> bool:
    """Whether an index is a number of 32 bits, without effects, that differs between threads."""
    if narrow_index(node).type not in (INT, UINT) or f.shapes.of(node).uniform:
        return False
    effects = tree.Assign | tree.CompoundAssign | tree.Increment | tree.BuiltinCall
    return not any(isinstance(below, effects) for below in walk(node))


# --------------------------------------------------------------------------------------------- what they hold


def take(f: Frame, arrays: tuple[Variable, ...]) -> None:
    """Read the arrays' first elements into registers. From here on their elements are there (`read`, `write`)."""
    for array in arrays:
        type_, element = _register(array)
        registers = [f.allocate(type_, f"{array.name}.held") for _ in range(2)]
        for i, register in enumerate(registers):
            there, where = _part(f, array, i)
            value = load_vector(f.b, where, type_, element.size, there) if there is not None else const(type_, 0)
            f.b.store(value, register)
        f.residents[array] = tuple(registers)


def give_back(f: Frame, arrays: tuple[Variable, ...]) -> None:
    """Write the registers back. From here on the arrays are in memory again."""
    for array in arrays:
        _flush(f, array)
        del f.residents[array]


def _register(array: Variable) -> tuple[ir.VectorType, Scalar]:
    """The type of a register for the array, and that of its elements."""
    assert isinstance(array.type, Array) and isinstance(array.type.element, Scalar)
    return vector_type(array.type.element, LANES), array.type.element


def _part(f: Frame, array: Variable, i: int) -> tuple[Mask | None, ir.Value]:
    """Which elements of register number `i` the array has, None for none of them, and where they are in memory."""
    assert isinstance(array.type, Array)
    where = move(f.b, f.address(array).start, array.type.element.size * LANES * i)
    count = array.type.count - LANES * i
    if count >= LANES:
        return Mask(masks.all_lanes(LANES)), where
    some = ir.Constant(masks.lane_bits(LANES), [int(lane < count) for lane in range(LANES)])
    return Mask(some) if count > 0 else None, where


def _flush(f: Frame, array: Variable) -> None:
    type_, element = _register(array)
    there, where = _part(f, array, 0)
    if there is not None:
        store_vector(f.b, where, f.b.load(f.residents[array][0], typ=type_), element.size, there)


def held(f: Frame, place: tree.Place) -> Variable | None:
    """The array to which a place belongs, if it is in registers."""
    array = array_of(place) if f.residents else None
    return array if array in f.residents else None


def read(f: Frame, array: Variable, where: Value, mask: Mask) -> Value:
    """Read the elements at the places `where`, each lane its own."""
    b = f.b
    type_, element = _register(array)
    places = vector(b, where)
    outside = b.and_(b.icmp_unsigned(">=", places, splat(b, ir.Constant(I32, 2 * LANES))), mask.lanes)
    elsewhere, here, done = f.block("held.elsewhere"), f.block("held.here"), f.block("held.done")
    b.cbranch(masks.any_on(b, Mask(outside, maybe_empty=True)), elsewhere, here).set_weights(LIKELY)
    b.position_at_end(elsewhere)
    _flush(f, array)
    from_memory = vector(b, f.memory.load(index(b, f.address(array), where, element.size), element, mask))
    b.branch(done)
    elsewhere = b.block
    b.position_at_end(here)
    registers = [b.load(register, typ=type_) for register in f.residents[array]]
    words = [b.bitcast(register, I32_LANES) if type_ != I32_LANES else register for register in registers]
    picked = instructions(f.program.options.target).permute(b, words, slice_lanes(b, places, 0, LANES))
    picked = b.bitcast(picked, type_) if type_ != I32_LANES else picked
    from_registers = concat(b, [picked] + [undefined(type_)] * (f.lanes // LANES - 1))
    b.branch(done)
    b.position_at_end(done)
    value = b.phi(from_memory.type, array.name)
    value.add_incoming(from_memory, elsewhere)
    value.add_incoming(from_registers, here)
    return Value(element, value)


def write(f: Frame, array: Variable, value: Value, mask: Mask) -> None:
    """Write the lanes that are on, each to the place of its own thread."""
    register = f.residents[array][0]
    new, written = (slice_lanes(f.b, whole, 0, LANES) for whole in (vector(f.b, value), mask.lanes))
    f.b.store(f.b.select(written, new, f.b.load(register, typ=new.type)), register)
