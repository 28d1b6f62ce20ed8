"""Random kernels whose threads wait for each other leave the same in memory as plain C++ does."""

from __future__ import annotations

import shutil

import pytest
from divergent_waits.kernels import kernel
from divergent_waits.run import DEFAULT, INTERPRETER, VARIANTS, run

pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")


def test_random_kernels_whose_threads_wait_under_divergence() -> None:
    assert [*run(4, 0, 3, (DEFAULT, INTERPRETER))] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_random_kernels_whose_threads_wait_under_divergence(seed: int) -> None:
    assert [*run(seed, 0, 10, tuple(VARIANTS))] == []


def test_a_seed_and_a_number_name_a_kernel() -> None:
    assert kernel("3/4") == kernel("3/4") != kernel("3/5")
