// features: pointers-to-pointers pointers-to-arrays const-array-references references nullptr function-pointers typedef-struct generic-pointers
// Images as arrays of rows: pointers to pointers, to arrays, references to arrays and to pointers, swaps of buffers.
#include <algorithm>

#include "check.h"

typedef unsigned char Pixel;

struct Image {
	Pixel **rows;
	int width, height;
};

__device__ void swap(Pixel **&a, Pixel **&b) {
	Pixel **t = a;
	a = b;
	b = t;
}

__device__ inline int at(Pixel *const *rows, int y, int x, int height, int width) {
	return y < 0 || x < 0 || y >= height || x >= width || !rows[y] ? 0 : rows[y][x];
}

__device__ void sort9(int (&v)[9]) {
	for (int i = 1; i < 9; i++)
		for (int k = i; k > 0 && v[k - 1] > v[k]; k--) {
			int t = v[k];
			v[k] = v[k - 1];
			v[k - 1] = t;
		}
}

template <int N> __device__ int weighted(const int (&values)[N], const int (*weights)[N]) {
	int sum = 0;
	for (int i = 0; i < N; i++)
		sum += values[i] * (*weights)[i];
	return sum;
}

__device__ const int kernels[2][9] = {{1, 2, 1, 2, 4, 2, 1, 2, 1}, {0, 1, 0, 1, 12, 1, 0, 1, 0}};

// One block runs all rounds, from one image to the other and back.
__global__ void filter(Image *images, int rounds, int *which) {
	Pixel **from = images[0].rows, **to = images[1].rows;
	const int width = images->width, height = images->height;
	const int (*row)[9] = kernels;
	for (int round = 0; round < rounds; round++) {
		for (int k = threadIdx.x; k < width * height; k += blockDim.x) {
			int y = k / width, x = k % width, around[9];
			for (int i = 0; i < 9; i++)
				around[i] = at(from, y + i / 3 - 1, x + i % 3 - 1, height, width);
			int value = weighted(around, row + round % 2) / 16;
			if (round % 3 == 2) {
				sort9(around);
				value = around[4];
			}
			if (to[y] != nullptr)
				to[y][x] = (Pixel)value;
		}
		__syncthreads();
		swap(from, to);
	}
	if (threadIdx.x == 0)
		*which = from == images[1].rows;
}

// The longest path of rising pixels from each start, by pointers into rows.
__global__ void climb(const Image *image, const Pixel **ends, int *lengths, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const Pixel *here = &image->rows[i % image->height][i % image->width],
				*stop = image->rows[i % image->height] + image->width;
	const Pixel **end = &ends[i];
	int local = 0, *length = i % 2 ? &lengths[i] : &local; // global or local memory
	*length = 0;
	while (here + 1 < stop && here[1] >= *here) {
		++here;
		++*length;
	}
	*end = here;
	lengths[i] = *length;
}

int main() {
	const int width = 37, height = 23, rounds = 4, missing = 7;
	std::vector<Pixel> pixels(width * height), other(width * height);
	Random random(53);
	for (Pixel &p : pixels)
		p = (Pixel)random.below(256);
	Pixel *d_pixels[2] = {to_device(pixels), to_device(other)};
	Image images[2];
	for (int k = 0; k < 2; k++) {
		std::vector<Pixel *> rows;
		for (int y = 0; y < height; y++)
			rows.push_back(y == missing ? nullptr : d_pixels[k] + y * width);
		images[k] = {to_device(rows), width, height};
	}
	Image *d_images = to_device(std::vector<Image>(images, images + 2));
	int *which = device_array<int>(1);
	filter<<<1, 256>>>(d_images, rounds, which);
	CHECK_LAUNCH();
	const int weights[2][9] = {{1, 2, 1, 2, 4, 2, 1, 2, 1}, {0, 1, 0, 1, 12, 1, 0, 1, 0}};
	for (int round = 0; round < rounds; round++) {
		for (int y = 0; y < height; y++)
			for (int x = 0; x < width; x++) {
				int around[9], value = 0;
				for (int i = 0; i < 9; i++) {
					int v = y + i / 3 - 1, u = x + i % 3 - 1;
					around[i] = v < 0 || u < 0 || v >= height || u >= width || v == missing ? 0 : pixels[v * width + u];
					value += around[i] * weights[round % 2][i];
				}
				std::sort(around, around + 9);
				if (y != missing)
					other[y * width + x] = (Pixel)(round % 3 == 2 ? around[4] : value / 16);
			}
		std::swap(pixels, other);
	}
	int side = to_host(which, 1)[0];
	expect_equal("which", 0, side, rounds % 2);
	std::vector<Pixel> got = to_host(d_pixels[side], width * height);
	for (int k = 0; k < width * height; k++)
		if (k / width != missing)
			expect_equal("pixel", k, got[k], pixels[k]);

	const int n = 7; // rows above the missing one
	const Pixel **ends = device_array<const Pixel *>(n);
	int *lengths = device_array<int>(n);
	climb<<<1, 32>>>(d_images + side, ends, lengths, n);
	CHECK_LAUNCH();
	std::vector<const Pixel *> got_ends = to_host(ends, n);
	std::vector<int> got_lengths = to_host(lengths, n);
	for (int i = 0; i < n; i++) {
		int x = i;
		while (x + 1 < width && pixels[i * width + x + 1] >= pixels[i * width + x])
			x++;
		expect_equal("length", i, got_lengths[i], x - i);
		expect(got_ends[i] == d_pixels[side] + i * width + x, "end of a path");
	}
	return verdict();
}
