"""The interpreter's memory: which bytes exist, which are writable, and what lies where.

An address is an integer. NumPy arrays keep their real addresses, so that a struct in one array may hold
a pointer to another; variables of the kernel (shared, constant, local) get addresses above all real ones,
with gaps between them, and none is ever used twice: a pointer to a dead variable points to nothing.
"""

from __future__ import annotations

import ctypes
import struct
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np

from ..lang.ctype import USHORT, CType, Pointer, Scalar, is_short_float
from ..lang.numbers import decoded, encoded

# How the elements of a scalar type lie in memory: the format letters of the `struct` module.
_FORMATS: Final = ("?", "b", "B", "h", "H", "i", "I", "q", "Q", "f", "d")
_INTEGER_FORMATS = {(8, True): "b", (8, False): "B", (16, True): "h", (16, False): "H", (32, True): "i",
                    (32, False): "I", (64, True): "q", (64, False): "Q"}  # fmt: skip

Space = Literal["global", "shared", "constant", "local"]

_FIRST_VARIABLE = 1 << 47  # no user process on x86-64 has memory from here on
_BELOW_ALL = -(1 << 70)  # below every address that a program can compute
_NEAR = 1 << 20  # bytes: how far past the end of an array a message still names it
_ALIGN = 16
_GAP = 64  # bytes between two variables
_JUNK = 0xA5  # what a variable holds before anything is written to it


class MemoryFault(Exception):
    """An access to memory that does not exist or may not be used so."""

    def __init__(self, message: str, site: int) -> None:
        super().__init__(message)
        self.message = message
        self.site = site


class Segment:
    """The bytes from `start` to `end` (excluded): one array, or one variable.

    `origin` is `start` rounded down to a multiple of 16, so that the element of size n at an address
    aligned to n is element `(address - origin) / n` of `data`. `views` holds `data` in each format, made when needed.
    """

    __slots__ = ("data", "end", "name", "origin", "owner", "space", "start", "views", "writable")

    def __init__(
        self, name: str, start: int, size: int, data: memoryview, writable: bool, owner: object, space: Space
    ) -> None:
        self.name = name
        self.space = space
        self.start = start
        self.end = start + size
        self.origin = start & -_ALIGN
        self.data = data
        self.writable = writable
        self.owner = owner
        self.views: list[Any] = [None] * len(_FORMATS)

    def view(self, code: int) -> Any:
        view = self.views[code] = self.data.cast(_FORMATS[code])
        return view


