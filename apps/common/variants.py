"""The ways to solve a problem: traversals that the compiler makes of the kernel, C++ on the host, other libraries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Runner = Literal["device", "host", "python"]


@dataclass(frozen=True)
class Variant:
    """One way to solve all problems of an application.

    `runner` is "device" if kernels do the work, compiled by simt2simd or, for a GPU, by nvcc; "host" if C++ does it;
    "python" if a Python package does, which the application's `peers` names. `flags` are for the compiler, `arguments`
    for the program. A host variant is the program's own host code or, if there are `sources`, a program of its own.
    `parallel`: it uses as many cores as are wanted, else one. Variants that are not `usual` run only if they are named.
    """

    name: str
    text: str
    runner: Runner = "device"
    flags: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    parallel: bool = True
    usual: bool = True


AUTO = Variant("auto", "the kernel as simt2simd compiles it by default")
RECURSIVE = Variant("recursive", "recursive calls, the lanes of a gang together", flags=("--traverse=recursive",))
ROPES = Variant("ropes", "a loop over a stack, each lane at its own node", flags=("--traverse=ropes",))
STATIC_ROPES_LOCKSTEP = Variant(
    "static-ropes-lockstep",
    "the links of static-ropes, each followed by all lanes of a gang that are on",
    flags=("--traverse=static-ropes-lockstep",),
)
STATIC_ROPES = Variant(
    "static-ropes", "links to the next subtree in the nodes, without a stack", flags=("--traverse=static-ropes",)
)
LOCKSTEP = Variant("lockstep", "a loop over a stack of nodes and masks", flags=("--traverse=lockstep",))
REFILL = Variant("refill", "ropes, where a lane that is done takes the next query", flags=("--traverse=refill",))
FLAT = ("--traverse=flat",)
CREC = ("--traverse=crec",)
CREC_BLOCK = ("--traverse=crec-block",)
NONE = Variant("none", "without any rewrite of traversals", flags=("--traverse=none",))
SORT_QUERIES = Variant("sort-queries", "auto, with the queries sorted first in every launch", flags=("--sort-queries",))
LOCKSTEP_AS_ASKED = Variant(
    "lockstep-as-asked",
    "lockstep, and no launch sorts its queries: what is counted says what an order does",
    flags=("--traverse=lockstep", "--disable=query-order"),
    usual=False,
)
ROPES_AS_ASKED = Variant(
    "ropes-as-asked",
    "ropes, and no launch sorts its queries",
    flags=("--traverse=ropes", "--disable=query-order"),
    usual=False,
)
LOCKSTEP_SORTED = Variant(
    "lockstep-sorted",
    "lockstep, with the queries sorted first in every launch",
    flags=("--traverse=lockstep", "--sort-queries"),
    usual=False,
)
AS_ASKED = (LOCKSTEP_AS_ASKED, ROPES_AS_ASKED)

# guided: a thread's own data choose the order in which it visits children
GUIDED = (AUTO, RECURSIVE, ROPES, LOCKSTEP, REFILL, NONE, SORT_QUERIES, LOCKSTEP_SORTED, *AS_ASKED)
UNGUIDED = (
    AUTO,
    RECURSIVE,
    ROPES,
    STATIC_ROPES,
    LOCKSTEP,
    STATIC_ROPES_LOCKSTEP,
    REFILL,
    NONE,
    SORT_QUERIES,
    LOCKSTEP_SORTED,
    *AS_ASKED,
)

HOST_RECURSIVE = Variant(
    "host-recursive", "scalar C++, recursive", "host", arguments=("--host", "recursive"), parallel=False
)
HOST_ITERATIVE = Variant(
    "host-iterative", "scalar C++, with a stack of its own", "host", arguments=("--host", "iterative"), parallel=False
)
OPENMP_RECURSIVE = Variant(
    "openmp-recursive", "host-recursive, its queries shared out by OpenMP", "host",
    arguments=("--host", "recursive", "--openmp"),
)  # fmt: skip
OPENMP_ITERATIVE = Variant(
    "openmp-iterative", "host-iterative, its queries shared out by OpenMP", "host",
    arguments=("--host", "iterative", "--openmp"),
)  # fmt: skip
OPENMP = Variant("openmp", "C++ with OpenMP", "host", arguments=("--host",))
OPENMP_HOST_FLAGS = ("-fno-math-errno", "-fopenmp")
OPENMP_LIBRARIES = ("gomp",)
MIMD = (OPENMP_RECURSIVE, OPENMP_ITERATIVE)
HOST = (HOST_RECURSIVE, HOST_ITERATIVE)
BASELINES = (HOST_RECURSIVE.name, HOST_ITERATIVE.name)
SCIPY = Variant("scipy", "SciPy's cKDTree", "python")
SCIKIT_LEARN = Variant("scikit-learn", "scikit-learn's KDTree", "python")


def is_other_kernel(variant: Variant) -> bool:
    """Tell whether a variant is a kernel of its own, which the program's arguments choose."""
    return variant.runner == "device" and bool(variant.arguments) and not variant.flags


def emitted_for_gpu(variant: Variant) -> tuple[str, ...]:
    """Return the flags of the form that a variant has for a GPU; none of one that has no form of its own there.

    `recursive` is the program as it is. What `none` leaves out concerns gangs, and what is not sorted there anyway
    needs no form.
    """
    if variant == AUTO:
        return ("--traverse=auto",)
    if variant in (ROPES, STATIC_ROPES, LOCKSTEP, STATIC_ROPES_LOCKSTEP, REFILL, SORT_QUERIES, LOCKSTEP_SORTED):
        return variant.flags
    return variant.flags if variant.flags in (FLAT, CREC, CREC_BLOCK) else ()
