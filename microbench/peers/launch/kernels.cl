/* A kernel that does nothing. */
__kernel void nothing(__global int *untouched) {
}
