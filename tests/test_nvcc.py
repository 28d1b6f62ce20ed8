"""nvcc's command line: every option of CUDA 13 works, is ignored for a reason, or is refused by its name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simt2simd.command import build, cli, nvcc, nvcc_words, toolkit
from simt2simd.command.job import Job
from simt2simd.command.nvcc_options import BY_NAME, ROWS, NvccOption

PROGRAM = r"""
#include <cstdio>
__global__ void scale(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= FACTOR;
}
int main() {
    float *x;
    cudaMallocManaged(&x, 400);
    for (int i = 0; i < 100; i++) x[i] = 1;
    scale<<<4, 32>>>(100, x);
    cudaDeviceSynchronize();
    printf("%g\n", x[99]);
    return 0;
}
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("CXX", "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS", "NVCC_CCBIN", "S2S_TOOLKIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    Path("scale.cu").write_text(PROGRAM)


def run(*words: str) -> int:
    return cli.main(["nvcc", *words])


def job(*words: str) -> Job:
    return nvcc.job_of(nvcc_words.read(words, os.environ, nvcc.OURS))


def output_of(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ------------------------------------------------------------------------------------------- the table


def test_the_table_has_the_options_of_nvcc() -> None:
    real = shutil.which("nvcc")
    version = output_of(real, "--version") if real else ""
    if real is None or "simt2simd" in version or "release 13.0" not in version:
        pytest.skip("needs NVIDIA's nvcc 13.0")
    theirs = re.findall(r"^--([\w-]+).*\((-[\w-]+)\) *$", output_of(real, "--help"), re.MULTILINE)
    assert {(row.long, f"-{row.short}") for row in ROWS if not row.short.startswith("--")} == set(theirs)


def test_no_two_options_share_a_name() -> None:
    assert len(BY_NAME) == sum(len(set(row.names)) for row in ROWS)


def sample(row: NvccOption) -> list[str]:
    if row.short in ("arch", "gencode"):
        return [{"arch": "sm_80", "gencode": "arch=compute_80,code=sm_80"}[row.short]]
    values = {"": [], "text": ["x"], "list": ["x"], "number": ["1"], "truth": ["false"]}
    if row.choices:
        return [row.choices[0 if "none" in row.choices else -1]]
    return ["true"] if row.short == "rdc" else list(values[row.takes])


WORKING = [row for row in ROWS if not row.ignored and not row.refused]
ANSWERED = ("help", "version", "list-gpu-arch", "list-gpu-code", "options-file", "run", "run-args", "link", "std")
MODES = ("forward-unknown-to-host-compiler", "forward-unknown-to-host-linker", "forward-unknown-opts")
WITH_OTHERS = {
    "dependency-output": "-MD", "dependency-target-name": "-MD", "generate-dependency-targets": "-MD",
    "device-w": "-rdc=true", "keep-dir": "-c",
}  # fmt: skip


@pytest.mark.parametrize(
    "row", [row for row in WORKING if row.long not in (*ANSWERED, *MODES)], ids=lambda row: row.long
)
def test_an_option_that_works_changes_the_job(row: NvccOption) -> None:
    text = "all-warnings" if row.long == "Werror" else "-v" if row.long == "ptxas-options" else None
    others = [WITH_OTHERS[row.long]] if row.long in WITH_OTHERS else []
    for name in row.names:
        words = [name, text] if text else [name, *sample(row)]
        assert job("a.cu", *others, *words) != job("a.cu", *others)


@pytest.mark.parametrize("row", [row for row in ROWS if row.ignored], ids=lambda row: row.long)
def test_an_option_that_is_ignored_changes_nothing(row: NvccOption) -> None:
    made = job("a.cu", *[row.names[0], *sample(row)])
    assert made == job("a.cu") or row.long == "device-debug"
    assert made.files == ("a.cu",)


@pytest.mark.parametrize("row", [row for row in ROWS if row.refused], ids=lambda row: row.long)
def test_an_option_that_is_refused_is_named(row: NvccOption, capsys: pytest.CaptureFixture[str]) -> None:
    for name in row.names:
        assert run("scale.cu", name, *sample(row)) == 1
        assert f"nvcc's option '{name}' is not supported\nhelp: {row.refused}" in capsys.readouterr().err
    assert os.listdir() == ["scale.cu"]


# ---------------------------------------------------------------------------------------- the command line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-ox"], "unknown option '-ox'"),
        (["-clang"], "unknown option '-clang'"),
        (["--arch=sm_80"], "unknown option '--arch=sm_80'"),
        (["-gpu-architecture=sm_80"], "unknown option '-gpu-architecture=sm_80'"),
        (["-Wall"], "unknown option '-Wall'\nhelp: the C++ compiler's options are passed on as -Xcompiler OPTION"),
        (["-w=x"], "'-w' takes no value"),
        (["-rdc=yes"], "'-rdc' may be true or false: not 'yes'"),
        (["-std=c++42"], "'-std' may be c++03, c++11, c++14, c++17, c++20: not 'c++42'"),
        (["-Ofast"], "'-Ofast' takes a number: not 'fast'"),
        (["-o"], "'-o' needs a value after it"),
        (["-optf", "none.txt"], "cannot read the options in 'none.txt': no such file or directory"),
        (["-MF", "x.d", "-MD", "b.cu"], "-MF names one file, for one input: 2 given"),
        (["-arch=foo"], "unsupported gpu architecture 'foo'"),
        (["-gencode", "arch=sm_80,code=sm_80"], "unsupported gpu architecture 'sm_80'"),
        (["x.txt"], "cannot compile 'x.txt' to an executable"),
    ],
)
def test_what_is_no_option(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("scale.cu", *words) == 1
    assert message in capsys.readouterr().err


def test_nothing_to_compile(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-c") == 1 and "no input files" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], 75),
        (["-arch=sm_86"], 86),
        (["-arch", "compute_80", "-code=sm_86"], 80),
        (["-gencode=arch=compute_80,code=[sm_80,sm_86]"], 80),
        (["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_86,code=sm_86"], 86),
        (["-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_100,code=compute_100"], 80),
        (["--generate-code=arch=compute_120,code=sm_120"], 120),
        (["--gpu-architecture=sm_90a"], 90),
        (["-arch=all-major"], 90),
        (["-arch=sm_35"], 75),
    ],
)
def test_the_architecture(words: list[str], expected: int) -> None:
    assert job("a.cu", *words).options.architecture == expected


