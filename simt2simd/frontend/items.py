"""Tokens to top-level items: what of a mixed C++ file is device code, what may serve it, and what is the host's alone.

Only braces, brackets and a few words are looked at here. Whatever is not device code is skipped without an error, but
remembered by name, so that a use of it in a kernel can be explained.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from ..diag import Diagnostic, Note
from ..source import Span
from .lexer import Token


@dataclass(frozen=True)
class Item:
    """One top-level declaration. `kind` is

    "device": marked for the device; faults in it are reported;
    "shared": a type or a constant that both sides may use; where the device cannot use it, it is the host's alone.
    """

    kind: Literal["device", "shared"]
    tokens: list[Token] = field(repr=False)


@dataclass(frozen=True)
class HostOnly:
    """A name that device code cannot use: where it is declared, what it is, and what to do about it."""

    span: Span
    what: str
    help: str | None = None
    cause: Diagnostic | None = None


@dataclass
class Split:
    """What of a file is what. `constants`: the names of the constants so far."""

    items: list[Item]
    host_only: dict[str, HostOnly]
    faults: list[Diagnostic]
    constants: set[str] = field(default_factory=set)
    device_only: bool = False


_OPENERS = {"LPAREN": "RPAREN", "LBRACKET": "RBRACKET"}
_ANGLES = {"LT": 1, "GT": -1, "RSHIFT": -2, "LAUNCH": -3}
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
_ATTRIBUTES = {"_ALIGNAS", "CPP"}  # words whose parentheses are not a parameter list
_DEVICE = {"__global__", "__device__"}
_DEVICE_VARIABLE = {"__constant__", "__shared__", "__managed__"}
_RECORDS = {"STRUCT", "UNION", "ENUM"}


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
            at += 1
        elif token.type == "EXTERN" and _type(tokens, at + 1) == "STRING_LITERAL":
            at += 2
            if _type(tokens, at) == "LBRACE":
                _split(tokens, at + 1, closing[at], closing, result)
                at = closing[at] + 1
        elif _is_namespace(tokens, at):
            at = _split_namespace(tokens, at, closing, result)
        else:
            stop = _end_of_item(tokens, at, end, closing)
            _classify(tokens[at:stop], result)
            at = stop


def _type(tokens: list[Token], at: int) -> str:
    return tokens[at].type if at < len(tokens) else ""


def _is_namespace(tokens: list[Token], at: int) -> bool:
    return tokens[at].value == "namespace" or (
        tokens[at].value == "inline" and at + 1 < len(tokens) and tokens[at + 1].value == "namespace"
    )


def _split_namespace(tokens: list[Token], at: int, closing: dict[int, int], result: Split) -> int:
    """Handle the namespace at `at`; return where it ends. An unnamed one is as if it were not there."""
    open_brace = at
    while open_brace < len(tokens) and tokens[open_brace].type not in ("LBRACE", "SEMI"):
        open_brace += 1
    if _type(tokens, open_brace) != "LBRACE":
        return open_brace + 1  # namespace a = b;
    end = closing[open_brace]
    named = tokens[open_brace - 1].value != "namespace"
    if not named:
        _split(tokens, open_brace + 1, end, closing, result)
    else:
        name = tokens[open_brace - 1]
        marked = next((t for t in tokens[open_brace:end] if t.value in _DEVICE | _DEVICE_VARIABLE), None)
        if marked is not None:
            result.faults.append(
                Diagnostic(
                    name.span,
                    f"device code in a namespace is not supported yet: '{name.value}'",
                    (Note(marked.span, "the device code is here"),),
                    help="move it out of the namespace",
                )
            )
        result.host_only.setdefault(name.value, HostOnly(name.span, "a namespace"))
    return end + 1


def _pair_braces(tokens: list[Token], faults: list[Diagnostic]) -> dict[int, int]:
    """Return the index of the closing brace for that of each opening one.

    A brace that is never closed is closed before the next function that begins inside it, or at the end of the file.
    """
    closing: dict[int, int] = {}
    stack: list[tuple[int, bool]] = []  # (index, whether functions may be declared inside)
    for index, token in enumerate(tokens):
        if token.type == "LBRACE":
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
                opened = next(i for i, holds in stack if not holds)
                note = Note(tokens[opened].span, "to match this '{'")
                faults.append(
                    Diagnostic(token.span, f"expected '}}' before '{token.value}'", (note,), breaks_rest=True)
                )
                while stack and not stack[-1][1]:
                    closing[stack.pop()[0]] = index - 1
    for index, _ in stack:
        faults.append(Diagnostic(tokens[index].span, "this '{' is never closed", breaks_rest=True))
        closing[index] = len(tokens) - 1
    return closing


def _is_list(tokens: list[Token], stack: list[tuple[int, bool]]) -> bool:
    """True if the innermost open brace begins an initialiser, or a list inside one."""
    return any(tokens[index - 1].type == "EQUALS" for index, _ in stack[-4:])


def _holds_declarations(tokens: list[Token], brace: int) -> bool:
    """True for the braces of a namespace, a class, a struct or `extern "C"`."""
    at = brace - 1
    while at >= 0 and tokens[at].type not in ("SEMI", "LBRACE", "RBRACE", "RPAREN", "EQUALS"):
        if tokens[at].value in ("namespace", "class", "struct", "union", "extern"):
            return True
        at -= 1
    return False


def _end_of_item(tokens: list[Token], start: int, end: int, closing: dict[int, int]) -> int:
    """Return the index after the item that begins at `start`: after its `;`, or after its body's closing brace."""
    depth = 0
    parameters = assigned = members = False  # seen: a parameter list, `=`, the `:` of a constructor
    at = _after_template(tokens, start, end)
    while at < end:
        token = tokens[at]
        if token.type in ("LPAREN", "LBRACKET"):
            if depth == 0 and token.type == "LPAREN" and at > start and tokens[at - 1].type not in _ATTRIBUTES:
                parameters = True
            depth += 1
        elif token.type in ("RPAREN", "RBRACKET"):
            depth = max(0, depth - 1)
        elif token.type == "EQUALS" and depth == 0 and tokens[at - 1].value != "operator":
            assigned = True
        elif token.type == "COLON" and depth == 0:
            members = parameters
        elif token.type == "SEMI":
            return at + 1
        elif token.type == "LBRACE":
            before = tokens[at - 1].type
            variable = at >= 2 and before == "ID" and tokens[at - 2].type == "COMMA"  # `n(1), m{2}`
            member = members and before in ("ID", "GT")
            body = parameters and not (assigned or variable or member)
            at = closing[at]
            if body and (depth == 0 or _type(tokens, at + 1) not in ("RPAREN", "COMMA", "LPAREN", "RBRACKET")):
                return at + 1
        elif token.type == "RBRACE":
            return at + 1
        at += 1
    return end


