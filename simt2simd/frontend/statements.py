"""Parsing statements: what C++ adds to those of C."""

from __future__ import annotations

from pycparser import c_ast
from pycparser.ast_transforms import fix_switch_cases
from pycparser.c_parser import _TYPE_SPEC_SIMPLE

from .asm_statement import ASM_WORDS, parse_asm
from .cxx import If, RangeFor, Switch, Throw
from .lexer import Token
from .templates import Templates
from .words import EXPRESSION_WORDS, Node, SyntaxFault


class StatementParser(Templates):
    """The part of the parser for statements."""

    def _begins_construction(self) -> bool:
        """True at a type that `(` or `{` follows directly: `Point{1, 2}`, `float(x)`."""
        mark = self._mark()
        token = self._here()
        if token.value == "typename":
            self._advance()
        if token.value == "decltype":
            found = self._attempt(self._decltype)
        elif self._begins_name(self._peek()):
            found = self._attempt(lambda: self._take_name().as_type())
        else:
            found = c_ast.EmptyStatement()
            while self._peek_type() in _TYPE_SPEC_SIMPLE or self._peek_type() == "AUTO":
                self._advance()
        moved = self._mark() > mark and not isinstance(found, SyntaxFault)
        result = moved and self._peek_type() in ("LPAREN", "LBRACE")
        self._reset(mark)
        return result

    def _parse_block_item(self) -> Node | list[Node]:
        if self._peek_type() == "ATTRIBUTE_BEGIN":
            self._skip_attributes()
            if self._accept("SEMI"):
                return []
        self._refuse_unknown_type()
        token = self._here()
        if token.value == "using":
            return self._using()
        if token.value == "namespace":
            return self._namespace_alias()
        if token.type == "_STATIC_ASSERT":
            return self._parse_static_assert()
        if self._starts_declaration():
            return self._declaration_or_expression()
        return self._parse_statement()

    def _declaration_or_expression(self) -> Node | list[Node]:
        """`T(x);` declares, if it can; `T(x, 1).f();` and `T{1};` are expressions."""
        if not self._begins_construction():
            return self._parse_declaration()
        mark = self._mark()
        declaration = self._attempt(self._parse_declaration)
        if not isinstance(declaration, SyntaxFault):
            return declaration
        statement = self._attempt(self._parse_expression_statement)
        if isinstance(statement, SyntaxFault):
            self._reset(mark)
            return self._parse_declaration() if self._recover else self._parse_expression_statement()
        return statement

    def _parse_statement(self) -> Node:
        if self._peek_type() == "ATTRIBUTE_BEGIN":
            self._skip_attributes()
        token = self._here()
        if token.value == "try":
            return self._try()
        if token.type == "CPP" and token.value in ASM_WORDS:
            return parse_asm(self)
        if token.type == "CPP" and token.value not in EXPRESSION_WORDS:
            self._unexpected(token)
        if token.type == "ELSE":
            self._fault_at(token, "'else' without 'if'")
        return super()._parse_statement()

    def _try(self) -> Node:
        """Parse `try { ... } catch (...) { ... }`, which is refused if device code uses it."""
        word = self._advance()
        self._parse_compound_statement()
        while self._accept_word("catch"):
            self._expect("LPAREN")
            while self._here().type != "RPAREN":
                self._advance()
            self._advance()
            self._lazy_body()
        return Throw("try", word.span)

    def _parse_expression_statement(self) -> Node:
        token = self._here()
        if token.type != "SEMI" and not self._starts_expression():
            self._fault_at(token, f"expected a statement before '{token.value}'")
        return super()._parse_expression_statement()

    def _parse_jump_statement(self) -> Node:
        """`return {...};` returns a struct."""
        token = self._tokens.peek()
        if token is not None and token.type == "RETURN" and self._peek_type(2) == "LBRACE":
            self._advance()
            braces = self._parse_initializer()
            self._expect("SEMI")
            return c_ast.Return(braces, token.span)
        return super()._parse_jump_statement()

    # ---------------------------------------------------------------------------------------- conditions

    def _parse_selection_statement(self) -> Node:
        word = self._advance()
        constexpr = self._accept("CONSTEXPR") is not None
        outside = self._scope
        self._push_scope()
        self._expect("LPAREN")
        init, cond = self._condition()
        self._expect("RPAREN")
        then = self._parse_pragmacomp_or_statement()
        plain = init is None and not constexpr and not isinstance(cond, c_ast.Decl)
        node: Node
        if word.type == "SWITCH":
            made = c_ast.Switch(cond, then, word.span) if plain else Switch(cond, then, word.span, init)
            node = fix_switch_cases(made)
        else:
            other = self._parse_pragmacomp_or_statement() if self._accept("ELSE") else None
            if plain:
                node = c_ast.If(cond, then, other, word.span)
            else:
                node = If(cond, then, other, word.span, init, constexpr)
        self._enter(outside)
        return node

    def _condition(self) -> tuple[Node | None, Node]:
        """Parse `init; cond`, where both may be declarations; `init` is mostly missing."""
        if self._accept("SEMI"):
            return None, self._condition()[1]
        first = self._here()
        node = self._declaration_in_condition()
        if not self._accept("SEMI"):
            return None, node[0]
        init = c_ast.DeclList(node, first.span) if self._is_declaration(node[0]) else node[0]
        return init, self._declaration_in_condition()[0]

    def _is_declaration(self, node: Node) -> bool:
        return not isinstance(node, c_ast.ID) and type(node).__name__ in ("Decl", "StructuredBinding", "Typedef")

    def _declaration_in_condition(self) -> list[Node]:
        if self._is_declaration_here():
            return self._declared_nodes(self._scope)[0]
        return [self._parse_expression()]

    def _is_declaration_here(self) -> bool:
        self._refuse_unknown_type()
        return self._starts_declaration() and not self._begins_construction()

    # --------------------------------------------------------------------------------------------- loops

    def _parse_iteration_statement(self) -> Node:
        word = self._here()
        if word.type == "DO":
            return super()._parse_iteration_statement()
        self._advance()
        outside = self._scope
        self._push_scope()
        self._expect("LPAREN")
        node = self._while(word) if word.type == "WHILE" else self._for(word)
        self._enter(outside)
        return node

    def _while(self, word: Token) -> Node:
        cond = self._declaration_in_condition()[0]
        self._expect("RPAREN")
        return c_ast.While(cond, self._parse_pragmacomp_or_statement(), word.span)

    def _for(self, word: Token) -> Node:
        init, ranged = self._for_init(word)
        if ranged:
            assert init is not None
            return self._range_for(word, None, init)
        if isinstance(init, c_ast.DeclList) and self._is_declaration_here():
            mark = self._mark()
            declared, _ = self._declared_nodes(self._scope)
            if self._accept("COLON"):
                return self._range_for(word, init, declared[0])
            self._reset(mark)
        declares = self._peek_type() != "SEMI" and self._is_declaration_here()
        cond = self._declared_nodes(self._scope)[0][0] if declares else self._parse_expression_opt()
        self._expect("SEMI")
        step = self._parse_expression_opt()
        self._expect("RPAREN")
        return c_ast.For(init, cond, step, self._parse_pragmacomp_or_statement(), word.span)

    def _for_init(self, word: Token) -> tuple[Node | None, bool]:
        """Parse up to the first `;` of a loop, or up to the `:` of one over a range."""
        self._skip_attributes()
        if self._peek_type() == "_STATIC_ASSERT":
            return c_ast.DeclList([self._parse_static_assert()], word.span), False
        if not self._is_declaration_here():
            init = self._parse_expression_opt()
            self._expect("SEMI")
            return init, False
        nodes, _ = self._declared_nodes(self._scope)
        if len(nodes) == 1 and self._accept("COLON"):
            return nodes[0], True
        return c_ast.DeclList(self._parse_declaration_end(nodes), word.span), False

    def _range_for(self, word: Token, init: Node | None, declaration: Node) -> Node:
        over = self._parse_initializer()
        self._expect("RPAREN")
        return RangeFor(init, declaration, over, self._parse_pragmacomp_or_statement(), word.span)
