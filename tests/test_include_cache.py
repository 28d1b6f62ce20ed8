"""Headers that were preprocessed before: with what is kept, the result is what it is without, whatever has changed."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from simt2simd.diag import CompileError
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.text import preprocess as stage
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.frontend.text.preprocessed import Preprocessed
from simt2simd.options import Options
from simt2simd.python.cache import Cache
from simt2simd.python.machine_code import headers_in
from simt2simd.source import Source


class Held(dict[str, bytes]):
    """A store in memory."""

    def put(self, key: str, value: bytes) -> None:
        self[key] = value


@pytest.fixture(autouse=True)
def small_files_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "_WORTH_KEEPING", 0)
    monkeypatch.setattr(stage, "_WORTH_KEEPING_INSIDE", 0)


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that are found in a store from now on."""
    found: list[str] = []
    replay = stage._Worker._replay

    def noting(worker: Any, one: Any) -> None:
        found.append(os.path.basename(one.path))
        replay(worker, one)

    monkeypatch.setattr(stage._Worker, "_replay", noting)
    return found


def all_of(pre: Preprocessed) -> tuple[object, ...]:
    """Return everything that later stages see, the places in macros' definitions included."""
    origins = [(origin, origin.expansion and (origin.expansion.macro, origin.expansion.span)) for origin in pre.origins]
    return pre.text, pre.starts, origins, pre.included, pre.library, pre.own_cuda_std


def outcome(text: str, folder: Path, options: Options, kept: Held | None) -> object:
    try:
        return all_of(preprocess(Source(str(folder / "main.cu"), text), options, kept))
    except CompileError as fault:
        return [str(diagnostic) for diagnostic in fault.diagnostics]


def check(text: str, folder: Path, kept: Held, options: Options | None = None) -> None:
    """With what is kept, a program becomes what it becomes without."""
    options = options or Options()
    with pytest.MonkeyPatch.context() as without:
        without.setattr(stage, "_MOST_FOR_NOW", -1)
        expected = outcome(text, folder, options, None)
    assert outcome(text, folder, options, kept) == expected
    assert outcome(text, folder, options, None) == expected


@pytest.fixture
def kept() -> Held:
    return Held()


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_h", ".h")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def test_an_unchanged_header_is_found(tmp_path: Path, kept: Held, replays: list[str]) -> None:
    write(tmp_path, a_h='#pragma once\n#define TWICE(x) (2 * (x))\n#include "b.h"\nint a = TWICE(N);\n', b_h="int b;\n")
    check('#include "a.h"\nint m = TWICE(a);\n', tmp_path, kept)
    assert replays == []
    check('#include "a.h"\nint other = TWICE(b);\n#include "a.h"\n', tmp_path, kept)
    assert replays == ["a.h"]


def test_a_changed_header_is_seen(tmp_path: Path, kept: Held, replays: list[str]) -> None:
    write(tmp_path, a_h='#include "b.h"\nint a;\n', b_h="int b1;\n")
    main = '#include "a.h"\n'
    check(main, tmp_path, kept)
    time = os.stat(tmp_path / "b.h").st_mtime_ns
    write(tmp_path, b_h="int b2;\n")
    os.utime(tmp_path / "b.h", ns=(time, time))  # the same size, the same time
    check(main, tmp_path, kept)
    assert replays == []
    check(main, tmp_path, kept)
    assert replays == ["a.h"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("#define N 1\n", "#define N 2\n"),
        ("#define N 1\n", "#define N() 1\n"),
        ("#define N 1\n", "\n#define N 1\n"),  # messages name its line
        ("#define N 1\n", "#define N M\n#define M 1\n"),
        ("", "#define N\n"),
        ("#define N 1\n", "#define N 1\n#undef N\n"),
        ("#define N M\n#define M 1\n", "#define N M\n#define M 2\n"),
        ("#define int long\n", ""),
        ("#define a a_\n", "#define b b_\n"),
    ],
)
def test_macros_before_a_header_are_seen(tmp_path: Path, kept: Held, first: str, then: str) -> None:
    write(tmp_path, a_h="#ifdef N\nint a[] = {N, 2};\n#else\nint b;\n#endif\n")
    for before in (first, then, first, then):
        check(f'{before}#include "a.h"\n', tmp_path, kept)


def test_macros_of_the_command_line_are_seen(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h="#if N > 1\nint a[N];\n#endif\n")
    for defines in ((), ("N",), ("N=2",), ("N=3",), ("N=3", "M"), ("N=2",)):
        check('#include "a.h"\n', tmp_path, kept, Options(defines=defines))
    check('#include "a.h"\n', tmp_path, kept, Options(defines=("N=2",), undefines=("N",)))