def test_programs_see_the_architecture() -> None:
    Path("arch.cu").write_text(
        '#include <cstdio>\n__global__ void k() { printf("%d\\n", __CUDA_ARCH__); }\n'
        "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n"
    )
    assert run("arch.cu", "-o", "arch") == 0 and output_of("./arch") == "750\n"
    assert run("arch.cu", "-o", "arch", "-arch=sm_80") == 0 and output_of("./arch") == "800\n"
    assert cli.main(["compile", "arch.cu", "-o", "arch", "-gencode", "arch=compute_86,code=sm_86"]) == 0
    assert output_of("./arch") == "860\n"


def test_lists_are_divided_at_commas() -> None:
    made = job("a.cu", "-Ifoo,bar", "-DA=1\\,2,B", '-DC="x,y"', "-lm,dl", "-Xcompiler", '-Wall,"-DX=1,2" -O1')
    assert made.options.include_dirs == ("foo", "bar")
    assert made.options.defines == ("A=1,2", "B", 'C="x,y"', "X=1,2")
    assert made.flags.link_args == ("-lm", "-ldl")
    assert made.flags.compile_args == ("-Wall", "-DX=1,2", "-O1")


def test_the_last_word_about_a_macro_counts() -> None:
    made = job("a.cu", "-DA", "-UA", "-UB", "-DB=2", "-U", "C", "-DD(x)=x")
    assert made.options.defines == ("B=2", "D(x)=x") and made.options.undefines == ("A", "C")
    assert made.flags.defines == made.options.defines and made.flags.undefines == made.options.undefines


def test_unknown_options_go_where_they_are_sent() -> None:
    made = job("-forward-unknown-to-host-compiler", "-fPIC", "-DX", "a.cu", "-Wl,-z", "-pthread")
    assert made.flags.compile_args == ("-fPIC", "-Wl,-z", "-pthread") and made.options.defines == ("X",)
    assert job("-forward-unknown-opts", "-foo", "a.cu").flags.link_args == ("-foo",)


