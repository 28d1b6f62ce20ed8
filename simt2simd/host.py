"""The host side of a `.cu` file: kernels become launch stubs, launches become calls, the rest stays as it is.

    __global__ void scale(int n, float *x) {       void scale(int n, float *x) { void *s2s_args[] = {...};
      if (threadIdx.x < n) x[threadIdx.x] *= 2;  ->  s2s_launch_pushed(&s2s_kernel_scale, s2s_args); }
    }
    scale<<<blocks, 256>>>(n, x);               -> (s2s_push_call(blocks, 256) ? (void)0 : scale(n, x));

The text worked on is what the C++ preprocessor gives, so launches and qualifiers inside macros are found. Only the
user's own files are looked at, and every line stays where it was: the C++ compiler's messages name the user's lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .abi import kernel_symbol
from .diag import CompileError, Diagnostic, Note
from .source import Source, Span


@dataclass(frozen=True)
class HostPart:
    """The C++ text of one program file, and the names of the kernels that it defines."""

    text: str
    kernels: tuple[str, ...]


def split(preprocessed: str, source: Source) -> HostPart:
    """Turn the C++ preprocessor's output for `source` into what the C++ compiler shall see.

    Assumes that `preprocessed` has line markers (no `-P`) and that cuda_runtime.h was included first and left the
    words `__global__`, `__device__`, ... alone. Raises `CompileError` for each launch or call of a kernel that cannot
    be right; other mistakes are left to the C++ compiler.
    """
    text = _Text(preprocessed, source)
    program = _Program(text)
    kernels = {f.name: f for f in program.functions if f.kind == "kernel" and f.body is not None}
    edits: list[_Edit] = []
    faults: list[Diagnostic] = []
    for function in program.functions:
        if function.kind == "device":
            edits.append(text.blank(function.first, function.last))
        elif function.kind == "kernel" and function.body is not None:
            edits += _stub(text, function)
    for i, token in enumerate(text.tokens):
        if i in program.removed:
            continue
        if token.text in _QUALIFIERS:
            edits.append(text.blank(i, i))
        elif token.text in _LAUNCH_ATTRIBUTES and text.at(i + 1) == "(":
            edits.append(text.blank(i, text.partner.get(i + 1, i + 1)))
        elif text.is_launch(i):
            launch = _find_launch(text, i)
            if isinstance(launch, Diagnostic):
                faults.append(launch)
            else:
                edits += _launch_as_call(text, launch)
                faults += _check_launch(program, launch)
        elif text.at(i + 1) == "(" and i in program.host_bodies:
            faults += _check_call(program, i)
    if faults:
        raise CompileError(faults)
    if kernels:
        declared = "".join(f" extern const struct s2s_kernel {_symbol(text, f)};" for f in kernels.values())
        at = text.marker_before(text.tokens[0].start)
        edits.append(_Edit(at, at, f'extern "C" {{{declared} }}\n'))
    return HostPart(_apply(preprocessed, edits), tuple(kernels))


# ------------------------------------------------------------------------------------------------- text

_QUALIFIERS = frozenset(
    ("__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__", "__grid_constant__")
)
_LAUNCH_ATTRIBUTES = frozenset(("__launch_bounds__", "__maxnreg__", "__cluster_dims__"))
# Words whose parentheses do not begin a parameter list.
_ATTRIBUTES = _LAUNCH_ATTRIBUTES | {"__attribute__", "__align__", "alignas", "decltype", "noexcept", "explicit"}
_TYPE_WORDS = frozenset(
    """auto bool char class const double enum float int long restrict short signed struct typename union unsigned void
    volatile __restrict __restrict__ __signed__""".split()
)
_STATEMENT_WORDS = frozenset("and case do else if not or return switch throw while for".split())


class _Token(NamedTuple):
    text: str
    start: int
    end: int


class _Edit(NamedTuple):
    """Put `text` in place of the characters from `start` to before `end`."""

    start: int
    end: int
    text: str


class _Stretch(NamedTuple):
    """The text between two line markers. Its first line is line `line` of `file`."""

    marker: int
    start: int
    end: int
    file: str
    line: int


_MARKER = re.compile(r'^# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)\n', re.MULTILINE)
_TOKEN = re.compile(
    r"""
      (?P<space> \s+ | ^[ \t]*\#[^\n]* )
    | (?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
    | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"
    | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'
    | [^\W\d]\w*
    | \.?\d(?:[eEpP][+-]|'?[\w.])*
    | :: | -> | .
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class _Text:
    """The tokens of the user's own files, and where each stands in them."""

    def __init__(self, text: str, source: Source) -> None:
        self.text = text
        self.module = source.name
        self._files = {source.name: source}
        self._stretches = list(_stretches(text))
        self._starts = [stretch.start for stretch in self._stretches]
        self.tokens = [token for part in self._user_parts() for token in _lex(text, part.start, part.end)]

    def _user_parts(self) -> Iterator[_Stretch]:
        """Yield the stretches of files that are not system headers.

        A marker that enters a file (flag 1) as a system header (flag 3) tells. Flag 3 without flag 1 also marks what
        a system header's macro expands to in the user's file.
        """
        system = {m[2] for m in _MARKER.finditer(self.text) if "1" in m[3].split() and "3" in m[3].split()}
        for stretch in self._stretches:
            if stretch.file not in system and not stretch.file.startswith("<"):
                yield stretch

    @cached_property
    def partner(self) -> dict[int, int]:
        """For each bracket's token number, that of the bracket it belongs with."""
        pairs: dict[int, int] = {}
        waiting: list[int] = []
        for i, token in enumerate(self.tokens):
            if token.text in ("(", "[", "{"):
                waiting.append(i)
            elif token.text in (")", "]", "}") and waiting:
                pairs[i] = waiting.pop()
                pairs[pairs[i]] = i
        return pairs

    def at(self, i: int) -> str:
        """Return the text of token `i`, the empty string outside."""
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def is_word(self, i: int) -> bool:
        return self.at(i)[:1].isidentifier() and self.at(i)[-1:] not in "'\""

    def is_launch(self, i: int) -> bool:
        """True if tokens i, i+1, i+2 are the `<<<` of a launch; `operator<<<T>` is none."""
        return self.at(i) == self.at(i + 1) == self.at(i + 2) == "<" and self.at(i - 1) not in ("operator", "<")

    def span(self, i: int) -> Span:
        """Return where token `i` stands in its file; column 0 where its line does not show it, or more than once."""
        start, word = self.tokens[i].start, self.at(i)
        stretch = self._stretches[bisect_right(self._starts, start) - 1]
        line = stretch.line + self.text.count("\n", stretch.start, start)
        source = self._file(stretch.file)
        found = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", source.line(line))]
        return Span(source, line, found[0] + 1 if len(found) == 1 else 0, len(word))

    def _file(self, name: str) -> Source:
        if name not in self._files:
            try:
                self._files[name] = Source.read(name)
            except OSError:
                self._files[name] = Source(name, "")
        return self._files[name]

    def marker_before(self, position: int) -> int:
        """Return where the line marker begins that `position` follows."""
        return self._stretches[bisect_right(self._starts, position) - 1].marker

    def blank(self, first: int, last: int, instead: str | None = None) -> _Edit:
        """Replace tokens `first` to `last` by spaces, or by `instead` on the line of `first`."""
        start, end = self.tokens[first].start, self.tokens[last].end
        return self.replace(start, end, instead)

    def replace(self, start: int, end: int, instead: str | None) -> _Edit:
        """Replace characters by spaces, or by `instead` on their first line; line ends and line markers stay."""
        head, *rest = self.text[start:end].split("\n")
        kept = [line if line.startswith("# ") else " " * len(line) for line in rest]
        return _Edit(start, end, "\n".join([" " * len(head) if instead is None else instead, *kept]))


def _stretches(text: str) -> Iterator[_Stretch]:
    markers = list(_MARKER.finditer(text))
    ends = [marker.start() for marker in markers[1:]] + [len(text)]
    for marker, end in zip(markers, ends, strict=False):
        yield _Stretch(marker.start(), marker.end(), end, re.sub(r"\\(.)", r"\1", marker[2]), int(marker[1]))


def _lex(text: str, start: int, end: int) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text, start, end):
        if match["space"] is None:
            yield _Token(match[0], match.start(), match.end())


def _apply(text: str, edits: list[_Edit]) -> str:
    parts: list[str] = []
    done = 0
    for edit in sorted(edits):
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, text[done:]])


