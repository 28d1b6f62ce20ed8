"""Which of the tests a run takes."""

from __future__ import annotations

import argparse
import functools
import subprocess
import sys
from dataclasses import replace

import conftest
import front
import pytest
from conftest import is_in, is_unoptimised, parse_slow, without_optimiser

from simt2simd.options import Options
from simt2simd.target import AVX2, AVX512


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


def test_what_is_compiled_without_the_optimiser(request: pytest.FixtureRequest, level: tuple[str, ...]) -> None:
    assert level == () and Options().optimise == 3
    shared = functools.cache(lambda: Options().optimise)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(front, "shared", shared, raising=False)
        for _ in range(2):
            assert shared() == 3
            with without_optimiser():
                assert shared() == 0 and Options() == replace(Options(), target=AVX512, check_ir=True)
                assert Options(optimise=2).optimise == 2
    request.node.add_marker(pytest.mark.unoptimised)
    assert [is_unoptimised(request.node, parse_slow(text)) for text in ("none", "2/5", "all")] == [True, False, False]


def test_a_file_without_the_optimiser_runs_with_it_in_one_shard() -> None:
    number = next(number for number in (1, 2) if is_in((number, 2), "tests/test_thrust.py"))
    for shard, found in ((f"{number}/2", True), (f"{3 - number}/2", False)):
        command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-m", "slow", "--slow", shard]
        done = subprocess.run([*command, "tests/test_thrust.py"], capture_output=True, text=True, check=False)
        assert ("test_generators_have" in done.stdout) is found, done.stdout
