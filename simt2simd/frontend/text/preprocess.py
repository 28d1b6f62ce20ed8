"""Preprocess: a `Source` becomes text without directives, macros and comments, and every character keeps its place.

pcpp does the work. Two things are ours: a lexer that knows C++ literals (`pp_tokens`), and the map from the text that
comes out to the positions that went in (`preprocessed`).
"""

from __future__ import annotations

import io
import os
import re
from array import array
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from pcpp.parser import Action, LexToken, OutputDirective
from pcpp.preprocessor import Macro, Preprocessor

from ...diag import CompileError, Diagnostic, Note, error
from ...options import Options
from ...source import Source, Span
from .attributes import ATTRIBUTE_QUESTIONS, known_attribute
from .condition import ConditionFault, evaluate
from .header_macros import MACROS_OF
from .headers import LIBRARIES, TEXTURES, has_text
from .host_macros import host_macros
from .include_cache import (
    Found,
    IncludeCache,
    Outcome,
    Record,
    Store,
    decoded_macros,
    decoded_origins,
    encoded_macro,
    encoded_origins,
)
from .line_groups import Group, Groups, without_comments
from .macro_calls import Call, arguments, closes_more, open_at_end
from .macros import ASSERT, ASSERT_OFF, PREDEFINED, SYSTEM_HEADERS, is_standard, is_toolkit, missing_library
from .noted import Noted
from .output import Output
from .places import Places
from .pp_tokens import PLAIN, Definition, PpLexer, pp_token
from .preprocessed import Preprocessed

_DEEPEST_INCLUDE = 100
_HEADER_NAME = re.compile(r'<[^>]+>|"[^"]+"')
# Words of programs that use textures: device code knows them without an include.
_TEXTURES = re.compile(r"\b(?:cudaTexture\w+|cudaSurface\w+|cudaReadMode\w+|(?:tex|surf)(?:[123]D|Cubemap)\w*)")
_REFERENCES = re.compile(r"(?<!::)\b(?:texture|surface)\s*<")
# Characters of an included file, and of those that it includes, from which on it is kept what comes of them.
_WORTH_KEEPING = 20_000
_WORTH_KEEPING_INSIDE = 400_000  # for a file that another one includes, which is kept too
_MOST_FOR_NOW = 100_000  # for a file that may be included again in this compilation
_MOST_EXPANDED = 300_000, 3_000_000  # tokens that one use of a macro may become, and all uses


def preprocess(source: Source, options: Options, kept: Store | None = None) -> Preprocessed:
    """Run the C preprocessor over `source`.

    `#include "file"` is looked up beside the including file, then in `options.include_dirs` and `system_dirs` without
    NVIDIA's own folders, then among ours. `#include <file>` is looked up only in the latter two. If it is not there,
    it is noted for `parse` if it is a standard header that has a device version, and ignored otherwise: the compiler
    knows what the system's headers declare, and the C++ compiler reports which are missing, unless
    `options.device_only`. A library of CUDA's that is not there is always a fault.
    `kept` has what came of included files before, and gets what comes of others.
    Raises `CompileError` with every missing file, or at the first malformed directive.
    """
    found = _words_of_textures(source.text)
    result = _preprocess(source, options, found, kept)
    if _words_of_textures(result.text) - found:  # in a file that it includes
        result = _preprocess(source, options, _words_of_textures(result.text), kept)
    return result


def _words_of_textures(text: str) -> set[str]:
    """Return which of "object" and "reference" a text has: the words of textures, and `texture<...>` itself."""
    if not any(word in text for word in ("cudaReadMode", "tex", "Tex", "surf", "Surf")):  # long texts take no time
        return set()
    found = {"object" if _TEXTURES.search(text) else "", "reference" if _REFERENCES.search(text) else ""}
    return found - {""}


