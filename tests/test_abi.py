"""The layouts that generated code relies on are those of runtime/include/s2s.h."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from simt2simd import abi
from simt2simd.lang.ctype import CHAR, DOUBLE, FLOAT, INT, SHORT, Pointer
from simt2simd.runtime import ALL_GANGS
from simt2simd.target import LANES
from simt2simd.tree.companions import (
    MOST_COORDINATES,
    FollowsRopes,
    InstallsRopes,
    Role,
    RunsInOrder,
    SingleThread,
    StoresCoordinates,
)

RUNTIME = Path(__file__).parent.parent / "runtime" / "include"

# The numbers of s2s.h that Python states too.
NUMBERS = {
    "HAS_BARRIERS": abi.HAS_BARRIERS,
    "PARTS": abi.PARTS,
    "INDEPENDENT_BLOCKS": abi.INDEPENDENT_BLOCKS,
    "FUSED_BLOCKS": abi.FUSED_BLOCKS,
    "FUSED_ALONG_Y": abi.FUSED_ALONG_Y,
    "RAGGED_ROWS": abi.RAGGED_ROWS,
    "DIVISIBLE_X": abi.DIVISIBLE_X,
    "DIVISIBLE_Y": abi.DIVISIBLE_Y,
    "ALWAYS_WIDE": abi.ALWAYS_WIDE,
    "ALWAYS_SORTED": abi.ALWAYS_SORTED,
    "COUNTED": abi.COUNTED,
    "FIBERS": abi.FIBERS,
    "LAUNCHES": abi.LAUNCHES,
    "ONE_STREAM": abi.ONE_STREAM,
    "WAIT_ITERATIONS": abi.WAIT_ITERATIONS,
    "WORK_ITERATIONS": abi.WORK_ITERATIONS,
    "MAX_PARAMS": abi.MAX_PARAMS,
    "MAX_COORDINATES": MOST_COORDINATES,
    "LANES": LANES,
    "ALL_GANGS": ALL_GANGS,
    "SINGLE_THREAD": SingleThread.kind,
    "COORDINATES": StoresCoordinates.kind,
    "IN_ORDER": RunsInOrder.kind,
    "ROPE_INSTALLER": InstallsRopes.kind,
    "BY_ROPES": FollowsRopes.kind,
}


def test_layouts_match_the_header(tmp_path: Path) -> None:
    cc = shutil.which("cc")
    if cc is None:
        pytest.skip("no C compiler")
    checks = [f'_Static_assert(sizeof({layout.name}) == {layout.size}, "size");\n' for layout in abi.LAYOUTS]
    for layout in abi.LAYOUTS:
        for field, offset in layout.offset.items():
            checks.append(f'_Static_assert(offsetof({layout.name}, {field}) == {offset}, "{field}");\n')
    for name, value in NUMBERS.items():
        checks.append(f'_Static_assert(S2S_{name} == {value}, "{name}");\n')
    program = tmp_path / "check.c"
    program.write_text('#include "s2s.h"\n' + "".join(checks))
    done = subprocess.run(
        [cc, "-std=c11", "-fsyntax-only", "-I", str(RUNTIME), str(program)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_every_field_is_listed() -> None:
    """A field added to a struct of s2s.h must be added here too."""
    text = (RUNTIME / "s2s.h").read_text()
    for layout in abi.LAYOUTS:
        end = text.index(f"}} {layout.name};")
        body = text[text.rindex("{", 0, end) + 1 : end]
        assert sum(declaration.count(",") + 1 for declaration in _declarations(body)) == len(layout.offset)


def _declarations(body: str) -> list[str]:
    without_comments = "".join(part.split("*/")[-1] for part in body.split("/*"))
    return [text for text in without_comments.split(";") if text.strip() and " unused" not in text]


def test_every_flag_is_listed() -> None:
    """A flag added to s2s_kernel.flags must be added here too."""
    text = (RUNTIME / "s2s.h").read_text()
    end = text.index("S2S_MAX_PARAMS")
    assert set(re.findall(r"S2S_(\w+) = ", text[text.rindex("enum {", 0, end) : end])) <= NUMBERS.keys()


def test_every_kind_of_companion_is_listed() -> None:
    text = (RUNTIME / "s2s.h").read_text()
    body = text[text.index("enum s2s_companion_kind {") :].partition("}")[0]
    assert set(re.findall(r"S2S_(\w+) = ", body)) <= NUMBERS.keys()
    assert {role.kind for role in Role.__subclasses__() if role.kind is not None} <= set(NUMBERS.values())


def test_a_layout_that_changes_does_not_compile(tmp_path: Path) -> None:
    """The header itself checks every struct, for whoever builds it, whatever tests they run."""
    cc = shutil.which("cc")
    if cc is None:
        pytest.skip("no C compiler")
    text = (RUNTIME / "s2s.h").read_text()
    for layout in abi.LAYOUTS:
        assert text.count(f"}} {layout.name};\n") == 1
        changed = tmp_path / f"{layout.name}.c"
        changed.write_text(text.replace(f"}} {layout.name};\n", f"\tuint64_t more;\n}} {layout.name};\n"))
        done = subprocess.run([cc, "-std=c11", "-fsyntax-only", str(changed)], capture_output=True, text=True)
        assert done.returncode != 0 and "abi.py says otherwise" in done.stderr, done.stderr


def test_static_kernels_of_two_files_differ() -> None:
    assert abi.kernel_symbol("k", "a.cu", static=False) == "s2s_kernel_k"
    assert abi.kernel_symbol("k", "a.cu", static=True) != abi.kernel_symbol("k", "b.cu", static=True)
    assert abi.kernel_symbol("k", "a.cu", static=True).startswith("s2s_kernel_k_")


def test_parameters_lie_at_their_alignment() -> None:
    assert abi.pack_params([CHAR, DOUBLE, SHORT, INT, Pointer(FLOAT), CHAR]) == ((0, 8, 16, 20, 24, 32), 33)
    assert abi.pack_params([]) == ((), 0)
