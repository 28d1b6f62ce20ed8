"""The functions that consolidated kernels call: the pool of buffers, and the buffers of grids. As CUDA-C.

A buffer begins with a count of the blocks that need it no more; the last one gives it back. The pool is used from its
begin to its end, and from its begin again when all its buffers are back. Where it is used up, there is no buffer, and
threads launch their children themselves.

The blocks of a grid find each other by the grid's number in a table. Few of its places are possible for a number. That
a grid has two of them is rare and no fault: then its last block launches the items of both.
"""

from __future__ import annotations

from dataclasses import replace

from ....diag import CompileError, Diagnostic
from ....frontend.parse.parse import parse
from ....frontend.sema.module import check
from ....frontend.text.preprocess import preprocess
from ....options import Options
from ....source import Source
from ....tree.nodes import Function, Module
from ....tree.rewrite import renamed

HEADER_BYTES = 16  # of a buffer, in front of the items
WINDOW = 32  # places of the table for one number
PLACES = 4096

_POOL = """
static __device__ unsigned long long s2s_pool_state;  // buffers that are used << 40 | bytes from the begin / 256
static __device__ __align__(256) unsigned char s2s_pool[POOL_BYTES];

static __device__ void s2s_leave_pool(unsigned long long what) {
    unsigned long long left = atomicAdd(&s2s_pool_state, 0ull - what) - what;
    if (left != 0ull && left >> 40 == 0ull) {
        atomicCAS(&s2s_pool_state, left, 0ull);
    }
}

static __device__ unsigned char *s2s_take_buffer(unsigned long long bytes) {
    unsigned long long units = (bytes + 255ull) / 256ull;
    unsigned long long what = units + (1ull << 40);
    unsigned long long first = atomicAdd(&s2s_pool_state, what) & ((1ull << 40) - 1ull);
    if (first + units > POOL_BYTESull / 256ull) {
        s2s_leave_pool(what);
        return nullptr;
    }
    unsigned char *buffer = s2s_pool + first * 256ull;
    *(unsigned int *)buffer = 0u;
    return buffer;
}

static __device__ void s2s_give_buffer(unsigned char *buffer) {
    s2s_leave_pool(1ull << 40);
}

static __device__ void s2s_finish_block(unsigned char *buffer) {
    __threadfence();
    if (atomicAdd((unsigned int *)buffer, 1u) == gridDim.x - 1u) {
        s2s_give_buffer(buffer);
    }
}
"""

_FIND = """
static __device__ unsigned int s2s_find_item(const unsigned int *firsts, unsigned int items, unsigned int unit) {
    unsigned int low = 0u;
    while (items > 1u) {
        unsigned int half = items / 2u;
        low += firsts[low + half] <= unit ? half : 0u;
        items -= half;
    }
    return low;
}
"""