def _preprocess(source: Source, options: Options, textures: set[str], kept: Store | None) -> Preprocessed:
    worker = _Worker(source, options, kept)
    try:
        result = worker.run(textures)
    except RecursionError:
        raise error(Span(source, 1, 0), "macros or includes are nested too deeply") from None
    except (IndexError, ValueError) as fault:
        # pcpp assumes that directives are well formed.
        if worker.lastdirective is None:
            raise
        raise error(worker.span(worker.lastdirective), f"malformed #{worker.lastdirective.value}") from fault
    if worker.faults:
        raise CompileError(worker.faults)
    return result


class _Worker(Preprocessor):
    """pcpp with our lexer, our messages, and a record of each token's original place."""

    def __init__(self, source: Source, options: Options, kept: Store | None) -> None:
        self.can_open = False  # a macro may expand to a call that continues after it
        self.places = Places()
        super().__init__(PpLexer())
        self.macros: Noted[Macro] = Noted(self.macros)
        self.include_once: Noted[str | None] = Noted()
        self.records: list[Record] = []  # of the files that are being included, from outside
        self.faults: list[Diagnostic] = []
        self.made = 0  # tokens that macros have expanded to
        self.made_before_use = 0
        self.last_use: tuple[str, int] | None = None  # of a macro: its file and place
        self.line_directive = None
        self.rewrite_paths: list[tuple[str, str]] = []  # so that a token's `source` is the absolute path of its file
        self.main = source
        self.main_path = os.path.abspath(source.name)
        self.places.add(self.main_path, source)
        self.output = Output(self.places, (self.main_path, 1))
        self.included: dict[str, str | None] = {}
        self.library: dict[str, None] = (
            {} if options.device_only else {"cmath": None}
        )  # CUDA's own headers include <cmath>
        folders = [os.path.abspath(path) for path in (*options.include_dirs, *options.system_dirs)]
        self.pre_includes = options.pre_includes
        self.toolkits = [path for path in folders if is_toolkit(path)]
        self.device_only = options.device_only
        self.user_dirs = [path for path in folders if path not in self.toolkits]
        for path in (*self.user_dirs, str(LIBRARIES)):
            self.add_path(path)
        self.rewrite_paths = []
        searched = self.path, self.toolkits, self.user_dirs, self.device_only
        self.cache = IncludeCache(kept, searched, self.places)
        known = {**host_macros(options.standard, split=not options.device_only), **PREDEFINED}
        self.cplusplus = int(known["__cplusplus"].rstrip("L"))
        for name, value in known.items():
            self.define(f"{name} {value}")
        self.define(f"__CUDA_ARCH__ {options.architecture}0")
        self.define(f"{options.target.macro} 1")
        for question in ("__has_include", *ATTRIBUTE_QUESTIONS):
            self.define(f"{question} {question}")  # `#ifdef` finds it
        for definition in options.defines:
            name, equals, value = definition.partition("=")
            self.define(f"{name} {value if equals else '1'}")
        for name in options.undefines:
            self.macros.pop(name, None)
        self.define_assert()

    def run(self, textures: set[str]) -> Preprocessed:
        output = self.output
        for token in chain(self._textures(textures) if textures else (), self._tokens()):
            output.add(token)
        library = tuple(self.library)
        there = [path for path, held in self.included.items() if held is not None and "/cuda/std/" in path]
        own = any(not path.startswith(str(LIBRARIES) + os.sep) for path in there)
        return Preprocessed(
            self.main,
            output.text,
            output.starts,
            output.origins,
            self.included,
            self.device_only,
            library,
            own,
            self.cplusplus,
        )

    def _tokens(self) -> Iterator[Any]:
        """Yield what comes of the files that are included first, and then of the program file."""
        first = "".join(f'#include "{name}"\n' for name in self.pre_includes)
        for source in ([Source("<command line>", first)] if first else []) + [self.main]:
            path = os.path.abspath(source.name)
            self.places.add(path, source)
            self.parse(self.places.plain(source), source.name)
            yield from self.parser

    def _textures(self, textures: set[str]) -> Iterator[LexToken]:
        """Yield the tokens of what declares textures, before those of the program."""
        if "reference" in textures:
            self.define("S2S_TEXTURE_REFERENCES 1")
        path = str(LIBRARIES / TEXTURES)
        self.temp_path.insert(0, str(LIBRARIES))
        yield from self.parsegen(self._open(path), TEXTURES, path)
        del self.temp_path[0]

    def span(self, token: Any) -> Span:
        return self.places.span(token)

    # ------------------------------------------------------------------------------------- files that are included

    def include(self, tokens: list[Any], original_line: list[Any]) -> Iterator[Any]:
        """Preprocess the file that a `#include` names; what comes of it is in `output` at once, as all before it is."""
        name, quoted = self._header_name(tokens)
        if name is None:
            return
        for index, folder in enumerate([*(self.temp_path if quoted else ()), *self.path]):
            if quoted:
                self._note_folder(index)
            path = os.path.abspath(os.path.join(folder, name))
            if path in self.include_once:
                return
            try:
                text = self.on_file_open(not quoted, path).read()
            except OSError:
                continue
            self._include_file(name, path, text)
            return
        self.on_include_not_found(False, not quoted, self.temp_path[0] if self.temp_path else "", name)
        yield from ()

    def _header_name(self, tokens: list[Any]) -> tuple[str | None, bool]:
        """Return the operand of `#include` and whether it is quoted; None, after a fault, for what is none."""
        first = tokens[0]
        if first.value == "<":
            end = next((i for i, token in enumerate(tokens) if token.value == ">"), None)
            if end is None:
                self.on_error(first.source, first.lineno, "Malformed #include <...>")
                return None, False
            return "".join(token.value for token in tokens[1:end]), False
        if first.type != "CPP_STRING":
            self.on_include_not_found(True, False, "", first.value)
        return first.value[1:-1], True

    def _note_folder(self, index: int) -> None:
        """Note that a file was looked for in folder `index` of `temp_path`, or in those after all of these."""
        for record in self.records:
            record.uses_folders = record.uses_folders or index >= len(self.temp_path) - len(record.folders)

    def _is_file(self, path: str) -> bool:
        there = os.path.isfile(path)
        if self.records:
            self.records[-1].exists[path] = there
        return there

    def _include_file(self, name: str, path: str, text: str) -> None:
        """Put into `output` what comes of a file, from the cache if that is known."""
        before, at = self.output.mark(), self.output.at
        self.output.at = "", 0
        record = self._begin(path)
        found = self.cache.find(record)
        if found is not None and self.include_depth + found.conditions.deepest <= _DEEPEST_INCLUDE:
            self._replay(found)
        else:
            self._preprocess_file(record, name, path, text)
        if self.output.mark() == before:
            self.output.at = at

    def _begin(self, path: str) -> Record:
        macros, once, folders = dict(self.macros), dict(self.include_once), tuple(self.temp_path)
        numbers = self.countermacro, self.made, len(self.faults)
        record = Record(path, macros, once, folders, self.can_open, *numbers, self.output.mark())
        record.files[path] = self.places.sources[path].name
        record.macros.own.add("__FILE__")
        return record

    def _preprocess_file(self, record: Record, name: str, path: str, text: str) -> None:
        """Put into `output` what comes of a file, and keep it if that is worth its space."""
        notes, once = self.macros.notes, self.include_once.notes
        self.macros.notes, self.include_once.notes = record.macros, record.once
        self.records.append(record)
        between_lines = self.output.between_lines()
        self.temp_path.insert(0, os.path.dirname(path))
        for token in self.parsegen(text, name, path):
            self.output.add(token)
        del self.temp_path[0]
        self.records.pop()
        self.macros.notes, self.include_once.notes = notes, once
        record.macros.writes.discard("__FILE__")
        notes.then(record.macros.read_before(), record.macros.writes)
        once.then(record.once.read_before(), record.once.writes)
        record.characters += len(text)
        if self.records:
            self.records[-1].add(record)
        least = _WORTH_KEEPING_INSIDE if self.records else _WORTH_KEEPING
        later = self.cache.has_store and record.characters >= least
        again = record.characters <= _MOST_FOR_NOW and not dict.__contains__(self.include_once, path)
        whole = between_lines and self.output.between_lines() and len(self.faults) == record.faults
        if whole and (later or again):
            self.cache.keep(record, self._outcome(record), later=later, again=again)

    def _outcome(self, record: Record) -> Outcome:
        text, starts, origins = self.output.since(record.mark)
        return Outcome(
            text,
            array("i", starts),
            *encoded_origins(origins, self.places),
            {name: encoded_macro(dict.get(self.macros, name)) for name in record.macros.writes},
            tuple(record.once.writes),
            tuple(record.library),
            self.output.at,
            self.countermacro - record.counter,
            self.can_open,
            self.made - record.made,
        )

    def _replay(self, found: Found) -> None:
        """Do what preprocessing a file did before."""
        conditions, outcome, sources = found.conditions, found.outcome, found.sources
        for path, source in sources.items():
            self.included[path] = None if source is None else source.text
            if source is not None:
                self.places.add(path, source)
        self.macros.replay(set(conditions.names), decoded_macros(outcome.macros))
        self.include_once.replay({path for path, _ in conditions.once}, dict.fromkeys(outcome.once, ""))
        self.library |= dict.fromkeys(outcome.library)
        self.countermacro += outcome.counted
        self.made += outcome.made
        self.can_open = outcome.can_open
        if outcome.text:
            self.output.extend(outcome.text, outcome.starts, decoded_origins(outcome, self.places), outcome.at)
        for record in self.records:
            record.uses_folders = record.uses_folders or conditions.folders is not None
        if self.records:
            self.records[-1].add(found.record())

    # ------------------------------------------------------------------------------------------------- macros

    def define(self, tokens: Any) -> None:
        super().define(tokens)
        name = tokens.replace("(", " ").split()[0] if isinstance(tokens, str) else tokens[0].value
        if name not in self.macros:
            return
        macro = self.macros[name]
        macro.place = None if isinstance(tokens, str) else self._place_of(tokens[0])
        for token in macro.value:
            token.macro = name
        self.can_open = self.can_open or open_at_end(macro.value, 0) > 0 or closes_more(macro.value)

    def _place_of(self, token: Any) -> tuple[str, int, int, int]:
        return token.source, *self.places.place(token.source, token.lexpos), len(token.value)

    def group_lines(self, input: str, abssource: str) -> Iterator[list[Any]]:
        """Yield the tokens of each line, as pcpp does; of lines that pass as they are, one for all together."""
        text = "".join(line.rstrip() + "\n" for line in input.splitlines())
        lexer = PpLexer()
        lexer.input(text)
        bare = without_comments(text)
        if bare is None:
            yield from super().group_lines(text, abssource)
            return
        ready: list[Any] = []

        def count_parentheses(group: Group, depth: int) -> int:
            ready[:] = lexer.read(group.start, group.end, group.line, abssource)
            return open_at_end(ready, depth)

        for group in Groups(bare, self.macros, count_parentheses, lambda: not self.can_open):
            if group.kind == "plain":
                kind = "CPP_WS" if group.plain.isspace() else PLAIN
                yield [pp_token(kind, group.plain, abssource, group.line, group.start)]
            elif group.kind == "macros":
                yield list(ready)
            else:
                yield lexer.read(group.start, group.end, group.line, abssource)

    def expand_macros(self, tokens: list[Any], expanding_from: object = ()) -> list[Any]:
        """Return `tokens` with macros replaced.

        A token from a macro's definition gets the place of the macro's name; the user's arguments keep theirs. A macro
        is not replaced in what itself expanded to, which each token knows (`hidden`).
        """
        pending, out = tokens[::-1], []
        while pending:
            token = pending.pop()
            if token.type != "CPP_ID":
                out.append(token)
                continue
            macro = self.macros.get(token.value)
            if macro is None or token.value in token.hidden:
                out.append(self._counted(token))
                continue
            hidden = token.hidden
            if macro.arglist is None:
                made = [part.twin() for part in macro.value]
            else:
                call = arguments(pending)
                args = None if call is None else self._fitting(token, macro, call)
                if call is None or args is None:
                    out.append(token)
                    continue
                hidden = hidden & pending[call.closing].hidden
                del pending[call.closing :]
                made = self.macro_expand_args(macro, args)
            self._charge(token, len(made))
            hidden |= {token.value}
            for part in made:
                if part.macro and part.made_by is None:
                    part.made_by = Definition(part.source, part.lexpos, len(part.value))
                    part.source, part.lineno, part.lexpos = token.source, token.lineno, token.lexpos
                    part.length = token.length or len(token.value)
                part.hidden = part.hidden | hidden if part.hidden else hidden
            pending += made[::-1]
        return out

    def _counted(self, token: Any) -> Any:
        """Replace the words `__LINE__` and `__COUNTER__`."""
        if token.value in ("__LINE__", "__COUNTER__"):
            token = token.twin()
            number = token.lineno if token.value == "__LINE__" else self.countermacro
            self.countermacro += token.value == "__COUNTER__"
            token.type, token.value = "CPP_INTEGER", str(number)
        return token

    def _fitting(self, token: Any, macro: Any, call: Call) -> list[list[Any]] | None:
        """Return the arguments of a call, one for each parameter; None, and a fault, if their number is wrong."""
        args, expected = call.args, len(macro.arglist)
        if macro.variadic:
            if len(args) >= expected:
                last = [part for arg in call.with_commas[expected - 1 :] for part in arg]
                return [*args[: expected - 1], self.tokenstrip(last[:-1])]
            if len(args) == expected - 1:
                return [*args, []]
        elif expected == 0 and args == [[]]:
            return []
        elif len(args) == expected:
            return args
        least = "at least " if macro.variadic else ""
        count = expected - macro.variadic
        given = 0 if args == [[]] else len(args)
        notes: tuple[Note, ...] = ()
        if macro.place is not None:
            file, line, column, length = macro.place
            place = Span(self.places.sources[file], line, column, length)
            notes = (Note(place, f"'{macro.name}' is defined here"),)
        message = f"macro '{macro.name}' takes {least}{count} argument{'s' * (count != 1)}: {given} given"
        self.faults.append(Diagnostic(self.span(token), message, notes))
        return None

    def _charge(self, token: Any, count: int) -> None:
        """End with a fault where macros expand to more text than anybody can mean."""
        use = token.source, token.lexpos
        if use != self.last_use:
            self.last_use, self.made_before_use = use, self.made
        self.made += count
        most_of_one, most = _MOST_EXPANDED
        if self.made - self.made_before_use > most_of_one or self.made > most:
            raise error(self.span(token), "macros expand to too much text")

    def evalexpr(self, tokens: list[Any]) -> tuple[bool, None]:
        """Evaluate the operand of `#if`; where it is malformed, add a fault and take it for 0."""
        try:
            return evaluate(_with_attributes(self.expand_macros(self._with_answers(tokens)))), None
        except ConditionFault as fault:
            word = self.lastdirective if fault.word is None else fault.word
            self.faults.append(Diagnostic(self.span(word), fault.message))
            return False, None

    def _with_answers(self, tokens: list[Any]) -> list[Any]:
        """Replace `defined X`, `defined(X)`, `__has_include("FILE")` and `__has_include(<FILE>)` by 0 or 1."""
        words = [token for token in tokens if token.value.strip()]
        out: list[Any] = []
        while words:
            word = words.pop(0)
            match word.value:
                case "defined":
                    out.append(_answer(word, self._is_defined(word, words)))
                case "__has_include":
                    out.append(_answer(word, self._has_file(word, words)))
                case "__has_include_next":
                    raise ConditionFault(word, "'__has_include_next' is not there yet")
                case _:
                    out.append(word)
        return out

    def _is_defined(self, word: Any, words: list[Any]) -> bool:
        """Take the operand of `defined` from `words`; return whether that is a macro."""
        shape = [part.value for part in words[:3]]
        at, end = (1, 3) if shape[:1] == ["("] and shape[2:] == [")"] else (0, 1)
        if len(words) < end or words[at].type != "CPP_ID":
            raise ConditionFault(word, "'defined' needs the name of a macro")
        name = words[at].value
        del words[:end]
        return name in self.macros

    def _has_file(self, word: Any, words: list[Any]) -> bool:
        """Take the operand of `__has_include` from `words`; return whether `#include` would find that file."""
        close = next((at for at, part in enumerate(words) if part.value == ")"), 0)
        operand = words[1:close]
        if operand and operand[0].value != "<":
            operand = [part for part in self.expand_macros(operand) if part.value.strip()]
        text = "".join(part.value for part in operand)
        if not words or words[0].value != "(" or _HEADER_NAME.fullmatch(text) is None:
            raise ConditionFault(word, "'__has_include' needs (\"FILE\") or (<FILE>)")
        del words[: close + 1]
        return self._finds(text[1:-1], quoted=text[0] == '"')

    def _finds(self, name: str, *, quoted: bool) -> bool:
        for index, folder in enumerate([*(self.temp_path if quoted else ()), *self.path, *self.toolkits]):
            if quoted:
                self._note_folder(index)
            if self._is_file(os.path.join(folder, name)):
                return True
        if name in SYSTEM_HEADERS:
            return True
        if name.startswith("cuda/std/"):
            return has_text(name.removeprefix("cuda/std/"))
        if self.device_only:
            return is_standard(name)
        return any(self._is_file(os.path.join(path, name)) for path in _system_folders())

    # ------------------------------------------------------------------------------------- pcpp's hooks

    def on_file_open(self, is_system_include: bool, includepath: str) -> io.StringIO:
        folders = (*self.user_dirs, str(LIBRARIES))
        if is_system_include and not any(includepath.startswith(path + os.sep) for path in folders):
            raise FileNotFoundError(includepath)
        assert self.lastdirective is not None
        if self.include_depth > _DEEPEST_INCLUDE:
            raise error(self.span(self.lastdirective), "files are included too deeply; does one include itself?")
        return io.StringIO(self._open(includepath))

    def _open(self, path: str) -> str:
        """Read a file and remember it; return its text for the lexer."""
        self.included[path] = None
        if self.records:
            self.records[-1].files[path] = None
        source = self.places.read(path)
        if source is None:
            raise FileNotFoundError(path)
        self.included[path] = source.text
        self.places.add(path, source)
        return self.places.plain(source)

    def on_include_not_found(
        self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str
    ) -> NoReturn:
        assert self.lastdirective is not None
        span = self.span(self.lastdirective)
        if is_malformed:
            raise error(span, 'expected "FILE" or <FILE> after #include')
        quoted = f"<{includepath}>" if is_system_include else f'"{includepath}"'
        column = span.source.line(span.line).find(quoted) + 1
        if column:
            span = Span(span.source, span.line, column, len(includepath) + 2)
        standard = includepath.removeprefix("cuda/std/")
        missing = missing_library(includepath)
        if missing is not None and not has_text(standard) and not self._in_toolkit(includepath):
            self.faults.append(Diagnostic(span, f"{includepath}: {missing} not there yet"))
            raise OutputDirective(Action.IgnoreAndRemove)
        if has_text(standard):
            self.library[standard] = None
            if self.records:
                self.records[-1].library.append(standard)
        if includepath in ("assert.h", "cassert"):
            self.define_assert()
        for definition in MACROS_OF.get(includepath, ()):
            self.define(definition)
        known = self._is_system_header(includepath, quoted=not is_system_include)
        if not known and (self.device_only or not is_system_include):
            searched = self.user_dirs if is_system_include else [curdir or ".", *self.user_dirs]
            looked = f"looked in {', '.join(_shown(path) for path in searched)}; " if searched else ""
            self.faults.append(
                Diagnostic(span, f"file '{includepath}' not found", help=f"{looked}add a folder with -I")
            )
        raise OutputDirective(Action.IgnoreAndRemove)

    def define_assert(self) -> None:
        """Do what <assert.h> does; CUDA programs have it from the beginning."""
        self.define(ASSERT_OFF if "NDEBUG" in self.macros else ASSERT)

    def _is_system_header(self, name: str, *, quoted: bool) -> bool:
        known = name in SYSTEM_HEADERS if quoted else is_standard(name)
        return known or self._in_toolkit(name) or (quoted and self._finds(name, quoted=False))

    def _in_toolkit(self, name: str) -> bool:
        return any(self._is_file(os.path.join(folder, name)) for folder in self.toolkits)

    def on_comment(self, tok: Any) -> bool:
        if tok.type == "CPP_COMMENT1" and (len(tok.value) < 4 or not tok.value.endswith("*/")):
            span = replace(self.span(tok), length=2)
            self.faults.append(Diagnostic(span, "this comment is never closed", breaks_rest=True))
        tok.type, tok.value = "CPP_WS", " "
        return True

    def on_error(self, file: str, line: int, msg: str) -> None:
        """Take what pcpp finds: all of it is about a directive, most about one without its `#if` or `#endif`."""
        source = self.places.sources.get(file, self.main)
        found = re.match(r"\s*(#?\s*\w*)", source.line(line))
        span = Span(source, line, found.start(1) + 1 if found else 1, len(found[1]) if found else 1)
        self.faults.append(Diagnostic(span, (msg[:1].lower() + msg[1:]).strip(), breaks_rest=True))

    def on_directive_handle(
        self, directive: LexToken, toks: list[LexToken], ifpassthru: bool, precedingtoks: list[LexToken]
    ) -> bool:
        self.lastdirective = directive
        if not toks and directive.value in ("define", "undef", "include", "if", "ifdef", "ifndef", "elif"):
            raise error(self.span(directive), f"#{directive.value} needs an operand")
        return True

    def on_directive_unknown(
        self, directive: LexToken, toks: list[LexToken], ifpassthru: bool, precedingtoks: list[LexToken]
    ) -> bool | None:
        text = "".join(token.value for token in toks).strip()
        if directive.value == "error":
            self.faults.append(Diagnostic(self.span(directive), f"#error {text}".strip()))
            return True
        if directive.value == "pragma":
            # `#pragma unroll N` may name a macro; the line passes through otherwise unexpanded.
            if toks:
                toks[0].value = "".join(token.value for token in self.expand_macros(list(toks)))
                for token in toks[1:]:
                    token.value = ""
            return None
        if directive.value in ("warning", "line", "ident"):
            return True
        raise error(self.span(directive), f"unknown directive '#{directive.value}'")


