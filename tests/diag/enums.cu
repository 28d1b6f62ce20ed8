// Enumerations: an `enum class` is no number, and no number becomes an enumeration.
enum class Mode { Fast, Exact };
enum Plain { One, Two };

__global__ void kernel(int *out, int n, Mode m, Plain p) {
    if (m < 1) n++; // error 9-13: invalid operands of '<': 'Mode' and 'int' // help: write the cast: 'static_cast<int>(...)'
    n = m + 1; // error 9-13: invalid operands of '+': 'Mode' and 'int' // help: write the cast: 'static_cast<int>(...)'
    m | Mode::Exact; // error 5-19: invalid operands of '|': 'Mode' and 'Mode' // help: write the cast: 'static_cast<int>(...)'
    if (!m) n++; // error 10: the operand of '!' must be a number or a pointer, not 'Mode'
    if (m) n++; // error 9: a condition must be a number or a pointer, not 'Mode'
    while (m && n) n--; // error 12: an operand of '&&' must be a number or a pointer, not 'Mode'
    out[m] = 1; // error 9: an index must be an integer, not 'Mode'
    out + m; // error 5-11: invalid operands of '+': 'int *' and 'Mode'
    out += m; // error 5-12: invalid operands of '+=': 'int *' and 'Mode'
    m++; // error 5-7: '++' cannot be applied to 'Mode'
    -m; // error 5-6: '-' cannot be applied to 'Mode'
    n = n ? m : 1; // error 9-17: the arms of '?:' have different types: 'Mode' and 'int'
    p |= Two; // error 5-12: cannot convert 'int' to 'Plain' in an assignment // help: write the cast: 'static_cast<Plain>(...)'
    p++; // error 5-7: '++' cannot be applied to 'Plain'
    if (m == Mode::Fast && m < Mode::Exact) out[p + One] = p | Two;
    m = n ? Mode::Fast : m;
    out[static_cast<int>(m)] = -p + !p;
}
