"""Tree-to-tree: launches of child kernels, one per thread, become one launch per warp, block or grid.

**Known as:** launch aggregation, launch consolidation of dynamic parallelism.

    __global__ void child(int i, int *d) {         __global__ void child_consolidated(unsigned char *work,
        ... i ... threadIdx.x ...                          unsigned int items, ..., int *d) {
    }                                                  for (unsigned int item = blockIdx.x; item < items;
    __global__ void parent(int n, int *d) {                     item += gridDim.x) {
        int i = ...;                                       int i = ((int *)(work + 16))[item];
        if (i >= n) return;                                ... i ... threadIdx.x ...
        prework;                                       }
        if (large(i)) {                                __syncthreads();
    #pragma dp consolidate(block)                      if (threadIdx.x == 0) s2s_finish_block(work);
            child<<<1, 64>>>(i, d);                }
        } else                                     __global__ void parent(int n, int *d) {
            own work;                                  __shared__ unsigned char *buffer;
        postwork;                                      __shared__ unsigned long long count;
    }                                                  if (threadIdx.x == 0)
                                                           buffer = s2s_take_buffer(...), count = 0;
                                                       __syncthreads();
                                                       int i = ...;
                                                       if (!(i >= n)) {
                                                           prework;
                                                           if (large(i)) {
                                                               slot = atomicAdd(&count, 1);
                                                               if (slot < room) ((int *)(buffer + 16))[slot] = i;
                                                               else child<<<1, 64>>>(i, d);
                                                           } else own work;
                                                           postwork;
                                                       }
                                                       __syncthreads();
                                                       if (threadIdx.x == 0)
                                                           child_consolidated<<<min(count, ...), 64>>>(buffer, ...);
                                                   }

This is Wu's workload consolidation (sections 3.4 to 3.6). The launches come at the end of the parent: children may
begin late, as a parent cannot wait for them. A child of one thread becomes a thread of the consolidated kernel, a child
of one block a block. The blocks of larger children are numbered through, and each block of the consolidated kernel runs
as many of them that follow each other; it finds by bisection to which item the first one belongs. Blocks whose sizes
differ run as loops over their threads.

The pragma promises that the children of the threads of one warp, block or grid may run at the same time. All else is
checked (`consolidated/sites`): a launch that cannot be consolidated is an error, with `auto` it stays. What `auto`
means, and what is done without a pragma, `consolidated/choice` has. An item for which a buffer has no room, and one
that is no valid launch, is launched as the program has it.

A child that launches is a parent, too: of a kernel that launches itself, the consolidated kernel buffers the items for
the next launch of the consolidated kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...diag import CompileError, Diagnostic, Note
from ...lang.consolidation import POOL_BYTES
from ...tree.launches import launches
from ...tree.names import free_name
from ...tree.nodes import Function, Module
from .consolidated.child import Entered, Fetching, as_it_is
from .consolidated.choice import with_levels, without
from .consolidated.memory import with_memory
from .consolidated.parent import Machine, Parent
from .consolidated.refusal import RefusedError
from .consolidated.sites import Child, Site, Sites, require_kernels, wanted

# Threads that a GPU runs at once: of the largest one of each compute capability.
_RESIDENT: Mapping[int, int] = {
    35: 15 * 2048, 50: 16 * 2048, 52: 24 * 2048, 60: 56 * 2048, 61: 30 * 2048, 70: 80 * 2048, 75: 72 * 1024,
    80: 108 * 2048, 86: 84 * 1536, 87: 16 * 1536, 89: 142 * 1536, 90: 132 * 2048, 100: 148 * 2048, 120: 170 * 1536,
}  # fmt: skip


def launch_consolidation(
    module: Module, architecture: int = 90, *, for_gpus: bool = False, unasked: bool = True
) -> Module:
    """Return a module in which few launches replace many: where a pragma says so, or, `unasked`, where it gains.

    Raises `CompileError`.
    """
    if not any(True for _ in launches(module)):
        return module
    module = _possible(*with_levels(module, for_gpus=for_gpus, unasked=unasked))
    found = [how for node in launches(module) if (how := wanted(node)) is not None]
    if not found:
        return module
    pool = max([how.buffer for how in found if how.buffer is not None], default=POOL_BYTES)
    nearest = max((known for known in _RESIDENT if known <= architecture), default=min(_RESIDENT))
    return _Consolidation(module, Machine(_RESIDENT[nearest], pool)).done()


def _possible(module: Module, chosen: frozenset[str]) -> Module:
    """Return a module without the levels that we have chosen and that cannot be. Raises `CompileError` for others."""
    faults: list[Diagnostic] = []
    try:
        require_kernels(module)
    except RefusedError as why:
        faults.append(_fault(why))
    for kernel in module.kernels:
        refusal = _refusal(module, kernel)
        if refusal is not None and kernel.name in chosen:
            left = without(kernel)
            module = replace(module, functions={**module.functions, kernel.name: left})
            refusal = _refusal(module, left)
        if refusal is not None:
            faults.append(_fault(refusal))
    if faults:
        raise CompileError(faults)
    return module


def _refusal(module: Module, kernel: Function) -> RefusedError | None:
    try:
        Sites(module).of(kernel)
    except RefusedError as why:
        return why
    return None


def _fault(why: RefusedError) -> Diagnostic:
    notes = () if why.launched is None else (Note(why.launched, "it is launched here"),)
    return Diagnostic(why.span, f"cannot consolidate: {why.why}", notes, help=why.help)


@dataclass
class _Consolidation:
    """`made`: the names of the consolidated kernels. `todo`: those that are still to be made."""

    module: Module
    machine: Machine
    made: dict[Child, Function] = field(default_factory=dict)
    entered: dict[Child, Entered] = field(default_factory=dict)
    todo: list[Child] = field(default_factory=list)

    def done(self) -> Module:
        sites = {kernel.name: Sites(self.module).of(kernel) for kernel in self.module.kernels}
        every = [site for found in sites.values() for site in found]
        of_grids = max((site.number + 1 for site in every if site.level == "grid"), default=0)
        finds = any(site.child.form == "blocks" for site in every)
        self.original = self.module
        self.module = with_memory(self.module, self.machine.pool_bytes, of_grids, finds=finds)
        parents = {
            name: self.parent(as_it_is(self.original.functions[name]), 0) for name, found in sites.items() if found
        }
        consolidated: dict[str, Function] = {}
        while self.todo:
            child = self.todo.pop(0)
            function = self.parent(self.entered[child], _loops(child))
            consolidated[function.name] = function
        return replace(self.module, functions={**self.module.functions, **parents, **consolidated})

    def parent(self, entered: Entered, loops: int) -> Function:
        function = entered.function
        sites = Sites(replace(self.module, functions={**self.module.functions, function.name: function})).of(
            function, loops
        )
        return Parent(self.module, entered, sites, self.consolidated, self.machine).function()

    def consolidated(self, site: Site) -> Function:
        """Return the head of the kernel that fetches the items of a launch."""
        child = site.child
        if child not in self.made:
            taken = {*self.module.functions, *(function.name for function in self.made.values())}
            name = free_name(f"{child.kernel}_consolidated", taken)
            self.entered[child] = Fetching(self.module, child, name).kernel()
            self.made[child] = self.entered[child].function
            self.todo.append(child)
        return self.made[child]


def _loops(child: Child) -> int:
    """Return how many loops over items, and over their threads, enclose what a child does."""
    return 2 if child.loose else 1
