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

// case: duffs_device
__device__ int f(int a, int b) {
	int n = (a & 15) + 1, r = b, k = (n + 3) / 4;
	switch (n % 4) {
	case 0:
		do {
			r = r * 3 + 1;
		case 3:
			r = r * 3 + 2;
		case 2:
			r = r * 5 + k;
		case 1:
			r ^= n;
		} while (--k > 0);
	}
	return r;
}

// case: duffs_device_copies_words
__device__ void copy(unsigned char *to, const unsigned char *from, int count) {
	int rounds = (count + 7) / 8;
	switch (count & 7) {
	case 0:
		do {
			*to++ = *from++;
		case 7:
			*to++ = *from++;
		case 6:
			*to++ = *from++;
		case 5:
			*to++ = *from++;
		case 4:
			*to++ = *from++;
		case 3:
			*to++ = *from++;
		case 2:
			*to++ = *from++;
		case 1:
			*to++ = *from++;
		} while (--rounds > 0);
	}
}
__device__ int f(int a, int b) {
	unsigned char from[40], to[40];
	for (int i = 0; i < 40; i++) {
		from[i] = (unsigned char)(a * 7 + i * b);
		to[i] = 0;
	}
	copy(to, from, (a & 31) + 1);
	int sum = 0;
	for (int i = 0; i < 40; i++) sum = sum * 3 + to[i];
	return sum & 0x7fffffff;
}

// case: a_switch_whose_only_statement_is_a_loop
__device__ int f(int a, int b) {
	int r = 0, n = b & 7;
	switch (a & 3)
		while (n-- > 0) {
			r += 100;
		case 1:
			r += 1;
			if (r > 250) break;
		case 2:
			r *= 2;
		}
	return r;
}

// case: labels_of_a_switch_in_ifs
__device__ int f(int a, int b) {
	int r = b;
	switch (a & 7) {
	case 0:
		r += 1;
		if (b & 1) {
			r += 2;
		case 1:
			r += 4;
			if (b & 2) break;
		} else {
		case 2:
			r += 8;
		case 3:;
		}
		r *= 3;
		break;
	case 4:
		if (b & 4) case 5:
			r += 16;
		else
		default:
			r += 32;
		r ^= 5;
	}
	return r;
}

// case: labels_in_nested_loops
__device__ int f(int a, int b) {
	int r = 0, i = a & 3, j = b & 3;
	switch ((a >> 2) & 3) {
	default:
		for (i = 0; i < 4; i++) {
			r += 1000;
		case 1:
			for (j = 0; j < 3; j++) {
				r += 10 * i;
				if (r & 1) continue;
			case 2:
				r += j;
				if (r > 3000) goto out;
			}
			if (i == 2) break;
		case 3:
			r ^= 3;
		}
		r += 7;
	}
out:
	return r;
}

// case: continue_in_a_switch_continues_the_loop_around
__device__ int f(int a, int b) {
	int r = 0;
	for (int i = 0; i < 6; i++) {
		switch ((a + i) & 3) {
		case 0:
			if (b & 1) {
			case 1:
				r += i;
				if (r & 1) continue;
			}
			r += 100;
			break;
			{
			case 2:
				r = r * 3 + b;
			}
		}
		r++;
	}
	return r;
}

// case: a_switch_in_a_switch
__device__ int f(int a, int b) {
	int r = 1;
	switch (a & 3) {
		while (r < 50) {
		case 0:
			switch (b & 3) {
			case 0:
				r += 3;
				if (r & 4) {
				case 1:
					r *= 2;
					break;
				}
			case 2:
				r += 5;
			}
		case 1:
			r = r * 2 + 1;
			if (r > 40) break;
		}
		r += 1000;
	case 2:
		r++;
	}
	return r;
}

// case: into_a_for
__device__ int f(int a, int b) {
	int i = b & 3, r = 0;
	if (a & 1) goto in;
	for (i = 1; i < 5; i++) {
		r += 100;
	in:
		r ^= i;
	}
	return r * 10 + i;
}

// case: into_a_while
__device__ int f(int a, int b) {
	int n = a & 7, r = b;
	if (b & 1) goto middle;
	while (n > 0) {
		r += n;
		if (r % 5 == 0) goto end;
	middle:
		n--;
		if (n == 3) continue;
		r *= 2;
	}
	r += 1000;
end:
	return r + n;
}

// case: into_both_arms
__device__ int f(int a, int b) {
	int r = 0;
	if (a & 1) goto yes;
	if (a & 2) goto no;
	r = 5;
	if (b & 1) {
		r += 10;
	yes:
		r += 100;
		if (r < 300 && (b & 2)) goto no;
	} else {
		r += 20;
	no:
		r += 200;
		if (r < 700 && (b & 4)) goto yes;
	}
	return r;
}

