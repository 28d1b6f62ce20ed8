"""Checking types: what a declaration's specifiers and declarators mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LONG,
    LONG_DOUBLE,
    LONGLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    UINT128,
    ULONG,
    ULONGLONG,
    USHORT,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    Scalar,
    Struct,
    count_leaves,
    is_integer,
    leads_to,
)
from ....lang.typedefs import TYPEDEFS
from ....lang.unsupported import UNSUPPORTED_TYPES
from ....source import Span
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node, host_only_use
from ..context import Part
from ..identifiers import did_you_mean
from ..qualified import Qualified, function_type
from ..scopes import Ambiguous, Name, PackName, Reported, TemplateName, TypeName, Unusable
from .member_types import qualifiers_of
from .records import name_span

if TYPE_CHECKING:
    from .enums import Enums
    from .records import Records

_LARGEST_ARRAY = 1 << 40
MOST_COPIED_SCALARS = 4096  # of a struct: each of them is a value of its own

# Each way to write a scalar type, its words sorted; `int` may be left out or added beside the sizes.
_SPECIFIERS: dict[tuple[str, ...], Scalar] = {
    ("void",): VOID, ("bool",): BOOL, ("_Bool",): BOOL,
    ("char",): CHAR, ("char", "signed"): SCHAR, ("char", "unsigned"): UCHAR,
    ("short",): SHORT, ("short", "signed"): SHORT, ("short", "unsigned"): USHORT,
    ("int",): INT, ("signed",): INT, ("int", "signed"): INT, ("unsigned",): UINT, ("int", "unsigned"): UINT,
    ("long",): LONG, ("long", "signed"): LONG, ("long", "unsigned"): ULONG,
    ("long", "long"): LONGLONG, ("long", "long", "signed"): LONGLONG, ("long", "long", "unsigned"): ULONGLONG,
    ("__int128",): INT128, ("__int128", "signed"): INT128, ("__int128", "unsigned"): UINT128,
    ("float",): FLOAT, ("double",): DOUBLE, ("double", "long"): LONG_DOUBLE,
}  # fmt: skip


class Types(Part):
    """The checker's part for types."""

    records: Records
    enums: Enums

    def constant_integer(self, node: Node, what: str) -> int:
        """Return the value of a constant expression; `what` names it in messages."""
        value = self.s.constexpr.constant(node)
        if not isinstance(value, Constant) or not is_integer(value.type):
            self.s.constexpr.refuse_constant(node.coord, f"{what} must be an integer constant")
        return int(value.value)

    # ------------------------------------------------------------------------------------ declarators

    def qualified(self, node: Node) -> Qualified:
        """Return the type that a chain of declarator nodes describes."""
        if isinstance(node, c_ast.Typename | c_ast.Decl | c_ast.Typedef):
            return self.qualified(node.type)
        if isinstance(node, cxx.Reference):
            return self._reference(node)
        if isinstance(node, c_ast.PtrDecl):
            target = self.qualified(node.type)
            if target.reference:
                self.fail(name_span(node), "a pointer to a reference is not possible")
            pointer = Pointer(target.type, target.const, target.volatile)
            restrict = any("restrict" in word for word in node.quals)
            return Qualified(pointer, "const" in node.quals, "volatile" in node.quals, restrict)
        if isinstance(node, cxx.MemberPointer):
            return self.s.classes.member_pointers.member_pointer_type(node)
        if isinstance(node, c_ast.ArrayDecl):
            return self._array(node)
        if isinstance(node, c_ast.FuncDecl):
            return self._function_type(node)
        if isinstance(node, c_ast.TypeDecl):
            base = self.base_type(node.type)
            quals = node.quals or ()
            if base.reference:  # qualifiers of a reference mean nothing
                return base
            const = base.const or "const" in quals or "__const__" in quals or "__grid_constant__" in quals
            volatile = base.volatile or any("volatile" in word for word in quals)
            return Qualified(base.type, const, volatile, base.restrict)
        return self.base_type(node)

    def _reference(self, node: cxx.Reference) -> Qualified:
        """A reference to a reference, which only a template or a typedef can write, is `&&` if both are."""
        target = self.qualified(node.type)
        if target.type is VOID:
            self.fail(name_span(node), "a reference to void is not possible")
        if isinstance(target.type, FunctionType):  # whose qualifiers are ignored ([dcl.fct]/7)
            target = replace(target, const=False, volatile=False)
        rvalue = node.rvalue and target.reference != "&"
        return replace(target, reference="&&" if rvalue else "&", restrict=False)

    def _function_type(self, node: c_ast.FuncDecl) -> Qualified:
        result = self.qualified(node.type)
        for param in node.args.params if node.args is not None else ():
            if isinstance(param, c_ast.EllipsisParam):
                self.fail(param.coord, "'...' is not supported in device code")
        params = self.s.statements.functions.parameters(node.args, node.coord)
        taken, qualifiers = [param.qualified for param in params], qualifiers_of(node)
        return Qualified(function_type(result, taken, qualifiers=qualifiers, noexcept=self.is_noexcept(node)))

    def is_noexcept(self, node: c_ast.FuncDecl) -> bool:
        """Whether the type of a function has an exception specification that does not throw."""
        condition = getattr(node, "noexcept", False)
        if isinstance(condition, bool):
            return condition
        return self.s.constexpr.constant_condition(condition, "an exception specification")

    def parameter_type(self, declarator: Node) -> Qualified:
        """Return the type of a parameter: `T a[n]` and `T a[]` are `T *a`, a function is a pointer to it."""
        if isinstance(declarator, c_ast.ArrayDecl):
            element = self.qualified(declarator.type)
            return Qualified(Pointer(element.type, element.const, element.volatile))
        found = self.qualified(declarator)
        if found.reference:
            return found
        if isinstance(found.type, Array):  # by the name of a typedef
            return Qualified(Pointer(found.type.element, found.const, found.volatile))
        return Qualified(Pointer(found.type)) if isinstance(found.type, FunctionType) else found

    def _array(self, node: c_ast.ArrayDecl) -> Qualified:
        element = self.qualified(node.type)
        span = name_span(node)
        self.records.require_complete(element.type, span)
        if element.type is VOID:
            self.fail(span, "an array of void is not possible")
        self.require_size(element.type, span)
        if node.dim is None:
            return Qualified(Array(element.type, 0, unknown=True), element.const, element.volatile)
        value = self.s.constexpr.constant(node.dim)
        if not isinstance(value, Constant) or not is_integer(value.type):
            help = "use a macro or a `const int`"
            self.s.constexpr.refuse_constant(node.dim.coord, "the size of an array must be an integer constant", help)
        if value.value <= 0:
            self.fail(node.dim.coord, f"the size of an array must be positive, not {int(value.value)}")
        if element.type.size * value.value > _LARGEST_ARRAY:
            self.fail(node.dim.coord, "the array is too large")
        return Qualified(Array(element.type, int(value.value)), element.const, element.volatile)

    def require_size(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is an array of unknown bound, where an object needs its size."""
        if isinstance(ctype, Array) and ctype.unknown:
            self.fail(span, "the array has no size", help="write it between the brackets")

    def require_copyable(self, ctype: CType, span: Span) -> None:
        """Fail if `ctype` is a struct of so many scalars that it takes too much code to copy it."""
        if not isinstance(ctype, Struct) or (count := count_leaves(ctype)) <= MOST_COPIED_SCALARS:
            return
        if self.s.classes.prvalues.by_address(ctype):
            return
        self.fail(
            span,
            f"{ctype.keyword} '{ctype.tag}' is too large to be copied or passed by value: it has {count} scalars, "
            f"at most {MOST_COPIED_SCALARS} are supported",
            Note(ctype.span, f"'{ctype.tag}' is declared here"),
            help="pass a pointer to it, or copy the elements of its arrays in a loop",
        )

    # ------------------------------------------------------------------------------------- specifiers

    def base_type(self, node: Node) -> Qualified:
        """Return the type that a declaration's specifiers name."""
        match node:
            case c_ast.IdentifierType():
                return self._named_type(node)
            case c_ast.Struct(decls=None) if (known := self._class_of_cuda(node)) is not None:
                return Qualified(known)
            case c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                if node not in self.s.structs.specifiers:  # in `struct {...} a, *b;` both declarators share the node
                    self.s.structs.specifiers[node] = (
                        self.enums.enumeration(node) if isinstance(node, c_ast.Enum) else self.records.record(node)
                    )
                return Qualified(self.s.structs.specifiers[node])
            case c_ast.InferredType():
                if self.s.here.inferred is None:
                    self.fail(node.coord, "'auto' is not possible here", help="write the type")
                return self.s.here.inferred
            case cxx.Name():
                return self.s.expr.names.named(node)
            case cxx.DeclType():
                return self.s.templates.traits.decltype(node)
            case c_ast.TypeOf():
                if isinstance(node.expr, c_ast.Typename):
                    return self.qualified(node.expr)
                return self.s.expr.operators.type_of(node.expr)
            case c_ast.AttributedType():
                return self.qualified(node.type)
            case _:
                self.fail(node.coord, f"this type is not supported: {type(node).__name__}")

    def _class_of_cuda(self, node: c_ast.Struct) -> CType | None:
        """Return the class of CUDA's headers that `struct float4` names, if the program has no other one."""
        known = TYPEDEFS.get(node.name or "")
        is_class = node.name in ("__half", "__nv_bfloat16") or (isinstance(known, Struct) and known.tag == node.name)
        own = getattr(node, "scope", None) is not None or self.s.scopes.lookup_tag(node.name or "") is not None
        outside = self.s.scopes.namespace is self.s.scopes.file_scope
        return known if is_class and outside and not own else None

    def require_same_on_host(self, ctype: CType, name: str, span: Span) -> None:
        """Fail for a variable through which host code and device code share a `long double`."""
        if leads_to(ctype, LONG_DOUBLE):
            what = "which has 80 bits in host code, and is a double in device code"
            self.fail(span, f"'{name}' is or leads to a 'long double', {what}", help="use double")

    def _named_type(self, node: c_ast.IdentifierType) -> Qualified:
        words = tuple(sorted(node.names))
        if len(words) > 1 and "int" in words and ("long" in words or "short" in words):
            words = tuple(word for word in words if word != "int")
        if words in _SPECIFIERS:
            return Qualified(_SPECIFIERS[words])
        text = " ".join(node.names)
        if len(words) > 1:
            self.fail(node.coord, f"'{text}' is not a type")
        return self.type_by_name(words[0], node.coord)

    def type_by_name(self, name: str, span: Span) -> Qualified:
        entry: Name | None = None
        for region in self.s.scopes.regions():
            entry = region.find(name)
            if isinstance(entry, TypeName):
                return entry.type
            if isinstance(entry, Ambiguous):
                break
            tag = region.find_tag(name)
            if tag is not None:
                return Qualified(tag)
            if entry is not None:
                break
        if isinstance(entry, TemplateName):
            return self.s.templates.bare_template(entry, span)
        if isinstance(entry, PackName):
            self.fail(span, f"'{name}' is a parameter pack: expand it with '...'")
        if isinstance(entry, Unusable):
            self.s.diagnostics.refuse_unusable(name, span, entry)
        if entry is not None:
            self.fail(span, f"'{name}' is not a type", Note(entry.span, f"'{name}' is declared here"))
        if name in self.s.scopes.host_only:
            self.report(host_only_use(name, span, self.s.scopes.host_only[name]))
            raise Reported
        if name in TYPEDEFS:
            return Qualified(TYPEDEFS[name])
        if name in UNSUPPORTED_TYPES:
            self.fail(span, f"'{name}' is not supported yet", help=UNSUPPORTED_TYPES[name])
        self.fail(
            span, f"unknown type name '{name}'", help=did_you_mean(name, [*self.s.scopes.visible_names(), *TYPEDEFS])
        )
