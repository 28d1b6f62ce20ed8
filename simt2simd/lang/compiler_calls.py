"""Built-in functions that the compiler calls: for statements of CUDA-C, and in what rewrites make.

No table has them: a program cannot name them, or their types depend on the call.
"""

from __future__ import annotations

from .builtins import Builtin
from .ctype import BOOL, CHAR, INT, UINT, ULONG, VOID, CType, Pointer
from .device_runtime import STREAM
from .vectors import DIM3

# What most lanes of the gang say, of those at work (`#pragma s2s any_order`); it prints as its argument.
VOTE = Builtin("__s2s_vote", "vote", (BOOL,), BOOL, pure=False)

# What `--stats` puts into programs (`transform/traversals/traversal_statistics`), which cannot name it. The argument
# is the traversal's number.
VISIT = Builtin("__s2s_visit", "visit", (UINT,), VOID, pure=False)

# What a thread does whose own stack is full (`transform/traversals/ropes`): it prints as `__trap()`.
STACK_OVERFLOW = Builtin("__trap", "stack_overflow", (), VOID, pure=False)

# What a thread does for whose list of a tree's nodes there is no room (`transform/nested_launches/levels`): it prints
# as `__trap()`.
LEVELS_FULL = Builtin("__trap", "levels_full", (), VOID, pure=False)

# What the trap says that the checker puts after the last function that a call may mean (`sema/calls/indirect_calls`).
# It is the one trap without a place in the text.
WILD_CALL = "a virtual call, or one by a pointer, finds no device function: host code made the object or the pointer"

# Whether the argument is true for a lane of the gang (`transform/traversals/static_ropes`): one value for all that are
# here. Which these are is no business of the program, so that nothing but how the gang continues may depend on it.
ANY_LANE = Builtin("__s2s_any_lane", "any_lane", (BOOL,), BOOL, pure=False)

# What the program promises not to reach.
UNREACHABLE = Builtin("__builtin_unreachable", "unreachable", (), VOID, pure=False)

# Whether a constant is being evaluated ([meta.const.eval]): the evaluator says yes, and what runs says no.
IS_CONSTANT_EVALUATED = Builtin("__builtin_is_constant_evaluated", "is_constant_evaluated", (), BOOL)
TEXT = Pointer(CHAR, const=True)


def printf(args: tuple[CType, ...]) -> Builtin:
    """Return `printf` with arguments of these types after the format: what C's promotions leave of types."""
    return Builtin("printf", "printf", (TEXT, *args), INT, pure=False)


# What comes before a child kernel's own arguments in a launch: the grid, the block, bytes of dynamic shared memory, and
# the stream.
CONFIGURATION: tuple[CType, ...] = (DIM3, DIM3, ULONG, STREAM)


def launch(kernel: str, args: tuple[CType, ...]) -> Builtin:
    """Return the launch of a child kernel with arguments of these types; it prints as `kernel<<<...>>>(...)`."""
    return Builtin(kernel, "launch", (*CONFIGURATION, *args), VOID, pure=False, kernel=kernel)


# An assertion that does not hold: the expression, file, line and function; then, which is not printed as CUDA-C, where
# the thread is along each axis of the grid.
ASSERT_FAIL = Builtin("__assert_fail", "assert_fail", (TEXT, TEXT, UINT, TEXT, UINT, UINT, UINT), VOID, pure=False)
