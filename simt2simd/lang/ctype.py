"""C types as CUDA has them on 64-bit Linux; sizes and alignments in bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from ..source import NOWHERE, Span


@dataclass(eq=False, slots=True)
class Enumeration:
    """An enumeration of the program. `scoped`: an `enum class`. `zero`: the value of an object without another one."""

    name: str
    span: Span = field(repr=False)
    scoped: bool = False
    zero: int = 0


@dataclass(frozen=True, slots=True)
class Scalar:
    """`void`, `bool`, an integer or a floating type.

    `enum` says that the program calls this integer an enumeration. That matters to the checker alone, for conversions
    and overloads: to all others, and to `==`, it is the integer. `packed`: it may lie at any address; passes read such
    words. `padding`: bytes of an object behind its value.
    """

    name: str
    kind: Literal["void", "bool", "int", "float"]
    bits: int
    signed: bool
    enum: Enumeration | None = field(default=None, compare=False, repr=False)
    packed: bool = False
    padding: int = 0

    @property
    def size(self) -> int:
        return max(1, self.bits // 8 + self.padding)

    @property
    def align(self) -> int:
        return 1 if self.packed else self.size

    def __str__(self) -> str:
        return self.enum.name if self.enum is not None else self.name


VOID = Scalar("void", "void", 0, False)
BOOL = Scalar("bool", "bool", 8, False)
CHAR = Scalar("char", "int", 8, True)
SCHAR = Scalar("signed char", "int", 8, True)
UCHAR = Scalar("unsigned char", "int", 8, False)
SHORT = Scalar("short", "int", 16, True)
USHORT = Scalar("unsigned short", "int", 16, False)
INT = Scalar("int", "int", 32, True)
UINT = Scalar("unsigned int", "int", 32, False)
LONG = Scalar("long", "int", 64, True)
ULONG = Scalar("unsigned long", "int", 64, False)
LONGLONG = Scalar("long long", "int", 64, True)
ULONGLONG = Scalar("unsigned long long", "int", 64, False)
INT128 = Scalar("__int128", "int", 128, True)
UINT128 = Scalar("unsigned __int128", "int", 128, False)
WCHAR = Scalar("wchar_t", "int", 32, True)
CHAR8 = Scalar("char8_t", "int", 8, False)
CHAR16 = Scalar("char16_t", "int", 16, False)
CHAR32 = Scalar("char32_t", "int", 32, False)
FLOAT = Scalar("float", "float", 32, True)
DOUBLE = Scalar("double", "float", 64, True)
LONG_DOUBLE = Scalar("long double", "float", 64, True, padding=8)  # computed with as double, as nvcc's device code does
HALF = Scalar("__half", "float", 16, True)  # computed with as float, and rounded
BFLOAT16 = Scalar("__nv_bfloat16", "float", 16, True)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A 64-bit address. `const` and `volatile` qualify what it points to."""

    target: CType
    const: bool = False
    volatile: bool = False

    @property
    def size(self) -> int:
        return 8

    @property
    def align(self) -> int:
        return 8

    def __str__(self) -> str:
        if is_enum(self.target) and self.target == VOID:
            return "std::nullptr_t"
        qualifiers = "const " * self.const + "volatile " * self.volatile
        stars, end = "*", self.target
        while isinstance(end, Pointer):
            stars, end = stars + "*", end.target
        if isinstance(end, FunctionType):
            return f"{end.result} ({stars})({', '.join(map(str, end.params))}){' noexcept' * end.noexcept}"
        if isinstance(end, Array):
            element, _, dims = str(end).partition(" [")
            return f"{qualifiers}{element} ({stars})[{dims}"
        star = "*" if isinstance(self.target, Pointer) else " *"
        return f"{qualifiers}{self.target}{star}"


# The type of `nullptr`. To all but the checker it is `void *`.
NULLPTR = Pointer(replace(VOID, enum=Enumeration("std::nullptr_t", NOWHERE)))


@dataclass(frozen=True, slots=True)
class Array:
    """`count` elements, laid out one after the other. `unknown`: `T[]`, of which there are no objects."""

    element: CType
    count: int
    unknown: bool = False

    @property
    def size(self) -> int:
        return self.element.size * self.count

    @property
    def align(self) -> int:
        return self.element.align

    def __str__(self) -> str:
        dims, element = "[]" if self.unknown else f"[{self.count}]", self.element
        while isinstance(element, Array):
            dims, element = f"{dims}[{element.count}]", element.element
        return f"{element} {dims}"


