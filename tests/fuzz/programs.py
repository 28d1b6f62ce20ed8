"""Whole programs: one kernel, what it calls, its arguments, and the launches to run it with.

    __global__ void kernel(const int *in, int *out, int n, int u, ...)

Every thread has four elements of `out` of its own, and `i`, a number of its own. It writes nothing else, but by atomic
operations whose order does not matter, under a lock, or between barriers. `u` is a small number, `n` is positive
and at most the number of threads.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields

from .choices import Choices
from .classes.programs import class_program
from .functions import (
    TREE_NODES,
    call_walk,
    device_function,
    make_function,
    struct_function,
    ticking_function,
    tree_walk,
)
from .keeping import FORMS, ROWS, TYPES, declare_kept
from .launch import Alias, Array, Axes, Launch, Number, Parameter, Program, Record
from .sharing import EXCHANGE, declare_shared, exchange
from .statements import add_members, keep_places, note_all, own_array, statements
from .sweeps import sweep
from .tiles import declare_tiles
from .warps import HEAD, declare_warps, together, warp_function
from .writer import DOUBLE, FLOAT, INT, LONG, NARROW, UNSIGNED, WIDE, Features, Place, Scope, Type, Writer

CLASSES = "classes"  # what programs of C++ classes are about
CELLS = 4  # elements of `out` for each thread


def program(choices: Choices, about: Collection[str] = ()) -> Program:
    """Return a program that has to do with the features named in `about`, and others; `CLASSES` stands alone."""
    if CLASSES in about:
        return class_program(choices)
    return _Kernel(choices, about).program()


INDEX = "blockIdx.x * blockDim.x + threadIdx.x"
LINES: tuple[Axes, ...] = ((32,), (16,), (1,), (15,), (17,), (31,), (33,), (48,), (64,), (100,), (256,))
BOXES: tuple[Axes, ...] = (
    (16, 4),
    (5, 3),
    (8, 8),
    (32, 2),
    (1, 7),
    (33, 2),
    (4, 4, 4),
    (5, 3, 2),
    (16, 2, 2),
    (1, 1, 3),
)
TILES: tuple[Axes, ...] = ((8, 8), (5, 3), (16, 4), (8, 2), (16, 1), (7, 8), (32, 2), (15, 5), (32, 8), (16, 16))
GRIDS: tuple[Axes, ...] = ((1,), (2,), (2, 2))
LARGE_LINES = (
    Launch((2,), (256,)), Launch((1,), (1000,)), Launch((7,), (200,)), Launch((3,), (33,)), Launch((2,), (72,)),
    Launch((5,), (1,)),
)  # fmt: skip
LARGE_BOXES = (
    Launch((2,), (16, 16)), Launch((3,), (32, 4)), Launch((1, 2), (20, 10)), Launch((2, 1), (64, 2)),
    Launch((2, 3), (7, 3)),
)  # fmt: skip


# How often a program has to do with a feature, in percent; with the others, 25.
OFTEN = {"effects": 60, "loops": 60, "leaves": 50, "switches": 35, "calls": 35, "arrays": 35, "tiles": 15}


def _features(choices: Choices, about: Collection[str]) -> Features:
    drawn = {field.name: choices.chance(OFTEN.get(field.name, 25)) for field in fields(Features)}
    drawn |= dict.fromkeys(about, True)
    if drawn["tiles"]:
        drawn |= {"barriers": True, "sweeps": False, "warps": "warps" in about}
    if drawn["sweeps"] and drawn["barriers"]:
        drawn["sweeps"] = choices.chance(50)
    return Features(**drawn)


def _simple(features: Features) -> Features:
    """Return what programs may have to do with in which rows of threads can run in step."""
    names = ("tiles", "barriers", "effects", "loops", "narrow", "reals", "arrays")
    return Features(**{name: getattr(features, name) for name in names})


class _Kernel:
    def __init__(self, choices: Choices, about: Collection[str]) -> None:
        self.choices = choices
        self.features = _features(choices, about)
        only_tiles = self.features.tiles and choices.chance(60)
        self.features = _simple(self.features) if only_tiles else self.features
        self.w = Writer(choices, self.features)
        self.w.only_tiles = only_tiles
        if only_tiles:  # there are eight of each statement, and large kernels stay as they are
            self.w.statements_left = choices.between(2, 5)
        if self.features.tiles:
            self.w.tile_side, self.w.fits_tiles = choices.pick([16, 16, 32, 8]), choices.chance(60)
        self.parameters: list[Parameter] = []
        # "line": one dimension, as most kernels have it; "plane": two; "any": threads in the order of their numbers
        self.shape = choices.pick(["line", "line", "plane", "any"])
        if self.features.sweeps:
            self.shape = "line"
        elif self.features.tiles or ((self.features.barriers or self.features.warps) and self.shape == "plane"):
            self.shape = "any"
        self.out_type: Type = choices.pick([INT, INT, UNSIGNED, WIDE if self.features.wide else INT])

    def program(self) -> Program:
        w = self.w
        if self.features.warps:
            w.lines += HEAD
        if self.features.structs:
            self._structs()
        if self.features.barriers and not w.only_tiles:
            w.lines += EXCHANGE
        if self.features.calls:
            self.choices.several(1, 2, lambda: device_function(w, w.name("f")))
        if self.features.structs:
            if self.choices.chance(60):
                struct_function(w)
            if self.choices.chance(40):
                make_function(w)
        if self.features.walks:
            tree_walk(w)
        if self.features.warps:
            self.choices.several(0, 2, lambda: warp_function(w, w.name("f")))
        self._choose_slot()
        start = len(w.lines)
        self._parameters()
        self._body()
        head = f"__global__ void kernel({', '.join(map(self._declaration, self.parameters))})"
        w.lines.insert(start, head)
        small, large = self._launches()
        text = "\n".join(w.lines) + "\n"
        return Program(text, tuple(self.parameters), small, large, self.choices.upto(99), self._synchronises)

    @property
    def _synchronises(self) -> bool:
        return self.features.barriers or self.features.warps

    def _choose_slot(self) -> None:
        """Choose the thread's own elements of `out`: side by side, or beside those of its neighbours."""
        w = self.w
        at = w.pick(
            ["i", "i", "(size_t)i", "(threads - 1 - i)", "((i + 1) % threads)", "(i == 0 ? threads - 1 : i - 1)"]
        )
        if self.shape == "line" and w.chance(40):
            at = f"({INDEX})"
            if self.features.effects and w.chance(60):
                ticking_function(w, self.out_type)
        self.slot = w.pick([f"out[4 * {at} + %s]", f"out[%s * threads + {at}]"])
        if w.ticking:
            place = self.slot.replace("out", "cells").replace("threads", "(gridDim.x * blockDim.x)")
            w.lines = [line.replace("CELL", place.replace("%s", "1")) for line in w.lines]

    def _launches(self) -> tuple[Launch, Launch]:
        if self.features.tiles:
            side = self.w.tile_side if self.w.fits_tiles else 32
            blocks = [block for block in TILES if max(block) <= side]
            large = [(side, side), (side, side // 2), *blocks]
            small = Launch(self.choices.pick(GRIDS), self.choices.pick(blocks))
            return small, Launch(self.choices.pick(GRIDS), self.choices.pick(large))
        if self.shape == "line" or self.choices.chance(40):
            return Launch((self.choices.between(1, 3),), self.choices.pick(LINES)), self.choices.pick(LARGE_LINES)
        return Launch(self.choices.pick(GRIDS), self.choices.pick(BOXES)), self.choices.pick(LARGE_BOXES)

    # -------------------------------------------------------------------------------------------------- parameters

    def _structs(self) -> None:
        for k in range(self.choices.between(1, 2)):
            types = [INT, UNSIGNED, self.choices.pick(NARROW), LONG, FLOAT, DOUBLE]
            members = [(self.choices.pick(types), f"m{j}", 0) for j in range(self.choices.between(1, 4))]
            if self.choices.chance(40):
                members.append((self.choices.pick(types), "list", 4))
            self.w.structs[f"S{k}"] = members
            with self.w.braces(f"struct S{k}", ";"):
                for ctype, name, length in members:
                    self.w.line(f"{ctype.name} {name}{f'[{length}]' if length else ''};")

    def _parameters(self) -> None:
        w, choices = self.w, self.choices
        self.parameters = [
            Array("in", "const int", 4, 64, choices.pick(["small", "numbers"])),
            Array("out", self.out_type.name, CELLS),
            Number("n", choices.pick([5, 4, 3])),
            Number("u", 0, choices.upto(5)),
        ]
        w.inputs = [("in", INT)]
        if self.features.narrow:
            ctype = choices.pick([*NARROW, *NARROW[:1] * 3])  # bytes are put together
            w.inputs.append(("narrow", ctype))
            self.parameters.append(Array("narrow", f"const {ctype.name}", 4, 64))
        for on, name, ctype in (
            (self.features.wide, "longs", LONG),
            (self.features.reals, "reals", choices.pick([FLOAT, DOUBLE])),
        ):
            if on:
                w.inputs.append((name, ctype))
                self.parameters.append(Array(name, f"const {ctype.name}", 4, 64))
        if self.features.atomics:
            for name in ("counts", "others"):
                self._counter(name)
        if self.features.locks:
            w.lock_operator = choices.pick(["+=", "^=", "|="])
            self.parameters += [Array("locks", "int", 0, 8, "zeros"), Array("totals", "unsigned", 0, 8)]
        if self.features.walks:
            nodes = "const Node" if "Node" in w.tree_parameter else "const int"
            self.parameters.append(Array("tree", nodes, 0, TREE_NODES * 3, "tree"))
        if self.features.sweeps:
            w.sweep_rows = choices.chance(25)
            w.row_length = "count / 3"
            w.data_type = choices.pick([INT, UNSIGNED, *([FLOAT] * self.features.reals)])
            self.parameters.append(Array("data", w.data_type.name, 3, 16))
            self.parameters.append(Number("count", choices.pick([15, 10, 7, 4]), choices.upto(5)))
        if self.features.structs:
            members = tuple((ctype.name, name, length) for ctype, name, length in w.structs["S0"])
            self.parameters.append(Array("records", "S0", 1, 0, "numbers", members))
            self.parameters.append(Array("items", "const S0", 1, 64, "numbers", members))
            if choices.chance(50):
                self.parameters.append(Record("record", "S0", members))
                w.struct_values.append("record")
        if self.features.barriers:
            self.parameters.append(Array("relay", "int", 1))
        if self.features.keeps:
            w.kept_type, w.kept_form = choices.pick(TYPES), choices.pick(FORMS)
            self.parameters.append(Array("kept", w.kept_type.name, ROWS))
        if self.features.warps:
            self.parameters.append(Array("tally", "int", 0, 8))

    def _counter(self, name: str) -> None:
        ctype, op = self.choices.pick(
            [(UNSIGNED, "Add"), (INT, "Add"), (INT, "Max"), (UNSIGNED, "Min"), (INT, "Xor"), (UNSIGNED, "Or"),
             (UNSIGNED, "And"), (WIDE, "Add"), (WIDE, "Max"), (FLOAT, "Add"), (DOUBLE, "Add"), (UNSIGNED, "Inc"),
             (UNSIGNED, "Loop"), (UNSIGNED, "Ticket")]
        )  # fmt: skip
        self.w.counters.append((name, ctype, op))
        self.parameters.append(Array(name, ctype.name, 0, 8, "small"))

    def _declaration(self, parameter: Parameter) -> str:
        if isinstance(parameter, Number):
            return f"int {parameter.name}"
        if isinstance(parameter, Record):
            return f"{parameter.type} {parameter.name}"
        alone = not self.features.aliases and self.restrict
        return f"{parameter.type} *{'__restrict__ ' if alone else ''}{parameter.name}"

    # -------------------------------------------------------------------------------------------------------- body

    def _body(self) -> None:
        w, choices = self.w, self.choices
        self.restrict = choices.chance(30)
        scope = Scope(uniform=["u", "(int)blockIdx.x", "(int)gridDim.x"])
        with w.braces():
            self._indices(scope)
            self._cells(scope)
            if self.features.barriers and not w.only_tiles:
                declare_shared(w)
            if self.features.tiles:
                declare_tiles(w)
            if self.features.warps:
                declare_warps(w)
            if self.features.keeps:
                declare_kept(w)
            w.line("unsigned h = 1;")
            guard = 0 if w.only_tiles else choices.upto(3)
            w.may_leave = guard != 0 or self.features.leaves or self.features.loops
            if guard == 1:
                w.line(f"if (i >= n) {w.leave}")
            for _ in range(choices.upto(2)):
                name = w.name("x")
                w.line(f"int {name} = {w.pick(['0', '7', 'u'])};")
                scope.places.append(Place(name, INT, name))
            if self.features.arrays and choices.chance(60):
                own_array(w, scope)
            if guard == 2 and not self.features.barriers:
                with w.braces(f"if ({w.pick(['i < n', 'n > i', 'i < n && u < 9'])})"):
                    inner = scope.inner()
                    self._sections(inner)
                    self._end(inner)
            else:
                self._sections(scope)
                self._end(scope)

    def _end(self, scope: Scope) -> None:
        note_all(self.w, scope)
        self.w.line(f"{self.slot.replace('%s', '0')} = h;")

    def _sections(self, scope: Scope) -> None:
        w, choices = self.w, self.choices
        makers = [(6, lambda: statements(w, scope, 1, 3, choices.between(1, 2)))]
        if self.features.sweeps:
            makers.append((8, lambda: sweep(w, scope)))
        if self.features.keeps:
            makers.append((8, lambda: keep_places(w, scope, 1)))
        if self.features.walks:
            makers.append((6, lambda: call_walk(w, scope)))
        if self.features.barriers:
            makers.append((10, lambda: exchange(w, scope, 1 if w.only_tiles else 2)))
        if self.features.warps:
            makers.append((14, lambda: together(w, scope, 2)))
        choices.several(
            1, 1 if w.only_tiles else 3, lambda: choices.weighted(makers[-1:] if w.only_tiles else makers)()
        )

    def _indices(self, scope: Scope) -> None:
        """Declare `i`; where threads work together, `tid`, the thread's number in the block, and the block's `size`."""
        w, w.thread_numbers = self.w, ["i", "(i & 31)", "(i >> 2)", "i / 16", "(i ^ 1)", "((i + 1) % n)", "(i / 70)"]
        w.gang_conditions = ["i >= 16", "i < 7", "i / 16 == 1", "i == 5", "u == 77", "in[i] == 99999", "n < 0"]
        w.index_forms = [
            "i",
            "4 * i + 1",
            "2 * i",
            "i + u",
            "i / 3",
            "i % 16",
            "threads - 1 - i",
            "u",
            "i + 7",
            "i % n",
        ]
        w.index_forms += ["(i + 1) % threads", "(i == 0 ? threads - 1 : i - 1)", "i / 70", "(i < 7)", "(i > 20) * 4"]
        width, x = "(int)(gridDim.x * blockDim.x)", INDEX
        if self.shape == "line":
            w.line(f"const int threads = {width};")
            w.line(f"const int i = {x};")
            tid, size = "threadIdx.x", "blockDim.x"
        elif self.shape == "plane":
            w.line(f"const int threads = {width} * (int)(gridDim.y * blockDim.y * blockDim.z);")
            w.line(f"const int x = {x}, y = blockIdx.y * blockDim.y + threadIdx.y;")
            z = "(int)(blockDim.y * gridDim.y) * (int)threadIdx.z"
            w.line(f"const int i = ({z} + y) * {width} + x;")
            w.thread_numbers += ["x", "y", "(x & 3)"]
            w.gang_conditions += ["x < 3", "y == 1", "x == 0 && y == 0"]
            tid = size = ""
        else:
            size = "blockDim.x * blockDim.y * blockDim.z"
            tid = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"
            if self.features.tiles:
                size, tid = "blockDim.x * blockDim.y", "threadIdx.y * blockDim.x + threadIdx.x"
            w.line(f"const int threads = (int)(gridDim.x * gridDim.y) * (int)({size});")
            w.line(f"const int i = (blockIdx.y * gridDim.x + blockIdx.x) * ({size}) + {tid};")
        if self._synchronises:
            w.line(f"const int tid = {tid}, size = {size};")
            w.thread_numbers += ["tid", "(tid & 15)", "(size - tid)"]
            w.gang_conditions += ["tid < 3", "tid >= 16", "tid / 16 == 1", "tid == 0"]
        elif self.choices.chance(50):
            w.thread_numbers += ["(int)threadIdx.x", "((int)threadIdx.x >> 1)"]
            w.gang_conditions += ["threadIdx.x < 5", "threadIdx.x >= 16", "threadIdx.x == 0"]
        scope.places += [
            Place("i", INT, "i", writable=False, varying=True),
            Place("u", INT, "u", writable=False),
        ]

    def _cells(self, scope: Scope) -> None:
        """Let the thread's own elements of `out` be used, under several names."""
        w = self.w
        together = self.slot.startswith("out[4")
        w.leave = f"{{ {self.slot.replace('%s', '0')} = h; return; }}"
        names = ["out"] * CELLS
        if self.features.aliases:
            shift, const = self.choices.pick([0, 1, 2]), self.choices.chance(40)
            ctype = f"const {self.out_type.name}" if const else self.out_type.name
            self.parameters.append(Alias("also", ctype, "out", 0 if together else shift, shift if together else 0))
            for k in range(CELLS - shift):
                text = self.slot.replace("out", "also").replace("%s", str(k))
                scope.places.append(Place(text, self.out_type, "out", writable=not const, varying=True))
        for k in range(1, len(names)):
            scope.places.append(Place(self.slot.replace("%s", str(k)), self.out_type, "out", varying=True))
        if self.choices.chance(30):
            w.line(f"{self.out_type.name} *mine = &{self.slot.replace('%s', '1')};")
            scope.places.append(Place("(*mine)", self.out_type, "out", varying=True))
        if self.features.structs:
            scope.structs["records[i]"] = "S0"
            add_members(w, scope, "S0", "records[i].", "records")
            if "record" in w.struct_values:
                scope.structs["record"] = "S0"
                add_members(w, scope, "S0", "record.", "record")
