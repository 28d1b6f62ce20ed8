"""Checking expressions: a pycparser node becomes a typed `Expr` or `Place` of the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from pycparser import c_ast

from ...diag import Note
from ...lang.builtins import ADDRESS_FUNCTIONS, BUILTINS, THREAD_VARIABLES, UNSUPPORTED_FUNCTIONS, WARP_SIZE, make
from ...lang.ctype import (
    BOOL,
    INT,
    LONG,
    UINT,
    ULONG,
    VOID,
    Array,
    CType,
    Pointer,
    Scalar,
    Struct,
    common,
    is_arithmetic,
    is_integer,
    is_short_float,
    promote,
)
from ...lang.vectors import DIM3, UINT3
from ...source import Span
from ...tree.effects import only_reads, outermost
from ...tree.nodes import (
    ARITHMETIC,
    COMPARISONS,
    AddressOf,
    Arithmetic,
    Assign,
    Binary,
    BinaryOp,
    BuiltinCall,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Constant,
    Convert,
    Decay,
    Deref,
    Expr,
    Increment,
    Index,
    Load,
    Logical,
    LogicalOp,
    Member,
    Place,
    PointerAdd,
    PointerDiff,
    Temporary,
    ThreadIndex,
    Unary,
    UnaryOp,
    VarRef,
)
from ...tree.rewrite import copied
from .. import cxx
from ..words import BlockExpression, Node, host_only_use
from .conversions import (
    bits_promotion,
    is_null,
    place_type,
    root_variable,
)
from .fold import (
    char_literal,
    float_literal,
    fold,
    integer_literal,
)
from .identifiers import did_you_mean
from .scopes import (
    EnumeratorName,
    FunctionName,
    Functions,
    MemberName,
    Name,
    NamespaceName,
    PackName,
    Qualified,
    Reported,
    TemplateName,
    TypeName,
    Unusable,
    ValueName,
    VariableName,
)
from .strings import Strings

_OPERATORS: tuple[BinaryOp, ...] = (*ARITHMETIC, *COMPARISONS)
_LOGICAL: tuple[LogicalOp, ...] = ("&&", "||")
_SIGNS: tuple[UnaryOp, ...] = ("-", "~")
_AXES = ("x", "y", "z")
FUNCTION_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")


class Expressions(Strings):
    """The checker's part for expressions.

    `term` gives what an expression denotes, `value` what it evaluates to, `place` where it is. A faulty operand does
    not keep its siblings from being checked: see `each`.
    """

    def value(self, node: Node) -> Expr:
        """Check `node` as a value: a place is read, an array becomes the address of its first element."""
        return self.load(self.term(node))

    def load(self, term: Expr | Place) -> Expr:
        if not isinstance(term, Place):
            return term
        if isinstance(term.type, Array):
            const, volatile = place_type(term, self.const_members)
            return Decay(term.span, Pointer(term.type.element, const, volatile), term)
        if isinstance(term, Temporary):
            return term.value
        if term.type is VOID:
            self.fail(term.span, "a void pointer cannot be dereferenced", help="cast it to a pointer to a type first")
        self.require_complete(term.type, term.span)
        if isinstance(term, VarRef) and term.variable.storage == "constant":
            known = self.known_value(term)
            if known is not None:
                return known
        self.require_copyable(term.type, term.span)
        return Load(term.span, term.type, term)

    def known_value(self, ref: VarRef) -> Constant | None:
        known = self.known_values.get(ref.variable)
        return None if known is None else Constant(ref.span, known.type, known.value)

    def each(self, *nodes: Node) -> list[Expr]:
        """Check several operands as values, every one even if another is faulty."""
        return self.every([partial(self.value, node) for node in nodes])

    def every(self, checks: Sequence[Callable[[], Expr]]) -> list[Expr]:
        values: list[Expr] = []
        for check in checks:
            try:
                values.append(check())
            except Reported:
                continue
        if len(values) < len(checks):
            raise Reported
        return values

    def place(self, node: Node, deed: str) -> Place:
        """Check `node` as a place; `deed` says what is to be done to it."""
        if isinstance(node, c_ast.StructRef) and node.type == "." and isinstance(node.name, c_ast.TernaryOp):
            base = self.chosen_place(node.name, deed)
            term = self.member_of(base, spelled(node.field), node.coord, node.field.coord)
        else:
            term = self.chosen_place(node, deed) if isinstance(node, c_ast.TernaryOp) else self.term(node)
        if isinstance(term, Constant) and isinstance(node, c_ast.ID):
            term = self._variable_behind(node) or term
        term = self.assigned_place(term, node, deed)
        if not isinstance(term, Place):
            self.fail(node.coord, f"cannot {deed} this: it is a value, not a variable or a place in memory")
        return term

    def assigned_place(self, term: Expr | Place, node: Node, deed: str) -> Expr | Place:
        """Return the place that `(a = b)`, `++a` and `(b, a)` are: a, after what they do."""
        if isinstance(node, c_ast.ExprList) and not isinstance(term, Place):
            *first, last = node.exprs
            place = self.place(last, deed)
            address: Expr = self.address(place, place.span)
            for value in reversed([self.load(self.term(one)) for one in first]):
                address = Comma(node.coord, address.type, value, address)
            return Deref(node.coord, place.type, address)
        prefix = isinstance(term, Increment) and term.prefix
        if not (isinstance(term, Assign | CompoundAssign) or prefix):
            return term
        assert isinstance(term, Assign | CompoundAssign | Increment)
        if not only_reads(AddressOf(node.coord, Pointer(term.place.type), term.place)):
            return term
        again = self.address(copied(term.place), node.coord)
        return Deref(node.coord, term.place.type, Comma(node.coord, again.type, term, again))

    def chosen_place(self, node: c_ast.TernaryOp, deed: str) -> Place:
        """Check `c ? x : y` as a place that the program may write: `*(c ? &x : &y)`."""
        cond = self.to_bool(self.value(node.cond))
        then, other = (self.writable(arm, deed) for arm in (node.iftrue, node.iffalse))
        if then.type != other.type:
            what = f"cannot {deed} this: the arms of '?:' are not two variables of one type"
            self.fail(node.coord, what, help="write an `if`")
        addresses = [self.address(arm, arm.span) for arm in (then, other)]
        target = self.composite(*addresses)
        assert target is not None
        then_at, other_at = (self.convert(address, target) for address in addresses)
        return Deref(node.coord, then.type, fold(Conditional(node.coord, target, cond, then_at, other_at)))

    def writable(self, node: Node, deed: str, place: Place | None = None) -> Place:
        """Check `node`, which denotes `place` if that is known, as a place that the program may write."""
        place = self.place(node, deed) if place is None else place
        root = root_of(place)
        if isinstance(root, Temporary):
            what = "function's result" if isinstance(root.value, Call) else "value"
            help = f"store the {what.split()[-1]} in a variable first"
            self.fail(node.coord, f"cannot {deed} a part of a {what}", help=help)
        if isinstance(place.type, Array):
            self.fail(node.coord, f"cannot {deed} an array", help="do it element by element")
        if place_type(place, self.const_members)[0]:
            self.refuse_const(place, node, deed)
        named = root_variable(place)
        if named is not None and named.variable.storage == "constant":
            name, declared = named.variable.name, named.variable.span
            note = Note(declared, f"'{name}' is declared here")
            message = f"cannot {deed} '{name}': a kernel cannot change a `__constant__` variable"
            self.fail(node.coord, message, note, help="make it `__device__`")
        return place

    def refuse_const(self, place: Place, node: Node, deed: str) -> None:
        variable = root_variable(place)
        if variable is not None and variable.variable.const:
            name = variable.variable.name
            self.fail(
                node.coord,
                f"cannot {deed} '{name}': it is const",
                Note(variable.variable.span, f"'{name}' is declared here"),
            )
        if (
            isinstance(place, Member)
            and isinstance(place.base.type, Struct)
            and (place.base.type, place.name) in self.const_members
        ):
            note = Note(place.base.type.span, f"'{place.base.type.tag}' is declared here")
            self.fail(node.coord, f"cannot {deed} '{place.name}': the member is const", note)
        owner = place.base.type if isinstance(place, Member) else None
        if (
            isinstance(place, Member)
            and isinstance(owner, Struct)
            and owner in self.classes
            and self.classes[owner].is_lambda
        ):
            help = "capture it by reference, or write 'mutable'"
            self.fail(node.coord, f"cannot {deed} '{place.name}': the lambda has captured its value", help=help)
        self.fail(node.coord, f"cannot {deed} what a pointer to const points to")

    # ---------------------------------------------------------------------------------------- terms

    def term(self, node: Node) -> Expr | Place:
        """Check `node`; the result is a `Place` if it denotes one."""
        match node:
            case c_ast.Constant():
                return self.literal(node)
            case c_ast.ID():
                return self.name(node)
            case c_ast.ArrayRef():
                return self.index(node)
            case c_ast.StructRef():
                return self.member(node)
            case c_ast.UnaryOp():
                return self.unary(node)
            case c_ast.BinaryOp():
                return self.binary(node)
            case c_ast.Assignment():
                return self.assignment(node)
            case c_ast.TernaryOp():
                return self.conditional(node)
            case c_ast.Cast():
                return self.cast_expression(node)
            case c_ast.ExprList():
                return self.comma(node)
            case c_ast.FuncCall():
                return self.as_term(self.call(node))
            case c_ast.CompoundLiteral():
                return self.compound_literal(node)
            case BlockExpression():
                return self.block_value(node)
            case cxx.Name():
                return self.entry_term(node, self.resolve(node))
            case cxx.Construct():
                return self.as_term(self.construction(node))
            case cxx.Lambda():
                return self.as_term(self.lambda_value(node))
            case cxx.New():
                return self.new(node)
            case cxx.Delete():
                return self.delete(node)
            case cxx.Fold():
                return self.fold_expression(node)
            case cxx.SizeofPack():
                return self.size_of_pack(node)
            case cxx.Trait():
                return self.trait(node)
            case cxx.PackExpansion():
                self.fail(node.coord, "a pack can be expanded only in a list")
            case cxx.Throw():
                self.fail(node.coord, "exceptions do not exist in device code", help="return an error code")
            case c_ast.InitList():
                self.fail(node.coord, "a braced list is possible only as an initialiser", help="write `T{...}`")
            case _:
                self.fail(node.coord, f"this expression is not supported: {type(node).__name__}")

    def as_term(self, result: Expr | Place) -> Expr | Place:
        """A struct that an expression makes is a place without a name."""
        if isinstance(result.type, Struct) and not isinstance(result, Place):
            return Temporary(result.span, result.type, result)
        return result

    def terms(self, *nodes: Node) -> list[Expr | Place]:
        """Check several operands, every one even if another is faulty."""
        found: list[Expr | Place] = []
        for node in nodes:
            try:
                found.append(self.term(node))
            except Reported:
                continue
        if len(found) < len(nodes):
            raise Reported
        return found

    # ------------------------------------------------------------------ what other parts of the checker define

    def literal(self, node: c_ast.Constant) -> Constant | VarRef:
        text, span = node.value, node.coord
        if node.type == "string":
            return self.string(node)
        if node.type == "bool":
            return Constant(span, BOOL, text == "true")
        if node.type == "nullptr_t":
            return Constant(span, Pointer(VOID), 0)
        result: Constant | None
        if "'" in text and not text[0].isdigit() and text[0] != ".":
            result = char_literal(text, span)
            if result is None:
                self.fail(span, f"the character {text} is not supported")
            return result
        if node.type in ("float", "double", "long double"):
            if node.type == "long double":
                self.fail(span, "'long double' does not exist in device code", help="leave out the 'l'")
            return float_literal(text, span)
        result = integer_literal(text, span) if "BitInt" not in node.type else None
        if result is None:
            shown = text if len(text) <= 40 else f"{text[:20]}..."
            self.fail(span, f"the integer {shown} is too large for any type")
        return result

    def name(self, node: c_ast.ID) -> Expr | Place:
        name, span = node.name, node.coord
        if name == "this":
            pointer = self.this(span)
            if pointer is None:
                self.fail(span, "'this' exists only in methods")
            return pointer
        entry = self.lookup(name)
        if isinstance(entry, VariableName) and self.is_left_out(name, entry):
            note = Note(entry.span, f"'{name}' is declared here")
            help = f"write '[=]', '[&]' or '[{name}]'"
            self.fail(span, f"'{name}' is not captured by this lambda", note, help=help)
        return self.unknown_name(name, span) if entry is None else self.entry_term(node, entry)

    def is_left_out(self, name: str, entry: VariableName) -> bool:
        """Whether a name is a variable of the function around the lambda whose body is checked, which has no such."""
        if not self.bodies or entry.value is not None or entry.variable.storage not in ("local", "param"):
            return False
        body = self.bodies[-1]
        info = self.classes.get(body.function.owner) if body.function.owner is not None else None
        around = body.function.scopes
        if (
            info is None
            or not info.is_lambda
            or len(self.scopes) < body.base
            or self.scopes[body.base - 1] is not around[-1]
        ):
            return False
        return not any(scope.names.get(name) is entry for scope in self.scopes[body.base :])

    def entry_term(self, node: Node, entry: Name) -> Expr | Place:
        """Return what the use of a name at `node` denotes, of which `entry` tells what it stands for."""
        span, name = node.coord, spelled(node)
        match entry:
            case VariableName():
                return self.variable_term(entry, span)
            case ValueName(value=value):
                return Constant(span, value.type, value.value)
            case EnumeratorName():
                return Constant(span, entry.type, entry.value)
            case MemberName():
                this = self.this_of(entry.owner, span)
                if this is None:
                    self.fail(span, f"'{name}' is a member: there is no object here")
                assert isinstance(this.type, Pointer)
                return self.member_of(Deref(span, this.type.target, this), entry.name, span, span)
            case Functions():
                return self.function_address(self.only_function(entry, span), span)
            case TypeName():
                self.fail(span, f"'{name}' is a type, not a value")
            case TemplateName():
                self.fail(span, f"'{name}' is a template: its arguments are missing")
            case NamespaceName():
                self.fail(span, f"'{name}' is a namespace, not a value")
            case PackName():
                self.fail(span, f"'{name}' is a parameter pack: expand it with '...'")
            case Unusable():
                self.refuse_unusable(name, span, entry)

    def variable_term(self, entry: VariableName, span: Span) -> Expr | Place:
        variable = entry.variable
        if entry.alias is not None:
            return copied(entry.alias)
        if variable.initial is not None and entry.value is None:
            self.used_constants[variable] = None
        if variable.space:
            self.used_variables.setdefault(variable, span)
        if variable.storage != "constant" and entry.value is not None:
            return Constant(span, entry.value.type, entry.value.value)
        place = VarRef(span, variable.type, variable)
        if not entry.reference:
            return place
        assert isinstance(variable.type, Pointer)
        return Deref(span, variable.type.target, Load(span, variable.type, place))

    def only_function(self, entry: Functions, span: Span) -> FunctionName:
        """Return the function of a name that has one."""
        match entry.candidates:
            case [FunctionName() as function]:
                return function
        note = Note(entry.span, f"'{entry.name}' is declared here")
        self.fail(span, f"'{entry.name}' names several functions", note, help="cast it to a pointer of the type meant")

    def unknown_name(self, name: str, span: Span) -> Expr | Place:
        if name in FUNCTION_NAMES and (text := self.function_text(name)) is not None:
            return self.constant_string(text.encode(errors="surrogateescape"), span)
        if name in THREAD_VARIABLES:
            axes = tuple(ThreadIndex(span, UINT, name, axis) for axis in range(3))
            ctype = UINT3 if name in ("threadIdx", "blockIdx") else DIM3
            return BuiltinCall(span, ctype, make(ctype, f"make_{ctype}" if ctype == UINT3 else None), axes)
        if name == "warpSize":
            return Constant(span, INT, WARP_SIZE)
        self.explain_unusable(name, span)
        if name in BUILTINS or name in ADDRESS_FUNCTIONS:
            self.fail(span, f"'{name}' is a function: only a call of it is possible")
        # Say it once per function: the name is then known to be bad.
        candidates = [*self.visible_names(), *THREAD_VARIABLES, "warpSize"]
        help = did_you_mean(name, candidates)
        self.scopes[min(1, len(self.scopes) - 1)].names[name] = Unusable(span)
        self.fail(span, f"'{name}' is not declared", help=help)

    def explain_unusable(self, name: str, span: Span) -> None:
        """Fail if `name` is known, but not for device code."""
        if name in self.host_only:
            self.report(host_only_use(name, span, self.host_only[name]))
            raise Reported
        if name in UNSUPPORTED_FUNCTIONS:
            self.fail(span, f"'{name}' is not supported yet", help=UNSUPPORTED_FUNCTIONS[name])
        if name.startswith("__builtin_"):
            self.fail(span, f"'{name}' is not supported in device code")
        if name.startswith("cuda") and name[4:5].isupper():
            self.fail(span, f"'{name}' is a function of the host: device code cannot call it")

    # -------------------------------------------------------------------------- places inside places

    def index(self, node: c_ast.ArrayRef) -> Expr | Place:
        if isinstance(node.subscript, c_ast.InitList):
            self.fail(node.subscript.coord, "an index must be a number")
        operands = self.terms(node.name, node.subscript)
        if isinstance(operands[0].type, Struct):
            found = self.overloaded("[]", operands, [node.name, node.subscript], node.coord)
            if found is not None:
                return found
        base, index = (self.to_number(self.load(operand)) for operand in operands)
        if isinstance(index.type, Pointer) and is_integer(base.type):
            base, index = index, base  # i[a] is a[i]
        if not isinstance(base.type, Pointer):
            self.fail(node.coord, f"only an array or a pointer can be indexed, not '{base.type}'")
        if not is_integer(index.type):
            self.fail(index.span, f"an index must be an integer, not '{index.type}'")
        self.require_size(base.type.target, node.coord, "index")
        return Index(node.coord, base.type.target, base, self.promoted(index))

    def require_size(self, target: CType, span: Span, deed: str) -> None:
        if target is VOID:
            self.fail(span, f"cannot {deed} a void pointer", help="cast it to a pointer to a type first")
        self.require_complete(target, span)

    def member(self, node: c_ast.StructRef) -> Expr | Place:
        name, span = spelled(node.field), node.coord
        if (
            node.type == "."
            and isinstance(node.name, c_ast.ID)
            and node.name.name in THREAD_VARIABLES
            and not self.lookup(node.name.name)
        ):
            if name not in _AXES:
                self.fail(
                    node.field.coord, f"'{node.name.name}' has no member '{name}'", help="its members are x, y and z"
                )
            return ThreadIndex(span, UINT, node.name.name, _AXES.index(name))
        base: Place
        if node.type == "->":
            pointer = self.arrow(node.name)
            if not isinstance(pointer.type, Pointer):
                help = "write '.'" if isinstance(pointer.type, Struct) else None
                self.fail(node.name.coord, f"'->' needs a pointer to a struct, not '{pointer.type}'", help=help)
            base = Deref(node.name.coord, pointer.type.target, pointer)
        else:
            term = self.term(node.name)
            base = term if isinstance(term, Place) else Temporary(term.span, term.type, term)
        struct = base.type
        if not isinstance(struct, Struct):
            if node.type == "." and isinstance(struct, Pointer) and isinstance(struct.target, Struct):
                self.fail(node.name.coord, f"'.' needs a struct, not the pointer '{struct}'", help="write '->'")
            self.fail(node.name.coord, f"'{struct}' is not a struct: it has no member '{name}'")
        self.require_complete(struct, node.name.coord)
        return self.member_of(base, name, span, node.field.coord)

    def arrow(self, node: Node) -> Expr:
        """Return the pointer whose member `->` names: a class may have an operator for it."""
        term = self.term(node)
        while isinstance(term.type, Struct):
            found = self.overloaded("->", [term], [node], node.coord)
            if found is None:
                break
            term = found
        return self.load(term)

    # ------------------------------------------------------------------------------------- operators

    def unary(self, node: c_ast.UnaryOp) -> Expr | Place:
        match node.op:
            case "sizeof" | "_Alignof" | "alignof" | "__alignof__" | "__alignof":
                return self.size_of(node)
            case "++" | "--" | "p++" | "p--":
                return self.increment(node)
            case "&":
                return self.address_of(node)
            case "*":
                term = self.term(node.expr)
                if isinstance(term.type, Struct) and (found := self.overloaded("*", [term], [node.expr], node.coord)):
                    return found
                pointer = self.load(term)
                if not isinstance(pointer.type, Pointer):
                    self.fail(node.coord, f"'*' needs a pointer, not '{pointer.type}'")
                return Deref(node.coord, pointer.type.target, pointer)
        term = self.term(node.expr)
        if is_class_or_enum(term.type) and (found := self.overloaded(node.op, [term], [node.expr], node.coord)):
            return found
        operand = self.load(term)
        if node.op == "!":
            return fold(Unary(node.coord, BOOL, "!", self.to_bool(operand, "the operand of '!'")))
        operand = self.to_number(operand)
        if node.op == "+" and (isinstance(operand.type, Pointer) or is_short_float(operand.type)):
            return operand
        fits = is_integer(operand.type) if node.op == "~" else is_arithmetic(operand.type)
        if not fits:
            self.fail(node.coord, f"'{node.op}' cannot be applied to '{operand.type}'")
        given = operand.type
        operand = self.promoted(operand)
        if node.op == "+":
            return operand
        assert node.op in _SIGNS
        return self.rounded(fold(Unary(node.coord, operand.type, node.op, operand)), given, given)

    def size_of(self, node: c_ast.UnaryOp) -> Expr:
        if isinstance(node.expr, c_ast.Typename):
            ctype = self.qualified(node.expr).type
        else:
            ctype = self.type_of(node.expr, sized=True).type
        if ctype is VOID:
            self.fail(node.coord, "void has no size")
        self.require_complete(ctype, node.coord)
        if isinstance(ctype, Array) and ctype.count == 0 and node.op == "sizeof":
            self.fail(node.coord, "the launch tells the size of dynamic shared memory: it is not known here")
        return Constant(node.coord, ULONG, ctype.size if node.op == "sizeof" else ctype.align)

    def type_of(self, node: Node, *, sized: bool = False) -> Qualified:
        constants, hidden = dict(self.used_constants), len(self.hidden)
        term = self.term(node)
        if isinstance(term, Member) and term.bits is not None and sized:
            self.fail(node.coord, f"bit-field '{term.name}' has no size in bytes")
        self.used_constants = constants  # what is not evaluated needs no memory
        del self.hidden[hidden:]
        const, volatile = place_type(term, self.const_members) if isinstance(term, Place) else (False, False)
        return Qualified(term.type, const and not isinstance(term, Temporary), volatile)

    def increment(self, node: c_ast.UnaryOp) -> Expr | Place:
        sign = node.op.removeprefix("p")
        deed = "increment" if sign == "++" else "decrement"
        term = self.place(node.expr, deed)
        if is_class_or_enum(term.type) and (found := self.overloaded(node.op, [term], [node.expr], node.coord)):
            return found
        place = self.writable(node.expr, deed, term)
        if place.type is BOOL:
            self.fail(node.coord, f"'{sign}' cannot be applied to bool")
        if isinstance(place.type, Pointer):
            self.require_size(place.type.target, node.coord, "increment" if sign == "++" else "decrement")
        elif not is_arithmetic(place.type):
            self.fail(node.coord, f"'{sign}' cannot be applied to '{place.type}'")
        return Increment(node.coord, place.type, place, 1 if sign == "++" else -1, not node.op.startswith("p"))

    def address_of(self, node: c_ast.UnaryOp) -> Expr:
        if isinstance(node.expr, c_ast.ID | cxx.Name) and (functions := self.functions_named(node.expr)) is not None:
            return self.function_address(self.only_function(functions, node.coord), node.coord)
        term = self.term(node.expr)
        if isinstance(term.type, Struct) and (found := self.overloaded("&", [term], [node.expr], node.coord)):
            return self.load(found)
        if isinstance(term, Constant) and isinstance(node.expr, c_ast.ID):
            term = self._variable_behind(node.expr) or term
        if not isinstance(term, Place) or isinstance(root_of(term), Temporary):
            self.fail(node.coord, "'&' needs a variable or a place in memory")
        return self.address(term, node.coord)

    def functions_named(self, node: Node) -> Functions | None:
        """Return the functions that an expression names; None if it is something else."""
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            node = node.expr
        if isinstance(node, c_ast.ID):
            entry: Name | None = self.lookup(node.name)
        else:
            entry = self.resolve(node) if isinstance(node, cxx.Name) else None
        return entry if isinstance(entry, Functions) else None

    def address(self, place: Place, span: Span) -> Expr:
        """Return the address of a place; that of `*p` is p."""
        if isinstance(place, Member) and place.bits is not None:
            self.fail(span, f"bit-field '{place.name}' has no address", help="copy it to a variable")
        if isinstance(place, VarRef) and place.variable.initial is not None:
            self.used_constants[place.variable] = None
        if isinstance(place, Deref) and isinstance(place.pointer.type, Pointer):
            return place.pointer
        const, volatile = place_type(place, self.const_members)
        return AddressOf(span, Pointer(place.type, const, volatile), place)

    def pointer_as(self, pointer: Expr, target: Pointer) -> Expr:
        """Return an address as one of another type: with more qualifiers."""
        if pointer.type == target:
            return pointer
        if isinstance(pointer, AddressOf):
            return replace(pointer, type=target)
        return Convert(pointer.span, target, pointer)

    def _variable_behind(self, node: c_ast.ID) -> VarRef | None:
        """Return the const variable of which `node` was taken for its value."""
        entry = self.lookup(node.name)
        if not isinstance(entry, VariableName) or entry.reference or entry.alias is not None:
            return None
        return VarRef(node.coord, entry.variable.type, entry.variable)

    def binary(self, node: c_ast.BinaryOp) -> Expr | Place:
        op, span = node.op, node.coord
        operands = self.terms(node.left, node.right)
        if any(is_class_or_enum(operand.type) for operand in operands):
            found = self.overloaded(op, operands, [node.left, node.right], span)
            if found is not None:
                return found
        left, right = map(self.load, operands)
        return self.plain_binary(op, left, right, span)

    def plain_binary(self, op: str, left: Expr, right: Expr, span: Span) -> Expr:
        """Return what a built-in operator makes of two values."""
        if op in _LOGICAL:
            what = f"an operand of '{op}'"
            return fold(Logical(span, BOOL, op, self.to_bool(left, what), self.guarded(self.to_bool(right, what))))
        assert op in _OPERATORS
        left, right = self.to_number(left), self.to_number(right)
        if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
            return self.pointer_binary(op, left, right, span)
        self.require_operands(op, left.type, right.type, span)
        if op in ("<<", ">>"):
            left, right = self.promoted(left), self.promoted(right)
            return fold(Binary(span, left.type, op, left, right))
        given = left.type, right.type
        left, right, shared = self.balanced(left, right)
        result = fold(Binary(span, BOOL if op in COMPARISONS else shared, op, left, right))
        return result if op in COMPARISONS else self.rounded(result, *given)

    def rounded(self, value: Expr, left: CType, right: CType) -> Expr:
        """Round what an operator on two short floats, or on one and an integer, gives: it has their type."""
        short = left if is_short_float(left) else right
        others = (left, right) if is_short_float(short) else ()
        return self.convert(value, short) if others and all(t == short or is_integer(t) for t in others) else value

    def require_operands(self, op: str, left: CType, right: CType, span: Span) -> None:
        """Fail unless both operands of an operator on numbers are numbers, and integers where it needs them."""
        suitable = is_integer if op in ("%", "&", "|", "^", "<<", ">>") else is_arithmetic
        if suitable(left) and suitable(right):
            return
        help = "use 'fmodf' or 'fmod'" if op == "%" and is_arithmetic(left) and is_arithmetic(right) else None
        self.fail(span, f"invalid operands of '{op}': '{left}' and '{right}'", help=help)

    def pointer_binary(self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr:
        if op in COMPARISONS:
            left, right = self.same_pointers(left, right, op, span)
            return fold(Binary(span, BOOL, op, left, right))
        if op == "+" and is_integer(left.type):
            left, right = right, left
        if op in ("+", "-") and isinstance(left.type, Pointer) and is_integer(right.type):
            self.require_size(left.type.target, span, "do arithmetic on")
            return PointerAdd(span, left.type, left, self.promoted(right), negative=op == "-")
        if op == "-" and isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
            if left.type.target != right.type.target:
                self.fail(span, f"the difference of '{left.type}' and '{right.type}' has no meaning")
            self.require_size(left.type.target, span, "do arithmetic on")
            return PointerDiff(span, LONG, left, right)
        self.fail(span, f"invalid operands of '{op}': '{left.type}' and '{right.type}'")

    def same_pointers(self, left: Expr, right: Expr, op: str, span: Span) -> tuple[Expr, Expr]:
        """Convert two operands, of which at least one is a pointer, to one pointer type."""
        target = self.composite(left, right)
        ordered_null = op not in ("==", "!=") and (is_null(left) or is_null(right))
        if target is None or ordered_null:
            self.fail(span, f"invalid operands of '{op}': '{left.type}' and '{right.type}'")
        return self.convert_pointer(left, target), self.convert_pointer(right, target)

    def composite(self, left: Expr, right: Expr) -> Pointer | None:
        """Return C++'s composite pointer type of two operands; None if there is none."""
        a, b = left.type, right.type
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            const, volatile = a.const or b.const, a.volatile or b.volatile
            if is_null(left) or is_null(right):
                return b if is_null(left) else a
            for base, derived in ((a, b), (b, a)):
                up, down = base.target, derived.target
                if isinstance(up, Struct) and isinstance(down, Struct) and up is not down and self.is_base(up, down):
                    return Pointer(up, const, volatile)
            if a.target == b.target or VOID in (a.target, b.target):
                return Pointer(VOID if VOID in (a.target, b.target) else a.target, const, volatile)
            return None
        if isinstance(a, Pointer) and is_null(right):
            return a
        return b if isinstance(b, Pointer) and is_null(left) else None

    def is_base(self, base: Struct, derived: Struct) -> bool:
        """Whether a class is a base of another: the part for classes."""
        raise NotImplementedError

    def convert_pointer(self, expr: Expr, target: Pointer) -> Expr:
        if is_null(expr):
            return Constant(expr.span, target, 0)
        return self.to_base_pointer(expr, target) or self.convert(expr, target)

    def conditional(self, node: c_ast.TernaryOp) -> Expr | Place:
        cond, then, other = self.each(node.cond, node.iftrue, node.iffalse)
        cond = self.to_bool(cond)
        if isinstance(then.type, Struct) != isinstance(other.type, Struct):
            then, other = self.like(then, other), self.like(other, then)
        span = node.coord
        target: CType
        if is_arithmetic(then.type) and is_arithmetic(other.type):
            assert isinstance(then.type, Scalar) and isinstance(other.type, Scalar)
            target = then.type if then.type == other.type else common(then.type, other.type)
            then, other = self.convert(then, target), self.convert(other, target)
        elif isinstance(then.type, Pointer) or isinstance(other.type, Pointer):
            pointer = self.composite(then, other)
            if pointer is None:
                self.fail(span, f"the arms of '?:' have different types: '{then.type}' and '{other.type}'")
            target = pointer
            then, other = self.convert_pointer(then, pointer), self.convert_pointer(other, pointer)
        elif then.type == other.type:
            target = then.type
        else:
            self.fail(span, f"the arms of '?:' have different types: '{then.type}' and '{other.type}'")
        return fold(Conditional(span, target, cond, self.guarded(then), self.guarded(other)))

    def like(self, expr: Expr, other: Expr) -> Expr:
        """Return one arm of `?:`, converted to the class of the other one."""
        if isinstance(other.type, Struct) and not isinstance(expr.type, Struct):
            return self.implicit(expr, other.type, "in an arm of '?:'")
        return expr

    def assignment(self, node: c_ast.Assignment) -> Expr | Place:
        if node.op == "=" and isinstance(node.rvalue, c_ast.InitList):
            return self.assign_braces(node)
        target = self.assigned(node)
        if is_class_or_enum(target.type):
            found = self.class_assignment(node, target)
            if found is not None:
                return found
        place, value = self._both(node, target)
        if node.op == "=":
            self.require_complete(place.type, node.coord)
            return Assign(
                node.coord, place.type, place, self.implicit(value, place.type, "in an assignment", span=value.span)
            )
        op = node.op.removesuffix("=")
        assert op in ARITHMETIC
        return self.compound_assignment(node, place, op, self.to_number(value))

    def assigned(self, node: c_ast.Assignment) -> Place:
        """Check the left side of an assignment."""
        try:
            return self.place(node.lvalue, "assign to")
        except Reported:
            self.value(node.rvalue)
            raise

    def _both(self, node: c_ast.Assignment, target: Place) -> tuple[Place, Expr]:
        """Check both sides of an assignment, the right one even if the left one is faulty."""
        try:
            place = self.writable(node.lvalue, "assign to", target)
        except Reported:
            self.value(node.rvalue)
            raise
        if isinstance(place.type, Pointer) and (functions := self.functions_named(node.rvalue)) is not None:
            return place, self.chosen_function(functions, place.type, node.rvalue.coord)
        return place, self.value(node.rvalue)

    def compound_assignment(self, node: c_ast.Assignment, place: Place, op: Arithmetic, value: Expr) -> Expr:
        span = node.coord
        if isinstance(place.type, Pointer) and op in ("+", "-"):
            if not is_integer(value.type):
                self.fail(span, f"invalid operands of '{node.op}': '{place.type}' and '{value.type}'")
            self.require_size(place.type.target, span, "do arithmetic on")
            return CompoundAssign(span, place.type, place, op, self.promoted(value), place.type)
        self.require_operands(op, place.type, value.type, span)
        assert isinstance(place.type, Scalar) and isinstance(value.type, Scalar)
        held = bits_promotion(place)
        if op in ("<<", ">>"):
            return CompoundAssign(span, place.type, place, op, self.promoted(value), held or promote(place.type))
        compute = common(held or place.type, value.type)
        return CompoundAssign(span, place.type, place, op, self.convert(value, compute), compute)

    def cast_expression(self, node: c_ast.Cast) -> Expr | Place:
        target: Qualified = self.qualified(node.to_type)
        if isinstance(target.type, Pointer) and (functions := self.functions_named(node.expr)) is not None:
            return self.chosen_function(functions, target.type, node.coord)
        if isinstance(target.type, Struct) and not target.reference:
            return self.as_term(self.construct_type(target.type, [node.expr], node.coord))
        term = self.term(node.expr)
        if target.reference:
            return self.cast_reference(term, target, node.coord)
        return self.cast(self.load(term), target.type, node.coord)

    def comma(self, node: c_ast.ExprList) -> Expr | Place:
        terms = self.terms(*node.exprs)
        result = terms[0]
        for left, term, at in zip(node.exprs, terms[1:], node.exprs[1:], strict=False):
            found = None
            if is_class_or_enum(result.type) or is_class_or_enum(term.type):
                found = self.overloaded(",", [result, term], [left, at], node.coord)
            result = found if found is not None else self.in_turn(result, term, node.coord)
        return result

    def in_turn(self, first: Expr | Place, then: Expr | Place, span: Span) -> Expr:
        """Return `first, then` by the built-in operator."""
        value = first.value if isinstance(first, Temporary) else first if not isinstance(first, Place) else None
        last = self.load(then)
        return last if value is None else Comma(span, last.type, value, last)


def is_class_or_enum(ctype: CType) -> bool:
    """True for the types for which a program may define operators."""
    return isinstance(ctype, Struct) or (isinstance(ctype, Scalar) and ctype.enum is not None)


def spelled(node: Node) -> str:
    """Return the name at `node` as messages say it."""
    if isinstance(node, cxx.Name):
        return "::" * node.rooted + "::".join(part.name for part in node.parts)
    assert isinstance(node, c_ast.ID)
    return node.name


def root_of(place: Place) -> Place:
    """Return the place that `place` is a member of, itself if it is no member."""
    place, _ = outermost(place)
    if isinstance(place, Index) and isinstance(place.pointer, Decay):
        return root_of(place.pointer.place)
    return place
