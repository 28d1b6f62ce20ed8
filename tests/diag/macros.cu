// Faults inside a macro's expansion name the line, not the column.
#define ADD(a, b) ((a) + (b) + nowhere)
#define COUNT undefined_count
__global__ void kernel(int *out) {
    out[0] = ADD(1, 2); // error: 'nowhere' is not declared
    for (int i = 0; i < COUNT; i++) out[i] = 1; // error: 'undefined_count' is not declared
    out[1] = out[2] + wrong + COUNT; // error 23-27: 'wrong' is not declared
    out[2] = INFINITY % 2; // error: invalid operands of '%': 'float' and 'int' // help: use 'fmodf' or 'fmod'
}
