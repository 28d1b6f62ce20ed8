"""The reference interpreter: what it computes, and what it refuses."""

from __future__ import annotations

import math
import struct
from typing import Any

import mpmath
import numpy as np
import pytest

from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.constexpr.fold import convert_value
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp import warps
from simt2simd.interp.directed_rounding import toward
from simt2simd.interp.math import MATH
from simt2simd.interp.memory import Memory, MemoryFault
from simt2simd.interp.ops import builtin_operation, integer_to_single
from simt2simd.interp.run import Interpreter, InterpreterError, run
from simt2simd.lang.builtins import BUILTINS, Builtin
from simt2simd.lang.ctype import DOUBLE, FLOAT, CType, Pointer, Scalar, is_float, is_integer
from simt2simd.lang.numbers import f32
from simt2simd.options import Options
from simt2simd.source import Source
from simt2simd.tree.nodes import Module


def module(code: str) -> Module:
    return check(parse(preprocess(Source("kernel.cu", code), Options())))


def values(expressions: list[str], ctype: str = "long long", dtype: Any = np.int64, before: str = "") -> list[Any]:
    """Evaluate expressions in a kernel; return the results."""
    stores = "\n".join(f"out[{i}] = {expression};" for i, expression in enumerate(expressions))
    out = np.zeros(len(expressions), dtype)
    run(module(f"__global__ void k({ctype} *out) {{ {before}\n{stores} }}"), "k", 1, 1, [out])
    return list(out.tolist())


def failure(code: str, args: list[Any], grid: Any = 1, block: Any = 1, **options: Any) -> InterpreterError:
    with pytest.raises(InterpreterError) as caught:
        run(module(code), "k", grid, block, args, **options)
    return caught.value


# --------------------------------------------------------------------------------------- what things mean


def test_integer_division_never_fails() -> None:
    before = "int zero = 0, low = 0x80000000, minus = -1; unsigned u = 7, z = 0; long long l = 1ll << 63;"
    given = ["5 / zero", "5 % zero", "low / minus", "low % minus", "u / z", "u % z", "-7 / 2", "-7 % 2", "l / minus"]
    expected = [-1, 5, -(2**31), 0, 2**32 - 1, 7, -3, -1, -(2**63)]
    assert values(given, before=before) == expected


def test_shift_by_the_width_or_more_leaves_zeros_or_the_sign() -> None:
    before = "int x = -8, n = 32, m = -1; unsigned u = 0xf0000000; long long l = -5, k = 64;"
    given = ["x << n", "x >> n", "x >> m", "u >> n", "u << m", "l >> k", "l << k", "x >> 1", "u >> 28", "1 << (n - 1)"]
    assert values(given, before=before) == [0, -1, -1, 0, 0, -1, 0, -4, 15, -(2**31)]


def test_signed_arithmetic_wraps() -> None:
    before = "int high = 0x7fffffff, low = -high - 1; signed char c = 127; short s = -32768; c++; s--;"
    given = ["high + 1", "low - 1", "-low", "high * high", "c", "s", "abs(low)", "(long long)high + 1"]
    assert values(given, before=before) == [-(2**31), 2**31 - 1, -(2**31), 1, -128, 32767, -(2**31), 2**31]


def test_float_to_integer_saturates() -> None:
    before = "float big = 1e30f, nan = __int_as_float(0x7fc00000); double d = -1e30;"
    given = ["(int)big", "(int)-big", "(int)nan", "(unsigned)-1.5f", "(unsigned)big", "(long long)d", "(long long)nan"]
    given += ["(unsigned long long)nan", "(int)-2.9f", "(bool)nan", "(unsigned char)300.7f", "(signed char)-129.0f"]
    expected = [2**31 - 1, -(2**31), 0, 0, 2**32 - 1, -(2**63), -(2**63), -(2**63), -2, 1, 44, 127]
    assert values(given, before=before) == expected


