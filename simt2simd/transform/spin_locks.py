"""Tree-to-tree: of the lanes that spin for a lock, the owner continues at once, until it releases the lock.

**Known as:** deadlock-free reconvergence of spin locks on SIMT hardware.

    while (atomicCAS(lock, 0, 1) != 0);      bool waiting = true;
    *sum += x;                               while (waiting) {
    atomicExch(lock, 0);                         if (atomicCAS(lock, 0, 1) != 0) {
    f(x);                                        } else {
                                                     *sum += x;
                                                     atomicExch(lock, 0);
                                                     waiting = false;
                                                 }
                                             }
                                             f(x);

The lanes of a gang leave a loop together. As written, the lane with the lock would wait after the loop for the others,
and they in the loop for the lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..lang.ctype import BOOL
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import synchronising_functions
from ..tree.effects import is_barrier, is_local, jumps_out, named_variables
from ..tree.nodes import Module, Variable
from ..tree.rewrite import renamed
from ..tree.walk import map_blocks, walk


def spin_locks(module: Module) -> Module:
    """Rewrite every loop that spins for a lock, where what follows it in its block can be moved into it."""
    spinning = [f for f in module.functions.values() if any(spins(node) for node in walk(f.body))]
    if not spinning:
        return module
    synchronising = synchronising_functions(module)
    rewriting = _Rewriting(synchronising)
    changed = {function.name: replace(function, body=rewriting.block(function.body)) for function in spinning}
    return replace(module, functions=module.functions | changed)


def spins(node: tree.Node) -> bool:
    """Whether `node` is a loop that does nothing but wait for a lock."""
    if not isinstance(node, tree.Loop) or node.cond is None or node.init or node.step:
        return False
    return _lock(node) is not None and not any(_disturbs(below) for below in walk(node))


def _lock(node: tree.Loop) -> tree.Expr | None:
    """Return the pointer to the lock that a loop tries to set from one constant to another."""
    for below in walk(node):
        if isinstance(below, tree.BuiltinCall) and below.builtin.op in ("atomic_cas", "atomic_exch"):
            pointer, *values = below.args
            if all(_is_constant(value) for value in values):
                return pointer
    return None


def _is_constant(node: tree.Expr) -> bool:
    while isinstance(node, tree.Convert):
        node = node.operand
    return isinstance(node, tree.Constant)


def _disturbs(node: tree.Node) -> bool:
    """Whether a spinning loop with `node` in it is something else."""
    match node:
        case tree.Assign() | tree.CompoundAssign() | tree.Increment():
            return not (isinstance(node.place, tree.VarRef) and is_local(node.place.variable))
        case tree.BuiltinCall():
            return is_barrier(node) or (node.builtin.atomic and node.builtin.op not in _ACQUIRE)
    return isinstance(node, tree.Call | tree.Jump)


_ACQUIRE = ("atomic_cas", "atomic_exch")


@dataclass(frozen=True)
class _Rewriting:
    synchronising: frozenset[str]  # functions

    def block(self, block: tree.Block) -> tree.Block:
        return replace(block, statements=self.statements(block.statements))

    def statements(self, nodes: tuple[tree.Stmt, ...]) -> tuple[tree.Stmt, ...]:
        for i, node in enumerate(nodes):
            if isinstance(node, tree.Block) and _ends_with_lock(node):
                return self.statements((*nodes[:i], *node.statements, *nodes[i + 1 :]))
            if isinstance(node, tree.Loop) and spins(node):
                held, rest = _divide(node, nodes[i + 1 :])
                if held and not any(self.must_stay(below) for below in held):
                    held, rest = _without_const(held, rest)
                    before = (map_blocks(below, self.block) for below in nodes[:i])
                    return (*before, *_hold(node, self.statements(held), bool(rest)), *self.statements(rest))
        return tuple(map_blocks(node, self.block) for node in nodes)

    def must_stay(self, node: tree.Stmt) -> bool:
        """Whether a statement cannot move into a loop: it has a barrier, or a jump out of a loop around it."""
        if any(isinstance(jump, tree.Break | tree.Continue) for jump in jumps_out(node)):
            return True
        return any(
            is_barrier(below) or (isinstance(below, tree.Call) and below.function in self.synchronising)
            for below in walk(node)
        )


def _divide(loop: tree.Loop, after: tuple[tree.Stmt, ...]) -> tuple[tuple[tree.Stmt, ...], tuple[tree.Stmt, ...]]:
    """The statements after a loop for which the lock is held, and the others: all are held if none gives it back.

    A variable that the others need too is to be declared before the loop, which cannot be done with a braced list.
    """
    ends = [i for i, node in enumerate(after) if _gives_back(loop, node)]
    if not ends:
        return after, ()
    held = after[: ends[-1] + 1]
    if any(isinstance(node, tree.Declare) and isinstance(node.initial, tree.Braces) for node in held):
        return after, ()
    return held, after[len(held) :]


def _without_const(
    held: tuple[tree.Stmt, ...], rest: tuple[tree.Stmt, ...]
) -> tuple[tuple[tree.Stmt, ...], tuple[tree.Stmt, ...]]:
    """Return the statements with a variable that can be assigned in place of each const one that both parts need."""
    declared = (node.variable for node in held if isinstance(node, tree.Declare))
    names = {variable: replace(variable, const=False) for variable in declared if variable.const and rest}
    return tuple(renamed(node, names) for node in held), tuple(renamed(node, names) for node in rest)


def _ends_with_lock(block: tree.Block) -> bool:
    """Whether a block takes a lock and does not give it back: a function's body in place of its call."""
    for i, node in enumerate(block.statements):
        if isinstance(node, tree.Loop) and spins(node):
            return not any(_gives_back(node, below) for below in block.statements[i + 1 :])
    return False


def _gives_back(loop: tree.Loop, node: tree.Stmt) -> bool:
    """Whether `node` writes to what the loop's lock is made of."""
    lock = _lock(loop)
    assert lock is not None
    return any(_writes(below, named_variables(lock)) for below in walk(node))


def _writes(node: tree.Node, variables: set[Variable]) -> bool:
    """Whether `node` writes through a pointer, or to a place, that is made of these variables."""
    match node:
        case tree.BuiltinCall() if node.builtin.atomic:
            return named_variables(node.args[0]) == variables
        case tree.Assign():
            return named_variables(node.place) == variables
    return False


def _hold(loop: tree.Loop, held: tuple[tree.Stmt, ...], declare_before: bool) -> Iterator[tree.Stmt]:
    """Return the loop with the statements that need the lock inside it."""
    build = Build(loop.span)
    assert loop.cond is not None
    waiting = Variable("waiting", BOOL, loop.span, "local")
    inner: list[tree.Stmt] = []
    for node in held:
        if not isinstance(node, tree.Declare) or not declare_before:
            inner.append(node)
            continue
        yield replace(node, initial=None)
        if node.initial is not None:
            assert not isinstance(node.initial, tree.Braces)
            inner.append(Build(node.initial.span).assign(node.variable, node.initial))
    yield build.declare(waiting, build.number(BOOL, True))
    inner.append(build.assign(waiting, build.number(BOOL, False)))
    attempt = build.when(loop.cond, loop.body.statements if loop.test_first else (), inner)
    before = () if loop.test_first else loop.body.statements
    yield tree.Loop(loop.span, (), build.read(waiting), (), build.block(*before, attempt))
