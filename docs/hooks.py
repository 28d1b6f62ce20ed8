"""What mkdocs does beside reading `docs/`: the site also has the pages and figures beside code.

A page outside `docs/` keeps its path. Links are written as for the repository; here they become links within the site.
A link to a file that is no page, such as a program, leaves its text.
A page's first paragraph describes it to search engines.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
BESIDE = (
    "CONTRIBUTING.md",
    "apps/**/*.md",
    "apps/**/*.svg",
    "microbench/**/*.md",
    "microbench/**/*.svg",
    "simt2simd/*.md",
    "tests/**/*.md",
)
FENCE = re.compile(r"^(```.*?^```[ ]*$)", re.DOTALL | re.MULTILINE)
IMAGE = re.compile(r"(?P<image>!)\[(?P<text>[^][]*)\]\((?P<to>[^)\s]+)\)")
LINK = re.compile(r"(?P<image>(?<!!))\[(?P<text>(?:[^][]|\[[^][]*\])*)\]\((?P<to>[^)\s]+)\)")


def beside() -> list[str]:
    """Return the files of the site outside `docs/`, by their paths in the repository."""
    return sorted({file.relative_to(ROOT).as_posix() for pattern in BESIDE for file in ROOT.glob(pattern)})


def place(path: str) -> str:
    """Return where a file of the repository is in the site."""
    return "index.md" if path == "README.md" else path.removeprefix("docs/")


def repository_path(src_uri: str) -> str:
    """Return where a page of the site is in the repository."""
    return f"docs/{src_uri}" if (ROOT / "docs" / src_uri).exists() else src_uri


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    for path in beside():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    def linked(text: str) -> str:
        for pattern in (IMAGE, LINK):
            text = pattern.sub(lambda found: link(found, page.file.src_uri, files), text)
        return text

    page.meta.setdefault("description", first_paragraph(markdown))
    parts = FENCE.split(markdown)
    return "".join(part if index % 2 else linked(part) for index, part in enumerate(parts))


def first_paragraph(markdown: str) -> str:
    """Return the text between a page's title and the next empty line, as plain text."""
    text = markdown.split("\n\n")[1]
    return " ".join(LINK.sub(r"\g<text>", text).translate({ord(sign): None for sign in '`*"'}).split())


def link(found: re.Match[str], src_uri: str, files: Files) -> str:
    to, hash_sign, anchor = found["to"].partition("#")
    if not to or ":" in to:
        return found[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(repository_path(src_uri)), to))
    there = (ROOT / path).exists()
    if (ROOT / path).is_dir():
        path += "/README.md"
    if there and files.get_file_from_path(place(path)) is None:
        return found["text"]
    relative = posixpath.relpath(place(path), posixpath.dirname(src_uri) or ".")
    return f"{found['image']}[{found['text']}]({relative}{hash_sign}{anchor})"