def test_options_come_from_files_and_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("more.rsp").write_text('-I"in c" -DX\n-optf last.rsp\n')
    Path("last.rsp").write_text("b.o")
    monkeypatch.setenv("NVCC_PREPEND_FLAGS", "-O1 -DFIRST")
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "-O2 --target avx2")
    monkeypatch.setenv("NVCC_CCBIN", "g++")
    made = job("--options-file", "more.rsp", "a.o", "-O3")
    assert made.files == ("b.o", "a.o") and made.options.include_dirs == ("in c",)
    assert made.options.defines == ("FIRST", "X") and made.flags.optimise == 2
    assert made.options.target.name == "avx2" and made.cxx == "g++"


def test_a_compiler_may_be_named_by_its_folder() -> None:
    folder = str(Path(shutil.which("c++") or "").parent)
    assert job("a.cu", "-ccbin", folder).cxx == f"{folder}/c++"


@pytest.mark.parametrize(
    ("words", "level"), [((), 2), (("-g",), 0), (("-g", "-O2"), 2), (("-O9",), 3), (("-O3", "-O1"), 1)]
)
def test_the_level_of_host_code(words: tuple[str, ...], level: int) -> None:
    assert job("a.cu", *words).flags.optimise == level


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    text = capsys.readouterr().out
    assert re.search(r"nvcc: NVIDIA \(R\) Cuda compiler driver\n.*release 13\.0, V13\.0\.\d+\n", text)
    assert run("-h") == 0
    text = capsys.readouterr().out
    assert all(f"--{row.long}" in text for row in ROWS)
    assert run("--list-gpu-arch") == 0 and "compute_80\ncompute_86\n" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------- what is made


def test_a_file_of_any_name_may_be_a_program() -> None:
    Path("scale.cu").rename("scale.txt")
    assert run("-x", "cu", "scale.txt", "-DFACTOR=3", "-o", "scale", "-run") == 0
    assert output_of("./scale") == "3\n"


def test_text_before_the_program_is_for_both_parts() -> None:
    Path("inc").mkdir()
    Path("inc/factor.h").write_text("#define FACTOR (TWO + 1)\n#ifdef UNWANTED\n#error unwanted\n#endif\n")
    Path("two.h").write_text("#define TWO 2\n")
    words = ["-isystem=inc", "-include", "two.h,factor.h", "-DUNWANTED", "-UUNWANTED"]
    assert run("scale.cu", *words, "-o", "scale") == 0
    assert output_of("./scale") == "3\n"


def test_the_rule_names_what_each_part_includes() -> None:
    Path("both.h").write_text("#define FACTOR 2\n")
    Path("device.h").write_text("\n")
    Path("scale.cu").write_text('#include "both.h"\n#ifdef __CUDA_ARCH__\n#include "device.h"\n#endif\n' + PROGRAM)
    Path("out").mkdir()
    assert run("-c", "scale.cu", "-MMD", "-MP", "-o", "out/s.o") == 0
    rule = Path("out/s.d").read_text()
    first, *others = rule.replace("\\\n", "").splitlines()
    target, _, sources = first.partition(":")
    assert target == "out/s.o" and {"scale.cu", "both.h", "device.h"} <= set(sources.split())
    assert "cuda_runtime.h" not in rule and "both.h:" in others
    assert run("-c", "scale.cu", "-MD", "-MT", "t.o", "-MF", "t.d") == 0
    rule = Path("t.d").read_text()
    assert rule.startswith("t.o:") and "cuda_runtime.h" in rule and "device.h" in rule


