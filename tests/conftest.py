"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from simt2simd.target import Options


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the expected trees of tests/trees anew")


@pytest.fixture(scope="session", autouse=True)
def own_kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests, and the programs that they start, leave the user's kernel cache alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIMT2SIMD_CACHE_DIR", str(tmp_path_factory.mktemp("kernel-cache")))
        patch.delenv("SIMT2SIMD_CACHE_SIZE", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def laws_of_the_tree() -> Iterator[None]:
    """Whatever a test compiles in this process is checked after every pass, unless it says otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(Options.__init__.__kwdefaults__, "check_ir", True)
        yield
