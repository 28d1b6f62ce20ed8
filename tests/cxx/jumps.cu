// Jumps out of, and beside, the scopes of statements that declare: if and switch with initialisers, range for, loops
// with a declaration as their condition, objects with destructors.
struct Guard {
	int &n, by;
	__device__ Guard(int &n, int by) : n(n), by(by) { n += by; }
	__device__ ~Guard() { n = n * 3 - by; }
	__device__ explicit operator bool() const { return n & 1; }
};
struct Counted {
	int value;
	__device__ Counted() : value(5) {}
	__device__ ~Counted() { value = -1; }
};

// case: skip_by_an_if_with_an_initialiser
__device__ int f(int a, int b) {
	int s = 1;
	if (int q = a & 1; q) goto end;
	s = 2;
	if (int q = b & 3; q == 2) {
		goto end;
	}
	s += 10;
end:
	return s;
}

// case: skip_by_an_if_with_a_declaration
__device__ int f(int a, int b) {
	int s = b;
	if (int q = a & 1) goto end;
	s += 2;
	if (int q = a & 2; int r = q + (b & 1)) goto end;
	s += 10;
end:
	return s;
}

// case: skip_by_if_constexpr
template <int N> __device__ int g(int a) {
	int s = a;
	if constexpr (N > 2) goto end;
	s += 100;
	if constexpr (constexpr int q = N + 1; q == 1) goto end;
	s += 1000;
end:
	return s;
}
__device__ int f(int a, int b) { return g<0>(a) + 3 * g<1>(a) + 5 * g<3>(b); }

// case: the_initialiser_runs_at_each_jump_back
__device__ int f(int a, int b) {
	int n = a & 7, s = 0;
again:
	s = s * 3 + n;
	if (int q = n++; q < b % 9 + 4) goto again;
	return s * 100 + n;
}

// case: a_declaration_tests_for_the_jump_back
__device__ int f(int a, int b) {
	int n = (a & 7) + 3, s = b;
again:
	s = s * 5 + n;
	if (int left = --n) goto again;
	return s;
}

// case: out_of_both_arms
__device__ int f(int a, int b) {
	int s = 0;
	for (int i = 0; i < 5; i++) {
		if (int q = (a + i) & 3; q == 0) {
			s += q + 1;
			goto next;
		} else if (int r = q + (b & 1); r == 3) {
			s += r * q;
			goto end;
		} else {
			s += r;
		}
		s *= 2;
	next:
		s++;
	}
end:
	return s;
}

// case: labels_in_an_arm
__device__ int f(int a, int b) {
	int s = b & 15;
	if (int q = a & 7; q > 2) {
	again:
		s += q;
		if (int left = q--; left > 1) goto again;
		if (s & 1) goto end;
		s += 1000;
	end:
		s ^= q;
	}
	return s;
}

// case: an_object_of_an_if
__device__ int f(int a, int b) {
	int n = a & 15, s = 0;
	if (Guard g(n, 4); n & 2) goto end;
	s = n;
	if (Guard g{n, b & 3}) {
		s++;
		goto end;
	} else {
		s += 20;
	}
	s += 1000 * n;
end:
	return s + 7 * n;
}

// case: objects_of_arms_and_loops
__device__ int f(int a, int b) {
	int n = a & 15, s = 0;
again:
	for (int i = 0; i < 3; i++) {
		Guard outer(n, i + 1);
		if (Guard g(n, 2); (n + b) % 5 == 0) {
			Guard inner(n, 7);
			if (++s > 3) goto end;
			if (n % 3 == 0) goto next;
			goto again;
		}
		n %= 1000;
	next:
		s += n & 1;
		n %= 1000;
		if (++s > 20) goto end;
	}
end:
	return s * 31 + n % 1000;
}

// case: switch_with_an_initialiser
__device__ int f(int a, int b) {
	int s = 0;
	switch (int q = a & 7; q & 3) {
	case 0:
		if (b & 1) goto two;
		s = q;
		break;
	case 1:
		s += 10;
	two:
	case 2:
		s += 100 + q;
		break;
	default:
		if (q > 5) goto out;
		s = q * 7;
	}
	s += 1000;
out:
	return s;
}

