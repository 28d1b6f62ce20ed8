"""Template argument deduction: what the parameters of a template must be for its types to be those of a call.

A template's types are syntax trees. They are matched against types as they are; a non-deduced context of a
parameter, such as `typename T::type`, is not looked at ([temp.deduct.type]).
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import FunctionType, Pointer, Struct
from ....tree.nodes import Place
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument
from ..calls.overloads import counted
from ..context import Part, Sema
from ..expr.conversions import place_type, same_type
from ..qualified import Qualified, may_throw
from ..restore import restoring
from ..scopes import Bindings, PackName, Reported, Scope, SubstitutionAttempt, TemplateArgument, TemplateName
from .arguments import BegunPack, same_arguments
from .bound import Bound
from .patterns import decayed, has_quals, is_parameter, parameter_nodes, without_pack


class Deduction(Part):
    """The checker's part for template argument deduction."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self._fixed: dict[
            tuple[TemplateName, Node], list[tuple[Node, Qualified]]
        ] = {}  # parameters that no argument determines

    @contextlib.contextmanager
    def attempt(self) -> Iterator[SubstitutionAttempt]:
        """Attempt a substitution; a failure is not an error ([temp.deduct], SFINAE) and is not reported."""
        tried, hidden = SubstitutionAttempt(), len(self.s.current.hidden)
        with restoring(self.s.diagnostics, faults=[]):
            try:
                yield tried
            except Reported:
                tried.failed = True
            finally:
                tried.failed = tried.failed or bool(self.s.diagnostics.faults)
                if tried.failed:
                    del self.s.current.hidden[hidden:]

    # ------------------------------------------------------------------------------------------- calls

    def deduce_call(
        self, template: TemplateName, args: Sequence[Argument], given: tuple[TemplateArgument, ...]
    ) -> Bindings | None:
        """Return what the template's parameters are in a call with `args`; None if they cannot be deduced."""
        params = template.node.params
        bindings = self._bind_some(template, given)
        if bindings is None:
            return None
        nodes = self.parameters(template)
        if not self._fits_count(nodes, len(args)) or not self._fits_fixed(template, nodes, args):
            return None
        open_names = {param.name for param in params if param.name}
        begun = {name: value for name, value in bindings.items() if isinstance(value, BegunPack)}
        packs = {param.name_key for param in params if param.pack}
        named = self.given_names(template, given)
        gathered: dict[str, list[TemplateArgument]] = {}
        numbers: Counter[Node] = Counter()
        for node, arg in self._paired(nodes, args):
            inner, pack = without_pack(node)
            of = self._with_element(template, inner, numbers[node]) if pack else template
            numbers[node] += 1
            if not open_names.intersection(self.s.templates.packs.names_of(inner)):
                continue
            found = {name: value for name, value in bindings.items() if name not in packs} if pack else bindings
            fixed = set(bindings).intersection(named)
            if not self.deduce_argument(of, inner, arg, found, fixed):
                return None
            if pack:
                for name, value in found.items():
                    if name in packs:
                        gathered.setdefault(name, []).append(value)
                    else:
                        bindings[name] = value
        for name, values in gathered.items():
            written = begun.get(name, ())
            values[: len(written)] = written
            before = bindings.get(name, ())
            assert isinstance(before, tuple)
            if before and not isinstance(before, BegunPack) and not same_arguments(before, values):
                return None
            bindings[name] = tuple(values)
        return self.with_defaults(template, bindings)

    def parameters(self, template: TemplateName) -> list[Node]:
        """Return the parameters of a function template; packs of the classes around it are expanded.

        Their elements take part in no deduction ([temp.deduct.type]/5.7).
        """
        nodes = parameter_nodes(template.node.declaration)
        if template.owner is None or not any(without_pack(node)[1] for node in nodes):
            return nodes
        own = {param.name for param in template.node.params if param.pack}
        found: list[Node] = []
        for node in nodes:
            inner, pack = without_pack(node)
            outer = self._outer_packs(template, inner) if pack else {}
            if outer and not own.intersection(self.s.templates.packs.names_of(inner)):
                count = min(len(entry.items) for entry in outer.values())
                found += [Bound(inner, Scope({}, kind="element"), inner.coord) for _ in range(count)]
            else:
                found.append(node)
        return found

    def _outer_packs(self, template: TemplateName, pattern: Node) -> dict[str, PackName]:
        """Return the packs of the classes around a member template that a pattern names."""
        with self.s.scopes.instead(template.scopes):
            packs = self.s.templates.packs.packs_in(pattern)
        return {name: pack for name, pack in packs.items() if all(p.name != name for p in template.node.params)}

    def _with_element(self, template: TemplateName, pattern: Node, number: int) -> TemplateName:
        """Return the template inside a scope in which the packs of classes around it mean an element."""
        outer = self._outer_packs(template, pattern) if template.owner is not None else {}
        if not outer:
            return template
        names = {name: pack.items[number] for name, pack in outer.items() if number < len(pack.items)}
        return replace(template, scopes=(*template.scopes, Scope(names, kind="element")))

    def _fits_fixed(self, template: TemplateName, nodes: list[Node], args: Sequence[Argument]) -> bool:
        """Whether the arguments become the parameters whose types no template parameter determines."""
        for node, ctype in self.fixed_types(template, nodes):
            at = nodes.index(node)
            if at < len(args) and isinstance(ctype.type, Struct) and not self._may_become(args[at], ctype):
                return False
        return True

    def _may_become(self, arg: Argument, param: Qualified) -> bool:
        """Whether an argument may become a parameter of a class type; user-defined conversions are not looked at."""
        if arg.term is None or self.s.calls.sequences.rank(arg, param, user=False) is not None:
            return True
        info = self.s.classes.construction.info(param.type)
        if info is None or info.constructors is not None:
            return True
        source = arg.term.type
        return isinstance(source, Struct) and any(self.s.classes.user_conversions.functions_of(source))

    def fixed_types(self, template: TemplateName, nodes: list[Node]) -> list[tuple[Node, Qualified]]:
        """Return the first parameters, up to a pack, of classes and pointers that are the same in all instances."""
        key = template, template.node
        if key in self._fixed:
            return self._fixed[key]
        found: list[tuple[Node, Qualified]] = []
        self._fixed[key] = found
        names = {param.name for param in template.node.params if param.name}
        for node in nodes:
            if without_pack(node)[1] or isinstance(node, c_ast.EllipsisParam):
                break
            declarator = node.type if isinstance(node, c_ast.Decl | c_ast.Typename) else node
            if isinstance(declarator, c_ast.TypeDecl | c_ast.PtrDecl | cxx.Reference) and not names.intersection(
                self.s.templates.packs.names_of(node)
            ):
                scope = self.s.templates.binding_scope(template, {})
                with self.attempt() as tried, self.s.scopes.instead((*template.scopes, scope)):
                    ctype = self.s.types.parameter_type(declarator)
                if not tried.failed and isinstance(ctype.type, Struct | Pointer):
                    found.append((node, ctype))
        return found

    def undeduced(self, template: TemplateName, args: Sequence[Argument]) -> str:
        """Return which parameter of a template cannot be deduced from a call's arguments, and why, if that is known."""
        nodes = self.parameters(template)
        if not self._fits_count(nodes, len(args)):
            required = sum(getattr(node, "init", None) is None and not without_pack(node)[1] for node in nodes)
            return f"it takes {counted(required, len(nodes))}"
        deduced: dict[str, TemplateArgument] = {}
        for node, arg in self._paired(nodes, args):
            found: Bindings = {}
            inner, pack = without_pack(node)
            if not self.deduce_argument(template, inner, arg, found, set()):
                param = getattr(node, "name", None) or ""
                return f"'{self.s.calls.overloads.spell(arg)}' does not fit the parameter '{param}'"
            for name, value in found.items():
                before = deduced.setdefault(name, value)
                match before, value:
                    case Qualified(type=one), Qualified(type=other) if not pack and not same_type(one, other):
                        return f"'{name}' would be '{before}' and '{value}'"
        missing = next((p.name for p in template.node.params if p.name_key not in deduced and not p.pack), None)
        return f"no argument determines '{missing}'" if missing else ""

    def given_names(self, template: TemplateName, given: tuple[TemplateArgument, ...]) -> set[str]:
        names, count = set(), len(given)
        for number, param in enumerate(template.node.params):
            if number < count and not param.pack:
                names.add(param.name_key)
        return names

    def _bind_some(self, template: TemplateName, given: tuple[TemplateArgument, ...]) -> Bindings | None:
        if not given:
            return {}
        found = self.s.templates.bind_given(template, given, template.span)
        return {
            name: BegunPack(value) if isinstance(value, tuple) else value
            for name, value in found.items()
            if value != ()  # the call may deduce more
        }

    def _fits_count(self, nodes: list[Node], count: int) -> bool:
        named = [node for node in nodes if not isinstance(node, c_ast.EllipsisParam)]
        required = sum(getattr(node, "init", None) is None and not without_pack(node)[1] for node in named)
        endless = any(without_pack(node)[1] for node in nodes) or len(named) < len(nodes)
        return required <= count and (endless or count <= len(nodes))

    def _paired(self, nodes: list[Node], args: Sequence[Argument]) -> Iterator[tuple[Node, Argument]]:
        """Pair parameters with arguments; a pack at the end takes all that is left."""
        rest = list(args)
        nodes = [node for node in nodes if not isinstance(node, c_ast.EllipsisParam)]
        for number, node in enumerate(nodes):
            if without_pack(node)[1]:
                after = len(nodes) - number - 1
                for arg in rest[: len(rest) - after]:
                    yield node, arg
                rest = rest[len(rest) - after :]
            elif rest:
                yield node, rest.pop(0)

    def deduce_argument(
        self, template: TemplateName, node: Node, arg: Argument, bindings: Bindings, fixed: set[str]
    ) -> bool:
        declarator = node.type if isinstance(node, c_ast.Decl | c_ast.Typename) else node
        declarator = self.s.templates.matching.without_alias(template, declarator)
        if arg.functions is None and isinstance(arg.node, c_ast.InitList):
            return self._deduce_list(template, declarator, arg.node, bindings, fixed)
        if arg.functions is not None or arg.term is None:
            return True  # a non-deduced context
        source = self.type_given(arg)
        const, volatile = source.const, source.volatile
        if isinstance(declarator, cxx.Reference):
            source = replace(source, type=arg.denoted.type)
            forwarding = (
                declarator.rvalue and is_parameter(declarator.type, template) and not has_quals(declarator.type)
            )
            if forwarding and arg.is_lvalue:
                source = replace(source, reference="&")
            declarator = declarator.type
        else:
            source = Qualified(decayed(source.type, const, volatile))
            if isinstance(declarator, c_ast.ArrayDecl):  # a parameter that is a pointer
                declarator = c_ast.PtrDecl([], declarator.type, declarator.coord)
        before = dict(bindings)
        for form in _forms(source):
            if self.s.templates.matching.match(template, declarator, form, bindings, fixed=fixed, derived=True):
                return True
            bindings.clear()
            bindings.update(before)
        # What an explicit argument has fixed may still be reached by a conversion.
        used = self.s.templates.packs.names_of(declarator)
        return not any(p.name in used and p.name_key not in fixed for p in template.node.params)

    def type_given(self, arg: Argument) -> Qualified:
        """Return the type of an argument, with the qualifiers of the object that it is."""
        term = arg.term
        assert term is not None
        const, volatile = place_type(term, self.s.structs.const_members) if isinstance(term, Place) else (False, False)
        const = arg.constant or const or self.s.classes.prvalues.is_const(term)
        return Qualified(term.type, const, volatile)

    def _deduce_list(
        self, template: TemplateName, declarator: Node, node: c_ast.InitList, bindings: Bindings, fixed: set[str]
    ) -> bool:
        """Match the elements of a braced list with those of a `std::initializer_list`; others deduce nothing."""
        inner = declarator.type if isinstance(declarator, cxx.Reference) else declarator
        name = inner.type if isinstance(inner, c_ast.TypeDecl) else None
        if not isinstance(name, cxx.Name) or name.parts[-1].name != "initializer_list" or not name.parts[-1].args:
            return True
        element = name.parts[-1].args[0]
        with self.s.expr.operators.unevaluated():
            args = self.s.calls.arguments.arguments(node.exprs)
            return all(self.deduce_argument(template, element, one, bindings, fixed) for one in args)

    def with_defaults(self, template: TemplateName, bindings: Bindings) -> Bindings | None:
        """Add the arguments of a function template that are defaults; None if some have none, or all no meaning."""
        if self.s.templates.conditions.fail_for(template, bindings):
            return None
        scope = self.s.templates.binding_scope(template, bindings)
        with self.s.scopes.instead((*template.scopes, scope)):
            for param in template.node.params:
                if param.name_key in bindings:
                    continue
                if param.pack:
                    bindings[param.name_key] = ()
                elif param.default is None:
                    return None
                else:
                    value = self.s.templates.converted_argument(
                        param, self.s.templates.template_argument(param.default), template.span
                    )
                    bindings[param.name_key] = value
                if param.name:
                    scope.names[param.name] = self.s.templates.bound_name(param, bindings[param.name_key])
        return bindings


def _forms(source: Qualified) -> Iterator[Qualified]:
    """Yield the types to which a parameter may be deduced: without `noexcept` too ([temp.deduct.call]/4)."""
    yield source
    match source.type:
        case Pointer(target=FunctionType(noexcept=True) as function):
            yield replace(source, type=replace(source.type, target=may_throw(function)))
        case FunctionType(noexcept=True):
            yield replace(source, type=may_throw(source.type))
