"""Lowering of atomic functions: the lanes of a gang act in lane order, lowest first.

Who else may touch the memory decides how. Shared memory of a block that one hthread runs is *owned*: the gang's
lanes only have to be kept apart from each other, by ordinary instructions. Global memory, and the shared memory of
a team of hthreads, need locked instructions, each of which costs as much as dozens of others: lanes that meet at one
address are combined first. All orderings are relaxed, as in CUDA.

    all lanes at one address       the values are reduced, then one access; the old values are prefixes
    a scalar per lane, side by side, owned     vector load, operation, vector store
    lanes that may meet, owned     16 scalar updates; where many lanes meet, additions are counted (`vpconflictd`)
    lanes that may meet, locked    one access per distinct address
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from llvmlite import ir

from . import mask as masks
from . import tree
from .atomic_word import Operation, combinable, combined, updated
from .ctype import Pointer, Scalar, is_float
from .frame import Frame
from .irtools import I1, I32, I64, const, declare, intrinsic, undefined
from .mask import I16, LANE_BITS, Mask
from .outcome import Form
from .storage import SHARED, root
from .target import LANES
from .vector import I32_LANES, PTR, Address, Value, move, splat, vector, vector_type

# Of 16 lanes, how many have their neighbour's address before 16 scalar updates, which wait for each other where they
# meet, are slower than counting; and than combining the lanes of each address.
MANY_MEET, MOST_MEET = 6, 12
FULL = ir.Constant(I16, (1 << LANES) - 1)


@dataclass(frozen=True)
class Access:
    """One atomic call under its mask. `values` are those behind the pointer; `used`: the old values are wanted."""

    operation: Operation
    where: Address
    values: tuple[Value, ...]
    mask: Mask
    used: bool

    @property
    def type(self) -> Scalar:
        return self.operation.type

    @property
    def meets(self) -> bool:
        """Two lanes may have the same address."""
        return self.where.uniform or self.where.offsets is not None or self.where.wide is not None


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
    access = Access(Operation(name, ctype), where, values, mask, used)
    owned = None if where.interleave else _owned(f, node.args[0], access)
    f.note(node, _form(access, owned))
    if where.interleave:  # private memory: the lanes cannot meet
        old = _side_by_side(f, access)
    elif where.uniform and combinable(access.operation, used):
        old = _at_one_address(f, access, owned)
    else:
        old = _choose(f, owned, lambda: _lanes_owned(f, access), lambda: _lanes_locked(f, access))
    return Value(ctype, old if old is not None else undefined(vector_type(ctype)))


def _form(access: Access, owned: ir.Value | None) -> Form:
    """What the call becomes, for the remarks."""
    how = "locked" if owned is None else "owned shared memory"
    if access.where.interleave:
        return Form("vector load, operation and store in private memory", 2.0)
    if access.where.uniform and combinable(access.operation, access.used):
        return Form(f"lanes are combined, then one access ({how})", 11.0 if owned is None else 2.5)
    if owned is None:
        return Form(f"one access per address ({how})", 160.0)
    return Form(f"one access per lane ({how})", 6.0)


# --------------------------------------------------------------------------------- who else may touch it


def _owned(f: Frame, pointer: tree.Expr, access: Access) -> ir.Value | None:
    """Whether all active lanes' addresses are in shared memory that only this hthread uses; None: certainly not.

    Of an address with a base, the base decides: what it is moved to lies in the same object.
    """
    b = f.b
    origin = _origin(f, pointer)
    own_bytes = f.fixed("launch.own_shared_bytes", I32)
    if origin == SHARED:
        return b.icmp_unsigned("!=", own_bytes, ir.Constant(I32, 0), name="owned")
    if origin == "global":
        return None
    shared = b.ptrtoint(f.fixed("shared", PTR), I64)
    limit = b.zext(own_bytes, I64)
    if access.where.base is not None:
        return b.icmp_unsigned("<", b.sub(b.ptrtoint(access.where.base, I64), shared), limit, name="owned")
    outside = b.icmp_unsigned(">=", b.sub(access.where.wide, splat(b, shared)), splat(b, limit))
    return b.not_(masks.any_on(b, masks.both(b, access.mask, outside)), name="owned")


def _origin(f: Frame, pointer: tree.Expr) -> str:
    """Where a pointer leads: `SHARED`, "global", or "" if only the program's run tells."""
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


