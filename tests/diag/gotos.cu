// Jumps that lead to no place, or where they must not.
__global__ void nowhere(int *a, int n) {
    if (n) goto end; // error 12-15: there is no label 'end' in the function
}
__global__ void twice(int *a, int n) {
again: // note 1-5: the first one is here
    if (n) goto again;
again: // error 1-5: label 'again' appears twice in the function
    a[0] = 1;
}
__global__ void into_a_block(int *a, int n) {
    if (n) goto inside; // error 12-15: 'goto inside' jumps into a block // help: jump to a label in the same block, or in one around it
    for (;;) {
    inside: // note 5-10: the label is here
        a[0]++;
    }
}
__global__ void into_a_section(int *a, int n) {
    switch (n) {
    case 1: goto other;
    case 2: a[0] = 1;
    other: a[0]++;
    }
}
__global__ void past_a_value(int *a, int n) {
    if (n) goto end; // error 12-15: 'goto end' jumps over the initialisation of 'x' // help: declare it before the jump, or put the statements between into braces
    int x = a[1]; // note 9: 'x' is declared here
    a[0] = x;
end:
    a[2] = 1;
}
__global__ void two_ways(int *a, int n) {
    if (n) goto middle; // error 12-15: 'goto middle' is a second way into the loop that the jumps to 'top' make // help: jump to 'top', with a variable that tells it to go on at 'middle'
top: // note 1-3: the loop begins here
    a[0]++;
middle: // note 1-6: the label is here
    if (a[0] < n) goto top;
}
__global__ void in_no_loop(int *a, int n) {
    if (n) goto end;
    break; // error 5-9: 'break' outside a loop or switch
end:
    a[0] = 1;
}
__global__ void as_a_value(int *a, int n) {
    a[0] = ({ goto end; n; }); // error 15-18: a block that is an expression can hold no 'goto' and no label
end:
    a[0] = 1;
}
