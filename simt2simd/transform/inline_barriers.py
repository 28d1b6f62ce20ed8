"""Tree-to-tree: where a kernel calls a device function with barriers, the function's body takes the call's place.

**Known as:** inlining.

    value += exchange(buffer, value);      int *b = buffer; int v = value;
                                           b[threadIdx.x] = v; __syncthreads(); exchange_ = b[0];
                                           value += exchange_;

A kernel can be divided at its barriers only where they are in its own text (`barrier-fission`). The result is again a
program that prints as CUDA-C.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace

from ..lang.ctype import VOID
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import functions_reaching
from ..tree.effects import addressed_variables, declared_variables, is_barrier, is_local, jumps_out
from ..tree.nodes import Function, Module, Variable
from ..tree.rewrite import copied, replaced
from ..tree.walk import children, count_nodes, map_blocks, map_statements, walk
from .spin_locks import spins

MAX_NODES = 4000  # of a kernel


def inline_barriers(module: Module) -> Module:
    """Put the bodies of functions with barriers in place of their calls in kernels, where that is possible.

    A call is replaced if the function does not recurse and returns only at its end, if the call is always evaluated in
    its statement, and if nothing else in the statement could observe that the function now runs first. A call that
    begins a traversal stays, for `--stats` to see.
    """
    return _inlined(module, functions_reaching(module, lambda node: spins(node) or is_barrier(node)))


def inline_locks(module: Module) -> Module:
    """Replace only calls of functions that wait for a lock: `spin_locks` needs lock and release in one function."""
    return _inlined(module, functions_reaching(module, spins))


def _inlined(module: Module, synchronising: frozenset[str]) -> Module:
    if all(module.functions[name].kind == "kernel" for name in synchronising):
        return module
    functions = dict(module.functions)
    for kernel in module.kernels:
        if kernel.name in synchronising:
            inliner = _Inliner(module, synchronising, count_nodes(kernel.body))
            functions[kernel.name] = replace(kernel, body=inliner.run(kernel.body))
    return replace(module, functions=functions)


@dataclass
class _Inliner:
    module: Module
    synchronising: frozenset[str]
    nodes: int  # of the kernel, with what was put into it
    inside: tuple[str, ...] = field(default=())  # the functions whose bodies are being put in
    shared: dict[Variable, None] = field(default_factory=dict)  # variables that these declare
    pointed_to: set[Variable] = field(default_factory=set)  # what a function may change that is not given its name

    def run(self, body: tree.Block) -> tree.Block:
        """Return the new body of a kernel. It declares the shared variables of all that was put into it, each once."""
        self.pointed_to |= addressed_variables(body)
        body = self.block(body)
        declarations = (tree.Declare(variable.span, variable, None) for variable in self.shared)
        return replace(body, statements=(*declarations, *body.statements))

    def block(self, block: tree.Block) -> tree.Block:
        return map_statements(block, self.statement)

    def statement(self, node: tree.Stmt) -> Iterable[tree.Stmt]:
        if isinstance(node, tree.Declare | tree.Evaluate):
            return self.simple(node)
        if isinstance(node, tree.Loop):
            init = tuple(new for below in node.init for new in self.statement(below))
            if init != node.init:  # more than a `for` could hold
                return [tree.Block(node.span, (*init, map_blocks(replace(node, init=()), self.block)))]
        return [map_blocks(node, self.block)]

    def simple(self, node: tree.Declare | tree.Evaluate) -> list[tree.Stmt]:
        """A statement without statements in it: the call in it, if there is one, goes first."""
        calls = [below for below in walk(node) if isinstance(below, tree.Call) and below.function in self.synchronising]
        if len(calls) != 1 or not self.may_go_first(node, calls[0]):
            return [node]
        call = calls[0]
        function = self.module.functions[call.function]
        self.nodes += count_nodes(function.body)
        declared = (below.variable for below in walk(function.body) if isinstance(below, tree.Declare))
        self.shared |= dict.fromkeys(variable for variable in declared if variable.storage == "shared")
        result = Variable(f"{function.name}_", function.result, call.span, "local") if function.result != VOID else None
        body = _body(function, call, result)
        self.pointed_to |= addressed_variables(body)
        outside, self.inside = self.inside, (*self.inside, function.name)
        body = self.block(body)
        self.inside = outside
        if result is None:
            return [body]
        build = Build(call.span)
        return [build.declare(result), body, replaced(node, call, build.read(result))]

    def may_go_first(self, node: tree.Declare | tree.Evaluate, call: tree.Call) -> bool:
        function = self.module.functions[call.function]
        if (
            call.begins is not None
            or function.name in self.inside
            or self.nodes + count_nodes(function.body) > MAX_NODES
        ):
            return False
        if not _returns_at_its_end_only(function):
            return False
        return goes_first(node, call, self.pointed_to)


def goes_first(node: tree.Declare | tree.Evaluate, call: tree.Call, pointed_to: Container[Variable]) -> bool:
    """Whether a call in a statement may be made before the rest of it: it may change what is `pointed_to`."""
    top = node.initial if isinstance(node, tree.Declare) else node.expr
    if isinstance(top, tree.Assign | tree.CompoundAssign):  # the value comes before the place
        top = top.value
    return top is not None and not isinstance(top, tree.Braces) and _is_undisturbed(top, call, pointed_to)


def _is_undisturbed(node: tree.Node, call: tree.Call, pointed_to: Container[Variable]) -> bool:
    """Whether `call` is always evaluated in `node`, and the rest gives the same value before and after it."""
    if node is call:
        return True
    match node:
        case tree.Convert() | tree.Unary() | tree.Binary() | tree.PointerAdd():
            return all(_is_undisturbed(child, call, pointed_to) for child in children(node))
        case tree.Constant() | tree.ThreadIndex():
            return True
        case tree.Load(place=tree.VarRef(variable=variable)):
            return is_local(variable) and variable not in pointed_to
    return False


def _returns_at_its_end_only(function: Function) -> bool:
    jumps, last = jumps_out(function.body), list(function.body.statements[-1:])
    return jumps == last or (function.result == VOID and not jumps)


def _body(function: Function, call: tree.Call, result: Variable | None) -> tree.Block:
    """The body of `function` with variables of its own, for the arguments of `call`; `result` gets what it returns."""
    new = {param: replace(param, storage="local") for param in function.params}
    new |= {variable: replace(variable) for variable in declared_variables(function.body) if is_local(variable)}
    statements: list[tree.Stmt] = [
        Build(arg.span).declare(new[param], arg) for param, arg in zip(function.params, call.args, strict=True)
    ]
    for node in copied(function.body, new).statements:
        if not isinstance(node, tree.Return):
            statements.append(node)
        elif node.value is not None and result is not None:
            statements.append(Build(node.span).assign(result, node.value))
    return tree.Block(call.span, tuple(statements))
