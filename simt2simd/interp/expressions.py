"""Writes an expression of a kernel as a Python expression: the half of the translation that has no control flow.

A Python expression for a value is an atom or parenthesised, so that it can appear in any other. Its order of evaluation
is that of C++17: operands from the left, a value before the place it is assigned to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, assert_never

from ..lang.builtins import WAITS_AT, Builtin
from ..lang.ctype import BFLOAT16, DOUBLE, LONG_DOUBLE, CType, Pointer, Scalar, Struct, is_float, used_size
from ..lang.numbers import f32
from ..source import NOWHERE, Span
from ..tree import nodes as tree
from ..tree.calls import functions_reaching, synchronising_functions, waiting_loops
from ..tree.effects import has_effects, is_barrier, is_local, is_of_warp
from ..tree.nodes import Expr, Module, Place, Variable
from .ops import convert, limits

_LONGEST_CHAIN = (
    16  # operators of `a + b + c + ...` in one Python expression: its parser stops at 200 nested parentheses
)


def type_key(ctype: CType) -> str:
    """Return a short name for a scalar or pointer type: "i32", "u8", "f64", "bool", "u64" for pointers.

    A struct's is its tag.
    """
    if isinstance(ctype, Pointer):
        return "u64"
    if isinstance(ctype, Struct):
        return ctype.tag
    assert isinstance(ctype, Scalar)
    if ctype.kind in ("bool", "void"):
        return ctype.kind
    if ctype == BFLOAT16:
        return "bf16"
    if ctype == LONG_DOUBLE:
        return "f64_padded"
    return f"{'f' if ctype.kind == 'float' else 'i' if ctype.signed else 'u'}{ctype.bits}"


class ModuleWriter:
    """What all functions of a module share: the text so far, names, sites."""

    def __init__(self, module: Module, limited: bool) -> None:
        self.limited = limited
        self.of_warps = functions_reaching(module, is_of_warp)
        self.waiting_loops = waiting_loops(module)
        spinning = functions_reaching(module, lambda node: node in self.waiting_loops)
        self.generators = synchronising_functions(module) | self.of_warps | spinning
        self.text: list[str] = []
        self.lines: list[Span] = []
        self.sites: list[Span] = []
        self.names: dict[Variable, str] = {}
        self.builtins: dict[str, Builtin] = {}
        self.types: dict[str, CType] = {}
        self.values: dict[str, Any] = {}

    def name(self, variable: Variable) -> str:
        """Return the Python name of a variable; no two variables share one."""
        return self.names.setdefault(variable, f"{variable.name}_{len(self.names)}")

    def site(self, span: Span) -> int:
        self.sites.append(span)
        return len(self.sites) - 1

    def builtin(self, builtin: Builtin) -> str:
        name = "_".join(["call", builtin.op, *(type_key(ctype) for ctype in (*builtin.params, builtin.result))])
        self.builtins[name] = builtin
        return name

    def accessor(self, verb: Literal["load", "store"], ctype: CType) -> str:
        """Return the name of the function that loads or stores a scalar."""
        key = type_key(ctype)
        self.types[key] = ctype
        return f"{verb}_{key}"

    def conversion(self, source: CType, target: CType, operation: Callable[..., Any]) -> str:
        name = f"{type_key(source)}_to_{type_key(target)}"
        self.values[name] = operation
        return name


class ExpressionWriter:
    """Writes the expressions of one function.

    `in_memory` holds the variables whose Python variable is an address; `temporary_places` names the memory of
    struct values that have no name.
    """

    def __init__(
        self, writer: ModuleWriter, in_memory: frozenset[Variable], temporary_places: Mapping[tree.Temporary, str]
    ) -> None:
        self.writer = writer
        self.in_memory = in_memory
        self.temporary_places = temporary_places
        self.numbers: dict[tree.Node, int] = {}  # of what makes up positions (`warps`), in functions that have them
        self.iterations: list[str] = []  # of the loops around what is written, as text: "7, iteration_7"
        self.temporaries = 0

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def effect(self, node: Expr) -> str:
        """Return a Python statement for `node`, whose value is discarded."""
        match node:
            case tree.Convert(type=Scalar(kind="void")):
                return self.effect(node.operand)
            case tree.Increment():
                node = tree.Increment(node.span, node.type, node.place, node.delta, prefix=True)
        return self.value(node)

    def value(self, node: Expr) -> str:
        """Return a Python expression for `node`: an atom or parenthesised."""
        match node:
            case tree.Constant():
                return self.constant(node)
            case tree.ThreadIndex():
                return f"{node.name}_{'xyz'[node.axis]}"
            case tree.Load():
                return self.load(node.place, node.span)
            case tree.AddressOf() | tree.Decay():
                return self.address(node.place)
            case tree.Unary():
                return self.unary(node)
            case tree.Binary():
                return self.chain(node)
            case tree.PointerAdd():
                assert isinstance(node.type, Pointer)
                return self.pointer_add(self.value(node.pointer), self.value(node.index), node.type, node.negative)
            case tree.PointerDiff():
                assert isinstance(node.left.type, Pointer)
                size = max(1, node.left.type.target.size)
                return f"(({self.value(node.left)} - {self.value(node.right)}) // {size})"
            case tree.Logical():
                return f"({self.value(node.left)} {'and' if node.op == '&&' else 'or'} {self.value(node.right)})"
            case tree.Conditional():
                return f"({self.value(node.then)} if {self.value(node.cond)} else {self.value(node.other)})"
            case tree.Convert():
                return self.convert(self.value(node.operand), node.operand.type, node.type)
            case tree.Assign():
                return self.assign(node.place, self.value(node.value), node.span)
            case tree.CompoundAssign():
                return self.compound(node)
            case tree.Increment():
                return self.increment(node)
            case tree.Call():
                return self.call(node)
            case tree.BuiltinCall():
                return self.builtin(node)
            case tree.Comma():
                return f"({self.value(node.left)}, {self.value(node.right)})[1]"
            case _:
                assert_never(node)

    def constant(self, node: tree.Constant) -> str:
        if is_float(node.type):
            number = f32(float(node.value)) if node.type.size == 4 else float(node.value)
            text = repr(number) if math.isfinite(number) else "nan" if number != number else f"{number}"
        elif isinstance(node.type, Scalar) and node.type.kind == "bool":
            text = str(bool(node.value))
        else:
            text = str(int(node.value))
        return f"({text})" if text.startswith("-") else text

    def unary(self, node: tree.Unary) -> str:
        operand = self.value(node.operand)
        if node.op == "!":
            return f"(not {operand})"
        if is_float(node.type):
            return f"(-{operand})"
        return self.wrapped(f"-{operand}" if node.op == "-" else f"-1 - {operand}", node.type)

    def chain(self, node: tree.Binary) -> str:
        """Write `a + b + c + ...`; a long one in pieces that Python's parser can take."""
        spine = [node]
        while isinstance(spine[-1].left, tree.Binary):
            spine.append(spine[-1].left)
        text, pieces = self.value(spine[-1].left), []
        for count, link in enumerate(reversed(spine), start=1):
            text = self.combine(link.op, text, self.value(link.right), link.left.type, link)
            if count % _LONGEST_CHAIN == 0 and link is not node:
                name = self.temporary()
                pieces.append(f"({name} := {text})")
                text = name
        return f"({', '.join([*pieces, text])})[-1]" if pieces else text

    def combine(
        self, op: tree.BinaryOp, left: str, right: str, ctype: CType, node: tree.Binary | tree.CompoundAssign
    ) -> str:
        """Return `left op right`, computed in `ctype`."""
        if op in ("==", "!=", "<", "<=", ">", ">="):
            return f"({left} {op} {right})"
        assert isinstance(ctype, Scalar)
        if is_float(ctype):
            single = ctype.bits == 32
            if op == "/":
                return f"{'divide_single' if single else 'divide'}({left}, {right})"
            return f"f32({left} {op} {right})" if single else f"({left} {op} {right})"
        if op in ("&", "|", "^"):
            return f"({left} {op} {right})"
        if op in ("/", "%"):
            return f"{'quotient' if op == '/' else 'modulo'}({left}, {right}, {ctype.bits}, {ctype.signed})"
        if op in ("<<", ">>"):
            count = node.right if isinstance(node, tree.Binary) else node.value
            if isinstance(count, tree.Constant) and 0 <= count.value < ctype.bits:
                return f"({left} >> {right})" if op == ">>" else self.wrapped(f"({left} << {right})", ctype)
            if op == ">>":
                return f"shift_right({left}, {right}, {ctype.bits})"
            return f"shift_left({left}, {right}, {ctype.bits}, {ctype.signed})"
        return self.wrapped(f"{left} {op} {right}", ctype)

    def wrapped(self, text: str, ctype: CType) -> str:
        """Bring an integer expression (of operators that bind at least as `+`) into the range of `ctype`."""
        low, high = limits(ctype)
        if low == 0:
            return f"({text} & {high:#x})"
        return f"(({text} + {-low:#x} & {high - low:#x}) - {-low:#x})"

    def pointer_add(self, pointer: str, index: str, ctype: Pointer, negative: bool) -> str:
        size = max(1, ctype.target.size)
        offset = index if size == 1 else f"{index} * {size}"
        return f"({pointer} {'-' if negative else '+'} {offset} & 0xffffffffffffffff)"

    def convert(self, text: str, source: CType, target: CType) -> str:
        if not isinstance(target, Scalar | Pointer) or (isinstance(target, Scalar) and target.kind == "void"):
            return text
        operation = convert(source, target)
        if operation is None:
            return text
        if isinstance(target, Scalar) and target.kind == "bool":
            return f"({text} != 0)"
        if operation is float or operation is f32:
            return f"{operation.__name__}({text})"
        if is_float(source) or is_float(target):
            return f"{self.writer.conversion(source, target, operation)}({text})"
        return self.wrapped(text, target)

    # ------------------------------------------------------------------------------------ places

    def address(self, place: Place) -> str:
        """Return the address of a place in memory."""
        text, offset = self.base_and_offset(place)
        return f"({text} + {offset})" if offset else text

    def base_and_offset(self, place: Place) -> tuple[str, int]:
        match place:
            case tree.VarRef():
                return self.writer.name(place.variable), 0
            case tree.Deref():
                return self.value(place.pointer), 0
            case tree.Index():
                pointer, index = self.value(place.pointer), self.value(place.index)
                element = place.type.size
                text = f"{pointer} + {index}" if element == 1 else f"{pointer} + {index} * {element}"
                if limits(place.index.type) == (0, (1 << 64) - 1):  # an index of 2^64 - 1 is -1
                    text += " & 0xffffffffffffffff"
                return f"({text})", 0
            case tree.Member():
                text, offset = self.base_and_offset(place.base)
                return text, offset + place.offset
            case tree.Temporary():
                name = self.temporary_places[place]
                return f"({self.store(self.value(place.value), place.type, name, place.span)}, {name})[1]", 0
            case _:
                assert_never(place)

    def is_register(self, place: Place) -> bool:
        """Return true for a Python variable that holds the value itself."""
        return isinstance(place, tree.VarRef) and place.variable not in self.in_memory and is_local(place.variable)

    def load(self, place: Place, span: Span) -> str:
        address = self.address(place)
        return address if self.is_register(place) else self.fetch(address, place.type, span)

    def fetch(self, address: str, ctype: CType, span: Span) -> str:
        site = self.writer.site(span)
        if isinstance(ctype, Struct):
            return f"read({address}, {ctype.size}, {ctype.align}, {site})"
        return f"{self.writer.accessor('load', ctype)}({address}, {site})"

    def store(self, value: str, ctype: CType | None, address: str, span: Span, align: int = 1) -> str:
        """Write a value to memory; `ctype` None means plain bytes. The value comes first, also when it runs."""
        site = self.writer.site(span)
        if isinstance(ctype, Struct) and (ctype.lends_padding or not ctype.fields):
            value = f"{value}[:{used_size(ctype)}]"
        if ctype is None or isinstance(ctype, Struct):
            return f"write({value}, {address}, {ctype.align if ctype else align}, {site})"
        return f"{self.writer.accessor('store', ctype)}({value}, {address}, {site})"

    def assign(self, place: Place, value: str, span: Span) -> str:
        if self.is_register(place):
            return f"({self.address(place)} := {value})"
        return self.store(value, place.type, self.address(place), span)

    def compound(self, node: tree.CompoundAssign) -> str:
        """Write `place op= value`, the value first.

        The value gets a name of its own if running it late could change what it gives or sees.
        """
        value, before = self.value(node.value), ""
        if has_effects(node.value) or has_effects(node.place):
            name = self.temporary()
            before, value = f"({name} := {value}), ", name

        def updated(old: str) -> str:
            if isinstance(node.compute, Pointer):
                return self.pointer_add(old, value, node.compute, node.op == "-")
            new = self.combine(node.op, self.convert(old, node.type, node.compute), value, node.compute, node)
            return self.convert(new, node.compute, node.type)

        text = self.update(node.place, updated, node.span)
        return f"({before}{text})[1]" if before else text

    def increment(self, node: tree.Increment) -> str:
        def updated(old: str) -> str:
            if isinstance(node.type, Pointer):
                return self.pointer_add(old, str(abs(node.delta)), node.type, node.delta < 0)
            operator = "+" if node.delta > 0 else "-"
            if is_float(node.type):
                return self.convert(f"({old} {operator} 1.0)", DOUBLE, node.type)
            return self.wrapped(f"{old} {operator} 1", node.type)

        if node.prefix:
            return self.update(node.place, updated, node.span)
        if self.is_register(node.place):
            name = self.address(node.place)
            return f"({name}, ({name} := {updated(name)}))[0]"
        old = self.temporary()
        return f"({self.update(node.place, lambda text: updated(f'({old} := {text})'), node.span)}, {old})[1]"

    def update(self, place: Place, updated: Callable[[str], str], span: Span) -> str:
        """Return the assignment `place = updated(place)`, with the place evaluated once."""
        if self.is_register(place):
            name = self.address(place)
            return f"({name} := {updated(name)})"
        address = self.temporary()
        old = self.fetch(f"({address} := {self.address(place)})", place.type, span)
        return self.store(updated(old), place.type, address, span)

    # ------------------------------------------------------------------------------------- calls

    def call(self, node: tree.Call) -> str:
        args = [self.value(arg) for arg in node.args]
        if node.function in self.writer.of_warps:
            args.insert(0, self.position(node))
        text = f"{function_name(node.function)}({', '.join(args)})"
        return f"(yield from {text})" if node.function in self.writer.generators else text

    def position(self, node: tree.Node) -> str:
        """Return the text of the position of a call."""
        return f"(*path, {''.join(f'{part}, ' for part in self.iterations)}{self.numbers[node]})"

    def of_warp(self, node: tree.BuiltinCall) -> str:
        """Write a call of a warp function: the thread waits for the others, and gets its result when it resumes."""
        site, key = self.writer.site(node.span), self.writer.builtin(node.builtin)
        args = [self.value(arg) for arg in node.args]
        waiting = f"(yield waiting({site}, {self.position(node)}, builtin_{key}, "
        if not (node.builtin.params and isinstance(node.builtin.params[-1], Pointer)):
            return f"{waiting}({''.join(f'{arg}, ' for arg in args)})))"
        target = node.builtin.params[-1].target
        names = [self.temporary() for _ in args]
        results = self.temporary()
        pieces = [f"({name} := {arg})" for name, arg in zip(names, args, strict=True)]
        pieces.append(f"({results} := {waiting}({', '.join(names)},))))")
        pieces.append(self.store(f"{results}[1]", target, names[-1], node.span))
        return f"({', '.join(pieces)}, {results}[0])[-1]"

    def builtin(self, node: tree.BuiltinCall) -> str:
        if is_of_warp(node):
            return self.of_warp(node)
        if node.builtin.op == "grid_barrier":
            return f"(yield ~{self.writer.site(node.span)})"
        if node.builtin.op in WAITS_AT:
            given = ", ".join(self.value(arg) for arg in node.args)
            return f"(yield {node.builtin.op}({self.writer.site(node.span)}, {given}))"
        if is_barrier(node):
            return f"(yield {self.writer.site(node.span)})"
        if node.builtin.op in ("grid_id", "dynamic_shared_bytes"):
            return node.builtin.op
        if node.builtin.op == "fence":  # threads run one at a time: every store is seen at once
            return "None"
        if node.builtin.counts:
            return "None"
        if node.builtin.op == "vote":  # of one thread
            return self.value(node.args[0])
        if node.builtin.op == "trap" and node.span == NOWHERE:
            return f"wild_call({self.writer.site(node.span)})"
        if node.builtin.op in ("trap", "stack_overflow", "levels_full"):
            return f"trap({self.writer.site(node.span)})"
        if node.builtin.op == "unreachable":
            return f"unreachable({self.writer.site(node.span)})"
        if node.builtin.op == "is_constant_evaluated":
            return "False"
        args = [self.value(arg) for arg in node.args]
        if node.builtin.op == "launch":
            args.insert(0, repr(node.builtin.kernel))
        if node.builtin.queries_address:
            return f"{node.builtin.op}({args[0]})"
        if node.builtin.op == "nothing":
            return f"({', '.join(args)}, None)[-1]" if args else "None"
        if node.builtin.service or node.builtin.waits:
            return f"service_{node.builtin.op}({', '.join([str(self.writer.site(node.span)), *args])})"
        if node.builtin.op == "any_lane":
            return args[0]
        name = self.writer.builtin(node.builtin)
        params = node.builtin.params
        if node.builtin.atomic:
            return self.atomic(node, name, args)
        if not any(isinstance(param, Pointer) for param in params):
            return f"{name}({', '.join(args)})"
        names = [self.temporary() for _ in args]
        results = self.temporary()
        pieces = [f"({given} := {arg})" for given, arg in zip(names, args, strict=True)]
        inputs = [given for given, param in zip(names, params, strict=True) if not isinstance(param, Pointer)]
        pieces.append(f"({results} := {name}({', '.join(inputs)}))")
        outputs = [(given, p.target) for given, p in zip(names, params, strict=True) if isinstance(p, Pointer)]
        for i, (given, target) in enumerate(outputs, start=1):
            pieces.append(self.store(f"{results}[{i}]", target, given, node.span))
        return f"({', '.join(pieces)}, {results}[0])[-1]"

    def atomic(self, node: tree.BuiltinCall, operation: str, args: list[str]) -> str:
        """Read the old value and write the new one: threads run one at a time."""
        names = [self.temporary() for _ in args]
        old, (address, *values) = self.temporary(), names
        pieces = [f"({given} := {arg})" for given, arg in zip(names, args, strict=True)]
        pieces.append(f"({old} := {self.fetch(address, node.type, node.span)})")
        new = f"{operation}({', '.join([old, *values])})"
        pieces.append(self.store(new, node.type, address, node.span))
        return f"({', '.join(pieces)}, {old})[-1]"


def function_name(name: str) -> str:
    """Return the Python name of a function of the module."""
    return f"function_{name}"
