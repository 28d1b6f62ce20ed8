"""Atomic functions: the lanes of a gang, and the gangs of a block, act in thread order at every address."""

from __future__ import annotations

import functools
import itertools
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.python.kernel import RawModule
from simt2simd.runtime import ALL_GANGS, configure
from simt2simd.source import Source

pytestmark = pytest.mark.unoptimised

WORDS = 64  # of each memory that is updated
TYPES = {"int": np.int32, "unsigned": np.uint32, "long long": np.int64, "unsigned long long": np.uint64,
         "float": np.float32, "double": np.float64, "unsigned short": np.uint16, "__half": np.float16}  # fmt: skip

# Where the word of thread `i` is. `m` is one of four global memories, `s` one of four shared ones; `k` is uniform.
PLACES = {
    "global_varying": "&m[at[i]]",
    "global_uniform": "&m[k]",
    "global_consecutive": "&m[i % 64]",
    "shared_varying": "&s[at[i]]",
    "shared_uniform": "&s[k]",
    "shared_consecutive": "&s[threadIdx.x % 16]",
    "shared_separate": "&s[(threadIdx.x % 16) * 4]",
    "either_varying": "&pick(k < 7 ? s : m)[at[i]]",
    "either_uniform": "pick(k < 7 ? s : m) + k",
    "mixed": "&pick(at[i] % 2 ? s : m)[at[i]]",
}

# Every function, and every type at least once; and the places where it is tried.
FUNCTIONS = {
    ("Add", "int"): tuple(PLACES),
    ("Min", "int"): ("global_uniform", "global_varying", "shared_consecutive", "shared_separate", "mixed"),
    ("CAS", "int"): ("global_consecutive", "global_varying", "shared_varying", "either_uniform", "mixed"),
    ("Add", "float"): ("global_varying", "shared_varying", "either_uniform", "shared_consecutive"),
    ("Add", "double"): ("global_uniform", "shared_varying"),
    ("Add", "unsigned long long"): ("global_varying", "shared_uniform", "shared_varying"),
    ("Sub", "unsigned"): ("global_varying", "shared_varying"),
    ("Exch", "float"): ("global_uniform", "either_varying"),
    ("Exch", "int"): ("global_varying", "shared_uniform"),
    ("Min", "unsigned long long"): ("either_uniform", "shared_varying"),
    ("Max", "unsigned"): ("global_uniform", "mixed"),
    ("Max", "long long"): ("global_varying", "shared_uniform"),
    ("Inc", "unsigned"): ("global_varying", "either_uniform", "shared_consecutive"),
    ("Dec", "unsigned"): ("global_uniform", "shared_varying"),
    ("CAS", "unsigned short"): ("global_varying", "shared_varying"),
    ("CAS", "unsigned long long"): ("global_uniform", "shared_separate"),
    ("And", "unsigned long long"): ("global_varying", "shared_uniform"),
    ("And", "int"): ("either_uniform", "shared_varying"),
    ("Or", "unsigned"): ("global_varying", "shared_uniform"),
    ("Xor", "int"): ("either_varying", "shared_uniform", "global_uniform"),
    ("Add", "__half"): tuple(PLACES),
    ("Add_block", "double"): ("global_varying", "shared_consecutive", "either_uniform", "mixed"),
    ("Exch_system", "unsigned long long"): ("global_varying", "shared_varying"),
    ("Min_block", "long long"): ("global_uniform", "shared_varying", "mixed"),
    ("Max_system", "unsigned long long"): ("global_varying", "shared_uniform"),
    ("Or", "unsigned long long"): ("either_uniform", "shared_varying"),
    ("Xor_block", "unsigned long long"): ("global_uniform", "global_varying"),
    ("CAS_system", "unsigned long long"): ("global_varying", "mixed"),
    ("Inc_block", "unsigned"): ("global_uniform", "mixed"),
    ("Dec_system", "unsigned"): ("global_varying", "shared_consecutive"),
    ("Sub_block", "int"): ("global_uniform", "either_varying"),
}


def program(function: str, ctype: str) -> str:
    """Return the kernels that call one function at its places: old values used or not, values varying or uniform."""

    def call(place: str, number: int, value: str) -> str:
        where = re.sub(r"\b([ms])\b", rf"\g<1>{number}", place)
        compare = "" if not function.startswith("CAS") else f"({value}) % 3, "
        return f"atomic{function}({where}, {compare}{value})"

    def each_word(statement: str) -> str:
        copies = " ".join(statement.replace("#", str(number)) for number in range(4))
        return f"for (int j = i; j < {WORDS}; j += blockDim.x) {{ {copies} }}"

    text = [f"__device__ {ctype} *pick({ctype} *p) {{ return p; }}"]
    for name in FUNCTIONS[function, ctype]:
        place = PLACES[name]
        before = after = ""
        if not name.startswith("global"):
            shared = f"__shared__ {ctype} s0[{WORDS}], s1[{WORDS}], s2[{WORDS}], s3[{WORDS}];"
            before = f"{shared} {each_word('s#[j] = m#[j];')} __syncthreads();"
            after = f"__syncthreads(); {each_word(f'm#[{WORDS} + j] = s#[j];')}"
        text.append(f"""
        __global__ void {name}({ctype} *m0, {ctype} *m1, {ctype} *m2, {ctype} *m3, const int *at, const {ctype} *v,
                               const int *on, {ctype} *old, int k)
        {{
            int i = threadIdx.x;
            {before}
            if (on[i]) {{
                old[2 * i] = {call(place, 0, "v[i]")};
                {call(place, 1, "v[i]")};
                old[2 * i + 1] = {call(place, 2, "v[0]")};
                {call(place, 3, "v[0]")};
            }}
            {after}
        }}""")
    return "\n".join(text)


