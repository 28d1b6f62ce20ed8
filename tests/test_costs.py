"""Every measurement that `costs.py` names can be taken again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import simt2simd.costs
from microbench import costs

NAMED = re.compile(r'"((?:read|write|atomic|two arms|/ of|fma|xor|expf)[^"]*)"')


@pytest.mark.slow
def test_all_rows_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "ROUNDS", 4)
    monkeypatch.setattr(costs, "RUNS", 1)
    found = dict(costs.measured())
    assert all(ns > 0 for ns in found.values())
    named = NAMED.findall(Path(simt2simd.costs.__file__).read_text())
    assert len(named) > 20 and set(named) <= set(found)


def test_no_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert costs.main(["fast"]) == 2
    assert "takes no arguments" in capsys.readouterr().out
