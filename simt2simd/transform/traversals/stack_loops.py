"""Tree-to-tree: a loop over a stack of the thread's own becomes a recursive function and a call of it.

**Known as:** raising an explicit stack to recursion.

    int stack[64], top = 0;                        __device__ void k_walk(nodes, float *sum, int n) {
    stack[top++] = 0;                                  if (far(nodes[n])) return;
    while (top > 0) {                                  *sum += nodes[n].x;
        int n = stack[--top];                          bool a = nodes[n].right >= 0, b = nodes[n].left >= 0;
        if (far(nodes[n])) continue;                   if (b) k_walk(nodes, sum, nodes[n].left);
        sum += nodes[n].x;                             if (a) k_walk(nodes, sum, nodes[n].right);
        if (nodes[n].right >= 0)                   }
            stack[top++] = nodes[n].right;
        if (nodes[n].left >= 0)                    k_walk(nodes, &sum, 0);
            stack[top++] = nodes[n].left;
    }

Lanes then visit a node together, whatever lies on the stack of each: all that helps recursive traversals helps here.
`analysis/stack/explicit_stack` reads such loops and says which are understood. An iteration becomes a call: what it
pushes, it calls at its end, the last first. So each thread visits the same nodes in the same order as in the loop:

- What decides on a push is computed where the push is. What is pushed is computed there as well, into a variable,
  unless nothing can change it until the call: then the call itself says `nodes[n].left`, which is the same in all lanes
  that visit `n`.
- A variable that the loop reads is handed on by its value, one that it changes by its address. A variable in
  which an iteration neither finds nor leaves a value becomes the function's own.
- A loop that pushes, from a first number to a last one, becomes a loop of calls from the last one to the first
  (`stack/repeats`). Nothing that it reads may change until the end of the iteration, or by the walk.
- A node that is held at the end of an iteration is called as if it had been pushed and popped: first.
- A `break`, a `return` or a sentinel that may have been pushed on the way sets a flag, at which all calls return.

A recursion may be deeper than the stack of the loop ever is, as deep as the tree. So what is made must be a walk that a
loop over a stack can run (`analysis/walks`). Searches of graphs, which read the marks that they write, stay loops.

Choices between values, as in `near = d < 0 ? right : left`, become choices between calls in both orders, and these are
merged into one order as in `merge_calls`: each call visits one node in all lanes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...analysis import liveness
from ...analysis.stack import explicit_stack
from ...analysis.stack.accesses import NotRead, pointer_of
from ...analysis.stack.explicit_stack import Judged
from ...analysis.stack.scripts import StackLoop
from ...analysis.storage import has_array, pointer_below
from ...analysis.walks import Pointers, calls, mark
from ...lang.ctype import BOOL, VOID, Array, CType, Pointer, Scalar, Struct
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.calls import reached_functions, synchronising_functions
from ...tree.effects import addressed_variables, is_local, may_wait, named_variables, only_reads, root, writes
from ...tree.names import free_name
from ...tree.nodes import Function, Loop, Module, Variable
from ...tree.walk import children, map_blocks, map_children, walk
from ..merge_calls import merge_calls
from .stack.iterations import IterationWriter, LoopFacts

MAX_BYTES = 64  # of a struct that is handed on by value


def stack_loops(module: Module) -> Module:
    """Return a module that means the same, in which loops over stacks that are understood are recursive walks."""
    return _rewrite(module)[0]


def find(module: Module) -> tuple[Judged, ...]:
    """Return what becomes of each loop of a module that pushes and pops."""
    return _rewrite(module)[1]


def _rewrite(module: Module) -> tuple[Module, tuple[Judged, ...]]:
    names = [name for name, function in module.functions.items() if any(map(_is_candidate, walk(function.body)))]
    if not names:
        return module, ()
    deep: set[Loop] = set()
    while True:
        facts = _Facts(module, frozenset(deep))
        functions: dict[str, Function] = {}
        found: list[Judged] = []
        for name, function in module.functions.items():
            if name in names:
                rewriter = _Functions(facts, function)
                functions.update(rewriter.rewritten())
                found += rewriter.found
            else:
                functions[name] = function
        new = replace(module, functions=functions)
        looped = mark(merge_calls(new)).functions
        more = {judged.loop for judged in found if judged.function is not None and not looped[judged.function].looped}
        if not more:
            return new, tuple(found)
        deep |= more


def _pointers(place: tree.Place) -> set[Variable]:
    """Return the pointer variables through which a place is reached."""
    pointer = pointer_below(place)
    return set() if pointer is None else _pointers_of(pointer)


def _may_write_through(node: tree.Expr) -> bool:
    """Whether a function may write through an argument to what is not a variable of the thread."""
    own = isinstance(node, tree.AddressOf | tree.Decay) and root(node.place) is not None
    return isinstance(node.type, Pointer) and not node.type.const and not own


def _pointers_of(node: tree.Expr) -> set[Variable]:
    return {variable for variable in named_variables(node) if isinstance(variable.type, Pointer)}


def _counts(node: tree.Node) -> bool:
    """Whether `node` is an atomic function that always changes memory, which no waiting thread does."""
    if not isinstance(node, tree.BuiltinCall) or node.builtin.op != "atomic_add":
        return False
    added = node.args[1]
    return isinstance(added, tree.Constant) and added.value != 0


def _is_candidate(node: tree.Node) -> bool:
    return isinstance(node, Loop) and pointer_of(node) is not None


class _Facts:
    """What is known of a module; `taken` are names of functions. `deep`: loops that would not come back."""

    def __init__(self, module: Module, deep: frozenset[Loop]) -> None:
        self.module, self.deep = module, deep
        self.pointers = Pointers(module)
        self.reached = reached_functions(module)
        self.synchronising = synchronising_functions(module)
        self.taken = set(module.functions)

    def inside(self, *parts: tree.Node) -> Iterator[tree.Node]:
        """All nodes of parts of a program, and of the functions that they call."""
        called: set[str] = set()
        for node in (below for part in parts for below in walk(part)):
            yield node
            if isinstance(node, tree.Call):
                called |= {node.function, *self.reached[node.function]}
        for name in called:
            yield from walk(self.module.functions[name].body)

    def check(self, loop: Loop) -> None:
        """Raise `NotRead` if threads could observe the order in which others run, or run out of memory for calls."""
        if loop in self.deep:
            raise NotRead(loop, "as a recursion, it may go deeper than its stack")
        for node in self.inside(loop):
            if isinstance(node, tree.BuiltinCall) and (node.builtin.synchronises or node.builtin.op == "fence"):
                raise NotRead(loop, "it waits for other threads")
            if may_wait(node) and not any(map(_counts, children(node))):
                raise NotRead(loop, "it may wait for other threads")

    def check_depth(self, parts: Sequence[tree.Node]) -> None:
        """Raise `NotRead` if a loop may search a graph: a long way through it needs little of a stack, but many calls.

        Such a search marks what it has seen: it reads memory that it writes.
        """
        nodes = [below for part in parts for below in walk(part)]
        written = set[Variable]().union(*(_pointers(write.place) for part in parts for write in writes(part)))
        for node in nodes:
            if isinstance(node, tree.BuiltinCall) and not node.builtin.pure:
                written |= set[Variable]().union(*map(_pointers_of, node.args))
            if isinstance(node, tree.Call) and self.change_memory([node]):
                handed = set[Variable]().union(*(_pointers_of(arg) for arg in node.args if _may_write_through(arg)))
                written |= handed
                if handed and node.type != VOID:
                    raise NotRead(node, f"'{node.function}' may read what it writes")
        for node in nodes:
            if isinstance(node, tree.Load) and _pointers(node.place) & written:
                raise NotRead(node, "it reads what it writes, and may search a graph: too deep for a recursion")

    def change_memory(self, parts: Sequence[tree.Node]) -> bool:
        """Whether parts of a program change memory that is not the thread's own."""
        return not all(map(self.pointers.keeps_to_itself, self.inside(*parts)))