@functools.cache
def interpreter(function: str, ctype: str) -> Interpreter:
    return Interpreter(check(parse(preprocess(Source("atomic.cu", program(function, ctype)), Options()))))


@functools.cache
def compiled(function: str, ctype: str, way: str = "") -> RawModule:
    options = {"": "", "avx2": "--target=avx2", "O0": "-O0", "verify": "--verify -O0"}
    return RawModule(code=program(function, ctype), options=options[way].split())


def arguments(ctype: str, threads: int, spread: int, density: float, k: int, seed: int) -> list[Any]:
    """Make a launch's arguments: four memories, indices, values, active threads, room for old values, `k`."""
    rng, dtype = np.random.default_rng(seed), TYPES[ctype]
    low = 0 if ctype.startswith("unsigned") else -9
    memories = [rng.integers(low, 10, 2 * WORDS).astype(dtype) for _ in range(4)]
    at = rng.integers(0, spread, threads).astype(np.int32)
    if seed % 3 == 0:
        at.sort()  # neighbours meet
    on = (rng.random(threads) < density).astype(np.int32)
    return [*memories, at, rng.integers(low, 10, threads).astype(dtype), on, np.full(2 * threads, 77, dtype), k]


def assert_thread_order(
    function: str, ctype: str, kernel: str, threads: int, spread: int, density: float, k: int, seed: int, way: str = ""
) -> None:
    ours, theirs = (arguments(ctype, threads, spread, density, k, seed) for _ in range(2))
    interpreter(function, ctype).launch(kernel, 1, threads, ours)
    compiled(function, ctype, way).get_function(kernel)((1,), (threads,), tuple(theirs))
    for number, (mine, other) in enumerate(zip(ours[:-1], theirs[:-1], strict=True)):
        np.testing.assert_array_equal(other, mine, f"argument {number} of {kernel}")


blocks = st.sampled_from([1, 15, 16, 17, 31, 32, 33, 48, 256])
launches = {
    "place": st.integers(0, 9),
    "threads": blocks,
    "spread": st.sampled_from([1, 2, 5, 64]),
    "density": st.sampled_from([0.0, 0.1, 0.5, 0.95, 1.0]),
    "k": st.integers(0, 15),
    "seed": st.integers(0, 2**32 - 1),
}


@pytest.mark.parametrize(("function", "ctype"), FUNCTIONS)
@settings(max_examples=20, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(**launches)
def test_old_values_and_memory_are_those_of_thread_order(function: str, ctype: str, place: int, **launch: Any) -> None:
    kernels = FUNCTIONS[function, ctype]
    assert_thread_order(function, ctype, kernels[place % len(kernels)], **launch)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["avx2", "O0", "verify"])
@pytest.mark.parametrize(("function", "ctype"), [("Add", "int"), ("Min", "int"), ("CAS", "int"), ("Add", "float")])
@settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(**launches)
def test_other_ways_to_compile_keep_thread_order(
    function: str, ctype: str, way: str, place: int, **launch: Any
) -> None:
    kernels = FUNCTIONS[function, ctype]
    assert_thread_order(function, ctype, kernels[place % len(kernels)], **launch, way=way)


MANY_HTHREADS = r"""
__device__ void halve(float *at) {
    int *bits = (int *)at, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(__int_as_float(assumed) * 0.5f));
    } while (old != assumed);
}
__global__ void everything(int *slots, int *count, unsigned *turn, double *sum, float *scale, int *least,
                           int *shared_sum)
{
    __shared__ int own[4], all, drawn[256];
    if (threadIdx.x < 4) own[threadIdx.x] = 0;
    if (threadIdx.x == 0) all = 0;
    drawn[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    slots[atomicAdd(count, 1)] += 1;
    atomicInc(turn, 6);
    atomicAdd(sum, 0.25);
    atomicMin(least, -i);
    if (i % 701 == 0) halve(scale);
    for (int k = 0; k < 5; k++) {
        atomicAdd(&own[(threadIdx.x + k) % 4], 1);
        drawn[atomicAdd(&all, 1) % 256]++;  // five rounds over the array, unless a number is drawn twice
        __syncthreads();
    }
    if (drawn[threadIdx.x] == 5) atomicAdd(shared_sum, own[threadIdx.x % 4]);
}
"""


