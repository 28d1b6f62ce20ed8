// Statements that do little: empty bodies, bare blocks, shadowing, loops that run once or never, dead code.
__global__ void odd(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ;
    if (i < n) {
        int x = in[i];
        if (x > 3)
            ;
        else
            x += 50;
        if (x & 1) {
        } else {
            x++;
        }
        {
            int x = 9;
            {
                int x = 4, y = x;
                out[i] = y;
            }
            out[i] += x;
        }
        for (;;)
            break;
        for (int k = 0; k < 0; k++)
            x = 0;
        while (false)
            x = 1;
        do
            x += 2;
        while (0);
        do {
            if (x % 3 == 0)
                break;
            x += 5;
            if (x % 3 == 1)
                continue;
            x += 7;
        } while (0);
        switch (x) {
        }
        switch (x & 1)
        case 1:
            x += 100;
        for (int k = 0, m = 10; k < m; k += 3, m--)
            x += k * m;
        (void)x;
        x;
        out[i] += x;
        if (0)
            out[n] = 0;
        if (1)
            return;
        out[i] = -9;
    }
}
