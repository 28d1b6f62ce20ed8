"""The listing says of each line what was found out and decided, and shows the machine code that the line became."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from simt2simd.command import cli, listing_html, listing_text
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.report import assembly, counts
from simt2simd.report.annotated import Function, Line
from simt2simd.report.masks import Mask
from simt2simd.source import Source
from simt2simd.target import TARGETS

CODE = """\
struct Point { float x, y, z; };

__device__ float square(float v) {
    return v * v;
}

__global__ void k(const float *in, const int *p, const Point *points, float *out, int *total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i] + in[n];
    if (n > 3)
        x += points[i].y;
    if (x > 2) {
        out[p[i]] = square(x);
        atomicAdd(total, 1);
    }
    for (int j = 0; j < p[i]; j++)
        x += in[p[j] + i];
    out[i] = x;
}
"""

# What is said of each line, but for the machine code.
GOLDEN = """\
k.cu:3: device square
  accesses: none
    3 | __device__ float square(float v) {
    4 |     return v * v;
      :   varying; divergent branch
    5 | }

k.cu:7: kernel k (gangs of 16 lanes along x)
  accesses: 2 uniform, 5 consecutive, 1 strided, 1 scatter, 1 atomic; 8 masked
  estimated time, 100% of all: consecutive 28%, divergent 25%, atomic 18%, other 10%, uniform 9%, scatter 7%, strided 3%
    7 | __global__ void k(const float *in, const int *p, const Point *points, float *out, int *total, int n) {
    8 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
      :   affine +1; all lanes; 0.4 ns, 1%
    9 |     if (i >= n)
      :   varying; all lanes; 1.5 ns, 2%
      :   if: divergent: the arms run one after the other under masks, one without lanes is skipped; 1.5 ns
   10 |         return;
      :   guard
   11 |     float x = in[i] + in[n];
      :   varying; guard; 1.8 ns, 3%
      :   in[i]: load: vector load, masked; 0.9 ns
      :   in[n]: load: scalar load; 0.6 ns
   12 |     if (n > 3)
      :   block; guard; 0.3 ns, 0%
      :   if: one scalar branch; 0.3 ns
   13 |         x += points[i].y;
      :   varying; guard; 2.4 ns, 4%
      :   points[i].y: load: 3 vector loads and shuffles, masked; 2.1 ns
   14 |     if (x > 2) {
      :   varying; guard; 1.5 ns, 2%
      :   if: divergent: the arms run one after the other under masks, one without lanes is skipped; 1.5 ns
   15 |         out[p[i]] = square(x);
      :   varying; divergent branch; 5.4 ns, 9%
      :   out[p[i]]: store: scatter, 32-bit offsets, masked; 4.2 ns
      :   p[i]: load: vector load, masked; 0.9 ns
   16 |         atomicAdd(total, 1);
      :   varying; divergent branch; 11.0 ns, 18%
      :   atomicAdd(total, 1): atomicAdd: the lanes combined, then one update, locked, masked; 11.0 ns
   17 |     }
   18 |     for (int j = 0; j < p[i]; j++)
      :   varying; loop that lanes leave one by one; 2.4 ns, 31%
      :   loop: divergent: lanes leave at different times, it runs until the last one is done; 1.5 ns
      :   p[i]: load: vector load, masked; 0.9 ns
   19 |         x += in[p[j] + i];
      :   varying; loop that lanes leave one by one; 2.1 ns, 27%
      :   in[p[j] + i]: load: vector load, masked; 0.9 ns
      :   p[j]: load: scalar load; 0.6 ns
   20 |     out[i] = x;
      :   varying; guard; 0.9 ns, 1%
      :   out[i]: store: vector store, masked; 0.9 ns
   21 | }
