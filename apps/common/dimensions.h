/* How many coordinates points have.
 *
 * -DDIM=5 makes a program for 5 dimensions only, with the loops over the coordinates unrolled.
 */
#ifndef COMMON_DIMENSIONS_H
#define COMMON_DIMENSIONS_H

#define MAX_DIM 16

#ifdef DIM
#define DIMENSIONS(dim) DIM
#else
#define DIMENSIONS(dim) (dim)
#endif

#endif