@cache
def _system_folders() -> tuple[str, ...]:
    """Return where the host's C and C++ compilers have their headers, which device code has versions of."""
    libraries = (*glob("/usr/include/c++/*"), *glob("/usr/include/c++/*/backward"))
    return (*libraries, "/usr/local/include", *glob("/usr/include/*-linux-gnu"), "/usr/include")


def _answer(word: Any, answer: int) -> Any:
    """Return the number that replaces `word`."""
    number = word.twin()
    number.type, number.value = "CPP_INTEGER", str(int(answer))
    return number


def _with_attributes(tokens: list[Any]) -> list[Any]:
    """Replace `__has_cpp_attribute(name)` and `__has_attribute(name)` by what they are."""
    words = [token for token in tokens if token.value.strip()]
    out: list[Any] = []
    while words:
        word = words.pop(0)
        close = next((at for at, part in enumerate(words) if part.value == ")"), 0)
        if word.value in ATTRIBUTE_QUESTIONS and close > 1 and words[0].value == "(":
            word = _answer(word, known_attribute("".join(part.value for part in words[1:close])))
            del words[: close + 1]
        out.append(word)
    return out


def _shown(path: str) -> str:
    shown = os.path.relpath(path)
    return "'.'" if shown == "." else f"'{path if shown.startswith('..') else Path(shown)}'"
