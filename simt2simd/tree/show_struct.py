"""Show structs and unions: definitions that any C++ compiler lays out as the program's own class was laid out.

    struct B { int n; char c; B(int); };                struct B { int n; char c; };
    struct D : B { char d; int e : 5, : 20, f : 4; };   struct D {
                                                            union {
                                                  ->            struct { B base_B; };
                                                                struct { char padding_1[5]; char d; ... };
                                                            };
                                                        };

The ABI puts members into the padding at the end of a base. Members that overlap in this way are in several structs of
one union, its layers, and a function assigns to the base: a plain copy would take the padding along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..lang.ctype import Array, CType, Field, Struct, used_size
from .names import assignment_name
from .show_expr import show_type

_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Padding:
    """So many bytes that belong to no member and that no C++ compiler would leave free by itself."""

    bytes: int


Slot = Field | Padding


def layers(item: Struct) -> list[list[Slot]]:
    """Return what is declared in a struct: one list of members, or several of which each begins at its first byte.

    The members of a union are one list.
    """
    fields = item.fields or ()
    if item.union:
        filled = _up(max((field.type.size for field in fields), default=0), _natural_align(item, fields))
        return [[*fields, *([Padding(item.size)] if filled < item.size else [])]]
    found: list[list[Field]] = [[]]
    for field in fields:
        layer = next((one for one in found if not one or _end(one[-1]) <= field.offset), None)
        if layer is None:
            found.append(layer := [])
        layer.append(field)
    found.sort(key=lambda layer: -sum(has_data(field.type) for field in layer))
    padded = [_padded(layer) for layer in found]
    end = max((_end(field) for field in fields), default=0)
    if fields and _up(end, _natural_align(item, fields)) < item.size:
        last = max(found, key=lambda layer: _end(layer[-1]))
        padded[found.index(last)].append(Padding(item.size - end))
    return padded


def _padded(layer: list[Field]) -> list[Slot]:
    slots: list[Slot] = []
    end = 0
    for field in layer:
        if _up(end, field.type.align) < field.offset:
            slots.append(Padding(field.offset - end))
        slots.append(field)
        end = _end(field)
    return slots


def _natural_align(item: Struct, fields: tuple[Field, ...]) -> int:
    return max([item.align, *(field.type.align for field in fields)])


def _end(field: Field) -> int:
    return field.offset + field.type.size


def _up(offset: int, align: int) -> int:
    return -(-offset // align) * align


def has_data(ctype: CType) -> bool:
    """Whether an object of this type holds anything at all."""
    match ctype:
        case Struct(fields=fields):
            return any(has_data(field.type) for field in fields or ())
        case Array():
            return ctype.count > 0 and has_data(ctype.element)
        case _:
            return True


def show_struct(item: Struct) -> str:
    return "\n".join([*_members(item, item.tag), "};\n"])


def show_assignment(item: Struct) -> str:
    """Return the function that assigns to a struct which lends its padding."""
    head = f"__device__ {item.tag} {assignment_name(item)}({item.tag} *to, {item.tag} from)"
    return f"{head} {{\n{_INDENT}memcpy(to, &from, {used_size(item)});\n{_INDENT}return from;\n}}\n"


def _members(item: Struct, tag: str) -> Iterator[str]:
    """Yield the lines of a definition, but for its last brace."""
    fields = item.fields or ()
    natural = max((field.type.align for field in fields), default=1)
    yield f"{item.keyword} {f'__align__({item.align}) ' if item.align > natural else ''}{tag}{' ' * bool(tag)}{{"
    found = layers(item)
    padding = iter(range(1, 1 + sum(len(layer) for layer in found)))
    if len(found) == 1:
        yield from _slots(found[0], padding, _INDENT)
        return
    yield f"{_INDENT}union {{"
    for layer in found:
        yield f"{_INDENT * 2}struct {{"
        yield from _slots(layer, padding, _INDENT * 3)
        yield f"{_INDENT * 2}}};"
    yield f"{_INDENT}}};"


def _slots(layer: list[Slot], padding: Iterator[int], indent: str) -> Iterator[str]:
    for slot in layer:
        match slot:
            case Padding():
                yield f"{indent}char padding_{next(padding)}[{slot.bytes}];"
            case Field(name=""):
                assert isinstance(slot.type, Struct)
                yield from (indent + line for line in _members(slot.type, ""))
                yield f"{indent}}};"
            case Field():
                yield f"{indent}{show_type(slot.type, slot.name, volatile=slot.volatile)};"
