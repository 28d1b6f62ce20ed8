"""The functions of the host that `--emit cuda` adds to a program, which launch kernels in its place.

A launch may first sort its threads by what they search for (`transform/traversals/query_order`), look whether
neighbours search for the same (`transform/traversals/two_forms`), install ropes in a tree
(`transform/traversals/static_ropes`), and give warps room for their stacks. It does all that in the launch's stream.
Where it cannot, for want of memory or while a stream is captured, it runs the kernel as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..pipeline import Compiled
from ..tree.companions import (
    MOST_COORDINATES,
    Companion,
    FollowsRopes,
    ForFarQueries,
    ForNearQueries,
    RunsInOrder,
    StoresCoordinates,
)
from ..tree.nodes import Function, Module


@dataclass(frozen=True)
class Parts:
    """What a launch of a kernel is made of.

    `coordinates` stores what its threads search for, `in_order` runs them sorted, if `sorts`. `ropes` follows ropes.
    `near` and `far`: the forms of the kernel, one of which is chosen; of that which runs sorted threads if there is
    one. `stacks`: of the kernels whose warps have one in shared memory, the bytes.
    """

    kernel: Function
    coordinates: Companion[StoresCoordinates] | None
    in_order: Companion[RunsInOrder] | None
    sorts: bool
    ropes: Companion[FollowsRopes] | None
    near: Companion[ForNearQueries] | None
    far: Companion[ForFarQueries] | None
    stacks: Mapping[str, int]

    @property
    def own(self) -> list[str]:
        """The kernels that are added as text only."""
        return [] if self.ropes is None else [f"{self.kernel.name}_install_ropes"]


def launched(compiled: Compiled) -> list[Parts]:
    """Return what the kernels need whose launches are changed."""
    module: Module = compiled.module
    sorts = compiled.options.sort_queries
    found = []
    for kernel in module.launched:
        ropes = module.companion(kernel.name, FollowsRopes)
        follows = kernel.name if ropes is None else ropes.kernel
        coordinates = module.companion(follows, StoresCoordinates)
        in_order = module.companion(follows, RunsInOrder)
        running = in_order.kernel if sorts and in_order is not None else kernel.name
        near, far = module.companion(running, ForNearQueries), module.companion(running, ForFarQueries)
        if (sorts and in_order is not None) or ropes or near or kernel.name in module.warp_stacks:
            sorted_ = sorts and in_order is not None
            found.append(Parts(kernel, coordinates, in_order, sorted_, ropes, near, far, module.warp_stacks))
    return found


# Names that the text below takes.
NAMES = frozenset(
    """
    s2s_launch_at s2s_scratch s2s_find_ranges s2s_make_keys s2s_look s2s_coordinates s2s_order s2s_near
    """.split()
)


def params_of(kernel: Function, text: str) -> str:
    """Return the parameters of a kernel, which is printed as `text`."""
    return text[text.index(f" {kernel.name}(") + len(kernel.name) + 2 :].partition(") {\n")[0] if kernel.params else ""


def includes(kernels: Iterable[Parts]) -> str:
    """Return what the program includes besides."""
    kernels = list(kernels)
    names = ["mutex"] * any(_needs_memory(parts) for parts in kernels)
    names += ["cub/device/device_radix_sort.cuh"] * any(parts.sorts for parts in kernels)
    return "".join(f"#include <{name}>\n" for name in names)


def support(kernels: Sequence[Parts]) -> str:
    """Return what the launchers share."""
    texts = [_SCRATCH] if any(map(_needs_memory, kernels)) else []
    if any(parts.sorts for parts in kernels):
        texts.append(_KEYS)
    if any(parts.near for parts in kernels):
        texts.append(_LOOK.replace("MOST_COORDINATES", str(MOST_COORDINATES)))
    return "\n".join(texts)


def _needs_memory(parts: Parts) -> bool:
    return parts.sorts or parts.ropes is not None or parts.near is not None


def launcher(parts: Parts, head: str, texts: Mapping[str, str]) -> str:
    """Return the function that launches a kernel, and what is its own; `head`: that of the function."""
    kernel = parts.kernel
    args = ", ".join(param.name for param in kernel.params)
    lines = [f"{head}", "{"]
    if _needs_memory(parts):
        lines += _prepared(parts, args)
    lines += [*_run(parts, kernel.name, args, indent=1), "}", ""]
    begin = _installer(parts, texts[kernel.name]) if parts.ropes is not None else ""
    return begin + "\n".join(lines)


def _prepared(parts: Parts, args: str) -> list[str]:
    """Return what a launch does in memory of its own, until it returns."""
    pre = f"{args}, " if args else ""
    lines = []
    if parts.sorts or parts.near:
        assert parts.coordinates is not None
        count = parts.coordinates.role.count
        # Of each thread: its coordinates, and if it is sorted, its key and its number, each before and after.
        lines += [
            "    const unsigned long long s2s_all = at.threads();",
            f"    const unsigned int s2s_threads = s2s_all >= {MIN_THREADS} && s2s_all < (1u << 30) "
            "? (unsigned int)s2s_all : 0;",
            "    size_t s2s_sorting = 0;",
        ]
        if parts.sorts:
            lines += [
                "    const unsigned int *const s2s_none = NULL;",
                "    cub::DeviceRadixSort::SortPairs(NULL, s2s_sorting, s2s_none, (unsigned int *)NULL, s2s_none,",
                "                                    (unsigned int *)NULL, (int)s2s_threads, 0, 32, at.stream);",
            ]
        each = count + 4 * parts.sorts
        lines += [
            f"    const size_t s2s_numbers = (size_t)s2s_threads * {each} + {2 * count} + 64;",
            "    s2s_scratch s2s_sorted(s2s_threads != 0, 4 * s2s_numbers + s2s_sorting, at.stream);",
        ]
    if parts.ropes is not None:
        lines += _ropes_found(parts, pre)
    elif parts.sorts or parts.near:
        lines += ["    if (s2s_sorted.base != NULL) {", *_in_order(parts, args, 2), "        return;", "    }"]
    return lines


def _in_order(parts: Parts, args: str, indent: int) -> list[str]:
    """Return the launches that find coordinates, sort threads by them, choose a form and run it."""
    assert parts.coordinates is not None and parts.in_order is not None
    pre = f"{args}, " if args else ""
    name, count = parts.kernel.name, parts.coordinates.role.count
    coordinates = parts.coordinates.kernel.removesuffix("_by_ropes")
    lines = [
        "float *const s2s_coordinates = (float *)s2s_sorted.base;",
        f"float *const s2s_ranges = s2s_coordinates + (size_t)s2s_threads * {count};",
        f"{coordinates}<<<at.grid, at.block, at.shared_bytes, at.stream>>>({pre}s2s_coordinates, s2s_threads);",
    ]
    if parts.sorts:
        lines += [
            f"unsigned int *const s2s_keys = (unsigned int *)(s2s_ranges + {2 * count});",
            "unsigned int *const s2s_sorted_keys = s2s_keys + s2s_threads;",
            "unsigned int *const s2s_plain = s2s_sorted_keys + s2s_threads;",
            "unsigned int *const s2s_order = s2s_plain + s2s_threads;",
            f"s2s_find_ranges<<<{count}, 256, 0, at.stream>>>(s2s_coordinates, s2s_threads, s2s_ranges);",
            "s2s_make_keys<<<(s2s_threads + 255) / 256, 256, 0, at.stream>>>(",
            f"    s2s_coordinates, s2s_threads, {count}, s2s_ranges, s2s_keys, s2s_plain);",
            "cub::DeviceRadixSort::SortPairs(",
            "    s2s_sorted.base + 4 * s2s_numbers, s2s_sorting, s2s_keys, s2s_sorted_keys, s2s_plain, s2s_order,",
            "    (int)s2s_threads, 0, 32, at.stream);",
        ]
    running = parts.in_order.kernel if parts.sorts else name
    with_order = ", ".join(filter(None, [args, "s2s_ropes" if parts.ropes else "", "s2s_order" if parts.sorts else ""]))
    if parts.near is not None and parts.far is not None:
        order = "s2s_order" if parts.sorts else "(const unsigned int *)NULL"
        lines += [
            "int *const s2s_near = (int *)(s2s_sorted.base + 4 * s2s_numbers - 256);",
            f"s2s_look<<<1, 1024, 0, at.stream>>>(s2s_coordinates, s2s_threads, {count}, {order}, s2s_near);",
            *_run(parts, parts.near.kernel, f"{with_order}, s2s_near", 0),
            *_run(parts, parts.far.kernel, f"{with_order}, s2s_near", 0),
        ]
    else:
        lines += _run(parts, running, with_order, 0)
    return ["    " * indent + line for line in lines]


def _run(parts: Parts, kernel: str, args: str, indent: int) -> list[str]:
    """Return the launch of a kernel where the program launches its own."""
    shared, begin = "at.shared_bytes", []
    if kernel in parts.stacks:
        shared = f"at.bytes_with_stacks((const void *){kernel}, {parts.stacks[kernel]})"
    begin.append(f"{kernel}<<<at.grid, at.block, {shared}, at.stream>>>({args});")
    return ["    " * indent + line for line in begin]


# ------------------------------------------------------------------------------------------------------------ ropes


def _ropes_found(parts: Parts, pre: str) -> list[str]:
    """Return what installs ropes, and runs the kernel that follows them if the nodes are a tree."""
    assert parts.ropes is not None
    name, by_ropes = parts.kernel.name, parts.ropes.kernel
    args = pre + "s2s_ropes"
    plain = [f"        {line}" for line in _run(parts, by_ropes, args, 1)]
    runs = plain
    if parts.sorts:
        runs = [
            "            if (s2s_sorted.base != NULL) {",
            *_in_order(parts, pre.removesuffix(", "), 4),
            "            } else {",
            *(f"    {line}" for line in plain),
            "            }",
        ]
    return [
        "    static int s2s_most = 4096;  // numbers of nodes are below, as far as launches have seen",
        "    for (int s2s_room = s2s_most; at.may_wait();) {",
        "        s2s_scratch s2s_memory(true, (3 * (size_t)s2s_room + 1) * sizeof(int), at.stream);",
        "        int *const s2s_ropes = (int *)s2s_memory.base, s2s_state = -1;",
        "        if (s2s_ropes == NULL)",
        "            break;",
        "        cudaMemsetAsync(s2s_ropes, 0xff, 2 * (size_t)s2s_room * sizeof(int), at.stream);",
        f"        {name}_install_ropes<<<1, 1024, 0, at.stream>>>({pre}s2s_ropes, s2s_room);",
        "        cudaMemcpyAsync(&s2s_state, s2s_ropes + 3 * (size_t)s2s_room, sizeof(int), cudaMemcpyDeviceToHost,",
        "                        at.stream);",
        "        if (cudaStreamSynchronize(at.stream) != cudaSuccess || s2s_state < 0)",
        "            break;",
        "        if (s2s_state == 0) {",
        *runs,
        "            return;",
        "        }",
        "        s2s_most = s2s_room = s2s_state > 2 * s2s_room ? s2s_state : 2 * s2s_room;",
        "    }",
    ]


def _installer(parts: Parts, text: str) -> str:
    kernel = parts.kernel
    names = ", ".join(param.name for param in kernel.params)
    params = params_of(kernel, text)
    words = {"KERNEL": kernel.name, "PARAMS": params and f"{params}, ", "ARGS": f"{names}, " if names else ""}
    return re.sub("|".join(words), lambda found: words[found[0]], _INSTALLER)


_INSTALLER = """
// Installs ropes by the threads of one block, level by level. The nodes follow the ropes, in the order in which
// they are found, and after these what came of it: 0, or -1 if this is no tree, or for how many nodes room is needed.
static __global__ void KERNEL_install_ropes(PARAMSint *s2s_ropes, int s2s_room) {
    __shared__ int s2s_tail, s2s_fault;
    if (threadIdx.x == 0) {
        s2s_tail = 0;
        const int s2s_code = KERNEL_begin_ropes(ARGSs2s_ropes, s2s_room, &s2s_tail);
        s2s_fault = s2s_code < 0 ? 0x7fffffff : s2s_code;
    }
    __syncthreads();
    int s2s_begin = 0, s2s_end = s2s_tail;
    bool s2s_continues = s2s_fault == 0;
    __syncthreads();  // before anybody finds more nodes
    while (s2s_continues && s2s_begin < s2s_end) {
        for (int i = s2s_begin + (int)threadIdx.x; i < s2s_end; i += (int)blockDim.x) {
            const int s2s_node = s2s_ropes[2 * (size_t)s2s_room + i];
            const int s2s_code = KERNEL_link_ropes(ARGSs2s_node, s2s_ropes, s2s_room, &s2s_tail);
            if (s2s_code != 0)
                atomicMax(&s2s_fault, s2s_code < 0 ? 0x7fffffff : s2s_code);
        }
        __syncthreads();
        s2s_begin = s2s_end;
        s2s_end = s2s_tail;
        s2s_continues = s2s_fault == 0;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        s2s_ropes[3 * (size_t)s2s_room] = s2s_fault == 0x7fffffff ? -1 : s2s_fault;
}

"""

# ---------------------------------------------------------------------------------------------- what launchers share

MIN_THREADS = 4096  # of a launch that is worth a look

AT = """
// Made by simt2simd: where `kernel<<<grid, block, shared_bytes, stream>>>` runs.
struct s2s_launch_at {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    s2s_launch_at(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = 0)
        : grid(grid), block(block), shared_bytes(shared_bytes), stream(stream) {}
    unsigned long long threads() const {
        return (unsigned long long)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    }
    // How much shared memory a block needs with a stack for each of its warps.
    size_t bytes_with_stacks(const void *kernel, size_t stack_bytes) const {
        const size_t warps = ((size_t)block.x * block.y * block.z + 31) / 32;
        const size_t bytes = shared_bytes + warps * stack_bytes;
        if (bytes > 16384)
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
        return bytes;
    }
    // Whether the host may wait for the stream: not while it is captured.
    bool may_wait() const {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        return cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone;
    }
};
"""

_SCRATCH = """\
// Memory of the device for one launch, from a pool that keeps it for the next one; `base` is NULL if there is none.
struct s2s_scratch {
    char *base;
    cudaStream_t stream;
    s2s_scratch(bool wanted, size_t bytes, cudaStream_t stream) : base(NULL), stream(stream) {
        int device = 0;
        if (!wanted || cudaPeekAtLastError() != cudaSuccess)  // an error is for the program to see
            return;
        if (cudaGetDevice(&device) == cudaSuccess && device < 64) {
            const cudaMemPool_t pool = pool_of(device);
            if (pool != NULL && cudaMallocFromPoolAsync((void **)&base, bytes, pool, stream) != cudaSuccess)
                base = NULL;
        }
        if (base == NULL)
            cudaGetLastError();
    }
    ~s2s_scratch() {
        if (base != NULL)
            cudaFreeAsync(base, stream);
    }
    s2s_scratch(const s2s_scratch &) = delete;
    s2s_scratch &operator=(const s2s_scratch &) = delete;
    static cudaMemPool_t pool_of(int device) {
        static std::mutex mutex;
        static cudaMemPool_t pools[64];
        const std::lock_guard<std::mutex> lock(mutex);
        if (pools[device] == NULL) {
            cudaMemPoolProps props = {};
            props.allocType = cudaMemAllocationTypePinned;
            props.location.type = cudaMemLocationTypeDevice;
            props.location.id = device;
            unsigned long long kept = ~0ull;
            if (cudaMemPoolCreate(&pools[device], &props) != cudaSuccess)
                pools[device] = NULL;
            else
                cudaMemPoolSetAttribute(pools[device], cudaMemPoolAttrReleaseThreshold, &kept);
        }
        return pools[device];
    }
};
"""

_KEYS = """\
// A block for each coordinate: where nearly all of its values begin, and one divided by the length of their range, or 0
// if they are all the same. By 256 threads, without the three least and the three largest.
static __global__ void s2s_find_ranges(const float *values, unsigned int threads, float *ranges) {
    __shared__ float sample[256], ends[2];
    const unsigned int i = threadIdx.x;
    const float own = values[(size_t)blockIdx.x * threads + (unsigned long long)i * threads / 256];
    sample[i] = isfinite(own) ? own : INFINITY;
    if (i < 2)
        ends[i] = 0.0f;
    __syncthreads();
    int rank = 0, size = 0;
    for (unsigned int j = 0; j < 256; j++) {
        size += sample[j] < INFINITY;
        rank += sample[j] < sample[i] || (sample[j] == sample[i] && j < i);
    }
    if (size > 6 && rank == 3)
        ends[0] = sample[i];
    if (size > 6 && rank == size - 4)
        ends[1] = sample[i];
    __syncthreads();
    if (i == 0) {
        const float length = ends[1] - ends[0];
        ranges[2 * blockIdx.x] = ends[0];
        ranges[2 * blockIdx.x + 1] = length > 0.0f && length < INFINITY ? 1.0f / length : 0.0f;
    }
}

// The key of each thread, its place on the curve of Morton: bits of the coordinates' cells in turns. Threads without a
// place come last.
static __global__ void s2s_make_keys(const float *values, unsigned int threads, int coordinates, const float *ranges,
                                     unsigned int *keys, unsigned int *numbers) {
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    int axes = 0;
    for (int c = 0; c < coordinates; c++)
        axes += ranges[2 * c + 1] > 0.0f;
    const int bits = axes == 0 ? 0 : 31 / axes < 24 ? 31 / axes : 24;
    const float cells = (float)(1 << bits);
    unsigned int key = 0;
    int axis = 0;
    for (int c = 0; c < coordinates; c++) {
        if (!(ranges[2 * c + 1] > 0.0f))
            continue;
        const float place = (values[(size_t)c * threads + i] - ranges[2 * c]) * ranges[2 * c + 1] * cells;
        if (isnan(place)) {
            key = 0xffffffffu;
            break;
        }
        const unsigned int cell = place < 0.0f ? 0 : place >= cells ? (1u << bits) - 1 : (unsigned int)place;
        for (int bit = 0; bit < bits; bit++)
            key |= (cell >> bit & 1u) << (bit * axes + axis);
        axis++;
    }
    keys[i] = key;
    numbers[i] = i;
}
"""

_LOOK = """\
// Threads of a warp that are so far apart, as a part of the distance of any two threads, traverse the tree separately.
#define S2S_FAR_APART 0.75f

// Whether two threads of a warp are nearer to each other than any two: by 1024 of them, all over the launch. `order`:
// that in which threads run, or NULL. Warps meet once, after all coordinates: no load waits for another's sum.
static __global__ void s2s_look(const float *values, unsigned int threads, int coordinates, const unsigned int *order,
                                int *near) {
    __shared__ float near_sums[MOST_COORDINATES][33], far_sums[MOST_COORDINATES][33];  // 33: each in a bank of its own
    const unsigned int k = threadIdx.x, thread_lane = k & 31, all_lanes = 0xffffffffu;
    const unsigned int one = (unsigned int)((unsigned long long)k * threads / 1024);
    const unsigned int lane = one & 31, next = (one & ~31u) + ((lane + 1 + k % 31) & 31);
    const unsigned int beside = next < threads ? next : one;
    const unsigned int other = next < threads ? (unsigned int)((k * 2654435761ull + 12345) % threads) : one;
    const unsigned int at = order ? order[one] : one, at_near = order ? order[beside] : beside;
    const unsigned int at_far = order ? order[other] : other;
    for (int c = 0; c < coordinates; c++) {
        const float *own = values + (size_t)c * threads;
        const float here = own[at], to_near = fabsf(own[at_near] - here), to_far = fabsf(own[at_far] - here);
        float near_sum = to_near < INFINITY ? to_near : 0.0f, far_sum = to_far < INFINITY ? to_far : 0.0f;
        for (int half = 16; half > 0; half /= 2) {
            near_sum += __shfl_down_sync(all_lanes, near_sum, half);
            far_sum += __shfl_down_sync(all_lanes, far_sum, half);
        }
        if (thread_lane == 0) {
            near_sums[c][k / 32] = near_sum;
            far_sums[c][k / 32] = far_sum;
        }
    }
    __syncthreads();
    if (k >= 32)
        return;
    float near_sum = 0.0f, far_sum = 0.0f;  // of coordinate k
    for (int warp = 0; warp < 32 && (int)k < coordinates; warp++) {
        near_sum += near_sums[k][warp];
        far_sum += far_sums[k][warp];
    }
    const bool varies = far_sum > 0.0f && far_sum < INFINITY && near_sum < INFINITY;
    const int varying = __popc(__ballot_sync(all_lanes, varies));
    float sum = varies ? near_sum / far_sum : 0.0f;
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(all_lanes, sum, half);
    if (k == 0)
        *near = varying > 0 && sum <= S2S_FAR_APART * (float)varying;
}
"""
