"""Lowering of atomic functions: the lanes of a gang act in lane order, lowest first.

The other threads that may access the memory decide how. Shared memory of a block that one hthread runs is *owned*: the
gang's lanes only have to be serialised, by ordinary instructions. Global memory, and the shared memory of a team of
hthreads, need locked instructions, each of which costs as much as dozens of others: lanes that meet at one address are
combined first.

    one address for all lanes      the values are combined, then one update; the old values come from prefixes
    side by side, owned            vector load, operation, vector store
    anywhere, owned                16 scalar updates; where many lanes meet, which would wait for each other: an
                                   addition is counted (`vpconflictd`), other values are combined by address
    anywhere, locked               one update per distinct address; or, if that gives no old values, per lane
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from llvmlite import ir

from .. import costs
from ..analysis.storage import DEVICE, SHARED
from ..costs import MANY_MEET, MOST_MEET, Form
from ..lang.ctype import Pointer, Scalar, is_float, is_integer
from ..simd import mask as masks
from ..simd.address import Address, exact
from ..simd.builder import I16, I32, I64, Builder, concat, const, intrinsic, undefined
from ..simd.instructions import instructions
from ..simd.mask import Mask
from ..simd.values import I32_LANES, PTR, Value, splat, vector, vector_type
from ..simd.wide_gangs import address_part, mask_part, value_part
from ..target import LANES
from ..tree import nodes as tree
from ..tree.effects import root
from . import profile_counters
from .atomic_lanes import Access, address_by_address, lane_by_lane, unrolled
from .atomic_word import NAMES, Operation, combinable, combined, updated
from .frame import Frame


def atomic(
    f: Frame, node: tree.BuiltinCall, where: Address, values: tuple[Value, ...], mask: Mask, used: bool
) -> Value:
    """Lower a call; the result is the old value of each lane, and arbitrary unless `used`."""
    b, ctype = f.b, node.builtin.result
    assert isinstance(ctype, Scalar)
    name = node.builtin.op.removeprefix("atomic_")
    if name == "sub":
        name = "add"
        values = (Value(ctype, b.neg(values[0].ir), -values[0].stride),)
    assert name in NAMES
    where = exact(b, where)
    access = Access(Operation(name, ctype), where, values, mask, used)
    together = where.uniform and combinable(access.operation, used) and f.may("combined-atomics")
    form, how = _way(f, node, access, together)
    f.note(node, form)
    with profile_counters.access(
        f, node.span, form, mask, where, ctype, profile_counters.STORES | profile_counters.ATOMIC
    ):
        return Value(ctype, _updated(f, access, how))


def _updated(f: Frame, access: Access, how: Way) -> ir.Value:
    """Emit the updates, sixteen lanes at a time; return the old values."""
    b, mask, where, values, ctype = f.b, access.mask, access.where, access.values, access.operation.type
    if b.lanes == LANES:
        old = how(access)
        return old if old is not None else undefined(vector_type(ctype, LANES))
    parts = [
        replace(access, where=address_part(b, where, i), values=tuple(value_part(b, v, i) for v in values),
                mask=mask_part(b, mask, i))
        for i in range(b.lanes // LANES)
    ]  # fmt: skip
    with b.narrow(LANES):
        return concat(b, [_if_any(f, part, how) for part in parts])


Way = Callable[[Access], ir.Value | None]


def _way(f: Frame, node: tree.BuiltinCall, access: Access, together: bool) -> tuple[Form, Way]:
    """Choose how sixteen lanes make their updates; the way takes what they need for it and returns the old values."""
    if access.where.interleave:  # private memory: the lanes cannot meet
        form = Form("vector load, operation and store in private memory", costs.ATOMIC_PRIVATE_NS, kind="atomic")
        return form, lambda part: _side_by_side(f, part)
    may_be_owned = f.may("owned-atomics") and _origin(f, node.args[0]) != "global"
    how = "not locked in a block's own shared memory" if may_be_owned else "locked"

    def owned(part: Access) -> ir.Value | None:
        return _owned(f, node.args[0], part) if may_be_owned else None

    if together:
        cost = costs.ATOMIC_ONE_OWNED_NS if may_be_owned else costs.ATOMIC_ONE_LOCKED_NS
        form = Form(f"the lanes combined, then one update, {how}", cost, kind="atomic")
        return form, lambda part: _at_one_address(f, part, owned(part))
    cost = costs.ATOMIC_APART_OWNED_NS if may_be_owned else costs.ATOMIC_APART_LOCKED_NS
    form = Form(f"an update for each address, {how}", cost, kind="atomic")
    return form, lambda part: _choose(f, owned(part), lambda: _lanes_owned(f, part), lambda: _lanes_locked(f, part))


def _if_any(f: Frame, part: Access, how: Way) -> ir.Value:
    """Emit the updates of sixteen lanes of a wider gang, if any of them is on; return the old values."""
    nothing = undefined(vector_type(part.operation.type, LANES))

    def updates() -> ir.Value:
        old = how(part)
        return nothing if old is None else old

    if part.mask.all_on:
        return updates()
    found = _choose(f, masks.any_on(f.b, part.mask), updates, lambda: nothing)
    assert found is not None
    return found


# --------------------------------------------------------------------------------- which others may access it


Origin = Literal["shared", "global", ""]


def _owned(f: Frame, pointer: tree.Expr, access: Access) -> ir.Value:
    """Emit the test whether all active lanes' addresses are in shared memory of this hthread alone.

    Of an address with a base, the base decides: what it is moved to lies in the same object.
    """
    b = f.b
    origin = _origin(f, pointer)
    own_bytes = f.fixed("launch.own_shared_bytes", I32)
    if origin == SHARED:
        return b.icmp_unsigned("!=", own_bytes, ir.Constant(I32, 0), name="owned")
    shared, limit = b.ptrtoint(f.fixed("shared", PTR), I64), b.zext(own_bytes, I64)
    if access.where.wide is None:
        return b.icmp_unsigned("<", b.sub(b.ptrtoint(access.where.start, I64), shared), limit, name="owned")
    outside = b.icmp_unsigned(">=", b.sub(access.where.wide, splat(b, shared)), splat(b, limit))
    return b.not_(masks.any_on(b, masks.both(b, access.mask, outside)), name="owned")


def _origin(f: Frame, pointer: tree.Expr) -> Origin:
    """Return where a pointer leads: `SHARED`, "global", or "" if that is only known at run time."""
    match pointer:
        case tree.AddressOf() | tree.Decay():
            return _origin_of_place(f, pointer.place)
        case tree.PointerAdd():
            return _origin(f, pointer.pointer)
        case tree.Convert() if isinstance(pointer.operand.type, Pointer):
            return _origin(f, pointer.operand)
        case tree.Load(place=tree.VarRef(variable=variable)):
            of_kernel = f.shapes.function.kind == "kernel" and variable.storage == "param"
            changes = variable in f.program.storage.escaped
            return "global" if of_kernel and not changes else ""  # the host knows no address in shared memory
    return ""


def _origin_of_place(f: Frame, place: tree.Place) -> Origin:
    variable = root(place)
    if variable is not None:
        return SHARED if variable.storage == SHARED else "global" if variable.storage == DEVICE else ""
    match place:
        case tree.Deref() | tree.Index():
            return _origin(f, place.pointer)
        case tree.Member():
            return _origin_of_place(f, place.base)
    return ""


Emit = Callable[[], ir.Value | None]


def _choose(f: Frame, cond: ir.Value | None, then: Emit, other: Emit) -> ir.Value | None:
    """Emit `cond ? then() : other()` as a branch; a `cond` of None is false. Return None if either arm does."""
    if cond is None:
        return other()
    b = f.b
    blocks, done = (f.block("atomic.then"), f.block("atomic.else")), f.block("atomic.done")
    b.cbranch(cond, *blocks)
    ways: list[tuple[ir.Value | None, ir.Block]] = []
    for block, emit in zip(blocks, (then, other), strict=True):
        b.position_at_end(block)
        ways.append((emit(), b.block))
        b.branch(done)
    b.position_at_end(done)
    (first, after_then), (second, after_other) = ways
    if first is None or second is None:
        return None
    phi = b.phi(first.type, "old")
    phi.add_incoming(first, after_then)
    phi.add_incoming(second, after_other)
    return phi


# ------------------------------------------------------------------------------------ together, or separately


def _at_one_address(f: Frame, access: Access, owned: ir.Value | None) -> ir.Value | None:
    """Combine the active lanes' values, update memory once; a lane's old value is what the lanes before it left."""
    b, operation, pointer = f.b, access.operation, access.where.start
    total, prefix = combined(b, operation, access.values[0], access.mask, access.used, f.program.options.target)
    old = _choose(
        f,
        owned,
        lambda: operation.update(b, pointer, (total,), locked=False),
        lambda: operation.update(b, pointer, (total,), locked=True),
    )
    return None if prefix is None or old is None else updated(b, operation, splat(b, old), prefix)


def _side_by_side(f: Frame, access: Access) -> ir.Value | None:
    """Update the words of lanes that cannot meet, by one vector operation."""
    old = f.memory.load(access.where, access.operation.type, access.mask)
    new = updated(f.b, access.operation, vector(f.b, old), *(vector(f.b, value) for value in access.values))
    f.memory.store(access.where, Value(access.operation.type, new), access.mask)
    return vector(f.b, old) if access.used else None


# ---------------------------------------------------------------------------------- owned: no locks


def _lanes_owned(f: Frame, access: Access) -> ir.Value | None:
    """Make the lanes' updates by ordinary instructions."""
    b, where, operation, target = f.b, access.where, access.operation, f.program.options.target
    if where.wide is not None:  # all of it lies within the block's shared memory
        shared = f.fixed("shared", PTR)
        offsets = b.trunc(b.sub(where.wide, splat(b, b.ptrtoint(shared, I64))), I32_LANES)
        where = Address(shared, offsets=offsets)
        access = replace(access, where=where)
    if where.offsets is None:
        return _side_by_side(f, access) if where.stride == operation.type.size else _each_owned(f, access)
    counts = operation.name == "add" and is_integer(operation.type) and operation.type.bits == 32
    counts = counts and access.values[0].uniform and target.conflicts
    if access.used or not combinable(operation, access.used):
        return _counted(f, access) if counts else _each_owned(f, access)
    meet = _meeting_neighbours(b, access)

    def most_meet() -> ir.Value | None:
        return address_by_address(b, access, target, locked=False)

    def many_meet() -> ir.Value | None:
        return _choose(f, _at_least(b, meet, MOST_MEET), most_meet, lambda: _counted(f, access))

    few = MANY_MEET if counts else MOST_MEET
    return _choose(f, _at_least(b, meet, few), many_meet if counts else most_meet, lambda: _each_owned(f, access))