def test_macros_that_do_not_matter_change_nothing(tmp_path: Path, kept: Held, replays: list[str]) -> None:
    write(tmp_path, a_h="int a;\n")
    check('#include "a.h"\n', tmp_path, kept)
    check('#define X 1\n#include "a.h"\nint x = X;\n', tmp_path, kept)
    assert replays == ["a.h"]


def test_other_folders_are_seen(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h="#include <b.h>\n", one__b_h="int one;\n", two__b_h="int two;\n")
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    for folders in ((one, two), (two, one), (two,), ()):
        check('#include "a.h"\n', tmp_path, kept, Options(include_dirs=folders))


def test_a_header_that_is_found_earlier_is_seen(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h="#include <b.h>\n", two__b_h="int two;\n")
    options = Options(include_dirs=(str(tmp_path / "one"), str(tmp_path / "two")))
    check('#include "a.h"\n', tmp_path, kept, options)
    write(tmp_path, one__b_h="int one;\n")
    check('#include "a.h"\n', tmp_path, kept, options)
    (tmp_path / "one" / "b.h").unlink()
    check('#include "a.h"\n', tmp_path, kept, options)


def test_folders_of_the_files_around_are_seen(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, lib__a_h='#include "b.h"\n', x__b_h="int x;\n", y__b_h="int y;\n")
    options = Options(include_dirs=(str(tmp_path / "lib"),))
    for folder in ("x", "y", "x"):
        check("#include <a.h>\n", tmp_path / folder, kept, options)


def test_a_header_in_a_skipped_group_counts_when_it_is_not_skipped(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h='#ifdef B\n#include "b.h"\n#endif\n#if 0\n#include "none.h"\n#endif\n')
    for before in ("", "#define B\n"):
        check(f'{before}#include "a.h"\n', tmp_path, kept)
    write(tmp_path, b_h="int b;\n")
    for before in ("", "#define B\n"):
        check(f'{before}#include "a.h"\n', tmp_path, kept)


def test_what_was_included_before_is_seen(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h='#include "b.h"\nint a;\n', b_h="#pragma once\nint b;\n", c_h='#include "d.h"\nint c;\n')
    write(tmp_path, d_h="#ifndef D\n#define D\nint d;\n#endif\n")
    for main in ('#include "a.h"\n', '#include "b.h"\n#include "a.h"\n', '#include "c.h"\n#include "d.h"\n'):
        check(main, tmp_path, kept)
        check(main * 2, tmp_path, kept)


def test_whether_there_is_a_file_is_seen(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h='#if __has_include("b.h")\nint yes;\n#else\nint no;\n#endif\n')
    check('#include "a.h"\n', tmp_path, kept)
    write(tmp_path, b_h="")
    check('#include "a.h"\n', tmp_path, kept)


def test_counters_and_names_of_files(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h="int a[] = {__COUNTER__, __COUNTER__, __LINE__};\nauto f = __FILE__;\n")
    main = '#include "a.h"\nint m = __COUNTER__; auto g = __FILE__;\n#include "a.h"\n'
    for text in (main, f"int n = __COUNTER__;\n{main}", main):
        check(text, tmp_path, kept)


def test_what_standard_headers_declare_and_define(tmp_path: Path, kept: Held, replays: list[str]) -> None:
    write(tmp_path, a_h="#include <limits>\n#include <climits>\n#include <cassert>\nint a = INT_MAX;\n")
    main = '#include "a.h"\nint m = INT_MIN;\nvoid f() { assert(a); }\n'
    for text in (main, main, f"#define NDEBUG\n{main}"):
        check(text, tmp_path, kept)
    assert replays == ["a.h"]
    made = preprocess(Source(str(tmp_path / "main.cu"), main), Options(), kept)
    assert "limits" in parse(made).library.headers


def test_faults_are_found_every_time(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h="#define F(x) x\nint a = F(1, 2);\n#error no\n", b_h="#if 1\n", c_h='#include "none.h"\n')
    for name in "abc":
        check(f'#include "{name}.h"\n', tmp_path, kept)
        check(f'#include "{name}.h"\n', tmp_path, kept)


def test_names_in_messages_follow_the_current_folder(
    tmp_path: Path, kept: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, a_h="int a;\n", x__b_h="")
    for folder in (tmp_path, tmp_path / "x", tmp_path):
        monkeypatch.chdir(folder)
        check('#include "a.h"\n', tmp_path, kept)


def test_a_use_that_continues_after_a_header(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h="#define F(x) <x>\n#define G F(\n", b_h="int b;\n")
    main = '#include "a.h"\n#include "b.h"\nF\n#include "b.h"\n(1) G 2)\n'
    check(main, tmp_path, kept)
    check(main, tmp_path, kept)
    check('#include "b.h"\n', tmp_path, kept)


