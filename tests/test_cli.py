"""The command line: what it makes, what it prints, its exit codes, and that failures leave nothing behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from simt2simd import RawKernel, target
from simt2simd.command import arguments, build, cli, toolchain
from simt2simd.command.job import Job
from simt2simd.diag import ToolError
from simt2simd.options import Options
from simt2simd.pipeline import STAGES, driver

SCALE = r"""
#include <cstdio>
#include <cstdlib>

__global__ void scale(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= FACTOR;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100;
    float host[1000], *x, sum = 0;
    for (int i = 0; i < n; i++) host[i] = 1;
    cudaMalloc(&x, n * sizeof(float));
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<(n + 31) / 32, 32>>>(n, x);
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) sum += host[i];
    printf("%g\n", sum);
    cudaFree(x);
    return cudaGetLastError() == cudaSuccess ? 7 : 1;
}
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CXX", raising=False)
    Path("scale.cu").write_text(SCALE)


def output_of(program: str, *args: str) -> str:
    done = subprocess.run([program, *args], capture_output=True, text=True)
    assert done.returncode == 7, done.stderr
    return done.stdout


def job_of(monkeypatch: pytest.MonkeyPatch, *words: str) -> Job:
    """Return the job that a command line asks for."""
    jobs: list[Job] = []
    monkeypatch.setattr(build, "build", jobs.append)
    assert cli.main(["compile", *words]) == 0
    return jobs[0]


# ------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    "option", [*arguments._OUTPUT, *arguments._REPORTS, *arguments._HOST], ids=lambda option: option.names
)
def test_every_name_of_an_option_sets_its_field(option: arguments._Option) -> None:
    switch = option.metavar is None and option.choices is None
    text = "tree" if option.read is arguments._stages else (option.choices or ("text",))[0]
    value: object = option.implied if switch else option.read(text)
    for name in option.names.split():
        words = [name] if switch else [f"{name}={text}"] if option.field == "listing" else [name, text]
        needed = ["--listing"] if option.field == "counts_file" else []
        _, args, _ = arguments.parse(["compile", "x.cu", *words, *needed])
        assert getattr(args, option.field) == ([value] if option.many else value)