@dataclass(eq=False)
class _Functions:
    """Rewrites the loops of a function. `around`: of the loops around the current one, why they stay."""

    facts: _Facts
    function: Function
    made: dict[str, Function] = field(default_factory=dict)
    found: list[Judged] = field(default_factory=list)
    stacks: set[Variable] = field(default_factory=set)
    around: dict[Loop, tuple[Loop, NotRead]] = field(default_factory=dict)

    def rewritten(self) -> dict[str, Function]:
        """Return the function, and before it those that its loops have become."""
        self.live = liveness.analyse(self.function)
        self.pinned = addressed_variables(self.function.body)
        body = self.block(self.function.body)
        left = self.stacks & named_variables(body)
        left |= {variable for made in self.made.values() for variable in self.stacks & named_variables(made.body)}
        if left:
            why = f"'{min(variable.name for variable in left)}' is used by other code too"
            self.found = [replace(found, why=found.why or why, function=None) for found in self.found]
            self.facts.taken -= self.made.keys()
            return {self.function.name: self.function}
        body = _without(body, self.stacks)
        made = {name: replace(f, body=_without(f.body, self.stacks)) for name, f in self.made.items()}
        return {**made, self.function.name: replace(self.function, body=body)}

    def block(self, block: tree.Block) -> tree.Block:
        """Return a block with its loops rewritten, from the outside in."""
        statements: list[tree.Stmt] = []
        start = 0
        for i, node in enumerate(block.statements):
            if not isinstance(node, Loop) or not _is_candidate(node):
                continue
            try:
                first, instead = self.loop(block, i)
            except NotRead as fault:
                inner = [below for below in walk(node.body) if isinstance(below, Loop) and _is_candidate(below)]
                self.around.update((below, (node, fault)) for below in inner if below not in self.around)
                if not inner:
                    self.note(node, fault)
                continue  # an inner loop may be meant
            statements += block.statements[start:first] if first >= start else ()
            statements += instead
            start = i + 1
        statements += block.statements[start:]
        kept = set(block.statements)
        return replace(
            block,
            statements=tuple(map_blocks(node, self.block) if node in kept else node for node in statements),
        )

    def note(self, node: Loop, fault: NotRead) -> None:
        """Note why a loop stays. If it has no stack of its own, then it is a part of the one around it."""
        if fault.why.endswith(explicit_stack.NO_START) and node in self.around:
            node, fault = self.around[node]
        self.found.append(Judged(node, self.function.name, fault.why, fault.node))

    def loop(self, block: tree.Block, at: int) -> tuple[int, list[tree.Stmt]]:
        node = block.statements[at]
        assert isinstance(node, Loop)
        live = self.live.after[node]
        read = explicit_stack.read(block, at, live, self.pinned)
        live = live.union(*map(named_variables, read.following))
        self.facts.check(node)
        name = free_name(f"{self.function.name}_walk", self.facts.taken)
        made, instead = _Walk(self.facts, self.function, read, live, self.live.again[node], name).run()
        self.facts.taken.add(name)
        self.made[name] = made
        self.stacks |= read.stack
        self.found.append(Judged(node, self.function.name, function=name))
        return read.first, instead


