"""Which functions and types other files know, and the keys that all files agree on, where files are linked.

    merge_3f2a91c07b5d4e68        int merge(int, int): the key is made of its name and its parameters
    helper_5b0d3c2f7a91           static: private to its file, whose mark is in the key

A function is private if its own declaration says so, or if it is in, or is made of, what is private: an unnamed
namespace, a function's own class, a lambda.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ...lang.ctype import VOID, Array, CType, FunctionType, Pointer, Scalar, Struct
from ...tree.nodes import Constant, External, ExternalFunction, Function, Variable
from ..parse import cxx
from .context import Part, Sema
from .identifiers import identifier, unique
from .qualified import Qualified
from .scopes import FunctionName, Scope, TemplateArgument, TemplateName

_INLINE = frozenset(("inline", "__inline__", "__inline", "__forceinline__", "constexpr", "consteval"))


class Linkage(Part):
    """The checker's part for what is known to other files."""

    def __init__(self, s: Sema, mark: str) -> None:
        super().__init__(s)
        self.mark = mark  # after the keys of what is private to the file; empty for a file that is compiled alone
        self.agreed_keys: dict[str, FunctionName] = {}  # functions that other files may define or call, by their keys
        self.choosers: set[str] = set()  # the keys of `pointer_calls` and `virtual_calls` that all files agree on
        self.inside_class: set[FunctionName] = set()  # functions that are defined in their classes
        self.instantiated: set[FunctionName] = set()  # instances that the file makes for others

    def unique_key(self, shown: str) -> str:
        """Return an identifier for a function that no other one of the module has."""
        return unique(identifier(shown) + self.mark, self.s.functions.keys)

    def function_key(self, function: FunctionName, args: Sequence[TemplateArgument] = ()) -> str:
        """Return the key of a function; `args` are those of the template of which it is an instance."""
        if not self.mark or self._is_private(function, args):
            return self.unique_key(function.shown)
        key = _agreed(function.shown, self._signature(function))
        if key in self.agreed_keys:  # two templates may give instances that look alike
            return self.unique_key(function.shown)
        self.s.functions.keys.add(key)
        self.agreed_keys[key] = function
        return key

    def chooser_key(self, name: str, of: str, *, private: bool) -> str:
        """Return the key of a function that calls by a pointer or a table."""
        if not self.mark or private:
            return self.unique_key(name)
        key = _agreed(name, of)
        self.s.functions.keys.add(key)
        self.choosers.add(key)
        return key

    def _signature(self, function: FunctionName) -> str:
        """Return what distinguishes a function from all others of the program."""
        params = ", ".join(f"{self.spelled(param.qualified.stored)}{param.reference}" for param in function.params)
        owner = self.spelled(function.owner) if function.owner is not None else ""
        template = function.pattern.node.params if function.pattern is not None else ()
        kinds = ", ".join(f"{param.kind}{'...' * param.pack}" for param in template)
        qualifiers = "const" * function.const + "volatile" * function.volatile + function.ref
        return f"<{kinds}> {owner} {function.shown}({params}) {qualifiers}"

    def spelled(self, ctype: CType) -> str:
        """Return what all files call a type."""
        match ctype:
            case Scalar():
                return str(ctype)
            case Pointer():
                return f"{self.spelled(ctype.target)}{' const' * ctype.const}{' volatile' * ctype.volatile}*"
            case Array():
                return f"{self.spelled(ctype.element)}[{ctype.count}]"
            case FunctionType():
                types = tuple(map(self.spelled, (ctype.result, *ctype.params)))
                result, *params = map("".join, zip(types, ctype.references or [""] * len(types), strict=True))
                return f"{result}({', '.join(params)}){' noexcept' * ctype.noexcept}"
            case Struct():
                homes = reversed(self.s.structs.homes.get(ctype, ()))
                return ctype.shown or next((scope.shown for scope in homes if scope.shown), "") + ctype.tag

    # ------------------------------------------------------------------------------------------- what is private

    def _is_private(self, function: FunctionName, args: Sequence[TemplateArgument]) -> bool:
        """Whether no other file can mean this function."""
        if function.owner is not None:
            if self.is_private_type(function.owner):
                return True
        elif "static" in function.words or self._is_private_place(_scopes(function)):
            return True
        types = [param.type for param in function.params]
        types += [function.result.type] if function.result is not None else []
        return any(map(self.is_private_type, types)) or any(map(self._is_private_argument, args))

    def is_private_type(self, ctype: CType) -> bool:
        """Whether no other file can mean this type."""
        match ctype:
            case Scalar(enum=None):
                return False
            case Scalar(enum=enum):
                assert enum is not None
                return self._is_private_place(self.s.structs.homes.get(enum, ()))
            case Pointer():
                return self.is_private_type(ctype.target)
            case Array():
                return self.is_private_type(ctype.element)
            case FunctionType():
                return any(map(self.is_private_type, (ctype.result, *ctype.params)))
            case Struct():
                info = self.s.structs.classes.get(ctype)
                _, args = self.s.structs.made_of.get(ctype, (None, ()))
                return (
                    (info is not None and info.is_lambda)
                    or self._is_private_place(self.s.structs.homes.get(ctype, ()))
                    or any(map(self._is_private_argument, args))
                )

    def _is_private_place(self, scopes: Sequence[Scope]) -> bool:
        unnamed = [entry.scope for entry in self.s.scopes.unnamed.values()]
        return any(
            scope.kind in ("block", "function")
            or scope in unnamed
            or (scope.owner is not None and self.is_private_type(scope.owner))
            for scope in scopes
        )

    def _is_private_argument(self, arg: TemplateArgument) -> bool:
        match arg:
            case tuple():
                return any(map(self._is_private_argument, arg))
            case Qualified():
                return self.is_private_type(arg.type)
            case Constant():  # the address of a private function may be any number
                return isinstance(arg.type, Pointer) and bool(arg.value)
            case TemplateName():
                return self._is_private_place(arg.scopes)

    # ------------------------------------------------------------------------------------------------ at the end

    def shared_with_others(self, functions: dict[str, Function], variables: Sequence[Variable]) -> External:
        """Return what the module of these functions and variables shares with other files."""
        known = {
            key: one for key, one in self.agreed_keys.items() if key in functions or one in self.s.functions.called
        }
        return External(
            {key: self._as_external(one) for key, one in known.items()},
            {variable.qualified: variable for variable in variables if not self.is_private_variable(variable)},
            frozenset(self.choosers & functions.keys()),
            {variable: span for variable, span in self.s.variables.defined_at.items() if variable in variables},
        )

    def is_private_variable(self, variable: Variable) -> bool:
        """Whether a variable is one of the file alone."""
        return variable in self.s.variables.private or not variable.space

    def _as_external(self, function: FunctionName) -> ExternalFunction:
        result = function.result.stored if function.result is not None else VOID
        params = [param.qualified.stored for param in function.params]
        own = [function.this_type] if function.is_method and function.owner is not None else []
        shown = ", ".join(str(param.qualified).replace(" *", " *") for param in function.params)
        qualifiers = " const" * function.const + " volatile" * function.volatile
        written = function.result if function.result is not None else VOID
        title = f"{written} {function.shown}({shown}){qualifiers}".replace("* ", "*")
        merges = self.merges(function)
        prvalues = self.s.classes.prvalues
        made, returned = prvalues.returned_types(result)
        ctype = FunctionType(returned, (*made, *own, *map(prvalues.passed_type, params)))
        return ExternalFunction(title, ctype, function.span, merges)

    def merges(self, function: FunctionName) -> bool:
        """Whether several files may define a function: an inline one, or an instance of a template."""
        words = function.words | set(function.node.decl.funcspec if function.node is not None else ())
        storage = function.node.decl.storage if function.node is not None else ()
        return (
            bool((words | set(storage)) & _INLINE)
            or function.constexpr
            or function in self.inside_class
            or self.s.scopes.std in function.scopes
            or (function.owner is not None and function.owner in self.s.structs.made_of)
            or (function.pattern is not None and not _is_specialised(function, function.pattern))
        )

    def is_for_others(self, key: str) -> bool:
        """Whether other files may count on this file to define a function."""
        function = self.agreed_keys.get(key)
        return function is not None and (function in self.instantiated or not self.merges(function))


def _scopes(function: FunctionName) -> tuple[Scope, ...]:
    return function.scopes or (function.pattern.scopes if function.pattern is not None else ())


def _is_specialised(function: FunctionName, pattern: TemplateName) -> bool:
    """Whether this instance of a template has a definition of its own."""
    return isinstance(function.node, cxx.Definition) and function.node is not pattern.node.declaration


def _agreed(shown: str, what: str) -> str:
    return f"{identifier(shown)}_{hashlib.sha256(what.encode()).hexdigest()[:16]}"
