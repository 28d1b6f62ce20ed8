"""The chapters into which the applications are sorted, in the order in which they are listed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    """Applications with something in common."""

    title: str
    names: tuple[str, ...]


CHAPTERS = (
    Chapter("Traversals", ("pc", "nn", "knn", "vp", "bh", "bs")),
    Chapter("Iterative and graphs", ("bfs", "hotspot", "pathfinder", "gaussian", "distance", "levenshtein")),
    Chapter("Two classics", ("bh6", "rtree")),
    Chapter("Nested parallelism", ("sssp", "spmv", "pagerank", "coloring", "bfs_rec")),
    Chapter("Parallel traversal, single data", ("mc", "td", "sort")),
    Chapter("Random forests", ("forest",)),
)


def by_chapter(names: Iterable[str]) -> list[Chapter]:
    """Return the chapters that have some of the applications, with only these; the last one is of those in none."""
    left = sorted(names)
    found = []
    for chapter in CHAPTERS:
        own = tuple(name for name in chapter.names if name in left)
        found.append(Chapter(chapter.title, own))
        left = [name for name in left if name not in own]
    return [chapter for chapter in (*found, Chapter("In no chapter", tuple(left))) if chapter.names]
