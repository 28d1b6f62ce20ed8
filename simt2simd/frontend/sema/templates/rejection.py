"""What rules a function template out for a call before any of its arguments is deduced.

A program may have hundreds of `template <class T> vec<3, T> operator+(vec<3, T>, mat<3, 3, T>)`. A look at the classes
of the arguments leaves a few, for which deduction ([temp.deduct.call]) then finds the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pycparser import c_ast

from ....lang.ctype import Array, CType, FunctionType, Pointer, Scalar, Struct
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument
from ..context import Part, Sema
from ..qualified import Qualified
from ..scopes import FunctionName, TemplateArgument, TemplateName, flat
from .partial_ordering import StandInValue
from .patterns import parameter_nodes, without_pack


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the argument number `at` must be.

    instance   of the class template `of`, with template arguments `numbers`, by their position
    object     of the class `struct`, or of one that derives from it
    array      of `count` elements
    pointer    or what becomes one; with `struct`, none to an unrelated class
    """

    kind: Literal["instance", "object", "array", "pointer"]
    at: int
    reference: bool
    of: TemplateName | None = None
    numbers: tuple[tuple[int, int], ...] = ()
    struct: Struct | None = None
    count: int = 0


@dataclass(slots=True)
class Shape:
    """How many arguments a function takes, and what some of them must be: None until a call has as many."""

    node: cxx.Template
    least: int
    most: float
    wanted: tuple[Wanted, ...] | None = None


class Given:
    """An argument as templates see it: its type, and the classes that it and its bases are, found when asked for."""

    def __init__(self, rejection: Rejection, arg: Argument) -> None:
        self._rejection = rejection
        self.known = arg.term is not None and arg.functions is None and not isinstance(arg.node, c_ast.InitList)
        self.value: CType | None = arg.term.type if self.known and arg.term is not None else None
        self.denoted: CType | None = arg.denoted.type if self.known else None
        self._instances: list[tuple[TemplateName | None, tuple[TemplateArgument, ...]]] | None = None
        self._classes: frozenset[Struct] | None = None
        self._converts: bool | None = None

    def may_be(self, wanted: Wanted) -> bool:
        source = self.denoted if wanted.reference else self.value
        match wanted.kind:
            case "pointer":
                return self._is_pointer(wanted, source)
            case "array":
                return isinstance(source, Array) and (source.unknown or source.count == wanted.count)
            case "instance":
                return isinstance(source, Struct) and self._is_instance(wanted, source)
            case "object":
                return not isinstance(source, Struct) or self._is_object(wanted, source)

    def _is_pointer(self, wanted: Wanted, source: CType | None) -> bool:
        if wanted.struct is None:
            becomes = isinstance(source, Array | FunctionType) and not wanted.reference
            return becomes or isinstance(source, Pointer)
        if not isinstance(source, Pointer) or not isinstance(source.target, Struct) or source.target is wanted.struct:
            return True
        if self._classes is None:
            self._classes = self._rejection.classes_of(source.target)
        return wanted.struct in self._classes

    def _is_instance(self, wanted: Wanted, source: Struct) -> bool:
        if self._instances is None:
            self._instances = self._rejection.instances_of(source)
        for made_of, args in self._instances:
            if made_of is wanted.of and all(_is_number(args, at, number) for at, number in wanted.numbers):
                return True
        return False

    def _is_object(self, wanted: Wanted, source: Struct) -> bool:
        if self._classes is None:
            self._classes = self._rejection.classes_of(source)
        if wanted.struct in self._classes:
            return True
        if self._converts is None:
            self._converts = self._rejection.converts(source)
        return self._converts


