"""Tree-to-tree: what a recursive function does between and after its calls moves into the calls.

**Known as:** conversion to pseudo-tail recursion (Goldfarb, Jo and Kulkarni).

In pseudo-tail form (Goldfarb, Jo and Kulkarni 2013, appendix A) nothing follows the first recursive call but other
recursive calls, under conditions or not, and declarations of what these need:

    void visit(n, q) {                              void visit(n, q, call, carried) {
        if (leaf(n, q)) return;                         if (call == 1) {
        const float d = distance(n->right, q);              if (!(carried < q->best)) return;
        visit(n->left, q);                                  n = n->right;
        if (d < q->best)                                } else if (call == 2) {
            visit(n->right, q);                             q->sum += n->key;
        q->sum += n->key;                                   return;
    }                                                   }
                                                        if (leaf(n, q)) return;
                                                        const float d = distance(n->right, q);
                                                        visit(n->left, q, 0, 0.0f);
                                                        visit(n, q, 1, d);
                                                        visit(n, q, 2, 0.0f);
                                                    }

A *piece* is the code between two calls, with the second one, or what follows the last call. It runs at the start of
a call of its own, which `call` names; 0 is a visit. Values that it needs are arguments: in the place of parameters that
it does not need, or carried by new ones. A piece that makes one call at most, at its end, continues with the visit; one
that visits no node returns. Where a piece changes what later pieces need, or returns, it brings these along: its call
makes theirs.

All arguments and conditions of the calls of an iteration may be evaluated before the first of these calls is made: what
they read, the visits do not change. That is what a loop over a stack relies on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from ...analysis import liveness
from ...analysis.code_motion_safety import computed_again, is_harmless, read_for_certain
from ...analysis.frames import Frames, RefusedError, is_pseudo_tail
from ...analysis.walks import calls
from ...lang.ctype import INT, CType, Pointer, Scalar
from ...source import Span
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.effects import (
    addressed_variables,
    declared_variables,
    has_effects,
    is_local,
    named_variables,
    only_reads,
    returns,
    written_variables,
)
from ...tree.names import free_name
from ...tree.nodes import Function, Module, Variable
from ...tree.rewrite import copied
from ...tree.same import is_value_of, same_text
from ...tree.walk import count_nodes, map_children, walk
from .normalise_recursion import (
    MOST_NODES,
    Counters,
    Statements,
    counters,
    is_counter,
    normalise_recursion,
    renewed,
    with_numbers,
)


@dataclass(frozen=True)
class Converted:
    """A function in pseudo-tail form, under its old name. `root_args`: what calls from outside pass for new parameters.

    These come after the old ones.
    """

    function: Function
    root_args: tuple[tree.Constant, ...]


@dataclass(frozen=True)
class Refused:
    """Why a function cannot be put into pseudo-tail form."""

    span: Span
    why: str


def pseudo_tail(module: Module, name: str) -> Converted | Refused:
    """Return a recursive function in pseudo-tail form, or why that cannot be."""
    function = module.functions[name]
    try:
        if is_pseudo_tail(module, function):
            return Converted(function, ())
        straight = normalise_recursion(function)
        changed = replace(module, functions={**module.functions, name: straight})
        known = counters(function)
        made = _assembled(_Pieces(Frames(changed, straight), known), known)
    except RefusedError as refused:
        return Refused(refused.span, refused.why)
    if not is_pseudo_tail(put_in_place(module, made), made.function):
        return Refused(function.span, f"it is unknown what the calls of '{name}' depend on")
    return made


def put_in_place(module: Module, converted: Converted) -> Module:
    """Return a module with the converted function in the place of the old one, and calls that fit it."""
    new, name = converted.function, converted.function.name

    def change(node: tree.Node) -> tree.Node:
        node = map_children(node, change)
        if isinstance(node, tree.Call) and node.function == name:
            return replace(node, args=(*node.args, *map(copied, converted.root_args)))
        return node

    functions = {
        key: new if key == name else replace(function, body=map_children(function.body, change))
        for key, function in module.functions.items()
    }
    return replace(module, functions=functions)


# ------------------------------------------------------------------------------------------ pieces


@dataclass(eq=False)
class _Piece:
    """What runs at the start of a call of its own: `statements` of the function, written as `code`.

    The code names the variables of the function. `carried`: those whose values new parameters carry. `instead`:
    arguments of the visit that its call makes, by the numbers of the parameters in whose place they are passed.
    """

    index: int
    statements: tuple[tree.Stmt, ...]
    code: tuple[tree.Stmt, ...] = ()
    carried: dict[Variable, Variable] = field(default_factory=dict)
    instead: dict[int, tree.Expr] = field(default_factory=dict)


@dataclass(frozen=True)
class _Form:
    """A way to write a piece. `carried`: what new parameters must carry; `again`: what it computes again."""

    code: tuple[tree.Stmt, ...]
    instead: dict[int, tree.Expr]
    carried: tuple[Variable, ...]
    again: tuple[Variable, ...]


class _Pieces:
    """Divides the statements of a function. They are in the new one in several copies, made at the end."""

    def __init__(self, frames: Frames, known: Counters) -> None:
        self.frames, self.function, self.name = frames, frames.function, frames.name
        self.found: dict[tuple[tree.Stmt, ...], _Piece] = {}
        self.new_params: list[Variable] = []
        self.kinds: dict[Variable, tuple[CType, bool]] = {}  # of these: the type, and whether it may lead to variables
        self.room = MOST_NODES
        self.tests: dict[tree.If, tree.If] = {}
        self.again = computed_again(self.function, lambda variable: is_counter(variable, known))
        self.there = read_for_certain(self.function)
        declared = (node.variable for node in walk(self.function.body) if isinstance(node, tree.Declare))
        self.order = {variable: i for i, variable in enumerate(chain(self.function.params, declared))}
        self.body = self.first(self.function.body.statements)

    def in_order(self, variables: Iterable[Variable]) -> list[Variable]:
        """Return those of some variables that the function has, in the order of its text."""
        return sorted((variable for variable in variables if variable in self.order), key=lambda v: self.order[v])

    def has_calls(self, *nodes: tree.Node) -> bool:
        return any(calls(node, self.name) for node in nodes)

    def renewed(self, span: Span, statements: Sequence[tree.Stmt]) -> tree.Block:
        block = tree.Block(span, tuple(statements))
        self.room -= count_nodes(block)
        if self.room < 0:
            raise RefusedError(span, f"'{self.name}' would become too long in pseudo-tail form")
        return renewed(block)

    def free_name(self, name: str) -> str:
        """Return a name that no parameter has."""
        taken = {param.name for param in (*self.function.params, *self.new_params)}
        return free_name(name, taken)

    # ---------------------------------------------------------------------------------------- the iterations

    def first(self, statements: Statements) -> list[tree.Stmt]:
        """Return statements that run in an iteration before which it has made no call, so that all may run at once."""
        at = next((i for i, node in enumerate(statements) if self.has_calls(node)), len(statements))
        work, rest = list(statements[:at]), statements[at + 1 :]
        if at == len(statements) or any(isinstance(node, tree.Return) for node in work):
            return work
        match statements[at]:
            case tree.Block(statements=inside):
                return [*work, *self.first([*inside, *rest])]
            case tree.Evaluate(expr=tree.Call() as call):
                return [*work, *self.ready(call), *self.later(rest)]
            case tree.If() as node:
                return [*work, *self.first_if(node, rest)]
            case node:
                raise AssertionError(node)

    def ready(self, call: tree.Call) -> list[tree.Stmt]:
        """Return a call after declarations of those of its arguments that visits may change, or that have effects."""
        build = Build(call.span)
        early = [not self.frames.is_stable(arg) for arg in call.args]
        if any(map(has_effects, call.args)):
            early = [True] * len(call.args)
        declared: list[tree.Stmt] = []
        args: list[tree.Expr] = []
        for arg, is_early in zip(call.args, early, strict=True):
            if is_early:
                variable = Variable("arg", arg.type, arg.span, "local", const=True)
                declared.append(build.declare(variable, arg))
            args.append(build.read(variable) if is_early else arg)
        return [*declared, build.evaluate(replace(call, args=tuple(args)))]

    def first_if(self, node: tree.If, rest: Statements) -> list[tree.Stmt]:
        if rest and not _depends(rest, [node]):
            return [*self.decided(node), *self.later(rest)]
        arms = (self.renewed(arm.span, self.first([*arm.statements, *rest])) for arm in (node.then, node.other))
        return [tree.If(node.span, node.cond, *arms)]

    def decided(self, node: tree.If) -> list[tree.Stmt]:
        """Return steps for an `if` whose condition is evaluated at once."""
        if self.frames.is_stable(node.cond):
            return self.later([node])
        build = Build(node.cond.span)
        chosen = Variable("chosen", node.cond.type, node.cond.span, "local", const=True)
        return [build.declare(chosen, node.cond), *self.later_if(replace(node, cond=build.read(chosen)), [])]

    def later(self, statements: Statements) -> list[tree.Stmt]:
        """Return steps for statements that run after calls of the iteration: steps as they are, or pieces."""
        made: list[tree.Stmt] = []
        for group in self.groups(_until_return(statements)):
            match group:
                case [node] if self.frames.is_step(node):
                    made.append(node)
                case [tree.Block(statements=inside), *rest]:
                    made += self.later([*inside, *rest])
                case [tree.If() as node, *rest] if self.frames.is_stable(node.cond) and (not rest or returns(node)):
                    made += self.later_if(node, rest)
                case [tree.If(cond=tree.Logical(op="&&", left=cond)) as node] if self.has_two_tests(node):
                    made += self.later_if(replace(node, cond=cond, then=self.second_test(node)), [])
                case _ if not all(map(only_reads, group)):
                    made.append(self.call_of(self.piece(tuple(group))))
        return made

    def later_if(self, node: tree.If, rest: Statements) -> list[tree.Stmt]:
        then, other = (self.renewed(arm.span, self.later([*arm.statements, *rest])) for arm in (node.then, node.other))
        return [tree.If(node.span, node.cond, then, other)] if then.statements or other.statements else []

    def has_two_tests(self, node: tree.If) -> bool:
        """Whether the first of two tests may be made before visits that the second one depends on."""
        first = node.cond.left if isinstance(node.cond, tree.Logical) else node.cond
        return self.frames.is_stable(first) and not node.other.statements

    def second_test(self, node: tree.If) -> tree.Block:
        """Return the second test, with what it decides on; for one node it is always the same one."""
        if node not in self.tests:
            assert isinstance(node.cond, tree.Logical)
            self.tests[node] = replace(node, cond=node.cond.right)
        return tree.Block(node.span, (self.tests[node],))

    def groups(self, statements: Statements) -> Iterator[list[tree.Stmt]]:
        """Yield statements that can be evaluated in an order of their own: steps, and others up to a call.

        A group also contains the following statements that depend on it.
        """
        units = list(self.units(statements))
        while units:
            group = units.pop(0)
            if not (len(group) == 1 and isinstance(group[0], tree.Declare) and self.frames.is_step(group[0])):
                while units and _depends(chain(*units), group):
                    group += units.pop(0)
            yield group

    def units(self, statements: Statements) -> Iterator[list[tree.Stmt]]:
        unit: list[tree.Stmt] = []
        for node in statements:
            if unit and self.may_precede(node, unit):
                yield [node]
                continue
            unit.append(node)
            if self.has_calls(node) or (len(unit) == 1 and self.frames.is_step(node)):
                yield unit
                unit = []
        if unit:
            yield unit

    def may_precede(self, node: tree.Stmt, before: Statements) -> bool:
        """Whether a statement is a declaration that may move before statements that it follows."""
        if not isinstance(node, tree.Declare) or not isinstance(node.initial, tree.Expr):
            return False
        certain = is_harmless(node.initial) or not any(map(returns, before))
        return certain and self.frames.is_step(node) and not named_variables(node) & _changed(before)

    # ---------------------------------------------------------------------------------------- one piece

    def piece(self, statements: tuple[tree.Stmt, ...]) -> _Piece:
        if statements not in self.found:
            piece = self.found[statements] = _Piece(len(self.found) + 1, statements)
            form = self.form(statements)
            piece.code = (*(self.declared_again(statements[0].span, v) for v in form.again), *form.code)
            piece.instead = form.instead
            for variable in form.carried:
                piece.carried[variable] = self.new_param(variable, piece.carried.values())
        return self.found[statements]

    def new_param(self, variable: Variable, taken: Iterable[Variable]) -> Variable:
        """Return a new parameter for the value of a variable, which carries no other value of the piece."""
        if not isinstance(variable.type, Scalar | Pointer):
            raise RefusedError(variable.span, f"'{variable.name}', no number or pointer, is needed after a call")
        if variable in self.frames.home.reaching:
            raise RefusedError(variable.span, f"'{variable.name}', a pointer to a variable, is needed after a call")
        kind = variable.type, variable in self.frames.pointers.reaching
        used = set(taken)
        for param in self.new_params:
            if self.kinds[param] == kind and param not in used:
                return param
        param = Variable(self.free_name("carried"), variable.type, variable.span, "param")
        self.new_params.append(param)
        self.kinds[param] = kind
        return param

    def form(self, statements: tuple[tree.Stmt, ...]) -> _Form:
        """Return the form of a piece in which the fewest values are carried."""
        span = statements[0].span
        if not self.has_calls(*statements):
            return self.with_values((*statements, tree.Return(span, None)), {})
        if not self.ends_in_calls(statements):
            return self.with_values(tuple(self.first(statements)), {})
        forms = [self.with_values(tuple(self.visit(span, statements, ())), {})]
        early = self.early_arguments(statements)
        if early:
            forms.insert(0, self.with_values(tuple(self.visit(span, statements, early)), early))
        return min(forms, key=lambda form: len(form.carried))

    def with_values(self, code: tuple[tree.Stmt, ...], instead: dict[int, tree.Expr]) -> _Form:
        lost = {self.function.params[i] for i in instead}
        declared = set[Variable]().union(*map(declared_variables, code))
        live = {v for v in liveness.before(code, liveness.NONE) if is_local(v)} - declared
        live |= lost & set[Variable]().union(*map(named_variables, code))
        again: dict[Variable, None] = {}

        def need(variable: Variable) -> Iterator[Variable]:
            if variable not in self.again:
                yield variable
            elif variable not in again:
                for below in self.in_order(named_variables(self.again[variable])):
                    yield from need(below)
                again[variable] = None

        needed = dict.fromkeys(below for variable in self.in_order(live) for below in need(variable))
        params = set(self.function.params) - lost
        return _Form(code, instead, tuple(v for v in needed if v not in params), tuple(again))

    def written(self, piece: _Piece) -> tree.Block:
        """Return a copy of a piece's code that reads the new parameters."""
        build = Build(piece.statements[0].span)
        names = {variable: replace(variable) for node in piece.code for variable in declared_variables(node)}
        own: list[tree.Stmt] = []
        for variable, param in piece.carried.items():
            names[variable] = param
            if variable in self.frames.addressed:
                names[variable] = replace(variable, const=False)
                own.append(build.declare(names[variable], build.read(param)))
        named = set[Variable]().union(*map(named_variables, piece.code))
        for variable in self.in_order(named - names.keys() - set(self.function.params)):
            if is_local(variable):  # the piece gives it its first value, too
                names[variable] = replace(variable)
                own.append(build.declare(names[variable]))
        code = copied(build.block(*piece.code), names)
        return build.block(*own, *code.statements)

    def declared_again(self, span: Span, variable: Variable) -> tree.Declare:
        return Build(span).declare(variable, self.again[variable])

    def ends_in_calls(self, statements: Statements) -> bool:
        """Whether a piece makes one call at most on each path, and that last."""
        statements = _until_return(statements)
        if not statements:
            return True
        *before, last = statements
        if self.has_calls(*before):
            return False
        match last:
            case tree.Block(statements=inside):
                return self.ends_in_calls(inside)
            case tree.If(then=then, other=other):
                return self.ends_in_calls(then.statements) and self.ends_in_calls(other.statements)
        return True

    def early_arguments(self, statements: Statements) -> dict[int, tree.Expr]:
        """Return arguments of the only call of a piece that may be evaluated before the piece runs."""
        call, *others = chain(*(calls(node, self.name) for node in statements))
        if others:
            return {}
        changed = _changed(statements)
        certain = isinstance(statements[-1], tree.Evaluate) and not any(map(returns, statements))
        return {
            i: arg
            for i, (param, arg) in enumerate(zip(self.function.params, call.args, strict=True))
            if not is_value_of(arg, param)
            and not named_variables(arg) & changed
            and self.frames.is_stable(arg)
            and (certain or is_harmless(arg, self.there))
        }

    def visit(self, span: Span, statements: Statements, given: Iterable[int]) -> list[tree.Stmt]:
        """Return a piece that continues with a visit: its call's arguments become the parameters, except `given`.

        Where it makes no call, it returns.
        """
        statements = _until_return(statements)
        leave = tree.Return(span, None)
        if not statements:
            return [leave]
        *work, last = statements
        build = Build(last.span)
        match last:
            case tree.Block(statements=inside) if self.has_calls(last):
                return [*work, *self.visit(span, inside, given)]
            case tree.If() if self.has_calls(last):
                then, other = (self.visit(span, arm.statements, given) for arm in (last.then, last.other))
                if last.other.statements:
                    return [*work, build.when(last.cond, then, other)]
                return [*work, build.when(build.negate(last.cond), other), *then]
            case tree.Evaluate(expr=tree.Call(function=self.name) as call):
                return [*work, *self.become(call, set(given))]
        return [*statements, leave]

    def become(self, call: tree.Call, given: set[int]) -> list[tree.Stmt]:
        """Return assignments of a call's arguments to the parameters."""
        build = Build(call.span)
        changes = [
            (param, arg)
            for i, (param, arg) in enumerate(zip(self.function.params, call.args, strict=True))
            if i not in given and not is_value_of(arg, param)
        ]
        before: set[Variable] = set()
        for param, arg in changes:
            if before & named_variables(arg) or has_effects(arg):
                break
            before.add(param)
        else:
            return [build.assign(param, arg) for param, arg in changes]
        args = [Variable("arg", arg.type, arg.span, "local", const=True) for _, arg in changes]
        declared = [build.declare(variable, arg) for variable, (_, arg) in zip(args, changes, strict=True)]
        assigned = [build.assign(param, build.read(arg)) for arg, (param, _) in zip(args, changes, strict=True)]
        return [*declared, *assigned]

    def call_of(self, piece: _Piece) -> tree.Stmt:
        """Return a call that runs a piece; what is missing of its arguments is zero."""
        build = Build(piece.statements[0].span)
        own = [piece.instead.get(i, build.read(param)) for i, param in enumerate(self.function.params)]
        by_param = {param: variable for variable, param in piece.carried.items()}
        values = [
            build.read(by_param[param]) if param in by_param else zero(build.span, param) for param in self.new_params
        ]
        return build.evaluate(build.call(self.function, *own, build.number(INT, piece.index), *values))


