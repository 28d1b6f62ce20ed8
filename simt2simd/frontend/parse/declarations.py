"""Parsing declarations: of variables, functions, types and names, at file scope, in classes and in blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pycparser import c_ast
from pycparser.c_parser import _TYPE_QUALIFIER, CParser

from ...source import Span
from ..text.declaration_scan import is_guide
from .constraints import WithoutAuto, all_of, auto_in
from .cxx import (
    AlignedTypedef,
    Arguments,
    DeductionGuide,
    Definition,
    MemberInit,
    MemberOf,
    Name,
    NamePart,
    NamespaceAlias,
    PackExpansion,
    Signature,
    StructuredBinding,
    Template,
    UsingDeclaration,
    UsingDirective,
    UsingEnum,
)
from .declarators import DeclaredName, declared_name, is_function
from .names import Known, Scope
from .parser_part import ParserPart
from .words import Node

if TYPE_CHECKING:
    from .grammar import Grammar


if TYPE_CHECKING:
    from pycparser.c_parser import _DeclInfo, _DeclSpec

_QUALIFIERS = ("INLINE", "STATIC", "EXTERN", "CONST", "CONSTEXPR", "REGISTER", "VOLATILE", "TYPEDEF")


class Declarations(ParserPart):
    """The part of the parser for declarations."""

    def __init__(self, p: Grammar) -> None:
        super().__init__(p)
        self.written_args: tuple[Node, ...] | None = None  # those of the name declared last, `f<int>`

    def parse_external_declaration(self) -> list[Node]:
        self.p.specifiers.skip_attributes()
        token = self.p._here()
        if token.value == "using":
            return self.using()
        if token.value == "namespace":
            return [self.namespace_alias()]
        if token.value == "template":
            return [self.p.templates.template()]
        if token.type == "EXTERN" and self.p._value(2) == "template":
            self.p._advance()
            self.p.templates.template()  # an instance that another file makes may be made here too
            return []
        if token.type in ("PPPRAGMA", "_PRAGMA", "PPHASH", "SEMI", "_STATIC_ASSERT"):
            return list(CParser._parse_external_declaration(self.p))
        if self._is_guide():
            return [self._deduction_guide()]
        self._refuse_unknown_after_qualifiers()
        return self.parse_declaration()

    def _is_guide(self) -> bool:
        """True at `Name(...) ->`, perhaps after `explicit`."""
        at = self.p._tokens.index + (self.p._value() == "explicit")
        return not self.p._scope.class_name and is_guide(self.p._tokens.tokens[at:])

    def _deduction_guide(self) -> Node:
        self.p._accept_word("explicit")
        name = self.p._advance()
        signature: Any = self.p.parameters.parse_function_decl(DeclaredName(name.value, name.span))
        signature.type = signature.trailing.type
        self.p._expect("SEMI")
        return DeductionGuide(c_ast.Decl(name.value, [], [], [], [], signature, None, None, name.span), name.span)

    def parse_declaration(self) -> list[Node]:
        """Parse a declaration of any kind, with the body of a function or with its semicolon."""
        self.p.specifiers.skip_attributes()
        if self.p._peek_type() == "_STATIC_ASSERT":
            return [self.p._parse_static_assert()]
        if self.p._scope.in_function():
            self._refuse_unknown_type_in_declaration()
        outside = self.p._scope
        nodes, complete = self.declared_nodes(outside)
        self.p._enter(outside)
        nodes = nodes if complete else self.p._parse_declaration_end(nodes)
        return [self._abbreviated(node, outside) for node in nodes]

    def _abbreviated(self, node: Node, outside: Scope) -> Node:
        """Return the template that a function with parameters of type `auto` is."""
        decl = node.decl if isinstance(node, Definition) else node
        signature = decl.type if isinstance(decl, c_ast.Decl) else None
        args = signature.args if isinstance(signature, Signature) else None
        if args is None or all(auto_in(param) is None for param in args.params):
            return node
        assert isinstance(decl, c_ast.Decl)
        if "__global__" in decl.funcspec:
            help = "write `template <class T>` before the kernel, and T for `auto`"
            self.p._unsupported(decl.coord, "a parameter of a kernel cannot be 'auto'", help)
        made = WithoutAuto(args)
        if not made.params:
            return node
        signature.args = made.args  # type: ignore[union-attr]
        known = outside.names.get(decl.name or "") if not isinstance(decl, MemberOf) else None
        if known is not None:
            known.template = True
            self.p.names.forget_names()
        return Template(tuple(made.params), node, decl.coord, all_of(made.conditions))

    def declared_nodes(self, outside: Scope) -> tuple[list[Node], bool]:
        """Parse a declaration up to its semicolon; return its nodes, and whether a body ends it in place of that."""
        spec, saw_type, _ = self.p._parse_declaration_specifiers(allow_no_type=True)
        bits = outside.class_name and self.p._peek_type() == "COLON"
        if saw_type and self._is_structured_binding(spec):
            return [self._structured_binding(spec)], False
        if not self.p.declarators.starts_declarator() and not bits:
            return self.p._parse_decl_body_with_spec(spec, saw_type), False
        nodes: list[Node] = []
        while True:
            if outside.class_name and self.p._peek_type() == "COLON":  # a bit-field without a name
                declarator: Node = DeclaredName(None, self.p._here().span)
            else:
                declarator = self.p.declarators.parse_declarator()
            body = is_function(declarator) or "__global__" in spec["function"]
            if body and not nodes and self._begins_body(outside):
                return [self._definition(spec, declarator, outside)], True
            name = declared_name(declarator)
            node = self._finished(spec, declarator)
            self.p._enter(outside)
            self._enter_name(node, name, outside)
            nodes.append(node)
            if not self.p._accept("COMMA"):
                return nodes, False

    def _begins_body(self, outside: Scope) -> bool:
        if self.p._value() == "try":
            self.p._unexpected(self.p._here())
        return self.p._peek_type() in ("LBRACE", "COLON") and not outside.in_function()

    # ------------------------------------------------------------------------------------------- nodes

    def _finished(self, spec: _DeclSpec, declarator: Node) -> Node:
        """Parse the initialiser after `declarator`; return the node of the declaration."""
        init: Node | None = None
        bits: Node | None = None
        words: list[str] = []
        if self.p._scope.class_name and self.p._accept("COLON"):
            bits = self.p._parse_constant_expression()
        spec = {**spec, "alignment": [*spec["alignment"], *self._gnu_after_name()]}
        if self.p._accept("EQUALS"):
            if is_function(declarator):
                words.append("=" + self.p._advance().value)
            else:
                self._enter_variable_template(declared_name(declarator))
                init = self.p._parse_initializer()
        elif self.p._peek_type() == "LBRACE":
            init = self.p.primaries.direct_list()
        elif self.p._peek_type() == "LPAREN":
            mark = self.p._mark()
            init = Arguments(self.p.declarators.argument_list(), self.p._tokens.span(mark))
        return self._node(spec, declarator, init, bits, words)

    def _gnu_after_name(self) -> list[c_ast.Alignas]:
        """Parse what `int x __attribute__((aligned(16))) = 1;` says of x."""
        found: list[c_ast.Alignas] = []
        while (self.p._value() or "").startswith("__attribute"):
            found.append(self.p.specifiers.parse_alignment_specifier())
        return found

    def _node(
        self, spec: _DeclSpec, declarator: Node, init: Node | None = None, bits: Node | None = None,
        words: list[str] | None = None,
    ) -> Node:  # fmt: skip
        """Build the node of one declarator."""
        name = declared_name(declarator)
        self.written_args = name.args
        special = not spec["type"] and self._is_special(name)
        if not spec["type"] and not special:
            self._no_type(declarator, name)
        info: _DeclInfo = {"decl": declarator, "init": init, "bitsize": bits}
        (node,) = self.build_declarations(spec, [info])
        if isinstance(declarator, Signature):
            if not isinstance(node, c_ast.Typedef):
                node.funcspec = [*spec["function"], *declarator.words, *(words or ())]  # type: ignore[attr-defined]
            if special:
                node.type.type = name.conversion.type if name.conversion is not None else None  # type: ignore[attr-defined]
        if name.scope is None or isinstance(node, c_ast.Typedef):
            return node
        member = MemberOf(
            node.name, node.quals, node.align, node.storage, node.funcspec, node.type, node.init, node.bitsize,
            node.coord,
        )  # fmt: skip
        member.scope = name.scope
        return member

    def build_declarations(
        self, spec: _DeclSpec, decls: list[_DeclInfo], typedef_namespace: bool = False
    ) -> list[c_ast.Decl | c_ast.Typedef]:
        """Build the node of each declarator. What is declared becomes known elsewhere."""
        nodes: list[Any] = []
        for info in decls:
            declarator, quals = info["decl"], spec["qual"]
            if declarator is None:
                self.p._parse_error("Invalid declaration", spec["type"][0].coord if spec["type"] else None)
            node: Node
            if "typedef" in spec["storage"]:
                node = AlignedTypedef(None, quals, spec["storage"], declarator, declarator.coord)
                node.align = spec["alignment"]
            else:
                node = c_ast.Decl(
                    None, quals, spec["alignment"], spec["storage"], spec["function"], declarator,
                    info.get("init"), info.get("bitsize"), declared_name(declarator).coord,
                )  # fmt: skip
            nodes.append(self.p._attach_type_attributes(self.p.specifiers.fix_decl_name_type(node, spec["type"]), spec))
        return nodes

    def _is_special(self, name: DeclaredName) -> bool:
        """True for the names of functions that are declared without a type."""
        spelled = name.declname or ""
        if spelled.startswith("~") or name.conversion is not None:
            return True
        owner = name.scope.parts[-1].name if name.scope is not None else self._class_name()
        return spelled == owner

    def _class_name(self) -> str:
        return self.p._scope.class_name

    def _no_type(self, declarator: Node, name: DeclaredName) -> None:
        spelled = name.declname
        if is_function(declarator) and spelled:
            help = "write `void` if it returns nothing"
            self.p._unsupported(name.coord, f"'{spelled}' has no return type", help)
        self.p._parse_error("Invalid declaration", None)

    def _enter_name(self, node: Node, name: DeclaredName, outside: Scope) -> None:
        """Make the name of a declaration known."""
        if name.declname is None or name.scope is not None or name.args is not None:
            return
        if isinstance(node, c_ast.Typedef):
            base = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
            self.p._declare(name.declname, Known("type", scope=self._members_of(base)))
        elif name.declname != outside.class_name:
            self.p._declare(name.declname, Known("value"))

    def _enter_variable_template(self, name: DeclaredName) -> None:
        """Make the name of a variable template known in its initialiser, which may name other instances."""
        if self.p._scope.header and name.declname is not None and name.scope is None and name.args is None:
            self.p._declare(name.declname, Known("value", template=True))

    def _members_of(self, base: Node | None) -> Scope | None:
        if isinstance(base, c_ast.Struct | c_ast.Union) and base.name:
            base = c_ast.IdentifierType([base.name])
        return self.p.names.scope_of(base)

    def _definition(self, spec: _DeclSpec, declarator: Node, outside: Scope) -> Node:
        """Parse the body of a function, or skip it for now; its parameters are in scope in it."""
        name = declared_name(declarator)
        decl = self._node(spec, declarator)
        if isinstance(decl, c_ast.Typedef):
            self.p._parse_error("Invalid typedef", decl.coord)
        assert isinstance(decl, c_ast.Decl)
        inside = self.p._scope
        if name.scope is None:
            self.p._enter(outside)
            self._enter_name(decl, name, outside)
        self.p._enter(getattr(declarator, "inside", inside))
        inits = self._member_inits() if self.p._accept("COLON") else []
        body = self.p._lazy_body()
        return Definition(decl, body, decl.coord, inits)

    def _member_inits(self) -> list[MemberInit]:
        """Parse `a(1), b{2}, Base<T>(x)` before the body of a constructor."""
        inits = []
        while True:
            if not self.p.names.begins_name(self.p._peek()):
                self.p._parse_error("Invalid declaration", None)
            target = self.p.names.take_name().as_value()
            mark = self.p._mark()
            if self.p._peek_type() == "LBRACE":
                init: Node = self.p.primaries.direct_list()
            else:
                init = Arguments(self.p.declarators.argument_list(), self.p._tokens.span(mark))
            inits.append(MemberInit(target, init, self.p._accept("ELLIPSIS") is not None))
            if not self.p._accept("COMMA"):
                return inits

    # ------------------------------------------------------------------------------ structured bindings

    def _is_structured_binding(self, spec: _DeclSpec) -> bool:
        if not (len(spec["type"]) == 1 and isinstance(spec["type"][0], c_ast.InferredType)):
            return False
        return self.p._peek_type(1 + (self.p._peek_type() in ("AND", "LAND"))) == "LBRACKET"

    def _structured_binding(self, spec: _DeclSpec) -> StructuredBinding:
        """Parse `&[a, b] = init`, the `auto` being consumed. In a range-`for`, a `:` follows in place of `=`."""
        sign = self.p._accept("AND") or self.p._accept("LAND")
        opening = self.p._expect("LBRACKET")
        names: list[tuple[str, Span]] = []
        while True:
            token = self.p.specifiers.expect_name()
            names.append((token.value, token.span))
            if not self.p._accept("COMMA"):
                break
        self.p._expect("RBRACKET")
        mark = self.p._mark()
        init: Node | None = None
        if self.p._accept("EQUALS") or self.p._peek_type() == "LBRACE":
            init = self.p._parse_initializer()
        elif self.p._peek_type() == "LPAREN":
            init = Arguments(self.p.declarators.argument_list(), self.p._tokens.span(mark))
        for name, span in names:
            self.p._add_identifier(name, span)
        reference: Literal["", "&", "&&"] = "" if sign is None else "&" if sign.value == "&" else "&&"
        return StructuredBinding(tuple(names), tuple(spec["qual"]), reference, init, opening.span)

    # --------------------------------------------------------------------------------- using, namespaces

    def using(self) -> list[Node]:
        """Parse `using` of every kind."""
        self.p._advance()
        if self.p._accept_word("namespace"):
            return [self._using_directive()]
        if self.p._accept("ENUM"):
            return [self._using_enum()]
        if self.p.names.begins_name(self.p._peek()) and self.p._peek_type(2) in ("EQUALS", "ATTRIBUTE_BEGIN"):
            return [self._alias()]
        nodes: list[Node] = []
        while True:
            nodes.append(self._using_declaration())
            if not self.p._accept("COMMA"):
                break
        self.p._expect("SEMI")
        return nodes

    def _alias(self) -> Node:
        """`using Name = type;`, C++'s typedef."""
        name = self.p.specifiers.expect_name()
        self.p.specifiers.skip_attributes()
        self.p._expect("EQUALS")
        self.refuse_unknown_type()
        if not self.p.specifiers.starts_declaration() and self.p.names.begins_name(self.p._peek()):
            target = self.p.specifiers.type_name_of(self.p.names.take_name().as_type())
        else:
            target = self.p.specifiers.parse_type_name()
        self.p._expect("SEMI")
        base = target.type.type if isinstance(target.type, c_ast.TypeDecl) else None
        self.p._declare(name.value, Known("type", scope=self._members_of(base)))
        return c_ast.Typedef(name.value, target.quals, ["typedef"], target.type, name.span)

    def _using_directive(self) -> Node:
        token = self.p._here()
        if not self.p.names.begins_name(token):
            self.p._unexpected(token)
        named = self.p.names.take_name()
        self.p._expect("SEMI")
        if named.known is not None and named.known.scope is not None:
            self.p._scope.searched.append(named.known.scope)
            self.p.names.forget_names()
        return UsingDirective(named.as_value(), token.span)

    def _using_enum(self) -> Node:
        token = self.p._here()
        if not self.p.names.begins_name(token):
            self.p._unexpected(token)
        named = self.p.names.take_name()
        self.p._expect("SEMI")
        if named.known is not None and named.known.scope is not None:
            self.p._scope.searched.append(named.known.scope)
            self.p.names.forget_names()
        return UsingEnum(named.as_type(), token.span)

    def _using_declaration(self) -> Node:
        is_type = self.p._accept_word("typename") is not None
        token = self.p._here()
        if not self.p.names.begins_name(token):
            self.p._unexpected(token)
        named = self.p.names.take_name()
        parts, known = named.parts, named.known
        if len(parts) == 1 and not (named.rooted or named.tail):
            self.p._unsupported(token.span, f"'using {parts[0].name}' names nothing of another scope", None)
        if named.tail:
            self.p._expect("COLONCOLON")
            special = self.p.declarators.special_name()
            parts = (*parts, NamePart(special.declname or "", None, token.span))
            known = Known("value")
        elif not (len(parts) > 1 and parts[-1].name == parts[-2].name):  # `using Base::Base` names no type
            self.p._scope.names.setdefault(parts[-1].name, known or Known("type" if is_type else "unknown"))
            self.p.names.forget_names()
        target: Node = Name(parts, named.rooted, named.span)
        if self.p._accept("ELLIPSIS"):
            target = PackExpansion(target, named.span)
        return UsingDeclaration(target, token.span)

    def namespace_alias(self) -> Node:
        word = self.p._advance()
        name = self.p.specifiers.expect_name()
        self.p._expect("EQUALS")
        named = self.p.names.take_name()
        self.p._expect("SEMI")
        scope = named.known.scope if named.known is not None else None
        library = self.p.names.is_of_library(named.parts[0].name, named.known)
        self.p._declare(name.value, Known("namespace", scope=scope, library=library))
        return NamespaceAlias(name.value, named.as_value(), word.span)

    # ------------------------------------------------------------------------------------ unknown types

    def _refuse_unknown_after_qualifiers(self) -> None:
        """The type of a device function follows its qualifiers: `__device__ Foo f()`."""
        mark = self.p._mark()
        while self.p._peek_type() in _QUALIFIERS:
            self.p._advance()
        if self.p._peek_type() == "ID" and self.p._peek_type(2) == "LPAREN":
            token = self.p._here()
            self.p._unsupported(token.span, f"'{token.value}' has no return type", "write `void` if it returns nothing")
        self.refuse_unknown_type()
        self.p._reset(mark)

    def refuse_unknown_type(self) -> None:
        """Raise if the next tokens can only be a declaration with a type that device code does not know."""
        token = self.p._peek()
        if token is None or token.type != "ID" or self.p._is_known(token.value):
            return
        second, third = self.p._peek_type(2), self.p._peek_type(3)
        declares = (
            second == "ID"
            or self.p._value(2) == "operator"
            or (
                second in ("TIMES", "AND")
                and third in ("ID", "TIMES", *_TYPE_QUALIFIER)
                and self.p._peek_type(4) in ("EQUALS", "SEMI", "COMMA", "RPAREN", "LBRACKET", "ID")
            )
        )
        if declares:
            self.p._unknown_type(token)

    def _refuse_unknown_type_in_declaration(self) -> None:
        mark = self.p._mark()
        qualified = False
        while self.p._peek_type() in _QUALIFIERS:
            self.p._advance()
            qualified = True
        token = self.p._peek()
        if qualified and token is not None and token.type == "ID" and self.p._peek_type(2) in ("ID", "TIMES", "AND"):
            self.p._unknown_type(token)
        self.p._reset(mark)
