"""What pages say holds: their links lead somewhere, their programs compile, and print what stands below them.

In `docs/` and in README.md,

    ```cuda title="NAME"       is a file that the page's commands find
    ```console                 is commands, each after a `$ `, with what they print on either stream
    ```python                  is run; what it prints is the comments after its `print(...)`

In what a command prints, `...` matches anything. `pytest tests/test_docs.py --update-golden` writes the gallery, and
the outputs that have changed; read them before you commit them.

What the compiler says of a program depends on the CPU: it is compared on one with AVX-512, as the pages say.
"""

from __future__ import annotations

import ast
import json
import os
import posixpath
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from simt2simd.command import cli
from simt2simd.diag import CompileError
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.lang.unsupported import UNSUPPORTED_FUNCTIONS, UNSUPPORTED_TYPES
from simt2simd.options import Options
from simt2simd.source import Source
from simt2simd.target import AVX512, cpu_features

ROOT = Path(__file__).parent.parent
DOCS = sorted((ROOT / "docs").glob("*.md"))
WITH_PROGRAMS = [ROOT / "README.md", *DOCS]
PATTERNS = ("*.md", "docs/*.md", "apps/**/*.md", "microbench/**/*.md", "simt2simd/*.md", "tests/**/*.md")
PAGES = sorted(page for pattern in PATTERNS for page in ROOT.glob(pattern))

SLOW = {  # pages whose programs take long, with the reason
    "builds": "CMake looks at the compiler",
    "first-kernels": "eight programs",
    "messages": "the C++ compiler sees each program; a test below asks the checker alone",
    "remarks": "programs that count",
}

FENCE = re.compile(r"^```(?P<words>[^\n]*)\n(?P<text>.*?)^```[ ]*$", re.DOTALL | re.MULTILINE)
TITLE = re.compile(r'title="([^"]+)"')
LINK = re.compile(r"\]\((?P<to>[^)\s]+)\)")  # also of an image within a link
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)
FIGURE = re.compile(r"!\[(?P<name>[^]]*)\]\((?P<to>[^)]+\.svg)\)")


