"""What the C++ compiler made of a host part is used again if nothing has changed, and only then."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simt2simd.command import cli, host_cache, toolchain
from simt2simd.python.cache import Entry, default_cache

PROGRAM = r"""
#include <cstdio>
#include "own/number.h"

__global__ void k(int *out) { out[threadIdx.x] = NUMBER; }

int main() {
    int *out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    k<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[31], NUMBER);
}
"""
INSTANCES = r"""
#include <cstdio>
template <typename T, int N> __global__ void k(T *out) { out[threadIdx.x] = N; }
template <typename F> __global__ void apply(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }
int main() {
    int *out, three = 3;
    cudaMallocManaged(&out, 32 * sizeof(int));
    k<int, 7><<<1, 32>>>(out);
    cudaDeviceSynchronize();
    int seven = out[31];
    apply<<<1, 32>>>(out, [=] __device__(int i) { return i * three; });
    cudaDeviceSynchronize();
    printf("%d %d\n", seven, out[31]);
}
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMT2SIMD_CACHE_DIR", str(tmp_path / "cache"))
    write("program.cu", PROGRAM)
    write("own/number.h", "#define NUMBER 1\n")


@pytest.fixture
def host_compilations(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield the texts that the C++ compiler is given to compile."""
    texts: list[str] = []
    compile_text = toolchain.Toolchain.compile_text

    def noted(self: toolchain.Toolchain, text: str, output: Path, flags: toolchain.HostFlags) -> str:
        texts.append(text)
        return compile_text(self, text, output, flags)

    monkeypatch.setattr(toolchain.Toolchain, "compile_text", noted)
    yield texts


def write(name: str, text: str) -> None:
    """Write a file as if that had been some seconds ago: what changes while it is compiled is not kept."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (time.time() - 5, time.time() - 5))


def printed(*words: str, file: str = "program.cu") -> str:
    assert cli.main(["compile", file, "-o", "program", *words]) == 0
    done = subprocess.run(["./program"], capture_output=True, text=True, check=True)
    return done.stdout


def test_an_unchanged_file_is_not_compiled_again(host_compilations: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed() == "1 1\n"
    monkeypatch.setattr(toolchain.Toolchain, "preprocess", lambda *_, **__: pytest.fail("the preprocessor runs"))
    assert printed() == "1 1\n"
    assert len(host_compilations) == 1


def test_forms_of_kernels_and_lambdas_are_found_again(host_compilations: list[str]) -> None:
    write("program.cu", INSTANCES)
    assert printed() == "7 93\n"
    assert printed() == "7 93\n"
    assert len(host_compilations) == 1


def change_the_file() -> None:
    write("program.cu", PROGRAM.replace("NUMBER)", "NUMBER + 5)"))


CHANGES: list[tuple[Callable[[], None], str]] = [
    (change_the_file, "1 6\n"),
    (lambda: write("own/number.h", "#define NUMBER 2\n"), "2 2\n"),
    (lambda: write("first/own/number.h", "#define NUMBER 3\n"), "1 1\n"),  # beside the file comes before any -I
]


@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_what_has_changed_is_compiled_again(change: Callable[[], None], expected: str) -> None:
    assert printed("-I", "first") == "1 1\n"
    change()
    assert printed("-I", "first") == expected


def test_a_header_that_appears_in_an_earlier_folder_is_read(host_compilations: list[str]) -> None:
    write("source/program.cu", PROGRAM.replace("own/", ""))
    words = ("-I", "first", "-I", "own")
    assert printed(*words, file="source/program.cu") == "1 1\n"
    write("first/number.h", "#define NUMBER 2\n")
    assert printed(*words, file="source/program.cu") == "2 2\n"
    write("source/number.h", "#define NUMBER 3\n")
    assert printed(*words, file="source/program.cu") == "3 3\n"
    assert printed(*words, file="source/program.cu") == "3 3\n"
    assert len(host_compilations) == 3


def test_a_header_that_hides_one_of_the_system_is_read() -> None:
    words = ("-I", "first")
    assert printed(*words) == "1 1\n"
    mine = '#include_next <cstdio>\n#define printf(...) puts("mine")'
    write("first/cstdio", f"#ifndef __CUDA_ARCH__\n{mine}\n#endif\n")
    assert printed(*words) == "mine\n"


def test_a_header_that_the_system_asks_for_makes_a_difference_when_it_appears(host_compilations: list[str]) -> None:
    """Headers of a C++ library ask whether there are others, and are content without."""
    assert printed("-I", "first") == "1 1\n"
    entries = [entry for entry in map(read_entry, default_cache().entries()) if entry is not None]
    assert len(entries) == 1
    texts = [Path(path).read_bytes() for path in entries[0].read if path.startswith("/usr/")]
    names = {name.decode() for text in texts for name in host_cache._ASKED_FOR.findall(text)}
    assert names and {f"first/{name}" for name in names} <= set(entries[0].missing)
    write("first/cstdio", "#ifndef __CUDA_ARCH__\n#include_next <cstdio>\n#endif\n")
    assert printed("-I", "first") == "1 1\n"
    assert len(host_compilations) == 2


def read_entry(entry: Entry) -> host_cache._Entry | None:
    held = default_cache().get(entry.path.stem)
    found = pickle.loads(held) if held is not None else None
    return found if isinstance(found, host_cache._Entry) else None


def test_a_precompiled_header_that_appears_is_read(host_compilations: list[str]) -> None:
    assert printed() == "1 1\n"
    write("own/number.h.gch", "none that the compiler could use")
    assert printed() == "1 1\n"
    assert printed() == "1 1\n"
    assert len(host_compilations) == 3


def test_what_the_command_says_makes_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    write("program.cu", PROGRAM.replace("NUMBER)", "NUMBER + MORE)"))
    assert printed("-DMORE=1") == "1 2\n"
    assert printed("-DMORE=2") == "1 3\n"
    write("elsewhere/more.h", "#define MORE 10\n")
    write(
        "program.cu",
        '#ifndef __CUDA_ARCH__\n#include "more.h"\n#endif\n' + PROGRAM.replace("NUMBER)", "NUMBER + MORE)"),
    )
    for name, expected in (("elsewhere", "1 11\n"), ("other", "1 21\n")):
        write("other/more.h", "#define MORE 20\n")
        monkeypatch.setenv("CPATH", name)
        assert printed() == expected


def test_another_compiler_compiles_again(host_compilations: list[str]) -> None:
    compiler = Path("compiler")
    for number in range(2):
        compiler.write_text(f'#!/bin/sh\n# {number}\nexec c++ -DMORE={number} "$@"\n')
        compiler.chmod(0o755)
        write("program.cu", PROGRAM.replace("NUMBER)", "NUMBER + MORE)").replace("= NUMBER", "= 1"))
        for _ in range(2):
            assert printed("-ccbin", "./compiler") == f"1 {number + 1}\n"
    assert len(host_compilations) == 2


@pytest.mark.parametrize(
    "line",
    [
        "const char *when = __DATE__ __TIME__;",
        '#if __has_include("own/other.h")\n#include "own/other.h"\n#endif',
        'asm(".pushsection .rodata\\n.incbin \\"own/number.h\\"\\n.popsection");',
    ],
)
def test_what_depends_on_more_is_not_kept(line: str, host_compilations: list[str]) -> None:
    write("own/number.h", f"#define NUMBER 1\n#ifndef __SIMT2SIMD__\n{line}\n#endif\n")
    assert [printed(), printed()] == ["1 1\n", "1 1\n"]
    assert len(host_compilations) == 2


@pytest.mark.parametrize("flag", ["--coverage", "-fprofile-arcs", "-save-temps", "-fstack-usage", "-DNOW=__TIME__"])
def test_flags_that_do_more_are_not_kept(flag: str, host_compilations: list[str]) -> None:
    words = [flag] if flag.startswith("-D") else ["-Xcompiler", flag]
    for _ in range(2):
        assert cli.main(["compile", "-c", "program.cu", "-o", "program.o", *words]) == 0
    assert len(host_compilations) == 2


@pytest.mark.parametrize("flag", ["-O3", "-Wall", "-march=native", "-fno-exceptions", "-g", "-fPIC", "-fopenmp"])
def test_usual_flags_are(flag: str, host_compilations: list[str]) -> None:
    for _ in range(2):
        assert cli.main(["compile", "-c", "program.cu", "-o", "program.o", "-Xcompiler", flag]) == 0
    assert len(host_compilations) == 1


@pytest.mark.parametrize("flag", ["-O2", "-g", "-lineinfo"])
def test_names_that_are_no_utf8(flag: str) -> None:
    name = os.fsdecode(b"prog\xff ram")
    write(f"{name}.cu", PROGRAM)
    assert [printed(flag, file=f"{name}.cu") for _ in range(2)] == ["1 1\n", "1 1\n"]


def test_a_file_that_changes_while_it_is_compiled_is_not_kept(host_compilations: list[str]) -> None:
    os.utime("own/number.h")
    assert [printed(), printed()] == ["1 1\n", "1 1\n"]
    assert len(host_compilations) == 2


def test_warnings_and_rules_come_again(capfd: pytest.CaptureFixture[str]) -> None:
    write("program.cu", PROGRAM.replace("int main() {", "int main() {\n    int never;"))
    seen = []
    for _ in range(2):
        assert cli.main(["nvcc", "-c", "program.cu", "-o", "program.o", "-MD", "-Xcompiler", "-Wall"]) == 0
        seen.append((capfd.readouterr().err, Path("program.d").read_text()))
        Path("program.d").unlink()
    assert seen[0] == seen[1]
    assert re.search(r"^program.cu:8:9: warning: unused variable .never", seen[0][0], re.MULTILINE)
    assert seen[0][1].startswith("program.o: ") and "own/number.h" in seen[0][1]


def test_faults_come_again(capsys: pytest.CaptureFixture[str]) -> None:
    write("program.cu", PROGRAM.replace("int *out;", "int *out = nowhere;"))
    said = []
    for _ in range(2):
        assert cli.main(["compile", "program.cu", "-o", "program"]) == 1
        said.append(capsys.readouterr().err)
    assert "nowhere" in said[0] and said[0] == said[1]


def test_a_damaged_entry_counts_as_missing(host_compilations: list[str]) -> None:
    assert printed() == "1 1\n"
    for entry in default_cache().entries():
        entry.path.write_bytes(entry.path.read_bytes()[:-1] + b"?")
    assert printed() == "1 1\n"
    assert len(host_compilations) == 2


def test_an_entry_of_something_else_counts_as_missing(host_compilations: list[str]) -> None:
    cache = default_cache()
    for content in (b"no pickle", b"\x80\x04N.", b"\x80\x04cnowhere\nNothing\n."):
        cache.put("key", content)
        assert host_cache.kept(cache, "key") is None


def test_without_a_cache_everything_is_compiled(monkeypatch: pytest.MonkeyPatch, host_compilations: list[str]) -> None:
    monkeypatch.setenv("SIMT2SIMD_CACHE_SIZE", "0")
    assert [printed(), printed()] == ["1 1\n", "1 1\n"]
    assert len(host_compilations) == 2


def test_files_that_are_linked_together(host_compilations: list[str]) -> None:
    write("other.cu", "__device__ int twice(int x) { return 2 * x; }\n")
    write(
        "program.cu",
        PROGRAM.replace("__global__", "extern __device__ int twice(int);\n__global__").replace(
            "= NUMBER", "= twice(4)"
        ),
    )
    for _ in range(2):
        assert cli.main(["compile", "-rdc=true", "program.cu", "other.cu", "-o", "program"]) == 0
        assert subprocess.run(["./program"], capture_output=True, text=True, check=True).stdout == "8 1\n"
    assert len(host_compilations) == 2


def test_the_compiler_is_not_loaded_for_what_is_kept() -> None:
    """Modules that take long to load: NumPy, LLVM, the front end, the split of host code."""
    heavy = ("numpy", "llvmlite", "pycparser", "simt2simd.pipeline", "simt2simd.tree.nodes", "simt2simd.host.split")
    text = f"""
import sys
from simt2simd.command.cli import main
code = main(["compile", "program.cu", "-o", "program"])
print(code, [name for name in {heavy} if name in sys.modules])
"""
    runs = [subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True) for _ in range(2)]
    assert "llvmlite" in runs[0].stdout and "split" in runs[0].stdout
    assert runs[1].stdout == "0 []\n"
