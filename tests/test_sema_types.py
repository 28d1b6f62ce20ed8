"""The room for types: specifiers and declarators, records, enumerations."""

from __future__ import annotations

import pytest
from front import refusal, syntax, whole
from pycparser import c_ast

from simt2simd.frontend.sema.qualified import Qualified
from simt2simd.frontend.sema.types.records import Records
from simt2simd.lang.ctype import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    Array,
    Field,
    Pointer,
    Struct,
    common_size,
    has_mixed_union,
    has_union,
    kinds_of_leaves,
    leaves,
)
from simt2simd.source import NOWHERE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("const int", Qualified(INT, const=True)),
        ("int *", Qualified(Pointer(INT))),
        ("const int *", Qualified(Pointer(INT, const=True))),
        ("int (*)[3]", Qualified(Pointer(Array(INT, 3)))),
        ("volatile int &", Qualified(INT, volatile=True, reference="&")),
    ],
)
def test_a_declarator_is_read_from_the_name_outwards(text: str, found: Qualified) -> None:
    s = whole()
    node = syntax(s, text)
    assert isinstance(node, c_ast.Typename)
    assert s.types.qualified(node.type) == found


def test_the_elements_of_an_array_must_be_complete() -> None:
    s = whole("struct Later;")
    later = s.scopes.lookup_tag("Later")
    assert isinstance(later, Struct)
    message = refusal(s, lambda: s.types.records.require_complete(Array(later, 2), NOWHERE))
    assert message == "struct 'Later' is declared but not defined"
    s.types.records.require_complete(Array(INT, 2), NOWHERE)


def test_an_enumeration_has_the_type_that_it_names() -> None:
    s = whole("enum class Small : char { first = 3 };")
    small = s.scopes.lookup_tag("Small")
    assert small == CHAR
    (scope,) = s.types.enums.enumerators.values()
    assert list(scope.names) == ["first"]


def test_tags_of_structs_are_kept_separate() -> None:
    s = whole("struct P { int x; };")
    records = Records(s)  # a part needs nothing but the whole
    assert [records.unique_tag("P"), records.unique_tag("Q"), records.unique_tag("Q")] == ["P_2", "Q", "Q_2"]


def test_what_a_struct_consists_of_follows_its_definition() -> None:
    struct = Struct("S", NOWHERE)
    assert (kinds_of_leaves(struct), common_size(struct), has_mixed_union(struct)) == ((), 0, False)
    struct.fields = (Field("a", FLOAT, 0), Field("b", INT, 0))
    struct.size = struct.align = 4
    struct.union = True
    outer = Struct("T", NOWHERE, (Field("s", struct, 0), Field("t", Array(struct, 3), 4)), 16, 4)
    assert kinds_of_leaves(outer) == (FLOAT, INT)
    assert (common_size(outer), has_union(outer), has_mixed_union(outer)) == (4, True, False)
    assert [(at, leaf.size) for at, leaf in leaves(outer)] == [(0, 4), (4, 4), (8, 4), (12, 4)]
    wide = Struct("U", NOWHERE, (Field("a", FLOAT, 0), Field("b", DOUBLE, 0)), 8, 8, union=True)
    assert has_mixed_union(Struct("V", NOWHERE, (Field("u", wide, 0),), 8, 8))
