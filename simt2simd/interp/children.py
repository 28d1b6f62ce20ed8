"""Children of grids, as the interpreter runs them: what they mean.

A child begins when the last block of its parent has ended, or when a thread of the block that launched it waits for the
block's children; the children of a grid run one after the other, each with all its own, and what went into the stream
for tail launches comes last. CUDA allows other orders; a program whose result depends on that has a race.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..lang.device_runtime import ERROR_NAMES, ERROR_TEXTS, NAMED_STREAMS
from .memory import Memory

Index = tuple[int, int, int]

_MOST_THREADS, _MOST_BLOCK, _MOST_GRID = 1024, (1024, 1024, 64), (2**31 - 1, 65535, 65535)
_STATIC_SHARED_BYTES = 48 << 10
_INVALID_VALUE, _OUT_OF_MEMORY, _INVALID_CONFIGURATION, _INVALID_HANDLE, _UNSUPPORTED_LIMIT = 1, 2, 9, 400, 215
_INVALID_DEVICE, _INVALID_DIRECTION, _INVALID_PITCH = 101, 21, 12
_TAIL = NAMED_STREAMS["cudaStreamTailLaunch"]
_FORGOTTEN = NAMED_STREAMS["cudaStreamFireAndForget"]
_ATTRIBUTES = {1: 1024, 2: 1024, 3: 1024, 4: 64, 5: 2**31 - 1, 6: 65535, 7: 65535, 8: 49152, 10: 32}


@dataclass(frozen=True)
class Child:
    """A launch by a thread of block `parent`; `kernel` is None for a copy, which `copy` does."""

    parent: Index
    kernel: str | None
    grid: Index
    block: Index
    shared_bytes: int
    args: tuple[Any, ...]
    copy: Callable[[], object] | None = None


@dataclass
class Family:
    """The children of a grid that have not begun, and the errors that its threads have not asked for."""

    children: list[Child] = field(default_factory=list)
    tail: list[Child] = field(default_factory=list)
    errors: dict[tuple[Index, Index], int] = field(default_factory=dict)

    def of_block(self, parent: Index) -> list[Child]:
        """Take out the children that one block has launched, but for tail launches."""
        found = [child for child in self.children if child.parent == parent]
        self.children = [child for child in self.children if child.parent != parent]
        return found

    def take(self) -> list[Child]:
        """Take out all children, those that come last if there are no others."""
        found = self.children or self.tail
        if self.children:
            self.children = []
        else:
            self.tail = []
        return found


class ChildServices:
    """The functions of CUDA's runtime that a kernel's Python program calls. Each takes the call's site first.

    `thread`: the thread that runs, as the grid, its block and its index. `limits`: how many threads a block of each
    kernel may have.
    """

    def __init__(
        self, memory: Memory, thread: Callable[[], tuple[Family, Index, Index]], limits: dict[str, int | None]
    ) -> None:
        self.memory = memory
        self.thread = thread
        self.limits = limits
        self.texts: dict[str, int] = {}
        self.handles = 1 << 20

    def names(self) -> dict[str, Callable[..., Any]]:
        """Return the functions by the names under which the Python program calls them."""
        return {
            f"service_{op}": getattr(self, op)
            for op in (
                "launch", "last_error", "peek_error", "error_string", "error_identifier", "create_stream",
                "destroy_stream", "stream_wait", "create_event", "record_event", "destroy_event", "copy_async",
                "copy_2d_async", "set_async", "set_2d_async", "device_attribute", "get_device", "device_count",
                "get_limit", "runtime_version", "device_malloc", "device_free",
            )
        }  # fmt: skip

    # ------------------------------------------------------------------------------------------ errors

    def note(self, code: int) -> int:
        """Note an error of the thread that runs."""
        family, block, thread = self.thread()
        if code:
            family.errors[block, thread] = code
        return code

    def last_error(self, site: int) -> int:
        family, block, thread = self.thread()
        return family.errors.pop((block, thread), 0)

    def peek_error(self, site: int) -> int:
        family, block, thread = self.thread()
        return family.errors.get((block, thread), 0)

    def _text(self, text: str) -> int:
        if text not in self.texts:
            self.texts[text] = self.memory.constant("a text of the runtime", text.encode() + b"\0")
        return self.texts[text]

    def error_string(self, site: int, code: int) -> int:
        return self._text(ERROR_TEXTS.get(code, "unrecognized error code"))

    def error_identifier(self, site: int, code: int) -> int:
        return self._text(ERROR_NAMES.get(code, "unrecognized error code"))

    # ---------------------------------------------------------------------------------------- launches

    def launch(self, site: int, kernel: str, grid: bytes, block: bytes, shared: int, stream: int, *args: Any) -> None:
        blocks, threads = struct.unpack("<III", grid), struct.unpack("<III", block)
        within = all(0 < n <= most for n, most in zip(blocks + threads, _MOST_GRID + _MOST_BLOCK, strict=True))
        most = min(self.limits[kernel] or _MOST_THREADS, _MOST_THREADS)
        if not within or threads[0] * threads[1] * threads[2] > most or shared > _STATIC_SHARED_BYTES:
            self.note(_INVALID_CONFIGURATION)
            return
        self._add(stream, Child(self.thread()[1], kernel, blocks, threads, shared, args))

    def _add(self, stream: int, child: Child) -> None:
        family = self.thread()[0]
        (family.tail if stream == _TAIL else family.children).append(child)

    def _add_copy(self, stream: int, copy: Callable[[], object]) -> int:
        self._add(stream, Child(self.thread()[1], None, (1, 1, 1), (1, 1, 1), 0, (), copy))
        return 0

    # ---------------------------------------------------------------------------------------- streams

    def _handle(self, site: int, place: int) -> int:
        self.handles += 64
        self.memory.write(self.handles.to_bytes(8, "little"), place, 8, site)
        return 0

    def create_stream(self, site: int, place: int, flags: int) -> int:
        return self.note(_INVALID_VALUE) if flags > 1 else self._handle(site, place)

    def destroy_stream(self, site: int, stream: int) -> int:
        return self.note(_INVALID_HANDLE if stream <= _FORGOTTEN else 0)

    def stream_wait(self, site: int, stream: int, event: int, flags: int) -> int:
        return self.note(0 if event else _INVALID_HANDLE)

    def create_event(self, site: int, place: int, flags: int) -> int:
        return self.note(_INVALID_VALUE) if flags != 2 else self._handle(site, place)

    def record_event(self, site: int, event: int, stream: int, flags: int = 0) -> int:
        return self.note(0 if event else _INVALID_HANDLE)

    def destroy_event(self, site: int, event: int) -> int:
        return self.note(0 if event else _INVALID_HANDLE)

    # ------------------------------------------------------------------------------------------ copies

    def copy_async(self, site: int, to: int, source: int, size: int, kind: int, stream: int) -> int:
        return self.copy_2d_async(site, to, size, source, size, size, 1, kind, stream)

    def copy_2d_async(
        self, site: int, to: int, to_pitch: int, source: int, pitch: int, width: int, rows: int, kind: int, stream: int
    ) -> int:
        if kind > 4:
            return self.note(_INVALID_DIRECTION)
        if rows > 1 and width > min(to_pitch, pitch):
            return self.note(_INVALID_PITCH)

        def copy() -> None:
            for row in range(rows if width else 0):
                content = self.memory.read(source + row * pitch, width, 1, site)
                self.memory.write(content, to + row * to_pitch, 1, site)

        return self._add_copy(stream, copy)

    def set_async(self, site: int, to: int, value: int, size: int, stream: int) -> int:
        return self.set_2d_async(site, to, size, value, size, 1, stream)

    def set_2d_async(self, site: int, to: int, pitch: int, value: int, width: int, rows: int, stream: int) -> int:
        if rows > 1 and width > pitch:
            return self.note(_INVALID_PITCH)

        def fill() -> None:
            for row in range(rows if width else 0):
                self.memory.write(bytes([value & 255]) * width, to + row * pitch, 1, site)

        return self._add_copy(stream, fill)

    # ---------------------------------------------------------------------------------- what there is

    def _number(self, site: int, place: int, value: int, size: int = 4) -> int:
        self.memory.write(value.to_bytes(size, "little"), place, size, site)
        return 0

    def device_attribute(self, site: int, place: int, attribute: int, device: int) -> int:
        if device != 0:
            return self.note(_INVALID_DEVICE)
        if attribute not in _ATTRIBUTES:
            return self.note(_INVALID_VALUE)
        return self._number(site, place, _ATTRIBUTES[attribute])

    def get_device(self, site: int, place: int) -> int:
        return self._number(site, place, 0)

    def device_count(self, site: int, place: int) -> int:
        return self._number(site, place, 1)

    def get_limit(self, site: int, place: int, limit: int) -> int:
        known = {0: 65536, 1: 1 << 20, 2: 8 << 20, 4: 2048}
        return self._number(site, place, known[limit], 8) if limit in known else self.note(_UNSUPPORTED_LIMIT)

    def runtime_version(self, site: int, place: int) -> int:
        return self._number(site, place, 13000)

    def device_malloc(self, site: int, place: int, size: int) -> int:
        address = self.memory.heap_allocate(size, 8 << 20)
        self._number(site, place, address, 8)
        return self.note(0 if address else _OUT_OF_MEMORY)

    def device_free(self, site: int, address: int) -> int:
        if address and not self.memory.heap_release(address):
            return self.note(_INVALID_VALUE)
        return 0
