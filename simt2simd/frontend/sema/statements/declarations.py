"""Checking declarations of variables: in functions, and the constants of files, namespaces, classes and templates."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import VOID, Array, CType, Pointer, Struct, count_leaves, is_arithmetic, is_integer
from ....lang.vectors import DIM3
from ....source import NOWHERE, Span
from ....tree.nodes import (
    Braces,
    Constant,
    Content,
    Declare,
    Evaluate,
    Expr,
    Member,
    Place,
    Space,
    Stmt,
    Variable,
    VarRef,
)
from ....tree.value_category import as_lvalue
from ....tree.walk import walk
from ...parse import cxx
from ...parse.goto_ranges import jumps_over
from ...parse.words import Node
from ...text.top_level import HostOnly
from ..argument import Argument
from ..context import Part
from ..expr.conversions import same_type
from ..identifiers import identifier, unique
from ..qualified import Qualified
from ..restore import restoring
from ..scopes import Reported, TypeName, Unusable, VariableName
from ..types.records import name_span
from .variables import SPACES

_MOST_COPIED = 16  # numbers of a constexpr object of a function
MOST_CONSTANT_BYTES = 32 << 20  # of a file-scope constant


class Declarations(Part):
    """The checker's part for declarations of variables."""

    def declaration(self, node: c_ast.Decl | c_ast.DeclList | cxx.StructuredBinding) -> list[Stmt]:
        """Check a local declaration, or the declarations of a `for`."""
        with self.new_declaration():
            return self._declared_in_turn(node.decls if isinstance(node, c_ast.DeclList) else [node])

    def new_declaration(self) -> AbstractContextManager[None]:
        """Where a declaration begins: what `auto` is in another one around it says nothing here."""
        return restoring(self.s.current, inferred_before=None)

    def _declared_in_turn(self, decls: Sequence[c_ast.Decl | cxx.StructuredBinding]) -> list[Stmt]:
        result: list[Stmt] = []
        for decl in decls:
            if decl is not decls[0]:  # each declares as if alone ([dcl.decl]/3)
                result += self.s.statements.end_of_statement()
            try:
                if isinstance(decl, cxx.StructuredBinding):
                    result += self.s.statements.bindings.structured_binding(decl)
                    continue
                result += self.local(decl)
            except Reported:
                # Where only the initialiser is faulty, the variable stays.
                if isinstance(decl, cxx.StructuredBinding):
                    for name, span in decl.names:
                        self.s.scopes.make_unusable(name, span)
                elif decl.name:
                    self.s.scopes.make_unusable(decl.name, name_span(decl))
        return result

    def typedef(self, node: c_ast.Typedef) -> None:
        """Enter the name of a type."""
        try:
            entry = TypeName(node.coord, self.s.types.qualified(node.type))
            self.s.types.records.name_struct(node.name, entry.type.type)
            self.s.types.records.align_typedef(node, entry.type.type)
            known = self.s.scopes.stack[-1].names.get(node.name)
            if not (isinstance(known, TypeName) and known.type == entry.type):  # C++ allows repetition
                self.s.scopes.declare(node.name, entry)
        except Reported:
            self.s.scopes.make_unusable(node.name, node.coord)

    def local(self, decl: c_ast.Decl) -> list[Stmt]:
        span, storage = name_span(decl), set(decl.storage)
        if isinstance(decl.type, c_ast.FuncDecl):
            self.s.statements.functions.declare_in_block(decl)
            return []
        shared = "__shared__" in storage
        self.refuse_storage(decl, storage, span, shared)
        if decl.name is None:
            return self.unnamed_object(decl, span)
        if shared:
            return self.shared(decl, self.shared_variable(decl, span))
        known = set(self.s.current.evaluated)
        try:
            return self._local_object(decl, span)
        finally:
            for node in set(self.s.current.evaluated) - known:  # not used again
                del self.s.current.evaluated[node]

    def _local_object(self, decl: c_ast.Decl, span: Span) -> list[Stmt]:
        """Check a variable of which each thread has one."""
        assert decl.name is not None
        storage = set(decl.storage)
        hidden, later = len(self.s.current.hidden), list(self.s.current.temporaries)
        ctype = self.declared_type(decl, span)
        if ctype.reference:
            return self.local_reference(decl, ctype, span)
        const = ctype.const or "constexpr" in (*storage, *decl.funcspec)
        if "thread_local" in storage:
            self.fail(span, "'thread_local' does not exist in device code")
        if "static" in storage and "constexpr" not in (*storage, *decl.funcspec):
            self.static_local(decl, const)
            return []
        self.require_object(ctype.type, decl.name, span)
        variable = Variable(decl.name, ctype.type, span, "local", const, volatile=ctype.volatile)
        self.s.current.declared[variable] = decl
        if "constexpr" in (*storage, *decl.funcspec) and not isinstance(ctype.type, Pointer):
            found = self.constexpr_local(decl, variable)
            del self.s.current.hidden[hidden:]
            self.s.current.temporaries = later
            return found
        return self.initialised(decl, variable)

    def static_local(self, decl: c_ast.Decl, const: bool) -> None:
        """Enter a variable that all threads share, which has a value before a kernel begins ([stmt.dcl], CUDA C++)."""
        words = {*decl.storage, *decl.funcspec}
        space: Space = next((word for word in SPACES if word in words), "__device__")
        if const and space == "__device__" and decl.init is not None:
            self.constant_variable(decl)
        else:
            self.s.statements.variables.device_variable(decl, space, const, extern=False, instance=True)

    def unnamed_object(self, decl: c_ast.Decl, span: Span) -> list[Stmt]:
        """`struct S {...};` declares a type, `union {...};` a variable whose members are names of their own."""
        struct = self.s.types.base_type(decl.type).type
        if not isinstance(decl.type, c_ast.Struct | c_ast.Union) or decl.type.name or not isinstance(struct, Struct):
            return []
        variable = Variable(f"unnamed_{span.line}", struct, span, "local")
        for name in struct.member_names():
            place: Place = VarRef(span, struct, variable)
            for part in struct.path(name):
                place = Member(span, part.type, place, part.name, part.offset)
            self.s.scopes.declare(name, VariableName(span, Variable(name, place.type, span, "local"), alias=place))
        return [Declare(span, variable, None)]

    def shared_variable(self, decl: c_ast.Decl, span: Span) -> Variable:
        """Return the variable that a `__shared__` declaration makes, of static or, by `extern`, of dynamic memory."""
        assert decl.name is not None
        dynamic = "extern" in decl.storage
        ctype = self.dynamic_type(decl, span) if dynamic else self.declared_type(decl, span)
        self.require_object(ctype.type, decl.name, span)
        return Variable(
            decl.name, ctype.type, span, "shared", ctype.const,
            volatile=ctype.volatile, dynamic=dynamic, align=self.s.types.records.alignment_of(decl),
        )  # fmt: skip

    def dynamic_type(self, decl: c_ast.Decl, span: Span) -> Qualified:
        """Return the type of an `extern __shared__` variable, which begins where dynamic memory does.

        The first dimension of an array without a size is an argument of the launch.
        """
        if decl.init is not None:
            self.fail(span, "an 'extern __shared__' variable cannot be initialised: the launch gives its memory")
        if not isinstance(decl.type, c_ast.ArrayDecl) or decl.type.dim is not None:
            return self.declared_type(decl, span)
        element = self.s.types.qualified(decl.type.type)
        self.require_object(element.type, decl.name or "", span)
        return Qualified(Array(element.type, 0), element.const, element.volatile)

    # ----------------------------------------------------------------------------------------------- types

    def declared_type(self, decl: c_ast.Decl, span: Span) -> Qualified:
        """Return the type of a variable; the size of an array may come from its initialiser, `auto` too."""
        if is_inferred(decl.type):
            if decl.init is None:
                self.fail(span, "'auto' needs an initialiser")
            if isinstance(decl.init, c_ast.InitList) and len(self.s.templates.packs.spread_nodes(decl.init.exprs)) > 1:
                return Qualified(self.s.classes.lists.inferred_list(decl.init))
            named = isinstance(decl.init, c_ast.CompoundLiteral) and isinstance(decl.type, c_ast.TypeDecl)
            first = self.first_argument(decl.init, named=named)
            inferred = self.s.templates.functions.inferred_type(decl.type, first, span)
            before, self.s.current.inferred_before = self.s.current.inferred_before, inferred
            if before is not None and not same_type(before.type, inferred.type):
                self.fail(span, f"'auto' is '{before.type}' in this declaration: it cannot be '{inferred.type}' too")
            return self.s.templates.functions.with_inferred(decl.type, inferred)
        guided = self.guided_type(decl)
        if guided is not None:
            return guided
        if isinstance(decl.type, c_ast.ArrayDecl) and decl.type.dim is None and decl.init is not None:
            element = self.s.types.qualified(decl.type.type)
            count = self.s.expr.initialisers.array_length(decl.init, element.type)
            return Qualified(Array(element.type, count), element.const, element.volatile)
        found = self.s.types.qualified(decl.type)
        if isinstance(found.type, Array) and found.type.unknown and decl.init is not None:  # by a typedef's name
            count = self.s.expr.initialisers.array_length(decl.init, found.type.element)
            return replace(found, type=Array(found.type.element, count))
        return found

    def guided_type(self, decl: c_ast.Decl) -> Qualified | None:
        """Return the type of `Vec v(1, 2)`, whose class template arguments are deduced."""
        if not isinstance(decl.type, c_ast.TypeDecl):
            return None
        template = self.s.templates.functions.bare_class_template(decl.type.type)
        if template is None:
            return None
        init = decl.init
        nodes = init.exprs if isinstance(init, cxx.Arguments | c_ast.InitList) else [init] if init is not None else []
        struct = self.s.templates.functions.guided(template, list(nodes), name_span(decl))
        quals = decl.type.quals or ()
        return Qualified(struct, "const" in quals)

    def first_argument(self, init: Node, *, named: bool = False) -> Argument:
        """Return what initialises a variable of type `auto`. `named`: it is asked for its type only, as `T{...}` is."""
        if isinstance(init, cxx.Arguments | c_ast.InitList):
            if len(init.exprs) != 1:
                self.fail(init.coord, "'auto' needs one value")
            init = init.exprs[0]
        if named:
            with self.s.expr.operators.unevaluated():
                return self.s.calls.arguments.argument_of(init)
        found = self.s.calls.arguments.argument_of(init)
        if found.term is not None:
            self.s.current.evaluated[init] = found.term  # once is enough: each look at a lambda makes another class
        return found

    def refuse_storage(self, decl: c_ast.Decl, storage: set[str], span: Span, shared: bool) -> None:
        if "extern" in storage and not shared:
            self.fail(span, "'extern' variables are not supported in device code")
        for word in SPACES:
            if word in {*storage, *decl.funcspec} and "static" not in storage:
                self.fail(span, f"'{word}' variables of functions are static", help=f"write `static {word}`")
        if decl.bitsize is not None:
            self.fail(span, "bit-fields are not supported", help="use shifts and masks")

    def require_object(self, ctype: CType, name: str, span: Span) -> None:
        if ctype is VOID:
            self.fail(span, f"variable '{name}' cannot have type void")
        self.s.types.require_size(ctype, span)
        self.s.types.records.require_complete(ctype, span)
        self.s.classes.construction.require_concrete(ctype, span)

    # ------------------------------------------------------------------------------------------- variables

    def shared(self, decl: c_ast.Decl, variable: Variable) -> list[Stmt]:
        self.s.scopes.declare(variable.name, VariableName(variable.span, variable))
        if decl.init is not None:
            what = "array" if isinstance(variable.type, Array) else "variable"
            deed = "assign the elements" if what == "array" else "assign it"
            self.fail(
                decl.init.coord,
                f"a shared {what} cannot have an initialiser",
                help=f"{deed} after the declaration, then call `__syncthreads()`",
            )
        return [Declare(variable.span, variable, None)]

    def local_reference(self, decl: c_ast.Decl, declared: Qualified, span: Span) -> list[Stmt]:
        """Check `T &x = y`: another name of a place, whose address is kept if the place could become another one."""
        name = decl.name or ""
        if decl.init is None:
            self.fail(span, f"the reference '{name}' has no initialiser")
        arg = self.first_argument(decl.init)
        stand_in = Variable(name, declared.stored, span, "local")
        fixed = self.fixed_place(arg, declared)
        if fixed is not None:
            self.s.scopes.declare(name, VariableName(span, stand_in, reference=declared.reference, alias=fixed))
            return []
        address = self.s.calls.arguments.bind(arg, declared, f"in the initialiser of '{name}'")
        if "static" in decl.storage:
            self.s.constexpr.require_constant_address(stand_in, address)
        self.s.scopes.stack[-1].cleanups += self.s.classes.temporaries.extended(address)
        self.s.scopes.declare(name, VariableName(span, stand_in, reference=declared.reference))
        return [Declare(span, stand_in, address)]

    def fixed_place(self, arg: Argument, declared: Qualified) -> Place | None:
        """Return the place that a reference names, if that is a local variable or a member of one."""
        place = arg.term
        inner = place
        while isinstance(inner, Member):
            inner = inner.base
        if not isinstance(inner, VarRef) or inner.variable.storage not in ("local", "param"):
            return None
        assert isinstance(place, Place)
        same = place.type == declared.type and declared.const == self.s.classes.conversions.is_const_place(place)
        if not same or self.s.calls.arguments.is_bit_field(place):
            return None
        return as_lvalue(place)

    def initialised(self, decl: c_ast.Decl, variable: Variable) -> list[Stmt]:
        """Check the initialiser of a local variable; the name is visible in it, as in C."""
        name, span = variable.name, variable.span
        if decl.init is None:
            self.s.classes.construction.require_default(variable.type, span)
        if variable.const and self.has_mutable(variable.type):
            variable = replace(variable, const=False)  # its const methods write it
            self.s.structs.const_members.add(variable)
        if variable.type == DIM3 and isinstance(decl.init, cxx.Arguments) and len(decl.init.exprs) <= len("xyz"):
            self.s.scopes.declare(name, VariableName(span, variable))
            values = [
                self.s.calls.builtins.bind_value(arg) for arg in self.s.calls.arguments.arguments(decl.init.exprs)
            ]
            return [Declare(span, variable, self.s.expr.conversions.dim3(values, span))]
        if isinstance(variable.type, Struct | Array) and self.s.constexpr.is_made(variable.type, decl.init):
            return self.made_object(decl, variable)
        if decl.init is None:
            self.s.scopes.declare(name, VariableName(span, variable))
            if variable.type == DIM3:
                return [Declare(span, variable, self.s.expr.conversions.dim3([], span))]
            if variable.const and self.s.classes.construction.needs_initialiser(variable.type):
                self.fail(span, f"const variable '{name}' has no initialiser")
            return [Declare(span, variable, None)]
        self.s.scopes.declare(name, VariableName(span, variable))
        init = decl.init
        if isinstance(init, cxx.Arguments) and isinstance(variable.type, Struct):
            init = self.s.expr.initialisers.only_argument(init, variable.type)
        with self.s.at(replace(self.s.here, listed=VarRef(span, variable.type, variable))):
            initial = self.s.expr.initialisers.initialiser(init, variable.type, f"in the initialiser of '{name}'")
        if "constexpr" in decl.storage and not isinstance(initial, Braces):
            self.s.constexpr.require_constant_address(variable, initial)
        elif variable.const and not isinstance(initial, Braces):
            if isinstance(initial, Constant) and is_arithmetic(variable.type):
                self.s.scopes.stack[-1].names[name] = VariableName(span, variable, initial)
            elif is_integer(variable.type) and not variable.volatile:
                self.s.constexpr.const_values[variable] = initial
        if initial is not None and _names(initial, variable):  # `Node n[2] = {{n + 1}}`: it must be there before
            place = VarRef(span, variable.type, variable)
            items = list(initial.items) if isinstance(initial, Braces) else [(0, variable.type, initial)]
            return [
                Declare(span, variable, None),
                *(Evaluate(span, one) for one in self.s.expr.objects.stores(place, items, span)),
            ]
        return [Declare(span, variable, initial)]

    def has_mutable(self, ctype: CType) -> bool:
        """Whether an object has members that may be written even if it is const."""
        while isinstance(ctype, Array):
            ctype = ctype.element
        if not isinstance(ctype, Struct):
            return False
        own = any((ctype, f"mutable {name}") in self.s.structs.const_members for name in ctype.member_names())
        return own or any(self.has_mutable(field.type) for field in ctype.fields or ())

    def constexpr_local(self, decl: c_ast.Decl, variable: Variable) -> list[Stmt]:
        """Check a constexpr variable of a function: what is large or has arrays becomes a constant of the file."""
        name, span, ctype = variable.name, variable.span, variable.type
        if decl.init is None and self.s.classes.construction.needs_initialiser(ctype):
            self.fail(span, f"constexpr variable '{name}' has no initialiser")
        content, known = self.s.constexpr.constant_data(self._plain_init(decl.init, ctype), ctype, name, span)
        if content.addresses or "static" in decl.storage or not (known is not None or is_small(ctype)):
            self.enter_constant(name, ctype, content, known, span)
            return []
        if known is not None:
            self.s.scopes.declare(name, VariableName(span, variable, known))
            return [Declare(span, variable, known)]
        self.s.scopes.declare(name, VariableName(span, variable))
        return [Declare(span, variable, self.s.constexpr.keep_object(variable, content))]

    def made_object(self, decl: c_ast.Decl, variable: Variable) -> list[Stmt]:
        """Check the declaration of an object whose class has constructors, a destructor, or members that do."""
        span = variable.span
        if isinstance(decl, cxx.PassedOver):
            self.report(jumps_over(decl.shown, decl.jump, variable.name, decl.coord))
        const = variable.const
        if const:
            variable = replace(variable, const=False)  # its constructor writes it
            self.s.structs.const_members.add(variable)
        place: Place = VarRef(span, variable.type, variable)
        alias: Place | None = None
        if self.s.statements.returns.is_result(variable):
            self.s.current.body.result_object = variable
            place = self.s.current.body.result_place(variable.type, span)
            alias = self.s.current.body.result_place(variable.type, span, const=const)
        self.s.scopes.declare(variable.name, VariableName(span, variable, alias=alias))
        if decl.init is None:
            made = self.s.classes.construction.construct(place, [], span)
        elif (
            isinstance(decl.init, cxx.Arguments | c_ast.InitList) and isinstance(variable.type, Struct)
        ) or isinstance(variable.type, Array):
            made = self.s.classes.implicit.initialise(place, decl.init, span)
        else:
            made = self.s.classes.implicit.initialise(place, decl.init, span)
        if alias is not None:
            return made
        if self.s.classes.construction.needs_destruction(variable.type):
            self.s.classes.construction.require_destructor(variable.type, span)
            self.s.scopes.stack[-1].cleanups.append(variable)
        return [Declare(span, variable, None), *made]

    # ------------------------------------------------------------------------------------------- constants

    def static_member(self, decl: c_ast.Decl) -> None:
        """Enter a static data member: a constant, or what only the host can use."""
        words = {*decl.storage, *decl.funcspec}
        span = name_span(decl)
        if space := words & {"__device__", "__constant__", "__managed__", "__shared__"}:
            what = f"a member of a class, which CUDA does not let be '{min(space)}'"
            help = "make it a variable of a namespace, or a variable template"
            self.s.scopes.make_unusable(decl.name or "", span, HostOnly(span, what, help))
            return
        constant = "constexpr" in words or self._is_const(decl)
        if not constant or (decl.init is None and not self.s.templates.outside.static_member(decl.name or "")):
            help = "make it `constexpr`, or pass its value to the kernel as an argument"
            self.s.scopes.make_unusable(decl.name or "", span, HostOnly(span, "a variable of the host", help))
        elif decl.init is not None:
            self.constant_variable(decl)

    def define_static_member(self, decl: cxx.MemberOf) -> None:
        """Check `const int T::table[] = {1, 2}` outside the class; what the host computes stays the host's."""
        scope, name = self.s.statements.functions.member_scope(decl.scope), decl.name or ""
        known = scope.names.get(name)
        if not isinstance(known, Unusable) or decl.init is None or not self._is_const(decl):
            return
        with self.s.templates.deduction.attempt() as tried, self.s.scopes.inside(scope):
            del scope.names[name]
            self.constant_variable(decl)
        if tried.failed:
            scope.names[name] = known

    def specialise_static_member(self, decl: cxx.MemberOf) -> None:
        """`template <> const int T<int>::value = 3;` takes the place of what the template says ([temp.expl.spec])."""
        scope, span = self.s.statements.functions.member_scope(decl.scope), name_span(decl)
        help = "make it `constexpr`, or pass its value to the kernel as an argument"
        scope.names[decl.name or ""] = Unusable(span, HostOnly(span, "a variable of the host", help))
        self.define_static_member(decl)

    def _is_const(self, decl: c_ast.Decl) -> bool:
        inner = decl.type
        while isinstance(inner, c_ast.ArrayDecl):
            inner = inner.type
        return bool(set(getattr(inner, "quals", None) or ()) & {"const", "__const__"})

    def constant_variable(self, decl: c_ast.Decl) -> None:
        """Enter a constant with an initialiser that all threads share: at file scope, in a class, of a template."""
        span, name = name_span(decl), decl.name or ""
        hidden, later = len(self.s.current.hidden), list(self.s.current.temporaries)
        with self.new_declaration():
            ctype = self.declared_type(decl, span)
        self.require_object(ctype.type, name, span)
        if ctype.type.size > MOST_CONSTANT_BYTES:
            most = f"at most {MOST_CONSTANT_BYTES >> 20} MiB are supported"
            help = "allocate it with cudaMalloc and pass a pointer"
            self.fail(span, f"the constant '{name}' takes {ctype.type.size} bytes: {most}", help=help)
        if decl.init is None and self.s.classes.construction.needs_initialiser(ctype.type):
            self.fail(span, f"const variable '{name}' has no initialiser")
        content, known = self.s.constexpr.constant_data(self._plain_init(decl.init, ctype.type), ctype.type, name, span)
        self.enter_constant(name, ctype.type, content, known, span)
        del self.s.current.hidden[hidden:]
        self.s.current.temporaries = later

    def _plain_init(self, init: Node | None, ctype: CType) -> Node | None:
        """`int x(3)` is `int x = 3`."""
        if isinstance(init, cxx.Arguments) and not isinstance(ctype, Struct):
            return self.s.expr.initialisers.only_argument(init, ctype)
        if init is None and not self.s.classes.construction.needs_construction(ctype):  # of an empty class
            return c_ast.InitList([], NOWHERE)
        return init

    def enter_constant(self, name: str, ctype: CType, content: Content, known: Constant | None, span: Span) -> None:
        """Enter a constant; one that holds addresses is a variable of the file that is never written."""
        unique = self.unique_variable(name)
        if content.addresses:
            variable = Variable(unique, ctype, span, "constant", True)
            self.s.variables.contents[variable] = content
        else:
            variable = Variable(unique, ctype, span, "constant", True, content.data)
        if known is not None:
            self.s.variables.known_values[variable] = known
        self.s.scopes.declare(name, VariableName(span, variable, known))

    def unique_variable(self, name: str) -> str:
        """Return the name that a file-scope variable has in the tree."""
        return unique(identifier(f"{self.s.scopes.prefix()}{name}"), self.s.variables.keys)


