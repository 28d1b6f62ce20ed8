"""The device code of several files as one module: every call finds its function, every name its variable.

Files agree on keys for what they share (`frontend/sema/linkage`). Of an inline function or an instance of a template,
the first one is taken; functions that call by a pointer or a table choose among what all files know.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..diag import CompileError, Diagnostic, Note
from ..lang.ctype import Pointer, Struct
from ..source import NOWHERE, Span
from ..tree.launches import is_launch
from ..tree.nodes import Block, Call, Content, ExternalFunction, Function, Module, Switch, Variable, VarRef
from ..tree.rewrite import renamed
from ..tree.shared_memory import too_much_shared
from ..tree.walk import walk
from .relocatable import Body, Reader, Relocatable
from .structs import unified, unique

_ONCE = "define it once, or make it `static`, or `inline` where all definitions are the same"


def link(files: Sequence[Relocatable]) -> Module:
    """Return the module of these files. Raises `CompileError` with what they do not define, or not alike."""
    readers = [Reader(file) for file in files]
    structs = [struct for reader in readers for struct in reader.read_structs()]
    chosen = unified(structs)
    for reader in readers:
        reader.structs = [chosen[struct] for struct in reader.structs]
    tables = [reader.read_variables() for reader in readers]
    variables, faults = _choose_variables(tables)
    for reader, own in zip(readers, variables, strict=True):
        reader.variables = own
    bodies = [reader.read_body() for reader in readers]
    functions, twice = _functions(bodies)
    faults += [*_defined_twice(bodies), *twice, *_declared_differently(functions, bodies)]
    contents = {variable: content for body in bodies for variable, content in body.variables.items()}
    functions = _reachable(functions)
    faults += _undefined(functions, contents, bodies)
    if faults:
        raise CompileError(faults)
    module = Module(
        os.path.abspath(bodies[0].file),
        _in_order(dict.fromkeys(struct for body in bodies for struct in body.structs)),
        tuple(dict.fromkeys(constant for body in bodies for constant in body.constants)),
        functions,
        tuple(variable for body in bodies for variable in body.shared),
        contents,
        linked={body.instances_symbol: body.instances for body in bodies},
    )
    if too_large := list(too_much_shared(module)):
        raise CompileError(too_large)
    return module


def _in_order(structs: Iterable[Struct]) -> tuple[Struct, ...]:
    """Return structs with those last that are only declared."""
    return tuple(sorted(structs, key=lambda struct: struct.fields is None))


# ------------------------------------------------------------------------------------------------- variables


def _choose_variables(tables: Sequence[Sequence[Variable]]) -> tuple[list[list[Variable]], list[Diagnostic]]:
    """Return the variables in place of those of each file, and what is wrong with their declarations."""
    names: set[str] = set()
    shared: dict[str, Variable] = {}
    chosen: list[list[Variable]] = []
    faults: list[Diagnostic] = []
    aligned: dict[str, int] = {}
    for variable in (variable for table in tables for variable in table):
        aligned[variable.symbol] = max(aligned.get(variable.symbol, 0), variable.align)
    for table in tables:
        chosen.append([])
        for variable in table:
            known = shared.get(variable.symbol) if variable.symbol else None
            if known is None:
                known = replace(variable, name=unique(variable.name, names))
                if variable.symbol:
                    known = shared[variable.symbol] = replace(known, align=aligned[variable.symbol])
            elif _kind(known) != _kind(variable):
                note = Note(known.span, f"here it is '{_declared(known)}'")
                message = f"'{variable.qualified}' is '{_declared(variable)}' here, and something else in another file"
                faults.append(Diagnostic(variable.span, message, (note,)))
            chosen[-1].append(known)
    return chosen, faults


def _kind(variable: Variable) -> object:
    return variable.type, variable.space, variable.const, variable.volatile


def _declared(variable: Variable) -> str:
    words = [variable.space, *["const"] * variable.const, *["volatile"] * variable.volatile, str(variable.type)]
    return " ".join(words)


def _defined_twice(bodies: Sequence[Body]) -> Iterator[Diagnostic]:
    """Yield a fault for each variable that several files define."""
    defined: dict[Variable, Span] = {}
    for body in bodies:
        for variable in body.variables:
            span = body.external.defined_at.get(variable, variable.span)
            if variable in defined:
                note = Note(defined[variable], "the first definition is here")
                message = f"the variable '{variable.qualified}' is defined twice"
                yield Diagnostic(span, message, (note,), "declare it `extern` in all files but one")
            defined.setdefault(variable, span)


# ------------------------------------------------------------------------------------------------- functions


def _functions(bodies: Sequence[Body]) -> tuple[dict[str, Function], list[Diagnostic]]:
    """Return the functions of all files by their keys, and what is defined twice."""
    found: dict[str, Function] = {}
    merges: dict[str, bool] = {}
    faults: list[Diagnostic] = []
    for body in bodies:
        for key, function in body.functions.items():
            known = body.external.functions.get(key)
            again = known is not None and known.merges
            if key in found and key in body.external.choosers:
                found[key] = _with_choices(found[key], function)
            elif key not in found or (merges[key] and not again):
                found[key], merges[key] = function, again
            elif not again and not merges[key]:
                note = Note(found[key].span, "the first definition is here")
                what = f"the kernel '{function.title}'" if function.kind == "kernel" else f"'{_title(function, known)}'"
                faults.append(Diagnostic(function.span, f"{what} is defined twice", (note,), _ONCE))
    return found, faults


def _title(function: Function, known: ExternalFunction | None) -> str:
    return known.title if known is not None else function.title


def _with_choices(one: Function, other: Function) -> Function:
    """Return a function that chooses among what both choose among."""
    names = dict(zip(other.params, one.params, strict=True))
    (first,), (second,) = one.body.statements, other.body.statements
    assert isinstance(first, Switch) and isinstance(second, Switch)
    *sections, default = first.sections
    known = {section.labels for section in sections}
    more = (renamed(section, names) for section in second.sections[:-1] if section.labels not in known)
    whole = Switch(first.span, first.value, (*sections, *more, default))
    return replace(one, body=Block(one.body.span, (whole,)))


def _declared_differently(functions: Mapping[str, Function], bodies: Sequence[Body]) -> Iterator[Diagnostic]:
    """Yield a fault for each function that a file declares in another way than the one that defines it."""
    definitions: dict[str, ExternalFunction] = {}
    for body in bodies:
        for key, declared in body.external.functions.items():
            if key in body.functions and functions[key] is body.functions[key]:
                definitions[key] = declared
    for body in bodies:
        for key, declared in body.external.functions.items():
            defined = definitions.get(key)
            if defined is None or defined.type == declared.type:
                continue
            note = Note(defined.span, f"here it is '{defined.title}'")
            message = f"'{declared.title}' is declared here, and defined with other types in another file"
            if defined.title == declared.title:
                message = f"'{declared.title}' is something else in another file: its types differ there"
            yield Diagnostic(declared.span, message, (note, *_differing(declared, defined)))


def _differing(one: ExternalFunction, other: ExternalFunction) -> Iterator[Note]:
    """Yield notes on the structs that differ although their names are the same."""
    pairs = zip((one.type.result, *one.type.params), (other.type.result, *other.type.params), strict=False)
    for mine, theirs in pairs:
        while isinstance(mine, Pointer) and isinstance(theirs, Pointer):
            mine, theirs = mine.target, theirs.target
        if isinstance(mine, Struct) and isinstance(theirs, Struct) and mine is not theirs:
            yield Note(mine.span, f"'{mine}' is declared here")
            yield Note(theirs.span, "and, with other members, here")


def _reachable(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return the kernels and what they reach by calls."""
    reached = {name for name, function in functions.items() if function.kind == "kernel"}
    todo = list(reached)
    while todo:
        for node in walk(functions[todo.pop()].body):
            if isinstance(node, Call) and node.function in functions and node.function not in reached:
                reached.add(node.function)
                todo.append(node.function)
    return {name: function for name, function in functions.items() if name in reached}