# -------------------------------------------------------------------------------------------- functions


class _Function(NamedTuple):
    """A function declared or defined in the user's text; all places are token numbers.

    `kind` is "kernel", "device" (device only), "both" or "host". `first` begins the declaration, `last` is its `;` or
    the `}` of its body. `name_at` is the name, `params` the `(` after it, `body` the `{` or None for a prototype.
    """

    name: str
    kind: str
    static: bool
    first: int
    name_at: int
    params: int
    body: int | None
    last: int


class _Program:
    """The text, its functions, and which tokens are whose.

    `removed` are the tokens that the host compiler will not see, `host_bodies` those in bodies of host functions.
    """

    def __init__(self, text: _Text) -> None:
        self.text = text
        self.functions = list(_find_functions(text))
        self.removed: set[int] = set()
        self.host_bodies: set[int] = set()
        for function in self.functions:
            if function.kind == "device":
                self.removed.update(range(function.first, function.last + 1))
            elif function.kind == "kernel" and function.body is not None:
                self.removed.update(range(function.body, function.last + 1))
            elif function.body is not None:
                self.host_bodies.update(range(function.body, function.last + 1))

    @cached_property
    def local_names(self) -> frozenset[str]:
        """Names that a host function seems to declare for itself: a word after a type. They hide functions."""
        text = self.text
        return frozenset(
            text.at(i)
            for i in self.host_bodies
            if text.is_word(i)
            and (text.at(i - 1) in ("*", "&", ">") or text.is_word(i - 1))
            and text.at(i - 1) not in _STATEMENT_WORDS
        )


