// Bytes and text: checksums, substring search, run lengths, numbers read from text.
__device__ const unsigned nibble_table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                                0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                                0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

__global__ void crc32(const unsigned char *data, const int *offsets, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned crc = ~0u;
        for (int k = offsets[i]; k < offsets[i + 1]; k++) {
            crc ^= data[k];
            crc = nibble_table[crc & 15] ^ crc >> 4;
            crc = nibble_table[crc & 15] ^ crc >> 4;
        }
        out[i] = ~crc;
    }
}

__device__ bool matches(const char *text, const char *pattern, int length)
{
    for (int k = 0; k < length; k++) {
        if (pattern[k] == '?')
            continue;
        if (text[k] != pattern[k])
            return false;
    }
    return true;
}

__global__ void find(const char *text, int text_length, const char *pattern, int length, bool *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i + length <= text_length && matches(text + i, pattern, length);
}

__device__ int read_number(const char **p)
{
    int sign = 1, value = 0;
    while (**p == ' ')
        ++*p;
    if (**p == '-') {
        sign = -1;
        ++*p;
    }
    while (**p >= '0' && **p <= '9')
        value = value * 10 + (*(*p)++ - '0');
    return sign * value;
}

__global__ void numbers(const char *text, const int *starts, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const char *p = text + starts[i];
        int sum = 0, count = 0;
        while (*p && *p != ';') {
            sum += read_number(&p);
            count++;
            while (*p == ' ' || *p == ',')
                p++;
        }
        out[i] = sum * 10 + count;
    }
}

__global__ void run_lengths(const unsigned char *in, unsigned char *out, int *lengths, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned char *p = in + i * width, *end = p + width;
    unsigned char *q = out + i * width * 2, *start = q;
    while (p < end) {
        unsigned char value = *p, count = 0;
        do
            count++;
        while (++p < end && *p == value && count < 5);
        *q++ = count;
        *q++ = value;
    }
    lengths[i] = (int)(q - start);
}
