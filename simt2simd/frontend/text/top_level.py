"""Tokens to top-level items: what of a mixed C++ file is device code, what may serve it, and what is the host's alone.

Only braces, brackets and a few words are looked at here. Whatever is not device code is skipped without an error, but
remembered by name, so that a use of it in a kernel can be explained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from ...diag import Diagnostic, Note
from ...lang.builtins import TEXTURE_REFERENCES
from ...source import Span
from .declaration_scan import (
    ANGLES,
    ATTRIBUTES,
    OPENERS,
    RECORDS,
    after_angles,
    after_attribute,
    after_constraint,
    after_template,
    head_of,
    is_guide,
    is_member_of_other,
    is_record,
    name_in_head,
    record_name,
    type_at,
    variable_names,
)
from .lexer import Token


@dataclass(frozen=True)
class Item:
    """One declaration of a file or a namespace. `kind` is

    "device": marked for the device; faults in it are reported;
    "shared": a type, a constant or what both sides may use; where the device cannot use it, it is the host's alone;
    "host": a function that only the host can call, of which overload resolution in device code has to know;
    "namespace": `tokens` begins with its name, or with `namespace` itself; `inside` is what it holds.
    """

    kind: Literal["device", "shared", "host", "namespace"]
    tokens: list[Token] = field(repr=False)
    inside: Split | None = None
    inline: bool = False


@dataclass(frozen=True)
class HostOnly:
    """A name that device code cannot use: where it is declared, what it is, and what to do about it."""

    span: Span
    what: str
    help: str | None = None
    cause: Diagnostic | None = None


@dataclass
class Split:
    """What of a file or a namespace is what.

    `constants`: the names of the constants so far; `marked`: those of the functions that are declared for the device;
    `host`: all else.
    """

    items: list[Item]
    host_only: dict[str, HostOnly]
    faults: list[Diagnostic]
    constants: set[str] = field(default_factory=set)
    device_only: bool = False
    host: list[list[Token]] = field(default_factory=list)
    marked: set[str] = field(default_factory=set)

    def inner(self) -> Split:
        """Return the split of a namespace inside."""
        return Split([], {}, self.faults, self.constants, self.device_only, self.host, self.marked)

    def unnamed(self) -> Iterator[Item]:
        """Yield the items, with those of unnamed namespaces in their place."""
        for item in self.items:
            if item.inside is not None and item.tokens[0].value == "namespace":
                yield from item.inside.unnamed()
            elif item.inside is None:
                yield item


NEVER_CLOSED = "this '{' is never closed"

_BEGIN_EXPRESSION = {"PLUS", "MINUS", "NOT", "LNOT", "LPAREN", "SIZEOF", "_ALIGNOF", "NULLPTR"}
_NEVER = ("@", "`", '"', *map(chr, range(32)), "\x7f")
_BEGIN_NOTHING = frozenset(
    """
    IF ELSE FOR WHILE DO SWITCH CASE DEFAULT BREAK CONTINUE RETURN GOTO SIZEOF NULLPTR RPAREN RBRACKET COMMA
    COLON CONDOP EQUALS PLUSEQUAL MINUSEQUAL TIMESEQUAL DIVEQUAL MODEQUAL LSHIFTEQUAL RSHIFTEQUAL ANDEQUAL
    OREQUAL XOREQUAL PLUS MINUS TIMES DIVIDE MOD OR AND XOR LSHIFT RSHIFT LOR LAND LNOT LT LE GT GE EQ NE
    PLUSPLUS MINUSMINUS ARROW PERIOD ELLIPSIS LAUNCH PPHASH
    """.split()
)
_TYPE_WORDS = frozenset("VOID _BOOL CHAR SHORT INT __INT128 LONG FLOAT DOUBLE SIGNED UNSIGNED".split())
_SPECIFIERS = frozenset(
    """
    static inline const volatile constexpr extern __host__ __device__ __constant__ __shared__ __managed__
    __forceinline__ __noinline__
    """.split()
)
_STORAGE = {"static", "extern", "inline"}
_DEVICE = {"__global__", "__device__"}
_DEVICE_VARIABLE = {"__constant__", "__shared__", "__managed__"}


def split_items(tokens: list[Token], *, device_only: bool = False) -> Split:
    """Split the tokens of a file into items.

    With `device_only`, what C++ has nowhere is a fault also outside device code, and what can be no declaration.
    """
    result = Split([], {}, [], device_only=device_only)
    closing = _pair_braces(tokens, result.faults)
    _split(tokens, 0, len(tokens), closing, result)
    return result


def _split(tokens: list[Token], start: int, end: int, closing: dict[int, int], result: Split) -> None:
    at = start
    while at < end:
        token = tokens[at]
        if token.type in ("SEMI", "PPPRAGMA", "PPPRAGMASTR", "RBRACE"):
            if token.type == "PPPRAGMASTR" and token.value.split()[:1] == ["dp"]:
                what = "'#pragma dp' has no meaning here: it must precede the launch of a kernel"
                result.faults.append(Diagnostic(token.span, what))
            at += 1
        elif token.type == "_PRAGMA" and type_at(tokens, at + 1) == "LPAREN":
            at += 4  # _Pragma("...")
        elif token.type == "EXTERN" and type_at(tokens, at + 1) == "STRING_LITERAL":
            at += 2
            if type_at(tokens, at) == "LBRACE":
                _split(tokens, at + 1, closing[at], closing, result)
                at = closing[at] + 1
        elif _is_namespace(tokens, at):
            at = _split_namespace(tokens, at, closing, result)
        else:
            known = len(result.faults)
            stop = _end_of_item(tokens, at, end, closing, result.faults)
            own = tokens[at:stop]
            if len(result.faults) > known:  # a class without its `;`
                own = [*own, replace(own[-1], type="SEMI", value=";")]
            _classify(own, result)
            at = stop


def _is_namespace(tokens: list[Token], at: int) -> bool:
    return tokens[at].value == "namespace" or (
        tokens[at].value == "inline" and at + 1 < len(tokens) and tokens[at + 1].value == "namespace"
    )


def _split_namespace(tokens: list[Token], at: int, closing: dict[int, int], result: Split) -> int:
    """Handle the namespace at `at`; return where it ends. `namespace a::inline b` is two, one in the other."""
    inline = tokens[at].value == "inline"
    word = at + inline
    names: list[tuple[Token, bool]] = []
    open_brace = word + 1
    while open_brace < len(tokens) and tokens[open_brace].type not in ("LBRACE", "SEMI"):
        if tokens[open_brace].type in ("ATTRIBUTE_BEGIN", "_ALIGNAS"):
            open_brace = after_attribute(tokens, open_brace)
            continue
        if tokens[open_brace].type in ("ID", "TYPEID"):
            names.append((tokens[open_brace], tokens[open_brace - 1].value == "inline" or (inline and not names)))
        open_brace += 1
    if type_at(tokens, open_brace) != "LBRACE":  # namespace a = b;
        result.items.append(Item("shared", tokens[at : open_brace + 1]))
        return open_brace + 1
    end = closing[open_brace]
    for name, is_inline in names or [(tokens[word], inline)]:
        inner = result.inner()
        result.items.append(Item("namespace", [name], inner, is_inline))
        result = inner
    _split(tokens, open_brace + 1, end, closing, result)
    return end + 1


def _pair_braces(tokens: list[Token], faults: list[Diagnostic]) -> dict[int, int]:
    """Return the index of the closing brace for that of each opening one.

    A brace that is never closed is closed before the next function that begins inside it, or at the end of the file. A
    string or a quote that is never closed, which the parser reports, may have taken its brace.
    """
    closing: dict[int, int] = {}
    stack: list[tuple[int, bool]] = []  # (index, whether functions may be declared inside)

    def close_before(at: int) -> None:
        """Close all braces of functions before the declaration at `at`, which cannot be inside one."""
        opened = next(i for i, holds in stack if not holds)
        note = Note(tokens[opened].span, "to match this '{'")
        message = f"expected '}}' before '{tokens[at].value}'"
        faults.append(Diagnostic(tokens[at].span, message, (note,), breaks_rest=True))
        while stack and not stack[-1][1]:
            closing[stack.pop()[0]] = at - 1

    for index, token in enumerate(tokens):
        if token.type == "LBRACE":
            begin = _begin_of_function(tokens, index) if stack and not stack[-1][1] else None
            if begin is not None:
                close_before(begin)
            stack.append((index, _holds_declarations(tokens, index)))
        elif token.type == "RBRACE":
            if stack:
                closing[stack.pop()[0]] = index
            else:
                faults.append(Diagnostic(token.span, "extraneous '}'", breaks_rest=True))
        elif token.type == "SEMI":
            while stack and tokens[stack[-1][0] - 1].type in ("EQUALS", "COMMA", "LBRACE") and _is_list(tokens, stack):
                closing[stack.pop()[0]] = index - 1  # the parser will say that a `}` is missing
        elif token.value in _DEVICE and stack and not stack[-1][1]:
            before = tokens[index - 1]
            if token.value == "__global__" or before.type in ("SEMI", "RBRACE"):
                close_before(index)
    for index, _ in stack:
        if not any(token.type == "BAD" and token.value.endswith("never closed") for token in tokens[index:]):
            faults.append(Diagnostic(tokens[index].span, NEVER_CLOSED, breaks_rest=True))
        closing[index] = len(tokens) - 1
    return closing


def _begin_of_function(tokens: list[Token], brace: int) -> int | None:
    """Return where `static int main(...) {` begins, if that is what the brace at `brace` ends."""
    at, depth = brace - 1, 0
    while at > 0:
        depth += (tokens[at].type == "RPAREN") - (tokens[at].type == "LPAREN")
        if tokens[at].type in ("LBRACE", "RBRACE"):
            return None
        if depth == 0:
            break
        at -= 1
    if type_at(tokens, at) != "LPAREN" or type_at(tokens, at - 1) != "ID":
        return None
    at -= 2
    while at > 0 and tokens[at].type in ("TIMES", "AND"):
        at -= 1
    if tokens[at].type not in _TYPE_WORDS:
        return None
    while at > 0 and (tokens[at - 1].type in _TYPE_WORDS or tokens[at - 1].value in _SPECIFIERS):
        at -= 1
    return at if at > 0 and tokens[at - 1].type in ("SEMI", "RBRACE", "LBRACE") else None


def _is_list(tokens: list[Token], stack: list[tuple[int, bool]]) -> bool:
    """True if the innermost open brace begins an initialiser, or a list inside one."""
    return any(tokens[index - 1].type == "EQUALS" for index, _ in stack[-4:])


def _holds_declarations(tokens: list[Token], brace: int) -> bool:
    """True for the braces of a namespace, a class, a struct or `extern "C"`."""
    at = brace - 1
    depth = angle = 0
    while at >= 0 and tokens[at].type not in ("SEMI", "LBRACE", "RBRACE", "EQUALS"):
        depth += (tokens[at].type == "RPAREN") - (tokens[at].type == "LPAREN")
        angle = max(0, angle - ANGLES.get(tokens[at].type, 0)) if depth == 0 else angle
        if tokens[at].type == "LPAREN" and depth == 0 and angle == 0 and tokens[at - 1].type != "_ALIGNAS":
            return False
        if depth == 0 and tokens[at].value in ("namespace", "class", "struct", "union", "extern"):
            return True
        at -= 1
    return False


def _end_of_item(tokens: list[Token], start: int, end: int, closing: dict[int, int], faults: list[Diagnostic]) -> int:
    """Return the index after the item that begins at `start`: after its `;`, or after its body's closing brace."""
    depth = 0
    parameters = assigned = members = False  # seen: a parameter list, `=`, the `:` of a constructor
    record = bases = False  # seen: `struct`, the `:` before its bases
    at = after_template(tokens, start, end)
    while at < end:
        token = tokens[at]
        if token.value == "requires" and depth == 0 and not assigned:
            at = after_constraint(tokens, at, end)
            continue
        if token.type in ("LPAREN", "LBRACKET"):
            if depth == 0 and token.type == "LPAREN" and at > start and _may_have_parameters(tokens, at - 1):
                parameters = not bases
            depth += 1
        elif token.type in ("RPAREN", "RBRACKET"):
            depth = max(0, depth - 1)
        elif token.type == "EQUALS" and depth == 0 and tokens[at - 1].value != "operator":
            assigned = True
        elif token.type in RECORDS:
            record = True
            while type_at(tokens, at + 1) in ("ID", "TYPEID", "COLONCOLON"):
                at += 1
            if type_at(tokens, at + 1) == "LT":
                at = after_angles(tokens, at + 1, end)
                continue
        elif token.type == "COLON" and depth == 0:
            members, bases = parameters, record and not parameters
        elif token.type == "SEMI":
            return at + 1
        elif token.type == "LBRACE":
            before = tokens[at - 1].type
            variable = at >= 2 and before == "ID" and tokens[at - 2].type == "COMMA"  # `n(1), m{2}`
            member = members and before in ("ID", "GT")
            body = parameters and not (assigned or variable or member)
            at = closing[at]
            if record and depth == 0 and not (parameters or assigned) and _begins_declaration(tokens, at + 1, end):
                brace = tokens[at].span
                after_brace = Span(brace.source, brace.line, brace.column + 1)
                faults.append(Diagnostic(after_brace, "expected ';' after '}'"))
                return at + 1
            if body and (depth == 0 or type_at(tokens, at + 1) not in ("RPAREN", "COMMA", "LPAREN", "RBRACKET")):
                return at + 1
        elif token.type == "RBRACE":
            return at + 1
        at += 1
    return end


