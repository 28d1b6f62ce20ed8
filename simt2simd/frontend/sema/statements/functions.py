"""Checking functions: their declarations, which ones are overloads of one name, and their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ....diag import Diagnostic, Note
from ....lang.ctype import VOID, Array, FunctionType, Pointer, Struct
from ....source import Span
from ....tree.nodes import Constant, Deref, FunctionKind, Variable
from ...parse import cxx
from ...parse.words import HOST_ONLY, Node
from ..ast_fingerprint import ast_fingerprint
from ..calls.memory_functions import ALIGNED_MALLOC
from ..class_info import ClassInfo
from ..classes.allocation_functions import ALLOCATION_FUNCTIONS
from ..context import Part, Sema
from ..qualified import Qualified, type_key
from ..scopes import (
    USER_PROVIDED,
    FunctionName,
    Functions,
    Name,
    PackName,
    Parameter,
    ParameterNode,
    Reported,
    Scope,
    TemplateName,
    VariableName,
)
from ..templates.packs import names_in
from ..templates.patterns import pack_names
from ..types.member_types import members_of
from ..types.records import name_span

_MOST_PARAMETER_BYTES = 32764  # as CUDA has them since 12.1


class FunctionDeclarations(Part):
    """The checker's part for functions."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.special: set[FunctionName] = set()  # methods that are explicit specialisations

    # ---------------------------------------------------------------------------------------- declarations

    def function_name(self, decl: c_ast.Decl) -> str:
        """Return the name under which a function is found: that of a conversion operator says to what."""
        if decl.name == "operator type":
            assert isinstance(decl.type, c_ast.FuncDecl)
            return (
                f"operator {self.s.types.qualified(decl.type.type)}"
                if not self._inferred(decl.type)
                else "operator auto"
            )
        return decl.name or ""

    def declare_function(
        self,
        decl: c_ast.Decl,
        node: cxx.Definition | None = None,
        home: Scope | None = None,
        befriended: ClassInfo | None = None,
    ) -> FunctionName | None:
        """Enter a function's declaration into `home`, the present scope; return None if another makes it useless.

        `befriended`: the class that declares it as a friend, by which alone it is found.
        """
        name = decl.name or ""
        if isinstance(decl, cxx.MemberOf):
            return self.define_member(decl, node)
        if name == ALIGNED_MALLOC and node is None:
            return None
        try:
            entry = self.function_entry(decl, name)
        except Reported:
            self.s.scopes.make_unusable(name, name_span(decl))
            raise
        entry.scopes = tuple(self.s.scopes.stack)
        entry.shown = f"{home.shown if home is not None else self.s.scopes.prefix()}{name}"
        found = self._enter(home or self.s.scopes.stack[-1], entry, node, befriended)
        if found is None:
            return None
        if not found.key:
            found.key = self._own_key(found) or self.s.linkage.function_key(found)
        if node is not None:
            found.node, found.defined, found.span, found.scopes = node, entry.span, entry.span, entry.scopes
            self._claim_key(home or self.s.scopes.stack[-1], found)
        return found

    def declare_in_block(self, decl: c_ast.Decl) -> None:
        """Enter a function of the namespace around that a block declares: only the block sees it ([basic.link]/7)."""
        stack = self.s.scopes.stack
        at = max(k for k, scope in enumerate(stack) if scope.kind == "namespace")
        home, block = stack[at], stack[-1]
        entry = self.function_entry(decl, decl.name or "")
        entry.scopes, entry.shown = tuple(stack[: at + 1]), f"{home.shown}{entry.name}"
        known = home.names.get(entry.name)
        visible = known.candidates if isinstance(known, Functions) else []
        hidden = home.friends.setdefault(entry.name, [])
        same = (one for one in (*visible, *hidden) if isinstance(one, FunctionName) and same_parameters(one, entry))
        found = self.redeclare(one, entry, False) if (one := next(same, None)) is not None else entry
        assert found is not None
        if found is entry:
            entry.key = self.s.linkage.function_key(entry)
            hidden.append(entry)
        declared = block.names.get(entry.name)
        if not isinstance(declared, Functions):
            self.s.scopes.declare(entry.name, Functions(entry.span, entry.name, [found], local=True))
        elif found not in declared.candidates:
            declared.candidates.append(found)

    def _claim_key(self, home: Scope, kernel: FunctionName) -> None:
        """Give a kernel that is defined the key by which host code finds it: an overload declared before may have it.

        Calls that are already in the tree name functions by their keys.
        """
        called = self.s.functions.called
        if kernel.kind != "kernel" or kernel.key == kernel.shown or kernel in called:
            return
        overloads = home.names.get(kernel.name)
        visible = overloads.candidates if isinstance(overloads, Functions) else []
        for other in (*visible, *home.friends.get(kernel.name, ())):
            if not isinstance(other, FunctionName) or other.key != kernel.shown:
                continue
            if other.defined is None and other not in called:
                other.key, kernel.key = kernel.key, other.key

    def _own_key(self, function: FunctionName) -> str:
        """Return the key that is kept for a kernel at file scope, once."""
        if function.kind != "kernel" or function.shown not in self.s.functions.reserved_keys:
            return ""
        self.s.functions.reserved_keys.remove(function.shown)
        return function.shown

    def _enter(
        self, scope: Scope, entry: FunctionName, node: cxx.Definition | None, befriended: ClassInfo | None
    ) -> FunctionName | None:
        """Add a function to those of its name, or find it declared before."""
        known = scope.names.get(entry.name)
        visible = known.candidates if isinstance(known, Functions) else []
        for one in (*visible, *scope.friends.get(entry.name, ())):
            if isinstance(one, FunctionName) and same_parameters(one, entry):
                self.make_visible(scope, one, befriended)
                return self.redeclare(one, entry, node is not None)
        self.make_visible(scope, entry, befriended)
        return entry

    def make_visible(self, scope: Scope, entry: FunctionName | TemplateName, befriended: ClassInfo | None) -> None:
        """Enter a function or a template of functions where lookup finds it.

        That is `scope`, or the class that declares it as a friend ([namespace.memdef]/3).
        """
        known = scope.names.get(entry.name)
        entry.since = entry.since or self.s.scopes.clock.tick()
        visible = isinstance(known, Functions) and entry in known.candidates
        hidden = scope.friends.setdefault(entry.name, [])
        if befriended is not None:
            self.s.scopes.has_friends = True
            befriended.friends.setdefault(entry.name, []).append(entry)
            if not visible and entry not in hidden:
                hidden.append(entry)
            return
        if entry in hidden:
            hidden.remove(entry)
        if visible:
            return
        if isinstance(known, Functions):
            known.candidates.append(entry)
            return
        functions = Functions(entry.span, entry.name, [entry])
        if known is None:
            scope.names[entry.name] = functions
            return
        with self.s.scopes.instead([scope]):
            self.s.scopes.declare(entry.name, functions)

    def redeclare(self, known: FunctionName, entry: FunctionName, defines: bool) -> FunctionName | None:
        if HOST_ONLY in entry.words - known.words:
            return known
        if HOST_ONLY in known.words - entry.words:  # CUDA takes it for one of both sides
            known.words, known.kind, known.key = entry.words, entry.kind, ""
        first = Note(known.span, "the first declaration is here")
        if known.result is not None and entry.result is not None and known.result.stored != entry.result.stored:
            self.fail(
                entry.span, f"'{entry.name}' is declared with result type '{known.result}' and '{entry.result}'", first
            )
        if known.kind != entry.kind:
            self.fail(
                entry.span, f"'{entry.name}' is declared as a {_KINDS[known.kind]} and as a {_KINDS[entry.kind]}", first
            )
        if defines and known.defined is not None:
            self.fail(
                entry.span, f"'{entry.name}' is defined twice", Note(known.defined, "the first definition is here")
            )
        # A default argument may be given by the first declaration only; names are those of the definition.
        known.params = tuple(
            replace(new, default=new.default or old.default)
            for old, new in zip(known.params, entry.params, strict=True)
        )
        known.packs = entry.packs
        return known

    def function_entry(self, decl: c_ast.Decl, name: str, owner: Struct | None = None) -> FunctionName:
        """Return what a declaration says of a function."""
        signature = decl.type
        assert isinstance(signature, c_ast.FuncDecl)
        span, words = name_span(decl), frozenset((*decl.funcspec, *decl.storage))
        kind: FunctionKind = "kernel" if "__global__" in words else "device"
        if "__global__" in words and words & {"__device__", "__host__"}:
            other = "__device__" if "__device__" in words else "__host__"
            self.fail(span, f"'{name}' cannot be both '__global__' and '{other}'")
        params = self.parameters(signature.args, span)
        here = self.s.here
        if owner is not None:  # `-> decltype(member_)` asks for a type, so any object will do
            qualifiers = (getattr(signature, word, False) for word in ("const", "volatile"))
            nowhere = Constant(span, Pointer(owner, *qualifiers), 0)
            here = replace(here, being_made=Deref(span, owner, nowhere))
        with self.s.at(here):
            result = self._result(signature, name, params, span)
        if kind == "kernel" and result is not None and result.type is not VOID:
            self.fail(
                span,
                f"a kernel must return void: '{name}' returns '{result}'",
                help="write the result through a pointer",
            )
        if kind == "kernel":
            self._check_kernel(name, params, span)
        elif params and (name.startswith("operator ") or name.startswith("~")) and name not in ALLOCATION_FUNCTIONS:
            what = "a destructor" if name.startswith("~") else "a conversion operator"
            self.fail(params[0].span, f"{what} has no parameters")
        return FunctionName(
            span, name, kind, params, result, owner=owner, words=words,
            static="static" in words or (owner is not None and name in ALLOCATION_FUNCTIONS),
            const=getattr(signature, "const", False), volatile=getattr(signature, "volatile", False), shown=name,
            variadic=_is_variadic(signature),
            ref=getattr(signature, "ref", ""), requires=getattr(signature, "requires", None),
            noexcept=getattr(signature, "noexcept", False), packs=pack_names(signature.args),
        )  # fmt: skip

    def _check_kernel(self, name: str, params: tuple[Parameter, ...], span: Span) -> None:
        for param in params:
            self.s.types.records.require_complete(param.type, param.span)
            if param.reference:
                help = "pass a pointer, or the object itself"
                self.fail(param.span, f"a parameter of a kernel cannot be a reference: '{param.name}'", help=help)
            if (members := members_of(param.type)) is not None and members.called is not None:
                what = f"a parameter of a kernel cannot be a pointer to a method: '{param.name}'"
                self.fail(param.span, what, help="make it an argument of a template: `template <auto F>`")
            self.s.types.require_same_on_host(param.type, param.name, param.span)
        if sum(p.type.size for p in params) > _MOST_PARAMETER_BYTES:
            self.fail(span, f"the parameters of a kernel may take at most {_MOST_PARAMETER_BYTES} bytes")

    def _result(
        self, signature: c_ast.FuncDecl, name: str, params: tuple[Parameter, ...], span: Span
    ) -> Qualified | None:
        """Return the type of a function's result; None where it is deduced from the body."""
        if signature.type is None:
            return Qualified(VOID)
        if self._inferred(signature):
            return None
        with self.s.scopes.inside(Scope(self.named_parameters(params, pack_names(signature.args), span))):
            result = self.s.types.qualified(signature.type)
        if isinstance(result.type, Array | FunctionType) and not result.reference:
            what = "an array" if isinstance(result.type, Array) else "a function"
            self.fail(span, f"a function cannot return {what}")
        return result

    def _inferred(self, signature: c_ast.FuncDecl) -> bool:
        node: Node | None = signature.type
        while node is not None and not isinstance(node, c_ast.TypeDecl):
            if isinstance(node, cxx.DeclType) and node.expr is None:
                return True
            node = getattr(node, "type", None)
        inner = getattr(node, "type", None)
        return isinstance(inner, c_ast.InferredType) or (isinstance(inner, cxx.DeclType) and inner.expr is None)

    def named_parameters(self, params: Sequence[Parameter], packs: Sequence[str], span: Span) -> dict[str, Name]:
        """Return what the names of parameters denote outside the function's body; of `packs` some have no elements."""
        names: dict[str, Name] = {pack: PackName(span, ()) for pack in packs}
        names.update({p.name: self._named_parameter(p) for p in params if p.name})
        for pack, count in self.pack_sizes(params).items():
            names[pack] = PackName(span, tuple(names[f"{pack}_{index}"] for index in range(count)))
        return names

    def _named_parameter(self, param: Parameter) -> VariableName:
        stored = param.qualified.stored
        variable = Variable(param.name, stored, param.span, "param", param.const and not param.reference)
        return VariableName(param.span, variable, reference=param.reference)

    # ------------------------------------------------------------------------------------------ parameters

    def parameters(self, args: c_ast.ParamList | None, span: Span) -> tuple[Parameter, ...]:
        """Check the parameters of a function."""
        nodes = args.params if args is not None else []
        if len(nodes) == 1 and isinstance(nodes[0], c_ast.Typename) and nodes[0].name is None and _is_void(nodes[0]):
            return ()
        return tuple(self.every_parameter(nodes, span))

    def every_parameter(self, nodes: Sequence[ParameterNode | c_ast.EllipsisParam], span: Span) -> list[Parameter]:
        result: list[Parameter] = []
        faulty = False
        for node in nodes:
            try:
                if isinstance(node, c_ast.EllipsisParam):
                    continue
                with self.s.scopes.inside(*self._scope_of_parameters(node, nodes, result, span)):
                    if isinstance(node.type, cxx.PackExpansion):
                        result += self._parameter_pack(node, result)
                    else:
                        result.append(self.parameter(node, result))
            except Reported:
                faulty = True
        if faulty:
            raise Reported
        return result

    def _scope_of_parameters(
        self, node: Node, nodes: Sequence[Node], before: list[Parameter], span: Span
    ) -> list[Scope]:
        """Return the scope of the parameters `before`, if the type of another one names them ([basic.scope.param])."""
        base = node
        while isinstance(base, c_ast.Node) and hasattr(base, "type") and not isinstance(base, cxx.DeclType):
            base = base.type
        if node is nodes[0] or isinstance(base, c_ast.IdentifierType):
            return []
        packs = pack_names(nodes[: nodes.index(node)])
        names, used = self.named_parameters(before, packs, span), set(names_in(base))
        return [] if used.isdisjoint(names) else [Scope(names)]

    def _parameter_pack(self, node: c_ast.Decl | c_ast.Typename, before: list[Parameter]) -> list[Parameter]:
        """`Args... args` is one parameter for each element of the pack."""
        assert isinstance(node.type, cxx.PackExpansion)
        pattern = node.type.pattern
        found: list[Parameter] = []
        for _ in self.s.templates.packs.each_element(pattern):
            qualified = self.s.types.parameter_type(pattern)
            name = f"{node.name}_{len(found)}" if node.name else ""
            found.append(
                Parameter(
                    name, node.coord, qualified.type, qualified.const, None, qualified.restrict, qualified.reference,
                    qualified.volatile, node.name or "",
                )
            )  # fmt: skip
        return found

    def pack_sizes(self, params: Sequence[Parameter]) -> dict[str, int]:
        """Return the number of elements of each parameter pack among `params`."""
        sizes: dict[str, int] = {}
        for param in params:
            if param.pack:
                sizes[param.pack] = sizes.get(param.pack, 0) + 1
        return sizes

    def parameter(self, node: ParameterNode, before: list[Parameter]) -> Parameter:
        at = name_span(node)
        default = getattr(node, "init", None)
        qualified = self.s.types.parameter_type(node.type)
        if qualified.type is VOID:
            self.fail(at, "a parameter cannot have type void")
        if default is None and before and before[-1].default is not None and not before[-1].pack:
            self.fail(at, f"parameter '{node.name}' needs a default argument: the one before has one")
        return Parameter(
            node.name or "", at, qualified.type, qualified.const, default, qualified.restrict, qualified.reference,
            qualified.volatile,
        )  # fmt: skip

    # --------------------------------------------------------------------------------------------- methods

    def declare_method(self, info: ClassInfo, decl: c_ast.Decl, node: cxx.Definition | None) -> None:
        """Enter a method, a constructor, a destructor or a conversion operator of a class."""
        name = self.function_name(decl)
        entry = self.function_entry(decl, name, owner=info.struct)
        entry.scopes = tuple(self.s.scopes.stack)
        entry.shown = f"{self.s.scopes.prefix()}{name}"
        entry.key = self.s.linkage.function_key(entry)
        if node is not None:
            entry.node, entry.defined = node, entry.span
            self.s.linkage.inside_class.add(entry)
        if not self.enter_special_member(info, name, entry):
            known = info.scope.names.get(name)
            if isinstance(known, Functions):  # it hides those of bases that `using` brought here ([namespace.udecl])
                known.candidates = [one for one in known.candidates if not hides(entry, one)] + [entry]
            else:
                info.scope.names[name] = Functions(entry.span, name, [entry])

    def enter_special_member(self, info: ClassInfo, name: str, entry: FunctionName | TemplateName) -> bool:
        """Enter a constructor, a destructor or a conversion operator: these are not found by name."""
        if name == info.name and name:
            if info.constructors is None:
                info.constructors = Functions(entry.span, name, [])
            functions = info.constructors
            functions.candidates = [one for one in functions.candidates if not hides(entry, one)] + [entry]
        elif name.startswith("~"):
            assert isinstance(entry, FunctionName)
            info.destructor = entry
        elif name.startswith("operator ") and name not in ALLOCATION_FUNCTIONS:
            info.conversions.append(entry)
        else:
            return False
        return True

    def friend_function(self, node: Node, home: Scope, befriended: ClassInfo) -> None:
        """Declare a friend as a member of the namespace around its class; its names are those of the class."""
        if isinstance(node, cxx.Template):
            self.s.templates.declarations.declare_function_template(node, node.declaration, home, befriended)
            return
        decl = node.decl if isinstance(node, cxx.Definition) else node
        assert isinstance(decl, c_ast.Decl)
        function = self.declare_function(decl, node if isinstance(node, cxx.Definition) else None, home, befriended)
        if function is not None and isinstance(node, cxx.Definition):
            self.s.linkage.inside_class.add(function)

    def _specialise_member(self, member: FunctionName, entry: FunctionName) -> None:
        """Make a method of an instance of a class template what its specialisation says ([temp.expl.spec])."""
        if member.checked:
            note = "declare the specialisation before its first use"
            self.fail(entry.span, f"'{member.shown}' is specialised after its use", help=note)
        self.special.add(member)
        member.result = entry.result
        self.s.linkage.inside_class.discard(member)
        if member.node is not None and self.s.linkage.mark and "__device__" in member.words:
            self.s.functions.pending.append(member)  # other files may call it

    def define_member(
        self, decl: cxx.MemberOf, node: cxx.Definition | None, *, special: bool = False
    ) -> FunctionName | None:
        """Find what a definition outside its class or namespace defines. `special`: in place of a template's."""
        scope = self.member_scope(decl.scope)
        if scope.kind == "namespace":
            with self.s.scopes.inside(scope):
                inner = c_ast.Decl(
                    decl.name, decl.quals, decl.align, decl.storage, decl.funcspec, decl.type, decl.init, decl.bitsize,
                    decl.coord,
                )  # fmt: skip
                return self.declare_function(inner, node)
        assert scope.owner is not None
        info = self.s.structs.classes[scope.owner]
        with self.s.scopes.instead((*info.scopes, scope)):
            name = self.function_name(decl)
            entry = self.function_entry(decl, name, owner=scope.owner)
        for one in self.members_called(info, name):
            if isinstance(one, FunctionName) and same_parameters(one, entry) and one.qualifiers == entry.qualifiers:
                if "__device__" in entry.words:
                    one.words -= {HOST_ONLY}  # CUDA takes it for one of both sides
                if node is None and "=default" in entry.words:
                    node = self.defaulted_outside(one, decl)
                if node is not None or special:
                    if one.defined is not None and one.node is not None and not (special and one not in self.special):
                        note = Note(one.defined, "the first definition is here")
                        self.fail(entry.span, f"'{one.shown}' is defined twice", note)
                    one.node, one.defined = node, entry.span if node is not None else None
                    one.params = tuple(
                        replace(new, default=old.default) for old, new in zip(one.params, entry.params, strict=True)
                    )
                    one.packs, one.scopes = entry.packs, (*info.scopes, scope)
                if special:
                    self._specialise_member(one, entry)
                return one
        self.fail(entry.span, f"'{scope.owner}' declares no such function '{name}'")

    def defaulted_outside(self, member: FunctionName, decl: cxx.MemberOf) -> cxx.Definition | None:
        """Define a member by `T::T() = default;` outside its class: it is user-provided ([dcl.fct.def.default]/5).

        Constructors without parameters and destructors get empty braces, which make or destroy the same parts. What
        copies or moves has the implicit definition.
        """
        if member.params:
            member.words |= {"=default", USER_PROVIDED}
            return None
        empty: tuple[list[Node], list[Diagnostic]] = ([], [])
        return cxx.Definition(decl, cxx.Body(lambda: empty, name_span(decl)), name_span(decl))

    def members_called(self, info: ClassInfo, name: str) -> Sequence[FunctionName | TemplateName]:
        """Return the methods of a class that are called `name`, constructors and destructors included."""
        if info.constructors is not None and name == info.constructors.name:
            return info.constructors.candidates
        if name.startswith("~"):
            return [info.destructor] if info.destructor is not None else []
        if name.startswith("operator ") and info.conversions:
            return [one for one in info.conversions if one.name == name]
        known = info.scope.names.get(name)
        return known.candidates if isinstance(known, Functions) else []

    def member_scope(self, node: cxx.Name) -> Scope:
        """Return the scope of the class or namespace whose member a declaration outside it names."""
        found = self.s.expr.names.find(node)
        if found is None:
            self.s.expr.names.unknown_qualified(node)
        return self.s.expr.names.scope_of(found, node, len(node.parts) - 1)


