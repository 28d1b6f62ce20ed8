"""Parsing templates: their parameters, what they declare, explicit instantiations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pycparser import c_ast

from .classes import Classes
from .constraints import all_of, constraint_of, constraint_of_value, type_of
from .cxx import Class, Concept, ExplicitInstantiation, Friend, Template, TemplateParameter
from .declarators import declared_name
from .names import Known, Scope
from .words import Node, SyntaxFault


class Templates(Classes):
    """The part of the parser for templates."""

    def __init__(self) -> None:
        super().__init__()
        self._conditions: list[Node] = []  # what the template parameters at hand are asked to be

    def _template(self) -> Node:
        """Parse from `template` on. What is declared inside is known outside as a template."""
        word = self._advance()
        if self._peek_type() != "LT":
            return self._explicit_instantiation(word.span)
        outside = self._scope
        self._enter(Scope(outside, header=True))
        params, conditions = self._constrained_parameters()
        inner, own = self._scope, set(self._scope.names)
        self._written_args, self._templated = None, bool(params)
        outer = self._value() == "template"  # of a member of a class template
        if self._value() == "concept":
            nodes = [self._concept()]
        else:
            nodes = self._parse_external_declaration() if not outside.class_name else self._member_of_template(outside)
        self._templated = False
        node: Any = nodes[0]
        if isinstance(node, Template) and not outer:  # it has parameters of type `auto` too
            params, conditions, node = (*params, *node.params), [*conditions, node.requires], node.declaration
        specialised = None if isinstance(node, Template) else self._written_args
        if isinstance(node, c_ast.Decl) and isinstance(node.type, Class) and node.name is None:
            node, specialised = node.type, node.type.args
        self._enter(outside)
        if params:
            self._publish(inner, own, outside)
        return Template(params, node, word.span, all_of(conditions), specialised)

    def _constrained_parameters(self) -> tuple[tuple[TemplateParameter, ...], list[Node | None]]:
        """Parse `<class T, C U>` and a `requires` clause; return the parameters, and the conditions on them."""
        before, self._conditions = self._conditions, []
        params = self._template_parameters()
        found: list[Node | None] = [*self._conditions]
        self._conditions = before
        if self._accept_word("requires"):
            found.append(self._constraint())
        return params, found

    def _concept(self) -> Node:
        """Parse `concept Name = condition;`."""
        self._advance()
        name = self._expect_name()
        self._skip_attributes()
        self._expect("EQUALS")
        self._scope.names[name.value] = Known("concept", template=True)
        self._forget_names()
        expr = self._parse_binary_expression()
        self._expect("SEMI")
        return Concept(name.value, expr, name.span)

    def _publish(self, inner: Scope, own: set[str], outside: Scope) -> None:
        for name in [name for name in inner.names if name not in own]:
            known = inner.names[name]
            known.template = True
            outside.names[name] = known
            if outside.class_name:
                self._member_templates.add(name)
        self._forget_names()

    def _member_of_template(self, outside: Scope) -> list[Node]:
        """Parse a member template; the scope of its parameters counts as the class's own."""
        self._scope.class_name = outside.class_name
        return self._one_member()

    def _explicit_instantiation(self, span: object) -> Node:
        self._written_args = None
        node: Any = self._parse_declaration()[0]
        args = self._written_args
        if isinstance(node, c_ast.Decl) and isinstance(node.type, Class) and node.name is None:
            node, args = node.type, node.type.args
        return ExplicitInstantiation(node, span, args)  # type: ignore[arg-type]

    def _template_parameters(self) -> tuple[TemplateParameter, ...]:
        """Parse `<class T, int N = 4, template <class> class C, class... Ts>` and make the names known."""
        self._expect("LT")
        outer, self._in_angles = self._in_angles, True
        params: list[TemplateParameter] = []
        while self._peek_type() not in ("GT", "RSHIFT"):
            params.append(self._template_parameter())
            if not self._accept("COMMA"):
                break
        self._close_angle()
        self._in_angles = outer
        return tuple(params)

    def _template_parameter(self) -> TemplateParameter:
        token = self._here()
        if token.value == "template":
            return self._template_template_parameter()
        second, third = self._peek_type(2), self._peek_type(3)
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
        if not self._begins_name(self._peek()):
            return False
        named = self._attempt(self._name_ahead)
        return not isinstance(named, SyntaxFault) and named.kind == "concept" and self._type_behind(named) != "AUTO"

    def _constrained_parameter(self) -> TemplateParameter:
        """Parse `C<int> T`."""
        named = self._take_name()
        self._tokens.index -= 1
        param = self._type_parameter()
        param = replace(param, name=param.name_key)
        asked = type_of(c_ast.IdentifierType([param.name_key], param.span), param.span)
        self._conditions.append(constraint_of(named.as_name(), asked, pack=param.pack))
        return param

    def _type_parameter(self) -> TemplateParameter:
        """Parse a parameter from the last token on that stands before its name."""
        word = self._advance()
        pack = self._accept("ELLIPSIS") is not None
        name = self._advance() if self._peek_type() in ("ID", "TYPEID") else None
        default: Node | None = None
        if self._accept("EQUALS"):
            default = self._template_argument()
        if name is not None:
            self._declare(name.value, Known("type"))
        if pack and name is not None:
            self._packs.add(name.value)
        span = (name or word).span
        return TemplateParameter("type", name.value if name is not None else "", span, pack, default)

    def _template_template_parameter(self) -> TemplateParameter:
        word = self._advance()
        self._push_scope()
        inner, _ = self._constrained_parameters()
        self._pop_scope()
        if self._accept_word("class", "typename") is None:
            self._unexpected(self._here())
        pack = self._accept("ELLIPSIS") is not None
        name = self._advance() if self._peek_type() in ("ID", "TYPEID") else None
        default = self._template_argument() if self._accept("EQUALS") else None
        if name is not None:
            self._declare(name.value, Known("type", template=True))
        span = (name or word).span
        return TemplateParameter(
            "template", name.value if name is not None else "", span, pack, default, None, inner
        )  # fmt: skip

    def _value_parameter(self) -> TemplateParameter:
        first = self._here()
        if first.type == "ID" and not self._is_type_here(parameter=True) and self._name_ahead().plain:
            self._unknown_type(first)
        spec = self._specifiers_of_parameter()
        declarator = self._parameter_declarator()
        name = declared_name(declarator)
        node = self._build_declarations(spec=spec, decls=[{"decl": declarator}])[0]
        default: Node | None = None
        if self._accept("EQUALS"):
            default = self._value_argument()
        if name.declname is not None:
            self._declare(name.declname, Known("value"))
        if name.pack:
            self._packs.add(name.declname or "")
        span = name.coord if name.declname is not None and name.coord is not None else first.span
        condition = constraint_of_value(node, name.declname or "", span, pack=name.pack)
        self._conditions += [condition] if condition is not None else []
        return TemplateParameter("value", name.declname or "", span, name.pack, default, node)

    def _friend(self) -> Node:
        """Parse `friend` and the declaration behind it, whose name belongs to the namespace round the class."""
        word = self._advance()
        if self._value() == "template":
            return Friend(self._template(), word.span)
        if self._begins_name(self._peek()) or self._value() == "typename":
            mark = self._mark()
            self._accept_word("typename")
            named = self._take_name()
            if self._accept("SEMI"):
                kind = self._type_name_from(named.as_type())
                return Friend(kind, word.span)
            self._reset(mark)
        outside = self._scope
        self._enter(Scope(outside, header=True))
        (node, *_) = self._parse_declaration()
        self._enter(outside)
        return Friend(node, word.span)

    def _type_name_from(self, base: Node) -> c_ast.Typename:
        return self._build_type_name(self._add_declaration_specifier(None, base, "type"), None, base.coord)
