"""What `.typings` says of packages without types of their own is there, in the version that is installed."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

TYPINGS = Path(__file__).parent.parent / ".typings"
STUBS = {
    ".".join(path.relative_to(TYPINGS).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(TYPINGS.rglob("*.pyi"))
    if path.stem != "gdb"  # only gdb has it: tests/test_debug runs what uses it
}


@pytest.mark.parametrize("module", STUBS)
def test_everything_in_a_stub_exists(module: str) -> None:
    """Functions, classes and methods, that is; an object's attributes show only when there is one."""
    real = importlib.import_module(module)
    assert list(_missing(ast.parse(STUBS[module].read_text()).body, real)) == []


def _missing(body: list[ast.stmt], owner: object) -> Iterator[str]:
    """Yield what is declared and `owner` lacks. (A class whose name begins with `_` serves only to say a type.)"""
    for node in body:
        match node:
            case ast.ClassDef(name=name) if name.startswith("_"):
                continue
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                if not hasattr(owner, name):
                    yield name
                elif isinstance(node, ast.ClassDef):
                    yield from (f"{name}.{inner}" for inner in _missing(node.body, getattr(owner, name)))