_KINDS = {"kernel": "kernel", "device": "device function"}


def same_parameters(one: FunctionName, other: FunctionName) -> bool:
    """Whether two declarations are of one function."""
    alike = one.signature == other.signature
    return alike and ast_fingerprint(one.requires, {}) == ast_fingerprint(other.requires, {})


def same_object(one: FunctionName, other: FunctionName) -> bool:
    """Whether two methods have the same qualifiers of the object for which they are called."""
    return one.const == other.const and one.ref == other.ref


def same_result(one: FunctionName, other: FunctionName) -> bool:
    """Whether two declarations have the same type of result, or one that is deduced."""
    if one.result is None or other.result is None:
        return one.result is other.result
    return (
        type_key(one.result.stored) == type_key(other.result.stored) and one.result.reference == other.result.reference
    )


def hides(own: FunctionName | TemplateName, inherited: FunctionName | TemplateName) -> bool:
    """Whether a class's own function hides one of a base that a using-declaration names ([namespace.udecl]/14)."""
    if not isinstance(own, FunctionName) or not isinstance(inherited, FunctionName) or inherited.owner is own.owner:
        return False
    return same_parameters(inherited, own) and inherited.ref == own.ref


def _is_variadic(signature: c_ast.FuncDecl) -> bool:
    nodes = signature.args.params if signature.args is not None else []
    return bool(nodes) and isinstance(nodes[-1], c_ast.EllipsisParam)


def _is_void(node: c_ast.Typename) -> bool:
    inner = node.type
    return (
        isinstance(inner, c_ast.TypeDecl)
        and isinstance(inner.type, c_ast.IdentifierType)
        and inner.type.names == ["void"]
    )