def test_flags_that_nvcc_users_write(monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of(
        monkeypatch,
        *"x.cu y.o -o x -DA -D B=2 -Iinc -I inc2 -O2 -std=c++17 -g --use_fast_math -fmad=false -lineinfo".split(),
        *"-arch=sm_80 -gencode arch=compute_80,code=sm_80 -Xcompiler -Wall,-Wextra -Xlinker -rpath -lm -L/lib".split(),
        *"-Xptxas -v -rdc=true -ccbin g++ --target avx2 --remarks --verify --keep -w".split(),
    )
    assert job.files == ("x.cu", "y.o") and job.output == "x" and job.emit == "exe"
    options = job.options
    assert options.defines == ("A", "B=2") and options.include_dirs == ("inc", "inc2")
    assert (options.optimise, options.fmad, options.fast_math, options.verify) == (2, False, True, True)
    assert options.target == target.AVX2 and options.relocatable
    assert job.flags.standard == "c++17" and job.flags.debug
    assert job.flags.compile_args == ("-w", "-Wall", "-Wextra")
    assert job.flags.link_args == ("-L/lib", "-Wl,-rpath", "-lm")
    assert job.nvcc_args == (
        "-lineinfo", "-arch", "sm_80", "-gencode", "arch=compute_80,code=sm_80", "-Xptxas", "-v", "-w",
    )  # fmt: skip
    assert job.cxx == "g++" and job.remarks and job.keep


def test_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Options.__init__.__kwdefaults__ is not None
    monkeypatch.setitem(Options.__init__.__kwdefaults__, "check_ir", False)  # which tests turn on
    job = job_of(monkeypatch, "x.cu")
    assert job.options.target == target.native()
    assert job.options.fmad and not job.options.fast_math and job.options.optimise == 3
    assert job.emit == "exe" and job.output is None and not job.nvcc
    assert not job.options.check_ir


def test_other_spellings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert job_of(monkeypatch, "-c", "x.cu").emit == "object"
    assert job_of(monkeypatch, "x.cu", "-use_fast_math", "-fmad", "true").options.fast_math
    assert job_of(monkeypatch, "x.cu", "--dump-ir=tree,shape").dumps == ("tree", "shape")
    assert job_of(monkeypatch, "x.cu", "--target", "cuda", "-arch=sm_90").nvcc
    job = job_of(monkeypatch, *"x.cu -objtemp -cudart static -m64 -lz -O1 -t4 --expt-relaxed-constexpr".split())
    assert (job.output, job.emit, job.flags.link_args, job.flags.optimise) == (None, "exe", ("-lz",), 1)
    assert job_of(monkeypatch, "x.cu", "--check-ir").options.check_ir


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compile"], "required: FILE"),
        (["compile", "x.cu", "--no-such-flag"], "unknown option '--no-such-flag'"),
        (["run", "x.cu", "-fopenmp"], "passed on as -Xcompiler OPTION"),
        (["compile", "x.cu", "-O7"], "invalid choice"),
        (["compile", "x.cu", "--target", "sse"], "invalid choice: 'sse'"),
        (["compile", "x.cu", "--dump-ir=tree,bogus"], "no stage 'bogus': choose from host, preprocess, parse"),
        (
            ["compile", "x.cu", "--disable=loop-invariant-motion,bogus"],
            "no optimisation 'bogus': choose from\n  unreachable-code-elimination ",
        ),
        (["compile", "x.cu", "--target", "cuda", "--remarks"], "--target cuda only calls nvcc"),
        (["compile", "x.cu", "--target", "cuda", "--check-ir"], "--target cuda only calls nvcc"),
        (["compile", "x.cu", "--target", "cuda", "--stats"], "--target cuda only calls nvcc"),
        (["compile", "x.cpp", "--emit", "llvm"], "--emit llvm takes .cu files"),
        (["walk"], "invalid choice: 'walk'"),
        (["compile", "x.cu", "-D1=2"], "-D defines a macro as NAME or NAME=VALUE, on one line: not '1=2'"),
        (["compile", "x.cu", "-DA=1\n#error x"], "on one line"),
        (["compile", "x.cu", "-lib"], "nvcc's option '-lib' is not supported"),
        (["compile", "x.cu", "--cubin"], "nvcc's option '--cubin' is not supported"),
        (["compile", "x.cu", "-openmp"], "unknown option '-openmp'; the output is named by -o FILE"),
        (["compile", "x.cu", "-clang"], "unknown option '-clang'"),
        (["compile", "x.cu", "-fma=false"], "unknown option '-fma=false'"),
        ([], "required: COMMAND"),
    ],
)
def test_usage_errors_exit_2(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(words)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("--disable=help", "  loop-invariant-motion  "),
        ("--dump-ir=help", "  loop-invariant-motion  "),
        ("--dump-ir=help", "  after-all  "),
    ],
)
def test_names_are_listed_with_what_they_are_for(word: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["compile", word])
    assert caught.value.code == 0
    assert line in capsys.readouterr().out


def test_optimisations_are_switched_off_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of(monkeypatch, "x.cu", "--disable=loop-invariant-motion,barrier-fission", "--disable", "likely")
    assert job.options.disabled == {"loop-invariant-motion", "barrier-fission", "likely"}


def test_help_is_for_people_who_know_nvcc(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["compile", "--help"])
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert "nvcc" in text and "--use_fast_math" in text and "--target" in text


# --------------------------------------------------------------------------------------------- compile


def test_compile_makes_an_executable() -> None:
    assert cli.main(["compile", "scale.cu", "-DFACTOR=3", "-o", "scale"]) == 0
    assert output_of("./scale", "1000") == "3000\n"
    assert sorted(os.listdir()) == ["scale", "scale.cu"]


def test_default_output_is_that_of_nvcc() -> None:
    assert cli.main(["compile", "scale.cu", "-DFACTOR=2"]) == 0
    assert output_of("./a.out") == "200\n"


