"""The key of each pass's result: the name of the pass, and the type of what it makes.

`state[STORAGE]` is the result of the pass `storage`, a `Storage`. The keys are in the order of the list of passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..analysis import call_sets, liveness
from ..analysis.available_loads import AvailableLoads
from ..analysis.divergent_waits import DivergentWaits
from ..analysis.row_streams import RowStreams
from ..analysis.shapes import Instance, Shapes
from ..analysis.spin_waits import Waits
from ..analysis.storage import Storage
from ..codegen.module import OptimisedModule
from ..frontend.parse.parse import Parsed
from ..frontend.text.preprocessed import Preprocessed
from ..lower.module import LoweredModule
from ..mapping.barrier_fission import Plan, Region, Repeat
from ..mapping.block_merging import Strips
from ..mapping.block_size_specialisation import UsualBlock
from ..mapping.first_threads import Prefix
from ..mapping.lane_compaction import CompactedLoop
from ..mapping.plans import Plans
from ..mapping.scalar_tail import ScalarTail
from ..mapping.stack_walks import StackWalk
from ..mapping.versions import Versions
from ..mapping.warps import Warps
from ..target import Axis
from ..tree.nodes import Loop, Module, Variable
from ..tree.shared_memory import SharedLayout

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Result(Generic[T_co]):
    """The key of a pass's result of type `T_co`; `name` is that of the pass."""

    name: str


PREPROCESS = Result[Preprocessed]("preprocess")
PARSE = Result[Parsed]("parse")
TREE = Result[Module]("tree")
UNREACHABLE_CODE_ELIMINATION = Result[Module]("unreachable-code-elimination")
LAUNCH_CONSOLIDATION = Result[Module]("launch-consolidation")
INLINE_BY_REFERENCE = Result[Module]("inline-by-reference")
SCALAR_REPLACEMENT = Result[Module]("scalar-replacement")
CAPTURE_FORWARDING = Result[Module]("capture-forwarding")
COMMON_SUBEXPRESSIONS = Result[Module]("common-subexpressions")
STACK_LOOPS = Result[Module]("stack-loops")
CALL_SETS = Result[call_sets.Table]("call-sets")
QUERY_ORDER = Result[Module]("query-order")
TRAVERSAL_STATISTICS = Result[Module]("traversal-statistics")
LEVEL_SYNCHRONOUS = Result[Module]("level-synchronous")
STATIC_ROPES = Result[Module]("static-ropes")
LANE_REFILL = Result[Module]("lane-refill")
LOCKSTEP = Result[Module]("lockstep")
ROPES = Result[Module]("ropes")
TWO_FORMS = Result[Module]("two-forms")
MERGE_CALLS = Result[Module]("merge-calls")
WALKS = Result[Module]("walks")
PARTIAL_INLINING = Result[Module]("partial-inlining")
INLINE_BARRIERS = Result[Module]("inline-barriers")
BARRIER_AFTER_BROADCAST_READ = Result[Module]("barrier-after-broadcast-read")
SPIN_LOCKS = Result[Module]("spin-locks")
VARIABLE_SPLITTING = Result[Module]("variable-splitting")
LOAD_COMBINING = Result[Module]("load-combining")
LOOP_INVARIANT_MOTION = Result[Module]("loop-invariant-motion")
SOFTWARE_PREFETCH = Result[Module]("software-prefetch")
LIVE_RANGE_SPLITTING = Result[Module]("live-range-splitting")
GRID_STRIDE = Result[Module]("grid-stride")
KERNEL_PARAMETERS_IN_PLACE = Result[Module]("kernel-parameters-in-place")
POINTER_INDICES = Result[Module]("pointer-indices")
SINGLE_THREAD_BLOCKS = Result[Module]("single-thread-blocks")
THREAD_COARSENING = Result[Module]("thread-coarsening")
LIVENESS = Result[liveness.Table]("liveness")
OUTLINE = Result[Module]("outline")
SPIN_WAITS = Result[Waits]("spin-waits")
FIBERS = Result[frozenset[str]]("fibers")
STORAGE = Result[Storage]("storage")
WARPS = Result[Warps]("warps")
BLOCK_MERGING = Result[Mapping[Axis, Mapping[str, Strips]]]("block-merging")
REDUNDANT_AXES = Result[Mapping[str, int]]("redundant-axes")
PARTIAL_ROW_GANGS = Result[frozenset[str]]("partial-row-gangs")
DIVISIBLE = Result[Mapping[str, frozenset[Axis]]]("divisible")
WIDE_GANGS = Result[Mapping[str, int]]("wide-gangs")
ALONG_Y = Result[frozenset[str]]("along-y")
TILES = Result[frozenset[str]]("tiles")
VERSIONS = Result[Versions]("versions")
SHAPE = Result[Shapes]("shape")
KEEP_VERSIONS = Result[Shapes]("keep-versions")
SHARED_MEMORY = Result[SharedLayout]("shared-memory")
DIVERGENT_WAITS = Result[DivergentWaits]("divergent-waits")
NESTED_LAUNCHES = Result[Mapping[str, bool]]("nested-launches")
INDEPENDENT_BLOCKS = Result[frozenset[str]]("independent-blocks")
BARRIER_FISSION = Result[Mapping[Instance, Plan | str]]("barrier-fission")
FIRST_THREADS = Result[Mapping[Region, Prefix]]("first-threads")
REGISTER_ARRAYS = Result[Mapping[Repeat, tuple[Variable, ...]]]("register-arrays")
BLOCK_SIZE_SPECIALISATION = Result[Mapping[Instance, UsualBlock]]("block-size-specialisation")
RUN_VERSIONS = Result[Versions]("run-versions")
RARE_VERSIONS = Result[frozenset[Instance]]("rare-versions")
STACK_WALKS = Result[Mapping[Instance, StackWalk]]("stack-walks")
SINGLE_LANE = Result[Mapping[Instance, Instance]]("single-lane")
SCALAR_TAIL = Result[Mapping[tuple[Instance, Loop], ScalarTail]]("scalar-tail")
LANE_COMPACTION = Result[Mapping[tuple[Instance, Loop], CompactedLoop]]("lane-compaction")
AVAILABLE_LOADS = Result[Mapping[str, AvailableLoads]]("available-loads")
ROW_STREAMS = Result[Mapping[str, Mapping[Loop, RowStreams]]]("row-streams")
PLANS = Result[Plans]("plans")
ASSUMED_SHAPES = Result[Shapes]("assumed-shapes")
LLVM = Result[LoweredModule]("llvm")
OPT = Result[OptimisedModule]("opt")
GATHER_COALESCING = Result[OptimisedModule]("gather-coalescing")
SCATTER_TO_STORES = Result[OptimisedModule]("scatter-to-stores")
SIGN_MASKS = Result[OptimisedModule]("sign-masks")
GATHER_OUTLINING = Result[OptimisedModule]("gather-outlining")
SCATTER_ORDER = Result[OptimisedModule]("scatter-order")
