"""What the first tokens of an unparsed declaration say about it: its name, its kind, where it ends."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, takewhile

from .lexer import Token

OPENERS = {"LPAREN": "RPAREN", "LBRACKET": "RBRACKET"}
ATTRIBUTES = {"_ALIGNAS", "CPP"}  # words whose parentheses are not a parameter list
RECORDS = {"STRUCT", "UNION", "ENUM"}
ANGLES = {"LT": 1, "GT": -1, "RSHIFT": -2, "LAUNCH": -3}
_NAMES = ("ID", "TYPEID")
_DEVICE = {"__global__", "__device__", "constexpr", "consteval"}
_NO_FUNCTIONS = {"using", "typedef", "static_assert", "_Static_assert"}


def type_at(tokens: list[Token], at: int) -> str:
    return tokens[at].type if at < len(tokens) else ""


def after_template(tokens: list[Token], start: int, end: int) -> int:
    """Return the index after the `template <...>`, of which there may be several, that begin at `start`."""
    at = start
    while at < end and tokens[at].value == "template":
        at += 1
        if type_at(tokens, at) != "LT":
            break  # an explicit instantiation
        at = after_angles(tokens, at, end)
        if at < end and tokens[at].value == "requires":
            at = after_constraint(tokens, at, end)
    return at


def after_constraint(tokens: list[Token], at: int, end: int) -> int:
    """Return the index after the `requires` clause that begins at `at`."""
    while True:
        at = _after_condition(tokens, at + 1, end)
        if type_at(tokens, at) not in ("LAND", "LOR"):
            return at


def _after_condition(tokens: list[Token], at: int, end: int) -> int:
    """Return the index after a name, a literal, parentheses, or `requires (...) {...}`."""
    if type_at(tokens, at) == "LPAREN":
        return _after_group(tokens, at, end)
    if at < end and tokens[at].value == "requires":
        at += 1
        if type_at(tokens, at) == "LPAREN":
            at = _after_group(tokens, at, end)
        return _after_group(tokens, at, end)
    while at < end:
        at += type_at(tokens, at) == "COLONCOLON"
        at += 1
        if type_at(tokens, at) == "LT":
            at = after_angles(tokens, at, end)
        if type_at(tokens, at) != "COLONCOLON":
            break
    return at


def after_angles(tokens: list[Token], at: int, end: int) -> int:
    """Return the index after the `<...>` that begins at `at`; it ends at the latest with the declaration.

    A `<` behind a value that is a parameter of the list itself is an operator: `template <int I, A<I<2> = 0>`. Braces
    without a `;` are those of a value, as in `A<T{0}>`.
    """
    angle = depth = 0
    parameters: set[str] = set()
    while at < end:
        kind = tokens[at].type
        if kind == "LBRACE":
            after = _after_group(tokens, at, end)
            if after < end and all(token.type != "SEMI" for token in tokens[at:after]):
                at = after
                continue
        depth += (kind in OPENERS) - (kind in OPENERS.values())
        if depth == 0 and not (kind == "LT" and _is_operand(tokens[at - 1], parameters)):
            if angle == 1 and kind in ("COMMA", "EQUALS", "GT") and _names_value(tokens, at):
                parameters.add(tokens[at - 1].value)
            angle += ANGLES.get(kind, 0)
        at += 1
        if angle <= 0 or kind in ("SEMI", "LBRACE"):
            break
    return at


def _is_operand(token: Token, parameters: set[str]) -> bool:
    return "CONST_" in token.type or token.type in ("RPAREN", "RBRACKET") or token.value in parameters


def _names_value(tokens: list[Token], at: int) -> bool:
    """True if the token before `at` is the name of a parameter that is a value: `int I`, `kind K`, `auto... V`."""
    before, name = tokens[at - 2], tokens[at - 1]
    is_other = before.type in ("COMMA", "LT", "EQUALS", "COLONCOLON", "CONST", "STRUCT") or before.value == "typename"
    return name.type in _NAMES and not is_other


def after_attribute(tokens: list[Token], at: int) -> int:
    """Return the index after the `[[...]]` or `__attribute__((...))` that begins at `at`."""
    if tokens[at].type != "ATTRIBUTE_BEGIN":
        return _after_group(tokens, at + 1, len(tokens))
    while at < len(tokens) and tokens[at].type != "ATTRIBUTE_END":
        at += 1
    return at + 1


def head_of(tokens: list[Token]) -> list[Token]:
    """Return the tokens outside all brackets up to the body or the initialiser, `(` and `{` themselves included.

    Attributes are left out, `__attribute__`, `alignas` and `__launch_bounds__` among them.
    """
    head: list[Token] = []
    at = depth = 0
    while at < len(tokens):
        token = tokens[at]
        if depth == 0:
            if token.type in ("ATTRIBUTE_BEGIN", "_ALIGNAS"):
                at = after_attribute(tokens, at)
                continue
            head.append(token)
            if token.type in ("LBRACE", "SEMI", "EQUALS"):
                break
        if token.type in OPENERS:
            depth += 1
        elif token.type in OPENERS.values():
            depth = max(0, depth - 1)
        at += 1
    return head


def function_name(tokens: list[Token]) -> Token | None:
    """Return the name of the function that an item declares; None if it declares none."""
    return name_in_head(head_of(tokens))


def is_guide(tokens: list[Token]) -> bool:
    """True for a declaration that begins as a deduction guide does: `Name(...) ->`."""
    if len(tokens) < 2 or tokens[0].type not in _NAMES or tokens[1].type != "LPAREN":
        return False
    depth = 0
    for token, following in pairwise(tokens[1:]):
        depth += (token.type == "LPAREN") - (token.type == "RPAREN")
        if depth == 0:
            return following.type == "ARROW"
    return False


def name_in_head(head: list[Token]) -> Token | None:
    """Return the name before the parameter list, `operator` for an operator; None where there is none.

    The bases of a class declare nothing, nor do its template arguments: `struct S<R(int)> : T<f(3)> {`.
    """
    record, angle = False, 0
    for before, token in pairwise(head):
        record = record or before.type in RECORDS
        if record and token.type == "COLON":
            return None
        if before.value == "operator":
            return before
        angle = max(0, angle + ANGLES.get(token.type, 0)) if record else 0
        if angle == 0 and token.type == "LPAREN" and before.type in _NAMES:
            return before
    return None


def is_member_of_other(head: list[Token], name: Token) -> bool:
    """True if `name` is that of `A::name` or `A::~name`."""
    before = [token.type for token in takewhile(lambda token: token is not name, head)]
    if before[-1:] == ["NOT"]:
        before.pop()
    return before[-1:] == ["COLONCOLON"]


def is_record(head: list[Token]) -> bool:
    """True for a definition or declaration of a class, a union or an enum (perhaps with variables after it)."""
    kinds = [token.type for token in head]
    record = next((i for i, kind in enumerate(kinds) if kind in RECORDS), None)
    if record is None or name_in_head(head):
        return False
    if kinds[-1] == "LBRACE":
        return True
    return kinds[-1] == "SEMI" and (len(kinds) <= record + 3 or kinds[record] == "ENUM" or "LT" in kinds)


def record_name(head: list[Token]) -> Token | None:
    for before, token in pairwise(head):
        if before.value in ("struct", "class", "union", "enum") and token.type in _NAMES:
            return token
    return None


def variable_names(tokens: list[Token]) -> list[Token]:
    """Return the names that a declaration of variables declares: outside brackets, before `=`, `[`, `,` or `;`."""
    names: list[Token] = []
    depth = 0
    for before, token in pairwise(tokens):
        if depth == 0 and before.type == "ID" and token.type in ("EQUALS", "LBRACKET", "COMMA", "SEMI", "LBRACE"):
            names.append(before)
        depth += (token.type in OPENERS or token.type == "LBRACE") - (token.type in ("RPAREN", "RBRACKET", "RBRACE"))
    return names


# ------------------------------------------------------------------------------------------ members


@dataclass(frozen=True)
class Member:
    """A member of a class. `device`: device code may call it; `end` is the index of the token after it."""

    is_function: bool
    device: bool
    name: Token | None
    spelled: str
    end: int
    is_friend: bool = False
    is_template: bool = False


def read_member(tokens: list[Token], first: int, class_name: str) -> Member:
    """Return the member that begins at `first`."""
    end = len(tokens)
    at = after_template(tokens, first, end)
    is_template = at > first
    words: set[str] = set()
    name: Token | None = None
    spelled = ""
    behind_colon = False
    while at < end:
        token = tokens[at]
        kind = token.type
        if kind == "SEMI":
            return Member(
                name is not None, bool(words & _DEVICE), name, spelled, at + 1, "friend" in words, is_template
            )
        if kind == "RBRACE":
            return Member(name is not None, bool(words & _DEVICE), name, spelled, at, "friend" in words, is_template)
        if name is None and token.value == "operator" and not words & _NO_FUNCTIONS:
            stop = _after_operator(tokens, at, end)
            name, spelled = token, _spelled_operator(tokens[at:stop])
            at = stop
            continue
        if token.value == "requires" and name is not None:
            at = after_constraint(tokens, at, end)
            continue
        if kind == "LT" and name is None and tokens[at - 1].type in _NAMES:
            at = after_angles(tokens, at, end)
            continue
        if kind in OPENERS:
            if name is None and kind == "LPAREN" and _begins_parameters(tokens, at, words):
                name = tokens[at - 1]
                spelled = ("~" if tokens[at - 2].type == "NOT" else "") + name.value
            at = _after_group(tokens, at, end)
            continue
        if kind == "LBRACE":
            is_init = behind_colon and tokens[at - 1].type in (*_NAMES, "GT")
            at = _after_group(tokens, at, end)
            if name is not None and not is_init:
                return Member(True, bool(words & _DEVICE), name, spelled, at, "friend" in words, is_template)
            continue
        if kind == "EQUALS":
            if name is None:
                words.add("using")  # what follows is a value
            elif type_at(tokens, at + 1) != "":
                word = tokens[at + 1].value
                words.update(("constexpr",) if word in ("default", "delete") else ())
        behind_colon = behind_colon or (kind == "COLON" and name is not None)
        words.add(token.value)
        at += 1
    return Member(name is not None, bool(words & _DEVICE), name, spelled, end, "friend" in words, is_template)


def _begins_parameters(tokens: list[Token], at: int, words: set[str]) -> bool:
    if tokens[at - 1].type not in _NAMES or words & _NO_FUNCTIONS:
        return False
    after = type_at(tokens, at + 1)
    return not (after in ("TIMES", "AND", "LAND") and tokens[at - 1].value != "operator")


def _spelled_operator(tokens: list[Token]) -> str:
    """Return the name of an operator as nodes have it: `operator+`, `operator new[]`, `operator type`."""
    second = tokens[1].value if len(tokens) > 1 else ""
    if second in ("new", "delete"):
        return "operator " + "".join(token.value for token in tokens[1:])
    return "operator type" if second[:1].isalpha() or second[:1] in ("_", ":") else "".join(t.value for t in tokens)


def _after_operator(tokens: list[Token], at: int, end: int) -> int:
    """Return the index of the `(` that begins the parameters of the operator whose `operator` is at `at`."""
    at += 1
    if type_at(tokens, at) in OPENERS and type_at(tokens, at + 1) in OPENERS.values():
        return at + 2
    while at < end and tokens[at].type not in ("LPAREN", "SEMI", "LBRACE", "RBRACE"):
        at += 1
    return at


def _after_group(tokens: list[Token], at: int, end: int) -> int:
    """Return the index after the closing bracket of the one at `at`."""
    depth = 0
    while at < end:
        kind = tokens[at].type
        depth += (kind in OPENERS or kind == "LBRACE") - (kind in OPENERS.values() or kind == "RBRACE")
        at += 1
        if depth == 0:
            break
    return at
