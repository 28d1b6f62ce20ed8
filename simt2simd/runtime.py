"""The only door to the C runtime: load and launch compiled kernels, set how they use the machine.

The runtime's C files are an extension module here; executables link the same files as `libs2s.a`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .diag import ToolError

if TYPE_CHECKING:
    from ._runtime import Chars, Extension

ALL_GANGS = 64  # as hthreads_per_block: one hthread for each gang of the block


class LaunchError(Exception):
    """A kernel could not be launched, or did not finish.

    `code` and `name` are CUDA's (719, "cudaErrorLaunchFailure"); the text says what happened.
    """

    def __init__(self, code: int, name: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.name = name
        self.message = message


@dataclass(frozen=True)
class Configuration:
    """How launches use the machine.

    `threads` hthreads in all, `hthreads_per_block` of them run a block together. With an `affinity` above 0,
    hthread i stays on CPU i / affinity.
    """

    threads: int
    hthreads_per_block: int
    affinity: int


class Code:
    """Machine code in this process's memory. It stays there as long as this object."""

    def __init__(self, object_file: bytes) -> None:
        """Load a relocatable ELF file. Raises `ToolError` if that cannot be done."""
        runtime = _extension()
        ffi, known = runtime.ffi, symbols()
        names = [ffi.new("char[]", name.encode()) for name in known]
        table = ffi.new("s2s_symbol[]", list(zip(names, known.values(), strict=True)))
        why = ffi.new("char[200]")
        handle = runtime.lib.s2s_load_object(object_file, len(object_file), table, len(table), why)
        if not handle:
            raise ToolError(f"cannot load the compiled code: {_text(why)}")
        self._handle = ffi.gc(handle, runtime.lib.s2s_unload_object)

    def address(self, symbol: str) -> int:
        """Return the address of a public function or datum; raise `KeyError` if there is none of that name."""
        address = _extension().lib.s2s_object_symbol(self._handle, symbol.encode())
        if not address:
            raise KeyError(symbol)
        return address


def launch(
    kernel: int,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    shared_bytes: int,
    args: bytes,
    *,
    cooperative: bool = False,
) -> None:
    """Run a kernel over a grid and return when all its threads have ended.

    Parameters
    ----------
    kernel
        Address of the kernel's `s2s_kernel`.
    grid, block
        Blocks of the grid and threads of a block, x first.
    shared_bytes
        Dynamic shared memory of a block.
    args
        The parameters, packed as `abi.pack_params` says. Other Python threads run meanwhile: what the pointers
        in it point to must stay alive.
    cooperative
        The kernel may wait at the barrier of the grid: all blocks must have room on the machine at once.

    Raises
    ------
    LaunchError
        The grid or block is of a size that cannot be, or the kernel failed: stack overflow, illegal memory access,
        threads that wait for ever.
    ValueError
        `args` is not as long as the kernel's parameters.
    KeyboardInterrupt
        Ctrl-C ended the kernel. That takes one if it raises `KeyboardInterrupt`, and two during one launch if the
        program handles SIGINT in its own way. It ends launches of all threads.
    """
    lib = _extension().lib
    expected = lib.args_bytes(kernel)
    if len(args) != expected:
        raise ValueError(f"{expected} bytes of packed parameters expected, {len(args)} given")
    try:
        code = lib.launch(kernel, *grid, *block, shared_bytes, args, cooperative)
        if code == 0:
            return
        if code == lib.UNWATCHED:
            _watch_interrupts()
            code = lib.launch(kernel, *grid, *block, shared_bytes, args, cooperative)
    except OverflowError:
        raise ValueError(f"a number is negative or too large in {grid=}, {block=}, {shared_bytes=}") from None
    if code == lib.S2S_INTERRUPTED:
        raise KeyboardInterrupt
    if code != 0:
        raise LaunchError(code, error_name(code), _text(lib.s2s_last_message()))


def set_dynamic_limit(kernel: int, shared_bytes: int) -> None:
    """Let launches give a block of a kernel so much dynamic shared memory. Raises `LaunchError` if that is too much."""
    lib = _extension().lib
    code = lib.set_dynamic_limit(kernel, shared_bytes)
    if code != 0:
        raise LaunchError(code, error_name(code), _text(lib.s2s_last_message()))


def dynamic_limit(kernel: int) -> int:
    """Return how much dynamic shared memory a block of a kernel may have, in bytes."""
    return _extension().lib.dynamic_limit(kernel)


def _watch_interrupts() -> None:
    """Have SIGINT end kernels, as long as it has the handler that it has now."""
    import _signal  # `signal` makes enums of it, which takes a millisecond

    raises = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    _extension().lib.s2s_watch_interrupts(0 if raises else 1)


