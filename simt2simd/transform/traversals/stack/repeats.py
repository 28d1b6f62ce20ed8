"""A counted loop that pushes, as a loop of calls: iterations run in reverse, and so do the pushes in each.

for (int e = 0; e < n; e++) {                  for (int at = n; at > 0; at--) {
    if (near(t, e)) {                              const int e = at - 1;
        stack[top++] = t[e].a;                     if (near(t, e)) {
        stack[top++] = t[e].b;                         k_walk(t, t[e].b);
    }                                                  k_walk(t, t[e].a);
}                                                  }
                                               }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ....analysis.counted_loops import Counted
from ....analysis.stack.scripts import Fork, Plain, Push, Repeat, Script
from ....lang.ctype import CType
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.nodes import Variable
from ....tree.rewrite import copied
from .visits import Again


class Fresh(Protocol):
    """Makes a variable whose name is like the one given."""

    def __call__(self, name: str, ctype: CType, *, const: bool) -> Variable: ...


@dataclass(frozen=True)
class LoopOfCalls:
    """Makes the loop; `call` makes a call of the values of an entry. Each loop has variables of its own."""

    again: Again
    call: Callable[[Sequence[tree.Expr]], tree.Stmt]
    fresh: Fresh

    def made(self) -> tree.Loop:
        again = self.again
        return self.loop(again.repeat, copied(again.first), copied(again.bound), {})

    def loop(self, repeat: Repeat, first: tree.Expr, bound: tree.Expr, names: dict[Variable, Variable]) -> tree.Loop:
        counted = repeat.counted
        build, ctype, up = Build(counted.loop.span), bound.type, counted.step > 0
        at = self.fresh("at", ctype, const=False)
        here = self.fresh(counted.variable.name, counted.variable.type, const=True)
        one = build.number(ctype, 1)
        start = build.binary(bound, "+" if up else "-", one) if counted.inclusive else bound
        value = build.binary(build.read(at), "-" if up else "+", build.number(ctype, 1))
        inside = {**names, counted.variable: here}
        return tree.Loop(
            counted.loop.span,
            (build.declare(at, start),),
            build.binary(build.read(at), ">" if up else "<", build.convert(ctype, first)),
            (tree.Increment(build.span, ctype, build.place(at), -counted.step, prefix=True),),
            build.block(build.declare(here, build.convert(here.type, value)), *self.iteration(repeat.body, inside)),
        )

    def iteration(self, script: Script, names: dict[Variable, Variable]) -> list[tree.Stmt]:
        """Return the statements of an iteration, or of an arm in it: what it declares, then its calls."""
        declared: list[tree.Stmt] = []
        made: list[tree.Stmt] = []
        for op in script:
            match op:
                case Plain(node=tree.Declare(variable=variable, initial=value) as node) if isinstance(value, tree.Expr):
                    initial = copied(value, names)
                    names = {**names, variable: self.fresh(variable.name, variable.type, const=True)}
                    declared.append(tree.Declare(node.span, names[variable], initial))
                case Push(values=values):
                    made.append(self.call([copied(value, names) for value in values]))
                case Fork(node=node, cond=cond, then=then, other=other):
                    arms = (self.iteration(then, names), self.iteration(other, names))
                    made.append(Build(node.span).when(copied(cond, names), *arms))
                case Repeat(counted=Counted(first=first, bound=bound)):
                    made.append(self.loop(op, copied(first, names), copied(bound, names), names))
                case _:
                    raise AssertionError(f"{op} in a loop that pushes")
        return [*declared, *reversed(made)]
