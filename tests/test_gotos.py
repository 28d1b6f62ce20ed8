"""Functions with `goto` mean what they mean in C++, and have loops and blocks for it."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from front import module

from simt2simd.diag import CompileError
from simt2simd.interp.run import Interpreter
from simt2simd.python.kernel import RawModule
from simt2simd.tree import nodes as tree
from simt2simd.tree.walk import walk

pytestmark = pytest.mark.unoptimised

FUNCTIONS = 12  # of a program
THREADS = 3 * 33
GUARD = "struct Guard { unsigned &h; IN Guard(unsigned &h) : h(h) { h++; } IN ~Guard() { h = h * 5u + 3u; } };\n"
HOST = f"#include <initializer_list>\n#define FN static\n#define IN\n{GUARD}"
DEVICE = f"#include <initializer_list>\n#define FN __device__\n#define IN __device__\n{GUARD}"


class Writer:
    """Writes a function with labels and jumps at random. `fuel` ends whatever takes long."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.lines: list[str] = []

    def number(self) -> int:
        self.count += 1
        return self.count

    def cond(self) -> str:
        shift, bits = self.random.randint(12, 20), self.random.choice([1, 1, 3, 7])
        return f"((r = r * 1103515245u + 12345u) >> {shift} & {bits}) == 0"

    def declared(self) -> str:
        """Return what an `if` or a `switch` may declare before its condition."""
        name = f"t{self.number()}"
        return self.random.choice([f"unsigned {name} = r++;", f"Guard {name}(h);", "h++;"])

    def function(self, name: str) -> str:
        body = self.block([], 0, False, False)
        return f"FN unsigned {name}(unsigned x) {{ unsigned h = x, r = x * 77u + 5u; int fuel = 40; {body} return h; }}"

    def block(self, outer: list[tuple[str, bool]], depth: int, in_loop: bool, in_switch: bool) -> str:
        """Write a block. `outer`: the labels around it, and whether they come earlier."""
        count = self.random.randint(2, 4)
        labels = {
            i: f"l{self.number()}" for i in range(count + 1) if self.random.random() < (0.35 if depth < 3 else 0.1)
        }
        text = ""
        for i in range(count):
            if i in labels:
                text += f"{labels[i]}: "
            known = [*outer, *((label, at <= i) for at, label in labels.items())]
            text += self.statement(known, depth, in_loop, in_switch) + "\n"
            if i >= max(labels, default=0) and self.random.random() < 0.3:  # no jump forward passes it
                text += f"unsigned t{self.number()} = h >> 3;\n"
                name = f"t{self.count}"
                text += self.statement(known, depth, in_loop, in_switch) + f"h ^= {name};\n"
        return text + (f"{labels[count]}: ;" if count in labels else "")

    def statement(self, known: list[tuple[str, bool]], depth: int, in_loop: bool, in_switch: bool) -> str:
        kind = self.random.random()
        if kind < 0.3 and known:
            label, earlier = self.random.choice(known)
            if not earlier and self.random.random() < 0.15:
                return f"goto {label};"
            if self.random.random() < 0.2:
                return f"if ({self.cond()} && fuel-- > 0) {{ h += {self.number()}; goto {label}; }}"
            if self.random.random() < 0.3:
                return f"if ({self.declared()} {self.cond()} && fuel-- > 0) goto {label};"
            return f"if ({self.cond()} && fuel-- > 0) goto {label};"
        if kind < 0.37 and in_loop:
            return f"if ({self.cond()}) {self.random.choice(['break', 'continue'])};"
        if kind < 0.4 and in_switch:
            return f"if ({self.cond()}) break;"
        if kind < 0.43:
            return f"if ({self.cond()}) return h + {self.number()};"
        if depth < 3 and kind < 0.75:
            inside = self.block(known, depth + 1, in_loop, in_switch)
            match self.random.randint(0, 9):
                case 0:
                    return f"{{ {inside} }}"
                case 1:
                    return f"if ({self.cond()}) {{ {inside} }} else {{ h ^= {self.number()}u; }}"
                case 2:
                    return f"if ({self.cond()}) {{ {inside} }}"
                case 3:
                    inside = self.block(known, depth + 1, True, False)
                    return f"for (int i = 0; i < {self.random.randint(1, 4)}; i++) {{ h += i; {inside} }}"
                case 4:
                    inside = self.block(known, depth + 1, True, False)
                    return f"while ({self.cond()} && fuel-- > 0) {{ {inside} }}"
                case 5:
                    inside = self.block(known, depth + 1, True, False)
                    return f"do {{ {inside} }} while ({self.cond()} && fuel-- > 0);"
                case 6:
                    bodies = [self.block(known, depth + 1, in_loop, True) for _ in range(3)]
                    ends = [self.random.choice(["", "break;"]) for _ in range(3)]
                    sections = "".join(f"case {k}: {{ {bodies[k]} }} {ends[k]}" for k in range(3))
                    head = self.random.choice(["", self.declared()])
                    return f"switch ({head} r >> 13 & 3) {{ {sections} default: h += 3; }}"
                case 7:
                    return f"if ({self.declared()} {self.cond()}) {{ {inside} }} else {{ h ^= {self.number()}u; }}"
                case 8:
                    inside = self.block(known, depth + 1, True, False)
                    name = f"t{self.number()}"
                    return f"for (unsigned {name} : {{h, r, 3u}}) {{ h += {name}; {inside} }}"
                case 9:
                    inside = self.block(known, depth + 1, True, False)
                    name = f"t{self.number()}"
                    return f"while (unsigned {name} = fuel-- > 0 ? h & 6u : 0u) {{ h += {name}; {inside} }}"
        return f"h = h * 31u + {self.number()}u;"


