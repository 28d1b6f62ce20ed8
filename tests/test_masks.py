"""The page of the mask rules, `simt2simd/MASKS.md`: what it shows is what the compiler prints of the page's program.

A comment above a block says what is in it:

    <!-- program -->                     a part of the program
    <!-- dump NAME -->                   what `--dump-ir=llvm` prints of the function NAME, a little tidied
    <!-- dump NAME | A | until B -->     its lines from the first that matches A up to B
    <!-- dump tree NAME -->              what `--dump-ir=tree` prints of it

`pytest tests/test_masks.py --update-golden` writes the blocks anew; read what has changed before you commit it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import simt2simd
from simt2simd import RawKernel
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.pipeline import DUMPS, compile_device
from simt2simd.python import flags
from simt2simd.source import Source

PAGE = Path(simt2simd.__file__).parent / "MASKS.md"
PROGRAM = re.compile(r"<!-- program -->\n```cuda\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"(?P<head><!-- dump (?P<what>[^\n]*) -->\n```\w*\n)(?P<text>.*?)(?P<end>```\n)", re.DOTALL)
COMMAND = re.compile(r"^simt2simd compile masks.cu ((?:.*\\\n)*.*)$", re.MULTILINE)

QUOTES = re.compile(r'(?<=[%@])"([\w.$-]+)"|(?<=label %)"([\w.]+)"')
EQUAL = re.compile(r"<(i\d+|float) (-?\w+)(?:, \1 \2){15}>")
JUMP = re.compile(r"label %([\w.]+)")


def program() -> str:
    return "\n".join(PROGRAM.findall(PAGE.read_text()))


def words() -> list[str]:
    """Return the options of the page's command that are not about its output."""
    found = COMMAND.search(PAGE.read_text())
    assert found
    words = found[1].replace("\\\n", " ").split()
    assert words[:3] == ["-c", "-o", "masks.o"] and "--dump-ir=llvm" in words
    return [word for word in words[3:] if word != "--dump-ir=llvm"]


@cache
def dumps() -> dict[str, str]:
    found: dict[str, str] = {}
    compile_device(
        Source("masks.cu", program()),
        flags.device_options(words()),
        DUMPS,
        lambda name, text: found.update({name: text}),
    )
    return found


def function(name: str) -> list[str]:
    """Return the lines of a function in LLVM IR, its blocks in the order in which they run."""
    found = re.search(rf'^define [^\n]*@"{name}"\([^\n]*\n{{\n(.*?)^}}', dumps()["llvm"], re.DOTALL | re.MULTILINE)
    assert found, f"there is no function '{name}'"
    head, text = found[0].split("\n", 1)[0], QUOTES.sub(lambda m: m[1] or m[2], found[1])
    text = EQUAL.sub(r"splat (\1 \2)", text)
    _, *parts = re.split(r"^([\w.]+):\n", text, flags=re.MULTILINE)
    blocks = dict(zip(parts[::2], parts[1::2], strict=True))
    head = QUOTES.sub(lambda m: m[1] or m[2], head)
    lines = [line for label in in_order(blocks) if label != "entry" for line in (f"{label}:", *lines_of(blocks[label]))]
    return [f"{head} {{", *lines, "}"]


def lines_of(block: str) -> list[str]:
    return block.rstrip("\n").split("\n")


def in_order(blocks: dict[str, str]) -> list[str]:
    """Return the labels so that a block stands behind those that lead to it, and a loop before what follows it."""
    done: list[str] = []
    seen: set[str] = set()

    def visit(label: str) -> None:
        seen.add(label)
        for target in reversed(JUMP.findall(lines_of(blocks[label])[-1])):
            if target not in seen:
                visit(target)
        done.append(label)

    visit("entry")
    return done[::-1]


def excerpt(what: str) -> str:
    """Return what a comment of the page asks for."""
    if what.startswith("tree "):
        found = re.search(
            rf"^__device__ [^\n]*\b{what[5:]}\([^\n]*{{\n.*?^}}", dumps()["tree"], re.DOTALL | re.MULTILINE
        )
        assert found, what
        return found[0] + "\n"
    name, *marks = (part.strip() for part in what.split("|"))
    lines = function(name)
    for mark in marks:
        end = mark.removeprefix("until ")
        at = next((i for i, line in enumerate(lines) if re.search(end, line)), None)
        assert at is not None, f"no line of '{name}' matches '{end}'"
        lines = lines[at:] if end == mark else lines[:at]
    return "\n".join(lines) + "\n"


def test_the_page_shows_what_the_compiler_makes(request: pytest.FixtureRequest) -> None:
    page = PAGE.read_text()
    expected = BLOCK.sub(lambda found: found["head"] + excerpt(found["what"]) + found["end"], page)
    if request.config.getoption("--update-golden"):
        PAGE.write_text(expected)
        page = expected
    assert page == expected


def test_every_rule_has_its_dump() -> None:
    page = PAGE.read_text()
    shown = {found["what"].removeprefix("tree ").split(" ")[0] for found in BLOCK.finditer(page)}
    assert shown == set(re.findall(r"__device__ __noinline__ \w+ (\w+)\(", program()))


@pytest.mark.avx512
def test_the_program_of_the_page_means_what_it_says() -> None:
    """As the page compiles it, by default, and in the interpreter."""
    start = np.random.default_rng(3).permutation(64).astype(np.int32)
    following = np.array([0, *(number * 5 // 8 for number in range(1, 64))], np.int32)
    expected = np.zeros(64, np.int32)
    module = check(parse(preprocess(Source("masks.cu", program()), Options())))
    Interpreter(module).launch("all", (1,), (50,), [start, following, expected])
    for options in (tuple(words()), ()):
        out = np.zeros(64, np.int32)
        RawKernel(program(), "all", options=options)((1,), (50,), (start, following, out))
        assert np.array_equal(out, expected), options
    assert len(set(expected)) > 20
