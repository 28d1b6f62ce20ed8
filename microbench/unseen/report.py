"""Prints what was found out: the programs, those that failed, and the kernels that lose most."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from apps import harness
from apps.machine import Machine

from ..peers.report import duration
from .kernels import reasons, worst
from .records import RAN, Kernel, Result, Timing

WORST = 20
LINES = 5  # of a kernel
LEAST_LINE = 0.01  # of a kernel's time


def print_report(machine: Machine, results: Sequence[Result], of: int) -> None:
    """Print tables about programs; `of` is how many there were to do."""
    print(f"{machine.machine}, {machine.hardware_threads} hardware threads, {machine.date}, {machine.commit}")
    ran = [result for result in results if result.state == RAN]
    right = sum(result.checked for result in ran)
    print(f"{len(results)} of {of} programs: {len(ran)} ran, {right} of them say that their results are right")
    _print_programs(results)
    _print_worst(worst((kernel for result in results for kernel in result.kernels), WORST))
    _print_reasons([kernel for result in results for kernel in result.kernels])
    _print_troubles(results)


def _print_programs(results: Sequence[Result]) -> None:
    rows = [_row(result, timing) for result in results for timing in result.timings]
    if not rows:
        return
    print("\nprograms: least time of all runs; ratio: the peer's time / ours, above 1 ours is faster\n")
    header = ("program", "arguments", "results", "time of", "peer", "cores", "ours", "peer's", "ratio")
    harness.print_table(header, rows, left=5)
    print()
    for peer in dict.fromkeys(timing.peer for result in results for timing in result.timings if timing.peer):
        for cores in sorted({timing.cores for result in results for timing in result.timings}):
            ratios = [t.ratio for r in results for t in r.timings if (t.peer, t.cores) == (peer, cores) and t.ratio]
            if ratios:
                mean, slower = statistics.geometric_mean(ratios), sum(ratio < 1 for ratio in ratios)
                where = f"{cores} core{'s' if cores > 1 else ''}"
                print(f"{peer}, {where}: geometric mean {mean:.2f} of {len(ratios)} programs, slower in {slower}")


def _row(result: Result, timing: Timing) -> tuple[str, ...]:
    said = "right" if result.checked else "" if result.state == RAN else result.state.upper()
    theirs = "" if timing.theirs is None else duration(timing.theirs * 1e3)
    ratio = "" if timing.ratio is None else f"{timing.ratio:.2f}x"
    cells = (result.program, _short(result.arguments, 40), said, _short(timing.what, 40), timing.peer)
    return (*cells, str(timing.cores), duration(timing.ours * 1e3), theirs, ratio)


def _print_worst(kernels: Sequence[Kernel]) -> None:
    if not kernels:
        return
    print("\nworst kernels: parts of their estimated time, by the part of the program's time that is lost\n")
    kinds = ("gather", "scatter", "atomic", "divergent", "masked")
    rows = [
        (
            kernel.program,
            kernel.name,
            f"{kernel.file.rpartition('/')[2]}:{kernel.line}",
            f"{kernel.weight:.0%}",
            *(f"{kernel.lost[kind]:.0%}" if kernel.lost.get(kind, 0) >= 0.005 else "" for kind in kinds),
            f"{kernel.mean_lanes:.1f} of {kernel.lanes:.0f}",
            f"{kernel.of_program:.0%}",
        )
        for kernel in kernels
    ]
    harness.print_table(("program", "kernel", "line", "lost", *kinds, "lanes", "of program"), rows, left=3)
    for kernel in kernels:
        print(f"\n{kernel.program}, {kernel.name}:")
        for line in [line for line in kernel.lines if line.ns >= LEAST_LINE * kernel.ns][:LINES]:
            print(f"  {line.file.rpartition('/')[2]}:{line.line}: {duration(line.ns * 1e-6)}  {line.remark}")


def _print_reasons(kernels: Sequence[Kernel]) -> None:
    rows = [(_short(text, 90), str(count), f"{share:.0%}") for text, count, share in reasons(kernels)[:WORST]]
    if rows:
        print("\nwhat costs, over all programs: in how many it takes 5 % or more, and how much there\n")
        harness.print_table(("instruction", "programs", "of their time"), rows, left=1)


def _print_troubles(results: Sequence[Result]) -> None:
    rows = [(result.program, result.state, _short(result.said, 110)) for result in results if result.state != RAN]
    rows += [(result.program, "twin", _short(result.twin, 110)) for result in results if result.twin]
    for result in results:
        notes = dict.fromkeys(timing.note for timing in result.timings if timing.note and not timing.peer)
        rows += [(result.program, "twin", _short(note, 110)) for note in notes]
    if rows:
        print("\nnot measured, or wrong:\n")
        harness.print_table(("program", "", "why"), rows, left=3)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."
