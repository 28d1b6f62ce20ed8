"""The layouts that generated code relies on are those of runtime/s2s.h."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from simt2simd import abi
from simt2simd.ctype import CHAR, DOUBLE, FLOAT, INT, SHORT, Pointer

RUNTIME = Path(__file__).parent.parent / "runtime"


def test_layouts_match_the_header(tmp_path: Path) -> None:
    cc = shutil.which("cc")
    if cc is None:
        pytest.skip("no C compiler")
    checks = [f'_Static_assert(sizeof({layout.name}) == {layout.size}, "size");\n' for layout in abi.LAYOUTS]
    for layout in abi.LAYOUTS:
        for field, offset in layout.offset.items():
            checks.append(f'_Static_assert(offsetof({layout.name}, {field}) == {offset}, "{field}");\n')
    for name in (
        "HAS_BARRIERS",
        "CHECKED_BARRIERS",
        "INDEPENDENT_BLOCKS",
        "FUSED_BLOCKS",
        "ALWAYS_WIDE",
        "IN_STEP",
        "MAX_PARAMS",
        "WAIT_ROUNDS",
    ):
        checks.append(f'_Static_assert(S2S_{name} == {getattr(abi, name)}, "{name}");\n')
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
    return [text for text in without_comments.split(";") if text.strip() and not text.endswith(" unused")]


def test_static_kernels_of_two_files_differ() -> None:
    assert abi.kernel_symbol("k", "a.cu", static=False) == "s2s_kernel_k"
    assert abi.kernel_symbol("k", "a.cu", static=True) != abi.kernel_symbol("k", "b.cu", static=True)
    assert abi.kernel_symbol("k", "a.cu", static=True).startswith("s2s_kernel_k_")


def test_parameters_lie_at_their_alignment() -> None:
    assert abi.pack_params([CHAR, DOUBLE, SHORT, INT, Pointer(FLOAT), CHAR]) == ((0, 8, 16, 20, 24, 32), 33)
    assert abi.pack_params([]) == ((), 0)
