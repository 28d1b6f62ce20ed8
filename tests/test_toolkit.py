"""Build systems take us for NVIDIA's toolkit: CMake's CUDA language, `find_package(CUDAToolkit)`, Makefiles."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simt2simd import runtime
from simt2simd.command import cli, toolkit
from simt2simd.command.toolchain import CUDA_LIBRARIES, find_nvcc
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

add_executable(own own.cu)
target_link_libraries(own PRIVATE CUDA::cudart)
add_executable(static own.cu)
target_link_libraries(static PRIVATE CUDA::cudart_static)
add_executable(driver driver.cpp)
target_link_libraries(driver PRIVATE CUDA::cuda_driver)
foreach(kind Static Shared None)
  add_executable(own${kind} own.cu)
  set_target_properties(own${kind} PROPERTIES CUDA_RUNTIME_LIBRARY ${kind})
endforeach()
target_link_libraries(ownNone PRIVATE CUDA::cudart)
install(TARGETS host own ownShared)

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
    "own.cu": "#include <cstdio>\n__global__ void waves(float *x) {\n"
    "  x[threadIdx.x] = sinf(threadIdx.x) + powf(2, threadIdx.x); }\n"
    "int main() { float *x; cudaMallocManaged(&x, 256); waves<<<1, 64>>>(x); cudaDeviceSynchronize();\n"
    '  printf("%.3f\\n", x[3]); return 0; }\n',
    "driver.cpp": "#include <cuda.h>\n#include <stdio.h>\nint main(void) { CUdevice device; int number = 0;\n"
    "  CUresult done = cuInit(0); if (!done) done = cuDeviceGet(&device, 0);\n"
    '  if (!done) done = cuDriverGetVersion(&number); printf("%d %d\\n", (int)done, number); return 0; }\n',
    "both.cu": "#include <cstdio>\nvoid *give();\n__device__ int by;\n"
    "__global__ void scale(int *x) { x[threadIdx.x] *= by; }\n"
    "int main() { int *x = (int *)give(), last, n = 7; cudaMemcpyToSymbol(by, &n, 4); scale<<<1, 32>>>(x);\n"
    "  cudaMemcpy(&last, x + 31, 4, cudaMemcpyDeviceToHost);\n"
    '  printf("%d %d\\n", last, (int)cudaFree(x)); return 0; }\n',
}

# Stands for NVIDIA's library where a program may find it: whoever calls this is lost.
NVIDIAS = """#include <stdlib.h>
int cudaMalloc(void **p, size_t n) { *p = 0; return 35; }
int cudaMallocManaged(void **p, size_t n, unsigned flags) { *p = 0; return 35; }
int cudaDeviceSynchronize(void) { return 35; }
void __cudaPushCallConfiguration(void) {}
"""

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


@pytest.fixture
def nvidias(tmp_path: Path) -> Path:
    """A folder with a library that has the name of NVIDIA's runtime."""
    folder = tmp_path / "nvidia"
    folder.mkdir()
    (folder / "nvidia.c").write_text(NVIDIAS)
    named = "-Wl,-soname,libcudart.so.13"
    done(tool("gcc"), "-shared", "-fPIC", named, str(folder / "nvidia.c"), "-o", str(folder / "libcudart.so.13"))
    return folder


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


def test_another_linker_finds_the_runtime(nvidias: Path, top: Path) -> None:
    """Rodinia's Makefiles link so. NVIDIA's library, where the dynamic linker finds it, is not ours."""
    done(str(top / "bin/nvcc"), "-c", "own.cu", "-o", "own.o")
    for words in (("-lcudart",), ("-lcuda", "-lcudart"), ("-lcudart_static",), ("-lcurand", "-lcuda")):
        done(tool("gcc"), "own.o", "-o", "own", f"-L{top}/lib64", *words)
        assert done("./own", LD_LIBRARY_PATH=str(nvidias)) == "8.141\n", words