def test_several_files_with_static_kernels_of_one_name() -> None:
    Path("shared.h").write_text(
        "#pragma once\nvoid first(int *x);\nvoid second(int *x);\n__global__ void third(int *x);\n"
    )
    for name, value in (("first", 1), ("second", 2)):
        Path(f"{name}.cu").write_text(
            f'#include "shared.h"\n'
            f"static __global__ void set(int *x) {{ x[threadIdx.x] += {value}; }}\n"
            f"void {name}(int *x) {{ set<<<1, 4>>>(x); }}\n"
        )
    Path("third.cu").write_text('#include "shared.h"\n__global__ void third(int *x) { x[threadIdx.x] *= 10; }\n')
    Path("plain.c").write_text("int offset(void) { return 100; }\n")
    Path("main.cpp").write_text(
        "#include <cuda_runtime.h>\n#include <cstdio>\nvoid first(int *x);\nvoid second(int *x);\nvoid both(int *x);\n"
        'extern "C" int offset(void);\n'
        "int main() { int *x; cudaMalloc((void **)&x, 16); cudaMemset(x, 0, 16); first(x); second(x); both(x);\n"
        '  cudaDeviceSynchronize(); printf("%d\\n", x[3] + offset()); return 7; }\n'
    )
    Path("both.cu").write_text('#include "shared.h"\nvoid both(int *x) { third<<<1, 4>>>(x); }\n')
    assert cli.main(["compile", "-c", "first.cu", "third.cu", "plain.c"]) == 0
    assert {"first.o", "third.o", "plain.o"} <= set(os.listdir())
    assert cli.main("compile first.o second.cu third.o both.cu main.cpp plain.o -o prog".split()) == 0
    assert output_of("./prog") == "130\n"


def test_object_under_a_name() -> None:
    assert cli.main(["compile", "-c", "scale.cu", "-DFACTOR=2", "-o", "s.o"]) == 0
    assert cli.main(["compile", "s.o", "-o", "s"]) == 0
    assert output_of("./s") == "200\n"


@pytest.mark.parametrize(
    ("emit", "suffix", "sign"), [("assembly", ".s", "s2s_kernel_scale:"), ("llvm", ".ll", "define")]
)
def test_emit_text(emit: str, suffix: str, sign: str) -> None:
    assert cli.main(["compile", "scale.cu", "-DFACTOR=2", "--emit", emit]) == 0
    assert sign in Path("scale" + suffix).read_text()


def test_dump_ir_prints_the_stages(capsys: pytest.CaptureFixture[str]) -> None:
    stages = "host,preprocess,tree,grid-stride,shape,plans,llvm,opt,assembly"
    assert cli.main(["compile", "scale.cu", "-DFACTOR=2", f"--dump-ir={stages}"]) == 0
    printed = capsys.readouterr().out
    for stage in stages.split(","):
        assert f"===== {stage} of scale.cu\n" in printed
    assert cli.main(["compile", "scale.cu", "-DFACTOR=2", "--dump-ir=tree"]) == 0
    assert capsys.readouterr().out.startswith("__global__ void scale(int n, float *x) {")


def test_keep_leaves_the_intermediate_files() -> None:
    os.mkdir("out")
    assert cli.main(["compile", "scale.cu", "-DFACTOR=2", "--keep", "-o", "out/scale"]) == 0
    assert sorted(os.listdir("out")) == [
        "scale", "scale.device.o", "scale.host.ii", "scale.host.o", "scale.ll", "scale.s",
    ]  # fmt: skip


def test_remarks_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.cu").write_text("__global__ void g(float *x, const int *i) {\n  x[threadIdx.x] = x[i[threadIdx.x]];\n}\n")
    assert cli.main(["compile", "-c", "g.cu", "--remarks"]) == 0
    printed = capsys.readouterr()
    assert "g.cu:2:20: remark: load: gather" in printed.err and printed.out == ""