def _origin_of_place(f: Frame, place: tree.Place) -> str:
    variable = root(place)
    if variable is not None:
        return SHARED if variable.storage == SHARED else ""
    match place:
        case tree.Deref() | tree.Index():
            return _origin(f, place.pointer)
        case tree.Member():
            return _origin_of_place(f, place.base)
    return ""


Emit = Callable[[], ir.Value | None]
Update = Callable[[ir.Value, tuple[ir.Value, ...]], ir.Value]  # (pointer, values) -> the old value


def _choose(f: Frame, cond: ir.Value | None, then: Emit, other: Emit) -> ir.Value | None:
    """`cond ? then() : other()`, by a branch; `cond` None means false."""
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
    (first, _), (second, _) = ways
    if first is None or second is None:
        return None
    phi = b.phi(first.type, "old")
    for value, block in ways:
        phi.add_incoming(value, block)
    return phi


# --------------------------------------------------------------------------------------- one address


def _at_one_address(f: Frame, access: Access, owned: ir.Value | None) -> ir.Value | None:
    """Reduce the active lanes' values, update memory once; a lane's old value is what the lanes before it left."""
    b, operation = f.b, access.operation
    total, prefix = combined(b, operation, access.values[0], access.mask, access.used, f.program.options.target)
    pointer = access.where.base
    old = _choose(
        f, owned, lambda: operation.plain(b, pointer, (total,)), lambda: operation.locked(f, pointer, (total,))
    )
    return None if prefix is None else updated(b, operation, splat(b, old), prefix)


# ---------------------------------------------------------------------------------- owned: no locks


def _lanes_owned(f: Frame, access: Access) -> ir.Value | None:
    """The lanes' updates by ordinary instructions."""
    b, where = f.b, access.where
    if where.stride == access.type.size and not access.meets:
        return _side_by_side(f, access)
    if where.wide is not None:  # all of it lies within the block's shared memory
        shared = f.fixed("shared", PTR)
        offsets = b.trunc(b.sub(where.wide, splat(b, b.ptrtoint(shared, I64))), I32_LANES)
        access = replace(access, where=Address(shared, offsets=offsets))
    if access.where.offsets is None:
        return _each_owned(f, access)
    if _can_count(f, access):
        if access.used:
            return _counted(f, access)
        return _choose(
            f, _neighbours_meet(b, access, MANY_MEET), lambda: _counted(f, access), lambda: _each_owned(f, access)
        )
    if access.used or not combinable(access.operation, used=False):
        return _each_owned(f, access)

    def update(pointer: ir.Value, values: tuple[ir.Value, ...]) -> ir.Value:
        return access.operation.plain(b, pointer, values)

    return _choose(
        f,
        _neighbours_meet(b, access, MOST_MEET),
        lambda: _address_by_address(f, access, update),
        lambda: _each_owned(f, access),
    )


def _can_count(f: Frame, access: Access) -> bool:
    """One 32-bit integer is added in all lanes, and the processor finds lanes that meet."""
    adds = access.operation.name == "add" and access.type.kind == "int" and access.type.bits == 32
    return adds and access.values[0].uniform and f.program.options.target.has_avx512


def _side_by_side(f: Frame, access: Access) -> ir.Value | None:
    """Lanes that cannot meet: one vector operation."""
    old = f.memory.load(access.where, access.type, access.mask)
    new = updated(f.b, access.operation, vector(f.b, old), *(vector(f.b, value) for value in access.values))
    f.memory.store(access.where, Value(access.type, new), access.mask)
    return vector(f.b, old) if access.used else None


def _neighbours_meet(b: ir.IRBuilder, access: Access, least: int) -> ir.Value:
    """Whether at least so many lanes have the address of the next one."""
    offsets = access.where.offsets
    rotate = ir.Constant(I32_LANES, [(lane + 1) % LANES for lane in range(LANES)])
    alike = masks.both(b, access.mask, b.icmp_unsigned("==", offsets, b.shuffle_vector(offsets, offsets, rotate)))
    count = intrinsic(b, "llvm.ctpop", masks.bits(b, alike))
    return b.icmp_unsigned(">=", count, ir.Constant(I16, least), name="many.meet")


