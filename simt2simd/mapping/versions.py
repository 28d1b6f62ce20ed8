"""Which versions of a kernel there are: gangs along x, gangs that may span rows, gangs along y, wide gangs.

A launch runs the version that suits the shape of its blocks. Every kernel has the first two; of the others, those that
are better for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace

from ..analysis.access_cost import access_costs
from ..analysis.shapes import Instance, Shapes, kernel_instance, reachable
from ..analysis.storage import Storage
from ..costs import MUCH_BETTER
from ..target import LANES
from ..tree import nodes as tree
from ..tree.nodes import Function, Module
from ..tree.walk import walk
from . import gang_width
from .block_strips import Strips

Versions = Mapping[str, tuple[Instance, ...]]  # by kernel


def candidates(module: Module, storage: Storage, strips: Mapping[str, Strips], lanes: int | None) -> Versions:
    """Return the versions that each kernel may have; those along x come first.

    `strips`: how the blocks of kernels run together whose gangs lie along x. `lanes`: of the gangs of kernels that can
    have other than 16; None: those that are best.
    """
    widths = gang_width.possible(module, storage, strips)
    found: dict[str, tuple[Instance, ...]] = {}
    for kernel in module.kernels:
        versions = [kernel_instance(kernel, along) for along in ("x", "")]
        if _may_run_along_y(kernel, storage):
            versions.append(kernel_instance(kernel, "y"))
        if kernel.name in widths and lanes != LANES:
            versions.append(kernel_instance(kernel, "x", lanes or widths[kernel.name]))
        found[kernel.name] = tuple(versions)
    return found


def worth_keeping(shapes: Shapes, lanes: int | None) -> Shapes:
    """Return the shapes of the versions that every kernel has, and of the others that are better; `lanes` as above."""
    kept = {
        name: tuple(version for version in versions if _is_kept(version, shapes, lanes))
        for name, versions in shapes.kernels.items()
    }
    return Shapes(shapes.storage, reachable(shapes.instances, itertools.chain.from_iterable(kept.values())), kept)


def _is_kept(version: Instance, shapes: Shapes, lanes: int | None) -> bool:
    if version.along == "y":
        return _is_better_along_y(version, shapes)
    return (
        version.lanes == LANES
        or lanes is not None
        or gang_width.pays(shapes.instances[version], shapes.instances, shapes.storage)
    )


def _may_run_along_y(kernel: Function, storage: Storage) -> bool:
    """Whether a kernel uses both axes of its blocks, and has no barriers: those are left as they are."""
    axes = {node.axis for node in walk(kernel.body) if isinstance(node, tree.ThreadIndex) and node.name == "threadIdx"}
    return axes >= {0, 1} and kernel.name not in storage.synchronising


def _is_better_along_y(version: Instance, shapes: Shapes) -> bool:
    """Whether gangs along y access memory clearly better than gangs along x."""
    across, along = (access_costs(shapes.instances[replace(version, along=a)], shapes.storage) for a in "xy")
    return along < MUCH_BETTER * across
