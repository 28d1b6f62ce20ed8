"""The kernel cache: what is found again and what is not, and that nothing can go wrong with it."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simt2simd import CompileError, RawKernel, pipeline
from simt2simd.command import cli
from simt2simd.diag import ToolError
from simt2simd.options import Options
from simt2simd.python import machine_code
from simt2simd.python.cache import DEFAULT_LIMIT_BYTES, Cache, default_cache
from simt2simd.source import Source
from simt2simd.target import native

CODE = "__global__ void k(int *x) { x[threadIdx.x] += 1; }"
ROOT = Path(__file__).parent.parent


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are compiled from now on."""
    texts: list[str] = []
    compile_device = pipeline.compile_device

    def noting(source: Source, options: Options, **others: Any) -> pipeline.Compiled:
        texts.append(source.text)
        return compile_device(source, options, **others)

    monkeypatch.setattr(pipeline, "compile_device", noting)
    return texts


def compile_(text: str, cache: Cache, name: str = "<code>", options: Options | None = None) -> machine_code.DeviceCode:
    return machine_code.device_code(Source(name, text), options or Options(native()), cache)


# --------------------------------------------------------------------------------------------- entries


def test_what_was_put_is_found(cache: Cache) -> None:
    assert cache.get("a") is None
    cache.put("a", b"one")
    cache.put("b", b"")
    cache.put("a", b"other")
    assert (cache.get("a"), cache.get("b")) == (b"other", b"")


def test_the_folder_is_the_user_s_alone(cache: Cache) -> None:
    cache.put("a", b"one")
    assert cache.folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_may_write_to_is_not_used(cache: Cache) -> None:
    cache.put("a", b"one")
    cache.folder.chmod(0o777)
    assert cache.get("a") is None
    cache.put("b", b"two")
    assert len(cache.entries()) == 1


@pytest.mark.parametrize("kept", [0, 5, 30, 40, 1000])
def test_an_entry_cut_short_is_missing(cache: Cache, kept: int) -> None:
    cache.put("a", bytes(2000))
    (entry,) = cache.entries()
    entry.path.write_bytes(entry.path.read_bytes()[:kept])
    assert cache.get("a") is None
    cache.put("a", b"again")
    assert cache.get("a") == b"again"


@pytest.mark.parametrize("place", [3, 20, 100, -1])
def test_a_damaged_entry_is_missing(cache: Cache, place: int) -> None:
    cache.put("a", bytes(200))
    (entry,) = cache.entries()
    held = bytearray(entry.path.read_bytes())
    held[place] ^= 1
    entry.path.write_bytes(held)
    assert cache.get("a") is None


def test_an_entry_under_another_name_is_missing(cache: Cache) -> None:
    cache.put("a", b"one")
    (entry,) = cache.entries()
    entry.path.rename(entry.path.with_name("b.kernels"))
    assert cache.get("b") is None


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


def make_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, make_loop, make_zeros, make_sparse])
def test_what_is_no_entry_is_missing(cache: Cache, make: Callable[[Path], None]) -> None:
    cache.put("a", b"one")
    path = cache.folder / "b.kernels"
    make(path)
    assert cache.get("b") is None
    cache.put("b", b"two")
    assert cache.get("b") == (None if make == Path.mkdir else b"two")
    assert cache.get("a") == b"one"
    cache.clear()
    assert cache.entries() == []


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit_bytes=10_000)
    for number in range(9):
        cache.put(f"k{number}", bytes(1000))
        os.utime(tmp_path / f"k{number}.kernels", (number, number))
    assert cache.get("k0") is not None  # and so k0 is the one that was used last
    cache.put("new", bytes(1000))
    kept = {entry.path.stem for entry in cache.entries()}
    assert kept == {"new", "k0", "k8", "k7", "k6", "k5", "k4"}
    assert sum(entry.bytes for entry in cache.entries()) <= 10_000