def _may_have_parameters(tokens: list[Token], at: int) -> bool:
    """Whether parentheses after this word can be parameters, as those of `operator new` and not of `alignas` are."""
    return tokens[at].type not in ATTRIBUTES or (at > 0 and tokens[at - 1].value == "operator")


def _begins_declaration(tokens: list[Token], at: int, end: int) -> bool:
    """True for what cannot follow the braces of a class in its own declaration, but begins another one, or for nothing.

    `struct A {...} __device__ a;` and `struct A {...} const *a;` are right.
    """
    while at < end and tokens[at].value in _SPECIFIERS:
        at += 1
    if at >= end:
        return True
    token, after = tokens[at], type_at(tokens, at + 1)
    if token.type in RECORDS or token.type in _TYPE_WORDS or token.type == "RBRACE":
        return True
    if token.value in ("__global__", "template", "namespace", "using"):
        return True
    return token.type == "ID" and after in ("ID", "COLONCOLON", "LT")


def _classify(tokens: list[Token], result: Split) -> None:
    kept = len(result.items)
    _find_kind(tokens, result)
    if any(item.kind != "host" for item in result.items[kept:]):
        return
    result.host.append(tokens)
    if result.device_only:  # no C++ compiler will see it
        result.faults += [Diagnostic(token.span, token.value) for token in tokens if _is_rubbish(token)]
        if _begins_no_declaration(tokens[0]):
            result.faults.append(Diagnostic(tokens[0].span, f"expected a declaration before '{tokens[0].value}'"))


