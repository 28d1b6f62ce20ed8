"""Modules and files of the runtime say under which terms the field knows what they do; the glossary says the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import simt2simd

PACKAGE = Path(simt2simd.__file__).parent
GLOSSARY = PACKAGE.parent / "docs" / "glossary.md"
SECTION = re.compile(r"^### `([\w/]+)/`\n\n\| module \| known as \|\n\| --- \| --- \|\n((?:\|.*\n)+)", re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)
FOLDERS = ("transform", "transform/traversals", "transform/nested_launches", "mapping", "analysis", "analysis/stack")
RUNTIME = PACKAGE.parent / "runtime"
SUFFIXES = {".c", ".cuh", ".h", ".md", ".py"}
WITHOUT = {"mapping": {"first_threads", "plans"}}  # words of this project alone, and a record


def in_glossary() -> dict[tuple[str, str], str]:
    text = GLOSSARY.read_text(encoding="utf-8") + "\n"
    return {(folder, name): term for folder, rows in SECTION.findall(text) for name, term in ROW.findall(rows)}


def in_modules() -> dict[tuple[str, str], str]:
    found = {}
    for folder in FOLDERS:
        for file in sorted((PACKAGE / folder).glob("*.py")):
            text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
            known = re.search(r"^\*\*Known as:\*\* (.+?)\.$", text, re.MULTILINE | re.DOTALL)
            if known:
                found[folder, file.stem] = " ".join(known[1].split())
    return found


def in_runtime() -> dict[tuple[str, str], str]:
    found = {}
    for file in sorted(RUNTIME.glob("*/*.c")):
        comment = file.read_text(encoding="utf-8").partition("*/")[0]
        text = re.sub(r"^ ?/?\* ?", "", comment, flags=re.MULTILINE)
        known = re.search(r"^Known as: (.+?)\.\s*(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
        assert known or "Known as" not in comment, f"{file.name}: not a paragraph of its own, or no full stop"
        if known:
            found[f"runtime/{file.parent.name}", file.stem] = " ".join(known[1].split())
    return found


def test_the_glossary_says_what_modules_say() -> None:
    modules, runtime = in_modules(), in_runtime()
    assert modules
    assert runtime
    assert modules | runtime == in_glossary()


def test_the_scheduler_is_found_by_the_words_of_the_field() -> None:
    """Work stealing and its like: what an engineer of schedulers searches for first."""
    text = " ".join(in_runtime().values())
    for term in ("work stealing", "self-scheduling", "spin-then-park", "event count", "deadlock", "red zones"):
        assert term in text


def test_every_rewrite_and_every_decision_has_a_term_of_the_field() -> None:
    known = in_modules()
    for folder in FOLDERS[:4]:
        names = {file.stem for file in (PACKAGE / folder).glob("*.py")} - {"__init__"} - WITHOUT.get(folder, set())
        assert names == {name for where, name in known if where == folder}


def test_a_module_of_rewrites_defines_the_pass_of_its_name() -> None:
    for folder in FOLDERS[:3]:
        for file in sorted((PACKAGE / folder).glob("*.py")):
            defined = [node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)]
            assert file.stem == "__init__" or file.stem in defined, file


def test_no_private_word_names_a_module() -> None:
    names = {file.stem for file in PACKAGE.rglob("*.py")}
    private = "claims families hoist lone_threads new_names own_rows parting partings patience settled_reads"
    assert not names & set(private.split())


# Private words in code, comments, docs and messages, and the field's words.
PRIVATE = {
    r"nobody|somebody|whoever": "no thread, no caller; the subject by its name",
    r"(?:goes|go|going|went) on": "continue, resume, make progress",
    r"told|tells apart|tell apart|cannot tell|can tell": "reported, known, distinguish",
    r"at hand": "available, current",
    r"comes? to (?:a|an|the|it|its|that|this|them)": "reach, call, become",
    r"stands (?:in|for|before|after|there|where)|stood": "be in, denote, precede",
    r"foresees?|foreseen": "predict, prefetch",
    r"hangs? on|its kin|brings? about": "depend on, and the like, cause",
}


def test_private_words_do_not_return() -> None:
    pattern = re.compile(rf"\b(?:{'|'.join(PRIVATE)})\b", re.IGNORECASE)
    root = PACKAGE.parent
    files = [root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").glob("*.md")]
    files += [file for folder in (PACKAGE, RUNTIME) for file in folder.rglob("*") if file.suffix in SUFFIXES]
    found = []
    for file in files:
        if "_native" not in file.parts:  # copies of `runtime/`
            text = re.sub(r"\n\s*(?:\*|#|//)?\s*", " ", file.read_text(encoding="utf-8"))  # phrases span lines
            places = (text[max(0, match.start() - 40) : match.end()] for match in pattern.finditer(text))
            found += [f"{file.relative_to(root)}: {place}" for place in places]
    assert found == []
