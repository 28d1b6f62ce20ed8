"""Damaged programs: a few of `mutate`'s, and that it finds what it looks for."""

from __future__ import annotations

import os
import random
from pathlib import Path

import mutate
import pytest

from simt2simd import pipeline


def test_mutants_end_with_success_or_messages(tmp_path: Path) -> None:
    report = mutate.campaign(8, count=100, keep=tmp_path)
    assert report.done == 100
    assert not report.faults, report.files


def test_the_same_number_gives_the_same_mutant() -> None:
    assert [mutate.mutant(3, n) for n in range(20)] == [mutate.mutant(3, n) for n in range(20)]
    assert mutate.mutant(3, 1).text != mutate.mutant(4, 1).text


def test_each_change_changes_something() -> None:
    text = mutate.programs()[0].read_bytes()
    for change in mutate.CHANGES:
        assert any(change(text, random.Random(n)) != text for n in range(10)), change.__name__
        change(b"", random.Random(1))


def test_a_fault_is_found_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("a surprise")

    monkeypatch.setattr(pipeline, "compile_device", broken)
    report = mutate.campaign(1, count=5, keep=tmp_path)
    assert sum(report.faults.values()) == 5
    ((name, files),) = report.files.items()
    assert name.startswith("ValueError at test_mutate.py") and len(files) == mutate.FILES_PER_FAULT
    assert "a surprise" in files[0].with_suffix(".txt").read_text() and files[0].read_bytes()


def test_a_hang_and_a_crash_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(damaged: mutate.Mutant, *, whole: bool) -> None:
        if damaged.number == 0:
            os._exit(3)
        while True:
            pass

    monkeypatch.setattr(mutate, "run", stuck)
    monkeypatch.setattr(mutate, "CPU_LIMIT_S", 0.2)
    report = mutate.campaign(1, count=2)
    assert dict(report.faults) == {"the process ended with exit code 3": 1, "more than 0.2 s of CPU": 1}
