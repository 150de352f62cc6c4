/* The name that the document has for shmem.h. */
#include "../shmem.h"
