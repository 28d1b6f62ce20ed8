"""Calls of functions: from the name of several to the one that is called, its arguments and its result."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.builtins import BUILTINS, Builtin
from ....lang.ctype import Pointer
from ....lang.overload import CMATH
from ....source import Span
from ....tree.effects import only_reads, order_matters
from ....tree.nodes import Deref, Expr, Load, Place
from ....tree.rewrite import after
from ...parse import cxx
from ...parse.words import HOST_ONLY, Node, host_only_use
from ...text.top_level import HostOnly
from ..argument import Argument
from ..context import Part
from ..qualified import Qualified
from ..scopes import FunctionName, Functions, Parameter, Reported, Scope, TemplateName


class FunctionCalls(Part):
    """The checker's part for calls of the program's own functions, once it is known which are meant."""

    def call_functions(self, node: c_ast.FuncCall, entry: Functions, arguments: list[Node]) -> Expr | Place:
        match entry.candidates:
            case [FunctionName() as only] if entry.given is None and not self._joins_others(only, arguments):
                return self.call_function(node, only, arguments)
        return self.call_chosen(node, entry, self.s.calls.arguments.arguments(arguments))

    def _joins_others(self, function: FunctionName, arguments: list[Node]) -> bool:
        """Whether other functions of its name may be meant: built-ins, and those beside the arguments' types."""
        return function.name in BUILTINS or function.owner is not None or bool(self.has_homes and arguments)

    @property
    def has_homes(self) -> bool:
        """Whether functions may be declared beside types: in a namespace, by a friend, or after a template."""
        return self.s.scopes.namespaces > 0 or self.s.scopes.has_friends or self.s.scopes.limit > 0

    def call_chosen(self, node: c_ast.FuncCall, entry: Functions, args: list[Argument]) -> Expr | Place:
        """Check a call of one of several functions."""
        span = node.coord
        candidates = entry.candidates
        if is_unqualified(node.name):
            candidates = self.s.expr.by_arguments.candidates(entry, entry.name, args)
        standard = any(isinstance(one, TemplateName) and self.s.calls.overloads.is_standard(one) for one in candidates)
        unqualified = is_unqualified(node.name)
        of_both = unqualified or entry.name in CMATH or entry.name == "abs"  # ::min is none of std's, ::sqrt is
        beside = entry.builtins or (standard and of_both) or self._at_file_scope(candidates)
        builtins = entry.name in BUILTINS and beside
        object = self.implied_object(candidates, span)
        function = self.s.calls.overloads.choose(
            entry.name, candidates, args, span, entry.given, object=object, builtins=builtins and entry.given is None
        )
        if isinstance(function, Builtin):
            return self.s.calls.builtins.call_builtin(
                node, entry.name, node.args.exprs if node.args is not None else []
            )
        return self.s.calls.call_method(function, object, args, span, qualified=is_qualified(node.name))

    def _at_file_scope(self, candidates: Sequence[FunctionName | TemplateName]) -> bool:
        """Whether functions of the file scope are among candidates: the built-in functions are declared there too."""
        return any(one.scopes[-1:] == (self.s.scopes.file_scope,) for one in candidates)

    def implied_object(self, candidates: Sequence[FunctionName | TemplateName], span: Span) -> Place | None:
        """Return `*this` for a call of a method by its name alone."""
        if not any(candidate.owner is not None for candidate in candidates):
            return None
        this = self.s.statements.bodies.this(span)
        if this is None:
            return None
        assert isinstance(this.type, Pointer)
        return Deref(span, this.type.target, this)

    def call_function(self, node: c_ast.FuncCall, function: FunctionName, arguments: list[Node]) -> Expr | Place:
        """Check a call of the only function of its name."""
        name, span = function.shown or function.name, node.coord
        declared = Note(function.span, f"'{name}' is declared here")
        self.require_usable(function, span)
        required = sum(parameter.default is None for parameter in function.params)
        expected = 1 << 30 if function.variadic else len(function.params)
        given = len(arguments)
        if not any(isinstance(one, cxx.PackExpansion) for one in arguments) and not required <= given <= expected:
            self.s.calls.check_arguments(arguments)
            self._refuse_count(function, given, span)
        args = self.s.calls.arguments.arguments(arguments)
        if not required <= len(args) <= expected:
            self._refuse_count(function, len(args), span)
        return self.call_with(function, [], args, span, declared)

    def explain(self, function: FunctionName, args: Sequence[Argument], span: Span) -> None:
        """Fail because of the first argument that a function does not take, if there is one."""
        required = sum(parameter.default is None for parameter in function.params)
        if not required <= len(args) or (len(args) > len(function.params) and not function.variadic):
            self._refuse_count(function, len(args), span)
        note = Note(function.span, f"'{function.shown or function.name}' is declared here")
        self.s.expr.every([partial(self._argument, arg, i, function, note) for i, arg in enumerate(args)])

    def _refuse_count(self, function: FunctionName, given: int, span: Span) -> NoReturn:
        name = function.shown or function.name
        required = sum(parameter.default is None for parameter in function.params)
        expected = len(function.params)
        few = "few" if given < required else "many"
        wanted = f"{expected}" if required == expected else f"{required} to {expected}"
        declared = Note(function.span, f"'{name}' is declared here")
        self.fail(span, f"too {few} arguments to '{name}': {given} given, {wanted} expected", declared)

    def require_usable(self, function: FunctionName, span: Span) -> None:
        name = function.shown or function.name
        declared = Note(function.span, f"'{name}' is declared here")
        if "=delete" in function.words:
            self.fail(span, f"'{name}' is deleted", declared)
        if HOST_ONLY in function.words and not self.s.current.unevaluated:
            why = HostOnly(function.span, "a host function", "mark it `__device__`")
            self.report(host_only_use(function.name, span, why))
            raise Reported
        launched = self.s.here.launched is span
        if launched and function.kind != "kernel":
            help = "mark it `__global__`, or call it without '<<<...>>>'"
            self.fail(span, f"'{name}' is no kernel: only a `__global__` function can be launched", declared, help=help)
        if function.kind == "kernel" and launched:
            self.s.calls.kernels.add(function.key)
        elif function.kind == "kernel":
            help = f"launch it with '{name}<<<grid, block>>>(...)', or make it a `__device__` function"
            self.fail(span, f"kernel '{name}' cannot be called as a function", declared, help=help)

    def call_with(
        self,
        function: FunctionName,
        leading: list[Expr],
        args: list[Argument],
        span: Span,
        declared: Note | None = None,
        chooser: str = "",
        *,
        right_first: bool = False,
    ) -> Expr | Place:
        """Return the call of `function`, or of its `chooser`; `leading` is the address of a method's object.

        `right_first`: the second of two operands is evaluated before the first ([expr.ass]/1).
        """
        note = declared or Note(function.span, f"'{function.shown or function.name}' is declared here")
        checks = [partial(self._argument, arg, i, function, note) for i, arg in enumerate(args)]
        values = self.s.expr.every(checks)
        extra = [self.s.classes.prvalues.discarded(value) for value in values[len(function.params) :]]
        del values[len(function.params) :]  # what `...` takes is evaluated: it has no other meaning in device code
        values += [self.default_argument(parameter, function) for parameter in function.params[len(args) :]]
        if leading and function.owner is not None:
            leading = [self.s.expr.pointers.pointer_as(leading[0], function.this_type), *leading[1:]]
        result = self.result_of(function, span).stored
        key = chooser or self.use(function, span)
        operands = [*leading, *values]
        before = [one for one in extra if not only_reads(one)]
        right_first = right_first and len(operands) == len(("left", "right")) and order_matters(*operands)
        self.s.classes.temporaries.made_in_turn(*(reversed(operands) if right_first else operands))
        if right_first:
            kept, store = self.s.calls.arguments.kept(operands[1], operands[1].type, span)
            operands[1] = Load(span, kept.type, kept)
            before.append(store)
        return self.finished(after(before, self.s.classes.prvalues.call(key, result, operands, span)), function)

    def finished(self, call: Expr, function: FunctionName) -> Expr | Place:
        """Return what a call denotes: the object itself if its result is a reference."""
        result = function.result
        if result is None or not result.reference:
            return call
        return Deref(call.span, result.type, call, xvalue=result.reference == "&&")

    def result_of(self, function: FunctionName, span: Span) -> Qualified:
        """Return the result's type, for which the body may have to be checked first."""
        if function.result is None:
            self.s.statements.bodies.require_body(function)
        if function.result is None:
            if function.checked and self.s.diagnostics.visible:
                raise Reported
            note = Note(function.span, f"'{function.shown or function.name}' is declared here")
            self.fail(span, f"'{function.name}' is used before its 'return' determines the type of its result", note)
        self.s.types.records.require_complete(function.result.type, span)
        return function.result

    def _argument(self, arg: Argument, index: int, function: FunctionName, declared: Note) -> Expr:
        if index >= len(function.params):
            return self.s.calls.builtins.bind_value(arg)
        parameter = function.params[index]
        note = Note(parameter.span, f"parameter '{parameter.name}' is declared here") if parameter.name else declared
        context = f"in argument {index + 1} of '{function.shown or function.name}'"
        if parameter.reference == "&&" and arg.is_lvalue and arg.term is not None and arg.term.type == parameter.type:
            help = f"write 'static_cast<{parameter.type} &&>(...)' if it may be changed"
            self.fail(arg.span, f"'{parameter.qualified}' {context} takes a value, not a variable", note, help=help)
        return self._passed(arg, parameter, function, context, note)

    def _passed(self, arg: Argument, parameter: Parameter, function: FunctionName, context: str, *notes: Note) -> Expr:
        """Return what is passed for a parameter: of an object of a class its address, but a launch copies bytes."""
        arguments = self.s.calls.arguments
        passed = arguments.bind if function.kind == "kernel" else arguments.passed
        return passed(arg, parameter.qualified, context, *notes)

    def default_argument(self, parameter: Parameter, function: FunctionName) -> Expr:
        """Evaluate a default argument: in the scope of the function's declaration, as C++ does.

        It may name a parameter in an unevaluated operand ([dcl.fct.default]/9).
        """
        assert parameter.default is not None
        named = self.s.statements.functions.named_parameters(function.params, function.packs, function.span)
        with self.s.scopes.instead((*(function.scopes or [self.s.scopes.file_scope]), Scope(named))):
            context = f"in the default of '{parameter.name}'"
            arg = self.s.calls.arguments.argument_of(parameter.default)
            return self._passed(arg, parameter, function, context)

    def use(self, function: FunctionName, span: Span) -> str:
        """Note that `function` is called; return its name in the tree."""
        self.s.templates.outside.find(function)
        if function.node is not None or not self.s.current.unevaluated:  # else a declaration is enough
            self.s.functions.called.setdefault(function, span)
        if not self.s.current.unevaluated:
            self.s.functions.evaluated.setdefault(function, span)
        self.s.functions.used[function.key] = function
        if function.node is not None and not function.checked:
            self.s.functions.pending.append(function)
        return function.key


def is_unqualified(callee: Node) -> bool:
    """Whether the arguments of a call of `f` or `f<T>` add functions to those found, unlike `(f)` and `n::f`."""
    if isinstance(callee, cxx.Name):
        return not is_qualified(callee) and callee.parts[0].args is not None
    return isinstance(callee, c_ast.ID)


def is_qualified(callee: Node) -> bool:
    """Whether a name has a `::`."""
    return isinstance(callee, cxx.Name) and (callee.rooted or len(callee.parts) > 1)
