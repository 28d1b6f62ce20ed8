"""CONTRIBUTING.md names the files of common changes: such changes are made in a copy of the sources, and compared.

What names a file also names what is in it: where an item of a list begins with a file, the names between backquotes
in its first sentence occur there.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from apps.common.chapters import CHAPTERS
from simt2simd.lang.builtins import SERVICES
from simt2simd.report import listings
from simt2simd.tree.companions import Role

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
SLOW = pytest.mark.slow("contributing")
PLACEHOLDER = re.compile(r"NAME|MODULE|PASS|DIR")


def section(title: str) -> str:
    """Return the text below the heading that begins so."""
    found = re.search(rf"^### {re.escape(title)}[^\n]*\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def paths(text: str) -> list[str]:
    """Return the files and folders that a text names, from the top folder."""
    names = re.findall(r"`((?:simt2simd|tests|runtime|apps|docs|microbench)/[\w./-]*)`", text)
    return [name for name in names if not PLACEHOLDER.search(name)]


def steps(text: str) -> list[str]:
    """Return the items of the numbered list."""
    return [
        " ".join(item.split()) for item in re.findall(r"^\d\. (.*?)(?=^\d\. |^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    ]


def test_the_files_are_there() -> None:
    assert [path for path in paths(TEXT) if not (ROOT / path).exists()] == []
    assert len(paths(TEXT)) > 60


def named_in_files() -> Iterator[tuple[str, str]]:
    """Yield the names that steps mention after a file, with the file."""
    for step in steps(TEXT[TEXT.index("## Changes and") :]):
        file = re.match(r"`([\w./]+\.\w+)`: ", step)
        for name in re.findall(r"`(\w+)`", step.split(". ")[0]) if file else ():
            if not PLACEHOLDER.search(name):
                yield file[1], name  # type: ignore[index]
    for name, path in re.findall(r"`(\w+)` in `([\w./]+\.py)`", TEXT):
        yield path, name


def test_what_is_named_in_a_file_is_there() -> None:
    found = list(named_in_files())
    assert [pair for pair in found if pair[1] not in (ROOT / pair[0]).read_text()] == []
    assert len(found) > 15


def test_the_tests_are_there() -> None:
    defined = {name for file in ROOT.glob("tests/*.py") for name in re.findall(r"def (test_\w+)", file.read_text())}
    files = {file.stem for file in ROOT.glob("tests/*.py")}
    named = {name for name in re.findall(r"\b(test_\w+)\b", TEXT) if name != "test_MODULE"}
    assert named - defined - files == set() and len(named & defined) >= 8


# ------------------------------------------------------------------------------------------- what needs no copy


def exhaustive(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the functions that go through all kinds of statements: a `match` that ends in `assert_never`."""
    for file in sorted(folder.rglob("*.py")):
        for function in ast.walk(ast.parse(file.read_text())):
            if isinstance(function, ast.FunctionDef):
                for match in ast.walk(function):
                    if isinstance(match, ast.Match) and "Evaluate" in classes(match) and ends_never(match):
                        yield file.relative_to(ROOT).as_posix(), function.name


def classes(match: ast.Match) -> set[str]:
    patterns = (node.cls for case in match.cases for node in ast.walk(case.pattern) if isinstance(node, ast.MatchClass))
    return {node.attr if isinstance(node, ast.Attribute) else node.id for node in patterns}  # type: ignore[attr-defined]


def ends_never(match: ast.Match) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "assert_never" for node in ast.walk(match.cases[-1]))


def statement_table() -> list[tuple[str, str]]:
    return re.findall(r"^\| `([\w/]+\.py)` \| `(\w+)` \|", section("A kind of statement"), re.MULTILINE)


def test_the_functions_that_know_all_statements() -> None:
    assert sorted(exhaustive(ROOT / "simt2simd")) == sorted(statement_table())


def test_functions_of_the_runtime_are_declared_and_called() -> None:
    header, called = ((next(ROOT.glob(f"runtime/**/{name}"))).read_text() for name in ("s2s.h", "called.h"))
    names = re.findall(r"\bX\((\w+)\)", called)
    assert "S2S_CALLED" in called and [name for name in names if not re.search(rf"\bs2s_{name}\b", header)] == []
    assert {"malloc", "strlen"} <= SERVICES & set(names)
    headers = "".join(file.read_text() for file in ROOT.glob("runtime/**/*.h"))
    assert all(
        re.search(rf"\b{name}\b", headers) for name in re.findall(r"`(s2s_[a-z_]+)`", section("A function of the"))
    )


