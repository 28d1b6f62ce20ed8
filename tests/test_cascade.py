"""Which messages of the C++ compiler are only consequences of faults that the device part has."""

from __future__ import annotations

from simt2simd.command.cascade import independent, independent_output
from simt2simd.diag import Diagnostic, Note
from simt2simd.source import Source, Span

TEXT = Source("a.cu", "\n" * 20)
PRINTED = """\
a.cu:1:17: error: variable or field 'k' declared void
    1 | __global__ void k(Foo *x) { x[0] = 1; }
      |                 ^
a.cu:1:19: error: ‘Foo’ was not declared in this scope
a.cu: In function ‘int main()’:
a.cu:4:3: error: ‘Foo’ was not declared in this scope; did you mean ‘for’?
    4 |   Foo *p;
a.cu:4:8: error: 'p' was not declared in this scope
a.cu:5:3: error: 'p' was not declared in this scope
a.cu:6:9: warning: unused variable ‘p2’
a.cu: In function ‘int other()’:
a.cu:9:3: error: 'wrong' was not declared in this scope
    9 |   wrong(k);
a.cu:8:1: note: in here
"""
KEPT = """\
a.cu:6:9: warning: unused variable ‘p2’
a.cu: In function ‘int other()’:
a.cu:9:3: error: 'wrong' was not declared in this scope
    9 |   wrong(k);
a.cu:8:1: note: in here
"""


def fault(line: int, *notes: int, breaks_rest: bool = False) -> Diagnostic:
    return Diagnostic(
        Span(TEXT, line, 3), "fault", tuple(Note(Span(TEXT, n, 1), "") for n in notes), breaks_rest=breaks_rest
    )


def test_messages_on_a_faulty_line_and_about_its_names_go() -> None:
    assert independent_output(PRINTED, [fault(1)]) == KEPT


def test_colours_are_no_hindrance() -> None:
    def coloured(text: str) -> str:
        return text.replace("error: ", "\x1b[01;31m\x1b[Kerror: \x1b[m\x1b[K").replace("a.cu:", "\x1b[01ma.cu:")

    assert independent_output(coloured(PRINTED), [fault(1)]) == coloured(KEPT)


def test_without_our_faults_all_stay() -> None:
    assert independent_output(PRINTED, []) == PRINTED
    assert independent_output("no such compiler\n", [fault(1)]) == "no such compiler\n"


def test_after_what_is_never_closed_nothing_is_believed() -> None:
    assert independent_output(PRINTED, [fault(15, breaks_rest=True)]) == ""
    assert independent([fault(1)], [fault(15, breaks_rest=True)]) == []


def test_faults_of_the_host_split() -> None:
    faults = [fault(1), fault(2, 1), fault(3)]
    assert independent(faults, [fault(1)]) == faults[2:]


TEMPLATES = """\
a.cu:1:40: error: 'Foo' was not declared in this scope
    1 | template <class T> __global__ void scan(Foo<T> *x) { }
a.cu: In instantiation of ‘void run(T*) [with T = int]’:
a.cu:9:3:   required from here
a.cu:5:3: error: no matching function for call to ‘scan<int>(int*&)’
a.cu:2:3: note: candidate: ‘template<class T> void scan(int)’
a.cu:6:3: error: ‘Foo<int>’ is not a type
a.cu:7:3: error: no matching function for call to ‘other<int>(int*&)’
a.cu:8:3: error: cannot convert ‘int’ to ‘scan’
"""


def test_messages_about_a_template_go_with_it() -> None:
    about_scan = TEMPLATES.replace("'Foo' was", "'scan' or 'Foo' was")
    rest = independent_output(about_scan, [fault(1)])
    assert [line for line in rest.splitlines() if "error" in line] == about_scan.splitlines()[-2:]


def test_the_cause_of_a_fault_is_known_too() -> None:
    cause = Diagnostic(Span(TEXT, 12, 3), "used", (Note(Span(TEXT, 9, 3), "wrong here", is_cause=True),))
    assert independent_output(KEPT, [cause]) == "a.cu:6:9: warning: unused variable ‘p2’\n"