@pytest.mark.parametrize("folder", ["lib64", "lib64/stubs"])
def test_the_drivers_library(nvidias: Path, top: Path, folder: str) -> None:
    done(tool("gcc"), "-x", "c", "driver.cpp", f"-I{top}/include", "-o", "driver", f"-L{top}/{folder}", "-lcuda")
    assert done("./driver", LD_LIBRARY_PATH=str(nvidias)) == "0 13000\n"


def test_every_library_that_stands_for_nvidias_is_there(top: Path) -> None:
    for word in CUDA_LIBRARIES:
        name = word.removeprefix("-l")
        assert list(top.glob(f"lib64/lib{name}.*")), name


def test_nvidias_runtime_in_the_place_of_ours_is_reported(nvidias: Path, top: Path) -> None:
    """Its functions would say that there is no GPU; few programs look at that, and most end by SIGSEGV."""
    done(str(top / "bin/nvcc"), "-c", "own.cu", "-o", "own.o")
    ours = runtime.native_dir() / "libcudart.so.13"
    done(tool("gcc"), "own.o", "-o", "named", str(ours), "-lmvec", "-lm", "-Wl,-z,lazy")  # which has no path in it
    done(tool("gcc"), "own.o", "-o", "linked", f"-L{top}/lib64", "-lcudart")
    done(tool("gcc"), "own.o", "-o", "static", f"-L{top}/lib64", "-lcudart_static")
    message = "error: NVIDIA's CUDA runtime was loaded in place of simt2simd's, for which this program was compiled"
    for program, variable in (("named", "LD_LIBRARY_PATH"), ("linked", "LD_PRELOAD")):
        value = str(nvidias / "libcudart.so.13" if variable == "LD_PRELOAD" else nvidias)
        made = subprocess.run(f"./{program}", capture_output=True, text=True, env={**os.environ, variable: value})
        assert (made.returncode, made.stdout) == (1, "")
        assert made.stderr.startswith(f"{message}\nhelp: ") and made.stderr.count("\n") == 2
    assert done("./static", LD_PRELOAD=str(nvidias / "libcudart.so.13")) == "8.141\n"


def test_a_toolkit_needs_a_linker(tmp_path: Path, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "false")
    with pytest.raises(ToolError, match=r"cannot make a toolkit in '.*other': the linker failed"):
        toolkit.install(tmp_path / "other")
    assert [path.name for path in tmp_path.iterdir() if "toolkit" in path.name or path.name == "other"] == []


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
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_cmake(nvidias: Path, top: Path, generator: str) -> None:
    """Programs find our runtime, not one that is installed beside it, in the build's folder and installed."""
    Path("CMakeLists.txt").write_text(CMAKE)
    environment = {"PATH": f"{top}/bin:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    maker = tool("ninja" if generator == "Ninja" else "make")
    asked = ("-G", generator, f"-DCMAKE_MAKE_PROGRAM={maker}", "-DCMAKE_INSTALL_PREFIX=installed")
    printed = done(tool("cmake"), "-B", "build", *asked, **environment)
    assert "The CUDA compiler identification is NVIDIA 13.0" in printed
    done(tool("cmake"), "--build", "build", **environment)
    done(tool("cmake"), "--install", "build", **environment)
    where = str(nvidias)
    assert done("build/separable", LD_LIBRARY_PATH=where) == "32\n"
    assert done("build/both", LD_LIBRARY_PATH=where) == "7 0\n"
    assert done("build/driver", LD_LIBRARY_PATH=where) == "0 13000\n"
    for program in ("build/host", "installed/bin/host"):
        assert done(program, LD_LIBRARY_PATH=where) == "0 0\n"
    names = ("own", "static", "ownStatic", "ownShared", "ownNone")
    for program in (*(f"build/{name}" for name in names), "installed/bin/own", "installed/bin/ownShared"):
        assert done(program, LD_LIBRARY_PATH=where) == "8.141\n", program
    if generator == "Ninja":
        assert "no work to do" in done(maker, "-C", "build", **environment)
