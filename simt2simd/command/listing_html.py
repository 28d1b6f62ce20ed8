"""The listing of a program as one HTML file that needs no other: styles, a switch of colours, folds for code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ..report.annotated import Function, Line
from ..report.assembly import notable
from ..report.masks import IN_WORDS
from .listing_text import instructions_words, measured_words, summary_words

_STYLE = """
:root { color-scheme: light; --back: #ffffff; --fore: #1b1f24; --dim: #6a737d; --line: #e1e4e8; --heat: 214, 39, 40;
  --note: #0b5394; }
:root[data-colours=dark] { color-scheme: dark; --back: #14181d; --fore: #e6e8eb; --dim: #8b949e; --line: #2b323b;
  --heat: 248, 81, 73; --note: #79b8ff; }
body { background: var(--back); color: var(--fore); font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; color: var(--dim); font-weight: 600; }
th, td { padding: 1px 8px; vertical-align: top; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr { border-bottom: 1px solid var(--line); }
code, pre { font: 12.5px/1.4 ui-monospace, Menlo, Consolas, monospace; }
td.source { white-space: pre; }
td.source code { white-space: pre; tab-size: 4; }
.dim { color: var(--dim); } .note { color: var(--note); }
pre { margin: 0; }
summary { cursor: pointer; white-space: nowrap; }
.bar { display: inline-block; height: 0.6em; background: rgba(var(--heat), 0.8); }
button { float: right; }
"""

_SCRIPT = """
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
root.dataset.colours = dark ? "dark" : "light";
document.getElementById("colours").onclick = () => {
  root.dataset.colours = root.dataset.colours == "dark" ? "light" : "dark";
};
document.getElementById("fold").onclick = () => {
  const all = [...document.querySelectorAll("details")], open = all.some((each) => !each.open);
  for (const each of all) each.open = open;
};
"""


def page(title: str, functions: Sequence[Function]) -> str:
    """Return the whole page."""
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
            '<button id="colours">dark / light</button><button id="fold">fold / unfold all code</button>',
            f"<h1>{escape(title)}</h1>",
            *_overview(functions),
            *(part for number, function in enumerate(functions) for part in _function(number, function)),
            f"<script>{_SCRIPT}</script></body></html>",
            "",
        )
    )


def _overview(functions: Sequence[Function]) -> Iterator[str]:
    yield "<table><thead><tr><th>function</th><th>time</th><th></th><th>in short</th></tr></thead><tbody>"
    for number, function in sorted(enumerate(functions), key=lambda item: -item[1].summary.part):
        part = function.summary.part
        words = "<br>".join(map(escape, summary_words(function.summary)))
        yield (
            f'<tr><td><a href="#f{number}">{escape(function.kind)} {escape(", ".join(function.titles))}</a></td>'
            f'<td class="number">{part:.0%}</td><td>{_bar(part)}</td><td>{words}</td></tr>'
        )
    yield "</tbody></table>"


def _function(number: int, function: Function) -> Iterator[str]:
    place = f"{function.source.name}:{function.first}"
    measured = any(line.counts is not None for line in function.lines)
    yield f'<h2 id="f{number}">{escape(function.kind)} {escape(", ".join(function.titles))}</h2>'
    yield f'<p class="dim">{escape(place)}{escape("; " + function.gangs if function.gangs else "")}</p>'
    lanes = "<th>times</th><th>lanes on</th>" if measured else ""
    yield (
        "<table><thead><tr><th>line</th><th>source</th><th>shape</th><th>mask</th><th>ns</th><th>time</th>"
        f"{lanes}<th>accesses and branches</th><th>machine code</th></tr></thead><tbody>"
    )
    yield from (_row(line, measured=measured) for line in function.lines)
    yield "</tbody></table>"


def _row(line: Line, *, measured: bool) -> str:
    heat = f' style="background: rgba(var(--heat), {min(0.6, line.part):.3f})"' if line.part >= 0.005 else ""
    cells = [
        f'<td class="number dim">{line.number}</td>',
        f'<td class="source"{heat}><code>{escape(line.text)}</code></td>',
        f"<td>{escape(line.shape)}</td>",
        f"<td>{escape('' if line.mask is None else IN_WORDS[line.mask])}</td>",
        f'<td class="number">{f"{line.cost_ns:.1f}" if line.cost_ns else ""}</td>',
        f'<td class="number">{f"{line.part:.0%}" if line.cost_ns else ""}</td>',
    ]
    if measured:
        counts = line.counts
        cells.append(f'<td class="number">{"" if counts is None else counts.gangs}</td>')
        cells.append(f'<td class="number">{"" if counts is None else f"{counts.active:.0%}"}</td>')
    cells.append(f'<td class="note">{"<br>".join(_notes(line))}</td><td>{_code(line)}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _notes(line: Line) -> Iterator[str]:
    if line.counts is not None:
        yield from map(escape, measured_words(line.counts))
    for branch in line.branches:
        yield escape(f"{branch.kind}: {branch.text}")
    for access in line.accesses:
        masked = ", masked" if access.masked else ""
        yield f"<code>{escape(access.source)}</code>: {escape(f'{access.verb}: {access.text}{masked}')}"


def _code(line: Line) -> str:
    if not line.code:
        return ""
    text = "\n".join(escape(instruction.text) for instruction in line.code)
    opened = " class=note" if notable(line.code) else ""
    return f"<details><summary{opened}>{escape(instructions_words(line))}</summary><pre>{text}</pre></details>"


def _bar(part: float) -> str:
    return f'<span class="bar" style="width: {6 * part:.2f}rem"></span>'