def _without(block: tree.Block, variables: set[Variable]) -> tree.Block:
    """Return a block without the declarations of unused variables."""

    def kept(node: tree.Stmt) -> bool:
        return not isinstance(node, tree.Declare) or node.variable not in variables

    statements = tuple(map_blocks(node, lambda b: _without(b, variables)) for node in block.statements if kept(node))
    return replace(block, statements=statements)


def _used(block: tree.Block, made: set[Variable]) -> tree.Block:
    """Return a block without the made variables that are constant and never read."""
    while True:
        read = [below.variable for below in walk(block) if isinstance(below, tree.VarRef)]
        unread = {
            node.variable
            for node in walk(block)
            if isinstance(node, tree.Declare) and node.variable in made - set(read)
            and isinstance(node.initial, tree.Expr) and only_reads(node.initial)
        }  # fmt: skip
        if not unread:
            return block
        block = _without(block, unread)


def _forked(block: tree.Block, name: str) -> tree.Block:
    """Return the body of function `name` with two arms in place of calls and a return before other statements."""
    for i, node in enumerate(block.statements):
        if not isinstance(node, tree.If):
            continue
        rest = block.statements[i + 1 :]
        before = block.statements[:i]
        if calls(node.then, name) and not node.other.statements and rest:
            *first, last = node.then.statements
            if isinstance(last, tree.Return):
                then = _forked(replace(node.then, statements=tuple(first)), name)
                other = _forked(replace(node.other, statements=rest), name)
                return replace(block, statements=(*before, replace(node, then=then, other=other)))
        if not rest:
            new = replace(node, then=_forked(node.then, name), other=_forked(node.other, name))
            return replace(block, statements=(*before, new))
    return block


