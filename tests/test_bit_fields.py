"""Bit-fields, unions and alignment: what the host's C++ compiler makes of the same declarations and statements."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from front import messages

from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.python.kernel import RawModule
from simt2simd.source import Source

INTEGERS = {
    "bool": 1, "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32,
    "unsigned": 32, "long": 64, "unsigned long long": 64,
}  # fmt: skip
PLAIN = ["char", "short", "int", "float", "double", "char *", "unsigned char", "long long"]
THREADS = 20
compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def declarations(rng: random.Random, names: list[str], depth: int = 0) -> list[str]:
    """Return the members of a random struct; `names` gets those that are integers, to be accessed."""
    lines: list[str] = []
    for _ in range(rng.randint(1, 7)):
        name, kind = f"m{len(names)}_{len(lines)}_{depth}", rng.random()
        if kind < 0.6:
            base = rng.choice(list(INTEGERS))
            align = rng.choice(["", "", "", "", "alignas(8) "]) if depth == 0 else ""
            width = rng.randint(1, INTEGERS[base])
            lines.append(f"{align}{base} {name} : {width};")
            names.append(name)
        elif kind < 0.7:
            base = rng.choice(list(INTEGERS))
            lines.append(f"{base} : {rng.randint(0, INTEGERS[base])};")
        elif kind < 0.85 or depth > 1:
            base = rng.choice(PLAIN)
            align = rng.choice(["", "", "alignas(16) "]) if depth == 0 else ""
            lines.append(f"{align}{base} {name}{rng.choice(['', '', '[3]'])};")
        else:
            inside = declarations(rng, names, depth + 1)
            lines.append(f"{rng.choice(['struct', 'union'])} {{ {' '.join(inside)} }};")
    return lines


def program(seed: int) -> tuple[str, str]:
    """Return the declaration of a random struct, and statements that change its members."""
    rng = random.Random(seed)
    names: list[str] = []
    while len(names) < 2:
        names.clear()
        members = declarations(rng, names)
    statements: list[str] = []
    for _ in range(9):
        name, other = rng.choice(names), rng.choice(names)
        value = rng.choice([f"s.{other} + i", f"(i * 77) ^ s.{other}", f"{rng.randint(-300, 300)}", f"s.{other} - 9"])
        op = rng.choice(["=", "=", "+=", "-=", "*=", "^=", "|=", "&="])
        statements.append(f"s.{name} {op} {value};")
        statements.append(f"total += s.{other} * 3 + (s.{name} < 1) + (s.{name} >> 1) + (s.{other} - 2 < 0);")
    return f"struct S {{ {' '.join(members)} }};", "\n".join(statements)


def by_copy(seed: int) -> bool:
    """Whether the accesses are to a local copy, not through a pointer."""
    return seed % 2 == 0


def text(seed: int) -> str:
    struct, statements = program(seed)
    copy, copy_back = ("S s = *p;", "*p = s;") if by_copy(seed) else ("", "")
    if not by_copy(seed):
        statements = statements.replace("s.", "p->")
    return f"""{struct}
