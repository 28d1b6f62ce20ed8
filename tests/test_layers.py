"""A package imports only from packages that come before it in the order in which data flows."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib
from collections.abc import Container, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import simt2simd

PACKAGE = Path(simt2simd.__file__).parent

# The order of the pipeline: what each package takes comes from above. Modules of the top folder are listed by name.
# `name: others` says which of the rows above a row imports from, directly.
TABLE = """
source:
diag:           source
target:         diag
options:        target
costs:
access:         target costs
lang:           source
tree:           source diag lang
abi:            lang
frontend:       source diag options lang tree abi
link:           source diag options lang tree abi
host:           source diag lang abi
interp:         source diag lang tree
analysis:       source target lang tree
transform:      source diag options costs lang tree frontend analysis
mapping:        target costs access lang tree analysis
report:         source diag target costs lang tree analysis mapping
simd:           target costs access lang
vmath:          target options lang simd
lower:          source diag target options costs access lang tree abi analysis mapping report simd vmath
codegen:        options costs simd
predict:
runtime:        diag
pipeline:       source diag target options lang tree frontend link analysis transform mapping report lower codegen
python:         source diag target options lang tree abi runtime pipeline
command:        source diag target options lang tree abi frontend link host report predict runtime pipeline python
__init__:       diag runtime python
__main__:       command
"""

FRONTEND = ["text", "parse", "sema"]  # its folders, in the order in which a file goes through them
LIES = {"Along", "LANES", "MAX_LANES"}  # of `target`: how the threads of an instance lie in a gang, which it says
DEEPEST = 6  # classes of ours that one may inherit from, itself included

ALLOWED = {row.partition(":")[0].strip(): set(row.partition(":")[2].split()) for row in TABLE.strip().splitlines()}


def files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    """Return the row of the table in which a file stands: its package, or the module itself."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Return the rows of the table that a file imports from, type-checking imports included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.ImportFrom(level=0, module=str(module)) if module.split(".")[0] == "simt2simd":
                names = module.split(".")[1:]
            case ast.ImportFrom(level=level, module=module) if level > 0:
                parents = path.relative_to(PACKAGE).parts[:-level]
                names = [*parents, *(module.split(".") if module else [])]
            case _:
                continue
        found |= {names[0]} if names else {alias.name for alias in node.names}
    return found - {room(path), "_runtime"}  # the extension module, made by runtime/build.py


def test_every_file_has_a_row() -> None:
    assert {room(path) for path in files()} == set(ALLOWED)


def test_rows_import_from_above() -> None:
    rows = list(ALLOWED)
    assert [
        (row, other)
        for i, row in enumerate(rows)
        for other in sorted(ALLOWED[row])
        if other not in rows[:i]
    ] == []  # fmt: skip


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_are_in_the_table(path: Path) -> None:
    assert imported(path) - ALLOWED[room(path)] - {"__version__"} == set()


def test_the_table_allows_no_more_than_is_used() -> None:
    used = {row: set().union(*(imported(path) for path in files() if room(path) == row)) for row in ALLOWED}
    assert {row: sorted(ALLOWED[row] - used[row]) for row in ALLOWED if ALLOWED[row] - used[row]} == {}


