"""What `pip install` builds is all that there is."""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import setuptools
from setuptools import Extension

ROOT = Path(__file__).parents[1]


# What the top level may hold: a file beside these is a try that someone committed.
TOP_LEVEL = {
    *(".ci", ".github", ".gitignore", ".typings", "CONTRIBUTING.md", "LICENSE", "README.md", "mkdocs.yml"),
    *("pyproject.toml", "setup.py", "apps", "docs", "microbench", "runtime", "simt2simd", "tests"),
}


def tracked(folder: str = ".") -> list[str]:
    """Return the files of git's index, none where there is no checkout."""
    return subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True).stdout.split()


def extension(monkeypatch: pytest.MonkeyPatch) -> Extension:
    """Return what setup.py hands to setuptools."""
    given: list[Extension] = []
    monkeypatch.setattr(setuptools, "setup", lambda *, ext_modules: given.extend(ext_modules))
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py")
    (only,) = given
    return only


def test_the_extension_has_all_files_of_the_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    made = extension(monkeypatch)
    files = tracked("runtime")
    if not files:
        pytest.skip("no git checkout")
    assert set(made.sources) >= {"build/_runtime.c", *(name for name in files if name.endswith(".c"))}
    assert set(made.depends) >= {"runtime/build.py", *(name for name in files if name.endswith(".h"))}


def test_the_top_level_holds_what_every_project_has() -> None:
    assert {name.split("/")[0] for name in tracked()} <= TOP_LEVEL


def test_pyproject_names_no_file_of_the_runtime() -> None:
    assert not re.search(r"runtime/[\w/]+\.[ch]\b", (ROOT / "pyproject.toml").read_text())


def test_the_package_has_all_headers() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["simt2simd"]
    package = ROOT / "simt2simd"
    taken = {path for pattern in patterns for path in package.glob(pattern)}
    files = {path for path in (package / "include").rglob("*") if path.is_file()}
    assert sorted(path.name for path in files - taken) == [".clang-format", "README.md"]


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


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone in which nothing was built, as it is beside a package that `pip install .` has put elsewhere."""
    left_out = shutil.ignore_patterns("_native", "_runtime*.so", "__pycache__")
    shutil.copytree(ROOT / "simt2simd", tmp_path / "clone" / "simt2simd", ignore=left_out)
    (tmp_path / "clone" / "k.cu").write_text("__global__ void k(int *a) { a[0] = 1; }\nint main() { return 0; }\n")
    return tmp_path / "clone"


def said(clone: Path, *python: str, installed: Path | None = None) -> str:
    """Return what Python prints on stderr when it runs in the clone and fails."""
    folders = {"PYTHONPATH": str(installed)} if installed else {}
    command = [sys.executable, *python]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, env={**os.environ, **folders})
    assert done.returncode == 1 and done.stdout == ""
    return done.stderr


def test_a_clone_that_hides_the_installed_package_says_so(clone: Path, tmp_path: Path) -> None:
    compiling = ("-m", "simt2simd", "compile", "k.cu")
    here = f"the runtime is not built in '{clone / 'simt2simd'}'"
    build = f"install the package from there, which compiles it: `pip install -e {clone}`"
    assert said(clone, *compiling) == f"simt2simd: error: {here}\nhelp: {build}\n"
    installed = tmp_path / "site" / "simt2simd"
    (installed / "_native").mkdir(parents=True)
    (installed / "_native" / "libs2s.a").touch()
    assert said(clone, *compiling, installed=installed.parent) == (
        f"simt2simd: error: {here}, which Python takes in place of the installed package, '{installed}'\n"
        f"help: run the command from another folder, or {build}\n"
    )


def test_an_extension_that_cannot_be_loaded_is_not_called_missing(clone: Path) -> None:
    (clone / "simt2simd" / "_runtime.abi3.so").write_text("no library")
    launching = "from simt2simd.runtime import configure; configure(threads=1)"
    last = said(clone, "-c", launching).splitlines()[-1]
    assert "cannot load '" in last and "_runtime.abi3.so'" in last and "not built" not in last
