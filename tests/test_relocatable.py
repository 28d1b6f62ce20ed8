"""Device code of several files that is linked: `-rdc=true`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from simt2simd.command import cli
from simt2simd.command.toolchain import HostFlags, nvcc
from simt2simd.options import Options

pytestmark = pytest.mark.unoptimised

CHECK = """
#include <cstdio>
#include <cstdlib>
inline void expect(const char *what, int got, int expected) {
    if (got != expected) { printf("%s: %d, expected %d\\n", what, got, expected); exit(1); }
}
template <typename K, typename... A> int run(K kernel, A... args) {
    int *out, got = -1;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 1>>>(out, args...);
    cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) got = -2;
    cudaFree(out);
    return got;
}
"""


def write(folder: Path, **files: str) -> list[str]:
    """Write program files; `common` is a header that all of them may include."""
    (folder / "check.h").write_text(CHECK)
    names = []
    for name, text in files.items():
        path = folder / (f"{name}.h" if name == "common" else f"{name}.cu")
        path.write_text(text)
        names += [str(path)] * (path.suffix == ".cu")
    return names


def run_program(program: Path) -> str:
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder: Path, **files: str) -> str:
    """Compile and link files with one command, and separately; return what the program prints."""
    names = write(folder, **files)
    together, separate = folder / "together", folder / "separate"
    assert cli.main(["compile", "-rdc=true", "--check-ir", *names, "-o", str(together)]) == 0
    objects = [str(Path(name).with_suffix(".o")) for name in names]
    for name, made in zip(names, objects, strict=True):
        assert cli.main(["compile", "-dc", "--check-ir", name, "-o", made]) == 0
    assert cli.main(["compile", *reversed(objects), "-o", str(separate)]) == 0
    printed = run_program(together)
    assert run_program(separate) == printed
    return printed


def refused(folder: Path, capsys: pytest.CaptureFixture[str], **files: str) -> str:
    """Return what is said of files that cannot be linked, without the folder's name."""
    names = write(folder, **files)
    assert cli.main(["compile", "-rdc=true", *names, "-o", str(folder / "program")]) == 1
    return capsys.readouterr().err.replace(f"{folder}/", "")


# ---------------------------------------------------------------------------------------- what files share

