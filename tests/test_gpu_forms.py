"""The forms of the traversal applications for GPUs: what each does, that nvcc takes it, and that it is right here."""

from __future__ import annotations

import functools
import shutil
import subprocess
from pathlib import Path

import pytest

from simt2simd.command import cli, cuda_text
from simt2simd.options import Options, Traverse

APPS = Path(__file__).parent.parent / "apps"
GUIDED = (Traverse.ROPES, Traverse.LOCKSTEP, Traverse.REFILL)
UNGUIDED = (*GUIDED, Traverse.STATIC_ROPES, Traverse.STATIC_ROPES_LOCKSTEP)
FORMS: dict[str, tuple[Traverse, ...]] = {
    "pc": UNGUIDED,
    "bh": UNGUIDED,
    "nn": GUIDED,
    "knn": GUIDED,
    "vp": GUIDED,
    "bs": GUIDED,
}
INPUTS = {"bh": ("plummer:2000", "--steps", "1")}
ALL = [(app, form) for app, forms in FORMS.items() for form in forms]


@functools.cache
def emitted(app: str, form: Traverse, *, sort: bool = False) -> str:
    made = cuda_text.emit(
        cuda_text.read(str(APPS / app / f"{app}.cu")),
        Options(traverse=form, sort_queries=sort),
        choose=form is Traverse.AUTO,
    )
    assert made.left == ()
    return made.text


@pytest.mark.parametrize("app", FORMS)
def test_forms_differ_in_what_they_do(app: str) -> None:
    """Lockstep: a stack in shared memory and a ballot; ropes: a thread's own stack; static ropes: none at all.

    What calls itself as the last thing that it does needs no stack in either form of ropes.
    """
    for form in FORMS[app]:
        text = emitted(app, form)
        own_stack = "_stack[" in text and "depth" in text
        in_step = "extern __shared__ unsigned long long s2s_stacks[]" in text and "__ballot_sync(" in text
        assert in_step == (form is Traverse.LOCKSTEP)
        if form.has_thread_stacks:
            assert own_stack == (app != "bs")
        if form in ("static-ropes", "static-ropes-lockstep"):
            assert "_stack[" not in text and "= ropes[2 * n" in text
            assert ("__any_sync(" in text) == (form == "static-ropes-lockstep")
        assert ("atomicAdd(&next, 1u)" in text) == (form == "refill")
    assert len({emitted(app, form) for form in FORMS[app]}) == len(FORMS[app])


@pytest.mark.parametrize("app", [app for app in FORMS if "static-ropes" not in FORMS[app]])
def test_guided_traversals_have_no_static_ropes(app: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(APPS / app / f"{app}.cu")
    assert cli.main(["compile", source, "--emit", "cuda", "--traverse=static-ropes", "-std=c++17"]) == 1
    assert "cannot be emitted under --traverse=static-ropes" in capsys.readouterr().err


@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("app", ["nn", "pc"])
def test_a_vote_says_that_ropes_are_better(app: str, sort: bool) -> None:
    """Launches of unguided traversals choose; guided ones go by ropes, and nothing is looked at for that."""
    text = emitted(app, Traverse.AUTO, sort=sort)
    if app == "nn":
        assert text == emitted(app, Traverse.ROPES, sort=sort)
    else:
        assert "s2s_look<<<" in text and "_near<<<" in text and "_far<<<" in text


@pytest.mark.slow("forms of applications by nvcc")
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
@pytest.mark.parametrize(("app", "form"), [*ALL, ("pc", Traverse.AUTO), ("nn", Traverse.AUTO)])
def test_nvcc_compiles_each(app: str, form: Traverse, tmp_path: Path) -> None:
    (tmp_path / "unit.cu").write_text(emitted(app, form, sort=form is Traverse.AUTO))
    command = ["nvcc", "-std=c++17", "-arch=sm_90", "-w", "-I", str(APPS / app), "-c", str(tmp_path / "unit.cu")]
    done = subprocess.run([*command, "-o", str(tmp_path / "unit.o")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]


@pytest.mark.slow("forms of applications run here")
@pytest.mark.parametrize(
    ("app", "form", "sort"),
    [*((*each, False) for each in ALL), ("pc", Traverse.AUTO, True), ("nn", Traverse.LOCKSTEP, True)],
)
def test_each_is_right_here(app: str, form: Traverse, sort: bool, tmp_path: Path) -> None:
    (tmp_path / "program.cu").write_text(emitted(app, form, sort=sort))
    build = ["compile", str(tmp_path / "program.cu"), "-std=c++17", "-I", str(APPS / app)]
    assert cli.main([*build, "-o", str(tmp_path / "program")]) == 0
    inputs = INPUTS.get(app, ("random:6000x1" if app == "bs" else "random:6000x3",))
    for order in ("sorted", "shuffled"):
        command = [tmp_path / "program", "--input", *inputs, "--order", order, "--reps", "1", "--check"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0 and "check: PASS" in done.stdout, done.stdout + done.stderr
