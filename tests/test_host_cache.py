"""What the C++ compiler made of a host part is used again if nothing has changed, and only then."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simt2simd.command import cli, host_cache, toolchain
from simt2simd.python.cache import default_cache

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


def test_an_unchanged_file_is_not_compiled_again(host_compilations: list[str]) -> None:
    assert printed() == "1 1\n"
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


def test_scripts_that_call_a_compiler_compile_always(host_compilations: list[str]) -> None:
    """What a script does may depend on any file."""
    compiler = Path("compiler")
    compiler.write_text('#!/bin/sh\nexec c++ $(cat flags) "$@"\n')
    compiler.chmod(0o755)
    write("program.cu", PROGRAM.replace('printf("%d %d\\n"', "printf(FORMAT").replace("= NUMBER", "= 1"))
    write("program.cu", Path("program.cu").read_text().replace("FORMAT", '__builtin_expect(1, 1) ? "%d %d\\n" : ""'))
    for flag in ("-O0", "-O1"):
        write("flags", flag)
        assert printed("-ccbin", "./compiler") == "1 1\n"
    assert len(host_compilations) == 2


def test_another_assembler_compiles_again(monkeypatch: pytest.MonkeyPatch, host_compilations: list[str]) -> None:
    """The compiler finds its assembler on the path."""
    assert printed() == "1 1\n"
    for kind, count in (("ELF", 2), ("script", 4)):
        Path("tools").mkdir(exist_ok=True)
        Path("tools/as").unlink(missing_ok=True)
        assembler = shutil.which("as")
        assert assembler is not None
        if kind == "ELF":
            shutil.copy(assembler, "tools/as")
        else:
            Path("tools/as").write_text(f'#!/bin/sh\nexec {assembler} "$@"\n')
            Path("tools/as").chmod(0o755)
        with monkeypatch.context() as context:
            context.setenv("PATH", f"{Path('tools').absolute()}:{os.environ['PATH']}")
            assert [printed(), printed()] == ["1 1\n", "1 1\n"]
        assert len(host_compilations) == count


ASM = [
    r'asm(".pushsection .rodata\n.incbin \"own/number.h\"\n.popsection");',
    r'asm(".include \"own/empty.s\"");',
    r'asm(".inc" "lude \"own/empty.s\"");',
    r'asm("\x2einclude \"own/empty.s\"");',
    'asm(R"(.include "own/empty.s")");',
    r'__attribute__((section(".text.k\n.include \"own/empty.s\"#"))) void f() {}',
]


@pytest.mark.parametrize("line", ASM)
def test_assembly_that_may_read_files_is_not_kept(line: str, host_compilations: list[str]) -> None:
    write("own/empty.s", "# nothing\n")
    write("own/number.h", f"#define NUMBER 1\n#ifndef __CUDA_ARCH__\n{line}\n#endif\n")
    assert [printed(), printed()] == ["1 1\n", "1 1\n"]
    assert len(host_compilations) == 2


def test_assembly_of_instructions_and_names_is_kept(host_compilations: list[str]) -> None:
    lines = 'asm("# none\\n\\tnop");\nextern int named __asm__("" "other_name");'
    write("own/number.h", f"#define NUMBER 1\n#ifndef __CUDA_ARCH__\n{lines}\n#endif\n")
    assert [printed(), printed()] == ["1 1\n", "1 1\n"]
    assert len(host_compilations) == 1


def test_a_header_that_was_included_before_is_found_elsewhere_later() -> None:
    """The second `#include` of a guarded header leaves nothing in the text."""
    host_only("A + B", '#include "x/a.h"\n#include "y/b.h"')
    write("inc/common.h", "#pragma once\n#define A 1\n#define B 1\n")
    write("x/a.h", '#include "common.h"\n')
    write("y/b.h", '#include "common.h"\n')
    assert printed("-I", "inc", "-I", ".") == "1 2\n"
    write("y/common.h", "#undef B\n#define B 5\n")
    assert printed("-I", "inc", "-I", ".") == "1 6\n"


def host_only(number: str, lines: str) -> None:
    """Write a program whose host code prints `number`, which `lines` define for host code alone."""
    text = PROGRAM.replace("NUMBER)", f"{number})")
    write("program.cu", f"#ifndef __CUDA_ARCH__\n{lines}\n#endif\n{text}")


def test_a_folder_that_is_a_link_to_another_one_that_is_searched() -> None:
    """The compiler leaves such a folder out, until the link leads elsewhere."""
    write("real/more.h", "#define MORE 1\n")
    write("elsewhere/more.h", "#define MORE 2\n")
    Path("link").symlink_to("own")
    host_only("MORE", "#include <more.h>")
    words = ("-I", "own", "-I", "link", "-I", "real")
    assert printed(*words) == "1 1\n"
    Path("link").unlink()
    Path("link").symlink_to("elsewhere")
    assert printed(*words) == "1 2\n"


@pytest.mark.parametrize("before", ["file", "nothing"])
def test_a_folder_that_was_none(before: str) -> None:
    write("real/more.h", "#define MORE 1\n")
    host_only("MORE", "#include <more.h>")
    if before == "file":
        write("first", "no folder")
    assert printed("-I", "first", "-I", "real") == "1 1\n"
    Path("first").unlink(missing_ok=True)
    write("first/more.h", "#define MORE 2\n")
    assert printed("-I", "first", "-I", "real") == "1 2\n"


def test_a_file_that_is_replaced_by_one_of_the_same_size_and_time() -> None:
    assert printed() == "1 1\n"
    write("other.h", "#define NUMBER 2\n")
    shutil.copystat("own/number.h", "other.h")
    os.replace("other.h", "own/number.h")
    assert printed() == "2 2\n"


def test_a_file_that_changes_while_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was made belongs to the text that was read, whatever is in the file by then."""
    compile_text = toolchain.Toolchain.compile_text

    def and_changes(self: toolchain.Toolchain, text: str, output: Path, flags: toolchain.HostFlags) -> str:
        write("own/number.h", "#define NUMBER 2\n")
        return compile_text(self, text, output, flags)

    with monkeypatch.context() as context:
        context.setattr(toolchain.Toolchain, "compile_text", and_changes)
        assert printed().endswith(" 1\n")
    assert printed() == "2 2\n"
    write("own/number.h", "#define NUMBER 1\n")
    assert printed() == "1 1\n"


