"""Show: print a `Module` as CUDA-C that means the same, for nvcc and for ourselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from ..lang.ctype import VOID, Array, CType, Field, FunctionType, Pointer, Scalar, Struct, innermost, overlapping_parts
from ..lang.numbers import decoded
from ..source import NOWHERE
from .effects import is_vote
from .launches import is_launch, launches
from .names import assignment_name
from .nodes import (
    Block,
    Braces,
    Break,
    BuiltinCall,
    Constant,
    Content,
    Continue,
    Declare,
    Evaluate,
    Expr,
    Function,
    If,
    Loop,
    Module,
    Return,
    Stmt,
    Switch,
    Variable,
)
from .show_expr import ExprPrinter, is_braced, show_type, string_literal
from .show_struct import Padding, has_data, layers, show_assignment, show_struct

_INDENT = "    "


def show(module: Module) -> str:
    """Return `module` as the text of a .cu file. Checking that text gives a module that prints the same again."""
    parts: list[str] = []
    if module.structs:
        declared = {item.tag: item.keyword for item in module.structs}
        parts.append("".join(f"{keyword} {tag};\n" for tag, keyword in declared.items()))
    parts += [show_struct(item) for item in module.structs if item.fields is not None]
    named = [variable for variable in module.constants if not variable.literal]
    if named:
        parts.append("".join(f"{_constant(variable)}\n" for variable in named))
    if module.variables:
        parts.append("".join(f"{show_variable(v, content)}\n" for v, content in module.variables.items()))
    if module.shared:
        parts.append("".join(f"{_shared(v, v.name)};\n" for v in module.shared))
    launched = {node.builtin.kernel for node in launches(module)}
    prototypes = [f"{_header(f)};\n" for f in module.functions.values() if f.kind == "device" or f.name in launched]
    if prototypes:
        parts.append("".join(prototypes))
    functions = show_functions(module).values()
    for item in module.structs:
        name = assignment_name(item)
        if name not in module.functions and any(f"{name}(" in text for text in functions):
            parts.append(show_assignment(item))
    return "\n".join([*parts, *functions])


def show_functions(module: Module) -> dict[str, str]:
    """Return the functions, by name."""
    constants = (variable for variable in module.constants if not variable.literal)
    of_file = (*constants, *module.variables, *module.shared)
    taken = {*module.functions, *(variable.name for variable in of_file), *(s.tag for s in module.structs)}
    return {name: show_function(function, taken) for name, function in module.functions.items()}


def show_function(function: Function, taken: set[str] | None = None) -> str:
    """Return one function; `taken` are the names at file scope."""
    printer = _Printer(function, taken or set())
    return "\n".join([*printer.lines(), ""])


def show_statement(node: Stmt) -> str:
    """Return the first line of a statement, as it would be printed where no name hides another one."""
    printer = _Printer(Function("", node.span, "device", (), VOID, Block(node.span, ())), set())
    return next(line.strip() for line in printer.statement(node, "") if not line.startswith("#"))


def _constant(variable: Variable) -> str:
    assert variable.initial is not None
    declaration = show_type(variable.type, variable.name, const=True)
    return f"__constant__ {declaration} = {_data(variable.type, Content(variable.initial))};"


def show_variable(variable: Variable, content: Content) -> str:
    """Return the declaration of a variable that is not a plain constant."""
    declaration = show_type(variable.type, variable.name, const=variable.const, volatile=variable.volatile)
    initial = f" = {_data(variable.type, content)}" if content.data else ""
    return f"{variable.space or '__constant__'} {_aligned(variable)}{declaration}{initial};"


def _shared(variable: Variable, name: str) -> str:
    """Return the declaration of a shared variable."""
    declaration = show_type(variable.type, name, const=variable.const, volatile=variable.volatile)
    return f"{'extern ' if variable.dynamic else ''}__shared__ {_aligned(variable)}{declaration}"


def _aligned(variable: Variable) -> str:
    return f"__align__({variable.align}) " if variable.align else ""


def _data(ctype: CType, content: Content, offset: int = 0) -> str:
    """Return the initialiser of the part of type `ctype` that lies at `offset` in a variable with this content."""
    data = content.data[offset : offset + ctype.size]
    match ctype:
        case Array(element=element, count=count):
            parts = [_data(element, content, offset + i * element.size) for i in range(count)]
            return f"{{{', '.join(parts)}}}"
        case Struct(union=True, fields=fields):
            largest = max(fields or (), key=lambda part: part.type.size)
            if not largest.name and largest is not (fields or ())[0]:
                return f"{{members that overlap: {data.hex(' ')}}}"
            inner = _data(largest.type, content, offset)
            return f"{{.{largest.name} = {inner}}}" if largest.name else f"{{{inner}}}"
        case Struct():
            first, *others = layers(ctype)
            if any(has_data(slot.type) for layer in others for slot in layer if isinstance(slot, Field)):
                return f"{{members that overlap: {data.hex(' ')}}}"  # C++ has no initialiser for them
            parts = [
                "{}" if isinstance(slot, Padding) else _data(slot.type, content, offset + slot.offset) for slot in first
            ]
            return f"{'{{' * bool(others)}{{{', '.join(parts)}}}{'}}' * bool(others)}"
        case Pointer():
            found = next((item for item in content.addresses if item[0] == offset), None)
            if found is None:
                return f"({show_type(ctype)}){int.from_bytes(data, 'little')}ul" if any(data) else "nullptr"
            _, target, by = found
            if target.literal and target.initial is not None:
                text = string_literal(target.initial[:-1])
                return f"{text} + {by}" if by else text
            return f"({show_type(ctype)})((char *)&{target.name} + {by})"
        case FunctionType():
            return "nullptr"
        case Scalar(kind="float"):
            return _bare(Constant(NOWHERE, ctype, decoded(data, ctype)))
        case Scalar():
            number = int.from_bytes(data, "little", signed=ctype.signed)
            return _bare(Constant(NOWHERE, ctype, bool(number) if ctype.kind == "bool" else number))


def _bare(constant: Constant) -> str:
    return ExprPrinter(lambda variable: variable.name).show(constant)


def _header(function: Function) -> str:
    words = ["static"] if function.static else []
    words.append("__global__" if function.kind == "kernel" else "__device__")
    if function.inline is not None:
        words.append({"always": "__forceinline__", "never": "__noinline__"}[function.inline])
    if function.max_threads is not None:
        bounds = [str(n) for n in (function.max_threads, function.min_blocks) if n is not None]
        words.append(f"__launch_bounds__({', '.join(bounds)})")
    named = zip(function.params, _parameter_names(function), strict=True)
    params = ", ".join(show_type(p.type, name, const=p.const) for p, name in named)
    return f"{' '.join(words)} {show_type(function.result, f'{function.name}({params})')}"


def _parameter_names(function: Function) -> list[str]:
    """Return a name for each parameter; a lambda's own may have the name that we gave to what it captures."""
    names: list[str] = []
    for param in function.params:
        names.append(_unused(param.name, [set(names)]))
    return names