class Memory:
    """All memory that a kernel may touch. Arrays stay registered, and alive, as long as the memory does."""

    def __init__(self) -> None:
        nothing = Segment("", _BELOW_ALL, 0, memoryview(b""), False, None, "global")
        self._starts: list[int] = [_BELOW_ALL]  # sorted; one per segment
        self._segments: list[Segment] = [nothing]
        self._next = _FIRST_VARIABLE
        self._heap: dict[int, int] = {}  # sizes of what kernels have allocated, by address

    def register(self, array: np.ndarray[Any, Any], name: str = "an array", space: Space = "global") -> int:
        """Let kernels reach the bytes of `array`, in place; return the address of its first element.

        Arrays that overlap (two views of one array) count as one. `name` is what messages call it.
        """
        low, high = np.lib.array_utils.byte_bounds(array)
        address = int(array.ctypes.data)
        if array.size == 0:
            return address
        writable = bool(array.flags.writeable)
        owners: list[object] = [array]
        for index in reversed(range(len(self._segments))):
            old = self._segments[index]
            if old.start < high and low < old.end:
                if old.start <= low and high <= old.end and old.writable >= writable:
                    return address
                low, high = min(low, old.start), max(high, old.end)
                writable = writable or old.writable
                owners.append(old.owner)
                del self._starts[index], self._segments[index]
        origin, limit = low & -_ALIGN, -(-high // _ALIGN) * _ALIGN
        data = memoryview((ctypes.c_char * (limit - origin)).from_address(origin)).cast("B")
        self._insert(Segment(name, low, high - low, data, writable, owners, space))
        return address

    def allocate(self, name: str, size: int, align: int = _ALIGN, space: Space = "local") -> int:
        """Make a variable of `size` bytes, filled with junk; return its address."""
        align = max(align, _ALIGN)
        address, padded = -(-self._next // align) * align, -(-size // _ALIGN) * _ALIGN
        self._next = address + padded + _GAP
        data = memoryview(bytearray([_JUNK]) * padded)
        self._starts.append(address)
        self._segments.append(Segment(name, address, size, data, True, None, space))
        return address

    def heap_allocate(self, size: int, limit: int) -> int:
        """Allocate for a kernel's `malloc`; return the address, 0 if the heap would have more than `limit` bytes."""
        if not 0 < size <= limit - sum(self._heap.values()):
            return 0
        address = self.allocate("memory from malloc", size)
        self._heap[address] = size
        return address

    def heap_release(self, address: int) -> bool:
        """Free what `heap_allocate` gave; return false if it did not."""
        if self._heap.pop(address, None) is None:
            return False
        self.release(address)
        return True

    def constant(self, name: str, content: bytes) -> int:
        """Make a read-only variable; return its address."""
        address = self.allocate(name, len(content), space="constant")
        segment = self._segments[-1]
        segment.data[: len(content)] = content
        segment.writable = False
        return address

    def release(self, address: int) -> None:
        """End the life of the variable at `address`."""
        index = bisect_right(self._starts, address) - 1
        assert self._starts[index] == address
        del self._starts[index], self._segments[index]

    def is_in(self, space: Space, address: int) -> bool:
        """Whether an address leads to this kind of memory; what leads nowhere leads to global memory."""
        segment = self._segments[bisect_right(self._starts, address) - 1]
        return (segment.space if address < segment.end else "global") == space

    def to_shared(self, address: int) -> int:
        """Return the address of shared memory in a space of its own."""
        return (address - _FIRST_VARIABLE) & (1 << 64) - 1

    def from_shared(self, address: int) -> int:
        return (address + _FIRST_VARIABLE) & (1 << 64) - 1

    def read(self, address: int, size: int, align: int, site: int) -> bytes:
        """Return `size` bytes from `address`; `site` says where in the program, for the fault."""
        segment = self._segments[bisect_right(self._starts, address) - 1]
        if address + size > segment.end or address % align:
            raise self._fault(address, size, align, "read", site)
        offset = address - segment.origin
        return bytes(segment.data[offset : offset + size])

    def write(self, content: bytes, address: int, align: int, site: int) -> bytes:
        """Write `content` to `address` and return it."""
        segment = self._segments[bisect_right(self._starts, address) - 1]
        size = len(content)
        if address + size > segment.end or address % align or not segment.writable:
            raise self._fault(address, size, align, "write", site)
        offset = address - segment.origin
        segment.data[offset : offset + size] = content
        return content

    def loader(self, ctype: CType) -> Callable[[int, int], Any]:
        """Return `load(address, site)`, which reads one value of scalar or pointer type."""
        if is_short_float(ctype):
            assert isinstance(ctype, Scalar)
            bits = self.loader(USHORT)
            return lambda address, site: decoded(bits(address, site).to_bytes(2, "little"), ctype)
        if isinstance(ctype, Scalar) and ctype.bits == 128:
            wide = ctype
            return lambda address, site: decoded(self.read(address, wide.size, wide.align, site), wide)
        code, size = _FORMATS.index(_format(ctype)), ctype.size
        starts, segments = self._starts, self._segments
        if ctype.align < size:
            return lambda address, site: int.from_bytes(self.read(address, size, ctype.align, site), "little")
        misaligned, shift = size - 1, struct.calcsize(_FORMATS[code]).bit_length() - 1

        def load(address: int, site: int) -> Any:
            segment = segments[bisect_right(starts, address) - 1]
            if address + size > segment.end or address & misaligned:
                raise self._fault(address, size, size, "read", site)
            view = segment.views[code] or segment.view(code)
            return view[(address - segment.origin) >> shift]

        return load

    def storer(self, ctype: CType) -> Callable[[Any, int, int], Any]:
        """Return `store(value, address, site)`, which writes one value of scalar or pointer type and returns it."""
        if is_short_float(ctype):
            assert isinstance(ctype, Scalar)
            short, put = ctype, self.storer(USHORT)

            def store_short(value: float, address: int, site: int) -> float:
                put(int.from_bytes(encoded(value, short), "little"), address, site)
                return value

            return store_short
        if isinstance(ctype, Scalar) and ctype.bits == 128:
            wide = ctype

            def store_wide(value: int, address: int, site: int) -> int:
                self.write(encoded(value, wide), address, wide.align, site)
                return value

            return store_wide
        code, size = _FORMATS.index(_format(ctype)), ctype.size
        starts, segments = self._starts, self._segments
        misaligned, shift = size - 1, struct.calcsize(_FORMATS[code]).bit_length() - 1

        def store(value: Any, address: int, site: int) -> Any:
            segment = segments[bisect_right(starts, address) - 1]
            if address + size > segment.end or address & misaligned or not segment.writable:
                raise self._fault(address, size, size, "write", site)
            view = segment.views[code] or segment.view(code)
            view[(address - segment.origin) >> shift] = value
            return value

        return store

    def _insert(self, segment: Segment) -> None:
        index = bisect_right(self._starts, segment.start)
        self._starts.insert(index, segment.start)
        self._segments.insert(index, segment)

    def _fault(self, address: int, size: int, align: int, verb: str, site: int) -> MemoryFault:
        """Say what is wrong with an access that was refused."""
        what = f"{verb} of {size} byte{'s' if size > 1 else ''}"
        if 0 <= address < 4096:
            return MemoryFault(f"{what} through a null pointer (address {address})", site)
        before = self._segments[bisect_right(self._starts, address) - 1]
        if address < before.end:
            if address + size > before.end:
                return MemoryFault(f"{what} runs past the end of {_describe(before)}", site)
            if address % align:
                return MemoryFault(
                    f"{what} at an address that is not a multiple of {align}, in {_describe(before)}", site
                )
            return MemoryFault(f"{what}: {_describe(before)} is read-only", site)
        after = bisect_right(self._starts, address)
        near = [(address - before.end, "past the end of", before)] if before.end > 0 else []
        near += [(s.start - address, "before", s) for s in self._segments[after : after + 1]]
        if near:
            distance, side, segment = min(near, key=lambda candidate: candidate[0])
            if distance <= _NEAR:
                where = f"{distance} bytes {side}" if distance else "right at the end of"
                return MemoryFault(f"{what} out of bounds, {where} {_describe(segment)}", site)
        if address >= _FIRST_VARIABLE:
            return MemoryFault(f"{what} where no variable lives (any more): address {address:#x}", site)
        return MemoryFault(f"{what} where no array lies: address {address:#x}", site)


def _describe(segment: Segment) -> str:
    return f"{segment.name} ({segment.end - segment.start} bytes)"


def _format(ctype: CType) -> str:
    """Return the format letter of a scalar or pointer type."""
    if isinstance(ctype, Pointer):
        return "Q"
    assert isinstance(ctype, Scalar)
    if ctype.kind == "bool":
        return "?"
    if ctype.kind == "float":
        return "f" if ctype.bits == 32 else "d"
    return _INTEGER_FORMATS[ctype.bits, ctype.signed]
