"""Settings of the whole process that the passes need, and what becomes of exceptions that they do not mean to raise."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..diag import BuildFailed, CompileError, InternalError, ToolError


class _ForAllThreads:
    """Changes a setting of the whole process for as long as some thread is inside.

    `change` returns what `restore` needs. The first thread to come changes the setting, the last to go restores it.
    """

    def __init__(self, change: Callable[[], int], restore: Callable[[int], None]) -> None:
        self._change, self._restore = change, restore
        self._lock = threading.Lock()
        self._inside = 0
        self._before = 0

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._before = self._change()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._restore(self._before)


_RECURSION_LIMIT = 50_000


def _recurse_deeply() -> int:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    return limit


def _stop_collecting() -> int:
    enabled = gc.isenabled()
    gc.disable()
    return enabled


# The stages recurse a few calls deep per level of an expression; Python's own limit would be met at 200 levels.
deep_recursion = _ForAllThreads(_recurse_deeply, sys.setrecursionlimit)

# What the stages make stays until the end: the garbage collector would look at it again and again, for nothing.
no_collection = _ForAllThreads(_stop_collecting, lambda enabled: gc.enable() if enabled else None)


P = ParamSpec("P")
T = TypeVar("T")


def guard(stage: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call `function`; an exception that no stage means to raise becomes an `InternalError`."""
    try:
        return function(*args, **kwargs)
    except (CompileError, BuildFailed, ToolError, InternalError, MemoryError):
        raise
    except Exception as fault:
        raise InternalError(stage, fault) from fault