def test_remarks_may_be_about_what_costs_only(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.cu").write_text(
        "__global__ void g(float *x, const int *i) {\n  x[threadIdx.x] = x[i[threadIdx.x]];\n}\n"
        "__global__ void h(float *x, int n) {\n  for (int i = 0; i < n; i++) x[i] = 1;\n}\n"
    )
    assert cli.main(["compile", "-c", "g.cu", "--target=avx512", "--remarks=missed"]) == 0
    printed = capsys.readouterr()
    assert re.findall(r"^g.cu:(\S+): remark: (?:kernel '(.)')?", printed.err, re.MULTILINE) == [
        ("2:20", ""), ("4:17", "h"), ("1:17", "g")
    ]  # fmt: skip
    assert "as good as possible" not in printed.err and printed.out == ""
    assert cli.main(["compile", "-c", "g.cu", "--target=avx512", "--remarks=all"]) == 0
    every = capsys.readouterr().err
    assert cli.main(["compile", "-c", "g.cu", "--target=avx512", "--remarks"]) == 0
    assert capsys.readouterr().err == every and "as good as possible" in every


def test_remarks_as_json_go_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("g.cu", "h.cu"):
        Path(name).write_text("__global__ void g(float *x, const int *i) {\n  x[0] = x[i[threadIdx.x]];\n}\n")
    assert cli.main(["compile", "-c", "--remarks=json", "g.cu", "h.cu"]) == 0
    printed = capsys.readouterr()
    records = json.loads(printed.out)
    assert [(record["file"], record["kind"]) for record in records] == [("g.cu", "load"), ("h.cu", "load")]
    assert printed.err == ""


def test_names_with_spaces_and_quotes() -> None:
    Path("a 'b\"c.cu").write_text('#include "d e.h"\n' + SCALE)
    Path("d e.h").write_text("#define FACTOR 4\n")
    assert cli.main(["compile", "a 'b\"c.cu", "-o", "an output"]) == 0
    assert output_of("./an output") == "400\n"


def test_output_may_be_a_device() -> None:
    assert cli.main(["compile", "scale.cu", "-DFACTOR=2", "-o", "/dev/null"]) == 0
    assert not Path("/dev/null").is_file()


# -------------------------------------------------------------------------------------------- failures


