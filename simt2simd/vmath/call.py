"""Calls of the C math library: one scalar call, glibc's vector versions, or one call per active lane.

Also the functions that a module gets as its own: `local_function` emits a body once per module and kind of value,
so that a dump reads `call <16 x float> @s2s.exp.v16f32(...)` where the kernel says `expf(x)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from ..options import Options
from ..simd.builder import (
    F32,
    F64,
    all_lanes_on,
    const,
    declare,
    element,
    in_parts,
    intrinsic,
    known_function,
    lanes,
    suffix,
)

Body = Callable[..., Sequence[ir.Value]]


def local_function(
    b: ir.IRBuilder, name: str, results: Sequence[ir.Type], args: Sequence[ir.Value], body: Body, cold: bool = False
) -> list[ir.Value]:
    """Call the module's own function `s2s.NAME.TYPES`, which is made on the first call; return its results.

    `body(builder, *params)` gives the results, and must depend on nothing but the name and the parameters' types.
    LLVM decides whether to inline it, unless it is `cold`.
    """
    symbol = ".".join(["s2s", name, *dict.fromkeys(suffix(arg.type) for arg in args)])
    result = results[0] if len(results) == 1 else ir.LiteralStructType(results)
    function = known_function(b.module, symbol)
    if function is None:
        function = ir.Function(b.module, ir.FunctionType(result, [arg.type for arg in args]), symbol)
        function.linkage = "internal"
        function.attributes.add("nounwind")
        if cold:
            function.attributes.add("noinline")
            function.attributes.add("cold")
        inner = ir.IRBuilder(function.append_basic_block("entry"))
        values = body(inner, *function.args)
        if len(values) == 1:
            inner.ret(values[0])
        else:
            packed: ir.Value = ir.Constant(result, ir.Undefined)
            for i, value in enumerate(values):
                packed = inner.insert_value(packed, value, i)
            inner.ret(packed)
    called = b.call(function, args, name=name)
    return [called] if len(results) == 1 else [b.extract_value(called, i) for i in range(len(results))]


def sanitise(b: ir.IRBuilder, mask: ir.Value | None, value: ir.Value, safe: float) -> ir.Value:
    """Put `safe` into the lanes that are off, so that what they hold cannot send the others down a slow path."""
    if mask is None or all_lanes_on(mask) or not lanes(value) or isinstance(value, ir.Constant):
        return value
    return b.select(mask, value, const(value.type, safe))


def scalar_call(b: ir.IRBuilder, op: str, args: Sequence[ir.Value], result: ir.Type | None = None) -> ir.Value:
    """Call libm's function of double `op`."""
    function = declare(b.module, op, result or F64, [arg.type for arg in args], pure=True)
    return b.call(function, args, name=op)


def vector_call(b: ir.IRBuilder, op: str, args: Sequence[ir.Value], options: Options) -> ir.Value:
    """Call glibc's libmvec on vectors: `_ZGVeN16v_expf` and the like, named as each target's vector ABI has it."""
    base = element(args[0].type)
    width = options.target.register_bits // (32 if base == F32 else 64)
    name = f"_ZGV{options.target.vector_math}N{width}{'v' * len(args)}_{op}{'f' if base == F32 else ''}"
    type_ = ir.VectorType(base, width)
    function = declare(b.module, name, type_, [type_] * len(args), pure=True)
    return in_parts(b, width, lambda *part: b.call(function, part, name=op), *args)


def call_per_lane(
    b: ir.IRBuilder, op: str, args: Sequence[ir.Value], mask: ir.Value | None, each: Body, results: Sequence[ir.Type]
) -> list[ir.Value]:
    """Emit `for each lane of mask: results[lane] = each(builder, *args[lane])`, in a function of its own.

    `results` are the types of one lane. Lanes that are off give 0.
    """
    count = lanes(args[0])
    if mask is None:
        mask = const(ir.VectorType(ir.IntType(1), count), 1)
    bits = b.bitcast(mask, ir.IntType(count))
    vectors = [ir.VectorType(type_, count) for type_ in results]

    def body(inner: ir.IRBuilder, active: ir.Value, *params: ir.Value) -> list[ir.Value]:
        function = inner.function
        inputs = [_slot(inner, param.type, param) for param in params]
        outputs = [_slot(inner, vector, ir.Constant(vector, None)) for vector in vectors]
        head, loop, done = inner.block, function.append_basic_block("lane"), function.append_basic_block("done")
        zero = const(active.type, 0)
        inner.cbranch(inner.icmp_unsigned("!=", active, zero), loop, done)
        inner.position_at_end(loop)
        left = inner.phi(active.type, name="left")
        left.add_incoming(active, head)
        first = intrinsic(inner, "llvm.cttz", left, const(ir.IntType(1), 1))
        lane = inner.zext(first, ir.IntType(64), name="lane")
        scalars = [
            inner.load(inner.gep(slot, [lane], source_etype=element(param.type)), typ=element(param.type))
            for slot, param in zip(inputs, params, strict=True)
        ]
        for slot, type_, value in zip(outputs, results, each(inner, *scalars), strict=True):
            inner.store(value, inner.gep(slot, [lane], source_etype=type_))
        rest = inner.and_(left, inner.sub(left, const(left.type, 1)), name="rest")
        left.add_incoming(rest, inner.block)
        inner.cbranch(inner.icmp_unsigned("!=", rest, zero), loop, done)
        inner.position_at_end(done)
        return [inner.load(slot, typ=vector) for slot, vector in zip(outputs, vectors, strict=True)]

    return local_function(b, f"lanes.{op}", vectors, [bits, *args], body, cold=True)


def _slot(b: ir.IRBuilder, type_: ir.Type, value: ir.Value) -> ir.Value:
    slot = b.alloca(type_)
    slot.type = ir.PointerType()  # llvmlite's typed pointer would refuse the stores of single lanes
    b.store(value, slot)
    return slot


def library_call(b: ir.IRBuilder, op: str, args: Sequence[ir.Value], mask: ir.Value | None) -> ir.Value:
    """Call libm's `op` once per active lane, or once for a scalar; a float goes through the function of double."""
    result = element(args[-1].type)

    def each(inner: ir.IRBuilder, *scalars: ir.Value) -> list[ir.Value]:
        wide = [inner.fpext(s, F64) if s.type == F32 else s for s in scalars]
        value = scalar_call(inner, op, wide)
        return [inner.fptrunc(value, F32) if result == F32 else value]

    if not lanes(args[-1]):
        return each(b, *args)[0]
    return call_per_lane(b, op, args, mask, each, [result])[0]
