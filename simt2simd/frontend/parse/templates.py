"""Parsing templates: their parameters, what they declare, explicit instantiations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from .constraints import all_of, constraint_of, constraint_of_value, type_of
from .cxx import Class, Concept, ExplicitInstantiation, Friend, Template, TemplateParameter, UnionClass
from .declarators import declared_name
from .names import Known, Scope
from .parser_part import ParserPart
from .words import Node, SyntaxFault

if TYPE_CHECKING:
    from .grammar import Grammar


class Templates(ParserPart):
    """The part of the parser for templates."""

    def __init__(self, p: Grammar) -> None:
        super().__init__(p)
        self._conditions: list[Node] = []  # what the current template parameters are asked to be

    def template(self) -> Node:
        """Parse from `template` on. What is declared inside is known outside as a template."""
        word = self.p._advance()
        if self.p._peek_type() != "LT":
            return self._explicit_instantiation(word.span)
        outside = self.p._scope
        self.p._enter(Scope(outside, header=True))
        params, conditions = self.constrained_parameters()
        inner, own = self.p._scope, set(self.p._scope.names)
        self.p.declarations.written_args, self.p.classes.templated = None, bool(params)
        outer = self.p._value() == "template"  # of a member of a class template
        if self.p._value() == "concept":
            nodes = [self._concept()]
        else:
            nodes = (
                self.p.declarations.parse_external_declaration()
                if not outside.class_name
                else self._member_of_template(outside)
            )
        self.p.classes.templated = False
        node: Any = nodes[0]
        if isinstance(node, Template) and not outer:  # it has parameters of type `auto` too
            params, conditions, node = (*params, *node.params), [*conditions, node.requires], node.declaration
        specialised = None if isinstance(node, Template) else self.p.declarations.written_args
        if isinstance(node, c_ast.Decl) and isinstance(node.type, Class | UnionClass) and node.name is None:
            node, specialised = node.type, node.type.args
        self.p._enter(outside)
        if params:
            self._publish(inner, own, outside)
        return Template(params, node, word.span, all_of(conditions), specialised)

    def constrained_parameters(self) -> tuple[tuple[TemplateParameter, ...], list[Node | None]]:
        """Parse `<class T, C U>` and a `requires` clause; return the parameters, and the conditions on them."""
        before, self._conditions = self._conditions, []
        params = self._template_parameters()
        found: list[Node | None] = [*self._conditions]
        self._conditions = before
        if self.p._accept_word("requires"):
            found.append(self.p.parameters.constraint())
        return params, found

    def _concept(self) -> Node:
        """Parse `concept Name = condition;`."""
        self.p._advance()
        name = self.p.specifiers.expect_name()
        self.p.specifiers.skip_attributes()
        self.p._expect("EQUALS")
        self.p._scope.names[name.value] = Known("concept", template=True)
        self.p.names.forget_names()
        expr = self.p._parse_binary_expression()
        self.p._expect("SEMI")
        return Concept(name.value, expr, name.span)

    def _publish(self, inner: Scope, own: set[str], outside: Scope) -> None:
        for name in [name for name in inner.names if name not in own]:
            known = inner.names[name]
            known.template = True
            outside.names[name] = known
            if outside.class_name:
                self.p.names.member_templates.add(name)
        self.p.names.forget_names()

    def _member_of_template(self, outside: Scope) -> list[Node]:
        """Parse a member template; the scope of its parameters counts as the class's own."""
        self.p._scope.class_name = outside.class_name
        return self.p.classes.one_member()

    def _explicit_instantiation(self, span: object) -> Node:
        self.p.declarations.written_args = None
        node: Any = self.p.declarations.parse_declaration()[0]
        args = self.p.declarations.written_args
        if isinstance(node, c_ast.Decl) and isinstance(node.type, Class | UnionClass) and node.name is None:
            node, args = node.type, node.type.args
        return ExplicitInstantiation(node, span, args)  # type: ignore[arg-type]

    def _template_parameters(self) -> tuple[TemplateParameter, ...]:
        """Parse `<class T, int N = 4, template <class> class C, class... Ts>` and make the names known."""
        self.p._expect("LT")
        outer, self.p._in_angles = self.p._in_angles, True
        params: list[TemplateParameter] = []
        while self.p._peek_type() not in ("GT", "RSHIFT"):
            params.append(self._template_parameter())
            if not self.p._accept("COMMA"):
                break
        self.p.names.close_angle()
        self.p._in_angles = outer
        return tuple(params)

    def _template_parameter(self) -> TemplateParameter:
        token = self.p._here()
        if token.value == "template":
            return self._template_template_parameter()
        second, third = self.p._peek_type(2), self.p._peek_type(3)
        if self._is_constraint():
            return self._constrained_parameter()
        if token.value in ("class", "typename") and (
            second in ("COMMA", "GT", "RSHIFT", "EQUALS", "ELLIPSIS")
            or third in ("COMMA", "GT", "RSHIFT", "EQUALS")
        ):  # fmt: skip
            return self._type_parameter()
        return self._value_parameter()

    def _is_constraint(self) -> bool:
        """True at the name of a concept, which has the place of `class`."""
        if not self.p.names.begins_name(self.p._peek()):
            return False
        named = self.p._attempt(self.p.names.name_ahead)
        return (
            not isinstance(named, SyntaxFault) and named.kind == "concept" and self.p.names.type_behind(named) != "AUTO"
        )

    def _constrained_parameter(self) -> TemplateParameter:
        """Parse `C<int> T`."""
        named = self.p.names.take_name()
        self.p._tokens.index -= 1
        param = self._type_parameter()
        param = replace(param, name=param.name_key)
        asked = type_of(c_ast.IdentifierType([param.name_key], param.span), param.span)
        self._conditions.append(constraint_of(named.as_name(), asked, pack=param.pack))
        return param

    def _type_parameter(self) -> TemplateParameter:
        """Parse a parameter from the last token before its name."""
        word = self.p._advance()
        pack = self.p._accept("ELLIPSIS") is not None
        name = self.p._advance() if self.p._peek_type() in ("ID", "TYPEID") else None
        default: Node | None = None
        if self.p._accept("EQUALS"):
            default = self.p.names.template_argument()
        if name is not None:
            self.p._declare(name.value, Known("type"))
        if pack and name is not None:
            self.p.names.packs.add(name.value)
        span = (name or word).span
        return TemplateParameter("type", name.value if name is not None else "", span, pack, default)

    def _template_template_parameter(self) -> TemplateParameter:
        word = self.p._advance()
        self.p._push_scope()
        inner, _ = self.constrained_parameters()
        self.p._pop_scope()
        if self.p._accept_word("class", "typename") is None:
            self.p._unexpected(self.p._here())
        pack = self.p._accept("ELLIPSIS") is not None
        name = self.p._advance() if self.p._peek_type() in ("ID", "TYPEID") else None
        default = self.p.names.template_argument() if self.p._accept("EQUALS") else None
        if name is not None:
            self.p._declare(name.value, Known("type", template=True))
            if pack:
                self.p.names.packs.add(name.value)
        span = (name or word).span
        return TemplateParameter(
            "template", name.value if name is not None else "", span, pack, default, None, inner
        )  # fmt: skip

    def _value_parameter(self) -> TemplateParameter:
        first = self.p._here()
        if first.type == "ID" and not self.p.names.is_type_here(parameter=True) and self.p.names.name_ahead().plain:
            self.p._unknown_type(first)
        spec = self.p.parameters.specifiers_of_parameter()
        declarator = self.p.parameters.parameter_declarator()
        name = declared_name(declarator)
        node = self.p.declarations.build_declarations(spec=spec, decls=[{"decl": declarator}])[0]
        default: Node | None = None
        if self.p._accept("EQUALS"):
            default = self.p.names.value_argument()
        if name.declname is not None:
            self.p._declare(name.declname, Known("value"))
        if name.pack:
            self.p.names.packs.add(name.declname or "")
        span = name.coord if name.declname is not None and name.coord is not None else first.span
        condition = constraint_of_value(node, name.declname or "", span, pack=name.pack)
        self._conditions += [condition] if condition is not None else []
        return TemplateParameter("value", name.declname or "", span, name.pack, default, node)

    def friend(self) -> Node:
        """Parse `friend` and the declaration after it, whose name belongs to the namespace around the class."""
        word = self.p._advance()
        if self.p._value() == "template":
            return Friend(self.template(), word.span)
        if self.p.names.begins_name(self.p._peek()) or self.p._value() == "typename":
            mark = self.p._mark()
            self.p._accept_word("typename")
            named = self.p.names.take_name()
            if self.p._accept("SEMI"):
                kind = self._type_name_from(named.as_type())
                return Friend(kind, word.span)
            self.p._reset(mark)
        outside = self.p._scope
        self.p._enter(Scope(outside, header=True))
        self.p.declarations.written_args = None
        (node, *_) = self.p.declarations.parse_declaration()
        self.p._enter(outside)
        return Friend(node, word.span, self.p.declarations.written_args)

    def _type_name_from(self, base: Node) -> c_ast.Typename:
        return self.p._build_type_name(self.p._add_declaration_specifier(None, base, "type"), None, base.coord)
