/* Recursion whose lanes diverge until each is alone, with arguments of every kind. */
typedef struct {
	short step;
	bool odd;
	double weight;
} Move;

__device__ void walk(const int *numbers, const int *place, int lane, unsigned char depth, Move move, float *sum)
{
	if (depth > 9)
		return;
	const int here = *place;
	*sum += here * (float)move.weight + lane;
	if (here % 3 == 0)
		walk(numbers, numbers + ((lane & 63) + here) % 40, lane + 1, depth + 1, move, sum);
	if (here % 2 == move.odd) {
		move.step++;
		move.weight += 0.5;
		walk(numbers, place + move.step % 8, lane - 1, depth + 2, move, sum);
	} else if (depth < 3) {
		move.odd = !move.odd;
		walk(numbers, place + 1, lane, depth + 1, move, sum);
	}
}

__global__ void walks(const int *in, float *out, int n)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= n)
		return;
	const Move move = {(short)(in[t] & 3), (in[t] & 1) != 0, 1.0};
	float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
	walk(in, in + t % 30, threadIdx.x, 0, move, &sums[t & 3]);
	walk(in, in + t % 30, t * 3, 5, move, sums);
	out[t] = sums[0] + sums[1] + 2 * sums[2] + sums[3];
}

/* The head declares what the rest needs, changes a parameter, and has a loop of its own. */
__device__ void descend(const int *numbers, int at, int end, int *found)
{
	const int middle = (at + end) / 2;
	int sum = 0;
	for (int i = at; i < end && i < at + 3; i++)
		sum += numbers[i];
	end -= sum & 1;
	if (end - at < 2) {
		*found += sum;
		return;
	}
	descend(numbers, at, middle, found);
	*found ^= sum;
	if (*found & 4)
		descend(numbers, middle + 1, end, found);
}

__global__ void descents(const int *in, int *out, int n)
{
	const int t = blockIdx.x * blockDim.x + threadIdx.x;
	int found = 0;
	if (t < n)
		descend(in, t % 5, 40 - t % 7, &found);
	if (t < n)
		out[t] = found;
}