__device__ void change(S *p, long long *total_of, int i) {{
    {copy}
    long long total = 0;
    {statements}
    {copy_back}
    *total_of = total;
}}
__global__ void k(S *data, long long *totals, int *sizes, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) change(data + i, totals + i, i);
    sizes[0] = sizeof(S);
    sizes[1] = alignof(S);
}}
"""


HOST = """
#include <cstdio>
#define __device__
#define __global__ template <int> // never compiled
SOURCE
int main() {
    int n = THREADS;
    static unsigned char bytes[1 << 16] alignas(64);
    if (sizeof(S) * n > sizeof bytes || fread(bytes, 1, sizeof(S) * n, stdin) > sizeof bytes) return 1;
    long long totals[THREADS];
    for (int i = 0; i < n; i++) change((S *)bytes + i, totals + i, i);
    int sizes[2] = {sizeof(S), alignof(S)};
    fwrite(sizes, 1, sizeof sizes, stdout);
    fwrite(totals, 1, sizeof totals, stdout);
    fwrite(bytes, 1, sizeof(S) * n, stdout);
}
"""


def on_host(seed: int, folder: Path, data: bytes) -> bytes:
    device = text(seed).partition("__global__")[0]
    source = HOST.replace("SOURCE", device).replace("THREADS", str(THREADS)).replace("template <int> // never", "//")
    (folder / "host.cpp").write_text(source)
    command = ["g++", "-w", "-O1", "-fno-strict-aliasing", "-o", "host", "host.cpp"]
    if not (folder / "host").exists():
        subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([folder / "host"], input=data, capture_output=True, check=True).stdout


def interpreted(seed: int) -> Interpreter:
    return Interpreter(check(parse(preprocess(Source("test.cu", text(seed)), Options(fmad=False)))))


@compiler
@pytest.mark.parametrize("seed", [*range(6), 103, 114])
def test_layout_and_accesses_are_those_of_the_host(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    first = np.frombuffer(on_host(seed, tmp_path, b"")[:8], np.int32)
    size = int(first[0])
    data = rng.integers(0, 2, size * THREADS).astype(np.uint8)  # also a bool has these bytes
    if by_copy(seed):
        data[:] = 0  # a copy need not have the padding
    expected = on_host(seed, tmp_path, data.tobytes())
    for way in ("interpreter", "compiled"):
        room = np.zeros(size * THREADS + 64, np.uint8)
        start = -room.ctypes.data % 64
        bytes_ = room[start : start + size * THREADS]
        bytes_[:] = data
        structs = bytes_.view(np.dtype((np.void, size)))
        totals, sizes = np.zeros(THREADS, np.int64), np.zeros(2, np.int32)
        args = [structs, totals, sizes, np.int32(THREADS)]
        if way == "interpreter":
            interpreted(seed).launch("k", 2, 16, args)
        else:
            RawModule(code=text(seed)).get_function("k")((2,), (16,), tuple(args))
        assert (sizes == first).all(), text(seed)
        assert totals.tobytes() == expected[8 : 8 + totals.nbytes], f"{way}\n{text(seed)}"
        assert bytes_.tobytes() == expected[8 + totals.nbytes :], f"{way}\n{text(seed)}"


@pytest.mark.parametrize(
    ("declaration", "use", "message"),
    [
        ("int a : 3;", "int *p = &s.a;", "bit-field 'a' has no address"),
        ("int a : 3;", "s.a = sizeof(s.a);", "bit-field 'a' has no size in bytes"),
    ],
)
def test_faults_are_named(declaration: str, use: str, message: str) -> None:
    found = messages(f"struct S {{ {declaration} }};\n__global__ void k() {{ S s; {use} }}")
    assert len(found) == 1 and found[0].endswith(message)


def test_sizes_alignments_and_offsets_are_those_of_the_abi() -> None:
    structs = """
struct Empty {};
struct alignas(32) Big { float a[3]; struct { int x, y[2][2]; } in[2]; union { float f; int i; } u; Empty e; };
struct Member { char c; alignas(16) int v; };
struct Gnu { char c; __align__(8) short v; };
struct Nested { int x; Gnu y; union { char q; double z; }; };
"""
    sizes = {
        "sizeof(Empty)": 1, "sizeof(Big)": 64, "alignof(Big)": 32, "offsetof(Big, in)": 12,
        "offsetof(Big, in[1].y[1])": 44,
        "sizeof(Member)": 32, "alignof(Member)": 16, "sizeof(Gnu)": 16, "offsetof(Gnu, v)": 8, "sizeof(Nested)": 32,
        "offsetof(Nested, z)": 24, "sizeof(float3)": 12, "alignof(double4)": 16, "sizeof(double4_32a)": 32,
    }  # fmt: skip
    claims = " && ".join(f"{what} == {value}" for what, value in sizes.items())
    assert messages(f"{structs}__global__ void k() {{ static_assert({claims}); }}") == []
