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
template <int N> __global__ void into_a_block(int *a, int n) {
    if (n) goto inside; // error 12-15: 'goto inside' jumps into an 'if constexpr' // help: jump to a label in the same block, or in one around it
    if constexpr (N > 1) {
    inside: // note 5-10: the label is here
        a[0]++;
    }
}
template __global__ void into_a_block<2>(int *, int);
__global__ void past_a_value(int *a, int n) {
    if (n) goto end; // error 12-15: 'goto end' jumps over the initialisation of 'x' // help: declare it before the jump, or put the statements between into braces
    int x = a[1]; // note 9: 'x' is declared here
    a[0] = x;
end:
    a[2] = 1;
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
    if (n) goto inside; // error 12-15: 'goto inside' jumps over the initialisation of 'q' // help: declare it before the jump, or put the statements between into braces
    if (int q = a[1]; q > 1) { // note 13: 'q' is declared here
    inside:
        a[0] = q;
    }
}
__global__ void into_a_range_for(int *a, int n) {
    int list[] = {1, 2};
    if (n) goto inside; // error 12-15: 'goto inside' jumps over the initialisation of 'x' // help: declare it before the jump, or put the statements between into braces
    for (int x : list) { // note 14: 'x' is declared here
    inside:
        a[0] = x;
    }
}
__global__ void into_a_for(int *a, int n) {
    if (n) goto inside; // error 12-15: 'goto inside' jumps over the initialisation of 'i' // help: declare it before the jump, or put the statements between into braces
    for (int i = 0; i < n; i++) { // note 14: 'i' is declared here
    inside:
        a[i] = n;
    }
}
__global__ void into_a_while_with_a_declaration(int *a, int n) {
    if (n) goto inside; // error 12-15: 'goto inside' jumps over the initialisation of 'q' // help: declare it before the jump, or put the statements between into braces
    while (int q = a[0]) { // note 16: 'q' is declared here
        {
        inside:
            a[0] = q - 1;
        }
    }
}
__global__ void past_a_value_in_a_loop(int *a, int n) {
    if (n) goto inside; // error 12-15: 'goto inside' jumps over the initialisation of 'q' // help: declare it before the jump, or put the statements between into braces
    do {
        int q = a[1]; // note 13: 'q' is declared here
        if (q > 1) {
        inside:
            a[0] = q;
        }
    } while (a[0] < n);
}
__global__ void past_an_object_in_a_block(int *a, int n) {
    if (n) {
        goto inside; // error 9-12: 'goto inside' jumps over the initialisation of 'g' // help: declare it before the jump, or put the statements between into braces
    } else {
        Guard g(a); // note 15: 'g' is declared here
    inside:
        a[0] = 3;
    }
}
__global__ void past_a_constructor_in_a_loop(int *a, int n) {
    if (n) goto inside; // error 12-15: 'goto inside' jumps over the initialisation of 'c' // help: declare it before the jump, or put the statements between into braces
    while (n-- > 0) {
        Counted c; // note 17: 'c' is declared here
    inside:
        a[0] = c.value;
    }
}
__global__ void a_label_past_a_value_in_a_loop(int *a, int n) {
    switch (n) {
    case 0:
        do {
            int q = a[n]; // note 17: 'q' is declared here
            a[0] += q;
    case 1: // error 5-8: this label of the switch jumps over the initialisation of 'q' // help: declare it before the jump, or put the statements between into braces
            a[1]++;
        } while (--n > 0);
    }
}
__global__ void a_label_into_a_for(int *a, int n) {
    switch (n) {
        for (int i = 0; i < 3; i++) { // note 18: 'i' is declared here
        default: // error 9-15: this label of the switch jumps over the initialisation of 'i' // help: declare it before the jump, or put the statements between into braces
            a[i]++;
        }
    }
}
__global__ void a_label_between_the_sections(int *a, int n) {
    switch (n) {
    case 0:
        int q = 3; // note 13: 'q' is declared here
    one:
        a[0] = q;
        break;
    case 2: // error 5-8: this label of the switch jumps over the initialisation of 'q' // help: declare it before the jump, or put the statements between into braces
        goto one;
    }
}
__global__ void twice_in_a_switch(int *a, int n) {
    switch (n) {
    case 1: // note 5-8: the first one is here
        while (n-- > 0) {
        case 1: // error 14: 'case 1' appears twice in the switch
            a[0]++;
        }
    }
}
__global__ void a_label_in_an_expression(int *a, int n) {
    switch (n) {
    case 0: a[0] = ({ case 1: n; n; }); // error 23-26: a block that is an expression can hold no label of a switch around it
    }
}
