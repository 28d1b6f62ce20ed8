"""One function, in which bodies take the places of calls, and places those of the pointers to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never, cast

from ...analysis.storage import has_array
from ...lang.ctype import BOOL, INT, VOID, Pointer, Struct
from ...source import Span
from ...tree import nodes as tree
from ...tree.addresses import own_variable, straight
from ...tree.build import Build
from ...tree.effects import (
    addressed_variables,
    declared_variables,
    has_effects,
    is_effect,
    is_local,
    is_volatile,
    jumps_out,
    write_of,
    written_variables,
)
from ...tree.nodes import Expr, Function, Node, Stmt, Variable
from ...tree.returns import falling_through, returning_to
from ...tree.rewrite import as_before, changed, copied
from ...tree.same import is_value_of
from ...tree.walk import children, count_nodes, map_children, walk
from .bodies import expression_of, is_short, is_simple, places_of, uses_of, without_values, writes_in
from .constant_arguments import for_constants
from .loops import in_block, with_test_and_steps

MAX_ADDED = 6000  # nodes, that come into a function
MAX_NODES = 1500  # of a function that takes the place of its calls
MAX_NODES_FOR_ARRAYS = 300  # of one that gets addresses of nothing but arrays, which live in memory in any case
MAX_REPEATED = 6  # nodes of a value that is computed again where it is used


@dataclass(frozen=True)
class _Changes:
    """What statements or expressions may change: variables by their names, and what pointers lead to (`memory`)."""

    variables: frozenset[Variable]
    memory: bool


def _changes(nodes: Iterable[Node]) -> _Changes:
    variables: set[Variable] = set()
    memory = False
    for node in nodes:
        for below in walk(node):
            write = write_of(below)
            if write is not None and write.variable is not None and is_local(write.variable):
                variables.add(write.variable)
            elif is_effect(below):
                memory = True
    return _Changes(frozenset(variables), memory)


@dataclass
class Inliner:
    """Rewrites one function. Its methods add to a list, `before`, what has to be done before the current node."""

    bodies: Mapping[str, Function]
    short: frozenset[str]
    steps: frozenset[str]
    pointed_to: set[Variable]  # variables that may change without being named
    written: Counter[Variable]  # in how many places
    known: dict[Variable, Expr] = field(default_factory=dict)  # what replaces reads of these variables
    put_in: set[str] = field(default_factory=set)
    sizes: dict[str, int] = field(default_factory=dict)
    added: int = 0
    outside_statement: bool = False  # in what is evaluated in some lanes only, or in every iteration

    # -------------------------------------------------------------------------------------- statements

    def block(self, block: tree.Block) -> tree.Block:
        return changed(block, statements=as_before(self.statements(block.statements), block.statements))

    def statements(self, nodes: Iterable[Stmt]) -> list[Stmt]:
        done: list[Stmt] = []
        for node in nodes:
            new = self.statement(node, done)
            if new is not None:
                done.append(new)
        return done

    def statement(self, node: Stmt, before: list[Stmt]) -> Stmt | None:
        """Return what is left of a statement."""
        match node:
            case tree.Declare():
                return self.declare(node, before)
            case tree.Evaluate():
                value = self.value(node.expr, before)
                if isinstance(value, tree.Assign) and self.begins(value, before):
                    self.begin(value, before)
                    return None
                return changed(node, expr=value) if value is node.expr or has_effects(value) else None
            case tree.Block():
                return self.block(node)
            case tree.If():
                cond = self.value(node.cond, before)
                return changed(node, cond=cond, then=self.block(node.then), other=self.block(node.other))
            case tree.Loop():
                return self.loop(node)
            case tree.Switch():
                value = self.value(node.value, before)
                sections = [changed(section, body=self.block(section.body)) for section in node.sections]
                return changed(node, value=value, sections=as_before(sections, node.sections))
            case tree.Return():
                return node if node.value is None else changed(node, value=self.value(node.value, before))
            case tree.Break() | tree.Continue():
                return node
            case _:
                assert_never(node)

    def declare(self, node: tree.Declare, before: list[Stmt]) -> Stmt | None:
        match node.initial:
            case None:
                return node
            case tree.Braces() as braces:
                values = iter(self.operands([value for _, _, value in braces.items], before))
                return changed(node, initial=map_children(braces, lambda _: next(values)))
        value = self.value(node.initial, before)
        if places_of(value) and self.keeps_its_value(node.variable):
            self.known[node.variable] = self.fixed_address(value, before)
            return None
        return changed(node, initial=value)

    def begins(self, node: tree.Assign, before: Sequence[Stmt]) -> bool:
        """Whether an assignment gives a pointer the address that it has as long as it lives.

        The pointer is declared in the same block, so no iteration of a loop finds what an earlier one has left, and
        without a value.
        """
        if not isinstance(node.place, tree.VarRef) or own_variable(node.value) is None:
            return False
        variable = node.place.variable
        declarations = (below for below in before if isinstance(below, tree.Declare) and below.variable is variable)
        without_value = any(declaration.initial is None for declaration in declarations)
        return without_value and self.written[variable] == 1 and self.is_followed(variable)

    def begin(self, node: tree.Assign, before: list[Stmt]) -> None:
        variable = cast("tree.VarRef", node.place).variable
        self.known[variable] = self.fixed_address(node.value, before)
        before[:] = [below for below in before if not isinstance(below, tree.Declare) or below.variable is not variable]

    def keeps_its_value(self, pointer: Variable) -> bool:
        """Whether a pointer variable leads to the same place as long as it lives, and its address is not taken."""
        return pointer not in self.written and self.is_followed(pointer)

    def is_followed(self, pointer: Variable) -> bool:
        """Whether all changes of a pointer variable name it."""
        is_volatile_pointer = isinstance(pointer.type, Pointer) and pointer.type.volatile
        return not is_volatile_pointer and pointer not in self.pointed_to

    # ------------------------------------------------------------------------------------------ loops

    def loop(self, node: tree.Loop) -> Stmt:
        """Return a loop. Where its test or its steps need statements, these become part of the iterations."""
        before: list[Stmt] = []
        init: list[Stmt] = []
        for below in node.init:
            ahead: list[Stmt] = []
            new = self.statement(below, ahead)
            if ahead:
                before, init = [*before, *init, *ahead], []
            init += [] if new is None else [new]
        test, cond = ([], None) if node.cond is None else self.separate(node.cond)
        steps: list[Stmt] = []
        for step in node.step:
            ahead, value = self.separate(step)
            steps += [*ahead, *_for_effects(value)]
        loop = changed(node, init=as_before(init, node.init), body=self.block(node.body))
        plain = [below.expr for below in steps if isinstance(below, tree.Evaluate)]
        if len(plain) == len(steps):
            loop, steps = changed(loop, step=as_before(plain, node.step)), []
        else:
            loop = replace(loop, step=())
        return in_block(before, with_test_and_steps(loop, cond, test, steps))

    # ------------------------------------------------------------------------------------- expressions

    def value(self, node: Expr, before: list[Stmt]) -> Expr:
        return cast("Expr", self.node(node, before))

    def operands(self, nodes: Sequence[Node], before: list[Stmt]) -> list[Node]:
        """Rewrite what is evaluated one after the other."""
        done: list[Node] = []
        for node in nodes:
            ahead: list[Stmt] = []
            new = self.node(node, ahead)
            if ahead:
                changes = _changes(ahead)
                done = [self.kept(cast("Expr", value), changes, before) for value in done]
                before += ahead
            done.append(new)
        return done

    def node(self, node: Node, before: list[Stmt]) -> Node:
        """Rewrite an expression or a place."""
        match node:
            case tree.Assign() | tree.CompoundAssign():
                value, place = self.operands([node.value, node.place], before)
                return changed(node, place=place, value=value)
            case tree.Call():
                return self.call(node, before)
            case tree.Logical():
                return self.logical(node, before)
            case tree.Conditional():
                return self.conditional(node, before)
            case tree.Comma():
                return self.comma(node, before)
        operands = iter(self.operands(children(node), before))
        match straight(map_children(node, lambda _: next(operands))):
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.known:
                return copied(self.known[variable])
            case new:
                return new

    def separate(self, node: Expr) -> tuple[list[Stmt], Expr]:
        """Rewrite what is not evaluated once in its statement; return the statements that it needs before it, too."""
        outside, self.outside_statement = self.outside_statement, True
        before: list[Stmt] = []
        value = self.value(node, before)
        self.outside_statement = outside
        if not all(isinstance(below, tree.Evaluate) for below in before):
            return before, value
        for below in reversed(before):
            value = tree.Comma(node.span, value.type, cast("tree.Evaluate", below).expr, value)
        return [], value

    def logical(self, node: tree.Logical, before: list[Stmt]) -> Expr:
        left = self.value(node.left, before)
        ahead, right = self.separate(node.right)
        if not ahead:
            return changed(node, left=left, right=right)
        build = Build(node.span)
        found = Variable("found", BOOL, node.span, "local")
        cond = build.read(found) if node.op == "&&" else build.negate(build.read(found))
        before += [build.declare(found, left), build.when(cond, [*ahead, build.assign(found, right)])]
        return build.read(found)

    def conditional(self, node: tree.Conditional, before: list[Stmt]) -> Expr:
        cond = self.value(node.cond, before)
        (for_then, then), (for_other, other) = self.separate(node.then), self.separate(node.other)
        if not for_then and not for_other:
            return changed(node, cond=cond, then=then, other=other)
        build = Build(node.span)
        if node.type == VOID:
            before.append(build.when(cond, [*for_then, *_for_effects(then)], [*for_other, *_for_effects(other)]))
            return _nothing(node.span)
        chosen = Variable("chosen", node.type, node.span, "local")
        for_then.append(build.assign(chosen, then))
        for_other.append(build.assign(chosen, other))
        before += [build.declare(chosen), build.when(cond, for_then, for_other)]
        return build.read(chosen)

    def comma(self, node: tree.Comma, before: list[Stmt]) -> Expr:
        left = self.value(node.left, before)
        ahead: list[Stmt] = []
        right = self.value(node.right, ahead)
        if not ahead and not isinstance(right.type, Struct) and own_variable(right) is None:
            return changed(node, left=left, right=right)
        before += [*_for_effects(left), *ahead]
        return right

    # --------------------------------------------------------------------------- what must stay as it is

    def kept(self, value: Expr, changes: _Changes, before: list[Stmt]) -> Expr:
        """Return what `value` gives now, for after the changes."""
        if self.is_steady(value, changes):
            return value
        if value.type == VOID:
            before += _for_effects(value)
            return _nothing(value.span)
        if places_of(value):
            return self.fixed_address(value, before)
        return self.in_a_variable("value", value, before)

    def in_a_variable(self, name: str, value: Expr, before: list[Stmt]) -> Expr:
        build = Build(value.span)
        variable = Variable(name, value.type, value.span, "local", const=True)
        before.append(build.declare(variable, value))
        return build.read(variable)

    def is_steady(self, value: Expr, changes: _Changes) -> bool:
        """Whether `value` is the same after the changes, and may as well be found then."""
        for node in walk(value):
            match node:
                case tree.VarRef(variable=variable):
                    if is_local(variable):
                        if variable in changes.variables or (changes.memory and variable in self.pointed_to):
                            return False
                    elif variable.storage == "shared" and changes.memory:
                        return False
                case tree.Deref() | tree.Index():
                    if is_volatile(node) or (changes.memory and own_variable(node.pointer) is None):
                        return False
                case _ if is_effect(node):
                    return False
        return True

    def fixed_address(self, value: Expr, before: list[Stmt], changing: set[Variable] | None = None) -> Expr:
        """Return an address in a variable whose indices stay what they are while nothing but `changing` changes."""
        changes = self.written.keys() | self.pointed_to if changing is None else changing

        def fixed(node: Node) -> Node:
            match node:
                case tree.Index() | tree.PointerAdd():
                    pointer = cast("Expr", fixed(node.pointer))
                    index = self.fixed_value("index", node.index, changes, before)
                    return straight(changed(node, pointer=pointer, index=index))
                case tree.Conditional():
                    cond = self.fixed_value("first", node.cond, changes, before)
                    then, other = cast("Expr", fixed(node.then)), cast("Expr", fixed(node.other))
                    return changed(node, cond=cond, then=then, other=other)
            return straight(map_children(node, fixed))

        return cast("Expr", fixed(value))

    def fixed_value(self, name: str, value: Expr, changing: set[Variable], before: list[Stmt]) -> Expr:
        for count, node in enumerate(walk(value)):
            match node:
                case tree.Constant() | tree.ThreadIndex() | tree.Convert() | tree.Unary():
                    simple = True
                case tree.Binary(op=op):
                    simple = op not in ("/", "%")
                case tree.Load(place=place):
                    simple = isinstance(place, tree.VarRef)
                case tree.VarRef(variable=variable):
                    simple = is_local(variable) and variable not in changing
                case _:
                    simple = False
            if not simple or count > MAX_REPEATED:
                return self.in_a_variable(name, value, before)
        return value

    # ------------------------------------------------------------------------------------------- calls

    def call(self, node: tree.Call, before: list[Stmt]) -> Expr:
        args = cast("list[Expr]", self.operands(node.args, before))
        function = self.bodies.get(node.function)
        if function is not None:
            function = for_constants(function, args, self.constant_of)
        if function is None or not (self.takes_its_place(function, args) or self.is_only_a_value(function, args)):
            return changed(node, args=as_before(args, node.args))
        self.put_in.add(function.name)
        self.added += self.size(function)
        new = {param: replace(param, storage="local", restrict=False) for param in function.params}
        new |= {variable: replace(variable) for variable in declared_variables(function.body)}
        body = copied(function.body, new)
        self.written += writes_in(body)
        self.pointed_to |= addressed_variables(body)
        self.pass_on(args, [new[param] for param in function.params], body, before)
        return self.result(function, body, node.span, before)

    def constant_of(self, node: tree.Call) -> tree.Constant | None:
        """Return the constant that a call gives, and nothing else."""
        function = self.bodies.get(node.function)
        value = None if function is None else expression_of(function.body.statements)
        if not isinstance(value, tree.Constant) or any(map(has_effects, node.args)):
            return None
        self.put_in.add(node.function)
        return replace(value, span=node.span)

    def takes_its_place(self, function: Function, args: Sequence[Expr]) -> bool:
        """Whether the body of a function takes the place of a call."""
        size = self.size(function)
        if function.name in self.steps and not self.outside_statement:
            return self.added + size <= MAX_ADDED
        variables = [variable for arg in args for variable in places_of(arg)]
        if not variables:
            return False
        most = MAX_NODES_FOR_ARRAYS if all(has_array(variable.type) for variable in variables) else MAX_NODES
        return size <= most and self.added + size <= MAX_ADDED

    def is_only_a_value(self, function: Function, args: Sequence[Expr]) -> bool:
        """Whether a function is a short expression, which can be computed without a branch where a call could not.

        It stays a call where a variable for an argument would need a statement.
        """
        is_value = function.name in self.short or (function is not self.bodies[function.name] and is_short(function))
        if not is_value or self.added + self.size(function) > MAX_ADDED:
            return False
        if not self.outside_statement:
            return True
        return all(
            not has_effects(arg) and (is_simple(arg) or uses_of(function.body, param) <= 1)
            for arg, param in zip(args, function.params, strict=True)
        )

    def size(self, function: Function) -> int:
        if function is not self.bodies[function.name]:  # for constants
            return count_nodes(function.body)
        if function.name not in self.sizes:
            self.sizes[function.name] = count_nodes(function.body)
        return self.sizes[function.name]

    def pass_on(self, args: list[Expr], params: list[Variable], body: tree.Block, before: list[Stmt]) -> None:
        """Replace each parameter by its argument, or make it a variable that starts with it."""
        expression = expression_of(body.statements) is not None
        for i, (arg, param) in enumerate(zip(args, params, strict=True)):
            later = args[i + 1 :]
            keeps = self.keeps_its_value(param)
            if keeps and places_of(arg):
                changing = self.pointed_to.union(*map(written_variables, later))
                self.known[param] = self.fixed_address(arg, before, changing)
            elif (
                keeps
                and not isinstance(arg.type, Struct)
                and (is_simple(arg) or (expression and uses_of(body, param) <= 1))
                and self.is_steady(arg, _changes([*later, body]))
            ):
                self.known[param] = arg
            else:
                before.append(Build(arg.span).declare(param, arg))

    def result(self, function: Function, body: tree.Block, span: Span, before: list[Stmt]) -> Expr:
        """Do what a body does before it returns, and return what it gives back."""
        expression = expression_of(body.statements)
        if expression is not None:
            return self.value(expression, before)
        jumps, statements = jumps_out(body), list(body.statements)
        if jumps and jumps == statements[-1:]:
            last = cast("tree.Return", statements.pop())
            before += self.statements(statements)
            return _nothing(span) if last.value is None else self.value(last.value, before)
        values = [jump.value for jump in jumps if isinstance(jump, tree.Return) and jump.value is not None]
        if not values:
            before += self.statements(falling_through(statements))
            return _nothing(span)
        same = self.same_address(values)
        if same is not None:
            before += self.statements(falling_through(without_values(body).statements))
            return same
        build = Build(span)
        result = Variable(f"{function.name}_", function.result, span, "local")
        before.append(build.declare(result))
        before += self.statements(falling_through(returning_to(body, result).statements))
        return build.read(result)

    def same_address(self, values: Sequence[Expr]) -> Expr | None:
        """Return the address that all these values are, as all of them are one parameter: `return *this;`."""
        match values[0]:
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.known:
                if all(is_value_of(value, variable) for value in values):
                    return copied(self.known[variable])
        return None


def _for_effects(value: Expr) -> list[Stmt]:
    return [Build(value.span).evaluate(value)] if has_effects(value) else []


def _nothing(span: Span) -> Expr:
    """The value of what has none."""
    build = Build(span)
    return build.convert(VOID, build.number(INT, 0))