def test_floats_are_rounded_after_every_operation() -> None:
    before = "float a = 16777216.0f, b = 0.1f; double d = 0.1;"
    given = ["a + 1.0f - a", "(double)a + 1.0 - a", "b * b - b * b", "b", "d * 3", "1.0f / 3", "1.0f / (a - a)"]
    one_third = float(np.float32(1) / np.float32(3))
    expected = [0.0, 1.0, 0.0, float(np.float32(0.1)), 0.1 * 3, one_third, math.inf]
    assert values(given, "double", np.float64, before) == expected


def test_a_value_comes_before_the_place_it_goes_to() -> None:
    before = "int a[4] = {0, 0, 0, 0}, i = 0; a[i] = i = 2; a[i] += i = 3; int *p = a; *p++ = *p + 5;"
    assert values(["a[0]", "a[2]", "a[3]", "i", "p - a"], before=before) == [5, 2, 3, 3, 1]


def test_only_the_arm_that_is_chosen_runs() -> None:
    before = "int n = 0, x = 1; x || n++; x && (n += 10); x ? n += 100 : (n += 1000); int y = !x && n++ ? 1 : 2;"
    assert values(["n", "y"], before=before) == [110, 2]


def test_long_and_deep_expressions() -> None:
    terms = " + ".join(f"x * {i}" for i in range(120))
    choice = "x == -1 ? 1 : " * 80 + "7"
    conditions = " || ".join(f"x == {i}" for i in range(100, 160))
    assignments = "a = " * 60 + "5"
    given = [terms, choice, f"({conditions}) ? 1 : 0", f"({assignments})"]
    assert values(given, before="int x = 2, a;") == [2 * sum(range(120)), 7, 0, 5]


def test_a_long_chain_of_else_if() -> None:
    chain = "".join(f"if (x == {i}) r = {i * 3}; else " for i in range(150)) + "r = -1;"
    assert values(["r"], before=f"int x = 140, r; {chain}") == [420]


def test_struct_results_and_their_members() -> None:
    code = """
    typedef struct { int a[3]; float f; } S;
    __device__ S make(int x) { S s = {{x, x + 1, x + 2}, 0.5f}; return s; }
    __global__ void k(int *out, int i) {
        S s = make(10), t = s;
        t.a[i] = make(20).a[i];
        out[0] = s.a[1]; out[1] = t.a[1]; out[2] = make(30).f * 4; out[3] = (i ? s : t).a[1];
    }"""
    out = np.zeros(4, np.int32)
    run(module(code), "k", 1, 1, [out, 1])
    assert out.tolist() == [11, 21, 2, 11]


def test_thread_and_block_indices() -> None:
    code = """__global__ void k(int *out) {
        int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        out[block * 24 + thread] = blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z
            + 1000 * threadIdx.x + 10000 * threadIdx.y + 100000 * threadIdx.z;
    }"""
    out = np.zeros((2, 3, 2, 2, 3, 4), np.int32)
    run(module(code), "k", (2, 3, 2), (4, 3, 2), [out])
    bz, by, bx, tz, ty, tx = np.indices(out.shape)
    assert (out == bx + 10 * by + 100 * bz + 1000 * tx + 10000 * ty + 100000 * tz).all()


# --------------------------------------------------------------------------------------------- barriers

TURNS = """__global__ void k(int *out, int limit) {
    __shared__ int s[8];
    int t = threadIdx.x;
    if (t >= limit) return;
    for (int turn = 0; turn < 3; turn++) {
        s[t] = t * 10 + turn;
        __syncthreads();
        out[t * 3 + turn] = s[(t + 1) % limit];
        __syncthreads();
    }
}"""


def test_barriers_in_loops_after_some_threads_ended() -> None:
    out = np.full(24, -1, np.int32)
    run(module(TURNS), "k", 1, 8, [out, 5])
    assert out.reshape(8, 3)[:5].tolist() == [[(t + 1) % 5 * 10 + turn for turn in range(3)] for t in range(5)]
    assert (out[15:] == -1).all()