def shown(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def of_pages(pages: list[Path]) -> list[object]:
    marks = {name: pytest.mark.slow(f"page-{name}") for name in SLOW}
    return [pytest.param(page, id=shown(page), marks=marks.get(page.stem, ())) for page in pages]


# ------------------------------------------------------------------------------------------------------ links


def anchor(heading: str) -> str:
    """Return the name that GitHub gives to a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


@cache
def anchors(page: Path) -> set[str]:
    found: set[str] = set()
    for heading in HEADING.findall(FENCE.sub("", page.read_text())):
        name = anchor(heading)
        while name in found:
            stem, _, number = name.rpartition("-")
            name = f"{stem}-{int(number) + 1}" if number.isdigit() and stem in found else f"{name}-1"
        found.add(name)
    return found


def broken(page: Path, text: str) -> Iterator[str]:
    """Yield the links of a page that lead nowhere."""
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
    for to in LINK.findall(prose):
        if re.match(r"[a-z]+:", to):
            continue
        path, _, name = to.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (name and name not in anchors(target / "README.md" if target.is_dir() else target)):
            yield to


@pytest.mark.parametrize("page", of_pages(PAGES))
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken(page, page.read_text())) == []


@pytest.mark.parametrize("page", of_pages(PAGES))
def test_no_paragraph_stands_twice(page: Path) -> None:
    paragraphs = [part.strip() for part in FENCE.sub("", page.read_text()).split("\n\n") if len(part.strip()) > 150]
    assert {part for part in paragraphs if paragraphs.count(part) > 1} == set()


def test_a_broken_link_is_found() -> None:
    page = ROOT / "README.md"
    text = "[a](docs/nothing.md) [b](#nothing) [c](docs/memory.md#nothing) [d](docs/memory.md#bounds) [e](apps)"
    assert list(broken(page, text)) == ["docs/nothing.md", "#nothing", "docs/memory.md#nothing"]


def test_every_page_of_docs_is_reached_from_its_first_one() -> None:
    reached, todo = set[Path](), [ROOT / "docs" / "index.md"]
    while todo:
        page = todo.pop()
        if page not in reached and page.suffix == ".md" and page.exists():
            reached.add(page)
            todo += [(page.parent / to.partition("#")[0]).resolve() for to in LINK.findall(page.read_text())]
    assert set(DOCS) <= reached


@pytest.mark.parametrize(
    "page", of_pages([page for page in PAGES if page.name != "why.md"])
)  # sections of another page
def test_a_page_begins_with_what_it_is_about(page: Path) -> None:
    title, first = page.read_text().split("\n\n")[:2]
    assert title.startswith("# ") and re.match(r"\w|`\w|\[", first), first


def test_every_page_of_docs_stands_on_the_first_one() -> None:
    first = (ROOT / "docs" / "index.md").read_text()
    assert {page.name for page in DOCS} - set(LINK.findall(first)) == {"index.md"}


# --------------------------------------------------------------------------------------------------- programs


def files(page: Path) -> dict[str, str]:
    """Return the files that the commands of a page find."""
    titled = ((TITLE.search(block["words"]), block["text"]) for block in FENCE.finditer(page.read_text()))
    return {title[1]: text for title, text in titled if title}


def steps(text: str) -> list[tuple[str, str]]:
    """Split a console block into commands and outputs."""
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in re.split(r"^\$ ", text, flags=re.M)[1:]]


def consoles(page: Path) -> list[str]:
    return [block["text"] for block in FENCE.finditer(page.read_text()) if block["words"].strip() == "console"]


def run(command: str, capfd: pytest.CaptureFixture[str]) -> str:
    """Return what a command prints on either stream, in the order of a terminal."""
    if re.fullmatch(r"simt2simd compile [\w./ =-]*", command):  # in this process, which has loaded the compiler
        capfd.readouterr()
        cli.main(shlex.split(command)[1:])
        printed = capfd.readouterr()
        return printed.out + printed.err
    parts = command.split(" && ")
    if len(parts) > 1 and parts[0].startswith("simt2simd compile"):
        return run(parts[0], capfd) + run(" && ".join(parts[1:]), capfd)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("S2S_")}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment
    ):
        os.close(theirs)
        text = b""
        while part := read(ours):
            text += part
    os.close(ours)
    return text.decode().replace("\r\n", "\n")


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # what Linux says at the end
        return b""


def fits(printed: str, expected: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def kept(printed: str, expected: str) -> str:
    """Return what a command printed, but for lines that a line with `...` matches."""
    open_lines = [line for line in expected.splitlines() if "..." in line]
    lines = (next((each for each in open_lines if fits(line, each)), line) for line in printed.splitlines())
    return "".join(f"{line}\n" for line in lines)


def depends_on_cpu(command: str) -> bool:
    return any(option in command for option in ("--remarks", "--stats", "--listing"))


@pytest.mark.parametrize("page", of_pages([page for page in DOCS if consoles(page)]))
def test_programs_print_what_the_page_says(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files(page).items():
        Path(name).write_text(text)
    update = request.config.getoption("--update-golden")
    comparable = AVX512.required <= cpu_features()
    differ, whole = [], page.read_text()
    for console in consoles(page):
        counted, anew = False, ""
        for command, expected in steps(console):
            printed = run(command, capfd)
            counted |= depends_on_cpu(command)
            same = fits(printed, expected) or (counted and not comparable)
            differ += [] if same else [f"$ {command}\n{printed}\ninstead of\n{expected}"]
            anew += f"$ {command}\n{expected if same else kept(printed, expected)}"
        whole = whole.replace(f"```console\n{console}```", f"```console\n{anew}```")
    if update:
        page.write_text(whole)
    else:
        assert not differ, "\n".join(differ)


def test_a_wrong_output_is_found() -> None:
    assert fits("a 7 b\nc\n", "a ... b\nc\n") and not fits("a 7 b\nd\n", "a ... b\nc\n") and not fits("", "a\n")
    assert steps("$ a\n1\n2\n$ b\n") == [("a", "1\n2\n"), ("b", "")]
    assert kept("a 8 b\nd\n", "a ... b\nc\n") == "a ... b\nd\n"


EXAMPLES = sorted(
    {
        block["text"]
        for page in WITH_PROGRAMS
        for block in FENCE.finditer(page.read_text())
        if block["words"].strip() == "python"
    }
)


@pytest.mark.parametrize("example", [pytest.param(text, id=str(index)) for index, text in enumerate(EXAMPLES)])
def test_examples_in_python_print_what_they_say(example: str) -> None:
    expected = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True)
    assert expected and done.stdout.splitlines() == expected, done.stderr


def test_programs_of_pages_are_compiled() -> None:
    """Each file that a page gives a name is one that a command of the page names, or a build that it starts."""
    for page in WITH_PROGRAMS:
        commands = [command for console in consoles(page) for command, _ in steps(console)]
        build = files(page).get("CMakeLists.txt", "") if any("cmake" in command for command in commands) else ""
        unused = [name for name in files(page) if name not in " ".join(commands) + build + "CMakeLists.txt"]
        assert not unused, f"{shown(page)}: {unused}"


# -------------------------------------------------------------------------------------------- the pages as such


def test_what_the_readme_shows_is_tried_on_another_page() -> None:
    """Its programs, what they print, and its rows of results stand on pages of `docs/`, too, where they are run."""
    readme, docs = (ROOT / "README.md").read_text(), "".join(page.read_text() for page in DOCS)
    titled = {name: text for page in DOCS for name, text in files(page).items()}
    assert files(ROOT / "README.md") and all(titled[name] == text for name, text in files(ROOT / "README.md").items())
    assert all(step in steps("".join(map(everything, DOCS))) for step in steps("".join(consoles(ROOT / "README.md"))))
    rows = re.findall(r"^\|.*\|$", readme, re.MULTILINE)
    assert len(rows) > 5 and all(row in docs for row in rows)
    message = re.search(r"^\w+\.cu:.*?^help: .*?$", readme, re.MULTILINE | re.DOTALL)
    assert message and message[0] in docs


def test_results_are_those_of_the_record() -> None:
    """Each row beside other compilers has the numbers of one workload: our time, and the peers' in units of it."""
    page, record = ROOT / "docs" / "performance.md", ROOT / "microbench" / "results" / "peers-xeon-16.json"
    recorded: dict[str, dict[str, float]] = {}
    for one in json.loads(record.read_text()):
        if one.get("cores") == 16 and "ratio" in one:
            of_workload = recorded.setdefault(one["workload"], {"ms": one["ms_ours"], "us": one["ms_ours"] * 1000})
            of_workload[one["peer"]] = one["ratio"]
    rows = re.findall(
        r"^\|[^|]*\| ([\d.]+) (us|ms) \| ([\d.]*) ?\| ([\d.]*) ?\| ([\d.]*) ?\|$", page.read_text(), re.MULTILINE
    )
    assert len(rows) >= 9
    for time, unit, *ratios in rows:
        row = {unit: time, **{peer: x for peer, x in zip(("openmp", "limit", "ispc"), ratios, strict=True) if x}}
        assert any(all(agrees(x, found.get(key)) for key, x in row.items()) for found in recorded.values()), row


def agrees(shown: str, exact: float | None) -> bool:
    """Whether a number is what a page shows of it, rounded."""
    return exact is not None and abs(float(shown) - exact) <= 0.5001 * 10 ** -len(shown.partition(".")[2])


def everything(page: Path) -> str:
    return "".join(consoles(page))


def test_the_readme_is_one_page() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


def figures() -> Iterator[tuple[str, str, Path]]:
    """Yield each figure that a page shows: the section that it is in, the figure's name, its file."""
    for page in PAGES:
        text = page.read_text()
        for found in FIGURE.finditer(text):
            headings = HEADING.findall(FENCE.sub("", text[: found.start()]))
            section = f"#{anchor(headings[-1])}" if len(headings) > 1 else ""
            yield shown(page) + section, found["name"], (page.parent / found["to"]).resolve()


def gallery() -> str:
    text = "# Gallery\n\nThis page shows all figures. They come from records. "
    text += "Each leads to the page that explains it.\n"
    tops = {"microbench": "Measurements", "apps": "The papers' figures, measured here"}
    for top, title in tops.items():
        text += f"\n## {title}\n"
        for section, name, file in figures():
            if section.startswith(top):
                figure, to = (posixpath.relpath(each, "docs") for each in (shown(file), section))
                text += f"\n### {name[0].upper()}{name[1:]}\n\n[![{name}]({figure})]({to})\n"
    return text


def test_the_gallery_shows_every_figure(request: pytest.FixtureRequest) -> None:
    page = ROOT / "docs" / "gallery.md"
    if request.config.getoption("--update-golden"):
        page.write_text(gallery())
    assert page.read_text() == gallery()
    drawn = {*ROOT.glob("microbench/results/*.svg"), *ROOT.glob("apps/results/*.svg"), *ROOT.glob("apps/papers/*.svg")}
    assert {file for _, _, file in figures()} >= drawn


FALLBACKS = {  # what no program that we know of causes
    "bit-fields are not supported",
    "this expression is not supported: {}",
    "this initialiser is not supported for an object on the heap",
    "this template is not supported",
    "this type is not supported: {}",
    "modules are not supported",  # the C++ compiler refuses them, too
    "'{}' does not exist in CUDA",  # keywords of C
}


def refusals() -> set[str]:
    """Return the messages in the sources that name something as not supported, with `{}` for what they fill in."""
    found = set()
    for folder in ("frontend", "host"):
        for file in (ROOT / "simt2simd" / folder).rglob("*.py"):
            syntax = ast.parse(file.read_text())
            texts = [node for node in ast.walk(syntax) if isinstance(node, (ast.JoinedStr, ast.Constant))]
            inside = {id(part) for text in texts if isinstance(text, ast.JoinedStr) for part in text.values}
            for text in texts:
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                words = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
                if re.search(r"not supported|not exist in (device code|CUDA)", words) and id(text) not in inside:
                    found |= {words} if "\n" not in words and not words.startswith("Semantic") else set()
    return found


def test_the_page_of_refusals_has_all_of_them() -> None:
    page = (ROOT / "docs" / "messages.md").read_text()
    texts = refusals()
    assert len(texts) > 25
    missing = {text for text in texts if not re.search(re.escape(text).replace(r"\{\}", ".+"), page)}
    assert missing == FALLBACKS


def checked(name: str, text: str) -> str:
    try:
        check(parse(preprocess(Source(name, text), Options())))
    except CompileError as error:
        return "\n".join(map(str, error.diagnostics))
    return ""


def test_the_page_of_refusals_shows_what_the_checker_says() -> None:
    page = ROOT / "docs" / "messages.md"
    programs, outputs = files(page), [steps(console) for console in consoles(page)]
    assert len(programs) == len(outputs) > 30
    differ = []
    for (name, text), ((_, printed),) in zip(programs.items(), outputs, strict=True):
        if checked(name, text) != printed.rstrip("\n"):
            differ.append(name)
    assert differ == ["values.cu"]  # which launch stubs refuse


def test_the_page_of_refusals_has_all_names_with_their_help() -> None:
    page = (ROOT / "docs" / "messages.md").read_text().partition("## Names\n")[2]
    found: dict[str, str] = {}
    for names, help in re.findall(r"^\| (`.+`) \| (.+) \|$", page, re.MULTILINE):
        found |= dict.fromkeys(re.findall(r"`(\w+)`", names), help)
    assert found == {**UNSUPPORTED_TYPES, **UNSUPPORTED_FUNCTIONS}


def test_the_site_is_built(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "traversals.html").exists() and (tmp_path / "apps" / "index.html").exists()
