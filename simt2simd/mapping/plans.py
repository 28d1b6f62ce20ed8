"""All that was chosen for a module, as data: each row of the pipeline that decides something fills in a field.

The lowering looks up; it weighs nothing itself but what hangs on code that it has just made (`choices`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..analysis.own_rows import OwnRows
from ..analysis.read_before import ReadBefore
from ..analysis.shapes import Instance
from ..analysis.waits import Waits
from ..analysis.warps import Warps
from ..target import LANES, Axis
from ..tree.nodes import Loop, RowGroup, Variable
from ..tree.shared_memory import SharedLayout
from .block_strips import Strips
from .first_threads import Prefix
from .fission import Plan, Region, Repeat
from .lane_loops import LastLanes
from .narrow_loops import NarrowLoop
from .partings import Partings
from .stack_walks import StackWalk
from .usual_size import UsualSize


@dataclass(frozen=True)
class Plans:
    """The decisions, looked up by kernel, by function instance, or by a node in one.

    `versions`: of each kernel, those that a launch may use. `rows`: of which kernels rows of a block run in step, or
    columns, by the axis of the gangs.
    `strips`: how neighbouring blocks run together, by the axis of the gangs and by kernel. `running_axes`: of kernels
    with idle axes, how many are not. `ragged_rows`: kernels whose gangs need not divide the rows that they lie in.
    `divisible`: along which axes blocks of kernels may be divided.
    `independent`: kernels whose blocks do not wait for one another. `warps`: the kernels whose gangs are warps, and
    where lanes gather in them. `waits`: the loops whose rounds are counted. `fibers`: functions of kernels whose
    threads wait for each other. `divisions`: a kernel's version that is divided at its barriers, or why it is not.
    `first_threads` and `register_arrays`: regions and loops of divided kernels. `walks`: function instances that become
    loops over a stack. `single_lane`: what serves a call for one lane. `last_lanes`, `narrow_loops`: loops, each in an
    instance, that hand lanes over to another function. `shared`: the layout of shared memory. `partings`: where lanes
    of a gang may wait apart from the others. `families`: kernels that may launch children, and whether they have
    events. `read_before`: by function, the reads that need no load. `own_rows`: by function, the loops in which lanes
    go along rows of their own. `usual_sizes`: the blocks for which divided kernels have code of their own. `choices`:
    whether the lowering may do what it decides on the spot, by name.
    """

    versions: Mapping[str, tuple[Instance, ...]]
    rows: Mapping[tuple[str, Axis], RowGroup]
    strips: Mapping[Axis, Mapping[str, Strips]]
    running_axes: Mapping[str, int]
    ragged_rows: frozenset[str]
    divisible: Mapping[str, frozenset[Axis]]
    independent: frozenset[str]
    warps: Warps
    waits: Waits
    fibers: frozenset[str]
    divisions: Mapping[Instance, Plan | str]
    first_threads: Mapping[Region, Prefix]
    register_arrays: Mapping[Repeat, tuple[Variable, ...]]
    walks: Mapping[Instance, StackWalk]
    single_lane: Mapping[Instance, Instance]
    last_lanes: Mapping[tuple[Instance, Loop], LastLanes]
    narrow_loops: Mapping[tuple[Instance, Loop], NarrowLoop]
    shared: SharedLayout
    partings: Partings
    families: Mapping[str, bool]
    read_before: Mapping[str, ReadBefore]
    own_rows: Mapping[str, Mapping[Loop, OwnRows]]
    usual_sizes: Mapping[Instance, UsualSize]
    choices: Mapping[str, bool]

    def group_of(self, companion: str) -> RowGroup | None:
        """Return how a companion runs rows in step; None of other functions."""
        return next((group for group in self.rows.values() if companion in group.functions.values()), None)

    def is_ragged(self, version: Instance) -> bool:
        """Whether gangs of a version of a kernel lie in rows, or columns, that they need not divide."""
        return version.name in self.ragged_rows and version.along in ("x", "y") and version.lanes == LANES

    def division(self, version: Instance) -> Plan | None:
        """Return how a version of a kernel is divided at its barriers, if it is."""
        found = self.divisions.get(version)
        return None if isinstance(found, str) else found

    def why_whole(self, version: Instance) -> str:
        """Return why a version of a kernel with barriers is not divided at them. Assumes that it is not."""
        found = self.divisions.get(version)
        return found if isinstance(found, str) else "--verify and --disable=fission leave kernels whole"

    def strips_of(self, version: Instance) -> Strips | None:
        """Return how neighbouring blocks run together in a version of a kernel, if they do."""
        if version.along not in ("x", "y") or self.division(version) is not None:
            return None
        return self.strips.get(version.along, {}).get(version.name)