def test_textures_and_files_included_first(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h="texture<float, 1> t;\n", b_h="int b;\n")
    options = Options(pre_includes=(str(tmp_path / "b.h"),))
    for main in ('#include "a.h"\n', '#include "a.h"\ncudaTextureObject_t o;\n', "int m;\n"):
        check(main, tmp_path, kept, options)
        check(main, tmp_path, kept)


def test_a_file_that_includes_itself(tmp_path: Path, kept: Held) -> None:
    write(tmp_path, a_h='#ifndef A\n#define A 1\n#include "a.h"\nint one;\n#elif A == 1\nint two;\n#endif\n')
    for _ in range(2):
        check('#include "a.h"\n#include "a.h"\n', tmp_path, kept)


def test_a_header_without_a_guard_is_found_in_the_same_compilation(tmp_path: Path, replays: list[str]) -> None:
    write(tmp_path, a_h="#ifdef N\nint a = N;\n#undef N\n#endif\n")
    main = '#define N 1\n#include "a.h"\n#include "a.h"\n#define N 2\n#include "a.h"\n#include "a.h"\n#include "a.h"\n'
    made = outcome(main, tmp_path, Options(), None)
    assert replays == ["a.h", "a.h"]
    with pytest.MonkeyPatch.context() as without:
        without.setattr(stage, "_MOST_FOR_NOW", -1)
        assert outcome(main, tmp_path, Options(), None) == made


def test_what_is_broken_is_not_used(tmp_path: Path, kept: Held, replays: list[str]) -> None:
    write(tmp_path, a_h="int a;\n")
    main = '#include "a.h"\n'
    check(main, tmp_path, kept)
    for held in (b"", b"nothing", b"N.", b"]N a.", b"(lp0\nN" * 3):
        for key in kept:
            kept[key] = held
        check(main, tmp_path, kept)
    assert replays == []


def test_the_kernel_cache_has_them(tmp_path: Path, replays: list[str]) -> None:
    write(tmp_path, a_h="int a;\n")
    source = Source(str(tmp_path / "main.cu"), '#include "a.h"\n')
    cache = Cache(tmp_path / "cache")
    assert headers_in(Cache(tmp_path / "off", limit_bytes=0)) is None
    results = [preprocess(source, Options(), headers_in(cache)) for _ in range(2)]
    assert replays == ["a.h"]
    assert all_of(results[0]) == all_of(results[1])
    for entry in cache.entries():
        entry.path.write_bytes(entry.path.read_bytes()[:-1])
    assert all_of(preprocess(source, Options(), headers_in(cache))) == all_of(results[0])
    assert replays == ["a.h"]


# ------------------------------------------------------------------------------------------- random programs

NAMES = ["A", "B", "C", "D", "f", "g"]


def random_line(rng: random.Random) -> str:
    name, other = rng.sample(NAMES, 2)
    match rng.randrange(9):
        case 0:
            return f"#define {name} {rng.choice(['', '1', other, f'{other} + 1', f'x ## {other}'])}"
        case 1:
            return f"#define {name}(x) {rng.choice(['x', f'{other}(x)', '#x', f'x ## {other}', f'{other} x'])}"
        case 2:
            return f"#undef {name}"
        case 3:
            return f"#{rng.choice(['ifdef', 'ifndef'])} {name}\n{random_line(rng)}\n#else\n{random_line(rng)}\n#endif"
        case 4:
            return (
                f"#if defined({name}) && {other} + 0\nint {name};\n#elif !defined {other}\n{random_line(rng)}\n#endif"
            )
        case 5:
            return f'#include "{rng.choice("pqrs")}.h"'
        case 6:
            return f"int {name} = {other}({name});"
        case 7:
            return f"{name} ({other}, -{name}) -{other}  // a comment"
        case _:
            return f"int v = __COUNTER__ + {name};"


def random_file(rng: random.Random, *, once: bool) -> str:
    lines = [random_line(rng) for _ in range(rng.randrange(1, 6))]
    return "".join(f"{line}\n" for line in [*(["#pragma once"] if once else []), *lines])


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(tmp_path: Path, kept: Held, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(6):
        for name in "pqrs":
            if rng.random() < 0.4 or not (tmp_path / f"{name}.h").exists():
                once = rng.random() < 0.8 or name == "s"
                (tmp_path / f"{name}.h").write_text(random_file(rng, once=once))
        main = random_file(rng, once=False) + f'#include "{rng.choice("pqrs")}.h"\n'
        for _ in range(2):
            check(main, tmp_path, kept)
            main = f"{random_line(rng)}\n{main}"
