"""The abstractions of C++ cost nothing: a loop in C++ has the instructions of the same loop in plain C."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from microbench import abstraction
from microbench.__main__ import main
from microbench.abstraction import FORMS, Section
from simt2simd import RawModule
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source

pytestmark = pytest.mark.unoptimised

SECTIONS = [pytest.param(section, id=section.names[0]) for section in abstraction.sections()]
BLOCKS, THREADS, COUNT = 2, 256, 528

# Pairs in which C++ says more than plain C: that members lie in one struct, that some iterations are alike, or that a
# pointer alone counts the iterations.
BETTER = {
    "float4_load", "float4_cast", "float4_store", "table", "unroll", "float2", "half2", "half2_cast", "struct4",
    "aligned", "float3", "record", "iterator",
}  # fmt: skip
# A variable that is read as something else is memory: it is written once and read once.
LONGER = {"half2_cast"}


@pytest.mark.parametrize("section", SECTIONS)
def test_both_forms_mean_the_same(section: Section) -> None:
    source = Source("abstraction.cu", section.text)
    interpreter = Interpreter(check(parse(preprocess(source, Options(fmad=False)))))
    module = RawModule(code=section.text, options=("-fmad=false",))
    data = abstraction.numbers(COUNT)
    for name in section.names:
        found = []
        for form in FORMS:
            kernel = f"{name}_{form}"
            out = np.zeros(max(BLOCKS * THREADS, COUNT), np.float32)
            args = (out, data, COUNT)
            interpreter.launch(kernel, BLOCKS, THREADS, args, shared_bytes=4 * THREADS)
            found += [out, abstraction.written(module.get_function(kernel), data, COUNT, BLOCKS, THREADS)]
        assert found[0].any()
        assert all(np.array_equal(found[0].view(np.int32), other.view(np.int32)) for other in found), name


@pytest.mark.parametrize("section", SECTIONS)
def test_both_forms_have_the_same_instructions(section: Section) -> None:
    assembly = compile_device(Source("abstraction.cu", section.text), Options(optimise=3)).assembly()
    for name in section.names:
        plain, abstract = (inner_loops(body_of(f"{name}_{form}", assembly)) for form in FORMS)
        assert plain and abstract
        if name not in BETTER:
            assert sorted(map(sorted_counts, abstract)) == sorted(map(sorted_counts, plain)), name
            continue
        assert name in LONGER or max(map(len, abstract)) <= max(map(len, plain)), name
        assert not [opcode for loop in abstract for opcode in loop if re.match("vp?(gather|scatter)", opcode)], name


def sorted_counts(opcodes: list[str]) -> list[tuple[str, int]]:
    """Return how often each opcode occurs; scalars of 32 and of 64 bits are alike."""
    return sorted(Counter(re.sub("^([a-uw-z].*)[lq]$", r"\1", opcode) for opcode in opcodes).items())


def body_of(kernel: str, assembly: str) -> list[str]:
    """Return the lines of a gang's way through a kernel: of its last part, if it is divided."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in assembly.splitlines():
        if label := re.match(r"([A-Za-z_][\w.]*):", line):
            lines = found.setdefault(label[1], [])
        elif re.match(r"\t[a-z]|\.L\w+:", line):
            lines.append(line.partition("#")[0].strip())
    return found.get(kernel) or found[f"{kernel}.gang0"]


def inner_loops(lines: list[str]) -> list[list[str]]:
    """Return the opcodes of each loop that has no loop in it."""
    return [
        [line.split()[0] for line in lines[first : last + 1] if not line.startswith(".L")]
        for first, last in _innermost(list(_jumps_back(lines)))
    ]


def _jumps_back(lines: list[str]) -> Iterator[tuple[int, int]]:
    labels: dict[str, int] = {}
    for at, line in enumerate(lines):
        if line.startswith(".L"):
            labels[line.rstrip(":")] = at
        elif (jump := re.match(r"j\w+\s+(\.L\w+)", line)) and jump[1] in labels:
            yield labels[jump[1]], at


def _innermost(loops: list[tuple[int, int]]) -> list[tuple[int, int]]:
    def is_around(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
        return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]

    return [loop for loop in loops if not any(is_around(loop, other) for other in loops)]


def test_a_table_of_ratios(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(abstraction, "RUNS", 2)
    assert main(["abstraction", "method", "float4_store"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[0] for row in rows] == ["method", "float4_store"]
    assert all(float(row[3]) > 0 for row in rows)


def test_wrong_results_are_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(abstraction, "measured", lambda names: iter([abstraction.Pair("method", 2.0, 1.0, False)]))
    assert main(["abstraction"]) == 1
    assert "method: the two forms have different results" in capsys.readouterr().out


def test_unknown_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["abstraction", "methods"]) == 2
    assert "no pair 'methods': choose from method, reference" in capsys.readouterr().out