# ------------------------------------------------------------------------------------------ the function


def _assembled(pieces: _Pieces, known: Counters) -> Converted:
    """Return the function in which every iteration begins with the piece that its call names."""
    function, build = pieces.function, Build(pieces.function.span)
    body = copied(build.block(*pieces.body))
    new_params: tuple[Variable, ...] = ()
    if pieces.found:
        call = Variable(pieces.free_name("call"), INT, function.span, "param")
        new_params = (call, *pieces.new_params)
        codes, numbers = _numbered([(piece.index, pieces.written(piece)) for piece in pieces.found.values()])
        body = _with_codes(build, call, codes, body, pieces.name)
        body = _with_all_arguments(body, pieces.name, len(function.params), new_params, numbers)
    body = with_numbers(_initialised(body, pieces.name), known)
    changed = written_variables(body)
    writable = {p: replace(p, const=False) for p in function.params if p.const and p in changed}
    params = (*(writable.get(param, param) for param in function.params), *new_params)
    function = replace(function, params=params, body=copied(body, writable))
    return Converted(function, tuple(zero(function.span, param) for param in new_params))


def _numbered(codes: Iterable[tuple[int, tree.Block]]) -> tuple[list[tree.Block], dict[int, int]]:
    """Return the codes of pieces that differ, and the number of each piece's code by the piece's own."""
    different: list[tree.Block] = []
    numbers: dict[int, int] = {}
    for index, code in codes:
        same = next((i for i, known in enumerate(different) if same_text(known, code)), len(different))
        if same == len(different):
            different.append(code)
        numbers[index] = same + 1
    return different, numbers


