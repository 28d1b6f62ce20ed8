// Operators and conversions.
struct Pair { int a; float b; }; // note 8-11: 'Pair' is declared here
struct Fixed { const int id; int value; }; // note 8-12: 'Fixed' is declared here
__global__ void kernel(float *f, int *i, const int *ci, Pair p, Pair *pp, const int n, bool b, void *v, Fixed *fixed) { // note 85: 'n' is declared here
    f + f; // error 5-9: invalid operands of '+': 'float *' and 'float *'
    f * 2; // error 5-9: invalid operands of '*': 'float *' and 'int'
    f[0] % 2; // error 5-12: invalid operands of '%': 'float' and 'int' // help: use 'fmodf' or 'fmod'
    f[0] & 1; // error 5-12: invalid operands of '&': 'float' and 'int'
    ~f[0]; // error 5-9: '~' cannot be applied to 'float'
    -p; // error 5-6: '-' cannot be applied to 'Pair'
    !p; // error 6: the operand of '!' must be a number or a pointer, not 'Pair'
    p + 1; // error 5-9: invalid operands of '+': 'Pair' and 'int'
    p == p; // error 5-10: invalid operands of '==': 'Pair' and 'Pair'
    f - i; // error 5-9: the difference of 'float *' and 'int *' has no meaning
    f == i; // error 5-10: invalid operands of '==': 'float *' and 'int *'
    *n; // error 5-6: '*' needs a pointer, not 'int'
    n[3]; // error 5-8: only an array or a pointer can be indexed, not 'int'
    f[1.5f]; // error 7-10: an index must be an integer, not 'float'
    p[0]; // error 5-8: only an array or a pointer can be indexed, not 'Pair'
    v[0]; // error 5-8: cannot index a void pointer // help: cast it to a pointer to a type first
    *v; // error 5-6: a void pointer cannot be dereferenced // help: cast it to a pointer to a type first
    v + 1; // error 5-9: cannot do arithmetic on a void pointer // help: cast it to a pointer to a type first
    n = 3; // error 5: cannot assign to 'n': it is const
    const int known = 1; // note 15-19: 'known' is declared here
    known = 2; // error 5-9: cannot assign to 'known': it is const
    known++; // error 5-9: cannot increment 'known': it is const
    (b ? i[0] : known) = 4; // error 17-21: cannot assign to 'known': it is const
    (b ? i[0] : f[0]) = 4; // error 5-21: cannot assign to this: the arms of '?:' are not two variables of one type // help: write an `if`
    (b ? i[0] : 3) += 4; // error 17: cannot assign to this: it is a value, not a variable or a place in memory
    (b ? p : *pp).a = 1;
    *ci = 3; // error 5-7: cannot assign to what a pointer to const points to
    ci[0]++; // error 5-9: cannot increment what a pointer to const points to
    fixed->id = 3; // error 5-13: cannot assign to 'id': the member is const
    3 = n; // error 5: cannot assign to this: it is a value, not a variable or a place in memory
    f[0] + 1 = 2; // error 5-12: cannot assign to this: it is a value, not a variable or a place in memory
    b++; // error 5-7: '++' cannot be applied to bool
    &3; // error 5-6: '&' needs a variable or a place in memory
    ++p; // error 5-7: '++' cannot be applied to 'Pair'
    p += 1; // error 5-10: 'Pair' has no operator '+=' that takes 'int'
    f += 1.5f; // error 5-13: invalid operands of '+=': 'float *' and 'float'
    int local[3], other[3];
    local = other; // error 5-9: cannot assign to an array // help: do it element by element
    i = f; // error 9: cannot convert 'float *' to 'int *' in an assignment // help: write the cast: '(int *)'
    i = ci; // error 9-10: cannot convert 'const int *' to 'int *' in an assignment // help: 'const' would be lost: declare the target 'const int *'
    i = v; // error 9: cannot convert 'void *' to 'int *' in an assignment // help: write the cast: '(int *)'
    i = 5; // error 9: cannot convert 'int' to 'int *' in an assignment
    f = 0.0; // error 9-11: cannot convert 'double' to 'float *' in an assignment
    n ? p : 3; // error 5-13: the arms of '?:' have different types: 'Pair' and 'int'
    n ? f : i; // error 5-13: the arms of '?:' have different types: 'float *' and 'int *'
    p ? 1 : 2; // error 5: a condition must be a number or a pointer, not 'Pair'
    p->a = 1; // error 5: '->' needs a pointer to a struct, not 'Pair' // help: write '.'
    pp.a = 1; // error 5-6: '.' needs a struct, not the pointer 'Pair *' // help: write '->'
    n.x = 1; // error 5: 'int' is not a struct: it has no member 'x'
    pp->c = p.aa; // error 9: 'Pair' has no member 'c' // error 15-16: 'Pair' has no member 'aa'
    (int)p; // error 5-10: cannot convert 'Pair' to 'int'
    (Pair)n; // error 5-11: 'Pair' has no constructor that takes arguments // help: write '{...}' to initialise its members
    (int)f; // error 5-10: cannot cast 'float *' to 'int' // help: cast to a 64-bit integer first
    (float *)f[0]; // error 5-17: cannot cast 'float' to 'float *'
    int *q = f; // error 14: cannot convert 'float *' to 'int *' in the initialiser of 'q' // help: write the cast: '(int *)'
    int r = f; // error 13: cannot convert 'float *' to 'int' in the initialiser of 'r'
    Pair s = 3; // error 14: cannot convert 'int' to 'Pair' in the initialiser of 's'
    if (p) n; // error 9: a condition must be a number or a pointer, not 'Pair'
    while (p) {} // error 12: a condition must be a number or a pointer, not 'Pair'
    f[0] = p && b; // error 12: an operand of '&&' must be a number or a pointer, not 'Pair'
    f[0] <<= 1; // error 5-14: invalid operands of '<<': 'float' and 'int'
    i[0] |= 1.5; // error 5-15: invalid operands of '|': 'int' and 'double'
    u8"text"; // error 5-12: strings with the prefix 'u8' are not supported in device code
    f[0] = 'ab'; // error 12-15: the character 'ab' is not supported
    f[0] = '\x'; // error 12-15: the character '\x' is not supported
    f[0] = '\xg1' + '\x141'; // error 12-17: the character '\xg1' is not supported // error 21-27: the character '\x141' is not supported
    f[0] = '\9' + '\400'; // error 12-15: the character '\9' is not supported // error 19-24: the character '\400' is not supported
    f[0] = 08; // error 12-13: invalid octal constant
    f[0] = 99999999999999999999; // error 12-31: the integer 99999999999999999999 is too large for any type
}
