"""A visit of one lane: the traversal's function with notes of calls in place of the calls.

    void visit(nodes, n, q) {                   unsigned visit_round(nodes, n, q, int *n_1) {
        if (far(nodes, n, q)) return;               unsigned made = 0;
        q->count++;                                 if (far(nodes, n, q)) return made;
        visit(nodes, n + 1, q);            ->       q->count++;
        visit(nodes, nodes[n].right, q);            made |= 1;
    }                                               { *n_1 = nodes[n].right; made |= 2; }
                                                    return made;
                                                }

Bit i of the result says that the lane makes call i. Arguments that all lanes can compute are no business of the visit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ....lang.builtins import BUILTINS
from ....lang.ctype import INT, UINT, VOID, Pointer
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import declared_variables, is_local, names_in
from ....tree.names import free_name
from ....tree.nodes import Function, Variable
from ....tree.rewrite import copied
from ....tree.walk import map_blocks
from .traversal import Site, Traversal


@dataclass(frozen=True)
class Visit:
    """The `function` of a visit. `outputs`: the arguments of calls that it returns, by site and parameter, in order.

    `result`: whether it also returns what the traversal returns.
    """

    function: Function
    outputs: Mapping[tuple[int, Variable], Variable]
    result: Variable | None


def visit_of(traversal: Traversal, name: str) -> Visit:
    return _Maker(traversal, name).made()


class _Maker:
    def __init__(self, traversal: Traversal, name: str) -> None:
        self.traversal, self.name = traversal, name
        self.function = traversal.function
        self.taken = names_in(self.function)
        self.sites = {site.call: site for site in traversal.sites}
        self.made_calls = Variable(self.free("made"), UINT, self.function.span, "local")
        self.outputs = {
            (site.index, param): Variable(
                self.free(f"{param.name}_{site.index}"), Pointer(param.type), param.span, "param"
            )
            for site in traversal.sites
            for param, arg in traversal.changing(site)
            if not traversal.is_known(param, arg)
        }
        result = self.function.result
        self.result = None
        if result != VOID:
            self.result = Variable(self.free("result"), Pointer(result), self.function.span, "param")

    def free(self, name: str) -> str:
        name = free_name(name, self.taken)
        self.taken.add(name)
        return name

    def made(self) -> Visit:
        function, build = self.function, Build(self.function.span)
        params = {param: replace(param, const=False) for param in function.params}
        own = {variable: replace(variable) for variable in declared_variables(function.body) if is_local(variable)}
        body = self.block(function.body)
        none = build.declare(self.made_calls, build.number(UINT, 0))
        statements = (none, *body.statements, self.leave(build))
        block = copied(replace(body, statements=statements), {**params, **own})
        out = (*self.outputs.values(), *((self.result,) if self.result is not None else ()))
        made = replace(
            function,
            name=self.name,
            params=(*params.values(), *out),
            result=UINT,
            body=block,
            inline="always",
            shown="",
        )
        return Visit(made, self.outputs, self.result)

    def leave(self, build: Build) -> tree.Return:
        return tree.Return(build.span, build.read(self.made_calls))

    def block(self, block: tree.Block) -> tree.Block:
        return replace(block, statements=tuple(new for node in block.statements for new in self.statement(node)))

    def statement(self, node: tree.Stmt) -> Iterator[tree.Stmt]:
        build = Build(node.span)
        match node:
            case tree.Return(value=tree.Call() as call) if call in self.sites:
                yield build.block(*self.noted(self.sites[call]), self.leave(build))
            case tree.Return(value=value):
                if value is not None:
                    assert self.result is not None
                    yield build.assign(tree.Deref(build.span, value.type, build.read(self.result)), value)
                yield self.leave(build)
            case tree.Evaluate(expr=tree.Call() as call) if call in self.sites:
                noted = list(self.noted(self.sites[call]))
                tail = [self.leave(build)] if call in self.traversal.tail else []
                yield from [*noted, *tail] if len(noted) + len(tail) == 1 else [build.block(*noted, *tail)]
            case tree.If() if node in self.traversal.votes:
                arms = map_blocks(node, self.block)
                assert isinstance(arms, tree.If)
                yield replace(arms, cond=majority(build, node.cond))
            case _:
                yield map_blocks(node, self.block)

    def noted(self, site: Site) -> Iterator[tree.Stmt]:
        build = Build(site.call.span)
        for param, arg in self.traversal.changing(site):
            if (site.index, param) in self.outputs:
                where = build.read(self.outputs[site.index, param])
                yield build.assign(tree.Deref(build.span, param.type, where), arg)
        bit = build.number(UINT, 1 << site.index)
        yield build.evaluate(tree.CompoundAssign(build.span, UINT, build.place(self.made_calls), "|", bit, UINT))


def majority(build: Build, cond: tree.Expr) -> tree.Expr:
    """`2 * __popc(__ballot_sync(__activemask(), cond)) > __popc(__activemask())`: what most lanes say that are here."""

    def here() -> tree.Expr:
        return build.call_builtin(BUILTINS["__activemask"][0])

    def count(lanes: tree.Expr) -> tree.Expr:
        return build.call_builtin(BUILTINS["__popc"][0], lanes)

    yes = build.call_builtin(BUILTINS["__ballot_sync"][0], here(), build.convert(INT, cond))
    return build.binary(build.binary(build.number(INT, 2), "*", count(yes)), ">", count(here()))
