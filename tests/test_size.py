"""Large programs compile in time that grows about with their length; what is too large is refused at once."""

from __future__ import annotations

import time

import pytest

from simt2simd.diag import CompileError
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source

SECONDS = 10  # of CPU; each takes a tenth to a half of it


def chain(count: int, body: str) -> str:
    """Functions `f0`, `f1` and so on; `body` is what one does with the one before, `f`."""
    functions = ["__device__ int f0(int x) { return x + 1; }"]
    functions += [f"__device__ int f{i}(int x) {{ {body.replace('f(', f'f{i - 1}(')} }}" for i in range(1, count)]
    return "\n".join([*functions, f"__global__ void k(int *a) {{ a[threadIdx.x] = f{count - 1}(a[threadIdx.x]); }}"])


def nested(count: int, inside: str) -> str:
    loops = "".join(f"for (int i{i} = 0; i{i} < n; i{i}++) {{\n" for i in range(count))
    return f"""__global__ void k(int *a, int n) {{ __shared__ int s[256]; int sum = 0;
        {loops} {inside} {"}" * count} a[threadIdx.x] = sum + s[0]; }}"""


def listed(initial: str, count: int) -> str:
    return f"__global__ void k(int *a) {{ short x[{count}] = {initial}; a[threadIdx.x] = x[a[threadIdx.x]]; }}"


PROGRAMS = {
    "a chain of calls": chain(400, "return f(x * 3) + 1;"),
    "functions that call the next twice": chain(16, "return f(x * 3) + f(x + 1);"),
    "nested loops": nested(60, "sum += a[threadIdx.x];"),
    "nested loops with barriers": nested(
        24, "s[threadIdx.x] = sum; __syncthreads(); sum += s[threadIdx.x ^ 1]; __syncthreads();"
    ),
    "a list of zeros": listed("{0}", 20_000),
    "a list of numbers": listed(f"{{{','.join(map(str, range(10_000)))}}}", 20_000),
    "strings": "__global__ void k(int *a) { a[0] = 1; } const char *const all[] = {"
    + ('"' + "long \\n" * 20_000 + '",') * 160
    + "};",
    "a constant": "__device__ const short x[1000000][3] = {1}; __global__ void k(int *a) { a[0] = x[a[1]][a[2]]; }",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_large_programs_compile_in_time(text: str) -> None:
    start = time.process_time()
    compile_device(Source("k.cu", text), Options()).object_code()
    assert time.process_time() - start < SECONDS


def test_a_local_array_that_fits_no_stack_is_refused_at_once() -> None:
    text = "__global__ void k(int *a) { int x[1 << 28]; x[a[0]] = 1; a[1] = x[a[2]]; }"
    start = time.process_time()
    with pytest.raises(CompileError, match="more than 256 KiB per thread; 'x' takes 1073741824 bytes"):
        compile_device(Source("k.cu", text), Options())
    assert time.process_time() - start < SECONDS
