"""`python -m microbench costs`: what the accesses and operations cost that `simt2simd/costs.py` weighs.

Nanoseconds for the 16 lanes of a gang, the data in the first-level cache: eight in a round of a loop, independent of
each other (of operations, also each waiting for the one before), the least of many runs on one core.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence

import numpy as np

from simt2simd import RawKernel
from simt2simd.target import cpu_name

ROUNDS = 40_000
RUNS = 60

# `at` goes through 32 places in turns; `i` is the thread's number in its row, `y` the row's, `q` a random number below
# 16, `own` a random pointer. A block is one row of 16 threads, or two of 8.
ACCESSES = """
    read uniform            | int         | sum ^= data[16 * at];
    read consecutive        | int         | sum ^= data[16 * at + i];
    read consecutive of 8   | long long   | sum ^= data[16 * at + i];
    read stride 2           | int         | sum ^= data[16 * at + 2 * i];
    read stride 3           | int         | sum ^= data[16 * at + 3 * i];
    read stride 4           | int         | sum ^= data[16 * at + 4 * i];
    read stride 8           | int         | sum ^= data[16 * at + 8 * i];
    read stride 2 of 8      | long long   | sum ^= data[16 * at + 2 * i];
    read stride 4 of 8      | long long   | sum ^= data[16 * at + 4 * i];
    read near               | int         | sum ^= data[16 * at + max(i - 1, 0)];
    read even               | int         | int j = 16 * at + i + 1; sum ^= data[j == limit ? 0 : j];
    read rows of 8          | int         | sum ^= data[16 * at + 64 * y + i];
    read gather             | int         | sum ^= data[16 * at + q];
    read gather of 8        | long long   | sum ^= data[16 * at + q];
    read gather of 1        | signed char | sum ^= data[16 * at + q];
    read gather, 64 bits    | int         | sum ^= own[at];
    write uniform           | int         | data[16 * at] = k + (at & 1);
    write consecutive       | int         | data[16 * at + i] = k;
    write consecutive of 8  | long long   | data[16 * at + i] = k;
    write stride 2          | int         | data[16 * at + 2 * i] = k;
    write stride 4          | int         | data[16 * at + 4 * i] = k;
    write even              | int         | int j = 16 * at + i + 1; data[j == limit ? 0 : j] = k;
    write rows of 8         | int         | data[16 * at + 64 * y + i] = k;
    write scatter           | int         | data[16 * at + q] = k;
    write scatter of 8      | long long   | data[16 * at + q] = k;
    write scatter of 1      | signed char | data[16 * at + q] = k;
    write scatter, 64 bits  | int         | own[at] = k;
"""

# With `x` and `c`, numbers of the type; either eight of `x` or one.
OPERATIONS = """
    fma                     | float       | x = x * c + c;
    xor and add             | int         | x = (x ^ k) + c;
    / of float              | float       | x = c / x;
    / of int                | int         | x = c / x;
    expf                    | float       | x = expf(x * c);
"""

# Once an iteration. Two arms for all lanes, and by turns; a counter for all 16 threads, and one for each of them.
OTHERS = """
    two arms in turn        | int         | FIRST = x += c; SECOND = x ^= c;
    two arms, divergent     | int         | if ((x ^ q) & 1) FIRST = x += c; else SECOND = x ^= c;
    atomic, owned, one      | int         | atomicAdd(&shared[k & 15], x);
    atomic, owned, apart    | int         | atomicAdd(&shared[q + (k & 15)], x);
    atomic, locked, one     | int         | atomicAdd(&data[k & 15], x);
    atomic, locked, apart   | int         | atomicAdd(&data[q + (k & 15)], x);
"""


def rows(table: str) -> Iterator[tuple[str, str, str]]:
    for line in table.strip().splitlines():
        name, type_, code = (part.strip() for part in line.split("|", 2))
        yield name, type_, code


def _access(type_: str, code: str) -> str:
    turns = "".join(f"{{ const int at = 8 * k + {turn} * step & 31; {code} }}\n" for turn in range(8))
    return _kernel(type_, f"{type_} sum = q;", turns, "data[i] = sum;")


def _apart(type_: str, code: str) -> str:
    made = "".join(f"{type_} x{turn} = data[i] + {turn};\n" for turn in range(8))
    turns = "".join(re.sub(r"\bx\b", f"x{turn}", code) + "\n" for turn in range(8))
    return _kernel(type_, made, turns, f"data[i] = {' + '.join(f'x{turn}' for turn in range(8))};")


def _chain(type_: str, code: str, times: int = 8) -> str:
    return _kernel(type_, f"{type_} x = data[i] + q;", times * f"{code}\n", "data[i] += x + shared[i];")


def _kernel(type_: str, before: str, turns: str, after: str) -> str:
    return f"""
        #define FIRST data[256 + 16 * (k & 7) + i]
        #define SECOND data[512 + 16 * (k & 7) + i]
        __global__ void measured({type_} *data, const int *places, {type_} c, int n, int step, int limit) {{
            __shared__ int shared[64];
            const int i = threadIdx.x, y = threadIdx.y, q = places[i];
            {type_} *const own = ({type_} *)((char *)data + 64LL * q);
            shared[i] = 0;
            {before}
            for (int k = 1; k <= n; k++) {{
                {turns}
            }}
            {after}
        }}"""


def _least_ns(type_: str, text: str, block: tuple[int, ...] = (16,)) -> float:
    """Return what an iteration takes."""
    kernel = RawKernel(text, "measured", options=("--lanes=16",))
    dtype = {"int": np.int32, "long long": np.int64, "signed char": np.int8, "float": np.float32}[type_]
    data = np.arange(4096).astype(dtype)
    places = (np.arange(16) * 7 % 16).astype(np.int32)
    args = (data, places, dtype(3), np.int32(ROUNDS), np.int32(1), np.int32(1 << 20))
    least = float("inf")
    for _ in range(RUNS):
        data[:64] = 3
        start = time.perf_counter_ns()
        kernel((1,), block, args)
        least = min(least, time.perf_counter_ns() - start)
    return least / ROUNDS


def measured() -> Iterator[tuple[str, float]]:
    """Yield the name of each row, and the nanoseconds."""
    for name, type_, code in rows(ACCESSES):
        block = (8, 2) if "rows of 8" in name else (16,)
        yield name, _least_ns(type_, _access(type_, code), block) / 8
    for name, type_, code in rows(OPERATIONS):
        yield name, _least_ns(type_, _apart(type_, code)) / 8
        yield f"{name}, waiting", _least_ns(type_, _chain(type_, code)) / 8
    for name, type_, code in rows(OTHERS):
        yield name, _least_ns(type_, _chain(type_, code, 1))


def main(argv: Sequence[str]) -> int:
    if argv:
        print("python -m microbench costs takes no arguments")
        return 2
    print(cpu_name())
    for name, ns in measured():
        print(f"{name:24}{ns:8.2f}")
    return 0
