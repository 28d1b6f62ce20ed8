"""`--listing`: what it is to be, what a run has counted for it, and where it goes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..diag import ToolError
from ..report.counts import Counts, WrongCounts, read
from .job import LISTING_TEXT, LISTING_WITH_CODE, Job
from .outputs import check_writable, publish

if TYPE_CHECKING:
    from ..report.annotated import Function


def counts_of(job: Job) -> Counts | None:
    """Return what a run has counted, if the user names its file. Raises `ToolError`."""
    file = job.counts_file
    if file is None:
        return None
    try:
        return read(Path(file).read_text(encoding="utf-8", errors="surrogateescape"))
    except OSError as fault:
        raise ToolError(f"cannot read '{file}': {(fault.strerror or str(fault)).lower()}") from fault
    except WrongCounts as fault:
        raise ToolError(
            f"cannot read '{file}': {fault}\n"
            "help: compile with --stats, and run the program with S2S_STATS_FILE=FILE in its environment"
        ) from fault


def check(job: Job) -> None:
    """Raise `ToolError` if the file for a listing cannot be written."""
    if job.listing not in (None, LISTING_TEXT, LISTING_WITH_CODE):
        check_writable(job.listing, job)


def write(job: Job, functions: Sequence[Function], folder: Path) -> None:
    """Print the listing, or write it as one HTML file, which is made in `folder`."""
    if job.listing is None:
        return
    if job.listing in (LISTING_TEXT, LISTING_WITH_CODE):
        from . import listing_text

        listing_text.show(functions, assembly=job.listing == LISTING_WITH_CODE)
        return
    from . import listing_html

    made = folder / "listing.html"
    title = f"Listing of {', '.join(file for file in job.files if job.kind(file) == 'cu')}"
    made.write_text(listing_html.page(title, functions), encoding="utf-8", errors="replace")
    publish(made, job.listing)
