"""Values of a gang and its memory accesses: load, store, gather, scatter, broadcast, blend.

A `Value` is one scalar per lane, in the cheapest form that its shape allows. An `Address` says where
each lane's scalar lies; its form decides what an access costs:

    base                          one scalar load, broadcast
    base + lane * size            one (masked) vector load
    base + offset[lane] * scale   one gather with 32-bit offsets per 16 lanes of 32 bits
    address[lane]                 a gather with 64-bit addresses
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from llvmlite import ir

from . import irtools
from . import mask as masks
from .ctype import BOOL, VOID, CType, Pointer, Scalar
from .irtools import I8, I16, I32, I64, concat, const, declare, element_type, slice_lanes
from .mask import Mask
from .outcome import Form
from .target import LANES, Target

PTR = ir.PointerType()
I32_LANES = ir.VectorType(I32, LANES)
I64_LANES = ir.VectorType(I64, LANES)
ANY_POINTER = Pointer(VOID)


@dataclass(frozen=True)
class Value:
    """One scalar per lane.

    `ir` is a vector of 16 (a varying value), or one scalar: then lane l holds `ir + stride * l`, and a
    uniform value has stride 0. A varying pointer is a vector of i64. `interleave` as in `shape.Shape`.
    """

    type: Scalar | Pointer
    ir: ir.Value
    stride: int = 0
    interleave: int = 0

    @property
    def varying(self) -> bool:
        return isinstance(self.ir.type, ir.VectorType)

    @property
    def uniform(self) -> bool:
        return not self.varying and self.stride == 0


def opaque(pointer: ir.Value) -> ir.Value:
    """Give an `alloca` or a global the type `ptr`: llvmlite still types them by what they point to."""
    pointer.type = PTR
    return pointer


def constant_data(module: ir.Module, name: str, value: ir.Constant) -> ir.GlobalVariable:
    """Put a constant into the module's read-only data, under a name of its own."""
    item = ir.GlobalVariable(module, value.type, module.get_unique_name(name))
    item.initializer = value
    item.linkage = "internal"
    item.global_constant = True
    return opaque(item)


def constant_text(module: ir.Module, name: str, text: str) -> ir.GlobalVariable:
    """Put a C string into the module's read-only data."""
    data = bytearray(text.encode(errors="surrogateescape") + b"\0")
    return constant_data(module, name, ir.Constant(ir.ArrayType(I8, len(data)), data))


def scalar_type(ctype: CType) -> ir.Type:
    """The LLVM type of one lane's value; `bool` is i1."""
    if isinstance(ctype, Pointer):
        return PTR
    assert isinstance(ctype, Scalar)
    return element_type(ctype)


def vector_type(ctype: CType) -> ir.VectorType:
    """The LLVM type of 16 lanes' values; pointers are i64."""
    return ir.VectorType(I64 if isinstance(ctype, Pointer) else scalar_type(ctype), LANES)


def lane_constants(element: ir.Type, step: int) -> ir.Constant:
    """`<0, step, 2 * step, ...>`"""
    limit = (1 << element.width) - 1
    return ir.Constant(ir.VectorType(element, LANES), [(lane * step) & limit for lane in range(LANES)])


def splat(b: ir.IRBuilder, scalar: ir.Value) -> ir.Value:
    return irtools.splat(b, scalar, LANES)


def vector(b: ir.IRBuilder, value: Value) -> ir.Value:
    """The 16 lanes of `value`; pointers as i64."""
    if value.varying:
        return value.ir
    scalar = b.ptrtoint(value.ir, I64) if isinstance(value.type, Pointer) else value.ir
    lanes = splat(b, scalar)
    return b.add(lanes, lane_constants(scalar.type, value.stride)) if value.stride else lanes


def one_lane(b: ir.IRBuilder, value: Value, mask: Mask) -> ir.Value:
    """The scalar of the highest lane that is on: who wins when lanes write one place in order."""
    if value.uniform:
        return value.ir
    lane = b.extract_element(vector(b, value), masks.last_lane(b, mask), name="winner")
    return b.inttoptr(lane, PTR) if isinstance(value.type, Pointer) else lane