def _meeting_neighbours(b: ir.IRBuilder, access: Access) -> ir.Value:
    """Count the active lanes that have the address of the next lane."""
    offsets = access.where.offsets
    assert offsets is not None
    rotate = ir.Constant(I32_LANES, [(lane + 1) % LANES for lane in range(LANES)])
    alike = masks.both(b, access.mask, b.icmp_unsigned("==", offsets, b.shuffle_vector(offsets, offsets, rotate)))
    return intrinsic(b, "llvm.ctpop", masks.bits(b, alike), name_result="meet")


def _at_least(b: ir.IRBuilder, count: ir.Value, least: int) -> ir.Value:
    return b.icmp_unsigned(">=", count, ir.Constant(I16, least))


def _counted(f: Frame, access: Access) -> ir.Value | None:
    """Add one number in all lanes: a lane's old value is memory's, plus the number for each earlier lane it meets.

    Of the lanes that meet, the highest has the sum, and its store is the last.
    """
    b, number, offsets = f.b, splat(f.b, access.values[0].ir), access.where.offsets
    assert offsets is not None
    earlier = instructions(f.program.options.target).conflicts(b, offsets, name="earlier")
    if not access.mask.all_on:
        earlier = b.and_(earlier, splat(b, b.zext(masks.bits(b, access.mask), I32)))
    count = intrinsic(b, "llvm.ctpop", earlier)
    loaded = f.memory.load(access.where, access.operation.type, access.mask)
    old = b.add(loaded.ir, b.mul(count, number), name="old")
    f.memory.store(access.where, Value(access.operation.type, b.add(old, number)), access.mask)
    return old if access.used else None