def _find_functions(text: _Text) -> Iterator[_Function]:
    """Yield the functions of the user's text. Bodies are passed over; classes, namespaces and `extern "C"` entered."""
    i = 0
    while i < len(text.tokens):
        function = _function_at(text, i)
        if function is not None:
            yield function
            i = function.last + 1
        else:
            i = _next_declaration(text, i)


def _next_declaration(text: _Text, first: int) -> int:
    """Return where the declaration after the one at `first` begins; that may be inside this one's braces."""
    words: set[str] = set()
    i = first
    while i < len(text.tokens):
        word = text.at(i)
        if word in (";", "}"):
            return i + 1
        if word == "{":
            if i == first or words & {"namespace", "class", "struct", "union", "enum", "extern"}:
                return i + 1
            i = text.partner.get(i, i)  # an initialiser
        elif word in ("(", "["):
            i = text.partner.get(i, i)
        elif word == ":" and text.at(i - 1) in ("public", "private", "protected"):
            return i + 1
        words.add(word)
        i += 1
    return i


def _function_at(text: _Text, first: int) -> _Function | None:
    """Return the function whose declaration begins at token `first`, None if it is something else."""
    words: set[str] = set()
    i = first
    while text.at(i) not in ("(", "operator"):
        word = text.at(i)
        if word in ("", ";", "=", "{", "}") or (word == ":" and words <= {"public", "private", "protected"}):
            return None
        if word == "[":
            i = text.partner.get(i, i)  # [[attribute]], or the brackets of an array, which has no parameters after it
        elif word in _ATTRIBUTES and text.at(i + 1) == "(":
            i = text.partner.get(i + 1, i + 1)
        elif word == "<":
            i = _closing_angle(text, i)
        words.add(word)
        i += 1
    name_at = i - 1
    if text.at(i) == "operator":
        name_at = i
        i += 2
        if text.at(i - 1) == "(":  # operator()(...)
            i += 1
        while text.at(i) not in ("(", "", ";", "{"):
            i += 1
    if name_at < first or not text.is_word(name_at) or text.at(name_at) in _TYPE_WORDS or i not in text.partner:
        return None
    params = i
    end = text.partner[params] + 1
    while text.at(end) not in ("", ";", "{", "}"):
        end = text.partner.get(end, end) + 1 if text.at(end) in ("(", "[") else end + 1
    body = end if text.at(end) == "{" else None
    last = text.partner.get(end, end) if body is not None else end
    if text.at(last) not in (";", "}"):
        return None
    kind = "kernel" if "__global__" in words else "device" if "__device__" in words else "host"
    if kind == "device" and "__host__" in words:
        kind = "both"
    name = "".join(text.at(j) for j in range(name_at, params))
    return _Function(name, kind, "static" in words, first, name_at, params, body, last)


def _closing_angle(text: _Text, i: int) -> int:
    """Return the token of the `>` that closes the template bracket `<` at `i`; `i` itself if none does."""
    depth = 0
    for j in range(i, len(text.tokens)):
        if text.at(j) in (";", "{"):
            break
        depth += {"<": 1, ">": -1}.get(text.at(j), 0)
        if depth == 0:
            return j
    return i


def _arguments(text: _Text, opening: int, *, templates: bool) -> list[tuple[int, int]]:
    """Return the first and last token of each comma-separated item in the brackets that open at `opening`.

    `templates`: a `<` opens a template's brackets, as it does in a parameter list.
    """
    items: list[tuple[int, int]] = []
    closing = text.partner[opening]
    first = i = opening + 1
    while i < closing:
        word = text.at(i)
        if word == ",":
            items.append((first, i - 1))
            first = i + 1
        elif word in ("(", "[", "{"):
            i = text.partner.get(i, i)
        elif word == "<" and templates:
            i = _closing_angle(text, i)
        i += 1
    if closing > opening + 1:
        items.append((first, closing - 1))
    return items