def test_threads_meet_at_whatever_barriers_they_come_to() -> None:
    code = """__global__ void k(int *out) {
        __shared__ int s[8];
        int t = threadIdx.x;
        if (t < 4) {
            s[t] = t;
            __syncthreads();
            out[t] = s[t + 4];
        } else {
            s[t] = 10 * t;
            if (t % 2)
                __syncthreads();
            else
                __syncthreads();
            out[t] = s[t - 4];
        }
    }"""
    out = np.zeros(8, np.int32)
    run(module(code), "k", 2, 8, [out])
    assert out.tolist() == [40, 50, 60, 70, 0, 1, 2, 3]


def test_threads_pass_as_many_barriers_as_they_come_to() -> None:
    code = """__global__ void k(int *out) {
        for (int i = 0; i < threadIdx.x; i++)
            __syncthreads();
        out[threadIdx.x] = atomicAdd(&out[8], 1);
    }"""
    out = np.zeros(9, np.int32)
    run(module(code), "k", 1, 8, [out])
    assert out.tolist() == [*range(9)]


def test_threads_that_wait_in_loops_let_others_have_their_turns() -> None:
    code = """__global__ void k(volatile int *flag, int *lock, int *sum) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        while (flag[i + 1] == 0) { }
        flag[i] = flag[i + 1] + 1;
        __syncthreads();
        while (atomicCAS(lock, 0, 1) != 0) { }
        *sum += flag[i];
        atomicExch(lock, 0);
    }"""
    flag, lock, total = np.zeros(9, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    flag[8] = 1
    run(module(code), "k", 2, 4, [flag, lock, total])
    assert flag.tolist() == [*range(9, 0, -1)] and total[0] == 44


def test_threads_that_wait_for_ever_come_to_the_limit() -> None:
    code = "__global__ void k(volatile int *flag) { while (*flag == 0) { } }"
    assert "not finished after 1000 steps" in str(failure(code, [np.zeros(1, np.int32)], block=2, max_steps=1000))


def test_barrier_skipped_by_threads_that_then_end_is_legal() -> None:
    code = "__global__ void k(int *out) { if (threadIdx.x < 4) { __syncthreads(); out[threadIdx.x] = 1; } }"
    out = np.zeros(8, np.int32)
    run(module(code), "k", 1, 8, [out])
    assert out.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]


def test_one_barrier_reached_through_two_calls_is_one_barrier() -> None:
    code = """__device__ void wait(void) { __syncthreads(); }
    __global__ void k(int *out) { if (threadIdx.x & 1) wait(); else wait(); out[threadIdx.x] = 1; }"""
    out = np.zeros(8, np.int32)
    run(module(code), "k", 1, 8, [out])
    assert out.all()


def test_only_functions_that_may_reach_a_barrier_become_generators() -> None:
    code = """__device__ int plain(int x) { return x + 1; }
    __device__ int waits(int x) { __syncthreads(); return plain(x); }
    __global__ void k(int *out) { out[threadIdx.x] = waits(plain(3)); }"""
    text = Interpreter(module(code)).python()
    assert "yield from function_waits" in text and "yield from function_plain" not in text


# -------------------------------------------------------------------------------------------- the sanitiser


