"""What generated code, host stubs and the runtime agree on: symbol names and the layouts of runtime/include/s2s.h.

Offsets and sizes are in bytes. A test compiles s2s.h and compares.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .lang.ctype import CType


@dataclass(frozen=True)
class Layout:
    """A C struct of s2s.h: where each field lies."""

    name: str
    size: int
    offset: Mapping[str, int]


DIM3 = Layout("s2s_dim3", 12, {"x": 0, "y": 4, "z": 8})
LAUNCH = Layout(
    "s2s_launch",
    56,
    {
        "grid": 0, "block": 12, "threads": 24, "gangs": 28, "args": 32, "kernel": 40, "own_shared_bytes": 48,
        "dynamic_shared_bytes": 52,
    },
)  # fmt: skip
CONTEXT = Layout("s2s_context", 32, {"rsp": 0, "rip": 8, "rbp": 16, "gang": 24})
GANG = Layout(
    "s2s_gang",
    128,
    {
        "launch": 0, "shared": 8, "block": 16, "first_thread": 28, "context": 32, "alive": 40,
        "thread": 48, "finished": 60, "present": 64, "absent": 68, "resident": 72, "where": 80, "waiting_lanes": 88,
        "expected": 96, "pieces": 104, "counted": 112, "long_waits": 120, "of_block": 124, "works": 125,
        "for_children": 126,
    },
)  # fmt: skip
PROGRESS = Layout("s2s_progress", 24, {"block": 0, "blocks": 8, "gang": 16})
KERNEL = Layout(
    "s2s_kernel",
    144,
    {
        "name": 0, "range": 8, "gang": 48, "param_offset": 80, "param_size": 88, "nparams": 96, "args_bytes": 100,
        "shared_bytes": 104, "max_threads": 108, "flags": 112, "wide_lanes": 116, "lanes": 120, "tile_lanes": 124,
        "companions": 128, "ncompanions": 136,
    },
)  # fmt: skip

VARIABLE = Layout("s2s_variable", 16, {"address": 0, "bytes": 8})
COMPANION = Layout("s2s_companion", 16, {"kernel": 0, "kind": 8, "number": 12})
TRAVERSAL = Layout("s2s_traversal", 24, {"function": 0, "file": 8, "line": 16, "tail": 20})
SITE = Layout(
    "s2s_site",
    40,
    {
        "file": 0,
        "line": 8,
        "column": 12,
        "kind": 16,
        "time": 17,
        "lanes": 18,
        "full": 19,
        "counter": 20,
        "cost_ps": 24,
        "operations": 28,
    },
)
COUNTED_MODULE = Layout(
    "s2s_counted_module",
    40,
    {"traversals": 0, "sites": 8, "ntraversals": 16, "nsites": 20, "mark": 24, "ncounters": 32, "traffic": 36},
)
COUNTED_KERNEL = Layout("s2s_counted_kernel", 168, {"kernel": 0, "module": 144, "file": 152, "line": 160})
COUNTER = Layout("s2s_counter", 32, {"gangs": 0, "lanes": 8, "partial": 16, "halves": 24})
INSTANCE = Layout("s2s_instance", 24, {"place": 0, "arguments": 8, "kernel": 16})
INSTANCES = Layout("s2s_instances", 16, {"items": 0, "count": 8})
CHILD = Layout("s2s_child", 32, {"kernel": 0, "offsets": 8, "sizes": 16, "count": 24})

LAYOUTS = (
    DIM3, LAUNCH, CONTEXT, GANG, PROGRESS, KERNEL, VARIABLE, COMPANION, TRAVERSAL, SITE,
    COUNTED_MODULE, COUNTED_KERNEL, COUNTER, INSTANCE, INSTANCES, CHILD,
)  # fmt: skip

# Bits of s2s_kernel.flags.
HAS_BARRIERS = 1
PARTS = 2
INDEPENDENT_BLOCKS = 4
FUSED_BLOCKS = 8
ALWAYS_WIDE = 16
COUNTED = 32
FIBERS = 64
LAUNCHES = 128
ONE_STREAM = 256
FUSED_ALONG_Y = 512
RAGGED_ROWS = 1024
DIVISIBLE_X = 2048
DIVISIBLE_Y = 4096
ALWAYS_SORTED = 8192

MAX_COORDINATES = 16  # that a kernel's threads are sorted by
SHARED_ROOM_BYTES = (48 << 10) + 4096 + (227 << 10)  # static memory of a block, alignment, dynamic memory
MAX_PARAMS = 1024  # parameters of a kernel
WAIT_ITERATIONS = 1 << 2  # of a loop that changes nothing, before generated code reports a wait
WORK_ITERATIONS = 1 << 8  # the same of a loop that changes something in every iteration


def kernel_symbol(name: str, module: str, *, static: bool) -> str:
    """Return the linker symbol of the `s2s_kernel` that describes kernel `name`.

    `module` is the path of the program file. A `static` kernel is private to it: the symbol carries a
    mark of that path, so that two files of one program may each have their own.
    """
    return f"s2s_kernel_{name}_{_mark(module)}" if static else f"s2s_kernel_{name}"


def variable_symbol(name: str, module: str) -> str:
    """Return the linker symbol of a variable that is private to the program file `module` and that host code knows too.

    These are `__device__`, `__constant__` and `__managed__` variables. `name` has its namespaces: `geo::table`.
    """
    return f"s2s_variable_{name.replace('::', '.')}_{_mark(module)}"


def linked_variable_symbol(name: str) -> str:
    """Return the linker symbol of a variable that all files of a program share which are linked with each other."""
    return f"s2s_variable_{name.replace('::', '.')}"


def private_kernel(name: str, module: str) -> str:
    """Return the name of a kernel that is private to its file, as the kernels of all files of a program have one."""
    return f"{name}_{_mark(module)}"


def variables_symbol(module: str) -> str:
    """Return the linker symbol of the table of these variables, a part of the section `VARIABLES_SECTION`."""
    return f"s2s_variables_{_mark(module)}"


TREE_SECTION = ".s2s_rdc"  # of the tree of a file that is linked with others
VARIABLES_SECTION = "s2s_variables"  # of `s2s_variable`s


def instances_symbol(module: str) -> str:
    """Return the linker symbol of the list of the kernels of program file `module` that have several forms."""
    return f"s2s_instances_{_mark(module)}"


def _mark(module: str) -> str:
    return hashlib.sha256(os.path.abspath(module).encode(errors="surrogateescape")).hexdigest()[:8]


def mark_of(text: str) -> int:
    """Return the 64-bit hash of a text."""
    return int.from_bytes(hashlib.sha256(text.encode(errors="surrogateescape")).digest()[:8], "little")


def pack_params(types: Iterable[CType]) -> tuple[tuple[int, ...], int]:
    """Return the offset of each kernel parameter in the packed block, each at its C alignment, and the block's size."""
    offsets: list[int] = []
    end = 0
    for ctype in types:
        start = -(-end // ctype.align) * ctype.align
        offsets.append(start)
        end = start + ctype.size
    return tuple(offsets), end