@dataclass(frozen=True, slots=True)
class Field:
    """A member. An anonymous struct or union is a member without a name: `name` is empty."""

    name: str
    type: CType
    offset: int
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """`count` bits of a bit-field, from bit `begin` on, that lie in a word of the struct from bit `shift` on."""

    word: Field
    shift: int
    begin: int
    count: int


@dataclass(frozen=True, slots=True)
class BitField:
    """A member of `width` bits. Only the checker knows of them: trees access the words in which they lie."""

    name: str
    type: Scalar
    width: int
    pieces: tuple[Piece, ...]

    @property
    def offset(self) -> int:
        return self.pieces[0].word.offset


@dataclass(eq=False, slots=True)
class Struct:
    """A struct or union; two of them are the same type only if they are the same object.

    `fields` is filled in once, when the checker meets the definition: a struct may point to itself. `tag` is an
    identifier that no other struct of the module has; `shown` is what messages say, if that is something else. The
    fields of a union all lie at its beginning. `members` are the fields as declared, where some of them are bit-fields.
    `lends_padding`: it is a base of a class that keeps a member in the padding at its end. `by_address`: it is a class
    that is non-trivial for the purposes of calls (Itanium C++ ABI): its objects are never copied as bytes.
    """

    tag: str
    span: Span = field(repr=False)
    fields: tuple[Field, ...] | None = field(default=None, repr=False)
    size: int = 0
    align: int = 1
    shown: str = ""
    union: bool = False
    members: tuple[Field | BitField, ...] = field(default=(), repr=False)
    lends_padding: bool = field(default=False, repr=False)
    by_address: bool = field(default=False, repr=False)
    _contents: _Contents | None = field(default=None, repr=False, init=False)

    @property
    def contents(self) -> _Contents:
        """What the struct consists of, found once for its fields."""
        found = self._contents
        if found is None or found.fields is not self.fields:
            found = self._contents = _contents_of(self)
        return found

    @property
    def declared(self) -> tuple[Field | BitField, ...]:
        """The members in the order in which they are declared."""
        return self.members or self.fields or ()

    @property
    def keyword(self) -> str:
        return "union" if self.union else "struct"

    def field(self, name: str) -> Field | None:
        """Return the struct's own member `name`."""
        return next((member for member in self.fields or () if member.name == name), None)

    def path(self, name: str) -> tuple[Field | BitField, ...]:
        """Return the members that lead to member `name`: those without a name that it lies in, then itself."""
        for member in self.declared:
            if member.name == name:
                return (member,)
            inner = member.type.path(name) if not member.name and isinstance(member.type, Struct) else ()
            if inner:
                return (member, *inner)
        return ()

    def member_names(self) -> list[str]:
        """Return the names that may follow a dot."""
        names: list[str] = []
        for member in self.declared:
            if member.name:
                names.append(member.name)
            elif isinstance(member.type, Struct):
                names += member.type.member_names()
        return names

    def __str__(self) -> str:
        return self.shown or self.tag


class MethodQualifiers(NamedTuple):
    """What stands behind the parameters of a method: `const volatile &`; `ref` is "", "&" or "&&"."""

    const: bool = False
    volatile: bool = False
    ref: str = ""

    def __str__(self) -> str:
        return " const" * self.const + " volatile" * self.volatile + (f" {self.ref}" if self.ref else "")


NOT_QUALIFIED = MethodQualifiers()


@dataclass(frozen=True, slots=True)
class FunctionType:
    """What a pointer to a function points to; there are no objects of this type. `qualifiers`: those of methods.

    `noexcept`: its exception specification, a part of the type, is one that does not throw ([dcl.fct]/9).
    `references` are of the result and of each parameter: "&" or "&&" where it is a reference, whose type here is the
    pointer that holds it; empty if none is ([dcl.fct]/5).
    """

    result: CType
    params: tuple[CType, ...]
    qualifiers: MethodQualifiers = NOT_QUALIFIED
    references: tuple[str, ...] = ()
    noexcept: bool = False

    @property
    def size(self) -> int:
        return 1

    @property
    def align(self) -> int:
        return 1

    def __str__(self) -> str:
        types = (self.result, *self.params)
        result, *params = map(_as_written, types, self.references or [""] * len(types))
        return f"{result} ({', '.join(params)}){self.qualifiers}{' noexcept' * self.noexcept}"


