// Lambdas: what they capture, and what they may change.
__global__ void kernel(int *out, int n) { // note 38: 'n' is declared here
    int local = n;
    auto without = [](int v) { return v + n; }; // error 43: 'n' is not captured by this lambda // help: write '[=]', '[&]' or '[n]'
    auto unknown = [missing](int v) { return v; }; // error 21-27: 'missing' is no variable of the function around: it cannot be captured
    auto changes = [=](int v) { local = v; }; // error 33-37: cannot assign to 'local': the lambda has captured its value // help: capture it by reference, or write 'mutable' // note 20-44: 'lambda at line 6' is declared here
    auto faulty = [&] { return undeclared_here; }; // error 32-46: 'undeclared_here' is not declared
    auto wrong = [=](int v) -> int { return out; }; // error 45-47: cannot convert 'int *' to 'int' in the result of 'lambda at line 8' // note 18-50: 'lambda at line 8' is declared here
    auto mixed = [](int v) { if (v) return 1; return 2.0f; }; // error 54-57: 'lambda at line 9' returns 'float' here and 'int' before // help: write the type of its result, or cast what it returns
    out[0] = without(1) + unknown(1) + faulty();
    changes(); // error 5-13: too few arguments to 'lambda at line 6': 0 given, 1 expected
    changes(1, 2); // error 5-17: too many arguments to 'lambda at line 6': 2 given, 1 expected
    out[1] = [n](int a) { return a + n; }(3, 4); // error 14-47: too many arguments to 'lambda at line 13': 2 given, 1 expected // note 14-41: 'lambda at line 13' is declared here
    auto own = [this] { return 1; }; // error 16-35: 'this' exists only in methods
}