@pytest.mark.parametrize("hthreads_per_block", [1, 3, ALL_GANGS])
def test_no_update_is_lost_among_hthreads(hthreads_per_block: int) -> None:
    blocks, threads = 24, 256
    total = blocks * threads
    kernel = RawModule(code=MANY_HTHREADS).get_function("everything")
    slots, count, least = np.zeros(total, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    turn, sum_, scale = np.zeros(1, np.uint32), np.zeros(1), np.ones(1, np.float32)
    shared_sum = np.zeros(1, np.int32)
    configure(4, hthreads_per_block)
    try:
        kernel((blocks,), (threads,), (slots, count, turn, sum_, scale, least, shared_sum))
    finally:
        configure()
    assert (slots == 1).all() and count[0] == total
    assert turn[0] == total % 7 and sum_[0] == total / 4 and least[0] == 1 - total
    assert scale[0] == 0.5 ** -(-total // 701)
    assert shared_sum[0] == total * threads * 5 // 4


def test_wrapping_counters_follow_the_guide() -> None:
    """`((old >= val) ? 0 : (old + 1))` and `(((old == 0) || (old > val)) ? val : (old - 1))`."""
    code = """__global__ void k(unsigned *up, unsigned *down, unsigned *olds, unsigned limit) {
        olds[threadIdx.x] = atomicInc(up, limit); olds[blockDim.x + threadIdx.x] = atomicDec(down, limit); }"""
    up, down, olds = np.array([9], np.uint32), np.array([9], np.uint32), np.zeros(20, np.uint32)
    RawModule(code=code).get_function("k")((1,), (10,), (up, down, olds, 3))
    assert list(olds[:10]) == [9, 0, 1, 2, 3, 0, 1, 2, 3, 0] and up[0] == 1
    assert list(olds[10:]) == [9, 3, 2, 1, 0, 3, 2, 1, 0, 3] and down[0] == 2


BY_PARTS = """
__global__ void k(half2 *h, __nv_bfloat162 *b, float2 *f, float4 *g, half2 *old, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    half2 before = atomicAdd(&h[i % 3], __floats2half2_rn(1.0f, 2.0f));
    if (i < 3) old[i] = before;
    atomicAdd(&b[0], __floats2bfloat162_rn(1.0f, -1.0f));
    atomicAdd(f + i % 2, make_float2(i, 1));
    atomicAdd(g, make_float4(1, 2, 3, i));
}
"""


def test_pairs_are_added_part_by_part() -> None:
    n = 200
    h, b, old = np.zeros((3, 2), np.float16), np.zeros(2, np.uint16), np.ones((3, 2), np.float16)
    f, g = np.zeros((2, 2), np.float32), np.zeros(4, np.float32)
    RawModule(code=BY_PARTS).get_function("k")((4,), (64,), (h, b, f, g, old, n))
    assert h.tolist() == [[67, 134], [67, 134], [66, 132]] and (old < 134).all()
    assert (b.astype(np.uint32) << 16).view(np.float32).tolist() == [200, -200]
    assert f.tolist() == [[9900, 100], [10000, 100]] and g.tolist() == [n, 2 * n, 3 * n, 19900]


NARROW = """
__global__ void k(const INDEX *at, const unsigned *v, unsigned *old, unsigned *words, int from, int count) {
    extern __shared__ unsigned s[];
    for (int i = threadIdx.x; i < count; i += blockDim.x) s[i] = 0;
    __syncthreads();
    unsigned *middle = s - from;
    unsigned drawn = atomicExch(&middle[at[threadIdx.x]], v[threadIdx.x]);
    __syncthreads();
    atomicAdd(&middle[at[threadIdx.x]], 3);
    __syncthreads();
    old[threadIdx.x] = drawn;
    for (int i = threadIdx.x; i < count; i += blockDim.x) words[i] = s[i];
}
"""


@pytest.mark.parametrize(
    ("index", "kind", "low", "high"),
    [("unsigned char", np.uint8, 0, 255), ("signed char", np.int8, -128, 127),
     ("unsigned short", np.uint16, 0, 9000), ("short", np.int16, -5000, 4000)],
)  # fmt: skip
def test_bytes_and_shorts_lead_each_lane_to_its_own_word(
    index: str, kind: type[np.integer[Any]], low: int, high: int
) -> None:
    """All of a word's lanes count: the lowest and the highest index, of both signs, in each place of the gang."""
    kernel = RawModule(code=NARROW.replace("INDEX", index)).get_function("k")
    count = high - low + 1
    for turn, threads in itertools.product(range(16), (16, 40)):
        at = np.roll(np.linspace(low, high, threads).astype(kind), turn)
        at[5], at[11] = at[4], at[2]  # lanes meet
        v = np.arange(1, threads + 1, dtype=np.uint32)
        old, words = np.zeros(threads, np.uint32), np.zeros(count, np.uint32)
        kernel((1,), (threads,), (at, v, old, words, low, count), shared_mem=4 * count)
        expected, drawn = np.zeros(count, np.uint32), np.zeros(threads, np.uint32)
        for i, place in enumerate(at.astype(int) - low):
            drawn[i], expected[place] = expected[place], v[i]
        np.add.at(expected, at.astype(int) - low, 3)
        np.testing.assert_array_equal(old, drawn)
        np.testing.assert_array_equal(words, expected)
