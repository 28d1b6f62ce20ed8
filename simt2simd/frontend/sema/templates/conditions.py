"""Conditions of function templates that are known not to hold, without a substitution ([temp.deduct]/8).

In `template <int N> typename enable<N == 7>::type f(int)`, `f<3>` needs `enable<false>::type`. Once `enable<false>` is
complete and has no such member, each further attempt with it fails. A program has hundreds of such templates of one
name, so that most attempts of each call fail. A condition is compiled to functions of the template arguments; whatever
is not simple is left to the substitution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pycparser import c_ast

from ....lang.ctype import BOOL, INT, Scalar, Struct
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node
from ..constexpr.fold import integer_literal
from ..context import Part, Sema
from ..expr.conversions import same_type
from ..qualified import Qualified
from ..scopes import Bindings, FunctionName, Scope, TemplateArgument, TemplateName, TypeName, VariableName
from .arguments import argument_key
from .condition_syntax import SimpleParameter, members_in, plain_type, simple_parameters, types_of
from .condition_values import Evaluate, binary_value, is_enumerator, not_value, parameter_value, size_value
from .patterns import bare_name

_DEEPEST = 8  # aliases of aliases


@dataclass(frozen=True, slots=True)
class Condition:
    """The instance of the class template `of` with `args` must have `member`; without `of`, the class `args` must.

    Without either, `args` must be (true). `unless`: this parameter has an argument, so that its default is not needed.
    """

    of: TemplateName | None
    member: str
    args: tuple[Evaluate, ...]
    unless: str = ""


@dataclass(frozen=True, slots=True)
class Instance:
    """`scope::of<args>::member` in a template; `member` is "" without one."""

    of: TemplateName
    member: str
    args: tuple[Evaluate, ...]


class Conditions(Part):
    """The checker's part for substitutions that are known to fail."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.used = True  # else every substitution is made, for the message that says why it fails
        self._conditions: dict[tuple[TemplateName, cxx.Template], tuple[Condition, ...]] = {}
        self._scalars: dict[cxx.Template, tuple[Scalar | None, ...]] = {}
        self._simple: dict[cxx.Template, tuple[SimpleParameter, ...]] = {}
        self._lacking: dict[object, bool] = {}
        self._values: dict[object, Constant | None] = {}

    def left(
        self, candidates: Sequence[FunctionName | TemplateName], given: Sequence[TemplateArgument]
    ) -> list[FunctionName | TemplateName]:
        """Return the candidates of a call with explicit template arguments but those that are known to fail."""
        return [
            one
            for one in candidates
            if not isinstance(one, TemplateName) or not self.fail_for(one, self._begun(one, given))
        ]

    def fail_with(self, template: TemplateName, types: Sequence[Qualified | None]) -> bool:
        """Whether a function template is known to fail for arguments of these types, each with what it binds to."""
        if not self.used or not self._of(template):
            return False
        simple = self._simple.get(template.node)
        if simple is None:
            simple = self._simple[template.node] = tuple(simple_parameters(template))
        bindings: Bindings = {}
        for one in simple:
            source = types[one.at] if one.at < len(types) else None
            if source is not None:
                bindings[one.param] = one.deduced(source)
        return bool(bindings) and self.fail_for(template, bindings)

    def fail_for(self, template: TemplateName, bindings: Bindings) -> bool:
        """Whether the declaration of a function template is known to have no meaning with these arguments."""
        if template.kind != "function" or not self.used:
            return False
        return any(self._fails(one, bindings) for one in self._of(template))

    def _of(self, template: TemplateName) -> tuple[Condition, ...]:
        key = template, template.node  # members of instances of one class template have one node, a definition another
        known = self._conditions.get(key)
        if known is None:
            known = self._conditions[key] = tuple(self._conditions_of(template))
        return known

    def _begun(self, template: TemplateName, given: Sequence[TemplateArgument]) -> Bindings:
        """Return the first parameters of a template, as far as the arguments need no conversion."""
        scalars = self._scalars.get(template.node)
        if scalars is None:
            scalars = self._scalars[template.node] = tuple(map(self._scalar, template.node.params))
        bindings: Bindings = {}
        for param, scalar, value in zip(template.node.params, scalars, given, strict=False):
            if param.pack:
                break
            if isinstance(value, Qualified):
                if param.kind == "type":
                    bindings[param.name_key] = value
            elif isinstance(value, Constant) and value.type == scalar and not is_enumerator(value):
                bindings[param.name_key] = value
        return bindings

    def _scalar(self, param: cxx.TemplateParameter) -> Scalar | None:
        """Return the type of a value parameter that is `int`, `bool` or another word of the language."""
        node = param.type
        while isinstance(node, c_ast.Decl | c_ast.Typename | c_ast.TypeDecl):
            node = node.type
        if param.kind != "value" or not isinstance(node, c_ast.IdentifierType):
            return None
        return {"int": INT, "bool": BOOL}.get(" ".join(node.names))

    def _fails(self, condition: Condition, bindings: Bindings) -> bool:
        if condition.unless and condition.unless in bindings:
            return False
        values: list[TemplateArgument] = []
        for evaluate in condition.args:
            value = evaluate(bindings)
            if value is None:
                return False
            values.append(value)
        if condition.of is None:
            only = values[0]
            if condition.member:
                return isinstance(only, Qualified) and self._class_lacks(only, condition.member)
            return isinstance(only, Constant) and only.type is BOOL and not only.value
        return self._lacks(condition.of, condition.member, tuple(values))

    # ------------------------------------------------------------------------------- what instances have

    def _lacks(self, of: TemplateName, member: str, args: tuple[TemplateArgument, ...]) -> bool:
        """Whether an instance of a class template is complete and has no member of this name."""
        key = of, member, argument_key(args)
        if key in self._lacking:
            return self._lacking[key]
        scope = self._complete_instance(of, args)
        if scope is None:
            return False  # it may be complete later
        self._lacking[key] = scope.find(member) is None and scope.find_tag(member) is None
        return self._lacking[key]

    def _class_lacks(self, ctype: Qualified, member: str) -> bool:
        """Whether a type is a complete class without a member of this name."""
        struct = ctype.type
        if not isinstance(struct, Struct) or self._scope_of(struct) is None:
            return False
        key = struct, member
        if key not in self._lacking:
            found = self.s.classes.members.find_member(struct, member)
            self._lacking[key] = found is None and not struct.path(member)
        return self._lacking[key]

    def _value_of(self, of: TemplateName, member: str, args: tuple[TemplateArgument, ...]) -> Constant | None:
        """Return the constant that a member of an instance is, or a variable template's instance."""
        key = of, member, argument_key(args)
        if key in self._values:
            return self._values[key]
        entry = None
        if of.kind == "variable":
            full = self._completed(of, args)
            entry = of.instances.get(argument_key(full)) if full is not None else None
        elif (scope := self._complete_instance(of, args)) is not None:
            entry = scope.find(member)
        if entry is None:
            return None
        value = entry.value if isinstance(entry, VariableName) else None
        self._values[key] = value
        return value

    def _complete_instance(self, of: TemplateName, args: tuple[TemplateArgument, ...]) -> Scope | None:
        """Return the scope of an instance that the program has, if its class is complete."""
        full = self._completed(of, args)
        entry = of.instances.get(argument_key(full)) if full is not None else None
        struct = entry.type.type if isinstance(entry, TypeName) else None
        return self._scope_of(struct) if isinstance(struct, Struct) else None

    def _scope_of(self, struct: Struct) -> Scope | None:
        """Return the scope of a class, if all its members are declared."""
        info = self.s.structs.classes.get(struct)
        return info.scope if info is not None and info.defined else None

    def _completed(self, of: TemplateName, args: tuple[TemplateArgument, ...]) -> tuple[TemplateArgument, ...] | None:
        """Return the arguments of a template with those that are defaults, which must depend on no others."""
        for param in of.node.params[len(args) :]:
            if param.default is None or self.s.templates.matching.depends(of, param.default):
                return None
        with self.s.templates.deduction.attempt() as tried:
            found = self.s.templates.completed(of, args, of.span)
        return None if tried.failed else found

    # -------------------------------------------------------------------------------- what a template asks

    def _conditions_of(self, template: TemplateName) -> Iterator[Condition]:
        known = {param.name: parameter_value(param) for param in template.node.params if param.name and not param.pack}
        packs = {param.name for param in template.node.params if param.pack}
        objects = {one.name: known[one.named] for one in simple_parameters(template) if one.name}
        scopes = (*template.scopes, self.s.templates.binding_scope(template, {}))
        with self.s.templates.deduction.attempt(), self.s.scopes.instead(scopes):
            for node, unless in types_of(template):
                if isinstance(node, cxx.DeclType) and not unless:
                    for name, member in members_in(node.expr):
                        if name in objects:
                            yield Condition(None, member, (objects[name],))
                used = self.s.templates.packs.names_of(node)
                if used.isdisjoint(known) or not used.isdisjoint(packs):
                    continue
                found = self._instance(node, known, _DEEPEST)
                if found is not None and found.of.kind == "class" and found.member:
                    yield Condition(found.of, found.member, found.args, unless)
            if template.node.requires is not None:
                holds = self._argument(template.node.requires, known, _DEEPEST)
                if holds is not None:
                    yield Condition(None, "", (holds,))

    def _instance(self, node: Node, known: Mapping[str, Evaluate], deepest: int) -> Instance | None:
        """Return what `a::b<args>::member` names, an alias replaced by what it is."""
        if not isinstance(node, cxx.Name) or not deepest:
            return None
        at = next((number for number, part in enumerate(node.parts) if part.args is not None), len(node.parts))
        if at + 2 < len(node.parts) or at == len(node.parts) or node.parts[0].name in known:
            return None
        last = node.parts[-1]
        if (at + 1 < len(node.parts) and last.args is not None) or any(part.type is not None for part in node.parts):
            return None
        written, bare = node.parts[at], (*node.parts[:at], replace(node.parts[at], args=None))
        of = self.s.expr.names.find(cxx.Name(bare, node.rooted, node.coord))
        if not isinstance(of, TemplateName):
            return None
        args: list[Evaluate] = []
        for one in written.args or ():
            found = self._argument(one, known, deepest)
            if found is None:
                return None
            args.append(found)
        if of.kind == "alias":
            return self._meant(of, args, deepest) if at + 1 == len(node.parts) else None
        return Instance(of, last.name if at + 1 < len(node.parts) else "", tuple(args))

    def _meant(self, alias: TemplateName, args: list[Evaluate], deepest: int) -> Instance | None:
        """Return the instance that the instance of an alias template is."""
        params = alias.node.params
        if any(param.pack or not param.name for param in params) or len(args) > len(params):
            return None
        own = {param.name: arg for param, arg in zip(params, args, strict=False)}
        with self.s.scopes.instead((*alias.scopes, self.s.templates.binding_scope(alias, {}))):
            for param in params[len(args) :]:
                default = self._argument(param.default, own, deepest - 1) if param.default is not None else None
                if default is None:
                    return None
                own[param.name] = default
            return self._instance(plain_type(alias.node.declaration), own, deepest - 1)

    def _argument(self, node: Node, known: Mapping[str, Evaluate], deepest: int) -> Evaluate | None:
        """Compile a template argument."""
        inner = bare_name(node)
        name = inner.names[0] if isinstance(inner, c_ast.IdentifierType) else getattr(inner, "name", None)
        if isinstance(inner, c_ast.ID | c_ast.IdentifierType) and name is not None and name in known:
            return known[name]
        if self.s.templates.packs.names_of(node).isdisjoint(known):
            return self._fixed(node)
        match node:
            case c_ast.BinaryOp(op=op):
                left, right = (self._argument(one, known, deepest) for one in (node.left, node.right))
                return binary_value(op, left, right) if left is not None and right is not None else None
            case c_ast.UnaryOp(op="!"):
                operand = self._argument(node.expr, known, deepest)
                return not_value(operand) if operand is not None else None
            case c_ast.UnaryOp(op="sizeof", expr=c_ast.Typename() as operand_type):
                operand = self._argument(operand_type, known, deepest)
                return size_value(operand) if operand is not None else None
            case cxx.Name():
                found = self._instance(node, known, deepest)
                return self._constant(found) if found is not None else None
        return None

    def _fixed(self, node: Node) -> Evaluate | None:
        """Return an argument that depends on no parameter."""
        if isinstance(node, c_ast.Constant) and node.type == "int":
            found: TemplateArgument | None = integer_literal(node.value, node.coord)
        else:
            with self.s.templates.deduction.attempt() as tried:
                found = self.s.templates.template_argument(node)
            found = None if tried.failed else found
        return (lambda _: found) if found is not None else None

    def _constant(self, instance: Instance) -> Evaluate | None:
        of, member, args = instance.of, instance.member, instance.args
        if (of.kind == "class") != bool(member):
            return None
        is_same = of.scopes[-1:] == (self.s.scopes.std,) and (of.name, member) in _SAME and len(args) == 2

        def evaluate(bindings: Bindings) -> TemplateArgument | None:
            values: list[TemplateArgument] = []
            for one in args:
                value = one(bindings)
                if value is None:
                    return None
                values.append(value)
            if not is_same:
                return self._value_of(of, member, tuple(values))
            first, second = values
            if not isinstance(first, Qualified) or not isinstance(second, Qualified):
                return None
            words = (first.const, first.volatile, first.reference) == (second.const, second.volatile, second.reference)
            return Constant(of.span, BOOL, words and same_type(first.type, second.type))

        return evaluate


_SAME = (("is_same", "value"), ("is_same_v", ""))
