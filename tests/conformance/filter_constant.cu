// features: constant-variables memcpy-symbol value-parameters function-templates kernel-templates constexpr nested-structs enums
// Image filters whose weights are in constant memory, as a table of structs; the radius is a template argument.
#include "check.h"

enum Filter { BOX, GAUSS, SHARPEN, FILTERS };

constexpr int MOST_RADIUS = 3, MOST_WIDTH = 2 * MOST_RADIUS + 1;

struct Weights {
	float w[MOST_WIDTH][MOST_WIDTH];
	struct {
		float scale;
		int offset;
	} after;
};

__constant__ Weights filters[FILTERS];
__constant__ int clamp_to = 255;
__constant__ float row_kernel[MOST_WIDTH] = {0.0f, 0.0f, 0.25f, 0.5f, 0.25f};

template <int RADIUS>
__global__ void convolve(const unsigned char *in, unsigned char *out, int width, int height, Filter filter) {
	constexpr int SIDE = 16 + 2 * RADIUS;
	__shared__ unsigned char tile[SIDE][SIDE];
	const int left = blockIdx.x * 16 - RADIUS, top = blockIdx.y * 16 - RADIUS;
	for (int y = threadIdx.y; y < SIDE; y += 16)
		for (int x = threadIdx.x; x < SIDE; x += 16) {
			int sx = min(max(left + x, 0), width - 1), sy = min(max(top + y, 0), height - 1);
			tile[y][x] = in[sy * width + sx];
		}
	__syncthreads();
	const int x = left + RADIUS + threadIdx.x, y = top + RADIUS + threadIdx.y;
	if (x >= width || y >= height)
		return;
	const Weights &weights = filters[filter];
	float sum = 0;
#pragma unroll
	for (int dy = 0; dy <= 2 * RADIUS; dy++)
#pragma unroll
		for (int dx = 0; dx <= 2 * RADIUS; dx++)
			sum += weights.w[dy][dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
	int value = (int)(sum * weights.after.scale) + weights.after.offset;
	out[y * width + x] = (unsigned char)min(max(value, 0), clamp_to);
}

__global__ void blur_rows(const unsigned char *in, float *out, int width, int height) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x >= width)
		return;
	float sum = 0;
	for (int d = -MOST_RADIUS; d <= MOST_RADIUS; d++)
		if (x + d >= 0 && x + d < width)
			sum += row_kernel[MOST_RADIUS - 1 + d < 0 ? 0 : MOST_RADIUS - 1 + d] * in[y * width + x + d];
	out[y * width + x] = sum;
}

int main() {
	const int width = 70, height = 45;
	std::vector<unsigned char> image(width * height);
	Random random(1);
	for (auto &pixel : image)
		pixel = (unsigned char)random.below(256);
	Weights host[FILTERS] = {};
	const int radii[FILTERS] = {1, 3, 2};
	for (int f = 0; f < FILTERS; f++) {
		float sum = 0;
		int r = radii[f];
		for (int y = 0; y <= 2 * r; y++)
			for (int x = 0; x <= 2 * r; x++)
				sum += host[f].w[y][x] = f == BOX           ? 1
										 : f == GAUSS       ? 8 >> (abs(x - r) + abs(y - r))
										 : x == r && y == r ? 33
															: -1;
		host[f].after = {1 / sum, f * 3};
	}
	for (int f = 0; f < FILTERS; f++)
		CHECK(cudaMemcpyToSymbol(filters, &host[f], sizeof(Weights), f * sizeof(Weights), cudaMemcpyHostToDevice));
	int limit = 250;
	CHECK(cudaMemcpyToSymbol(clamp_to, &limit, sizeof(int)));
	unsigned char *in = to_device(image), *out = device_array<unsigned char>(image.size());
	dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
	for (int f = 0; f < FILTERS; f++) {
		int r = radii[f];
		switch (r) {
		case 1: convolve<1><<<grid, block>>>(in, out, width, height, (Filter)f); break;
		case 2: convolve<2><<<grid, block>>>(in, out, width, height, (Filter)f); break;
		case 3: convolve<3><<<grid, block>>>(in, out, width, height, (Filter)f); break;
		}
		CHECK_LAUNCH();
		std::vector<unsigned char> got = to_host(out, image.size());
		for (int y = 0; y < height; y++)
			for (int x = 0; x < width; x++) {
				float sum = 0;
				for (int dy = -r; dy <= r; dy++)
					for (int dx = -r; dx <= r; dx++) {
						int sx = std::min(std::max(x + dx, 0), width - 1),
							sy = std::min(std::max(y + dy, 0), height - 1);
						sum += host[f].w[dy + r][dx + r] * image[sy * width + sx];
					}
				int value = (int)(sum * host[f].after.scale) + host[f].after.offset;
				// A sum near an integer may round to either side.
				expect(std::abs(got[y * width + x] - std::min(std::max(value, 0), 250)) <= 1, "pixel");
			}
	}
	float *rows = device_array<float>(image.size());
	blur_rows<<<dim3(3, height), 32>>>(in, rows, width, height);
	CHECK_LAUNCH();
	std::vector<float> blurred = to_host(rows, image.size());
	const float weights[] = {0, 0, 0.25f, 0.5f, 0.25f};
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			float sum = 0;
			for (int k = -2; k < 4; k++)
				if (x + k >= 0 && x + k < width && k + 2 < 5)
					sum += weights[k + 2] * image[y * width + x + k];
			expect_near("row", y * width + x, blurred[y * width + x], sum, 1e-5);
		}
	return verdict();
}
