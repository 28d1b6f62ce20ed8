"""Parsing statements: what C++ adds to those of C."""

from __future__ import annotations

from pycparser import c_ast
from pycparser.ast_transforms import fix_switch_cases
from pycparser.c_parser import _TYPE_SPEC_SIMPLE, CParser

from ..text.lexer import Token
from .asm_statement import ASM_WORDS, parse_asm
from .cxx import If, RangeFor, Switch, Throw
from .parser_part import ParserPart
from .words import EXPRESSION_WORDS, Node, SyntaxFault


class StatementParser(ParserPart):
    """The part of the parser for statements."""

    def begins_construction(self) -> bool:
        """True at a type that `(` or `{` follows directly: `Point{1, 2}`, `float(x)`."""
        mark = self.p._mark()
        token = self.p._here()
        if token.value == "typename":
            self.p._advance()
        if token.value == "decltype":
            found = self.p._attempt(self.p.specifiers.decltype)
        elif self.p.names.begins_name(self.p._peek()):
            found = self.p._attempt(lambda: self.p.names.take_name().as_type())
        else:
            found = c_ast.EmptyStatement()
            while self.p._peek_type() in _TYPE_SPEC_SIMPLE or self.p._peek_type() == "AUTO":
                self.p._advance()
        moved = self.p._mark() > mark and not isinstance(found, SyntaxFault)
        result = moved and self.p._peek_type() in ("LPAREN", "LBRACE")
        self.p._reset(mark)
        return result

    def parse_block_item(self) -> Node | list[Node]:
        if self.p._peek_type() == "ATTRIBUTE_BEGIN":
            self.p.specifiers.skip_attributes()
            if self.p._accept("SEMI"):
                return []
        self.p.declarations.refuse_unknown_type()
        token = self.p._here()
        if token.value == "using":
            return self.p.declarations.using()
        if token.value == "namespace":
            return self.p.declarations.namespace_alias()
        if token.type == "_STATIC_ASSERT":
            return self.p._parse_static_assert()
        if self.p.specifiers.starts_declaration():
            return self._declaration_or_expression()
        return self.parse_statement()

    def _declaration_or_expression(self) -> Node | list[Node]:
        """`T(x);` declares, if it can; `T(x, 1).f();` and `T{1};` are expressions."""
        if not self.begins_construction():
            return self.p.declarations.parse_declaration()
        mark, names = self.p._mark(), dict(self.p._scope.names)
        declaration = self.p._attempt(self.p.declarations.parse_declaration)
        if not isinstance(declaration, SyntaxFault):
            return declaration
        if self.p._scope.names != names:  # `T(T(x)).f();` declares no T
            self.p._scope.names.clear()
            self.p._scope.names.update(names)
            self.p.names.forget_names()
        statement = self.p._attempt(self.parse_expression_statement)
        if isinstance(statement, SyntaxFault):
            self.p._reset(mark)
            return self.p.declarations.parse_declaration() if self.p._recover else self.parse_expression_statement()
        return statement

    def parse_statement(self) -> Node:
        if self.p._peek_type() == "ATTRIBUTE_BEGIN":
            self.p.specifiers.skip_attributes()
        token = self.p._here()
        if token.value == "try":
            return self._try()
        if token.type == "CPP" and token.value in ASM_WORDS:
            return parse_asm(self.p)
        if token.type == "CPP" and token.value not in EXPRESSION_WORDS:
            self.p._unexpected(token)
        if token.type == "ELSE":
            self.p._fault_at(token, "'else' without 'if'")
        return CParser._parse_statement(self.p)

    def _try(self) -> Node:
        """Parse `try { ... } catch (...) { ... }`, which is refused if device code uses it."""
        word = self.p._advance()
        self.p._parse_compound_statement()
        while self.p._accept_word("catch"):
            self.p._expect("LPAREN")
            while self.p._here().type != "RPAREN":
                self.p._advance()
            self.p._advance()
            self.p._lazy_body()
        return Throw("try", word.span)

    def parse_expression_statement(self) -> Node:
        token = self.p._here()
        if token.type != "SEMI" and not self.p._starts_expression():
            self.p._fault_at(token, f"expected a statement before '{token.value}'")
        return CParser._parse_expression_statement(self.p)

    def parse_jump_statement(self) -> Node:
        """`return {...};` returns a struct."""
        token = self.p._tokens.peek()
        if token is not None and token.type == "RETURN" and self.p._peek_type(2) == "LBRACE":
            self.p._advance()
            braces = self.p._parse_initializer()
            self.p._expect("SEMI")
            return c_ast.Return(braces, token.span)
        return CParser._parse_jump_statement(self.p)

    # ---------------------------------------------------------------------------------------- conditions

    def parse_selection_statement(self) -> Node:
        word = self.p._advance()
        constexpr = self.p._accept("CONSTEXPR") is not None
        outside = self.p._scope
        self.p._push_scope()
        self.p._expect("LPAREN")
        init, cond = self._condition()
        self.p._expect("RPAREN")
        then = self.p._parse_pragmacomp_or_statement()
        plain = init is None and not constexpr and not isinstance(cond, c_ast.Decl)
        node: Node
        if word.type == "SWITCH":
            made = c_ast.Switch(cond, then, word.span) if plain else Switch(cond, then, word.span, init)
            node = fix_switch_cases(made)
        else:
            other = self.p._parse_pragmacomp_or_statement() if self.p._accept("ELSE") else None
            if plain:
                node = c_ast.If(cond, then, other, word.span)
            else:
                node = If(cond, then, other, word.span, init, constexpr)
        self.p._enter(outside)
        return node

    def _condition(self) -> tuple[Node | None, Node]:
        """Parse `init; cond`, where both may be declarations; `init` is mostly missing."""
        if self.p._accept("SEMI"):
            return None, self._condition()[1]
        first = self.p._here()
        node = self._declaration_in_condition()
        if not self.p._accept("SEMI"):
            return None, node[0]
        init = c_ast.DeclList(node, first.span) if self._is_declaration(node[0]) else node[0]
        return init, self._declaration_in_condition()[0]

    def _is_declaration(self, node: Node) -> bool:
        declarations = ("Decl", "StructuredBinding", "Typedef", "AlignedTypedef")
        return not isinstance(node, c_ast.ID) and type(node).__name__ in declarations

    def _declaration_in_condition(self) -> list[Node]:
        if self._is_declaration_here():
            return self.p.declarations.declared_nodes(self.p._scope)[0]
        return [self.p._parse_expression()]

    def _is_declaration_here(self) -> bool:
        self.p.declarations.refuse_unknown_type()
        return self.p.specifiers.starts_declaration() and not self.begins_construction()

    # --------------------------------------------------------------------------------------------- loops

    def parse_iteration_statement(self) -> Node:
        word = self.p._here()
        if word.type == "DO":
            return CParser._parse_iteration_statement(self.p)
        self.p._advance()
        outside = self.p._scope
        self.p._push_scope()
        self.p._expect("LPAREN")
        node = self._while(word) if word.type == "WHILE" else self._for(word)
        self.p._enter(outside)
        return node

    def _while(self, word: Token) -> Node:
        cond = self._declaration_in_condition()[0]
        self.p._expect("RPAREN")
        return c_ast.While(cond, self.p._parse_pragmacomp_or_statement(), word.span)

    def _for(self, word: Token) -> Node:
        init, ranged = self._for_init(word)
        if ranged:
            assert init is not None
            return self._range_for(word, None, init)
        if isinstance(init, c_ast.DeclList) and self._is_declaration_here():
            mark = self.p._mark()
            declared, _ = self.p.declarations.declared_nodes(self.p._scope)
            if self.p._accept("COLON"):
                return self._range_for(word, init, declared[0])
            self.p._reset(mark)
        declares = self.p._peek_type() != "SEMI" and self._is_declaration_here()
        cond = self.p.declarations.declared_nodes(self.p._scope)[0][0] if declares else self.p._parse_expression_opt()
        self.p._expect("SEMI")
        step = self.p._parse_expression_opt()
        self.p._expect("RPAREN")
        return c_ast.For(init, cond, step, self.p._parse_pragmacomp_or_statement(), word.span)

    def _for_init(self, word: Token) -> tuple[Node | None, bool]:
        """Parse up to the first `;` of a loop, or up to the `:` of one over a range."""
        self.p.specifiers.skip_attributes()
        if self.p._peek_type() == "_STATIC_ASSERT":
            return c_ast.DeclList([self.p._parse_static_assert()], word.span), False
        mark = self.p._mark()
        if not self._is_declaration_here():
            init = self.p._parse_expression_opt()
            if self.p._peek_type() != "COLON":
                self.p._expect("SEMI")
                return init, False
            self.p._reset(mark)  # `for (int(&row)[2] : grid)`
        nodes, _ = self.p.declarations.declared_nodes(self.p._scope)
        if len(nodes) == 1 and self.p._accept("COLON"):
            return nodes[0], True
        return c_ast.DeclList(self.p._parse_declaration_end(nodes), word.span), False

    def _range_for(self, word: Token, init: Node | None, declaration: Node) -> Node:
        over = self.p._parse_initializer()
        self.p._expect("RPAREN")
        return RangeFor(init, declaration, over, self.p._parse_pragmacomp_or_statement(), word.span)