// case: into_a_chain_of_ifs
__device__ int f(int a, int b) {
	int r = b;
	switch (a & 3) {
	case 1:
		goto first;
	case 2:
		goto second;
	case 3:
		goto third;
	}
	if (b & 1) {
	first:
		r += 1;
	} else if (b & 2) {
		r += 10;
	second:
		r += 2;
	} else
	third:
		r += 4;
	return r;
}

// case: into_a_section
__device__ int f(int a, int b) {
	int r = 1;
	if (a & 1) goto two;
	if (a & 2) goto deep;
	switch (b & 3) {
	case 0:
		r += 1;
	case 1:
		while (r < 20) {
			r += 4;
		deep:
			r *= 2;
			if (r & 8) break;
		}
		break;
	case 2:
	two:
		r += 7;
	default:
		if (r < 10) goto deep;
	}
	return r;
}

// case: back_into_a_loop
__device__ int f(int a, int b) {
	int i, r = a, rounds = 0;
	for (i = 0; i < 3; i++) {
		r = r * 3 + i;
	again:
		r ^= b;
	}
	if (++rounds < (b & 3)) {
		i = -1;
		goto again;
	}
	return r;
}

// case: into_nested_loops
__device__ int f(int a, int b) {
	int i = 7, j = b & 1, r = 0;
	if (a & 1) goto outer;
	if (a & 2) goto inner;
	for (i = 0; i < 3; i++) {
	outer:
		r += 1;
		do {
			r = r * 3 + j;
			for (int once; j < 4; j++) {
				once = j;
				r += once;
				if (r % 7 == 0) goto outer;
			inner:
				r ^= 2;
			}
			j -= 3;
		} while (r < 100);
		j = 0;
	}
	return r;
}

// case: from_loop_to_loop
__device__ int f(int a, int b) {
	int r = 0, fuel = 20;
	for (int i = 0; i < (a & 7); i++) {
		r += i;
		if ((r ^ b) & 2) goto there;
	}
	while (fuel > 10) {
		r += 3;
	there:
		fuel--;
		r = r * 2 & 0xffff;
	}
	return r + fuel;
}

// case: objects_are_destroyed_on_the_way
__device__ int f(int a, int b) {
	int n = b & 15, i = 0;
	{
		Guard g(n, 3);
		if (a & 1) goto in;
	}
	for (i = 0; i < 3; i++) {
		n += 50;
	in:
		Guard h(n, i + 1);
		if (n % 3 == 0) continue;
		Guard k(n, 2);
		if (n % 5 == 0) break;
	}
	return n + i;
}

// case: past_declarations_without_initialisers
struct Plain {
	int x, y;
};
__device__ int f(int a, int b) {
	int r = 0;
	if (a & 1) goto in;
	{
		int x;
		Plain p;
		float list[3];
		r = 5;
	in:
		x = b;
		p.x = x + 1;
		list[1] = p.x;
		r += (int)list[1] + p.x;
	}
	return r;
}

// case: a_second_way_into_a_loop_of_jumps
__device__ int f(int a, int b) {
	int r = b & 63;
	if (a & 1) goto middle;
	if (a & 2) goto late;
top:
	r += 3;
middle:
	r = r * 2;
late:
	if ((r += 5) < 500) goto top;
	return r;
}

// case: back_to_an_earlier_section
__device__ int f(int a, int b) {
	int r = b & 7;
	switch (a & 3) {
	case 0:
	again:
		r += 2;
	case 1:
		r *= 3;
	case 2:
		if (r < 100) goto again;
	}
	return r;
}

// case: a_coroutine_by_switch
struct Steps {
	int state = 0, i = 0, j = 0;
	__device__ int next() {
		switch (state) {
		case 0:
			for (i = 0; i < 3; i++) {
				state = 1;
				return i * 10;
			case 1:
				for (j = 0; j < i; j++) {
					state = 2;
					return 100 + j;
				case 2:;
				}
			}
			state = 3;
		case 3:;
		}
		return -1;
	}
};
__device__ int f(int a, int b) {
	Steps steps;
	int r = b;
	for (int k = 0; k < (a & 15); k++) r = r * 3 + steps.next();
	return r;
}

// case: into_the_other_arm_of_an_if_that_declares
__device__ int f(int a, int b) {
	int n = b & 15, fuel = 5;
	if (Guard g(n, 2); int q = (a + n) & 7) {
		n += q;
	first:
		n += 100;
		if (n & 4) goto second;
	} else {
		n += 50;
	second:
		n ^= q + g.by;
		if (fuel-- > 0 && (n & 2)) goto first;
	}
	return n;
}

// case: a_label_in_front_of_what_is_entered
__device__ int f(int a, int b) {
	int r = b & 7, fuel = 3;
	if (a & 1) goto deep;
	if (a & 2) goto front;
	if (b & 8) {
		r += 10;
	} else {
	front:
		if (r & 1) {
			r += 20;
		deep:
			r += 40;
			if (fuel-- > 0) goto front;
		}
		r *= 3;
	}
	return r;
}
