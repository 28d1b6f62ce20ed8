"""Parsing declarations and statements: what CUDA and C++ change in pycparser's parser, and what follows an error.

Every node's `coord` is a `Span`: of a declarator its name, of a statement its first word, of an expression from
its first to its last token.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from pycparser import c_ast
from pycparser.c_parser import _TYPE_QUALIFIER, _TYPE_SPEC_SIMPLE, CParser

from ..diag import Diagnostic
from ..lang.builtins import TYPEDEFS, UNSUPPORTED_TYPES
from ..source import Span
from .items import HostOnly
from .lexer import CudaLexer, Token
from .words import (
    CAST_WORDS,
    CLOSING,
    DEEPEST_NESTING,
    LITERAL_TEXT,
    METHOD,
    NOT_SUPPORTED,
    OPENING,
    Faulty,
    Node,
    SyntaxFault,
    TokenStream,
    host_only_use,
)

if TYPE_CHECKING:
    from pycparser.c_parser import _DeclInfo


class DeclarationParser(CParser):
    """The part of the parser that does not parse expressions: errors and recovery, declarations, statements."""

    def __init__(self) -> None:
        super().__init__(lexer=CudaLexer, dialect="c23")
        self.clex: CudaLexer
        self.host_only: dict[str, HostOnly] = {}
        self._scope_stack: list[dict[str, bool]] = [dict.fromkeys(TYPEDEFS, True)]
        self._tokens: TokenStream
        self._faults: list[Diagnostic] = []
        self._recover = False

    def make_host_only(self, name: str, why: HostOnly) -> None:
        """Record that `name` is the host's alone, unless device code may already use it."""
        self.host_only.setdefault(name, why)
        self._scope_stack[0].pop(name, None)

    def parse_item(self, tokens: list[Token], *, recover: bool) -> tuple[list[Node], list[Diagnostic]]:
        """Parse one top-level item. With `recover` a faulty statement is skipped and the next one parsed."""
        self._tokens = TokenStream(tokens)
        self._faults, self._recover = [], recover
        self._scope_stack = self._scope_stack[:1]
        self._typedef_checked_token = None
        nodes: list[Node] = []
        try:
            self._refuse_deep_nesting()
            nodes = self._parse_external_declaration()
            if (left := self._peek()) is not None:
                self._unexpected(left)
        except SyntaxFault as fault:
            self._faults.append(fault.diagnostic)
        except RecursionError:
            here = self._tokens.peek() or self._tokens.tokens[-1]
            self._faults.append(Diagnostic(here.span, "expressions or statements are nested too deeply here"))
        return nodes, self._faults

    def _refuse_deep_nesting(self) -> None:
        depth = 0
        for token in self._tokens.tokens:
            depth += (token.type in OPENING) - (token.type in CLOSING)
            if depth > DEEPEST_NESTING:
                self._unsupported(token.span, f"brackets are nested more than {DEEPEST_NESTING} deep", None)

    def parse_expression(self, tokens: list[Token]) -> Node:
        """Parse `tokens` as one expression. Raises `SyntaxFault`."""
        self._tokens = TokenStream(tokens)
        expression = self._parse_conditional_expression()
        if (left := self._peek()) is not None:
            self._unexpected(left)
        return expression

    # ------------------------------------------------------------------------------------------- errors

    def _tok_coord(self, tok: Token) -> Span:
        return tok.span

    def _parse_error(self, msg: str, coord: Span | None) -> NoReturn:
        """pycparser found a fault: name it in our words, at the token where it stopped."""
        token = self._tokens.peek()
        if msg.startswith("before:") or msg.startswith("Invalid struct reference"):
            token = self._tokens.peek(0)
        if msg == "At end of input" or token is None:
            last = self._tokens.tokens[-1].span
            raise SyntaxFault(Diagnostic(last, "unexpected end of the declaration after this"))
        if msg == "Invalid expression":
            self._fault_at(token, f"expected an expression before '{token.value}'")
        if msg.startswith("before:") or msg in ("Invalid declarator", "Invalid declaration", "Expected identifier"):
            self._fault_at(token, f"unexpected '{token.value}'")
        span = coord if isinstance(coord, Span) else token.span
        self._fault_at(token, msg[:1].lower() + msg[1:], span)

    def _fault_at(self, token: Token, message: str, span: Span | None = None) -> NoReturn:
        """Raise a syntax error at `token`, in its own words if it is something of C++ that has no place here."""
        if token.type == "BAD":
            is_open = token.value.endswith("never closed")  # such a token reaches to the end of its line
            if is_open:
                self._tokens.index = self._tokens.tokens.index(token) + 1
            raise SyntaxFault(Diagnostic(token.span, token.value), complete=is_open)
        known = NOT_SUPPORTED.get(token.value)
        if known:
            self._unsupported(token.span, *known)
        raise SyntaxFault(Diagnostic(span or token.span, message))

    def _unexpected(self, token: Token) -> NoReturn:
        self._fault_at(token, f"unexpected '{token.value}'")

    def _unsupported(self, span: Span, message: str, help: str | None) -> NoReturn:
        raise SyntaxFault(Diagnostic(span, message, help=help))

    def _expect(self, token_type: str) -> Token:
        found = self._here()
        if found.type != token_type:
            before = self._tokens.peek(0)
            wanted = LITERAL_TEXT.get(token_type, "a name" if token_type in ("ID", "TYPEID") else token_type.lower())
            quoted = wanted if wanted == "a name" else f"'{wanted}'"
            span = found.span
            message = f"expected {quoted} before '{found.value}'"
            if token_type == "SEMI" and found.type == "COLON":
                self._unsupported(span, "a 'for' over a range is not supported", "count with an index")
            if token_type == "SEMI" and before is not None and before.span.column:
                # The place that lacks the `;` is behind the last token, perhaps lines before the next one.
                end = before.span
                span = Span(end.source, end.line, end.column + end.length)
                message = f"expected ';' after '{before.value}'"
                if found.span.line > end.line and self._recover and len(self._scope_stack) > 1:
                    self._faults.append(Diagnostic(span, message))
                    return replace(found, type="SEMI", value=";", span=span)  # and the statement is whole
            self._fault_at(found, message, span)
        return self._advance()

    def _parse_block_item_list(self) -> list[Node]:
        """Parse the statements of a block; after a faulty one go on with the next."""
        items: list[Node] = []
        while self._peek_type() not in ("RBRACE", None):
            mark, scopes = self._mark(), len(self._scope_stack)
            try:
                item = self._parse_block_item()
            except SyntaxFault as fault:
                if not self._recover:
                    raise
                self._faults.append(fault.diagnostic)
                del self._scope_stack[scopes:]
                self._typedef_checked_token = None
                if not fault.complete:
                    self._skip_statement(mark)
                item = self._faulty(mark)
                if self._peek_type() == "ELSE" and any(
                    t.type == "IF" for t in self._tokens.tokens[mark : self._mark()]
                ):
                    self._advance()  # it belongs to what was skipped
            items.extend(item if isinstance(item, list) else [item])
        return items

    def _faulty(self, start: int) -> Faulty:
        """Return the stand-in for the tokens skipped since `start`."""
        skipped = self._tokens.tokens[start : self._tokens.index]
        names = [
            token.value
            for token, after in pairwise([*skipped, skipped[-1]])
            if token.type == "ID"
            and after.type not in ("LPAREN", "LT", "COLONCOLON")
            and not self._is_known(token.value)
        ]
        return Faulty(tuple(name for name in names if name not in self.host_only), skipped[0].span)

    def _skip_statement(self, start: int) -> None:
        """Move behind the statement that begins at token `start` and has a fault before the present position."""
        tokens, failed = self._tokens.tokens, self._tokens.index
        parens = braces = 0
        is_for = tokens[start].type == "FOR"
        at = start
        while at < len(tokens):
            kind = tokens[at].type
            if kind in ("LPAREN", "LBRACKET"):
                parens += 1
            elif kind in ("RPAREN", "RBRACKET"):
                parens -= 1
            elif kind == "LBRACE":
                braces += 1
            elif kind == "RBRACE":
                braces -= 1
                if braces < 0:
                    break
            at += 1
            done = kind == "SEMI" and (parens <= 0 or not is_for)
            if kind == "RBRACE":  # `({ ... })` goes on
                done = parens <= 0 or tokens[at].type != "RPAREN"
            if done and braces == 0 and at > failed - 1:
                break
        self._tokens.index = max(at, start + 1) if at < len(tokens) else len(tokens) - 1

    # -------------------------------------------------------------------------------- names that are types

    def _peek(self, k: int = 1) -> Token | None:
        """Return the `k`-th next token; whether a name is a type depends on the scope at this moment."""
        token = self._tokens.peek(k)
        if token is not None and token.type in ("ID", "TYPEID"):
            token.type = "TYPEID" if self._is_type_in_scope(token.value) else "ID"
        return token

    def _here(self, k: int = 1) -> Token:
        """Return the `k`-th next token where the grammar has one. Raises `SyntaxFault` at the end of the item."""
        token = self._peek(k)
        if token is None:
            self._parse_error("At end of input", None)
        return token

    def _add_identifier(self, name: str, coord: Span | None) -> None:
        """Record that `name` is no type. (That it already was one is for `check` to judge.)"""
        self._scope_stack[-1][name] = False
        self._typedef_checked_token = None

    def _add_typedef_name(self, name: str, coord: Span | None) -> None:
        self._scope_stack[-1][name] = True
        self._typedef_checked_token = None

    def _is_known(self, name: str) -> bool:
        return any(name in scope for scope in self._scope_stack)

    def _add_tag(self, token: Token | None) -> None:
        """In C++ the tag of a struct or an enum is a type name by itself."""
        if token is not None and token.type in ("ID", "TYPEID"):
            self._add_typedef_name(token.value, token.span)

    def _parse_struct_or_union_specifier(self) -> c_ast.Struct | c_ast.Union:
        mark = self._mark()
        keyword = self._advance()
        self._parse_attribute_specifier_sequence()
        name = self._tokens.peek()
        if name is not None and self._peek_type() in ("ID", "TYPEID"):
            if self._peek_type(2) == "COLON":
                self._unsupported(
                    self._tokens.tokens[mark + 2].span, "base classes are not supported yet", "make it a member"
                )
            if not self._is_known(name.value) or self._peek_type(2) in ("LBRACE", "SEMI"):
                self._add_tag(name)
        self._reset(mark)
        node = super()._parse_struct_or_union_specifier()
        node.coord = name.span if name is not None and node.name else keyword.span
        while self._peek_type() == "_ALIGNAS":  # `struct {...} __attribute__((aligned(16)))` is about the struct
            node.attributes = [*(node.attributes or []), self._parse_alignment_specifier()]
        return node

    def _parse_enum_specifier(self) -> Node:
        following = self._tokens.peek(2)
        if following is not None and following.value in ("class", "struct"):
            self._unsupported(self._here().span, "scoped enums are not supported yet", "leave out the 'class'")
        if self._peek_type(2) in ("ID", "TYPEID"):
            self._add_tag(self._tokens.peek(2))
        return super()._parse_enum_specifier()

    def _parse_struct_declaration(self) -> list[Node] | None:
        token = self._here()
        if token.type == "TYPEID" and self._peek_type(2) == "LPAREN":
            self._unsupported(
                token.span, "constructors are not supported yet", "assign the members where it is created"
            )
        if token.type == "STATIC":
            self._unsupported(token.span, "static members are not supported yet", "declare it outside the struct")
        if token.type == "INLINE":
            self._unsupported(token.span, *METHOD)
        self._refuse_unknown_type()
        declarations = super()._parse_struct_declaration()
        for declaration in declarations or []:
            if isinstance(declaration, c_ast.Decl) and isinstance(declaration.type, c_ast.FuncDecl):
                self._unsupported(declaration.type.coord, *METHOD)
        return declarations

    def _parse_struct_declarator(self) -> _DeclInfo:
        declarator = super()._parse_struct_declarator()
        if isinstance(declarator["decl"], c_ast.FuncDecl) and self._peek_type() != "SEMI":
            self._unsupported(declarator["decl"].coord, *METHOD)
        if self._peek_type() in ("EQUALS", "LBRACE"):
            help = "assign the member where the struct is created"
            self._unsupported(self._here().span, "initialisers of members are not supported yet", help)
        return declarator

    def _refuse_unknown_type(self) -> None:
        """Raise if the next tokens can only be a declaration with a type that device code does not know."""
        token = self._peek()
        if token is None or token.type != "ID":
            return
        second, third = self._peek_type(2), self._peek_type(3)
        if second == "COLONCOLON" and third in ("ID", "TYPEID"):
            if self._peek_type(4) != "LPAREN":
                self._unsupported(token.span, f"'{token.value}::' is not supported in device code yet", None)
            return
        if second == "LT" and (third in _TYPE_SPEC_SIMPLE or third == "TYPEID"):
            self._unsupported(token.span, *NOT_SUPPORTED["template"])
        if self._is_known(token.value):
            return
        declares = second == "ID" or (
            second in ("TIMES", "AND")
            and third in ("ID", "TIMES", *_TYPE_QUALIFIER)
            and self._peek_type(4) in ("EQUALS", "SEMI", "COMMA", "RPAREN", "LBRACKET", "ID")
        )
        if declares:
            self._unknown_type(token)

    def _unknown_type(self, token: Token) -> NoReturn:
        name = token.value
        if name in self.host_only:
            raise SyntaxFault(host_only_use(name, token.span, self.host_only[name]))
        if name in UNSUPPORTED_TYPES:
            self._unsupported(token.span, f"'{name}' is not supported yet", UNSUPPORTED_TYPES[name])
        types = [known for scope in self._scope_stack for known, is_type in scope.items() if is_type]
        close = difflib.get_close_matches(
            name, [*types, *("float", "double", "int", "unsigned", "char", "bool")], 1, 0.7
        )
        help = f"did you mean '{close[0]}'?" if close else None
        self._unsupported(token.span, f"unknown type name '{name}'", help)

    # -------------------------------------------------------------------------------------- declarations

    def _parse_external_declaration(self) -> list[Node]:
        token = self._peek()
        if token is not None and token.value == "using":
            return [self._parse_using()]
        self._refuse_unknown_after_qualifiers()
        if token is not None and self._starts_declaration(token):
            return self._parse_function_or_variables()
        return super()._parse_external_declaration()

    def _parse_function_or_variables(self) -> list[Node]:
        """Parse a declaration at file scope. The brace of `const int x{3}` begins an initialiser, no body."""
        spec, saw_type, _ = self._parse_declaration_specifiers(allow_no_type=True)
        mark = self._mark()
        if self._peek_declarator_name_info()[0] == "ID":
            declarator = self._parse_id_declarator()
            is_function = isinstance(declarator, c_ast.FuncDecl) or "__global__" in spec["function"]
            if is_function and self._peek_type() == "LBRACE":
                return [self._parse_function_definition(spec, declarator)]
            self._reset(mark)
        return self._parse_declaration_end(self._parse_decl_body_with_spec(spec, saw_type))

    def _refuse_unknown_after_qualifiers(self) -> None:
        """The type of a device function follows its qualifiers: `__device__ Foo f()`."""
        mark = self._mark()
        while self._peek_type() in (
            "INLINE",
            "STATIC",
            "EXTERN",
            "CONST",
            "CONSTEXPR",
            "REGISTER",
            "VOLATILE",
            "TYPEDEF",
        ):
            self._advance()
        if self._peek_type() == "ID" and self._peek_type(2) == "LPAREN":
            token = self._here()
            self._unsupported(token.span, f"'{token.value}' has no return type", "write `void` if it returns nothing")
        self._refuse_unknown_type()
        self._reset(mark)

    def _parse_using(self) -> Node:
        """`using Name = type;`, C++'s typedef."""
        self._advance()
        name = self._expect("ID")
        self._expect("EQUALS")
        self._refuse_unknown_type()
        target = self._parse_type_name()
        self._expect("SEMI")
        self._add_typedef_name(name.value, name.span)
        return c_ast.Typedef(name.value, target.quals, ["typedef"], target.type, name.span)

    def _parse_declaration(self) -> list[Node]:
        self._refuse_unknown_type_in_declaration()
        return super()._parse_declaration()

    def _refuse_unknown_type_in_declaration(self) -> None:
        mark = self._mark()
        qualified = False
        while self._peek_type() in ("STATIC", "CONST", "CONSTEXPR", "REGISTER", "VOLATILE", "TYPEDEF"):
            self._advance()
            qualified = True
        token = self._peek()
        if qualified and token is not None and token.type == "ID" and self._peek_type(2) in ("ID", "TIMES", "AND"):
            self._unknown_type(token)
        self._reset(mark)

    def _parse_block_item(self) -> Node | list[Node]:
        self._refuse_unknown_type()
        return super()._parse_block_item()

    def _parse_alignment_specifier(self) -> c_ast.Alignas:
        """`alignas(n)`, `__align__(n)`, `__launch_bounds__(...)` and `__attribute__((...))`, all as one kind of node.

        The node's `alignment` is a call of that name with the operands as arguments.
        """
        word = self._tokens.peek()
        assert word is not None
        if word.value in ("alignas", "_Alignas"):
            return super()._parse_alignment_specifier()
        mark = self._mark()
        self._advance()
        self._expect("LPAREN")
        if word.value.startswith("__attribute"):
            operands, name = self._parse_gnu_attributes(word.value)
        else:
            name = word.value
            operands = [] if self._peek_type() == "RPAREN" else self._parse_argument_expression_list().exprs
            self._expect("RPAREN")
        span = self._tokens.span(mark)
        return c_ast.Alignas(c_ast.FuncCall(c_ast.ID(name, word.span), c_ast.ExprList(operands, span), span), span)

    def _parse_gnu_attributes(self, name: str) -> tuple[list[Node], str]:
        """Parse `((...))` after `__attribute__`; only `aligned(n)` and `packed` mean something here."""
        operands: list[Node] = []
        self._expect("LPAREN")
        depth = 1
        while depth:
            token = self._advance()
            if token.value in ("aligned", "__aligned__") and self._peek_type() == "LPAREN":
                self._advance()
                operands, name = [self._parse_conditional_expression()], "__align__"
                self._expect("RPAREN")
            elif token.value in ("packed", "__packed__"):
                self._unsupported(token.span, "packed structs are not supported yet", None)
            depth += (token.type == "LPAREN") - (token.type == "RPAREN")
        self._expect("RPAREN")
        return operands, name

    def _parse_attribute_specifier_sequence(self) -> list[Node]:
        groups: list[Node] = super()._parse_attribute_specifier_sequence()
        while self._tokens.peek() is not None and self._peek_type() == "_ALIGNAS":
            groups.append(self._parse_alignment_specifier())
        return groups

    def _starts_declarator(self, id_only: bool = False) -> bool:
        self._refuse_reference()
        return super()._starts_declarator(id_only)

    def _parse_any_declarator(
        self, allow_abstract: bool = False, typeid_paren_as_abstract: bool = False
    ) -> tuple[Node | None, bool]:
        self._refuse_reference()
        return super()._parse_any_declarator(allow_abstract, typeid_paren_as_abstract)

    def _parse_abstract_declarator_opt(self) -> Node | None:
        self._refuse_reference()
        return super()._parse_abstract_declarator_opt()

    def _refuse_reference(self) -> None:
        to_array = self._peek_type() == "LPAREN"
        sign = self._peek(1 + to_array)
        if sign is not None and sign.type in ("AND", "LAND"):
            help = self._instead_of_reference(self._peek(2 + to_array), to_array)
            self._unsupported(sign.span, "references are not supported yet", help)

    def _instead_of_reference(self, name: Token | None, to_array: bool) -> str:
        """Return what to write for a reference of this name."""
        if len(self._scope_stack) == 1 or name is None or name.type not in ("ID", "TYPEID"):
            return "pass a pointer"
        if to_array:
            return f"use a pointer to the first element: `T *{name.value} = array;`"
        before = self._tokens.tokens[self._tokens.index - 2 : self._tokens.index]
        if any(token.type == "CONST" for token in before):
            return "leave out the '&'"
        return f"use a pointer: `T *{name.value} = &variable;`"

    def _parse_direct_declarator(self, kind: str, allow_paren: bool = True) -> Node:
        self._refuse_reference()
        return super()._parse_direct_declarator(kind, allow_paren)

    def _parse_init_declarator(self, id_only: bool = False) -> _DeclInfo:
        """Parse a declarator, and `T x{...}` and `T x(value)`, which C++ allows without `=`."""
        self._refuse_reference()
        decl = self._parse_id_declarator() if id_only else self._parse_declarator()
        self._hide_type(decl)
        declarator: _DeclInfo = {"decl": decl}
        if self._accept("EQUALS"):
            declarator["init"] = self._parse_initializer()
        if self._peek_type() == "LBRACE":
            declarator["init"] = self._parse_initializer()
        elif not isinstance(declarator["decl"], c_ast.FuncDecl) and self._peek_type() == "LPAREN":
            opening = self._advance()
            declarator["init"] = self._parse_assignment_expression()
            if self._peek_type() == "COMMA":
                self._unsupported(opening.span, "constructors are not supported yet", "write `= {a, b}`")
            self._expect("RPAREN")
        return declarator

    def _hide_type(self, decl: Node) -> None:
        """In `int half = 1, i = half` the variable hides the type from its own declarator on."""
        inner: Node | None = decl
        while inner is not None and not isinstance(inner, c_ast.TypeDecl):
            inner = getattr(inner, "type", None)
        if inner is not None and inner.declname in TYPEDEFS and not isinstance(decl, c_ast.FuncDecl):
            self._add_identifier(inner.declname, inner.coord)

    def _parse_decl_suffixes(self, decl: Node) -> Node:
        """The sizes of an array and the parameters of a function; what else is in parentheses is an initialiser."""
        while True:
            if self._peek_type() == "LBRACKET":
                suffix: Node | None = self._parse_array_decl(decl)
            elif self._peek_type() == "LPAREN":
                suffix = self._parse_parameters(decl)
            else:
                return decl
            if suffix is None:
                return decl
            decl = self._type_modify_decl(decl, suffix)

    def _parse_parameters(self, decl: Node) -> Node | None:
        """Parse a parameter list; return None, without having moved, at the value of `int x(3)`, `int x(int(3))`."""
        following = self._peek(2)
        if following is not None and following.type != "RPAREN" and not self._starts_parameter(following):
            if following.type == "ID" and not self._is_known(following.value) and len(self._scope_stack) == 1:
                self._unknown_type(following)
            if self._starts_expression(following):
                return None
            self._fault_at(following, f"expected a parameter or ')' before '{following.value}'")
        mark = self._mark()
        try:
            return self._parse_function_decl(decl)
        except SyntaxFault:
            if not self._is_conversion(mark + 1):
                raise
        self._reset(mark)
        return None

    def _is_conversion(self, at: int) -> bool:
        """True if the tokens from `at` on begin `float(x)` or `Point{1, 2}`."""
        tokens = self._tokens.tokens
        start = at
        while at < len(tokens) and (tokens[at].type in _TYPE_SPEC_SIMPLE or tokens[at].type == "TYPEID"):
            at += 1
        return start < at < len(tokens) and tokens[at].type in ("LPAREN", "LBRACE")

    def _parse_function_decl(self, base_decl: Node) -> Node:
        """Parse a parameter list; in C++ it is never a list of bare names."""
        node = super()._parse_function_decl(base_decl)
        after = self._tokens.peek()
        if after is not None and after.value == "noexcept":  # device code throws nothing anyway
            self._advance()
        return node

    def _starts_parameter(self, token: Token) -> bool:
        return token.type == "ELLIPSIS" or self._starts_declaration(token)

    def _parse_parameter_declaration(self) -> c_ast.Decl | c_ast.Typename:
        """Parse a parameter, perhaps with a default argument."""
        token = self._peek()
        if token is None:
            self._parse_error("At end of input", None)
        if token.type == "CPP":
            self._unexpected(token)
        if token.type == "ID":
            self._unknown_type(token)
        if token.type in ("CONST", "VOLATILE") and self._peek_type(2) == "ID":
            self._unknown_type(self._here(2))
        if not self._starts_parameter(token):
            self._fault_at(token, f"expected a parameter before '{token.value}'")
        declaration = super()._parse_parameter_declaration()
        if self._accept("EQUALS"):
            default = self._parse_assignment_expression()
            if isinstance(declaration, c_ast.Typename):  # a parameter without a name
                return c_ast.Decl(
                    None, declaration.quals, [], [], [], declaration.type, default, None, declaration.coord
                )
            declaration.init = default
        return declaration

    # ----------------------------------------------------------------------------------------- statements

    def _parse_statement(self) -> Node:
        token = self._here()
        if token.type == "CPP" and token.value not in CAST_WORDS:
            self._unexpected(token)
        if token.type == "ELSE":
            self._fault_at(token, "'else' without 'if'")
        return super()._parse_statement()

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

    def _parse_selection_statement(self) -> Node:
        """`if constexpr` is an `if`: without templates there is nothing to discard."""
        if self._peek_type(2) == "CONSTEXPR":
            self._tokens.drop(2)
        return super()._parse_selection_statement()