_GRIDS = """
struct s2s_grid {
    unsigned long long id;  // 0: free
    unsigned long long work;  // its buffer; 0: not yet known, 1: none
    unsigned long long count;  // items, and blocks or threads of these << 32
    unsigned int arrived;  // blocks that add no more
};

static __device__ s2s_grid s2s_grids[GRID_PLACES];

static __device__ s2s_grid *s2s_grid_place(unsigned int site, unsigned long long id, unsigned int i) {
    unsigned int first = (unsigned int)(id * 0x9e3779b97f4a7c15ull >> 52);
    return &s2s_grids[site * 4096u + (first + i) % 4096u];
}

static __device__ s2s_grid *s2s_join_grid(unsigned int site, unsigned long long bytes) {
    unsigned long long id = __s2s_grid_id() + 1ull;
    s2s_grid *grid = nullptr;
    for (unsigned int i = 0u; i < 32u && grid == nullptr; i++) {
        s2s_grid *place = s2s_grid_place(site, id, i);
        if (atomicAdd(&place->id, 0ull) == id) {
            grid = place;
        }
    }
    for (unsigned int i = 0u; i < 32u && grid == nullptr; i++) {
        s2s_grid *place = s2s_grid_place(site, id, i);
        unsigned long long found = atomicCAS(&place->id, 0ull, id);
        if (found == 0ull) {
            unsigned char *work = s2s_take_buffer(bytes);
            atomicExch(&place->work, work == nullptr ? 1ull : (unsigned long long)work);
        }
        if (found == 0ull || found == id) {
            grid = place;
        }
    }
    if (grid == nullptr) {
        __trap();
    }
    unsigned long long work = 0ull;
    for (unsigned int i = 0u; i < 256u && work == 0ull; i++) {
        for (unsigned int j = 0u; j < 256u && work == 0ull; j++) {
            work = atomicAdd(&grid->work, 0ull);
        }
    }
    return grid;
}

static __device__ unsigned char *s2s_grid_work(s2s_grid *grid) {
    unsigned long long work = atomicAdd(&grid->work, 0ull);
    return work <= 1ull ? nullptr : (unsigned char *)work;
}

static __device__ bool s2s_all_arrived(unsigned int site, s2s_grid *grid) {
    unsigned long long id = __s2s_grid_id() + 1ull;
    unsigned int all = gridDim.x * gridDim.y * gridDim.z;
    __threadfence();
    unsigned int arrived = atomicAdd(&grid->arrived, 1u) + 1u;
    if (arrived != all) {
        arrived = 0u;
        for (unsigned int i = 0u; i < 32u; i++) {
            s2s_grid *place = s2s_grid_place(site, id, i);
            if (*(volatile unsigned long long *)&place->id == id) {
                arrived += *(volatile unsigned int *)&place->arrived;
            }
        }
    }
    return arrived == all;
}

static __device__ s2s_grid *s2s_close_grid(unsigned int site, unsigned int i) {
    unsigned long long id = __s2s_grid_id() + 1ull;
    s2s_grid *place = s2s_grid_place(site, id, i);
    if (*(volatile unsigned long long *)&place->id != id || atomicCAS(&place->id, id, ~0ull) != id) {
        return nullptr;
    }
    __threadfence();
    return place;
}

static __device__ void s2s_free_grid(s2s_grid *grid) {
    grid->work = 0ull;
    grid->count = 0ull;
    grid->arrived = 0u;
    __threadfence();
    atomicExch(&grid->id, 0ull);
}
"""


def with_memory(module: Module, pool_bytes: int, grid_sites: int, *, finds: bool) -> Module:
    """Return a module with the functions for buffers, those for `grid_sites` launches of whole grids among them."""
    pool_bytes = -(-pool_bytes // 256) * 256
    text = _POOL.replace("POOL_BYTES", str(pool_bytes))
    if finds:
        text += _FIND
    if grid_sites:
        text += _GRIDS.replace("GRID_PLACES", str(PLACES * grid_sites))
    # The checker leaves out functions without calls.
    kept = "\n".join(f"    {call};" for call in _CALLS if call.partition("(")[0] in text)
    helpers = check(
        parse(preprocess(Source("<buffers>", f"{text}\n__global__ void s2s_kept() {{\n{kept}\n}}\n"), Options()))
    )
    hidden = {variable: replace(variable, qualified="") for variable in helpers.variables}  # from host code
    functions = {
        name: replace(function, body=renamed(function.body, hidden))
        for name, function in helpers.functions.items()
        if function.kind == "device"
    }
    _require_free(module, functions)
    return replace(
        module,
        structs=(*module.structs, *helpers.structs),
        functions={**functions, **module.functions},
        variables={**module.variables, **{hidden[variable]: data for variable, data in helpers.variables.items()}},
    )


def _require_free(module: Module, functions: dict[str, Function]) -> None:
    for name in functions:
        if name in module.functions:
            what = f"the name '{name}' is that of a function of simt2simd"
            raise CompileError([Diagnostic(module.functions[name].span, what, help="give it another name")])


_CALLS = (
    "s2s_take_buffer(0)", "s2s_give_buffer(nullptr)", "s2s_finish_block(nullptr)", "s2s_find_item(nullptr, 0, 0)",
    "s2s_join_grid(0, 0)", "s2s_grid_work(nullptr)", "s2s_all_arrived(0, nullptr)", "s2s_close_grid(0, 0)",
    "s2s_free_grid(nullptr)",
)  # fmt: skip


def helper(module: Module, name: str) -> Function:
    return module.functions[name]