def _classify(tokens: list[Token], result: Split) -> None:
    kept = len(result.items)
    _find_kind(tokens, result)
    if result.device_only and len(result.items) == kept:  # nobody else will see it
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
    head = _head(tokens[_after_template(tokens, 0, len(tokens)) :])
    words = {token.value for token in head}
    hidden = _hidden_kernel(tokens)
    if first.value == "template":
        name = _function_name(head) or _record_name(head)
        if hidden is not None or words & _DEVICE:
            result.faults.append(
                Diagnostic(first.span, "templates are not supported yet", help="write one function per type")
            )
        if name:
            result.host_only.setdefault(name.value, HostOnly(name.span, "a template", "write one function per type"))
    elif words & (_DEVICE | _DEVICE_VARIABLE):
        result.items.append(Item("device", tokens))
    elif hidden is not None:
        result.faults.append(
            Diagnostic(
                hidden.span,
                "a kernel is declared at file scope: this '__global__' is inside another declaration",
                (Note(first.span, "the declaration begins here"),),
            )
        )
    elif first.value == "using":
        if len(tokens) > 3 and tokens[2].type == "EQUALS":
            result.items.append(Item("shared", tokens))
    elif first.type == "TYPEDEF" or _is_record(head):
        result.items.append(Item("shared", tokens))
    elif "class" in words:
        name = _record_name(head)
        if name and len(tokens) == 3:  # `class Q;`: a pointer to it needs no more
            result.items.append(Item("shared", [replace(tokens[0], type="STRUCT", value="struct"), *tokens[1:]]))
        elif name:
            result.host_only.setdefault(name.value, HostOnly(name.span, "a class", "use a struct without methods"))
    elif words & {"const", "constexpr"} and (assigned := _with_equals_signs(tokens, result.constants)) is not None:
        result.items.append(Item("shared", assigned))
        result.constants.update(token.value for token in _variable_names(assigned))
    elif name := _function_name(head):
        result.host_only.setdefault(name.value, HostOnly(name.span, "a host function", "mark it `__device__`"))
    elif words & {"const", "constexpr"}:
        result.items.append(Item("shared", tokens))
        result.constants.update(token.value for token in _variable_names(tokens))
    else:
        for name in _variable_names(tokens):
            result.host_only.setdefault(
                name.value, HostOnly(name.span, "a host variable", "pass its value to the kernel as an argument")
            )


