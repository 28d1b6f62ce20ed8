"""Build systems take us for NVIDIA's toolkit: CMake's CUDA language, `find_package(CUDAToolkit)`, Makefiles."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simt2simd.command import cli, toolkit
from simt2simd.command.toolchain import find_nvcc
from simt2simd.diag import ToolError

CMAKE = r"""
cmake_minimum_required(VERSION 3.25)
project(demo LANGUAGES CXX CUDA)
find_package(CUDAToolkit 13 REQUIRED)

add_library(parts STATIC twice.cu fill.cu)
set_target_properties(parts PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_executable(separable separable.cu)
set_target_properties(separable PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_link_libraries(separable PRIVATE parts)

add_executable(host host.cpp)
target_link_libraries(host PRIVATE CUDA::cudart)

add_library(shared SHARED shared.cu)
add_executable(both both.cu)
target_compile_options(both PRIVATE -Wall $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math>)
target_link_libraries(both PRIVATE shared)
"""

FILES = {
    "parts.h": "#pragma once\n__device__ int twice(int x);\nextern __device__ int offset;\nvoid fill(int *x, int n);\n",
    "twice.cu": '#include "parts.h"\n__device__ int offset = 5;\n'
    "__device__ int twice(int x) { return 2 * x + offset; }\n",
    "fill.cu": '#include "parts.h"\n__global__ void fill_all(int *x) { x[threadIdx.x] = twice(threadIdx.x); }\n'
    "void fill(int *x, int n) { fill_all<<<1, n>>>(x); }\n",
    "separable.cu": '#include "parts.h"\n#include <cstdio>\n'
    "__global__ void more(int *x) { x[threadIdx.x] += twice(1); }\n"
    "int main() { int *x; cudaMallocManaged(&x, 256); fill(x, 64); more<<<1, 64>>>(x); cudaDeviceSynchronize();\n"
    '  printf("%d\\n", x[10]); return 0; }\n',
    "host.cpp": "#include <cuda_runtime.h>\n#include <cstdio>\n"
    'int main() { void *p; int made = cudaMalloc(&p, 100); printf("%d %d\\n", made, cudaFree(p)); return 0; }\n',
    "shared.cu": "__constant__ int one;\n__global__ void add(int *x) { x[threadIdx.x] += one; }\n"
    "void *give() { int n = 1; cudaMemcpyToSymbol(one, &n, 4); void *p; cudaMalloc(&p, 128); cudaMemset(p, 0, 128);\n"
    "  add<<<1, 32>>>((int *)p); return p; }\n",
    "both.cu": "#include <cstdio>\nvoid *give();\n__device__ int by;\n"
    "__global__ void scale(int *x) { x[threadIdx.x] *= by; }\n"
    "int main() { int *x = (int *)give(), last, n = 7; cudaMemcpyToSymbol(by, &n, 4); scale<<<1, 32>>>(x);\n"
    "  cudaMemcpy(&last, x + 31, 4, cudaMemcpyDeviceToHost);\n"
    '  printf("%d %d\\n", last, (int)cudaFree(x)); return 0; }\n',
}

MAKEFILE = """
CUDA_PATH ?= /usr/local/cuda
NVCC := $(CUDA_PATH)/bin/nvcc -ccbin $(CXX)
FLAGS := -m64 -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I$(CUDA_PATH)/include -Xcompiler -Wall --threads 0

both: both.o shared.o
\t$(NVCC) $(FLAGS) -o $@ $+ -L$(CUDA_PATH)/lib64 -lcudart

%.o: %.cu
\t$(NVCC) $(FLAGS) -MD -MF $*.d -o $@ -c $<

-include both.d shared.d
"""


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toolkit, in a folder whose name has a space; the working directory has the files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a cache"))
    for name in ("CXX", "CUDACXX", "CUDAFLAGS", "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS", "S2S_TOOLKIT"):
        monkeypatch.delenv(name, raising=False)
    for name, text in FILES.items():
        Path(name).write_text(text)
    return toolkit.folder()


def done(*command: str, **variables: str) -> str:
    made = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, timeout=500)
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


def tool(name: str) -> str:
    found = shutil.which(name, path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"needs {name}")
    return found


def test_a_toolkit_has_what_builds_look_for(top: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("include/cuda_runtime.h", "include/cuComplex.h", "lib64/libcudart_static.a", "version.json"):
        assert (top / name).is_file()
    assert (top / "lib64/libcudart.so").is_file() and (top / "nvvm/libdevice").is_dir()
    assert cli.main(["toolkit", "--path"]) == 0 and capsys.readouterr().out == f"{top}\n"
    assert "release 13.0" in done(str(top / "bin/nvcc"), "--version")


def test_a_toolkit_may_be_made_elsewhere(top: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["toolkit", "--to", "mine"]) == 0
    done("mine/bin/nvcc", "both.cu", "shared.cu", "-o", "both")
    assert done("./both") == "7 0\n"
    assert cli.main(["toolkit", "--to", "mine/version.json/here"]) == 1
    assert "cannot make a toolkit" in capsys.readouterr().err


@pytest.mark.parametrize("program", ["static", "shared"])
@pytest.mark.parametrize("library", ["static", "shared"])
def test_a_program_and_its_library_have_one_runtime(top: Path, program: str, library: str) -> None:
    nvcc = str(top / "bin/nvcc")
    done(nvcc, "-shared", "-Xcompiler=-fPIC", "shared.cu", "-cudart", library, "-o", "libshared.so")
    done(nvcc, "both.cu", "libshared.so", "-cudart", program, "-Xlinker=-rpath,.", "-o", "both")
    assert done("./both") == "7 0\n"


def test_target_cuda_does_not_call_us(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{top}/bin:{os.environ['PATH']}")
    monkeypatch.setenv("CUDA_HOME", str(top))
    try:
        found = find_nvcc()
    except ToolError:
        return
    assert not Path(found).is_relative_to(top)


def test_a_name_in_the_folder_of_a_build_hides_no_module(top: Path) -> None:
    Path("random.py").write_text("raise SystemExit('the wrong module')\n")
    done(str(top / "bin/nvcc"), "both.cu", "shared.cu", "-o", "both")


def test_a_makefile(tmp_path: Path, top: Path) -> None:
    assert cli.main(["toolkit", "--to", "cuda"]) == 0
    Path("Makefile").write_text(MAKEFILE)
    path = str(tmp_path / "cuda")
    done(tool("make"), CUDA_PATH=path)
    assert done("./both") == "7 0\n"
    Path("shared.cu").write_text(FILES["shared.cu"].replace("n = 1", "n = 2"))
    done(tool("make"), CUDA_PATH=path)
    assert done("./both") == "14 0\n"


@pytest.mark.slow("cmake")
def test_cmake(top: Path) -> None:
    Path("CMakeLists.txt").write_text(CMAKE)
    environment = {"PATH": f"{top}/bin:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    printed = done(tool("cmake"), "-B", "build", "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}", **environment)
    assert "The CUDA compiler identification is NVIDIA 13.0" in printed
    done(tool("cmake"), "--build", "build", **environment)
    assert done("build/separable") == "32\n"
    assert done("build/host") == "0 0\n"
    assert done("build/both") == "7 0\n"
    assert "no work to do" in done(tool("ninja"), "-C", "build", **environment)