def test_rules_without_compiling(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.h").write_text("")
    Path("other.cpp").write_text('#include "other.h"\n')
    assert run("-MM", "-odir", "build", "scale.cu", "other.cpp") == 0
    printed = capsys.readouterr().out
    assert "build/scale.o: scale.cu" in printed and "build/other.o: other.cpp other.h" in printed
    assert run("-M", "scale.cu", "-MT", "x", "-o", "x.d") == 0 and Path("x.d").read_text().startswith("x:")


def test_preprocessing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-E", "scale.cu", "-DFACTOR=7") == 0
    assert "x[i] *= 7;" in capsys.readouterr().out
    assert run("-E", "scale.cu", "-DFACTOR=7", "-o", "x.ii") == 0 and "x[i] *= 7;" in Path("x.ii").read_text()


def test_libraries_of_both_kinds() -> None:
    Path("part.cu").write_text(PROGRAM.replace("main()", "part()"))
    Path("main.cu").write_text("int part();\nint main() { part(); }\n")
    assert run("-lib", "part.cu", "-DFACTOR=2", "-o", "libpart.a") == 0
    assert run("main.cu", "-L.", "-lpart", "-o", "static") == 0 and output_of("./static") == "2\n"
    assert run("-shared", "-Xcompiler", "-fPIC", "part.cu", "-DFACTOR=4", "-o", "libshared.so") == 0
    assert run("main.cu", "libshared.so", "-Xlinker", "-rpath,.", "-cudart", "shared", "-o", "shared") == 0
    assert output_of("./shared") == "4\n"


def test_linked_device_code_in_libraries() -> None:
    Path("two.cu").write_text("__device__ int two() { return 2; }\n")
    text = PROGRAM.replace("__global__", "__device__ int two();\n__global__", 1)
    Path("scale.cu").write_text(text)
    assert run("-dc", "two.cu") == 0 and run("-lib", "two.o", "-o", "libtwo.a") == 0
    assert run("-rdc=true", "-c", "scale.cu", "-DFACTOR=two()") == 0
    assert run("-dlink", "scale.o", "-L.", "-ltwo", "-o", "linked.o") == 0
    assert run("-nodlink", "scale.o", "linked.o", "-L.", "-ltwo", "-o", "scale") == 0
    assert output_of("./scale") == "2\n"


def test_dryrun_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--dryrun", "scale.cu", "-lm", "-o", "x") == 0
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith("#$ ") and " -o x " in line and "-lm" in line for line in lines)
    assert sorted(name for name in os.listdir() if not name.startswith(".")) == ["scale.cu"]


def test_what_kernels_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-c", "scale.cu", "-DFACTOR=2", "--resource-usage") == 0
    printed = capsys.readouterr().err
    assert "kernel 'scale' has gangs of 16 threads, 0 bytes of shared memory and 16 bytes of parameters" in printed


def test_intermediate_files_have_a_folder() -> None:
    assert run("scale.cu", "-DFACTOR=2", "--keep", "--keep-dir", "kept", "-o", "x") == 0
    assert {"scale.ll", "scale.s", "scale.host.ii"} <= set(os.listdir("kept"))


def test_simt2simds_own_options_go_with_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-c", "scale.cu", "-DFACTOR=x[(int)x[i]]", "--remarks", "--target", "avx2") == 0
    assert "remark: load: gather" in capsys.readouterr().err


def test_the_job_is_all_that_a_build_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Job] = []
    monkeypatch.setattr(build, "build", jobs.append)
    assert run("-c", "scale.cu") == 0
    assert jobs == [job("-c", "scale.cu")] and toolkit.folder().exists()


# --------------------------------------------------------------------------------------------- images

KERNELS = """
__constant__ float offsets[4];
template <class T> __global__ void twice(T *x) { x[threadIdx.x] *= 2; }
template __global__ void twice<float>(float *);
extern "C" __global__ void add(float *x) { x[threadIdx.x] += offsets[threadIdx.x]; }
namespace deep { __global__ void third(float *x) { x[threadIdx.x] /= 3; } }
"""

LOADER = r"""
#include <cuda.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#define CU(call) if (CUresult r = (call)) return printf("%d: %s: %d\n", __LINE__, #call, r), 1
static int print(CUfunction f) {
    CUdeviceptr x;
    float host[4] = {3, 6, 9, 12};
    CU(cuMemAlloc(&x, sizeof host));
    CU(cuMemcpyHtoD(x, host, sizeof host));
    void *params[] = {&x};
    CU(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, params, nullptr));
    CU(cuMemcpyDtoH(host, x, sizeof host));
    return printf("%g %g\n", host[0], host[3]), 0;
}
int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction f;
    CUlibrary library;
    CUkernel kernel;
    CU(cuInit(0));
    CU(cuDeviceGet(&device, 0));
    CU(cuCtxCreate(&context, 0, device));
    CU(cuModuleLoad(&module, "kernels.ptx"));
    CU(cuModuleGetFunction(&f, module, "_ZN4deep5thirdEPf"));
    print(f);
    std::ifstream file("kernels.fatbin", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    CU(cuModuleLoadFatBinary(&module, text.data()));
    CU(cuModuleGetFunction(&f, module, "add"));
    print(f);
    CU(cuModuleUnload(module));
    CU(cuLibraryLoadFromFile(&library, "other.cubin", 0, 0, 0, 0, 0, 0));
    CU(cuLibraryGetKernel(&kernel, library, "_Z5twiceIfEvPT_"));
    print((CUfunction)kernel);
    CUmodule of_kernel;
    CUfunction same;
    CU(cuLibraryGetModule(&module, library));
    CU(cuFuncGetModule(&of_kernel, (CUfunction)kernel));
    CU(cuModuleGetFunction(&f, module, "add"));
    CU(cuModuleGetFunction(&same, module, "add"));
    print(f);
    printf("%d %d %d\n", module == of_kernel, f == same, cuModuleUnload(module) == CUDA_ERROR_NOT_PERMITTED);
    CU(cuLibraryUnload(library));
    printf("%d\n", cuLibraryGetModule(&module, library) == CUDA_ERROR_INVALID_HANDLE);
}
"""