def name_of(path: Path) -> str:
    """Return the name by which a module is imported."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a module holds, without what only a type checker reads."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from statements(child)


def imported_modules(path: Path, modules: Container[str]) -> set[str]:
    """Return the modules that a module imports when it runs, imports inside functions included."""
    package = name_of(path).split(".") if path.name == "__init__.py" else name_of(path).split(".")[:-1]
    found: set[str] = set()
    for node in statements(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            inside = package[: len(package) - node.level + 1] if node.level else []
            whole = ".".join([*inside, *([node.module] if node.module else [])])
            for alias in node.names:
                found.add(inner if (inner := f"{whole}.{alias.name}") in modules else whole)
    return found - {name_of(path)}


def test_no_modules_import_one_another_in_a_circle() -> None:
    modules = {name_of(path): path for path in files()}
    edges = {name: imported_modules(path, modules) & modules.keys() for name, path in modules.items()}
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as fault:
        pytest.fail(" <- ".join(fault.args[1]))


def test_folders_of_the_front_end_import_from_earlier_ones() -> None:
    modules = {
        name_of(path): path for path in files() if room(path) == "frontend" and len(name_of(path).split(".")) > 2
    }
    assert {name.split(".")[2] for name in modules} == set(FRONTEND)
    wrong = []
    for name, path in modules.items():
        later = FRONTEND[FRONTEND.index(name.split(".")[2]) + 1 :]
        wrong += [
            (name, other)
            for other in imported_modules(path, modules)
            if other in modules and other.split(".")[2] in later
        ]
    assert wrong == []


def classes() -> list[type]:
    """Return the classes of the product. The modules that only gdb can run are left out."""
    modules = [
        importlib.import_module(name_of(path)) for path in files() if path.stem not in ("__main__", "gdb_threads")
    ]
    return [one for m in modules for one in vars(m).values() if isinstance(one, type) and one.__module__ == m.__name__]


def own(one: type) -> list[type]:
    """Return the classes of ours that a class inherits from, itself included."""
    return [base for base in one.__mro__ if base.__module__.startswith("simt2simd")]


def test_no_class_inherits_through_many() -> None:
    assert {one.__qualname__: len(own(one)) for one in classes() if len(own(one)) > DEEPEST} == {}


def test_no_method_is_declared_only_to_be_defined_elsewhere() -> None:
    said = PACKAGE / "simd" / "instructions.py"  # in prose
    assert [str(path) for path in files() if path != said and "NotImplementedError" in path.read_text()] == []


# The records that all stages know, and the file of each.
RECORDS = {
    "Options": "options.py",
    "Module": "tree/nodes.py",
    "Function": "tree/nodes.py",
    "Plans": "mapping/plans.py",
    "Job": "command/job.py",
    "HostFlags": "command/toolchain.py",
}


@pytest.mark.parametrize("record", RECORDS)
def test_each_field_of_a_record_has_a_comment(record: str) -> None:
    """It ends the field's line, or stands on the line before it."""
    text = (PACKAGE / RECORDS[record]).read_text()
    lines = text.split("\n")
    fields = [
        node
        for one in ast.walk(ast.parse(text))
        if isinstance(one, ast.ClassDef) and one.name == record
        for node in one.body
        if isinstance(node, ast.AnnAssign)
    ]
    bare = [
        lines[field.lineno - 1].strip()
        for field in fields
        if not ("#" in lines[field.lineno - 1] or lines[field.lineno - 2].lstrip().startswith("#"))
    ]
    assert fields and bare == []


def test_sema_changes_state_for_a_while_in_one_way() -> None:
    """`restoring` gives fields their values back: no `finally` of a checker's part does so itself."""
    sema = PACKAGE / "frontend" / "sema"
    found = [
        f"{path.relative_to(sema)}:{node.lineno}"
        for path in sorted(sema.rglob("*.py"))
        if path.name != "restore.py"
        for block in ast.walk(ast.parse(path.read_text()))
        if isinstance(block, ast.Try)
        for node in block.finalbody
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Tuple | ast.Subscript)
        if any(isinstance(part, ast.Attribute) for part in ast.walk(node.targets[0]))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("library", "rows"),
    [
        ("pycparser", {"frontend"}),
        ("pcpp", {"frontend"}),
        ("cffi", {"runtime"}),
        ("llvmlite", {"simd", "vmath", "lower", "codegen"}),
    ],
)
def test_libraries_stay_in_their_rooms(library: str, rows: set[str]) -> None:
    found = {
        room(path)
        for path in files()
        if f"import {library}" in path.read_text() or f"from {library}" in path.read_text()
    }
    assert found <= rows


def names_from(path: Path, module: str) -> set[str]:
    """Return the names that a file imports from a module, which it names relative to its own package."""
    nodes = ast.walk(ast.parse(path.read_text()))
    found = [node.names for node in nodes if isinstance(node, ast.ImportFrom) and node.module == module and node.level]
    return {alias.name for names in found for alias in names}


def test_the_analysis_knows_of_a_target_only_how_threads_lie_in_lanes() -> None:
    used = {path.name: names_from(path, "target") - LIES for path in (PACKAGE / "analysis").rglob("*.py")}
    assert {name: names for name, names in used.items() if names} == {}


def test_the_mapping_chooses_or_estimates() -> None:
    """A module of the mapping makes what a pass decides, or weighs in nanoseconds; `plans` holds the decisions."""
    passes = (PACKAGE / "pipeline" / name for name in ("stages.py", "by_options.py"))
    decides = {"plans"}.union(*(names_from(path, "mapping") for path in passes))
    weighs = {path.stem for path in (PACKAGE / "mapping").glob("*.py") if "costs" in imported(path)}
    modules = {path.stem for path in (PACKAGE / "mapping").glob("*.py")} - {"__init__"}
    assert modules - decides - weighs == set()


def test_the_package_installs_with_the_libraries_that_it_imports() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"]
    listed = {re.split(r"[^\w-]", text)[0] for text in project["dependencies"]}
    trees = [ast.parse(path.read_text()) for path in files()]
    nodes = [node for top in trees for node in ast.walk(top)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level and node.module}
    found = {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"simt2simd"}
    inside = {"gdb", "rich"}  # gdb itself runs `command/gdb_threads`; without `rich` text is plain
    assert found - inside | {"cffi"} == listed  # the extension module imports cffi
