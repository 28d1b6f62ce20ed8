"""Commands for gdb that show one thread of a gang. gdb itself runs this file: `simt2simd gdb PROGRAM`.

    s2s thread           which block and threads the gang has, and which thread is shown
    s2s thread X[,Y,Z]   show the thread with this threadIdx; it must be one of the gang
    s2s locals           the variables of that thread
    s2s print NAME       one of them, or a part of it: sum, p.x, tile[3]

What gdb shows without these commands is what the whole gang has. The types of variables say how (`lower/debug`).
"""

from __future__ import annotations

import re
from typing import TypeAlias

import gdb

_GANG = "s2s_this_gang"
_STEP = re.compile(r"(.*), ([+-]\d+) a lane$")
_COPIES = re.compile(r"(.*), one a lane$")
_BITS = "bool, a bit a lane"
_VECTOR = re.compile(r"vector_size\(\d+\)\)\)$")
_PART = re.compile(r"\.(\w+)|\[(\d+)\]")

Shown: TypeAlias = "gdb.Value | bool | list[Shown] | dict[str, Shown]"


def of_lane(value: gdb.Value, lane: int) -> Shown:
    """Return what one lane has of a value that describes all of them."""
    type_ = value.type
    name = type_.name or ""
    if step := _STEP.match(name):
        return value.cast(type_.strip_typedefs()) + lane * int(step[2])
    if _COPIES.match(name):
        return value.cast(type_.strip_typedefs())[lane]
    if name == _BITS:
        return bool((int(value) >> lane) & 1)
    if type_.code == gdb.TYPE_CODE_ARRAY:
        first, last = type_.range()
        if _is_vector(type_):
            return value[lane]
        if _differs(type_.target()):
            return [of_lane(value[number], lane) for number in range(first, last + 1)]
    if type_.code == gdb.TYPE_CODE_STRUCT and any(_differs(field.type) for field in type_.fields()):
        return {field.name: of_lane(value[field], lane) for field in type_.fields()}
    return value


def _is_vector(type_: gdb.Type) -> bool:
    """Whether a type of arrays has an element for each lane. gdb shows an array of such vectors by the same words."""
    return _VECTOR.search(str(type_)) is not None and not _VECTOR.search(str(type_.target()))


def _differs(type_: gdb.Type) -> bool:
    """Whether lanes have something of their own in a value of this type."""
    if type_.name and (_STEP.match(type_.name) or _COPIES.match(type_.name) or type_.name == _BITS):
        return True
    if type_.code == gdb.TYPE_CODE_ARRAY:
        return _is_vector(type_) or _differs(type_.target())
    return type_.code == gdb.TYPE_CODE_STRUCT and any(_differs(field.type) for field in type_.fields())


def text_of(shown: Shown) -> str:
    if isinstance(shown, dict):
        return "{" + ", ".join(f"{name} = {text_of(part)}" for name, part in shown.items()) + "}"
    if isinstance(shown, list):
        return "{" + ", ".join(map(text_of, shown)) + "}"
    if isinstance(shown, bool):
        return "true" if shown else "false"
    return str(shown)


class Gang:
    """The gang that the chosen frame runs."""

    def __init__(self) -> None:
        frame = gdb.selected_frame()
        try:
            record = frame.read_var(_GANG)
        except (ValueError, gdb.error):
            raise gdb.GdbError("this is no frame of a kernel that was compiled with -g") from None
        self.block = tuple(int(record["block"][axis]) for axis in "xyz")
        launch = record["launch"]
        self.shape = tuple(int(launch["block"][axis]) for axis in "xyz")
        self.first = int(record["first_thread"])
        threads = self.shape[0] * self.shape[1] * self.shape[2]
        lanes = int(launch["kernel"]["lanes"])
        self.count = min(lanes, threads - self.first)

    def position(self, lane: int) -> tuple[int, int, int]:
        linear = self.first + lane
        x, y, _ = self.shape
        return linear % x, linear // x % y, linear // (x * y)

    def lane(self, position: tuple[int, int, int]) -> int:
        """Return the lane of a thread; an error if the gang does not have it."""
        x, y, z = position
        lane = x + self.shape[0] * (y + self.shape[1] * z) - self.first
        if any(at >= size for at, size in zip(position, self.shape, strict=True)) or not 0 <= lane < self.count:
            first, last = (self.position(end) for end in (0, self.count - 1))
            raise gdb.GdbError(f"this gang has threads {first} to {last}")
        return lane