def _is_rubbish(token: Token) -> bool:
    """True for a character that C++ has nowhere outside strings; what else is malformed here may be right in C++."""
    return token.type == "BAD" and any(repr(char) in token.value for char in _NEVER)


def _begins_no_declaration(token: Token) -> bool:
    constant = "CONST_" in token.type or token.type.endswith(("_CONST", "STRING_LITERAL"))
    return constant or token.type in _BEGIN_NOTHING


def _find_kind(tokens: list[Token], result: Split) -> None:
    first = tokens[0]
    if _is_reference(tokens):
        result.items.append(Item("device", [replace(first, type="INLINE", value="__device__"), *tokens]))
        return
    if first.value == "template":
        _find_kind_of_template(tokens, result)
        return
    head = head_of(tokens)
    words = {token.value for token in head}
    hidden = _hidden_kernel(tokens)
    constant = bool(words & {"const", "constexpr"})
    if words & (_DEVICE | _DEVICE_VARIABLE):
        result.items.append(Item("device", tokens))
        _remember_marked(head, words, result)
    elif hidden is not None:
        result.faults.append(
            Diagnostic(
                hidden.span,
                "a kernel is declared at file scope: this '__global__' is inside another declaration",
                (Note(first.span, "the declaration begins here"),),
            )
        )
    elif first.value == "using" or first.type == "TYPEDEF" or is_record(head) or is_guide(tokens):
        result.items.append(Item("shared", tokens))
    elif first.value == "extern" and "template" in words:
        pass
    elif first.type == "_STATIC_ASSERT":
        if result.device_only:  # otherwise the C++ compiler checks it
            result.items.append(Item("device", tokens))
    elif constant and _declares_constant(tokens, result.constants) and name_before_parameters(head) is None:
        result.items.append(Item("shared", tokens))
        result.constants.update(token.value for token in variable_names(tokens))
    elif name := name_in_head(head):
        if words & {"constexpr", "consteval"} or _completes(head, name, result):
            result.items.append(Item("shared", tokens))
        else:
            result.host_only.setdefault(name.value, HostOnly(name.span, "a host function", "mark it `__device__`"))
            result.items.append(Item("host", tokens))
    elif constant:
        result.items.append(Item("shared", tokens))
        result.constants.update(token.value for token in variable_names(tokens))
    else:
        for name in variable_names(tokens):
            result.host_only.setdefault(
                name.value, HostOnly(name.span, "a host variable", "pass its value to the kernel as an argument")
            )


