"""Large programs compile in time that grows about with their length; what is too large is refused at once."""

from __future__ import annotations

import cProfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from simt2simd.diag import CompileError
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.pipeline.compiled import Compiled
from simt2simd.pipeline.process import deep_recursion
from simt2simd.pipeline.stages import STAGES
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


def conditions(count: int) -> str:
    chosen = "0"
    for i in range(count):
        chosen = f"x == {i} ? {7 * i + 1} : {chosen}"
    return f"__global__ void k(int *a) {{ int x = a[threadIdx.x]; a[threadIdx.x] = {chosen}; }}"


def lines(count: int, line: str) -> str:
    """A kernel of so many lines, each with another number for `#`."""
    text = "\n".join(line.replace("#", str(i)) for i in range(count))
    return f"""__global__ void k(const float *__restrict__ r, float *a) {{
        int t = threadIdx.x; float s = 0; {text} a[t] = s; }}"""


def overloaded(count: int) -> str:
    """So many function templates of one name, each called twice."""
    structs = [f"struct S{i} {{ int v; }};" for i in range(count)]
    templates = [f"template <class T> __device__ T f(T x, S{i} *y) {{ return x + y->v; }}" for i in range(count)]
    calls = [f"{{ S{i % count} y; y.v = s; s += f(s, &y); }}" for i in range(2 * count)]
    return "\n".join([*structs, *templates, "__global__ void k(int *a) { int s = a[0];", *calls, "a[0] = s; }"])


def passed(count: int) -> str:
    """A struct of so many ints, which a function takes by value."""
    return f"""struct S {{ int b[{count}]; int m; }};
    __device__ int f(S s, int i) {{ s.b[i] += 1; return s.b[i + 1] + s.m; }}
    __global__ void k(S *s, int *a) {{ a[threadIdx.x] = f(s[a[2]], a[1]); }}"""


def growing(name: str, program: Callable[[int], str], least: int, *, slow: bool = False) -> ParameterSet:
    return pytest.param(program, least, id=name, marks=[pytest.mark.slow] if slow else [])


GROWING = [
    growing("a chain of calls", lambda n: chain(n, "return f(x * 3) + 1;"), 20),
    growing("functions that call the next twice", lambda n: chain(n, "return f(x * 3) + f(x + 1);"), 15),
    growing(
        "functions that call the next twice, in branches",
        lambda n: chain(n, "int s = f(x * 3); if (x > 7) s += f(x + 1); return s;"),
        15,
        slow=True,
    ),
    growing("nested conditions", conditions, 150, slow=True),
    growing("reads", lambda n: lines(n, "s += r[t + #];"), 40, slow=True),
    growing("copies", lambda n: lines(n, "a[t + #] = r[t + #];"), 20),
    growing("reads in branches", lambda n: lines(n, "if (s > #.5f) s += a[t + #] * r[#];"), 15, slow=True),
    growing("a list of zeros", lambda n: listed("{0}", n), 2000),
    growing("a struct by value", passed, 160),
]


def calls_of_passes(text: str) -> dict[str, int]:
    """Return how many functions of Python each pass up to LLVM's IR calls: work that no other process disturbs."""
    compiled = Compiled(Source("k.cu", text), Options())
    calls = {}
    for row in STAGES[: [row.name for row in STAGES].index("llvm") + 1]:
        profile = cProfile.Profile()
        profile.enable()
        compiled.results[row.name] = row.make(compiled)
        profile.disable()
        calls[row.name] = sum(entry.callcount for entry in profile.getstats())
    return calls


@pytest.mark.parametrize(("program", "least"), GROWING)
def test_work_grows_with_the_length(program: Callable[[int], str], least: int) -> None:
    """In each pass: four times the program, at most six times the work, and a little for what is looked up once."""
    with deep_recursion:
        short, long = (calls_of_passes(program(n)) for n in (least, 4 * least))
    grown = {name: (short[name], calls) for name, calls in long.items() if calls > 6 * short[name] + 3000}
    assert not grown


def calls_of_check(text: str) -> int:
    compiled = Compiled(Source("k.cu", text), Options())
    profile = cProfile.Profile()
    for row in STAGES[: [row.name for row in STAGES].index("tree") + 1]:
        profile.enable()
        compiled.results[row.name] = row.make(compiled)
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def test_a_call_looks_little_at_each_of_many_templates() -> None:
    """What a call does for all candidates is of another order than what it does for those that it may mean."""
    with deep_recursion:
        short, long = (calls_of_check(overloaded(n)) for n in (20, 80))
    assert (long - 4 * short) / (2 * (80 * 80 - 4 * 20 * 20)) < 30  # calls for a candidate of a call


def test_a_header_of_operators_is_read_in_linear_time(tmp_path: Path) -> None:
    """Each operand may be each of many aliases."""

    def calls(count: int) -> int:
        header = tmp_path / "operators.h"
        aliases = [f"typedef A{i} A{i + 1};" for i in range(count)]
        types = [f"struct T{i} {{ A{count} v; }};" for i in range(count)]
        operators = [f"inline T{i} operator+(T{i} a, A{i} b) {{ return a; }}" for i in range(count)]
        header.write_text("\n".join(["struct A0 { int v; };", *aliases, *types, *operators]))
        text = f'#include "{header}"\n__global__ void k(int *a) {{ A0 x; x.v = 1; a[0] = x.v; }}'
        with deep_recursion:
            return calls_of_check(text)

    calls(10)
    assert calls(400) < 5 * calls(100)


def test_a_header_of_small_functions_is_read_in_linear_time(tmp_path: Path) -> None:
    header = tmp_path / "small.h"
    header.write_text("\n".join(f"inline int f{i}(int a) {{ return a + {i}; }}" for i in range(20_000)))
    text = f'#include "{header}"\n__global__ void k(int *a) {{ a[0] = 1; }}'
    start = time.process_time()
    compile_device(Source(str(tmp_path / "k.cu"), text), Options()).object_code()
    assert time.process_time() - start < SECONDS
