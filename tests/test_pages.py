"""Every command on a page of the repository is one that its program takes, and names files that are there.

The commands are not run, but for the quick ones that only read records: their arguments are parsed, by the parsers of
the programs. Lines of blocks and words between backquotes count, if they begin with a program of ours.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from apps import report
from apps.__main__ import main as apps_main
from apps.common import driver
from microbench import run
from microbench.__main__ import main as microbench_main
from simt2simd.command import arguments, nvcc
from simt2simd.command.nvcc_words import read

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/*.md", "apps/**/*.md", "microbench/**/*.md", "simt2simd/*.md", "tests/**/*.md")
    for page in ROOT.glob(pattern)
)

STARTS = re.compile(r"(?:\w+=\S+ )?(?:\.venv/bin/)?(?:python3? -m |simt2simd |poe )\S")
BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")

# Options before names of what a command writes, and names for the reader's own.
WRITES = ("-o", "--json", "--plot", "--build", "--work", "--to", "--out")
OWN = re.compile(r"\b(DIR|NAME|FILE|OUT|PROGRAM|ARGS|STAGE|VARIANT|MODULE)\b|\$\(|\.\.\.")
MEANT = {"--traverse=VARIANT": "--traverse=ropes", "--dump-ir=NAME": "--dump-ir=tree", "[-o": "-o", "OUT.cu]": "OUT.cu"}


@dataclass(frozen=True)
class Command:
    """A command of a page, without its comment. `words` begin with the program: `python -m apps` is one word."""

    page: Path
    text: str

    @property
    def words(self) -> list[str]:
        words = [MEANT.get(word, word) for word in shlex.split(self.text.replace(".venv/bin/", ""))]
        while re.fullmatch(r"\w+=.*", words[0]):
            words.pop(0)
        return [" ".join(words[1:3]), *words[3:]] if words[0].startswith("python") else words


def commands(page: Path) -> Iterator[Command]:
    text = page.read_text()
    for block in BLOCK.findall(text):
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            for part in re.split(r" && ", re.sub(r"\s#\s.*", "", line)):
                if STARTS.match(part.strip()):
                    yield Command(page, part.strip())
    for span in SPAN.findall(BLOCK.sub("", text)):
        found = " ".join(span.split())
        if STARTS.match(found):
            yield Command(page, found)


ALL = [command for page in PAGES for command in commands(page)]


class Parsed(Exception):
    """In place of a program's work: its arguments were right."""


def parse(main: Callable[[], object]) -> None:
    """Run a program until it has parsed its arguments. Wrong ones end in `SystemExit`."""
    original = argparse.ArgumentParser.parse_args

    def parse_args(self: argparse.ArgumentParser, *args: object) -> None:
        original(self, *args)  # type: ignore[call-overload]
        raise Parsed

    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(Parsed):
        patch.setattr(argparse.ArgumentParser, "parse_args", parse_args)
        assert main() == 0, "it neither parses its arguments nor takes these"


def require_known(words: Sequence[str], known: Sequence[str]) -> None:
    unknown = [word for word in words if word not in known]
    assert not unknown, f"{unknown} is none of {known}"


