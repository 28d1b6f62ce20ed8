"""Which of the tests a run takes."""

from __future__ import annotations

from collections import Counter

import conftest
import pytest
from conftest import SHARES, runs_on

from simt2simd.target import AVX2


def test_each_slow_test_runs_once_in_as_many_days_as_there_are_shares() -> None:
    tests = [f"tests/test_x.py::test_y[{number}]" for number in range(10_000)]
    days = {test: [day for day in range(2 * SHARES) if runs_on(test, day)] for test in tests}
    assert all(len(found) == 2 and found[1] - found[0] == SHARES for found in days.values())
    shares = Counter(found[0] for found in days.values())
    assert len(shares) == SHARES and min(shares.values()) > 5000 // SHARES


def test_what_needs_avx512_is_skipped_without_it(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "cpu_features", lambda: AVX2.required)
    conftest.pytest_runtest_setup(request.node)
    request.node.add_marker(pytest.mark.avx512)
    with pytest.raises(pytest.skip.Exception, match=r"this CPU lacks avx512bw, .*, avx512vl"):
        conftest.pytest_runtest_setup(request.node)