# ------------------------------------------------------------------------------------------ the function


class _Walk:
    """Makes the function of a loop, and the call that takes the loop's place."""

    def __init__(
        self, facts: _Facts, function: Function, read: StackLoop, live: liveness.Live, again: liveness.Live, name: str
    ) -> None:
        self.function, self.read, self.name = function, read, name
        self.loop = LoopFacts(facts.pointers, facts.change_memory, function, read, live, again)
        self.build = self.loop.build
        if self.loop.changes_memory:
            facts.check_depth(self.loop.parts)
        self.by_value: dict[Variable, Variable] = {}
        self.by_address: dict[Variable, Variable] = {}
        # Those of the enclosing function.
        self.returns = {node for part in self.loop.parts for node in walk(part) if isinstance(node, tree.Return)}

    # ------------------------------------------------------------------------------------ the whole

    def run(self) -> tuple[Function, list[tree.Stmt]]:
        """Return the function, and the statements in place of the set-up and the loop."""
        build = self.build
        self.capture()
        entry = {variable: replace(variable, storage="param", const=False) for variable in self.read.entry}
        self.new = {**entry, **self.by_value}
        self.new.update(
            {
                v: replace(v, name=f"{v.name}_here", storage="local", const=False)
                for v in self.loop.temporary - entry.keys()
            }
        )
        self.params = (*self.by_value.values(), *self.by_address.values(), *entry.values())
        self.stand_in = Function(self.name, build.span, "device", self.params, VOID, build.block())
        head: list[tree.Stmt] = []
        if self.loop.leaving:
            head.append(build.when(build.read(self.loop.done), [tree.Return(build.span, None)]))
        if self.read.test is not None:
            out: list[tree.Stmt] = [tree.Return(build.span, None)]
            if self.read.sentinel:
                out.insert(0, build.assign(self.loop.done, build.number(BOOL, True)))
            elif not only_reads(self.read.test):
                raise NotRead(self.read.test, "the test has effects")
            head.append(Build(self.read.test.span).when(build.negate(self.read.test), out))
        temporaries = [
            build.declare(self.new[v]) for v in sorted(self.loop.temporary - entry.keys(), key=lambda v: v.name)
        ]
        # The variables of the new function take the place of the old ones last: until then, all are the program's.
        statements = IterationWriter(self.loop, self.go_on, in_function=True).whole(self.read.iteration)
        statements = list(_used(build.block(*statements), self.loop.made).statements)
        body = _forked(build.block(*temporaries, *(self.moved(node) for node in (*head, *statements))), self.name)
        made = replace(self.stand_in, body=body, has_room=True)
        return made, self.calling()

    def calling(self) -> list[tree.Stmt]:
        """Return what takes the place of the set-up and the loop."""
        build = self.build
        statements: list[tree.Stmt] = []
        if self.loop.leaving:
            statements.append(build.declare(self.loop.done, build.number(BOOL, False)))
        if self.loop.returning:
            statements.append(build.declare(self.loop.returned, build.number(BOOL, False)))
            if self.function.result != VOID:
                statements.append(build.declare(self.loop.result))
        statements += IterationWriter(self.loop, self.begin, in_function=False).whole(self.read.setup)
        if self.loop.returning:
            value = None if self.function.result == VOID else build.read(self.loop.result)
            statements.append(build.when(build.read(self.loop.returned), [tree.Return(build.span, value)]))
        statements += self.read.following
        return statements

    def capture(self) -> None:
        """Decide how each variable of the enclosing function gets into the new one."""
        if addressed := set(self.read.entry) & self.loop.pinned:
            name = min(variable.name for variable in addressed)
            raise NotRead(self.read.loop, f"the address of '{name}' is taken")
        flags = [self.loop.done] * self.loop.leaving + [self.loop.returned] * self.loop.returning
        if self.loop.returning and self.function.result != VOID:
            flags.append(self.loop.result)
        found = self.loop.names - self.loop.own - self.loop.temporary - set(self.read.entry) - self.read.stack
        for variable in [*sorted(found, key=lambda v: (v.span.line, v.span.column, v.name)), *flags]:
            if not is_local(variable):
                if variable.storage == "shared":
                    raise NotRead(self.read.loop, f"it uses '{variable.name}', a shared variable")
                continue
            ctype = variable.type
            if isinstance(ctype, Array):
                if isinstance(ctype.element, Array):
                    raise NotRead(self.read.loop, f"it uses '{variable.name}', an array of arrays")
                self.by_address[variable] = self.parameter(variable, Pointer(ctype.element, const=variable.const))
            elif variable in self.loop.written | self.loop.pinned or variable in flags or not self.is_small(ctype):
                self.by_address[variable] = self.parameter(variable, Pointer(ctype, const=variable.const))
            else:
                self.by_value[variable] = self.parameter(variable, ctype)

    def is_small(self, ctype: CType) -> bool:
        return isinstance(ctype, Scalar | Pointer) or (
            isinstance(ctype, Struct) and ctype.size <= MAX_BYTES and not has_array(ctype)
        )

    def parameter(self, variable: Variable, ctype: CType) -> Variable:
        return Variable(variable.name, ctype, variable.span, "param")

    def go_on(self, values: Sequence[tree.Expr]) -> tree.Stmt:
        """Return the call by which the function visits a node."""
        handed = (self.build.read(param) for param in (*self.by_value.values(), *self.by_address.values()))
        return self.build.evaluate(self.build.call(self.stand_in, *handed, *values))

    def begin(self, values: Sequence[tree.Expr]) -> tree.Stmt:
        """Return a call in place of the loop."""
        build = self.build
        handed: list[tree.Expr] = [build.read(variable) for variable in self.by_value]
        for variable, param in self.by_address.items():
            kind = tree.Decay if isinstance(variable.type, Array) else tree.AddressOf
            handed.append(kind(build.span, param.type, build.place(variable)))
        return build.evaluate(build.call(self.stand_in, *handed, *values))

    # --------------------------------------------------------------------- into the new function

    def moved(self, node: Any) -> Any:
        """Return a part of the loop with the variables of the new function, and its way of returning."""
        build = Build(node.span)
        match node:
            case tree.Decay(place=tree.VarRef(variable=variable)) if variable in self.by_address:
                return build.read(self.by_address[variable])
            case tree.AddressOf(place=tree.VarRef(variable=variable)) if variable in self.by_address:
                if isinstance(variable.type, Array):
                    raise NotRead(node, f"it takes the address of '{variable.name}', an array")
                return build.convert(node.type, build.read(self.by_address[variable]))
            case tree.VarRef(variable=variable) if variable in self.by_address:
                if isinstance(variable.type, Array):
                    raise NotRead(node, f"it uses '{variable.name}', an array, as a whole")
                return tree.Deref(node.span, node.type, build.read(self.by_address[variable]))
            case tree.VarRef(variable=variable) if variable in self.new:
                return build.place(self.new[variable])
            case tree.Return():
                return self.return_(node)
        return map_children(node, self.moved)

    def return_(self, node: tree.Return) -> tree.Stmt:
        if node not in self.returns:
            return node
        build = Build(node.span)
        yes = [
            build.assign(self.moved(build.place(flag)), build.number(BOOL, True))
            for flag in (self.loop.done, self.loop.returned)
        ]
        if node.value is not None:
            yes.insert(0, build.assign(self.moved(build.place(self.loop.result)), self.moved(node.value)))
        return build.block(*yes, tree.Return(node.span, None))