def test_ptx_instructions_stand_where_the_page_says() -> None:
    files = (ROOT / "simt2simd" / "frontend").rglob("*.py")
    defining = {file.relative_to(ROOT).as_posix() for file in files if re.search(r"def do_\w+\(", file.read_text())}
    assert defining == set(paths(section("A PTX instruction"))) - {"tests/test_ptx.py"}


def test_every_decision_is_printed() -> None:
    assert "listings" in section("A decision") and Path(listings.__file__).exists()
    for name in re.findall(r"`(available_loads|row_streams)`", section("A decision")):
        files = [
            file for file in (ROOT / "simt2simd/lower").rglob("*.py") if re.search(rf"\b{name}\b", file.read_text())
        ]
        assert len(files) == 3, f"{name} in {files}"


def test_no_stage_between_a_companion_and_the_runtime_names_it() -> None:
    kinds = [role.__name__ for role in Role.__subclasses__() if role.kind is not None]
    files = [*(ROOT / "simt2simd/lower").rglob("*.py"), ROOT / "simt2simd/abi.py"]
    assert kinds and [(file, name) for file in files for name in kinds if name in file.read_text()] == []
    named = paths(section("A kernel that launches run"))
    assert "simt2simd/tree/companions.py" in named and "runtime/include/s2s.h" in named


def test_applications_have_the_files_of_the_page() -> None:
    for name in (name for chapter in CHAPTERS for name in chapter.names):
        missing = [
            f for f in (f"{name}.cu", "run.py", "README.md", "__init__.py") if not (ROOT / "apps" / name / f).exists()
        ]
        assert not missing, f"apps/{name}: {missing}"


def test_a_page_of_docs_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text()
    assert [page.name for page in ROOT.glob("docs/*.md") if f" {page.name}\n" not in menu] == []


# ---------------------------------------------------------------------------------------------- in a copy


@dataclass(frozen=True)
class Edit:
    """Text that a step adds to a file, after a line that is there once."""

    file: str
    after: str
    text: str


