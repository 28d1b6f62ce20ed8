"""The shape of every expression and variable: block-uniform, uniform, affine or varying (see `lattice`).

The analysis is interprocedural: a function is analysed once per combination of argument shapes
(`Instance`), recursion by fixpoint. "Active" is the point: in a traversal
`visit(p, node->left); visit(p, node->right);` each call passes one node to a subset of the lanes, so
the node is UNIFORM by construction and its fields are scalar loads.

A register variable has one shape for its whole life. An assignment under divergence keeps it scalar only if
no waiting lane still needs the old value (see `liveness`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import assert_never

from . import lattice, liveness, storage, tree
from .ctype import VOID, CType, Pointer, Struct, leaves
from .lattice import (
    BLOCK,
    UNIFORM,
    VARYING,
    Kind,
    Known,
    Shape,
    affine,
    all_varying,
    combined,
    constant_of,
    converted,
    every_part,
    is_signed,
    is_unknown,
    join,
    join_known,
    known_converted,
    offset_by,
)
from .liveness import Live
from .storage import CONSTANT, REGISTER, Storage, granularity
from .tree import Function, Module, Variable

Jump = tree.Break | tree.Continue | tree.Return


@dataclass(frozen=True, slots=True)
class Instance:
    """One function for one combination of argument shapes.

    `linear`: no gang spans two rows of the block. `divergent`: called where some threads of the block may be
    missing; told apart only for functions that synchronise.
    """

    name: str
    args: tuple[Known, ...]
    linear: bool
    divergent: bool = False


@dataclass
class FunctionShapes:
    """The shapes within one instance. Register variables are keyed by (variable, byte offset of the scalar)."""

    instance: Instance
    function: Function
    args: tuple[Known, ...]
    result: Known = None
    variables: dict[tuple[Variable, int], Shape] = field(default_factory=dict)
    expressions: dict[tree.Expr, Known] = field(default_factory=dict)
    calls: dict[tree.Call, Instance] = field(default_factory=dict)
    checked: set[tree.BuiltinCall] = field(default_factory=set)  # barriers that some threads may skip
    blended: set[tree.Node] = field(default_factory=set)  # assignments whose old value a waiting lane may still read
    together: set[Jump] = field(
        default_factory=set
    )  # jumps that all lanes of the loop, switch or function take at once
    divergent_loops: set[tree.Loop] = field(default_factory=set)  # lanes may leave them at different times
    raised: dict[tree.Loop | tree.Switch | None, Kind] = field(
        default_factory=dict
    )  # control inside, None: the function

    @property
    def results(self) -> tuple[Shape, ...]:
        """The shapes of the scalars that the function returns; VARYING if it never does."""
        if self.function.result == VOID:
            return ()
        known = self.result if isinstance(self.result, tuple) else (self.result,)
        if self.result is None:
            known = (None,) * len(list(leaves(self.function.result)))
        return tuple(part or VARYING for part in known)

    def of(self, expr: tree.Expr) -> Shape:
        """The shape of a scalar expression; VARYING if it is never evaluated."""
        shape = self.expressions.get(expr)
        assert not isinstance(shape, tuple)
        return shape or VARYING

    def parts(self, expr: tree.Expr) -> tuple[Shape, ...]:
        """The shapes of a struct expression's scalars."""
        shape = self.expressions.get(expr)
        if not isinstance(shape, tuple):
            return tuple(VARYING for _ in leaves(expr.type))
        return tuple(part or VARYING for part in shape)

    def variable(self, variable: Variable, offset: int = 0) -> Shape:
        return self.variables.get((variable, offset), VARYING)


@dataclass(frozen=True)
class Shapes:
    """The result for a module: every instance that its kernels reach, kernels first."""

    storage: Storage
    instances: dict[Instance, FunctionShapes]

    def kernel(self, function: Function, linear: bool) -> FunctionShapes:
        return self.instances[kernel_instance(function, linear)]


def kernel_instance(function: Function, linear: bool) -> Instance:
    args = tuple(every_part(param.type, BLOCK) for param in function.params)
    return Instance(function.name, args, linear)


def analyse(module: Module) -> Shapes:
    """Find the shapes of every kernel of `module` and of all that they call."""
    return _Program(module).run()


MAX_INSTANCES = 16  # of one function; past that, affine arguments count as varying