def test_text_that_looks_like_a_line_marker() -> None:
    host_only("MORE", '#include "x/more.h"')
    write("x/more.h", 'const char *raw = R"(\n# 1 "program.cu" 2\n)";\n#include "deep.h"\n')
    write("y/deep.h", "#define MORE 1\n")
    assert printed("-I", "y") == "1 1\n"
    write("x/deep.h", "#define MORE 2\n")
    assert printed("-I", "y") == "1 2\n"


@pytest.mark.parametrize(
    ("line", "variable", "values"),
    [
        ("__DATE__[9] - '0'", "SOURCE_DATE_EPOCH", ("0", "1000000000")),
        ("MORE", "CPATH", ("one", "two")),
        ("MORE", "CPLUS_INCLUDE_PATH", ("one", "two")),
    ],
)
def test_variables_make_a_difference(
    line: str, variable: str, values: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write("one/more.h", "#define MORE 7\n")
    write("two/more.h", "#define MORE 0\n")
    host_only(line, "#include <more.h>" if line == "MORE" else "")
    for value, expected in zip(values, (7, 0), strict=True):
        monkeypatch.setenv(variable, value)
        assert printed() == f"1 {expected}\n"


def test_debug_information_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two names of one folder: the compiler goes by $PWD."""
    (tmp_path / "alias").symlink_to(".")
    for name in (str(tmp_path), str(tmp_path / "alias")):
        monkeypatch.setenv("PWD", name)
        assert cli.main(["compile", "-c", "-g", "program.cu", "-o", "program.o"]) == 0
        info = subprocess.run(["readelf", "--debug-dump=info", "program.o"], capture_output=True, text=True, check=True)
        assert re.search(rf"DW_AT_comp_dir.*: {re.escape(name)}$", info.stdout, re.MULTILINE)


def test_warnings_quote_headers_as_they_are(capfd: pytest.CaptureFixture[str]) -> None:
    for comment in ("before", "after"):
        line = f"static inline void f() {{ int never; }} // {comment}"
        write("own/number.h", f"#define NUMBER 1\n#ifndef __CUDA_ARCH__\n{line}\n#endif\n")
        assert cli.main(["compile", "-c", "program.cu", "-o", "program.o", "-Xcompiler", "-Wall"]) == 0
        assert comment in capfd.readouterr().err


@pytest.mark.parametrize("flag", ["--coverage", "-fprofile-arcs", "-save-temps", "-fstack-usage"])
def test_flags_that_do_more_are_not_kept(flag: str, host_compilations: list[str]) -> None:
    for _ in range(2):
        assert cli.main(["compile", "-c", "program.cu", "-o", "program.o", "-Xcompiler", flag]) == 0
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


def test_device_code_finds_headers_where_variables_say(monkeypatch: pytest.MonkeyPatch) -> None:
    write("first/one.h", "#define ONE 1\n")
    write("second/two.h", "#define TWO 2\n")
    text = PROGRAM.replace("= NUMBER", "= ONE + TWO")
    write("program.cu", f'#include "one.h"\n#include <two.h>\n{text}')
    monkeypatch.setenv("CPATH", "nowhere:first")
    monkeypatch.setenv("CPLUS_INCLUDE_PATH", "second")
    assert printed() == "3 1\n"


def test_a_name_with_a_line_break_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    write("pro\ngram.cu", PROGRAM)
    assert cli.main(["compile", "pro\ngram.cu", "-o", "program"]) == 1
    assert r"'pro\ngram.cu': the name of a file must not have a line break" in capsys.readouterr().err
