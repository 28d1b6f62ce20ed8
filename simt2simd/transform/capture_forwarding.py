"""Tree-to-tree: a pointer that is a member of a thread's own struct becomes the place that it leads to.

**Known as:** forwarding of by-reference captures, store-to-load forwarding through a closure.

    float best = 0;                             float best = 0;
    Closure closure;
    closure.best = &best;
    if (x > *closure.best)                      if (x > best)
        *closure.best = x;                          best = x;

This is what a lambda is that captures by reference, and so are the adaptors that libraries make of one another. Once
the members are variables, `inline_by_reference` follows them; places may appear that are members of a
struct again.
"""

from __future__ import annotations

from ..tree.nodes import Module
from .inline_by_reference import follow_pointers
from .scalar_replacement import scalar_replacement

MAX_NESTING = 8  # closures that hold closures


def capture_forwarding(module: Module) -> Module:
    """Put places for the pointers that structs hold, as long as new ones appear."""
    for _ in range(MAX_NESTING):
        after = follow_pointers(module)
        if after is module:
            break
        module = scalar_replacement(after)
    return module