class _Program:
    """Iterates over all instances until no result changes."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.storage = storage.decide(module)
        self.liveness = {name: liveness.analyse(function) for name, function in module.functions.items()}
        self.instances: dict[Instance, FunctionShapes] = {}
        self.counts: dict[str, int] = {}
        self.placed = _thread_dependent(module)
        self.unknown_is_varying = False

    def run(self) -> Shapes:
        roots = [kernel_instance(kernel, linear) for kernel in self.module.kernels for linear in (True, False)]
        for root in roots:
            self.get(root)
        self.settle()
        self.unknown_is_varying = True  # what is still unknown was never assigned, or never returns
        self.settle()
        return Shapes(self.storage, self.reachable(roots))

    def settle(self) -> None:
        while True:
            before = [shapes.result for shapes in self.instances.values()]
            for shapes in list(self.instances.values()):
                _FunctionAnalysis(self, shapes).run()
            if before == [shapes.result for shapes in self.instances.values()]:
                break

    def get(self, instance: Instance) -> FunctionShapes:
        if instance not in self.instances:
            self.counts[instance.name] = self.counts.get(instance.name, 0) + 1
            function = self.module.functions[instance.name]
            self.instances[instance] = FunctionShapes(instance, function, instance.args)
        return self.instances[instance]

    def reachable(self, roots: list[Instance]) -> dict[Instance, FunctionShapes]:
        found: dict[Instance, FunctionShapes] = {}
        todo = list(reversed(roots))
        while todo:
            instance = todo.pop()
            if instance not in found:
                found[instance] = self.instances[instance]
                todo += reversed(list(found[instance].calls.values()))
        return found

    def instance(self, name: str, args: list[Known], linear: bool, divergent: bool) -> Instance:
        """Return the instance that serves a call; few instances are better than precise ones."""
        synchronises = name in self.storage.synchronising
        crowded = self.counts.get(name, 0) >= MAX_INSTANCES

        def simplify(shape: Shape | None) -> Shape | None:
            if shape is None:
                return VARYING
            if shape.kind == Kind.BLOCK and not synchronises:
                return UNIFORM
            if shape.kind == Kind.AFFINE and crowded and not shape.interleave:
                return VARYING
            return shape

        simple = tuple(tuple(simplify(p) for p in arg) if isinstance(arg, tuple) else simplify(arg) for arg in args)
        return Instance(name, simple, linear or name not in self.placed, divergent and synchronises)


class _FunctionAnalysis:
    """One instance: walks the body in order, again and again until the variables' shapes stand still."""

    def __init__(self, program: _Program, shapes: FunctionShapes) -> None:
        self.program = program
        self.storage = program.storage
        self.shapes = shapes
        self.live = program.liveness[shapes.function.name]
        self.linear = shapes.instance.linear
        self.is_kernel = shapes.function.kind == "kernel"
        self.changed = False
        self.waiting: list[Live | None] = []  # per enclosing divergence: what waiting lanes may read; None: anything
        self.control = Kind.BLOCK
        self.loops: list[_LoopContext] = []
        self.left = False  # some lanes may have returned already

    def run(self) -> None:
        for param, shape in zip(self.shapes.function.params, self.shapes.args, strict=True):
            if self.storage.of(param) == REGISTER:
                self.define(param, 0, param.type, shape, None)
        while True:
            self.changed = False
            self.left = False
            self.control = Kind.VARYING if self.shapes.instance.divergent else Kind.BLOCK
            self.control = max(self.control, self.shapes.raised.get(None, Kind.BLOCK))
            for found in (self.shapes.expressions, self.shapes.calls, self.shapes.checked, self.shapes.blended):
                found.clear()
            self.shapes.together.clear()
            self.statement(self.shapes.function.body)
            if not self.changed:
                break

    # ---------------------------------------------------------------------------------- variables

    def define(self, variable: Variable, offset: int, ctype: CType, shape: Known, node: tree.Node | None) -> None:
        """The part of `variable` at `offset` takes a value of this shape, under the present divergence."""
        if isinstance(shape, tuple):
            for (at, _), part in zip(leaves(ctype), shape, strict=True):
                self.define_scalar(variable, offset + at, part, node)
        else:
            self.define_scalar(variable, offset, shape, node)

    def define_scalar(self, variable: Variable, offset: int, shape: Shape | None, node: tree.Node | None) -> None:
        wanted = any(live is None or variable in live for live in self.waiting)
        if wanted and node is not None:
            self.shapes.blended.add(node)
        if shape is None:
            return
        if wanted:
            shape = replace(VARYING, interleave=shape.interleave)
        if shape.kind == Kind.BLOCK and self.control != Kind.BLOCK:
            shape = UNIFORM
        known = self.shapes.variables.get((variable, offset))
        joined = join(known, shape)
        assert joined is not None
        if joined != known:
            self.shapes.variables[variable, offset] = joined
            self.changed = True

    # --------------------------------------------------------------------------------- divergence

    @contextmanager
    def under(self, kind: Kind, live: Live | None) -> Iterator[None]:
        """Inside, control depends on a condition of this kind; the lanes that wait may read `live`."""
        control = self.control
        self.control = max(control, kind)
        if kind >= Kind.AFFINE:
            self.waiting.append(live)
        yield
        if kind >= Kind.AFFINE:
            self.waiting.pop()
        self.control = control

    # --------------------------------------------------------------------------------- statements

    def statement(self, node: tree.Stmt) -> None:
        match node:
            case tree.Block():
                for below in node.statements:
                    self.statement(below)
            case tree.Declare():
                self.declare(node)
            case tree.Evaluate():
                self.expression(node.expr)
            case tree.If():
                kind = self.kind(node.cond)
                with self.under(kind, self.live.otherwise[node]):
                    self.statement(node.then)
                with self.under(kind, self.live.after[node]):
                    self.statement(node.other)
            case tree.Loop():
                self.loop(node)
            case tree.Switch():
                self.switch(node)
            case tree.Break():
                self.leave(node, self.loops[-1])
            case tree.Continue():
                self.next_round(node)
            case tree.Return():
                self.give_back(node)
            case _:
                assert_never(node)

    def declare(self, node: tree.Declare) -> None:
        variable = node.variable
        in_register = self.storage.of(variable) == REGISTER
        if isinstance(node.initial, tree.Braces):
            parts = {offset: self.expression(value) for offset, _, value in node.initial.items}
            if in_register:
                for offset, leaf in leaves(variable.type):
                    self.define(variable, offset, leaf, parts.get(offset, BLOCK), node)
        elif node.initial is not None:
            shape = self.expression(node.initial)
            if in_register:
                self.define(variable, 0, variable.type, shape, node)

    def loop(self, node: tree.Loop) -> None:
        for below in node.init:
            self.statement(below)
        control = self.control
        context = _LoopContext(node, control, len(self.waiting))
        self.loops.append(context)
        self.control = max(control, self.shapes.raised.get(node, Kind.BLOCK))
        if node in self.shapes.divergent_loops:
            self.waiting.append(self.live.after[node])
            context.depth += 1
        if node.cond is not None and node.test_first:
            self.loop_test(context, node.cond)
        self.statement(node.body)
        del self.waiting[context.depth :]  # the lanes that said `continue` are back
        for step in node.step:
            self.expression(step)
        if node.cond is not None and not node.test_first:
            self.loop_test(context, node.cond)
        del self.waiting[context.outside :]
        self.loops.pop()
        self.control = control

    def loop_test(self, context: _LoopContext, cond: tree.Expr) -> None:
        kind = self.kind(cond)
        if kind >= Kind.AFFINE:
            self.mark_divergent(context)
        self.raise_control(context.node, kind)

    def leave(self, node: tree.Break, context: _LoopContext) -> None:
        """A `break`: divergent if not all lanes that are in the loop or switch take it together."""
        self.raise_inside(context)
        if len(self.waiting) == context.depth and not context.scattered:
            self.shapes.together.add(node)
        elif isinstance(context.node, tree.Loop):
            self.mark_divergent(context)
        else:
            self.wait_at_end(context, self.live.after[context.node])

    def next_round(self, node: tree.Continue) -> None:
        """A `continue`: until the end of the body, lanes may wait at the loop's next round."""
        context = next(loop for loop in reversed(self.loops) if isinstance(loop.node, tree.Loop))
        assert isinstance(context.node, tree.Loop)
        self.raise_inside(context)
        if len(self.waiting) == context.depth and not context.scattered:
            self.shapes.together.add(node)
        else:
            self.wait_at_end(context, self.live.again[context.node])

    def wait_at_end(self, context: _LoopContext, live: Live) -> None:
        """From here to the end of the body, some lanes wait; the contexts inside are one deeper."""
        self.waiting.insert(context.depth, live)
        context.scattered = True
        for inner in self.loops[self.loops.index(context) + 1 :]:
            inner.depth += 1
            inner.outside += 1

    def mark_divergent(self, context: _LoopContext) -> None:
        assert isinstance(context.node, tree.Loop)
        if context.node not in self.shapes.divergent_loops:
            self.shapes.divergent_loops.add(context.node)
            self.changed = True

    def raise_inside(self, context: _LoopContext) -> None:
        """A jump under a condition that differs among the threads makes the control differ all over the loop."""
        if self.control > context.control:
            self.raise_control(context.node, self.control)

    def raise_control(self, node: tree.Loop | tree.Switch | None, kind: Kind) -> None:
        if kind > self.shapes.raised.get(node, Kind.BLOCK):
            self.shapes.raised[node] = kind
            self.changed = True

    def switch(self, node: tree.Switch) -> None:
        kind = self.kind(node.value)
        control = self.control
        outside = len(self.waiting)
        context = _LoopContext(node, control, outside)
        self.control = max(control, kind, self.shapes.raised.get(node, Kind.BLOCK))
        if kind >= Kind.AFFINE:
            self.waiting.append(self.live.sections[node])
            context.scattered = True
            context.depth += 1
        self.loops.append(context)
        for section in node.sections:
            self.statement(section.body)
        self.loops.pop()
        del self.waiting[context.outside :]
        self.control = control

    def give_back(self, node: tree.Return) -> None:
        shape = None if node.value is None else self.expression(node.value)
        together = not self.waiting and not self.left
        if not together:
            shape = all_varying(shape)
            self.left = True
        else:
            self.shapes.together.add(node)
        self.shapes.result = join_known(self.shapes.result, shape)
        if not self.is_kernel and self.control > Kind.BLOCK:
            self.raise_control(None, self.control)

    # -------------------------------------------------------------------------------- expressions

    def kind(self, node: tree.Expr) -> Kind:
        shape = self.expression(node)
        assert not isinstance(shape, tuple)
        return Kind.BLOCK if shape is None else shape.kind

    def scalar(self, node: tree.Expr) -> Shape | None:
        shape = self.expression(node)
        assert not isinstance(shape, tuple)
        return shape

    def index(self, node: tree.Expr) -> Shape | None:
        """The shape of an index, without a conversion to 64 bits, in which an affine shape may be lost."""
        shape = self.scalar(node)
        narrow = tree.narrow_index(node)
        return shape if narrow is node or shape is None else self.shapes.of(narrow)

    def expression(self, node: tree.Expr) -> Known:
        shape = self.compute(node)
        if self.program.unknown_is_varying and is_unknown(shape) and node.type != VOID:
            shape = every_part(node.type, VARYING)
        self.shapes.expressions[node] = shape
        return shape

    def compute(self, node: tree.Expr) -> Known:
        match node:
            case tree.Constant():
                return BLOCK
            case tree.ThreadIndex():
                return self.thread_index(node)
            case tree.Load():
                return self.load(node)
            case tree.AddressOf() | tree.Decay():
                return self.address(node.place)
            case tree.Unary():
                operand = self.scalar(node.operand)
                if operand is not None and operand.kind == Kind.AFFINE and node.op == "-":
                    return affine(-operand.stride, operand.exact and is_signed(node.type))
                return lattice.value(operand)
            case tree.Binary():
                left, right = self.scalar(node.left), self.scalar(node.right)
                result = combined(node.op, node.type, left, right, constant_of(node.left), constant_of(node.right))
                return replace(result, exact=True) if result and _is_global_index(node) else result
            case tree.PointerAdd():
                sign = -1 if node.negative else 1
                pointer = self.scalar(node.pointer)
                return offset_by(pointer, self.index(node.index), node.pointer.type, sign)
            case tree.PointerDiff():
                return lattice.value(self.scalar(node.left), self.scalar(node.right))
            case tree.Logical():
                left = self.scalar(node.left)
                with self.under(left.kind if left else Kind.BLOCK, None):
                    right = self.scalar(node.right)
                return lattice.value(left, right)
            case tree.Conditional():
                return self.conditional(node)
            case tree.Convert():
                return known_converted(self.expression(node.operand), node.operand.type, node.type)
            case tree.Assign():
                shape = self.expression(node.value)
                self.assign(node, shape)
                return shape
            case tree.CompoundAssign():
                return self.update(node, node.op, self.scalar(node.value), constant_of(node.value))[1]
            case tree.Increment():
                old, new = self.update(node, "+", BLOCK, None)
                return new if node.prefix else old
            case tree.Call():
                return self.call(node)
            case tree.BuiltinCall():
                return self.builtin(node)
            case tree.Comma():
                self.expression(node.left)
                return self.expression(node.right)
            case _:
                assert_never(node)

    def thread_index(self, node: tree.ThreadIndex) -> Shape:
        if node.name != "threadIdx":
            return BLOCK
        if not self.linear:
            return VARYING
        return affine(1) if node.axis == 0 else UNIFORM

    def load(self, node: tree.Load) -> Known:
        register = register_place(node.place, self.storage)
        if register is not None:
            variable, offset = register
            if isinstance(node.type, Struct):
                return tuple(self.shapes.variables.get((variable, offset + at)) for at, _ in leaves(node.type))
            return self.shapes.variables.get((variable, offset))
        if isinstance(node.place, tree.Temporary):
            return self.expression(node.place.value)
        if isinstance(node.place, tree.Member) and (picked := self.pick(node.place)) is not None:
            return picked
        address = self.address(node.place)
        if address is None:
            return every_part(node.type, VARYING) if isinstance(node.type, Struct) else None
        variable_at = storage.root(node.place)
        if address.kind == Kind.BLOCK and variable_at is not None and variable_at.storage == CONSTANT:
            shape = BLOCK
        else:
            shape = UNIFORM if address.uniform else VARYING
        return every_part(node.type, shape)

    def pick(self, place: tree.Member) -> Known:
        """The shape of a member of a struct value without a name, `f().x`; None if `place` is something else."""
        offset, base = place.offset, place.base
        while isinstance(base, tree.Member):
            offset, base = offset + base.offset, base.base
        if not isinstance(base, tree.Temporary):
            return None
        parts = self.expression(base.value)
        if not isinstance(parts, tuple):
            return tuple(None for _ in leaves(place.type)) if isinstance(place.type, Struct) else None
        by_offset = dict(zip((at for at, _ in leaves(base.type)), parts, strict=True))
        if isinstance(place.type, Struct):
            return tuple(by_offset[offset + at] for at, _ in leaves(place.type))
        return by_offset[offset]

    def address(self, place: tree.Place) -> Shape | None:
        """The shape of the address of `place`; the expressions in it are visited."""
        match place:
            case tree.VarRef():
                return variable_address(place.variable, self.storage)
            case tree.Deref():
                return self.scalar(place.pointer)
            case tree.Index():
                pointer, index = self.scalar(place.pointer), self.index(place.index)
                return offset_by(pointer, index, place.pointer.type, 1)
            case tree.Member():
                return self.address(place.base)
            case tree.Temporary():
                self.expression(place.value)
                return Shape(Kind.AFFINE, place.type.size)
            case _:
                assert_never(place)

    def conditional(self, node: tree.Conditional) -> Known:
        kind = self.kind(node.cond)
        with self.under(kind, None):
            then, other = self.expression(node.then), self.expression(node.other)
        if kind >= Kind.AFFINE:
            return join_known(all_varying(then), all_varying(other))
        shape = join_known(then, other)
        return UNIFORM if kind == Kind.UNIFORM and shape == BLOCK else shape

    def assign(self, node: tree.Assign, shape: Known) -> None:
        register = register_place(node.place, self.storage)
        if register is None:
            self.address(node.place)
        else:
            self.define(*register, node.place.type, shape, node)

    def update(
        self, node: tree.CompoundAssign | tree.Increment, op: str, value: Shape | None, constant: int | None
    ) -> tuple[Shape | None, Shape | None]:
        """`place op= value`; returns the shapes of the old and of the new value."""
        place = node.place
        register = register_place(place, self.storage)
        if register is None:
            address = self.address(place)
            old = None if address is None else UNIFORM if address.uniform else VARYING
        else:
            old = self.shapes.variables.get(register)
        if isinstance(place.type, Pointer):
            new = offset_by(old, value, place.type, 1 if op == "+" else -1)
        else:
            compute = node.compute if isinstance(node, tree.CompoundAssign) else place.type
            widened = converted(old, place.type, compute)
            new = converted(combined(op, compute, widened, value, None, constant), compute, place.type)
        if register is not None:
            self.define(*register, place.type, new, node)
        return old, new

    def call(self, node: tree.Call) -> Known:
        args = [self.expression(arg) for arg in node.args]
        divergent = self.control != Kind.BLOCK
        if any(is_unknown(arg) for arg in args) and not self.program.unknown_is_varying:
            return None
        instance = self.program.instance(node.function, args, self.linear, divergent)
        self.shapes.calls[node] = instance
        return self.program.get(instance).result

    def builtin(self, node: tree.BuiltinCall) -> Known:
        shapes = [self.scalar(arg) for arg in node.args]
        if node.builtin.synchronises and self.control != Kind.BLOCK:
            self.shapes.checked.add(node)
        values = [shape for arg, shape in zip(node.args, shapes, strict=True) if not isinstance(arg.type, Pointer)]
        return lattice.value(BLOCK, *values)