"""


def made(run: str | None = None, code: str = CODE) -> list[Function]:
    """Return the listing of a program, with what a run has counted."""
    options = Options(target=TARGETS["avx512"], debug="lines", debug_folder="/")
    compiled = compile_device(Source("k.cu", code), options)
    return compiled.listing(None if run is None else counts.read(run))


def lines(functions: list[Function]) -> dict[str, Line]:
    """Return the lines by their text."""
    return {line.text.strip(): line for function in functions for line in function.lines}


@pytest.fixture(scope="module")
def functions() -> list[Function]:
    return made()


@pytest.fixture(scope="module")
def found(functions: list[Function]) -> dict[str, Line]:
    return lines(functions)


def without_code(text: str) -> str:
    """Leave out what LLVM decides: how many instructions there are."""
    kept = [line for line in text.splitlines() if not re.match(r" +:   \d+ instruction", line)]
    return re.sub(r"; \d+ instructions$", "", "\n".join(kept), flags=re.MULTILINE) + "\n"


# ------------------------------------------------------------------------------------------- what is said


def test_the_whole_listing_is_as_expected(functions: list[Function]) -> None:
    assert without_code(listing_text.text(functions, assembly=False)) == GOLDEN


def test_each_function_is_there_from_its_name_to_its_end(functions: list[Function]) -> None:
    places = [(function.kind, function.titles, function.first, function.lines[-1].number) for function in functions]
    assert places == [("device", ("square",), 3, 5), ("kernel", ("k",), 7, 21)]


def test_masks_are_those_of_the_program(found: dict[str, Line]) -> None:
    masks = {text: line.mask for text, line in found.items()}
    assert masks["int i = blockIdx.x * blockDim.x + threadIdx.x;"] == Mask.ALL
    assert masks["float x = in[i] + in[n];"] == Mask.GUARD
    assert masks["atomicAdd(total, 1);"] == Mask.BRANCH
    assert masks["x += in[p[j] + i];"] == Mask.LOOP
    assert masks["out[i] = x;"] == Mask.GUARD and masks["return v * v;"] == Mask.BRANCH
    assert masks["}"] is None


def test_a_branch_that_all_lanes_take_is_uniform() -> None:
    code = "__global__ void k(int *x, int n) {\n if (n > 3)\n  x[threadIdx.x] = 1;\n x[threadIdx.x + n] = 2;\n}"
    found = lines(made(code=code))
    assert found["x[threadIdx.x] = 1;"].mask == Mask.UNIFORM and found["x[threadIdx.x + n] = 2;"].mask == Mask.ALL


def test_accesses_are_what_the_code_has(found: dict[str, Line]) -> None:
    def kinds(text: str) -> list[str]:
        return sorted(instruction.kind for instruction in found[text].code if instruction.kind in ("scatter", "locked"))

    assert "scatter" in kinds("out[p[i]] = square(x);") and "locked" in kinds("atomicAdd(total, 1);")
    assert not kinds("float x = in[i] + in[n];")
    assert [access.kind for access in found["float x = in[i] + in[n];"].accesses] == ["consecutive", "uniform"]
    (strided,) = found["x += points[i].y;"].accesses
    assert (strided.kind, strided.masked, strided.shape) == ("strided", True, "affine +12")


def test_parts_of_the_time_add_up(functions: list[Function]) -> None:
    assert sum(function.summary.part for function in functions) == pytest.approx(1)
    for function in functions:
        assert sum(line.part for line in function.lines) == pytest.approx(function.summary.part)
        assert sum(function.summary.times.values()) == pytest.approx(float(function.summary.part > 0))


def test_no_name_and_no_branch_of_a_rewrite_is_shown() -> None:
    """A grid-stride loop becomes several, with an `if` in one, and what it changes gets a twin."""
    code = """
__global__ void k(const int *in, int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int v = in[i];
        int m = 0;
        while (m < 9 && v != 1) { v = v % 2 ? 3 * v + 1 : v / 2; m++; }
        out[i] = m;
    }
}"""
    text = listing_text.text(made(code=code), assembly=False)
    assert "twin" not in text and "_first" not in text and ".loop" not in text
    assert "if:" not in text


def test_the_forms_of_a_template_are_one_function() -> None:
    code = """