def test_device_code_alone_is_an_image() -> None:
    Path("kernels.cu").write_text(KERNELS)
    Path("loader.cpp").write_text(LOADER)
    assert run("-ptx", "kernels.cu") == run("--fatbin", "kernels.cu", "-arch=sm_80", "-rdc=true") == 0
    assert run("-cubin", "-o", "other.cubin", "kernels.cu") == run("loader.cpp", "-lcuda", "-o", "loader") == 0
    assert output_of("./loader") == "1 4\n3 12\n6 24\n3 12\n1 1 1\n1\n"
    assert not Path("kernels.o").exists()


def test_an_image_is_of_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-ptx", "scale.cu", "scale.cu", "-o", "x.ptx", "-DFACTOR=1") == 1
    assert "2 would be written" in capsys.readouterr().err
    Path("a.cpp").write_text("int f();\n")
    assert run("-cubin", "a.cpp") == 1 and "cannot compile 'a.cpp' to a cubin file" in capsys.readouterr().err


# --------------------------------------------------------------------------------- builds of Python modules

EXTENSION = """
#include <cuda_runtime.h>
#include <cstdint>
template <class T> __global__ void axpy(const T *x, T *y, T a, int64_t n) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
extern "C" void run(const float *x, float *y, float a, int64_t n, cudaStream_t stream) {
    axpy<<<(n + 255) / 256, 256, 0, stream>>>(x, y, a, n);
}
"""


def test_the_command_line_of_pytorch_s_extensions() -> None:
    """`torch.utils.cpp_extension` compiles like this, in files for ninja, and links by the C++ compiler."""
    Path("extension.cu").write_text(EXTENSION)
    no_operators = [f"-D__CUDA_NO_{name}__" for name in ("HALF_OPERATORS", "HALF_CONVERSIONS", "HALF2_OPERATORS")]
    words = [
        "--generate-dependencies-with-compile", "--dependency-output", "extension.o.d", "-DTORCH_EXTENSION_NAME=ext",
        "-DTORCH_API_INCLUDE_EXTENSION_H", '-DPYBIND11_COMPILER_TYPE=\\"_gcc\\"', "-isystem", str(toolkit.folder()),
        "-D_GLIBCXX_USE_CXX11_ABI=1", *no_operators, "--expt-relaxed-constexpr",
        "-gencode=arch=compute_90,code=compute_90", "-gencode=arch=compute_90,code=sm_90",
        "--compiler-options", "'-fPIC'", "-std=c++17", "-c", "extension.cu", "-o", "extension.o",
    ]  # fmt: skip
    assert run(*words) == 0
    assert Path("extension.o.d").read_text().startswith("extension.o: extension.cu")
    folder = str(toolkit.folder() / "lib64")
    output_of("c++", "extension.o", "-shared", f"-L{folder}", "-lcudart", f"-Wl,-rpath,{folder}", "-o", "extension.so")
    call = (
        "import ctypes; x, y = (ctypes.c_float * 9)(*[1] * 9), (ctypes.c_float * 9)();"
        "ctypes.CDLL('./extension.so').run(x, y, ctypes.c_float(3), ctypes.c_int64(9), None); print(y[0], y[8])"
    )
    assert output_of(sys.executable, "-c", call) == "3.0 3.0\n"
