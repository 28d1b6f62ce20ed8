"""What the parts of the checker ask of one another: their state, and the methods that a part needs of later ones.

Each part is a class that builds on the part before; the last one, in `module`, is the checker. `Parts` stands below
them all, so that each method here is hidden by the one of the part under whose name it is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import NoReturn, TypeVar

from pycparser import c_ast

from ...diag import Diagnostic, Note
from ...lang.ctype import CType, Enumeration, FunctionType, Pointer, Scalar, Struct
from ...source import NOWHERE, Span
from ...tree.nodes import Constant, Content, Declare, Expr, Function, Place, Stmt, Variable, VarRef
from .. import cxx
from ..items import HostOnly
from ..words import BlockExpression, Node
from .argument import Argument
from .class_info import ClassInfo
from .function_context import FunctionContext
from .scopes import (
    Bindings,
    ConstMembers,
    FunctionName,
    Functions,
    Name,
    NamespaceName,
    Parameter,
    Qualified,
    Scope,
    TemplateArgument,
    TemplateName,
    Tried,
)
from .types.member_types import MemberTypes

T = TypeVar("T")


class Parts:
    """The state of the checker while it walks a file, and what its parts ask of later ones."""

    def __init__(self, host_only: dict[str, HostOnly]) -> None:
        self.host_only = host_only
        # What was found wrong.
        self.faults: list[Diagnostic] = []
        self.heard = self.faults  # those that the user reads: while something is only tried, `faults` is another list
        self.has_syntax_faults = False
        self.lambdas: list[FunctionName] = []  # what the program's lambdas do, called or not
        self.host_faults: list[Diagnostic] = []  # of functions that nobody calls
        self.asked: list[Note] = []  # the instances of templates that are being checked, innermost last
        # Where the checker stands.
        self._file_scope = Scope(kind="namespace")
        self.std = Scope(kind="namespace", shown="std::")
        self._file_scope.names["std"] = NamespaceName(NOWHERE, self.std)
        self.scopes = [self._file_scope]
        self.bodies: list[FunctionContext] = []  # of the functions that are being checked, innermost last
        self.hidden: list[Declare] = []  # variables for the values of `(T){...}`, declared before the statement at hand
        self.hidden_count = 0
        self.hidden_objects: set[Variable] = set()  # the hidden variables that hold objects of classes
        self.temporaries: list[VarRef] = []  # objects that are destroyed at the end of the statement at hand
        self.guards: dict[Variable, Variable] = {}  # what tells, at that end, whether such an object was made
        self.being_made: Place | None = None  # the object whose members' own initialisers are checked
        self.listed: Place | None = None  # the object that the braced list at hand is the value of
        self.evaluated: dict[Node, Expr | Place] = {}  # what was checked to tell a type, and will be asked for again
        self.long_doubles = False  # while a literal operator is declared: `long double` is double there
        self.standard_only = False  # while a user-defined conversion is looked for, which takes no second one
        self.xvalues: set[Expr | Place] = set()  # places that `static_cast<T &&>` and functions make, to be moved from
        self.unwanted: Node | None = None  # a call whose value nobody wants
        self.inferred: Qualified | None = None  # what `auto` stands for in the declaration at hand
        self.inferred_before: Qualified | None = None  # and in the declarators before the one at hand
        # Names.
        self.namespaces = 0  # of the program
        self.unnamed: dict[Scope, NamespaceName] = {}  # the unnamed namespace in each scope that has one
        self.elsewhere: dict[str, Span] = {}  # every function of the file, also those further down
        self.keys: set[str] = set()  # of functions in the tree
        self.reserved_keys: set[str] = set()  # those of `keys` that wait for the kernels of these names
        self.variable_keys: set[str] = set()  # of file-scope variables in the tree
        self.tags: set[str] = set()  # of structs in the tree
        # What other files know, where files are linked.
        self.mark = ""  # behind the keys of what is private to the file; empty for a file that is compiled alone
        self.homes: dict[Struct | Enumeration, tuple[Scope, ...]] = {}  # the scopes in which types are declared
        self.agreed_keys: dict[str, FunctionName] = {}  # functions that other files may define or call, by their keys
        self.choosers: set[str] = set()  # the keys of `pointer_calls` and `virtual_calls` that all files agree on
        self.inside_class: set[FunctionName] = set()  # functions whose definitions stand in classes
        self.instantiated: set[FunctionName] = set()  # instances that the file makes for others
        self.private_variables: set[Variable] = set()
        self.defined_at: dict[Variable, Span] = {}  # variables that were declared before
        # Types.
        self.structs: list[Struct] = []
        self.specifiers: dict[Node, Struct | Scalar] = {}  # what each `struct ...` and `enum ...` of the text names
        self.enumerators: dict[Enumeration, Scope] = {}
        self.enum_homes: dict[Enumeration | None, Scope] = {}  # the namespaces in which they are declared
        self.has_bit_fields = False
        self.const_members: ConstMembers = set()
        self.classes: dict[Struct, ClassInfo] = {}
        self.lambda_count = 0
        # Templates.
        self.made_of: dict[Struct, tuple[TemplateName, tuple[TemplateArgument, ...]]] = {}  # instances of templates
        self.unfinished: dict[Struct, partial[None]] = {}  # what defines the instance of a class template
        self.outside: dict[TemplateName, list[tuple[cxx.Template, Node, tuple[Scope, ...]]]] = {}
        self.stand_ins: list[Struct] = []  # types that were made up to compare templates
        # Variables and constants.
        self.variables: dict[Variable, Content] = {}  # of the file, known to the host
        self.undefined: set[Variable] = set()  # those of them that are only declared so far
        self.used_variables: dict[Variable, Span] = {}  # where device code first names each of them
        self.shared_variables: list[Variable] = []  # of the file
        self.used_constants: dict[Variable, None] = {}
        self.known_values: dict[Variable, Constant] = {}  # of constants that are numbers
        self.strings: dict[bytes, Variable] = {}  # what string literals hold
        # Functions.
        self.functions: dict[str, Function] = {}  # of the module, by their keys
        self.called: dict[FunctionName, Span] = {}  # where each device function is first called
        self.pending: list[FunctionName] = []  # functions that are called, and whose bodies are not checked yet
        self.only_checked: set[str] = set()  # functions that belong to the module only if others call them
        self.addressed: dict[FunctionName, None] = {}  # functions to which pointers may point
        self.dispatchers: dict[object, str] = {}  # the functions that call by a pointer or a table, by what they choose
        self.member_types = MemberTypes()
        self.methods_by_pointer: dict[FunctionName, FunctionName] = {}  # those that pointers to methods lead to
        self.pointer_calls: dict[str, FunctionType] = {}  # functions that call by a pointer, by their keys
        self.virtual_calls: dict[str, FunctionName] = {}  # functions that call a virtual one, by their keys
        self.array_makers: dict[tuple[CType, bool], str] = {}
        self.deleters: dict[tuple[CType, bool], str] = {}

    @property
    def body(self) -> FunctionContext:
        """The body that is being checked."""
        return self.bodies[-1]

    # ------------------------------------------------------------------------------------------------------------ types

    def qualified(self, node: Node) -> Qualified:
        """Return the type of a declarator."""
        raise NotImplementedError

    def constant_integer(self, node: Node, what: str) -> int:
        """Return the value of a constant expression."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------ expressions

    def value(self, node: Node) -> Expr:
        """Check an expression."""
        raise NotImplementedError

    def type_of(self, node: Node, *, sized: bool = False) -> Qualified:
        """Return the type of an expression that is not evaluated."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------------ names

    def named(self, node: cxx.Name) -> Qualified:
        """Return the type that a qualified name or a template with arguments stands for."""
        raise NotImplementedError

    def resolve(self, node: cxx.Name) -> Name:
        """Return what a qualified name or a template with arguments stands for."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------------------- classes

    def qualified_record(self, node: c_ast.Struct | c_ast.Union, name: cxx.Name) -> Struct:
        """`struct A::B {...}`."""
        raise NotImplementedError

    def to_base_pointer(self, expr: Expr, target: Pointer) -> Expr | None:
        """Convert a pointer to one to a base class; None if it points to no such class."""
        raise NotImplementedError

    def to_derived_pointer(self, expr: Expr, target: Pointer) -> Expr | None:
        """Convert a pointer to one to a derived class, as a cast may."""
        raise NotImplementedError

    def member_of(self, base: Place, name: str, span: Span, at: Span) -> Expr | Place:
        """Return a member of a class."""
        raise NotImplementedError

    def empties_of(self, ctype: CType) -> tuple[tuple[Struct, int], ...]:
        """Return the empty objects inside an object, each with its offset."""
        raise NotImplementedError

    def class_scope(self, struct: Struct) -> Scope:
        """Return the scope of a class's members."""
        raise NotImplementedError

    def namespaces_of(self, struct: Struct) -> list[Scope]:
        """Return the namespaces in which a class, its bases and its template arguments are declared."""
        raise NotImplementedError

    def base_path(self, source: Struct, target: Struct) -> list[Struct] | None:
        """Return the classes from `source`, left out, up to its base `target`; None if it is no base."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------------ calls

    def call(self, node: c_ast.FuncCall) -> Expr | Place:
        """Check a call."""
        raise NotImplementedError

    def runtime_constant(self, name: str, span: Span) -> Expr | None:
        """Return what a name of CUDA's runtime stands for, None for others."""
        raise NotImplementedError

    def launch(self, node: cxx.Launch) -> Expr:
        """Check the launch of a child kernel."""
        raise NotImplementedError

    def arguments(self, nodes: Sequence[Node]) -> list[Argument]:
        """Check the arguments of a call, each as what it denotes, packs expanded."""
        raise NotImplementedError

    def construct_type(self, ctype: CType, arguments: list[Node], span: Span) -> Expr:
        """Return `T(a, b)`."""
        raise NotImplementedError

    def made_hidden(self, value: Expr) -> tuple[list[Expr], VarRef] | None:
        """Return the hidden variable in which an object was made that is used as a value, and what made it."""
        raise NotImplementedError

    # ----------------------------------------------------------------------------------------------------- initialisers

    def compound_literal(self, node: c_ast.CompoundLiteral) -> Expr:
        """Check `T{...}`."""
        raise NotImplementedError

    def assign_braces(self, node: c_ast.Assignment) -> Expr:
        """Check `place = {...}`."""
        raise NotImplementedError

    def hidden_variable(self, target: CType, span: Span) -> VarRef:
        """Declare a variable before the statement at hand."""
        raise NotImplementedError

    def braced_object(self, node: c_ast.InitList, target: Struct) -> Expr:
        """Return the object that `T{...}` makes."""
        raise NotImplementedError

    def scalar_in_braces(self, node: c_ast.InitList, target: CType, context: str) -> Expr:
        """Return the value of `int x = {3}` and `int x{}`."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------------------- objects

    def own_copy(self, expr: Expr) -> Expr:
        """Return the value for a new object of a class, whose constructor may have to make it."""
        raise NotImplementedError

    def apply_operator(self, op: str, args: list[Argument], span: Span) -> Expr | Place | None:
        """Return the call of the operator that fits best; None if there is none."""
        raise NotImplementedError

    def user_conversion(self, expr: Expr, target: CType, span: Span) -> Expr | None:
        """Convert by a constructor or a conversion operator; None if there is none."""
        raise NotImplementedError

    def to_number(self, expr: Expr) -> Expr:
        """Return an operand of a built-in operator: an object of a class by its conversion operator."""
        raise NotImplementedError

    def construction(self, node: cxx.Construct) -> Expr | Place:
        """Check `T(a, b)`."""
        raise NotImplementedError

    def cast_reference(self, term: Expr | Place, target: Qualified, span: Span, word: str) -> Expr | Place:
        """Check a cast to a reference. `word` is `static_cast` or its kin, "" for a cast in parentheses."""
        raise NotImplementedError

    def detour(self, term: Expr | Place, target: CType) -> int:
        """Return how far what a conversion operator gives is from `target`, as the kind of a rank."""
        raise NotImplementedError

    def converts_by_user(self, term: Expr | Place, target: CType) -> bool:
        """Whether a constructor or a conversion operator makes a `target` of `term`."""
        raise NotImplementedError

    def list_element(self, ctype: CType) -> Qualified | None:
        """Return the type of the elements of a `std::initializer_list`; None if `ctype` is no such class."""
        raise NotImplementedError

    def object_of_list(self, node: c_ast.InitList, target: Struct) -> Expr:
        """Return `T{...}` for a class with constructors."""
        raise NotImplementedError

    def constructor_call(self, function: FunctionName, this: Expr, args: list[Argument], span: Span) -> Expr:
        """Return the call of a constructor for the object at `this`."""
        raise NotImplementedError

    def address_for_writing(self, place: Place, span: Span) -> Expr:
        """Return the address of an object that is being made, const or not."""
        raise NotImplementedError

    def fits_braces(self, node: Node, target: Struct) -> bool:
        """Whether a braced list can initialise a `target`."""
        raise NotImplementedError

    def moved_pointer(self, expr: Expr, offset: int, target: Pointer) -> Expr:
        """Return a pointer that leads `offset` bytes further, as one of another type."""
        raise NotImplementedError

    def object_value(self, struct: Struct, args: list[Argument], span: Span, *, braced: bool = False) -> Expr:
        """Return a new object of a class as a value."""
        raise NotImplementedError

    def destruction_of(self, place: Place, span: Span) -> Expr | None:
        """Return what destroys an object; None where nothing is to be done."""
        raise NotImplementedError

    def is_class(self, target: Struct) -> bool:
        """Whether a constructor makes objects of this type, rather than a list of values."""
        raise NotImplementedError

    def needs_construction(self, ctype: CType) -> bool:
        """Whether an object without an initialiser is more than memory."""
        raise NotImplementedError

    def needs_destruction(self, ctype: CType) -> bool:
        """Whether more than its memory ends with an object."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------ temporaries

    def destroy_later(self, place: VarRef, span: Span) -> None:
        """Destroy a hidden object at the end of the statement at hand."""
        raise NotImplementedError

    def taken(self, value: Expr) -> Expr:
        """Return a value that becomes a new object: the one that was made for it is that object."""
        raise NotImplementedError

    def guarded(self, operand: Expr) -> Expr:
        """Return an operand that may be skipped: it says so where it makes objects."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------- operators

    def overloaded(self, op: str, operands: list[Expr | Place], nodes: list[Node], span: Span) -> Expr | Place | None:
        """Return the call of the program's own operator, if these operands have one."""
        raise NotImplementedError

    def refuse_operator(self, op: str, operands: list[Expr | Place], nodes: list[Node], span: Span) -> NoReturn:
        """Say why no operator takes these operands, one of which is an object of a class."""
        raise NotImplementedError

    def class_assignment(self, node: c_ast.Assignment, target: Place) -> Expr | Place | None:
        """Check an assignment to an object of a class, if that has an operator for it."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------------ packs

    def fold_expression(self, node: cxx.Fold) -> Expr | Place:
        """Check `(... + pack)`."""
        raise NotImplementedError

    def size_of_pack(self, node: cxx.SizeofPack) -> Expr:
        """Check `sizeof...(pack)`."""
        raise NotImplementedError

    def each_element_of(self, pattern: Node) -> Iterator[Node]:
        """Yield a pattern once for each element of its pack, in a scope that has it."""
        raise NotImplementedError

    def expanded_types(self, node: Node, pack: bool) -> list[Qualified]:
        """Return the types that a base class stands for, several if it is a pack."""
        raise NotImplementedError

    def expanded(self, node: cxx.PackExpansion, one: Callable[[], T]) -> list[T]:
        """Return what `one` makes of each element of a pack."""
        raise NotImplementedError

    def spread_nodes(self, nodes: list[Node]) -> list[Node]:
        """Return the items of a list with packs expanded."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------- deduction

    def bare_template(self, entry: TemplateName, span: Span) -> Qualified:
        """Return the type that a template without arguments stands for."""
        raise NotImplementedError

    def template_arguments(self, nodes: tuple[Node, ...]) -> tuple[TemplateArgument, ...]:
        """Check template arguments, packs expanded."""
        raise NotImplementedError

    def with_arguments(self, entry: Name, args: tuple[TemplateArgument, ...], span: Span) -> Name:
        """Return the instance of a template, or of the functions of a name, with these arguments."""
        raise NotImplementedError

    def require_concrete(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is an abstract class: the part for objects."""
        raise NotImplementedError

    def require_default(self, ctype: CType, span: Span) -> None:
        """Fail if an object of type `ctype` needs an initialiser: the part for objects."""
        raise NotImplementedError

    def refuse_depth(self, shown: str, span: Span) -> NoReturn:
        """Fail because of templates that may need one another without end: the part for templates."""
        raise NotImplementedError

    def explain(self, function: FunctionName, args: Sequence[Argument], span: Span) -> None:
        """Fail because of the first argument that a function does not take, if there is one."""
        raise NotImplementedError

    def why_not_deduced(
        self, template: TemplateName, args: Sequence[Argument], given: tuple[TemplateArgument, ...]
    ) -> str:
        """Return why a call with `args` does not mean an instance of a function template, if that is known."""
        raise NotImplementedError

    def deduced(
        self, template: TemplateName, args: Sequence[Argument], given: tuple[TemplateArgument, ...] | None
    ) -> FunctionName | None:
        """Return the instance of a function template that a call with `args` means; None if there is none."""
        raise NotImplementedError

    def conversion_instance(self, template: TemplateName, target: CType) -> FunctionName | None:
        """Return the instance of a template of conversion operators that gives a `target`; None if there is none."""
        raise NotImplementedError

    def declare_template(self, node: cxx.Template) -> None:
        """Enter a template, or a specialisation of one, into the present scope."""
        raise NotImplementedError

    def made_type(self, node: c_ast.Typename, arguments: list[Node], span: Span) -> Qualified:
        """Return the type of `T(a, b)` and `T{a, b}`."""
        raise NotImplementedError

    def guided(self, entry: TemplateName, arguments: list[Node], span: Span) -> Struct:
        """Return the instance of a class template that the arguments of its constructor tell."""
        raise NotImplementedError

    def bind_given(self, template: TemplateName, given: Sequence[TemplateArgument], span: Span) -> Bindings:
        """Bind the arguments that were written to the parameters, in order; the last pack takes the rest."""
        raise NotImplementedError

    def binding_scope(self, template: TemplateName, bindings: Bindings) -> Scope:
        """Return the scope in which the parameters of a template stand for these arguments."""
        raise NotImplementedError

    def converted_argument(self, param: cxx.TemplateParameter, value: TemplateArgument, span: Span) -> TemplateArgument:
        """Return an argument as its parameter wants it: a value of the parameter's type."""
        raise NotImplementedError

    def template_argument(self, node: Node) -> TemplateArgument:
        """Check one template argument. Only the checker knows whether a bare name is a type, a value or a template."""
        raise NotImplementedError

    def bound_name(self, param: cxx.TemplateParameter, value: TemplateArgument) -> Name:
        """Return what a template parameter's name stands for in an instance."""
        raise NotImplementedError

    def own_specifiers(self) -> AbstractContextManager[None]:
        """Find anew what the specifiers of a text name, as each instance must."""
        raise NotImplementedError

    def preferred(self, one: TemplateName, other: TemplateName) -> bool:
        """Whether `one` is the more special template of two, or else asks for more."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------- member_pointers

    def member_address(self, node: Node, span: Span) -> Expr | None:
        """Return the pointer that `&S::x` is; None where `node` names no member that needs an object."""
        raise NotImplementedError

    def method_address(self, function: FunctionName, span: Span) -> Expr:
        """Return the pointer to a method: the number of the function, or of the one that calls its last overrider."""
        raise NotImplementedError

    def member_pointer_type(self, node: cxx.MemberPointer) -> Qualified:
        """Return the type `int S::*` or `int (S::*)(int) const`."""
        raise NotImplementedError

    def pointed_member(self, node: cxx.PointedMember) -> Place:
        """Return the place that `object.*pointer` is."""
        raise NotImplementedError

    def call_pointed(self, node: c_ast.FuncCall, callee: cxx.PointedMember, arguments: list[Node]) -> Expr | Place:
        """Check `(object.*pointer)(...)`."""
        raise NotImplementedError

    def to_member_pointer(self, expr: Expr, target: Scalar) -> Expr | None:
        """Convert a null pointer, or a pointer to a member of a base class; None if that is not possible."""
        raise NotImplementedError

    def trying(self) -> AbstractContextManager[Tried]:
        """Do something that may fail without anybody hearing of it: [temp.deduct]'s substitution failure."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------ constraints

    def requires_expression(self, node: cxx.Requires) -> Expr:
        """Whether all that a `requires {...}` asks for has a meaning."""
        raise NotImplementedError

    def expression_type(self, node: Node) -> Qualified:
        """Return the type of an expression that is not evaluated, a reference if it is a place."""
        raise NotImplementedError

    def allowed(self, function: FunctionName) -> bool:
        """Whether what a function that is no template asks for, in a class template's instance, holds."""
        raise NotImplementedError

    def more_constrained(self, one: FunctionName | TemplateName, other: FunctionName | TemplateName) -> bool:
        """Whether `one` asks for all that `other` asks for, and for more."""
        raise NotImplementedError

    def named_parameters(self, params: Sequence[Parameter], span: Span) -> dict[str, Name]:
        """Return what the names of parameters stand for outside the function's body."""
        raise NotImplementedError

    def parameters(self, args: c_ast.ParamList | None, span: Span) -> tuple[Parameter, ...]:
        """Check the parameters of a function."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------------------- lambdas

    def lambda_value(self, node: cxx.Lambda) -> Expr | Place:
        """Check a lambda."""
        raise NotImplementedError

    # ----------------------------------------------------------------------------------------------------------- traits

    def decltype(self, node: cxx.DeclType) -> Qualified:
        """Return the type of `decltype(...)`."""
        raise NotImplementedError

    def trait(self, node: cxx.Trait) -> Expr:
        """Answer `__is_same(T, U)` and its kin."""
        raise NotImplementedError

    def type_of_term(self, term: Expr | Place) -> Qualified:
        """Return the type of what an expression denotes, a reference if it is a place."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------------- heap

    def new(self, node: cxx.New) -> Expr:
        """Check `new`."""
        raise NotImplementedError

    def delete(self, node: cxx.Delete) -> Expr:
        """Check `delete`."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------- constants

    def constant(self, node: Node) -> Expr:
        """Check an expression whose value must be known now; return it as it is if it is no constant."""
        raise NotImplementedError

    def constant_condition(self, node: Node, what: str) -> bool:
        """Check a condition that must be known now; `what` names it in messages."""
        raise NotImplementedError

    def refuse_constant(self, span: Span, message: str, help: str | None = None) -> NoReturn:
        """Fail because of an expression that is no constant, and say why."""
        raise NotImplementedError

    # ----------------------------------------------------------------------------------------------------- declarations

    def typedef(self, node: c_ast.Typedef) -> None:
        """Enter the name of a type."""
        raise NotImplementedError

    def file_scope_variable(self, node: c_ast.Decl, *, instance: bool = False) -> None:
        """Enter a variable that all threads share."""
        raise NotImplementedError

    def static_member(self, decl: c_ast.Decl) -> None:
        """Enter a static data member, which device code may use if it is constant."""
        raise NotImplementedError

    def constant_variable(self, decl: c_ast.Decl) -> None:
        """Enter a constant with an initialiser that all threads share: at file scope, in a class, of a template."""
        raise NotImplementedError

    # ----------------------------------------------------------------------------------------------------------- ranges

    def structured_binding(self, node: cxx.StructuredBinding) -> list[Stmt]:
        """Check `auto [a, b] = x;`."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------- statements

    def block_value(self, node: BlockExpression) -> Expr:
        """Check `({ ... })`."""
        raise NotImplementedError

    def function_text(self, name: str) -> str | None:
        """Return what a name such as `__func__` holds."""
        raise NotImplementedError

    def define_instances(self, template: TemplateName, definition: cxx.Definition) -> None:
        """Give instances of a declaration the body of its definition."""
        raise NotImplementedError

    def only_instance(self, functions: Functions, span: Span) -> FunctionName | None:
        """Return the function that a name with all its template arguments stands for."""
        raise NotImplementedError

    def static_assert(self, node: c_ast.StaticAssert) -> None:
        """Fail if the condition of a `static_assert` does not hold."""
        raise NotImplementedError

    def discarded(self, node: Node) -> Expr:
        """Check an expression whose value nobody wants."""
        raise NotImplementedError

    def statement(self, node: Node, unroll: int | None = None) -> list[Stmt]:
        """Check one statement; a declaration may become several, an empty statement none."""
        raise NotImplementedError

    def with_hidden(self, check: Callable[[], list[Stmt]]) -> list[Stmt]:
        """Return statements with the declarations of the hidden variables that they need before them."""
        raise NotImplementedError

    def destroyed(self, scopes: Sequence[Scope], span: Span) -> list[Stmt]:
        """Return what destroys the objects of these scopes, the last first."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------- functions

    def this(self, span: Span) -> Expr | None:
        """Return the pointer to the object whose method is being checked."""
        raise NotImplementedError

    def this_of(self, owner: Struct, span: Span) -> Expr | None:
        """Return the pointer to the object at hand that is an `owner`."""
        raise NotImplementedError

    def declare_method(self, info: ClassInfo, decl: c_ast.Decl, node: cxx.Definition | None) -> None:
        """Enter a method, a constructor, a destructor or a conversion operator of a class."""
        raise NotImplementedError

    def friend_function(self, node: Node, home: Scope) -> None:
        """Enter a friend that a class defines into the namespace around; its names are those of the class."""
        raise NotImplementedError

    def check_function(self, function: FunctionName) -> None:
        """Check the body of a function, and add the function to the module."""
        raise NotImplementedError

    def a_body(self, function: FunctionName) -> AbstractContextManager[FunctionContext]:
        """Keep what belongs to one function's body apart from all others."""
        raise NotImplementedError

    def member_scope(self, node: cxx.Name) -> Scope:
        """Return the scope of the class or namespace whose member a declaration outside it names."""
        raise NotImplementedError

    def static_member_outside(self, name: str) -> bool:
        """Enter the constant that `template <class T> const int Foo<T>::name = 3;` gives to the instance at hand."""
        raise NotImplementedError

    def define_outside(self, node: cxx.Template, inner: Node) -> None:
        """Keep the definition of a member of a class template for the instances that need it."""
        raise NotImplementedError

    def function_name(self, decl: c_ast.Decl) -> str:
        """Return the name under which a function is found: that of a conversion operator says to what."""
        raise NotImplementedError

    def enter_special_member(self, info: ClassInfo, name: str, entry: FunctionName | TemplateName) -> bool:
        """Enter a constructor, a destructor or a conversion operator: these are not found by name."""
        raise NotImplementedError

    def function_entry(self, decl: c_ast.Decl, name: str, owner: Struct | None = None) -> FunctionName:
        """Return what a declaration says of a function."""
        raise NotImplementedError

    # --------------------------------------------------------------------------------------------------------- dispatch

    def pointer_to(self, function: FunctionName, span: Span) -> Expr:
        """Return the pointer to a function or a method."""
        raise NotImplementedError

    def function_address(self, function: FunctionName, span: Span) -> Expr:
        """Return a pointer to a function."""
        raise NotImplementedError

    def chosen_function(self, functions: Functions, target: CType, span: Span) -> Expr:
        """Return a pointer of type `target` to one of `functions`."""
        raise NotImplementedError

    def call_virtual(self, function: FunctionName, this: Expr, args: list[Argument], span: Span) -> Expr | Place:
        """Return the call of whatever overrides a virtual function in the class of the object."""
        raise NotImplementedError

    def call_pointer(self, pointer: Expr, ctype: FunctionType, args: list[Argument], span: Span) -> Expr | Place:
        """Return a call through a pointer to a function."""
        raise NotImplementedError

    def set_vptr(self, info: ClassInfo, place: Place, span: Span) -> Expr:
        """Return what stores the number of a class in an object that is being made."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------ builtin_operators

    def unary(self, node: c_ast.UnaryOp) -> Expr | Place:
        raise NotImplementedError

    def conditional(self, node: c_ast.TernaryOp) -> Expr | Place:
        raise NotImplementedError

    def composite(self, left: Expr, right: Expr) -> Pointer | None:
        """Return C++'s composite pointer type of two operands; None if there is none."""
        raise NotImplementedError

    def comma(self, node: c_ast.ExprList) -> Expr | Place:
        raise NotImplementedError

    def cast_expression(self, node: c_ast.Cast) -> Expr | Place:
        raise NotImplementedError

    def binary(self, node: c_ast.BinaryOp) -> Expr | Place:
        raise NotImplementedError

    def assignment(self, node: c_ast.Assignment) -> Expr | Place:
        raise NotImplementedError

    def address(self, place: Place, span: Span) -> Expr:
        """Return the address of a place; that of `*p` is p."""
        raise NotImplementedError

    def variable_behind(self, node: c_ast.ID) -> VarRef | None:
        """Return the const variable of which `node` was taken for its value."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------------- builtin_calls

    def call_builtin(self, node: c_ast.FuncCall, name: str, arguments: list[Node]) -> Expr:
        raise NotImplementedError

    def bind_value(self, arg: Argument) -> Expr:
        """Return the value of an argument of a built-in function."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------ short_pairs

    def call_short_float(self, node: c_ast.FuncCall, name: str, values: list[Expr]) -> Expr:
        raise NotImplementedError

    # --------------------------------------------------------------------------------------------------- made_functions

    def made(self, info: ClassInfo, what: str) -> FunctionName | None:
        """Return the function that the compiler makes: "construct", "copy", "assign" or "destroy"."""
        raise NotImplementedError

    def construct_members(
        self,
        info: ClassInfo,
        place: Place,
        given: dict[str, cxx.MemberInit],
        span: Span,
        done: Container[str] = (),
    ) -> list[Stmt]:
        """Return what initialises the bases and members of the object at `place`, in the order of their declaration."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------------------- members

    def named_part(self, base: Place, member: cxx.Name) -> Place:
        """Return the part of the object at `base` that `member`, `Base::name`, names before its last `::`."""
        raise NotImplementedError

    def require_unambiguous(self, struct: Struct, name: str, span: Span) -> None:
        """Fail if several bases of `struct` have a member `name`, or one that is a base twice."""
        raise NotImplementedError

    def find_member(self, struct: Struct, name: str) -> tuple[Struct, Name] | None:
        """Return the class that declares member `name`, `struct` or one of its bases, and what the name stands for."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------------ loops

    def while_loop(self, node: c_ast.While | c_ast.DoWhile, unroll: int | None) -> list[Stmt]:
        raise NotImplementedError

    def for_loop(self, node: c_ast.For, unroll: int | None) -> Stmt:
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------------------------- returns

    def return_statement(self, node: c_ast.Return) -> list[Stmt]:
        raise NotImplementedError

    # --------------------------------------------------------------------------------------------------------- switches

    def switch(self, node: c_ast.Switch) -> list[Stmt]:
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------------ rest

    def pointed_function(self, number: int, span: Span) -> str:
        raise NotImplementedError

    def add_to_parts(self, node: c_ast.FuncCall, name: str, values: list[Expr]) -> Expr | None:
        raise NotImplementedError

    def is_base(self, base: Struct, derived: Struct) -> bool:
        raise NotImplementedError

    def lambda_pointer(self, source: Struct, target: CType, span: Span) -> Expr | None:
        raise NotImplementedError

    def closure_instance(self, template: TemplateName, given: Sequence[TemplateArgument], span: Span) -> Name | None:
        raise NotImplementedError

    def has_bits(self, source: CType, target: CType) -> bool:
        raise NotImplementedError

    def bits_conversion(self, expr: Expr, target: CType, span: Span) -> Expr:
        raise NotImplementedError

    def pair_operator(self, op: str, args: list[Argument], span: Span) -> Expr | Place | None:
        raise NotImplementedError

    def pair_construction(self, place: Place, args: list[Argument], span: Span) -> Expr | None:
        raise NotImplementedError

    def find_outside(self, function: FunctionName) -> None:
        raise NotImplementedError

    def matching_instance(self, functions: Functions, target: CType) -> FunctionName | None:
        raise NotImplementedError

    def known_part(self, place: Place, ctype: Scalar) -> Constant | None:
        raise NotImplementedError

    def held(self, value: Expr) -> Expr:
        raise NotImplementedError

    def complete(self, struct: Struct) -> None:
        raise NotImplementedError

    def define_class(self, struct: Struct, node: cxx.Class | cxx.UnionClass) -> ClassInfo:
        raise NotImplementedError
