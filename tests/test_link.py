"""The system's tools: what they are called with, and what comes back."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from simt2simd.command import toolchain
from simt2simd.command.toolchain import CompilerFailed, HostFlags, Toolchain, find_cxx, find_nvcc, nvcc
from simt2simd.diag import ToolError
from simt2simd.options import Options

FLAGS = HostFlags(
    optimise=2, debug=True, standard="c++14", defines=("A=1",), include_dirs=("inc",),
    compile_args=("-fopenmp",), link_args=("-lz",),
)  # fmt: skip


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole path, with a C++ compiler and an nvcc that print their arguments, one a line."""
    for name in ("g++", "nvcc"):
        tool = tmp_path / name
        tool.write_text('#!/bin/sh\nfor word; do echo "$word"; done\n')
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for variable in ("CXX", "CUDA_HOME", "CUDA_PATH", "S2S_CUDA_ARCH"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def real_toolchain() -> Toolchain:
    return Toolchain(find_cxx(), Path("native"))


def test_preprocess_sees_what_nvcc_would_define(tools: Path) -> None:
    words = Toolchain(("g++",), Path("native")).preprocess("x.cu", FLAGS).split("\n")
    assert words[:3] == ["-E", "-x", "c++"] and words[-2] == "x.cu"
    for word in ("-D__CUDACC__", "-D__SIMT2SIMD_SPLIT__", "-DA=1", "-Iinc", "-std=c++14", "-O2", "-fopenmp"):
        assert word in words
    assert words[words.index("-include") + 1] == "cuda_runtime.h"
    assert words[words.index("-isystem") + 1] == "native/include"


def test_our_headers_come_before_nvidias(tools: Path, tmp_path: Path) -> None:
    toolkit = tmp_path / "toolkit"
    toolkit.mkdir()
    for name in ("cuda_runtime.h", "driver_types.h"):
        (toolkit / name).touch()
    flags = HostFlags(include_dirs=(str(toolkit), "mine"))
    for words in (
        Toolchain(("g++",), Path("native")).preprocess("x.cu", flags).split("\n"),
        flags.with_headers(Path("native/include")),
    ):
        assert f"-I{toolkit}" not in words and "-Imine" in words
        assert words.index("native/include") < words.index(str(toolkit))
    assert f"-I{toolkit}" in nvcc(["x.cu"], Path("x"), flags, Options()).split()


def test_the_runtime_stands_in_for_nvidias_libraries(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = HostFlags(link_args=("-lcudart", "-lcuda", "-lcudadevrt", "-lcurand", "-lz"), echo=True)
    Toolchain(("g++",), Path("native")).link(["x.o"], Path("x"), flags)
    words = capsys.readouterr().err.split()
    assert "-lz" in words and not [word for word in words if word.startswith("-lcu")]
    assert "-lcudart" in nvcc(["x.cu"], Path("x"), flags, Options()).split()


def test_compiler_of_the_environment(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_cxx() == ("g++",)
    monkeypatch.setenv("CXX", "g++ -m64")
    assert find_cxx() == ("g++", "-m64")
    assert find_cxx("nvcc") == ("nvcc",)
    with pytest.raises(ToolError, match="no such C\\+\\+ compiler: 'icpx', which -ccbin names"):
        find_cxx("icpx")


def test_nvcc_is_found_in_cuda_home(tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_nvcc() == str(tools / "nvcc")
    (tmp_path / "cuda/bin").mkdir(parents=True)
    os.rename(tools / "nvcc", tmp_path / "cuda/bin/nvcc")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "cuda"))
    assert find_nvcc() == str(tmp_path / "cuda/bin/nvcc")


def test_nvcc_gets_its_own_names(tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = nvcc(["x.cu"], Path("x"), FLAGS, Options(fmad=False, fast_math=True), ["-lineinfo"]).split()
    assert words == [
        "x.cu", "-o", "x", "-DA=1", "-Iinc", "-std=c++14", "-O2", "-g", "-fmad=false", "--use_fast_math", "-lineinfo",
        "-Xcompiler=-fopenmp", "-lz",
    ]  # fmt: skip
    monkeypatch.setenv("S2S_CUDA_ARCH", "sm_90")
    assert "-arch=sm_90" in nvcc(["x.cu"], Path("x"), FLAGS, Options())
    assert "-arch=sm_90" not in nvcc(["x.cu"], Path("x"), FLAGS, Options(), ["-arch", "sm_80"])
    assert "-Xlinker=-rpath" in nvcc(["x.cu"], Path("x"), HostFlags(link_args=("-Wl,-rpath",)), Options())


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")
def test_failing_compiler_output_comes_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    with pytest.raises(CompilerFailed, match=r"t\.cu:7:18: error: 'nothing' was not declared"):
        real_toolchain().compile_text('# 7 "t.cu"\nint f() { return nothing; }\n', tmp_path / "t.o", HostFlags())


@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")
def test_warnings_come_back(tmp_path: Path) -> None:
    flags = HostFlags(compile_args=("-Wall",))
    warnings = real_toolchain().compile_text('# 1 "t.cu"\nstatic int unused;\n', tmp_path / "t.o", flags)
    assert "t.cu:1:12: warning:" in warnings and (tmp_path / "t.o").exists()


def test_echo_prints_the_commands(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Toolchain(("g++",), Path("native")).combine(["a b.o"], Path("x.o"), HostFlags(echo=True))
    assert capsys.readouterr().err == "#$ g++ -r -nostdlib -o x.o 'a b.o'\n"


def test_a_tool_that_cannot_run(tmp_path: Path) -> None:
    broken = tmp_path / "c++"
    broken.write_text("")
    with pytest.raises(ToolError, match="cannot run"):
        toolchain.Toolchain((str(broken),), tmp_path).preprocess("x.cu", HostFlags())