def _undefined(
    functions: Mapping[str, Function], contents: Mapping[Variable, Content], bodies: Sequence[Body]
) -> Iterator[Diagnostic]:
    """Yield a fault for each function and each variable that is used and that no file defines."""
    declared = {key: one for body in bodies for key, one in body.external.functions.items()}
    external = {one for body in bodies for one in body.external.variables.values()}
    missing: dict[object, Diagnostic] = {}
    for function in functions.values():
        for node in walk(function.body):
            if isinstance(node, Call) and node.function not in functions and node.function not in missing:
                missing[node.function] = _undefined_function(node.function, node.span, declared.get(node.function))
            elif is_launch(node) and node.builtin.kernel not in functions and node.builtin.kernel not in missing:
                kernel = node.builtin.kernel
                missing[kernel] = _undefined_function(kernel, node.span, declared.get(kernel))
            elif isinstance(node, VarRef) and node.variable in external and node.variable not in contents:
                missing.setdefault(node.variable, _undefined_variable(node.variable, node.span))
    for variable, content in contents.items():
        for _, other, _ in content.addresses:
            if other in external and other not in contents:
                missing.setdefault(other, _undefined_variable(other, variable.span))
    yield from missing.values()


def _undefined_function(name: str, used: Span, declared: ExternalFunction | None) -> Diagnostic:
    title, span = (declared.title, declared.span) if declared is not None else (name, used)
    notes = (Note(span, "it is declared here"),) if used not in (NOWHERE, span) else ()
    return Diagnostic(used if notes else span, f"undefined device function '{title}': no file defines it", notes)


def _undefined_variable(variable: Variable, span: Span) -> Diagnostic:
    note = Note(variable.span, "it is declared here")
    return Diagnostic(span, f"undefined device variable '{variable.qualified}': no file defines it", (note,))
