"""Which versions of a kernel there are: gangs along x, gangs that may span rows, gangs along y, wide gangs, tiles.

**Known as:** multiversioning.

A launch runs the version that suits the shape of its blocks. Every kernel has the first two; of the others, those that
are better for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace

from .. import costs
from ..analysis import pointer_chasing
from ..analysis.shapes import Instance, Shapes, kernel_instance, reachable
from ..analysis.storage import Storage
from ..lang.builtins import WARP_SIZE
from ..target import LANES, Axis
from ..tree.companions import RunsInStep, with_role
from ..tree.nodes import Function, Module
from ..tree.threads import thread_axes
from . import gang_width, reduction_bound, tiles
from .access_cost import access_costs
from .barrier_fission import Plan
from .gather_bound import Chasing, searching_loops

Versions = Mapping[str, tuple[Instance, ...]]  # by kernel


def candidates(
    module: Module,
    widths: Mapping[str, int],
    along_y: frozenset[str],
    warps: frozenset[str],
    tiled: frozenset[str],
    lanes: int | None,
) -> Versions:
    """Return the versions that each kernel may have; those along x come first. Companions have those of their rows.

    `widths`: of the gangs of kernels that can have other than 16 lanes. `along_y`: kernels whose gangs may lie along y.
    `warps`: kernels whose gangs are warps: they have no others. `tiled`: kernels whose gangs may be tiles.
    `lanes`: the width wherever there is a choice; None: those that are best.
    """
    found: dict[str, tuple[Instance, ...]] = {}
    in_step = {each.kernel: each.role for each in with_role(module.companions, RunsInStep)}
    for kernel in module.kernels:
        base = WARP_SIZE if kernel.name in warps else LANES
        versions = [kernel_instance(kernel, along, base) for along in ("x", "")]
        if kernel.name in along_y and kernel.name not in warps:
            versions.append(kernel_instance(kernel, "y"))
        wide = lanes or widths.get(kernel.name, LANES)
        if kernel.name in widths and kernel.name not in warps and wide != LANES:
            versions.append(kernel_instance(kernel, "x", wide))
        if kernel.name in tiled and kernel.name not in warps:
            versions += [kernel_instance(kernel, "xy", width) for width in _widths_of_tiles(kernel, widths, lanes)]
        if kernel.name in in_step:
            rows = in_step[kernel.name]
            versions = [v for v in versions if v.along == rows.along and rows.side in (None, v.lanes)]
        found[kernel.name] = tuple(versions)
    return found


def worth_keeping(module: Module, shapes: Shapes, warps: frozenset[str], lanes: int | None) -> Shapes:
    """Return the shapes of the versions that a kernel must have, and of others that are better."""
    chasing = searching_loops(module, pointer_chasing.find(module))
    in_step = with_role(module.companions, RunsInStep)
    owners = {each.kernel: each.of for each in in_step}
    rows = {each.of: each.role for each in in_step if each.role.along == "x"}

    def is_kept(version: Instance) -> bool:
        version = replace(version, name=owners.get(version.name, version.name))  # a companion goes with its kernel
        if version not in shapes.kernels[version.name]:  # which has no gangs as wide, by `--lanes`
            return False
        return (
            version.name in warps
            or (version.name in rows and version.along == "x" and _suits_rows(version, rows[version.name], shapes))
            or _is_kept(version, shapes, lanes, chasing)
        )

    kept = {name: tuple(filter(is_kept, versions)) for name, versions in shapes.kernels.items()}
    kept = {name: _with_one_tile(versions) for name, versions in kept.items()}
    return Shapes(shapes.storage, reachable(shapes.instances, itertools.chain.from_iterable(kept.values())), kept)


def _suits_rows(version: Instance, rows: RunsInStep, shapes: Shapes) -> bool:
    """Whether rows in step gain by a version, whose gangs are wide: its lanes stay together."""
    found = shapes.instances[version]
    if rows.side is not None:
        return rows.side == version.lanes and not found.divergent_loops
    return reduction_bound.is_steady(found, shapes.instances, shapes.storage)


def _widths_of_tiles(kernel: Function, widths: Mapping[str, int], lanes: int | None) -> list[int]:
    """Return how wide gangs that are tiles may be: not as narrow as can be where there is a choice.

    Then several registers have something to do while one waits, and the lanes of a tile are near to each other still.
    """
    if lanes is not None:
        return [lanes]
    return sorted({costs.SHORT_ROWS, widths[kernel.name]}) if kernel.name in widths else [LANES]


def _with_one_tile(versions: tuple[Instance, ...]) -> tuple[Instance, ...]:
    """Leave one version with tiles: gangs as wide as those along x, if these are wide; none beside gangs along y."""
    if any(version.along == "y" for version in versions):
        return tuple(version for version in versions if version.along != "xy")
    tiled = [version.lanes for version in versions if version.along == "xy"]
    widest = max((version.lanes for version in versions if version.along == "x"), default=0)
    chosen = widest if widest in tiled else min(tiled, default=0)
    return tuple(version for version in versions if version.along != "xy" or version.lanes == chosen)


def _is_kept(version: Instance, shapes: Shapes, lanes: int | None, chasing: Chasing) -> bool:
    if version.along == "y":
        return _is_better_along_y(version, shapes)
    if version.along == "xy":
        return tiles.pays(version, shapes)
    return (
        version.lanes == LANES
        or lanes is not None
        or gang_width.pays(shapes.instances[version], shapes.instances, shapes.storage, chasing)
    )


def along_y(module: Module, storage: Storage) -> frozenset[str]:
    """Return the kernels that use both axes of their blocks, and have no barriers: those are left as they are."""
    return frozenset(
        kernel.name
        for kernel in module.kernels
        if kernel.name not in storage.synchronising and thread_axes(kernel.body) >= {0, 1}
    )


def that_run(
    shapes: Shapes, divisions: Mapping[Instance, Plan | str], warps: frozenset[str], fibers: frozenset[str]
) -> dict[str, tuple[Instance, ...]]:
    """Return the versions that launches may use: all but wide gangs that would wait."""

    def runs(version: Instance) -> bool:
        divided = not isinstance(divisions.get(version, ""), str)
        waits = version.name in fibers or (version.name in shapes.storage.synchronising and not divided)
        return version.lanes == LANES or version.name in warps or not waits

    return {name: tuple(filter(runs, versions)) for name, versions in shapes.kernels.items()}


def _is_better_along_y(version: Instance, shapes: Shapes) -> bool:
    """Whether gangs along y access memory clearly better than gangs along x."""
    axes: tuple[Axis, ...] = ("x", "y")
    across, along = (access_costs(shapes.instances[replace(version, along=a)], shapes.storage) for a in axes)
    return along < costs.MUCH_BETTER * across
