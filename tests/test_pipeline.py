"""The stages as a list: each result is there, dumps come in order, faults carry the stage's name."""

from __future__ import annotations

import pytest

from simt2simd import pipeline
from simt2simd.diag import CompileError, InternalError
from simt2simd.options import Options
from simt2simd.pipeline import DUMPS, STAGES, compile_device
from simt2simd.source import Source
from simt2simd.target import AVX2, AVX512

CODE = "__global__ void k(int n, float *x) {\n  int i = threadIdx.x;\n  if (i < n) x[i] += 1.0f;\n}\n"
SOURCE = Source("k.cu", CODE)


def test_every_stage_leaves_its_result() -> None:
    compiled = compile_device(SOURCE, Options())
    assert list(compiled.results) == [name for name, _ in STAGES]
    assert [kernel.name for kernel in compiled.module.kernels] == ["k"]


def test_until_stops_early() -> None:
    assert list(compile_device(SOURCE, Options(), until="tree").results) == ["preprocess", "parse", "tree"]


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

    monkeypatch.setattr(pipeline, "STAGES", (("preprocess", broken),))
    with pytest.raises(InternalError, match="internal error in stage preprocess: KeyError: 'x'; please report"):
        compile_device(SOURCE, Options())


def test_long_expressions_are_no_fault() -> None:
    code = "__global__ void k(int *x) { x[0] = " + "+".join(["x[1]"] * 600) + "; }"
    compile_device(Source("k.cu", code), Options(), until="llvm")


def test_stages_keep_nothing_between_kernels() -> None:
    first = compile_device(SOURCE, Options()).assembly()
    compile_device(Source("other.cu", "__global__ void other(int *x) { x[threadIdx.x] = 1; }"), Options())
    assert compile_device(SOURCE, Options()).assembly() == first
