"""What things cost: every number that decides between two ways to say the same thing, and where it comes from.

Nanoseconds are for the 16 lanes of a gang, the data in the first-level cache. They choose, and rank remarks; they do
not foretell a kernel's time. Numbers that name a row of `python -m microbench costs` are measured by that command;
"Xeon 0.45, EPYC 0.26" is what it printed on a Xeon with AVX-512 (Intel, family 6, model 207) and on an EPYC (AMD,
Zen 5), both virtual machines, on 22 November 2026. Numbers without a measurement say that they are guesses: they only
have to rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# How a gang reaches memory: one scalar for all, neighbours side by side, evenly or nearly so, anywhere, atomically.
AccessKind = Literal["uniform", "consecutive", "strided", "gather", "scatter", "atomic"]


@dataclass(frozen=True)
class Form:
    """A way to lower something: the instructions in words, and what they cost.

    `good` is what a summary calls it where nothing better is possible, "" elsewhere. `kind`: of an access. `uneven`:
    what an access becomes in the few gangs whose lanes are not as evenly spaced as in most.
    """

    text: str
    cost_ns: float
    good: str = ""
    kind: AccessKind | None = None
    uneven: Form | None = None


# ------------------------------------------------------------------------------------------- accesses

# Loads and stores are a little dearer here than in a loop of nothing else: their latency shows in other code.
SCALAR_LOAD_NS = 0.6  # "read uniform": Xeon 0.32, EPYC 0.22
SCALAR_STORE_NS = 0.7  # "write uniform": Xeon 0.40, EPYC 0.39
VECTOR_NS = 0.9  # of a register. "read consecutive": Xeon 0.45, EPYC 0.26; "write consecutive": Xeon 0.74, EPYC 0.45
VECTOR_OF_WINDOW_NS = 0.7  # "read stride 4", a quarter: Xeon 0.28 to 0.43, EPYC 0.29; "write stride 4": 0.50, 0.29
NEAR_NS = 1.2  # "read near": Xeon 2.1, EPYC 0.95
TEST_NS = 0.5  # whether lanes lie evenly. "read even" less "read consecutive": Xeon 1.3, EPYC 0.88
GATHER_NS = 2.5  # "read gather": Xeon 2.25, EPYC 4.1
SCATTER_NS = 4.2  # "write scatter": Xeon 4.0, EPYC 4.8
SECOND_HALF_NS = 0.4  # "read gather of 8" less "read gather": Xeon 0.42, EPYC 0.20; "write scatter of 8": 1.4, 0.3
TAKE_FROM_WORD_NS = 0.3  # "read gather of 1" less "read gather": Xeon 0.55, EPYC none
LANE_BY_LANE_NS = 9.0  # "write scatter of 1": Xeon 6.5, EPYC 2.95, in one line of the cache

# How many vectors a window may have, by the size of its scalars. As many as cost less than a gather: on the Xeon 5, on
# the EPYC 14; and than a scatter: 6 and 12.
MOST_VECTORS_READ = {1: 4, 2: 4, 4: 8, 8: 4}
MOST_VECTORS_WRITTEN = {1: 3, 2: 3, 4: 4, 8: 2}
MOST_RECORD_BYTES = 32  # of a record that is read whole: 8 vectors, as above

# Of a few vectors, and of the whole of a struct, when versions of a kernel are compared before anything is lowered.
# Gathers of 64 bits count twice then. A guess, with LANE_BY_LANE_FROM_NS and MUCH_BETTER made for it: if structs
# counted for all their parts, the n-body problem of the peers would lose its wide gangs.
SOME_VECTORS_NS = 1.0

# Of lanes that each read along a row of their own (`lower/row_streams`): 64 bytes of each row are read at once if one
# has so many iterations left. A guess at when this is quicker than single reads. MOST_OWN_ROWS: in a loop, so that they
# stay in the L1 cache; 1 KB each, for sixteen lanes.
FEWEST_ITERATIONS_AHEAD, MOST_OWN_ROWS = 7, 6

RUN_NS = (
    0.8  # of eight lanes that lie side by side. "read rows of 8" less TEST_NS, halved: Xeon 0.7; "write rows of 8": 0.6
)
EVEN_WEIGHTS = (31, 1)  # branch weights for LLVM: gangs that are probably evenly spaced are so. A guess
WRAP_WEIGHTS = (1, 2000)  # how often an index of 32 bits wraps within a gang: hardly ever

# ------------------------------------------------------------------------------------------- operations

OPERATION_NS = 0.3  # "fma": Xeon 0.27, EPYC 0.19, and 1.4, 1.1 where each waits for the last; "xor and add": 0.46, 0.25
SOME_OPERATIONS_NS = 0.9  # three of them
LONG_OPERATION_NS = 3.0  # "/ of float": Xeon 3.7, EPYC 0.74; "/ of int": 5.4, 2.4; "expf": 3.2, 2.0
BRANCH_NS = 1.5  # "two arms, divergent" less "two arms in turn": Xeon 0.75, EPYC 2.3
TRIP_COUNT = 8  # how often a loop is taken to run. A guess

SCALAR_SELECT_NS = 0.3  # a scalar instruction or two; a guess
READ_BEFORE_NS = 0.1  # a register that is kept; a guess
SELECT_NS = 0.5  # as OPERATION_NS, for two
UNIFORM_BRANCH_NS = 0.3  # a test and a branch that is predicted; a guess
PREDICATED_IF_NS = 0.6  # as OPERATION_NS, for two
ALONE_NS = 1.6  # a divergent loop that hands its last lanes over: BRANCH_NS and a test
STACKED_CALL_NS = 0.6  # a guess
CALL_NS = 1.4  # masked recursion with two vectors and a mask live, written by hand in LLVM's IR: 1.36 on a Xeon
SERVICE_NS = 480.0  # of the runtime, for sixteen lanes: `malloc` takes 30 ns for each
CALL_FOR_EACH_LANE_NS = 320.0  # of the C library, 20 ns for each; a guess
UNIFORM_SWITCH_NS = 0.4  # a jump through a table that is predicted; a guess
DIVERGENT_SWITCH_NS = 2.0  # BRANCH_NS and a comparison for each section; a guess

# ------------------------------------------------------------------------------------------- atomic functions

ATOMIC_PRIVATE_NS = 2.0  # a vector load, an operation, a vector store: the sum of theirs
ATOMIC_ONE_OWNED_NS = 2.5  # "atomic, owned, one": Xeon 1.15, EPYC 0.8
ATOMIC_ONE_LOCKED_NS = 11.0  # "atomic, locked, one": Xeon 6.9, EPYC 5.8; more if others want the word
ATOMIC_APART_OWNED_NS = 6.0  # "atomic, owned, apart": Xeon 7.1, EPYC 4.5
ATOMIC_APART_LOCKED_NS = 160.0  # "atomic, locked, apart": Xeon 115, EPYC 93; more if others want the words

# So many of 16 lanes have their neighbour's address before 16 scalar updates are slower than counting; and before
# combining by address is faster than both. `python -m microbench atomics` shows the crossings.
MANY_MEET, MOST_MEET = 6, 12

# ------------------------------------------------------------------------------------------- the last lanes, one by one

LANE_OPERATION_NS = 0.1  # of one lane in scalar code: a guess, at some ten instructions in a nanosecond
MIN_LANES, MAX_LANES = 3, 10  # hand over only so many: fewer are not worth the test, more not worth the risk

# ------------------------------------------------------------------------------------------- branch, or run for nothing

# In nodes of the tree, each an operation: 24 of them are 5 ns, three times a divergent branch. An arm that is run for
# nothing costs no more than its operations, and a mispredicted branch may cost 20 cycles. Guesses between.
PREDICATED_NODES = 24  # arms of at most this much arithmetic each are cheaper to run for nothing than to branch around
OWN_MEMORY_NODES = 6  # reading and writing back a vector of the gang's own: 2 * VECTOR_NS
DIVISION_NODES = 8  # LONG_OPERATION_NS, of float

# ------------------------------------------------------------------------------------------- gangs and blocks

LANE_BY_LANE_FROM_NS = 2.0  # an access that costs more is as dear, lane for lane, in a wide gang: all but vectors
SHORT_NODES = 100  # of a kernel's tree: what a gang does once is much of all. A guess
MANY_NODES = 1000  # of straight code: more than a core looks ahead, so that gangs run one by one
MANY_CHAINS = 16  # nodes for each in the longest chain: two operations a cycle, of four cycles each, with an operand
LONG_NODES = 4000  # too long to be compiled once more: LLVM takes 45 us for a line of its text (on a Xeon)
MOST_LOCAL_BYTES = 4096  # per thread, in memory: 64 of them fit a stack
FEW_LOCAL_BYTES = 256  # per thread, in memory: 64 of them fit the first-level cache
LONG_ROWS, SHORT_ROWS = 64, 32  # lanes, by how many threads the rows of most blocks have
MOSTLY = 0.4  # of what a kernel does are gathers in searches: four side by side are quicker then. A guess
TILE_SHARE = 0.25  # gangs may be tiles if what their accesses cost more is at most so much of the whole. A guess
MUCH_BETTER = 0.8  # gangs along y are worth a version if their accesses cost so much of those along x. A guess
LONG_STRIP = 64  # blocks: what one row of them reads and the next row again should fit in the caches
SHORT_STRIP = 4  # blocks, where that fills gangs better than one
LONG_RUN = 64  # an index that changes more often than after so many lanes does so in too many gangs to be likely even

# What a barrier keeps in memory, or has computed again after it: operations that are cheaper than a store and a load,
# 1.2 ns for a vector that leaves the cache in between; the scalars of all gangs share theirs.
MAX_SCALAR_COST, MAX_VECTOR_COST = 10, 4

# Loops that stride over the grid, or over the rows of a matrix, prefetch what they read so many iterations ahead. A
# product of matrices of 512 and of 1000 squared is 10 to 15 % quicker with 4, 8 or 12 than without, on the Xeon. If the
# stride is a multiple of a page, all iterations share a set of the L1 cache: a sum of 16 M floats from a large L3 cache
# takes 2.6 ms without, 2.7 with 4, 3.4 with 8 and 5.0 with 16 (Xeon with 300 MB of it).
PREFETCH_DISTANCE = 4
MAX_PREFETCHES = 4  # in an iteration, so that the prefetches cost less than the misses. A guess
MIN_SWEEPING_THREADS = 64  # of a block: four gangs, so that the gangs of an iteration have something to share

CACHE_LINE = 64  # bytes that a prefetch brings

# ------------------------------------------------------------------------------------------- remarks

SLOW_NS = 2.0  # outside loops, only what costs so much gets a remark
