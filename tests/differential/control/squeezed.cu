/* Loops that few lanes of a gang enter: in wide gangs they run in narrow ones. */

__global__ void by_kind(const int *kind, const int *in, int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int x = in[i], steps = 3 + in[0] % 5;
	float f = x * 0.5f;
	if (kind[i] % 5 == 0) {
		for (int k = 0; k < steps; k++) {
			x = x * 3 + k ^ x >> 2;
			f = f * 0.5f + x % 7;
		}
	} else if (kind[i] % 5 == 1) {
		for (int k = 0; k < kind[i] % 11; k++) {
			x = x * 5 - k * i ^ 9;
			if (x % 13 == 3)
				break;
			if (x % 3 == 1)
				continue;
			f += x % 100;
		}
	}
	out[2 * i] = x;
	out[2 * i + 1] = (int)f;
}

__global__ void all_types(const int *kind, const int *in, long long *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	long long a = in[i] * 1000000007LL;
	double d = in[i] * 0.25;
	unsigned char c = in[i];
	short s = in[i] * 3;
	bool odd = in[i] & 1;
	const int *p = in + i;
	int last = -1;
	if (kind[i] & 2) {
		for (int k = 0; k < 4 + kind[i] % 3; k++) {
			a = a * 6364136223846793005LL + (long long)d + i;
			d = d * 0.5 + c;
			c = c * 7 + s;
			s = s - c * 3;
			odd = odd != (c > 100);
			p = p == in ? in + n - 1 : p - 1;
			last = *p + k;
		}
	}
	out[4 * i] = a;
	out[4 * i + 1] = (long long)(d * 1024);
	out[4 * i + 2] = c * 100000LL + s * 10 + odd;
	out[4 * i + 3] = (p - in) * 1000LL + last;
}

__global__ void stores(const int *kind, int *seen, int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int own = 0;
	if (kind[i] % 3 == 0) {
		for (int k = 0; k < 5; k++) {
			int at = 4 * i + (kind[i] + k) % 4;
			seen[at] += i * 10 + k;
			own = own * 3 + seen[4 * i] % 1000;
		}
	}
	out[i] = own;
}
