"""A last touch to LLVM's optimised code: what a gather needs is computed before the scatter ahead of it.

    scatter(a, i, x);   j = hash(j) & 63;   y = gather(a, j);       becomes
    j = hash(j) & 63;   scatter(a, i, x);   y = gather(a, j);

Both are sequences of microcode, behind which a CPU cannot look: arithmetic between the two is not done meanwhile, but
after the one and before the other. LLVM's scheduler does not know that. An empty piece of assembly that passes
the gather's offsets on, and that is not moved across a scatter, keeps it from undoing the order.

The optimised module is rewritten as text, because llvmlite reads LLVM's modules but cannot change them.
"""

from __future__ import annotations

import re

SCATTER = "call void @llvm.x86.avx512.mask.scatter.dp"
GATHER = re.compile(
    r"call .*@llvm\.x86\.avx512\.mask\.gather\.dp[is]\.512\(.*, ptr [^,]+, <16 x i32> (?P<offsets>%[^,]+),"
)
ARITHMETIC = re.compile(
    r"  %\S+ = (add|sub|mul|and|or|xor|shl|lshr|ashr|fadd|fsub|fmul|icmp|fcmp|select|zext|sext|trunc|bitcast"
    r"|getelementptr|shufflevector|insertelement|extractelement) "
)


def has_scatters(text: str) -> bool:
    """Whether there may be something to reorder in a module once it is optimised."""
    return "llvm.x86.avx512.mask.scatter.dp" in text


def reorder(text: str) -> str:
    """Return a module in which each scatter that only arithmetic parts from a gather stands next to it."""
    done: list[str] = []
    waiting: str | None = None  # a scatter; nothing but arithmetic has come since
    for number, line in enumerate(text.split("\n")):
        if waiting is not None and not ARITHMETIC.match(line):
            if gather := GATHER.search(line):
                known, offsets = f"%known.{number}", gather["offsets"]
                done.append(f'  {known} = call <16 x i32> asm sideeffect "", "=v,0"(<16 x i32> {offsets})')
                line = line[: gather.start("offsets")] + known + line[gather.end("offsets") :]
            done.append(waiting)
            waiting = None
        if SCATTER in line:
            waiting = line
        else:
            done.append(line)
    return "\n".join(done)
