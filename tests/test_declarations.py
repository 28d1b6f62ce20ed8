"""What nvcc takes of declarations, both halves of the compiler take: the texts are in declarations.txt."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from host_programs import FLAGS, compile_host

TABLE = Path(__file__).with_name("declarations.txt")

HEAD = """#include <cstdio>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <concepts>
#endif
#define HD __host__ __device__
#define DEFINE_BOTH(name, op) HD inline int name(int a, int b) { return a op b; }
#define DEFINE_DEVICE(type, name, ...) __device__ __forceinline__ type name(__VA_ARGS__)
#define DEFINE_KERNEL(name, T) __global__ void name(T *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = n; }
#define HEAD(name) name(int x)
#define OPERATOR(op) HD friend S operator op(S a, S b) { return {a.k op b.k}; }
#define API __attribute__((visibility("default"))) HD
#define BEGIN namespace inside {
#define END }
"""


class Text(NamedTuple):
    """`declared`, and `used`, an expression of type int. `on_host`: the host can compute it too."""

    declared: str
    used: str
    on_host: bool
    refused: bool


def read_table() -> dict[str, list[Text]]:
    """Return the texts by the names of their groups."""
    groups: dict[str, list[Text]] = {}
    texts: list[Text] = []
    for line in TABLE.read_text().splitlines():
        if heading := re.fullmatch(r"\[([\w ]+)\]", line):
            texts = groups.setdefault(heading[1], [])
        elif line and not line.startswith("#"):
            declared, _, used = line.rpartition(" => ")
            refused = declared.startswith("refused: ")
            on_host = not used.startswith("device:")
            expression = "0" if used == "none" else used.removeprefix("device:")
            texts.append(Text(declared.removeprefix("refused: "), expression, on_host, refused))
    return groups


GROUPS = read_table()


def program(texts: list[Text]) -> str:
    """Return a program whose kernel computes all that the texts use, and whose host compares it where it can.

    Each text is on a line of its own.
    """
    spaces, kernel, checks = [], [], []
    for number, text in enumerate(texts):
        sides = "HD" if text.on_host else "__device__"
        used = f"{sides} int used() {{ return {text.used}; }}"
        spaces.append(f"namespace n{number} {{ {text.declared} {used} }}")
        kernel.append(f"out[{number}] = n{number}::used();")
        if text.on_host:
            checks.append(f'if (out[{number}] != n{number}::used()) printf("{number} "), wrong++;')
    return "\n".join(
        [
            HEAD + "\n".join(spaces),
            f"__global__ void all(int *out) {{ {' '.join(kernel)} }}",
            f"int main() {{ int *out, wrong = 0; cudaMallocManaged(&out, {4 * len(texts)});",
            "all<<<1, 1>>>(out); if (cudaDeviceSynchronize()) return 2;",
            *checks,
            "return wrong != 0; }\n",
        ]
    )


def explained(printed: str, texts: list[Text]) -> str:
    """Return messages of a compiler, each with the text that it is about."""
    first = HEAD.count("\n") + 1
    found = []
    for message in re.finditer(r"\.cu[:(](\d+)\b.*error.*", printed):
        number = int(message[1]) - first
        found.append(f"{message[0]}\n    {texts[number].declared if 0 <= number < len(texts) else ''}")
    return "\n".join(found) or printed


def standard(group: str) -> str:
    return "c++20" if group == "cxx20" else "c++17"


@pytest.mark.parametrize("group", GROUPS)
def test_both_halves_take_them(group: str, tmp_path: Path) -> None:
    texts = [text for text in GROUPS[group] if not text.refused]
    file = tmp_path / "t.cu"
    file.write_text(program(texts))
    command = [
        sys.executable,
        "-m",
        "simt2simd",
        "nvcc",
        f"-std={standard(group)}",
        str(file),
        "-o",
        str(tmp_path / "t"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, explained(done.stdout + done.stderr, texts)
    ran = subprocess.run([str(tmp_path / "t")], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, ""), [texts[int(i)].declared for i in ran.stdout.split()]


@pytest.mark.parametrize("group", [name for name, texts in GROUPS.items() if any(text.refused for text in texts)])
def test_the_host_half_takes_what_the_device_part_refuses(group: str, tmp_path: Path) -> None:
    texts = [text for text in GROUPS[group] if text.refused]
    compile_host(tmp_path, program(texts), replace(FLAGS, standard=standard(group), compile_args=("-w",)))


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
@pytest.mark.parametrize("group", GROUPS)
def test_nvcc_takes_them(group: str, tmp_path: Path) -> None:
    file = tmp_path / "t.cu"
    file.write_text(program(GROUPS[group]))
    command = [
        "nvcc",
        "-w",
        "--extended-lambda",
        f"-std={standard(group)}",
        "-c",
        str(file),
        "-o",
        str(tmp_path / "t.o"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, explained(done.stdout + done.stderr, GROUPS[group])