class _Chosen:
    lane = 0


def _lane(gang: Gang) -> int:
    return min(_Chosen.lane, gang.count - 1)


class Prefix(gdb.Command):
    """Show one thread of the gang that a kernel's frame runs."""

    def __init__(self) -> None:
        super().__init__("s2s", gdb.COMMAND_DATA, prefix=True)


class Thread(gdb.Command):
    """Choose the thread to show, by its threadIdx: s2s thread X[,Y,Z]. Without it: say which is shown."""

    def __init__(self) -> None:
        super().__init__("s2s thread", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        gang = Gang()
        if argument:
            words = re.findall(r"\d+", argument)
            if not 1 <= len(words) <= 3:
                raise gdb.GdbError("write 1 to 3 numbers: s2s thread X[,Y,Z]")
            x, y, z = (int(word) for word in [*words, "0", "0"][:3])
            _Chosen.lane = gang.lane((x, y, z))
        first, last = (gang.position(end) for end in (0, gang.count - 1))
        lane = _lane(gang)
        print(f"block {gang.block}, threads {first} to {last}; shown: thread {gang.position(lane)}, lane {lane}")


class Locals(gdb.Command):
    """Show the variables of the chosen thread."""

    def __init__(self) -> None:
        super().__init__("s2s locals", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        lane, frame = _lane(Gang()), gdb.selected_frame()
        for name, symbol in _variables(frame).items():
            print(f"{name} = {_shown(symbol.value(frame), lane)}")


class Print(gdb.Command):
    """Show a variable of the chosen thread, or a part of it: s2s print NAME."""

    def __init__(self) -> None:
        super().__init__("s2s print", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        lane, frame = _lane(Gang()), gdb.selected_frame()
        variables, wanted = _variables(frame), argument.strip()
        if wanted in variables:
            print(_shown(variables[wanted].value(frame), lane))
            return
        name = re.split(r"\W", wanted)[0]
        scalars = {one: symbol for one, symbol in variables.items() if one.startswith(f"{wanted}.")}
        if scalars:
            for one, symbol in scalars.items():
                print(f"{one} = {_shown(symbol.value(frame), lane)}")
            return
        if name not in variables:
            raise gdb.GdbError(f"there is no variable '{name}' here")
        value = of_lane(variables[name].value(frame), lane)
        for field, index in _PART.findall(wanted[len(name) :]):
            value = _part(value, field, index)
        print(text_of(value))


def _part(value: Shown, field: str, index: str) -> Shown:
    if isinstance(value, dict) and field in value:
        return value[field]
    if isinstance(value, list) and index and int(index) < len(value):
        return value[int(index)]
    if isinstance(value, gdb.Value):
        return value[field] if field else value[int(index)]
    raise gdb.GdbError(f"there is no part '{field or index}' in {text_of(value)}")


def _variables(frame: gdb.Frame) -> dict[str, gdb.Symbol]:
    """Return the variables that can be seen from a frame, the innermost of each name."""
    found: dict[str, gdb.Symbol] = {}
    block: gdb.Block | None = frame.block()
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.is_variable and symbol.name != _GANG:
                found.setdefault(symbol.name, symbol)
        block = None if block.function is not None else block.superblock
    return found


def _shown(value: gdb.Value, lane: int) -> str:
    try:
        return text_of(of_lane(value, lane))
    except gdb.error as fault:
        return f"<{fault}>"


for command in (Prefix, Thread, Locals, Print):
    command()