def _with_codes(build: Build, call: Variable, codes: Sequence[tree.Block], body: tree.Block, name: str) -> tree.Block:
    """Return the body with the codes before it: in arms of their own those that make calls, and visit no node."""

    def chosen(number: int, code: tree.Block, other: Iterable[tree.Stmt]) -> tree.If:
        cond = build.binary(build.read(call), "==", build.number(INT, number))
        return build.when(cond, code.statements, other)

    before: list[tree.Stmt] = []
    numbered = list(enumerate(codes, 1))
    for number, code in reversed(numbered):
        if not calls(code, name):
            before = [chosen(number, code, before)]
    statements = (*before, *body.statements)
    for number, code in reversed(numbered):
        if calls(code, name):
            statements = (chosen(number, code, statements),)
    return build.block(*statements)


def _with_all_arguments(
    body: tree.Block, name: str, old: int, new_params: Sequence[Variable], numbers: Mapping[int, int]
) -> tree.Block:
    """Return the body with calls that have all arguments: visits have the `old` ones only, others those they need."""

    def change(node: tree.Node) -> tree.Node:
        node = map_children(node, change)
        if not isinstance(node, tree.Call) or node.function != name:
            return node
        given = node.args[old:]
        missing = [zero(node.span, param) for param in new_params[len(given) :]]
        if given:
            index = given[0]
            assert isinstance(index, tree.Constant)
            given = (replace(index, value=numbers[int(index.value)]), *given[1:])
        return replace(node, args=(*node.args[:old], *given, *missing))

    return map_children(body, change)


