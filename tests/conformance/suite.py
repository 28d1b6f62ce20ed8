"""The programs of this folder, the features that they show, and how one is built and run.

A program is a file, or a folder whose files are compiled together. Its first line names its features; a second line
may name flags that its compilers need. It prints PASS and ends with 0, or prints FAIL and ends with 1.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
README = FOLDER / "README.md"

# Every feature that a program may name, by groups.
FEATURES = {
    "names": "overloading default-arguments namespaces enums using-aliases typedef-struct tags adl-operators",
    "types": "references const-array-references rvalue-references unions bit-fields nested-structs local-types "
    "pointers-to-pointers pointers-to-arrays vector-types alignment dim3 cstdint half bf16 string-literals nullptr "
    "function-pointers",
    "classes": "constructors deleted-functions destructors methods static-members operators conversion-operators "
    "inheritance virtual functors lambdas extended-lambdas friend access",
    "templates": "function-templates class-templates variable-templates alias-templates value-parameters "
    "template-template packs deduction specialisation partial-specialisation if-constexpr decltype auto static-assert "
    "constexpr type-traits numeric-limits std-utilities cuda-std sfinae",
    "several files": "rdc",
    "kernel templates": "kernel-templates launch-in-template explicit-instantiation kernel-address",
    "statements": "goto range-for condition-declarations switch-initialiser structured-bindings new-delete "
    "placement-new device-malloc memcpy-memset asm",
    "memory": "dynamic-shared constant-variables device-variables memcpy-symbol symbol-address managed volatile "
    "load-store-hints assume grid-constant generic-pointers",
    "output": "printf assert trap clock",
}

COMPILE_SECONDS, RUN_SECONDS = 120.0, 60.0


@dataclass(frozen=True)
class Program:
    """A program: its name, the files to compile, its features, and flags for the compiler."""

    name: str
    files: tuple[Path, ...]
    features: tuple[str, ...]
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What came of a program. `result` is PASS, FAIL, or says what happened instead; `output` has the details."""

    program: Program
    compiled: bool
    ran: bool
    result: str
    compile_seconds: float
    run_seconds: float
    output: str

    @property
    def passed(self) -> bool:
        return self.result == "PASS"


def programs() -> list[Program]:
    alone = [(path.stem, (path,)) for path in FOLDER.glob("*.cu")]
    together = [(path.parent.name, tuple(sorted(path.parent.glob("*.cu")))) for path in FOLDER.glob("*/main.cu")]
    return [_program(name, files) for name, files in sorted(alone + together)]


def _program(name: str, files: tuple[Path, ...]) -> Program:
    main = next((path for path in files if path.name == "main.cu"), files[0])
    first, second = main.read_text().split("\n", 2)[:2]
    features, flags = re.fullmatch(r"// features: (.+)", first), re.fullmatch(r"// flags: (.+)", second)
    if features is None:
        raise ValueError(f"{main}: the first line does not name the program's features")
    return Program(name, files, tuple(features[1].split()), tuple(flags[1].split()) if flags else ())


def selected(names: Sequence[str]) -> list[Program]:
    """Return the programs whose name or one of whose features is among `names`; all, if there are none."""
    known = {feature for group in FEATURES.values() for feature in group.split()}
    known |= {program.name for program in programs()}
    for name in names:
        if name not in known:
            raise ValueError(f"there is no program and no feature '{name}'")
    return [p for p in programs() if not names or p.name in names or set(p.features) & set(names)]


def with_simt2simd(target: str | None = None, options: Sequence[str] = ()) -> list[str]:
    """Return the command that compiles with this package."""
    return [sys.executable, "-m", "simt2simd", "compile", *([f"--target={target}"] if target else []), *options]


def with_nvcc() -> list[str]:
    """Return the command that compiles for this machine's GPU; `std::max` and the like need the last flag there."""
    return ["nvcc", "-std=c++17", "-arch=native", "--expt-relaxed-constexpr", "-rdc=true"]


def run(program: Program, compiler: Sequence[str], folder: Path) -> Outcome:
    """Compile a program into `folder` and run it."""
    executable = folder / program.name
    began = time.perf_counter()
    # Assertions and messages name the file as the command line does.
    files = [os.path.relpath(path, FOLDER) for path in program.files]
    built = _call([*compiler, *files, "-o", str(executable), *program.flags], COMPILE_SECONDS, FOLDER)
    compile_seconds = time.perf_counter() - began
    if built.returncode != 0 or not executable.exists():
        return Outcome(program, False, False, _refusal(built), compile_seconds, 0.0, built.stdout)
    began = time.perf_counter()
    done = _call([str(executable)], RUN_SECONDS, folder)
    run_seconds = time.perf_counter() - began
    return Outcome(program, True, done.returncode in (0, 1), _verdict(done), compile_seconds, run_seconds, done.stdout)


def _call(command: Sequence[str], seconds: float, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a session of its own, which a timeout ends as a whole; its exit code is 124 then."""
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True, env=os.environ | {"PYTHONPATH": str(FOLDER.parent.parent)},
    ) as process:  # fmt: skip
        try:
            output, code = process.communicate(timeout=seconds)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, code = process.communicate()[0], 124
    return subprocess.CompletedProcess(command, code, output.decode(errors="replace"))


def _refusal(built: subprocess.CompletedProcess[str]) -> str:
    """Return the first error of a compiler, without its place."""
    if built.returncode == 124:
        return "the compiler did not finish"
    found = re.search(r"(?:fatal )?error: (.*)", built.stdout)
    return "refused: " + (found[1] if found else f"exit code {built.returncode}")


def _verdict(done: subprocess.CompletedProcess[str]) -> str:
    """Return the verdict. A program that passes says so in its last line and says nothing of a failure."""
    if done.returncode == 124:
        return "not finished"
    if done.returncode < 0:
        return f"ended by {signal.Signals(-done.returncode).name}"
    lines = done.stdout.splitlines()
    if done.returncode == 0 and lines and lines[-1] == "PASS" and not any(line.startswith("FAIL") for line in lines):
        return "PASS"
    first = next((line for line in lines if line.startswith("FAIL")), None)
    return first if first is not None else f"FAIL: exit code {done.returncode} without a verdict"


def matrix() -> str:
    """Return the table of features and the programs that show them, as README.md has it."""
    lines = ["| feature | programs |", "| --- | --- |"]
    for group, features in FEATURES.items():
        lines.append(f"| **{group}** | |")
        for feature in features.split():
            shown = ", ".join(f"`{program.name}`" for program in programs() if feature in program.features)
            lines.append(f"| {feature} | {shown} |")
    return "\n".join(lines) + "\n"