PROGRAMS = {
    "functions": {
        "a": """#include "check.h"
        __device__ int merge(int a, int b);
        __device__ float merge(float a, float b);
        namespace geo { namespace deep { __device__ int twice(int x); } __device__ int count(const int &x, int *y); }
        __global__ void k(int *out, int x) {
            int y = 0;
            *out = merge(x, 1) * 1000 + (int)merge(1.5f, 2.5f) * 100 + geo::deep::twice(x) + geo::count(x, &y) + y;
        }
        int main() { expect("k", run(k, 3), 4416); }""",
        "b": """
        __device__ int merge(int a, int b) { return a + b; }
        __device__ float merge(float a, float b) { return a + b; }
        namespace geo { namespace deep { __device__ int twice(int x) { return 2 * x; } }
        __device__ int count(const int &x, int *y) { *y = 7; return x; } }
        """,
    },
    "recursion over two files": {
        "a": """#include "check.h"
        __device__ int odd(int n);
        __device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
        __global__ void k(int *out, int n) { *out = even(n); }
        int main() { expect("even", run(k, 10), 1); expect("odd", run(k, 7), 0); }""",
        "b": """
        __device__ int even(int n);
        __device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }""",
    },
    "variables": {
        "common": """#pragma once
        struct Pair { int a, b; };
        namespace geo { extern __device__ int counter; }
        extern __constant__ int table[4];
        extern __constant__ const int fixed[3];
        extern __managed__ int managed;
        extern __device__ Pair pair;
        extern __device__ int *where;
        """,
        "a": """#include "check.h"
        #include "common.h"
        __global__ void k(int *out) {
            geo::counter += 5;
            *out = table[0] + table[3] * 10 + fixed[1] * 100 + managed * 1000 + pair.b * 10000 + *where;
        }
        int main() {
            expect("first", run(k), 1 + 40 + 200 + 3000 + 20000 + 5);
            int one = 9, counter = 0;
            Pair pair_now = {1, 3};
            cudaMemcpyToSymbol(table, &one, sizeof(int), 3 * sizeof(int));
            cudaMemcpyToSymbol(pair, &pair_now, sizeof pair_now);
            managed = 4;
            cudaMemcpyFromSymbol(&counter, geo::counter, sizeof(int));
            expect("counter", counter, 5);
            expect("second", run(k), 1 + 90 + 200 + 4000 + 30000 + 10);
            void *address;
            size_t bytes;
            cudaGetSymbolAddress(&address, geo::counter);
            cudaGetSymbolSize(&bytes, table);
            cudaMemcpy(&counter, address, sizeof(int), cudaMemcpyDeviceToHost);
            expect("address", counter, 10);
            expect("size", (int)bytes, 16);
        }""",
        "b": """
        #include "common.h"
        namespace geo { __device__ int counter; }
        __constant__ int table[4] = {1, 2, 3, 4};
        __constant__ const int fixed[3] = {1, 2, 3};
        __managed__ int managed = 3;
        __device__ Pair pair = {1, 2};
        __device__ int *where = &geo::counter;
        """,
    },
    "a constant and its pointer in a third file": {
        "a": """#include "check.h"
        extern __device__ const int *row;
        __device__ int second();
        __global__ void k(int *out) { *out = row[1] + second(); }
        int main() { expect("k", run(k), 42); }""",
        "b": """
        extern __constant__ int values[3];
        __device__ const int *row = values + 1;
        """,
        "c": """
        __constant__ int values[3] = {10, 20, 12};
        static __constant__ int private_values[2] = {20, 30};
        __device__ int second() { return private_values[1]; }
        """,
    },
    "names that are private to their files": {
        "a": """#include "check.h"
        static __device__ int offset = 1;
        static __constant__ int scale = 2;
        const int fixed = 3;
        static __device__ int helper(int x) { return x + offset; }
        namespace { __device__ int other(int x) { return x * scale; } struct Own { int v[2]; };
                    __device__ int use(Own o) { return o.v[0]; } }
        struct Local { int a; };
        static __global__ void k(int *out) { *out = helper(1) * 100 + other(1) * 10 + fixed + use({{1000, 1}}); }
        int from_b();
        int main() {
            int nine = 9;
            cudaMemcpyToSymbol(offset, &nine, sizeof(int));
            expect("a", run(k), 1000 + 20 + 3 + 1000);
            expect("b", from_b(), 5000 + 600 + 7 + 4);
        }""",
        "b": """#include "check.h"
        static __device__ int offset = 4;
        static __constant__ int scale = 6;
        const int fixed = 7;
        static __device__ int helper(int x) { return x + offset; }
        namespace { __device__ int other(int x) { return x * scale; } struct Own { char c; int v; };
                    __device__ int use(Own o) { return o.v; } }
        struct Local { float a, b; };
        static __global__ void k(int *out) { *out = helper(1) * 1000 + other(1) * 100 + fixed + use({'a', 4}); }
        int from_b() { return run(k); }
        """,
    },
    "inline functions and templates": {
        "common": """#pragma once
        inline __device__ int square(int x) { return x * x; }
        template <typename T, int N> __device__ T power(T x) { T r = 1; for (int i = 0; i < N; i++) r *= x; return r; }
        template <typename T> struct Box {
            T value;
            __device__ Box(T v) : value(v) {}
            __device__ T twice() const { return value + value; }
            __device__ T far(T by) const;
        };
        template <typename T> __global__ void shared_kernel(T *out, T x) { *out = power<T, 2>(x) + Box<T>(x).twice(); }
        """,
        "a": """#include "check.h"
        #include "common.h"
        int from_b();
        __global__ void k(int *out) { *out = square(3) + power<int, 3>(2) + Box<int>(4).twice(); }
        int main() {
            expect("k", run(k), 9 + 8 + 8);
            expect("template", run(shared_kernel<int>, 3), 15);
            expect("b", from_b(), 16 + 8 + 10 + 24);
        }""",
        "b": """#include "check.h"
        #include "common.h"
        __global__ void k2(int *out) { *out = square(4) + power<int, 3>(2) + Box<int>(5).twice(); }
        int from_b() { return run(k2) + run(shared_kernel<int>, 4); }
        """,
    },
    "templates that another file instantiates": {
        "common": """#pragma once
        template <typename T> __device__ T weight(int i);
        template <typename T, int N> struct Sum { T total; __device__ void add(T x); __device__ T get() const; };
        template <typename T> __global__ void fill(T *out, T x);
        """,
        "a": """#include "check.h"
        #include "common.h"
        __global__ void k(int *out) {
            Sum<int, 3> sum = {1};
            sum.add(2);
            *out = weight<int>(2) * 1000 + (int)weight<float>(3) * 100 + weight<char>(1) * 10 + sum.get();
        }
        int main() {
            expect("k", run(k), 4 * 1000 + 4 * 100 + 7 * 10 + 7);
            expect("fill", run(fill<int>, 12), 13);
        }""",
        "b": """
        #include "common.h"
        template <typename T> __device__ T weight(int i) { return T(i * 1.5f) + T(sizeof(T) == 4 && T(0.5f) == 0); }
        template <> __device__ char weight<char>(int) { return 7; }
        template __device__ int weight<int>(int);
        template __device__ float weight<float>(int);
        template <typename T, int N> __device__ void Sum<T, N>::add(T x) { total += x * N; }
        template <typename T, int N> __device__ T Sum<T, N>::get() const { return total; }
        template struct Sum<int, 3>;
        template <typename T> __global__ void fill(T *out, T x) { *out = x + 1; }
        template __global__ void fill<int>(int *, int);
        """,
    },
    "classes": {
        "common": """#pragma once
        class Account {
        public:
            static const int limit = 100;
            static constexpr int fees[2] = {1, 2};
            __device__ Account(int start);
            __device__ ~Account();
            __device__ Account &operator+=(int by);
            __device__ int balance() const { return balance_ - fees[1]; }
            __device__ static int count();
            __device__ explicit operator bool() const;
        private:
            int balance_;
        };
        struct Outer { struct Inner { int v; __device__ int get(); }; Inner in; };
        extern __device__ int alive;
        """,
        "a": """#include "check.h"
        #include "common.h"
        __global__ void k(int *out) {
            int during;
            { Account account(50); account += 70; during = account.balance() * 10 + alive + (account ? 1000 : 0); }
            Outer::Inner inner = {3};
            *out = during + alive * 100000 + Account::count() * 10000 + inner.get();
        }
        int main() { expect("k", run(k), 980 + 1 + 1000 + 0 + 10000 + 6); }""",
        "b": """
        #include "common.h"
        __device__ int alive, made;
        __device__ Account::Account(int start) : balance_(start) { alive++; made++; }
        __device__ Account::~Account() { alive--; }
        __device__ Account &Account::operator+=(int by) {
            balance_ += by;
            if (balance_ > limit) balance_ = limit;
            return *this;
        }
        __device__ int Account::count() { return made; }
        __device__ Account::operator bool() const { return balance_ > 0; }
        __device__ int Outer::Inner::get() { return 2 * v; }
        """,
    },
    "virtual functions": {
        "common": """#pragma once
        struct Shape {
            int id;
            __device__ Shape(int i) : id(i) {}
            __device__ virtual int area() const = 0;
            __device__ virtual int sides() const;
            __device__ virtual ~Shape() {}
        };
        struct Square : Shape {
            int s;
            __device__ Square(int s) : Shape(1), s(s) {}
            __device__ int area() const override;
            __device__ int sides() const override { return 4; }
        };
        __device__ Shape *make(int kind, int size);
        """,
        "a": """#include "check.h"
        #include "common.h"
        __global__ void k(int *out) {
            int sum = 0;
            for (int kind = 0; kind < 3; kind++) {
                Shape *shape = make(kind, 3);
                sum = sum * 100 + shape->area() + shape->sides();
                delete shape;
            }
            Square here(2);
            const Shape &any = here;
            *out = sum + any.area();
        }
        int main() { expect("k", run(k), 13 * 10000 + 9 * 100 + 10 + 4); }""",
        "b": """
        #include "common.h"
        __device__ int Square::area() const { return s * s; }
        __device__ int Shape::sides() const { return 0; }
        """,
        "c": """
        #include "common.h"
        namespace {
        struct Line : Shape {
            int s;
            __device__ Line(int s) : Shape(2), s(s) {}
            __device__ int area() const override { return s * 3; }
        };
        }
        struct Triangle : Shape {
            int s;
            __device__ Triangle(int s) : Shape(3), s(s) {}
            __device__ int area() const override { return s + 4; }
            __device__ int sides() const override { return 3; }
        };
        __device__ Shape *make(int kind, int size) {
            if (kind == 0) return new Square(size);
            if (kind == 1) return new Line(size);
            return new Triangle(size);
        }
        """,
    },
    "function pointers": {
        "common": """#pragma once
        typedef int (*Operation)(int);
        extern __device__ Operation operations[3];
        __device__ Operation choose(int i);
        __device__ int apply(Operation f, int x);
        __device__ int minus(int x);
        """,
        "a": """#include "check.h"
        #include "common.h"
        static __device__ int plus(int x) { return x + 1; }
        __global__ void k(int *out) {
            *out = operations[0](1) + operations[1](1) * 10 + operations[2](1) * 100 + choose(0)(3) * 1000
                + apply(plus, 4) * 10000 + (choose(1) == minus) * 100000;
        }
        int main() { expect("k", run(k), 2 + 30 + 0 + 9 * 1000 + 50000 + 100000); }""",
        "b": """
        #include "common.h"
        static __device__ int plus(int x) { return x * 2; }
        namespace { __device__ int triple(int x) { return x * 3; } }
        __device__ Operation operations[3] = {plus, triple, minus};
        __device__ Operation choose(int i) { return i ? minus : triple; }
        """,
        "c": """
        #include "common.h"
        __device__ int minus(int x) { return x - 1; }
        __device__ int apply(Operation f, int x) { return f(x); }
        """,
    },
    "structs that files see differently": {
        "a": """#include "check.h"
        struct Hidden;
        struct Node { int key; Node *next; Hidden *more; };
        __device__ Node *build(Node *pool);
        __device__ int reveal(const Hidden *hidden);
        __global__ void k(int *out) {
            Node pool[2];
            Node *list = build(pool);
            *out = list->key + list->next->key * 10 + reveal(list->more) * 100;
        }
        int main() { expect("k", run(k), 531); }""",
        "b": """
        struct Hidden { int value; };
        struct Node { int key; Node *next; Hidden *more; };
        __device__ Hidden five = {5};
        __device__ Node *build(Node *pool) {
            pool[0] = {1, &pool[1], &five};
            pool[1] = {3, nullptr, nullptr};
            return pool;
        }
        __device__ int reveal(const Hidden *hidden) { return hidden->value; }
        """,
    },
    "kernels of other files": {
        "a": """#include "check.h"
        __global__ void scale(int *out, int by);
        namespace deep { __global__ void add(int *out, int by); }
        int main() { expect("scale", run(scale, 3), 30); expect("add", run(deep::add, 3), 13); }""",
        "b": """
        extern __device__ int base;
        __global__ void scale(int *out, int by) { *out = base * by; }
        namespace deep { __global__ void add(int *out, int by) { *out = base + by; } }
        """,
        "c": "__device__ int base = 10;",
    },
    "shared memory, barriers and atomics": {
        "a": """#include "check.h"
        __device__ int block_sum(int x);
        extern __device__ unsigned total;
        __global__ void k(int *out) {
            int sum = block_sum(threadIdx.x);
            if (threadIdx.x == 0) { atomicAdd(&total, sum); *out = total; }
        }
        int main() {
            int *out, got;
            cudaMalloc(&out, sizeof(int));
            k<<<1, 100>>>(out);
            cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
            expect("sum", got, 4950);
        }""",
        "b": """
        __device__ unsigned total;
        __device__ int block_sum(int x) {
            __shared__ int all[128];
            all[threadIdx.x] = x;
            __syncthreads();
            int sum = 0;
            for (unsigned i = 0; i < blockDim.x; i++) sum += all[i];
            __syncthreads();
            return sum;
        }
        """,
    },
    "functions for both sides": {
        "common": "#pragma once\n__host__ __device__ int both(int x);\n"
        "struct Point { int x; __host__ __device__ int far() const; };\n",
        "a": """#include "check.h"
        #include "common.h"
        __global__ void k(int *out) { Point p = {4}; *out = both(3) + p.far(); }
        int main() { Point p = {5}; expect("k", run(k), 13); expect("host", both(5) + p.far(), 21); }""",
        "b": """#include "common.h"
        __host__ __device__ int both(int x) { return x * 3; }
        __host__ __device__ int Point::far() const {
        #ifdef __CUDA_ARCH__
            return x;
        #else
            return x + 1;
        #endif
        }
        """,
    },
    "lambdas": {
        "common": "#pragma once\ntemplate <typename F> __device__ int call(F f, int x) { return f(x); }\n",
        "a": """#include "check.h"
        #include "common.h"
        __device__ int other(int x);
        __global__ void k(int *out, int by) { *out = call([=](int x) { return x * by; }, 3) + other(3); }
        int main() { expect("k", run(k, 5), 15 + 8); }""",
        "b": """#include "common.h"
        __device__ int other(int by) {
                return call([=](int x) { return x + by; }, 5); }
        """,
    },
    "kernels that host code asks for by their forms": {
        "common": """#pragma once
        template <typename F> __global__ void apply(int *out, F f) { *out = f(3); }
        """,
        "a": """#include "check.h"
        #include "common.h"
        namespace { __global__ void own(int *out, int x) { *out = x; } }
        __global__ void over(int *out) { *out = 1; }
        __global__ void over(int *out, int x) { *out = x + 1; }
        int from_b(int by);
        int main() {
            int by = 2;
            expect("own", run(own, 6), 6);
            int *out, got;
            cudaMalloc(&out, sizeof(int));
            apply<<<1, 1>>>(out, [=] __device__ (int x) { return x * by; });
            cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
            expect("lambda", got, 6);
            over<<<1, 1>>>(out, 4);
            cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
            expect("over", got, 5);
            expect("b", from_b(7), 21 + 60 + 1000);
        }""",
        "b": """#include "check.h"
        #include "common.h"
        namespace { __global__ void own(int *out, int x) { *out = x * 10; } }
        static __global__ void over(int *out) { *out = 1000; }
        static __global__ void over(int *out, float x) { *out = x; }
        int from_b(int by) {
            int *out, got, sum;
            cudaMalloc(&out, sizeof(int));
            apply<<<1, 1>>>(out, [=] __device__ (int x) { return x * by; });
            cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
            over<<<1, 1>>>(out);
            cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
            return sum + got + run(own, 6);
        }
        """,
    },
    "padding that a derived class of another file uses": {
        "common": """#pragma once
        struct Base { double d; char c; __device__ Base() : d(1), c(2) {} };
        __device__ void reset(Base &base);
        """,
        "a": """#include "check.h"
        #include "common.h"
        struct Derived : Base { char own; __device__ Derived() : own(7) {} };
        __global__ void k(int *out) { Derived one; reset(one); *out = one.own * 10 + one.c; }
        int main() { expect("k", run(k), 75); }""",
        "b": """
        #include "common.h"
        __device__ void reset(Base &base) { Base other; other.c = 5; base = other; }
        """,
    },
    "vector types and CUDA's structs": {
        "a": """#include "check.h"
        __device__ float4 shift(float4 v, dim3 by);
        __global__ void k(int *out) {
            float4 v = shift(make_float4(1, 2, 3, 4), dim3(2, 3));
            *out = v.x + v.y * 10 + v.z * 100;
        }
        int main() { expect("k", run(k), 3 + 50 + 400); }""",
        "b": "__device__ float4 shift(float4 v, dim3 by) { v.x += by.x; v.y += by.y; v.z += by.z; return v; }",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_several_files_run(name: str, tmp_path: Path) -> None:
    assert build(tmp_path, **PROGRAMS[name]) == ""


# ------------------------------------------------------------------------------------------------- errors


LAUNCHING = """
#include <cstdio>
__global__ void other(int *p, int n);
__device__ void helper(int *p);
static __global__ void own(int *p) { p[1] += 1; }
template <class T> __global__ void both(T *p) { p[3] += 1; }
__global__ void parent(int *p) {
    other<<<1, 4>>>(p, threadIdx.x);
    if (threadIdx.x > 0) return;
    own<<<1, 1>>>(p);
    both<int><<<1, 1>>>(p);
    helper(p);
}
int main() {
    int *p;
    cudaMallocManaged(&p, 16);
    for (int i = 0; i < 4; i++) p[i] = 0;
    parent<<<1, 3>>>(p);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\\n", p[0], p[1], p[2], p[3]);
}
"""
LAUNCHED = """
__global__ void other(int *p, int n) { atomicAdd(p, n + 1); }
static __global__ void own(int *p) { p[2] += 1; }
template <class T> __global__ void both(T *p) { p[3] += 1; }
__device__ void helper(int *p) { own<<<1, 1>>>(p); both<int><<<1, 1>>>(p); }
"""


def test_kernels_of_other_files_are_launched(tmp_path: Path) -> None:
    assert build(tmp_path, a=LAUNCHING, b=LAUNCHED) == "24 1 1 2\n"


def test_kernels_that_no_file_defines_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = write(tmp_path, a=LAUNCHING, b=LAUNCHED.replace("other", "another"))
    assert cli.main(["compile", "-rdc=true", *names, "-o", str(tmp_path / "program")]) == 1
    assert "a.cu:8:5: error: undefined device function 'other': no file defines it" in capsys.readouterr().err


def test_undefined_functions_and_variables_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(
        tmp_path,
        capsys,
        a="__device__ int merge(int, int);\n__global__ void k(int *out) {\n    *out = merge(1, 2);\n}\nint main() {}\n",
        b="extern __device__ float table[4];\n__global__ void other(float *out) { *out = table[0]; }\n",
    )
    assert "a.cu:3:12: error: undefined device function 'int merge(int, int)': no file defines it\n" in said
    assert "a.cu:1:16: note: it is declared here\n" in said
    assert "b.cu:2:44: error: undefined device variable 'table': no file defines it\n" in said
    assert said.count("error:") == 2


def test_definitions_that_nobody_reaches_may_be_missing(tmp_path: Path) -> None:
    build(
        tmp_path,
        a="__device__ int absent(int);\n__device__ int unused(int x) { return absent(x); }\n"
        "__global__ void k(int *out) { *out = 1; }\nint main() {}\n",
    )


def test_overrider_that_no_file_defines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(
        tmp_path,
        capsys,
        a="struct A { __device__ virtual int f(int x) const; };\n"
        "__device__ int call(const A &a) { return a.f(1); }\n"
        "__global__ void k(int *out) { A a; *out = call(a); }\nint main() {}\n",
    )
    assert "a.cu:1:35: error: undefined device function 'int A::f(int) const': no file defines it\n" in said


def test_definitions_in_two_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(
        tmp_path,
        capsys,
        a="__device__ int merge(int a) { return a; }\n__device__ int count;\n"
        "__global__ void k(int *out) { *out = merge(count); }\nint main() {}\n",
        b="__device__ float merge(int a) { return a; }\n__device__ int count;\n",
    )
    assert "b.cu:1:18: error: 'float merge(int)' is defined twice\n" in said
    assert "a.cu:1:16: note: the first definition is here\n" in said
    assert "b.cu:2:16: error: the variable 'count' is defined twice\n" in said
    assert "help: declare it `extern` in all files but one\n" in said


def test_declarations_of_another_type_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(
        tmp_path,
        capsys,
        a="__device__ int merge(int a);\nextern __constant__ int table[4];\nextern __device__ int plain;\n"
        "__global__ void k(int *out) { *out = merge(table[0]) + plain; }\nint main() {}\n",
        b="__device__ float merge(int a) { return a; }\n__constant__ float table[4] = {1};\n__constant__ int plain;\n",
    )
    assert "a.cu:1:16: error: 'int merge(int)' is declared here, and defined with other types in another file\n" in said
    assert "b.cu:1:18: note: here it is 'float merge(int)'\n" in said
    assert "b.cu:2:20: error: 'table' is '__constant__ float [4]' here, and something else in another file\n" in said
    assert "a.cu:2:25: note: here it is '__constant__ int [4]'\n" in said
    assert "'plain' is '__constant__ int' here" in said


def test_structs_of_one_name_that_differ_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(
        tmp_path,
        capsys,
        a="struct Node { int key; };\n__device__ int key_of(const Node *node);\n"
        "__global__ void k(int *out) { Node n = {1}; *out = key_of(&n); }\nint main() {}\n",
        b="struct Node { float key; };\n__device__ int key_of(const Node *node) { return node->key; }\n",
    )
    assert "a.cu:2:16: error: 'int key_of(const Node *)' is something else in another file" in said
    assert "a.cu:1:8: note: 'Node' is declared here" in said
    assert "b.cu:1:8: note: and, with other members, here" in said


def test_classes_of_one_name_that_differ_do_not_merge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "struct S {{ {} __device__ int get() {{ return v; }} }};\n"
        "__global__ void k{}(int *out) {{ S s; *out = s.get(); }}"
    )
    said = refused(
        tmp_path, capsys, a=text.format("int v = 1;", 1) + "\nint main() {}", b=text.format("char v = 2;", 2)
    )
    assert "'int S::get()' is something else in another file" in said


def test_faults_of_one_file_are_found_when_it_is_compiled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (name,) = write(tmp_path, a="__device__ int f(int);\n__global__ void k(int *out) { *out = f(1, 2) + g(); }\n")
    assert cli.main(["compile", "-dc", name, "-o", str(tmp_path / "a.o")]) == 1
    said = capsys.readouterr().err
    assert "a.cu:2:38: error: too many arguments to 'f'" in said
    assert "a.cu:2:48: error: " in said


def test_without_rdc_files_stay_separate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (name,) = write(
        tmp_path,
        a="__device__ int f(int);\nextern __device__ int v;\n__global__ void k(int *out) { *out = f(v); }\n"
        "int main() {}\n",
    )
    assert cli.main(["compile", name, "-o", str(tmp_path / "a")]) == 1
    said = capsys.readouterr().err
    assert "a.cu:3:38: error: 'f' is called, but not defined in this file\n" in said
    assert "a.cu:3:40: error: 'v' is not defined in this file\n" in said
    assert said.count("help: if another file defines it, compile all files with -rdc=true\n") == 2


def test_shared_memory_of_all_files_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(
        tmp_path,
        capsys,
        a="__device__ int more();\n"
        "__global__ void k(int *out) { __shared__ int a[7000]; a[0] = 1; *out = more() + a[0]; }\n"
        "int main() {}\n",
        b="__device__ int more() { __shared__ int b[7000]; b[1] = 1; return b[1]; }\n",
    )
    assert "kernel 'k' uses 56000 bytes of shared memory" in said


# ------------------------------------------------------------------------------------------ the command line

CALLER = """#include "check.h"
__device__ int helper(int x);
__global__ void k(int *out) { *out = helper(20); }
int main() { expect("k", run(k), 42); puts("done"); }"""
HELPERS = "__device__ int second(int x) { return x + 1; }\n"
HELPER = "__device__ int second(int x);\n__device__ int helper(int x) { return second(x) * 2; }\n"


def objects(folder: Path) -> list[str]:
    names = write(folder, main=CALLER, first=HELPER, second=HELPERS)
    made = [str(Path(name).with_suffix(".o")) for name in names]
    for name, output in zip(names, made, strict=True):
        assert cli.main(["compile", "--relocatable-device-code", "true", "-c", name, "-o", output]) == 0
    return made


@pytest.mark.parametrize("kind", ("archive", "thin archive", "library", "one object of two"))
def test_objects_in_libraries_are_linked(kind: str, tmp_path: Path) -> None:
    main, *rest = objects(tmp_path)
    program = tmp_path / "program"
    if kind == "one object of two":
        (tmp_path / "both.o").touch()
        subprocess.run(["ld", "-r", *rest, "-o", tmp_path / "both.o"], check=True)
        inputs = [str(tmp_path / "both.o")]
    else:
        subprocess.run(["ar", "rcT" if kind == "thin archive" else "rc", tmp_path / "libhelp.a", *rest], check=True)
        inputs = ["-L", str(tmp_path), "-lhelp"] if kind == "library" else [str(tmp_path / "libhelp.a")]
    assert cli.main(["compile", main, *inputs, "-o", str(program)]) == 0
    assert run_program(program) == "done\n"


def test_device_code_may_be_linked_by_itself(tmp_path: Path) -> None:
    made = objects(tmp_path)
    linked, program = str(tmp_path / "linked.o"), tmp_path / "program"
    assert cli.main(["compile", "-dlink", *made, "-o", linked]) == 0
    assert cli.main(["compile", *made, linked, "-o", str(program)]) == 0
    assert run_program(program) == "done\n"


def test_programs_hold_no_trees(tmp_path: Path) -> None:
    made = objects(tmp_path)
    program = tmp_path / "program"
    assert cli.main(["compile", *made, "-o", str(program)]) == 0
    assert b".s2s_rdc" not in program.read_bytes()


def test_files_and_objects_go_together(tmp_path: Path) -> None:
    main, *_ = objects(tmp_path)
    names = [str(tmp_path / "first.cu"), str(tmp_path / "second.cu")]
    program = tmp_path / "program"
    assert cli.main(["compile", "-rdc", "true", main, *names, "-o", str(program)]) == 0
    assert run_program(program) == "done\n"


def test_damaged_device_code_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = objects(tmp_path)
    whole = Path(made[0]).read_bytes()
    at = whole.index(b"simt2simd tree") + 30
    Path(made[0]).write_bytes(whole[:at] + bytes(20) + whole[at + 20 :])
    assert cli.main(["compile", *made, "-o", str(tmp_path / "program")]) == 1
    assert "cannot link device code: its device code is damaged" in capsys.readouterr().err


def test_options_must_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = objects(tmp_path)
    name = str(tmp_path / "first.cu")
    assert cli.main(["compile", "-dc", "--use_fast_math", name, "-o", made[1]]) == 0
    assert cli.main(["compile", *made, "-o", str(tmp_path / "program")]) == 1
    assert "the options for their device code differ ('fast_math')" in capsys.readouterr().err
    assert cli.main(["compile", "-dc", "-O1", "-DX=1", name, "-o", made[1]]) == 0
    assert cli.main(["compile", *made, "-o", str(tmp_path / "program")]) == 0


def test_one_file_compiled_twice_with_other_macros(tmp_path: Path) -> None:
    names = write(
        tmp_path,
        main='#include "check.h"\n__device__ int f1(int);\n__device__ int f2(int);\n'
        '__global__ void k(int *out) { *out = f1(1) * 10 + f2(1); }\nint main() { expect("k", run(k), 89); }',
        part="static __device__ int own(int x) { return x + VALUE; }\n__device__ int NAME(int x) { return own(x); }\n",
    )
    made = [str(tmp_path / f"{name}.o") for name in ("main", "part1", "part2")]
    assert cli.main(["compile", "-dc", names[0], "-o", made[0]]) == 0
    assert cli.main(["compile", "-dc", "-DVALUE=7", "-DNAME=f1", names[1], "-o", made[1]]) == 0
    assert cli.main(["compile", "-dc", "-DVALUE=8", "-DNAME=f2", names[1], "-o", made[2]]) == 0
    assert cli.main(["compile", *made, "-o", str(tmp_path / "program")]) == 0
    assert run_program(tmp_path / "program") == ""


def test_deep_expressions_link(tmp_path: Path) -> None:
    terms = " + ".join(f"x * {n}" for n in range(3000))
    build(
        tmp_path,
        a='#include "check.h"\n__device__ int f(int);\n__global__ void k(int *out) { *out = f(2); }\n'
        'int main() { expect("k", run(k), 2999 * 3000); }',
        b=f"__device__ int f(int x) {{ return {terms}; }}",
    )


def test_remarks_and_dumps_cover_the_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = write(
        tmp_path,
        a="__device__ int f(const int *p, int i);\n__global__ void k(int *out, const int *in, int n) {\n"
        "    for (int i = 0; i < n; i++) out[threadIdx.x] += f(in, i);\n}\nint main() {}\n",
        b="__device__ int f(const int *p, int i) { return p[i * threadIdx.x]; }\n",
    )
    command = ["compile", "-rdc=true", "--remarks", "--dump-ir=tree,llvm", *names, "-o", str(tmp_path / "program")]
    assert cli.main(command) == 0
    said = capsys.readouterr()
    assert "b.cu:1:" in said.err and "gather" in said.err
    assert f"===== tree of {names[0]}" in said.out and f"===== tree of {names[1]}" in said.out
    assert "define" in said.out


def test_texts_are_of_whole_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (name,) = write(tmp_path, a="__global__ void k() {}\n")
    with pytest.raises(SystemExit):
        cli.main(["compile", "-rdc=true", "--emit", "llvm", name])
    assert "--emit llvm takes whole programs: it does not go with -rdc=true" in capsys.readouterr().err
    assert cli.main(["compile", "-dlink", name]) == 1
    assert "cannot link the device code of" in capsys.readouterr().err


def test_nvcc_links_device_code_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "nvcc"
    tool.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/words\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert "-c" in words_for_nvcc(tmp_path, Options(relocatable=True), "object")
    assert "-rdc=true" in words_for_nvcc(tmp_path, Options(relocatable=True), "object")
    assert "-dlink" in words_for_nvcc(tmp_path, Options(), "linked")
    assert "-rdc=true" not in words_for_nvcc(tmp_path, Options(), "exe")


def words_for_nvcc(folder: Path, options: Options, emit: str) -> list[str]:
    nvcc(["x.cu"], folder / "x", HostFlags(), options, emit=emit)
    return (folder / "words").read_text().splitlines()[-1].split()
