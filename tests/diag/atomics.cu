// Atomic functions: what they can point to.
struct Cell { int n; float weights[4]; };
__global__ void kernel(int *pi, const int *pci, volatile int *pvi, char *pc, short *ps, unsigned short *pus, long *pl, unsigned long *pul, float *pf, double *pd, Cell *cells, void *pv, int n) { // note 190: 'n' is declared here
    int local = 0; // note 9-13: 'local' is declared here
    int array[4]; // note 9-13: 'array' is declared here
    Cell cell; // note 10-13: 'cell' is declared here
    __shared__ int shared[4];
    atomicAdd(pci, 1); // error 15-17: 'atomicAdd' takes 'int *', 'unsigned int *', 'unsigned long long *', 'float *', 'double *', '__half *' or '__nv_bfloat16 *', not 'const int *' // help: 'atomicAdd' writes there: the data must not be const
    atomicSub(pvi, 1); // error 15-17: 'atomicSub' takes 'int *' or 'unsigned int *', not 'volatile int *' // help: write the cast: '(int *)'
    atomicSub(pc, 1); // error 15-16: 'atomicSub' takes 'int *' or 'unsigned int *', not 'char *' // help: use an 'int', or 'atomicCAS' on the 32-bit word around it
    atomicSub(ps, 1); // error 15-16: 'atomicSub' takes 'int *' or 'unsigned int *', not 'short *' // help: use an 'int', or 'atomicCAS' on the 32-bit word around it
    atomicCAS(ps, 1, 2); // error 15-16: 'atomicCAS' takes 'int *', 'unsigned int *', 'unsigned long long *' or 'unsigned short *', not 'short *' // help: write the cast: '(unsigned short *)'
    atomicMin(pl, 1); // error 15-16: 'atomicMin' takes 'int *', 'unsigned int *', 'long long *' or 'unsigned long long *', not 'long *' // help: write the cast: '(long long *)'
    atomicAnd(pul, 1); // error 15-17: 'atomicAnd' takes 'int *', 'unsigned int *' or 'unsigned long long *', not 'unsigned long *' // help: write the cast: '(unsigned long long *)'
    atomicMax(pf, 1.0f); // error 15-16: 'atomicMax' takes 'int *', 'unsigned int *', 'long long *' or 'unsigned long long *', not 'float *' // help: compare and swap its bits in a loop with 'atomicCAS'
    atomicExch(pd, 1.0); // error 16-17: 'atomicExch' takes 'int *', 'unsigned int *', 'unsigned long long *' or 'float *', not 'double *' // help: compare and swap its bits in a loop with 'atomicCAS'
    atomicInc(pi, 5); // error 15-16: 'atomicInc' takes 'unsigned int *', not 'int *' // help: write the cast: '(unsigned int *)'
    atomicSub(pv, 1); // error 15-16: 'atomicSub' takes 'int *' or 'unsigned int *', not 'void *'
    atomicSub(cells, 1); // error 15-19: 'atomicSub' takes 'int *' or 'unsigned int *', not 'Cell *'
    atomicSub(*pi, 1); // error 15-17: 'atomicSub' takes 'int *' or 'unsigned int *', not 'int' // help: pass its address, with '&'
    atomicSub(n + 1, 1); // error 15-19: 'atomicSub' takes 'int *' or 'unsigned int *', not 'int'
    atomicAdd(&local, 1); // error 15-20: 'atomicAdd' needs an address in global or shared memory: each thread has its own 'local' // help: update it as an ordinary variable, or make it `__shared__`
    atomicAdd(array, 1); // error 15-19: 'atomicAdd' needs an address in global or shared memory: each thread has its own 'array' // help: update it as an ordinary variable, or make it `__shared__`
    atomicAdd(&cell.weights[n], 1); // error 15-30: 'atomicAdd' needs an address in global or shared memory: each thread has its own 'cell' // help: update it as an ordinary variable, or make it `__shared__`
    atomicAdd(&n, 1); // error 15-16: 'atomicAdd' needs an address in global or shared memory: each thread has its own 'n' // help: update it as an ordinary variable, or make it `__shared__`
    atomicAdd(pi); // error 5-17: too few arguments to 'atomicAdd': 1 given, 2 expected
    atomicCAS(pi, 1); // error 5-20: too few arguments to 'atomicCAS': 2 given, 3 expected
    atomicAdd(pi, pf); // error 19-20: cannot convert 'float *' to 'int' in argument 2 of 'atomicAdd'
    pf = atomicAdd(pf, 1.0f); // error 10-28: cannot convert 'float' to 'float *' in an assignment
    atomicAdd(pi, 1.5f);
    atomicAdd(&cells[n].n, 1u);
    atomicAdd(&cells->weights[2], 1);
    atomicAdd(&shared[n], 1);
    atomicCAS(pus, 1, 2);
    atomicMax_block((unsigned long long *)pul, 3);
    atomicExch_system(&pi[n], 3);
}
