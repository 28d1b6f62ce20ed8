/* Device code that a program loads while it runs. */
#ifndef S2S_MODULE_H
#define S2S_MODULE_H

#include "cudart/cudart.h"
#include "s2s.h"

/* A loaded image: a text of lines, an empty line, and an object file.
 *
 *     simt2simd module 1
 *     bytes ALL OBJECT               how many the image and the object file have
 *     kernel NAME SYMBOL             by a name that the program may use
 *     variable NAME SYMBOL BYTES
 */
typedef struct s2s_module s2s_module;

/* Load an image. Null if that fails: then `why`, of S2S_WHY_BYTES, says why. */
s2s_module *s2s_load_module(const void *image, char *why);
void s2s_unload_module(s2s_module *module);

/* The bytes of an image; 0 if it is none. */
size_t s2s_image_bytes(const void *image);

/* What an image has by a name; null if there is none. The name of a kernel may also be as the C++ ABI spells it. */
const s2s_kernel *s2s_module_kernel(const s2s_module *module, const char *name);

/* How many kernels an image has, and one of them; null if there are not so many. */
size_t s2s_module_count(const s2s_module *module);
const s2s_kernel *s2s_module_nth(const s2s_module *module, size_t number);

/* The text of a file and a 0 after it, for free; null if it cannot be read. Empty if it is no whole image. */
char *s2s_read_image(const char *path);

void *s2s_module_variable(const s2s_module *module, const char *name, size_t *bytes);

#endif
