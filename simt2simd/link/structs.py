"""Structs of several files: those that are the same become one.

    a.cu: struct Node { int key; Node *next; };     b.cu: struct Node { int key; Node *next; };

They are the same if they have the same name and the same members, and these have the same types. What is only declared
in a file is what it is in the others, if these agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..lang.ctype import Array, BitField, CType, Field, FunctionType, Pointer, Scalar, Struct


def unified(structs: Sequence[Struct]) -> dict[Struct, Struct]:
    """Return which struct each of these becomes; a struct of several files is the first one of them."""
    classes = _classes(structs)
    first: dict[int, Struct] = {}
    for struct in sorted(structs, key=lambda struct: struct.fields is None):  # of one that is only declared: the last
        first.setdefault(classes[struct], struct)
    chosen = {struct: first[classes[struct]] for struct in structs}
    for struct in structs:
        chosen[struct].lends_padding |= struct.lends_padding  # to a class that only some of the files have
    tags: set[str] = set()
    for struct in dict.fromkeys(chosen.values()):
        struct.tag, struct.shown = unique(struct.tag, tags), str(struct)
        struct.fields = _fields(struct.fields, chosen)
        struct.members = tuple(_member(member, chosen) for member in struct.members)
    return chosen


def unique(name: str, taken: set[str]) -> str:
    """Return `name`, with a number after it if it is taken, and take it."""
    count, found = 1, name
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    taken.add(found)
    return found


# ---------------------------------------------------------------------------------------- which are the same


def _classes(structs: Sequence[Struct]) -> dict[Struct, int]:
    """Return a number for each struct, the same for those that are the same.

    At first, all of one name are taken for the same; then those are separated whose members differ, and those whose
    members' types turn out to differ, until no more are found.
    """
    classes = _numbered((struct, str(struct)) for struct in structs)
    while True:
        kinds = {struct: (classes[struct], _look(struct, classes)) for struct in structs if struct.fields is not None}
        of_name: dict[int, set[object]] = {}
        for struct, kind in kinds.items():
            of_name.setdefault(classes[struct], set()).add(kind)
        whole = {number: found for number, found in of_name.items() if len(found) == 1}
        refined = _numbered(
            (struct, kinds[struct] if struct in kinds else next(iter(whole.get(classes[struct], [classes[struct]]))))
            for struct in structs
        )
        if len(set(refined.values())) == len(set(classes.values())):
            return refined
        classes = refined


def _numbered(kinds: Iterable[tuple[Struct, object]]) -> dict[Struct, int]:
    numbers: dict[object, int] = {}
    return {struct: numbers.setdefault(kind, len(numbers)) for struct, kind in kinds}


def _look(struct: Struct, classes: dict[Struct, int]) -> object:
    members = tuple((*_kind(member), _type(member.type, classes)) for member in struct.declared)
    return struct.union, struct.size, struct.align, members


def _kind(member: Field | BitField) -> tuple[object, ...]:
    if isinstance(member, BitField):
        return member.name, member.offset, member.width
    return member.name, member.offset, member.volatile


def _type(ctype: CType, classes: dict[Struct, int]) -> object:
    match ctype:
        case Scalar():
            return ctype.name
        case Pointer():
            return ("*", _type(ctype.target, classes), ctype.const, ctype.volatile)
        case Array():
            return ("[]", _type(ctype.element, classes), ctype.count)
        case FunctionType():
            types = (ctype.result, *ctype.params)
            return ("()", ctype.references, *(_type(one, classes) for one in types))
        case Struct():
            return classes.get(ctype, ctype.tag)  # or one of CUDA's own


# ---------------------------------------------------------------------------------------------- new members


def _fields(members: tuple[Field, ...] | None, chosen: dict[Struct, Struct]) -> tuple[Field, ...] | None:
    return None if members is None else tuple(replace(one, type=_other(one.type, chosen)) for one in members)


def _member(member: Field | BitField, chosen: dict[Struct, Struct]) -> Field | BitField:
    return member if isinstance(member, BitField) else replace(member, type=_other(member.type, chosen))


def _other(ctype: CType, chosen: dict[Struct, Struct]) -> CType:
    match ctype:
        case Scalar():
            return ctype
        case Pointer():
            return replace(ctype, target=_other(ctype.target, chosen))
        case Array():
            return replace(ctype, element=_other(ctype.element, chosen))
        case FunctionType():
            params = tuple(_other(param, chosen) for param in ctype.params)
            return replace(ctype, result=_other(ctype.result, chosen), params=params)
        case Struct():
            return chosen.get(ctype, ctype)