def test_what_is_larger_than_the_limit_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit_bytes=100)
    cache.put("a", bytes(101))
    assert cache.entries() == []


def test_remains_of_killed_processes_are_removed(cache: Cache) -> None:
    cache.put("a", b"one")
    old, new = (cache.folder / f".unfinished-{name}" for name in ("old", "new"))
    for path in (old, new):
        path.write_bytes(b"")
    os.utime(old, (0, 0))
    cache.put("b", b"two")
    assert not old.exists() and new.exists()


def test_nowhere_to_write_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "cache")
    cache.put("a", b"one")
    assert cache.get("a") is None and cache.entries() == []
    cache.clear()


def test_a_full_disk_is_no_error(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    cache.put("a", b"one")
    monkeypatch.setattr(os, "replace", full)
    cache.put("b", b"two")
    assert [path.name for path in cache.folder.iterdir()] == ["a.kernels"]


def test_many_threads_and_processes_share_a_cache(tmp_path: Path) -> None:
    """Each reader finds either nothing or all of an entry, while entries come, are replaced and go."""
    program = f"""
import random
from pathlib import Path
from simt2simd.python.cache import Cache
cache = Cache(Path({str(tmp_path)!r}), limit_bytes=20_000)
for _ in range(300):
    key = f"k{{random.randrange(8)}}"
    held = cache.get(key)
    assert held is None or (len(held) >= 1000 and held == held[:1] * len(held)), key
    cache.put(key, bytes([random.randrange(256)]) * random.randrange(1000, 4000))
"""
    running = [subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stderr=subprocess.PIPE) for _ in range(4)]
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()
    assert all(path.suffix == ".kernels" for path in tmp_path.iterdir())


# ------------------------------------------------------------------------------------------ environment


def test_where_the_cache_is(tmp_path: Path) -> None:
    assert default_cache({"SIMT2SIMD_CACHE_DIR": "/a/b"}) == Cache(Path("/a/b"), DEFAULT_LIMIT_BYTES)
    assert default_cache({"XDG_CACHE_HOME": "/x"}).folder == Path("/x/simt2simd/kernels")
    assert default_cache({}).folder == Path.home() / ".cache/simt2simd/kernels"


@pytest.mark.parametrize(
    ("text", "size"), [("0", 0), ("77", 77), ("500k", 512_000), ("64M", 64 << 20), ("2G", 2 << 30)]
)
def test_the_limit(text: str, size: int) -> None:
    assert default_cache({"SIMT2SIMD_CACHE_SIZE": text}).limit_bytes == size


def test_a_limit_that_is_none_is_named() -> None:
    with pytest.raises(ToolError, match="SIMT2SIMD_CACHE_SIZE=much: expected a number of bytes"):
        default_cache({"SIMT2SIMD_CACHE_SIZE": "much"})


# ---------------------------------------------------------------------------------------------- kernels


def test_the_same_program_is_compiled_once(cache: Cache, compilations: list[str]) -> None:
    first, second = compile_(CODE, cache), compile_(CODE, cache)
    assert first == second and len(compilations) == 1


def test_limit_0_turns_the_cache_off(tmp_path: Path, compilations: list[str]) -> None:
    for _ in range(2):
        compile_(CODE, Cache(tmp_path / "cache", limit_bytes=0))
    assert len(compilations) == 2 and not (tmp_path / "cache").exists()


class Stumbling:
    """Cannot be made again from what pickle keeps of it."""

    def __reduce__(self) -> tuple[object, ...]:
        return int, ("no number",)


