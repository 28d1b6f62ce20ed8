// Syntax errors: each is reported, and the statements between them still parse.
__global__ void kernel(float *out, int n) {
    int a = 1 // error 14: expected ';' after '1'
    int b = 2;
    out[0] = a + ; // error 18: expected an expression before ';'
    out[1] = (a + b; // error 20: expected ')' before ';'
    out[2] = a b; // error 15: expected ';' after 'a'
    for (int i = 0, i < n; i++) out[i] = 1; // error 22: expected ';' after 'i'
    if (a > 1 { out[3] = 1; } // error 15: expected ')' before '{'
    out[4 = 1; // error 14: expected ']' before ';'
    out[5] = a ++ b; // error 18: expected ';' after '++'
    a b; // error 6: expected ';' after 'a'
    else out[6] = 1; // error 5-8: 'else' without 'if'
    int 3x = 1; // error 9: unexpected '3'
    out.7 = 1; // error 8: expected ';' after 'out'
    while a < 3 { a++; } // error 11: expected '(' before 'a'
    do { a++; } while (a < 3) // error 30: expected ';' after ')'
    out[8] = @; // error 14: illegal character '@'
    out[9] = 'unterminated; // error 14-27: this quote is never closed
    int late = 3 // error 17: expected ';' after '3'
    late++ // error 11: expected ';' after '++'
    if (late > 3) out[11] = ; // error 29: expected an expression before ';'
    else if (late > 4) out[11] = unknown; // error 34-40: 'unknown' is not declared
    else out[11] = late;
    while (late) if (late out[1] = 1; else out[2] = 2; // error 27-29: expected ')' before 'out'
    out[12] = "never closed; // error 15-28: this string is never closed
    out[13] = late;
    float out2[] = {1, 2; // error 25: expected '}' before ';'
    out[10] = b;
}
__device__ int second(int a, int) { return a +* 1; } // error 47-49: '*' needs a pointer, not 'int'
__device__ int third(int a,) { return a; } // error 28: expected a parameter before ')'
__device__ void no_list( { } // error 26: expected a parameter or ')' before '{'
__device__ int half(int a, { return a; } // error 28: expected a parameter before '{'
__device__ int fourth(int a { return a; } // error 29: expected ')' before '{'
__device__ float 5th(int a) { return a; } // error 18: unexpected '5'
__global__ void good(float *out) { out[0] = undeclared_here; } // error 45-59: 'undeclared_here' is not declared
} // error 1: extraneous '}'