CType = Scalar | Pointer | Array | Struct | FunctionType


def _as_written(ctype: CType, reference: str) -> str:
    """Return a type in a function's type as programs write it: a reference is stored as a pointer."""
    return f"{str(ctype).removesuffix('*')}{reference}" if reference else str(ctype)


def overlapping_parts(ctype: CType, offset: int = 0) -> Iterator[tuple[int, CType]]:
    """Yield the byte offset and type of everything that `ctype` consists of, itself first: what contains what, too."""
    yield offset, ctype
    match ctype:
        case Struct():
            for member in ctype.fields or ():
                yield from overlapping_parts(member.type, offset + member.offset)
        case Array():
            for i in range(ctype.count):
                yield from overlapping_parts(ctype.element, offset + i * ctype.element.size)


_WORDS = {1: UCHAR, 2: USHORT, 4: UINT, 8: ULONG, 16: UINT128}


def innermost(ctype: CType) -> CType:
    """Return the type after all pointers and arrays."""
    while isinstance(ctype, Pointer | Array):
        ctype = ctype.target if isinstance(ctype, Pointer) else ctype.element
    return ctype


def leaves(ctype: CType, offset: int = 0) -> Iterator[tuple[int, Scalar | Pointer]]:
    """Yield the byte offset and type of every scalar that `ctype` consists of, in layout order.

    No two of them overlap: a union consists of unsigned integers that have the size of its scalars or, if these differ
    in size, of its alignment.
    """
    match ctype:
        case Struct(union=True):
            size = common_size(ctype) or min(8, ctype.align)
            yield from ((at, _WORDS[size]) for at in range(offset, offset + ctype.size, size))
        case Struct():
            for member in ctype.fields or ():
                yield from leaves(member.type, offset + member.offset)
        case Array():
            for i in range(ctype.count):
                yield from leaves(ctype.element, offset + i * ctype.element.size)
        case FunctionType():
            return
        case _:
            yield offset, ctype


@dataclass(frozen=True, slots=True)
class _Contents:
    """What a struct with `fields` consists of: the types of its scalars, the size that all share or 0, its unions."""

    fields: tuple[Field, ...] | None
    kinds: tuple[Scalar | Pointer, ...]
    common_size: int
    has_union: bool
    has_mixed_union: bool


def _contents_of(struct: Struct) -> _Contents:
    types = [member.type for member in struct.fields or ()]
    kinds = tuple(dict.fromkeys(leaf for ctype in types for leaf in kinds_of_leaves(ctype)))
    sizes = {leaf.size for leaf in kinds}
    common = sizes.pop() if len(sizes) == 1 else 0
    mixed = (struct.union and not common) or any(map(has_mixed_union, types))
    return _Contents(struct.fields, kinds, common, struct.union or any(map(has_union, types)), mixed)


def kinds_of_leaves(ctype: CType) -> tuple[Scalar | Pointer, ...]:
    """Return the types of the scalars that are in `ctype`, also of those that overlap, however many there are."""
    match ctype:
        case Struct():
            return ctype.contents.kinds
        case Array():
            return kinds_of_leaves(ctype.element)
        case FunctionType():
            return ()
        case _:
            return (ctype,)


def used_size(ctype: CType) -> int:
    """Return the size of an object without the padding at its end."""
    return max((offset + leaf.size for offset, leaf in leaves(ctype)), default=0)


def count_leaves(ctype: CType) -> int:
    """Return how many scalars `ctype` consists of."""
    match ctype:
        case Struct(union=True):
            return ctype.size // (common_size(ctype) or min(8, ctype.align))
        case Struct():
            return sum(count_leaves(member.type) for member in ctype.fields or ())
        case Array():
            return ctype.count * count_leaves(ctype.element)
        case _:
            return 1


def common_size(ctype: CType) -> int:
    """Return the size in bytes that all scalars in `ctype` share, 0 if they differ."""
    match ctype:
        case Struct():
            return ctype.contents.common_size
        case Array():
            return common_size(ctype.element)
        case FunctionType():
            return 0
        case _:
            return ctype.size


def has_union(ctype: CType) -> bool:
    """Whether there are members that overlap."""
    match ctype:
        case Struct():
            return ctype.contents.has_union
        case Array():
            return has_union(ctype.element)
        case _:
            return False


