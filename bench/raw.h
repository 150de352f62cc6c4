/* A bare program between two processes: what a conduit's speed is compared with. One endpoint with the settings that the conduit asks
 * for, and nothing around it. Nothing behind this calls the library that is measured. raw_ofi.c and raw_ucx.c are it, for libfabric
 * and UCX; a program is linked with one of them. */
#ifndef BENCH_RAW_H
#define BENCH_RAW_H
#include <stddef.h>
#include <stdint.h>

/* Is the transport here, with all that is asked for? */
int raw_offers(const char *transport);

/* What the peer must know, in the form of that library. */
struct raw_card {
  char bytes[4096];
};

struct raw_memory {
  char *target;       /* the peer writes and reads it; a library that has faster memory of its own for this allocates that instead */
  char *local;        /* data of transfers lie in it */
  size_t size;        /* of each */
};

/* Anything that fails ends the process with a message. */
void raw_open(const char *transport, const struct raw_memory *m, struct raw_card *mine);
void raw_join(const struct raw_card *peer); /* both at once */
void raw_close(void); /* some leave shared memory behind otherwise */

/* Starts a transfer from or to `local`, `at` bytes behind the peer's target memory. A write is complete when it is visible there. */
void raw_write(size_t at, const void *local, size_t nbytes);
void raw_read(size_t at, void *local, size_t nbytes);
/* Waits for all that were started. */
void raw_drain(void);

enum { RAW_MESSAGE_MOST = 4096 };
/* The first byte, 0 to 2, says in which of the library's ways. The data stay as they are until the peer has answered, or all is
 * drained. */
void raw_pass(const char *data, size_t nbytes);
/* Waits for one and copies it out; how long it was. */
size_t raw_receive(void *data);

/* The peer: makes progress, and passes each message back, until the other says stop. */
void raw_serve(void);
void raw_stop(void);
#endif