ENTRY = machine_code._Entry(machine_code.DeviceCode(b"\x7fELF", (), ()), {})
WRONG_ENTRIES = {
    "empty": b"",
    "text": b"other",
    "module": b"cnowhere\nnothing\n.",
    "name": b"csimt2simd.device\nnothing\n.",
    "stumbling": pickle.dumps(Stumbling()),
    "number": pickle.dumps(3),
    "no_code": pickle.dumps(replace(ENTRY, code=3)),  # type: ignore[arg-type]
    "no_object_file": pickle.dumps(replace(ENTRY, code=machine_code.DeviceCode(b"#!/bin/sh", (), ()))),
    "no_kernels": pickle.dumps(replace(ENTRY, code=machine_code.DeviceCode(b"\x7fELF", (1, 2), ()))),  # type: ignore[arg-type]
    "no_variables": pickle.dumps(replace(ENTRY, code=machine_code.DeviceCode(b"\x7fELF", (), (1, 2)))),  # type: ignore[arg-type]
    "no_paths": pickle.dumps(replace(ENTRY, included={1: "x"})),  # type: ignore[dict-item]
    "no_path": pickle.dumps(replace(ENTRY, included={"a\0b": "x"})),
}


@pytest.mark.parametrize("wrong", WRONG_ENTRIES)
def test_an_intact_entry_of_something_else_is_missing(cache: Cache, compilations: list[str], wrong: str) -> None:
    first = compile_(CODE, cache)
    (entry,) = cache.entries()
    cache.put(entry.path.stem, WRONG_ENTRIES[wrong])
    assert compile_(CODE, cache) == first and len(compilations) == 2
    assert compile_(CODE, cache) == first and len(compilations) == 2


@pytest.mark.parametrize(
    "option",
    [
        {"fmad": False},
        {"optimise": 0},
        {"defines": ("N=1",)},
        {"verify": True},
        {"disabled": frozenset(["loop-invariant-motion"])},
    ],
)
def test_other_options_are_another_entry(cache: Cache, compilations: list[str], option: dict[str, Any]) -> None:
    compile_(CODE, cache)
    compile_(CODE, cache, options=replace(Options(native()), **option))
    assert len(compilations) == 2


