/* Heat in a chip: the host part for kernels.cl. */
#include <utility>

#include "../bench.h"
#include "../opencl.h"

static const int TILE = 16;

static int rows, columns, steps, pyramid;
static const float *initial;
static opencl::Buffer<float> power, from, to;
static opencl::Kernel heat;

static void setup(const Inputs &in) {
	rows = in.number("rows");
	columns = in.number("columns");
	steps = in.number("steps");
	pyramid = in.number("pyramid");
	const float cap = in.number("cap"), step = in.number("step");
	const float rx = in.number("rx"), ry = in.number("ry"), rz = in.number("rz");
	const auto temperature = in.array<float>("temperature");
	initial = temperature.data;
	from.resize(temperature.count);
	to.resize(temperature.count);
	power.assign(in.array<float>("power").data, temperature.count);
	heat.create("heat");
	heat.arguments(pyramid, power, from, to, columns, rows, cap, rx, ry, rz, step);
}

static void reset() {
	from.copy_from(initial);
}

static void run() {
	const int inner = TILE - pyramid * 2;
	const opencl::Range block(TILE, TILE);
	const opencl::Range grid((columns + inner - 1) / inner * TILE, (rows + inner - 1) / inner * TILE);
	for (int done = 0; done < steps; done += pyramid) {
		heat.argument(0, std::min(pyramid, steps - done));
		heat.argument(2, from);
		heat.argument(3, to);
		heat.launch(grid, block);
		std::swap(from, to);
	}
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<float> host = from.to_host();
	out.array("temperature", host.data(), host.size());
}