def _counted(f: Frame, access: Access) -> ir.Value | None:
    """Add one number in all lanes: a lane's old value is memory's, plus the number for each earlier lane it meets.

    Of the lanes that meet, the highest has the sum, and its store is the last.
    """
    b, number = f.b, splat(f.b, access.values[0].ir)
    conflict = declare(b.module, "llvm.x86.avx512.conflict.d.512", I32_LANES, [I32_LANES])
    earlier = b.call(conflict, [access.where.offsets], name="earlier")
    if not access.mask.all_on:
        earlier = b.and_(earlier, splat(b, b.zext(masks.bits(b, access.mask), I32)))
    count = intrinsic(b, "llvm.ctpop", earlier)
    loaded = f.memory.load(access.where, access.type, access.mask)
    old = b.add(loaded.ir, b.mul(count, number), name="old")
    f.memory.store(access.where, Value(access.type, b.add(old, number)), access.mask)
    return old if access.used else None


def _each_owned(f: Frame, access: Access) -> ir.Value | None:
    """Scalar updates, one lane after the other: without a loop for a full gang."""
    if access.mask.all_on:
        return _unrolled(f, access)
    b = f.b
    full = b.icmp_unsigned("==", masks.bits(b, access.mask), FULL)

    def loop() -> ir.Value | None:
        return _lane_by_lane(f, access, lambda pointer, values: access.operation.plain(b, pointer, values))

    return _choose(f, full, lambda: _unrolled(f, access), loop)


def _unrolled(f: Frame, access: Access) -> ir.Value | None:
    b = f.b
    vectors = [value.ir if value.uniform else vector(b, value) for value in access.values]
    old = undefined(vector_type(access.type))
    for number in range(LANES):
        lane = ir.Constant(I32, number)
        values = tuple(b.extract_element(v, lane) if isinstance(v.type, ir.VectorType) else v for v in vectors)
        found = access.operation.plain(b, _lane_pointer(b, access.where, number), values)
        old = b.insert_element(old, found, lane) if access.used else old
    return old if access.used else None


def _lane_pointer(b: ir.IRBuilder, where: Address, number: int) -> ir.Value:
    """The address of lane `number`."""
    lane = ir.Constant(I32, number)
    if where.wide is not None:
        return b.inttoptr(b.extract_element(where.wide, lane), PTR)
    if where.offsets is None:
        return move(b, where.base, number * where.stride)
    return _at_offset(b, where, b.extract_element(where.offsets, lane))


def _at_offset(b: ir.IRBuilder, where: Address, offset: ir.Value) -> ir.Value:
    return move(b, where.base, b.mul(b.sext(offset, I64), ir.Constant(I64, where.scale)))


# ------------------------------------------------------------------------------------------- locked


def _lanes_locked(f: Frame, access: Access) -> ir.Value | None:
    """The lanes' updates by locked instructions, as few as possible."""
    operation, value = access.operation, access.values[0]
    access = _without_neutral(f, access)

    def update(pointer: ir.Value, values: tuple[ir.Value, ...]) -> ir.Value:
        return operation.locked(f, pointer, values)

    cheap = not access.used or (operation.name == "add" and value.uniform)  # without a scan in each step
    if cheap and access.meets and not access.where.uniform and combinable(operation, access.used):
        return _address_by_address(f, access, update)
    return _lane_by_lane(f, access, update)


def _without_neutral(f: Frame, access: Access) -> Access:
    """Leave out the lanes whose value changes nothing, if nobody asks for the old one. Perhaps none remains."""
    value = access.values[0]
    if access.used or access.operation.name not in ("add", "or", "xor") or is_float(access.type) or value.uniform:
        return access
    b = f.b
    lanes = vector(b, value)
    return replace(access, mask=masks.both(b, access.mask, b.icmp_unsigned("!=", lanes, const(lanes.type, 0))))


