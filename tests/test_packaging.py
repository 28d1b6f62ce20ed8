"""What `pip install` builds is all that there is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def extension() -> dict[str, Any]:
    (found,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["ext-modules"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    "key, pattern, made", [("sources", "*.c", "build/_runtime.c"), ("depends", "*.h", "runtime/build.py")]
)
def test_the_extension_has_all_files_of_the_runtime(key: str, pattern: str, made: str) -> None:
    files = [f"runtime/{path.name}" for path in (ROOT / "runtime").glob(pattern)]
    assert sorted(extension()[key]) == sorted([made, *files])
