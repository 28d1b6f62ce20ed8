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
    if (n) goto middle; // error 12-15: 'goto middle' is a second way into the loop that the jumps to 'top' make // help: jump to 'top', with a variable that says to continue at 'middle'
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
struct Guard {
    int *at;
    __device__ Guard(int *at) : at(at) {}
    __device__ ~Guard() { *at = 1; }
};
struct Counted {
    int value;
    __device__ Counted() : value(1) {}
};
__global__ void past_a_constructor(int *a, int n) {
    if (n) goto end; // error 12-15: 'goto end' jumps over the initialisation of 'c' // help: declare it before the jump, or put the statements between into braces
    Counted c; // note 13: 'c' is declared here
    a[0] = c.value;
end:
    a[2] = 1;
}
__global__ void past_an_object(int *a, int n) {
    if (n) goto end; // error 12-15: 'goto end' jumps over the initialisation of 'g' // help: declare it before the jump, or put the statements between into braces
    Guard g(a); // note 11: 'g' is declared here
end:
    a[2] = 1;
}
__global__ void past_a_structured_binding(int *a, int n) {
    if (n) goto end; // error 12-15: 'goto end' jumps over the initialisation of 'value' // help: declare it before the jump, or put the statements between into braces
    auto [value] = Counted(); // note 10: 'value' is declared here
    a[0] = value;
end:
    a[2] = 1;
}
__global__ void into_an_if(int *a, int n) {
    if (n) goto inside; // error 12-15: 'goto inside' jumps into a block // help: jump to a label in the same block, or in one around it
    if (int q = a[1]; q > 1) {
    inside: // note 5-10: the label is here
        a[0] = q;
    }
}
__global__ void into_a_range_for(int *a, int n) {
    int list[] = {1, 2};
    if (n) goto inside; // error 12-15: 'goto inside' jumps into a block // help: jump to a label in the same block, or in one around it
    for (int x : list) {
    inside: // note 5-10: the label is here
        a[0] = x;
    }
}
__global__ void into_the_other_arm(int *a, int n) {
    if (int q = a[1]; q > 1) {
        goto inside; // error 9-12: 'goto inside' jumps into a block // help: jump to a label in the same block, or in one around it
    } else {
    inside: // note 5-10: the label is here
        a[0] = q;
    }
}
__global__ void back_into_a_section(int *a, int n) {
    switch (int q = a[1]; q) {
    case 1:
    one: // note 5-7: the loop begins here
        a[0] = q;
    case 2: // error 5-8: this section of the switch is a second way into the loop that the jumps to 'one' make // note 5-8: the label is here // help: jump to 'one', with a variable that says to continue at this section
        if (n) goto one;
    }
}
