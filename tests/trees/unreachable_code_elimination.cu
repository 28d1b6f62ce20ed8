// What constants decide: arms, operands, and what stands behind a jump.
__device__ bool seen(int *p)
{
    *p += 1;
    return true;
}

template <int SIZE, bool EVEN> __device__ void level(int *p, volatile int *flag, int t)
{
    if (EVEN)
        p[t] = 1;
    else
        p[t] = 2;
    if (SIZE >= 512 && t < 256)
        p[t] += p[t + 256];
    if (t < 32 && SIZE >= 64)
        p[t] += p[t + 32];
    if (t < 16 || SIZE >= 64) {
        int own = p[t];
        p[t + 1] = own;
    }
    // An effect stays, and so does a volatile access.
    if (seen(p) && SIZE >= 512)
        p[t] = 3;
    if (*flag || SIZE < 512)
        p[t] = 4;
    // Nothing follows a jump; but a section of a switch may use what one before it declares.
    for (int k = 0; k < t; k++) {
        if (p[k] == 7)
            continue;
        if (EVEN || SIZE > 0) {
            p[k] = 8;
            break;
        }
        p[k] = 9;
    }
    switch (t) {
    case 0:
        if (SIZE > 0)
            break;
        p[t] = 10;
    case 1:
        p[t] = 11;
    }
    if (!EVEN)
        return;
    p[t] = 12;
}

__global__ void k(int *p, volatile int *flag)
{
    level<64, false>(p, flag, threadIdx.x);
    level<512, true>(p, flag, threadIdx.x);
}

/* A `switch` over a constant is what stands from its label to the `break`. */
template <int OP> __device__ int apply(int a, int b) {
	switch (OP) {
	case 0:
		return a + b;
	case 1: {
		int twice = 2 * a;
		if (twice < b)
			return twice;
		b++;
	}
	case 2:
		a -= b;
		break;
	case 3: // the break leaves the middle of it: it stays
		if (a < b)
			break;
		a = b;
		break;
	case 4:
		for (int i = 0; i < b; i++) {
			if (i == a)
				break;
			a += i;
		}
		break;
	default:
		a = 7;
	}
	return a;
}

__global__ void switches(int *a, int b) {
	a[0] = apply<0>(a[0], b);
	a[1] = apply<1>(a[1], b);
	a[2] = apply<2>(a[2], b);
	a[3] = apply<3>(a[3], b);
	a[4] = apply<4>(a[4], b);
	a[5] = apply<5>(a[5], b);
	switch (3) {
	case 2:
		a[6] = 1;
	}
}

/* What a section declares that is not entered is there in later ones. */
__global__ void declared_above(int *a) {
	switch (1) {
	case 0:
		int x;
		x = a[1];
		a[2] = x;
		break;
	case 1:
		x = a[0];
		a[3] = x;
	}
}