def _address_by_address(f: Frame, access: Access, update: Update) -> ir.Value | None:
    """For the address of the first lane that is left: combine all lanes that have it, update memory once."""
    b, operation = f.b, access.operation
    addresses = access.where.wide if access.where.wide is not None else access.where.offsets
    read = _in_memory(f, addresses)
    value = access.values[0] if access.values[0].uniform else Value(access.type, vector(b, access.values[0]))

    def step(lane: ir.Value, left: ir.Value) -> tuple[ir.Value, ir.Value | None]:
        key = read(lane)
        pointer = b.inttoptr(key, PTR) if access.where.wide is not None else _at_offset(b, access.where, key)
        here = b.bitcast(b.icmp_unsigned("==", addresses, splat(b, key)), I16)
        here = b.and_(here, left, name="here")
        lanes = Mask(b.bitcast(here, LANE_BITS))
        total, prefix = combined(b, operation, value, lanes, access.used, f.program.options.target)
        old = update(pointer, (total,))
        return here, None if prefix is None else updated(b, operation, splat(b, old), prefix)

    return _while_lanes_left(f, access, step)


def _lane_by_lane(f: Frame, access: Access, update: Update) -> ir.Value | None:
    """`update(pointer, values)` for each active lane, lowest first."""
    b, where = f.b, access.where
    addresses = where.wide if where.wide is not None else where.offsets
    read_address = None if addresses is None else _in_memory(f, addresses)
    readers = [None if value.uniform else _in_memory(f, vector(b, value)) for value in access.values]

    def step(lane: ir.Value, left: ir.Value) -> tuple[ir.Value, ir.Value | None]:
        if read_address is None:
            pointer = move(b, where.base, b.mul(lane, ir.Constant(I64, where.stride))) if where.stride else where.base
        elif where.wide is not None:
            pointer = b.inttoptr(read_address(lane), PTR)
        else:
            pointer = _at_offset(b, where, read_address(lane))
        values = tuple(
            value.ir if read is None else read(lane) for value, read in zip(access.values, readers, strict=True)
        )
        old = update(pointer, values)
        lowest = b.and_(left, b.neg(left))
        return lowest, splat(b, old) if access.used else None

    return _while_lanes_left(f, access, step)


def _in_memory(f: Frame, lanes: ir.Value) -> Callable[[ir.Value], ir.Value]:
    """Spill a vector; return the function that reads the lane with a given number."""
    b, element = f.b, lanes.type.element
    home = f.allocate(lanes.type, "lanes")
    b.store(lanes, home)
    return lambda lane: b.load(b.gep(home, [lane], source_etype=element), typ=element)


Step = Callable[[ir.Value, ir.Value], tuple[ir.Value, ir.Value | None]]


def _while_lanes_left(f: Frame, access: Access, step: Step) -> ir.Value | None:
    """Run `step(first lane left, lanes left)` until all active lanes are done.

    It returns the lanes that it has done, as bits, and their old values, if those are used.
    """
    b = f.b
    todo, before = masks.bits(b, access.mask), b.block
    body, done = f.block("atomic.lanes"), f.block("atomic.lanes.done")
    nothing = undefined(vector_type(access.type))
    none_left = ir.Constant(I16, 0)
    if access.mask.maybe_empty:
        b.cbranch(b.icmp_unsigned("!=", todo, none_left), body, done)
    else:
        b.branch(body)
    b.position_at_end(body)
    left = b.phi(I16, "left")
    left.add_incoming(todo, before)
    old = b.phi(nothing.type, "old") if access.used else None
    lane = b.zext(b.cttz(left, ir.Constant(I1, 1)), I64, name="lane")
    here, found = step(lane, left)
    rest = b.and_(left, b.not_(here), name="rest")
    left.add_incoming(rest, b.block)
    merged = None
    if old is not None:
        merged = b.select(b.bitcast(here, LANE_BITS), found, old)
        old.add_incoming(nothing, before)
        old.add_incoming(merged, b.block)
    end = b.block
    b.cbranch(b.icmp_unsigned("!=", rest, none_left), body, done)
    b.position_at_end(done)
    if merged is None or not access.mask.maybe_empty:
        return merged
    result = b.phi(nothing.type, "old")
    result.add_incoming(nothing, before)
    result.add_incoming(merged, end)
    return result
