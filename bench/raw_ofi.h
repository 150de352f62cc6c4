/* A bare libfabric program between two processes: what the ofi conduit's speed is compared with. One endpoint with the settings that
 * the conduit asks for, one completion queue, and nothing around them. Nothing here calls the library that is measured. */
#ifndef BENCH_RAW_OFI_H
#define BENCH_RAW_OFI_H
#include <stddef.h>
#include <stdint.h>

/* Does libfabric have it, with all that is asked for? */
int raw_ofi_offers(const char *provider);

/* What the peer must know. */
struct raw_ofi_card {
  uint64_t key, base; /* of its target memory */
  uint32_t size;
  char address[244];
};

struct raw_ofi_memory {
  char *target;       /* the peer writes and reads it */
  char *local;        /* data of transfers lie in it */
  size_t size;        /* of each */
};

/* Anything that fails ends the process with a message. */
void raw_ofi_open(const char *provider, const struct raw_ofi_memory *m, struct raw_ofi_card *mine);
void raw_ofi_join(const struct raw_ofi_card *peer);
void raw_ofi_close(void); /* shm leaves its memory behind otherwise */

/* Starts a transfer from or to `local`, `at` bytes behind the peer's target memory. A write is complete when it is visible there. */
void raw_ofi_write(size_t at, const void *local, size_t nbytes);
void raw_ofi_read(size_t at, void *local, size_t nbytes);
/* Waits for all that were started. */
void raw_ofi_drain(void);

enum { RAW_OFI_MESSAGE_MOST = 4096 };
/* The largest that goes by fi_inject. */
size_t raw_ofi_inject_most(void);
/* By fi_inject where the first byte is not 0, else by fi_send. */
void raw_ofi_pass(const char *data, size_t nbytes);
/* Waits for one and copies it out; how long it was. */
size_t raw_ofi_receive(void *data);

/* The peer: makes progress, and passes each message back, until the other says stop. */
void raw_ofi_serve(void);
void raw_ofi_stop(void);
#endif