def _is_reference(tokens: list[Token]) -> bool:
    """True for `texture<...> name;` and `surface<...> name;`, variables that both sides know."""
    at = next((i for i, token in enumerate(tokens) if token.value not in _STORAGE), len(tokens))
    if type_at(tokens, at) != "ID" or tokens[at].value not in TEXTURE_REFERENCES or type_at(tokens, at + 1) != "LT":
        return False
    return type_at(tokens, after_angles(tokens, at + 1, len(tokens))) == "ID"


def _find_kind_of_template(tokens: list[Token], result: Split) -> None:
    explicit = type_at(tokens, 1) != "LT"
    declared = tokens[after_template(tokens, 0, len(tokens)) :]
    if not declared:
        result.faults.append(Diagnostic(tokens[-1].span, f"expected a declaration after '{tokens[-1].value}'"))
        return
    head = head_of(declared)
    words = {token.value for token in head}
    name = function = name_in_head(head)
    if words & (_DEVICE | _DEVICE_VARIABLE):
        result.items.append(Item("device", tokens))
        _remember_marked(head, words, result)
    elif (
        is_guide(declared[declared[0].value == "explicit" :])
        or is_record(head)
        or (explicit and words & {"struct", "class"} and name is None)
        or _is_shared(words, name)
        or (name is not None and not explicit and not _defines(declared))
        or (name is not None and not explicit and _completes(head, name, result))
        or type_at(tokens, 2) == "GT"  # what it specialises says for which sides it is
    ):
        result.items.append(Item("shared", tokens))
    elif (name := function or record_name(head)) and not (explicit or is_member_of_other(head, name)):
        if "->" not in words:
            result.host_only.setdefault(name.value, HostOnly(name.span, "a template", "mark it `__device__`"))
        if function is not None:
            result.items.append(Item("host", tokens))


