"""Template arguments: how they are distinguished, bound to parameters and shown."""

from __future__ import annotations

from collections.abc import Sequence

from ....tree.nodes import Constant
from ..qualified import Qualified, type_key
from ..scopes import Bindings, TemplateArgument, TemplateName


class BegunPack(tuple[TemplateArgument, ...]):
    """The explicit arguments of a pack. What is deduced may follow them ([temp.arg.explicit]/9)."""

    __slots__ = ()


def by_param(template: TemplateName, args: tuple[TemplateArgument, ...]) -> Bindings:
    return {param.name_key: arg for param, arg in zip(template.node.params, args, strict=True)}


def argument_key(arg: TemplateArgument) -> object:
    """Return what identifies template arguments."""
    if isinstance(arg, tuple):
        return tuple(map(argument_key, arg))
    match arg:
        case Qualified():
            return (type_key(arg.type), arg.const, arg.volatile, arg.reference)
        case Constant():
            return (type_key(arg.type), arg.value)
        case TemplateName():
            return arg


def spell_argument(arg: TemplateArgument) -> str:
    """Return a template argument as messages say it."""
    if isinstance(arg, tuple):
        return ", ".join(map(spell_argument, arg))
    match arg:
        case Qualified():
            return str(arg).replace(" *", "*").replace(" &", "&")
        case Constant(value=bool() as value):
            return "true" if value else "false"
        case Constant():
            return str(arg.value)
        case TemplateName():
            return arg.name


def same_arguments(one: Sequence[TemplateArgument], other: Sequence[TemplateArgument]) -> bool:
    """Whether two lists of template arguments are the same."""
    return [argument_key(arg) for arg in one] == [argument_key(arg) for arg in other]