template <class T> __device__ T twice(T v) {
    return 2 * v;
}
__global__ void k(float *x, double *y) {
    x[threadIdx.x] = twice(x[threadIdx.x]);
    y[threadIdx.x] = twice(y[threadIdx.x]);
}"""
    (template, _) = made(code=code)
    assert sorted(template.titles) == ["twice<double>", "twice<float>"]


# ------------------------------------------------------------------------------------------- machine code

ASSEMBLY = """\
	.file	1 "/tmp" "a b.cu"
	.type	"k<int>.range0",@function
"k<int>.range0":                        # @k
	.loc	1 7 22                          # a b.cu:7:22
	vgatherdps	(%r8,%zmm1,4), %zmm3 {%k2}
	movq	%rbx, 56(%rsp)                  # 8-byte Spill
	.loc	1 0 0
	callq	helper@PLT
.LBB0_1:
	.loc	1 9 1 is_stmt 0
	lock		incl	(%rax)
	retq
	.type	helper,@function
helper:
	.loc	1 12 1
	vdivps	%zmm1, %zmm2, %zmm0
	.type	other,@function
other:
	.loc	1 7 1
	nop
"""


def test_instructions_are_read_with_their_lines() -> None:
    functions = assembly.read(ASSEMBLY)
    assert set(functions) == {"k<int>.range0", "helper", "other"}
    code = assembly.by_line(functions, ["k<int>.range0"])
    assert {place: [each.kind for each in found] for place, found in code.items()} == {
        ("a b.cu", 7): ["gather", "spill", "call"],
        ("a b.cu", 9): ["locked", ""],
        ("a b.cu", 12): ["division"],
    }
    assert code["a b.cu", 7][0].text == "vgatherdps (%r8,%zmm1,4), %zmm3 {%k2}"


def test_every_instruction_of_a_kernel_has_a_line(functions: list[Function]) -> None:
    listed = sum(function.summary.instructions for function in functions)
    compiled = compile_device(Source("k.cu", CODE), Options(target=TARGETS["avx512"], debug="lines", debug_folder="/"))
    code = assembly.by_line(assembly.read(compiled.assembly()), ["k.range0"])
    assert listed == sum(map(len, code.values())) > 100


# ------------------------------------------------------------------------------------------- what was counted


def run_of(rows: list[tuple[int, int, str, int, int]]) -> str:
    made = [
        {"file": "/far/k.cu", "line": line, "column": column, "kind": kind, "gangs": gangs, "lanes_active": active,
         "lanes": 16 * gangs, "partial": 0, "estimated_ns": gangs}
        for line, column, kind, gangs, active in rows
    ]  # fmt: skip
    return json.dumps({"kernels": [{"name": "k", "lines": made}]})


def test_counts_stand_at_their_lines() -> None:
    rows = [(7, 1, "kernel", 9, 9), (11, 5, "statement", 10, 100), (11, 13, "consecutive", 30, 300)]
    found = lines(made(run_of(rows)))
    counted = found["float x = in[i] + in[n];"].counts
    assert counted is not None and (counted.gangs, counted.active) == (30, 400 / 640)
    assert found["float x = in[i] + in[n];"].part == pytest.approx(1)
    assert found["out[i] = x;"].counts is None and found["out[i] = x;"].part == 0
    assert "30 times, lanes on: 62%; accesses: consecutive 30" in listing_text.text(made(run_of(rows)), assembly=False)


def test_files_are_distinguished() -> None:
    two = json.loads(run_of([(11, 5, "statement", 10, 100)]))
    more = json.loads(run_of([(11, 5, "statement", 20, 100)]))
    more["kernels"][0]["lines"][0]["file"] = "near/k.cu"
    read = counts.read(json.dumps({"kernels": two["kernels"] + more["kernels"]}))
    far, near = read.at("/far/k.cu", 11), read.at("near/k.cu", 11)
    assert far is not None and near is not None and (far.gangs, near.gangs) == (10, 20)
    assert read.at("k.cu", 11) is None


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"kernels": [{}]}', '{"kernels": [{"lines": [{"kind": "loop"}]}]}'])
def test_other_files_hold_no_counts(text: str) -> None:
    with pytest.raises(counts.WrongCounts):
        counts.read(text)


# ------------------------------------------------------------------------------------------- HTML, the command line


class Checker(HTMLParser):
    """Checks that what is opened is closed, and collects what refers to other files."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_whole_and_needs_nothing_else(functions: list[Function]) -> None:
    checker = Checker()
    checker.feed(listing_html.page("a <b> & c", functions))
    assert not checker.open and checker.links == ["#f1", "#f0"]
    assert "for (int j = 0; j < p[i]; j++)" in checker.text and "a <b> & c" in checker.text
    assert "vscatter" in checker.text and "prefers-color-scheme" in checker.text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cu").write_text(CODE)
    return tmp_path