@pytest.mark.parametrize(
    ("statement", "column", "message"),
    [
        ("out[n] = 1;", 9, "write of 4 bytes out of bounds, right at the end of 'out' (16 bytes)"),
        ("out[0] = out[-1];", 18, "read of 4 bytes out of bounds, 4 bytes before 'out' (16 bytes)"),
        ("*(int *)((char *)out + 2) = 1;", 9, "at an address that is not a multiple of 4, in 'out'"),
        ("*(long long *)(out + 1) = 1;", 9, "not a multiple of 8"),
        ("int *p = 0; *p = 1;", 21, "write of 4 bytes through a null pointer"),
        ("int a[3] = {1}; out[0] = a[n];", 34, "read of 4 bytes out of bounds, 4 bytes past the end of 'a' (12 bytes)"),
        ("int *p; { int x = 1; p = &x; } out[0] = *p;", 49, "read of 4 bytes where no variable lives"),
        ("int *p = local(); *p = 5;", 27, "no variable lives"),
        ("*(const_cast_away + 0) = 1;", 9, "is read-only"),
        ("int x; out[0] = x + 1;", 16, "'x' is read before it has a value"),
        ("for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; out[i] = x; }", 65, "'x' is read before it has"),
    ],
)
def test_what_has_no_meaning_is_an_error(statement: str, column: int, message: str) -> None:
    code = f"""__device__ int *local() {{ int x = 1; int *p = &x; return p; }}
    __global__ void k(int *out, int n, int *const_cast_away)
    {{
        {statement}
    }}"""
    constant = np.zeros(4, np.int32)
    constant.flags.writeable = False
    error = failure(code, [np.zeros(4, np.int32), 4, constant])
    assert message in str(error)
    assert (error.span.line, error.span.column) == (4, column)
    assert (error.thread, error.block) == ((0, 0, 0), (0, 0, 0))


def test_the_error_names_thread_and_block() -> None:
    code = "__global__ void k(int *out) { out[blockIdx.y * 8 + threadIdx.y * 2 + threadIdx.x] = 1; }"
    error = failure(code, [np.zeros(13, np.int32)], grid=(1, 2), block=(2, 4))
    assert (error.thread, error.block) == ((1, 2, 0), (0, 1, 0))
    assert str(error).endswith("in thread (1, 2, 0) of block (0, 1, 0)")


def test_a_function_that_ends_without_its_result() -> None:
    code = "__device__ int f(int x) { if (x) return 1; }\n__global__ void k(int *out) { out[0] = f(1); out[0] = f(0); }"
    assert "ends without returning a value" in str(failure(code, [np.zeros(1, np.int32)]))


def test_step_limit() -> None:
    code = "__global__ void k(int *out) { while (true)\n out[0]++; }"
    error = failure(code, [np.zeros(1, np.int32)], max_steps=1000)
    assert "not finished after 1000 steps" in str(error)


def test_endless_recursion() -> None:
    code = "__device__ int f(int x) { return f(x + 1) + 1; }\n__global__ void k(int *out) { out[0] = f(0); }"
    assert "call each other too deeply" in str(failure(code, [np.zeros(1, np.int32)]))


@pytest.mark.parametrize(("depth", "barrier"), [(50_000, ""), (1_000, "__syncthreads();")])
def test_deep_recursion(depth: int, barrier: str) -> None:
    code = f"""__device__ int f(int x) {{ if (x == 0) return 0; {barrier} return f(x - 1) + 2; }}
    __global__ void k(int *out, int depth) {{ out[threadIdx.x] = f(depth); }}"""
    out = np.zeros(2, np.int32)
    run(module(code), "k", 1, 2, [out, depth])
    assert out.tolist() == [2 * depth] * 2


def test_endless_recursion_with_barriers() -> None:
    code = """__device__ int f(int x) { __syncthreads(); return f(x + 1) + 1; }
    __global__ void k(int *out) { out[0] = f(0); }"""
    assert "call each other too deeply" in str(failure(code, [np.zeros(1, np.int32)], block=2))


# --------------------------------------------------------------------------------------- arguments and memory


def test_arrays_are_used_in_place_also_views() -> None:
    whole = np.zeros((4, 6), np.int32)
    run(module("__global__ void k(int *out) { out[threadIdx.x] = threadIdx.x + 1; }"), "k", 1, 6, [whole[2]])
    assert whole[2].tolist() == [1, 2, 3, 4, 5, 6] and whole.sum() == 21