def failure(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Compile, expect exit code 1 and no new file; return what was printed."""
    before = sorted(os.listdir())
    assert cli.main(["compile", *words]) == 1
    assert sorted(os.listdir()) == before
    text = capsys.readouterr().err
    assert "Traceback" not in text
    return text


def test_device_error_leaves_the_old_output(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text("__global__ void k(int *x) {\n  x[0] = unknown;\n}\nint main() { k<<<1, 1>>>(0); }\n")
    Path("bad").write_text("precious")
    text = failure(capsys, "bad.cu", "-o", "bad")
    assert "bad.cu:2:10: error:" in text and "unknown" in text
    assert Path("bad").read_text() == "precious"


def test_host_error_names_the_users_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text(
        "__global__ void k(int *x) {\n  x[0] = 1;\n}\n\nint main() {\n  k<<<1,\n      1>>>(0);\n  int y = nothing;\n}\n"
    )
    assert "bad.cu:8:11: error:" in failure(capsys, "bad.cu")


def test_host_and_device_errors_come_together(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text("__global__ void k(int *x) { x[0] = unknown; }\nint main() { return nothing; }\n")
    Path("worse.cu").write_text("__global__ void k2() { }\nint f() { k2(); return 0; }\n")
    text = failure(capsys, "bad.cu", "worse.cu")
    assert "bad.cu:1:36: error:" in text and "bad.cu:2:21: error:" in text
    assert "worse.cu:2:11: error: a kernel cannot be called as a function: 'k2'" in text


def test_a_kernel_without_device_code_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text(
        "#ifndef __CUDA_ARCH__\n__global__ void k(int *x) { x[0] = 1; }\n#endif\nint main() { k<<<1, 1>>>(0); }\n"
    )
    text = failure(capsys, "bad.cu")
    assert "bad.cu:2:17: error: the kernel 'k' is in the host part only" in text and "undefined reference" not in text


def test_missing_header_is_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text('#include "nowhere.h"\nint main() { }\n')
    text = failure(capsys, "bad.cu")
    assert "bad.cu:1:" in text and text.count("error:") == 1


def test_link_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text("void elsewhere();\nint main() { elsewhere(); }\n")
    assert "elsewhere" in failure(capsys, "bad.cu")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.cu"], "cannot read 'none.cu': no such file or directory"),
        (["scale.txt"], "cannot compile 'scale.txt'"),
        (["scale.cu", "-o", "no/where"], "cannot write 'no/where': there is no directory 'no'"),
        (["scale.cu", "-o", "."], "cannot write '.': it is a directory"),
        (["scale.cu", "-o", "scale.cu"], "the output 'scale.cu' would overwrite the input"),
        (["-c", "scale.cu", "other.cu", "-o", "x.o"], "leave out -o"),
        (["-c", "scale.cu", "sub/scale.cu"], "'scale.cu' and 'sub/scale.cu' would both become 'scale.o'"),
        (["scale.cu", "-ccbin", "no-such-compiler"], "no such C++ compiler: 'no-such-compiler'"),
    ],
)
def test_files_and_tools_that_are_not_there(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("scale.txt").write_text("")
    Path("other.cu").write_text("")
    Path("sub").mkdir()
    Path("sub/scale.cu").write_text("")
    text = failure(capsys, *words)
    assert text.startswith("simt2simd: error: ") and message in text


def test_no_compiler_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "help: install g++" in failure(capsys, "scale.cu")
    monkeypatch.setenv("CXX", "my-c++ -m64")
    assert "no such C++ compiler: 'my-c++ -m64', which the environment variable CXX names" in failure(
        capsys, "scale.cu"
    )


def test_fault_of_the_compiler_names_the_stage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("a surprise")

    stages = [replace(row, run=broken) if row.name == "shape" else row for row in STAGES]
    monkeypatch.setattr(driver, "STAGES", stages)
    text = failure(capsys, "scale.cu", "-DFACTOR=2")
    assert "internal error in stage shape: ValueError: a surprise; please report" in text


# ------------------------------------------------------------------------------------- what is printed

PRINTING = (
    "--version",
    "--help",
    "compile --help",
    "compile x --disable=help",
    "compile x --dump-ir=help",
    "cache",
    "doctor",
    "compile scale.cu -DFACTOR=2 --emit llvm -o -",
    "compile scale.cu -DFACTOR=x[(int)x[i]] --emit llvm -o scale.ll --dump-ir=shape --remarks=json",
)


def run_with(stdout: int | None, words: str, unbuffered: str) -> subprocess.CompletedProcess[str]:
    """Run a command line that writes to the file descriptor `stdout`, or to none at all, and reports to a pipe."""
    env = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2]), "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "simt2simd", *words.split()]
    if stdout is None:
        command = ["sh", "-c", 'exec "$@" >&-', "sh", *command]
    return subprocess.run(command, env=env, stdout=stdout, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", PRINTING)
def test_a_reader_that_has_gone_is_no_fault(words: str, unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run_with(writing, words, unbuffered)
    finally:
        os.close(writing)
    assert done.returncode in (0, 1)
    assert done.stderr == ""


@pytest.mark.parametrize("words", ["compile scale.cu -DFACTOR=x[(int)x[i]] --emit llvm -o scale.ll --remarks", "run y"])
def test_a_reader_of_messages_that_has_gone_is_no_fault(words: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "simt2simd", *words.split()]
    env = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])}
    try:
        done = subprocess.run(command, env=env, stdout=writing, stderr=writing)
    finally:
        os.close(writing)
    assert done.returncode == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", ["compile x --disable=help", "doctor", "cache"])
def test_a_full_disk_is_reported(words: str, unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = run_with(full.fileno(), words, unbuffered)
    assert done.returncode == 1
    assert done.stderr == "simt2simd: error: cannot read or write: no space left on device\n"


@pytest.mark.parametrize("words", PRINTING)
def test_stdout_may_be_closed(words: str) -> None:
    assert run_with(None, words, "").stderr == ""


# ------------------------------------------------------------------------------------------- run, nvcc


def test_run_passes_arguments_and_exit_code() -> None:
    Path("p.cu").write_text(
        "#include <cstring>\n"
        'int main(int n, char **a) { return n == 3 && !strcmp(a[1], "--x") && !strcmp(a[2], "--") ? 42 : 1; }\n'
    )
    assert cli.main(["run", "p.cu", "-O1", "--", "--x", "--"]) == 42
    assert sorted(os.listdir()) == ["p.cu", "scale.cu"]


def test_run_reports_a_signal(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.cu").write_text("#include <csignal>\n#include <cstdlib>\nint main(int, char **a) { raise(atoi(a[1])); }\n")
    for number, text in ((6, "SIGABRT: Aborted"), (35, "signal 35: Real-time signal 1")):
        assert cli.main(["run", "p.cu", "--", str(number)]) == 128 + number
        assert capsys.readouterr().err == f"simt2simd run: the program was ended by {text}\n"


# Runs a command again and again, and has the terminal's Ctrl-C end it, as both it and this process see it.
INTERRUPTED = """
import os, signal, sys, threading, time
from pathlib import Path
from simt2simd.command import execute
def press():
    time.sleep(0.05)
    os.killpg(0, signal.SIGINT)
codes = []
for _ in range(8):
    threading.Thread(target=press).start()
    codes.append(execute.run_program(Path(sys.argv[1]), sys.argv[2:]))
print(set(codes), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


@pytest.mark.parametrize(
    ("command", "codes"),
    [
        (["sleep", "20"], "{130}"),
        (["sh", "-c", "trap 'exit 0' INT; sleep 20"], "{130}"),
        (["sh", "-c", "trap 'exit 3' INT; sleep 20"], "{3}"),
    ],
)
def test_run_is_never_a_success_after_ctrl_c(command: list[str], codes: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *command],
        cwd=Path(cli.__file__).parent.parent,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=60,
    )
    assert done.stdout == f"{codes} True\n", done.stderr


def test_ctrl_c_ends_an_endless_kernel() -> None:
    Path("endless.cu").write_text(
        "__global__ void k(volatile int *x) { for (int i = 0; x[0] == 0; i++) x[1] = i; }\n"
        'int main() { int *x; cudaMallocManaged(&x, 8); x[0] = 0; puts("ready"); fflush(stdout); k<<<2, 64>>>(x); }\n'
    )
    command = [sys.executable, "-m", "simt2simd", "run", "endless.cu"]
    env = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parent.parent)}
    running = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert running.stdout is not None and running.stdout.readline() == "ready\n"
    time.sleep(0.2)
    os.killpg(running.pid, signal.SIGINT)
    start = time.perf_counter()
    assert running.wait(20) == 130 and time.perf_counter() - start < 1