def test_another_version_of_the_compiler_is_another_entry(
    cache: Cache, compilations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_(CODE, cache)
    monkeypatch.setattr(machine_code, "compiler_version", lambda: (("check.py", 1, 1),))
    compile_(CODE, cache)
    assert len(compilations) == 2


def test_changed_headers_are_noticed(
    cache: Cache, compilations: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("n.h").write_text('#include "m.h"\n')
    Path("other.h").write_text("")
    text = '#include "n.h"\n__global__ void k(int *x) { x[0] = N; }'
    for number, changed in enumerate(["#define N 1\n", "#define N 2\n", "\n#define N 2\n"], 1):
        Path("m.h").write_text(changed)
        for other in ("", "// not included\n"):
            Path("other.h").write_text(other)
            compile_(text, cache)
            assert len(compilations) == number
    Path("m.h").unlink()
    with pytest.raises(CompileError, match=r"file 'm\.h' not found"):
        compile_(text, cache)


def test_a_header_found_earlier_is_noticed(
    cache: Cache, compilations: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("late").mkdir()
    Path("late/n.h").write_text("#define N 1\n")
    text = '#include "n.h"\n__global__ void k(int *x) { x[0] = N; }'
    for expected in (1, 1):
        compile_(text, cache, options=Options(native(), include_dirs=("early", "late")))
        assert len(compilations) == expected
    Path("early").mkdir()
    Path("early/n.h").write_text("#define N 2\n")
    compile_(text, cache, options=Options(native(), include_dirs=("early", "late")))
    assert len(compilations) == 2
    Path("early/n.h").unlink()
    compile_(text, cache, options=Options(native(), include_dirs=("early", "late")))
    assert len(compilations) == 3


def test_the_time_of_day_is_not_kept(cache: Cache, compilations: list[str]) -> None:
    for _ in range(2):
        compile_(f"#ifdef __TIME__\n{CODE}\n#endif", cache)
    assert len(compilations) == 2


def test_faults_are_found_every_time(cache: Cache) -> None:
    for _ in range(2):
        with pytest.raises(CompileError, match="'y'"):
            compile_("__global__ void k(int *x) { x[0] = y; }", cache)


def test_static_kernels_of_two_files_stay_separate(cache: Cache) -> None:
    text = f"static {CODE}"
    symbols = {compile_(text, cache, name).kernels[0].symbol for name in ("a.cu", "b.cu", "a.cu")}
    assert len(symbols) == 2


def test_every_kind_of_parameter_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIMT2SIMD_CACHE_DIR", str(tmp_path / "cache"))
    code = """
    typedef struct Node { struct Node *next; double x[3]; } Node;
    __global__ void k(Node *nodes, Node one, float2 *unused, const int (*rows)[4], bool b, double *out) {
        out[0] = nodes[0].x[2] + one.x[0] + rows[1][3] + b;
    }"""
    code = code.replace("float2", "void")
    node = np.zeros(1, np.dtype([("next", "u8"), ("x", "f8", 3)], align=True))
    node["x"] = 1, 2, 4
    for _ in range(2):
        out, rows = np.zeros(1), np.arange(8, dtype=np.int32).reshape(2, 4)
        RawKernel(code, "k")((1,), (1,), (node, node[0], None, rows, True, out))
        assert out[0] == 4 + 1 + 7 + 1
        with pytest.raises(TypeError, match=r"parameter 'one' of type 'Node': expected 32 bytes, got 5"):
            RawKernel(code, "k")((1,), (1,), (node, b"short", None, rows, True, out))


def test_threads_may_compile_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIMT2SIMD_CACHE_DIR", str(tmp_path / "cache"))
    results = [np.zeros(32, np.int32) for _ in range(8)]

    def launch(x: np.ndarray) -> None:
        RawKernel(CODE, "k")((1,), (32,), (x,))

    threads = [threading.Thread(target=launch, args=(x,)) for x in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((x == 1).all() for x in results)


def run_python(program: str, folder: Path) -> str:
    env = {**os.environ, "SIMT2SIMD_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_kernel_from_the_cache_needs_no_compiler(tmp_path: Path) -> None:
    """Neither LLVM nor the parser is imported, which alone would take longer than the 20 ms that are promised."""
    program = f"""
import sys, time
import numpy as np
from simt2simd import RawKernel
x = np.zeros(16, np.int32)
start = time.perf_counter()
RawKernel({CODE!r}, "k")((1,), (16,), (x,))
print(int(x.sum()), [name for name in ("llvmlite", "pycparser", "pcpp") if name in sys.modules])
print(time.perf_counter() - start)
"""
    assert run_python(program, tmp_path).startswith("16 ['llvmlite', 'pycparser', 'pcpp']\n")
    results = [run_python(program, tmp_path).splitlines() for _ in range(3)]
    assert [result[0] for result in results] == ["16 []"] * 3
    assert min(float(result[1]) for result in results) < 0.1  # far above what it takes on a machine that is not busy


# -------------------------------------------------------------------------------------- the command line


def test_compile_uses_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[str]) -> None:
    monkeypatch.setenv("SIMT2SIMD_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("k.cu").write_text(CODE)
    for output in ("a.o", "b.o"):
        assert cli.main(["compile", "-c", "k.cu", "-o", output]) == 0
    assert len(compilations) == 1
    assert Path("a.o").stat().st_size == Path("b.o").stat().st_size


def test_the_cache_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SIMT2SIMD_CACHE_DIR", str(tmp_path / "cache"))
    assert cli.main(["cache"]) == 0
    assert capsys.readouterr().out == f"{tmp_path}/cache\n0 entries, 0.0 MiB of 256 MiB\n"
    compile_(CODE, default_cache())
    compile_(f"// {time.time()}\n{CODE}", default_cache())
    assert cli.main(["cache"]) == 0
    assert re.fullmatch(r".*/cache\n2 entries, 0\.\d MiB of 256 MiB\n", capsys.readouterr().out)
    assert cli.main(["cache", "--clear"]) == 0
    assert capsys.readouterr().out == "2 entries removed\n"
    assert default_cache().entries() == []