def _with_equals_signs(tokens: list[Token], constants: set[str]) -> list[Token] | None:
    """Write `const int n(4), m{n};` as `const int n = (4), m = {n};`; None where there is no such constant.

    What stands in parentheses must begin as an expression does: `const T f(T);` declares a function.
    """
    result: list[Token] = []
    depth = 0
    found = False
    for before, token, after in zip([tokens[0], *tokens], tokens, [*tokens[1:], tokens[-1]], strict=False):
        if depth == 0 and token.type in ("EQUALS", "SEMI", "LBRACE", "LPAREN"):
            direct = before.type == "ID" and (token.type == "LBRACE" or token.type == "LPAREN")
            if direct and token.type == "LPAREN" and not _begins_expression(after, constants):
                return None
            if direct:
                result.append(replace(token, type="EQUALS", value="="))
                found = True
        depth += (token.type in _OPENERS or token.type == "LBRACE") - (token.type in ("RPAREN", "RBRACKET", "RBRACE"))
        result.append(token)
    return result if found else None


def _begins_expression(token: Token, constants: set[str]) -> bool:
    if token.type == "ID":
        return token.value in constants
    return "CONST_" in token.type or token.type.endswith("_CONST") or token.type in _BEGIN_EXPRESSION


def _after_template(tokens: list[Token], start: int, end: int) -> int:
    """Return the index after the `template <...>`, of which there may be several, that begin at `start`."""
    at = start
    while at < end and tokens[at].value == "template":
        at += 1
        if _type(tokens, at) != "LT":
            break  # an explicit instantiation
        angle = depth = 0
        while at < end:
            kind = tokens[at].type
            depth += (kind in _OPENERS) - (kind in _OPENERS.values())
            if depth == 0:
                angle += _ANGLES.get(kind, 0)
            at += 1
            if angle <= 0 or kind in ("SEMI", "LBRACE"):
                break
    return at


def _hidden_kernel(tokens: list[Token]) -> Token | None:
    """Return the first `__global__` of an item that declares no friend."""
    for before, token in pairwise([tokens[0], *tokens]):
        if token.value == "__global__" and before.value != "friend":
            return token
    return None


def _head(tokens: list[Token]) -> list[Token]:
    """Return the tokens outside all brackets up to the body or the initialiser, `(` and `{` themselves included."""
    head: list[Token] = []
    depth = 0
    for token in tokens:
        if depth == 0:
            head.append(token)
            if token.type in ("LBRACE", "SEMI", "EQUALS"):
                break
        if token.type in _OPENERS:
            depth += 1
        elif token.type in _OPENERS.values():
            depth = max(0, depth - 1)
    return head


def function_name(tokens: list[Token]) -> Token | None:
    """Return the name of the function that an item declares; None if it declares none."""
    return _function_name(_head(tokens))


def _function_name(head: list[Token]) -> Token | None:
    """Return the name before the parameter list; None where there is none."""
    for before, token in pairwise(head):
        if token.type == "LPAREN" and before.type in ("ID", "TYPEID"):
            return before
    return None


def _is_record(head: list[Token]) -> bool:
    """True for a definition or declaration of a struct, a union or an enum (perhaps with variables after it)."""
    if _function_name(head):
        return False
    kinds = [token.type for token in head]
    record = next((i for i, kind in enumerate(kinds) if kind in _RECORDS), None)
    if record is None:
        return False
    return kinds[-1] == "LBRACE" or (kinds[-1] == "SEMI" and len(kinds) <= record + 3)


def _record_name(head: list[Token]) -> Token | None:
    for before, token in pairwise(head):
        if before.value in ("struct", "class", "union", "enum") and token.type == "ID":
            return token
    return None


def _variable_names(tokens: list[Token]) -> list[Token]:
    """Return the names that a declaration of variables declares: outside brackets, before `=`, `[`, `,` or `;`."""
    names: list[Token] = []
    depth = 0
    for before, token in pairwise(tokens):
        if depth == 0 and before.type == "ID" and token.type in ("EQUALS", "LBRACKET", "COMMA", "SEMI", "LBRACE"):
            names.append(before)
        depth += (token.type in _OPENERS or token.type == "LBRACE") - (token.type in ("RPAREN", "RBRACKET", "RBRACE"))
    return names
