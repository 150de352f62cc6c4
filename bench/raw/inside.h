/* What the series of a bare program are made of: each library's file has these. */
#ifndef BENCH_RAW_INSIDE_H
#define BENCH_RAW_INSIDE_H
#include "raw.h"

extern char *raw_local; /* own memory that data of transfers lie in */

int raw_offers(const char *transport);
void raw_open(const char *transport, const struct raw_memory *m, struct raw_card *mine);
void raw_join(const struct raw_card *peer);
void raw_close(void);

/* Starts a transfer from or to `local`, `at` bytes behind the peer's target memory. A write is complete when it is visible there. */
void raw_write(size_t at, const void *local, size_t nbytes);
void raw_read(size_t at, void *local, size_t nbytes);
/* Waits for all that were started. */
void raw_drain(void);

/* Sends a message, `way` 0 to 2 of the library's. The data stay as they are until the peer has answered, or all is drained. */
void raw_send(const char *data, size_t nbytes, int way);
/* Waits for one and copies it out; how long it was. */
size_t raw_receive(void *data);
/* Does the peer answer the message that ends its serving? What was sent last may need progress here until it does. */
extern const int raw_end_is_answered;
/* Where arriving streams go while this side serves, or no longer does; where the library has none, nothing. */
void raw_serving(int begins);

/* ---- raw.c ---- */

void raw_begin(const char *transport, const struct raw_memory *m, struct raw_card *mine);
void raw_serve(void);
void raw_stop(void);
void raw_write_each(long n, const struct raw_shape *s);
void raw_read_each(long n, const struct raw_shape *s);
void raw_write_several(long n, const struct raw_shape *s);
void raw_read_several(long n, const struct raw_shape *s);
void raw_write_both(long n, const struct raw_shape *s);
void raw_read_both(long n, const struct raw_shape *s);
void raw_pass(long n, const struct raw_shape *s);
void raw_pass_2(long n, const struct raw_shape *s);
void raw_pass_3(long n, const struct raw_shape *s);
void raw_long(long n, const struct raw_shape *s);
/* How often a series does what it does. */
static inline long raw_count(long n, const struct raw_shape *s) { return s->per > 1 ? n / s->per : n; }

/* What every library has. */
#define RAW_COMMON_SERIES \
  [RAW_WRITE_EACH] = raw_write_each, [RAW_READ_EACH] = raw_read_each, [RAW_WRITE_SEVERAL] = raw_write_several, \
  [RAW_READ_SEVERAL] = raw_read_several, [RAW_WRITE_BOTH] = raw_write_both, [RAW_READ_BOTH] = raw_read_both, [RAW_PASS] = raw_pass, \
  [RAW_PASS_2] = raw_pass_2, [RAW_LONG] = raw_long

#endif