def has_mixed_union(ctype: CType) -> bool:
    """Whether there is a union of scalars of several sizes: a part of one may be a part of another one."""
    match ctype:
        case Struct():
            return ctype.contents.has_mixed_union
        case Array():
            return has_mixed_union(ctype.element)
        case _:
            return False


def leaf_type(ctype: CType, offset: int, accessed: Scalar | Pointer) -> Scalar | Pointer:
    """Return as what the scalar at `offset` in `ctype` is kept that is `accessed` as another, through a union."""
    return next(leaf for at, leaf in leaves(ctype) if at == offset) if has_union(ctype) else accessed


def leads_to(ctype: CType, scalar: Scalar) -> bool:
    """Whether an object holds a scalar of a type, or a pointer in it points to one, at any depth."""
    seen: set[CType] = set()
    rest = [ctype]
    while rest:
        found = rest.pop()
        if found == scalar:
            return True
        if found not in seen and isinstance(found, Pointer):
            rest.append(found.target)
        elif found not in seen and not isinstance(found, Scalar):
            rest += kinds_of_leaves(found)
        seen.add(found)
    return False


def is_integer(ctype: CType) -> bool:
    """True for the integer types and `bool`."""
    return isinstance(ctype, Scalar) and ctype.kind in ("int", "bool")


def is_enum(ctype: CType) -> bool:
    """True for what the program calls an enumeration."""
    return isinstance(ctype, Scalar) and ctype.enum is not None


def zero_of(ctype: CType) -> int:
    """Return the integer that an object of a type has if nothing else initialises it."""
    return ctype.enum.zero if isinstance(ctype, Scalar) and ctype.enum is not None else 0


def zero_has_bits(ctype: CType) -> bool:
    """True if some bits are set in an object that nothing initialises but zero."""
    return any(zero_of(leaf) for leaf in kinds_of_leaves(ctype))


def is_nullptr_t(ctype: CType) -> bool:
    """True for the type of `nullptr`."""
    return isinstance(ctype, Pointer) and is_enum(ctype.target) and ctype == NULLPTR


def is_float(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.kind == "float"


def is_short_float(ctype: CType) -> bool:
    """True for `__half` and `__nv_bfloat16`."""
    return isinstance(ctype, Scalar) and ctype.kind == "float" and ctype.bits == 16


def is_arithmetic(ctype: CType) -> bool:
    return is_integer(ctype) or is_float(ctype)


def is_scalar(ctype: CType) -> bool:
    """True for what fits one lane: arithmetic types and pointers."""
    return is_arithmetic(ctype) or isinstance(ctype, Pointer)


_RANK = {"bool": 0, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 3,
         "unsigned int": 3, "long": 4, "unsigned long": 4, "long long": 5, "unsigned long long": 5, "__int128": 6,
         "unsigned __int128": 6}  # fmt: skip
_PROMOTED = {"wchar_t": INT, "char8_t": INT, "char16_t": INT, "char32_t": UINT}  # ([conv.prom]/2)
_UNSIGNED = {"int": UINT, "long": ULONG, "long long": ULONGLONG, "__int128": UINT128}


def promote(ctype: Scalar) -> Scalar:
    """C's integer promotions (C11 6.3.1.1): an enumeration becomes its integer, a short float `float`."""
    if is_short_float(ctype):
        return FLOAT
    if ctype.name in _PROMOTED:
        return _PROMOTED[ctype.name]
    if ctype.kind in ("int", "bool"):
        return INT if _RANK[ctype.name] < _RANK["int"] else plain(ctype)
    return ctype


def plain(ctype: Scalar) -> Scalar:
    """Return the integer that an enumeration is."""
    return ctype if ctype.enum is None else replace(ctype, enum=None)


def common(left: Scalar, right: Scalar) -> Scalar:
    """C's usual arithmetic conversions (C11 6.3.1.8)."""
    if "float" in (left.kind, right.kind):
        return next((wide for wide in (LONG_DOUBLE, DOUBLE) if wide in (left, right)), FLOAT)
    left, right = promote(left), promote(right)
    if left.signed == right.signed:
        return left if _RANK[left.name] >= _RANK[right.name] else right
    unsigned, signed = (right, left) if left.signed else (left, right)
    if _RANK[unsigned.name] >= _RANK[signed.name]:
        return unsigned
    return signed if signed.bits > unsigned.bits else _UNSIGNED[signed.name]