INTEGER = (
    Edit("simt2simd/lang/builtins.py", '_INTEGER = """\n', "__thrice thrice int(int)\n"),
    Edit(
        "simt2simd/interp/ops.py",
        '    "dp4a": _integer(_dot_4_bytes),\n',
        '    "thrice": _integer(lambda bits, signed: lambda x: wrap(3 * x, bits, signed)),\n',
    ),
    Edit("simt2simd/simd/integers.py", "INTEGER_OPS = frozenset(\n", '    "thrice "\n'),
    Edit(
        "simt2simd/simd/integers.py",
        "            return _dp4a(b, x, y, z, signed)\n",
        '        case "thrice":\n            return b.mul(x, const(type_, 3))\n',
    ),
    Edit(
        "tests/test_arith.py",
        "INTEGER_CASES: list[IntegerCase] = [\n",
        '    ("thrice", (INT,), INT, lambda x: wrap(3 * x, INT)),\n',
    ),
)
MATH = (
    Edit(
        "simt2simd/lang/builtins.py", '_MATH = """\n', "triple triple T(T) double float\ntriplef triple float(float)\n"
    ),
    Edit("simt2simd/interp/math.py", "    **_BINARY,\n", '    "triple": lambda x: 3.0 * x,\n'),
    Edit("simt2simd/vmath/dispatch.py", '    "normcdfinv": cuda.normcdfinv,\n', '    "triple": cuda.triple,\n'),
    Edit(
        "simt2simd/vmath/cuda.py",
        "    return _in_double(_erfcinv, y, options)\n",
        "\n\ndef triple(x: Num, options: Options) -> Num:\n    return x + x + x\n",
    ),
    Edit(
        "tests/test_interp.py",
        '        ("rcbrt", lambda x: 1 / mpmath.cbrt(x), 0.0, 99.0),\n',
        '        ("triple", lambda x: 3 * x, 0.0, 99.0),\n',
    ),
    Edit("tests/long_double.py", "_SPECIAL: dict[str, Callable[..., Array]] = {\n", '    "triple": lambda x: 3 * x,\n'),
    Edit("tests/test_vmath.py", "BOUNDS = {\n", '    "triple": (1, 1),\n'),
)
STATEMENT = Edit(
    "simt2simd/tree/nodes.py",
    "Jump = Break | Continue | Return\n",
    "\n\n@dataclass(frozen=True, eq=False, slots=True)\nclass Assert:\n    span: Span = field(repr=False)\n\n\n",
)
FIRST = 1  # how many edits of a change are its first step
REWRITE = '''"""Changes nothing."""

from ..tree.nodes import Module


def nothing(module: Module) -> Module:
    return module
'''


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what a change touches."""
    for name in ("simt2simd", "tests", ".typings"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "CONTRIBUTING.md"):
        shutil.copy2(ROOT / name, tmp_path / name)
    for name in ("apps", "microbench", "runtime"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def make(copy: Path, edits: Sequence[Edit]) -> None:
    for edit in edits:
        text = (copy / edit.file).read_text()
        assert text.count(edit.after) == 1, edit
        (copy / edit.file).write_text(text.replace(edit.after, edit.after + edit.text))


def python(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the modules and the tests of the copy."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(copy), str(copy / "tests")])}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=copy, env=environment)


def failing(copy: Path, *tests: str) -> set[str]:
    """Return the names of the tests that fail in the copy, without their parameters."""
    done = python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rfE", "--tb=no", *tests)
    assert done.returncode in (0, 1) and " passed" in done.stdout, done.stdout + done.stderr
    return set(re.findall(r"^FAILED \S*?::(\w+)", done.stdout, re.MULTILINE))


FUNCTIONS = (
    "tests/test_interp.py::test_every_builtin_has_an_operation_of_its_types",
    "tests/test_interp.py::test_our_own_functions_are_accurate",
    "tests/test_vmath.py::test_every_builtin_has_code",
    "tests/test_arith.py::test_every_integer_and_conversion_builtin_is_covered",
)


def table_of_tests(text: str) -> dict[str, set[str]]:
    """Return the tests that a table says to fail without a step."""
    rows = re.findall(r"^\| (\d) \| (.*) \|$", text, re.MULTILINE)
    return {step: set(re.findall(r"`(\w+)`", names)) for step, names in rows}


@SLOW
def test_a_function_on_integers_and_one_of_mathematics(copy: Path) -> None:
    integer, math = section("A built-in function on integers"), section("A math function")
    table = table_of_tests(integer)
    assert {edit.file for edit in INTEGER} == set(paths(" ".join(steps(integer))))
    assert {edit.file for edit in MATH} <= set(paths(" ".join(steps(math))))
    make(copy, [*INTEGER[:FIRST], *MATH[:FIRST]])
    assert failing(copy, *FUNCTIONS) == table["2"] | table["3"]
    make(copy, [edit for edit in (*INTEGER[FIRST:], *MATH[FIRST:]) if edit.file != "tests/test_arith.py"])
    assert failing(copy, *FUNCTIONS) == table["4"]
    make(copy, [edit for edit in INTEGER if edit.file == "tests/test_arith.py"])
    assert failing(copy, *FUNCTIONS) == set()


@SLOW
def test_what_mypy_says_of_a_statement_a_decision_and_a_target(copy: Path) -> None:
    """The three changes are made at once: each error is of one of them."""
    make(copy, [STATEMENT])
    replace(copy / "simt2simd/mapping/plans.py", "    choices: Mapping", "    nothing: int\n    choices: Mapping")
    replace(copy / STATEMENT.file, "\nStmt = ", "\nStmt = Assert | ")
    replace(copy / "simt2simd/target.py", 'family: Literal["x86"]', 'family: Literal["x86", "new"]')
    if (ROOT / ".mypy_cache").exists():
        shutil.copytree(ROOT / ".mypy_cache", copy / ".mypy_cache")
    done = subprocess.run([sys.executable, "-m", "mypy", "simt2simd"], capture_output=True, text=True, cwd=copy)
    errors = re.findall(r"^(\S+?):(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    of_statement = sorted(
        (file, function_at(copy / file, int(line))) for file, line, text in errors if "Assert" in text
    )
    assert of_statement == sorted(statement_table())
    assert [file for file, _, text in errors if "Plans" in text] == ["simt2simd/pipeline/stages.py"]
    assert [file for file, _, text in errors if "'new'" in text] == ["simt2simd/simd/instructions.py"]
    assert len(errors) == len(of_statement) + 2, done.stdout


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1, old
    file.write_text(text.replace(old, new))


def function_at(file: Path, line: int) -> str:
    """Return the name of the innermost function that has a line."""
    functions = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef)]
    return max((f for f in functions if f.lineno <= line <= (f.end_lineno or 0)), key=lambda f: f.lineno).name


@SLOW
def test_a_rewrite(copy: Path) -> None:
    table = table_of_tests(section("A rewrite of the tree"))
    (copy / "simt2simd/transform/nothing.py").write_text(REWRITE)
    stages = copy / "simt2simd/pipeline/stages.py"
    text = stages.read_text()
    row = re.search(r"^    rewriting\(\n        results.LOOP_INVARIANT_MOTION,\n", text, re.MULTILINE)
    assert row
    new = '    rewriting(results.NOTHING, nothing, "nothing; for a test"),\n'
    before = 'LOAD_COMBINING = Result[Module]("load-combining")\n'
    make(copy, [Edit("simt2simd/pipeline/results.py", before, 'NOTHING = Result[Module]("nothing")\n')])
    text = text[: row.start()] + new + text[row.start() :]
    stages.write_text(
        text.replace("from ..transform.outline", "from ..transform.nothing import nothing\nfrom ..transform.outline")
    )
    assert python(copy, "-c", "import test_differential").stderr.endswith("KeyError: 'nothing'\n")
    make(copy, [Edit("tests/test_differential.py", "AT_WORK = {\n", '    "nothing": "functions/places.cu",\n')])
    tests = (
        "tests/test_trees.py::test_every_pass_has_a_tree",
        "tests/test_architecture.py",
        "tests/test_differential.py::test_an_optimisation_can_be_switched_off",
        "tests/test_words.py",
    )
    assert failing(copy, *tests, "-k", "nothing or has_a_tree or the_page or of_the_field") == set().union(
        *table.values()
    )


@SLOW
def test_an_application(tmp_path: Path) -> None:
    text = section("An application")
    (tmp_path / "tests").mkdir()
    shutil.copytree(ROOT / "apps", tmp_path / "apps", ignore=shutil.ignore_patterns("results", "papers", "__pycache__"))
    shutil.copytree(ROOT / "apps/papers", tmp_path / "apps/papers", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("test_apps_driver.py", "conftest.py"):
        shutil.copy2(ROOT / "tests" / name, tmp_path / "tests" / name)
    shutil.copy2(ROOT / "pyproject.toml", tmp_path)
    folder = tmp_path / "apps" / "nothing"
    folder.mkdir()
    for name, words in {
        "run.py": "",
        "bs.cu": "",
        "README.md": "# nothing\n",
        "__init__.py": '"""Does nothing."""\n',
    }.items():
        source = (ROOT / "apps/bs" / name).read_text()
        (folder / name.replace("bs", "nothing")).write_text(
            words or source.replace('"bs"', '"nothing"').replace("bs.cu", "nothing.cu")
        )
    assert "nothing" in python(tmp_path, "-m", "apps").stdout
    test = "test_readme_has_every_application_under_its_chapter"
    assert test in text and failing(tmp_path, "tests/test_apps_driver.py", "-k", "readme_has or all_stands") == {test}
    make(tmp_path, [Edit("apps/common/chapters.py", 'Chapter("Random forests", (', '"nothing", ')])
    assert failing(tmp_path, "tests/test_apps_driver.py", "-k", "readme_has or all_stands") == {test}
    head = "### Random forests\n\n| application | question | pattern |\n| --- | --- | --- |\n"
    make(tmp_path, [Edit("apps/README.md", head, "| [nothing](nothing/README.md) | | |\n")])
    assert failing(tmp_path, "tests/test_apps_driver.py", "-k", "readme_has or all_stands") == set()
