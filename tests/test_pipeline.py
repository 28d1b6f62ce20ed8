"""The stages as a list: each result is there, dumps come in order, faults carry the stage's name."""

from __future__ import annotations

import ast
import gc
import resource
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simt2simd.codegen import llvm
from simt2simd.diag import CompileError, InternalError
from simt2simd.options import Options
from simt2simd.pipeline import CHOICES, DUMPS, OPTIMISATIONS, STAGES, compile_device, driver, results
from simt2simd.pipeline.passes import Choice, Pass
from simt2simd.pipeline.state import PipelineState
from simt2simd.source import Source
from simt2simd.target import AVX2, AVX512
from simt2simd.tree.nodes import Module

CODE = "__global__ void k(int n, float *x) {\n  int i = threadIdx.x;\n  if (i < n) x[i] += 1.0f;\n}\n"
SOURCE = Source("k.cu", CODE)


def test_every_stage_leaves_its_result() -> None:
    compiled = compile_device(SOURCE, Options())
    assert list(compiled.results) == [row.name for row in STAGES]
    assert [kernel.name for kernel in compiled.module.kernels] == ["k"]


def test_until_stops_early() -> None:
    assert list(compile_device(SOURCE, Options(), until="tree").results) == ["preprocess", "parse", "tree"]


@pytest.mark.parametrize("name", ["", "shapes", "assembly"])
def test_until_names_a_pass(name: str) -> None:
    with pytest.raises(ValueError, match=f"no pass '{name}': choose from preprocess, parse, .*, scatter-order"):
        compile_device(SOURCE, Options(), until=name)


def test_names_are_given_once() -> None:
    rows: list[Pass[Any] | Choice] = [*STAGES, *CHOICES]
    names = [row.name for row in rows]
    assert len(set(names)) == len(names)
    assert all(row.why for row in rows)


def test_each_pass_has_its_key_in_the_order_of_the_list() -> None:
    keys = [(name, key) for name, key in vars(results).items() if isinstance(key, results.Result)]
    assert [key for _, key in keys] == [row.result for row in STAGES]
    assert [name for name, _ in keys] == [row.name.upper().replace("-", "_") for row in STAGES]


def test_dumps_come_in_the_order_of_the_stages() -> None:
    seen: dict[str, str] = {}
    compile_device(SOURCE, Options(), list(DUMPS), seen.__setitem__)
    assert list(seen) == list(DUMPS)
    assert seen["tree"].startswith("__global__ void k(int n, float *x)")
    assert "i: affine +1" in seen["shape"]
    assert "define" in seen["llvm"] and "define" in seen["opt"]
    assert "s2s_kernel_k:" in seen["assembly"]


@pytest.mark.parametrize("target", [AVX2, AVX512])
def test_object_code_is_elf(target: object) -> None:
    assert isinstance(target, type(AVX2))
    assert compile_device(SOURCE, Options(target=target)).object_code().startswith(b"\x7fELF")


def test_faults_of_the_program_pass_through() -> None:
    with pytest.raises(CompileError):
        compile_device(Source("k.cu", "__global__ void k() { y = 1; }"), Options())


def test_other_faults_name_the_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(driver, "STAGES", (replace(STAGES[0], run=broken),))
    with pytest.raises(InternalError, match="internal error in stage preprocess: KeyError: 'x'; please report"):
        compile_device(SOURCE, Options())