def test_the_listing_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("compile --listing k.cu --target avx512 --emit assembly -o k.s".split()) == 0
    assert without_code(capsys.readouterr().out) == GOLDEN
    assert cli.main("compile k.cu --listing=asm --target avx512 --emit assembly -o k.s".split()) == 0
    assert re.search(r"^      :       vp?scatterd", capsys.readouterr().out, re.MULTILINE)


def test_the_page_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "counts.json").write_text(run_of([(11, 5, "statement", 10, 100)]))
    words = "compile k.cu --listing=k.html --stats-file counts.json --emit assembly -o k.s"
    assert cli.main(words.split()) == 0
    assert capsys.readouterr().out == "" and "lanes on" in (folder / "k.html").read_text()


@pytest.mark.parametrize(
    "words, message",
    [
        ("--listing=k.txt", "'k.txt' is neither asm nor the name of an HTML file"),
        ("--stats-file counts.json", "--stats-file is for --listing"),
        ("--listing --target cuda", "--target cuda only calls nvcc"),
    ],
)
def test_wrong_usage_is_reported(folder: Path, capsys: pytest.CaptureFixture[str], words: str, message: str) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["compile", "k.cu", *words.split()])
    assert ended.value.code == 2 and message in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, message",
    [
        ("--listing=no/k.html", "cannot write 'no/k.html': there is no directory 'no'"),
        ("--listing --stats-file no.json", "cannot read 'no.json': no such file or directory"),
        ("--listing --stats-file k.cu", "cannot read 'k.cu': it is no file that S2S_STATS_FILE has named"),
        ("--listing=k.html -DT=Unknown", ""),
    ],
)
def test_nothing_is_written_if_something_fails(
    folder: Path, capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    (folder / "k.html").write_text("as it was")
    (folder / "k.cu").write_text(CODE.replace("int n)", "int n, T *t)") if "-DT" in words else CODE)
    assert cli.main(["compile", "k.cu", *words.split(), "--emit", "assembly", "-o", "k.s"]) == 1
    captured = capsys.readouterr()
    assert message in captured.err and captured.out == ""
    assert sorted(path.name for path in folder.iterdir()) == ["k.cu", "k.html"]
    assert (folder / "k.html").read_text() == "as it was"


def test_a_run_can_be_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler")
    main = """
int main() {
    int n = 40; float *x; int *p; Point *points;
    cudaMallocManaged(&x, 400); cudaMallocManaged(&p, 400); cudaMallocManaged(&points, 1200);
    for (int i = 0; i < n; i++) x[i] = 1;
    k<<<3, 16>>>(x, p, points, x + 50, p + 50, n);
    return cudaDeviceSynchronize();
}
"""
    (folder / "k.cu").write_text(CODE + main)
    assert cli.main("compile k.cu --stats --disable=block-merging,wide-gangs -o k".split()) == 0
    subprocess.run(["./k"], env={"S2S_STATS": "0", "S2S_STATS_FILE": "counts.json"}, check=True, timeout=60)
    capsys.readouterr()
    assert cli.main("compile k.cu --listing --stats-file counts.json --emit assembly -o k.s".split()) == 0
    text = capsys.readouterr().out
    assert re.search(r"float x = .*\n.*3 times, lanes on: 83%; accesses: uniform 3, consecutive 3", text)
