// features: enums tags nested-structs unions methods references typedef-struct constexpr switch-initialiser
// A stack machine: each thread runs the same byte code on its own data, with loops, calls and a trap on faults.
#include "check.h"

enum class Op : unsigned char {
	Push,
	Load,
	Store,
	Add,
	Sub,
	Mul,
	Div,
	Less,
	Jump,
	JumpIfZero,
	Call,
	Return,
	Dup,
	Swap,
	ToFloat,
	Root,
	Halt
};

struct Instruction {
	Op op;
	int operand;
	constexpr Instruction(Op op = Op::Halt, int operand = 0) : op(op), operand(operand) {}
};

struct Value {
	enum Tag { Int, Float } tag;
	union {
		int i;
		float f;
	};
	__host__ __device__ float number() const { return tag == Int ? (float)i : f; }
};

enum Fault { NO_FAULT, OVERFLOW_FAULT, UNDERFLOW_FAULT, DIVISION_FAULT, STEPS_FAULT };

template <int DEPTH> struct Machine {
	Value stack[DEPTH];
	int calls[8];
	Value locals[4];
	int top = 0, called = 0;
	Fault fault = NO_FAULT;

	__host__ __device__ void push(Value v) {
		if (top == DEPTH)
			fault = OVERFLOW_FAULT;
		else
			stack[top++] = v;
	}
	__host__ __device__ void push(int i) {
		Value v;
		v.tag = Value::Int;
		v.i = i;
		push(v);
	}
	__host__ __device__ void push(float f) {
		Value v;
		v.tag = Value::Float;
		v.f = f;
		push(v);
	}
	__host__ __device__ Value pop() {
		if (top > 0)
			return stack[--top];
		if (fault == NO_FAULT)
			fault = UNDERFLOW_FAULT;
		Value zero = {Value::Int, {0}};
		return zero;
	}
	__host__ __device__ void arithmetic(Op op) {
		Value b = pop(), a = pop();
		if (a.tag == Value::Float || b.tag == Value::Float) {
			float x = a.number(), y = b.number();
			switch (op) {
			case Op::Add: return push(x + y);
			case Op::Sub: return push(x - y);
			case Op::Mul: return push(x * y);
			case Op::Div: return push(x / y);
			default: return push(x < y ? 1 : 0);
			}
		}
		switch (int x = a.i, y = b.i; op) {
		case Op::Add: push(x + y); break;
		case Op::Sub: push(x - y); break;
		case Op::Mul: push(x * y); break;
		case Op::Div:
			if (y == 0) {
				fault = DIVISION_FAULT;
				break;
			}
			push(x / y);
			break;
		case Op::Less: push(int(x < y)); break;
		default: break;
		}
	}
	__host__ __device__ int run(const Instruction *code, int most) {
		int at = 0, steps = 0;
		for (; fault == NO_FAULT; steps++) {
			if (steps == most) {
				fault = STEPS_FAULT;
				break;
			}
			const Instruction &now = code[at++];
			switch (now.op) {
			case Op::Push: push(now.operand); break;
			case Op::Load: push(locals[now.operand]); break;
			case Op::Store: locals[now.operand] = pop(); break;
			case Op::Jump: at = now.operand; break;
			case Op::JumpIfZero:
				if (pop().i == 0)
					at = now.operand;
				break;
			case Op::Call:
				calls[called++ & 7] = at;
				at = now.operand;
				break;
			case Op::Return: at = calls[--called & 7]; break;
			case Op::Dup: push(stack[top - 1]); break;
			case Op::Swap: {
				Value b = pop(), a = pop();
				push(b);
				push(a);
				break;
			}
			case Op::ToFloat: push(pop().number()); break;
			case Op::Root: push(sqrtf(pop().number())); break;
			case Op::Halt: return steps;
			default: arithmetic(now.op); break;
			}
		}
		return steps;
	}
};

struct Outcome {
	int fault, steps, tag;
	float number;
};

__host__ __device__ inline Outcome outcome(const Instruction *code, int x) {
	Machine<12> machine;
	machine.push(x);
	int steps = machine.run(code, 2000);
	Value last = machine.pop();
	return {machine.fault, steps, last.tag, last.number()};
}

__global__ void interpret(const Instruction *code, const int *inputs, Outcome *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = outcome(code, inputs[i]);
}

int main() {
	// local 0 = x; sum of 100 / (k - 3) + square(k) for k from x - 1 down to 0; then its root.
	const std::vector<Instruction> code = {
		{Op::Store, 0},
		{Op::Push, 0},
		{Op::Store, 1},
		{Op::Load, 0},
		{Op::JumpIfZero, 20},
		{Op::Load, 0},
		{Op::Push, 1},
		{Op::Sub},
		{Op::Store, 0},
		{Op::Push, 100},
		{Op::Load, 0},
		{Op::Push, 3},
		{Op::Sub},
		{Op::Div},
		{Op::Load, 0},
		{Op::Call, 26},
		{Op::Add},
		{Op::Load, 1},
		{Op::Add},
		{Op::Jump, 24},
		{Op::Load, 1},
		{Op::Push, 50},
		{Op::Less},
		{Op::JumpIfZero, 29},
		{Op::Store, 1},
		{Op::Jump, 3},
		{Op::Dup},
		{Op::Mul},
		{Op::Return},
		{Op::Load, 1},
		{Op::ToFloat},
		{Op::Root},
		{Op::Halt},
	};
	const int n = 120;
	std::vector<int> inputs(n);
	for (int i = 0; i < n; i++)
		inputs[i] = i % 7 == 0 ? i : i % 5 == 0 ? -i : i % 4;
	Instruction *d_code = to_device(code);
	int *d_inputs = to_device(inputs);
	Outcome *out = device_array<Outcome>(n);
	interpret<<<4, 30>>>(d_code, d_inputs, out, n);
	CHECK_LAUNCH();
	std::vector<Outcome> got = to_host(out, n);
	int faults[5] = {};
	for (int i = 0; i < n; i++) {
		Outcome e = outcome(code.data(), inputs[i]);
		expect_equal("fault", i, got[i].fault, e.fault);
		expect_equal("steps", i, got[i].steps, e.steps);
		expect_equal("tag", i, got[i].tag, e.tag);
		expect_near("number", i, got[i].number, e.number, 1e-6);
		faults[e.fault]++;
	}
	expect(faults[DIVISION_FAULT] > 0 && faults[STEPS_FAULT] + faults[UNDERFLOW_FAULT] > 0, "faults are seen");
	return verdict();
}