@dataclass
class _LoopContext:
    """A loop or switch that is being walked.

    `outside` and `depth` are the lengths of `waiting` outside it and at the top of its body. `scattered`: some of
    its lanes wait at its end already, so that those still here cannot jump all together.
    """

    node: tree.Loop | tree.Switch
    control: Kind
    outside: int
    depth: int = -1
    scattered: bool = False

    def __post_init__(self) -> None:
        self.depth = self.outside


def variable_address(variable: Variable, where: Storage) -> Shape:
    """The shape of the address of a variable in memory."""
    match where.of(variable):
        case storage.SHARED | storage.CONSTANT:
            return BLOCK
        case storage.INTERLEAVED:
            size = granularity(variable.type)
            return affine(size, interleave=size)
        case _:
            return affine(variable.type.size)


def register_place(place: tree.Place, where: Storage) -> tuple[Variable, int] | None:
    """Return the variable and byte offset that `place` names, if it lives in registers."""
    offset = 0
    while isinstance(place, tree.Member):
        offset += place.offset
        place = place.base
    if isinstance(place, tree.VarRef) and where.of(place.variable) == REGISTER:
        return place.variable, offset
    return None


def _thread_dependent(module: Module) -> set[str]:
    """Return the functions whose meaning depends on `threadIdx`, directly or through calls."""
    nodes = {name: list(tree.walk(function.body)) for name, function in module.functions.items()}
    found = {
        name
        for name, below in nodes.items()
        if any(isinstance(node, tree.ThreadIndex) and node.name == "threadIdx" for node in below)
    }
    while more := {
        name
        for name, below in nodes.items()
        if name not in found and any(isinstance(node, tree.Call) and node.function in found for node in below)
    }:
        found |= more
    return found