def is_small(ctype: CType) -> bool:
    """Whether a thread may well have its own copy of a constant: a few numbers, none of which has an index."""
    if isinstance(ctype, Array) or (isinstance(ctype, Struct) and ctype.union):
        return False
    if isinstance(ctype, Struct):
        return all(is_small(member.type) for member in ctype.fields or ()) and count_leaves(ctype) <= _MOST_COPIED
    return True


def _names(initial: Expr | Braces, variable: Variable) -> bool:
    return any(isinstance(node, VarRef) and node.variable is variable for node in walk(initial))


def is_inferred(node: Node) -> bool:
    """True for the type `auto`, or one made of it."""
    while not isinstance(node, c_ast.TypeDecl):
        if isinstance(node, cxx.DeclType):
            return node.expr is None
        inner = getattr(node, "type", None)
        if inner is None:
            return False
        node = inner
    inner = node.type
    return isinstance(inner, c_ast.InferredType) or (isinstance(inner, cxx.DeclType) and inner.expr is None)


def auto_variable(name: str, init: Node, span: Span, reference: str = "&&", quals: tuple[str, ...] = ()) -> c_ast.Decl:
    """Return `auto &&name = init`, with a name that programs do not write."""
    kind: Node = c_ast.TypeDecl(name, list(quals), None, c_ast.InferredType(span), coord=span)
    if reference:
        kind = cxx.Reference(kind, reference == "&&", span)
    return c_ast.Decl(name, [], [], [], [], kind, init, None, span)