def _remember_marked(head: list[Token], words: set[str], result: Split) -> None:
    if "__device__" in words and (name := name_in_head(head)) is not None:
        result.marked.add(name.value)


def _completes(head: list[Token], name: Token, result: Split) -> bool:
    """True for a function without CUDA's words that an earlier declaration may give to the device, as in nvcc."""
    return name.value in result.marked or is_member_of_other(head, name)


def _defines(tokens: list[Token]) -> bool:
    """False for the declaration of a function without its body, which is enough for unevaluated operands."""
    return tokens[-1].type != "SEMI" or any(token.type in ("LBRACE", "EQUALS") for token in tokens)


def _is_shared(words: set[str], name: Token | None) -> bool:
    """True for the words of a template of types or constants, or of a function that both sides may call.

    Of a variable that is only declared, unevaluated operands may ask for the type.
    """
    variable = name is None and words & {"const", "inline", "extern"}
    return bool(words & {"using", "concept", "constexpr", "consteval"} or variable)


def name_before_parameters(head: list[Token]) -> Token | None:
    """Return the name of an operator that a constant-looking head declares."""
    return next((token for token in head if token.value == "operator"), None)


def _declares_constant(tokens: list[Token], constants: set[str]) -> bool:
    """True for `const int n(4), m{n};`, where what is in parentheses begins as an expression does.

    `const T f(T);` declares a function.
    """
    depth = 0
    for before, token, after in zip([tokens[0], *tokens], tokens, [*tokens[1:], tokens[-1]], strict=False):
        if depth == 0:
            if token.type == "EQUALS" or (token.type == "LBRACE" and before.type == "ID"):
                return True
            if token.type == "LPAREN" and before.type == "ID":
                return _begins_expression(after, constants)
            if token.type in ("SEMI", "LBRACE"):
                return False
        depth += (token.type in OPENERS or token.type == "LBRACE") - (token.type in ("RPAREN", "RBRACKET", "RBRACE"))
    return False


def _begins_expression(token: Token, constants: set[str]) -> bool:
    if token.type == "ID":
        return token.value in constants
    return "CONST_" in token.type or token.type.endswith("_CONST") or token.type in _BEGIN_EXPRESSION


def _hidden_kernel(tokens: list[Token]) -> Token | None:
    """Return the first `__global__` of an item that declares no friend."""
    friend = False
    for at, token in enumerate(tokens):
        friend = token.value == "friend" or (friend and token.type not in ("SEMI", "LBRACE", "RBRACE"))
        if token.value == "__global__" and not friend and tokens[at + 1 : at + 2] and tokens[at + 1].value != "friend":
            return token
    return None
