"""Lowering of one function instance, into the LLVM function that was declared for it.

entry     the variables' memory, what is read once
start     the mask and the parameters; the body
return    where all lanes have returned: the results
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ..analysis import storage
from ..analysis.shapes import FunctionShapes
from ..diag import error
from ..lang.ctype import leaves
from ..mapping.barrier_fission import Plan
from ..simd import mask as masks
from ..simd.builder import I1, Builder
from ..simd.mask import Mask
from ..simd.values import opaque, scalar_type, vector_type
from ..tree import nodes as tree
from ..tree.walk import walk
from . import full_mask, profile_counters, single_lane, traversal_stack, warp
from .barrier import hold_context, write_context
from .block_loops import lower_block
from .frame import Frame, Program
from .reconverge import empty
from .signature import parameters, receive, return_results
from .statements import block

MAX_LOCAL_BYTES = 256 << 10  # of a function, per thread; 16 times that must not jump over a stack's guard


def lower_function(program: Program, shapes: FunctionShapes, function: ir.Function) -> None:
    """Lower an instance that takes a gang's record, the active mask as it travels, and its parameters."""
    _require_room(program, shapes.function)
    f = _frame(program, shapes, function)
    start = f.b.block
    _, bits, *args = function.args
    mask = _entry_mask(f, bits)
    empty(f, f.returned)
    for (variable, _, _), arg in zip(parameters(shapes), args, strict=True):
        arg.name = variable.name
    if shapes.instance in program.plans.walks:
        _lower_walk(f, args, mask)
    else:
        _lower_statements(f, bits, args, mask)
    _finish(f, start)


def lower_whole_block(program: Program, shapes: FunctionShapes, plan: Plan, function: ir.Function) -> None:
    """Lower a kernel that is divided at its barriers; `function` takes a record and parameters, and runs a block."""
    f = _frame(program, shapes, function)
    start = f.b.block
    lower_block(f, plan, function.args[1:])
    _finish(f, start)


def _require_room(program: Program, function: tree.Function) -> None:
    """Refuse a function whose local variables are too large for a stack."""
    local = [node for node in walk(function.body) if isinstance(node, tree.Declare)]
    in_memory = [node for node in local if program.storage.of(node.variable) in (storage.INTERLEAVED, storage.FLAT)]
    if sum(node.variable.type.size for node in in_memory) > MAX_LOCAL_BYTES:
        largest = max(in_memory, key=lambda node: node.variable.type.size)
        raise error(
            largest.span,
            f"the local variables of '{function.name}' take more than {MAX_LOCAL_BYTES >> 10} KiB per thread; "
            f"'{largest.variable.name}' takes {largest.variable.type.size} bytes",
            help="allocate it with cudaMalloc and pass a pointer",
        )


# --------------------------------------------------------------------------------------------- the beginning


def _frame(program: Program, shapes: FunctionShapes, function: ir.Function) -> Frame:
    """Return a frame for the lowering of an instance into `function`, which is at its start."""
    function.args[0].name = "gang"
    entry = Builder(function.append_basic_block("entry"), shapes.instance.lanes)
    start, leave = function.append_basic_block("start"), function.append_basic_block("return")
    results = tuple(
        opaque(entry.alloca(scalar_type(leaf) if shape.scalar else vector_type(leaf, entry.lanes), name="result"))
        for (_, leaf), shape in zip(leaves(shapes.function.result), shapes.results, strict=False)
    )
    returned = opaque(entry.alloca(masks.lane_bits(entry.lanes), name="returned"))
    b = Builder(start, shapes.instance.lanes, traced=program.debug is not None and program.debug.full)
    f = Frame(program, shapes, function, function.args[0], b, entry, leave, results, returned)
    if program.sites is not None:
        f.uneven = f.allocate(I1, "uneven")
        f.state(profile_counters.State).repeats = profile_counters.repeats(shapes.function.body)
    if program.debug is not None:
        source = shapes.function
        f.debug = program.debug.function(function, source.shown or source.name, source.span)
        entry.debug_metadata = b.debug_metadata = f.debug.location(source.span)
        f.debug.gang(entry, f.gang)
        if program.debug.full and source.kind == "kernel":
            function.attributes.add("noinline")  # the gang's record stays in memory then
    return f


def _entry_mask(f: Frame, bits: ir.Argument) -> Mask:
    """Return the lanes that enter. In a kernel that is not divided, they are most often all of the gang."""
    bits.name = "mask.bits"
    mask = masks.from_bits(f.b, bits)
    instance = f.shapes.instance
    is_kernel = f.shapes.function.kind == "kernel" and instance.along
    if is_kernel and f.program.plans.division(instance) is None:
        return full_mask.usually_full(f, mask)
    return mask


# ------------------------------------------------------------------------------------------ two kinds of body


def _lower_statements(f: Frame, bits: ir.Value, args: Sequence[ir.Value], mask: Mask) -> None:
    """Lower a body that runs once; a single lane may leave it to the version for one lane at once."""
    warp.begin(f, bits)
    single_lane.branch_off(f, bits, args)
    receive(f, f.shapes.function.params, args, mask)
    hold_context(f)
    function = f.shapes.function
    profile_counters.entered(f, mask)
    block(f, function.body.statements, mask)


def _lower_walk(f: Frame, args: Sequence[ir.Value], mask: Mask) -> None:
    """Lower a recursive walk to a loop over a stack; its iterations look for single lanes themselves."""
    receive(f, f.shapes.function.params, args, mask)
    hold_context(f)
    traversal_stack.lower(f, args, mask)


# --------------------------------------------------------------------------------------------------- the end


def _finish(f: Frame, start: ir.Block) -> None:
    """Close the blocks that are still open, and return."""
    if not f.ended:
        f.b.branch(f.leave)
    f.entry.branch(start)
    f.b.position_at_end(f.leave)
    write_context(f)
    return_results(f)
