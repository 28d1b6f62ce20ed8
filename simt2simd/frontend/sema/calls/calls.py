"""Checking calls: device functions, and CUDA's built-ins with their C++ overloads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from pycparser import c_ast

from ....diag import Note
from ....lang.builtins import BUILTINS, THREAD_VARIABLES
from ....lang.ctype import (
    DOUBLE,
    FLOAT,
    INT,
    ULONG,
    VOID,
    Array,
    BitField,
    CType,
    Pointer,
    Struct,
    zero_of,
)
from ....lang.unsupported import UNSUPPORTED_FUNCTIONS
from ....lang.vectors import BFLOAT162, HALF2
from ....source import Span
from ....tree.nodes import Constant, Convert, Deref, Expr, Member, Place, Temporary, VarRef
from ...parse import cxx
from ...parse.words import Node
from ...text.headers import compiler_names
from ..argument import Argument
from ..classes.allocation_functions import ALLOCATION_FUNCTIONS
from ..context import Part, Sema
from ..expr.builtin_operators import is_class_or_enum
from ..expr.expressions import spelled
from ..half import half as short_floats
from ..identifiers import did_you_mean
from ..qualified import Qualified
from ..scopes import (
    Ambiguous,
    EnumeratorName,
    FunctionName,
    Functions,
    NamespaceName,
    PackName,
    Reported,
    TemplateArgument,
    TemplateName,
    TypeName,
    Unusable,
    VariableName,
)
from .function_calls import is_qualified, is_unqualified
from .indirect_calls import called_type
from .memory_functions import MEMORY_FUNCTIONS

if TYPE_CHECKING:
    from .arguments import Arguments
    from .builtin_calls import BuiltinCalls
    from .conversion_sequences import ConversionSequences
    from .function_calls import FunctionCalls
    from .indirect_calls import IndirectCalls
    from .launches import Launches
    from .memory_functions import MemoryFunctions
    from .overloads import Overloads
    from .runtime_calls import RuntimeCalls

T = TypeVar("T")

_CONSTANTS = {
    "__builtin_inff": (FLOAT, math.inf), "__builtin_huge_valf": (FLOAT, math.inf),
    "__builtin_inf": (DOUBLE, math.inf), "__builtin_huge_val": (DOUBLE, math.inf),
    "__builtin_nanf": (FLOAT, math.nan), "nanf": (FLOAT, math.nan),
    "__builtin_nan": (DOUBLE, math.nan), "nan": (DOUBLE, math.nan),
}  # fmt: skip

# Templates of CUDA's that have the names of built-in functions, for objects of 16 bytes.
_OF_16_BYTES = {
    f"{name}{scope}": f"__s2s_{name}_16" for name in ("atomicCAS", "atomicExch") for scope in ("", "_block", "_system")
}

# And those for pairs of short floats.
_OF_PAIRS = {
    f"__shfl{kind}{form}": f"__s2s__shfl{kind}{form}_pair"
    for kind in ("", "_up", "_down", "_xor")
    for form in ("_sync", "")
}


# GCC's built-in functions that nvcc takes in device code: the function of CUDA's that each is.
_GCC_FUNCTIONS = {
    **{
        f"__builtin_{name}{suffix}": f"{name}{suffix}"
        for name in """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1
        fabs fdim floor fma fmax fmin fmod hypot ilogb j0 j1 ldexp lgamma llrint llround log log10 log1p log2 logb lrint
        lround nearbyint nextafter pow remainder rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc y0 y1
        frexp modf remquo sincos""".split()
        for suffix in ("", "f")
    },
    **{f"__builtin_{name}": name for name in "isnan isinf isfinite signbit abs labs llabs printf".split()},
    "__builtin_popcount": "__popc", "__builtin_popcountll": "__popcll", "__builtin_clz": "__clz",
    "__builtin_clzll": "__clzll", "__builtin_ffs": "__ffs", "__builtin_ffsll": "__ffsll",
}  # fmt: skip


class Calls(Part):
    """The checker's part for calls."""

    overloads: Overloads
    sequences: ConversionSequences
    arguments: Arguments
    builtins: BuiltinCalls
    runtime: RuntimeCalls
    memory: MemoryFunctions
    launches: Launches
    indirect: IndirectCalls
    functions: FunctionCalls

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.kernels: set[str] = set()  # those that device code launches

    def call(self, node: c_ast.FuncCall) -> Expr | Place:
        """Check a call."""
        callee = node.name
        arguments = self.s.templates.packs.spread_nodes(node.args.exprs) if node.args is not None else []
        if isinstance(callee, c_ast.StructRef):
            return self.call_member(node, callee, arguments)
        if isinstance(callee, cxx.PointedMember):
            return self.s.classes.member_pointers.call_pointed(node, callee, arguments)
        if (
            isinstance(callee, c_ast.UnaryOp)
            and callee.op == "&"
            and (named := self._addressed(callee.expr)) is not None
        ):
            return self.functions.call_functions(node, named, arguments)
        if not isinstance(callee, c_ast.ID | cxx.Name):
            return self.call_value(node, self.s.expr.term(callee), arguments)
        if spelled(callee).split("::")[-1] == "operator=":
            this = c_ast.ID("this", callee.coord)  # whose class may have no other one than an implicit one
            return self.call_member(node, c_ast.StructRef(this, "->", callee, callee.coord), arguments)
        entry = self.s.scopes.lookup(callee.name) if isinstance(callee, c_ast.ID) else self.s.expr.names.find(callee)
        match entry:
            case Functions(candidates=[]):  # `using ::min;` alone
                return self.call_unknown(node, callee, arguments)
            case Functions(name=name) if name in ALLOCATION_FUNCTIONS and entry.candidates[0].owner is None:
                return self.s.classes.allocation.call(name, arguments, node.coord)
            case Functions():
                self._require_literal_operator(entry, arguments, node.coord)
                return self.functions.call_functions(node, entry, arguments)
            case TypeName(type=Qualified(type=ctype)) if isinstance(callee, cxx.Name) or isinstance(ctype, Struct):
                return self.construct_type(ctype, arguments, node.coord)
            case TypeName():
                self.fail(callee.coord, f"'{spelled(callee)}' is a type, not a function")
            case TemplateName(kind="class"):
                return self.construct_type(
                    self.s.templates.functions.guided(entry, arguments, node.coord), arguments, node.coord
                )
            case VariableName() if not _is_callable(entry):
                note = Note(entry.span, f"'{spelled(callee)}' is declared here")
                self.fail(callee.coord, f"'{spelled(callee)}' is a variable, not a function", note)
            case None:
                return self.call_unknown(node, callee, arguments)
            case Unusable() | NamespaceName() | TemplateName() | EnumeratorName() | PackName():
                self.check_arguments(arguments)
                self.s.expr.names.entry_term(callee, entry)
                self.fail(callee.coord, f"'{spelled(callee)}' is not a function")
            case _:
                return self.call_value(node, self.s.expr.names.entry_term(callee, entry), arguments)

    def _addressed(self, node: Node) -> Functions | None:
        """Return the functions that `&f` in `(&f)(x)` names, of which the call chooses ([over.call.func])."""
        if not isinstance(node, c_ast.ID | cxx.Name):
            return None
        functions = self.s.expr.pointers.functions_named(node)
        if functions is None or any(_needs_object(one) for one in functions.candidates):
            return None
        return functions if functions.candidates else None

    def _require_literal_operator(self, functions: Functions, arguments: list[Node], span: Span) -> None:
        """Fail for literals whose operator wants their text: `template <char... C> int operator""_n()`."""
        if not functions.name.startswith('operator""'):
            return
        for one in functions.candidates:
            note = Note(one.span, f"'{functions.name}' is declared here")
            if isinstance(one, TemplateName):
                self.fail(span, "a literal operator that is a template is not supported", note)
            if len(arguments) == 1 == len(one.params) and isinstance(one.params[0].type, Pointer):
                self.fail(span, "a literal operator that takes the text of a number is not supported", note)

    def construct_type(self, ctype: CType, arguments: list[Node], span: Span) -> Expr:
        """Return `T(a, b)`, where only the checker knows that T is a type."""
        if isinstance(ctype, Struct):
            return self.s.classes.construction.object_value(ctype, self.arguments.arguments(arguments), span)
        if not arguments:
            return Constant(span, ctype, zero_of(ctype))
        return self.s.expr.conversions.cast(self.s.expr.value(arguments[0]), ctype, span)

    def call_unknown(self, node: c_ast.FuncCall, callee: c_ast.ID | cxx.Name, arguments: list[Node]) -> Expr | Place:
        """Check a call of a name that no scope has: a built-in, or a function beside the types of the arguments."""
        qualified = is_qualified(callee)
        name = callee.parts[-1].name if isinstance(callee, cxx.Name) else callee.name
        name = _GCC_FUNCTIONS.get(name, name)
        if name in ("offsetof", "__builtin_offsetof"):
            return Constant(
                node.coord, ULONG, self.offset_of(arguments[1], self.s.types.qualified(arguments[0]).type)[0]
            )
        if name in ALLOCATION_FUNCTIONS:
            return self.s.classes.allocation.call(name, arguments, node.coord)
        if name in _CONSTANTS:
            ctype, value = _CONSTANTS[name]
            return Constant(node.coord, ctype, value)
        if self.s.structs.classes and not qualified and name in BUILTINS and arguments:
            args = self.arguments.arguments(arguments)
            types = [a.term.type for a in args if a.term is not None]
            if any(map(is_class_or_enum, types)) and (found := self.s.expr.by_arguments.candidates(None, name, args)):
                return self.functions.call_chosen(node, Functions(node.coord, name, found), args)
        if self.runtime.is_service(name):
            return self.runtime.call_service(node, name, arguments)
        if name in MEMORY_FUNCTIONS:
            return self.memory.memory_function(node, name, arguments)
        template = self._template_beside(name, arguments)
        if template is not None:
            entry = self.s.scopes.std.find(template)
            assert isinstance(entry, Functions)
            return self.functions.call_functions(node, entry, arguments)
        if name in BUILTINS:
            return self.builtins.call_builtin(node, name, arguments)
        if name in short_floats.NAMES:
            return self.s.half.call_short_float(
                node, name, [self.builtins.bind_value(arg) for arg in self.arguments.arguments(arguments)]
            )
        if not qualified and name in compiler_names():
            entry = self.s.scopes.std.find(name)
            assert isinstance(entry, Functions)
            return self.functions.call_functions(node, entry, arguments)
        if isinstance(callee, cxx.Name) and qualified:
            self.check_arguments(arguments)
            self.s.expr.names.unknown_qualified(callee)
        if is_unqualified(callee) and (args := self.arguments.sound_arguments(arguments)):
            found = self.s.expr.by_arguments.candidates(None, name, args)
            if found:
                return self.functions.call_chosen(node, Functions(node.coord, name, found), args)
            inherited = self.s.expr.by_arguments.in_dependent_bases(name, args)
            if inherited is not None:
                return self.functions.call_functions(node, inherited, arguments)
        if isinstance(callee, cxx.Name):
            self.s.expr.names.unknown_qualified(callee)
        if name in self.s.functions.elsewhere:
            note = Note(self.s.functions.elsewhere[name], f"'{name}' is declared here")
            self.fail(callee.coord, f"'{name}' is called before its declaration", note, help="declare it above")
        self.s.expr.names.explain_unusable(name, callee.coord)
        names = [*self.s.scopes.visible_names(), *BUILTINS, *MEMORY_FUNCTIONS, *UNSUPPORTED_FUNCTIONS, "printf"]
        self.fail(callee.coord, f"function '{name}' is not declared", help=did_you_mean(name, names))

    def _template_beside(self, name: str, arguments: Sequence[Node]) -> str | None:
        """Return the template that takes what no built-in function of its name does: a pair, or what is larger."""
        number = int(name.endswith("_sync"))
        if (name not in _OF_16_BYTES and name not in _OF_PAIRS) or len(arguments) <= number:
            return None
        given = self.builtins.bind_value(self.arguments.arguments(arguments[number : number + 1])[0]).type
        if name in _OF_PAIRS:
            return _OF_PAIRS[name] if given in (HALF2, BFLOAT162) else None
        larger = isinstance(given, Pointer) and isinstance(given.target, Struct) and given.target.size == 16
        return _OF_16_BYTES[name] if larger else None

    def offset_of(self, designator: Node, whole: CType) -> tuple[int, CType]:
        """Return where in `whole` the member lies that `a.b[2]` names, in bytes, and its type."""
        match designator:
            case c_ast.ID():
                offset, inside, name = 0, whole, designator.name
            case c_ast.StructRef():
                offset, inside = self.offset_of(designator.name, whole)
                name = spelled(designator.field)
            case c_ast.ArrayRef():
                offset, inside = self.offset_of(designator.name, whole)
                if not isinstance(inside, Array):
                    self.fail(designator.coord, f"'{inside}' is not an array")
                index = self.s.types.constant_integer(designator.subscript, "an index in 'offsetof'")
                return offset + index * inside.element.size, inside.element
            case _:
                self.fail(designator.coord, "'offsetof' needs a member")
        self.s.types.records.require_complete(inside, designator.coord)
        path = inside.path(name) if isinstance(inside, Struct) else ()
        if not path:
            self.fail(designator.coord, f"'{inside}' has no member '{name}'")
        if isinstance(path[-1], BitField):
            self.fail(designator.coord, f"bit-field '{name}' has no address")
        return offset + sum(part.offset for part in path), path[-1].type

    def check_arguments(self, arguments: Sequence[Node]) -> None:
        """Check arguments of a call that cannot be resolved, so that their own faults are reported too."""
        for argument in arguments:
            if isinstance(argument, c_ast.Constant | c_ast.InitList | cxx.PackExpansion):
                continue
            try:
                self.s.expr.term(argument)
            except Reported:
                continue

    # -------------------------------------------------------------------------------------- calls of methods

    def call_member(self, node: c_ast.FuncCall, callee: c_ast.StructRef, arguments: list[Node]) -> Expr | Place:
        """Check `object.method(...)` and `pointer->method(...)`."""
        span = callee.coord
        if callee.type == "->":
            pointer = self.s.expr.arrow(callee.name)
            if not isinstance(pointer.type, Pointer):
                self.fail(callee.name.coord, f"'->' needs a pointer to a struct, not '{pointer.type}'")
            base: Place = Deref(callee.name.coord, pointer.type.target, pointer)
        elif self.is_thread_variable(callee.name):
            return self.call_value(node, self.s.expr.term(callee), arguments)
        else:
            term = self.s.expr.behind(self.s.expr.term(callee.name), callee.name)
            base = term if isinstance(term, Place) else Temporary(term.span, term.type, term)
        name = spelled(callee.field).rpartition("::")[2]
        if name.startswith("~"):
            qualified = isinstance(callee.field, cxx.Name) and len(callee.field.parts) > 1
            return self.call_destructor(base, span, qualified=qualified)
        if not isinstance(base.type, Struct):
            if isinstance(base.type, Pointer) and isinstance(base.type.target, Struct):
                self.fail(callee.name.coord, f"'.' needs a struct, not the pointer '{base.type}'", help="write '->'")
            self.fail(callee.name.coord, f"'{base.type}' is not a class: it has no method '{name}'")
        self.s.types.records.require_complete(base.type, span)
        if isinstance(callee.field, cxx.ConversionName):
            return self.s.classes.user_conversions.call_named(base, callee.field, arguments)
        owner, given, qualified = self._method_owner(callee.field, base.type)
        if self.s.classes.members.is_base(owner, base.type):
            base = self.s.classes.members.as_base(base, owner, span)
        found = self.s.classes.members.find_member(owner, name)
        own = found is not None and found[0] is owner and not isinstance(found[1], Ambiguous)
        if name == "operator=" and not own and len(arguments) == 1:
            target = self.s.classes.members.as_base(base, owner, span)  # its own one is implicit
            right = self.arguments.argument_of(arguments[0])
            return self.s.classes.operators.assign_to_object(target, right, callee, span)
        if found is None or not isinstance(found[1], Functions | TemplateName):
            struct = base.type
            if found is None and isinstance(struct, Struct) and struct.field(name) is None:
                self.s.classes.members.refuse_member(struct, name, callee.field.coord)
            return self.call_value(
                node, self.s.classes.members.member_of(base, name, span, callee.field.coord), arguments
            )
        functions = found[1]
        assert isinstance(functions, Functions)
        if found[0] is not owner:
            self.s.classes.members.require_unambiguous(owner, name, callee.field.coord)
        args = self.arguments.arguments(arguments)
        function = self.overloads.choose(name, functions.candidates, args, node.coord, given, object=base)
        assert isinstance(function, FunctionName)
        return self.call_method(function, base, args, node.coord, qualified=qualified)

    def is_thread_variable(self, node: Node) -> bool:
        return isinstance(node, c_ast.ID) and node.name in THREAD_VARIABLES and self.s.scopes.lookup(node.name) is None

    def _method_owner(self, field: Node, struct: Struct) -> tuple[Struct, tuple[TemplateArgument, ...] | None, bool]:
        """Return the class in which a method is looked for, its template arguments, and whether the class was named."""
        if not isinstance(field, cxx.Name):
            return struct, None, False
        last = field.parts[-1]
        given = self.s.templates.template_arguments(last.args) if last.args is not None else None
        if len(field.parts) == 1:
            return struct, given, False
        owner = self.s.expr.names.named(cxx.Name(field.parts[:-1], field.rooted, field.coord)).type
        assert isinstance(owner, Struct)
        return owner, given, True

    def call_method(
        self,
        function: FunctionName,
        object: Place | None,
        args: list[Argument],
        span: Span,
        *,
        qualified: bool = False,
        right_first: bool = False,
    ) -> Expr | Place:
        """Return the call of a function, on `object` if it is a method. `right_first` as in `call_with`."""
        self.functions.require_usable(function, span)
        if not function.is_method:
            called = self.functions.call_with(function, [], args, span, right_first=right_first)
            return called if object is None else self.s.classes.members.after_object(object, called)
        assert function.owner is not None
        if object is None:
            self.fail(span, f"'{function.shown}' is a method: there is no object here")
        this = self.s.classes.members.object_address(object, function.owner, span)
        if "virtual" in function.words and not qualified and not is_known_object(object):
            return self.indirect.call_virtual(function, this, args, span, right_first=right_first)
        if "=0" in function.words and function.node is None:
            note = Note(function.span, f"'{function.shown}' is declared here")
            self.fail(span, f"'{function.shown}' is pure: there is nothing to call", note)
        return self.functions.call_with(function, [this], args, span, right_first=right_first)

    def call_destructor(self, base: Place, span: Span, *, qualified: bool) -> Expr:
        """Check `object.~T()`, which is a virtual call as others are; `object.T::~T()` is none."""
        if not self.s.templates.objects.has_destructor(base.type):
            self.fail(span, f"the destructor of '{base.type}' is deleted")
        info = self.s.classes.construction.info(base.type)
        virtual = info.virtual_destructor if info is not None and isinstance(base.type, Struct) else None
        if virtual is not None and not qualified and not is_known_object(base):
            return self.indirect.call_virtual_destructor(virtual, base, span)
        nothing = Convert(span, VOID, Constant(span, INT, 0), explicit=True)
        found = self.s.classes.construction.destruction_of(base, span)
        return nothing if found is None else found

    def call_value(self, node: c_ast.FuncCall, term: Expr | Place, arguments: list[Node]) -> Expr | Place:
        """Check a call of what is no function's name: an object with `operator()`, or a pointer to a function."""
        span = node.coord
        if isinstance(term.type, Struct):
            place = term if isinstance(term, Place) else Temporary(term.span, term.type, term)
            found = self.s.classes.members.find_member(term.type, "operator()")
            self.s.classes.members.require_unambiguous(term.type, "operator()", node.name.coord)
            surrogates = self.indirect.surrogates(place)
            if not surrogates and (found is None or not isinstance(found[1], Functions)):
                self.fail(node.name.coord, f"an object of '{term.type}' cannot be called: it has no 'operator()'")
            args = self.arguments.arguments(arguments)
            own = found[1].candidates if found is not None and isinstance(found[1], Functions) else []
            if surrogates and not self.overloads.viable(own, args, None, place):
                return self.indirect.call_surrogate(surrogates, place, args, span)
            function = self.overloads.choose("operator()", own, args, span, object=place)
            assert isinstance(function, FunctionName)
            return self.call_method(function, place, args, span)
        pointer = self.s.expr.load(term)
        ctype = called_type(pointer.type)
        if ctype is None:
            self.fail(node.name.coord, "only a function can be called")
        return self.indirect.call_pointer(pointer, ctype, self.arguments.arguments(arguments), span)


def _is_callable(entry: VariableName) -> bool:
    """Whether what a variable's name denotes may be called: a pointer to a function, or an object."""
    ctype = entry.alias.type if entry.alias is not None else entry.variable.type
    if isinstance(ctype, Pointer) and entry.reference and entry.alias is None:
        ctype = ctype.target
    return isinstance(ctype, Struct) or called_type(ctype) is not None


def _needs_object(function: FunctionName | TemplateName) -> bool:
    """Whether a function may be a method that is not static; of templates that are members, each may."""
    return function.owner is not None if isinstance(function, TemplateName) else function.is_method


def is_known_object(place: Place) -> bool:
    """Whether an object's class is known: it is a variable, or a member of one, and not what a pointer points to.

    An object that is the base of another one is not: virtual functions are those of the whole object.
    """
    if isinstance(place, Member) and place.name.startswith("base_"):
        return False
    while isinstance(place, Member):
        place = place.base
    return isinstance(place, VarRef | Temporary)
