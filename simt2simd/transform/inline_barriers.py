"""Tree-to-tree: calls of device functions that have barriers, in kernels, become the functions' bodies.

    value += exchange(buffer, value);      int *b = buffer; int v = value;
                                           b[threadIdx.x] = v; __syncthreads(); exchange_ = b[0];
                                           value += exchange_;

A kernel can be divided at its barriers only where they stand in its own text (`fission`). The result is again a
program that prints as CUDA-C.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from ..lang.ctype import VOID
from ..tree import nodes as tree
from ..tree.calls import functions_reaching
from ..tree.effects import is_barrier
from ..tree.nodes import Function, Module, Variable
from ..tree.rewrite import copied, read
from ..tree.walk import children, walk
from .spin_locks import spins

MAX_NODES = 4000  # of a kernel


def inline_barriers(module: Module) -> Module:
    """Put the bodies of functions with barriers in place of their calls in kernels, where that is possible.

    It is for functions that do not recurse and that return at their end only, called in every round of what they stand
    in, where nothing in the same statement could notice that they run first.
    """
    return _inlined(module, functions_reaching(module, lambda node: spins(node) or is_barrier(node)))


def inline_locks(module: Module) -> Module:
    """Do so only for functions that wait for a lock: it must be given back in the text where it is taken (`spins`)."""
    return _inlined(module, functions_reaching(module, spins))


def _inlined(module: Module, synchronising: frozenset[str]) -> Module:
    if all(module.functions[name].kind == "kernel" for name in synchronising):
        return module
    functions = dict(module.functions)
    for kernel in module.kernels:
        if kernel.name in synchronising:
            inliner = _Inliner(module, synchronising, sum(1 for _ in walk(kernel.body)))
            functions[kernel.name] = replace(kernel, body=inliner.block(kernel.body))
    return replace(module, functions=functions)


@dataclass
class _Inliner:
    module: Module
    synchronising: frozenset[str]
    nodes: int  # of the kernel, with what was put into it
    inside: tuple[str, ...] = field(default=())  # the functions whose bodies are being put in

    def block(self, block: tree.Block) -> tree.Block:
        return replace(block, statements=tuple(new for node in block.statements for new in self.statement(node)))

    def statement(self, node: tree.Stmt) -> list[tree.Stmt]:
        match node:
            case tree.Block():
                return [self.block(node)]
            case tree.If():
                return [replace(node, then=self.block(node.then), other=self.block(node.other))]
            case tree.Loop():
                init = tuple(new for below in node.init for new in self.statement(below))
                return [replace(node, init=init, body=self.block(node.body))]
            case tree.Switch():
                sections = tuple(replace(section, body=self.block(section.body)) for section in node.sections)
                return [replace(node, sections=sections)]
            case tree.Declare() | tree.Evaluate():
                return self.simple(node)
        return [node]

    def simple(self, node: tree.Declare | tree.Evaluate) -> list[tree.Stmt]:
        """A statement without statements in it: the call in it, if there is one, goes first."""
        calls = [below for below in walk(node) if isinstance(below, tree.Call) and below.function in self.synchronising]
        if len(calls) != 1 or not self.may_go_first(node, calls[0]):
            return [node]
        call = calls[0]
        function = self.module.functions[call.function]
        self.nodes += sum(1 for _ in walk(function.body))
        outside, self.inside = self.inside, (*self.inside, function.name)
        result = Variable(f"{function.name}_", function.result, call.span, "local") if function.result != VOID else None
        body = self.block(_body(function, call, result))
        self.inside = outside
        if result is None:
            return [body]
        declared = tree.Declare(call.span, result, None)
        value = read(result, call.span)
        return [declared, body, _replaced(node, call, value)]

    def may_go_first(self, node: tree.Declare | tree.Evaluate, call: tree.Call) -> bool:
        function = self.module.functions[call.function]
        if function.name in self.inside or self.nodes + sum(1 for _ in walk(function.body)) > MAX_NODES:
            return False
        *before, last = function.body.statements or (None,)
        if any(isinstance(below, tree.Return) for stmt in before if stmt is not None for below in walk(stmt)):
            return False
        if not isinstance(last, tree.Return) and (function.result != VOID or _returns(last)):
            return False
        top = node.initial if isinstance(node, tree.Declare) else node.expr
        if isinstance(top, tree.Assign | tree.CompoundAssign):  # the value comes before the place
            top = top.value
        return top is not None and not isinstance(top, tree.Braces) and _is_undisturbed(top, call)


def _returns(node: tree.Stmt | None) -> bool:
    return node is not None and any(isinstance(below, tree.Return) for below in walk(node))


def _is_undisturbed(node: tree.Node, call: tree.Call) -> bool:
    """Whether `call` is always evaluated in `node`, and the rest gives the same value before and after it."""
    if node is call:
        return True
    holds_call = any(below is call for below in walk(node))
    match node:
        case tree.Convert() | tree.Unary() | tree.Binary() | tree.PointerAdd():
            return all(_is_undisturbed(child, call) for child in children(node))
        case tree.Constant() | tree.ThreadIndex():
            return True
        case tree.Load(place=tree.VarRef(variable=variable)) if not holds_call:
            return variable.storage in ("local", "param")
    return False


def _body(function: Function, call: tree.Call, result: Variable | None) -> tree.Block:
    """The body of `function` with variables of its own, for the arguments of `call`; `result` gets what it returns."""
    new = {param: replace(param, storage="local") for param in function.params}
    for node in walk(function.body):
        if isinstance(node, tree.Declare) and node.variable.storage == "local":
            new[node.variable] = replace(node.variable)
    statements: list[tree.Stmt] = [
        tree.Declare(arg.span, new[param], arg) for param, arg in zip(function.params, call.args, strict=True)
    ]
    for node in function.body.statements:
        if isinstance(node, tree.Return):
            if node.value is not None and result is not None:
                place = tree.VarRef(node.span, function.result, result)
                value = copied(node.value, new)
                statements.append(tree.Evaluate(node.span, tree.Assign(node.span, function.result, place, value)))
        else:
            statements.append(copied(node, new))
    return tree.Block(call.span, tuple(statements))


def _replaced(node: Any, old: tree.Expr, value: tree.Expr) -> Any:
    """`node` with `value` in place of the expression `old`."""
    if node is old:
        return value
    if isinstance(node, tuple):
        return tuple(_replaced(item, old, value) for item in node)
    if not isinstance(node, tree.Node) or not is_dataclass(node) or all(below is not old for below in walk(node)):
        return node
    return replace(node, **{item.name: _replaced(getattr(node, item.name), old, value) for item in fields(node)})
