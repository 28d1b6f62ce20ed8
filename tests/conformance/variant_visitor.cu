// features: unions overloading function-templates packs enums constructors operators lambdas type-traits decltype auto inheritance
// A tagged union and a visitor made of lambdas: messages of several kinds, handled by what they hold.
#include <type_traits>

#include "check.h"

struct Move {
	float dx, dy;
};
struct Turn {
	int quarter;
};
struct Say {
	char text[8];
};

class Message {
	enum class Kind : unsigned char { None, Move, Turn, Say, Number } kind_;
	union {
		Move move_;
		Turn turn_;
		Say say_;
		double number_;
	};

  public:
	__host__ __device__ Message() : kind_(Kind::None), number_(0) {}
	__host__ __device__ Message(const Move &m) : kind_(Kind::Move), move_(m) {}
	__host__ __device__ Message(Turn t) : kind_(Kind::Turn), turn_(t) {}
	__host__ __device__ Message(const Say &s) : kind_(Kind::Say), say_(s) {}
	template <typename N, typename = std::enable_if_t<std::is_arithmetic_v<N>>>
	__host__ __device__ Message(N n) : kind_(Kind::Number), number_(n) {}
	__host__ __device__ explicit operator bool() const { return kind_ != Kind::None; }
	template <typename T> __host__ __device__ const T *get_if() const {
		if constexpr (std::is_same_v<T, Move>)
			return kind_ == Kind::Move ? &move_ : nullptr;
		else if constexpr (std::is_same_v<T, Turn>)
			return kind_ == Kind::Turn ? &turn_ : nullptr;
		else
			return kind_ == Kind::Number ? &number_ : nullptr;
	}
	template <typename F> __host__ __device__ auto visit(F &&f) const -> decltype(f(number_)) {
		switch (kind_) {
		case Kind::Move: return f(move_);
		case Kind::Turn: return f(turn_);
		case Kind::Say: return f(say_);
		case Kind::Number: return f(number_);
		case Kind::None: break;
		}
		return decltype(f(number_))();
	}
};

template <typename... Fs> struct Overloaded : Fs... {
	using Fs::operator()...;
};
template <typename... Fs> __host__ __device__ Overloaded<Fs...> overloaded(Fs... fs) { return {fs...}; }

struct Turtle {
	float x = 0, y = 0;
	int heading = 0, said = 0;
	double total = 0;

	__host__ __device__ bool handle(const Message &message) {
		return message.visit(overloaded(
			[this](const Move &m) {
				float along[4][2] = {{m.dx, m.dy}, {-m.dy, m.dx}, {-m.dx, -m.dy}, {m.dy, -m.dx}};
				x += along[heading][0];
				y += along[heading][1];
				return m.dx != 0 || m.dy != 0;
			},
			[this](Turn t) {
				heading = (heading + t.quarter + 4) % 4;
				return t.quarter != 0;
			},
			[this](const Say &s) {
				for (char c : s.text) {
					if (!c)
						break;
					said = said * 3 + c;
				}
				return true;
			},
			[this](auto number) {
				total += number;
				return number > 0;
			}));
	}
};

struct State {
	float x, y;
	int heading, said, handled, turns;
	double total;
};

__host__ __device__ inline State follow(const Message *messages, int n, int start) {
	Turtle turtle;
	int handled = 0, turns = 0;
	for (int i = 0; i < n; i++) {
		const Message &message = messages[(start + i) % n];
		if (!message)
			continue;
		handled += turtle.handle(message);
		if (const Turn *turn = message.get_if<Turn>())
			turns += turn->quarter;
		else if (auto *number = message.get_if<double>(); number && *number > 5)
			turtle.handle(Turn{1});
		if (i % 7 == 0)
			turtle.handle(start);
	}
	return {turtle.x, turtle.y, turtle.heading, turtle.said, handled, turns, turtle.total};
}

__global__ void make(Message *messages, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	switch (i % 6) {
	case 0: messages[i] = Move{i * 0.5f, 1.0f}; break;
	case 1: messages[i] = Turn{i % 3 - 1}; break;
	case 2: messages[i] = Say{{'m', char('a' + i % 26)}}; break;
	case 3: messages[i] = i; break;
	case 4: messages[i] = i * 0.25f - 3; break;
	default: messages[i] = Message(); break;
	}
}

__global__ void follow_all(const Message *messages, State *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = follow(messages, n, i);
}

int main() {
	const int n = 75;
	Message *messages = nullptr;
	CHECK(cudaMalloc(&messages, n * sizeof(Message)));
	State *out = device_array<State>(n);
	make<<<3, 32>>>(messages, n);
	follow_all<<<3, 32>>>(messages, out, n);
	CHECK_LAUNCH();
	std::vector<Message> host = to_host(messages, n);
	std::vector<State> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		State e = follow(host.data(), n, i);
		expect_near("x", i, got[i].x, e.x, 1e-5);
		expect_near("y", i, got[i].y, e.y, 1e-5);
		expect_equal("heading", i, got[i].heading, e.heading);
		expect_equal("said", i, got[i].said, e.said);
		expect_equal("handled", i, got[i].handled, e.handled);
		expect_equal("turns", i, got[i].turns, e.turns);
		expect_near("total", i, got[i].total, e.total, 1e-12);
	}
	expect(host[3].get_if<double>() && *host[3].get_if<double>() == 3, "a number");
	expect(!host[5] && host[6], "none and some");
	return verdict();
}
