"""In functions with very many gathers and scatters, these are calls, where the CPU has no such instructions.

    x = gather(places, mask)        becomes     x = s2s.gather.v16i32(places, mask)

Without an instruction for it, LLVM makes sixteen branches of each, around a load or a store of one lane. What it takes
to compile a function grows faster than its blocks: a few objects of classes, with their constructors and destructors,
would take it a minute. Functions with fewer of them keep them in place, which is a little quicker to run. So do most
functions of small modules: where a module has thousands in all, functions with a moderate number have calls too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..options import Options
from .llvm_text import Function
from .module import OptimisedModule

MANY = 150  # gathers and scatters of a function: LLVM takes some two seconds for its 2400 branches
MANY_OF_MODULE = 1500  # of all functions: LLVM takes some 25 seconds for their branches
MODERATE = 30  # of one function, in a module of so many

_ACCESS = re.compile(r"call ([^@\n]*)@llvm\.masked\.((?:gather|scatter)\.v\d+\w+)\.v\d+p0\((?=.*<\d+ x i1> %)")
_DECLARED = re.compile(r"(?m)^declare (.+) @(llvm\.masked\.((?:gather|scatter)\.v\d+\w+)\.v\d+p0)\((.*)\)")


def outline(optimised: OptimisedModule, options: Options) -> OptimisedModule:
    """Return an optimised module in which such functions call one function for each kind of access."""
    if options.target.gathers:
        return optimised
    texts = rewrite(optimised.functions)
    if all(text == function.text for text, function in zip(texts, optimised.functions, strict=True)):
        return optimised
    return optimised.with_texts([*texts, *map(_outlined, _DECLARED.findall(str(optimised)))], options)


def rewrite(functions: Sequence[Function]) -> list[str]:
    """Return the texts of a module's functions; those with too many gathers and scatters have calls instead.

    Only those under masks that are not known count.
    """
    called = [_ACCESS.subn(r"call \1@s2s.\2(", function.text) for function in functions]
    most = MODERATE if sum(count for _, count in called) > MANY_OF_MODULE else MANY
    return [text if count > most else one.text for (text, count), one in zip(called, functions, strict=True)]


def _outlined(declared: tuple[str, str, str, str]) -> str:
    """Return the function that does what an intrinsic does, of its result, name, kind and parameters."""
    result, name, kind, parameters = declared
    named = ", ".join(f"{kept} %{i}" for i, kept in enumerate(re.findall(r"<[^>]*>", parameters)))
    is_void = result == "void"
    return (
        f"\ndefine internal {result} @s2s.{kind}({named}) noinline nounwind {{\n"
        f"  {'' if is_void else '%made = '}call {result} @{name}({named})\n"
        f"  ret {'void' if is_void else f'{result} %made'}\n}}\n"
    )
