// Member functions that only the host can call take part in overload resolution: a call of the chosen one is refused.
struct Converting {
    int x;
    Converting(int a) : x(a) {} // note 5-14: 'Converting' is declared here // note 5-14: 'Converting' is declared here // note 5-14: 'Converting' is declared here
    __device__ Converting(double a) : x(2) {}
};
struct Default {
    int x;
    Default() : x(1) {} // note 5-11: 'Default' is declared here // note 5-11: 'Default' is declared here // note 5-11: 'Default' is declared here
};
struct Copied {
    int x;
    __device__ explicit Copied(int a) : x(a) {}
    __host__ Copied(const Copied &other) : x(other.x + 1) {} // note 14-19: 'Copied' is declared here
};
struct Made {
    int x;
    template <class T> Made(T a) : x(1) {} // note 24-27: 'Made' is declared here
};
struct Destroyed {
    int x;
    ~Destroyed() {} // note 5: '~Destroyed' is declared here // note 5: '~Destroyed' is declared here // note 5: '~Destroyed' is declared here
};
struct Holds { // error 8-12: 'Default' is a host function: device code cannot use it // help: mark it `__device__`
    Default member;
};
struct Inherits : Converting {
    using Converting::Converting;
};
struct Assigned {
    int x;
    Assigned &operator=(const Assigned &other) { // note 15-22: 'operator=' is declared here
        x = other.x + 1;
        return *this;
    }
};
struct Called {
    int x;
    int f(int) { return 1; } // note 9: 'f' is declared here
    __device__ int f(double) { return 2; }
    operator int() const { return 3; } // note 5-12: 'operator int' is declared here
    bool operator==(int) const { return true; } // note 10-17: 'operator==' is declared here
};
__global__ void constructs() {
    Converting a(1); // error 16: 'Converting' is a host function: device code cannot use it // help: mark it `__device__`
    Default b; // error 13: 'Default' is a host function: device code cannot use it // help: mark it `__device__`
    Default *c = new Default[2]; // error 18-31: 'Default' is a host function: device code cannot use it // help: mark it `__device__`
    Made d(1); // error 10: 'Made' is a host function: device code cannot use it // help: mark it `__device__`
}
__global__ void copies() {
    Copied a(1);
    Copied b(a); // error 12: 'Copied' is a host function: device code cannot use it // help: mark it `__device__`
}
__device__ int takes(Converting a) { return a.x; }
__global__ void converts(int *out) { *out = takes(3); } // error 51: 'Converting' is a host function: device code cannot use it // help: mark it `__device__`
__global__ void destroys(Destroyed *p) {
    Destroyed a; // error 15: '~Destroyed' is a host function: device code cannot use it // help: mark it `__device__`
    delete p; // error 5-12: '~Destroyed' is a host function: device code cannot use it // help: mark it `__device__`
    p->~Destroyed(); // error 5-17: '~Destroyed' is a host function: device code cannot use it // help: mark it `__device__`
}
__global__ void makes_members() { Holds a; }
__global__ void inherits() { Inherits a(1); } // error 39: 'Converting' is a host function: device code cannot use it // help: mark it `__device__`
__global__ void assigns(Assigned *p) { p[0] = p[1]; } // error 40-50: 'operator=' is a host function: device code cannot use it // help: mark it `__device__`
__global__ void calls(Called *p) {
    p->f(1); // error 5-11: 'f' is a host function: device code cannot use it // help: mark it `__device__`
    int a = *p; // error 13-14: 'operator int' is a host function: device code cannot use it // help: mark it `__device__`
    bool b = *p == 1; // error 14-20: 'operator==' is a host function: device code cannot use it // help: mark it `__device__`
}
