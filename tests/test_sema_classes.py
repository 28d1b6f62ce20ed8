"""The room for classes: bases, members, construction, conversions."""

from __future__ import annotations

from front import syntax, whole

from simt2simd.frontend.sema.context import Sema
from simt2simd.lang.ctype import INT, Pointer, Struct
from simt2simd.tree.nodes import Member, Place

TEXT = """
struct A { int x; __device__ int get() const { return x; } };
struct B : A { float y; };
struct C : B { __device__ C(int n) : z(n) {} __device__ ~C() {} __device__ operator int() const { return z; } int z; };
__device__ B b;
"""


def struct(s: Sema, name: str) -> Struct:
    found = s.scopes.lookup_tag(name)
    assert isinstance(found, Struct)
    return found


def test_the_path_to_a_base_names_each_class_on_the_way() -> None:
    s = whole(TEXT)
    a, b, c = (struct(s, name) for name in "ABC")
    assert s.classes.members.base_path(c, a) == [b, a]
    assert s.classes.members.base_path(a, c) is None
    assert s.classes.members.is_base(a, c)
    assert not s.classes.members.is_base(a, a)


def test_a_member_of_a_base_is_a_member_of_its_part() -> None:
    s = whole(TEXT)
    found = s.expr.term(syntax(s, "b.x"))
    assert isinstance(found, Member)
    assert isinstance(found.base, Place)
    assert found.type == INT
    assert found.base.type is struct(s, "A")


def test_classes_know_whether_objects_are_more_than_memory() -> None:
    s = whole(TEXT)
    needs = s.classes.construction
    assert [needs.needs_construction(struct(s, name)) for name in "ABC"] == [False, False, True]
    assert [needs.needs_destruction(struct(s, name)) for name in "ABC"] == [False, False, True]
    assert needs.copies_trivially(struct(s, "B"))


def test_a_pointer_becomes_one_to_a_base() -> None:
    s = whole(TEXT)
    pointer = s.expr.value(syntax(s, "&b"))
    found = s.classes.members.to_base_pointer(pointer, Pointer(struct(s, "A")))
    assert found is not None
    assert found.type == Pointer(struct(s, "A"))
    assert s.classes.members.to_base_pointer(pointer, Pointer(struct(s, "C"))) is None


def test_what_conversion_operators_give_counts_as_a_conversion() -> None:
    s = whole(TEXT + "__device__ int take(const C &);")
    c = s.expr.term(syntax(s, "C(3)"))
    assert s.classes.conversions.converts_by_user(c, INT)
    assert not s.classes.conversions.converts_by_user(c, Pointer(INT))
