"""`__syncthreads()`: the fast switch from one gang of a block to the next.

The contexts of a block's gangs lie in one array, {rsp, rip, rbp, gang} each. A barrier saves itself in its
own context and jumps to the next one, handing over that one's address in rsi; the runtime's scheduler is
the last of the ring. All other registers are declared clobbered, so that LLVM spills only what is live.
"""

from __future__ import annotations

from llvmlite import ir

from . import mask as masks
from . import tree
from .abi import CONTEXT, GANG
from .frame import Frame, load_field
from .irtools import I32, declare
from .mask import Mask
from .vector import PTR, move

_SWITCH = "\n".join(
    [
        "lea 1f(%rip), %rax",
        "mov %rsp, ($2)",
        "mov %rax, 8($2)",
        "mov %rbp, 16($2)",
        "mov ($3), %rsp",
        "mov 16($3), %rbp",
        "jmp *8($3)",
        ".p2align 4",
        "1:",
    ]
)
_GENERAL = ["rax", "rbx", "rcx", "rdx", *(f"r{i}" for i in range(8, 16))]


def _constraints(has_avx512: bool) -> str:
    vectors = [f"zmm{i}" for i in range(32)] if has_avx512 else [f"ymm{i}" for i in range(16)]
    lanes = [f"k{i}" for i in range(8)] if has_avx512 else []
    clobbered = [*_GENERAL, *vectors, *lanes, "memory", "dirflag", "fpsr", "flags"]
    return ",".join(["={di}", "={si}", "0", "1", *(f"~{{{name}}}" for name in clobbered)])


def barrier(f: Frame, node: tree.BuiltinCall, mask: Mask) -> None:
    """Let the other gangs of the block come to the same point."""
    b = f.b
    if f.program.checks_barriers:
        site = f.program.site(node.span)
        check = declare(b.module, "s2s_check_barrier", ir.VoidType(), [PTR, I32, I32])
        b.call(check, [f.gang, ir.Constant(I32, site), b.zext(masks.bits(b, mask), I32)])
    own = load_field(b, f.gang, "context", PTR)
    following = move(b, own, CONTEXT.size)
    pair = ir.LiteralStructType([PTR, PTR])
    signature = ir.FunctionType(pair, [PTR, PTR])
    text = _SWITCH.replace("\n", "\\0A")
    switch = ir.InlineAsm(signature, text, _constraints(f.program.options.target.has_avx512), side_effect=True)
    resumed = b.call(switch, [own, following])
    b.store(b.extract_value(resumed, 1, name="context"), move(b, f.gang, GANG.offset["context"]))