def _params(text: _Text, function: _Function) -> list[tuple[int, int]]:
    params = _arguments(text, function.params, templates=True)
    return [] if [text.at(i) for param in params for i in param] == ["void", "void"] else params


# -------------------------------------------------------------------------------------- stubs and launches


def _symbol(text: _Text, kernel: _Function) -> str:
    return kernel_symbol(kernel.name, text.module, static=kernel.static)


def _stub(text: _Text, kernel: _Function) -> list[_Edit]:
    """Give a kernel's host function a body that passes the addresses of its parameters to the runtime."""
    assert kernel.body is not None
    edits: list[_Edit] = []
    addresses: list[str] = []
    for number, (first, last) in enumerate(_params(text, kernel)):
        name_at, insert_at = _param_name(text, first, last)
        if name_at is None:
            name, place = f"s2s_param{number}", text.tokens[insert_at].end
            edits.append(_Edit(place, place, f" {name}"))
        else:
            name = text.at(name_at)
        addresses.append(f"(void *)&{name}")
    array, args = "", "0"
    if addresses:
        array, args = f"void *s2s_args[] = {{{', '.join(addresses)}}}; ", "s2s_args"
    stub = f"{{ {array}s2s_launch_pushed(&{_symbol(text, kernel)}, {args}); }}"
    return [*edits, text.blank(kernel.body, kernel.last, stub)]


def _param_name(text: _Text, first: int, last: int) -> tuple[int | None, int]:
    """Return the token of a parameter's name, None if it has none, and the token after which one would be inserted."""
    declarator: list[int] = []
    i = first
    while i <= last and text.at(i) != "=":
        if text.at(i) == "[":
            break
        if text.at(i) == "(" and text.at(i + 1) in ("*", "&"):  # a pointer to an array or function: T (*name)[4]
            closing = text.partner.get(i, last)
            inner = [j for j in range(i, closing) if text.is_word(j) and text.at(j) not in _TYPE_WORDS]
            return (inner[0], i) if inner else (None, i + 1)
        if text.at(i) == "<":
            i = _closing_angle(text, i)
        elif text.at(i) in _ATTRIBUTES and text.at(i + 1) == "(":
            i = text.partner.get(i + 1, i + 1)
        else:
            declarator.append(i)
        i += 1
    end = i - 1
    words = [j for j in declarator if text.is_word(j) and text.at(j) not in _QUALIFIERS]
    if not words or text.at(words[-1]) in _TYPE_WORDS:
        return None, end
    # `Point`, `const Point` and `Point *` name a type only; so does the last part of `geo::Point`.
    others = [
        j for j in words[:-1] if text.at(j) not in ("const", "volatile", "struct", "enum", "union", "class", "typename")
    ]
    if not others or text.at(words[-1] - 1) == "::" or text.at(end) in ("*", "&"):
        return None, end
    return words[-1], end


class _Launch(NamedTuple):
    """`callee<<<config>>>(args)`: all places are token numbers.

    `callee` is its first token, `opening` the first `<`, `closing` the first `>` and `args` the `(` after it.
    """

    callee: int
    opening: int
    closing: int
    args: int