# ------------------------------------------------------------------------------------------- addresses


@dataclass(frozen=True)
class Address:
    """Where each lane's scalar lies.

    With `offsets` (<16 x i32>, signed): `base + offsets * scale`; with `wide` (<16 x i64>): there;
    else `base + lane * stride`. `interleave`: the memory is private and interleaved.
    """

    base: ir.Value | None
    stride: int = 0
    interleave: int = 0
    offsets: ir.Value | None = None
    scale: int = 1
    wide: ir.Value | None = None

    @property
    def uniform(self) -> bool:
        return self.offsets is None and self.wide is None and self.stride == 0


def at(b: ir.IRBuilder, pointer: Value) -> Address:
    """The address that a pointer value holds."""
    if pointer.varying:
        return Address(None, interleave=pointer.interleave, wide=pointer.ir)
    return Address(pointer.ir, pointer.stride, pointer.interleave)


def move(b: ir.IRBuilder, base: ir.Value, offset: ir.Value | int) -> ir.Value:
    """`(char *)base + offset`"""
    if isinstance(offset, int):
        if offset == 0:
            return base
        offset = ir.Constant(I64, offset)
    return b.gep(base, [offset], source_etype=I8)


def member(b: ir.IRBuilder, address: Address, offset: int) -> Address:
    """The address of the member `offset` bytes into the struct at `address`."""
    if address.interleave:
        offset *= LANES
    if address.wide is not None:
        return replace(address, wide=b.add(address.wide, const(I64_LANES, offset))) if offset else address
    return replace(address, base=move(b, address.base, offset))


def pointer_to(b: ir.IRBuilder, address: Address, ctype: Pointer) -> Value:
    """The pointer value that holds `address`."""
    if address.wide is not None:
        return Value(ctype, address.wide, interleave=address.interleave)
    assert address.base is not None
    if address.offsets is None:
        return Value(ctype, address.base, address.stride, address.interleave)
    offsets = b.mul(b.sext(address.offsets, I64_LANES), const(I64_LANES, address.scale))
    return Value(ctype, b.add(splat(b, b.ptrtoint(address.base, I64)), offsets), interleave=address.interleave)