// case: switch_over_a_declaration
__device__ int f(int a, int b) {
	int s = 0, n = 0;
	switch (int q = (a + b) & 3) {
	case 0:
		s = q + 1;
		goto two;
	case 1:
		s = 5;
		break;
	case 2:
	two:
		s += 100 + q;
		if (int r = n++; r < (b & 3)) goto two;
	}
	return s * 10 + n;
}

// case: switch_with_an_object
__device__ int f(int a, int b) {
	int n = a & 7, s = 0;
	switch (Guard g(n, 3); n & 3) {
	case 0:
		s = n;
		goto one;
	one:
	case 1:
		s += n;
		break;
	case 2:
		s = 4;
		if (b & 1) s = 5;
		goto end;
	default:
		s = 9;
	}
	s += 1000;
end:
	return s + 10000 * n;
}

// case: out_of_a_range_for
__device__ int f(int a, int b) {
	int list[] = {3, 1, 4, 1, 5, 9, 2, 6}, s = 0;
	for (int x : list) {
		if (x == (a & 7)) goto found;
		if (x & 1) goto next;
		s += x;
	next:
		s = s * 2 + 1;
	}
	return s;
found:
	return -s - b;
}

// case: range_for_with_an_initialiser
__device__ int f(int a, int b) {
	int s = 0, rounds = 0;
again:
	for (int list[] = {1, 2, 3, 4}; int &x : list) {
		x += rounds;
		s += x;
		if (s % 7 == (a & 7) && rounds++ < 3) goto again;
		if (s > b + 40) goto end;
	}
	s += 1000;
end:
	return s;
}

// case: labels_in_a_range_for
__device__ int f(int a, int b) {
	int list[] = {3, 1, 4}, s = a & 3;
	for (auto &x : list) {
	again:
		s += x;
		if (int left = --x; left > b % 3) goto again;
	}
	return s * 100 + list[0] + list[1] + list[2];
}

// case: while_with_a_declaration
__device__ int f(int a, int b) {
	int n = (a & 15) + 2, s = 0;
	while (int left = n--) {
		if (left == (b & 7)) goto end;
		if (left & 1) goto next;
		s += left;
		continue;
	next:
		s = s * 3 + 1;
	}
	s += 1000;
end:
	return s * 10 + n;
}

// case: for_with_a_declaration
__device__ int f(int a, int b) {
	int s = 0;
	for (int i = 9; int left = i - (a & 7); i--) {
		if (left == 2 + (b & 3)) goto end;
		if (left & 1) goto next;
		s += left;
	next:
		s = s * 3 + 1;
	}
	s += 1000;
end:
	return s;
}

// case: an_object_is_made_anew_by_a_jump_back
__device__ int f(int a, int b) {
	int n = 0;
again:
	Counted c;
	c.value += a & 7;
	if (++n < 3) goto again;
	return c.value * 10 + n;
}

// case: an_object_dies_when_a_jump_leads_back_before_it
__device__ int f(int a, int b) {
	int n = a & 7, s = 0;
again:
	Guard g(n, 2);
	s += n;
	if (n < 40 + (b & 7)) goto again;
	s += g.by;
	return s;
}

// case: a_structured_binding_in_what_is_repeated
struct Pair {
	int x, y;
};
__device__ int f(int a, int b) {
	int n = 0, s = 0;
again:
	auto [x, y] = Pair{a & 7, n + b};
	s += x * y;
	if (++n < 4) goto again;
	return s * 10 + x - y;
}

// case: a_structured_binding_is_what_is_tested
struct Pair {
	int x, y;
};
__device__ int f(int a, int b) {
	int n = 0, s = 0;
again:
	auto [x, y] = Pair{a & 7, n++};
	s += x * y + 1;
	if (x > y) goto again;
	return s;
}

// case: a_type_in_what_is_repeated
__device__ int f(int a, int b) {
	int n = 0, s = 0;
again:
	typedef unsigned char byte;
	struct Two {
		byte x, y;
	};
	s += (byte)(a * 77);
	if (++n < 4) goto again;
	Two t = {(byte)s, (byte)b};
	return t.x * 256 + t.y;
}
