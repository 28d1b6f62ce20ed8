"""What all tests share."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterator
from datetime import date
from tempfile import TemporaryDirectory

import pytest

from simt2simd.options import Options
from simt2simd.target import AVX512, cpu_features

SHARES = 100  # a run takes one of so many shares of the slow tests, by the day
LONG_FILES = (
    "test_differential",
    "test_cxx",
    "test_conformance",
    "test_apps_",
    "test_cub",
    "test_thrust",
    "test_vmath",
)
_DAY = "SIMT2SIMD_TEST_DAY"  # the same for all processes of a run, also of one that lasts past midnight


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slow",
        choices=("none", "share", "all"),
        default="share",
        help=f"which of the slow tests run: none, one of {SHARES} shares, chosen by the day (the default), or all",
    )
    parser.addoption("--update-golden", action="store_true", help="write the expected trees of tests/trees anew")


def pytest_configure(config: pytest.Config) -> None:
    os.environ.setdefault(_DAY, str(date.today().toordinal()))
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        _keep_bytecode_for_this_run(config)


def _keep_bytecode_for_this_run(config: pytest.Config) -> None:
    """Let the many Python processes of a run share compiled modules, in a folder that goes when it ends."""
    folder = TemporaryDirectory(prefix="bytecode-")
    config.add_cleanup(folder.cleanup)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder.name
    sys.dont_write_bytecode = False


def pytest_itemcollected(item: pytest.Item) -> None:
    """Run the tests of a file in one process, so that what they share is made once.

    Slow ones stand alone: few are of one file, and they share nothing.
    """
    if item.get_closest_marker("xdist_group") is None and item.get_closest_marker("slow") is None:
        item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests that are not for this run. A test that is asked for by its full name always runs.

    Of several processes none is to be at a long test at the end, when others have none left: the slow ones come first.
    """
    asked = config.getoption("--slow")
    left_out = {item for item in items if item.get_closest_marker("slow") and not _runs(item, asked, config.args)}
    if asked != "all" and not AVX512.required <= cpu_features():
        left_out |= {item for item in items if not _runs_on_older(item, config.args)}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def _runs(item: pytest.Item, asked: str, args: list[str]) -> bool:
    mark, name = item.get_closest_marker("slow"), item.nodeid.partition("@")[0]
    if asked == "all" or name in args:
        return True
    together = mark.args[0] if mark is not None and mark.args else name
    return asked == "share" and runs_on(together, int(os.environ[_DAY]))


def _runs_on_older(item: pytest.Item, args: list[str]) -> bool:
    """Whether a test runs today on a CPU without AVX-512, which takes twice as long: of the long files, a third does.

    Kernels of one file are compiled together, so they run on the same days.
    """
    name, file = item.nodeid.partition("@")[0], item.path.name
    if name in args or item.get_closest_marker("slow") or not file.startswith(LONG_FILES):
        return True
    group = item.get_closest_marker("xdist_group")
    together = name if group is None or group.args[0].startswith("tests/") else group.args[0]
    return zlib.crc32(together.encode()) % 3 == int(os.environ[_DAY]) % 3


def runs_on(name: str, day: int) -> bool:
    """Whether the slow tests of a name belong to the share of a day; each belongs to one day in `SHARES`."""
    return zlib.crc32(name.encode()) % SHARES == day % SHARES


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that executes AVX-512 code where the CPU has none: it would end the whole process."""
    if item.get_closest_marker("avx512") and (missing := AVX512.required - cpu_features()):
        pytest.skip(f"needs AVX-512: this CPU lacks {', '.join(sorted(missing))}")


@pytest.fixture(scope="session", autouse=True)
def own_kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests, and the programs that they start, leave the user's kernel cache alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIMT2SIMD_CACHE_DIR", str(tmp_path_factory.mktemp("kernel-cache")))
        patch.delenv("SIMT2SIMD_CACHE_SIZE", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_tables_of_what_was_counted() -> Iterator[None]:
    """Kernels that tests compile with `--stats` count, but nothing is printed when the tests end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("S2S_STATS", "0")
        yield


@pytest.fixture(scope="session", autouse=True)
def laws_of_the_tree() -> Iterator[None]:
    """Whatever a test compiles in this process is checked after every pass, unless it says otherwise."""
    defaults = Options.__init__.__kwdefaults__
    assert defaults is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(defaults, "check_ir", True)
        yield
