/* What it costs to launch a kernel that does nothing. */
#include "../bench.h"
#include "../opencl.h"

static int blocks, launches;
static bool wait_for_each;
static opencl::Buffer<int> untouched;
static opencl::Kernel nothing;

static void setup(const Inputs &in) {
	blocks = in.number("blocks");
	launches = in.number("launches");
	wait_for_each = in.number("wait_for_each");
	untouched.assign(in.array<int>("untouched").data, in.array<int>("untouched").count);
	nothing.create("nothing");
	nothing.arguments(untouched);
}

static void reset() {
}

static void run() {
	for (int i = 0; i < launches; i++) {
		nothing.launch(32 * blocks, 32);
		if (wait_for_each)
			opencl::finish();
	}
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<int> host = untouched.to_host();
	out.array("untouched", host.data(), host.size());
}
