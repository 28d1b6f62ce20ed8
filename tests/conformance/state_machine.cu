// features: enums namespaces methods constant-variables string-literals memcpy-symbol constructors alignment
// A reader of comma-separated lines as a state machine with scoped enums; one thread reads one line.
#include <cstring>
#include <string>

#include "check.h"

namespace csv {

enum class State : unsigned char { Start, Plain, Quoted, QuoteInQuoted, Error };
enum class Kind : unsigned char { Comma, Quote, Digit, Other, End, Count };
enum Flags : unsigned { NONE = 0, HAD_QUOTES = 1u << 0, HAD_DIGITS = 1u << 1, EMPTY = 1u << 4 };

__device__ constexpr Flags operator|(Flags a, Flags b) { return static_cast<Flags>(static_cast<unsigned>(a) | b); }
__device__ inline Flags &operator|=(Flags &a, Flags b) { return a = a | b; }

__constant__ State next_state[5][static_cast<int>(Kind::Count)] = {
	{State::Start, State::Quoted, State::Plain, State::Plain, State::Start},
	{State::Start, State::Error, State::Plain, State::Plain, State::Start},
	{State::Quoted, State::QuoteInQuoted, State::Quoted, State::Quoted, State::Error},
	{State::Start, State::Quoted, State::Error, State::Error, State::Start},
	{State::Error, State::Error, State::Error, State::Error, State::Error},
};
__constant__ char separators[] = ",;";

class Reader {
	State state_ = State::Start;
	Flags flags_ = NONE;
	int fields_ = 1;
	int number_ = 0, sum_ = 0;

	__device__ static Kind kind_of(char c) {
		switch (c) {
		case '\0':
		case '\n': return Kind::End;
		case '"': return Kind::Quote;
		}
		for (const char *s = separators; *s; s++)
			if (*s == c)
				return Kind::Comma;
		return c >= '0' && c <= '9' ? Kind::Digit : Kind::Other;
	}

  public:
	__device__ bool feed(char c) {
		const Kind kind = kind_of(c);
		const State before = state_;
		state_ = next_state[static_cast<int>(before)][static_cast<int>(kind)];
		if (kind == Kind::Digit && state_ == State::Plain) {
			number_ = number_ * 10 + (c - '0');
			flags_ |= HAD_DIGITS;
		}
		if (kind == Kind::Quote)
			flags_ |= HAD_QUOTES;
		if (state_ == State::Start) {
			if (before == State::Start)
				flags_ |= EMPTY;
			fields_ += kind == Kind::Comma;
			sum_ += number_;
			number_ = 0;
		}
		return kind != Kind::End && state_ != State::Error;
	}
	__device__ State state() const { return state_; }
	__device__ int4 result() const { return make_int4(fields_, sum_, (int)flags_, static_cast<int>(state_)); }
};

} // namespace csv

constexpr int LINE = 32;

__global__ void read_lines(const char (*lines)[LINE], int4 *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	csv::Reader reader;
	for (int k = 0; k < LINE && reader.feed(lines[i][k]); k++) {
	}
	out[i] = reader.result();
	if (reader.state() == csv::State::Error)
		out[i].x = -1;
}

// The same with strings and without tables.
static int4 expected_of(const std::string &line) {
	int fields = 1, sum = 0, number = 0, flags = 0, state = 0;
	for (size_t k = 0;; k++) {
		char c = k < line.size() ? line[k] : '\0';
		bool comma = c == ',' || c == ';', digit = isdigit((unsigned char)c), quote = c == '"', end = c == '\0';
		int before = state;
		if (state == 0)
			state = quote ? 2 : comma || end ? 0 : 1;
		else if (state == 1)
			state = quote ? 4 : comma || end ? 0 : 1;
		else if (state == 2)
			state = quote ? 3 : end ? 4 : 2;
		else if (state == 3)
			state = quote ? 2 : comma || end ? 0 : 4;
		if (digit && state == 1)
			number = number * 10 + (c - '0'), flags |= 2;
		flags |= quote;
		if (state == 0) {
			flags |= before == 0 ? 16 : 0;
			fields += comma;
			sum += number;
			number = 0;
		}
		if (end || state == 4)
			return make_int4(state == 4 ? -1 : fields, sum, flags, state);
	}
}

int main() {
	const int n = 500;
	std::vector<std::string> lines(n);
	std::vector<char> text(n * LINE);
	const char letters[] = "12,,;\"ab\"";
	Random random(3);
	for (int i = 0; i < n; i++) {
		for (int k = random.below(12); k >= 0; k--)
			lines[i] += letters[random.below(9)];
		if (i % 3 == 0)
			lines[i] = "\"" + std::to_string(i) + "\",7;" + std::to_string(i * 3) + (i % 2 ? "" : ",");
		strcpy(&text[i * LINE], lines[i].c_str());
	}
	char *d_text = to_device(text);
	int4 *out = device_array<int4>(n);
	read_lines<<<8, 64>>>(reinterpret_cast<const char (*)[LINE]>(d_text), out, n);
	CHECK_LAUNCH();
	std::vector<int4> got = to_host(out, n);
	int errors = 0;
	for (int i = 0; i < n; i++) {
		int4 e = expected_of(lines[i]);
		expect_equal("fields", i, got[i].x, e.x);
		expect_equal("sum", i, got[i].y, e.y);
		expect_equal("flags", i, got[i].z, e.z);
		expect_equal("state", i, got[i].w, e.w);
		errors += e.x < 0;
	}
	expect(errors > 10 && errors < n - 10, "some lines are right and some are wrong");
	return verdict();
}