def test_a_rewrite_after_outline_is_a_fault_of_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loops that `outline` names would not be in the tree any more, and never run in their functions."""
    by_name = {row.name: row for row in STAGES}
    rows = [row for row in STAGES if row.name != "loop-invariant-motion"]
    rows.insert(rows.index(by_name["outline"]) + 1, by_name["loop-invariant-motion"])
    monkeypatch.setattr(driver, "STAGES", tuple(rows))
    code = "__global__ void k(int *x, int n) { int s = 0; for (int i = 0; i < x[n]; i++) s += x[i * i]; x[0] = s; }"
    with pytest.raises(
        InternalError, match="internal error in stage loop-invariant-motion: AssertionError: what `outline` notes"
    ):
        compile_device(Source("k.cu", code), Options())


def test_what_rewrites_change_is_shown() -> None:
    loop = "for (int i = 0; i < n; i++) { __syncthreads(); s[i % n] = x[threadIdx.x / n]; }"
    code = f"__global__ void k(int *x, int n) {{ __shared__ int s[64]; {loop} }}"
    dumps: dict[str, str] = {}
    compile_device(Source("k.cu", code), Options(), ["after-all", "loop-invariant-motion"], dumps.__setitem__)
    (change,) = [line for line in dumps["after-all"].splitlines() if line.startswith("+    const")]
    assert "\n+++ loop-invariant-motion\n" in dumps["after-all"]
    assert change == "+    const unsigned int hoisted = threadIdx.x / n;"
    assert change[1:] in dumps["loop-invariant-motion"]


# --------------------------------------------------------------------------------------------- switched off


def test_a_rewrite_that_is_switched_off_leaves_the_tree() -> None:
    early = "stack-loops query-order merge-calls walks partial-inlining loop-invariant-motion live-range-splitting"
    for name in [*early.split(), "grid-stride", "kernel-parameters-in-place", "pointer-indices", "outline"]:
        compiled = compile_device(SOURCE, Options(disabled=frozenset({name})), until="storage")
        rows = list(compiled.results)
        before = [r for r in rows[: rows.index(name)] if isinstance(compiled.results[r], Module)][-1]
        assert compiled.results[name] is compiled.results[before]


def test_an_unknown_optimisation_is_refused() -> None:
    for name in ("bogus", "tree", "spin-locks"):
        with pytest.raises(ValueError, match=f"no optimisation '{name}': choose from\n  unreachable-code-elimination"):
            compile_device(SOURCE, Options(disabled=frozenset({name})))


def test_locks_are_put_in_kernels_although_barriers_are_not() -> None:
    """A wait for a lock must not hang, whatever is switched off."""
    code = """
    __device__ void take(int *lock) { while (atomicCAS(lock, 0, 1) != 0); }
    __device__ void wait(int *s) { __syncthreads(); s[threadIdx.x]++; }
    __global__ void k(int *lock, int *s) { wait(s); take(lock); s[0]++; atomicExch(lock, 0); }
    """
    compiled = compile_device(Source("k.cu", code), Options(disabled=frozenset(OPTIMISATIONS)), until="spin-locks")
    kernel = compiled.dump("spin-locks").partition("__global__")[2]
    assert "take(" not in kernel and "while (waiting)" in kernel and "wait(s)" in kernel


def test_what_verify_cannot_check_does_not_run() -> None:
    code = "__global__ void k(int *x) { __shared__ int s[32]; s[threadIdx.x] = 1; __syncthreads(); x[0] = s[5]; }"
    plain, verified = (compile_device(Source("k.cu", code), Options(verify=v), until="plans") for v in (False, True))
    assert plain.plans.divisions and not verified.plans.divisions
    assert plain.plans.choices["repeated-loads"] and not verified.plans.choices["repeated-loads"]


def test_long_expressions_are_no_fault() -> None:
    code = "__global__ void k(int *x) { x[0] = " + "+".join(["x[1]"] * 600) + "; }"
    compile_device(Source("k.cu", code), Options(), until="llvm")


def test_threads_that_compile_at_once_recurse_deeply(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first to begin is the first to end; the other one's stage recurses after that."""
    before = sys.getrecursionlimit()
    first_began, second_began, first_ended = threading.Event(), threading.Event(), threading.Event()
    depths = []

    def depth(most: int) -> int:
        return 1 + depth(most - 1) if most else 0

    def stage(compiled: PipelineState) -> None:
        if compiled.source.name == "first":
            first_began.set()
            assert second_began.wait(10)
        else:
            second_began.set()
            assert first_ended.wait(10)
            depths.append(depth(5000))

    def compile_first() -> None:
        compile_device(Source("first", ""), Options())
        first_ended.set()

    monkeypatch.setattr(driver, "STAGES", (replace(STAGES[0], run=stage),))
    first = threading.Thread(target=compile_first)
    first.start()
    assert first_began.wait(10)
    compile_device(Source("second", ""), Options())
    first.join()
    assert depths == [5000]
    assert sys.getrecursionlimit() == before and gc.isenabled()


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_llvm_keeps_nothing_between_kernels() -> None:
    text = compile_device(SOURCE, Options(), until="llvm").dump("llvm")

    def growth(rounds: int) -> int:
        before = resident_bytes()
        for _ in range(rounds):
            llvm.optimise(text, Options())
        gc.collect()
        return resident_bytes() - before

    growth(10)
    least = min(growth(20) for _ in range(3))  # what is kept is kept each time; an allocator's spare room is not
    assert least < 20 * 30_000  # without disposing of the pass managers it would be 100,000 each


def test_stages_keep_nothing_between_kernels() -> None:
    first = compile_device(SOURCE, Options()).assembly()
    compile_device(Source("other.cu", "__global__ void other(int *x) { x[threadIdx.x] = 1; }"), Options())
    assert compile_device(SOURCE, Options()).assembly() == first


# ------------------------------------------------------------------------------------------------------ names


def test_a_rewrite_its_module_and_its_function_have_one_name() -> None:
    folder = Path(driver.__file__).parents[1] / "transform"
    wings = [folder, folder / "traversals", folder / "nested_launches"]
    modules = {file.stem: file for wing in wings for file in wing.glob("*.py")}
    rewrites = STAGES[
        [row.name for row in STAGES].index("tree") + 1 : [row.name for row in STAGES].index("outline") + 1
    ]
    checked = 0
    for name in (row.name.replace("-", "_") for row in rewrites if row.name not in ("call-sets", "walks", "liveness")):
        functions = {
            node.name for node in ast.parse(modules[name].read_text()).body if isinstance(node, ast.FunctionDef)
        }
        assert name in functions, f"{modules[name]} has no function {name}"
        checked += 1
    assert checked > 25
