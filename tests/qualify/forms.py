"""What must not stand in LLVM's optimised IR and in machine code, because LLVM goes wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LOAD = re.compile(r"(%\S+) = (?:tail )?call <.*> @llvm\.masked\.load\.")
_SIGNS = re.compile(r"\tvpmov[bdq]2m\t%[xy]mm")


def wrong_in_ir(text: str) -> Iterator[str]:
    """Yield masked loads that LLVM has blended with something else or could blend so (issue 215453).

    What our loads give is frozen, and nothing else uses it. What LLVM has made of a load and a blend is not frozen.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines):
        load = _LOAD.search(line)
        if load is None:
            continue
        name = rf"{re.escape(load[1])}(?![-\w.$])"
        use = next((other for other in lines[number + 1 :] if re.search(name, other)), None)
        if use is not None and not re.search(rf"= freeze <.*> {name}", use):
            yield f"not frozen: {line.strip()}"


def wrong_in_code(assembly: str) -> Iterator[str]:
    """Yield instructions that LLVM takes out although their masks are used (issue 198197)."""
    for line in assembly.split("\n"):
        if _SIGNS.match(line):
            yield f"a mask of signs: {line.strip()}"