def test_overlapping_arrays_are_one_piece_of_memory() -> None:
    code = "__global__ void k(int *a, int *b) { int i = threadIdx.x; a[i] += 1; b[i] += 10; }"
    whole = np.zeros(6, np.int32)
    run(module(code), "k", 1, 4, [whole[:4], whole[2:]])
    assert whole.tolist() == [1, 1, 11, 11, 10, 10]


def test_pointers_in_memory_lead_to_registered_arrays_only() -> None:
    code = "__global__ void k(float **rows, float *out) { out[threadIdx.x] = rows[threadIdx.x][1]; }"
    rows = [np.arange(3, dtype=np.float32) + 10 * i for i in range(2)]
    table = np.array([row.ctypes.data for row in rows], np.uint64)
    memory = Memory()
    memory.register(rows[0])
    out = np.zeros(2, np.float32)
    with pytest.raises(InterpreterError) as caught:
        run(module(code), "k", 1, 2, [table, out], memory=memory)
    assert caught.value.thread == (1, 0, 0)
    memory.register(rows[1])
    run(module(code), "k", 1, 2, [table, out], memory=memory)
    assert out.tolist() == [1.0, 11.0]


def test_struct_arguments() -> None:
    code = (
        "typedef struct { char c; double d; } S;\n__global__ void k(S s, double *out) { s.d *= 2; *out = s.d + s.c; }"
    )
    dtype = np.dtype([("c", "i1"), ("d", "f8")], align=True)
    for arg in (np.array((3, 1.5), dtype), np.array([(3, 1.5)], dtype)[0], struct.pack("bxxxxxxxd", 3, 1.5)):
        out = np.zeros(1)
        run(module(code), "k", 1, 1, [arg, out])
        assert out[0] == 6.0


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ([1], TypeError, "takes 3 arguments, 1 given"),
        ([1.5, None, 0.0], TypeError, "parameter 'n' has type int"),
        ([1, 2.5, 0.0], TypeError, "parameter 'p'"),
        ([1, None, "x"], TypeError, "parameter 'f'"),
    ],
)
def test_wrong_arguments(args: list[Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        run(module("__global__ void k(int n, int *p, float f) {}"), "k", 1, 1, args)


def test_wrong_launches() -> None:
    code = module("__device__ void f() {}\n__global__ void k() {}")
    for kernel, grid, block in (("f", 1, 1), ("missing", 1, 1), ("k", 0, 1), ("k", 1, (1, 2, 3, 4))):
        with pytest.raises(ValueError):
            run(code, kernel, grid, block, [])


def test_memory_faults_between_arrays() -> None:
    memory = Memory()
    address = memory.allocate("a", 8)
    other = memory.allocate("b", 8)
    load = memory.loader(DOUBLE)
    memory.write(struct.pack("d", 2.5), address, 8, 0)
    assert load(address, 0) == 2.5
    for wrong in (address - 8, address + 8, other - 8, -8, 1 << 63, 0, address + 4):
        with pytest.raises(MemoryFault):
            load(wrong, 0)
    memory.release(address)
    with pytest.raises(MemoryFault):
        load(address, 0)


# ------------------------------------------------------------------------------------- built-in functions

ROWS = [row for rows in BUILTINS.values() for row in rows]


def _sample(value: float, ctype: CType) -> float | None:
    return convert_value(value, ctype) if isinstance(ctype, Scalar) and is_integer(ctype) else value


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.of_warp and not row.of_matrices], ids=lambda row: f"{row.name}-{row.result}"
)
def test_every_warp_function_has_an_operation_of_its_types(row: Builtin) -> None:
    params = row.params[1:] if row.names_lanes else row.params
    args = [*([0b11] if row.names_lanes else []), *(1.0 if is_float(param) else 1 for param in params)]
    found = warps.outcome({lane: warps.Waiting(0, (0,), row, args) for lane in (0, 1)})
    assert found.keys() == {0, 1}
    assert isinstance(found[0], float) == is_float(row.result)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{'-'.join(str(p) for p in row.params)}")
