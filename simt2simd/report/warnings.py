"""Warnings: what is valid, and hardly ever meant.

    walk.cu:4:9: warning: 'n' is used before it has a value
    walk.cu:6:11: warning: '=' in a condition
    walk.cu:3:9: warning: 'rest' is never used
    walk.cu:9:1: warning: 'visit' may end without returning a value
    walk.cu:8:12: warning: '%d' prints an int, not 'double'

They are about the functions of the program file itself, not of headers, and not about what macros made. Each is about
what the text says, wherever a thread goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..diag import Diagnostic, Note
from ..lang.ctype import VOID, Array, Struct
from ..source import Span
from ..tree import nodes as tree
from ..tree.effects import addressed_variables, jumps_out, named_variables, written_variables
from ..tree.nodes import Function, Module, Variable
from ..tree.walk import children, walk
from .format_warnings import of_printf


def warnings(module: Module, file: str) -> tuple[Diagnostic, ...]:
    """Return what there is to say about the functions of `file`, in source order."""
    found = [
        warning
        for function in module.functions.values()
        if function.span.source.name == file
        for warning in _of_function(function)
        if warning.span.source.name == file and warning.span.expansion is None
    ]
    unique = {(warning.span.line, warning.span.column, warning.message): warning for warning in found}
    return tuple(unique[key] for key in sorted(unique))


def _of_function(function: Function) -> Iterator[Diagnostic]:
    nodes = list(walk(function.body))
    named = {node.variable for node in nodes if isinstance(node, tree.VarRef)}
    empty = {node.variable for node in nodes if isinstance(node, tree.Declare) and _is_empty(node)}
    empty = (empty & named) - addressed_variables(function.body) if empty else empty
    for node in nodes:
        match node:
            # The values of constants replace their names.
            case tree.Declare(variable=variable) if variable not in named and not variable.const:
                if _text_at(variable.span) == variable.name and not _may_be_unused(variable.span):
                    yield _warning(variable.span, f"'{variable.name}' is never used")
            case tree.If(cond=cond) | tree.Loop(cond=cond) if cond is not None:
                yield from _assigned(cond)
            case tree.BuiltinCall(builtin=builtin) if builtin.name == "printf":
                yield from of_printf(node)
            case tree.Block(statements=statements):
                yield from _unset(statements, empty)
            case tree.Switch(sections=sections):
                yield from _unset([below for section in sections for below in section.body.statements], empty)
    if function.result != VOID and _ends(function.body.statements):
        yield _warning(function.span, f"'{function.title}' may end without returning a value")


def _warning(span: Span, message: str, *notes: Note, help: str | None = None) -> Diagnostic:
    return Diagnostic(span, message, notes, help, "warning")


def _text_at(span: Span) -> str:
    return span.source.line(span.line)[span.column - 1 : span.column - 1 + span.length]


def _may_be_unused(name: Span) -> bool:
    """Whether `[[maybe_unused]]` or `__attribute__((unused))` is in the declaration of the variable `name`."""
    line = name.source.line(name.line)
    before = "\n".join([*map(name.source.line, range(max(1, name.line - 2), name.line)), line[: name.column - 1]])
    own = re.split("[;{}]", before)[-1] + re.split("[;,={]", line[name.column - 1 + name.length :])[0]
    return re.search(r"\b(maybe_unused|unused|__unused__)\b", own) is not None


# ------------------------------------------------------------------------------------------- `=` for `==`


def _assigned(cond: tree.Expr) -> Iterator[Diagnostic]:
    """Warn of `if (a = b)`; a second pair of parentheses says that it is meant."""
    while isinstance(cond, tree.Convert) and not cond.explicit:
        cond = cond.operand
    if not isinstance(cond, tree.Assign):
        return
    if not _text_at(cond.span).startswith("("):
        yield _warning(cond.span, "'=' in a condition", help="'==' compares; a second pair of parentheses says '='")


# ------------------------------------------------------------------------------------------- no value yet


def _is_empty(node: tree.Declare) -> bool:
    """Whether a variable has no value where it is declared; arrays and structs may get theirs bit by bit."""
    variable = node.variable
    return node.initial is None and variable.storage == "local" and not isinstance(variable.type, Array | Struct)


def _unset(statements: Sequence[tree.Stmt], empty: set[Variable]) -> Iterator[Diagnostic]:
    """Warn of variables, of those that are `empty`, that are read before anything in the text sets them."""
    for i, node in enumerate(statements):
        if not isinstance(node, tree.Declare) or node.variable not in empty:
            continue
        variable = node.variable
        user = next((below for below in statements[i + 1 :] if variable in named_variables(below)), None)
        read = _first_use(user, variable) if user is not None else None
        if isinstance(read, tree.Load | tree.CompoundAssign | tree.Increment):
            declared = Note(variable.span, f"'{variable.name}' is declared here")
            yield _warning(read.span, f"'{variable.name}' is used before it has a value", declared)


def _first_use(node: tree.Node, variable: Variable) -> tree.Node | None:
    """Return what first reads or writes a variable, as the text is evaluated; None if that is not known."""
    if isinstance(node, tree.Loop) and variable in written_variables(node):
        return None  # what is further down may come before
    match node:
        case tree.Load(place=tree.VarRef(variable=found)) if found is variable:
            return node
        case tree.Convert(operand=tree.Load(), type=ctype) if ctype == VOID:
            return None
        case tree.Assign() | tree.CompoundAssign():
            parts: Sequence[tree.Node] = (node.value, node.place)
        case _:
            parts = children(node)
    for part in parts:
        if variable in named_variables(part):
            return node if isinstance(part, tree.VarRef) else _first_use(part, variable)
    return None


# ------------------------------------------------------------------------------------------- the end


def _ends(statements: Sequence[tree.Stmt]) -> bool:
    """Whether a thread may reach the end of statements."""
    return all(map(_passes, statements))


def _passes(node: tree.Stmt) -> bool:
    """Whether a thread may reach what follows a statement."""
    match node:
        case tree.Break() | tree.Continue() | tree.Return():
            return False
        case tree.Block(statements=statements):
            return _ends(statements)
        case tree.If(then=then, other=other):
            return _ends(then.statements) or _ends(other.statements)
        case tree.Loop(cond=cond, body=body):
            always = cond is None or (isinstance(cond, tree.Constant) and bool(cond.value))
            return not always or any(isinstance(jump, tree.Break) for jump in jumps_out(body))
        case tree.Switch(sections=sections):
            whole = any(None in section.labels for section in sections)
            breaks = any(isinstance(jump, tree.Break) for section in sections for jump in jumps_out(section.body))
            return not whole or breaks or (bool(sections) and _ends(sections[-1].body.statements))
        case tree.Evaluate(expr=tree.BuiltinCall(builtin=builtin)):
            return builtin.op != "trap"
    return True
