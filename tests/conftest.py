"""What all tests share."""

from __future__ import annotations

import argparse
import functools
import gc
import os
import re
import sys
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from simt2simd.options import Options
from simt2simd.target import AVX512, cpu_features

TESTS = Path(__file__).parent
_SHARD = re.compile(r"([1-9]\d*)/([1-9]\d*)")


def parse_slow(text: str) -> tuple[int, int]:
    """Return (number, count) of the shard that `--slow` names: "none" is (0, 1), "all" is (1, 1), "2/5" is (2, 5)."""
    shard = _SHARD.fullmatch({"none": "", "all": "1/1"}.get(text, text))
    if shard is None and text != "none":
        raise argparse.ArgumentTypeError(f"expected none, all, or a shard such as 2/5, found '{text}'")
    number, count = (int(shard[1]), int(shard[2])) if shard else (0, 1)
    if number > count:
        raise argparse.ArgumentTypeError(f"there is no shard {number} of {count}")
    return number, count


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slow",
        type=parse_slow,
        default=(0, 1),
        metavar="none|all|K/N",
        help="which of the slow tests run, besides all others: none (the default), all, or shard K of N",
    )
    parser.addoption("--update-golden", action="store_true", help="write the expected trees of tests/trees anew")


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        _keep_bytecode_for_this_run(config)
    if not hasattr(config, "workerinput"):
        _keep_kernels_for_this_run(config)


def _keep_kernels_for_this_run(config: pytest.Config) -> None:
    """Let all processes of a run share a kernel cache of its own, and leave the user's alone."""
    folder = TemporaryDirectory(prefix="kernels-")
    config.add_cleanup(folder.cleanup)
    os.environ["SIMT2SIMD_CACHE_DIR"] = folder.name
    os.environ.pop("SIMT2SIMD_CACHE_SIZE", None)


def _keep_bytecode_for_this_run(config: pytest.Config) -> None:
    """Let the many Python processes of a run share compiled modules, in a folder that goes when it ends."""
    folder = TemporaryDirectory(prefix="bytecode-")
    config.add_cleanup(folder.cleanup)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder.name
    sys.dont_write_bytecode = False


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Make Python's collector leave alone what lives as long as the run: thousands of tests, and all modules."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(20_000, 20, 50)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Run the tests of a file in one process, so that what they share is made once.

    Slow ones stand alone: few are of one file, and they share nothing. What is compiled without LLVM's optimiser is a
    slow test, too, with it: each file in one shard.
    """
    file = item.nodeid.partition("::")[0]
    if item.get_closest_marker("xdist_group") is None and item.get_closest_marker("slow") is None:
        item.add_marker(pytest.mark.xdist_group(file))
    shard = item.config.getoption("--slow")
    if item.get_closest_marker("unoptimised") and item.get_closest_marker("slow") is None and is_in(shard, file):
        item.add_marker(pytest.mark.slow(file))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests that are not for this run. A test that is asked for by its full name always runs.

    Of several processes none is to be at a long test at the end, when others have none left: the slow ones come first.
    """
    shard = config.getoption("--slow")
    left_out = {item for item in items if item.get_closest_marker("slow") and not _runs(item, shard, config.args)}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def _runs(item: pytest.Item, shard: tuple[int, int], args: list[str]) -> bool:
    mark, name = item.get_closest_marker("slow"), item.nodeid.partition("@")[0]
    return name in args or is_in(shard, mark.args[0] if mark is not None and mark.args else name)


def is_in(shard: tuple[int, int], name: str) -> bool:
    """Whether the slow tests of a name belong to a shard, as `parse_slow` returns it."""
    number, count = shard
    return zlib.crc32(name.encode()) % count == number - 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that executes AVX-512 code where the CPU has none: it would end the whole process."""
    if item.get_closest_marker("avx512") and (missing := AVX512.required - cpu_features()):
        pytest.skip(f"needs AVX-512: this CPU lacks {', '.join(sorted(missing))}")


@pytest.fixture(scope="session", autouse=True)
def no_tables_of_what_was_counted() -> Iterator[None]:
    """Kernels that tests compile with `--stats` count, but nothing is printed when the tests end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("S2S_STATS", "0")
        yield


@pytest.fixture(scope="module", autouse=True)
def level(request: pytest.FixtureRequest) -> Iterator[tuple[str, ...]]:
    """Compile without LLVM's optimiser in files that are marked so, unless slow tests run or a test asks for a level.

    Yields the flags that do the same for what tests compile in processes of their own.
    """
    if is_unoptimised(request.node, request.config.getoption("--slow")):
        with without_optimiser():
            yield ("-O0",)
    else:
        yield ()


def is_unoptimised(node: pytest.Item | pytest.Module, shard: tuple[int, int]) -> bool:
    return shard[0] == 0 and node.get_closest_marker("unoptimised") is not None


@contextmanager
def without_optimiser() -> Iterator[None]:
    """Make 0 the default level. What modules beside the tests keep may be code of another level: it is made anew."""
    values = [0 if item.name == "optimise" else item.default for item in fields(Options) if not item.kw_only]
    _forget_what_files_share()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Options.__init__, "__defaults__", tuple(values))
        yield
    _forget_what_files_share()


def _forget_what_files_share() -> None:
    for module in list(sys.modules.values()):
        path = Path(getattr(module, "__file__", None) or "/")
        if TESTS in path.parents and not path.name.startswith("test_"):
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def laws_of_the_tree() -> Iterator[None]:
    """Whatever a test compiles in this process is checked after every pass, unless it says otherwise."""
    defaults = Options.__init__.__kwdefaults__
    assert defaults is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(defaults, "check_ir", True)
        yield
