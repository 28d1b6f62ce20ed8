// Literals, sizeof, enums, characters, constant expressions.
enum Colour { RED, GREEN = 5, BLUE, LAST = BLUE + 10, NEGATIVE = -4 };
typedef enum { SMALL = 1, LARGE = 1 << 20 } Size;
#define COUNT (sizeof(long long) / sizeof(short))

__global__ void literals(const int *in, long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        enum Colour colour = in[i] & 1 ? GREEN : NEGATIVE;
        Size size = in[i] > 50 ? LARGE : SMALL;
        int table[COUNT + LAST] = {1, 0, 7, 8};
        long long r = colour * 3 + size;
        r += 0x7fffffff + 0xffffffffu + 0x100000000 + 017 + 0b101 + 'z' - '\n' + '\x41' + '\0' + '\'';
        r += sizeof(table) + sizeof table[0] + sizeof(char *) + sizeof(double);
        r += table[in[i] % (int)(sizeof(table) / sizeof(table[0]))];
        r += 1 ? 2 : 3;
        r += (1 << 10) % 7 + -7 / 2 + -7 % 3 + (5 & ~1) + !0 + (3 > 2 > 1);
        r += 12345678901234 * (colour == GREEN);
        switch (colour) {
        case RED:
            r = 0;
            break;
        case GREEN:
            r += BLUE;
            break;
        case NEGATIVE:
            r -= LAST;
        }
        out[i] = r;
    }
}
