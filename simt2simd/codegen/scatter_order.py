"""A last touch to LLVM's optimised code: what a gather needs is computed before the scatter ahead of it.

    scatter(a, i, x);   j = hash(j) & 63;   y = gather(a, j);       becomes
    j = hash(j) & 63;   scatter(a, i, x);   y = gather(a, j);

Both are sequences of microcode, which a CPU cannot look past: arithmetic between the two is not done meanwhile, but
after the one and before the other. LLVM's scheduler does not know that. An empty piece of assembly that passes
the gather's offsets on, and that is not moved across a scatter, keeps it from undoing the order.
"""

from __future__ import annotations

import re

import llvmlite.binding as llvm
from llvmlite import ir

from ..options import Options
from ..simd import x86
from .llvm import rewritten

SCATTER = f"call void @{x86.SCATTER}"
GATHER = re.compile(rf"call .*@{re.escape(x86.GATHER)}[is]\.512\(.*, ptr [^,]+, <16 x i32> (?P<offsets>%[^,]+),")
ARITHMETIC = re.compile(
    r"  %\S+ = (add|sub|mul|and|or|xor|shl|lshr|ashr|fadd|fsub|fmul|icmp|fcmp|select|zext|sext|trunc|bitcast"
    r"|getelementptr|shufflevector|insertelement|extractelement) "
)


def order(lowered: ir.Module, optimised: llvm.ModuleRef, options: Options) -> llvm.ModuleRef:
    """Return the optimised form of a lowered module with its scatters in order."""
    if options.optimise == 0 or not any(name.startswith(x86.SCATTER) for name in lowered.globals):
        return optimised
    return rewritten(optimised, reorder)


def reorder(text: str) -> str:
    """Return a module in which scatters with only arithmetic between them and a gather are next to it."""
    done: list[str] = []
    waiting: list[str] = []  # scatters; nothing but arithmetic has come since
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if SCATTER in line:
            waiting.append(line)
            continue
        if waiting and not ARITHMETIC.match(line):
            _pin_offsets(lines, number, done)
            done += waiting
            waiting = []
        done.append(lines[number])
    return "\n".join(done)


def _pin_offsets(lines: list[str], start: int, done: list[str]) -> None:
    """Keep LLVM from computing the offsets of the gathers that follow at `start` later than at the end of `done`."""
    made: set[str] = set()  # by these gathers
    for number in range(start, len(lines)):
        line = lines[number]
        gather = GATHER.search(line)
        if gather is None or gather["offsets"] in made:
            return
        known, offsets = f"%known.{number}", gather["offsets"]
        done.append(f'  {known} = call <16 x i32> asm sideeffect "", "=v,0"(<16 x i32> {offsets})')
        lines[number] = line[: gather.start("offsets")] + known + line[gather.end("offsets") :]
        made.add(line.split()[0])
