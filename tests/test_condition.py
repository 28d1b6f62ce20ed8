"""The operand of `#if`."""

from __future__ import annotations

import pytest
from front import preprocessed

from simt2simd.diag import CompileError


def holds(condition: str) -> bool:
    return "yes" in preprocessed(f"#define ONE 1\n#define TWICE(x) (2 * (x))\n#if {condition}\nyes\n#endif\n").text


@pytest.mark.parametrize(
    "condition",
    [
        "1", "not defined(X)", "!defined X", "defined ONE and defined(ONE)", "7 / 2 == 3", "-7 / 2 == -3",
        "-7 % 3 == -1",
        "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "2 - 1 - 1 == 0", "1 << 3 == 8", "-1 < 0", "-1 > 0u", "0x10 == 16",
        "0b101 == 5", "010 == 8", "1'000 == 1000", "10ULL == 10", "'a' == 97", r"'\n' == 10", r"'\x41' == 65",
        r"'\101' == 65", "1 || 1 / 0", "!(0 && 1 / 0)", "1 ? 2 : 1 / 0", "0 ? 0 : 0 ? 0 : 3", "UNKNOWN == 0", "true",
        "!false", "ONE", "TWICE(ONE) == 2", "~0 == -1", "!__has_builtin(__f)", "18446744073709551615 == -1",
        "9223372036854775807 > 0", "1 bitor 2", "1 << 99999999999 == 0", "- - 1", "(ONE ? 1u : -1) > 0",
        "defined(ONE) /* comment */ && ONE // comment",
    ],
)  # fmt: skip
def test_holds(condition: str) -> None:
    assert holds(condition)


@pytest.mark.parametrize("condition", ["0", "defined(X)", "1 == 2", "X", "'\\0'", "1 && 0", "__has_include(<x.h>)"])
def test_does_not_hold(condition: str) -> None:
    assert not holds(condition)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ('"a"', "3:5: error: '\"a\"' is no integer: #if works with integers only"),
        ("1.5", "3:5: error: '1.5' is no integer"),
        ("1 +", "3:2: error: expected a number at the end of the line"),
        ("1 2", "3:7: error: expected an operator before '2'"),
        ("(1", "3:2: error: expected ')' at the end of the line"),
        ("1 ? 2", "3:2: error: expected ':' at the end of the line"),
        ("1 / 0", "3:7: error: division by zero"),
        ("99999999999999999999", "3:5: error: an integer in #if has 64 bits"),
        ("09", "3:5: error: '09' is no integer"),
        ("defined", "3:5: error: 'defined' needs the name of a macro"),
        ("defined(", "3:5: error: 'defined' needs the name of a macro"),
        ("defined(3)", "3:5: error: 'defined' needs the name of a macro"),
        ("defined(X", "3:5: error: 'defined' needs the name of a macro"),
        ("* 1", "3:5: error: expected a number before '*'"),
        ("@", "3:5: error: '@' is no integer"),
    ],
)
def test_malformed(condition: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        holds(condition)
    assert str(caught.value).startswith(f"test.cu:{message}")


def test_elif_and_skipped_conditions() -> None:
    text = '#if 0\n#if "a"\n#endif\n#elif 1\nyes\n#elif 1 / 0\nno\n#else\nno\n#endif\n'
    out = preprocessed(text).text
    assert "yes" in out and "no" not in out
