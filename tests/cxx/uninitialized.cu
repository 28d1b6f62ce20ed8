// standard: c++20
// Objects that functions of <memory> make and destroy in memory that is there.
#include <iterator>
#include <memory>
#include <utility>

struct Log {
	unsigned seen;
	__device__ void add(unsigned x) { seen = seen * 31 + x; }
};
struct Noted {
	int x;
	Log *log;
	__device__ Noted(int x, Log *log) : x(x), log(log) { log->add(x + 1); }
	__device__ Noted(const Noted &other) : x(other.x), log(other.log) { log->add(x + 2); }
	__device__ Noted(Noted &&other) : x(other.x), log(other.log) {
		other.x = -5;
		log->add(x + 3);
	}
	__device__ ~Noted() { log->add(x + 4); }
	__device__ int operator&() const { return 3; }
};
struct Pair {
	int a = 4, b;
};

// case: one_object
__device__ int f(int a, int b) {
	Log log{0};
	alignas(Noted) char room[sizeof(Noted)];
	Noted *made = std::construct_at(reinterpret_cast<Noted *>(room), a, &log);
	int x = std::addressof(*made)->x;
	std::destroy_at(made);
	const int number = 0, *same = std::construct_at(&number, b);
	return log.seen * 3 + x + (same == &number) + *std::to_address(made == nullptr ? nullptr : &x);
}

// case: copies_and_moves
__device__ int f(int a, int b) {
	Log log{0};
	{
		Noted from[3] = {{a, &log}, {b, &log}, {7, &log}};
		alignas(Noted) char room[9 * sizeof(Noted)];
		Noted *first = reinterpret_cast<Noted *>(room);
		Noted *last = std::uninitialized_copy(from, from + 3, first);
		last = std::uninitialized_copy_n(from + 1, 1 + (b & 1), last);
		last = std::uninitialized_move(from, from + 1, last);
		auto ends = std::uninitialized_move_n(from + 1, 1 + (a & 1), last);
		log.add((ends.first - from) * 10 + (ends.second - first));
		for (Noted *at = first; at != ends.second; ++at) log.add(at->x);
		Noted *middle = std::destroy_n(first, 2);
		std::destroy(middle, ends.second);
	}
	return log.seen;
}

// case: fills
__device__ int f(int a, int b) {
	Log log{0};
	{
		Noted one(a, &log);
		alignas(Noted) char room[6 * sizeof(Noted)];
		Noted *first = reinterpret_cast<Noted *>(room);
		std::uninitialized_fill(first, first + 2, one);
		Noted *last = std::uninitialized_fill_n(first + 2, b % 5, one);
		log.add(last - first);
		std::destroy(first, last);
	}
	int numbers[4] = {a, b, 3, 4};
	std::uninitialized_fill_n(numbers + 1, 2u, 2.75);
	return log.seen * 7 + numbers[0] + numbers[1] * 3 + numbers[2] * 5 + numbers[3] * 7;
}

// case: defaults_and_values
__device__ int f(int a, int b) {
	Pair pairs[5];
	for (Pair &one : pairs) one.a = a, one.b = b;
	std::uninitialized_default_construct(pairs, pairs + 1);
	std::uninitialized_value_construct(pairs + 1, pairs + 2);
	Pair *end = std::uninitialized_default_construct_n(pairs + 2, b & 1);
	end = std::uninitialized_value_construct_n(end, 2 - (b & 1));
	double numbers[3] = {1, 2, 3};
	std::uninitialized_value_construct_n(numbers, 1 + (a & 1));
	unsigned s = pairs[0].a + pairs[1].a * 3 + pairs[1].b * 5 + pairs[3].b * 7 + pairs[4].b * 11 + (end - pairs) * 13;
	return s * 5 + numbers[0] * 3 + numbers[1] * 5 + numbers[2] * 7;
}

// case: arrays_and_alignments
__device__ int f(int a, int b) {
	Log log{0};
	using Row = Noted[2];
	alignas(Noted) char room[2 * sizeof(Noted)];
	Noted *first = reinterpret_cast<Noted *>(room);
	std::construct_at(first, a, &log), std::construct_at(first + 1, b, &log);
	std::destroy_at(reinterpret_cast<Row *>(room));
	alignas(32) int numbers[8] = {a, b};
	const int *fixed = std::assume_aligned<16>(static_cast<const int *>(numbers));
	return log.seen + std::assume_aligned<32>(numbers)[1] + fixed[0];
}
