"""What passes decide on the spot, and may be kept from doing."""

from __future__ import annotations

from ..options import Options
from .passes import Choice, runs

# What `shape` and `llvm` decide for each node.
CHOICES = (
    Choice("likely", "what is affine in nearly all gangs is tested for, and then no gather"),
    Choice("full-mask", "gangs with every lane on have code of their own"),
    Choice("predicate", "short arms run under masks, without a branch around them"),
    Choice("repeated-loads", "such arms may load what their condition has just loaded", under_verify=False),
    Choice("speculate", "cheap operands of &&, || and ?: are evaluated for nothing, without a branch around them"),
    Choice("uniform-tests", "the uniform part of a loop's test, or of an `if`'s, is a scalar branch of its own"),
    Choice("whole-rows", "of a short row in shared memory, a gang reads all, and picks what its lanes ask for"),
    Choice("index-64", "sums in indices are computed in 64 bits, so that neighbours are displacements"),
    Choice("combined-atomics", "lanes that update one address combine what they add, and update it once"),
    Choice("owned-atomics", "updates of shared memory that no other hthread sees take no lock"),
)


def chosen(options: Options) -> dict[str, bool]:
    """Return for each choice whether it may be made."""
    return {choice.name: runs(choice, options) for choice in CHOICES}