def _find_launch(text: _Text, opening: int) -> _Launch | Diagnostic:
    """Return the launch whose `<<<` is at token `opening`, or what is wrong with it."""
    span = text.span(opening - 1)
    i = opening + 3
    while text.at(i) not in ("", ";", ")", "]", "}"):
        if text.at(i) == text.at(i + 1) == text.at(i + 2) == ">" and text.at(i + 3) != ">":
            callee = _callee(text, opening)
            if callee is None:
                return Diagnostic(span, "expected the name of a kernel before '<<<'")
            if text.at(i + 3) != "(" or i + 3 not in text.partner:
                return Diagnostic(span, "expected '(' and the kernel's arguments after '>>>'")
            return _Launch(callee, opening, i, i + 3)
        i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[", "{") else i + 1
    return Diagnostic(span, "no '>>>' ends the execution configuration that '<<<' begins")


def _callee(text: _Text, opening: int) -> int | None:
    """Return the first token of the postfix expression that ends before `opening`: `k`, `ns::k<int>`, `(*table[i])`."""
    i = opening - 1
    while True:
        if text.at(i) == ">":
            depth = 0
            while i >= 0:
                depth += {">": 1, "<": -1}.get(text.at(i), 0)
                if depth == 0:
                    break
                i -= 1
            i -= 1
            continue
        if text.at(i) in (")", "]"):
            i = text.partner.get(i, -1)
            if i < 0:
                return None
            if text.at(i - 1) in (")", "]") or (text.is_word(i - 1) and text.at(i - 1) not in _STATEMENT_WORDS):
                i -= 1
                continue
        elif not text.is_word(i) or text.at(i) in _STATEMENT_WORDS:
            return None
        if text.at(i - 1) in (".", "->"):
            i -= 2
            continue
        if text.at(i - 1) == "::":
            i -= 1
            if text.is_word(i - 1) and text.at(i - 1) not in _STATEMENT_WORDS:
                i -= 1
                continue
        return i


def _launch_as_call(text: _Text, launch: _Launch) -> list[_Edit]:
    """`k<<<g, b>>>(a)` becomes `(s2s_push_call(g, b) ? (void)0 : k(a))`: an expression, as a call is."""
    tokens = text.tokens
    callee = " ".join(token.text for token in tokens[launch.callee : launch.opening])
    end = tokens[text.partner[launch.args]].end
    return [
        text.replace(tokens[launch.callee].start, tokens[launch.opening + 2].end, "(s2s_push_call("),
        text.replace(tokens[launch.closing].start, tokens[launch.args].start, f") ? (void)0 : {callee}"),
        _Edit(end, end, ")"),
    ]


# ----------------------------------------------------------------------------------------------- checks


def _check_launch(program: _Program, launch: _Launch) -> Iterator[Diagnostic]:
    """Yield what is wrong with a launch that the C++ compiler would accept or explain badly."""
    text = program.text
    name = text.at(launch.callee)
    config = _between(text, launch.opening + 3, launch.closing)
    if config is not None and not 2 <= config <= 4:
        yield Diagnostic(
            text.span(launch.callee),
            f"an execution configuration has 2 to 4 arguments: {config} given",
            help=f"{name}<<<grid, block>>>(...) or {name}<<<grid, block, shared_bytes, stream>>>(...)",
        )
    if launch.callee + 1 != launch.opening or name in program.local_names:
        return
    declared = [f for f in program.functions if f.name == name]
    kernels = [f for f in declared if f.kind == "kernel"]
    if declared and not kernels:
        note = Note(text.span(declared[0].name_at), f"'{name}' is declared here")
        yield Diagnostic(
            text.span(launch.callee), f"only a kernel can be launched: '{name}' is not declared __global__", (note,)
        )
    given = _between(text, launch.args + 1, text.partner[launch.args])
    expected = {len(_params(text, f)) for f in kernels}
    has_defaults = any(text.at(i) == "=" for f in kernels for i in range(f.params, text.partner[f.params]))
    if given is None or len(expected) != 1 or has_defaults or given in expected:
        return
    few = "few" if given < min(expected) else "many"
    yield Diagnostic(
        text.span(launch.callee),
        f"too {few} arguments to '{name}': {given} given, {min(expected)} expected",
        (Note(text.span(kernels[0].name_at), f"'{name}' is declared here"),),
    )


def _check_call(program: _Program, i: int) -> Iterator[Diagnostic]:
    """Yield the fault if the word at `i`, with a `(` after it, calls a kernel or a device function from the host."""
    text = program.text
    name = text.at(i)
    previous = text.at(i - 1)
    in_expression = previous in _STATEMENT_WORDS or previous in (*"{}();,=?+-/%!~[|^",)
    if not in_expression:
        return
    kinds = {f.kind for f in program.functions if f.name == name}
    if kinds not in ({"kernel"}, {"device"}) or name in program.local_names:
        return
    declared = next(f for f in program.functions if f.name == name)
    note = Note(text.span(declared.name_at), f"'{name}' is declared here")
    if kinds == {"kernel"}:
        yield Diagnostic(
            text.span(i),
            f"a kernel cannot be called as a function: '{name}'",
            (note,),
            help=f"launch it: {name}<<<grid, block>>>(...)",
        )
    else:
        yield Diagnostic(
            text.span(i),
            f"host code cannot call '{name}', a __device__ function",
            (note,),
            help="declare it `__host__ __device__` to have it on both sides",
        )


def _between(text: _Text, first: int, end: int) -> int | None:
    """Count the comma-separated items from token `first` to before `end`; None where a `<` makes commas ambiguous."""
    count, i = 1, first
    while i < end:
        if text.at(i) == "<":
            return None
        count += text.at(i) == ","
        i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[", "{") else i + 1
    return count if end > first else 0