def _initialised(body: tree.Block, name: str) -> tree.Block:
    """Return the body with values for the variables that calls pass on whether or not they have got one."""
    passed = set[Variable]().union(*(named_variables(call) for call in calls(body, name)))

    def change(node: tree.Node) -> tree.Node:
        match node:
            case tree.Declare(variable=variable, initial=None) if variable in passed:
                if isinstance(variable.type, Scalar | Pointer):
                    return replace(node, initial=zero(node.span, variable))
        return map_children(node, change)

    return map_children(body, change)


def _until_return(statements: Statements) -> Statements:
    """Return the statements up to a `return`."""
    end = next((i for i, node in enumerate(statements) if isinstance(node, tree.Return)), len(statements))
    return statements[:end]


def zero(span: Span, param: Variable) -> tree.Constant:
    """Return the value of a parameter that is not used."""
    ctype = param.type
    kind = ctype.kind if isinstance(ctype, Scalar) else "int"
    return tree.Constant(span, ctype, {"float": 0.0, "bool": False}.get(kind, 0))


def _changed(statements: Iterable[tree.Stmt]) -> set[Variable]:
    return {
        variable
        for node in statements
        for variable in declared_variables(node) | written_variables(node) | addressed_variables(node)
    }


def _depends(later: Iterable[tree.Stmt], group: Statements) -> bool:
    """Whether statements may do something else if they run before a group of statements, or without it."""
    if any(map(returns, group)):
        return True
    changed = _changed(group)
    return any(named_variables(node) & changed for node in later)
