// Initialisers with braces.
struct Point { float x, y; }; // note 8-12: 'Point' is declared here
struct Line { Point a, b; int tags[2]; };
__global__ void kernel(float *out) {
    int many[2] = {1, 2, 3}; // error 26: too many values for 'int [2]'
    Point p = {1, 2, 3}; // error 22: too many values for 'Point'
    Point q = {.x = 1, .z = 2}; // error 25: 'Point' has no member 'z'
    int gap[4] = {[1] = 1, [7] = 2}; // error 28: index 7 is outside 'int [4]'
    int plain[2] = 3; // error 20: an array needs a braced list as initialiser, such as '{0, 0}'
    int scalar = {1, 2}; // error 18-23: too many values for 'int'
    char text[4] = "abcd"; // error 20-25: a string of 4 characters and its zero do not fit 'char [4]'
    Line l = {{1, 2}, {3, 4, 5}, {6, 7}}; // error 30: too many values for 'Point'
    Line m = {.a.x = 1, .a.w = 2}; // error 28: 'Point' has no member 'w'
    int pointers[2] = {out, nullptr}; // error 24-26: cannot convert 'float *' to 'int' in an initialiser
    out[0] = {1, 2}; // error 14-19: too many values for 'float'
    p = {1, 2, 3}; // error 16: too many values for 'Point'
    out[1] = Point{1, unknown}.x; // error 23-29: 'unknown' is not declared
    float ragged[2][2] = {{1}, {2, 3, 4}}; // error 39: too many values for 'float [2]'
    Point r = Line{}; // error 15-20: cannot convert 'Line' to 'Point' in the initialiser of 'r'
    static const int table[] = {1, 2, bad}; // error 39-41: 'bad' is not declared
}