def _each_owned(f: Frame, access: Access) -> ir.Value | None:
    """Make scalar updates, one lane after the other: in place for a full gang."""
    return unrolled(f.b, access) if access.mask.all_on else lane_by_lane(f.b, access, locked=False)


# ------------------------------------------------------------------------------------------- locked


def _lanes_locked(f: Frame, access: Access) -> ir.Value | None:
    """Make the lanes' updates by locked instructions, as few as possible."""
    operation, where = access.operation, access.where
    access = _without_neutral(f.b, access)
    meet = where.offsets is not None or where.wide is not None
    cheap = not access.used or (operation.name == "add" and access.values[0].uniform)  # without a scan for each address
    if meet and cheap and combinable(operation, access.used):
        return address_by_address(f.b, access, f.program.options.target, locked=True)
    return lane_by_lane(f.b, access, locked=True)


def _without_neutral(b: Builder, access: Access) -> Access:
    """Leave out the lanes whose value changes nothing, if the old one is not used. Perhaps none remains."""
    value, operation = access.values[0], access.operation
    if access.used or operation.name not in ("add", "or", "xor") or is_float(operation.type) or value.uniform:
        return access
    lanes = vector(b, value)
    return replace(access, mask=masks.both(b, access.mask, b.icmp_unsigned("!=", lanes, const(lanes.type, 0))))