def configure(threads: int = 0, hthreads_per_block: int = 0, affinity: int = 0) -> None:
    """Set how launches use the machine from now on.

    0 means the default: $S2S_THREADS or one hthread for each CPU; $S2S_HTHREADS_PER_BLOCK or 1 (`ALL_GANGS`
    for one hthread per gang); $S2S_AFFINITY or no binding to CPUs. Raises `ValueError` for numbers out of range.
    """
    runtime = _extension()
    if min(threads, hthreads_per_block, affinity) < 0:
        raise ValueError("a number of hthreads cannot be negative")
    limit = 2**32 - 1
    values = [min(value, limit) for value in (threads, hthreads_per_block, affinity)]
    if runtime.lib.s2s_configure(*values) != 0:
        raise ValueError(_text(runtime.lib.s2s_last_message()))


def configuration() -> Configuration:
    """Return what `configure` and the environment led to."""
    runtime = _extension()
    values = runtime.ffi.new("uint32_t[3]")
    runtime.lib.s2s_configuration(values, values + 1, values + 2)
    return Configuration(*values)


def set_stack_limit(thread_bytes: int) -> None:
    """Give each thread of a kernel a stack of at least so many bytes (cudaLimitStackSize)."""
    runtime = _extension()
    if thread_bytes < 0 or runtime.lib.s2s_set_stack_limit(thread_bytes) != 0:
        raise ValueError(f"a thread cannot have a stack of {thread_bytes} bytes")


def stack_limit() -> int:
    """Return the stack that each thread of a kernel is sure to have, in bytes."""
    return _extension().lib.s2s_stack_limit()


def set_heap_limit(heap_bytes: int) -> None:
    """Give `malloc` in kernels a heap of so many bytes (cudaLimitMallocHeapSize); it must be empty."""
    if heap_bytes < 0 or not _extension().lib.s2s_set_heap_limit(heap_bytes):
        raise ValueError(f"the device heap cannot have {heap_bytes} bytes now")


def heap_limit() -> int:
    """Return the size of the heap of `malloc` in kernels, in bytes."""
    return _extension().lib.s2s_heap_limit()


def stats(*, forget: bool = False) -> dict[str, Any]:
    """Return what kernels that were compiled with `--stats` have counted so far; with `forget`, begin anew.

    It is what docs/remarks.md describes as the JSON form: "traversals" is a list with a dictionary for each kernel and
    recursive function.
    """
    import json

    runtime = _extension()
    text = runtime.lib.s2s_stats(forget)
    if not text:
        raise MemoryError
    try:
        found: dict[str, Any] = json.loads(_text(text))
    finally:
        runtime.lib.s2s_free_stats(text)
    return found


def symbols() -> Mapping[str, int]:
    """Return the addresses of the C functions that generated code calls, by name."""
    lib = _extension().lib
    return {_text(lib.called_name(i)): lib.called_address(i) for i in range(lib.CALLED)}


def error_name(code: int) -> str:
    """Return CUDA's name for an error code: "cudaErrorLaunchFailure"."""
    return _text(_extension().lib.s2s_error_name(code))


def error_text(code: int) -> str:
    """Return CUDA's explanation of an error code: "unspecified launch failure"."""
    return _text(_extension().lib.s2s_error_text(code))


def native_dir() -> Path:
    """Return the folder with `libs2s.a` and `include/cuda_runtime.h`, for executables."""
    folder = Path(__file__).parent / "_native"
    if not (folder / "libs2s.a").exists():
        raise ToolError(_not_built())
    return folder


def _not_built() -> str:
    """Say that there are only the Python files here, and whether an installed package is hidden by them."""
    here = Path(__file__).parent
    clone = f"the runtime is not built in '{here}'"
    folders = (Path(folder or ".").absolute() / here.name for folder in sys.path)
    hidden = next((folder for folder in folders if folder != here and (folder / "_native" / "libs2s.a").exists()), None)
    build = f"install the package from there, which compiles it: `pip install -e {here.parent}`"
    if hidden is None:
        return f"{clone}\nhelp: {build}"
    return (
        f"{clone}, which Python takes in place of the installed package, '{hidden}'\n"
        f"help: run the command from another folder, or {build}"
    )


@functools.cache
def _extension() -> Extension:
    try:
        from . import _runtime
    except ImportError as fault:
        there = list(Path(__file__).parent.glob("_runtime*.so"))
        raise ToolError(f"cannot load '{there[0]}': {fault}" if there else _not_built()) from fault
    return _runtime


def _text(chars: Chars) -> str:
    return _extension().ffi.string(chars).decode(errors="replace")
