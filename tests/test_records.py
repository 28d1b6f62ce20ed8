"""Records in the repository: from clean commits, not old, and such as the applications of today make."""

from __future__ import annotations

import datetime
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from apps.common.app import app_of, names
from apps.machine import CUDA

ROOT = Path(__file__).parent.parent
FILES = sorted([*ROOT.glob("apps/results/*.json"), *ROOT.glob("microbench/results/*.json")])
DAYS = 45


def machine_of(file: Path) -> dict[str, Any]:
    """Return the first item of a file of records, which says where, when and from which commit they were taken."""
    first: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))[0]
    return first


def head_date() -> datetime.date:
    """Return the date of HEAD; of a tree without git, today's."""
    git = ["git", "-C", str(ROOT), "show", "-s", "--format=%cs", "HEAD"]
    done = subprocess.run(git, capture_output=True, text=True, check=False)
    return datetime.date.fromisoformat(done.stdout.strip()) if done.returncode == 0 else datetime.date.today()


def fault_of(machine: dict[str, Any], head: datetime.date) -> str:
    """Return what is wrong with where records were taken; nothing if they are fresh and of a clean commit."""
    if not machine["commit"] or "-dirty" in machine["commit"]:
        return f"commit '{machine['commit']}': measure at a clean one"
    age = (head - datetime.date.fromisoformat(machine["date"])).days
    return f"{age} days older than HEAD; {DAYS} are allowed" if age > DAYS else ""


def test_dirty_and_old_records_are_found() -> None:
    head = datetime.date(2026, 3, 1)
    fine = {"commit": "0123456789ab", "date": "2026-01-15"}
    assert fault_of(fine, head) == ""
    assert "46 days older" in fault_of(fine | {"date": "2026-01-14"}, head)
    assert "clean" in fault_of(fine | {"commit": "0123456789ab-dirty"}, head)
    assert "clean" in fault_of(fine | {"commit": "a 0123456789ab-dirty, b 0123456789ac"}, head)
    assert "clean" in fault_of(fine | {"commit": ""}, head)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_records_are_fresh_and_of_a_clean_commit(file: Path) -> None:
    fault = fault_of(machine_of(file), head_date())
    assert not fault, f"{file.relative_to(ROOT)}: {fault}"


@pytest.mark.parametrize("file", sorted(ROOT.glob("apps/results/*.json")), ids=lambda file: file.name)
def test_every_record_is_of_something_that_there_is(file: Path) -> None:
    for record in json.loads(file.read_text(encoding="utf-8"))[1:]:
        if record["goal_ms"] is not None:
            continue
        assert record["app"] in names()
        variants = {variant.name: variant for variant in app_of(record["app"]).variants}
        assert record["variant"] in variants, f"{record['app']}, {record['variant']}"
        if record["target"] == CUDA:
            assert variants[record["variant"]].runner == "device"
