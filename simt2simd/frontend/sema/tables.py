"""What is known of a file's types, functions and variables: what the module is made of at the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...lang.ctype import Enumeration, Scalar, Struct
from ...source import Source, Span
from ...tree.nodes import Constant, Content, Function, Variable
from ..parse.words import Node
from .class_info import ClassInfo
from .scopes import Bindings, ConstMembers, FunctionName, Scope, TemplateArgument, TemplateName


@dataclass(eq=False)
class StructTable:
    """Structs, classes and enumerations."""

    all: list[Struct] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)  # of structs in the tree
    classes: dict[Struct, ClassInfo] = field(default_factory=dict)
    made_of: dict[Struct, tuple[TemplateName, tuple[TemplateArgument, ...]]] = field(default_factory=dict)  # instances
    chosen: dict[Struct, tuple[TemplateName, Bindings]] = field(default_factory=dict)  # what defines an instance
    specifiers: dict[Node, Struct | Scalar] = field(default_factory=dict)  # what each `struct ...`, `enum ...` names
    const_members: ConstMembers = field(default_factory=set)
    has_bit_fields: bool = False
    homes: dict[Struct | Enumeration, tuple[Scope, ...]] = field(default_factory=dict)  # where types are declared


@dataclass(eq=False)
class FunctionTable:
    """Functions: those that are declared, called and checked."""

    checked: dict[str, Function] = field(default_factory=dict)  # those of the module, by their keys
    called: dict[FunctionName, Span] = field(default_factory=dict)  # where each device function is first called
    evaluated: dict[FunctionName, Span] = field(default_factory=dict)  # those that no unevaluated operand calls
    pending: list[FunctionName] = field(default_factory=list)  # those called whose bodies are not checked yet
    used: dict[str, FunctionName] = field(default_factory=dict)  # by key, all whose names calls had, in any operand
    may_have_grid_constants: bool = False  # parameters of kernels, of this file or of another one
    only_checked: set[str] = field(default_factory=set)  # those that belong to the module only if others call them
    of_both_sides: set[str] = field(default_factory=set)  # those checked that are for the host or no one, by their keys
    main_source: Source | None = None  # what includes the headers
    lambdas: list[FunctionName] = field(default_factory=list)  # what the program's lambdas do, called or not
    elsewhere: dict[str, Span] = field(default_factory=dict)  # every function of the file, also those further down
    keys: set[str] = field(default_factory=set)  # of functions in the tree
    reserved_keys: set[str] = field(default_factory=set)  # those of `keys` that wait for the kernels of these names

    def forget_unevaluated(self, first: int) -> None:
        """Forget what an unevaluated operand called since `called` had `first` entries: it needs no definition.

        The body of a function that returns `auto` may have been checked for that operand; what it calls is needed.
        """
        for function in list(self.called)[first:]:
            if function not in self.evaluated or function.node is None:
                del self.called[function]


@dataclass(eq=False)
class VariableTable:
    """Variables of the file, and constants."""

    contents: dict[Variable, Content] = field(default_factory=dict)  # of variables that the host knows
    undefined: set[Variable] = field(default_factory=set)  # those of them that are only declared so far
    used: dict[Variable, Span] = field(default_factory=dict)  # where device code first names each of them
    defined_at: dict[Variable, Span] = field(default_factory=dict)  # variables that were declared before
    private: set[Variable] = field(default_factory=set)  # those that no other file can mean
    keys: set[str] = field(default_factory=set)  # of file-scope variables in the tree
    shared: list[Variable] = field(default_factory=list)  # `__shared__`, of the file
    used_constants: dict[Variable, None] = field(default_factory=dict)
    known_values: dict[Variable, Constant] = field(default_factory=dict)  # of constants that are numbers