def index(b: ir.IRBuilder, address: Address, count: Value, size: int, negative: bool = False) -> Address:
    """The address `count` elements of `size` bytes behind `address`, before it if `negative`.

    `count` has a promoted integer type. Offsets of 32 bits are exact because no object has 2^33 bytes: a pointer and
    what it is moved to lie in one object, so that their distance in units of 4 bytes or more fits a signed 32-bit
    integer, and what 64-bit arithmetic holds above its low 32 bits is only their sign.
    """
    assert isinstance(count.type, Scalar)
    size *= LANES if address.interleave else 1
    step = -size if negative else size
    if address.wide is not None:
        return _wide_index(b, address, count, step)
    if count.varying:
        return _gather_index(b, address, count, step)
    assert address.base is not None
    base = move(b, address.base, b.mul(_to_i64(b, count), ir.Constant(I64, step)))
    if address.offsets is None:
        return replace(address, base=base, stride=address.stride + count.stride * step)
    if count.stride * step % address.scale:
        return _wide_index(b, address, count, step)
    lanes = lane_constants(I32, count.stride * step // address.scale)
    return replace(address, base=base, offsets=b.add(address.offsets, lanes) if count.stride else address.offsets)


def _to_i64(b: ir.IRBuilder, count: Value) -> ir.Value:
    """Lane 0's index in 64 bits.

    An unsigned affine index may wrap within the gang, as in `a[threadIdx.x - 1]` where lane 0 is off. The
    lanes after the wrap are those whose index is in bounds: extend the index of the last lane.
    """
    assert isinstance(count.type, Scalar)
    if count.type.bits == 64:
        return count.ir
    if count.type.signed:
        return b.sext(count.ir, I64)
    if count.stride <= 0:
        return b.zext(count.ir, I64)
    span = (LANES - 1) * count.stride
    return b.sub(b.zext(b.add(count.ir, ir.Constant(I32, span)), I64), ir.Constant(I64, span))


def _wide_index(b: ir.IRBuilder, address: Address, count: Value, step: int) -> Address:
    assert isinstance(count.type, Scalar)
    wide = vector(b, count)
    if count.type.bits == 32:
        wide = b.sext(wide, I64_LANES) if count.type.signed else b.zext(wide, I64_LANES)
    start = vector(b, pointer_to(b, address, ANY_POINTER))
    return Address(None, interleave=address.interleave, wide=b.add(start, b.mul(wide, const(I64_LANES, step))))


def _gather_index(b: ir.IRBuilder, address: Address, count: Value, step: int) -> Address:
    """A varying index behind a scalar address, or behind one with 32-bit offsets."""
    assert isinstance(count.type, Scalar) and address.base is not None
    inner = address.stride if address.offsets is None else address.scale
    scale = next(unit for unit in (8, 4, 2, 1) if step % unit == 0 and inner % unit == 0)
    if scale < 4 and (step != scale or inner or count.type.bits == 64):
        return _wide_index(b, address, count, step)
    base = address.base
    offsets = b.trunc(count.ir, I32_LANES) if count.type.bits == 64 else count.ir
    if scale < 4 and not count.type.signed:  # the whole unsigned range may be in bounds
        offsets = b.xor(offsets, const(I32_LANES, 1 << 31))
        base = move(b, base, scale << 31)
    if step != scale:
        offsets = b.mul(offsets, const(I32_LANES, step // scale))
    if address.offsets is not None:
        earlier = b.mul(address.offsets, const(I32_LANES, inner // scale)) if inner != scale else address.offsets
        offsets = b.add(earlier, offsets)
    elif address.stride:
        offsets = b.add(offsets, lane_constants(I32, address.stride // scale))
    return Address(base, interleave=address.interleave, offsets=offsets, scale=scale)


# -------------------------------------------------------------------------------------------- accesses


@dataclass(frozen=True)
class Memory:
    """Emits the accesses of one function for one target."""

    b: ir.IRBuilder
    target: Target

    def form(self, address: Address, size: int, verb: str) -> Form:
        """What an access of scalars of `size` bytes becomes; `verb` is "load" or "store"."""
        storing = verb == "store"
        if address.uniform:
            return Form(f"scalar {verb}", 0.7 if storing else 0.6)
        plain = address.offsets is None and address.wide is None
        vectors = max(1, size * LANES // 64)
        if plain and address.stride == size:
            return Form(f"vector {verb}", 0.9 * vectors)
        if self._is_strided(address, size):
            parts = address.stride // size
            return Form(f"{parts} vector {verb}s and shuffles", 0.7 * parts)
        if size < 4 and storing:
            return Form("scatter, lane by lane", 9.0)
        if not self.target.has_avx512:
            return Form(f"{'scatter' if storing else 'gather'}, lane by lane", 9.0)
        width = "64-bit addresses" if address.wide is not None else "32-bit offsets"
        halves = 2 if size == 8 or address.wide is not None else 1
        name = ("scatter" if storing else "gather") + (" of two halves" if halves == 2 else "")
        word = ", of the words round the scalars" if size < 4 else ""
        return Form(f"{name}, {width}{word}", (4.2 if storing else 2.5) + 0.4 * (halves - 1) + 0.3 * bool(word))

    def load(self, address: Address, ctype: Scalar | Pointer, mask: Mask) -> Value:
        """Read a scalar per active lane. Inactive lanes read nothing; their value is arbitrary."""
        b = self.b
        held = I8 if ctype == BOOL else scalar_type(ctype)
        if address.uniform:
            loaded = b.load(address.base, typ=held, align=ctype.size)
        else:
            loaded = self._load_lanes(address, I64 if held == PTR else held, ctype.size, mask)
        if ctype == BOOL:
            loaded = b.icmp_unsigned("!=", loaded, const(loaded.type, 0))
        return Value(ctype, loaded)

    def store(self, address: Address, value: Value, mask: Mask) -> None:
        """Write the active lanes' scalars; where lanes meet, the highest wins."""
        b, size = self.b, value.type.size
        if address.uniform:
            scalar = one_lane(b, value, mask)
            b.store(b.zext(scalar, I8) if value.type == BOOL else scalar, address.base, align=size)
            return
        lanes = vector(b, value)
        if value.type == BOOL:
            lanes = b.zext(lanes, ir.VectorType(I8, LANES))
        if address.stride == size and address.offsets is None and address.wide is None:
            self._store_consecutive(address, lanes, size, mask)
        elif self._is_strided(address, size):
            self._store_strided(address, lanes, mask)
        elif size < 4:
            self._scatter_small(address, lanes, mask)
        else:
            self._scatter(address, lanes, size, mask)

    def _load_lanes(self, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        if address.offsets is None and address.wide is None and address.stride == size:
            return self._load_consecutive(address, element, size, mask)
        if self._is_strided(address, size):
            return self._load_strided(address, element, mask)
        if size < 4:
            return self._gather_small(address, size, mask)
        return self._gather(address, element, size, mask)

    def _load_consecutive(self, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        b, lanes = self.b, ir.VectorType(element, LANES)
        if address.interleave or mask.all_on:  # interleaved memory is the gang's own: all of it may be read
            return b.load(address.base, typ=lanes, align=size * (LANES if address.interleave else 1))
        function = declare(
            b.module, f"llvm.masked.load.v16{_code(element)}.p0", lanes, [PTR, I32, masks.LANE_BITS, lanes]
        )
        none = ir.Constant(lanes, None)
        return b.call(function, [address.base, ir.Constant(I32, size), mask.lanes, none])

    def _store_consecutive(self, address: Address, lanes: ir.Value, size: int, mask: Mask) -> None:
        b = self.b
        if address.interleave:
            align = size * LANES
            if not mask.all_on:
                lanes = b.select(mask.lanes, lanes, b.load(address.base, typ=lanes.type, align=align))
            b.store(lanes, address.base, align=align)
        elif mask.all_on:
            b.store(lanes, address.base, align=size)
        else:
            element = lanes.type.element
            types = [lanes.type, PTR, I32, masks.LANE_BITS]
            function = declare(b.module, f"llvm.masked.store.v16{_code(element)}.p0", ir.VoidType(), types)
            b.call(function, [lanes, address.base, ir.Constant(I32, size), mask.lanes])

    # -- small strides of 32-bit elements: wide accesses and shuffles, cheaper than a gather

    def _is_strided(self, address: Address, size: int) -> bool:
        apart = address.offsets is None and address.wide is None and not address.interleave
        return apart and size == 4 and address.stride in (8, 12, 16) and self.target.has_avx512

    def _load_strided(self, address: Address, element: ir.Type, mask: Mask) -> ir.Value:
        """Lane l's element is number l * step of `step` vectors; the others are masked off."""
        step = address.stride // 4
        parts = [
            self._load_consecutive(Address(move(self.b, address.base, 64 * i)), element, 4, part)
            for i, part in enumerate(self._spread(mask, step))
        ]
        found = parts[0]
        for i, part in enumerate(parts[1:], 1):  # pick what is in this part, keep what came before
            pick = [
                (LANES + lane * step % LANES if lane * step // LANES == i else lane if i > 1 else lane * step % LANES)
                for lane in range(LANES)
            ]
            found = self.b.shuffle_vector(found, part, ir.Constant(I32_LANES, pick))
        return found

    def _store_strided(self, address: Address, lanes: ir.Value, mask: Mask) -> None:
        step = address.stride // 4
        for i, part in enumerate(self._spread(mask, step)):
            pick = [min((i * LANES + slot) // step, LANES - 1) for slot in range(LANES)]
            spread = self.b.shuffle_vector(lanes, lanes, ir.Constant(I32_LANES, pick))
            self._store_consecutive(Address(move(self.b, address.base, 64 * i)), spread, 4, part)

    def _spread(self, mask: Mask, step: int) -> list[Mask]:
        """The mask with `step - 1` zeros after each lane's bit, in parts of 16 bits."""
        b = self.b
        pattern = ir.Constant(I64, sum(1 << (lane * step) for lane in range(LANES)))
        deposit = declare(b.module, "llvm.x86.bmi.pdep.64", I64, [I64, I64])
        spread = pattern if mask.all_on else b.call(deposit, [b.zext(masks.bits(b, mask), I64), pattern])
        bits = [b.trunc(b.lshr(spread, ir.Constant(I64, LANES * i)), I16) for i in range(step)]
        return [masks.from_bits(b, part) for part in bits]

    # -- gathers and scatters of 32 and 64 bits

    def _offsets(self, address: Address) -> tuple[ir.Value, ir.Value, int]:
        """Base, 32-bit offsets and scale of an address that is not wide."""
        assert address.base is not None
        if address.offsets is not None:
            return address.base, address.offsets, address.scale
        return address.base, lane_constants(I32, address.stride), 1

    def _wide(self, address: Address) -> ir.Value:
        """The 16 addresses as <16 x i64>."""
        return vector(self.b, pointer_to(self.b, address, ANY_POINTER))

    def _gather(self, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        b, lanes = self.b, ir.VectorType(element, LANES)
        if address.wide is not None or not self.target.has_avx512:
            return self._gather_wide(address, lanes, size, mask)
        base, offsets, scale = self._offsets(address)
        if size == 4:
            name = "llvm.x86.avx512.mask.gather.dp" + ("s" if element == ir.FloatType() else "i") + ".512"
            return self._gather_part(name, lanes, base, offsets, mask.lanes, scale)
        name = "llvm.x86.avx512.mask.gather.dp" + ("d" if element == ir.DoubleType() else "q") + ".512"
        half = ir.VectorType(element, LANES // 2)
        parts = [
            self._gather_part(name, half, base, self._half(offsets, i), self._half(mask.lanes, i), scale)
            for i in (0, 1)
        ]
        return concat(b, parts)

    def _gather_part(
        self, name: str, lanes: ir.Type, base: ir.Value, offsets: ir.Value, mask: ir.Value, scale: int
    ) -> ir.Value:
        function = declare(self.b.module, name, lanes, [lanes, PTR, offsets.type, mask.type, I32])
        return self.b.call(function, [const(lanes, 0), base, offsets, mask, ir.Constant(I32, scale)])

    def _gather_wide(self, address: Address, lanes: ir.VectorType, size: int, mask: Mask) -> ir.Value:
        b, pointers = self.b, ir.VectorType(PTR, LANES)
        types = [pointers, I32, masks.LANE_BITS, lanes]
        function = declare(b.module, f"llvm.masked.gather.v16{_code(lanes.element)}.v16p0", lanes, types)
        where = b.inttoptr(self._wide(address), pointers)
        return b.call(function, [where, ir.Constant(I32, size), mask.lanes, const(lanes, 0)])

    def _scatter(self, address: Address, lanes: ir.Value, size: int, mask: Mask) -> None:
        b, element = self.b, lanes.type.element
        if address.wide is not None or not self.target.has_avx512:
            pointers = ir.VectorType(PTR, LANES)
            types = [lanes.type, pointers, I32, masks.LANE_BITS]
            function = declare(b.module, f"llvm.masked.scatter.v16{_code(element)}.v16p0", ir.VoidType(), types)
            b.call(function, [lanes, b.inttoptr(self._wide(address), pointers), ir.Constant(I32, size), mask.lanes])
            return
        base, offsets, scale = self._offsets(address)
        if size == 4:
            name = "llvm.x86.avx512.mask.scatter.dp" + ("s" if element == ir.FloatType() else "i") + ".512"
            self._scatter_part(name, base, mask.lanes, offsets, lanes, scale)
            return
        name = "llvm.x86.avx512.mask.scatter.dp" + ("d" if element == ir.DoubleType() else "q") + ".512"
        for i in (0, 1):  # low half first: where lanes meet, the highest wins
            self._scatter_part(
                name, base, self._half(mask.lanes, i), self._half(offsets, i), self._half(lanes, i), scale
            )

    def _scatter_part(
        self, name: str, base: ir.Value, mask: ir.Value, offsets: ir.Value, lanes: ir.Value, scale: int
    ) -> None:
        function = declare(self.b.module, name, ir.VoidType(), [PTR, mask.type, offsets.type, lanes.type, I32])
        self.b.call(function, [base, mask, offsets, lanes, ir.Constant(I32, scale)])

    def _half(self, lanes: ir.Value, i: int) -> ir.Value:
        return slice_lanes(self.b, lanes, i * LANES // 2, LANES // 2)

    # -- 8 and 16 bits: LLVM would take each lane on its own

    def _gather_small(self, address: Address, size: int, mask: Mask) -> ir.Value:
        """Gather the aligned 32-bit word around each scalar (never on another page) and shift it down."""
        b = self.b
        if address.wide is not None:
            low = b.trunc(b.and_(address.wide, const(I64_LANES, 3)), I32_LANES)
            words = Address(None, wide=b.and_(address.wide, const(I64_LANES, -4)))
        else:
            base, offsets, scale = self._offsets(address)
            number = b.ptrtoint(base, I64)
            start = b.trunc(b.and_(number, ir.Constant(I64, 3)), I32)
            aligned = b.inttoptr(b.and_(number, ir.Constant(I64, -4)), PTR)
            if scale >= 4:
                low = splat(b, start)
                words = Address(aligned, offsets=offsets, scale=scale)
            else:  # split the offset before adding, so that nothing overflows
                units = 4 // scale
                fine = b.mul(b.and_(offsets, const(I32_LANES, units - 1)), const(I32_LANES, scale))
                fine = b.add(fine, splat(b, start))
                whole = b.ashr(offsets, const(I32_LANES, units.bit_length() - 1))
                whole = b.add(whole, b.lshr(fine, const(I32_LANES, 2)))
                low = b.and_(fine, const(I32_LANES, 3))
                words = Address(aligned, offsets=whole, scale=4)
        gathered = self._gather(words, I32, 4, mask)
        shifted = b.lshr(gathered, b.shl(low, const(I32_LANES, 3)))
        return b.trunc(shifted, ir.VectorType(I8 if size == 1 else I16, LANES))

    def _scatter_small(self, address: Address, lanes: ir.Value, mask: Mask) -> None:
        """Nothing scatters 8 or 16 bits, and a neighbour's bytes must not be touched: a loop over lanes."""
        b = self.b
        function = _lane_store(b.module, lanes.type)
        b.call(function, [self._wide(address), lanes, masks.bits(b, mask)])


def _code(element: ir.Type) -> str:
    return {"float": "f32", "double": "f64"}.get(str(element), str(element))


def _lane_store(module: ir.Module, lanes: ir.VectorType) -> ir.Function:
    """`for each lane that is on, lowest first: *addresses[lane] = values[lane]`"""
    name = f"s2s.scatter.{lanes.element}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64_LANES, lanes, I16]), name)
    function.linkage = "internal"
    function.attributes.add("nounwind")
    addresses, values, bits = function.args
    entry, body, done = (function.append_basic_block(label) for label in ("entry", "lane", "done"))
    b = ir.IRBuilder(entry)
    todo = b.zext(bits, I32)
    places, held = opaque(b.alloca(I64_LANES)), opaque(b.alloca(lanes))
    b.store(addresses, places)
    b.store(values, held)
    b.cbranch(b.icmp_unsigned("!=", todo, ir.Constant(I32, 0)), body, done)
    b.position_at_end(body)
    left = b.phi(I32, "left")
    left.add_incoming(todo, entry)
    lane = b.cttz(left, ir.Constant(ir.IntType(1), 1))
    value = b.load(b.gep(held, [lane], source_etype=lanes.element), typ=lanes.element)
    b.store(
        value, b.inttoptr(b.load(b.gep(places, [lane], source_etype=I64), typ=I64), PTR), align=lanes.element.width // 8
    )
    rest = b.and_(left, b.sub(left, ir.Constant(I32, 1)))
    left.add_incoming(rest, body)
    b.cbranch(b.icmp_unsigned("!=", rest, ir.Constant(I32, 0)), body, done)
    b.position_at_end(done)
    b.ret_void()
    return function
