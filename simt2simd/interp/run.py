"""The reference interpreter: one thread at a time, from barrier to barrier. It defines what a kernel means.

The threads of a block run in order, x fastest; each runs until it reaches a barrier or ends. When all
threads that still live wait at a barrier, each at any of them, the next phase begins. A thread that
spins in a loop, in which it may wait for others, gives them a turn now and then. Integers wrap, shifts by the width
or more give 0 or the sign, division by zero gives all ones and the remainder its dividend, conversions from
floating types saturate; floats are rounded after every operation and nothing is fused.

It is also a sanitiser: an access out of bounds, misaligned, to a dead variable or to read-only memory, a
variable read before it has a value, and a barrier to which too few threads come are all `InterpreterError`s.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import CodeType, TracebackType
from typing import Any

import numpy as np

from ..diag import Diagnostic, Note
from ..lang.builtins import WARP_SIZE
from ..lang.compiler_calls import WILD_CALL
from ..lang.ctype import CType, Pointer, Scalar, Struct, is_float
from ..lang.numbers import f32
from ..source import NOWHERE, Span
from ..tree.nodes import Content, Function, Module, Variable
from . import matrices, ops, warps
from .children import Child, ChildServices, Family
from .expressions import function_name
from .functions import Translation, translate
from .math import divide
from .memory import Memory, MemoryFault
from .named_barriers import Awaited, ChildrenAwaited, Meeting, Meetings
from .runtime_calls import Services

Index = tuple[int, int, int]
_Thread = tuple[Index, Generator[Any, Any, None]]
_InWarp = dict[_Thread, warps.Waiting]

# How deep functions may call each other. A generator that resumes another one takes room on the C stack.
_DEEPEST_CALL = 200_000
_DEEPEST_SYNCHRONISING_CALL = 4_000

_FILE = "<simt2simd interpreter>"


class InterpreterError(Exception):
    """The program did something that has no meaning. `thread` and `block` say which one did it; None before any ran."""

    def __init__(self, diagnostic: Diagnostic, thread: Index | None, block: Index | None) -> None:
        where = f"\nin thread {thread} of block {block}" if thread is not None else ""
        super().__init__(f"{diagnostic}{where}")
        self.diagnostic = diagnostic
        self.span = diagnostic.span
        self.thread = thread
        self.block = block


def run(
    module: Module,
    kernel: str,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    args: Sequence[Any],
    *,
    memory: Memory | None = None,
    max_steps: int | None = None,
) -> None:
    """Run `kernel` of `module` on a grid of blocks; see `Interpreter.launch`."""
    Interpreter(module).launch(kernel, grid, block, args, memory=memory, max_steps=max_steps)


class Interpreter:
    """A module made ready to run.

    Launches share the arrays and the `Memory` given to them, and the variables at file scope (`variable`).
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.variables = _variables(module)
        self._translations: dict[bool, tuple[Translation, CodeType]] = {}

    def python(self, *, limited: bool = False) -> str:
        """Return the module as a Python program."""
        return self._translation(limited)[0].source

    def launch(
        self,
        kernel: str,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[Any],
        *,
        memory: Memory | None = None,
        max_steps: int | None = None,
        shared_bytes: int = 0,
    ) -> None:
        """Run `kernel` on a grid of blocks.

        Parameters
        ----------
        grid, block : one to three counts.
        args : one per parameter. For a pointer a NumPy array (read and written in place), an address, or None for
            null; for a number a Python or NumPy number; for a struct its bytes or a NumPy record.
        memory : where else pointers in memory may lead: arrays registered there.
        max_steps : loop iterations and calls, of all threads together, after which to give up.
        shared_bytes : dynamic shared memory of a block.

        Raises
        ------
        InterpreterError : the program did something that has no meaning, or took more than `max_steps`.
        TypeError, ValueError : the arguments do not fit the parameters; a count is not positive.
        """
        function = self.module.functions.get(kernel)
        if function is None or function.kind != "kernel":
            raise ValueError(f"there is no kernel '{kernel}'")
        memory = Memory() if memory is None else memory
        values = _bind(function, args, memory)
        translation, code = self._translation(max_steps is not None)
        launch = _Launch(translation, code, memory, max_steps, self.variables, shared_bytes, self.module.kernels)
        launch.run(kernel, values, _dim3(grid, "grid"), _dim3(block, "block"))

    def variable(self, name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return the bytes of a `__device__`, `__constant__` or `__managed__` variable, to be read and written."""
        return next(content for variable, content in self.variables.items() if variable.name == name)

    def _translation(self, limited: bool) -> tuple[Translation, CodeType]:
        if limited not in self._translations:
            translation = translate(self.module, limited=limited)
            try:
                code = compile(translation.source, _FILE, "exec")
            except (SyntaxError, RecursionError, MemoryError) as failure:
                line = getattr(failure, "lineno", None) or 1
                span = translation.lines[min(line, len(translation.lines)) - 1] if translation.lines else NOWHERE
                message = f"nested too deeply for the interpreter: {failure}"
                raise InterpreterError(Diagnostic(span, message), None, None) from None
            self._translations[limited] = translation, code
        return self._translations[limited]


@dataclass
class _Block:
    """A block that has begun: the addresses of its shared variables, and its threads that have not ended.

    `todo`: those that can run, each with what it is sent. `at_barrier` and `in_warp`: those that wait at a barrier, and
    at which site, and those at a warp function, warp by warp.
    """

    index: Index
    shared: dict[str, int]
    warps: list[list[_Thread]] = field(default_factory=list)
    meetings: Meetings[_Thread] = field(default_factory=lambda: Meetings([]))
    todo: dict[_Thread, Any] = field(default_factory=dict)
    at_barrier: list[dict[_Thread, int]] = field(default_factory=list)
    in_warp: list[_InWarp] = field(default_factory=list)
    at_grid_barrier: bool = False

    def start(self, function: Any, values: list[Any], size: Index) -> None:
        threads: list[_Thread] = [
            ((x, y, z), function(*values)) for z, y, x in itertools.product(*map(range, reversed(size)))
        ]
        self.warps = [threads[first : first + WARP_SIZE] for first in range(0, len(threads), WARP_SIZE)]
        self.meetings = Meetings([tuple(warp) for warp in self.warps])
        self.in_warp = [{} for _ in self.warps]
        self.begin_phase(threads)

    def begin_phase(self, threads: Iterable[_Thread]) -> None:
        self.at_barrier = [{} for _ in self.warps]
        self.todo = dict.fromkeys(threads)


class _Launch:
    """One launch: the Python functions bound to a memory, and the thread that runs."""

    def __init__(
        self,
        translation: Translation,
        code: CodeType,
        memory: Memory,
        max_steps: int | None,
        variables: dict[Variable, Bytes],
        shared_bytes: int,
        kernels: Sequence[Function],
    ) -> None:
        self.translation = translation
        self.variables = variables
        self.shared_bytes = shared_bytes
        self.memory = memory
        self.steps_left = max_steps or 0
        self.max_steps = max_steps
        self.thread: Index = (0, 0, 0)
        self.block: Index = (0, 0, 0)
        self.family = Family()
        self.grids = itertools.count()
        limits = {kernel.name: kernel.max_threads for kernel in kernels}
        self.services = ChildServices(memory, lambda: (self.family, self.block, self.thread), limits)
        self.names = self.namespace()
        exec(code, self.names)

    def namespace(self) -> dict[str, Any]:
        """Return what the Python program may call."""
        memory, translation = self.memory, self.translation
        names: dict[str, Any] = {
            "f32": f32, "divide": divide, "divide_single": ops.divide_single, "quotient": ops.quotient,
            "modulo": ops.modulo, "shift_left": ops.shift_left, "shift_right": ops.shift_right,
            "inf": math.inf, "nan": math.nan, "read": memory.read, "write": memory.write,
            "allocate": memory.allocate, "release": memory.release, "tick": self.tick, "no_result": self.no_result,
            "trap": self.trap, "wild_call": self.wild_call, "unreachable": self.unreachable,
            "to_shared": memory.to_shared, "from_shared": memory.from_shared,
            **{f"is_{space}": partial(memory.is_in, space) for space in ("global", "shared", "constant", "local")},
            **translation.values, **Services(memory).names(), **self.services.names(),
        }  # fmt: skip
        names |= {"waiting": warps.Waiting, "named_barrier": Meeting, "awaiting": Awaited}
        names["await_children"] = ChildrenAwaited
        for name, builtin in translation.builtins.items():
            if builtin.of_warp:
                names[f"builtin_{name}"] = builtin
                continue
            try:
                names[name] = ops.builtin_operation(builtin)
            except KeyError:
                message = f"the interpreter does not know '{builtin.name}'"
                raise InterpreterError(Diagnostic(NOWHERE, message), None, None) from None
        for key, ctype in translation.types.items():
            names[f"load_{key}"] = memory.loader(ctype)
            names[f"store_{key}"] = memory.storer(ctype)
        return names

    def tick(self) -> None:
        self.steps_left -= 1
        if self.steps_left < 0:
            raise _StepLimit

    def no_result(self, site: int) -> None:
        raise MemoryFault("the function ends without returning a value", site)

    def trap(self, site: int) -> None:
        raise MemoryFault("__trap() ends the launch", site)

    def wild_call(self, site: int) -> None:
        raise MemoryFault(WILD_CALL, site)

    def unreachable(self, site: int) -> None:
        raise MemoryFault("__builtin_unreachable() is reached", site)

    def run(self, kernel: str, values: list[Any], grid: Index, block: Index) -> None:
        constants = self.per_module()
        old_limit = sys.getrecursionlimit()
        deepest = _DEEPEST_SYNCHRONISING_CALL if self.translation.generators else _DEEPEST_CALL
        sys.setrecursionlimit(_depth() + deepest)
        try:
            self.run_grid(kernel, values, grid, block)
            self.run_children()
        except (MemoryFault, UnboundLocalError, RecursionError, _StepLimit) as failure:
            raise self.explained(failure) from None
        finally:
            sys.setrecursionlimit(old_limit)
        for address in constants:
            self.memory.release(address)

    def run_grid(self, kernel: str, values: list[Any], grid: Index, block: Index) -> None:
        """Run the blocks of a grid, without the children that these launch and do not wait for."""
        names = self.names
        for axis, name in enumerate("xyz"):
            names[f"gridDim_{name}"], names[f"blockDim_{name}"] = grid[axis], block[axis]
        names["grid_id"], names["dynamic_shared_bytes"] = next(self.grids), self.shared_bytes
        function = names[function_name(kernel)]
        path: list[Any] = [()] if kernel in self.translation.of_warps else []
        waiting: list[_Block] = []
        for z, y, x in itertools.product(*map(range, reversed(grid))):
            now = _Block((x, y, z), self.per_block())
            self.enter_block(now)
            if kernel in self.translation.generators:
                now.start(function, [*path, *values], block)
                waiting += self.run_phases(now)
            else:
                self.run_straight(function, values, block)
                self.leave_block(now)
        while waiting:
            if all(one.at_grid_barrier for one in waiting):
                for one in waiting:
                    one.at_grid_barrier = False
            waiting = [block for one in waiting for block in self.run_phases(one)]

    def run_children(self) -> None:
        """Run the children of the grid whose blocks have ended, each with all its own, and then the tail launches."""
        while children := self.family.take():
            for child in children:
                self.run_child(child)

    def run_child(self, child: Child) -> None:
        """Run a child with all its own children, and come back to the thread that runs."""
        if child.copy is not None:
            child.copy()
            return
        assert child.kernel is not None
        parts = [f"{name}_{axis}" for name in ("gridDim", "blockDim", "blockIdx", "threadIdx") for axis in "xyz"]
        kept = *parts, "grid_id", "dynamic_shared_bytes", *self.translation.memory
        before = {name: self.names[name] for name in kept if name in self.names}
        state = self.family, self.block, self.thread, self.shared_bytes
        self.family, self.shared_bytes = Family(), child.shared_bytes
        self.run_grid(child.kernel, [*child.args], child.grid, child.block)
        self.run_children()
        self.family, self.block, self.thread, self.shared_bytes = state
        self.names.update(before)

    def per_module(self) -> list[int]:
        addresses = []
        for name, variable in self.translation.memory.items():
            if variable in self.variables:
                self.names[name] = self.memory.register(
                    _seen(variable, self.variables[variable]),
                    f"'{variable.name}'",
                    "constant" if variable.storage == "constant" else "global",
                )
            elif variable.storage == "constant":
                content = variable.initial or bytes(variable.type.size)
                self.names[name] = self.memory.constant(f"'{variable.name}'", content)
                addresses.append(self.names[name])
        return addresses

    def per_block(self) -> dict[str, int]:
        """Return the addresses of a block's shared variables, by their names."""
        addresses = {
            name: self.memory.allocate(f"'{variable.name}'", variable.type.size, variable.align, "shared")
            for name, variable in self.translation.memory.items()
            if variable.storage == "shared" and not variable.dynamic
        }
        dynamic = {name: variable for name, variable in self.translation.memory.items() if variable.dynamic}
        if dynamic:  # all of them begin at the same place
            align = max(variable.align for variable in dynamic.values())
            where = self.memory.allocate("dynamic shared memory", self.shared_bytes, align, "shared")
            addresses.update(dict.fromkeys(dynamic, where))
        return addresses

    def enter_block(self, block: _Block) -> None:
        """Make `block` the one that runs."""
        names = self.names
        self.block = names["blockIdx_x"], names["blockIdx_y"], names["blockIdx_z"] = block.index
        names.update(block.shared)

    def leave_block(self, block: _Block) -> None:
        for address in set(block.shared.values()):
            self.memory.release(address)

    def enter(self, thread: Index) -> None:
        """Make `thread` the one that runs."""
        names = self.names
        self.thread = thread
        names["threadIdx_x"], names["threadIdx_y"], names["threadIdx_z"] = thread

    def run_straight(self, function: Any, values: list[Any], block: Index) -> None:
        """Run a kernel without barriers: each thread runs to its end."""
        for z, y, x in itertools.product(*map(range, reversed(block))):
            self.enter((x, y, z))
            function(*values)

    def run_phases(self, block: _Block) -> list[_Block]:
        """Run a block with barriers: in each phase every thread runs to its next barrier, or ends.

        Return the block if its threads wait at the barrier of the grid or only for other blocks, nothing if they have
        ended.
        """
        self.enter_block(block)
        while not block.at_grid_barrier:
            if not self.run_to_barrier(block):
                return [block]
            sites = [(thread, site) for warp in block.at_barrier for thread, site in warp.items()]
            self.check_barrier(sites)
            if not sites:
                self.leave_block(block)
                return []
            block.at_grid_barrier = sites[0][1] < 0
            block.begin_phase(thread for thread, _ in sites)
        return [block]

    def run_to_barrier(self, block: _Block) -> bool:
        """Run each thread to its next barrier, or its end. Return false if those that are left wait in loops.

        Named barriers on the way open when enough threads have come.
        """
        while block.todo:
            now, block.todo = block.todo, {}
            for number, warp in enumerate(block.warps):
                self.run_warp({thread: now[thread] for thread in warp if thread in now}, number, block)
            spinning = dict(block.todo)
            waiting: list[Iterable[_Thread]] = [*block.at_barrier, *block.in_warp, spinning]
            elsewhere = set(itertools.chain.from_iterable(waiting))
            block.todo |= block.meetings.opened(elsewhere)
            block.todo |= block.meetings.awoken(lambda one: self.memory.read(one.address, 8, 8, one.site))
            if spinning and block.todo == spinning == now:
                return False
        for thread, waiting_for in block.meetings.waiting.items():
            raise self.others_do_not_come(thread, waiting_for.site)
        return True

    def others_do_not_come(self, thread: _Thread, site: int) -> InterpreterError:
        message = f"the threads for which thread {thread[0]} waits here do not come"
        return InterpreterError(Diagnostic(self.translation.sites[max(site, ~site)], message), thread[0], self.block)

    def run_warp(self, todo: dict[_Thread, Any], number: int, block: _Block) -> None:
        """Run each thread of a warp to its next barrier, or its end. Those that wait in loops are to do afterwards."""
        in_warp, at_barrier, spinning = block.in_warp[number], block.at_barrier[number], set()
        while todo:
            arrived: dict[_Thread, Any] = {}
            for thread, result in todo.items():
                self.enter(thread[0])
                try:
                    event = thread[1].send(result)
                except StopIteration:
                    continue
                if isinstance(event, warps.Waiting):
                    in_warp[thread] = event
                elif isinstance(event, ChildrenAwaited):
                    for child in self.family.of_block(self.block):
                        self.run_child(child)
                    arrived[thread] = 0
                elif isinstance(event, Meeting):
                    block.meetings.arrive(thread, event)
                    if not event.waits:
                        arrived[thread] = 0
                elif isinstance(event, Awaited):
                    block.meetings.waiting[thread] = event
                elif event is None:
                    spinning.add(thread)
                else:
                    at_barrier[thread] = event
            todo = arrived or ({} if spinning else self.do_together(in_warp, at_barrier))
        block.todo |= dict.fromkeys(spinning)

    def do_together(
        self, in_warp: dict[_Thread, warps.Waiting], at_barrier: Mapping[_Thread, int]
    ) -> dict[_Thread, Any]:
        """Do the warp function that comes first; return the threads that continue, each with its result."""
        if not in_warp:
            return {}
        lanes = {self.lane(thread): thread for thread in in_warp}
        here = warps.meeting({lane: in_warp[thread] for lane, thread in lanes.items()})
        for lane, waiting in here.items():
            elsewhere = [(t, w.site) for t, w in in_warp.items() if self.lane(t) not in here] + [*at_barrier.items()]
            for thread, site in elsewhere if waiting.builtin.gathers_lanes else ():
                if waiting.named >> self.lane(thread) & 1:
                    raise self.lane_is_missing(lanes[lane][0], waiting, thread[0], site)
        return {lanes[lane]: result for lane, result in self.outcome({n: in_warp.pop(lanes[n]) for n in here}).items()}

    def outcome(self, here: dict[int, warps.Waiting]) -> dict[int, Any]:
        """Return what a warp function gives to each of the lanes that are together."""
        if next(iter(here.values())).builtin.of_matrices:
            return matrices.outcome(here, self.memory)
        return warps.outcome(here)

    def lane(self, thread: _Thread) -> int:
        (x, y, z), names = thread[0], self.names
        return int(x + names["blockDim_x"] * (y + names["blockDim_y"] * z)) % WARP_SIZE

    def lane_is_missing(self, thread: Index, waiting: warps.Waiting, other: Index, site: int) -> InterpreterError:
        diagnostic = Diagnostic(
            self.translation.sites[waiting.site],
            f"'{waiting.builtin.name}' waits for threads of the warp that are not here: thread {thread} waits here, "
            f"thread {other} elsewhere",
            (Note(self.translation.sites[max(site, ~site)], f"thread {other} waits here"),),
            help="name the threads that are here, or let all of them come here",
        )
        return InterpreterError(diagnostic, thread, self.block)

    def check_barrier(self, waiting: list[tuple[_Thread, int]]) -> None:
        """Raise if some threads of a block wait at the barrier of the grid, others at that of the block."""
        of_grid = [(thread, site) for thread, site in waiting if site < 0]
        if of_grid and len(of_grid) < len(waiting):
            raise self.others_do_not_come(*of_grid[0])

    def explained(self, failure: Exception) -> InterpreterError:
        """Turn what went wrong in the Python program into an error of the kernel."""
        statement = self.statement(failure.__traceback__)
        if isinstance(failure, MemoryFault):
            diagnostic = Diagnostic(self.translation.sites[failure.site], failure.message)
        elif isinstance(failure, _StepLimit):
            diagnostic = Diagnostic(statement, f"not finished after {self.max_steps} steps (loop iterations and calls)")
        elif isinstance(failure, RecursionError):
            diagnostic = Diagnostic(statement, "functions call each other too deeply")
        else:
            python_name = re.findall(r"'(\w+)'", str(failure))[0]
            variable = self.translation.variables[python_name]
            note = Note(variable.span, f"'{variable.name}' is declared here")
            diagnostic = Diagnostic(statement, f"'{variable.name}' is read before it has a value", (note,))
        return InterpreterError(diagnostic, self.thread, self.block)

    def statement(self, traceback: TracebackType | None) -> Span:
        """Return the innermost statement of the kernel that was running."""
        span = NOWHERE
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == _FILE:
                span = self.translation.lines[traceback.tb_lineno - 1]
            traceback = traceback.tb_next
        return span


class _StepLimit(Exception):
    """More steps than the caller allows."""


Bytes = np.ndarray[Any, np.dtype[np.uint8]]

_MARGIN = 64  # unused bytes around a variable


def _variables(module: Module) -> dict[Variable, Bytes]:
    """Make memory for the variables at file scope, and for the constants to which they point."""
    contents = dict(module.variables)
    pointed_to = {target for content in contents.values() for _, target, _ in content.addresses}
    contents |= {constant: Content(constant.initial or b"") for constant in module.constants if constant in pointed_to}
    found = {variable: _bytes(variable, content) for variable, content in contents.items()}
    for variable, content in contents.items():
        for offset, target, by in content.addresses:
            address = int(found[target].ctypes.data) + by
            found[variable][offset : offset + 8] = np.frombuffer(address.to_bytes(8, "little"), np.uint8)
    return found


def _bytes(variable: Variable, content: Content) -> Bytes:
    align = max(_MARGIN, variable.type.align, variable.align)
    room = np.zeros(variable.type.size + 2 * _MARGIN + align, np.uint8)
    begin = _MARGIN + -(int(room.ctypes.data) + _MARGIN) % align
    found = room[begin : begin + variable.type.size]
    if content.data:
        found[:] = np.frombuffer(content.data, np.uint8)
    return found


def _seen(variable: Variable, content: Bytes) -> Bytes:
    """Return a variable's memory as kernels may use it."""
    view = content.view()
    view.flags.writeable = variable.storage != "constant"
    return view


def _depth() -> int:
    """Return how deep the Python stack is here."""
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


def _dim3(counts: int | Sequence[int], what: str) -> Index:
    given = (counts,) if isinstance(counts, int | np.integer) else tuple(counts)
    if not 1 <= len(given) <= 3 or any(int(count) < 1 for count in given):
        raise ValueError(f"{what} must be one to three positive counts, not {counts!r}")
    x, y, z = (*(int(count) for count in given), 1, 1)[:3]
    return x, y, z


def _bind(function: Function, args: Sequence[Any], memory: Memory) -> list[Any]:
    """Return the interpreter's values for a kernel's arguments."""
    if len(args) != len(function.params):
        raise TypeError(f"kernel '{function.name}' takes {len(function.params)} arguments, {len(args)} given")
    return [_argument(param, arg, memory) for param, arg in zip(function.params, args, strict=True)]


def _argument(param: Variable, arg: Any, memory: Memory) -> Any:
    ctype: CType = param.type
    if isinstance(ctype, Pointer):
        if isinstance(arg, np.ndarray):
            return memory.register(arg, f"'{param.name}'")
        if arg is None or isinstance(arg, int | np.integer):
            return int(arg or 0)
    elif isinstance(ctype, Struct):
        content = arg.tobytes() if isinstance(arg, np.void | np.ndarray) else arg
        if isinstance(content, bytes) and len(content) == ctype.size:
            return content
    elif isinstance(ctype, Scalar) and isinstance(arg, bool | int | float | np.number | np.bool_):
        if is_float(ctype):
            return ops.round_for(ctype)(float(arg))
        if ctype.kind == "bool":
            return bool(arg)
        if not isinstance(arg, float | np.floating):
            return ops.wrap(int(arg), ctype.bits, ctype.signed)
    raise TypeError(f"parameter '{param.name}' has type {ctype}: {type(arg).__name__} does not fit")
