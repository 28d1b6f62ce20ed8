"""The tables of Burtscher and Pingali, of Yang et al., and of sorts: their formulae, and pages made of records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apps.harness import Record
from apps.machine import CUDA, Machine
from apps.papers import burtscher, page, sorting, yang
from apps.papers.measured import Measured, Source, of_machine
from apps.papers.table import GPU, Key, PaperTable

MACHINE = Machine("This CPU", 16, "A GPU, driver 1", 0.0, "Linux", "2026-01-02", "abc", {"avx512": "c"}, {})
COUNTS = {"cells": 1e6, "levels": 1e7, "visits": 2e8, "pulls": 1e8}


def table(tables: tuple[PaperTable, ...], name: str) -> PaperTable:
    return next(each for each in tables if each.name == name)


def record(key: Key, ms: float, **fields: Any) -> Record:
    target = CUDA if key.on == GPU else "avx512"
    parameters = {**dict(key.parameters)}
    return Record(key.app, key.input, key.order, key.variant, target, key.on, ms, True, parameters=parameters, **fields)


def measured(of: PaperTable, ms: dict[str, float], **fields: Any) -> Measured:
    """Return records of all that a table needs, on 1 and 16 cores and a GPU; times are by variant, over the cores."""
    keys = [key for each in of.needs for key in (*each.cpu_keys((1, 16)), *each.gpu_keys())]
    records = [record(key, ms[key.variant] / (key.on or 100), **fields) for key in dict.fromkeys(keys)]
    source = Source(Path("all.json"), MACHINE, tuple(records))
    return of_machine(of.needs, [source], source.place)


def text(of: PaperTable, found: Measured) -> str:
    return page.text_of(of, found, "", "again")


PARTS = dict.fromkeys(burtscher.KERNELS, 1.0)
BARNES = {"auto": 100.0, "serial": 1000.0, "all-pairs": 4000.0, "counted": 100.0}


def test_amounts_are_those_of_the_formulae() -> None:
    found = burtscher.amounts(1_000_000, COUNTS)
    assert (found["box"].flops, found["box"].bytes) == (6e6, 12e6)
    assert (found["tree"].flops, found["tree"].bytes) == (7e7, 4e7 + 12e6 + 4 * 2e6 + 4e7)
    assert (found["sums"].flops, found["sums"].bytes) == (7 * 1999999 + 3e6, 16 * 1999999 + 4 * 999999 + 52e6)
    assert (found["sort"].flops, found["sort"].bytes) == (0, 36e6 + 8 * 999999 + 4e6)
    assert (found["forces"].flops, found["forces"].bytes) == (32 * 3e9, 16 * 2e8 + 4e8 + 28e6)
    assert (found["move"].flops, found["move"].bytes) == (15e6, 60e6)
    assert burtscher.amount_of_all_pairs(257).flops == 19 * 257**2
    assert burtscher.amount_of_all_pairs(257).bytes == 16 * 257 * 2 + 28 * 257


def test_table_62_compares_kernels_with_serial_ones() -> None:
    of = table(burtscher.TABLES, "burtscher-6.2")
    found = text(of, measured(of, BARNES, parts=PARTS))
    assert "| 5,000,000 | C++, 1 core | 1.00 |" in found
    assert "| 5,000,000 | GPU | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 |" in found, "its parts"
    assert "| 5,000,000 | GPU | 1 | 1 | 1 | 1 | 1 | 1 | 1,000 |" in found, "against serial C++"
    assert "On the GPU, kernel 5 takes 100 % of a step of 5,000,000 bodies" in found
    assert "Missing" not in found


def test_table_63_divides_amounts_by_times() -> None:
    of = table(burtscher.TABLES, "burtscher-6.3")
    found = text(of, measured(of, BARNES, parts=PARTS, counts=COUNTS))
    assert "| 5,000,000 | GPU | 5: forces | 1.00 | 96 | 9.6e+04 | 3.74 | 3.74e+03 |" in found
    assert "| 500,000 | GPU | all pairs | 40.00 | 4.75e+03 | 1.19e+05 |" in found
    assert "| 5,000,000 | 16 cores | 6: move | 1.00 | 0.075 | 75 | 0.3 | 300 |" in found


def test_table_63_takes_counts_from_wherever_they_are() -> None:
    of = table(burtscher.TABLES, "burtscher-6.3")
    here = measured(of, BARNES, parts=PARTS)
    assert "| 5,000,000 | GPU | 5: forces |" not in text(of, here)
    there = measured(of, BARNES, parts=PARTS, counts=COUNTS).sources
    assert "| 5,000,000 | GPU | 5: forces |" in text(of, Measured(here.needs, here.sources, there, here.cores))


def test_figure_615_has_what_is_measured_and_says_what_is_not() -> None:
    of = table(burtscher.TABLES, "burtscher-6.15")
    whole = measured(of, BARNES, parts=PARTS)
    found = text(of, whole)
    assert "| 50,000,000 |  |  |  | 1.00 |  |  |  |" in found
    assert "| 50,000 | 1000.00 | 100.00 | 6.25 | 1.00 | 4000.00 | 250.00 | 40.00 |" in found
    assert "On the GPU, the kernels are as many times as fast as serial C++: 1,000 (5,000 bodies)" in found
    assert "A step of 50,000,000 bodies takes 0.00 s there." in found
    (source,) = whole.sources
    fewer = Source(source.file, source.machine, tuple(r for r in source.records if "50000000" not in r.input))
    found = text(of, of_machine(of.needs, [fewer], fewer.place))
    assert "| 50,000,000 |  |  |  | –[1] |  |  |  |" in found and "[1] not measured" in found


def test_yangs_figure_shows_the_best_stack_of_each_size() -> None:
    (of,) = yang.TABLES
    times = dict.fromkeys((*yang.FORMS, yang.OPENMP), 400.0) | {"w-stack": 200.0, "w-stack-16": 100.0, "openmp": 50.0}
    found = text(of, measured(of, times))
    assert "| 4096 | 4.00 | 4.00 | 2.00 | 4.00 | 4.00 | **1.00** | 4.00 | 4.00 | 4.00 |" in found
    assert "On the GPU, the best form is w-stack for N = 2 to 4096." in found
    assert "On 16 cores, the best form is openmp for N = 2 to 4096." in found
    assert "dumped when full, take the GPU 0.50 (N = 2) to 0.50 (N = 2) times as long as w-stack." in found


def test_sorts_are_compared_with_merge_sort() -> None:
    (of,) = sorting.TABLES
    times = {"simple": 600.0, "advanced": 300.0, "merge": 200.0, "std-sort": 100.0, "openmp": 100.0}
    found = text(of, measured(of, times, child_launches=12345))
    assert "| random:2000000 | GPU | 6.00 | 3.00 | 2.00 |  |  | 3.00 | 1.50 | 12,345 | 12,345 |" in found
    assert "| random:300000 | 16 cores | 37.50 | 18.75 | 12.50 | 100.00 | 6.25 | 3.00 | 1.50 |" in found
    assert "| advanced | GPU | 3.00 | 3.00 | 3.00 | 3.00 | 3.00 |" in found
    assert "On the GPU, advanced takes 1.5 to 1.5 times as long as merge sort, and simple 3 to 3 times." in found


@pytest.mark.parametrize("of", [*burtscher.TABLES, *yang.TABLES, *sorting.TABLES], ids=lambda of: str(of.name))
def test_pages_and_figures_are_made_of_records_or_none(of: PaperTable, tmp_path: Path) -> None:
    times = BARNES | dict.fromkeys((*yang.FORMS, "openmp", *sorting.DEVICE, "std-sort"), 100.0)
    files = page.write(of, measured(of, times, parts=PARTS, counts=COUNTS), tmp_path, "again")
    assert [file.suffix for file in files] == [".md", ".svg"]
    nothing = of_machine(of.needs, [], None)
    assert [file.suffix for file in page.write(of, nothing, tmp_path, "again")] == [".md"]
    assert "There are no records yet." in files[0].read_text()