class Rejection(Part):
    """The checker's part for function templates that cannot be meant."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self._shapes: dict[TemplateName, Shape] = {}

    def left(
        self, candidates: Sequence[FunctionName | TemplateName], args: Sequence[Argument]
    ) -> list[FunctionName | TemplateName]:
        """Return the candidates of a call without explicit template arguments but those for which deduction fails."""
        count, given = len(args), [Given(self, arg) for arg in args]
        types: list[Qualified | None] | None = None  # of the arguments, for conditions
        found: list[FunctionName | TemplateName] = []
        for candidate in candidates:
            if isinstance(candidate, TemplateName):
                shape = self._shape_of(candidate)
                if not shape.least <= count <= shape.most:
                    continue
                if shape.wanted is None:
                    shape.wanted = tuple(self._all_wanted(candidate))
                for wanted in shape.wanted:
                    arg = given[wanted.at] if wanted.at < count else None
                    if arg is not None and arg.known and not arg.may_be(wanted):
                        break
                else:
                    if types is None:
                        types = [self._type_given(one, arg) for one, arg in zip(given, args, strict=True)]
                    if not self.s.templates.conditions.fail_with(candidate, types):
                        found.append(candidate)
                continue
            found.append(candidate)
        return found

    # ------------------------------------------------------------------------------------------ arguments

    def _type_given(self, given: Given, arg: Argument) -> Qualified | None:
        """Return the type that a parameter `T` is deduced from; None for one that decays."""
        if not given.known or not isinstance(given.value, Scalar | Struct | Pointer) or given.denoted != given.value:
            return None
        found = self.s.templates.deduction.type_given(arg)
        return replace(found, reference="&" if arg.is_lvalue else "&&")

    def instances_of(self, struct: Struct) -> list[tuple[TemplateName | None, tuple[TemplateArgument, ...]]]:
        """Return of which templates a class and its bases are instances, and the arguments."""
        found = [self.s.structs.made_of.get(one, (None, ())) for one in self.s.templates.matching.with_bases(struct)]
        return [(made_of, flat(args)) for made_of, args in found if made_of is not None]

    def classes_of(self, struct: Struct) -> frozenset[Struct]:
        return frozenset(self.s.templates.matching.with_bases(struct))

    def converts(self, struct: Struct) -> bool:
        """Whether a class has conversion functions."""
        return any(self.s.classes.user_conversions.functions_of(struct))

    # ----------------------------------------------------------------------------------------- parameters

    def _shape_of(self, template: TemplateName) -> Shape:
        known = self._shapes.get(template)
        if known is not None and known.node is template.node:  # a definition may follow a declaration
            return known
        nodes = parameter_nodes(template.node.declaration)
        named = [node for node in nodes if not isinstance(node, c_ast.EllipsisParam)]
        single = [node for node in named if not without_pack(node)[1]]
        least = sum(getattr(node, "init", None) is None for node in single)
        most = len(nodes) if len(single) == len(nodes) else math.inf
        shape = self._shapes[template] = Shape(template.node, least, most)
        return shape

    def _all_wanted(self, template: TemplateName) -> Iterator[Wanted]:
        nodes = parameter_nodes(template.node.declaration)
        for at, node in enumerate(nodes):
            if without_pack(node)[1] or isinstance(node, c_ast.EllipsisParam):
                break
            if self.s.templates.matching.depends(template, node):
                yield from self._wanted(template, at, node)
        for node, fixed in self.s.templates.deduction.fixed_types(template, nodes):
            at, ctype = nodes.index(node), fixed.type
            if isinstance(ctype, Pointer) and isinstance(ctype.target, Struct) and not fixed.reference:
                yield Wanted("pointer", at, False, struct=ctype.target)
            info = self.s.classes.construction.info(ctype)
            if isinstance(ctype, Struct) and info is not None and info.constructors is None:
                yield Wanted("object", at, bool(fixed.reference), struct=ctype)

    def _wanted(self, template: TemplateName, at: int, node: Node) -> list[Wanted]:
        """Return what a parameter that names template parameters asks of its argument, if that is simple."""
        declarator = node.type if isinstance(node, c_ast.Decl | c_ast.Typename) else node
        reference = isinstance(declarator, cxx.Reference)
        if isinstance(declarator, cxx.Reference):
            declarator = declarator.type
        if isinstance(declarator, c_ast.PtrDecl):
            return [Wanted("pointer", at, reference)]
        if isinstance(declarator, c_ast.ArrayDecl) and reference:
            count = _number(declarator.dim)
            return [Wanted("array", at, reference, count=count)] if count is not None else []
        name = declarator.type if isinstance(declarator, c_ast.TypeDecl) else None
        if not isinstance(name, cxx.Name) or name.parts[-1].args is None or len(name.parts) > 1:
            return []
        with self.s.templates.deduction.attempt() as tried:
            of = self.s.templates.matching.template_named(template, name, {})
        if tried.failed or not isinstance(of, TemplateName) or of.kind != "class":
            return []
        numbers: list[tuple[int, int]] = []
        for position, arg in enumerate(name.parts[-1].args):
            if isinstance(arg, cxx.PackExpansion):
                break
            number = _number(arg)
            if number is not None:
                numbers.append((position, number))
        return [Wanted("instance", at, reference, of, tuple(numbers))]


def _number(node: object) -> int | None:
    """Return what a decimal literal of type int is."""
    if not isinstance(node, c_ast.Constant) or node.type != "int" or not node.value.isdigit():
        return None
    return int(node.value) if node.value == "0" or node.value[0] != "0" else None


def _is_number(args: Sequence[TemplateArgument], at: int, number: int) -> bool:
    """Whether a template argument may be this number."""
    value = args[at] if at < len(args) else None
    return not isinstance(value, Constant) or isinstance(value, StandInValue) or bool(value.value == number)
