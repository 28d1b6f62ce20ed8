"""`__syncthreads()` by switches: from one gang of a block to the next. In kernels of fibers the runtime does it.

The contexts of a block's gangs lie in one array, {rsp, rip, rbp, gang} each. A barrier saves itself in its
own context and jumps to the next one, handing over that one's address in a register; the runtime's scheduler is
the last of the ring. All other registers are declared clobbered, so that LLVM spills only what is live.

The address of a gang's own context travels in a register from barrier to barrier (`State.context`): the next context
is found without a load from the gang's memory, and switches follow each other without waiting for one. It is in the
gang's record too where another function needs it: around calls, and at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from ..abi import CONTEXT, GANG
from ..simd.builder import I32, I64, Builder, declare
from ..simd.instructions import instructions
from ..simd.mask import Mask
from ..simd.values import PTR, constant_text, move
from ..target import Target
from ..tree import nodes as tree
from ..tree.effects import is_barrier
from ..tree.walk import walk
from . import gang_split
from .frame import Frame, load_field


@dataclass
class State:
    """The slot of the gang's context, in functions with barriers."""

    context: ir.Value | None = None


def hold_context(f: Frame) -> None:
    """Keep the gang's context in a register in a function that has barriers. Called at its start."""
    function = f.shapes.function
    if function.name not in f.program.plans.fibers and any(map(is_barrier, walk(function.body))):
        f.state(State).context = f.allocate(PTR, "context")
        read_context(f)


def read_context(f: Frame) -> None:
    """Take over what the record says, after another function had barriers."""
    context = f.state(State).context
    if context is not None:
        f.b.store(load_field(f.b, f.gang, "context", PTR), context)


def write_context(f: Frame) -> None:
    """Let other functions know the context."""
    context = f.state(State).context
    if context is not None:
        f.b.store(f.b.load(context, typ=PTR), move(f.b, f.gang, GANG.offset["context"]))


def barrier(f: Frame, node: tree.BuiltinCall, mask: Mask) -> None:
    """Let the other gangs of the block reach the same point."""
    b = f.b
    if f.shapes.instance.name in f.program.plans.fibers:
        wait = declare(b.module, "s2s_block_barrier", ir.VoidType(), [PTR, PTR, I64])
        b.call(wait, [f.gang, _where(f, node), gang_split.wide(f, mask)])
    elif f.shapes.instance in f.program.plans.divergent_waits.kept and not mask.all_on:
        _of_lanes(f, mask)
    else:
        _switch(f)


def _of_lanes(f: Frame, mask: Mask) -> None:
    """Switch if the gang is whole; else the runtime sees to it that all pieces of the gang reach a barrier."""
    b, active = f.b, gang_split.wide(f, mask)
    whole, parted, done = f.block("whole"), f.block("parted"), f.block("barrier.done")
    b.cbranch(b.icmp_unsigned("==", active, load_field(b, f.gang, "expected", I64)), whole, parted)
    b.position_at_end(parted)
    write_context(f)
    b.call(declare(b.module, "s2s_barrier_of_lanes", ir.VoidType(), [PTR, I64]), [f.gang, active])
    read_context(f)
    b.branch(done)
    b.position_at_end(whole)
    _switch(f)
    b.branch(done)
    b.position_at_end(done)


def _switch(f: Frame) -> None:
    b, context = f.b, f.state(State).context
    assert context is not None
    own = b.load(context, typ=PTR, name="context")
    following = move(b, own, CONTEXT.size)
    target = f.program.options.target
    b.store(instructions(target).switch(b, own, following, target), context)


def grid_barrier(f: Frame, node: tree.BuiltinCall, mask: Mask) -> None:
    """Let all gangs of the grid reach the same point."""
    wait = declare(f.b.module, "s2s_grid_barrier", ir.VoidType(), [PTR, PTR, I64])
    f.b.call(wait, [f.gang, _where(f, node), gang_split.wide(f, mask)])


def _where(f: Frame, node: tree.BuiltinCall) -> ir.Value:
    return constant_text(f.b.module, "barrier", str(node.span))


def end_of_piece(b: Builder, gang: ir.Value) -> None:
    """Let another piece of the gang run, if it was split, before it ends."""
    parted, done = (b.append_basic_block(name) for name in ("parted", "ended"))
    pieces = load_field(b, gang, "pieces", PTR)
    b.cbranch(b.icmp_unsigned("==", pieces, ir.Constant(PTR, None)), done, parted)
    b.position_at_end(parted)
    b.call(declare(b.module, "s2s_end_piece", ir.VoidType(), [PTR]), [gang])
    b.branch(done)
    b.position_at_end(done)


def leave_ring(b: ir.IRBuilder, gang: ir.Value, target: Target) -> None:
    """End the gang: its context is dropped and the next one resumed. Without a `ret`, which no CPU could predict."""
    own = load_field(b, gang, "context", PTR)
    count = move(b, gang, b.sext(load_field(b, gang, "finished", I32), I64))
    b.store(b.add(b.load(count, typ=I32), ir.Constant(I32, 1)), count)
    b.store(ir.Constant(PTR, None), move(b, own, CONTEXT.offset["gang"]))
    instructions(target).resume(b, move(b, own, CONTEXT.size))
    b.unreachable()