def check(program: str, words: list[str]) -> None:
    """Fail, or end in `SystemExit`, if a program does not take such arguments."""
    match program, words:
        case "poe", [task, *_]:
            tasks = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["poe"]["tasks"]
            assert task in tasks, task
        case "simt2simd", ["nvcc", *rest]:
            if "--help" not in rest:
                nvcc.job_of(read(rest, {}, nvcc.OURS))
        case "simt2simd", ["compile", *rest] if not any(word.endswith((".cu", ".o")) for word in rest):
            arguments.parse([*words, "FILE.cu"])  # a page speaks of the options
        case "simt2simd", ["gdb", *rest]:
            assert rest
        case "simt2simd", ["predict"]:  # a page speaks of the command
            arguments.parse([*words, "FILE.cu", "--stats-file", "FILE.json"])
        case "simt2simd", _:
            arguments.parse(words)
        case "-m apps", ["tables", *_]:
            parse(lambda: apps_main(words))
        case "-m apps", _:
            driver._parse([word for word in words if word != "NAME"])
        case "-m microbench", ["abstraction", *pairs]:
            from microbench.abstraction import sections

            require_known(pairs, [name for section in sections() for name in section.names])
        case "-m microbench", ["costs", *rest]:
            assert rest == []
        case "-m microbench", ["peers" | "unseen" | "libraries" | "conformance", *_]:
            parse(lambda: microbench_main(words))
        case "-m microbench", _:
            run._parse([word for word in words if word != "NAME"])
        case _:
            name = program.removeprefix("-m ")
            if (ROOT / name.replace(".", "/") / "__main__.py").exists():
                name += ".__main__"
            main = importlib.import_module(name).main
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(sys, "argv", [program, *words])
                parse(lambda: main(*([words] if main.__code__.co_argcount else [])))


@pytest.mark.parametrize("command", [pytest.param(each, id=f"{each.page.parent.name}-{each.text}") for each in ALL])
def test_a_command_of_a_page_is_one_that_there_is(
    command: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    if command.words[0] == "-m venv":
        return
    try:
        check(command.words[0], command.words[1:])
    except SystemExit as end:
        assert end.code in (0, None), f"{command.page}: {command.text}\n{capsys.readouterr().err}"


def files_of(command: Command) -> Iterator[str]:
    """Yield the files of ours that a command reads: those whose first folder is one of the repository's."""
    before = ""
    for word in command.words[1:]:
        name = word.split("=")[-1] if word.startswith("--") else word
        top = name.split("/")[0]
        ours = (ROOT / top).is_dir() and "/" in name and top != "build"
        if before not in WRITES and not name.startswith("-") and (ours or before == "--from"):
            yield name
        before = word


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_a_page_names_files_that_are_there(page: Path) -> None:
    """A command may also read what another one of the page writes."""
    written = {w for each in commands(page) for option, w in pairwise(each.words) if option in WRITES}
    for command in commands(page):
        for name in files_of(command):
            assert name in written or OWN.search(name) or list(ROOT.glob(name)), f"no {name}: {command.text}"
    for folder in {Path(name).parent for name in written}:
        assert folder.parts[:1] in ((), ("build",)) or (ROOT / folder).is_dir(), f"no folder {folder} to write to"


def test_pages_have_commands() -> None:
    """What finds them finds those in blocks, over two lines, behind a variable, and between backquotes."""
    texts = {command.text for command in ALL}
    assert len(ALL) > 100 and {"python -m microbench peers --list", "simt2simd compile apps/pc/pc.cu -o pc"} <= texts
    assert any("masks.cu" in text and "--disable=" in text for text in texts)


@pytest.mark.parametrize("text", ["python -m apps nn --quickly", "simt2simd compile x.cu --dump-ir=no", "poe nothing"])
def test_a_wrong_command_is_found(text: str) -> None:
    command = Command(ROOT / "README.md", text)
    with pytest.raises((SystemExit, AssertionError)):
        check(command.words[0], command.words[1:])


def test_recorded_figures_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two commands that only read records, as the pages have them."""
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(ROOT)
    page = (ROOT / "microbench" / "README.md").read_text()
    record = re.search(r"`python -m microbench --from (\S+) --plot figures`", page)
    assert record
    assert microbench_main(["barrier", "--from", record[1], "--plot", str(tmp_path)]) == 0
    assert [file.name for file in tmp_path.glob("*.svg")] == ["barrier.svg"]
    assert "python -m apps.report apps/results/*.json" in (ROOT / "apps" / "README.md").read_text()
    assert report.main([str(file) for file in sorted(ROOT.glob("apps/results/*.json"))]) == 0
    assert apps_main([]) == 0
