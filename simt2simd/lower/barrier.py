"""`__syncthreads()` by switches: from one gang of a block to the next. In kernels of fibers the runtime does it.

The contexts of a block's gangs lie in one array, {rsp, rip, rbp, gang} each. A barrier saves itself in its
own context and jumps to the next one, handing over that one's address in a register; the runtime's scheduler is
the last of the ring. All other registers are declared clobbered, so that LLVM spills only what is live.

The address of a gang's own context travels in a register from barrier to barrier (`Frame.context`): the next context
is found without a load from the gang's memory, and switches follow each other without waiting for one. It is in the
gang's record too where another function needs it: round calls, and at the end.
"""

from __future__ import annotations

from llvmlite import ir

from ..abi import CONTEXT, GANG
from ..simd import mask as masks
from ..simd.builder import I32, I64, declare
from ..simd.instructions import instructions
from ..simd.mask import Mask
from ..simd.values import PTR, constant_text, move
from ..target import Target
from ..tree import nodes as tree
from ..tree.effects import is_barrier
from ..tree.walk import walk
from .frame import Frame, load_field
from .gang_loops import existing_lanes, set_field


def hold_context(f: Frame) -> None:
    """Keep the gang's context at hand in a function that has barriers. Called at its start."""
    function = f.shapes.function
    if function.name not in f.program.plans.fibers and any(map(is_barrier, walk(function.body))):
        f.context = f.allocate(PTR, "context")
        read_context(f)


def read_context(f: Frame) -> None:
    """Take over what the record says, after another function had barriers."""
    if f.context is not None:
        f.b.store(load_field(f.b, f.gang, "context", PTR), f.context)


def write_context(f: Frame) -> None:
    """Let other functions know the context."""
    if f.context is not None:
        f.b.store(f.b.load(f.context, typ=PTR), move(f.b, f.gang, GANG.offset["context"]))


def barrier(f: Frame, node: tree.BuiltinCall, mask: Mask) -> None:
    """Let the other gangs of the block come to the same point."""
    b = f.b
    site = f.program.site(node.span) if f.shapes.instance in f.program.plans.checked else 0
    if site:
        check_lanes(f, site, mask)
    elif f.program.plans.checked:  # the gang's last one must not be taken for this
        set_field(b, f.gang, "site", ir.Constant(I32, 0))
    if f.shapes.instance.name in f.program.plans.fibers:
        wait = declare(b.module, "s2s_block_barrier", ir.VoidType(), [PTR, I32])
        b.call(wait, [f.gang, ir.Constant(I32, site)])
        return
    assert f.context is not None
    own = b.load(f.context, typ=PTR, name="context")
    following = move(b, own, CONTEXT.size)
    target = f.program.options.target
    b.store(instructions(target).switch(b, own, following, target), f.context)


def grid_barrier(f: Frame, node: tree.BuiltinCall) -> None:
    """Let all gangs of the grid come to the same point."""
    wait = declare(f.b.module, "s2s_grid_barrier", ir.VoidType(), [PTR, PTR])
    f.b.call(wait, [f.gang, constant_text(f.b.module, "barrier", str(node.span))])


def check_lanes(f: Frame, site: int, mask: Mask) -> None:
    """Note where the gang waits, and let the runtime see to it if not all of its lanes do, now or earlier.

    Gangs mostly wait where they last waited. A load, which tells of skipping lanes too, is cheaper than a store then.
    """
    b = f.b
    number, active = ir.Constant(I32, site), masks.bits(b, mask)
    existing = existing_lanes(b, f.fixed("launch.threads", I32), f.fixed("first_thread", I32))
    all_active = b.icmp_unsigned("==", active, existing)
    site_and_skipped = load_field(b, f.gang, "site", I64)
    elsewhere, missing, wait = f.block("elsewhere"), f.block("lanes.missing"), f.block("wait")
    as_before = b.icmp_unsigned("==", site_and_skipped, ir.Constant(I64, site))
    b.cbranch(b.and_(all_active, as_before), wait, elsewhere)
    b.position_at_end(elsewhere)
    set_field(b, f.gang, "site", number)
    none_skipped = b.icmp_unsigned("<=", site_and_skipped, ir.Constant(I64, 0xFFFFFFFF))
    b.cbranch(b.and_(all_active, none_skipped), wait, missing)
    b.position_at_end(missing)
    check = declare(b.module, "s2s_check_barrier", ir.VoidType(), [PTR, I32, I32])
    b.call(check, [f.gang, number, b.zext(active, I32)])
    b.branch(wait)
    b.position_at_end(wait)


def leave_ring(b: ir.IRBuilder, gang: ir.Value, target: Target) -> None:
    """End the gang: its context is dropped and the next one resumed. Without a `ret`, which no CPU could foresee."""
    own = load_field(b, gang, "context", PTR)
    count = move(b, gang, b.sext(load_field(b, gang, "finished", I32), I64))
    b.store(b.add(b.load(count, typ=I32), ir.Constant(I32, 1)), count)
    b.store(ir.Constant(PTR, None), move(b, own, CONTEXT.offset["gang"]))
    instructions(target).resume(b, move(b, own, CONTEXT.size))
    b.unreachable()