class Tangle:
    """Writes a function whose jumps, and labels of switches, lead into loops and blocks at random.

    `labels`: those of the regions around the current statement, the innermost last. A region is what no jump from
    outside may enter, because something is declared before it. A jump leads to any label of these regions.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.labels: list[list[str]] = []
        self.cases: list[list[str]] = []  # the labels of the switches around that are not written yet
        self.open: list[tuple[str, list[list[str]]]] = []  # jumps, and to which labels they may lead

    def number(self) -> int:
        self.count += 1
        return self.count

    def cond(self) -> str:
        shift, bits = self.random.randint(12, 20), self.random.choice([1, 1, 3])
        return f"((r = r * 1103515245u + 12345u) >> {shift} & {bits}) == 0"

    def function(self, name: str) -> str:
        text = self.region(0, False, False)
        for jump, labels in self.open:
            known = [label for region in labels for label in region]
            text = text.replace(jump, f"goto {self.random.choice(known)};" if known else "h++;")
        self.open.clear()
        start = "unsigned h = x, r = x * 77u + 5u; int fuel = 40;"
        return f"FN unsigned {name}(unsigned x) {{ {start} {text} return h; }}"

    def region(self, depth: int, in_loop: bool, in_switch: bool) -> str:
        self.labels.append([])
        cases, self.cases = self.cases, []
        text = self.block(depth, in_loop, in_switch)
        self.cases = cases
        self.labels.pop()
        return text

    def block(self, depth: int, in_loop: bool, in_switch: bool) -> str:
        text = ""
        for _ in range(self.random.randint(2, 4)):
            if self.random.random() < 0.25:
                self.labels[-1].append(f"l{self.number()}")
                text += f"{self.labels[-1][-1]}: "
            if self.cases and self.cases[-1] and self.random.random() < 0.5:
                text += f"{self.cases[-1].pop()}: "
            text += self.statement(depth, in_loop, in_switch) + "\n"
        return text

    def statement(self, depth: int, in_loop: bool, in_switch: bool) -> str:
        kind = self.random.random()
        if kind < 0.3:
            jump = f"@{self.number()}@"
            self.open.append((jump, [*self.labels]))
            return f"if ({self.cond()} && fuel-- > 0) {jump}"
        if kind < 0.36 and in_loop:
            return f"if ({self.cond()}) {self.random.choice(['break', 'continue'])};"
        if kind < 0.4 and in_switch:
            return f"if ({self.cond()}) break;"
        if depth > 1 or kind > 0.8:
            return f"h = h * 31u + {self.number()}u;"
        match self.random.randint(0, 9):
            case 0:
                return f"if ({self.cond()}) {{ {self.block(depth + 1, in_loop, in_switch)} }}"
            case 1:
                arms = [self.block(depth + 1, in_loop, in_switch) for _ in range(2)]
                return f"if ({self.cond()}) {{ {arms[0]} }} else {{ {arms[1]} }}"
            case 2:
                return f"while ({self.cond()} && fuel-- > 0) {{ {self.block(depth + 1, True, False)} }}"
            case 3:
                return f"do {{ {self.block(depth + 1, True, False)} }} while ({self.cond()} && fuel-- > 0);"
            case 4:
                head = f"h ^= {self.number()}u; {self.cond()} && fuel-- > 0; h += 3u"
                return f"for ({head}) {{ {self.block(depth + 1, True, False)} }}"
            case 5:
                return f"{{ unsigned t{self.number()}; {self.block(depth + 1, in_loop, in_switch)} }}"
            case 6:
                head = f"int i = 0; i < {self.random.randint(1, 4)}; i++"
                return f"for ({head}) {{ h += i; {self.region(depth + 1, True, False)} }}"
            case 7:
                return f"{{ Guard t{self.number()}(h); {self.region(depth + 1, in_loop, in_switch)} }}"
        self.cases.append(["default", "case 2", "case 1", "case 0"])
        self.random.shuffle(self.cases[-1])
        body = self.block(depth + 1, in_loop, True)
        rest = "".join(f"{label}: h += {self.number()}u; " for label in self.cases.pop())
        return f"switch (r >> 13 & 3) {{ {body} {rest} }}"


def tangled(seed: int) -> list[str]:
    """Return functions with jumps into loops and blocks, all of which must compile."""
    writer = Tangle(seed)
    found = [writer.function(f"f{i}") for i in range(FUNCTIONS)]
    module(DEVICE + "\n".join(found))
    return found


def accepted(seed: int) -> list[str]:
    """Return functions that can be written with loops and blocks; the others are refused for what they are."""
    writer, found = Writer(seed), list[str]()
    while len(found) < FUNCTIONS:
        text = writer.function(f"f{len(found)}")
        try:
            module(f"{DEVICE}{text}")
        except CompileError as error:
            assert all("second way into" in fault.message for fault in error.diagnostics), text
        else:
            found.append(text)
    return found


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_random_jumps(seed: int, tmp_path: Path) -> None:
    assert_same_as_the_host(accepted(seed), tmp_path)


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_random_jumps_into_blocks(seed: int, tmp_path: Path) -> None:
    assert_same_as_the_host(tangled(seed), tmp_path)


def assert_same_as_the_host(written: list[str], tmp_path: Path) -> None:
    functions = "\n".join(written)
    sums = "".join(f"out[{k} * n + i] = f{k}(i);" for k in range(FUNCTIONS))
    loop = f"for (int i = 0; i < n; i++) {{ {sums} }}"
    host = f'{HOST}{functions}\nextern "C" void k(unsigned *out, int n) {{ {loop} }}'
    (tmp_path / "host.cpp").write_text(host)
    library = tmp_path / "host.so"
    subprocess.run(["c++", "-O1", "-w", "-fPIC", "-shared", tmp_path / "host.cpp", "-o", library], check=True)
    expected = np.zeros(FUNCTIONS * THREADS, np.uint32)
    ctypes.CDLL(str(library)).k(ctypes.c_void_p(expected.ctypes.data), THREADS)

    start = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
    code = f'{DEVICE}{functions}\nextern "C" __global__ void k(unsigned *out, int n) {{ {start} {sums} }}'
    found = np.zeros_like(expected)
    RawModule(code=code, options=("--check-ir",)).get_function("k")((3,), (33,), (found, np.int32(THREADS)))
    for k in range(FUNCTIONS):
        part = slice(k * THREADS, (k + 1) * THREADS)
        assert np.array_equal(found[part], expected[part]), written[k]


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("again: x = f(x); if (x & 1) goto again; a[0] = x;", 1),
        ("top: if (x < 0) goto done; x -= 3; goto top; done: a[0] = x;", 1),
        ("for (int i = 0; i < n; i++) { if (a[i] == 3) goto next; a[i] = x; next: ; }", 1),
        ("if (x < 0) goto end; a[0] = x; if (n < 0) goto end; a[1] = x; end: ;", 0),
        (
            "for (int i = 0; i < n; i++) for (;;) if (a[i] == x++) goto end; x = 1; end: a[0] = x;",
            3,
        ),
        ("goto test; top: a[x] = 1; x++; test: if (x < n) goto top;", 2),
    ],
)
def test_how_many_loops_jumps_make(text: str, loops: int) -> None:
    code = f"__device__ int f(int x) {{ return x / 2; }} __global__ void k(int *a, int n) {{ int x = n; {text} }}"
    body = module(code).functions["k"].body
    assert sum(isinstance(node, tree.Loop) for node in walk(body)) == loops


def test_every_thread_jumps_by_itself_in_the_interpreter_too() -> None:
    code = """
    __global__ void k(unsigned *a, int n) {
        unsigned i = threadIdx.x, steps = 0, x = i + 1;
        #pragma unroll 1
        for (int round = 0; round < 3; round++) {
        again:
            if (x == 1) goto found;
            if (x & 1) { x = 3 * x + 1; goto count; }
            x /= 2;
        count:
            if (++steps > 50) goto end;
            goto again;
        found:
            x = i + round;
        }
    end:
        a[i] = steps;
    }
    """
    args = (np.zeros(40, np.uint32), np.int32(40))
    interpreted, compiled = args[0].copy(), args[0].copy()
    Interpreter(module(code)).launch("k", (1,), (40,), [interpreted, 40])
    RawModule(code=code).get_function("k")((1,), (40,), (compiled, args[1]))
    assert np.array_equal(interpreted, compiled) and len(set(compiled)) > 5


@pytest.mark.parametrize(
    "text",
    [
        "if (x > 3) goto b; int y; y = 3; x += y; b: y = x + 1; a[0] = y;",
        "again: int y = a[x & 7]; if (y > 3) { x++; if (x < 50) goto again; } a[0] = y + x;",
        "int k = 0; top: if (k > 4) goto end; { int z = k * 2; x += z; k++; } goto top; end: a[0] = x;",
        "switch (x & 3) { case 0: if (x > 8) goto out; x += 100; out: x--; case 1: x += 7; break; default: goto far; }"
        "x *= 2; far: a[0] = x;",
        "for (int i = 0; i < 9; i++) { switch (i & x) { case 1: goto more; case 2: goto end; } x++; more: ; }"
        "end: a[0] = x;",
        "goto c; b: x += 5; goto d; c: x += 3; d: a[0] = x;",
        "goto c; b: x += 5; if (x > 60) goto d; c: x += 3; goto b; d: a[0] = x;",
    ],
)
def test_declarations_and_switches(text: str, tmp_path: Path) -> None:
    body = f"int x = i; int a[8] = {{1, 2, 3, 9, 5, 6, 7, 8}}; {text} out[i] = a[0];"
    (tmp_path / "host.cpp").write_text(f'extern "C" void k(int *out) {{ for (int i = 0; i < 33; i++) {{ {body} }} }}')
    library = tmp_path / "host.so"
    subprocess.run(["c++", "-w", "-fPIC", "-shared", tmp_path / "host.cpp", "-o", library], check=True)
    expected, found = np.zeros(33, np.int32), np.zeros(33, np.int32)
    ctypes.CDLL(str(library)).k(ctypes.c_void_p(expected.ctypes.data))
    code = f'extern "C" __global__ void k(int *out) {{ int i = threadIdx.x; {body} }}'
    RawModule(code=code, options=("--check-ir", "-O0")).get_function("k")((1,), (33,), (found,))
    assert np.array_equal(found, expected)


def test_many_labels_are_found_in_time() -> None:
    """Looking for the jumps to each label anew took 30 s."""
    jumps = "".join(f"again{i}: a[{i}]++; if (a[{i}] < {i}) goto again{i};\n" for i in range(240))
    start = time.process_time()
    module(f"__global__ void k(int *a) {{ {jumps} }}")
    assert time.process_time() - start < 5
