"""Which of the tests a run takes."""

from __future__ import annotations

import argparse

import conftest
import pytest
from conftest import is_in, parse_slow

from simt2simd.target import AVX2


def test_each_slow_test_is_in_one_shard_and_shards_are_about_alike() -> None:
    tests = [f"tests/test_x.py::test_y[{number}]" for number in range(10_000)]
    for count in (1, 2, 7, 24):
        shards = [[test for test in tests if is_in((number + 1, count), test)] for number in range(count)]
        assert sorted(test for shard in shards for test in shard) == sorted(tests)
        assert min(map(len, shards)) > 0.8 * len(tests) / count
    assert not any(is_in((0, 1), test) for test in tests)


def test_what_slow_takes() -> None:
    assert [parse_slow(text) for text in ("none", "all", "2/5")] == [(0, 1), (1, 1), (2, 5)]
    for text, message in [
        ("share", "expected none, all, or a shard such as 2/5, found 'share'"),
        ("0/5", "expected none, all, or a shard such as 2/5, found '0/5'"),
        ("6/5", "there is no shard 6 of 5"),
        ("", "expected none, all, or a shard such as 2/5, found ''"),
    ]:
        with pytest.raises(argparse.ArgumentTypeError) as fault:
            parse_slow(text)
        assert str(fault.value) == message


def test_what_needs_avx512_is_skipped_without_it(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "cpu_features", lambda: AVX2.required)
    conftest.pytest_runtest_setup(request.node)
    request.node.add_marker(pytest.mark.avx512)
    with pytest.raises(pytest.skip.Exception, match=r"this CPU lacks avx512bw, .*, avx512vl"):
        conftest.pytest_runtest_setup(request.node)
