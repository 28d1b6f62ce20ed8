"""All that was chosen for a module, as data: each row of the pipeline that decides something fills in a field.

Beside the decisions are the facts that the lowering looks up: where lanes wait, which reads need no load.

The lowering looks up; it weighs nothing itself but what depends on code that it has just made (`choices`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..analysis.available_loads import AvailableLoads
from ..analysis.divergent_waits import DivergentWaits
from ..analysis.row_streams import RowStreams
from ..analysis.shapes import Instance
from ..analysis.spin_waits import Waits
from ..target import LANES, Axis
from ..tree.companions import Rows, RunsInStep
from ..tree.nodes import Loop, Variable
from ..tree.shared_memory import SharedLayout
from .barrier_fission import Plan, Region, Repeat
from .block_merging import Strips
from .block_size_specialisation import UsualBlock
from .first_threads import Prefix
from .lane_compaction import CompactedLoop
from .scalar_tail import ScalarTail
from .stack_walks import StackWalk
from .warps import Warps


@dataclass(frozen=True)
class Plans:
    """The decisions, looked up by kernel, by function instance, or by a node in one."""

    versions: Mapping[str, tuple[Instance, ...]]  # of each kernel, those that a launch may use
    rare: frozenset[Instance]  # versions that hardly a launch uses
    rows: Mapping[tuple[str, Axis], Rows]  # of kernels by the axis of their gangs: rows, or columns, run in step
    strips: Mapping[Axis, Mapping[str, Strips]]  # how neighbouring blocks run together, by axis and kernel
    running_axes: Mapping[str, int]  # of kernels with idle axes: how many are not
    partial_row_gangs: frozenset[str]  # kernels whose gangs need not divide the rows that they lie in
    divisible: Mapping[str, frozenset[Axis]]  # along which axes blocks of kernels may be divided
    independent: frozenset[str]  # kernels whose blocks do not wait for one another
    warps: Warps  # the kernels whose gangs are warps, and where lanes gather in them
    waits: Waits  # the loops whose iterations are counted
    fibers: frozenset[str]  # functions of kernels whose threads wait for each other
    divisions: Mapping[Instance, Plan | str]  # a version that is divided at its barriers, or why it is not
    first_threads: Mapping[Region, Prefix]  # regions of divided kernels that only the first threads run
    register_arrays: Mapping[Repeat, tuple[Variable, ...]]  # of loops of divided kernels
    walks: Mapping[Instance, StackWalk]  # function instances that become loops over a stack
    single_lane: Mapping[Instance, Instance]  # what serves a call for one lane
    scalar_tails: Mapping[tuple[Instance, Loop], ScalarTail]  # loops that hand their last lanes over to a function
    compacted_loops: Mapping[tuple[Instance, Loop], CompactedLoop]  # loops that continue in a narrower gang
    shared: SharedLayout  # of shared memory
    divergent_waits: DivergentWaits  # where lanes of a gang may wait without the others
    nested_launches: Mapping[str, bool]  # kernels that may launch children, and whether they have events
    available_loads: Mapping[str, AvailableLoads]  # by function: the reads that need no load
    row_streams: Mapping[str, Mapping[Loop, RowStreams]]  # by function: loops in which lanes go along rows of their own
    block_sizes: Mapping[Instance, UsualBlock]  # the blocks for which divided kernels have code of their own
    choices: Mapping[str, bool]  # whether the lowering may do what it decides on the spot, by name

    def in_step(self, kernel: str) -> RunsInStep | None:
        """Return how a companion runs rows in step; None of other functions."""
        return next((each.role for rows in self.rows.values() for each in rows if each.kernel == kernel), None)

    def is_ragged(self, version: Instance) -> bool:
        """Whether gangs of a version of a kernel lie in rows, or columns, that they need not divide."""
        return version.name in self.partial_row_gangs and version.along in ("x", "y") and version.lanes == LANES

    def division(self, version: Instance) -> Plan | None:
        """Return how a version of a kernel is divided at its barriers, if it is."""
        found = self.divisions.get(version)
        return None if isinstance(found, str) else found

    def why_whole(self, version: Instance) -> str:
        """Return why a version of a kernel with barriers is not divided at them. Assumes that it is not."""
        found = self.divisions.get(version)
        return found if isinstance(found, str) else "--verify and --disable=barrier-fission leave kernels whole"

    def strips_of(self, version: Instance) -> Strips | None:
        """Return how neighbouring blocks run together in a version of a kernel, if they do."""
        if version.along not in ("x", "y") or self.division(version) is not None:
            return None
        return self.strips.get(version.along, {}).get(version.name)
