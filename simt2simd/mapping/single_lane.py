"""Which recursive functions continue in scalar code where a single lane enters them.

**Known as:** scalarisation of recursion for one active lane.
"""

from __future__ import annotations

from ..analysis.shapes import Instance, Shapes


def choose(shapes: Shapes) -> dict[Instance, Instance]:
    """Return what serves a call of a function instance for one lane: wherever the analysis has something else."""
    return {instance: inside.alone for instance, inside in shapes.instances.items() if inside.alone is not None}