def test_run_refuses_what_this_cpu_cannot(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(target, "cpu_features", lambda: target.AVX2.required)
    assert cli.main(["run", "scale.cu", "-DFACTOR=2", "--target", "avx512"]) == 1
    assert "this CPU cannot run code for avx512" in capsys.readouterr().err


def test_target_cuda_calls_nvcc(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bin").mkdir()
    nvcc = Path("bin/nvcc")
    nvcc.write_text('#!/bin/sh\necho "$@" > log\nwhile [ "$1" != -o ]; do shift; done\necho made > "$2"\n')
    nvcc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{os.getcwd()}/bin:/usr/bin:/bin")
    monkeypatch.setenv("S2S_CUDA_ARCH", "sm_90")
    assert cli.main("compile scale.cu -o x --target cuda -DFACTOR=2 -fmad=false -O2 -Xcompiler -Wall".split()) == 0
    words = Path("log").read_text().split()
    assert words[0] == "scale.cu" and Path("x").read_text() == "made\n"
    for word in ("-DFACTOR=2", "-fmad=false", "-O2", "-arch=sm_90", "-Xcompiler=-Wall"):
        assert word in words
    nvcc.write_text("#!/bin/sh\necho 'scale.cu(3): error: no' >&2\nexit 2\n")
    assert cli.main("compile scale.cu -o y --target cuda".split()) == 1
    assert capsys.readouterr().err == "scale.cu(3): error: no\n" and not Path("y").exists()


def test_target_cuda_without_nvcc(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def none() -> str:
        raise ToolError("--target cuda needs nvcc, and there is none on this machine")

    monkeypatch.setattr(toolchain, "find_nvcc", none)
    assert "--target cuda needs nvcc" in failure(capsys, "scale.cu", "--target", "cuda")


def test_doctor_finds_what_the_main_job_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor"]) == 0
    text = capsys.readouterr().out
    for what in ("CPU", "C++ compiler", "libmvec", "llvmlite", "runtime", "nvcc", "GPU"):
        assert what in text


@pytest.mark.parametrize(
    ("features", "code", "lines"),
    [
        (
            target.AVX512.required,
            0,
            ["ok CPU .*; --target native is avx512", "ok avx512 kernels for it run here"],
        ),
        (
            target.AVX2.required,
            0,
            [
                "ok CPU .*; --target native is avx2",
                "- avx512 kernels for it do not run here: no avx512bw, avx512cd, avx512dq, avx512f, avx512vl",
            ],
        ),
        (
            target.AVX2.required - {"fma"},
            1,
            ["MISSING CPU .*", "- avx512 .*: no avx512bw, .*, fma", "help: avx2 is the least that .*lacks fma"],
        ),
    ],
)
def test_doctor_says_which_targets_this_cpu_runs(
    features: frozenset[str],
    code: int,
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(target, "cpu_features", lambda: features)
    assert cli.main(["doctor"]) == code
    printed = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in lines:
        assert any(re.fullmatch(line, text) for text in printed), (line, printed)


def test_every_target_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, each in target.TARGETS.items():
        assert job_of(monkeypatch, "x.cu", "--target", name).options.target == each
    assert job_of(monkeypatch, "x.cu", "--target", "cuda").nvcc


def test_doctor_without_a_compiler(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert cli.main(["doctor"]) == 1
    text = capsys.readouterr().out
    assert "MISSING C++ compiler" in text and "help: install g++" in text
    assert text.endswith("kernels can be compiled and run here from Python; programs cannot be compiled\n")


def test_a_cache_that_is_not_used_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    folder.chmod(0o770)
    monkeypatch.setenv("SIMT2SIMD_CACHE_DIR", str(folder))
    why = f"others than you may write to '{folder}'\nhelp: run `chmod go-w '{folder}'`"
    assert cli.main(["compile", "-c", "scale.cu", "-DFACTOR=2"]) == 0
    assert capsys.readouterr().err == f"simt2simd: warning: compiled kernels are not kept: {why}\n"
    assert cli.main(["cache"]) == 0 and f"not used: {why}\n" in capsys.readouterr().out
    cli.main(["doctor"])
    assert f"kernel cache  not used: {why.splitlines()[0]}\n" in capsys.readouterr().out
    with pytest.warns(RuntimeWarning, match="compiled kernels are not kept: others than you may write"):
        RawKernel("__global__ void k() { }", "k").compile()


def test_importing_the_package_is_cheap() -> None:
    code = "import simt2simd, sys; print([m for m in ('numpy', 'llvmlite', 'pycparser', 'cffi') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(cli.__file__).parent.parent
    )
    assert done.stdout == "[]\n", done.stderr


def test_text_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("compile scale.cu -DFACTOR=2 --emit llvm -o -".split()) == 0
    assert "define internal" in capsys.readouterr().out
    assert cli.main("compile scale.cu -DFACTOR=2 --emit object -o -".split()) == 1
    assert "'-o -' prints text" in capsys.readouterr().err
    assert os.listdir() == ["scale.cu"]


def test_file_names_beyond_ascii_compile_where_python_takes_them_for_ascii(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode("ünï".encode())
    folder.mkdir()
    (folder / "p.cu").write_text("__global__ void k(int *a) { a[0] = 1; }\nint main() { k<<<1, 1>>>(nullptr); }\n")
    env = {**os.environ, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "POSIX"}
    command = [sys.executable, "-m", "simt2simd", "compile", "-c", "-o", "p.o", str(folder / "p.cu")]
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")
    assert (tmp_path / "p.o").stat().st_size > 0
