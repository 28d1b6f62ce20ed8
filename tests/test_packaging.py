"""What `pip install` builds is all that there is."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType
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


def backend() -> ModuleType:
    spec = importlib.util.spec_from_file_location("runtime_build", ROOT / "runtime" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("platform", "why"),
    [
        (("Linux", "x86_64", "glibc"), None),
        (("Darwin", "arm64", ""), "simt2simd makes programs for Linux: this is Darwin"),
        (("Windows", "AMD64", ""), "simt2simd makes programs for Linux: this is Windows"),
        (("Linux", "aarch64", "glibc"), "simt2simd makes code for x86-64 CPUs: this is aarch64"),
        (("Linux", "x86_64", ""), "simt2simd needs glibc"),
    ],
)
def test_platforms_that_cannot_work_are_named(platform: tuple[str, str, str], why: str | None) -> None:
    found = backend().unsupported(*platform)
    assert found is None if why is None else why in found


def test_a_wheel_names_the_oldest_glibc_that_it_runs_with(tmp_path: Path) -> None:
    library = tmp_path / "lib.so"
    library.write_bytes(b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.4\0")
    assert backend().platform_tag(library) == "manylinux_2_34_x86_64"
    library.write_bytes(b"\0GLIBC_2.2.5\0")
    assert backend().platform_tag(library) == "manylinux_2_22_x86_64"


def test_the_package_holds_all_that_the_build_makes() -> None:
    made = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["simt2simd"]
    native = ROOT / "simt2simd" / "_native"
    files = {path for path in native.rglob("*") if path.is_file()}
    assert files == {path for pattern in made for path in (ROOT / "simt2simd").glob(pattern)} & files
