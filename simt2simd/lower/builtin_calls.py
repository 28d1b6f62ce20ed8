"""Lowering of calls of functions that CUDA has, with arguments that are lowered already."""

from __future__ import annotations

from llvmlite import ir

from ..costs import CACHE_LINE
from ..lang.builtins import Builtin
from ..lang.compiler_calls import WILD_CALL
from ..lang.ctype import BOOL, UINT, CType, Pointer, Scalar
from ..report import outcome
from ..simd import mask as masks
from ..simd.address import Address, at
from ..simd.builder import I1, I32, const, declare
from ..simd.mask import Mask
from ..simd.values import Value, move, vector
from ..source import NOWHERE
from ..tree import nodes as tree
from ..vmath import dispatch
from . import address_space_queries, runtime_calls, traversal_counters, warp
from .barrier import barrier, grid_barrier
from .frame import Frame, Parts
from .operators import nothing
from .shape_checks import fail_if_any

_LEVELS_FULL = "no room for the nodes of a level: raise cudaLimitMallocHeapSize, or compile without --traverse"


def builtin_call(f: Frame, node: tree.BuiltinCall, args: list[Value], mask: Mask) -> Value | Parts:
    """Lower a call of a function of CUDA's that is no atomic one."""
    match node.builtin.op:
        case "make":
            return tuple(args)
        case "barrier":
            barrier(f, node, mask)
            return nothing()
        case "grid_barrier":
            grid_barrier(f, node, mask)
            return nothing()
        case "fence":
            f.b.fence("seq_cst")
            return nothing()
        case "trap":
            fail_if_any(f, mask, WILD_CALL if node.span == NOWHERE else f"{node.span}: __trap()")
            return nothing()
        case "stack_overflow":
            fail_if_any(f, mask, f"{node.span}: the traversal is too deep for its stack; --traverse=recursive has none")
            return nothing()
        case "levels_full":
            fail_if_any(f, mask, f"{node.span}: {_LEVELS_FULL}")
            return nothing()
        case "unreachable":
            return nothing()
        case "is_constant_evaluated":
            return Value(BOOL, const(I1, 0))
        case _ if node.builtin.queries_address:
            return address_space_queries.query(f, node.builtin, args[0])
        case "prefetch":
            _prefetch(f, args[0])
            return nothing()
        case "vote":
            return _vote(f, args[0], mask)
        case "visit":
            traversal_counters.visit(f, node, mask)
            return nothing()
        case "clock":
            return runtime_calls.clock(f, node)
        case "globaltimer":
            return runtime_calls.globaltimer(f)
        case "dynamic_shared_bytes":
            return Value(UINT, f.fixed("launch.dynamic_shared_bytes", I32))
        case "grid_id":
            return runtime_calls.grid_id(f)
        case "any_lane":
            return _any_lane(f, args[0], mask)
    if node.builtin.of_warp:
        return warp.warp_function(f, node, args, mask)
    if node.builtin.service:
        if node.builtin.op in _MEMORY_SERVICES:
            f.note(node, outcome.SERVICE)
        return runtime_calls.service(f, node, args, mask)
    if node.builtin.op in dispatch.PER_LANE and not all(arg.uniform for arg in args):
        f.note(node, outcome.CALL_FOR_EACH_LANE)
    return _function_call(f, node.builtin, args, mask)


# Functions of the runtime that are called for what they do, again and again.
_MEMORY_SERVICES = frozenset("malloc free memcpy memset memcmp strlen strcmp strncmp strcpy".split())


def _any_lane(f: Frame, value: Value, mask: Mask) -> Value:
    """Return whether a condition holds in any lane."""
    return Value(BOOL, masks.any_on(f.b, masks.both(f.b, mask, vector(f.b, value))))


def _vote(f: Frame, value: Value, mask: Mask) -> Value:
    """Return what more than half of the lanes say."""
    if value.uniform:
        return value
    b = f.b
    ayes = masks.wide_bits(b, masks.both(b, mask, vector(b, value)))
    voters = masks.wide_bits(b, mask)
    twice = b.shl(b.ctpop(ayes), ir.Constant(ayes.type, 1))
    return Value(BOOL, b.icmp_unsigned(">", twice, b.ctpop(voters), name="vote"))


def _prefetch(f: Frame, pointer: Value) -> None:
    """Fetch what the gang reads before it is needed. Nothing is fetched for pointers that differ between lanes."""
    if pointer.varying:
        return
    read, keep, data = (const(I32, number) for number in (0, 3, 1))
    function = declare(f.b.module, "llvm.prefetch.p0", ir.VoidType(), [pointer.ir.type, I32, I32, I32])
    forward = CACHE_LINE if pointer.stride >= 0 else -CACHE_LINE
    for line in range(max(1, abs(pointer.stride) * f.lanes // CACHE_LINE)):
        f.b.call(function, [move(f.b, pointer.ir, line * forward), read, keep, data])


def _function_call(f: Frame, builtin: Builtin, values: list[Value], mask: Mask) -> Value:
    """Call a function of numbers (`vmath`); pointers among its arguments say where further results go."""
    b = f.b
    inputs: list[Value] = []
    outputs: list[tuple[Address, CType]] = []
    for value in values:
        if isinstance(value.type, Pointer):
            outputs.append((at(b, value), value.type.target))
        else:
            inputs.append(value)
    varying = any(not value.uniform for value in inputs)
    args = [vector(b, value) if varying else value.ir for value in inputs]
    types = tuple(value.type for value in inputs if isinstance(value.type, Scalar))
    lanes = mask.lanes if varying and not mask.all_on else None
    results = dispatch.builtin(b, builtin.op, types, builtin.result, args, lanes, f.program.options)
    for (where, ctype), result in zip(outputs, results[len(results) - len(outputs) :], strict=True):
        assert isinstance(ctype, Scalar)
        f.memory.store(where, Value(ctype, result), mask)
    if isinstance(builtin.result, Scalar) and builtin.result.kind == "void":
        return nothing()
    assert isinstance(builtin.result, Scalar)
    return Value(builtin.result, results[0])
