// Named casts: each does a part of what a cast in parentheses does.
struct Base {
    int x;
};
struct Derived : Base {
    int y;
};
struct Other {
    int z;
};

__global__ void kernel(float *out, int n, const void *data, Derived *derived) {
    const int fixed = n;
    const float *in = out;
    Base *base = derived;
    float f = reinterpret_cast<float>(n); // error 15-40: 'reinterpret_cast' cannot convert 'int' to 'float' // help: 'static_cast' converts the value; for the bits, use '__int_as_float', '__float_as_int' or 'memcpy'
    int i = reinterpret_cast<int>(f); // error 13-36: 'reinterpret_cast' cannot convert 'float' to 'int' // help: 'static_cast' converts the value; for the bits, use '__int_as_float', '__float_as_int' or 'memcpy'
    int low = reinterpret_cast<int>(out); // error 15-40: 'reinterpret_cast' cannot convert 'float *' to 'int' // help: cast to a 64-bit integer first
    static_cast<int *>(out); // error 5-27: 'static_cast' cannot convert 'float *' to 'int *' // help: write 'reinterpret_cast', if that is meant
    static_cast<float *>(n); // error 5-27: 'static_cast' cannot convert 'int' to 'float *'
    static_cast<long>(out); // error 5-26: 'static_cast' cannot convert 'float *' to 'long'
    static_cast<float *>(in); // error 5-28: 'static_cast' cannot take 'const' away: 'const float *' to 'float *' // help: write 'const_cast<float *>(...)'
    static_cast<float *>(data); // error 5-30: 'static_cast' cannot take 'const' away: 'const void *' to 'float *'
    reinterpret_cast<int *>(data); // error 5-33: 'reinterpret_cast' cannot take 'const' away: 'const void *' to 'int *'
    const_cast<int *>(out); // error 5-26: 'const_cast' cannot convert 'float *' to 'int *'
    const_cast<int>(n); // error 5-22: 'const_cast' cannot convert 'int' to 'int'
    static_cast<Other *>(base); // error 5-30: 'static_cast' cannot convert 'Base *' to 'Other *' // help: write 'reinterpret_cast', if that is meant
    static_cast<float &>(n) = 1; // error 5-27: 'static_cast' cannot convert 'int' to 'float &'
    static_cast<int &>(fixed) = 1; // error 5-29: 'static_cast' cannot take 'const' away: 'const int' to 'int &' // help: write 'const_cast<int &>(...)'
    const_cast<float &>(n) = 1; // error 5-26: 'const_cast' cannot convert 'int' to 'float &'
    static_cast<Other &>(*base).z = 1; // error 5-31: 'static_cast' cannot convert 'Base' to 'Other &'
    static_cast<Derived *>(base)->y = static_cast<const int &>(f) + (const int &)f + i + low;
    const_cast<float *>(in)[0] = static_cast<bool>(out) + *static_cast<const float *>(data);
    reinterpret_cast<unsigned &>(f) = reinterpret_cast<unsigned long long>(out) + const_cast<int &>(fixed);
    reinterpret_cast<int *>(out)[0] = *reinterpret_cast<const int *>(in);
}