def test_every_builtin_has_an_operation_of_its_types(row: Builtin) -> None:
    if row.synchronises or row.service or row.waits or row.of_warp or row.op in ("fence", "trap", "make"):
        return
    samples: dict[bool, list[float]] = {True: [0.75, -2.5, 0.0, math.inf, math.nan], False: [3, 40, 0, 1, 2**31 - 1]}
    inputs: list[CType] = [param for param in row.params if not isinstance(param, Pointer)]
    outputs = [row.result] + [param.target for param in row.params if isinstance(param, Pointer)]
    if row.atomic:  # the old value comes first, and the new one is all that is computed
        inputs, outputs = [row.result, *inputs], [row.result]
    for k in range(5):
        result = builtin_operation(row)(*(_sample(samples[is_float(param)][k], param) for param in inputs))
        for ctype, value in zip(outputs, result if len(outputs) > 1 else (result,), strict=True):
            if is_float(ctype):
                assert isinstance(value, float)
                assert ctype != FLOAT or value != value or value == f32(value)
            elif is_integer(ctype):
                assert isinstance(value, int)


@pytest.mark.parametrize(
    ("name", "exact", "low", "high"),
    [
        ("cospi", mpmath.cospi, -20.0, 20.0),
        ("sinpi", mpmath.sinpi, -20.0, 20.0),
        ("erfinv", mpmath.erfinv, -1.0, 1.0),
        ("erfcinv", lambda q: mpmath.erfinv(1 - q), 0.0, 2.0),
        ("erfcx", lambda x: mpmath.exp(x * x) * mpmath.erfc(x), -26.0, 60.0),
        ("normcdf", mpmath.ncdf, -38.0, 9.0),
        ("normcdfinv", lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1), 0.0, 1.0),
        ("rcbrt", lambda x: 1 / mpmath.cbrt(x), 0.0, 99.0),
        ("rsqrt", lambda x: 1 / mpmath.sqrt(x), 0.0, 99.0),
    ],
)
def test_our_own_functions_are_accurate(name: str, exact: Any, low: float, high: float) -> None:
    numbers = np.random.default_rng(5).uniform(low, high, 60)
    with mpmath.workprec(200):
        for x in map(float, numbers):
            true = float(exact(mpmath.mpf(x)))
            assert abs(MATH[name](x) - true) <= 4 * math.ulp(true), x


def test_poles_and_signs_of_our_own_functions() -> None:
    assert (
        MATH["erfinv"](1.0) == math.inf and MATH["erfcinv"](2.0) == -math.inf and MATH["normcdfinv"](0.0) == -math.inf
    )
    assert math.isnan(MATH["erfinv"](1.5)) and math.isnan(MATH["sinpi"](math.inf)) and math.isnan(MATH["rsqrt"](-1.0))
    assert MATH["rsqrt"](0.0) == math.inf and MATH["erfcx"](-30.0) == math.inf and MATH["normcdf"](-40.0) == 0.0
    assert [MATH["cospi"](x) for x in (0.5, 1.0, 1.5, 2.0)] == [0.0, -1.0, 0.0, 1.0]
    assert math.copysign(1.0, MATH["sinpi"](-3.0)) == -1.0 and MATH["sinpi"](2.5) == 1.0


def test_conversions_to_single_round_once() -> None:
    numbers = np.random.default_rng(6)
    for _ in range(300):
        value = int(numbers.integers(-(2**63), 2**63)) >> int(numbers.integers(0, 60))
        with mpmath.workprec(24):
            assert integer_to_single(value) == float(mpmath.mpf(value)), value
    assert integer_to_single(2**60 + 2**36 + 1) == 2.0**60 + 2.0**37  # to double first would give 2^60
    assert toward(2**60 + 2**37 - 1, "rz", 4) == 2.0**60
    assert toward(-1e300, "rz", 4) == -float(np.finfo(np.float32).max)
    assert toward(0.1, "rz", 4) < 0.1 < f32(0.1)
