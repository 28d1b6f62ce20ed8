"""What pycparser's parser asks of ours: each of its methods that we replace, and the part that answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from ...source import Span
from ..text.lexer import Token
from .classes import Classes
from .declarations import Declarations
from .declarators import Declarators
from .lambdas import Lambdas
from .parameters import Parameters
from .parser_base import ParserBase
from .primaries import Primaries
from .qualified import Names
from .requirements import Requirements
from .specifiers import Specifiers
from .statements import StatementParser
from .templates import Templates
from .words import Node

if TYPE_CHECKING:
    from pycparser.c_parser import _DeclInfo, _DeclSpec


class Grammar(ParserBase):
    """The parts of the parser, and pycparser's names for what they parse.

    pycparser's methods, and ours that override them, begin with an underscore; parts call them on the whole parser.
    """

    def __init__(self) -> None:
        super().__init__()
        self.names = Names(self)
        self.specifiers = Specifiers(self)
        self.declarators = Declarators(self)
        self.parameters = Parameters(self)
        self.declarations = Declarations(self)
        self.classes = Classes(self)
        self.templates = Templates(self)
        self.statements = StatementParser(self)
        self.lambdas = Lambdas(self)
        self.requirements = Requirements(self)
        self.primaries = Primaries(self)

    def _starts_declaration(self, tok: Token | None = None) -> bool:
        return self.specifiers.starts_declaration(tok)

    def _parse_specifiers(self, *, allow_storage_and_function: bool) -> tuple[_DeclSpec | None, bool, Span | None]:
        return self.specifiers.parse_specifiers(allow_storage_and_function=allow_storage_and_function)

    def _fix_decl_name_type(self, decl: Any, typename: list[Node]) -> Any:
        return self.specifiers.fix_decl_name_type(decl, typename)

    def _parse_type_name(self) -> c_ast.Typename:
        return self.specifiers.parse_type_name()

    def _parse_enum_specifier(self) -> Node:
        return self.specifiers.parse_enum_specifier()

    def _parse_enumerator(self) -> Node:
        return self.specifiers.parse_enumerator()

    def _parse_alignment_specifier(self) -> c_ast.Alignas:
        return self.specifiers.parse_alignment_specifier()

    def _parse_attribute_specifier_sequence(self) -> list[Node]:
        return self.specifiers.parse_attribute_specifier_sequence()

    def _parse_declarator(self) -> Node:
        return self.declarators.parse_declarator()

    def _parse_id_declarator(self) -> Node:
        return self.declarators.parse_id_declarator()

    def _parse_any_declarator(
        self, allow_abstract: bool = False, typeid_paren_as_abstract: bool = False
    ) -> tuple[Node | None, bool]:
        return self.declarators.parse_any_declarator(allow_abstract, typeid_paren_as_abstract)

    def _parse_abstract_declarator_opt(self) -> Node | None:
        return self.declarators.parse_abstract_declarator_opt()

    def _starts_declarator(self, id_only: bool = False) -> bool:
        return self.declarators.starts_declarator(id_only)

    def _parse_array_decl_common(self, base_type: Node | None, coord: Span | None = None) -> Node:
        return self.declarators.parse_array_decl_common(base_type, coord)

    def _parse_function_decl(self, base_decl: Node) -> Node:
        return self.parameters.parse_function_decl(base_decl)

    def _parse_parameter_type_list(self) -> c_ast.ParamList:
        return self.parameters.parse_parameter_type_list()

    def _parse_parameter_declaration(self) -> c_ast.Decl | c_ast.Typename:
        return self.parameters.parse_parameter_declaration()

    def _parse_external_declaration(self) -> list[Node]:
        return self.declarations.parse_external_declaration()

    def _parse_declaration(self) -> list[Node]:
        return self.declarations.parse_declaration()

    def _build_declarations(
        self, spec: _DeclSpec, decls: list[_DeclInfo], typedef_namespace: bool = False
    ) -> list[c_ast.Decl | c_ast.Typedef]:
        return self.declarations.build_declarations(spec, decls, typedef_namespace)

    def _parse_struct_or_union_specifier(self) -> Node:
        return self.classes.parse_struct_or_union_specifier()

    def _parse_block_item(self) -> Node | list[Node]:
        return self.statements.parse_block_item()

    def _parse_statement(self) -> Node:
        return self.statements.parse_statement()

    def _parse_expression_statement(self) -> Node:
        return self.statements.parse_expression_statement()

    def _parse_jump_statement(self) -> Node:
        return self.statements.parse_jump_statement()

    def _parse_selection_statement(self) -> Node:
        return self.statements.parse_selection_statement()

    def _parse_iteration_statement(self) -> Node:
        return self.statements.parse_iteration_statement()

    def _try_parse_paren_type_name(self) -> Any:
        return self.primaries.try_parse_paren_type_name()
