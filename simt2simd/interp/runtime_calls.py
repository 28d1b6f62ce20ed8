"""What the runtime does for kernels, for the thread that runs: `printf`, the heap, C's library, and time."""

from __future__ import annotations

import ctypes
import re
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

from ..lang.formats import DIRECTIVE
from .memory import Memory, MemoryFault

HEAP_BYTES = 8 << 20  # CUDA's default
_LENGTHS: dict[str, tuple[type[Any], type[Any]]] = {
    "hh": (ctypes.c_byte, ctypes.c_ubyte),
    "h": (ctypes.c_short, ctypes.c_ushort),
    "": (ctypes.c_int, ctypes.c_uint),
}
_LONG = (ctypes.c_longlong, ctypes.c_ulonglong)
_MOST_WIDTH = 1 << 20

Value = int | float | bool


class Services:
    """The functions that a kernel's Python program calls. Each takes the call's site first, for faults."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def names(self) -> dict[str, Callable[..., Any]]:
        """Return the functions by the names under which the Python program calls them."""
        return {
            f"service_{op}": getattr(self, op)
            for op in (
                "printf", "assert_fail", "malloc", "free", "memcpy", "memset", "memcmp", "strlen", "strcmp", "strncmp",
                "strcpy", "swap_16", "nanosleep", "clock", "globaltimer",
            )
        }  # fmt: skip

    # ------------------------------------------------------------------------------------------- output

    def printf(self, site: int, template: int, *args: Value) -> int:
        if template == 0:
            return -1
        sys.stdout.write(self.formatted(self.text(template, site), list(args), site).decode(errors="replace"))
        return len(args)

    def formatted(self, template: bytes, args: list[Value], site: int) -> bytes:
        """Return what C's `printf` makes of a format; a directive without an argument stays as it is."""

        def put(directive: re.Match[str]) -> str:
            if directive["kind"] == "%":
                return "%"
            flags, width, precision = self.measures(directive, args)
            if not directive["kind"] or not args:
                return directive.group()
            value = args.pop(0)
            if directive["kind"] == "n":
                return ""
            return self.formatted_value(directive, flags, width, precision, value, site).decode("latin-1")

        return DIRECTIVE.sub(put, template.decode("latin-1")).encode("latin-1")

    def measures(self, directive: re.Match[str], args: list[Value]) -> tuple[str, int, int]:
        """Return flags, width and precision; stars take theirs from the arguments, and -1 is no precision."""
        flags, widths = directive["flags"], []
        for text in (directive["width"], directive["precision"] if directive["dot"] else "-1"):
            number = int(args.pop(0) if args else 0) if text == "*" else int(text or 0)
            widths.append(max(-_MOST_WIDTH, min(_MOST_WIDTH, number)))
        width, precision = widths
        return flags + "-" * (width < 0), abs(width), max(-1, precision)

    def formatted_value(
        self, directive: re.Match[str], flags: str, width: int, precision: int, value: Value, site: int
    ) -> bytes:
        kind, length = directive["kind"], directive["length"] or ""
        if kind == "s":
            text = (
                self.text(int(value), site, precision) if value else b"(null)"[: precision if precision >= 0 else None]
            )
            return text.ljust(width) if "-" in flags else text.rjust(width)
        argument: Any
        if kind in "diouxX":
            argument = _LONG[0](_LENGTHS.get(length, _LONG)[kind not in "di"](_bits(value)).value)
            length = "ll"
        elif kind in "cp":
            argument, length = (ctypes.c_int if kind == "c" else ctypes.c_void_p)(_bits(value)), ""
        else:
            number = value if isinstance(value, float) else struct.unpack("<d", struct.pack("<Q", _bits(value)))[0]
            argument, length = ctypes.c_double(number), ""
        specification = f"%{flags}*.*{length}{kind}".encode()
        room = ctypes.create_string_buffer(1024 + width + max(0, precision))
        used = ctypes.CDLL(None).snprintf(
            room, ctypes.c_size_t(len(room)), specification, ctypes.c_int(width), ctypes.c_int(precision), argument
        )
        return room.raw[:used]

    def assert_fail(self, site: int, text: int, file: int, line: int, function: int, *where: int) -> None:
        shown, caller, failed = (self.text(part, site).decode(errors="replace") for part in (file, function, text))
        raise MemoryFault(f"{shown}:{line}: {caller}: assertion `{failed}` failed", site)

    # -------------------------------------------------------------------------------------------- memory

    def text(self, address: int, site: int, most: int = -1) -> bytes:
        """Return the characters of a string, without the zero at its end."""
        found = bytearray()
        while most < 0 or len(found) < most:
            character = self.memory.read(address + len(found), 1, 1, site)
            if character == b"\0":
                break
            found += character
        return bytes(found)

    def malloc(self, site: int, size: int) -> int:
        return self.memory.heap_allocate(size, HEAP_BYTES)

    def free(self, site: int, address: int) -> None:
        if address and not self.memory.heap_release(address):
            raise MemoryFault("free() of an address that malloc() did not give, or twice", site)

    def memcpy(self, site: int, to: int, source: int, size: int) -> int:
        if size:
            self.memory.write(self.memory.read(source, size, 1, site), to, 1, site)
        return to

    def memset(self, site: int, to: int, value: int, size: int) -> int:
        if size:
            self.memory.write(bytes([value & 255]) * size, to, 1, site)
        return to

    def memcmp(self, site: int, left: int, right: int, size: int) -> int:
        if not size:
            return 0
        return _compared(self.memory.read(left, size, 1, site), self.memory.read(right, size, 1, site))

    def strlen(self, site: int, address: int) -> int:
        return len(self.text(address, site))

    def strcmp(self, site: int, left: int, right: int) -> int:
        return _compared(self.text(left, site), self.text(right, site))

    def strncmp(self, site: int, left: int, right: int, size: int) -> int:
        return _compared(self.text(left, site, size), self.text(right, site, size))

    def strcpy(self, site: int, to: int, source: int) -> int:
        self.memory.write(self.text(source, site) + b"\0", to, 1, site)
        return to

    def swap_16(self, site: int, place: int, expected: int, desired: int) -> int:
        found = self.memory.read(place, 16, 16, site)
        same = found == self.memory.read(expected, 16, 8, site)
        if same:
            self.memory.write(self.memory.read(desired, 16, 8, site), place, 16, site)
        self.memory.write(found, expected, 8, site)
        return int(same)

    # ---------------------------------------------------------------------------------------------- time

    def nanosleep(self, site: int, duration: int) -> None:
        """Threads run one at a time: no other thread would do anything meanwhile."""

    def clock(self, site: int) -> int:
        return time.perf_counter_ns()

    def globaltimer(self, site: int) -> int:
        return time.time_ns()


def _bits(value: Value) -> int:
    """Return a number's bits, as they are handed over."""
    if isinstance(value, float):
        return int(struct.unpack("<Q", struct.pack("<d", value))[0])
    return int(value) & (1 << 64) - 1


def _compared(left: bytes, right: bytes) -> int:
    return (left > right) - (left < right)
