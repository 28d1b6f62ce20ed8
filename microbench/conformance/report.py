"""Prints the verdicts about a suite: each check, how many of each, and the causes that most checks share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from apps import harness

from .verdict import LATE, OUTSIDE, PASSED, REFUSED, WRONG, Verdict, most_frequent

CAUSES = 15
_WIDTH = 100


def print_report(verdicts: Sequence[Verdict]) -> None:
    """Print the checks that did not pass, the most frequent causes, and how many there are of each verdict."""
    rows = [
        (verdict.name, verdict.state, verdict.cause[:_WIDTH])
        for verdict in verdicts
        if verdict.state not in (PASSED, OUTSIDE)
    ]
    if rows:
        print()
        harness.print_table(("check", "verdict", "first message"), rows, left=3)
        print("\nmost frequent causes\n")
        causes = most_frequent(verdicts, (REFUSED, WRONG, LATE))[:CAUSES]
        found = [(str(count), verdict.kind[:_WIDTH], verdict.name) for count, verdict in causes]
        harness.print_table(("checks", "cause", "such as"), found, left=3)
    print(f"\n{summary(verdicts)}")


def summary(verdicts: Sequence[Verdict]) -> str:
    """Return how many checks passed of those that are CUDA, and how many there are of each other verdict."""
    counts = Counter(verdict.state for verdict in verdicts)
    of = len(verdicts) - counts[OUTSIDE]
    share = f" ({100 * counts[PASSED] / of:.1f} %)" if of else ""
    others = [f"{counts[state]} {state}" for state in (REFUSED, WRONG, LATE, OUTSIDE) if counts[state]]
    return ", ".join((f"{counts[PASSED]} of {of} passed{share}", *others))
