"""The same device code by the interpreter, as compiled code, and by the system's C++ compiler.

The files beside this one hold cases. A case begins with a line `// case: NAME` or `// case: NAME gives TYPE` and is
device code that defines a function `f(int a, int b)`, which returns an int or that TYPE. What stands before the first
case is for all of a file; a first line `// standard: c++20` names the standard. Diverging lanes call `f` on many
pairs of numbers, at ragged block sizes, and what it returns must be the same three times, to the bit. The cases of a
file are compiled together, each in a namespace of its own; if that is refused, each one is compiled alone, so that one
case fails and not all. What is asked is what a construct means; LLVM optimises the code only where that is asked for.
"""

from __future__ import annotations

import ctypes
import functools
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from simt2simd.diag import CompileError
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.python.kernel import RawModule
from simt2simd.source import Source

Array = np.ndarray[Any, np.dtype[Any]]

FOLDER = Path(__file__).parent

BLOCKS = (1, 15, 16, 17, 33, 48)
COUNT = 2 * max(BLOCKS)
FLAGS = "-O1 -w -fPIC -shared -ffp-contract=off -fno-strict-aliasing -fwrapv".split()
TYPES = {
    "int": np.int32,
    "unsigned": np.uint32,
    "long long": np.int64,
    "float": np.float32,
    "double": np.float64,
}


@dataclass(frozen=True)
class Case:
    """Device code that defines `f(int a, int b)`, which returns a `gives`."""

    name: str
    code: str
    gives: str = "int"


@dataclass(frozen=True)
class Table:
    """Cases that are compiled together, behind `prelude`. Tables are the same if their names are.

    `standard` is that of C++, which a first line `// standard: c++20` names.
    """

    name: str
    prelude: str
    cases: tuple[Case, ...]
    standard: str = "c++17"

    def __hash__(self) -> int:
        return hash(self.name)


def table(name: str, text: str) -> Table:
    """Return the cases of a text."""
    prelude, *parts = re.split(r"^// case: (.*)\n", text, flags=re.MULTILINE)
    cases = []
    for title, code in zip(parts[::2], parts[1::2], strict=True):
        case, _, gives = title.partition(" gives ")
        cases.append(Case(case, code.strip(), gives or "int"))
    assert len({case.name for case in cases}) == len(cases), "two cases have one name"
    standard = re.match(r"// standard: (\S+)\n", text)
    return Table(name, prelude.strip(), tuple(cases), standard[1] if standard is not None else "c++17")


def tables() -> list[Table]:
    return [table(path.stem, path.read_text()) for path in sorted(FOLDER.glob("*.cu"))]


def numbers() -> tuple[Array, Array]:
    """Return the arguments: small numbers of both signs, with neighbours that differ."""
    rng = np.random.default_rng(11)
    a, b = (rng.integers(low, high, COUNT).astype(np.int32) for low, high in ((-9, 40), (0, 12)))
    return a, b


def assert_same_everywhere(of: Table, case: Case, level: str = "-O0") -> None:
    """Run `case` in all ways. Raises `CompileError` if the compiler refuses it."""
    expected = by_cxx(of)[case.name]
    interpreter, module, kernel = ours(of, case, level)
    a, b = numbers()
    for block in BLOCKS:
        n = 2 * block - block // 3
        right = np.where(np.arange(COUNT) < n, expected, np.array(77, expected.dtype))
        compiled_out, interpreted = np.full_like(right, 77), np.full_like(right, 77)
        interpreter.launch(kernel, 2, block, (a, b, interpreted, n))
        assert_equal(interpreted, right, f"interpreter, blocks of {block}", a, b)
        module.get_function(kernel)((2,), (block,), (a, b, compiled_out, n))
        assert_equal(compiled_out, right, f"compiled code, blocks of {block}", a, b)


def assert_equal(got: Array, right: Array, what: str, a: Array, b: Array) -> None:
    same = got == right
    if got.dtype.kind == "f":
        same |= np.isnan(got) & np.isnan(right)
    if not same.all():
        wrong = [f"f({a[i]}, {b[i]}) is {got[i]}, in C++ {right[i]}" for i in np.flatnonzero(~same)[:4]]
        raise AssertionError(f"{what}: {int((~same).sum())} results differ:\n" + "\n".join(wrong))


# ------------------------------------------------------------------------------------------------- ours


def kernel_text(case: Case, at: int, scope: str) -> str:
    return (
        f"__global__ void kernel_{at}(const int *a, const int *b, {case.gives} *out, int n) {{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < n && a[i] % 3 != 1) out[i] = {scope}f(a[i], b[i]);\n}}\n"
    )


def together(of: Table) -> str:
    parts = [
        f"namespace case_{at} {{\n{case.code}\n}}\n{kernel_text(case, at, f'case_{at}::')}"
        for at, case in enumerate(of.cases)
    ]
    return of.prelude + "\n" + "\n".join(parts)


def alone(of: Table, case: Case) -> str:
    return f"{of.prelude}\n{case.code}\n{kernel_text(case, 0, '')}"


def compiled(text: str, level: str, standard: str) -> tuple[Interpreter, RawModule]:
    standard = standard.replace("gnu", "c")  # a dialect of the C++ compiler; we know its words in every standard
    options = Options(fmad=False, standard=standard, include_dirs=(str(FOLDER),))
    interpreter = Interpreter(check(parse(preprocess(Source("case.cu", text), options))))
    module = RawModule(code=text, options=("-fmad=false", f"-std={standard}", f"-I{FOLDER}", level))
    module.get_function("kernel_0")
    return interpreter, module


@functools.cache
def all_compiled(of: Table, level: str = "-O0") -> tuple[Interpreter, RawModule] | None:
    try:
        return compiled(together(of), level, of.standard)
    except CompileError:
        return None


def ours(of: Table, case: Case, level: str) -> tuple[Interpreter, RawModule, str]:
    """Return both ways to run a case, and its kernel's name."""
    if (both := all_compiled(of, level)) is not None:
        return *both, f"kernel_{of.cases.index(case)}"
    return *compiled(alone(of, case), level, of.standard), "kernel_0"


# ------------------------------------------------------------------------------------------------- C++


@functools.cache
def by_cxx(of: Table) -> dict[str, Array]:
    """Return what the C++ compiler's code gives, by the case's name."""
    text = '#include "host.h"\n' + of.prelude
    for at, case in enumerate(of.cases):
        text += f"\nnamespace case_{at} {{\n{case.code}\n}}\n"
        text += f'extern "C" void run_{at}(const int *a, const int *b, {case.gives} *out, int n) {{\n'
        text += f"    for (int i = 0; i < n; i++) if (a[i] % 3 != 1) out[i] = case_{at}::f(a[i], b[i]);\n}}\n"
    with TemporaryDirectory() as folder:
        source, library = Path(folder, "cases.cpp"), Path(folder, "cases.so")
        source.write_text(text)
        command = ["c++", f"-std={of.standard}", *FLAGS, f"-I{FOLDER}", str(source), "-o", str(library)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        loaded = ctypes.CDLL(str(library))
        results = {}
        for at, case in enumerate(of.cases):
            a, b = numbers()
            out = np.full(COUNT, 77, TYPES[case.gives])
            pointers = [ctypes.c_void_p(array.ctypes.data) for array in (a, b, out)]
            loaded[f"run_{at}"](*pointers, COUNT)
            results[case.name] = out
    return results