def _unused(wanted: str, scopes: list[set[str]]) -> str:
    """Return the name, with a number if one of the scopes has it."""
    name, count = wanted, 1
    while any(name in scope for scope in scopes):
        count += 1
        name = f"{wanted}_{count}"
    return name


class _Printer:
    """Prints one function. A variable keeps its name unless that would hide another one."""

    def __init__(self, function: Function, taken: set[str]) -> None:
        self.function = function
        self.scopes: list[set[str]] = [set(taken)]
        self.names: dict[Variable, str] = {}
        self.expr = ExprPrinter(lambda variable: self.names.get(variable, variable.name))

    def lines(self) -> Iterator[str]:
        names = _parameter_names(self.function)
        self.scopes.append(set(names))
        self.names.update(zip(self.function.params, names, strict=True))
        yield f"{_header(self.function)} {{"
        yield from self.statements(self.function.body.statements, _INDENT)
        yield "}"

    def enter(self, variable: Variable) -> str:
        """Return the name to declare `variable` under."""
        name = _unused(variable.name, self.scopes)
        self.scopes[-1].add(name)
        self.names[variable] = name
        return name

    def block(self, block: Block, indent: str) -> Iterator[str]:
        """Print what is inside the braces of `block`."""
        self.scopes.append(set())
        yield from self.statements(block.statements, indent + _INDENT)
        self.scopes.pop()

    def statements(self, statements: tuple[Stmt, ...], indent: str) -> Iterator[str]:
        for statement in statements:
            yield from self.statement(statement, indent)

    def statement(self, node: Stmt, indent: str) -> Iterator[str]:
        match node:
            case Block():
                yield f"{indent}{{"
                yield from self.block(node, indent)
                yield f"{indent}}}"
            case Declare():
                yield f"{indent}{self.declaration(node)};"
            case Evaluate():
                if is_launch(node.expr) and node.expr.builtin.consolidation is not None:
                    yield f"{node.expr.builtin.consolidation}"
                yield f"{indent}{self.expr.show(node.expr)};"
            case If():
                if is_vote(node.cond):
                    yield "#pragma s2s any_order"
                yield from self.if_statement(node, indent)
            case Loop():
                yield from self.loop(node, indent)
            case Switch():
                yield from self.switch(node, indent)
            case Break():
                yield f"{indent}break;"
            case Continue():
                yield f"{indent}continue;"
            case Return(value=None):
                yield f"{indent}return;"
            case Return(value=value):
                assert value is not None
                yield f"{indent}return {self.expr.as_type(value, self.function.result)};"
            case _:
                assert_never(node)

    def declaration(self, node: Declare) -> str:
        variable = node.variable
        if variable.storage == "shared":
            return _shared(variable, self.enter(variable))
        # The initialiser is printed first: a name that it mentions is that of a variable outside.
        initial = self.initialiser(node.initial, variable.type)
        name = self.enter(variable)
        return show_type(variable.type, name, const=variable.const, volatile=variable.volatile) + initial

    def initialiser(self, initial: Expr | Braces | None, target: CType) -> str:
        if initial is None:
            return ""
        if isinstance(initial, BuiltinCall) and is_braced(initial):
            return f" = {self.expr.show(initial).removeprefix(str(initial.type))}"
        if isinstance(initial, Braces):
            given = {(offset, ctype): value for offset, ctype, value in initial.items}
            return f" = {self.braces(target, 0, given) or '{}'}"
        return f" = {self.expr.as_type(initial, target)}"

    def braces(self, target: CType, offset: int, given: dict[tuple[int, CType], Expr]) -> str | None:
        """Return the braced list for the part of a variable at `offset`; None if it is all zero."""
        value = given.get((offset, target))
        if value is not None:
            return self.expr.as_type(value, target)
        match target:
            case Array(element=element, count=count):
                values = [self.braces(element, offset + i * element.size, given) for i in range(count)]
                return _list(values, [_zero(element)] * count)
            case Struct(union=True):
                return self.union_braces(target, offset, given)
            case Struct():
                return self.struct_braces(target, offset, given)
            case Scalar() | Pointer() | FunctionType():
                return None
            case _:
                assert_never(target)

    def struct_braces(self, target: Struct, offset: int, given: dict[tuple[int, CType], Expr]) -> str | None:
        """Return the braced list for a struct: if members overlap, that of those which hold something."""
        first, *others = layers(target)
        values = [
            None if isinstance(slot, Padding) else self.braces(slot.type, offset + slot.offset, given) for slot in first
        ]
        text = _list(values, ["{}" if isinstance(slot, Padding) else _zero(slot.type) for slot in first])
        beside = [slot for layer in others for slot in layer if isinstance(slot, Field)]
        if any(self.braces(slot.type, offset + slot.offset, given) for slot in beside):
            return "{members that overlap}"  # C++ has no initialiser for them
        return f"{{{{{text}}}}}" if others and text is not None else text

    def union_braces(self, target: Struct, offset: int, given: dict[tuple[int, CType], Expr]) -> str | None:
        """Return the braced list for a union: that of the member which takes all of its values."""
        inside = {at: ctype for at, ctype in given if offset <= at < offset + target.size}
        for member in target.fields or ():
            if inside.items() <= set(overlapping_parts(member.type, offset)):
                text = self.braces(member.type, offset, given)
                return None if text is None else f"{{.{member.name} = {text}}}" if member.name else f"{{{text}}}"
        return None

    def if_statement(self, node: If, indent: str, word: str = "if") -> Iterator[str]:
        cond = node.cond.args[0] if is_vote(node.cond) else node.cond
        yield f"{indent}{word} ({self.expr.as_condition(cond)}) {{"
        yield from self.block(node.then, indent)
        match node.other.statements:
            case ():
                yield f"{indent}}}"
            case (If() as chained,) if not is_vote(chained.cond):
                yield from self.if_statement(chained, indent, "} else if")
            case _:
                yield f"{indent}}} else {{"
                yield from self.block(node.other, indent)
                yield f"{indent}}}"

    def loop(self, node: Loop, indent: str) -> Iterator[str]:
        if node.unroll is not None:
            yield f"#pragma unroll {node.unroll or ''}".rstrip()
        self.scopes.append(set())
        if _is_mixed(node.init):
            yield f"{indent}{{"
            yield from self.statements(node.init, indent + _INDENT)
            yield from self.loop(replace(node, init=()), indent + _INDENT)
            yield f"{indent}}}"
        elif not node.test_first:
            yield f"{indent}do {{"
            yield from self.block(node.body, indent)
            yield f"{indent}}} while ({'true' if node.cond is None else self.expr.as_condition(node.cond)});"
        elif not node.init and not node.step and node.cond is not None:
            yield f"{indent}while ({self.expr.as_condition(node.cond)}) {{"
            yield from self.block(node.body, indent)
            yield f"{indent}}}"
        else:
            init = self.loop_init(node.init)
            cond = f" {self.expr.as_condition(node.cond)}" if node.cond is not None else ""
            step = ", ".join(self.expr.show(step, 1) for step in node.step)
            yield f"{indent}for ({init};{cond};{f' {step}' if step else ''}) {{"
            yield from self.block(node.body, indent)
            yield f"{indent}}}"
        self.scopes.pop()

    def loop_init(self, init: tuple[Stmt, ...]) -> str:
        """Return the first part of a `for`: one declaration, or expressions with commas between them."""
        parts: list[str] = []
        base = ""
        for statement in init:
            match statement:
                case Declare(variable=variable):
                    name_only = show_type(
                        innermost(variable.type), const=variable.const and not _is_pointer(variable.type)
                    )
                    text = self.declaration(statement)
                    specifier = _specifier(variable)
                    parts.append(text.removeprefix(specifier) if parts else text)
                    base = base or name_only
                case Evaluate(expr=expr):
                    parts.append(self.expr.show(expr, 1))
                case _:
                    raise AssertionError("the first part of a `for` holds declarations or expressions")
        return ", ".join(parts)

    def switch(self, node: Switch, indent: str) -> Iterator[str]:
        yield f"{indent}switch ({self.expr.show(node.value)}) {{"
        self.scopes.append(set())
        for section in node.sections:
            for label in section.labels:
                yield f"{indent}default:" if label is None else f"{indent}case {self.label(label, node)}:"
            yield from self.statements(section.body.statements, indent + _INDENT)
            if not section.body.statements:
                yield f"{indent}{_INDENT};"
        self.scopes.pop()
        yield f"{indent}}}"

    def label(self, label: int, node: Switch) -> str:
        return self.expr.show(Constant(node.span, node.value.type, label))


def _list(values: Sequence[str | None], zeros: Sequence[str]) -> str | None:
    """Return a braced list without the zeros at its end; None if there is nothing else."""
    count = max((i for i, value in enumerate(values, 1) if value is not None), default=0)
    parts = [value or zero for value, zero in zip(values[:count], zeros, strict=False)]
    return f"{{{', '.join(parts)}}}" if parts else None


def _zero(ctype: CType) -> str:
    match ctype:
        case Array() | Struct():
            return "{}"
        case Pointer() | FunctionType():
            return "nullptr"
        case Scalar():
            return _bare(Constant(NOWHERE, ctype, {"float": 0.0, "bool": False}.get(ctype.kind, 0)))


def _is_mixed(init: tuple[Stmt, ...]) -> bool:
    """Whether the first part of a `for` declares variables and does more, which CUDA-C has no form for."""
    return {type(statement) for statement in init} == {Declare, Evaluate}


def _is_pointer(ctype: CType) -> bool:
    return isinstance(ctype, Pointer)


def _specifier(variable: Variable) -> str:
    """Return what a declaration of `variable` begins with, before its own stars and name."""
    text = show_type(variable.type, "\0", const=variable.const)
    return text[: min(text.index(char) for char in "*(\0" if char in text)]
