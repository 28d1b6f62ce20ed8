// What is const: a method's object, a reference, a pointer's target.
struct Vec {
    float data[2];
    int size;
    __device__ float &operator[](int i) { return data[i]; } // note 23-30: candidate: 'Vec::operator[](int)': the object is const, the method is not // note 23-30: candidate: 'Vec::operator[](int)': argument 1, 'const char [2]', does not become 'int'
    __device__ int grow() const { return size = 3; } // error 42-45: cannot assign to 'size': the method is const
    __device__ int grow_first() const { return data[0]++; } // error 48-54: cannot increment 'data': the method is const
};
struct Point {
    float x;
};
__device__ Point operator+(Point a, float b) { return Point{a.x + b}; } // note 18-25: candidate: 'operator+(Point, float)': argument 2, 'Point', does not become 'float'
__device__ Point operator*(Point a) { return a; } // note 18-25: candidate: 'operator*(Point)': it takes 1 argument

__device__ float total(const Vec &v) { return v[0] + v["a"]; } // error 47-50: invalid operands of '[]': 'Vec' and 'int' // error 54-59: invalid operands of '[]': 'Vec' and 'char [2]'
__device__ void change(const Vec &v, const Vec *w) {
    v.size = 1; // error 5-10: cannot assign to what 'v' refers to: it is a reference to const
    w->size = 2; // error 5-11: cannot assign to what a pointer to const points to
}

__global__ void kernel(float *out, int n, Point p) {
    Vec v;
    v["a"] = 1; // error 5-10: invalid operands of '[]': 'Vec' and 'char [2]'
    v.grow();
    v.grow_first();
    change(v, &v);
    out[0] = total(v);
    out[1] = (p + p).x; // error 14-20: invalid operands of '+': 'Point' and 'Point'
    out[2] = (p - p).x; // error 14-20: invalid operands of '-': 'Point' and 'Point'
    out[3] = p * p; // error 14-18: invalid operands of '*': 'Point' and 'Point'
    out[4] = p[0]; // error 14-17: only an array or a pointer can be indexed, not 'Point'
}
