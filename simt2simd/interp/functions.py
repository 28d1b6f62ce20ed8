"""Writes a module as Python: each function of the kernel's program becomes a Python function.

Variables whose address is not needed become Python variables; the others, arrays and structs live in the
interpreter's memory, and the Python variable holds their address. An expression becomes a Python
expression; assignments inside it use `:=`. A function that may reach a barrier becomes a generator that
yields the barrier's site. `Translation.source` shows the result.

A *site* is an index into `Translation.sites`: what may fail passes it on, so that the message finds its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, assert_never

from ..lang.builtins import Builtin
from ..lang.ctype import Array, CType, Scalar, Struct
from ..source import Span
from ..tree import nodes as tree
from ..tree.effects import continues_out, declared_variables, is_local
from ..tree.nodes import Function, Module, Stmt, Variable
from ..tree.walk import walk
from .expressions import ExpressionWriter, ModuleWriter, function_name
from .warps import positions


@dataclass(frozen=True)
class _Slot:
    """Memory that a variable takes while a scope lasts: its name in Python, its name in messages, bytes."""

    name: str
    shown: str
    size: int
    align: int


@dataclass(frozen=True)
class Translation:
    """The Python text of a module, and what its names denote.

    `lines` gives, for each line of `source`, the statement that it comes from. `memory` names the variables that
    exist once per block or per module, by their Python names; `values` the operations.
    """

    source: str
    lines: tuple[Span, ...]
    sites: tuple[Span, ...]
    variables: dict[str, Variable]
    memory: dict[str, Variable]
    builtins: dict[str, Builtin]
    types: dict[str, CType]
    values: dict[str, Any]
    generators: frozenset[str]
    of_warps: frozenset[str]


def translate(module: Module, *, limited: bool) -> Translation:
    """Write all functions of `module`. `limited`: every loop iteration and call also runs `tick()`."""
    writer = ModuleWriter(module, limited)
    for variable in (*module.constants, *module.variables):
        writer.name(variable)
    for function in module.functions.values():
        _FunctionWriter(writer, function).write()
    return Translation(
        source="\n".join(writer.text) + "\n",
        lines=tuple(writer.lines),
        sites=tuple(writer.sites),
        variables={name: variable for variable, name in writer.names.items()},
        memory={name: v for v, name in writer.names.items() if not is_local(v)},
        builtins=writer.builtins,
        types=writer.types,
        values=writer.values,
        generators=writer.generators,
        of_warps=writer.of_warps,
    )


_PATIENCE = 64  # iterations of a loop in which a thread may wait, until others have a turn


@dataclass(frozen=True)
class _Target:
    """Where `break` and `continue` lead: a loop, or a switch inside one.

    A loop's `again` writes what `continue` does. A switch is a Python loop that runs once; `continue` inside
    it leaves it with the Python variable `flag` set, and the test of it follows the switch.
    """

    again: Callable[[], None] | None = None
    flag: str = ""


class _FunctionWriter(ExpressionWriter):
    """Writes one function. `indent` is the level of the line that comes next."""

    def __init__(self, writer: ModuleWriter, function: Function) -> None:
        unnamed = [node for node in walk(function.body) if isinstance(node, tree.Temporary)]
        places = {node: f"temporary_{index}" for index, node in enumerate(unnamed)}
        super().__init__(writer, _in_memory(function), places)
        self.function = function
        self.indent = 0
        self.targets: list[_Target] = []
        self.span = function.span

    def write(self) -> None:
        function = self.function
        params = [self.writer.name(param) for param in function.params]
        if function.name in self.writer.of_warps:
            self.numbers = positions(function.body)
            params.insert(0, "path")
        self.line(f"def {function_name(function.name)}({', '.join(params)}):")
        self.indent += 1
        self.tick()
        self.in_scope(self.function_scope(), self.function_body)
        self.indent -= 1

    def function_scope(self) -> list[_Slot]:
        """Return what must be in memory as long as the function runs: copies of parameters, unnamed values."""
        scope = [
            _Slot("copy_of_" + self.writer.name(p), p.name, p.type.size, max(p.align, p.type.align))
            for p in self.function.params
            if p in self.in_memory
        ]
        return scope + [
            _Slot(name, "a temporary value", node.type.size, node.type.align)
            for node, name in self.temporary_places.items()
        ]

    def function_body(self) -> None:
        for param in self.function.params:
            if param in self.in_memory:
                name = self.writer.name(param)
                self.line(self.store(name, param.type, f"copy_of_{name}", param.span))
                self.line(f"{name} = copy_of_{name}")
        self.block(self.function.body)
        if not (isinstance(self.function.result, Scalar) and self.function.result.kind == "void"):
            self.line(f"no_result({self.writer.site(self.function.span)})")

    # ------------------------------------------------------------------------------------- lines

    def line(self, text: str) -> None:
        self.writer.text.append("    " * self.indent + text)
        self.writer.lines.append(self.span)

    def tick(self) -> None:
        if self.writer.limited:
            self.line("tick()")

    def in_scope(self, scope: list[_Slot], body: Callable[[], None]) -> None:
        """Write `body` with memory for `scope`. It is given back however `body` ends."""
        for slot in scope:
            self.line(f"{slot.name} = allocate({slot.shown!r}, {slot.size}, {slot.align})")
        if scope:
            self.line("try:")
            self.indent += 1
        start = len(self.writer.text)
        body()
        if len(self.writer.text) == start:
            self.line("pass")
        if scope:
            self.indent -= 1
            self.line("finally:")
            for slot in scope:
                self.line(f"    release({slot.name})")

    # -------------------------------------------------------------------------------- statements

    def statement(self, node: Stmt) -> None:
        outer_span, self.span = self.span, node.span
        match node:
            case tree.Block():
                self.block(node)
            case tree.Declare():
                self.declare(node)
            case tree.Evaluate():
                self.line(self.effect(node.expr))
            case tree.If():
                self.if_(node)
            case tree.Loop():
                self.loop(node)
            case tree.Switch():
                self.switch(node)
            case tree.Break():
                self.line("break")
            case tree.Continue():
                self.continue_(len(self.targets) - 1)
            case tree.Return():
                self.line("return" if node.value is None else f"return {self.value(node.value)}")
            case _:
                assert_never(node)
        self.span = outer_span

    def body(self, *statements: Stmt) -> None:
        """Write an indented suite."""
        self.indent += 1
        start = len(self.writer.text)
        for statement in statements:
            self.statement(statement)
        if len(self.writer.text) == start:
            self.line("pass")
        self.indent -= 1

    def scope_of(self, statements: tuple[Stmt, ...]) -> list[_Slot]:
        """Return the variables that `statements` declare and that live in memory."""
        declared = [node.variable for node in statements if isinstance(node, tree.Declare)]
        return [
            _Slot(self.writer.name(v), f"'{v.name}'", v.type.size, max(v.align, v.type.align))
            for v in declared
            if v in self.in_memory
        ]

    def statements(self, statements: tuple[Stmt, ...]) -> None:
        for statement in statements:
            self.statement(statement)

    def block(self, node: tree.Block) -> None:
        self.in_scope(self.scope_of(node.statements), lambda: self.statements(node.statements))

    def declare(self, node: tree.Declare) -> None:
        variable, initial = node.variable, node.initial
        if variable.storage == "shared":
            return
        name = self.writer.name(variable)
        if variable not in self.in_memory:
            if isinstance(initial, tree.Braces):
                initial = initial.items[0][2] if initial.items else tree.Constant(node.span, variable.type, 0)
            if initial is None:
                self.line(f"{name} = None; del {name}")  # reading it is an error, also in a loop's second turn
            else:
                self.line(f"{name} = {self.value(initial)}")
        elif isinstance(initial, tree.Braces):
            self.line(self.store(f"bytes({variable.type.size})", None, name, node.span, variable.type.align))
            for offset, ctype, value in initial.items:
                self.line(self.store(self.value(value), ctype, f"{name} + {offset}", value.span))
        elif initial is not None:
            self.line(self.store(self.value(initial), variable.type, name, node.span))

    def if_(self, node: tree.If) -> None:
        self.line(f"if {self.value(node.cond)}:")
        self.body(node.then)
        rest = node.other.statements
        while len(rest) == 1 and isinstance(rest[0], tree.If):  # keeps a long chain at one level
            self.span = rest[0].span
            self.line(f"elif {self.value(rest[0].cond)}:")
            self.body(rest[0].then)
            rest = rest[0].other.statements
        if rest:
            self.line("else:")
            self.body(tree.Block(node.other.span, rest))

    def loop(self, node: tree.Loop) -> None:
        self.in_scope(self.scope_of(node.init), lambda: self.loop_itself(node))

    def loop_itself(self, node: tree.Loop) -> None:
        self.statements(node.init)
        number = self.numbers.get(node)
        if number is not None:
            self.line(f"iteration_{number} = 0")
            self.iterations.append(f"{number}, iteration_{number}")
        cond = "True" if node.cond is None else self.value(node.cond)
        spun = f"spun_{self.writer.site(node.span)}" if node in self.writer.waiting_loops else ""
        if spun:
            self.line(f"{spun} = 0")

        def end_turn() -> None:
            for step in node.step:
                self.line(self.effect(step))
            if not node.test_first and node.cond is not None:
                self.line(f"if not {self.value(node.cond)}: break")
            if number is not None:
                self.line(f"iteration_{number} += 1")

        def again() -> None:
            end_turn()
            self.line("continue")

        self.line(f"while {cond if node.test_first else 'True'}:")
        self.indent += 1
        self.tick()
        if spun:
            self.line(f"{spun} += 1")
            self.line(f"if {spun} % {_PATIENCE} == 0: yield")
        self.indent -= 1
        self.targets.append(_Target(again))
        self.body(node.body)
        self.targets.pop()
        self.indent += 1
        end_turn()
        self.indent -= 1
        if number is not None:
            self.iterations.pop()

    def switch(self, node: tree.Switch) -> None:
        """Write a switch: section i runs if the label was found in a section up to i: execution falls through."""
        every = tuple(statement for section in node.sections for statement in section.body.statements)
        self.in_scope(self.scope_of(every), lambda: self.switch_itself(node))

    def switch_itself(self, node: tree.Switch) -> None:
        number = self.writer.site(node.span)
        labels = {label: i for i, section in enumerate(node.sections) for label in section.labels}
        otherwise = labels.pop(None, len(node.sections))
        self.writer.values[f"labels_{number}"] = labels
        target = _Target(flag=f"again_{number}")
        self.line(f"entry_{number} = labels_{number}.get({self.value(node.value)}, {otherwise})")
        continues = any(map(continues_out, node.sections))
        if continues:
            self.line(f"{target.flag} = False")
        self.line("while True:")
        self.indent += 1
        self.targets.append(target)
        for i, section in enumerate(node.sections):
            self.line(f"if entry_{number} <= {i}:")
            self.body(*section.body.statements)
        self.targets.pop()
        self.line("break")
        self.indent -= 1
        if continues:
            self.line(f"if {target.flag}:")
            self.indent += 1
            self.continue_(len(self.targets) - 1)
            self.indent -= 1

    def continue_(self, index: int) -> None:
        """Write `continue` as seen from inside `targets[index]`."""
        target = self.targets[index]
        if target.again is not None:
            target.again()
        else:
            self.line(f"{target.flag} = True")
            self.line("break")


def _in_memory(function: Function) -> frozenset[Variable]:
    """Return the parameters and locals of `function` that need an address: arrays, structs, operands of `&`."""
    found: set[Variable] = set()
    for variable in (*function.params, *declared_variables(function.body)):
        if isinstance(variable.type, Array | Struct):
            found.add(variable)
    for node in walk(function.body):
        if isinstance(node, tree.AddressOf) and isinstance(node.place, tree.VarRef):
            found.add(node.place.variable)
    return frozenset(filter(is_local, found))
