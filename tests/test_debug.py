"""Debug information of kernels: lines and variables, in files and in gdb itself."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PROGRAM = """\
#include <cstdio>
struct Pair { float x; int n; };
__device__ float more(float v) {
    float w = v * 2;
    return w + 1;
}
__global__ void k(float *out, const float *in, int n) {
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool odd = i % 2;
    double own[3];
    for (int j = 0; j < 3; j++) own[(j + i) % 3] = i + j;
    Pair p = {in[i], i};
    float sum = 0;
    for (int j = 0; j < i % 5; j++)
        sum += more(in[j]) * p.x;
    tile[threadIdx.x] = sum + odd;
    __syncthreads();
    if (i < n)
        out[i] = tile[63 - threadIdx.x] + p.n + own[i % 3];
}
int main() {
    float *x, *y;
    cudaMallocManaged(&x, 512);
    cudaMallocManaged(&y, 512);
    for (int i = 0; i < 128; i++) x[i] = i;
    k<<<2, 64>>>(y, x, 100);
    cudaDeviceSynchronize();
    printf("%g\\n", y[3]);
}
"""
END_OF_SUM = 17  # the line behind the loop


def simt2simd(*words: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-m", "simt2simd", *words], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def built(folder: Path, *options: str) -> Path:
    (folder / "program.cu").write_text(PROGRAM)
    simt2simd("compile", *options, "program.cu", "-o", "program", cwd=folder)
    return folder / "program"


def lines_of_kernels(program: Path, folder: Path) -> set[int]:
    """Return the lines of device code for which the program has machine code."""
    table = subprocess.run(
        ["objdump", "--dwarf=decodedline", str(program)], capture_output=True, text=True, check=True, cwd=folder
    )
    rows = re.findall(r"^program\.cu +(\d+) +0x", table.stdout, re.MULTILINE)
    return {int(line) for line in rows if int(line) <= 21}


@pytest.mark.parametrize("option", ["-g", "-G", "-lineinfo"])
def test_kernels_have_lines(tmp_path: Path, option: str) -> None:
    assert lines_of_kernels(built(tmp_path, option), tmp_path) >= {9, 16, 20}


def test_without_an_option_kernels_have_none(tmp_path: Path) -> None:
    program = built(tmp_path)
    assert lines_of_kernels(program, tmp_path) == set()


@pytest.mark.slow
@pytest.mark.parametrize("option", ["-g", "-G", "-lineinfo"])
def test_results_stay(tmp_path: Path, option: str) -> None:
    expected = subprocess.run([str(built(tmp_path))], capture_output=True, text=True, check=True).stdout
    again = subprocess.run([str(built(tmp_path, option))], capture_output=True, text=True, check=True).stdout
    assert again == expected != ""


def test_line_tables_alone_change_no_instruction(tmp_path: Path) -> None:
    (tmp_path / "program.cu").write_text(PROGRAM)
    texts = []
    for option in ([], ["-lineinfo"]):
        simt2simd("compile", *option, "--emit", "assembly", "program.cu", "-o", "program.s", cwd=tmp_path)
        texts.append((tmp_path / "program.s").read_text())
    assert instructions(texts[0]) == instructions(texts[1]) != []


def instructions(assembly: str) -> list[str]:
    """Return the names of the instructions, in their order."""
    return re.findall(r"^\t([a-z]\w*)", assembly, re.MULTILINE)


# ------------------------------------------------------------------------------------------------ in gdb


@cache
def obstacle() -> str:
    """Return why gdb cannot run programs here; nothing if it can."""
    gdb = shutil.which("gdb")
    if gdb is None:
        return "there is no gdb"
    done = subprocess.run([gdb, "-q", "-batch", "-ex", "run", "/bin/true"], capture_output=True, text=True)
    return "" if "exited normally" in done.stdout else f"gdb cannot run a program: {done.stderr.strip()}"


def in_gdb(program: Path, *commands: str) -> str:
    if obstacle():
        pytest.skip(obstacle())
    first = ("set pagination off", "set breakpoint pending on", f"break program.cu:{END_OF_SUM}", "run")
    words = [word for command in (*first, *commands) for word in ("-ex", command)]
    done = subprocess.run(
        [sys.executable, "-m", "simt2simd", "gdb", "-batch", *words, "--", str(program)],
        cwd=program.parent, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_a_thread_is_shown(tmp_path: Path) -> None:
    said = in_gdb(
        built(tmp_path, "-G"),
        "s2s thread 9", "s2s locals", "s2s print own[1]", "s2s print p", "s2s thread 2", "s2s print i", "s2s print odd",
    )  # fmt: skip
    block = re.search(r"block \((\d), 0, 0\), threads \(0, 0, 0\) to \(15, 0, 0\); shown: thread \(9, 0, 0\)", said)
    assert block is not None, said
    i = int(block[1]) * 64 + 9
    total = sum((2.0 * j + 1) * i for j in range(i % 5))
    for line in (f"i = {i}", "odd = true", "n = 100", f"sum = {total:g}", f"p.x = {i}", f"p.n = {i}"):
        assert f"\n{line}\n" in said, said
    own = [0] * 3
    for j in range(3):
        own[(j + i) % 3] = i + j
    assert f"own = {{{own[0]}, {own[1]}, {own[2]}}}" in said and f"\n{own[1]}\n" in said, said
    assert said.rstrip().endswith(f"{i - 7}\nfalse"), said


def test_a_thread_of_another_gang_is_refused(tmp_path: Path) -> None:
    said = in_gdb(built(tmp_path, "-G"), "s2s thread 16")
    assert "this gang has threads (0, 0, 0) to (15, 0, 0)" in said


def test_gdb_stops_in_optimised_kernels(tmp_path: Path) -> None:
    said = in_gdb(built(tmp_path, "-g"), "s2s thread", "s2s print tile[0]", "s2s print n", "backtrace 1")
    assert f"at program.cu:{END_OF_SUM}" in said, said
    assert re.search(r"block \(\d, 0, 0\), threads \(\d+, 0, 0\) to \(\d+, 0, 0\); shown: thread", said), said
    assert re.search(r"^[\d.]+\n100$", said, re.MULTILINE), said


def test_host_frames_are_told_from_kernels(tmp_path: Path) -> None:
    if obstacle():
        pytest.skip(obstacle())
    words = ["-ex", "break main", "-ex", "run", "-ex", "s2s locals"]
    done = subprocess.run(
        [sys.executable, "-m", "simt2simd", "gdb", "-batch", *words, "--", str(built(tmp_path, "-g"))],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert "this is no frame of a kernel that was compiled with -g" in done.stdout + done.stderr
