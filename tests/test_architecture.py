"""The architecture page, `simt2simd/README.md`: what it shows of its kernel is what `--dump-ir` prints.

A comment above a block says where the block comes from:

    <!-- dump NAME -->                         all that `--dump-ir=NAME` prints
    <!-- dump NAME | A | B | until C -->       its lines from the first that matches B after one that matches A, up to C
    <!-- passes -->                            a table of all passes
    <!-- choices -->                           a table of what passes decide on the spot

`pytest tests/test_architecture.py --update-golden` writes the blocks anew; read what has changed before you commit it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import simt2simd
from simt2simd import RawKernel
from simt2simd.pipeline import CHOICES, DUMPS, OPTIMISATIONS, STAGES, compile_device
from simt2simd.python import flags
from simt2simd.source import Source

PACKAGE = Path(simt2simd.__file__).parent
PAGE = PACKAGE / "README.md"

KERNEL = re.compile(r"<!-- kernel (?P<name>\S+) -->\n```\w+\n(?P<text>.*?)```", re.DOTALL)
BLOCK = re.compile(r"(?P<head><!-- dump (?P<what>[^\n]*) -->\n```\w*\n)(?P<text>.*?)(?P<end>```\n)", re.DOTALL)
TABLE = re.compile(r"(?P<head><!-- (?P<what>passes|choices) -->\n)(?P<text>(\|[^\n]*\n)*)(?P<end>)")

# What LLVM adds to names when it puts a function in place of a call (.i, .i7) or splits a loop (.us), and its comments.
SUFFIX = re.compile(r"(?P<name>(%|^)[\w.]*?)(\.i\d*|\.us\d*)+(?=[\s,:]|$)")
COMMENT = re.compile(r"\s*[;#].*")


def kernel() -> Source:
    found = KERNEL.search(PAGE.read_text())
    assert found
    return Source(found["name"], found["text"])


@cache
def dumps() -> dict[str, str]:
    """Return all that `--dump-ir` prints of the page's kernel."""
    found: dict[str, str] = {}
    options = flags.device_options(["--target", "avx512"])
    compile_device(kernel(), options, DUMPS, lambda name, text: found.update({name: text}))
    return found


def excerpt(what: str) -> str:
    """Return the part of a dump that a comment of the page asks for."""
    name, *marks = (part.strip() for part in what.split("|"))
    lines = dumps()[name].rstrip("\n").split("\n")
    for mark in marks:
        end = mark.removeprefix("until ")
        at = next((i for i, line in enumerate(lines) if re.search(end, line)), None)
        assert at is not None, f"no line of --dump-ir={name} matches '{end}' here"
        lines = lines[at:] if end == mark else lines[:at]
    if name in ("opt", "assembly"):
        lines = [COMMENT.sub("", SUFFIX.sub(r"\g<name>", line)) for line in lines]
        lines = [line.strip().expandtabs(12) if name == "assembly" else line for line in lines if line.strip()]
    return "\n".join(lines).rstrip() + "\n"


def table(what: str) -> str:
    if what == "choices":
        rows = [f"| `{choice.name}` | {_in_table(choice.why)} |\n" for choice in CHOICES]
        return "".join(["| choice | what is decided |\n| --- | --- |\n", *rows])
    rows = [
        f"| `{row.name}` | {_in_table(row.why)} | {'yes' if row.name in OPTIMISATIONS else ''} |\n" for row in STAGES
    ]
    return "".join(
        ["| pass | why it exists; why it has this place | can be disabled |\n", "| --- | --- | --- |\n", *rows]
    )


def _in_table(text: str) -> str:
    return text.replace("|", "\\|")


def anew(page: str) -> str:
    page = BLOCK.sub(lambda found: found["head"] + excerpt(found["what"]) + found["end"], page)
    return TABLE.sub(lambda found: found["head"] + table(found["what"]) + found["end"], page)


def test_the_page_shows_what_the_compiler_makes(request: pytest.FixtureRequest) -> None:
    page = PAGE.read_text()
    expected = anew(page)
    if request.config.getoption("--update-golden"):
        PAGE.write_text(expected)
        page = expected
    assert page == expected


def test_the_page_names_the_modules_that_are_there() -> None:
    rows = dict(re.findall(r"^\| `([\w/]+)/` \|.*?\|(.*)\|$", PAGE.read_text(), re.MULTILINE))
    named = {f"{package}/{name}" for package, text in rows.items() for name in re.findall(r"`(\w+)`", text)}
    paths = (path for path in PACKAGE.glob("*/**/*.py") if not path.stem.startswith("_"))
    files = {str(path.relative_to(PACKAGE).with_suffix("")) for path in paths}
    assert sorted(named ^ files) == []


@pytest.mark.parametrize("threads", [16, 64, 256])
def test_the_kernel_of_the_page_is_right(threads: int) -> None:
    def steps(v: int) -> int:
        n = 0
        while n < 200 and v != 1:
            v, n = 3 * v + 1 if v % 2 else v // 2, n + 1
        return n

    numbers = np.arange(1, 1001, dtype=np.uint32)
    out = np.zeros(3, np.int32)
    RawKernel(kernel().text, "longest")((3,), (threads,), (numbers, out, numbers.size, 200))
    of_block = (np.arange(numbers.size) // threads) % 3
    assert out.tolist() == [max(steps(int(v)) for v in numbers[of_block == block]) for block in range(3)]