def _is_global_index(node: tree.Expr) -> bool:
    """`blockIdx.x * blockDim.x + threadIdx.x` does not wrap within a gang.

    The runtime takes the linear version of a kernel only if grid.x * block.x <= 2^31.
    """
    if not isinstance(node, tree.Binary) or node.op != "+":
        return False
    for product, thread in ((node.left, node.right), (node.right, node.left)):
        if isinstance(thread, tree.ThreadIndex) and isinstance(product, tree.Binary) and product.op == "*":
            factors = {f.name for f in (product.left, product.right) if isinstance(f, tree.ThreadIndex) and f.axis == 0}
            if factors == {"blockIdx", "blockDim"}:
                return True
    return False


def access_shape(shapes: FunctionShapes, place: tree.Place, where: Storage) -> Shape:
    """The shape of the address of a place in memory, after the analysis."""
    match place:
        case tree.VarRef():
            return variable_address(place.variable, where)
        case tree.Deref():
            return shapes.of(place.pointer)
        case tree.Index():
            return (
                offset_by(shapes.of(place.pointer), shapes.of(tree.narrow_index(place.index)), place.pointer.type, 1)
                or VARYING
            )
        case tree.Member():
            return access_shape(shapes, place.base, where)
        case tree.Temporary():
            return affine(place.type.size)
        case _:
            assert_never(place)
