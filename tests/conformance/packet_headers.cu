// features: bit-fields typedef-struct tags unions cstdint nested-structs alignment pointers-to-arrays
// Packets: headers with bit-fields, read, checked, changed and written back by a thread each.
#include <cstdint>
#include <cstring>

#include "check.h"

struct header {
	uint32_t version : 4;
	uint32_t length : 4;
	uint32_t : 2;
	uint32_t urgent : 1;
	uint32_t priority : 5;
	uint32_t bytes : 16;
	uint16_t checksum;
	uint8_t hops;
	uint8_t protocol;
	int32_t delta : 6;
	int32_t offset : 20;
	uint32_t kind : 3;
	unsigned last : 1;
};

typedef struct packet {
	struct header head;
	union {
		uint8_t bytes[20];
		struct {
			uint16_t source, target;
			uint32_t sequence;
		} port;
	} body;
} packet_t;

typedef struct alignas(8) {
	int64_t total : 40;
	uint64_t count : 23;
	bool odd : 1;
} Sums;

static_assert(sizeof(header) == 12, "three words");
static_assert(sizeof(Sums) == 8, "one word");

__host__ __device__ inline uint16_t checksum_of(const packet_t *p) {
	const uint8_t (*bytes)[20] = &p->body.bytes;
	uint32_t sum = p->head.version + p->head.priority * 17 + p->head.bytes + p->head.hops;
	for (int i = 0; i < 20; i++)
		sum += (*bytes)[i] << (i % 2 * 8);
	sum += (uint32_t)(p->head.offset * 3 + p->head.delta);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

__host__ __device__ inline bool forward(packet_t *p, Sums &sums) {
	struct header &head = p->head;
	if (head.checksum != checksum_of(p) || head.hops == 0)
		return false;
	head.hops--;
	head.priority += 3; // wraps at 32
	head.urgent = head.priority > 20;
	head.delta -= 5; // wraps below -32
	head.offset = head.offset * 2 - head.delta;
	head.kind = head.kind ^ 5u;
	head.last = !head.last;
	p->body.port.sequence += head.version++;
	sums.total += head.offset;
	sums.count++;
	sums.odd ^= head.bytes & 1;
	head.checksum = checksum_of(p);
	return true;
}

__global__ void route(packet_t *packets, Sums *sums, int *dropped, int n, int rounds) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Sums mine = {-7, 0, false};
	packet_t local = packets[i];
	for (int r = 0; r < rounds; r++)
		if (!forward(&local, mine)) {
			atomicAdd(dropped, 1);
			break;
		}
	packets[i] = local;
	sums[i] = mine;
}

int main() {
	const int n = 250, rounds = 9;
	std::vector<packet_t> packets(n);
	Random random(21);
	for (int i = 0; i < n; i++) {
		packet_t &p = packets[i];
		memset(&p, 0, sizeof p);
		p.head.version = i % 16;
		p.head.length = 5;
		p.head.priority = random.next();
		p.head.bytes = random.next();
		p.head.hops = random.below(20);
		p.head.protocol = i % 2 ? 6 : 17;
		p.head.delta = random.below(64) - 32;
		p.head.offset = random.below(1000) - 500;
		p.head.kind = i;
		p.head.last = i;
		for (uint8_t &byte : p.body.bytes)
			byte = (uint8_t)random.next();
		p.head.checksum = checksum_of(&p) + (i % 10 == 0);
	}
	packet_t *d_packets = to_device(packets);
	Sums *d_sums = device_array<Sums>(n);
	int *d_dropped = device_array<int>(1);
	route<<<(n + 63) / 64, 64>>>(d_packets, d_sums, d_dropped, n, rounds);
	CHECK_LAUNCH();
	std::vector<packet_t> got = to_host(d_packets, n);
	std::vector<Sums> sums = to_host(d_sums, n);
	int dropped = 0;
	for (int i = 0; i < n; i++) {
		Sums mine = {-7, 0, false};
		packet_t p = packets[i];
		int r = 0;
		while (r < rounds && forward(&p, mine))
			r++;
		dropped += r < rounds;
		expect(memcmp(&p, &got[i], sizeof p) == 0, "packet");
		expect_equal("offset", i, got[i].head.offset, p.head.offset);
		expect_equal("total", i, (int64_t)sums[i].total, (int64_t)mine.total);
		expect_equal("count", i, (int)sums[i].count, (int)mine.count);
		expect_equal("odd", i, (bool)sums[i].odd, (bool)mine.odd);
	}
	expect_equal("dropped", 0, to_host(d_dropped, 1)[0], dropped);
	return verdict();
}
