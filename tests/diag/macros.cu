// Faults inside a macro's expansion stand at the macro's name; a note leads into the definition.
#define ADD(a, b) ((a) + (b) + nowhere) // note 32-38: in the definition of macro 'ADD'
#define COUNT undefined_count // note 15-29: in the definition of macro 'COUNT'
#define TEN 10; // note 15: in the definition of macro 'TEN'
__global__ void kernel(int *out) {
    out[0] = ADD(1, 2); // error 14-16: 'nowhere' is not declared
    for (int i = 0; i < COUNT; i++) out[i] = 1; // error 25-29: 'undefined_count' is not declared
    out[1] = out[2] + wrong + COUNT; // error 23-27: 'wrong' is not declared
    out[2] = INFINITY % 2; // error 14-25: invalid operands of '%': 'float' and 'int' // help: use 'fmodf' or 'fmod'
    out[3] = ADD(mistake, 2); // error 18-24: 'mistake' is not declared
    out[TEN] = 1; // error 9-11: expected ']' before ';' // error 12: expected a statement before ']'
}
