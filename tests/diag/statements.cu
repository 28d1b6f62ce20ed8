// Statements in the wrong place, or with the wrong operands.
__device__ int function(int a) { // note 16-23: 'function' is declared here
    if (a) return; // error 12-17: 'function' must return a value of type 'int'
    break; // error 5-9: 'break' outside a loop or switch
    continue; // error 5-12: 'continue' outside a loop
    case 3: a = 1; // error 5-8: 'case' outside a switch
    default: ; // error 5-11: 'default' outside a switch
    static_assert(sizeof(int) == 8, "int has 64 bits"); // error 19-34: static assertion failed: "int has 64 bits"
}
__device__ void nothing(int a) { // note 17-23: 'nothing' is declared here
    return a; // error 12: 'nothing' returns nothing: its result type is void
}
__global__ void kernel(int *out, float x, int n) { // note 47: 'n' is first declared here // note 17-22: 'kernel' is declared here
    switch (x) { case 1: break; } // error 13: the operand of 'switch' must be an integer, not 'float'
    switch (n) {
    case 1: out[0] = 1; // note 5-8: the first one is here
    case 1: out[0] = 2; // error 10: 'case 1' appears twice in the switch
    case n: break; // error 10: the label of a case must be an integer constant: 'n' is known only at run time
    case 2: int y = 3; // note 17: 'y' is declared here
    case 4: { out[0] = 2; break; } // error 5-8: this label jumps over the initialisation of 'y' // help: put the statements of the section before into braces
    default: break; // note 5-11: the first one is here
    default: break; // error 5-11: 'default' appears twice in the switch
    }
    int twice = 1; // note 9-13: 'twice' is first declared here
    float twice = 2; // error 11-15: 'twice' is declared twice in the same scope
    int n = 3; // error 9: 'n' is declared twice in the same scope
    const int constant; // error 15-22: const variable 'constant' has no initialiser
    void inner(int); // note 10-14: the first declaration is here
    int inner(int); // error 9-13: 'inner' is declared with result type 'void' and 'int'
    for (int k = 0; k < undefined; bad++) { nowhere = k; } // error 25-33: 'undefined' is not declared // error 36-38: 'bad' is not declared // error 45-51: 'nowhere' is not declared
    #pragma unroll n // error 13-20: the operand of '#pragma unroll' must be a positive integer constant: 'n' is known only at run time
    for (;;) { int twice = k; } // error 28: 'k' is not declared
    int ok = twice;
    return 3; // error 12: 'kernel' returns nothing: its result type is void
}
